// SPDX-License-Identifier: MIT
// What is refused, with which status and in which words.  A refusal leaves the world as it was.

#include "orchestra.h"

#include <stdio.h>

static void expect(JwWorld* world, JwStatus status, JwStatus wanted, const char* sentence) {
  assert_string_equal(jw_world_error(world), sentence);
  assert_int_equal(status, wanted);
}

static void a_world_out_of_range_is_not_made(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  JwWorld* world = (JwWorld*)&def;
  def.sample_rate = NAN;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_BAD_VALUE);
  assert_null(world);
  def = jw_world_default();
  def.allocator.release = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_BAD_VALUE);
  assert_string_equal(jw_world_error(NULL), "world: its allocator has no release");
  jw_world_destroy(NULL);
}

static void every_status_has_a_name(void** state) {
  (void)state;
  for (int a = 0; a < JW_STATUS_COUNT; ++a) {
    assert_true(strlen(jw_status_name((JwStatus)a)) > 1);
    for (int b = 0; b < a; ++b) {
      assert_string_not_equal(jw_status_name((JwStatus)a), jw_status_name((JwStatus)b));
    }
  }
}

static void objects_out_of_range_are_named_with_value_and_limit(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  JwObjectId id = {77};
  JwMassDef mass = jw_mass_default();
  mass.name = "hammer";
  expect(w, jw_world_add_mass(w, &mass, &id), JW_STATUS_BAD_VALUE,
         "mass 'hammer': mass is required");
  mass.mass = 0.0;
  expect(w, jw_world_add_mass(w, &mass, &id), JW_STATUS_BAD_VALUE,
         "mass 'hammer': mass is 0 kg, must be from 1e-12 to 1e+09");
  mass.mass = 1.0;
  mass.frequency = 20000.0;
  expect(w, jw_world_add_mass(w, &mass, &id), JW_STATUS_UNSTABLE,
         "mass 'hammer': frequency is 20000 Hz, must be below 14037.5 Hz at this sample rate");
  JwStringDef string = jw_string_default();
  string.name = "a";
  string.length = 1.0;
  expect(w, jw_world_add_string(w, &string, &id), JW_STATUS_BAD_VALUE,
         "string 'a': tension or frequency is required");
  string.tension = 10.0;
  string.frequency = 100.0;
  expect(w, jw_world_add_string(w, &string, &id), JW_STATUS_BAD_VALUE,
         "string 'a': tension and frequency are both given, must be one of them");
  string.frequency = JW_UNSET;
  string.points = 400;
  expect(w, jw_world_add_string(w, &string, &id), JW_STATUS_UNSTABLE,
         "string 'a': points is 400, must be at most 131 at this sample rate");
  string.points = 0;
  string.length = 0.01;
  expect(
      w, jw_world_add_string(w, &string, &id), JW_STATUS_UNSTABLE,
      "string 'a': it has 1 grid intervals at this sample rate, must be at least 4: raise the rate, or use modes");
  string.length = 1.0;
  string.tension = 0.0;
  string.young = 0.0;
  expect(w, jw_world_add_string(w, &string, &id), JW_STATUS_BAD_VALUE,
         "string 'a': tension and bending stiffness are both 0: nothing would hold it together");
  string = short_string();
  string.decay[0] = 100.0;
  string.decay[1] = 1.0;
  string.decay[2] = 1000.0;
  string.decay[3] = 2.0;
  const JwStatus status = jw_world_add_string(w, &string, &id);
  assert_int_equal(status, JW_STATUS_BAD_VALUE);
  assert_non_null(
      strstr(jw_world_error(w), "decay of 1 s at 100 Hz and 2 s at 1000 Hz gives losses "));
  assert_non_null(strstr(jw_world_error(w), "which must not be negative"));
  assert_int_equal(id.index, 77);
  assert_int_equal(jw_world_info(w).objects, 0);
  jw_world_destroy(w);
}

