// SPDX-License-Identifier: MIT
// Adding forces, initial states, pickups, curves and throws.

#include "define/define.h"

#include "change/change.h"

#include <math.h>
#include <stdio.h>

JwStatus jw_world_add_force(JwWorld* world, const JwForceDef* def, JwExciterId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_FORCE, def);
  if (status) {
    return status;
  }
  char what[96];
  snprintf(what, sizeof what, "force '%.60s'", def->name ? def->name : "");
  status = jw_port_check(world, &def->port, what);
  if (status) {
    return status;
  }
  if (!jw_port_can_move(world, def->port)) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: its object cannot move", what);
  }
  if (def->shape == JW_FORCE_SIGNAL && (!def->signal || !def->signal_count)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: its signal is empty", what);
  }
  for (uint32_t i = 0; def->shape == JW_FORCE_SIGNAL && i < def->signal_count; ++i) {
    if (!isfinite(def->signal[i])) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: sample %u of its signal is not finite",
                           what, i);
    }
  }
  JwForce* const force =
      (JwForce*)jw_list_add(&world->forces, &world->def.allocator, sizeof(JwForce));
  if (!force) {
    return jw_no_memory(world);
  }
  force->def = *def;
  const void* signal = NULL;
  status = jw_define_name(world, def->name, &force->name);
  status = status ? status
                  : jw_define_array(world, def->signal,
                                    def->shape == JW_FORCE_SIGNAL ? def->signal_count : 0,
                                    sizeof(float), &signal);
  force->signal = (float*)(uintptr_t)signal;
  if (status) {
    if (force->name) {
      world->def.allocator.release(world->def.allocator.user, force->name);
    }
    --world->forces.count;
    return status;
  }
  jw_identify_def(world, JW_KIND_FORCE, def);
  jw_identify_port(world, def->port);
  jw_identify(world, force->signal, force->signal ? def->signal_count : 0, sizeof(float));
  if (id) {
    id->index = world->forces.count;
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_initial(JwWorld* world, const JwInitialDef* def) {
  const JwStatus status = jw_define_begin(world, JW_KIND_INITIAL, def);
  if (status) {
    return status;
  }
  if (def->object.index == 0 || def->object.index > world->objects.count) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "initial: object %u does not exist",
                         def->object.index);
  }
  const JwObject* const object = jw_object_at(world, def->object.index - 1);
  if (object->ops->places < JW_PLACES_LINE) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "initial: '%s' is a %s, must be a string or a plate", object->name,
                         jw_kind_name(object->ops->kind));
  }
  if (def->degrees != 0.0 && jw_object_directions(object) < 2) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "initial: degrees on '%s' is %g, must be 0: it moves in one direction",
                         object->name, def->degrees);
  }
  JwInitialDef* const item =
      (JwInitialDef*)jw_list_add(&world->initials, &world->def.allocator, sizeof(JwInitialDef));
  if (!item) {
    return jw_no_memory(world);
  }
  *item = *def;
  jw_identify_def(world, JW_KIND_INITIAL, def);
  jw_identify(world, &def->object, 1, sizeof def->object);
  return JW_STATUS_OK;
}

