// SPDX-License-Identifier: MIT
// Every width against the definition, bit by bit; the definition against the plain stencils.

#include "test.h"

#include "kernel/lanes.h"
#include "numeric/power.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// The next of a fixed sequence, uniform in [-1, 1).
static double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static uint32_t integer(uint64_t* seed, uint32_t low, uint32_t high) {
  return low + (uint32_t)((uniform(seed) * 0.5 + 0.5) * (high - low + 1));
}

static double* take(size_t count) {
  const JwAllocator a = jw_allocator_default(); // Aligned for every register, and zero
  double* const memory = (double*)a.allocate(a.user, count * sizeof(double));
  assert_non_null(memory);
  return memory;
}

static void give_back(void* memory) {
  const JwAllocator a = jw_allocator_default();
  a.release(a.user, memory);
}

/// The implementations of this machine; `scalar` is the definition.
static uint32_t widths(const JwLanes* found[3]) {
  static const char* const names[] = {"scalar", "base", "avx2"};
  uint32_t count = 0;
  for (int i = 0; i < 3; ++i) {
    const JwLanes* const lanes = jw_lanes_named(names[i]);
    if (lanes) {
      found[count++] = lanes;
    }
  }
  assert_true(count >= 1);
  return count;
}

// ---------------------------------------------------------------- strings

static JwStringKernel random_string(uint64_t* seed) {
  JwStringKernel k = {.n = integer(seed, 3, 600)};
  k.c0 = uniform(seed), k.c1 = uniform(seed), k.c2 = 0.1 * uniform(seed);
  k.d0 = uniform(seed), k.d1 = 0.1 * uniform(seed);
  if (uniform(seed) > 0.5) { // Without loss
    k.d0 = -1.0, k.d1 = 0.0;
  }
  for (int end = 0; end < 2; ++end) {
    if (uniform(seed) > 0.0) {
      JwEndFix* const f = &k.fix[end];
      *f = (JwEndFix){uniform(seed), uniform(seed), uniform(seed), uniform(seed),
                      uniform(seed), uniform(seed), uniform(seed)};
    }
  }
  return k;
}

static void random_line(uint64_t* seed, uint32_t n, double* u) {
  for (uint32_t l = 0; l < n; ++l) {
    u[jw_string_offset(n, l)] = uniform(seed);
  }
}

static void string_offsets_are_all_different_and_inside(void** state) {
  (void)state;
  for (uint32_t n = 3; n < 100; ++n) {
    double* const seen = take(jw_string_size(n));
    for (uint32_t l = 0; l < n; ++l) {
      assert_true(jw_string_offset(n, l) < jw_string_size(n));
      assert_true(seen[jw_string_offset(n, l)] == 0.0);
      seen[jw_string_offset(n, l)] = 1.0;
    }
    give_back(seen);
  }
}

static void every_width_moves_a_string_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 1;
  for (int trial = 0; trial < 400; ++trial) {
    JwStringKernel k = random_string(&seed);
    k.n = trial < 60 ? 3 + (uint32_t)trial : k.n;
    jw_string_prepare(&k);
    const size_t size = jw_string_size(k.n);
    double* const u = take(size);
    double* const p = take(size);
    double* const next[2] = {take(size), take(size)};
    random_line(&seed, k.n, u);
    random_line(&seed, k.n, p);
    for (uint32_t i = 0; i < count; ++i) {
      double* const out = next[i > 0];
      for (uint32_t l = 0; l < k.n; ++l) { // Every point must be written, and nothing else
        next[1][jw_string_offset(k.n, l)] = 0.7;
      }
      k.lanes = lanes[i];
      jw_string_advance(&k, out, u, p);
      assert_memory_equal(out, next[0], size * sizeof(double));
    }
    give_back(u), give_back(p), give_back(next[0]), give_back(next[1]);
  }
}

