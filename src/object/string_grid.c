// SPDX-License-Identifier: MIT
// A stiff string by finite differences, each end supported, clamped or free.
//
//   rA dtt u = T dxx u - EI dxxxx u - 2 rA s0 dt. u + 2 rA s1 dt- dxx u + J F        (1.1)
//
//   symbol  meaning                                              unit
//   h, k    grid spacing, time step                              m, s
//   y       k^2 / (rA h (1 + s0 k)), admittance of a point       m/N
//   tau     y T/h                                                1
//   beta    y EI/h^3                                             1
//   sigma   y 2 rA s1 / (k h)                                    1
//   e       (1 - s0 k)/(1 + s0 k)                                1
//
// With x differences d, second differences dd and unit spacing, one step is
//
//   u+ = u + e (u - p) + tau dd u - beta dddd u + sigma dd (u - p) + y F             (1.2)
//
// The coefficients are rounded to multiples of 2^-50 before they are summed, so that the sums are
// exact and a string at constant height feels no force at all; otherwise rounding acts as a weak
// spring to the ground, which the ledger sees at low frequencies.
//
// Ends.  The energy below is taken over the points that can move, and (1.2) is its exact gradient,
// so the operator is symmetric whatever the ends: supported ends have no curvature, clamped ends
// have curvature 2 u_1 with half the weight, a free end is a point of half the mass.
//
//   y H = (1+e)/4 |u-p|^2 + tau/2 <d u, d p> + beta/2 <dd u, dd p> - sigma/4 |d (u-p)|^2   (1.3)
//   lost in a step: (1-e)/4y |u+ - p|^2 + sigma/4y |d (u+ - p)|^2
//
// The last term of (1.3) is small; with it the loss is never negative.  H >= 0 while
// 1 + e >= 2 tau + 8 beta + 4 sigma, which is the stability condition of (1.1).
//
// Tested by test_objects.c (frequencies, dispersion, ledger for all ends).

#include "base/hint.h"
#include "numeric/elementary.h"
#include "object/string_shapes.h"

#include <math.h>
#include <stdio.h>

#define FEWEST_INTERVALS 4

// Lines of both directions lie one after the other.
static JW_REALTIME uint32_t offset(const JwObject* object, uint32_t dof) {
  const JwGridString* const grid = &object->grid.string;
  return dof < grid->count ? jw_string_offset(grid->count, dof)
                           : grid->line + jw_string_offset(grid->count, dof - grid->count);
}

static uint32_t directions(const JwObject* object) {
  return object->def.string.directions;
}

static bool is_free(const JwObject* object, int end) {
  return object->def.string.ends[end] == JW_END_FREE;
}

static double least_spacing(const JwStringPhysics* physics, double bend, double k) {
  const double a = bend * physics->tension / physics->mass * k * k + 4.0 * physics->loss[1] * k;
  return sqrt(0.5 * (a + sqrt(a * a + 16.0 * physics->bending / physics->mass * k * k)));
}

// How many times its tension the grid is laid for.
static double room_of(const JwStringDef* def) {
  return def->nonlinear ? fmax(def->bend, JW_STRETCH_ROOM) : def->bend;
}

// The dimensionless coefficients for a number of intervals; false when unstable at the full bend.
static bool find_coefficients(JwObject* object, const JwStringPhysics* physics,
                              uint32_t intervals) {
  JwGridString* const grid = &object->grid.string;
  const double k = object->k, h = object->def.string.length / intervals;
  grid->e = jw_quantize((1.0 - physics->loss[0] * k) / (1.0 + physics->loss[0] * k));
  grid->y = 0.5 * (1.0 + grid->e) * k * k / (physics->mass * h);
  grid->beta = jw_quantize(grid->y * physics->bending / (h * h * h));
  grid->sigma = jw_quantize(grid->y * 2.0 * physics->mass * physics->loss[1] / (k * h));
  grid->tau = jw_quantize(grid->y * physics->tension / h);
  grid->intervals = intervals;
  const double highest = jw_quantize(grid->y * physics->tension * room_of(&object->def.string) / h);
  return 1.0 + grid->e >= 2.0 * highest + 8.0 * grid->beta + 4.0 * grid->sigma;
}

