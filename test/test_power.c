// SPDX-License-Identifier: MIT
// x^p and e^x against the 64-bit significands of long double.

#include "test.h"

#include "numeric/power.h"
#include "numeric/power_scalar.h"
#include "numeric/power_table.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/// The next of a fixed sequence, uniform in [0, 1).
static double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

/// powl is good to an ulp of long double, 1.1e-19 relative: nothing beside the bounds below.
static double power_error(double x, double p) {
  const long double exact = powl((long double)x, (long double)p);
  return (double)fabsl(((long double)jw_power(x, p) - exact) / exact);
}

static double exp_error(double x) {
  const long double exact = expl((long double)x);
  return (double)fabsl(((long double)jw_exp(x) - exact) / exact);
}

// With u = 2^-53 the roundings are: the root, (1 + d)^p in its last sum, their product and the last
// sum, 4 u; what q leaves out, 7.6e-17 = 0.7 u, and the binomial series, at most 0.13 u for -1 <= p
// <= 6; in t log2(c), of at most 1/2, u/4, and p log2(c), p/2 u, both times ln 2: 0.52 p u.
// Everything else rounds numbers below 2^-8 p or 2^-8, a dozen of them: 0.05 (p + 1) u.  For p = 6:
// 8.3 u = 9.2e-16; for |p| <= 1: 5.5 u = 6.1e-16.
static double power_bound(double p) {
  const double a = fabs(p);
  return (4.83 + 0.52 * a + 0.05 * (a + 1.0)) * 0x1p-53;
}

static void power_is_within_its_rounding_bound(void** state) {
  (void)state;
  uint64_t seed = 1;
  double worst = 0.0;
  for (int i = 0; i < 400000; ++i) {
    const double p = -1.0 + 7.0 * uniform(&seed);
    const double x = pow(10.0, -100.0 + 106.0 * uniform(&seed));
    if (p * log2(x) < -1020.0) {
      continue;
    }
    const double error = power_error(x, p);
    assert_true(error <= power_bound(p));
    worst = error > worst ? error : worst;
  }
  print_message("# worst relative error %.3g\n", worst);
  assert_true(worst < 1e-14 && worst > 0.0);
}

static void power_near_one_is_within_its_rounding_bound(void** state) {
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 200000; ++i) {
    const double p = -1.0 + 7.0 * uniform(&seed);
    assert_true(power_error(0.5 + 1.5 * uniform(&seed), p) <= power_bound(p));
    assert_true(power_error(1.0 + ldexp(uniform(&seed) - 0.5, -(i % 52)), p) <= power_bound(p));
  }
}

static void powers_of_two_and_exponent_zero_are_exact(void** state) {
  (void)state;
  for (int k = -330; k <= 330; ++k) {
    const double x = ldexp(1.0, k);
    assert_true(jw_power(x, 0.0) == 1.0);
    assert_true(jw_power(x, 1.0) == x);
    assert_true(jw_power(x, 3.0) == ldexp(1.0, 3 * k));
    assert_true(jw_power(x, -1.0) == ldexp(1.0, -k));
  }
  assert_true(jw_power(3.7e-5, 0.0) == 1.0);
}

static void power_leaves_the_doubles_at_zero_and_infinity(void** state) {
  (void)state;
  assert_true(jw_power(1e-100, 6.0) == 0.0);
  assert_true(jw_power(1e100, 6.0) == (double)INFINITY);
  assert_true(jw_power(DBL_MIN, 1.0) == 0.0);
  assert_true(jw_power(DBL_MIN, 0.5) == 0x1p-511);
  assert_true(power_error(0x1.fcp1022, 1.0) <= power_bound(1.0));
  assert_true(jw_power(0x1p1023, 1.0) == (double)INFINITY
              && jw_power(DBL_MAX, 1.0) == (double)INFINITY);
  assert_true(power_error(0x1.02p-1021, 1.0) <= power_bound(1.0));
  assert_true(jw_power(0.0, 0.0) == 1.0);
  assert_true(jw_power(0.0, 2.0) == 0.0);
}

