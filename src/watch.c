// SPDX-License-Identifier: MIT
// Contacts along a string over something rigid, looked at all at once.
//
// Most points of such a contact are open in most samples.  Each is an island of its own, so whether
// it may push depends on its own penetration and psi alone, and one sweep over the string finds
// those that may: u beyond `bar` as seen from where sign points, with bar
//
//   -sign rest       where a point is open and empty: its penetration is sign u + rest
//   -sign infinity   where the next step must look whatever u is: closed now, or psi left over
//    sign infinity   where there is no point, or where it is at hand already (touch.c)
//
// in the layout of the string.  Only points so found are read and solved: the motion is the same to
// the bit as without this file, since a sum that rounds to more than zero is more than zero.
//
// Tested by test_watch.c.

#include "kernel/lanes.h"
#include "world.h"

#include <math.h>

static bool quick(const JwContact* contact) {
  const JwRule rule = contact->law.rule;
  return contact->kind == JW_KIND_COLLISION
         && (rule == JW_RULE_BOUNDED || rule == JW_RULE_PLAIN || rule == JW_RULE_RELEASED);
}

bool jw_watch_possible(const JwContact* contact) {
  return contact->along && quick(contact);
}

/// The side that is a grid string when the other does not move, or -1.
static int watched_side(const JwPoint* point) {
  const int side = point->side[0].object ? 0 : 1;
  const JwSide* const moving = &point->side[side];
  const bool alone = moving->object && !moving->object->dense && !point->side[1 - side].object;
  return alone && moving->weights.count == 1 && moving->weights.weight[0] == 1.0 ? side : -1;
}

JW_REALTIME void jw_watch_point(const JwContact* contact, uint32_t offset, const JwPoint* point) {
  const JwPointState* const state = point->step.state;
  const bool empty = !point->closed && state->psi == 0.0 && state->closure == 0;
  contact->bar[offset] = -contact->sign * (empty ? point->rest : HUGE_VAL);
}

static bool heard(const JwWorld* world, const JwComponent* component, uint32_t contact) {
  for (uint32_t i = 0; i < component->pickup_count; ++i) {
    const JwPickupDef* const def = &jw_pickup_at(world, component->pickups[i])->def;
    if (def->quantity == JW_QUANTITY_FORCE && def->contact.index == contact + 1) {
      return true;
    }
  }
  return false;
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

static void watch_contact(JwWorld* world, JwComponent* component, JwContact* contact) {
  contact->string = NULL;
  if (is_shifted(world, contact)) {
    component->stale = true; // Looked at again in the next frame
    return;
  }
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const uint32_t index = contact->first_point + i;
    JwPoint* const point = &world->points[index];
    const int side = watched_side(point);
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
    jw_watch_point(contact, offset, point);
    contact->at[offset] = index;
    point->step.figures = world->points[contact->first_point].step.state;
    component->islands[point->island].watched = true;
  }
  if (contact->string) {
    look_on_the_way(contact);
    const uint32_t index = (uint32_t)(contact - jw_contact_at(world, 0));
    contact->heard = heard(world, component, index);
    component->watched[component->watched_count++] = index;
  }
}

JW_REALTIME void jw_watch_build(JwWorld* world, JwComponent* component) {
  component->watched_count = component->plain_count = 0;
  component->stale = false;
  for (uint32_t i = 0; i < component->island_count; ++i) {
    component->islands[i].watched = false;
  }
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = jw_object_at(world, component->objects[i]);
    if (object->ops->kind == JW_KIND_STRING && !object->dense) {
      object->grid.string.kernel.bar = NULL;
    }
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = &world->points[component->points[i]];
    point->quick = !point->group && quick(jw_contact_at(world, point->contact));
    point->step.figures = point->step.state;
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    if (&world->components[contact->component] == component && contact->bar) {
      watch_contact(world, component, contact);
    }
  }
  for (uint32_t i = 0; i < component->island_count; ++i) {
    if (!component->islands[i].watched) {
      component->plain[component->plain_count++] = i;
    }
  }
}

// ---------------------------------------------------------------- one step

JW_REALTIME void jw_watch_step(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->watched_count; ++i) {
    JwContact* const contact = jw_contact_at(world, component->watched[i]);
    if (!contact->beyond && !contact->touching.count) {
      continue;
    }
    const JwObject* const string = contact->string;
    const JwLanes* const lanes = string->grid.string.kernel.lanes;
    uint32_t hits = 0;
    if (contact->beyond) {
      hits = lanes->over(string->size, contact->sign, string->now, contact->bar, component->hits);
    }
    jw_touch_step(world, contact, component->hits, hits);
  }
}

JW_REALTIME void jw_watch_pause(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->watched_count; ++i) {
    jw_touch_end(world, jw_contact_at(world, component->watched[i]));
  }
}
