// SPDX-License-Identifier: MIT
// How the cost of a sample grows: with the grid, the strings, the closed contacts, the threads and
// the block.
//
// The dashed line is the straight one through the first and the last point: where cost is in
// proportion to work, the points lie on it.  With threads it is the cost of one, divided.

#include "bench.h"
#include "plot.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define STOPS 7

typedef struct {
  const char *title, *x;
  uint32_t at[STOPS], count; // What is varied
  JwBenchWorld* (*make)(uint32_t at);
  double (*work)(uint32_t at); // What the cost is drawn against; NULL: the same
  uint32_t frames;
  bool wall, log, divides;
} Curve;

typedef struct {
  double x[STOPS], ns[STOPS], line[STOPS];
  JwPlotSeries series[2];
} Drawn;

static JwBenchWorld* grid_of(uint32_t n) {
  return jw_bench_tromba((const uint32_t[3]){101, 4 * n, n}, 448, 0);
}
static double grid_points(uint32_t n) {
  return 101.0 + 4.0 * n * n;
}
static JwBenchWorld* strings_of(uint32_t n) {
  return jw_bench_strings(n, 1, 448);
}
static JwBenchWorld* contacts_of(uint32_t n) {
  return jw_bench_contacts(n, 448);
}
static JwBenchWorld* threads_of(uint32_t n) {
  return jw_bench_strings(88, n, 448);
}
static JwBenchWorld* blocks_of(uint32_t n) {
  return jw_bench_block(n, 4096);
}

// One to as many as there are cores, as far as the panel goes; two at least, to be seen.
static uint32_t threads_here(uint32_t at[STOPS]) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const uint32_t most = cores < 2 ? 2 : cores > STOPS ? STOPS : (uint32_t)cores;
  for (uint32_t i = 0; i < most; ++i) {
    at[i] = i + 1;
  }
  return most;
}

static void measure(const Curve* c, Drawn* d, uint32_t rounds) {
  JwBenchWork work[STOPS];
  for (uint32_t i = 0; i < c->count; ++i) {
    work[i] = (JwBenchWork){c->title,
                            jw_bench_world_slice,
                            c->make(c->at[i]),
                            c->frames,
                            0.0,
                            0.0,
                            c->wall ? jw_bench_world_least : NULL};
  }
  jw_bench_run(work, c->count, rounds);
  for (uint32_t i = 0; i < c->count; ++i) {
    d->x[i] = c->work ? c->work(c->at[i]) : c->at[i];
    d->ns[i] = work[i].best * 1e-9;
    jw_bench_world_free((JwBenchWorld*)work[i].data);
  }
  const uint32_t last = c->count - 1;
  const double slope = (d->ns[last] - d->ns[0]) / (d->x[last] - d->x[0]);
  for (uint32_t i = 0; i < c->count; ++i) {
    d->line[i] = c->divides ? d->ns[0] / d->x[i] : d->ns[0] + slope * (d->x[i] - d->x[0]);
  }
}

static JwPlotPanel panel_of(const Curve* c, Drawn* d) {
  for (int i = 0; i < 2; ++i) {
    d->series[i] = jw_plot_series_default();
    d->series[i].x = d->x, d->series[i].count = c->count;
  }
  d->series[0].y = d->line, d->series[0].dash = JW_PLOT_DASHED, d->series[0].color = JW_PLOT_GREY;
  d->series[1].y = d->ns, d->series[1].marker = JW_PLOT_DOT, d->series[1].color = 1;
  JwPlotPanel panel = jw_plot_panel_default();
  panel.title = c->title;
  panel.x = (JwPlotAxis){.label = c->x, .log = c->log};
  if (c->divides) { // Whole numbers, by name
    static const char* const names[STOPS] = {"1", "2", "3", "4", "5", "6", "7"};
    panel.x.names = names, panel.x.name_count = c->count;
    for (uint32_t i = 0; i < c->count; ++i) {
      d->x[i] = i;
    }
  }
  panel.y = (JwPlotAxis){.label = "a sample", .unit = "s", .min = 0.0, .max = NAN};
  panel.series = c->log ? &d->series[1] : d->series, panel.series_count = c->log ? 1 : 2;
  return panel;
}

bool jw_bench_curves(const char* path, uint32_t rounds, char* error) {
  Curve curves[] = {
      {"grid: string of 101 points, plate of n x 4n",
       "points",
       {4, 8, 12, 16, 20, 24, 32},
       7,
       grid_of,
       grid_points,
       448,
       false,
       false,
       false},
      {"strings with barriers",
       "strings",
       {1, 4, 16, 32, 48, 64, 88},
       7,
       strings_of,
       NULL,
       448,
       false,
       false,
       false},
      {"closed contacts, each an island",
       "contacts",
       {1, 4, 16, 32, 48, 64, 88},
       7,
       contacts_of,
       NULL,
       448,
       false,
       false,
       false},
      {"threads, 88 strings with barriers",
       "threads",
       {1},
       1,
       threads_of,
       NULL,
       448,
       true,
       false,
       true},
      {"block, tromba 101 + 20x10",
       "frames",
       {1, 4, 16, 64, 256, 1024, 4096},
       7,
       blocks_of,
       NULL,
       4096,
       false,
       true,
       false},
  };
  enum { COUNT = sizeof curves / sizeof *curves };
  curves[3].count = threads_here(curves[3].at);
  static Drawn drawn[COUNT];
  JwPlotPanel panels[COUNT];
  for (int c = 0; c < COUNT; ++c) {
    measure(&curves[c], &drawn[c], rounds);
    panels[c] = panel_of(&curves[c], &drawn[c]);
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "What a sample costs";
  figure.caption = "Dashed: in proportion to the work.";
  figure.panels = panels, figure.panel_count = COUNT, figure.columns = 2;
  JwPlotError why;
  if (!jw_plot_save(&figure, path, &why)) {
    memcpy(error, why.text, sizeof why.text);
    return false;
  }
  return true;
}
