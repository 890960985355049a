// SPDX-License-Identifier: MIT
// LV2: every scene file in the bundle is a plug-in.
//
// A host tells the library its bundle's folder, and the library answers with a descriptor for each
// NAME.json in it: the plug-in urn:jawari:NAME.  `jawari lv2` writes the bundle.  Ports are, in this
// order: events in, left, right, latency, then the controls of the face (plug.h).
//
// Scenes are read when an instance is made and when a session is restored, never in run.

#include "plug.h"
#include "ports.h"

#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EVENTS 256 ///< Taken in one go; a block with more is run in parts
#define STATE_SCENE JW_LV2_PREFIX "state#scene"

typedef struct {
  JwPlug* plug;
  LV2_URID midi, scene, string, error;
  LV2_Log_Log* log;
  const LV2_Atom_Sequence* events;
  float* out[2];
  float* latency;
  const float* controls[JW_PLAY_MAX_CONTROLS];
  JwPlayerEvent held[MOST_EVENTS];
} Plugin;

// ---------------------------------------------------------------- the library of a bundle

typedef struct {
  LV2_Descriptor descriptor;
  char* uri;
  char* path;
} Entry;

typedef struct {
  LV2_Lib_Descriptor library;
  Entry* entries;
  uint32_t count;
} Library;

// ---------------------------------------------------------------- words

static void say(const Plugin* plugin, const char* uri, const char* message) {
  if (plugin->log) {
    plugin->log->printf(plugin->log->handle, plugin->error, "%s: %s\n", uri, message);
  } else {
    fprintf(stderr, "%s: %s\n", uri, message);
  }
}

static void take_features(Plugin* plugin, const LV2_Feature* const* features) {
  LV2_URID_Map* map = NULL;
  for (uint32_t i = 0; features && features[i]; ++i) {
    if (strcmp(features[i]->URI, LV2_URID__map) == 0) {
      map = (LV2_URID_Map*)features[i]->data;
    } else if (strcmp(features[i]->URI, LV2_LOG__log) == 0) {
      plugin->log = (LV2_Log_Log*)features[i]->data;
    }
  }
  if (map) {
    plugin->midi = map->map(map->handle, LV2_MIDI__MidiEvent);
    plugin->scene = map->map(map->handle, STATE_SCENE);
    plugin->string = map->map(map->handle, LV2_ATOM__String);
    plugin->error = map->map(map->handle, LV2_LOG__Error);
  }
}

// ---------------------------------------------------------------- an instance

static const Entry* entry_of(const LV2_Descriptor* descriptor) {
  return (const Entry*)(const void*)descriptor; // It is the first member
}

static LV2_Handle instantiate(const LV2_Descriptor* descriptor, double rate, const char* bundle,
                              const LV2_Feature* const* features) {
  (void)bundle; // Known since the library was opened
  Plugin* const plugin = (Plugin*)calloc(1, sizeof *plugin);
  if (!plugin) {
    return NULL;
  }
  take_features(plugin, features);
  char error[JW_ERROR_SIZE] = "the host cannot map words to numbers (urid:map)";
  const JwPlugDef def = {.file = entry_of(descriptor)->path, .rate = rate, .trial = true};
  if (!plugin->midi || jw_plug_open(&def, &plugin->plug, error)) {
    say(plugin, descriptor->URI, error);
    free(plugin);
    return NULL;
  }
  return plugin;
}

static void cleanup(LV2_Handle handle) {
  Plugin* const plugin = (Plugin*)handle;
  jw_plug_close(plugin->plug);
  free(plugin);
}

static void connect_port(LV2_Handle handle, uint32_t port, void* data) {
  Plugin* const plugin = (Plugin*)handle;
  switch (port) {
  case JW_LV2_EVENTS: plugin->events = (const LV2_Atom_Sequence*)data; break;
  case JW_LV2_LEFT: plugin->out[0] = (float*)data; break;
  case JW_LV2_RIGHT: plugin->out[1] = (float*)data; break;
  case JW_LV2_LATENCY: plugin->latency = (float*)data; break;
  default:
    if (port - JW_LV2_CONTROLS < jw_plug_face(plugin->plug)->count) {
      plugin->controls[port - JW_LV2_CONTROLS] = (const float*)data;
    }
  }
}

static void activate(LV2_Handle handle) {
  jw_plug_start(((Plugin*)handle)->plug);
}

// ---------------------------------------------------------------- run

static void move_controls(Plugin* plugin) {
  const uint32_t count = jw_plug_face(plugin->plug)->count;
  for (uint32_t i = 0; i < count; ++i) {
    if (plugin->controls[i]) {
      jw_plug_set(plugin->plug, i, (double)*plugin->controls[i]);
    }
  }
}

// A state that stops being finite is silent until the host starts again.
static void run_part(Plugin* plugin, uint32_t from, uint32_t to, uint32_t events) {
  float* const out[2] = {plugin->out[0] + from, plugin->out[1] + from};
  const JwPlayerBlock block = {out, NULL, to - from, plugin->held, events};
  (void)jw_plug_run(plugin->plug, &block);
}

