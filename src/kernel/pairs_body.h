// SPDX-License-Identifier: MIT
// The plate kernel by pairs, (7) and (8) of kernel.c, for plates whose ratio is one; part of
// plate_body.h.
//
// Along line i of a band the pair of u that begins at place j, u(i, j) + u(i + 1, j + 1), is needed
// a place on, and at place j of the next line; and so is that of w.  Two lines are gone through at
// once, so that of the pairs between them none is written down: what limits this loop is reading
// and writing.  Passes:
//
//   open        w of line M - 1, which is that before line 0 a lane on; the pairs of u that begin
//               there
//   lines i, i + 1    their w, next of lines i - 1 and i                                 i = 0, 2
//   ..
//   line M - 2        the same alone, when one is left over
//   close       next of lines M - 2 and M - 1
//
// w of the line beyond the last is that of line 0 a lane on.

/// Lines of the state at a pass over line i: u of lines i - 1 to i + 2, p of lines i - 1 to i + 1,
/// next of lines i - 1 and i.
typedef struct {
  const double *before, *u, *after, *beyond, *p_before, *p, *p_after;
  double *next_before, *next;
} Rows;

/// The kernel's own lines: pairs of u and w; w of the line before, of line M - 1, and of line M.
typedef struct {
  double *u_pairs, *w_pairs, *w, *last, *beyond;
} Kept;

INLINE Lanes pairs_w(const Plate* k, Lanes sum, Lanes u, Lanes p) {
  return k->cx2 * sum + (k->cx1 * u + k->dx * p);
}

INLINE Lanes own_part(const Plate* k, Lanes u, Lanes p) {
  return k->c0 * u + k->d0 * p;
}

INLINE Lanes masked(Lanes x, const Mask* mask, int i) {
  return mask ? kept(x, mask[i], true) : x;
}

/// What a place hands on to the next: the pairs of u that begin there on lines i and i + 1, u of
/// line i + 1 beyond it, w of lines i - 1 and i, the pair of w that ends there on line i + 1, and
/// the point's own part of next on line i.
typedef struct {
  Lanes upper, lower, u, w_before, w, pair, own;
} Handed;

/// At place j: w of lines i and i + 1, next of line i - 1 unless i is 0, and next of line i a place
/// late, when the pair that it waits for is there.  `mask`: of lines i - 1, i and i + 1, or NULL.
INLINE Handed two_cells(const Plate* k, const Rows* t, const Kept* s, int j, Handed left,
                        const Mask* mask, bool first) {
  const Lanes u = load(t->u, j), p = load(t->p, j), u_right = load(t->after, j + 1),
              upper = u + u_right;
  const Lanes w = masked(pairs_w(k, left.upper + load(s->u_pairs, j), u, p), mask, 1),
              pair = left.w_before + w;
  const Lanes w_after =
      masked(pairs_w(k, left.lower + upper, left.u, load(t->p_after, j)), mask, 2);
  const Handed here = {upper,
                       left.u + load(t->beyond, j + 1),
                       u_right,
                       load(s->w, j),
                       w,
                       left.w + w_after,
                       own_part(k, u, p)};
  if (!first) {
    const Lanes own = own_part(k, load(t->before, j), load(t->p_before, j));
    store(t->next_before, j, masked(own + (load(s->w_pairs, j) + pair), mask, 0));
  } else {
    store(s->beyond, j, PARTS == 1 ? after_stored(w, s->beyond, 0) : w);
  }
  store(t->next, j - 1, masked(left.own + (left.pair + pair), mask, 1));
  store(s->w_pairs, j - 1, here.pair);
  store(s->u_pairs, j, here.lower);
  store(s->w, j, w_after);
  return here;
}

