// SPDX-License-Identifier: MIT
// What contacts did: figures that an energy plot cannot show (docs/physics.md, section 3).

#include "step/figures.h"

#include "ledger/ledger.h"
#include "step/step.h"

#include <math.h>

JW_REALTIME void jw_figures_step(JwPoint* point) {
  JwStep* const step = &point->step;
  if (JW_RARELY(point->dense)) {
    if (point->dense->note) {
      point->dense->note(point);
    }
    return;
  }
  if (!point->ops->one_sided) {
    note_other(step, point->closed);
    return;
  }
  double wanted = 0.0;
  if (point->closed || step->state->psi != 0.0) {
    const double now = jw_potential(step, step->eta);
    jw_root_keep(step, step->eta_next); // The next step begins with it
    wanted = sqrt(jw_potential(step, step->eta_next) + now);
  }
  note_collision(step, point->closed, wanted);
}

static double eta_of(const JwPoint* point) {
  if (point->dense) {
    return point->dense->eta(point);
  }
  return point->closed ? point->step.state->eta : jw_point_gap(point, JW_NOW);
}

JwStretchFigures jw_world_stretch_figures(const JwWorld* world, JwObjectId id) {
  JwStretchFigures figures = {0};
  if (!world || !world->prepared || id.index == 0 || id.index > world->objects.count) {
    return figures;
  }
  const JwObject* const object = jw_object_at(world, id.index - 1);
  if (object->stretch > 0.0) {
    const JwPointState* const state = world->points[object->row].step.state;
    const double largest = larger(state->largest_psi, state->largest_wanted);
    figures.energy = 0.5 * state->psi * state->psi;
    figures.peak_energy = 0.5 * state->largest_psi * state->largest_psi;
    const uint64_t looks = state->closed_samples / JW_LOOK_FRAMES;
    figures.misfit = largest > 0.0 ? state->misfit / largest : 0.0;
    figures.usual_misfit =
        looks && largest > 0.0 ? sqrt(state->squares / (double)looks) / largest : 0.0;
  }
  return figures;
}

JwContactFigures jw_world_contact_figures(const JwWorld* world, JwContactId id) {
  JwContactFigures figures = {0};
  if (!world || !world->prepared || id.index == 0 || id.index > world->contacts.count) {
    return figures;
  }
  const JwContact* const contact = jw_contact_at(world, id.index - 1);
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const JwPoint* const point = &world->points[contact->first_point + i];
    const double eta = eta_of(point);
    figures.force += point->step.state->force;
    figures.eta = i ? larger(eta, figures.eta) : eta;
    figures.closed = figures.closed || point->step.state->closure > 0;
  }
  const JwPointState* const state = world->points[contact->first_point].step.state;
  const double largest = larger(state->largest_psi, state->largest_wanted);
  figures.misfit = largest > 0.0 ? state->misfit / largest : 0.0;
  figures.pull = state->pull;
  figures.push = state->push;
  figures.parked = state->parked;
  figures.peak_energy = 0.5 * state->largest_psi * state->largest_psi;
  figures.penetration = state->penetration;
  figures.closures = state->closures;
  figures.closed_samples = state->closed_samples;
  figures.longest_closure = state->longest_closure;
  return figures;
}
