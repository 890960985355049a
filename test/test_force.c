// The force that the rule `refined` asks for, against quadrature; the orbit it follows, against steps; what a
// connection with slack makes of a load on its other side.

#include "test.h"

#include "law/law.h"

#include <math.h>

// Integral of (1 - s) K [a + s (b - a)]^alpha over s: the midpoint rule.
static double quadrature(const JwLawParams* law, double a, double b)
{
  const int steps = 20000;
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double s = (i + 0.5) / steps, x = a + s * (b - a);
    sum += x > 0.0 ? (1.0 - s) * law->stiffness * pow(x, law->exponent) / steps : 0.0;
  }
  return sum;
}

// A step that enters or leaves the contact uses both halves.  The midpoint rule errs by h^2/24 times the
// second derivative, here below 100 K: 1e-8; the kink of alpha = 1 at first touch adds h K = 5e-5 h.
static void half_steps_integrate_the_force(void** state)
{
  (void)state;
  static const double places[][3] = {{-0.3, 0.4, 0.9}, {0.5, 0.2, -0.2}, {-0.2, -0.1, 0.6}, {-0.1, 0.7, 0.7003}};
  for (double alpha = 1.0; alpha <= 3.0; alpha += 0.5) {
    JwLawParams law = {.kind = JW_KIND_COLLISION, .stiffness = 3.0, .exponent = alpha, .k = 1e-3};
    jw_law_derive(&law);
    JwPointState memory = {0};
    const JwStep step = {.law = &law, .scale = 1.0, .state = &memory};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
      const JwSeen seen = {.eta_prev = places[i][0], .eta = places[i][1], .q = 1.0};
      const double expected = quadrature(&law, places[i][1], places[i][2]) + quadrature(&law, places[i][1], places[i][0]);
      assert_true(expected > 0.0);
      assert_true(fabs(jw_fourth_order_force(&step, &seen, places[i][2]) - expected) < 1e-7);
    }
  }
}

// ---------------------------------------------------------------- the exact bounce

// eta'' = -(p/2) Y^alpha from 0 at speed 1, by Runge-Kutta in steps of t/n.
static double bounce_by_steps(double alpha, double t, int n)
{
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

// The table's own error, 1.6e-5, is that of the time; the speed is at most 1.  Half of the contact is
// sqrt(pi) Gamma(1 + 1/p)/Gamma(1/2 + 1/p); alpha = 1 is a half turn of a sine.
static void the_orbit_of_a_bounce_is_exact(void** state)
{
  (void)state;
  static double table[JW_ORBIT + 1];
  const JwBounce bounce = {1.0, 1.0};
  for (double alpha = 1.0; alpha <= 8.0; alpha += 0.7) {
    const double p = alpha + 1.0, half = sqrt(acos(-1.0)) * tgamma(1.0 + 1.0 / p) / tgamma(0.5 + 1.0 / p);
    jw_orbit_fill(table, alpha);
    assert_true(fabs(table[0] - half) < 1e-9);
    for (double t = 0.0; t <= 2.0 * half; t += 0.013) {
      const double y = jw_orbit_place(table, &bounce, t);
      assert_true(fabs(y - bounce_by_steps(alpha, t, 400)) < 1.6e-5);
      assert_true(alpha > 1.0 || fabs(y - sin(t)) < 1.6e-5);
      assert_true(t > half || fabs(jw_orbit_time(table, y) - t) < 1e-9); // The same straight lines, back
    }
    const JwBounce fast = {3.0, 0.5};
    assert_true(fabs(jw_orbit_place(table, &fast, -0.2) + 0.6) < 1e-12);
    assert_true(fabs(jw_orbit_place(table, &fast, half / 3.0 + 0.2) + 0.6) < 1e-9); // Out at 2 half 0.5/3, as fast
  }
}

// ---------------------------------------------------------------- both sides of a slack

// Twice as far out as the slack, going on: pushed back as if nothing were left of a load on the other side, however
// much that was; its energy remains.
static void a_rest_of_load_on_one_side_of_the_slack_leaves_the_other_stiff(void** state)
{
  (void)state;
  static const JwRule rules[3] = {JW_RULE_BOUNDED, JW_RULE_RELEASED, JW_RULE_REFINED};
  for (int i = 0; i < 12; ++i) {
    JwLawParams law = {.kind = JW_KIND_CONNECTION, .stiffness = 1e6, .exponent = 1.5, .slack = 1e-3, .k = 2e-5, .rule = rules[i % 3]};
    jw_law_derive(&law);
    const double side = i % 2 ? -1.0 : 1.0, psi = i < 6 ? 1e-300 : 1e-3;
    JwPointState memory = {.psi = -side * psi}, empty = {0};
    JwStep left = {.law = &law, .scale = 1.0, .state = &memory, .eta = side * 2e-3, .eta_prev = side * 1.9e-3, .q = 1e-8}, none = left;
    none.state = &empty;
    const JwLawOps* const ops = jw_law_ops(JW_KIND_CONNECTION);
    assert_true(ops->active(&left) && ops->active(&none));
    ops->choose(&left, side * 2e-4, left.q);
    ops->choose(&none, side * 2e-4, none.q);
    assert_true(none.g > 0.0 && left.g == none.g);
    assert_true(memory.psi == side * psi);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(half_steps_integrate_the_force),
    cmocka_unit_test(the_orbit_of_a_bounce_is_exact),
    cmocka_unit_test(a_rest_of_load_on_one_side_of_the_slack_leaves_the_other_stiff),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
