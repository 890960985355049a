// SPDX-License-Identifier: MIT
// The plate kernel with WIDTH lanes side by side; part of lanes_body.h.
//
// The plate is cut into four bands, one a lane, and a pass runs along a whole line of four
// registers' worth of points, one from each band (kernel.h).  Neighbours along the line are the
// registers before and after, neighbours across it those of the lines before and after, none in
// another lane.  Only the first and last line of the bands meet across lanes, and their w is made
// first:
//
//   pass      makes w of lines   finds next of lines
//   edges     0, M - 1
//   line i    i + 1              i                       i = 0 .. M - 3
//   close                        M - 2, M - 1
//
// so that w, of (3) or (5), never is a field: a line of it is kept for as long as it is needed.
//
// `axis` tells which axis the lines run along, 0: x, 1: y.  It decides what h and v are, and so the
// order of the operations, which is that of kernel.c.

enum { GENERAL = JW_PLATE_GENERAL, FACTORED = JW_PLATE_FACTORED };

typedef struct {
  Lanes d0, cx1, cx2, dx, ratio, cy1, cy2, dy, cd;
  Lanes c0; // Of all points, by pairs
} Plate;

/// w as the neighbours along the line and across it need it: one and the same but in the GENERAL
/// form.
typedef struct {
  Lanes along, across;
} W;

/// Equation (3) or (5), given the sums of both neighbours along the line and across it.
INLINE W plate_w(const Plate* k, Lanes along, Lanes across, Lanes u, Lanes p, int form, int axis) {
  const Lanes h = axis ? across : along, v = axis ? along : across, point = k->cx1 * u + k->dx * p;
  if (form != GENERAL) {
    const Lanes w = k->cx2 * (h + k->ratio * v) + point;
    return (W){w, w};
  }
  const Lanes wx = (k->cx2 * h + k->cd * v) + point, wy = k->cy2 * v + (k->cy1 * u + k->dy * p);
  return axis ? (W){wy, wx} : (W){wx, wy};
}

/// Equation (4) or (6), given w of the neighbours along the line and across it.
INLINE Lanes plate_next(const Plate* k, Lanes point, const Lanes along[2], const Lanes across[2],
                        int form, int axis) {
  const Lanes *const x = axis ? across : along, *const y = axis ? along : across;
  const Lanes sum = point + (x[0] + x[1]);
  return form == FACTORED ? sum + k->ratio * (y[0] + y[1]) : (sum + y[0]) + y[1];
}

/// Lines of w, each between two registers of zeros.  `along` and `last_along` in the GENERAL form
/// only: there across holds wx or wy, the other is apart.
typedef struct {
  double *before, *here; // Of the line before, which becomes that of the line after; of this line
  double *last, *beyond; // Of line M - 1; of line M, which is line 0 a lane on
  double *along, *made, *last_along;
} Scratch;

/// What a pass reads and writes: lines 0, 1 and 2 of u, 0 and 1 of p, 0 of next.
typedef struct {
  const double *u0, *u1, *u2, *p0, *p1;
  double* next;
  const double* along; // w of line 0, for its neighbours along it
  double* made;        // The same of line 1
  double* before;      // w of the line before, for line 0; becomes that of line 1
  const double* after; // w of line 1, when it is known
} Lines;

/// The plate's fold, and what changes from line to line.
typedef struct {
  JwFold fold;
  const double* c0;
  int part;
} Frame;

/// Ones in the lanes of line i that have a point.
INLINE Mask mask_of(const Frame* f, int i) {
  const Lanes at = first_points((double)f->fold.lines, f->part) + (double)i;
  return (Mask)(at < (double)f->fold.count);
}

/// Zero in the lanes without a point, of lines that have such lanes.
INLINE Lanes kept(Lanes x, Mask mask, bool padded) {
  return padded ? (Lanes)((Mask)x & mask) : x;
}

/// The centre coefficients of line i.  Those of a factored form are all the same, those of the
/// GENERAL one differ along y: from line to line and band to band, or from place to place.
INLINE Lanes line_centre(const Frame* f, int i, int form, int axis) {
  Lanes c0 = all(f->c0[0]);
  for (int lane = 0; lane < WIDTH && form == GENERAL && !axis; ++lane) {
    const uint32_t at = (uint32_t)(WIDTH * f->part + lane) * f->fold.lines + (uint32_t)i;
    c0[lane] = at < f->fold.count ? f->c0[at] : 0.0;
  }
  return c0;
}

