// SPDX-License-Identifier: MIT
// Modes of strings and bars with any ends.

#include "test.h"

#include "object/string_shapes.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define PI 3.14159265358979323846

static JwHeldString held(double tension, double bending, JwEnd left, JwEnd right) {
  JwHeldString s = {{0.01, bending, tension, {0.0, 0.0}}, 0.7, {left, right}};
  return s;
}

// (beta L) of bars without tension, from the tables; f = (beta L)^2 / (2 pi L^2) sqrt(EI/rA).  The
// roots are bisected to rounding, the constants have 15 digits, and the square doubles an error:
// 1e-14.
static void bars_have_the_tabulated_frequencies(void** state) {
  (void)state;
  static const struct {
    JwEnd ends[2];
    uint32_t rigid;
    double constants[3];
  } bars[] = {
      {{JW_END_SUPPORTED, JW_END_SUPPORTED}, 0, {PI, 2.0 * PI, 3.0 * PI}},
      {{JW_END_CLAMPED, JW_END_CLAMPED},
       0,
       {4.730040744862704, 7.853204624095838, 10.995607838001671}},
      {{JW_END_FREE, JW_END_FREE}, 2, {4.730040744862704, 7.853204624095838, 10.995607838001671}},
      {{JW_END_CLAMPED, JW_END_FREE}, 0, {1.875104068711961, 4.694091132974175, 7.854757438237612}},
      {{JW_END_FREE, JW_END_CLAMPED}, 0, {1.875104068711961, 4.694091132974175, 7.854757438237612}},
      {{JW_END_CLAMPED, JW_END_SUPPORTED},
       0,
       {3.926602312047919, 7.068582745628732, 10.210176122813031}},
      {{JW_END_SUPPORTED, JW_END_FREE},
       1,
       {3.926602312047919, 7.068582745628732, 10.210176122813031}},
  };
  for (size_t i = 0; i < sizeof bars / sizeof bars[0]; ++i) {
    const JwHeldString s = held(0.0, 2.0, bars[i].ends[0], bars[i].ends[1]);
    JwShape shapes[8];
    assert_int_equal(jw_string_shapes(&s, HUGE_VAL, bars[i].rigid + 3, shapes), bars[i].rigid + 3);
    for (uint32_t r = 0; r < bars[i].rigid; ++r) {
      assert_true(shapes[r].frequency == 0.0);
    }
    for (int m = 0; m < 3; ++m) {
      const double c = bars[i].constants[m];
      const double expected =
          c * c / (2.0 * PI * s.length * s.length) * sqrt(s.physics.bending / s.physics.mass);
      assert_true(fabs(shapes[bars[i].rigid + m].frequency / expected - 1.0) < 1e-13);
    }
  }
}

static double product(const JwHeldString* s, const JwShape* a, const JwShape* b, int steps) {
  double sum = 0.0;
  for (int i = 0; i <= steps; ++i) { // Simpson
    const double x = s->length * i / steps, w = i == 0 || i == steps ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += w * jw_shape_at(a, s->length, x) * jw_shape_at(b, s->length, x);
  }
  return s->physics.mass * sum * s->length / (3.0 * steps);
}

// Modes of a self-adjoint problem are orthogonal, so a wrong root or coefficient shows here.
// Simpson with 4000 steps is exact to (2 beta h)^4/180 = 3e-10, the highest beta being 43/m; the
// norms by Gauss-Legendre to 1e-9.
static void modes_of_all_ends_are_orthogonal_and_normed(void** state) {
  (void)state;
  for (int left = 0; left < 3; ++left) {
    for (int right = 0; right < 3; ++right) {
      for (int kind = 0; kind < 3; ++kind) {
        const JwHeldString s =
            held(kind == 0 ? 0.0 : 100.0, kind == 2 ? 0.0 : 0.5, (JwEnd)left, (JwEnd)right);
        JwShape shapes[9];
        const uint32_t n = jw_string_shapes(&s, HUGE_VAL, 9, shapes);
        assert_int_equal(n, 9);
        for (uint32_t i = 0; i < n; ++i) {
          assert_true(i == 0 || shapes[i].frequency >= shapes[i - 1].frequency);
          assert_true(fabs(product(&s, &shapes[i], &shapes[i], 4000) / shapes[i].mass - 1.0)
                      < 1e-8);
          for (uint32_t j = 0; j < i; ++j) {
            assert_true(fabs(product(&s, &shapes[i], &shapes[j], 4000))
                        < 1e-8 * sqrt(shapes[i].mass * shapes[j].mass));
          }
        }
      }
    }
  }
}

