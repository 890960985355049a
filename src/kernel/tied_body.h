// SPDX-License-Identifier: MIT
// The loops of tied.h, for whatever registers the file that includes this is compiled for.

#include "base/hint.h"
#include "kernel/tied.h"

#include <string.h>

#define INLINE inline __attribute__((always_inline))

typedef double Four __attribute__((vector_size(32)));

static inline Four four_at(const double* x) {
  Four four;
  memcpy(&four, x, sizeof four);
  return four;
}

static inline void put_four(double* x, Four four) {
  memcpy(x, &four, sizeof four);
}

static inline Four all_four(double x) {
  return (Four){x, x, x, x};
}

static inline double sum_of(Four x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}

static inline Four moved(Four e, Four b, Four u, Four p) {
  return u + (e * (u - p) - b * u);
}

/// What one bank is in a pass.
typedef struct {
  const double *u, *p;
  double* n;
  Four f[4];    // Pushes on u and on p, and those of the second place
  Four sums[4]; // Of w n and of w u, and those of the second place
} Bank;

static INLINE Bank bank_of(const JwAlike* alike, int i, JwRoles roles, const JwTies ties[2],
                           int places) {
  double* const* const buffer = alike->buffer[i];
  const uint32_t at = alike->first + (uint32_t)i;
  Bank bank = {.u = buffer[roles.now], .p = buffer[roles.prev], .n = buffer[roles.next]};
  for (int p = 0; p < places; ++p) {
    bank.f[2 * p] = all_four(ties[p].push[roles.now][at]);
    bank.f[2 * p + 1] = all_four(ties[p].push[roles.prev][at]);
    bank.sums[2 * p] = bank.sums[2 * p + 1] = all_four(0.0);
  }
  return bank;
}

/// `c`: e, w, w of the second place, and 2 + 2e.
static INLINE void advance_block(Bank* bank, const Four c[4], Four b, size_t at, int places) {
  const Four room = c[3] - b, s = c[1] * room;
  Four u = four_at(bank->u + at) + s * bank->f[0], p = four_at(bank->p + at) + s * bank->f[1];
  if (places == 2) {
    const Four s2 = c[2] * room;
    u += s2 * bank->f[2];
    p += s2 * bank->f[3];
  }
  const Four n = u + (c[0] * (u - p) - b * u);
  put_four(bank->n + at, n);
  bank->sums[0] += c[1] * n;
  bank->sums[1] += c[1] * u;
  if (places == 2) {
    bank->sums[2] += c[2] * n;
    bank->sums[3] += c[2] * u;
  }
}

static INLINE void advance_alike(const JwAlike* alike, JwRoles roles, const JwTies ties[2],
                                 int count, int places) {
  Bank a = bank_of(alike, 0, roles, ties, places), b = a, c = a;
  if (count > 1) {
    b = bank_of(alike, 1, roles, ties, places);
  }
  if (count > 2) {
    c = bank_of(alike, 2, roles, ties, places);
  }
  const double *const shared = alike->alike, *const own = alike->own;
  const uint32_t blocks = alike->blocks;
  for (size_t i = 0; i < blocks; ++i) {
    const Four e = four_at(shared + 8 * i), w = four_at(shared + 8 * i + 4);
    const Four k[4] = {e, w, places == 2 ? four_at(alike->second + 4 * i) : w,
                       (e + e) + all_four(2)};
    const double* const mine = own + 4 * (size_t)count * i;
    advance_block(&a, k, four_at(mine), 4 * i, places);
    if (count > 1) {
      advance_block(&b, k, four_at(mine + 4), 4 * i, places);
    }
    if (count > 2) {
      advance_block(&c, k, four_at(mine + 8), 4 * i, places);
    }
  }
  const Bank* const banks[3] = {&a, &b, &c};
  for (int j = 0; j < count; ++j) {
    for (int p = 0; p < places; ++p) {
      ties[p].next[alike->first + (uint32_t)j] = sum_of(banks[j]->sums[2 * p]);
      ties[p].now[alike->first + (uint32_t)j] = sum_of(banks[j]->sums[2 * p + 1]);
    }
  }
}

static JW_REALTIME JW_HOT void advance(const JwAlike* alike, uint32_t count, JwRoles roles,
                                       const JwTies ties[2]) {
  for (uint32_t i = 0; i < count; ++i) {
    switch (2 * alike[i].count + alike[i].places) {
    case 3: advance_alike(&alike[i], roles, ties, 1, 1); break;
    case 4: advance_alike(&alike[i], roles, ties, 1, 2); break;
    case 5: advance_alike(&alike[i], roles, ties, 2, 1); break;
    case 6: advance_alike(&alike[i], roles, ties, 2, 2); break;
    case 7: advance_alike(&alike[i], roles, ties, 3, 1); break;
    default: advance_alike(&alike[i], roles, ties, 3, 2); break;
    }
  }
}

static JW_REALTIME void settle(const JwAlike* alike, size_t level, const JwTies ties[2]) {
  for (uint32_t j = 0; j < alike->count; ++j) {
    const Four f = all_four(ties[0].push[level][alike->first + j]),
               f2 = all_four(ties[1].push[level][alike->first + j]);
    double* const x = alike->buffer[j][level];
    for (size_t i = 0; i < alike->blocks; ++i) {
      const Four e = four_at(alike->alike + 8 * i), w = four_at(alike->alike + 8 * i + 4),
                 b = four_at(alike->own + 4 * (alike->count * i + j)),
                 room = ((e + e) + all_four(2)) - b, first = four_at(x + 4 * i) + (w * room) * f;
      put_four(x + 4 * i,
               alike->places == 2 ? first + (four_at(alike->second + 4 * i) * room) * f2 : first);
    }
  }
}

