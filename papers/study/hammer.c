// SPDX-License-Identifier: MIT
// A piano hammer on its string: force, duration of the contact, and what the rules make of them.
//
// Strings and hammers C2, C4 and C7 of Chaigne and Askenfelt 1994 (single strings, whole hammer).
// The duration runs from the first to the last sample of force: reflections from the near end may
// part hammer and string for a moment in between.  What was measured on pianos:
//
//   Askenfelt and Jansson 1990   4 ms in the bass (C2), 2 ms at C4, less than 1 ms at C7; shorter
//                                at higher dynamic levels, by a fifth from mezzo forte either way
//   Hall 1990                    in the middle range about half of the string's period
//   Chaigne 2016, five pianos    shorter than the period in the lowest four octaves, longer in the
//                                upper one

#include "../build.h"
#include "study.h"

#include <math.h>
#include <stdio.h>

enum {
  NOTES = 3,
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
  double hammer, felt, exponent, place;    ///< kg, K, alpha, part of the length
} Note;

static const Note notes[NOTES] = {
    {"C2", 1.9, 35e-3, 750.0, 7.5e-6, 4.9e-3, 4e8, 2.3, 0.12},
    {"C4", 0.62, 3.93e-3, 670.0, 3.82e-5, 2.97e-3, 4.5e9, 2.5, 0.12},
    {"C7", 0.09, 0.467e-3, 750.0, 8.67e-4, 2.2e-3, 1e11, 3.0, 0.0625}};

/// A blow: its force over time, how long it lasts, how strong it is.
typedef struct {
  double force[SHOWN];
  double duration, peak;
} Blow;

typedef struct {
  double t[SHOWN], rates[RATES];
  Blow blow[NOTES][RULES];           ///< At 44.1 kHz and 2.5 m/s
  Blow fine[NOTES];                  ///< Newton at 16 times the rate
  double error[NOTES][RULES][RATES]; ///< Of the force, relative, against `fine`
  double duration[NOTES][SPEEDS];    ///< Refined at 44.1 kHz
} Results;

// ---------------------------------------------------------------- the blow

static JwWorld* open_world(JwPaperRun* run, const Note* note, JwRule rule, double rate,
                           double speed) {
  JwBuild b = jw_build_begin(rate, false);
  JwStringDef string = jw_string_default();
  string.length = note->length;
  string.mass_per_length = note->mass / note->length;
  string.tension = note->tension;
  string.bending = note->stiffness * note->tension * note->length * note->length;
  string.loss[0] = 0.5;
  string.loss[1] = 1e-4;
  JwMassDef hammer = jw_mass_default();
  hammer.mass = note->hammer;
  hammer.velocity = speed;
  const JwObjectId id = jw_build_string(&b, string);
  JwCollisionDef felt = jw_collision_default();
  felt.below = jw_port(jw_build_mass(&b, hammer), 0.0);
  felt.above = jw_port(id, note->place);
  felt.stiffness = note->felt;
  felt.exponent = note->exponent;
  felt.rule = rule;
  jw_build_force_ear(&b, jw_build_hit(&b, felt));
  jw_build_ear(&b, jw_port(id, 0.8)); // For the sound
  return jw_build_end(run, &b);
}

static bool strike(JwPaperRun* run, const Note* note, JwRule rule, size_t factor, double speed,
                   Blow* blow) {
  const double rate = JW_STUDY_RATE * (double)factor;
  JwWorld* const world = open_world(run, note, rule, rate, speed);
  const size_t count = (size_t)(seconds * rate);
  double values[2] = {0.0}, first = -1.0, last = 0.0;
  double* const out[2] = {&values[0], &values[1]};
  bool good = world != NULL;
  *blow = (Blow){.duration = 0.0};
  for (size_t n = 0; n < count && good; ++n) {
    good = !jw_world_run_double(world, out, 1);
    const double force = values[0];
    if (force > 0.0) {
      first = first < 0.0 ? (double)n : first;
      last = (double)n;
    }
    blow->peak = fmax(blow->peak, force);
    if (n % factor == 0 && n / factor < SHOWN) {
      blow->force[n / factor] = force; // The force of a step stands at its middle, n
    }
  }
  blow->duration = (last - first + 1.0) / rate;
  jw_world_destroy(world);
  return good || jw_paper_fail(run, "the engine stopped");
}

