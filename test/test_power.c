// x^p and e^x against the 64-bit significands of long double.

#include "test.h"

#include "numeric/power.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// The next of a fixed sequence, uniform in [0, 1).
static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

/// powl is good to an ulp of long double, 1.1e-19 relative: nothing beside the bounds below.
static double power_error(double x, double p)
{
  const long double exact = powl((long double)x, (long double)p);
  return (double)fabsl(((long double)jw_power(x, p) - exact) / exact);
}

static double exp_error(double x)
{
  const long double exact = expl((long double)x);
  return (double)fabsl(((long double)jw_exp(x) - exact) / exact);
}

// With u = 2^-53 the roundings are: l, of at most 1/2: s has two (m - 1 is exact), z two more of half
// weight in a small term, C one, the product and the sum one each: 5 u l <= 2.5 u.  p l: p/2 u more;
// r, of at most 1/2: three sums of at most p/2 + 1/2 each and its product with ln 2 (with its
// constant).  In r ln 2 together (2.5 p + 0.5 p + 1.5 (p + 1)/2 + 1) u ln 2, and e^r rounds once
// in the last sum and by parts of |r| <= 0.35 before: 2.5 u.  For p = 6: (18 + 5.25 + 1) 0.69 u + 2.5 u
// = 19.3 u = 2.2e-15; for |p| <= 1: 7.8 u = 8.6e-16.
static double power_bound(double p)
{
  const double a = fabs(p);
  return ((3.0 * a + 0.75 * (a + 1.0) + 1.0) * 0.6932 + 2.5) * 0x1p-53;
}

static void power_is_within_its_rounding_bound(void** state)
{
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

static void power_near_one_is_within_its_rounding_bound(void** state)
{
  (void)state;
  uint64_t seed = 2;
  for (int i = 0; i < 200000; ++i) {
    const double p = -1.0 + 7.0 * uniform(&seed);
    assert_true(power_error(0.5 + 1.5 * uniform(&seed), p) <= power_bound(p));
    assert_true(power_error(1.0 + ldexp(uniform(&seed) - 0.5, -(i % 52)), p) <= power_bound(p));
  }
}

static void powers_of_two_and_exponent_zero_are_exact(void** state)
{
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

static void power_leaves_the_doubles_at_zero_and_infinity(void** state)
{
  (void)state;
  assert_true(jw_power(1e-100, 6.0) == 0.0);
  assert_true(isinf(jw_power(1e100, 6.0)));
  assert_true(jw_power(DBL_MIN, 1.0) == 0.0);
  assert_true(jw_power(DBL_MIN, 0.5) == 0x1p-511);
  assert_true(power_error(0.999 * DBL_MAX, 1.0) <= power_bound(1.0));
  assert_true(jw_power(0.0, 0.0) == 1.0);
  assert_true(jw_power(0.0, 2.0) == 0.0);
}

// r = x - n ln 2 is exact in its first part for |n| < 2^12; the second and the difference round
// numbers of at most 0.35 and 709 * 2^-40: 0.4 u.  e^r: 2.5 u as above.  2.9 u = 3.2e-16.
static void exp_is_within_its_rounding_bound(void** state)
{
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 400000; ++i) {
    assert_true(exp_error(-707.0 + 1416.0 * uniform(&seed)) <= 3.2e-16);
    assert_true(exp_error(1.0 - 10.0 * uniform(&seed)) <= 3.2e-16);
    assert_true(exp_error(ldexp(uniform(&seed) - 0.5, -(i % 60))) <= 3.2e-16);
  }
  assert_true(jw_exp(0.0) == 1.0);
  assert_true(jw_exp(-1e9) == 0.0 && jw_exp(-(double)INFINITY) == 0.0);
  assert_true(isinf(jw_exp(710.0)) && isinf(jw_exp((double)INFINITY)));
}

// A golden that any build must meet, whatever its compiler, options and machine: the sum of the bits
// over a fixed sequence.
static void power_and_exp_have_the_same_bits_everywhere(void** state)
{
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
  assert_true(sum == 0x24443d86af055e8cu);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(power_is_within_its_rounding_bound),
    cmocka_unit_test(power_near_one_is_within_its_rounding_bound),
    cmocka_unit_test(powers_of_two_and_exponent_zero_are_exact),
    cmocka_unit_test(power_leaves_the_doubles_at_zero_and_infinity),
    cmocka_unit_test(exp_is_within_its_rounding_bound),
    cmocka_unit_test(power_and_exp_have_the_same_bits_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
