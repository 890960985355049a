// SPDX-License-Identifier: MIT
// What plain leaves in an open contact: a hard impact, by the engine and by hand.
//
// 10 g at 2 m/s against K = 1e9, alpha = 1.3 at 44.1 kHz: two samples of contact.  How much of the
// speed comes back depends on where between two samples the contact begins.  The scheme of
// Ducceschi and Bilbao 2019 for a free mass, written out with eta = u - b:
//
//   g = sqrt(K (alpha + 1)/2) [eta]^((alpha - 1)/2)
//   (M/k^2 + g^2/4) eta+ = M/k^2 (2 eta - eta-) + g^2/4 eta- - psi g                            (1)
//   psi+ = psi + g (eta+ - eta-)/2
//
// A prototype that was run at positions of its own gives three numbers, to two digits.

#include "study.h"

#include <math.h>
#include <stdio.h>

enum { POSITIONS = 256, STEPS = 80 };

static const JwStudyThrow hard = {
    .mass = 0.01, .velocity = 2.0, .exponent = 1.3, .stiffness = 1e9, .rate = JW_STUDY_RATE};

typedef struct {
  double speed[POSITIONS], pull[POSITIONS]; ///< Of the engine
  double apart, pull_apart;                 ///< Engine against (1), largest
  double mean, least, most;
} Parking;

// Equation (1); starts as the engine does, two samples and a bit before the barrier.
static JwStudyRebound by_hand(const JwStudyThrow* t, double phase) {
  const double way = t->velocity / t->rate, inertia = t->mass * t->rate * t->rate;
  double prev = -(3.0 + phase) * way, eta = -(2.0 + phase) * way, psi = 0.0, pull = 0.0;
  for (int n = 0; n < STEPS; ++n) {
    const double g = eta > 0.0 ? sqrt(0.5 * t->stiffness * (t->exponent + 1.0))
                                     * pow(eta, 0.5 * (t->exponent - 1.0))
                               : 0.0;
    const double a = 0.25 * g * g;
    const double next = (inertia * (2.0 * eta - prev) + a * prev - psi * g) / (inertia + a);
    pull = fmax(pull, -(a * (next - prev) + psi * g));
    psi += 0.5 * g * (next - prev);
    prev = eta;
    eta = next;
  }
  return (JwStudyRebound){.speed = (prev - eta) / way, .pull = pull};
}

static bool measure(JwPaperRun* run, Parking* p) {
  *p = (Parking){.least = INFINITY};
  for (size_t i = 0; i < POSITIONS; ++i) {
    JwStudyRebound rebound;
    const double phase = (double)i / POSITIONS;
    if (!jw_study_throw(run, &hard, JW_RULE_PLAIN, phase, &rebound)) {
      return false;
    }
    const JwStudyRebound written = by_hand(&hard, phase);
    p->speed[i] = rebound.speed;
    p->pull[i] = rebound.pull;
    p->apart = fmax(p->apart, fabs(rebound.speed - written.speed));
    p->pull_apart = fmax(p->pull_apart, fabs(rebound.pull - written.pull));
    p->mean += rebound.speed / POSITIONS;
    p->least = fmin(p->least, rebound.speed);
    p->most = fmax(p->most, rebound.pull);
  }
  return true;
}

// Speed at the position whose pull comes closest to this.
static double speed_at(const Parking* p, double pull) {
  size_t best = 0;
  for (size_t i = 1; i < POSITIONS; ++i) {
    best = fabs(p->pull[i] - pull) < fabs(p->pull[best] - pull) ? i : best;
  }
  return p->speed[best];
}

bool jw_study_parking(JwPaperRun* run) {
  static Parking p;
  if (!measure(run, &p)) {
    return false;
  }
  static const char rounding[] =
      "the same scheme twice; rounding of 10^-16 over 80 steps, magnified by K/(M/k^2) = 50";
  const JwPaperAgreement statements[] = {
      {.quantity = "plain, K = 1e9, exponent 1.3: speed after the rebound, engine against the "
                   "scheme written out, 256 positions",
       .ours = p.apart,
       .tolerance = 1e-12,
       .own = true,
       .why = rounding},
      {.quantity = "the same: largest pull, engine against the scheme written out",
       .unit = "N",
       .ours = p.pull_apart,
       .tolerance = 1e-12 * p.most,
       .own = true,
       .why = rounding},
      {.quantity = "the same: speed where the pull is the prototype's 284 N",
       .theirs = 0.64,
       .ours = speed_at(&p, 284.0),
       .tolerance = 0.005,
       .own = true,
       .why = "a prototype's worst position, known by its pull; half a unit of its printed digit"},
      {.quantity = "the same: mean speed",
       .theirs = 0.82,
       .ours = p.mean,
       .tolerance = 0.005,
       .differs = true,
       .own = true,
       .why = "the prototype took fewer positions: 8 to 40 evenly spaced ones give 0.817 to 0.837"},
      {.quantity = "the same: least speed",
       .theirs = 0.64,
       .ours = p.least,
       .tolerance = 0.005,
       .differs = true,
       .own = true,
       .why = "the worst position, contact on a sample, is not among the prototype's"},
      {.quantity = "the same: largest pull",
       .unit = "N",
       .theirs = 284.0,
       .ours = p.most,
       .tolerance = 0.5,
       .differs = true,
       .own = true,
       .why = "as for the least speed"}};
  bool good = true;
  for (size_t i = 0; i < sizeof statements / sizeof *statements && good; ++i) {
    good = jw_paper_agree(run, statements[i]);
  }
  return good;
}
