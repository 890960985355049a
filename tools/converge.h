// SPDX-License-Identifier: MIT
// converge.h: a scene at several rates and by several rules.  study.c runs it, chart.c draws it,
// converge.c is the verb.
#ifndef JAWARI_TOOL_CONVERGE_H
#define JAWARI_TOOL_CONVERGE_H

#include "axis.h"
#include "outfile.h"
#include "sink.h"

#include <jawari/scene.h>

#define JW_STUDY_RATES 10
#define JW_STUDY_RULES 8

/// One run: every pickup at the times of the lowest rate, one after the other; NULL: not finite.
typedef struct {
  double* values;
} JwStudyRun;

/// What one run is worth, by pickup.
typedef struct {
  double
      error; ///< Root of the mean square of the difference to the reference, over that of the reference
  double worst; ///< Largest difference, over the largest of the reference
  double order; ///< From the runs at half and at twice the rate; NaN without them
} JwStudyRow;

typedef struct {
  const char* name; ///< Of the scene
  double rate;      ///< The lowest
  uint32_t rate_count, rule_count;
  const char* rules[JW_STUDY_RULES]; ///< "own": each contact by its own
  uint32_t reference;                ///< The rule whose finest run all are compared with
  uint64_t frames;                   ///< At the lowest rate
  uint32_t pickup_count;
  JwChannel channels[JW_SCENE_MAX_PICKUPS];
  JwStudyRun runs[JW_STUDY_RULES][JW_STUDY_RATES];
} JwStudy;

/// Run everything; returns the exit status.
int jw_study_run(JwStudy* study, JwScene* scene);
JwStudyRow jw_study_row(const JwStudy* study, uint32_t pickup, uint32_t rule, uint32_t rate);
void jw_study_release(JwStudy* study);

/// The figure as SVG, to be freed; NULL after printing why.
char* jw_study_chart(const JwStudy* study);

#endif // JAWARI_TOOL_CONVERGE_H
