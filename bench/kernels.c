// SPDX-License-Identifier: MIT
// The loops by themselves, without a world around them.

#include "bench.h"

#include "fused.h"
#include "kernel/lanes.h"

#include <jawari/base.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct JwBenchKernel {
  enum { STRING, PLATE, POWER } kind;
  JwStringKernel string;
  JwPlateKernel plate;
  const JwLanes* lanes;
  double p;
  uint32_t size, points;
  double *memory, *c0, *scratch;
  uint32_t turn;
};

#define STEPS 3000 // In a slice

static double* memory_for(uint32_t count) {
  const JwAllocator a = jw_allocator_default(); // Aligned for every register, and zero
  double* const memory = (double*)a.allocate(a.user, (size_t)count * sizeof(double));
  if (!memory) {
    abort();
  }
  return memory;
}

static const JwLanes* width(bool fused) {
  return fused ? jw_lanes_fused() : jw_lanes_best();
}

bool jw_bench_can_fuse(void) {
  return jw_lanes_fused() != NULL;
}

// Stable and all but without loss, so that the numbers stay ordinary ones.
JwBenchKernel* jw_bench_string(uint32_t n, bool fused) {
  JwBenchKernel* const k = (JwBenchKernel*)calloc(1, sizeof *k);
  k->kind = STRING;
  k->string = (JwStringKernel){.lanes = width(fused),
                               .n = n,
                               .c0 = 1.2 - 2e-6,
                               .c1 = 0.45 + 1e-6,
                               .c2 = -0.05,
                               .d0 = -1.0 + 2e-6,
                               .d1 = -1e-6}; // Some loss: without any, fewer operations would do
  k->string.fix[0].u00 = k->string.fix[1].u00 = 0.05; // Supported
  jw_string_prepare(&k->string);
  k->size = jw_string_size(n);
  k->points = n;
  k->memory = memory_for(3 * k->size);
  for (uint32_t l = 0; l < n; ++l) {
    k->memory[jw_string_offset(n, l)] = k->memory[k->size + jw_string_offset(n, l)] =
        1e-3 * sin(0.1 * l);
  }
  return k;
}

JwBenchKernel* jw_bench_plate(const uint32_t points[2], double ratio, bool fused) {
  JwBenchKernel* const k = (JwBenchKernel*)calloc(1, sizeof *k);
  const double beta = 0.02, r = ratio, s = 1.0 + r;
  const uint32_t nx = points[0], ny = points[1];
  k->kind = PLATE;
  k->c0 = (double*)calloc(ny, sizeof(double));
  JwPlateKernel plate = {
      .lanes = width(fused), .nx = nx, .ny = ny, .c0 = k->c0, .d0 = -1.0, .ratio = ratio};
  plate.cx2 = -beta, plate.cy2 = -r * r * beta, plate.cd = -2.0 * r * beta;
  plate.cx1 = 4.0 * s * beta, plate.cy1 = r * plate.cx1;
  for (uint32_t y = 0; y < ny; ++y) {
    k->c0[y] = 2.0 - 6.0 * beta * (1.0 + r * r) - 8.0 * r * beta
               + (y == 0 || y == ny - 1 ? r * r * beta : 0.0);
  }
  plate.left = plate.right = beta; // Supported
  jw_plate_prepare(&plate, false);
  k->plate = plate;
  k->size = jw_plate_size(nx, ny);
  k->points = nx * ny;
  k->plate.scratch = k->scratch = memory_for(jw_plate_scratch(nx, ny));
  k->memory = memory_for(3 * k->size);
  for (uint32_t y = 0; y < ny; ++y) {
    for (uint32_t x = 0; x < nx; ++x) {
      const uint32_t at = jw_plate_offset(nx, ny, x, y);
      k->memory[at] = k->memory[k->size + at] = 1e-3 * sin(0.1 * x) * sin(0.2 * y);
    }
  }
  return k;
}

JwBenchKernel* jw_bench_power(uint32_t count, double p) {
  JwBenchKernel* const k = (JwBenchKernel*)calloc(1, sizeof *k);
  k->kind = POWER;
  k->lanes = jw_lanes_best();
  k->p = p;
  k->points = count;
  k->memory = memory_for(2 * count);
  for (uint32_t i = 0; i < count; ++i) {
    k->memory[i] = exp(-20.0 * (i + 1) / count);
  }
  return k;
}

// A power takes as long as many points of a string.
static uint32_t steps_of(const JwBenchKernel* k) {
  return k->kind == POWER ? STEPS / 30 : k->kind == PLATE ? STEPS / 10 : STEPS;
}

double jw_bench_kernel_units(const JwBenchKernel* k) {
  return (double)k->points * steps_of(k);
}

void jw_bench_kernel_slice(void* kernel) {
  JwBenchKernel* const k = (JwBenchKernel*)kernel;
  for (uint32_t i = 0, steps = steps_of(k); i < steps; ++i, ++k->turn) {
    double* const u = k->memory + (k->turn + 1) % 3 * k->size;
    double* const prev = k->memory + k->turn % 3 * k->size;
    double* const next = k->memory + (k->turn + 2) % 3 * k->size;
    switch (k->kind) {
    case STRING: jw_string_advance(&k->string, next, u, prev); break;
    case PLATE: jw_plate_advance(&k->plate, next, u, prev); break;
    case POWER: k->lanes->power(k->points, k->memory, k->p, k->memory + k->points); break;
    }
  }
}

void jw_bench_kernel_free(JwBenchKernel* k) {
  const JwAllocator a = jw_allocator_default();
  double* const owned[3] = {k->memory, k->c0, k->scratch};
  for (int i = 0; i < 3; ++i) {
    if (owned[i]) {
      a.release(a.user, owned[i]);
    }
  }
  free(k);
}

double jw_bench_power_error(void) {
  const JwLanes* const lanes = jw_lanes_best();
  uint64_t seed = 1;
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    double x[256], y[256];
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const double p = -1.0 + 7.0 * (double)(seed >> 11) * 0x1p-53;
    for (int j = 0; j < 256; ++j) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      const double least = p > 2.9 ? -50.0 : -100.0; // Results stay in the doubles
      x[j] = pow(10.0, least + (6.0 - least) * (double)(seed >> 11) * 0x1p-53);
    }
    lanes->power(256, x, p, y);
    for (int j = 0; j < 256; ++j) {
      const long double exact = powl((long double)x[j], (long double)p);
      const double error = (double)fabsl(((long double)y[j] - exact) / exact);
      worst = error > worst ? error : worst;
    }
  }
  return worst;
}
