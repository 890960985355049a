// Figures 4 to 8: the string against a point and against a bent barrier, by three solvers.

#include "ducceschi2019.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOLVERS = JW_DUCCESCHI_SOLVERS, SHOTS = JW_DUCCESCHI_SHOTS, PLACES = JW_DUCCESCHI_PLACES };
enum { NEWTON = JW_DUCCESCHI_NEWTON, GRID = JW_DUCCESCHI_GRID, MODES = JW_DUCCESCHI_MODES };

static const double seconds = 0.03, pulse = 1e-3;
static const double point_times[SHOTS] = {0.005, 0.014, 0.025};
static const double bent_times[SHOTS] = {0.010, 0.017, 0.025};

static const char* const string_caption =
    "L = 1 m, 63 g/m, r = 0.5 mm, T = 500 N, E = 200 GPa; raised cosine of 10 N and 1 ms at 0.3 L; "
    "K = 5\u00b710\u2076, \u03b1 = 1.4";

typedef JwDucceschiMotion Motions[SOLVERS];

static void release_all(Motions motions)
{
  for (size_t s = 0; s < SOLVERS; ++s) {
    jw_ducceschi_motion_release(&motions[s]);
  }
}

static bool run_all(JwPaperRun* run, bool along, double factor, Motions motions)
{
  for (size_t s = 0; s < SOLVERS; ++s) {
    motions[s].recording = (JwRecording){0};
  }
  for (size_t s = 0; s < SOLVERS; ++s) {
    const JwDucceschiString def =
        jw_ducceschi_string((JwDucceschiSolver)s, along, factor * JW_DUCCESCHI_RATE, seconds);
    if (!jw_ducceschi_string_run(run, &def, along ? bent_times : point_times, &motions[s])) {
      release_all(motions);
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- what figures share

static bool save_recordings(JwPaperRun* run, const char* stem, const Motions motions)
{
  static const char* const quantities[] = {"u", "kinetic", "collision", "potential", "total"};
  static char names[5 * SOLVERS][32];
  JwPaperColumn columns[1 + 5 * SOLVERS] = {{"t", motions[0].recording.t, motions[0].recording.count}};
  for (size_t i = 0; i < 5 * SOLVERS; ++i) {
    const JwRecording* const r = &motions[i / 5].recording;
    const double* const values[5] = {r->u, r->kinetic, r->contact, r->potential, r->total};
    snprintf(names[i], sizeof names[i], "%s_%s", quantities[i % 5], jw_ducceschi_solver_keys[i / 5]);
    columns[1 + i] = (JwPaperColumn){names[i], values[i % 5], r->count};
  }
  return jw_paper_csv(run, stem, columns, 1 + 5 * SOLVERS);
}

static void places(bool along, double x[PLACES], double barrier[PLACES])
{
  for (size_t i = 0; i < PLACES; ++i) {
    x[i] = (double)i / (PLACES - 1);
    barrier[i] = jw_ducceschi_barrier(along, x[i]);
  }
}

static bool draw_shots(JwPaperRun* run, const char* stem, bool along, const Motions motions)
{
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
    snprintf(titles[i], sizeof titles[i], "%g ms: %s contact", 1e3 * (along ? bent_times : point_times)[i], when[i]);
    panels[i] = jw_plot_panel_default();
    panels[i].title = titles[i];
    panels[i].x = (JwPlotAxis){.label = "place", .unit = "m", .min = 0.0, .max = 1.0};
    panels[i].y = (JwPlotAxis){.label = "displacement", .unit = "m"};
    panels[i].series = series[i];
    panels[i].series_count = SOLVERS + 1;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = along ? "A string over a bent barrier" : "A string over a point";
  figure.caption = string_caption;
  figure.panels = panels;
  figure.panel_count = SHOTS;
  figure.width = 860.0;
  figure.height = 170.0;
  return jw_paper_figure(run, stem, &figure);
}

static bool save_shots(JwPaperRun* run, const char* stem, bool along, const Motions motions)
{
  static double x[PLACES], barrier[PLACES];
  static char names[SHOTS * SOLVERS][32];
  JwPaperColumn columns[2 + SHOTS * SOLVERS] = {{"x", x, PLACES}, {"barrier", barrier, PLACES}};
  places(along, x, barrier);
  for (size_t i = 0; i < SHOTS * SOLVERS; ++i) {
    snprintf(names[i], sizeof names[i], "u%zu_%s", i / SOLVERS + 1, jw_ducceschi_solver_keys[i % SOLVERS]);
    columns[2 + i] = (JwPaperColumn){names[i], motions[i % SOLVERS].shots[i / SOLVERS], PLACES};
  }
  char name[80];
  snprintf(name, sizeof name, "%s-shots", stem);
  return jw_paper_csv(run, name, columns, 2 + SHOTS * SOLVERS);
}

// Largest of three distances, relative to the largest displacement at that time.
static double shot_distance(const Motions motions, size_t a, size_t b)
{
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

static bool agree_on_shots(JwPaperRun* run, const Motions motions, double allowed, const char* why)
{
  bool good = true;
  for (size_t s = GRID; s <= MODES && good; ++s) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "snapshots, %s against iterative, of the largest displacement",
             jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(run, (JwPaperAgreement){.quantity = quantity,
                                                  .theirs = 0.0,
                                                  .ours = shot_distance(motions, s, NEWTON),
                                                  .tolerance = allowed,
                                                  .why = why});
  }
  return good;
}

static bool agree_on_closing(JwPaperRun* run, const Motions motions)
{
  double worst = 0.0;
  for (size_t s = 0; s < SOLVERS; ++s) {
    worst = fmax(worst, motions[s].residual);
  }
  return jw_paper_agree(
             run, (JwPaperAgreement){.quantity = "times the barrier was touched (iterative), at least twice",
                                     .theirs = 1.0,
                                     .ours = motions[NEWTON].contact.closures >= 2,
                                     .tolerance = 0.0,
                                     .why = "the text: multiple collisions; without contact nothing is compared"}) &&
         jw_paper_agree(run, (JwPaperAgreement){.quantity = "worst residual of the energy ledger, all solvers",
                                                .theirs = 0.0,
                                                .ours = worst,
                                                .tolerance = 1e-11,
                                                .own = true,
                                                .why = "the balance is exact; 10^4 samples of 10^3 roundings of 10^-16, "
                                                       "mostly cancelling: their root, 3\u00b710^3 of them, with room"});
}

bool jw_ducceschi_fig4(JwPaperRun* run)
{
  static const char stem[] = "ducceschi2019-fig4";
  static Motions motions;
  if (!run_all(run, false, 1.0, motions)) {
    return false;
  }
  const bool good =
      save_recordings(run, stem, motions) && save_shots(run, stem, false, motions) &&
      draw_shots(run, stem, false, motions) &&
      agree_on_shots(run, motions, 0.25,
                     "the text: consistent, although some differences are also observed. Grid and modes travel at "
                     "slightly different speeds: at 1 kHz the grid's waves lag by (pi h/89 mm)^2/6 (1 - 0.44^2) = "
                     "0.35 %, 8 mm of the 2.2 m travelled, on a front 90 mm long of slope 2/90 mm: 0.17") &&
      jw_paper_agree(run, (JwPaperAgreement){.quantity = "snapshots, grid against iterative",
                                             .theirs = 0.0,
                                             .ours = shot_distance(motions, GRID, NEWTON),
                                             .tolerance = 1.0 / 300.0,
                                             .differs = true,
                                             .why = "the text: some differences are also observed; more than a line of "
                                                    "print, 1/300 of the axis"}) &&
      agree_on_closing(run, motions);
  release_all(motions);
  return good;
}

bool jw_ducceschi_fig8(JwPaperRun* run)
{
  static const char stem[] = "ducceschi2019-fig8";
  static Motions motions;
  if (!run_all(run, true, 5.0, motions)) {
    return false;
  }
  const bool good =
      save_shots(run, stem, true, motions) && draw_shots(run, stem, true, motions) &&
      agree_on_shots(run, motions, 0.05,
                     "the text: the three schemes yield consistent solutions after multiple collisions. Dispersion of "
                     "the grid falls with the square of its spacing, to a fifth of Figure 4's") &&
      agree_on_closing(run, motions);
  release_all(motions);
  return good;
}

// ---------------------------------------------------------------- energies: Figures 5 and 6

static bool draw_energies(JwPaperRun* run, const char* stem, const char* caption, const Motions motions)
{
  static const char* const titles[4] = {"Kinetic", "Collision", "Potential", "Total"};
  JwPlotSeries series[4][SOLVERS];
  JwPlotPanel panels[4];
  for (size_t p = 0; p < 4; ++p) {
    for (size_t s = 0; s < SOLVERS; ++s) {
      const JwRecording* const r = &motions[s].recording;
      const double* const values[4] = {r->kinetic, r->contact, r->potential, r->total};
      series[p][s] = jw_ducceschi_solver_line(s, r->t, values[p], r->count);
    }
    panels[p] = jw_plot_panel_default();
    panels[p].title = titles[p];
    panels[p].x = (JwPlotAxis){.label = "time", .unit = "s"};
    panels[p].y = (JwPlotAxis){.label = "energy", .unit = "J"};
    panels[p].series = series[p];
    panels[p].series_count = SOLVERS;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Energies of the string over a point";
  figure.caption = caption;
  figure.panels = panels;
  figure.panel_count = 4;
  figure.columns = 2;
  figure.width = 1040.0;
  figure.height = 190.0;
  return jw_paper_figure(run, stem, &figure);
}

static size_t after_pulse(const JwRecording* r)
{
  return (size_t)(pulse * r->rate) + 2;
}

// How far the total energy moves once the force is over.
static double drift(const JwRecording* r)
{
  double worst = 0.0;
  for (size_t n = after_pulse(r); n < r->count; ++n) {
    worst = fmax(worst, fabs(r->total[n] / r->total[after_pulse(r)] - 1.0));
  }
  return worst;
}

// Collision energy at the end, when the contact has been open for 10 ms, over the total.
static double left_over(const JwRecording* r)
{
  return r->contact[r->count - 1] / r->total[r->count - 1];
}

static bool agree_on_totals(JwPaperRun* run, const Motions motions)
{
  bool good = true;
  for (size_t s = 0; s < SOLVERS && good; ++s) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "change of the total energy after the force, %s", jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(run, (JwPaperAgreement){.quantity = quantity,
                                                  .theirs = 0.0,
                                                  .ours = drift(&motions[s].recording),
                                                  .tolerance = 1e-12,
                                                  .why = "the text: conserved after the forcing vanishes; rounding only"});
  }
  const double newton = motions[NEWTON].recording.total[motions[NEWTON].recording.count - 1];
  for (size_t s = GRID; s <= MODES && good; ++s) {
    const double total = motions[s].recording.total[motions[s].recording.count - 1];
    char quantity[100];
    snprintf(quantity, sizeof quantity, "total energy over the iterative scheme's, %s", jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .theirs = 1.0,
                                .ours = total / newton,
                                .tolerance = s == GRID ? 1e-12 : 0.01,
                                .why = s == GRID ? "the same total energy: the two are one scheme until first contact"
                                                 : "the same total energy, but for the grid's dispersion"});
  }
  return good;
}

static bool make_energies(JwPaperRun* run, const char* stem, const char* caption, double factor, Motions motions)
{
  if (!run_all(run, false, factor, motions)) {
    return false;
  }
  if (save_recordings(run, stem, motions) && draw_energies(run, stem, caption, motions) &&
      agree_on_totals(run, motions)) {
    return true;
  }
  release_all(motions);
  return false;
}

bool jw_ducceschi_fig5(JwPaperRun* run)
{
  static Motions motions;
  if (!make_energies(run, "ducceschi2019-fig5", "44.1 kHz, the simulations of Figure 4", 1.0, motions)) {
    return false;
  }
  const double newton = left_over(&motions[NEWTON].recording), grid = left_over(&motions[GRID].recording);
  const double modes = left_over(&motions[MODES].recording);
  const bool good =
      jw_paper_agree(run, (JwPaperAgreement){.quantity = "collision energy left in the open contact, iterative",
                                             .theirs = 0.0,
                                             .ours = newton,
                                             .tolerance = 0.0,
                                             .why = "an open contact stores nothing"}) &&
      jw_paper_agree(run, (JwPaperAgreement){.quantity = "the same, non-iterative, grid",
                                             .theirs = 0.0,
                                             .ours = grid,
                                             .tolerance = 1e-6,
                                             .differs = true,
                                             .why = "the text: excess kinetic energy becomes extra collision energy, and "
                                                    "stays: far above rounding"}) &&
      jw_paper_agree(run, (JwPaperAgreement){.quantity = "the same, non-iterative, modes",
                                             .theirs = 0.0,
                                             .ours = modes,
                                             .tolerance = 1e-6,
                                             .differs = true,
                                             .why = "as for the grid"}) &&
      jw_paper_agree(run, (JwPaperAgreement){.quantity = "less of it by modes than on the grid (1: yes)",
                                             .theirs = 1.0,
                                             .ours = modes < grid,
                                             .tolerance = 0.0,
                                             .why = "the text: particularly evident on the grid, the modal scheme is "
                                                    "somewhat better behaved"});
  release_all(motions);
  return good;
}

bool jw_ducceschi_fig6(JwPaperRun* run)
{
  static Motions motions, coarse;
  if (!make_energies(run, "ducceschi2019-fig6", "5 \u00d7 44.1 kHz", 5.0, motions) ||
      !run_all(run, false, 1.0, coarse)) {
    return false;
  }
  bool good = true;
  for (size_t s = GRID; s <= MODES && good; ++s) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "collision energy left, over that at 44.1 kHz, %s", jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .theirs = 0.0,
                                .ours = left_over(&motions[s].recording) / left_over(&coarse[s].recording),
                                .tolerance = 0.2,
                                .why = "the text: much more consistent; a scheme of first order leaves a fifth"});
  }
  release_all(motions);
  release_all(coarse);
  return good;
}

