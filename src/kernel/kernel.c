// SPDX-License-Identifier: MIT
// The kernels in plain C: the definition that every other width must equal to the bit.
//
// A stencil over five points is applied as two over three: with h(x) the sum of both neighbours,
//
//   w    = c2 h(u) + (c1 u + d1 p)                                                     (1)
//   next = ((a u + d0 p) + w_left) + w_right,  a = c0 - 2 c2                           (2)
//
// which is c0 u + c1 h(u) + c2 (second neighbours) + d0 p + d1 h(p) with 11 operations a point
// instead of 12, six of them additions instead of seven; additions are what the core runs out of.
// All the coefficients are those given, so sums that were exact stay exact.  What is known last, w
// to the right or below, is added last, which keeps the chains of operations short.  w is zero
// beyond the ends: that alone is the supported end, and prepare takes it out of the corrections for
// the others.
//
// A plate, with v the sum of both neighbours along y:
//
//   wx   = (cx2 h(u) + cd v(u)) + (cx1 u + dx p),  wy = cy2 v(u) + (cy1 u + dy p)      (3)
//   next = (((a u + d0 p) + h(wx)) + wy_above) + wy_below                              (4)
//
// An isotropic plate has v's coefficients r times h's, and its stencil is the square of a shorter
// one:
//
//   w    = c2 (h(u) + r v(u)) + (c1 u + d1 p)                                          (5)
//   next = ((a u + d0 p) + h(w)) + r (w_above + w_below)                               (6)
//
// 17 operations a point, where the 13 coefficients one by one take 26.  When r = 1 the four
// neighbours are two pairs on a diagonal, each of which is a pair of another point as well,
//
//   pair(u)(x, y) = u(x, y) + u(x + 1, y + 1)
//   w    = c2 (pair(u)(x - 1, y) + pair(u)(x, y - 1)) + (c1 u + d1 p)                  (7)
//   next = (a u + d0 p) + (pair(w)(x - 1, y) + pair(w)(x, y - 1))                      (8)
//
// and 13 operations, eight of them additions instead of ten.  The products with r are not the given
// coefficients to the last bit.  That they still sum to what was given, so that no force is felt at
// constant height, is seen to when preparing, up to the rounding of a: 1e-16 of a force that bends
// a slow plate with 1e-6.  That spring is left in `miss` for the ledger.

#include "base/hint.h"
#include "kernel/lanes.h"
#include "numeric/elementary.h"
#include "numeric/power.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- layout

static uint32_t folded(uint32_t n, uint32_t l) {
  const uint32_t rows = jw_lane_rows(n);
  return JW_LANES * (l % rows) + l / rows;
}

uint32_t jw_string_size(uint32_t n) {
  return JW_LANES * jw_lane_rows(n);
}
JW_REALTIME uint32_t jw_string_offset(uint32_t n, uint32_t l) {
  return folded(n, l);
}

uint32_t jw_plate_size(uint32_t nx, uint32_t ny) {
  const JwFold fold = jw_plate_fold(nx, ny);
  return JW_LANES * (fold.lines * (fold.length + 1) + 1);
}

uint32_t jw_plate_scratch(uint32_t nx, uint32_t ny) {
  return JW_LANES * (JW_PLATE_SCRATCH * (jw_plate_fold(nx, ny).length + 1) + 1);
}

JW_REALTIME uint32_t jw_plate_offset(uint32_t nx, uint32_t ny, uint32_t x, uint32_t y) {
  const JwFold fold = jw_plate_fold(nx, ny);
  const uint32_t line = fold.axis ? x : y, at = fold.axis ? y : x;
  return JW_LANES * (line % fold.lines * (fold.length + 1) + 1 + at) + line / fold.lines;
}

// ---------------------------------------------------------------- strings

static bool any_fix(const JwEndFix* f) {
  return f->u00 != 0.0 || f->u01 != 0.0 || f->u02 != 0.0 || f->p00 != 0.0 || f->p01 != 0.0
         || f->u10 != 0.0 || f->u11 != 0.0;
}

JW_REALTIME void jw_string_prepare(JwStringKernel* kernel) {
  kernel->a = kernel->c0 - 2.0 * kernel->c2;
  for (int end = 0; end < 2; ++end) {
    kernel->fix[end].u00 += kernel->c2;
  }
  kernel->lossless = kernel->d0 == -1.0 && kernel->d1 == 0.0;
  kernel->fixed = any_fix(&kernel->fix[0]) || any_fix(&kernel->fix[1]);
}

