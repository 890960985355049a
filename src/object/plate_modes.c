// SPDX-License-Identifier: MIT
// A supported plate by its modes, which may stretch where it bends (von Karman).
//
//   v = sum q_mn sin(m pi x/a) sin(n pi y/b),   modal mass rH A/4                        (8.5)
//
//   symbol   meaning                                                     unit
//   g_mn     (m pi/a)^2 + (n pi/b)^2                                     1/m2
//   P        vxx vyy - vxy^2, Gauss's curvature                          1/m2
//   J_mn     integral of P sin(m pi x/a) sin(n pi y/b)                   1
//   X        stress function, X_mn = (2 E H/A) J_mn/g_mn^2               N m
//   V        energy of the stretch                                       J
//
//   V = (2 E H/A) sum J_mn^2/g_mn^2                                                      (8.6)
//   dV/dq_mn = 2 integral of X (gx s B + gy s A - 2 sqrt(gx gy) c C)                     (8.7)
//
// with A = -vxx, B = -vyy, C = vxy, s the mode's product of sines and c that of cosines: eight
// transforms.  X is that of edges which are held in line but may move in the plane, and has as many
// half waves as v.
//
// In t = cos(pi x/a) every product of two sines or two cosines is a polynomial, and a third sine is
// sin(pi x/a) times one: all integrals here are sums over Gauss's places in t, exact to rounding
// from half as many places again as there are modes.  Places lie alike on both halves of a side, so
// odd and even modes are taken apart: half of the products are enough.
//
// Tested by test_plate_modes.c.

#include "numeric/elementary.h"
#include "object/kinds.h"
#include "object/plate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MODES 100000
#define MOST_WAVES 10000 // Along a side
#define HEARD 0.4        // Of the sample rate: where modes end unless asked for

enum { SINE, COSINE };

// ---------------------------------------------------------------- plan

// How many modes lie below a frequency, and how many half waves they have at most.
static uint64_t count_below(const JwPlateDef* def, const JwPlatePhysics* physics, double frequency,
                            uint32_t most[2]) {
  uint64_t count = 0;
  uint32_t n = 1;
  while (n <= MOST_WAVES && jw_plate_frequency(def, physics, 1, n) < frequency) {
    ++n;
  }
  most[0] = 0;
  most[1] = n - 1;
  for (uint32_t m = 1; n > 1 && m <= MOST_WAVES; ++m) {
    while (n > 1 && !(jw_plate_frequency(def, physics, m, n - 1) < frequency)) {
      --n;
    }
    count += n - 1;
    most[0] = n > 1 ? m : most[0];
  }
  return count;
}

static double limit_of(const JwObject* object) {
  return (object->def.plate.scheme == JW_SCHEME_EXACT ? 0.5 : 1.0 / JW_PI) / object->k
         * (1.0 - 1e-9);
}

// A frequency below which the modes asked for lie, and none that is much higher.
static double highest_asked(const JwObject* object, const JwPlatePhysics* physics) {
  const JwPlateDef* const def = &object->def.plate;
  uint32_t most[2];
  double low = 0.0, high = limit_of(object);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    *(count_below(def, physics, middle, most) < def->modes ? &low : &high) = middle;
  }
  return high;
}

static double highest_of(const JwObject* object, const JwPlatePhysics* physics) {
  return object->def.plate.modes ? highest_asked(object, physics)
                                 : fmin(HEARD / object->k, limit_of(object));
}

static uint32_t padded(uint32_t count) {
  return (count + 3) / 4 * 4;
}

static void plan_axis(JwAxis* axis, uint32_t modes) {
  axis->modes = modes;
  axis->count[0] = (modes + 1) / 2;
  axis->count[1] = modes / 2;
  axis->padded[0] = padded(axis->count[0]);
  axis->padded[1] = padded(axis->count[1]);
  axis->half = (3 * modes + 3) / 4;
  axis->padded_half = padded(axis->half);
}

static void plan_tables(JwObject* object) {
  JwPlateModes* const plate = &object->grid.modes;
  const JwAxis *const x = &plate->axis[0], *const y = &plate->axis[1];
  plate->table = 0;
  double products = 0.0;
  for (int sx = 0; sx < 2; ++sx) {
    for (int sy = 0; sy < 2; ++sy) {
      plate->block[sx][sy] = plate->table;
      plate->table += x->count[sx] * y->padded[sy];
      products += (double)x->half * x->count[sx] * y->padded[sy]
                  + (double)x->half * y->count[sy] * y->padded_half;
    }
  }
  plate->quarter = x->half * y->padded_half;
  object->strain_cost = object->local ? 24.0 * products : 0.0;
}

