// SPDX-License-Identifier: MIT
// What has died away becomes exactly zero.
//
// Looked for every few hundred frames, at fixed frames, so that neither blocks nor snapshots
// matter:
//
//   mode        below the energy floor (1e-36 J unless told otherwise): zero, while the others ring
//               on
//   grid object below it as a whole: zero, while the rest of its component goes on
//   component   all of it below, nothing drives it, no control moves: it sleeps and costs nothing
//   component   under load (a bridge on its soundboard, a ball on the floor) none of which moves by
//               more than rounding: it sleeps
//               where it is, with its loads
//
// A number that decays for ever would end in the subnormal range, where processors are slow and
// where the flush mode of the host decides about bits.  At the floor an amplitude is about 1e-20 m;
// what decays slower than 1e5 1/s is caught before it has lost the remaining 290 decades.
//
// What nothing holds (a free mass, a free plate, a bar on one hinge) stops where it is instead.  A
// grid stops halfway between u and its past: a potential u p that was nothing, since the two were
// opposite, would not be nothing once both are u.  Tested by test_rest.c.

#include "ledger/ledger.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

static bool floats(const JwObject* object) {
  return object->ops->floats && object->ops->floats(object);
}

// Stop one mode: exactly zero, or, where no spring holds it, exactly still.
static void still_mode(JwObject* object, uint32_t i) {
  const double value = object->bank.b[i] > 0.0 ? 0.0 : object->level[JW_NOW][i];
  for (int b = 0; b < JW_LEVELS; ++b) {
    object->buffer[b][i] = value;
    if (object->carries_step) {
      object->buffer[b][object->dofs + i] = 0.0;
    }
  }
}

// All three states alike.
static void hold(JwObject* object) {
  const size_t bytes = object->size * sizeof(double);
  memcpy(object->level[JW_PREV], object->level[JW_NOW], bytes);
  memcpy(object->level[JW_NEXT], object->level[JW_NOW], bytes);
}

// Returns the energy that is left.
static double still(JwObject* object) {
  if (jw_object_is_bank(object)) {
    for (uint32_t i = 0; i < object->dofs; ++i) {
      still_mode(object, i);
    }
    return 0.0;
  }
  const bool keeps = floats(object);
  double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV];
  for (uint32_t i = 0; i < object->size; ++i) {
    u[i] = keeps ? 0.5 * (u[i] + prev[i]) : 0.0;
  }
  hold(object);
  return keeps ? jw_object_stored(object).potential : 0.0;
}

// Modes below the floor; returns the energy that they had.
static double settle_modes(JwObject* object, double floor_energy) {
  const double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV];
  double gone = 0.0;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double v = object->carries_step ? u[object->dofs + i] : u[i] - prev[i];
    const double kinetic = object->bank.kinetic[i] * v * v;
    const double potential = object->bank.potential[i] * (u[i] + prev[i]) * (u[i] + prev[i]);
    if (kinetic + potential <= floor_energy) {
      still_mode(object, i);
      gone += kinetic + potential;
    }
  }
  return gone;
}

// What a bank holds, roughly; and is there anything below the floor that is not zero already?
static double scan(const JwObject* object, double floor_energy, bool* below) {
  const double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV];
  double sum = 0.0;
  *below = false;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double v = object->carries_step ? u[object->dofs + i] : u[i] - prev[i];
    const double kinetic = object->bank.kinetic[i] * v * v;
    const double potential = object->bank.potential[i] * (u[i] + prev[i]) * (u[i] + prev[i]);
    const bool moved = v != 0.0 || (object->bank.b[i] > 0.0 && u[i] != 0.0);
    *below = *below || (kinetic + potential <= floor_energy && moved);
    sum += kinetic + potential;
  }
  return sum;
}

// Whether something pushes the object itself, and may only just have begun to.
static bool object_driven(const JwWorld* world, const JwComponent* component,
                          const JwObject* object) {
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const uint32_t index = component->forces[i];
    if (jw_force_at(world, index)->side.object == object
        && world->force_states[index].force != 0.0) {
      return true;
    }
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwPoint* const point = component->points[i];
    if (point->ops->drives && point->side[0].object == object && point->step.law->force > 0.0) {
      return true;
    }
  }
  return jw_object_weight(object) != 0.0;
}

