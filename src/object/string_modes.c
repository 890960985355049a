// A string by its modes, simply supported: X_p = sin(p pi x), modal mass rA L / 2.
//
// Modes are as many as lie below the scheme's limit, or as many as asked for.  Port weights come from
// the recurrence sin((p+1) a) = 2 cos(a) sin(p a) - sin((p-1) a), so that a port can move while sounding.

#include "numeric/elementary.h"
#include "object/kinds.h"

#include <math.h>
#include <stdio.h>

// The most modes kept when the sample rate alone would allow more.
#define MOST_MODES 100000

static JwMode string_mode(const JwObject* object, const JwStringPhysics* physics, uint32_t p)
{
  const double length = object->def.string.length;
  const double g = p * JW_PI / length * (p * JW_PI / length);
  const JwMode mode = {jw_string_frequency(physics, length, p), physics->loss[0] + physics->loss[1] * g,
                       physics->mass * length / 2.0};
  return mode;
}

static uint32_t stable_modes(const JwObject* object, const JwStringPhysics* physics)
{
  uint32_t p = 0;
  while (p < MOST_MODES) {
    const JwMode mode = string_mode(object, physics, p + 1);
    if (!jw_mode_stable(&mode, object->def.string.scheme, object->k)) {
      break;
    }
    ++p;
  }
  return p;
}

static JwStatus plan(JwObject* object, char* error)
{
  const JwStringDef* const def = &object->def.string;
  if (def->ends[0] != JW_END_SUPPORTED || def->ends[1] != JW_END_SUPPORTED) {
    snprintf(error, JW_ERROR_SIZE, "a string by modes needs supported ends; use the grid for others");
    return JW_STATUS_BAD_VALUE;
  }
  JwStringPhysics physics;
  const JwStatus status = jw_string_physics(def, &physics, error);
  if (status) {
    return status;
  }
  const uint32_t most = stable_modes(object, &physics);
  if (most == 0 || def->modes > most) {
    snprintf(error, JW_ERROR_SIZE, "modes is %u, must be from 1 to %u at this sample rate", def->modes, most);
    return JW_STATUS_UNSTABLE;
  }
  object->dofs = object->size = object->points = object->port_weights = def->modes ? def->modes : most;
  object->dense = true;
  JwObjectInfo* const info = &object->info;
  info->points = info->grid[0] = object->dofs;
  info->tension = physics.tension;
  info->fundamental = jw_string_frequency(&physics, def->length, 1);
  info->margin = 1.0 / (JW_PI * jw_string_frequency(&physics, def->length, object->dofs) * object->k);
  info->mass = physics.mass * def->length;
  info->loss[0] = physics.loss[0];
  info->loss[1] = physics.loss[1];
  return JW_STATUS_OK;
}

static void setup(JwObject* object)
{
  JwStringPhysics physics;
  char unused[JW_ERROR_SIZE];
  if (jw_string_physics(&object->def.string, &physics, unused)) {
    return; // plan() has refused it already
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const JwMode mode = string_mode(object, &physics, i + 1);
    jw_bank_mode(object, i, &mode, object->def.string.scheme);
  }
}

static void start(const JwObject* object, double* u, double* v)
{
  (void)object;
  (void)u;
  (void)v;
}

static void weigh(const JwObject* object, const JwPort* port, JwWeights* weights)
{
  const double twice = 2.0 * jw_cos(JW_PI * port->x);
  double last = 0.0, now = jw_sin(JW_PI * port->x);
  weights->count = object->dofs;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    weights->weight[i] = now;
    const double next = twice * now - last;
    last = now;
    now = next;
  }
}

static void locate(const JwObject* object, uint32_t dof, double* x, double* y)
{
  *x = (dof + 1.0) / (object->dofs + 1.0);
  *y = 0.0;
}

const JwObjectOps jw_string_modes_ops = {
  JW_KIND_STRING, plan, jw_bank_layout, setup, start, jw_bank_advance, weigh, locate,
  jw_bank_energy, jw_bank_dissipate,
};
