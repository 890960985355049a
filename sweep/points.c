// SPDX-License-Identifier: MIT
// Where the points are.  Every value is a function of seed, axis and point, by whole numbers, square
// roots and the four operations alone: the same bits on every machine, and no point needs another.

#include "plan.h"

#include <math.h>

// ---------------------------------------------------------------- whole numbers

// A number that looks random, from one that does not (a multiply-and-shift hash of 64 bits, whose steps
// can each be undone).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static uint64_t mix3(uint64_t a, uint64_t b, uint64_t c) {
  return mix(mix(mix(a) ^ b) ^ c);
}

// [0, 1), in steps of 2^-53.
static double unit_of(uint64_t x) {
  return (double)(x >> 11) * 0x1p-53;
}

// A permutation of 0 to count - 1 that needs no table: four rounds of a Feistel network over the next
// power of four, taken again until the result is inside.
static uint64_t permute(uint64_t key, uint64_t index, uint64_t count) {
  uint32_t half = 1;
  while (half < 32 && (UINT64_C(1) << (2 * half)) < count) {
    ++half;
  }
  const uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    uint64_t left = index >> half, right = index & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (mix3(key, round, right) & mask);
      left = right;
      right = next;
    }
    index = (left << half) | right;
  } while (index >= count);
  return index;
}

// ---------------------------------------------------------------- Sobol

// Is a polynomial over GF(2) primitive?  Then x has the order 2^degree - 1.
static bool is_primitive(uint32_t polynomial, uint32_t degree) {
  const uint32_t top = 1u << degree;
  uint32_t power = 1;
  for (uint32_t i = 1; i < top; ++i) {
    power <<= 1;
    power ^= power & top ? polynomial : 0u;
    if (power == 1) {
      return i == top - 1;
    }
  }
  return false;
}

// The primitive polynomials in the order of degree and number; the first is x + 1.
static uint32_t polynomial_of(uint32_t number, uint32_t* degree) {
  for (*degree = 1;; ++*degree) {
    for (uint32_t p = (1u << *degree) + 1; p < 2u << *degree; p += 2) {
      if (is_primitive(p, *degree) && number-- == 0) {
        return p;
      }
    }
  }
}

// Direction numbers by the recurrence of Bratley and Fox (1988), from odd numbers that are chosen by
// `mix`: m_k below 2^k.
static void directions(uint32_t dimension, uint64_t v[52]) {
  if (dimension == 0) {
    for (uint32_t k = 0; k < 52; ++k) {
      v[k] = UINT64_C(1) << (51 - k);
    }
    return;
  }
  uint32_t degree = 0;
  const uint32_t polynomial = polynomial_of(dimension - 1, &degree);
  for (uint32_t k = 0; k < degree; ++k) {
    const uint64_t odd = (mix3(1988, dimension, k) & ((UINT64_C(1) << (k + 1)) - 1)) | 1u;
    v[k] = odd << (51 - k);
  }
  for (uint32_t k = degree; k < 52; ++k) {
    v[k] = v[k - degree] ^ (v[k - degree] >> degree);
    for (uint32_t i = 1; i < degree; ++i) {
      v[k] ^= (polynomial >> (degree - i)) & 1u ? v[k - i] : 0u;
    }
  }
}

static uint64_t sobol_bits(uint32_t dimension, uint64_t index) {
  uint64_t v[52], sum = 0;
  directions(dimension, v);
  for (uint32_t k = 0; k < 52 && index >> k; ++k) {
    sum ^= (index >> k) & 1u ? v[k] : 0u;
  }
  return sum;
}

double jw_sobol(uint32_t dimension, uint64_t index) {
  return (double)sobol_bits(dimension, index) * 0x1p-52;
}

// ---------------------------------------------------------------- values

// base^share by square roots, which are rounded the same everywhere: one a bit of the share.
static double power(double base, double share) {
  double product = 1.0;
  for (int bit = 0; bit < 53 && share > 0.0; ++bit) {
    base = sqrt(base);
    share *= 2.0;
    if (share >= 1.0) {
      product *= base;
      share -= 1.0;
    }
  }
  return product;
}

static double between(const JwSweepAxis* axis, double share) {
  return axis->log ? axis->from * power(axis->to / axis->from, share)
                   : axis->from + (axis->to - axis->from) * share;
}

static double step_of(const JwSweepAxis* axis, uint64_t step) {
  if (axis->values) {
    return axis->values[step];
  }
  return step + 1 == axis->count && axis->count > 1
             ? axis->to
             : between(axis, axis->count > 1 ? (double)step / (axis->count - 1.0) : 0.0);
}

static double share_of(const JwSweep* sweep, uint32_t axis, uint64_t point) {
  const uint64_t key = mix3(sweep->seed, axis, sweep->by);
  switch (sweep->by) {
  case JW_BY_LATIN:
    return ((double)permute(key, point, sweep->points) + unit_of(mix3(key, 5, point)))
           / (double)sweep->points;
  case JW_BY_SOBOL: return (double)(sobol_bits(axis, point) ^ (key >> 12)) * 0x1p-52;
  default: return unit_of(mix(key ^ mix(point)));
  }
}

static double drawn(const JwSweep* sweep, uint32_t index, uint64_t point) {
  const JwSweepAxis* const axis = &sweep->axes[index];
  const double share = share_of(sweep, index, point);
  return axis->values ? axis->values[(uint32_t)(share * axis->count)] : between(axis, share);
}

void jw_sweep_values(const JwSweep* sweep, uint64_t point, double* values) {
  uint64_t left = point;
  for (uint32_t i = sweep->axis_count; i-- > 0;) {
    const JwSweepAxis* const axis = &sweep->axes[i];
    if (sweep->by == JW_BY_GRID) {
      values[i] = step_of(axis, left % axis->count);
      left /= axis->count;
    } else {
      values[i] = sweep->by == JW_BY_LIST ? step_of(axis, point) : drawn(sweep, i, point);
    }
  }
}
