// SPDX-License-Identifier: MIT
// Which components can fly, and where all that a flight needs lies.
//
// A component flies when it is made of masses and modal objects, joined by collisions at a place,
// and small enough that paths, readings and forces of a whole chunk stay in the first-level cache.
// flight.c has the reason.

#include "flight/parts.h"
#include "kernel/lanes.h"

#include <string.h>

#define MOST_THINGS 16 // Beyond, the scratch would leave the first-level cache

// ---------------------------------------------------------------- layout

static const JwFlightOps* best_ops(void) {
  const JwLanes* const lanes = jw_lanes_best();
#if defined(JW_HAS_AVX2)
  if (lanes == &jw_lanes_avx2) {
    return &jw_flight_avx2;
  }
#endif
#if defined(__GNUC__)
  if (lanes == &jw_lanes_base) {
    return &jw_flight_base;
  }
#endif
  (void)lanes;
  return NULL;
}

// A flight's contact pushes each object once: two places of one object are for the general step.
static bool contact_can_fly(const JwContact* contact) {
  const JwRule rule = contact->law.rule;
  return contact->port[0].object.index != contact->port[1].object.index
         && contact->kind == JW_KIND_COLLISION && contact->point_count == 1 && !contact->along
         && !contact->grouped
         && (rule == JW_RULE_BOUNDED || rule == JW_RULE_PLAIN || rule == JW_RULE_RELEASED);
}

typedef struct {
  uint32_t objects, points, forces, pickups;
  bool flies;
} Count;

static Count count_things(const JwWorld* world, uint32_t component) {
  Count n = {0, 0, 0, 0, !world->def.ledger};
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component == component && object->dofs) {
      ++n.objects;
      n.flies =
          n.flies && (object->dense ? !object->carries_step : object->ops->kind == JW_KIND_MASS);
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    if (contact->component == component) {
      ++n.points;
      n.flies = n.flies && contact_can_fly(contact);
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    n.forces += jw_force_at(world, i)->component == component;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    n.pickups += jw_pickup_at(world, i)->component == component;
  }
  n.flies = n.flies && n.objects && n.objects <= MOST_THINGS && n.points <= MOST_THINGS
            && n.forces <= MOST_THINGS && n.pickups <= MOST_THINGS;
  return n;
}

JwFlight* jw_flight_layout(JwWorld* world, uint32_t component, JwArena* arena) {
  const Count n = count_things(world, component);
  if (!n.flies) {
    return NULL;
  }
  const uint32_t readings = 2 * n.points + n.pickups;
  JwFlight* const flight = JW_TAKE(arena, 1, JwFlight);
  JwFlight f = {0};
  f.banks = JW_TAKE(arena, n.objects, JwFlightBank);
  f.masses = JW_TAKE(arena, n.objects, JwFlightMass);
  f.readings = JW_TAKE(arena, readings, JwFlightReading);
  f.gaps = JW_TAKE(arena, n.points, JwFlightGap);
  f.ears = JW_TAKE(arena, n.pickups, JwFlightEar);
  f.drives = JW_TAKE(arena, n.forces, JwFlightDrive);
  f.paths = JW_TAKE(arena, (size_t)JW_FLIGHT_ROWS * (readings + 2 * n.objects + n.forces), double);
  f.sums = JW_TAKE(arena, (size_t)4 * JW_FLIGHT_ROWS * readings, double);
  f.nothing = JW_TAKE(arena, JW_FLIGHT_ROWS, double);
  f.force = JW_TAKE(arena, JW_FLIGHT_ROWS, double);
  f.pointers = JW_TAKE(arena, n.objects * (readings + 2 * n.forces), const double*);
  f.targets = JW_TAKE(arena, n.objects * readings, double*);
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component == component && object->dense) {
      double* const saved = JW_TAKE(arena, 8 * ((object->dofs + 3) / 4), double);
      if (arena->base) {
        f.banks[f.bank_count].saved = saved;
      }
      ++f.bank_count;
    }
  }
  if (arena->base) {
    *flight = f;
  }
  return flight;
}

// ---------------------------------------------------------------- building

