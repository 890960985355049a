// SPDX-License-Identifier: MIT
// Oscillator banks and dense ports: short loops over modes (kernel.h).

#include "kernel/kernel.h"

#include <math.h>
#include <string.h>

JW_REALTIME void jw_modes_advance(uint32_t n, const double* restrict e, const double* restrict b,
                                  double* restrict next, const double* restrict u,
                                  const double* restrict prev) {
  for (uint32_t i = 0; i < n; ++i) {
    next[i] = u[i] + (e[i] * (u[i] - prev[i]) - b[i] * u[i]);
  }
}

#if defined(__GNUC__)

// Two sums in a register: the compiler does not see it.
typedef double Pair __attribute__((vector_size(16)));

static inline Pair pair_at(const double* x) {
  Pair pair;
  memcpy(&pair, x, sizeof pair);
  return pair;
}

JW_REALTIME double jw_dot(uint32_t n, const double* w, const double* u) {
  Pair low = {0.0, 0.0}, high = {0.0, 0.0};
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    low += pair_at(w + i) * pair_at(u + i);
    high += pair_at(w + i + 2) * pair_at(u + i + 2);
  }
  if (i + 2 <= n) {
    low += pair_at(w + i) * pair_at(u + i);
    high[0] += i + 2 < n ? w[i + 2] * u[i + 2] : 0.0;
  } else if (i < n) {
    low[0] += w[i] * u[i];
  }
  return (low[0] + low[1]) + (high[0] + high[1]);
}

// What is left beyond the last four, at most three: as jw_dot() adds it.
static double add_up(Pair low, Pair high, const double* rest, uint32_t count) {
  if (count >= 2) {
    low += pair_at(rest);
    high[0] += count > 2 ? rest[2] : 0.0;
  } else if (count) {
    low[0] += rest[0];
  }
  return (low[0] + low[1]) + (high[0] + high[1]);
}

JW_REALTIME double jw_dot_change(uint32_t n, const double* w, const double* u, const double* v) {
  Pair low = {0.0, 0.0}, high = {0.0, 0.0};
  double rest[3] = {0.0, 0.0, 0.0};
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    low += pair_at(w + i) * (pair_at(u + i) - pair_at(v + i));
    high += pair_at(w + i + 2) * (pair_at(u + i + 2) - pair_at(v + i + 2));
  }
  for (uint32_t j = i; j < n; ++j) {
    rest[j - i] = w[j] * (u[j] - v[j]);
  }
  return add_up(low, high, rest, n - i);
}

static inline Pair weighted_square(const double* w, const double* u, const double* v) {
  const Pair d = pair_at(u) - pair_at(v);
  return pair_at(w) * (d * d);
}

JW_REALTIME double jw_weighted_distance(uint32_t n, const double* w, const double* u,
                                        const double* v) {
  Pair low = {0.0, 0.0}, high = {0.0, 0.0};
  double rest[3] = {0.0, 0.0, 0.0};
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    low += weighted_square(w + i, u + i, v + i);
    high += weighted_square(w + i + 2, u + i + 2, v + i + 2);
  }
  for (uint32_t j = i; j < n; ++j) {
    rest[j - i] = w[j] * ((u[j] - v[j]) * (u[j] - v[j]));
  }
  return add_up(low, high, rest, n - i);
}

typedef long long Mask __attribute__((vector_size(16)));

// One pair; how many of it are out of bounds.
static inline Pair silence_pair(double* x, double tiny, double most) {
  const Pair pair = pair_at(x), size = (Pair)((Mask)pair & (Mask){INT64_MAX, INT64_MAX}),
             one = {1.0, 1.0};
  const Pair kept = (Pair)((Mask)pair & ~(Mask)(size < tiny));
  memcpy(x, &kept, sizeof kept);
  return (Pair)((Mask)one & ~(Mask)(size <= most));
}

JW_REALTIME bool jw_silence(uint32_t n, double* x, double tiny, double most) {
  Pair bad = {0.0, 0.0};
  for (; n >= 4; n -= 4, x += 4) {
    bad += silence_pair(x, tiny, most) + silence_pair(x + 2, tiny, most);
  }
  for (; n > 0; --n, ++x) {
    bad[0] += fabs(*x) <= most ? 0.0 : 1.0;
    *x = fabs(*x) < tiny ? 0.0 : *x;
  }
  return bad[0] + bad[1] == 0.0;
}

#else

bool jw_silence(uint32_t n, double* x, double tiny, double most) {
  bool good = true;
  for (uint32_t i = 0; i < n; ++i) {
    good = good && fabs(x[i]) <= most;
    x[i] = fabs(x[i]) < tiny ? 0.0 : x[i];
  }
  return good;
}

double jw_dot_change(uint32_t n, const double* w, const double* u, const double* v) {
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < n; ++i) {
    s[i % 4] += w[i] * (u[i] - v[i]);
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

double jw_weighted_distance(uint32_t n, const double* w, const double* u, const double* v) {
  double s[4] = {0.0, 0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < n; ++i) {
    s[i % 4] += w[i] * ((u[i] - v[i]) * (u[i] - v[i]));
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

double jw_dot(uint32_t n, const double* w, const double* u) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += w[i] * u[i];
    s1 += w[i + 1] * u[i + 1];
    s2 += w[i + 2] * u[i + 2];
    s3 += w[i + 3] * u[i + 3];
  }
  s0 += i < n ? w[i] * u[i] : 0.0;
  s1 += i + 1 < n ? w[i + 1] * u[i + 1] : 0.0;
  s2 += i + 2 < n ? w[i + 2] * u[i + 2] : 0.0;
  return (s0 + s1) + (s2 + s3);
}

#endif

JW_REALTIME double jw_distance(uint32_t n, const double* u, const double* v) {
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const double d0 = u[i] - v[i], d1 = u[i + 1] - v[i + 1], d2 = u[i + 2] - v[i + 2],
                 d3 = u[i + 3] - v[i + 3];
    s0 += d0 * d0;
    s1 += d1 * d1;
    s2 += d2 * d2;
    s3 += d3 * d3;
  }
  for (; i < n; ++i) {
    s0 += (u[i] - v[i]) * (u[i] - v[i]);
  }
  return (s0 + s1) + (s2 + s3);
}

JW_REALTIME void jw_axpy(uint32_t n, const double* restrict w, double f, double* restrict u) {
  for (uint32_t i = 0; i < n; ++i) {
    u[i] += w[i] * f;
  }
}
