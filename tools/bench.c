// SPDX-License-Identifier: MIT
// jawari bench: how fast, on this machine, beside plain C and beside what the core can do.

#include "tool.h"

#include "bench.h"

static const uint32_t large[3] = {226, 130, 13}, middle[3] = {101, 40, 20},
                      small[3] = {101, 20, 10};

/// Everything that is timed, by place in the table.
enum {
  STRING,
  STRING_FUSED,
  STRING_NAIVE,
  PLATE,
  PLATE_FUSED,
  PLATE_UNEQUAL,
  PLATE_NAIVE,
  POWER,
  BARRIER,
  BARRIER_NAIVE,
  BARRIER_ASKING,
  LARGE,
  LARGE_NAIVE,
  MIDDLE,
  MIDDLE_NAIVE,
  SMALL,
  SMALL_NAIVE,
  SMALL_LEDGER,
  PLAYED,
  PIANO,
  FREE,
  PRESSED,
  STRINGS_ONE,
  STRINGS_TWO,
  PARTS_ONE,
  PARTS_TWO,
  SOUNDING,
  RESTING,
  COUNT
};

typedef struct {
  JwBenchWork work[COUNT];
  double cycle;
  JwBenchRoof roof;
  double power_error;
} Report;

static void time_kernel(JwBenchWork* work, const char* name, JwBenchKernel* kernel) {
  *work = (JwBenchWork){
      name, jw_bench_kernel_slice, kernel, jw_bench_kernel_units(kernel), 0.0, 0.0, NULL};
}

static void time_world(JwBenchWork* work, const char* name, JwBenchWorld* world, double units) {
  *work = (JwBenchWork){name, jw_bench_world_slice, world, units, 0.0, 0.0, NULL};
}

static void time_naive(JwBenchWork* work, const char* name, JwNaive* naive) {
  *work = (JwBenchWork){name, jw_naive_slice, naive, jw_naive_units(naive), 0.0, 0.0, NULL};
}

#define BARRIER_FRAMES 11008 // 50 ms at 220.5 kHz
#define FRAMES 2240          // 51 ms at 44.1 kHz
#define FEW 448              // 10 ms of what takes long

static void prepare_kernels(JwBenchWork* w) {
  static const uint32_t grid[2] = {40, 20};
  const bool fused = jw_bench_can_fuse();
  time_kernel(&w[STRING], "string kernel, 200 points", jw_bench_string(200, false));
  time_kernel(&w[STRING_FUSED], "the same, fused operations", jw_bench_string(200, fused));
  time_naive(&w[STRING_NAIVE], "the same, plain C", jw_naive_string(200));
  time_kernel(&w[PLATE], "plate kernel, 40x20", jw_bench_plate(grid, 1.0, false));
  time_kernel(&w[PLATE_FUSED], "the same, fused operations", jw_bench_plate(grid, 1.0, fused));
  time_kernel(&w[PLATE_UNEQUAL], "the same, unequal spacings", jw_bench_plate(grid, 0.83, false));
  time_naive(&w[PLATE_NAIVE], "the same, plain C", jw_naive_plate(40, 20));
  time_kernel(&w[POWER], "power function", jw_bench_power(1024, 0.65));
}

