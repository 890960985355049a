// SPDX-License-Identifier: MIT
// The list of laws, and what several of them share.

#include "law/law.h"

#include <assert.h>

extern const JwLawOps jw_collision_ops;
extern const JwLawOps jw_connection_ops;
extern const JwLawOps jw_spring_ops;
extern const JwLawOps jw_friction_ops;
extern const JwLawOps jw_bow_ops;

const JwLawOps* jw_law_ops(JwKind kind) {
  switch (kind) {
  case JW_KIND_COLLISION: return &jw_collision_ops;
  case JW_KIND_CONNECTION: return &jw_connection_ops;
  case JW_KIND_SPRING: return &jw_spring_ops;
  case JW_KIND_FRICTION: return &jw_friction_ops;
  case JW_KIND_BOW: return &jw_bow_ops;
  default: assert(!"not a law"); return 0;
  }
}

static bool iterates(const JwLawParams* law) {
  switch (law->kind) {
  case JW_KIND_COLLISION:
  case JW_KIND_CONNECTION: return law->rule == JW_RULE_NEWTON;
  case JW_KIND_BOW: return law->method == JW_BOW_NEWTON;
  default: return false;
  }
}

static bool waits(const JwLawParams* law) {
  return law->kind == JW_KIND_COLLISION
         && (law->rule == JW_RULE_BOUNDED || law->rule == JW_RULE_PLAIN
             || law->rule == JW_RULE_RELEASED);
}

void jw_law_derive(JwLawParams* law) {
  law->iterates = iterates(law);
  law->waits = waits(law);
  law->half_power = 0.5 * (law->exponent - 1.0);
  law->per_step = 0.5 / law->k;
  law->bow_scale = sqrt(2.0 * law->sharpness) * 1.6487212707001282; // sqrt(e)
  law->bow_fall = law->sharpness * 1.4426950408889634;              // log2(e)
  law->bow_turn = sqrt(1.5 / law->sharpness);
}

JW_REALTIME bool jw_never(JwStep* step) {
  (void)step;
  return false;
}

JW_REALTIME double jw_supplied_by_shift(const JwStep* step) {
  return 0.5 * step->f * step->shift;
}

JW_REALTIME double jw_stored_by_psi(const JwStep* step) {
  return 0.5 * step->state->psi * step->state->psi;
}

JW_REALTIME double jw_no_energy(const JwStep* step) {
  (void)step;
  return 0.0;
}

JW_REALTIME double* jw_power_law_control(JwLawParams* law, JwControl control) {
  switch (control) {
  case JW_CONTROL_STIFFNESS: return &law->stiffness;
  case JW_CONTROL_LOSS: return &law->loss;
  default: return NULL;
  }
}
