// SPDX-License-Identifier: MIT
// A folder that appears whole or not at all.

// nftw belongs to POSIX with its extensions.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700

#include "folder.h"

#include "tool.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int remove_one(const char* path, const struct stat* about, int kind, struct FTW* where) {
  (void)about, (void)kind, (void)where;
  return remove(path);
}

static bool remove_tree(const char* path) {
  return nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0;
}

static bool fail(const JwOutFolder* folder, const char* why) {
  return jw_tool_fail("cannot write %s: %s", folder->name, why);
}

// Replace nothing but what was written here before.
static bool may_replace(JwOutFolder* folder, const char* mark) {
  struct stat about;
  char inside[PATH_MAX];
  if (lstat(folder->name, &about) != 0) {
    return errno == ENOENT || fail(folder, strerror(errno));
  }
  if (!S_ISDIR(about.st_mode)) {
    return fail(folder, "it is there and no folder");
  }
  const int length = snprintf(inside, sizeof inside, "%s/%s", folder->name, mark);
  if (length >= (int)sizeof inside || stat(inside, &about) != 0) {
    return jw_tool_fail("cannot write %s: it is a folder without %s; only what jawari wrote is "
                        "replaced",
                        folder->name, mark);
  }
  folder->replaces = true;
  return true;
}

// "folder/.name.XXXXXX"
static bool beside(const JwOutFolder* folder, char path[PATH_MAX]) {
  const char* const slash = strrchr(folder->name, '/');
  const int before = slash ? (int)(slash - folder->name) + 1 : 0;
  return snprintf(path, PATH_MAX, "%.*s.%.200s.XXXXXX", before, folder->name, folder->name + before)
         < PATH_MAX;
}

static bool make_part(const JwOutFolder* folder, char path[PATH_MAX]) {
  if (!beside(folder, path)) {
    return fail(folder, "its path is too long");
  }
  if (!mkdtemp(path)) {
    path[0] = 0;
    return fail(folder, strerror(errno));
  }
  const mode_t mask = umask(0);
  umask(mask);
  chmod(path, 0777 & ~mask); // mkdtemp makes folders for the user alone
  return true;
}

bool jw_folder_open(JwOutFolder* folder, const char* path, const char* mark) {
  memset(folder, 0, sizeof *folder);
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') {
    --length;
  }
  if (length == 0 || length >= PATH_MAX) {
    return jw_tool_fail("cannot write: a folder's path has from 1 to %d bytes", PATH_MAX - 1);
  }
  snprintf(folder->name, sizeof folder->name, "%.*s", (int)length, path);
  return may_replace(folder, mark) && make_part(folder, folder->part);
}

bool jw_folder_path(const JwOutFolder* folder, const char* name, char path[PATH_MAX]) {
  if (snprintf(path, PATH_MAX, "%s/%s", folder->part, name) >= PATH_MAX) {
    return fail(folder, "a path in it is too long");
  }
  for (char* slash = path + strlen(folder->part) + 1; (slash = strchr(slash, '/')); ++slash) {
    *slash = 0;
    const bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) {
      return fail(folder, strerror(errno));
    }
  }
  return true;
}

bool jw_folder_write(const JwOutFolder* folder, const char* name, const void* data, size_t size) {
  char path[PATH_MAX];
  if (!jw_folder_path(folder, name, path)) {
    return false;
  }
  FILE* const file = fopen(path, "wb");
  bool good = file && fwrite(data, 1, size, file) == size;
  const int cause = errno;
  good = file && fclose(file) == 0 && good;
  return good || fail(folder, strerror(cause ? cause : errno));
}

bool jw_folder_commit(JwOutFolder* folder) {
  char old[PATH_MAX] = "";
  bool good = true;
  if (folder->replaces) { // An empty folder is replaced by rename
    good = make_part(folder, old) && rename(folder->name, old) == 0;
  }
  if (good && rename(folder->part, folder->name) == 0) {
    folder->part[0] = 0;
  } else {
    good = fail(folder, strerror(errno));
    if (old[0]) {
      rename(old, folder->name); // Back where it was, if it was moved
    }
  }
  if (good && old[0] && !remove_tree(old)) {
    jw_tool_warn("what was there before is left in %s: %s", old, strerror(errno));
  }
  jw_folder_cancel(folder);
  return good;
}

void jw_folder_cancel(JwOutFolder* folder) {
  if (folder->part[0]) {
    remove_tree(folder->part);
    folder->part[0] = 0;
  }
}
