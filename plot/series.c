// SPDX-License-Identifier: MIT
// Lines, points, steps, areas and bars, in pixels of the plotting area.

#include "draw.h"
#include "thin.h"

#include <math.h>
#include <stdlib.h>

// A path of more corners than this, after thinning, would make a file over 300 kB.
#define MAX_CORNERS 25000

// What draws each marker from its centre.  A dot is the round cap of a line without length.
static const char* const marker_path[] = {
    [JW_PLOT_NO_MARKER] = "h0",          [JW_PLOT_DOT] = "h0",
    [JW_PLOT_SQUARE] = "m-3-3h6v6h-6z",  [JW_PLOT_DIAMOND] = "m0-4l4 4-4 4-4-4z",
    [JW_PLOT_TRIANGLE] = "m0-4l4 7h-8z", [JW_PLOT_CROSS] = "m-3-3l6 6m0-6l-6 6",
};
static const char* const marker_class[] = {
    [JW_PLOT_NO_MARKER] = "mr", [JW_PLOT_DOT] = "mr",      [JW_PLOT_SQUARE] = "mf",
    [JW_PLOT_DIAMOND] = "mf",   [JW_PLOT_TRIANGLE] = "mf", [JW_PLOT_CROSS] = "mx",
};

int jw_plot_color(const JwPlotPanel* panel, size_t series) {
  int next = 0;
  for (size_t i = 0; i <= series; ++i) {
    next += panel->series[i].color == 0;
  }
  const int own = panel->series[series].color;
  return own ? own : (next - 1) % 8 + 1;
}

static double x_at(const JwPlotSeries* series, size_t i) {
  return series->x ? series->x[i] : (double)i;
}

// The finite run of points from `*at` on, as pixels; `*at` moves behind it.  Steps get their
// corners.
static size_t next_run(const JwPlotFrame* frame, const JwPlotSeries* series, const double* values,
                       size_t* at, JwPoint* points) {
  size_t count = 0;
  for (; *at < series->count; ++*at) {
    const JwPoint p = {jw_plot_x(frame, x_at(series, *at)),
                       jw_plot_y(frame, values ? values[*at] : 0.0)};
    if (isnan(p.x) || isnan(p.y)) {
      if (count) {
        break;
      }
      continue;
    }
    if (series->kind == JW_PLOT_STEPS && count) {
      points[count].x = p.x;
      points[count].y = points[count - 1].y;
      ++count;
    }
    points[count++] = p;
  }
  return count;
}

static size_t thin(JwPoint* points, size_t count) {
  if (jw_thin_rises(points, count)) {
    return jw_thin_columns(points, count);
  }
  return jw_thin_path(points, count, 0.4);
}

static void add_point(JwText* text, JwPoint p, const char* before) {
  jw_text_add(text, "%s", before);
  jw_text_coordinate(text, p.x);
  jw_text_add(text, " ");
  jw_text_coordinate(text, p.y);
}

static void open_path(JwText* text, const JwPlotSeries* series, int color) {
  static const char* const dash[] = {"", " d2", " d3"};
  jw_text_add(text, "<path class=\"s c%d%s\" stroke-width=\"", color, dash[series->dash]);
  jw_text_coordinate(text, series->width);
  jw_text_add(text, "\" d=\"");
}

static size_t draw_line(JwText* text, const JwPlotFrame* frame, const JwPlotSeries* series,
                        int color, JwPoint* points) {
  size_t corners = 0;
  open_path(text, series, color);
  for (size_t at = 0; at < series->count;) {
    const size_t count = thin(points, next_run(frame, series, series->y, &at, points));
    for (size_t i = 0; i < count; ++i) {
      add_point(text, points[i], i == 0 ? "M" : i == 1 ? "L" : " ");
    }
    if (count == 1) {
      jw_text_add(text, "h0"); // A single point between gaps still shows as a dot
    }
    corners += count;
  }
  jw_text_add(text, "\"/>\n");
  return corners;
}

static size_t draw_area(JwText* text, const JwPlotFrame* frame, const JwPlotSeries* series,
                        int color, JwPoint* points) {
  size_t corners = 0;
  jw_text_add(text, "<path class=\"a f%d\" d=\"", color);
  for (size_t at = 0; at < series->count;) {
    const size_t start = at;
    const size_t run = next_run(frame, series, series->y, &at, points);
    const size_t count = thin(points, run);
    for (size_t i = 0; i < count; ++i) {
      add_point(text, points[i], i ? "L" : "M");
    }
    size_t again = start;
    const size_t low_run = next_run(frame, series, series->base, &again, points);
    const size_t low = thin(points, low_run < run || !series->base ? low_run : run);
    for (size_t i = low; i-- > 0 && count;) {
      add_point(text, points[i], "L");
    }
    jw_text_add(text, count ? "z" : "");
    corners += count + low;
  }
  jw_text_add(text, "\"/>\n");
  return corners;
}

