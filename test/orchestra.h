// SPDX-License-Identifier: MIT
// One world with a bit of everything, and a score of changes from outside: for the tests of a
// world's life, where what is in it matters less than that nothing is missing.
#ifndef JAWARI_TEST_ORCHESTRA_H
#define JAWARI_TEST_ORCHESTRA_H

#include "worlds.h"

typedef struct {
  JwWorld* world;
  JwObjectId string, plate, hammer, modal, modes, ball, floor, board;
  JwContactId bow, strike, spring, rattle, buzz, bounce, knock;
  JwExciterId pulse, pluck;
  JwPickupId near, far, loud, skin;
} Orchestra;

static const JwMode orchestra_modes[3] = {{0.0, 0.0, 0.1}, {311.0, 3.0, 0.02}, {907.0, 9.0, 0.01}};
static const double orchestra_shapes[6] = {1.0, 0.7, -0.3, 1.0, -0.6, 0.8};
static const double orchestra_profile[3] = {-2e-4, 0.0, -1e-3};

static inline void orchestra_objects(Orchestra* o) {
  JwWorld* const world = o->world;
  JwStringDef string = short_string();
  string.bend = 1.5;
  string.ends[1] = JW_END_SUPPORTED;
  o->string = add_string(world, &string);
  string.method = JW_METHOD_MODES;
  string.modes = 12;
  string.bend = 1.0;
  o->modes = add_string(world, &string);
  JwPlateDef plate = jw_plate_default();
  plate.size[0] = 0.2;
  plate.size[1] = 0.16;
  plate.loss[0] = 4.0;
  plate.edges[0] = JW_END_FREE;
  plate.edges[2] = JW_END_CLAMPED;
  plate.tension = 100.0;
  MUST(world, jw_world_add_plate(world, &plate, &o->plate));
  JwModalDef modal = jw_modal_default();
  modal.modes = orchestra_modes;
  modal.mode_count = 3;
  modal.shapes = orchestra_shapes;
  modal.shape_count = 2;
  MUST(world, jw_world_add_modal(world, &modal, &o->modal));
  JwMassDef hammer = jw_mass_default();
  hammer.mass = 5e-3;
  hammer.frequency = 20.0;
  hammer.loss = 0.05;
  hammer.position = -2e-3;
  MUST(world, jw_world_add_mass(world, &hammer, &o->hammer));
  JwMassDef ball = jw_mass_default();
  ball.mass = 1e-2;
  ball.position = 1e-2;
  ball.gravity = 9.81;
  MUST(world, jw_world_add_mass(world, &ball, &o->ball));
  JwBarrierDef board = jw_barrier_default();
  board.polynomial = orchestra_profile;
  board.polynomial_count = 3;
  MUST(world, jw_world_add_barrier(world, &board, &o->board));
  o->floor = add_barrier(world, 0.0);
}

static inline void orchestra_contacts(Orchestra* o) {
  JwWorld* const world = o->world;
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(o->string, 0.13);
  MUST(world, jw_world_add_bow(world, &bow, &o->bow));
  o->strike =
      add_collision(world, jw_port(o->hammer, 0.0), jw_port(o->string, 0.4), JW_RULE_REFINED, 1e8);
  JwSpringDef spring = jw_spring_default();
  spring.a = jw_port(o->string, 0.95);
  spring.b = jw_port(o->plate, 0.6);
  spring.b.y = 0.5;
  spring.linear = 2e4;
  spring.cubic = 1e9;
  spring.damping = 0.05;
  MUST(world, jw_world_add_spring(world, &spring, &o->spring));
  JwConnectionDef rattle = jw_connection_default();
  rattle.a = jw_port(o->plate, 0.2);
  rattle.a.y = 0.7;
  rattle.a.reading = JW_READ_CUBIC;
  rattle.b = jw_port(o->modal, 1.0);
  rattle.slack = 1e-6;
  rattle.stiffness = 1e8;
  rattle.exponent = 1.3;
  MUST(world, jw_world_add_connection(world, &rattle, &o->rattle));
  JwCollisionDef buzz = jw_collision_default();
  buzz.below = jw_port(o->board, 0.0);
  buzz.above = jw_port(o->modes, 0.0);
  buzz.along = true;
  buzz.stiffness = 1e7;
  MUST(world, jw_world_add_collision(world, &buzz, &o->buzz));
  o->bounce =
      add_collision(world, jw_port(o->floor, 0.0), jw_port(o->ball, 0.0), JW_RULE_BOUNDED, 1e6);
  JwCollisionDef knock = jw_collision_default();
  knock.below = jw_port(o->plate, 0.5);
  knock.below.y = 0.3;
  knock.above = jw_port(o->modal, 0.0);
  knock.gap = -1e-6;
  knock.stiffness = 1e7;
  knock.loss = 1e6;
  MUST(world, jw_world_add_collision(world, &knock, &o->knock));
}

