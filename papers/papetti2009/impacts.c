// SPDX-License-Identifier: MIT
// Figures 4 to 7: the impacts by four methods, plain and corrected.

#include "papetti2009.h"

#include <math.h>
#include <stdio.h>

enum { PARTS = 4 };

// A figure of four panels under way: phase portrait, force over compression, force and energy in
// time.
typedef struct {
  const JwPapettiCase* c;
  JwPapettiPortrait exact; ///< Behind the methods
  JwPlotSeries series[PARTS][16];
  JwPlotMark marks[PARTS][4];
  JwPlotPanel panels[PARTS];
} Sheet;

static void open_sheet(Sheet* sheet, const JwPapettiCase* c) {
  static const struct {
    const char *title, *x, *x_unit, *y, *y_unit;
  } parts[PARTS] = {
      {"Phase portrait", "compression", "m", "velocity", "m/s"},
      {"Force over compression", "compression", "m", "force", "N"},
      {"Force over time", "time", "s", "force", "N"},
      {"Energy over time", "time", "s", "energy", "J"},
  };
  sheet->c = c;
  sheet->exact = jw_papetti_portrait(&c->impact, c->v_in);
  for (size_t i = 0; i < PARTS; ++i) {
    JwPlotPanel* const panel = &sheet->panels[i];
    *panel = jw_plot_panel_default();
    panel->title = parts[i].title;
    panel->x = (JwPlotAxis){.label = parts[i].x, .unit = parts[i].x_unit};
    panel->y = (JwPlotAxis){.label = parts[i].y, .unit = parts[i].y_unit};
    panel->series = sheet->series[i];
    panel->marks = sheet->marks[i];
  }
  const double v_out = jw_lab_exit_velocity_expanded(&c->impact, c->v_in);
  const double x_max = jw_lab_largest_compression(&c->impact, c->v_in);
  sheet->marks[0][0] = (JwPlotMark){JW_PLOT_VERTICAL, x_max, 0.0, "x_{max}", 0};
  sheet->marks[0][1] = (JwPlotMark){JW_PLOT_HORIZONTAL, 0.0, v_out, "v_{out}", 0};
  sheet->marks[3][0] = (JwPlotMark){JW_PLOT_HORIZONTAL, 0.0,
                                    0.5 * c->impact.mass * c->v_in * c->v_in, "H before", 0};
  sheet->marks[3][1] =
      (JwPlotMark){JW_PLOT_HORIZONTAL, 0.0, 0.5 * c->impact.mass * v_out * v_out, "H after", 0};
  sheet->panels[0].mark_count = sheet->panels[3].mark_count = 2;
  for (size_t i = 0; i < 2; ++i) {
    JwPlotSeries* const exact = &sheet->series[i][sheet->panels[i].series_count++];
    *exact = jw_paper_line(sheet->exact.x, i ? sheet->exact.f : sheet->exact.v, JW_PAPETTI_POINTS,
                           "exact");
    exact->color = JW_PLOT_GREY;
    exact->width = 3.0;
  }
}

static void add_line(Sheet* sheet, size_t part, JwPlotSeries line) {
  sheet->series[part][sheet->panels[part].series_count++] = line;
}

static void add_run(Sheet* sheet, const JwPapettiRun* run, const char* label, JwPlotSeries look) {
  const struct {
    const double *x, *y;
  } lines[PARTS] = {{run->x, run->v}, {run->x, run->f}, {run->t, run->f}, {run->t, run->energy}};
  for (size_t i = 0; i < PARTS; ++i) {
    JwPlotSeries line = look;
    line.x = lines[i].x;
    line.y = lines[i].y;
    line.count = run->count;
    line.label = label;
    add_line(sheet, i, line);
  }
}

// Kinetic and elastic energy of one run, thin, below the sum.
static void add_parts(Sheet* sheet, const JwPapettiRun* run, int color) {
  JwPlotSeries kinetic = jw_paper_line(run->t, run->kinetic, run->count, "kinetic");
  JwPlotSeries elastic = jw_paper_line(run->t, run->elastic, run->count, "elastic");
  kinetic.color = elastic.color = color;
  kinetic.width = elastic.width = 1.0;
  elastic.dash = JW_PLOT_DASHED;
  add_line(sheet, 3, kinetic);
  add_line(sheet, 3, elastic);
}

static bool save_sheet(JwPaperRun* run, const Sheet* sheet, const char* stem, const char* title) {
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = title;
  figure.caption = sheet->c->caption;
  figure.panels = sheet->panels;
  figure.panel_count = PARTS;
  figure.columns = 2;
  figure.width = 960.0;
  return jw_paper_figure(run, stem, &figure);
}

