// What contacts did: figures that an energy plot cannot show (docs/physics.md, section 3).

#include "world.h"

#include <math.h>

// fmax, but in one instruction; nothing here is NaN.
static double larger(double a, double b) { return a > b ? a : b; }

static void note_closure(JwPointState* state, bool closed)
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

void jw_figures_step(JwPoint* point, bool active)
{
  if (point->group) {
    jw_group_figures(point);
    return;
  }
  JwStep* const step = &point->step;
  double wanted = 0.0;
  if (point->ops->kind == JW_KIND_COLLISION && (active || step->state->psi != 0.0)) {
    const double now = jw_potential(step, step->eta);
    jw_root_keep(step, step->eta_next); // The next step begins with it
    wanted = sqrt(jw_potential(step, step->eta_next) + now);
  }
  jw_figures_note(point, active, wanted);
}

void jw_figures_note(JwPoint* point, bool active, double wanted)
{
  const JwStep* const step = &point->step;
  JwPointState* const state = step->state;
  const double next = step->eta_next;
  state->force = step->f;
  state->eta = next;
  if (!active && state->psi == 0.0 && state->closure == 0) {
    return; // Open and empty: nothing to note
  }
  const bool collision = point->ops->kind == JW_KIND_COLLISION;
  const bool closed = collision ? step->eta > JW_TINY : active && step->f != 0.0;
  note_closure(state, closed);
  state->push = larger(state->push, step->f);
  if (collision) {
    state->pull = larger(state->pull, -step->f);
    state->penetration = larger(state->penetration, next);
    state->largest_psi = larger(state->largest_psi, fabs(state->psi));
    state->largest_wanted = larger(state->largest_wanted, wanted);
    state->misfit = larger(state->misfit, fabs(state->psi - wanted));
    if (!closed && !(next > JW_TINY)) { // Open, and the step that should have released it is over
      state->parked = larger(state->parked, 0.5 * state->psi * state->psi);
    }
  }
}

JwContactFigures jw_world_contact_figures(const JwWorld* world, JwContactId id)
{
  JwContactFigures figures = {0};
  if (!world->prepared || id.index == 0 || id.index > world->contacts.count) {
    return figures;
  }
  const JwContact* const contact = jw_contact_at(world, id.index - 1);
  double largest = 0.0;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const JwPoint* const point = &world->points[contact->first_point + i];
    const JwPointState* const state = point->step.state;
    figures.force += state->force;
    const double eta = point->closed ? state->eta : jw_point_eta(point, *world->frame, false);
    figures.eta = i ? larger(figures.eta, eta) : eta;
    figures.misfit = larger(figures.misfit, state->misfit);
    figures.pull = larger(figures.pull, state->pull);
    figures.push = larger(figures.push, state->push);
    figures.parked = larger(figures.parked, state->parked);
    figures.peak_energy = larger(figures.peak_energy, 0.5 * state->largest_psi * state->largest_psi);
    figures.penetration = larger(figures.penetration, state->penetration);
    figures.closures += state->closures;
    figures.closed_samples += state->closed_samples;
    figures.longest_closure = state->longest_closure > figures.longest_closure ? state->longest_closure : figures.longest_closure;
    figures.closed = figures.closed || state->closure > 0;
    largest = larger(largest, larger(state->largest_psi, state->largest_wanted));
  }
  figures.misfit = largest > 0.0 ? figures.misfit / largest : 0.0;
  return figures;
}
