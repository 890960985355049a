// SPDX-License-Identifier: MIT
// Strings that move up and across, against what is known of them.
//
//   symbol  meaning                                                        unit
//   a, b    of one mode by the mean stretch: q'' = -a q - b |q|^2 q        1/s2, 1/(m2 s2)
//   A, B    half axes of its ellipse                                       m
//
// The nylon string is that of test_stretch.c.

#include "worlds.h"

#include <jawari/scene.h>

#include <math.h>

#define LENGTH 0.65
#define MASS 8.9535390627e-4
#define TENSION 58.1277438955
#define BENDING 310e-6
#define STRETCHING 2120.575

static JwStringDef nylon(JwNonlinear nonlinear, JwMethod method, uint32_t modes) {
  JwStringDef def = jw_string_default();
  def.length = LENGTH, def.mass_per_length = MASS, def.tension = TENSION, def.bending = BENDING;
  def.stretching = STRETCHING, def.nonlinear = nonlinear;
  def.method = method, def.modes = modes, def.directions = 2;
  return def;
}

static JwPort at(JwObjectId id, double x, double degrees) {
  JwPort port = jw_port(id, x);
  port.degrees = degrees;
  return port;
}

static double read_at(JwWorld* world, JwPort port) {
  double u;
  MUST(world, jw_world_probe(world, port, &u, NULL));
  return u;
}

static void start(JwWorld* world, JwObjectId id, JwInitialQuantity quantity, JwInitialShape shape,
                  double x, double amplitude, double degrees) {
  JwInitialDef def = jw_initial_default();
  def.object = id, def.quantity = quantity, def.shape = shape, def.x = x;
  def.amplitude = amplitude, def.degrees = degrees;
  MUST(world, jw_world_add_initial(world, &def));
}

// ---------------------------------------------------------------- linear

// Pulled up, and with a contact below, it is the string of one direction to the bit, and nothing
// moves across.
static void up_alone_it_is_the_string_of_one_direction(void** state) {
  (void)state;
  for (int method = 0; method < 2; ++method) {
    double last[2];
    for (uint32_t directions = 1; directions <= 2; ++directions) {
      JwWorld* const world = new_world(48000.0, true);
      JwStringDef def = nylon(JW_NONLINEAR_NONE, (JwMethod)method, method ? 40 : 0);
      def.directions = directions, def.loss[0] = 1.0, def.loss[1] = 1e-3;
      const JwObjectId id = add_string(world, &def), fret = add_barrier(world, -1e-3);
      const JwContactId touch =
          add_collision(world, jw_port(fret, 0.0), jw_port(id, 0.3), JW_RULE_BOUNDED, 1e7);
      start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_TRIANGLE, 0.28, 4e-3, 0.0);
      MUST(world, jw_world_prepare(world));
      run_frames(world, 9600);
      last[directions - 1] = read_at(world, jw_port(id, 0.7));
      assert_true(jw_world_contact_figures(world, touch).closures > 3);
      assert_true(directions == 1 || read_at(world, at(id, 0.7, 90.0)) == 0.0);
      assert_true(jw_world_energy(world).worst_residual < 1e-11);
      jw_world_destroy(world);
    }
    assert_true(last[0] == last[1] && last[0] != 0.0);
  }
}

// A linear string that is pulled and heard in any direction moves as if that were up; a quarter turn
// away nothing is heard.  Both parts are rounded, hence some eps of the amplitude a period.
static void no_direction_is_special_to_a_linear_string(void** state) {
  (void)state;
  static const double degrees[5] = {0.0, 90.0, 30.0, -135.0, 180.0};
  for (int method = 0; method < 2; ++method) {
    double up = 0.0;
    for (int i = 0; i < 5; ++i) {
      JwWorld* const world = new_world(48000.0, true);
      const JwStringDef def = nylon(JW_NONLINEAR_NONE, (JwMethod)method, method ? 40 : 0);
      const JwObjectId id = add_string(world, &def);
      JwForceDef pluck = jw_force_default();
      pluck.port = at(id, 0.2, degrees[i]), pluck.shape = JW_FORCE_PLUCK, pluck.duration = 5e-3;
      MUST(world, jw_world_add_force(world, &pluck, NULL));
      MUST(world, jw_world_prepare(world));
      run_frames(world, 4800);
      const double along = read_at(world, at(id, 0.7, degrees[i])),
                   across = read_at(world, at(id, 0.7, fmod(degrees[i] + 270.0, 360.0) - 180.0));
      up = i ? up : along;
      assert_true(fabs(up) > 1e-4);
      assert_true(fabs(along - up) < 1e-14 && fabs(across) < 1e-14);
      assert_true(jw_world_energy(world).worst_residual < 1e-12);
      jw_world_destroy(world);
    }
  }
}

