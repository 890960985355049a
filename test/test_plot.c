// SPDX-License-Identifier: MIT
// The plot library: figures are well formed, finite and small, and show what they were given.

#include "test.h"
#include "xml.h"

#include "plot.h"
#include "png.h"
#include "text.h"
#include "thin.h"
#include "ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 200000 };
static double many_x[MANY], many_y[MANY];

static JwPlotSeries series_of(const double* x, const double* y, size_t count) {
  JwPlotSeries series = jw_plot_series_default();
  series.x = x;
  series.y = y;
  series.count = count;
  return series;
}

static char* draw_axes(JwPlotSeries series, JwPlotAxis x, JwPlotAxis y, JwPlotError* error) {
  JwPlotPanel panel = jw_plot_panel_default();
  panel.title = "panel";
  panel.x = x;
  panel.y = y;
  panel.series = &series;
  panel.series_count = 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.panels = &panel;
  figure.panel_count = 1;
  return jw_plot_text(&figure, error);
}

static char* draw(JwPlotSeries series, JwPlotError* error) {
  return draw_axes(series, (JwPlotAxis){.label = "time", .unit = "s"},
                   (JwPlotAxis){.label = "force", .unit = "N"}, error);
}

static void the_judge_of_xml_finds_faults(void** state) {
  (void)state;
  assert_true(xml_well_formed("<a b=\"c &amp; d\"><e/>text</a>\n"));
  assert_false(xml_well_formed("<a><b></a></b>"));
  assert_false(xml_well_formed("<a>"));
  assert_false(xml_well_formed("<a>x & y</a>"));
  assert_false(xml_well_formed("<a b=\"<\"/>"));
  assert_false(xml_well_formed("<a/><b/>"));
}

static void every_kind_gives_a_well_formed_finite_figure(void** state) {
  (void)state;
  const double x[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, y[5] = {3.0, 1e300, NAN, 2.0, 1e-300};
  for (int kind = JW_PLOT_LINE; kind <= JW_PLOT_BARS; ++kind) {
    for (int marker = JW_PLOT_NO_MARKER; marker <= JW_PLOT_CROSS; ++marker) {
      for (int log = 0; log < 2; ++log) {
        JwPlotSeries series = series_of(x, y, 5);
        series.kind = (JwPlotKind)kind;
        series.marker = (JwPlotMarker)marker;
        series.label = "a label with <, > & \"";
        char* const text =
            draw_axes(series, (JwPlotAxis){.log = log}, (JwPlotAxis){.log = log}, NULL);
        assert_non_null(text);
        assert_true(xml_well_formed(text));
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        assert_non_null(strstr(text, "a label with &lt;, &gt; &amp; &quot;"));
        free(text);
      }
    }
  }
}

static void nothing_to_draw_is_an_error_that_names_the_series(void** state) {
  (void)state;
  const double x[2] = {0.0, 1.0}, bad[2] = {NAN, INFINITY}, negative[2] = {-1.0, 0.0};
  JwPlotError error;
  JwPlotSeries series = series_of(x, bad, 2);
  series.label = "force of the hammer";
  assert_null(draw(series, &error));
  assert_non_null(strstr(error.text, "force of the hammer"));
  series.count = 0;
  assert_null(draw(series, &error));
  series = series_of(x, negative, 2);
  assert_null(draw_axes(series, (JwPlotAxis){0}, (JwPlotAxis){.log = true}, &error));
  series = series_of(x, x, 2);
  series.label = "bell \a";
  assert_null(draw(series, &error));
  series.label = "not UTF-8 \xff";
  assert_null(draw(series, &error));
}

static void a_value_that_is_not_finite_leaves_a_gap(void** state) {
  (void)state;
  const double x[5] = {0.0, 1.0, 2.0, 3.0, 4.0}, y[5] = {0.0, 1.0, NAN, 1.0, 0.0};
  char* const text = draw(series_of(x, y, 5), NULL);
  assert_non_null(text);
  const char* const path = strstr(text, "class=\"s c1\"");
  assert_non_null(path);
  const char* const first = strchr(strstr(path, " d=\""), 'M');
  const char* const second = strchr(first + 1, 'M'); // The line starts twice
  assert_non_null(second);
  assert_true(second < strstr(path, "/>"));
  free(text);
}

static void an_axis_without_a_span_is_refused(void** state) {
  (void)state;
  const double y[2] = {1.0, 2.0};
  const JwPlotAxis bad[] = {{.min = 2.0, .max = 1.0},
                            {.min = 1.0, .max = 1.0 + 4e-16},
                            {.min = -1.0, .max = 5.0, .log = true},
                            {.min = -1.7e308, .max = 1.7e308}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    JwPlotError error;
    assert_null(draw_axes(series_of(NULL, y, 2), (JwPlotAxis){0}, bad[i], &error));
    assert_non_null(strstr(error.text, "y axis"));
  }
  const double flat[3] = {1e9, 1e9, 1e9}; // A constant is no error
  char* const text = draw(series_of(NULL, flat, 3), NULL);
  assert_non_null(text);
  free(text);
}

static void thinning_keeps_the_extremes_of_a_long_line(void** state) {
  (void)state;
  JwPoint* const points = (JwPoint*)malloc(MANY * sizeof *points);
  assert_non_null(points);
  unsigned seed = 7;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < MANY; ++i) {
    seed = seed * 1664525u + 1013904223u;
    points[i].x = 600.0 * i / MANY;
    points[i].y = (double)(seed >> 8);
    low = fmin(low, points[i].y);
    high = fmax(high, points[i].y);
  }
  const JwPoint first = points[0], last = points[MANY - 1];
  assert_true(jw_thin_rises(points, MANY));
  const size_t count = jw_thin_columns(points, MANY);
  assert_in_range(count, 1200, 8 * 600); // At most four a half pixel
  double kept_low = INFINITY, kept_high = -INFINITY;
  for (size_t i = 0; i < count; ++i) {
    kept_low = fmin(kept_low, points[i].y);
    kept_high = fmax(kept_high, points[i].y);
  }
  assert_true(kept_low == low && kept_high == high);
  assert_true(points[0].x == first.x && points[count - 1].x == last.x);
  free(points);
}

