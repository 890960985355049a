// SPDX-License-Identifier: MIT
// A scene and what it includes as one text: "jawari-pack 1", then, of each file, a line with the
// bytes of its text and its name, the text itself, and the end of a line.

#include "plug.h"

#include <jawari/builtin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "jawari-pack 1\n"

// What another installation has too need not travel: a built-in scene that is the same.
static bool is_builtin(const JwSceneFile* file) {
  const JwBuiltinScene* const builtin = jw_builtin_find(file->name);
  return builtin && builtin->size == file->size
         && memcmp(builtin->text, file->text, file->size) == 0;
}

// The last part of a path: what includes say is beside the scene.
static const char* base_of(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char* jw_pack_write(const JwScene* scene) {
  const uint32_t count = jw_scene_files(scene);
  size_t size = sizeof FIRST_LINE;
  for (uint32_t i = 0; i < count; ++i) {
    const JwSceneFile file = jw_scene_file(scene, i);
    size += file.size + strlen(file.name ? file.name : "scene") + 32;
  }
  char* const pack = (char*)malloc(size);
  if (!pack) {
    return NULL;
  }
  size_t at = (size_t)snprintf(pack, size, FIRST_LINE);
  for (uint32_t i = 0; i < count; ++i) {
    const JwSceneFile file = jw_scene_file(scene, i);
    if (i > 0 && is_builtin(&file)) {
      continue;
    }
    at += (size_t)snprintf(pack + at, size - at, "%zu %s\n", file.size,
                           i == 0 ? base_of(file.name ? file.name : "scene") : file.name);
    memcpy(pack + at, file.text, file.size);
    at += file.size;
    pack[at++] = '\n';
  }
  pack[at] = 0;
  return pack;
}

static bool refuse(char error[JW_ERROR_SIZE], const char* why) {
  snprintf(error, JW_ERROR_SIZE, "the saved scene cannot be read: %s", why);
  return false;
}

// A number of at most nine digits, and the blank behind it.
static bool read_size(const char** at, size_t* size) {
  const char* c = *at;
  for (*size = 0; *c >= '0' && *c <= '9' && c - *at < 9; ++c) {
    *size = *size * 10 + (size_t)(*c - '0');
  }
  const bool good = c > *at && *c == ' ';
  *at = c + good;
  return good;
}

bool jw_pack_next(const char** rest, JwPackFile* file, char error[JW_ERROR_SIZE]) {
  const char* at = *rest;
  error[0] = 0;
  if (strncmp(at, FIRST_LINE, strlen(FIRST_LINE)) == 0) {
    at += strlen(FIRST_LINE);
  } else if (*at == 0) {
    return false;
  }
  if (!read_size(&at, &file->text_size)) {
    return refuse(error, "the line with its size is missing");
  }
  const char* const end = strchr(at, '\n');
  if (!end || end == at) {
    return refuse(error, "a text in it has no name");
  }
  file->name = at;
  file->name_size = (size_t)(end - at);
  file->text = end + 1;
  if (strnlen(file->text, file->text_size + 1) <= file->text_size
      || file->text[file->text_size] != '\n') {
    return refuse(error, "a text in it is shorter than it says");
  }
  *rest = file->text + file->text_size + 1;
  return true;
}

JwStatus jw_pack_read(void* user, const char* path, char* text, size_t* size) {
  const char* rest = (const char*)user;
  JwPackFile file;
  char error[JW_ERROR_SIZE];
  while (jw_pack_next(&rest, &file, error)) {
    if (file.name_size == strlen(path) && memcmp(file.name, path, file.name_size) == 0) {
      *size = file.text_size;
      if (text) {
        memcpy(text, file.text, file.text_size);
      }
      return JW_STATUS_OK;
    }
  }
  return jw_builtin_read(NULL, path, text, size);
}