// From the fiftieth half wave on norms are written down instead of integrated; the shapes on either
// side must not tell. Simpson: the highest beta is 260/m, so that 40000 steps are exact to (2 beta
// h)^4/180 = 4e-11 of a mode whose square is about a half; the norms by Gauss-Legendre to 1e-9.
static void high_modes_are_normed(void** state) {
  (void)state;
  for (int i = 0; i < 18; ++i) {
    const JwHeldString s = held(i % 2 ? 100.0 : 0.0, 0.5, (JwEnd)(i / 2 % 3), (JwEnd)(i / 6));
    JwShape shapes[56];
    assert_int_equal(jw_string_shapes(&s, HUGE_VAL, 56, shapes), 56);
    for (uint32_t m = 44; m < 56; ++m) {
      assert_true(shapes[m].beta < 260.0);
      assert_true(fabs(product(&s, &shapes[m], &shapes[m], 40000) / shapes[m].mass - 1.0) < 1e-8);
    }
  }
}

#define MODES 56

// The frequency of a mode under a tension, squared (rad^2/s^2).
static double squared(JwHeldString s, double tension, uint32_t mode) {
  JwShape shapes[MODES];
  s.physics.tension = tension;
  assert_int_equal(jw_string_shapes(&s, HUGE_VAL, mode + 1, shapes), mode + 1);
  return 4.0 * PI * PI * shapes[mode].frequency * shapes[mode].frequency;
}

// To first order a mode keeps its shape when the tension changes, so that d(w^2)/dT = integral
// X'^2/(rA integral X^2): the mean squared wave number, which the losses of high modes go by, is rA
// times the slope of the squared frequency. Differences of second order with steps of 1e-3 of T, or
// from T = 0 of EI/L^2, miss (1e-3)^2 times a third derivative that, in these units, is below 1;
// roots to 1e-15 of w^2, at most 1e3 of these units, add 1e-9.
static void a_mode_rises_with_the_tension_by_its_mean_squared_wave_number(void** state) {
  (void)state;
  for (int i = 0; i < 27; ++i) {
    const JwHeldString s =
        held(i % 3 == 0 ? 0.0 : 100.0, i % 3 == 2 ? 0.0 : 0.5, (JwEnd)(i / 3 % 3), (JwEnd)(i / 9));
    const double t = s.physics.tension,
                 h = 1e-3 * (t > 0.0 ? t : s.physics.bending / (s.length * s.length));
    JwShape shapes[MODES];
    assert_int_equal(jw_string_shapes(&s, HUGE_VAL, MODES, shapes), MODES);
    for (uint32_t m = 0; m < MODES;
         m +=
         m == 5 ? MODES - 7 : 1) { // The first six and the last two, which have many half waves
      const double rise =
          t > 0.0 ? (squared(s, t + h, m) - squared(s, t - h, m)) / (2.0 * h)
                  : (4.0 * squared(s, h, m) - squared(s, 2.0 * h, m) - 3.0 * squared(s, 0.0, m))
                        / (2.0 * h);
      assert_true(fabs(s.physics.mass * rise - shapes[m].slope) <= 2e-6 * shapes[m].slope);
    }
  }
}

// With other ends than supported the tension is searched for; the fundamental must come out as
// asked.
static void the_wanted_fundamental_comes_out_for_all_ends(void** state) {
  (void)state;
  for (int left = 0; left < 3; ++left) {
    for (int right = 0; right < 3; ++right) {
      for (int method = 0; method < 2; ++method) {
        JwWorldDef world_def = jw_world_default();
        JwWorld* world = NULL;
        assert_int_equal(jw_world_create(&world_def, &world), JW_STATUS_OK);
        JwStringDef def = jw_string_default();
        def.length = 0.8;
        def.radius = 3e-4;
        def.frequency = 110.0;
        def.ends[0] = (JwEnd)left;
        def.ends[1] = (JwEnd)right;
        def.method = (JwMethod)method;
        JwObjectId id;
        assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_OK);
        assert_true(fabs(jw_world_object_info(world, id).fundamental / 110.0 - 1.0)
                    < (method ? 1e-12 : 1e-7));
        jw_world_destroy(world);
      }
    }
  }
}

