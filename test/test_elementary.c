// SPDX-License-Identifier: MIT
// Sine, exp(x) - 1 and the compensated sum against the 64-bit significands of long double.

#include "test.h"

#include "numeric/elementary.h"

#include <float.h>
#include <math.h>

#define U 0x1p-53

static double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

static double sin_error(double x) {
  return (double)fabsl((long double)jw_sin(x) - sinl((long double)x));
}

// Small x: n = 0, so the rest is x itself.  The nested sum ends with 1 - s z/6: the term is at most
// z/6 = 0.375 with four roundings of its own (z, the product, the quotient, s by parts below that),
// the last difference and the product with x round once each: (4 * 0.375 / 0.66 + 2) u, 0.66 being
// the sum at 1.5: 4.3 u, 4.8e-16.
static void sine_of_small_numbers_is_within_its_relative_bound(void** state) {
  (void)state;
  uint64_t seed = 1;
  double worst = 0.0;
  for (int i = 0; i < 300000; ++i) {
    const double x =
        (i % 2 ? 1.5 : pow(10.0, -12.0 * uniform(&seed))) * (2.0 * uniform(&seed) - 1.0);
    worst = fmax(worst, x != 0.0 ? sin_error(x) / fabs(sin(x)) : 0.0);
  }
  print_message("# worst relative error %.3g\n", worst);
  assert_true(worst > 0.0 && worst < 5e-16);
}

// Any x up to 2^20: n pi_high is exact and x less it nearly so; n pi_low (below 4.1e-5) and the
// second difference (below pi/2) round once each, u (1.6 + 4e-5), and the series adds its own, of
// values up to 1: 4.3 u at most near pi/2.  Together 6 u, 6.7e-16, wherever x lies.
static void sine_is_within_its_absolute_bound_up_to_a_million(void** state) {
  (void)state;
  uint64_t seed = 2;
  double worst = 0.0;
  for (int i = 0; i < 600000; ++i) {
    const double x = pow(2.0, 20.0 * uniform(&seed)) * (i % 2 ? -1.0 : 1.0);
    worst = fmax(worst, sin_error(x));
  }
  print_message("# worst absolute error %.3g\n", worst);
  assert_true(worst > 0.0 && worst < 7e-16);
}

// 1 - 2 s^2 with s within 6 u: 2 * 2 * 6 u + 3 u.
static void cosine_is_one_at_zero_and_within_its_bound(void** state) {
  (void)state;
  assert_true(jw_cos(0.0) == 1.0);
  uint64_t seed = 3;
  double worst = 0.0;
  for (int i = 0; i < 300000; ++i) {
    const double x = 1000.0 * (2.0 * uniform(&seed) - 1.0);
    worst = fmax(worst, (double)fabsl((long double)jw_cos(x) - cosl((long double)x)));
  }
  print_message("# worst absolute error %.3g\n", worst);
  assert_true(worst < 27.0 * U);
}

static void sine_is_odd_and_cosine_even_to_the_bit(void** state) {
  (void)state;
  uint64_t seed = 4;
  for (int i = 0; i < 10000; ++i) {
    const double x = 1e4 * uniform(&seed);
    assert_true(jw_sin(-x) == -jw_sin(x) && jw_cos(-x) == jw_cos(x));
  }
}

// The series rounds s three times, the sum below 1.01 twice and the two products once each: 7 u of
// the part below 1/2, and the last sum 1/2 u of the whole.
static void logarithm_is_within_its_bound(void** state) {
  (void)state;
  uint64_t seed = 9;
  double worst = 0.0;
  for (int i = 0; i < 300000; ++i) {
    const double x = pow(2.0, (i % 2 ? 2.0 : 2000.0) * (uniform(&seed) - 0.5));
    const long double exact = log2l((long double)x);
    worst = fmax(worst, (double)(fabsl((long double)jw_log2(x) - exact) / (0.5L + fabsl(exact))));
  }
  print_message("# worst error %.3g\n", worst);
  assert_true(worst > 0.0 && worst < 7.5 * U);
  assert_true(jw_log2(1.0) == 0.0 && jw_log2(8.0) == 3.0 && jw_log2(0.25) == -2.0);
}

static double expm1_error(double x) {
  const long double exact = expm1l((long double)x);
  return (double)fabsl(((long double)jw_expm1_negative(x) - exact) / exact);
}

// Above -0.5 the sum 1 + s x/2 is at least 0.78, with the term at most 0.25 and four roundings of
// it: (4 * 0.25 / 0.78 + 2) u.  Below, jw_exp is within 2.5 u of e^x <= 0.61 and the difference is
// at least 0.39: (2.5 * 0.61 / 0.39 + 1) u = 4.9 u.  Both below 5.6e-16.
static void exp_less_one_keeps_its_digits_near_zero_and_far_away(void** state) {
  (void)state;
  uint64_t seed = 5;
  double worst = 0.0;
  for (int i = 0; i < 400000; ++i) {
    const double x = -pow(10.0, -15.0 + 17.5 * uniform(&seed));
    worst = fmax(worst, expm1_error(x));
  }
  print_message("# worst relative error %.3g\n", worst);
  assert_true(worst > 0.0 && worst < 5.6e-16);
  assert_true(jw_expm1_negative(0.0) == 0.0 && jw_expm1_negative(-800.0) == -1.0);
}

// Terms of size 1 and 1e16 in turn: a plain sum loses every small one; Neumaier's keeps them.
static void compensated_sum_keeps_what_a_plain_one_loses(void** state) {
  (void)state;
  JwSum sum = {0.0, 0.0};
  double plain = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double terms[3] = {1e16, 1.0, -1e16};
    for (int t = 0; t < 3; ++t) {
      jw_sum_add(&sum, terms[t]);
      plain += terms[t];
    }
  }
  assert_true(jw_sum_value(&sum) == 1000.0);
  assert_true(plain != 1000.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logarithm_is_within_its_bound),
      cmocka_unit_test(sine_of_small_numbers_is_within_its_relative_bound),
      cmocka_unit_test(sine_is_within_its_absolute_bound_up_to_a_million),
      cmocka_unit_test(cosine_is_one_at_zero_and_within_its_bound),
      cmocka_unit_test(sine_is_odd_and_cosine_even_to_the_bit),
      cmocka_unit_test(exp_less_one_keeps_its_digits_near_zero_and_far_away),
      cmocka_unit_test(compensated_sum_keeps_what_a_plain_one_loses),
  };
  return cmocka_run_group_tests_name("elementary", tests, NULL, NULL);
}
