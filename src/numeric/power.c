// x^p and e^x for one value; power_body.h has the method.

#include "numeric/power.h"

typedef double Real;
typedef unsigned long long Bits;

static inline Bits below(Real a, Real b)
{
  return a < b ? ~(Bits)0 : 0;
}

#include "numeric/power_body.h"

double jw_power(double x, double p)
{
  return power_of(x, p);
}

double jw_exp(double x)
{
  return exp_of(x);
}
