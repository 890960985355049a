// SPDX-License-Identifier: MIT
// Rest: what has died away is exactly zero, or exactly still, and wakes as if it were new.

#include "worlds.h"

#include "step/step.h"

#include <float.h>

static double field[4096];

static bool all_zero(const JwWorld* world, JwObjectId id) {
  const uint32_t count = jw_world_field(world, id, field, 4096);
  for (uint32_t i = 0; i < count; ++i) {
    if (field[i] != 0.0) {
      return false;
    }
  }
  return count > 0;
}

static bool any_subnormal(const JwWorld* world, JwObjectId id) {
  const uint32_t count = jw_world_field(world, id, field, 4096);
  for (uint32_t i = 0; i < count; ++i) {
    if (field[i] != 0.0 && fabs(field[i]) < DBL_MIN) {
      return true;
    }
  }
  return false;
}

typedef struct {
  JwWorld* world;
  JwObjectId string;
  JwExciterId pulse;
} Harp;

// A string that dies away fast, and a pulse that can wake it.
static Harp new_harp(bool ledger) {
  Harp harp = {.world = new_world(44100.0, ledger)};
  JwStringDef def = short_string();
  def.loss[0] = 400.0;
  harp.string = add_string(harp.world, &def);
  JwForceDef force = jw_force_default();
  force.port = jw_port(harp.string, 0.2);
  MUST(harp.world, jw_world_add_force(harp.world, &force, &harp.pulse));
  add_pickup(harp.world, jw_port(harp.string, 0.8), JW_QUANTITY_VELOCITY);
  MUST(harp.world, jw_world_prepare(harp.world));
  return harp;
}

// From about 1e-4 J at exp(-800 t) for the energy, 1e-36 J is reached within 0.1 s; rest is looked
// for every 256 frames.
static void a_string_that_has_died_away_is_exactly_zero_and_sleeps(void** state) {
  (void)state;
  Harp harp = new_harp(true);
  run_frames(harp.world, 1000);
  const double peak = jw_world_energy(harp.world).peak;
  assert_true(peak > 1e-6 && jw_world_info(harp.world).awake == 1
              && !all_zero(harp.world, harp.string));
  const double seconds = log(peak / 1e-36) / 800.0;
  run_frames(harp.world, (uint32_t)(seconds * 44100.0) + 512);
  assert_true(all_zero(harp.world, harp.string));
  assert_int_equal(jw_world_info(harp.world).awake, 0);
  const JwEnergy energy = jw_world_energy(harp.world);
  assert_true(energy.stored == 0.0 && fabs(energy.residual) < 1e-12);
  jw_world_destroy(harp.world);
}

static void a_sleeper_wakes_as_a_fresh_world_to_the_bit(void** state) {
  (void)state;
  static double woken[2000], fresh[2000];
  Harp harp = new_harp(false), other = new_harp(false);
  run_frames(harp.world, 40000);
  assert_int_equal(jw_world_info(harp.world).awake, 0);
  MUST(harp.world, jw_world_trigger(harp.world, harp.pulse, 1.0));
  run_into(harp.world, woken, 2000, 0, 2000);
  run_into(other.world, fresh, 2000, 0, 2000);
  assert_int_equal(jw_world_info(harp.world).awake, 1);
  assert_true(fresh[100] != 0.0);
  assert_memory_equal(woken, fresh, sizeof fresh);
  jw_world_destroy(harp.world);
  jw_world_destroy(other.world);
}

// A bow that stands holds a string that sleeps; told to go at 0.2 m/s it wakes and drives it.
static void a_bow_that_sets_out_wakes_its_string(void** state) {
  (void)state;
  static double out[4096];
  JwWorld* const world = new_world(44100.0, false);
  const JwStringDef def = short_string();
  const JwObjectId string = add_string(world, &def);
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(string, 0.1), bow.force = 0.2, bow.speed = 0.0;
  JwContactId id;
  MUST(world, jw_world_add_bow(world, &bow, &id));
  add_pickup(world, jw_port(string, 0.1), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 2048);
  assert_int_equal(jw_world_info(world).awake, 0);
  MUST(world,
       jw_world_set(world, (JwTarget){.control = JW_CONTROL_SPEED, .contact = id}, 0.2, 0.0));
  run_into(world, out, 4096, 0, 4096);
  assert_int_equal(jw_world_info(world).awake, 1);
  double most = 0.0;
  for (int i = 0; i < 4096; ++i) {
    most = fmax(most, out[i]);
  }
  assert_true(most > 0.1); // It sticks to the bow by turns
  jw_world_destroy(world);
}

