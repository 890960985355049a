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
INLINE Lanes first_points(double rows, int part) { return (void)part, (Lanes){0.0, rows, 2.0 * rows, 3.0 * rows}; }
#  if defined(__clang__)
INLINE Lanes up(Lanes x) { return __builtin_shufflevector(x, all(0.0), 4, 0, 1, 2); }
INLINE Lanes down(Lanes x) { return __builtin_shufflevector(x, all(0.0), 1, 2, 3, 4); }
#  else
INLINE Lanes up(Lanes x) { return __builtin_shuffle(x, all(0.0), (Mask){4, 0, 1, 2}); }
INLINE Lanes down(Lanes x) { return __builtin_shuffle(x, all(0.0), (Mask){1, 2, 3, 4}); }
#  endif
INLINE Lanes before(const double* last, int part) { return (void)part, up(load(last, 0)); }
INLINE Lanes after(const double* first, int part) { return (void)part, down(load(first, 0)); }
// The same of a row just stored, when all of it is still in a register: reading it back waits.
INLINE Lanes before_stored(Lanes x, const double* last, int part) { return (void)last, (void)part, up(x); }
INLINE Lanes after_stored(Lanes x, const double* first, int part) { return (void)first, (void)part, down(x); }
#else
INLINE Lanes all(double x) { return (Lanes){x, x}; }
INLINE Lanes first_points(double rows, int part) { return part ? (Lanes){2.0 * rows, 3.0 * rows} : (Lanes){0.0, rows}; }
INLINE Lanes before(const double* last, int part) { return part ? (Lanes){last[1], last[2]} : (Lanes){0.0, last[0]}; }
INLINE Lanes after(const double* first, int part) { return part ? (Lanes){first[3], 0.0} : (Lanes){first[1], first[2]}; }
INLINE Lanes before_stored(Lanes x, const double* last, int part) { return (void)x, before(last, part); }
INLINE Lanes after_stored(Lanes x, const double* first, int part) { return (void)x, after(first, part); }
#endif
// `before` gives the row ahead of the first from the last row of four, each lane from the lane before
// it; `after` the row beyond the last from the first.

/// A line of points as rows of four: `whole` rows have a point in every lane.
typedef struct {
  int rows, whole, n, part;
} Line;

INLINE Line line_of(uint32_t n, int part)
{
  const int rows = (int)jw_lane_rows(n), whole = (int)n - 3 * rows;
  return (Line){rows, whole > 0 ? whole : 0, (int)n, part};
}

/// Zero in the lanes of row r that lie beyond the last point.
INLINE Lanes inside(const Line* line, int r, Lanes x)
{
  if (r < line->whole) {
    return x;
  }
  const Lanes point = first_points(line->rows, line->part) + (double)r;
  return (Lanes)((Mask)x & (Mask)(point < (double)line->n));
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
  return ((s->a * u + s->d0 * p) + w_left) + w_right;
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
  Lanes d0, cx1, cx2, dx, ratio, cy1, cy2, dy, cd;
} Plate;

typedef struct {
  const double *u0, *u1, *u2, *p0, *p1;
  double* next;
  const double* same; // wx of row 0
  double* made;       // wx of row 1; not used but by GENERAL
  double* above;      // wy of the row above, then of row 1
} Rows;

/// Which of the forms of kernel.c; ALIKE is (5) with a ratio of one and (4).
enum { GENERAL, FACTORED, ALIKE };

INLINE Lanes times_ratio(const Plate* k, Lanes x, int form) { return form == ALIKE ? x : k->ratio * x; }

INLINE Lanes plate_wx(const Plate* k, Lanes h, Lanes v, Lanes u, Lanes p, int form)
{
  const Lanes point = k->cx1 * u + k->dx * p;
  return form == GENERAL ? (k->cx2 * h + k->cd * v) + point : k->cx2 * (h + times_ratio(k, v, form)) + point;
}

