// SPDX-License-Identifier: MIT
// Plates by modes, and von Karman's stretch of them, against integrals and motions worked out here.
//
//   symbol   meaning                                                     unit
//   H        integrals of s_k (vxx vyy - vxy^2) by pairs of modes        1/m2
//   q        modal displacements                                         m
//
// The reference has closed integrals of three sines instead of Gauss's places, and Runge and Kutta's
// steps.

#include "worlds.h"

#include "step/step.h"

#include <math.h>

#define SIDE_A 0.4
#define SIDE_B 0.36
#define THICKNESS 1e-3

static JwPlateDef steel(JwNonlinear nonlinear, uint32_t modes) {
  JwPlateDef def = jw_plate_default();
  def.size[0] = SIDE_A, def.size[1] = SIDE_B, def.thickness = THICKNESS;
  def.method = JW_METHOD_MODES, def.modes = modes, def.nonlinear = nonlinear;
  return def;
}

static JwObjectId add_plate(JwWorld* world, const JwPlateDef* def) {
  JwObjectId id;
  MUST(world, jw_world_add_plate(world, def, &id));
  return id;
}

static const JwObject* prepared(JwWorld* world, JwObjectId id) {
  MUST(world, jw_world_prepare(world));
  return jw_object_at(world, id.index - 1);
}

static JwPort at(JwObjectId id, double x, double y) {
  JwPort port = jw_port(id, x);
  port.y = y;
  return port;
}

// ---------------------------------------------------------------- linear

// Modes come in rising order, all below 0.4 of the rate and none left out.
static void modes_are_the_lowest_there_are(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, false);
  const JwPlateDef def = steel(JW_NONLINEAR_NONE, 0), few = steel(JW_NONLINEAR_NONE, 20);
  const JwObjectId id = add_plate(world, &def), lowest = add_plate(world, &few);
  const JwObject* const object = prepared(world, id);
  const double pi = acos(-1.0), d = def.young * pow(THICKNESS, 3.0) / (12.0 * (1.0 - 0.09));
  uint32_t count = 0, below = 0;
  for (int m = 1; m < 100; ++m) {
    for (int n = 1; n < 100; ++n) {
      const double g = pow(m * pi / SIDE_A, 2.0) + pow(n * pi / SIDE_B, 2.0),
                   f = g * sqrt(d / (7850.0 * THICKNESS)) / (2.0 * pi);
      count += f < 0.4 * 44100.0;
      below +=
          f <= jw_object_at(world, lowest.index - 1)->grid.modes.waves[19].frequency * 1.0000001;
    }
  }
  assert_int_equal(object->dofs, count);
  assert_int_equal(below, 20);
  for (uint32_t i = 1; i < count; ++i) {
    assert_true(object->grid.modes.waves[i].frequency >= object->grid.modes.waves[i - 1].frequency);
  }
  jw_world_destroy(world);
}

// The grid's plate, hit by the same force at the same place, is the same at a high rate.
static void a_plate_by_modes_moves_as_one_on_a_grid(void** state) {
  (void)state;
  double sound[2][400];
  for (int method = 0; method < 2; ++method) {
    JwWorld* const world = new_world(192000.0, false);
    JwPlateDef def = steel(JW_NONLINEAR_NONE, 0);
    def.method = method ? JW_METHOD_MODES : JW_METHOD_GRID;
    def.loss[0] = 2.0, def.loss[1] = 2e-3;
    const JwObjectId id = add_plate(world, &def);
    JwForceDef force = jw_force_default();
    force.port = at(id, 0.3, 0.4), force.amplitude = 10.0, force.duration = 2e-3;
    MUST(world, jw_world_add_force(world, &force, NULL));
    MUST(world, jw_world_prepare(world));
    for (int i = 0; i < 400; ++i) {
      run_frames(world, 10);
      MUST(world, jw_world_probe(world, at(id, 0.7, 0.55), &sound[method][i], NULL));
    }
    jw_world_destroy(world);
  }
  double error = 0.0, size = 0.0;
  for (int i = 0; i < 400; ++i) {
    error += pow(sound[0][i] - sound[1][i], 2.0);
    size += pow(sound[1][i], 2.0);
  }
  print_message("# grid against modes at 192 kHz: %.2g\n", sqrt(error / size));
  assert_true(sqrt(error / size) < 0.02);
}

