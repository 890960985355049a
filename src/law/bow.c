// A bow: friction f = FN phi(v), phi(v) = c(v) v, c(v) = sqrt(2A) exp(-A v^2 + 1/2), v = dt. eta - vB.
//
//   a = FN c/2k,   c = -FN c vB                                                       (2.3)
//
// with c(v) taken before the solve.  c >= 0, so any estimate of v gives a passive bow; the estimate
// decides the pitch.  `passive` takes the last velocity and plays flat.  `refined` solves once with it,
// takes the velocity found, and solves again: within a few cents of the iterated bow.  `one-step` is
// the published f = FN (phi(v) + phi'(v) (v+ - v)/2), here for comparison: phi' < 0 while slipping, and
// it loses stability.
//
// Lost in a step: k f v; supplied by the bow: -k f vB.  Tested by test_bow.c.

#include "law/law.h"

#include "numeric/power.h"

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

static bool refine(JwStep* step)
{
  if (step->law->method != JW_BOW_REFINED) {
    return false;
  }
  set_friction(step, friction(step->law, velocity(step)));
  return true;
}

static void finish(JwStep* step) { step->state->velocity = velocity(step); }

static double stored(const JwStep* step, double eta, double eta_prev)
{
  (void)step;
  (void)eta;
  (void)eta_prev;
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
