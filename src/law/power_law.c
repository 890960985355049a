// SPDX-License-Identifier: MIT
// The power-law potential and the choices of g that collision and connection share.
//
//   phi(x) = K/(alpha+1) x^(alpha+1),  psi = sqrt(2 phi),  g_th = d psi/d x             (3.1)
//
// x is the positive part of the penetration.  See docs/physics.md, section 3.

#include "law/law.h"

#include "base/hint.h"
#include "numeric/power.h"

#include <math.h>

JW_REALTIME double jw_positive_power(double x, double p) {
  if (!(x > JW_TINY)) {
    return 0.0;
  }
  if (p == 0.0) {
    return 1.0;
  }
  if (p == 0.5) {
    return sqrt(x);
  }
  return p == 1.0 ? x : jw_power(x, p);
}

JW_REALTIME JW_HOT double jw_root(const JwStep* step, double x) {
  return x == step->root_of ? step->root : jw_positive_power(x, step->law->half_power);
}

JW_REALTIME void jw_root_keep(JwStep* step, double x) {
  if (x != step->root_of) {
    step->root = jw_positive_power(x, step->law->half_power);
    step->root_of = x;
  }
}

// x^(alpha+1) = (x^((alpha-1)/2) x)^2
double jw_potential_of(const JwStep* step, double x, double root) {
  const double y = root * x;
  return step->scale * step->law->stiffness / (step->law->exponent + 1.0) * (y * y);
}

JW_REALTIME double jw_potential(const JwStep* step, double x) {
  return jw_potential_of(step, x, jw_root(step, x));
}

JW_REALTIME double jw_potential_slope(const JwStep* step, double x) {
  const double root = jw_root(step, x);
  return step->scale * step->law->stiffness * (root * root * x);
}

JW_REALTIME JW_HOT double jw_g_theory(const JwStep* step, double x) {
  const JwLawParams* const law = step->law;
  const double scale = sqrt(0.5 * step->scale * law->stiffness * (law->exponent + 1.0));
  return scale * jw_root(step, x);
}

// ---------------------------------------------------------------- rules

#define MOST_HELD                                                                                  \
  1e8 // g sqrt(q): beyond, a contact holds still to all digits, and g^2 might leave the range of numbers

// One lane of the rule `bounded`.
typedef double Lanes;
typedef int64_t Mask;
static inline double all(double x) {
  return x;
}
static inline int64_t above(double a, double b) {
  return -(int64_t)(a > b);
}
static inline double chosen(int64_t m, double a, double b) {
  return m ? a : b;
}
static inline double lesser(double a, double b) {
  return a < b ? a : b;
}
static inline double square_root(double x) {
  return sqrt(x);
}
static inline double size_of(double x) {
  return fabs(x);
}
#include "numeric/contact_body.h"

static inline Waiting waiting(const JwSeen* seen) {
  return (Waiting){seen->psi, seen->r_free, seen->q, above(seen->eta, JW_TINY)};
}

JW_REALTIME double jw_g_release(const JwSeen* seen) {
  const Waiting w = waiting(seen);
  return release_of(&w);
}

JW_REALTIME bool jw_can_release(const JwSeen* seen) {
  const Waiting w = waiting(seen);
  return can_release(&w) != 0;
}

JW_REALTIME double jw_g_bounded(const JwSeen* seen, double theory) {
  const Waiting w = waiting(seen);
  return surely_theory(&w, theory, 1.0) ? theory : bounded_g(&w, theory);
}

JW_REALTIME bool jw_theory_holds(const JwStep* step, double theory) {
  const double q = step->seen_q;
  const Waiting w = {step->state->psi, step->seen_free, q, above(step->eta, JW_TINY)};
  return surely_theory(&w, theory, 1.0 + q * step->rate) != 0;
}

JW_REALTIME JW_HOT void jw_step_solve(JwStep* step) {
  solve_alone(step->a, step->c, step->r_free, step->q, &step->f, &step->r);
}

// Published in 2021: turn the sign in contact, send psi through zero after it.
JW_REALTIME double jw_g_released(const JwStep* step, const JwSeen* seen) {
  if (seen->eta > JW_TINY) {
    const double theory = jw_g_theory(step, seen->eta);
    return seen->psi >= 0.0 ? theory : -theory;
  }
  if (seen->r_free == 0.0 || !(seen->q > 0.0)) {
    return 0.0;
  }
  const double g = -2.0 * seen->psi / seen->r_free,
               most = MOST_HELD / sqrt(seen->q); // Next to no motion: held
  return fabs(g) < most ? g : copysign(most, g);
}

