// SPDX-License-Identifier: MIT
// Where everything goes on the page.
//
// Every panel has a plotting area of the same height.  Its left margin is as wide as the longest
// tick label of its column, so that areas stand below each other; its top margin holds title and
// legend, which therefore never cover data.

#include "draw.h"

#include <math.h>

#define TICK_SIZE 11.0
#define BOTTOM 44.0

double jw_plot_widest_label(const JwTicks* ticks) {
  double widest = 0.0;
  for (size_t i = 0; i < ticks->count; ++i) {
    widest = fmax(widest, jw_text_width(ticks->tick[i].label, TICK_SIZE));
  }
  return widest;
}

// Names that do not fit side by side are turned.
bool jw_plot_turned(const JwPlotFrame* frame) {
  return frame->x.name_count
         && jw_plot_widest_label(&frame->x_ticks) + 8.0
                > frame->width / (double)frame->x.name_count;
}

double jw_plot_legend_item(const JwPlotSeries* series) {
  return 28.0 + jw_text_width(series->label, 11.5) + 16.0;
}

size_t jw_plot_legend_rows(const JwPlotPanel* panel, double width) {
  size_t rows = 0;
  double used = INFINITY;
  for (size_t i = 0; i < panel->series_count; ++i) {
    if (panel->series[i].label) {
      const double item = jw_plot_legend_item(&panel->series[i]);
      rows += used + item > width;
      used = used + item > width ? item : used + item;
    }
  }
  return rows;
}

static double head_height(const JwPlotFrame* frame) {
  const JwPlotPanel* const panel = frame->panel;
  return 10.0 + (panel->title ? JW_PLOT_TITLE_ROW : 0.0)
         + JW_PLOT_LEGEND_ROW * (double)jw_plot_legend_rows(panel, frame->width);
}

double jw_plot_foot_height(const JwPlotFrame* frame) {
  return jw_plot_turned(frame) ? BOTTOM + 0.6 * jw_plot_widest_label(&frame->x_ticks) : BOTTOM;
}

static size_t caption_lines(const char* caption) {
  size_t lines = caption != NULL;
  for (const char* c = caption; c && *c; ++c) {
    lines += *c == '\n';
  }
  return lines;
}

// How far the first of the turned names reaches out to the left of the plotting area.
static double turned_overhang(JwPlotFrame* frame, double width) {
  frame->width = width;
  frame->x_ticks = jw_ticks_choose(&frame->x, 2);
  const double slot = width / (double)(frame->x.name_count ? frame->x.name_count : 1);
  return jw_plot_turned(frame) ? 0.85 * jw_plot_widest_label(&frame->x_ticks) - 0.5 * slot : 0.0;
}

// Left margin and width, column by column.
static void lay_columns(const JwPlotFigure* figure, JwPlotFrame* frames) {
  const double cell = (figure->width - JW_PLOT_MARGIN) / (double)figure->columns;
  for (size_t column = 0; column < figure->columns; ++column) {
    double margin = 0.0, right = 8.0;
    for (size_t i = column; i < figure->panel_count; i += figure->columns) {
      frames[i].height = figure->height;
      frames[i].y_ticks = jw_ticks_choose(&frames[i].y, (int)(figure->height / 32.0));
      margin = fmax(margin, jw_plot_widest_label(&frames[i].y_ticks)
                                + (frames[i].y_ticks.title[0] ? 36.0 : 14.0));
      right = figure->panels[i].heat ? 90.0 : right;
    }
    for (size_t i = column; i < figure->panel_count; i += figure->columns) {
      margin = fmax(margin, turned_overhang(&frames[i], cell - margin - right));
    }
    for (size_t i = column; i < figure->panel_count; i += figure->columns) {
      frames[i].left = JW_PLOT_MARGIN / 2.0 + cell * (double)column + margin;
      frames[i].width = cell - margin - right;
      frames[i].x_ticks = jw_ticks_choose(&frames[i].x, (int)(frames[i].width / 52.0));
    }
  }
}

// Tops, row by row; returns the height of the figure.
static double lay_rows(const JwPlotFigure* figure, JwPlotFrame* frames) {
  double top =
      JW_PLOT_MARGIN + (figure->title ? 22.0 : 0.0) + 17.0 * (double)caption_lines(figure->caption);
  for (size_t first = 0; first < figure->panel_count; first += figure->columns) {
    double head = 0.0, foot = 0.0;
    for (size_t i = first; i < first + figure->columns && i < figure->panel_count; ++i) {
      head = fmax(head, head_height(&frames[i]));
      foot = fmax(foot, jw_plot_foot_height(&frames[i]));
    }
    for (size_t i = first; i < first + figure->columns && i < figure->panel_count; ++i) {
      frames[i].top = top + head;
      frames[i].head = head;
    }
    top += head + figure->height + foot;
  }
  return top + 4.0;
}

double jw_plot_lay(const JwPlotFigure* figure, JwPlotFrame* frames) {
  lay_columns(figure, frames);
  return ceil(lay_rows(figure, frames));
}