static JwStatus plan(JwObject* object, char* error) {
  const JwPlateDef* const def = &object->def.plate;
  JwPlatePhysics physics;
  JwStatus status = jw_plate_physics(def, &physics, error);
  status = status ? status : jw_plate_stretch(object, error);
  if (status) {
    return status;
  }
  if (!jw_plate_supported(def)) {
    snprintf(error, JW_ERROR_SIZE, "method is modes, which needs edges that are all supported");
    return JW_STATUS_BAD_VALUE;
  }
  uint32_t most[2];
  const uint64_t below = count_below(def, &physics, limit_of(object), most),
                 allowed = below < MOST_MODES ? below : MOST_MODES;
  if (below == 0 || def->modes > allowed) {
    snprintf(error, JW_ERROR_SIZE, "modes is %u, must be from 1 to %u at this sample rate",
             def->modes, (uint32_t)allowed);
    return JW_STATUS_UNSTABLE;
  }
  const uint64_t count = count_below(def, &physics, highest_of(object, &physics), most);
  if (count == 0 || (!def->modes && count > MOST_MODES)) {
    snprintf(error, JW_ERROR_SIZE,
             "it has %llu modes below %g Hz, must have from 1 to %d: say how many in modes",
             (unsigned long long)count, HEARD / object->k, MOST_MODES);
    return JW_STATUS_TOO_LARGE;
  }
  JwPlateModes* const plate = &object->grid.modes;
  plan_axis(&plate->axis[0], most[0]);
  plan_axis(&plate->axis[1], most[1]);
  plan_tables(object);
  const double g =
      JW_PI * JW_PI / (def->size[0] * def->size[0]) + JW_PI * JW_PI / (def->size[1] * def->size[1]);
  const JwMode first = {jw_plate_frequency(def, &physics, 1, 1),
                        physics.loss[0] + physics.loss[1] * g, 1.0};
  jw_bank_plan(object, def->modes ? def->modes : (uint32_t)count, jw_mode_pace(&first));
  JwObjectInfo* const info = &object->info;
  info->fundamental = jw_mode_pitch(&first, def->scheme, object->k);
  info->points = object->dofs;
  info->grid[0] = most[0];
  info->grid[1] = most[1];
  info->tension = physics.tension;
  info->mass = physics.mass * def->size[0] * def->size[1];
  info->margin = limit_of(object) / highest_of(object, &physics);
  info->loss[0] = physics.loss[0];
  info->loss[1] = physics.loss[1];
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- lay out, set up

static void layout_axis(JwAxis* axis, bool local, JwArena* arena) {
  axis->sines = JW_TAKE(arena, axis->modes, double);
  if (!local) {
    return;
  }
  for (int kind = SINE; kind <= COSINE; ++kind) {
    for (int s = 0; s < 2; ++s) {
      axis->at_place[kind][s] = JW_TAKE(arena, (uint64_t)axis->half * axis->padded[s], double);
      axis->at_mode[kind][s] = JW_TAKE(arena, (uint64_t)axis->count[s] * axis->padded_half, double);
    }
  }
  axis->weight = JW_TAKE(arena, axis->padded_half, double);
}

static void layout(JwObject* object, JwArena* arena) {
  JwPlateModes* const plate = &object->grid.modes;
  const JwAxis *const x = &plate->axis[0], *const y = &plate->axis[1];
  jw_bank_layout(object, arena);
  plate->waves = JW_TAKE(arena, object->dofs, JwWaves);
  plate->place = JW_TAKE(arena, object->dofs, uint32_t);
  plate->gx = JW_TAKE(arena, object->dofs, double);
  plate->gy = JW_TAKE(arena, object->dofs, double);
  plate->gxy = JW_TAKE(arena, object->dofs, double);
  layout_axis(&plate->axis[0], object->local, arena);
  layout_axis(&plate->axis[1], object->local, arena);
  if (object->local) {
    const uint64_t there = (uint64_t)x->half * y->padded[0],
                   back = (uint64_t)x->count[0] * y->padded_half;
    plate->soft = JW_TAKE(arena, plate->table, double);
    plate->numbers = JW_TAKE(arena, plate->table, double);
    plate->turned = JW_TAKE(arena, there > back ? there : back, double);
    for (int i = 0; i < 5; ++i) {
      plate->field[i] = JW_TAKE(arena, 4 * (uint64_t)plate->quarter, double);
    }
  }
}

// The zero of Legendre's polynomial of degree n near t, and its weight.
static double gauss_place(uint32_t n, double t, double* weight) {
  double slope = 1.0;
  for (int i = 0; i < 10; ++i) {
    double last = 1.0, now = t;
    for (uint32_t j = 2; j <= n; ++j) {
      const double next = ((2.0 * j - 1.0) * t * now - (j - 1.0) * last) / j;
      last = now;
      now = next;
    }
    slope = n * (last - t * now) / (1.0 - t * t);
    t -= now / slope;
  }
  *weight = 2.0 / ((1.0 - t * t) * (slope * slope));
  return t;
}

// Of odd numbers of half waves 0, of even ones 1.
static int parity_of(uint32_t waves) {
  return waves % 2 ? 0 : 1;
}

// Where a pair of half waves lies in a table.
static uint32_t place_of(const JwPlateModes* plate, uint32_t m, uint32_t n) {
  const int sx = parity_of(m), sy = parity_of(n);
  return plate->block[sx][sy] + (m - 1) / 2 * plate->axis[1].padded[sy] + (n - 1) / 2;
}

static void put_mode(const JwAxis* axis, int kind, uint32_t mode, uint32_t place, double value) {
  const int s = parity_of(mode);
  const uint32_t i = (mode - 1) / 2;
  axis->at_place[kind][s][(size_t)place * axis->padded[s] + i] = value;
  axis->at_mode[kind][s][(size_t)i * axis->padded_half + place] = value;
}

// An integral over x is one over t of what is divided by sin(pi x/a), times a/pi.
static void fill_axis(JwAxis* axis, double side) {
  const uint32_t n = 2 * axis->half;
  for (uint32_t j = 0; j < axis->half; ++j) {
    double weight;
    const double t = gauss_place(n, jw_cos(JW_PI * (j + 0.75) / (n + 0.5)), &weight),
                 first = sqrt((1.0 - t) * (1.0 + t));
    axis->weight[j] = weight / first * (side / JW_PI);
    double sine = first, past_sine = 0.0, cosine = t, past_cosine = 1.0;
    for (uint32_t m = 1; m <= axis->modes; ++m) {
      put_mode(axis, SINE, m, j, sine);
      put_mode(axis, COSINE, m, j, cosine);
      const double next_sine = 2.0 * t * sine - past_sine,
                   next_cosine = 2.0 * t * cosine - past_cosine;
      past_sine = sine, sine = next_sine;
      past_cosine = cosine, cosine = next_cosine;
    }
  }
}

static int by_frequency(const void* a, const void* b) {
  const JwWaves *const p = (const JwWaves*)a, *const q = (const JwWaves*)b;
  if (p->frequency != q->frequency) {
    return p->frequency < q->frequency ? -1 : 1;
  }
  return p->m < q->m ? -1 : p->m > q->m;
}

// The lowest modes, in rising order; of those that sound alike the ones with fewer half waves along
// the first side.  A heap would do with less than all that lie below the limit: there are few more.
static void find_waves(JwObject* object, const JwPlatePhysics* physics) {
  const JwPlateDef* const def = &object->def.plate;
  JwPlateModes* const plate = &object->grid.modes;
  const double highest = highest_of(object, physics);
  uint32_t count = 0;
  for (uint32_t m = 1; m <= plate->axis[0].modes; ++m) {
    for (uint32_t n = 1; n <= plate->axis[1].modes; ++n) {
      const JwWaves waves = {jw_plate_frequency(def, physics, m, n), m, n};
      if (!(waves.frequency < highest)) {
        break;
      }
      if (count < object->dofs) {
        plate->waves[count++] = waves;
        continue;
      }
      uint32_t last = 0; // One too many: the highest goes
      for (uint32_t i = 1; i < count; ++i) {
        last = by_frequency(&plate->waves[i], &plate->waves[last]) > 0 ? i : last;
      }
      if (by_frequency(&waves, &plate->waves[last]) < 0) {
        plate->waves[last] = waves;
      }
    }
  }
  qsort(plate->waves, object->dofs, sizeof(JwWaves), by_frequency);
}

static void fill_table(JwObject* object) {
  JwPlateModes* const plate = &object->grid.modes;
  const double kx = JW_PI / object->def.plate.size[0], ky = JW_PI / object->def.plate.size[1];
  for (uint32_t m = 1; m <= plate->axis[0].modes; ++m) {
    for (uint32_t n = 1; n <= plate->axis[1].modes; ++n) {
      const double g = m * kx * (m * kx) + n * ky * (n * ky);
      plate->soft[place_of(plate, m, n)] = 1.0 / (g * g);
    }
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    plate->place[i] = place_of(plate, plate->waves[i].m, plate->waves[i].n);
  }
}

static void setup(JwObject* object) {
  const JwPlateDef* const def = &object->def.plate;
  JwPlateModes* const plate = &object->grid.modes;
  JwPlatePhysics physics;
  char unused[JW_ERROR_SIZE];
  if (jw_plate_physics(def, &physics, unused)) {
    return; // plan() has refused it already
  }
  plate->lanes = jw_lanes_best();
  find_waves(object, &physics);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double kx = plate->waves[i].m * JW_PI / def->size[0],
                 ky = plate->waves[i].n * JW_PI / def->size[1];
    plate->gx[i] = kx * kx;
    plate->gy[i] = ky * ky;
    plate->gxy[i] = kx * ky;
    const JwMode mode = {plate->waves[i].frequency,
                         physics.loss[0] + physics.loss[1] * (kx * kx + ky * ky),
                         0.25 * object->info.mass};
    jw_bank_mode(object, i, &mode, def->scheme);
  }
  if (object->local) {
    fill_axis(&plate->axis[0], def->size[0]);
    fill_axis(&plate->axis[1], def->size[1]);
    fill_table(object);
  }
}

