// SPDX-License-Identifier: MIT
// Islands: which contact points are solved together, that there is room for them, and that every
// gap closes by what the forces found say.

#include "worlds.h"

#include "step/step.h"

#include <float.h>

static JwContactId add_along(JwWorld* world, JwObjectId below, JwObjectId above, double gap) {
  JwCollisionDef def = jw_collision_default();
  def.below = jw_port(below, 0.0);
  def.above = jw_port(above, 0.0);
  def.along = true;
  def.stiffness = 1e7;
  def.gap = gap;
  JwContactId id = {0};
  MUST(world, jw_world_add_collision(world, &def, &id));
  return id;
}

static JwStringDef grid_string(uint32_t points) {
  JwStringDef def = short_string();
  def.frequency = JW_UNSET;
  def.tension = 20.0;
  def.points = points;
  return def;
}

static void pluck(JwWorld* world, JwObjectId string) {
  JwInitialDef def = jw_initial_default();
  def.object = string;
  def.amplitude = 3e-3;
  MUST(world, jw_world_add_initial(world, &def));
}

// Prepare, look at the largest island, play, and look at the ledger.  2,000 steps of 4 eps as a
// random walk are 4e-14; a point under a barrier of 1e7 N/m^1.5 moves slowly for its depth: 1e-11
// is ample, and a solve that missed a coupling shows at 1e-6 and above.
static void play(JwWorld* world, uint32_t largest) {
  MUST(world, jw_world_prepare(world));
  assert_int_equal(jw_world_info(world).largest_island, largest);
  run_frames(world, 2000);
  assert_true(jw_world_energy(world).worst_residual < 1e-11);
  assert_true(jw_world_energy(world).stored > 0.0);
}

static bool closed(const JwWorld* world, JwContactId id) {
  return jw_world_contact_figures(world, id).closures > 0;
}

static void a_string_between_two_barriers_is_solved_in_pairs(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  const JwStringDef def = grid_string(40);
  const JwObjectId string = add_string(world, &def);
  const JwContactId below = add_along(world, add_barrier(world, -1e-4), string, 0.0);
  const JwContactId above = add_along(world, string, add_barrier(world, 1e-4), 0.0);
  pluck(world, string);
  play(world, 2);
  assert_true(closed(world, below) && closed(world, above));
  jw_world_destroy(world);
}

// For n = 49, i/n n differs from i for some i: a linear port would touch two points there.
static void strings_on_equal_grids_touch_point_by_point(void** state) {
  (void)state;
  for (uint32_t n = 20; n < 52; ++n) {
    JwWorld* const world = new_world(44100.0, true);
    const JwStringDef def = grid_string(n);
    const JwObjectId lower = add_string(world, &def), upper = add_string(world, &def);
    const JwContactId contact = add_along(world, lower, upper, 1e-4);
    pluck(world, lower);
    play(world, 1);
    assert_int_equal(jw_world_info(world).islands, n - 1);
    assert_true(closed(world, contact));
    jw_world_destroy(world);
  }
}

// 40 intervals held and 39 with a free end have as many points each, on different grids.
static void unequal_grids_are_one_island_also_with_equal_counts(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwStringDef def = grid_string(40);
  const JwObjectId lower = add_string(world, &def);
  def.points = 39;
  def.ends[0] = JW_END_FREE;
  const JwObjectId upper = add_string(world, &def);
  assert_int_equal(jw_world_object_info(world, lower).points,
                   jw_world_object_info(world, upper).points);
  const JwContactId contact = add_along(world, lower, upper, 1e-4);
  pluck(world, lower);
  play(world, 39);
  assert_true(closed(world, contact));
  jw_world_destroy(world);
}

