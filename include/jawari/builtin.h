// SPDX-License-Identifier: MIT
// jawari/builtin.h: scenes that the library carries, and the schema of their format.
//
//   JwScene* scene = NULL;
//   jw_builtin_load("guitar", NULL, &scene);
#ifndef JAWARI_BUILTIN_H
#define JAWARI_BUILTIN_H

#include <jawari/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char* name;  ///< "tromba-marina": the file's name without ".json"
  const char* title; ///< One line
  const char* group; ///< "instruments", "experiments" or "papers"
  const char* text;  ///< The file, ended by a zero
  size_t size;
} JwBuiltinScene;

/// All of them, by name; `count` NULL: not wanted.
JW_API const JwBuiltinScene* jw_builtin_scenes(uint32_t* count);

/// The scene of this name, with or without ".json", or NULL.
JW_API const JwBuiltinScene* jw_builtin_find(const char* name);

/// A JwSceneReader: what built-in scenes include are built-in scenes.
JW_API JwStatus jw_builtin_read(void* user, const char* path, char* text, size_t* size);

/// Read a built-in scene by its name.  `options` NULL: the defaults; its `file`, `read` and `user`
/// are not used. JW_STATUS_IO for a name that none has, with a diagnostic that has the nearest.
JW_API JW_MUST_USE JwStatus jw_builtin_load(const char* name, const JwSceneOptions* options,
                                            JwScene** scene);

/// The JSON Schema of the scene format, for editors; ended by a zero.
JW_API const char* jw_scene_schema(void);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_BUILTIN_H
