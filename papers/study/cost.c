// SPDX-License-Identifier: MIT
// Accuracy against cost: a string over a point, and what a sample of each rule costs.
//
// One string twice, so discretised in space that nothing but the time step changes with the rate:
// by its first 120 modes with exact poles, where all of the error is the collision's, and on a grid
// of 198 intervals, where the grid's time step adds its own.  Errors of the output are taken
// against newton at 64 times the rate, root mean square over four strengths of the pulse.  Times
// are the shortest of several runs and are reported, never judged.

#include "../build.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum {
  RULES = JW_PAPER_RULES,
  RATES = 5,
  FINE = 64,
  COUNT = 2206,
  MODES = 120,
  INTERVALS = 198,
  PULSES = 4,
  REPEATS = 3
}; // 50 ms
enum { BY_MODES, ON_GRID, STRINGS };

static const double exponent = 1.4;

typedef struct {
  double rates[RATES];
  double error[STRINGS][RULES][RATES];
  double load[STRINGS][RULES][RATES]; ///< Processor time over time, this string alone
  double contact[RULES]; ///< Processor time of a sample in contact (s): a string along a barrier
} Results;

// ---------------------------------------------------------------- the string over a point

static JwStringDef the_string(void) {
  JwStringDef string = jw_string_default();
  string.length = 1.0;
  string.mass_per_length = 0.063;
  string.tension = 500.0;
  string.young = 0.0;
  return string;
}

static JwCollisionDef the_hit(JwObjectId string, JwObjectId barrier, JwRule rule) {
  JwCollisionDef hit = jw_collision_default();
  hit.below = jw_port(barrier, 0.5);
  hit.above = jw_port(string, 0.5);
  hit.stiffness = 5e6;
  hit.exponent = exponent;
  hit.rule = rule;
  return hit;
}