static double string_at(uint32_t n, const double* u, uint32_t l) {
  return l < n ? u[folded(n, l)] : 0.0;
}

static double string_w(const JwStringKernel* k, const double* u, const double* p, uint32_t l) {
  const uint32_t n = k->n;
  const double h = string_at(n, u, l - 1) + string_at(n, u, l + 1);
  const double point = k->c1 * string_at(n, u, l);
  return l < n ? k->c2 * h + (k->lossless ? point : point + k->d1 * string_at(n, p, l)) : 0.0;
}

static JW_REALTIME void string_scalar(const JwStringKernel* k, double* next, const double* u,
                                      const double* p) {
  const uint32_t n = k->n;
  for (uint32_t l = 0; l < n; ++l) {
    const double past = p[folded(n, l)],
                 point = k->a * u[folded(n, l)] + (k->lossless ? -past : k->d0 * past);
    next[folded(n, l)] = (point + string_w(k, u, p, l - 1)) + string_w(k, u, p, l + 1);
  }
  if (k->bar) {
    bool beyond = false;
    for (uint32_t i = 0; i < jw_string_size(n); ++i) {
      beyond = beyond || (k->upwards ? u[i] > k->bar[i] : u[i] < k->bar[i]);
    }
    *k->beyond = beyond;
  }
}

static void fix_end(const JwEndFix* fix, uint32_t n, const uint32_t l[3], double* const state[3]) {
  double* const next = state[0];
  const uint32_t o0 = folded(n, l[0]), o1 = folded(n, l[1]), o2 = folded(n, l[2]);
  const double u0 = state[1][o0], u1 = state[1][o1], u2 = state[1][o2];
  next[o0] += ((fix->u00 * u0 + fix->u01 * u1) + fix->u02 * u2)
              + (fix->p00 * state[2][o0] + fix->p01 * state[2][o1]);
  next[o1] += fix->u10 * u0 + fix->u11 * u1;
}

static JW_APART void advance_fixed(const JwStringKernel* kernel, double* next, const double* u,
                                   const double* prev) {
  const uint32_t n = kernel->n;
  double* const state[3] = {next, (double*)(uintptr_t)u, (double*)(uintptr_t)prev};
  const uint32_t first[3] = {0, 1, 2}, last[3] = {n - 1, n - 2, n - 3};
  kernel->lanes->string(kernel, next, u, prev);
  fix_end(&kernel->fix[0], n, first, state);
  fix_end(&kernel->fix[1], n, last, state);
}

JW_REALTIME JW_HOT void jw_string_advance(const JwStringKernel* kernel, double* next,
                                          const double* u, const double* prev) {
  if (JW_RARELY(kernel->fixed)) {
    advance_fixed(kernel, next, u, prev);
    return;
  }
  kernel->lanes->string(kernel, next, u, prev);
}

JW_REALTIME double jw_string_curvature(const JwStringKernel* kernel, double scale, const double* u,
                                       double* out) {
  return kernel->lanes->curvature(kernel->n, scale, u, out);
}

JW_REALTIME double jw_string_strain(const JwStringKernel* kernel, uint32_t directions,
                                    double per_spacing, double scale, const double* u,
                                    double* out) {
  const JwStrain strain = {kernel->n, directions, per_spacing, scale};
  return kernel->lanes->strain(&strain, u, out);
}

JW_REALTIME void jw_multiply(const JwLanes* lanes, const JwProduct* size, const double* a,
                             const double* b, double* c) {
  lanes->multiply(size, a, b, c);
}

JW_REALTIME void jw_row_weigh(const JwLanes* lanes, uint32_t n, double gain, double turn,
                              const JwRow* row, double sums[2]) {
  lanes->weigh(n, gain, turn, row, sums);
}

JW_REALTIME void jw_row_foresee(const JwLanes* lanes, uint32_t n, double f, const JwRow* row,
                                double sums[2]) {
  lanes->foresee(n, f, row, sums);
}

JW_REALTIME void jw_mirror(const JwLanes* lanes, uint32_t n, double* field) {
  lanes->mirror(n, field);
}

// ---------------------------------------------------------------- plates

