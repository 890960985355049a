// SPDX-License-Identifier: MIT
// A string by its modes, whatever its ends.
//
// Supported ends: X_p = sin(p pi x), modal mass rA L/2, and port weights from the recurrence
// sin((p+1) a) = 2 cos(a) sin(p a) - sin((p-1) a), cheap enough to move a port while sounding.
// Other ends: the shapes of string_shapes.c.  Modes are as many as lie below the scheme's limit, or
// as many as asked for.  A mode decays at s0 + s1 g, with g its mean squared wave number; for ends
// other than supported the loss s1 would also couple modes, which is left out.

#include "numeric/elementary.h"
#include "object/string_shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The most modes kept when the sample rate alone would allow more.
#define MOST_MODES 100000
#define MOST_SHAPES 10000

static bool is_supported(const JwStringDef* def) {
  return def->ends[0] == JW_END_SUPPORTED && def->ends[1] == JW_END_SUPPORTED;
}

static JwHeldString held(const JwStringDef* def, const JwStringPhysics* physics) {
  const JwHeldString string = {*physics, def->length, {def->ends[0], def->ends[1]}};
  return string;
}

// The highest frequency below which a mode is stable.
static double highest_frequency(const JwObject* object) {
  return (object->def.string.scheme == JW_SCHEME_EXACT ? 0.5 : 1.0 / JW_PI) / object->k
         * (1.0 - 1e-9);
}

static JwMode supported_mode(const JwStringDef* def, const JwStringPhysics* physics, uint32_t p) {
  const double g = p * JW_PI / def->length * (p * JW_PI / def->length);
  const JwMode mode = {jw_string_frequency(physics, def->length, p),
                       physics->loss[0] + physics->loss[1] * g, physics->mass * def->length / 2.0};
  return mode;
}

// The definition whose first mode sounds as high as is asked for: leapfrog raises a frequency,
// losses lower it.
static JwStringDef tuned(const JwObject* object) {
  JwStringDef def = object->def.string;
  if (isnan(def.frequency)) {
    return def;
  }
  const double k = object->k, ratio = jw_cents_ratio(def.cents),
               w = 2.0 * JW_PI * def.frequency * ratio, half = jw_sin(0.5 * w * k);
  const double s = def.loss[0] + def.loss[1] * (JW_PI / def.length) * (JW_PI / def.length);
  const double kept = sqrt((1.0 - s * k) / (1.0 + s * k));
  const double leapfrog =
      ((1.0 - kept) * (1.0 - kept) + 4.0 * kept * half * half) * (1.0 + s * k) / (k * k);
  def.frequency =
      sqrt(def.scheme == JW_SCHEME_EXACT ? w * w + s * s : leapfrog) / (2.0 * JW_PI * ratio);
  return def;
}

static uint32_t stable_modes(const JwObject* object, const JwStringPhysics* physics) {
  const JwStringDef* const def = &object->def.string;
  if (!is_supported(def)) {
    const JwHeldString string = held(def, physics);
    return jw_string_shapes(&string, highest_frequency(object),
                            def->modes ? def->modes : MOST_SHAPES, NULL);
  }
  uint32_t p = 0;
  while (p < MOST_MODES
         && jw_string_frequency(physics, def->length, p + 1) < highest_frequency(object)) {
    ++p;
  }
  return p;
}

