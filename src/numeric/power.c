// x^p and e^x for one value; power_body.h has the method.

#include "base/hint.h"
#include "numeric/power.h"

#include "numeric/power_scalar.h"

JW_HOT double jw_power(double x, double p)
{
  return power_of(x, p);
}

double jw_exp(double x)
{
  return exp_of(x);
}
