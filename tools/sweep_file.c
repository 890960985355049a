// SPDX-License-Identifier: MIT
// A sweep as one HDF5 file: a line a point, in the order of the points.
//
//   point                      number of the point, the scale of all others
//   rattle.stiffness ...       what varied
//   status, reason             0, or why there is no result
//   peak, f0, sound ...        results
//
// Joined shards have the same tables, whose rows are those of the shards' files.

#include "tool.h"

#ifdef JW_WITH_HDF5

#include "crew.h"
#include "sweep_job.h"

#include "h5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SCALES 64

typedef struct {
  const JwSweepJob* job;
  JwH5File* file;
  JwH5Rows parts; // Of doubles
  JwH5Table *point, *status, *reason;
  JwH5Table* axes[JW_SWEEP_MAX_AXES];
  JwH5Table* results[JW_SWEEP_MAX_RESULTS];
  const JwSweepScale* scales[MOST_SCALES];
  JwH5Table* made[MOST_SCALES];
  uint32_t scale_count;
} File;

// ---------------------------------------------------------------- tables

static JwH5Table* make_scale(File* f, const JwSweepScale* scale) {
  const JwH5Def def = {scale->name, scale->unit, scale->help, {NULL}};
  if (scale->values) {
    return jw_h5_scale(f->file, &def, scale->values, scale->count);
  }
  const char** const names = (const char**)calloc(scale->count + 1u, sizeof(char*));
  for (uint32_t i = 0; i < scale->count && names; ++i) {
    names[i] = scale->names[i];
  }
  JwH5Table* const made = names ? jw_h5_names(f->file, &def, names, scale->count) : NULL;
  free((void*)names);
  return made;
}

static JwH5Table* scale_of(File* f, const JwSweepScale* scale) {
  for (uint32_t i = 0; i < f->scale_count; ++i) {
    if (f->scales[i] == scale) {
      return f->made[i];
    }
  }
  if (f->scale_count == MOST_SCALES) {
    return NULL;
  }
  f->scales[f->scale_count] = scale;
  f->made[f->scale_count] = make_scale(f, scale);
  return f->made[f->scale_count++];
}

// A table with one row a point.
static JwH5Table* make_table(File* f, const JwH5Def* def, JwH5Type type) {
  JwH5Rows rows = f->parts;
  rows.type = type;
  return jw_h5_table_of(f->file, def, &rows);
}

static bool make_result(File* f, uint32_t index) {
  const JwSweepResult* const result = jw_sweep_result(f->job->sweep, index);
  JwH5Def def = {result->name, result->unit, result->help, {f->point}};
  for (uint32_t i = 0; i < JW_SWEEP_RANK && result->scales[i]; ++i) {
    def.scales[i + 1] = scale_of(f, result->scales[i]);
    if (!def.scales[i + 1]) {
      return false;
    }
  }
  f->results[index] = make_table(f, &def, result->single ? JW_H5_FLOATS : JW_H5_DOUBLES);
  return f->results[index] != NULL;
}

static bool make_axis(File* f, uint32_t index) {
  const JwSweep* const sweep = f->job->sweep;
  const JwH5Def def = {
      jw_sweep_axis_name(sweep, index), jw_sweep_axis_unit(sweep, index), "varied", {f->point}};
  f->axes[index] = make_table(f, &def, JW_H5_DOUBLES);
  return f->axes[index] && jw_h5_text(f->axes[index], "role", "parameter");
}

static bool make_tables(File* f) {
  const JwH5Def point = {"point", "1", "number of the point", {NULL}};
  f->point = make_table(f, &point, JW_H5_DOUBLES);
  const JwH5Def status = {"status", "1", "0: computed; else why not, see reason", {f->point}};
  f->status = f->point ? make_table(f, &status, JW_H5_DOUBLES) : NULL;
  const JwH5Def reason = {"reason", "1", "why the point has no results", {f->point}};
  f->reason = f->status ? make_table(f, &reason, JW_H5_TEXTS) : NULL;
  bool good = f->reason != NULL;
  for (uint32_t i = 0; i < jw_sweep_axes(f->job->sweep) && good; ++i) {
    good = make_axis(f, i);
  }
  for (uint32_t i = 0; i < jw_sweep_results(f->job->sweep) && good; ++i) {
    good = make_result(f, i);
  }
  return good;
}

// ---------------------------------------------------------------- rows

static bool put_row(File* f, const char* row) {
  const JwSweep* const sweep = f->job->sweep;
  const JwSweepRow* const head = (const JwSweepRow*)(const void*)row;
  const double point = (double)head->point, status = (double)head->status;
  double values[JW_SWEEP_MAX_AXES];
  jw_sweep_values(sweep, head->point, values);
  bool good = jw_h5_append(f->point, &point, 1) && jw_h5_append(f->status, &status, 1)
              && jw_h5_append(f->reason, head->reason, 1);
  for (uint32_t i = 0; i < jw_sweep_axes(sweep) && good; ++i) {
    good = jw_h5_append(f->axes[i], &values[i], 1);
  }
  for (uint32_t i = 0; i < jw_sweep_results(sweep) && good; ++i) {
    good = jw_h5_append(f->results[i], row + jw_sweep_result(sweep, i)->offset, 1);
  }
  return good;
}

