// SPDX-License-Identifier: MIT
// A string's physical constants from what the definition gives, whatever the method.

#include "numeric/elementary.h"
#include "object/string_shapes.h"

#include <math.h>
#include <stdio.h>

// Other ends than supported: the lowest frequency rises with the tension, so bisection finds it.
static JwStatus tension_by_search(const JwStringDef* def, JwStringPhysics* physics, char* error) {
  JwHeldString string = {*physics, def->length, {def->ends[0], def->ends[1]}};
  double low = 0.0,
         high = 64.0 * def->length * def->length * def->frequency * def->frequency * physics->mass;
  const bool floats = def->ends[0] == JW_END_FREE
                      || def->ends[1] == JW_END_FREE; // Without tension: see add_rigid()
  string.physics.tension = floats && physics->bending == 0.0 ? 1e-9 * high : 0.0;
  const double least =
      string.physics.tension > 0.0 || physics->bending > 0.0 ? jw_string_lowest(&string) : 0.0;
  const bool hinge = floats && def->ends[0] != JW_END_CLAMPED && def->ends[1] != JW_END_CLAMPED;
  if (!hinge && def->frequency < least) { // A hinged or floating bar can be tuned down to nothing
    snprintf(error, JW_ERROR_SIZE,
             "frequency is %g Hz, must be at least %g Hz, where the bending alone puts it",
             def->frequency, least);
    return JW_STATUS_BAD_VALUE;
  }
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    string.physics.tension = 0.5 * (low + high);
    *(jw_string_lowest(&string) < def->frequency ? &low : &high) = string.physics.tension;
  }
  physics->tension = 0.5 * (low + high);
  return JW_STATUS_OK;
}

static JwStatus find_tension(const JwStringDef* def, JwStringPhysics* physics, char* error) {
  const bool given = !isnan(def->tension), wanted = !isnan(def->frequency);
  if (given == wanted) {
    snprintf(error, JW_ERROR_SIZE,
             given ? "tension and frequency are both given, must be one of them"
                   : "tension or frequency is required");
    return JW_STATUS_BAD_VALUE;
  }
  if (given) {
    physics->tension = def->tension;
    return JW_STATUS_OK;
  }
  if (def->ends[0] != JW_END_SUPPORTED || def->ends[1] != JW_END_SUPPORTED) {
    return tension_by_search(def, physics, error);
  }
  // f1^2 = (T + EI (pi/L)^2) / (4 L^2 rA)
  const double bar = physics->bending * JW_PI * JW_PI / (def->length * def->length);
  physics->tension =
      4.0 * def->length * def->length * def->frequency * def->frequency * physics->mass - bar;
  if (physics->tension < 0.0) {
    snprintf(error, JW_ERROR_SIZE,
             "frequency is %g Hz, must be at least %g Hz, where the bending alone puts it",
             def->frequency, sqrt(bar / physics->mass) / (2.0 * def->length));
    return JW_STATUS_BAD_VALUE;
  }
  return JW_STATUS_OK;
}

// The tension that the definition asks for, with its cents.
static JwStatus find_detuned(const JwStringDef* def, JwStringPhysics* physics, char* error) {
  const JwStatus status = find_tension(def, physics, error);
  if (status || def->cents == 0.0 || !(physics->tension > 0.0 || physics->bending > 0.0)) {
    return status;
  }
  JwStringDef detuned = *def;
  detuned.tension = JW_UNSET;
  detuned.frequency = jw_string_pitch(def, physics) * jw_cents_ratio(def->cents);
  return find_tension(&detuned, physics, error);
}

JwStatus jw_string_physics(const JwStringDef* def, JwStringPhysics* physics, char* error) {
  const double r2 = def->radius * def->radius;
  physics->mass = isnan(def->mass_per_length) ? def->density * JW_PI * r2 : def->mass_per_length;
  physics->bending = isnan(def->bending) ? def->young * JW_PI * r2 * r2 / 4.0 : def->bending;
  const JwStatus status = find_detuned(def, physics, error);
  if (status) {
    return status;
  }
  if (!(physics->tension > 0.0 || physics->bending > 0.0)) {
    snprintf(error, JW_ERROR_SIZE,
             "tension and bending stiffness are both 0: nothing would hold it together");
    return JW_STATUS_BAD_VALUE;
  }
  physics->loss[0] = def->loss[0];
  physics->loss[1] = def->loss[1];
  if (isnan(def->decay[0]) && isnan(def->decay[1]) && isnan(def->decay[2])
      && isnan(def->decay[3])) {
    return JW_STATUS_OK;
  }
  return jw_losses_from_decay(def->decay, jw_stiff_wave_number_squared,
                              physics->tension / physics->mass, physics->bending / physics->mass,
                              physics->loss, error);
}

double jw_string_frequency(const JwStringPhysics* physics, double length, uint32_t p) {
  const double g = p * JW_PI / length * (p * JW_PI / length);
  return sqrt(g * (physics->tension + physics->bending * g) / physics->mass) / (2.0 * JW_PI);
}

JwStatus jw_string_stretch(JwObject* object, const JwStringPhysics* physics, char* error) {
  const JwStringDef* const def = &object->def.string;
  object->stretch = 0.0;
  object->local = def->nonlinear == JW_NONLINEAR_LOCAL;
  if (def->nonlinear == JW_NONLINEAR_NONE) {
    return JW_STATUS_OK;
  }
  if (def->ends[0] == JW_END_FREE || def->ends[1] == JW_END_FREE) {
    snprintf(error, JW_ERROR_SIZE, "nonlinear must be none where an end is free");
    return JW_STATUS_BAD_VALUE;
  }
  if (isnan(def->stretching) && !isnan(def->bending)) {
    snprintf(error, JW_ERROR_SIZE,
             "stretching is needed, where bending is given and nonlinear is not none");
    return JW_STATUS_BAD_VALUE;
  }
  const double ea =
      isnan(def->stretching) ? def->young * JW_PI * def->radius * def->radius : def->stretching;
  if (!(ea > physics->tension)) {
    snprintf(error, JW_ERROR_SIZE, "stretching is %g N, must be above the tension, %g N", ea,
             physics->tension);
    return JW_STATUS_BAD_VALUE;
  }
  const double excess = ea - physics->tension;
  object->stretch = object->local ? excess : sqrt(excess / (4.0 * def->length));
  return JW_STATUS_OK;
}
