// SPDX-License-Identifier: MIT
// Which file a path leads to: device and inode, so that another spelling, a link or a second name
// is no way around.

#include "identity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  dev_t device;
  ino_t inode;
  const char* name; // In the folder that these are of; "" when they are of the file itself
} Identity;

static bool stat_of(const char* path, struct stat* about) {
  return strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, about) == 0 : stat(path, about) == 0;
}

// False for what is no regular file, and for paths that lead nowhere at all.
static bool identify(const char* path, Identity* identity) {
  struct stat about;
  identity->name = "";
  if (!stat_of(path, &about)) {
    const char* const slash = strrchr(path, '/');
    char* const folder =
        slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    const bool there = folder && stat(folder, &about) == 0 && S_ISDIR(about.st_mode);
    free(folder);
    identity->name = slash ? slash + 1 : path;
    if (!there) {
      return false;
    }
  } else if (!S_ISREG(about.st_mode)) {
    return false;
  }
  identity->device = about.st_dev;
  identity->inode = about.st_ino;
  return true;
}

bool jw_same_file(const char* a, const char* b) {
  Identity one, two;
  return identify(a, &one) && identify(b, &two) && one.device == two.device
         && one.inode == two.inode && strcmp(one.name, two.name) == 0;
}

// "folder/name".
static char* join(const char* folder, size_t length, const char* name) {
  const size_t size = length + strlen(name) + 2;
  char* const path = (char*)malloc(size);
  if (path) {
    snprintf(path, size, "%.*s%s%s", (int)length, folder,
             length && folder[length - 1] != '/' ? "/" : "", name);
  }
  return path;
}

bool jw_read_files(JwReadFiles* files, const char* name, const char* folder, const JwScene* scene) {
  memset(files, 0, sizeof *files);
  files->paths[files->count++] = name;
  const char* const slash = strrchr(name, '/');
  const char* const place = folder ? folder : name;
  const size_t length = folder ? strlen(folder) : slash ? (size_t)(slash - name) + 1 : 0;
  for (uint32_t i = 1; i < jw_scene_files(scene) && files->count < JW_READ_MOST; ++i) {
    char* const path = join(place, length, jw_scene_file(scene, i).name);
    if (!path) {
      return jw_tool_fail("no memory");
    }
    files->joined[files->count] = path;
    files->paths[files->count++] = path;
  }
  return true;
}

void jw_read_files_free(JwReadFiles* files) {
  for (uint32_t i = 0; i < files->count; ++i) {
    free(files->joined[i]);
  }
}

bool jw_keeps_inputs(const JwReadFiles* files, const char* output) {
  for (uint32_t i = 0; i < files->count && strcmp(output, "-") != 0; ++i) {
    if (jw_same_file(files->paths[i], output)) {
      const bool same = strcmp(files->paths[i], output) == 0;
      return jw_tool_misuse("%s is read by this command%s%s; it would be overwritten", output,
                            same ? "" : " as ",
                            same                                ? ""
                            : strcmp(files->paths[i], "-") == 0 ? "standard input"
                                                                : files->paths[i]);
    }
  }
  return true;
}
