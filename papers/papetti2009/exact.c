// SPDX-License-Identifier: MIT
// Figures 1 to 3: the exact results.

#include "papetti2009.h"

#include <math.h>
#include <stdio.h>

enum { IMPACTS = 4, POINTS = JW_PAPETTI_POINTS };

typedef JwPapettiPortrait Portrait;

static bool write_portraits(JwPaperRun* run, const char* stem, const Portrait portraits[IMPACTS]) {
  static const char* const names[IMPACTS][3] = {
      {"v_1", "x_1", "f_1"}, {"v_2", "x_2", "f_2"}, {"v_3", "x_3", "f_3"}, {"v_4", "x_4", "f_4"}};
  JwPaperColumn columns[3 * IMPACTS];
  for (size_t i = 0; i < IMPACTS; ++i) {
    columns[3 * i] = (JwPaperColumn){names[i][0], portraits[i].v, POINTS};
    columns[3 * i + 1] = (JwPaperColumn){names[i][1], portraits[i].x, POINTS};
    columns[3 * i + 2] = (JwPaperColumn){names[i][2], portraits[i].f, POINTS};
  }
  return jw_paper_csv(run, stem, columns, 3 * IMPACTS);
}

static const char* const impact_labels[IMPACTS] = {"1 m/s", "2 m/s", "3 m/s", "4 m/s"};

static bool draw_fig1(JwPaperRun* run, const Portrait portraits[IMPACTS], double v_limit) {
  JwPlotSeries series[3 * IMPACTS];
  const double far = -0.4 * portraits[IMPACTS - 1].x[POINTS / 2];
  double free_x[2] = {far, 0.0}, free_v[2 * IMPACTS][2];
  for (size_t i = 0; i < IMPACTS; ++i) {
    series[i] = jw_paper_line(portraits[i].x, portraits[i].v, POINTS,
                              i ? impact_labels[i] : "v_{in} = 1 m/s");
    series[i].color = (int)i + 1;
    for (size_t side = 0; side < 2; ++side) {
      double* const v = free_v[2 * i + side];
      v[0] = v[1] = side ? portraits[i].v_out : portraits[i].v_in;
      JwPlotSeries* const line = &series[IMPACTS + 2 * i + side];
      *line = jw_paper_line(free_x, v, 2, NULL);
      line->color = (int)i + 1;
      line->dash = JW_PLOT_DASHED;
    }
  }
  const JwPlotMark limit = {JW_PLOT_HORIZONTAL, 0.0, v_limit,
                            "\u22121/\u00b5, where elastic and loss force cancel", 0};
  JwPlotPanel panel = jw_plot_panel_default();
  panel.x = (JwPlotAxis){.label = "compression", .unit = "m"};
  panel.y = (JwPlotAxis){.label = "velocity", .unit = "m/s"};
  panel.series = series;
  panel.series_count = 3 * IMPACTS;
  panel.marks = &limit;
  panel.mark_count = 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Phase portrait";
  figure.caption = "m = 10 g, k = 10\u2079 N/m^{1.5}, \u03b1 = 1.5, \u00b5 = 0.5 s/m";
  figure.panels = &panel;
  figure.panel_count = 1;
  figure.height = 340.0;
  return jw_paper_figure(run, "papetti2009-fig1", &figure);
}