// Thrown by the score after it has slept for most of a second: from that frame on it has the
// velocity it was given, but for what spring and loss take of it in one frame: (omega + R/m) k =
// 0.02 at most.
static void a_sleeper_that_is_thrown_wakes_at_its_frame(void** state) {
  (void)state;
  static double out[4096];
  JwWorld* const world = new_world(44100.0, false);
  JwMassDef def = jw_mass_default();
  def.mass = 0.1;
  def.frequency = 50.0;
  def.loss = 50.0;
  def.velocity = 1.0;
  JwObjectId id;
  MUST(world, jw_world_add_mass(world, &def, &id));
  const double motion[2] = {0.0, 2.0};
  MUST(world, jw_world_add_throw(world, id, 1.0, motion));
  add_pickup(world, jw_port(id, 0.0), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 43000);
  assert_int_equal(jw_world_info(world).awake, 0);
  run_into(world, out, 4096, 0, 4096);
  for (int i = 0; i < 1100; ++i) {
    assert_true(out[i] == 0.0);
  }
  assert_true(fabs(out[1100] - 2.0) < 0.02 * 2.0 && jw_world_info(world).awake == 1);
  jw_world_destroy(world);
}

// A free mass that stands, and a mass whose spring holds it away from zero, are heard where they
// are.
static void what_sleeps_away_from_zero_is_heard_where_it_is(void** state) {
  (void)state;
  static double out[2][2048];
  for (int sprung = 0; sprung < 2; ++sprung) {
    JwWorld* const world = new_world(44100.0, true);
    JwMassDef def = jw_mass_default();
    def.mass = 0.1;
    def.frequency = sprung ? 100.0 : 0.0;
    def.position = 0.25;
    JwObjectId id;
    MUST(world, jw_world_add_mass(world, &def, &id));
    add_pickup(world, jw_port(id, 0.0), JW_QUANTITY_DISPLACEMENT);
    MUST(world, jw_world_prepare(world));
    run_into(world, out[0], 2048, 0, 2048);
    assert_int_equal(jw_world_info(world).awake, 0);
    for (int i = 0; i < 2048; ++i) {
      assert_true(out[0][i] == 0.25);
    }
    jw_world_destroy(world);
  }
}

// A hinged bar set at an angle, damped, comes to rest anywhere: nothing pulls it back to zero.
static void a_bar_on_one_hinge_rests_where_it_stops(void** state) {
  (void)state;
  for (int free_both = 0; free_both < 2; ++free_both) {
    JwWorldDef world_def = jw_world_default();
    world_def.energy_floor = 1e-18; // Above what rounding keeps moving, one ulp a sample
    JwWorld* world = NULL;
    assert_int_equal(jw_world_create(&world_def, &world), JW_STATUS_OK);
    JwStringDef def = short_string();
    def.frequency = JW_UNSET;
    def.tension = 0.0;
    def.ends[0] = free_both ? JW_END_FREE : JW_END_SUPPORTED;
    def.ends[1] = JW_END_FREE;
    def.loss[0] = 3000.0;
    const JwObjectId bar = add_string(world, &def);
    JwInitialDef initial = jw_initial_default();
    initial.object = bar;
    initial.x = 1.0; // A straight line from the hinge to the free end
    MUST(world, jw_world_add_initial(world, &initial));
    add_pickup(world, jw_port(bar, 1.0), JW_QUANTITY_DISPLACEMENT);
    MUST(world, jw_world_prepare(world));
    double last = 0.0, now = 0.0;
    for (int i = 0; i < 20000; ++i) {
      run_into(world, &now, 1, 0, 1);
      assert_true(i < 2000 || fabs(now - last) < 1e-9);
      last = now;
    }
    assert_true(fabs(now) > 1e-4);
    assert_int_equal(jw_world_info(world).awake, 0);
    jw_world_destroy(world);
  }
}

