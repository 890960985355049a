// SPDX-License-Identifier: MIT
// Changes from outside: what is taken, what is refused, that nothing clicks and the ledger stays
// closed.

#include "orchestra.h"

static void the_queue_takes_as_many_as_promised_and_then_is_full(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  def.queue = 8;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  const JwObjectId mass = add_mass(world, 1.0, 0.0, 0.0);
  add_pickup(world, jw_port(mass, 0.0), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 8; ++i) {
      assert_int_equal(jw_world_throw(world, mass, 0.0, 1.0 + i), JW_STATUS_OK);
    }
    assert_int_equal(jw_world_throw(world, mass, 0.0, 99.0), JW_STATUS_FULL);
    double out;
    run_into(world, &out, 1, 0, 1);
    // The last that fitted holds; in k v one rounding of u and one of the difference
    assert_true(fabs(out - 8.0) < 1e-12);
  }
  jw_world_destroy(world);
}

static void commands_for_what_is_not_there_are_refused(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  JwWorld* const w = o.world;
  const JwTarget two = {.control = JW_CONTROL_X, .contact = {1}, .pickup = {1}},
                 nobody = {.control = JW_CONTROL_X};
  assert_int_equal(jw_world_set(w, two, 0.5, 0.0), JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, nobody, 0.5, 0.0), JW_STATUS_BAD_REFERENCE);
  const JwTarget unknown = {.control = (JwControl)99, .contact = {1}};
  assert_int_equal(jw_world_set(w, unknown, 0.5, 0.0), JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_contact(JW_CONTROL_GAP, o.bow), 0.5, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_contact(JW_CONTROL_X, o.buzz), 0.5, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_object(JW_CONTROL_TENSION, o.modes), 0.5, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_contact(JW_CONTROL_X, (JwContactId){99}), 0.5, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_throw(w, o.string, 0.0, 0.0), JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_throw(w, (JwObjectId){0}, 0.0, 0.0), JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_trigger(w, (JwExciterId){3}, 0.0), JW_STATUS_BAD_REFERENCE);
  jw_world_destroy(w);
}

// Rows of a table have nothing between them, and the row beyond the last is not there at all.
static void a_place_on_a_modal_object_does_not_move(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  JwWorld* const w = o.world;
  assert_int_equal(jw_world_set(w, on_contact(JW_CONTROL_X2, o.rattle), 1.0, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_contact(JW_CONTROL_X2, o.knock), 0.5, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_pickup(JW_CONTROL_X, (JwPickupId){6}), 0.5, 0.0),
                   JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_world_set(w, on_contact(JW_CONTROL_X, o.rattle), 0.5, 0.0), JW_STATUS_OK);
  jw_world_destroy(w);
}

