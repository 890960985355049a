// SPDX-License-Identifier: MIT
// The list of laws.

#include "law/law.h"

#include <assert.h>

extern const JwLawOps jw_collision_ops;
extern const JwLawOps jw_connection_ops;
extern const JwLawOps jw_spring_ops;
extern const JwLawOps jw_bow_ops;

const JwLawOps* jw_law_ops(JwKind kind) {
  switch (kind) {
  case JW_KIND_COLLISION: return &jw_collision_ops;
  case JW_KIND_CONNECTION: return &jw_connection_ops;
  case JW_KIND_SPRING: return &jw_spring_ops;
  case JW_KIND_BOW: return &jw_bow_ops;
  default: assert(!"not a law"); return 0;
  }
}

JW_REALTIME bool jw_law_iterates(const JwLawParams* law) {
  switch (law->kind) {
  case JW_KIND_COLLISION:
  case JW_KIND_CONNECTION: return law->rule == JW_RULE_NEWTON;
  case JW_KIND_BOW: return law->method == JW_BOW_NEWTON;
  default: return false;
  }
}