// ---------------------------------------------------------------- the rule `refined`
//
// psi+^2 = psi^2 + f r with r = r_free - q f holds whatever g is.  So any force f >= 0 that leaves
// D = psi^2 + f r >= 0 can be asked for, by
//
//   g = 2 f/(psi + sqrt(D))                                                            (3.4)
//
// exactly conserving and never pulling.  What a second solve asks for depends on the contact:
//
//   force   between point masses, where q is all the inertia there is: the force of the
//           fourth-order step
//           (Numerov), eta'' integrated over both halves of the step with eta+ from the first solve
//   energy  elsewhere, or where other forces A bend the motion within the contact: the psi that the
//           potential asks for at eta+ of the first solve, which lands on newton's step
//   orbit   between point masses, in a contact too short for that (S, its squared frequency in
//           radians a sample, is
//           large) that nothing else presses or touches: the force that ends the step on the exact
//           bounce (orbit.c)
//   not     elsewhere in so short a contact: the first solve stands
//
// Over 10,000 random contacts a set the error is at most the larger of newton's and bounded's in
// all (`make study-contacts`).  On strings and plates the fourth-order force does not pay: other
// modes move the point as well, and what psi keeps of the difference comes out as a kick when the
// contact opens.

#define MOST_S 0.1        // About twelve samples of contact
#define MOST_S_LUMPED 0.5 // About five
#define MOST_BEND 0.3
#define MOST_PRESS 0.2

// Motion in units of samples: acceleration by everything else, squared speed at the touch, greatest
// depth.
typedef struct {
  double a, w2, deepest;
} Motion;

static double deepest_of(const JwStep* step, const JwSeen* seen, double w2) {
  const double p = step->law->exponent + 1.0;
  return jw_positive_power(p * w2 / (2.0 * seen->q * step->scale * step->law->stiffness), 1.0 / p);
}

static Motion motion_of(const JwStep* step, const JwSeen* seen) {
  const double r_free = seen->r_free * seen->damped,
               q = seen->q * seen->damped; // What is asked is what else bends the motion
  const double v = seen->eta - seen->eta_prev, a = r_free - 2.0 * v;
  const double phi = jw_potential(step, seen->eta);
  const double coming = r_free - v; // To the free next place
  const double w2 = seen->eta > JW_TINY
                        ? fmax(v * v + a * v + q * seen->psi * seen->psi, 2.0 * q * phi)
                        : coming * coming;
  const bool moves = seen->q * step->scale * step->law->stiffness > 0.0 && w2 > JW_TINY;
  const Motion result = {a, w2, moves ? deepest_of(step, seen, w2) : 0.0};
  return result;
}

static JwRefine resolved(const JwStep* step, const JwSeen* seen) {
  const Motion m = motion_of(step, seen);
  if (!(m.deepest > 0.0)) {
    return JW_REFINE_NOT;
  }
  const double alpha = step->law->exponent,
               sharper = 1.0 + step->law->loss / step->law->stiffness * sqrt(m.w2) / step->law->k;
  const double s = 0.5 * alpha * (alpha + 1.0) * m.w2 / (m.deepest * m.deepest)
                   * (sharper * sharper); // A loss meets with more force
  const bool straight = step->lumped && s * fabs(m.a) * m.deepest <= MOST_BEND * m.w2;
  const bool lossless = step->law->loss == 0.0, collides = step->law->kind == JW_KIND_COLLISION;
  if (s > MOST_S_LUMPED && step->lumped && lossless && step->law->kind == JW_KIND_COLLISION
      && m.a * m.deepest <= MOST_PRESS * m.w2) {
    return JW_REFINE_ORBIT;
  }
  if (straight && (lossless || collides)) {
    return s > MOST_S_LUMPED ? JW_REFINE_NOT : JW_REFINE_FORCE;
  }
  if (s > MOST_S) {
    return JW_REFINE_NOT;
  }
  return straight ? JW_REFINE_FORCE : JW_REFINE_ENERGY;
}

