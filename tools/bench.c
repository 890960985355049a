// jawari bench: how fast, on this machine, beside plain C and beside what the core can do.

#include "tool.h"

#include "bench.h"
#include "plot.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t large[3] = {226, 130, 13}, middle[3] = {101, 40, 20}, small[3] = {101, 20, 10};

/// Everything that is timed, by place in the table.
enum {
  STRING, STRING_NAIVE, PLATE, PLATE_UNEQUAL, PLATE_NAIVE, POWER,
  BARRIER, BARRIER_NAIVE, LARGE, LARGE_NAIVE, MIDDLE, MIDDLE_NAIVE, SMALL, SMALL_NAIVE, SMALL_LEDGER,
  FREE, PRESSED, STRINGS_ONE, STRINGS_TWO, SOUNDING, RESTING,
  COUNT
};

typedef struct {
  JwBenchWork work[COUNT];
  double cycle;
  JwBenchRoof roof;
  double power_error;
} Report;

static void time_kernel(JwBenchWork* work, const char* name, JwBenchKernel* kernel)
{
  *work = (JwBenchWork){name, jw_bench_kernel_slice, kernel, jw_bench_kernel_units(kernel), 0.0, false};
}

static void time_world(JwBenchWork* work, const char* name, JwBenchWorld* world, double units)
{
  *work = (JwBenchWork){name, jw_bench_world_slice, world, units, 0.0, false};
}

static void time_naive(JwBenchWork* work, const char* name, JwNaive* naive)
{
  *work = (JwBenchWork){name, jw_naive_slice, naive, jw_naive_units(naive), 0.0, false};
}

#define BARRIER_FRAMES 11008 // 50 ms at 220.5 kHz
#define FRAMES 2240          // 51 ms at 44.1 kHz

static void prepare(JwBenchWork* w)
{
  time_kernel(&w[STRING], "string kernel, 200 points", jw_bench_string(200));
  time_naive(&w[STRING_NAIVE], "string kernel, plain C", jw_naive_string(200));
  time_kernel(&w[PLATE], "plate kernel, 40x20", jw_bench_plate(40, 20, 1.0));
  time_kernel(&w[PLATE_UNEQUAL], "plate kernel, 40x20, unequal spacings", jw_bench_plate(40, 20, 0.83));
  time_naive(&w[PLATE_NAIVE], "plate kernel, plain C", jw_naive_plate(40, 20));
  time_kernel(&w[POWER], "power function", jw_bench_power(1024, 0.65));
  time_world(&w[BARRIER], "string over a bent barrier", jw_bench_barrier(BARRIER_FRAMES, false), BARRIER_FRAMES);
  time_naive(&w[BARRIER_NAIVE], "the same, plain C", jw_naive_barrier(BARRIER_FRAMES));
  time_world(&w[LARGE], "tromba 226 + 130x13", jw_bench_tromba(large, FRAMES, false), FRAMES);
  time_naive(&w[LARGE_NAIVE], "the same, plain C", jw_naive_tromba(large, FRAMES));
  time_world(&w[MIDDLE], "tromba 101 + 40x20", jw_bench_tromba(middle, FRAMES, false), FRAMES);
  time_naive(&w[MIDDLE_NAIVE], "the same, plain C", jw_naive_tromba(middle, FRAMES));
  time_world(&w[SMALL], "tromba 101 + 20x10", jw_bench_tromba(small, FRAMES, false), FRAMES);
  time_naive(&w[SMALL_NAIVE], "the same, plain C", jw_naive_tromba(small, FRAMES));
  time_world(&w[SMALL_LEDGER], "the same, ledger on", jw_bench_tromba(small, FRAMES, true), FRAMES);
  time_world(&w[FREE], "impact on 10 modes, apart", jw_bench_impact(false, FRAMES), FRAMES);
  time_world(&w[PRESSED], "impact on 10 modes, pressed", jw_bench_impact(true, FRAMES), FRAMES);
  time_world(&w[STRINGS_ONE], "88 strings with barriers, one thread", jw_bench_strings(88, 1, 448), 448);
  time_world(&w[STRINGS_TWO], "88 strings with barriers, two threads", jw_bench_strings(88, 2, 448), 448);
  w[STRINGS_ONE].wall = w[STRINGS_TWO].wall = true;
  time_world(&w[SOUNDING], "string with barrier, sounding", jw_bench_rest(true, 16 * FRAMES), 16 * FRAMES);
  time_world(&w[RESTING], "string with barrier, at rest", jw_bench_rest(false, 16 * FRAMES), 16 * FRAMES);
}

static void release(JwBenchWork* w)
{
  for (int i = 0; i < COUNT; ++i) {
    if (w[i].slice == jw_bench_kernel_slice) {
      jw_bench_kernel_free((JwBenchKernel*)w[i].data);
    } else if (w[i].slice == jw_naive_slice) {
      jw_naive_free((JwNaive*)w[i].data);
    } else {
      jw_bench_world_free((JwBenchWorld*)w[i].data);
    }
  }
}

static double ratio(const Report* r, int naive, int ours) { return r->work[naive].best / r->work[ours].best; }

