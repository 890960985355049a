// SPDX-License-Identifier: MIT
// Starts and throws: what is given is where things are and how fast they move, and nothing is added
// to it.
//
// The ledger cannot see a wrong start, since it begins with it: here motions are compared with what
// momentum says, and with an integrator that shares nothing with the engine.

#include "worlds.h"

static const JwRule rules[] = {JW_RULE_BOUNDED, JW_RULE_PLAIN, JW_RULE_RELEASED, JW_RULE_REFINED,
                               JW_RULE_NEWTON};
enum { RULES = sizeof rules / sizeof *rules };

static double velocity_of(JwWorld* world, JwObjectId object) {
  double place, velocity;
  MUST(world, jw_world_probe(world, jw_port(object, 0.0), &place, &velocity));
  return velocity;
}

static double place_of(JwWorld* world, JwObjectId object) {
  double place, velocity;
  MUST(world, jw_world_probe(world, jw_port(object, 0.0), &place, &velocity));
  return place;
}

// ---------------------------------------------------------------- leaving

#define MASS 0.003
#define SPEED 2.0

typedef struct {
  JwRule rule;
  double stiffness, exponent;
  double height; // Above the bed at the start; below 0: inside
  bool thrown;   // Or started so
} Leave;

// The speed long after.
static double leave(const Leave* l) {
  JwWorld* const world = new_world(44100.0, true);
  JwMassDef def = jw_mass_default();
  def.mass = MASS;
  def.position = l->thrown ? 1.0 : l->height;
  def.velocity = l->thrown ? 0.0 : SPEED;
  JwObjectId mass = {0};
  MUST(world, jw_world_add_mass(world, &def, &mass));
  const JwObjectId bed = add_barrier(world, 0.0);
  JwCollisionDef c = jw_collision_default();
  c.below = jw_port(bed, 0.0), c.above = jw_port(mass, 0.0);
  c.stiffness = l->stiffness, c.exponent = l->exponent, c.rule = l->rule;
  JwContactId id;
  MUST(world, jw_world_add_collision(world, &c, &id));
  MUST(world, jw_world_prepare(world));
  if (l->thrown) {
    run_frames(world, 10);
    MUST(world, jw_world_throw(world, mass, l->height, SPEED));
  }
  run_frames(world, 100);
  const double velocity = velocity_of(world, mass);
  assert_true(jw_world_energy(world).worst_residual < 1e-12);
  jw_world_destroy(world);
  return velocity;
}

static void what_leaves_a_surface_is_not_shot_off(void** state) {
  (void)state;
  static const double stiffness[] = {1e5, 1e9, 1e10, 1e12}, exponents[] = {1.0, 1.3, 2.0};
  const double step = SPEED / 44100.0; // m a frame
  const double heights[] = {0.0, 1e-12, 0.3 * step, 0.9 * step};
  for (int i = 0; i < RULES * 4 * 3 * 4 * 2; ++i) {
    const Leave l = {rules[i % RULES], stiffness[i / RULES % 4], exponents[i / RULES / 4 % 3],
                     heights[i / RULES / 12 % 4], i / RULES / 48 % 2};
    const double velocity = leave(&l);
    if (fabs(velocity - SPEED) > 1e-9 * SPEED) {
      fail_msg("rule %d, K %g, alpha %g, from %g m, thrown %d: leaves with %.9g m/s", l.rule,
               l.stiffness, l.exponent, l.height, l.thrown, velocity);
    }
  }
}

// From inside it leaves with what the potential adds, resolved or not, up or down.  The iterated
// rule reads its load from two places, and plain parks: both are as good as the contact is
// resolved.
static void what_starts_inside_leaves_with_the_energy_of_its_place(void** state) {
  (void)state;
  static const JwRule exact[] = {JW_RULE_BOUNDED, JW_RULE_RELEASED, JW_RULE_REFINED};
  static const double stiffness[] = {1e5, 1e7, 1e9, 1e11};
  const double depths[] = {1e-7, 1e-6, 1e-5, 1e-4};
  for (int i = 0; i < 3 * 4 * 4 * 2; ++i) {
    const Leave l = {exact[i % 3], stiffness[i / 3 % 4], 1.3, -depths[i / 12 % 4], i / 48 % 2};
    const double phi = l.stiffness / 2.3 * pow(-l.height, 2.3),
                 wanted = sqrt(SPEED * SPEED + 2.0 * phi / MASS);
    const double velocity = leave(&l);
    if (fabs(velocity - wanted) > 1e-6 * wanted) {
      fail_msg("rule %d, K %g, from %g m, thrown %d: leaves with %.9g m/s, not %.9g", l.rule,
               l.stiffness, l.height, l.thrown, velocity, wanted);
    }
  }
}

