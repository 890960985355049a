// The kernels with WIDTH lanes side by side, in the vector extensions of gcc and clang.
//
// Included once for each instruction set, with WIDTH the lanes of one register: 4, or 2 and then each
// row of four is done as two parts.  Equations (1) to (4) are those of kernel.c, in the same order of
// operations; values cross lanes only when copied by `before` and `after`, so the bits cannot depend
// on the width.
//
// One pass: w of the row ahead is found from u and p and used at once, so that w never leaves the
// registers (string) or stays in a few short rows (plate).  Registers are renamed by unrolling.
//
// What was tried: separate passes for w and next (2 more loads a row: slower), the 13 points read from
// memory one by one (half as fast), additions as fused multiply-adds with a factor of one on the
// multiplier's pipes (no gain: the schedulers are full), unfolded rows with unaligned neighbours
// (slower by a fifth).

#include "kernel/lanes.h"

#include <stdint.h>
#include <string.h>

#define PARTS (4 / WIDTH)
#define INLINE static inline __attribute__((always_inline))

typedef double Lanes __attribute__((vector_size(8 * WIDTH)));
typedef long long Mask __attribute__((vector_size(8 * WIDTH)));

/// Row r of a part; `row` points at its first lane.
INLINE Lanes load(const double* row, int r) { return *(const Lanes*)(row + 4 * r); }
INLINE void store(double* row, int r, Lanes x) { *(Lanes*)(row + 4 * r) = x; }

#if WIDTH == 4
INLINE Lanes all(double x) { return (Lanes){x, x, x, x}; }
INLINE Lanes first_points(double rows, int part) { return (Lanes){0.0, rows, 2.0 * rows, 3.0 * rows} + (double)part; }
#  if defined(__clang__)
INLINE Lanes up(Lanes x) { return __builtin_shufflevector(x, all(0.0), 4, 0, 1, 2); }
INLINE Lanes down(Lanes x) { return __builtin_shufflevector(x, all(0.0), 1, 2, 3, 4); }
#  else
INLINE Lanes up(Lanes x) { return __builtin_shuffle(x, all(0.0), (Mask){4, 0, 1, 2}); }
INLINE Lanes down(Lanes x) { return __builtin_shuffle(x, all(0.0), (Mask){1, 2, 3, 4}); }
#  endif
INLINE Lanes before(const double* last, int part) { return (void)part, up(load(last, 0)); }
INLINE Lanes after(const double* first, int part) { return (void)part, down(load(first, 0)); }
#else
INLINE Lanes all(double x) { return (Lanes){x, x}; }
INLINE Lanes first_points(double rows, int part) { return part ? (Lanes){2.0 * rows, 3.0 * rows} : (Lanes){0.0, rows}; }
INLINE Lanes before(const double* last, int part) { return part ? (Lanes){last[1], last[2]} : (Lanes){0.0, last[0]}; }
INLINE Lanes after(const double* first, int part) { return part ? (Lanes){first[3], 0.0} : (Lanes){first[1], first[2]}; }
#endif
// `before` gives the row ahead of the first from the last row of four, each lane from the lane before
// it; `after` the row beyond the last from the first.

/// A line of points as rows of four: `whole` rows have a point in every lane.
typedef struct {
  int rows, whole;
  Lanes first; // Point of row 0 in each lane of this part
  double n;
} Line;

INLINE Line line_of(uint32_t n, int part)
{
  const int rows = (int)jw_lane_rows(n), whole = (int)n - 3 * rows;
  return (Line){rows, whole > 0 ? whole : 0, first_points(rows, part), n};
}

/// Zero in the lanes of row r that lie beyond the last point.
INLINE Lanes inside(const Line* line, int r, Lanes x)
{
  return (Lanes)((Mask)x & (Mask)(line->first + (double)r < line->n));
}

// ---------------------------------------------------------------- strings

typedef struct {
  Lanes a, c1, c2, d0, d1;
} String;

INLINE Lanes string_w(const String* s, Lanes u_left, Lanes u, Lanes u_right, Lanes p)
{
  return s->c2 * (u_left + u_right) + (s->c1 * u + s->d1 * p);
}