static JwStatus choose_intervals(JwObject* object, const JwStringDef* def,
                                 const JwStringPhysics* physics, char* error) {
  const double least = least_spacing(physics, room_of(def), object->k);
  const double most = def->length / least * (1.0 + 1e-13);
  if (!(most < 1e9)) {
    snprintf(error, JW_ERROR_SIZE, "it would need %g grid points", most);
    return JW_STATUS_TOO_LARGE;
  }
  uint32_t intervals = def->points ? def->points : (uint32_t)most;
  if (intervals < FEWEST_INTERVALS) {
    snprintf(
        error, JW_ERROR_SIZE,
        "it has %u grid intervals at this sample rate, must be at least %d: raise the rate, or use modes",
        intervals, FEWEST_INTERVALS);
    return JW_STATUS_UNSTABLE;
  }
  bool stable = find_coefficients(object, physics, intervals);
  if (!stable && !def->points) { // A rounding error beyond the limit: one interval fewer
    stable = find_coefficients(object, physics, --intervals);
  }
  if (!stable) {
    snprintf(error, JW_ERROR_SIZE, "points is %u, must be at most %u at this sample rate",
             intervals, (uint32_t)most);
    return JW_STATUS_UNSTABLE;
  }
  object->info.spacing[0] = def->length / intervals;
  object->info.margin = object->info.spacing[0] / least;
  return JW_STATUS_OK;
}

#define TUNED 1e-7 // Of the frequency: a six-thousandth of a cent
#define MOST_TURNS 24

// Physics and grid of a string that sounds as high as it is asked to.  A tension at which the grid
// has one interval more or less makes the pitch jump: then the coarser grid is kept.
static JwStatus tune(JwObject* object, JwStringPhysics* physics, char* error) {
  JwStringDef def =
      object->def.string; // Whose frequency is turned until the grid's is the one asked for
  const double wanted = def.frequency * jw_cents_ratio(def.cents);
  uint32_t fewest = UINT32_MAX;
  for (int turn = 0;; ++turn) {
    JwStatus status = jw_string_physics(&def, physics, error);
    status = status ? status : choose_intervals(object, &def, physics, error);
    if (status || isnan(wanted)) {
      return status;
    }
    const double pitch = jw_string_grid_pitch(&def, physics, &object->grid.string, object->k);
    if (!(pitch > 0.0) || fabs(wanted - pitch) <= TUNED * wanted || turn == MOST_TURNS) {
      return JW_STATUS_OK;
    }
    fewest = object->grid.string.intervals < fewest ? object->grid.string.intervals : fewest;
    if (turn >= MOST_TURNS / 3 && !def.points) {
      def.points = fewest;
    }
    def.frequency *= wanted / pitch;
  }
}

static JwStatus plan(JwObject* object, char* error) {
  const JwStringDef* const def = &object->def.string;
  JwStringPhysics physics;
  JwStatus status = tune(object, &physics, error);
  status = status ? status : jw_string_stretch(object, &physics, error);
  if (status) {
    return status;
  }
  JwGridString* const grid = &object->grid.string;
  grid->first = is_free(object, 0) ? 0 : 1;
  grid->count = grid->intervals - 1 + is_free(object, 0) + is_free(object, 1);
  grid->line = jw_string_size(grid->count);
  object->dofs = def->directions * grid->count;
  object->size = object->points = def->directions * grid->line;
  object->strain_cost = object->local ? 40.0 * object->dofs : 0.0;
  object->port_weights = 4 * def->directions;
  JwObjectInfo* const info = &object->info;
  info->points = grid->count;
  info->grid[0] = grid->intervals;
  info->tension = physics.tension;
  info->fundamental = jw_string_grid_pitch(def, &physics, grid, object->k);
  jw_string_pitch_plan(object, &physics);
  info->mass = physics.mass * def->length;
  info->loss[0] = physics.loss[0];
  info->loss[1] = physics.loss[1];
  return JW_STATUS_OK;
}

static void layout(JwObject* object, JwArena* arena) {
  jw_plain_layout(
      object, (const uint32_t[2]){object->grid.string.intervals, directions(object) - 1}, arena);
}

