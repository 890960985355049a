// SPDX-License-Identifier: MIT
// Built-in scenes by their names; scenes/embed.c wrote the table.

#include "scene/names.h"
#include "scene/scene.h"

#include <jawari/builtin.h>

#include <stdio.h>
#include <string.h>

const JwBuiltinScene* jw_builtin_find(const char* name) {
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  const size_t length = name ? strlen(name) : 0;
  const size_t bare = length > 5 && strcmp(name + length - 5, ".json") == 0 ? length - 5 : length;
  for (uint32_t i = 0; name && i < count; ++i) {
    if (strlen(scenes[i].name) == bare && memcmp(scenes[i].name, name, bare) == 0) {
      return &scenes[i];
    }
  }
  return NULL;
}

JwStatus jw_builtin_read(void* user, const char* path, char* text, size_t* size) {
  (void)user;
  const JwBuiltinScene* const scene = jw_builtin_find(path);
  if (!scene || !size) {
    return JW_STATUS_IO;
  }
  *size = scene->size;
  if (text) {
    memcpy(text, scene->text, scene->size);
  }
  return JW_STATUS_OK;
}

static JwStatus unknown(const char* name, const JwSceneOptions* options, JwScene** scene) {
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  JwNearest nearest = {name, NULL, UINT32_MAX};
  for (uint32_t i = 0; i < count; ++i) {
    jw_nearest_try(&nearest, scenes[i].name);
  }
  char why[JW_ERROR_SIZE / 2];
  snprintf(why, sizeof why, "no built-in scene is called \"%.64s\"%s%s%s", name,
           nearest.found ? "; did you mean \"" : "", nearest.found ? nearest.found : "",
           nearest.found ? "\"?" : "");
  return jw_scene_unread(options, why, scene);
}

JwStatus jw_builtin_load(const char* name, const JwSceneOptions* options, JwScene** scene) {
  if (!scene) {
    return JW_STATUS_BAD_VALUE;
  }
  const JwBuiltinScene* const builtin = jw_builtin_find(name);
  JwSceneOptions own = options ? *options : jw_scene_options();
  own.file = builtin ? builtin->name : name;
  own.read = jw_builtin_read;
  own.user = NULL;
  return builtin ? jw_scene_parse(builtin->text, builtin->size, &own, scene)
                 : unknown(name ? name : "", &own, scene);
}
