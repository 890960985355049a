// SPDX-License-Identifier: MIT
// A bank of damped oscillators: masses, modal objects, strings by modes.
//
//   symbol  meaning                                     unit
//   q       modal displacement                          m
//   w0, s   angular frequency without loss, decay       1/s
//   m       modal mass                                  kg
//   e, b    velocity kept, restoring part               1
//   y       admittance: next displacement a force adds  m/N
//   g       displacement before the first step that a   s
//           velocity of 1 m/s starts with
//
// One step, with f the modal force:
//
//   q+ = q + e (q - q-) - b q + y f                                                  (1.4)
//
// Leapfrog (the papers'):  e = (1 - sk)/(1 + sk), b = w0^2 k^2/(1 + sk), y = k^2/(m (1 + sk)).
// Exact poles:             e = exp(-2sk), b = 1 + e - 2 exp(-sk) cos(wk), w^2 = w0^2 - s^2,
//                          y = (k^2/4m)(2(1 + e) - b).
//
// A velocity v starts leapfrog with q- = q - k v.  An exact mode swings as (v/w) sin(w t): g =
// sin(wk)/w.  With k instead, one near the Nyquist frequency would swing with wk/sin(wk) of what it
// should, a thousandfold.
//
// Both are M' dtt q + R' dt. q + K' q = f with
//
//   M'/k^2 = (1 + e)/2y,   R'/2k = (1 - e)/2y,   K' = b/y                            (1.5)
//
// so one ledger serves both.  Its energy (1 + e)/4y (q - q-)^2 + b/2y q q- is a difference of large
// numbers for a mode near the Nyquist frequency, whose b is near 2 (1 + e) and q near -q-.  The
// same without, q q- being (q + q-)^2/4 - (q - q-)^2/4:
//
//   H = (2 (1 + e) - b)/8y (q - q-)^2 + b/8y (q + q-)^2                               (1.11)
//
// with m/2k^2 in front of the first with exact poles.  b is computed without cancellation and kept,
// because a slow oscillator has b near 1e-9, and 1 + e - b would keep only half of its digits.  The
// ledger's 1 - e is that of the e which the step uses, exact since e is rounded: the loss asked for
// differs by up to eps/4 of the energy, with one sign in every frame.
//
// A difference of displacements has lost q/(q - q-) of its digits: 1/(w0 k) of a mode that swings,
// and of one with more loss than that what its slower pole says, w0^2/2s.  One without a spring
// goes on for as long as a bow drives it, whatever its losses.  Where that is more than 2^11 (below
// 3.4 Hz at 44.1 kHz) for one mode, all of its bank carry their steps d = q - q-, as a mass does
// (mass.c):
//
//   d+ = e d - b q + y f,   q+ = q + d+                                              (1.10)
//
// Tested by test_objects.c and, with contacts, test_systems.c and test/random.

#include "numeric/elementary.h"
#include "numeric/power.h"
#include "object/object.h"

#include <math.h>

#define SLOW (1.0 / 2048.0) // Pace times k

double jw_mode_pace(const JwMode* mode) {
  const double w0 = 2.0 * JW_PI * mode->frequency, s = mode->decay;
  return s > w0 ? w0 * w0 / (s + sqrt(s * s - w0 * w0)) : w0;
}

void jw_bank_plan(JwObject* object, uint32_t modes, double slowest) {
  object->dofs = object->points = object->port_weights = modes;
  object->dense = true;
  object->carries_step = slowest * object->k < SLOW;
  object->size = object->carries_step ? 2 * modes : modes;
}

void jw_bank_layout(JwObject* object, JwArena* arena) {
  object->bank.e = JW_TAKE(arena, object->dofs, double);
  object->bank.b = JW_TAKE(arena, object->dofs, double);
  object->bank.kinetic = JW_TAKE(arena, object->dofs, double);
  object->bank.potential = JW_TAKE(arena, object->dofs, double);
  object->bank.lost = JW_TAKE(arena, object->dofs, double);
  object->bank.begin = JW_TAKE(arena, object->dofs, double);
  object->bank.pushes = JW_TAKE(arena, object->dofs, double);
}

bool jw_mode_stable(const JwMode* mode, JwScheme scheme, double k) {
  const double wk = 2.0 * JW_PI * mode->frequency * k;
  return wk < (scheme == JW_SCHEME_EXACT ? JW_PI : 2.0) * (1.0 - 1e-9);
}

