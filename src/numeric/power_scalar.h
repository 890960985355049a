// SPDX-License-Identifier: MIT
// x^p, 2^x and e^x of one value, to be inlined where a chain of them is what takes the time.
#ifndef JAWARI_POWER_SCALAR_H
#define JAWARI_POWER_SCALAR_H

#include "numeric/power_table.h"

#include <stdbool.h>

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

// A power whose x is known but for its last digits some time before it is known to the bit: what
// follows from its exponent and row alone is worked out meanwhile, and x^p follows x in 33 cycles
// instead of 52.

typedef struct {
  Bits row;          // Exponent and row, as in shifted_of(); 0: none
  double c, inverse; // 2^k c and its inverse
  double root, q;    // Equation (2)
} Guess;

/// Neither x nor x^p may be near the ends of the doubles: guessed() is then false.
static inline Guess guess_of(double x, const Exponent* e) {
  const Bits row = shifted_of(x) & (EXPONENT | ROW);
  const Scaled half = power_scale(x, e);
  const bool ordinary = x > 0x1p-1000 && x < 0x1p1000 && half.t >= -1021.0 && half.t < 1023.0;
  Guess guess = {ordinary ? row : 0, real_of(row + FIRST - ONE), 0.0, 0.0, 0.0};
  guess.inverse = jw_power_near[(row & ROW) >> 45][0] * real_of(2 * ONE - (row & EXPONENT));
  guess.root = root_of_two(half.t, half.more, &guess.q);
  return guess;
}

/// The bits of power_of(x, e): a power of two that scales c and its inverse rounds nothing.
static inline double power_guessed(double x, const Guess* guess, const Exponent* e) {
  const double scale = guess->root * factor_of((x - guess->c) * guess->inverse, e);
  return scale + scale * guess->q;
}

/// For x > 0.
static inline bool guessed(double x, const Guess* guess) {
  return (shifted_of(x) & (EXPONENT | ROW)) == guess->row;
}

#endif // JAWARI_POWER_SCALAR_H
