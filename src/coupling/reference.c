// The iterative reference: Newton on the same island.  Never on the audio path.
//
// Solve F(r) = r - r* + B f(r) = 0, with f(r) each law's force as a function of its own r.  One point
// after the other is solved for its own r with the others' forces held (a safeguarded Newton, bracketed
// where f rises with r), and the sweep is repeated until no force changes.  For rising f this is block
// coordinate descent on a convex function, so it converges from anywhere; one point needs one sweep.
//
// It shares no formula with island.c beyond B.  Tested by test_collision.c against the closed forms.

#include "world.h"

#include <math.h>

#define MOST_STEPS 200
#define MOST_SWEEPS 10000

// Laws that do not iterate keep the affine form that they chose.
static double law_force(const JwPoint* point, double r, double* slope)
{
  const JwStep* const step = &point->step;
  if (jw_law_iterates(step->law)) {
    return point->ops->force(step, r, slope);
  }
  *slope = step->a;
  return step->a * r + step->c;
}

// Solve r + q f(r) = target for one point.
static void solve_point(JwPoint* point, double target, double q)
{
  JwStep* const step = &point->step;
  double slope, r = step->r;
  double f = law_force(point, r, &slope);
  double low = -HUGE_VAL, high = HUGE_VAL;
  const double tiny = 1e-16 * (fabs(target) + fabs(step->eta_prev));
  for (int i = 0; i < MOST_STEPS; ++i) {
    const double miss = r + q * f - target;
    if (miss > 0.0) {
      high = r;
    } else {
      low = r;
    }
    const double newton = r - miss / (1.0 + q * slope);
    double next = newton;
    if (!(next > low && next < high)) {
      const double wide = 2.0 * fabs(r - target) + tiny;
      next = low > -HUGE_VAL && high < HUGE_VAL ? 0.5 * (low + high) : high < HUGE_VAL ? high - wide : low + wide;
    }
    const bool still = fabs(next - r) <= 2e-16 * fabs(r) + 1e-3 * tiny || next == r;
    r = next;
    f = law_force(point, r, &slope);
    if (still) {
      break;
    }
  }
  step->r = r;
  step->f = f;
}

static double bow_start(const JwStep* step) { return 2.0 * step->law->k * (step->state->velocity + step->law->speed); }

void jw_island_iterate(JwComponent* component, JwPoint** points, uint32_t n)
{
  const double* const matrix = component->matrix;
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &points[i]->step;
    points[i]->ops->choose(step, component->free[i], matrix[(size_t)i * n + i]);
    step->r = points[i]->ops->kind == JW_KIND_BOW ? bow_start(step) : component->free[i];
    step->f = 0.0;
  }
  for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
    double change = 0.0, largest = 0.0;
    for (uint32_t i = 0; i < n; ++i) {
      double target = component->free[i];
      for (uint32_t j = 0; j < n; ++j) {
        target -= j == i ? 0.0 : matrix[(size_t)i * n + j] * points[j]->step.f;
      }
      const double before = points[i]->step.f;
      solve_point(points[i], target, matrix[(size_t)i * n + i]);
      change = fmax(change, fabs(points[i]->step.f - before));
      largest = fmax(largest, fabs(points[i]->step.f));
    }
    if (n == 1 || change <= 1e-15 * largest) {
      break;
    }
  }
}
