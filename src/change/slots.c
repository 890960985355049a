// SPDX-License-Identifier: MIT
// Slots: which controls each thing has, and what values they take.
//
// Tension, frequency and cents move one number of a string, its tension, and share its slot; the
// line is straight in the one that was asked for.

#include "change/change.h"
#include "object/kinds.h"

#include <math.h>

static uint32_t item_base(const JwWorld* world, JwTarget target) {
  const uint32_t objects = world->objects.count, contacts = world->contacts.count,
                 forces = world->forces.count;
  const int given = (target.object.index != 0) + (target.contact.index != 0)
                    + (target.exciter.index != 0) + (target.pickup.index != 0);
  if (given != 1 || (unsigned)target.control >= JW_CONTROL_COUNT || target.object.index > objects
      || target.contact.index > contacts || target.exciter.index > forces
      || target.pickup.index > world->pickups.count) {
    return JW_NONE;
  }
  if (target.object.index) {
    return target.object.index - 1;
  }
  if (target.contact.index) {
    return objects + target.contact.index - 1;
  }
  if (target.exciter.index) {
    return objects + contacts + target.exciter.index - 1;
  }
  return objects + contacts + forces + target.pickup.index - 1;
}

// Places that are rows of a table have nothing between them.
static bool can_slide(const JwWorld* world, JwPort port) {
  return port.object.index
         && jw_object_at(world, port.object.index - 1)->ops->places != JW_PLACES_ROWS;
}

static bool is_tension(JwControl c) {
  return c == JW_CONTROL_TENSION || c == JW_CONTROL_FREQUENCY || c == JW_CONTROL_CENTS;
}

static bool object_has(const JwObject* object, JwControl c) {
  return (is_tension(c) && object->ops->tighten)
         || (c == JW_CONTROL_POSITION && object->ops->position);
}

static bool contact_has(const JwWorld* world, JwContact* contact, JwControl c) {
  const JwLawOps* const ops = jw_law_ops(contact->kind);
  if (contact->grouped) {
    return false;
  }
  switch (c) {
  case JW_CONTROL_X:
  case JW_CONTROL_Y: return !contact->along && can_slide(world, contact->port[0]);
  case JW_CONTROL_X2:
  case JW_CONTROL_Y2:
    return !contact->along && ops->sides == 2 && can_slide(world, contact->port[1]);
  case JW_CONTROL_GAP: return ops->sides == 2;
  default: return ops->control(&contact->law, c) != NULL;
  }
}

// Which controls each thing has.
static bool has_control(const JwWorld* world, JwTarget target) {
  const JwControl c = target.control;
  const bool place = c == JW_CONTROL_X || c == JW_CONTROL_Y;
  if (target.object.index) {
    return object_has(jw_object_at(world, target.object.index - 1), c);
  }
  if (target.contact.index) {
    return contact_has(world, jw_contact_at(world, target.contact.index - 1), c);
  }
  if (target.exciter.index) {
    return c == JW_CONTROL_FORCE
           || (place && can_slide(world, jw_force_at(world, target.exciter.index - 1)->def.port));
  }
  const JwPickupDef* const pickup = &jw_pickup_at(world, target.pickup.index - 1)->def;
  return c == JW_CONTROL_GAIN || c == JW_CONTROL_PAN
         || (place && pickup->quantity != JW_QUANTITY_FORCE && can_slide(world, pickup->port));
}

uint32_t jw_slot_index(const JwWorld* world, JwTarget target) {
  const uint32_t base = item_base(world, target);
  const JwControl own = is_tension(target.control) ? JW_CONTROL_TENSION : target.control;
  return base == JW_NONE || !has_control(world, target) ? JW_NONE
                                                        : base * JW_CONTROL_COUNT + (uint32_t)own;
}

JW_REALTIME JwTarget jw_slot_target(const JwWorld* world, uint32_t slot) {
  JwTarget target = {(JwControl)(slot % JW_CONTROL_COUNT), {0}, {0}, {0}, {0}};
  uint32_t item = slot / JW_CONTROL_COUNT;
  if (item < world->objects.count) {
    target.object.index = item + 1;
    return target;
  }
  item -= world->objects.count;
  if (item < world->contacts.count) {
    target.contact.index = item + 1;
    return target;
  }
  item -= world->contacts.count;
  if (item < world->forces.count) {
    target.exciter.index = item + 1;
    return target;
  }
  target.pickup.index = item - world->forces.count + 1;
  return target;
}

static bool within(double value, double low, double high) {
  return value >= low && value <= high;
}

// Ends of the range that a parameter table does not state, because they depend on the string.
static void tension_range(const JwObject* string, JwControl scale, double range[2]) {
  const double most = string->info.tension * string->def.string.bend;
  range[0] = jw_string_tension_as(string, scale, 0.0);
  range[1] = jw_string_tension_as(string, scale, most);
}

static void slot_range(const JwWorld* world, JwTarget target, double range[2]) {
  double low = 0.0, high = 0.0;
  switch (target.control) {
  case JW_CONTROL_X:
  case JW_CONTROL_Y:
  case JW_CONTROL_X2:
  case JW_CONTROL_Y2: high = 1.0; break;
  case JW_CONTROL_FORCE: high = 1e6, low = target.contact.index ? 0.0 : -1e6; break;
  case JW_CONTROL_SPEED: high = 1e3, low = -high; break;
  case JW_CONTROL_STIFFNESS:
  case JW_CONTROL_LOSS: high = 1e20; break;
  case JW_CONTROL_GAP:
  case JW_CONTROL_POSITION: high = 1e6, low = -high; break;
  case JW_CONTROL_PAN: high = 1.0, low = -high; break;
  case JW_CONTROL_GAIN: high = 1e12, low = -high; break;
  case JW_CONTROL_TENSION:
  case JW_CONTROL_FREQUENCY:
  case JW_CONTROL_CENTS:
    tension_range(jw_object_at(world, target.object.index - 1), target.control, range);
    return;
  case JW_CONTROL_COUNT: break;
  }
  range[0] = low;
  range[1] = high;
}

JW_REALTIME bool jw_slot_valid(const JwWorld* world, JwTarget target, double value) {
  if (is_tension(target.control)) { // A rounding beyond its bend is no more than a rounding
    const JwObject* const string = jw_object_at(world, target.object.index - 1);
    const double tension = jw_string_tension_of(string, target.control, value);
    return within(tension, 0.0, string->info.tension * string->def.string.bend * (1.0 + 1e-12));
  }
  double range[2];
  slot_range(world, target, range);
  return within(value, range[0], range[1]);
}

JwStatus jw_world_control_range(const JwWorld* world, JwTarget target, double range[2]) {
  if (!world || !range) {
    return JW_STATUS_BAD_VALUE;
  }
  if (jw_slot_index(world, target) == JW_NONE) {
    return JW_STATUS_BAD_REFERENCE;
  }
  slot_range(world, target, range);
  return JW_STATUS_OK;
}