// Modes of one object die away at very different rates: the fast ones must not linger below
// 2.2e-308 while the slow ones ring on.
static void fast_modes_do_not_go_subnormal_while_slow_ones_ring(void** state) {
  (void)state;
  const JwMode modes[4] = {
      {200.0, 0.5, 0.1}, {900.0, 500.0, 0.05}, {3000.0, 5000.0, 0.02}, {9000.0, 4e4, 0.01}};
  const double shape[4] = {1.0, 1.0, 1.0, 1.0};
  JwWorld* const world = new_world(44100.0, true);
  JwModalDef def = jw_modal_default();
  def.modes = modes;
  def.mode_count = 4;
  def.shapes = shape;
  def.shape_count = 1;
  JwObjectId id;
  MUST(world, jw_world_add_modal(world, &def, &id));
  JwForceDef force = jw_force_default();
  force.port = jw_port(id, 0.0);
  JwExciterId pulse;
  MUST(world, jw_world_add_force(world, &force, &pulse));
  MUST(world, jw_world_prepare(world));
  for (int i = 0; i < 2 * 44100; ++i) {
    run_frames(world, 1);
    assert_false(any_subnormal(world, id));
  }
  assert_int_equal(jw_world_field(world, id, field, 4), 4);
  assert_true(field[0] != 0.0 && field[1] == 0.0 && field[2] == 0.0 && field[3] == 0.0);
  assert_true(jw_world_energy(world).worst_residual < 1e-12);
  jw_world_destroy(world);
}

// A plate in one component with a mass that swings for ever: the plate dies away by itself.
static void an_object_dies_away_beside_one_that_goes_on(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwPlateDef def = jw_plate_default();
  def.size[0] = def.size[1] = 0.1;
  def.loss[0] = 2000.0;
  JwObjectId plate, mass;
  MUST(world, jw_world_add_plate(world, &def, &plate));
  JwInitialDef initial = jw_initial_default();
  initial.object = plate;
  MUST(world, jw_world_add_initial(world, &initial));
  JwMassDef swing = jw_mass_default();
  swing.mass = 0.01;
  swing.frequency = 50.0;
  swing.velocity = 0.1;
  swing.position = 1.0;
  MUST(world, jw_world_add_mass(world, &swing, &mass));
  JwPort port = jw_port(plate, 0.5);
  port.y = 0.5;
  add_collision(world, port, jw_port(mass, 0.0), JW_RULE_BOUNDED, 1e6);
  MUST(world, jw_world_prepare(world));
  for (int i = 0; i < 30000; ++i) {
    run_frames(world, 1);
    assert_false(any_subnormal(world, plate));
  }
  assert_true(all_zero(world, plate) && !all_zero(world, mass));
  assert_true(jw_world_energy(world).worst_residual < 1e-10);
  jw_world_destroy(world);
}

static void a_floor_of_zero_lets_only_true_silence_sleep(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  def.energy_floor = 0.0;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  const JwStringDef string = short_string();
  const JwObjectId id = add_string(world, &string);
  JwInitialDef initial = jw_initial_default();
  initial.object = id;
  initial.amplitude = 1e-30;
  MUST(world, jw_world_add_initial(world, &initial));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 1000);
  assert_int_equal(jw_world_info(world).awake, 1);
  jw_world_destroy(world);
}

// A hump of 1 + sin(pi x) and a sine of -sin(pi x): all of it at 1 m/s.
static void throw_string(JwWorld* world, JwObjectId id) {
  JwInitialDef initial = jw_initial_default();
  initial.object = id;
  initial.quantity = JW_INITIAL_VELOCITY;
  initial.shape = JW_SHAPE_HUMP;
  initial.x = 0.5;
  initial.width = 2.0;
  initial.amplitude = 2.0;
  MUST(world, jw_world_add_initial(world, &initial));
  initial.shape = JW_SHAPE_SINE;
  initial.amplitude = -1.0;
  MUST(world, jw_world_add_initial(world, &initial));
}

