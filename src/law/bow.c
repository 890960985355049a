// SPDX-License-Identifier: MIT
// A bow: friction f = FN phi(v), phi(v) = c(v) v, c(v) = sqrt(2A) exp(-A v^2 + 1/2), v = dt. eta -
// vB.
//
//   a = FN c/2k,   c = -FN c vB                                                       (2.3)
//
// with c(v) taken before the solve.  c >= 0, so any estimate of v gives a passive bow; the estimate
// decides the pitch.  `passive` takes the last velocity and plays flat, by 12 to 28 cents for a
// violin at 44.1 kHz: the string lets go a sample or two late.  `one-step` is the published f = FN
// (phi(v) + phi'(v) (v+ - v)/2), here for comparison: phi' < 0 while slipping, and it loses
// stability.
//
// `refined`, the default, solves once with the last velocity (alone in its island it need not: then
// t is its velocity were it not to push).  With the other contacts' forces as they came out, its
// own velocity obeys
//
//   v + Z FN phi(v) = t,   Z = q/2k,  t = v1 + Z f1                                   (2.3b)
//
// whose left side rises, falls once Z FN is large, and rises again: up to three solutions, of which
// the string takes the one on the branch it is on, sticking or slipping, for as long as there is
// one (this hysteresis is what flattens a note under a heavy bow).  For t > 0 the left side is
// concave below v = sqrt(3/2A) and convex above, so Newton's method from the left (sticking) or
// from v = t (slipping) goes straight to the branch's solution and never past it, and a slope that
// is not positive says that the branch has ended; from the last velocity it passes at most once, at
// its first step, which needs no new exponential.  It ends when its next step would be below CLOSE
// of the velocity, mostly at once or after one more, and after MOST_STEPS at the latest.  What the
// bow does is read off (2.3b), f = (t - v)/Z: alone in its island it is done; with others it takes
// the c that gives this f, and all are solved once more.  0 <= v <= t, so that c >= 0 wherever the
// steps have ended.  Measured against the iterated bow: 2.1 cents at most where a violin string
// speaks, 0.08 on average (plain c(v1) instead: 29).
//
// Lost in a step: k f v; supplied by the bow: -k f vB.  Tested by test_bow.c.

#include "law/law.h"

#include "base/hint.h"
#include "numeric/power_scalar.h"

#include <math.h>

#define MOST_STEPS 8
#define CLOSE 1e-6 // A thousandth of a cent would be 6e-7 of a frequency

// A velocity against the bow, mirrored to be positive where t is, and c there.
typedef struct {
  double w, c;
} Slide;

static inline double friction(const JwLawParams* law, double v) {
  return law->bow_scale * exp2_of(-law->bow_fall * v * v);
}

// c at the last velocity is mostly at hand: it was the last that `follow` worked out.
static double kept_friction(const JwStep* step, double v) {
  return v == step->root_of && v != 0.0 ? step->root : friction(step->law, v);
}

// A bow has no load.  Its velocity is that of the frame before, as every step leaves it.
static JW_REALTIME void begin(JwStep* step) {
  step->a = step->c = 0.0;
}

// Always, so that the velocity is known when the bow comes down.
static JW_REALTIME bool active(const JwStep* step) {
  (void)step;
  return true;
}

static void set_friction(JwStep* step, double c) {
  const JwLawParams* const law = step->law;
  step->a = law->force * c * law->per_step;
  step->c = -law->force * c * law->speed;
}

static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  (void)r_free;
  (void)q;
  const JwLawParams* const law = step->law;
  const double v = step->state->velocity;
  const double c = kept_friction(step, v);
  if (law->method == JW_BOW_ONE_STEP) {
    const double slope = c * (1.0 - 2.0 * law->sharpness * v * v);
    step->a = 0.5 * law->force * slope * law->per_step;
    step->c = law->force * (c * v - 0.5 * slope * (v + law->speed));
  } else {
    set_friction(step, c);
  }
}

static JW_REALTIME double velocity(const JwStep* step) {
  return step->r * step->law->per_step - step->law->speed;
}

// Slope of the left side of (2.3b), given z c.
static inline double slope_at(const JwLawParams* law, double w, double zc) {
  return 1.0 + zc * (1.0 - 2.0 * law->sharpness * w * w);
}

/// (2.3b) as Newton's method needs it.
typedef struct {
  const JwLawParams* law;
  double z, t; // Z FN; t >= 0
} Branch;

