// SPDX-License-Identifier: MIT
// Running waits for nothing: no memory, lock, file, clock or output, no system call, no page fault.

#define _GNU_SOURCE

#include "../orchestra.h"
#include "guard.h"

#include <jawari/builtin.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SECCOMP_MODE_STRICT
#define SECCOMP_MODE_STRICT 1
#endif

// ---------------------------------------------------------------- the guard itself

static volatile uintptr_t kept; // Keeps the compiler from leaving out what it sees through

static void plant(int offence) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  const struct timespec moment = {0, 1};
  struct timespec now;
  void* memory;
  char byte = 0;
  switch (offence) {
  case 0:
    memory = malloc(10);
    kept = (uintptr_t)memory;
    break;
  case 1:
    memory = calloc(1, 10);
    kept = (uintptr_t)memory;
    break;
  case 2:
    memory = aligned_alloc(64, 64);
    kept = (uintptr_t)memory;
    break;
  case 3:
    free((void*)kept);
    kept = 0;
    break;
  case 4:
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    break;
  case 5: kept = (uintptr_t)open("/dev/null", O_RDONLY); break;
  case 6: kept = (uintptr_t)read(-1, &byte, 1); break;
  case 7: kept = (uintptr_t)write(-1, &byte, 1); break;
  case 8: nanosleep(&moment, NULL); break;
  case 9: kept = (uintptr_t)syscall(SYS_getpid); break;
  case 10: clock_gettime(CLOCK_MONOTONIC, &now); break;
  default: kept = (uintptr_t)getenv("HOME"); break;
  }
}

static void the_guard_sees_every_planted_offence(void** state) {
  (void)state;
  const char* const names[12] = {
      "malloc", "calloc", "aligned_alloc", "free",    "pthread_mutex_lock", "open",
      "read",   "write",  "nanosleep",     "syscall", "clock_gettime",      "getenv"};
  for (int i = 0; i < 12; ++i) {
    kept = i == 3 ? (uintptr_t)malloc(1) : 0;
    guard_enter(false);
    plant(i);
    const int offences = guard_leave();
    assert_int_equal(offences, 1);
    assert_string_equal(guard_offence(), names[i]);
  }
}

// A call that guard.c stands before no function of.
static void the_kernel_sees_a_system_call_that_no_function_announces(void** state) {
  (void)state;
  guard_prepare();
  guard_enter(false);
  kept = (uintptr_t)getppid();
  const int offences = guard_leave();
  if (!guard_has_kernel()) {
    print_message("# this kernel does not watch single system calls\n");
    skip();
  }
  char name[32];
  snprintf(name, sizeof name, "system call %d", (int)SYS_getppid);
  assert_int_equal(offences, 1);
  assert_string_equal(guard_offence(), name);
}

static void the_guard_is_silent_outside_and_about_arithmetic(void** state) {
  (void)state;
  plant(0);
  guard_enter(false);
  volatile double x = 1.0;
  for (int i = 0; i < 100; ++i) {
    x = sqrt(x + 1.0);
  }
  assert_int_equal(guard_leave(), 0);
}

static void a_fatal_offence_ends_the_program(void** state) {
  (void)state;
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 2);
    guard_enter(true);
    plant(0);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

// ---------------------------------------------------------------- worlds

static void everything_at_once_waits_for_nothing(void** state) {
  (void)state;
  static Recording recording;
  guard_prepare();
  for (int ledger = 0; ledger < 2; ++ledger) {
    Orchestra o = orchestra_make(ledger);
    const size_t size = jw_world_snapshot_size(o.world);
    void* const memory = malloc(size);
    guard_enter(true);
    orchestra_play(&o, &recording, ORCHESTRA_FRAMES, 64, 1); // Commands are sent inside, too
    const JwStatus taken = jw_world_snapshot(o.world, memory, size);
    const JwStatus given = jw_world_restore(o.world, memory, size);
    jw_world_reset(o.world);
    const JwEnergy energy = jw_world_energy(o.world);
    guard_leave();
    assert_true(!taken && !given && energy.peak >= 0.0);
    free(memory);
    jw_world_destroy(o.world);
  }
}