static void run(LV2_Handle handle, uint32_t frames) {
  Plugin* const plugin = (Plugin*)handle;
  uint32_t count = 0, done = 0;
  move_controls(plugin);
  LV2_ATOM_SEQUENCE_FOREACH(plugin->events, event) {
    if (event->body.type != plugin->midi || event->body.size < 1 || event->body.size > 3) {
      continue;
    }
    const int64_t at = event->time.frames;
    const uint32_t frame = at < done ? done : at < frames ? (uint32_t)at : frames;
    if (count == MOST_EVENTS) {
      run_part(plugin, done, frame, count);
      done = frame, count = 0;
    }
    JwPlayerEvent* const to = &plugin->held[count++];
    to->frame = frame - done;
    to->size = (uint8_t)event->body.size;
    memcpy(to->data, (const uint8_t*)(event + 1), event->body.size);
  }
  run_part(plugin, done, frames, count);
  if (plugin->latency) {
    *plugin->latency = (float)jw_plug_info(plugin->plug).latency;
  }
}

// ---------------------------------------------------------------- state

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature* const* features) {
  (void)flags, (void)features;
  const Plugin* const plugin = (const Plugin*)handle;
  const char* const pack = jw_plug_pack(plugin->plug);
  return store(state, plugin->scene, pack, strlen(pack) + 1, plugin->string,
               LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}

// The host does not run the plug-in meanwhile (threading class "instantiation").
static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature* const* features) {
  (void)flags, (void)features;
  Plugin* const plugin = (Plugin*)handle;
  size_t size = 0;
  uint32_t type = 0, how = 0;
  const char* const pack = (const char*)retrieve(state, plugin->scene, &size, &type, &how);
  if (!pack) {
    return LV2_STATE_SUCCESS; // A preset, which leaves the scene alone
  }
  if (type != plugin->string || size == 0 || pack[size - 1] != 0) {
    say(plugin, STATE_SCENE, "the saved scene is no text");
    return LV2_STATE_ERR_BAD_TYPE;
  }
  char error[JW_ERROR_SIZE];
  if (jw_plug_restore(plugin->plug, pack, error)) {
    say(plugin, STATE_SCENE, error);
    return LV2_STATE_ERR_UNKNOWN;
  }
  return LV2_STATE_SUCCESS;
}

static const void* extension_data(const char* uri) {
  static const LV2_State_Interface state = {save, restore};
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

// ---------------------------------------------------------------- the scenes of a bundle

// In any order: hosts ask by index until there is no more, and compare names.
static const LV2_Descriptor* get_plugin(LV2_Lib_Handle handle, uint32_t index) {
  const Library* const library = (const Library*)handle;
  return index < library->count ? &library->entries[index].descriptor : NULL;
}

static void close_library(LV2_Lib_Handle handle) {
  Library* const library = (Library*)handle;
  for (uint32_t i = 0; i < library->count; ++i) {
    free(library->entries[i].uri);
    free(library->entries[i].path);
  }
  free(library->entries);
  free(library);
}

static char* join(const char* a, const char* b, const char* c, size_t c_size) {
  const size_t size = strlen(a) + strlen(b) + c_size + 1;
  char* const text = (char*)malloc(size);
  if (text) {
    snprintf(text, size, "%s%s%.*s", a, b, (int)c_size, c);
  }
  return text;
}

static bool add_scene(Library* library, const char* bundle, const char* file) {
  const size_t size = strlen(file), ending = strlen(".json");
  if (size <= ending || strcmp(file + size - ending, ".json") != 0) {
    return true;
  }
  Entry* const grown =
      (Entry*)realloc(library->entries, (library->count + 1) * sizeof *library->entries);
  if (!grown) {
    return false;
  }
  library->entries = grown;
  Entry* const entry = &grown[library->count++];
  const bool slash = bundle[0] && bundle[strlen(bundle) - 1] == '/';
  entry->uri = join(JW_LV2_PREFIX, "", file, size - ending);
  entry->path = join(bundle, slash ? "" : "/", file, size);
  const LV2_Descriptor descriptor = {entry->uri, instantiate, connect_port, activate,
                                     run,        NULL,        cleanup,      extension_data};
  entry->descriptor = descriptor;
  return entry->uri && entry->path;
}

LV2_SYMBOL_EXPORT const LV2_Lib_Descriptor* lv2_lib_descriptor(const char* bundle,
                                                               const LV2_Feature* const* features) {
  (void)features;
  Library* const library = (Library*)calloc(1, sizeof *library);
  DIR* const folder = library ? opendir(bundle) : NULL;
  bool good = folder != NULL;
  const struct dirent* item = NULL;
  while (good && (item = readdir(folder)) != NULL) {
    good = add_scene(library, bundle, item->d_name);
  }
  if (folder) {
    closedir(folder);
  }
  if (!good) {
    if (library) {
      close_library(library);
    }
    return NULL;
  }
  const LV2_Lib_Descriptor about = {library, sizeof about, close_library, get_plugin};
  library->library = about;
  return &library->library;
}
