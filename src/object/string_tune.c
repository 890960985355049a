// SPDX-License-Identifier: MIT
// How high a string on its grid sounds: the lowest frequency of the scheme itself, with its ends
// and losses.
//
//   symbol  here    meaning                                            unit
//   K       band    tau D'D + beta C'C: the step's own stiffness       1
//   M       mass    1, and 1/2 at a free end                           1
//   lambda          lowest eigenvalue of K x = lambda M x, above zero  1
//   e, s            velocity kept by the mode, e - sigma x'D'Dx/x'Mx   1
//
// A mode of the scheme obeys q+ = q + e (q - q-) - lambda q, and so sounds at f with
//
//   sin^2(pi f k) = (lambda - (1 - sqrt(e))^2)/(4 sqrt(e))                              (1.14)
//
// A grid lowers it against the string that it stands for: by 8.2 cents for a clamped piano string
// of 65 points.  Who asks for a pitch wants to hear it: jw_string_tune() turns the tension until
// (1.14) gives it.
//
// lambda is found by inverse iteration: K has five bands, and each turn takes the next mode down by
// the square of its frequency, three quarters at least.  Motions that nothing holds (a free
// string's shift and tilt) are taken out.  Beyond MOST intervals the ends have no say in the third
// digit of a cent, and (6.1) serves.
//
// Tested by test_tuning.c.

#include "numeric/elementary.h"
#include "object/string_shapes.h"

#include <math.h>

#define MOST 1024
#define TURNS 40

typedef struct {
  uint32_t n;
  double diagonal[MOST + 1], beside[MOST + 1], beyond[MOST + 1]; // K, then its factors
  double mass[MOST + 1];
  double rigid[2][MOST + 1];
  uint32_t rigid_count;
} Bands;

// ---------------------------------------------------------------- K and M

// Adds w (a . u)^2 for a second difference a around point l; held ends and what lies beyond them
// count as zero.
static void add_bend(Bands* b, int l, double w) {
  static const double a[3] = {1.0, -2.0, 1.0};
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const int at = l - 1 + i, distance = j - i;
      if (at >= 0 && at + distance < (int)b->n) {
        double* const bands[3] = {b->diagonal, b->beside, b->beyond};
        double* const band = bands[distance];
        band[at] += w * a[i] * a[j];
      }
    }
  }
}

static void add_slope(Bands* b, int l, double w) // Between l and l + 1
{
  if (l >= 0) {
    b->diagonal[l] += w;
  }
  if (l + 1 < (int)b->n) {
    b->diagonal[l + 1] += w;
  }
  if (l >= 0 && l + 1 < (int)b->n) {
    b->beside[l] -= w;
  }
}

// Point 0 is the first that moves, grid point `first`.
static void assemble(Bands* b, const JwEnd ends[2], uint32_t intervals, double tau, double beta) {
  const int first = ends[0] != JW_END_FREE, last = (int)intervals - (ends[1] != JW_END_FREE);
  b->n = (uint32_t)(last - first + 1);
  for (uint32_t i = 0; i < b->n; ++i) {
    b->diagonal[i] = b->beside[i] = b->beyond[i] = 0.0;
    b->mass[i] = 1.0;
  }
  for (int l = 0; l < (int)intervals; ++l) {
    add_slope(b, l - first, tau);
  }
  for (int l = 1; l < (int)intervals; ++l) {
    add_bend(b, l - first, beta);
  }
  for (int end = 0; end < 2; ++end) {
    const uint32_t at = end ? b->n - 1 : 0;
    if (ends[end] == JW_END_CLAMPED) {
      b->diagonal[at] += 2.0 * beta; // Curvature 2 u, half the weight
    } else if (ends[end] == JW_END_FREE) {
      b->mass[at] = 0.5;
    }
  }
}

// Shift and tilt, as far as nothing holds them; the second at right angles to the first.
static void find_rigid(Bands* b, const JwEnd ends[2], double tau) {
  const int clamps = (ends[0] == JW_END_CLAMPED) + (ends[1] == JW_END_CLAMPED);
  const int hinges = (ends[0] == JW_END_SUPPORTED) + (ends[1] == JW_END_SUPPORTED);
  b->rigid_count = 0;
  if (clamps || hinges == 2 || (hinges == 1 && tau > 0.0)) {
    return;
  }
  const double hinge = ends[0] == JW_END_SUPPORTED ? -1.0 : (double)b->n;
  const double middle = hinges == 0 ? 0.5 * (b->n - 1) : hinge;
  if (hinges == 0) {
    for (uint32_t i = 0; i < b->n; ++i) {
      b->rigid[0][i] = 1.0;
    }
    b->rigid_count = 1;
  }
  if (tau == 0.0) {
    for (uint32_t i = 0; i < b->n; ++i) {
      b->rigid[b->rigid_count][i] = i - middle;
    }
    ++b->rigid_count;
  }
}

// ---------------------------------------------------------------- inverse iteration

static double weighed(const Bands* b, const double* x, const double* y) {
  double sum = 0.0;
  for (uint32_t i = 0; i < b->n; ++i) {
    sum += b->mass[i] * x[i] * y[i];
  }
  return sum;
}

