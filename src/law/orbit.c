// SPDX-License-Identifier: MIT
// The exact bounce of a mass off a power law: where it is t samples after it touched.
//
// Between two masses, or a mass and a wall, with nothing else to bend the motion, eta'' = -q K
// eta^alpha in units of samples.  Energy gives eta'^2 = w^2 (1 - (eta/xm)^p), and scaled by the
// greatest depth xm and the speed w
//
//   Y'^2 = 1 - Y^p,   T(y) = integral of ds/sqrt(1 - s^p) from 0 to y,   p = alpha + 1   (3.6)
//
//   symbol  meaning                                       unit
//   w       speed at the touch                            m a sample
//   xm      deepest penetration, w^2 p/(2 q K) to the 1/p  m
//   Y, T    depth over xm, time times w/xm; inverses      1
//   c       T(1), half of the contact                     1
//
// With s = 1 - u^2 the integrand is 2u/sqrt(1 - (1 - u^2)^p), smooth with the limit 2/sqrt(p) at u
// = 0: T is a table over u, straight lines between.  T'' is at most 2 in u, so that with 128
// intervals these miss 128^-2/8 * 2 = 1.6e-5 at most (test_force.c).
//
// A contact too short for any rule of integration still leaves at the right time if it is put onto
// this orbit: power_law.c asks for the force that ends the step there.

#include "law/law.h"

#include "numeric/power.h"

#include <math.h>

void jw_orbit_fill(double* table, double alpha) {
  const double offset[3] = {-0.7745966692414834, 0.0, 0.7745966692414834},
               weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  table[JW_ORBIT] = 0.0;
  for (int j = JW_ORBIT - 1; j >= 0; --j) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) { // Gauss
      const double u = (j + 0.5 + 0.5 * offset[i]) / JW_ORBIT;
      sum += weight[i] * 2.0 * u / sqrt(1.0 - jw_power(1.0 - u * u, alpha + 1.0));
    }
    table[j] = table[j + 1] + sum / JW_ORBIT;
  }
}

JW_REALTIME double jw_orbit_time(const double* table, double y) {
  const double u = JW_ORBIT * sqrt(fmax(1.0 - y, 0.0));
  const int j = u < JW_ORBIT ? (int)u : JW_ORBIT - 1;
  return table[j] + (table[j + 1] - table[j]) * (u - j);
}

// Y(t) for t from 0 to 2c.
static double depth_at(const double* table, double t) {
  const double going = t > table[0] ? 2.0 * table[0] - t : t;
  int low = 0, high = JW_ORBIT; // The table falls
  while (high - low > 1) {
    const int mid = (low + high) / 2;
    *(table[mid] > going ? &low : &high) = mid;
  }
  const double u = (low + (table[low] - going) / (table[low] - table[high])) / JW_ORBIT;
  return 1.0 - u * u;
}

JW_REALTIME double jw_orbit_place(const double* table, const JwBounce* bounce, double t) {
  const double scaled = t * bounce->speed / bounce->deepest;
  if (scaled < 0.0) {
    return bounce->speed * t;
  }
  const double whole = 2.0 * table[0];
  return scaled > whole ? bounce->deepest * (whole - scaled)
                        : bounce->deepest * depth_at(table, scaled);
}
