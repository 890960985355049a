// SPDX-License-Identifier: MIT
// The hot loops and the memory layout that they want.
//
// What an implementation must provide: exactly the operations written in kernel.c, in the order
// written there, so that every width gives the same bits.  Layouts are known here only: everything
// else asks for the offset of a point.  Three buffers rotate; `next` never overlaps `u` or `prev`.
//
// Layout.  A line of n points is folded into four lanes: with M rows, point l is in lane l / M, row
// l % M, and a row is four doubles.  The neighbours of a row are then the rows before and after it,
// aligned; only at the first and last row do values cross from lane to lane.  A plate is folded as
// a whole: its lines of points, along x or y, are cut into four bands of M lines, and a register
// holds the points at the same place of four lines, one a band.  The layout is the same for every
// width, so snapshots are too.
//
// Tested by test_kernel.c.
#ifndef JAWARI_KERNEL_H
#define JAWARI_KERNEL_H

#include <jawari/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct JwLanes JwLanes;

/// The widest implementation that this machine runs, or the one chosen; at prepare only.  All give
/// the same bits.
const JwLanes* jw_lanes_best(void);

/// For tests: let worlds that are prepared from now on have this one (scalar, base or avx2).  NULL,
/// or a name that is unknown or beyond the machine: the widest.
void jw_lanes_choose(const char* name);

/// By name, or NULL when this build or machine has no such implementation.
const JwLanes* jw_lanes_named(const char* name);

// ---------------------------------------------------------------- strings

/// What the first two points at an end differ from the interior by: rows of the next value.
typedef struct {
  double u00, u01, u02, p00, p01; // next[0] += u00 u[0] + u01 u[1] + u02 u[2] + p00 p[0] + p01 p[1]
  double u10, u11;                // next[1] += u10 u[0] + u11 u[1]
} JwEndFix;

/// One string: next = c0 u + c1 (u neighbours) + c2 (second neighbours) + d0 p + d1 (p neighbours).
/// Given for zeros beyond the ends; jw_string_prepare() turns c0 and fix into what the loops use.
typedef struct {
  const JwLanes* lanes;
  uint32_t n;
  double c0, c1, c2, d0, d1;
  JwEndFix fix[2];
  double a;      // c0 - 2 c2
  int fixed;     // Is any of fix not zero?
  bool lossless; // d0 = -1, d1 = 0: three operations a point less
  // Looking on the way: is u beyond bar anywhere, above it when `upwards`, else below?  NULL:
  // nobody asks
  const double* bar;
  bool upwards;
  bool* beyond; // The answer
} JwStringKernel;

/// Doubles in one buffer of n points, padding included; zero at the start.
uint32_t jw_string_size(uint32_t n);

/// Where point l of n lives.
JW_REALTIME uint32_t jw_string_offset(uint32_t n, uint32_t l);

/// Call once after the coefficients are set, each time that they are set.
JW_REALTIME void jw_string_prepare(JwStringKernel* kernel);

/// n must be at least 3.
JW_REALTIME void jw_string_advance(const JwStringKernel* kernel, double* next, const double* u,
                                   const double* prev);

/// out = scale (2 u - its neighbours), zeros beyond the ends; returns u.out.
JW_REALTIME double jw_string_curvature(const JwStringKernel* kernel, double scale, const double* u,
                                       double* out);

/// With s = per_spacing (u' - u) the slope of an interval and w = sqrt(1 + s^2): the sum of
/// (w - 1)^2 over all intervals, zeros beyond the ends; and out = scale (t before - t behind) with
/// t = s (1 - 1/w), unless it is NULL.  In two directions, whose lines follow each other, s^2 is
/// the
/// sum of both squares, and each direction pulls with its own s.
JW_REALTIME double jw_string_strain(const JwStringKernel* kernel, uint32_t directions,
                                    double per_spacing, double scale, const double* u, double* out);

// ---------------------------------------------------------------- plates

/// How a plate lies in memory: `count` lines of `length` points, along x (axis 0) or y (1), in four
/// bands of `lines`.  A register of zeros lies before the first line, between lines and after the
/// last.
typedef struct {
  uint32_t axis, count, length, lines;
} JwFold;

