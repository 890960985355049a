// SPDX-License-Identifier: MIT
// CLAP plug-ins whose blocks run in a thread of their own inside of the real-time guard, while the main thread does what a host does
// there: it loads states with other scenes, loads presets, asks for values.  Nothing in a block is allocated and nothing waits.
//   test_clap_realtime LIBRARY SECONDS

#include "abi.h"
#include "chance.h"
#include "guard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE 48000u
#define MOST 512u

// ---------------------------------------------------------------- a host

static _Atomic int restarts;

static const void* no_extension(const clap_host_t* host, const char* id) {
  (void)host, (void)id;
  return NULL;
}
static void restart(const clap_host_t* host) {
  (void)host;
  atomic_fetch_add(&restarts, 1);
}
static void ignore(const clap_host_t* host) {
  (void)host;
}
static const clap_host_t host = {CLAP_VERSION_INIT, NULL,    "test", "",    "", "",
                                 no_extension,      restart, ignore, ignore};
static const clap_plugin_factory_t* factory;

static const clap_plugin_t* make(const char* id) {
  const clap_plugin_t* const plugin = factory->create_plugin(factory, &host, id);
  return plugin && plugin->init(plugin) ? plugin : NULL;
}

// ---------------------------------------------------------------- states

typedef struct {
  char bytes[65536];
  size_t size, at;
} Kept;

static int64_t put(const clap_ostream_t* stream, const void* data, uint64_t size) {
  Kept* const kept = (Kept*)stream->ctx;
  if (size > sizeof kept->bytes - kept->size) {
    return -1;
  }
  memcpy(kept->bytes + kept->size, data, size);
  kept->size += size;
  return (int64_t)size;
}
static int64_t get(const clap_istream_t* stream, void* data, uint64_t size) {
  Kept* const kept = (Kept*)stream->ctx;
  const size_t count = size < kept->size - kept->at ? (size_t)size : kept->size - kept->at;
  memcpy(data, kept->bytes + kept->at, count);
  kept->at += count;
  return (int64_t)count;
}

static bool save(const clap_plugin_t* plugin, Kept* kept) {
  const clap_plugin_state_t* const state =
      (const clap_plugin_state_t*)plugin->get_extension(plugin, CLAP_EXT_STATE);
  const clap_ostream_t stream = {kept, put};
  kept->size = 0;
  return state->save(plugin, &stream);
}

static bool load(const clap_plugin_t* plugin, Kept* kept) {
  const clap_plugin_state_t* const state =
      (const clap_plugin_state_t*)plugin->get_extension(plugin, CLAP_EXT_STATE);
  const clap_istream_t stream = {kept, get};
  kept->at = 0;
  return state->load(plugin, &stream);
}

// ---------------------------------------------------------------- the audio thread

typedef union {
  clap_event_header_t header;
  clap_event_midi_t midi;
  clap_event_param_value_t value;
} Event;

typedef struct {
  const clap_plugin_t* plugin;
  clap_id param;
  double seconds;
  bool planted;
  _Atomic bool over;
  int offences;
  float peak;
  uint32_t seed, count;
  Event events[8];
} Audio;

static uint32_t in_size(const clap_input_events_t* list) {
  return ((const Audio*)list->ctx)->count;
}
static const clap_event_header_t* in_get(const clap_input_events_t* list, uint32_t index) {
  return &((const Audio*)list->ctx)->events[index].header;
}
static bool out_push(const clap_output_events_t* list, const clap_event_header_t* event) {
  (void)list, (void)event;
  return true;
}

// Messages of any kind, and a parameter that moves.
static void fill(Audio* audio, uint32_t frames) {
  audio->count = chance_below(&audio->seed, 5);
  memset(audio->events, 0, sizeof audio->events);
  for (uint32_t i = 0; i < audio->count; ++i) {
    Event* const event = &audio->events[i];
    const bool moves = chance_below(&audio->seed, 4) == 0;
    event->header.size = moves ? sizeof event->value : sizeof event->midi;
    event->header.type = moves ? CLAP_EVENT_PARAM_VALUE : CLAP_EVENT_MIDI;
    event->header.space_id = CLAP_CORE_EVENT_SPACE_ID;
    event->header.time = i * frames / 8;
    if (moves) {
      event->value.param_id = audio->param;
      event->value.value = chance_below(&audio->seed, 1000) / 1000.0;
    } else {
      chance_message(&audio->seed, event->midi.data);
    }
  }
}