double jw_mode_pitch(const JwMode* mode, JwScheme scheme, double k) {
  const double w0 = 2.0 * JW_PI * mode->frequency, s = mode->decay;
  if (scheme == JW_SCHEME_EXACT) {
    return w0 > s ? sqrt(w0 * w0 - s * s) / (2.0 * JW_PI) : 0.0;
  }
  const double kept = sqrt(fabs(1.0 - s * k) / (1.0 + s * k)), b = w0 * w0 * k * k / (1.0 + s * k);
  const double square = (b - (1.0 - kept) * (1.0 - kept)) / (4.0 * kept);
  return square > 0.0 ? jw_arc_sine(sqrt(fmin(square, 1.0))) / (JW_PI * k) : 0.0;
}

static double exact_restoring(double w0, double s, double k) {
  if (s < w0) {
    const double kept = jw_exp(-s * k);
    const double gone = -jw_expm1_negative(-s * k);
    const double half = jw_sin(0.5 * sqrt(w0 * w0 - s * s) * k);
    return gone * gone + 4.0 * kept * half * half;
  }
  const double fast = s + sqrt(s * s - w0 * w0); // Two real poles: fast and w0^2 / fast
  const double slow = fast > 0.0 ? w0 * w0 / fast : 0.0;
  return jw_expm1_negative(-slow * k) * jw_expm1_negative(-fast * k);
}

static double exact_begin(double w0, double s, double k) {
  const double w = s < w0 ? sqrt(w0 * w0 - s * s) : 0.0;
  return w * k > 1e-8 ? jw_sin(w * k) / w : k;
}

void jw_bank_mode(JwObject* object, uint32_t i, const JwMode* mode, JwScheme scheme) {
  const double k = object->k, s = mode->decay, w0 = 2.0 * JW_PI * mode->frequency;
  JwBank* const bank = &object->bank;
  if (scheme == JW_SCHEME_EXACT) {
    const double d = -jw_expm1_negative(-2.0 * s * k);
    bank->b[i] = exact_restoring(w0, s, k);
    bank->begin[i] = exact_begin(w0, s, k);
    bank->e[i] = 1.0 - d;
    object->y[i] = k * k / (4.0 * mode->mass) * (2.0 * (2.0 - d) - bank->b[i]);
  } else {
    const double damped = 1.0 + s * k;
    bank->b[i] = w0 * w0 * k * k / damped;
    bank->begin[i] = k;
    bank->e[i] = 1.0 - 2.0 * s * k / damped;
    object->y[i] = k * k / (mode->mass * damped);
  }
  const double room =
      2.0 * bank->e[i] - (bank->b[i] - 2.0); // 2 (1 + e) - b, exact where it is small
  bank->kinetic[i] = room / (8.0 * object->y[i]);
  bank->potential[i] = bank->b[i] / (8.0 * object->y[i]);
  bank->lost[i] = (1.0 - bank->e[i]) / (4.0 * object->y[i]);
}

static void advance_steps(const JwObject* object, double* next, const double* u) {
  const uint32_t n = object->dofs;
  for (uint32_t i = 0; i < n; ++i) {
    next[n + i] = object->bank.e[i] * u[n + i] - object->bank.b[i] * u[i];
    next[i] = u[i] + next[n + i];
  }
}

JW_REALTIME void jw_bank_advance(const JwObject* object, double* next, const double* u,
                                 const double* prev) {
  if (object->carries_step) {
    advance_steps(object, next, u);
    return;
  }
  jw_modes_advance(object->dofs, object->bank.e, object->bank.b, next, u, prev);
}

JW_REALTIME JwStored jw_bank_energy(const JwObject* object, const double* u, const double* prev) {
  JwSum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double v = object->carries_step ? u[object->dofs + i] : u[i] - prev[i];
    jw_sum_add(&kinetic, object->bank.kinetic[i] * v * v);
    const double twice = u[i] + prev[i];
    jw_sum_add(&potential, object->bank.potential[i] * twice * twice);
  }
  const JwStored stored = {jw_sum_value(&kinetic), jw_sum_value(&potential)};
  return stored;
}

// Terms are never negative, so that a sum in sixteen digits is good to about as many.
JW_REALTIME double jw_bank_dissipate(const JwObject* object, const double* next, const double* u,
                                     const double* prev) {
  const uint32_t n = object->dofs;
  if (!object->carries_step) {
    return jw_weighted_distance(n, object->bank.lost, next, prev);
  }
  double lost = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    const double v = next[n + i] + u[n + i];
    lost += object->bank.lost[i] * v * v;
  }
  return lost;
}