static void a_path_keeps_its_ends_and_drops_only_near_points(void** state) {
  (void)state;
  JwPoint points[1000];
  for (int i = 0; i < 1000; ++i) {
    points[i] = (JwPoint){100.0 * cos(i * 0.02), 100.0 * sin(i * 0.02)};
  }
  const JwPoint last = points[999];
  assert_false(jw_thin_rises(points, 1000));
  const size_t count = jw_thin_path(points, 1000, 5.0);
  assert_in_range(count, 300, 400); // Arcs of 2 px, every third kept
  assert_true(points[count - 1].x == last.x && points[count - 1].y == last.y);
}

static void a_long_signal_makes_a_small_file(void** state) {
  (void)state;
  for (int i = 0; i < MANY; ++i) {
    many_x[i] = i / 44100.0;
    many_y[i] = sin(0.3 * i) * sin(1e-4 * i);
  }
  char* const text = draw(series_of(many_x, many_y, MANY), NULL);
  assert_non_null(text);
  assert_true(strlen(text) < 300000);
  free(text);
}

static void a_figure_that_would_be_too_large_is_refused(void** state) {
  (void)state;
  for (int i = 0; i < MANY; ++i) { // A scribble over the whole area, x going back and forth
    many_x[i] = (double)((unsigned)i * 2654435761u % 1000u);
    many_y[i] = (double)((unsigned)i * 40503u % 997u);
  }
  JwPlotError error;
  assert_null(draw(series_of(many_x, many_y, MANY), &error));
  assert_non_null(strstr(error.text, "give fewer points"));
}

