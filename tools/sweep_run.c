// SPDX-License-Identifier: MIT
// The points of a sweep, by a crew of workers, each with a world of its own.

#include "tool.h"

#ifdef JW_WITH_HDF5

#include "sweep_job.h"

#include "crew.h"

#include <stdlib.h>

static bool has(void* user, uint64_t piece) {
  return ((const JwSweepJob*)user)->rows.places[piece] != 0;
}

static JwStatus make(void* user, uint64_t piece, void* room) {
  const JwSweepJob* const job = (const JwSweepJob*)user;
  return jw_sweep_compute(job->sweep, job->rows.first + piece, jw_stop_wanted, room);
}

static bool keep(void* user, uint64_t piece, const void* room) {
  (void)piece; // The row knows its point
  return jw_rows_add(&((JwSweepJob*)user)->rows, room);
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

static int run_crew(JwSweepJob* job) {
  const JwCrewDef crew = {.what = "points",
                          .count = job->rows.count,
                          .workers = job->options->workers,
                          .room = jw_sweep_row_size(job->sweep),
                          .quiet = job->options->quiet,
                          .user = job,
                          .has = has,
                          .make = make,
                          .keep = keep,
                          .failed = &job->rows.failed};
  uint64_t made = 0;
  const JwCrewEnd end = jw_crew_run(&crew, &made);
  if (end == JW_CREW_STOPPED && !job->options->quiet) {
    fprintf(stderr, "jawari: stopped after %llu of %llu points; --resume goes on\n",
            (unsigned long long)made, (unsigned long long)job->rows.count);
  }
  return end == JW_CREW_DONE      ? write_file(job)
         : end == JW_CREW_STOPPED ? JW_EXIT_STOPPED
                                  : JW_EXIT_FAILED;
}

int jw_sweep_run(JwSweepJob* job) {
  jw_stop_catch();
  const int status = jw_rows_open(&job->rows, job) ? run_crew(job) : JW_EXIT_FAILED;
  jw_rows_close(&job->rows, status != JW_EXIT_OK);
  return status;
}

#endif
