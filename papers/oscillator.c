// SPDX-License-Identifier: MIT
// A mass on a spring that hits a barrier.
//
// The reference goes from event to event: free arcs in closed form, the moment of contact from the
// arc's phase, and Runge-Kutta of fourth order within the contact at 1/8000 of its length, the last
// step cut by the secant rule so that it ends on the barrier.  It knows no sample rate, so that a
// contact shorter than a sample is as exact as a long one, and it shares no formula with the
// engine.
//
//   R sin(w0 t + p) = b                                                    (1)
//   xm = ((alpha + 1) M v^2 / 2K)^(1/(alpha + 1))                          (2)  deepest compression
//
// Tested by test_papers.c through the statements of the experiments that use it.

#include "oscillator.h"

#include "build.h"

#include <math.h>

#define PI 3.14159265358979323846

// ---------------------------------------------------------------- the engine

static JwWorld* open_world(JwPaperRun* run, const JwOscillator* o, JwRule rule, double rate,
                           JwContactId* contact) {
  JwBuild b = jw_build_begin(rate, true);
  JwMassDef mass = jw_mass_default();
  mass.mass = o->mass;
  mass.frequency = o->frequency;
  mass.displacement = o->displacement;
  mass.velocity = o->velocity;
  mass.scheme = o->scheme;
  JwCollisionDef hit = jw_collision_default();
  hit.below = jw_port(jw_build_mass(&b, mass), 0.0);
  hit.above = jw_port(jw_build_barrier(&b, o->barrier), 0.0);
  hit.stiffness = o->stiffness;
  hit.exponent = o->exponent;
  hit.rule = rule;
  *contact = jw_build_hit(&b, hit);
  jw_build_ear(&b, hit.below);
  return jw_build_end(run, &b);
}

bool jw_oscillator_run(JwPaperRun* run, const JwOscillator* oscillator, JwRule rule, double rate,
                       size_t count, JwRecording* recording, JwOscillatorReport* report) {
  JwContactId contact;
  JwWorld* const world = open_world(run, oscillator, rule, rate, &contact);
  const bool good = world
                    && jw_recording_open(run, world, oscillator->displacement, count, recording)
                    && jw_recording_run(run, world, recording, count - 1);
  if (good && report) {
    report->contact = jw_world_contact_figures(world, contact);
    report->residual = jw_world_energy(world).worst_residual;
  }
  jw_world_destroy(world);
  return good;
}

// ---------------------------------------------------------------- event by event

typedef struct {
  double u, v;
} State;

static State free_motion(const JwOscillator* o, State s, double t) {
  const double w = 2.0 * PI * o->frequency;
  if (w == 0.0) {
    return (State){s.u + s.v * t, s.v};
  }
  const double c = cos(w * t), n = sin(w * t);
  return (State){s.u * c + s.v / w * n, s.v * c - s.u * w * n};
}

// Time until the arc reaches the barrier from below, from (1); infinite if it never does.
static double time_to_contact(const JwOscillator* o, State s) {
  const double w = 2.0 * PI * o->frequency;
  if (w == 0.0) {
    return s.v > 0.0 ? (o->barrier - s.u) / s.v : INFINITY;
  }
  const double r = hypot(s.u, s.v / w);
  if (r <= fabs(o->barrier)) {
    return INFINITY;
  }
  double t = (asin(o->barrier / r) - atan2(s.u, s.v / w)) / w;
  const double period = 2.0 * PI / w;
  while (t <= 1e-9 * period) { // Leaving counts as having left
    t += period;
  }
  return t;
}

static double acceleration(const JwOscillator* o, double u) {
  const double w = 2.0 * PI * o->frequency, eta = u - o->barrier;
  return -w * w * u - (eta > 0.0 ? o->stiffness / o->mass * pow(eta, o->exponent) : 0.0);
}

static State runge_kutta(const JwOscillator* o, State s, double h) {
  const double v1 = s.v, a1 = acceleration(o, s.u);
  const double v2 = s.v + 0.5 * h * a1, a2 = acceleration(o, s.u + 0.5 * h * v1);
  const double v3 = s.v + 0.5 * h * a2, a3 = acceleration(o, s.u + 0.5 * h * v2);
  const double v4 = s.v + h * a3, a4 = acceleration(o, s.u + h * v3);
  return (State){s.u + h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4),
                 s.v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)};
}

// The part of a step of length h after which the mass is on the barrier, by the secant rule.
static double time_to_leave(const JwOscillator* o, State s, double h) {
  double a = 0.0, b = h, fa = s.u - o->barrier, fb = runge_kutta(o, s, h).u - o->barrier;
  for (int i = 0; i < 20 && fb != 0.0 && fa != fb; ++i) {
    const double next = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb, b = next;
    fb = runge_kutta(o, s, b).u - o->barrier;
  }
  return b;
}

// A contact's time step, from (2) and the velocity that it started with.
static double fine_step(const JwOscillator* o, double v) {
  const double n = o->exponent + 1.0;
  return pow(0.5 * n * o->mass * v * v / o->stiffness, 1.0 / n) / v * 3.0 / 8000.0;
}

void jw_oscillator_exact(const JwOscillator* o, double rate, size_t count, double* u) {
  State s = {o->displacement, o->velocity};
  double now = 0.0, until = s.u <= o->barrier ? time_to_contact(o, s) : 0.0, step = 0.0;
  bool touching = false;
  for (size_t n = 0; n < count; ++n) {
    const double target = (double)n / rate;
    while (now < target) {
      double h = target - now;
      if (!touching && until <= h) {
        s = free_motion(o, s, until);
        s.u = o->barrier;
        now += until;
        step = fine_step(o, s.v);
        touching = true;
        continue;
      }
      if (!touching) {
        s = free_motion(o, s, h);
        until -= h;
        now = target;
        continue;
      }
      h = h < step ? h : step;
      const State next = runge_kutta(o, s, h);
      if (next.u >= o->barrier || next.v > 0.0) {
        s = next;
        now = h < step ? target : now + h;
        continue;
      }
      h = time_to_leave(o, s, h);
      s = runge_kutta(o, s, h);
      s.u = o->barrier;
      now += h;
      touching = false;
      until = time_to_contact(o, s);
    }
    u[n] = s.u;
  }
}