static void* run(void* user) {
  Audio* const audio = (Audio*)user;
  static float out[2][MOST];
  float* data[2] = {out[0], out[1]};
  clap_audio_buffer_t buffer = {data, NULL, 2, 0, 0};
  const clap_input_events_t in = {audio, in_size, in_get};
  const clap_output_events_t back = {NULL, out_push};
  guard_prepare();
  for (double done = 0.0; done < audio->seconds * RATE;) {
    const uint32_t frames = 1 + chance_below(&audio->seed, MOST);
    clap_process_t process = {.frames_count = frames,
                              .audio_outputs = &buffer,
                              .audio_outputs_count = 1,
                              .in_events = &in,
                              .out_events = &back};
    fill(audio, frames);
    guard_enter(false);
    audio->plugin->process(audio->plugin, &process);
    if (audio->planted) {
      chance_plant();
    }
    audio->offences += guard_leave();
    audio->peak = chance_peak(audio->peak, out[0], frames);
    done += frames;
  }
  audio->over = true;
  return NULL;
}

// ---------------------------------------------------------------- claims

// Offences while the main thread loads states of this scene and of another; -1 where it is silent, or nothing was loaded.
static int play(const char* id, double seconds, bool planted) {
  static Kept own, other;
  static Audio audio;
  const clap_plugin_t *const plugin = make(id), *const second = make("jawari.two-strings");
  memset(&audio, 0, sizeof audio);
  if (!plugin || !second || !save(plugin, &own) || !save(second, &other)
      || !plugin->activate(plugin, RATE, 1, MOST)) {
    return -1;
  }
  const clap_plugin_params_t* const params =
      (const clap_plugin_params_t*)plugin->get_extension(plugin, CLAP_EXT_PARAMS);
  clap_param_info_t info;
  double value = 0.0;
  params->get_info(plugin, 0, &info);
  audio.plugin = plugin, audio.param = info.id, audio.seconds = seconds, audio.planted = planted,
  audio.seed = 1;
  plugin->start_processing(plugin);
  pthread_t thread;
  restarts = 0;
  if (pthread_create(&thread, NULL, run, &audio)) {
    return -1;
  }
  int loads = 0;
  bool good = true;
  while (!audio.over) {
    good = load(plugin, loads % 2 ? &own : &other) && params->get_value(plugin, info.id, &value)
           && good;
    ++loads;
  }
  pthread_join(thread, NULL);
  plugin->stop_processing(plugin);
  plugin->deactivate(plugin);
  // The scene that was loaded last sounds after the restart that was asked for
  good = good && restarts > 0 && plugin->activate(plugin, RATE, 1, MOST);
  printf("# %s: %d states loaded meanwhile, %d restarts asked for, peak %.3f\n", id, loads,
         restarts, (double)audio.peak);
  plugin->deactivate(plugin);
  plugin->destroy(plugin), second->destroy(second);
  return good && loads > 1 && audio.peak > 0.0f ? audio.offences : -1;
}

int main(int argc, char** argv) {
  static const char* const ids[] = {"jawari.tromba-small", "jawari.guitar", "jawari.tromba-small"};
  void* const loaded = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
  const clap_plugin_entry_t* const entry =
      loaded ? (const clap_plugin_entry_t*)dlsym(loaded, "clap_entry") : NULL;
  if (!entry || !entry->init(argv[1])) {
    puts("Bail out! usage: test_clap_realtime LIBRARY SECONDS");
    return 1;
  }
  factory = (const clap_plugin_factory_t*)entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
  int failed = 0;
  puts("1..3");
  for (int k = 0; k < 3; ++k) {
    const int offences = play(ids[k], k < 2 ? strtod(argv[2], NULL) : 0.5, k == 2);
    const bool good = k < 2 ? offences == 0 : offences > 0;
    printf("%sok %d - %s: %s\n# %d offences\n", good ? "" : "not ", k + 1, ids[k],
           k < 2 ? "scenes are loaded in the main thread, and no block offends"
                 : "an allocation that was planted is seen",
           offences);
    failed |= !good;
  }
  entry->deinit();
  dlclose(loaded);
  return failed;
}