// ---------------------------------------------------------------- the energy of the stretch

// Integral from 0 to pi of sin(c x) cos(p x).
static double sine_cosine(int c, int p) {
  return (c + p) % 2 ? 2.0 * c / (double)(c * c - p * p) : 0.0;
}
static double three_sines(int c, int a, int b) {
  return 0.5 * (sine_cosine(c, a - b) - sine_cosine(c, a + b));
}
static double sine_two_cosines(int c, int a, int b) {
  return 0.5 * (sine_cosine(c, a - b) + sine_cosine(c, a + b));
}

// Integral of sin sin of (k, l) times the curvature of modes p and r, symmetric in them.
static double pair(const JwWaves* p, const JwWaves* r, int k, int l) {
  const double pi = acos(-1.0), ax = pi / SIDE_A, by = pi / SIDE_B;
  const double pm = p->m * ax, pn = p->n * by, rm = r->m * ax, rn = r->n * by;
  const int pm_ = (int)p->m, pn_ = (int)p->n, rm_ = (int)r->m, rn_ = (int)r->n;
  const double sines = three_sines(k, pm_, rm_) * three_sines(l, pn_, rn_),
               cosines = sine_two_cosines(k, pm_, rm_) * sine_two_cosines(l, pn_, rn_);
  return SIDE_A * SIDE_B / (pi * pi)
         * (0.5 * (pm * pm * rn * rn + pn * pn * rm * rm) * sines - pm * pn * rm * rn * cosines);
}

#define MOST 24

typedef struct {
  uint32_t modes, stresses;
  double h[64][MOST][MOST], soft[64], scale;
} Karman;

static void write_out(const JwObject* object, Karman* karman) {
  const JwPlateModes* const plate = &object->grid.modes;
  const double pi = acos(-1.0);
  karman->modes = object->dofs;
  karman->stresses = 0;
  karman->scale = 2.0 * 2e11 * THICKNESS / (SIDE_A * SIDE_B);
  assert_true(object->dofs <= MOST && plate->axis[0].modes * plate->axis[1].modes <= 64);
  for (int k = 1; k <= (int)plate->axis[0].modes; ++k) {
    for (int l = 1; l <= (int)plate->axis[1].modes; ++l) {
      const double g = pow(k * pi / SIDE_A, 2.0) + pow(l * pi / SIDE_B, 2.0);
      karman->soft[karman->stresses] = 1.0 / (g * g);
      for (uint32_t p = 0; p < object->dofs; ++p) {
        for (uint32_t r = 0; r < object->dofs; ++r) {
          karman->h[karman->stresses][p][r] = pair(&plate->waves[p], &plate->waves[r], k, l);
        }
      }
      ++karman->stresses;
    }
  }
}

static double written_out_strain(const Karman* karman, const double* q, double* slope) {
  double sum = 0.0;
  memset(slope, 0, karman->modes * sizeof(double));
  for (uint32_t k = 0; k < karman->stresses; ++k) {
    double along[MOST] = {0.0}, j = 0.0;
    for (uint32_t p = 0; p < karman->modes; ++p) {
      for (uint32_t r = 0; r < karman->modes; ++r) {
        along[p] += karman->h[k][p][r] * q[r];
      }
      j += along[p] * q[p];
    }
    sum += j * j * karman->soft[k];
    for (uint32_t p = 0; p < karman->modes; ++p) {
      slope[p] += 4.0 * karman->scale * karman->soft[k] * j * along[p];
    }
  }
  return karman->scale * sum;
}

static double noise(uint32_t* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)*seed / 4294967296.0 - 0.5;
}

static Karman karman; // Large

