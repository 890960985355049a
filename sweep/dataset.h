// SPDX-License-Identifier: MIT
// dataset.h: sounds of several instruments with their parameters, from one seed.
//
//   JwDatasetDef def = {.text = text, .size = size, .file = "train.json", .folder = "."};
//   JwDataset* data = NULL;
//   if (jw_dataset_open(&def, &data)) { ... jw_dataset_error(data) ... }
//   const JwDatasetPlace place = jw_dataset_place(data, 17);
//   jw_sweep_compute(place.sweep, place.point, NULL, row);   // its sound, from any thread
//   jw_dataset_close(data);
//
// Every instrument is a sweep; they take turns.  Sound i depends on the scenes, the ranges, the seed,
// the version and i alone.  The format is that of docs/sweeps.md.
#ifndef JAWARI_DATASET_H
#define JAWARI_DATASET_H

#include "sweep.h"

typedef struct JwDataset JwDataset;

typedef struct {
  const char* text; ///< JSON
  size_t size;
  const char* file;          ///< Its name in messages
  const char* folder;        ///< What scenes are looked for in; NULL: built-in scenes only
  const char* const* scenes; ///< Texts by instrument, instead of the ones named; NULL: none
  uint32_t scene_count;      ///< Of `scenes`, each of which may be NULL
} JwDatasetDef;

/// One that failed is still returned, for the sake of its error; NULL only without memory.
JW_API JW_MUST_USE JwStatus jw_dataset_open(const JwDatasetDef* def, JwDataset** dataset);
JW_API void jw_dataset_close(JwDataset* dataset);

/// What is wrong, as compilers show it.
JW_API const char* jw_dataset_error(const JwDataset* dataset);

/// By which it is cited, of 64 hexadecimal digits: two texts that mean the same sounds have the same,
/// however they are written.
JW_API const char* jw_dataset_hash(const JwDataset* dataset);

JW_API uint64_t jw_dataset_size(const JwDataset* dataset);
JW_API uint32_t jw_dataset_instruments(const JwDataset* dataset);
JW_API const char* jw_dataset_instrument(const JwDataset* dataset, uint32_t instrument); ///< From 0
JW_API JwSweep* jw_dataset_sweep(const JwDataset* dataset, uint32_t instrument);

/// Where a sound is: which point of which sweep.
typedef struct {
  uint32_t instrument;
  const JwSweep* sweep;
  uint64_t point;
} JwDatasetPlace;

JW_API JwDatasetPlace jw_dataset_place(const JwDataset* dataset, uint64_t index);

#endif // JAWARI_DATASET_H