INLINE Lanes centre(const Frame* f, Lanes of_line, int j, int form, int axis) {
  return form == GENERAL && axis ? all(f->c0[j]) : of_line;
}

INLINE Lanes neighbours(const double* line, int j) {
  return load(line, j - 1) + load(line, j + 1);
}

/// The part's own pointers.
INLINE Lines part_of(const Lines* t, int part) {
  const int lane = WIDTH * part;
  return (Lines){t->u0 + lane,     t->u1 + lane,   t->u2 + lane,    t->p0 + lane,
                 t->p1 + lane,     t->next + lane, t->along + lane, t->made + lane,
                 t->before + lane, t->after + lane};
}

/// What a place on a line gives: w of line 1, next of line 0.
typedef struct {
  W w;
  Lanes next;
} Cell;

/// At place j, given u of line 1 at j - 1, j, j + 1 and w of line 0 at j - 1 and j + 1.
INLINE Cell plate_cell(const Plate* k, Lanes c0, const Lines* t, int j, const Lanes u[3],
                       const Lanes along[2], const Mask* mask, int form, int axis) {
  const Lanes here = load(t->u0, j);
  W w = plate_w(k, u[0] + u[2], here + load(t->u2, j), u[1], load(t->p1, j), form, axis);
  if (mask) {
    w = (W){kept(w.along, mask[1], true), kept(w.across, mask[1], true)};
  }
  const Lanes across[2] = {load(t->before, j), w.across};
  return (Cell){w, plate_next(k, c0 * here + k->d0 * load(t->p0, j), along, across, form, axis)};
}

INLINE void plate_put(const Lines* t, int j, Cell cell, const Mask* mask, int form) {
  store(t->before, j, cell.w.across);
  store(t->next, j, mask ? kept(cell.next, mask[0], true) : cell.next);
  if (form == GENERAL) {
    store(t->made, j, cell.w.along);
  }
}

/// One line: w of line 1, next of line 0, two places at a time.  `mask`: of the two lines, or NULL.
INLINE void plate_line(const Plate* k, const Frame* f, const Lines* all_parts, int i,
                       const Mask* mask, int form, int axis) {
  const Lines t = part_of(all_parts, f->part);
  const Lanes c0 = line_centre(f, i, form, axis);
  const int n = (int)f->fold.length;
  Lanes ul = load(t.u1, -1), u = load(t.u1, 0), wl = load(t.along, -1), w = load(t.along, 0);
  int j = 0;
  for (; j + 2 <= n; j += 2) {
    const Lanes ua = load(t.u1, j + 1), wa = load(t.along, j + 1), ub = load(t.u1, j + 2),
                wb = load(t.along, j + 2);
    const Lanes u_one[3] = {ul, u, ua}, u_two[3] = {u, ua, ub}, w_one[2] = {wl, wa},
                w_two[2] = {w, wb};
    const Cell one =
        plate_cell(k, centre(f, c0, j, form, axis), &t, j, u_one, w_one, mask, form, axis);
    const Cell two =
        plate_cell(k, centre(f, c0, j + 1, form, axis), &t, j + 1, u_two, w_two, mask, form, axis);
    plate_put(&t, j, one, mask, form);
    plate_put(&t, j + 1, two, mask, form);
    ul = ua, u = ub, wl = wa, w = wb;
  }
  if (j < n) {
    const Lanes us[3] = {ul, u, load(t.u1, j + 1)}, ws[2] = {wl, load(t.along, j + 1)};
    plate_put(&t, j, plate_cell(k, centre(f, c0, j, form, axis), &t, j, us, ws, mask, form, axis),
              mask, form);
  }
}

/// At place j of a line, given w of it at j - 1 and j + 1, and of the lines before and after it.
INLINE Lanes close_cell(const Plate* k, Lanes c0, const Lines* t, int j, Lanes left, Lanes right,
                        int form, int axis) {
  const Lanes along[2] = {left, right}, across[2] = {load(t->before, j), load(t->after, j)};
  return plate_next(k, c0 * load(t->u0, j) + k->d0 * load(t->p0, j), along, across, form, axis);
}

