// SPDX-License-Identifier: MIT
// The force that the rule `refined` asks for, against quadrature; the orbit it follows, against
// steps; what a connection with slack makes of a load on its other side.

#include "test.h"

#include "law/law.h"

#include <math.h>

// Integral of (1 - s) K [a + s (b - a)]^alpha over s: the midpoint rule.
static double quadrature(const JwLawParams* law, double a, double b) {
  const int steps = 20000;
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double s = (i + 0.5) / steps, x = a + s * (b - a);
    sum += x > 0.0 ? (1.0 - s) * law->stiffness * pow(x, law->exponent) / steps : 0.0;
  }
  return sum;
}

// A step that enters or leaves the contact uses both halves.  The midpoint rule errs by h^2/24
// times the second derivative, here below 100 K: 1e-8; the kink of alpha = 1 at first touch adds h
// K = 5e-5 h.
static void half_steps_integrate_the_force(void** state) {
  (void)state;
  static const double places[][3] = {
      {-0.3, 0.4, 0.9}, {0.5, 0.2, -0.2}, {-0.2, -0.1, 0.6}, {-0.1, 0.7, 0.7003}};
  for (double alpha = 1.0; alpha <= 3.0; alpha += 0.5) {
    JwLawParams law = {.kind = JW_KIND_COLLISION, .stiffness = 3.0, .exponent = alpha, .k = 1e-3};
    jw_law_derive(&law);
    JwPointState memory = {0};
    const JwStep step = {.law = &law, .scale = 1.0, .state = &memory};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
      const JwSeen seen = {.eta_prev = places[i][0], .eta = places[i][1], .q = 1.0};
      const double expected = quadrature(&law, places[i][1], places[i][2])
                              + quadrature(&law, places[i][1], places[i][0]);
      assert_true(expected > 0.0);
      assert_true(fabs(jw_fourth_order_force(&step, &seen, places[i][2]) - expected) < 1e-7);
    }
  }
}

// Inside, a half step is smooth: five points of Gauss are exact to rounding, with eta1 on either
// side of the place where the series takes over from the quotient, whose differences lose 1e-16/t^2
// = 1e-10 there.
static void half_steps_agree_where_series_and_quotient_meet(void** state) {
  (void)state;
  static const double node[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                 0.9061798459386640};
  static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                   0.4786286704993665, 0.2369268850561891};
  static const double steps[4] = {-1.001e-3, -0.999e-3, 0.999e-3, 1.001e-3};
  for (double alpha = 1.0; alpha <= 3.0; alpha += 0.5) {
    JwLawParams law = {.kind = JW_KIND_COLLISION, .stiffness = 3.0, .exponent = alpha, .k = 1e-3};
    jw_law_derive(&law);
    JwPointState memory = {0};
    const JwStep step = {.law = &law, .scale = 1.0, .state = &memory};
    const double now = 0.7;
    const JwSeen seen = {.eta_prev = -0.1, .eta = now, .q = 1.0};
    const double still = jw_fourth_order_force(&step, &seen, now),
                 half = 0.5 * law.stiffness * pow(now, alpha);
    for (int i = 0; i < 4; ++i) {
      double expected = 0.0;
      for (int j = 0; j < 5; ++j) {
        const double t = 0.5 * (1.0 + node[j]);
        expected +=
            0.5 * weight[j] * (1.0 - t) * law.stiffness * pow(now * (1.0 + t * steps[i]), alpha);
      }
      const double moved = jw_fourth_order_force(&step, &seen, now * (1.0 + steps[i]));
      assert_true(fabs((moved - still) - (expected - half)) < 1e-9 * half);
    }
  }
}

