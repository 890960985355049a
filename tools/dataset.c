// SPDX-License-Identifier: MIT
// jawari dataset: sounds of instruments with their parameters, from one seed.

#include "crew.h"
#include "dataset_job.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(NAME) offsetof(JwDatasetOptions, NAME)

static const JwOption options[] = {
    {"--output", "-o", "FOLDER",
     "Where to, a folder that is made; without it, the data set's name. With --item, a file.",
     JW_OPTION_TEXT, FIELD(output), 0, 0, NULL},
    JW_OPTION_WORKERS(FIELD(workers), "Sounds"),
    {"--resume", NULL, NULL, "Go on with what an earlier run has left.", JW_OPTION_FLAG,
     FIELD(resume), 0, 0, NULL},
    {"--shard", NULL, "I/N", "Part I of N, counted from 1, with a list of its own.", JW_OPTION_TEXT,
     FIELD(shard), 0, 0, NULL},
    {"--item", NULL, "I", "Sound I alone, counted from 0.", JW_OPTION_TEXT, FIELD(item), 0, 0,
     NULL},
    {"--list", NULL, NULL, "Only the list with its hashes, to standard output; no sound is stored.",
     JW_OPTION_FLAG, FIELD(list), 0, 0, NULL},
    {"--check", NULL, "FILE", "Make the sounds of a list again, and compare their hashes.",
     JW_OPTION_TEXT, FIELD(check), 0, 0, NULL},
    {"--dry-run", NULL, NULL, "Print what there is and how large it gets; compute nothing.",
     JW_OPTION_FLAG, FIELD(dry), 0, 0, NULL},
    JW_OPTION_SILENT(FIELD(quiet)),
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

// ---------------------------------------------------------------- open

static int open_dataset(JwDatasetJob* job) {
  char folder[PATH_MAX];
  if (!jw_series_read(job->options->file, &job->text, &job->size, folder)) {
    return JW_EXIT_FAILED;
  }
  const JwDatasetDef def = {
      .text = job->text, .size = job->size, .file = job->options->file, .folder = folder};
  const JwStatus status = jw_dataset_open(&def, &job->data);
  return status ? jw_series_refused(status, jw_dataset_error(job->data)) : JW_EXIT_OK;
}

// Sounds must fit into files.
static bool check_shapes(JwDatasetJob* job) {
  for (uint32_t i = 0; i < jw_dataset_instruments(job->data); ++i) {
    const JwSweep* const sweep = jw_dataset_sweep(job->data, i);
    const double rate = jw_sweep_rate(sweep);
    const uint64_t row = jw_sweep_row_size(sweep);
    job->row_size = row > job->row_size ? row : job->row_size;
    if (rate != floor(rate) || rate > 1e9) {
      return jw_tool_fail("%s: a sound file needs a whole sample rate, not %.17g Hz",
                          jw_dataset_instrument(job->data, i), rate);
    }
    if (jw_wav_size(sweep) > UINT32_MAX - 64u) {
      return jw_tool_fail("%s: the sound has %.3g bytes, and a WAV file at most 4.29e9",
                          jw_dataset_instrument(job->data, i), (double)jw_wav_size(sweep));
    }
  }
  return true;
}

// ---------------------------------------------------------------- which sounds

static bool read_item(JwDatasetJob* job) {
  const char* const text = job->options->item;
  char* end = NULL;
  job->first = strtoull(text, &end, 10);
  job->count = 1;
  if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 18
      || job->first >= jw_dataset_size(job->data)) {
    return jw_tool_misuse("--item %s: must be a number from 0 to %llu", text,
                          (unsigned long long)jw_dataset_size(job->data) - 1);
  }
  return true;
}

static bool read_range(JwDatasetJob* job) {
  const uint64_t size = jw_dataset_size(job->data);
  job->shard = job->shards = 1;
  if (job->options->item) {
    return read_item(job);
  }
  if (job->options->shard && !jw_shard_read(job->options->shard, &job->shard, &job->shards)) {
    return false;
  }
  job->first = jw_shard_first(size, job->shard, job->shards);
  job->count = jw_shard_first(size, job->shard + 1, job->shards) - job->first;
  return true;
}

// ---------------------------------------------------------------- the verb