INLINE Lanes string_next(const String* s, Lanes u, Lanes p, Lanes w_left, Lanes w_right)
{
  return (s->a * u + s->d0 * p) + (w_left + w_right);
}

/// w of the first and last row, all four lanes.
typedef struct {
  double first[4], last[4];
} Ends;

INLINE void string_ends(const JwStringKernel* k, const String* s, const double* u, const double* p, Ends* ends)
{
  for (int part = 0; part < PARTS; ++part) {
    const Line line = line_of(k->n, part);
    const int lane = WIDTH * part, end = line.rows - 1;
    const Lanes u0 = load(u + lane, 0), un = load(u + lane, end);
    const Lanes first = string_w(s, before(u + 4 * end, part), u0, load(u + lane, 1), load(p + lane, 0));
    const Lanes last = string_w(s, load(u + lane, end - 1), un, after(u, part), load(p + lane, end));
    store(ends->first + lane, 0, inside(&line, 0, first));
    store(ends->last + lane, 0, inside(&line, end, last));
  }
}

// One row: u0, u1, u2 are rows r, r + 1 and r + 2, wl and wr w to the left and right of row r.
#define STRING_ROW(r, u0, u1, u2, p0, p1, wl, wr) \
  u2 = load(u, (r) + 2);                           \
  p1 = load(p, (r) + 1);                           \
  wr = string_w(s, u0, u1, u2, p1);                \
  store(next, r, string_next(s, u0, p0, wl, wr))

INLINE void string_part(const String* s, const Line* line, double* restrict next, const double* restrict u,
                        const double* restrict p, Lanes u_beyond, Lanes w_before, Lanes w_first, Lanes w_beyond)
{
  const int last = line->rows - 1;
  const int limit = line->whole - 1 < last - 1 ? line->whole - 1 : last - 1;
  Lanes u0 = load(u, 0), u1 = load(u, 1), u2, p0 = load(p, 0), p1, wl = w_before, w0 = w_first, wr;
  int r = 0;
  for (; r + 6 <= limit; r += 6) {
    STRING_ROW(r, u0, u1, u2, p0, p1, wl, wr);
    STRING_ROW(r + 1, u1, u2, u0, p1, p0, w0, wl);
    STRING_ROW(r + 2, u2, u0, u1, p0, p1, wr, w0);
    STRING_ROW(r + 3, u0, u1, u2, p1, p0, wl, wr);
    STRING_ROW(r + 4, u1, u2, u0, p0, p1, w0, wl);
    STRING_ROW(r + 5, u2, u0, u1, p1, p0, wr, w0);
  }
  for (; r < limit; ++r) {
    STRING_ROW(r, u0, u1, u2, p0, p1, wl, wr);
    wl = w0, w0 = wr, u0 = u1, u1 = u2, p0 = p1;
  }
  for (; r < last; ++r) {
    u2 = r + 2 <= last ? load(u, r + 2) : u_beyond;
    p1 = load(p, r + 1);
    wr = inside(line, r + 1, string_w(s, u0, u1, u2, p1));
    store(next, r, inside(line, r, string_next(s, u0, p0, wl, wr)));
    wl = w0, w0 = wr, u0 = u1, u1 = u2, p0 = p1;
  }
  store(next, last, inside(line, last, string_next(s, u0, p0, wl, w_beyond)));
}
#undef STRING_ROW

static void string(const JwStringKernel* k, double* next, const double* u, const double* p)
{
  const String s = {all(k->a), all(k->c1), all(k->c2), all(k->d0), all(k->d1)};
  Ends ends __attribute__((aligned(32)));
  string_ends(k, &s, u, p, &ends);
  for (int part = 0; part < PARTS; ++part) {
    const Line line = line_of(k->n, part);
    const int lane = WIDTH * part;
    string_part(&s, &line, next + lane, u + lane, p + lane, after(u, part), before(ends.last, part),
                load(ends.first + lane, 0), after(ends.first, part));
  }
}