// Its loss, 1 1/s, slows it by exp(-2 t).  Each of its 73 points rounds for itself, by eps x/2 in a
// frame, and x is 96,000 steps k v at most after 1 s (docs/physics.md, 6.2).
static void what_drifts_away_keeps_its_ledger_and_is_heard_where_it_is(void** state) {
  (void)state;
  JwWorld* const world = new_world(96000.0, true);
  JwStringDef def = short_string();
  def.ends[0] = def.ends[1] = JW_END_FREE;
  const JwObjectId id = add_string(world, &def), wall = add_barrier(world, 0.4);
  throw_string(world, id);
  const JwContactId touch =
      add_collision(world, jw_port(id, 0.3), jw_port(wall, 0.0), JW_RULE_BOUNDED, 1e5);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 48000);
  double place, velocity;
  assert_int_equal(jw_world_probe(world, jw_port(id, 0.5), &place, &velocity), JW_STATUS_OK);
  const uint32_t count = jw_world_field(world, id, field, 4096);
  assert_true(fabs(velocity - exp(-1.0)) < 1e-9
              && fabs(place - 0.5 * (1.0 - exp(-1.0))) < 1.1e-5); // One frame
  assert_true(count == 73 && field[count / 2] == place);
  assert_true(jw_world_contact_figures(world, touch).closures == 0);
  run_frames(world, 48000);
  assert_true(jw_world_contact_figures(world, touch).closures > 0);
  assert_true(jw_world_energy(world).worst_residual
              <= 4.0 * DBL_EPSILON * sqrt(96000.0 / 73.0) * 96000.0);
  jw_world_destroy(world);
}

// Strings and plates that nothing holds, or only a hinge, with and without tension.
#define FREE_THINGS 6

static JwObjectId add_free_thing(JwWorld* world, int kind) {
  JwObjectId id = {0};
  if (kind < 3) {
    JwStringDef def = short_string();
    def.ends[0] = kind == 2 ? JW_END_SUPPORTED : JW_END_FREE;
    def.ends[1] = JW_END_FREE;
    def.frequency = NAN;
    def.tension = kind == 0 ? 50.0 : 0.0;
    return add_string(world, &def);
  }
  JwPlateDef def = jw_plate_default();
  def.size[0] = 0.2, def.size[1] = 0.15;
  for (int i = 0; i < 4; ++i) {
    def.edges[i] = kind == 5 && i == 1 ? JW_END_SUPPORTED : JW_END_FREE;
  }
  def.tension = kind == 3 ? 200.0 : 0.0;
  MUST(world, jw_world_add_plate(world, &def, &id));
  return id;
}

// Bent by 1 um, and below a floor of 1e-6 J: stopped when rest is first looked for, halfway between
// its last two states.  V of that is V(u, p) + V((u - p)/2), and stability keeps the second below
// the kinetic energy: what is stopped never holds more than it did, and the ledger knows the rest.
static void what_nothing_holds_is_stilled_with_no_more_than_it_held(void** state) {
  (void)state;
  for (int kind = 0; kind < FREE_THINGS; ++kind) {
    JwWorldDef def = jw_world_default();
    def.ledger = true;
    def.energy_floor = 1e-6;
    JwWorld* world = NULL;
    assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
    const JwObjectId id = add_free_thing(world, kind);
    JwInitialDef bent = jw_initial_default();
    bent.object = id;
    bent.x = 0.4, bent.y = 0.6, bent.width = 0.5, bent.amplitude = 1e-6;
    MUST(world, jw_world_add_initial(world, &bent));
    MUST(world, jw_world_prepare(world));
    run_frames(world, 255);
    const JwEnergy before = jw_world_energy(world);
    assert_true(before.peak > 0.0 && before.peak < 1e-6 && before.kinetic > 0.0);
    run_frames(world, 2);
    const JwEnergy energy = jw_world_energy(world);
    assert_true(energy.kinetic == 0.0 && energy.potential <= before.stored * (1.0 + 1e-12));
    assert_true(energy.worst_residual < 1e-12);
    jw_world_destroy(world);
  }
}

