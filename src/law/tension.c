// SPDX-License-Identifier: MIT
// The tension that an object gains as it stretches: one load psi for all of it.
//
// With S the squared slope of the object, summed over all of it, the potential is kappa^2 S^2/2,
// and
// psi = kappa S is quadratised like a contact (docs/physics.md, section 8): along the vector
// g = d psi/d u,
//
//   f = (psi+ + psi)/2,   psi+ = psi + r/2   =>   a = 1/4,  c = psi                      (8.2)
//
// where r is g.(u+ - u-), so that g is in the weights of its side (step/stretch.c).  eta is
// the psi that the displacement asks for.  Tested by test_stretch.c.

#include "law/law.h"

static void set(JwStep* step) {
  step->g = 1.0;
  step->a = 0.25;
  step->c = step->state->psi;
}

static JW_REALTIME void begin(JwStep* step) {
  step->state->psi = step->eta;
  set(step);
}

static JW_REALTIME bool active(const JwStep* step) {
  return step->q > 0.0;
}

static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  (void)r_free;
  (void)q;
  set(step);
}

static JW_REALTIME void finish(JwStep* step) {
  step->state->psi += 0.5 * step->r;
}

const JwLawOps jw_tension_ops = {
    .kind = JW_KIND_COUNT,
    .sides = 1,
    .begin = begin,
    .active = active,
    .choose = choose,
    .refine = jw_never,
    .finish = finish,
    .stored = jw_stored_by_psi,
    .lost = jw_no_energy,
    .supplied = jw_no_energy,
};
