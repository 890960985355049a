// SPDX-License-Identifier: MIT
// The initial state: what definitions give, and plucked shapes and struck velocities.

#include "change/change.h"
#include "ledger/ledger.h"
#include "listen/listen.h"
#include "object/string_shapes.h"
#include "prepare/prepare.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

// A triangle over an axis from 0 to 1, 1 at its peak.
static double triangle(double x, double peak) {
  if (x > peak) {
    return (1.0 - x) / (1.0 - peak);
  }
  return peak > 0.0 ? x / peak : 1.0;
}

static double initial_shape(const JwInitialDef* def, const JwObject* object, double x, double y) {
  const bool plate = object->ops->places == JW_PLACES_PLANE;
  const double dx = fabs(x - def->x) / def->width, dy = plate ? fabs(y - def->y) / def->width : 0.0;
  const double distance = sqrt(dx * dx + dy * dy);
  switch (def->shape) {
  case JW_SHAPE_TRIANGLE:
    return def->amplitude * (triangle(x, def->x) * (plate ? triangle(y, def->y) : 1.0));
  case JW_SHAPE_HUMP:
    return distance < 0.5 ? def->amplitude * 0.5 * (1.0 + jw_cos(2.0 * JW_PI * distance)) : 0.0;
  case JW_SHAPE_SINE: return def->amplitude * jw_sin(JW_PI * x) * (plate ? jw_sin(JW_PI * y) : 1.0);
  }
  return 0.0;
}

// Places taken together, so that a mode's sines are turned from place to place and not worked out
// at each.
#define PLACES 64

// value[j] X(x + j h) added up.  Far from its end an exponential is below 1e-50: left out.
static double add_places(const JwShape* shape, double length, double x, double h,
                         const double* value, uint32_t count) {
  double sum = 0.0;
  if (shape->alpha == 0.0 || shape->beta * fmin(x, length - (x + (count - 1) * h)) < 115.0) {
    for (uint32_t j = 0; j < count; ++j) {
      sum += value[j] * jw_shape_at(shape, length, x + j * h);
    }
    return sum;
  }
  const double c = jw_cos(shape->alpha * h), s = jw_sin(shape->alpha * h);
  double cosine = jw_cos(shape->alpha * x), sine = jw_sin(shape->alpha * x);
  for (uint32_t j = 0; j < count; ++j) {
    sum += value[j] * (shape->a * cosine + shape->b * sine);
    const double turned = c * cosine - s * sine;
    sine = s * cosine + c * sine;
    cosine = turned;
  }
  return sum;
}

// value sin((p + 1) pi x), for all p.
static void add_sines(double x, double value, double* q, uint32_t modes) {
  const double twice = 2.0 * jw_cos(JW_PI * x);
  double last = 0.0, now = jw_sin(JW_PI * x);
  for (uint32_t p = 0; p < modes; ++p) {
    q[p] += value * now;
    const double next = twice * now - last;
    last = now;
    now = next;
  }
}

// Modes of a string: q_p = rA integral of shape X_p / m_p, by the trapezium rule on a grid four
// times finer than the shortest mode.
static void project(const JwInitialDef* def, const JwObject* object, double* q) {
  const uint32_t modes = jw_string_points(object), steps = 4 * (modes + 1);
  const double length = object->def.string.length;
  double value[PLACES];
  for (uint32_t j = 0; j <= steps; j += PLACES) {
    const uint32_t count = steps + 1 - j < PLACES ? steps + 1 - j : PLACES;
    for (uint32_t i = 0; i < count; ++i) {
      const double part = (j + i == 0 || j + i == steps ? 0.5 : 1.0) / steps;
      value[i] = part * initial_shape(def, object, (double)(j + i) / steps, 0.0);
    }
    for (uint32_t p = 0; p < modes && object->bank.shapes; ++p) {
      const JwShape* const shape = &object->bank.shapes[p];
      q[p] += object->info.mass / shape->mass
              * add_places(shape, length, j * length / steps, length / steps, value, count);
    }
    for (uint32_t i = 0; i < count && !object->bank.shapes; ++i) {
      add_sines((double)(j + i) / steps, 2.0 * value[i], q, modes);
    }
  }
}

