// SPDX-License-Identifier: MIT
// The life of a world: blocks, snapshots, reset, order, two at once; always to the bit.

#include "orchestra.h"
#include "model/world.h"

static Recording first, second;

static void assert_same(const Recording* a, const Recording* b, uint32_t from) {
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    for (uint32_t i = from; i < ORCHESTRA_FRAMES; ++i) {
      if (a->sample[c][i] != b->sample[c][i]) {
        fail_msg("channel %d differs first at frame %u: %.17g, %.17g", c, i, a->sample[c][i],
                 b->sample[c][i]);
      }
    }
  }
}

static void play_all(Recording* recording, bool ledger, uint32_t most, uint64_t seed) {
  memset(recording, 0, sizeof *recording);
  Orchestra o = orchestra_make(ledger);
  orchestra_play(&o, recording, ORCHESTRA_FRAMES, most, seed);
  jw_world_destroy(o.world);
}

// What the other tests rest on: every contact of the world did close, and everything sounds.
static void the_world_of_these_tests_touches_and_sounds_everywhere(void** state) {
  (void)state;
  Orchestra o = orchestra_make(true);
  orchestra_play(&o, &first, ORCHESTRA_FRAMES, 64, 1);
  const JwContactId contacts[] = {o.strike, o.rattle, o.buzz, o.bounce, o.knock};
  for (size_t i = 0; i < sizeof contacts / sizeof contacts[0]; ++i) {
    assert_true(jw_world_contact_figures(o.world, contacts[i]).closures > 0);
  }
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    double most = 0.0;
    for (uint32_t i = 0; i < ORCHESTRA_FRAMES; ++i) {
      assert_true(isfinite(first.sample[c][i]));
      most = fmax(most, fabs(first.sample[c][i]));
    }
    assert_true(most > 0.0);
  }
  jw_world_destroy(o.world);
}

// The bound: each of n steps adds rounding of about 4 eps of the peak energy; they add as a random
// walk, 4 eps sqrt(n) = 5e-14 for 3,500 steps, times the cancellation |x|/(k|v|) of the slowest
// part, the ball: 1e-2 m at 0.3 m/s: 1.5e3.  1e-9 is asked for in any case.
static void commands_and_curves_keep_the_ledger_closed(void** state) {
  (void)state;
  Orchestra o = orchestra_make(true);
  orchestra_play(&o, &first, ORCHESTRA_FRAMES, 64, 1);
  const JwEnergy energy = jw_world_energy(o.world);
  print_message("# worst residual %.3g\n", energy.worst_residual);
  assert_true(energy.stored > 0.0 && energy.supplied != 0.0 && energy.lost > 0.0);
  assert_true(energy.kinetic > 0.0 && energy.potential > 0.0 && energy.contact > 0.0);
  // Its three parts: a dozen roundings
  assert_true(fabs(energy.stored - (energy.kinetic + energy.potential + energy.contact))
              < 12.0 * 2.2e-16 * energy.stored);
  assert_true(energy.worst_residual < 5e-14 * 1.5e3 && energy.worst_residual < 1e-9);
  jw_world_destroy(o.world);
}

static void any_block_size_gives_the_same_bits(void** state) {
  (void)state;
  play_all(&first, false, 1, 1);
  const uint32_t sizes[] = {7, 64, 500, 4000};
  for (int i = 0; i < 4; ++i) {
    play_all(&second, false, sizes[i], 5 + (uint64_t)i);
    assert_same(&first, &second, 0);
  }
}

static void the_ledger_does_not_change_a_bit(void** state) {
  (void)state;
  play_all(&first, false, 64, 1);
  play_all(&second, true, 64, 1);
  assert_same(&first, &second, 0);
}

