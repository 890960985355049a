// Linear and cubic spring with damper, f = K1 mu_tt eta + K3 eta^2 mu_t. eta + 2 sx dt. eta.
//
//   a = K1/4 + K3 eta^2/2 + sx/k,   c = K1 (eta + eta-)/2 + K3 eta^2 eta-             (2.2)
//
// Stored: K1/2 ((eta + eta-)/2)^2 + K3/4 eta^2 eta-^2.  Lost in a step: sx r^2 / 2k.

#include "law/law.h"

static bool active(const JwStep* step)
{
  (void)step;
  return true;
}

static void choose(JwStep* step, double r_free, double q)
{
  (void)r_free;
  (void)q;
  const JwLawParams* const law = step->law;
  const double square = step->eta * step->eta;
  step->a = 0.25 * law->linear + 0.5 * law->cubic * square + law->damping / law->k;
  step->c = 0.5 * law->linear * (step->eta + step->eta_prev) + law->cubic * square * step->eta_prev;
}

static bool refine(JwStep* step)
{
  (void)step;
  return false;
}

static void finish(JwStep* step) { (void)step; }

static double stored(const JwStep* step, double eta, double eta_prev)
{
  const double mean = 0.5 * (eta + eta_prev), product = eta * eta_prev;
  return 0.5 * step->law->linear * mean * mean + 0.25 * step->law->cubic * product * product;
}

static double lost(const JwStep* step) { return step->law->damping * step->r * step->r / (2.0 * step->law->k); }

static double supplied(const JwStep* step)
{
  (void)step;
  return 0.0;
}

static double force(const JwStep* step, double r, double* slope)
{
  *slope = step->a;
  return step->a * r + step->c;
}

const JwLawOps jw_spring_ops = {
  JW_KIND_SPRING, active, choose, refine, finish, stored, lost, supplied, force,
};