static JW_REALTIME JW_HOT void read(uint32_t count, const JwPins* k, const JwTies* ties) {
  for (uint32_t i = 0; i < count; i += 4) {
    const Four free = ((four_at(ties->next + i) - four_at(k->past + i)) - four_at(k->hub + i))
                      - four_at(k->given + i);
    put_four(k->past + i, four_at(ties->now + i));
    put_four(k->free + i, free);
    put_four(k->sum + i,
             four_at(k->part + i)
                 * (four_at(k->a + i) * free + four_at(k->g + i) * four_at(k->psi + i)));
  }
}

typedef long long FourMask __attribute__((vector_size(32)));

static JW_REALTIME JW_HOT bool solve(uint32_t count, const JwPins* k, double* push) {
  FourMask beyond = {0, 0, 0, 0};
  for (uint32_t i = 0; i < count; i += 4) {
    const Four free = four_at(k->free + i) - four_at(k->hub + i), g = four_at(k->g + i),
               psi = four_at(k->psi + i), part = four_at(k->part + i), c = g * psi;
    const Four f = part * (four_at(k->a + i) * free + c), r = part * (free - four_at(k->q + i) * c);
    const Four most = four_at(k->most + i),
               size = (Four)((FourMask)f & (FourMask){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}),
               bound = four_at(k->bound + i) + four_at(k->reach + i) * size;
    const FourMask larger = (FourMask)(f > most);
    put_four(k->f + i, f);
    put_four(k->r + i, r);
    put_four(k->psi + i, psi + all_four(0.5) * g * r);
    put_four(k->most + i, (Four)(((FourMask)f & larger) | ((FourMask)most & ~larger)));
    put_four(k->bound + i, bound);
    put_four(push + i, four_at(k->scale + i) * f * four_at(k->keep + i));
    beyond |= (FourMask)(bound > four_at(k->limit + i));
  }
  return (beyond[0] | beyond[1] | beyond[2] | beyond[3]) != 0;
}

// Four rows at once: a sum waits for itself.
static JW_REALTIME JW_HOT void rows(uint32_t count, uint32_t stride, const double* a,
                                    const double* x, double* y) {
  uint32_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const double* const r = a + (size_t)i * stride;
    Four s0 = all_four(0.0), s1 = s0, s2 = s0, s3 = s0;
    for (uint32_t j = 0; j < stride; j += 4) {
      const Four v = four_at(x + j);
      s0 += four_at(r + j) * v;
      s1 += four_at(r + stride + j) * v;
      s2 += four_at(r + 2 * (size_t)stride + j) * v;
      s3 += four_at(r + 3 * (size_t)stride + j) * v;
    }
    y[i] = sum_of(s0), y[i + 1] = sum_of(s1), y[i + 2] = sum_of(s2), y[i + 3] = sum_of(s3);
  }
  for (; i < count; ++i) {
    Four s = all_four(0.0);
    for (uint32_t j = 0; j < stride; j += 4) {
      s += four_at(a + (size_t)i * stride + j) * four_at(x + j);
    }
    y[i] = sum_of(s);
  }
}

static JW_REALTIME JW_HOT void rows_of_two(uint32_t count, uint32_t stride, const double* a,
                                           const double* const x[2], double* const y[2]) {
  for (uint32_t i = 0; i < count; i += 2) {
    const double *const r = a + (size_t)i * stride, *const r2 = i + 1 < count ? r + stride : r;
    Four s0 = all_four(0.0), s1 = s0, t0 = s0, t1 = s0;
    for (uint32_t j = 0; j < stride; j += 4) {
      const Four u = four_at(r + j), v = four_at(r2 + j), p = four_at(x[0] + j),
                 q = four_at(x[1] + j);
      s0 += u * p;
      s1 += v * p;
      t0 += u * q;
      t1 += v * q;
    }
    y[0][i] = sum_of(s0);
    y[1][i] = sum_of(t0);
    if (i + 1 < count) {
      y[0][i + 1] = sum_of(s1);
      y[1][i + 1] = sum_of(t1);
    }
  }
}

static JW_REALTIME JW_HOT void columns(uint32_t count, uint32_t stride, const double* a,
                                       const double* y, double* x) {
  uint32_t j = 0;
  for (; j + 16 <= stride; j += 16) {
    Four s0 = all_four(0.0), s1 = s0, s2 = s0, s3 = s0;
    for (uint32_t i = 0; i < count; ++i) {
      const double* const r = a + (size_t)i * stride + j;
      const Four v = all_four(y[i]);
      s0 += four_at(r) * v;
      s1 += four_at(r + 4) * v;
      s2 += four_at(r + 8) * v;
      s3 += four_at(r + 12) * v;
    }
    put_four(x + j, four_at(x + j) + s0);
    put_four(x + j + 4, four_at(x + j + 4) + s1);
    put_four(x + j + 8, four_at(x + j + 8) + s2);
    put_four(x + j + 12, four_at(x + j + 12) + s3);
  }
  for (; j < stride; j += 4) {
    Four s = all_four(0.0);
    for (uint32_t i = 0; i < count; ++i) {
      s += four_at(a + (size_t)i * stride + j) * all_four(y[i]);
    }
    put_four(x + j, four_at(x + j) + s);
  }
}