// The decision is taken once a contact, on closing, and kept until it opens: a step that falls back
// in between would take its force from a psi that the steps before it used as an account of energy
// only.
static JwRefine decide(const JwStep* step, const JwSeen* seen) {
  JwPointState* const state = step->state;
  if (seen->eta <= JW_TINY || state->closure == 0) {
    state->refine = resolved(step, seen);
  }
  return state->refine == JW_REFINE_ORBIT && !step->alone ? JW_REFINE_NOT : state->refine;
}

JW_REALTIME double jw_g_first(const JwStep* step, const JwSeen* seen, JwRefine* refine) {
  *refine = JW_REFINE_NOT;
  if (seen->eta <= JW_TINY) {
    if (jw_can_release(seen)) {
      return jw_g_release(seen);
    }
    *refine = seen->eta_prev + seen->r_free > JW_TINY ? decide(step, seen) : JW_REFINE_NOT;
    return 0.0;
  }
  *refine = decide(step, seen);
  return jw_g_bounded(seen, jw_g_theory(step, seen->eta));
}

// Integral of (1 - s) F(a + s (b - a)) over s from 0 to 1: what a force that follows eta from a to
// b adds to the position.
static double half_step(const JwStep* step, double a, double b) {
  if (a <= 0.0 && b <= 0.0) {
    return 0.0;
  }
  const double alpha = step->law->exponent, d = b - a, fa = jw_potential_slope(step, a);
  if (a > 0.0 && fabs(d) < 1e-3 * a) {
    const double t = d / a;
    return fa * (0.5 + alpha * t / 6.0 + alpha * (alpha - 1.0) * t * t / 24.0);
  }
  const double fb = jw_potential_slope(step, b);
  return ((fb * b * b - fa * a * a) / (alpha + 2.0) - d * fa * a) / ((alpha + 1.0) * d * d);
}

JW_REALTIME double jw_fourth_order_force(const JwStep* step, const JwSeen* seen, double eta1) {
  const double past = seen->eta_prev, now = seen->eta;
  if (past > 0.0 && now > 0.0 && eta1 > 0.0) {
    return (jw_potential_slope(step, eta1) + 10.0 * jw_potential_slope(step, now)
            + jw_potential_slope(step, past))
           / 12.0;
  }
  return half_step(step, now, eta1) + half_step(step, now, past);
}

// Penetration rates at the three samples, to fourth order: differences, with the accelerations -q
// F/k^2 of the forces there.
static void rates_of(const JwStep* step, const JwSeen* seen, double eta1, const double force[3],
                     double rate[3]) {
  const double k = step->law->k, q = step->q, past = seen->eta_prev, now = seen->eta;
  rate[0] = (now - past) / k + q * (2.0 * force[0] + force[1]) / (6.0 * k);
  rate[1] = (eta1 - past) / (2.0 * k) + q * (force[2] - force[0]) / (12.0 * k);
  rate[2] = (eta1 - now) / k - q * (2.0 * force[2] + force[1]) / (6.0 * k);
}

JW_REALTIME JwLoss jw_fourth_order_loss(const JwStep* step, const JwSeen* seen, double eta1) {
  const double past = seen->eta_prev, now = seen->eta, k = step->law->k,
               share = step->law->loss / step->law->stiffness;
  const double elastic[3] = {jw_potential_slope(step, past), jw_potential_slope(step, now),
                             jw_potential_slope(step, eta1)};
  double force[3] = {elastic[0], elastic[1], elastic[2]}, rate[3];
  for (int i = 0; i < 2;
       ++i) { // The rates want the whole force, which wants the rates: once more is enough
    rates_of(step, seen, eta1, force, rate);
    for (int j = 0; j < 3; ++j) {
      force[j] = elastic[j] * (1.0 + share * rate[j]);
    }
  }
  JwLoss loss = {
      share * (elastic[0] * rate[0] + 10.0 * elastic[1] * rate[1] + elastic[2] * rate[2]) / 12.0,
      share * k
          * (elastic[0] * rate[0] * rate[0] + 22.0 * elastic[1] * rate[1] * rate[1]
             + elastic[2] * rate[2] * rate[2])
          / 24.0,
  };
  if (!(past > 0.0 && now > 0.0 && eta1 > 0.0)) { // Straight on both halves, as the force is
    loss.force =
        share
        * (half_step(step, now, eta1) * (eta1 - now) + half_step(step, now, past) * (now - past))
        / k;
  }
  return loss;
}

