// x^p and e^x, written once for every width.
//
// The including file gives Real and Bits, a double and a uint64_t or vectors of them, and
//   Bits below(Real a, Real b)   all ones where a < b, else zero, lane by lane.
//
//   symbol  meaning
//   k, m    x = 2^k m, sqrt(1/2) <= m < sqrt(2)
//   s, z    s = (m - 1)/(m + 1), |s| < 0.1716; z = s^2
//   l       log2(m) = s (2/ln 2) (1 + z/3 + z^2/5 + ...) = s (C + z R(z))                  (1)
//   n, r    p log2(x) ln 2 = n ln 2 + r, |r| <= ln(2)/2
//   q       e^r = 1 + r + r^2 q(r)                                                         (2)
//
// R has degree 6 and q degree 9; both are minimax fits made by the exchange algorithm in 60 digits.
// |s z (R - exact)| < 3.5e-19 and |r^2 (q - exact)| < 3.5e-18: far below rounding.
//
// A relative error in x^p is an absolute error in p log2(x).  The large part of that product, p k,
// is exact: p is cut into `high` of 41 bits and `low`, k has 11 bits, and high k - n loses nothing.
// What is left rounds numbers of at most p/2: no second word for the logarithm, and no table, whose
// entries four lanes would have to gather one by one.
//
// Polynomials are summed in pairs (Estrin): about half the latency of Horner's rule.

#include <stdint.h>
#include <string.h>

static inline Bits bits_of(Real x)
{
  Bits b;
  memcpy(&b, &x, sizeof b);
  return b;
}

static inline Real real_of(Bits b)
{
  Real x;
  memcpy(&x, &b, sizeof x);
  return x;
}

/// `x` where `mask` is zero, `other` where it is all ones.
static inline Real replaced(Real x, Real other, Bits mask)
{
  return real_of((bits_of(x) & ~mask) | (bits_of(other) & mask));
}

/// log2(m) from s, equation (1).
static inline Real log2_near_one(Real s)
{
  const Real z = s * s, z2 = z * z, z4 = z2 * z2;
  const Real r01 = 0x1.ec709dc3a04b8p-1 + 0x1.2776c50eda78dp-1 * z;
  const Real r23 = 0x1.a61762e4ecb19p-2 + 0x1.484af63c40c43p-2 * z;
  const Real r45 = 0x1.0ca25bf47b717p-2 + 0x1.c43f25a3e7c71p-3 * z;
  const Real r = (r01 + r23 * z2) + (r45 + 0x1.b74cf02667283p-3 * z2) * z4;
  return s * 0x1.71547652b82fep+1 + (s * z) * r;
}

/// e^r, equation (2).
static inline Real exp_near_zero(Real r)
{
  const Real r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Real q01 = 0x1.000000000000bp-1 + 0x1.5555555555561p-3 * r;
  const Real q23 = 0x1.5555555550030p-5 + 0x1.111111110d639p-7 * r;
  const Real q45 = 0x1.6c16c185a75f6p-10 + 0x1.a01a01bae25a9p-13 * r;
  const Real q67 = 0x1.a0199693aa07dp-16 + 0x1.71dddfcbb60d8p-19 * r;
  const Real q89 = 0x1.28b04922e6314p-22 + 0x1.af8587d839177p-26 * r;
  const Real q = ((q01 + q23 * r2) + (q45 + q67 * r2) * r4) + q89 * r8;
  return 1.0 + (r + r2 * q);
}

/// Adding this rounds to the nearest integer and leaves it, two's complement, in the lowest bits.
#define ROUNDER 0x1.8p52

/// A number on its way: 2^n e^r with n = rounded - ROUNDER, and t about log2 of the result.
typedef struct {
  Real r, rounded, t;
} Scaled;

/// The number itself; 0 or infinity where it is outside the doubles.
static inline Real number_of(Scaled x)
{
  const Real e = exp_near_zero(x.r), zero = {0.0};
#ifdef POWER_SCALAR
  // Nothing waits for a branch, and 2^n is there before e^r is: the same bits, sooner
  if (__builtin_expect(x.t >= -1021.0 && x.t < 1023.0, 1)) {
    return e * real_of((bits_of(x.rounded) << 52) + 0x3ff0000000000000u);
  }
#endif
  const Real y = real_of(bits_of(e) + (bits_of(x.rounded) << 52));
  const Real normal = replaced(y, zero, below(x.t, zero - 1021.0));
  return replaced(normal, zero + __builtin_inf(), ~below(x.t, zero + 1024.0));
}

// x^p in three steps, for loops that take each over many values: the chain of operations is long, and a core
// looks ahead only so far.

/// s of the table above, and k.
static inline Real power_split(Real x, Real* k)
{
  const uint64_t one = 0x3ff0000000000000u;      // 1.0
  const uint64_t root = 0x3fe6a09e667f3bcdu;     // sqrt(1/2)
  const uint64_t exponent = 0xfff0000000000000u; // the bits of the exponent
  const Bits shifted = bits_of(x) - root + one;
  const Real m = real_of(bits_of(x) - (shifted & exponent) + one);
  *k = real_of((shifted >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);
  return (m - 1.0) / (m + 1.0);
}

static inline Scaled power_scale(Real s, Real k, Real p)
{
  const Real high = real_of(bits_of(p) & 0xfffffffffffff000u), low = p - high;
  const Real pl = p * log2_near_one(s);
  const Real t = p * k + pl;
  const Real rounded = t + ROUNDER;
  const Real n = rounded - ROUNDER;
  const Real r = ((high * k - n) + low * k) + pl;
  return (Scaled){r * 0x1.62e42fefa39efp-1, rounded, t};
}

static inline Real power_of(Real x, Real p)
{
  Real k;
  const Real s = power_split(x, &k);
  return number_of(power_scale(s, k, p));
}

/// ln 2 is cut after 40 bits, so that n ln 2 is exact in its first part.
static inline Real exp_of(Real x)
{
  const Real t = x * 0x1.71547652b82fep+0;
  const Real rounded = t + ROUNDER;
  const Real n = rounded - ROUNDER;
  const Real r = (x - n * 0x1.62e42fefa2000p-1) - n * 0x1.9ef35793c7673p-41;
  return number_of((Scaled){r, rounded, t});
}
