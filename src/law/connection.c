// SPDX-License-Identifier: MIT
// Two-sided contact, f = K [|eta| - slack]^alpha sgn(eta), optional Hunt-Crossley loss.
//
// As collision.c, with psi carrying the sign of eta: then g >= 0 always, nothing has a kink at
// zero, and alpha = 1 without slack is exactly the linear spring.  Inside the slack a rest of psi
// is released as a collision's is; without slack psi passes through zero and nothing is ever
// bounded.

#include "law/law.h"

#include "base/hint.h"

#include <math.h>

static double sign(double x) {
  return x < 0.0 ? -1.0 : 1.0;
}

static double depth(const JwStep* step, double eta) {
  const double x = fabs(eta) - step->law->slack;
  return x > 0.0 ? x : 0.0;
}

static double loss_rate(const JwStep* step) {
  const JwLawParams* const law = step->law;
  return law->loss > 0.0 ? jw_held_rate(
             step,
             law->loss * jw_positive_power(depth(step, step->eta), law->exponent) / (2.0 * law->k))
                         : 0.0;
}

// alpha = 1 without slack: g is the same everywhere, also at 0, where a power of 0 would say 0.
static bool is_spring(const JwStep* step) {
  return step->law->slack == 0.0 && step->law->half_power == 0.0;
}

static double g_theory(const JwStep* step) {
  return is_spring(step) ? sqrt(step->scale * step->law->stiffness)
                         : jw_g_theory(step, depth(step, step->eta));
}

static void take_g(JwStep* step, double wanted, double rate) {
  const double g = jw_held_g(step, wanted);
  step->g = g;
  step->a = 0.25 * g * g + rate;
  step->c = g * step->state->psi;
}

static JW_REALTIME void begin(JwStep* step) {
  step->state->psi = sign(step->eta) * sqrt(2.0 * jw_potential(step, depth(step, step->eta)));
  take_g(step, g_theory(step), 0.0);
}

static JW_REALTIME bool active(const JwStep* step) {
  if (is_spring(step)) {
    return true;
  }
  if (depth(step, step->eta) > JW_TINY || step->state->psi != 0.0) {
    return step->law->rule != JW_RULE_PLAIN || depth(step, step->eta) > JW_TINY
           || step->law->slack == 0.0;
  }
  return step->law->rule >= JW_RULE_REFINED
         && (depth(step, step->eta_prev) > JW_TINY
             || depth(step, step->eta_prev + step->r_free) > JW_TINY);
}

static void set_g(JwStep* step, double wanted) {
  take_g(step, wanted, loss_rate(step));
}

// Beyond the slack on one side, what a release has left of a load on the other pushes here, with
// the same energy. Kept where it was, a rest of 1e-300 would let everything through until it is
// exactly 0.
static void turn_load(JwStep* step) {
  if (depth(step, step->eta) > JW_TINY && (step->state->psi < 0.0) != (step->eta < 0.0)) {
    step->state->psi = -step->state->psi;
  }
}

// The side on which it pushes: psi's; without a load, eta's; within the slack, where it is going.
static double pushing_side(const JwStep* step) {
  if (step->law->slack == 0.0) {
    return sign(step->eta);
  }
  if (step->state->psi != 0.0) {
    return sign(step->state->psi);
  }
  return fabs(step->eta) > step->law->slack ? sign(step->eta)
                                            : sign(step->eta_prev + step->seen_free);
}

static JwSeen seen(const JwStep* step) {
  const double side = pushing_side(step), slack = step->law->slack,
               damped = 1.0 + step->seen_q * loss_rate(step);
  const JwSeen result = {side * step->eta_prev - slack,   side * step->eta - slack,
                         side * step->seen_free / damped, jw_yield(step) / damped,
                         side * step->state->psi,         damped};
  return result;
}

// Without slack nothing is ever released; a refined step is worth while when it stays on one side
// and the connection is resolved, q times its slope at the deepest penetration being small.
static bool worth_while(const JwStep* step, const JwSeen* view, double eta1) {
  const double deepest = fmax(view->eta, fmax(view->eta_prev, eta1)), alpha = step->law->exponent;
  return view->psi > 0.0 && view->eta_prev > 0.0 && view->eta > 0.0 && eta1 > 0.0
         && view->q * step->law->stiffness * alpha * jw_positive_power(deepest, alpha - 1.0) <= 0.1;
}

