// SPDX-License-Identifier: MIT
// A figure on the page: titles, axes, legends, marks.
//
// Colours are classes in one style element, once for light and once for dark.  The plotting area is
// an svg element of its own, which clips without any id: figures can be put into one page without
// clashing.

#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "<style>"
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    "text{fill:#1d2329}.n,.t{fill:#4c555e}"
    ".h{font-size:15px;font-weight:600}.p{font-size:12.5px;font-weight:600}"
    ".l,.n{font-size:12px}.k{font-size:11.5px}.t{font-size:11px}"
    ".bg{fill:#fff}.g,.x,.z,.r,.s,.mr,.mx{fill:none}"
    ".g{stroke:#e3e6e9}.x{stroke:#8a939c}.z{stroke:#bcc3ca}.r{stroke-dasharray:5 3}"
    ".b{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
    ".s{stroke-linejoin:round;stroke-linecap:round}"
    ".d2{stroke-dasharray:7 4}.d3{stroke-dasharray:.1 4.5}"
    ".a{fill-opacity:.28}.mr{stroke-width:5.5;stroke-linecap:round}.mx{stroke-width:1.6}"
    ".c1{stroke:#1f6fb4}.c2{stroke:#d0541b}.c3{stroke:#178a58}.c4{stroke:#8b4cb8}"
    ".c5{stroke:#b08400}.c6{stroke:#0a8a99}.c7{stroke:#c22d6b}.c8{stroke:#6c5a4a}"
    ".c9{stroke:#1d2329}.c10{stroke:#8a939c}"
    ".f1{fill:#1f6fb4}.f2{fill:#d0541b}.f3{fill:#178a58}.f4{fill:#8b4cb8}"
    ".f5{fill:#b08400}.f6{fill:#0a8a99}.f7{fill:#c22d6b}.f8{fill:#6c5a4a}"
    ".f9{fill:#1d2329}.f10{fill:#6a737c}.mf{stroke:none}.mr,.mx{fill:none}"
    "@media(prefers-color-scheme:dark){"
    "text{fill:#e4e8ec}.n,.t{fill:#a9b2bb}.bg{fill:#14181c}.g{stroke:#2b3238}.x{stroke:#6b757e}"
    ".z{stroke:#4a545d}.b{stroke:#14181c}"
    ".c1{stroke:#5fb0f2}.c2{stroke:#ff8a55}.c3{stroke:#4fcf96}.c4{stroke:#c79aef}"
    ".c5{stroke:#e6bd3d}.c6{stroke:#45cfe0}.c7{stroke:#ff7fb0}.c8{stroke:#cbb49d}"
    ".c9{stroke:#e4e8ec}.c10{stroke:#7f8a94}"
    ".f1{fill:#5fb0f2}.f2{fill:#ff8a55}.f3{fill:#4fcf96}.f4{fill:#c79aef}"
    ".f5{fill:#e6bd3d}.f6{fill:#45cfe0}.f7{fill:#ff7fb0}.f8{fill:#cbb49d}"
    ".f9{fill:#e4e8ec}.f10{fill:#9aa5af}.mr,.mx{fill:none}}"
    "</style>\n";

JwPlotSeries jw_plot_series_default(void) {
  return (JwPlotSeries){.kind = JW_PLOT_LINE, .width = 1.5};
}

JwPlotPanel jw_plot_panel_default(void) {
  return (JwPlotPanel){.x = {.min = NAN, .max = NAN}, .y = {.min = NAN, .max = NAN}};
}

JwPlotFigure jw_plot_figure_default(void) {
  return (JwPlotFigure){.columns = 1, .width = 760.0, .height = 240.0};
}

static void add_turned(JwText* text, const char* attributes, const double place[3],
                       const char* words) {
  jw_text_add(text, "<text %s transform=\"translate(", attributes);
  jw_text_coordinate(text, place[0]);
  jw_text_add(text, " ");
  jw_text_coordinate(text, place[1]);
  jw_text_add(text, ") rotate(");
  jw_text_coordinate(text, place[2]);
  jw_text_add(text, ")\">");
  jw_text_marked(text, words);
  jw_text_add(text, "</text>\n");
}