static bool save_runs(JwPaperRun* run, const char* stem, const JwPapettiRun runs[JW_LAB_METHODS]) {
  static const char* const names[JW_LAB_METHODS][4] = {
      {"x_am1", "v_am1", "f_am1", "h_am1"},
      {"x_verlet", "v_verlet", "f_verlet", "h_verlet"},
      {"x_heun", "v_heun", "f_heun", "h_heun"},
      {"x_rk4", "v_rk4", "f_rk4", "h_rk4"}};
  JwPaperColumn columns[1 + 4 * JW_LAB_METHODS];
  size_t longest = 0;
  for (size_t m = 0; m < JW_LAB_METHODS; ++m) {
    longest = runs[m].count > runs[longest].count ? m : longest;
    columns[1 + 4 * m] = (JwPaperColumn){names[m][0], runs[m].x, runs[m].count};
    columns[2 + 4 * m] = (JwPaperColumn){names[m][1], runs[m].v, runs[m].count};
    columns[3 + 4 * m] = (JwPaperColumn){names[m][2], runs[m].f, runs[m].count};
    columns[4 + 4 * m] = (JwPaperColumn){names[m][3], runs[m].energy, runs[m].count};
  }
  columns[0] = (JwPaperColumn){"t", runs[longest].t, runs[longest].count};
  return jw_paper_csv(run, stem, columns, 1 + 4 * JW_LAB_METHODS);
}

// One case by all methods: figure, numbers, and the runs for what is to be said about them.
static bool compare_methods(JwPaperRun* run, const JwPapettiCase* c, const char* stem,
                            JwPapettiRun runs[JW_LAB_METHODS]) {
  static const JwPlotMarker markers[JW_LAB_METHODS] = {JW_PLOT_DOT, JW_PLOT_SQUARE,
                                                       JW_PLOT_TRIANGLE, JW_PLOT_DIAMOND};
  static Sheet sheet;
  sheet = (Sheet){.c = c};
  open_sheet(&sheet, c);
  for (int m = 0; m < JW_LAB_METHODS; ++m) {
    if (!jw_papetti_simulate(run, c, (JwLabMethod)m, false, &runs[m])) {
      return false;
    }
    JwPlotSeries look = jw_plot_series_default();
    look.color = m + 1;
    look.marker = runs[m].count < 20 ? markers[m] : JW_PLOT_NO_MARKER;
    add_run(&sheet, &runs[m], jw_lab_method_name((JwLabMethod)m), look);
  }
  const bool soft =
      c == &jw_papetti_cases[JW_PAPETTI_SOFT]; // The others differ too little to show both
  if (soft) {
    add_parts(&sheet, &runs[JW_LAB_RK4], JW_LAB_RK4 + 1);
  }
  char title[100];
  snprintf(title, sizeof title, "A mass against a wall, %s", c->name);
  return save_runs(run, stem, runs) && save_sheet(run, &sheet, stem, title)
         && (!soft || jw_paper_remark(run, "The parts of the energy are RK4's."));
}

bool jw_papetti_fig4(JwPaperRun* run) {
  static JwPapettiRun runs[JW_LAB_METHODS];
  const JwPapettiCase* const c = &jw_papetti_cases[JW_PAPETTI_SOFT];
  bool good = compare_methods(run, c, "papetti2009-fig4", runs);
  const double v_out = jw_lab_exit_velocity(&c->impact, c->v_in);
  for (int m = 0; m < JW_LAB_METHODS && good; ++m) {
    char quantity[80];
    snprintf(quantity, sizeof quantity, "exit velocity, %s", jw_lab_method_name((JwLabMethod)m));
    good = jw_paper_agree(
        run, (JwPaperAgreement){.quantity = quantity,
                                .unit = "m/s",
                                .theirs = v_out,
                                .ours = runs[m].v[runs[m].count - 1],
                                .tolerance = (c->v_in - v_out) / 300.0,
                                .own = true,
                                .why = "the text: the plots substantially overlap; in print, "
                                       "within a line's width, 1/300 of the velocity axis"});
  }
  return good;
}

static bool agree_on_duration(JwPaperRun* run, const JwPapettiCase* c, double samples,
                              const char* why) {
  return jw_paper_agree(
      run, (JwPaperAgreement){.quantity = "contact time in samples, rounded up",
                              .theirs = samples,
                              .ours = ceil(44100.0 * jw_lab_contact_time(&c->impact, c->v_in)),
                              .tolerance = 0.0,
                              .why = why});
}

bool jw_papetti_fig5(JwPaperRun* run) {
  static JwPapettiRun runs[JW_LAB_METHODS];
  const JwPapettiCase* const c = &jw_papetti_cases[JW_PAPETTI_CASE_1];
  return compare_methods(run, c, "papetti2009-fig5", runs)
         && agree_on_duration(run, c, 8.0, "the text: 8 samples; a whole number, so exactly");
}

