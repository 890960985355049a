// SPDX-License-Identifier: MIT
// What a world will cost: memory, points, and operations a sample.

#include "define/define.h"
#include "prepare/prepare.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

static bool is_dense(const JwObject* object) {
  return object && object->dense;
}

// Two strings, not both on the same grid: every point of one touches two of the other.  A grouped
// contact is one point on all of its string.
static bool chains(const JwWorld* world, const JwContact* contact) {
  if (contact->grouped) {
    return true;
  }
  const JwObject* const a = jw_port_object(world, contact->port[0]);
  const JwObject* const b = jw_port_object(world, contact->port[1]);
  const bool both = contact->along && a && b && a->dofs && b->dofs;
  return both && (a->dense || b->dense || a->grid.string.intervals != b->grid.string.intervals);
}

// Points along a string that move each other for good: on modes, or between unequal grids.
static uint64_t coupled_points(const JwWorld* world, const JwContact* contact) {
  const bool dense = is_dense(jw_port_object(world, contact->port[0]))
                     || is_dense(jw_port_object(world, contact->port[1]));
  return contact->along && (dense || chains(world, contact)) ? contact->point_count : 0;
}

// Numbers that a port reads and pushes through; a group has one row a place.
static void tally_port(const JwWorld* world, JwPort port, double rows, JwTally* t) {
  const JwObject* const object = jw_port_object(world, port);
  const double weights = object ? object->port_weights : 0.0;
  t->weights += rows * weights;
  t->widest = weights > t->widest ? weights : t->widest;
}

static bool is_place(JwControl control) {
  return control == JW_CONTROL_X || control == JW_CONTROL_Y || control == JW_CONTROL_X2
         || control == JW_CONTROL_Y2;
}

static void tally_ports(const JwWorld* world, uint32_t component, JwTally* t) {
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    for (int s = 0; contact->component == component && s < 2; ++s) {
      tally_port(world, contact->port[s],
                 contact->grouped ? contact->place_count : contact->point_count, t);
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    const JwForce* const force = jw_force_at(world, i);
    tally_port(world, force->def.port, force->component == component ? 1.0 : 0.0, t);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    const JwPickup* const pickup = jw_pickup_at(world, i);
    tally_port(world, pickup->def.port, pickup->component == component ? 1.0 : 0.0, t);
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    const JwTarget target = JW_AT(world->curves, JwCurve, i)->target;
    t->moves = t->moves
               || (target.contact.index
                   && jw_contact_at(world, target.contact.index - 1)->component == component
                   && is_place(target.control));
  }
}

JwTally jw_component_tally(const JwWorld* world, uint32_t component) {
  JwTally t = {0};
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component == component) {
      t.objects += object->dofs > 0;
      t.cells += object->size;
      t.points += object->stretch > 0.0;
      t.chained = t.chained || object->stretch > 0.0;
      t.weights += object->stretch > 0.0 ? 4.0 * object->size : 0.0;
      ++t.slots;
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    if (contact->component == component) {
      t.points += contact->point_count;
      t.places += !contact->along;
      t.runs += contact->along;
      t.coupled += coupled_points(world, contact);
      t.chained = t.chained || chains(world, contact);
      t.iterates = t.iterates || contact->law.iterates;
      t.slots += 1 + 2; // And a barrier on either side
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    t.forces += jw_force_at(world, i)->component == component;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    t.pickups += jw_pickup_at(world, i)->component == component;
  }
  t.slots = (t.slots + t.forces + t.pickups) * JW_CONTROL_COUNT;
  return t;
}

// Most points that an island can come to have when ports move: every contact at a place, the grid
// points of contacts along strings that their ports can cover (four a side, in every run), those
// coupled for good, and one of every run where runs share a grid point.
uint64_t jw_island_capacity(const JwTally* t) {
  const uint64_t covered = jw_size_product(8 * t->places, t->runs);
  const uint64_t most = jw_size_sum(t->places + t->coupled + t->runs, covered);
  return most < t->points && !t->chained ? most : t->points;
}