JW_REALTIME double jw_g_for_force(const JwSeen* seen, double force) {
  const double d = seen->psi * seen->psi + force * (seen->r_free - seen->q * force);
  return d > 0.0 ? 2.0 * force / (seen->psi + sqrt(d)) : NAN;
}

// The g for which psi becomes what the potential asks for at eta1 and now.
static double g_for_energy(const JwStep* step, const JwSeen* seen, double eta1) {
  const double r = eta1 - seen->eta_prev;
  if (fabs(r) <= 1e-12 * fmax(fabs(seen->eta), fabs(seen->eta_prev))) {
    return step->g;
  }
  const double wanted =
      sqrt(jw_potential(step, fmax(eta1, 0.0)) + jw_potential(step, fmax(seen->eta, 0.0)));
  return fmin(fmin(fmax(2.0 * (wanted - seen->psi) / r, 0.0), jw_g_release(seen)),
              1e8 / sqrt(seen->q));
}

// The force that ends the step where the exact bounce is then.  Inside the contact psi tells the
// energy; in or out tells which of the two orbits through eta was nearer to eta_prev a sample ago.
static double force_to_orbit(const JwStep* step, const JwSeen* seen) {
  const double* const table = step->law->orbit;
  const Motion m = motion_of(step, seen);
  JwBounce bounce = {sqrt(m.w2), m.deepest};
  const double target = seen->eta_prev + seen->r_free;
  if (seen->eta <= JW_TINY) {
    const double since = 1.0 + seen->eta / bounce.speed;
    return (target - jw_orbit_place(table, &bounce, since)) / seen->q;
  }
  double in = jw_orbit_time(table, seen->eta / bounce.deepest) * bounce.deepest / bounce.speed;
  double out = 2.0 * table[0] * bounce.deepest / bounce.speed - in;
  const double phi = seen->q * jw_potential(step, seen->eta), past = seen->eta_prev - 0.5 * m.a;
  const bool outward = fabs(jw_orbit_place(table, &bounce, out - 1.0) - past)
                       < fabs(jw_orbit_place(table, &bounce, in - 1.0) - past);
  const double speed = sqrt(fmax(m.w2 - 2.0 * phi, 0.0)),
               v = (outward ? -speed : speed) + 0.5 * m.a;
  const double w2 = v * v + 2.0 * phi; // With half a step of everything else
  bounce.speed = sqrt(w2);
  bounce.deepest = deepest_of(step, seen, w2);
  in = jw_orbit_time(table, seen->eta / bounce.deepest) * bounce.deepest / bounce.speed;
  out = 2.0 * table[0] * bounce.deepest / bounce.speed - in;
  return (target - jw_orbit_place(table, &bounce, 1.0 + (v < 0.0 ? out : in))) / seen->q;
}

JW_REALTIME double jw_g_second(const JwStep* step, const JwSeen* seen, double eta1) {
  if (step->refine == JW_REFINE_ENERGY) {
    return g_for_energy(step, seen, eta1);
  }
  const double force = step->refine == JW_REFINE_ORBIT ? force_to_orbit(step, seen)
                                                       : jw_fourth_order_force(step, seen, eta1);
  if (!(force > 0.0)) {
    return 0.0;
  }
  return fmin(fmin(jw_g_for_force(seen, force), jw_g_release(seen)),
              MOST_HELD / sqrt(seen->q)); // fmin drops NaN
}

JW_REALTIME double jw_psi_next(const JwStep* step, double psi) {
  return next_psi(psi, step->g, step->r, JW_TINY);
}

// ---------------------------------------------------------------- the iterative reference

JW_REALTIME double jw_discrete_gradient(const JwStep* step, double x0, double x1, double* slope) {
  const double dx = x1 - x0;
  const double size = fmax(fabs(x0), fabs(x1));
  const double mid = 0.5 * (x0 + x1);
  const JwLawParams* const law = step->law;
  if (fabs(dx) <= 1e-5 * size) { // Series about the middle: the next term is dx^2/24 times phi'''
    const double f = jw_potential_slope(step, mid);
    *slope = 0.5 * law->exponent * step->scale * law->stiffness
             * jw_positive_power(mid, law->exponent - 1.0);
    return f;
  }
  const double gradient = (jw_potential(step, x1) - jw_potential(step, x0)) / dx;
  *slope = (jw_potential_slope(step, x1) - gradient) / dx;
  return gradient;
}
