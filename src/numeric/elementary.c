// SPDX-License-Identifier: MIT
// Sine, logarithm and exp(x) - 1 from + - * / alone.  Tested against long double by
// test_elementary.c.

#include "numeric/elementary.h"

#include "numeric/power.h"

#include <math.h>

// Taylor in nested form: x - x^3/3! + ...; at |x| <= pi/2 the first term left out, x^25/25!, is
// below 6e-21.
static double sin_small(double x) {
  const double z = x * x;
  double sum = 1.0;
  for (int i = 23; i >= 3; i -= 2) {
    sum = 1.0 - sum * z / (double)(i * (i - 1));
  }
  return x * sum;
}

// pi in two parts, the first with 33 bits: n times it is exact for n below 2^20.
#define PI_HIGH 3.14159265346825122833
#define PI_LOW 1.21542010130121222520e-10

JW_REALTIME double jw_sin(double x) {
  const double turns = x / JW_PI;
  const long n = (long)(turns < 0.0 ? turns - 0.5 : turns + 0.5);
  const double rest = (x - (double)n * PI_HIGH) - (double)n * PI_LOW;
  const double s = sin_small(rest);
  return n % 2 ? -s : s;
}

JW_REALTIME double jw_cos(double x) {
  const double half = jw_sin(0.5 * x);
  return 1.0 - 2.0 * half * half;
}

double jw_arc_sine(double y) {
  if (y > 0.7) {
    return 0.5 * JW_PI - 2.0 * jw_arc_sine(sqrt(0.5 * (1.0 - y)));
  }
  double x = y;
  for (int i = 0; i < 6; ++i) { // Newton's method doubles its digits, from one on
    x += (y - jw_sin(x)) / jw_cos(x);
  }
  return x;
}

// For x > -0.5 the series x + x^2/2! + ..., whose first term left out, 0.5^18/18!, is below 1e-21.
double jw_expm1_negative(double x) {
  if (x < -0.5) {
    return jw_exp(x) - 1.0;
  }
  double sum = 1.0;
  for (int i = 17; i >= 2; --i) {
    sum = 1.0 + sum * x / (double)i;
  }
  return x * sum;
}

// x = m 2^e with m from 1/sqrt 2 to sqrt 2 and s = (m - 1)/(m + 1): e + 2/ln 2 (s + s^3/3 + ...).
// |s| is at most 0.172, and the first term left out, s^24/25, below 2e-20 of s.  frexp only moves
// the exponent and is exact.
JW_REALTIME double jw_log2(double x) {
  int e;
  double m = frexp(x, &e);
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --e;
  }
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double sum = 0.0;
  for (int i = 23; i >= 1; i -= 2) {
    sum = sum * z + 1.0 / (double)i;
  }
  return (double)e + s * sum * (2.0 / 0.69314718055994530942);
}
