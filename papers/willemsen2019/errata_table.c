// SPDX-License-Identifier: MIT
// The errata as an experiment: a table, a figure, and a statement for each.

#include "errata.h"
#include "willemsen2019.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 40 };

// What rounding leaves of a closed ledger is below this by two orders; a misprint is above it.
static const double between = 1e-9, opens = 1e-6;

static bool state(JwPaperRun* run, const JwErratum* e, JwErratumRun printed, JwErratumRun right) {
  char quantity[200];
  snprintf(quantity, sizeof quantity, "%s as printed: %s", e->where, e->printed);
  // Where the state stops being a number, the statement is about when.
  const bool number = isfinite(printed.residual);
  bool good = jw_paper_agree(
      run, (JwPaperAgreement){.quantity = quantity,
                              .unit = number ? "" : "samples until not a number, of 2000",
                              .theirs = number ? 0.0 : 2000.0,
                              .ours = number ? printed.residual : printed.frames,
                              .tolerance = number ? opens : 1.0,
                              .differs = true,
                              .own = true,
                              .why = "a misprint: the ledger opens, or the run ends"});
  snprintf(quantity, sizeof quantity, "%s as corrected: %s", e->where, e->right);
  return good
         && jw_paper_agree(run, (JwPaperAgreement){.quantity = quantity,
                                                   .ours = right.residual,
                                                   .tolerance = between,
                                                   .own = true,
                                                   .why = "rounding alone leaves 1e-11 or less"});
}

static bool draw(JwPaperRun* run, const double* printed, const double* right, size_t count) {
  const char* names[MOST];
  double row[MOST];
  for (size_t i = 0; i < count; ++i) {
    names[i] = jw_erratum_at(count - 1 - i)->where; // The first on top
    row[i] = (double)(count - 1 - i);
  }
  JwPlotSeries series[2] = {jw_plot_series_default(), jw_plot_series_default()};
  series[0].label = "as printed", series[0].x = printed, series[0].marker = JW_PLOT_CROSS;
  series[1].label = "as corrected", series[1].x = right, series[1].marker = JW_PLOT_DOT;
  for (int i = 0; i < 2; ++i) {
    series[i].y = row, series[i].count = count, series[i].kind = JW_PLOT_POINTS;
  }
  JwPlotPanel panel = jw_plot_panel_default();
  panel.x = (JwPlotAxis){.label = "largest closure error of the ledger", .log = true};
  panel.y =
      (JwPlotAxis){.names = names, .name_count = count, .min = -0.5, .max = (double)count - 0.5};
  panel.series = series, panel.series_count = 2;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Errata";
  figure.caption = "Relative to the largest energy; D: Ducceschi and Bilbao 2019. "
                   "(69) as printed ends at the first sample and has no number.";
  figure.panels = &panel, figure.panel_count = 1;
  figure.width = 800.0, figure.height = 20.0 * (double)count;
  return jw_paper_figure(run, "willemsen2019-errata", &figure);
}

static void add_row(JwText* rows, const JwErratum* e, JwErratumRun wrong, JwErratumRun fine) {
  char opened[60];
  if (isfinite(wrong.residual)) {
    snprintf(opened, sizeof opened, wrong.residual < 0.99 ? "%.1e" : "all of the energy",
             wrong.residual);
  } else {
    snprintf(opened, sizeof opened, "not a number after %d sample%s", wrong.frames,
             wrong.frames == 1 ? "" : "s");
  }
  jw_text_add(rows, "\n%s\t%s\t%s\t%s, %s\t%s\t%.0e", e->where, e->printed, e->right, e->system,
              jw_note_variant_name(e->variant), opened, fine.residual);
}

bool jw_willemsen_errata(JwPaperRun* run) {
  double printed[MOST], right[MOST];
  const size_t count = jw_erratum_count();
  if (count > MOST) {
    return jw_paper_fail(run, "%zu errata, room for %d", count, MOST);
  }
  JwText text = {0}, rows = {0};
  jw_text_add(&rows, "where\tprinted\tright\tshown by\tledger as printed\tas corrected");
  jw_text_add(&text, "where,printed,right,system,variant,residual_printed,samples_printed,"
                     "residual_corrected\n");
  bool good = true;
  for (size_t i = 0; i < count && good; ++i) {
    const JwErratum* const e = jw_erratum_at(i);
    const JwErratumRun wrong = jw_erratum_run(e, true), fine = jw_erratum_run(e, false);
    printed[i] = wrong.residual;
    right[i] = fine.residual;
    jw_text_add(&text, "\"%s\",\"%s\",\"%s\",%s,%s,", e->where, e->printed, e->right, e->system,
                jw_note_variant_name(e->variant));
    jw_text_add(&text, "%.17g,%d,%.17g\n", wrong.residual, wrong.frames, fine.residual);
    add_row(&rows, e, wrong, fine);
    good = state(run, e, wrong, fine);
  }
  good = good && jw_paper_file(run, "willemsen2019-errata.csv", &text) && jw_paper_table(run, &rows)
         && draw(run, printed, right, count);
  jw_text_release(&text);
  jw_text_release(&rows);
  return good;
}