/// One plate of nx by ny points.  Given for zeros beyond the edges, like a string.
typedef struct {
  const JwLanes* lanes;
  uint32_t nx, ny;
  double* c0;         ///< ny centre coefficients, one a row
  double* scratch;    ///< jw_plate_scratch() doubles, zero at the start, of this kernel alone
  double left, right; ///< Added to the centre of the first and last column
  double cx1, cy1, cd, cx2, cy2; ///< On the neighbours of u, diagonals, second neighbours
  double d0, dx, dy;             ///< On p and its neighbours
  JwFold fold;                   ///< By jw_plate_prepare()
  double
      miss; ///< Set by preparing: what the coefficients of a factored form sum to less than those given
  double ratio; ///< Of squared spacings, x to y; after preparing 0 where the form is not factored
  int form;     ///< By jw_plate_prepare(): which loop
  bool edged;   ///< The same: left or right is not zero
} JwPlateKernel;

uint32_t jw_plate_size(uint32_t nx, uint32_t ny);
uint32_t jw_plate_scratch(uint32_t nx, uint32_t ny);
JW_REALTIME uint32_t jw_plate_offset(uint32_t nx, uint32_t ny, uint32_t x, uint32_t y);

/// Call once after the coefficients are set; rewrites c0, left and right.  With `exact`, or where
/// it does not apply, the factored form is not used: the coefficients are then those given to the
/// bit.
void jw_plate_prepare(JwPlateKernel* kernel, bool exact);

/// nx must be at least 2, ny at least 1.
JW_REALTIME void jw_plate_advance(const JwPlateKernel* kernel, double* next, const double* u,
                                  const double* prev);

// ---------------------------------------------------------------- modes

/// next[i] = u[i] + (e[i] (u[i] - prev[i]) - b[i] u[i]): small b keeps its digits this way.
JW_REALTIME void jw_modes_advance(uint32_t n, const double* e, const double* b, double* next,
                                  const double* u, const double* prev);

/// sum w[i] u[i] in a fixed order: four partial sums of every fourth term, (s0 + s1) + (s2 + s3).
JW_REALTIME double jw_dot(uint32_t n, const double* w, const double* u);

/// sum w[i] (u[i] - v[i]), in the order of jw_dot().
JW_REALTIME double jw_dot_change(uint32_t n, const double* w, const double* u, const double* v);

/// sum w[i] (u[i] - v[i])^2, in the order of jw_dot().
JW_REALTIME double jw_weighted_distance(uint32_t n, const double* w, const double* u,
                                        const double* v);

/// The row of an object that stiffens as it moves.  Arrays lie on multiples of 32 bytes and have
/// zeros up to a multiple of 4 numbers, but for the states.
typedef struct {
  const double* slope;             // Of its load; may be g
  double *g, *spread;              // Weights, and what a push of 1 moves
  const double *y, *inertia;       // Admittances, and their inverses
  const double *next, *now, *prev; // States
  double *motion, *middle;         // Of the step foreseen
} JwRow;

/// g = gain slope + turn (inertia motion), without the second where turn is 0; spread = g y.
/// sums[0] of
/// g spread, sums[1] of g (next - prev), as jw_dot() adds them.
JW_REALTIME void jw_row_weigh(const JwLanes* lanes, uint32_t n, double gain, double turn,
                              const JwRow* row, double sums[2]);

/// Pushed with f it would come to u = next - spread f: motion = u - prev, middle = (u + now)/2.
/// sums[0] of slope motion, sums[1] of inertia motion^2.
JW_REALTIME void jw_row_foresee(const JwLanes* lanes, uint32_t n, double f, const JwRow* row,
                                double sums[2]);

/// sum (u[i] - v[i])^2, four partial sums, the rest to the first
JW_REALTIME double jw_distance(uint32_t n, const double* u, const double* v);

/// u[i] += w[i] f
JW_REALTIME void jw_axpy(uint32_t n, const double* w, double f, double* u);

/// Write zero for all below `tiny`; is none above `most`, nor NaN?
JW_REALTIME bool jw_silence(uint32_t n, double* x, double tiny, double most);

/// A product of matrices, `rows` by `inner` times `inner` by `columns`, which is a multiple of 4;
/// the rows of the first lie `stride` doubles apart.
typedef struct {
  uint32_t rows, inner, stride, columns;
} JwProduct;

/// c = a b; b and c lie on multiples of 32 bytes.  Every element is summed in the order of the
/// inner index.
JW_REALTIME void jw_multiply(const JwLanes* lanes, const JwProduct* size, const double* a,
                             const double* b, double* c);

/// Four fields of n numbers, a multiple of 4, one behind the other, become a + b + c + d, a - b + c
/// - d, a + b - c - d and a - b - c + d.
JW_REALTIME void jw_mirror(const JwLanes* lanes, uint32_t n, double* field);

#endif // JAWARI_KERNEL_H
