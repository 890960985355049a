// SPDX-License-Identifier: MIT
// One impact, and the bouncing ball, by any of nine schemes: four of the lab, five of the engine.
//
// The engine's mass lies above the wall and moves down: compression is minus its height.  Its exit
// velocity is read 16 samples after contact, from two heights, since plain and released may still
// act on a mass that has left.

#include "../build.h"
#include "papetti2009.h"

#include <math.h>

const char* const jw_papetti_scheme_names[JW_PAPETTI_SCHEMES] = {
    "AM1", "Verlet", "Heun", "RK4", "plain", "released", "bounded", "refined", "newton"};

// ---------------------------------------------------------------- the lab

// Energy that rises by less than this part of the first is rounding.
#define RISE 1e-12

static void impact_lab(const JwPapettiCase* c, JwLabMethod method, double rate, double phase,
                       JwPapettiImpact* impact) {
  JwLabRunDef def = jw_lab_run_default();
  def.impact = c->impact;
  def.method = method;
  def.sample_rate = rate;
  JwLabState s = {-phase * c->v_in / rate, c->v_in, 0.0};
  const double first = jw_lab_energy(&c->impact, 0.0, c->v_in);
  double before = first;
  *impact = (JwPapettiImpact){.rises = 0};
  do {
    jw_lab_step(&def, &s);
    const double energy = jw_lab_energy(&c->impact, s.x, s.v);
    impact->rises += energy > before + RISE * first;
    impact->x_max = fmax(impact->x_max, s.x);
    before = energy;
  } while (s.x > 0.0 || impact->x_max <= 0.0);
  impact->v_out = s.v;
}

// ---------------------------------------------------------------- the engine

typedef struct {
  JwWorld* world;
  JwContactId contact;
} Set;

static bool open_set(JwPaperRun* run, Set* set, const JwPapettiCase* c, JwRule rule, double rate,
                     double phase) {
  JwBuild b = jw_build_begin(rate, true);
  JwMassDef mass = jw_mass_default();
  mass.mass = c->impact.mass;
  mass.frequency = 0.0;
  mass.position = phase * c->v_in / rate;
  mass.velocity = -c->v_in;
  mass.gravity = c->impact.gravity;
  JwCollisionDef hit = jw_collision_default();
  hit.below = jw_port(jw_build_barrier(&b, 0.0), 0.0);
  hit.above = jw_port(jw_build_mass(&b, mass), 0.0);
  hit.stiffness = c->impact.stiffness;
  hit.exponent = c->impact.exponent;
  hit.loss = c->impact.loss * c->impact.stiffness;
  hit.rule = rule;
  set->contact = jw_build_hit(&b, hit);
  jw_build_ear(&b, hit.above);
  set->world = jw_build_end(run, &b);
  return set->world != NULL;
}

static bool impact_engine(JwPaperRun* run, const JwPapettiCase* c, JwRule rule, double rate,
                          double phase, JwPapettiImpact* impact) {
  Set set;
  if (!open_set(run, &set, c, rule, rate, phase)) {
    return false;
  }
  double height = 0.0, height_prev = 0.0;
  double* const out = &height;
  JwStatus status = JW_STATUS_OK;
  double before = jw_world_energy(set.world).stored;
  const double first = before;
  *impact = (JwPapettiImpact){.rises = 0};
  for (int after = 0; after < 16 && status == JW_STATUS_OK;) {
    height_prev = height;
    status = jw_world_run_double(set.world, &out, 1);
    const double energy = jw_world_energy(set.world).stored;
    impact->rises += energy > before + RISE * first;
    before = energy;
    impact->x_max = fmax(impact->x_max, -height);
    after += impact->x_max > 0.0 && height >= 0.0;
  }
  impact->v_out = -(height - height_prev) * rate;
  impact->pull = jw_world_contact_figures(set.world, set.contact).pull;
  impact->residual = jw_world_energy(set.world).worst_residual;
  jw_world_destroy(set.world);
  return status == JW_STATUS_OK
         || jw_paper_fail(run, "the engine stopped: %s", jw_status_name(status));
}

bool jw_papetti_impact(JwPaperRun* run, const JwPapettiCase* c, size_t scheme, double rate,
                       double phase, JwPapettiImpact* impact) {
  if (scheme < JW_LAB_METHODS) {
    impact_lab(c, (JwLabMethod)scheme, rate, phase, impact);
    return true;
  }
  return impact_engine(run, c, jw_paper_rules[scheme - JW_LAB_METHODS], rate, phase, impact);
}

bool jw_papetti_bounce(JwPaperRun* run, size_t scheme, double leaves[JW_PAPETTI_REBOUNDS]) {
  const double rate = 44100.0;
  JwPapettiCase c = jw_papetti_cases[JW_PAPETTI_CASE_1];
  c.impact.gravity = 9.81;
  Set set;
  if (!open_set(run, &set, &c, jw_paper_rules[scheme - JW_LAB_METHODS], rate, 0.0)) {
    return false;
  }
  double height = 0.0;
  double* const out = &height;
  JwStatus status = JW_STATUS_OK;
  size_t rebounds = 0;
  for (int n = 0; n < 44100 && rebounds < JW_PAPETTI_REBOUNDS && status == JW_STATUS_OK; ++n) {
    const double before = height;
    status = jw_world_run_double(set.world, &out, 1);
    if (before < 0.0 && height >= 0.0) {
      leaves[rebounds++] = (double)(n + 1) / rate;
    }
  }
  jw_world_destroy(set.world);
  return (status == JW_STATUS_OK && rebounds == JW_PAPETTI_REBOUNDS)
         || jw_paper_fail(run, "%s: %zu rebounds in a second, then %s",
                          jw_papetti_scheme_names[scheme], rebounds, jw_status_name(status));
}
