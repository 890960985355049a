// SPDX-License-Identifier: MIT
// The iterative reference: Newton on the same island.  Never on the audio path.
//
// Solve F(r) = r - r* + B f(r) = 0, with f(r) each law's force as a function of its own r.
//
// One point: a safeguarded Newton, with a bracket and bisection where Newton leaves it.  Where f
// rises with r the root is unique; for the bow, whose f falls while it slips, the root nearest to
// the last velocity is taken.  Several points: a few sweeps of that, each with the others' forces
// held (block coordinate descent on a convex function, which converges from anywhere but may
// crawl), then Newton on all of them at once: f is replaced by its tangent, an affine law, and the
// island solved as for any other.
//
// It shares the elimination with island.c, and no law's formula.  Tested by test_collision.c and
// test_systems.c.

#include "step/step.h"

#include <math.h>

#define MOST_STEPS 200
#define MOST_STRIDES 2000

// Laws that do not iterate keep the affine form that they chose.
static double law_force(const JwPoint* point, double r, double* slope) {
  const JwStep* const step = &point->step;
  if (step->law->iterates) {
    return point->ops->force(step, r, slope);
  }
  *slope = step->a;
  return step->a * r + step->c;
}

// A bow's force falls with r while it slips, so that there may be three solutions.  The string
// stays on the branch it is on for as long as there is one: the first solution on the way from the
// last velocity. Walk there in steps well below the width of the friction curve, or below the
// velocity where that is larger: far out the curve is flat, and a string at 1 km/s is there in a
// few hundred steps.  Returns the end of the step in which it lies, whose start becomes r.
static double walk(JwPoint* point, double target, double q) {
  JwStep* const step = &point->step;
  double slope;
  const bool above = step->r + q * law_force(point, step->r, &slope) > target;
  const double width = 1.0 / sqrt(2.0 * step->law->sharpness), twice_k = 2.0 * step->law->k;
  for (int i = 0; i < MOST_STRIDES; ++i) {
    const double stride = 0.05 * twice_k * fmax(width, fabs(step->r / twice_k - step->law->speed));
    const double next = step->r + (above ? -stride : stride);
    if ((next + q * law_force(point, next, &slope) > target) != above) {
      return next;
    }
    step->r = next;
  }
  return above ? -HUGE_VAL : HUGE_VAL;
}

// Solve r + q f(r) = target for one point, from its present r.
static void solve_point(JwPoint* point, double target, double q) {
  JwStep* const step = &point->step;
  double low = -HUGE_VAL, high = HUGE_VAL;
  if (point->ops->branches && step->law->iterates) {
    const double end = walk(point, target, q);
    low = fmin(end, step->r);
    high = fmax(end, step->r);
  }
  double slope, r = step->r;
  double f = law_force(point, r, &slope);
  const double tiny = 1e-16 * (fabs(target) + fabs(step->eta_prev));
  double before = HUGE_VAL;
  for (int i = 0; i < MOST_STEPS; ++i) {
    const double miss = r + q * f - target;
    if (miss > 0.0) {
      high = r;
    } else {
      low = r;
    }
    // Where f falls with r (a bow that slips) Newton may go in circles inside the bracket: halve it
    // whenever the last step did not halve the miss.
    const bool slow = fabs(miss) > 0.5 * before;
    const double newton = r - miss / (1.0 + q * slope);
    before = fabs(miss);
    double next = newton;
    if (slow || !(next > low && next < high)) {
      const double wide = 2.0 * fabs(r - target) + tiny;
      next = high < HUGE_VAL ? high - wide : low + wide;
      next = low > -HUGE_VAL && high < HUGE_VAL ? 0.5 * (low + high) : next;
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

static void start_point(JwPoint* point, double r_free, double q) {
  JwStep* const step = &point->step;
  point->ops->choose(step, r_free, q);
  step->f = 0.0;
  step->r = point->ops->branches ? 2.0 * step->law->k * (step->state->velocity + step->law->speed)
                                 : r_free;
}

JW_REALTIME void jw_point_iterate(JwPoint* point) {
  start_point(point, point->step.r_free, point->step.q);
  solve_point(point, point->step.r_free, point->step.q);
}

// One sweep; returns the largest change of a force, relative to the largest force.
static double sweep(const JwSolve* solve, uint32_t n) {
  double change = 0.0, largest = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    const double* const row = solve->matrix + (size_t)i * n;
    JwStep* const step = &solve->points[i]->step;
    double target = solve->free[i];
    for (uint32_t j = 0; j < n; ++j) {
      target -= j == i ? 0.0 : row[j] * solve->points[j]->step.f;
    }
    const double before = step->f;
    solve_point(solve->points[i], target, row[i]);
    change = fmax(change, fabs(step->f - before));
    largest = fmax(largest, fabs(step->f));
  }
  return largest > 0.0 ? change / largest : 0.0;
}

// Replace every law by its tangent at its present r; a law that is affine already stays.
static void take_tangents(const JwSolve* solve, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &solve->points[i]->step;
    if (step->law->iterates) {
      double slope;
      const double f = law_force(solve->points[i], step->r, &slope);
      step->a = fmax(slope, 0.0);
      step->c = f - step->a * step->r;
    }
  }
}

// How far the forces of the affine laws are from the true ones, relative to the largest.
static double tangent_error(const JwSolve* solve, uint32_t n) {
  double error = 0.0, largest = 0.0, slope;
  for (uint32_t i = 0; i < n; ++i) {
    const JwStep* const step = &solve->points[i]->step;
    error = fmax(error, fabs(step->f - law_force(solve->points[i], step->r, &slope)));
    largest = fmax(largest, fabs(step->f));
  }
  return largest > 0.0 ? error / largest : 0.0;
}

JW_REALTIME void jw_island_iterate(JwComponent* component, const JwIsland* island, uint32_t n) {
  const JwSolve* const solve = &component->solve;
  for (uint32_t i = 0; i < n; ++i) {
    start_point(solve->points[i], solve->free[i], solve->matrix[(size_t)i * n + i]);
  }
  for (int i = 0; i < JW_SWEEPS; ++i) {
    if (sweep(solve, n) <= 1e-15) {
      return;
    }
  }
  for (int i = 0; i < JW_MOST_TANGENTS; ++i) {
    take_tangents(solve, n);
    jw_island_gather(component, island, n);
    jw_island_eliminate(component, n, n);
    if (tangent_error(solve, n) <= 1e-14) {
      return;
    }
  }
}
