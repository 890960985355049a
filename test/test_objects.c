// SPDX-License-Identifier: MIT
// Objects in motion: decay as asked for, energy that only falls, modes against grid, rigid motions
// that stay. Ports that answer alike: test_properties.c.

#include "operator.h"

#include "numeric/elementary.h"
#include "object/kinds.h"

#include <float.h>

enum { KINDS = 9 };
static const char* const kind_names[KINDS] = {"mass",         "sprung mass", "modes",
                                              "string",       "free string", "bar",
                                              "modal string", "plate",       "membrane"};

// One object of each kind, with both losses where it has them.
static JwObjectId add_kind(JwWorld* world, int kind) {
  JwObjectId id = {0};
  JwMassDef mass = jw_mass_default();
  mass.mass = 0.01;
  mass.loss = 0.2;
  mass.frequency = kind == 1 ? 150.0 : 0.0;
  mass.scheme = kind == 1 ? JW_SCHEME_EXACT : JW_SCHEME_LEAPFROG;
  static const JwMode modes[3] = {{110.0, 5.0, 0.01}, {700.0, 20.0, 0.02}, {8000.0, 90.0, 0.005}};
  static const double shapes[6] = {1.0, -0.5, 0.3, 0.2, 0.9, -0.7};
  JwModalDef modal = jw_modal_default();
  modal.modes = modes;
  modal.mode_count = 3;
  modal.shapes = shapes;
  modal.shape_count = 2;
  JwStringDef string = short_string();
  string.frequency = JW_UNSET;
  string.tension = 40.0;
  JwPlateDef plate = jw_plate_default();
  plate.size[0] = 0.14;
  plate.size[1] = 0.12;
  plate.loss[0] = 5.0;
  plate.loss[1] = 0.01;
  switch (kind) {
  case 0:
  case 1: MUST(world, jw_world_add_mass(world, &mass, &id)); return id;
  case 2: MUST(world, jw_world_add_modal(world, &modal, &id)); return id;
  case 3: string.ends[0] = JW_END_CLAMPED; return add_string(world, &string);
  case 4: string.ends[1] = JW_END_FREE; return add_string(world, &string);
  case 5:
    string.tension = 0.0;
    string.ends[0] = string.ends[1] = JW_END_FREE;
    return add_string(world, &string);
  case 6: string.method = JW_METHOD_MODES; return add_string(world, &string);
  case 7:
    plate.edges[0] = plate.edges[3] = JW_END_FREE;
    plate.edges[1] = JW_END_CLAMPED;
    MUST(world, jw_world_add_plate(world, &plate, &id));
    return id;
  default:
    plate.bending = 0.0;
    plate.tension = 2000.0;
    MUST(world, jw_world_add_plate(world, &plate, &id));
    return id;
  }
}

static void kick(JwWorld* world, int kind, JwObjectId id) {
  JwForceDef force = jw_force_default();
  force.port = jw_port(id, kind == 2 ? 0.0 : 0.213);
  force.port.y = 0.777;
  force.port.reading = JW_READ_CUBIC;
  JwExciterId exciter;
  MUST(world, jw_world_add_force(world, &force, &exciter));
}

// After the push is over stored energy never rises by more than the rounding of one step: the
// energy is a sum of products of values rounded to eps, with the cancellation u/(u - p) of slow
// parts: 1e-12.
static void without_drive_energy_only_falls(void** state) {
  (void)state;
  for (int kind = 0; kind < KINDS; ++kind) {
    JwWorld* const world = new_world(44100.0, true);
    const JwObjectId id = add_kind(world, kind);
    kick(world, kind, id);
    MUST(world, jw_world_prepare(world));
    run_frames(world, 50);
    JwEnergy last = jw_world_energy(world);
    const double start = last.stored;
    for (int i = 0; i < 3000; ++i) {
      run_frames(world, 1);
      const JwEnergy now = jw_world_energy(world);
      if (!(now.stored <= last.stored + 1e-12 * start && now.lost >= last.lost)) {
        fail_msg("%s: stored rose by %g of %g at %d", kind_names[kind], now.stored - last.stored,
                 start, i);
      }
      last = now;
    }
    assert_true(start > 0.0 && last.stored < start);
    assert_true(last.worst_residual < 1e-11);
    jw_world_destroy(world);
  }
}

// Two million steps at the limit of stability, without losses: stored energy neither falls nor
// grows.
static void without_loss_energy_stays_for_two_million_steps(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, false);
  JwStringDef def = short_string();
  def.frequency = JW_UNSET;
  def.tension = 40.0;
  def.loss[0] = def.loss[1] = 0.0;
  def.ends[0] = JW_END_CLAMPED;
  def.ends[1] = JW_END_FREE;
  const JwObjectId id = add_string(world, &def);
  kick(world, 4, id);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 100);
  double parts[4];
  const double start = jw_component_energy(&world->components[0], parts);
  run_frames(world, 2000000);
  const double end = jw_component_energy(&world->components[0], parts);
  print_message("# relative change %.3g\n", end / start - 1.0);
  // A random walk of 2e6 roundings of 4 eps is 1.3e-12; a drift of one eps a step would be 4e-10
  assert_true(start > 0.0 && fabs(end / start - 1.0) < 4e-10);
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- decay

