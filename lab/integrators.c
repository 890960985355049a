// SPDX-License-Identifier: MIT
// Four integrators of the impact, and runs with them.
//
// The published numbers (Table 1 of the paper) come out to every digit under four conventions, of
// which the paper tells the first only by its formulas and the others not at all:
//
//   1. Verlet and Heun evaluate the force once a step, at the predicted velocity, and start the
//      next step from that value.  (Evaluating it anew at the corrected velocity would be more
//      accurate, and is not what was published.)
//   2. A run ends at the first sample with x <= 0; its velocity is the exit velocity.
//   3. Errors are taken against the expanded exit velocity (P7, P8).
//   4. AM1's iteration starts from the force at the explicit prediction x + h v, and ends when the
//      force is wrong by less than 1e-5 of itself (anything from 5e-6 to 2e-4 gives these digits).
//      Iterated to the end, one of the 24 numbers changes its last digit: 2.604 for 2.603.
//
// AM1 is the trapezoidal rule.  With f+ unknown, x+ and v+ are affine in it,
//
//   v+ = v + h g - h (f + f+)/(2 m),   x+ = x + h v + h^2 g/2 - h^2 (f + f+)/(4 m)            (4)
//
// and f+ = f(x+, v+) is solved by Newton's iteration on f+, kept inside of a bracket: between 0,
// where the right side is not below the left, and the value for which x+ = 0.  Both sides are
// monotone there, so the solution is unique.
//
// Proof by test: test_papetti2009.c (the table), test_lab.c (orders, energy).

#include "lab.h"

#include <math.h>

const char* jw_lab_method_name(JwLabMethod method) {
  static const char* const names[JW_LAB_METHODS] = {"AM1", "Verlet", "Heun", "RK4"};
  return method < JW_LAB_METHODS ? names[method] : "unknown method";
}

JwLabRunDef jw_lab_run_default(void) {
  return (JwLabRunDef){.sample_rate = 44100.0, .tolerance = 1e-5};
}

// x+ and v+ of (4) for a given sum of forces.
static JwLabState trapezoid(const JwLabImpact* impact, double h, const JwLabState* s,
                            double f_next) {
  const double a = impact->gravity - 0.5 * (s->f + f_next) / impact->mass;
  return (JwLabState){s->x + h * s->v + 0.5 * h * h * a, s->v + h * a, f_next};
}

// f+ - f(x+, v+) and its derivative by f+.
static double am1_residual(const JwLabImpact* impact, double h, JwLabState next, double* slope) {
  *slope = 1.0;
  if (next.x <= 0.0) {
    return next.f;
  }
  const double elastic = impact->stiffness * pow(next.x, impact->exponent);
  const double by_x = impact->exponent * elastic / next.x * (1.0 + impact->loss * next.v);
  *slope += 0.25 * h * h / impact->mass * by_x + 0.5 * h / impact->mass * impact->loss * elastic;
  return next.f - elastic * (1.0 + impact->loss * next.v);
}

static void step_am1(const JwLabRunDef* def, double h, JwLabState* s) {
  const JwLabImpact* const impact = &def->impact;
  double low = 0.0; // Residual <= 0
  double high =
      4.0 * impact->mass / (h * h) * trapezoid(impact, h, s, 0.0).x; // x+ = 0: residual >= 0
  if (high <= 0.0) { // Out of contact even without a force
    *s = trapezoid(impact, h, s, 0.0);
    return;
  }
  double f = fmin(fmax(jw_lab_force(impact, s->x + h * s->v, s->v), low), high);
  for (int i = 0; i < 200; ++i) {
    double slope;
    const double residual = am1_residual(impact, h, trapezoid(impact, h, s, f), &slope);
    if (fabs(residual) <= def->tolerance * f) {
      break;
    }
    low = residual < 0.0 ? f : low;
    high = residual > 0.0 ? f : high;
    double next = f - residual / slope;
    next = next >= low && next <= high ? next : 0.5 * (low + high);
    if (next == f) {
      break;
    }
    f = next;
  }
  *s = trapezoid(impact, h, s, f);
}

