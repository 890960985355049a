// Two-sided contact, f = K [|eta| - slack]^alpha sgn(eta), optional Hunt-Crossley loss.
//
// As collision.c, with psi carrying the sign of eta: then g >= 0 always, nothing has a kink at zero, and
// alpha = 1 without slack is exactly the linear spring.  Inside the slack a rest of psi is released as
// a collision's is; without slack psi passes through zero and nothing is ever bounded.

#include "law/law.h"

#include <math.h>

static double sign(double x) { return x < 0.0 ? -1.0 : 1.0; }

static double depth(const JwStep* step, double eta)
{
  const double x = fabs(eta) - step->law->slack;
  return x > 0.0 ? x : 0.0;
}

static double loss_rate(const JwStep* step)
{
  const JwLawParams* const law = step->law;
  return law->loss > 0.0 ? law->loss * jw_positive_power(depth(step, step->eta), law->exponent) / (2.0 * law->k) : 0.0;
}

static bool active(const JwStep* step)
{
  if (depth(step, step->eta) > JW_TINY || step->state->psi != 0.0) {
    return step->law->rule != JW_RULE_PLAIN || depth(step, step->eta) > JW_TINY || step->law->slack == 0.0;
  }
  return step->law->rule >= JW_RULE_REFINED
         && (depth(step, step->eta_prev) > JW_TINY || depth(step, step->eta_prev + step->r_free) > JW_TINY);
}

static void set_g(JwStep* step, double g)
{
  step->g = g;
  step->a = 0.25 * g * g + loss_rate(step);
  step->c = g * step->state->psi;
}

static void choose(JwStep* step, double r_free, double q)
{
  const double psi = step->state->psi;
  const double theory = jw_g_theory(step, depth(step, step->eta));
  step->g_bound = HUGE_VAL;
  if (step->law->rule == JW_RULE_PLAIN || step->law->slack == 0.0) {
    set_g(step, theory);
    return;
  }
  const double damped = 1.0 + q * loss_rate(step);
  const double side = sign(psi);
  const double release = jw_g_release(fabs(psi), side * r_free / damped, q / damped);
  const bool touching = depth(step, step->eta) > JW_TINY && sign(step->eta) == side;
  step->g_bound = release;
  if (touching || psi == 0.0) {
    set_g(step, psi == 0.0 ? theory : fmin(theory, release));
  } else {
    set_g(step, release < HUGE_VAL ? release : 0.0);
  }
}

static double wanted_psi(const JwStep* step, double r)
{
  const double next = step->eta_prev + r;
  const double phi = jw_potential(step, depth(step, next)) + jw_potential(step, depth(step, step->eta));
  return sign(next + step->eta) * sqrt(phi);
}

static bool refine(JwStep* step)
{
  const double r = step->r;
  if (step->law->rule != JW_RULE_REFINED || fabs(r) <= 1e-12 * fmax(fabs(step->eta_prev), fabs(step->eta))) {
    return false;
  }
  const double g = 2.0 * (wanted_psi(step, r) - step->state->psi) / r;
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
  const double before = state->psi;
  state->psi += 0.5 * step->g * step->r;
  if (step->law->slack > 0.0 && step->law->rule != JW_RULE_PLAIN && step->g == step->g_bound && before != 0.0) {
    state->psi = 0.0; // Released, but for rounding
  }
}

static double stored(const JwStep* step, double eta, double eta_prev)
{
  (void)eta;
  (void)eta_prev;
  return 0.5 * step->state->psi * step->state->psi;
}

static double lost(const JwStep* step) { return loss_rate(step) * step->r * step->r; }

static double supplied(const JwStep* step)
{
  (void)step;
  return 0.0;
}

// The potential is even, so its discrete gradient needs both sides; across the slack the plain quotient
// serves, since the two values are then far apart.
static double force(const JwStep* step, double r, double* slope)
{
  const double x0 = step->eta_prev, x1 = x0 + r, rate = loss_rate(step);
  double gradient;
  if (sign(x0) == sign(x1)) {
    gradient = sign(x1) * jw_discrete_gradient(step, depth(step, x0), depth(step, x1), slope);
    const double moved = fabs(x1) - fabs(x0), deep = depth(step, x1) - depth(step, x0);
    if (deep != moved && moved != 0.0) { // One of the two lies in the slack
      gradient *= deep / moved;
      *slope = r != 0.0 ? (sign(x1) * jw_potential_slope(step, depth(step, x1)) - gradient) / r : 0.0;
    }
  } else {
    gradient = (jw_potential(step, depth(step, x1)) - jw_potential(step, depth(step, x0))) / r;
    *slope = (sign(x1) * jw_potential_slope(step, depth(step, x1)) - gradient) / r;
  }
  *slope = fmax(*slope, 0.0) + rate;
  return gradient + rate * r;
}

const JwLawOps jw_connection_ops = {
  JW_KIND_CONNECTION, active, choose, refine, keep, finish, stored, lost, supplied, force,
};
