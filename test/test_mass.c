// SPDX-License-Identifier: MIT
// Masses that have come far: the velocity keeps its digits, the ledger closes, and what loses its
// energy stops.
//
//   symbol  meaning                         unit
//   eps     2^-52
//   n       frames
//   d       step of a mass, k times its velocity  m
//
// Each frame rounds d by at most eps d/2, its energy by eps of itself; so a ledger that has been
// open to n roundings of one sign is within n eps, and one whose roundings are independent within 4
// eps sqrt(n).

#include "worlds.h"

#include <float.h>

#define RATE 44100.0

static double velocity_of(JwWorld* world, JwObjectId id) {
  double place, velocity;
  assert_int_equal(jw_world_probe(world, jw_port(id, 0.0), &place, &velocity), JW_STATUS_OK);
  return velocity;
}

static double place_of(JwWorld* world, JwObjectId id) {
  double place, velocity;
  assert_int_equal(jw_world_probe(world, jw_port(id, 0.0), &place, &velocity), JW_STATUS_OK);
  return place;
}

static JwObjectId add_far(JwWorld* world, double displacement, double velocity, double loss,
                          double gravity) {
  JwMassDef def = jw_mass_default();
  def.mass = 0.01;
  def.displacement = displacement;
  def.velocity = velocity;
  def.loss = loss;
  def.gravity = gravity;
  JwObjectId id = {0};
  MUST(world, jw_world_add_mass(world, &def, &id));
  return id;
}

// A displacement of 1e6 m has a last place of 1.2e-10 m, five times the step of 1e-6 m/s.
static void what_nothing_touches_keeps_its_velocity_to_the_bit(void** state) {
  (void)state;
  static double heard[2][4096];
  JwWorld* const world = new_world(RATE, true);
  const JwObjectId near = add_far(world, 0.0, 1e-6, 0.0, 0.0),
                   far = add_far(world, 1e6, 1e-6, 0.0, 0.0);
  add_pickup(world, jw_port(near, 0.0), JW_QUANTITY_VELOCITY);
  add_pickup(world, jw_port(far, 0.0), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  run_into(world, heard[0], 4096, 0, 4096);
  for (int i = 0; i < 4096; ++i) {
    assert_true(heard[0][i] == heard[0][0] && heard[1][i] == heard[0][0]);
  }
  assert_true(fabs(heard[0][0] - 1e-6) <= 2.0 * DBL_EPSILON * 1e-6); // k v / k
  assert_true(jw_world_energy(world).worst_residual == 0.0);
  jw_world_destroy(world);
}

// For 1 s: n eps = 9.8e-12.  Steps grow by k^2 g a frame, which rounds the same way for as long as
// the exponent stays.
static void what_falls_from_a_thousand_metres_keeps_its_ledger(void** state) {
  (void)state;
  const uint32_t n = 44100;
  JwWorld* const world = new_world(RATE, true);
  const JwObjectId ball = add_far(world, 1000.0, 0.0, 0.0, 9.81);
  MUST(world, jw_world_prepare(world));
  run_frames(world, n);
  const double speed = -9.81 * (n - 0.5) / RATE; // Between the last two frames
  assert_true(fabs(velocity_of(world, ball) - speed) <= n * DBL_EPSILON * fabs(speed));
  assert_true(fabs(place_of(world, ball) - (1000.0 - 0.5 * 9.81)) < n * DBL_EPSILON * 1000.0);
  const JwEnergy energy = jw_world_energy(world);
  assert_true(energy.kinetic > 0.4 && energy.worst_residual <= n * DBL_EPSILON);
  jw_world_destroy(world);
}

// Let go on a spring with s k = 43, its step turns around and shrinks by e = -0.955 a frame, and is
// below eps of itself after ln(1/eps)/ln(1/|e|) = 780 of them: rounding has so many to add up, the
// square root of that by chance.  From then on it hangs still, and nothing may be given: its weight
// by a step that its place does not take was 9e-13 after 1 s, pushed on its place after the step
// 2e-14.
static void what_hangs_still_on_its_spring_is_given_nothing(void** state) {
  (void)state;
  JwWorld* const world = new_world(RATE, true);
  JwMassDef def = jw_mass_default();
  def.mass = 1.0411295579127128e-06, def.frequency = 2046.3148883390827,
  def.loss = 3.9728612305747246;
  def.velocity = 0.024319900545105681, def.gravity = 275.79563782219805;
  JwObjectId mass;
  MUST(world, jw_world_add_mass(world, &def, &mass));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 44100);
  const double sk = def.loss / (2.0 * def.mass * RATE), e = (sk - 1.0) / (sk + 1.0),
               frames = log(DBL_EPSILON) / log(e);
  const double residual = jw_world_energy(world).worst_residual;
  print_message("# residual %.3g, %.3g allowed\n", residual, sqrt(frames) * DBL_EPSILON);
  assert_true(residual <= sqrt(frames) * DBL_EPSILON);
  jw_world_destroy(world);
}

