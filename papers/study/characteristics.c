// SPDX-License-Identifier: MIT
// An ideal string over a flat rigid barrier: a closed form, and a scheme along characteristics.
//
// Plucked by A in the middle the string falls as a trapezium: a flat top of speed v = 2Ac/L between
// two slopes at rest.  The top, already below rest and L(1 - h/A) wide, meets the barrier
// everywhere at once and keeps its speed but for the sign, since the energy is kept; the slopes are
// at rest and notice nothing.  That is the motion reversed, so it runs backwards until the string
// rests in its first shape:
//
//   period = (L/c) (1 + h/A) (1)
//
// Any other pluck: on a lattice with dx = c dt the free string is u_N = u_W + u_E - u_S over every
// diamond with corners S (earlier), W, E and N (later), exactly.  With a barrier at -h,
//
//   u_N + u_S = max(u_W + u_E, -2h) (2)
//
// converges to the solution that keeps the energy (the problem: Bamberger and Schatzman 1983).  It
// goes through the barrier for a moment and so is two steps late at each impact, which (1) can
// check.

#include "flat.h"

#include <math.h>
#include <stdlib.h>

static double triangle(double x, double peak) {
  return x < peak ? x / peak : (1.0 - x) / (1.0 - peak);
}

double jw_flat_period(const JwFlatString* s) {
  return s->length / s->speed * (1.0 + s->gap / s->height);
}

double jw_flat_exact(const JwFlatString* s, double x, double t) {
  const double period = jw_flat_period(s), cross = s->length / s->speed;
  double tau = fmod(t, period);
  tau = tau > 0.5 * period ? period - tau : tau;
  const double top = s->height * (1.0 - 2.0 * tau / cross), side = s->height * triangle(x, 0.5);
  return tau < 0.5 * cross ? fmin(side, top) : fmax(-side, top);
}

// Of the lattice only the points with even place plus step are kept: they do not know the others.
// One row holds two steps of them.
bool jw_flat_characteristics(const JwFlatString* s, size_t cells, size_t stride, double* out,
                             size_t count) {
  double* const u = (double*)calloc(cells + 1, sizeof *u);
  if (!u) {
    return false;
  }
  const size_t at = (size_t)(s->pickup * (double)cells + 0.5);
  for (size_t j = 0; j <= cells; j += 2) {
    u[j] = s->height * triangle((double)j / (double)cells, s->peak);
  }
  for (size_t j = 1; j < cells; j += 2) {
    u[j] = 0.5 * (u[j - 1] + u[j + 1]); // From rest
  }
  const double touch = -2.0 * s->gap;
  for (size_t n = 0; n < count * stride; ++n) {
    if (n % stride == 0) {
      out[n / stride] = u[at]; // Place and step are even
    }
    for (size_t j = n % 2 ? 1 : 2; j < cells; j += 2) { // From step n to n + 2, by (2)
      const double sides = u[j - 1] + u[j + 1];
      u[j] = (sides > touch ? sides : touch) - u[j];
    }
  }
  free(u);
  return true;
}