static void ticks_are_round_inside_and_different(void** state) {
  (void)state;
  unsigned seed = 1;
  for (int trial = 0; trial < 2000; ++trial) {
    seed = seed * 1664525u + 1013904223u;
    const double size = pow(10.0, (double)(seed >> 20 & 31) - 16.0);
    seed = seed * 1664525u + 1013904223u;
    const double from = size * ((double)(seed >> 12 & 1023) / 512.0 - 1.0);
    const JwPlotAxis axis = {
        .min = from, .max = from + size * (1.0 + (seed >> 5 & 7)), .unit = trial & 1 ? "s" : "kg"};
    const JwTicks ticks = jw_ticks_choose(&axis, 3 + trial % 6);
    assert_in_range(ticks.count, 2, 10);
    const double step = ticks.tick[1].value - ticks.tick[0].value;
    const double mantissa = step / pow(10.0, floor(log10(step) + 1e-6));
    assert_true(fabs(mantissa - 1.0) < 1e-6 || fabs(mantissa - 2.0) < 1e-6
                || fabs(mantissa - 5.0) < 1e-6);
    for (size_t i = 0; i < ticks.count; ++i) {
      assert_true(ticks.tick[i].value >= axis.min && ticks.tick[i].value <= axis.max);
      for (size_t j = 0; j < i; ++j) {
        assert_string_not_equal(ticks.tick[i].label, ticks.tick[j].label);
      }
    }
  }
}

