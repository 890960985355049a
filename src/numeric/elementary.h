// SPDX-License-Identifier: MIT
// numeric/elementary.h: sine, logarithm, exp(x) - 1 and a compensated sum, the same bits
// everywhere.
//
// libm's own differ between C libraries; these use + - * / only.  Used at prepare and in the
// ledger.
#ifndef JAWARI_ELEMENTARY_H
#define JAWARI_ELEMENTARY_H

#include <jawari/base.h>

#define JW_PI 3.14159265358979323846

/// sin x for |x| <= 2^20; absolute error below 7e-16, relative below 5e-16 for |x| < 1.5.
JW_REALTIME double jw_sin(double x);

/// cos x for |x| <= 2^20; absolute error below 3e-15.
JW_REALTIME double jw_cos(double x);

/// From 0 to pi/2, for y from 0 to 1.
double jw_arc_sine(double y);

/// e^x - 1 for x <= 0, without cancellation; relative error below 5.6e-16.
double jw_expm1_negative(double x);

/// log2 x for finite x > 0 that is not subnormal; error below 8.4e-16 (1/2 + |log2 x|).
JW_REALTIME double jw_log2(double x);

/// A sum that keeps the rounding errors of its terms (Neumaier).
typedef struct {
  double sum, rest;
} JwSum;

static inline void jw_sum_add(JwSum* s, double x) {
  const double t = s->sum + x;
  const double big = s->sum < 0.0 ? -s->sum : s->sum;
  const double small = x < 0.0 ? -x : x;
  s->rest += big >= small ? (s->sum - t) + x : (x - t) + s->sum;
  s->sum = t;
}

static inline double jw_sum_value(const JwSum* s) {
  return s->sum + s->rest;
}

#endif // JAWARI_ELEMENTARY_H