// A bar beyond u everywhere but, in every other trial, at one point.
static void every_width_sees_a_point_beyond_the_bar(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 5;
  for (int trial = 0; trial < 1200; ++trial) {
    JwStringKernel k = random_string(&seed);
    k.n = trial < 300 ? 3 + (uint32_t)trial / 4 : k.n;
    jw_string_prepare(&k);
    const size_t size = jw_string_size(k.n);
    double *const u = take(size), *const p = take(size), *const next = take(size),
                  *const bar = take(size);
    bool beyond;
    k.bar = bar, k.beyond = &beyond, k.upwards = trial & 2;
    random_line(&seed, k.n, u);
    for (size_t i = 0; i < size; ++i) {
      bar[i] = u[i]; // As far as it may go
    }
    if (trial & 1) {
      const uint32_t at = jw_string_offset(k.n, integer(&seed, 0, k.n - 1));
      bar[at] = u[at] + (k.upwards ? -1e-9 : 1e-9);
    }
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t found[604];
      k.lanes = lanes[i];
      jw_string_advance(&k, next, u, p);
      assert_int_equal(beyond, trial & 1);
      assert_int_equal(lanes[i]->over((uint32_t)size, k.upwards ? 1.0 : -1.0, u, bar, found),
                       trial & 1);
    }
    give_back(u), give_back(p), give_back(next), give_back(bar);
  }
}

// The five-point stencil written out, zeros beyond the ends, and the corrections as given.
static double plain_string(const JwStringKernel* k, const double* u, const double* p, int l) {
  const int n = (int)k->n;
  double v[5], q[5];
  for (int i = -2; i <= 2; ++i) {
    const bool in = l + i >= 0 && l + i < n;
    v[i + 2] = in ? u[jw_string_offset(k->n, (uint32_t)(l + i))] : 0.0;
    q[i + 2] = in ? p[jw_string_offset(k->n, (uint32_t)(l + i))] : 0.0;
  }
  double next = k->c0 * v[2] + k->c1 * (v[1] + v[3]) + k->c2 * (v[0] + v[4]) + k->d0 * q[2]
                + k->d1 * (q[1] + q[3]);
  for (int end = 0; end < 2; ++end) {
    const JwEndFix* const f = &k->fix[end];
    const int at = end ? n - 1 - l : l, s = end ? -1 : 1;
    if (at == 0) {
      next += f->u00 * v[2] + f->u01 * v[2 + s] + f->u02 * v[2 + 2 * s] + f->p00 * q[2]
              + f->p01 * q[2 + s];
    } else if (at == 1) {
      next += f->u10 * v[2 - s] + f->u11 * v[2];
    }
  }
  return next;
}

// At most 20 terms of size 1 or less with coefficients of at most 1.2, each rounded once when
// multiplied and at most 12 times when summed: 20 * 1.2 * 13 * 2^-53 = 3.5e-14.
#define STENCIL_BOUND 3.5e-14

static void the_string_kernel_is_the_five_point_stencil(void** state) {
  (void)state;
  uint64_t seed = 2;
  for (int trial = 0; trial < 200; ++trial) {
    const JwStringKernel given = random_string(&seed);
    JwStringKernel k = given;
    k.lanes = jw_lanes_best();
    jw_string_prepare(&k);
    double* const u = take(jw_string_size(k.n));
    double* const p = take(jw_string_size(k.n));
    double* const next = take(jw_string_size(k.n));
    random_line(&seed, k.n, u);
    random_line(&seed, k.n, p);
    jw_string_advance(&k, next, u, p);
    for (uint32_t l = 0; l < k.n; ++l) {
      const double error = next[jw_string_offset(k.n, l)] - plain_string(&given, u, p, (int)l);
      assert_true(fabs(error) < STENCIL_BOUND);
    }
    give_back(u), give_back(p), give_back(next);
  }
}

// ---------------------------------------------------------------- plates

#define SCRATCH (7 * 4 * 128)
#define GUARD 4 // Doubles on either side: a row

typedef struct {
  JwPlateKernel k;
  double c0[128];
  double memory[GUARD + SCRATCH + GUARD] __attribute__((aligned(32)));
} Plate;

