// SPDX-License-Identifier: MIT
// Reference lines and words in a panel, labels placed where they cover least.
//
// A label has a few places it may take: at either end of its line, on either side.  Each place is a
// box; what lies in it is counted (points along every drawn line, other marks' lines, labels
// already there), and the emptiest is taken, the first among equals.  Words stand on a halo of the
// background's colour, so that a line behind them does not make them hard to read.

#include "draw.h"

#include <math.h>
#include <stdio.h>

#define LABEL_SIZE 11.0
#define STEP 3.0 ///< Of the points counted along a line (px)

enum { PLACES = 4, PLACED_MAX = 32 };

typedef struct {
  double left, right, top, bottom;
} Box;

typedef struct {
  Box boxes[PLACED_MAX];
  size_t count;
} Placed;

static bool holds(const Box* box, double x, double y) {
  return x >= box->left && x <= box->right && y >= box->top && y <= box->bottom;
}

static double hits_of_segment(const Box* box, const double a[2], const double b[2]) {
  const double length = hypot(b[0] - a[0], b[1] - a[1]);
  const int steps = (int)fmin(ceil(length / STEP), 2000.0);
  double hits = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double part = steps ? (double)i / steps : 0.0;
    hits += holds(box, a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]));
  }
  return hits;
}

static double hits_of_series(const Box* box, const JwPlotFrame* frame, const JwPlotSeries* series) {
  double hits = 0.0, before[2] = {NAN, NAN};
  for (size_t i = 0; i < series->count; ++i) {
    const double at[2] = {jw_plot_x(frame, series->x ? series->x[i] : (double)i),
                          jw_plot_y(frame, series->y[i])};
    const bool here = !isnan(at[0]) && !isnan(at[1]);
    const bool joined = series->kind != JW_PLOT_POINTS && series->kind != JW_PLOT_BARS;
    if (here && !isnan(before[0]) && joined) {
      hits += hits_of_segment(box, before, at);
    } else if (here) {
      hits += holds(box, at[0], at[1]);
    }
    before[0] = here ? at[0] : NAN;
    before[1] = at[1];
  }
  return hits;
}

static double hits_of_mark(const Box* box, const JwPlotFrame* frame, const JwPlotMark* mark) {
  const double x = jw_plot_x(frame, mark->x), y = jw_plot_y(frame, mark->y);
  switch (mark->kind) {
  case JW_PLOT_HORIZONTAL: return y >= box->top && y <= box->bottom ? 4.0 : 0.0;
  case JW_PLOT_VERTICAL: return x >= box->left && x <= box->right ? 4.0 : 0.0;
  default: return 0.0;
  }
}

// Outside of the frame a label would be cut: worse than any line behind it.
static double crowding(const Box* box, const JwPlotFrame* frame, const JwPlotMark* self,
                       const Placed* placed) {
  const bool inside = box->left >= 0.0 && box->right <= frame->width && box->top >= 0.0
                      && box->bottom <= frame->height;
  double hits = inside ? 0.0 : 1e6;
  for (size_t i = 0; i < frame->panel->series_count; ++i) {
    hits += hits_of_series(box, frame, &frame->panel->series[i]);
  }
  for (size_t i = 0; i < frame->panel->mark_count; ++i) {
    const JwPlotMark* const mark = &frame->panel->marks[i];
    hits += mark == self ? 0.0 : hits_of_mark(box, frame, mark);
  }
  for (size_t i = 0; i < placed->count; ++i) {
    const Box* const other = &placed->boxes[i];
    const bool apart = other->right < box->left || other->left > box->right
                       || other->bottom < box->top || other->top > box->bottom;
    hits += apart ? 0.0 : 1e3;
  }
  return hits;
}