static JwWorld* build_scene(const JwBuiltinScene* builtin) {
  JwScene* scene = NULL;
  assert_int_equal(jw_builtin_load(builtin->name, NULL, &scene), JW_STATUS_OK);
  const JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_OK);
  jw_scene_destroy(scene);
  MUST(world, jw_world_prepare(world));
  return world;
}

static void every_built_in_scene_waits_for_nothing(void** state) {
  (void)state;
  guard_prepare();
  uint32_t count;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  assert_true(count > 0);
  static float rows[64][64];
  float* out[64];
  for (int c = 0; c < 64; ++c) {
    out[c] = rows[c];
  }
  for (uint32_t s = 0; s < count; ++s) {
    JwWorld* const world = build_scene(&scenes[s]);
    assert_true(jw_world_channels(world) <= 64);
    guard_enter(true);
    JwStatus status = JW_STATUS_OK;
    for (int block = 0; block < 40 && !status; ++block) {
      status = jw_world_run(world, out, 64);
    }
    guard_leave();
    if (status) {
      fail_msg("%s: %s", scenes[s].name, jw_status_name(status));
    }
    jw_world_destroy(world);
  }
  print_message("# %u scenes\n", count);
}

// ---------------------------------------------------------------- the kernel's own word

static void million_blocks(JwWorld* world) {
  double block[ORCHESTRA_CHANNELS];
  double* out[ORCHESTRA_CHANNELS];
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    out[c] = block + c;
  }
  for (int i = 0; i < 1000000; ++i) {
    if (jw_world_run_double(world, out, 1)) {
      abort();
    }
  }
}

// In strict mode the kernel ends a process at any system call but read, write, exit and return from
// a signal; read and write are the guard's.
static void a_million_blocks_make_no_system_call(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) {
      _exit(77);
    }
    guard_enter(true);
    million_blocks(o.world);
    guard_leave();
    syscall(SYS_exit, 0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  jw_world_destroy(o.world);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    print_message("# this kernel does not offer strict mode\n");
    skip();
  }
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// And that strict mode would have seen one.
static void strict_mode_ends_a_process_that_makes_one(void** state) {
  (void)state;
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) {
      _exit(77);
    }
    syscall(SYS_getpid);
    syscall(SYS_exit, 0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
    print_message("# this kernel does not offer strict mode\n");
    skip();
  }
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

// Memory is all there after the first blocks.  The kernel may fault a page for its own reasons
// (moving pages, its timer on our stack): a few in a million blocks, where one a block would be a
// million.
static void a_million_blocks_fault_no_page(void** state) {
  (void)state;
  Orchestra o = orchestra_make(false);
  run_frames(o.world, 4096);
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  million_blocks(o.world);
  getrusage(RUSAGE_SELF, &after);
  print_message("# %ld page faults, %ld of them read from disk\n",
                after.ru_minflt - before.ru_minflt, after.ru_majflt - before.ru_majflt);
  assert_true(after.ru_minflt - before.ru_minflt <= 4 && after.ru_majflt == before.ru_majflt);
  jw_world_destroy(o.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_guard_sees_every_planted_offence),
      cmocka_unit_test(the_kernel_sees_a_system_call_that_no_function_announces),
      cmocka_unit_test(the_guard_is_silent_outside_and_about_arithmetic),
      cmocka_unit_test(a_fatal_offence_ends_the_program),
      cmocka_unit_test(everything_at_once_waits_for_nothing),
      cmocka_unit_test(every_built_in_scene_waits_for_nothing),
      cmocka_unit_test(a_million_blocks_make_no_system_call),
      cmocka_unit_test(strict_mode_ends_a_process_that_makes_one),
      cmocka_unit_test(a_million_blocks_fault_no_page),
  };
  return cmocka_run_group_tests_name("realtime", tests, NULL, NULL);
}