static void draw_x_axis(JwText* text, const JwPlotFrame* frame) {
  const double foot = frame->top + frame->height;
  for (size_t i = 0; i < frame->x_ticks.count; ++i) {
    const double x = frame->left + jw_plot_x(frame, frame->x_ticks.tick[i].value);
    if (jw_plot_turned(frame)) {
      add_turned(text, "class=\"t\" text-anchor=\"end\"",
                 (const double[3]){x + 3.0, foot + 14.0, -35.0}, frame->x_ticks.tick[i].label);
    } else {
      jw_plot_words(text, "class=\"t\" text-anchor=\"middle\"", (const double[2]){x, foot + 16.0},
                    frame->x_ticks.tick[i].label);
    }
  }
  if (frame->x_ticks.title[0]) {
    const double y = foot + jw_plot_foot_height(frame) - 10.0;
    jw_plot_words(text, "class=\"l\" text-anchor=\"middle\"",
                  (const double[2]){frame->left + 0.5 * frame->width, y}, frame->x_ticks.title);
  }
}

static void draw_y_axis(JwText* text, const JwPlotFrame* frame) {
  for (size_t i = 0; i < frame->y_ticks.count; ++i) {
    const double y = frame->top + jw_plot_y(frame, frame->y_ticks.tick[i].value) + 4.0;
    jw_plot_words(text, "class=\"t\" text-anchor=\"end\"", (const double[2]){frame->left - 7.0, y},
                  frame->y_ticks.tick[i].label);
  }
  if (frame->y_ticks.title[0]) {
    const double x = frame->left - jw_plot_widest_label(&frame->y_ticks) - 17.0;
    add_turned(text, "class=\"l\" text-anchor=\"middle\"",
               (const double[3]){x, frame->top + 0.5 * frame->height, -90.0}, frame->y_ticks.title);
  }
}

static void draw_grid(JwText* text, const JwPlotFrame* frame) {
  jw_text_add(text, "<path class=\"g\" d=\"");
  for (size_t i = 0; i < frame->x_ticks.count && !frame->x.name_count; ++i) {
    jw_text_add(text, "M");
    jw_text_coordinate(text, floor(jw_plot_x(frame, frame->x_ticks.tick[i].value)) + 0.5);
    jw_text_add(text, " 0V");
    jw_text_coordinate(text, frame->height);
  }
  for (size_t i = 0; i < frame->y_ticks.count && !frame->y.name_count; ++i) {
    jw_text_add(text, "M0 ");
    jw_text_coordinate(text, floor(jw_plot_y(frame, frame->y_ticks.tick[i].value)) + 0.5);
    jw_text_add(text, "H");
    jw_text_coordinate(text, frame->width);
  }
  jw_text_add(text, "\"/>\n");
  if (!frame->y.log && !frame->y.name_count && frame->y.min < 0.0 && frame->y.max > 0.0) {
    jw_text_add(text, "<path class=\"z\" d=\"M0 ");
    jw_text_coordinate(text, floor(jw_plot_y(frame, 0.0)) + 0.5);
    jw_text_add(text, "H");
    jw_text_coordinate(text, frame->width);
    jw_text_add(text, "\"/>\n");
  }
}

static void draw_head(JwText* text, const JwPlotFrame* frame) {
  const JwPlotPanel* const panel = frame->panel;
  double used = 0.0, y = frame->top - frame->head + 15.0;
  if (panel->title) {
    jw_plot_words(text, "class=\"p\"", (const double[2]){frame->left, y + 7.0}, panel->title);
    y += JW_PLOT_TITLE_ROW;
  }
  for (size_t i = 0; i < panel->series_count; ++i) {
    if (!panel->series[i].label) {
      continue;
    }
    const double item = jw_plot_legend_item(&panel->series[i]);
    if (used > 0.0 && used + item > frame->width) {
      used = 0.0;
      y += JW_PLOT_LEGEND_ROW;
    }
    jw_text_add(text, "<g transform=\"translate(");
    jw_text_coordinate(text, frame->left + used + 12.0);
    jw_text_add(text, " ");
    jw_text_coordinate(text, y);
    jw_text_add(text, ")\">");
    jw_plot_draw_key(text, &panel->series[i], jw_plot_color(panel, i));
    jw_plot_words(text, "class=\"k\"", (const double[2]){17.0, 4.0}, panel->series[i].label);
    jw_text_add(text, "</g>\n");
    used += item;
  }
}

