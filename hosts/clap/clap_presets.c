// SPDX-License-Identifier: MIT
// Presets: those of the built-in instruments, inside of the library, and those in files *.preset in
// the folder beside it, a line each: "SCENE/NAME: control=value, ...".  A line that begins with # is
// none.  The key by which a host loads one is "SCENE/NAME".

#include "clap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef JW_PRESETS
#error "the build says which presets there are"
#endif

#define LONGEST 65536u // Bytes of a file

// ---------------------------------------------------------------- lists of presets

// All of a place, lines ended by `*end`; to be freed.  NULL with a sentence.
static char* read_place(uint32_t kind, const char* location, char* end, char error[JW_ERROR_SIZE]) {
  const bool inside = kind == CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN;
  char* const text = (char*)calloc(1, LONGEST + 2);
  *end = inside ? '|' : '\n';
  if (text && inside) {
    snprintf(text, LONGEST, "%s", JW_PRESETS);
    return text;
  }
  FILE* const file = text && location ? fopen(location, "rb") : NULL;
  const size_t size = file ? fread(text, 1, LONGEST + 1, file) : 0;
  const bool good = file && !ferror(file) && size <= LONGEST && !memchr(text, 0, size);
  if (!good) {
    snprintf(error, JW_ERROR_SIZE, "%.200s: %s", location ? location : "no file",
             !text            ? "no memory"
             : !file          ? "cannot be opened"
             : size > LONGEST ? "has more than 65536 bytes"
                              : "cannot be read as text");
  }
  if (file) {
    fclose(file);
  }
  if (!good) {
    free(text);
  }
  return good ? text : NULL;
}

// The line at `*rest`, ended by a zero, and on to the next; NULL at the end.  Empty lines and
// comments are passed over.
static const char* next_line(char** rest, char end) {
  while (**rest) {
    char* const line = *rest;
    char* const stop = strchr(line, end);
    *rest = stop ? stop + 1 : line + strlen(line);
    if (stop) {
      *stop = '\0';
    }
    line[strcspn(line, "\r")] = '\0';
    if (line[0] && line[0] != '#') {
      return line;
    }
  }
  return NULL;
}

static void key_of(const JwPreset* preset, char key[2 * JW_PRESET_NAME]) {
  snprintf(key, 2 * JW_PRESET_NAME, "%s/%s", preset->scene, preset->name);
}

// ---------------------------------------------------------------- discovery

static bool describe(const clap_preset_discovery_metadata_receiver_t* receiver, const char* line) {
  JwPreset preset;
  char error[JW_ERROR_SIZE], key[2 * JW_PRESET_NAME], id[JW_PRESET_NAME + 8];
  if (!jw_preset_name(line, &preset, error) || !preset.scene[0]) {
    receiver->on_error(receiver, 0, preset.name[0] ? "a preset here wants SCENE/NAME: ..." : error);
    return true;
  }
  key_of(&preset, key);
  snprintf(id, sizeof id, "jawari.%s", preset.scene);
  const clap_universal_plugin_id_t plugin = {"clap", id};
  if (!receiver->begin_preset(receiver, preset.name, key)) {
    return false;
  }
  receiver->add_plugin_id(receiver, &plugin);
  receiver->add_feature(receiver, CLAP_PLUGIN_FEATURE_INSTRUMENT);
  return true;
}

static bool get_metadata(const clap_preset_discovery_provider_t* provider, uint32_t kind,
                         const char* location,
                         const clap_preset_discovery_metadata_receiver_t* receiver) {
  (void)provider;
  char error[JW_ERROR_SIZE], end = 0;
  char* const text = read_place(kind, location, &end, error);
  if (!text) {
    receiver->on_error(receiver, errno, error);
    return false;
  }
  char* rest = text;
  for (const char* line = next_line(&rest, end); line && describe(receiver, line);) {
    line = next_line(&rest, end);
  }
  free(text);
  return true;
}

static bool init(const clap_preset_discovery_provider_t* provider) {
  const clap_preset_discovery_indexer_t* const indexer =
      (const clap_preset_discovery_indexer_t*)provider->provider_data;
  const clap_preset_discovery_filetype_t type = {
      "Presets of jawari", "Lines of SCENE/NAME: control=value, ...", "preset"};
  const clap_preset_discovery_location_t inside = {CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT,
                                                   "Built in",
                                                   CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, NULL};
  const clap_preset_discovery_location_t own = {CLAP_PRESET_DISCOVERY_IS_USER_CONTENT, "Your own",
                                                CLAP_PRESET_DISCOVERY_LOCATION_FILE,
                                                jw_clap_folder()};
  return indexer->declare_location(indexer, &inside)
         && (!own.location
             || (indexer->declare_filetype(indexer, &type)
                 && indexer->declare_location(indexer, &own)));
}

