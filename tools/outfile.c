// SPDX-License-Identifier: MIT
// A file that appears whole or not at all.

// realpath belongs to POSIX with its extensions.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700

#include "outfile.h"

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names of the temporary files that exist now, for a signal handler: the only state of the process
// that is not passed along.  An entry is cleared before its file gets its final name.
#define MOST_PARTS 24
static char parts[MOST_PARTS][PATH_MAX];

static void note_part(const char* path) {
  for (int i = 0; i < MOST_PARTS; ++i) {
    if (!parts[i][0]) {
      snprintf(parts[i], PATH_MAX, "%s", path);
      return;
    }
  }
}

static void forget_part(const char* path) {
  for (int i = 0; i < MOST_PARTS; ++i) {
    if (strcmp(parts[i], path) == 0) {
      parts[i][0] = '\0';
    }
  }
}

void jw_out_abandon(void) {
  for (int i = 0; i < MOST_PARTS; ++i) {
    if (parts[i][0]) {
      unlink(parts[i]);
    }
  }
}

static const char* temporary_folder(void) {
  const char* const folder = getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

// "folder/.name.XXXXXX", or false when that is too long.
static bool part_name(const JwOutFile* out, char part[PATH_MAX]) {
  const char* const slash = strrchr(out->target, '/');
  const int folder = slash ? (int)(slash - out->target) + 1 : 0;
  const int length = out->copies ? snprintf(part, PATH_MAX, "%s/jawari.XXXXXX", temporary_folder())
                                 : snprintf(part, PATH_MAX, "%.*s.%.200s.XXXXXX", folder,
                                            out->target, out->target + folder);
  return length < PATH_MAX;
}

// mkstemp makes files for the user alone; give the mode that a plain open would have given.
static void set_mode(const JwOutFile* out) {
  struct stat about;
  const mode_t mask = umask(0);
  umask(mask);
  const bool exists = stat(out->target, &about) == 0;
  if (fchmod(out->fd, exists ? about.st_mode & 07777 : 0666 & ~mask) != 0) {
    errno = 0; // Some file systems have no modes
  }
}

static bool resolve(JwOutFile* out, const char* path) {
  struct stat about;
  out->copies = strcmp(path, "-") == 0;
  snprintf(out->name, sizeof out->name, "%s", out->copies ? "standard output" : path);
  snprintf(out->target, sizeof out->target, "%s", path);
  if (out->copies || stat(path, &about) != 0) {
    return true;
  }
  if (S_ISDIR(about.st_mode)) {
    return jw_tool_fail("cannot write %s: it is a folder", path);
  }
  if (access(path, W_OK) != 0) { // Renaming would get around the file's own protection
    return jw_tool_fail("cannot write %s: %s", path, strerror(errno));
  }
  out->copies = !S_ISREG(about.st_mode);
  char* const real = realpath(path, NULL);
  if (real && strlen(real) < PATH_MAX) {
    snprintf(out->target, sizeof out->target, "%s", real);
  }
  free(real);
  return true;
}

bool jw_out_open(JwOutFile* out, const char* path) {
  memset(out, 0, sizeof *out);
  out->fd = -1;
  char part[PATH_MAX];
  if (strlen(path) >= PATH_MAX) {
    return jw_tool_fail("cannot write: the path has more than %d bytes", PATH_MAX - 1);
  }
  if (!resolve(out, path)) {
    return false;
  }
  if (!part_name(out, part)) {
    return jw_tool_fail("cannot write %s: its path is too long", out->name);
  }
  out->fd = mkstemp(part);
  if (out->fd < 0) {
    return jw_tool_fail("cannot write %s: %s", out->name, strerror(errno));
  }
  snprintf(out->part, sizeof out->part, "%s", part);
  note_part(part);
  set_mode(out);
  return true;
}

FILE* jw_out_stream(JwOutFile* out) {
  const int fd = dup(out->fd);
  FILE* const file = fd < 0 ? NULL : fdopen(fd, "w+b");
  if (!file) {
    jw_tool_fail("cannot write %s: %s", out->name, strerror(errno));
  }
  return file;
}

void jw_out_cancel(JwOutFile* out) {
  if (out->part[0]) {
    close(out->fd);
    unlink(out->part);
    forget_part(out->part);
    out->part[0] = '\0';
  }
}

static bool copy(FILE* from, FILE* to) {
  char block[65536];
  size_t got = 0;
  while ((got = fread(block, 1, sizeof block, from)) > 0) {
    if (fwrite(block, 1, got, to) != got) {
      return false;
    }
  }
  return !ferror(from) && fflush(to) == 0;
}

static bool copy_out(JwOutFile* out) {
  const bool is_stdout = strcmp(out->target, "-") == 0;
  FILE* const from = fopen(out->part, "rb");
  FILE* const to = is_stdout ? stdout : fopen(out->target, "wb");
  bool good = from && to && copy(from, to);
  const int cause = errno;
  if (from) {
    fclose(from);
  }
  if (to && !is_stdout) {
    good = fclose(to) == 0 && good;
  }
  if (!good) {
    clearerr(stdout); // Said here, once
    jw_tool_fail("cannot write %s: %s", out->name, strerror(cause ? cause : errno));
  }
  return good;
}

bool jw_out_commit(JwOutFile* out) {
  bool good = true;
  errno = 0;
  if (!out->part[0]) {
    return true; // It went to its target directly
  }
  if (out->copies) {
    good = copy_out(out);
  } else if (fsync(out->fd) != 0 && errno != EINVAL && errno != ENOSYS) {
    good = jw_tool_fail("cannot write %s: %s", out->name, strerror(errno));
  } else {
    forget_part(out->part);
    good = close(out->fd) == 0; // Before it is renamed, which Windows wants
    out->fd = -1;
    good = good && rename(out->part, out->target) == 0;
    if (!good) {
      jw_tool_fail("cannot write %s: %s", out->name, strerror(errno));
    } else {
      out->part[0] = '\0';
    }
  }
  jw_out_cancel(out);
  return good;
}

FILE* jw_out_direct(JwOutFile* out) {
  const bool is_stdout = strcmp(out->target, "-") == 0;
  jw_out_cancel(out);
  const int fd = is_stdout ? dup(STDOUT_FILENO) : open(out->target, O_WRONLY);
  FILE* const file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!file) {
    jw_tool_fail("cannot write %s: %s", out->name, strerror(errno));
  }
  return file;
}

FILE* jw_out_scratch(const char* path) {
  JwOutFile out;
  if (!jw_out_open(&out, path)) {
    return NULL;
  }
  FILE* const file = jw_out_stream(&out);
  jw_out_cancel(&out); // The stream keeps the bytes, the name is gone
  return file;
}