static bool draw_panel(JwText* text, const JwPlotFrame* frame, JwPlotError* error) {
  draw_head(text, frame);
  draw_x_axis(text, frame);
  draw_y_axis(text, frame);
  jw_text_add(text, "<svg x=\"");
  jw_text_coordinate(text, frame->left);
  jw_text_add(text, "\" y=\"");
  jw_text_coordinate(text, frame->top);
  jw_text_add(text, "\" width=\"");
  jw_text_coordinate(text, frame->width);
  jw_text_add(text, "\" height=\"");
  jw_text_coordinate(text, frame->height);
  jw_text_add(text, "\">\n");
  bool good = !frame->panel->heat || jw_plot_draw_heat(text, frame, error);
  if (!frame->panel->heat) {
    draw_grid(text, frame);
  }
  good = good && jw_plot_draw_series(text, frame, error);
  jw_plot_draw_marks(text, frame);
  jw_text_add(text, "</svg>\n<path class=\"x\" d=\"M");
  jw_text_coordinate(text, floor(frame->left) + 0.5);
  jw_text_add(text, " ");
  jw_text_coordinate(text, frame->top);
  jw_text_add(text, "v");
  jw_text_coordinate(text, frame->height);
  jw_text_add(text, "h");
  jw_text_coordinate(text, frame->width);
  jw_text_add(text, "\"/>\n");
  if (frame->panel->heat) {
    jw_plot_draw_color_bar(text, frame);
  }
  return good;
}

static void draw_title(JwText* text, const JwPlotFigure* figure) {
  double y = JW_PLOT_MARGIN + 12.0;
  if (figure->title) {
    jw_plot_words(text, "class=\"h\"", (const double[2]){JW_PLOT_MARGIN, y}, figure->title);
    y += 20.0;
  }
  const char* line = figure->caption;
  while (line) {
    const char* const end = strchr(line, '\n');
    char words[400];
    snprintf(words, sizeof words, "%.*s", end ? (int)(end - line) : (int)strlen(line), line);
    jw_plot_words(text, "class=\"n\"", (const double[2]){JW_PLOT_MARGIN, y}, words);
    y += 17.0;
    line = end ? end + 1 : NULL;
  }
}

static bool draw_figure(JwText* text, const JwPlotFigure* figure, JwPlotFrame* frames,
                        JwPlotError* error) {
  for (size_t i = 0; i < figure->panel_count; ++i) {
    if (!jw_plot_settle(&figure->panels[i], &frames[i], error)) {
      return false;
    }
  }
  const double height = jw_plot_lay(figure, frames);
  jw_text_add(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
              "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
              figure->width, height, figure->width, height);
  jw_text_escaped(text, figure->title ? figure->title : "figure");
  jw_text_add(text, "</title>\n%s<path class=\"bg\" d=\"M0 0h%.0fv%.0fH0z\"/>\n", style,
              figure->width, height);
  draw_title(text, figure);
  for (size_t i = 0; i < figure->panel_count; ++i) {
    if (!draw_panel(text, &frames[i], error)) {
      return false;
    }
  }
  jw_text_add(text, "</svg>\n");
  return !text->failed || jw_plot_fail(error, "no memory for the figure's text");
}

static bool make_text(const JwPlotFigure* figure, JwText* text, JwPlotError* error) {
  if (!jw_plot_check(figure, error)) {
    return false;
  }
  JwPlotFrame* const frames = (JwPlotFrame*)calloc(figure->panel_count, sizeof *frames);
  const bool good = frames ? draw_figure(text, figure, frames, error)
                           : jw_plot_fail(error, "no memory for the panels");
  free(frames);
  return good;
}

char* jw_plot_text(const JwPlotFigure* figure, JwPlotError* error) {
  JwText text = {0};
  if (!make_text(figure, &text, error)) {
    jw_text_release(&text);
  }
  return text.data;
}

bool jw_plot_save(const JwPlotFigure* figure, const char* path, JwPlotError* error) {
  JwText text = {0};
  bool good = make_text(figure, &text, error);
  if (good && !jw_text_save(&text, path)) {
    good = jw_plot_fail(error, "cannot write %s", path);
  }
  jw_text_release(&text);
  return good;
}
