// SPDX-License-Identifier: MIT
// Commands from another thread while the world runs: none lost, none twice, in order, without a
// lock. Under the thread sanitizer (make tsan) also without a race.

#include "worlds.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define COMMANDS 20000

typedef struct {
  JwWorld* world;
  JwPickupId pickup;
  atomic_int full; // Times that the queue was full
  atomic_bool done;
} Sender;

static void* send_all(void* user) {
  Sender* const sender = (Sender*)user;
  const JwTarget gain = {.control = JW_CONTROL_GAIN, .pickup = sender->pickup};
  for (int i = 1; i <= COMMANDS;) {
    const JwStatus status = jw_world_set(sender->world, gain, i, 0.0);
    if (status == JW_STATUS_OK) {
      ++i;
    } else if (status == JW_STATUS_FULL) {
      atomic_fetch_add(&sender->full, 1);
      sched_yield();
    } else {
      break;
    }
  }
  atomic_store(&sender->done, true);
  return NULL;
}

// A mass that stands at 1 m: the output is the gain itself, which must never fall.
static void commands_from_another_thread_arrive_once_and_in_order(void** state) {
  (void)state;
  JwWorldDef def = jw_world_default();
  def.queue = 64;
  Sender sender = {0};
  assert_int_equal(jw_world_create(&def, &sender.world), JW_STATUS_OK);
  const JwObjectId mass = add_mass(sender.world, 1.0, 1.0, 0.0);
  sender.pickup = add_pickup(sender.world, jw_port(mass, 0.0), JW_QUANTITY_DISPLACEMENT);
  MUST(sender.world, jw_world_prepare(sender.world));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, send_all, &sender), 0);
  double last = 1.0, out[16];
  int changes = 0;
  for (bool done = false; !done;) {
    done = atomic_load(&sender.done);
    run_into(sender.world, out, 16, 0, 16);
    for (int i = 0; i < 16; ++i) {
      assert_true(out[i] >= last && out[i] <= COMMANDS);
      changes += out[i] > last;
      last = out[i];
    }
  }
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(last == COMMANDS);
  print_message("# %d changes heard, full %d times\n", changes, atomic_load(&sender.full));
  assert_true(changes > 0);
  jw_world_destroy(sender.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_from_another_thread_arrive_once_and_in_order),
  };
  return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
