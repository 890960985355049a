// SPDX-License-Identifier: MIT
// Adding objects: check, copy, plan.  What differs from kind to kind is in its JwObjectOps.

#include "define/define.h"

#include "object/kinds.h"

#include <stdio.h>
#include <string.h>

void jw_object_free(JwWorld* world, JwObject* object) {
  const JwAllocator* const a = &world->def.allocator;
  JwOwned owned[JW_MOST_OWNED];
  const uint32_t count = object->ops->arrays ? object->ops->arrays(&object->def, owned) : 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (*owned[i].place) {
      a->release(a->user, (void*)(uintptr_t)*owned[i].place);
    }
  }
  if (object->name) {
    a->release(a->user, object->name);
  }
}

// The object's own copies of the arrays that its definition points at.
static JwStatus copy_arrays(JwWorld* world, JwObject* object) {
  JwOwned owned[JW_MOST_OWNED];
  const uint32_t count = object->ops->arrays ? object->ops->arrays(&object->def, owned) : 0;
  const void* source[JW_MOST_OWNED];
  for (uint32_t i = 0; i < count; ++i) { // First, so that a failure leaves nothing of the user's
    source[i] = *owned[i].place;
    *owned[i].place = NULL;
  }
  JwStatus status = JW_STATUS_OK;
  for (uint32_t i = 0; i < count && !status; ++i) {
    status = jw_define_array(world, source[i], owned[i].count, owned[i].size, owned[i].place);
  }
  return status;
}

static void identify(JwWorld* world, JwObject* object) {
  JwOwned owned[JW_MOST_OWNED];
  const uint32_t count = object->ops->arrays ? object->ops->arrays(&object->def, owned) : 0;
  jw_identify_def(world, object->ops->kind, &object->def);
  for (uint32_t i = 0; i < count; ++i) {
    jw_identify(world, *owned[i].place, owned[i].count, owned[i].size);
  }
}

static JwStatus check(JwWorld* world, JwKind kind, const void* def) {
  char error[JW_ERROR_SIZE];
  const JwStatus begun = jw_define_begin(world, kind, def);
  if (begun) {
    return begun;
  }
  const JwObjectOps* const ops = jw_object_ops(kind, def);
  const JwStatus status = ops->check ? ops->check(def, error) : JW_STATUS_OK;
  return status ? jw_define_refuse(world, status, kind, def, error) : JW_STATUS_OK;
}

// Fill the object that has been put last into the list.
static JwStatus fill(JwWorld* world, JwObject* object, const void* def) {
  JwStatus status = copy_arrays(world, object);
  status = status ? status
                  : jw_define_name(world, jw_define_name_of(object->ops->kind, def), &object->name);
  if (status) {
    return status;
  }
  char error[JW_ERROR_SIZE] = "";
  status = object->ops->plan(object, error);
  return status ? jw_define_refuse(world, status, object->ops->kind, def, error) : JW_STATUS_OK;
}

static JwStatus add_object(JwWorld* world, JwKind kind, const void* def, size_t size,
                           JwObjectId* id) {
  JwStatus status = check(world, kind, def);
  if (status) {
    return status;
  }
  JwObject* const object =
      (JwObject*)jw_list_add(&world->objects, &world->def.allocator, sizeof(JwObject));
  if (!object) {
    return jw_no_memory(world);
  }
  object->ops = jw_object_ops(kind, def);
  object->k = world->k;
  object->component = JW_NONE;
  memcpy(&object->def, def, size);
  status = fill(world, object, def);
  if (status) {
    jw_object_free(world, object);
    --world->objects.count;
    return status;
  }
  identify(world, object);
  object->info.kind = kind;
  object->info.name = object->name;
  if (id) {
    id->index = world->objects.count;
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_mass(JwWorld* world, const JwMassDef* def, JwObjectId* id) {
  return add_object(world, JW_KIND_MASS, def, sizeof *def, id);
}

JwStatus jw_world_add_string(JwWorld* world, const JwStringDef* def, JwObjectId* id) {
  return add_object(world, JW_KIND_STRING, def, sizeof *def, id);
}

JwStatus jw_world_add_plate(JwWorld* world, const JwPlateDef* def, JwObjectId* id) {
  return add_object(world, JW_KIND_PLATE, def, sizeof *def, id);
}

JwStatus jw_world_add_modal(JwWorld* world, const JwModalDef* def, JwObjectId* id) {
  return add_object(world, JW_KIND_MODAL, def, sizeof *def, id);
}

JwStatus jw_world_add_barrier(JwWorld* world, const JwBarrierDef* def, JwObjectId* id) {
  return add_object(world, JW_KIND_BARRIER, def, sizeof *def, id);
}
