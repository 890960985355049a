// SPDX-License-Identifier: MIT
// What a width provides, and the layout that all share (kernel.h).
#ifndef JAWARI_KERNEL_LANES_H
#define JAWARI_KERNEL_LANES_H

#include "kernel/kernel.h"
#include "kernel/touch.h"

#include <stddef.h>

/// A string's local stretch: jw_string_strain().
typedef struct {
  uint32_t n, directions;
  double per_spacing, scale;
} JwStrain;

struct JwLanes {
  const char* name;
  void (*string)(const JwStringKernel* kernel, double* next, const double* u,
                 const double* prev) JW_REALTIME;
  void (*plate)(const JwPlateKernel* kernel, double* next, const double* u,
                const double* prev) JW_REALTIME;
  // Offsets where sign (u - bar) > 0, in rising order; returns how many.  size: a multiple of 4
  uint32_t (*over)(uint32_t size, double sign, const double* u, const double* bar,
                   uint32_t* found) JW_REALTIME;
  // One step of the points that touch; returns whether any is open and empty now.  NULL: one by one
  bool (*touch)(const JwTouching* touching, double* next) JW_REALTIME;
  // Of v = next - prev, which is written out: sums[0] of v^2, sums[1] of v times v a register
  // before, sums[2] of v times v `stride` doubles before (0: not asked for).  Every
  // second register, counted anew from `stride` on, is summed apart, by lanes; then (0 + 1) + (2 +
  // 3)
  // of either set.
  void (*products)(uint32_t size, uint32_t stride, const double* next, const double* prev,
                   double* v, double sums[3]) JW_REALTIME;
  void (*power)(size_t count, const double* x, double p, double* y); // y[i] = jw_power(x[i], p)
  double (*strain)(const JwStrain* strain, const double* u, double* out) JW_REALTIME;
  void (*multiply)(const JwProduct* size, const double* a, const double* b,
                   double* c) JW_REALTIME;               // jw_multiply()
  void (*mirror)(uint32_t n, double* field) JW_REALTIME; // jw_mirror()
  void (*weigh)(uint32_t n, double gain, double turn, const JwRow* row,
                double sums[2]) JW_REALTIME; // jw_row_weigh()
  void (*foresee)(uint32_t n, double f, const JwRow* row,
                  double sums[2]) JW_REALTIME; // jw_row_foresee()
  double (*curvature)(uint32_t n, double scale, const double* u,
                      double* out) JW_REALTIME; // jw_string_curvature()
};

extern const JwLanes jw_lanes_scalar;
#if defined(__GNUC__)
extern const JwLanes jw_lanes_base;
#if defined(__x86_64__)
#define JW_HAS_AVX2 1
extern const JwLanes jw_lanes_avx2;
#endif
#endif

#define JW_LANES 4u

/// Penetrations below this count as none (law.h).
#define JW_KERNEL_TINY 1e-100

/// Rows of a folded line of n points; two at least, so that no neighbour is two lanes away.
static inline uint32_t jw_lane_rows(uint32_t n) {
  return n <= 2 * JW_LANES ? 2 : (n + JW_LANES - 1) / JW_LANES;
}

/// About what it costs to run along lines of a length: a line costs something by itself, and the
/// first and last lines of the bands a little more than the others.
static inline uint64_t jw_fold_cost(uint32_t count, uint32_t length) {
  return (uint64_t)(jw_lane_rows(count) + 2) * (length + 2);
}

static inline JwFold jw_plate_fold(uint32_t nx, uint32_t ny) {
  const bool axis = jw_fold_cost(nx, ny) < jw_fold_cost(ny, nx);
  return (JwFold){axis, axis ? nx : ny, axis ? ny : nx, jw_lane_rows(axis ? nx : ny)};
}

/// Which of the forms of kernel.c; ALIKE is (5) with a ratio of one and (4).
typedef enum { JW_PLATE_GENERAL, JW_PLATE_FACTORED, JW_PLATE_ALIKE, JW_PLATE_FORMS } JwPlateForm;

/// Lines of w that the kernel keeps.
#define JW_PLATE_SCRATCH 7u

#endif // JAWARI_KERNEL_LANES_H
