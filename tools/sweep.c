// SPDX-License-Identifier: MIT
// jawari sweep: one scene at many points, into one file.

#include "crew.h"
#include "series.h"
#include "sweep_job.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(NAME) offsetof(JwSweepOptions, NAME)

static const JwOption options[] = {
    {"--output", "-o", "FILE",
     "Where to, an HDF5 file that ends in .h5; without it, the sweep's name.", JW_OPTION_TEXT,
     FIELD(output), 0, 0, NULL},
    JW_OPTION_WORKERS(FIELD(workers), "Points"),
    {"--resume", NULL, NULL,
     "Go on with what an earlier run has left; a file that is whole is left alone.", JW_OPTION_FLAG,
     FIELD(resume), 0, 0, NULL},
    {"--shard", NULL, "I/N", "Part I of N, counted from 1, into a file of its own: out.I-of-N.h5.",
     JW_OPTION_TEXT, FIELD(shard), 0, 0, NULL},
    {"--join", NULL, "N",
     "Make the file of the whole over the files of N shards, which it refers to.", JW_OPTION_COUNT,
     FIELD(join), 1, JW_SHARDS_MOST, NULL},
    {"--slurm", NULL, "N",
     "Submit N jobs to Slurm, one a shard, and one that joins them; given again, shows their "
     "state, and submits what is missing.",
     JW_OPTION_COUNT, FIELD(array), 1, JW_SHARDS_MOST, NULL},
    {"--sbatch", NULL, "OPTIONS", "Options for sbatch, as in \"--partition=long --time=2:00:00\".",
     JW_OPTION_TEXT, FIELD(sbatch), 0, 0, NULL},
    {"--dry-run", NULL, NULL,
     "Print what varies and what is kept, or the job of --slurm; compute nothing.", JW_OPTION_FLAG,
     FIELD(dry), 0, 0, NULL},
    JW_OPTION_SILENT(FIELD(quiet)),
    {NULL, NULL, NULL, NULL, JW_OPTION_FLAG, 0, 0, 0, NULL},
};

#ifdef JW_WITH_HDF5

bool jw_shard_path(char path[PATH_MAX], const char* output, uint32_t shard, uint32_t shards) {
  const size_t length = strlen(output) - strlen(".h5");
  const int size = snprintf(path, PATH_MAX, "%.*s.%u-of-%u.h5", (int)length, output, shard, shards);
  return size < PATH_MAX || jw_tool_fail("cannot write %s: its path is too long", output);
}

static bool read_shard(JwSweepJob* job) {
  const char* const text = job->options->shard;
  if (!text) {
    job->shard = job->shards = 1;
    return snprintf(job->output, PATH_MAX, "%s", job->options->output) < PATH_MAX
           || jw_tool_misuse("-o: the path is too long");
  }
  return jw_shard_read(text, &job->shard, &job->shards)
         && jw_shard_path(job->output, job->options->output, job->shard, job->shards);
}

static int open_sweep(JwSweepJob* job) {
  char folder[PATH_MAX];
  if (!jw_series_read(job->options->file, &job->text, &job->size, folder)) {
    return JW_EXIT_FAILED;
  }
  const JwSweepDef def = {
      .text = job->text, .size = job->size, .file = job->options->file, .folder = folder};
  const JwStatus status = jw_sweep_open(&def, &job->sweep);
  return status ? jw_series_refused(status, jw_sweep_error(job->sweep)) : JW_EXIT_OK;
}

static int describe(const JwSweep* sweep) {
  printf("%llu points of %s\n", (unsigned long long)jw_sweep_points(sweep),
         jw_sweep_scene_name(sweep));
  jw_series_print_axes(sweep);
  for (uint32_t i = 0; i < jw_sweep_results(sweep); ++i) {
    const JwSweepResult* const result = jw_sweep_result(sweep, i);
    printf("  kept    %-24s %-6s %llu a point\n", result->name, result->unit,
           (unsigned long long)result->width);
  }
  printf("%.3g MB before compression\n",
         (double)jw_sweep_row_size(sweep) * (double)jw_sweep_points(sweep) / 1e6);
  return JW_EXIT_OK;
}