// The g asked for gives the force asked for: f = g psi + g^2 r/4 with r = r_free - q f (3.4).
// Cases where the energy would not do are refused.
static void the_g_for_a_force_gives_that_force(void** state) {
  (void)state;
  int given = 0;
  for (int i = 0; i < 1000; ++i) {
    const double psi = 0.1 + 0.01 * (i % 10), q = 0.5 + 0.1 * (i / 10 % 10),
                 free = -0.5 + 0.1 * (i / 100), force = 0.05 * (1 + i % 7);
    const JwSeen seen = {.r_free = free, .q = q, .psi = psi};
    const double g = jw_g_for_force(&seen, force), r = free - q * force;
    assert_true(isnan(g) == !(psi * psi + force * r > 0.0));
    given += !isnan(g);
    assert_true(isnan(g) || fabs(g * psi + 0.25 * g * g * r - force) < 1e-12);
  }
  assert_true(given > 200);
}

// psi + g r/2 = 0 with r = r_free - q g psi/2 (3.2), to the rounding of its three terms; a contact
// without a load that is not leaving is not released by any g.
static void the_g_of_release_leaves_no_load(void** state) {
  (void)state;
  for (int i = 0; i < 1000; ++i) {
    const double psi = pow(10.0, i % 10 - 8), q = pow(10.0, i / 10 % 10 - 9),
                 free = (i / 100 - 5) * pow(10.0, i % 7 - 6);
    const JwSeen seen = {.r_free = free, .q = q, .psi = psi},
                 empty = {.r_free = fmax(free, 0.0), .q = q}, held = {.r_free = free, .psi = psi};
    const double g = jw_g_release(&seen), bend = 0.25 * q * g * g * psi;
    assert_true(g > 0.0
                && fabs(psi + 0.5 * g * free - bend) < 8e-16 * (psi + 0.5 * g * fabs(free) + bend));
    assert_true(jw_g_release(&empty) == HUGE_VAL);
    assert_true(free < 0.0 ? fabs(psi + 0.5 * jw_g_release(&held) * free) < 4e-16 * psi
                           : jw_g_release(&held) == HUGE_VAL);
  }
}

// (phi(x1) - phi(x0))/(x1 - x0) and its slope in x1, in long double, on either side of where the
// middle serves: there the next terms of the series are (dx/x)^2 and, in the slope, dx/x, times at
// most 1: 1e-10 and 1e-5; the differences lose 2e-16/1e-5 of the gradient and as much over 1e-5
// once more, 2e-6, of the slope.
static void the_discrete_gradient_is_the_quotient_of_differences(void** state) {
  (void)state;
  static const double steps[8] = {-0.5, -1e-3, -1.1e-5, -0.9e-5, 0.9e-5, 1.1e-5, 1e-3, 0.5};
  for (double alpha = 1.0; alpha <= 3.0; alpha += 0.5) {
    JwLawParams law = {.kind = JW_KIND_COLLISION, .stiffness = 3.0, .exponent = alpha, .k = 1e-3};
    jw_law_derive(&law);
    JwPointState memory = {0};
    const JwStep step = {.law = &law, .scale = 1.0, .state = &memory};
    for (int i = 0; i < 8; ++i) {
      const double x0 = 0.7, x1 = x0 * (1.0 + steps[i]);
      const long double p = alpha + 1.0L, dx = (long double)x1 - x0;
      const long double gradient = 3.0L / p * (powl(x1, p) - powl(x0, p)) / dx,
                        slope = (3.0L * powl(x1, alpha) - gradient) / dx;
      double found;
      const double value = jw_discrete_gradient(&step, x0, x1, &found);
      assert_true(fabsl(value - gradient) < 1e-9L * gradient);
      assert_true(fabsl(found - slope) < 2e-5L * slope);
    }
  }
}

// ---------------------------------------------------------------- the exact bounce

