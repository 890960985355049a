// SPDX-License-Identifier: MIT
// Loaded before an LV2 host that uses lilv, it watches a plug-in's run() from its first line to its last:
//
//   LD_PRELOAD=guard_lv2.so jalv urn:jawari:tromba
//
// The host makes its instance by lilv_plugin_instantiate(); the one defined here hands out the instance with a descriptor whose
// run() is inside of a guard (guard.h).  What the host itself does around it is not watched: jalv 1.6.6 allocates there.  The first
// offence ends the program by SIGABRT with its name and the way that led there; without one, a line at the end says how many calls
// were watched.  With GUARD_PLANT in the environment, the hundredth call allocates, to show that this would be seen.
#define _GNU_SOURCE

#include "../realtime/guard.h"

#include <lv2/core/lv2.h>

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// As lilv.h has it.
typedef struct {
  const LV2_Descriptor* descriptor;
  LV2_Handle handle;
  void* inside;
} Instance;

Instance* lilv_plugin_instantiate(const void* plugin, double rate,
                                  const LV2_Feature* const* features);

static LV2_Descriptor watched;
static void (*plugin_run)(LV2_Handle handle, uint32_t count);
static bool planted;
static void* volatile kept;
static _Atomic unsigned long calls;
static _Atomic bool kernel;

static void watched_run(LV2_Handle handle, uint32_t count) {
  guard_enter(true);
  plugin_run(handle, count);
  if (planted && calls == 100) {
    kept = malloc(1);
  }
  guard_leave();
  atomic_fetch_add(&calls, 1);
  atomic_store(&kernel, guard_has_kernel());
}

Instance* lilv_plugin_instantiate(const void* plugin, double rate,
                                  const LV2_Feature* const* features) {
  Instance* const instance = ((__typeof__(&lilv_plugin_instantiate))(uintptr_t)dlsym(
      RTLD_NEXT, "lilv_plugin_instantiate"))(plugin, rate, features);
  if (instance) {
    planted = getenv("GUARD_PLANT") != NULL;
    watched = *instance->descriptor;
    plugin_run = watched.run;
    watched.run = watched_run;
    instance->descriptor = &watched;
  }
  return instance;
}

__attribute__((destructor)) static void tell(void) {
  if (plugin_run) {
    fprintf(stderr, "guard: %lu calls, no offence, system calls %s\n", calls,
            kernel ? "watched" : "not watched");
  }
}
