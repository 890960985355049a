// SPDX-License-Identifier: MIT
// A rigid barrier: it does not move, takes no energy, and has admittance zero.
// Its height is part of the contact (contact.c reads jw_barrier_height).

#include "object/kinds.h"

static JwStatus plan(JwObject* object, char* error) {
  (void)error;
  object->dofs = object->size = 0;
  object->port_weights = 0;
  return JW_STATUS_OK;
}

static void layout(JwObject* object, JwArena* arena) {
  (void)object;
  (void)arena;
}

static void setup(JwObject* object) {
  (void)object;
}

static double table_height(const JwBarrierDef* def, double x) {
  const double* const t = def->table;
  const uint32_t last = def->table_count - 1;
  if (x <= t[0]) {
    return t[1];
  }
  for (uint32_t i = 1; i <= last; ++i) {
    if (x <= t[2 * i]) {
      const double part = (x - t[2 * i - 2]) / (t[2 * i] - t[2 * i - 2]);
      return t[2 * i - 1] + part * (t[2 * i + 1] - t[2 * i - 1]);
    }
  }
  return t[2 * last + 1];
}

JW_REALTIME double jw_barrier_profile(const JwBarrierDef* def, double x) {
  double height = 0.0;
  for (uint32_t i = def->polynomial_count; i-- > 0;) {
    height = height * x + def->polynomial[i];
  }
  return def->table_count ? height + table_height(def, x) : height;
}

const JwObjectOps jw_barrier_ops = {
    .kind = JW_KIND_BARRIER, .plan = plan, .layout = layout, .setup = setup};