bool jw_papetti_fig1(JwPaperRun* run) {
  const JwLabImpact* const impact = &jw_papetti_cases[JW_PAPETTI_CASE_2].impact;
  static Portrait portraits[IMPACTS];
  for (size_t i = 0; i < IMPACTS; ++i) {
    portraits[i] = jw_papetti_portrait(impact, 1.0 + (double)i);
  }
  const double limit = -1.0 / impact->loss;
  bool good =
      write_portraits(run, "papetti2009-fig1", portraits) && draw_fig1(run, portraits, limit);
  good = good
         && jw_paper_agree(
             run, (JwPaperAgreement){.quantity = "exit velocity after a very fast impact (100 m/s)",
                                     .unit = "m/s",
                                     .theirs = limit,
                                     .ours = jw_lab_exit_velocity(impact, 100.0),
                                     .tolerance = 1e-15 * fabs(limit),
                                     .why = "the limit \u22121/\u00b5 is missed by "
                                            "exp(\u2212\u00b5 v_in), far below rounding at 50"});
  for (size_t i = 0; i < IMPACTS && good; ++i) {
    const double in = impact->loss * portraits[i].v_in, out = impact->loss * portraits[i].v_out;
    const double theirs = in - log1p(in);
    char quantity[80];
    snprintf(quantity, sizeof quantity, "\u00b5 v_out \u2212 log(1 + \u00b5 v_out) after %s",
             impact_labels[i]);
    good = jw_paper_agree(
        run,
        (JwPaperAgreement){.quantity = quantity,
                           .theirs = theirs,
                           .ours = out - log1p(out),
                           .tolerance = 4e-15 * theirs,
                           .own = true,
                           .why = "equation (6), with \u00b5 v_in; a few roundings, of which the "
                                  "logarithm next to \u22121 makes the largest"});
  }
  return good;
}

static bool draw_fig2(JwPaperRun* run, const Portrait portraits[IMPACTS],
                      const Portrait* lossless) {
  JwPlotSeries series[IMPACTS + 1];
  for (size_t i = 0; i < IMPACTS; ++i) {
    series[i] = jw_paper_line(portraits[i].x, portraits[i].f, POINTS, impact_labels[i]);
  }
  series[IMPACTS] = jw_paper_line(lossless->x, lossless->f, POINTS, "4 m/s without friction");
  series[IMPACTS].dash = JW_PLOT_DASHED;
  series[IMPACTS].color = JW_PLOT_INK;
  JwPlotPanel panel = jw_plot_panel_default();
  panel.x = (JwPlotAxis){.label = "compression", .unit = "m"};
  panel.y = (JwPlotAxis){.label = "force", .unit = "N"};
  panel.series = series;
  panel.series_count = IMPACTS + 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Compression and force";
  figure.caption = "m = 10 g, k = 10\u2079 N/m^{1.5}, \u03b1 = 1.5, \u00b5 = 0.5 s/m";
  figure.panels = &panel;
  figure.panel_count = 1;
  figure.height = 340.0;
  return jw_paper_figure(run, "papetti2009-fig2", &figure);
}

// The loop's area by the trapezoidal rule over its points.
static double loop_area(const Portrait* p) {
  double area = 0.0;
  for (size_t i = 1; i < POINTS; ++i) {
    area += 0.5 * (p->f[i] + p->f[i - 1]) * (p->x[i] - p->x[i - 1]);
  }
  return area;
}

bool jw_papetti_fig2(JwPaperRun* run) {
  const JwLabImpact* const impact = &jw_papetti_cases[JW_PAPETTI_CASE_2].impact;
  static Portrait portraits[IMPACTS], lossless;
  for (size_t i = 0; i < IMPACTS; ++i) {
    portraits[i] = jw_papetti_portrait(impact, 1.0 + (double)i);
  }
  JwLabImpact elastic = *impact;
  elastic.loss = 0.0;
  lossless = jw_papetti_portrait(&elastic, 4.0);
  bool good =
      write_portraits(run, "papetti2009-fig2", portraits) && draw_fig2(run, portraits, &lossless);
  for (size_t i = 0; i < IMPACTS && good; ++i) {
    const Portrait* const p = &portraits[i];
    const double lost = 0.5 * impact->mass * (p->v_in * p->v_in - p->v_out * p->v_out);
    char quantity[80];
    snprintf(quantity, sizeof quantity, "area of the loop at %s", impact_labels[i]);
    good = jw_paper_agree(
        run,
        (JwPaperAgreement){.quantity = quantity,
                           .unit = "J",
                           .theirs = lost,
                           .ours = loop_area(p),
                           .tolerance = 5e-5 * lost,
                           .own = true,
                           .why = "equation (17): the energy lost; a polygon of 800 sides, the "
                                  "longest pi/2 times the mean, cuts 2.5e-5 off an ellipse, and "
                                  "this is none: twice that"});
  }
  return good;
}

