// SPDX-License-Identifier: MIT
// A string over a flat rigid barrier: the engine's stiff contact against the exact solution.
//
// 0.5 m, 5 g/m, 250 N, plucked by 2 mm, barrier 1 mm below, K = 1e9 N/m^2.01 along the string.  At
// its limit, c k = h, the grid has no dispersion, and what is left is the contact's error: that of
// its stiffness (a contact lasts Tc instead of no time) and that of the rule.  But there the points
// fall into two sets, even and odd place plus step, that know nothing of each other, and a rule
// that takes g from eta(n) for a force between eta(n+1) and eta(n-1) takes it from the wrong set.
// So the grid is also laid with 2 % fewer points.

#include "../build.h"
#include "flat.h"
#include "study.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

enum {
  RULES = JW_PAPER_RULES,
  RATES = 4,
  CASES = 3,
  COARSE = 100,
  COUNT = 901,
  PERIOD = 150,
  FINE = 12800
};

static const double density = 0.005, tension = 250.0, stiffness = 1e9, exponent = 1.01;

typedef struct {
  double t[COUNT], exact[CASES][COUNT], lattice[CASES][COUNT];
  double u[CASES][RULES][COUNT]; ///< At the coarsest rate
  double rates[RATES], error[CASES][RULES][RATES];
  double cents[CASES][RULES][RATES]; ///< Of the pitch, plucked in the middle
  double residual;
} Results;

static const struct {
  double peak;  ///< Place of the pluck
  double share; ///< Of the points that the grid may have
  const char *title, *key, *words;
} cases[CASES] = {{0.5, 1.0, "Plucked in the middle, grid at its limit, 44.7 kHz", "limit",
                   "middle, grid at its limit"},
                  {0.5, 0.98, "Plucked in the middle, 2 % fewer points, 44.7 kHz", "middle",
                   "middle, 2 % fewer points"},
                  {0.3, 0.98, "Plucked at 0.3 L, 2 % fewer points, 44.7 kHz", "side",
                   "at 0.3 L, 2 % fewer points"}};

static JwFlatString string_of(size_t c) {
  return (JwFlatString){0.5, sqrt(tension / density), 2e-3, cases[c].peak, 1e-3, 0.9};
}

static bool in_the_middle(size_t c) {
  return cases[c].peak == 0.5;
}

// ---------------------------------------------------------------- the engine

static JwWorld* open_world(JwPaperRun* run, const JwFlatString* s, JwRule rule, double rate,
                           uint32_t intervals) {
  JwBuild b = jw_build_begin(rate, intervals <= COARSE); // The ledger once is enough
  JwStringDef string = jw_string_default();
  string.length = s->length;
  string.mass_per_length = density;
  string.tension = tension;
  string.young = 0.0;
  string.points = intervals;
  const JwObjectId id = jw_build_string(&b, string);
  JwCollisionDef hit = jw_collision_default();
  hit.below = jw_port(jw_build_barrier(&b, -s->gap), 0.5);
  hit.above = jw_port(id, 0.5);
  hit.stiffness = stiffness;
  hit.exponent = exponent;
  hit.rule = rule;
  hit.along = true;
  const JwInitialDef pluck = {
      .object = id, .shape = JW_SHAPE_TRIANGLE, .x = s->peak, .amplitude = s->height, .width = 1.0};
  b.status = b.status ? b.status : jw_world_add_initial(b.world, &pluck);
  jw_build_hit(&b, hit);
  jw_build_ear(&b, jw_port(id, s->pickup));
  return jw_build_end(run, &b);
}

// The pitch, from the phase of the fundamental in the first and in the last three of six periods.
static double cents_of(const double* u) {
  double phase[2];
  for (size_t half = 0; half < 2; ++half) {
    double c = 0.0, n = 0.0;
    for (size_t i = 0; i < 3 * PERIOD; ++i) {
      const double angle = 2.0 * PI * (double)i / PERIOD, value = u[half * 3 * PERIOD + i];
      c += value * cos(angle), n += value * sin(angle);
    }
    phase[half] = atan2(n, c);
  }
  const double lag = remainder(phase[1] - phase[0], 2.0 * PI);
  return 1200.0 * log2(1.0 - lag / (3.0 * 2.0 * PI));
}