static void modal_objects_and_barriers_name_the_row_at_fault(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  JwObjectId id = {0};
  JwMode modes[2] = {{100.0, 1.0, 1.0}, {200.0, -1.0, 1.0}};
  double shapes[2] = {1.0, NAN};
  JwModalDef modal = jw_modal_default();
  modal.name = "bell";
  expect(w, jw_world_add_modal(w, &modal, &id), JW_STATUS_BAD_VALUE,
         "modal 'bell': it has 0 modes, must be from 1 to 1000000");
  modal.modes = modes;
  modal.mode_count = 2;
  expect(w, jw_world_add_modal(w, &modal, &id), JW_STATUS_BAD_VALUE,
         "modal 'bell': it has 0 shapes, must be from 1 to 100000");
  modal.shapes = shapes;
  modal.shape_count = 1;
  expect(
      w, jw_world_add_modal(w, &modal, &id), JW_STATUS_BAD_VALUE,
      "modal 'bell': mode 1 has frequency 200 Hz, decay -1 1/s, mass 1 kg, must be from 0 to 1e6, 0 to 1e9 and 1e-12 to 1e9");
  modes[1].decay = 0.0;
  expect(w, jw_world_add_modal(w, &modal, &id), JW_STATUS_BAD_VALUE,
         "modal 'bell': shape 0 of mode 1 is nan, must be from -1e6 to 1e6");
  shapes[1] = 1.0;
  modes[1].frequency = 22050.0;
  expect(w, jw_world_add_modal(w, &modal, &id), JW_STATUS_UNSTABLE,
         "modal 'bell': mode 1 has 22050 Hz, must be below 22050 Hz at this sample rate");
  modal.scheme = JW_SCHEME_LEAPFROG;
  expect(w, jw_world_add_modal(w, &modal, &id), JW_STATUS_UNSTABLE,
         "modal 'bell': mode 1 has 22050 Hz, must be below 14037.5 Hz at this sample rate");
  const double falling[4] = {0.5, 0.0, 0.5, 1.0}, wild[1] = {1e10};
  JwBarrierDef barrier = jw_barrier_default();
  barrier.name = "board";
  barrier.from = 0.6;
  barrier.to = 0.4;
  expect(w, jw_world_add_barrier(w, &barrier, &id), JW_STATUS_BAD_VALUE,
         "barrier 'board': from is 0.6, must be at most to, 0.4");
  barrier = jw_barrier_default();
  barrier.table = falling;
  barrier.table_count = 2;
  expect(w, jw_world_add_barrier(w, &barrier, &id), JW_STATUS_BAD_VALUE,
         "barrier '': table point 1 is 0.5, 1, must rise in x and lie within 1e6");
  barrier = jw_barrier_default();
  barrier.polynomial = wild;
  barrier.polynomial_count = 1;
  expect(w, jw_world_add_barrier(w, &barrier, &id), JW_STATUS_BAD_VALUE,
         "barrier '': coefficient 0 is 1e+10, must be from -1e9 to 1e9");
  assert_int_equal(jw_world_info(w).objects, 0);
  jw_world_destroy(w);
}