// ---------------------------------------------------------------- output: Figure 7

static bool draw_outputs(JwPaperRun* run, Motions motions[2])
{
  JwPlotSeries series[2][SOLVERS];
  JwPlotPanel panels[2];
  for (size_t p = 0; p < 2; ++p) {
    for (size_t s = 0; s < SOLVERS; ++s) {
      const JwRecording* const r = &motions[p][s].recording;
      series[p][s] = jw_ducceschi_solver_line(s, r->t, r->u, r->count);
    }
    panels[p] = jw_plot_panel_default();
    panels[p].title = p ? "(b) 5 \u00d7 44.1 kHz" : "(a) 44.1 kHz";
    panels[p].x = (JwPlotAxis){.label = "time", .unit = "s"};
    panels[p].y = (JwPlotAxis){.label = "displacement at 0.9 L", .unit = "m"};
    panels[p].series = series[p];
    panels[p].series_count = SOLVERS;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Recorded output";
  figure.caption = string_caption;
  figure.panels = panels;
  figure.panel_count = 2;
  figure.width = 900.0;
  figure.height = 220.0;
  return jw_paper_figure(run, "ducceschi2019-fig7", &figure);
}

static bool save_outputs(JwPaperRun* run, Motions motions[2])
{
  static char names[2 * SOLVERS + 1][32];
  JwPaperColumn columns[2 * SOLVERS + 2];
  size_t count = 0;
  for (size_t p = 0; p < 2; ++p) {
    const JwRecording* const first = &motions[p][0].recording;
    snprintf(names[count], 32, p ? "t_5x" : "t");
    columns[count] = (JwPaperColumn){names[count], first->t, first->count};
    ++count;
    for (size_t s = 0; s < SOLVERS && count < 2 * SOLVERS + 1; ++s, ++count) {
      const JwRecording* const r = &motions[p][s].recording;
      snprintf(names[count], 32, "u_%s%s", jw_ducceschi_solver_keys[s], p ? "_5x" : "");
      columns[count] = (JwPaperColumn){names[count], r->u, r->count};
    }
  }
  return jw_paper_csv(run, "ducceschi2019-fig7", columns, count);
}

static double output_distance(const Motions motions, size_t solver)
{
  const JwRecording *const a = &motions[solver].recording, *const b = &motions[NEWTON].recording;
  return jw_paper_relative(a->u, b->u, 1, b->count);
}

bool jw_ducceschi_fig7(JwPaperRun* run)
{
  static Motions motions[2];
  if (!run_all(run, false, 1.0, motions[0]) || !run_all(run, false, 5.0, motions[1])) {
    return false;
  }
  bool good = save_outputs(run, motions) && draw_outputs(run, motions);
  for (size_t s = GRID; s <= MODES && good; ++s) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "distance from the iterative scheme, over that at 44.1 kHz, %s",
             jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .theirs = 0.0,
                                .ours = output_distance(motions[1], s) / output_distance(motions[0], s),
                                .tolerance = 0.4,
                                .why = "the text: the outputs seem to have converged. The grid's spacing falls as the "
                                       "root of the time step, its dispersion with the square of that: to a fifth, and "
                                       "the collision's error likewise; twice that is allowed"});
  }
  for (size_t s = GRID; s <= MODES && good; ++s) {
    char quantity[100];
    snprintf(quantity, sizeof quantity, "distance from the iterative scheme at 5x, %s", jw_ducceschi_solver_names[s]);
    good = jw_paper_agree(run, (JwPaperAgreement){.quantity = quantity,
                                                  .theirs = 0.0,
                                                  .ours = output_distance(motions[1], s),
                                                  .tolerance = 0.02,
                                                  .why = "the text: seem to have converged; root mean square, 2 % of the "
                                                         "signal is a line of print at a tenth of its peak"});
  }
  release_all(motions[0]);
  release_all(motions[1]);
  return good;
}
