// SPDX-License-Identifier: MIT
// Modes of a stiff string with any ends (string_shapes.c).
#ifndef JAWARI_STRING_SHAPES_H
#define JAWARI_STRING_SHAPES_H

#include "object/kinds.h"

/// One mode: X(x) = a cos(alpha x) + b sin(alpha x) + c exp(-beta x) + d exp(-beta (L - x)),
/// largest coefficient 1; a rigid motion has alpha = beta = 0 and X = a + b (x/L - 1/2).
typedef struct JwShape {
  double frequency; // Hz
  double alpha, beta;
  double a, b, c, d;
  double mass;  // rA integral X^2
  double slope; // integral X'^2 / integral X^2: the mean squared wave number
} JwShape;

typedef struct {
  JwStringPhysics physics;
  double length;
  JwEnd ends[2];
} JwHeldString;

/// Modes in rising order, from the first on, while their frequency is below `highest` (Hz); at most
/// `most`.  `shapes` may be NULL to count.
uint32_t jw_string_shapes(const JwHeldString* string, double highest, uint32_t most,
                          JwShape* shapes);

/// Displacement of a mode at x (m).
JW_REALTIME double jw_shape_at(const JwShape* shape, double length, double x);

/// The lowest frequency above zero.
double jw_string_lowest(const JwHeldString* string);

#endif // JAWARI_STRING_SHAPES_H
