// SPDX-License-Identifier: MIT
// Scenes from files.  A scene may include files of its own folder and below; a link that leads out
// of it is refused like any other way out.

// realpath belongs to POSIX with its extensions.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700

#include "scene/scene.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif

/// Where a path really leads; false if nowhere.  Without links there is nothing to resolve.
static bool real_path(const char* path, char out[PATH_MAX]) {
#if defined(__wasm__)
  return snprintf(out, PATH_MAX, "%s", path) < PATH_MAX;
#elif defined(_WIN32)
  const bool good = _fullpath(out, path, PATH_MAX) != NULL;
  for (char* at = out; good && *at; ++at) {
    *at = *at == '\\' ? '/' : *at;
  }
  return good;
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

/// The size of a file, or something above `most`; or `*size` bytes of it into `text`.
static JwStatus read_bytes(const char* path, uint64_t most, char* text, size_t* size) {
  FILE* const file = fopen(path, "rb");
  if (!file) {
    return JW_STATUS_IO;
  }
  size_t count = 0;
  if (text) {
    count = fread(text, 1, *size, file);
  } else {
    char block[4096];
    for (size_t got = 1; got > 0 && count <= most; count += got) {
      got = fread(block, 1, sizeof block, file);
    }
  }
  const bool failed = ferror(file) != 0;
  fclose(file);
  const bool changed = text && count != *size;
  *size = count;
  return failed || changed ? JW_STATUS_IO : JW_STATUS_OK;
}

/// The end of a path's folder, or NULL.
static const char* last_separator(const char* path) {
  const char* const slash = strrchr(path, '/');
#if defined(_WIN32)
  const char* const other = strrchr(path, '\\');
  return !slash || (other && other > slash) ? other : slash;
#else
  return slash;
#endif
}

/// Where a scene may include from, and how much.
typedef struct {
  const char* folder;
  uint64_t most;
} Home;

/// A JwSceneReader; `user` is the scene's home.
static JwStatus read_inside(void* user, const char* path, char* text, size_t* size) {
  const Home* const home = (const Home*)user;
  char joined[PATH_MAX], inside[PATH_MAX], target[PATH_MAX];
  if (snprintf(joined, sizeof joined, "%s/%s", home->folder, path) >= (int)sizeof joined
      || !real_path(home->folder, inside) || !real_path(joined, target)) {
    return JW_STATUS_IO;
  }
  const size_t length = strcmp(inside, "/") == 0 ? 0 : strlen(inside);
  if (strncmp(inside, target, length) != 0 || target[length] != '/') {
    return JW_STATUS_IO;
  }
  return read_bytes(target, home->most, text, size);
}

JwStatus jw_scene_parse_in(const char* folder, const char* text, size_t size,
                           const JwSceneOptions* options, JwScene** scene) {
  JwSceneOptions own = options ? *options : jw_scene_options();
  Home home = {folder, own.limits.bytes};
  own.read = folder ? read_inside : NULL;
  own.user = &home;
  return jw_scene_parse(text, size, &own, scene);
}

/// Read all of a file and parse it; on failure `errno` says why.
static JwStatus load(const char* path, const JwSceneOptions* options, JwScene** scene) {
  const uint64_t most = options->limits.bytes < SIZE_MAX / 2 ? options->limits.bytes : SIZE_MAX / 2;
  size_t size = 0;
  JwStatus status = read_bytes(path, most, NULL, &size);
  if (status) {
    return status;
  }
  size = size > most ? (size_t)most + 1 : size;
  char* const text = (char*)options->allocator.allocate(options->allocator.user, size + 1);
  if (!text) {
    return JW_STATUS_NO_MEMORY;
  }
  status = read_bytes(path, most, text, &size);
  status = status ? status : jw_scene_parse(text, size, options, scene);
  options->allocator.release(options->allocator.user, text);
  return status;
}

JwStatus jw_scene_load(const char* path, const JwSceneOptions* options, JwScene** scene) {
  char folder[PATH_MAX];
  JwSceneOptions own = options ? *options : jw_scene_options();
  own.file = path;
  if (!scene) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!path) {
    return jw_scene_unread(&own, "it has no name", scene);
  }
  const char* const slash = last_separator(path);
  const size_t length = slash ? (size_t)(slash - path) : 0;
  *scene = NULL;
  if (length + 2 > sizeof folder) {
    return jw_scene_unread(&own, "its path is too long", scene);
  }
  const char* const top = slash ? "/" : "."; // Where the path names no folder
  snprintf(folder, sizeof folder, "%.*s%s", (int)length, path, length ? "" : top);
  Home home = {folder, own.limits.bytes};
  own.read = read_inside;
  own.user = &home;
  errno = 0;
  const JwStatus status = load(path, &own, scene);
  if (status == JW_STATUS_IO) {
    return jw_scene_unread(&own, errno ? strerror(errno) : "it changed while it was read", scene);
  }
  return status;
}