static void a_string_that_leaves_its_bed_moves_as_if_none_were_there(void** state) {
  (void)state;
  enum { FRAMES = 100 };
  static double out[2 * RULES][FRAMES];
  for (int i = 0; i < 2 * RULES; ++i) {
    JwWorld* const world = new_world(44100.0, true);
    const JwStringDef def = short_string();
    const JwObjectId string = add_string(world, &def), bed = add_barrier(world, 0.0);
    if (i % 2) {
      JwCollisionDef c = jw_collision_default();
      c.below = jw_port(bed, 0.0), c.above = jw_port(string, 0.0), c.along = true;
      c.stiffness = 1e10, c.exponent = 1.3, c.rule = rules[i / 2];
      JwContactId id;
      MUST(world, jw_world_add_collision(world, &c, &id));
    }
    const JwInitialDef initial = {.object = string,
                                  .quantity = JW_INITIAL_VELOCITY,
                                  .shape = JW_SHAPE_SINE,
                                  .amplitude = 2.0,
                                  .width = 1.0};
    MUST(world, jw_world_add_initial(world, &initial));
    add_pickup(world, jw_port(string, 0.4), JW_QUANTITY_VELOCITY);
    MUST(world, jw_world_prepare(world));
    run_into(world, out[i], FRAMES, 0, FRAMES / 4); // Before it comes back
    for (int n = 0; i % 2 && n < FRAMES / 4; ++n) {
      assert_true(fabs(out[i][n] - out[i - 1][n]) <= 1e-9 * 2.0);
    }
    assert_true(fabs(out[i][0]) > 1.0);
    jw_world_destroy(world);
  }
}

// ---------------------------------------------------------------- the order of a start under load

typedef struct {
  const char* name;
  double linear, cubic, damping;    // Spring
  double stiffness, exponent, loss; // Connection or collision
  bool collision;
} Held;

#define HELD_MASS 0.01
#define DEPTH 1e-3
#define TIME 5e-4

// Force on the mass, x its displacement from where the contact has none.
static double force_on(const Held* h, double x, double v) {
  if (h->stiffness == 0.0) {
    return -h->linear * x - h->cubic * x * x * x - 2.0 * h->damping * v;
  }
  const double depth = h->collision && x > 0.0 ? 0.0 : fabs(x), power = pow(depth, h->exponent);
  return -copysign(h->stiffness * power, x) - h->loss * power * v;
}

// By Runge and Kutta, in steps so short that it is exact.
static double exact_place(const Held* h, double x, double v) {
  const int steps = 20000;
  const double dt = TIME / steps;
  for (int i = 0; i < steps; ++i) {
    const double a1 = force_on(h, x, v) / HELD_MASS;
    const double x2 = x + 0.5 * dt * v, v2 = v + 0.5 * dt * a1,
                 a2 = force_on(h, x2, v2) / HELD_MASS;
    const double x3 = x + 0.5 * dt * v2, v3 = v + 0.5 * dt * a2,
                 a3 = force_on(h, x3, v3) / HELD_MASS;
    const double x4 = x + dt * v3, v4 = v + dt * a3, a4 = force_on(h, x4, v4) / HELD_MASS;
    x += dt / 6.0 * (v + 2.0 * (v2 + v3) + v4);
    v += dt / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
  }
  return x;
}

