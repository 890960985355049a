// SPDX-License-Identifier: MIT
// Figures 4 and 8: the string against a point and against a bent barrier, by three solvers.

#include "ducceschi2019.h"

#include <math.h>
#include <stdio.h>

enum { SOLVERS = JW_DUCCESCHI_SOLVERS, SHOTS = JW_DUCCESCHI_SHOTS, PLACES = JW_DUCCESCHI_PLACES };
enum { NEWTON = JW_DUCCESCHI_NEWTON, GRID = JW_DUCCESCHI_GRID, MODES = JW_DUCCESCHI_MODES };

#define STRING_CAPTION                                                                             \
  "L = 1 m, 63 g/m, r = 0.5 mm, T = 500 N, E = 200 GPa; raised cosine of 10 N and 1 ms at 0.3 L\n" \
  "\u03b1 = 1.4, K = 5\u00b710\u2076 N/m"

static void places(bool along, double x[PLACES], double barrier[PLACES]) {
  for (size_t i = 0; i < PLACES; ++i) {
    x[i] = (double)i / (PLACES - 1);
    barrier[i] = jw_ducceschi_barrier(along, x[i]);
  }
}

static bool draw_shots(JwPaperRun* run, const char* stem, bool along,
                       const JwDucceschiMotions motions) {
  static const char* const when[SHOTS] = {"before", "during", "after"};
  static double x[PLACES], barrier[PLACES];
  char titles[SHOTS][60];
  JwPlotSeries series[SHOTS][SOLVERS + 1];
  JwPlotPanel panels[SHOTS];
  places(along, x, barrier);
  for (size_t i = 0; i < SHOTS; ++i) {
    series[i][0] = jw_paper_line(x, barrier, PLACES, "barrier");
    series[i][0].color = JW_PLOT_INK;
    series[i][0].width = 2.0;
    series[i][0].kind = along ? JW_PLOT_LINE : JW_PLOT_POINTS;
    series[i][0].marker = along ? JW_PLOT_NO_MARKER : JW_PLOT_SQUARE;
    for (size_t s = 0; s < SOLVERS; ++s) {
      series[i][1 + s] = jw_ducceschi_solver_line(s, x, motions[s].shots[i], PLACES);
    }
    snprintf(titles[i], sizeof titles[i], "%g ms: %s contact", 1e3 * jw_ducceschi_times(along)[i],
             when[i]);
    panels[i] = jw_plot_panel_default();
    panels[i].title = titles[i];
    panels[i].x = (JwPlotAxis){.label = "place", .unit = "m", .min = 0.0, .max = 1.0};
    panels[i].y = (JwPlotAxis){.label = "displacement", .unit = "m"};
    panels[i].series = series[i];
    panels[i].series_count = SOLVERS + 1;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = along ? "A string over a bent barrier" : "A string over a point";
  figure.caption = along ? STRING_CAPTION "^{2.4}" : STRING_CAPTION "^{1.4}";
  figure.panels = panels;
  figure.panel_count = SHOTS;
  figure.width = 860.0;
  figure.height = 170.0;
  return jw_paper_figure(run, stem, &figure);
}

static bool save_shots(JwPaperRun* run, const char* stem, bool along,
                       const JwDucceschiMotions motions) {
  static double x[PLACES], barrier[PLACES];
  static char names[SHOTS * SOLVERS][32];
  JwPaperColumn columns[2 + SHOTS * SOLVERS] = {{"x", x, PLACES}, {"barrier", barrier, PLACES}};
  places(along, x, barrier);
  for (size_t i = 0; i < SHOTS * SOLVERS; ++i) {
    snprintf(names[i], sizeof names[i], "u%zu_%s", i / SOLVERS + 1,
             jw_ducceschi_solver_keys[i % SOLVERS]);
    columns[2 + i] = (JwPaperColumn){names[i], motions[i % SOLVERS].shots[i / SOLVERS], PLACES};
  }
  char name[80];
  snprintf(name, sizeof name, "%s-shots", stem);
  return jw_paper_csv(run, name, columns, 2 + SHOTS * SOLVERS);
}

// Largest of three distances, relative to the largest displacement at that time.
static double shot_distance(const JwDucceschiMotions motions, size_t a, size_t b) {
  double worst = 0.0;
  for (size_t i = 0; i < SHOTS; ++i) {
    double size = 0.0;
    for (size_t p = 0; p < PLACES; ++p) {
      size = fmax(size, fabs(motions[b].shots[i][p]));
    }
    worst = fmax(worst, jw_paper_distance(motions[a].shots[i], motions[b].shots[i], PLACES) / size);
  }
  return worst;
}

// ---------------------------------------------------------------- snapshots: Figures 4 and 8

static bool agree_on_shots(JwPaperRun* run, const JwDucceschiMotions motions, double allowed,
                           const char* why) {
  bool good = true;
  for (size_t s = GRID; s <= MODES && good; ++s) {
    char quantity[100];
    snprintf(quantity, sizeof quantity,
             "snapshots, %s against iterative, of the largest displacement",
             jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(run, (JwPaperAgreement){.quantity = quantity,
                                                  .theirs = 0.0,
                                                  .ours = shot_distance(motions, s, NEWTON),
                                                  .tolerance = allowed,
                                                  .why = why});
  }
  return good;
}

static bool agree_on_closing(JwPaperRun* run, const JwDucceschiMotions motions) {
  double worst = 0.0;
  for (size_t s = 0; s < SOLVERS; ++s) {
    worst = fmax(worst, motions[s].residual);
  }
  return jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity = "times the barrier was touched (iterative), at least twice",
                 .theirs = 1.0,
                 .ours = motions[NEWTON].contact.closures >= 2,
                 .tolerance = 0.0,
                 .why = "the text: multiple collisions; without contact nothing is compared"})
         && jw_paper_agree(
             run, (JwPaperAgreement){
                      .quantity = "worst residual of the energy ledger, all solvers",
                      .theirs = 0.0,
                      .ours = worst,
                      .tolerance = 1e-11,
                      .own = true,
                      .why = "the balance is exact; 10^4 samples of 10^3 roundings of 10^-16, "
                             "mostly cancelling: their root, 3\u00b710^3 of them, with room"});
}

