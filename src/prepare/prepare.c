// SPDX-License-Identifier: MIT
// From definitions to a world that runs: find components, lay out memory (layout.c), set up, start
// (start.c).

#include "change/change.h"
#include "define/define.h"
#include "prepare/prepare.h"

#include <math.h>
#include <string.h>

// Of a chunk, if a sample does not take more: so soon a cancelled run ends.
#define CHUNK_OPERATIONS 1e8

// ---------------------------------------------------------------- components

static bool has_curve(const JwWorld* world, uint32_t object) {
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    if (JW_AT(world->curves, JwCurve, i)->target.object.index == object + 1) {
      return true;
    }
  }
  return false;
}

// Whether an object ties its contacts together: all that move, and barriers that follow a curve.
static bool ties(const JwWorld* world, const JwObject* object) {
  return object
         && (object->dofs > 0 || has_curve(world, (uint32_t)(object - jw_object_at(world, 0))));
}

static bool join_components(const JwWorld* world, JwObject* a, JwObject* b) {
  if (!ties(world, a) || !ties(world, b) || a->component == b->component) {
    return false;
  }
  const uint32_t low = a->component < b->component ? a->component : b->component;
  a->component = b->component = low;
  return true;
}

// Label propagation over contacts: few objects, done once.
static uint32_t find_components(JwWorld* world) {
  const uint32_t n = world->objects.count;
  for (uint32_t i = 0; i < n; ++i) {
    JwObject* const object = jw_object_at(world, i);
    object->component = ties(world, object) ? i : JW_NONE;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < world->contacts.count; ++i) {
      JwObject* const a = jw_port_object(world, jw_contact_at(world, i)->port[0]);
      JwObject* const b = jw_port_object(world, jw_contact_at(world, i)->port[1]);
      changed = join_components(world, a, b) || changed;
      const uint32_t presses = jw_contact_at(world, i)->pressed_by;
      for (int s = 0; s < 2 && presses; ++s) { // What presses is read: it must be of this component
        JwObject* const c = jw_port_object(world, jw_contact_at(world, presses - 1)->port[s]);
        changed = join_components(world, ties(world, a) ? a : b, c) || changed;
      }
    }
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; ++i) { // A component is led by its first object: number them in order
    JwObject* const object = jw_object_at(world, i);
    if (object->component == JW_NONE) {
      continue;
    }
    object->component =
        object->component == i ? count++ : jw_object_at(world, object->component)->component;
  }
  return count;
}

static uint32_t contact_component(const JwWorld* world, const JwContact* contact) {
  const JwObject* const a = jw_port_object(world, contact->port[0]);
  return ties(world, a) ? a->component : jw_port_object(world, contact->port[1])->component;
}

// Number points, assign everything to its component.
uint64_t jw_world_assign(JwWorld* world) {
  world->component_count = find_components(world);
  uint64_t points = 0;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    contact->component = contact_component(world, contact);
    contact->first_point = (uint32_t)points;
    contact->point_count = jw_contact_points(world, contact);
    points += contact->point_count;
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    jw_object_at(world, i)->row = (uint32_t)points;
    points += jw_object_at(world, i)->stretch > 0.0;
  }
  world->point_count = (uint32_t)points;
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwForce* const force = jw_force_at(world, i);
    force->component = jw_port_object(world, force->def.port)->component;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, i);
    pickup->component = pickup->def.quantity == JW_QUANTITY_FORCE
                            ? jw_contact_at(world, pickup->def.contact.index - 1)->component
                            : jw_port_object(world, pickup->def.port)->component;
  }
  world->slot_count =
      (world->objects.count + world->contacts.count + world->forces.count + world->pickups.count)
      * JW_CONTROL_COUNT;
  return points;
}

// ---------------------------------------------------------------- set up

static void fill_components(JwWorld* world) {
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->component != JW_NONE && object->dofs > 0) {
      JwComponent* const component = &world->components[object->component];
      component->objects[component->object_count++] = jw_object_at(world, i);
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    JwComponent* const component = &world->components[contact->component];
    for (uint32_t p = 0; p < contact->point_count; ++p) {
      component->points[component->point_count++] = &world->points[contact->first_point + p];
    }
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    if (object->stretch > 0.0) {
      JwComponent* const component = &world->components[object->component];
      component->points[component->point_count++] = &world->points[object->row];
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwComponent* const component = &world->components[jw_force_at(world, i)->component];
    component->forces[component->force_count++] = i;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwComponent* const component = &world->components[jw_pickup_at(world, i)->component];
    component->pickups[component->pickup_count++] = i;
  }
}

// The one component that a barrier's contacts lie in, or JW_NONE.
static uint32_t barrier_component(const JwWorld* world, uint32_t object) {
  uint32_t found = JW_NONE;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    for (int s = 0; s < 2; ++s) {
      if (contact->port[s].object.index == object + 1) {
        if (found != JW_NONE && found != contact->component) {
          return JW_NONE;
        }
        found = contact->component;
      }
    }
  }
  return found;
}