/// Next of a line whose w's are all known.
INLINE void plate_close(const Plate* k, const Frame* f, const Lines* all_parts, int i, bool padded,
                        int form, int axis) {
  const Lines t = part_of(all_parts, f->part);
  const Lanes c0 = line_centre(f, i, form, axis);
  const Mask mask = mask_of(f, i);
  const int n = (int)f->fold.length;
  Lanes wl = load(t.along, -1), w = load(t.along, 0);
  int j = 0;
  for (; j + 2 <= n; j += 2) {
    const Lanes wa = load(t.along, j + 1), wb = load(t.along, j + 2);
    const Lanes one = close_cell(k, centre(f, c0, j, form, axis), &t, j, wl, wa, form, axis);
    const Lanes two = close_cell(k, centre(f, c0, j + 1, form, axis), &t, j + 1, w, wb, form, axis);
    store(t.next, j, kept(one, mask, padded));
    store(t.next, j + 1, kept(two, mask, padded));
    wl = wa, w = wb;
  }
  if (j < n) {
    const Lanes one =
        close_cell(k, centre(f, c0, j, form, axis), &t, j, wl, load(t.along, j + 1), form, axis);
    store(t.next, j, kept(one, mask, padded));
  }
}

/// w of the first and last line, whose neighbours lie in other lanes: for their own neighbours in
/// the same lane, and a lane on, where they are those of the line before the first and beyond the
/// last.
INLINE void plate_edges(const Plate* k, const Frame* f, const double* u, const double* p,
                        const Scratch* s, bool padded, int form, int axis) {
  const int stride = 4 * (int)(f->fold.length + 1), last = stride * (int)(f->fold.lines - 1),
            lane = WIDTH * f->part;
  const double *const u0 = u + lane, *const u1 = u0 + stride, *const ul = u0 + last,
                      *const uk = ul - stride;
  const double *const p0 = p + lane, *const pl = p0 + last;
  const Mask first_mask = mask_of(f, 0), last_mask = mask_of(f, (int)f->fold.lines - 1);
  for (int j = 0; j < (int)f->fold.length; ++j) {
    const Lanes low = before(u + last + 4 * j, f->part) + load(u1, j);
    const Lanes high = load(uk, j) + after(u + 4 * j, f->part);
    const W first = plate_w(k, neighbours(u0, j), low, load(u0, j), load(p0, j), form, axis);
    const W end = plate_w(k, neighbours(ul, j), high, load(ul, j), load(pl, j), form, axis);
    const Lanes here = kept(first.across, first_mask, padded),
                there = kept(end.across, last_mask, padded);
    store(s->here + lane, j, here);
    store(s->last + lane, j, there);
    if (PARTS == 1) {
      store(s->before, j, before_stored(there, s->last, 0));
      store(s->beyond, j, after_stored(here, s->here, 0));
    }
    if (form == GENERAL) {
      store(s->along + lane, j, kept(first.along, first_mask, padded));
      store(s->last_along + lane, j, kept(end.along, last_mask, padded));
    }
  }
}

/// The same when a line takes several registers: when all parts are there.
INLINE void plate_turn(const Frame* f, const Scratch* s) {
  const int lane = WIDTH * f->part;
  for (int j = 0; j < (int)f->fold.length && PARTS > 1; ++j) {
    store(s->before + lane, j, before(s->last + 4 * j, f->part));
    store(s->beyond + lane, j, after(s->here + 4 * j, f->part));
  }
}

INLINE Scratch scratch_of(const JwPlateKernel* kernel, int stride, int form) {
  double* const s = kernel->scratch + 4;
  Scratch w = {s,
               s + stride,
               s + 2 * stride,
               s + 3 * stride,
               s + 4 * stride,
               s + 5 * stride,
               s + 6 * stride};
  if (form != GENERAL) {
    w.along = w.here, w.last_along = w.last;
  }
  return w;
}

/// On by one line; there are `stride` doubles from line to line.
INLINE Lines next_line(const Lines* t, int stride, Scratch* s, int form) {
  double *const before = s->before, *const along = s->along;
  s->before = s->here, s->here = before;
  s->along = form == GENERAL ? s->made : s->here;
  s->made = along;
  return (Lines){t->u1,    t->u2,   t->u2 + stride, t->p1,  t->p1 + stride, t->next + stride,
                 s->along, s->made, s->before,      s->last};
}

