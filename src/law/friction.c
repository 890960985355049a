// SPDX-License-Identifier: MIT
// Dry friction: f = mu N c(v) v, c(v) = 1/sqrt(v^2 + v0^2), v = dt. eta.
//
//   symbol  meaning                                                     unit
//   mu      coefficient of friction                                     1
//   N       what presses: a force, and the push of another contact      N
//   v0      creep: the speed far below which it sticks                  m/s
//
//   a = mu N c/2k,   c = 0                                              (2.10)
//
// with N as last known and c(v) taken before the solve.  c >= 0, so any estimate of v is passive.
// With what the other contacts of the island do in place, its own velocity obeys
//
//   v + Z mu N c(v) v = t,   Z = q/2k,  t = r*/2k                       (2.10b)
//
// whose left side rises for all v: one solution.  For t > 0 it is concave, so Newton's method from
// v
// = 0 comes to the solution from below and never passes it; MOST_STEPS are enough for any t within
// the range of doubles to settle c(v) to CLOSE, and where they are not the bow is still passive.
//
// Lost in a step: f r/2.  Tested by test_friction.c.

#include "law/law.h"

#include <math.h>

#define MOST_STEPS 12
#define CLOSE 1e-9 // Of the velocity

static double pressing(const JwStep* step) {
  const double other = step->pressed_by ? fmax(step->pressed_by->force, 0.0) : 0.0;
  return step->law->force + other;
}

static JW_REALTIME bool active(const JwStep* step) {
  return step->law->coefficient * pressing(step) > 0.0;
}

// c(v) with v of (2.10b), given s = Z mu N and t >= 0.
static double slide(double s, double t, double creep) {
  double v = 0.0, c = 1.0 / creep;
  for (int i = 0; i < MOST_STEPS; ++i) {
    const double share = creep * c, slope = 1.0 + s * c * (share * share),
                 step = (t - v - s * c * v) / slope;
    v += step;
    c = 1.0 / sqrt(v * v + creep * creep);
    if (step <= CLOSE * v) {
      break;
    }
  }
  return c;
}

// It holds nothing: all of a is loss.
static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  const JwLawParams* const law = step->law;
  const double most = law->coefficient * pressing(step),
               c = slide(q * law->per_step * most, fabs(r_free) * law->per_step, law->creep);
  step->a = step->rate = most * c * law->per_step;
  step->c = 0.0;
}

// The half step before the start takes the loss of a whole one at the speed that there is.
static JW_REALTIME void begin(JwStep* step) {
  choose(step, 2.0 * step->r_free, step->q);
  step->a = 0.0;
}

static JW_REALTIME void finish(JwStep* step) {
  (void)step;
}

static JW_REALTIME double lost(const JwStep* step) {
  return 0.5 * step->rate * step->r * step->r;
}

static JW_REALTIME double* control(JwLawParams* law, JwControl control) {
  return control == JW_CONTROL_FORCE ? &law->force : NULL;
}

const JwLawOps jw_friction_ops = {
    .kind = JW_KIND_FRICTION,
    .sides = 2,
    .begin = begin,
    .active = active,
    .choose = choose,
    .refine = jw_never,
    .finish = finish,
    .stored = jw_no_energy,
    .lost = lost,
    .supplied = jw_supplied_by_shift,
    .control = control,
};
