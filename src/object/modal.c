// SPDX-License-Identifier: MIT
// An object given by its modes: frequency, decay, mass, and a row of shape weights for each port.
// A port's x is the number of its row.

#include "numeric/elementary.h"
#include "object/kinds.h"

#include <math.h>
#include <stdio.h>

static JwStatus plan(JwObject* object, char* error) {
  const JwModalDef* const def = &object->def.modal;
  double slowest = HUGE_VAL, lowest = HUGE_VAL, highest = 0.0, mass = 0.0;
  for (uint32_t i = 0; i < def->mode_count; ++i) {
    if (!jw_mode_stable(&def->modes[i], def->scheme, object->k)) {
      snprintf(error, JW_ERROR_SIZE, "mode %u has %g Hz, must be below %g Hz at this sample rate",
               i, def->modes[i].frequency,
               (def->scheme == JW_SCHEME_EXACT ? 0.5 : 1.0 / JW_PI) / object->k);
      return JW_STATUS_UNSTABLE;
    }
    slowest = fmin(slowest, jw_mode_pace(&def->modes[i]));
    lowest = fmin(lowest, jw_mode_pitch(&def->modes[i], def->scheme, object->k));
    highest = fmax(highest, def->modes[i].frequency);
    mass += def->modes[i].mass;
  }
  jw_bank_plan(object, def->mode_count, slowest);
  object->info.points = object->info.grid[0] = def->mode_count;
  object->info.fundamental = lowest;
  object->info.margin = highest > 0.0 ? 1.0 / (JW_PI * highest * object->k) : HUGE_VAL;
  object->info.mass = mass;
  return JW_STATUS_OK;
}

static void setup(JwObject* object) {
  for (uint32_t i = 0; i < object->dofs; ++i) {
    jw_bank_mode(object, i, &object->def.modal.modes[i], object->def.modal.scheme);
  }
}

static JW_REALTIME void weigh(const JwObject* object, const JwPort* port, JwWeights* weights) {
  const JwModalDef* const def = &object->def.modal;
  const double* const shape = def->shapes + (size_t)port->x * def->mode_count;
  weights->count = object->dofs;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    weights->weight[i] = shape[i];
  }
}

const JwObjectOps jw_modal_ops = {
    JW_KIND_MODAL,   plan,  jw_bank_layout, setup,          NULL,
    jw_bank_advance, weigh, NULL,           jw_bank_energy, jw_bank_dissipate,
};
