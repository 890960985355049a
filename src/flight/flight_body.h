// SPDX-License-Identifier: MIT
// Banks and masses in flight, WIDTH lanes side by side, in the vector extensions of gcc and clang.
//
// Included once for each instruction set.  A slab of a few rows of four modes stays in registers
// for many frames, next to a mass: the chain from one frame to the next is the four operations of
// (1.4), and what ports read is no part of it.  Each mode and each partial sum sees the operations
// of modes.c in the same order, so the bits are the same.

#include "flight/flight.h"

#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))
#define PARTS (4 / WIDTH) // Registers of a row
#define ROWS WIDTH        // Of a slab: four of four lanes, two of two times two
#define MOST (ROWS * PARTS)
#define ANY (-1)
#if defined(__clang__)
#define UNROLL // It does so by itself
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

typedef double Lanes __attribute__((vector_size(8 * WIDTH)));

typedef struct {
  double e, b, push, x, d; // Of a mass: what moves it, and where it is with its step (1.10)
} Mass;

/// Rows of a bank that are advanced together: registers from `first` on.
typedef struct {
  const JwFlightBank* bank;
  const Lanes *e, *b;
  const Lanes* w[2]; // Of the first readings
  Lanes* sums[2];
  uint32_t first;
  int n, readings; // Both known to the compiler; readings may be ANY
  bool more;       // Not the first rows: add to the sums
} Slab;

INLINE const Lanes* lanes_at(const double* x, uint32_t first) {
  return (const Lanes*)(const void*)x + first;
}

INLINE void slab_load(const Slab* s, Lanes* x, const double* from) {
  UNROLL for (int i = 0; i < s->n; ++i) {
    x[i] = lanes_at(from, s->first)[i];
  }
}

INLINE void slab_store(const Slab* s, double* to, const Lanes* x) {
  UNROLL for (int i = 0; i < s->n; ++i) {
    ((Lanes*)(void*)to)[s->first + (uint32_t)i] = x[i];
  }
}

/// next from u and prev; takes the place of what was before prev.
INLINE void slab_step(const Slab* s, Lanes* next, const Lanes* u, const Lanes* prev) {
  UNROLL for (int i = 0; i < s->n; ++i) {
    next[i] = u[i] + (s->e[i] * (u[i] - prev[i]) - s->b[i] * u[i]);
  }
}

INLINE void slab_drive(const Slab* s, Lanes* next, size_t frame) {
  for (uint32_t d = 0; d < s->bank->drive_count; ++d) {
    const double force = s->bank->force[d][frame];
    const Lanes* const spread = lanes_at(s->bank->spread[d], s->first);
    if (force != 0.0) {
      UNROLL for (int i = 0; i < s->n; ++i) {
        next[i] += spread[i] * force;
      }
    }
  }
}

/// Add the products of these rows to the sums of one reading.
INLINE void slab_sum(const Slab* s, const Lanes* w, const Lanes* u, Lanes* sums) {
  Lanes sum[PARTS];
  UNROLL for (int p = 0; p < PARTS; ++p) {
    sum[p] = s->more ? sums[p] : (Lanes){0.0};
  }
  UNROLL for (int i = 0; i < s->n; ++i) {
    sum[i % PARTS] += w[i] * u[i];
  }
  UNROLL for (int p = 0; p < PARTS; ++p) {
    sums[p] = sum[p];
  }
}

INLINE void slab_read(const Slab* s, const Lanes* u, size_t frame) {
  if (s->readings == ANY) {
    for (uint32_t r = 0; r < s->bank->reading_count; ++r) {
      slab_sum(s, lanes_at(s->bank->weight[r], s->first), u,
               (Lanes*)(void*)s->bank->sums[r] + frame * PARTS);
    }
    return;
  }
  UNROLL for (int r = 0; r < s->readings; ++r) {
    slab_sum(s, s->w[r], u, s->sums[r] + frame * PARTS);
  }
}

INLINE Mass mass_start(const JwFlightMass* mass, unsigned at) {
  const double* const u = mass->buffer[at];
  mass->path[0] = u[0], mass->steps[0] = u[1];
  return (Mass){mass->e, mass->b, mass->push, u[0], u[1]};
}

