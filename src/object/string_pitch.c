// SPDX-License-Identifier: MIT
// How high a string by finite differences sounds at each tension, and back: its pitch can be moved
// in hertz and in cents as well as by its tension.
//
// The square of the lowest frequency rises with the tension T: in a straight line between supported
// ends, as T + c sqrt(T) and the like between others.  So it is tabled once, at plan, for the
// tensions
//
//   T_i = T_most (i/n)^2,   n = JW_PITCHES - 1,   T_most = the tension times its bend
//
// as its grid sounds (string_tune.c), and read in straight lines of T against f^2: within a tenth
// of a cent from T_most/16 on.  No search, no libm: a bow may glide in every frame.
//
// Tested by test_control.c.

#include "numeric/elementary.h"
#include "numeric/power.h"
#include "object/string_shapes.h"

#include <math.h>

#define LEAST_RATIO 0x1p-20 // A string without tension has no pitch: its cents end 20 octaves down
#define CENT (0.69314718055994530942 / 1200.0) // ln 2 / 1200

double jw_cents_ratio(double cents) {
  return jw_exp(CENT * cents);
}

double jw_string_pitch(const JwStringDef* def, const JwStringPhysics* physics) {
  if (def->ends[0] == JW_END_SUPPORTED && def->ends[1] == JW_END_SUPPORTED) {
    return jw_string_frequency(physics, def->length, 1);
  }
  const bool floats = def->ends[0] == JW_END_FREE || def->ends[1] == JW_END_FREE;
  const bool clamped = def->ends[0] == JW_END_CLAMPED || def->ends[1] == JW_END_CLAMPED;
  if (physics->tension == 0.0 && (physics->bending == 0.0 || (floats && !clamped))) {
    return 0.0; // Nothing turns a hinged or floating bar back
  }
  const JwHeldString string = {*physics, def->length, {def->ends[0], def->ends[1]}};
  return jw_string_lowest(&string);
}

static double most_tension(const JwObject* object) {
  return object->info.tension * object->def.string.bend;
}

static double knot(const JwObject* object, uint32_t i) {
  const double part = (double)i / (JW_PITCHES - 1);
  return part * part * most_tension(object);
}

void jw_string_pitch_plan(JwObject* object, const JwStringPhysics* physics) {
  JwStringPhysics bent = *physics;
  for (uint32_t i = 0; i < JW_PITCHES; ++i) {
    bent.tension = knot(object, i);
    const double pitch =
        jw_string_grid_pitch(&object->def.string, &bent, &object->grid.string, object->k);
    object->grid.string.squares[i] = pitch * pitch;
  }
}

// The interval of a rising table in which a value lies, the first or last for those beyond.
static uint32_t interval_of(const double table[JW_PITCHES], double value) {
  uint32_t low = 0, high = JW_PITCHES - 1;
  while (high - low > 1) {
    const uint32_t mid = (low + high) / 2;
    *(table[mid] <= value ? &low : &high) = mid;
  }
  return low;
}

static double tension_at(const JwObject* object, double pitch) {
  const double* const squares = object->grid.string.squares;
  const double square = pitch * pitch;
  if (!(square >= squares[0] * (1.0 - 1e-12))) {
    return JW_UNSET; // No tension is as low
  }
  const uint32_t i = interval_of(squares, square);
  const double low = knot(object, i), wide = squares[i + 1] - squares[i];
  return wide > 0.0 ? fmax(0.0, low + (knot(object, i + 1) - low) * ((square - squares[i]) / wide))
                    : low;
}

static double pitch_at(const JwObject* object, double tension) {
  const double* const squares = object->grid.string.squares;
  uint32_t i = 0;
  while (i + 2 < JW_PITCHES && knot(object, i + 1) <= tension) {
    ++i;
  }
  const double low = knot(object, i), wide = knot(object, i + 1) - low;
  return sqrt(squares[i]
              + (wide > 0.0 ? (squares[i + 1] - squares[i]) * ((tension - low) / wide) : 0.0));
}

// Where the cents count from: the pitch that was asked for, before its own cents.
static double zero_cents(const JwObject* object) {
  return pitch_at(object, object->info.tension) / jw_cents_ratio(object->def.string.cents);
}

JW_REALTIME double jw_string_tension_of(const JwObject* object, JwControl scale, double value) {
  switch (scale) {
  case JW_CONTROL_FREQUENCY: return tension_at(object, value);
  case JW_CONTROL_CENTS: return tension_at(object, zero_cents(object) * jw_exp(CENT * value));
  default: return value;
  }
}

JW_REALTIME double jw_string_tension_as(const JwObject* object, JwControl scale, double tension) {
  switch (scale) {
  case JW_CONTROL_FREQUENCY: return pitch_at(object, tension);
  case JW_CONTROL_CENTS:
    return 1200.0 * jw_log2(fmax(pitch_at(object, tension) / zero_cents(object), LEAST_RATIO));
  default: return tension;
  }
}
