// SPDX-License-Identifier: MIT
// The sounds of a data set, by a crew of workers, each with a world of its own: into a folder, into a
// list of hashes, or to be compared with one.

#include "crew.h"
#include "dataset_job.h"
#include "origin.h"
#include "sha256.h"
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// What a worker makes; the row of the sound follows.
typedef struct {
  char hash[65];
  int error; // errno of a file that could not be written
} Piece;

#define ROW_AT ((sizeof(Piece) + 15) / 16 * 16)

// ---------------------------------------------------------------- pieces

static bool has(void* user, uint64_t piece) {
  return ((const JwDatasetJob*)user)->sounds[piece].state != JW_SOUND_WANTED;
}

static JwStatus make(void* user, uint64_t piece, void* room) {
  const JwDatasetJob* const job = (const JwDatasetJob*)user;
  Piece* const made = (Piece*)room;
  char* const row = (char*)room + ROW_AT;
  const JwDatasetPlace place = jw_dataset_place(job->data, job->first + piece);
  const JwStatus status = jw_sweep_compute(place.sweep, place.point, jw_stop_wanted, row);
  memset(made, 0, sizeof *made);
  if (status || ((const JwSweepRow*)(void*)row)->status) {
    return status;
  }
  const float* const samples = (const float*)(void*)(row + jw_sweep_result(place.sweep, 0)->offset);
  jw_sha256(samples, jw_wav_size(place.sweep), made->hash);
  char path[PATH_MAX];
  if (job->stores && jw_dataset_path(job, job->first + piece, path)
      && !jw_wav_write(path, place.sweep, samples)) {
    made->error = errno ? errno : EIO;
  }
  return JW_STATUS_OK;
}

static bool keep(void* user, uint64_t piece, const void* room) {
  JwDatasetJob* const job = (JwDatasetJob*)user;
  JwDatasetSound* const sound = &job->sounds[piece];
  const Piece* const made = (const Piece*)room;
  const JwSweepRow* const row = (const JwSweepRow*)(const void*)((const char*)room + ROW_AT);
  if (made->error) {
    return jw_tool_fail("cannot write sound %llu into %s: %s",
                        (unsigned long long)(job->first + piece), job->options->output,
                        strerror(made->error));
  }
  sound->state = row->status ? JW_SOUND_FAILED : JW_SOUND_WHOLE;
  memcpy(sound->hash, made->hash, sizeof sound->hash);
  if (row->status) {
    sound->reason = strdup(row->reason);
    ++job->failed;
  }
  return !row->status || sound->reason || jw_tool_fail("no memory");
}

// ---------------------------------------------------------------- the folder

// What the sounds are of: with it and the same version, anybody can make them again.
static void put_about(const JwDatasetJob* job, FILE* file) {
  fprintf(file, "{\n  \"hash\": \"%s\",\n  \"version\": \"%s\",\n  \"dataset\": ",
          jw_dataset_hash(job->data), jw_version());
  jw_origin_json(job->text, file);
  fputs(",\n  \"scenes\": {", file);
  for (uint32_t i = 0; i < jw_dataset_instruments(job->data); ++i) {
    const JwScene* const scene = jw_sweep_scene(jw_dataset_sweep(job->data, i));
    fputs(i ? ",\n    " : "\n    ", file);
    jw_origin_json(jw_dataset_instrument(job->data, i), file);
    for (uint32_t k = 0; k < jw_scene_files(scene); ++k) {
      fputs(k ? ", " : ": [", file);
      jw_origin_json(jw_scene_file(scene, k).text, file);
    }
    fputs("]", file);
  }
  fputs("\n  }\n}\n", file);
}