// The other rate than the figure's: output and energies, and how far the solvers are apart.
static bool add_rate(JwPaperRun* run, const char* stem, bool along, double factor, double allowed) {
  static JwDucceschiMotions motions;
  if (!jw_ducceschi_run_all(run, along, factor, motions)) {
    return false;
  }
  char name[80];
  snprintf(name, sizeof name, "%s-%gx", stem, factor);
  bool good = jw_ducceschi_save(run, name, motions);
  for (size_t s = GRID; s <= MODES && good; ++s) {
    char quantity[120];
    snprintf(quantity, sizeof quantity, "snapshots at %g \u00d7 44.1 kHz, %s against iterative",
             factor, jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .theirs = 0.0,
                                .ours = shot_distance(motions, s, NEWTON),
                                .tolerance = allowed,
                                .own = true,
                                .why = "the rate that the figure does not show: the grid's "
                                       "dispersion as at that rate in the other figure"});
  }
  jw_ducceschi_release_all(motions);
  return good;
}

// What each solver sounds like, at audio rate.
static bool play(JwPaperRun* run, const char* stem, bool along, double seconds) {
  static JwDucceschiMotion motion;
  bool good = true;
  for (size_t s = 0; s < SOLVERS && good; ++s) {
    const JwDucceschiString def =
        jw_ducceschi_string((JwDucceschiSolver)s, along, JW_DUCCESCHI_RATE, seconds);
    if (!jw_ducceschi_string_run(run, &def, jw_ducceschi_times(along), &motion)) {
      return false;
    }
    char name[80], label[100];
    snprintf(name, sizeof name, "%s-%s", stem, jw_ducceschi_solver_keys[s]);
    snprintf(label, sizeof label, "%s: velocity at 0.9 L, 44.1 kHz", jw_ducceschi_solver_names[s]);
    const JwPaperColumn heard = {label, motion.recording.u, motion.recording.count};
    good = jw_paper_velocity_sound(run, name, &heard, JW_DUCCESCHI_RATE);
    jw_ducceschi_motion_release(&motion);
  }
  return good;
}

