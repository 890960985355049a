// Scenes from files.  A scene may include files of its own folder and below; a link that leads out
// of it is refused like any other way out.

// realpath belongs to POSIX with its extensions.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700

#include "scene/json.h"

#include <jawari/scene.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/// Where a path really leads; false if nowhere.  Without links there is nothing to resolve.
static bool real_path(const char* path, char out[PATH_MAX])
{
#if defined(__wasm__)
  return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
#else
  char* const found = realpath(path, NULL);
  const bool good = found && strlen(found) < PATH_MAX;
  if (good) {
    strcpy(out, found);
  }
  free(found);
  return good;
#endif
}

/// The size of a file, or at most `capacity` bytes of it into `text`.
static JwStatus read_bytes(const char* path, char* text, size_t* size)
{
  FILE* const file = fopen(path, "rb");
  if (!file) {
    return JW_STATUS_IO;
  }
  size_t count = 0;
  if (text) {
    count = fread(text, 1, *size, file);
  } else {
    char block[4096];
    for (size_t got = 1; got > 0 && count <= JW_JSON_MAX_BYTES; count += got) {
      got = fread(block, 1, sizeof block, file);
    }
  }
  const bool failed = ferror(file) != 0;
  fclose(file);
  const bool changed = text && count != *size;
  *size = count;
  return failed || changed ? JW_STATUS_IO : JW_STATUS_OK;
}

/// A JwSceneReader; `user` is the scene's folder.
static JwStatus read_inside(void* user, const char* path, char* text, size_t* size)
{
  const char* const folder = (const char*)user;
  char joined[PATH_MAX], home[PATH_MAX], target[PATH_MAX];
  if (snprintf(joined, sizeof joined, "%s/%s", folder, path) >= (int)sizeof joined ||
      !real_path(folder, home) || !real_path(joined, target)) {
    return JW_STATUS_IO;
  }
  const size_t length = strcmp(home, "/") == 0 ? 0 : strlen(home);
  if (strncmp(home, target, length) != 0 || target[length] != '/') {
    return JW_STATUS_IO;
  }
  return read_bytes(target, text, size);
}

JwStatus jw_scene_load(const char* path, const JwSceneOptions* options, JwScene** scene)
{
  char folder[PATH_MAX];
  const char* const slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash - path) : 0;
  *scene = NULL;
  if (length + 2 > sizeof folder) {
    return JW_STATUS_IO;
  }
  snprintf(folder, sizeof folder, "%.*s%s", (int)length, path, slash ? (length ? "" : "/") : ".");
  JwSceneOptions own = options ? *options : jw_scene_options();
  own.file = path;
  own.read = read_inside;
  own.user = folder;
  size_t size = 0;
  JwStatus status = read_bytes(path, NULL, &size);
  if (status) {
    return status;
  }
  const size_t kept = size > JW_JSON_MAX_BYTES ? JW_JSON_MAX_BYTES + 1 : size;
  char* const text = (char*)own.allocator.allocate(own.allocator.user, kept + 1);
  if (!text) {
    return JW_STATUS_NO_MEMORY;
  }
  size = kept;
  status = read_bytes(path, text, &size);
  status = status ? status : jw_scene_parse(text, size, &own, scene);
  own.allocator.release(own.allocator.user, text);
  return status;
}
