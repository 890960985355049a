// SPDX-License-Identifier: MIT
// Strings and plates that stiffen as they move, against what is known of them.
//
//   symbol  meaning                                                    unit
//   a, b    of one mode: q'' = -a q - b q^3                            1/s2, 1/(m2 s2)
//   A       amplitude                                                  m
//   W, m    sqrt(a + b A^2) and b A^2/2W^2: q = A cn(W t | m)          1/s, 1
//
// The nylon string is a guitar's G3: 0.65 m, 58 N, E A 2120.6 N.

#include "worlds.h"

#include "step/step.h"

#include <jawari/builtin.h>
#include <jawari/scene.h>

#include <float.h>
#include <math.h>

#define LENGTH 0.65
#define MASS 8.9535390627e-4
#define TENSION 58.1277438955
#define STRETCHING 2120.575

static JwStringDef nylon_as(JwNonlinear nonlinear, JwMethod method, uint32_t modes) {
  JwStringDef def = jw_string_default();
  def.length = LENGTH, def.mass_per_length = MASS, def.tension = TENSION, def.bending = 310e-6;
  def.stretching = STRETCHING, def.nonlinear = nonlinear;
  def.method = method, def.modes = modes;
  return def;
}

static JwStringDef nylon(JwMethod method, uint32_t modes) {
  return nylon_as(JW_NONLINEAR_MEAN, method, modes);
}

static void bend(JwWorld* world, JwObjectId id, JwInitialShape shape, double x, double amplitude) {
  JwInitialDef def = jw_initial_default();
  def.object = id, def.shape = shape, def.x = x, def.amplitude = amplitude;
  MUST(world, jw_world_add_initial(world, &def));
}

// K(m) and cn(t | m) by the arithmetic-geometric mean (Abramowitz and Stegun 16.4, 17.6).
static double quarter_period(double m) {
  double a = 1.0, b = sqrt(1.0 - m);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return acos(-1.0) / (2.0 * a);
}

static double cn(double t, double m) {
  double a[12] = {1.0}, c[12] = {sqrt(m)}, b = sqrt(1.0 - m);
  for (int i = 0; i < 11; ++i) {
    a[i + 1] = 0.5 * (a[i] + b);
    c[i + 1] = 0.5 * (a[i] - b);
    b = sqrt(a[i] * b);
  }
  double phi = 2048.0 * a[11] * t;
  for (int i = 11; i > 0; --i) {
    phi = 0.5 * (phi + asin(c[i] / a[i] * sin(phi)));
  }
  return cos(phi);
}

typedef struct {
  double w, m;
} Duffing;

// b of the first mode, whose modal mass is rA L/2: G L k^4 over that, times 1/8 by the mean stretch, and
// 3/16 by that of every place, where slopes are small.
static double cubic_of(JwNonlinear nonlinear) {
  const double k = acos(-1.0) / LENGTH, mass = 0.5 * MASS * LENGTH;
  return (STRETCHING - TENSION) * LENGTH * k * k * k * k / mass
         * (nonlinear == JW_NONLINEAR_LOCAL ? 3.0 / 16.0 : 1.0 / 8.0);
}

static Duffing duffing(JwNonlinear nonlinear, double amplitude) {
  const double k = acos(-1.0) / LENGTH, k2 = k * k, a = k2 * (TENSION + 310e-6 * k2) / MASS,
               b = cubic_of(nonlinear), w2 = a + b * amplitude * amplitude;
  return (Duffing){sqrt(w2), b * amplitude * amplitude / (2.0 * w2)};
}

// The largest distance from A cn(W t | m) within 0.1 s, over A.
static double waveform_error(double rate, double amplitude) {
  JwWorld* const world = new_world(rate, true);
  const JwStringDef def = nylon(JW_METHOD_MODES, 1);
  const JwObjectId id = add_string(world, &def);
  bend(world, id, JW_SHAPE_SINE, 0.5, amplitude);
  MUST(world, jw_world_prepare(world));
  const Duffing exact = duffing(JW_NONLINEAR_MEAN, amplitude);
  double worst = 0.0;
  for (int n = 1; n <= (int)(0.1 * rate); ++n) {
    run_frames(world, 1);
    double u, v;
    MUST(world, jw_world_probe(world, jw_port(id, 0.5), &u, &v));
    worst = fmax(worst, fabs(u - amplitude * cn(exact.w * n / rate, exact.m)));
  }
  assert_true(jw_world_energy(world).worst_residual < 1e-12);
  jw_world_destroy(world);
  return worst / amplitude;
}