// Start in a mode of a supported string or plate and measure how its energy falls.
static double measured_t60(JwWorld* world, JwObjectId id, int p, uint32_t frames) {
  MUST(world, jw_world_prepare(world));
  JwObject* const object = object_of(world, id);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double x, y;
    object->ops->locate(object, i, &x, &y);
    const double shape =
        sin(p * JW_PI * x) * (object->ops->kind == JW_KIND_PLATE ? sin(p * JW_PI * y) : 1.0);
    const uint32_t at = jw_object_offset(object, i);
    object->buffer[0][at] = object->buffer[2][at] = 1e-3 * shape;
  }
  double parts[4];
  run_frames(world, 1000);
  const double start = jw_component_energy(&world->components[0], parts);
  run_frames(world, frames);
  const double end = jw_component_energy(&world->components[0], parts);
  return log(1e6) * frames / 44100.0 / log(start / end);
}

// The grid's squared wave number 4/h^2 sin^2(p pi/2N) is (p pi/2N)^2/3 below g, and the backward
// difference of the loss shifts by sigma k: both below 0.5 % here.  Energy of a lossy mode also
// ripples by sigma/w, below 0.1 %.
static void a_string_decays_as_asked_for_at_both_frequencies(void** state) {
  (void)state;
  const double wanted[2] = {1.5, 0.25};
  for (int which = 0; which < 2; ++which) {
    JwWorld* const world = new_world(44100.0, false);
    JwStringDef def = short_string();
    def.loss[0] = def.loss[1] = 0.0;
    def.length = 0.65;
    def.frequency = 110.0;
    const int p = which ? 6 : 1;
    // f_p of a stiff string: p f_1 sqrt((1 + B p^2)/(1 + B))
    const double mass = def.density * JW_PI * def.radius * def.radius;
    const double bending = def.young * JW_PI * pow(def.radius, 4.0) / 4.0;
    const double bar = bending * pow(JW_PI / def.length, 2.0);
    const double tension =
        4.0 * def.length * def.length * def.frequency * def.frequency * mass - bar;
    const double f6 = 6.0 / (2.0 * def.length) * sqrt((tension + 36.0 * bar) / mass);
    const double decay[4] = {110.0, wanted[0], f6, wanted[1]};
    memcpy(def.decay, decay, sizeof decay);
    const JwObjectId id = add_string(world, &def);
    const double t60 = measured_t60(world, id, p, 4000);
    print_message("# T60 of mode %d: %.5f s, asked for %g\n", p, t60, wanted[which]);
    assert_true(fabs(t60 / wanted[which] - 1.0) < 6e-3);
    jw_world_destroy(world);
  }
}

static void a_plate_decays_as_asked_for(void** state) {
  (void)state;
  for (int which = 0; which < 2; ++which) {
    JwWorld* const world = new_world(44100.0, false);
    JwPlateDef def = jw_plate_default();
    def.size[0] = def.size[1] = 0.3;
    def.bending = 20.0;
    def.mass_per_area = 8.0;
    // Modes (1,1) and (3,3): w = sqrt(D/rH) g, g = 2 p^2 pi^2 / L^2
    const double unit = sqrt(20.0 / 8.0) * 2.0 * JW_PI * JW_PI / 0.09 / (2.0 * JW_PI);
    const double decay[4] = {unit, 0.8, 9.0 * unit, 0.2};
    memcpy(def.decay, decay, sizeof decay);
    JwObjectId id;
    MUST(world, jw_world_add_plate(world, &def, &id));
    const double t60 = measured_t60(world, id, which ? 3 : 1, 4000);
    print_message("# T60 %.5f s, asked for %g\n", t60, decay[1 + 2 * which]);
    // 25 intervals: (3 pi/50)^2/3 = 1.2 % at the higher mode, 0.13 % at the lower; ripple as above
    assert_true(fabs(t60 / decay[1 + 2 * which] - 1.0) < (which ? 0.015 : 0.004));
    jw_world_destroy(world);
  }
}