INLINE Lanes plate_wy(const Plate* k, Lanes v, Lanes u, Lanes p) { return k->cy2 * v + (k->cy1 * u + k->dy * p); }

INLINE Lanes plate_next(const Plate* k, Lanes c0, Lanes u, Lanes p, Lanes h, Lanes above, Lanes below, int form)
{
  const Lanes point = c0 * u + k->d0 * p;
  return form == FACTORED ? (point + h) + k->ratio * (above + below) : ((point + h) + above) + below;
}

/// The part's own pointers.
INLINE Rows part_of(const Rows* t, int part)
{
  const int lane = WIDTH * part;
  return (Rows){t->u0 + lane, t->u1 + lane, t->u2 + lane, t->p0 + lane, t->p1 + lane,
                t->next + lane, t->same + lane, t->made + lane, t->above + lane};
}

/// Zero beyond the last point what a row was given.
INLINE void cut(const Line* line, double* row)
{
  for (int r = line->whole; r < line->rows; ++r) {
    store(row, r, inside(line, r, load(row, r)));
  }
}

/// What a column gives: next of row 0, w of row 1.
typedef struct {
  Lanes next, wx, wy;
} Cell;

INLINE void plate_keep(const Rows* t, int r, Cell cell, int form)
{
  store(t->above, r, form == GENERAL ? cell.wy : cell.wx);
  if (form == GENERAL) {
    store(t->made, r, cell.wx);
  }
}

/// w of row 1 at column r, given u, h, and the row above and below it.
INLINE void plate_make(const Plate* k, const Rows* t, int r, Lanes u, Lanes h, int form)
{
  const Lanes p = load(t->p1, r), v = load(t->u0, r) + load(t->u2, r);
  const Cell cell = {h, plate_wx(k, h, v, u, p, form), form == GENERAL ? plate_wy(k, v, u, p) : h};
  plate_keep(t, r, cell, form);
}

/// Row 0 and w of row 1 at column r.  h and wh are sums of neighbours along row 1 of u and row 0 of w.
INLINE Cell plate_cell(const Plate* k, Lanes c0, const Rows* t, int r, Lanes u, Lanes h, Lanes wh, int form)
{
  const Lanes here = load(t->u0, r), p = load(t->p1, r), v = here + load(t->u2, r);
  const Lanes wx = plate_wx(k, h, v, u, p, form), wy = form == GENERAL ? plate_wy(k, v, u, p) : wx;
  return (Cell){plate_next(k, c0, here, load(t->p0, r), wh, load(t->above, r), wy, form), wx, wy};
}

INLINE Lanes plate_put(const Rows* t, int r, Cell cell, int form)
{
  plate_keep(t, r, cell, form);
  store(t->next, r, cell.next);
  return cell.wx;
}

/// `ends` are the first and last w of row 0, and then of row 1.
INLINE void plate_row(const Plate* k, Lanes c0, const Line* line, const Rows* all_parts, int part, int form,
                      Lanes ends[2])
{
  const int last = line->rows - 1;
  const Rows t = part_of(all_parts, part);
  const Lanes u_beyond = after(all_parts->u1, part), w_beyond = after_stored(ends[0], all_parts->same, part);
  Lanes ul = load(t.u1, 0), u = load(t.u1, 1), wl = ends[0], w = load(t.same, 1);
  const Lanes u_before = before(all_parts->u1 + 4 * last, part);
  const Lanes w_before = before_stored(ends[1], all_parts->same + 4 * last, part);
  ends[0] = plate_put(&t, 0, plate_cell(k, c0, &t, 0, ul, u_before + u, w_before + w, form), form);
  int r = 1;
  for (; r + 2 <= last; r += 2) {
    const Lanes ua = load(t.u1, r + 1), wa = load(t.same, r + 1), ub = load(t.u1, r + 2), wb = load(t.same, r + 2);
    const Cell one = plate_cell(k, c0, &t, r, u, ul + ua, wl + wa, form);
    const Cell two = plate_cell(k, c0, &t, r + 1, ua, u + ub, w + wb, form);
    plate_put(&t, r, one, form);
    plate_put(&t, r + 1, two, form);
    ul = ua, u = ub, wl = wa, w = wb;
  }
  if (r < last) {
    const Lanes ua = load(t.u1, r + 1), wa = load(t.same, r + 1);
    plate_put(&t, r, plate_cell(k, c0, &t, r, u, ul + ua, wl + wa, form), form);
    ul = u, u = ua, wl = w;
  }
  ends[1] = plate_put(&t, last, plate_cell(k, c0, &t, last, u, ul + u_beyond, wl + w_beyond, form), form);
  if (line->whole < line->rows) {
    cut(line, t.next);
    cut(line, t.above);
    if (form == GENERAL) {
      cut(line, t.made);
    }
    ends[0] = inside(line, 0, ends[0]);
    ends[1] = inside(line, last, ends[1]);
  }
}

