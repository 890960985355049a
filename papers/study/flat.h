// SPDX-License-Identifier: MIT
// flat.h: an ideal string over a flat rigid barrier, exactly.
#ifndef JAWARI_STUDY_FLAT_H
#define JAWARI_STUDY_FLAT_H

#include <stdbool.h>
#include <stddef.h>

/// Plucked to a triangle and let go, over a barrier `gap` below its rest.
typedef struct {
  double length, speed; ///< m, m/s
  double height, peak;  ///< Of the pluck: m, and its place as a fraction of the length
  double gap;           ///< m
  double pickup;        ///< Fraction of the length
} JwFlatString;

/// Of a pluck in the middle (s).
double jw_flat_period(const JwFlatString* string);

/// Displacement at x (a fraction of the length) and t of a string plucked in the middle.
double jw_flat_exact(const JwFlatString* string, double x, double t);

/// Any pluck, on a lattice of `cells`: every `stride`-th step at the pickup; false without memory.
/// Cells, stride and the place of the pickup are even numbers of cells and steps.
bool jw_flat_characteristics(const JwFlatString* string, size_t cells, size_t stride, double* u,
                             size_t count);

#endif // JAWARI_STUDY_FLAT_H