static void build_objects(JwWorld* world, const JwComponent* component, JwFlight* flight) {
  const uint32_t most = 2 * component->point_count + component->pickup_count;
  const double** pointers = flight->pointers;
  double** targets = flight->targets;
  flight->bank_count = flight->mass_count = 0;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = jw_object_at(world, component->objects[i]);
    if (object->dense) {
      JwFlightBank* const bank = &flight->banks[flight->bank_count++];
      bank->rows = (object->dofs + 3) / 4;
      bank->e = object->bank.e, bank->b = object->bank.b;
      bank->weight = pointers, pointers += most;
      bank->spread = pointers, pointers += component->force_count;
      bank->force = pointers, pointers += component->force_count;
      bank->sums = targets, targets += most;
      memcpy(bank->buffer, object->buffer, sizeof bank->buffer);
    } else {
      JwFlightMass* const mass = &flight->masses[flight->mass_count++];
      mass->e = object->bank.e[0], mass->b = object->bank.b[0];
      mass->push = object->y[0] * jw_object_weight(object);
      mass->path = flight->paths, flight->paths += JW_FLIGHT_ROWS;
      mass->steps = flight->paths, flight->paths += JW_FLIGHT_ROWS;
      memcpy(mass->buffer, object->buffer, sizeof mass->buffer);
    }
  }
}

static JwFlightBank* bank_of(const JwFlight* flight, const JwObject* object) {
  for (uint32_t i = 0; i < flight->bank_count; ++i) {
    if (flight->banks[i].buffer[0] == object->buffer[0]) {
      return &flight->banks[i];
    }
  }
  return NULL;
}

static JwFlightMass* mass_of(const JwFlight* flight, const JwObject* object) {
  for (uint32_t i = 0; i < flight->mass_count; ++i) {
    if (flight->masses[i].buffer[0] == object->buffer[0]) {
      return &flight->masses[i];
    }
  }
  return NULL;
}

// Where to find what a side reads, frame by frame.
static double* path_of(JwFlight* flight, const JwSide* side) {
  if (!side->object) {
    return flight->nothing;
  }
  if (!side->object->dense) {
    return mass_of(flight, side->object)->path;
  }
  JwFlightBank* const bank = bank_of(flight, side->object);
  // Places of a modal object stay what they are: those that are alike need one reading.
  for (uint32_t i = 0; i < flight->reading_count && side->object->ops->kind == JW_KIND_MODAL; ++i) {
    const JwSide* const other = flight->readings[i].side;
    if (other->object == side->object
        && memcmp(other->weights.weight, side->weights.weight, side->weights.count * sizeof(double))
               == 0) {
      return flight->readings[i].path;
    }
  }
  JwFlightReading* const reading = &flight->readings[flight->reading_count];
  double* const sums = flight->sums + (size_t)4 * JW_FLIGHT_ROWS * flight->reading_count++;
  reading->side = side;
  reading->sums = sums;
  reading->path = flight->paths, flight->paths += JW_FLIGHT_ROWS;
  bank->weight[bank->reading_count] = side->weights.weight;
  bank->sums[bank->reading_count++] = sums;
  return reading->path;
}

// One contact, at most one bank: then all there is are its two sides.
static void build_press(JwFlight* flight) {
  const JwFlightGap* const gap = flight->gaps;
  if (flight->gap_count != 1 || flight->bank_count > 1
      || gap->point->step.law->rule != JW_RULE_BOUNDED) {
    return;
  }
  JwPress* const press = &flight->press;
  press->step = &gap->point->step;
  press->force = flight->force;
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &gap->point->side[s];
    press->path[s] = gap->path[s];
    if (!side->object) {
      continue;
    }
    if (side->object->dense) {
      press->bank = flight->banks;
      press->side = s;
      press->weight = side->weights.weight, press->spread = side->spread;
    } else {
      press->mass[s] = mass_of(flight, side->object);
    }
  }
}

static JwFlightEar ear_of(JwFlight* flight, JwPickup* pickup, uint32_t index) {
  JwFlightEar ear = {pickup, index, flight->force, NULL};
  if (pickup->def.quantity != JW_QUANTITY_FORCE) {
    ear.path = path_of(flight, &pickup->side);
    ear.steps = pickup->side.object->dense ? NULL : mass_of(flight, pickup->side.object)->steps;
  }
  return ear;
}

void jw_flight_build(JwWorld* world, JwComponent* component) {
  JwFlight* const flight = component->flight;
  if (!flight) {
    return;
  }
  flight->ops = best_ops();
  flight->span = JW_CHUNK;
  build_objects(world, component, flight);
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = &world->points[component->points[i]];
    const JwFlightGap gap = {point,
                             {path_of(flight, &point->side[0]), path_of(flight, &point->side[1])}};
    flight->gaps[flight->gap_count++] = gap;
  }
  build_press(flight);
  for (uint32_t i = 0; i < component->pickup_count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, component->pickups[i]);
    flight->ears[flight->ear_count++] = ear_of(flight, pickup, component->pickups[i]);
  }
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const JwForce* const force = jw_force_at(world, component->forces[i]);
    const JwFlightDrive drive = {component->forces[i], bank_of(flight, force->side.object),
                                 flight->paths};
    flight->drives[flight->drive_count++] = drive;
    flight->paths += JW_FLIGHT_ROWS;
  }
}