static void print_json(const Report* r)
{
  const JwBenchWork* const w = r->work;
  const struct {
    const char* key;
    double value;
  } figures[] = {
    {"string_cycles_per_point", w[STRING].best / r->cycle},
    {"string_naive_cycles_per_point", w[STRING_NAIVE].best / r->cycle},
    {"plate_cycles_per_point", w[PLATE].best / r->cycle},
    {"plate_unequal_cycles_per_point", w[PLATE_UNEQUAL].best / r->cycle},
    {"plate_naive_cycles_per_point", w[PLATE_NAIVE].best / r->cycle},
    {"fig8_seconds", w[BARRIER].best * 220500e-9},
    {"fig8_ratio", ratio(r, BARRIER_NAIVE, BARRIER)},
    {"tromba_large_ratio", ratio(r, LARGE_NAIVE, LARGE)},
    {"tromba_middle_ratio", ratio(r, MIDDLE_NAIVE, MIDDLE)},
    {"tromba_small_ratio", ratio(r, SMALL_NAIVE, SMALL)},
    {"tromba_small_realtime", 1e9 / 44100.0 / w[SMALL].best},
    {"impact_free_ns", w[FREE].best},
    {"impact_pressed_ns", w[PRESSED].best},
    {"threads_ratio", ratio(r, STRINGS_ONE, STRINGS_TWO)},
    {"rest_percent", 100.0 * w[RESTING].best / w[SOUNDING].best},
    {"pow_ns", w[POWER].best},
    {"pow_error", r->power_error},
    {"ledger_cost_ratio", ratio(r, SMALL_LEDGER, SMALL)},
    {"cycle_ns", r->cycle},
    {"roof_add_per_cycle", r->roof.add},
    {"roof_multiply_per_cycle", r->roof.multiply},
    {"roof_load_per_cycle", r->roof.load},
    {"roof_store_per_cycle", r->roof.store},
  };
  const size_t count = sizeof figures / sizeof *figures;
  puts("{");
  for (size_t i = 0; i < count; ++i) {
    printf("  \"%s\": %.6g%s\n", figures[i].key, figures[i].value, i + 1 < count ? "," : "");
  }
  puts("}");
}

/// A kernel's line: cycles a point, and how near that is to what its additions and multiplications allow.
static void print_kernel(const Report* r, int work, double adds, double multiplications)
{
  const double cycles = r->work[work].best / r->cycle;
  printf("%-40s %8.2f cycles a point", r->work[work].name, cycles);
  if (r->roof.add > 0.0 && adds > 0.0) {
    const double by_add = adds / r->roof.add / 4.0, by_multiply = multiplications / r->roof.multiply / 4.0;
    printf("   %3.0f %% of roof (%.2f)", 100.0 * (by_add > by_multiply ? by_add : by_multiply) / cycles,
           by_add > by_multiply ? by_add : by_multiply);
  }
  puts("");
}

static void print_scene(const Report* r, int ours, int naive, double rate)
{
  const double ns = r->work[ours].best;
  printf("%-40s %8.1f ns a sample   %6.1f x real time", r->work[ours].name, ns, 1e9 / rate / ns);
  if (naive >= 0) {
    printf("   %5.1f x plain C (%.1f ns)", ratio(r, naive, ours), r->work[naive].best);
  }
  puts("");
}

static void print_table(const Report* r)
{
  const JwBenchWork* const w = r->work;
  printf("one cycle %.3f ns; registers of four doubles a cycle: add %.2f, multiply %.2f, load %.2f, store %.2f\n\n",
         r->cycle, r->roof.add, r->roof.multiply, r->roof.load, r->roof.store);
  print_kernel(r, STRING, 6.0, 5.0);
  print_kernel(r, STRING_NAIVE, 0.0, 0.0);
  print_kernel(r, PLATE, 10.0, 5.0);
  print_kernel(r, PLATE_UNEQUAL, 10.0, 7.0);
  print_kernel(r, PLATE_NAIVE, 0.0, 0.0);
  printf("%-40s %8.2f ns a value, relative error at most %.2g\n\n", w[POWER].name, w[POWER].best, r->power_error);
  print_scene(r, BARRIER, BARRIER_NAIVE, 220500.0);
  print_scene(r, LARGE, LARGE_NAIVE, 44100.0);
  print_scene(r, MIDDLE, MIDDLE_NAIVE, 44100.0);
  print_scene(r, SMALL, SMALL_NAIVE, 44100.0);
  print_scene(r, SMALL_LEDGER, -1, 44100.0);
  print_scene(r, FREE, -1, 44100.0);
  print_scene(r, PRESSED, -1, 44100.0);
  print_scene(r, STRINGS_ONE, -1, 44100.0);
  print_scene(r, STRINGS_TWO, -1, 44100.0);
  printf("\ntwo threads against one, 88 strings      %8.2f x\n", ratio(r, STRINGS_ONE, STRINGS_TWO));
  printf("a scene at rest against it sounding      %8.2f %%\n", 100.0 * w[RESTING].best / w[SOUNDING].best);
  printf("ledger on against off                    %8.2f x\n", ratio(r, SMALL_LEDGER, SMALL));
}

