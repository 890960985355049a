// SPDX-License-Identifier: MIT
// What a figure must be before it is drawn: texts that XML allows, sizes in range, something to
// draw.

#include "draw.h"

#include <math.h>

static bool check_text(const char* what, const char* text, JwPlotError* error) {
  return !text || jw_text_is_xml(text)
         || jw_plot_fail(error, "%s is not UTF-8 text that XML allows", what);
}

static bool check_series(const JwPlotPanel* panel, const JwPlotSeries* series, JwPlotError* error) {
  const char* const title = panel->title ? panel->title : "untitled";
  const char* const label = series->label ? series->label : "without label";
  if (!(series->width > 0.0 && series->width < 100.0) || series->color < 0
      || series->color > JW_PLOT_GREY) {
    return jw_plot_fail(error, "panel \"%s\", series \"%s\": width %g or color %d is out of range",
                        title, label, series->width, series->color);
  }
  for (size_t i = 0; series->y && i < series->count; ++i) {
    const double x = series->x ? series->x[i] : (double)i;
    const bool hidden = (panel->x.log && x <= 0.0) || (panel->y.log && series->y[i] <= 0.0);
    if (isfinite(x) && isfinite(series->y[i]) && !hidden) {
      return true;
    }
  }
  return jw_plot_fail(error, "panel \"%s\", series \"%s\": no value of its %zu can be drawn", title,
                      label, series->count);
}

static bool check_panel(const JwPlotPanel* panel, JwPlotError* error) {
  bool good = check_text("a panel's title", panel->title, error)
              && check_text("an axis label", panel->x.label, error)
              && check_text("an axis label", panel->y.label, error)
              && check_text("a unit", panel->x.unit, error)
              && check_text("a unit", panel->y.unit, error);
  for (size_t i = 0; good && i < panel->series_count; ++i) {
    good = check_text("a series' label", panel->series[i].label, error)
           && check_series(panel, &panel->series[i], error);
  }
  for (size_t i = 0; good && i < panel->mark_count; ++i) {
    good = check_text("a mark's label", panel->marks[i].label, error);
  }
  for (size_t i = 0; good && i < panel->x.name_count; ++i) {
    good = check_text("a position's name", panel->x.names[i], error);
  }
  for (size_t i = 0; good && i < panel->y.name_count; ++i) {
    good = check_text("a position's name", panel->y.names[i], error);
  }
  const JwPlotHeat* const heat = panel->heat;
  if (good && heat) {
    good = heat->values && heat->rows && heat->columns && heat->x[0] < heat->x[1]
           && heat->y[0] < heat->y[1];
    good = good || jw_plot_fail(error, "a heat map is empty or its edges do not rise");
    good = good && check_text("a heat map's label", heat->label, error)
           && check_text("a unit", heat->unit, error);
  }
  return good;
}

bool jw_plot_check(const JwPlotFigure* figure, JwPlotError* error) {
  if (!figure->panel_count || !figure->columns) {
    return jw_plot_fail(error, "a figure needs at least one panel and one column");
  }
  const double cell = figure->width / (double)figure->columns;
  if (!(cell >= 200.0 && figure->width <= 4000.0 && figure->height >= 40.0
        && figure->height <= 4000.0)) {
    return jw_plot_fail(
        error,
        "a figure of %g px in %zu columns of height %g px: a column takes 200 px at least, "
        "a plotting area 40 px, and 4000 px is the most",
        figure->width, figure->columns, figure->height);
  }
  bool good = check_text("the title", figure->title, error)
              && check_text("the caption", figure->caption, error);
  for (size_t i = 0; good && i < figure->panel_count; ++i) {
    good = check_panel(&figure->panels[i], error);
  }
  return good;
}
