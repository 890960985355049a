// SPDX-License-Identifier: MIT
// The impact laboratory: every exact result by a second way, every integrator by its order.

#include "test.h"

#include "lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CASES 2
static const JwLabImpact cases[CASES] = {{1e-2, 1e7, 1.1, 0.1, 0.0}, {1e-2, 1e9, 1.5, 0.5, 0.0}};
static const double entries[CASES] = {0.3, 1.0};

static void assert_close(double a, double b, double relative) {
  if (!(fabs(a - b) <= relative * fabs(b))) {
    fail_msg("%.17g is not %.17g to %g (off by %g)", a, b, relative, a / b - 1.0);
  }
}

// w exp(w) is computed with three roundings: 4e-16 of it, and as much again for w's own half unit
// in the last place, times 1 + w.
static void lambert_w0_solves_its_equation(void** state) {
  (void)state;
  for (double z = -0.3678; z < 0.0; z += 0.00071) {
    const double w = jw_lab_lambert_w0(z);
    assert_true(w >= -1.0);
    assert_close(w * exp(w), z, 1e-15);
  }
  for (double z = 1e-300; z < 1e300; z *= 7.7) {
    const double w = jw_lab_lambert_w0(z);
    assert_close(w * exp(w), z, 1e-15 * (1.0 + fabs(w)));
  }
  assert_true(isnan(jw_lab_lambert_w0(-0.5)));
  assert_close(jw_lab_lambert_w0(2.718281828459045), 1.0, 4e-16);
}

// Next to the branch point w = -1 + p - p^2/3 + ..., p = sqrt(2 (e z + 1)), whatever the iteration
// does.
static void lambert_w0_keeps_its_digits_at_the_branch_point(void** state) {
  (void)state;
  assert_close(jw_lab_lambert_w0(-0.36787944117144233), -1.0, 1e-7); // z itself is 1e-17 off -1/e
  for (double p = 1e-6; p < 1e-2; p *= 3.0) {
    const double z = -exp(-1.0) + exp(-1.0) * p * p / 2.0;
    const double series = -1.0 + p * (1.0 + p * (-1.0 / 3.0 + p * 11.0 / 72.0));
    // z is rounded to 6e-17, which moves p by e 6e-17/p; the series leaves out 0.08 p^4
    assert_true(fabs(jw_lab_lambert_w0(z) - series) < 3e-16 / p + 0.1 * p * p * p * p);
  }
}

static void log1p_minus_does_not_cancel(void** state) {
  (void)state;
  for (double z = 1e-12; z < 0.4; z *= 1.9) {
    for (int sign = -1; sign <= 1; sign += 2) {
      const long double exact = log1pl((long double)(sign * z)) - (long double)(sign * z);
      // The reference cancels too: 64 bits lose log2(1/z) of them
      assert_close(jw_lab_log1p_minus(sign * z), (double)exact, 1e-15 + 4e-19 / z);
    }
  }
}

static double power_integrand(void* user, double from_left, double from_right) {
  const double* const powers = (const double*)user;
  return pow(from_left, powers[0]) * pow(from_right, powers[1]);
}

// int x^(a-1) (1-x)^(b-1) is the Beta function.
static void singular_integrals_agree_with_the_beta_function(void** state) {
  (void)state;
  const double powers[][2] = {{-0.5, -0.5}, {-0.6, -0.2}, {-0.75, -0.75}, {0.0, 0.0}, {2.0, -0.3}};
  for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
    double both[2] = {powers[i][0], powers[i][1]}, error;
    const double a = both[0] + 1.0, b = both[1] + 1.0;
    const double beta = exp(lgamma(a) + lgamma(b) - lgamma(a + b));
    assert_close(jw_lab_integrate(power_integrand, both, 1.0, &error), beta, 1e-13);
    assert_true(error <= 1e-13 * beta);
  }
}

// Residual of (P6) in the form without cancellation; its slope w/(1 + w) turns an error of w of one
// part in 1e15 into w^2/(1+w) 1e-15, against the sum's own size w^2/2: a few parts in 1e15.
static void exit_velocity_solves_the_implicit_equation(void** state) {
  (void)state;
  for (double w = 1e-7; w < 4.0; w *= 1.3) {
    const JwLabImpact impact = {1.0, 1.0, 1.5, 1.0, 0.0};
    const double out = jw_lab_exit_velocity(&impact, w);
    assert_true(out < 0.0 && out > -1.0);
    // Beyond w = 1 the exit is near -1 and log(1 + out) feels its last digit times 1/(1 + out)
    const double allowed = 1e-14 + 4e-16 / (1.0 + out);
    assert_close(jw_lab_log1p_minus(out), jw_lab_log1p_minus(w), allowed);
  }
}

