// SPDX-License-Identifier: MIT
// Contacts and their points.
//
// A contact at a place has one point.  A contact along a string has one at each grid point that
// lies over the barrier (or, between two strings, at each point of the finer grid), each standing
// for h metres of string.

#include "prepare/prepare.h"
#include "step/step.h"

#include <math.h>

static JwObject* side_object(const JwWorld* world, const JwContact* contact, int side) {
  return jw_port_object(world, contact->port[side]);
}

static bool is_rigid(const JwObject* object) {
  return object && object->ops->profile;
}
static bool is_lumped(const JwObject* object) {
  return !object || object->ops->lumped;
}
static bool is_string(const JwObject* object) {
  return object && object->ops->places == JW_PLACES_LINE;
}

// Intervals of the grid that a contact along a string uses; a string by modes says them, or gets
// the grid of their count.
static uint32_t along_intervals(const JwObject* string) {
  if (!string->dense) {
    return string->grid.string.intervals;
  }
  return string->def.string.points ? string->def.string.points : jw_string_points(string) + 1;
}

// The string whose grid carries the points: the only one, or the finer.
static int along_side(const JwWorld* world, const JwContact* contact) {
  const JwObject* const a = side_object(world, contact, 0);
  const JwObject* const b = side_object(world, contact, 1);
  if (!is_string(a)) {
    return 1;
  }
  return is_string(b) && along_intervals(b) > along_intervals(a) ? 1 : 0;
}

// First and last grid point over the barrier; held ends never touch.
static void along_range(const JwWorld* world, const JwContact* contact, uint32_t* first,
                        uint32_t* last) {
  const int side = along_side(world, contact);
  const uint32_t intervals = along_intervals(side_object(world, contact, side));
  const JwObject* const other = side_object(world, contact, 1 - side);
  const double from = is_rigid(other) ? other->def.barrier.from : 0.0;
  const double to = is_rigid(other) ? other->def.barrier.to : 1.0;
  *first = (uint32_t)ceil(from * intervals - 1e-9);
  *last = (uint32_t)floor(to * intervals + 1e-9);
  *first = *first < 1 ? 1 : *first;
  *last = *last > intervals - 1 ? intervals - 1 : *last;
}

static uint32_t along_places(const JwWorld* world, const JwContact* contact) {
  uint32_t first, last;
  along_range(world, contact, &first, &last);
  return last >= first ? last - first + 1 : 0;
}

uint32_t jw_contact_points(const JwWorld* world, JwContact* contact) {
  if (!contact->along) {
    return 1;
  }
  contact->place_count = along_places(world, contact);
  contact->place_side = along_side(world, contact);
  return contact->grouped && contact->place_count ? 1 : contact->place_count;
}

void jw_contact_layout(JwWorld* world, JwContact* contact, JwArena* arena, JwArena* state) {
  contact->bar = NULL;
  contact->at = NULL;
  if (contact->grouped) {
    jw_group_layout(world, contact, arena, state);
    return;
  }
  const JwObject* const string =
      contact->along ? side_object(world, contact, along_side(world, contact)) : NULL;
  const bool watch = string && jw_along_possible(contact);
  contact->bar = watch ? JW_TAKE(arena, string->size, double) : NULL;
  contact->at = watch ? JW_TAKE(arena, string->size, uint32_t) : NULL;
  contact->touching.records = watch ? JW_TAKE(arena, 1, JwRecords) : NULL;
  contact->touching.four = watch ? JW_TAKE(arena, (contact->point_count + 3) / 4, JwFour) : NULL;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    JwSide sides[2] = {{0}};
    for (int s = 0; s < 2; ++s) {
      JwObject* const object = side_object(world, contact, s);
      sides[s].object = object && object->size ? object : NULL;
      jw_side_layout(&sides[s], arena);
    }
    JwPointState* const point_state = JW_TAKE(state, 1, JwPointState);
    if (world->points) {
      JwPoint* const point = &world->points[contact->first_point + i];
      point->side[0] = sides[0];
      point->side[1] = sides[1];
      point->step.state = point_state;
    }
  }
}

JW_REALTIME void jw_contact_offset(JwWorld* world, const JwContact* contact) {
  double zero[2];
  for (int s = 0; s < 2; ++s) {
    const JwObject* const object = side_object(world, contact, s);
    zero[s] = object ? jw_object_zero(object) : 0.0;
  }
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    JwPoint* const point = &world->points[contact->first_point + i];
    point->offset = (zero[0] - zero[1]) + point->profile - contact->gap;
  }
}