// One mode of Kirchhoff and Carrier's string is Duffing's oscillator.  Of second order: the error
// falls to a quarter with half the step, and at 48 kHz it is below a thousandth at 4 mm.
static void one_mode_moves_as_an_elliptic_cosine(void** state) {
  (void)state;
  static const double amplitudes[4] = {1e-3, 4e-3, 1e-2, 2e-2};
  for (int i = 0; i < 4; ++i) {
    const double coarse = waveform_error(48000.0, amplitudes[i]),
                 fine = waveform_error(96000.0, amplitudes[i]);
    print_message("# %g mm: %.2g of the amplitude at 48 kHz, order %.3f\n", 1e3 * amplitudes[i],
                  coarse, log2(coarse / fine));
    assert_true(log2(coarse / fine) > 1.95 && log2(coarse / fine) < 2.05);
    assert_true(amplitudes[i] > 4e-3 || coarse < 1e-3);
  }
}

// How long `turns` swings take, by the times at which u falls through zero.
static double period_of(const JwStringDef* def, double rate, double amplitude, int turns) {
  JwWorld* const world = new_world(rate, false);
  const JwObjectId id = add_string(world, def);
  bend(world, id, JW_SHAPE_SINE, 0.5, amplitude);
  MUST(world, jw_world_prepare(world));
  double first = NAN, last = NAN, before = 1.0, u, v;
  for (int n = 1, seen = 0; seen <= turns; ++n) {
    run_frames(world, 1);
    MUST(world, jw_world_probe(world, jw_port(id, 0.5), &u, &v));
    if (before > 0.0 && u <= 0.0) {
      last = n - 1 + before / (before - u); // Straight there: u'' is 0
      first = seen++ ? first : last;
    }
    before = u;
  }
  jw_world_destroy(world);
  return (last - first) / (turns * rate);
}

// Above the pitch without stretch, whose own error both share.  By the stretch of every place the first
// mode moves the third, which nearly sounds three times as high: so it is left alone there.
static void the_pitch_rises_as_the_elliptic_integral_says(void** state) {
  (void)state;
  static const double amplitudes[4] = {1e-3, 2e-3, 4e-3, 1e-2};
  static const JwNonlinear forms[2] = {JW_NONLINEAR_MEAN, JW_NONLINEAR_LOCAL};
  for (int i = 0; i < 3; ++i) {
    const JwNonlinear form = forms[i / 2];
    const bool modes = i > 0;
    const JwStringDef def = nylon_as(form, modes ? JW_METHOD_MODES : JW_METHOD_GRID, modes ? 1 : 0);
    const double rest = period_of(&def, 96000.0, 1e-7, 20);
    for (int j = 0; j < 4; ++j) {
      const Duffing still = duffing(form, 0.0), exact = duffing(form, amplitudes[j]);
      const double wanted =
          1200.0 * log2(0.5 * acos(-1.0) / quarter_period(exact.m) * exact.w / still.w);
      const double cents = 1200.0 * log2(rest / period_of(&def, 96000.0, amplitudes[j], 20));
      print_message("# %s by %s, %g mm: %.4f cents, exactly %.4f\n", i / 2 ? "local" : "mean",
                    modes ? "modes" : "grid", 1e3 * amplitudes[j], cents, wanted);
      assert_true(fabs(cents - wanted) < 0.005 * wanted);
    }
  }
}

// On a grid the same as by so many modes that no more are heard, and both converge.
static void a_local_grid_rises_as_its_modes_do(void** state) {
  (void)state;
  const JwStringDef grid = nylon_as(JW_NONLINEAR_LOCAL, JW_METHOD_GRID, 0),
                    modes = nylon_as(JW_NONLINEAR_LOCAL, JW_METHOD_MODES, 30);
  const double rest[2] = {period_of(&grid, 96000.0, 1e-7, 20),
                          period_of(&modes, 96000.0, 1e-7, 20)};
  for (int i = 1; i <= 4; i *= 2) {
    const double by_grid = 1200.0 * log2(rest[0] / period_of(&grid, 96000.0, 1e-3 * i, 20)),
                 by_modes = 1200.0 * log2(rest[1] / period_of(&modes, 96000.0, 1e-3 * i, 20));
    print_message("# local, %d mm: %.4f cents on a grid, %.4f by modes\n", i, by_grid, by_modes);
    assert_true(fabs(by_grid - by_modes) < 0.02 * by_modes);
  }
}