static void prepare_scenes(JwBenchWork* w) {
  time_world(&w[BARRIER], "string over a bent barrier", jw_bench_barrier(BARRIER_FRAMES, 0),
             BARRIER_FRAMES);
  time_naive(&w[BARRIER_NAIVE], "the same, plain C", jw_naive_barrier(BARRIER_FRAMES, false));
  time_naive(&w[BARRIER_ASKING], "the same, plain C that asks first",
             jw_naive_barrier(BARRIER_FRAMES, true));
  time_world(&w[LARGE], "tromba 226 + 130x13", jw_bench_tromba(large, FRAMES, 0), FRAMES);
  time_naive(&w[LARGE_NAIVE], "the same, plain C", jw_naive_tromba(large, FRAMES));
  time_world(&w[MIDDLE], "tromba 101 + 40x20", jw_bench_tromba(middle, FRAMES, 0), FRAMES);
  time_naive(&w[MIDDLE_NAIVE], "the same, plain C", jw_naive_tromba(middle, FRAMES));
  time_world(&w[SMALL], "tromba 101 + 20x10", jw_bench_tromba(small, FRAMES, 0), FRAMES);
  time_naive(&w[SMALL_NAIVE], "the same, plain C", jw_naive_tromba(small, FRAMES));
  time_world(&w[SMALL_LEDGER], "the same, ledger on",
             jw_bench_tromba(small, FRAMES, JW_BENCH_LEDGER), FRAMES);
  time_world(&w[PLAYED], "tromba marina as played, block 64", jw_bench_played(FRAMES), FRAMES);
  time_world(&w[PIANO], "grand piano, all 88 keys held", jw_bench_piano(64), 64);
  time_world(&w[FREE], "impact on 10 modes, apart", jw_bench_impact(false, FRAMES), FRAMES);
  time_world(&w[PRESSED], "impact on 10 modes, pressed", jw_bench_impact(true, FRAMES), FRAMES);
  time_world(&w[STRINGS_ONE], "88 strings with barriers, one thread", jw_bench_strings(88, 1, FEW),
             FEW);
  time_world(&w[STRINGS_TWO], "88 strings with barriers, two threads", jw_bench_strings(88, 2, FEW),
             FEW);
  for (int i = STRINGS_ONE; i <= STRINGS_TWO; ++i) {
    w[i].least = jw_bench_world_least;
  }
  for (int i = 0; i < 2; ++i) {
    w[PARTS_ONE + i] =
        (JwBenchWork){"parts", jw_bench_parts_slice, jw_bench_parts(1 + (uint32_t)i), 1.0, 0.0,
                      0.0,     jw_bench_parts_least};
  }
  time_world(&w[SOUNDING], "string with barrier, sounding", jw_bench_rest(true, 16 * FRAMES),
             16 * FRAMES);
  time_world(&w[RESTING], "string with barrier, at rest", jw_bench_rest(false, 16 * FRAMES),
             16 * FRAMES);
}

static void release(JwBenchWork* w) {
  for (int i = 0; i < COUNT; ++i) {
    if (w[i].slice == jw_bench_kernel_slice) {
      jw_bench_kernel_free((JwBenchKernel*)w[i].data);
    } else if (w[i].slice == jw_naive_slice) {
      jw_naive_free((JwNaive*)w[i].data);
    } else if (w[i].slice == jw_bench_parts_slice) {
      jw_bench_parts_free((JwBenchParts*)w[i].data);
    } else {
      jw_bench_world_free((JwBenchWorld*)w[i].data);
    }
  }
}

static double ratio(const Report* r, int naive, int ours) {
  return r->work[naive].best / r->work[ours].best;
}

/// What a point needs at least: operations, and the state read and written once.
typedef struct {
  double adds, multiplications, loads, stores;
} Needs;

static const Needs string_needs = {6.0, 5.0, 2.0, 1.0}, plate_needs = {8.0, 5.0, 2.0, 1.0},
                   unequal_needs = {10.0, 7.0, 2.0, 1.0};

/// Cycles a point that the machine's rates allow at best; 0: not measured here.
static double roof_of(const Report* r, const Needs* needs) {
  if (!(r->roof.add > 0.0)) {
    return 0.0;
  }
  const double by[4] = {needs->adds / r->roof.add, needs->multiplications / r->roof.multiply,
                        needs->loads / r->roof.load, needs->stores / r->roof.store};
  double most = 0.0;
  for (int i = 0; i < 4; ++i) {
    most = by[i] > most ? by[i] : most;
  }
  return most / 4.0;
}

static double roof_percent(const Report* r, int work, const Needs* needs) {
  return 100.0 * roof_of(r, needs) * r->cycle / r->work[work].best;
}

