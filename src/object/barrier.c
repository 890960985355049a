// SPDX-License-Identifier: MIT
// A rigid barrier: it does not move, takes no energy, and has admittance zero.
// Its height is part of the offset of a contact (prepare/places.c).

#include "object/kinds.h"

#include <math.h>
#include <stdio.h>

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

static double position(const JwObject* object) {
  return object->def.barrier.position;
}

static JW_REALTIME double profile(const JwObject* object, double x) {
  const JwBarrierDef* const def = &object->def.barrier;
  double height = 0.0;
  for (uint32_t i = def->polynomial_count; i-- > 0;) {
    height = height * x + def->polynomial[i];
  }
  return def->table_count ? height + table_height(def, x) : height;
}

static JwStatus check(const void* definition, char* error) {
  const JwBarrierDef* const def = (const JwBarrierDef*)definition;
  if (!(def->from <= def->to)) {
    snprintf(error, JW_ERROR_SIZE, "from is %g, must be at most to, %g", def->from, def->to);
    return JW_STATUS_BAD_VALUE;
  }
  const uint32_t polynomial = def->polynomial ? def->polynomial_count : 0,
                 table = def->table ? def->table_count : 0;
  if (polynomial > 64 || table > 1000000) {
    snprintf(error, JW_ERROR_SIZE,
             "it has %u coefficients and %u table points, must be at most 64 and 1000000",
             polynomial, table);
    return JW_STATUS_TOO_LARGE;
  }
  for (uint32_t i = 0; i < polynomial; ++i) {
    if (!(fabs(def->polynomial[i]) <= 1e9)) {
      snprintf(error, JW_ERROR_SIZE, "coefficient %u is %g, must be from -1e9 to 1e9", i,
               def->polynomial[i]);
      return JW_STATUS_BAD_VALUE;
    }
  }
  for (uint32_t i = 0; i < table; ++i) {
    if (!(fabs(def->table[2 * i]) <= 1e6 && fabs(def->table[2 * i + 1]) <= 1e6)
        || (i && !(def->table[2 * i] > def->table[2 * i - 2]))) {
      snprintf(error, JW_ERROR_SIZE, "table point %u is %g, %g, must rise in x and lie within 1e6",
               i, def->table[2 * i], def->table[2 * i + 1]);
      return JW_STATUS_BAD_VALUE;
    }
  }
  return JW_STATUS_OK;
}

static uint32_t arrays(void* definition, JwOwned owned[JW_MOST_OWNED]) {
  JwBarrierDef* const def = (JwBarrierDef*)definition;
  def->polynomial_count = def->polynomial ? def->polynomial_count : 0;
  def->table_count = def->table ? def->table_count : 0;
  owned[0] =
      (JwOwned){(const void**)(void*)&def->polynomial, def->polynomial_count, sizeof(double)};
  owned[1] =
      (JwOwned){(const void**)(void*)&def->table, 2 * (uint64_t)def->table_count, sizeof(double)};
  return 2;
}

const JwObjectOps jw_barrier_ops = {
    .kind = JW_KIND_BARRIER,
    .lumped = true,
    .plan = plan,
    .layout = layout,
    .setup = setup,
    .position = position,
    .profile = profile,
    .check = check,
    .arrays = arrays,
};
