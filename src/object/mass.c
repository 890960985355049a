// A point mass: free, on a spring, damped.  One oscillator of a bank (bank.c), decay R/2M.

#include "numeric/elementary.h"
#include "object/object.h"

#include <stdio.h>

static JwMode mass_mode(const JwMassDef* def)
{
  const JwMode mode = {def->frequency, def->loss / (2.0 * def->mass), def->mass};
  return mode;
}

static JwStatus plan(JwObject* object, char* error)
{
  const JwMassDef* const def = &object->def.mass;
  const JwMode mode = mass_mode(def);
  if (!jw_mode_stable(&mode, def->scheme, object->k)) {
    const double highest = (def->scheme == JW_SCHEME_EXACT ? 0.5 : 1.0 / JW_PI) / object->k;
    snprintf(error, JW_ERROR_SIZE, "frequency is %g Hz, must be below %g Hz at this sample rate",
             def->frequency, highest);
    return JW_STATUS_UNSTABLE;
  }
  object->dofs = object->size = object->points = object->port_weights = 1;
  object->info.points = 1;
  object->info.mass = def->mass;
  object->info.fundamental = def->frequency;
  object->info.margin = def->frequency > 0.0 ? 1.0 / (JW_PI * def->frequency * object->k) : HUGE_VAL;
  return JW_STATUS_OK;
}

static void setup(JwObject* object)
{
  const JwMode mode = mass_mode(&object->def.mass);
  jw_bank_mode(object, 0, &mode, object->def.mass.scheme);
}

static void start(const JwObject* object, double* u, double* v)
{
  u[0] = object->def.mass.displacement;
  v[0] = object->def.mass.velocity;
}

static void weigh(const JwObject* object, const JwPort* port, JwWeights* weights)
{
  (void)object;
  (void)port;
  weights->count = 1;
  weights->offset[0] = 0;
  weights->weight[0] = 1.0;
}

static void locate(const JwObject* object, uint32_t dof, double* x, double* y)
{
  (void)object;
  (void)dof;
  *x = *y = 0.0;
}

const JwObjectOps jw_mass_ops = {
  JW_KIND_MASS, plan, jw_bank_layout, setup, start, jw_bank_advance, weigh, locate,
  jw_bank_energy, jw_bank_dissipate,
};