static const double ratios[4] = {0.0, 0.83, 1.0, 3.7};

/// `ratio` of the y to the x coefficients, or 0 for unrelated ones.  One in three of the others has
/// centres of its own in every row, the rest supported edges along y: returned is whether it has.
static bool random_plate(uint64_t* seed, double ratio, Plate* plate) {
  JwPlateKernel* const k = &plate->k;
  memset(plate, 0, sizeof *plate);
  k->nx = integer(seed, 2, 90), k->ny = integer(seed, 1, 30);
  if (uniform(seed) > 0.0) {
    const uint32_t swapped = k->nx;
    k->nx = k->ny + 1, k->ny = swapped;
  }
  k->cx1 = uniform(seed), k->cx2 = 0.1 * uniform(seed), k->dx = 0.1 * uniform(seed),
  k->d0 = uniform(seed);
  k->ratio = ratio > 0.0 ? ratio : 0.5;
  k->cy1 = ratio > 0.0 ? ratio * k->cx1 : uniform(seed);
  k->cy2 = ratio > 0.0 ? ratio * ratio * k->cx2 : 0.1 * uniform(seed);
  k->cd = ratio > 0.0 ? 2.0 * ratio * k->cx2 : 0.1 * uniform(seed);
  k->dy = ratio > 0.0 ? ratio * k->dx : 0.1 * uniform(seed);
  const double inner = uniform(seed);
  const bool own = uniform(seed) > 1.0 / 3.0;
  for (uint32_t y = 0; y < k->ny; ++y) {
    plate->c0[y] = own ? uniform(seed) : inner - ((y == 0) + (y + 1 == k->ny)) * k->cy2;
  }
  k->left = uniform(seed) > 0.0 ? uniform(seed) : -k->cx2;
  k->right = uniform(seed) > 0.0 ? uniform(seed) : -k->cx2;
  return own;
}

static void random_field(uint64_t* seed, const JwPlateKernel* k, double* u) {
  for (uint32_t y = 0; y < k->ny; ++y) {
    for (uint32_t x = 0; x < k->nx; ++x) {
      u[jw_plate_offset(k->nx, k->ny, x, y)] = uniform(seed);
    }
  }
}

/// A copy has its own memory; what lies around its scratch is marked.
static void own_memory(Plate* plate) {
  const size_t scratch = jw_plate_scratch(plate->k.nx, plate->k.ny);
  assert_true(scratch <= SCRATCH);
  plate->k.c0 = plate->c0;
  plate->k.scratch = plate->memory + GUARD;
  for (size_t i = 0; i < GUARD; ++i) {
    plate->memory[i] = plate->memory[GUARD + scratch + i] = 0.7;
  }
}

static void assert_kept_inside(const Plate* plate) {
  const double* const end = plate->k.scratch + jw_plate_scratch(plate->k.nx, plate->k.ny);
  for (size_t i = 0; i < GUARD; ++i) {
    assert_true(plate->memory[i] == 0.7 && end[i] == 0.7);
  }
}

static void plate_offsets_are_all_different_and_inside(void** state) {
  (void)state;
  for (uint32_t nx = 2; nx < 40; ++nx) {
    for (uint32_t ny = 1; ny < 40; ++ny) {
      const uint32_t size = jw_plate_size(nx, ny);
      double* const seen = take(size);
      for (uint32_t i = 0; i < nx * ny; ++i) {
        const uint32_t at = jw_plate_offset(nx, ny, i % nx, i / nx);
        assert_true(at < size);
        assert_true(seen[at] == 0.0);
        seen[at] = 1.0;
      }
      give_back(seen);
    }
  }
}

static void fill_points(const JwPlateKernel* k, double* u, double value) {
  for (uint32_t i = 0; i < k->nx * k->ny; ++i) {
    u[jw_plate_offset(k->nx, k->ny, i % k->nx, i / k->nx)] = value;
  }
}

