// SPDX-License-Identifier: MIT
// Advancing a contact along a string as a whole changes nothing but the time it takes.
//
// The plain C width ("scalar") has no lanes: there every point that touches takes the step of any
// contact.  So the same world at every width, with the ledger and without it, is the comparison, to
// the bit, over every rule that can be advanced so, with loss and without, exponents with and
// without a closed form, and with a gap that moves while it runs.

#include "kernel/kernel.h"
#include "test.h"

#include <jawari/jawari.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  JwRule rule;
  double exponent, loss;
  bool below; // The string lies under the barrier
  JwEnd ends;
  bool still; // The gap does not move: then points are handed on from sample to sample
  bool
      heavy; // A hundred thousand times as heavy, tense and hard pushed, on a bed too stiff for the rate
} Case;

#define FRAMES 4096

static JwWorld* make(const Case* c, bool ledger, JwContactId* contact) {
  static const double bent[3] = {-1e-4, -1e-4, -1e-3}, over[3] = {1e-4, 1e-4, 1e-3};
  JwWorldDef def = jw_world_default();
  def.ledger = ledger;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  JwObjectId string, barrier;
  JwStringDef s = jw_string_default();
  s.length = 1.0, s.mass_per_length = 0.063, s.radius = 5e-4, s.tension = 500.0, s.young = 2e11;
  s.ends[0] = s.ends[1] = c->ends;
  const double unit = c->heavy ? 1e5 : 1.0;
  s.mass_per_length *= unit, s.tension *= unit, s.young = c->heavy ? 0.0 : s.young;
  assert_int_equal(jw_world_add_string(world, &s, &string), JW_STATUS_OK);
  JwBarrierDef b = jw_barrier_default();
  b.polynomial = c->below ? over : bent, b.polynomial_count = 3;
  assert_int_equal(jw_world_add_barrier(world, &b, &barrier), JW_STATUS_OK);
  JwCollisionDef d = jw_collision_default();
  d.below = jw_port(c->below ? string : barrier, 0.0),
  d.above = jw_port(c->below ? barrier : string, 0.0);
  d.along = true, d.stiffness = c->heavy ? 1e5 * unit * unit : 5e6, d.exponent = c->exponent,
  d.loss = c->loss * unit, d.rule = c->rule;
  assert_int_equal(jw_world_add_collision(world, &d, contact), JW_STATUS_OK);
  JwForceDef f = jw_force_default();
  JwExciterId exciter;
  f.port = jw_port(string, 0.8), f.shape = JW_FORCE_PULSE, f.duration = 1e-3;
  f.amplitude = c->ends == JW_END_FREE
                    ? -10.0
                    : 10.0 * unit; // A free string is pushed onto the barrier, others fall back
  assert_int_equal(jw_world_add_force(world, &f, &exciter), JW_STATUS_OK);
  JwPickupDef p = jw_pickup_default();
  JwPickupId pickup;
  p.port = jw_port(string, 0.3);
  assert_int_equal(jw_world_add_pickup(world, &p, &pickup), JW_STATUS_OK);
  JwPickupDef force = jw_pickup_default();
  force.quantity = JW_QUANTITY_FORCE, force.contact = *contact;
  assert_int_equal(jw_world_add_pickup(world, &force, &pickup), JW_STATUS_OK);
  const JwBreakpoint moving[3] = {{0.0, 0.0}, {0.02, 5e-5}, {0.04, -5e-5}};
  const JwTarget gap = {.control = JW_CONTROL_GAP, .contact = *contact};
  if (!c->still) {
    assert_int_equal(jw_world_add_curve(world, gap, moving, 3), JW_STATUS_OK);
  }
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  return world;
}

static void run(JwWorld* world, double out[2][FRAMES]) {
  for (uint32_t at = 0; at < FRAMES; at += 128) {
    double* const channels[2] = {out[0] + at, out[1] + at};
    assert_int_equal(jw_world_run_double(world, channels, 128), JW_STATUS_OK);
  }
}

static JwWorld* make_at(const Case* c, const char* width, JwContactId* contact) {
  jw_lanes_choose(width);
  JwWorld* const world = make(c, false, contact);
  jw_lanes_choose(NULL);
  return world;
}