static bool run_string(JwPaperRun* run, size_t c, size_t rule, size_t rate, Results* results) {
  const JwFlatString s = string_of(c);
  const size_t factor = (size_t)1 << rate, intervals = COARSE * factor;
  const double fs = (double)intervals * s.speed / s.length * (1.0 + 1e-12); // Inside the limit
  JwWorld* const world = open_world(run, &s, jw_paper_rules[rule], fs,
                                    (uint32_t)(cases[c].share * (double)intervals + 0.5));
  bool good = world != NULL;
  static double u[COUNT];
  double block[1 << (RATES - 1)];
  double* const out = block;
  u[0] = results->exact[c][0];
  for (size_t n = 1; n < COUNT && good; ++n) {
    good = !jw_world_run_double(world, &out, (uint32_t)factor);
    u[n] = block[factor - 1];
  }
  if (good) {
    results->rates[rate] = fs;
    results->error[c][rule][rate] = jw_paper_relative(u, results->exact[c], 1, COUNT);
    results->residual = fmax(results->residual, jw_world_energy(world).worst_residual);
    results->cents[c][rule][rate] = in_the_middle(c) ? cents_of(u) : NAN;
    for (size_t n = 0; n < COUNT && rate == 0; ++n) {
      results->u[c][rule][n] = u[n];
    }
  }
  jw_world_destroy(world);
  return good || jw_paper_fail(run, "the engine stopped");
}

static bool measure(JwPaperRun* run, Results* results) {
  bool good = true;
  for (size_t c = 0; c < CASES && good; ++c) {
    const JwFlatString s = string_of(c);
    if (!jw_flat_characteristics(&s, FINE, FINE / COARSE, results->lattice[c], COUNT)) {
      return jw_paper_fail(run, "no memory");
    }
    for (size_t n = 0; n < COUNT; ++n) {
      results->t[n] = (double)n * s.length / s.speed / COARSE;
      results->exact[c][n] =
          in_the_middle(c) ? jw_flat_exact(&s, s.pickup, results->t[n]) : results->lattice[c][n];
    }
    for (size_t i = 0; i < RULES * RATES && good; ++i) {
      good = run_string(run, c, i / RATES, i % RATES, results);
    }
  }
  return good;
}

// ---------------------------------------------------------------- figure, table, numbers

