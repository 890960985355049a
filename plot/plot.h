// SPDX-License-Identifier: MIT
// plot.h: figures as SVG, for the command and the papers.
//
// A figure is panels, a panel is two axes and what lies between them.  All are plain structs,
// filled by the caller from their defaults, read by one call and kept by nobody:
//
//   JwPlotSeries line = jw_plot_series_default();
//   line.x = t, line.y = force, line.count = n, line.label = "force";
//   JwPlotPanel panel = jw_plot_panel_default();
//   panel.x = (JwPlotAxis){.label = "time", .unit = "s"};
//   panel.series = &line, panel.series_count = 1;
//   JwPlotFigure figure = jw_plot_figure_default();
//   figure.panels = &panel, figure.panel_count = 1;
//   if (!jw_plot_save(&figure, "force.svg", &error)) { puts(error.text); }
//
// In titles, labels and captions `v_{in}` sets an index and `m^{1.5}` an exponent.
//
// The figures follow the reader's light or dark preference.  Long lines are thinned to what a pixel
// can show, extremes kept, so that files stay small.  A value that is not finite, or not positive
// on a logarithmic axis, leaves a gap; a series with nothing to draw is an error.
#ifndef JAWARI_PLOT_H
#define JAWARI_PLOT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char text[256]; ///< One sentence: which panel, which series, what is wrong
} JwPlotError;

/// An axis.  The range comes from the data where `min` or `max` is NAN, or where both are equal (so
/// that a struct of zeros is automatic).
typedef struct {
  const char* label; ///< NULL: none
  const char* unit;  ///< SI unit without prefix ("s", "N", "m/s"), prefixed to fit; NULL: a number
  double min, max;
  bool log;                 ///< Logarithmic
  const char* const* names; ///< Names of the positions 0, 1, 2 ... instead of numbers
  size_t name_count;
} JwPlotAxis;

typedef enum {
  JW_PLOT_LINE,
  JW_PLOT_POINTS, ///< Marks only
  JW_PLOT_STEPS,  ///< Each value holds until the next
  JW_PLOT_AREA,   ///< Filled between `y` and `base`
  JW_PLOT_BARS    ///< From 0, or the axis's foot when logarithmic; several series side by side
} JwPlotKind;

typedef enum { JW_PLOT_SOLID, JW_PLOT_DASHED, JW_PLOT_DOTTED } JwPlotDash;

typedef enum {
  JW_PLOT_NO_MARKER,
  JW_PLOT_DOT,
  JW_PLOT_SQUARE,
  JW_PLOT_DIAMOND,
  JW_PLOT_TRIANGLE,
  JW_PLOT_CROSS
} JwPlotMarker;

/// Colours go by number, 1 to 8; 0 takes the next.  Two more stand apart:
enum { JW_PLOT_INK = 9, JW_PLOT_GREY = 10 };

typedef struct {
  const double* x; ///< NULL: 0, 1, 2 ...
  const double* y;
  const double* base; ///< Lower edge of an area; NULL: 0
  size_t count;
  const char* label; ///< In the legend; NULL: not there
  JwPlotKind kind;
  JwPlotDash dash;
  JwPlotMarker marker; ///< On a line too; points without one are dots
  int color;
  double width; ///< Of the line (px)
} JwPlotSeries;

typedef enum {
  JW_PLOT_HORIZONTAL, ///< A reference line at y
  JW_PLOT_VERTICAL,   ///< A reference line at x
  JW_PLOT_TEXT        ///< A few words right of (x, y)
} JwPlotMarkKind;

typedef struct {
  JwPlotMarkKind kind;
  double x, y;
  const char* label; ///< Written at the line's end; NULL: none
  int color;         ///< 0: grey
} JwPlotMark;

/// A heat map: `rows` x `columns` values, the first row lowest, evenly spaced over the ranges.
typedef struct {
  const double* values;
  size_t rows, columns;
  double x[2], y[2]; ///< Outer edges of the first and the last cell
  double range[2];   ///< Values of the two ends of the colours; equal: from the data
  const char* label; ///< Of the colour bar
  const char* unit;
  bool diverging; ///< Two colours away from a neutral middle, for signed values
} JwPlotHeat;

typedef struct {
  const char* title;
  JwPlotAxis x, y;
  const JwPlotSeries* series;
  size_t series_count;
  const JwPlotMark* marks;
  size_t mark_count;
  const JwPlotHeat* heat; ///< NULL: none; lies under the series
} JwPlotPanel;

typedef struct {
  const char* title;
  const char* caption; ///< One or more lines below the title
  const JwPlotPanel* panels;
  size_t panel_count;
  size_t columns;
  double width;  ///< Of the figure (px)
  double height; ///< Of each panel's plotting area (px)
} JwPlotFigure;

JwPlotSeries jw_plot_series_default(void);
JwPlotPanel jw_plot_panel_default(void);
JwPlotFigure jw_plot_figure_default(void);

/// The figure as SVG text, to be freed by the caller; NULL with a sentence in `error` (may be
/// NULL).
char* jw_plot_text(const JwPlotFigure* figure, JwPlotError* error);

/// Write the figure to a file.  On failure nothing is left at `path` but what was there before.
bool jw_plot_save(const JwPlotFigure* figure, const char* path, JwPlotError* error);

#endif // JAWARI_PLOT_H