// The places a label may take around its anchor, best first.
static size_t places_of(const JwPlotFrame* frame, const JwPlotMark* mark, Box boxes[PLACES]) {
  const double width = jw_text_width(mark->label, LABEL_SIZE), height = 13.0;
  const double x = jw_plot_x(frame, mark->x), y = jw_plot_y(frame, mark->y);
  for (size_t i = 0; i < PLACES; ++i) {
    const bool first = i % 2 == 0, near = i < 2;
    double left = x + (near ? 5.0 : -5.0 - width), top = y + (first ? -17.0 : 4.0);
    if (mark->kind == JW_PLOT_HORIZONTAL) {
      left = near ? frame->width - 5.0 - width : 5.0;
      top = y + (first ? -3.0 - height : 3.0);
    } else if (mark->kind == JW_PLOT_VERTICAL) {
      left = x + (first ? 5.0 : -5.0 - width);
      top = near ? 3.0 : frame->height - 3.0 - height;
    }
    boxes[i] = (Box){left, left + width, top, top + height};
  }
  return PLACES;
}

static void draw_label(JwText* text, const JwPlotFrame* frame, const JwPlotMark* mark,
                       Placed* placed) {
  Box boxes[PLACES];
  const size_t count = places_of(frame, mark, boxes);
  size_t best = 0;
  double least = INFINITY;
  for (size_t i = 0; i < count; ++i) {
    const double hits = crowding(&boxes[i], frame, mark, placed);
    best = hits < least ? i : best;
    least = fmin(hits, least);
  }
  char attributes[60];
  snprintf(attributes, sizeof attributes, "class=\"t b f%d\"",
           mark->color ? mark->color : JW_PLOT_GREY);
  jw_plot_words(text, attributes, (const double[2]){boxes[best].left, boxes[best].bottom - 3.0},
                mark->label);
  if (placed->count < PLACED_MAX) {
    placed->boxes[placed->count++] = boxes[best];
  }
}

static void draw_line(JwText* text, const JwPlotFrame* frame, const JwPlotMark* mark) {
  const bool across = mark->kind == JW_PLOT_HORIZONTAL;
  jw_text_add(text, "<path class=\"r c%d\" d=\"M", mark->color ? mark->color : JW_PLOT_GREY);
  jw_text_coordinate(text, across ? 0.0 : jw_plot_x(frame, mark->x));
  jw_text_add(text, " ");
  jw_text_coordinate(text, across ? jw_plot_y(frame, mark->y) : 0.0);
  jw_text_add(text, across ? "H" : "V");
  jw_text_coordinate(text, across ? frame->width : frame->height);
  jw_text_add(text, "\"/>\n");
}

// A mark without a place on the axis (not finite, or not positive where logarithmic) is left out.
static bool has_place(const JwPlotFrame* frame, const JwPlotMark* mark) {
  return (mark->kind == JW_PLOT_HORIZONTAL || !isnan(jw_plot_x(frame, mark->x)))
         && (mark->kind == JW_PLOT_VERTICAL || !isnan(jw_plot_y(frame, mark->y)));
}

void jw_plot_draw_marks(JwText* text, const JwPlotFrame* frame) {
  Placed placed = {.count = 0};
  for (size_t i = 0; i < frame->panel->mark_count; ++i) {
    const JwPlotMark* const mark = &frame->panel->marks[i];
    if (has_place(frame, mark) && mark->kind != JW_PLOT_TEXT) {
      draw_line(text, frame, mark);
    }
  }
  for (size_t i = 0; i < frame->panel->mark_count; ++i) {
    const JwPlotMark* const mark = &frame->panel->marks[i];
    if (has_place(frame, mark) && mark->label) {
      draw_label(text, frame, mark, &placed);
    }
  }
}

void jw_plot_words(JwText* text, const char* attributes, const double at[2], const char* words) {
  jw_text_add(text, "<text %s x=\"", attributes);
  jw_text_coordinate(text, at[0]);
  jw_text_add(text, "\" y=\"");
  jw_text_coordinate(text, at[1]);
  jw_text_add(text, "\">");
  jw_text_marked(text, words);
  jw_text_add(text, "</text>\n");
}
