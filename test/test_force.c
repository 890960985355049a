// The force that the rule `refined` asks for, against quadrature.

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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(half_steps_integrate_the_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
