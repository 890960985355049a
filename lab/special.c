// SPDX-License-Identifier: MIT
// Lambert's W0, log(1 + z) - z, and an integral with singular ends.
//
// W0 solves w exp(w) = z by Halley's iteration, which triples the digits each time; the start is
// the expansion at the branch point z = -1/e, in p = sqrt(2 (e z + 1)), or a logarithm.  Near the
// branch point w has a square root in it: e z + 1 is formed with 1/e in two parts, or half the
// digits go.
//
// The integral is by the tanh-sinh rule (H. Takahasi and M. Mori, 1974): with x = tanh(pi/2 sinh t)
// the integrand falls off doubly exponentially in t, whatever power it has at the ends, and the
// trapezoidal rule in t converges exponentially.  The distance to the ends, not x, is what the
// integrand gets: next to an end x itself has no digits left to tell them apart.
//
// Proof by test: test_lab.c, against the defining equation and integrals known in closed form.

#include "lab.h"

#include <math.h>

#define PI 3.14159265358979323846

static double w0_start(double z) {
  const double inverse_e = 0.36787944117144233, inverse_e_low = -1.2428753672788363e-17;
  const double distance = (z + inverse_e) + inverse_e_low;
  if (z < -0.2) {
    const double p = sqrt(2.0 * 2.718281828459045 * fmax(distance, 0.0));
    return -1.0 + p * (1.0 + p * (-1.0 / 3.0 + p * (11.0 / 72.0 - p * 43.0 / 540.0)));
  }
  return z < 3.0 ? z / (1.0 + z) : log(z) - log(log(z));
}

double jw_lab_lambert_w0(double z) {
  if (isnan(z) || z < -0.36787944117144233) {
    return NAN;
  }
  if (z == 0.0 || isinf(z)) {
    return z;
  }
  double w = w0_start(z);
  if (w < -1.0 + 1e-4) {
    return w; // Here the expansion is exact, and the iteration would divide 0 by 0
  }
  for (int i = 0; i < 8; ++i) {
    const double e = exp(w), excess = w * e - z;
    const double step = excess / (e * (w + 1.0) - 0.5 * (w + 2.0) * excess / (w + 1.0));
    w -= step;
    if (fabs(step) <= 4e-16 * fabs(w)) {
      break;
    }
  }
  return w;
}

// With r = z/(2 + z): log(1 + z) = 2 (r + r^3/3 + ...) and 2 r - z = -z r, so that nothing cancels.
double jw_lab_log1p_minus(double z) {
  if (fabs(z) > 0.5) {
    return log1p(z) - z;
  }
  const double r = z / (2.0 + z), square = r * r;
  double sum = 0.0;
  for (int n = 25; n >= 3;
       n -= 2) { // r^2 <= 1/9 for z = -1/2: the first term left out is below 1e-13 of z r
    sum = square * (sum + 1.0 / n);
  }
  return -z * r + 2.0 * r * sum;
}

// The term at t, both sides: the point at distance d from the right end and its mirror image.
static double pair_at(JwLabIntegrand integrand, void* user, double length, double t) {
  const double s = 0.5 * PI * sinh(t);
  const double near = length / (1.0 + exp(2.0 * s)); // Distance to the nearer end
  const double far = length - near;
  const double weight = 0.5 * length * 0.5 * PI * cosh(t) / (cosh(s) * cosh(s));
  return near > 0.0 && weight > 0.0
             ? weight * (integrand(user, far, near) + integrand(user, near, far))
             : 0.0;
}

double jw_lab_integrate(JwLabIntegrand integrand, void* user, double length, double* error) {
  const double end = 5.6; // The distance to the end is 1e-184 of the length there
  double step = 1.0;
  double sum = 0.5 * pair_at(integrand, user, length, 0.0);
  for (double t = step; t < end; t += step) {
    sum += pair_at(integrand, user, length, t);
  }
  double result = step * sum, change = INFINITY;
  for (int level = 0; level < 9 && change > 1e-15 * fabs(result); ++level) {
    step *= 0.5;
    for (double t = step; t < end; t += 2.0 * step) {
      sum += pair_at(integrand, user, length, t);
    }
    change = fabs(step * sum - result);
    result = step * sum;
  }
  *error = change;
  return result;
}
