// SPDX-License-Identifier: MIT
// The bow: Helmholtz motion of real strings, the default bow against the iterated one, and a coarse
// Schelleng diagram.  The fine one: jawari paper run bow-schelleng.

#include "test.h"

#include "bow/bowed.h"
#include "worlds.h"

#include <math.h>
#include <stdio.h>

static JwBowedMotion bow(const JwBowedDef* def) {
  JwBowedMotion motion;
  assert_int_equal(jw_bowed_run(def, &motion), JW_STATUS_OK);
  return motion;
}

// One slip a period at the string's pitch.  The string is with the bow for 1 - beta of the period
// if friction is a sharp step; the friction curve's top lies at 0.07 m/s from the bow's 0.2, and
// the corner is rounded by losses over some tenth of the period, so the share may be less by 0.15
// and not more than 0.02 above.  Pitch: friction may flatten and the rounded corner sharpen it by a
// few cents.
static void moves_as_helmholtz_found(JwBowedName string, double force) {
  JwBowedDef def = jw_bowed_default(string);
  def.force = force;
  const JwBowedMotion m = bow(&def);
  print_message("# %s: %.2f Hz, %.3f slips a period, sticks %.2f of the time\n", def.string->name,
                m.pitch, m.slips, m.sticking);
  assert_true(fabs(m.slips - 1.0) < 0.01);
  assert_true(m.sticking > 1.0 - def.beta - 0.15 && m.sticking < 1.0 - def.beta + 0.02);
  assert_true(fabs(jw_bowed_cents(m.pitch, m.expected)) < 10.0);
  assert_true(m.steady > 0.95);
  assert_true(m.residual < 1e-10);
}

static void a_bowed_violin_string_slips_once_a_period(void** state) {
  (void)state;
  moves_as_helmholtz_found(JW_BOWED_VIOLIN_A4, 0.1);
}

static void a_bowed_cello_string_slips_once_a_period(void** state) {
  (void)state;
  moves_as_helmholtz_found(JW_BOWED_CELLO_G2, 0.3);
}

static void a_bowed_tromba_string_slips_once_a_period(void** state) {
  (void)state;
  moves_as_helmholtz_found(JW_BOWED_TROMBA, 0.3);
}

static void an_up_bow_is_a_down_bow_turned_over(void** state) {
  (void)state;
  JwBowedDef def = jw_bowed_default(JW_BOWED_VIOLIN_A4);
  def.force = 0.1;
  const JwBowedMotion down = bow(&def);
  def.speed = -def.speed;
  const JwBowedMotion up = bow(&def);
  // The same operations on numbers of the other sign: equal to the bit.
  assert_true(down.slips == up.slips && down.sticking == up.sticking && down.pitch == up.pitch);
}

// ---------------------------------------------------------------- one point under the bow

#define RATE 44100.0

// phi(v) of a bow, with libm.
static double phi(const JwBowDef* bow, double v) {
  return sqrt(2.0 * bow->sharpness) * v * exp(0.5 - bow->sharpness * v * v);
}

// A world with a bow on a mass or a string, one force pickup; the place and the force of `count`
// frames.
static void run_bow(JwWorld* world, JwBowDef bow, uint32_t count, double* out[2]) {
  JwContactId contact = {0};
  JwPickupId pickup = {0};
  MUST(world, jw_world_add_bow(world, &bow, &contact));
  JwPickupDef heard = jw_pickup_default();
  heard.port = bow.port, heard.quantity = JW_QUANTITY_DISPLACEMENT;
  MUST(world, jw_world_add_pickup(world, &heard, &pickup));
  heard.contact = contact, heard.quantity = JW_QUANTITY_FORCE;
  MUST(world, jw_world_add_pickup(world, &heard, &pickup));
  MUST(world, jw_world_prepare(world));
  MUST(world, jw_world_run_double(world, out, count));
  jw_world_destroy(world);
}

static void bow_a_mass(const JwMassDef* mass, JwBowDef bow, uint32_t count, double* out[2]) {
  JwWorld* const world = new_world(RATE, false);
  MUST(world, jw_world_add_mass(world, mass, &bow.port.object));
  run_bow(world, bow, count, out);
}