static void every_width_moves_a_plate_to_the_same_bits(void** state) {
  (void)state;
  int kinds[2][3][2] = {{{0}}};
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 3;
  for (int trial = 0; trial < 600; ++trial) {
    Plate plate;
    const double ratio = ratios[trial % 4];
    const bool factors = !random_plate(&seed, ratio, &plate) && ratio > 0.0 && trial % 9 != 2;
    own_memory(&plate);
    JwPlateKernel* const k = &plate.k;
    jw_plate_prepare(k, trial % 9 == 2);
    assert_true(k->ny < 3 || (k->ratio > 0.0) == factors);
    assert_true(ratio != 1.0 || k->ratio == 0.0 || k->ratio == 1.0);
    const JwFold fold = k->fold;
    ++kinds[fold.axis][k->ratio == 0.0 ? 0 : k->ratio == 1.0 ? 1 : 2][fold.count < 4 * fold.lines];
    const size_t size = jw_plate_size(k->nx, k->ny);
    double* const u = take(size);
    double* const p = take(size);
    double* const next[2] = {take(size), take(size)};
    random_field(&seed, k, u);
    random_field(&seed, k, p);
    for (uint32_t i = 0; i < count; ++i) {
      k->lanes = lanes[i];
      fill_points(k, next[1], 0.7); // Every point must be written, and nothing else
      jw_plate_advance(k, next[i > 0], u, p);
      assert_memory_equal(next[i > 0], next[0], size * sizeof(double));
      assert_kept_inside(&plate);
    }
    give_back(u), give_back(p), give_back(next[0]), give_back(next[1]);
  }
  for (int i = 0; i < 12; ++i) { // Along both axes, in every form, with lanes filled or not
    assert_true(kinds[i / 6][i / 2 % 3][i % 2] > 3);
  }
}

// Coefficients grow by the ratio, 3.7 at most, and its square: 16 times the bound of a string.  The
// factored form may take a ratio 50 * 2^-52 off, 1.1e-14: the y coefficients, at most 2 (3.7 + 0.1
// 3.7) + 4 (0.2 3.7) + 4 (0.1 13.7) = 17 together, and the centre, which makes up for them, are off
// by as much.
#define PLATE_BOUND (16.0 * STENCIL_BOUND + 2.0 * 17.0 * 1.1e-14)

static double plain_plate(const JwPlateKernel* k, const double* u, const double* p, uint32_t x,
                          uint32_t y) {
  double v[5][5] = {{0}}, q[5][5] = {{0}};
  for (int j = -2; j <= 2; ++j) {
    for (int i = -2; i <= 2; ++i) {
      const uint32_t a = x + (uint32_t)i, b = y + (uint32_t)j;
      if (a < k->nx && b < k->ny) {
        v[j + 2][i + 2] = u[jw_plate_offset(k->nx, k->ny, a, b)];
        q[j + 2][i + 2] = p[jw_plate_offset(k->nx, k->ny, a, b)];
      }
    }
  }
  double next = k->c0[y] * v[2][2] + k->cx1 * (v[2][1] + v[2][3]) + k->cy1 * (v[1][2] + v[3][2])
                + k->cd * (v[1][1] + v[1][3] + v[3][1] + v[3][3]) + k->cx2 * (v[2][0] + v[2][4])
                + k->cy2 * (v[0][2] + v[4][2]) + k->d0 * q[2][2] + k->dx * (q[2][1] + q[2][3])
                + k->dy * (q[1][2] + q[3][2]);
  next += x == 0 ? k->left * v[2][2] : 0.0;
  return next + (x == k->nx - 1 ? k->right * v[2][2] : 0.0);
}

