// SPDX-License-Identifier: MIT
// The kernels with WIDTH lanes side by side, in the vector extensions of gcc and clang.
//
// Included once for each instruction set, with WIDTH the lanes of one register: 4, or 2 and then
// each row of four is done as two parts.  Equations (1) to (4) are those of kernel.c, in the same
// order of operations; values cross lanes only when copied by `before` and `after`, so the bits
// cannot depend on the width.
//
// One pass: w of the row ahead is found from u and p and used at once, so that w never leaves the
// registers (string) or stays in a few short lines (plate).  Registers are renamed by unrolling.
//
// What was tried: separate passes for w and next (2 more loads a row: slower), the 13 points read
// from memory one by one (half as fast), additions as fused multiply-adds with a factor of one on
// the multiplier's pipes (no gain: the schedulers are full), unfolded rows with unaligned
// neighbours (slower by a fifth).

#include "base/hint.h"
#include "kernel/lanes.h"

#include <stdint.h>
#include <string.h>

#define PARTS (4 / WIDTH)
#define INLINE static inline __attribute__((always_inline))
#define APART static JW_REALTIME JW_APART JW_HOT void

typedef double Lanes __attribute__((vector_size(8 * WIDTH)));
typedef long long Mask __attribute__((vector_size(8 * WIDTH)));

/// Row r of a part; `row` points at its first lane.
INLINE Lanes load(const double* row, int r) {
  return *(const Lanes*)(row + 4 * r);
}
INLINE void store(double* row, int r, Lanes x) {
  *(Lanes*)(row + 4 * r) = x;
}

#if WIDTH == 4
INLINE Lanes all(double x) {
  return (Lanes){x, x, x, x};
}
INLINE Lanes first_points(double rows, int part) {
  return (void)part, (Lanes){0.0, rows, 2.0 * rows, 3.0 * rows};
}
INLINE Mask all_but_last(int part) {
  return (void)part, (Mask){-1, -1, -1, 0};
}
#if defined(__clang__)
INLINE Lanes up(Lanes x) {
  return __builtin_shufflevector(x, all(0.0), 4, 0, 1, 2);
}
INLINE Lanes down(Lanes x) {
  return __builtin_shufflevector(x, all(0.0), 1, 2, 3, 4);
}
#else
INLINE Lanes up(Lanes x) {
  return __builtin_shuffle(x, all(0.0), (Mask){4, 0, 1, 2});
}
INLINE Lanes down(Lanes x) {
  return __builtin_shuffle(x, all(0.0), (Mask){1, 2, 3, 4});
}
#endif
INLINE Lanes before(const double* last, int part) {
  return (void)part, up(load(last, 0));
}
INLINE Lanes after(const double* first, int part) {
  return (void)part, down(load(first, 0));
}
// The same of a row just stored, when all of it is still in a register: reading it back waits.
INLINE Lanes before_stored(Lanes x, const double* last, int part) {
  return (void)last, (void)part, up(x);
}
INLINE Lanes after_stored(Lanes x, const double* first, int part) {
  return (void)first, (void)part, down(x);
}
#else
INLINE Lanes all(double x) {
  return (Lanes){x, x};
}
INLINE Lanes first_points(double rows, int part) {
  return part ? (Lanes){2.0 * rows, 3.0 * rows} : (Lanes){0.0, rows};
}
INLINE Mask all_but_last(int part) {
  return part ? (Mask){-1, 0} : (Mask){-1, -1};
}
INLINE Lanes before(const double* last, int part) {
  return part ? (Lanes){last[1], last[2]} : (Lanes){0.0, last[0]};
}
INLINE Lanes after(const double* first, int part) {
  return part ? (Lanes){first[3], 0.0} : (Lanes){first[1], first[2]};
}
INLINE Lanes before_stored(Lanes x, const double* last, int part) {
  return (void)x, before(last, part);
}
INLINE Lanes after_stored(Lanes x, const double* first, int part) {
  return (void)x, after(first, part);
}
#endif
INLINE bool any_negative(Mask m) {
  long long any = 0;
  for (int i = 0; i < WIDTH; ++i) {
    any |= m[i];
  }
  return any < 0;
}
// `before` gives the row ahead of the first from the last row of four, each lane from the lane
// before it; `after` the row beyond the last from the first.

/// A line of nine points or more as rows of four: `whole` rows have a point in every lane, the
/// others in all but the last.
typedef struct {
  int rows, whole;
  Mask tail; // Zero in lanes of the last row that have no point
} Line;

INLINE Line line_of(uint32_t n, int part) {
  const int rows = (int)jw_lane_rows(n), whole = (int)n - 3 * rows;
  return (Line){rows, whole, whole < rows ? all_but_last(part) : all_but_last(part) | -1};
}

INLINE Mask mask_of_row(const Line* line, int r) {
  return r < line->whole ? line->tail | -1 : line->tail;
}

INLINE Lanes under(Mask mask, Lanes x) {
  return (Lanes)((Mask)x & mask);
}

// ---------------------------------------------------------------- strings

typedef struct {
  Lanes a, c1, c2, d0, d1;
} String;

