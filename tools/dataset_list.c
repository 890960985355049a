// SPDX-License-Identifier: MIT
// The list of a data set: a line a sound with its number, instrument, parameters, and the hash of its
// samples, or why there is none.  jawari.Dataset.line() in Python says the same.

#include "dataset_job.h"
#include "origin.h"
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Seventeen digits, which no number needs more of, with a point in every locale.
static void put_number(double number, FILE* file) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", number);
  for (char* c = text; *c; ++c) {
    *c = *c == ',' ? '.' : *c;
  }
  fputs(text, file);
}

void jw_dataset_line(const JwDatasetJob* job, uint64_t index, FILE* file) {
  const JwDatasetSound* const sound = &job->sounds[index - job->first];
  const JwDatasetPlace place = jw_dataset_place(job->data, index);
  double values[JW_SWEEP_MAX_AXES];
  jw_sweep_values(place.sweep, place.point, values);
  fprintf(file, "{\"index\": %llu, \"instrument\": ", (unsigned long long)index);
  jw_origin_json(jw_dataset_instrument(job->data, place.instrument), file);
  fputs(", \"parameters\": {", file);
  for (uint32_t i = 0; i < jw_sweep_axes(place.sweep); ++i) {
    fputs(i ? ", " : "", file);
    jw_origin_json(jw_sweep_axis_name(place.sweep, i), file);
    fputs(": ", file);
    put_number(values[i], file);
  }
  const bool failed = sound->state == JW_SOUND_FAILED;
  fputs(failed ? "}, \"reason\": " : "}, \"sha256\": ", file);
  jw_origin_json(failed ? sound->reason : sound->hash, file);
  fputs("}\n", file);
}

// "train/sounds.jsonl", of a shard "train/sounds.2-of-8.jsonl"
bool jw_dataset_write_list(const JwDatasetJob* job) {
  char path[PATH_MAX], part[32] = "";
  JwOutFile out;
  if (job->shards > 1) {
    snprintf(part, sizeof part, ".%u-of-%u", job->shard, job->shards);
  }
  if (snprintf(path, PATH_MAX, "%s/sounds%s.jsonl", job->options->output, part) >= PATH_MAX) {
    return jw_tool_fail("%s: the path is too long", job->options->output);
  }
  if (!jw_out_open(&out, path)) {
    return false;
  }
  FILE* const file = jw_out_stream(&out);
  for (uint64_t i = 0; i < job->count && file; ++i) {
    jw_dataset_line(job, job->first + i, file);
  }
  const bool put = file && !ferror(file);
  if (!file || fclose(file) != 0 || !put) {
    jw_out_cancel(&out);
    return jw_tool_fail("cannot write %s: %s", path, strerror(errno));
  }
  return jw_out_commit(&out);
}

// ---------------------------------------------------------------- a list to compare with

// What follows "key": in a line; NULL where it has none.
static const char* after(const char* line, const char* key) {
  const char* const at = strstr(line, key);
  const char* const colon = at ? strchr(at + strlen(key), ':') : NULL;
  return colon ? colon + 1 + strspn(colon + 1, " ") : NULL;
}

// Its number, and its hash; "" of a sound that failed.
static bool read_line(const char* line, uint64_t* index, char hash[65]) {
  const char* const number = after(line, "\"index\"");
  const char* const text = after(line, "\"sha256\"");
  char* end = NULL;
  *index = number ? strtoull(number, &end, 10) : 0;
  hash[0] = '\0';
  if (!number || end == number) {
    return false;
  }
  if (!text) {
    return after(line, "\"reason\"") != NULL;
  }
  if (text[0] != '"' || strspn(text + 1, "0123456789abcdef") != 64 || text[65] != '"') {
    return false;
  }
  memcpy(hash, text + 1, 64);
  hash[64] = '\0';
  return true;
}

static bool read_lines(JwDatasetJob* job, FILE* file, char (*expected)[65]) {
  const char* const path = job->options->check;
  char line[16384], hash[65];
  uint64_t index = 0;
  for (uint32_t number = 1; fgets(line, sizeof line, file); ++number) {
    if (strspn(line, " \t\r\n") == strlen(line)) {
      continue;
    }
    if (!read_line(line, &index, hash)) {
      return jw_tool_fail("%s:%u: no line of a data set's list: it has \"index\" and \"sha256\"",
                          path, number);
    }
    if (index >= jw_dataset_size(job->data)) {
      return jw_tool_fail("%s:%u: sound %llu, and the data set has %llu", path, number,
                          (unsigned long long)index,
                          (unsigned long long)jw_dataset_size(job->data));
    }
    if (index >= job->first && index - job->first < job->count) {
      memcpy(expected[index - job->first], hash, sizeof hash);
      job->sounds[index - job->first].state = JW_SOUND_WANTED;
    }
  }
  return !ferror(file) || jw_tool_fail("cannot read %s: %s", path, strerror(errno));
}

bool jw_dataset_read_list(JwDatasetJob* job, char (**expected)[65]) {
  FILE* const file = fopen(job->options->check, "r");
  *expected = (char(*)[65])calloc(job->count + 1, sizeof **expected);
  if (!file || !*expected) {
    jw_tool_fail("cannot read %s: %s", job->options->check, file ? "no memory" : strerror(errno));
    return file && fclose(file) && false;
  }
  for (uint64_t i = 0; i < job->count; ++i) {
    job->sounds[i].state = JW_SOUND_SKIPPED;
  }
  const bool good = read_lines(job, file, *expected);
  fclose(file);
  return good;
}
