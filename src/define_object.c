// SPDX-License-Identifier: MIT
// Adding objects: check, copy, plan.

#include "define.h"

#include "object/kinds.h"

#include <math.h>
#include <stdio.h>

void jw_object_free(JwWorld* world, JwObject* object) {
  const JwAllocator* const a = &world->def.allocator;
  const void* owned[4] = {object->name, NULL, NULL, NULL};
  if (object->ops->kind == JW_KIND_MODAL) {
    owned[1] = object->def.modal.modes;
    owned[2] = object->def.modal.shapes;
  } else if (object->ops->kind == JW_KIND_BARRIER) {
    owned[1] = object->def.barrier.polynomial;
    owned[2] = object->def.barrier.table;
  }
  for (int i = 0; i < 4; ++i) {
    if (owned[i]) {
      a->release(a->user, (void*)(uintptr_t)owned[i]);
    }
  }
}

static void identify(JwWorld* world, const JwObject* object) {
  jw_identify_def(world, object->ops->kind, &object->def);
  if (object->ops->kind == JW_KIND_MODAL) {
    const JwModalDef* const def = &object->def.modal;
    jw_identify(world, def->modes, def->mode_count, sizeof(JwMode));
    jw_identify(world, def->shapes, (uint64_t)def->mode_count * def->shape_count, sizeof(double));
  } else if (object->ops->kind == JW_KIND_BARRIER) {
    const JwBarrierDef* const def = &object->def.barrier;
    jw_identify(world, def->polynomial, def->polynomial_count, sizeof(double));
    jw_identify(world, def->table, 2 * (uint64_t)def->table_count, sizeof(double));
  }
}

// Plan the object that has been put last into the list; take it out again if it cannot be.
static JwStatus finish_object(JwWorld* world, JwObject* object, JwStatus status, JwObjectId* id) {
  if (!status) {
    char error[JW_ERROR_SIZE] = "";
    status = object->ops->plan(object, error);
    if (status) {
      jw_world_fail(world, status, "%s '%.60s': %.400s", jw_kind_name(object->ops->kind),
                    object->name, error);
    }
  }
  if (status) {
    jw_object_free(world, object);
    --world->objects.count;
    return status;
  }
  identify(world, object);
  object->info.kind = object->ops->kind;
  object->info.name = object->name;
  if (id) {
    id->index = world->objects.count;
  }
  return JW_STATUS_OK;
}

static JwObject* new_object(JwWorld* world, JwKind kind, const void* def, const char* name,
                            JwStatus* status) {
  JwObject* const object =
      (JwObject*)jw_list_add(&world->objects, &world->def.allocator, sizeof(JwObject));
  if (!object) {
    *status = jw_no_memory(world);
    return NULL;
  }
  object->ops = jw_object_ops(kind, def);
  object->k = world->k;
  object->component = JW_NONE;
  *status = jw_define_name(world, name, &object->name);
  return object;
}

JwStatus jw_world_add_mass(JwWorld* world, const JwMassDef* def, JwObjectId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_MASS, def);
  JwObject* const object = status ? NULL : new_object(world, JW_KIND_MASS, def, def->name, &status);
  if (!object) {
    return status;
  }
  object->def.mass = *def;
  return finish_object(world, object, status, id);
}

JwStatus jw_world_add_string(JwWorld* world, const JwStringDef* def, JwObjectId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_STRING, def);
  JwObject* const object =
      status ? NULL : new_object(world, JW_KIND_STRING, def, def->name, &status);
  if (!object) {
    return status;
  }
  object->def.string = *def;
  return finish_object(world, object, status, id);
}

JwStatus jw_world_add_plate(JwWorld* world, const JwPlateDef* def, JwObjectId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_PLATE, def);
  JwObject* const object =
      status ? NULL : new_object(world, JW_KIND_PLATE, def, def->name, &status);
  if (!object) {
    return status;
  }
  object->def.plate = *def;
  return finish_object(world, object, status, id);
}