INLINE Lanes string_w(const String* s, Lanes u_left, Lanes u, Lanes u_right, Lanes p,
                      bool lossless) {
  return s->c2 * (u_left + u_right) + (lossless ? s->c1 * u : s->c1 * u + s->d1 * p);
}

INLINE Lanes string_next(const String* s, Lanes u, Lanes p, Lanes w_left, Lanes w_right,
                         bool lossless) {
  return ((lossless ? s->a * u - p : s->a * u + s->d0 * p) + w_left) + w_right;
}

/// w of the first and last row, and u beyond the last, all four lanes.
typedef struct {
  double first[4], last[4], u_after[4];
} Ends;

INLINE void string_ends(const JwStringKernel* k, const String* s, const double* u, const double* p,
                        Ends* ends, bool lossless) {
  for (int part = 0; part < PARTS; ++part) {
    const Line line = line_of(k->n, part);
    const int lane = WIDTH * part, end = line.rows - 1;
    const Lanes u0 = load(u + lane, 0), un = load(u + lane, end);
    const Lanes first =
        string_w(s, before(u + 4 * end, part), u0, load(u + lane, 1), load(p + lane, 0), lossless);
    const Lanes last =
        string_w(s, load(u + lane, end - 1), un, after(u, part), load(p + lane, end), lossless);
    store(ends->u_after + lane, 0, after(u, part));
    store(ends->first + lane, 0, under(mask_of_row(&line, 0), first));
    store(ends->last + lane, 0, under(line.tail, last));
  }
}

/// Is anybody asking where u is, and on which side of the bar?
enum { NOBODY, ABOVE, BELOW };

/// Negative in lanes where u is beyond the bar.  Comparisons take the adders' pipes, which have the
/// most to do; a fused operation takes the multipliers', and a difference rounded once has the
/// right sign.
INLINE Mask beyond_bar(Lanes u, const double* bar, int r, int asked) {
#if WIDTH == 4
  return (Mask)(asked == ABOVE ? _mm256_fnmadd_pd(u, all(1), load(bar, r))
                               : _mm256_fmsub_pd(u, all(1), load(bar, r)));
#else
  return asked == ABOVE ? (Mask)(u > load(bar, r)) : (Mask)(u < load(bar, r));
#endif
}

// One row: u0, u1, u2 are rows r, r + 1 and r + 2, wl and wr w to the left and right of row r.  p
// is read twice: a factor in memory costs nothing.
#define STRING_ROW(r, u0, u1, u2, wl, wr)                                                          \
  u2 = load(u, (r) + 2);                                                                           \
  LOOK_AT(r, u0);                                                                                  \
  wr = string_w(s, u0, u1, u2, load(p, (r) + 1), lossless);                                        \
  store(next, r, string_next(s, u0, load(p, r), wl, wr, lossless))
#define THREE_ROWS(r)                                                                              \
  STRING_ROW(r, u0, u1, u2, wl, wr);                                                               \
  STRING_ROW((r) + 1, u1, u2, u0, w0, wl);                                                         \
  STRING_ROW((r) + 2, u2, u0, u1, wr, w0)
#define LOOK_AT(r, u0) any = asked == NOBODY ? any : any | beyond_bar(u0, bar, r, asked)

/// What a part of a line has beyond itself.
typedef struct {
  const double* u_after;
  Lanes w_before, w_first, w_after;
} Beyond;

/// Returns lanes that are negative where u is beyond the bar anywhere.
INLINE Mask string_part(const String* s, const Line* line, double* restrict next,
                        const double* restrict u, const double* restrict p, const Beyond* b,
                        const double* restrict bar, int asked, bool lossless) {
  const int last = line->rows - 1;
  const int limit = line->whole - 1 < last - 1 ? line->whole - 1 : last - 1;
  Lanes u0 = load(u, 0), u1 = load(u, 1), u2, wl = b->w_before, w0 = b->w_first, wr;
  Mask any = {0};
  int r = 0;
  for (; r + 6 <= limit; r += 6) {
    THREE_ROWS(r);
    THREE_ROWS(r + 3);
  }
  if (r + 3 <= limit) {
    THREE_ROWS(r);
    r += 3;
  }
  for (; r < limit; ++r) {
    STRING_ROW(r, u0, u1, u2, wl, wr);
    wl = w0, w0 = wr, u0 = u1, u1 = u2;
  }
  Mask mask = mask_of_row(line, r);
#pragma GCC unroll 1
  for (; r < last; ++r) {
    u2 = load(r + 1 < last ? u + 4 * (r + 2) : b->u_after, 0);
    LOOK_AT(r, u0);
    wr = under(line->tail, string_w(s, u0, u1, u2, load(p, r + 1), lossless));
    store(next, r, under(mask, string_next(s, u0, load(p, r), wl, wr, lossless)));
    wl = w0, w0 = wr, u0 = u1, u1 = u2, mask = line->tail;
  }
  LOOK_AT(last, u0);
  store(next, last, under(line->tail, string_next(s, u0, load(p, last), wl, b->w_after, lossless)));
  return any;
}
#undef THREE_ROWS
#undef STRING_ROW
#undef LOOK_AT

