// SPDX-License-Identifier: MIT
// What several kinds share: tables, ports along an axis, losses from decay times.

#include "object/kinds.h"

#include "numeric/elementary.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

const JwObjectOps* jw_object_ops(JwKind kind, const void* def) {
  switch (kind) {
  case JW_KIND_MASS: return &jw_mass_ops;
  case JW_KIND_STRING:
    return ((const JwStringDef*)def)->method == JW_METHOD_MODES ? &jw_string_modes_ops
                                                                : &jw_string_grid_ops;
  case JW_KIND_PLATE:
    return ((const JwPlateDef*)def)->method == JW_METHOD_MODES ? &jw_plate_modes_ops
                                                               : &jw_plate_grid_ops;
  case JW_KIND_MODAL: return &jw_modal_ops;
  case JW_KIND_BARRIER: return &jw_barrier_ops;
  default: assert(!"not an object"); return NULL;
  }
}

void jw_weights_layout(JwWeights* weights, const JwObject* object, JwArena* arena) {
  weights->capacity = object->port_weights;
  weights->offset = JW_TAKE(arena, object->dense ? 0 : object->port_weights, uint32_t);
  weights->weight = JW_TAKE(arena, object->port_weights, double);
}

// Lagrange weights on four neighbouring grid points, t from the second of them.
static void cubic_weights(double t, double weight[4]) {
  weight[0] = -t * (t - 1.0) * (t - 2.0) / 6.0;
  weight[1] = (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0;
  weight[2] = -(t + 1.0) * t * (t - 2.0) / 2.0;
  weight[3] = (t + 1.0) * t * (t - 1.0) / 6.0;
}

// A place within 1e-9 of a grid point is that point: rounding must not tie neighbours together.
JW_REALTIME uint32_t jw_axis_weights(double x, uint32_t intervals, JwReading reading,
                                     uint32_t point[4], double weight[4]) {
  const double place = x * intervals, nearest = floor(place + 0.5);
  if (reading == JW_READ_NEAREST || fabs(place - nearest) < 1e-9) {
    point[0] = (uint32_t)nearest;
    weight[0] = 1.0;
    return 1;
  }
  uint32_t left = (uint32_t)place;
  left = left < intervals ? left : intervals - 1;
  if (reading == JW_READ_LINEAR) {
    point[0] = left;
    point[1] = left + 1;
    weight[1] = place - left;
    weight[0] = 1.0 - weight[1];
    return 2;
  }
  uint32_t first = left > 0 ? left - 1 : 0;
  first = first + 3 <= intervals ? first : intervals - 3;
  cubic_weights(place - (first + 1.0), weight);
  for (uint32_t i = 0; i < 4; ++i) {
    point[i] = first + i;
  }
  return 4;
}

static double sine_of_degrees(double degrees) {
  const double size = fabs(degrees), folded = size > 90.0 ? 180.0 - size : size;
  return copysign(jw_sin(JW_PI / 180.0 * folded), degrees);
}

JW_REALTIME void jw_direction_parts(double degrees, double part[2]) {
  part[0] = sine_of_degrees(90.0 - fabs(degrees));
  part[1] = sine_of_degrees(degrees);
}

JW_REALTIME double jw_quantize(double x) {
  return floor(x * 0x1p50 + 0.5) * 0x1p-50;
}

double jw_stiff_wave_number_squared(double omega, double c2, double kappa2) {
  // omega^2 = c2 g + kappa2 g^2, solved for g without cancellation
  const double w2 = omega * omega;
  return 2.0 * w2 / (c2 + sqrt(c2 * c2 + 4.0 * kappa2 * w2));
}

// A wave of squared number g decays as exp(-(s0 + s1 g) t); T60 is ln(1000) over that rate.
JwStatus jw_losses_from_decay(const double decay[4], double (*wave)(double, double, double),
                              double c2, double kappa2, double loss[2], char* error) {
  const double ln1000 = 6.907755278982137;
  for (int i = 0; i < 4; ++i) {
    if (!(decay[i] > 0.0) && !(i == 0 && decay[i] >= 0.0)) {
      snprintf(error, JW_ERROR_SIZE, "decay has %g, must be [f1, T60, f2, T60] with times above 0",
               decay[i]);
      return JW_STATUS_BAD_VALUE;
    }
  }
  const double g1 = wave(2.0 * JW_PI * decay[0], c2, kappa2),
               g2 = wave(2.0 * JW_PI * decay[2], c2, kappa2);
  const double r1 = ln1000 / decay[1], r2 = ln1000 / decay[3];
  if (!(g2 > g1)) {
    snprintf(error, JW_ERROR_SIZE, "decay has frequencies %g and %g Hz, the second must be higher",
             decay[0], decay[2]);
    return JW_STATUS_BAD_VALUE;
  }
  loss[1] = (r2 - r1) / (g2 - g1);
  loss[0] = r1 - loss[1] * g1;
  if (loss[0] < 0.0 || loss[1] < 0.0) {
    snprintf(
        error, JW_ERROR_SIZE,
        "decay of %g s at %g Hz and %g s at %g Hz gives losses %g and %g, which must not be negative",
        decay[1], decay[0], decay[3], decay[2], loss[0], loss[1]);
    return JW_STATUS_BAD_VALUE;
  }
  return JW_STATUS_OK;
}

JW_REALTIME bool jw_edges_float(const JwEnd* edges, int count, double tension) {
  int hinges = 0, clamps = 0;
  for (int i = 0; i < count; ++i) {
    hinges += edges[i] == JW_END_SUPPORTED;
    clamps += edges[i] == JW_END_CLAMPED;
  }
  return clamps == 0 && (hinges == 0 || (hinges == 1 && tension == 0.0));
}
