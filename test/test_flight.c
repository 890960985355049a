// SPDX-License-Identifier: MIT
// Flying changes nothing but the time it takes.
//
// With the ledger on nothing flies, and the plain kernels know no flight.  So the same world with
// and without the ledger, at every width, in blocks of any size, is the comparison, to the bit:
// random masses and modal objects, of one row of modes and of several, that bounce on each other,
// on points and on nothing, with forces, throws and controls on the way, heard one by one or in
// stereo.

#include "kernel/kernel.h"
#include "test.h"

#include "world.h"

#include <stdlib.h>
#include <string.h>

#define FRAMES 3000
#define CHANNELS 5

typedef struct {
  uint64_t seed;
} Dice;

static double roll(Dice* dice, double low, double high) {
  dice->seed = dice->seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(dice->seed >> 11) * 0x1p-53;
}

static uint32_t pick(Dice* dice, uint32_t count) {
  return (uint32_t)roll(dice, 0.0, (double)count);
}

static JwObjectId add_modal(JwWorld* world, Dice* dice) {
  static const uint32_t counts[8] = {1, 3, 4, 7, 10, 13, 16, 41};
  const uint32_t count = counts[pick(dice, 8)];
  JwMode modes[64];
  double shapes[2 * 64];
  for (uint32_t i = 0; i < count; ++i) {
    modes[i] = (JwMode){roll(dice, 100.0, 8000.0), roll(dice, 1.0, 60.0), roll(dice, 0.005, 0.1)};
    shapes[i] = roll(dice, -1.0, 1.0);
    shapes[count + i] = roll(dice, -1.0, 1.0);
  }
  JwModalDef def = jw_modal_default();
  def.modes = modes, def.mode_count = count, def.shapes = shapes, def.shape_count = 2;
  def.scheme = pick(dice, 2) ? JW_SCHEME_EXACT : JW_SCHEME_LEAPFROG;
  JwObjectId id;
  assert_int_equal(jw_world_add_modal(world, &def, &id), JW_STATUS_OK);
  return id;
}

static JwObjectId add_mass(JwWorld* world, Dice* dice, double position) {
  JwMassDef def = jw_mass_default();
  def.mass = roll(dice, 0.002, 0.05), def.position = position;
  def.velocity = roll(dice, -3.0, 0.5), def.gravity = pick(dice, 2) ? 9.81 : 0.0;
  def.frequency = pick(dice, 3) ? 0.0 : roll(dice, 1.0, 50.0),
  def.loss = pick(dice, 3) ? 0.0 : roll(dice, 0.0, 0.1);
  JwObjectId id;
  assert_int_equal(jw_world_add_mass(world, &def, &id), JW_STATUS_OK);
  return id;
}

static void add_contact(JwWorld* world, Dice* dice, JwObjectId below, JwObjectId above,
                        JwContactId* id) {
  static const JwRule rules[3] = {JW_RULE_BOUNDED, JW_RULE_PLAIN, JW_RULE_RELEASED};
  static const double exponents[4] = {1.0, 1.4, 2.3, 3.0};
  JwCollisionDef def = jw_collision_default();
  const bool modal = jw_object_at(world, below.index - 1)->ops->kind == JW_KIND_MODAL;
  def.below = jw_port(below, modal ? (double)pick(dice, 2) : 0.0), def.above = jw_port(above, 0.0);
  def.stiffness = roll(dice, 1e5, 1e8), def.exponent = exponents[pick(dice, 4)];
  def.loss = pick(dice, 2) ? roll(dice, 0.0, 1e6) : 0.0,
  def.rule = rules[pick(dice, 5) < 3 ? 0 : pick(dice, 3)];
  assert_int_equal(jw_world_add_collision(world, &def, id), JW_STATUS_OK);
}

static void add_force(JwWorld* world, Dice* dice, JwObjectId object) {
  static const JwForceShape shapes[3] = {JW_FORCE_PULSE, JW_FORCE_PLUCK, JW_FORCE_STEADY};
  JwForceDef def = jw_force_default();
  JwExciterId id;
  def.port = jw_port(object, 0.0), def.shape = shapes[pick(dice, 3)],
  def.amplitude = roll(dice, -2.0, 2.0);
  def.start = roll(dice, 0.0, 0.03), def.duration = roll(dice, 5e-4, 1e-2);
  assert_int_equal(jw_world_add_force(world, &def, &id), JW_STATUS_OK);
}