static JwWorld* open_point(JwPaperRun* run, size_t kind, JwRule rule, double rate, double force) {
  JwBuild b = jw_build_begin(rate, false);
  JwStringDef string = the_string();
  string.method = kind == BY_MODES ? JW_METHOD_MODES : JW_METHOD_GRID;
  string.modes = kind == BY_MODES ? MODES : 0;
  string.points = kind == BY_MODES ? 0 : INTERVALS;
  const JwObjectId id = jw_build_string(&b, string);
  jw_build_hit(&b, the_hit(id, jw_build_barrier(&b, -1e-4), rule));
  jw_build_pulse(&b, jw_port(id, 0.3), -force, 1e-3);
  jw_build_ear(&b, jw_port(id, 0.9));
  return jw_build_end(run, &b);
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The output, every `factor`-th sample of it, and the time it took.
static bool run_point(JwPaperRun* run, size_t kind, JwRule rule, size_t factor, double force,
                      double output[COUNT], double* seconds) {
  static double block[FINE];
  double* const out = block;
  JwWorld* const world = open_point(run, kind, rule, JW_STUDY_RATE * (double)factor, force);
  bool good = world != NULL;
  output[0] = 0.0;
  const double from = processor_time();
  for (size_t n = 1; n < COUNT && good; ++n) {
    good = !jw_world_run_double(world, &out, (uint32_t)factor);
    output[n] = block[factor - 1];
  }
  *seconds = processor_time() - from;
  jw_world_destroy(world);
  return good || jw_paper_fail(run, "the engine stopped");
}

// Errors of one pulse, added as squares; the largest distance of bounded from newton at the finest
// rate.
static bool add_pulse(JwPaperRun* run, size_t kind, double force, Results* results,
                      double* agreement) {
  static double reference[COUNT], output[COUNT];
  double seconds;
  if (!run_point(run, kind, JW_RULE_NEWTON, FINE, force, reference, &seconds)
      || !run_point(run, kind, JW_RULE_BOUNDED, FINE, force, output, &seconds)) {
    return false;
  }
  *agreement = fmax(*agreement, jw_paper_relative(output, reference, 1, COUNT));
  for (size_t i = 0; i < RULES * RATES; ++i) { // In turn, so that a busy moment hits all alike
    const size_t rule = i / RATES, r = i % RATES;
    if (!run_point(run, kind, jw_paper_rules[rule], (size_t)1 << r, force, output, &seconds)) {
      return false;
    }
    const double error = jw_paper_relative(output, reference, 1, COUNT);
    const double load = seconds * JW_STUDY_RATE / (COUNT - 1);
    results->error[kind][rule][r] += error * error / PULSES;
    results->load[kind][rule][r] = fmin(results->load[kind][rule][r], load);
  }
  return true;
}

static bool measure_point(JwPaperRun* run, size_t kind, Results* results, double* agreement) {
  bool good = true;
  *agreement = 0.0;
  for (size_t i = 0; i < RULES * RATES; ++i) {
    results->rates[i % RATES] = JW_STUDY_RATE * (double)(1u << i % RATES);
    results->error[kind][i / RATES][i % RATES] = 0.0;
    results->load[kind][i / RATES][i % RATES] = INFINITY;
  }
  for (size_t p = 0; p < PULSES && good; ++p) {
    good = add_pulse(run, kind, 10.0 + 0.37 * (double)p, results, agreement);
  }
  for (size_t i = 0; i < RULES * RATES; ++i) {
    double* const error = &results->error[kind][i / RATES][i % RATES];
    *error = sqrt(*error);
  }
  return good;
}

// ---------------------------------------------------------------- a sample in contact

// A string pressed along its whole length against a barrier: every point in contact at every
// sample.
static JwWorld* open_pressed(JwPaperRun* run, JwRule rule) {
  JwBuild b = jw_build_begin(JW_STUDY_RATE, false);
  const JwObjectId id = jw_build_string(&b, the_string());
  // Above the string's rest: it starts inside and stays
  JwCollisionDef hit = the_hit(id, jw_build_barrier(&b, 1e-4), rule);
  hit.along = true;
  jw_build_hit(&b, hit);
  jw_build_ear(&b, jw_port(id, 0.9));
  return jw_build_end(run, &b);
}

static bool time_contact(JwPaperRun* run, JwRule rule, double* seconds) {
  enum { FRAMES = 2048 };
  static double block[FRAMES];
  double* const out = block;
  JwWorld* const world = open_pressed(run, rule);
  if (!world) {
    return false;
  }
  const double from = processor_time();
  const bool good = !jw_world_run_double(world, &out, FRAMES);
  *seconds = (processor_time() - from) / (FRAMES * (double)jw_world_info(world).contact_points);
  jw_world_destroy(world);
  return good || jw_paper_fail(run, "the engine stopped");
}

// ---------------------------------------------------------------- figure, table, numbers

static bool draw(JwPaperRun* run, const Results* results) {
  static const char* const titles[2 * STRINGS] = {
      "By modes: error over the rate", "By modes: error over the cost",
      "On a grid: error over the rate", "On a grid: error over the cost"};
  JwPlotSeries series[2 * STRINGS][RULES];
  JwPlotPanel panels[2 * STRINGS];
  for (size_t p = 0; p < 2 * STRINGS; ++p) {
    for (size_t r = 0; r < RULES; ++r) {
      series[p][r] = jw_paper_rule_line(r, p % 2 ? results->load[p / 2][r] : results->rates,
                                        results->error[p / 2][r], RATES);
    }
    panels[p] = jw_plot_panel_default();
    panels[p].title = titles[p];
    panels[p].x = p % 2 ? (JwPlotAxis){.label = "processor time over time", .log = true}
                        : (JwPlotAxis){.label = "sample rate", .unit = "Hz", .log = true};
    panels[p].y = (JwPlotAxis){.label = "relative error of the output", .log = true};
    panels[p].series = series[p];
    panels[p].series_count = RULES;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A string over a point, 50 ms: accuracy against cost";
  figure.caption = "120 modes with exact poles, or 198 grid intervals; 44.1 to 705.6 kHz; times of "
                   "one run on one machine";
  figure.panels = panels;
  figure.panel_count = 2 * STRINGS;
  figure.columns = 2;
  figure.width = 1080.0;
  figure.height = 240.0;
  return jw_paper_figure(run, "study-cost", &figure);
}

static bool save(JwPaperRun* run, const Results* results) {
  static char names[2 * STRINGS * RULES][40];
  JwPaperColumn columns[1 + 2 * STRINGS * RULES] = {{"rate", results->rates, RATES}};
  for (size_t i = 0; i < STRINGS * RULES; ++i) {
    const size_t kind = i / RULES, r = i % RULES;
    snprintf(names[2 * i], 40, "error_%s_%s", kind == BY_MODES ? "modes" : "grid",
             jw_paper_rule_names[r]);
    snprintf(names[2 * i + 1], 40, "load_%s_%s", kind == BY_MODES ? "modes" : "grid",
             jw_paper_rule_names[r]);
    columns[1 + 2 * i] = (JwPaperColumn){names[2 * i], results->error[kind][r], RATES};
    columns[2 + 2 * i] = (JwPaperColumn){names[2 * i + 1], results->load[kind][r], RATES};
  }
  return jw_paper_csv(run, "study-cost", columns, 1 + 2 * STRINGS * RULES);
}

// From twice the rate on, where the contact is resolved.
static double order_of(const Results* results, size_t kind, size_t rule) {
  return jw_paper_order(results->rates + 1, results->error[kind][rule] + 1, RATES - 1);
}

static bool tabulate(JwPaperRun* run, const Results* results) {
  JwText rows = {0};
  jw_text_add(&rows, "rule\terror by modes, 44.1 kHz\torder\terror on a grid, 176.4 "
                     "kHz\torder\tone point in contact, "
                     "one sample\tover bounded");
  for (size_t r = 0; r < RULES; ++r) {
    jw_text_add(&rows, "\n%s\t%.1e\t%.2f\t%.1e\t%.2f\t%.0f ns\t%.2f", jw_paper_rule_names[r],
                results->error[BY_MODES][r][0], order_of(results, BY_MODES, r),
                results->error[ON_GRID][r][2], order_of(results, ON_GRID, r),
                1e9 * results->contact[r],
                results->contact[r] / results->contact[JW_PAPER_BOUNDED]);
  }
  const bool good = jw_paper_table(run, &rows);
  jw_text_release(&rows);
  return good;
}

static bool agree(JwPaperRun* run, size_t kind, const Results* results, double agreement) {
  const char* const where = kind == BY_MODES ? "by modes" : "on a grid";
  char quantity[100];
  snprintf(quantity, sizeof quantity, "bounded against newton at 64 times the rate, %s", where);
  bool good = jw_paper_agree(
      run,
      (JwPaperAgreement){
          .quantity = quantity,
          .theirs = 0.0,
          .ours = agreement,
          .tolerance = results->error[kind][JW_PAPER_BOUNDED][RATES - 1],
          .own = true,
          .why = "one solution: less than bounded's error at 16 times the rate, which a scheme of "
                 "first order divides by four"});
  for (size_t r = 0; r < RULES && good; ++r) {
    snprintf(quantity, sizeof quantity, "order of convergence %s, %s", where,
             jw_paper_rule_names[r]);
    const bool newton = r == JW_PAPER_NEWTON;
    if (r == JW_PAPER_REFINED) {
      continue; // Compared with newton below: at the lowest rate it is bounded, which has no order
    }
    good = jw_paper_agree(
        run,
        (JwPaperAgreement){
            .quantity = quantity,
            .theirs = newton ? 2.0 : 0.5 * (0.5 * (exponent + 1.0) + 2.0),
            .ours = order_of(results, kind, r),
            .tolerance = newton ? 0.1 : 0.5,
            .own = true,
            .why = newton ? "second order in the time step"
                          : "between (alpha + 1)/2 = 1.2, of the step in which the contact "
                            "closes, and 2, of all others; a tenth for scatter at either end"});
  }
  snprintf(quantity, sizeof quantity, "error of refined over newton's at 16 times the rate, %s",
           where);
  return good
         && jw_paper_agree(
             run, (JwPaperAgreement){.quantity = quantity,
                                     .theirs = 1.0,
                                     .ours = results->error[kind][JW_PAPER_REFINED][RATES - 1]
                                             / results->error[kind][JW_PAPER_NEWTON][RATES - 1],
                                     .tolerance = 0.1,
                                     .own = true,
                                     .why = "the same step but for the guess of eta+, which is "
                                            "of higher order than either's error"});
}

bool jw_study_cost(JwPaperRun* run) {
  static Results results;
  double agreement[STRINGS];
  bool good = measure_point(run, BY_MODES, &results, &agreement[BY_MODES])
              && measure_point(run, ON_GRID, &results, &agreement[ON_GRID]);
  for (size_t i = 0; i < REPEATS * RULES && good; ++i) {
    double seconds = 0.0;
    good = time_contact(run, jw_paper_rules[i % RULES], &seconds);
    results.contact[i % RULES] = i < RULES ? seconds : fmin(results.contact[i % RULES], seconds);
  }
  return good && save(run, &results) && draw(run, &results) && tabulate(run, &results)
         && jw_paper_remark(
             run, "Bought by the sample rate, accuracy costs in proportion, and a rule of "
                  "first order has to "
                  "pay twice for what newton gets by halving the step. Once the "
                  "contact is resolved, refined lies on newton, on the grid and by modes, at "
                  "a cost that does not depend on how an iteration goes.")
         && agree(run, BY_MODES, &results, agreement[BY_MODES])
         && agree(run, ON_GRID, &results, agreement[ON_GRID]);
}