// a b as the sum of two doubles, without fused operations.
static double product(double a, double b, double* rest) {
  const double split = 134217729.0; // 2^27 + 1
  const double x = split * a, y = split * b;
  const double a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
  const double p = a * b;
  *rest = ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
  return p;
}

// With x = c1 + d1 and s = 1 + r, constant height 1 gives a + d0 + 2 s x + 4 s^2 c2: the a that
// makes this `sum`, and by how much it then is missed after rounding.
static double centre_for(const JwPlateKernel* k, double ratio, double sum, double* miss) {
  double rest[4];
  const double x = k->cx1 + k->dx, x_rest = (k->cx1 - x) + k->dx, s = 1.0 + ratio,
               s_rest = (1.0 - s) + ratio;
  const double first = product(2.0 * s, x, &rest[0]);
  const double square = product(s, s, &rest[1]);
  const double last = product(4.0 * square, k->cx2, &rest[2]);
  rest[3] = s_rest * (2.0 * x + 8.0 * s * k->cx2) + 4.0 * rest[1] * k->cx2 + 2.0 * s * x_rest;
  JwSum total = {sum, 0.0};
  const double terms[] = {-k->d0, -first, -last, -rest[0], -rest[2], -rest[3]};
  for (int i = 0; i < 6; ++i) {
    jw_sum_add(&total, terms[i]);
  }
  const double a = total.sum + total.rest;
  *miss = (total.sum - a) + total.rest;
  return a;
}

// Coefficients are multiples of 2^-50, and sums of a few of them.
#define TOLERANCE 0x1p-46

// Are the coefficients, to the rounding of all of them, those of a square?  The larger ones, along
// y when the ratio is above 1, are taken and the others derived: rounding shrinks that way.
static bool factor(JwPlateKernel* k) {
  const double r = k->ratio, tolerance = TOLERANCE;
  if (r <= 1.0) {
    return fabs(k->cy1 - r * k->cx1) <= tolerance && fabs(k->dy - r * k->dx) <= tolerance
           && fabs(k->cd - 2.0 * r * k->cx2) <= tolerance
           && fabs(k->cy2 - r * r * k->cx2) <= tolerance;
  }
  const double cx1 = k->cy1 / r, dx = k->dy / r, cx2 = k->cy2 / (r * r);
  const bool same = fabs(k->cx1 - cx1) <= tolerance && fabs(k->dx - dx) <= tolerance
                    && fabs(k->cd / r - 2.0 * cx2) <= tolerance && fabs(k->cx2 - cx2) <= tolerance;
  if (same) {
    k->cx1 = cx1, k->dx = dx, k->cx2 = cx2;
  }
  return same;
}

// Of the doubles near the ratio, the one whose centre coefficient misses least: 2^-58 or so.
// Without tension and loss the sum does not depend on the ratio to first order, and nothing is
// gained.
static double best_ratio(const JwPlateKernel* k, double ratio, double sum) {
  double best = ratio, least = HUGE_VAL, miss;
  for (int i = -50; i <= 50 && ratio != 1.0; ++i) {
    const double candidate = ratio + ratio * 0x1p-52 * i;
    centre_for(k, candidate, sum, &miss);
    if (fabs(miss) < least) {
      least = fabs(miss), best = candidate;
    }
  }
  return best;
}

// What the centres of a row of points differ by from those of the others, zeros beyond the edges
// seen to.
static double own_centre(const JwPlateKernel* k, double inner, uint32_t y) {
  const double missing = (y > 0 ? 0.0 : 1.0) + (y + 1 < k->ny ? 0.0 : 1.0);
  return (k->c0[y] - inner) + missing * k->cy2;
}

// A factored form has one centre coefficient for all points.
static bool same_centres(const JwPlateKernel* k, double inner) {
  for (uint32_t y = 0; y < k->ny; ++y) {
    if (!(fabs(own_centre(k, inner, y)) <= TOLERANCE)) {
      return false;
    }
  }
  return true;
}

