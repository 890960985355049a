// SPDX-License-Identifier: MIT
// What contacts did: figures that an energy plot cannot show (docs/physics.md, section 3).

#include "figures.h"
#include "world.h"

#include <math.h>

JW_REALTIME void jw_figures_step(JwPoint* point, bool active) {
  if (point->group) {
    jw_group_figures(point);
    return;
  }
  JwStep* const step = &point->step;
  if (point->ops->kind != JW_KIND_COLLISION) {
    note_other(step, active);
    return;
  }
  double wanted = 0.0;
  if (active || step->state->psi != 0.0) {
    const double now = jw_potential(step, step->eta);
    jw_root_keep(step, step->eta_next); // The next step begins with it
    wanted = sqrt(jw_potential(step, step->eta_next) + now);
  }
  note_collision(step, active, wanted);
}

JwContactFigures jw_world_contact_figures(const JwWorld* world, JwContactId id) {
  JwContactFigures figures = {0};
  if (!world || !world->prepared || id.index == 0 || id.index > world->contacts.count) {
    return figures;
  }
  const JwContact* const contact = jw_contact_at(world, id.index - 1);
  double largest = 0.0;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const JwPoint* const point = &world->points[contact->first_point + i];
    const JwPointState* const state = point->step.state;
    figures.force += state->force;
    const double eta = point->group    ? jw_group_eta(point, *world->frame)
                       : point->closed ? state->eta
                                       : jw_point_eta(point, *world->frame, false);
    figures.eta = i ? larger(eta, figures.eta) : eta;
    figures.misfit = larger(state->misfit, figures.misfit);
    figures.pull = larger(state->pull, figures.pull);
    figures.push = larger(state->push, figures.push);
    figures.parked = larger(state->parked, figures.parked);
    figures.peak_energy =
        larger(0.5 * state->largest_psi * state->largest_psi, figures.peak_energy);
    figures.penetration = larger(state->penetration, figures.penetration);
    figures.closures += state->closures;
    figures.closed_samples += state->closed_samples;
    figures.longest_closure = state->longest_closure > figures.longest_closure
                                  ? state->longest_closure
                                  : figures.longest_closure;
    figures.closed = figures.closed || state->closure > 0;
    largest = larger(larger(state->largest_psi, state->largest_wanted), largest);
  }
  figures.misfit = largest > 0.0 ? figures.misfit / largest : 0.0;
  return figures;
}