// A body that a spring ties to it upwards alone takes the motion up and leaves that across: so a
// pluck at 45 degrees decays with two rates.
static void a_body_in_one_direction_gives_two_rates_of_decay(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, true);
  JwStringDef def = nylon(JW_NONLINEAR_NONE, JW_METHOD_MODES, 20);
  def.loss[0] = 0.5;
  const JwObjectId id = add_string(world, &def);
  JwMassDef body = jw_mass_default();
  body.mass = 0.05, body.frequency = 90.0, body.loss = 40.0;
  JwObjectId mass;
  MUST(world, jw_world_add_mass(world, &body, &mass));
  JwSpringDef tie = jw_spring_default();
  tie.a = jw_port(id, 0.97), tie.b = jw_port(mass, 0.0), tie.linear = 1e5;
  MUST(world, jw_world_add_spring(world, &tie, NULL));
  start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_TRIANGLE, 0.2, 2e-3, 45.0);
  MUST(world, jw_world_prepare(world));
  double loudest[2][2] = {{0.0}}; // At the start and after half a second, up and across
  for (int n = 0; n < 28800; ++n) {
    run_frames(world, 1);
    for (int d = 0; d < 2 && (n < 4800 || n >= 24000); ++d) {
      const double u = fabs(read_at(world, at(id, 0.3, 90.0 * d)));
      loudest[n >= 24000][d] = fmax(loudest[n >= 24000][d], u);
    }
  }
  const double up = loudest[1][0] / loudest[0][0], across = loudest[1][1] / loudest[0][1];
  print_message("# after half a second %.3f of it is left up, %.3f across\n", up, across);
  assert_true(log(up) < 2.0 * log(across));           // The rate at least doubled
  assert_true(fabs(across - exp(-0.5 * 0.5)) < 0.03); // Its own loss alone
  assert_true(jw_world_energy(world).worst_residual < 1e-11);
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- whirling

static double wave_number(void) {
  return acos(-1.0) / LENGTH;
}

// a, and the b of the mean stretch: see test_stretch.c.
static double linear_square(void) {
  const double k2 = wave_number() * wave_number();
  return k2 * (TENSION + BENDING * k2) / MASS;
}

static double cubic(void) {
  const double k4 = pow(wave_number(), 4.0);
  return (STRETCHING - TENSION) * LENGTH * k4 / (0.5 * MASS * LENGTH) / 8.0;
}

// The force of the first mode whirled as a circle of radius A, over its modal mass: its stretch does
// not change with time, so one integral over the string says it (slowly, by many places).
static double pull_of_circle(JwNonlinear nonlinear, double radius) {
  if (nonlinear == JW_NONLINEAR_MEAN) {
    return cubic() * radius * radius * radius;
  }
  enum { PLACES = 4096 };
  double sum = 0.0;
  for (int j = 0; j < PLACES; ++j) {
    const double c = wave_number() * cos(acos(-1.0) * (j + 0.5) / PLACES), s = c * radius;
    sum += c * s * (1.0 - 1.0 / sqrt(1.0 + s * s)) / PLACES;
  }
  return (STRETCHING - TENSION) * LENGTH * sum / (0.5 * MASS * LENGTH);
}

