// SPDX-License-Identifier: MIT
// Dry friction against closed forms.
//
//   symbol  meaning                           unit
//   M, K    mass and stiffness of a slider    kg, N/m
//   F       mu N, the largest friction        N

#include "worlds.h"

#include "step/step.h"

#include <math.h>

#define MASS 0.01
#define PI 3.14159265358979323846

static JwObjectId add_slider(JwWorld* world, double frequency, double displacement,
                             double velocity) {
  JwMassDef def = jw_mass_default();
  def.mass = MASS, def.frequency = frequency, def.displacement = displacement;
  def.velocity = velocity, def.scheme = JW_SCHEME_EXACT;
  JwObjectId id;
  MUST(world, jw_world_add_mass(world, &def, &id));
  return id;
}

static JwContactId add_friction(JwWorld* world, JwObjectId slider, JwObjectId ground, double force,
                                double coefficient, JwContactId pressed_by) {
  JwFrictionDef def = jw_friction_default();
  def.a = jw_port(slider, 0.0), def.b = jw_port(ground, 0.0), def.pressed_by = pressed_by;
  def.force = force, def.coefficient = coefficient;
  JwContactId id;
  MUST(world, jw_world_add_friction(world, &def, &id));
  return id;
}

static double place_of(JwWorld* world, JwObjectId id) {
  double u;
  MUST(world, jw_world_probe(world, jw_port(id, 0.0), &u, NULL));
  return u;
}

// A slider thrown over the ground loses F/M of its speed a second, and stops after M v^2/2F.  Below
// the creep it follows exp(-F t/M v0), another M v0^2/F: 3e-8 m.
static void a_slider_stops_where_its_energy_is_spent(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, true);
  const JwObjectId slider = add_slider(world, 0.0, 0.0, 2.0), ground = add_barrier(world, 0.0);
  add_friction(world, slider, ground, 1.0, 0.3, (JwContactId){0});
  MUST(world, jw_world_prepare(world));
  run_frames(world, 1440); // 30 ms: 2 - 30 * 0.03 = 1.1 m/s
  const double early = place_of(world, slider);
  assert_true(fabs(early - (2.0 * 0.03 - 0.5 * 30.0 * 0.03 * 0.03)) < 2.0 * 1e-6);
  run_frames(world, 48000);
  const double stop = MASS * 4.0 / (2.0 * 0.3);
  print_message("# stopped at %.7g m, wanted %.7g\n", place_of(world, slider), stop);
  assert_true(fabs(place_of(world, slider) - stop) < 1e-5 * stop);
  const JwEnergy energy = jw_world_energy(world);
  const double before = 0.3 * 2.0 / 96000.0; // The ledger begins half a sample before the start
  assert_true(fabs(energy.lost - 0.5 * MASS * 4.0 - before) < 1e-8);
  assert_true(energy.worst_residual < 1e-12);
  jw_world_destroy(world);
}

// Swings of a slider on a spring shrink by 2 F/K each, whatever their size.
static void swings_shrink_by_the_same_length(void** state) {
  (void)state;
  const double frequency = 50.0, stiffness = MASS * pow(2.0 * PI * frequency, 2.0), force = 0.3;
  JwWorld* const world = new_world(48000.0, true);
  const JwObjectId slider = add_slider(world, frequency, 0.02, 0.0),
                   ground = add_barrier(world, 0.0);
  add_friction(world, slider, ground, 1.0, force, (JwContactId){0});
  MUST(world, jw_world_prepare(world));
  double largest[20] = {0.0}, before = 0.0;
  int swing = 0;
  for (int n = 0; n < 9600; ++n) {
    run_frames(world, 1);
    const double u = place_of(world, slider);
    if (u * before < 0.0 && swing < 19) {
      ++swing;
    }
    largest[swing] = fmax(largest[swing], fabs(u));
    before = u;
  }
  for (int i = 1; i < 10; ++i) {
    const double wanted = 0.02 - 2.0 * force / stiffness * i;
    assert_true(fabs(largest[i] - wanted) < 1e-3 * 0.02);
  }
  print_message("# tenth swing %.5g mm, wanted %.5g\n", 1e3 * largest[9],
                1e3 * (0.02 - 18.0 * force / stiffness));
  run_frames(world, 96000);
  const double rest = place_of(world, slider);
  run_frames(world, 48000); // A second of creep, at most v0 K x/sqrt(F^2 - K^2 x^2)
  const double pull = stiffness * fabs(rest),
               fastest = 1e-3 * pull / sqrt(force * force - pull * pull);
  assert_true(pull < force && fabs(rest - place_of(world, slider)) < fastest);
  assert_true(jw_world_energy(world).worst_residual < 1e-11);
  jw_world_destroy(world);
}

