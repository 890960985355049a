// SPDX-License-Identifier: MIT
// One-sided collision, f = K [eta]^alpha with optional Hunt-Crossley loss lambda [eta]^alpha
// d(eta)/dt.
//
// Quadratised: with psi at n - 1/2 and any g known beforehand,
//
//   f = g (psi+ + psi)/2,   psi+ = psi + g r/2   =>   a = g^2/4,  c = g psi             (3.3)
//
// keeps H + psi^2/2 whatever g is.  What g is decides everything else: the five rules of
// docs/physics.md, section 3.  The loss adds lambda [eta]^alpha / 2k to a.
//
// Tested by test_collision.c and test_systems.c.

#include "law/law.h"

#include <math.h>

static double loss_rate(const JwStep* step) {
  const JwLawParams* const law = step->law;
  if (!(law->loss > 0.0)) {
    return 0.0;
  }
  const double root = jw_root(step, step->eta);
  return jw_held_rate(step, step->scale * law->loss / (2.0 * law->k)
                                * (root * root * step->eta)); // The division waits for nothing
}

static void set_g(JwStep* step, double wanted) {
  const double g = jw_held_g(step, wanted);
  step->g = g;
  step->a = 0.25 * g * g + step->rate;
  step->c = g * step->state->psi;
}

#define MOST_RATES 4.0 // Where r turns around, energy over r^2 is no measure

static JW_REALTIME void begin(JwStep* step) {
  step->state->psi = step->eta > JW_TINY ? sqrt(2.0 * jw_potential(step, step->eta)) : 0.0;
  step->rate = 0.0;
  set_g(step, step->eta > JW_TINY ? jw_g_theory(step, step->eta) : 0.0);
  step->rate = loss_rate(step);
}

static JW_REALTIME bool active(const JwStep* step) {
  if (step->eta > JW_TINY) {
    return true;
  }
  switch (step->law->rule) {
  case JW_RULE_PLAIN: return false;
  case JW_RULE_NEWTON:
  case JW_RULE_REFINED:
    return step->state->psi != 0.0 || step->eta_prev > JW_TINY
           || step->eta_prev + step->r_free > JW_TINY;
  default: return step->state->psi != 0.0;
  }
}

// Most steps of a contact: `bounded` is the theoretical g.
static bool is_theory(const JwStep* step, double* g) {
  *g = step->eta > JW_TINY ? jw_g_theory(step, step->eta) : 0.0;
  return step->eta > JW_TINY && jw_theory_holds(step, *g);
}

static JwSeen seen(const JwStep* step) {
  const double damped = 1.0 + step->seen_q * step->rate;
  const JwSeen result = {step->eta_prev,          step->eta,        step->seen_free / damped,
                         jw_yield(step) / damped, step->state->psi, damped};
  return result;
}

static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  step->seen_free = r_free;
  step->seen_q = q;
  step->refine = JW_REFINE_NOT;
  jw_root_keep(step, step->eta);
  step->rate = loss_rate(step);
  double theory;
  if (step->law->rule == JW_RULE_BOUNDED && is_theory(step, &theory)) {
    set_g(step, theory);
    return;
  }
  const JwSeen view = seen(step);
  switch (step->law->rule) {
  case JW_RULE_PLAIN: set_g(step, jw_g_theory(step, step->eta)); break;
  case JW_RULE_RELEASED: set_g(step, jw_g_released(step, &view)); break;
  case JW_RULE_REFINED: set_g(step, jw_g_first(step, &view, &step->refine)); break;
  default: set_g(step, jw_g_bounded(&view, jw_g_theory(step, view.eta))); break;
  }
}

// The fourth-order force with its loss.  What the loss takes, rate r^2/2, must be right as well:
// psi keeps all that it misses, and gives it back as a kick when the contact opens.  So the rate is
// that of the energy, and psi is asked for the rest of the force.
static double g_with_loss(JwStep* step) {
  const double eta1 = step->eta_prev + step->r, r = step->r, past = step->rate;
  const JwSeen still = {step->eta_prev, step->eta, 0.0, 0.0, 0.0, 1.0};
  const JwLoss loss = jw_fourth_order_loss(step, &still, eta1);
  step->rate = fmin(2.0 * loss.energy / (r * r), MOST_RATES * past);
  const JwSeen view = seen(step);
  const double force = jw_fourth_order_force(step, &view, eta1) + loss.force - step->rate * r;
  const double g = jw_g_for_force(&view, fmax(force, 0.0));
  if (isnan(g)) {
    step->rate = past;
    return step->g;
  }
  return g;
}

static JW_REALTIME bool refine(JwStep* step) {
  if (step->refine == JW_REFINE_FORCE && step->law->loss > 0.0) {
    set_g(step, g_with_loss(step));
  } else if (step->refine) {
    const JwSeen view = seen(step);
    set_g(step, jw_g_second(step, &view, step->eta_prev + step->r));
  }
  return step->refine != JW_REFINE_NOT;
}

// psi that the potential asks for at n + 1/2.
static double wanted_psi(const JwStep* step, double r) {
  return sqrt(jw_potential(step, step->eta_prev + r) + jw_potential(step, step->eta));
}

static JW_REALTIME void finish(JwStep* step) {
  JwPointState* const state = step->state;
  switch (step->law->rule) {
  case JW_RULE_NEWTON: state->psi = wanted_psi(step, step->r); break;
  case JW_RULE_PLAIN:
  case JW_RULE_RELEASED: state->psi += 0.5 * step->g * step->r; break;
  default: state->psi = jw_psi_next(step, state->psi); break;
  }
}

static JW_REALTIME double lost(const JwStep* step) {
  const double rate = step->law->rule == JW_RULE_NEWTON ? loss_rate(step) : step->rate;
  return 0.5 * rate * step->r * step->r;
}

static JW_REALTIME double load(const JwStep* step) {
  return sqrt(jw_potential(step, fmax(step->eta, 0.0))
              + jw_potential(step, fmax(step->eta_prev, 0.0)));
}

static JW_REALTIME double force(const JwStep* step, double r, double* slope) {
  const double rate = loss_rate(step);
  const double gradient = jw_discrete_gradient(step, step->eta_prev, step->eta_prev + r, slope);
  *slope += rate;
  return gradient + rate * r;
}

const JwLawOps jw_collision_ops = {
    .kind = JW_KIND_COLLISION,
    .sides = 2,
    .one_sided = true,
    .begin = begin,
    .active = active,
    .choose = choose,
    .refine = refine,
    .finish = finish,
    .stored = jw_stored_by_psi,
    .lost = lost,
    .supplied = jw_supplied_by_shift,
    .load = load,
    .force = force,
    .control = jw_power_law_control,
};