static bool put_rows(File* f) {
  const JwRows* const rows = &f->job->rows;
  char* const row = (char*)malloc(rows->row_size);
  bool good = row != NULL;
  for (uint64_t i = 0; i < rows->count && good; ++i) {
    good = jw_rows_read(rows, i, row) && put_row(f, row);
  }
  free(row);
  return good;
}

// ---------------------------------------------------------------- the file

static const char* last_name(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Nothing of how the points were computed: workers, order and interruptions leave the same bytes.
static bool make_origin(const JwSweepJob* job, JwOrigin* origin) {
  const JwOriginDef def = {.name = jw_sweep_scene_name(job->sweep),
                           .scene = jw_sweep_scene(job->sweep),
                           .rate = jw_sweep_rate(job->sweep),
                           .oversample = jw_sweep_oversample(job->sweep),
                           .sounds = true};
  char command[PATH_MAX + 16];
  if (!jw_origin_make(origin, &def)) {
    return false;
  }
  snprintf(command, sizeof command, "jawari sweep %s", last_name(job->options->file));
  free(origin->values[JW_ORIGIN_COMMAND]);
  origin->values[JW_ORIGIN_COMMAND] = strdup(command);
  return origin->values[JW_ORIGIN_COMMAND] != NULL || jw_tool_fail("no memory");
}

static bool put_notes(const File* f) {
  char shard[32];
  f->parts.count ? (void)snprintf(shard, sizeof shard, "joined")
                 : (void)snprintf(shard, sizeof shard, "%u/%u", f->job->shard, f->job->shards);
  return jw_h5_note(f->file, "sweep", f->job->text)
         && jw_h5_note(f->file, "sweep_hash", jw_sweep_hash(f->job->sweep))
         && jw_h5_note(f->file, "shard", shard);
}

static bool fill(File* f, const JwOutFile* out, const JwOrigin* origin) {
  errno = 0;
  f->file = jw_h5_create(out->part, origin);
  bool good = f->file && put_notes(f) && make_tables(f) && (f->parts.count || put_rows(f));
  good = f->file && jw_h5_close(f->file) && good;
  return good || jw_tool_fail("cannot write %s: %s", out->name, jw_tool_cause());
}

static bool write_to(File* f, const char* path) {
  JwOrigin origin;
  JwOutFile out;
  memset(&origin, 0, sizeof origin);
  bool good = make_origin(f->job, &origin) && jw_out_open(&out, path);
  if (good && fill(f, &out, &origin)) {
    good = jw_out_commit(&out);
  } else if (good) {
    jw_out_cancel(&out);
    good = false;
  }
  jw_origin_free(&origin);
  return good;
}

bool jw_sweep_write(const JwSweepJob* job) {
  File file = {.job = job};
  return write_to(&file, job->output);
}

static bool has_note(const char* path, const char* key, const char* text) {
  char* const found = jw_h5_read_note(path, key);
  const bool same = found && strcmp(found, text) == 0;
  free(found);
  return same;
}

bool jw_sweep_is_whole(const JwSweepJob* job, const char* path, const char* shard) {
  return has_note(path, "sweep_hash", jw_sweep_hash(job->sweep)) && has_note(path, "shard", shard);
}

// ---------------------------------------------------------------- join

static bool check_shard(const JwSweepJob* job, const char* path, uint32_t* missing) {
  char* const hash = jw_h5_read_note(path, "sweep_hash");
  const bool same = !hash || strcmp(hash, jw_sweep_hash(job->sweep)) == 0;
  if (!hash) {
    jw_tool_warn("%s is missing: its points read as NaN until it is there", path);
    ++*missing;
  }
  free(hash);
  return same || jw_tool_fail("%s is of another sweep, scene or version", path);
}

bool jw_sweep_join(const JwSweepJob* job) {
  const uint32_t count = job->options->join;
  const uint64_t points = jw_sweep_points(job->sweep);
  char(*const paths)[PATH_MAX] = (char(*)[PATH_MAX])malloc((size_t)count * PATH_MAX);
  const char** const names = (const char**)malloc(count * sizeof(char*));
  uint64_t* const rows = (uint64_t*)malloc(count * sizeof(uint64_t));
  uint32_t missing = 0;
  bool good = (paths && names && rows) || jw_tool_fail("no memory");
  for (uint32_t i = 0; i < count && good; ++i) {
    good =
        jw_shard_path(paths[i], job->output, i + 1, count) && check_shard(job, paths[i], &missing);
    names[i] = last_name(paths[i]);
    rows[i] = jw_shard_first(points, i + 2, count) - jw_shard_first(points, i + 1, count);
  }
  File file = {.job = job, .parts = {JW_H5_DOUBLES, names, rows, count}};
  good = good && write_to(&file, job->output);
  if (good && !job->options->quiet) {
    printf("%s: %llu points in %u files, %u missing\n", job->output, (unsigned long long)points,
           count, missing);
  }
  free(rows);
  free((void*)names);
  free(paths);
  return good;
}

#endif
