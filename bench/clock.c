// SPDX-License-Identifier: MIT
// Time, cycles, and what the core can do at most.

#include "bench.h"

#include <stddef.h>
#include <time.h>

double jw_bench_clock(bool wall) {
  struct timespec t;
  clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Each addition waits for the one before it, and takes one cycle on every core of today.
#define CHAIN 16
#define CHAINS 1000

double jw_bench_cycle(void) {
  double best = 1e9;
  for (int rep = 0; rep < 20; ++rep) {
    uint64_t x = (uint64_t)rep;
    const double start = jw_bench_clock(true);
    for (int i = 0; i < CHAINS; ++i) {
      for (int j = 0; j < CHAIN; ++j) {
        x += 1;
        __asm__ volatile("" : "+r"(x)); // Keeps the additions apart
      }
    }
    const double took = (jw_bench_clock(true) - start) / (CHAIN * CHAINS);
    best = took < best ? took : best;
  }
  return best;
}

static void time_slice(JwBenchWork* work, double* took) {
  const double computed = jw_bench_clock(false), start = jw_bench_clock(true);
  work->slice(work->data);
  const double wall = jw_bench_clock(true) - start, own = jw_bench_clock(false) - computed;
  double* const best = own >= 0.99 * wall ? &work->best : &work->rough;
  const double one = (own < wall ? own : wall) / work->units;
  *best = one < *best ? one : *best;
  *took += own;
}

#define LEAST_TURN 5e5 // Nanoseconds that a piece gets when it is its turn, or 100 slices
#define LONG_TURN                                                                                  \
  2e7 // One that times itself: what it waits for, two cores that are both free, is rarer

double jw_bench_run(JwBenchWork* works, uint32_t count, uint32_t rounds) {
  double cycle = jw_bench_cycle();
  for (uint32_t i = 0; i < count; ++i) {
    works[i].slice(works[i].data); // Warm
    works[i].best = works[i].rough = 1e18;
  }
  for (uint32_t round = 0; round < rounds; ++round) {
    for (uint32_t i = 0; i < count; ++i) {
      double took = 0.0; // Short slices many times: an interruption spoils one of them only
      for (uint32_t turn = 0; turn < 100 && took < (works[i].least ? LONG_TURN : LEAST_TURN);
           ++turn) {
        time_slice(&works[i], &took);
      }
    }
    const double now = jw_bench_cycle();
    cycle = now < cycle ? now : cycle;
  }
  for (uint32_t i = 0; i < count; ++i) {
    works[i].best = works[i].least         ? works[i].least(works[i].data) / works[i].units
                    : works[i].best < 1e18 ? works[i].best
                                           : works[i].rough;
  }
  return cycle;
}

// ---------------------------------------------------------------- roof

#if defined(__x86_64__)

#define EIGHT(op) op(0) op(1) op(2) op(3) op(4) op(5) op(6) op(7)
#define TEN(op)                                                                                    \
  EIGHT(op) op(8) op(9) // An addition onto a register waits for it: four cycles, two a cycle
#define ADD(d) "vaddpd %%ymm14, %%ymm15, %%ymm" #d "\n"
#define MULTIPLY(d) "vmulpd %%ymm14, %%ymm15, %%ymm" #d "\n"
#define FMA(d) "vfmadd231pd %%ymm14, %%ymm15, %%ymm" #d "\n"
#define LOAD(d) "vmovapd 32*" #d "(%0), %%ymm" #d "\n"
#define STORE(d) "vmovapd %%ymm15, 32*" #d "(%0)\n"
#define CLOBBERS                                                                                   \
  "ymm0", "ymm1", "ymm2", "ymm3", "ymm4", "ymm5", "ymm6", "ymm7", "ymm8", "ymm9", "ymm14",         \
      "ymm15", "memory"

#define RATE(name, ops)                                                                            \
  static void name(double* p) {                                                                    \
    __asm__ volatile("vxorpd %%ymm15, %%ymm15, %%ymm15\n"                                          \
                     "vxorpd %%ymm14, %%ymm14, %%ymm14\n" ::                                       \
                         : "ymm14", "ymm15");                                                      \
    for (int i = 0; i < 800; ++i) {                                                                \
      __asm__ volatile(ops ops ops ops::"r"(p) : CLOBBERS);                                        \
    }                                                                                              \
  }
RATE(adds, EIGHT(ADD))
RATE(multiplications, EIGHT(MULTIPLY))
RATE(fmas, TEN(FMA))
RATE(loads, EIGHT(LOAD))
RATE(stores, EIGHT(STORE))

static double rate(void (*work)(double*), uint32_t each, double cycle) {
  static _Alignas(64) double memory[64];
  double best = 1e18;
  for (int rep = 0; rep < 1000; ++rep) {
    const double start = jw_bench_clock(true);
    work(memory);
    const double took = jw_bench_clock(true) - start;
    best = took < best ? took : best;
  }
  return 800.0 * 4.0 * each * cycle / best;
}

JwBenchRoof jw_bench_roof(double cycle) {
  JwBenchRoof roof = {0};
  if (__builtin_cpu_supports("avx2")) {
    roof.add = rate(adds, 8, cycle);
    roof.multiply = rate(multiplications, 8, cycle);
    roof.load = rate(loads, 8, cycle);
    roof.store = rate(stores, 8, cycle);
  }
  if (__builtin_cpu_supports("fma")) {
    roof.fma = rate(fmas, 10, cycle);
  }
  return roof;
}

#else

JwBenchRoof jw_bench_roof(double cycle) {
  (void)cycle;
  const JwBenchRoof roof = {0};
  return roof;
}

#endif
