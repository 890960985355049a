// The scenes of this folder, carried inside the program.
#ifndef JAWARI_SCENES_BUILTIN_H
#define JAWARI_SCENES_BUILTIN_H

#include <jawari/scene.h>

typedef struct {
  const char* name;  ///< "tromba-marina": the file's name without ".json"
  const char* title; ///< One line
  const char* text;  ///< The file, ended by a zero
  size_t size;
} JwBuiltinScene;

/// All of them, by name.
const JwBuiltinScene* jw_builtin_scenes(uint32_t* count);

/// The scene of this name, with or without ".json", or NULL.
const JwBuiltinScene* jw_builtin_find(const char* name);

/// Reads what a built-in scene includes: another built-in scene.
JwStatus jw_builtin_read(void* user, const char* path, char* text, size_t* size);

/// Parse a built-in scene.
JW_MUST_USE JwStatus jw_builtin_parse(const JwBuiltinScene* builtin, JwScene** scene);

#endif // JAWARI_SCENES_BUILTIN_H