// How the rows next to an end differ from the interior with zeros beyond the end.
static JwEndFix end_fix(const JwGridString* grid, JwEnd end) {
  JwEndFix fix = {0};
  const double beta = grid->beta;
  switch (end) {
  case JW_END_SUPPORTED: fix.u00 = beta; break; // 5 instead of 6
  case JW_END_CLAMPED: fix.u00 = -beta; break;  // 7 instead of 6
  case JW_END_FREE:
    fix.u00 = 4.0 * beta; // -2 beta (u0 - 2 u1 + u2), half the mass
    fix.u01 = grid->tau + grid->sigma;
    fix.u02 = -beta;
    fix.p01 = -grid->sigma;
    fix.u10 = -2.0 * beta; // no curvature at the end
    fix.u11 = beta;
    break;
  }
  return fix;
}

static void fill_kernel(JwObject* object) {
  JwGridString* const grid = &object->grid.string;
  JwStringKernel* const kernel = &grid->kernel;
  kernel->n = grid->count;
  kernel->c2 = -grid->beta;
  kernel->c1 = grid->tau + 4.0 * grid->beta + grid->sigma;
  kernel->d1 = -grid->sigma;
  kernel->d0 = 2.0 * grid->sigma - grid->e;
  kernel->c0 = 1.0 + grid->e - 2.0 * grid->tau - 6.0 * grid->beta - 2.0 * grid->sigma;
  kernel->fix[0] = end_fix(grid, object->def.string.ends[0]);
  kernel->fix[1] = end_fix(grid, object->def.string.ends[1]);
  jw_string_prepare(kernel);
}

static void setup(JwObject* object) {
  JwGridString* const grid = &object->grid.string;
  object->tension_now = object->info.tension;
  grid->kernel.lanes = jw_lanes_best();
  fill_kernel(object);
  object->lightest = 1.0 / (16.0 * grid->y);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t point = i % grid->count;
    const bool half =
        (point == 0 && is_free(object, 0)) || (point == grid->count - 1 && is_free(object, 1));
    object->y[offset(object, i)] = half ? 2.0 * grid->y : grid->y;
  }
  jw_plain_setup(object, (const uint32_t[2]){grid->intervals, directions(object) - 1});
}

static JW_REALTIME void tighten(JwObject* object, double tension) {
  JwGridString* const grid = &object->grid.string;
  object->tension_now = tension;
  grid->tau = jw_quantize(grid->y * tension / object->info.spacing[0]);
  fill_kernel(object);
}

static JW_REALTIME JW_HOT void advance(const JwObject* object, double* next, const double* u,
                                       const double* prev) {
  const JwGridString* const grid = &object->grid.string;
  jw_string_advance(&grid->kernel, next, u, prev);
  if (JW_RARELY(directions(object) > 1)) {
    JwStringKernel across = grid->kernel;
    across.bar = NULL; // Bars lie below or above
    jw_string_advance(&across, next + grid->line, u + grid->line, prev + grid->line);
  }
}

static JW_REALTIME void weigh(const JwObject* object, const JwPort* port, JwWeights* weights) {
  const JwGridString* const grid = &object->grid.string;
  uint32_t point[4];
  double weight[4];
  const uint32_t count = jw_axis_weights(port->x, grid->intervals, port->reading, point, weight);
  double part[2] = {1.0, 0.0};
  if (port->degrees != 0.0) {
    jw_direction_parts(port->degrees, part);
  }
  weights->count = 0;
  for (uint32_t d = 0; d < directions(object); ++d) {
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t dof = point[i] - grid->first; // Wraps beyond a held end
      if (dof < grid->count && part[d] * weight[i] != 0.0) {
        weights->offset[weights->count] = offset(object, d * grid->count + dof);
        weights->weight[weights->count++] = part[d] * weight[i];
      }
    }
  }
}

static void locate(const JwObject* object, uint32_t dof, double* x, double* y) {
  const JwGridString* const grid = &object->grid.string;
  *x = (double)(dof % grid->count + grid->first) / grid->intervals;
  *y = 0.0;
}

