// SPDX-License-Identifier: MIT
// Figures of every kind, drawn by chance: well formed, their ticks true to their labels, every word on
// the page, and each as it was when the drawing was last looked at (test/figures.txt; after a change
// that is meant: `make golden`).

#include "test.h"
#include "xml.h"

#include "plot.h"
#include "ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES_DRAWN = 240, LONGEST = 400, SERIES_MOST = 4, MARKS_MOST = 6, CELLS = 48 * 40 };

// ---------------------------------------------------------------- chance

static uint64_t chance;

static double draw_unit(void) {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  return (double)(chance >> 11) * 0x1p-53;
}

static int draw_below(int count) {
  return (int)(draw_unit() * count);
}

static bool draw_often(double part) {
  return draw_unit() < part;
}

static const char* draw_one(const char* const* words, size_t count) {
  return words[draw_below((int)count)];
}

static const char* const labels[] = {NULL, "force", "speed v_{in} of the <hammer>",
                                     "a",  "il.",   "\u2212\u03b7^{1.5} & more words than fit"};
static const char* const units[] = {NULL, "s", "m/s", "kg", "Hz", "N\u00b7m", "dB"};
static const char* const names[] = {"one",
                                    "the second of them",
                                    "third",
                                    "4",
                                    "the fifth and the longest of all names",
                                    "six",
                                    "VII",
                                    "eight"};

// ---------------------------------------------------------------- a figure

typedef struct {
  JwPlotPanel panel;
  JwPlotSeries series[SERIES_MOST];
  JwPlotMark marks[MARKS_MOST];
  JwPlotHeat heat;
  double x[SERIES_MOST][LONGEST], y[SERIES_MOST][LONGEST], base[SERIES_MOST][LONGEST];
  double cells[CELLS];
} Drawn;

static JwPlotAxis draw_axis(double size) {
  JwPlotAxis axis = {
      .label = draw_one(labels, 6), .unit = draw_one(units, 7), .log = draw_often(0.25)};
  if (draw_often(0.25)) {
    axis.min = axis.log ? size * pow(10.0, -1.0 - 4.0 * draw_unit()) : -size * draw_unit();
    axis.max = axis.log ? size * pow(10.0, draw_unit()) : size * (0.1 + draw_unit());
  } else if (draw_often(0.2)) {
    axis.min = NAN;
    axis.max = 2.0 * size;
  }
  return axis;
}

static void draw_series(Drawn* d, int i, double across, double high) {
  JwPlotSeries* const s = &d->series[i];
  const size_t count = (size_t)(draw_often(0.1) ? LONGEST : 2 + draw_below(40));
  const double turn = draw_often(0.15) ? 3.0 : 0.0, grows = draw_often(0.3) ? 6.0 : 0.0;
  const double phase = 6.0 * draw_unit(), flat = draw_often(0.05) ? 0.0 : 1.0;
  for (size_t k = 0; k < count; ++k) {
    const double at = (double)(k + 1) / (double)count;
    d->x[i][k] = across * (at + turn * at * (0.7 - at)) * pow(10.0, grows * (at - 1.0));
    d->y[i][k] =
        high * (flat * sin(phase + 9.0 * at) + 0.4 * i) * pow(10.0, grows * (1.0 - at) * 0.3);
    d->base[i][k] = high * 0.3 * at;
    d->y[i][k] = draw_often(0.02) ? NAN : draw_often(0.02) ? INFINITY : d->y[i][k];
  }
  d->y[i][0] = high; // Something can be drawn on a logarithmic axis
  *s = jw_plot_series_default();
  s->x = draw_often(0.15) && !d->panel.x.log ? NULL : d->x[i];
  s->y = d->y[i];
  s->base = draw_often(0.5) ? d->base[i] : NULL;
  s->count = count;
  s->label = draw_one(labels, 6);
  s->kind = (JwPlotKind)draw_below(5);
  s->dash = (JwPlotDash)draw_below(3);
  s->marker = (JwPlotMarker)(draw_often(0.6) ? 0 : draw_below(6));
  s->color = draw_often(0.6) ? 0 : draw_below(11);
  s->width = 0.5 + 4.0 * draw_unit();
}

