// The power-law potential and the choices of g that collision and connection share.
//
//   phi(x) = K/(alpha+1) x^(alpha+1),  psi = sqrt(2 phi),  g_th = d psi/d x             (3.1)
//
// x is the positive part of the penetration.  See docs/physics.md, section 3.

#include "law/law.h"

#include "numeric/power.h"

#include <math.h>

void jw_law_derive(JwLawParams* law)
{
  law->half_power = 0.5 * (law->exponent - 1.0);
  law->bow_scale = sqrt(2.0 * law->sharpness) * 1.6487212707001282; // sqrt(e)
}

double jw_positive_power(double x, double p)
{
  if (!(x > JW_TINY)) {
    return 0.0;
  }
  return p == 0.0 ? 1.0 : p == 0.5 ? sqrt(x) : p == 1.0 ? x : jw_power(x, p);
}

double jw_potential(const JwStep* step, double x)
{
  const JwLawParams* const law = step->law;
  return step->scale * law->stiffness / (law->exponent + 1.0) * jw_positive_power(x, law->exponent) * (x > 0.0 ? x : 0.0);
}

double jw_potential_slope(const JwStep* step, double x)
{
  return step->scale * step->law->stiffness * jw_positive_power(x, step->law->exponent);
}

double jw_g_theory(const JwStep* step, double x)
{
  const JwLawParams* const law = step->law;
  const double scale = sqrt(0.5 * step->scale * law->stiffness * (law->exponent + 1.0));
  return scale * jw_positive_power(x, law->half_power);
}

// psi + g (r)/2 = 0 with r = r_free - q g psi/2 gives (q psi/4) g^2 + z g - psi = 0, z = -r_free/2.
// Of its two forms the one without cancellation is used.                               (3.2)
double jw_g_release(double psi, double r_free, double q)
{
  const double z = -0.5 * r_free;
  const double root = sqrt(z * z + q * psi * psi);
  if (z > 0.0) {
    return 2.0 * psi / (z + root);
  }
  return q * psi > 0.0 ? 2.0 * (root - z) / (q * psi) : HUGE_VAL;
}

double jw_discrete_gradient(const JwStep* step, double x0, double x1, double* slope)
{
  const double dx = x1 - x0;
  const double size = fmax(fabs(x0), fabs(x1));
  const double mid = 0.5 * (x0 + x1);
  const JwLawParams* const law = step->law;
  if (fabs(dx) <= 1e-5 * size) { // Series about the middle: the next term is dx^2/24 times phi'''
    const double f = jw_potential_slope(step, mid);
    *slope = 0.5 * law->exponent * step->scale * law->stiffness * jw_positive_power(mid, law->exponent - 1.0);
    return f;
  }
  const double gradient = (jw_potential(step, x1) - jw_potential(step, x0)) / dx;
  *slope = (jw_potential_slope(step, x1) - gradient) / dx;
  return gradient;
}