static void the_stretch_is_that_of_closed_integrals(void** state) {
  (void)state;
  static const uint32_t counts[4] = {1, 2, 7, 24};
  for (int i = 0; i < 4; ++i) {
    JwWorld* const world = new_world(44100.0, false);
    const JwPlateDef def = steel(JW_NONLINEAR_LOCAL, counts[i]);
    const JwObject* const object = prepared(world, add_plate(world, &def));
    write_out(object, &karman);
    double q[MOST], slope[MOST], wanted[MOST], worst = 0.0, largest = 0.0, product = 0.0;
    uint32_t seed = 1;
    for (uint32_t p = 0; p < object->dofs; ++p) {
      q[p] = 1e-3 * noise(&seed);
    }
    const double v = object->ops->strain(object, q, slope),
                 exact = written_out_strain(&karman, q, wanted);
    for (uint32_t p = 0; p < object->dofs; ++p) {
      worst = fmax(worst, fabs(slope[p] - wanted[p]));
      largest = fmax(largest, fabs(wanted[p]));
      product += slope[p] * q[p];
    }
    print_message("# %u modes: energy off by %.2g, slope by %.2g, q.slope - 4 V by %.2g\n",
                  counts[i], fabs(v / exact - 1.0), worst / largest,
                  fabs(product / (4.0 * v) - 1.0));
    assert_true(fabs(v / exact - 1.0) < 1e-13 && worst < 1e-13 * largest);
    assert_true(fabs(product / (4.0 * v) - 1.0) < 1e-13);
    jw_world_destroy(world);
  }
}

// ---------------------------------------------------------------- motion

static void accelerations(const JwObject* object, const double* q, double* a) {
  double slope[MOST];
  (void)written_out_strain(&karman, q, slope);
  const double mass = 7850.0 * THICKNESS * SIDE_A * SIDE_B / 4.0, turn = 2.0 * acos(-1.0);
  for (uint32_t p = 0; p < object->dofs; ++p) {
    const double w = turn * object->grid.modes.waves[p].frequency;
    a[p] = -w * w * q[p] - slope[p] / mass;
  }
}

static void advance_exactly(const JwObject* object, double k, double* q, double* v) {
  static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  double dq[MOST] = {0.0}, dv[MOST] = {0.0}, sum_q[MOST] = {0.0}, sum_v[MOST] = {0.0};
  for (int i = 0; i < 4; ++i) {
    double place[MOST] = {0.0}, speed[MOST] = {0.0};
    for (uint32_t p = 0; p < object->dofs; ++p) {
      place[p] = q[p] + part[i] * k * dq[p];
      speed[p] = v[p] + part[i] * k * dv[p];
    }
    accelerations(object, place, dv);
    for (uint32_t p = 0; p < object->dofs; ++p) {
      dq[p] = speed[p];
      sum_q[p] += weight[i] * dq[p];
      sum_v[p] += weight[i] * dv[p];
    }
  }
  for (uint32_t p = 0; p < object->dofs; ++p) {
    q[p] += k / 6.0 * sum_q[p];
    v[p] += k / 6.0 * sum_v[p];
  }
}

static double motion_error(double rate, double thicknesses) {
  JwWorld* const world = new_world(rate, true);
  const JwPlateDef def = steel(JW_NONLINEAR_LOCAL, 12);
  const JwObjectId id = add_plate(world, &def);
  JwInitialDef shape = jw_initial_default();
  shape.object = id, shape.shape = JW_SHAPE_HUMP, shape.x = 0.4, shape.y = 0.45;
  shape.width = 1.0, shape.amplitude = thicknesses * THICKNESS;
  MUST(world, jw_world_add_initial(world, &shape));
  const JwObject* const object = prepared(world, id);
  write_out(object, &karman);
  double q[MOST], v[MOST] = {0.0}, error = 0.0, size = 0.0;
  assert_int_equal(jw_world_field(world, id, q, MOST), 12);
  for (int n = 0; n < (int)(0.02 * rate); ++n) {
    run_frames(world, 1);
    for (int i = 0; i < 4; ++i) {
      advance_exactly(object, 0.25 / rate, q, v);
    }
    for (uint32_t p = 0; p < 12; ++p) {
      error += pow(object->level[JW_NOW][p] - q[p], 2.0);
      size += q[p] * q[p];
    }
  }
  assert_true(jw_world_energy(world).worst_residual < 1e-12);
  jw_world_destroy(world);
  return sqrt(error / size);
}

static void a_plate_moves_as_von_karman_says(void** state) {
  (void)state;
  for (int i = 1; i <= 3; i += 2) {
    const double coarse = motion_error(24000.0, i), fine = motion_error(48000.0, i);
    print_message("# %d thicknesses: %.2g at 48 kHz, order %.2f\n", i, fine, log2(coarse / fine));
    assert_true(fine < 5e-3);
    assert_true(log2(coarse / fine) > 1.8 && log2(coarse / fine) < 2.2);
  }
}

