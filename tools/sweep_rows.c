// SPDX-License-Identifier: MIT
// Rows as they come, in a file beside the output:
//
//   64 bytes    what the rows are of: the hash of the sweep, the shard, the size of a row
//   a row       its bytes, and a hash of them in 8 more
//
// A row is written in one go.  What a run that was ended has left half-written fails its hash, and is
// cut off by the next.

#include "tool.h"

#ifdef JW_WITH_HDF5

#include "crew.h"
#include "sweep_job.h"

#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 64u
#define MARK 8u // Bytes of a row's hash

static bool cannot(const JwRows* rows) {
  return jw_tool_fail("cannot write %s: %s", rows->path, strerror(errno ? errno : EIO));
}

static bool write_all(int fd, const char* bytes, size_t size, uint64_t at) {
  while (size > 0) {
    const ssize_t put = pwrite(fd, bytes, size, (off_t)at);
    if (put <= 0) {
      errno = put == 0 ? ENOSPC : errno;
      return false;
    }
    bytes += put;
    size -= (size_t)put;
    at += (uint64_t)put;
  }
  return true;
}

static bool read_all(int fd, char* bytes, size_t size, uint64_t at) {
  while (size > 0) {
    const ssize_t got = pread(fd, bytes, size, (off_t)at);
    if (got <= 0) {
      return false;
    }
    bytes += got;
    size -= (size_t)got;
    at += (uint64_t)got;
  }
  return true;
}

static void make_head(const JwSweepJob* job, char head[HEAD]) {
  char text[256], hex[65];
  snprintf(text, sizeof text, "%s %u/%u %llu", jw_sweep_hash(job->sweep), job->shard, job->shards,
           (unsigned long long)jw_sweep_row_size(job->sweep));
  jw_sha256(text, strlen(text), hex);
  memcpy(head, hex, HEAD);
}

static void mark_of(const void* row, size_t size, char mark[MARK]) {
  char hex[65];
  jw_sha256(row, size, hex);
  memcpy(mark, hex, MARK);
}

static void note(JwRows* rows, const JwSweepRow* row, uint64_t at) {
  rows->done += rows->places[row->point - rows->first] == 0;
  rows->failed += rows->places[row->point - rows->first] == 0 && row->status;
  rows->places[row->point - rows->first] = at;
}

// Up to the first row that is not whole.
static bool find_rows(JwRows* rows) {
  char* const row = (char*)malloc(rows->row_size + MARK);
  if (!row) {
    return jw_tool_fail("no memory");
  }
  for (rows->end = HEAD; read_all(rows->fd, row, rows->row_size + MARK, rows->end);
       rows->end += rows->row_size + MARK) {
    char mark[MARK];
    const JwSweepRow* const head = (const JwSweepRow*)(void*)row;
    mark_of(row, rows->row_size, mark);
    if (memcmp(mark, row + rows->row_size, MARK) != 0 || head->point < rows->first
        || head->point - rows->first >= rows->count) {
      break;
    }
    note(rows, head, rows->end);
  }
  free(row);
  return ftruncate(rows->fd, (off_t)rows->end) == 0 || cannot(rows);
}

// Two runs must not write one file.
static bool lock(const JwRows* rows) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(rows->fd, F_SETLK, &whole) == 0
         || jw_tool_fail("%s is being written by another run", rows->path);
}

static bool take_up(JwRows* rows, const JwSweepJob* job, const char head[HEAD]) {
  char before[HEAD];
  struct stat about;
  if (fstat(rows->fd, &about) != 0) {
    return cannot(rows);
  }
  if ((uint64_t)about.st_size < HEAD) { // New, or ended before it had begun
    rows->end = HEAD;
    return (ftruncate(rows->fd, 0) == 0 && write_all(rows->fd, head, HEAD, 0)) || cannot(rows);
  }
  if (!job->options->resume) {
    return jw_tool_fail("%s has points of an earlier run: go on with --resume, or remove it",
                        rows->path);
  }
  if (!read_all(rows->fd, before, HEAD, 0) || memcmp(before, head, HEAD) != 0) {
    return jw_tool_fail("%s is of another sweep, scene, shard or version: remove it to begin anew",
                        rows->path);
  }
  return find_rows(rows);
}

bool jw_rows_open(JwRows* rows, const JwSweepJob* job) {
  char head[HEAD];
  errno = 0;
  make_head(job, head);
  rows->fd = -1;
  rows->row_size = jw_sweep_row_size(job->sweep);
  rows->first = jw_shard_first(jw_sweep_points(job->sweep), job->shard, job->shards);
  rows->count =
      jw_shard_first(jw_sweep_points(job->sweep), job->shard + 1, job->shards) - rows->first;
  rows->places = (uint64_t*)calloc(rows->count + 1, sizeof(uint64_t));
  if (!rows->places) {
    return jw_tool_fail("no memory");
  }
  if (snprintf(rows->path, PATH_MAX, "%s.rows", job->output) >= PATH_MAX) {
    return jw_tool_fail("cannot write %s: its path is too long", job->output);
  }
  rows->fd = open(rows->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (rows->fd < 0) {
    return cannot(rows);
  }
  return lock(rows) && take_up(rows, job, head);
}

bool jw_rows_add(JwRows* rows, const void* row) {
  char mark[MARK];
  mark_of(row, rows->row_size, mark);
  errno = 0;
  if (!write_all(rows->fd, (const char*)row, rows->row_size, rows->end)
      || !write_all(rows->fd, mark, MARK, rows->end + rows->row_size)) {
    const int cause = errno;
    const bool cut = ftruncate(rows->fd, (off_t)rows->end) == 0;
    errno = cause;
    return cannot(rows) && cut;
  }
  note(rows, (const JwSweepRow*)row, rows->end);
  rows->end += rows->row_size + MARK;
  return true;
}

bool jw_rows_read(const JwRows* rows, uint64_t index, void* row) {
  return read_all(rows->fd, (char*)row, rows->row_size, rows->places[index])
         || jw_tool_fail("cannot read %s: %s", rows->path, strerror(errno ? errno : EIO));
}

void jw_rows_close(JwRows* rows, bool keep) {
  if (rows->fd >= 0) {
    if (!keep || rows->end == HEAD) {
      unlink(rows->path);
    }
    close(rows->fd);
  }
  free(rows->places);
}

#endif