// ---------------------------------------------------------------- plates
// Rows of a plate: u0 is the row whose next is found, u1 and u2 those below it; w of row 1 is made on
// the way.  Of w, `same` is that of row 0, `above` that of the row above, overwritten by that of row 1.

typedef struct {
  Lanes c0, d0, cx1, cx2, dx, cy1, cy2, dy, cd;
} Plate;

typedef struct {
  const double *u0, *u1, *u2, *p0, *p1;
  double* next;
  const double* same; // wx of row 0
  double* made;       // wx of row 1; not used when square
  double* above;      // wy of the row above, then of row 1
} Rows;

INLINE Lanes plate_wx(const Plate* k, Lanes h, Lanes v, Lanes u, Lanes p, int square)
{
  const Lanes point = k->cx1 * u + k->dx * p;
  return square ? k->cx2 * (h + v) + point : (k->cx2 * h + k->cd * v) + point;
}

INLINE Lanes plate_wy(const Plate* k, Lanes v, Lanes u, Lanes p) { return k->cy2 * v + (k->cy1 * u + k->dy * p); }

INLINE Lanes plate_next(const Plate* k, Lanes u, Lanes p, Lanes h, Lanes above, Lanes below, int square)
{
  const Lanes point = k->c0 * u + k->d0 * p;
  return square ? point + ((h + above) + below) : (point + h) + (above + below);
}

// One column: row 0 and w of row 1 at r.  ul, u, ur and wl, wr: along row 1 of u and row 0 of w.
#define PLATE_CELL(r, ul, u, ur, wl, wr, KEEP)                              \
  do {                                                                      \
    const Lanes here = load(u0, r), v = here + load(u2, r), p = load(p1, r); \
    const Lanes wx = plate_wx(k, ul + ur, v, u, p, square);                 \
    const Lanes wy = square ? wx : plate_wy(k, v, u, p);                    \
    const Lanes n = plate_next(k, here, load(p0, r), wl + wr, load(above, r), wy, square); \
    store(above, r, KEEP(wy));                                              \
    if (!square) {                                                          \
      store(made, r, KEEP(wx));                                             \
    }                                                                       \
    store(next, r, KEEP(n));                                                \
  } while (0)
#define WHOLE(x) (x)
#define INSIDE(x) inside(line, r, x)

INLINE void plate_row(const Plate* k, const Line* line, const Rows* t, int part, int square)
{
  const int lane = WIDTH * part, last = line->rows - 1;
  const double *restrict const u0 = t->u0 + lane, *restrict const u1 = t->u1 + lane,
               *restrict const u2 = t->u2 + lane, *restrict const p0 = t->p0 + lane,
               *restrict const p1 = t->p1 + lane, *restrict const same = t->same + lane;
  double *restrict const next = t->next + lane, *restrict const made = t->made + lane,
         *restrict const above = t->above + lane;
  const int limit = line->whole < last ? line->whole : last;
  const Lanes u_beyond = after(t->u1, part), w_beyond = after(t->same, part);
  Lanes ul = before(t->u1 + 4 * last, part), u = load(u1, 0), wl = before(t->same + 4 * last, part), w = load(same, 0);
  int r = 0;
  for (; r + 2 <= limit; r += 2) {
    const Lanes ua = load(u1, r + 1), wa = load(same, r + 1), ub = load(u1, r + 2), wb = load(same, r + 2);
    PLATE_CELL(r, ul, u, ua, wl, wa, WHOLE);
    PLATE_CELL(r + 1, u, ua, ub, w, wb, WHOLE);
    ul = ua, u = ub, wl = wa, w = wb;
  }
  for (; r <= last; ++r) {
    const Lanes ua = r < last ? load(u1, r + 1) : u_beyond, wa = r < last ? load(same, r + 1) : w_beyond;
    PLATE_CELL(r, ul, u, ua, wl, wa, INSIDE);
    ul = u, u = ua, wl = w, w = wa;
  }
}