static void values_out_of_range_are_refused(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  JwWorld* const w = o.world;
  const double tension = jw_world_object_info(w, o.string).tension;
  const struct {
    JwTarget target;
    double low, high;
  } ranges[] = {
      {on_contact(JW_CONTROL_X2, o.strike), 0.0, 1.0},
      {on_contact(JW_CONTROL_Y2, o.spring), 0.0, 1.0},
      {on_pickup(JW_CONTROL_Y, o.skin), 0.0, 1.0},
      {on_exciter(JW_CONTROL_X, o.pluck), 0.0, 1.0},
      {on_contact(JW_CONTROL_STIFFNESS, o.strike), 0.0, 1e20},
      {on_object(JW_CONTROL_POSITION, o.hammer), -1e6, 1e6},
      {on_contact(JW_CONTROL_X, o.bow), 0.0, 1.0},
      {on_contact(JW_CONTROL_FORCE, o.bow), 0.0, 1e6},
      {on_contact(JW_CONTROL_SPEED, o.bow), -1e3, 1e3},
      {on_contact(JW_CONTROL_GAP, o.strike), -1e6, 1e6},
      {on_contact(JW_CONTROL_LOSS, o.strike), 0.0, 1e20},
      {on_contact(JW_CONTROL_STIFFNESS, o.spring), 0.0, 1e20},
      {on_pickup(JW_CONTROL_PAN, o.near), -1.0, 1.0},
      {on_pickup(JW_CONTROL_GAIN, o.near), -1e12, 1e12},
      {on_exciter(JW_CONTROL_FORCE, o.pulse), -1e6, 1e6},
      {on_object(JW_CONTROL_TENSION, o.string), 0.0, 1.5 * tension},
      {on_object(JW_CONTROL_POSITION, o.floor), -1e6, 1e6},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
    const double wide = 1e-9 * (fabs(ranges[i].low) + fabs(ranges[i].high));
    const double bad[] = {ranges[i].low - wide, ranges[i].high + wide, NAN, INFINITY, -INFINITY};
    for (int b = 0; b < 5; ++b) {
      assert_int_equal(jw_world_set(w, ranges[i].target, bad[b], 0.0), JW_STATUS_BAD_VALUE);
    }
    assert_int_equal(jw_world_set(w, ranges[i].target, ranges[i].low, 0.0), JW_STATUS_OK);
    assert_int_equal(jw_world_set(w, ranges[i].target, ranges[i].high, 0.0), JW_STATUS_OK);
    assert_int_equal(jw_world_set(w, ranges[i].target, ranges[i].low, -1.0), JW_STATUS_BAD_VALUE);
    assert_int_equal(jw_world_set(w, ranges[i].target, ranges[i].low, NAN), JW_STATUS_BAD_VALUE);
  }
  assert_int_equal(jw_world_throw(w, o.hammer, 1e7, 0.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_throw(w, o.hammer, 0.0, NAN), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_world_trigger(w, o.pulse, 1e7), JW_STATUS_BAD_VALUE);
  jw_world_destroy(w);
}

// A barrier under two masses that share nothing else: refused as a command, obeyed as a curve.
static void a_shared_barrier_moves_by_curve_and_refuses_commands(void** state) {
  (void)state;
  for (int by_curve = 0; by_curve < 2; ++by_curve) {
    JwWorld* const world = new_world(44100.0, true);
    const JwObjectId barrier = add_barrier(world, 0.0);
    const JwObjectId masses[2] = {add_mass(world, 0.01, 1e-3, 0.0),
                                  add_mass(world, 0.02, 1e-3, 0.0)};
    JwContactId contacts[2];
    for (int i = 0; i < 2; ++i) {
      contacts[i] = add_collision(world, jw_port(barrier, 0.0), jw_port(masses[i], 0.0),
                                  JW_RULE_BOUNDED, 1e6);
      add_pickup(world, jw_port(masses[i], 0.0), JW_QUANTITY_DISPLACEMENT);
    }
    const JwBreakpoint up[2] = {{0.0, 0.0}, {0.1, 0.01}};
    if (by_curve) {
      MUST(world, jw_world_add_curve(world, on_object(JW_CONTROL_POSITION, barrier), up, 2));
    }
    MUST(world, jw_world_prepare(world));
    assert_int_equal(jw_world_set(world, on_object(JW_CONTROL_POSITION, barrier), 0.0, 0.0),
                     by_curve ? JW_STATUS_OK : JW_STATUS_BAD_REFERENCE);
    jw_world_reset(world); // Drops the command
    run_frames(world, 6000);
    for (int i = 0; i < 2; ++i) {
      assert_true((jw_world_contact_figures(world, contacts[i]).closures > 0) == (by_curve == 1));
    }
    assert_true(jw_world_energy(world).worst_residual < 1e-9);
    jw_world_destroy(world);
  }
}

// A string that sounds, tied to a mass and to a barrier, pushed steadily; bowed, which has steps of
// its own, or not.
typedef struct {
  JwWorld* world;
  JwObjectId string, barrier;
  JwContactId spring, tie, bow;
  JwExciterId push;
  JwPickupId ear;
  double tension;
} Ringing;

static JwContactId add_tie(JwWorld* world, JwPort string, JwObjectId other) {
  JwSpringDef def = jw_spring_default();
  def.a = string;
  def.b = jw_port(other, 0.0);
  def.linear = 300.0;
  def.damping = 0.01;
  JwContactId id;
  MUST(world, jw_world_add_spring(world, &def, &id));
  return id;
}

static Ringing ringing_make(bool bowed) {
  Ringing r = {0};
  JwWorldDef def = jw_world_default();
  def.channels = 2;
  assert_int_equal(jw_world_create(&def, &r.world), JW_STATUS_OK);
  JwStringDef string_def = short_string();
  string_def.bend = 1.3;
  r.string = add_string(r.world, &string_def);
  JwInitialDef initial = jw_initial_default();
  initial.object = r.string;
  initial.shape = JW_SHAPE_SINE;
  MUST(r.world, jw_world_add_initial(r.world, &initial));
  r.barrier = add_barrier(r.world, 0.0);
  r.spring = add_tie(r.world, jw_port(r.string, 0.3), add_mass(r.world, 1.0, 0.0, 0.0));
  r.tie = add_tie(r.world, jw_port(r.string, 0.8), r.barrier);
  JwForceDef force = jw_force_default();
  force.port = jw_port(r.string, 0.55);
  force.shape = JW_FORCE_STEADY;
  force.amplitude = 0.2;
  force.duration = 10.0;
  MUST(r.world, jw_world_add_force(r.world, &force, &r.push));
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(r.string, 0.1);
  bow.force = bowed ? 0.05 : 0.0;
  MUST(r.world, jw_world_add_bow(r.world, &bow, &r.bow));
  r.ear = add_pickup(r.world, jw_port(r.string, 0.4), JW_QUANTITY_VELOCITY);
  r.tension = jw_world_object_info(r.world, r.string).tension;
  MUST(r.world, jw_world_prepare(r.world));
  return r;
}

enum { RINGING_CHANGES = 14, OF_BOW = 11 };

// Returns what change `which` is of; the value it goes to in *value.
static JwTarget ringing_change(const Ringing* r, int which, double* value) {
  const struct {
    JwTarget target;
    double value;
  } changes[RINGING_CHANGES] = {
      {on_pickup(JW_CONTROL_GAIN, r->ear), 2.0},
      {on_pickup(JW_CONTROL_PAN, r->ear), -0.9},
      {on_pickup(JW_CONTROL_X, r->ear), 0.95},
      {on_object(JW_CONTROL_TENSION, r->string), 1.2 * r->tension},
      {on_contact(JW_CONTROL_X, r->spring), 0.7},
      {on_contact(JW_CONTROL_STIFFNESS, r->spring), 900.0},
      {on_contact(JW_CONTROL_LOSS, r->spring), 0.2},
      {on_contact(JW_CONTROL_GAP, r->spring), 1e-3},
      {on_object(JW_CONTROL_POSITION, r->barrier), 1e-3},
      {on_contact(JW_CONTROL_X, r->tie), 0.65},
      {on_exciter(JW_CONTROL_FORCE, r->push), 0.8},
      {on_contact(JW_CONTROL_FORCE, r->bow), 0.3},
      {on_contact(JW_CONTROL_SPEED, r->bow), 0.4},
      {on_contact(JW_CONTROL_X, r->bow), 0.2},
  };
  *value = changes[which].value;
  return changes[which].target;
}

enum { CLICK_AT = 2000, CLICK_END = 8192, CLICK_SOON = 64 };

// Play, and let a control go to its value in `seconds`; less than 0: not at all.
static void ring(int which, double seconds, double* out) {
  Ringing r = ringing_make(which >= OF_BOW);
  double value;
  const JwTarget target = ringing_change(&r, which, &value);
  run_into(r.world, out, CLICK_END, 0, CLICK_AT);
  if (seconds >= 0.0) {
    MUST(r.world, jw_world_set(r.world, target, value, seconds));
  }
  run_into(r.world, out, CLICK_END, CLICK_AT, CLICK_END - CLICK_AT);
  jw_world_destroy(r.world);
}

// The most that a change adds to the sound in its first `count` samples.
static double added(int which, double seconds, int count) {
  static double changed[2][CLICK_END], still[2][CLICK_END];
  ring(which, seconds, changed[0]);
  ring(which, -1.0, still[0]);
  double most = 0.0;
  for (int c = 0; c < 2; ++c) {
    assert_memory_equal(changed[c], still[c], CLICK_AT * sizeof(double));
    for (int i = CLICK_AT; i < CLICK_AT + count; ++i) {
      most = fmax(most, fabs(changed[c][i] - still[c][i]));
    }
  }
  return most;
}

// In 64 of the 882 samples of a ramp of 20 ms a control has gone 7 % of its way, and adds in
// proportion, where a jump adds all of it; places follow the string's shape, a sine, whose slope is
// up to pi/2 times its mean.
static void a_ramp_does_not_click(void** state) {
  (void)state;
  double worst = 0.0;
  for (int which = 0; which < RINGING_CHANGES; ++which) {
    const double all = added(which, 0.0, CLICK_END - CLICK_AT),
                 soon = added(which, 0.02, CLICK_SOON);
    if (!(all > 0.0 && soon < acos(0.0) * 64.0 / 882.0 * all)) {
      fail_msg("change %d adds %g in 64 samples, a jump %g in all", which, soon, all);
    }
    worst = fmax(worst, soon / all);
  }
  print_message(
      "# %d controls: in 64 samples of its ramp none adds more than %.2g of what a jump adds\n",
      RINGING_CHANGES, worst);
}

// Each control alone, up and down, in a world that sounds: the bound as in test_life.
static void every_control_alone_keeps_the_ledger_closed(void** state) {
  (void)state;
  for (int which = 0; which < 12; ++which) {
    Orchestra o = orchestra_make(true);
    JwWorld* const w = o.world;
    const double tension = jw_world_object_info(w, o.string).tension;
    const struct {
      JwTarget target;
      double low, high;
    } moves[12] = {
        {on_contact(JW_CONTROL_X, o.bow), 0.05, 0.3},
        {on_contact(JW_CONTROL_FORCE, o.bow), 0.0, 1.0},
        {on_contact(JW_CONTROL_SPEED, o.bow), -0.3, 0.3},
        {on_contact(JW_CONTROL_GAP, o.strike), -1e-3, 1e-4},
        {on_contact(JW_CONTROL_X2, o.strike), 0.2, 0.8},
        {on_contact(JW_CONTROL_STIFFNESS, o.knock), 1e5, 1e9},
        {on_contact(JW_CONTROL_LOSS, o.knock), 0.0, 1e8},
        {on_contact(JW_CONTROL_STIFFNESS, o.spring), 0.0, 1e5},
        {on_object(JW_CONTROL_TENSION, o.string), 0.5 * tension, 1.5 * tension},
        {on_object(JW_CONTROL_POSITION, o.floor), -1e-3, 5e-3},
        {on_object(JW_CONTROL_POSITION, o.hammer), -3e-3, 1e-3},
        {on_contact(JW_CONTROL_GAP, o.rattle), -1e-5, 1e-5},
    };
    for (int turn = 0; turn < 4; ++turn) {
      MUST(w, jw_world_set(w, moves[which].target, turn % 2 ? moves[which].low : moves[which].high,
                           turn < 2 ? 0.005 : 0.0));
      run_frames(w, 300);
    }
    const JwEnergy energy = jw_world_energy(w);
    if (!(energy.worst_residual < 1e-9)) {
      fail_msg("control %d: worst residual %g", which, energy.worst_residual);
    }
    jw_world_destroy(w);
  }
}

// Triggered with 3 N, then led to 5 N: the force never falls back to the 1 N it was defined with.
static void a_ramp_after_a_trigger_starts_where_the_trigger_left_it(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, false);
  const JwObjectId mass = add_mass(world, 1.0, 0.0, 0.0);
  JwForceDef def = jw_force_default();
  def.port = jw_port(mass, 0.0);
  def.shape = JW_FORCE_STEADY;
  def.start = 100.0;
  def.duration = 1.0;
  JwExciterId force;
  MUST(world, jw_world_add_force(world, &def, &force));
  add_pickup(world, jw_port(mass, 0.0), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  double v[401];
  run_into(world, v, 401, 0, 1);
  MUST(world, jw_world_trigger(world, force, 3.0));
  run_into(world, v, 401, 1, 100);
  MUST(world, jw_world_set(world, on_exciter(JW_CONTROL_FORCE, force), 5.0, 0.005));
  run_into(world, v, 401, 101, 300);
  for (int i = 3; i < 401; ++i) {
    const double newton =
        (v[i] - v[i - 1]) * 44100.0; // A free kilogram: two differences of 1e-4 m, 1e-8 relative
    assert_true(newton > 3.0 - 1e-6 && newton < 5.0 + 1e-6);
  }
  jw_world_destroy(world);
}

// A push of 0 N, led to 5 N within a block: heard in that block, as frame by frame.
static void a_push_that_is_led_from_nothing_is_heard_within_its_block(void** state) {
  (void)state;
  static double v[2][2000];
  for (int whole = 0; whole < 2; ++whole) {
    JwWorld* const world = new_world(44100.0, false);
    const JwObjectId mass = add_mass(world, 1.0, 0.0, 0.1);
    JwForceDef def = jw_force_default();
    def.port = jw_port(mass, 0.0), def.shape = JW_FORCE_STEADY, def.amplitude = 0.0,
    def.duration = 1.0;
    JwExciterId force;
    MUST(world, jw_world_add_force(world, &def, &force));
    add_pickup(world, jw_port(mass, 0.0), JW_QUANTITY_VELOCITY);
    MUST(world, jw_world_prepare(world));
    MUST(world, jw_world_set(world, on_exciter(JW_CONTROL_FORCE, force), 5.0, 0.005));
    for (uint32_t i = 0, count = whole ? 2000 : 1; i < 2000; i += count) {
      run_into(world, v[whole], 2000, i, count);
    }
    jw_world_destroy(world);
  }
  assert_memory_equal(v[0], v[1], sizeof v[0]);
  assert_true(fabs(v[1][1999] - (0.1 + 5.0 * (2000.0 - 110.25) / 44100.0))
              < 2.0 * 5.0 / 44100.0); // To two samples
}

// A mass thrown at 1 m/s onto a contact whose gap moves at V, and what its speed has gained; first
// touched at `phase` of a sample's way.
static double bounce_gain(double stiffness, double speed, double phase, double* samples) {
  JwWorld* const world = new_world(44100.0, true);
  const JwObjectId mass = add_mass(world, 0.01, (50.0 + phase) / 44100.0, -1.0),
                   wall = add_barrier(world, 0.0);
  const JwContactId contact =
      add_collision(world, jw_port(wall, 0.0), jw_port(mass, 0.0), JW_RULE_BOUNDED, stiffness);
  const JwBreakpoint moving[2] = {{0.0, 0.0}, {1.0, speed}};
  MUST(world, jw_world_add_curve(world, on_contact(JW_CONTROL_GAP, contact), moving, 2));
  add_pickup(world, jw_port(mass, 0.0), JW_QUANTITY_VELOCITY);
  MUST(world, jw_world_prepare(world));
  double v = -1.0, place;
  for (int i = 0; i < 20 && !(v > 0.5); ++i) {
    run_frames(world, 100);
    MUST(world, jw_world_probe(world, jw_port(mass, 0.0), &place, &v));
  }
  *samples = (double)jw_world_contact_figures(world, contact).closed_samples;
  assert_true(jw_world_energy(world).worst_residual < 1e-9);
  jw_world_destroy(world);
  return v - 1.0;
}

// Off a wall that comes towards it at V a mass gains 2V; a gap that grows carries the wall away.  A
// contact of n samples knows when it opened and closed to one of them: 1/n.  One far too stiff for
// the rate takes the wall's motion into its step, and its energy against the wall is kept: 2V to
// rounding, eps times 1 mm over k being 1e-14 m/s, 1e-12 of V, ten times over.  Moved on by what
// its potential asks for it would fly off with any speed, 400 V.
static void a_moved_gap_gives_what_a_moving_wall_would(void** state) {
  (void)state;
  double worst = 0.0;
  for (int i = 0; i < 20; ++i) {
    double samples;
    const double speed = i % 2 ? -0.01 : 0.01, soft = bounce_gain(1e6, speed, i / 20.0, &samples);
    assert_true(samples > 50.0 && fabs(soft + 2.0 * speed) < 2.0 * fabs(speed) / samples);
    const double stiff = bounce_gain(1e14, speed, i / 20.0, &samples);
    worst = fmax(worst, fabs(stiff / speed + 2.0));
    assert_true(samples < 5.0);
  }
  print_message("# a stiff bounce misses 2V by %.3g V\n", worst);
  assert_true(worst < 1e-11);
}

// K x^(alpha+1)/(alpha+1) of collision and connection, K1 x^2/2 + K3 x^4/4 of the spring.
static JwContactId add_law(JwWorld* world, int law, JwPort wall, JwPort mass) {
  JwContactId id = {0};
  if (law == 0) {
    JwCollisionDef def = jw_collision_default();
    def.below = wall, def.above = mass, def.stiffness = 1e6, def.exponent = 1.5;
    MUST(world, jw_world_add_collision(world, &def, &id));
  } else if (law == 1) {
    JwConnectionDef def = jw_connection_default();
    def.a = wall, def.b = mass, def.stiffness = 1e6, def.exponent = 1.5;
    MUST(world, jw_world_add_connection(world, &def, &id));
  } else {
    JwSpringDef def = jw_spring_default();
    def.a = wall, def.b = mass, def.linear = 1e4, def.cubic = 1e9;
    MUST(world, jw_world_add_spring(world, &def, &id));
  }
  return id;
}

// Between a wall and 1,000 tonnes, which 160 N move by 8e-14 m in a frame, 4e-11 of x; six frames
// add that up by n^2/2, and the energy takes it up 2.5 or 4 times.
static void a_gap_that_jumps_leaves_the_load_that_the_potential_asks_for(void** state) {
  (void)state;
  for (int law = 0; law < 3; ++law) {
    JwWorld* const world = new_world(44100.0, true);
    const JwPort mass = jw_port(add_mass(world, 1e6, 0.0, 0.0), 0.0),
                 wall = jw_port(add_barrier(world, 0.0), 0.0);
    const JwContactId contact = add_law(world, law, wall, mass);
    MUST(world, jw_world_prepare(world));
    const double jumps[3] = {1e-3, 3e-3, 2e-3};
    for (int i = 0; i < 3; ++i) {
      const double x = jumps[i], wanted = law == 2 ? 1e4 / 2.0 * x * x + 1e9 / 4.0 * x * x * x * x
                                                   : 1e6 / 2.5 * pow(x, 2.5);
      MUST(world, jw_world_set(world, on_contact(JW_CONTROL_GAP, contact), -x, 0.0));
      run_frames(world, 2);
      const double stored = jw_world_energy(world).contact;
      if (!(fabs(stored - wanted) < 4.0 * 18.0 * 4e-11 * wanted)) {
        fail_msg("law %d at %g m: %.12g J, %.12g wanted", law, x, stored, wanted);
      }
    }
    assert_true(jw_world_energy(world).worst_residual < 1e-9);
    jw_world_destroy(world);
  }
}

// A finger comes down on a string at V and bends it by 2 mm; its contact is soft or far too stiff
// for the rate.  The string goes with it, to a twentieth of that way: the softest yields by (0.4
// N/K)^(2/3) = 54 um, the others chatter by less.  Given its load by the potential alone, a stiff
// finger went through.
static void a_finger_takes_the_string_along_however_stiff(void** state) {
  (void)state;
  for (int i = 0; i < 6; ++i) {
    const double stiffness = pow(10.0, 6.0 + i), speed = 0.2, deep = 2e-3;
    JwWorld* const world = new_world(44100.0, true);
    JwStringDef def = jw_string_default();
    def.length = 0.65;
    def.radius = 2e-4;
    def.density = 7850.0;
    def.young = 2e11;
    def.frequency = 110.0;
    JwObjectId string;
    MUST(world, jw_world_add_string(world, &def, &string));
    const JwObjectId finger = add_barrier(world, 5e-4);
    (void)add_collision(world, jw_port(string, 0.3), jw_port(finger, 0.0), JW_RULE_BOUNDED,
                        stiffness);
    const JwBreakpoint way[2] = {{0.0, 5e-4}, {(deep + 5e-4) / speed, -deep}};
    const JwTarget target = {.control = JW_CONTROL_POSITION, .object = finger};
    MUST(world, jw_world_add_curve(world, target, way, 2));
    MUST(world, jw_world_prepare(world));
    const uint32_t frames = (uint32_t)((deep + 5e-4) / speed * 44100.0);
    double worst = 0.0, place, velocity;
    for (uint32_t n = 1; n <= frames; ++n) {
      run_frames(world, 1);
      MUST(world, jw_world_probe(world, jw_port(string, 0.3), &place, &velocity));
      worst = fmax(worst, place - (5e-4 - speed * n / 44100.0)); // How far the finger is in it
    }
    print_message("# K %.0e: the finger is in the string by %.3g m at most\n", stiffness, worst);
    assert_true(worst < 0.05 * deep);
    assert_true(jw_world_energy(world).worst_residual < 1e-9);
    jw_world_destroy(world);
  }
}

// A port slides along a string that swings, to and fro, over or tied to a wall, by each law.  What
// its hand gives is booked: the bound is 4 eps sqrt(n) x/(k v) = 4e-12 of a string of 110 Hz, and
// what a contact's a and q, rounded alike in n frames, may do, 4 eps n = 4e-12
// (test/random/check.c).
static void a_hand_that_slides_a_port_pays_for_it_by_every_law(void** state) {
  (void)state;
  for (int law = 0; law < 3; ++law) {
    JwWorld* const world = new_world(44100.0, true);
    JwStringDef def = jw_string_default();
    def.length = 0.65, def.radius = 2e-4, def.frequency = 110.0;
    const JwObjectId string = add_string(world, &def);
    JwInitialDef pluck = jw_initial_default();
    pluck.object = string, pluck.x = 0.2, pluck.amplitude = 3e-3;
    MUST(world, jw_world_add_initial(world, &pluck));
    const JwContactId contact =
        add_law(world, law, jw_port(add_barrier(world, -1e-3), 0.0), jw_port(string, 0.3));
    const JwBreakpoint way[3] = {{0.0, 0.3}, {0.05, 0.7}, {0.1, 0.3}};
    MUST(world, jw_world_add_curve(world, on_contact(JW_CONTROL_X2, contact), way, 3));
    MUST(world, jw_world_prepare(world));
    run_frames(world, 4410);
    const JwEnergy energy = jw_world_energy(world);
    print_message("# law %d: given %.2g of %.2g J, residual %.2g\n", law, energy.supplied,
                  energy.peak, energy.worst_residual);
    assert_true(jw_world_contact_figures(world, contact).closed_samples > 100);
    assert_true(fabs(energy.supplied) > 1e-6 * energy.peak);
    assert_true(energy.worst_residual < 8e-12);
    jw_world_destroy(world);
  }
}

// A mass on a square plate, tied to it by a spring that moves from a third to two thirds of the one
// side or of the other.
static void slide_over_plate(bool across, double out[2000]) {
  JwWorld* const world = new_world(44100.0, true);
  JwPlateDef def = jw_plate_default();
  def.size[0] = def.size[1] = 0.3;
  def.thickness = 2e-3;
  JwObjectId plate;
  MUST(world, jw_world_add_plate(world, &def, &plate));
  const JwObjectId mass = add_mass(world, 0.01, 0.0, 1.0);
  JwSpringDef spring = jw_spring_default();
  spring.a = jw_port(plate, across ? 0.4 : 1.0 / 3.0);
  spring.a.y = across ? 1.0 / 3.0 : 0.4;
  spring.b = jw_port(mass, 0.0);
  spring.linear = 1e4;
  JwContactId tie;
  MUST(world, jw_world_add_spring(world, &spring, &tie));
  const JwBreakpoint way[2] = {{0.0, 1.0 / 3.0}, {2000.0 / 44100.0, 2.0 / 3.0}};
  MUST(world,
       jw_world_add_curve(world, on_contact(across ? JW_CONTROL_Y : JW_CONTROL_X, tie), way, 2));
  add_pickup(world, jw_port(mass, 0.0), JW_QUANTITY_DISPLACEMENT);
  MUST(world, jw_world_prepare(world));
  run_into(world, out, 2000, 0, 2000);
  assert_true(jw_world_energy(world).worst_residual < 1e-9);
  jw_world_destroy(world);
}

// The same but for the order of sums: n^2/2 eps of the step of 2e-5 m, 1e-14 m, and as much again
// from the plate.
static void a_port_moves_across_a_square_plate_as_along_it(void** state) {
  (void)state;
  static double along[2000], across[2000];
  slide_over_plate(false, along);
  slide_over_plate(true, across);
  double largest = 0.0;
  for (int i = 0; i < 2000; ++i) {
    assert_true(fabs(along[i] - across[i]) < 2e-14);
    largest = fmax(largest, fabs(along[i]));
  }
  assert_true(largest > 1e-4);
}

// ---------------------------------------------------------------- set or defined

enum { VALUES = 20, SET_FRAMES = 1500 };

typedef struct {
  JwWorld* world;
  JwTarget target[VALUES];
} Settable;

// A string that a bow and a hammer excite and a spring ties to a plate, itself pushed, all of it at
// rest at first; each of its twenty numbers a factor of what it is otherwise.
static Settable settable_make(const double v[VALUES]) {
  Settable s = {0};
  JwWorldDef def = jw_world_default();
  def.channels = 2;
  assert_int_equal(jw_world_create(&def, &s.world), JW_STATUS_OK);
  const JwStringDef string_def = short_string();
  const JwObjectId string = add_string(s.world, &string_def);
  JwPlateDef plate_def = jw_plate_default();
  JwObjectId plate;
  MUST(s.world, jw_world_add_plate(s.world, &plate_def, &plate));
  const JwObjectId hammer = add_mass(s.world, 3e-3, -1e-3, 1.0),
                   floor = add_barrier(s.world, -5e-3 * v[19]);
  JwPickupDef pickup = jw_pickup_default();
  JwPickupId ears[2];
  for (int i = 0; i < 2; ++i) {
    pickup.port = jw_port(i ? plate : string, 0.4 * v[4 * i]);
    pickup.port.y = 0.3 * v[4 * i + 1];
    pickup.gain = 0.5 * v[4 * i + 2];
    pickup.pan = 0.3 * v[4 * i + 3];
    MUST(s.world, jw_world_add_pickup(s.world, &pickup, &ears[i]));
    s.target[4 * i] = on_pickup(JW_CONTROL_X, ears[i]);
    s.target[4 * i + 1] = on_pickup(JW_CONTROL_Y, ears[i]);
    s.target[4 * i + 2] = on_pickup(JW_CONTROL_GAIN, ears[i]);
    s.target[4 * i + 3] = on_pickup(JW_CONTROL_PAN, ears[i]);
  }
  JwForceDef force = jw_force_default();
  JwExciterId pushes[2];
  force.port = jw_port(string, 0.7);
  MUST(s.world, jw_world_add_force(s.world, &force, &pushes[0]));
  force.port = jw_port(plate, 0.3 * v[8]);
  force.port.y = 0.6 * v[9];
  force.amplitude = 2.0 * v[10];
  MUST(s.world, jw_world_add_force(s.world, &force, &pushes[1]));
  s.target[8] = on_exciter(JW_CONTROL_X, pushes[1]);
  s.target[9] = on_exciter(JW_CONTROL_Y, pushes[1]);
  s.target[10] = on_exciter(JW_CONTROL_FORCE, pushes[1]);
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(string, 0.1 * v[11]);
  bow.force = 0.3 * v[12];
  bow.speed = 0.2 * v[13];
  JwContactId contact;
  MUST(s.world, jw_world_add_bow(s.world, &bow, &contact));
  s.target[11] = on_contact(JW_CONTROL_X, contact);
  s.target[12] = on_contact(JW_CONTROL_FORCE, contact);
  s.target[13] = on_contact(JW_CONTROL_SPEED, contact);
  JwCollisionDef strike = jw_collision_default();
  strike.below = jw_port(hammer, 0.0);
  strike.above = jw_port(plate, 0.6 * v[14]);
  strike.above.y = 0.4 * v[15];
  strike.stiffness = 1e7 * v[16];
  strike.loss = 1e6 * v[17];
  strike.gap = 1e-3 * v[18];
  MUST(s.world, jw_world_add_collision(s.world, &strike, &contact));
  s.target[14] = on_contact(JW_CONTROL_X2, contact);
  s.target[15] = on_contact(JW_CONTROL_Y2, contact);
  s.target[16] = on_contact(JW_CONTROL_STIFFNESS, contact);
  s.target[17] = on_contact(JW_CONTROL_LOSS, contact);
  s.target[18] = on_contact(JW_CONTROL_GAP, contact);
  add_collision(s.world, jw_port(floor, 0.0), jw_port(hammer, 0.0), JW_RULE_BOUNDED, 1e6);
  s.target[19] = on_object(JW_CONTROL_POSITION, floor);
  MUST(s.world, jw_world_prepare(s.world));
  return s;
}

// What each number is when its factor is 1.
static const double settable_base[VALUES] = {0.4, 0.3, 0.5, 0.3, 0.4, 0.3, 0.5, 0.3, 0.3,  0.6,
                                             2.0, 0.1, 0.3, 0.2, 0.6, 0.4, 1e7, 1e6, 1e-3, -5e-3};

enum { NO_PLACE = 1, BOW_SPEED = 13 };

// A number set before the first frame, at once, is the number defined, to the bit; and each is
// heard, but the second coordinate of a place on a string, which has none.  Only a bow's speed
// jumps: its law remembers the velocity before.
static void a_number_set_before_the_first_frame_is_the_number_defined(void** state) {
  (void)state;
  static double plain[2][SET_FRAMES], defined[2][SET_FRAMES], set[2][SET_FRAMES];
  double v[VALUES];
  for (int i = 0; i < VALUES; ++i) {
    v[i] = 1.0;
  }
  Settable s = settable_make(v);
  run_into(s.world, plain[0], SET_FRAMES, 0, SET_FRAMES);
  jw_world_destroy(s.world);
  for (int i = 0; i < VALUES; ++i) {
    s = settable_make(v);
    MUST(s.world, jw_world_set(s.world, s.target[i], settable_base[i] * 0.75, 0.0));
    run_into(s.world, set[0], SET_FRAMES, 0, SET_FRAMES);
    jw_world_destroy(s.world);
    v[i] = 0.75;
    s = settable_make(v);
    run_into(s.world, defined[0], SET_FRAMES, 0, SET_FRAMES);
    jw_world_destroy(s.world);
    v[i] = 1.0;
    if (i != BOW_SPEED && memcmp(set, defined, sizeof set) != 0) {
      fail_msg("number %d: set is not defined", i);
    }
    if ((memcmp(set, plain, sizeof set) != 0) == (i == NO_PLACE)) {
      fail_msg("number %d: %s", i, i == NO_PLACE ? "heard" : "not heard");
    }
  }
}

// Asked before the first frame, each is what was defined; one that is set is there from the next
// block on, and every other where it was.
static void each_control_says_where_it_is_and_moves_no_other(void** state) {
  (void)state;
  double v[VALUES], out[64], value = NAN;
  for (int i = 0; i < VALUES; ++i) {
    v[i] = 1.0;
  }
  double* channels[2] = {out, out};
  Settable s = settable_make(v);
  for (int moved = -1; moved < VALUES; ++moved) {
    if (moved >= 0) {
      v[moved] = 0.75;
      MUST(s.world, jw_world_set(s.world, s.target[moved], settable_base[moved] * 0.75, 0.0));
      MUST(s.world, jw_world_run_double(s.world, channels, 64));
    }
    for (int i = 0; i < VALUES; ++i) {
      MUST(s.world, jw_world_get(s.world, s.target[i], &value));
      if (value != settable_base[i] * v[i]) {
        fail_msg("number %d is %g instead of %g after %d was set", i, value,
                 settable_base[i] * v[i], moved);
      }
    }
  }
  jw_world_destroy(s.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_queue_takes_as_many_as_promised_and_then_is_full),
      cmocka_unit_test(commands_for_what_is_not_there_are_refused),
      cmocka_unit_test(a_place_on_a_modal_object_does_not_move),
      cmocka_unit_test(values_out_of_range_are_refused),
      cmocka_unit_test(a_shared_barrier_moves_by_curve_and_refuses_commands),
      cmocka_unit_test(a_ramp_does_not_click),
      cmocka_unit_test(every_control_alone_keeps_the_ledger_closed),
      cmocka_unit_test(a_ramp_after_a_trigger_starts_where_the_trigger_left_it),
      cmocka_unit_test(a_push_that_is_led_from_nothing_is_heard_within_its_block),
      cmocka_unit_test(a_moved_gap_gives_what_a_moving_wall_would),
      cmocka_unit_test(a_gap_that_jumps_leaves_the_load_that_the_potential_asks_for),
      cmocka_unit_test(a_finger_takes_the_string_along_however_stiff),
      cmocka_unit_test(a_hand_that_slides_a_port_pays_for_it_by_every_law),
      cmocka_unit_test(a_port_moves_across_a_square_plate_as_along_it),
      cmocka_unit_test(a_number_set_before_the_first_frame_is_the_number_defined),
      cmocka_unit_test(each_control_says_where_it_is_and_moves_no_other),
  };
  return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