static double acceleration(const JwLabImpact* impact, double x, double v) {
  return impact->gravity - jw_lab_force(impact, x, v) / impact->mass;
}

static void step_verlet(const JwLabRunDef* def, double h, JwLabState* s) {
  const JwLabImpact* const impact = &def->impact;
  const double a = impact->gravity - s->f / impact->mass;
  const double v_half = s->v + 0.5 * h * a;
  s->x += h * s->v + 0.5 * h * h * a;
  s->f = jw_lab_force(impact, s->x, v_half);
  s->v = v_half + 0.5 * h * (impact->gravity - s->f / impact->mass);
}

static void step_heun(const JwLabRunDef* def, double h, JwLabState* s) {
  const JwLabImpact* const impact = &def->impact;
  const double a = impact->gravity - s->f / impact->mass;
  const double v_predicted = s->v + h * a;
  s->x += 0.5 * h * (s->v + v_predicted);
  s->f = jw_lab_force(impact, s->x, v_predicted);
  s->v += 0.5 * h * (a + impact->gravity - s->f / impact->mass);
}

static void step_rk4(const JwLabRunDef* def, double h, JwLabState* s) {
  const JwLabImpact* const impact = &def->impact;
  const double l1 = h * s->v, k1 = h * acceleration(impact, s->x, s->v);
  const double l2 = h * (s->v + 0.5 * k1),
               k2 = h * acceleration(impact, s->x + 0.5 * l1, s->v + 0.5 * k1);
  const double l3 = h * (s->v + 0.5 * k2),
               k3 = h * acceleration(impact, s->x + 0.5 * l2, s->v + 0.5 * k2);
  const double l4 = h * (s->v + k3), k4 = h * acceleration(impact, s->x + l3, s->v + k3);
  s->x += (l1 + 2.0 * l2 + 2.0 * l3 + l4) / 6.0;
  s->v += (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
  s->f = jw_lab_force(impact, s->x, s->v);
}

void jw_lab_step(const JwLabRunDef* def, JwLabState* state) {
  static void (*const steps[JW_LAB_METHODS])(const JwLabRunDef*, double,
                                             JwLabState*) = {[JW_LAB_AM1] = step_am1,
                                                             [JW_LAB_VERLET] = step_verlet,
                                                             [JW_LAB_HEUN] = step_heun,
                                                             [JW_LAB_RK4] = step_rk4};
  steps[def->method](def, 1.0 / def->sample_rate, state);
}

// The corrections of section 4.2, made after each step: compression no larger than the largest,
// exit velocity the expanded one.
static void correct(const JwLabImpact* impact, double v_in, JwLabState* s) {
  const double largest = jw_lab_largest_compression(impact, v_in);
  if (s->x > largest) {
    s->x = largest;
    s->f = jw_lab_force(impact, s->x, s->v);
  }
  if (s->x <= 0.0) {
    s->v = jw_lab_exit_velocity_expanded(impact, v_in);
    s->f = 0.0;
  }
}

bool jw_lab_run(const JwLabRunDef* def, JwLabTrace* trace) {
  JwLabState s = {0.0, def->v_in, 0.0};
  for (trace->count = 0; trace->count < trace->capacity;) {
    trace->states[trace->count++] = s;
    if (trace->count > 1 && s.x <= 0.0) {
      return true;
    }
    jw_lab_step(def, &s);
    if (def->corrected) {
      correct(&def->impact, def->v_in, &s);
    }
  }
  return false;
}

void jw_lab_bounce(const JwLabRunDef* def, JwLabState* states, size_t count) {
  JwLabState s = {0.0, def->v_in, 0.0};
  double v_in = def->v_in;
  for (size_t i = 0; i < count; ++i) {
    states[i] = s;
    const JwLabState before = s;
    jw_lab_step(def, &s);
    if (before.x <= 0.0
        && s.x > 0.0) { // It arrives: the velocity it has at the wall, by its energy
      v_in = sqrt(fmax(before.v * before.v - 2.0 * def->impact.gravity * before.x, 0.0));
    }
    if (def->corrected && (s.x > 0.0 || before.x > 0.0)) {
      correct(&def->impact, v_in, &s);
    }
  }
}