// How far a place of a plate comes in a second, long after a push of 0.2 s at `at`.
static double drift_of(const JwPlateDef* def, const double at[2], const double place[2]) {
  JwWorld* const world = new_world(44100.0, true);
  JwObjectId id = {0};
  MUST(world, jw_world_add_plate(world, def, &id));
  JwForceDef force = jw_force_default();
  JwExciterId exciter = {0};
  force.port = jw_port(id, at[0]), force.port.y = at[1], force.shape = JW_FORCE_PULSE,
  force.duration = 0.2;
  MUST(world, jw_world_add_force(world, &force, &exciter));
  JwPort port = jw_port(id, place[0]);
  port.y = place[1];
  MUST(world, jw_world_prepare(world));
  double before, after, velocity;
  run_frames(world, 88200);
  MUST(world, jw_world_probe(world, port, &before, &velocity));
  run_frames(world, 44100);
  MUST(world, jw_world_probe(world, port, &after, &velocity));
  if (def->edges[1] == JW_END_FREE
      && def->edges[3] == JW_END_FREE) { // The last point is the corner
    double corner;
    port.x = port.y = 1.0;
    MUST(world, jw_world_probe(world, port, &corner, &velocity));
    const uint32_t count = jw_world_field(world, id, field, 4096);
    assert_true(fabs(field[count - 1] - corner) <= 4.0 * DBL_EPSILON * fabs(corner));
  }
  // 4 eps sqrt(n) |x|/(k|v|), where it has come at most as many steps away as there were frames;
  // each of its hundred points rounds for itself
  assert_true(jw_world_energy(world).worst_residual
              <= 4.0 * DBL_EPSILON * sqrt(132300.0 / 100.0) * 132300.0);
  jw_world_destroy(world);
  return after - before;
}

// Pushed at a corner a free plate rises and turns: at fractions x, y of its sides it moves by 1 - 6
// (x - 1/2)/(1 + 2/Nx^2) - 6 (y - 1/2)/(1 + 2/Ny^2) of its middle, the sum of x^2 over N intervals
// being that much larger than its integral.  On a hinge it moves by the distance from that.  A
// raised cosine of 0.2 s, 20 periods of the lowest vibration, leaves 20^-3 of the velocity to that,
// and over 2 pi 100 Hz times 1 s a place is off by 2e-7 of the way.
static void plates_that_drift_rise_and_turn_as_rigid_ones(void** state) {
  (void)state;
  JwPlateDef def = jw_plate_default();
  def.size[0] = 0.3, def.size[1] = 0.2, def.thickness = 2e-3, def.points[0] = 12, def.points[1] = 8;
  for (int i = 0; i < 4; ++i) {
    def.edges[i] = JW_END_FREE;
  }
  const double corner[2] = {0.0, 0.0}, middle[2] = {0.5, 0.5},
               rise = drift_of(&def, corner, middle);
  for (int i = 0; i < 3; ++i) {
    const double place[2] = {i % 2 ? 1.0 : 0.27,
                             i < 2 ? 0.71 : 0.0}; // Between points, and on edges
    const double wanted = 1.0 - 6.0 * (place[0] - 0.5) / (1.0 + 2.0 / 144.0)
                          - 6.0 * (place[1] - 0.5) / (1.0 + 2.0 / 64.0);
    assert_true(fabs(drift_of(&def, corner, place) / rise - wanted) < 1e-6);
  }
  for (int hinge = 0; hinge < 4; ++hinge) {
    def.edges[hinge] = JW_END_SUPPORTED;
    const double far = hinge % 2 ? 0.0 : 1.0, half[2] = {0.5, 0.5};
    const double edge[2] = {hinge < 2 ? far : 0.5, hinge < 2 ? 0.5 : far};
    const double most = drift_of(&def, edge, edge);
    assert_true(most > 0.0 && fabs(drift_of(&def, edge, half) / most - 0.5) < 1e-6);
    def.edges[hinge] = JW_END_FREE;
  }
}

enum { OWN = 3 };

