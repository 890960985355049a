// SPDX-License-Identifier: MIT
// A string whose pitch is moved: by its tension, in hertz, in cents.

#include "worlds.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4000 };

typedef struct {
  JwWorld* world;
  JwObjectId string;
} Plucked;

static const JwEnd holdings[][2] = {
    {JW_END_SUPPORTED, JW_END_SUPPORTED}, {JW_END_CLAMPED, JW_END_CLAMPED},
    {JW_END_SUPPORTED, JW_END_CLAMPED},   {JW_END_CLAMPED, JW_END_FREE},
    {JW_END_SUPPORTED, JW_END_FREE},      {JW_END_FREE, JW_END_FREE},
};
enum { HOLDINGS = sizeof holdings / sizeof holdings[0] };

static JwStringDef stiff_string(int holding) {
  JwStringDef def = jw_string_default();
  def.length = 0.6, def.radius = 8e-4, def.frequency = 150.0, def.bend = 2.0;
  def.ends[0] = holdings[holding][0], def.ends[1] = holdings[holding][1];
  return def;
}

static Plucked plucked(const JwStringDef* def) {
  Plucked p = {new_world(44100.0, true), {0}};
  p.string = add_string(p.world, def);
  JwInitialDef pluck = jw_initial_default();
  pluck.object = p.string, pluck.x = 0.3;
  MUST(p.world, jw_world_add_initial(p.world, &pluck));
  add_pickup(p.world, jw_port(p.string, 0.4), JW_QUANTITY_DISPLACEMENT);
  return p;
}

static JwTarget scale_of(JwObjectId string, JwControl control) {
  const JwTarget target = {control, string, {0}, {0}, {0}};
  return target;
}

// On the same grid.
static double tension_for(JwStringDef def, double frequency) {
  JwWorld* const world = new_world(44100.0, false);
  def.points = jw_world_object_info(world, add_string(world, &def)).grid[0];
  def.frequency = frequency;
  def.bend = 1.0;
  const JwObjectId string = add_string(world, &def);
  const double tension = jw_world_object_info(world, string).tension;
  jw_world_destroy(world);
  return tension;
}

// Let it sound with one control at one value from the first frame on.
static void sound(const JwStringDef* def, JwControl control, double value, double out[FRAMES]) {
  Plucked p = plucked(def);
  MUST(p.world, jw_world_prepare(p.world));
  MUST(p.world, jw_world_set(p.world, scale_of(p.string, control), value, 0.0));
  run_into(p.world, out, FRAMES, 0, FRAMES);
  assert_true(jw_world_energy(p.world).worst_residual < 1e-9);
  jw_world_destroy(p.world);
}

static double distance(const double* a, const double* b) {
  double worst = 0.0, peak = 0.0;
  for (int i = 0; i < FRAMES; ++i) {
    worst = fmax(worst, fabs(a[i] - b[i]));
    peak = fmax(peak, fabs(b[i]));
  }
  assert_true(peak > 1e-4);
  return worst / peak;
}

// A tenth of a cent, 5.8e-5, turns the fundamental within 4000/44100 s by 2 pi 150 * 0.09 * 5.8e-5
// = 5e-3; the partials that a pluck has, falling as 1/n^2, add their n-fold turns to no more than
// five times that.
static void a_string_sounds_where_its_pitch_is_moved_to(void** state) {
  (void)state;
  static double by_tension[FRAMES], by_pitch[FRAMES], by_cents[FRAMES], plain[FRAMES];
  for (int h = 0; h < HOLDINGS; ++h) {
    const JwStringDef def = stiff_string(h);
    sound(&def, JW_CONTROL_FREQUENCY, 150.0, plain);
    for (int i = 0; i < 2; ++i) {
      const double frequency = i ? 131.0 : 187.0, cents = 1200.0 * log2(frequency / 150.0);
      sound(&def, JW_CONTROL_TENSION, tension_for(def, frequency), by_tension);
      sound(&def, JW_CONTROL_FREQUENCY, frequency, by_pitch);
      sound(&def, JW_CONTROL_CENTS, cents, by_cents);
      const double bound = 0.025;
      print_message("# ends %d, %g Hz: %.2g and %.2g apart\n", h, frequency,
                    distance(by_pitch, by_tension), distance(by_cents, by_tension));
      assert_true(distance(by_pitch, by_tension) < bound && distance(by_cents, by_tension) < bound);
      assert_true(distance(by_pitch, plain) > 0.2);
    }
  }
}

