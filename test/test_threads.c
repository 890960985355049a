// SPDX-License-Identifier: MIT
// Threads change nothing but the time: the same samples to the bit, whatever their number.

#include "test.h"

#include "base/pool.h"

#include <jawari/jawari.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void count_part(void* data, uint32_t i) {
  atomic_fetch_add(&((_Atomic uint32_t*)data)[i], 1);
}

static void every_part_of_every_job_is_done_once(void** state) {
  (void)state;
  JwPool* const pool = (JwPool*)aligned_alloc(64, (jw_pool_size() + 63) / 64 * 64);
  memset(pool, 0, jw_pool_size());
  jw_pool_start(pool, 4);
  static _Atomic uint32_t done[97];
  for (uint32_t job = 0; job < 20000; ++job) {
    const uint32_t count = 1 + job % 97;
    memset(done, 0, sizeof done);
    jw_pool_run(pool, count_part, done, count);
    for (uint32_t i = 0; i < 97; ++i) {
      assert_int_equal(atomic_load(&done[i]), i < count);
    }
    if (job % 4000 == 0) { // Long enough for the threads to fall asleep
      nanosleep(&(struct timespec){0, 5000000}, NULL);
    }
  }
  jw_pool_stop(pool);
  free(pool);
}

static JwWorld* strings(uint32_t threads) {
  JwWorldDef def = jw_world_default();
  def.threads = threads;
  def.channels = 2;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  for (uint32_t i = 0; i < 11; ++i) {
    JwObjectId string, barrier;
    JwContactId contact;
    JwPickupId pickup;
    JwStringDef s = jw_string_default();
    s.length = 1.0, s.mass_per_length = 0.01, s.radius = 5e-4, s.frequency = 80.0 + 17.0 * i;
    assert_int_equal(jw_world_add_string(world, &s, &string), JW_STATUS_OK);
    JwBarrierDef b = jw_barrier_default();
    b.position = -1e-3;
    assert_int_equal(jw_world_add_barrier(world, &b, &barrier), JW_STATUS_OK);
    JwCollisionDef c = jw_collision_default();
    c.below = jw_port(barrier, 0.0), c.above = jw_port(string, 0.0), c.along = true,
    c.stiffness = 1e8;
    assert_int_equal(jw_world_add_collision(world, &c, &contact), JW_STATUS_OK);
    JwInitialDef initial = {
        .object = string, .shape = JW_SHAPE_TRIANGLE, .x = 0.3, .amplitude = 3e-3, .width = 0.2};
    assert_int_equal(jw_world_add_initial(world, &initial), JW_STATUS_OK);
    JwPickupDef p = jw_pickup_default();
    p.port = jw_port(string, 0.4), p.pan = -1.0 + 0.2 * i;
    assert_int_equal(jw_world_add_pickup(world, &p, &pickup), JW_STATUS_OK);
  }
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  return world;
}

#define FRAMES 3000

static void any_number_of_threads_gives_the_same_bits(void** state) {
  (void)state;
  static double out[4][2][FRAMES];
  static const uint32_t threads[4] = {1, 2, 3, 8};
  double energy = 0.0;
  for (int n = 0; n < 4; ++n) {
    JwWorld* const world = strings(threads[n]);
    for (uint32_t at = 0; at < FRAMES; at += 100) {
      double* const channels[2] = {out[n][0] + at, out[n][1] + at};
      assert_int_equal(jw_world_run_double(world, channels, 100), JW_STATUS_OK);
    }
    jw_world_destroy(world);
    assert_memory_equal(out[n], out[0], sizeof out[0]);
  }
  for (int i = 0; i < FRAMES; ++i) {
    energy += out[0][0][i] * out[0][0][i];
  }
  assert_true(energy > 0.0); // There was something to compare
}

static void* run_long(void* data) {
  static const int well = 0;
  JwStatus status = JW_STATUS_BAD_ORDER;
  while (status == JW_STATUS_BAD_ORDER) { // The other was first
    status = jw_world_run((JwWorld*)data, NULL, UINT32_MAX);
  }
  return status == JW_STATUS_CANCELLED ? (void*)(uintptr_t)&well : NULL;
}

static void a_second_run_at_once_is_sent_away(void** state) {
  (void)state;
  JwWorld* const world = strings(1);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, run_long, world), 0);
  uint64_t own = 0;
  JwStatus status = JW_STATUS_OK;
  while (status == JW_STATUS_OK) { // Until the other has begun
    status = jw_world_run(world, NULL, 1);
    own += status == JW_STATUS_OK;
  }
  assert_int_equal(status, JW_STATUS_BAD_ORDER);
  jw_world_cancel(world);
  void* went_well = NULL;
  assert_int_equal(pthread_join(thread, &went_well), 0);
  assert_non_null(went_well);
  assert_int_equal(jw_world_run(world, NULL, 1), JW_STATUS_OK);
  assert_true(jw_world_frame(world) > own);
  jw_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_part_of_every_job_is_done_once),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
      cmocka_unit_test(a_second_run_at_once_is_sent_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