static void ports_must_lie_on_what_exists(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  JwStringDef string_def = short_string();
  string_def.name = "a";
  const JwObjectId string = add_string(w, &string_def), barrier = add_barrier(w, 0.0);
  JwCollisionDef def = jw_collision_default();
  def.name = "c";
  def.stiffness = 1.0;
  JwContactId id = {0};
  expect(w, jw_world_add_collision(w, &def, &id), JW_STATUS_BAD_REFERENCE,
         "collision 'c': object 0 does not exist");
  def.below = jw_port(string, 1.5);
  def.above.object.index = 9;
  expect(w, jw_world_add_collision(w, &def, &id), JW_STATUS_BAD_VALUE,
         "collision 'c': x on 'a' is 1.5, must be from 0 to 1");
  def.below = jw_port(string, 0.5);
  expect(w, jw_world_add_collision(w, &def, &id), JW_STATUS_BAD_REFERENCE,
         "collision 'c': object 9 does not exist");
  def.below = def.above = jw_port(barrier, 0.0);
  expect(w, jw_world_add_collision(w, &def, &id), JW_STATUS_BAD_REFERENCE,
         "collision 'c': neither side can move");
  def.below = jw_port(string, 0.5);
  def.below.reading = (JwReading)5;
  expect(w, jw_world_add_collision(w, &def, &id), JW_STATUS_BAD_VALUE,
         "collision 'c': reading is 5, must be from 0 to 2");
  def.below = jw_port(add_mass(w, 1.0, 0.0, 0.0), 0.0);
  def.above = jw_port(string, 0.5);
  def.along = true;
  expect(w, jw_world_add_collision(w, &def, &id), JW_STATUS_BAD_VALUE,
         "collision 'c': along needs strings and barriers, not a mass");
  JwForceDef force = jw_force_default();
  JwExciterId exciter = {0};
  expect(w, jw_world_add_force(w, &force, &exciter), JW_STATUS_BAD_REFERENCE,
         "force '': object 0 does not exist");
  force.port = jw_port(barrier, 0.0);
  expect(w, jw_world_add_force(w, &force, &exciter), JW_STATUS_BAD_REFERENCE,
         "force '': its object cannot move");
  force.port = jw_port(string, 0.5);
  force.shape = JW_FORCE_SIGNAL;
  expect(w, jw_world_add_force(w, &force, &exciter), JW_STATUS_BAD_VALUE,
         "force '': its signal is empty");
  const float broken[2] = {0.0f, INFINITY};
  force.signal = broken;
  force.signal_count = 2;
  expect(w, jw_world_add_force(w, &force, &exciter), JW_STATUS_BAD_VALUE,
         "force '': sample 1 of its signal is not finite");
  JwPickupDef pickup = jw_pickup_default();
  JwPickupId ear = {0};
  pickup.quantity = JW_QUANTITY_FORCE;
  expect(w, jw_world_add_pickup(w, &pickup, &ear), JW_STATUS_BAD_REFERENCE,
         "pickup '': contact 0 does not exist");
  pickup.quantity = JW_QUANTITY_VELOCITY;
  pickup.port = jw_port(string, -0.1);
  expect(w, jw_world_add_pickup(w, &pickup, &ear), JW_STATUS_BAD_VALUE,
         "pickup '': x on 'a' is -0.1, must be from 0 to 1");
  pickup.port = jw_port(barrier, 0.0);
  expect(w, jw_world_add_pickup(w, &pickup, &ear), JW_STATUS_BAD_REFERENCE,
         "pickup '': its object cannot move");
  JwInitialDef initial = jw_initial_default();
  expect(w, jw_world_add_initial(w, &initial), JW_STATUS_BAD_REFERENCE,
         "initial: object 0 does not exist");
  initial.object = barrier;
  expect(w, jw_world_add_initial(w, &initial), JW_STATUS_BAD_VALUE,
         "initial: '' is a barrier, must be a string or a plate");
  const JwWorldInfo info = jw_world_info(w);
  assert_true(info.contacts == 0 && info.exciters == 0 && info.pickups == 0);
  jw_world_destroy(w);
}

static void ports_on_plates_and_modal_objects_have_their_own_bounds(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  JwPlateDef plate = jw_plate_default();
  JwObjectId flat = {0}, bell = {0};
  plate.name = "p";
  plate.size[0] = -1.0;
  expect(w, jw_world_add_plate(w, &plate, &flat), JW_STATUS_BAD_VALUE,
         "plate 'p': size is -1, must be from 0.0001 to 10000");
  plate.size[0] = 0.3, plate.size[1] = 0.2, plate.thickness = 1e-3;
  MUST(w, jw_world_add_plate(w, &plate, &flat));
  JwMode mode = {100.0, 1.0, 0.1};
  const double shapes[2] = {1.0, -1.0};
  JwModalDef modal = jw_modal_default();
  modal.name = "bell", modal.modes = &mode, modal.mode_count = 1, modal.shapes = shapes,
  modal.shape_count = 2;
  MUST(w, jw_world_add_modal(w, &modal, &bell));
  JwPickupDef pickup = jw_pickup_default();
  JwPickupId ear = {0};
  pickup.port = jw_port(flat, 0.5);
  pickup.port.y = 1.5;
  expect(w, jw_world_add_pickup(w, &pickup, &ear), JW_STATUS_BAD_VALUE,
         "pickup '': place on 'p' is 0.5, 1.5, must be from 0 to 1");
  pickup.port = jw_port(bell, 2.0);
  expect(w, jw_world_add_pickup(w, &pickup, &ear), JW_STATUS_BAD_VALUE,
         "pickup '': x on 'bell' is 2, must be a shape from 0 to 1");
  pickup.port.x = 0.5;
  expect(w, jw_world_add_pickup(w, &pickup, &ear), JW_STATUS_BAD_VALUE,
         "pickup '': x on 'bell' is 0.5, must be a shape from 0 to 1");
  const double many[65] = {0.0};
  JwBarrierDef barrier = jw_barrier_default();
  JwObjectId bridge = {0};
  barrier.polynomial = many, barrier.polynomial_count = 65;
  expect(w, jw_world_add_barrier(w, &barrier, &bridge), JW_STATUS_TOO_LARGE,
         "barrier '': it has 65 coefficients and 0 table points, must be at most 64 and 1000000");
  const JwContactFigures none = jw_world_contact_figures(w, (JwContactId){1});
  assert_true(none.closures == 0 && none.peak_energy == 0.0); // Neither prepared nor there
  jw_world_destroy(w);
}

