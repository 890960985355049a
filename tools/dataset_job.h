// SPDX-License-Identifier: MIT
// dataset_job.h: one run of `jawari dataset`: sounds as they come, a list of them at the end.
#ifndef JAWARI_TOOL_DATASET_JOB_H
#define JAWARI_TOOL_DATASET_JOB_H

#include "dataset.h"
#include "outfile.h"

#include <stdio.h>

typedef struct {
  const char* file;   ///< Of the data set
  const char* output; ///< A folder; of one sound a file
  uint32_t workers;
  bool resume, quiet, dry;
  bool list;         ///< Hashes alone, to standard output
  const char* shard; ///< "2/8"; NULL: all sounds
  const char* item;  ///< The number of one sound; NULL: all
  const char* check; ///< A list to compare with; NULL: none
} JwDatasetOptions;

typedef enum {
  JW_SOUND_WANTED,
  JW_SOUND_SKIPPED, ///< Nobody asked for it
  JW_SOUND_WHOLE,
  JW_SOUND_FAILED
} JwSoundState;

/// What is known of a sound.
typedef struct {
  char hash[65]; ///< SHA-256 of its samples, float32, little-endian, frame by frame
  uint8_t state; ///< JwSoundState
  char* reason;  ///< Of a failed one
} JwDatasetSound;

typedef struct {
  const JwDatasetOptions* options;
  JwDataset* data;
  char* text;
  size_t size;
  uint32_t shard, shards;
  uint64_t first, count; ///< Sounds of this run
  JwDatasetSound* sounds;
  uint64_t row_size; ///< The largest of all instruments
  uint64_t failed;
  bool stores; ///< Sounds go into the folder
} JwDatasetJob;

// dataset_wav.c.  Samples are those of a sound's row.

/// "train/000017.wav"; false after saying that it is too long.
bool jw_dataset_path(const JwDatasetJob* job, uint64_t index, char path[PATH_MAX]);
/// Write a file that appears whole or not at all.  errno says why not; prints nothing.
bool jw_wav_write(const char* path, const JwSweep* sweep, const float* samples);
/// The hash of the samples of a whole file of this shape; false where there is none.
bool jw_wav_hash(const char* path, const JwSweep* sweep, char hash[65]);
/// Bytes of its samples.
uint64_t jw_wav_size(const JwSweep* sweep);

// dataset_list.c.  A line a sound, as JSON.
void jw_dataset_line(const JwDatasetJob* job, uint64_t index, FILE* file);
bool jw_dataset_write_list(const JwDatasetJob* job);
/// Skip what a list does not name, and compare with it afterwards.
bool jw_dataset_read_list(JwDatasetJob* job, char (**expected)[65]);

// dataset_run.c: all sounds that are wanted; the exit status.
int jw_dataset_run(JwDatasetJob* job);

#endif // JAWARI_TOOL_DATASET_JOB_H