static void the_plate_kernel_is_the_thirteen_point_stencil(void** state) {
  (void)state;
  uint64_t seed = 4;
  for (int trial = 0; trial < 300; ++trial) {
    Plate given, plate;
    random_plate(&seed, ratios[trial % 4], &given);
    plate = given;
    own_memory(&given);
    own_memory(&plate);
    JwPlateKernel* const k = &plate.k;
    k->lanes = jw_lanes_best();
    jw_plate_prepare(k, false);
    const size_t size = jw_plate_size(k->nx, k->ny);
    double* const u = take(size);
    double* const p = take(size);
    double* const next = take(size);
    random_field(&seed, k, u);
    random_field(&seed, k, p);
    jw_plate_advance(k, next, u, p);
    for (uint32_t y = 0; y < k->ny; ++y) {
      for (uint32_t x = 0; x < k->nx; ++x) {
        const double error =
            next[jw_plate_offset(k->nx, k->ny, x, y)] - plain_plate(&given.k, u, p, x, y);
        assert_true(fabs(error) < PLATE_BOUND);
      }
    }
    give_back(u), give_back(p), give_back(next);
  }
}

// ---------------------------------------------------------------- modes and powers

static void modes_dots_and_sums_are_as_defined(void** state) {
  (void)state;
  uint64_t seed = 5;
  double a[37], b[37], u[37], p[37], next[37];
  for (uint32_t n = 1; n <= 37; ++n) {
    for (uint32_t i = 0; i < n; ++i) {
      a[i] = uniform(&seed), b[i] = uniform(&seed), u[i] = uniform(&seed), p[i] = uniform(&seed);
    }
    double s[4] = {0};
    for (uint32_t i = 0; i < n; ++i) {
      s[i % 4] += a[i] * u[i];
    }
    assert_true(jw_dot(n, a, u) == (s[0] + s[1]) + (s[2] + s[3]));
    jw_modes_advance(n, a, b, next, u, p);
    for (uint32_t i = 0; i < n; ++i) {
      assert_true(next[i] == u[i] + (a[i] * (u[i] - p[i]) - b[i] * u[i]));
    }
    double t[4] = {0};
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t part = i < n / 4 * 4 ? i % 4 : 0;
      t[part] += (u[i] - p[i]) * (u[i] - p[i]);
    }
    assert_true(jw_distance(n, u, p) == (t[0] + t[1]) + (t[2] + t[3]));
    jw_axpy(n, b, 0.7, next);
    for (uint32_t i = 0; i < n; ++i) {
      assert_true(next[i] == (u[i] + (a[i] * (u[i] - p[i]) - b[i] * u[i])) + b[i] * 0.7);
    }
  }
}

static void every_width_raises_to_a_power_with_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 6;
  double x[101], y[101];
  for (int trial = 0; trial < 500; ++trial) {
    const size_t n = integer(&seed, 0, 101);
    const double p = -1.0 + 7.0 * uniform(&seed);
    for (size_t i = 0; i < n; ++i) {
      x[i] = ldexp(1.0 + uniform(&seed), (int)(400.0 * uniform(&seed)) - 200);
    }
    for (uint32_t w = 0; w < count; ++w) {
      lanes[w]->power(n, x, p, y);
      for (size_t i = 0; i < n; ++i) {
        const double one = jw_power(x[i], p);
        assert_memory_equal(&one, &y[i], sizeof one);
      }
    }
  }
}

// Sums by turns, and against plain ones: rounding of 600 terms of size 1 leaves 1e-13.
static void every_width_sums_products_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 23;
  for (uint32_t trial = 0; trial < 200; ++trial) {
    const uint32_t size = 4 * integer(&seed, 1, 150),
                   stride = trial % 3 ? 4 * integer(&seed, 1, size / 4) : 0;
    double *const next = take(size), *const prev = take(size), *const v = take(size);
    double plain[3] = {0.0}, sums[3][3];
    for (uint32_t i = 0; i < size; ++i) {
      next[i] = uniform(&seed), prev[i] = uniform(&seed), v[i] = NAN;
    }
    for (uint32_t i = 0; i < size; ++i) {
      const double here = next[i] - prev[i];
      plain[0] += here * here;
      plain[1] += i < 4 ? 0.0 : here * (next[i - 4] - prev[i - 4]);
      plain[2] += !stride || i < stride ? 0.0 : here * (next[i - stride] - prev[i - stride]);
    }
    for (uint32_t i = 0; i < count; ++i) {
      lanes[i]->products(size, stride, next, prev, v, sums[i]);
      assert_memory_equal(sums[i], sums[0], sizeof sums[0]);
      for (int s = 0; s < 3; ++s) {
        assert_true(fabs(sums[i][s] - plain[s]) < 1e-13 * plain[0]);
      }
    }
    give_back(next), give_back(prev), give_back(v);
  }
}