static void print_json(const Report* r) {
  const JwBenchWork* const w = r->work;
  const struct {
    const char* key;
    double value;
  } figures[] = {
      {"string_cycles_per_point", w[STRING].best / r->cycle},
      {"string_roof_percent", roof_percent(r, STRING, &string_needs)},
      {"string_fused_cycles_per_point",
       jw_bench_can_fuse() ? w[STRING_FUSED].best / r->cycle : 0.0},
      {"string_naive_cycles_per_point", w[STRING_NAIVE].best / r->cycle},
      {"plate_cycles_per_point", w[PLATE].best / r->cycle},
      {"plate_roof_percent", roof_percent(r, PLATE, &plate_needs)},
      {"plate_fused_cycles_per_point", jw_bench_can_fuse() ? w[PLATE_FUSED].best / r->cycle : 0.0},
      {"plate_unequal_cycles_per_point", w[PLATE_UNEQUAL].best / r->cycle},
      {"plate_naive_cycles_per_point", w[PLATE_NAIVE].best / r->cycle},
      {"fig8_seconds", w[BARRIER].best * 220500e-9},
      {"fig8_ratio", ratio(r, BARRIER_NAIVE, BARRIER)},
      {"fig8_asking_ratio", ratio(r, BARRIER_ASKING, BARRIER)},
      {"tromba_large_ratio", ratio(r, LARGE_NAIVE, LARGE)},
      {"tromba_middle_ratio", ratio(r, MIDDLE_NAIVE, MIDDLE)},
      {"tromba_small_ratio", ratio(r, SMALL_NAIVE, SMALL)},
      {"tromba_small_realtime", 1e9 / 44100.0 / w[SMALL].best},
      {"tromba_played_load", w[PLAYED].best * 48000e-9},
      {"piano_held_load", w[PIANO].best * 48000e-9},
      {"impact_free_ns", w[FREE].best},
      {"impact_pressed_ns", w[PRESSED].best},
      {"threads_ratio", ratio(r, STRINGS_ONE, STRINGS_TWO)},
      {"threads_roof", ratio(r, PARTS_ONE, PARTS_TWO)},
      {"rest_percent", 100.0 * w[RESTING].best / w[SOUNDING].best},
      {"pow_ns", w[POWER].best},
      {"pow_error", r->power_error},
      {"ledger_cost_ratio", ratio(r, SMALL_LEDGER, SMALL)},
      {"cycle_ns", r->cycle},
      {"roof_add_per_cycle", r->roof.add},
      {"roof_multiply_per_cycle", r->roof.multiply},
      {"roof_fma_per_cycle", r->roof.fma},
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

/// A kernel's line: cycles a point, and how near that is to what the machine's rates allow.
static void print_kernel(const Report* r, int work, const Needs* needs) {
  printf("%-40s %8.2f cycles a point", r->work[work].name, r->work[work].best / r->cycle);
  if (needs && r->roof.add > 0.0) {
    printf("   %3.0f %% of roof (%.2f)", roof_percent(r, work, needs), roof_of(r, needs));
  }
  puts("");
}

static void print_kernels(const Report* r) {
  print_kernel(r, STRING, &string_needs);
  if (jw_bench_can_fuse()) {
    print_kernel(r, STRING_FUSED, NULL);
  }
  print_kernel(r, STRING_NAIVE, NULL);
  print_kernel(r, PLATE, &plate_needs);
  if (jw_bench_can_fuse()) {
    print_kernel(r, PLATE_FUSED, NULL);
  }
  print_kernel(r, PLATE_UNEQUAL, &unequal_needs);
  print_kernel(r, PLATE_NAIVE, NULL);
  printf("%-40s %8.2f ns a value, relative error at most %.2g\n\n", r->work[POWER].name,
         r->work[POWER].best, r->power_error);
}

static void print_scene(const Report* r, int ours, int naive, double rate) {
  const double ns = r->work[ours].best;
  printf("%-40s %8.1f ns a sample   %6.1f x real time", r->work[ours].name, ns, 1e9 / rate / ns);
  if (naive >= 0) {
    printf("   %5.1f x plain C (%.1f ns)", ratio(r, naive, ours), r->work[naive].best);
  }
  puts("");
}

static void print_table(const Report* r) {
  const JwBenchWork* const w = r->work;
  printf(
      "one cycle %.3f ns; registers of four doubles a cycle: add %.2f, multiply %.2f, fused %.2f, load %.2f, store %.2f\n\n",
      r->cycle, r->roof.add, r->roof.multiply, r->roof.fma, r->roof.load, r->roof.store);
  print_kernels(r);
  print_scene(r, BARRIER, BARRIER_NAIVE, 220500.0);
  printf("%-40s %8.1f ns a sample   %6.1f x jawari\n", w[BARRIER_ASKING].name,
         w[BARRIER_ASKING].best, ratio(r, BARRIER_ASKING, BARRIER));
  print_scene(r, LARGE, LARGE_NAIVE, 44100.0);
  print_scene(r, MIDDLE, MIDDLE_NAIVE, 44100.0);
  print_scene(r, SMALL, SMALL_NAIVE, 44100.0);
  print_scene(r, SMALL_LEDGER, -1, 44100.0);
  print_scene(r, PLAYED, -1, 48000.0);
  print_scene(r, FREE, -1, 44100.0);
  print_scene(r, PRESSED, -1, 44100.0);
  print_scene(r, STRINGS_ONE, -1, 44100.0);
  print_scene(r, STRINGS_TWO, -1, 44100.0);
  printf("\ntromba marina as played, share of a core %8.1f %%\n",
         100.0 * w[PLAYED].best * 48000e-9);
  printf("grand piano, 88 keys held, share of a core %6.1f %%\n", 100.0 * w[PIANO].best * 48000e-9);
  printf("two threads against one, 88 strings      %8.2f x", ratio(r, STRINGS_ONE, STRINGS_TWO));
  printf("   (strings that share nothing %.2f x)\n", ratio(r, PARTS_ONE, PARTS_TWO));
  printf("a scene at rest against it sounding      %8.2f %%\n",
         100.0 * w[RESTING].best / w[SOUNDING].best);
  printf("ledger on against off                    %8.2f x\n", ratio(r, SMALL_LEDGER, SMALL));
}

// ---------------------------------------------------------------- the verb

static bool draw_curves(const char* folder, uint32_t rounds) {
  char path[4096], error[256];
  if (snprintf(path, sizeof path, "%s/scaling.svg", folder) >= (int)sizeof path) {
    return jw_tool_fail("bench: the folder's name is too long");
  }
  return jw_bench_curves(path, rounds, error) || jw_tool_fail("bench: %s", error);
}

typedef struct {
  bool json, quick;
  const char* svg;
} Options;

static const JwOption options[] = {
    {"--json", NULL, NULL, "figures as JSON", JW_OPTION_FLAG, offsetof(Options, json), 0, 0, NULL},
    {"--quick", NULL, NULL, "a fifth of the rounds", JW_OPTION_FLAG, offsetof(Options, quick), 0, 0,
     NULL},
    {"--svg", NULL, "DIR", "also draw how cost grows, into DIR/scaling.svg", JW_OPTION_TEXT,
     offsetof(Options, svg), 0, 0, NULL},
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

static int run(int argc, char** argv) {
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
  prepare_kernels(report.work);
  prepare_scenes(report.work);
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
    .about =
        "Times kernels and whole scenes beside the same physics in plain C, in turns, and keeps the least of "
        "many runs. Cycles are those of the core, from a chain of dependent additions in the same run.",
    .examples = "jawari bench # the table\n"
                "jawari bench --json --svg . # for a machine to read, and curves of cost\n",
    .options = options,
    .run = run,
};