// The temporary name is the same each time, as that of sounds is.
static bool write_about(const JwDatasetJob* job, const char* path) {
  char part[PATH_MAX + 8];
  snprintf(part, sizeof part, "%s.part", path);
  FILE* const file = fopen(part, "wb");
  if (file) {
    put_about(job, file);
  }
  const bool put = file && !ferror(file);
  if (!file || fclose(file) != 0 || !put || rename(part, path) != 0) {
    jw_tool_fail("cannot write %s: %s", path, strerror(errno));
    unlink(part);
    rmdir(job->options->output); // It was made for this, and is empty
    return false;
  }
  return true;
}

// Nothing is in it, or what a run that was killed at its very start has left.
static bool is_fresh(const char* folder) {
  DIR* const list = opendir(folder);
  bool fresh = list != NULL;
  for (const struct dirent* entry = list ? readdir(list) : NULL; entry && fresh;
       entry = readdir(list)) {
    fresh = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0
            || strcmp(entry->d_name, "about.json.part") == 0;
  }
  if (list) {
    closedir(list);
  }
  return fresh;
}

// The hash that a folder's about.json begins with; false where there is none.
static bool read_about(const char* path, char hash[65]) {
  FILE* const file = fopen(path, "r");
  const bool found = file && fscanf(file, " { \"hash\" : \"%64[0-9a-f]\"", hash) == 1;
  if (file) {
    fclose(file);
  }
  return found;
}

static bool open_folder(const JwDatasetJob* job) {
  const JwDatasetOptions* const o = job->options;
  char path[PATH_MAX], hash[65] = "";
  if (snprintf(path, PATH_MAX, "%s/about.json", o->output) >= PATH_MAX) {
    return jw_tool_fail("%s: the path is too long", o->output);
  }
  if (mkdir(o->output, 0777) == 0 || (errno == EEXIST && is_fresh(o->output))) {
    return write_about(job, path);
  }
  if (errno != EEXIST) {
    return jw_tool_fail("cannot make the folder %s: %s", o->output, strerror(errno));
  }
  if (!read_about(path, hash)) {
    return jw_tool_fail("%s is there already, and no data set: remove it, or choose another folder",
                        o->output);
  }
  if (strcmp(hash, jw_dataset_hash(job->data)) != 0) {
    return jw_tool_fail("%s has another data set (%.16s...): remove it, or choose another folder",
                        o->output, hash);
  }
  return o->resume || job->shards > 1
         || jw_tool_fail("%s has sounds of this data set: go on with --resume, or remove it",
                         o->output);
}

static void find_sounds(JwDatasetJob* job) {
  char path[PATH_MAX];
  for (uint64_t i = 0; i < job->count && job->options->resume; ++i) {
    const JwSweep* const sweep = jw_dataset_place(job->data, job->first + i).sweep;
    if (jw_dataset_path(job, job->first + i, path)
        && jw_wav_hash(path, sweep, job->sounds[i].hash)) {
      job->sounds[i].state = JW_SOUND_WHOLE;
    }
  }
}

// ---------------------------------------------------------------- what is asked for

static int run_crew(JwDatasetJob* job) {
  const JwCrewDef crew = {.what = "sounds",
                          .count = job->count,
                          .workers = job->options->workers,
                          .room = ROW_AT + job->row_size,
                          .quiet = job->options->quiet,
                          .user = job,
                          .has = has,
                          .make = make,
                          .keep = keep,
                          .failed = &job->failed};
  uint64_t made = 0;
  const JwCrewEnd end = jw_crew_run(&crew, &made);
  if (end == JW_CREW_STOPPED && !job->options->quiet) {
    fprintf(stderr, "jawari: stopped after %llu of %llu sounds%s\n", (unsigned long long)made,
            (unsigned long long)job->count, job->stores ? "; --resume goes on" : "");
  }
  return end == JW_CREW_DONE      ? JW_EXIT_OK
         : end == JW_CREW_STOPPED ? JW_EXIT_STOPPED
                                  : JW_EXIT_FAILED;
}