static bool draw(JwPaperRun* run, const Results* results) {
  static const size_t shown[3] = {JW_PAPER_PLAIN, JW_PAPER_BOUNDED, JW_PAPER_NEWTON};
  JwPlotSeries series[2 * CASES][RULES];
  JwPlotPanel panels[2 * CASES];
  for (size_t p = 0; p < 2 * CASES; ++p) {
    const size_t c = p / 2;
    panels[p] = jw_plot_panel_default();
    panels[p].title = p % 2 ? "Error over the sample rate" : cases[c].title;
    panels[p].series = series[p];
    if (p % 2) {
      for (size_t r = 0; r < RULES; ++r) {
        series[p][r] = jw_paper_rule_line(r, results->rates, results->error[c][r], RATES);
      }
      panels[p].series_count = RULES;
      panels[p].x = (JwPlotAxis){.label = "sample rate", .unit = "Hz", .log = true};
      panels[p].y = (JwPlotAxis){.label = "relative error in 20 ms", .log = true};
      continue;
    }
    series[p][0] = jw_paper_line(results->t, results->exact[c], COUNT, "exact");
    series[p][0].color = JW_PLOT_GREY;
    series[p][0].width = 4.0;
    for (size_t i = 0; i < 3; ++i) {
      series[p][1 + i] = jw_paper_rule_line(shown[i], results->t, results->u[c][shown[i]], COUNT);
      series[p][1 + i].marker = JW_PLOT_NO_MARKER;
    }
    panels[p].series_count = 4;
    panels[p].x = (JwPlotAxis){.label = "time", .unit = "s"};
    panels[p].y = (JwPlotAxis){.label = "displacement at 0.9 L", .unit = "m"};
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A string over a flat rigid barrier";
  figure.caption = "0.5 m, 5 g/m, 250 N, plucked by 2 mm, barrier 1 mm below; contact K = "
                   "10\u2079 N/m^{2.01}, \u03b1 = 1.01 along the string";
  figure.panels = panels;
  figure.panel_count = 2 * CASES;
  figure.columns = 2;
  figure.width = 1080.0;
  figure.height = 230.0;
  return jw_paper_figure(run, "study-flat-barrier", &figure);
}

static bool save(JwPaperRun* run, const Results* results) {
  static char names[CASES * RULES][40];
  JwPaperColumn columns[3 + CASES * RULES] = {{"t", results->t, COUNT},
                                              {"exact_middle", results->exact[0], COUNT},
                                              {"exact_side", results->exact[2], COUNT}};
  for (size_t i = 0; i < CASES * RULES; ++i) {
    snprintf(names[i], 40, "%s_%s", cases[i / RULES].key, jw_paper_rule_names[i % RULES]);
    columns[3 + i] = (JwPaperColumn){names[i], results->u[i / RULES][i % RULES], COUNT};
  }
  return jw_paper_csv(run, "study-flat-barrier", columns, 3 + CASES * RULES);
}

static bool tabulate(JwPaperRun* run, const Results* results) {
  const size_t last = RATES - 1;
  JwText rows = {0};
  jw_text_add(&rows, "358 kHz\terror, grid at its limit\tpitch\terror, 2 %% fewer "
                     "points\tpitch\terror, plucked at 0.3 L");
  for (size_t r = 0; r < RULES; ++r) {
    jw_text_add(&rows, "\n%s\t%.2g\t%+.1f cents\t%.2g\t%+.1f cents\t%.2g", jw_paper_rule_names[r],
                results->error[0][r][last], results->cents[0][r][last], results->error[1][r][last],
                results->cents[1][r][last], results->error[2][r][last]);
  }
  const bool good = jw_paper_table(run, &rows);
  jw_text_release(&rows);
  return good;
}

// ---------------------------------------------------------------- statements

static bool agree_on_reference(JwPaperRun* run, const Results* results) {
  const JwFlatString s = string_of(0);
  const double dt = s.length / s.speed / FINE, fastest = 2.0 * s.height * s.speed / s.length;
  return jw_paper_agree(
      run,
      (JwPaperAgreement){
          .quantity = "characteristics against the closed form, plucked in the middle",
          .unit = "m",
          .theirs = 0.0,
          .ours = jw_paper_distance(results->lattice[0], results->exact[0], COUNT),
          .tolerance = 6.0 * 2.0 * dt * fastest * (1.0 + 1e-9),
          .own = true,
          .why = "six impacts, each two steps late, at the speed 2Ac/L of the falling string"});
}

// Seconds by which a contact comes back late: as long as it lasts, and a sample or two for the
// rule.
static double lateness(const Results* results, size_t rate) {
  return PI * sqrt(density / stiffness) + 2.0 / results->rates[rate];
}

static bool agree_on_pitch(JwPaperRun* run, const Results* results, size_t c, size_t rule,
                           size_t rate) {
  const JwFlatString s = string_of(c);
  char quantity[100];
  snprintf(quantity, sizeof quantity, "pitch, %s, %s, %.1f kHz", cases[c].words,
           jw_paper_rule_names[rule], 1e-3 * results->rates[rate]);
  return jw_paper_agree(
      run, (JwPaperAgreement){
               .quantity = quantity,
               .unit = "cents",
               .theirs = 0.0,
               .ours = results->cents[c][rule][rate],
               .tolerance = 1200.0 / log(2.0) * lateness(results, rate) / jw_flat_period(&s),
               .own = true,
               .why = "each period has one contact: it lasts pi sqrt(rho/K) = 7 \u00b5s "
                      "instead of no time, and the rule is late by up to two samples"});
}

// The output's edges are 0.45 ms long; late by d they are wrong by d/0.45 ms of its height for as
// long.
static bool agree_on_error(JwPaperRun* run, const Results* results, size_t c, size_t rule,
                           bool differs) {
  char quantity[120];
  snprintf(quantity, sizeof quantity, "relative error at 358 kHz, %s, %s", cases[c].words,
           jw_paper_rule_names[rule]);
  return jw_paper_agree(
      run,
      (JwPaperAgreement){
          .quantity = quantity,
          .theirs = 0.0,
          .ours = results->error[c][rule][RATES - 1],
          .tolerance = 6.0 * lateness(results, RATES - 1) / 0.45e-3,
          .differs = differs,
          .own = true,
          .why = differs
                     ? "energy stays in the contact and the string with it"
                     : "six contacts, each late by its length and up to two samples, on edges of "
                       "0.45 ms"});
}

static bool agree_on_engine(JwPaperRun* run, const Results* results) {
  bool good = jw_paper_agree(
      run, (JwPaperAgreement){.quantity = "worst residual of the energy ledger, all rules",
                              .theirs = 0.0,
                              .ours = results->residual,
                              .tolerance = 1e-10,
                              .own = true,
                              .why = "900 samples of 100 points: 10^-16 times their product, "
                                     "were nothing to cancel"});
  for (size_t c = 0; c < CASES && good; ++c) {
    good = (in_the_middle(c) ? agree_on_pitch(run, results, c, JW_PAPER_NEWTON, 0)
                                   && agree_on_pitch(run, results, c, JW_PAPER_NEWTON, RATES - 1)
                             : true)
           && agree_on_error(run, results, c, JW_PAPER_NEWTON, false)
           && agree_on_error(run, results, c, JW_PAPER_PLAIN, true);
  }
  return good && agree_on_pitch(run, results, 1, JW_PAPER_BOUNDED, RATES - 1)
         && agree_on_pitch(run, results, 1, JW_PAPER_REFINED, RATES - 1)
         && agree_on_error(run, results, 1, JW_PAPER_BOUNDED, false)
         && agree_on_error(run, results, 1, JW_PAPER_REFINED, false);
}

// A second of it, plucked in the middle: exactly, by newton and by bounded.
static bool play(JwPaperRun* run) {
  enum { LENGTH = 44721 };
  static double u[LENGTH];
  static const struct {
    const char *key, *label;
    JwRule rule;
  } heard[3] = {{"exact", "Exact: 298 Hz", JW_RULE_NEWTON},
                {"newton", "Newton, 44.7 kHz", JW_RULE_NEWTON},
                {"bounded", "Bounded, 44.7 kHz: the string is torn", JW_RULE_BOUNDED}};
  const JwFlatString s = string_of(1);
  const double fs = COARSE * s.speed / s.length * (1.0 + 1e-12);
  bool good = true;
  for (size_t i = 0; i < 3 && good; ++i) {
    JwWorld* const world =
        i ? open_world(run, &s, heard[i].rule, fs, (uint32_t)(cases[1].share * COARSE + 0.5))
          : NULL;
    double* const out = u;
    good = !i || (world && !jw_world_run_double(world, &out, LENGTH));
    for (size_t n = 0; n < LENGTH && !i; ++n) {
      u[n] = jw_flat_exact(&s, s.pickup, (double)(n + 1) / fs);
    }
    jw_world_destroy(world);
    char stem[60];
    snprintf(stem, sizeof stem, "study-flat-barrier-%s", heard[i].key);
    const JwPaperColumn column = {heard[i].label, u, LENGTH};
    good = good && jw_paper_velocity_sound(run, stem, &column, fs);
  }
  return good || jw_paper_fail(run, "the engine stopped");
}

bool jw_study_flat_barrier(JwPaperRun* run) {
  static Results results;
  results.residual = 0.0;
  return measure(run, &results) && save(run, &results) && draw(run, &results)
         && tabulate(run, &results) && play(run)
         && jw_paper_remark(run,
                            "The contact lasts 7 \u00b5s, a third of a sample at 44.7 kHz. Plain "
                            "leaves its energy in the "
                            "contact, and the string stays down. Bounded and refined (which is "
                            "bounded for contacts so "
                            "short) bring every point back at its full speed, but each at a "
                            "slightly wrong time, and the "
                            "string is torn: after a few periods it is noise around the right "
                            "motion, until the rate "
                            "resolves the contact. At the grid's limit it never does: the points "
                            "of even and odd place "
                            "plus step know nothing of each other there, and g, read at n, acts "
                            "on the others. Two per "
                            "cent fewer points are enough. Only newton comes back as one string "
                            "at every rate: over a "
                            "hard flat barrier it is the rule to use, or a softer contact.")
         && agree_on_reference(run, &results) && agree_on_engine(run, &results);
}
