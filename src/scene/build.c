// SPDX-License-Identifier: MIT
// From a scene to a world.  The engine has the last word: what it refuses is noted at the part's
// place.

#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A port with its object's id; false if the object was refused.
static bool resolve(const JwScenePort* port, JwPort* out) {
  if (!port->object || port->object->object.index == 0) {
    return false;
  }
  *out = port->port;
  out->object = port->object->object;
  return true;
}

static JwStatus add_object(JwWorld* world, JwItem* item) {
  JwAnyDef def = item->def;
  switch (item->kind) {
  case JW_KIND_MASS:
    def.mass.name = item->name;
    return jw_world_add_mass(world, &def.mass, &item->object);
  case JW_KIND_STRING:
    def.string.name = item->name;
    return jw_world_add_string(world, &def.string, &item->object);
  case JW_KIND_PLATE:
    def.plate.name = item->name;
    return jw_world_add_plate(world, &def.plate, &item->object);
  case JW_KIND_MODAL:
    def.modal.name = item->name;
    return jw_world_add_modal(world, &def.modal, &item->object);
  default:
    def.barrier.name = item->name;
    return jw_world_add_barrier(world, &def.barrier, &item->object);
  }
}

static JwStatus add_contact(JwWorld* world, JwItem* item, const JwPort ports[2]) {
  JwAnyDef def = item->def;
  switch (item->kind) {
  case JW_KIND_COLLISION:
    def.collision.name = item->name;
    def.collision.below = ports[0];
    def.collision.above = ports[1];
    return jw_world_add_collision(world, &def.collision, &item->contact);
  case JW_KIND_CONNECTION:
    def.connection.name = item->name;
    def.connection.a = ports[0];
    def.connection.b = ports[1];
    return jw_world_add_connection(world, &def.connection, &item->contact);
  case JW_KIND_SPRING:
    def.spring.name = item->name;
    def.spring.a = ports[0];
    def.spring.b = ports[1];
    return jw_world_add_spring(world, &def.spring, &item->contact);
  case JW_KIND_FRICTION:
    def.friction.name = item->name;
    def.friction.a = ports[0];
    def.friction.b = ports[1];
    def.friction.pressed_by = item->heard ? item->heard->contact : (JwContactId){0};
    return jw_world_add_friction(world, &def.friction, &item->contact);
  default:
    def.bow.name = item->name;
    def.bow.port = ports[0];
    return jw_world_add_bow(world, &def.bow, &item->contact);
  }
}

static JwStatus add_pickup(JwWorld* world, JwItem* item, JwPort port) {
  JwPickupDef def = item->def.pickup;
  def.name = item->name;
  def.port = port;
  def.contact = item->heard ? item->heard->contact : (JwContactId){0};
  return jw_world_add_pickup(world, &def, &item->pickup);
}

static JwStatus add_item(JwWorld* world, JwItem* item) {
  JwPort ports[2] = {{.reading = JW_READ_LINEAR}, {.reading = JW_READ_LINEAR}};
  if (jw_kind_is_object(item->kind)) {
    return add_object(world, item);
  }
  const bool pair = jw_kind_is_contact(item->kind) && item->kind != JW_KIND_BOW;
  const bool listens = item->kind == JW_KIND_PICKUP && item->heard;
  if ((!listens && !resolve(&item->ports[0], &ports[0]))
      || (pair && !resolve(&item->ports[1], &ports[1]))
      || (item->heard && item->heard->contact.index == 0)) {
    return JW_STATUS_OK; // It hangs on something refused before: that error is enough
  }
  if (jw_kind_is_contact(item->kind)) {
    return add_contact(world, item, ports);
  }
  if (item->kind == JW_KIND_PICKUP) {
    return add_pickup(world, item, ports[0]);
  }
  JwAnyDef def = item->def;
  if (item->kind == JW_KIND_INITIAL) {
    def.initial.object = ports[0].object;
    return jw_world_add_initial(world, &def.initial);
  }
  def.force.name = item->name;
  def.force.port = ports[0];
  return jw_world_add_force(world, &def.force, &item->exciter);
}

/// Note what the world had to say about a part; false without memory.
static bool note(JwScene* scene, const JwWorld* world, JwPlace place, JwStatus status) {
  if (status == JW_STATUS_NO_MEMORY) {
    return false;
  }
  if (status) {
    const char* const sentence = jw_world_error(world);
    jw_scene_error(scene, place, "%s", sentence[0] ? sentence : jw_status_name(status));
  }
  return true;
}

/// The key of a number that moves, for messages.
static const char* control_key(const JwItem* item, JwControl control) {
  uint32_t count = 0;
  const JwParam* const params = jw_params(item->kind, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (jw_form_control(item->kind, params[i].key) == control) {
      return params[i].key;
    }
  }
  return control == JW_CONTROL_X || control == JW_CONTROL_X2 ? "x" : "y";
}

static bool is_pitch(JwControl control) {
  return control == JW_CONTROL_TENSION || control == JW_CONTROL_FREQUENCY
         || control == JW_CONTROL_CENTS;
}

/// What a number is before anything moves it, where only the world knows it.
static double value_at_first(const JwWorld* world, const JwItem* item, JwControl control) {
  const JwObjectInfo info = jw_world_object_info(world, item->object);
  return control == JW_CONTROL_TENSION ? info.tension : info.fundamental;
}