// An object of three modes with a place each, where each is pushed for 0.1 ms.  Returns whether the
// mode `heard` still moves after 0.1 s, and the energy of all.
static bool still_rings(double frequency, double floor_energy, const double force[OWN], int heard,
                        double* energy) {
  const double shapes[OWN * OWN] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  const JwMode modes[OWN] = {
      {frequency, 0.0, 0.1}, {1.3 * frequency, 0.0, 0.02}, {1.7 * frequency, 0.0, 3.0}};
  JwWorldDef world_def = jw_world_default();
  world_def.energy_floor = floor_energy;
  world_def.ledger = true;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&world_def, &world), JW_STATUS_OK);
  JwModalDef def = jw_modal_default();
  def.modes = modes, def.mode_count = OWN, def.shapes = shapes, def.shape_count = OWN;
  JwObjectId id = {0};
  MUST(world, jw_world_add_modal(world, &def, &id));
  for (int i = 0; i < OWN; ++i) {
    JwForceDef pulse = jw_force_default();
    JwExciterId exciter = {0};
    pulse.port = jw_port(id, i), pulse.shape = JW_FORCE_STEADY, pulse.amplitude = force[i],
    pulse.duration = 1e-4;
    MUST(world, jw_world_add_force(world, &pulse, &exciter));
  }
  add_pickup(world, jw_port(id, heard), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  static double out[4096];
  run_into(world, out, 4096, 0, 4096);
  const JwEnergy stored = jw_world_energy(world);
  *energy = stored.kinetic + stored.potential;
  jw_world_destroy(world);
  return out[4095] != 0.0 || out[4094] != 0.0;
}

// A mode whose energy lies below the floor is stilled while another rings on, one above it is not:
// 1 % either side of what it has by itself, with or without a spring.  (1.5) keeps the energy of a
// mode to 1e-12 in this time, and the sum of squares that is compared differs from it by (w k/2)^2
// = 2e-3 at most.
static void a_mode_is_stilled_below_the_floor_and_not_above(void** state) {
  (void)state;
  for (int i = 0; i < 6; ++i) {
    const double frequency = i % 2 ? 300.0 : 0.0;
    const int quiet = i / 2, loud = (quiet + 1) % OWN;
    double force[OWN] = {0.0}, alone, all;
    force[quiet] = 1e-3;
    assert_true(still_rings(frequency, 0.0, force, quiet, &alone) && alone > 0.0);
    force[loud] = 1e3;
    assert_true(still_rings(frequency, 0.99 * alone, force, quiet, &all) && all > 100.0 * alone);
    assert_true(!still_rings(frequency, 1.01 * alone, force, quiet, &all) && all > 100.0 * alone);
    assert_true(still_rings(frequency, 1.01 * alone, force, loud, &all));
  }
}

// A plate of 88 points on one hinge, thrown so that its free end goes 0.25 m in 1 s, and bends by
// at most 0.5 m/s/(2 pi 100 Hz) as it vibrates.  It comes 96,000 steps k v away.
static void what_turns_about_its_hinge_keeps_its_ledger_and_is_heard_where_it_is(void** state) {
  (void)state;
  JwWorld* const world = new_world(96000.0, true);
  JwPlateDef def = jw_plate_default();
  def.size[0] = 0.1;
  def.size[1] = 0.12;
  def.thickness = 0.002;
  def.edges[1] = def.edges[2] = def.edges[3] = JW_END_FREE;
  JwObjectId plate;
  MUST(world, jw_world_add_plate(world, &def, &plate));
  JwInitialDef initial = jw_initial_default();
  initial.object = plate;
  initial.quantity = JW_INITIAL_VELOCITY;
  initial.shape = JW_SHAPE_TRIANGLE;
  initial.x = 1.0;
  initial.amplitude = 0.5;
  MUST(world, jw_world_add_initial(world, &initial));
  MUST(world, jw_world_prepare(world));
  const JwPort ends[2] = {{plate, 1.0, 0.5, JW_READ_LINEAR, 0.0},
                          {plate, 0.5, 0.5, JW_READ_LINEAR, 0.0}};
  run_frames(world, 96000);
  double place[2], velocity;
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(jw_world_probe(world, ends[i], &place[i], &velocity), JW_STATUS_OK);
  }
  const uint32_t count = jw_world_field(world, plate, field, 4096);
  assert_true(count == 88 && fabs(field[count - 1] - place[0]) < 8e-4);
  assert_true(fabs(place[0] - 0.25) < 8e-4 && fabs(place[0] - 2.0 * place[1]) < 8e-4);
  assert_true(jw_world_energy(world).worst_residual
              <= 4.0 * DBL_EPSILON * sqrt(96000.0 / 88.0) * 96000.0);
  jw_world_destroy(world);
}