// What presses is the weight of another mass on its support: the swings say how much.
static void another_contact_presses(void** state) {
  (void)state;
  const double frequency = 50.0, stiffness = MASS * pow(2.0 * PI * frequency, 2.0);
  JwWorld* const world = new_world(48000.0, true);
  const JwObjectId ground = add_barrier(world, 0.0);
  JwMassDef heavy = jw_mass_default();
  heavy.mass = 0.1, heavy.gravity = 9.81, heavy.displacement = -0.1 * 9.81 / 1e6; // At rest
  JwObjectId weight;
  MUST(world, jw_world_add_mass(world, &heavy, &weight));
  JwCollisionDef held = jw_collision_default();
  held.below = jw_port(ground, 0.0), held.above = jw_port(weight, 0.0);
  held.stiffness = 1e6, held.exponent = 1.0;
  JwContactId support;
  MUST(world, jw_world_add_collision(world, &held, &support));
  const JwObjectId slider = add_slider(world, frequency, 0.02, 0.0);
  add_friction(world, slider, ground, 0.0, 0.3, support);
  MUST(world, jw_world_prepare(world));
  // Nothing else joins them, and yet one reads the other: they are one component
  assert_int_equal(jw_object_at(world, slider.index - 1)->component,
                   jw_object_at(world, weight.index - 1)->component);
  double second = 0.0;
  for (int n = 0; n < 1000; ++n) { // Beyond the first period of 960 frames
    run_frames(world, 1);
    second = n > 900 ? fmax(second, place_of(world, slider)) : 0.0;
  }
  const double wanted = 0.02 - 4.0 * 0.3 * 0.1 * 9.81 / stiffness;
  print_message("# after a period %.5g mm, wanted %.5g\n", 1e3 * second, 1e3 * wanted);
  assert_true(fabs(second - wanted) < 0.01 * (0.02 - wanted));
  assert_true(jw_world_energy(world).worst_residual < 1e-11);
  jw_world_destroy(world);
}

// A string that moves across and lies on a support that rubs: it fades across while it is pressed,
// and hardly where nothing presses.
static double across_after(double coefficient) {
  JwWorld* const world = new_world(48000.0, true);
  JwStringDef def = jw_string_default();
  def.length = 0.65, def.mass_per_length = 9e-4, def.tension = 58.0, def.bending = 3e-4;
  def.directions = 2, def.loss[0] = 0.5;
  const JwObjectId string = add_string(world, &def), rest = add_barrier(world, 2e-4);
  JwPort up = jw_port(string, 0.1), across = up;
  across.degrees = 90.0;
  const JwContactId press = add_collision(world, jw_port(rest, 0.0), up, JW_RULE_BOUNDED, 1e7);
  JwFrictionDef rub = jw_friction_default();
  rub.a = jw_port(rest, 0.0), rub.b = across, rub.pressed_by = press;
  rub.coefficient = coefficient;
  MUST(world, jw_world_add_friction(world, &rub, NULL));
  JwInitialDef pluck = jw_initial_default();
  pluck.object = string, pluck.x = 0.4, pluck.amplitude = 1e-3, pluck.degrees = 90.0;
  MUST(world, jw_world_add_initial(world, &pluck));
  MUST(world, jw_world_prepare(world));
  run_frames(world, 14400);
  double loudest = 0.0;
  for (int n = 0; n < 960; ++n) {
    run_frames(world, 1);
    double u;
    JwPort ear = jw_port(string, 0.6);
    ear.degrees = 90.0;
    MUST(world, jw_world_probe(world, ear, &u, NULL));
    loudest = fmax(loudest, fabs(u));
  }
  assert_true(jw_world_energy(world).worst_residual < 1e-11);
  jw_world_destroy(world);
  return loudest;
}

static void a_support_that_rubs_damps_across(void** state) {
  (void)state;
  const double smooth = across_after(0.0), rough = across_after(0.5);
  print_message("# after 0.3 s %.3g mm on a smooth support, %.3g mm on a rough one\n", 1e3 * smooth,
                1e3 * rough);
  assert_true(smooth > 1e-4 && rough < 0.7 * smooth);
}

static void what_cannot_press_is_refused(void** state) {
  (void)state;
  JwWorld* const world = new_world(48000.0, false);
  JwStringDef def = jw_string_default();
  def.length = 0.65, def.tension = 58.0;
  const JwObjectId string = add_string(world, &def), bar = add_barrier(world, -1e-3),
                   mass = add_mass(world, 0.01, 0.0, 0.0);
  JwCollisionDef along = jw_collision_default();
  along.below = jw_port(bar, 0.0), along.above = jw_port(string, 0.0), along.along = true;
  along.stiffness = 1e7, along.name = "bar";
  JwContactId whole;
  MUST(world, jw_world_add_collision(world, &along, &whole));
  JwFrictionDef rub = jw_friction_default();
  rub.a = jw_port(mass, 0.0), rub.b = jw_port(bar, 0.0), rub.name = "rub";
  rub.pressed_by = whole;
  assert_int_equal(jw_world_add_friction(world, &rub, NULL), JW_STATUS_BAD_VALUE);
  assert_non_null(
      strstr(jw_world_error(world), "friction 'rub': 'bar' must be a contact of two ports"));
  rub.pressed_by.index = 7;
  assert_int_equal(jw_world_add_friction(world, &rub, NULL), JW_STATUS_BAD_REFERENCE);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slider_stops_where_its_energy_is_spent),
      cmocka_unit_test(swings_shrink_by_the_same_length),
      cmocka_unit_test(another_contact_presses),
      cmocka_unit_test(a_support_that_rubs_damps_across),
      cmocka_unit_test(what_cannot_press_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