static JwStatus plan(JwObject* object, char* error) {
  const JwStringDef* const def = &object->def.string;
  const JwStringDef asked = tuned(object);
  JwStringPhysics physics;
  JwStatus status = jw_string_physics(&asked, &physics, error);
  status = status ? status : jw_string_stretch(object, &physics, error);
  if (status) {
    return status;
  }
  if (object->stretch > 0.0 && !is_supported(def)) {
    snprintf(error, JW_ERROR_SIZE,
             "nonlinear must be none by modes where an end is not supported: use a grid");
    return JW_STATUS_BAD_VALUE;
  }
  const uint32_t most = stable_modes(object, &physics);
  if (most == 0 || def->modes > most) {
    snprintf(error, JW_ERROR_SIZE, "modes is %u, must be from 1 to %u at this sample rate",
             def->modes, most);
    return JW_STATUS_UNSTABLE;
  }
  const JwHeldString string = held(def, &physics);
  JwObjectInfo* const info = &object->info;
  info->tension = physics.tension;
  JwMode first = supported_mode(def, &physics, 1);
  first.frequency = jw_string_pitch(def, &physics);
  info->fundamental = jw_mode_pitch(&first, def->scheme, object->k);
  if (!is_supported(def)) { // It may be one that nothing holds
    JwShape shape;
    (void)jw_string_shapes(&string, HUGE_VAL, 1, &shape);
    first.frequency = shape.frequency;
    first.decay = physics.loss[0];
  }
  const uint32_t modes = def->modes ? def->modes : most;
  jw_bank_plan(object, def->directions * modes, jw_mode_pace(&first));
  object->strain_cost = object->local ? 6.0 * object->dofs * (modes + 10.0) : 0.0;
  info->points = info->grid[0] = modes;
  // Of other ends the highest mode lies within two of the supported string's.
  info->margin = 1.0 / (JW_PI * jw_string_frequency(&physics, def->length, modes) * object->k);
  info->mass = physics.mass * def->length;
  info->loss[0] = physics.loss[0];
  info->loss[1] = physics.loss[1];
  return JW_STATUS_OK;
}

static void layout(JwObject* object, JwArena* arena) {
  jw_bank_layout(object, arena);
  object->bank.shapes =
      is_supported(&object->def.string) ? NULL : JW_TAKE(arena, jw_string_points(object), JwShape);
  if (object->local) {
    const uint32_t modes = jw_string_points(object);
    JwSlopes* const slopes = &object->bank.slopes;
    slopes->half = modes + 1; // Of twice as many places, which sums of four cosines need
    slopes->table = JW_TAKE(arena, (uint64_t)modes * slopes->half, double);
    for (uint32_t d = 0; d < object->def.string.directions; ++d) {
      slopes->even[d] = JW_TAKE(arena, slopes->half, double);
      slopes->odd[d] = JW_TAKE(arena, slopes->half, double);
    }
  }
}

// Places lie in the middles of equal parts of the string.
static void fill_slopes(JwObject* object) {
  const JwSlopes* const slopes = &object->bank.slopes;
  for (uint32_t j = 0; j < slopes->half; ++j) {
    const double x = (j + 0.5) / (2.0 * slopes->half), c = jw_cos(JW_PI * x);
    double last = 1.0, now = c;
    for (uint32_t i = 0; i < jw_string_points(object); ++i) {
      slopes->table[(size_t)i * slopes->half + j] =
          (i + 1.0) * JW_PI / object->def.string.length * now;
      const double next = 2.0 * c * now - last;
      last = now;
      now = next;
    }
  }
}

static void setup(JwObject* object) {
  const JwStringDef* const def = &object->def.string;
  JwStringPhysics physics;
  char unused[JW_ERROR_SIZE];
  const JwStringDef asked = tuned(object);
  const uint32_t modes = jw_string_points(object);
  if (jw_string_physics(&asked, &physics, unused)) {
    return; // plan() has refused it already
  }
  if (object->bank.shapes) {
    const JwHeldString string = held(def, &physics);
    (void)jw_string_shapes(&string, highest_frequency(object), modes, object->bank.shapes);
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    JwMode mode = supported_mode(def, &physics, i % modes + 1);
    if (object->bank.shapes) {
      const JwShape* const shape = &object->bank.shapes[i % modes];
      mode.frequency = shape->frequency;
      mode.decay = physics.loss[0] + physics.loss[1] * shape->slope;
      mode.mass = shape->mass;
    }
    jw_bank_mode(object, i, &mode, def->scheme);
  }
  if (object->local) {
    fill_slopes(object);
  }
}

static JW_REALTIME void turn_weights(double* weight, uint32_t modes, double degrees) {
  double part[2];
  jw_direction_parts(degrees, part);
  for (uint32_t i = 0; i < modes; ++i) {
    weight[modes + i] = part[1] * weight[i];
    weight[i] *= part[0];
  }
}

