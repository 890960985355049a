// A piano hammer on its string: force, duration of the contact, and what the rules make of them.
//
// Strings and hammers C2 and C4 of Chaigne and Askenfelt 1994 (single strings, whole hammer),
// struck at 0.12 L.  The duration runs from the first to the last sample of force: reflections from
// the near end may part hammer and string for a moment in between.  Published durations are stated
// with their source.

#include "study.h"

#include <math.h>
#include <stdio.h>

enum {
  NOTES = 2,
  RULES = JW_PAPER_RULES,
  RATES = 4,
  SPEEDS = 5,
  SHOWN = 266,
  FINE = 16
}; // 6 ms at 44.1 kHz

static const double seconds = 8e-3;
static const double speeds[SPEEDS] = {0.5, 1.0, 2.5, 4.0, 6.0}; // pp to ff

typedef struct {
  const char* name;
  double length, mass, tension, stiffness; ///< Of the string; EI over T L^2
  double hammer, felt, exponent;           ///< kg, K, alpha
} Note;

static const Note notes[NOTES] = {{"C2", 1.9, 35e-3, 750.0, 7.5e-6, 4.9e-3, 4e8, 2.3},
                                  {"C4", 0.62, 3.93e-3, 670.0, 3.82e-5, 2.97e-3, 4.5e9, 2.5}};

/// A blow: its force over time, how long it lasts, how strong it is.
typedef struct {
  double force[SHOWN];
  double duration, peak, impulse;
} Blow;

typedef struct {
  double t[SHOWN], rates[RATES];
  Blow blow[NOTES][RULES];           ///< At 44.1 kHz and 2.5 m/s
  Blow fine[NOTES];                  ///< Newton at 16 times the rate
  double error[NOTES][RULES][RATES]; ///< Of the force, relative, against `fine`
  double duration[NOTES][SPEEDS];    ///< Refined at 44.1 kHz
} Results;

// ---------------------------------------------------------------- the blow

static JwStatus add_parts(JwWorld* world, const Note* note, JwRule rule, double speed)
{
  JwObjectId string_id, hammer_id;
  JwContactId contact;
  JwPickupId pickup;
  JwStringDef string = jw_string_default();
  string.name = "string";
  string.length = note->length;
  string.mass_per_length = note->mass / note->length;
  string.tension = note->tension;
  string.bending = note->stiffness * note->tension * note->length * note->length;
  string.loss[0] = 0.5;
  string.loss[1] = 1e-4;
  JwMassDef hammer = jw_mass_default();
  hammer.name = "hammer";
  hammer.mass = note->hammer;
  hammer.velocity = speed;
  JwStatus status = jw_world_add_string(world, &string, &string_id);
  status = status ? status : jw_world_add_mass(world, &hammer, &hammer_id);
  if (status) {
    return status;
  }
  JwCollisionDef felt = jw_collision_default();
  felt.name = "felt";
  felt.below = jw_port(hammer_id, 0.0);
  felt.above = jw_port(string_id, 0.12);
  felt.stiffness = note->felt;
  felt.exponent = note->exponent;
  felt.rule = rule;
  status = jw_world_add_collision(world, &felt, &contact);
  JwPickupDef ear = jw_pickup_default();
  ear.name = "force";
  ear.quantity = JW_QUANTITY_FORCE;
  ear.contact = contact;
  status = status ? status : jw_world_add_pickup(world, &ear, &pickup);
  return status ? status : jw_world_prepare(world);
}

static bool strike(JwPaperRun* run, const Note* note, JwRule rule, size_t factor, double speed,
                   Blow* blow)
{
  JwWorldDef def = jw_world_default();
  def.sample_rate = JW_STUDY_RATE * (double)factor;
  JwWorld* world = NULL;
  if (jw_world_create(&def, &world)) {
    return jw_paper_fail(run, "the world could not be made");
  }
  bool good = !add_parts(world, note, rule, speed);
  const size_t count = (size_t)(seconds * def.sample_rate);
  double force = 0.0, first = -1.0, last = 0.0;
  double* const out = &force;
  *blow = (Blow){.duration = 0.0};
  for (size_t n = 0; n < count && good; ++n) {
    good = !jw_world_run_double(world, &out, 1);
    if (force > 0.0) {
      first = first < 0.0 ? (double)n : first;
      last = (double)n;
    }
    blow->peak = fmax(blow->peak, force);
    blow->impulse += force / def.sample_rate;
    if (n % factor == 0 && n / factor < SHOWN) {
      blow->force[n / factor] = force; // The force of a step stands at its middle, n
    }
  }
  blow->duration = (last - first + 1.0) / def.sample_rate;
  if (!good) {
    jw_paper_fail(run, "the world refused: %s", jw_world_error(world));
  }
  jw_world_destroy(world);
  return good;
}

