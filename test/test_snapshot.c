// Snapshots that are damaged, cut short or another world's: refused, and nothing changes.

#include "orchestra.h"

static Recording first, second;

static unsigned char* take(const Orchestra* o, size_t* size)
{
  *size = jw_world_snapshot_size(o->world);
  unsigned char* const memory = malloc(*size);
  assert_non_null(memory);
  MUST(o->world, jw_world_snapshot(o->world, memory, *size));
  return memory;
}

// After any number of refusals the world plays on as one that was never asked.
static void a_damaged_snapshot_is_refused_and_changes_nothing(void** state)
{
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

static void a_snapshot_cut_short_anywhere_is_refused(void** state)
{
  (void)state;
  Orchestra o = orchestra_make(false);
  run_frames(o.world, 100);
  size_t size;
  unsigned char* const memory = take(&o, &size);
  for (size_t cut = 0; cut < size; cut = cut < 100 ? cut + 1 : cut + 997) {
    unsigned char* const part = malloc(cut ? cut : 1); // Its own piece, so that a read beyond it is seen
    memcpy(part, memory, cut);
    assert_int_equal(jw_world_restore(o.world, part, cut), JW_STATUS_BAD_SNAPSHOT);
    free(part);
  }
  assert_int_equal(jw_world_restore(o.world, memory, size), JW_STATUS_OK);
  free(memory);
  jw_world_destroy(o.world);
}

static void room_that_is_too_small_is_refused_and_not_written(void** state)
{
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
static void a_snapshot_of_another_world_is_refused(void** state)
{
  (void)state;
  unsigned char memory[4096];
  for (int difference = 0; difference < 7; ++difference) {
    JwWorld* worlds[2];
    for (int w = 0; w < 2; ++w) {
      const int d = w ? difference : 0;
      worlds[w] = new_world(d == 1 ? 48000.0 : 44100.0, false);
      const JwObjectId mass = add_mass(worlds[w], d == 2 ? 0.02 : 0.01, 0.0, 1.0);
      const JwObjectId barrier = add_barrier(worlds[w], d == 3 ? 1e-3 : 2e-3);
      add_collision(worlds[w], jw_port(mass, 0.0), jw_port(barrier, 0.0), d == 4 ? JW_RULE_PLAIN : JW_RULE_BOUNDED, d == 5 ? 1e6 : 1e7);
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

static void before_prepare_there_is_nothing_to_take(void** state)
{
  (void)state;
  JwWorld* const world = new_world(44100.0, false);
  unsigned char memory[64];
  assert_int_equal(jw_world_snapshot_size(world), 0);
  assert_int_equal(jw_world_snapshot(world, memory, sizeof memory), JW_STATUS_BAD_ORDER);
  assert_int_equal(jw_world_restore(world, memory, sizeof memory), JW_STATUS_BAD_ORDER);
  jw_world_destroy(world);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_damaged_snapshot_is_refused_and_changes_nothing),
    cmocka_unit_test(a_snapshot_cut_short_anywhere_is_refused),
    cmocka_unit_test(room_that_is_too_small_is_refused_and_not_written),
    cmocka_unit_test(a_snapshot_of_another_world_is_refused),
    cmocka_unit_test(before_prepare_there_is_nothing_to_take),
  };
  return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