// A string bent by a spring that is stretched far above the floor holds less than the floor
// itself.  It is not at rest at zero: it must hang where it hangs with no floor to speak of.
static void what_a_load_bends_is_not_laid_to_rest_unbent(void** state) {
  (void)state;
  double place[2];
  for (int i = 0; i < 2; ++i) {
    JwWorldDef def = jw_world_default();
    def.ledger = true;
    def.energy_floor = i ? 1e-6 : 1e-36;
    JwWorld* world = NULL;
    assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
    JwStringDef s = jw_string_default();
    s.length = 1.0, s.mass_per_length = 1e-3, s.tension = 100.0, s.loss[0] = 50.0;
    const JwObjectId string = add_string(world, &s);
    JwSpringDef spring =
        jw_spring_default(); // 1e-2 N: 5e-5 J in the spring, 1.25e-7 J in the string
    spring.a = jw_port(string, 0.5), spring.b = jw_port(add_barrier(world, 0.0), 0.0);
    spring.linear = 1.0, spring.gap = 1e-2;
    JwContactId id;
    MUST(world, jw_world_add_spring(world, &spring, &id));
    MUST(world, jw_world_prepare(world));
    run_frames(world, 44100);
    double velocity;
    MUST(world, jw_world_probe(world, jw_port(string, 0.5), &place[i], &velocity));
    assert_true(jw_world_energy(world).worst_residual < 1e-9);
    jw_world_destroy(world);
  }
  assert_true(fabs(place[0]) > 2e-5); // Bent
  assert_true(fabs(place[1] - place[0]) < 1e-6 * fabs(place[0]));
}

// A ball that lies on the floor is loaded by its weight and does not move: it sleeps there, is
// heard to press with its weight, and flies when it is thrown.
static void what_is_still_under_load_sleeps_with_its_load(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwMassDef def = jw_mass_default();
  def.mass = 0.1, def.gravity = 9.81;
  JwObjectId ball = {0};
  MUST(world, jw_world_add_mass(world, &def, &ball));
  JwCollisionDef floor = jw_collision_default();
  floor.below = jw_port(add_barrier(world, 0.0), 0.0), floor.above = jw_port(ball, 0.0);
  floor.stiffness = 1e5, floor.exponent = 1.5, floor.loss = 1e6;
  JwContactId contact;
  MUST(world, jw_world_add_collision(world, &floor, &contact));
  JwPickupDef force = jw_pickup_default();
  force.quantity = JW_QUANTITY_FORCE, force.contact = contact;
  JwPickupId id;
  MUST(world, jw_world_add_pickup(world, &force, &id));
  add_pickup(world, jw_port(ball, 0.0), JW_QUANTITY_DISPLACEMENT);
  add_pickup(world, jw_port(ball, 0.0), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  uint32_t seconds = 0;
  for (; seconds < 20 && world->components[0].state->awake; ++seconds) {
    run_frames(world, 44100);
  }
  assert_true(seconds < 20);
  static double out[3][100];
  run_into(world, out[0], 100, 0, 100);
  const double depth = pow(0.981 / 1e5, 1.0 / 1.5);
  for (int i = 0; i < 100; ++i) {
    assert_true(fabs(out[0][i] - 0.981) < 2e-8); // Two steps within 1e-8 of the load
    assert_true(out[1][i] == out[1][0]
                && fabs(out[1][i] + depth) < 0.02 * depth); // psi may be off by its misfit
    assert_true(out[2][i] == 0.0);
  }
  MUST(world, jw_world_throw(world, ball, 1.0, 0.0));
  run_frames(world, 4410);
  double place, velocity;
  MUST(world, jw_world_probe(world, jw_port(ball, 0.0), &place, &velocity));
  assert_true(fabs(place - (1.0 - 0.5 * 9.81 * 0.01)) < 1e-9);
  assert_true(jw_world_energy(world).worst_residual < 1e-9);
  jw_world_destroy(world);
}

// At the top of its flight a ball does not move, but it is not at rest.
static void what_turns_around_does_not_sleep(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwMassDef def = jw_mass_default();
  def.mass = 0.1, def.gravity = 9.81, def.position = 1.0;
  def.velocity = 9.81 * JW_REST_FRAMES / 44100.0; // At the top when rest is looked for
  JwObjectId ball = {0};
  MUST(world, jw_world_add_mass(world, &def, &ball));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 4410);
  double place, velocity;
  MUST(world, jw_world_probe(world, jw_port(ball, 0.0), &place, &velocity));
  assert_true(fabs(place - (1.0 + 0.1 * def.velocity - 0.5 * 9.81 * 0.01)) < 1e-9);
  jw_world_destroy(world);
}

