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
// `refined`, the default, solves once with the last velocity (alone in its island it need not: then t is its
// velocity were it not to push).  With the other contacts' forces as they came out, its own velocity obeys
//
//   v + Z FN phi(v) = t,   Z = q/2k,  t = v1 + Z f1                                   (2.3b)
//
// whose left side rises, falls once Z FN is large, and rises again: up to three solutions, of which the
// string takes the one on the branch it is on, sticking or slipping, for as long as there is one (this
// hysteresis is what flattens a note under a heavy bow).  For t > 0 the left side is concave below
// v = sqrt(3/2A) and convex above, so Newton's method from the left (sticking) or from v = t (slipping)
// goes straight to the branch's solution and never past it, and a slope that is not positive says that
// the branch has ended; from the last velocity it passes at most once, at its first step.  A fixed number
// of steps, then the second solve with that c.  Measured against the iterated bow: 1.3 cents at most over
// the playable range (plain c(v1) instead: 29).
//
// Lost in a step: k f v; supplied by the bow: -k f vB.  Tested by test_bow.c.

#include "law/law.h"

#include "numeric/power.h"

#include <math.h>

#define STEPS_ON 3   // From the last velocity, along its branch
#define STEPS_OVER 6 // From 0 or t

// A velocity against the bow, mirrored to be positive where t is, and c there.
typedef struct {
  double w, c;
} Slide;

static double friction(const JwLawParams* law, double v)
{
  return law->bow_scale * jw_exp(-law->sharpness * v * v);
}

// c at the last velocity is mostly at hand: it was the last that `follow` worked out.
static double kept_friction(const JwStep* step, double v)
{
  return v == step->root_of && v != 0.0 ? step->root : friction(step->law, v);
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
  const double c = kept_friction(step, v);
  if (law->method == JW_BOW_ONE_STEP) {
    const double slope = c * (1.0 - 2.0 * law->sharpness * v * v);
    step->a = law->force * slope / (4.0 * law->k);
    step->c = law->force * (c * v - 0.5 * slope * (v + law->speed));
  } else {
    set_friction(step, c);
  }
}

static double velocity(const JwStep* step) { return step->r / (2.0 * step->law->k) - step->law->speed; }

// Slope of the left side of (2.3b), given z c.
static double slope_at(const JwLawParams* law, double w, double zc)
{
  return 1.0 + zc * (1.0 - 2.0 * law->sharpness * w * w);
}

// A few Newton steps on (2.3b) from s; false where the slope is not positive: the branch has ended.
static bool follow(const JwStep* step, double t, Slide* s, int steps)
{
  const JwLawParams* const law = step->law;
  const double z = step->q / (2.0 * law->k) * law->force;
  for (int i = 0; i < steps; ++i) {
    const double zc = z * s->c, slope = slope_at(law, s->w, zc);
    if (!(slope > 0.0)) {
      return false;
    }
    const double w = s->w - (s->w + zc * s->w - t) / slope;
    s->w = w < 0.0 ? 0.0 : w > t ? t : w;
    s->c = friction(law, s->w);
  }
  return true;
}

static bool follow_stick(const JwStep* step, double t, Slide* s)
{
  s->w = 0.0;
  s->c = step->law->bow_scale;
  return follow(step, t, s, STEPS_OVER);
}

static bool follow_slip(const JwStep* step, double t, Slide* s)
{
  s->w = t;
  s->c = friction(step->law, t);
  return follow(step, t, s, STEPS_OVER);
}

// The velocity w >= 0 that (2.3b) gives for t >= 0, on the branch of `last` if it is still there.  From the
// last velocity the first step ends, on either branch, on the side from which Newton's method does not pass.
static Slide next_slide(const JwStep* step, double t, Slide last)
{
  const JwLawParams* const law = step->law;
  const double zc = step->q / (2.0 * law->k) * law->force * last.c;
  const bool near = last.w > 0.0 && slope_at(law, last.w, zc) > 0.0;
  Slide s = last, other;
  if (last.w < law->bow_turn) {
    return (near ? follow(step, t, &s, STEPS_ON) : follow_stick(step, t, &s)) || !follow_slip(step, t, &other) ? s : other;
  }
  return (near ? follow(step, t, &s, STEPS_ON) : follow_slip(step, t, &s)) || !follow_stick(step, t, &other) ? s : other;
}

static bool refine(JwStep* step)
{
  const JwLawParams* const law = step->law;
  if (law->method != JW_BOW_REFINED) {
    return false;
  }
  const double t = velocity(step) + step->q / (2.0 * law->k) * step->f;
  const double side = t < 0.0 ? -1.0 : 1.0, v = step->state->velocity;
  const Slide last = {side * v, kept_friction(step, v)};
  const Slide next = next_slide(step, side * t, last);
  set_friction(step, next.c);
  step->root_of = side * next.w;
  step->root = next.c;
  return true;
}

// Where the second solve agrees with (2.3b), the velocity of the latter: its c is at hand.
static void finish(JwStep* step)
{
  const double v = velocity(step), w = step->root_of;
  const bool agrees = step->law->method == JW_BOW_REFINED && fabs(v - w) <= 1e-6 * fabs(v);
  step->state->velocity = agrees ? w : v;
}

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