static void draw_heat(Drawn* d, double across, double high) {
  static const double edge[] = {1.0, 2.0, 17.0, 40.0};
  JwPlotHeat* const h = &d->heat;
  *h = (JwPlotHeat){.values = d->cells,
                    .rows = (size_t)edge[draw_below(4)],
                    .columns = (size_t)edge[draw_below(4)]};
  for (size_t i = 0; i < h->rows * h->columns; ++i) {
    d->cells[i] = draw_often(0.03) ? NAN : high * (sin(0.37 * (double)i) + draw_unit());
  }
  d->cells[0] = high;
  h->x[0] = 0.01 * across, h->x[1] = across, h->y[0] = 0.1 * high, h->y[1] = high;
  h->range[0] = draw_often(0.4) ? -high : 0.0, h->range[1] = h->range[0] < 0.0 ? 0.5 * high : 0.0;
  h->label = draw_one(labels, 6), h->unit = draw_one(units, 7), h->diverging = draw_often(0.5);
  d->panel.heat = h;
}

static void draw_panel(Drawn* d) {
  const double across = pow(10.0, -8.0 + 16.0 * draw_unit()),
               high = pow(10.0, -8.0 + 16.0 * draw_unit());
  d->panel = jw_plot_panel_default();
  d->panel.title = draw_one(labels, 6);
  d->panel.x = draw_axis(across);
  d->panel.y = draw_axis(high);
  if (draw_often(0.15)) {
    d->panel.x = (JwPlotAxis){.names = names, .name_count = (size_t)(1 + draw_below(8))};
  }
  if (draw_often(0.05)) {
    d->panel.y = (JwPlotAxis){.names = names, .name_count = 4};
  }
  const int count = 1 + draw_below(SERIES_MOST);
  for (int i = 0; i < count; ++i) {
    draw_series(d, i, d->panel.x.name_count ? (double)d->panel.x.name_count : across,
                d->panel.y.name_count ? 3.0 : high);
  }
  d->panel.series = d->series, d->panel.series_count = (size_t)count;
  const int marks = draw_often(0.5) ? 0 : draw_below(MARKS_MOST + 1);
  for (int i = 0; i < marks; ++i) {
    d->marks[i] = (JwPlotMark){.kind = (JwPlotMarkKind)draw_below(3),
                               .x = across * draw_unit(),
                               .y = high * (1.5 * draw_unit() - 0.2),
                               .label = draw_one(labels, 6),
                               .color = draw_below(11)};
  }
  d->panel.marks = d->marks, d->panel.mark_count = (size_t)marks;
  if (draw_often(0.2) && !d->panel.x.name_count && !d->panel.y.name_count) {
    draw_heat(d, across, high);
  }
}

// The number's figure; NULL with the reason where it cannot be drawn.
static char* draw_number(int number, JwPlotError* error) {
  static Drawn drawn[4];
  static JwPlotPanel panels[4];
  chance = (uint64_t)number * 0x9e3779b97f4a7c15u + 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.panel_count = (size_t)(1 + draw_below(4));
  figure.columns = (size_t)(1 + draw_below(3));
  figure.width = (double)figure.columns * (200.0 + 400.0 * draw_unit());
  figure.height = 40.0 + 300.0 * draw_unit();
  figure.title = draw_one(labels, 6);
  figure.caption = draw_often(0.3) ? "Two lines\nof words" : draw_one(labels, 6);
  for (size_t p = 0; p < figure.panel_count; ++p) {
    draw_panel(&drawn[p]);
    panels[p] = drawn[p].panel;
  }
  figure.panels = panels;
  return jw_plot_text(&figure, error);
}

// ---------------------------------------------------------------- what is held

static uint64_t hash_of(const char* text) {
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  for (; *text; ++text) {
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  }
  return hash;
}