static JwStatus check_modes(JwWorld* world, const JwModalDef* def) {
  const char* const name = def->name ? def->name : "";
  if (!def->modes || def->mode_count == 0 || def->mode_count > 1000000) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "modal '%s': it has %u modes, must be from 1 to 1000000", name,
                         def->modes ? def->mode_count : 0);
  }
  if (!def->shapes || def->shape_count == 0 || def->shape_count > 100000) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "modal '%s': it has %u shapes, must be from 1 to 100000", name,
                         def->shapes ? def->shape_count : 0);
  }
  for (uint32_t i = 0; i < def->mode_count; ++i) {
    const JwMode* const mode = &def->modes[i];
    if (!(mode->frequency >= 0.0 && mode->frequency <= 1e6 && mode->decay >= 0.0
          && mode->decay <= 1e9 && mode->mass >= 1e-12 && mode->mass <= 1e9)) {
      return jw_world_fail(
          world, JW_STATUS_BAD_VALUE,
          "modal '%s': mode %u has frequency %g Hz, decay %g 1/s, mass %g kg, must be from 0 to 1e6, "
          "0 to 1e9 and 1e-12 to 1e9",
          name, i, mode->frequency, mode->decay, mode->mass);
    }
  }
  for (size_t i = 0; i < (size_t)def->mode_count * def->shape_count; ++i) {
    if (!(fabs(def->shapes[i]) <= 1e6)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "modal '%s': shape %zu of mode %zu is %g, must be from -1e6 to 1e6",
                           name, i / def->mode_count, i % def->mode_count, def->shapes[i]);
    }
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_modal(JwWorld* world, const JwModalDef* def, JwObjectId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_MODAL, def);
  status = status ? status : check_modes(world, def);
  JwObject* const object =
      status ? NULL : new_object(world, JW_KIND_MODAL, def, def->name, &status);
  if (!object) {
    return status;
  }
  JwModalDef* const copy = &object->def.modal;
  *copy = *def;
  const void *modes = NULL, *shapes = NULL;
  status =
      status ? status : jw_define_array(world, def->modes, def->mode_count, sizeof(JwMode), &modes);
  status = status
               ? status
               : jw_define_array(world, def->shapes, (uint64_t)def->mode_count * def->shape_count,
                                 sizeof(double), &shapes);
  copy->modes = (const JwMode*)modes;
  copy->shapes = (const double*)shapes;
  return finish_object(world, object, status, id);
}

static JwStatus check_barrier(JwWorld* world, const JwBarrierDef* def) {
  const char* const name = def->name ? def->name : "";
  if (!(def->from <= def->to)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "barrier '%s': from is %g, must be at most to, %g", name, def->from,
                         def->to);
  }
  const uint32_t polynomial = def->polynomial ? def->polynomial_count : 0,
                 table = def->table ? def->table_count : 0;
  if (polynomial > 64 || table > 1000000) {
    return jw_world_fail(
        world, JW_STATUS_TOO_LARGE,
        "barrier '%s': it has %u coefficients and %u table points, must be at most 64 and 1000000",
        name, polynomial, table);
  }
  for (uint32_t i = 0; i < polynomial; ++i) {
    if (!(fabs(def->polynomial[i]) <= 1e9)) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "barrier '%s': coefficient %u is %g, must be from -1e9 to 1e9", name, i,
                           def->polynomial[i]);
    }
  }
  for (uint32_t i = 0; i < table; ++i) {
    if (!(fabs(def->table[2 * i]) <= 1e6 && fabs(def->table[2 * i + 1]) <= 1e6)
        || (i && !(def->table[2 * i] > def->table[2 * i - 2]))) {
      return jw_world_fail(
          world, JW_STATUS_BAD_VALUE,
          "barrier '%s': table point %u is %g, %g, must rise in x and lie within 1e6", name, i,
          def->table[2 * i], def->table[2 * i + 1]);
    }
  }
  return JW_STATUS_OK;
}

JwStatus jw_world_add_barrier(JwWorld* world, const JwBarrierDef* def, JwObjectId* id) {
  JwStatus status = jw_define_begin(world, JW_KIND_BARRIER, def);
  status = status ? status : check_barrier(world, def);
  JwObject* const object =
      status ? NULL : new_object(world, JW_KIND_BARRIER, def, def->name, &status);
  if (!object) {
    return status;
  }
  JwBarrierDef* const copy = &object->def.barrier;
  *copy = *def;
  copy->polynomial_count = def->polynomial ? def->polynomial_count : 0;
  copy->table_count = def->table ? def->table_count : 0;
  const void *polynomial = NULL, *table = NULL;
  status = status ? status
                  : jw_define_array(world, def->polynomial, copy->polynomial_count, sizeof(double),
                                    &polynomial);
  status = status ? status
                  : jw_define_array(world, def->table, 2 * (uint64_t)copy->table_count,
                                    sizeof(double), &table);
  copy->polynomial = (const double*)polynomial;
  copy->table = (const double*)table;
  return finish_object(world, object, status, id);
}
