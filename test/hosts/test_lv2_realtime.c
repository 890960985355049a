// SPDX-License-Identifier: MIT
// Random MIDI through LV2 plug-ins inside of the real-time guard: nothing is allocated, nothing waits.
//   test_lv2_realtime LIBRARY FOLDER-OF-SCENES SECONDS [all]     three of the scenes, or all

#include "chance.h"
#include "guard.h"
#include "ports.h"
#include "words.h"

#include <lv2/core/lv2.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000u
#define MOST 1024u

static uint32_t seed = 1;

static Words events;

// Some messages of any kind on any channel, in the order of time.
static void fill(uint32_t frames) {
  words_clear(&events);
  const uint32_t count = chance_below(&seed, 4);
  for (uint32_t i = 0; i < count; ++i) {
    uint8_t data[3];
    chance_message(&seed, data);
    words_add(&events, i * frames / 4, data, 3);
  }
}

static double busy; ///< Seconds of CPU in the blocks of the last play()

// Offences of a plug-in played for so many seconds; -1 where it is silent or not finite.
static int play(const LV2_Descriptor* about, const char* folder, uint32_t seconds, int planted) {
  static float out[2][MOST], controls[16], latency;
  LV2_URID_Map mapper = {NULL, words_map};
  const LV2_Feature feature = {LV2_URID__map, &mapper};
  const LV2_Feature* const features[] = {&feature, NULL};
  const LV2_Handle plugin = about->instantiate(about, RATE, folder, features);
  if (!plugin) {
    return -1;
  }
  about->connect_port(plugin, JW_LV2_EVENTS, &events);
  about->connect_port(plugin, JW_LV2_LEFT, out[0]);
  about->connect_port(plugin, JW_LV2_RIGHT, out[1]);
  about->connect_port(plugin, JW_LV2_LATENCY, &latency);
  for (uint32_t i = 0; i < 16; ++i) {
    controls[i] = NAN;
    about->connect_port(plugin, JW_LV2_CONTROLS + i, &controls[i]);
  }
  about->activate(plugin);
  int offences = 0;
  busy = 0.0;
  float peak = 0.0f;
  for (uint64_t done = 0; done < (uint64_t)seconds * RATE;) {
    const uint32_t count = 1 + chance_below(&seed, MOST);
    fill(count);
    const uint32_t moved = chance_below(&seed, 16);
    controls[moved] = (float)chance_below(&seed, 1000) / 500.0f; // Some out of range
    busy -= chance_cpu();
    guard_enter(false);
    about->run(plugin, count);
    if (planted) {
      chance_plant();
    }
    offences += guard_leave();
    busy += chance_cpu();
    peak = chance_peak(peak, out[0], count);
    done += count;
  }
  about->cleanup(plugin);
  return peak > 0.0f ? offences : -1;
}

static int failed;
static uint32_t number;

static void claim(const LV2_Descriptor* about, const char* folder, uint32_t seconds, int planted) {
  const int offences = about ? play(about, folder, seconds, planted) : -1;
  const int good = planted ? offences > 0 : offences == 0;
  printf("%sok %u - %s: %s\n# %d offences, system calls %s, %.1f %% of a core\n",
         good ? "" : "not ", ++number, about ? about->URI : "missing",
         planted ? "an allocation that was planted is seen"
                 : "random MIDI and controls, no offence",
         offences, guard_has_kernel() ? "watched" : "not watched", 100.0 * busy / seconds);
  fflush(stdout);
  failed |= !good;
}

int main(int argc, char** argv) {
  static const char* const uris[] = {"urn:jawari:tromba", "urn:jawari:guitar",
                                     "urn:jawari:tromba-small"};
  void* const loaded = argc >= 4 ? dlopen(argv[1], RTLD_NOW) : NULL;
  union {
    void* from;
    LV2_Lib_Descriptor_Function to;
  } entry = {loaded ? dlsym(loaded, "lv2_lib_descriptor") : NULL};
  const LV2_Lib_Descriptor* const library = entry.from ? entry.to(argv[2], NULL) : NULL;
  if (!library) {
    puts("Bail out! usage: test_lv2_realtime LIBRARY FOLDER SECONDS [all]");
    return 1;
  }
  const uint32_t seconds = (uint32_t)strtoul(argv[3], NULL, 10);
  const bool all = argc == 5 && strcmp(argv[4], "all") == 0;
  const LV2_Descriptor* about = NULL;
  guard_prepare();
  for (uint32_t i = 0; (about = library->get_plugin(library->handle, i)); ++i) {
    for (int k = 0; k < 3; ++k) {
      if (!all && strcmp(about->URI, uris[k]) == 0) {
        claim(about, argv[2], seconds, 0);
        claim(about, argv[2], 1, 1);
      }
    }
    if (all) {
      claim(about, argv[2], seconds, 0);
    }
  }
  failed |= number < 6; // Three, each also with an allocation
  printf("1..%u\n", number);
  library->cleanup(library->handle);
  dlclose(loaded);
  return failed;
}
