// SPDX-License-Identifier: MIT
// What is in the library: the built-in instruments, and every scene file in the folder beside it
// that has its name, jawari.clap and jawari/*.json.

#include "clap.h"

#include <jawari/builtin.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef JW_INSTRUMENTS
#error "the build says which built-in scenes are instruments"
#endif

// A host opens the library once, whoever asks; entry.init and deinit come in pairs.
static JwClapScene* scenes;
static uint32_t scene_count;
static char folder[4096]; ///< Beside the library; "" where there is none

static JwClapScene* add(const char* name, size_t size) {
  JwClapScene* const grown = (JwClapScene*)realloc(scenes, (scene_count + 1) * sizeof *scenes);
  if (!grown) {
    return NULL;
  }
  scenes = grown;
  JwClapScene* const scene = &scenes[scene_count];
  memset(scene, 0, sizeof *scene);
  if (snprintf(scene->id, sizeof scene->id, "jawari.%.*s", (int)size, name)
      >= (int)sizeof scene->id) {
    return NULL;
  }
  ++scene_count;
  return scene;
}

static bool add_builtins(void) {
  for (const char* at = JW_INSTRUMENTS; *at; at += strspn(at, " ")) {
    const size_t size = strcspn(at, " ");
    JwClapScene* const scene = add(at, size);
    const JwBuiltinScene* const builtin =
        scene ? jw_builtin_find(scene->id + strlen("jawari.")) : NULL;
    if (!builtin) {
      return false;
    }
    scene->builtin = builtin->name;
    snprintf(scene->name, sizeof scene->name, "%s", builtin->title);
    at += size;
  }
  return true;
}

// Its title, if it can be read; what is wrong with one that cannot is said when it is wanted.
static void title_of(JwClapScene* scene) {
  JwScene* read = NULL;
  const bool good = jw_scene_load(scene->file, NULL, &read) == JW_STATUS_OK;
  const char* const title = good ? jw_scene_info(read).title : "";
  snprintf(scene->name, sizeof scene->name, "%s", title[0] ? title : scene->id + strlen("jawari."));
  jw_scene_destroy(read);
}

static bool is_taken(const char* file, size_t size) {
  for (uint32_t i = 0; i < scene_count; ++i) {
    const char* const name = scenes[i].id + strlen("jawari.");
    if (strlen(name) == size && memcmp(name, file, size) == 0) {
      return true;
    }
  }
  return false;
}

static void add_file(const char* file) {
  const size_t size = strlen(file), ending = strlen(".json");
  if (size <= ending || strcmp(file + size - ending, ".json") != 0) {
    return;
  }
  if (is_taken(file, size - ending)) {
    fprintf(stderr, "jawari.clap: %s/%s: a built-in instrument has its name\n", folder, file);
    return;
  }
  const size_t room = strlen(folder) + size + 2;
  char* const path = (char*)malloc(room);
  JwClapScene* const scene = path ? add(file, size - ending) : NULL;
  if (!scene) {
    free(path);
    return;
  }
  snprintf(path, room, "%s/%s", folder, file);
  scene->file = path;
  title_of(scene);
}

static void add_files(const char* plugin_path) {
  const size_t size = strlen(plugin_path), ending = strlen(".clap");
  folder[0] = '\0';
  if (size <= ending || size >= sizeof folder
      || strcmp(plugin_path + size - ending, ".clap") != 0) {
    return;
  }
  snprintf(folder, sizeof folder, "%.*s", (int)(size - ending), plugin_path);
  DIR* const items = opendir(folder);
  const struct dirent* item = NULL;
  while (items && (item = readdir(items)) != NULL) {
    add_file(item->d_name);
  }
  if (items) {
    closedir(items);
  } else {
    folder[0] = '\0';
  }
}

const char* jw_clap_folder(void) {
  return folder[0] ? folder : NULL;
}

// After the list is complete, because the descriptors point into it.
static void describe(void) {
  static const char* features[] = {CLAP_PLUGIN_FEATURE_INSTRUMENT, CLAP_PLUGIN_FEATURE_SYNTHESIZER,
                                   CLAP_PLUGIN_FEATURE_STEREO, NULL};
  for (uint32_t i = 0; i < scene_count; ++i) {
    JwClapScene* const scene = &scenes[i];
    const clap_plugin_descriptor_t about = {.clap_version = CLAP_VERSION_INIT,
                                            .id = scene->id,
                                            .name = scene->name,
                                            .vendor = "jawari",
                                            .url = "",
                                            .manual_url = "",
                                            .support_url = "",
                                            .version = jw_version(),
                                            .description = "Things that vibrate and collide",
                                            .features = features};
    memcpy(&scene->about, &about, sizeof about);
  }
}

static void deinit(void) {
  for (uint32_t i = 0; i < scene_count; ++i) {
    free(scenes[i].file);
  }
  free(scenes);
  scenes = NULL;
  scene_count = 0;
}

static bool init(const char* plugin_path) {
  deinit();
  if (!add_builtins()) {
    deinit();
    return false;
  }
  add_files(plugin_path);
  describe();
  return true;
}

// ---------------------------------------------------------------- factory

static uint32_t count(const clap_plugin_factory_t* factory) {
  (void)factory;
  return scene_count;
}

static const clap_plugin_descriptor_t* get(const clap_plugin_factory_t* factory, uint32_t index) {
  (void)factory;
  return index < scene_count ? &scenes[index].about : NULL;
}

static const clap_plugin_t* create(const clap_plugin_factory_t* factory, const clap_host_t* host,
                                   const char* id) {
  (void)factory;
  if (!clap_version_is_compatible(host->clap_version)) {
    return NULL;
  }
  for (uint32_t i = 0; i < scene_count; ++i) {
    if (strcmp(scenes[i].id, id) == 0) {
      return jw_clap_create(&scenes[i], host);
    }
  }
  return NULL;
}

static const void* get_factory(const char* id) {
  static const clap_plugin_factory_t factory = {count, get, create};
  if (strcmp(id, CLAP_PRESET_DISCOVERY_FACTORY_ID) == 0
      || strcmp(id, CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT) == 0) {
    return &jw_clap_preset_factory;
  }
  return strcmp(id, CLAP_PLUGIN_FACTORY_ID) == 0 ? &factory : NULL;
}

CLAP_EXPORT const clap_plugin_entry_t clap_entry = {CLAP_VERSION_INIT, init, deinit, get_factory};