static inline void orchestra_ears(Orchestra* o) {
  JwWorld* const world = o->world;
  JwForceDef force = jw_force_default();
  force.port = jw_port(o->modes, 0.3);
  force.amplitude = 2.0;
  MUST(world, jw_world_add_force(world, &force, &o->pulse));
  force.port = jw_port(o->plate, 0.3);
  force.port.y = 0.3;
  force.shape = JW_FORCE_PLUCK;
  force.start = 0.02;
  MUST(world, jw_world_add_force(world, &force, &o->pluck));
  o->near = add_pickup(world, jw_port(o->string, 0.9), JW_QUANTITY_VELOCITY);
  o->far = add_pickup(world, jw_port(o->modes, 0.7), JW_QUANTITY_DISPLACEMENT);
  JwPickupDef loud = jw_pickup_default();
  loud.quantity = JW_QUANTITY_FORCE;
  loud.contact = o->strike;
  MUST(world, jw_world_add_pickup(world, &loud, &o->loud));
  JwPort skin = jw_port(o->plate, 0.4);
  skin.y = 0.4;
  o->skin = add_pickup(world, skin, JW_QUANTITY_VELOCITY);
  add_pickup(world, jw_port(o->ball, 0.0), JW_QUANTITY_DISPLACEMENT);
  add_pickup(world, jw_port(o->modal, 1.0), JW_QUANTITY_VELOCITY);
  add_pickup(world, skin, JW_QUANTITY_PRESSURE);
}

static inline JwTarget on_contact(JwControl control, JwContactId id) {
  const JwTarget target = {.control = control, .contact = id};
  return target;
}

static inline JwTarget on_object(JwControl control, JwObjectId id) {
  const JwTarget target = {.control = control, .object = id};
  return target;
}

static inline JwTarget on_pickup(JwControl control, JwPickupId id) {
  const JwTarget target = {.control = control, .pickup = id};
  return target;
}

static inline JwTarget on_exciter(JwControl control, JwExciterId id) {
  const JwTarget target = {.control = control, .exciter = id};
  return target;
}

static inline void orchestra_curves(Orchestra* o) {
  JwWorld* const world = o->world;
  const JwBreakpoint along[3] = {{0.0, 0.13}, {0.03, 0.2}, {0.05, 0.11}};
  const JwBreakpoint speed[2] = {{0.01, 0.3}, {0.06, 0.1}};
  MUST(world, jw_world_add_curve(world, on_contact(JW_CONTROL_X, o->bow), along, 3));
  MUST(world, jw_world_add_curve(world, on_contact(JW_CONTROL_SPEED, o->bow), speed, 2));
  const double first[2] = {-1e-3, 2.0}, second[2] = {-2e-3, 3.0};
  MUST(world, jw_world_add_throw(world, o->hammer, 0.005, first));
  MUST(world, jw_world_add_throw(world, o->hammer, 0.04, second));
}

