// SPDX-License-Identifier: MIT
// bench.h: what `jawari bench` measures, and how.
//
// A timing on a shared machine is the work plus whatever else ran.  So every piece of work is cut
// into short slices that do the same each time, slices of all pieces take turns, and the least of
// many counts. A slice in which the system ran something else, where this thread computed for less
// time than went by, counts only if there is no other: the clock of computing has been seen to lose
// half of 20 microseconds on an interruption. Cycles are those of the core: nanoseconds divided by
// the duration of one dependent addition, measured in the same run, since the time stamp counter of
// a processor keeps another pace.
#ifndef JAWARI_BENCH_H
#define JAWARI_BENCH_H

#include <stdbool.h>
#include <stdint.h>

/// A piece of work.  `slice` does it once; `units` of it (points, samples, values) are in a slice.
typedef struct JwBenchWork {
  const char* name;
  void (*slice)(void* data);
  void* data;
  double units;
  double best;  ///< Nanoseconds a unit, least so far
  double rough; ///< The same of slices that were interrupted, by the time that this thread computed
  double (*least)(
      void* data); ///< If the work times its parts itself: the sum of their least, nanoseconds
} JwBenchWork;

/// Nanoseconds, from some start: on the wall, or of this thread's computing.
double jw_bench_clock(bool wall);

/// Nanoseconds of one cycle: the least of many chains of dependent additions.
double jw_bench_cycle(void);

/// Let all pieces take turns, `rounds` times; returns the nanoseconds of a cycle.
double jw_bench_run(JwBenchWork* works, uint32_t count, uint32_t rounds);

/// What the core can do in a cycle, with registers of four doubles.
typedef struct {
  double add, multiply, fma, load,
      store; ///< Registers a cycle; 0: not measured on this architecture
} JwBenchRoof;
JwBenchRoof jw_bench_roof(double cycle);

// ---------------------------------------------------------------- kernels (kernels.c)

typedef struct JwBenchKernel JwBenchKernel;
/// `fused`: with fused operations, if the machine can.
bool jw_bench_can_fuse(void);
JwBenchKernel* jw_bench_string(uint32_t n, bool fused);
JwBenchKernel* jw_bench_plate(const uint32_t points[2], double ratio, bool fused);
JwBenchKernel* jw_bench_power(uint32_t count, double p);
void jw_bench_kernel_slice(void* kernel);
double jw_bench_kernel_units(const JwBenchKernel* kernel);
void jw_bench_kernel_free(JwBenchKernel* kernel);

/// Largest relative error of the vectorised power against powl over wide random arguments.
double jw_bench_power_error(void);

// ---------------------------------------------------------------- threads (parts.c)

/// Strings that share nothing, by as many threads; times itself.
typedef struct JwBenchParts JwBenchParts;
JwBenchParts* jw_bench_parts(uint32_t threads);
void jw_bench_parts_slice(void* parts);
double jw_bench_parts_least(void* parts);
void jw_bench_parts_free(JwBenchParts* parts);

// ---------------------------------------------------------------- worlds (worlds.c)

/// A world that starts anew and runs `frames` frames in each slice.
typedef struct JwBenchWorld JwBenchWorld;

/// With the ledger; with the rules of the papers, hearing displacement.
enum { JW_BENCH_LEDGER = 1, JW_BENCH_PUBLISHED = 2 };

JwBenchWorld* jw_bench_barrier(uint32_t frames,
                               uint32_t how); ///< String over a bent barrier, 521 points
JwBenchWorld* jw_bench_tromba(const uint32_t points[3], uint32_t frames,
                              uint32_t how);    ///< String, plate x, y
JwBenchWorld* jw_bench_played(uint32_t frames); ///< The instrument, bowed and rattling, at 48 kHz
JwBenchWorld* jw_bench_piano(uint32_t frames);  ///< All 88 keys of it struck and held, at 48 kHz
JwBenchWorld* jw_bench_impact(bool pressed, uint32_t frames); ///< Mass on ten modes
JwBenchWorld* jw_bench_strings(uint32_t count, uint32_t threads,
                               uint32_t frames); ///< Times its blocks itself
JwBenchWorld* jw_bench_rest(bool sounding,
                            uint32_t frames); ///< A string with a barrier, struck or not
JwBenchWorld* jw_bench_contacts(uint32_t count,
                                uint32_t frames); ///< Masses lying on modes of their own
JwBenchWorld* jw_bench_block(uint32_t block, uint32_t frames); ///< Small tromba in blocks of a size
/// What the pickup hears from the beginning; frames must be whole blocks of 64.
void jw_bench_world_listen(JwBenchWorld* world, double* out);
void jw_bench_world_slice(void* world);
double jw_bench_world_least(void* world);
void jw_bench_world_free(JwBenchWorld* world);

// ---------------------------------------------------------------- how cost grows (curves.c)

/// Draw it into `path`; on failure `error`, of 256 bytes, says why.
bool jw_bench_curves(const char* path, uint32_t rounds, char* error);

// ---------------------------------------------------------------- plain C (naive.c)

/// The published schemes as printed: points in order, libm, every point every time.
typedef struct JwNaive JwNaive;
JwNaive* jw_naive_barrier(uint32_t frames, bool ask); ///< `ask`: no power where nothing touches
JwNaive* jw_naive_tromba(const uint32_t points[3], uint32_t frames);
JwNaive* jw_naive_string(uint32_t n);
JwNaive* jw_naive_plate(uint32_t nx, uint32_t ny);
void jw_naive_run(JwNaive* naive, double* out); ///< `out`: a displacement a step, or NULL
void jw_naive_slice(void* naive);
double jw_naive_stored(const JwNaive* naive); ///< In collisions, after a run: above 0 if any closed
double jw_naive_units(const JwNaive* naive);
void jw_naive_free(JwNaive* naive);

#endif // JAWARI_BENCH_H
