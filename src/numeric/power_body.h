// SPDX-License-Identifier: MIT
// x^p, 2^x and e^x, written once for every width.
//
// The including file gives Real and Bits, a double and a uint64_t or vectors of them, and
//   Bits below(Real a, Real b)                   all ones where a < b, else zero,
//   Real looked_up(const double* table, Bits i)  table[i],
//   void look_up_near(Bits i, Real* inverse, Real* log2_c)  both of jw_power_near[i], lane by lane.
//
//   symbol   meaning
//   k, m     x = 2^k m, 0.705 < m < 1.411
//   c        m rounded to seven bits behind the first; 1/c and log2(c) are in a table
//   d        m/c - 1, at most 2^-8 in size
//   t        x^p = 2^t (1 + d)^p,  t = p k + p log2(c)
//            (1)
//   b        (1 + d)^p = 1 + p d + b2 d^2 + ... + b6 d^6, the binomial series
//   n, h     t = n + h, n a multiple of 1/128, |h| <= 1/256
//   q        2^t = 2^n (1 + q(h));  2^n is one of 128 roots in a table, shifted
//            (2)
//
// The first term left out of (1 + d)^p is (p over 7) d^7: 1.4e-17 for p = -1, less from there to 7,
// 5e-16 for p = 9. q has degree 4: the series of 2^h - 1 whose term of degree 5 is spread over
// those of degree 3 and 1 as Chebyshev's polynomial says, (ln 2)^5/5!/16 256^-5 = 7.6e-17 at most.
//
// A relative error in x^p is an absolute error in t.  The large part of t, p k, is exact: p is cut
// into `high` of 41 bits and `low`, k has 11 bits.  p log2(c) is at most p/2, and what the sum of
// both rounds away joins h again.
//
// A contact waits for one power after the other, so what counts is how long the way from x to x^p
// is: into a table, one product and five sums to h, q, one product and one sum.  (1 + d)^p and 2^n
// are ready by then; nothing is divided.  The tables hold 3 KB; with polynomials alone, a division
// in log2(m) and degree 11 in e^r, the way was twice as long.

#include "numeric/power_table.h"

#include <stdint.h>
#include <string.h>

static inline Bits bits_of(Real x) {
  Bits b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static inline Real real_of(Bits b) {
  Real x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/// `x` where `mask` is zero, `other` where it is all ones.
static inline Real replaced(Real x, Real other, Bits mask) {
  return real_of((bits_of(x) & ~mask) | (bits_of(other) & mask));
}

/// What follows from p alone.
typedef struct {
  Real p, high, low, b2, b3, b4, b5, b6;
} Exponent;

static inline Exponent exponent_of(Real p) {
  const Real high = real_of(bits_of(p) & 0xfffffffffffff000u);
  const Real b2 = p * (p - 1.0) * 0.5, b3 = b2 * ((p - 2.0) * (1.0 / 3.0)),
             b4 = b3 * ((p - 3.0) * 0.25);
  const Real b5 = b4 * ((p - 4.0) * 0.2), b6 = b5 * ((p - 5.0) * (1.0 / 6.0));
  return (Exponent){p, high, p - high, b2, b3, b4, b5, b6};
}

/// A number on its way: factor 2^(t + more), `more` a rounding of t.
typedef struct {
  Real t, more, factor;
} Scaled;

#define ONE 0x3ff0000000000000u      // 1.0
#define FIRST 0x3fe6a00000000000u    // 181/256, the first row
#define EXPONENT 0xfff0000000000000u // The bits of the exponent
#define ROW 0x000fe00000000000u      // Those of the row

/// x with its exponent and row where they are easily read: x rounded to a row, and 2^k c becomes
/// 2^k times the row.
static inline Bits shifted_of(Real x) {
  return bits_of(x) + (ONE - FIRST + 0x0000100000000000u);
}

/// (1 + d)^p.
static inline Real factor_of(Real d, const Exponent* e) {
  const Real d2 = d * d, tail = (e->b4 + e->b5 * d) + e->b6 * d2;
  return 1.0 + ((e->p * d + (e->b2 + e->b3 * d) * d2) + tail * (d2 * d2));
}

/// The first half of x^p, equation (1).
static inline Scaled power_scale(Real x, const Exponent* e) {
  const Bits shifted = shifted_of(x);
  const Real k = real_of((shifted >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);
  const Real m = real_of(bits_of(x) - (shifted & EXPONENT) + ONE),
             c = real_of((shifted & ROW) + FIRST);
  Real inverse, log2_c;
  look_up_near((shifted & ROW) >> 45, &inverse, &log2_c);
  const Real factor = factor_of((m - c) * inverse, e);
  const Real pk = e->high * k, pl = e->p * log2_c, t = pk + pl;
  return (Scaled){t, ((pk - t) + pl) + e->low * k, factor};
}

/// Adding this rounds to a multiple of 1/128 and leaves it, two's complement, in the lowest bits.
#define ROUNDER 0x1.8p45

/// 2^n, and q of equation (2).
static inline Real root_of_two(Real t, Real more, Real* q) {
  const Real rounded = t + ROUNDER;
  const Bits n = bits_of(rounded), i = n & (JW_POWER_ROWS - 1);
  const Real root = real_of(bits_of(looked_up(jw_power_roots, i)) + ((n - i) << 45));
  const Real h = (t - (rounded - ROUNDER)) + more, h2 = h * h;
  const Real q12 = 0x1.62e42fefa3685p-1 * h + 0x1.ebfbdff82c58fp-3 * h2;
  *q = q12 + (0x1.c6b09b1799fcbp-5 + 0x1.3b2ab6fba4e77p-7 * h) * (h2 * h);
  return root;
}

/// The number itself; 0 where t < -1021, infinity from t = 1023.
static inline Real number_of(Scaled x) {
  Real q;
  const Real scale = root_of_two(x.t, x.more, &q) * x.factor, y = scale + scale * q, zero = {0.0};
#ifdef POWER_SCALAR
  if (__builtin_expect(x.t >= -1021.0 && x.t < 1023.0, 1)) { // Nothing waits for a branch
    return y;
  }
#endif
  const Real normal = replaced(y, zero, below(x.t, zero - 1021.0));
  return replaced(normal, zero + __builtin_inf(), ~below(x.t, zero + 1023.0));
}

static inline Real power_of(Real x, Real p) {
  const Exponent e = exponent_of(p);
  return number_of(power_scale(x, &e));
}

/// 2^t.
static inline Real exp2_of(Real t) {
  const Real zero = {0.0};
  return number_of((Scaled){t, -zero, zero + 1.0});
}

/// e^x: x is cut into a multiple of 2^-16 and the rest, log2(e) into 26 bits and the rest, so that
/// the large part of x log2(e) is exact.
static inline Real exp_of(Real x) {
  const Real high = (x + 0x1.8p36) - 0x1.8p36, zero = {0.0};
  const Real more = (x - high) * 0x1.71547652b82fep+0 - high * 0x1.6a3e80f444178p-27;
  return number_of((Scaled){high * 0x1.7154768p+0, more, zero + 1.0});
}