static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  step->seen_free = r_free;
  step->seen_q = q;
  step->refine = JW_REFINE_NOT;
  const JwRule rule = step->law->rule;
  if (rule == JW_RULE_PLAIN || step->law->slack == 0.0) {
    step->refine = rule == JW_RULE_REFINED ? JW_REFINE_FORCE : JW_REFINE_NOT;
    set_g(step, g_theory(step));
    return;
  }
  turn_load(step);
  const JwSeen view = seen(step);
  switch (rule) {
  case JW_RULE_RELEASED: set_g(step, jw_g_released(step, &view)); break;
  case JW_RULE_REFINED: set_g(step, jw_g_first(step, &view, &step->refine)); break;
  default: set_g(step, jw_g_bounded(&view, jw_g_theory(step, view.eta))); break;
  }
}

static JW_REALTIME bool refine(JwStep* step) {
  if (!step->refine) {
    return false;
  }
  const JwSeen view = seen(step);
  const double eta1 = view.eta_prev + pushing_side(step) * step->r;
  if (step->law->slack == 0.0) {
    const double g = worth_while(step, &view, eta1)
                         ? jw_g_for_force(&view, jw_fourth_order_force(step, &view, eta1))
                         : NAN;
    if (isnan(g)) {
      return false;
    }
    set_g(step, g);
    return true;
  }
  set_g(step, jw_g_second(step, &view, eta1));
  return true;
}

static double wanted_psi(const JwStep* step, double r) {
  const double next = step->eta_prev + r;
  const double phi =
      jw_potential(step, depth(step, next)) + jw_potential(step, depth(step, step->eta));
  return sign(next + step->eta) * sqrt(phi);
}

static JW_REALTIME void finish(JwStep* step) {
  JwPointState* const state = step->state;
  if (step->law->rule == JW_RULE_NEWTON) {
    state->psi = wanted_psi(step, step->r);
  } else if (step->law->slack > 0.0
             && (step->law->rule == JW_RULE_BOUNDED || step->law->rule == JW_RULE_REFINED)) {
    const double side = sign(state->psi != 0.0 ? state->psi : step->r);
    const double next = side * (state->psi + 0.5 * step->g * step->r);
    state->psi = fabs(next) < 1e-9 * fabs(state->psi) + JW_TINY ? 0.0 : side * fabs(next);
  } else {
    state->psi += 0.5 * step->g * step->r;
  }
}

static JW_REALTIME double lost(const JwStep* step) {
  return 0.5 * loss_rate(step) * step->r * step->r;
}

// sqrt(2 phi) with the sign of eta.
static double signed_psi(const JwStep* step, double eta) {
  const double psi = sqrt(2.0 * jw_potential(step, depth(step, eta)));
  return eta < 0.0 ? -psi : psi;
}

// Between the two: the mean of psi, as a spring has it; with slack, and for newton, that of the
// energy.
static JW_REALTIME double load(const JwStep* step) {
  const double now = signed_psi(step, step->eta), past = signed_psi(step, step->eta_prev);
  if (step->law->slack == 0.0 && step->law->rule != JW_RULE_NEWTON) {
    return 0.5 * (now + past);
  }
  const double psi = sqrt(0.5 * (now * now + past * past));
  return step->eta + step->eta_prev < 0.0 ? -psi : psi;
}

// The potential is even, so its discrete gradient needs both sides; across the slack the plain
// quotient serves, since the two values are then far apart.
static JW_REALTIME double force(const JwStep* step, double r, double* slope) {
  const double x0 = step->eta_prev, x1 = x0 + r, rate = loss_rate(step);
  double gradient;
  if (sign(x0) == sign(x1)) {
    gradient = sign(x1) * jw_discrete_gradient(step, depth(step, x0), depth(step, x1), slope);
    const double moved = fabs(x1) - fabs(x0), deep = depth(step, x1) - depth(step, x0);
    if (deep != moved && moved != 0.0) { // One of the two lies in the slack
      gradient *= deep / moved;
      *slope =
          r != 0.0 ? (sign(x1) * jw_potential_slope(step, depth(step, x1)) - gradient) / r : 0.0;
    }
  } else {
    gradient = (jw_potential(step, depth(step, x1)) - jw_potential(step, depth(step, x0))) / r;
    *slope = (sign(x1) * jw_potential_slope(step, depth(step, x1)) - gradient) / r;
  }
  *slope = fmax(*slope, 0.0) + rate;
  return gradient + rate * r;
}

const JwLawOps jw_connection_ops = {
    .kind = JW_KIND_CONNECTION,
    .sides = 2,
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