// eta'' = -(p/2) Y^alpha from 0 at speed 1, by Runge-Kutta in steps of t/n.
static double bounce_by_steps(double alpha, double t, int n) {
  double y = 0.0, v = 1.0;
  const double h = t / n, scale = 0.5 * (alpha + 1.0);
  for (int i = 0; i < n; ++i) {
    const double a1 = -scale * pow(fmax(y, 0.0), alpha), v2 = v + 0.5 * h * a1;
    const double a2 = -scale * pow(fmax(y + 0.5 * h * v, 0.0), alpha), v3 = v + 0.5 * h * a2;
    const double a3 = -scale * pow(fmax(y + 0.5 * h * v2, 0.0), alpha), v4 = v + h * a3;
    const double a4 = -scale * pow(fmax(y + h * v3, 0.0), alpha);
    y += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return y;
}

// The table's own error, 1.6e-5, is that of the time; the speed is at most 1.  Half of the contact
// is sqrt(pi) Gamma(1 + 1/p)/Gamma(1/2 + 1/p); alpha = 1 is a half turn of a sine.
static void the_orbit_of_a_bounce_is_exact(void** state) {
  (void)state;
  static double table[JW_ORBIT + 4];
  const JwBounce bounce = {1.0, 1.0};
  for (double alpha = 1.0; alpha <= 8.0; alpha += 0.7) {
    const double p = alpha + 1.0,
                 half = sqrt(acos(-1.0)) * tgamma(1.0 + 1.0 / p) / tgamma(0.5 + 1.0 / p);
    table[JW_ORBIT + 1] = table[JW_ORBIT + 2] = table[JW_ORBIT + 3] =
        NAN; // Nothing is read beyond its end
    jw_orbit_fill(table, alpha);
    assert_true(fabs(table[0] - half) < 1e-9 && jw_orbit_time(table, 0.0) == 0.0
                && jw_orbit_time(table, 1.0) == table[0]);
    for (double t = 0.0; t <= 2.0 * half; t += 0.013) {
      const double y = jw_orbit_place(table, &bounce, t);
      assert_true(fabs(y - bounce_by_steps(alpha, t, 400)) < 1.6e-5);
      assert_true(alpha > 1.0 || fabs(y - sin(t)) < 1.6e-5);
      assert_true(t > half
                  || fabs(jw_orbit_time(table, y) - t) < 1e-9); // The same straight lines, back
    }
    const JwBounce fast = {3.0, 0.5};
    assert_true(fabs(jw_orbit_place(table, &fast, -0.2) + 0.6) < 1e-12);
    assert_true(fabs(jw_orbit_place(table, &fast, half / 3.0 + 0.2) + 0.6)
                < 1e-9); // Out at 2 half 0.5/3, as fast
  }
}

// Where the bounce is t after the touch, at speed 1 and with the deepest penetration `deep`.
static double bounce_at(double alpha, double deep, double half, double t) {
  const double scaled = t / deep;
  return scaled < 0.0          ? t
         : scaled > 2.0 * half ? deep * (2.0 * half - scaled)
                               : deep * bounce_by_steps(alpha, scaled, 400);
}

// A contact of two samples or three, from any place before, in or behind it: the step ends where
// the bounce is then. Time and place are read off the table, a miss of 1.6e-5 of the deepest
// penetration each at a speed of 1; the place counts twice, as where it is and where it goes.  In
// seconds and metres, too: speed, compliance and depth are scaled.
static void a_contact_too_short_to_resolve_follows_the_exact_bounce(void** state) {
  (void)state;
  for (double alpha = 1.0; alpha <= 3.0; alpha += 0.5) {
    const double p = alpha + 1.0,
                 half = sqrt(acos(-1.0)) * tgamma(1.0 + 1.0 / p) / tgamma(0.5 + 1.0 / p);
    for (int i = 0; i < 300; ++i) {
      const double deep = i % 2 ? 0.7 : 1.0, unit = i % 3 ? 1e-4 : 30.0, q = i % 5 ? 1e-6 : 20.0;
      JwLawParams law = {
          .kind = JW_KIND_COLLISION, .exponent = alpha, .k = 1e-3, .rule = JW_RULE_REFINED};
      law.stiffness = 0.5 * p * unit * unit / (q * pow(deep * unit, p));
      jw_law_derive(&law);
      jw_orbit_fill(law.orbit, alpha);
      const double t = -0.99 + (2.0 * half * deep + 0.98) * i / 300.0;
      const double past = unit * bounce_at(alpha, deep, half, t - 1.0),
                   now = unit * bounce_at(alpha, deep, half, t);
      const double v = now - past, next = unit * bounce_at(alpha, deep, half, t + 1.0);
      JwPointState memory = {
          .psi = now > 0.0 || past > 0.0 ? sqrt(fmax(unit * unit - v * v, 0.0) / q) : 0.0};
      JwStep step = {
          .law = &law, .scale = 1.0, .lumped = true, .alone = true, .state = &memory, .q = q};
      step.eta = now, step.eta_prev = past, step.r_free = 2.0 * v;
      const JwLawOps* const ops = jw_law_ops(JW_KIND_COLLISION);
      ops->choose(&step, 2.0 * v, q);
      step.r = (2.0 * v - q * step.c) / (1.0 + q * step.a);
      assert_true(ops->refine(&step));
      const double found = past + (2.0 * v - q * step.c) / (1.0 + q * step.a);
      assert_true(fabs(found - next) < 4.0 * 1.6e-5 * deep * unit);
    }
  }
}

// Where other contacts hold its place a force moves nothing, and nothing is to be had from a second
// solve.
static void a_contact_whose_place_is_held_is_not_refined(void** state) {
  (void)state;
  JwLawParams law = {.kind = JW_KIND_COLLISION,
                     .stiffness = 1e6,
                     .exponent = 1.5,
                     .k = 2e-5,
                     .rule = JW_RULE_REFINED};
  jw_law_derive(&law);
  for (int held = 0; held < 2; ++held) {
    JwPointState memory = {0};
    JwStep step = {.law = &law,
                   .scale = 1.0,
                   .state = &memory,
                   .eta_prev = 0.0,
                   .eta = 1e-4,
                   .r_free = 2e-4,
                   .q = 1e-8};
    const JwLawOps* const ops = jw_law_ops(JW_KIND_COLLISION);
    ops->choose(&step, 2e-4, held ? 0.0 : 1e-8);
    step.r = 2e-4;
    assert_true(ops->refine(&step) == !held);
  }
}

// ---------------------------------------------------------------- connections without slack

// The fourth-order force is for a connection that is resolved: at the present depth w^2 k^2 = q K
// alpha x^(alpha-1) at most a tenth, 20 samples a period, in any units.
static void a_connection_is_refined_from_twenty_samples_a_period_on(void** state) {
  (void)state;
  for (int i = 0; i < 60; ++i) {
    const double alpha = 1.0 + 0.5 * (i % 5), stiffness = pow(10.0, i % 12), x = i % 2 ? 1e-4 : 3.0;
    const double samples = i < 30 ? 19.0 : 21.0, w = 2.0 * acos(-1.0) / samples;
    const double q = w * w / (stiffness * alpha * pow(x, alpha - 1.0));
    JwLawParams law = {.kind = JW_KIND_CONNECTION,
                       .stiffness = stiffness,
                       .exponent = alpha,
                       .k = 1e-3,
                       .rule = JW_RULE_REFINED};
    jw_law_derive(&law);
    JwPointState memory = {.psi = sqrt(2.0 * stiffness / (alpha + 1.0) * pow(x, alpha + 1.0))};
    JwStep step = {.law = &law, .scale = 1.0, .state = &memory, .eta_prev = x, .eta = x, .q = q};
    const JwLawOps* const ops = jw_law_ops(JW_KIND_CONNECTION);
    ops->choose(&step, 0.0, q);
    step.r = -q * step.c / (1.0 + q * step.a);
    assert_true(ops->refine(&step) == (i >= 30));
  }
}

// ---------------------------------------------------------------- both sides of a slack

// Twice as far out as the slack, going on: pushed back as if nothing were left of a load on the
// other side, however much that was; its energy remains.
static void a_rest_of_load_on_one_side_of_the_slack_leaves_the_other_stiff(void** state) {
  (void)state;
  static const JwRule rules[3] = {JW_RULE_BOUNDED, JW_RULE_RELEASED, JW_RULE_REFINED};
  for (int i = 0; i < 12; ++i) {
    JwLawParams law = {.kind = JW_KIND_CONNECTION,
                       .stiffness = 1e6,
                       .exponent = 1.5,
                       .slack = 1e-3,
                       .k = 2e-5,
                       .rule = rules[i % 3]};
    jw_law_derive(&law);
    const double side = i % 2 ? -1.0 : 1.0, psi = i < 6 ? 1e-300 : 1e-3;
    JwPointState memory = {.psi = -side * psi}, empty = {0};
    JwStep left = {.law = &law,
                   .scale = 1.0,
                   .state = &memory,
                   .eta = side * 2e-3,
                   .eta_prev = side * 1.9e-3,
                   .q = 1e-8},
           none = left;
    none.state = &empty;
    const JwLawOps* const ops = jw_law_ops(JW_KIND_CONNECTION);
    assert_true(ops->active(&left) && ops->active(&none));
    ops->choose(&left, side * 2e-4, left.q);
    ops->choose(&none, side * 2e-4, none.q);
    assert_true(none.g > 0.0 && left.g == none.g);
    assert_true(memory.psi == side * psi);
  }
}

// The release of a load psi divides by q psi, 0 in doubles where both are small enough: a load that
// ends a step below JW_TINY, 1e-200 J, is none.  One above it stays, to the bit.
static void a_load_too_small_to_be_released_is_none(void** state) {
  (void)state;
  const JwStep step = {.g = 1.0, .r = -3.0 * JW_TINY};
  assert_true(jw_psi_next(&step, 2.0 * JW_TINY) == 0.0);
  assert_true(jw_psi_next(&step, 4.0 * JW_TINY) == 4.0 * JW_TINY - 1.5 * JW_TINY);
  JwLawParams law = {.kind = JW_KIND_COLLISION, .stiffness = 1e7, .exponent = 1.5, .k = 1e-5};
  jw_law_derive(&law);
  JwPointState memory = {.psi = 1.1 * JW_TINY};
  JwStep open = {.law = &law,
                 .scale = 1.0,
                 .q = 1e-9,
                 .eta_prev = -1e-3,
                 .eta = -1e-3,
                 .state = &memory,
                 .figures = &memory};
  const JwLawOps* const ops = jw_law_ops(JW_KIND_COLLISION);
  ops->choose(&open, 0.0, open.q); // Nothing moves: the largest g that releases
  assert_true(isfinite(open.a) && isfinite(open.c));
}

// The published release divides by the motion: where next to nothing moves g, and its square, stay
// finite, and the contact holds still.
static void a_published_release_of_what_hardly_moves_is_finite(void** state) {
  (void)state;
  for (double r_free = 1e-8; r_free > 1e-300; r_free *= 1e-4) {
    const JwSeen seen = {.eta_prev = -1e-3, .eta = -1e-3, .r_free = r_free, .q = 1e-6, .psi = 0.01};
    const JwStep step = {.scale = 1.0};
    const double g = jw_g_released(&step, &seen), a = 0.25 * g * g;
    assert_true(g < 0.0 && isfinite(a) && a * seen.q < 2.6e15);
    assert_true(fabs(g * r_free + 2.0 * seen.psi) < 1e-15 || a * seen.q > 2.4e15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_steps_integrate_the_force),
      cmocka_unit_test(half_steps_agree_where_series_and_quotient_meet),
      cmocka_unit_test(the_g_for_a_force_gives_that_force),
      cmocka_unit_test(the_g_of_release_leaves_no_load),
      cmocka_unit_test(the_discrete_gradient_is_the_quotient_of_differences),
      cmocka_unit_test(the_orbit_of_a_bounce_is_exact),
      cmocka_unit_test(a_contact_too_short_to_resolve_follows_the_exact_bounce),
      cmocka_unit_test(a_contact_whose_place_is_held_is_not_refined),
      cmocka_unit_test(a_connection_is_refined_from_twenty_samples_a_period_on),
      cmocka_unit_test(a_rest_of_load_on_one_side_of_the_slack_leaves_the_other_stiff),
      cmocka_unit_test(a_load_too_small_to_be_released_is_none),
      cmocka_unit_test(a_published_release_of_what_hardly_moves_is_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
