// SPDX-License-Identifier: MIT
// What one point notes of one step: inline, since contacts along a string do it for many points a
// sample.
#ifndef JAWARI_FIGURES_H
#define JAWARI_FIGURES_H

#include "law/law.h"

#include <math.h>

// fmax, but in one instruction, and the record stands when it is equalled; nothing here is NaN.
static inline double larger(double x, double record) {
  return x > record ? x : record;
}

static inline void note_closure(JwPointState* state, JwPointState* figures, bool closed) {
  if (closed) {
    figures->closures += state->closure == 0;
    ++state->closure;
    ++figures->closed_samples;
    figures->longest_closure =
        state->closure > figures->longest_closure ? state->closure : figures->longest_closure;
  } else {
    state->closure = 0;
  }
}

// A collision, given the psi that the potential asks for.
static inline void note_collision(const JwStep* step, bool active, double wanted) {
  JwPointState *const state = step->state, *const figures = step->figures;
  const double next = step->eta_next;
  state->force = step->f;
  state->eta = next;
  if (!active && state->psi == 0.0 && state->closure == 0) {
    return; // Open and empty: nothing to note
  }
  const bool between = step->refine == JW_REFINE_ORBIT && step->f > 0.0
                       && !(next > JW_TINY); // A bounce within one step
  const bool closed = step->eta > JW_TINY || between;
  note_closure(state, figures, closed);
  figures->push = larger(step->f, figures->push);
  figures->pull = larger(-step->f, figures->pull);
  figures->penetration = larger(next, figures->penetration);
  figures->largest_psi = larger(fabs(state->psi), figures->largest_psi);
  figures->largest_wanted = larger(wanted, figures->largest_wanted);
  figures->misfit = larger(fabs(state->psi - wanted), figures->misfit);
  if (!closed && !(next > JW_TINY)) { // Open, and the step that should have released it is over
    figures->parked = larger(0.5 * state->psi * state->psi, figures->parked);
  }
}

// A connection, spring or bow: closed whenever it pushes.
static inline void note_other(const JwStep* step, bool active) {
  JwPointState *const state = step->state, *const figures = step->figures;
  state->force = step->f;
  state->eta = step->eta_next;
  if (active || state->psi != 0.0 || state->closure != 0) {
    note_closure(state, figures, active && step->f != 0.0);
    figures->push = larger(step->f, figures->push);
  }
}

#endif // JAWARI_FIGURES_H