static bool measure(JwPaperRun* run, Results* results)
{
  bool good = true;
  for (size_t n = 0; n < SHOWN; ++n) {
    results->t[n] = (double)n / JW_STUDY_RATE;
  }
  for (size_t i = 0; i < NOTES && good; ++i) {
    good = strike(run, &notes[i], JW_RULE_NEWTON, FINE, 2.5, &results->fine[i]);
    for (size_t j = 0; j < RULES * RATES && good; ++j) {
      const size_t rule = j / RATES, r = j % RATES;
      Blow blow;
      good = strike(run, &notes[i], jw_paper_rules[rule], (size_t)1 << r, 2.5, &blow);
      results->rates[r] = JW_STUDY_RATE * (double)(1u << r);
      results->error[i][rule][r] = jw_paper_relative(blow.force, results->fine[i].force, 1, SHOWN);
      if (r == 0) {
        results->blow[i][rule] = blow;
      }
    }
    for (size_t v = 0; v < SPEEDS && good; ++v) {
      Blow blow;
      good = strike(run, &notes[i], JW_RULE_REFINED, 1, speeds[v], &blow);
      results->duration[i][v] = blow.duration;
    }
  }
  return good;
}

// ---------------------------------------------------------------- figure, table, numbers

static bool draw(JwPaperRun* run, const Results* results)
{
  static const char* const titles[2 * NOTES] = {
      "C2: force, 2.5 m/s, 44.1 kHz", "C2: error of the force", "C4: force, 2.5 m/s, 44.1 kHz",
      "C4: error of the force"};
  JwPlotSeries series[2 * NOTES + 1][RULES + 1];
  JwPlotPanel panels[2 * NOTES + 1];
  for (size_t p = 0; p <= 2 * NOTES; ++p) {
    panels[p] = jw_plot_panel_default();
    panels[p].series = series[p];
  }
  for (size_t p = 0; p < 2 * NOTES; ++p) {
    const size_t i = p / 2;
    panels[p].title = titles[p];
    if (p % 2) {
      for (size_t r = 0; r < RULES; ++r) {
        series[p][r] = jw_paper_rule_line(r, results->rates, results->error[i][r], RATES);
      }
      panels[p].series_count = RULES;
      panels[p].x = (JwPlotAxis){.label = "sample rate", .unit = "Hz", .log = true};
      panels[p].y = (JwPlotAxis){.label = "relative error of the force", .log = true};
      continue;
    }
    series[p][0] = jw_paper_line(results->t, results->fine[i].force, SHOWN, "newton, 16 \u00d7");
    series[p][0].color = JW_PLOT_GREY;
    series[p][0].width = 4.0;
    series[p][1] = jw_paper_rule_line(JW_PAPER_REFINED, results->t,
                                      results->blow[i][JW_PAPER_REFINED].force, SHOWN);
    series[p][2] = jw_paper_rule_line(JW_PAPER_PLAIN, results->t,
                                      results->blow[i][JW_PAPER_PLAIN].force, SHOWN);
    series[p][1].marker = series[p][2].marker = JW_PLOT_NO_MARKER;
    series[p][2].dash = JW_PLOT_DASHED;
    panels[p].series_count = 3;
    panels[p].x = (JwPlotAxis){.label = "time", .unit = "s"};
    panels[p].y = (JwPlotAxis){.label = "force", .unit = "N"};
  }
  JwPlotPanel* const last = &panels[2 * NOTES];
  for (size_t i = 0; i < NOTES; ++i) {
    series[2 * NOTES][i] = jw_paper_line(speeds, results->duration[i], SPEEDS, notes[i].name);
    series[2 * NOTES][i].marker = i ? JW_PLOT_SQUARE : JW_PLOT_DOT;
  }
  last->title = "Harder blows are shorter";
  last->series_count = NOTES;
  last->x = (JwPlotAxis){.label = "speed of the hammer", .unit = "m/s"};
  last->y = (JwPlotAxis){.label = "duration", .unit = "s"};
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A piano hammer on its string";
  figure.caption = "Strings and hammers of Chaigne and Askenfelt 1994, struck at 0.12 L";
  figure.panels = panels;
  figure.panel_count = 2 * NOTES + 1;
  figure.columns = 2;
  figure.width = 1080.0;
  figure.height = 220.0;
  return jw_paper_figure(run, "study-hammer", &figure);
}