// ---------------------------------------------------------------- what stretches

// Slope of interval i of n + 1, in a direction whose line begins at `first`.
static double plain_slope(uint32_t n, uint32_t i, double per_spacing, const double* u,
                          uint32_t first) {
  const double left = i ? u[first + jw_string_offset(n, i - 1)] : 0.0,
               right = i < n ? u[first + jw_string_offset(n, i)] : 0.0;
  return per_spacing * (right - left);
}

// Point by point: the sum of (w - 1)^2 and t before less t behind, of intervals from end to end.
static double plain_strain(uint32_t n, uint32_t directions, double per_spacing, const double* u,
                           double* out) {
  double sum = 0.0, before[2] = {0.0, 0.0};
  const uint32_t line = jw_string_size(n);
  for (uint32_t i = 0; i <= n; ++i) {
    double s[2] = {0.0, 0.0};
    for (uint32_t d = 0; d < directions; ++d) {
      s[d] = plain_slope(n, i, per_spacing, u, d * line);
    }
    const double w = sqrt(1.0 + s[0] * s[0] + s[1] * s[1]);
    sum += (w - 1.0) * (w - 1.0);
    for (uint32_t d = 0; d < directions; ++d) {
      const double t = s[d] * (1.0 - 1.0 / w);
      if (i > 0) {
        out[d * line + jw_string_offset(n, i - 1)] = before[d] - t;
      }
      before[d] = t;
    }
  }
  return sum;
}

static void every_width_stretches_a_string_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 77;
  for (int i = 0; i < 400; ++i) {
    const uint32_t n = integer(&seed, 3, 100), directions = 1 + i % 2, line = jw_string_size(n),
                   size = directions * line;
    double *const u = take(size), *const plain = take(size),
                  *const out[2] = {take(size), take(size)};
    random_line(&seed, n, u);
    random_line(&seed, n, u + (directions - 1) * line);
    const double exact = plain_strain(n, directions, 0.7, u, plain);
    double energy[2] = {0.0, 0.0};
    for (uint32_t j = 0; j < count; ++j) {
      const JwStringKernel k = {.lanes = lanes[j], .n = n};
      energy[j > 0] = jw_string_strain(&k, directions, 0.7, 3.0, u, out[j > 0]);
      assert_true(energy[j > 0] == energy[0]);
      assert_true(energy[0] == jw_string_strain(&k, directions, 0.7, 3.0, u, NULL));
      assert_memory_equal(out[j > 0], out[0], size * sizeof(double));
    }
    assert_true(fabs(energy[0] - exact) <= 1e-12 * exact);
    for (uint32_t l = 0; l < directions * n; ++l) {
      const uint32_t at = l / n * line + jw_string_offset(n, l % n);
      assert_true(fabs(out[0][at] - 3.0 * plain[at]) < 1e-14);
    }
    give_back(u), give_back(plain), give_back(out[0]), give_back(out[1]);
  }
}

static void every_width_multiplies_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 78;
  for (int i = 0; i < 200; ++i) {
    const uint32_t rows = integer(&seed, 0, 13), inner = integer(&seed, 0, 13),
                   columns = 4 * integer(&seed, 1, 5);
    const JwProduct size = {rows, inner, inner + integer(&seed, 0, 3), columns};
    double *const a = take(rows * size.stride + 1), *const b = take(inner * columns + 1),
                  *const c[2] = {take(rows * columns + 1), take(rows * columns + 1)};
    for (uint32_t j = 0; j < rows * size.stride; ++j) {
      a[j] = uniform(&seed);
    }
    for (uint32_t j = 0; j < inner * columns; ++j) {
      b[j] = uniform(&seed);
    }
    for (uint32_t j = 0; j < count; ++j) {
      jw_multiply(lanes[j], &size, a, b, c[j > 0]);
      assert_memory_equal(c[j > 0], c[0], rows * columns * sizeof(double));
    }
    for (uint32_t j = 0; j < rows * columns; ++j) {
      double sum = 0.0;
      for (uint32_t k = 0; k < inner; ++k) {
        sum += a[j / columns * size.stride + k] * b[k * columns + j % columns];
      }
      assert_true(c[0][j] == sum);
    }
    give_back(a), give_back(b), give_back(c[0]), give_back(c[1]);
  }
}