static void destroy(const clap_preset_discovery_provider_t* provider) {
  union {
    const clap_preset_discovery_provider_t* from;
    void* to;
  } own = {provider};
  free(own.to);
}

static const void* no_extension(const clap_preset_discovery_provider_t* provider, const char* id) {
  (void)provider, (void)id;
  return NULL;
}

static const clap_preset_discovery_provider_descriptor_t about = {
    CLAP_VERSION_INIT, "jawari.presets", "jawari", "jawari"};

static uint32_t count(const clap_preset_discovery_factory_t* factory) {
  (void)factory;
  return 1;
}

static const clap_preset_discovery_provider_descriptor_t*
get_descriptor(const clap_preset_discovery_factory_t* factory, uint32_t index) {
  (void)factory;
  return index == 0 ? &about : NULL;
}

static const clap_preset_discovery_provider_t*
create(const clap_preset_discovery_factory_t* factory,
       const clap_preset_discovery_indexer_t* indexer, const char* id) {
  (void)factory;
  clap_preset_discovery_provider_t* const provider =
      strcmp(id, about.id) == 0 ? (clap_preset_discovery_provider_t*)calloc(1, sizeof *provider)
                                : NULL;
  if (provider) {
    union {
      const clap_preset_discovery_indexer_t* from;
      void* to;
    } data = {indexer};
    const clap_preset_discovery_provider_t made = {&about,  data.to,      init,
                                                   destroy, get_metadata, no_extension};
    memcpy(provider, &made, sizeof made);
  }
  return provider;
}

const clap_preset_discovery_factory_t jw_clap_preset_factory = {count, get_descriptor, create};

// ---------------------------------------------------------------- loading

// The values behind a key; false with a sentence.
static bool find(const JwClap* self, char* text, char end, const char* wanted, JwPreset* preset,
                 char error[JW_ERROR_SIZE]) {
  char key[2 * JW_PRESET_NAME];
  char* rest = text;
  for (const char* line = next_line(&rest, end); line; line = next_line(&rest, end)) {
    const char* const values = jw_preset_name(line, preset, error);
    key_of(preset, key);
    if (values && strcmp(key, wanted) == 0) {
      return jw_preset_values(values, &self->face, preset, error);
    }
  }
  snprintf(error, JW_ERROR_SIZE, "there is no preset \"%.200s\"", wanted);
  return false;
}

static bool load(JwClap* self, uint32_t kind, const char* location, const char* key,
                 char error[JW_ERROR_SIZE]) {
  char end = 0;
  JwPreset preset;
  if (!key || strncmp(key, self->scene->id + strlen("jawari."), strcspn(key, "/")) != 0
      || strlen(self->scene->id + strlen("jawari.")) != strcspn(key, "/")) {
    snprintf(error, JW_ERROR_SIZE, "the preset \"%.200s\" is of another instrument",
             key ? key : "");
    return false;
  }
  char* const text = read_place(kind, location, &end, error);
  const bool good = text && find(self, text, end, key, &preset, error);
  free(text);
  if (!good) {
    return false;
  }
  for (uint32_t i = 0; i < self->face.count; ++i) {
    atomic_store(&self->base[i], self->face.controls[i].initial);
  }
  for (uint32_t i = 0; i < preset.count; ++i) {
    atomic_store(&self->base[preset.controls[i]], preset.values[i]);
  }
  return true;
}

// The host shows other values, and which preset they are; or hears why not.
static bool from_location(const clap_plugin_t* plugin, uint32_t kind, const char* location,
                          const char* key) {
  JwClap* const self = jw_clap_of(plugin);
  const clap_host_t* const host = self->host;
  const clap_host_params_t* const params =
      (const clap_host_params_t*)host->get_extension(host, CLAP_EXT_PARAMS);
  const clap_host_preset_load_t* presets =
      (const clap_host_preset_load_t*)host->get_extension(host, CLAP_EXT_PRESET_LOAD);
  if (!presets) {
    presets =
        (const clap_host_preset_load_t*)host->get_extension(host, CLAP_EXT_PRESET_LOAD_COMPAT);
  }
  char error[JW_ERROR_SIZE];
  errno = 0;
  if (!load(self, kind, location, key, error)) {
    if (presets) {
      presets->on_error(host, kind, location, key, errno, error);
    } else {
      jw_clap_say(self, error);
    }
    return false;
  }
  if (params) {
    params->rescan(host, CLAP_PARAM_RESCAN_VALUES);
  }
  if (presets) {
    presets->loaded(host, kind, location, key);
  }
  return true;
}

const clap_plugin_preset_load_t jw_clap_preset_load = {from_location};
