// SPDX-License-Identifier: MIT
// The experiments of Papetti, Avanzini and Rocchesso 2009, and what they share.

#include "papetti2009.h"

#include <math.h>

#define PI 3.14159265358979323846

const JwPapettiCase jw_papetti_cases[JW_PAPETTI_CASES] = {
    {"soft impact",
     "m = 10 g, k = 10\u2075 N/m^{1.6}, \u03b1 = 1.6, \u00b5 = 0.5 s/m, v_{in} = 0.3 m/s, 44.1 kHz",
     {1e-2, 1e5, 1.6, 0.5, 0.0},
     0.3},
    {"case 1",
     "m = 10 g, k = 10\u2077 N/m^{1.1}, \u03b1 = 1.1, \u00b5 = 0.1 s/m, v_{in} = 0.3 m/s, 44.1 kHz",
     {1e-2, 1e7, 1.1, 0.1, 0.0},
     0.3},
    {"case 2",
     "m = 10 g, k = 10\u2079 N/m^{1.5}, \u03b1 = 1.5, \u00b5 = 0.5 s/m, v_{in} = 1 m/s, 44.1 kHz",
     {1e-2, 1e9, 1.5, 0.5, 0.0},
     1.0},
};

static const JwPaperExperiment experiments[] = {
    {"papetti2009-fig1", "Figure 1: phase portrait of the impact",
     "Compression and velocity during contact, exact, for impacts of 1 to 4 m/s; dashed, the free "
     "motion "
     "before and after. Whatever the velocity of the impact, the mass leaves slower than 1/mu.",
     jw_papetti_fig1},
    {"papetti2009-fig2", "Figure 2: compression and force",
     "The force over the compression for the same impacts. The loop encloses the energy lost; "
     "without "
     "friction (dashed) there is no loop.",
     jw_papetti_fig2},
    {"papetti2009-fig3", "Figure 3: error of the expansion for the exit velocity",
     "The paper's closed expression for the exit velocity against the exact one through the "
     "Lambert "
     "function. Both depend on mu v_in alone.",
     jw_papetti_fig3},
    {"papetti2009-eq9", "Equation (9): the contact time and its power law",
     "How long an impact lasts, by the paper's integral and as the engine plays it. For a fixed velocity it grows as "
     "(m/k)^(1/(alpha+1)): harder means shorter.",
     jw_papetti_eq9},
    {"papetti2009-fig4", "Figure 4: a soft impact, four methods",
     "Contact lasts many samples at 44.1 kHz; all methods lie on the exact curve.",
     jw_papetti_fig4},
    {"papetti2009-fig5", "Figure 5: a hard impact with little loss (case 1), four methods",
     "Contact lasts eight samples. Verlet and Heun go deeper than the largest compression "
     "possible, and all "
     "but RK4 leave with too much energy.",
     jw_papetti_fig5},
    {"papetti2009-fig6", "Figure 6: a hard impact with loss (case 2), four methods",
     "Contact lasts six samples. Heun leaves too slowly, AM1 too fast.", jw_papetti_fig6},
    {"papetti2009-table1", "Table 1: percentage errors of the two hard impacts",
     "Largest compression, exit velocity and final energy of each method against the closed forms, "
     "in "
     "percent; n.e. where the largest compression is not exceeded. Equal to the paper in every "
     "printed digit.",
     jw_papetti_table1},
    {"papetti2009-fig7", "Figure 7: the corrections of section 4.2",
     "The worst method of each case, plain and corrected: the compression limited to its largest "
     "value, the "
     "exit velocity set to the expansion's.",
     jw_papetti_fig7},
    {"papetti2009-fig8", "Figure 8: a bouncing ball",
     "Case 1 under gravity. What an impact gets wrong, every later rebound inherits.",
     jw_papetti_fig8},
    {"papetti2009-schemes", "Beyond the paper: the engine's five rules on the same impacts",
     "The rules by which the engine chooses g (plain, released, bounded, refined) and the "
     "iterative "
     "newton, all with Hunt-Crossley loss, beside the paper's four methods: the two hard impacts "
     "at "
     "64 positions of the first contact between two samples, their convergence, and the bouncing "
     "ball. Of the paper's methods only RK4 keeps its condition (24), that energy never rises, in "
     "both cases; all five rules keep it by construction.",
     jw_papetti_schemes},
};

const JwPaper jw_papetti2009 = {
    .key = "papetti2009",
    .authors = "S. Papetti, F. Avanzini, D. Rocchesso",
    .title = "Energy and accuracy issues in numerical simulations of a non-linear impact model",
    .source =
        "Proceedings of the 12th International Conference on Digital Audio Effects (DAFx-09), Como, "
        "2009; extended as: Numerical methods for a nonlinear impact model: a "
        "comparative study with closed-form corrections, IEEE Transactions on Audio, Speech, and "
        "Language Processing, 2011, doi:10.1109/TASL.2011.2118204",
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof *experiments,
};

JwPapettiPortrait jw_papetti_portrait(const JwLabImpact* impact, double v_in) {
  JwPapettiPortrait p = {.v_in = v_in, .v_out = jw_lab_exit_velocity(impact, v_in)};
  const size_t last = JW_PAPETTI_POINTS - 1;
  for (size_t i = 0; i <= last; ++i) {
    const double part = 0.5 * (1.0 - cos(PI * (double)i / (double)last));
    p.v[i] = i == 0 ? v_in : i == last ? p.v_out : v_in + part * (p.v_out - v_in);
    p.x[i] = jw_lab_compression(impact, v_in, p.v[i]);
    p.f[i] = jw_lab_force(impact, p.x[i], p.v[i]);
  }
  return p;
}

bool jw_papetti_simulate(JwPaperRun* paper, const JwPapettiCase* c, JwLabMethod method,
                         bool corrected, JwPapettiRun* run) {
  JwLabState states[JW_PAPETTI_SAMPLES];
  JwLabRunDef def = jw_lab_run_default();
  def.impact = c->impact;
  def.v_in = c->v_in;
  def.method = method;
  def.corrected = corrected;
  JwLabTrace trace = {states, JW_PAPETTI_SAMPLES, 0};
  if (!jw_lab_run(&def, &trace)) {
    return jw_paper_fail(paper, "%s with %s is still in contact after %d samples", c->name,
                         jw_lab_method_name(method), JW_PAPETTI_SAMPLES);
  }
  run->count = trace.count;
  for (size_t n = 0; n < trace.count; ++n) {
    run->t[n] = (double)n / def.sample_rate;
    run->x[n] = states[n].x;
    run->v[n] = states[n].v;
    run->f[n] = states[n].f;
    run->kinetic[n] = 0.5 * c->impact.mass * states[n].v * states[n].v;
    run->energy[n] = jw_lab_energy(&c->impact, states[n].x, states[n].v);
    run->elastic[n] = run->energy[n] - run->kinetic[n];
  }
  return true;
}

double jw_papetti_deepest(const JwPapettiRun* run) {
  double deepest = 0.0;
  for (size_t n = 0; n < run->count; ++n) {
    deepest = fmax(deepest, run->x[n]);
  }
  return deepest;
}