static void add_pickup(JwWorld* world, JwPickupDef def) {
  JwPickupId id;
  assert_int_equal(jw_world_add_pickup(world, &def, &id), JW_STATUS_OK);
}

static void add_pickups(JwWorld* world, JwObjectId body, JwObjectId mass, JwContactId contact) {
  JwPickupDef def = jw_pickup_default();
  def.port = jw_port(body, 0.0);
  add_pickup(world, def);
  def.port = jw_port(body, 1.0), def.gain = 0.7;
  add_pickup(world, def);
  def.port = jw_port(mass, 0.0), def.quantity = JW_QUANTITY_DISPLACEMENT, def.pan = 0.6;
  add_pickup(world, def);
  def.quantity = JW_QUANTITY_VELOCITY;
  add_pickup(world, def);
  JwPickupDef force = jw_pickup_default();
  force.quantity = JW_QUANTITY_FORCE, force.contact = contact, force.gain = 1.3, force.pan = -0.4;
  add_pickup(world, force);
}

static JwWorld* make(uint64_t seed, bool ledger, JwContactId contacts[2]) {
  Dice dice = {seed};
  JwWorldDef def = jw_world_default();
  def.ledger = ledger;
  def.channels = seed % 3 == 0 ? 2 : 0;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  const JwObjectId body = add_modal(world, &dice);
  const JwObjectId mass = add_mass(world, &dice, roll(&dice, 1e-4, 5e-3));
  const uint32_t more = pick(&dice, 4);
  JwObjectId other = body;
  if (more == 1) {
    other = add_mass(world, &dice, roll(&dice, 5e-3, 1e-2));
  } else if (more == 2) {
    other = add_modal(world, &dice);
  }
  add_contact(world, &dice, body, mass, &contacts[0]);
  contacts[1] = contacts[0];
  if (more == 1) { // Another mass on the first one, or on the body
    add_contact(world, &dice, pick(&dice, 2) ? mass : body, other, &contacts[1]);
  } else if (more == 2) {
    add_contact(world, &dice, mass, other, &contacts[1]);
  }
  add_force(world, &dice, body);
  if (pick(&dice, 3) == 0) {
    add_force(world, &dice, mass);
  }
  add_pickups(world, body, mass, contacts[0]);
  const double thrown[2] = {1e-3, -roll(&dice, 0.0, 2.0)};
  assert_int_equal(jw_world_add_throw(world, mass, 0.045, thrown), JW_STATUS_OK);
  if (pick(&dice, 3) == 0) {
    const JwBreakpoint points[3] = {{0.0, 0.0}, {0.02, 1e-4}, {0.03, -1e-4}};
    const JwTarget gap = {.control = JW_CONTROL_GAP, .contact = contacts[0]};
    assert_int_equal(jw_world_add_curve(world, gap, points, 3), JW_STATUS_OK);
  }
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  return world;
}

typedef struct {
  double out[CHANNELS][FRAMES];
  JwContactFigures figures[2];
} Run;

static void run(JwWorld* world, const JwContactId contacts[2], uint32_t block, Run* result) {
  memset(result, 0, sizeof *result); // In stereo most channels are not written
  for (uint32_t at = 0; at < FRAMES; at += block) {
    const uint32_t count = FRAMES - at < block ? FRAMES - at : block;
    double* channels[CHANNELS];
    for (uint32_t c = 0; c < CHANNELS; ++c) {
      channels[c] = result->out[c] + at;
    }
    assert_int_equal(jw_world_run_double(world, channels, count), JW_STATUS_OK);
  }
  for (int i = 0; i < 2; ++i) {
    result->figures[i] = jw_world_contact_figures(world, contacts[i]);
  }
}

static void same_figures(const JwContactFigures* x, const JwContactFigures* y) {
  assert_true(x->closures == y->closures && x->closed_samples == y->closed_samples
              && x->closed == y->closed);
  assert_true(x->longest_closure == y->longest_closure && x->penetration == y->penetration
              && x->eta == y->eta);
  assert_true(x->misfit == y->misfit && x->pull == y->pull && x->push == y->push
              && x->parked == y->parked);
  assert_true(x->force == y->force && x->peak_energy == y->peak_energy);
}

