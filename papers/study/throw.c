// SPDX-License-Identifier: MIT
// A free mass thrown at a barrier, by the engine and exactly.
//
// Scaled by its deepest compression and the time step, the motion of a free mass knows two numbers
// only: the exponent, and how many samples the contact lasts.  Stiffness, mass, speed and sample
// rate act through the second.  The contact lasts
//
//   xm = (n M v^2 / 2K)^(1/n),  n = alpha + 1
//   Tc = 2 xm/v  int_0^1 dy/sqrt(1 - y^n) = 2 xm/v  sqrt(pi) Gamma(1 + 1/n) / Gamma(1/2 + 1/n) (1)
//
// and afterwards the mass is exactly at b - v (t - t0 - Tc), with the speed that it came with.

#include "study.h"

#include <math.h>

#define PI 3.14159265358979323846

static double unit_time(const JwStudyThrow* t) {
  const double n = t->exponent + 1.0;
  return 2.0 * sqrt(PI) * tgamma(1.0 + 1.0 / n) / tgamma(0.5 + 1.0 / n);
}

double jw_study_contact_time(const JwStudyThrow* t) {
  const double n = t->exponent + 1.0;
  return unit_time(t) * pow(0.5 * n * t->mass * t->velocity * t->velocity / t->stiffness, 1.0 / n)
         / t->velocity;
}

double jw_study_stiffness(const JwStudyThrow* t, double seconds) {
  const double n = t->exponent + 1.0;
  const double deepest = seconds * t->velocity / unit_time(t);
  return 0.5 * n * t->mass * t->velocity * t->velocity / pow(deepest, n);
}

bool jw_study_throw(JwPaperRun* run, const JwStudyThrow* t, JwRule rule, double phase,
                    JwStudyRebound* rebound) {
  const double lead = 2.0 + phase, contact = jw_study_contact_time(t) * t->rate; // In samples
  const JwOscillator mass = {.mass = t->mass,
                             .stiffness = t->stiffness,
                             .exponent = t->exponent,
                             .barrier = 0.0,
                             .displacement = -lead * t->velocity / t->rate,
                             .velocity = t->velocity,
                             .scheme = JW_SCHEME_LEAPFROG};
  // Eight samples beyond the exact end, and as long again as the contact: late ones are out too.
  const size_t count = (size_t)(lead + 2.0 * contact) + 10;
  JwRecording recording;
  JwOscillatorReport report;
  if (!jw_oscillator_run(run, &mass, rule, t->rate, count, &recording, &report)) {
    return false;
  }
  const double u = recording.u[count - 1], v = (recording.u[count - 2] - u) * t->rate;
  rebound->speed = v / t->velocity;
  rebound->delay = (double)(count - 1) + u * t->rate / t->velocity - lead - contact;
  rebound->pull = report.contact.pull;
  rebound->residual = report.residual;
  jw_recording_release(&recording);
  return true;
}
