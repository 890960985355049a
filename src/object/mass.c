// SPDX-License-Identifier: MIT
// A point mass: free, on a spring, damped.  One oscillator of a bank (bank.c), decay R/2M, that
// carries its step.
//
//   symbol  here  meaning                                     unit
//   x       u[0]  displacement                                m
//   d       u[1]  x - x-, its step                            m
//   e, b    bank  velocity kept, restoring part               1
//   y       y     admittance: next displacement a force adds  m/N
//
//   d+ = e d - b x + y f,   x+ = x + d+                                             (1.10)
//
// This is (1.4) with the difference as state.  Nothing holds a free mass: at a distance x a
// difference of two displacements has lost x/d of its digits, and with it the velocity, the kinetic
// energy and all that a contact reads of the motion; and no loss can slow what is one unit in the
// last place of x.  Here the velocity keeps its digits however far the mass has come.  What x + d
// rounds away, eps x/2 in a frame, is a place and no velocity.
//
// A force pushes both numbers of a state.  Tested by test_mass.c and test/random.

#include "base/hint.h"
#include "numeric/elementary.h"
#include "object/object.h"

#include <stdio.h>

static JwMode mass_mode(const JwMassDef* def) {
  const JwMode mode = {def->frequency, def->loss / (2.0 * def->mass), def->mass};
  return mode;
}

static JwStatus plan(JwObject* object, char* error) {
  const JwMassDef* const def = &object->def.mass;
  const JwMode mode = mass_mode(def);
  if (!jw_mode_stable(&mode, def->scheme, object->k)) {
    const double highest = (def->scheme == JW_SCHEME_EXACT ? 0.5 : 1.0 / JW_PI) / object->k;
    snprintf(error, JW_ERROR_SIZE, "frequency is %g Hz, must be below %g Hz at this sample rate",
             def->frequency, highest);
    return JW_STATUS_UNSTABLE;
  }
  object->dofs = object->points = object->port_weights = 1;
  object->size = 2;
  object->carries_step = true;
  object->info.points = 1;
  object->info.mass = def->mass;
  object->info.fundamental = jw_mode_pitch(&mode, def->scheme, object->k);
  object->info.margin =
      def->frequency > 0.0 ? 1.0 / (JW_PI * def->frequency * object->k) : HUGE_VAL;
  return JW_STATUS_OK;
}

static void setup(JwObject* object) {
  const JwMode mode = mass_mode(&object->def.mass);
  jw_bank_mode(object, 0, &mode, object->def.mass.scheme);
}

static void start(const JwObject* object, double* u, double* v) {
  u[0] = 0.0 + object->def.mass.displacement;
  v[0] = object->def.mass.velocity;
}

static double position(const JwObject* object) {
  return object->def.mass.position;
}

static JW_REALTIME void weigh(const JwObject* object, const JwPort* port, JwWeights* weights) {
  (void)object;
  (void)port;
  weights->count = 1;
  weights->offset[0] = 0;
  weights->weight[0] = 1.0;
}

// Its weight is part of the free step.  Added to x as well, after x + d, it would be rounded in
// every frame by the same part of a unit in the last place, and on a spring do work on the way.
static JW_REALTIME JW_HOT void advance(const JwObject* object, double* next, const double* u,
                                       const double* prev) {
  (void)prev;
  next[1] = (object->bank.e[0] * u[1] - object->bank.b[0] * u[0])
            + object->y[0] * jw_object_weight(object);
  next[0] = u[0] + next[1];
}

static JW_REALTIME JwStored energy(const JwObject* object, const double* u, const double* prev) {
  const double twice = u[0] + prev[0];
  const JwStored stored = {object->bank.kinetic[0] * u[1] * u[1],
                           object->bank.potential[0] * twice * twice};
  return stored;
}

static JW_REALTIME double dissipate(const JwObject* object, const double* next, const double* u,
                                    const double* prev) {
  (void)prev;
  const double r = next[1] + u[1];
  return object->bank.lost[0] * r * r;
}

const JwObjectOps jw_mass_ops = {
    .kind = JW_KIND_MASS,
    .lumped = true,
    .operations = 12.0,
    .plan = plan,
    .layout = jw_bank_layout,
    .setup = setup,
    .start = start,
    .advance = advance,
    .weigh = weigh,
    .position = position,
    .energy = energy,
    .dissipate = dissipate,
};