static void every_width_mirrors_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes), n = 12;
  uint64_t seed = 79;
  double *const first = take(4 * n), *const field[2] = {take(4 * n), take(4 * n)};
  for (uint32_t i = 0; i < 4 * n; ++i) {
    first[i] = uniform(&seed);
  }
  for (uint32_t j = 0; j < count; ++j) {
    memcpy(field[j > 0], first, 4 * n * sizeof(double));
    jw_mirror(lanes[j], n, field[j > 0]);
    assert_memory_equal(field[j > 0], field[0], 4 * n * sizeof(double));
  }
  for (uint32_t i = 0; i < n; ++i) {
    const double a = first[i], b = first[n + i], c = first[2 * n + i], d = first[3 * n + i];
    const double wanted[4] = {a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d};
    for (int q = 0; q < 4; ++q) {
      assert_true(fabs(field[0][(uint32_t)q * n + i] - wanted[q]) < 1e-15);
    }
  }
  give_back(first), give_back(field[0]), give_back(field[1]);
}

// ---------------------------------------------------------------- rows

enum { ROW_ARRAYS = 10, MOST_IN_ROW = 40 };

static JwRow row_in(double* const x[ROW_ARRAYS]) {
  return (JwRow){x[9], x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]};
}

// Foresee with a force of 0.3, then turn.
static void run_row(const JwLanes* lanes, uint32_t n, double turn, double* const x[ROW_ARRAYS],
                    double sums[4]) {
  const JwRow row = row_in(x);
  jw_row_foresee(lanes, n, 0.3, &row, sums);
  jw_row_weigh(lanes, n, 2.0, turn, &row, sums + 2);
}

// The same by the definition, number by number.
static void run_row_plainly(uint32_t n, double turn, double* const x[ROW_ARRAYS], double sums[4]) {
  const JwRow row = row_in(x);
  memset(sums, 0, 4 * sizeof(double));
  for (uint32_t i = 0; i < n; ++i) {
    const double u = row.next[i] - row.spread[i] * 0.3;
    row.motion[i] = u - row.prev[i];
    row.middle[i] = 0.5 * (u + row.now[i]);
    sums[0] += row.slope[i] * row.motion[i];
    sums[1] += row.inertia[i] * row.motion[i] * row.motion[i];
    row.g[i] = 2.0 * row.slope[i] + turn * (row.inertia[i] * row.motion[i]);
    row.spread[i] = row.g[i] * row.y[i];
    sums[2] += row.g[i] * row.spread[i];
    sums[3] += row.g[i] * (row.next[i] - row.prev[i]);
  }
}