static int do_it(JwSweepJob* job) {
  const JwSweepOptions* const o = job->options;
  if (o->array) {
    return jw_sweep_slurm(job);
  }
  if (o->dry) {
    return describe(job->sweep);
  }
  if (o->join) {
    return jw_sweep_join(job) ? JW_EXIT_OK : JW_EXIT_FAILED;
  }
  if (o->resume && jw_sweep_is_whole(job, job->output, o->shard ? o->shard : "1/1")) {
    if (!o->quiet) {
      printf("%s is whole\n", job->output);
    }
    return JW_EXIT_OK;
  }
  return jw_sweep_run(job);
}

static int start(const JwSweepOptions* o) {
  JwSweepJob* const job = (JwSweepJob*)calloc(1, sizeof *job);
  if (!job) {
    jw_tool_fail("no memory");
    return JW_EXIT_FAILED;
  }
  job->options = o;
  int status = read_shard(job) ? open_sweep(job) : JW_EXIT_USAGE;
  status = status ? status : do_it(job);
  jw_sweep_close(job->sweep);
  free(job->text);
  free(job);
  return status;
}

static int run_it(JwSweepOptions* o) {
  char path[PATH_MAX];
  if (!o->output && !jw_series_output(o->file, ".h5", path)) {
    return JW_EXIT_USAGE;
  }
  o->output = o->output ? o->output : path;
  if (!jw_tool_ends(o->output, ".h5")) {
    jw_tool_fail("-o %s: a sweep is an HDF5 file, and its name must end in .h5", o->output);
    return JW_EXIT_USAGE;
  }
  if ((o->shard != NULL) + (o->join > 0) + (o->array > 0) > 1) {
    jw_tool_fail("--shard, --join and --slurm exclude each other");
    return JW_EXIT_USAGE;
  }
  return start(o);
}

#else

static int run_it(JwSweepOptions* o) {
  jw_tool_fail("sweep %s: a sweep is an HDF5 file, and this program was built without HDF5",
               o->file);
  return JW_EXIT_FAILED;
}

#endif

static int run(int argc, char** argv) {
  JwSweepOptions o = {.file = NULL};
  const JwParsed parsed = jw_tool_parse_one(&jw_verb_sweep, argc, argv, &o, "what varies");
  if (parsed != JW_PARSED) {
    return parsed == JW_PARSED_HELP ? JW_EXIT_OK : JW_EXIT_USAGE;
  }
  o.file = argv[1];
  return run_it(&o);
}

const JwVerb jw_verb_sweep = {
    .name = "sweep",
    .summary = "one scene at many points, into one file",
    .usage = "SWEEP [-o FILE]",
    .about =
        "Computes a scene again and again with other values, side by side on all cores, and writes one HDF5 file: "
        "what varied with names and units, what came of it as arrays, where it comes from. SWEEP is a small JSON "
        "file that names the scene, what varies (a grid, lists, random points, a Latin hypercube, a Sobol sequence) "
        "and what is kept (sound, statistics, contacts, features, fields): see docs/sweeps.md.\n"
        "\n"
        "A point that cannot be computed is a row with its reason. Ctrl-C, and even kill -9, lose no more than what "
        "was under way: finished points are in FILE.rows until the end, and --resume goes on. The bytes of the "
        "result depend neither on the number of workers nor on interruptions.",
    .examples = "jawari sweep stiffness.json # into stiffness.h5, on all cores\n"
                "jawari sweep stiffness.json --dry-run # how many points, what is kept, how large\n"
                "jawari sweep stiffness.json --resume # go on after Ctrl-C\n"
                "jawari sweep stiffness.json --shard 2/8 # the second of eight parts\n"
                "jawari sweep stiffness.json --join 8 # one file over the eight\n"
                "jawari sweep stiffness.json --slurm 200 # as a job array on a cluster\n",
    .options = options,
    .run = run,
};