// Poles are exact: after n steps an undriven mode is exp(-s t) cos(w t) to rounding, n eps of
// phase.
static void exact_modes_ring_with_their_own_frequency_and_decay(void** state) {
  (void)state;
  const JwMode modes[3] = {{50.0, 3.0, 1.0}, {5000.0, 40.0, 1.0}, {21000.0, 100.0, 1.0}};
  const double shapes[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  JwWorld* const world = new_world(44100.0, false);
  JwModalDef def = jw_modal_default();
  def.modes = modes;
  def.mode_count = 3;
  def.shapes = shapes;
  def.shape_count = 3;
  JwObjectId id;
  MUST(world, jw_world_add_modal(world, &def, &id));
  MUST(world, jw_world_prepare(world));
  JwObject* const object = object_of(world, id);
  for (int i = 0; i < 3; ++i) {
    const double w =
        sqrt(pow(2.0 * JW_PI * modes[i].frequency, 2.0) - modes[i].decay * modes[i].decay);
    object->buffer[0][i] = 1.0;
    object->buffer[2][i] = exp(modes[i].decay / 44100.0) * cos(w / 44100.0); // One step earlier
  }
  double field[3];
  for (int n = 1; n <= 4000; ++n) {
    run_frames(world, 1);
    jw_world_field(world, id, field, 3);
    for (int i = 0; i < 3; ++i) {
      const double t = n / 44100.0;
      const double w =
          sqrt(pow(2.0 * JW_PI * modes[i].frequency, 2.0) - modes[i].decay * modes[i].decay);
      // Rounding of b near 1e-5 at 50 Hz: (eps / (w k)^2) w t / 2 = 4e-12 a cycle
      assert_true(fabs(field[i] - exp(-modes[i].decay * t) * cos(w * t)) < 1e-10);
    }
  }
  jw_world_destroy(world);
}

// Given a velocity, at the start or thrown, a mode without loss is (v/w) sin(w t) from the first
// step on, near the Nyquist frequency too: 22 kHz started with k v would swing with wk/sin(wk) =
// 440 times as much.  b is the square of a sine, within 3 eps of itself, which turns the phase by 3
// eps b/(2 sin(wk)) in a frame, at the worst 1.9e-13 at 22 kHz.
static void exact_masses_start_with_the_velocity_given(void** state) {
  (void)state;
  const double frequencies[4] = {50.0, 5000.0, 21000.0, 22000.0}, k = 1.0 / 44100.0, v = 2.0;
  for (int i = 0; i < 8; ++i) {
    const double w = 2.0 * JW_PI * frequencies[i % 4];
    const bool thrown = i >= 4;
    JwWorld* const world = new_world(44100.0, false);
    JwMassDef def = jw_mass_default();
    def.mass = 0.01;
    def.frequency = frequencies[i % 4];
    def.scheme = JW_SCHEME_EXACT;
    def.velocity = thrown ? 0.0 : v;
    JwObjectId id = {0};
    MUST(world, jw_world_add_mass(world, &def, &id));
    MUST(world, jw_world_prepare(world));
    if (thrown) {
      MUST(world, jw_world_throw(world, id, 0.0, v));
    }
    for (int n = 1; n <= 2000; ++n) {
      double place;
      run_frames(world, 1);
      jw_world_field(world, id, &place, 1);
      assert_true(fabs(place * w / v - sin(w * n * k)) < 2000.0 * 1.9e-13);
    }
    jw_world_destroy(world);
  }
}

// (1.16) for every choice of ends and edges, lying either way.  What is lost is all of the fall of
// what is stored: 500 frames of rounding leave less than 1e-12 of that.
static void grids_of_any_edges_lose_what_their_ledgers_say(void** state) {
  (void)state;
  for (int i = 0; i < 9 + 2 * 81; ++i) {
    JwWorld* const world = new_world(44100.0, true);
    JwObjectId id;
    JwInitialDef bump = jw_initial_default();
    bump.shape = JW_SHAPE_HUMP, bump.x = 0.3, bump.y = 0.4, bump.width = 0.4;
    bump.quantity = JW_INITIAL_VELOCITY, bump.amplitude = 1.0;
    if (i < 9) {
      JwStringDef def = short_string();
      def.frequency = JW_UNSET, def.tension = 40.0;
      def.ends[0] = (JwEnd)(i % 3), def.ends[1] = (JwEnd)(i / 3);
      def.loss[0] = 3.0, def.loss[1] = 0.01;
      MUST(world, jw_world_add_string(world, &def, &id));
    } else {
      JwPlateDef def = jw_plate_default();
      const int edges = (i - 9) % 81;
      def.edges[0] = (JwEnd)(edges % 3), def.edges[1] = (JwEnd)(edges / 3 % 3);
      def.edges[2] = (JwEnd)(edges / 9 % 3), def.edges[3] = (JwEnd)(edges / 27);
      def.size[0] = i < 90 ? 0.12 : 0.2, def.size[1] = i < 90 ? 0.2 : 0.12;
      def.loss[0] = 3.0, def.loss[1] = 0.05;
      MUST(world, jw_world_add_plate(world, &def, &id));
    }
    bump.object = id;
    MUST(world, jw_world_add_initial(world, &bump));
    MUST(world, jw_world_prepare(world));
    run_frames(world, 500);
    const JwEnergy energy = jw_world_energy(world);
    assert_true(energy.lost > 0.01 * energy.peak);
    assert_true(energy.worst_residual < 1e-12);
    jw_world_destroy(world);
  }
}

// Supported plates whose coefficients are rounded for the factored kernel, one without loss, one
// with and wider than a square: what they then hold each point with, 1e-16 of a force that bends a
// slow plate with 1e-6, is in the ledger.  Without, it is open by 6e-11 and 5e-11 of the energy in
// every half period.  A plate that swings at w has x/(k v) = 1/(w k): 900 and 700.
static void slow_plates_keep_their_ledgers(void** state) {
  (void)state;
  const double sizes[2][3] = {{0.082155819634435551, 0.0811173772069817, 0.00073519598355721962},
                              {0.43094979204226613, 0.80381900208158308, 0.0019072838034320139}};
  for (int i = 0; i < 2; ++i) {
    JwWorld* const world = new_world(i ? 96000.0 : 44100.0, true);
    JwPlateDef def = jw_plate_default();
    def.size[0] = sizes[i][0];
    def.size[1] = sizes[i][1];
    def.thickness = sizes[i][2];
    def.density = i ? 8800.0 : 1100.0;
    def.young = i ? 1.1e11 : 5e6;
    def.poisson = i ? 0.34 : 0.49;
    def.loss[0] = i ? 0.11019478768765391 : 0.0;
    def.loss[1] = i ? 0.0014118888145582685 : 0.0;
    JwObjectId id = {0};
    MUST(world, jw_world_add_plate(world, &def, &id));
    JwInitialDef initial = jw_initial_default();
    initial.object = id;
    initial.shape = JW_SHAPE_SINE;
    initial.amplitude = 1e-3;
    MUST(world, jw_world_add_initial(world, &initial));
    MUST(world, jw_world_prepare(world));
    const JwGridPlate* const grid = &object_of(world, id)->grid.plate;
    assert_true(grid->kernel.ratio > 0.0 && grid->kernel.ratio != 1.0 && grid->ground != 0.0);
    run_frames(world, 4000);
    const double pace =
        2.0 * JW_PI * jw_world_object_info(world, id).fundamental * object_of(world, id)->k;
    const double worst = jw_world_energy(world).worst_residual;
    print_message("# residual %.3g, w k %.3g, spring %.3g\n", worst, pace,
                  grid->ground / (pace * pace));
    assert_true(worst <= 4.0 * DBL_EPSILON * sqrt(4000.0) / pace
                && worst < 0.1 * fabs(grid->ground) / (pace * pace));
    jw_world_destroy(world);
  }
}

// Damped beyond its critical rate a mode creeps back: after 0.05 s only the slow one of its two
// poles is left, the other having fallen to exp(-49).  A sample is then exp(-slow k) times the one
// before, and the step from that one is as much as the motion itself is to all digits, also where
// the slow pole is 2e-10 of the fast one.
static void an_overdamped_mode_creeps_at_the_rate_of_its_slow_pole(void** state) {
  (void)state;
  static double out[2][4096];
  for (double sigma = 500.0; sigma < 1e8; sigma *= 100.0) {
    const double k = 1.0 / 44100.0, w = 2.0 * acos(-1.0) * 20.0,
                 slow = w * w / (sigma + sqrt(sigma * sigma - w * w));
    JwWorld* const world = new_world(1.0 / k, false);
    JwMassDef def = jw_mass_default();
    def.mass = 0.1;
    def.frequency = 20.0;
    def.loss = 2.0 * def.mass * sigma;
    def.displacement = 1e-3;
    def.scheme = JW_SCHEME_EXACT;
    JwObjectId id;
    MUST(world, jw_world_add_mass(world, &def, &id));
    add_pickup(world, jw_port(id, 0.0), JW_QUANTITY_DISPLACEMENT);
    add_pickup(world, jw_port(id, 0.0), JW_QUANTITY_VELOCITY);
    MUST(world, jw_world_prepare(world));
    run_into(world, out[0], 4096, 0, 4096);
    for (int i = 2300; i < 4096; ++i) {
      assert_true(fabs(out[0][i] / out[0][i - 1] - exp(-slow * k)) < 1e-12);
      assert_true(fabs(out[1][i] / out[0][i] * k / -expm1(slow * k) - 1.0) < 1e-12);
    }
    jw_world_destroy(world);
  }
}

// ---------------------------------------------------------------- grid against modes

static double pluck_difference(uint32_t factor, JwInitialShape shape) {
  double out[2][2000];
  const double rate = 44100.0 * factor;
  const uint32_t count = 60 * factor;
  for (int method = 0; method < 2; ++method) {
    JwWorld* const world = new_world(rate, false);
    JwStringDef def = short_string();
    def.method = (JwMethod)method;
    def.points = 24 * factor; // h and k in one proportion
    def.frequency = JW_UNSET,
    def.tension = 4.0 * 0.33 * 0.33 * 440.0 * 440.0 * def.density * JW_PI * 9e-8;
    const JwObjectId id = add_string(world, &def);
    JwInitialDef initial = jw_initial_default();
    initial.object = id;
    initial.shape = shape;
    initial.x = 0.4;
    initial.width = 0.8;
    MUST(world, jw_world_add_initial(world, &initial));
    JwPort port = jw_port(id, 0.5);
    port.reading = JW_READ_CUBIC;
    add_pickup(world, port, JW_QUANTITY_DISPLACEMENT);
    MUST(world, jw_world_prepare(world));
    run_into(world, out[method], 2000, 0, count);
    jw_world_destroy(world);
  }
  double apart = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    apart = fmax(apart, fabs(out[0][i] - out[1][i]));
  }
  return apart / 1e-3;
}