// Whether a contact holds it with more than the floor: what is bent by a load is not at rest at
// zero.
static bool object_held(const JwWorld* world, const JwComponent* component,
                        const JwObject* object) {
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwPoint* const point = component->points[i];
    if (jw_point_touches(point, object)
        && point->ops->stored(&point->step) > world->def.energy_floor) {
      return true;
    }
  }
  return false;
}

// The object has been moved: its contacts hold what their potentials ask for there.  Returns what
// they held before, less that.
static double unload(const JwComponent* component, const JwObject* object) {
  double gone = 0.0;
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    if (jw_point_touches(point, object) && !point->dense) {
      JwStep* const step = &point->step;
      gone += point->ops->stored(step);
      step->eta = jw_point_gap(point, JW_NOW);
      step->eta_prev = jw_point_gap(point, JW_PREV);
      step->state->psi = jw_load(point->ops, step);
      step->state->cubic = jw_cubic_load(point->ops, step);
      gone -= point->ops->stored(step);
    }
  }
  return gone;
}

// Let what is below the floor in one object lie; returns the energy that it had.
static double settle(JwWorld* world, JwComponent* component, JwObject* object,
                     const JwStored* stored) {
  const double floor_energy = world->def.energy_floor;
  double gone = 0.0;
  if (jw_object_is_bank(object)) {
    gone = settle_modes(object, floor_energy);
  } else if (fabs(stored->kinetic) + fabs(stored->potential) <= floor_energy) {
    gone = stored->kinetic + stored->potential - still(object);
  }
  if (gone == 0.0) {
    return 0.0;
  }
  jw_disturb(world, component, JW_MOVED_STATE);
  return gone + unload(component, object);
}

// Returns the energy that is left.
static double sleep_now(JwWorld* world, JwComponent* component) {
  double left = 0.0;
  jw_disturb(world, component, JW_MOVED_STATE);
  for (uint32_t i = 0; i < component->object_count; ++i) {
    left += still(component->objects[i]);
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPointState* const point = component->points[i]->step.state;
    point->psi = point->cubic = point->force = point->shift = 0.0;
  }
  component->state->awake = false;
  return left;
}

// Is a grid clearly in motion?  Kinetic energy is (1 + e)/4y |u - p|^2, a quarter of that at a free
// edge's lightest point; adding up the distance is a fraction of the work of the energy.
static bool clearly_moving(const JwWorld* world, const JwObject* object) {
  if (!(object->lightest > 0.0)) {
    return false;
  }
  const double moved = jw_distance(object->points, object->level[JW_NOW], object->level[JW_PREV]);
  return isfinite(moved) && object->lightest * moved > 2.0 * world->def.energy_floor;
}

// Then what contacts hold need not be asked for: it does not rest, and a psi that is not a number
// has moved its objects out of the finite.
static bool anything_moves(const JwWorld* world, const JwComponent* component) {
  for (uint32_t i = 0; i < component->object_count; ++i) {
    if (clearly_moving(world, component->objects[i])) {
      return true;
    }
  }
  return false;
}

// ---------------------------------------------------------------- still under load

// What rings at the level of rounding moves by some hundred eps of its displacement in a frame, at
// a loss of 0.1 1/s: rounding adds an eps in each frame, of random sign, and about 1/(s k) frames
// are remembered.  One part in 1e12 is beyond that, and 240 dB below the displacement that the load
// gives.
#define STILL 1e-12

static double step_of(const JwObject* object, uint32_t i, const double* u, const double* prev) {
  const uint32_t at = jw_object_offset(object, i);
  return object->carries_step ? u[object->dofs + i] : u[at] - prev[at];
}

// A mass counts its place from anywhere: it is asked how far its load alone would take it in a
// frame.
#define STILL_MASS 1e-8

