// One-sided collision, f = K [eta]^alpha with optional Hunt-Crossley loss lambda [eta]^alpha d(eta)/dt.
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

static double loss_rate(const JwStep* step)
{
  const JwLawParams* const law = step->law;
  return law->loss > 0.0 ? step->scale * law->loss * jw_positive_power(step->eta, law->exponent) / (2.0 * law->k) : 0.0;
}

static bool active(const JwStep* step)
{
  if (step->eta > JW_TINY) {
    return true;
  }
  switch (step->law->rule) {
  case JW_RULE_PLAIN: return false;
  case JW_RULE_NEWTON:
  case JW_RULE_REFINED:
    return step->state->psi != 0.0 || step->eta_prev > JW_TINY || step->eta_prev + step->r_free > JW_TINY;
  default: return step->state->psi != 0.0;
  }
}

// Published in 2021: turn the sign in contact, send psi through zero after it.
static double released_g(const JwStep* step, double theory)
{
  const double psi = step->state->psi;
  if (step->eta > JW_TINY) {
    return psi >= 0.0 ? theory : -theory;
  }
  return step->r_free != 0.0 ? -2.0 * psi / step->r_free : 0.0;
}

static void set_g(JwStep* step, double g)
{
  step->g = g;
  step->a = 0.25 * g * g + loss_rate(step);
  step->c = g * step->state->psi;
}

static void choose(JwStep* step, double r_free, double q)
{
  const double theory = jw_g_theory(step, step->eta);
  const double psi = step->state->psi;
  if (step->law->rule == JW_RULE_PLAIN) {
    set_g(step, theory);
    return;
  }
  if (step->law->rule == JW_RULE_RELEASED) {
    set_g(step, released_g(step, theory));
    return;
  }
  const double damped = 1.0 + q * loss_rate(step);
  step->g_bound = jw_g_release(psi, r_free / damped, q / damped);
  if (step->eta > JW_TINY) {
    set_g(step, fmin(theory, step->g_bound));
  } else {
    set_g(step, psi > 0.0 && step->g_bound < HUGE_VAL ? step->g_bound : 0.0);
  }
}

// psi that the potential asks for at n + 1/2.
static double wanted_psi(const JwStep* step, double r)
{
  return sqrt(jw_potential(step, step->eta_prev + r) + jw_potential(step, step->eta));
}

static bool refine(JwStep* step)
{
  if (step->law->rule != JW_RULE_REFINED) {
    return false;
  }
  const double r = step->r;
  const double wanted = wanted_psi(step, r);
  if (fabs(r) <= 1e-12 * fmax(fabs(step->eta_prev), fabs(step->eta))) {
    return false;
  }
  const double g = 2.0 * (wanted - step->state->psi) / r;
  set_g(step, fmin(fmax(g, 0.0), step->g_bound));
  return true;
}

static double misfit(const JwStep* step, double g, double r)
{
  return fabs(step->state->psi + 0.5 * g * r - wanted_psi(step, r));
}

static bool keep(const JwStep* step)
{
  return misfit(step, step->g, step->r) <= misfit(step, step->first_g, step->first_r);
}

static void finish(JwStep* step)
{
  JwPointState* const state = step->state;
  if (step->law->rule == JW_RULE_NEWTON) {
    state->psi = wanted_psi(step, step->r);
    return;
  }
  state->psi += 0.5 * step->g * step->r;
  // A release ends at zero but for rounding, of either sign.
  if (step->law->rule >= JW_RULE_REFINED || step->law->rule == JW_RULE_BOUNDED) {
    if (state->psi < 0.0 || step->g == step->g_bound) {
      state->psi = 0.0;
    }
  }
}

static double stored(const JwStep* step, double eta, double eta_prev)
{
  (void)eta;
  (void)eta_prev;
  return 0.5 * step->state->psi * step->state->psi;
}

static double lost(const JwStep* step)
{
  return loss_rate(step) * step->r * step->r;
}

static double supplied(const JwStep* step)
{
  (void)step;
  return 0.0;
}

static double force(const JwStep* step, double r, double* slope)
{
  const double rate = loss_rate(step);
  const double gradient = jw_discrete_gradient(step, step->eta_prev, step->eta_prev + r, slope);
  *slope += rate;
  return gradient + rate * r;
}

const JwLawOps jw_collision_ops = {
  JW_KIND_COLLISION, active, choose, refine, keep, finish, stored, lost, supplied, force,
};
