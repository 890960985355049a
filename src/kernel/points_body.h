// SPDX-License-Identifier: MIT
// Single points with WIDTH lanes side by side: choices, finding those that close, powers.  Included
// after lanes_body.h.

#include <math.h>

#if WIDTH == 4
INLINE Lanes square_root(Lanes x) {
  return _mm256_sqrt_pd(x);
}
INLINE Mask above(Lanes a, Lanes b) {
  return (Mask)(a > b);
}
INLINE Lanes lesser(Lanes a, Lanes b) {
  return _mm256_min_pd(a, b);
} // a < b ? a : b
INLINE Lanes larger(Lanes a, Lanes b) {
  return _mm256_max_pd(a, b);
} // a > b ? a : b
INLINE Lanes chosen(Mask m, Lanes a, Lanes b) {
  return _mm256_blendv_pd(b, a, (Lanes)m);
}
INLINE uint32_t bits_of_mask(Mask m) {
  return (uint32_t)_mm256_movemask_pd((Lanes)m);
}
INLINE Mask negative(Mask x) {
  return (Mask)_mm256_cmpgt_epi64(_mm256_setzero_si256(), (__m256i)x);
}
INLINE Lanes gathered(const double* x, const uint32_t* at) {
  return (Lanes){x[at[0]], x[at[1]], x[at[2]], x[at[3]]};
}
#else
INLINE Lanes gathered(const double* x, const uint32_t* at) {
  return (Lanes){x[at[0]], x[at[1]]};
}
#if defined(__SSE2__)
INLINE Mask above(Lanes a, Lanes b) {
  return (Mask)_mm_cmpgt_pd(a, b);
} // gcc 12 fails on a > b with such masks
INLINE Lanes chosen(Mask m, Lanes a, Lanes b) {
  return _mm_or_pd(_mm_and_pd((Lanes)m, a), _mm_andnot_pd((Lanes)m, b));
}
INLINE Lanes square_root(Lanes x) {
  return _mm_sqrt_pd(x);
}
INLINE Lanes lesser(Lanes a, Lanes b) {
  return _mm_min_pd(a, b);
}
INLINE Lanes larger(Lanes a, Lanes b) {
  return _mm_max_pd(a, b);
}
INLINE uint32_t bits_of_mask(Mask m) {
  return (uint32_t)_mm_movemask_pd((Lanes)m);
}
INLINE Mask negative(Mask x) {
  return (Mask)_mm_shuffle_epi32(_mm_srai_epi32((__m128i)x, 31), 0xf5);
}
#else
INLINE Mask above(Lanes a, Lanes b) {
  return (Mask)(a > b);
}
INLINE Lanes chosen(Mask m, Lanes a, Lanes b) {
  return (Lanes)(((Mask)a & m) | ((Mask)b & ~m));
}
INLINE Mask negative(Mask x) {
  return x >> 63;
}
INLINE Lanes square_root(Lanes x) {
  return (Lanes){sqrt(x[0]), sqrt(x[1])};
}
INLINE Lanes lesser(Lanes a, Lanes b) {
  return chosen((Mask)(a < b), a, b);
}
INLINE Lanes larger(Lanes a, Lanes b) {
  return chosen((Mask)(a > b), a, b);
}
INLINE uint32_t bits_of_mask(Mask m) {
  return (uint32_t)(m[0] & 1) | (uint32_t)(m[1] & 2);
}
#endif
#endif

#define ALL_LANES ((1u << WIDTH) - 1)

/// x where the mask is set, else 0.
INLINE Lanes only(Mask m, Lanes x) {
  return (Lanes)((Mask)x & m);
}
INLINE Lanes size_of(Lanes x) {
  return only(~(Mask)all(-0.0), x);
}
INLINE Mask counts_at(const int64_t* x) {
  return *(const Mask*)x;
}
INLINE Mask is_zero(Mask count) {
  return negative(count - 1);
}
INLINE void put_counts(int64_t* x, Mask m) {
  *(Mask*)x = m;
}

// ---------------------------------------------------------------- finding

INLINE uint32_t note(uint32_t bits, uint32_t first, uint32_t* found, uint32_t count) {
  for (; bits; bits &= bits - 1) {
    found[count++] = first + (uint32_t)__builtin_ctz(bits);
  }
  return count;
}

INLINE Mask beyond(const double* u, const double* bar, bool upwards) {
  const Lanes x = load(u, 0), limit = load(bar, 0);
  return upwards ? above(x, limit) : above(limit, x);
}