INLINE void two_lines(const Plate* k, const Rows* t, const Kept* s, int n, const Mask* mask,
                      bool first) {
  const Lanes zero = all(0.0), u = load(t->after, 0);
  Handed left = {zero + u, zero + load(t->beyond, 0), u, zero, zero, zero, zero};
  int j = 0;
  for (; j + 2 <= n; j += 2) {
    left = two_cells(k, t, s, j, left, mask, first);
    left = two_cells(k, t, s, j + 1, left, mask, first);
  }
  if (j < n) {
    left = two_cells(k, t, s, j, left, mask, first);
  }
  store(t->next, n - 1, masked(left.own + (left.pair + (left.w_before + zero)), mask, 1));
  store(t->next, -1, zero); // Before the first place there is none
  store(s->w_pairs, n - 1, left.w + zero);
}

/// w of line i alone, next of line i - 1 unless i is 0.
INLINE void one_line(const Plate* k, const Rows* t, const Kept* s, int n, const Mask* mask,
                     bool first) {
  Lanes upper = all(0.0) + load(t->after, 0), w_before = all(0.0);
  for (int j = 0; j < n; ++j) {
    const Lanes u = load(t->u, j),
                w = masked(pairs_w(k, upper + load(s->u_pairs, j), u, load(t->p, j)), mask, 1);
    const Lanes pair = w_before + w;
    if (!first) {
      const Lanes own = own_part(k, load(t->before, j), load(t->p_before, j));
      store(t->next_before, j, masked(own + (load(s->w_pairs, j) + pair), mask, 0));
    } else {
      store(s->beyond, j, PARTS == 1 ? after_stored(w, s->beyond, 0) : w);
    }
    upper = u + load(t->after, j + 1);
    w_before = load(s->w, j);
    store(s->w_pairs, j - 1, pair);
    store(s->w, j, w);
  }
  store(s->w_pairs, n - 1, w_before + all(0.0));
}

INLINE void pairs_open(const Plate* k, const Frame* f, const double* u, const double* p,
                       const Kept* s, bool padded) {
  const int stride = 4 * (int)(f->fold.length + 1), end = stride * (int)(f->fold.lines - 1),
            lane = WIDTH * f->part;
  const double *const u0 = u + lane, *const ul = u0 + end, *const uk = ul - stride,
                      *const pl = p + lane + end;
  const Mask mask = mask_of(f, (int)f->fold.lines - 1);
  Lanes left = all(0.0), here = load(ul, 0);
#pragma GCC unroll 2
  for (int j = 0; j < (int)f->fold.length; ++j) {
    const Lanes right = load(ul, j + 1), below = after(u + 4 * j, f->part);
    const Lanes w =
        kept(pairs_w(k, (left + below) + (load(uk, j) + right), here, load(pl, j)), mask, padded);
    store(s->last + lane, j, w);
    if (PARTS == 1) {
      store(s->w, j, before_stored(w, s->last, 0));
    }
    store(s->u_pairs + lane, j, before_stored(here, u + end + 4 * j, f->part) + load(u0, j + 1));
    left = here, here = right;
  }
}

/// next of lines M - 2 and M - 1, the latter a place late: its pair before is then at hand.
INLINE void pairs_close(const Plate* k, const Rows* t, const Kept* s, int n, const Mask* mask) {
  const Lanes zero = all(0.0);
  Lanes last = zero, lower = zero, w = zero, own = zero;
#pragma GCC unroll 2
  for (int j = 0; j < n; ++j) {
    const Lanes here = load(s->last, j), upper = w + here,
                own_before = own_part(k, load(t->before, j), load(t->p_before, j));
    store(t->next_before, j, masked(own_before + (load(s->w_pairs, j) + upper), mask, 0));
    store(t->next, j - 1, masked(own + (upper + lower), mask, 1));
    own = own_part(k, load(t->u, j), load(t->p, j));
    lower = last + load(s->beyond, j);
    w = load(s->w, j), last = here;
  }
  store(t->next, n - 1, masked(own + ((w + zero) + lower), mask, 1));
  store(t->next, -1, zero);
}