// The string rests, the force has not begun: where does energy come from with b as printed?
static bool agree_on_height(JwPaperRun* run) {
  static JwDucceschiMotion motion;
  bool good = true;
  for (int printed = 1; printed >= 0 && good; --printed) {
    JwDucceschiString def = jw_ducceschi_string(JW_DUCCESCHI_GRID, false, JW_DUCCESCHI_RATE, 0.03);
    def.printed = printed;
    if (!jw_ducceschi_string_run(run, &def, jw_ducceschi_times(false), &motion)) {
      return false;
    }
    good = jw_paper_agree(
        run,
        (JwPaperAgreement){
            .quantity = printed ? "energy of the string at rest, barrier at b = 1e-4 as printed"
                                : "the same, barrier at b = -1e-4",
            .unit = "J",
            .theirs = 0.0,
            .ours = motion.recording.total[0],
            .tolerance = 0.0,
            .differs = printed,
            .own = true,
            .why = printed ? "a misprint: the string starts inside of the barrier"
                           : "nothing moves and nothing touches"});
    jw_ducceschi_motion_release(&motion);
  }
  return good;
}

bool jw_ducceschi_fig4(JwPaperRun* run) {
  static const char stem[] = "ducceschi2019-fig4";
  static JwDucceschiMotions motions;
  if (!jw_ducceschi_run_all(run, false, 1.0, motions)) {
    return false;
  }
  const bool good =
      jw_ducceschi_save(run, stem, motions) && save_shots(run, stem, false, motions)
      && draw_shots(run, stem, false, motions)
      && agree_on_shots(
          run, motions, 0.25,
          "the text: consistent, although some differences are also observed. Grid and modes "
          "travel at "
          "slightly different speeds: at 1 kHz the grid's waves lag by (pi h/89 mm)^2/6 (1 - "
          "0.44^2) = "
          "0.35 %, 8 mm of the 2.2 m travelled, on a front 90 mm long of slope 2/90 mm: 0.17")
      && jw_paper_agree(run,
                        (JwPaperAgreement){
                            .quantity = "snapshots, grid against iterative",
                            .theirs = 0.0,
                            .ours = shot_distance(motions, GRID, NEWTON),
                            .tolerance = 1.0 / 300.0,
                            .differs = true,
                            .why =
                                "the text: some differences are also observed; more than a line of "
                                "print, 1/300 of the axis"})
      && agree_on_closing(run, motions);
  jw_ducceschi_release_all(motions);
  return good && agree_on_height(run) && add_rate(run, stem, false, 5.0, 0.05)
         && play(run, stem, false, 1.0);
}

bool jw_ducceschi_fig8(JwPaperRun* run) {
  static const char stem[] = "ducceschi2019-fig8";
  static JwDucceschiMotions motions;
  if (!jw_ducceschi_run_all(run, true, 5.0, motions)) {
    return false;
  }
  const bool good =
      jw_ducceschi_save(run, stem, motions) && save_shots(run, stem, true, motions)
      && draw_shots(run, stem, true, motions)
      && agree_on_shots(run, motions, 0.05,
                        "the text: the three schemes yield consistent solutions after multiple "
                        "collisions. Dispersion of "
                        "the grid falls with the square of its spacing, to a fifth of Figure 4's")
      && agree_on_closing(run, motions);
  jw_ducceschi_release_all(motions);
  return good && add_rate(run, stem, true, 1.0, 0.25) && play(run, stem, true, 0.5);
}
