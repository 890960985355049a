// When a plate is advanced by its own modes, and when by its grid (object/plate_modes.c).
//
// Everything starts on the grid.  Then a plate that may goes over to its modes, if few handles serve all of its ports; when one of
// these is moved, it goes back to the grid, for good.  That it has modes now is part of the state, and which handles follows from where the
// ports began: nothing of this is in a snapshot twice.

#include "object/plate_modes.h"
#include "world.h"

// The ports of everything that touches or hears the object; false as soon as `use` is.
static bool each_port(JwWorld* world, JwObject* object, bool (*use)(JwObject* object, const JwPort* port) JW_REALTIME)
{
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    for (int s = 0; s < 2; ++s) {
      if (jw_port_object(world, contact->port[s]) == object && (contact->along || !use(object, &contact->port[s]))) {
        return false;
      }
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    const JwForce* const force = jw_force_at(world, i);
    if (force->side.object == object && !use(object, &force->def.port)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    const JwPickup* const pickup = jw_pickup_at(world, i);
    if (pickup->side.object == object && !use(object, &pickup->def.port)) {
      return false;
    }
  }
  return true;
}

static void weigh_all(JwWorld* world, const JwObject* object)
{
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    if (jw_port_object(world, contact->port[0]) == object || jw_port_object(world, contact->port[1]) == object) {
      jw_contact_place(world, contact);
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    JwForce* const force = jw_force_at(world, i);
    if (force->side.object == object) {
      jw_side_weigh(&force->side, &force->def.port);
    }
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    JwPickup* const pickup = jw_pickup_at(world, i);
    if (pickup->side.object == object) {
      jw_side_weigh(&pickup->side, &pickup->def.port);
    }
  }
  JwComponent* const component = &world->components[object->component];
  component->reread = true;
  component->known = component->heard = false;
}

// Handles for where its ports are now; whether they are there, and not too many.
static bool find_handles(JwWorld* world, JwObject* object)
{
  object->grid.plate.own.handles = 0;
  return each_port(world, object, jw_own_add_handle) && object->grid.plate.own.handles > 0;
}

void jw_handles_take(JwWorld* world, JwObject* object)
{
  if (!object->by_modes) {
    return;
  }
  if (find_handles(world, object)) {
    jw_own_from_grid(object, object->buffer[0]);
    jw_own_from_grid(object, object->buffer[2]);
    *object->by_modes = 1.0;
  }
  weigh_all(world, object);
}

JW_REALTIME void jw_handles_leave(JwWorld* world, JwObject* object, uint64_t frame)
{
  if (jw_by_own_modes(object)) {
    jw_own_to_grid(object, jw_now(object, frame));
    jw_own_to_grid(object, jw_prev(object, frame));
    *object->by_modes = 0.0;
    weigh_all(world, object);
  }
}

JW_REALTIME void jw_handles_restore(JwWorld* world)
{
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (!object->by_modes) {
      continue;
    }
    if (jw_by_own_modes(object) && !find_handles(world, object)) {
      *object->by_modes = 0.0; // A forged snapshot
    }
    weigh_all(world, object);
  }
}
