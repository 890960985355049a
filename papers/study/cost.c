// Accuracy against cost: a string over a point, and what a sample of each rule costs.
//
// One string twice, so discretised in space that nothing but the time step changes with the rate:
// by its first 120 modes with exact poles, where all of the error is the collision's, and on a grid
// of 198 intervals, where the grid's time step adds its own.  Errors of the output are taken
// against newton at 64 times the rate.  Times are the shortest of several runs and are reported,
// never judged.

#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
  RULES = JW_PAPER_RULES,
  RATES = 5,
  FINE = 64,
  COUNT = 2206,
  MODES = 120,
  INTERVALS = 198,
  REPEATS = 3
}; // 50 ms
enum { BY_MODES, ON_GRID, STRINGS };

typedef struct {
  double rates[RATES];
  double error[STRINGS][RULES][RATES];
  double load[STRINGS][RULES][RATES]; ///< Processor time over time, this string alone
  double contact[RULES]; ///< Processor time of a sample in contact (s): a string along a barrier
} Results;

// ---------------------------------------------------------------- the string over a point

static JwStatus add_parts(JwWorld* world, size_t kind, JwRule rule)
{
  JwObjectId string_id, barrier_id;
  JwContactId contact;
  JwExciterId exciter;
  JwPickupId pickup;
  JwStringDef string = jw_string_default();
  string.name = "string";
  string.length = 1.0;
  string.mass_per_length = 0.063;
  string.tension = 500.0;
  string.young = 0.0;
  string.method = kind == BY_MODES ? JW_METHOD_MODES : JW_METHOD_GRID;
  string.modes = kind == BY_MODES ? MODES : 0;
  string.points = kind == BY_MODES ? 0 : INTERVALS;
  JwBarrierDef barrier = jw_barrier_default();
  barrier.name = "barrier";
  barrier.position = -1e-4;
  JwStatus status = jw_world_add_string(world, &string, &string_id);
  status = status ? status : jw_world_add_barrier(world, &barrier, &barrier_id);
  if (status) {
    return status;
  }
  JwCollisionDef hit = jw_collision_default();
  hit.name = "hit";
  hit.below = jw_port(barrier_id, 0.5);
  hit.above = jw_port(string_id, 0.5);
  hit.stiffness = 5e6;
  hit.exponent = 1.4;
  hit.rule = rule;
  JwForceDef pulse = jw_force_default();
  pulse.name = "pulse";
  pulse.port = jw_port(string_id, 0.3);
  pulse.amplitude = -10.0;
  pulse.duration = 1e-3;
  JwPickupDef ear = jw_pickup_default();
  ear.name = "output";
  ear.quantity = JW_QUANTITY_DISPLACEMENT;
  ear.port = jw_port(string_id, 0.9);
  status = jw_world_add_collision(world, &hit, &contact);
  status = status ? status : jw_world_add_force(world, &pulse, &exciter);
  status = status ? status : jw_world_add_pickup(world, &ear, &pickup);
  return status ? status : jw_world_prepare(world);
}

