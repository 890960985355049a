// SPDX-License-Identifier: MIT
// A study as a figure: errors over rates, one panel a pickup, with slopes to compare.

#include "converge.h"
#include "plot.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PANELS 8
#define SLOPES 2

/// Everything that a panel points to while it is drawn.
typedef struct {
  JwPlotSeries series[JW_STUDY_RULES + SLOPES];
  double errors[JW_STUDY_RULES + SLOPES][JW_STUDY_RATES];
  char title[160];
} Sheet;

static void add_rules(const JwStudy* study, uint32_t pickup, const double* rates, Sheet* sheet,
                      JwPlotPanel* panel) {
  for (uint32_t r = 0; r < study->rule_count; ++r) {
    uint32_t seen = 0;
    double* const errors = sheet->errors[panel->series_count];
    for (uint32_t i = 0; i < study->rate_count; ++i) {
      errors[i] = jw_study_row(study, pickup, r, i).error;
      seen += isfinite(errors[i]) && errors[i] > 0.0;
    }
    if (seen) { // A series with nothing to draw is none
      JwPlotSeries* const line = &sheet->series[panel->series_count++];
      *line = jw_plot_series_default();
      line->x = rates, line->y = errors, line->count = study->rate_count;
      line->label = study->rules[r], line->marker = JW_PLOT_DOT, line->color = (int)r % 8 + 1;
    }
  }
}

// Through the first error, falling as k and as k^2.
static void add_slopes(const JwStudy* study, const double* rates, Sheet* sheet,
                       JwPlotPanel* panel) {
  static const char* const names[SLOPES] = {"k", "k^{2}"};
  const double first = panel->series_count ? sheet->series[0].y[0] : 0.0;
  for (int order = 1; order <= SLOPES && isfinite(first) && first > 0.0; ++order) {
    double* const errors = sheet->errors[panel->series_count];
    for (uint32_t i = 0; i < study->rate_count; ++i) {
      errors[i] = first * pow(0.5, (double)i * order);
    }
    JwPlotSeries* const line = &sheet->series[panel->series_count++];
    *line = jw_plot_series_default();
    line->x = rates, line->y = errors, line->count = study->rate_count - 1;
    line->label = names[order - 1], line->dash = order == 1 ? JW_PLOT_DASHED : JW_PLOT_DOTTED,
    line->color = JW_PLOT_GREY;
  }
}

static void fill(const JwStudy* study, uint32_t pickup, const double* rates, Sheet* sheet,
                 JwPlotPanel* panel) {
  const JwChannel* const channel = &study->channels[pickup];
  *panel = jw_plot_panel_default();
  snprintf(sheet->title, sizeof sheet->title, "%s of %s", channel->quantity, channel->name);
  panel->title = sheet->title;
  panel->x = (JwPlotAxis){.label = "rate", .unit = "Hz", .log = true};
  panel->y = (JwPlotAxis){.label = "error", .log = true};
  panel->series = sheet->series;
  add_rules(study, pickup, rates, sheet, panel);
  add_slopes(study, rates, sheet, panel);
}

char* jw_study_chart(const JwStudy* study) {
  const uint32_t most = study->pickup_count < MOST_PANELS ? study->pickup_count : MOST_PANELS;
  Sheet* const sheets = (Sheet*)calloc(most, sizeof(Sheet));
  JwPlotPanel panels[MOST_PANELS];
  double rates[JW_STUDY_RATES];
  JwPlotFigure figure = jw_plot_figure_default();
  char* text = NULL;
  for (uint32_t i = 0; i < study->rate_count; ++i) {
    rates[i] = study->rate * (double)(1u << i);
  }
  for (uint32_t p = 0; p < most && sheets; ++p) {
    fill(study, p, rates, &sheets[p], &panels[figure.panel_count]);
    figure.panel_count += panels[figure.panel_count].series_count > 0;
  }
  if (figure.panel_count) {
    JwPlotError error;
    char caption[200];
    snprintf(caption, sizeof caption,
             "Error against the finest run of the rule %s; %u of %u pickups",
             study->rules[study->reference], (unsigned)figure.panel_count, study->pickup_count);
    figure.title = study->name, figure.caption = caption, figure.panels = panels;
    figure.columns = figure.panel_count > 1 ? 2 : 1;
    text = jw_plot_text(&figure, &error);
    if (!text) {
      jw_tool_fail("%s", error.text);
    }
  } else {
    jw_tool_fail(sheets ? "%s: there is no error to draw" : "%s: no memory", study->name);
  }
  free(sheets);
  return text;
}