static void the_range_of_a_pitch_ends_where_its_bend_does(void** state) {
  (void)state;
  for (int h = 0; h < HOLDINGS; ++h) {
    const JwStringDef def = stiff_string(h);
    Plucked p = plucked(&def);
    const double tension = jw_world_object_info(p.world, p.string).tension;
    double range[3][2];
    for (int i = 0; i < 3; ++i) {
      const JwControl scale = (JwControl)(JW_CONTROL_TENSION + i);
      assert_int_equal(jw_world_control_range(p.world, scale_of(p.string, scale), range[i]),
                       JW_STATUS_OK);
    }
    assert_true(range[0][0] == 0.0 && fabs(range[0][1] / (2.0 * tension) - 1.0) < 1e-15);
    assert_true(fabs(tension_for(def, range[1][1]) / (2.0 * tension) - 1.0)
                < 1.2e-4); // A tenth of a cent
    assert_true(fabs(range[2][1] - 1200.0 * log2(range[1][1] / 150.0)) < 0.1);
    MUST(p.world, jw_world_prepare(p.world));
    for (int i = 0; i < 3; ++i) {
      const JwTarget target = scale_of(p.string, (JwControl)(JW_CONTROL_TENSION + i));
      assert_true(jw_world_allows(p.world, target, range[i][0])
                  && jw_world_allows(p.world, target, range[i][1]));
      assert_false(jw_world_allows(p.world, target, range[i][1] + 1e-6 * fabs(range[i][1])));
      assert_false(jw_world_allows(p.world, target, NAN));
    }
    jw_world_destroy(p.world);
  }
}

static void a_string_by_modes_has_no_pitch_to_move(void** state) {
  (void)state;
  JwStringDef def = stiff_string(0);
  def.method = JW_METHOD_MODES;
  Plucked p = plucked(&def);
  double range[2];
  for (int i = 0; i < 3; ++i) {
    const JwTarget target = scale_of(p.string, (JwControl)(JW_CONTROL_TENSION + i));
    assert_int_equal(jw_world_control_range(p.world, target, range), JW_STATUS_BAD_REFERENCE);
  }
  jw_world_destroy(p.world);
}

// 4000 points of the same glide, straight in hertz between them: they miss it by 1e-8.  A string is
// tuned to 1e-7, by which the two begin apart: five times 2 pi 150 * 0.09 * 1e-7.
static void a_line_in_cents_is_straight_in_cents(void** state) {
  (void)state;
  static double cents[FRAMES], hertz[FRAMES];
  static JwBreakpoint points[FRAMES];
  const JwStringDef def = stiff_string(0);
  for (int which = 0; which < 2; ++which) {
    Plucked p = plucked(&def);
    const JwBreakpoint glide[2] = {{0.0, 0.0}, {FRAMES / 44100.0, 550.0}};
    for (int i = 0; i < FRAMES; ++i) {
      points[i].time = i / 44100.0;
      points[i].value = 150.0 * exp2(550.0 / 1200.0 * i / FRAMES);
    }
    MUST(p.world,
         which
             ? jw_world_add_curve(p.world, scale_of(p.string, JW_CONTROL_FREQUENCY), points, FRAMES)
             : jw_world_add_curve(p.world, scale_of(p.string, JW_CONTROL_CENTS), glide, 2));
    MUST(p.world, jw_world_prepare(p.world));
    run_into(p.world, which ? hertz : cents, FRAMES, 0, FRAMES);
    jw_world_destroy(p.world);
  }
  assert_true(distance(cents, hertz) < 5e-5);
}

