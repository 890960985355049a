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

static JwStatus check(const void* definition, char* error) {
  const JwModalDef* const def = (const JwModalDef*)definition;
  if (!def->modes || def->mode_count == 0 || def->mode_count > 1000000) {
    snprintf(error, JW_ERROR_SIZE, "it has %u modes, must be from 1 to 1000000",
             def->modes ? def->mode_count : 0);
    return JW_STATUS_BAD_VALUE;
  }
  if (!def->shapes || def->shape_count == 0 || def->shape_count > 100000) {
    snprintf(error, JW_ERROR_SIZE, "it has %u shapes, must be from 1 to 100000",
             def->shapes ? def->shape_count : 0);
    return JW_STATUS_BAD_VALUE;
  }
  for (uint32_t i = 0; i < def->mode_count; ++i) {
    const JwMode* const mode = &def->modes[i];
    if (!(mode->frequency >= 0.0 && mode->frequency <= 1e6 && mode->decay >= 0.0
          && mode->decay <= 1e9 && mode->mass >= 1e-12 && mode->mass <= 1e9)) {
      snprintf(error, JW_ERROR_SIZE,
               "mode %u has frequency %g Hz, decay %g 1/s, mass %g kg, must be from 0 to 1e6, "
               "0 to 1e9 and 1e-12 to 1e9",
               i, mode->frequency, mode->decay, mode->mass);
      return JW_STATUS_BAD_VALUE;
    }
  }
  for (size_t i = 0; i < (size_t)def->mode_count * def->shape_count; ++i) {
    if (!(fabs(def->shapes[i]) <= 1e6)) {
      snprintf(error, JW_ERROR_SIZE, "shape %zu of mode %zu is %g, must be from -1e6 to 1e6",
               i / def->mode_count, i % def->mode_count, def->shapes[i]);
      return JW_STATUS_BAD_VALUE;
    }
  }
  return JW_STATUS_OK;
}

static uint32_t arrays(void* definition, JwOwned owned[JW_MOST_OWNED]) {
  JwModalDef* const def = (JwModalDef*)definition;
  owned[0] = (JwOwned){(const void**)(void*)&def->modes, def->mode_count, sizeof(JwMode)};
  owned[1] = (JwOwned){(const void**)(void*)&def->shapes,
                       (uint64_t)def->mode_count * def->shape_count, sizeof(double)};
  return 2;
}

const JwObjectOps jw_modal_ops = {
    .kind = JW_KIND_MODAL,
    .places = JW_PLACES_ROWS,
    .operations = 5.0,
    .plan = plan,
    .layout = jw_bank_layout,
    .setup = setup,
    .advance = jw_bank_advance,
    .weigh = weigh,
    .energy = jw_bank_energy,
    .dissipate = jw_bank_dissipate,
    .check = check,
    .arrays = arrays,
};