static double sum_squares(const JwObject* object, const double* v) {
  double* restrict term = object->plain.row[0];
  const uint32_t n = object->grid.string.intervals;
  for (uint32_t l = 0; l <= n; ++l) {
    term[l] = v[l] * v[l];
  }
  return jw_dot(n + 1, object->plain.half[0], term);
}

static double sum_slopes(const JwObject* object, const double* u, const double* p) {
  double* restrict du = object->plain.row[0], * restrict dp = object->plain.row[1];
  const uint32_t n = object->grid.string.intervals;
  for (uint32_t l = 0; l < n; ++l) {
    du[l] = u[l + 1] - u[l];
    dp[l] = p[l + 1] - p[l];
  }
  return jw_dot(n, du, dp);
}

static void second_differences(const JwObject* object, const double* u, double* out) {
  const uint32_t n = object->grid.string.intervals;
  for (uint32_t l = 1; l < n; ++l) {
    out[l] = u[l - 1] - 2.0 * u[l] + u[l + 1];
  }
  out[0] = object->def.string.ends[0] == JW_END_CLAMPED ? 2.0 * u[1] : 0.0;
  out[n] = object->def.string.ends[1] == JW_END_CLAMPED ? 2.0 * u[n - 1] : 0.0;
}

static double sum_bending(const JwObject* object, const double* u, const double* p) {
  double* restrict du = object->plain.row[0], * restrict dp = object->plain.row[1];
  const uint32_t n = object->grid.string.intervals;
  second_differences(object, u, du);
  second_differences(object, p, dp);
  for (uint32_t l = 0; l <= n; ++l) {
    du[l] *= object->plain.half[0][l];
  }
  return jw_dot(n + 1, du, dp);
}

static JW_REALTIME JwStored energy(const JwObject* object, const double* u, const double* prev) {
  const JwGridString* const g = &object->grid.string;
  const double* now = jw_plain_read(object, 0, u, NULL);
  const double* past = jw_plain_read(object, 1, prev, NULL);
  const double* v = jw_plain_read(object, 2, u, prev);
  double kinetic = 0.0, potential = 0.0;
  for (uint32_t d = 0; d < directions(object); ++d) {
    kinetic +=
        0.25 * (1.0 + g->e) * sum_squares(object, v) - 0.25 * g->sigma * sum_slopes(object, v, v);
    potential += 0.5 * g->tau * sum_slopes(object, now, past)
                 + 0.5 * g->beta * sum_bending(object, now, past);
    now += object->plain.stride, past += object->plain.stride, v += object->plain.stride;
  }
  const JwStored stored = {kinetic / g->y, potential / g->y};
  return stored;
}

static JW_REALTIME bool floats(const JwObject* object) {
  return jw_edges_float(object->def.string.ends, 2, object->tension_now);
}

// S = sum (d u)^2/h, so that K u = -dd u/h.                                            (8.1)
static JW_REALTIME double stretch(const JwObject* object, double scale, const double* u,
                                  double* ku) {
  const JwGridString* const grid = &object->grid.string;
  double sum = 0.0;
  for (uint32_t d = 0; d < directions(object); ++d) {
    const uint32_t first = d * grid->line;
    sum +=
        jw_string_curvature(&grid->kernel, scale / object->info.spacing[0], u + first, ku + first);
  }
  return sum;
}

// V = (EA - T)/2 sum h (w - 1)^2 with w = sqrt(1 + (d u/h)^2), squares of both directions added.
// (8.3)
static JW_REALTIME double strain(const JwObject* object, const double* u, double* slope) {
  const double h = object->info.spacing[0], excess = object->stretch;
  return 0.5 * excess * h
         * jw_string_strain(&object->grid.string.kernel, directions(object), 1.0 / h, excess, u,
                            slope);
}

const JwObjectOps jw_string_grid_ops = {
    .kind = JW_KIND_STRING,
    .places = JW_PLACES_LINE,
    .operations = 12.0,
    .plan = plan,
    .layout = layout,
    .setup = setup,
    .advance = advance,
    .weigh = weigh,
    .locate = locate,
    .energy = energy,
    .dissipate = jw_grid_dissipate,
    .offset = offset,
    .floats = floats,
    .stretch = stretch,
    .strain = strain,
    .tighten = tighten,
};