void jw_plate_prepare(JwPlateKernel* k, bool exact) {
  const double inner = k->c0[k->ny > 1], cx2 = k->cx2;
  k->fold = jw_plate_fold(k->nx, k->ny);
  const double sum =
      inner + k->d0 + 2.0 * (k->cx1 + k->cy1 + k->dx + k->dy + k->cx2 + k->cy2) + 4.0 * k->cd;
  const bool factored =
      !exact && k->ny >= 3 && k->ratio > 0.0 && same_centres(k, inner) && factor(k);
  double a = inner - (2.0 * k->cx2 + 2.0 * k->cy2);
  k->miss = 0.0;
  k->ratio = factored ? best_ratio(k, k->ratio, sum) : 0.0;
  if (factored) {
    a = centre_for(k, k->ratio, sum, &k->miss);
  }
  for (uint32_t y = 0; y < k->ny; ++y) {
    k->c0[y] = factored ? a : a + own_centre(k, inner, y);
  }
  k->left += cx2;
  k->right += cx2;
  k->edged = k->left != 0.0 || k->right != 0.0;
  const bool padded = k->fold.count < JW_LANES * k->fold.lines;
  JwPlateForm form = k->ratio == 1.0 ? JW_PLATE_ALIKE : JW_PLATE_FACTORED;
  form = k->ratio == 0.0 ? JW_PLATE_GENERAL : form;
  k->form = (int)((2 * k->fold.axis + padded) * JW_PLATE_FORMS + form);
}

typedef struct {
  const JwPlateKernel* k;
  const double* u;
  const double* p;
} Plate;

static double plate_at(const JwPlateKernel* k, const double* u, uint32_t x, uint32_t y) {
  return x < k->nx && y < k->ny ? u[jw_plate_offset(k->nx, k->ny, x, y)] : 0.0;
}

typedef double (*AtPoint)(const Plate* plate, uint32_t x, uint32_t y) JW_REALTIME;

// The two pairs of (7) and (8).
static double pairs(AtPoint at, const Plate* plate, uint32_t x, uint32_t y) {
  return (at(plate, x - 1, y) + at(plate, x, y + 1)) + (at(plate, x, y - 1) + at(plate, x + 1, y));
}

static JW_REALTIME double u_at(const Plate* plate, uint32_t x, uint32_t y) {
  return plate_at(plate->k, plate->u, x, y);
}

static double plate_w(const Plate* plate, uint32_t x, uint32_t y, bool along_x) {
  const JwPlateKernel* const k = plate->k;
  if (x >= k->nx || y >= k->ny) {
    return 0.0;
  }
  const double h = u_at(plate, x - 1, y) + u_at(plate, x + 1, y),
               v = u_at(plate, x, y - 1) + u_at(plate, x, y + 1);
  const double u0 = u_at(plate, x, y), p0 = plate_at(k, plate->p, x, y);
  if (k->ratio != 0.0) {
    return k->cx2 * (k->ratio == 1.0 ? pairs(u_at, plate, x, y) : h + k->ratio * v)
           + (k->cx1 * u0 + k->dx * p0);
  }
  return along_x ? (k->cx2 * h + k->cd * v) + (k->cx1 * u0 + k->dx * p0)
                 : k->cy2 * v + (k->cy1 * u0 + k->dy * p0);
}

static JW_REALTIME double w_at(const Plate* plate, uint32_t x, uint32_t y) {
  return plate_w(plate, x, y, true);
}

static double plate_next(const Plate* plate, uint32_t x, uint32_t y) {
  const JwPlateKernel* const k = plate->k;
  const double t = k->c0[y] * u_at(plate, x, y) + k->d0 * plate_at(k, plate->p, x, y);
  if (k->ratio == 1.0) {
    return t + pairs(w_at, plate, x, y);
  }
  const double sum = t + (w_at(plate, x - 1, y) + w_at(plate, x + 1, y));
  const double above = plate_w(plate, x, y - 1, false), below = plate_w(plate, x, y + 1, false);
  return k->ratio == 0.0 ? (sum + above) + below : sum + k->ratio * (above + below);
}

static JW_REALTIME void plate_scalar(const JwPlateKernel* k, double* next, const double* u,
                                     const double* p) {
  const Plate plate = {k, u, p};
  for (uint32_t y = 0; y < k->ny; ++y) {
    for (uint32_t x = 0; x < k->nx; ++x) {
      next[jw_plate_offset(k->nx, k->ny, x, y)] = plate_next(&plate, x, y);
    }
  }
}

static JW_APART void advance_edged(const JwPlateKernel* k, double* next, const double* u,
                                   const double* prev) {
  k->lanes->plate(k, next, u, prev);
  for (uint32_t y = 0; y < k->ny; ++y) {
    const uint32_t first = jw_plate_offset(k->nx, k->ny, 0, y),
                   last = jw_plate_offset(k->nx, k->ny, k->nx - 1, y);
    next[first] += k->left * u[first];
    next[last] += k->right * u[last];
  }
}