// ---------------------------------------------------------------- ports

// sin(m pi x) for all m.
static void fill_sines(const JwAxis* axis, double x) {
  const double twice = 2.0 * jw_cos(JW_PI * x);
  double last = 0.0, now = jw_sin(JW_PI * x);
  for (uint32_t m = 0; m < axis->modes; ++m) {
    axis->sines[m] = now;
    const double next = twice * now - last;
    last = now;
    now = next;
  }
}

static JW_REALTIME void weigh(const JwObject* object, const JwPort* port, JwWeights* weights) {
  const JwPlateModes* const plate = &object->grid.modes;
  fill_sines(&plate->axis[0], port->x);
  fill_sines(&plate->axis[1], port->y);
  weights->count = object->dofs;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    weights->weight[i] =
        plate->axis[0].sines[plate->waves[i].m - 1] * plate->axis[1].sines[plate->waves[i].n - 1];
  }
}

// ---------------------------------------------------------------- transforms

// A field has four quarters: by parity of its modes those that are alike on both halves of the
// sides first, and after jw_mirror() the four mirror images of a place: here, beyond the middle
// along y, along x, along both.  Twice, that is four times as much: the way back is the same.
// Sines of odd modes are the ones that are alike on both halves, and cosines of even modes.
static double* quarter_of(const JwPlateModes* plate, double* field, int kind, int sx, int sy) {
  const int i = 2 * sx + sy;
  return field + (size_t)(kind == COSINE ? 3 - i : i) * plate->quarter;
}

