// SPDX-License-Identifier: MIT
// The energy ledger.  It reads the state and never writes it: on or off, the motion is the same.
//
//   H(n+1/2) - H(n-1/2) = supplied - lost, sample by sample                            (4.1)
//
// Stored: objects (1.3, 1.5, 1.7) and contacts (psi^2/2, springs).  Lost: objects and contacts.
// Supplied: forces and gravity F (u+ - u-)/2, the bow, and whatever a change from outside (a moved
// port, a tightened string, a thrown mass) did to the stored energy.

#include "ledger/ledger.h"
#include "step/step.h"

#include <math.h>

// What objects hold as they stretch is theirs, and not a contact's.
static double loads(const JwComponent* component, bool of_objects) {
  JwSum sum = {0.0, 0.0};
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwPoint* const point = component->points[i];
    if ((point->contact == JW_NONE) == of_objects) {
      jw_sum_add(&sum, point->ops->stored(&point->step));
    }
  }
  return jw_sum_value(&sum);
}

JW_REALTIME double jw_component_contact_energy(const JwComponent* component) {
  return loads(component, false) + loads(component, true);
}

double jw_component_energy(const JwComponent* component, double parts[4]) {
  JwSum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  for (uint32_t i = 0; i < component->object_count; ++i) {
    const JwStored stored = jw_object_stored(component->objects[i]);
    jw_sum_add(&kinetic, stored.kinetic);
    jw_sum_add(&potential, stored.potential);
  }
  parts[0] = jw_sum_value(&kinetic);
  parts[1] = jw_sum_value(&potential);
  parts[2] = loads(component, true);
  parts[3] = loads(component, false);
  return parts[0] + (parts[1] + parts[2]) + parts[3];
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

JW_REALTIME void jw_ledger_look(JwWorld* world, JwComponent* component) {
  JwComponentState* const state = component->state;
  if (!world->def.ledger || state->frame % LOOK_FRAMES) {
    return;
  }
  double parts[4];
  jw_component_leave(world, component);
  const double stored = jw_component_energy(component, parts);
  state->peak = peak_with(state, stored);
  state->worst = fmax(state->worst, fabs(residual(state, stored)));
}

void jw_ledger_start(JwComponent* component) {
  double parts[4];
  component->state->first = component->state->peak = jw_component_energy(component, parts);
}

// ---------------------------------------------------------------- one step

// What is given and taken back between two looks was there all the same.
static void book_gift(JwComponentState* state, double energy) {
  jw_sum_add(&state->supplied, energy);
  state->peak = fabs(energy) > state->peak ? fabs(energy) : state->peak;
}

// The work of its weight.  A mass on a spring is booked by its places, as its spring is: both are
// rounded alike.  A free one is booked by its steps, which keep their digits however far it is.
static double work_of_weight(const JwObject* mass) {
  double* const* const level = mass->level;
  const bool held = mass->bank.b[0] > 0.0;
  const double moved =
      held ? level[JW_NEXT][0] - level[JW_PREV][0] : level[JW_NEXT][1] + level[JW_NOW][1];
  return 0.5 * jw_object_weight(mass) * moved;
}

static void book_objects(JwComponent* component) {
  JwComponentState* const state = component->state;
  for (uint32_t i = 0; i < component->lone_count; ++i) {
    const JwObject* const object = component->lone[i];
    jw_sum_add(&state->lost, object->ops->dissipate(object, object->level[JW_NEXT],
                                                    object->level[JW_NOW], object->level[JW_PREV]));
    if (jw_object_weight(object) != 0.0) {
      book_gift(state, work_of_weight(object));
    }
  }
}

static void book_force(const JwWorld* world, JwComponent* component, uint32_t index) {
  const double force = world->force_states[index].force;
  if (force != 0.0) {
    JwSide* const side = &jw_force_at(world, index)->side;
    jw_side_reread(side);
    book_gift(component->state, 0.5 * force * jw_side_motion(side));
  }
}

JW_REALTIME void jw_ledger_point(const JwWorld* world, JwComponent* component,
                                 const JwPoint* point) {
  if (world->def.ledger && point->closed) {
    jw_sum_add(&component->state->lost, point->ops->lost(&point->step));
    book_gift(component->state, point->ops->supplied(&point->step));
  }
}

JW_REALTIME void jw_ledger_island(const JwWorld* world, JwComponent* component,
                                  const JwIsland* island) {
  for (uint32_t i = 0; i < island->count; ++i) {
    jw_ledger_point(world, component, island->points[i]);
  }
}

static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  (void)component;
  return world->def.ledger;
}

// Contacts along a string (step/along_lanes.c) and what is tied (step/hub.c) book their losses
// themselves.
static JW_REALTIME void step(JwWorld* world, JwComponent* component) {
  book_objects(component);
  for (uint32_t i = 0; i < component->force_count; ++i) {
    book_force(world, component, component->forces[i]);
  }
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    jw_ledger_island(world, component, &component->islands[component->plain[i]]);
  }
}

const JwStage jw_ledger_stage = {"ledger", enter, step, NULL};

// ---------------------------------------------------------------- changes from outside

JW_REALTIME double jw_ledger_contact(const JwWorld* world, const JwContact* contact) {
  return world->def.ledger ? jw_contact_energy(world, contact) : 0.0;
}

JW_REALTIME double jw_ledger_object(const JwWorld* world, const JwObject* object) {
  if (!world->def.ledger) {
    return 0.0;
  }
  const JwStored stored = jw_object_stored(object);
  return stored.kinetic + stored.potential;
}

JW_REALTIME void jw_ledger_lose(const JwWorld* world, JwComponent* component, double energy) {
  if (world->def.ledger) {
    jw_sum_add(&component->state->lost, energy);
  }
}

JW_REALTIME void jw_ledger_supply(const JwWorld* world, JwComponent* component, double energy) {
  if (world->def.ledger) {
    book_gift(component->state, energy);
  }
}

// ---------------------------------------------------------------- for the user

JW_REALTIME double jw_contact_energy(const JwWorld* world, const JwContact* contact) {
  JwSum sum = {0.0, 0.0};
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const JwPoint* const point = &world->points[contact->first_point + i];
    jw_sum_add(&sum, point->ops->stored(&point->step));
  }
  return jw_sum_value(&sum);
}

JW_REALTIME JwEnergy jw_world_energy(const JwWorld* world) {
  JwEnergy energy = {0};
  double open = 0.0;
  if (!world || !world->def.ledger || !world->prepared) {
    return energy;
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    const JwComponentState* const state = world->components[i].state;
    double parts[4];
    const double stored = jw_component_energy(&world->components[i], parts);
    const double now = residual(state, stored);
    energy.kinetic += parts[0];
    energy.potential += parts[1];
    energy.stretch += parts[2];
    energy.contact += parts[3];
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

double jw_world_object_energy(const JwWorld* world, JwObjectId id) {
  if (!world || !world->prepared || id.index == 0 || id.index > world->objects.count) {
    return 0.0;
  }
  const JwObject* const object = jw_object_at(world, id.index - 1);
  const JwStored stored = object->dofs ? jw_object_stored(object) : (JwStored){0.0, 0.0};
  const JwPoint* const row = object->stretch > 0.0 ? &world->points[object->row] : NULL;
  return stored.kinetic + stored.potential + (row ? row->ops->stored(&row->step) : 0.0);
}

double jw_world_contact_energy(const JwWorld* world, JwContactId id) {
  if (!world || !world->prepared || id.index == 0 || id.index > world->contacts.count) {
    return 0.0;
  }
  return jw_contact_energy(world, jw_contact_at(world, id.index - 1));
}