// Second order in h and k for a smooth shape; the loss's backward difference is of first order and
// small: each halving of both divides the difference by 4, or somewhat less.  A raised cosine has a
// jump in its second derivative, modes that fall as p^-3, and their errors rise as p^2: order one
// and a half.
static void a_string_on_a_grid_converges_to_the_same_string_by_modes(void** state) {
  (void)state;
  const JwInitialShape shapes[2] = {JW_SHAPE_SINE, JW_SHAPE_HUMP};
  const double least[2] = {3.5, 2.5}, most[2] = {4.5, 3.3};
  for (int s = 0; s < 2; ++s) {
    const double apart[3] = {pluck_difference(1, shapes[s]), pluck_difference(2, shapes[s]),
                             pluck_difference(4, shapes[s])};
    print_message("# apart %.3g, %.3g, %.3g of the pluck\n", apart[0], apart[1], apart[2]);
    assert_true(apart[2] < 0.005);
    for (int i = 0; i < 2; ++i) {
      assert_true(apart[i] / apart[i + 1] > least[s] && apart[i] / apart[i + 1] < most[s]);
    }
  }
}

// ---------------------------------------------------------------- rigid motions

// A free plate moved and turned as a whole goes on like that: no force anywhere.  Forces from
// rounding are eps of the stencil's terms, summed twice: n^2/2 eps = 1e-10 for 1,000 steps.
static void a_free_plate_and_bar_keep_rigid_motions(void** state) {
  (void)state;
  for (int bar = 0; bar < 2; ++bar) {
    JwWorld* const world = new_world(44100.0, false);
    JwObjectId id = {0};
    if (bar) {
      JwStringDef def = short_string();
      def.loss[0] = def.loss[1] = 0.0;
      def.frequency = JW_UNSET;
      def.tension = 0.0;
      def.ends[0] = def.ends[1] = JW_END_FREE;
      id = add_string(world, &def);
    } else {
      JwPlateDef def = jw_plate_default();
      def.size[0] = 0.15;
      def.size[1] = 0.1;
      def.young_across = 1e10; // Wood, with every coefficient different
      def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = JW_END_FREE;
      MUST(world, jw_world_add_plate(world, &def, &id));
    }
    MUST(world, jw_world_prepare(world));
    JwObject* const object = object_of(world, id);
    const double k = 1.0 / 44100.0, speed[3] = {0.3, -0.7, 0.4};
    for (uint32_t i = 0; i < object->dofs; ++i) {
      double x, y;
      object->ops->locate(object, i, &x, &y);
      const uint32_t at = jw_object_offset(object, i);
      const double v = speed[0] + speed[1] * x + speed[2] * y;
      object->buffer[0][at] = 1e-3 * (1.0 + x - y);
      object->buffer[2][at] = 1e-3 * (1.0 + x - y) - k * v;
    }
    run_frames(world, 1000);
    static double field[4096];
    jw_world_field(world, id, field, 4096);
    for (uint32_t i = 0; i < object->dofs; ++i) {
      double x, y;
      object->ops->locate(object, i, &x, &y);
      const double v = speed[0] + speed[1] * x + speed[2] * y,
                   wanted = 1e-3 * (1.0 + x - y) + 1000.0 * k * v;
      assert_true(fabs(field[i] - wanted) < 1e-10 * 0.03);
    }
    jw_world_destroy(world);
  }
}