static void a_stack_of_strings_is_solved_column_by_column(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  const JwStringDef def = grid_string(32);
  JwObjectId strings[4];
  JwContactId contacts[3];
  for (int i = 0; i < 4; ++i) {
    strings[i] = add_string(world, &def);
  }
  for (int i = 0; i < 3; ++i) {
    contacts[i] = add_along(world, strings[i], strings[i + 1], 1e-4);
  }
  pluck(world, strings[0]);
  play(world, 3);
  for (int i = 0; i < 3; ++i) {
    assert_true(closed(world, contacts[i]));
  }
  jw_world_destroy(world);
}

// A finer string on a coarser one that lies on a barrier: all points hang together.
static void a_barrier_under_unequal_grids_joins_their_island(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwStringDef def = grid_string(20);
  const JwObjectId lower = add_string(world, &def);
  def.points = 33;
  const JwObjectId upper = add_string(world, &def);
  const JwContactId a = add_along(world, add_barrier(world, -1e-4), lower, 0.0);
  const JwContactId b = add_along(world, lower, upper, 1e-4);
  pluck(world, lower);
  play(world, 19 + 32);
  assert_true(closed(world, a) && closed(world, b));
  jw_world_destroy(world);
}

// Moving ports join and part islands; there is room for whatever comes.
static void ports_that_move_past_each_other_join_and_part(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  const JwStringDef def = grid_string(40);
  const JwObjectId string = add_string(world, &def);
  add_along(world, add_barrier(world, -1e-5), string, 0.0);
  add_along(world, string, add_barrier(world, 1e-5), 0.0);
  JwContactId contacts[3];
  for (int i = 0; i < 3; ++i) {
    JwPort port = jw_port(string, 0.2 + 0.3 * i);
    port.reading = JW_READ_CUBIC;
    contacts[i] = add_collision(world, jw_port(add_mass(world, 1e-3, -1e-4, 0.5), 0.0), port,
                                JW_RULE_BOUNDED, 1e7);
  }
  pluck(world, string);
  MUST(world, jw_world_prepare(world));
  uint32_t least = UINT32_MAX, most = 0;
  for (int i = 0; i < 3; ++i) {
    const JwTarget target = {.control = JW_CONTROL_X2, .contact = contacts[i]};
    MUST(world, jw_world_set(world, target, 0.8 - 0.3 * i, 0.02));
  }
  for (int i = 0; i < 1000; ++i) {
    run_frames(world, 1);
    const uint32_t largest = jw_world_info(world).largest_island;
    least = largest < least ? largest : least;
    most = largest > most ? largest : most;
  }
  // At the start each port lies on a grid point: a mass and one column of two barrier points.
  // Between grid points it covers four columns; where two meet, more than one mass's.
  assert_int_equal(least, 1 + 2);
  assert_true(most > 1 + 4 * 2 && most <= 3 * (1 + 4 * 2));
  assert_true(jw_world_energy(world).worst_residual < 1e-9);
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- the solve

// Springs between two masses, all on the same two places: every entry of B is the same, the worst
// case of (2.5).  Stiffnesses are drawn anew for each world.
static JwWorld* springs_on_one_place(int count, double softest, double mass, uint64_t* seed) {
  JwWorld* const world = new_world(44100.0, true);
  const JwPort a = jw_port(add_mass(world, mass, 0.0, between(seed, 0.5, 2.0)), 0.0);
  const JwPort b = jw_port(add_mass(world, 2.0 * mass, 1e-3, between(seed, -2.0, -0.5)), 0.0);
  for (int i = 0; i < count; ++i) {
    JwSpringDef def = jw_spring_default();
    def.a = i % 2 ? a : b;
    def.b = i % 2 ? b : a;
    def.linear = log_between(seed, softest, 1e16);
    def.gap = (i % 2 ? -1.0 : 1.0) * (1e-3 + 2e-5); // Stretched, by about what they move in a frame
    JwContactId id;
    MUST(world, jw_world_add_spring(world, &def, &id));
  }
  MUST(world, jw_world_prepare(world));
  return world;
}

// How far (2.4) is from holding for the forces found, in units of the rounding of its own terms.
static double missing(const JwWorld* world) {
  double most = 0.0;
  for (uint32_t i = 0; i < world->point_count; ++i) {
    const JwPoint* const point = &world->points[i];
    long double miss = (long double)point->step.r_free - point->step.r;
    double size = fabs(point->step.r_free) + fabs(point->step.r);
    for (uint32_t j = 0; j < world->point_count; ++j) {
      const double move = jw_point_compliance(point, &world->points[j]) * world->points[j].step.f;
      miss -= move;
      size += fabs(move);
    }
    most = fmax(most, fabs((double)miss) / (DBL_EPSILON * size));
  }
  return most;
}

// With pivots up to 1e13, elimination alone leaves 1e13 eps of a gap open.  Put back into (2.4) and
// solved once more, what is left is the rounding of each of the count + 2 terms, and of the last
// sums in f and r.
static void gaps_close_by_what_the_forces_say_however_stiff(void** state) {
  (void)state;
  for (int count = 2; count <= 6; ++count) {
    uint64_t seed = 5;
    double worst = 0.0;
    for (int i = 0; i < 200; ++i) {
      JwWorld* const world = springs_on_one_place(count, 1e3, 1e-3, &seed);
      assert_int_equal(jw_world_info(world).largest_island, count);
      for (int frame = 0; frame < 20; ++frame) {
        run_frames(world, 1);
        worst = fmax(worst, missing(world));
      }
      jw_world_destroy(world);
    }
    print_message("# %d springs: (2.4) holds to %.3g eps\n", count, worst);
    assert_true(worst > 0.0 && worst < count + 4.0);
  }
}

// They all span the same two masses: one motion, of which each knows as many digits.  Up to six
// eliminations and the two sums of r round by eps/2 of their terms, r* and q c, over the pivots: in
// two motions 8 eps.  By (2.5) alone it is 25.
static void contacts_on_one_place_move_alike_however_stiff(void** state) {
  (void)state;
  uint64_t seed = 7;
  double worst = 0.0, stiffest = 0.0;
  for (int i = 0; i < 200; ++i) {
    const int count = 2 + i % 5;
    JwWorld* const world = springs_on_one_place(count, 1e12, 1e-6, &seed);
    for (int frame = 0; frame < 20; ++frame) {
      run_frames(world, 1);
      double slope = 0.0, terms = fabs(world->points[0].step.r_free);
      for (int p = 0; p < count; ++p) {
        const JwStep* const step = &world->points[p].step;
        slope += step->a * step->q;
        terms += step->q * fabs(step->f - step->a * step->r);
      }
      for (int p = 1; p < count; ++p) {
        const double apart = fabs(fabs(world->points[p].step.r) - fabs(world->points[0].step.r));
        worst = fmax(
            worst, apart / (DBL_EPSILON * (terms / (1.0 + slope) + fabs(world->points[p].step.r))));
      }
      stiffest = fmax(stiffest, slope);
    }
    jw_world_destroy(world);
  }
  print_message("# motions differ by %.3g eps, pivots up to %.2g\n", worst, stiffest);
  assert_true(stiffest > 1e12 && worst < 8.0);
}

// Two springs on one place, loaded against each other by up to a kilojoule: each alone would move
// the mass by metres a sample.  Whatever they do to each other, the ledger stays within the 1e-9
// that is promised; with (2.5) alone, neither by minors nor settled, the worst of these is open by
// 4e-6.
static void springs_that_hold_each_other_keep_their_energy(void** state) {
  (void)state;
  uint64_t seed = 11;
  double worst = 0.0;
  for (int i = 0; i < 40; ++i) {
    JwWorld* const world = new_world(44100.0, true);
    const JwPort body = jw_port(
        add_mass(world, log_between(&seed, 1e-5, 1e-1), 0.0, between(&seed, -1.0, 1.0)), 0.0);
    const JwPort wall = jw_port(add_barrier(world, 0.0), 0.0);
    for (int side = 0; side < 2; ++side) {
      JwSpringDef def = jw_spring_default();
      def.a = side ? body : wall;
      def.b = side ? wall : body;
      def.linear = log_between(&seed, 1e9, 1e13);
      def.gap = sqrt(2.0 * log_between(&seed, 1e-3, 1e3) / def.linear);
      JwContactId id;
      MUST(world, jw_world_add_spring(world, &def, &id));
    }
    MUST(world, jw_world_prepare(world));
    run_frames(world, 44100);
    const JwEnergy energy = jw_world_energy(world);
    assert_true(energy.peak > 1e-4); // They are loaded
    worst = fmax(worst, energy.worst_residual);
    jw_world_destroy(world);
  }
  print_message("# worst residual in a second: %.3g\n", worst);
  assert_true(worst > 0.0 && worst < 1e-9);
}

// 0.28 and 0.29 of 100 intervals are 28.000000000000004 and 28.999999999999996: two grid points,
// and two islands.
static void ports_on_neighbouring_points_are_not_tied_by_rounding(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, false);
  JwStringDef def = short_string();
  def.points = 100, def.frequency = JW_UNSET, def.tension = 10.0, def.young = 0.0;
  const JwObjectId string = add_string(world, &def);
  const double places[2] = {0.28, 0.29};
  assert_true(100.0 * places[0] > 28.0 && 100.0 * places[1] < 29.0);
  for (int i = 0; i < 2; ++i) {
    add_collision(world, jw_port(string, places[i]), jw_port(add_mass(world, 0.01, 1e-3, 0.0), 0.0),
                  JW_RULE_BOUNDED, 1e6);
  }
  MUST(world, jw_world_prepare(world));
  assert_int_equal(jw_world_info(world).largest_island, 1);
  jw_world_destroy(world);
}

