// The initial state: what definitions give, and plucked shapes and struck velocities.

#include "object/string_shapes.h"
#include "world.h"

#include <math.h>
#include <string.h>

static double initial_shape(const JwInitialDef* def, const JwObject* object, double x, double y)
{
  const bool plate = object->ops->kind == JW_KIND_PLATE;
  const double dx = fabs(x - def->x) / def->width, dy = plate ? fabs(y - def->y) / def->width : 0.0;
  const double distance = sqrt(dx * dx + dy * dy);
  double rise;
  switch (def->shape) {
  case JW_SHAPE_TRIANGLE:
    rise = x <= def->x ? (def->x > 0.0 ? x / def->x : 1.0) : (1.0 - x) / (1.0 - def->x);
    if (plate) {
      rise *= y <= def->y ? (def->y > 0.0 ? y / def->y : 1.0) : (1.0 - y) / (1.0 - def->y);
    }
    return def->amplitude * rise;
  case JW_SHAPE_HUMP: return distance < 0.5 ? def->amplitude * 0.5 * (1.0 + jw_cos(2.0 * JW_PI * distance)) : 0.0;
  case JW_SHAPE_SINE: return def->amplitude * jw_sin(JW_PI * x) * (plate ? jw_sin(JW_PI * y) : 1.0);
  }
  return 0.0;
}

// Modes of a string: q_p = rA integral of shape X_p / m_p, by the trapezium rule on a grid four times
// finer than the shortest mode.
static void project(const JwInitialDef* def, const JwObject* object, double* q)
{
  const uint32_t steps = 4 * (object->dofs + 1);
  const double length = object->def.string.length;
  for (uint32_t j = 0; j <= steps; ++j) {
    const double x = (double)j / steps, part = (j == 0 || j == steps ? 0.5 : 1.0) / steps;
    const double value = part * initial_shape(def, object, x, 0.0);
    const double twice = 2.0 * jw_cos(JW_PI * x);
    double last = 0.0, now = jw_sin(JW_PI * x);
    for (uint32_t p = 0; p < object->dofs; ++p) {
      const JwShape* const shape = object->bank.shapes ? &object->bank.shapes[p] : NULL;
      q[p] += shape ? value * object->info.mass / shape->mass * jw_shape_at(shape, length, x * length) : 2.0 * value * now;
      const double next = twice * now - last;
      last = now;
      now = next;
    }
  }
}

static void add_initial(const JwInitialDef* def, const JwObject* object, double* values)
{
  if (object->dense) {
    project(def, object, values);
    return;
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double x, y;
    object->ops->locate(object, i, &x, &y);
    values[jw_object_offset(object, i)] += initial_shape(def, object, x, y);
  }
}

// Displacement u and velocity v become u and prev = u - k v + k^2/2 (acceleration): second order; of modes with g v of bank.c for k v.
// At the start the buffers are u at [0], prev at [2]; [1] holds v, then the free step from rest.
static void start_object(JwWorld* world, uint32_t index)
{
  JwObject* const object = jw_object_at(world, index);
  double *const u = object->buffer[0], *const spare = object->buffer[1], *const prev = object->buffer[2];
  if (object->ops->start) {
    object->ops->start(object, u, spare);
  }
  for (uint32_t i = 0; i < world->initials.count; ++i) {
    const JwInitialDef* const def = JW_AT(world->initials, JwInitialDef, i);
    if (def->object.index == index + 1) {
      add_initial(def, object, def->quantity == JW_INITIAL_VELOCITY ? spare : u);
    }
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t at = jw_object_offset(object, i);
    prev[at] = -(object->bank.begin ? object->bank.begin[i] : world->k) * spare[at];
    spare[at] = 0.0;
  }
  object->ops->advance(object, spare, u, u);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t at = jw_object_offset(object, i), step = object->dofs + i;
    if (object->carries_step) {
      u[step] = -(prev[i] + 0.5 * spare[step]);
      prev[i] = u[i] - u[step];
    } else {
      prev[at] += u[at] + 0.5 * (spare[at] - u[at]);
    }
  }
  memset(spare, 0, object->size * sizeof(double));
}

static void start_numbers(JwWorld* world)
{
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (object->position) {
      const JwKind kind = object->ops->kind;
      *object->position = kind == JW_KIND_MASS      ? object->def.mass.position
                          : kind == JW_KIND_BARRIER ? object->def.barrier.position
                                                    : 0.0;
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    const JwForceDef* const def = &jw_force_at(world, i)->def;
    world->force_states[i].amplitude = def->amplitude;
    world->force_states[i].start = (uint64_t)(def->start / world->k + 0.5);
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    const JwPickupDef* const def = &jw_pickup_at(world, i)->def;
    double* const gains = world->gains + 4 * (size_t)i;
    gains[0] = def->gain;
    gains[1] = def->pan;
    jw_gains_pan(gains);
  }
}

void jw_world_start(JwWorld* world)
{
  memset(world->state, 0, world->state_size);
  start_numbers(world);
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    if (jw_object_at(world, i)->dofs) {
      start_object(world, i);
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_rest(world, jw_contact_at(world, i));
  }
  jw_controls_start(world);
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_start(world, jw_contact_at(world, i));
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    JwComponent* const component = &world->components[i];
    jw_graph_build(world, component);
    component->reread = false;
    component->state->awake = true;
    component->state->lost = component->state->supplied = (JwSum){0.0, 0.0};
    if (world->def.ledger) {
      jw_ledger_start(world, component);
    }
  }
}
