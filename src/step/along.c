// SPDX-License-Identifier: MIT
// Contacts along a string over something rigid, looked at all at once.
//
// Most points of such a contact are open in most samples.  Each is an island of its own, so whether
// it may push depends on its own penetration and psi alone, and one sweep over the string finds
// those that may: u beyond `bar` as seen from where sign points, with bar
//
//   -sign offset     where a point is open and empty: its penetration is sign u + offset
//   -sign infinity   where the next step must look whatever u is: closed now, or psi left over
//    sign infinity   where there is no point, or where it is at hand already (along_lanes.c)
//
// in the layout of the string.  Only points so found are read and solved: the motion is the same to
// the bit as without this file, since a sum that rounds to more than zero is more than zero.
//
// Tested by test_along.c.

#include "kernel/lanes.h"
#include "step/step.h"

#include <math.h>

bool jw_along_possible(const JwContact* contact) {
  return contact->along && contact->law.waits;
}

/// The side that is a grid string when the other does not move, or -1.
static int string_side(const JwPoint* point) {
  const int side = point->side[0].object ? 0 : 1;
  const JwSide* const moving = &point->side[side];
  const bool alone = moving->object && !moving->object->dense && !point->side[1 - side].object;
  return alone && moving->weights.count == 1 && moving->weights.weight[0] == 1.0 ? side : -1;
}

JW_REALTIME void jw_along_bar(const JwContact* contact, uint32_t offset, const JwPoint* point) {
  const JwPointState* const state = point->step.state;
  const bool empty = !point->closed && state->psi == 0.0 && state->closure == 0;
  contact->bar[offset] = -contact->sign * (empty ? point->offset : HUGE_VAL);
}

// The first contact of a string is looked at by the loop that moves it.
static void look_on_the_way(JwContact* contact) {
  JwStringKernel* const kernel = &contact->string->grid.string.kernel;
  contact->beyond = true;
  if (!kernel->bar) {
    kernel->bar = contact->bar;
    kernel->upwards = contact->sign > 0.0;
    kernel->beyond = &contact->beyond;
  }
}

// While a hand moves its wall, every point takes a shift into its step: that is for the general
// step.
static bool is_shifted(const JwWorld* world, const JwContact* contact) {
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    if (world->points[contact->first_point + i].step.state->shift != 0.0) {
      return true;
    }
  }
  return false;
}

static void take_contact(JwWorld* world, JwComponent* component, JwContact* contact) {
  contact->string = NULL;
  if (is_shifted(world, contact)) {
    component->disturbed |= JW_MOVED_OFFSET; // Looked at again in the next frame
    return;
  }
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const uint32_t index = contact->first_point + i;
    JwPoint* const point = &world->points[index];
    const int side = string_side(point);
    if (side < 0 || component->islands[point->island].count != 1) {
      continue;
    }
    if (!contact->string) {
      contact->string = point->side[side].object;
      contact->sign = side ? -1.0 : 1.0;
      for (uint32_t j = 0; j < contact->string->size; ++j) {
        contact->bar[j] = contact->sign * HUGE_VAL;
      }
    }
    const uint32_t offset = point->side[side].weights.offset[0];
    jw_along_bar(contact, offset, point);
    contact->at[offset] = index;
    component->islands[point->island].along = true;
  }
  if (contact->string) {
    look_on_the_way(contact);
    component->along[component->along_count++] = (uint32_t)(contact - jw_contact_at(world, 0));
  }
}

// The string's own loop looks at none of its contacts from now on.
static void look_away(JwContact* contact) {
  if (contact->string) {
    contact->string->grid.string.kernel.bar = NULL;
  }
}

static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  uint32_t contact_points = component->point_count; // Rows of objects that stretch come after them
  while (contact_points && component->points[contact_points - 1]->contact == JW_NONE) {
    --contact_points;
  }
  component->along_count = 0;
  for (uint32_t i = 0; i < component->island_count; ++i) {
    component->islands[i].along = false;
  }
  for (uint32_t i = 0, step; i < contact_points; i += step) {
    JwContact* const contact = jw_contact_at(world, component->points[i]->contact);
    step = contact->point_count; // They follow each other
    look_away(contact);
  }
  for (uint32_t i = 0, step; i < contact_points; i += step) {
    JwContact* const contact = jw_contact_at(world, component->points[i]->contact);
    step = contact->point_count;
    if (contact->bar) {
      take_contact(world, component, contact);
    }
  }
  return component->along_count > 0;
}

// ---------------------------------------------------------------- one step

static JW_REALTIME void step(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->along_count; ++i) {
    JwContact* const contact = jw_contact_at(world, component->along[i]);
    if (!contact->beyond && !contact->touching.count) {
      continue;
    }
    const JwObject* const string = contact->string;
    const JwLanes* const lanes = string->grid.string.kernel.lanes;
    uint32_t hits = 0;
    if (contact->beyond) {
      hits = lanes->over(string->size, contact->sign, string->level[JW_NOW], contact->bar,
                         component->hits);
    }
    jw_along_touch(world, contact, component->hits, hits);
  }
}

static JW_REALTIME void leave(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->along_count; ++i) {
    jw_along_leave(world, jw_contact_at(world, component->along[i]));
  }
}

const JwStage jw_along_stage = {"along", enter, step, leave};
