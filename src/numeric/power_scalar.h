// SPDX-License-Identifier: MIT
// x^p, 2^x and e^x of one value, to be inlined where a chain of them is what takes the time.
#ifndef JAWARI_POWER_SCALAR_H
#define JAWARI_POWER_SCALAR_H

#include "numeric/power_table.h"

typedef double Real;
typedef unsigned long long Bits;

static inline Bits below(Real a, Real b) {
  return a < b ? ~(Bits)0 : 0;
}
static inline Real looked_up(const double* table, Bits i) {
  return table[i];
}

static inline void look_up_near(Bits i, Real* inverse, Real* log2_c) {
  *inverse = jw_power_near[i][0];
  *log2_c = jw_power_near[i][1];
}

#define POWER_SCALAR
#include "numeric/power_body.h"

#endif // JAWARI_POWER_SCALAR_H