static void take_rigid_out(const Bands* b, double* x) {
  for (uint32_t r = 0; r < b->rigid_count; ++r) {
    const double part = weighed(b, b->rigid[r], x) / weighed(b, b->rigid[r], b->rigid[r]);
    for (uint32_t i = 0; i < b->n; ++i) {
      x[i] -= part * b->rigid[r][i];
    }
  }
}

// K + shift M = L D L', L in place of the bands beside and beyond, D in that of the diagonal.
static void factor(Bands* b, double shift) {
  double *const d = b->diagonal, *const l1 = b->beside, *const l2 = b->beyond;
  for (uint32_t i = 0; i < b->n; ++i) {
    d[i] += shift * b->mass[i];
    d[i] -= i > 0 ? l1[i - 1] * l1[i - 1] * d[i - 1] : 0.0;
    d[i] -= i > 1 ? l2[i - 2] * l2[i - 2] * d[i - 2] : 0.0;
    if (i + 1 < b->n) {
      l1[i] = (l1[i] - (i > 0 ? l1[i - 1] * l2[i - 1] * d[i - 1] : 0.0)) / d[i];
    }
    if (i + 2 < b->n) {
      l2[i] /= d[i];
    }
  }
}

static void solve(const Bands* b, double* x) {
  const uint32_t n = b->n;
  for (uint32_t i = 1; i < n; ++i) {
    x[i] -= b->beside[i - 1] * x[i - 1] + (i > 1 ? b->beyond[i - 2] * x[i - 2] : 0.0);
  }
  for (uint32_t i = 0; i < n; ++i) {
    x[i] /= b->diagonal[i];
  }
  for (uint32_t i = n - 1; i-- > 0;) {
    x[i] -= b->beside[i] * x[i + 1] + (i + 2 < n ? b->beyond[i] * x[i + 2] : 0.0);
  }
}

// The lowest mode of K + shift M, all of length 1; returns lambda.
static double lowest(const Bands* b, double shift, double* x) {
  for (uint32_t i = 0; i < b->n; ++i) {
    x[i] = 1.0 + 0.7 * i / b->n; // Neither even nor odd
  }
  double lambda = 0.0;
  for (int turn = 0; turn < TURNS; ++turn) {
    take_rigid_out(b, x);
    const double size = sqrt(weighed(b, x, x));
    double old[MOST + 1];
    for (uint32_t i = 0; i < b->n; ++i) {
      old[i] = x[i] / size;
      x[i] = b->mass[i] * old[i];
    }
    solve(b, x);
    const double along = weighed(b, old, x), last = lambda;
    lambda = 1.0 / along;
    if (fabs(lambda - last) < 1e-14 * lambda) {
      break;
    }
  }
  const double size = sqrt(weighed(b, x, x));
  for (uint32_t i = 0; i < b->n; ++i) {
    x[i] /= size;
  }
  return lambda - shift;
}

// x'D'Dx of a mode of length 1.
static double slopes(const Bands* b, const JwEnd ends[2], const double* x) {
  const double left = ends[0] == JW_END_FREE ? 0.0 : x[0],
               right = ends[1] == JW_END_FREE ? 0.0 : x[b->n - 1];
  double sum = left * left + right * right;
  for (uint32_t i = 0; i + 1 < b->n; ++i) {
    sum += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
  }
  return sum;
}

// ---------------------------------------------------------------- pitch

// (1.14), and back to Hz by Newton's method.
static double sounding(double lambda, double kept, double k) {
  const double root = sqrt(kept), square = (lambda - (1.0 - root) * (1.0 - root)) / (4.0 * root);
  if (!(square > 0.0)) {
    return 0.0; // Overdamped
  }
  return jw_arc_sine(sqrt(fmin(square, 1.0))) / (JW_PI * k);
}

static double pitch_of_many(const JwStringDef* def, const JwStringPhysics* physics,
                            const JwGridString* grid, double tau, double k) {
  const double half = jw_sin(0.5 * JW_PI / grid->intervals), s = half * half;
  const double supported =
      sounding(4.0 * (tau + 4.0 * grid->beta * s) * s, grid->e - 4.0 * grid->sigma * s, k);
  return supported * jw_string_pitch(def, physics) / jw_string_frequency(physics, def->length, 1);
}

double jw_string_grid_pitch(const JwStringDef* def, const JwStringPhysics* physics,
                            const JwGridString* grid, double k) {
  const double tau = grid->y * physics->tension * grid->intervals / def->length;
  if (grid->intervals > MOST) {
    return pitch_of_many(def, physics, grid, tau, k);
  }
  const double about = 2.0 * JW_PI * jw_string_pitch(def, physics) * k;
  if (about == 0.0) {
    return 0.0;
  }
  Bands b;
  double x[MOST + 1];
  assemble(&b, def->ends, grid->intervals, tau, grid->beta);
  find_rigid(&b, def->ends, tau);
  const double shift = b.rigid_count ? about * about : 0.0;
  factor(&b, shift);
  const double lambda = lowest(&b, shift, x);
  return sounding(lambda, grid->e - grid->sigma * slopes(&b, def->ends, x), k);
}
