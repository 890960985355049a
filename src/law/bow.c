// A bow: friction f = FN phi(v), phi(v) = c(v) v, c(v) = sqrt(2A) exp(-A v^2 + 1/2), v = dt. eta - vB.
//
//   a = FN c/2k,   c = -FN c vB                                                       (2.3)
//
// with c(v) taken before the solve.  c >= 0, so any estimate of v gives a passive bow; the estimate
// decides the pitch.  `passive` takes the last velocity and plays flat, by 12 to 28 cents for a violin at
// 44.1 kHz: the string lets go a sample or two late.  `one-step` is the published
// f = FN (phi(v) + phi'(v) (v+ - v)/2), here for comparison: phi' < 0 while slipping, and it loses
// stability.
//
// `refined`, the default, solves once with the last velocity.  With the other contacts' forces as they
// came out, its own velocity obeys
//
//   v + Z FN phi(v) = t,   Z = q/2k,  t = v1 + Z f1                                   (2.3b)
//
// whose left side rises, falls once Z FN is large, and rises again: up to three solutions, of which the
// string takes the one on the branch it is on, sticking or slipping, for as long as there is one (this
// hysteresis is what flattens a note under a heavy bow).  For t > 0 the left side is concave below
// v = sqrt(3/2A) and convex above, so Newton's method from the left (sticking) or from v = t (slipping)
// goes straight to the branch's solution and never past it, and a slope that is not positive says that
// the branch has ended.  A fixed number of steps, then the second solve with that c.  Measured against the
// iterated bow: 1.6 cents at most over the playable range (plain c(v1) instead: 29).
//
// Lost in a step: k f v; supplied by the bow: -k f vB.  Tested by test_bow.c.

#include "law/law.h"

#include "numeric/power.h"

#define NEWTON_STEPS 4

static double friction(const JwLawParams* law, double v)
{
  return law->bow_scale * jw_exp(-law->sharpness * v * v);
}

// Always, so that the velocity is known when the bow comes down.
static bool active(const JwStep* step)
{
  (void)step;
  return true;
}

static void set_friction(JwStep* step, double c)
{
  const JwLawParams* const law = step->law;
  step->a = law->force * c / (2.0 * law->k);
  step->c = -law->force * c * law->speed;
}

static void choose(JwStep* step, double r_free, double q)
{
  (void)r_free;
  (void)q;
  const JwLawParams* const law = step->law;
  const double v = step->state->velocity;
  const double c = friction(law, v);
  if (law->method == JW_BOW_ONE_STEP) {
    const double slope = c * (1.0 - 2.0 * law->sharpness * v * v);
    step->a = law->force * slope / (4.0 * law->k);
    step->c = law->force * (c * v - 0.5 * slope * (v + law->speed));
  } else {
    set_friction(step, c);
  }
}

static double velocity(const JwStep* step) { return step->r / (2.0 * step->law->k) - step->law->speed; }

// A few Newton steps on (2.3b) from w; false where the slope is not positive: the branch has ended.
static bool follow(const JwLawParams* law, double z, double t, double* w)
{
  for (int i = 0; i < NEWTON_STEPS; ++i) {
    const double c = z * friction(law, *w);
    const double slope = 1.0 + c * (1.0 - 2.0 * law->sharpness * *w * *w);
    if (!(slope > 0.0)) {
      return false;
    }
    *w -= (*w + c * *w - t) / slope;
  }
  return true;
}

// The velocity w >= 0 that (2.3b) gives for t >= 0, on the branch of w_prev if it is still there; z = Z FN.
static double next_velocity(const JwLawParams* law, double z, double t, double w_prev)
{
  const bool sticks = w_prev < law->bow_turn;
  // A start left of the solution; 0 always is.
  const bool left = sticks && w_prev > 0.0 && w_prev + z * friction(law, w_prev) * w_prev < t;
  double stick = left ? w_prev : 0.0, slip = t;
  if (sticks) {
    return follow(law, z, t, &stick) || !follow(law, z, t, &slip) ? stick : slip;
  }
  return follow(law, z, t, &slip) || !follow(law, z, t, &stick) ? slip : stick;
}

static bool refine(JwStep* step)
{
  const JwLawParams* const law = step->law;
  if (law->method != JW_BOW_REFINED) {
    return false;
  }
  const double z = step->q / (2.0 * law->k), t = velocity(step) + z * step->f;
  const double v_prev = step->state->velocity;
  set_friction(step, friction(law, t < 0.0 ? next_velocity(law, z * law->force, -t, -v_prev)
                                           : next_velocity(law, z * law->force, t, v_prev)));
  return true;
}

static void finish(JwStep* step) { step->state->velocity = velocity(step); }

static double stored(const JwStep* step)
{
  (void)step;
  return 0.0;
}

static double lost(const JwStep* step) { return step->law->k * step->f * velocity(step); }

static double supplied(const JwStep* step) { return -step->law->k * step->f * step->law->speed; }

static double force(const JwStep* step, double r, double* slope)
{
  const JwLawParams* const law = step->law;
  const double v = r / (2.0 * law->k) - law->speed;
  const double c = friction(law, v);
  *slope = law->force * c * (1.0 - 2.0 * law->sharpness * v * v) / (2.0 * law->k);
  return law->force * c * v;
}

const JwLawOps jw_bow_ops = {
  JW_KIND_BOW, active, choose, refine, finish, stored, lost, supplied, force,
};