// f = F phi(v), v = (x+ - x-)/2k - vB, of a mass that the bow drags along and pulls back on its
// spring.  The bow knows v to CLOSE = 1e-6 of itself; by (2.3b) that is 1e-6 v/Z of f beside 1e-6
// of phi's slope, at most F phi'(0), times v: with Z = k/2m a bound of 2e-6 |v| (1/Z + F sqrt(2A
// e)) holds both.  x has 16 digits: v loses eps x/2k.
static void a_bow_pushes_with_the_friction_of_the_velocity_that_results(void** state) {
  (void)state;
  enum { COUNT = 4000 };
  static double x[COUNT], f[COUNT];
  JwMassDef mass = jw_mass_default();
  mass.mass = 1e-3, mass.frequency = 30.0;
  JwBowDef bow = jw_bow_default();
  bow.force = 0.5, bow.speed = 0.2;
  bow_a_mass(&mass, bow, COUNT, (double* [2]){x, f});
  const double z = 0.5 / RATE / mass.mass;
  int slips = 0;
  for (int i = 1; i + 1 < COUNT; ++i) {
    // The force of a frame leads from the place before it to its own
    const double v = 0.5 * RATE * (x[i] - (i > 1 ? x[i - 2] : 0.0)) - bow.speed;
    const double bound = 2e-6 * fabs(v) * (1.0 / z + bow.force * sqrt(2.0 * bow.sharpness) * 1.65)
                         + 4.0 * 2.2e-16 * RATE * fabs(x[i]) / z;
    assert_true(fabs(f[i] - bow.force * phi(&bow, v)) <= bound);
    slips += fabs(v) > 0.1;
  }
  assert_true(slips > 100 && slips < COUNT - 100); // It stuck and slipped
}

// f = F (phi(v) + phi'(v) (v+ - v)/2), v+ the velocity that results, v the one before.  phi' here
// is a difference, off by h^2/6 of the third derivative, at most 6 A phi'(0): 1e-8 of phi'(0).  v
// is off by eps x/2k as above.
static void the_one_step_bow_is_the_published_one(void** state) {
  (void)state;
  enum { COUNT = 4000 };
  static double x[COUNT], f[COUNT];
  JwMassDef mass = jw_mass_default();
  mass.mass = 1e-2, mass.frequency = 300.0, mass.velocity = 0.1;
  JwBowDef bow = jw_bow_default();
  bow.force = 0.5, bow.speed = 0.1, bow.method = JW_BOW_ONE_STEP;
  bow_a_mass(&mass, bow, COUNT, (double* [2]){x, f});
  const double h = 1e-5, steep = bow.force * sqrt(2.0 * bow.sharpness) * 1.65;
  int slips = 0;
  for (int i = 3; i < COUNT; ++i) {
    const double next = 0.5 * RATE * (x[i] - x[i - 2]) - bow.speed,
                 v = 0.5 * RATE * (x[i - 1] - x[i - 3]) - bow.speed;
    const double slope = (phi(&bow, v + h) - phi(&bow, v - h)) / (2.0 * h);
    const double expected = bow.force * (phi(&bow, v) + 0.5 * slope * (next - v));
    assert_true(fabs(f[i] - expected)
                <= steep * (1e-8 * fabs(next - v) + 4.0 * 2.2e-16 * RATE * fabs(x[i]) + 1e-15));
    slips += fabs(v) > 0.1;
  }
  assert_true(slips > 100 && slips < COUNT - 100);
}

