// SPDX-License-Identifier: MIT
// A sweep as a job array of Slurm: one job a shard, and one that joins their files.  Slurm is the only
// one that knows which job runs where; what is done is seen by the files of the shards.
//
//   out.sbatch    the script of the array, to be read and changed
//   out.slurm     the numbers of the jobs that were submitted last

#include "tool.h"

#ifdef JW_WITH_HDF5

#include "sweep_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST 65536u // Letters of a list of shards

typedef struct {
  const JwSweepJob* job;
  char script[PATH_MAX], state[PATH_MAX];
  char program[PATH_MAX];
  char* missing; // "1-4,7"
  uint32_t missing_count;
  char array[32], join[32]; // Numbers of jobs
} Slurm;

// ---------------------------------------------------------------- what is missing

static bool add_range(char* list, uint32_t from, uint32_t to) {
  const size_t at = strlen(list);
  const int size = from == to ? snprintf(list + at, LIST - at, "%s%u", at ? "," : "", from)
                              : snprintf(list + at, LIST - at, "%s%u-%u", at ? "," : "", from, to);
  return (size_t)size < LIST - at || jw_tool_fail("too many shards are missing here and there");
}

static bool find_missing(Slurm* s) {
  const uint32_t count = s->job->options->array;
  uint32_t from = 0; // Of the stretch that is open
  char path[PATH_MAX], shard[32];
  bool good = true;
  for (uint32_t i = 1; i <= count + 1 && good; ++i) {
    good = i > count || jw_shard_path(path, s->job->output, i, count);
    snprintf(shard, sizeof shard, "%u/%u", i, count);
    const bool gone = i <= count && good && !jw_sweep_is_whole(s->job, path, shard);
    s->missing_count += gone;
    if (gone && !from) {
      from = i;
    } else if (!gone && from) {
      good = good && add_range(s->missing, from, i - 1);
      from = 0;
    }
  }
  return good;
}

// ---------------------------------------------------------------- the script

// In quotes, where a quote itself is '\''.
static void put_quoted(FILE* file, const char* word) {
  fputc('\'', file);
  for (; *word; ++word) {
    *word == '\'' ? (void)fputs("'\\''", file) : (void)fputc(*word, file);
  }
  fputc('\'', file);
}

static void put_command(const Slurm* s, FILE* file) {
  put_quoted(file, s->program);
  fputs(" sweep ", file);
  put_quoted(file, s->job->options->file);
  fputs(" -o ", file);
  put_quoted(file, s->job->output);
}

static void put_script(const Slurm* s, FILE* file) {
  fputs("#!/bin/sh\n#SBATCH --job-name=jawari-sweep\n", file);
  fprintf(file, "#SBATCH --output=%s.%%a.log\n#SBATCH --open-mode=append\n#SBATCH --requeue\n",
          s->state);
  fputs("exec ", file);
  put_command(s, file);
  fprintf(file, " --shard \"$SLURM_ARRAY_TASK_ID/%u\" --resume --quiet", s->job->options->array);
  fputs(" --workers \"${SLURM_CPUS_PER_TASK:-1}\"\n", file);
}

static bool write_script(const Slurm* s) {
  JwOutFile out;
  if (!jw_out_open(&out, s->script)) {
    return false;
  }
  FILE* const file = jw_out_stream(&out);
  if (file) {
    put_script(s, file);
  }
  if (!file || fclose(file) != 0) {
    jw_out_cancel(&out);
    return jw_tool_fail("cannot write %s: %s", s->script, strerror(errno));
  }
  return jw_out_commit(&out);
}

// ---------------------------------------------------------------- talk to Slurm

// The command's text on an open stream, to be freed.
static char* command_of(const Slurm* s, bool join) {
  char* text = NULL;
  size_t size = 0;
  FILE* const file = open_memstream(&text, &size);
  if (!file) {
    return NULL;
  }
  const char* const more = s->job->options->sbatch ? s->job->options->sbatch : "";
  fprintf(file, "sbatch --parsable %s ", more);
  if (join) {
    fprintf(file, "--job-name=jawari-join --dependency=afterany:%s --output=", s->array);
    put_quoted(file, s->state);
    fputs(".join.log --wrap \"", file);
    put_command(s, file);
    fprintf(file, " --join %u --quiet\"", s->job->options->array);
  } else {
    fprintf(file, "--array=%s ", s->missing);
    put_quoted(file, s->script);
  }
  return fclose(file) == 0 ? text : NULL;
}