// Linear ports read straight lines exactly, cubic ones cubics, wherever they are: the weights give
// back 1, x, x^2 and x^3.  Powers of up to 20^3 with weights of at most 3: eps times 1e5 of
// rounding.
static void ports_between_points_read_lines_and_cubics_exactly(void** state) {
  (void)state;
  uint64_t seed = 3;
  for (int i = 0; i < 500; ++i) {
    const JwReading reading = i % 2 ? JW_READ_CUBIC : JW_READ_LINEAR;
    const double place = i < 4 ? 0.5 * i : between(&seed, 0.0, 20.0);
    uint32_t point[4];
    double weight[4];
    const uint32_t count = jw_axis_weights(place / 20.0, 20, reading, point, weight);
    assert_true(count == 1 || count == (reading == JW_READ_CUBIC ? 4u : 2u));
    for (int p = 0; p <= (reading == JW_READ_CUBIC ? 3 : 1); ++p) {
      double sum = 0.0;
      for (uint32_t j = 0; j < count; ++j) {
        assert_true(point[j] <= 20);
        sum += weight[j] * pow(point[j], p);
      }
      assert_true(fabs(sum - pow(place, p)) < 1e-10);
    }
  }
}

// pi/2 sqrt(D/rH) (1/a^2 + 1/b^2) of a plate, sqrt(T/rH) sqrt(1/a^2 + 1/b^2)/2 of a membrane.
static void a_plate_says_its_supported_fundamental(void** state) {
  (void)state;
  const double pi = acos(-1.0), across = 1.0 / (0.3 * 0.3) + 1.0 / (0.2 * 0.2);
  for (int membrane = 0; membrane < 2; ++membrane) {
    JwPlateDef def = jw_plate_default();
    def.size[0] = 0.3;
    def.size[1] = 0.2;
    def.mass_per_area = 5.0;
    def.bending = membrane ? 0.0 : 40.0;
    def.tension = membrane ? 300.0 : 0.0;
    def.points[0] = 12; // A membrane could have thousands
    def.points[1] = 8;
    JwWorld* const world = new_world(44100.0, false);
    JwObjectId id;
    MUST(world, jw_world_add_plate(world, &def, &id));
    const double wanted =
        membrane ? 0.5 * sqrt(300.0 / 5.0 * across) : 0.5 * pi * sqrt(40.0 / 5.0) * across;
    assert_true(fabs(jw_world_object_info(world, id).fundamental / wanted - 1.0) < 1e-14);
    assert_true(fabs(jw_world_object_info(world, id).mass / (5.0 * 0.3 * 0.2) - 1.0) < 1e-15);
    jw_world_destroy(world);
  }
}

