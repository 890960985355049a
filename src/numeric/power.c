// SPDX-License-Identifier: MIT
// x^p and e^x for one value; power_body.h has the method.

#include "base/hint.h"
#include "numeric/power.h"

#include "numeric/power_scalar.h"

JW_REALTIME JW_HOT double jw_power(double x, double p) {
  return power_of(x, p);
}

JW_REALTIME double jw_exp(double x) {
  return exp_of(x);
}
