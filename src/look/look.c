// SPDX-License-Identifier: MIT
// Looking at a world: what it is made of, where things are.

#include "define/define.h"

#include "base/size.h"

#include <string.h>

JwWorldInfo jw_world_info(const JwWorld* world) {
  JwWorldInfo info;
  memset(&info, 0, sizeof info);
  if (!world) {
    return info;
  }
  info.frame = jw_world_frame(world);
  info.objects = world->objects.count;
  info.contacts = world->contacts.count;
  info.exciters = world->forces.count;
  info.pickups = world->pickups.count;
  info.sample_rate = world->def.sample_rate;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    info.points += jw_object_at(world, i)->dofs;
  }
  for (uint32_t i = 0; world->prepared && i < world->component_count; ++i) {
    const JwComponent* const component = &world->components[i];
    for (uint32_t p = 0; p < component->point_count; ++p) {
      info.contact_points += component->points[p]->contact != JW_NONE;
    }
    info.islands += component->island_count;
    info.largest_island = component->largest_island > info.largest_island
                              ? component->largest_island
                              : info.largest_island;
    info.awake += component->state->awake ? component->object_count : 0;
  }
  return info;
}

JwObjectInfo jw_world_object_info(const JwWorld* world, JwObjectId id) {
  JwObjectInfo info;
  memset(&info, 0, sizeof info);
  return world && id.index && id.index <= world->objects.count
             ? jw_object_at(world, id.index - 1)->info
             : info;
}

JwContactInfo jw_world_contact_info(const JwWorld* world, JwContactId id) {
  JwContactInfo info = {.kind = JW_KIND_COUNT, .name = ""};
  if (world && id.index && id.index <= world->contacts.count) {
    const JwContact* const contact = jw_contact_at(world, id.index - 1);
    info.kind = contact->kind;
    info.name = contact->name;
    info.port[0] = contact->port[0];
    info.port[1] = contact->port[1];
    info.points = contact->point_count;
  }
  return info;
}

JwPickupDef jw_world_pickup_info(const JwWorld* world, JwPickupId id) {
  JwPickupDef def = jw_pickup_default();
  def.name = "";
  if (world && id.index && id.index <= world->pickups.count) {
    const JwPickup* const pickup = jw_pickup_at(world, id.index - 1);
    def = pickup->def;
    def.name = pickup->name;
  }
  return def;
}

JwForceDef jw_world_exciter_info(const JwWorld* world, JwExciterId id) {
  JwForceDef def = jw_force_default();
  def.name = "";
  if (world && id.index && id.index <= world->forces.count) {
    const JwForce* const force = jw_force_at(world, id.index - 1);
    def = force->def;
    def.name = force->name;
  }
  return def;
}

uint32_t jw_world_field(const JwWorld* world, JwObjectId id, double* values, uint32_t count) {
  if (!world || !world->prepared || !values || id.index == 0 || id.index > world->objects.count) {
    return 0;
  }
  const JwObject* const object = jw_object_at(world, id.index - 1);
  const uint32_t n = object->dofs < count ? object->dofs : count;
  for (uint32_t i = 0; i < n; ++i) {
    values[i] = object->level[JW_NOW][jw_object_offset(object, i)];
  }
  return n;
}

uint32_t jw_world_places(const JwWorld* world, JwObjectId id, double* places, uint32_t count) {
  if (!world || !places || !world->prepared || id.index == 0 || id.index > world->objects.count) {
    return 0;
  }
  const JwObject* const object = jw_object_at(world, id.index - 1);
  const bool string = object->ops->places == JW_PLACES_LINE;
  if (object->ops->places < JW_PLACES_LINE) {
    return 0;
  }
  const double sides[2] = {string ? object->def.string.length : object->def.plate.size[0],
                           string ? 0.0 : object->def.plate.size[1]};
  const uint32_t columns = object->info.grid[0], rows = string ? 1 : object->info.grid[1];
  const uint32_t all = object->dense ? columns * rows : object->dofs, n = all < count ? all : count;
  for (uint32_t i = 0; i < n; ++i) {
    double x = (i % columns + 1.0) / (columns + 1.0), y = (i / columns + 1.0) / (rows + 1.0);
    if (!object->dense) {
      object->ops->locate(object, i, &x, &y);
    }
    places[2 * i] = x * sides[0];
    places[2 * i + 1] = y * sides[1];
  }
  return n;
}

JwStatus jw_world_probe(JwWorld* world, JwPort port, double* displacement, double* velocity) {
  if (!world) {
    return jw_no_world();
  }
  double unwanted;
  displacement = displacement ? displacement : &unwanted;
  velocity = velocity ? velocity : &unwanted;
  if (!world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "probe before prepare");
  }
  const JwStatus status = jw_port_check(world, &port, "probe");
  if (status) {
    return status;
  }
  JwObject* const object = jw_object_at(world, port.object.index - 1);
  const JwAllocator* const a = &world->def.allocator;
  const size_t n = object->port_weights;
  size_t bytes;
  const bool fits = jw_size_of((uint64_t)n + 1, 2 * sizeof(double) + sizeof(uint32_t), &bytes);
  unsigned char* const memory = fits ? (unsigned char*)a->allocate(a->user, bytes) : NULL;
  if (!memory) {
    return jw_world_fail(world, JW_STATUS_NO_MEMORY, "no memory");
  }
  double* const numbers = (double*)(void*)memory;
  JwSide side = {.object = object,
                 .weights = {0, (uint32_t)n, (uint32_t*)(void*)(numbers + 2 * n), numbers},
                 .spread = numbers + n};
  *displacement = jw_object_zero(object);
  *velocity = 0.0;
  if (object->dofs) {
    jw_side_weigh(&side, &port);
    *displacement += jw_side_read(&side, JW_NOW);
    *velocity = jw_side_step(&side) / world->k;
  }
  a->release(a->user, memory);
  return JW_STATUS_OK;
}