static double processor_time(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The output, every `factor`-th sample of it, and the time it took.
static bool run_point(JwPaperRun* run, size_t kind, JwRule rule, size_t factor,
                      double output[COUNT], double* seconds)
{
  JwWorldDef def = jw_world_default();
  def.sample_rate = JW_STUDY_RATE * (double)factor;
  JwWorld* world = NULL;
  if (jw_world_create(&def, &world)) {
    return jw_paper_fail(run, "the world could not be made");
  }
  double* const block = (double*)malloc(factor * sizeof *block);
  const JwStatus status = block ? add_parts(world, kind, rule) : JW_STATUS_NO_MEMORY;
  output[0] = 0.0;
  const double from = processor_time();
  bool good = !status;
  for (size_t n = 1; n < COUNT && good; ++n) {
    good = !jw_world_run_double(world, &block, (uint32_t)factor);
    output[n] = block[factor - 1];
  }
  *seconds = processor_time() - from;
  if (!good) {
    jw_paper_fail(run, "the world refused: %s", jw_world_error(world));
  }
  free(block);
  jw_world_destroy(world);
  return good;
}

static bool measure_point(JwPaperRun* run, size_t kind, Results* results, double* agreement)
{
  static double reference[COUNT], output[COUNT];
  double seconds;
  if (!run_point(run, kind, JW_RULE_NEWTON, FINE, reference, &seconds) ||
      !run_point(run, kind, JW_RULE_BOUNDED, FINE, output, &seconds)) {
    return false;
  }
  *agreement = jw_paper_relative(output, reference, 1, COUNT);
  for (size_t i = 0; i < REPEATS * RULES * RATES;
       ++i) { // In turn, so that a busy moment hits all alike
    const size_t turn = i / (RULES * RATES), rule = i / RATES % RULES, r = i % RATES,
                 factor = (size_t)1 << r;
    if (!run_point(run, kind, jw_paper_rules[rule], factor, output, &seconds)) {
      return false;
    }
    const double load = seconds * JW_STUDY_RATE / (COUNT - 1);
    results->rates[r] = JW_STUDY_RATE * (double)factor;
    results->error[kind][rule][r] = jw_paper_relative(output, reference, 1, COUNT);
    results->load[kind][rule][r] = turn ? fmin(results->load[kind][rule][r], load) : load;
  }
  return true;
}

// ---------------------------------------------------------------- a sample in contact

// A string pressed along its whole length against a barrier: every point in contact at every
// sample.
static JwStatus add_pressed(JwWorld* world, JwRule rule)
{
  JwObjectId string_id, barrier_id;
  JwContactId contact;
  JwPickupId pickup;
  JwStringDef string = jw_string_default();
  string.name = "string";
  string.length = 1.0;
  string.mass_per_length = 0.063;
  string.tension = 500.0;
  JwBarrierDef barrier = jw_barrier_default();
  barrier.name = "barrier";
  barrier.position = 1e-4; // Above the string's rest: it starts inside and stays
  JwStatus status = jw_world_add_string(world, &string, &string_id);
  status = status ? status : jw_world_add_barrier(world, &barrier, &barrier_id);
  if (status) {
    return status;
  }
  JwCollisionDef hit = jw_collision_default();
  hit.name = "hit";
  hit.below = jw_port(barrier_id, 0.5);
  hit.above = jw_port(string_id, 0.5);
  hit.stiffness = 5e6;
  hit.exponent = 1.4;
  hit.rule = rule;
  hit.along = true;
  JwPickupDef ear = jw_pickup_default();
  ear.name = "output";
  ear.port = jw_port(string_id, 0.9);
  status = jw_world_add_collision(world, &hit, &contact);
  status = status ? status : jw_world_add_pickup(world, &ear, &pickup);
  return status ? status : jw_world_prepare(world);
}

static bool time_contact(JwPaperRun* run, JwRule rule, double* seconds)
{
  enum { FRAMES = 2048 };
  static double block[FRAMES];
  double* const out = block;
  JwWorldDef def = jw_world_default();
  JwWorld* world = NULL;
  if (jw_world_create(&def, &world)) {
    return jw_paper_fail(run, "the world could not be made");
  }
  bool good = !add_pressed(world, rule);
  const double from = processor_time();
  good = good && !jw_world_run_double(world, &out, FRAMES);
  *seconds = (processor_time() - from) / (FRAMES * (double)jw_world_info(world).contact_points);
  if (!good) {
    jw_paper_fail(run, "the world refused: %s", jw_world_error(world));
  }
  jw_world_destroy(world);
  return good;
}

// ---------------------------------------------------------------- figure, table, numbers

static bool draw(JwPaperRun* run, const Results* results)
{
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

static bool save(JwPaperRun* run, const Results* results)
{
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

static bool tabulate(JwPaperRun* run, const Results* results)
{
  JwText rows = {0};
  jw_text_add(&rows, "rule\terror by modes, 44.1 kHz\torder\terror on a grid, 176.4 "
                     "kHz\torder\tone point in contact, "
                     "one sample\tover bounded");
  for (size_t r = 0; r < RULES; ++r) {
    jw_text_add(&rows, "\n%s\t%.1e\t%.2f\t%.1e\t%.2f\t%.0f ns\t%.2f", jw_paper_rule_names[r],
                results->error[BY_MODES][r][0],
                jw_paper_order(results->rates, results->error[BY_MODES][r], RATES),
                results->error[ON_GRID][r][2],
                jw_paper_order(results->rates, results->error[ON_GRID][r], RATES),
                1e9 * results->contact[r],
                results->contact[r] / results->contact[JW_PAPER_BOUNDED]);
  }
  const bool good = jw_paper_table(run, &rows);
  jw_text_release(&rows);
  return good;
}

static bool agree(JwPaperRun* run, size_t kind, const Results* results, double agreement)
{
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
        (JwPaperAgreement){.quantity = quantity,
                           .theirs = newton ? 2.0 : 1.5,
                           .ours = jw_paper_order(results->rates, results->error[kind][r], RATES),
                           .tolerance = newton ? 0.15 : 0.75,
                           .own = true,
                           .why = newton ? "second order in the time step"
                                         : "between first order, of a contact that opens and "
                                           "closes between samples, and second, of the string; "
                                           "a quarter for scatter"});
  }
  snprintf(quantity, sizeof quantity, "error of refined over newton's at 16 times the rate, %s", where);
  return good && jw_paper_agree(run, (JwPaperAgreement){
                                         .quantity = quantity,
                                         .theirs = 1.0,
                                         .ours = results->error[kind][JW_PAPER_REFINED][RATES - 1]
                                                 / results->error[kind][JW_PAPER_NEWTON][RATES - 1],
                                         .tolerance = 0.1,
                                         .own = true,
                                         .why = "the same step but for the guess of eta+, which is "
                                                "of higher order than either's error"});
}

bool jw_study_cost(JwPaperRun* run)
{
  static Results results;
  double agreement[STRINGS];
  bool good = measure_point(run, BY_MODES, &results, &agreement[BY_MODES]) &&
              measure_point(run, ON_GRID, &results, &agreement[ON_GRID]);
  for (size_t i = 0; i < REPEATS * RULES && good; ++i) {
    double seconds = 0.0;
    good = time_contact(run, jw_paper_rules[i % RULES], &seconds);
    results.contact[i % RULES] = i < RULES ? seconds : fmin(results.contact[i % RULES], seconds);
  }
  return good && save(run, &results) && draw(run, &results) && tabulate(run, &results) &&
         jw_paper_remark(run,
                         "Bought by the sample rate, accuracy costs in proportion, and a rule of "
                         "first order has to "
                         "pay twice for what newton gets by halving the step. Once the "
                         "contact is resolved, refined lies on newton, on the grid and by modes, at "
                         "a cost that does not depend on how an iteration goes.") &&
         agree(run, BY_MODES, &results, agreement[BY_MODES]) &&
         agree(run, ON_GRID, &results, agreement[ON_GRID]);
}