INLINE void mass_step(Mass* m, bool heavy) {
  m->d = m->e * m->d - m->b * m->x;
  m->d = heavy ? m->d + m->push : m->d;
  m->x += m->d;
}

/// The last states, of which the oldest may be one from before the flight.
INLINE void mass_end(const JwFlightMass* mass, unsigned at, uint32_t count) {
  const unsigned end = (at + count) % 3;
  for (uint32_t i = 0; i < 3 && i <= count; ++i) {
    double* const u = mass->buffer[(end + 3 - i) % 3];
    u[0] = mass->path[count - i], u[1] = mass->steps[count - i];
  }
}

#define FRAME(x2, x1, x0)                                                                          \
  do {                                                                                             \
    ++t;                                                                                           \
    slab_step(&s, x2, x1, x0);                                                                     \
    if (driven) {                                                                                  \
      slab_drive(&s, x2, t - 1);                                                                   \
    }                                                                                              \
    slab_read(&s, x2, t);                                                                          \
    if (mass) {                                                                                    \
      mass_step(&m, heavy);                                                                        \
      path[t] = m.x, steps[t] = m.d;                                                               \
    }                                                                                              \
  } while (0)

INLINE void fly_slab(Slab s, const JwFlightMass* mass, uint64_t frame, uint32_t count, bool driven,
                     bool heavy) {
  const JwFlightBank* const bank = s.bank;
  const unsigned at = (unsigned)(frame % 3), end = (unsigned)((frame + count) % 3);
  Mass m = mass ? mass_start(mass, at) : (Mass){0.0, 0.0, 0.0, 0.0, 0.0};
  double *const path = mass ? mass->path : NULL, *const steps = mass ? mass->steps : NULL;
  Lanes a[MOST], b[MOST], c[MOST];
  slab_load(&s, a, bank->buffer[(at + 2) % 3]);
  slab_load(&s, b, bank->buffer[at]);
  slab_load(&s, c, bank->buffer[(at + 1) % 3]);
  slab_read(&s, b, 0);
  size_t t = 0;
  while (t + 3 <= count) {
    FRAME(c, b, a);
    FRAME(a, c, b);
    FRAME(b, a, c);
  }
  while (t < count) { // At most two: the oldest makes room and the others move up
    FRAME(c, b, a);
    UNROLL for (int i = 0; i < s.n; ++i) {
      const Lanes old = a[i];
      a[i] = b[i], b[i] = c[i], c[i] = old;
    }
  }
  slab_store(&s, bank->buffer[end], b);
  slab_store(&s, bank->buffer[(end + 2) % 3], a);
  slab_store(&s, bank->buffer[(end + 1) % 3], c);
  if (mass) {
    mass_end(mass, at, count);
  }
}
#undef FRAME

INLINE Slab slab_of(const JwFlightBank* bank, uint32_t row, int rows, int readings) {
  const uint32_t first = row * PARTS;
  Slab s = {bank,
            lanes_at(bank->e, first),
            lanes_at(bank->b, first),
            {NULL, NULL},
            {NULL, NULL},
            first,
            rows * PARTS,
            readings,
            row > 0};
  for (int r = 0; r < readings; ++r) {
    s.w[r] = lanes_at(bank->weight[r], first);
    s.sums[r] = (Lanes*)(void*)bank->sums[r];
  }
  return s;
}

/// The first rows of a bank, next to a mass.
INLINE void fly_first(const JwFlightBank* bank, const JwFlightMass* mass, uint64_t frame,
                      uint32_t count, int rows) {
  if (mass->push != 0.0) { // One more addition in the mass's chain
    fly_slab(slab_of(bank, 0, rows, ANY), mass, frame, count, false, true);
    return;
  }
  switch (bank->reading_count) {
  case 1: fly_slab(slab_of(bank, 0, rows, 1), mass, frame, count, false, false); break;
  case 2: fly_slab(slab_of(bank, 0, rows, 2), mass, frame, count, false, false); break;
  default: fly_slab(slab_of(bank, 0, rows, ANY), mass, frame, count, false, false); break;
  }
}

