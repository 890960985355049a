// SPDX-License-Identifier: MIT
// The energy ledger.  It reads the state and never writes it: on or off, the motion is the same.
//
//   H(n+1/2) - H(n-1/2) = supplied - lost, sample by sample                            (4.1)
//
// Stored: objects (1.3, 1.5, 1.7) and contacts (psi^2/2, springs).  Lost: objects and contacts.
// Supplied: forces and gravity F (u+ - u-)/2, the bow, and whatever a change from outside (a moved
// port, a tightened string, a thrown mass) did to the stored energy.

#include "world.h"

#include <math.h>

JW_REALTIME double jw_component_contact_energy(const JwWorld* world, const JwComponent* component) {
  JwSum contact = {0.0, 0.0};
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwPoint* const point = &world->points[component->points[i]];
    jw_sum_add(&contact, point->ops->stored(&point->step));
  }
  return jw_sum_value(&contact);
}

double jw_component_energy(const JwWorld* world, const JwComponent* component, uint64_t frame,
                           double parts[3]) {
  JwSum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  for (uint32_t i = 0; i < component->object_count; ++i) {
    const JwObject* const object = jw_object_at(world, component->objects[i]);
    const JwStored stored =
        object->ops->energy(object, jw_now(object, frame), jw_prev(object, frame));
    jw_sum_add(&kinetic, stored.kinetic);
    jw_sum_add(&potential, stored.potential);
  }
  parts[0] = jw_sum_value(&kinetic);
  parts[1] = jw_sum_value(&potential);
  parts[2] = jw_component_contact_energy(world, component);
  return parts[0] + parts[1] + parts[2];
}

// Stored energy is summed up anew only every so many frames, and whenever somebody asks: what is
// lost and supplied is booked in every frame, so an error made in between is still there.
#define LOOK_FRAMES 1024

// The largest energy seen: stored, lost or supplied.  A bow that slips supplies and loses 1e10
// times what it leaves in the string; the rounding of those two is not an error of the string.
static double peak_with(const JwComponentState* state, double stored) {
  return fmax(fmax(state->peak, stored),
              fmax(fabs(jw_sum_value(&state->lost)), fabs(jw_sum_value(&state->supplied))));
}

// How far the ledger is open, relative to that.
static double residual(const JwComponentState* state, double stored) {
  const double open =
      (stored - state->first) + (jw_sum_value(&state->lost) - jw_sum_value(&state->supplied));
  const double peak = peak_with(state, stored);
  return peak > 0.0 ? open / peak : 0.0;
}

static void look(const JwWorld* world, JwComponent* component, uint64_t frame) {
  JwComponentState* const state = component->state;
  double parts[3];
  const double stored = jw_component_energy(world, component, frame, parts);
  state->peak = peak_with(state, stored);
  state->worst = fmax(state->worst, fabs(residual(state, stored)));
}

void jw_ledger_start(JwWorld* world, JwComponent* component) {
  double parts[3];
  component->state->first = component->state->peak =
      jw_component_energy(world, component, component->state->frame, parts);
}

// What is given and taken back between two looks was there all the same.
static void book_gift(JwComponentState* state, double energy) {
  jw_sum_add(&state->supplied, energy);
  state->peak = fabs(energy) > state->peak ? fabs(energy) : state->peak;
}

static void book_objects(JwWorld* world, JwComponent* component, uint64_t frame) {
  JwComponentState* const state = component->state;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    const JwObject* const object = jw_object_at(world, component->objects[i]);
    const double *const next = jw_next(object, frame), *const u = jw_now(object, frame),
                        *const prev = jw_prev(object, frame);
    jw_sum_add(&state->lost, object->ops->dissipate(object, next, u, prev));
    if (object->ops->kind
        == JW_KIND_MASS) { // A spring holds what it does by places, as the weight that it bears
      const double moved = object->bank.b[0] > 0.0 ? next[0] - prev[0] : next[1] + u[1];
      book_gift(state, 0.5 * jw_object_weight(object) * moved);
    }
  }
}

// Points of contacts that are watched book their losses themselves (touch.c).
static void book_island(JwComponentState* state, const JwIsland* island) {
  for (uint32_t i = 0; i < island->count; ++i) {
    const JwPoint* const point = island->points[i];
    if (point->closed) {
      jw_sum_add(&state->lost, point->ops->lost(&point->step));
      book_gift(state, point->ops->supplied(&point->step));
    }
  }
}

static void book_force(const JwWorld* world, JwComponent* component, uint32_t index,
                       uint64_t frame) {
  const double force = world->force_states[index].force;
  if (force != 0.0) {
    const JwSide* const side = &jw_force_at(world, index)->side;
    const JwObject* const object = side->object;
    const double move =
        jw_side_move(side, jw_next(object, frame), jw_now(object, frame), jw_prev(object, frame));
    book_gift(component->state, 0.5 * force * move);
  }
}

JW_REALTIME void jw_ledger_step(JwWorld* world, JwComponent* component, uint64_t frame) {
  JwComponentState* const state = component->state;
  book_objects(world, component, frame);
  for (uint32_t i = 0; i < component->force_count; ++i) {
    book_force(world, component, component->forces[i], frame);
  }
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    book_island(state, &component->islands[component->plain[i]]);
  }
  if ((frame + 1) % LOOK_FRAMES == 0) {
    jw_watch_pause(world, component);
    look(world, component, frame + 1);
  }
}

JW_REALTIME double jw_ledger_contact(const JwWorld* world, const JwContact* contact) {
  JwSum sum = {0.0, 0.0};
  for (uint32_t i = 0; world->def.ledger && i < contact->point_count; ++i) {
    const JwPoint* const point = &world->points[contact->first_point + i];
    jw_sum_add(&sum, point->ops->stored(&point->step));
  }
  return jw_sum_value(&sum);
}

JW_REALTIME double jw_ledger_object(const JwWorld* world, const JwObject* object, uint64_t frame) {
  if (!world->def.ledger) {
    return 0.0;
  }
  const JwStored stored =
      object->ops->energy(object, jw_now(object, frame), jw_prev(object, frame));
  return stored.kinetic + stored.potential;
}

JW_REALTIME void jw_ledger_lose(const JwWorld* world, uint32_t component, double energy) {
  if (world->def.ledger) {
    jw_sum_add(&world->components[component].state->lost, energy);
  }
}

JW_REALTIME void jw_ledger_supply(const JwWorld* world, uint32_t component, double energy) {
  if (world->def.ledger && component != JW_NONE) {
    book_gift(world->components[component].state, energy);
  }
}

JW_REALTIME JwEnergy jw_world_energy(const JwWorld* world) {
  JwEnergy energy = {0};
  double open = 0.0;
  for (uint32_t i = 0; world && world->def.ledger && world->prepared && i < world->component_count;
       ++i) {
    const JwComponent* const component = &world->components[i];
    const JwComponentState* const state = component->state;
    double parts[3];
    const double stored = jw_component_energy(world, component, state->frame, parts);
    const double now = residual(state, stored);
    energy.kinetic += parts[0];
    energy.potential += parts[1];
    energy.contact += parts[2];
    energy.stored += stored;
    energy.lost += jw_sum_value(&state->lost);
    energy.supplied += jw_sum_value(&state->supplied);
    energy.peak += peak_with(state, stored);
    energy.worst_residual = fmax(energy.worst_residual, fmax(state->worst, fabs(now)));
    open += now * peak_with(state, stored);
  }
  energy.residual = energy.peak > 0.0 ? open / energy.peak : 0.0;
  return energy;
}
