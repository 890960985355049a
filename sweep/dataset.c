// SPDX-License-Identifier: MIT
// A data set: one sweep an instrument, and a hash of what they mean.

#include "dataset.h"

#include "plan.h"

#include "sha256.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct JwDataset {
  uint32_t count;
  JwSweep** sweeps;
  const char* error; // Of the sweep that failed
  char hash[65];
};

// ---------------------------------------------------------------- the hash

// A text that grows; `failed` says that there was no memory.
typedef struct {
  char* text;
  size_t size, room;
  bool failed;
} Words;

static void put(Words* words, const char* text, size_t size) {
  if (words->size + size > words->room && !words->failed) {
    const size_t room = 2 * (words->size + size);
    char* const grown = (char*)realloc(words->text, room);
    words->failed = grown == NULL;
    words->text = grown ? grown : words->text;
    words->room = grown ? room : words->room;
  }
  if (!words->failed) {
    memcpy(words->text + words->size, text, size);
    words->size += size;
  }
}

// A text with its length before it, so that no two lists of texts read alike.
static void put_text(Words* words, const char* text, size_t size) {
  char head[32];
  put(words, head, (size_t)snprintf(head, sizeof head, "%zu:", size));
  put(words, text, size);
  put(words, "\n", 1);
}

static void put_word(Words* words, const char* text) {
  put_text(words, text, strlen(text));
}

// A number by its bits, which no locale writes otherwise; what was not given is one NaN of many.
static void put_number(Words* words, double number) {
  char hex[32];
  uint64_t bits = 0;
  memcpy(&bits, &number, sizeof bits);
  isnan(number) ? (void)snprintf(hex, sizeof hex, "none")
                : (void)snprintf(hex, sizeof hex, "%016llx", (unsigned long long)bits);
  put_word(words, hex);
}

static void put_sets(Words* words, const JwJson* object) {
  const JwJson* const set = jw_json_member(object, "set");
  for (const JwJson* m = set ? set->first : NULL; m; m = m->next) {
    put_word(words, m->key);
    m->type == JW_JSON_TEXT ? put_word(words, m->text) : put_number(words, m->number);
  }
}

static void put_axis(Words* words, const JwSweepAxis* axis) {
  put_word(words, axis->name);
  put_word(words, axis->values ? "list" : axis->log ? "log" : "range");
  for (uint32_t i = 0; i < axis->count && axis->values; ++i) {
    put_number(words, axis->values[i]);
  }
  if (!axis->values) {
    put_number(words, axis->from);
    put_number(words, axis->to);
  }
}

static void put_sweep(Words* words, const JwSweep* sweep) {
  put_word(words, sweep->own->key);
  put_number(words, (double)sweep->by);
  put_number(words, (double)sweep->seed);
  put_number(words, (double)sweep->info.frames);
  put_number(words, sweep->info.rate);
  put_number(words, sweep->info.oversample);
  put_number(words, sweep->take.gain);
  put_number(words, (double)sweep->take.channels);
  put_sets(words, sweep->root);
  put_sets(words, sweep->own);
  for (uint32_t i = 0; i < sweep->axis_count; ++i) {
    put_axis(words, &sweep->axes[i]);
  }
  for (uint32_t i = 0; i < jw_scene_files(sweep->scene); ++i) {
    const JwSceneFile file = jw_scene_file(sweep->scene, i);
    put_text(words, file.text, file.size);
  }
}

static JwStatus make_hash(JwDataset* dataset) {
  Words words = {NULL, 0, 0, false};
  put_word(&words, jw_version());
  put_number(&words, (double)jw_dataset_size(dataset));
  for (uint32_t i = 0; i < dataset->count; ++i) {
    put_sweep(&words, dataset->sweeps[i]);
  }
  if (!words.failed) {
    jw_sha256(words.text, words.size, dataset->hash);
  }
  free(words.text);
  return words.failed ? JW_STATUS_NO_MEMORY : JW_STATUS_OK;
}

// ---------------------------------------------------------------- open

static JwStatus open_instrument(JwDataset* dataset, const JwDatasetDef* def, uint32_t index) {
  const JwSweepDef sweep = {.text = def->text,
                            .size = def->size,
                            .file = def->file ? def->file : "<data set>",
                            .folder = def->folder,
                            .scene = index < def->scene_count ? def->scenes[index] : NULL,
                            .instrument = index + 1};
  const JwStatus status = jw_sweep_open(&sweep, &dataset->sweeps[index]);
  if (status) {
    dataset->error = jw_sweep_error(dataset->sweeps[index]);
  }
  return status;
}

// The first instrument says how many there are.
static JwStatus open_all(JwDataset* dataset, const JwDatasetDef* def) {
  dataset->sweeps = (JwSweep**)calloc(1, sizeof(JwSweep*));
  JwStatus status = dataset->sweeps ? open_instrument(dataset, def, 0) : JW_STATUS_NO_MEMORY;
  dataset->count = dataset->sweeps ? 1 : 0;
  if (status) {
    return status;
  }
  const uint32_t count = dataset->sweeps[0]->instruments;
  JwSweep** const grown = (JwSweep**)realloc(dataset->sweeps, count * sizeof(JwSweep*));
  if (!grown) {
    return JW_STATUS_NO_MEMORY;
  }
  dataset->sweeps = grown;
  for (; dataset->count < count && !status; ++dataset->count) {
    grown[dataset->count] = NULL;
    status = open_instrument(dataset, def, dataset->count);
  }
  return status ? status : make_hash(dataset);
}

JwStatus jw_dataset_open(const JwDatasetDef* def, JwDataset** made) {
  JwDataset* const dataset = (JwDataset*)calloc(1, sizeof *dataset);
  *made = dataset;
  return dataset ? open_all(dataset, def) : JW_STATUS_NO_MEMORY;
}

void jw_dataset_close(JwDataset* dataset) {
  for (uint32_t i = 0; dataset && i < dataset->count; ++i) {
    jw_sweep_close(dataset->sweeps[i]);
  }
  if (dataset) {
    free(dataset->sweeps);
    free(dataset);
  }
}

// ---------------------------------------------------------------- read

const char* jw_dataset_error(const JwDataset* dataset) {
  return dataset && dataset->error ? dataset->error : "no memory";
}

const char* jw_dataset_hash(const JwDataset* dataset) {
  return dataset->hash;
}

uint64_t jw_dataset_size(const JwDataset* dataset) {
  return dataset->sweeps[0]->sounds;
}

uint32_t jw_dataset_instruments(const JwDataset* dataset) {
  return dataset->count;
}

const char* jw_dataset_instrument(const JwDataset* dataset, uint32_t instrument) {
  return dataset->sweeps[instrument]->own->key;
}

JwSweep* jw_dataset_sweep(const JwDataset* dataset, uint32_t instrument) {
  return dataset->sweeps[instrument];
}

JwDatasetPlace jw_dataset_place(const JwDataset* dataset, uint64_t index) {
  const uint32_t instrument = (uint32_t)(index % dataset->count);
  return (JwDatasetPlace){instrument, dataset->sweeps[instrument], index / dataset->count};
}