// Solves of one island in a sample: the first, two turns of those carried past zero and their
// letting go, the second of the rule refined and its letting go, all of that again where a hand
// gives way (island.c), and four for what the pushes missed (settle.c).
#define MOST_SOLVES 16.0

// Of what opens and closes on things that are tied to one (step/hub.c), so many at once are usual.
#define USUAL_CLOSED 64.0

static double component_operations(const JwWorld* world, uint32_t index, bool usual) {
  JwTally t = jw_component_tally(world, index);
  tally_ports(world, index, &t);
  double m = (double)jw_island_capacity(&t);
  const double pins = jw_hub_pins(world, index);
  if (pins > 0.0) {
    m = usual ? fmin(m - pins, USUAL_CLOSED) : m - pins;
    t.weights += pins * pins; // A product with a matrix of places, and two with the hub's modes
  }
  double solves = m > 1.0 ? MOST_SOLVES : 1.0;
  solves = t.iterates ? JW_MOST_TANGENTS : solves;
  const double found = t.moves ? 4.0 * m * m * t.widest : 0.0; // Four compliances a pair
  return (t.iterates ? JW_SWEEPS : 1.0) * 60.0 * (double)t.points + 4.0 * t.weights + found
         + solves * m * m * m / 3.0;
}

static JwStatus too_large(JwWorld* world, const char* what, uint64_t value, uint64_t limit) {
  return jw_world_fail(world, JW_STATUS_TOO_LARGE,
                       "the world would have %llu %s, must be at most %llu",
                       (unsigned long long)value, what, (unsigned long long)limit);
}

// What is numbered in 32 bits, whatever the limits allow: the numbers of all objects, and all
// controls.
static JwStatus check_numbers(JwWorld* world) {
  uint64_t cells = 0;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    cells += jw_object_at(world, i)->size;
  }
  const uint64_t things = (uint64_t)world->objects.count + world->contacts.count
                          + world->forces.count + world->pickups.count;
  if (cells > UINT32_MAX) {
    return too_large(world, "numbers to advance", cells, UINT32_MAX);
  }
  return things * JW_CONTROL_COUNT > UINT32_MAX
             ? too_large(world, "controls", things * JW_CONTROL_COUNT, UINT32_MAX)
             : JW_STATUS_OK;
}

double jw_world_usual_operations(const JwWorld* world) {
  double sum = 0.0;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    sum += object->ops->operations * object->dofs;
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    sum += component_operations(world, i, true);
  }
  return sum;
}

JwStatus jw_world_cost(JwWorld* world, JwCost* out) {
  JwCost found, *const cost = out ? out : &found;
  if (!world) {
    return jw_no_world();
  }
  memset(cost, 0, sizeof *cost);
  cost->contacts = world->prepared ? world->point_count : jw_world_assign(world);
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    cost->points += object->dofs;
    cost->operations += object->ops->operations * object->dofs + object->strain_cost;
  }
  if (cost->points > world->def.max_points) {
    return too_large(world, "grid points and modes", cost->points, world->def.max_points);
  }
  if (cost->contacts > world->def.max_contacts) {
    return too_large(world, "contact points", cost->contacts, world->def.max_contacts);
  }
  const JwStatus status = check_numbers(world);
  if (status) {
    return status;
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    cost->operations += component_operations(world, i, false);
  }
  if (cost->operations > world->def.max_operations) {
    return jw_world_fail(world, JW_STATUS_TOO_LARGE,
                         "the world would take %.3g operations a sample, must be at most %.3g",
                         cost->operations, world->def.max_operations);
  }
  cost->operations = jw_world_usual_operations(world);
  cost->bytes = world->bytes;
  if (!world->prepared) {
    JwArena arena = {NULL, 0}, state = {NULL, 0};
    jw_world_layout(world, &arena, &state);
    cost->bytes = jw_size_sum(arena.used, state.used);
  }
  const uint64_t most = world->def.max_bytes < SIZE_MAX / 2 ? world->def.max_bytes : SIZE_MAX / 2;
  return cost->bytes > most ? too_large(world, "bytes of memory", cost->bytes, most) : JW_STATUS_OK;
}
