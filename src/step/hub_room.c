// SPDX-License-Identifier: MIT
// Where banks of modes are tied to one thing (hub.c): is there such a thing in a component, and
// what
// memory does the stage need for it?  Asked by prepare/, before anything is known of islands.

#include "step/hub.h"

#include "step/step.h"

bool jw_hub_may_tie(const JwObject* object) {
  return object && object->dense && !object->carries_step && !object->ops->lumped
         && !(object->stretch > 0.0);
}

static bool may_pin(const JwWorld* world, const JwContact* contact) {
  const JwObject* const a = jw_port_object(world, contact->port[0]);
  const JwObject* const b = jw_port_object(world, contact->port[1]);
  return !contact->along && jw_law_ops(contact->kind)->linear && jw_hub_may_tie(a)
         && jw_hub_may_tie(b) && a != b;
}

static uint32_t pins_of(const JwWorld* world, uint32_t component, const JwObject* object) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    count += contact->component == component && may_pin(world, contact)
             && (jw_port_object(world, contact->port[0]) == object
                 || jw_port_object(world, contact->port[1]) == object);
  }
  return count;
}

// The object with most pins, if they are many.
static JwObject* find_hub(const JwWorld* world, uint32_t component, uint32_t* pins) {
  JwObject* hub = NULL;
  *pins = JW_LEAST_PINS - 1;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (object->component == component && jw_hub_may_tie(object)) {
      const uint32_t count = pins_of(world, component, object);
      hub = count > *pins ? object : hub;
      *pins = count > *pins ? count : *pins;
    }
  }
  return hub;
}

// A linear damper between a bank and the ground.
static bool may_drag(const JwWorld* world, const JwContact* contact) {
  const JwObject* const a = jw_port_object(world, contact->port[0]);
  const JwObject* const b = jw_port_object(world, contact->port[1]);
  const JwLawOps* const ops = jw_law_ops(contact->kind);
  double g = 1.0, rate;
  return !contact->along && ops->linear && ops->linear(&contact->law, &g, &rate) && g == 0.0
         && ((jw_hub_may_tie(a) && (!b || b->dofs == 0))
             || (jw_hub_may_tie(b) && (!a || a->dofs == 0)));
}

uint32_t jw_hub_pins(const JwWorld* world, uint32_t component) {
  uint32_t pins = 0, drags = 0;
  if (!jw_tied_lanes() || !find_hub(world, component, &pins)) {
    return 0;
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    drags += contact->component == component && may_drag(world, contact);
  }
  return pins + (drags < pins ? drags : pins); // One each at most
}

static uint64_t constants_of(const JwWorld* world, uint32_t component) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    count += object->component == component && jw_hub_may_tie(object)
                 ? 5 * (uint64_t)jw_hub_padded(object->dofs)
                 : 0;
  }
  return count;
}

static void layout_leaves(JwHub* hub, uint32_t n, JwArena* arena) {
  JwPins* const by = &hub->by;
  JwDrags* const drags = &hub->drags;
  double** const all[] = {&by->a,       &by->g,        &by->psi,      &by->rate,    &by->q,
                          &by->part,    &by->given,    &by->hub,      &by->free,    &by->sum,
                          &by->f,       &by->r,        &by->keep,     &by->scale,   &by->bound,
                          &by->limit,   &by->sign,     &by->reach,    &by->most,    &by->acted,
                          &drags->rate, &drags->yield, &drags->q,     &drags->free, &drags->to_pin,
                          &drags->f,    &hub->lost,    &drags->given, &drags->most, &drags->acted};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    *all[i] = JW_TAKE(arena, n, double);
  }
  for (int p = 0; p < 2; ++p) {
    hub->ties[p].push = JW_TAKE(arena, n, double);
    hub->ties[p].moved = JW_TAKE(arena, n, double);
  }
  hub->place = JW_TAKE(arena, n, uint32_t);
}

JwHub* jw_hub_layout(const JwWorld* world, uint32_t component, uint64_t points, JwArena* arena) {
  uint32_t pins = 0;
  const JwTiedLanes* const lanes = jw_tied_lanes();
  JwObject* const object = lanes ? find_hub(world, component, &pins) : NULL;
  if (!object) {
    return NULL;
  }
  JwHub h = {.object = object, .lanes = lanes, .most = pins, .width = jw_hub_padded(object->dofs)};
  JwHub* const hub = JW_TAKE(arena, 1, JwHub);
  h.stride = jw_hub_padded(pins);
  h.alike = JW_TAKE(arena, pins, JwAlike);
  h.leaves = JW_TAKE(arena, pins, JwLeaf);
  h.others = JW_TAKE(arena, points, JwOther);
  layout_leaves(&h, jw_hub_padded(pins), arena);
  h.constants = JW_TAKE(arena, constants_of(world, component), double);
  h.rows = JW_TAKE(arena, (uint64_t)pins * h.width, double);
  h.spreads = JW_TAKE(arena, (uint64_t)pins * h.width, double);
  h.compliance = JW_TAKE(arena, (uint64_t)pins * h.stride, double);
  h.inner = JW_TAKE(arena, (uint64_t)pins * h.stride, double);
  double** const by_place[] = {&h.whole, &h.moved, &h.sums, &h.yields, &h.forces, &h.stiff};
  for (size_t i = 0; i < sizeof by_place / sizeof by_place[0]; ++i) {
    *by_place[i] = JW_TAKE(arena, h.stride, double);
  }
  h.padded = JW_TAKE(arena, h.width, double);
  h.first_leaf = JW_TAKE(arena, pins + 1, uint32_t);
  if (arena->base) {
    *hub = h;
  }
  return hub;
}
