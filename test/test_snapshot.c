// SPDX-License-Identifier: MIT
// Snapshots that are damaged, cut short or another world's: refused, and nothing changes.

#include "orchestra.h"
#include "change/change.h"

static Recording first, second;

static unsigned char* take(const Orchestra* o, size_t* size) {
  *size = jw_world_snapshot_size(o->world);
  unsigned char* const memory = malloc(*size);
  assert_non_null(memory);
  MUST(o->world, jw_world_snapshot(o->world, memory, *size));
  return memory;
}

// After any number of refusals the world plays on as one that was never asked.
static void a_damaged_snapshot_is_refused_and_changes_nothing(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false), untouched = orchestra_make(false);
  orchestra_play(&o, &first, 1000, 64, 1);
  orchestra_play(&untouched, &second, 1000, 64, 1);
  size_t size;
  unsigned char* const memory = take(&o, &size);
  run_frames(o.world, 50);
  run_frames(untouched.world, 50);
  uint64_t seed = 3;
  for (int i = 0; i < 3000; ++i) {
    const size_t at = i < 64 ? (size_t)i : (size_t)(uniform(&seed) * (double)size);
    const unsigned char bit = (unsigned char)(1u << (i % 8));
    memory[at] ^= bit;
    assert_int_equal(jw_world_restore(o.world, memory, size), JW_STATUS_BAD_SNAPSHOT);
    memory[at] ^= bit;
  }
  orchestra_play(&o, &first, 2000, 64, 1);
  orchestra_play(&untouched, &second, 2000, 64, 1);
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    assert_memory_equal(first.sample[c] + 1050, second.sample[c] + 1050, 950 * sizeof(double));
  }
  MUST(o.world, jw_world_restore(o.world, memory, size));
  free(memory);
  jw_world_destroy(o.world);
  jw_world_destroy(untouched.world);
}

// Make the sum right again: as in snapshot.c, over what stands behind the header of 32 bytes.
static void forge(unsigned char* memory, size_t size) {
  uint64_t sum = 0, word;
  size_t at = 32;
  for (; at + 8 <= size; at += 8) {
    memcpy(&word, memory + at, 8);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  for (; at < size; ++at) {
    sum = (sum ^ memory[at]) * 0x100000001b3u;
  }
  memcpy(memory + 24, &sum, 8);
}

// Put a value in place of a part of the state, restore, put back.
static JwStatus restore_forged(const Orchestra* o, unsigned char* memory, const void* part,
                               const void* value, size_t size) {
  unsigned char* const at = memory + 32 + ((const unsigned char*)part - o->world->state);
  unsigned char kept[8];
  memcpy(kept, at, size);
  memcpy(at, value, size);
  forge(memory, jw_world_snapshot_size(o->world));
  const JwStatus status = jw_world_restore(o->world, memory, jw_world_snapshot_size(o->world));
  memcpy(at, kept, size);
  forge(memory, jw_world_snapshot_size(o->world));
  return status;
}

static void what_leads_astray_is_refused_though_the_sum_is_right(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false), untouched = orchestra_make(false);
  run_frames(o.world, 300);
  run_frames(untouched.world, 300);
  JwWorld* const world = o.world;
  size_t size;
  unsigned char* const memory = take(&o, &size);
  JwRamp* const place = &world->ramps[jw_slot_index(world, on_contact(JW_CONTROL_X, o.bow))];
  const unsigned char two = 2;
  const double beyond[] = {1.5, -1e300, (double)NAN, (double)INFINITY};
  const int refine = 9;
  const uint64_t frame = 299;
  for (int i = 0; i < 4; ++i) {
    assert_int_equal(restore_forged(&o, memory, &place->from, &beyond[i], 8),
                     JW_STATUS_BAD_SNAPSHOT);
    assert_int_equal(restore_forged(&o, memory, &place->to, &beyond[i], 8), JW_STATUS_BAD_SNAPSHOT);
  }
  const uint32_t straight = jw_slot_index(world, on_contact(JW_CONTROL_STIFFNESS, o.strike));
  const unsigned char one = 1;
  assert_null(world->curve_of[straight]);
  assert_int_equal(restore_forged(&o, memory, &world->ramps[straight].by_curve, &one, 1),
                   JW_STATUS_BAD_SNAPSHOT);
  assert_int_equal(restore_forged(&o, memory, &place->by_curve, &two, 1), JW_STATUS_BAD_SNAPSHOT);
  assert_int_equal(restore_forged(&o, memory, &world->components[0].state->awake, &two, 1),
                   JW_STATUS_BAD_SNAPSHOT);
  assert_int_equal(restore_forged(&o, memory, &world->components[0].state->failed, &two, 1),
                   JW_STATUS_BAD_SNAPSHOT);
  assert_int_equal(restore_forged(&o, memory, &world->components[0].state->frame, &frame, 8),
                   JW_STATUS_BAD_SNAPSHOT);
  assert_int_equal(restore_forged(&o, memory, &world->points[0].step.state->refine, &refine, 4),
                   JW_STATUS_BAD_SNAPSHOT);
  double ran[2][64];
  double* out[ORCHESTRA_CHANNELS];
  static double rest[ORCHESTRA_CHANNELS][64];
  for (int w = 0; w < 2; ++w) {
    for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
      out[c] = rest[c];
    }
    out[0] = ran[w];
    MUST(world, jw_world_run_double(w ? untouched.world : world, out, 64));
  }
  assert_memory_equal(ran[0], ran[1], sizeof ran[0]);
  // A mere number may be anything: that it is taken shows that the sums above were right.
  const double amplitude = 0.5;
  assert_int_equal(restore_forged(&o, memory, &world->force_states[0].amplitude, &amplitude, 8),
                   JW_STATUS_OK);
  free(memory);
  jw_world_destroy(o.world);
  jw_world_destroy(untouched.world);
}