// W - (2/3) W^2 + O(W^3) for a small loss, -1/mu for a large one.
static void exit_velocity_has_its_two_limits(void** state) {
  (void)state;
  const JwLabImpact weak = {1.0, 1.0, 1.3, 1e-5, 0.0}, strong = {1.0, 1.0, 1.3, 40.0, 0.0};
  assert_close(-jw_lab_exit_velocity(&weak, 1.0), 1.0 - 2.0 / 3.0 * 1e-5, 1e-9);
  assert_close(jw_lab_exit_velocity(&strong, 1.0), -1.0 / 40.0, 1e-15);
}

// The expansion matches four orders of W; the fifth has a coefficient below 1.
static void expansion_agrees_to_its_order(void** state) {
  (void)state;
  for (double w = 1e-3; w < 0.1; w *= 2.0) {
    const JwLabImpact impact = {1.0, 1.0, 1.5, 1.0, 0.0};
    assert_close(jw_lab_exit_velocity_expanded(&impact, w), jw_lab_exit_velocity(&impact, w),
                 pow(w, 4.0) + 1e-13);
  }
}

// A fine RK4 run: its error is below 1e-7 (h^2.5 at the kinks of the force where contact begins and
// ends, 2e4 steps), the largest compression read from a parabola through three samples.
static void exact_results_agree_with_a_fine_integration(void** state) {
  (void)state;
  static JwLabState states[30000];
  for (size_t i = 0; i < CASES; ++i) {
    JwLabRunDef def = jw_lab_run_default();
    def.impact = cases[i];
    def.v_in = entries[i];
    def.method = JW_LAB_RK4;
    const double tau = jw_lab_contact_time(&cases[i], entries[i]);
    def.sample_rate = 20000.0 / tau;
    JwLabTrace trace = {states, 30000, 0};
    assert_true(jw_lab_run(&def, &trace));
    const JwLabState last = states[trace.count - 1];
    const double end = (double)(trace.count - 1) / def.sample_rate - last.x / last.v;
    assert_close(end, tau, 1e-7);
    assert_close(last.v, jw_lab_exit_velocity(&cases[i], entries[i]), 1e-7);
    double largest = 0.0;
    for (size_t n = 0; n < trace.count; ++n) {
      largest = fmax(largest, states[n].x);
      if (states[n].v > -0.9 * fabs(last.v) && states[n].v < 0.9 * entries[i]) {
        assert_close(states[n].x, jw_lab_compression(&cases[i], entries[i], states[n].v), 1e-6);
      }
    }
    // Between samples the summit is missed by a h^2/8: 1e-8 of it at 2e4 steps
    assert_close(largest, jw_lab_largest_compression(&cases[i], entries[i]), 1e-7);
  }
}

// tau(loss -> 0) must run into the closed form: the difference is of the order of W.
static void contact_time_runs_into_its_lossless_closed_form(void** state) {
  (void)state;
  for (double exponent = 1.0; exponent < 3.5; exponent += 0.5) {
    const JwLabImpact none = {0.02, 1e6, exponent, 0.0, 0.0},
                      tiny = {0.02, 1e6, exponent, 1e-6, 0.0};
    assert_close(jw_lab_contact_time(&tiny, 2.0), jw_lab_contact_time(&none, 2.0), 4e-6);
  }
  const JwLabImpact linear = {0.02, 1e6, 1.0, 0.0, 0.0}; // Half a period of a spring
  assert_close(jw_lab_contact_time(&linear, 2.0), 3.14159265358979323846 * sqrt(0.02 / 1e6), 1e-14);
}

static void contact_time_follows_the_power_law(void** state) {
  (void)state;
  for (size_t i = 0; i < CASES; ++i) {
    JwLabImpact other = cases[i];
    other.mass *= 3.0;
    other.stiffness /= 11.0;
    const double ratio =
        jw_lab_contact_time(&other, entries[i]) / jw_lab_contact_time(&cases[i], entries[i]);
    assert_close(ratio, pow(33.0, 1.0 / (cases[i].exponent + 1.0)), 1e-13);
  }
}

// Error of the trajectory at a fixed time in contact, against RK4 at 64 times the rate.
static double trajectory_error(JwLabMethod method, double steps) {
  JwLabRunDef def = jw_lab_run_default();
  def.impact = cases[1];
  def.v_in = entries[1];
  def.tolerance = 0.0;
  const double time = 0.6 * jw_lab_contact_time(&cases[1], entries[1]);
  double x[2];
  for (int fine = 0; fine < 2; ++fine) {
    const double count = fine ? 65536.0 : steps;
    def.method = fine ? JW_LAB_RK4 : method;
    def.sample_rate = count / time;
    JwLabState s = {0.0, def.v_in, 0.0};
    for (double n = 0.0; n < count; n += 1.0) {
      jw_lab_step(&def, &s);
    }
    x[fine] = s.x;
  }
  return fabs(x[0] - x[1]);
}