static void figures_drawn_by_chance_are_what_they_were(void** state) {
  (void)state;
  FILE* const file = fopen(FIGURES, "r");
  assert_non_null(file);
  int refused = 0;
  for (int i = 0; i < FIGURES_DRAWN; ++i) {
    JwPlotError error = {""};
    char* const text = draw_number(i, &error);
    if (text) {
      assert_true(xml_well_formed(text));
      assert_null(strstr(text, "nan"));
      assert_null(strstr(text, "inf"));
    }
    refused += !text;
    int number = -1;
    unsigned long long hash = 0;
    assert_int_equal(fscanf(file, "%d %llx", &number, &hash), 2);
    assert_int_equal(number, i);
    if (hash_of(text ? text : error.text) != hash) {
      fail_msg("figure %d is drawn otherwise; test_figures show %d prints it", i, i);
    }
    free(text);
  }
  fclose(file);
  assert_true(refused < FIGURES_DRAWN / 10);
}

// What a tick's label says, in the unit that the axis's title has.
static double said(const char* label) {
  static const char* const raised[10] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  const bool minus = strncmp(label, "\u2212", 3) == 0;
  char* rest;
  double value = strtod(label + (minus ? 3 : 0), &rest);
  if (strncmp(rest, "\u00b7", 2) == 0) { // 2 times a power of ten
    assert_true(strtod(rest + 2, &rest) == 10.0);
    value *= 10.0;
  }
  if (*rest == 'k') {
    value *= 1e3;
  } else if (*rest) {
    const bool below = strncmp(rest, "\u207b", 3) == 0;
    int power = 0;
    for (rest += below ? 3 : 0; *rest;) {
      int digit = 0;
      while (digit < 10 && strncmp(rest, raised[digit], strlen(raised[digit])) != 0) {
        ++digit;
      }
      assert_true(digit < 10);
      power = 10 * power + digit;
      rest += strlen(raised[digit]);
    }
    value *= pow(10.0, (below ? -power : power) - 1);
  }
  return minus ? -value : value;
}

// The factor that an axis's title has taken out of its labels.
static double factor_of(const char* title, const char* unit) {
  static const char* const prefixes[] = {"p", "n", "\u00b5", "m", "k", "M", "G", "T"};
  static const double powers[] = {1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12};
  const char* const open = strrchr(title, '(');
  if (!open) {
    return 1.0;
  }
  char inside[80];
  snprintf(inside, sizeof inside, "%s", open + 1);
  inside[strlen(inside) - 1] = '\0';
  const size_t length = strlen(inside), own = unit ? strlen(unit) : 0;
  assert_true(length >= own && strcmp(inside + length - own, unit ? unit : "") == 0);
  inside[length - own] = '\0';
  if (strncmp(inside, "10", 2) == 0) {
    char* const blank = strchr(inside, ' ');
    if (blank) {
      *blank = '\0';
    }
    return said(inside);
  }
  for (int i = 0; i < 8; ++i) {
    if (strcmp(inside, prefixes[i]) == 0) {
      return powers[i];
    }
  }
  assert_int_equal(strlen(inside), 0);
  return 1.0;
}