// Three names of one number: a line in one of them starts where another has left it, and only one
// curve can lead it.
static void the_three_scales_move_one_number(void** state) {
  (void)state;
  static double stays[FRAMES], moved[FRAMES];
  JwStringDef def = stiff_string(0);
  def.young = 0.0; // f^2 rises with T alone, but for the grid: within a tenth of a cent
  for (int which = 0; which < 2; ++which) {
    Plucked p = plucked(&def);
    MUST(p.world, jw_world_prepare(p.world));
    const double tension = jw_world_object_info(p.world, p.string).tension;
    double* const out = which ? moved : stays;
    MUST(p.world,
         jw_world_set(p.world, scale_of(p.string, JW_CONTROL_TENSION), 1.3 * tension, 0.01));
    run_into(p.world, out, FRAMES, 0, FRAMES / 2);
    if (which) {
      MUST(p.world,
           jw_world_set(p.world, scale_of(p.string, JW_CONTROL_CENTS), 600.0 * log2(1.3), 0.02));
    }
    run_into(p.world, out, FRAMES, FRAMES / 2, FRAMES / 2);
    jw_world_destroy(p.world);
  }
  assert_true(distance(moved, stays) < 0.025);

  Plucked p = plucked(&def);
  const JwBreakpoint point = {0.0, 0.0};
  MUST(p.world, jw_world_add_curve(p.world, scale_of(p.string, JW_CONTROL_CENTS), &point, 1));
  assert_int_equal(jw_world_add_curve(p.world, scale_of(p.string, JW_CONTROL_TENSION), &point, 1),
                   JW_STATUS_BAD_REFERENCE);
  jw_world_destroy(p.world);
}

// The line is part of the state: a world restored in the middle of a glide goes on to the bit.
static void a_glide_in_cents_survives_a_snapshot(void** state) {
  (void)state;
  static double straight[FRAMES], restored[FRAMES];
  const JwStringDef def = stiff_string(1);
  Plucked p = plucked(&def);
  MUST(p.world, jw_world_prepare(p.world));
  MUST(p.world, jw_world_set(p.world, scale_of(p.string, JW_CONTROL_CENTS), 400.0, 0.08));
  run_into(p.world, straight, FRAMES, 0, FRAMES / 3);
  const size_t size = jw_world_snapshot_size(p.world);
  void* const memory = malloc(size);
  MUST(p.world, jw_world_snapshot(p.world, memory, size));
  run_into(p.world, straight, FRAMES, FRAMES / 3, FRAMES / 3);
  jw_world_reset(p.world);
  MUST(p.world, jw_world_restore(p.world, memory, size));
  run_into(p.world, restored, FRAMES, FRAMES / 3, FRAMES / 3);
  assert_memory_equal(straight + FRAMES / 3, restored + FRAMES / 3, FRAMES / 3 * sizeof(double));
  free(memory);
  jw_world_destroy(p.world);
}

static void cents_in_a_definition_detune_it(void** state) {
  (void)state;
  for (int h = 0; h < HOLDINGS; ++h) {
    for (int modes = 0; modes < 2; ++modes) {
      JwStringDef def = stiff_string(h);
      def.cents = 33.0;
      def.method = modes ? JW_METHOD_MODES : JW_METHOD_GRID;
      JwWorld* const world = new_world(44100.0, false);
      const JwObjectId string = add_string(world, &def);
      const double pitch = jw_world_object_info(world, string).fundamental;
      assert_true(fabs(1200.0 * log2(pitch / 150.0) - 33.0) < 1e-3);
      jw_world_destroy(world);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_sounds_where_its_pitch_is_moved_to),
      cmocka_unit_test(the_range_of_a_pitch_ends_where_its_bend_does),
      cmocka_unit_test(a_string_by_modes_has_no_pitch_to_move),
      cmocka_unit_test(a_line_in_cents_is_straight_in_cents),
      cmocka_unit_test(the_three_scales_move_one_number),
      cmocka_unit_test(a_glide_in_cents_survives_a_snapshot),
      cmocka_unit_test(cents_in_a_definition_detune_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