JwStatus jw_world_add_pickup(JwWorld* world, const JwPickupDef* def, JwPickupId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_PICKUP, def);
  if (status) {
    return status;
  }
  char what[96];
  snprintf(what, sizeof what, "pickup '%.60s'", def->name ? def->name : "");
  if (def->quantity == JW_QUANTITY_FORCE) {
    if (def->contact.index == 0 || def->contact.index > world->contacts.count) {
      return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: contact %u does not exist", what,
                           def->contact.index);
    }
  } else {
    status = jw_port_check(world, &def->port, what);
    if (status) {
      return status;
    }
    if (!jw_port_can_move(world, def->port)) {
      return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: its object cannot move", what);
    }
  }
  JwPickup* const pickup =
      (JwPickup*)jw_list_add(&world->pickups, &world->def.allocator, sizeof(JwPickup));
  if (!pickup) {
    return jw_no_memory(world);
  }
  pickup->def = *def;
  if (jw_define_name(world, def->name, &pickup->name)) {
    --world->pickups.count;
    return JW_STATUS_NO_MEMORY;
  }
  const bool force = def->quantity == JW_QUANTITY_FORCE;
  jw_identify_def(world, JW_KIND_PICKUP, def);
  jw_identify_port(world, force ? (JwPort){.reading = JW_READ_NEAREST} : def->port);
  jw_identify(world, &def->contact, force, sizeof def->contact);
  if (id) {
    id->index = world->pickups.count;
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_curve(JwWorld* world, JwTarget target, const JwBreakpoint* points,
                            uint32_t count) {
  if (!world) {
    return jw_no_world();
  }
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "curve added after prepare");
  }
  if (!points || count == 0 || count > 10000000) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "curve: it has %u points, must be from 1 to 10000000", points ? count : 0);
  }
  if (jw_slot_index(world, target) == JW_NONE) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "curve: its target has no such control");
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    if (jw_slot_index(world, JW_AT(world->curves, JwCurve, i)->target)
        == jw_slot_index(world, target)) {
      return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "curve: its target has a curve already");
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    const bool rises = i == 0 || points[i].time > points[i - 1].time;
    if (!rises || !(fabs(points[i].time) <= 1e9)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "curve: time %u is %g s, must be above the one before it", i,
                           points[i].time);
    }
    if (!jw_slot_valid(world, target, points[i].value)) {
      double range[2] = {0.0, 0.0};
      (void)!jw_world_control_range(world, target, range);
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "curve: value %u is %g, must be from %g to %g", i, points[i].value,
                           range[0], range[1]);
    }
  }
  JwCurve* const curve =
      (JwCurve*)jw_list_add(&world->curves, &world->def.allocator, sizeof(JwCurve));
  if (!curve) {
    return jw_no_memory(world);
  }
  curve->target = target;
  curve->count = count;
  curve->points =
      (JwBreakpoint*)jw_copy(&world->def.allocator, points, count, sizeof(JwBreakpoint));
  if (!curve->points) {
    --world->curves.count;
    return jw_no_memory(world);
  }
  const uint32_t numbers[5] = {(uint32_t)target.control, target.object.index, target.contact.index,
                               target.exciter.index, target.pickup.index};
  jw_identify(world, numbers, 5, sizeof numbers[0]);
  jw_identify(world, points, count, sizeof *points);
  return JW_STATUS_OK;
}

JwStatus jw_world_add_throw(JwWorld* world, JwObjectId mass, double time,
                            const double position_and_velocity[2]) {
  if (!world) {
    return jw_no_world();
  }
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "throw added after prepare");
  }
  if (mass.index == 0 || mass.index > world->objects.count
      || !jw_object_can_be_thrown(jw_object_at(world, mass.index - 1))) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "throw: object %u is not a mass",
                         mass.index);
  }
  if (!position_and_velocity) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "throw: it has no position and velocity");
  }
  const double position = position_and_velocity[0], velocity = position_and_velocity[1];
  if (!(time >= 0.0 && time <= 1e6 && fabs(position) <= 1e6 && fabs(velocity) <= 1e6)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "throw: time %g s, position %g m, velocity %g m/s must lie within 1e6",
                         time, position, velocity);
  }
  JwThrow* const item =
      (JwThrow*)jw_list_add(&world->throws, &world->def.allocator, sizeof(JwThrow));
  if (!item) {
    return jw_no_memory(world);
  }
  const JwThrow throw_item = {mass.index - 1, (uint64_t)ceil(jw_frames_of(world, time)), position,
                              velocity};
  *item = throw_item;
  const double numbers[4] = {mass.index, time, position, velocity};
  jw_identify(world, numbers, 4, sizeof numbers[0]);
  return JW_STATUS_OK;
}