static void curves_and_throws_are_checked_whole(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  const JwStringDef def = short_string();
  const JwObjectId string = add_string(w, &def), mass = add_mass(w, 1.0, 0.0, 0.0);
  const JwTarget tension = on_object(JW_CONTROL_TENSION, string),
                 none = {.control = JW_CONTROL_GAP, .object = string};
  const JwBreakpoint good[2] = {{0.0, 10.0}, {1.0, 20.0}}, back[2] = {{0.0, 10.0}, {0.0, 20.0}},
                     high[1] = {{0.0, 1e9}};
  expect(w, jw_world_add_curve(w, none, good, 2), JW_STATUS_BAD_REFERENCE,
         "curve: its target has no such control");
  expect(w, jw_world_add_curve(w, tension, good, 0), JW_STATUS_BAD_VALUE,
         "curve: it has 0 points, must be from 1 to 10000000");
  expect(w, jw_world_add_curve(w, tension, back, 2), JW_STATUS_BAD_VALUE,
         "curve: time 1 is 0 s, must be above the one before it");
  expect(w, jw_world_add_curve(w, tension, high, 1), JW_STATUS_BAD_VALUE,
         "curve: value 0 is 1e+09, must be from 0 to 187.093");
  MUST(w, jw_world_add_curve(w, tension, good, 2));
  expect(w, jw_world_add_curve(w, tension, good, 2), JW_STATUS_BAD_REFERENCE,
         "curve: its target has a curve already");
  const double thrown[2] = {0.0, 1.0}, wild[2] = {NAN, 1.0};
  expect(w, jw_world_add_throw(w, string, 0.0, thrown), JW_STATUS_BAD_REFERENCE,
         "throw: object 1 is not a mass");
  expect(w, jw_world_add_throw(w, mass, 0.0, wild), JW_STATUS_BAD_VALUE,
         "throw: time 0 s, position nan m, velocity 1 m/s must lie within 1e6");
  jw_world_destroy(w);
}

static void before_and_after_prepare_have_their_own_calls(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, false);
  const JwObjectId mass = add_mass(w, 1.0, 0.0, 0.0);
  double* none[1] = {NULL};
  double x, v;
  expect(w, jw_world_run_double(w, none, 1), JW_STATUS_BAD_ORDER, "run before prepare");
  expect(w, jw_world_probe(w, jw_port(mass, 0.0), &x, &v), JW_STATUS_BAD_ORDER,
         "probe before prepare");
  assert_int_equal(jw_world_throw(w, mass, 0.0, 0.0), JW_STATUS_BAD_ORDER);
  assert_int_equal(jw_world_set(w, on_object(JW_CONTROL_POSITION, mass), 0.0, 0.0),
                   JW_STATUS_BAD_ORDER);
  assert_int_equal(jw_world_trigger(w, (JwExciterId){1}, 1.0), JW_STATUS_BAD_ORDER);
  jw_world_reset(w); // Nothing yet, and no harm
  MUST(w, jw_world_prepare(w));
  expect(w, jw_world_prepare(w), JW_STATUS_BAD_ORDER, "prepared already");
  JwMassDef late = jw_mass_default();
  late.name = "late";
  late.mass = 1.0;
  JwObjectId id = {0};
  expect(w, jw_world_add_mass(w, &late, &id), JW_STATUS_BAD_ORDER,
         "mass 'late' added after prepare");
  expect(w, jw_world_add_throw(w, mass, 0.0, (const double[2]){0.0, 0.0}), JW_STATUS_BAD_ORDER,
         "throw added after prepare");
  expect(w, jw_world_add_curve(w, on_object(JW_CONTROL_POSITION, mass), NULL, 0),
         JW_STATUS_BAD_ORDER, "curve added after prepare");
  jw_world_destroy(w);
}