// With R = 2 M s, s = 20 1/s, the energy falls by exp(-80 t): 1e-36 J within 1 s.  It has gone v/2s
// = 25 mm.  Were the step a difference of places, it would stay at one of their last places, 1e-13
// m, for ever.
static void what_loses_its_velocity_far_away_stops_and_sleeps(void** state) {
  (void)state;
  JwWorld* const world = new_world(RATE, true);
  const JwObjectId ball = add_far(world, 1000.0, 1.0, 2.0 * 0.01 * 20.0, 0.0);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 44100);
  assert_true(jw_world_info(world).awake == 0 && velocity_of(world, ball) == 0.0);
  assert_true(fabs(place_of(world, ball) - 1000.025) < 1e-4); // The first half step: k v
  const JwEnergy energy = jw_world_energy(world);
  assert_true(energy.stored == 0.0 && energy.worst_residual <= 4.0 * DBL_EPSILON * sqrt(44100.0));
  const double place = place_of(world, ball);
  run_frames(world, 4096);
  assert_true(place_of(world, ball) == place);
  jw_world_destroy(world);
}

// Eight balls in a row on springs, which also collide: 15 contacts and 8 masses round for
// themselves.
static JwWorld* new_chain(double displacement, JwContactId* touch) {
  JwWorld* const world = new_world(RATE, true);
  JwObjectId last = {0};
  for (int i = 0; i < 8; ++i) {
    const JwObjectId ball = add_far(world, displacement + 0.02 * i, i == 0 ? 5.0 : 0.0, 0.0, 0.0);
    if (i > 0) {
      JwSpringDef spring = jw_spring_default();
      spring.a = jw_port(last, 0.0);
      spring.b = jw_port(ball, 0.0);
      spring.gap = -0.02;
      spring.linear = 1e2;
      JwContactId id;
      MUST(world, jw_world_add_spring(world, &spring, &id));
      touch[i - 1] =
          add_collision(world, jw_port(last, 0.0), jw_port(ball, 0.0), JW_RULE_BOUNDED, 1e7);
    }
    last = ball;
  }
  MUST(world, jw_world_prepare(world));
  return world;
}

static void a_chain_of_masses_keeps_its_ledger_wherever_it_is(void** state) {
  (void)state;
  static const double places[] = {0.0, 1e3, 9e5};
  for (int i = 0; i < 3; ++i) {
    JwContactId touch[7];
    JwWorld* const world = new_chain(places[i], touch);
    run_frames(world, 44100);
    uint64_t closures = 0;
    for (int c = 0; c < 7; ++c) {
      closures += jw_world_contact_figures(world, touch[c]).closures;
    }
    assert_true(closures > 7);
    assert_true(jw_world_energy(world).worst_residual <= 4.0 * DBL_EPSILON * sqrt(44100.0 * 23.0));
    jw_world_destroy(world);
  }
}

// A throw is a state like any other.
static void a_mass_thrown_far_flies_with_the_velocity_given(void** state) {
  (void)state;
  JwWorld* const world = new_world(RATE, true);
  const JwObjectId ball = add_far(world, 0.0, 0.0, 0.0, 0.0);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 1000);
  assert_int_equal(jw_world_info(world).awake, 0);
  MUST(world, jw_world_throw(world, ball, 1e6, 1e-6));
  run_frames(world, 44100);
  assert_true(fabs(velocity_of(world, ball) - 1e-6) <= 2.0 * DBL_EPSILON * 1e-6);
  assert_true(jw_world_energy(world).worst_residual <= DBL_EPSILON);
  jw_world_destroy(world);
}