static double mass_limit(const JwComponent* component, const JwObject* mass) {
  double load = fabs(jw_object_weight(mass));
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwPoint* const point = component->points[i];
    load += jw_point_touches(point, mass) ? fabs(point->step.state->force) : 0.0;
  }
  return STILL_MASS * (mass->y[0] * load + mass->bank.b[0] * fabs(mass->level[JW_NOW][0]));
}

static double largest(const JwObject* object) {
  double most = 0.0;
  for (uint32_t i = 0; i < object->dofs && !object->ops->lumped; ++i) {
    most = fmax(most, fabs(object->level[JW_NOW][jw_object_offset(object, i)]));
  }
  return most;
}

// Over two steps, so that what turns around is not taken for what stays.
static bool object_still(const JwObject* object, double limit) {
  const double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV],
                      *const before = object->level[JW_NEXT];
  for (uint32_t i = 0; i < object->dofs; ++i) {
    if (!(fabs(step_of(object, i, u, prev)) <= limit
          && fabs(step_of(object, i, prev, before)) <= limit)) {
      return false;
    }
  }
  return true;
}

// What nothing holds may drift for ever, however slowly against where it has come to.
static bool component_still(const JwWorld* world, const JwComponent* component) {
  double most = 0.0; // Of all: one that hardly bends trembles with those that do
  for (uint32_t i = 0; i < component->object_count; ++i) {
    most = fmax(most, largest(component->objects[i]));
  }
  for (uint32_t i = 0; i < component->object_count; ++i) {
    const JwObject* const object = component->objects[i];
    const bool lumped = object->ops->lumped;
    const bool free = lumped ? object->bank.b[0] == 0.0 : floats(object);
    const double limit = lumped ? mass_limit(component, object) : STILL * most;
    if (!object_still(object, limit) || (free && !object_held(world, component, object))) {
      return false;
    }
  }
  return !jw_component_pushed(world, component);
}

// All three states alike; the loads stay.  Returns the energy that this took.
static double freeze(JwWorld* world, JwComponent* component) {
  double gone = 0.0;
  jw_disturb(world, component, JW_MOVED_STATE);
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = component->objects[i];
    const JwStored before = jw_object_stored(object);
    for (uint32_t d = 0; d < object->dofs && object->carries_step; ++d) {
      object->level[JW_NOW][object->dofs + d] = 0.0;
    }
    hold(object);
    const JwStored after = jw_object_stored(object);
    gone += (before.kinetic + before.potential) - (after.kinetic + after.potential);
  }
  component->state->awake = false;
  return gone;
}

JW_REALTIME void jw_component_rest(JwWorld* world, JwComponent* component) {
  JwComponentState* const state = component->state;
  jw_component_leave(world, component);
  if (state->awake && component->moving_count == 0 && component_still(world, component)) {
    jw_sum_add(&state->lost, freeze(world, component));
    return;
  }
  bool busy = component->moving_count > 0 || anything_moves(world, component);
  double energy = busy ? 0.0 : jw_component_contact_energy(component), gone = 0.0, all = energy;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = component->objects[i];
    if (clearly_moving(world, object)) {
      busy = true;
      continue;
    }
    bool below = true; // Then it is worth asking what drives and holds it
    const double rough =
        jw_object_is_bank(object) ? scan(object, world->def.energy_floor, &below) : 0.0;
    busy = busy || (isfinite(rough) && rough > 2.0 * world->def.energy_floor);
    if (busy && jw_object_is_bank(object) && isfinite(rough) && !below) {
      continue;
    }
    const JwStored stored = jw_object_stored(object);
    energy += fabs(stored.kinetic) + fabs(stored.potential);
    all += stored.kinetic + stored.potential;
    if (isfinite(energy) && below && !object_driven(world, component, object)
        && !object_held(world, component, object)) {
      gone += settle(world, component, object, &stored);
    }
  }
  if (!isfinite(energy)) {
    state->failed = true;
  } else if (!busy && energy <= world->def.energy_floor && !jw_component_driven(world, component)) {
    gone = all - sleep_now(world, component);
  }
  jw_sum_add(&state->lost, gone);
}