// Eight registers at a time: mostly nothing is found, and one look tells.
#define LOOK (8 * WIDTH)

INLINE uint32_t over_side(uint32_t size, const double* u, const double* bar, uint32_t* found,
                          bool upwards) {
  uint32_t count = 0, i = 0;
  for (; i + LOOK <= size; i += LOOK) {
    Mask any = beyond(u + i, bar + i, upwards);
    for (uint32_t j = WIDTH; j < LOOK; j += WIDTH) {
      any |= beyond(u + i + j, bar + i + j, upwards);
    }
    for (uint32_t j = 0; bits_of_mask(any) && j < LOOK; j += WIDTH) {
      count = note(bits_of_mask(beyond(u + i + j, bar + i + j, upwards)), i + j, found, count);
    }
  }
  for (; i < size; i += WIDTH) {
    count = note(bits_of_mask(beyond(u + i, bar + i, upwards)), i, found, count);
  }
  return count;
}

static JW_REALTIME uint32_t over(uint32_t size, double sign, const double* u, const double* bar,
                                 uint32_t* found) {
  return sign > 0.0 ? over_side(size, u, bar, found, true) : over_side(size, u, bar, found, false);
}

// ---------------------------------------------------------------- powers

#include "numeric/power_table.h"

typedef Lanes Real;
typedef unsigned long long Bits __attribute__((vector_size(8 * WIDTH)));

INLINE Bits below(Real a, Real b) {
  return (Bits)(a < b);
}

INLINE Real looked_up(const double* table, Bits i) {
#if WIDTH == 4
  return (Real){table[i[0]], table[i[1]], table[i[2]], table[i[3]]};
#else
  return (Real){table[i[0]], table[i[1]]};
#endif
}

#if WIDTH == 4
INLINE __m256d row_of(uint64_t i) {
  return _mm256_castpd128_pd256(_mm_load_pd(jw_power_near[i]));
}
#endif

/// A row is a pair: read as such.
INLINE void look_up_near(Bits i, Real* inverse, Real* log2_c) {
#if WIDTH == 4
  const __m256d even = _mm256_insertf128_pd(row_of(i[0]), _mm_load_pd(jw_power_near[i[2]]), 1);
  const __m256d odd = _mm256_insertf128_pd(row_of(i[1]), _mm_load_pd(jw_power_near[i[3]]), 1);
  *inverse = _mm256_unpacklo_pd(even, odd);
  *log2_c = _mm256_unpackhi_pd(even, odd);
#else
  const double *const a = jw_power_near[i[0]], *const b = jw_power_near[i[1]];
  *inverse = (Real){a[0], b[0]};
  *log2_c = (Real){a[1], b[1]};
#endif
}

#include "numeric/power_body.h"

/// Fours that are taken together.
#define FOURS 8
#define BATCH (FOURS * PARTS) // Registers

/// Registers whose powers are taken together, so that their chains overlap.
#define TOGETHER 4

/// y = x^p for `count` registers, at most TOGETHER.
INLINE void raise_few(const double* x, int count, const Exponent* e, double* y) {
  Scaled power[TOGETHER];
  for (int i = 0; i < count; ++i) {
    Real in;
    memcpy(&in, x + WIDTH * i, sizeof in);
    power[i] = power_scale(in, e);
  }
  for (int i = 0; i < count; ++i) {
    const Real out = number_of(power[i]);
    memcpy(y + WIDTH * i, &out, sizeof out);
  }
}

/// y = x^p for `count` registers.
INLINE void raise_batch(const double* x, int count, double p, double* y) {
  const Exponent e = exponent_of(all(p));
  int i = 0;
  for (; i + TOGETHER <= count; i += TOGETHER) {
    raise_few(x + WIDTH * i, TOGETHER, &e, y + WIDTH * i);
  }
  raise_few(x + WIDTH * i, count - i, &e, y + WIDTH * i);
}

static void power(size_t count, const double* x, double p, double* y) {
  size_t i = 0;
  for (; i + BATCH * WIDTH <= count; i += BATCH * WIDTH) {
    raise_batch(x + i, BATCH, p, y + i);
  }
  if (i < count) { // The last ones beside ones
    double rest[BATCH * WIDTH];
    for (size_t j = 0; j < BATCH * WIDTH; ++j) {
      rest[j] = i + j < count ? x[i + j] : 1.0;
    }
    raise_batch(rest, (int)((count - i + WIDTH - 1) / WIDTH), p, rest);
    for (size_t j = 0; i + j < count; ++j) {
      y[i + j] = rest[j];
    }
  }
}