// ---------------------------------------------------------------- against Runge and Kutta

#define MODES 12
#define PLACES                                                                                     \
  64 // In the middles of equal parts: for sums of four cosines of 12 modes 25 are enough

// The string's first modes written out, q'' = -w^2 q - (slope of V)/m, with nothing of the library.
static void accelerations(const JwStringDef* def, const double* q, double* a) {
  const double pi = acos(-1.0), length = def->length, excess = def->stretching - def->tension;
  double pull[MODES] = {0.0}, squares = 0.0;
  for (int p = 1; p <= MODES; ++p) {
    squares += 0.5 * p * pi * (p * pi) / length * q[p - 1] * q[p - 1];
  }
  for (int p = 1; p <= MODES && def->nonlinear == JW_NONLINEAR_MEAN; ++p) {
    pull[p - 1] = excess / (4.0 * length) * squares * p * pi * (p * pi) / length * q[p - 1];
  }
  for (int j = 0; j < PLACES && def->nonlinear == JW_NONLINEAR_LOCAL; ++j) {
    double wave[MODES], s = 0.0;
    for (int p = 1; p <= MODES; ++p) {
      wave[p - 1] = p * pi / length * cos(p * pi * (j + 0.5) / PLACES);
      s += wave[p - 1] * q[p - 1];
    }
    const double t = excess * s * (1.0 - 1.0 / sqrt(1.0 + s * s));
    for (int p = 0; p < MODES; ++p) {
      pull[p] += length / PLACES * t * wave[p];
    }
  }
  for (int p = 1; p <= MODES; ++p) {
    const double k2 = p * pi / length * (p * pi / length);
    a[p - 1] = -k2 * (def->tension + def->bending * k2) / def->mass_per_length * q[p - 1]
               - pull[p - 1] / (0.5 * def->mass_per_length * length);
  }
}