// Started with the speed that keeps it on its circle, one mode goes round with exactly that speed:
// there are no higher terms.  0.1 s are some 20 turns.
static void one_mode_whirls_as_exactly_as_it_should(void** state) {
  (void)state;
  static const JwNonlinear forms[2] = {JW_NONLINEAR_MEAN, JW_NONLINEAR_LOCAL};
  for (int i = 0; i < 4; ++i) {
    const JwNonlinear form = forms[i / 2];
    const double radius = i % 2 ? 1e-2 : 4e-3;
    const double w = sqrt(linear_square() + pull_of_circle(form, radius) / radius);
    double miss[2];
    for (int finer = 0; finer < 2; ++finer) {
      const double rate = finer ? 96000.0 : 48000.0;
      JwWorld* const world = new_world(rate, true);
      const JwStringDef def = nylon(form, JW_METHOD_MODES, 1);
      const JwObjectId id = add_string(world, &def);
      start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_SINE, 0.5, radius, 0.0);
      start(world, id, JW_INITIAL_VELOCITY, JW_SHAPE_SINE, 0.5, w * radius, 90.0);
      MUST(world, jw_world_prepare(world));
      miss[finer] = 0.0;
      for (int n = 1; n <= (int)(0.1 * rate); ++n) {
        run_frames(world, 1);
        miss[finer] = fmax(miss[finer],
                           hypot(read_at(world, at(id, 0.5, 0.0)) - radius * cos(w * n / rate),
                                 read_at(world, at(id, 0.5, 90.0)) - radius * sin(w * n / rate)));
      }
      assert_true(jw_world_energy(world).worst_residual < 1e-12);
      jw_world_destroy(world);
    }
    print_message("# %s, %g mm: off by %.2g of the radius, order %.2f\n", i / 2 ? "local" : "mean",
                  1e3 * radius, miss[0] / radius, log2(miss[0] / miss[1]));
    assert_true(miss[0] < 2e-3 * radius);
    assert_true(log2(miss[0] / miss[1]) > 1.9 && log2(miss[0] / miss[1]) < 2.1);
  }
}

// An ellipse turns against the motion by b A B/4w a second, to first order in b (8.8): where it is longest is seen after 200 turns.
static void an_ellipse_turns_as_perturbation_says(void** state) {
  (void)state;
  const double rate = 96000.0, a = 1e-3, b = 0.4e-3, w = sqrt(linear_square());
  JwWorld* const world = new_world(rate, false);
  const JwStringDef def = nylon(JW_NONLINEAR_MEAN, JW_METHOD_MODES, 1);
  const JwObjectId id = add_string(world, &def);
  start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_SINE, 0.5, a, 0.0);
  start(world, id, JW_INITIAL_VELOCITY, JW_SHAPE_SINE, 0.5, w * b, 90.0);
  MUST(world, jw_world_prepare(world));
  const int frames = (int)(200.0 * 2.0 * acos(-1.0) / w * rate);
  run_frames(world, frames);
  double xx = 0.0, xy = 0.0, yy = 0.0; // Second moments over one turn
  for (int n = 0; n < (int)(2.0 * acos(-1.0) / w * rate); ++n) {
    run_frames(world, 1);
    const double x = read_at(world, at(id, 0.5, 0.0)), y = read_at(world, at(id, 0.5, 90.0));
    xx += x * x, xy += x * y, yy += y * y;
  }
  const double turned = 0.5 * atan2(2.0 * xy, xx - yy),
               wanted = -cubic() * a * b / (4.0 * w) * (frames / rate + acos(-1.0) / w);
  print_message("# turned by %.4f, wanted %.4f rad\n", turned, wanted);
  assert_true(wanted < -0.01);
  assert_true(fabs(turned - wanted) < 0.02 * fabs(wanted));
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- against Runge and Kutta

#define MODES 8
#define PLACES 64 // For sums of four cosines of 8 modes 17 are enough

