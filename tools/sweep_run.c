// SPDX-License-Identifier: MIT
// Workers, each with one point after the other: worlds share nothing.  Which worker computes a point,
// and when, is not seen in the result.

#include "tool.h"

#ifdef JW_WITH_HDF5

#include "sweep_job.h"

#include "job.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_WORKERS 1024u
#define PERIOD 0.2 // s

typedef struct {
  JwSweepJob* job;
  pthread_mutex_t lock; // All below, and the rows
  uint64_t next;
  double started, told;
  uint64_t before; // Points of earlier runs
  bool stopped, broken;
} Run;

static void tell(Run* run) {
  const JwRows* const rows = &run->job->rows;
  const double now = jw_job_clock() - run->started;
  if (run->job->options->quiet || !isatty(fileno(stderr)) || now < run->told + PERIOD) {
    return;
  }
  run->told = now;
  const double mine = (double)(rows->done - run->before);
  const double left = mine > 0.0 ? now / mine * (double)(rows->count - rows->done) : 0.0;
  fprintf(stderr, "\r%3.0f %%  %llu of %llu points, %llu failed, %d:%02d:%02d left \033[K",
          100.0 * (double)rows->done / (double)rows->count, (unsigned long long)rows->done,
          (unsigned long long)rows->count, (unsigned long long)rows->failed, (int)(left / 3600.0),
          (int)(left / 60.0) % 60, (int)left % 60);
  fflush(stderr);
}

// The next point that has no row, or false.
static bool take(Run* run, uint64_t* point) {
  JwRows* const rows = &run->job->rows;
  pthread_mutex_lock(&run->lock);
  while (run->next < rows->count && rows->places[run->next]) {
    ++run->next;
  }
  run->stopped = run->stopped || jw_stop_wanted();
  const bool found = run->next < rows->count && !run->stopped && !run->broken;
  *point = rows->first + run->next;
  run->next += found;
  pthread_mutex_unlock(&run->lock);
  return found;
}

static void give(Run* run, JwStatus status, const void* row) {
  pthread_mutex_lock(&run->lock);
  if (status == JW_STATUS_CANCELLED) {
    run->stopped = true;
  } else if (!run->broken) {
    run->broken =
        status ? !jw_tool_fail("%s", jw_status_text(status)) : !jw_rows_add(&run->job->rows, row);
    tell(run);
  }
  pthread_mutex_unlock(&run->lock);
}

static void* work(void* user) {
  Run* const run = (Run*)user;
  void* const row = malloc(jw_sweep_row_size(run->job->sweep));
  uint64_t point = 0;
  if (!row) {
    give(run, JW_STATUS_NO_MEMORY, NULL);
  }
  while (row && take(run, &point)) {
    give(run, jw_sweep_compute(run->job->sweep, point, jw_stop_wanted, row), row);
  }
  free(row);
  return NULL;
}

static uint32_t count_workers(const JwSweepJob* job) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const uint64_t left = job->rows.count - job->rows.done;
  uint64_t count = job->options->workers ? job->options->workers : cores > 0 ? (uint64_t)cores : 1;
  count = count < left ? count : left;
  return count < MOST_WORKERS ? (uint32_t)count : MOST_WORKERS;
}

// This thread is one of the workers.
static bool run_all(Run* run) {
  pthread_t threads[MOST_WORKERS];
  const uint32_t count = count_workers(run->job);
  uint32_t made = 0;
  while (made + 1 < count && pthread_create(&threads[made], NULL, work, run) == 0) {
    ++made;
  }
  work(run);
  for (uint32_t i = 0; i < made; ++i) {
    pthread_join(threads[i], NULL);
  }
  if (!run->job->options->quiet && isatty(fileno(stderr))) {
    fputs("\r\033[K", stderr);
  }
  return !run->broken && !run->stopped;
}

// The reason of the first point that failed: often that of all.
static void warn_of_failed(const JwSweepJob* job) {
  const JwRows* const rows = &job->rows;
  JwSweepRow* const row = (JwSweepRow*)malloc(rows->row_size);
  for (uint64_t i = 0; i < rows->count && row && rows->failed; ++i) {
    if (jw_rows_read(rows, i, row) && row->status) {
      jw_tool_warn("%llu of %llu points failed; point %llu: %s", (unsigned long long)rows->failed,
                   (unsigned long long)rows->count, (unsigned long long)row->point, row->reason);
      break;
    }
  }
  free(row);
}

static int write_file(const JwSweepJob* job) {
  if (!jw_sweep_write(job)) {
    return JW_EXIT_FAILED;
  }
  warn_of_failed(job);
  if (!job->options->quiet) {
    printf("%s: %llu points, %llu failed\n", job->output, (unsigned long long)job->rows.count,
           (unsigned long long)job->rows.failed);
  }
  return JW_EXIT_OK;
}

int jw_sweep_run(JwSweepJob* job) {
  Run run = {.job = job, .started = jw_job_clock()};
  jw_stop_catch();
  if (!jw_rows_open(&job->rows, job)) {
    jw_rows_close(&job->rows, true);
    return JW_EXIT_FAILED;
  }
  run.before = job->rows.done;
  pthread_mutex_init(&run.lock, NULL);
  const bool whole = run_all(&run);
  pthread_mutex_destroy(&run.lock);
  const int status = whole ? write_file(job) : run.broken ? JW_EXIT_FAILED : JW_EXIT_STOPPED;
  if (run.stopped && !job->options->quiet) {
    fprintf(stderr, "jawari: stopped after %llu of %llu points; --resume goes on\n",
            (unsigned long long)job->rows.done, (unsigned long long)job->rows.count);
  }
  jw_rows_close(&job->rows, status != JW_EXIT_OK);
  return status;
}

#endif