static void units_take_the_prefix_that_fits(void** state) {
  (void)state;
  const struct {
    const char* unit;
    double max;
    const char* title;
  } cases[] = {
      {"s", 0.002, "q (ms)"},     {"s", 2.0, "q (s)"},
      {"Hz", 20000.0, "q (kHz)"}, {"m", 3e-5, "q (\u00b5m)"},
      {"m/s", 3.0, "q (m/s)"},    {"kg", 1e-3, "q (10\u207b\u00b3 kg)"},
      {NULL, 5.0, "q"},           {NULL, 5e-7, "q (10\u207b\u2079)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const JwPlotAxis axis = {.label = "q", .unit = cases[i].unit, .min = 0.0, .max = cases[i].max};
    assert_string_equal(jw_ticks_choose(&axis, 5).title, cases[i].title);
  }
}

static void logarithmic_ticks_are_powers_of_ten_in_the_range(void** state) {
  (void)state;
  const JwPlotAxis wide = {.min = 3e-14, .max = 4e2, .log = true};
  const JwTicks ticks = jw_ticks_choose(&wide, 6);
  assert_in_range(ticks.count, 3, 9);
  for (size_t i = 0; i < ticks.count; ++i) {
    const double exponent = log10(ticks.tick[i].value);
    assert_true(fabs(exponent - round(exponent)) < 1e-9);
    assert_true(ticks.tick[i].value >= wide.min && ticks.tick[i].value <= wide.max);
  }
  const JwPlotAxis narrow = {.min = 3.0, .max = 4.0, .log = true};
  assert_true(jw_ticks_choose(&narrow, 6).count >= 2);
}

// CRC-32 of "IEND" is AE426082 in every PNG file there is, so the last chunk checks the sum; the
// sizes are in the header at byte 16.
static void a_short_logarithmic_axis_takes_a_prefix(void** state) {
  (void)state;
  const JwPlotAxis axis = {
      .label = "rate", .unit = "Hz", .min = 44100.0, .max = 705600.0, .log = true};
  const JwTicks ticks = jw_ticks_choose(&axis, 6);
  assert_string_equal(ticks.title, "rate (kHz)");
  assert_int_equal(ticks.count, 4);
  static const char* const labels[4] = {"50", "100", "200", "500"};
  for (size_t i = 0; i < 4; ++i) {
    assert_string_equal(ticks.tick[i].label, labels[i]);
  }
}

static void an_index_is_lowered_and_what_follows_lifted_back(void** state) {
  (void)state;
  JwText text = {0};
  jw_text_marked(&text, "v_{in}^{2} < a_b");
  assert_string_equal(text.data,
                      "v<tspan dy=\"3\" font-size=\"78%\">in</tspan><tspan dy=\"-3\">\u200b</tspan>"
                      "<tspan dy=\"-4\" font-size=\"78%\">2</tspan><tspan dy=\"4\">\u200b</tspan>"
                      " &lt; a_b");
  jw_text_release(&text);
}

// The line runs along the right end of the mark, above it: the label must go elsewhere.
static void a_mark_s_label_goes_where_no_line_is(void** state) {
  (void)state;
  double x[100], y[100];
  for (size_t i = 0; i < 100; ++i) {
    x[i] = (double)i;
    y[i] = i < 50 ? 0.0 : 1.05; // 10 px above the mark, on its right half
  }
  const JwPlotMark mark = {.kind = JW_PLOT_HORIZONTAL, .y = 1.0, .label = "limit"};
  JwPlotSeries series = series_of(x, y, 100);
  JwPlotPanel panel = jw_plot_panel_default();
  panel.y = (JwPlotAxis){.min = 0.0, .max = 1.2};
  panel.series = &series, panel.series_count = 1;
  panel.marks = &mark, panel.mark_count = 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.panels = &panel, figure.panel_count = 1;
  char* const text = jw_plot_text(&figure, NULL);
  assert_non_null(text);
  double at[2] = {0.0, 0.0};
  const char* const label = strstr(text, "<text class=\"t b");
  assert_non_null(label);
  assert_int_equal(sscanf(strstr(label, "x=\""), "x=\"%lf\" y=\"%lf", &at[0], &at[1]), 2);
  const double line = figure.height / 6.0; // The mark, from the top
  assert_true(at[1] > line);               // Below it: above, the box would hold the line
  free(text);
}

static void a_heat_map_is_a_png_inside_of_the_text(void** state) {
  (void)state;
  const double values[6] = {0.0, 1.0, NAN, 3.0, 4.0, 5.0};
  const JwPlotHeat heat = {
      .values = values, .rows = 2, .columns = 3, .x = {0.0, 1.0}, .y = {0.0, 1.0}};
  JwPlotPanel panel = jw_plot_panel_default();
  panel.heat = &heat;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.panels = &panel;
  figure.panel_count = 1;
  char* const text = jw_plot_text(&figure, NULL);
  assert_non_null(text);
  assert_true(xml_well_formed(text));
  // Signature, length 13, IHDR, 3 x 2 in base 64
  assert_non_null(strstr(text, "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAMAAAAC"));
  assert_non_null(strstr(text, "SUVORK5CYII=")); // IEND and its sum
  free(text);
}

// Values with rows and columns, and edges that rise: each of the five alone is missed.
static void a_heat_map_of_nothing_is_refused(void** state) {
  (void)state;
  const double values[6] = {0.0};
  const JwPlotHeat good = {
      .values = values, .rows = 2, .columns = 3, .x = {0.0, 1.0}, .y = {0.0, 1.0}};
  JwPlotHeat bad[6] = {good, good, good, good, good, good};
  bad[1].values = NULL;
  bad[2].rows = 0;
  bad[3].columns = 0;
  bad[4].x[1] = 0.0;
  bad[5].y[0] = 1.0;
  for (int i = 0; i < 6; ++i) {
    JwPlotPanel panel = jw_plot_panel_default();
    panel.heat = &bad[i];
    JwPlotFigure figure = jw_plot_figure_default();
    figure.panels = &panel;
    figure.panel_count = 1;
    JwPlotError error = {""};
    char* const text = jw_plot_text(&figure, &error);
    assert_true((text != NULL) == (i == 0));
    assert_string_equal(error.text, i ? "a heat map is empty or its edges do not rise" : "");
    free(text);
  }
}

static void saving_leaves_nothing_half_written(void** state) {
  (void)state;
  const double y[2] = {1.0, 2.0};
  JwPlotSeries series = series_of(NULL, y, 2);
  JwPlotPanel panel = jw_plot_panel_default();
  panel.series = &series;
  panel.series_count = 1;
  JwPlotFigure figure = jw_plot_figure_default();
  figure.panels = &panel;
  figure.panel_count = 1;
  JwPlotError error;
  assert_false(jw_plot_save(&figure, "no-such-folder/figure.svg", &error));
  assert_non_null(strstr(error.text, "no-such-folder/figure.svg"));
  assert_true(jw_plot_save(&figure, "test-plot-figure.svg", &error));
  series.count = 0;
  assert_false(jw_plot_save(&figure, "test-plot-figure.svg", &error)); // The good one stays
  FILE* const file = fopen("test-plot-figure.svg", "rb");
  assert_non_null(file);
  fclose(file);
  remove("test-plot-figure.svg");
  assert_null(fopen("test-plot-figure.svg.part", "rb"));
}

// ---------------------------------------------------------------- one figure with everything in it

enum { N = 24, KINDS = 5, PANELS = 9 };

// Lines, marks and words of every kind, as they were looked at: test/figures.svg.
static char* draw_everything(void) {
  static double x[N], y[5][N], wild[N], heat[6 * 8], far[N];
  for (int i = 0; i < N; ++i) {
    x[i] = 0.002 * i;
    far[i] = 20.0 * pow(10.0, 3.0 * i / (N - 1));
    wild[i] = i == 7 ? NAN : i == 15 ? INFINITY : 1e-3 * (i - 10) * (i - 10) - 0.02;
    for (int s = 0; s < 5; ++s) {
      y[s][i] = sin(0.3 * (s + 1) * i) + 0.5 * s;
    }
  }
  for (int i = 0; i < 48; ++i) {
    heat[i] = i == 20 ? NAN : sin(0.2 * i) * (i % 8);
  }
  JwPlotSeries kinds[KINDS], dashes[5], bars[2], logs[2], gap = series_of(x, wild, N),
                                                          cloud = series_of(x, y[0], N);
  for (int k = 0; k < KINDS; ++k) {
    kinds[k] = series_of(x, y[k], N);
    kinds[k].kind = (JwPlotKind)k, kinds[k].label = k == 2 ? NULL : "a_{k} & <b^{2}>";
    dashes[k] = series_of(x, y[k], N);
    dashes[k].dash = (JwPlotDash)(k % 3), dashes[k].marker = (JwPlotMarker)(k + 1),
    dashes[k].color = k + 4, dashes[k].width = 1.0 + k;
  }
  kinds[3].base = y[1];
  for (int k = 0; k < 2; ++k) {
    bars[k] = series_of(NULL, y[k], 5);
    bars[k].kind = JW_PLOT_BARS, bars[k].label = k ? "two" : "one";
    logs[k] = series_of(far, far, N);
    logs[k].kind = k ? JW_PLOT_BARS : JW_PLOT_LINE;
  }
  cloud.kind = JW_PLOT_POINTS, cloud.marker = JW_PLOT_CROSS, cloud.color = JW_PLOT_INK;
  const JwPlotMark marks[5] = {{JW_PLOT_HORIZONTAL, 0.0, 0.4, "level", 0},
                               {JW_PLOT_HORIZONTAL, 0.0, 0.385, "lower", 4},
                               {JW_PLOT_VERTICAL, 0.02, 0.0, "then", 3},
                               {JW_PLOT_TEXT, 0.03, 0.2, "words", 2},
                               {JW_PLOT_VERTICAL, 0.01, 0.0, NULL, 0}};
  static const char* const names[] = {"first", "second", "third", "fourth", "fifth"};
  const JwPlotHeat map = {.values = heat,
                          .rows = 6,
                          .columns = 8,
                          .x = {0.0, 0.046},
                          .y = {-1.0, 1.0},
                          .label = "level",
                          .unit = "dB"};
  JwPlotHeat signed_map = map;
  signed_map.diverging = true, signed_map.range[0] = -5.0, signed_map.range[1] = 5.0;
  JwPlotPanel panels[PANELS];
  for (int p = 0; p < PANELS; ++p) {
    panels[p] = jw_plot_panel_default();
    panels[p].title = p == 4 ? NULL : "Panel of \u03b7_{+}";
    panels[p].x = (JwPlotAxis){.label = "time", .unit = "s"};
    panels[p].y = (JwPlotAxis){.label = "length", .unit = "m"};
  }
  panels[0].series = kinds, panels[0].series_count = 4;
  panels[1].series = dashes, panels[1].series_count = 5;
  panels[2].series = bars, panels[2].series_count = 2,
  panels[2].x = (JwPlotAxis){.names = names, .name_count = 5};
  panels[3].series = logs, panels[3].series_count = 1;
  panels[3].x = (JwPlotAxis){.label = "frequency", .unit = "Hz", .log = true},
  panels[3].y = (JwPlotAxis){.label = "ratio", .log = true};
  panels[4].series = &gap, panels[4].series_count = 1, panels[4].marks = marks,
  panels[4].mark_count = 5;
  panels[5].heat = &map, panels[5].series = &cloud, panels[5].series_count = 1;
  panels[6].heat = &signed_map, panels[6].y = (JwPlotAxis){.min = -1.0, .max = 1.0};
  panels[7].series = logs + 1, panels[7].series_count = 1,
  panels[7].y = (JwPlotAxis){.log = true, .min = 1.0, .max = 1e5};
  panels[8].series = &cloud, panels[8].series_count = 1,
  panels[8].x = (JwPlotAxis){.min = 0.01, .max = 0.03};
  panels[8].title = "\U0001D6FC, a letter of four bytes";
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Everything", figure.caption = "Two lines\nof words";
  figure.panels = panels, figure.panel_count = PANELS, figure.columns = 3, figure.width = 1200.0,
  figure.height = 150.0;
  JwPlotError error = {""};
  char* const text = jw_plot_text(&figure, &error);
  if (!text) {
    fail_msg("%s", error.text);
  }
  return text;
}

static void everything_is_drawn_as_it_was_looked_at(void** state) {
  (void)state;
  FILE* const file = fopen(FIGURES, "rb");
  assert_non_null(file);
  static char kept[400000];
  kept[fread(kept, 1, sizeof kept - 1, file)] = '\0';
  fclose(file);
  char* const text = draw_everything();
  assert_true(xml_well_formed(text));
  if (strcmp(text, kept) != 0) {
    size_t at = 0;
    while (text[at] == kept[at]) {
      ++at;
    }
    fail_msg(
        "byte %zu of test/figures.svg is \"%.40s\", drawn is \"%.40s\"; if that is meant: test_plot write test/figures.svg, and look at it",
        at, kept + at, text + at);
  }
  free(text);
}

static int write_everything(const char* path) {
  char* const text = draw_everything();
  FILE* const file = fopen(path, "wb");
  const bool good = file && fputs(text, file) >= 0 && fclose(file) == 0;
  free(text);
  return good ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "write") == 0) {
    return write_everything(argv[2]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_judge_of_xml_finds_faults),
      cmocka_unit_test(every_kind_gives_a_well_formed_finite_figure),
      cmocka_unit_test(nothing_to_draw_is_an_error_that_names_the_series),
      cmocka_unit_test(a_value_that_is_not_finite_leaves_a_gap),
      cmocka_unit_test(an_axis_without_a_span_is_refused),
      cmocka_unit_test(thinning_keeps_the_extremes_of_a_long_line),
      cmocka_unit_test(a_path_keeps_its_ends_and_drops_only_near_points),
      cmocka_unit_test(a_long_signal_makes_a_small_file),
      cmocka_unit_test(a_figure_that_would_be_too_large_is_refused),
      cmocka_unit_test(ticks_are_round_inside_and_different),
      cmocka_unit_test(units_take_the_prefix_that_fits),
      cmocka_unit_test(logarithmic_ticks_are_powers_of_ten_in_the_range),
      cmocka_unit_test(a_short_logarithmic_axis_takes_a_prefix),
      cmocka_unit_test(an_index_is_lowered_and_what_follows_lifted_back),
      cmocka_unit_test(a_mark_s_label_goes_where_no_line_is),
      cmocka_unit_test(a_heat_map_is_a_png_inside_of_the_text),
      cmocka_unit_test(a_heat_map_of_nothing_is_refused),
      cmocka_unit_test(saving_leaves_nothing_half_written),
      cmocka_unit_test(everything_is_drawn_as_it_was_looked_at),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