/// w of the first row of points, with nothing above it: row 1 of t.
INLINE void plate_first(const Plate* k, const Line* line, const Rows* all_parts, int part, int form, Lanes ends[2])
{
  const int last = line->rows - 1;
  const Rows t = part_of(all_parts, part);
  const Lanes beyond = after(all_parts->u1, part);
  Lanes ul = before(all_parts->u1 + 4 * last, part), u = load(t.u1, 0);
  for (int r = 0; r < last; ++r) {
    const Lanes ua = load(t.u1, r + 1);
    plate_make(k, &t, r, u, ul + ua, form);
    ul = u, u = ua;
  }
  plate_make(k, &t, last, u, ul + beyond, form);
  double* const w = form == GENERAL ? t.made : t.above;
  cut(line, t.above);
  cut(line, w);
  ends[0] = load(w, 0);
  ends[1] = load(w, last);
}

/// The last row of points, with nothing below it.
INLINE void plate_last(const Plate* k, Lanes c0, const Line* line, const Rows* all_parts, int part, int form)
{
  const int last = line->rows - 1;
  const Rows t = part_of(all_parts, part);
  const Lanes beyond = after(all_parts->same, part);
  Lanes wl = before(all_parts->same + 4 * last, part), w = load(t.same, 0);
  for (int r = 0; r <= last; ++r) {
    Lanes wa = beyond;
    if (r < last) {
      wa = load(t.same, r + 1);
    }
    store(t.next, r, plate_next(k, c0, load(t.u0, r), load(t.p0, r), wl + wa, load(t.above, r), all(0.0), form));
    wl = w, w = wa;
  }
  cut(line, t.next);
}

/// Scratch: w of the row above and of this row, of (5); wy in the GENERAL form, and wx apart.
typedef struct {
  double *above, *here, *same, *made;
} Scratch;

INLINE Rows rows_at(const JwPlateKernel* kernel, double* next, const double* u, const double* p, int y)
{
  const int stride = 4 * (int)jw_lane_rows(kernel->nx), at = stride * (y + (int)JW_PLATE_BORDER);
  return (Rows){u + at, u + at + stride, u + at + 2 * stride, p + at, p + at + stride, next + at, next, next, next};
}