// At random frames: into the same world, which has run on, and into a fresh one of the same
// definition.
static void a_snapshot_at_any_point_runs_on_to_the_bit(void** state) {
  (void)state;
  play_all(&first, false, 64, 1);
  uint64_t seed = 9;
  for (int turn = 0; turn < 30; ++turn) {
    const uint32_t at =
        turn < 3 ? (uint32_t)turn : 1 + (uint32_t)(uniform(&seed) * (ORCHESTRA_FRAMES - 2));
    const bool ledger = turn >= 2 && turn < 4;
    Orchestra o = orchestra_make(ledger), other = orchestra_make(ledger);
    orchestra_play(&o, &second, at, 64, 1);
    const size_t size = jw_world_snapshot_size(o.world);
    void* const memory = malloc(size);
    assert_non_null(memory);
    MUST(o.world, jw_world_snapshot(o.world, memory, size));
    orchestra_play(&o, &second, ORCHESTRA_FRAMES, 64, 2);
    assert_same(&first, &second, at);
    memset(&second, 0, sizeof second);
    MUST(o.world, jw_world_restore(o.world, memory, size));
    assert_int_equal(jw_world_frame(o.world), at);
    orchestra_play(&o, &second, ORCHESTRA_FRAMES, 64, 3);
    assert_same(&first, &second, at);
    memset(&second, 0, sizeof second);
    MUST(other.world, jw_world_restore(other.world, memory, size));
    orchestra_play(&other, &second, ORCHESTRA_FRAMES, 64, 4);
    assert_same(&first, &second, at);
    const JwEnergy a = jw_world_energy(o.world), b = jw_world_energy(other.world);
    assert_memory_equal(&a, &b, sizeof a);
    free(memory);
    jw_world_destroy(o.world);
    jw_world_destroy(other.world);
  }
}

static void reset_is_a_fresh_start_to_the_bit(void** state) {
  (void)state;
  play_all(&first, false, 64, 1);
  Orchestra o = orchestra_make(false);
  const uint32_t ends[] = {1, 350, 1200, ORCHESTRA_FRAMES};
  for (int i = 0; i < 4; ++i) {
    orchestra_play(&o, &second, ends[i], 64, 2);
    jw_world_reset(o.world);
    assert_int_equal(jw_world_frame(o.world), 0);
  }
  memset(&second, 0, sizeof second);
  orchestra_play(&o, &second, ORCHESTRA_FRAMES, 64, 3);
  assert_same(&first, &second, 0);
  jw_world_destroy(o.world);
}

static void reset_drops_queued_commands(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false), plain = orchestra_make(false);
  MUST(o.world, jw_world_set(o.world, on_contact(JW_CONTROL_FORCE, o.bow), 0.9, 0.0));
  MUST(o.world, jw_world_throw(o.world, o.hammer, 0.0, 9.0));
  jw_world_reset(o.world);
  run_into(o.world, &first.sample[0][0], ORCHESTRA_FRAMES, 0, 300);
  run_into(plain.world, &second.sample[0][0], ORCHESTRA_FRAMES, 0, 300);
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    assert_memory_equal(first.sample[c], second.sample[c], 300 * sizeof(double));
  }
  jw_world_destroy(o.world);
  jw_world_destroy(plain.world);
}

static void two_worlds_in_turn_are_two_worlds_alone(void** state) {
  (void)state;
  play_all(&first, false, 64, 1);
  Orchestra a = orchestra_make(false);
  JwWorld* const b = new_world(48000.0, true);
  orchestra_define(b);
  MUST(b, jw_world_prepare(b));
  for (uint32_t at = 0; at < ORCHESTRA_FRAMES; at += 100) {
    orchestra_play(&a, &second, at + 100, 64, at);
    run_frames(b, 77);
  }
  assert_same(&first, &second, 0);
  jw_world_destroy(a.world);
  jw_world_destroy(b);
}