// The grid that the losses allow is taken; one finer by a tenth is refused.  With s1 of 20 m2/s
// nearly all of the bound is theirs: 4 s1 k (1/hx^2 + 1/hy^2) < 1, so that a tenth more points miss
// it by a fifth.
static void a_plate_of_great_loss_is_refused_a_finer_grid(void** state) {
  (void)state;
  JwPlateDef def = jw_plate_default();
  def.size[0] = 3.0;
  def.size[1] = 2.0;
  def.loss[1] = 20.0;
  JwWorld* const world = new_world(44100.0, false);
  JwObjectId id;
  MUST(world, jw_world_add_plate(world, &def, &id));
  const JwObjectInfo info = jw_world_object_info(world, id);
  for (int finer = 0; finer < 2; ++finer) {
    for (int axis = 0; axis < 2; ++axis) {
      def.points[axis] = info.grid[axis] + (finer ? info.grid[axis] / 10 + 1 : 0);
    }
    assert_int_equal(jw_world_add_plate(world, &def, &id),
                     finer ? JW_STATUS_UNSTABLE : JW_STATUS_OK);
  }
  jw_world_destroy(world);
}

// As many times as high, its highest mode is at the limit, from which 1e-9 is kept.
static void the_margin_of_a_modal_object_is_the_way_to_the_highest_frequency(void** state) {
  (void)state;
  const double shape[2] = {1.0, 1.0};
  JwMode modes[2] = {{700.0, 1.0, 0.1}, {450.0, 1.0, 0.1}};
  JwModalDef def = jw_modal_default();
  def.modes = modes, def.mode_count = 2, def.shapes = shape, def.shape_count = 1,
  def.scheme = JW_SCHEME_LEAPFROG;
  JwWorld* const world = new_world(44100.0, false);
  JwObjectId id = {0};
  MUST(world, jw_world_add_modal(world, &def, &id));
  const double highest = 700.0 * jw_world_object_info(world, id).margin;
  modes[1].frequency = highest * (1.0 - 2e-9);
  assert_int_equal(jw_world_add_modal(world, &def, &id), JW_STATUS_OK);
  modes[1].frequency = highest * (1.0 + 1e-14);
  assert_int_equal(jw_world_add_modal(world, &def, &id), JW_STATUS_UNSTABLE);
  jw_world_destroy(world);
}