/// Note the first point that is out of its range, where it is written; true if there is none.
static bool check_curve(JwScene* scene, const JwWorld* world, const JwItem* item,
                        const JwCurve* curve, const JwTarget* target, const JwBreakpoint* points) {
  double range[2];
  const char* const key = control_key(item, curve->control);
  if (jw_world_control_range(world, *target, range)) {
    const bool modes = item->kind == JW_KIND_STRING;
    jw_scene_error(scene, curve->notes[curve->count - 1].place, "\"%s\" of this %s cannot move%s",
                   key, jw_kind_name(item->kind),
                   modes ? ": it is computed by modes; \"method\": \"grid\" can" : "");
    return false;
  }
  for (uint32_t i = 0; i < curve->count; ++i) {
    const double slack = 1e-9 * (fabs(range[0]) + fabs(range[1]));
    if (points[i].value >= range[0] - slack && points[i].value <= range[1] + slack) {
      continue;
    }
    char bend[96] = "";
    if (is_pitch(curve->control)) {
      snprintf(bend, sizeof bend, ": the tension may rise by \"bend\", which is %.15g",
               item->def.string.bend);
    }
    jw_scene_error(scene, curve->notes[i].place, "\"%s\" is %.6g, must be from %.6g to %.6g%s", key,
                   points[i].value, range[0], range[1], bend);
    return false;
  }
  return true;
}

/// Two of tension, frequency and cents move one number.
static bool moves_twice(JwScene* scene, const JwItem* item, const JwCurve* curve) {
  for (const JwCurve* other = curve->next; other && is_pitch(curve->control); other = other->next) {
    if (is_pitch(other->control)) {
      jw_scene_error(scene, curve->notes[curve->count - 1].place,
                     "\"%s\" and \"%s\" of a string are one number: move one of them",
                     control_key(item, curve->control), control_key(item, other->control));
      return true;
    }
  }
  return false;
}

static bool add_curve(JwScene* scene, JwWorld* world, const JwItem* item, JwCurve* curve) {
  const JwTarget target = {curve->control, item->object, item->contact, item->exciter,
                           item->pickup};
  if (!curve->built) {
    curve->built = (JwBreakpoint*)jw_pool_array(&scene->pool, curve->count, sizeof *curve->built);
  }
  JwBreakpoint* const points = curve->built;
  if (!points) {
    return false;
  }
  for (uint32_t i = 0; i < curve->count; ++i) {
    const double held = curve->notes[i].held;
    points[i] = curve->points[i];
    points[i].value += held != 0.0 ? held * value_at_first(world, item, curve->control) : 0.0;
  }
  return moves_twice(scene, item, curve) || !check_curve(scene, world, item, curve, &target, points)
         || note(scene, world, curve->place,
                 jw_world_add_curve(world, target, points, curve->count));
}

static bool add_curves(JwScene* scene, JwWorld* world, const JwItem* item) {
  const bool known =
      item->object.index || item->contact.index || item->exciter.index || item->pickup.index;
  for (JwCurve* curve = item->curves; curve && known; curve = curve->next) {
    if (!add_curve(scene, world, item, curve)) {
      return false;
    }
  }
  return true;
}

static bool add_items(JwScene* scene, JwWorld* world) {
  for (JwItem* item = scene->first; item; item = item->next) {
    item->object = (JwObjectId){0};
    item->contact = (JwContactId){0};
    item->exciter = (JwExciterId){0};
    item->pickup = (JwPickupId){0};
  }
  // Objects first: in an included scene they stand behind contacts of another.
  for (int pass = 0; pass < 2; ++pass) {
    for (JwItem* item = scene->first; item; item = item->next) {
      if (jw_kind_is_object(item->kind) == (pass == 0)
          && (!note(scene, world, item->place, add_item(world, item))
              || !add_curves(scene, world, item))) {
        return false;
      }
    }
  }
  return true;
}

static bool add_throws(JwScene* scene, JwWorld* world) {
  for (const JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    const double motion[2] = {thrown->position, thrown->velocity};
    if (thrown->mass->object.index
        && !note(scene, world, thrown->place,
                 jw_world_add_throw(world, thrown->mass->object, thrown->at, motion))) {
      return false;
    }
  }
  return true;
}

JwStatus jw_scene_build(JwScene* scene, const JwWorldDef* def, JwWorld** world) {
  if (!scene || !world) {
    return JW_STATUS_BAD_VALUE;
  }
  *world = NULL;
  if (!scene->well_written) {
    return JW_STATUS_BAD_SCENE;
  }
  scene->error_count = 0; // Of an earlier build, perhaps at another rate
  const JwPlace start = {0, 0, 1};
  const JwWorldDef own = jw_scene_world(scene);
  JwStatus status = jw_world_create(def ? def : &own, world);
  if (status == JW_STATUS_BAD_VALUE) {
    jw_scene_error(scene, scene->world_place, "%s", jw_world_error(NULL));
    return JW_STATUS_BAD_SCENE;
  }
  if (status) {
    return status;
  }
  JwCost cost;
  if (!add_items(scene, *world) || !add_throws(scene, *world)) {
    status = JW_STATUS_NO_MEMORY;
  } else if (scene->error_count == 0 && !note(scene, *world, start, jw_world_cost(*world, &cost))) {
    status = JW_STATUS_NO_MEMORY;
  }
  if (!status && scene->error_count == 0) {
    jw_check_play(scene, *world);
  }
  if (!status && scene->error_count) {
    status = JW_STATUS_BAD_SCENE;
  }
  if (status) {
    jw_world_destroy(*world);
    *world = NULL;
  }
  return status;
}