// q[d][p], by nothing of the library.
static void accelerations(JwNonlinear form, double q[2][MODES], double a[2][MODES]) {
  const double pi = acos(-1.0), excess = STRETCHING - TENSION;
  double pull[2][MODES] = {{0.0}}, squares = 0.0;
  for (int i = 0; i < 2 * MODES; ++i) {
    const double k = (i % MODES + 1) * pi / LENGTH;
    squares += 0.5 * LENGTH * k * k * q[i / MODES][i % MODES] * q[i / MODES][i % MODES];
  }
  for (int i = 0; i < 2 * MODES && form == JW_NONLINEAR_MEAN; ++i) {
    const double k = (i % MODES + 1) * pi / LENGTH;
    pull[i / MODES][i % MODES] = excess / 4.0 * squares * k * k * q[i / MODES][i % MODES];
  }
  for (int j = 0; j < PLACES && form == JW_NONLINEAR_LOCAL; ++j) {
    double s[2] = {0.0, 0.0}, wave[MODES];
    for (int p = 0; p < MODES; ++p) {
      wave[p] = (p + 1) * pi / LENGTH * cos((p + 1) * pi * (j + 0.5) / PLACES);
      s[0] += wave[p] * q[0][p];
      s[1] += wave[p] * q[1][p];
    }
    const double t = excess * (1.0 - 1.0 / sqrt(1.0 + s[0] * s[0] + s[1] * s[1]));
    for (int i = 0; i < 2 * MODES; ++i) {
      pull[i / MODES][i % MODES] += LENGTH / PLACES * t * s[i / MODES] * wave[i % MODES];
    }
  }
  for (int i = 0; i < 2 * MODES; ++i) {
    const double k2 = pow((i % MODES + 1) * pi / LENGTH, 2.0);
    a[i / MODES][i % MODES] = -k2 * (TENSION + BENDING * k2) / MASS * q[i / MODES][i % MODES]
                              - pull[i / MODES][i % MODES] / (0.5 * MASS * LENGTH);
  }
}

typedef struct {
  double q[2][MODES], v[2][MODES];
} Motion;

static Motion moved(const Motion* from, double k, double v[2][MODES], double a[2][MODES]) {
  Motion to = *from;
  for (int i = 0; i < 2 * MODES; ++i) {
    to.q[i / MODES][i % MODES] += k * v[i / MODES][i % MODES];
    to.v[i / MODES][i % MODES] += k * a[i / MODES][i % MODES];
  }
  return to;
}

static void advance_exactly(JwNonlinear form, double k, Motion* m) {
  double a[4][2][MODES];
  Motion at[4] = {*m};
  static const double part[3] = {0.5, 0.5, 1.0};
  for (int i = 0; i < 4; ++i) {
    accelerations(form, at[i].q, a[i]);
    if (i < 3) {
      at[i + 1] = moved(m, part[i] * k, at[i].v, a[i]);
    }
  }
  for (int i = 0; i < 2 * MODES; ++i) {
    const int d = i / MODES, p = i % MODES;
    m->q[d][p] +=
        k / 6.0 * (at[0].v[d][p] + 2.0 * at[1].v[d][p] + 2.0 * at[2].v[d][p] + at[3].v[d][p]);
    m->v[d][p] += k / 6.0 * (a[0][d][p] + 2.0 * a[1][d][p] + 2.0 * a[2][d][p] + a[3][d][p]);
  }
}

static double error_against_exact(JwNonlinear form, double rate) {
  JwWorld* const world = new_world(rate, true);
  const JwStringDef def = nylon(form, JW_METHOD_MODES, MODES);
  const JwObjectId id = add_string(world, &def);
  start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_TRIANGLE, 0.28, 3e-3, 20.0);
  start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_TRIANGLE, 0.6, 2e-3, -80.0);
  MUST(world, jw_world_prepare(world));
  Motion exact = {{{0.0}}, {{0.0}}};
  double field[2 * MODES], sums[2] = {0.0, 0.0};
  assert_int_equal(jw_world_field(world, id, field, 2 * MODES), 2 * MODES);
  memcpy(exact.q, field, sizeof field);
  for (int n = 0; n < (int)(0.1 * rate); ++n) {
    run_frames(world, 1);
    for (int i = 0; i < 4; ++i) {
      advance_exactly(form, 0.25 / rate, &exact);
    }
    (void)jw_world_field(world, id, field, 2 * MODES);
    for (int i = 0; i < 2 * MODES; ++i) {
      const double q = exact.q[i / MODES][i % MODES];
      sums[0] += (field[i] - q) * (field[i] - q);
      sums[1] += q * q;
    }
  }
  assert_true(jw_world_energy(world).worst_residual < 1e-11);
  jw_world_destroy(world);
  return sqrt(sums[0] / sums[1]);
}