static void a_tick_is_where_its_label_says(void** state) {
  (void)state;
  chance = 7;
  for (int i = 0; i < 20000; ++i) {
    JwPlotAxis axis = {.label = "x", .unit = draw_one(units, 7), .log = draw_often(0.5)};
    const double size = pow(10.0, -14.0 + 28.0 * draw_unit());
    axis.max = size;
    axis.min = axis.log ? size * pow(10.0, -0.2 - 8.0 * draw_unit() * draw_unit())
                        : size * (1.0 - 3.0 * draw_unit());
    const int wanted = 2 + draw_below(12);
    const JwTicks ticks = jw_ticks_choose(&axis, wanted);
    assert_true(ticks.count >= 2);
    const double factor = factor_of(ticks.title, axis.unit);
    for (size_t k = 0; k < ticks.count; ++k) {
      const JwTick* const tick = &ticks.tick[k];
      assert_true(tick->value >= axis.min * (axis.min > 0.0 ? 1.0 - 1e-8 : 1.0)
                  && tick->value <= axis.max * (1.0 + 1e-8));
      assert_true(k == 0 || tick->value > ticks.tick[k - 1].value);
      // A label has the digits of its step: it stands for its place to a billionth of the axis
      if (!(fabs(said(tick->label) * factor - tick->value)
            <= 1e-8 * fmax(fabs(axis.min), fabs(axis.max)))) {
        fail_msg("%s at %g: \"%s\", axis from %g to %g", ticks.title, tick->value, tick->label,
                 axis.min, axis.max);
      }
      const size_t digits = strcspn(tick->label, ".");
      assert_true(axis.log
                  || digits
                         <= (*tick->label == '-'
                                 ? 5
                                 : 7)); // At most four before the point, and a minus of three bytes
    }
  }
}

static char* with(JwPlotSeries series, JwPlotFigure figure, JwPlotError* error) {
  static const double y[3] = {1.0, 3.0, 2.0};
  JwPlotPanel panel = jw_plot_panel_default();
  series.y = y, series.count = 3;
  panel.series = &series, panel.series_count = 1;
  figure.panels = &panel, figure.panel_count = 1;
  return jw_plot_text(&figure, error);
}

// What a figure may be goes as far as its limits, and no further.
static void the_limits_of_a_figure_hold_to_the_last(void** state) {
  (void)state;
  static const struct {
    double width, height, line;
    size_t columns;
    int color;
    bool good;
  } rows[] = {{200.0, 40.0, 1.0, 1, 0, true},     {199.9, 40.0, 1.0, 1, 0, false},
              {200.0, 39.9, 1.0, 1, 0, false},    {4000.0, 4000.0, 1.0, 1, 0, true},
              {4000.1, 100.0, 1.0, 1, 0, false},  {400.0, 4000.1, 1.0, 1, 0, false},
              {400.0, 100.0, 1.0, 2, 0, true},    {399.0, 100.0, 1.0, 2, 0, false},
              {400.0, 100.0, 1.0, 0, 0, false},   {400.0, 100.0, 99.9, 1, 0, true},
              {400.0, 100.0, 100.0, 1, 0, false}, {400.0, 100.0, 0.0, 1, 0, false},
              {400.0, 100.0, 1.0, 1, 10, true},   {400.0, 100.0, 1.0, 1, 11, false},
              {400.0, 100.0, 1.0, 1, -1, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    JwPlotFigure figure = jw_plot_figure_default();
    JwPlotSeries series = jw_plot_series_default();
    figure.width = rows[i].width, figure.height = rows[i].height, figure.columns = rows[i].columns;
    series.width = rows[i].line, series.color = rows[i].color;
    JwPlotError error = {""};
    char* const text = with(series, figure, &error);
    if ((text != NULL) != rows[i].good || (error.text[0] == '\0') != rows[i].good) {
      fail_msg("row %zu: %s", i, text ? "drawn" : error.text);
    }
    free(text);
  }
}

// ---------------------------------------------------------------- run

static int write_all(const char* path) {
  FILE* const file = fopen(path, "w");
  for (int i = 0; file && i < FIGURES_DRAWN; ++i) {
    JwPlotError error = {""};
    char* const text = draw_number(i, &error);
    fprintf(file, "%d %016llx\n", i, (unsigned long long)hash_of(text ? text : error.text));
    free(text);
  }
  return file && fclose(file) == 0 ? 0 : 1;
}

static int show(int number) {
  JwPlotError error = {""};
  char* const text = draw_number(number, &error);
  puts(text ? text : error.text);
  free(text);
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3) {
    return strcmp(argv[1], "write") == 0 ? write_all(argv[2]) : show(atoi(argv[2]));
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_drawn_by_chance_are_what_they_were),
      cmocka_unit_test(a_tick_is_where_its_label_says),
      cmocka_unit_test(the_limits_of_a_figure_hold_to_the_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
