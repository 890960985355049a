// SPDX-License-Identifier: MIT
// A mass, free or on a spring, against a power-law barrier: the exact motion, and the engine's.
//
//   symbol  meaning                                             unit
//   m, w    mass, angular frequency on its spring; 0: free      kg, 1/s
//   b       where the barrier stands, from the spring's rest    m
//   K, al   force K eta^al, eta = u - b                         N/m^al, 1
//   t0, v   when it first touches, and how fast                 s, m/s
//
// The exact motion goes from event to event: free arcs in closed form, contacts by Runge-Kutta of
// fourth order in steps of a 200th of the contact (error of about 1e-9 of the depth), ends found by
// bisection.
#ifndef JAWARI_TEST_IMPACT_H
#define JAWARI_TEST_IMPACT_H

#include "worlds.h"

#define IMPACT_FRAMES 20000

typedef struct {
  double rate, m, w, b, K, al, t0, v;
  int bounces; // Contacts to follow
} Impact;

static inline double impact_depth(const Impact* c) {
  return pow((c->al + 1.0) * c->m * c->v * c->v / (2.0 * c->K), 1.0 / (c->al + 1.0));
}

/// How long the first contact lasts, as if free.
static inline double impact_time(const Impact* c) {
  const double p = c->al + 1.0;
  return 2.0 * impact_depth(c) / c->v * sqrt(acos(-1.0)) * tgamma(1.0 + 1.0 / p)
         / tgamma(0.5 + 1.0 / p);
}

static inline double impact_pull(const Impact* c, double x) {
  return -c->w * c->w * (x + c->b) - (x > 0.0 ? c->K / c->m * pow(x, c->al) : 0.0);
}

static inline void impact_step(const Impact* c, double h, double* x, double* v) {
  const double a1 = impact_pull(c, *x), v2 = *v + 0.5 * h * a1,
               a2 = impact_pull(c, *x + 0.5 * h * *v);
  const double v3 = *v + 0.5 * h * a2, a3 = impact_pull(c, *x + 0.5 * h * v2), v4 = *v + h * a3;
  const double a4 = impact_pull(c, *x + h * v3);
  *x += h / 6.0 * (*v + 2.0 * v2 + 2.0 * v3 + v4);
  *v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
}

/// eta on a free arc that is at 0 with speed v at time 0.
static inline double impact_arc(const Impact* c, double v, double t) {
  return c->w > 0.0 ? c->b * cos(c->w * t) + v / c->w * sin(c->w * t) - c->b : v * t;
}

/// Through one contact from time *t and speed *v to its end, writing samples on the way.
static inline uint32_t impact_contact(const Impact* c, double* t, double* v, double* eta,
                                      uint32_t n) {
  const double k = 1.0 / c->rate;
  double x = 0.0, h0 = impact_depth(c) / c->v / 200.0;
  h0 = c->w > 0.0 ? fmin(h0, 0.01 / c->w) : h0;
  while (n < IMPACT_FRAMES) {
    const bool sample = *t + h0 >= n * k;
    const double h = sample ? n * k - *t : h0;
    double x1 = x, v1 = *v;
    impact_step(c, h, &x1, &v1);
    if (x1 < 0.0 && v1 < 0.0) {
      double low = 0.0, high = h;
      for (int i = 0; i < 60; ++i) {
        const double mid = 0.5 * (low + high);
        x1 = x;
        v1 = *v;
        impact_step(c, mid, &x1, &v1);
        *(x1 < 0.0 && v1 < 0.0 ? &high : &low) = mid;
      }
      *t += high;
      *v = v1;
      return n;
    }
    x = x1;
    *v = v1;
    *t = sample ? n * k : *t + h;
    if (sample) {
      eta[n++] = x;
    }
  }
  return n;
}

/// Fill eta at n/rate; returns how many samples: to ten after the last contact, or to the next one.
static inline uint32_t impact_exact(const Impact* c, double* eta) {
  const double k = 1.0 / c->rate;
  double t = c->t0, v = c->v, leave = c->t0;
  uint32_t n = 0;
  for (; n * k <= t; ++n) {
    eta[n] = impact_arc(c, v, n * k - t);
  }
  for (int bounce = 0; bounce < c->bounces && n < IMPACT_FRAMES; ++bounce) {
    n = impact_contact(c, &t, &v, eta, n);
    leave = t;
    double enter = HUGE_VAL;
    if (c->w
        > 0.0) { // Down to the turn and up again: a full turn less twice the angle above the barrier
      double angle = -atan2(v / c->w, c->b);
      angle += angle < 0.0 ? 2.0 * acos(-1.0) : 0.0;
      enter = leave + fmax(0.0, 2.0 * (acos(-1.0) - angle) / c->w);
    }
    const double end = bounce + 1 < c->bounces ? enter : fmin(enter, leave + 10.0 * k);
    for (; n < IMPACT_FRAMES && n * k <= end; ++n) {
      eta[n] = impact_arc(c, v, n * k - leave);
    }
    t = enter;
    v = -v;
  }
  return n;
}

/// The engine from the same two first samples; eta_out may be NULL.  Returns the largest error.
static inline double impact_engine(const Impact* c, JwRule rule, const double* eta, uint32_t count,
                                   double* eta_out) {
  static double out[IMPACT_FRAMES];
  JwWorld* const world = new_world(c->rate, false);
  const double turn = c->w / c->rate;
  JwMassDef mass = jw_mass_default();
  mass.mass = c->m;
  mass.frequency = c->w / (2.0 * acos(-1.0));
  mass.scheme = JW_SCHEME_EXACT;
  mass.displacement = eta[0] + c->b;
  // The first step gives cos(w k) u + velocity sin(w k)/w: ask for the second sample
  const double half = sin(0.5 * turn), pace = turn > 0.0 ? c->w / sin(turn) : c->rate;
  mass.velocity = ((eta[1] - eta[0]) + 2.0 * half * half * (eta[0] + c->b)) * pace;
  JwObjectId id;
  MUST(world, jw_world_add_mass(world, &mass, &id));
  JwCollisionDef collision = jw_collision_default();
  collision.below = jw_port(id, 0.0);
  collision.above = jw_port(add_barrier(world, c->b), 0.0);
  collision.stiffness = c->K;
  collision.exponent = c->al;
  collision.rule = rule;
  JwContactId contact;
  MUST(world, jw_world_add_collision(world, &collision, &contact));
  add_pickup(world, jw_port(id, 0.0), JW_QUANTITY_DISPLACEMENT);
  MUST(world, jw_world_prepare(world));
  run_into(world, out, IMPACT_FRAMES, 1, count - 1);
  double error = 0.0;
  for (uint32_t n = 1; n < count; ++n) {
    const double apart = fabs(out[n] - c->b - eta[n]);
    error = apart <= error ? error : apart;
    if (eta_out) {
      eta_out[n] = out[n] - c->b;
    }
  }
  jw_world_destroy(world);
  return error;
}

#endif // JAWARI_TEST_IMPACT_H