// AM1 and Heun are of second order.  Verlet takes the loss force at the velocity of half a step
// ago: first order.  RK4 meets x^al at x = 0, where it is not smooth, with al = 1.5: order al + 1.
// Between 512 and 1024 steps the next term of each has died out to a tenth of an order.
static void integrators_converge_with_their_orders(void** state) {
  (void)state;
  const double orders[JW_LAB_METHODS] = {2.0, 1.0, 2.0, 2.5};
  for (int method = 0; method < JW_LAB_METHODS; ++method) {
    const double coarse = trajectory_error((JwLabMethod)method, 512.0);
    const double fine = trajectory_error((JwLabMethod)method, 1024.0);
    const double order = log2(coarse / fine);
    if (fabs(order - orders[method]) > 0.1) {
      fail_msg("%s: order %g, not %g", jw_lab_method_name((JwLabMethod)method), order,
               orders[method]);
    }
  }
}

static void am1_converged_balances_its_force(void** state) {
  (void)state;
  JwLabRunDef def = jw_lab_run_default();
  def.impact = cases[1];
  def.v_in = 1.0;
  def.method = JW_LAB_AM1;
  for (def.tolerance = 1e-3; def.tolerance > 1e-14; def.tolerance /= 10.0) {
    JwLabState s = {0.0, 1.0, 0.0};
    int touching = 0;
    for (int n = 0; n < 6; ++n) {
      jw_lab_step(&def, &s);
      if (s.x > 0.0) {
        ++touching;
        assert_close(s.f, jw_lab_force(&def.impact, s.x, s.v), 1.1 * def.tolerance + 1e-13);
      }
    }
    assert_true(touching >= 4);
  }
}

static void corrections_bound_compression_and_set_the_exit(void** state) {
  (void)state;
  static JwLabState states[64];
  int clipped = 0;
  for (size_t i = 0; i < CASES; ++i) {
    const double largest = jw_lab_largest_compression(&cases[i], entries[i]);
    for (int method = 0; method < JW_LAB_METHODS; ++method) {
      JwLabRunDef def = jw_lab_run_default();
      def.impact = cases[i];
      def.v_in = entries[i];
      def.method = (JwLabMethod)method;
      def.corrected = true;
      JwLabTrace trace = {states, 64, 0};
      assert_true(jw_lab_run(&def, &trace));
      for (size_t n = 0; n < trace.count; ++n) {
        assert_true(states[n].x <= largest);
        clipped += states[n].x == largest;
      }
      assert_true(states[trace.count - 1].v
                  == jw_lab_exit_velocity_expanded(&cases[i], entries[i]));
    }
  }
  assert_true(clipped >= 2); // Verlet and Heun in case 1 do exceed it
}

// In free flight all four methods are exact.
static void a_bouncing_ball_keeps_its_flight_time(void** state) {
  (void)state;
  static JwLabState states[44100];
  JwLabRunDef def = jw_lab_run_default();
  def.impact = cases[0];
  def.impact.gravity = 9.81;
  def.v_in = 0.3;
  def.method = JW_LAB_RK4;
  def.corrected = true;
  jw_lab_bounce(&def, states, 44100);
  double v = 0.3, from = 0.0;
  int rebounds = 0;
  for (size_t n = 1; n < 44100 && rebounds < 5; ++n) {
    if (states[n - 1].x > 0.0 && states[n].x <= 0.0) {
      v = -states[n].v;
      from = (double)n;
    }
    if (from > 0.0 && states[n - 1].x <= 0.0 && states[n].x > 0.0) {
      // Up and down again takes 2 v/g; the start and the end are known to a sample each
      assert_true(fabs((double)n - from - 44100.0 * 2.0 * v / 9.81) < 2.0);
      ++rebounds;
    }
  }
  assert_int_equal(rebounds, 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lambert_w0_solves_its_equation),
      cmocka_unit_test(lambert_w0_keeps_its_digits_at_the_branch_point),
      cmocka_unit_test(log1p_minus_does_not_cancel),
      cmocka_unit_test(singular_integrals_agree_with_the_beta_function),
      cmocka_unit_test(exit_velocity_solves_the_implicit_equation),
      cmocka_unit_test(exit_velocity_has_its_two_limits),
      cmocka_unit_test(expansion_agrees_to_its_order),
      cmocka_unit_test(exact_results_agree_with_a_fine_integration),
      cmocka_unit_test(contact_time_runs_into_its_lossless_closed_form),
      cmocka_unit_test(contact_time_follows_the_power_law),
      cmocka_unit_test(integrators_converge_with_their_orders),
      cmocka_unit_test(am1_converged_balances_its_force),
      cmocka_unit_test(corrections_bound_compression_and_set_the_exit),
      cmocka_unit_test(a_bouncing_ball_keeps_its_flight_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