static void limits_are_told_with_the_number_wanted(void** state) {
  (void)state;
  const struct {
    uint64_t points, contacts, bytes;
    const char* sentence;
  } cases[] = {
      {30, 65536, 1u << 30, "the world would have 41 grid points and modes, must be at most 30"},
      {4000, 10, 1u << 30, "the world would have 40 contact points, must be at most 10"},
      {4000, 65536, 4096, NULL},
  };
  for (int i = 0; i < 3; ++i) {
    JwWorldDef def = jw_world_default();
    def.max_points = cases[i].points;
    def.max_contacts = cases[i].contacts;
    def.max_bytes = cases[i].bytes;
    JwWorld* w = NULL;
    assert_int_equal(jw_world_create(&def, &w), JW_STATUS_OK);
    const JwStringDef string_def = short_string();
    const JwObjectId string = add_string(w, &string_def);
    add_mass(w, 1.0, 0.0, 0.0);
    JwCollisionDef along = jw_collision_default();
    along.below = jw_port(add_barrier(w, 0.0), 0.0);
    along.above = jw_port(string, 0.0);
    along.along = true;
    along.stiffness = 1.0;
    JwContactId id;
    MUST(w, jw_world_add_collision(w, &along, &id));
    JwCost cost;
    assert_int_equal(jw_world_cost(w, &cost), JW_STATUS_TOO_LARGE);
    assert_int_equal(jw_world_prepare(w), JW_STATUS_TOO_LARGE);
    if (cases[i].sentence) {
      assert_string_equal(jw_world_error(w), cases[i].sentence);
    } else {
      char sentence[128];
      snprintf(sentence, sizeof sentence,
               "the world would have %llu bytes of memory, must be at most 4096",
               (unsigned long long)cost.bytes);
      assert_string_equal(jw_world_error(w), sentence);
    }
    jw_world_destroy(w);
  }
}

// A force of 3e44 N on a milligram: the first sample beyond what a float can hold ends in silence.
static void a_state_that_is_not_finite_is_told_and_silent_until_reset(void** state) {
  (void)state;
  JwWorld* const w = new_world(44100.0, true);
  const JwObjectId mass = add_mass(w, 1e-6, 0.0, 0.0);
  static const float signal[2] = {1e-9f, 3e38f};
  JwForceDef force = jw_force_default();
  force.port = jw_port(mass, 0.0);
  force.shape = JW_FORCE_SIGNAL;
  force.amplitude = 1e6;
  force.signal = signal;
  force.signal_count = 2;
  JwExciterId exciter;
  MUST(w, jw_world_add_force(w, &force, &exciter));
  add_pickup(w, jw_port(mass, 0.0), JW_QUANTITY_VELOCITY);
  MUST(w, jw_world_prepare(w));
  float out[100];
  float* rows[1] = {out};
  assert_int_equal(jw_world_run(w, rows, 1), JW_STATUS_OK);
  assert_true(out[0] != 0.0f);
  for (int block = 0; block < 3; ++block) {
    memset(out, 0xff, sizeof out);
    assert_int_equal(jw_world_run(w, rows, 100), JW_STATUS_NOT_FINITE);
    for (int i = 0; i < 100; ++i) {
      assert_true(out[i] == 0.0f);
    }
  }
  jw_world_reset(w);
  assert_int_equal(jw_world_run(w, rows, 1), JW_STATUS_OK);
  assert_true(out[0] != 0.0f);
  jw_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_out_of_range_is_not_made),
      cmocka_unit_test(every_status_has_a_name),
      cmocka_unit_test(objects_out_of_range_are_named_with_value_and_limit),
      cmocka_unit_test(modal_objects_and_barriers_name_the_row_at_fault),
      cmocka_unit_test(ports_must_lie_on_what_exists),
      cmocka_unit_test(ports_on_plates_and_modal_objects_have_their_own_bounds),
      cmocka_unit_test(curves_and_throws_are_checked_whole),
      cmocka_unit_test(before_and_after_prepare_have_their_own_calls),
      cmocka_unit_test(limits_are_told_with_the_number_wanted),
      cmocka_unit_test(a_state_that_is_not_finite_is_told_and_silent_until_reset),
  };
  return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