// 25 J are given and taken back ten frames later: what is left, 50 uJ, is known to the digits of 25
// J.
static void what_is_thrown_twice_keeps_its_ledger(void** state) {
  (void)state;
  JwWorld* const world = new_world(RATE, true);
  const JwObjectId ball = add_far(world, 0.0, 0.0, 0.0, 0.0);
  MUST(world, jw_world_prepare(world));
  MUST(world, jw_world_throw(world, ball, 0.0, 70.123));
  run_frames(world, 10);
  MUST(world, jw_world_throw(world, ball, 0.0, 0.1));
  run_frames(world, 100);
  const JwEnergy energy = jw_world_energy(world);
  assert_true(energy.stored < 1e-4 && energy.peak > 24.0
              && energy.worst_residual <= 2.0 * DBL_EPSILON);
  jw_world_destroy(world);
}

// 12 N press 2.4 mg against a wall: pushed in and back within two frames, 13 mJ are given and taken
// again.  Every 64th frame nearly nothing is there, and only the gifts tell what the ledger is
// known to.
static void what_is_pushed_and_comes_back_keeps_its_ledger(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, true);
  const JwObjectId ball = add_mass(world, 2.4476306603096866e-06, 0.0, 0.0),
                   wall = add_barrier(world, 0.0);
  JwCollisionDef def = jw_collision_default();
  def.below = jw_port(wall, 0.0);
  def.above = jw_port(ball, 0.0);
  def.stiffness = 179964308371.12357;
  def.rule = JW_RULE_BOUNDED;
  def.gap = -1.3e-8;
  JwContactId contact;
  MUST(world, jw_world_add_collision(world, &def, &contact));
  JwForceDef force = jw_force_default();
  force.port = jw_port(ball, 0.0);
  force.shape = JW_FORCE_STEADY;
  force.amplitude = -12.258599419798609;
  JwExciterId id;
  MUST(world, jw_world_add_force(world, &force, &id));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 4800);
  const JwEnergy energy = jw_world_energy(world);
  print_message("# peak %.3g J, stored %.3g J, residual %.3g\n", energy.peak, energy.stored,
                energy.worst_residual);
  assert_true(energy.peak > 0.01 && energy.worst_residual <= 4.0 * DBL_EPSILON * sqrt(4800.0));
  jw_world_destroy(world);
}

// From frame 10 on, k A s/m of velocity a sample of it, nothing before or after.  Places of 1e-8 m
// are rounded by 2e-24 m, 1e-19 m/s, which is 3e-15 of the velocities; 1e-12 is asked for.
static void a_signal_pushes_with_its_samples_times_the_amplitude(void** state) {
  (void)state;
  static const float signal[4] = {1.0f, -0.5f, 2.0f, 0.25f};
  JwWorld* const world = new_world(RATE, false);
  const JwObjectId mass = add_mass(world, 2.0, 0.0, 0.0);
  JwForceDef def = jw_force_default();
  def.port = jw_port(mass, 0.0), def.shape = JW_FORCE_SIGNAL, def.amplitude = 3.0,
  def.start = 9.6 / RATE; // The nearest frame
  def.signal = signal, def.signal_count = 4;
  MUST(world, jw_world_add_force(world, &def, &(JwExciterId){0}));
  MUST(world, jw_world_prepare(world));
  double before = 0.0, place, velocity;
  for (int i = 0; i < 20; ++i) {
    run_frames(world, 1);
    MUST(world, jw_world_probe(world, jw_port(mass, 0.0), &place, &velocity));
    const double given = i >= 10 && i < 14 ? 3.0 * (double)signal[i - 10] / 2.0 / RATE : 0.0;
    assert_true(fabs(velocity - before - given) < 1e-12 * 3.0 / RATE);
    before = velocity;
  }
  jw_world_destroy(world);
}