static const JwPointState* world_row(const JwWorld* world, const JwObject* object) {
  return world->points[object->row].step.state;
}

// sqrt(2 V) of the middle between the two states there are, against psi.
static double misfit_of(const JwWorld* world, const JwObject* object) {
  const JwPoint* const row = &world->points[object->row];
  double* const middle = row->stretch->middle; // Written anew in every step
  for (uint32_t i = 0; i < object->dofs; ++i) {
    middle[i] = 0.5 * (object->level[JW_NOW][i] + object->level[JW_PREV][i]);
  }
  return fabs(row->step.state->psi - sqrt(2.0 * object->ops->strain(object, middle, NULL)));
}

// Three blows of a mallet on a plate that has not come to rest, up to ten thicknesses: nothing runs away,
// the ledger closes, and psi is where it should be.
static void three_blows_of_ten_thicknesses(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, true);
  JwPlateDef def = steel(JW_NONLINEAR_LOCAL, 120);
  def.loss[0] = 1.3, def.loss[1] = 1e-4;
  const JwObjectId id = add_plate(world, &def);
  for (int i = 0; i < 3; ++i) {
    JwForceDef force = jw_force_default();
    force.port = at(id, 0.37, 0.42), force.amplitude = 2500.0, force.duration = 4e-3;
    force.start = 0.05 * i;
    MUST(world, jw_world_add_force(world, &force, NULL));
  }
  const JwObject* const object = prepared(world, id);
  double most = 0.0, worst = 0.0;
  for (int n = 0; n < 9600; ++n) {
    run_frames(world, 1);
    double u;
    MUST(world, jw_world_probe(world, at(id, 0.45, 0.45), &u, NULL));
    assert_true(isfinite(u));
    most = fmax(most, fabs(u));
    worst = fmax(worst, misfit_of(world, object));
  }
  const JwEnergy energy = jw_world_energy(world);
  print_message("# up to %.1f thicknesses, psi off by %.2g, ledger %.2g\n", most / THICKNESS,
                worst / sqrt(2.0 * energy.peak), energy.worst_residual);
  assert_true(most > 9.0 * THICKNESS && most < 20.0 * THICKNESS);
  assert_true(energy.worst_residual < 1e-11);
  assert_true(worst < 1e-3 * sqrt(2.0 * energy.peak));
  // What the library says of it: its stretch is a column of its own, the misfit one that was seen here
  const JwStretchFigures figures = jw_world_stretch_figures(world, id);
  const double largest = sqrt(2.0 * figures.peak_energy);
  assert_true(energy.stretch == figures.energy && figures.energy <= figures.peak_energy);
  assert_true(figures.energy == 0.5 * pow(world->points[object->row].step.state->psi, 2.0));
  assert_true(fabs(energy.kinetic + energy.potential + energy.stretch - energy.stored)
              < 1e-14 * energy.stored);
  assert_true(figures.misfit > 0.0 && figures.misfit * largest <= worst * (1.0 + 1e-9));
  assert_true(figures.usual_misfit > 0.0 && figures.usual_misfit <= figures.misfit);
  jw_world_destroy(world);
}

static double strike_seconds = 20.0; // An hour when asked for: make soak-strikes

// A mallet of 100 g at 1 to 10 m/s, every two seconds, on a plate that never rests: psi does not wander
// from the stretch, is never negative, and the ledger stays closed.
static void blow_after_blow_the_load_stays_on_the_stretch(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, true);
  JwPlateDef def = steel(JW_NONLINEAR_LOCAL, 12);
  def.loss[0] = 0.6, def.loss[1] = 2e-4;
  const JwObjectId id = add_plate(world, &def), mallet = add_mass(world, 0.1, -0.1, 0.0);
  JwCollisionDef touch = jw_collision_default();
  touch.below = jw_port(mallet, 0.0), touch.above = at(id, 0.37, 0.43);
  touch.stiffness = 3e6, touch.exponent = 2.0, touch.loss = 3e5;
  MUST(world, jw_world_add_collision(world, &touch, NULL));
  const JwPointState* const row = world_row(world, prepared(world, id));
  uint64_t seed = 5;
  double least = 0.0;
  for (int blow = 0; blow < (int)(strike_seconds / 2.0); ++blow) {
    MUST(world, jw_world_throw(world, mallet, -0.01, between(&seed, 1.0, 10.0)));
    for (int i = 0; i < 2000; ++i) {
      run_frames(world, 48);
      least = fmin(least, row->psi);
    }
  }
  const JwStretchFigures figures = jw_world_stretch_figures(world, id);
  const double residual = jw_world_energy(world).worst_residual;
  print_message("# %g s: psi off by %.2g of its largest, never below %g, ledger %.2g\n",
                strike_seconds, figures.misfit, least, residual);
  assert_true(figures.peak_energy > 0.01);
  assert_true(figures.misfit < 1e-6 && least >= 0.0 && residual < 1e-11);
  jw_world_destroy(world);
}