bool jw_papetti_fig6(JwPaperRun* run) {
  static JwPapettiRun runs[JW_LAB_METHODS];
  const JwPapettiCase* const c = &jw_papetti_cases[JW_PAPETTI_CASE_2];
  const double lowest = jw_lab_exit_velocity(&c->impact, c->v_in);
  return compare_methods(run, c, "papetti2009-fig6", runs)
         && jw_paper_agree(
             run, (JwPaperAgreement){.quantity = "exit velocity, RK4",
                                     .unit = "m/s",
                                     .theirs = lowest,
                                     .ours = runs[JW_LAB_RK4].v[runs[JW_LAB_RK4].count - 1],
                                     .tolerance = 0.0025 * fabs(lowest),
                                     .own = true,
                                     .why = "the text: RK4 experiences only small discrepancies; "
                                            "within twice its printed error in Table 1"});
}

// ---------------------------------------------------------------- corrections

typedef struct {
  JwPapettiRun plain, corrected;
  JwLabMethod method;
} Pair;

static bool draw_pair(JwPaperRun* run, const JwPapettiCase* c, const Pair* pair, const char* stem) {
  static Sheet sheet;
  sheet = (Sheet){.c = c};
  open_sheet(&sheet, c);
  JwPlotSeries look = jw_plot_series_default();
  char label[60], title[100];
  snprintf(label, sizeof label, "%s as it is", jw_lab_method_name(pair->method));
  snprintf(title, sizeof title, "Correcting %s, %s", jw_lab_method_name(pair->method), c->name);
  look.color = 2;
  look.marker = JW_PLOT_SQUARE;
  add_run(&sheet, &pair->plain, label, look);
  look.color = 1;
  look.marker = JW_PLOT_DOT;
  add_run(&sheet, &pair->corrected, "corrected", look);
  return save_sheet(run, &sheet, stem, title);
}

static bool save_pair(JwPaperRun* run, const Pair* pair, const char* stem) {
  const JwPapettiRun* const plain = &pair->plain;
  const JwPapettiRun* const corrected = &pair->corrected;
  const JwPapettiRun* const longer = corrected->count > plain->count ? corrected : plain;
  const JwPaperColumn columns[] = {{"t", longer->t, longer->count},
                                   {"x_plain", plain->x, plain->count},
                                   {"v_plain", plain->v, plain->count},
                                   {"h_plain", plain->energy, plain->count},
                                   {"x_corrected", corrected->x, corrected->count},
                                   {"v_corrected", corrected->v, corrected->count},
                                   {"h_corrected", corrected->energy, corrected->count}};
  return jw_paper_csv(run, stem, columns, sizeof columns / sizeof *columns);
}

static bool agree_on_pair(JwPaperRun* run, const JwPapettiCase* c, const Pair* pair) {
  const double v_out = jw_lab_exit_velocity_expanded(&c->impact, c->v_in);
  const double final = 0.5 * c->impact.mass * v_out * v_out;
  const double excess =
      jw_papetti_deepest(&pair->corrected) - jw_lab_largest_compression(&c->impact, c->v_in);
  const char* const method = jw_lab_method_name(pair->method);
  char energy[80], depth[80];
  snprintf(energy, sizeof energy, "final energy, %s corrected (%s)", method, c->name);
  snprintf(depth, sizeof depth, "compression beyond the largest, %s corrected (%s)", method,
           c->name);
  return jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity = energy,
                 .unit = "J",
                 .theirs = final,
                 .ours = pair->corrected.energy[pair->corrected.count - 1],
                 .tolerance = 4e-16 * final,
                 .own = true,
                 .why = "section 4.3: forced to the final value; equal but for rounding"})
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = depth,
                                                   .unit = "m",
                                                   .theirs = 0.0,
                                                   .ours = fmax(excess, 0.0),
                                                   .tolerance = 0.0,
                                                   .own = true,
                                                   .why = "section 4.3: limited, so exactly"});
}

static bool correct_one(JwPaperRun* run, const JwPapettiCase* c, JwLabMethod method,
                        const char* stem) {
  static Pair pair;
  pair.method = method;
  return jw_papetti_simulate(run, c, method, false, &pair.plain)
         && jw_papetti_simulate(run, c, method, true, &pair.corrected)
         && save_pair(run, &pair, stem) && draw_pair(run, c, &pair, stem)
         && agree_on_pair(run, c, &pair);
}

bool jw_papetti_fig7(JwPaperRun* run) {
  return correct_one(run, &jw_papetti_cases[JW_PAPETTI_CASE_1], JW_LAB_VERLET, "papetti2009-fig7a")
         && correct_one(run, &jw_papetti_cases[JW_PAPETTI_CASE_2], JW_LAB_HEUN, "papetti2009-fig7b")
         && jw_paper_remark(run,
                            "The worst method is taken by its error of the final energy in Table "
                            "1: Verlet in case 1, Heun in "
                            "case 2.");
}