/// Everything, not yet prepared.
static inline Orchestra orchestra_define(JwWorld* world) {
  Orchestra o = {.world = world};
  orchestra_objects(&o);
  orchestra_contacts(&o);
  orchestra_ears(&o);
  orchestra_curves(&o);
  return o;
}

static inline Orchestra orchestra_make(bool ledger) {
  Orchestra o = orchestra_define(new_world(44100.0, ledger));
  MUST(o.world, jw_world_prepare(o.world));
  return o;
}

/// What is sent at certain frames.  Two ramps of one contact overlap, a ramp replaces a curve, and
/// a second command catches a ramp half way.
#define ORCHESTRA_CUES 9
static const uint32_t orchestra_cue[ORCHESTRA_CUES] = {0,    300,  700,  701, 1100,
                                                       1500, 2000, 2300, 2900};

static inline void orchestra_send(Orchestra* o, int cue) {
  JwWorld* const w = o->world;
  switch (cue) {
  case 0: MUST(w, jw_world_set(w, on_contact(JW_CONTROL_GAP, o->strike), 1e-4, 0.05)); break;
  case 1:
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_X2, o->strike), 0.45, 0.02));
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_STIFFNESS, o->strike), 3e8, 0.03));
    MUST(w, jw_world_set(w, on_object(JW_CONTROL_TENSION, o->string), 80.0, 0.02));
    break;
  case 2:
    MUST(w, jw_world_throw(w, o->hammer, -1e-3, 1.5));
    MUST(w, jw_world_trigger(w, o->pulse, -3.0));
    break;
  case 3: MUST(w, jw_world_set(w, on_pickup(JW_CONTROL_X, o->near), 0.6, 0.01)); break;
  case 4:
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_X, o->bow), 0.3, 0.01));
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_FORCE, o->bow), 0.5, 0.0));
    break;
  case 5:
    MUST(w, jw_world_set(w, on_object(JW_CONTROL_POSITION, o->floor), 2e-3, 0.01));
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_LOSS, o->knock), 2e6, 0.01));
    break;
  case 6:
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_GAP, o->strike), -1e-5, 0.02));
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_X2, o->strike), 0.41, 0.005));
    MUST(w, jw_world_set(w, on_object(JW_CONTROL_POSITION, o->hammer), -1e-3, 0.01));
    break;
  case 7:
    MUST(w, jw_world_set(w, on_exciter(JW_CONTROL_X, o->pluck), 0.6, 0.01));
    MUST(w, jw_world_trigger(w, o->pluck, 1.0));
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_Y2, o->spring), 0.6, 0.01));
    break;
  default:
    MUST(w, jw_world_set(w, on_contact(JW_CONTROL_STIFFNESS, o->spring), 1e4, 0.01));
    MUST(w, jw_world_set(w, on_pickup(JW_CONTROL_GAIN, o->skin), 2.0, 0.01));
    break;
  }
}

#define ORCHESTRA_FRAMES 3500
#define ORCHESTRA_CHANNELS 7

typedef struct {
  double sample[ORCHESTRA_CHANNELS][ORCHESTRA_FRAMES];
} Recording;

/// Play from the world's own frame up to `end`, cues at their frames, in blocks of 1 to `most`
/// frames.
static inline void orchestra_play(Orchestra* o, Recording* recording, uint32_t end, uint32_t most,
                                  uint64_t seed) {
  for (uint32_t at = (uint32_t)jw_world_frame(o->world); at < end;) {
    uint32_t next = end;
    for (int c = 0; c < ORCHESTRA_CUES; ++c) {
      if (orchestra_cue[c] == at) {
        orchestra_send(o, c);
      } else if (orchestra_cue[c] > at && orchestra_cue[c] < next) {
        next = orchestra_cue[c];
      }
    }
    const uint32_t block = 1 + (uint32_t)(uniform(&seed) * most);
    const uint32_t count = block < next - at ? block : next - at;
    run_into(o->world, &recording->sample[0][0], ORCHESTRA_FRAMES, at, count);
    at += count;
  }
}

#endif // JAWARI_TEST_ORCHESTRA_H
