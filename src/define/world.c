// SPDX-License-Identifier: MIT
// A world: create, destroy, and what adding to it shares.

#include "define/define.h"

#include "listen/listen.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Where there is no world to keep the sentence: one a thread.
static _Thread_local char homeless[JW_ERROR_SIZE] = "no world";

JwStatus jw_world_fail(JwWorld* world, JwStatus status, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(world ? world->error : homeless, JW_ERROR_SIZE, format, args);
  va_end(args);
  return status;
}

const char* jw_world_error(const JwWorld* world) {
  return world ? world->error : homeless;
}

JwStatus jw_world_create(const JwWorldDef* def, JwWorld** out) {
  if (!out) {
    return jw_world_fail(NULL, JW_STATUS_BAD_VALUE, "world: there is no place for it");
  }
  *out = NULL;
  char error[JW_ERROR_SIZE];
  const JwStatus status = jw_params_check(JW_KIND_WORLD, def, error);
  if (status) {
    return jw_world_fail(NULL, status, "world: %.400s", error);
  }
  const bool reflects = def->room[0] == def->room[0] && def->channels && !def->unscaled;
  if (reflects && !jw_room_check(def, error)) {
    return jw_world_fail(NULL, JW_STATUS_BAD_VALUE, "world: %.400s", error);
  }
  if (!def->allocator.allocate || !def->allocator.release) {
    return jw_world_fail(NULL, JW_STATUS_BAD_VALUE, "world: its allocator has no %s",
                         def->allocator.allocate ? "release" : "allocate");
  }
  JwWorld* const world = (JwWorld*)def->allocator.allocate(def->allocator.user, sizeof(JwWorld));
  if (!world) {
    return jw_world_fail(NULL, JW_STATUS_NO_MEMORY, "no memory for a world");
  }
  world->def = *def;
  world->k = 1.0 / def->sample_rate;
  world->identity = 0xcbf29ce484222325u;
  jw_identify_def(world, JW_KIND_WORLD, def);
  if (reflects) {
    world->room = (JwRoom*)def->allocator.allocate(def->allocator.user, sizeof(JwRoom));
    if (!world->room) {
      jw_world_destroy(world);
      return jw_world_fail(NULL, JW_STATUS_NO_MEMORY, "no memory for a world");
    }
    jw_room_lay(def, world->room);
  }
  *out = world;
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- adding

JwStatus jw_no_memory(JwWorld* world) {
  return jw_world_fail(world, JW_STATUS_NO_MEMORY, "no memory");
}

JwStatus jw_no_world(void) {
  return jw_world_fail(NULL, JW_STATUS_BAD_VALUE, "no world");
}

// Its first field, but for initial states, which have no name.
const char* jw_define_name_of(JwKind kind, const void* def) {
  const char* const name = def && kind != JW_KIND_INITIAL ? *(const char* const*)def : NULL;
  return name ? name : "";
}

JwStatus jw_define_refuse(JwWorld* world, JwStatus status, JwKind kind, const void* def,
                          const char* error) {
  return jw_world_fail(world, status, "%s '%.60s': %.400s", jw_kind_name(kind),
                       jw_define_name_of(kind, def), error);
}

// Checks that all kinds share: there, not too late, fields in range, a name to speak of.
JwStatus jw_define_begin(JwWorld* world, JwKind kind, const void* def) {
  if (!world) {
    return jw_no_world();
  }
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "%s '%.60s' added after prepare",
                         jw_kind_name(kind), jw_define_name_of(kind, def));
  }
  char error[JW_ERROR_SIZE];
  const JwStatus status = jw_params_check(kind, def, error);
  return status ? jw_define_refuse(world, status, kind, def, error) : JW_STATUS_OK;
}

JwStatus jw_define_name(JwWorld* world, const char* name, char** copy) {
  *copy = (char*)jw_copy(&world->def.allocator, name ? name : "", name ? strlen(name) + 1 : 1, 1);
  return *copy ? JW_STATUS_OK : jw_no_memory(world);
}

// Copy an array of a definition; an empty one stays NULL.
JwStatus jw_define_array(JwWorld* world, const void* source, uint64_t count, size_t size,
                         const void** copy) {
  *copy = jw_copy(&world->def.allocator, source, count, size);
  return *copy || !source || !count ? JW_STATUS_OK : jw_no_memory(world);
}

static bool is_fraction(double x) {
  return x >= 0.0 && x <= 1.0;
}

JwStatus jw_port_check(JwWorld* world, const JwPort* port, const char* what) {
  if (port->object.index == 0 || port->object.index > world->objects.count) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: object %u does not exist", what,
                         port->object.index);
  }
  const JwObject* const object = jw_object_at(world, port->object.index - 1);
  if ((int)port->reading < 0 || port->reading > JW_READ_CUBIC) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: reading is %d, must be from 0 to 2", what,
                         (int)port->reading);
  }
  if (!(fabs(port->degrees) <= 180.0)
      || (port->degrees != 0.0 && jw_object_directions(object) < 2)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         jw_object_directions(object) < 2
                             ? "%s: degrees on '%s' is %g, must be 0: it moves in one direction"
                             : "%s: degrees on '%s' is %g, must be from -180 to 180",
                         what, object->name, port->degrees);
  }
  const uint32_t rows = object->ops->places == JW_PLACES_ROWS ? object->def.modal.shape_count : 0;
  switch (object->ops->places) {
  case JW_PLACES_NONE: break;
  case JW_PLACES_ROWS:
    if (!(port->x >= 0.0 && port->x < rows && port->x == floor(port->x))) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "%s: x on '%s' is %g, must be a shape from 0 to %u", what, object->name,
                           port->x, rows - 1);
    }
    break;
  case JW_PLACES_LINE:
    if (!is_fraction(port->x)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: x on '%s' is %g, must be from 0 to 1",
                           what, object->name, port->x);
    }
    break;
  case JW_PLACES_PLANE:
    if (!(is_fraction(port->x) && is_fraction(port->y))) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "%s: place on '%s' is %g, %g, must be from 0 to 1", what, object->name,
                           port->x, port->y);
    }
    break;
  }
  return JW_STATUS_OK;
}

bool jw_port_can_move(const JwWorld* world, JwPort port) {
  return port.object.index && jw_object_at(world, port.object.index - 1)->dofs > 0;
}

// ---------------------------------------------------------------- the end

void jw_world_destroy(JwWorld* world) {
  if (!world) {
    return;
  }
  assert(!atomic_load(&world->running)); // By another thread: see docs/threads.md
  const JwAllocator a = world->def.allocator;
  if (world->prepared && world->threads) {
    jw_pool_stop(world->threads);
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    jw_object_free(world, jw_object_at(world, i));
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    a.release(a.user, jw_contact_at(world, i)->name);
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    a.release(a.user, jw_force_at(world, i)->name);
    if (jw_force_at(world, i)->signal) {
      a.release(a.user, jw_force_at(world, i)->signal);
    }
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    a.release(a.user, jw_pickup_at(world, i)->name);
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    a.release(a.user, JW_AT(world->curves, JwCurve, i)->points);
  }
  JwList* const lists[] = {&world->objects, &world->contacts, &world->forces, &world->initials,
                           &world->pickups, &world->curves,   &world->throws};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
    jw_list_free(lists[i], &a);
  }
  if (world->room) {
    a.release(a.user, world->room);
  }
  if (world->memory) {
    a.release(a.user, world->memory);
  }
  a.release(a.user, world);
}
