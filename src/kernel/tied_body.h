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

/// What one bank is in a pass.
typedef struct {
  double *u, *n;
  const double* p;
  Four f[2];    // Pushes, at the first place and at the second
  Four sums[2]; // How far they would move
  Four lost;
} Bank;

static INLINE Bank bank_of(const JwAlike* alike, int i, JwRoles roles, const JwTies ties[2],
                           int places) {
  double* const* const buffer = alike->buffer[i];
  Bank bank = {.u = buffer[roles.now], .p = buffer[roles.prev], .n = buffer[roles.next]};
  for (int p = 0; p < places; ++p) {
    bank.f[p] = all_four(ties[p].push[alike->first + (uint32_t)i]);
    bank.sums[p] = all_four(0.0);
  }
  bank.lost = all_four(0.0);
  return bank;
}

/// The constants of four modes that all banks of a group have.
typedef struct {
  Four e, w, w2, room; // room: 2 + 2e
} Shared;

/// `l` is NULL where nobody asks for losses.
static INLINE void advance_block(Bank* bank, const Shared* k, Four b, const double* l, size_t at,
                                 int places) {
  const Four room = k->room - b;
  Four u = four_at(bank->u + at) + (k->w * room) * bank->f[0];
  if (places == 2) {
    u += (k->w2 * room) * bank->f[1];
  }
  if (l) {
    const Four moved = u - four_at(bank->n + at);
    bank->lost += four_at(l) * (moved * moved);
  }
  const Four d = u - four_at(bank->p + at), v = k->e * d - b * u, r = d + v;
  put_four(bank->u + at, u);
  put_four(bank->n + at, u + v);
  bank->sums[0] += k->w * r;
  if (places == 2) {
    bank->sums[1] += k->w2 * r;
  }
}

static INLINE void advance_alike(const JwAlike* alike, JwRoles roles, const JwTies ties[2],
                                 double* lost, int count, int places) {
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
    const Shared k = {e, w, places == 2 ? four_at(alike->second + 4 * i) : w,
                      (e + e) + all_four(2)};
    const size_t mine = 4 * (size_t)count * i;
    const double* const l = lost ? alike->lost + mine : NULL;
    advance_block(&a, &k, four_at(own + mine), l, 4 * i, places);
    if (count > 1) {
      advance_block(&b, &k, four_at(own + mine + 4), l ? l + 4 : l, 4 * i, places);
    }
    if (count > 2) {
      advance_block(&c, &k, four_at(own + mine + 8), l ? l + 8 : l, 4 * i, places);
    }
  }
  const Bank* const banks[3] = {&a, &b, &c};
  for (int j = 0; j < count; ++j) {
    const uint32_t at = alike->first + (uint32_t)j;
    for (int p = 0; p < places; ++p) {
      ties[p].moved[at] = sum_of(banks[j]->sums[p]);
    }
    if (lost) {
      lost[at] = sum_of(banks[j]->lost);
    }
  }
}

static INLINE void advance_all(const JwAlike* alike, uint32_t count, JwRoles roles,
                               const JwTies ties[2], double* lost) {
  for (uint32_t i = 0; i < count; ++i) {
    switch (2 * alike[i].count + alike[i].places) {
    case 3: advance_alike(&alike[i], roles, ties, lost, 1, 1); break;
    case 4: advance_alike(&alike[i], roles, ties, lost, 1, 2); break;
    case 5: advance_alike(&alike[i], roles, ties, lost, 2, 1); break;
    case 6: advance_alike(&alike[i], roles, ties, lost, 2, 2); break;
    case 7: advance_alike(&alike[i], roles, ties, lost, 3, 1); break;
    default: advance_alike(&alike[i], roles, ties, lost, 3, 2); break;
    }
  }
}

// Two copies: a pass without a ledger does not read what modes lose.
static JW_REALTIME JW_HOT void advance(const JwAlike* alike, uint32_t count, JwRoles roles,
                                       const JwTies ties[2], double* lost) {
  if (lost) {
    advance_all(alike, count, roles, ties, lost);
  } else {
    advance_all(alike, count, roles, ties, NULL);
  }
}

static JW_REALTIME void settle(const JwAlike* alike, size_t now, const JwTies ties[2]) {
  for (uint32_t j = 0; j < alike->count; ++j) {
    const Four f = all_four(ties[0].push[alike->first + j]),
               f2 = all_four(ties[1].push[alike->first + j]);
    double* const x = alike->buffer[j][now];
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
    const Four free = (four_at(ties->moved + i) - four_at(k->hub + i)) - four_at(k->given + i);
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
    const Four most = four_at(k->most + i), push_sense = four_at(k->sign + i) * f,
               size = (Four)((FourMask)f & (FourMask){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}),
               bound = four_at(k->bound + i) + four_at(k->reach + i) * size;
    const FourMask larger = (FourMask)(push_sense > most);
    put_four(k->f + i, f);
    put_four(k->r + i, r);
    put_four(k->psi + i, psi + all_four(0.5) * g * r);
    put_four(k->most + i, (Four)(((FourMask)push_sense & larger) | ((FourMask)most & ~larger)));
    put_four(k->acted + i, four_at(k->acted + i)
                               + (Four)((FourMask)all_four(1.0) & (FourMask)(f != all_four(0.0))));
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