// The margin says how many times higher the frequency might be: up to the 1e-9 that are kept from
// the limit.
static void the_margin_of_a_mass_is_the_way_to_the_highest_frequency(void** state) {
  (void)state;
  for (double frequency = 20.0; frequency < 1e4; frequency *= 3.0) {
    JwWorld* const world = new_world(RATE, false);
    JwMassDef def = jw_mass_default();
    JwObjectId id = {0};
    def.mass = 0.01;
    def.frequency = frequency;
    def.scheme = JW_SCHEME_LEAPFROG;
    MUST(world, jw_world_add_mass(world, &def, &id));
    const double highest = frequency * jw_world_object_info(world, id).margin;
    def.frequency = highest * (1.0 - 2e-9);
    assert_int_equal(jw_world_add_mass(world, &def, &id), JW_STATUS_OK);
    def.frequency = highest * (1.0 + 1e-14);
    assert_int_equal(jw_world_add_mass(world, &def, &id), JW_STATUS_UNSTABLE);
    jw_world_destroy(world);
  }
}

// A mode of 10 g that nothing holds and one of 20 g at 2 Hz, bowed at 0.2 m/s: 40,000 steps from
// its origin after 1 s.  Each of the two and the bow rounds for itself.  With differences of places
// for steps the ledger would be open by 2e-10.
static void modes_that_nothing_holds_keep_their_ledger(void** state) {
  (void)state;
  static const JwMode modes[2] = {{0.0, 0.0, 0.01}, {2.0, 0.0, 0.02}};
  static const double shape[2] = {1.0, 0.5};
  JwWorld* const world = new_world(RATE, true);
  JwModalDef def = jw_modal_default();
  def.modes = modes;
  def.mode_count = 2;
  def.shapes = shape;
  def.shape_count = 1;
  JwObjectId id = {0};
  MUST(world, jw_world_add_modal(world, &def, &id));
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(id, 0.0);
  bow.force = 0.1;
  bow.speed = 0.2;
  JwContactId contact;
  MUST(world, jw_world_add_bow(world, &bow, &contact));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 44100);
  assert_true(place_of(world, id) > 0.1);
  assert_true(jw_world_energy(world).worst_residual <= 4.0 * DBL_EPSILON * sqrt(44100.0 * 3.0));
  jw_world_destroy(world);
}

// 690 g at 1,012 Hz lose 3e-7 of their energy in a frame.  Were that booked as asked for and not as
// e = 1 - 3e-7 is rounded, every frame would add 0.2 eps of one sign: 2e-12 in 1 s.
static void a_loss_is_booked_as_the_step_has_it(void** state) {
  (void)state;
  JwWorld* const world = new_world(RATE, true);
  JwMassDef def = jw_mass_default();
  def.mass = 0.6899113823729226;
  def.frequency = 1012.3492463389381;
  def.loss = 0.0042265477506910985;
  def.velocity = 14.254110828478844;
  JwObjectId id = {0};
  MUST(world, jw_world_add_mass(world, &def, &id));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 44100);
  const JwEnergy energy = jw_world_energy(world);
  assert_true(energy.lost > 0.1 && energy.worst_residual <= 4.0 * DBL_EPSILON * sqrt(44100.0));
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_nothing_touches_keeps_its_velocity_to_the_bit),
      cmocka_unit_test(what_falls_from_a_thousand_metres_keeps_its_ledger),
      cmocka_unit_test(what_hangs_still_on_its_spring_is_given_nothing),
      cmocka_unit_test(what_loses_its_velocity_far_away_stops_and_sleeps),
      cmocka_unit_test(a_chain_of_masses_keeps_its_ledger_wherever_it_is),
      cmocka_unit_test(a_mass_thrown_far_flies_with_the_velocity_given),
      cmocka_unit_test(what_is_thrown_twice_keeps_its_ledger),
      cmocka_unit_test(what_is_pushed_and_comes_back_keeps_its_ledger),
      cmocka_unit_test(a_signal_pushes_with_its_samples_times_the_amplitude),
      cmocka_unit_test(the_margin_of_a_mass_is_the_way_to_the_highest_frequency),
      cmocka_unit_test(modes_that_nothing_holds_keep_their_ledger),
      cmocka_unit_test(a_loss_is_booked_as_the_step_has_it),
  };
  return cmocka_run_group_tests_name("mass", tests, NULL, NULL);
}