JW_REALTIME JW_HOT void jw_plate_advance(const JwPlateKernel* k, double* next, const double* u,
                                         const double* prev) {
  if (JW_RARELY(k->edged)) {
    advance_edged(k, next, u, prev);
    return;
  }
  k->lanes->plate(k, next, u, prev);
}

// ---------------------------------------------------------------- widths

static JW_REALTIME uint32_t over_scalar(uint32_t size, double sign, const double* u,
                                        const double* bar, uint32_t* found) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < size; ++i) {
    if (sign > 0.0 ? u[i] > bar[i] : u[i] < bar[i]) {
      found[count++] = i;
    }
  }
  return count;
}

static JW_REALTIME void products_scalar(uint32_t size, uint32_t stride, const double* next,
                                        const double* prev, double* v, double sums[3]) {
  double part[3][2][JW_LANES] = {{{0.0}}};
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t since = i < stride ? i : i - stride;
    const uint32_t turn = since / JW_LANES % 2, lane = i % JW_LANES;
    v[i] = next[i] - prev[i];
    part[0][turn][lane] += v[i] * v[i];
    part[1][turn][lane] += i < JW_LANES ? 0.0 : v[i] * v[i - JW_LANES];
    part[2][turn][lane] += stride == 0 || i < stride ? 0.0 : v[i] * v[i - stride];
  }
  for (int s = 0; s < 3; ++s) {
    const double *const a = part[s][0], *const b = part[s][1];
    sums[s] = ((a[0] + a[1]) + (a[2] + a[3])) + ((b[0] + b[1]) + (b[2] + b[3]));
  }
}

static void power_scalar(size_t count, const double* x, double p, double* y) {
  for (size_t i = 0; i < count; ++i) {
    y[i] = jw_power(x[i], p);
  }
}

// See strain_body.h.
static double pull_of(double x, double* energy) {
  const double w = sqrt(1.0 + x), d = 1.0 / (w * (1.0 + w)), e = x * (w * d);
  *energy += e * e;
  return x * d;
}

// Interval `row` of a lane, which ends at that row; slopes of all directions, and what pulls there.
static double strain_between(const JwStrain* strain, const double* u, uint32_t lane, uint32_t row,
                             double slope[2], double* energy) {
  const uint32_t rows = jw_lane_rows(strain->n);
  double squares = 0.0;
  for (uint32_t d = 0; d < strain->directions; ++d) {
    const double* const line = u + (size_t)d * JW_LANES * rows;
    const uint32_t l = lane * rows + row; // Point, if there were no end
    const double near = l > 0 ? line[JW_LANES * ((l - 1) % rows) + (l - 1) / rows] : 0.0;
    const double far = l < JW_LANES * rows ? line[JW_LANES * (l % rows) + l / rows] : 0.0;
    slope[d] = strain->per_spacing * (far - near);
    squares = d ? squares + slope[d] * slope[d] : slope[d] * slope[d];
  }
  return pull_of(squares, energy);
}

