// SPDX-License-Identifier: MIT
// Axes settled: the range from the data, and data to pixels.

#include "draw.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// Far outside of the panel a coordinate says no more than "outside"; this keeps it printable.
#define FAR 1e6

bool jw_plot_fail(JwPlotError* error, const char* format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
  }
  return false;
}

static double fraction(const JwPlotAxis* axis, double value) {
  if (!isfinite(value) || (axis->log && value <= 0.0)) {
    return NAN;
  }
  return axis->log ? (log(value) - log(axis->min)) / (log(axis->max) - log(axis->min))
                   : (value - axis->min) / (axis->max - axis->min);
}

static double limited(double pixel) {
  return isnan(pixel) ? pixel : fmin(fmax(pixel, -FAR), FAR);
}

double jw_plot_x(const JwPlotFrame* frame, double value) {
  return limited(fraction(&frame->x, value) * frame->width);
}

double jw_plot_y(const JwPlotFrame* frame, double value) {
  return limited((1.0 - fraction(&frame->y, value)) * frame->height);
}

static void include(const JwPlotAxis* axis, double value, double range[2]) {
  if (isfinite(value) && !(axis->log && value <= 0.0)) {
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
  }
}

static void include_series(const JwPlotPanel* panel, const JwPlotSeries* series, double x[2],
                           double y[2]) {
  for (size_t i = 0; i < series->count; ++i) {
    include(&panel->x, series->x ? series->x[i] : (double)i, x);
    include(&panel->y, series->y[i], y);
    if (series->kind == JW_PLOT_AREA && series->base) {
      include(&panel->y, series->base[i], y);
    }
  }
  if (series->kind == JW_PLOT_BARS || (series->kind == JW_PLOT_AREA && !series->base)) {
    include(&panel->y, 0.0, y);
  }
}

// A line that turns back touches its own extremes in x as well as in y.
static bool turns_back(const JwPlotSeries* series) {
  bool rises = true;
  for (size_t i = 1; series->x && i < series->count && rises; ++i) {
    rises = !(series->x[i] < series->x[i - 1]);
  }
  return !rises;
}

// Widen by a part of the span, so that lines do not run along the frame.
static void pad(const JwPlotAxis* axis, double part, double range[2]) {
  if (axis->log) {
    const double factor = range[1] > range[0] ? exp(part * (log(range[1]) - log(range[0]))) : 2.0;
    range[0] = fmax(range[0] / factor, DBL_MIN);
    range[1] = fmin(range[1] * factor, DBL_MAX);
    return;
  }
  double span = range[1] - range[0];
  const double size = fmax(fabs(range[0]), fabs(range[1]));
  const bool flat =
      span <= 1e-12 * size; // Constant to rounding: no finer ticks than can be told apart
  span = flat ? (size > 0.0 ? 0.2 * size : 2.0) : span;
  const double extra = flat ? 0.5 * span : part * span;
  range[0] -= extra;
  range[1] += extra;
}

static bool settle_axis(JwPlotAxis* axis, double part, double range[2]) {
  const bool automatic = axis->min == axis->max;
  const bool has_min = !automatic && isfinite(axis->min),
             has_max = !automatic && isfinite(axis->max);
  if (axis->name_count) {
    range[0] = -0.5;
    range[1] = (double)axis->name_count - 0.5;
  } else if (range[0] <= range[1]) {
    const double foot = range[0];
    pad(axis, part, range);
    range[0] = foot == 0.0 && !axis->log && part > 0.0 && range[1] > 0.0 ? 0.0 : range[0];
  }
  axis->min = has_min ? axis->min : range[0];
  axis->max = has_max ? axis->max : range[1];
  const double least =
      1e-12 * fmax(fabs(axis->min), fabs(axis->max)); // Closer ends have no ticks between
  return isfinite(axis->max - axis->min) && axis->max - axis->min > least
         && (!axis->log || axis->min > 0.0);
}

static void include_marks(const JwPlotPanel* panel, double x[2], double y[2]) {
  for (size_t i = 0; i < panel->mark_count; ++i) {
    const JwPlotMark* const mark = &panel->marks[i];
    if (mark->kind != JW_PLOT_HORIZONTAL) {
      include(&panel->x, mark->x, x);
    }
    if (mark->kind != JW_PLOT_VERTICAL) {
      include(&panel->y, mark->y, y);
    }
  }
}

bool jw_plot_settle(const JwPlotPanel* panel, JwPlotFrame* frame, JwPlotError* error) {
  double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
  bool loose = false; // Marks, bars and turning points must not be cut by the frame
  for (size_t i = 0; i < panel->series_count; ++i) {
    include_series(panel, &panel->series[i], x, y);
    const JwPlotKind kind = panel->series[i].kind;
    loose = loose || kind == JW_PLOT_BARS || kind == JW_PLOT_POINTS || panel->series[i].marker
            || turns_back(&panel->series[i]);
  }
  include_marks(panel, x, y);
  const JwPlotHeat* const heat = panel->heat;
  if (heat) {
    include(&panel->x, heat->x[0], x), include(&panel->x, heat->x[1], x);
    include(&panel->y, heat->y[0], y), include(&panel->y, heat->y[1], y);
  }
  frame->panel = panel;
  frame->x = panel->x;
  frame->y = panel->y;
  const char* const title = panel->title ? panel->title : "untitled";
  if (!settle_axis(&frame->x, loose ? 0.04 : 0.0, x)) {
    return jw_plot_fail(error, "panel \"%s\": the x axis has no valid range: %g to %g", title,
                        frame->x.min, frame->x.max);
  }
  if (!settle_axis(&frame->y, heat ? 0.0 : 0.06, y)) {
    return jw_plot_fail(error, "panel \"%s\": the y axis has no valid range: %g to %g", title,
                        frame->y.min, frame->y.max);
  }
  return true;
}