INLINE void plate_lines(const JwPlateKernel* kernel, double* next, const double* u, const double* p,
                        bool padded, int form, int axis) {
  const Plate k = {all(kernel->d0),    all(kernel->cx1), all(kernel->cx2), all(kernel->dx),
                   all(kernel->ratio), all(kernel->cy1), all(kernel->cy2), all(kernel->dy),
                   all(kernel->cd),    all(0.0)};
  const int lines = (int)kernel->fold.lines, stride = 4 * (int)(kernel->fold.length + 1);
  const int whole = (int)kernel->fold.count - 3 * lines; // Lines with a point in every lane
  Scratch s = scratch_of(kernel, stride, form);
  Frame f[PARTS];
  for (int part = 0; part < PARTS; ++part) {
    f[part] = (Frame){kernel->fold, kernel->c0, part};
    plate_edges(&k, &f[part], u + 4, p + 4, &s, padded, form, axis);
  }
  for (int part = 0; part < PARTS; ++part) {
    plate_turn(&f[part], &s);
  }
  Lines t = {u + 4,   u + 4 + stride, u + 4 + 2 * stride, p + 4, p + 4 + stride, next + 4,
             s.along, s.made,         s.before,           s.last};
  int i = 0;
  for (; i < lines - 2; ++i, t = next_line(&t, stride, &s, form)) {
    for (int part = 0; part < PARTS; ++part) {
      if (padded && i + 1 >= whole) {
        const Mask mask[2] = {mask_of(&f[part], i), mask_of(&f[part], i + 1)};
        plate_line(&k, &f[part], &t, i, mask, form, axis);
      } else {
        plate_line(&k, &f[part], &t, i, NULL, form, axis);
      }
    }
  }
  for (; i < lines; ++i) {
    for (int part = 0; part < PARTS; ++part) {
      plate_close(&k, &f[part], &t, i, padded, form, axis);
    }
    t = next_line(&t, stride, &s, form);
    t.along = s.last_along, t.after = s.beyond; // Of the last line
  }
}

#include "kernel/pairs_body.h"

// Every form is a function of its own, as the string's are.

APART plate_general_x(const JwPlateKernel* k, double* next, const double* u, const double* p) {
  plate_lines(k, next, u, p, false, GENERAL, 0);
}

APART plate_factored_x(const JwPlateKernel* k, double* next, const double* u, const double* p) {
  plate_lines(k, next, u, p, false, FACTORED, 0);
}

APART plate_general_x_padded(const JwPlateKernel* k, double* next, const double* u,
                             const double* p) {
  plate_lines(k, next, u, p, true, GENERAL, 0);
}

APART plate_factored_x_padded(const JwPlateKernel* k, double* next, const double* u,
                              const double* p) {
  plate_lines(k, next, u, p, true, FACTORED, 0);
}

APART plate_general_y(const JwPlateKernel* k, double* next, const double* u, const double* p) {
  plate_lines(k, next, u, p, false, GENERAL, 1);
}

APART plate_factored_y(const JwPlateKernel* k, double* next, const double* u, const double* p) {
  plate_lines(k, next, u, p, false, FACTORED, 1);
}

APART plate_general_y_padded(const JwPlateKernel* k, double* next, const double* u,
                             const double* p) {
  plate_lines(k, next, u, p, true, GENERAL, 1);
}

APART plate_factored_y_padded(const JwPlateKernel* k, double* next, const double* u,
                              const double* p) {
  plate_lines(k, next, u, p, true, FACTORED, 1);
}

APART plate_alike(const JwPlateKernel* k, double* next, const double* u, const double* p) {
  pairs_lines(k, next, u, p, false);
}

APART plate_alike_padded(const JwPlateKernel* k, double* next, const double* u, const double* p) {
  pairs_lines(k, next, u, p, true);
}

static void (*const plate_forms[])(const JwPlateKernel*, double*, const double*,
                                   const double*) JW_REALTIME = {
    plate_general_x,        plate_factored_x,        plate_alike,
    plate_general_x_padded, plate_factored_x_padded, plate_alike_padded,
    plate_general_y,        plate_factored_y,        plate_alike,
    plate_general_y_padded, plate_factored_y_padded, plate_alike_padded,
};

static JW_REALTIME JW_HOT void plate(const JwPlateKernel* k, double* next, const double* u,
                                     const double* p) {
  plate_forms[k->form](k, next, u, p);
}