// What the numbers of a table are at all places.
static void to_places(const JwPlateModes* plate, int kind, const double* table, double* field) {
  const JwAxis *const x = &plate->axis[0], *const y = &plate->axis[1];
  for (int sx = 0; sx < 2; ++sx) {
    for (int sy = 0; sy < 2; ++sy) {
      const JwProduct along_x = {x->half, x->count[sx], x->padded[sx], y->padded[sy]},
                      along_y = {x->half, y->count[sy], y->padded[sy], y->padded_half};
      jw_multiply(plate->lanes, &along_x, x->at_place[kind][sx], table + plate->block[sx][sy],
                  plate->turned);
      jw_multiply(plate->lanes, &along_y, plate->turned, y->at_mode[kind][sy],
                  quarter_of(plate, field, kind, sx, sy));
    }
  }
  jw_mirror(plate->lanes, plate->quarter, field);
}

// The sums over all places of a field, which is lost, times the waves of a table.
static void to_modes(const JwPlateModes* plate, int kind, double* field, double* table) {
  const JwAxis *const x = &plate->axis[0], *const y = &plate->axis[1];
  jw_mirror(plate->lanes, plate->quarter, field);
  for (int sx = 0; sx < 2; ++sx) {
    for (int sy = 0; sy < 2; ++sy) {
      const JwProduct along_x = {x->count[sx], x->half, x->padded_half, y->padded_half},
                      along_y = {x->count[sx], y->half, y->padded_half, y->padded[sy]};
      jw_multiply(plate->lanes, &along_x, x->at_mode[kind][sx],
                  quarter_of(plate, field, kind, sx, sy), plate->turned);
      jw_multiply(plate->lanes, &along_y, plate->turned, y->at_place[kind][sy],
                  table + plate->block[sx][sy]);
    }
  }
}

// ---------------------------------------------------------------- stretch

enum { MINUS_XX, MINUS_YY, XY, STRESS, SCRATCH };