static int describe(const JwDatasetJob* job) {
  double bytes = 0.0, seconds = 0.0;
  for (uint64_t i = 0; i < jw_dataset_instruments(job->data); ++i) {
    const JwSweep* const sweep = jw_dataset_sweep(job->data, (uint32_t)i);
    const uint64_t n = jw_dataset_instruments(job->data), size = jw_dataset_size(job->data);
    const double sounds = (double)(size / n + (i < size % n));
    const JwSweepResult* const sound = jw_sweep_result(sweep, 0);
    printf("%s: %g sounds of %g s, %u channels, %g Hz\n",
           jw_dataset_instrument(job->data, (uint32_t)i), sounds,
           sound->scales[0]->count / jw_sweep_rate(sweep), sound->scales[1]->count,
           jw_sweep_rate(sweep));
    jw_series_print_axes(sweep);
    bytes += sounds * (double)jw_wav_size(sweep);
    seconds += sounds * sound->scales[0]->count / jw_sweep_rate(sweep);
  }
  printf("%llu sounds, %.3g h, %.3g MB, data set %s\n",
         (unsigned long long)jw_dataset_size(job->data), seconds / 3600.0, bytes / 1e6,
         jw_dataset_hash(job->data));
  return JW_EXIT_OK;
}

static int do_it(JwDatasetJob* job) {
  if (!check_shapes(job)) {
    return JW_EXIT_FAILED;
  }
  if (job->options->dry) {
    return describe(job);
  }
  if (!read_range(job)) {
    return JW_EXIT_USAGE;
  }
  job->sounds = (JwDatasetSound*)calloc(job->count + 1, sizeof *job->sounds);
  if (!job->sounds) {
    jw_tool_fail("no memory");
    return JW_EXIT_FAILED;
  }
  return jw_dataset_run(job);
}

static int start(const JwDatasetOptions* o) {
  JwDatasetJob job = {.options = o};
  int status = open_dataset(&job);
  status = status ? status : do_it(&job);
  for (uint64_t i = 0; i < job.count && job.sounds; ++i) {
    free(job.sounds[i].reason);
  }
  free(job.sounds);
  jw_dataset_close(job.data);
  free(job.text);
  return status;
}

// A folder; one sound of it goes into "train-17.wav".
static bool default_output(const JwDatasetOptions* o, char path[PATH_MAX]) {
  char ending[64] = "";
  if (o->item) {
    snprintf(ending, sizeof ending, "-%.50s.wav", o->item);
  }
  return jw_series_output(o->file, ending, path);
}

static int run(int argc, char** argv) {
  JwDatasetOptions o = {.file = NULL};
  char path[PATH_MAX];
  const JwParsed parsed = jw_tool_parse_one(&jw_verb_dataset, argc, argv, &o, "what sounds");
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  o.file = argv[1];
  if ((o.item != NULL) + (o.check != NULL) + o.list > 1 || (o.item && o.shard)) {
    jw_tool_fail("--item, --list and --check exclude each other, and --item --shard");
    return JW_EXIT_USAGE;
  }
  if (!o.output && !default_output(&o, path)) {
    return JW_EXIT_USAGE;
  }
  o.output = o.output ? o.output : path;
  if (o.item && !jw_tool_ends(o.output, ".wav")) {
    jw_tool_fail("-o %s: one sound is a WAV file, and its name must end in .wav", o.output);
    return JW_EXIT_USAGE;
  }
  return start(&o);
}

const JwVerb jw_verb_dataset = {
    .name = "dataset",
    .summary = "sounds of instruments with their parameters, from one seed",
    .usage = "DATASET [-o FOLDER]",
    .about =
        "Makes sounds to learn or to measure from. DATASET is a small JSON file that names instruments, what varies of "
        "each and in which range, how many sounds and from which seed: see docs/sweeps.md. FOLDER gets a WAV file of "
        "32-bit floats a sound, sounds.jsonl with a line each (index, instrument, parameters, SHA-256 of the samples), "
        "and about.json, by which it can be made again. jawari.Dataset in Python is the same data set, to the bit.\n"
        "\n"
        "Sound I depends on the scenes, the ranges, the seed, the version and I alone; its samples are the same on "
        "every machine. So a data set is cited by its hash, and made again instead of downloaded; --check shows that "
        "it is the same. A sound that cannot be made is a line with its reason. Ctrl-C and kill -9 lose no more than "
        "what was under way, and --resume goes on.",
    .examples =
        "jawari dataset train.json # into the folder train, on all cores\n"
        "jawari dataset train.json --dry-run # how many, how long, how large, which hash\n"
        "jawari dataset train.json --item 17 -o 17.wav # one sound, without the others\n"
        "jawari dataset train.json --list > train.jsonl # hashes alone\n"
        "jawari dataset train.json --check train.jsonl # does this machine make the same sounds?\n"
        "jawari dataset train.json --shard 2/8 # the second of eight parts\n",
    .options = options,
    .run = run,
};