static bool submit(const Slurm* s, bool join, char number[32]) {
  char* const command = command_of(s, join);
  FILE* const pipe = command ? popen(command, "r") : NULL;
  number[0] = '\0';
  const bool read = pipe && fgets(number, 32, pipe) != NULL;
  const bool good = pipe && pclose(pipe) == 0 && read;
  number[strspn(number, "0123456789")] = '\0';
  if (!good || !*number) {
    jw_tool_fail("sbatch took no job: %s", command ? command : "no memory");
  }
  free(command);
  return good && *number;
}

// How many of the jobs that were submitted last wait or run; false where Slurm does not answer.
static bool count_jobs(const Slurm* s, uint32_t* waiting, uint32_t* running) {
  char command[160], line[128];
  *waiting = *running = 0;
  snprintf(command, sizeof command,
           "squeue --noheader --array --format=%%T --jobs=%s,%s 2>/dev/null", s->array, s->join);
  FILE* const pipe = popen(command, "r");
  if (!pipe) {
    return false;
  }
  while (fgets(line, sizeof line, pipe)) {
    const bool runs = strncmp(line, "RUNNING", 7) == 0 || strncmp(line, "COMPLETING", 10) == 0;
    *running += runs;
    *waiting += !runs;
  }
  pclose(pipe); // Slurm forgets jobs that are done, and then says that it knows none
  return true;
}

static bool read_state(Slurm* s) {
  FILE* const file = fopen(s->state, "r");
  const bool good = file && fscanf(file, "%31[0-9] %31[0-9]", s->array, s->join) == 2;
  if (file) {
    fclose(file);
  }
  return good;
}

static bool write_state(const Slurm* s) {
  JwOutFile out;
  if (!jw_out_open(&out, s->state)) {
    return false;
  }
  FILE* const file = jw_out_stream(&out);
  const bool put = file && fprintf(file, "%s %s\n", s->array, s->join) > 0;
  if (!file || fclose(file) != 0 || !put) {
    jw_out_cancel(&out);
    return jw_tool_fail("cannot write %s: %s", s->state, strerror(errno));
  }
  return jw_out_commit(&out);
}

// ---------------------------------------------------------------- the verb

static int show(const Slurm* s) {
  put_script(s, stdout);
  char* const array = command_of(s, false);
  char* const join = command_of(s, true);
  printf("# %s\n# %s\n", array ? array : "", join ? join : "");
  free(array);
  free(join);
  return JW_EXIT_OK;
}

static int submit_all(Slurm* s) {
  if (!write_script(s) || !submit(s, false, s->array) || !submit(s, true, s->join)
      || !write_state(s)) {
    return JW_EXIT_FAILED;
  }
  printf("submitted %u of %u shards as job %s, and job %s that joins them\n", s->missing_count,
         s->job->options->array, s->array, s->join);
  return JW_EXIT_OK;
}

static int go_on(Slurm* s) {
  const uint32_t count = s->job->options->array;
  uint32_t waiting = 0, running = 0;
  if (s->job->options->dry) {
    return show(s);
  }
  if (read_state(s) && count_jobs(s, &waiting, &running) && waiting + running) {
    printf("%u of %u shards done; of jobs %s and %s, %u run and %u wait\n",
           count - s->missing_count, count, s->array, s->join, running, waiting);
    return JW_EXIT_OK;
  }
  if (s->missing_count) {
    return submit_all(s);
  }
  if (jw_sweep_is_whole(s->job, s->job->output, "joined")) {
    printf("%s is whole: %u of %u shards done\n", s->job->output, count, count);
    return JW_EXIT_OK;
  }
  JwSweepOptions join = *s->job->options;
  JwSweepJob joined = *s->job;
  join.join = count;
  joined.options = &join;
  return jw_sweep_join(&joined) ? JW_EXIT_OK : JW_EXIT_FAILED;
}

static bool name_files(Slurm* s) {
  const char* const output = s->job->output;
  const int stem = (int)(strlen(output) - strlen(".h5"));
  const ssize_t size = readlink("/proc/self/exe", s->program, PATH_MAX - 1);
  snprintf(s->program, size > 0 ? 0 : PATH_MAX, "jawari");
  return (snprintf(s->script, PATH_MAX, "%.*s.sbatch", stem, output) < PATH_MAX
          && snprintf(s->state, PATH_MAX, "%.*s.slurm", stem, output) < PATH_MAX)
         || jw_tool_fail("%s: the path is too long", output);
}

int jw_sweep_slurm(const JwSweepJob* job) {
  Slurm s = {.job = job, .array = "", .join = ""};
  s.missing = (char*)calloc(1, LIST);
  if (!s.missing) {
    jw_tool_fail("no memory");
    return JW_EXIT_FAILED;
  }
  const int status = name_files(&s) && find_missing(&s) ? go_on(&s) : JW_EXIT_FAILED;
  free(s.missing);
  return status;
}

#endif
