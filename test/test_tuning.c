// SPDX-License-Identifier: MIT
// Who asks for a pitch hears it, and what a thing is said to sound at, it sounds at.
//
// The pitch is measured from the sound: the phase of its lowest partial, under a window, at two
// times.  Whatever the formulas behind a definition, a listener has nothing else.

#include "worlds.h"

#include <stdlib.h>

#define TAU 6.283185307179586

// The frequency near `about` in a sound, by how far its phase turns between two windows.
static double heard_near(const double* sound, uint32_t count, double rate, double about) {
  const uint32_t half = count / 2;
  double phase[2];
  for (int part = 0; part < 2; ++part) {
    double re = 0.0, im = 0.0;
    for (uint32_t i = 0; i < half; ++i) {
      const double window = 0.5 * (1.0 - cos(TAU * (i + 0.5) / half));
      const double value = window * window * sound[part * half + i],
                   angle = TAU * about * (part * half + i) / rate;
      re += value * cos(angle);
      im -= value * sin(angle);
    }
    phase[part] = atan2(im, re);
  }
  const double turned = remainder(phase[1] - phase[0], TAU);
  return about + turned / TAU * rate / half;
}

static double cents(double ratio) {
  return 1200.0 * log2(ratio);
}

// How far the sound of a world's first object is from what its information says, in cents.
static double heard_off(JwWorld* world, JwObjectId object, JwPort ear, double rate, double* heard) {
  add_pickup(world, ear, JW_QUANTITY_DISPLACEMENT);
  MUST(world, jw_world_prepare(world));
  const double said = jw_world_object_info(world, object).fundamental;
  const uint32_t count = 2 * (uint32_t)(fmax(0.3, 60.0 / said) * rate);
  double* const sound = (double*)malloc(count * sizeof(double));
  run_into(world, sound, count, 0, count);
  *heard = heard_near(sound, count, rate, said);
  free(sound);
  return cents(*heard / said);
}

static const JwEnd ends[] = {JW_END_SUPPORTED, JW_END_CLAMPED, JW_END_FREE};

static void every_string_sounds_at_the_frequency_asked_for(void** state) {
  (void)state;
  static const double rates[] = {32000.0, 44100.0, 96000.0};
  double worst = 0.0;
  int grids = 0;
  for (int i = 0; i < 3 * 3 * 3 * 3 * 2; ++i) {
    const double rate = rates[i % 3];
    JwStringDef def = jw_string_default();
    def.ends[0] = ends[i / 3 % 2], def.ends[1] = ends[i / 3 % 3]; // Held somewhere
    const int method = i / 9 % 3;
    def.method = method ? JW_METHOD_MODES : JW_METHOD_GRID;
    def.scheme = method == 2 ? JW_SCHEME_LEAPFROG : JW_SCHEME_EXACT;
    def.length = 0.62, def.mass_per_length = 6.339e-3;
    def.bending = i / 27 % 3 == 0 ? 0.0 : i / 27 % 3 == 1 ? 9.838e-3 : 9.838e-2;
    def.frequency = i / 81 ? 523.25 : 261.626;
    def.cents = i % 2 ? -30.0 : 0.0;
    def.loss[0] = 2.0, def.loss[1] = 1e-3;
    JwWorld* const world = new_world(rate, false);
    const JwObjectId string = add_string(world, &def);
    JwInitialDef initial = jw_initial_default();
    initial.object = string, initial.shape = JW_SHAPE_SINE, initial.amplitude = 1e-3;
    MUST(world, jw_world_add_initial(world, &initial));
    double heard;
    (void)heard_off(world, string, jw_port(string, 0.37), rate, &heard);
    const double off = fabs(cents(heard / def.frequency) - def.cents);
    if (!(off < 0.1)) {
      fail_msg("rate %g, ends %d %d, method %d, bending %g, %g Hz: heard %g Hz, %.2f cents off",
               rate, def.ends[0], def.ends[1], method, def.bending, def.frequency, heard, off);
    }
    worst = fmax(worst, off);
    grids += method == 0;
    jw_world_destroy(world);
  }
  print_message("# off by %.2g cents at most\n", worst);
  assert_true(grids > 20);
}

static void things_sound_as_high_as_they_are_said_to(void** state) {
  (void)state;
  double heard;
  for (int i = 0; i < 8; ++i) { // Masses and modes, by both schemes, with and without a heavy loss
    JwWorld* const world = new_world(44100.0, false);
    const JwMode mode = {2000.0, i / 2 % 2 ? 20.0 : 0.0, 0.01};
    const double one = 1.0;
    JwObjectId id = {0};
    if (i < 4) {
      JwMassDef def = jw_mass_default();
      def.mass = 0.01, def.frequency = 2000.0, def.loss = 2.0 * mode.decay * def.mass,
      def.velocity = 1.0;
      def.scheme = i % 2 ? JW_SCHEME_EXACT : JW_SCHEME_LEAPFROG;
      MUST(world, jw_world_add_mass(world, &def, &id));
    } else {
      JwModalDef def = jw_modal_default();
      def.modes = &mode, def.mode_count = 1, def.shapes = &one, def.shape_count = 1;
      def.scheme = i % 2 ? JW_SCHEME_EXACT : JW_SCHEME_LEAPFROG;
      MUST(world, jw_world_add_modal(world, &def, &id));
      JwForceDef tap = jw_force_default();
      tap.port = jw_port(id, 0.0), tap.amplitude = 1.0, tap.duration = 1e-4;
      JwExciterId exciter;
      MUST(world, jw_world_add_force(world, &tap, &exciter));
    }
    assert_true(fabs(heard_off(world, id, jw_port(id, 0.0), 44100.0, &heard)) < 0.1);
    jw_world_destroy(world);
  }
}

// Four supported, four clamped, four free, and one edge of each kind.
static void plates_sound_as_high_as_they_are_said_to(void** state) {
  (void)state;
  const JwEnd s = JW_END_SUPPORTED, c = JW_END_CLAMPED, f = JW_END_FREE;
  const JwEnd held[][4] = {{s, s, s, s}, {c, c, c, c}, {f, f, f, f},
                           {c, s, f, s}, {c, f, f, f}, {s, f, s, f}};
  for (size_t i = 0; i < sizeof held / sizeof *held; ++i) {
    JwWorld* const world = new_world(44100.0, false);
    JwPlateDef def = jw_plate_default();
    def.size[0] = 0.4, def.size[1] = 0.3, def.thickness = 2e-3;
    memcpy(def.edges, held[i], sizeof def.edges);
    JwObjectId plate = {0};
    MUST(world, jw_world_add_plate(world, &def, &plate));
    JwInitialDef initial = jw_initial_default();
    initial.object = plate, initial.shape = JW_SHAPE_HUMP, initial.x = 0.9, initial.y = 0.85,
    initial.width = 0.3, initial.amplitude = 1e-3;
    MUST(world, jw_world_add_initial(world, &initial));
    double heard;
    JwPort ear = jw_port(plate, 0.83);
    ear.y = 0.77;
    const double off = heard_off(world, plate, ear, 44100.0, &heard);
    print_message("# edges %d %d %d %d: heard %.2f Hz, %.3f cents off\n", held[i][0], held[i][1],
                  held[i][2], held[i][3], heard, off);
    assert_true(fabs(off) < 1.0);
    jw_world_destroy(world);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_string_sounds_at_the_frequency_asked_for),
      cmocka_unit_test(things_sound_as_high_as_they_are_said_to),
      cmocka_unit_test(plates_sound_as_high_as_they_are_said_to),
  };
  return cmocka_run_group_tests_name("tuning", tests, NULL, NULL);
}
