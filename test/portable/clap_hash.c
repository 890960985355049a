// SPDX-License-Identifier: MIT
// The CLAP library, loaded and played on whatever machine: a hash of the samples of three instruments, to be the same on all.
//   portable_clap LIBRARY

#include "abi.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
static void* load(const char* path) {
  HMODULE library = LoadLibraryA(path);
  return library ? (void*)(uintptr_t)GetProcAddress(library, "clap_entry") : NULL;
}
#else
#include <dlfcn.h>
static void* load(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, "clap_entry") : NULL;
}
#endif

#define FRAMES 24000u
#define BLOCK 480u

// ---------------------------------------------------------------- a host

static const void* no_extension(const clap_host_t* host, const char* id) {
  (void)host, (void)id;
  return NULL;
}
static void ignore(const clap_host_t* host) {
  (void)host;
}
static const clap_host_t host = {CLAP_VERSION_INIT, NULL,   "test", "",    "", "",
                                 no_extension,      ignore, ignore, ignore};

static clap_event_midi_t note;
static uint32_t note_count;

static uint32_t in_size(const clap_input_events_t* list) {
  (void)list;
  return note_count;
}
static const clap_event_header_t* in_get(const clap_input_events_t* list, uint32_t index) {
  (void)list, (void)index;
  return &note.header;
}
static bool out_push(const clap_output_events_t* list, const clap_event_header_t* event) {
  (void)list, (void)event;
  return true;
}

// A key in the first block, let go in the twentieth.
static void press(uint32_t block) {
  static const uint8_t on[3] = {0x90, 57, 100}, off[3] = {0x80, 57, 0};
  note_count = block == 0 || block == 20;
  memset(&note, 0, sizeof note);
  note.header.size = sizeof note;
  note.header.space_id = CLAP_CORE_EVENT_SPACE_ID;
  note.header.type = CLAP_EVENT_MIDI;
  note.header.time = 7;
  memcpy(note.data, block ? off : on, 3);
}

static void hash(uint64_t* sum, const float* samples) {
  const unsigned char* const bytes = (const unsigned char*)samples;
  for (size_t i = 0; i < BLOCK * sizeof *samples; ++i) {
    *sum = (*sum ^ bytes[i]) * 0x100000001b3u; // FNV-1a
  }
}

static bool play(const clap_plugin_t* plugin, uint64_t* sum) {
  static float left[BLOCK], right[BLOCK];
  float* data[2] = {left, right};
  float peak = 0.0f;
  clap_audio_buffer_t buffer = {data, NULL, 2, 0, 0};
  const clap_input_events_t in = {NULL, in_size, in_get};
  const clap_output_events_t out = {NULL, out_push};
  clap_process_t process = {.frames_count = BLOCK,
                            .audio_outputs = &buffer,
                            .audio_outputs_count = 1,
                            .in_events = &in,
                            .out_events = &out};
  *sum = 0xcbf29ce484222325u;
  for (uint32_t block = 0; block < FRAMES / BLOCK; ++block) {
    press(block);
    if (plugin->process(plugin, &process) == CLAP_PROCESS_ERROR) {
      return false;
    }
    hash(sum, left), hash(sum, right);
    for (uint32_t i = 0; i < BLOCK; ++i) {
      peak = left[i] > peak ? left[i] : peak;
    }
  }
  return peak > 0.01f;
}

int main(int argc, char** argv) {
  static const char* const ids[] = {"jawari.tromba-small", "jawari.guitar", "jawari.two-strings"};
  const clap_plugin_entry_t* const entry =
      argc == 2 ? (const clap_plugin_entry_t*)load(argv[1]) : NULL;
  if (!entry || !entry->init(argv[1])) {
    fprintf(stderr, "portable_clap: cannot load %s\n", argc == 2 ? argv[1] : "LIBRARY");
    return 1;
  }
  const clap_plugin_factory_t* const factory =
      (const clap_plugin_factory_t*)entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
  int failed = 0;
  for (int i = 0; i < 3; ++i) {
    const clap_plugin_t* const plugin = factory->create_plugin(factory, &host, ids[i]);
    uint64_t sum = 0;
    const bool good = plugin && plugin->init(plugin) && plugin->activate(plugin, 48000.0, 1, BLOCK)
                      && plugin->start_processing(plugin) && play(plugin, &sum);
    printf("%s %08lx%08lx\n", ids[i], (unsigned long)(sum >> 32),
           (unsigned long)(sum & 0xffffffffu));
    failed |= !good;
    if (plugin) {
      plugin->destroy(plugin);
    }
  }
  entry->deinit();
  return failed;
}