// The root and the last sum 2 u, what q leaves out 0.7 u, h and q, below 2^-8, 0.03 u; the rest of
// x log2(e) is at most 2e-5, and its roundings are nothing: 2.8 u = 3.1e-16.
static void exp_is_within_its_rounding_bound(void** state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 400000; ++i) {
    assert_true(exp_error(-707.0 + 1416.0 * uniform(&seed)) <= 3.2e-16);
    assert_true(exp_error(1.0 - 10.0 * uniform(&seed)) <= 3.2e-16);
    assert_true(exp_error(ldexp(uniform(&seed) - 0.5, -(i % 60))) <= 3.2e-16);
  }
  assert_true(jw_exp(0.0) == 1.0);
  assert_true(jw_exp(-1e9) == 0.0 && jw_exp(-(double)INFINITY) == 0.0);
  assert_true(jw_exp(710.0) == (double)INFINITY && jw_exp((double)INFINITY) == (double)INFINITY);
}

static void exp2_is_within_its_rounding_bound(void** state) {
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 400000; ++i) {
    const double t =
        i % 2 ? -1020.0 + 2042.0 * uniform(&seed) : ldexp(uniform(&seed) - 0.5, 4 - i % 60);
    const long double exact = exp2l((long double)t);
    assert_true(fabsl(((long double)exp2_of(t) - exact) / exact) <= 3.1e-16L);
  }
  for (int n = -1021; n < 1023; ++n) {
    assert_true(exp2_of(n) == ldexp(1.0, n));
  }
  assert_true(exp2_of(-1021.5) == 0.0 && exp2_of(-1e300) == 0.0
              && exp2_of(-(double)INFINITY) == 0.0);
  assert_true(exp2_of(1023.0) == (double)INFINITY && exp2_of(1e300) == (double)INFINITY
              && exp2_of((double)INFINITY) == (double)INFINITY);
}

/// Is `x` the double nearest to `exact`, which is good to an ulp of long double, 2^-11 of a
/// double's?
static bool nearest(double x, long double exact) {
  const double ulp = nextafter(fabs(x), (double)INFINITY) - fabs(x);
  return fabsl((long double)x - exact) <= (0.5L + 0x1p-10L) * (long double)ulp;
}

static void tables_hold_the_nearest_doubles(void** state) {
  (void)state;
  for (int i = 0; i < JW_POWER_ROWS; ++i) {
    const long double c =
        i < 75 ? (181.0L + (long double)i) / 256.0L : (53.0L + (long double)i) / 128.0L;
    assert_true(nearest(jw_power_near[i][0], 1.0L / c));
    assert_true(c == 1.0L ? jw_power_near[i][1] == 0.0 : nearest(jw_power_near[i][1], log2l(c)));
    assert_true(nearest(jw_power_roots[i], exp2l((long double)i / JW_POWER_ROWS)));
  }
}

// A golden that any build must meet, whatever its compiler, options and machine: the sum of the
// bits over a fixed sequence.
static void power_and_exp_have_the_same_bits_everywhere(void** state) {
  (void)state;
  uint64_t seed = 4, sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = ldexp(1.0 + uniform(&seed), (int)(i % 300) - 280);
    const double values[2] = {jw_power(x, 6.0 * uniform(&seed)), jw_exp(-20.0 * uniform(&seed))};
    for (int j = 0; j < 2; ++j) {
      uint64_t bits;
      memcpy(&bits, &values[j], sizeof bits);
      sum = sum * 31 + bits;
    }
  }
  assert_true(sum == 0xf47f017b064b6002u);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_is_within_its_rounding_bound),
      cmocka_unit_test(power_near_one_is_within_its_rounding_bound),
      cmocka_unit_test(powers_of_two_and_exponent_zero_are_exact),
      cmocka_unit_test(power_leaves_the_doubles_at_zero_and_infinity),
      cmocka_unit_test(exp_is_within_its_rounding_bound),
      cmocka_unit_test(exp2_is_within_its_rounding_bound),
      cmocka_unit_test(tables_hold_the_nearest_doubles),
      cmocka_unit_test(power_and_exp_have_the_same_bits_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