// A grouped contact is one point on every grid point of its string: it joins whatever else touches
// the string.
static void a_group_joins_every_other_contact_on_its_string(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  JwStringDef string = jw_string_default();
  string.length = 0.5;
  string.frequency = 100.0;
  JwObjectId id;
  MUST(world, jw_world_add_string(world, &string, &id));
  const JwObjectId low = add_barrier(world, -1e-3), high = add_barrier(world, 1e-3);
  add_along(world, low, id, 0.0);
  JwCollisionDef def = jw_collision_default();
  def.below = jw_port(id, 0.0);
  def.above = jw_port(high, 0.0);
  def.along = def.grouped = true;
  def.stiffness = 1e8;
  JwContactId grouped;
  MUST(world, jw_world_add_collision(world, &def, &grouped));
  add_collision(world, jw_port(low, 0.0), jw_port(id, 0.3), JW_RULE_BOUNDED, 1e6);
  MUST(world, jw_world_prepare(world));
  const JwWorldInfo info = jw_world_info(world);
  assert_true(info.largest_island > 20);
  assert_true(world->components[0].solve.capacity >= info.largest_island);
  run_frames(world, 64);
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- the iterative reference

static double friction(const JwLawParams* law, double r) {
  const double v = r / (2.0 * law->k) - law->speed;
  return law->force * sqrt(2.0 * law->sharpness) * v * exp(0.5 - law->sharpness * v * v);
}

// The first solution of r + q f(r) = free on the way from r, found by walking in steps of a
// thousandth of the friction curve's width, then halving.
static double walk_to(const JwLawParams* law, double r, double free, double q) {
  const bool above = r + q * friction(law, r) > free;
  const double width = 2.0 * law->k / sqrt(2.0 * law->sharpness);
  double next = r;
  while ((next + q * friction(law, next) > free) == above) {
    const double far =
        fabs(next - 2.0 * law->k * law->speed) - 20.0 * width; // Out there f is 0: go on at once
    r = next;
    next += (above ? -1.0 : 1.0) * fmax(1e-3 * width, 0.5 * far);
  }
  for (int i = 0; i < 200; ++i) {
    const double mid = 0.5 * (r + next);
    *((mid + q * friction(law, mid) > free) == above ? &r : &next) = mid;
  }
  return 0.5 * (r + next);
}

// A bow's force falls while it slips: of up to three solutions the reference takes the first on the
// way from the last velocity, be that 1 km/s.  Both stop at rounding, 1e-16 of free and of q f;
// where two solutions meet and r + q f has no slope that is the square root of it in r, 1e-8.
static void the_iterated_bow_stays_on_its_branch_from_any_velocity(void** state) {
  (void)state;
  uint64_t seed = 11;
  int three = 0, wrong = 0;
  for (int i = 0; i < 2000; ++i) {
    JwLawParams law = {.kind = JW_KIND_BOW,
                       .method = JW_BOW_NEWTON,
                       .k = 1.0 / 44100.0,
                       .force = log_between(&seed, 0.01, 10.0),
                       .speed = between(&seed, -0.3, 0.3),
                       .sharpness = log_between(&seed, 1.0, 1000.0)};
    jw_law_derive(&law);
    JwPointState memory = {.velocity = (i % 2 ? 1.0 : -1.0)
                                       * log_between(&seed, 1e-3, i % 4 < 2 ? 1.0 : 1000.0)};
    const double q = log_between(&seed, 1e-7, 1e-4),
                 free = 2.0 * law.k * (law.speed + between(&seed, -2.0, 2.0));
    JwPoint point = {.ops = jw_law_ops(JW_KIND_BOW),
                     .step = {.law = &law, .scale = 1.0, .state = &memory, .q = q, .r_free = free}};
    jw_point_iterate(&point);
    const double wanted = walk_to(&law, 2.0 * law.k * (memory.velocity + law.speed), free, q);
    const double size = fabs(free) + q * law.force;
    wrong += !(fabs(point.step.r - wanted) <= 1e-7 * size);
    three += fabs(wanted - walk_to(&law, free, free, q)) > 1e-3 * size; // Another, from elsewhere
  }
  print_message("# another solution in %d cases of 2000; missed in %d\n", three, wrong);
  assert_true(three > 100);
  assert_true(wrong == 0);
}

enum { LINKS = 3, CHAIN = 400 };

static long double potential(double stiffness, double x) {
  return x > 0.0 ? stiffness / 2.5L * powl(x, 2.5L) : 0.0L;
}

// Four masses, pressed against each other at first, with contacts of three strengths: the forces
// that the iteration ends with are the quotients of the potential's differences over the motion
// that they lead to.  The iteration ends at 1e-14 of the largest force; places rounded to 2e-16 of
// 1e-3 m move the quotient by half its slope, 1e-15 of it.  A billionth of all masses, stiffnesses
// and forces changes nothing.
static void iterated_forces_of_an_island_follow_from_the_potential(void** state) {
  (void)state;
  static double out[2 * LINKS + 1][CHAIN];
  for (int i = 0; i < 8; ++i) {
    const double unit = i % 2 ? 1e-9 : 1.0, stiffness = unit * pow(10.0, 4.0 + i / 2);
    JwWorld* const world = new_world(44100.0, false);
    JwPort port[LINKS + 1];
    JwContactId contact[LINKS];
    for (int m = 0; m <= LINKS; ++m) {
      port[m] = jw_port(add_mass(world, unit * 1e-3 * (1 + m), -1e-4 * m * m, 0.0), 0.0);
      add_pickup(world, port[m], JW_QUANTITY_DISPLACEMENT);
    }
    for (int c = 0; c < LINKS; ++c) {
      JwCollisionDef def = jw_collision_default();
      def.below = port[c], def.above = port[c + 1], def.rule = JW_RULE_NEWTON, def.exponent = 1.5;
      def.stiffness = stiffness * (c + 1);
      MUST(world, jw_world_add_collision(world, &def, &contact[c]));
      JwPickupDef heard = jw_pickup_default();
      JwPickupId id;
      heard.contact = contact[c], heard.quantity = JW_QUANTITY_FORCE;
      MUST(world, jw_world_add_pickup(world, &heard, &id));
    }
    MUST(world, jw_world_prepare(world));
    run_into(world, out[0], CHAIN, 0, CHAIN);
    jw_world_destroy(world);
    double worst = 0.0, largest = 0.0;
    for (int t = 2; t < CHAIN; ++t) {
      for (int c = 0; c < LINKS; ++c) {
        const double after = out[c][t] - out[c + 1][t], before = out[c][t - 2] - out[c + 1][t - 2];
        const long double moved = (long double)after - before, k = stiffness * (c + 1);
        if (after > 0.0 && before > 0.0 && fabsl(moved) > 1e-3L * after) {
          const double wanted =
              (double)((potential((double)k, after) - potential((double)k, before)) / moved);
          worst = fmax(worst, fabs(out[LINKS + 1 + c][t] - wanted));
        }
        largest = fmax(largest, out[LINKS + 1 + c][t]);
      }
    }
    print_message("# %g N/m: forces to %.1g of the largest\n", stiffness, worst / largest);
    assert_true(largest > 0.0 && worst < 1e-12 * largest);
  }
}

// A pulse of up to 500 N presses 10 mg against a spring of 1e11 N/m: alone it would move them by q
// F = 26 mm in a frame, and 5 nm are left.  The energy is the spring's, F^2/2K = 1.25 uJ; pushes
// round by eps q F^2, 1e7 eps of that, were they not settled: 7.5e-6 after 1 s.
static void an_exciter_that_presses_keeps_the_ledger(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  const JwObjectId mass = add_mass(world, 1e-5, 0.0, 0.0), floor = add_barrier(world, 0.0);
  JwSpringDef spring = jw_spring_default();
  spring.a = jw_port(mass, 0.0);
  spring.b = jw_port(floor, 0.0);
  spring.linear = 1e11;
  JwContactId contact;
  MUST(world, jw_world_add_spring(world, &spring, &contact));
  JwForceDef def = jw_force_default();
  def.port = jw_port(mass, 0.0);
  def.shape = JW_FORCE_PULSE;
  def.amplitude = -500.0;
  def.duration = 1.0;
  JwExciterId id;
  MUST(world, jw_world_add_force(world, &def, &id));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 44100);
  const JwEnergy e = jw_world_energy(world);
  assert_true(e.peak > 1.2e-6 && e.peak < 1.3e-6);
  assert_true(e.worst_residual <= 4.0 * DBL_EPSILON * sqrt(44100.0));
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_string_between_two_barriers_is_solved_in_pairs),
      cmocka_unit_test(strings_on_equal_grids_touch_point_by_point),
      cmocka_unit_test(unequal_grids_are_one_island_also_with_equal_counts),
      cmocka_unit_test(a_stack_of_strings_is_solved_column_by_column),
      cmocka_unit_test(a_barrier_under_unequal_grids_joins_their_island),
      cmocka_unit_test(ports_that_move_past_each_other_join_and_part),
      cmocka_unit_test(gaps_close_by_what_the_forces_say_however_stiff),
      cmocka_unit_test(contacts_on_one_place_move_alike_however_stiff),
      cmocka_unit_test(springs_that_hold_each_other_keep_their_energy),
      cmocka_unit_test(an_exciter_that_presses_keeps_the_ledger),
      cmocka_unit_test(ports_on_neighbouring_points_are_not_tied_by_rounding),
      cmocka_unit_test(a_group_joins_every_other_contact_on_its_string),
      cmocka_unit_test(the_iterated_bow_stays_on_its_branch_from_any_velocity),
      cmocka_unit_test(iterated_forces_of_an_island_follow_from_the_potential),
  };
  return cmocka_run_group_tests_name("island", tests, NULL, NULL);
}