static void advance_exactly(const JwStringDef* def, double k, double* q, double* v) {
  static const double part[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  double dq[MODES] = {0.0}, dv[MODES] = {0.0}, sum_q[MODES] = {0.0}, sum_v[MODES] = {0.0};
  for (int i = 0; i < 4; ++i) {
    double at[MODES], speed[MODES];
    for (int p = 0; p < MODES; ++p) {
      at[p] = q[p] + part[i] * k * dq[p];
      speed[p] = v[p] + part[i] * k * dv[p];
    }
    accelerations(def, at, dv);
    for (int p = 0; p < MODES; ++p) {
      dq[p] = speed[p];
      sum_q[p] += weight[i] * dq[p];
      sum_v[p] += weight[i] * dv[p];
    }
  }
  for (int p = 0; p < MODES; ++p) {
    q[p] += k / 6.0 * sum_q[p];
    v[p] += k / 6.0 * sum_v[p];
  }
}

typedef struct {
  double displacement, force, drift; // Relative, in the mean square; of sqrt(2 E) at most
} Errors;

static const JwPoint* point_of(const JwWorld* world, const JwObject* object) {
  return &world->points[object->row];
}

// sqrt(2 V) of the middle between the two states there are, against psi.
static double misfit_of(const JwWorld* world, const JwObject* object) {
  double* const middle = point_of(world, object)->stretch->middle; // Written anew in every step
  for (uint32_t i = 0; i < object->points; ++i) {
    middle[i] = 0.5 * (object->level[JW_NOW][i] + object->level[JW_PREV][i]);
  }
  const double asked = sqrt(2.0 * object->ops->strain(object, middle, NULL));
  return fabs(point_of(world, object)->step.state->psi - asked);
}

#define FINER 4

static Errors errors_of(const JwStringDef* def, double rate, double seconds, JwInitialShape shape,
                        double amplitude) {
  JwWorld* const world = new_world(rate, true);
  const JwObjectId id = add_string(world, def);
  bend(world, id, shape, 0.28, amplitude);
  MUST(world, jw_world_prepare(world));
  const JwObject* const object = jw_object_at(world, id.index - 1);
  double q[MODES], v[MODES] = {0.0}, sums[4] = {0.0}, drift = 0.0;
  assert_int_equal(jw_world_field(world, id, q, MODES), MODES);
  for (int n = 0; n < (int)(seconds * rate); ++n) {
    run_frames(world, 1);
    for (int i = 0; i < FINER; ++i) {
      advance_exactly(def, 1.0 / (FINER * rate), q, v);
    }
    double force[2] = {0.0, 0.0}; // On the left end, by the linear part
    for (int p = 0; p < MODES; ++p) {
      const double k = (p + 1) * acos(-1.0) / def->length, u = object->level[JW_NOW][p];
      sums[0] += (u - q[p]) * (u - q[p]);
      sums[1] += q[p] * q[p];
      force[0] += (def->tension * k + def->bending * k * k * k) * u;
      force[1] += (def->tension * k + def->bending * k * k * k) * q[p];
    }
    sums[2] += (force[0] - force[1]) * (force[0] - force[1]);
    sums[3] += force[1] * force[1];
    drift = object->local ? fmax(drift, misfit_of(world, object)) : 0.0;
  }
  const JwEnergy energy = jw_world_energy(world);
  assert_true(energy.worst_residual < 1e-11);
  jw_world_destroy(world);
  return (Errors){sqrt(sums[0] / sums[1]), sqrt(sums[2] / sums[3]),
                  drift / sqrt(2.0 * energy.peak)};
}

// A pluck of 4 mm, heard for a tenth of a second.
static void a_plucked_string_moves_as_its_equations(void** state) {
  (void)state;
  static const JwNonlinear forms[2] = {JW_NONLINEAR_MEAN, JW_NONLINEAR_LOCAL};
  for (int i = 0; i < 2; ++i) {
    const JwStringDef def = nylon_as(forms[i], JW_METHOD_MODES, MODES);
    const Errors at = errors_of(&def, 48000.0, 0.1, JW_SHAPE_TRIANGLE, 4e-3);
    print_message("# %s: displacement %.2g %%, force %.2g %%, drift %.2g\n", i ? "local" : "mean",
                  100.0 * at.displacement, 100.0 * at.force, at.drift);
    assert_true(at.displacement < 5e-4 && at.force < 2e-3 && at.drift < 1e-6);
  }
}

// Steel wire of 1 m pulled far aside: a third of its energy is in the stretch at 10 mm.
static void large_motions_converge_with_order_two(void** state) {
  (void)state;
  const double pi = acos(-1.0), radius = 3.556e-4, young = 174e9, area = pi * radius * radius;
  for (int i = 0; i < 4; ++i) {
    JwStringDef def = jw_string_default();
    def.length = 1.0, def.mass_per_length = 8050.0 * area, def.tension = 75.0;
    def.bending = young * area * radius * radius / 4.0, def.stretching = young * area;
    def.nonlinear = i / 2 ? JW_NONLINEAR_LOCAL : JW_NONLINEAR_MEAN;
    def.method = JW_METHOD_MODES, def.modes = MODES;
    const double amplitude = i % 2 ? 10e-3 : 5e-3;
    const Errors coarse = errors_of(&def, 44100.0, 0.05, JW_SHAPE_SINE, amplitude),
                 fine = errors_of(&def, 88200.0, 0.05, JW_SHAPE_SINE, amplitude);
    const double order = log2(coarse.displacement / fine.displacement);
    print_message("# %s, %g mm: %.2g at 44.1 kHz, order %.2f\n", i / 2 ? "local" : "mean",
                  1e3 * amplitude, coarse.displacement, order);
    assert_true(order > 1.9 && order < 2.1);
  }
}

// A string without losses that is plucked hard and rattles on a fret, until all of its waves are in
// motion, the shortest too: psi, which then changes by a tenth in a frame, follows within two per cent of the
// whole.
static void a_local_load_stays_near_the_stretch(void** state) {
  (void)state;
  for (int kind = 0; kind < 2; ++kind) {
    JwWorld* const world = new_world(48000.0, true);
    JwStringDef def =
        nylon_as(JW_NONLINEAR_LOCAL, kind ? JW_METHOD_MODES : JW_METHOD_GRID, kind ? 40 : 0);
    const JwObjectId id = add_string(world, &def), fret = add_barrier(world, -1e-3);
    const JwContactId touch =
        add_collision(world, jw_port(fret, 0.0), jw_port(id, 0.3), JW_RULE_BOUNDED, 1e7);
    bend(world, id, JW_SHAPE_TRIANGLE, 0.28, 5e-3);
    MUST(world, jw_world_prepare(world));
    const JwObject* const object = jw_object_at(world, id.index - 1);
    double worst = 0.0;
    for (int n = 0; n < 24000; ++n) {
      run_frames(world, 1);
      worst = fmax(worst, misfit_of(world, object));
    }
    const JwEnergy energy = jw_world_energy(world);
    const double size = sqrt(2.0 * energy.peak);
    print_message("# %s: psi off by %.2g at most, ledger %.2g, %d closures\n",
                  kind ? "modes" : "grid", worst / size, energy.worst_residual,
                  (int)jw_world_contact_figures(world, touch).closures);
    assert_true(jw_world_contact_figures(world, touch).closures > 0);
    assert_true(worst < 2e-2 * size);
    assert_true(energy.worst_residual < 1e-11);
    jw_world_destroy(world);
  }
}

// A string that a finger of 5 g presses onto a fret, plucked, and left to fade: what is held bent by
// contacts hardly moves, so its load stands where the bend puts it only if the row knows what they
// push.  (As if nothing but the row pushed, it stood 2 % too high for as long as the finger was down.)
static void a_load_held_by_contacts_stands_on_the_stretch(void** state) {
  (void)state;
  for (int kind = 0; kind < 2; ++kind) {
    JwWorld* const world = new_world(48000.0, true);
    JwStringDef def =
        nylon_as(JW_NONLINEAR_LOCAL, kind ? JW_METHOD_MODES : JW_METHOD_GRID, kind ? 40 : 0);
    def.loss[0] = 20.0, def.loss[1] = 1e-2;
    const JwObjectId id = add_string(world, &def), fret = add_barrier(world, -1.3e-3);
    JwMassDef finger = jw_mass_default();
    finger.mass = 5e-3, finger.frequency = 60.0, finger.loss = 3.0, finger.position = -3.5e-3;
    finger.displacement = 3.5e-3;
    JwObjectId tip;
    MUST(world, jw_world_add_mass(world, &finger, &tip));
    add_collision(world, jw_port(fret, 0.0), jw_port(id, 0.7), JW_RULE_BOUNDED, 1e8);
    const JwContactId press =
        add_collision(world, jw_port(id, 0.5), jw_port(tip, 0.0), JW_RULE_BOUNDED, 1e7);
    bend(world, id, JW_SHAPE_TRIANGLE, 0.15, 1e-3);
    MUST(world, jw_world_prepare(world));
    run_frames(world, 38400);
    const JwObject* const object = jw_object_at(world, id.index - 1);
    const double psi = point_of(world, object)->step.state->psi;
    print_message("# %s: psi %.4g, off by %.2g of it\n", kind ? "modes" : "grid", psi,
                  misfit_of(world, object) / psi);
    assert_true(jw_world_contact_figures(world, press).closed && psi > 5e-4);
    assert_true(misfit_of(world, object) < 1e-4 * psi);
    assert_true(jw_world_energy(world).worst_residual < 1e-11);
    jw_world_destroy(world);
  }
}

// psi is kappa u+.K u, whatever else happens: what the state asks for, to rounding.
static void the_load_stays_on_the_stretch(void** state) {
  (void)state;
  for (int kind = 0; kind < 3; ++kind) {
    JwWorld* const world = new_world(48000.0, true);
    JwObjectId id;
    if (kind < 2) {
      const JwStringDef def = nylon(kind ? JW_METHOD_MODES : JW_METHOD_GRID, kind ? 40 : 0);
      id = add_string(world, &def);
    } else {
      JwPlateDef def = jw_plate_default();
      def.size[0] = 0.4, def.size[1] = 0.3, def.thickness = 5e-4;
      def.nonlinear = JW_NONLINEAR_MEAN;
      MUST(world, jw_world_add_plate(world, &def, &id));
    }
    const JwObjectId fret = add_barrier(world, kind < 2 ? -1e-3 : -1e-4);
    JwPort place = jw_port(id, 0.3);
    place.y = 0.4;
    const JwContactId touch = add_collision(world, jw_port(fret, 0.0), place, JW_RULE_BOUNDED, 1e7);
    bend(world, id, JW_SHAPE_HUMP, 0.4, 5e-3);
    MUST(world, jw_world_prepare(world));
    run_frames(world, 48000);
    const JwObject* const object = jw_object_at(world, id.index - 1);
    double* const ku = (double*)aligned_alloc(64, (object->size + 7) / 8 * 64);
    object->ops->stretch(object, object->stretch, object->level[JW_PREV], ku);
    double asked = 0.0;
    for (uint32_t i = 0; i < object->size; ++i) {
      asked += ku[i] * object->level[JW_NOW][i];
    }
    const double psi = world->points[object->row].step.state->psi,
                 size = sqrt(2.0 * jw_world_energy(world).peak);
    print_message("# kind %d: off by %.2g, ledger %.2g, %d closures\n", kind,
                  fabs(psi - asked) / size, jw_world_energy(world).worst_residual,
                  (int)jw_world_contact_figures(world, touch).closures);
    assert_true(jw_world_contact_figures(world, touch).closures > 0);
    // 48000 steps, each of which rounds psi by eps of the largest: random signs
    assert_true(fabs(psi - asked) < 8.0 * DBL_EPSILON * sqrt(48000.0) * size);
    assert_true(jw_world_energy(world).worst_residual < 1e-11);
    free(ku);
    jw_world_destroy(world);
  }
}

// Berger's plate: one sine of amplitude w rises as Duffing's oscillator with b of (8.1).
static void rise_as_bergers(JwMethod method) {
  const double pi = acos(-1.0), a = 0.4, h = 1e-3, young = 2e11, nu = 0.3, rho = 7850.0;
  const double g = pi * pi * (1.0 / (a * a) + 1.0 / (0.3 * 0.3)), area = a * 0.3;
  const double bending = young * h * h * h / (12.0 * (1.0 - nu * nu));
  // S = g (A/4) q^2, kappa^2 S^2/2 = c q^4/4, and the modal mass is rho h A/4
  const double kappa2 = young * h / (1.0 - nu * nu) / (4.0 * area), mass = rho * h * area / 4.0;
  const double linear = bending * g * g / (rho * h),
               cubic = 2.0 * kappa2 * (g * area / 4.0) * (g * area / 4.0) / mass;
  double period[2];
  const double amplitude[2] = {1e-8, 1e-3};
  for (int i = 0; i < 2; ++i) {
    JwWorld* const world = new_world(96000.0, false);
    JwPlateDef def = jw_plate_default();
    def.size[0] = a, def.size[1] = 0.3, def.thickness = h;
    def.young = young, def.poisson = nu, def.density = rho;
    def.nonlinear = JW_NONLINEAR_MEAN;
    def.method = method, def.modes = method == JW_METHOD_MODES ? 6 : def.modes;
    JwObjectId id;
    MUST(world, jw_world_add_plate(world, &def, &id));
    bend(world, id, JW_SHAPE_SINE, 0.5, amplitude[i]);
    MUST(world, jw_world_prepare(world));
    JwPort middle = jw_port(id, 0.5);
    middle.y = 0.5;
    double first = NAN, last = NAN, before = 1.0, u, v;
    for (int n = 1, seen = 0; seen <= 10; ++n) {
      run_frames(world, 1);
      MUST(world, jw_world_probe(world, middle, &u, &v));
      if (before > 0.0 && u <= 0.0) {
        last = n - 1 + before / (before - u);
        first = seen++ ? first : last;
      }
      before = u;
    }
    period[i] = (last - first) / 10.0;
    jw_world_destroy(world);
  }
  const double w2 = linear + cubic * 1e-6, m = cubic * 1e-6 / (2.0 * w2);
  const double wanted = 1200.0 * log2(0.5 * pi / quarter_period(m) * sqrt(w2 / linear));
  const double cents = 1200.0 * log2(period[0] / period[1]);
  print_message("# a plate of its own thickness: %.2f cents, exactly %.2f\n", cents, wanted);
  assert_true(wanted > 100.0 && fabs(cents - wanted) < 0.02 * wanted);
}

static void a_plate_rises_as_bergers(void** state) {
  (void)state;
  rise_as_bergers(JW_METHOD_GRID);
  rise_as_bergers(JW_METHOD_MODES);
}

// How long ten swings take after a time, from the velocity that the pickup hears.
static double pitch_at(const double* sound, double rate, double time) {
  double first = NAN, last = NAN;
  int seen = 0;
  for (int n = (int)(time * rate) + 1; seen <= 10; ++n) {
    if (sound[n - 1] > 0.0 && sound[n] <= 0.0) {
      last = n - 1 + sound[n - 1] / (sound[n - 1] - sound[n]);
      first = seen++ ? first : last;
    }
  }
  return 10.0 * rate / (last - first);
}

// The built-in scene: soft it stays, hard it comes down by more than a major third within a second.
// Heard at its middle, where the fundamental alone crosses zero.
static void a_string_plucked_hard_glides_down_to_its_pitch(void** state) {
  (void)state;
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  assert_int_equal(jw_builtin_load("glide", NULL, &scene), JW_STATUS_OK);
  assert_int_equal(jw_scene_build(scene, NULL, &world), JW_STATUS_OK);
  MUST(world, jw_world_prepare(world));
  static double sound[4 * 48000];
  const JwObjectId string = {1};
  for (int n = 0; n < 4 * 48000 - 10; ++n) {
    run_frames(world, 1);
    double velocity;
    MUST(world, jw_world_probe(world, jw_port(string, 0.5), &sound[n], &velocity));
  }
  const double soft = pitch_at(sound, 48000.0, 0.5), hard = pitch_at(sound, 48000.0, 2.05),
               later = pitch_at(sound, 48000.0, 3.5);
  print_message("# soft %.2f Hz, hard %.2f Hz, 1.5 s later %.2f Hz\n", soft, hard, later);
  assert_true(fabs(1200.0 * log2(soft / 65.406)) < 15.0);
  assert_true(1200.0 * log2(hard / soft) > 400.0 && 1200.0 * log2(later / soft) < 30.0);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
}

static void what_cannot_stiffen_is_refused(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, false);
  JwStringDef def = nylon(JW_METHOD_GRID, 0);
  JwObjectId id;
  def.ends[1] = JW_END_FREE;
  assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_BAD_VALUE);
  def = nylon(JW_METHOD_MODES, 0);
  def.ends[1] = JW_END_CLAMPED;
  assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_BAD_VALUE);
  def = nylon(JW_METHOD_GRID, 0);
  def.stretching = 10.0;
  assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(world),
                      "string '': stretching is 10 N, must be above the tension, 58.1277 N");
  def.stretching = JW_UNSET;
  assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_BAD_VALUE);
  JwPlateDef plate = jw_plate_default();
  plate.nonlinear = JW_NONLINEAR_MEAN, plate.edges[2] = JW_END_FREE;
  assert_int_equal(jw_world_add_plate(world, &plate, &id), JW_STATUS_BAD_VALUE);
  plate.edges[2] = JW_END_SUPPORTED, plate.bending = 10.0;
  assert_int_equal(jw_world_add_plate(world, &plate, &id), JW_STATUS_BAD_VALUE);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_mode_moves_as_an_elliptic_cosine),
      cmocka_unit_test(the_pitch_rises_as_the_elliptic_integral_says),
      cmocka_unit_test(a_local_grid_rises_as_its_modes_do),
      cmocka_unit_test(a_plucked_string_moves_as_its_equations),
      cmocka_unit_test(large_motions_converge_with_order_two),
      cmocka_unit_test(a_local_load_stays_near_the_stretch),
      cmocka_unit_test(a_load_held_by_contacts_stands_on_the_stretch),
      cmocka_unit_test(the_load_stays_on_the_stretch),
      cmocka_unit_test(a_plate_rises_as_bergers),
      cmocka_unit_test(a_string_plucked_hard_glides_down_to_its_pitch),
      cmocka_unit_test(what_cannot_stiffen_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
