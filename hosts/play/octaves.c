// SPDX-License-Identifier: MIT
// 2^x and its inverse from + - * / alone.
//
// libm's exp2, pow and log2 differ in their last bit between C libraries, and with them a string's
// tension and every sample after it; a song rendered from a MIDI file should be the same
// everywhere.  ldexp and frexp only move the exponent and are exact.
//
//   2^x    = 2^n e^y,  n the whole number nearest to x, y = (x - n) ln 2, |y| <= 0.347:  y^16/16! < 3e-21
//   log2 x = e + 2/ln 2 (s + s^3/3 + ...),  x = m 2^e, s = (m - 1)/(m + 1), |s| <= 0.172:  s^24/25 < 2e-20
//
// Tested against long double by test_play.c.

#include "octaves.h"

#include <math.h>

#define LN2 0.69314718055994530942
#define HALF_ROOT 0.70710678118654752440 // sqrt(1/2)

double jw_octaves_up(double octaves) {
  const double n = floor(octaves + 0.5), y = (octaves - n) * LN2;
  double sum = 1.0;
  for (int i = 15; i >= 1; --i) {
    sum = 1.0 + sum * y / (double)i;
  }
  return ldexp(sum, (int)n);
}

double jw_octaves_of(double ratio) {
  int e;
  double m = frexp(ratio, &e); // From 1/2 to 1
  if (m < HALF_ROOT) {
    m *= 2.0;
    --e;
  }
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double sum = 0.0;
  for (int i = 23; i >= 1; i -= 2) {
    sum = sum * z + 1.0 / (double)i;
  }
  return (double)e + s * sum * (2.0 / LN2);
}
