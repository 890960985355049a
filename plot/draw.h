// SPDX-License-Identifier: MIT
// draw.h: inside of the plot library: a panel laid out on the page, and what draws into it.
#ifndef JAWARI_PLOT_DRAW_H
#define JAWARI_PLOT_DRAW_H

#include "plot.h"
#include "text.h"
#include "ticks.h"

#define JW_PLOT_MARGIN 14.0
#define JW_PLOT_LEGEND_ROW 18.0
#define JW_PLOT_TITLE_ROW 20.0

/// A panel with settled axes and its place on the page (px).
typedef struct {
  const JwPlotPanel* panel;
  JwPlotAxis x, y; ///< Ranges settled
  JwTicks x_ticks, y_ticks;
  double left, top; ///< Of the plotting area
  double head;      ///< Above it, for title and legend; the same along a row
  double width, height;
} JwPlotFrame;

/// Data to pixels inside of the plotting area, y downwards; NAN where there is no such place.
double jw_plot_x(const JwPlotFrame* frame, double value);
double jw_plot_y(const JwPlotFrame* frame, double value);

/// Settle both ranges from data, marks and heat map.
bool jw_plot_settle(const JwPlotPanel* panel, JwPlotFrame* frame, JwPlotError* error);

/// Refuse a figure that cannot be drawn.
bool jw_plot_check(const JwPlotFigure* figure, JwPlotError* error);

/// Choose ticks and place every frame, whose axes are settled; returns the height of the figure.
double jw_plot_lay(const JwPlotFigure* figure, JwPlotFrame* frames);

double jw_plot_widest_label(const JwTicks* ticks);
bool jw_plot_turned(const JwPlotFrame* frame); ///< Names do not fit side by side
double jw_plot_foot_height(const JwPlotFrame* frame);
double jw_plot_legend_item(const JwPlotSeries* series);
size_t jw_plot_legend_rows(const JwPlotPanel* panel, double width);

/// Colour number of a series: its own, or the next.
int jw_plot_color(const JwPlotPanel* panel, size_t series);

/// Draw every series, in coordinates of the plotting area.
bool jw_plot_draw_series(JwText* text, const JwPlotFrame* frame, JwPlotError* error);

/// The legend's sample of a series, 22 px wide, centred on (0, 0).
void jw_plot_draw_key(JwText* text, const JwPlotSeries* series, int color);

/// Words at a place, with the markup of plot.h.
void jw_plot_words(JwText* text, const char* attributes, const double at[2], const char* words);

/// Draw every mark, in coordinates of the plotting area, labels where they cover least.
void jw_plot_draw_marks(JwText* text, const JwPlotFrame* frame);

/// Draw the heat map, in coordinates of the plotting area.
bool jw_plot_draw_heat(JwText* text, const JwPlotFrame* frame, JwPlotError* error);

/// Draw the colour bar right of the plotting area.
void jw_plot_draw_color_bar(JwText* text, const JwPlotFrame* frame);

/// Say what is wrong; always false.
bool jw_plot_fail(JwPlotError* error, const char* format, ...);

#endif // JAWARI_PLOT_DRAW_H
