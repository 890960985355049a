// SPDX-License-Identifier: MIT
// Where everything lies in memory.
//
// Layout runs twice over the same code, to measure and to hand out (base/arena.h), so the memory
// asked for beforehand is the memory used.

#include "listen/listen.h"
#include "prepare/prepare.h"
#include "step/step.h"

static void layout_component(JwWorld* world, uint32_t index, JwArena* arena, JwArena* state) {
  const JwTally t = jw_component_tally(world, index);
  const uint64_t capacity = jw_island_capacity(&t), square = jw_size_product(capacity, capacity);
  JwComponent c = {0};
  c.objects = JW_TAKE(arena, t.objects, JwObject*);
  c.lone = JW_TAKE(arena, t.objects, JwObject*);
  c.points = JW_TAKE(arena, t.points, JwPoint*);
  c.islands = JW_TAKE(arena, t.points, JwIsland);
  c.plain = JW_TAKE(arena, t.points, uint32_t);
  c.along = JW_TAKE(arena, t.runs, uint32_t);
  c.hits = JW_TAKE(arena, t.runs ? t.cells : 0, uint32_t);
  c.forces = JW_TAKE(arena, t.forces, uint32_t);
  c.presses = JW_TAKE(arena, t.forces, JwPressing);
  c.pickups = JW_TAKE(arena, t.pickups, uint32_t);
  c.moving = JW_TAKE(arena, t.slots, uint32_t);
  c.graph.order = JW_TAKE(arena, t.points, JwPoint*);
  c.graph.parent = JW_TAKE(arena, t.points, uint32_t);
  c.graph.owner = JW_TAKE(arena, t.cells, uint32_t);
  c.graph.pool = JW_TAKE(arena, square, double);
  c.graph.pool_size = (size_t)square;
  c.solve.capacity = (uint32_t)capacity;
  c.solve.points = JW_TAKE(arena, capacity, JwPoint*);
  c.solve.matrix = JW_TAKE(arena, square, double);
  c.solve.free = JW_TAKE(arena, capacity, double);
  c.solve.pivot = JW_TAKE(arena, capacity, double);
  c.solve.pushes = JW_TAKE(arena, capacity, double);
  c.solve.forces = JW_TAKE(arena, capacity, double);
  c.solve.motions = JW_TAKE(arena, capacity, double);
  c.hub = jw_hub_layout(world, index, t.points, arena);
  c.state = JW_TAKE(state, 1, JwComponentState);
  if (arena->base) {
    world->components[index] = c;
  }
}

static void layout_objects(JwWorld* world, JwArena* arena, JwArena* state) {
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    object->y = JW_TAKE(arena, object->size, double);
    object->ops->layout(object, arena);
    for (int b = 0; b < JW_LEVELS; ++b) {
      object->buffer[b] = JW_TAKE(state, object->size, double);
    }
    object->position = object->ops->position ? JW_TAKE(state, 1, double) : NULL;
  }
}

static void layout_ends(JwWorld* world, JwArena* arena, JwArena* state) {
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwForce* const force = jw_force_at(world, i);
    force->side.object = jw_port_object(world, force->def.port);
    jw_side_layout(&force->side, arena);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, i);
    pickup->side.object =
        pickup->def.quantity == JW_QUANTITY_FORCE ? NULL : jw_port_object(world, pickup->def.port);
    jw_side_layout(&pickup->side, arena);
    if (pickup->def.quantity == JW_QUANTITY_PRESSURE) {
      pickup->frames = (uint32_t)jw_air_frames(world, pickup);
      pickup->air = JW_TAKE(state, 1, JwAir);
      pickup->way = JW_TAKE(state, pickup->frames, double);
    }
  }
  if (world->room) {
    world->room->state = JW_TAKE(state, 1, JwRoomState);
    world->room->lines =
        JW_TAKE(state, (uint64_t)world->def.reflections * world->room->size, double);
  }
}

static uint32_t power_of_two(uint32_t n) {
  uint32_t p = 1;
  while (p < n) {
    p *= 2;
  }
  return p;
}

void jw_world_layout(JwWorld* world, JwArena* arena, JwArena* state) {
  world->points = JW_TAKE(arena, world->point_count, JwPoint);
  world->components = JW_TAKE(arena, world->component_count, JwComponent);
  world->curve_of = JW_TAKE(arena, world->slot_count, JwCurve*);
  world->slot_component = JW_TAKE(arena, world->slot_count, uint32_t);
  world->is_moving = JW_TAKE(arena, world->slot_count, bool);
  world->initial_values = JW_TAKE(arena, world->slot_count, double);
  world->mixed = JW_TAKE(arena, JW_CHUNK * (jw_world_channels(world) + (uint64_t)1), double);
  world->heard = JW_TAKE(arena, 2 * JW_CHUNK * (uint64_t)world->pickups.count, double);
  world->threads =
      world->def.threads > 1 ? (JwPool*)(void*)JW_TAKE(arena, jw_pool_size(), unsigned char) : NULL;
  world->queue.size = power_of_two(world->def.queue);
  world->queue.items = JW_TAKE(arena, world->queue.size, JwCommand);
  world->frame = JW_TAKE(state, 1, uint64_t);
  world->ramps = JW_TAKE(state, world->slot_count, JwRamp);
  world->force_states = JW_TAKE(state, world->forces.count, JwForceState);
  world->gains = JW_TAKE(state, 4 * (uint64_t)world->pickups.count, double);
  layout_objects(world, arena, state);
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_layout(world, jw_contact_at(world, i), arena, state);
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    if (jw_object_at(world, i)->stretch > 0.0) {
      jw_stretch_layout(world, jw_object_at(world, i), arena, state);
    }
  }
  layout_ends(world, arena, state);
  for (uint32_t i = 0; i < world->component_count; ++i) {
    layout_component(world, i, arena, state);
  }
}