// The twelfth mode of an ideal string of 440 Hz has 5280 Hz; the way from there to the highest
// frequency, rate/pi.
static void the_margin_of_a_string_by_modes_is_that_of_its_highest(void** state) {
  (void)state;
  JwStringDef def = short_string();
  def.young = def.loss[0] = def.loss[1] = 0.0, def.method = JW_METHOD_MODES, def.modes = 12;
  JwWorld* const world = new_world(44100.0, false);
  const double margin = jw_world_object_info(world, add_string(world, &def)).margin;
  assert_true(fabs(margin * acos(-1.0) * 12.0 * 440.0 / 44100.0 - 1.0) < 1e-12);
  jw_world_destroy(world);
}

static double pluck_at(double x, double peak) {
  return fmin(x / peak, (1.0 - x) / (1.0 - peak));
}

// A quarter of the string from its end, or at 0.25, 0.625 of the plate: straight lines to the ends,
// a squared cosine of the distance in fractions, the first mode.  Libm and the project's own sines
// agree to 1e-15; a velocity is told from two places, 1e-3/44100 m apart.
static void what_is_plucked_or_struck_has_the_shape_asked_for(void** state) {
  (void)state;
  const double pi = acos(-1.0);
  for (int i = 0; i < 12; ++i) {
    const bool plate = i % 2, struck = i / 2 % 2;
    JwWorld* const world = new_world(44100.0, false);
    JwObjectId id = {0};
    JwStringDef string = short_string();
    JwPlateDef flat = jw_plate_default();
    string.points = 16;
    flat.size[0] = 0.3, flat.size[1] = 0.2, flat.thickness = 1e-3,
    flat.points[0] = flat.points[1] = 16;
    MUST(world,
         plate ? jw_world_add_plate(world, &flat, &id) : jw_world_add_string(world, &string, &id));
    JwInitialDef def = jw_initial_default();
    def.object = id, def.shape = (JwInitialShape)(i / 4), def.x = 0.25, def.y = 0.625,
    def.width = 0.4, def.amplitude = 1e-3;
    def.quantity = struck ? JW_INITIAL_VELOCITY : JW_INITIAL_DISPLACEMENT;
    MUST(world, jw_world_add_initial(world, &def));
    MUST(world, jw_world_prepare(world));
    for (int n = 0; n < 15 * 15; ++n) {
      JwPort port = jw_port(id, (1 + n % 15) / 16.0);
      port.y = plate ? (1 + n / 15) / 16.0 : 0.0;
      const double x = port.x, y = port.y,
                   far = plate ? hypot(x - def.x, y - def.y) : fabs(x - def.x);
      const double shape[3] = {pluck_at(x, 0.25) * (plate ? pluck_at(y, 0.625) : 1.0),
                               far < 0.2 ? pow(cos(pi * far / 0.4), 2.0) : 0.0,
                               sin(pi * x) * (plate ? sin(pi * y) : 1.0)};
      double place, velocity;
      MUST(world, jw_world_probe(world, port, &place, &velocity));
      assert_true(struck ? place == 0.0 && fabs(velocity - 1e-3 * shape[i / 4]) < 1e-14
                         : fabs(place - 1e-3 * shape[i / 4]) < 1e-17);
    }
    jw_world_destroy(world);
  }
}

// The finest grid is the one that a string takes by itself: one interval more is refused, and on it
// the tension can rise by all of `bend`.  A pluck of 1 mm then stays within 1 mm but for the change
// of the tension, which puts in as much again.
static void a_grid_is_laid_for_all_of_the_bend_and_no_finer(void** state) {
  (void)state;
  static double out[4096];
  for (int i = 0; i < 12; ++i) {
    JwWorld* const world = new_world(44100.0, false);
    JwStringDef def = short_string();
    def.loss[1] = i < 6 ? def.loss[1] : 0.5; // Then it takes most of the room
    def.bend = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 1.5 : 4.0;
    def.young = i % 6 < 3 ? def.young : 0.0; // Without bending tension and loss alone decide
    JwObjectInfo info = jw_world_object_info(world, add_string(world, &def));
    def.points = (uint32_t)lround(def.length / info.spacing[0]) + 1;
    JwObjectId id = {0};
    assert_int_equal(jw_world_add_string(world, &def, &id), JW_STATUS_UNSTABLE);
    --def.points;
    id = add_string(world, &def);
    JwInitialDef initial = jw_initial_default();
    initial.object = id, initial.x = 0.3, initial.amplitude = 1e-3;
    MUST(world, jw_world_add_initial(world, &initial));
    add_pickup(world, jw_port(id, 0.4), JW_QUANTITY_DISPLACEMENT);
    MUST(world, jw_world_prepare(world));
    const JwTarget tension = {.control = JW_CONTROL_TENSION, .object = id};
    MUST(world, jw_world_set(world, tension, def.bend * info.tension, 0.01));
    run_into(world, out, 4096, 0, 4096);
    for (int t = 0; t < 4096; ++t) {
      assert_true(fabs(out[t]) < 2e-3);
    }
    jw_world_destroy(world);
  }
}

