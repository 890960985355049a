// SPDX-License-Identifier: MIT
// sweep_job.h: one run of `jawari sweep`: rows as they come, a file of them at the end.
#ifndef JAWARI_TOOL_SWEEP_JOB_H
#define JAWARI_TOOL_SWEEP_JOB_H

#include "outfile.h"
#include "sweep.h"

#include <stdio.h>

/// Rows as they come, beside the output: what a run that was ended has left.
typedef struct {
  char path[PATH_MAX];
  int fd;
  uint64_t row_size;
  uint64_t first, count; ///< Points of this run
  uint64_t* places;      ///< Where the row of each is, in the file; 0: not there
  uint64_t done, failed;
  uint64_t end; ///< Of the last row that is whole
} JwRows;

typedef struct {
  const char* file;   ///< Of the sweep
  const char* output; ///< Of the whole sweep
  uint32_t workers;
  bool resume, quiet;
  const char* shard; ///< "2/8"; NULL: all points
  uint32_t join;     ///< Files; 0: not asked for
  bool dry;
  uint32_t array; ///< Jobs of the array
  const char* sbatch;
} JwSweepOptions;

typedef struct {
  const JwSweepOptions* options;
  JwSweep* sweep;
  char* text;
  size_t size;
  char output[PATH_MAX]; ///< Of this run: that of its shard
  uint32_t shard, shards;
  JwRows rows;
} JwSweepJob;

/// "out.h5" and 2 of 8: "out.2-of-8.h5".
bool jw_shard_path(char path[PATH_MAX], const char* output, uint32_t shard, uint32_t shards);

// sweep_rows.c.  Each prints what is wrong.
bool jw_rows_open(JwRows* rows, const JwSweepJob* job);
bool jw_rows_add(JwRows* rows, const void* row);
bool jw_rows_read(const JwRows* rows, uint64_t index, void* row);
/// `keep`: for another run; without it, or with nothing in it, the file is removed.
void jw_rows_close(JwRows* rows, bool keep);

// sweep_run.c: all points that are not there yet; the exit status.
int jw_sweep_run(JwSweepJob* job);

// sweep_file.c
bool jw_sweep_write(const JwSweepJob* job);
bool jw_sweep_join(const JwSweepJob* job);
/// Is there a whole file of this very sweep, of shard "2/8", of all of it ("1/1") or "joined"?
bool jw_sweep_is_whole(const JwSweepJob* job, const char* path, const char* shard);

// sweep_slurm.c: the exit status.
int jw_sweep_slurm(const JwSweepJob* job);

#endif // JAWARI_TOOL_SWEEP_JOB_H