static const char* const widths[3] = {"scalar", "base",
                                      "avx2"}; // Where there is none, the best there is

static void compare(const Case* c) {
  static double plain[2][FRAMES], watched[2][FRAMES];
  JwContactId id;
  JwWorld* const a = make(c, true, &id);
  run(a, plain);
  const JwContactFigures x = jw_world_contact_figures(a, id);
  assert_true(x.closures > 10); // It did touch
  jw_world_destroy(a);
  for (int i = 0; i < 3; ++i) {
    JwWorld* const b = make_at(c, widths[i], &id);
    run(b, watched);
    assert_memory_equal(plain, watched, sizeof plain);
    const JwContactFigures y = jw_world_contact_figures(b, id);
    assert_true(x.closures == y.closures && x.closed_samples == y.closed_samples);
    assert_true(x.longest_closure == y.longest_closure);
    assert_true(x.misfit == y.misfit && x.pull == y.pull && x.push == y.push
                && x.parked == y.parked);
    assert_true(x.penetration == y.penetration && x.force == y.force
                && x.peak_energy == y.peak_energy);
    jw_world_destroy(b);
  }
}

static void watched_contacts_move_as_the_others_do(void** state) {
  (void)state;
  static const JwRule rules[3] = {JW_RULE_BOUNDED, JW_RULE_PLAIN, JW_RULE_RELEASED};
  static const double exponents[4] = {1.0, 1.4, 2.0, 3.0};
  for (int rule = 0; rule < 3; ++rule) {
    for (int e = 0; e < 4; ++e) {
      for (int loss = 0; loss < 2; ++loss) {
        for (int still = 0; still < 2; ++still) {
          const Case c = {rules[rule], exponents[e], loss ? 1e5 : 0.0, e % 2, JW_END_SUPPORTED,
                          still,       false};
          compare(&c);
        }
      }
    }
  }
}

static void watched_contacts_move_as_the_others_do_on_clamped_and_free_strings(void** state) {
  (void)state;
  const Case clamped = {JW_RULE_BOUNDED, 1.4, 0.0, false, JW_END_CLAMPED, true, false};
  const Case free_ends = {JW_RULE_BOUNDED, 1.4, 0.0, false, JW_END_FREE, true, false};
  compare(&clamped);
  compare(&free_ends);
}

// Loads of some joules, where those above are of less than one, and closures of a few samples: no
// branch goes by a number that has a unit, and lanes that hold no point count nothing.
static void watched_contacts_move_as_the_others_do_under_great_loads(void** state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    const Case c = {
        JW_RULE_BOUNDED, i % 2 ? 1.4 : 3.0, i < 2 ? 0.0 : 1e5, false, JW_END_SUPPORTED, true, true};
    compare(&c);
  }
}

// Snapshots are of one layout, and hold the same bits at every width.
static void watched_contacts_leave_the_same_snapshot_at_every_width(void** state) {
  (void)state;
  static double out[2][FRAMES];
  const Case c = {JW_RULE_BOUNDED, 1.4, 0.0, false, JW_END_SUPPORTED, true, false};
  unsigned char* snapshots[3];
  size_t size = 0;
  for (int i = 0; i < 3; ++i) {
    JwContactId id;
    JwWorld* const world = make_at(&c, widths[i], &id);
    run(world, out);
    size = jw_world_snapshot_size(world);
    snapshots[i] = (unsigned char*)malloc(size);
    assert_int_equal(jw_world_snapshot(world, snapshots[i], size), JW_STATUS_OK);
    assert_true(jw_world_contact_figures(world, id).closures > 10);
    jw_world_destroy(world);
  }
  assert_memory_equal(snapshots[0], snapshots[1], size);
  assert_memory_equal(snapshots[0], snapshots[2], size);
  for (int i = 0; i < 3; ++i) {
    free(snapshots[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(watched_contacts_move_as_the_others_do),
      cmocka_unit_test(watched_contacts_move_as_the_others_do_on_clamped_and_free_strings),
      cmocka_unit_test(watched_contacts_move_as_the_others_do_under_great_loads),
      cmocka_unit_test(watched_contacts_leave_the_same_snapshot_at_every_width),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