// At rest under a bow at rest, alone or tied to a wall beside it: v and t are exactly 0, and so is
// all that follows.  Then thrown it is held back: friction takes energy and never gives any.
static void a_bow_that_stands_still_holds_what_rests(void** state) {
  (void)state;
  for (int tied = 0; tied < 2; ++tied) {
    static double x[1100], f[1100];
    JwWorld* const world = new_world(RATE, true);
    JwBowDef bow = jw_bow_default();
    const JwObjectId mass = add_mass(world, 1e-3, 0.0, 0.0);
    bow.port.object = mass, bow.force = 0.5, bow.speed = 0.0;
    if (tied) {
      JwSpringDef tie = jw_spring_default();
      JwContactId id = {0};
      tie.a = jw_port(mass, 0.0), tie.b = jw_port(add_barrier(world, 0.0), 0.0), tie.linear = 100.0;
      MUST(world, jw_world_add_spring(world, &tie, &id));
    }
    const double thrown[2] = {0.0, 0.1};
    MUST(world, jw_world_add_throw(world, mass, 100.0 / RATE, thrown));
    run_bow(world, bow, 1100, (double* [2]){x, f});
    for (int i = 0; i < 100; ++i) {
      assert_true(x[i] == 0.0 && f[i] == 0.0);
    }
    for (int i = 102; i < 1100; ++i) {
      const double moved = x[i] - x[i - 2];
      assert_true(f[i] * moved >= 0.0); // f is what the bow takes: it has the sign of the motion
    }
  }
}

static void a_lifted_bow_pushes_nothing(void** state) {
  (void)state;
  double x[500], f[500];
  JwWorld* const world = new_world(RATE, false);
  JwBowDef bow = jw_bow_default();
  bow.port.object = add_mass(world, 1e-3, 0.3, 0.7), bow.force = 0.0, bow.speed = 0.2;
  run_bow(world, bow, 500, (double* [2]){x, f});
  for (int i = 0; i < 500; ++i) {
    assert_true(f[i] == 0.0);
  }
}

// Nothing moves: v = -vB, whatever the bow does.
static void a_bow_on_the_end_of_a_string_slides_on_it(void** state) {
  (void)state;
  double x[100], f[100];
  JwWorld* const world = new_world(RATE, false);
  JwStringDef string = jw_string_default();
  JwObjectId id = {0};
  string.length = 0.5, string.radius = 5e-4, string.density = 7850.0, string.tension = 60.0;
  MUST(world, jw_world_add_string(world, &string, &id));
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(id, 0.0), bow.force = 0.5, bow.speed = 0.2;
  run_bow(world, bow, 100, (double* [2]){x, f});
  const double friction = bow.force * phi(&bow, -bow.speed);
  for (int i = 0; i < 100; ++i) {
    assert_true(fabs(f[i] - friction) <= 1e-14 * fabs(friction) && x[i] == 0.0);
  }
}

// ---------------------------------------------------------------- the default bow and the iterated one

typedef struct {
  double worst; ///< Cents, where both speak
  int both, one;
} Comparison;

static void compare(JwBowedDef def, Comparison* total) {
  const JwBowedMotion refined = bow(&def);
  def.method = JW_BOW_NEWTON;
  const JwBowedMotion newton = bow(&def);
  assert_true(refined.residual < 1e-10);
  // Whatever root the iteration finds, it is a root: its ledger closes too.
  assert_true(newton.residual < 1e-10);
  const bool a = jw_bowed_speaks(&refined), b = jw_bowed_speaks(&newton);
  total->both += a && b;
  total->one += a != b;
  if (a && b) {
    total->worst = fmax(total->worst, fabs(jw_bowed_cents(refined.pitch, newton.pitch)));
  }
}

// Forces as shares of the largest at which the string still speaks at that place, which falls as
// 1/beta; from close to the bridge to a quarter of the string.
static void default_bow_is_within_5_cents_of_the_iterated_one(void** state) {
  (void)state;
  static const double betas[] = {0.05, 0.1, 0.2};
  static const double shares[] = {0.2, 0.5, 0.9};
  static const double largest[JW_BOWED_STRINGS] = {0.04, 0.2, 0.16}; // N, times beta: measured
  for (int s = 0; s < JW_BOWED_STRINGS; ++s) {
    Comparison total = {0};
    for (int b = 0; b < 3; ++b) {
      for (int f = 0; f < 3; ++f) {
        JwBowedDef def = jw_bowed_default((JwBowedName)s);
        def.beta = betas[b];
        def.force = shares[f] * largest[s] / betas[b];
        def.settle = s == JW_BOWED_TROMBA ? 15 : 30;
        def.look = 12;
        compare(def, &total);
      }
    }
    print_message("# %s: both speak at %d of 9, one of them at %d; at most %.2f cents apart\n",
                  jw_bowed_strings[s].name, total.both, total.one, total.worst);
    assert_true(total.both >= 7);
    assert_true(total.worst < 5.0);
  }
}