static void bend(const JwObject* object, int kind, const double* g, const double* q,
                 double* field) {
  const JwPlateModes* const plate = &object->grid.modes;
  memset(plate->numbers, 0, plate->table * sizeof(double));
  for (uint32_t i = 0; i < object->dofs; ++i) {
    plate->numbers[plate->place[i]] = g[i] * q[i];
  }
  to_places(plate, kind, plate->numbers, field);
}

// P, times the weights of its places.
static void find_curvature(const JwPlateModes* plate, double* restrict out) {
  const double *restrict a = plate->field[MINUS_XX], *restrict b = plate->field[MINUS_YY],
                         *restrict c = plate->field[XY];
  const JwAxis *const x = &plate->axis[0], *const y = &plate->axis[1];
  for (uint32_t i = 0; i < 4 * x->half; ++i) {
    const double weight = x->weight[i % x->half];
    const size_t row = (size_t)i * y->padded_half;
    for (uint32_t j = 0; j < y->padded_half; ++j) {
      out[row + j] = weight * y->weight[j] * (a[row + j] * b[row + j] - c[row + j] * c[row + j]);
    }
  }
}

// Adds 2 scale g times the sums of X times `other`, with the weights of the places in X.
static void add_slope(const JwObject* object, int kind, const double* other, double scale,
                      const double* g, double* slope) {
  const JwPlateModes* const plate = &object->grid.modes;
  const double* const stress = plate->field[STRESS];
  double* const product = plate->field[SCRATCH];
  for (size_t i = 0; i < 4 * (size_t)plate->quarter; ++i) {
    product[i] = stress[i] * other[i];
  }
  to_modes(plate, kind, product, plate->numbers);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    slope[i] += scale * g[i] * plate->numbers[plate->place[i]];
  }
}

static void weigh_stress(const JwPlateModes* plate) {
  const JwAxis *const x = &plate->axis[0], *const y = &plate->axis[1];
  for (uint32_t i = 0; i < 4 * x->half; ++i) {
    double* const row = plate->field[STRESS] + (size_t)i * y->padded_half;
    for (uint32_t j = 0; j < y->padded_half; ++j) {
      row[j] *= x->weight[i % x->half] * y->weight[j];
    }
  }
}

static JW_REALTIME double strain(const JwObject* object, const double* q, double* slope) {
  const JwPlateModes* const plate = &object->grid.modes;
  bend(object, SINE, plate->gx, q, plate->field[MINUS_XX]);
  bend(object, SINE, plate->gy, q, plate->field[MINUS_YY]);
  bend(object, COSINE, plate->gxy, q, plate->field[XY]);
  find_curvature(plate, plate->field[SCRATCH]);
  double* const numbers = plate->numbers;
  to_modes(plate, SINE, plate->field[SCRATCH], numbers);
  double* const stress = plate->field[SCRATCH]; // First as a table
  for (uint32_t i = 0; i < plate->table; ++i) {
    stress[i] = object->stretch * plate->soft[i] * numbers[i];
  }
  const double energy = jw_dot(plate->table, stress, numbers);
  if (slope) {
    to_places(plate, SINE, stress, plate->field[STRESS]);
    weigh_stress(plate);
    memset(slope, 0, object->dofs * sizeof(double));
    add_slope(object, SINE, plate->field[MINUS_YY], 2.0, plate->gx, slope);
    add_slope(object, SINE, plate->field[MINUS_XX], 2.0, plate->gy, slope);
    add_slope(object, COSINE, plate->field[XY], -4.0, plate->gxy, slope);
  }
  return energy;
}

// K is diagonal: g A/4.                                                                (8.1)
static JW_REALTIME double stretch(const JwObject* object, double scale, const double* restrict q,
                                  double* restrict kq) {
  const JwPlateModes* const plate = &object->grid.modes;
  const double part = 0.25 * scale * object->def.plate.size[0] * object->def.plate.size[1];
  for (uint32_t i = 0; i < object->dofs; ++i) {
    kq[i] = part * (plate->gx[i] + plate->gy[i]) * q[i];
  }
  return jw_dot(object->dofs, kq, q);
}

const JwObjectOps jw_plate_modes_ops = {
    .kind = JW_KIND_PLATE,
    .places = JW_PLACES_PLANE,
    .operations = 5.0,
    .plan = plan,
    .layout = layout,
    .setup = setup,
    .advance = jw_bank_advance,
    .weigh = weigh,
    .energy = jw_bank_energy,
    .dissipate = jw_bank_dissipate,
    .stretch = stretch,
    .strain = strain,
};
