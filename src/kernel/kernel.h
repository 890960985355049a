// The hot loops and the memory layout that they want.
//
// What an implementation must provide: exactly the operations written in kernel.c, in the order
// written there, so that every width gives the same bits.  Layouts are known here only: everything
// else asks for the offset of a point.  Three buffers rotate; `next` never overlaps `u` or `prev`.
//
// Tested by test_kernel.c.
#ifndef JAWARI_KERNEL_H
#define JAWARI_KERNEL_H

#include <stddef.h>
#include <stdint.h>

// ---------------------------------------------------------------- strings

/// What the first two points at an end differ from the interior by: rows of the next value.
typedef struct {
  double u00, u01, u02, p00, p01; // next[0] += u00 u[0] + u01 u[1] + u02 u[2] + p00 p[0] + p01 p[1]
  double u10, u11;                // next[1] += u10 u[0] + u11 u[1]
} JwEndFix;

/// One string: next = c0 u + c1 (u neighbours) + c2 (second neighbours) + d0 p + d1 (p neighbours).
typedef struct {
  uint32_t n;
  double c0, c1, c2, d0, d1;
  JwEndFix fix[2];
} JwStringKernel;

/// Doubles in one buffer of n points, padding included; zero at the start.
uint32_t jw_string_size(uint32_t n);

/// Where point l of n lives.
uint32_t jw_string_offset(uint32_t n, uint32_t l);

/// n must be at least 3.
void jw_string_advance(const JwStringKernel* kernel, double* next, const double* u, const double* prev);

// ---------------------------------------------------------------- plates

/// One plate of nx by ny points, x fastest.
typedef struct {
  uint32_t nx, ny;
  const double* c0; ///< ny centre coefficients, one a row
  double left, right; ///< Added to the centre of the first and last column
  double cx1, cy1, cd, cx2, cy2; ///< On the neighbours of u, diagonals, second neighbours
  double d0, dx, dy;             ///< On p and its neighbours
} JwPlateKernel;

uint32_t jw_plate_size(uint32_t nx, uint32_t ny);
uint32_t jw_plate_offset(uint32_t nx, uint32_t x, uint32_t y);
void jw_plate_advance(const JwPlateKernel* kernel, double* next, const double* u, const double* prev);

// ---------------------------------------------------------------- modes

/// next[i] = u[i] + (e[i] (u[i] - prev[i]) - b[i] u[i]): small b keeps its digits this way.
void jw_modes_advance(uint32_t n, const double* e, const double* b, double* next, const double* u,
                      const double* prev);

/// sum w[i] u[i] in a fixed order: four partial sums of every fourth term, (s0 + s1) + (s2 + s3).
double jw_dot(uint32_t n, const double* w, const double* u);

/// u[i] += w[i] f
void jw_axpy(uint32_t n, const double* w, double f, double* u);

#endif // JAWARI_KERNEL_H
