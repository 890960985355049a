// SPDX-License-Identifier: MIT
// A scene at several rates and by several rules, compared on one time axis.
//
//   symbol   meaning
//   x_i      what a pickup reads at the times of the lowest rate R, computed at 2^i R
//   x*       the reference: the finest run of one rule
//
//   error = |x_i - x*| / |x*|,   order = log2(|x_(i-1) - x_i| / |x_i - x_(i+1)|)                       (1)
//
// with the root of the mean square for |.|.  The order comes from three neighbours rather than from
// two errors, because the reference has an error too, which would flatter the finest rates.
// Nothing is filtered: where the rates have a time in common, their rows are at it (axis.c), and
// only those rows are compared.

#include "converge.h"
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 256 // Frames of the lowest rate in one go

// ---------------------------------------------------------------- one run

static bool name_pickups(JwStudy* study, const JwWorld* world) {
  const uint32_t count = jw_world_channels(world);
  study->pickup_count = count;
  for (uint32_t i = 0; i < count; ++i) {
    jw_channel_name(&study->channels[i], world, i);
  }
  return count > 0
         || jw_tool_fail("%s: the scene has no pickups, so there is nothing to compare",
                         study->name);
}

// One row of every `factor` of what the world gives.
static bool gather(JwStudy* study, JwWorld* world, uint32_t factor, double* const* block,
                   double* values) {
  JwAxis axes[JW_SCENE_MAX_PICKUPS];
  if (!jw_axis_start(axes, study->pickup_count, world)) {
    return false;
  }
  bool finite = true;
  for (uint64_t at = 0; at < study->frames && finite && !jw_stop_wanted(); at += BLOCK) {
    const uint32_t rows = study->frames - at < BLOCK ? (uint32_t)(study->frames - at) : BLOCK;
    finite = jw_world_run_double(world, block, rows * factor) == JW_STATUS_OK;
    jw_axis_place(axes, study->pickup_count, block, rows * factor);
    for (uint32_t p = 0; p < study->pickup_count; ++p) {
      for (uint32_t i = 0; i < rows; ++i) {
        values[p * study->frames + at + i] = block[p][(size_t)i * factor];
      }
    }
  }
  return finite;
}

static bool run_world(JwStudy* study, JwWorld* world, uint32_t factor, JwStudyRun* run) {
  double* block[JW_SCENE_MAX_PICKUPS] = {NULL};
  bool good = true;
  for (uint32_t p = 0; p < study->pickup_count; ++p) {
    block[p] = (double*)malloc((size_t)BLOCK * factor * sizeof(double));
    good = good && block[p];
  }
  run->values = (double*)calloc(study->frames * study->pickup_count, sizeof(double));
  good = (good && run->values) || jw_tool_fail("no memory");
  if (good && !gather(study, world, factor, block, run->values)) {
    free(run->values);
    run->values = NULL;
  }
  for (uint32_t p = 0; p < study->pickup_count; ++p) {
    free(block[p]);
  }
  return good;
}

static int run_at(JwStudy* study, JwScene* scene, uint32_t rate, JwStudyRun* run) {
  JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  def.sample_rate = study->rate * (double)(1u << rate);
  def.channels = 0;
  def.unscaled = true;
  def.ledger = false;
  const int status = jw_tool_world(study->name, scene, &def, &world);
  const bool good =
      status || (name_pickups(study, world) && run_world(study, world, 1u << rate, run));
  jw_world_destroy(world);
  return status || good ? status : JW_EXIT_FAILED;
}

// "own" comes first: a rule that is set stays set.
int jw_study_run(JwStudy* study, JwScene* scene) {
  for (uint32_t r = 0; r < study->rule_count; ++r) {
    if (strcmp(study->rules[r], "own") != 0 && !jw_tool_rule(scene, study->rules[r])) {
      return JW_EXIT_USAGE;
    }
    for (uint32_t i = 0; i < study->rate_count; ++i) {
      const int status = run_at(study, scene, i, &study->runs[r][i]);
      if (status || jw_stop_wanted()) {
        return status ? status : JW_EXIT_STOPPED;
      }
    }
  }
  return JW_EXIT_OK;
}

void jw_study_release(JwStudy* study) {
  for (uint32_t r = 0; r < JW_STUDY_RULES; ++r) {
    for (uint32_t i = 0; i < JW_STUDY_RATES; ++i) {
      free(study->runs[r][i].values);
    }
  }
}

// ---------------------------------------------------------------- numbers

typedef struct {
  double mean, most;
} Distance;

// Of two runs, or of one from nothing; NaN where one of them is missing.
static Distance distance(const JwStudy* study, uint32_t pickup, const double* a, const double* b,
                         bool from_zero) {
  Distance d = {0.0, 0.0};
  for (uint64_t i = pickup * study->frames;
       i < (pickup + 1) * study->frames && a && (b || from_zero); ++i) {
    const double apart = fabs(a[i] - (from_zero ? 0.0 : b[i]));
    d.mean += apart * apart;
    d.most = fmax(d.most, apart);
  }
  d.mean = a && (b || from_zero) ? sqrt(d.mean / (double)study->frames) : NAN;
  return d;
}

JwStudyRow jw_study_row(const JwStudy* study, uint32_t pickup, uint32_t rule, uint32_t rate) {
  const JwStudyRun* const runs = study->runs[rule];
  const double* const reference = study->runs[study->reference][study->rate_count - 1].values;
  const Distance whole = distance(study, pickup, reference, NULL, true);
  const Distance off = distance(study, pickup, runs[rate].values, reference, false);
  JwStudyRow row = {off.mean / whole.mean, off.most / whole.most, NAN};
  if (rate > 0 && rate + 1 < study->rate_count) {
    const Distance before =
        distance(study, pickup, runs[rate - 1].values, runs[rate].values, false);
    const Distance after = distance(study, pickup, runs[rate].values, runs[rate + 1].values, false);
    row.order = before.mean > 0.0 && after.mean > 0.0 ? log2(before.mean / after.mean) : NAN;
  }
  return row;
}