INLINE void string_asked(const JwStringKernel* k, double* next, const double* u, const double* p,
                         int asked, bool lossless) {
  const String s = {all(k->a), all(k->c1), all(k->c2), all(k->d0), all(k->d1)};
  Ends ends __attribute__((aligned(32)));
  Mask any = {0};
  string_ends(k, &s, u, p, &ends, lossless);
  for (int part = 0; part < PARTS; ++part) {
    const Line line = line_of(k->n, part);
    const int lane = WIDTH * part;
    const Beyond beyond = {ends.u_after + lane, before(ends.last, part), load(ends.first + lane, 0),
                           after(ends.first, part)};
    any |= string_part(&s, &line, next + lane, u + lane, p + lane, &beyond,
                       asked ? k->bar + lane : NULL, asked, lossless);
  }
  if (asked) {
    *k->beyond = any_negative(any);
  }
}

// Every form is a function of its own: each gets the registers for itself, and lies in one place.

APART string_lossy(const JwStringKernel* k, double* next, const double* u, const double* p) {
  string_asked(k, next, u, p, NOBODY, false);
}

APART string_lossless(const JwStringKernel* k, double* next, const double* u, const double* p) {
  string_asked(k, next, u, p, NOBODY, true);
}

APART string_lossy_above(const JwStringKernel* k, double* next, const double* u, const double* p) {
  string_asked(k, next, u, p, ABOVE, false);
}

APART string_lossless_above(const JwStringKernel* k, double* next, const double* u,
                            const double* p) {
  string_asked(k, next, u, p, ABOVE, true);
}

APART string_lossy_below(const JwStringKernel* k, double* next, const double* u, const double* p) {
  string_asked(k, next, u, p, BELOW, false);
}

APART string_lossless_below(const JwStringKernel* k, double* next, const double* u,
                            const double* p) {
  string_asked(k, next, u, p, BELOW, true);
}

static void (*const string_forms[3][2])(const JwStringKernel*, double*, const double*,
                                        const double*) JW_REALTIME = {
    {string_lossy, string_lossless},
    {string_lossy_above, string_lossless_above},
    {string_lossy_below, string_lossless_below},
};

static JW_REALTIME JW_HOT void string(const JwStringKernel* k, double* next, const double* u,
                                      const double* p) {
  if (JW_RARELY(k->n <= 8)) { // A row may then lack more than its last point
    jw_lanes_scalar.string(k, next, u, p);
    return;
  }
  const int side = k->upwards ? ABOVE : BELOW;
  string_forms[k->bar ? side : NOBODY][k->lossless](k, next, u, p);
}

// ---------------------------------------------------------------- products of changes

/// Partial sums: of v^2, of v and the register before, of v and the one `back` registers before.
typedef struct {
  Lanes square, along, across;
} Products;

INLINE Lanes add_products(Products* sums, const double* next, const double* prev, double* v, int r,
                          int back, Lanes last) {
  const Lanes change = load(next, r) - load(prev, r);
  store(v, r, change);
  sums->square += change * change;
  sums->along += change * last;
  sums->across += back ? change * load(v, r - back) : all(0.0);
  return change;
}

/// Registers from `first` to `end` by turns into two sets of sums, so that no sum waits for itself.
INLINE Lanes products_run(Products sums[2], const double* next, const double* prev, double* v,
                          int first, int end, int back, Lanes last) {
  Products even = sums[0], odd = sums[1];
  int r = first;
  for (; r + 2 <= end; r += 2) {
    last = add_products(&even, next, prev, v, r, back, last);
    last = add_products(&odd, next, prev, v, r + 1, back, last);
  }
  if (r < end) {
    last = add_products(&even, next, prev, v, r, back, last);
  }
  sums[0] = even, sums[1] = odd;
  return last;
}

static JW_REALTIME JW_HOT void products(uint32_t size, uint32_t stride, const double* next,
                                        const double* prev, double* v, double sums[3]) {
  double part[3][2][4] __attribute__((aligned(32)));
  const int registers = (int)size / 4, back = (int)stride / 4;
  for (int lane = 0; lane < 4; lane += WIDTH) {
    Products turns[2] = {{all(0.0), all(0.0), all(0.0)}, {all(0.0), all(0.0), all(0.0)}};
    const double *const a = next + lane, *const b = prev + lane;
    double* const c = v + lane;
    const int alone = back ? back : registers; // Nothing lies `back` before these
    const Lanes last = products_run(turns, a, b, c, 0, alone, 0, all(0.0));
    if (back) {
      products_run(turns, a, b, c, alone, registers, back, last);
    }
    for (int turn = 0; turn < 2; ++turn) {
      store(part[0][turn] + lane, 0, turns[turn].square);
      store(part[1][turn] + lane, 0, turns[turn].along);
      store(part[2][turn] + lane, 0, turns[turn].across);
    }
  }
  for (int s = 0; s < 3; ++s) {
    const double *const a = part[s][0], *const b = part[s][1];
    sums[s] = ((a[0] + a[1]) + (a[2] + a[3])) + ((b[0] + b[1]) + (b[2] + b[3]));
  }
}

#include "kernel/plate_body.h"