// The reason of the first sound that failed: often that of all.
static void warn_of_failed(const JwDatasetJob* job) {
  for (uint64_t i = 0; i < job->count && job->failed; ++i) {
    if (job->sounds[i].state == JW_SOUND_FAILED) {
      jw_tool_warn("%llu of %llu sounds failed; sound %llu: %s", (unsigned long long)job->failed,
                   (unsigned long long)job->count, (unsigned long long)(job->first + i),
                   job->sounds[i].reason);
      return;
    }
  }
}

static int make_folder(JwDatasetJob* job) {
  job->stores = true;
  if (!open_folder(job)) {
    return JW_EXIT_FAILED;
  }
  find_sounds(job);
  const int status = run_crew(job);
  if (status) {
    return status;
  }
  if (!jw_dataset_write_list(job)) {
    return JW_EXIT_FAILED;
  }
  warn_of_failed(job);
  if (!job->options->quiet) {
    printf("%s: %llu sounds, %llu failed, data set %s\n", job->options->output,
           (unsigned long long)job->count, (unsigned long long)job->failed,
           jw_dataset_hash(job->data));
  }
  return JW_EXIT_OK;
}

static int print_list(JwDatasetJob* job) {
  const int status = run_crew(job);
  for (uint64_t i = 0; i < job->count && !status; ++i) {
    jw_dataset_line(job, job->first + i, stdout);
  }
  return status;
}

static int compare(const JwDatasetJob* job, char (*const expected)[65]) {
  uint64_t listed = 0, same = 0;
  for (uint64_t i = 0; i < job->count; ++i) {
    const JwDatasetSound* const sound = &job->sounds[i];
    const bool asked = sound->state != JW_SOUND_SKIPPED;
    const bool equal = asked && strcmp(sound->hash, expected[i]) == 0;
    listed += asked;
    same += equal;
    if (asked && !equal && listed - same <= 10) {
      fprintf(stderr, "jawari: sound %llu differs: %s in %s, %s here\n",
              (unsigned long long)(job->first + i), *expected[i] ? expected[i] : "failed",
              job->options->check, *sound->hash ? sound->hash : "failed");
    }
  }
  printf("%s: %llu of %llu sounds are the same\n", job->options->check, (unsigned long long)same,
         (unsigned long long)listed);
  return same == listed && listed ? JW_EXIT_OK : JW_EXIT_FAILED;
}

static int check_list(JwDatasetJob* job) {
  char(*expected)[65] = NULL;
  int status = jw_dataset_read_list(job, &expected) ? run_crew(job) : JW_EXIT_FAILED;
  status = status ? status : compare(job, expected);
  free(expected);
  return status;
}

// One sound, into a file.
static int make_item(JwDatasetJob* job) {
  char* const room = (char*)malloc(ROW_AT + job->row_size);
  if (!room || make(job, 0, room)) {
    jw_tool_fail("no memory, or it was stopped");
    free(room);
    return JW_EXIT_FAILED;
  }
  const JwSweep* const sweep = jw_dataset_place(job->data, job->first).sweep;
  const bool failed = ((const JwSweepRow*)(void*)(room + ROW_AT))->status;
  bool good = keep(job, 0, room);
  if (failed) {
    good = jw_tool_fail("sound %llu: %s", (unsigned long long)job->first, job->sounds[0].reason);
  } else if (!jw_wav_write(
                 job->options->output, sweep,
                 (const float*)(void*)(room + ROW_AT + jw_sweep_result(sweep, 0)->offset))) {
    good = jw_tool_fail("cannot write %s: %s", job->options->output, strerror(errno));
  }
  if (good && !job->options->quiet) {
    jw_dataset_line(job, job->first, stdout);
  }
  free(room);
  return good ? JW_EXIT_OK : JW_EXIT_FAILED;
}

int jw_dataset_run(JwDatasetJob* job) {
  const JwDatasetOptions* const o = job->options;
  jw_stop_catch();
  return o->item    ? make_item(job)
         : o->check ? check_list(job)
         : o->list  ? print_list(job)
                    : make_folder(job);
}