// Height of something rigid under the place x of the other side (m).
static double rigid_height(const JwWorld* world, const JwContact* contact, int side, double x) {
  const JwObject* const rigid = side_object(world, contact, side);
  const JwObject* const other = side_object(world, contact, 1 - side);
  if (!is_rigid(rigid)) {
    return 0.0;
  }
  return rigid->ops->profile(rigid, is_string(other) ? x * other->def.string.length : 0.0);
}

static void place_point(const JwWorld* world, const JwContact* contact, JwPoint* point,
                        uint32_t index) {
  JwPort ports[2] = {contact->port[0], contact->port[1]};
  point->step.scale = 1.0;
  if (contact->along) {
    const int side = along_side(world, contact);
    const JwObject* const string = side_object(world, contact, side);
    uint32_t first, last;
    along_range(world, contact, &first, &last);
    const uint32_t intervals = along_intervals(string);
    ports[0].x = ports[1].x = (double)(first + index) / intervals;
    ports[side].reading = JW_READ_NEAREST;
    const JwObject* const other = side_object(world, contact, 1 - side);
    if (is_string(other) && along_intervals(other) == intervals) {
      ports[1 - side].reading =
          JW_READ_NEAREST; // i/n n is not always i: no neighbour may get 1e-16
    }
    point->step.scale = string->def.string.length / intervals;
  }
  for (int s = 0; s < 2; ++s) {
    jw_side_weigh(&point->side[s], &ports[s]);
    point->position[s] = ports[s].x;
  }
  point->profile =
      rigid_height(world, contact, 0, ports[1].x) - rigid_height(world, contact, 1, ports[0].x);
  point->step.q = jw_point_compliance(point, point);
}

void jw_contact_setup(JwWorld* world, JwContact* contact) {
  const bool lumped =
      is_lumped(side_object(world, contact, 0)) && is_lumped(side_object(world, contact, 1));
  if (lumped && contact->law.rule == JW_RULE_REFINED) {
    jw_orbit_fill(contact->law.orbit, contact->law.exponent);
  }
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    JwPoint* const point = &world->points[contact->first_point + i];
    point->contact = (uint32_t)(contact - jw_contact_at(world, 0));
    point->ops = contact->grouped ? &jw_group_ops : jw_law_ops(contact->kind);
    point->step.law = &contact->law;
    point->step.figures = world->points[contact->first_point].step.state;
    point->step.lumped = lumped;
    point->step.pressed_by =
        contact->pressed_by
            ? world->points[jw_contact_at(world, contact->pressed_by - 1)->first_point].step.state
            : NULL;
  }
  jw_contact_place(world, contact);
}

// Places of a group: heights, and where or with which shape the string is read.
static void place_group(const JwWorld* world, const JwContact* contact, JwPoint* point) {
  JwGroup* const group = point->group;
  const int side = contact->place_side;
  const JwObject* const string = side_object(world, contact, side);
  uint32_t first, last;
  along_range(world, contact, &first, &last);
  const uint32_t intervals = along_intervals(string);
  point->step.scale = string->def.string.length / intervals;
  point->side[side].first = string->dense ? 0 : first;
  for (uint32_t i = 0; i < group->count; ++i) {
    const double x = (double)(first + i) / intervals;
    const JwPort port = {contact->port[side].object, x, 0.0, JW_READ_NEAREST, 0.0};
    JwWeights weights = point->side[side].weights; // The offsets serve as scratch
    double one;
    weights.weight = string->dense ? group->shape + (size_t)i * string->dofs : &one;
    string->ops->weigh(string, &port, &weights);
    if (!string->dense) {
      group->offset[i] = weights.offset[0];
    }
    group->height[i] = rigid_height(world, contact, 1 - side, x) * (side ? 1.0 : -1.0);
  }
  JwSide* const places = &point->side[side];
  places->carries = string->carries_step;
  places->weights.count = string->dense ? string->dofs : group->count;
  for (uint32_t i = 0; !string->dense && i < group->count; ++i) {
    places->weights.offset[i] = group->offset[i];
  }
}

JW_REALTIME void jw_contact_place(JwWorld* world, JwContact* contact) {
  if (contact->grouped) {
    place_group(world, contact, &world->points[contact->first_point]);
  }
  for (uint32_t i = 0; i < contact->point_count && !contact->grouped; ++i) {
    place_point(world, contact, &world->points[contact->first_point + i], i);
  }
  jw_contact_offset(world, contact);
}