/// Any rows, in turn.
static void fly_rows(const JwFlightBank* bank, uint64_t frame, uint32_t count, uint32_t row) {
  for (; row < bank->rows; row += ROWS) {
    switch (bank->rows - row) {
    case 1: fly_slab(slab_of(bank, row, 1, ANY), NULL, frame, count, true, false); break;
#if ROWS == 4
    case 2: fly_slab(slab_of(bank, row, 2, ANY), NULL, frame, count, true, false); break;
    case 3: fly_slab(slab_of(bank, row, 3, ANY), NULL, frame, count, true, false); break;
#endif
    default: fly_slab(slab_of(bank, row, ROWS, ANY), NULL, frame, count, true, false); break;
    }
  }
}

static JW_REALTIME void fly(const JwFlightBank* bank, const JwFlightMass* mass, uint64_t frame,
                            uint32_t count) {
  switch (bank->rows) {
  case 1: fly_first(bank, mass, frame, count, 1); break;
#if ROWS == 4
  case 2: fly_first(bank, mass, frame, count, 2); break;
  case 3: fly_first(bank, mass, frame, count, 3); break;
#endif
  default: fly_first(bank, mass, frame, count, ROWS); break;
  }
  fly_rows(bank, frame, count, ROWS);
}

static JW_REALTIME void fly_driven(const JwFlightBank* bank, uint64_t frame, uint32_t count) {
  fly_rows(bank, frame, count, 0);
}

static JW_REALTIME void fly_mass(const JwFlightMass* m, uint64_t frame, uint32_t count) {
  const unsigned at = (unsigned)(frame % 3);
  Mass moving = mass_start(m, at);
  for (uint32_t t = 1; t <= count; ++t) {
    mass_step(&moving, true);
    m->path[t] = moving.x, m->steps[t] = moving.d;
  }
  mass_end(m, at, count);
}

// ---------------------------------------------------------------- what ports read

#if WIDTH == 4
#if defined(__clang__)
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef long long Order __attribute__((vector_size(32)));
#define PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (Order){i, j, k, l})
#endif

// Four frames: lanes 0 and 1, and 2 and 3, of two frames at a time; then both halves.
INLINE Lanes pairs(Lanes a, Lanes b) {
  return PICK(a, b, 0, 4, 2, 6) + PICK(a, b, 1, 5, 3, 7);
}

static JW_REALTIME void add(uint32_t count, const double* sums, double* path) {
  const Lanes* s = (const Lanes*)(const void*)sums;
  for (; count >= 4; count -= 4, s += 4, path += 4) {
    const Lanes low = pairs(s[0], s[1]), high = pairs(s[2], s[3]);
    const Lanes four = PICK(low, high, 0, 1, 4, 5) + PICK(low, high, 2, 3, 6, 7);
    __builtin_memcpy(path, &four, sizeof four);
  }
  UNROLL for (uint32_t i = 0; i < 3; ++i) {
    if (i < count) {
      path[i] = (s[i][0] + s[i][1]) + (s[i][2] + s[i][3]);
    }
  }
}
#else
static JW_REALTIME void add(uint32_t count, const double* restrict sums, double* restrict path) {
  for (uint32_t i = 0; i < count; ++i) {
    path[i] = (sums[4 * i] + sums[4 * i + 1]) + (sums[4 * i + 2] + sums[4 * i + 3]);
  }
}
#endif

static JW_REALTIME uint32_t closes(uint32_t count, const double* a, const double* b, double rest) {
  long long any = 0;
  for (uint32_t i = 0; i < count; ++i) {
    any |= (a[i] - b[i]) + rest > JW_TINY ? -1 : 0;
  }
  uint32_t i = 0;
  while (any && i < count && !((a[i] - b[i]) + rest > JW_TINY)) {
    ++i;
  }
  return any ? i : count;
}

static JW_REALTIME void velocity(uint32_t count, const double* restrict path, double k, double gain,
                                 double* restrict row) {
  for (uint32_t i = 0; i < count; ++i) {
    row[i] = gain * ((path[i + 1] - path[i]) / k);
  }
}
