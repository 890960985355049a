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

static JwStringDef nylon(JwMethod method, uint32_t modes) {
  JwStringDef def = jw_string_default();
  def.length = LENGTH, def.mass_per_length = MASS, def.tension = TENSION, def.bending = 310e-6;
  def.stretching = STRETCHING, def.nonlinear = JW_NONLINEAR_MEAN;
  def.method = method, def.modes = modes;
  return def;
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

// Of the first mode, whose modal mass is rA L/2.
static Duffing duffing(double amplitude) {
  const double k1 = acos(-1.0) / LENGTH, k2 = k1 * k1, mass = 0.5 * MASS * LENGTH;
  const double a = k2 * (TENSION + 310e-6 * k2) / MASS,
               b = (STRETCHING - TENSION) * LENGTH * k2 * k2 / (8.0 * mass);
  const double w2 = a + b * amplitude * amplitude;
  return (Duffing){sqrt(w2), b * amplitude * amplitude / (2.0 * w2)};
}

// The largest distance from A cn(W t | m) within 0.1 s, over A.
static double waveform_error(double rate, double amplitude) {
  JwWorld* const world = new_world(rate, true);
  const JwStringDef def = nylon(JW_METHOD_MODES, 1);
  const JwObjectId id = add_string(world, &def);
  bend(world, id, JW_SHAPE_SINE, 0.5, amplitude);
  MUST(world, jw_world_prepare(world));
  const Duffing exact = duffing(amplitude);
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

// Above the pitch without stretch, whose own error both share; 1.5 % for the grid, where S is that
// of a polygon, and what bends the first mode out of its shape is of the next order.
static void the_pitch_rises_as_the_elliptic_integral_says(void** state) {
  (void)state;
  static const double amplitudes[3] = {1e-3, 2e-3, 4e-3};
  for (int method = 0; method < 2; ++method) {
    JwStringDef def = nylon(method ? JW_METHOD_MODES : JW_METHOD_GRID, method ? 12 : 0);
    const double rest = period_of(&def, 96000.0, 1e-7, 20);
    for (int i = 0; i < 3; ++i) {
      const Duffing still = duffing(0.0), exact = duffing(amplitudes[i]);
      const double wanted =
          1200.0 * log2(0.5 * acos(-1.0) / quarter_period(exact.m) * exact.w / still.w);
      const double cents = 1200.0 * log2(rest / period_of(&def, 96000.0, amplitudes[i], 20));
      print_message("# %s, %g mm: %.4f cents, exactly %.4f\n", method ? "modes" : "grid",
                    1e3 * amplitudes[i], cents, wanted);
      assert_true(fabs(cents - wanted) < 0.015 * wanted);
    }
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
    double* const ku = (double*)calloc(object->size, sizeof(double));
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
static void a_plate_rises_as_bergers(void** state) {
  (void)state;
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
      cmocka_unit_test(the_load_stays_on_the_stretch),
      cmocka_unit_test(a_plate_rises_as_bergers),
      cmocka_unit_test(a_string_plucked_hard_glides_down_to_its_pitch),
      cmocka_unit_test(what_cannot_stiffen_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