// Modes of a plate: q_mn = (4/A) integral of shape sin sin, by the trapezium rule on a grid four
// times
// finer than the shortest wave: along x first, then along y.
static void project_plate(const JwInitialDef* def, const JwObject* object, double* q) {
  const JwPlateModes* const plate = &object->grid.modes;
  const uint32_t nx = 4 * (plate->axis[0].modes + 1), ny = 4 * (plate->axis[1].modes + 1);
  double *const along = plate->axis[0].sines, *const across = plate->axis[1].sines;
  for (uint32_t j = 1; j < ny; ++j) { // Sines are zero on the edges
    const double y = (double)j / ny;
    memset(along, 0, plate->axis[0].modes * sizeof(double));
    memset(across, 0, plate->axis[1].modes * sizeof(double));
    for (uint32_t i = 1; i < nx; ++i) {
      const double x = (double)i / nx;
      add_sines(x, 2.0 / nx * initial_shape(def, object, x, y), along, plate->axis[0].modes);
    }
    add_sines(y, 2.0 / ny, across, plate->axis[1].modes);
    for (uint32_t i = 0; i < object->dofs; ++i) {
      q[i] += along[plate->waves[i].m - 1] * across[plate->waves[i].n - 1];
    }
  }
}

static void add_initial(const JwInitialDef* def, const JwObject* object, double* values) {
  if (object->dense && object->ops->places == JW_PLACES_PLANE) {
    project_plate(def, object, values);
    return;
  }
  double part[2];
  jw_direction_parts(def->degrees, part);
  const uint32_t count = object->dofs / jw_object_directions(object);
  for (uint32_t d = 0; d < jw_object_directions(object); ++d) {
    JwInitialDef shape = *def;
    shape.amplitude *= part[d];
    if (object->dense) {
      project(&shape, object, values + d * count);
    }
    for (uint32_t i = d * count; i < (d + 1) * count && !object->dense; ++i) {
      double x, y;
      object->ops->locate(object, i, &x, &y);
      values[jw_object_offset(object, i)] += initial_shape(&shape, object, x, y);
    }
  }
}

// Displacement u and velocity v become u and prev = u - k v + k^2/2 (acceleration): second order;
// of modes with g v of bank.c for k v.  JW_NEXT holds v, then the free step from rest.
static void start_object(JwWorld* world, uint32_t index) {
  JwObject* const object = jw_object_at(world, index);
  double *const u = object->level[JW_NOW], *const spare = object->level[JW_NEXT],
                *const prev = object->level[JW_PREV];
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

static void start_numbers(JwWorld* world) {
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (object->position) {
      *object->position = object->ops->position(object);
    }
  }
  for (uint32_t i = 0; i < world->forces.count; ++i) {
    const JwForceDef* const def = &jw_force_at(world, i)->def;
    world->force_states[i].amplitude = def->amplitude;
    const double start = jw_frames_of(world, def->start);
    world->force_states[i].start = def->shape == JW_FORCE_SIGNAL ? floor(start + 0.5) : start;
  }
  for (uint32_t i = 0; i < world->pickups.count; ++i) {
    const JwPickupDef* const def = &jw_pickup_at(world, i)->def;
    double* const gains = world->gains + 4 * (size_t)i;
    gains[0] = def->gain;
    gains[1] = def->pan;
    jw_gains_pan(gains);
  }
}

// A bow's velocity is that of the step before.
static void start_bows(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    if (point->ops->branches) {
      const double moved = jw_point_gap(point, JW_NOW) - jw_point_gap(point, JW_PREV);
      point->step.state->velocity = moved / world->k - point->step.law->speed;
    }
  }
}

void jw_world_start(JwWorld* world) {
  memset(world->state, 0, world->state_size);
  start_numbers(world);
  for (uint32_t i = 0; i < world->component_count; ++i) {
    jw_component_turn(&world->components[i], 0);
  }
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    if (jw_object_at(world, i)->dofs) {
      start_object(world, i);
    }
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_offset(world, jw_contact_at(world, i));
  }
  jw_controls_start(world);
  for (uint32_t i = 0; i < world->component_count; ++i) {
    JwComponent* const component = &world->components[i];
    component->disturbed = JW_MOVED_STATE;
    jw_islands_build(world, component);
    jw_component_begin(world, component);
    start_bows(world, component);
    component->state->awake = true;
    component->state->lost = component->state->supplied = (JwSum){0.0, 0.0};
    if (world->def.ledger) {
      jw_ledger_start(component);
    }
  }
}
