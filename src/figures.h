// What one point notes of one step: inline, since contacts along a string do it for many points a sample.
#ifndef JAWARI_FIGURES_H
#define JAWARI_FIGURES_H

#include "law/law.h"

#include <math.h>

// fmax, but in one instruction; nothing here is NaN.
static inline double larger(double a, double b) { return a > b ? a : b; }

static inline void note_closure(JwPointState* state, bool closed)
{
  if (closed) {
    state->closures += state->closure == 0;
    ++state->closure;
    ++state->closed_samples;
    state->longest_closure = state->closure > state->longest_closure ? state->closure : state->longest_closure;
  } else {
    state->closure = 0;
  }
}

// A collision, given the psi that the potential asks for.
static inline void note_collision(const JwStep* step, bool active, double wanted)
{
  JwPointState* const state = step->state;
  const double next = step->eta_next;
  state->force = step->f;
  state->eta = next;
  if (!active && state->psi == 0.0 && state->closure == 0) {
    return; // Open and empty: nothing to note
  }
  const bool closed = step->eta > JW_TINY;
  note_closure(state, closed);
  state->push = larger(state->push, step->f);
  state->pull = larger(state->pull, -step->f);
  state->penetration = larger(state->penetration, next);
  state->largest_psi = larger(state->largest_psi, fabs(state->psi));
  state->largest_wanted = larger(state->largest_wanted, wanted);
  state->misfit = larger(state->misfit, fabs(state->psi - wanted));
  if (!closed && !(next > JW_TINY)) { // Open, and the step that should have released it is over
    state->parked = larger(state->parked, 0.5 * state->psi * state->psi);
  }
}

// A connection, spring or bow: closed whenever it pushes.
static inline void note_other(const JwStep* step, bool active)
{
  JwPointState* const state = step->state;
  state->force = step->f;
  state->eta = step->eta_next;
  if (active || state->psi != 0.0 || state->closure != 0) {
    note_closure(state, active && step->f != 0.0);
    state->push = larger(state->push, step->f);
  }
}

#endif // JAWARI_FIGURES_H