// A block of no frames is no block: a ramp sent before it starts with the next real one, also when
// a snapshot is taken in between.
static void an_empty_block_changes_nothing(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false), plain = orchestra_make(false);
  double* none[ORCHESTRA_CHANNELS] = {NULL};
  run_frames(o.world, 100);
  run_frames(plain.world, 100);
  MUST(o.world, jw_world_set(o.world, on_contact(JW_CONTROL_FORCE, o.bow), 0.9, 0.01));
  MUST(plain.world, jw_world_set(plain.world, on_contact(JW_CONTROL_FORCE, plain.bow), 0.9, 0.01));
  MUST(o.world, jw_world_run_double(o.world, none, 0));
  const size_t size = jw_world_snapshot_size(o.world);
  void* const memory = malloc(size);
  MUST(o.world, jw_world_snapshot(o.world, memory, size));
  MUST(o.world, jw_world_restore(o.world, memory, size));
  free(memory);
  run_into(o.world, &first.sample[0][0], ORCHESTRA_FRAMES, 0, 1000);
  run_into(plain.world, &second.sample[0][0], ORCHESTRA_FRAMES, 0, 1000);
  assert_memory_equal(first.sample[0], second.sample[0], 1000 * sizeof(double));
  jw_world_destroy(o.world);
  jw_world_destroy(plain.world);
}

static void single_precision_is_the_double_output_rounded(void** state) {
  (void)state;
  Orchestra a = orchestra_make(false), b = orchestra_make(false);
  static float rows[ORCHESTRA_CHANNELS][1000];
  float* out[ORCHESTRA_CHANNELS];
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    out[c] = rows[c];
  }
  MUST(a.world, jw_world_run(a.world, out, 1000));
  run_into(b.world, &first.sample[0][0], ORCHESTRA_FRAMES, 0, 1000);
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    for (int i = 0; i < 1000; ++i) {
      assert_true(rows[c][i] == (float)first.sample[c][i]);
    }
  }
  jw_world_destroy(a.world);
  jw_world_destroy(b.world);
}

// Two masses that never meet, of 2 J and of 0.5 J; then 0.25 J more than the account says in the
// one, 0.125 J less in the other.  A joule here is exact to 1e-14: k v is rounded once, its square
// is taken of numbers of order one.
static void the_residual_is_what_is_there_beyond_the_account(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, true);
  add_mass(world, 1.0, 0.0, 2.0);
  add_mass(world, 1.0, 5.0, 1.0);
  MUST(world, jw_world_prepare(world));
  run_frames(world, 100);
  JwEnergy energy = jw_world_energy(world);
  assert_true(fabs(energy.residual) < 1e-12 && energy.worst_residual < 1e-12);
  assert_true(fabs(energy.stored - 2.5) < 1e-12 && fabs(energy.peak - 2.5) < 1e-12);
  world->components[0].state->first -= 0.25;
  world->components[1].state->first += 0.125;
  energy = jw_world_energy(world);
  assert_true(fabs(energy.residual - 0.125 / 2.5) < 1e-12);
  assert_true(fabs(energy.worst_residual - 0.125 / 0.5) < 1e-12);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_world_of_these_tests_touches_and_sounds_everywhere),
      cmocka_unit_test(commands_and_curves_keep_the_ledger_closed),
      cmocka_unit_test(any_block_size_gives_the_same_bits),
      cmocka_unit_test(the_ledger_does_not_change_a_bit),
      cmocka_unit_test(a_snapshot_at_any_point_runs_on_to_the_bit),
      cmocka_unit_test(reset_is_a_fresh_start_to_the_bit),
      cmocka_unit_test(reset_drops_queued_commands),
      cmocka_unit_test(two_worlds_in_turn_are_two_worlds_alone),
      cmocka_unit_test(an_empty_block_changes_nothing),
      cmocka_unit_test(single_precision_is_the_double_output_rounded),
      cmocka_unit_test(the_residual_is_what_is_there_beyond_the_account),
  };
  return cmocka_run_group_tests_name("life", tests, NULL, NULL);
}