INLINE void plate_rows(const JwPlateKernel* kernel, double* next, const double* u, const double* p, int form)
{
  const int stride = 4 * (int)jw_lane_rows(kernel->nx), ny = (int)kernel->ny;
  const Plate k = {all(kernel->d0), all(kernel->cx1), all(kernel->cx2), all(kernel->dx), all(kernel->ratio),
                   all(kernel->cy1), all(kernel->cy2), all(kernel->dy), all(kernel->cd)};
  double* const scratch = next + stride * (ny + 2 * (int)JW_PLATE_BORDER);
  Scratch w = {scratch, scratch + stride, scratch + 2 * stride, scratch + 3 * stride};
  Lanes ends[PARTS][2] = {{{0.0}}};
  Line lines[PARTS];
  for (int part = 0; part < PARTS; ++part) {
    lines[part] = line_of(kernel->nx, part);
  }
  memset(w.above, 0, sizeof *w.above * (size_t)stride);
  Rows t = rows_at(kernel, next, u, p, -1);
  t.made = w.same, t.above = w.here;
  for (int part = 0; part < PARTS; ++part) {
    plate_first(&k, &lines[part], &t, part, form, ends[part]);
  }
  for (int y = 0; y < ny; ++y) {
    t = rows_at(kernel, next, u, p, y);
    t.same = form == GENERAL ? w.same : w.here, t.made = w.made, t.above = w.above;
    const Lanes c0 = all(kernel->c0[y]);
    if (y == ny - 1) {
      break;
    }
    for (int part = 0; part < PARTS; ++part) {
        plate_row(&k, c0, &lines[part], &t, part, form, ends[part]);
    }
    w = (Scratch){w.here, w.above, w.made, w.same};
  }
  for (int part = 0; part < PARTS; ++part) {
    plate_last(&k, all(kernel->c0[ny - 1]), &lines[part], &t, part, form);
  }
}

static void plate(const JwPlateKernel* kernel, double* next, const double* u, const double* p)
{
  if (kernel->ratio == 0.0) {
    plate_rows(kernel, next, u, p, GENERAL);
  } else if (kernel->ratio == 1.0) {
    plate_rows(kernel, next, u, p, ALIKE);
  } else {
    plate_rows(kernel, next, u, p, FACTORED);
  }
}

// ---------------------------------------------------------------- finding

/// One bit a lane.
INLINE uint32_t bits_of_mask(Mask m)
{
#if WIDTH == 4
  return (uint32_t)__builtin_ia32_movmskpd256((Lanes)m);
#elif defined(__SSE2__)
  return (uint32_t)__builtin_ia32_movmskpd((Lanes)m);
#else
  return (uint32_t)(m[0] & 1) | (uint32_t)(m[1] & 2);
#endif
}

INLINE Mask over_at(Lanes sign, const double* u, const double* bar)
{
  return (Mask)(sign * *(const Lanes*)u + *(const Lanes*)bar > all(JW_KERNEL_TINY));
}

INLINE uint32_t note(uint32_t bits, uint32_t first, uint32_t* found, uint32_t count)
{
  for (; bits; bits &= bits - 1) {
    found[count++] = first + (uint32_t)__builtin_ctz(bits);
  }
  return count;
}

// Four registers at a time: mostly nothing is found, and one look tells.
static uint32_t over(uint32_t size, double sign, const double* u, const double* bar, uint32_t* found)
{
  const Lanes s = all(sign);
  uint32_t count = 0, i = 0;
  for (; i + 4 * WIDTH <= size; i += 4 * WIDTH) {
    const Mask a = over_at(s, u + i, bar + i), b = over_at(s, u + i + WIDTH, bar + i + WIDTH);
    const Mask c = over_at(s, u + i + 2 * WIDTH, bar + i + 2 * WIDTH);
    const Mask d = over_at(s, u + i + 3 * WIDTH, bar + i + 3 * WIDTH);
    if (bits_of_mask((a | b) | (c | d))) {
      const uint32_t bits = bits_of_mask(a) | bits_of_mask(b) << WIDTH | bits_of_mask(c) << 2 * WIDTH
                            | bits_of_mask(d) << 3 * WIDTH;
      count = note(bits, i, found, count);
    }
  }
  for (; i < size; i += WIDTH) {
    count = note(bits_of_mask(over_at(s, u + i, bar + i)), i, found, count);
  }
  return count;
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
  if (i < count) { // The rest together, beside ones
    double rest[WIDTH];
    for (size_t j = 0; j < WIDTH; ++j) {
      rest[j] = i + j < count ? x[i + j] : 1.0;
    }
    Real in;
    memcpy(&in, rest, sizeof in);
    const Real out = power_of(in, exponent);
    for (size_t j = 0; i + j < count; ++j) {
      y[i + j] = out[j];
    }
  }
}