static JW_REALTIME double strain_scalar(const JwStrain* strain, const double* u, double* out) {
  const uint32_t rows = jw_lane_rows(strain->n);
  double sums[JW_LANES] = {0.0}, behind = 0.0;
  for (uint32_t lane = 0; lane < JW_LANES; ++lane) {
    double slope[2][2]; // Of this interval and of the one before
    double pull = strain_between(strain, u, lane, 0, slope[0], &sums[lane]);
    for (uint32_t row = 0; row < rows; ++row) {
      behind = 0.0;
      const double next = strain_between(strain, u, lane, row + 1, slope[1],
                                         row + 1 < rows ? &sums[lane] : &behind);
      for (uint32_t d = 0; d < strain->directions; ++d) {
        if (out) {
          out[(size_t)d * JW_LANES * rows + JW_LANES * row + lane] =
              strain->scale * (slope[0][d] * pull - slope[1][d] * next);
        }
        slope[0][d] = slope[1][d];
      }
      pull = next;
    }
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + behind;
}

static JW_REALTIME void multiply_scalar(const JwProduct* p, const double* a, const double* b,
                                        double* c) {
  for (uint32_t i = 0; i < p->rows; ++i) {
    for (uint32_t j = 0; j < p->columns; ++j) {
      double sum = 0.0;
      for (uint32_t k = 0; k < p->inner; ++k) {
        sum += a[(size_t)i * p->stride + k] * b[(size_t)k * p->columns + j];
      }
      c[(size_t)i * p->columns + j] = sum;
    }
  }
}

static JW_REALTIME void mirror_scalar(uint32_t n, double* field) {
  double *const a = field, *const b = a + n, *const c = b + n, *const d = c + n;
  for (uint32_t i = 0; i < n; ++i) {
    const double near_sum = a[i] + b[i], near_rest = a[i] - b[i], far_sum = c[i] + d[i],
                 far_rest = c[i] - d[i];
    a[i] = near_sum + far_sum;
    b[i] = near_rest + far_rest;
    c[i] = near_sum - far_sum;
    d[i] = near_rest - far_rest;
  }
}

static double sum_of(const double s[4]) {
  return (s[0] + s[1]) + (s[2] + s[3]);
}

static JW_REALTIME void weigh_scalar(uint32_t n, double gain, double turn, const JwRow* row,
                                     double sums[2]) {
  double q[4] = {0.0}, r[4] = {0.0};
  for (uint32_t i = 0; i < n; ++i) {
    const double kept = gain * row->slope[i];
    row->g[i] = turn != 0.0 ? kept + turn * (row->inertia[i] * row->motion[i]) : kept;
    row->spread[i] = row->g[i] * row->y[i];
    q[i % 4] += row->g[i] * row->spread[i];
    r[i % 4] += row->g[i] * (row->next[i] - row->prev[i]);
  }
  sums[0] = sum_of(q);
  sums[1] = sum_of(r);
}

static JW_REALTIME void foresee_scalar(uint32_t n, double f, const JwRow* row, double sums[2]) {
  double along[4] = {0.0}, size[4] = {0.0};
  for (uint32_t i = 0; i < n; ++i) {
    const double u = row->next[i] - row->spread[i] * f, r = u - row->prev[i];
    row->middle[i] = 0.5 * (u + row->now[i]);
    row->motion[i] = r;
    along[i % 4] += row->slope[i] * r;
    size[i % 4] += row->inertia[i] * (r * r);
  }
  sums[0] = sum_of(along);
  sums[1] = sum_of(size);
}

static JW_REALTIME double curvature_scalar(uint32_t n, double scale, const double* u, double* out) {
  const uint32_t rows = jw_lane_rows(n);
  double sums[4] = {0.0};
  for (uint32_t i = 0; i < JW_LANES * rows; ++i) {
    const uint32_t lane = i % JW_LANES, end = JW_LANES * (rows - 1);
    const double before = lane > 0 ? u[end + lane - 1] : 0.0,
                 after = lane + 1 < JW_LANES ? u[lane + 1] : 0.0,
                 left = i >= JW_LANES ? u[i - JW_LANES] : before,
                 right = i < end ? u[i + JW_LANES] : after;
    out[i] = scale * ((u[i] - left) + (u[i] - right));
    sums[lane] += u[i] * out[i];
  }
  return sum_of(sums);
}

const JwLanes jw_lanes_scalar = {
    "scalar",        string_scalar,  plate_scalar,    over_scalar,     NULL,
    products_scalar, power_scalar,   strain_scalar,   multiply_scalar, mirror_scalar,
    weigh_scalar,    foresee_scalar, curvature_scalar};

const JwLanes* jw_lanes_named(const char* name) {
  if (strcmp(name, "scalar") == 0) {
    return &jw_lanes_scalar;
  }
#if defined(__GNUC__)
  if (strcmp(name, "base") == 0) {
    return &jw_lanes_base;
  }
#endif
#ifdef JW_HAS_AVX2
  if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2")
      && __builtin_cpu_supports("fma")) {
    return &jw_lanes_avx2;
  }
#endif
  return NULL;
}

static const JwLanes* chosen;

void jw_lanes_choose(const char* name) {
  chosen = name ? jw_lanes_named(name) : NULL;
}

const JwLanes* jw_lanes_best(void) {
  static const char* const names[] = {"avx2", "base", "scalar"};
  const JwLanes* lanes = chosen;
  for (int i = 0; !lanes; ++i) {
    lanes = jw_lanes_named(names[i]);
  }
  return lanes;
}