static void what_flies_moves_as_without(void** state) {
  (void)state;
  static const char* const widths[3] = {"avx2", "base", "scalar"};
  static const uint32_t blocks[4] = {64, 7, 500, 3000};
  static Run plain, flown;
  uint64_t closures = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    JwContactId contacts[2];
    JwWorld* world = make(seed, true, contacts);
    run(world, contacts, 64, &plain);
    jw_world_destroy(world);
    closures += plain.figures[0].closures + plain.figures[1].closures;
    for (int w = 0; w < 3; ++w) {
      jw_lanes_choose(widths[w]);
      world = make(seed, false, contacts);
      jw_lanes_choose(NULL);
      run(world, contacts, blocks[(seed + (uint64_t)w) % 4], &flown);
      assert_memory_equal(plain.out, flown.out, sizeof plain.out);
      same_figures(&plain.figures[0], &flown.figures[0]);
      same_figures(&plain.figures[1], &flown.figures[1]);
      jw_world_destroy(world);
    }
  }
  assert_true(closures > 200); // They did touch
}

// That the comparison above is one: apart or pressed, frames are advanced here and not by the
// general step.
static void chunks_are_flown_whether_apart_or_pressed(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  Dice dice = {5};
  JwMassDef m = jw_mass_default();
  m.mass = 0.01, m.position = 1e-3, m.velocity = -0.5; // Arrives after 1e-3/0.5 s = 88.2 frames
  JwObjectId mass;
  JwContactId contact;
  const JwObjectId body = add_modal(world, &dice);
  assert_int_equal(jw_world_add_mass(world, &m, &mass), JW_STATUS_OK);
  JwCollisionDef c = jw_collision_default();
  c.below = jw_port(body, 0.0), c.above = jw_port(mass, 0.0), c.stiffness = 1e6, c.exponent = 1.4;
  assert_int_equal(jw_world_add_collision(world, &c, &contact), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  JwComponent* const component = &world->components[0];
  assert_int_equal(jw_flight(world, component, 0, 64), 0); // Contacts have not been looked at yet
  jw_component_step(world, component);
  assert_int_equal(jw_flight(world, component, 0, 64), 64);
  assert_int_equal(jw_world_contact_figures(world, contact).closures, 0);
  const uint32_t more = jw_flight(world, component, 0, 64);
  const JwContactFigures figures = jw_world_contact_figures(world, contact);
  assert_true(more > 89 - 65); // It went on into the contact
  assert_int_equal(figures.closures, 1);
  assert_true(figures.closed_samples >= 3 && figures.closed_samples <= more - (89 - 65));
  jw_world_destroy(world);
}

static JwWorld* pulsed(void) {
  Dice dice = {5};
  JwWorldDef def = jw_world_default();
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  JwForceDef force = jw_force_default();
  JwExciterId id;
  force.port = jw_port(add_modal(world, &dice), 0.0), force.shape = JW_FORCE_PULSE,
  force.duration = 100.0 / 44100.0;
  assert_int_equal(jw_world_add_force(world, &force, &id), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  jw_component_forces(world, &world->components[0], 65);
  jw_component_step(world, &world->components[0]);
  return world;
}

// The force of the last frame, which tells the ledger and those that would sleep what is driven, is
// the same after a flight as after steps.
static void a_flight_leaves_the_force_of_its_last_frame(void** state) {
  (void)state;
  JwWorld *const flown = pulsed(), *const stepped = pulsed();
  const uint32_t frames = jw_flight(flown, &flown->components[0], 0, 64);
  assert_int_equal(frames, 64);
  for (uint32_t i = 0; i < frames; ++i) {
    jw_component_step(stepped, &stepped->components[0]);
  }
  assert_true(stepped->force_states[0].force != 0.0);
  assert_true(flown->force_states[0].force == stepped->force_states[0].force);
  jw_world_destroy(flown);
  jw_world_destroy(stepped);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_flies_moves_as_without),
      cmocka_unit_test(chunks_are_flown_whether_apart_or_pressed),
      cmocka_unit_test(a_flight_leaves_the_force_of_its_last_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
