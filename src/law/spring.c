// SPDX-License-Identifier: MIT
// Linear and cubic spring with damper, f = K1 mu_tt eta + K3 eta^2 mu_t. eta + 2 sx dt. eta.
//
//   a = K1/4 + K3 eta^2/2 + sx/k,   c = K1 (eta + eta-)/2 + K3 eta^2 eta-             (2.2)
//
// Stored: K1/2 ((eta + eta-)/2)^2 + K3/4 eta^2 eta-^2.  Lost in a step: sx r^2 / 2k.
//
// Both parts are quadratised: psi1 = sqrt(K1) (eta + eta-)/2 and psi3 = sqrt(K3/2) eta eta- obey
// psi+ = psi + g r/2 with g1 = sqrt(K1), g3 = sqrt(2 K3) eta, and f = g (psi+ + psi)/2.  They are
// kept from step to step and not read anew: a spring far above the Nyquist frequency turns eta
// around in every sample, and of the mean, 1e-9 of eta at K1 = 1e13 N/m on a milligram, reading
// would leave no digit. It also lets a port move without adding K (d eta)^2/2 (apply.c).  Tested by
// test/random.

#include "law/law.h"

#include <math.h>

static double g_linear(const JwStep* step) {
  return sqrt(step->law->linear);
}
static double g_cubic(const JwStep* step) {
  return jw_held_g(step, sqrt(2.0 * step->law->cubic) * step->eta);
}

static void take_g(JwStep* step, double rate) {
  const double g1 = g_linear(step), g3 = g_cubic(step);
  step->a = 0.25 * (g1 * g1 + g3 * g3) + rate;
  step->c = g1 * step->state->psi + g3 * step->state->cubic;
}

static JW_REALTIME void begin(JwStep* step) {
  step->state->psi = sqrt(step->law->linear) * step->eta;
  step->state->cubic = sqrt(0.5 * step->law->cubic) * step->eta * step->eta;
  take_g(step, 0.0);
}

// One whose numbers are all zero, as of a damper that is lifted, is not there.
static JW_REALTIME bool active(const JwStep* step) {
  const JwLawParams* const law = step->law;
  return law->linear != 0.0 || law->cubic != 0.0 || law->damping != 0.0 || step->state->psi != 0.0
         || step->state->cubic != 0.0;
}

static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  (void)r_free;
  (void)q;
  take_g(step, step->law->damping / step->law->k);
}

static JW_REALTIME void finish(JwStep* step) {
  step->state->psi += 0.5 * g_linear(step) * step->r;
  step->state->cubic += 0.5 * g_cubic(step) * step->r;
}

static JW_REALTIME double stored(const JwStep* step) {
  const JwPointState* const state = step->state;
  return 0.5 * (state->psi * state->psi + state->cubic * state->cubic);
}

static JW_REALTIME double lost(const JwStep* step) {
  return step->law->damping * step->r * step->r / (2.0 * step->law->k);
}

static JW_REALTIME double load(const JwStep* step) {
  return sqrt(step->law->linear) * 0.5 * (step->eta + step->eta_prev);
}

static JW_REALTIME double cubic(const JwStep* step) {
  return sqrt(0.5 * step->law->cubic) * step->eta * step->eta_prev;
}

static JW_REALTIME double* control(JwLawParams* law, JwControl control) {
  switch (control) {
  case JW_CONTROL_STIFFNESS: return &law->linear;
  case JW_CONTROL_LOSS: return &law->damping;
  default: return NULL;
  }
}

static JW_REALTIME bool linear(const JwLawParams* law, double* g, double* rate) {
  *g = sqrt(law->linear);
  *rate = law->damping / law->k;
  return law->cubic == 0.0;
}

const JwLawOps jw_spring_ops = {
    .kind = JW_KIND_SPRING,
    .sides = 2,
    .begin = begin,
    .active = active,
    .choose = choose,
    .refine = jw_never,
    .finish = finish,
    .stored = stored,
    .lost = lost,
    .supplied = jw_supplied_by_shift,
    .load = load,
    .cubic = cubic,
    .control = control,
    .linear = linear,
};