// ---------------------------------------------------------------- how cost grows

#define STOPS 6

typedef struct {
  const char *title, *x, *y;
  double at[STOPS], ns[STOPS];
  JwBenchWorld* (*make)(uint32_t at);
} Curve;

static JwBenchWorld* grid_of(uint32_t n) { return jw_bench_tromba((const uint32_t[3]){101, 4 * n, n}, 448, false); }
static JwBenchWorld* strings_of(uint32_t n) { return jw_bench_strings(n, 1, 448); }
static JwBenchWorld* contacts_of(uint32_t n) { return jw_bench_contacts(n, 448); }
static JwBenchWorld* blocks_of(uint32_t n) { return jw_bench_block(n, 4096); }

static bool draw_curves(const char* folder, uint32_t rounds)
{
  Curve curves[] = {
    {"plate of n x 4n points", "n", "ns a sample", {4, 8, 12, 16, 24, 32}, {0}, grid_of},
    {"strings with barriers", "strings", "ns a sample", {1, 4, 16, 32, 60, 88}, {0}, strings_of},
    {"closed contacts in islands of their own", "contacts", "ns a sample", {1, 4, 16, 32, 60, 88}, {0}, contacts_of},
    {"block size, small tromba", "frames", "ns a sample", {1, 4, 16, 64, 256, 1024}, {0}, blocks_of},
  };
  JwPlotSeries series[4];
  JwPlotPanel panels[4];
  for (int c = 0; c < 4; ++c) {
    JwBenchWork work[STOPS];
    for (int i = 0; i < STOPS; ++i) {
      time_world(&work[i], curves[c].title, curves[c].make((uint32_t)curves[c].at[i]), c == 3 ? 4096 : 448);
    }
    jw_bench_run(work, STOPS, rounds);
    for (int i = 0; i < STOPS; ++i) {
      curves[c].ns[i] = work[i].best;
      jw_bench_world_free((JwBenchWorld*)work[i].data);
    }
    series[c] = jw_plot_series_default();
    series[c].x = curves[c].at, series[c].y = curves[c].ns, series[c].count = STOPS, series[c].marker = JW_PLOT_DOT;
    panels[c] = jw_plot_panel_default();
    panels[c].title = curves[c].title;
    panels[c].x = (JwPlotAxis){.label = curves[c].x, .log = c == 3};
    panels[c].y = (JwPlotAxis){.label = curves[c].y};
    panels[c].series = &series[c], panels[c].series_count = 1;
  }
  JwPlotFigure figure = jw_plot_figure_default();
  figure.title = "Cost of a sample";
  figure.panels = panels, figure.panel_count = 4, figure.columns = 2;
  char path[4096];
  JwPlotError error;
  if (snprintf(path, sizeof path, "%s/scaling.svg", folder) >= (int)sizeof path) {
    return jw_tool_fail("bench: the folder's name is too long");
  }
  if (!jw_plot_save(&figure, path, &error)) {
    return jw_tool_fail("bench: %s", error.text);
  }
  return true;
}

// ---------------------------------------------------------------- the verb

typedef struct {
  bool json, quick;
  const char* svg;
} Options;

static const JwOption options[] = {
  {"--json", NULL, NULL, "figures as JSON", JW_OPTION_FLAG, offsetof(Options, json), 0, 0, NULL},
  {"--quick", NULL, NULL, "a fifth of the rounds", JW_OPTION_FLAG, offsetof(Options, quick), 0, 0, NULL},
  {"--svg", NULL, "DIR", "also draw how cost grows, into DIR/scaling.svg", JW_OPTION_TEXT, offsetof(Options, svg), 0, 0, NULL},
  {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int run(int argc, char** argv)
{
  Options given = {0};
  const JwParsed parsed = jw_tool_parse(&jw_verb_bench, &argc, argv, &given);
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  if (argc > 1) {
    jw_tool_fail("bench takes no operand, not \"%s\"", argv[1]);
    return JW_EXIT_USAGE;
  }
  static Report report;
  prepare(report.work);
  report.cycle = jw_bench_run(report.work, COUNT, given.quick ? 6 : 30);
  report.roof = jw_bench_roof(report.cycle);
  report.power_error = jw_bench_power_error();
  if (given.json) {
    print_json(&report);
  } else {
    print_table(&report);
  }
  release(report.work);
  return given.svg && !draw_curves(given.svg, given.quick ? 2 : 8) ? JW_EXIT_FAILED : JW_EXIT_OK;
}

const JwVerb jw_verb_bench = {
  .name = "bench",
  .summary = "measure the speed of this machine with jawari",
  .usage = "",
  .about = "Times kernels and whole scenes beside the same physics in plain C, in turns, and keeps the least of "
           "many runs. Cycles are those of the core, from a chain of dependent additions in the same run.",
  .examples = "jawari bench # the table\n"
              "jawari bench --json --svg . # for a machine to read, and curves of cost\n",
  .options = options,
  .run = run,
};
