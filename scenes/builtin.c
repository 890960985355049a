// Find and parse built-in scenes; embed.c wrote the table.

#include "builtin.h"

#include <string.h>

const JwBuiltinScene* jw_builtin_find(const char* name)
{
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  const size_t length = strlen(name);
  const size_t bare = length > 5 && strcmp(name + length - 5, ".json") == 0 ? length - 5 : length;
  for (uint32_t i = 0; i < count; ++i) {
    if (strlen(scenes[i].name) == bare && memcmp(scenes[i].name, name, bare) == 0) {
      return &scenes[i];
    }
  }
  return NULL;
}

JwStatus jw_builtin_read(void* user, const char* path, char* text, size_t* size)
{
  (void)user;
  const JwBuiltinScene* const scene = jw_builtin_find(path);
  if (!scene) {
    return JW_STATUS_IO;
  }
  *size = scene->size;
  if (text) {
    memcpy(text, scene->text, scene->size);
  }
  return JW_STATUS_OK;
}

JwStatus jw_builtin_parse(const JwBuiltinScene* builtin, JwScene** scene)
{
  JwSceneOptions options = jw_scene_options();
  options.file = builtin->name;
  options.read = jw_builtin_read;
  return jw_scene_parse(builtin->text, builtin->size, &options, scene);
}