// Rest is looked for every 256 frames.  A string whose period is as long stands still whenever that
// happens, at its turning point: what it has is in its tension, a thousand times the floor.
static void what_is_met_where_it_turns_is_not_laid_to_rest(void** state) {
  (void)state;
  JwWorldDef world_def = jw_world_default();
  world_def.ledger = true;
  world_def.energy_floor = 1e-6;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&world_def, &world), JW_STATUS_OK);
  JwStringDef def = jw_string_default();
  def.length = 0.65, def.mass_per_length = 1e-3, def.frequency = 44100.0 / 256.0;
  const JwObjectId string = add_string(world, &def);
  JwInitialDef start = jw_initial_default();
  start.object = string, start.shape = JW_SHAPE_SINE;
  const double tension = 4.0 * 0.65 * 0.65 * def.frequency * def.frequency * 1e-3;
  start.amplitude = sqrt(1e-3 * 4.0 * 0.65 / tension) / JW_PI; // T (pi A)^2 / 4 L = 1 mJ
  MUST(world, jw_world_add_initial(world, &start));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 1);
  const double first = jw_world_energy(world).stored;
  assert_true(fabs(first - 1e-3) < 2e-5);
  for (int i = 0; i < 40; ++i) {
    run_frames(world, 256);
    const JwEnergy energy = jw_world_energy(world);
    assert_true(fabs(energy.stored - first) < 1e-9 * first);
  }
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_that_has_died_away_is_exactly_zero_and_sleeps),
      cmocka_unit_test(a_sleeper_wakes_as_a_fresh_world_to_the_bit),
      cmocka_unit_test(a_bow_that_sets_out_wakes_its_string),
      cmocka_unit_test(a_sleeper_that_is_thrown_wakes_at_its_frame),
      cmocka_unit_test(what_sleeps_away_from_zero_is_heard_where_it_is),
      cmocka_unit_test(a_bar_on_one_hinge_rests_where_it_stops),
      cmocka_unit_test(fast_modes_do_not_go_subnormal_while_slow_ones_ring),
      cmocka_unit_test(a_mode_is_stilled_below_the_floor_and_not_above),
      cmocka_unit_test(an_object_dies_away_beside_one_that_goes_on),
      cmocka_unit_test(a_floor_of_zero_lets_only_true_silence_sleep),
      cmocka_unit_test(what_drifts_away_keeps_its_ledger_and_is_heard_where_it_is),
      cmocka_unit_test(what_nothing_holds_is_stilled_with_no_more_than_it_held),
      cmocka_unit_test(plates_that_drift_rise_and_turn_as_rigid_ones),
      cmocka_unit_test(what_turns_about_its_hinge_keeps_its_ledger_and_is_heard_where_it_is),
      cmocka_unit_test(what_a_load_bends_is_not_laid_to_rest_unbent),
      cmocka_unit_test(what_is_still_under_load_sleeps_with_its_load),
      cmocka_unit_test(what_turns_around_does_not_sleep),
      cmocka_unit_test(what_is_met_where_it_turns_is_not_laid_to_rest),
  };
  return cmocka_run_group_tests_name("rest", tests, NULL, NULL);
}
