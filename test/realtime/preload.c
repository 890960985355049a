// SPDX-License-Identifier: MIT
// Loaded before a JACK client, it watches the client's process callback from its first line to its
// last:
//
//   LD_PRELOAD=guard_play.so jawari play tromba
//
// The client hands its callback to jack_set_process_callback; the one defined here hands JACK a
// callback that runs the client's inside of a guard (guard.h).  The first offence ends the program
// by SIGABRT with its name and the way that led there; without one, a line at the end says how many
// callbacks were watched.  With GUARD_PLANT in the environment, the hundredth callback allocates,
// to show that this would be seen.
#define _GNU_SOURCE

#include "guard.h"

#include <jack/jack.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static JackProcessCallback client_process;
static void* client_user;
static bool planted;
static void* volatile kept;
static _Atomic unsigned long callbacks;
static _Atomic bool kernel;

static int watched_process(jack_nframes_t frames, void* user) {
  (void)user;
  guard_enter(true);
  guard_allow_clock(true);
  const int result = client_process(frames, client_user);
  if (planted && callbacks == 100) {
    kept = malloc(1);
  }
  guard_allow_clock(false);
  guard_leave();
  atomic_fetch_add(&callbacks, 1);
  atomic_store(&kernel, guard_has_kernel());
  return result;
}

int jack_set_process_callback(jack_client_t* client, JackProcessCallback process, void* user) {
  client_process = process;
  client_user = user;
  planted = getenv("GUARD_PLANT") != NULL;
  return ((__typeof__(&jack_set_process_callback))(uintptr_t)dlsym(
      RTLD_NEXT, "jack_set_process_callback"))(client, watched_process, NULL);
}

__attribute__((destructor)) static void tell(void) {
  fprintf(stderr, "guard: %lu callbacks, no offence, system calls %s\n", callbacks,
          kernel ? "watched" : "not watched");
}