static uint32_t slot_component(const JwWorld* world, uint32_t slot) {
  const JwTarget target = jw_slot_target(world, slot);
  if (jw_slot_index(world, target) != slot) { // There is no such control, or another slot has it
    return JW_NONE;
  }
  if (target.object.index) {
    const JwObject* const object = jw_object_at(world, target.object.index - 1);
    return object->dofs ? object->component : barrier_component(world, target.object.index - 1);
  }
  if (target.contact.index) {
    return jw_contact_at(world, target.contact.index - 1)->component;
  }
  return target.exciter.index ? jw_force_at(world, target.exciter.index - 1)->component
                              : jw_pickup_at(world, target.pickup.index - 1)->component;
}

static void setup(JwWorld* world) {
  for (uint32_t i = 0; i < world->objects.count && !jw_prepare_stopped(world); ++i) {
    JwObject* const object = jw_object_at(world, i);
    object->ops->setup(object);
  }
  for (uint32_t i = 0; i < world->contacts.count && !jw_prepare_stopped(world); ++i) {
    jw_contact_setup(world, jw_contact_at(world, i));
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwForce* const force = jw_force_at(world, i);
    force->frames = force->def.shape == JW_FORCE_SIGNAL ? force->def.signal_count
                                                        : force->def.duration / world->k;
    jw_side_weigh(&force->side, &force->def.port);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    jw_side_weigh(&jw_pickup_at(world, i)->side, &jw_pickup_at(world, i)->def.port);
  }
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    world->slot_component[slot] = slot_component(world, slot);
  }
  for (uint32_t i = 0; i < world->curves.count; ++i) {
    JwCurve* const curve = JW_AT(world->curves, JwCurve, i);
    world->curve_of[jw_slot_index(world, curve->target)] = curve;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    const JwPickupDef* const def = &jw_pickup_at(world, i)->def;
    if (def->quantity == JW_QUANTITY_FORCE) {
      jw_contact_at(world, def->contact.index - 1)->listened = true;
    }
  }
}

// ---------------------------------------------------------------- prepare

static JwStatus take_memory(JwWorld* world, const JwCost* cost) {
  JwArena arena = {NULL, 0}, state = {NULL, 0};
  jw_world_layout(world, &arena, &state);
  world->bytes = (size_t)cost->bytes; // No more than fit: jw_world_cost() has seen to it
  world->memory = world->def.allocator.allocate(world->def.allocator.user, world->bytes);
  if (!world->memory) {
    return jw_world_fail(world, JW_STATUS_NO_MEMORY, "no memory for %zu bytes", world->bytes);
  }
  world->state = (unsigned char*)world->memory + (size_t)arena.used;
  world->state_size = (size_t)state.used;
  JwArena real = {(unsigned char*)world->memory, 0}, real_state = {world->state, 0};
  jw_world_layout(world, &real, &real_state);
  return JW_STATUS_OK;
}

// Set up and start; stops between two steps when it is cancelled.
static void make(JwWorld* world) {
  fill_components(world);
  setup(world);
  for (uint32_t i = 0; i < world->objects.count && !jw_prepare_stopped(world); ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (object->ops->pitch) {
      object->info.fundamental = object->ops->pitch(object);
    }
  }
  if (jw_prepare_stopped(world)) {
    return;
  }
  jw_world_start(world);
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    world->initial_values[slot] = world->ramps[slot].from;
  }
}

// As if it had never been prepared.
static JwStatus give_up(JwWorld* world) {
  world->def.allocator.release(world->def.allocator.user, world->memory);
  world->memory = NULL;
  return jw_world_fail(world, JW_STATUS_CANCELLED, "prepare was cancelled");
}

JwStatus jw_world_prepare(JwWorld* world) {
  if (!world) {
    return jw_no_world();
  }
  if (world->prepared) {
    return jw_world_fail(world, JW_STATUS_BAD_ORDER, "prepared already");
  }
  JwCost cost;
  JwStatus status = jw_world_cost(world, &cost);
  status = status ? status : take_memory(world, &cost);
  if (status) {
    return status;
  }
  world->preparing = true;
  make(world);
  world->preparing = false;
  if (atomic_exchange_explicit(&world->cancelled, false, memory_order_relaxed)) {
    return give_up(world);
  }
  world->chunk_frames = (uint32_t)fmax(
      1.0, fmin(JW_CHUNK, CHUNK_OPERATIONS / fmax(1.0, jw_world_usual_operations(world))));
  if (world->threads) {
    jw_pool_start(world->threads, world->def.threads);
  }
  world->prepared = true;
  return JW_STATUS_OK;
}

void jw_world_reset(JwWorld* world) {
  if (!world || !world->prepared) {
    return;
  }
  atomic_store_explicit(&world->queue.head,
                        atomic_load_explicit(&world->queue.tail, memory_order_acquire),
                        memory_order_release);
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    if (world->slot_component[slot] != JW_NONE) {
      jw_control_apply(world, slot, world->initial_values[slot]);
    }
  }
  jw_world_start(world);
}