/// w of the first row of points, with nothing above it: row 1 of t.
INLINE void plate_first(const Plate* k, const Line* line, const Rows* t, int part, int square)
{
  const int lane = WIDTH * part, last = line->rows - 1;
  for (int r = 0; r <= last; ++r) {
    const Lanes left = r > 0 ? load(t->u1 + lane, r - 1) : before(t->u1 + 4 * last, part);
    const Lanes right = r < last ? load(t->u1 + lane, r + 1) : after(t->u1, part);
    const Lanes v = load(t->u0 + lane, r) + load(t->u2 + lane, r);
    const Lanes u = load(t->u1 + lane, r), p = load(t->p1 + lane, r);
    const Lanes wx = inside(line, r, plate_wx(k, left + right, v, u, p, square));
    store(t->above + lane, r, square ? wx : inside(line, r, plate_wy(k, v, u, p)));
    if (!square) {
      store(t->made + lane, r, wx);
    }
  }
}

/// The last row of points, with nothing below it.
INLINE void plate_last(const Plate* k, const Line* line, const Rows* t, int part, int square)
{
  const int lane = WIDTH * part, last = line->rows - 1;
  for (int r = 0; r <= last; ++r) {
    const Lanes left = r > 0 ? load(t->same + lane, r - 1) : before(t->same + 4 * last, part);
    const Lanes right = r < last ? load(t->same + lane, r + 1) : after(t->same, part);
    const Lanes n = plate_next(k, load(t->u0 + lane, r), load(t->p0 + lane, r), left + right,
                               load(t->above + lane, r), all(0.0), square);
    store(t->next + lane, r, inside(line, r, n));
  }
}

INLINE void plate_rows(const JwPlateKernel* kernel, double* next, const double* u, const double* p, int square)
{
  const int rows = (int)jw_lane_rows(kernel->nx), stride = 4 * rows, ny = (int)kernel->ny;
  Plate k = {all(0.0), all(kernel->d0), all(kernel->cx1), all(kernel->cx2), all(kernel->dx),
             all(kernel->cy1), all(kernel->cy2), all(kernel->dy), all(kernel->cd)};
  double* const scratch = next + stride * (ny + 2 * (int)JW_PLATE_BORDER);
  double *same = scratch, *made = same + stride, *above = made + stride, *here = above + stride;
  memset(above, 0, sizeof *above * (size_t)stride);
  for (int y = -1; y < ny; ++y) {
    const double *const u0 = u + stride * (y + 1), *const p0 = p + stride * (y + 1);
    const Rows t = {u0, u0 + stride, u0 + 2 * stride, p0, p0 + stride, next + stride * (y + 1),
                    square ? here : same, y < 0 ? same : made, y < 0 ? here : above};
    k.c0 = all(y < 0 ? 0.0 : kernel->c0[y]);
    for (int part = 0; part < PARTS; ++part) {
      const Line line = line_of(kernel->nx, part);
      if (y < 0) {
        plate_first(&k, &line, &t, part, square);
      } else if (y < ny - 1) {
        plate_row(&k, &line, &t, part, square);
      } else {
        plate_last(&k, &line, &t, part, square);
      }
    }
    if (y >= 0) {
      double *const old_above = above, *const old_same = same;
      above = here, here = old_above, same = made, made = old_same;
    }
  }
}
#undef PLATE_CELL
#undef WHOLE
#undef INSIDE

static void plate(const JwPlateKernel* kernel, double* next, const double* u, const double* p)
{
  if (kernel->square) {
    plate_rows(kernel, next, u, p, 1);
  } else {
    plate_rows(kernel, next, u, p, 0);
  }
}

// ---------------------------------------------------------------- powers

typedef Lanes Real;
typedef unsigned long long Bits __attribute__((vector_size(8 * WIDTH)));

INLINE Bits below(Real a, Real b) { return (Bits)(a < b); }

#include "numeric/power_body.h"

static void power(size_t count, const double* x, double p, double* y)
{
  const Real exponent = all(p);
  size_t i = 0;
  for (; i + WIDTH <= count; i += WIDTH) {
    Real in;
    memcpy(&in, x + i, sizeof in);
    const Real out = power_of(in, exponent);
    memcpy(y + i, &out, sizeof out);
  }
  for (; i < count; ++i) {
    y[i] = power_of(all(x[i]), exponent)[0];
  }
}