// Newton steps from s, until the next would be nothing that counts: half the curvature over the
// slope, times this step squared.  The curvature is taken at the larger end and at its largest,
// since it vanishes at 0.  False where the slope is not positive: the branch has ended.  Each step
// needs the one before, so nothing but a division and an exponential lies between two, and no
// branch that anything waits for; nothing waits for the last exponential.
static inline bool follow(Branch b, Slide* s) {
  const JwLawParams* const law = b.law;
  for (int i = 0; i < MOST_STEPS; ++i) {
    const double w = s->w, zc = b.z * s->c, slope = slope_at(law, w, zc);
    if (!(slope > 0.0)) {
      return false;
    }
    const double next = w - (w + zc * w - b.t) / slope, above = next > 0.0 ? next : 0.0;
    const double bounded = above > b.t ? b.t : above, step = bounded - w,
                 far = bounded > w ? bounded : w;
    const double curve = law->sharpness * far * zc * (3.0 + 2.0 * law->sharpness * far * far);
    *s = (Slide){bounded, friction(law, bounded)};
    if (curve * (step * step) <= CLOSE * (slope * bounded)) {
      return true;
    }
  }
  return true;
}

static bool follow_stick(Branch b, Slide* s) {
  *s = (Slide){0.0, b.law->bow_scale};
  return follow(b, s);
}

static bool follow_slip(Branch b, Slide* s) {
  *s = (Slide){b.t, friction(b.law, b.t)};
  return follow(b, s);
}

// Where the branch of the last velocity has ended, after following it to s, or that is of no use to
// start from.
static Slide change_branch(Branch b, double last, Slide s) {
  const bool followed = s.w != last;
  Slide other;
  if (last < b.law->bow_turn) {
    return (!followed && follow_stick(b, &s)) || !follow_slip(b, &other) ? s : other;
  }
  return (!followed && follow_slip(b, &s)) || !follow_stick(b, &other) ? s : other;
}

// The velocity w >= 0 that (2.3b) gives for t >= 0, on the branch of `last` if it is still there.
// From the last velocity the first step ends, on either branch, on the side from which Newton's
// method does not pass.
static inline Slide next_slide(Branch b, Slide last) {
  Slide s = last;
  return last.w > 0.0 && follow(b, &s) ? s : change_branch(b, last.w, s);
}

// With no other contact to push, t is known before any solve, and (2.3b) says all.
static JW_REALTIME JW_HOT bool alone(JwStep* step) {
  const JwLawParams* const law = step->law;
  if (law->method != JW_BOW_REFINED) {
    return false;
  }
  const double z = step->q * law->per_step, t = step->r_free * law->per_step - law->speed;
  const double side = t < 0.0 ? -1.0 : 1.0, v = step->state->velocity;
  const Branch branch = {law, z * law->force, side * t};
  const Slide next = next_slide(branch, (Slide){side * v, kept_friction(step, v)});
  step->root_of = side * next.w;
  step->root = next.c;
  step->f = side * (branch.z > 0.0 ? (branch.t - next.w) / z : law->force * next.c * next.w);
  step->r = step->r_free - step->q * step->f;
  return true;
}

static JW_REALTIME bool refine(JwStep* step) {
  const JwLawParams* const law = step->law;
  if (law->method != JW_BOW_REFINED) {
    return false;
  }
  const double z = step->q * law->per_step, t = velocity(step) + z * step->f;
  const double side = t < 0.0 ? -1.0 : 1.0, v = step->state->velocity;
  const Branch branch = {law, z * law->force, side * t};
  const Slide next = next_slide(branch, (Slide){side * v, kept_friction(step, v)});
  step->root_of = side * next.w;
  step->root = next.c;
  set_friction(step, branch.z * next.w > 0.0 ? (branch.t - next.w) / (branch.z * next.w) : next.c);
  return true;
}

// Where the second solve agrees with (2.3b), the velocity of the latter: its c is at hand.
static JW_REALTIME void finish(JwStep* step) {
  const double v = velocity(step), w = step->root_of;
  const bool agrees = step->law->method == JW_BOW_REFINED && fabs(v - w) <= 1e-6 * fabs(v);
  step->state->velocity = agrees ? w : v;
}

static JW_REALTIME double lost(const JwStep* step) {
  return step->law->k * step->f * velocity(step);
}

static JW_REALTIME double supplied(const JwStep* step) {
  return -step->law->k * step->f * step->law->speed;
}

static JW_REALTIME double force(const JwStep* step, double r, double* slope) {
  const JwLawParams* const law = step->law;
  const double v = r * law->per_step - law->speed;
  const double c = friction(law, v);
  *slope = law->force * c * (1.0 - 2.0 * law->sharpness * v * v) * law->per_step;
  return law->force * c * v;
}

static JW_REALTIME double* control(JwLawParams* law, JwControl control) {
  switch (control) {
  case JW_CONTROL_FORCE: return &law->force;
  case JW_CONTROL_SPEED: return &law->speed;
  default: return NULL;
  }
}

const JwLawOps jw_bow_ops = {
    .kind = JW_KIND_BOW,
    .sides = 1,
    .drives = true,
    .branches = true,
    .begin = begin,
    .active = active,
    .choose = choose,
    .refine = refine,
    .finish = finish,
    .stored = jw_no_energy,
    .lost = lost,
    .supplied = supplied,
    .force = force,
    .alone = alone,
    .control = control,
};
