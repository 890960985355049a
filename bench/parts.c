// SPDX-License-Identifier: MIT
// What threads gain at best: short strings that share nothing, all on one thread or shared by a
// pool.
//
// A machine's second core is not always a whole one: other programs, another guest of the same host
// or the other half of a core slow both, for seconds, and then no program on it is twice as fast on
// two threads.  So the ratio that a world reaches is read beside this one, of the same run.

#include "bench.h"

#include "base/pool.h"

#include <stdlib.h>

#define STRINGS 44 // Some 700 microseconds on one thread, as a block of the strings with barriers

struct JwBenchParts {
  JwBenchKernel* strings[STRINGS];
  JwPool* pool; // NULL: one thread
  double least; // Nanoseconds
};

static void part(void* data, uint32_t i) {
  jw_bench_kernel_slice(((const JwBenchParts*)data)->strings[i]);
}

JwBenchParts* jw_bench_parts(uint32_t threads) {
  JwBenchParts* const parts = (JwBenchParts*)calloc(1, sizeof *parts);
  for (int i = 0; i < STRINGS; ++i) {
    parts->strings[i] = jw_bench_string(8, false);
  }
  parts->least = 1e18;
  if (threads > 1) {
    parts->pool = (JwPool*)calloc(1, jw_pool_size());
    jw_pool_start(parts->pool, threads);
  }
  return parts;
}

void jw_bench_parts_slice(void* data) {
  JwBenchParts* const parts = (JwBenchParts*)data;
  for (int go = 0; go < 8; ++go) { // Threads that have slept are awake by the second
    const double start = jw_bench_clock(true);
    if (parts->pool) {
      jw_pool_run(parts->pool, part, parts, STRINGS);
    } else {
      for (uint32_t i = 0; i < STRINGS; ++i) {
        part(parts, i);
      }
    }
    const double took = jw_bench_clock(true) - start;
    parts->least = took < parts->least ? took : parts->least;
  }
}

double jw_bench_parts_least(void* data) {
  return ((const JwBenchParts*)data)->least;
}

void jw_bench_parts_free(JwBenchParts* parts) {
  if (parts->pool) {
    jw_pool_stop(parts->pool);
    free(parts->pool);
  }
  for (int i = 0; i < STRINGS; ++i) {
    jw_bench_kernel_free(parts->strings[i]);
  }
  free(parts);
}