static JW_REALTIME void weigh(const JwObject* object, const JwPort* port, JwWeights* weights) {
  const double length = object->def.string.length;
  const double twice = 2.0 * jw_cos(JW_PI * port->x);
  double last = 0.0, now = jw_sin(JW_PI * port->x);
  const uint32_t modes = jw_string_points(object);
  weights->count = object->dofs;
  for (uint32_t i = 0; i < modes; ++i) {
    weights->weight[i] =
        object->bank.shapes ? jw_shape_at(&object->bank.shapes[i], length, port->x * length) : now;
    const double next = twice * now - last;
    last = now;
    now = next;
  }
  if (object->dofs > modes) {
    turn_weights(weights->weight, modes, port->degrees);
  }
}

// X_p = sin(p pi x/L): K is diagonal, (p pi/L)^2 L/2.                                  (8.1)
static JW_REALTIME double stretch(const JwObject* object, double scale, const double* restrict q,
                                  double* restrict kq) {
  const double first = scale * 0.5 * JW_PI * JW_PI / object->def.string.length;
  const uint32_t modes = jw_string_points(object);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double p = i % modes + 1.0;
    kq[i] = first * (p * p) * q[i];
  }
  return jw_dot(object->dofs, kq, q);
}

// 1 - 1/w with w = sqrt(1 + s^2), given s^2: times s it is what pulls; adds (w - 1)^2.
static double pull_of(double x, double* energy) {
  const double w = sqrt(1.0 + x), e = x / (1.0 + w);
  *energy += e * e;
  return e / w;
}

// Slopes at all places, of each direction.
static void fill_places(const JwObject* object, const double* q) {
  const JwSlopes* const slopes = &object->bank.slopes;
  const uint32_t half = slopes->half, modes = jw_string_points(object);
  for (uint32_t d = 0; d < object->def.string.directions; ++d) {
    memset(slopes->even[d], 0, half * sizeof(double));
    memset(slopes->odd[d], 0, half * sizeof(double));
    for (uint32_t i = 0; i < modes; ++i) { // Mode i + 1
      jw_axpy(half, slopes->table + (size_t)i * half, q[d * modes + i],
              i % 2 ? slopes->even[d] : slopes->odd[d]);
    }
  }
}

// V = (EA - T)/2 sum h (w - 1)^2 over places in the middles of equal parts h.           (8.3)
static JW_REALTIME double strain(const JwObject* object, const double* q, double* slope) {
  const JwSlopes* const slopes = &object->bank.slopes;
  const uint32_t half = slopes->half, modes = jw_string_points(object),
                 directions = object->def.string.directions;
  const double h = object->def.string.length / (2.0 * half);
  fill_places(object, q);
  double sum = 0.0;
  for (uint32_t j = 0; j < half; ++j) {
    double near = 0.0, far = 0.0; // Squared slopes of a place and of its mirror image
    for (uint32_t d = 0; d < directions; ++d) {
      const double s = slopes->even[d][j] + slopes->odd[d][j],
                   t = slopes->even[d][j] - slopes->odd[d][j];
      near += s * s;
      far += t * t;
    }
    near = pull_of(near, &sum);
    far = pull_of(far, &sum);
    for (uint32_t d = 0; d < directions; ++d) {
      const double s = slopes->even[d][j] + slopes->odd[d][j],
                   t = slopes->even[d][j] - slopes->odd[d][j];
      slopes->even[d][j] = s * near + t * far;
      slopes->odd[d][j] = s * near - t * far;
    }
  }
  for (uint32_t i = 0; slope && i < object->dofs; ++i) {
    const uint32_t d = i / modes, mode = i % modes;
    slope[i] = object->stretch * h
               * jw_dot(half, slopes->table + (size_t)mode * half,
                        mode % 2 ? slopes->even[d] : slopes->odd[d]);
  }
  return 0.5 * object->stretch * h * sum;
}

const JwObjectOps jw_string_modes_ops = {
    .kind = JW_KIND_STRING,
    .places = JW_PLACES_LINE,
    .operations = 5.0,
    .plan = plan,
    .layout = layout,
    .setup = setup,
    .advance = jw_bank_advance,
    .weigh = weigh,
    .energy = jw_bank_energy,
    .dissipate = jw_bank_dissipate,
    .stretch = stretch,
    .strain = strain,
};
