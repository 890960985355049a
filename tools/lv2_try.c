// SPDX-License-Identifier: MIT
// A bundle that was just written, as a host would use it: load, find, instantiate, play a note.

#include "lv2.h"
#include "ports.h"
#include "tool.h"

#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#define BLOCK 256u
#define RATE 48000.0

// ---------------------------------------------------------------- a host

typedef struct {
  char words[64][128];
  uint32_t count;
} Words;

static LV2_URID map(LV2_URID_Map_Handle handle, const char* uri) {
  Words* const words = (Words*)handle;
  for (uint32_t i = 0; i < words->count; ++i) {
    if (strcmp(words->words[i], uri) == 0) {
      return i + 1;
    }
  }
  if (words->count == 64) {
    return 0;
  }
  snprintf(words->words[words->count], sizeof words->words[0], "%s", uri);
  return ++words->count;
}

typedef struct {
  LV2_Atom_Sequence sequence;
  LV2_Atom_Event event;
  uint8_t data[8];
} Note;

static void fill(Note* note, LV2_URID_Map* mapper, uint8_t key, bool any) {
  memset(note, 0, sizeof *note);
  note->sequence.atom.type = mapper->map(mapper->handle, LV2_ATOM__Sequence);
  note->sequence.atom.size =
      (uint32_t)(sizeof note->sequence.body + (any ? sizeof note->event + 8 : 0));
  note->event.body.type = mapper->map(mapper->handle, LV2_MIDI__MidiEvent);
  note->event.body.size = 3;
  note->data[0] = 0x90, note->data[1] = key, note->data[2] = 100;
}

// ---------------------------------------------------------------- a plug-in

static const LV2_Descriptor* find(const LV2_Lib_Descriptor* library, const char* name) {
  char uri[128];
  snprintf(uri, sizeof uri, JW_LV2_PREFIX "%s", name);
  for (uint32_t i = 0;; ++i) {
    const LV2_Descriptor* const descriptor = library->get_plugin(library->handle, i);
    if (!descriptor || strcmp(descriptor->URI, uri) == 0) {
      return descriptor;
    }
  }
}

// The loudest sample of four keys held a quarter of a second each; NaN where one is not finite.
static float play(const LV2_Descriptor* about, LV2_Handle plugin, const JwFace* face,
                  LV2_URID_Map* mapper) {
  float out[2][BLOCK], latency = 0.0f, controls[JW_PLAY_MAX_CONTROLS], peak = 0.0f;
  Note note;
  about->connect_port(plugin, JW_LV2_EVENTS, &note);
  about->connect_port(plugin, JW_LV2_LEFT, out[0]);
  about->connect_port(plugin, JW_LV2_RIGHT, out[1]);
  about->connect_port(plugin, JW_LV2_LATENCY, &latency);
  for (uint32_t i = 0; i < face->count; ++i) {
    controls[i] = (float)face->controls[i].initial;
    about->connect_port(plugin, JW_LV2_CONTROLS + i, &controls[i]);
  }
  about->activate(plugin);
  const uint32_t blocks = (uint32_t)(RATE / BLOCK);
  for (uint32_t b = 0; b < blocks; ++b) {
    fill(&note, mapper, (uint8_t)(36 + 12 * (4 * b / blocks)), b % (blocks / 4) == 0);
    about->run(plugin, BLOCK);
    for (uint32_t n = 0; n < BLOCK; ++n) {
      const float louder = fmaxf(fabsf(out[0][n]), fabsf(out[1][n]));
      peak = isfinite(out[0][n]) && isfinite(out[1][n]) ? fmaxf(peak, louder) : NAN;
    }
    if (isnan(peak)) {
      break;
    }
  }
  return peak;
}

static bool try_scene(const LV2_Lib_Descriptor* library, const JwLv2Scene* scene,
                      const char* folder) {
  Words words = {.count = 0};
  LV2_URID_Map mapper = {&words, map};
  const LV2_Feature feature = {LV2_URID__map, &mapper};
  const LV2_Feature* const features[] = {&feature, NULL};
  const LV2_Descriptor* const about = find(library, scene->name);
  if (!about) {
    return jw_tool_fail("the library does not know " JW_LV2_PREFIX "%s", scene->name);
  }
  const LV2_Handle plugin = about->instantiate(about, RATE, folder, features);
  if (!plugin) {
    return jw_tool_fail("no instance of %s could be made", about->URI);
  }
  const float peak = play(about, plugin, &scene->face, &mapper);
  about->cleanup(plugin);
  if (isnan(peak)) {
    return jw_tool_fail("%s stops being finite when it is played", about->URI);
  }
  if (!(peak > 0.0f)) {
    jw_tool_warn("%s is silent on the four keys that were tried (C2 to C5)", about->URI);
  }
  return true;
}

bool jw_lv2_try(const JwLv2Bundle* bundle, const char* folder, const char* library) {
  void* const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!loaded) {
    return jw_tool_fail("cannot load the library of the plug-ins: %s", dlerror());
  }
  union {
    void* from;
    LV2_Lib_Descriptor_Function to;
  } entry = {dlsym(loaded, "lv2_lib_descriptor")};
  const LV2_Lib_Descriptor* const about = entry.from ? entry.to(folder, NULL) : NULL;
  bool good = about != NULL;
  if (!good) {
    jw_tool_fail("%s is not the library of jawari's plug-ins", library);
  }
  for (uint32_t i = 0; good && i < bundle->scene_count; ++i) {
    good = !jw_stop_wanted() && try_scene(about, &bundle->scenes[i], folder);
  }
  if (about) {
    about->cleanup(about->handle);
  }
  dlclose(loaded);
  return good;
}