// Two plucks in two directions.
static void plucks_whirl_as_their_equations_say(void** state) {
  (void)state;
  static const JwNonlinear forms[2] = {JW_NONLINEAR_MEAN, JW_NONLINEAR_LOCAL};
  for (int i = 0; i < 2; ++i) {
    const double coarse = error_against_exact(forms[i], 48000.0),
                 fine = error_against_exact(forms[i], 96000.0);
    print_message("# %s: %.2g at 48 kHz, order %.2f\n", i ? "local" : "mean", coarse,
                  log2(coarse / fine));
    assert_true(coarse < 1e-3 && log2(coarse / fine) > 1.9 && log2(coarse / fine) < 2.1);
  }
}

// On a grid as by so many modes that no more are heard: after 50 ms within what 96 kHz leaves of
// the grid's dispersion.
static void a_grid_whirls_as_its_modes_do(void** state) {
  (void)state;
  static const JwNonlinear forms[2] = {JW_NONLINEAR_MEAN, JW_NONLINEAR_LOCAL};
  for (int i = 0; i < 2; ++i) {
    double u[2][2];
    for (int method = 0; method < 2; ++method) {
      JwWorld* const world = new_world(96000.0, true);
      const JwStringDef def = nylon(forms[i], (JwMethod)method, method ? 30 : 0);
      const JwObjectId id = add_string(world, &def);
      start(world, id, JW_INITIAL_DISPLACEMENT, JW_SHAPE_SINE, 0.5, 4e-3, 0.0);
      start(world, id, JW_INITIAL_VELOCITY, JW_SHAPE_SINE, 0.5, 2.0, 90.0);
      MUST(world, jw_world_prepare(world));
      run_frames(world, 4800);
      u[method][0] = read_at(world, at(id, 0.4, 0.0));
      u[method][1] = read_at(world, at(id, 0.4, 90.0));
      assert_true(jw_world_energy(world).worst_residual < 1e-11);
      jw_world_destroy(world);
    }
    print_message("# %s: %.4g, %.4g mm on a grid, %.4g, %.4g by modes\n", i ? "local" : "mean",
                  1e3 * u[0][0], 1e3 * u[0][1], 1e3 * u[1][0], 1e3 * u[1][1]);
    assert_true(hypot(u[0][0] - u[1][0], u[0][1] - u[1][1]) < 0.01 * hypot(u[1][0], u[1][1]));
  }
}

// ---------------------------------------------------------------- what is refused

static void a_direction_that_is_not_there_is_refused(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, true);
  JwStringDef def = nylon(JW_NONLINEAR_NONE, JW_METHOD_GRID, 0);
  const JwObjectId two = add_string(world, &def), fret = add_barrier(world, -1e-3);
  def.directions = 1;
  const JwObjectId one = add_string(world, &def);
  JwForceDef force = jw_force_default();
  force.port = at(one, 0.3, 10.0), force.name = "finger";
  assert_int_equal(jw_world_add_force(world, &force, NULL), JW_STATUS_BAD_VALUE);
  assert_non_null(strstr(jw_world_error(world), "is 10, must be 0: it moves in one direction"));
  force.port = at(two, 0.3, 181.0);
  assert_int_equal(jw_world_add_force(world, &force, NULL), JW_STATUS_BAD_VALUE);
  JwCollisionDef along = jw_collision_default();
  along.below = jw_port(fret, 0.0), along.above = at(two, 0.0, 90.0), along.stiffness = 1e7;
  along.along = true;
  assert_int_equal(jw_world_add_collision(world, &along, NULL), JW_STATUS_BAD_VALUE);
  assert_non_null(strstr(jw_world_error(world), "degrees is 90, must be 0 along a string"));
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(up_alone_it_is_the_string_of_one_direction),
      cmocka_unit_test(no_direction_is_special_to_a_linear_string),
      cmocka_unit_test(a_body_in_one_direction_gives_two_rates_of_decay),
      cmocka_unit_test(one_mode_whirls_as_exactly_as_it_should),
      cmocka_unit_test(an_ellipse_turns_as_perturbation_says),
      cmocka_unit_test(plucks_whirl_as_their_equations_say),
      cmocka_unit_test(a_grid_whirls_as_its_modes_do),
      cmocka_unit_test(a_direction_that_is_not_there_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