// 10 ms of a plucked string, seen at 0.7 of its length, 441 times.
static void pluck(JwStringDef def, int factor, double out[441]) {
  JwWorldDef world_def = jw_world_default();
  world_def.ledger = true;
  world_def.sample_rate = 44100.0 * factor;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&world_def, &world), JW_STATUS_OK);
  JwObjectId id;
  assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_OK);
  JwInitialDef initial = jw_initial_default();
  initial.object = id;
  initial.shape = JW_SHAPE_HUMP;
  initial.x = 0.4;
  initial.width = 0.4;
  assert_int_equal(jw_world_add_initial(world, &initial), JW_STATUS_OK);
  JwPickupDef pickup = jw_pickup_default();
  pickup.quantity = JW_QUANTITY_DISPLACEMENT;
  pickup.port = jw_port(id, 0.7);
  JwPickupId heard;
  assert_int_equal(jw_world_add_pickup(world, &pickup, &heard), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  for (int i = 0; i < 441; ++i) {
    double block[4];
    double* const channels[1] = {block};
    assert_int_equal(jw_world_run_double(world, channels, (uint32_t)factor), JW_STATUS_OK);
    out[i] = block[factor - 1];
  }
  assert_true(jw_world_energy(world).worst_residual < 1e-9);
  jw_world_destroy(world);
}

static double distance(const double* a, const double* b) {
  double error = 0.0, size = 0.0;
  for (int i = 0; i < 441; ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  assert_true(size > 0.0);
  return sqrt(error / size);
}

// Modes are exact at any rate.  The grid's error is of second order in its spacing h, and stability
// lays h as the square root of the time step where bending rules: first order in the time step, so
// four times the rate leaves about a quarter.
static void the_grid_converges_to_the_modes_for_all_ends(void** state) {
  (void)state;
  for (int left = 0; left < 3; ++left) {
    for (int right = 0; right < 3; ++right) {
      static double modes[441], coarse[441], fine[441];
      JwStringDef def = jw_string_default();
      def.length = 0.8;
      def.radius = 3e-4;
      def.tension = 70.0;
      def.loss[0] = 2.0; // Takes 2 % in this time, with the other a quarter of the tenth mode
      def.loss[1] = 0.02;
      def.ends[0] = (JwEnd)left;
      def.ends[1] = (JwEnd)right;
      pluck(def, 1, coarse);
      pluck(def, 4, fine);
      def.method = JW_METHOD_MODES;
      pluck(def, 1, modes);
      assert_true(distance(coarse, modes) < 0.05);
      assert_true(distance(fine, modes) < 0.5 * distance(coarse, modes));
    }
  }
}

static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Tuning asks for it some fifty times a string, and a refusal has 0.1 s: it searches one mode and integrates none.  Three modes with
// their norms cost five times as much or more; half of them is far from that on any machine.
static void
the_lowest_frequency_is_that_of_the_first_mode_and_nothing_else_is_computed(void** state) {
  (void)state;
  double alone = 0.0, whole = 0.0;
  for (int i = 0; i < 9 * 2 * 20; ++i) {
    const JwHeldString s = held(i / 9 % 2 ? 30.0 : 0.0, 1e-3, (JwEnd)(i % 3), (JwEnd)(i / 3 % 3));
    JwShape shapes[3];
    const double start = cpu();
    const double lowest = jw_string_lowest(&s);
    const double middle = cpu();
    const uint32_t count = jw_string_shapes(&s, HUGE_VAL, 3, shapes);
    whole += cpu() - middle;
    alone += middle - start;
    uint32_t first = 0;
    while (first < count && shapes[first].frequency == 0.0) {
      ++first;
    }
    assert_true(first < count && lowest == shapes[first].frequency);
  }
  print_message("# %.0f us each instead of %.0f\n", 1e6 * alone / 360.0, 1e6 * whole / 360.0);
  assert_true(alone < 0.5 * whole);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_have_the_tabulated_frequencies),
      cmocka_unit_test(modes_of_all_ends_are_orthogonal_and_normed),
      cmocka_unit_test(high_modes_are_normed),
      cmocka_unit_test(a_mode_rises_with_the_tension_by_its_mean_squared_wave_number),
      cmocka_unit_test(the_wanted_fundamental_comes_out_for_all_ends),
      cmocka_unit_test(the_grid_converges_to_the_modes_for_all_ends),
      cmocka_unit_test(the_lowest_frequency_is_that_of_the_first_mode_and_nothing_else_is_computed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