// What a contact gives is what the plate receives: the mass's loss of energy is the plate's gain, while a
// wrong coupling would still close the total.
static void what_a_mallet_loses_the_plate_has(void** state) {
  (void)state;
  JwWorld* const world = new_world(96000.0, true);
  const JwPlateDef def = steel(JW_NONLINEAR_LOCAL, 60);
  const JwObjectId id = add_plate(world, &def);
  JwMassDef mass = jw_mass_default();
  mass.mass = 0.02, mass.position = 1e-6, mass.velocity = -3.0;
  JwObjectId mallet;
  MUST(world, jw_world_add_mass(world, &mass, &mallet));
  JwCollisionDef touch = jw_collision_default();
  touch.below = at(id, 0.4, 0.4), touch.above = jw_port(mallet, 0.0), touch.stiffness = 1e7;
  JwContactId contact;
  MUST(world, jw_world_add_collision(world, &touch, &contact));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 9600);
  const double kept = jw_world_object_energy(world, mallet), given = 0.5 * 0.02 * 9.0 - kept,
               received = jw_world_object_energy(world, id);
  print_message("# given %.9g J, received %.9g J\n", given, received);
  assert_true(!jw_world_contact_figures(world, contact).closed);
  assert_true(given > 0.01 && fabs(received - given) < 1e-9 * given);
  jw_world_destroy(world);
}

static void what_cannot_be_is_refused(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, false);
  JwObjectId id;
  JwPlateDef def = steel(JW_NONLINEAR_LOCAL, 0);
  def.method = JW_METHOD_GRID;
  assert_int_equal(jw_world_add_plate(world, &def, &id), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(world),
                      "plate '': nonlinear is local, which needs method modes");
  def = steel(JW_NONLINEAR_NONE, 0);
  def.edges[1] = JW_END_CLAMPED;
  assert_int_equal(jw_world_add_plate(world, &def, &id), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(world),
                      "plate '': method is modes, which needs edges that are all supported");
  def = steel(JW_NONLINEAR_NONE, 100000);
  assert_int_equal(jw_world_add_plate(world, &def, &id), JW_STATUS_UNSTABLE);
  def = steel(JW_NONLINEAR_NONE, 0);
  def.size[0] = def.size[1] = 1000.0;
  assert_int_equal(jw_world_add_plate(world, &def, &id), JW_STATUS_TOO_LARGE);
  def.size[0] = def.size[1] = 0.005;
  assert_int_equal(jw_world_add_plate(world, &def, &id), JW_STATUS_UNSTABLE);
  jw_world_destroy(world);
}

int main(int count, char** arguments) {
  const struct CMUnitTest hour[] = {
      cmocka_unit_test(blow_after_blow_the_load_stays_on_the_stretch),
  };
  if (count > 1 && strcmp(arguments[1], "hour") == 0) {
    strike_seconds = 3600.0;
    return cmocka_run_group_tests(hour, NULL, NULL);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(modes_are_the_lowest_there_are),
      cmocka_unit_test(a_plate_by_modes_moves_as_one_on_a_grid),
      cmocka_unit_test(the_stretch_is_that_of_closed_integrals),
      cmocka_unit_test(a_plate_moves_as_von_karman_says),
      cmocka_unit_test(three_blows_of_ten_thicknesses),
      cmocka_unit_test(blow_after_blow_the_load_stays_on_the_stretch),
      cmocka_unit_test(what_a_mallet_loses_the_plate_has),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