INLINE Rows rows_at(const JwPlateKernel* kernel, double* next, const double* u, const double* p,
                    int i, int part) {
  const int stride = 4 * (int)(kernel->fold.length + 1), at = 4 + WIDTH * part + i * stride,
            past = i ? at - stride : at;
  return (Rows){u + past, u + at, u + at + stride, u + at + 2 * stride,
                p + past, p + at, p + at + stride, next + past,
                next + at};
}

INLINE Kept kept_of(const Kept* s, int part) {
  const int lane = WIDTH * part;
  return (Kept){s->u_pairs + lane, s->w_pairs + lane, s->w + lane, s->last + lane,
                s->beyond + lane};
}

/// w of a line a lane on, when a line takes several registers: when all parts are there.
INLINE void pairs_turn(const JwPlateKernel* kernel, const double* from, double* to, bool up) {
  for (int j = 0; j < (int)kernel->fold.length && PARTS > 1; ++j) {
    const Lanes low = up ? before(from + 4 * j, 0) : after(from + 4 * j, 0);
    const Lanes high = up ? before(from + 4 * j, 1) : after(from + 4 * j, 1);
    store(to, j, low);
    store(to + WIDTH, j, high);
  }
}

typedef enum { TWO, ONE, CLOSE } PairsPass;

INLINE void pairs_pass(const JwPlateKernel* kernel, const Plate* k, double* next, const double* u,
                       const double* p, const Kept* s, int i, PairsPass pass, bool padded) {
  for (int part = 0; part < PARTS; ++part) {
    const Frame f = {kernel->fold, kernel->c0, part};
    const Mask masks[3] = {mask_of(&f, i - 1), mask_of(&f, i), mask_of(&f, i + 1)}, *const mask =
                                                                                        padded
                                                                                            ? masks
                                                                                            : NULL;
    const Rows t = rows_at(kernel, next, u, p, i, part);
    const Kept own = kept_of(s, part);
    const int n = (int)kernel->fold.length;
    if (pass == TWO && i == 0) {
      two_lines(k, &t, &own, n, mask, true);
    } else if (pass == TWO) {
      two_lines(k, &t, &own, n, mask, false);
    } else if (pass == ONE && i == 0) {
      one_line(k, &t, &own, n, mask, true);
    } else if (pass == ONE) {
      one_line(k, &t, &own, n, mask, false);
    } else {
      pairs_close(k, &t, &own, n, mask);
    }
  }
}

INLINE void pairs_lines(const JwPlateKernel* kernel, double* next, const double* u, const double* p,
                        bool padded) {
  const Plate k = {.c0 = all(kernel->c0[0]),
                   .d0 = all(kernel->d0),
                   .cx1 = all(kernel->cx1),
                   .cx2 = all(kernel->cx2),
                   .dx = all(kernel->dx)};
  const int lines = (int)kernel->fold.lines, stride = 4 * (int)(kernel->fold.length + 1);
  double* const own = kernel->scratch + 4;
  const Kept s = {own, own + stride + 4, own + 2 * stride + 4, own + 3 * stride + 4,
                  own + 4 * stride + 4};
  for (int part = 0; part < PARTS; ++part) {
    const Frame f = {kernel->fold, kernel->c0, part};
    pairs_open(&k, &f, u + 4, p + 4, &s, padded);
  }
  pairs_turn(kernel, s.last, s.w, true);
  int i = lines > 2 ? 2 : 1;
  if (lines > 2) {
    pairs_pass(kernel, &k, next, u, p, &s, 0, TWO, padded);
  } else {
    pairs_pass(kernel, &k, next, u, p, &s, 0, ONE, padded);
  }
  pairs_turn(kernel, s.beyond, s.beyond, false);
  for (; i + 1 < lines - 1; i += 2) {
    pairs_pass(kernel, &k, next, u, p, &s, i, TWO, padded);
  }
  if (i < lines - 1) {
    pairs_pass(kernel, &k, next, u, p, &s, i, ONE, padded);
  }
  pairs_pass(kernel, &k, next, u, p, &s, lines - 1, CLOSE, padded);
}