static size_t draw_markers(JwText* text, const JwPlotFrame* frame, const JwPlotSeries* series,
                           int color, JwPoint* points) {
  size_t corners = 0;
  jw_text_add(text, "<path class=\"%s c%d f%d\" d=\"", marker_class[series->marker], color, color);
  for (size_t at = 0; at < series->count;) {
    const size_t count = thin(points, next_run(frame, series, series->y, &at, points));
    for (size_t i = 0; i < count; ++i) {
      add_point(text, points[i], "M");
      jw_text_add(text, "%s", marker_path[series->marker]);
    }
    corners += count;
  }
  jw_text_add(text, "\"/>\n");
  return corners;
}

// Least distance between neighbours (px), the slot that bars share.
static double bar_slot(const JwPlotFrame* frame, const JwPlotSeries* series) {
  double slot = series->count > 1 || frame->x.name_count ? INFINITY : 0.3 * frame->width;
  for (size_t i = 1; i < series->count; ++i) {
    const double step =
        fabs(jw_plot_x(frame, x_at(series, i)) - jw_plot_x(frame, x_at(series, i - 1)));
    slot = step > 0.0 ? fmin(slot, step) : slot;
  }
  return isfinite(slot) ? slot
                        : frame->width / (double)(frame->x.name_count ? frame->x.name_count : 1);
}

static void draw_bars(JwText* text, const JwPlotFrame* frame, const JwPlotSeries* series,
                      int color) {
  size_t groups = 0, group = 0;
  for (size_t i = 0; i < frame->panel->series_count; ++i) {
    const JwPlotSeries* const other = &frame->panel->series[i];
    group = other == series ? groups : group;
    groups += other->kind == JW_PLOT_BARS;
  }
  const double width = 0.8 * bar_slot(frame, series) / (double)groups;
  const double offset = ((double)group - 0.5 * (double)groups) * width;
  const double zero = frame->y.log ? frame->height : jw_plot_y(frame, 0.0);
  jw_text_add(text, "<path class=\"b f%d\" d=\"", color);
  for (size_t i = 0; i < series->count; ++i) {
    const double y = jw_plot_y(frame, series->y[i]);
    const JwPoint corner = {jw_plot_x(frame, x_at(series, i)) + offset + 0.5, zero};
    if (!isnan(y) && !isnan(corner.x)) {
      add_point(text, corner, "M");
      jw_text_add(text, "V");
      jw_text_coordinate(text, y);
      jw_text_add(text, "h");
      jw_text_coordinate(text, fmax(width - 1.0, 0.3));
      jw_text_add(text, "V");
      jw_text_coordinate(text, zero);
      jw_text_add(text, "z");
    }
  }
  jw_text_add(text, "\"/>\n");
}

static size_t draw_one(JwText* text, const JwPlotFrame* frame, const JwPlotSeries* series,
                       int color, JwPoint* points) {
  size_t corners = 0;
  if (series->kind == JW_PLOT_BARS) {
    draw_bars(text, frame, series, color);
    return series->count;
  }
  if (series->kind == JW_PLOT_AREA) {
    corners += draw_area(text, frame, series, color, points);
  } else if (series->kind != JW_PLOT_POINTS) {
    corners += draw_line(text, frame, series, color, points);
  }
  if (series->kind == JW_PLOT_POINTS || series->marker) {
    JwPlotSeries bare = *series;
    bare.kind = JW_PLOT_POINTS; // Steps: a mark at each value, not at the corners
    corners += draw_markers(text, frame, &bare, color, points);
  }
  return corners;
}

bool jw_plot_draw_series(JwText* text, const JwPlotFrame* frame, JwPlotError* error) {
  const JwPlotPanel* const panel = frame->panel;
  for (size_t i = 0; i < panel->series_count; ++i) {
    const JwPlotSeries* const series = &panel->series[i];
    JwPoint* const points = (JwPoint*)malloc(2 * series->count * sizeof *points);
    if (!points) {
      return jw_plot_fail(error, "no memory for %zu points", series->count);
    }
    const size_t corners = draw_one(text, frame, series, jw_plot_color(panel, i), points);
    free(points);
    if (corners > MAX_CORNERS) {
      return jw_plot_fail(error,
                          "series \"%s\" has %zu visible corners, more than %d: give fewer points",
                          series->label ? series->label : "", corners, MAX_CORNERS);
    }
  }
  return true;
}

void jw_plot_draw_key(JwText* text, const JwPlotSeries* series, int color) {
  if (series->kind == JW_PLOT_AREA || series->kind == JW_PLOT_BARS) {
    jw_text_add(text, "<path class=\"%s f%d\" d=\"M-9-5h18v10h-18z\"/>",
                series->kind == JW_PLOT_AREA ? "a" : "b", color);
    return;
  }
  if (series->kind != JW_PLOT_POINTS) {
    open_path(text, series, color);
    jw_text_add(text, "M-11 0h22\"/>");
  }
  if (series->kind == JW_PLOT_POINTS || series->marker) {
    jw_text_add(text, "<path class=\"%s c%d f%d\" d=\"M0 0%s\"/>", marker_class[series->marker],
                color, color, marker_path[series->marker]);
  }
}