static void passive_bow_plays_flat(void** state) {
  (void)state;
  JwBowedDef def = jw_bowed_default(JW_BOWED_VIOLIN_A4);
  def.force = 0.2;
  def.method = JW_BOW_PASSIVE;
  const JwBowedMotion passive = bow(&def);
  def.method = JW_BOW_NEWTON;
  const JwBowedMotion newton = bow(&def);
  // It lets go a sample late or more: a sample is 1/100 of this period, 17 cents; half of that at
  // least.
  assert_true(jw_bowed_cents(passive.pitch, newton.pitch) < -8.0);
}

// ---------------------------------------------------------------- a coarse Schelleng diagram

// The corner that runs to the bow must free the string from it: its force, 2 Z vB/beta with Z =
// sqrt(T rA), is the largest friction against which it can (Schelleng's upper limit, for friction
// that falls to nothing).  With twice that the string does not speak; an eighth of it is well
// inside, however round the corner.
static double largest_force(const JwBowedDef* def) {
  const double area = 3.14159265358979323846 * def->string->radius * def->string->radius;
  return 2.0 * sqrt(def->string->tension * def->string->density * area) * def->speed / def->beta;
}

// Helmholtz motion has velocity V = (2/pi) vB/beta in its first mode, that mode the energy m V^2/4,
// and loses 2 s1 times that in a second, s1 = ln(1000)/T60; the bow gives F vB at the most.  With
// half of the force that this one mode wants the motion cannot be kept up.
static double smallest_force(const JwBowedDef* def) {
  const double pi = 3.14159265358979323846, area = pi * def->string->radius * def->string->radius;
  const double mass = def->string->density * area * def->string->length,
               v = 2.0 / pi * def->speed / def->beta;
  return 2.0 * log(1000.0) / def->string->decay[1] * mass * v * v / 4.0 / def->speed;
}

static void string_speaks_between_the_two_limits_of_force(void** state) {
  (void)state;
  static const double betas[3] = {0.05, 0.1, 0.2};
  for (int i = 0; i < 9; ++i) {
    JwBowedDef def = jw_bowed_default(JW_BOWED_VIOLIN_A4);
    def.beta = betas[i / 3];
    const double forces[3] = {0.5 * smallest_force(&def), 0.125 * largest_force(&def),
                              2.0 * largest_force(&def)};
    def.force = forces[i % 3];
    def.settle = i % 3 == 0 ? 660 : def.settle; // What it starts with has a T60, 1.5 s, to fade
    const JwBowedMotion m = bow(&def);
    print_message("# at %.2f with %.4f N: %.2f slips a period, %.1f cents\n", def.beta, def.force,
                  m.slips, jw_bowed_cents(m.pitch, m.expected));
    assert_int_equal(jw_bowed_speaks(&m), i % 3 == 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bowed_violin_string_slips_once_a_period),
      cmocka_unit_test(a_bowed_cello_string_slips_once_a_period),
      cmocka_unit_test(a_bowed_tromba_string_slips_once_a_period),
      cmocka_unit_test(an_up_bow_is_a_down_bow_turned_over),
      cmocka_unit_test(a_bow_pushes_with_the_friction_of_the_velocity_that_results),
      cmocka_unit_test(the_one_step_bow_is_the_published_one),
      cmocka_unit_test(a_bow_that_stands_still_holds_what_rests),
      cmocka_unit_test(a_lifted_bow_pushes_nothing),
      cmocka_unit_test(a_bow_on_the_end_of_a_string_slides_on_it),
      cmocka_unit_test(default_bow_is_within_5_cents_of_the_iterated_one),
      cmocka_unit_test(passive_bow_plays_flat),
      cmocka_unit_test(string_speaks_between_the_two_limits_of_force),
  };
  return cmocka_run_group_tests_name("bow", tests, NULL, NULL);
}