static bool save(JwPaperRun* run, const Results* results)
{
  static char names[NOTES * (RULES + 1)][40];
  JwPaperColumn columns[1 + NOTES * (RULES + 1)] = {{"t", results->t, SHOWN}};
  for (size_t i = 0; i < NOTES * (RULES + 1); ++i) {
    const size_t note = i / (RULES + 1), r = i % (RULES + 1);
    snprintf(names[i], 40, "%s_%s", notes[note].name,
             r < RULES ? jw_paper_rule_names[r] : "newton_16x");
    columns[1 + i] = (JwPaperColumn){
        names[i], r < RULES ? results->blow[note][r].force : results->fine[note].force, SHOWN};
  }
  return jw_paper_csv(run, "study-hammer", columns, 1 + NOTES * (RULES + 1));
}

static bool tabulate(JwPaperRun* run, const Results* results)
{
  JwText rows = {0};
  jw_text_add(&rows, "44.1 kHz, 2.5 m/s\tC2: duration\tpeak\terror\tC4: duration\tpeak\terror");
  for (size_t r = 0; r <= RULES; ++r) {
    jw_text_add(&rows, "\n%s", r < RULES ? jw_paper_rule_names[r] : "newton, 16 \u00d7");
    for (size_t i = 0; i < NOTES; ++i) {
      const Blow* const blow = r < RULES ? &results->blow[i][r] : &results->fine[i];
      jw_text_add(&rows, "\t%.2f ms\t%.2f N", 1e3 * blow->duration, blow->peak);
      r < RULES ? jw_text_add(&rows, "\t%.1e", results->error[i][r][0]) : jw_text_add(&rows, "\t");
    }
  }
  const bool good = jw_paper_table(run, &rows);
  jw_text_release(&rows);
  return good;
}

// ---------------------------------------------------------------- statements

static bool agree_on_durations(JwPaperRun* run, const Results* results)
{
  static const double published[NOTES] = {4e-3, 2e-3};
  bool good = true;
  for (size_t i = 0; i < NOTES && good; ++i) {
    char quantity[80];
    snprintf(quantity, sizeof quantity, "duration of the contact, %s, 2.5 m/s", notes[i].name);
    good = jw_paper_agree(
        run, (JwPaperAgreement){
                 .quantity = quantity,
                 .unit = "s",
                 .theirs = published[i],
                 .ours = results->fine[i].duration,
                 .tolerance = 0.2 * published[i],
                 .why = "Askenfelt and Jansson, as quoted for a grand piano: about 4 ms at C2 and "
                        "2 ms at C4; "
                        "between piano and fortissimo a fifth more or less than at mezzo forte"});
    const double period =
        2.0 * notes[i].length * sqrt(notes[i].mass / notes[i].length / notes[i].tension);
    snprintf(quantity, sizeof quantity, "shorter than the string's period, %s (1: yes)",
             notes[i].name);
    good = good && jw_paper_agree(run, (JwPaperAgreement){
                                           .quantity = quantity,
                                           .theirs = 1.0,
                                           .ours = results->fine[i].duration < period,
                                           .tolerance = 0.0,
                                           .why = "Chaigne, measurements on five pianos: so in the lowest four octaves"});
  }
  return good;
}

static bool agree_on_levels(JwPaperRun* run, const Results* results)
{
  bool good = true;
  for (size_t i = 0; i < NOTES && good; ++i) {
    double shorter = 0.0;
    for (size_t v = 1; v < SPEEDS; ++v) {
      shorter += results->duration[i][v] < results->duration[i][v - 1];
    }
    char quantity[100];
    snprintf(quantity, sizeof quantity, "steps of speed at which the contact shortens, %s",
             notes[i].name);
    good = jw_paper_agree(
        run, (JwPaperAgreement){
                 .quantity = quantity,
                 .theirs = SPEEDS - 1,
                 .ours = shorter,
                 .tolerance = 0.0,
                 .why = "Askenfelt: the duration decreases as the dynamic level is raised"});
  }
  for (size_t v = 1; v < 4 && good; v += 2) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "duration at %g m/s over that at 2.5 m/s, C4", speeds[v]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .theirs = 1.0,
                                .ours = results->duration[1][v] / results->duration[1][2],
                                .tolerance = 0.2,
                                .why = "Askenfelt: within a fifth of mezzo forte from piano to "
                                       "fortissimo"});
  }
  return good;
}

bool jw_study_hammer(JwPaperRun* run)
{
  static Results results;
  return measure(run, &results) && save(run, &results) && draw(run, &results) &&
         tabulate(run, &results) &&
         jw_paper_remark(run, "A hammer's contact is long, some hundred samples, and soft: every "
                              "rule will do, and the "
                              "rate is chosen for the string. An early simulation of C4 by lumped "
                              "elements (Suzuki 1986) "
                              "gives about 3 ms at 3 m/s, with another hammer; measurements on "
                              "five pianos (Chaigne) "
                              "run from 4 to 5 ms at C1 to less than 1 ms at C7.") &&
         agree_on_durations(run, &results) && agree_on_levels(run, &results);
}