// Whatever is left over beyond the last four.
static void every_width_foresees_and_weighs_a_row_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 80;
  double *first[ROW_ARRAYS], *here[ROW_ARRAYS], *plain[ROW_ARRAYS];
  for (int a = 0; a < ROW_ARRAYS; ++a) {
    first[a] = take(MOST_IN_ROW), here[a] = take(MOST_IN_ROW), plain[a] = take(MOST_IN_ROW);
  }
  for (uint32_t n = 1; n < MOST_IN_ROW; ++n) {
    const double turn = n % 2 ? 0.5 : 0.0;
    double sums[4], exact[4];
    for (int a = 0; a < ROW_ARRAYS; ++a) {
      for (uint32_t i = 0; i < n; ++i) {
        first[a][i] = uniform(&seed);
      }
      memcpy(plain[a], first[a], MOST_IN_ROW * sizeof(double));
    }
    run_row_plainly(n, turn, plain, exact);
    for (uint32_t j = 0; j < count; ++j) {
      for (int a = 0; a < ROW_ARRAYS; ++a) {
        memcpy(here[a], first[a], MOST_IN_ROW * sizeof(double));
      }
      double again[4];
      run_row(lanes[j], n, turn, here, j ? again : sums);
      assert_true(j == 0 || memcmp(again, sums, sizeof sums) == 0);
      for (int a = 0; a < ROW_ARRAYS; ++a) {
        assert_memory_equal(here[a], plain[a], n * sizeof(double));
      }
    }
    for (int s = 0; s < 4; ++s) {
      assert_true(fabs(sums[s] - exact[s]) < 1e-12);
    }
  }
  for (int a = 0; a < ROW_ARRAYS; ++a) {
    give_back(first[a]), give_back(here[a]), give_back(plain[a]);
  }
}

// u.K u and K u of a line, by the definition.
static void every_width_bends_a_string_to_the_same_bits(void** state) {
  (void)state;
  const JwLanes* lanes[3];
  const uint32_t count = widths(lanes);
  uint64_t seed = 81;
  for (int i = 0; i < 100; ++i) {
    const uint32_t n = integer(&seed, 3, 100), size = jw_string_size(n);
    double *const u = take(size), *const out[2] = {take(size), take(size)};
    random_line(&seed, n, u);
    double sum = 0.0, first = 0.0;
    for (uint32_t j = 0; j < count; ++j) {
      const JwStringKernel k = {.lanes = lanes[j], .n = n};
      const double all = jw_string_curvature(&k, 3.0, u, out[j > 0]);
      first = j ? first : all;
      assert_true(all == first);
      assert_memory_equal(out[j > 0], out[0], size * sizeof(double));
    }
    for (uint32_t l = 0; l < n; ++l) {
      const uint32_t at = jw_string_offset(n, l);
      const double left = l ? u[jw_string_offset(n, l - 1)] : 0.0,
                   right = l + 1 < n ? u[jw_string_offset(n, l + 1)] : 0.0;
      assert_true(fabs(out[0][at] - 3.0 * (2.0 * u[at] - left - right)) < 1e-14);
      sum += u[at] * out[0][at];
    }
    assert_true(fabs(sum - first) < 1e-12);
    give_back(u), give_back(out[0]), give_back(out[1]);
  }
}

static void unknown_widths_have_no_implementation(void** state) {
  (void)state;
  assert_null(jw_lanes_named("abacus"));
  assert_non_null(jw_lanes_best());
  assert_string_equal(jw_lanes_named("scalar")->name, "scalar");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(string_offsets_are_all_different_and_inside),
      cmocka_unit_test(every_width_moves_a_string_to_the_same_bits),
      cmocka_unit_test(every_width_sees_a_point_beyond_the_bar),
      cmocka_unit_test(the_string_kernel_is_the_five_point_stencil),
      cmocka_unit_test(plate_offsets_are_all_different_and_inside),
      cmocka_unit_test(every_width_moves_a_plate_to_the_same_bits),
      cmocka_unit_test(the_plate_kernel_is_the_thirteen_point_stencil),
      cmocka_unit_test(modes_dots_and_sums_are_as_defined),
      cmocka_unit_test(every_width_raises_to_a_power_with_the_same_bits),
      cmocka_unit_test(every_width_sums_products_to_the_same_bits),
      cmocka_unit_test(every_width_stretches_a_string_to_the_same_bits),
      cmocka_unit_test(every_width_multiplies_to_the_same_bits),
      cmocka_unit_test(every_width_mirrors_to_the_same_bits),
      cmocka_unit_test(every_width_foresees_and_weighs_a_row_to_the_same_bits),
      cmocka_unit_test(every_width_bends_a_string_to_the_same_bits),
      cmocka_unit_test(unknown_widths_have_no_implementation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