// Strings from a hand's breadth to ten metres and from a thread to a rod of 10 kg/m: half a wave on
// them, or with one end free a quarter.  Other ends than supported are tuned by bisection: its
// bracket must hold the tension of each, and the last place of that is 2e-16 of it, half as much of
// the frequency.  A grid is tuned to 1e-7 of what it sounds at.
static void strings_of_any_length_get_the_frequency_asked_for(void** state) {
  (void)state;
  static const double lengths[4] = {0.1, 0.7, 3.0, 10.0};
  static const JwEnd ends[3] = {JW_END_SUPPORTED, JW_END_CLAMPED, JW_END_FREE};
  for (int i = 0; i < 48; ++i) {
    JwStringDef def = jw_string_default();
    def.method = i < 24 ? JW_METHOD_GRID : JW_METHOD_MODES;
    def.length = lengths[i % 4];
    def.frequency = 50.0 / def.length;
    def.bending = 0.0;
    def.radius = i % 24 < 12 ? 1e-4 : 0.02;
    def.ends[1] = ends[i / 4 % 3];
    JwWorld* const world = new_world(44100.0, false);
    const JwObjectInfo info = jw_world_object_info(world, add_string(world, &def));
    const double mass = def.density * acos(-1.0) * def.radius * def.radius;
    const double wave = (def.ends[1] == JW_END_FREE ? 4.0 : 2.0) * def.length;
    assert_true(i < 24 || fabs(sqrt(info.tension / mass) / wave / def.frequency - 1.0) < 1e-12);
    assert_true(fabs(info.mass / (mass * def.length) - 1.0) < 1e-15);
    assert_true(fabs(info.fundamental / def.frequency - 1.0) < (i < 24 ? 1e-7 : 1e-12));
    jw_world_destroy(world);
  }
}

// Three points of a table, a line over it: on the points, a quarter of the way between them, and
// level beyond.  Four roundings of 6 mm.
static void a_barrier_is_its_polynomial_and_its_table(void** state) {
  (void)state;
  static const double line[2] = {1e-3, 2e-3}, table[6] = {0.2, 1e-3, 0.5, 4e-3, 0.6, -2e-3};
  static const struct {
    double x, height;
  } expected[] = {{0.0, 1e-3},     {0.2, 1e-3},  {0.275, 1.75e-3}, {0.5, 4e-3},
                  {0.525, 2.5e-3}, {0.6, -2e-3}, {0.9, -2e-3}};
  JwBarrierDef def = jw_barrier_default();
  def.polynomial = line, def.polynomial_count = 2;
  def.table = table, def.table_count = 3;
  JwObject barrier = {.ops = jw_object_ops(JW_KIND_BARRIER, &def)};
  barrier.def.barrier = def;
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
    const double x = expected[i].x, height = expected[i].height + 1e-3 + 2e-3 * x;
    assert_true(fabs(barrier.ops->profile(&barrier, x) - height) < 4.0 * DBL_EPSILON * 6e-3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_barrier_is_its_polynomial_and_its_table),
      cmocka_unit_test(without_drive_energy_only_falls),
      cmocka_unit_test(without_loss_energy_stays_for_two_million_steps),
      cmocka_unit_test(a_string_decays_as_asked_for_at_both_frequencies),
      cmocka_unit_test(a_plate_decays_as_asked_for),
      cmocka_unit_test(exact_modes_ring_with_their_own_frequency_and_decay),
      cmocka_unit_test(exact_masses_start_with_the_velocity_given),
      cmocka_unit_test(grids_of_any_edges_lose_what_their_ledgers_say),
      cmocka_unit_test(slow_plates_keep_their_ledgers),
      cmocka_unit_test(an_overdamped_mode_creeps_at_the_rate_of_its_slow_pole),
      cmocka_unit_test(ports_between_points_read_lines_and_cubics_exactly),
      cmocka_unit_test(a_plate_says_its_supported_fundamental),
      cmocka_unit_test(the_margin_of_a_modal_object_is_the_way_to_the_highest_frequency),
      cmocka_unit_test(the_margin_of_a_string_by_modes_is_that_of_its_highest),
      cmocka_unit_test(what_is_plucked_or_struck_has_the_shape_asked_for),
      cmocka_unit_test(a_grid_is_laid_for_all_of_the_bend_and_no_finer),
      cmocka_unit_test(strings_of_any_length_get_the_frequency_asked_for),
      cmocka_unit_test(a_plate_of_great_loss_is_refused_a_finer_grid),
      cmocka_unit_test(a_string_on_a_grid_converges_to_the_same_string_by_modes),
      cmocka_unit_test(a_free_plate_and_bar_keep_rigid_motions),
  };
  return cmocka_run_group_tests_name("objects", tests, NULL, NULL);
}