enum { COUNT = 1001 };

typedef struct {
  double product[COUNT], exact[COUNT], expanded[COUNT], error[COUNT];
} Expansion;

static bool draw_fig3(JwPaperRun* run, const Expansion* e) {
  const JwPlotSeries error = jw_paper_line(e->product, e->error, COUNT, NULL);
  JwPlotSeries both[2] = {jw_paper_line(e->product, e->exact, COUNT, "exact"),
                          jw_paper_line(e->product, e->expanded, COUNT, "expansion")};
  both[1].dash = JW_PLOT_DASHED;
  JwPlotPanel panels[2] = {jw_plot_panel_default(), jw_plot_panel_default()};
  panels[0].title = "Error";
  panels[0].x = panels[1].x = (JwPlotAxis){.label = "\u00b5 v_{in}", .min = 0.0, .max = 10.0};
  panels[0].y = (JwPlotAxis){.label = "error", .unit = "%"};
  panels[0].series = &error;
  panels[0].series_count = 1;
  panels[1].title = "Exit velocity";
  panels[1].y = (JwPlotAxis){.label = "\u00b5 v_{out}"};
  panels[1].series = both;
  panels[1].series_count = 2;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "The expansion for the exit velocity, (7) with (8)";
  figure.panels = panels;
  figure.panel_count = 2;
  figure.columns = 2;
  figure.width = 900.0;
  return jw_paper_figure(run, "papetti2009-fig3", &figure);
}

// Order of the expansion's error for slow impacts, from mu v = 0.01 and 0.02.
static double expansion_order(const JwLabImpact* unit) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double v = i ? 0.02 : 0.01;
    error[i] = fabs(jw_lab_exit_velocity_expanded(unit, v) - jw_lab_exit_velocity(unit, v));
  }
  return log2(error[1] / error[0]);
}

bool jw_papetti_fig3(JwPaperRun* run) {
  static Expansion e;
  const JwLabImpact unit = {1.0, 1.0, 1.5, 1.0, 0.0}; // With mu = 1 velocities are products mu v
  double largest = 0.0;
  for (size_t i = 0; i < COUNT; ++i) {
    e.product[i] = 10.0 * (double)(i + 1) / COUNT;
    e.exact[i] = jw_lab_exit_velocity(&unit, e.product[i]);
    e.expanded[i] = jw_lab_exit_velocity_expanded(&unit, e.product[i]);
    e.error[i] = 100.0 * (e.expanded[i] / e.exact[i] - 1.0);
    largest = fmax(largest, fabs(e.error[i]));
  }
  const JwPaperColumn columns[] = {{"mu_v_in", e.product, COUNT},
                                   {"mu_v_out_exact", e.exact, COUNT},
                                   {"mu_v_out_expanded", e.expanded, COUNT},
                                   {"error_percent", e.error, COUNT}};
  return jw_paper_csv(run, "papetti2009-fig3", columns, 4) && draw_fig3(run, &e)
         && jw_paper_agree(
             run, (JwPaperAgreement){.quantity = "largest error",
                                     .unit = "%",
                                     .theirs = 2.25,
                                     .ours = largest,
                                     .tolerance = 0.25,
                                     .why = "read from the figure: its axis, in steps of 0.5, ends "
                                            "at 2.5, so the curve's top lies between 2 and 2.5"})
         && jw_paper_agree(
             run,
             (JwPaperAgreement){
                 .quantity = "order of the expansion's error for slow impacts, b_4 = 14/135 mu^4",
                 .theirs = 5.0,
                 .ours = expansion_order(&unit),
                 .tolerance = 0.2,
                 .own = true,
                 .why = "b_4 is hard to read in print; with the right one the expansion holds to "
                        "fourth order and its error is of fifth, with any other of fourth"});
}