static bool measure(JwPaperRun* run, Results* results) {
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

static double period_of(const Note* note) {
  return 2.0 * note->length * sqrt(note->mass / note->length / note->tension);
}

static void draw_note(const Results* results, size_t i, JwPlotPanel panels[2],
                      JwPlotSeries series[2][RULES + 1]) {
  series[0][0] = jw_paper_line(results->t, results->fine[i].force, SHOWN, "newton, 16 \u00d7");
  series[0][0].color = JW_PLOT_GREY;
  series[0][0].width = 4.0;
  series[0][1] = jw_paper_rule_line(JW_PAPER_REFINED, results->t,
                                    results->blow[i][JW_PAPER_REFINED].force, SHOWN);
  series[0][2] =
      jw_paper_rule_line(JW_PAPER_PLAIN, results->t, results->blow[i][JW_PAPER_PLAIN].force, SHOWN);
  series[0][1].marker = series[0][2].marker = JW_PLOT_NO_MARKER;
  series[0][2].dash = JW_PLOT_DASHED;
  for (size_t r = 0; r < RULES; ++r) {
    series[1][r] = jw_paper_rule_line(r, results->rates, results->error[i][r], RATES);
  }
  panels[0].x = (JwPlotAxis){.label = "time", .unit = "s", .min = 0.0, .max = i == 2 ? 2e-3 : 6e-3};
  panels[0].y = (JwPlotAxis){.label = "force", .unit = "N"};
  panels[0].series_count = 3;
  panels[1].x = (JwPlotAxis){.label = "sample rate", .unit = "Hz", .log = true};
  panels[1].y = (JwPlotAxis){.label = "relative error of the force", .log = true};
  panels[1].series_count = RULES;
}

// Ours beside the measured ones, over the string's period.
static void draw_measured(const Results* results, JwPlotPanel* panel, JwPlotSeries series[4]) {
  static double periods[NOTES], ours[NOTES], line[2] = {3e-4, 4e-2};
  static const double jansson_x[2] = {1.0 / 65.4, 1.0 / 261.6}, jansson[2] = {4e-3, 2e-3},
                      chaigne_x[2] = {1.0 / 32.7, 1.0 / 32.7}, chaigne[2] = {4e-3, 5e-3};
  static const JwPlotMark below = {JW_PLOT_TEXT, 5e-4, 1e-3, "C7: measured, less than 1 ms", 0};
  for (size_t i = 0; i < NOTES; ++i) {
    periods[i] = period_of(&notes[i]);
    ours[i] = results->fine[i].duration;
  }
  series[0] = jw_paper_line(line, line, 2, "as long as the period");
  series[0].color = JW_PLOT_GREY;
  series[0].dash = JW_PLOT_DASHED;
  series[1] = jw_paper_line(periods, ours, NOTES, "here, 2.5 m/s");
  series[1].marker = JW_PLOT_DOT;
  series[2] = jw_paper_line(jansson_x, jansson, 2, "Askenfelt and Jansson");
  series[2].kind = JW_PLOT_POINTS;
  series[2].marker = JW_PLOT_SQUARE;
  series[3] = jw_paper_line(chaigne_x, chaigne, 2, "Chaigne, C1");
  series[3].marker = JW_PLOT_DIAMOND;
  panel->title = "Duration over the string's period";
  panel->x = (JwPlotAxis){.label = "period", .unit = "s", .log = true, .min = 3e-4, .max = 4e-2};
  panel->y = (JwPlotAxis){.label = "duration", .unit = "s", .log = true, .min = 3e-4, .max = 1e-2};
  panel->series_count = 4;
  panel->marks = &below;
  panel->mark_count = 1;
}

static bool draw(JwPaperRun* run, const Results* results) {
  enum { PANELS = 2 * NOTES + 2 };
  static const char* const titles[2 * NOTES] = {
      "C2: force, 2.5 m/s, 44.1 kHz", "C2: error of the force",
      "C4: force, 2.5 m/s, 44.1 kHz", "C4: error of the force",
      "C7: force, 2.5 m/s, 44.1 kHz", "C7: error of the force"};
  JwPlotSeries series[PANELS][RULES + 1];
  JwPlotPanel panels[PANELS];
  for (size_t p = 0; p < PANELS; ++p) {
    panels[p] = jw_plot_panel_default();
    panels[p].series = series[p];
    panels[p].title = p < 2 * NOTES ? titles[p] : "Harder blows are shorter";
  }
  for (size_t i = 0; i < NOTES; ++i) {
    draw_note(results, i, &panels[2 * i], &series[2 * i]);
  }
  JwPlotPanel* const last = &panels[2 * NOTES];
  static const JwPlotMarker markers[NOTES] = {JW_PLOT_DOT, JW_PLOT_SQUARE, JW_PLOT_DIAMOND};
  for (size_t i = 0; i < NOTES; ++i) {
    series[2 * NOTES][i] = jw_paper_line(speeds, results->duration[i], SPEEDS, notes[i].name);
    series[2 * NOTES][i].marker = markers[i];
  }
  last->series_count = NOTES;
  last->x = (JwPlotAxis){.label = "speed of the hammer", .unit = "m/s"};
  last->y = (JwPlotAxis){.label = "duration", .unit = "s", .min = 0.0, .max = 5e-3};
  draw_measured(results, &panels[2 * NOTES + 1], series[2 * NOTES + 1]);
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "A piano hammer on its string";
  figure.caption = "Strings and hammers of Chaigne and Askenfelt 1994, struck at 0.12 L (C7: L/16)";
  figure.panels = panels;
  figure.panel_count = PANELS;
  figure.columns = 2;
  figure.width = 1080.0;
  figure.height = 200.0;
  return jw_paper_figure(run, "study-hammer", &figure);
}

static bool save(JwPaperRun* run, const Results* results) {
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

static bool tabulate(JwPaperRun* run, const Results* results) {
  JwText rows = {0};
  jw_text_add(&rows, "44.1 kHz, 2.5 m/s\tC2: duration\tpeak\terror\tC4: duration\tpeak\terror\t"
                     "C7: duration\tpeak\terror");
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

static bool agree_on_durations(JwPaperRun* run, const Results* results) {
  const double c2 = results->fine[0].duration, c4 = results->fine[1].duration,
               c7 = results->fine[2].duration;
  static const char fifth[] = "Askenfelt and Jansson, measured on a grand piano; a fifth, as they "
                              "find between mezzo forte and either end of the dynamic range";
  static const char pianos[] = "Chaigne, measured on five pianos: shorter than the period in the "
                               "lowest four octaves, longer in the upper one";
  const JwPaperAgreement statements[] = {
      {.quantity = "duration of the contact, C2, 2.5 m/s",
       .unit = "s",
       .theirs = 4e-3,
       .ours = c2,
       .tolerance = 0.8e-3,
       .why = fifth},
      {.quantity = "duration of the contact, C4, 2.5 m/s",
       .unit = "s",
       .theirs = 2e-3,
       .ours = c4,
       .tolerance = 0.4e-3,
       .why = fifth},
      {.quantity = "duration of the contact, C7, 2.5 m/s: less than 1 ms",
       .unit = "s",
       .theirs = 0.5e-3,
       .ours = c7,
       .tolerance = 0.5e-3,
       .why = "Askenfelt and Jansson: less than 1 ms in the highest treble; from 0 to 1 ms"},
      {.quantity = "duration over half of the string's period, C4",
       .theirs = 1.0,
       .ours = c4 / (0.5 * period_of(&notes[1])),
       .tolerance = 0.2,
       .why = "Hall: in the middle range quite similar to half of the period; a fifth, as above"},
      {.quantity = "shorter than the string's period, C2 (1: yes)",
       .theirs = 1.0,
       .ours = c2 < period_of(&notes[0]),
       .why = pianos},
      {.quantity = "shorter than the string's period, C4 (1: yes)",
       .theirs = 1.0,
       .ours = c4 < period_of(&notes[1]),
       .why = pianos},
      {.quantity = "longer than the string's period, C7 (1: yes)",
       .theirs = 1.0,
       .ours = c7 > period_of(&notes[2]),
       .why = pianos}};
  bool good = true;
  for (size_t i = 0; i < sizeof statements / sizeof *statements && good; ++i) {
    good = jw_paper_agree(run, statements[i]);
  }
  return good;
}

static bool agree_on_levels(JwPaperRun* run, const Results* results) {
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

// A second of each note at 2.5 m/s.
static bool play(JwPaperRun* run) {
  enum { LENGTH = 44100 };
  static double u[LENGTH];
  bool good = true;
  for (size_t i = 0; i < NOTES && good; ++i) {
    JwWorld* const world = open_world(run, &notes[i], JW_RULE_REFINED, JW_STUDY_RATE, 2.5);
    double force;
    good = world != NULL;
    for (size_t n = 0; n < LENGTH && good; ++n) {
      double* const out[2] = {&force, &u[n]};
      good = !jw_world_run_double(world, out, 1);
    }
    jw_world_destroy(world);
    char stem[40], label[60];
    snprintf(stem, sizeof stem, "study-hammer-%s", notes[i].name);
    snprintf(label, sizeof label, "%s: velocity of the string at 0.8 L", notes[i].name);
    const JwPaperColumn heard = {label, u, LENGTH};
    good = good && jw_paper_velocity_sound(run, stem, &heard, JW_STUDY_RATE);
  }
  return good || jw_paper_fail(run, "the engine stopped");
}

bool jw_study_hammer(JwPaperRun* run) {
  static Results results;
  return measure(run, &results) && save(run, &results) && draw(run, &results)
         && tabulate(run, &results) && play(run)
         && jw_paper_remark(
             run,
             "A hammer's contact is long and soft: a hundred samples at C2 and C4, thirty at C7. "
             "Every rule will do; what error there is comes from the grid, which at 44.1 kHz has "
             "no more than a few dozen points, and falls with the rate alike for all. The rate is "
             "chosen for the string, not for the felt. Durations agree with what was measured on "
             "pianos within the spread of the measurements, from the bass to the treble; an early "
             "simulation of C4 by lumped elements (Suzuki 1986), with another hammer, gives 3 ms.")
         && agree_on_durations(run, &results) && agree_on_levels(run, &results);
}