static void a_snapshot_cut_short_anywhere_is_refused(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  run_frames(o.world, 100);
  size_t size;
  unsigned char* const memory = take(&o, &size);
  for (size_t cut = 0; cut < size; cut = cut < 100 ? cut + 1 : cut + 997) {
    unsigned char* const part =
        malloc(cut ? cut : 1); // Its own piece, so that a read beyond it is seen
    memcpy(part, memory, cut);
    assert_int_equal(jw_world_restore(o.world, part, cut), JW_STATUS_BAD_SNAPSHOT);
    free(part);
  }
  assert_int_equal(jw_world_restore(o.world, memory, size), JW_STATUS_OK);
  free(memory);
  jw_world_destroy(o.world);
}

static void room_that_is_too_small_is_refused_and_not_written(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  const size_t size = jw_world_snapshot_size(o.world);
  unsigned char* const memory = malloc(size);
  memset(memory, 0xab, size);
  assert_int_equal(jw_world_snapshot(o.world, memory, size - 1), JW_STATUS_TOO_LARGE);
  for (size_t i = 0; i < size; ++i) {
    assert_int_equal(memory[i], 0xab);
  }
  free(memory);
  jw_world_destroy(o.world);
}

// Worlds that differ in one number only: rate, a mass, a stiffness, a length, a rule.
static void a_snapshot_of_another_world_is_refused(void** state) {
  (void)state;
  unsigned char memory[4096];
  for (int difference = 0; difference < 7; ++difference) {
    JwWorld* worlds[2];
    for (int w = 0; w < 2; ++w) {
      const int d = w ? difference : 0;
      worlds[w] = new_world(d == 1 ? 48000.0 : 44100.0, false);
      const JwObjectId mass = add_mass(worlds[w], d == 2 ? 0.02 : 0.01, 0.0, 1.0);
      const JwObjectId barrier = add_barrier(worlds[w], d == 3 ? 1e-3 : 2e-3);
      add_collision(worlds[w], jw_port(mass, 0.0), jw_port(barrier, 0.0),
                    d == 4 ? JW_RULE_PLAIN : JW_RULE_BOUNDED, d == 5 ? 1e6 : 1e7);
      if (d == 6) {
        add_pickup(worlds[w], jw_port(mass, 0.0), JW_QUANTITY_VELOCITY);
      }
      MUST(worlds[w], jw_world_prepare(worlds[w]));
    }
    assert_true(jw_world_snapshot_size(worlds[0]) <= sizeof memory);
    MUST(worlds[0], jw_world_snapshot(worlds[0], memory, sizeof memory));
    const JwStatus status = jw_world_restore(worlds[1], memory, sizeof memory);
    assert_int_equal(status, difference ? JW_STATUS_BAD_SNAPSHOT : JW_STATUS_OK);
    jw_world_destroy(worlds[0]);
    jw_world_destroy(worlds[1]);
  }
}

static void before_prepare_there_is_nothing_to_take(void** state) {
  (void)state;
  JwWorld* const world = new_world(44100.0, false);
  unsigned char memory[64];
  assert_int_equal(jw_world_snapshot_size(world), 0);
  assert_int_equal(jw_world_snapshot(world, memory, sizeof memory), JW_STATUS_BAD_ORDER);
  assert_int_equal(jw_world_restore(world, memory, sizeof memory), JW_STATUS_BAD_ORDER);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_damaged_snapshot_is_refused_and_changes_nothing),
      cmocka_unit_test(what_leads_astray_is_refused_though_the_sum_is_right),
      cmocka_unit_test(a_snapshot_cut_short_anywhere_is_refused),
      cmocka_unit_test(room_that_is_too_small_is_refused_and_not_written),
      cmocka_unit_test(a_snapshot_of_another_world_is_refused),
      cmocka_unit_test(before_prepare_there_is_nothing_to_take),
  };
  return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