static void add_held(JwWorld* world, const Held* h, JwRule rule, JwObjectId mass) {
  JwContactId id;
  if (h->stiffness == 0.0) {
    JwSpringDef def = jw_spring_default();
    def.a = jw_port(mass, 0.0), def.b = jw_port(add_barrier(world, 0.0), 0.0),
    def.linear = h->linear, def.cubic = h->cubic, def.damping = h->damping;
    MUST(world, jw_world_add_spring(world, &def, &id));
  } else if (h->collision) {
    JwCollisionDef def = jw_collision_default();
    def.below = jw_port(add_barrier(world, 0.0), 0.0), def.above = jw_port(mass, 0.0);
    def.stiffness = h->stiffness, def.exponent = h->exponent, def.loss = h->loss, def.rule = rule;
    MUST(world, jw_world_add_collision(world, &def, &id));
  } else {
    JwConnectionDef def = jw_connection_default();
    def.a = jw_port(mass, 0.0), def.b = jw_port(add_barrier(world, 0.0), 0.0);
    def.stiffness = h->stiffness, def.exponent = h->exponent, def.loss = h->loss, def.rule = rule;
    MUST(world, jw_world_add_connection(world, &def, &id));
  }
}

static double error_of(const Held* h, JwRule rule, double rate, double velocity, bool thrown) {
  JwWorld* const world = new_world(rate, false);
  JwMassDef def = jw_mass_default();
  def.mass = HELD_MASS;
  def.position = thrown ? 0.0 : -DEPTH;
  def.velocity = thrown ? 0.0 : velocity;
  JwObjectId mass = {0};
  MUST(world, jw_world_add_mass(world, &def, &mass));
  add_held(world, h, rule, mass);
  MUST(world, jw_world_prepare(world));
  if (thrown) {
    run_frames(world, 7);
    MUST(world, jw_world_throw(world, mass, -DEPTH, velocity));
  }
  run_frames(world, (uint32_t)(TIME * rate + 0.5));
  const double error = fabs(place_of(world, mass) - exact_place(h, -DEPTH, velocity));
  jw_world_destroy(world);
  return error;
}

static void a_start_under_load_is_of_second_order(void** state) {
  (void)state;
  static const Held held[] = {
      {"spring", 31622.8, 0.0, 0.0, 0.0, 0.0, 0.0, false},
      {"cubic spring", 1e4, 1e10, 0.0, 0.0, 0.0, 0.0, false},
      {"spring and damper", 31622.8, 0.0, 2.0, 0.0, 0.0, 0.0, false},
      {"connection", 0.0, 0.0, 0.0, 1e6, 1.5, 0.0, false},
      {"connection with loss", 0.0, 0.0, 0.0, 1e6, 1.5, 1e5, false},
      {"collision", 0.0, 0.0, 0.0, 1e6, 1.5, 0.0, true},
      {"linear collision", 0.0, 0.0, 0.0, 31622.8, 1.0, 0.0, true},
      {"collision with loss", 0.0, 0.0, 0.0, 1e6, 1.5, 1e5, true},
  };
  for (size_t i = 0; i < sizeof held / sizeof *held; ++i) {
    for (int r = 0; r < RULES; ++r) {
      for (int way = 0; way < 4; ++way) { // Started or thrown, inwards or outwards
        const double v = way % 2 ? 0.4 : -0.4;
        const double coarse = error_of(&held[i], rules[r], 88000.0, v, way / 2);
        const double fine = error_of(&held[i], rules[r], 352000.0, v, way / 2);
        if (!(fine < 1e-13 || log2(coarse / fine) / 2.0 > 1.8)) {
          fail_msg("%s, rule %d, way %d: errors %g and %g m, order %.2f", held[i].name,
                   (int)rules[r], way, coarse, fine, log2(coarse / fine) / 2.0);
        }
      }
    }
  }
}

static void what_is_thrown_falls_by_half_g_t_squared(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwMassDef def = jw_mass_default();
  def.mass = 0.1, def.gravity = 9.81;
  JwObjectId mass = {0};
  MUST(world, jw_world_add_mass(world, &def, &mass));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 100);
  MUST(world, jw_world_throw(world, mass, 3.0, 1.0));
  run_frames(world, 4410);
  assert_true(fabs(place_of(world, mass) - (3.0 + 0.1 - 0.5 * 9.81 * 0.01)) < 1e-10);
  assert_true(jw_world_energy(world).worst_residual < 1e-12);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_leaves_a_surface_is_not_shot_off),
      cmocka_unit_test(what_starts_inside_leaves_with_the_energy_of_its_place),
      cmocka_unit_test(a_string_that_leaves_its_bed_moves_as_if_none_were_there),
      cmocka_unit_test(a_start_under_load_is_of_second_order),
      cmocka_unit_test(what_is_thrown_falls_by_half_g_t_squared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
