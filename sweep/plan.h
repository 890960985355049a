// SPDX-License-Identifier: MIT
// plan.h: inside of sweeps: what was read.
#ifndef JAWARI_SWEEP_PLAN_H
#define JAWARI_SWEEP_PLAN_H

#include "sweep.h"
#include "take.h"

#include "scene/json.h"

#define JW_SWEEP_NAME 96
#define JW_SWEEP_FIELDS 16

/// How points are laid out.
typedef enum {
  JW_BY_GRID,   ///< Every value of an axis with every one of the others; the last varies fastest
  JW_BY_LIST,   ///< The first values of all axes, the second ...
  JW_BY_RANDOM, ///< Each alone, evenly
  JW_BY_LATIN,  ///< A Latin hypercube: every axis in `points` steps, each taken once
  JW_BY_SOBOL   ///< A Sobol sequence, shifted by the seed
} JwSweepBy;

typedef struct {
  char name[JW_SWEEP_NAME];
  char unit[16];
  double* values; ///< A list; NULL: a range
  uint32_t count;
  double from, to;
  bool log;
  JwPlace place;
} JwSweepAxis;

/// What of an object's shape is kept.
typedef struct {
  char object[64];
  JwKind kind;
  uint32_t sides[2]; ///< Places along x and y; of a modal object its modes
  uint32_t places, times;
  double every; ///< s
  JwPlace place;
  uint32_t result; ///< Its table
} JwSweepField;

enum { JW_KEEP_SOUND = 1, JW_KEEP_STATISTICS = 2, JW_KEEP_CONTACTS = 4, JW_KEEP_FEATURES = 8 };

typedef enum {
  JW_SCALE_TIME,
  JW_SCALE_CHANNEL,
  JW_SCALE_CONTACT,
  JW_SCALE_PARTIAL,
  JW_SCALE_BAND,
  JW_SCALE_STRETCH,
  JW_SCALE_FIELDS, ///< From here: time and places of each field
  JW_SCALE_COUNT = JW_SCALE_FIELDS + JW_SWEEP_RANK * JW_SWEEP_FIELDS
} JwSweepScaleId;

struct JwSweep {
  JwPool pool;
  JwSweepDef def;
  JwJson* root;
  const JwJson*
      own; ///< What names the scene and what varies: the root, or an instrument of a data set
  uint64_t sounds; ///< Of the data set, all instruments together
  uint32_t instruments;
  char* error;
  char hash[65];
  JwSweepBy by;
  uint64_t points, seed;
  uint32_t axis_count;
  JwSweepAxis axes[JW_SWEEP_MAX_AXES];
  char scene_name[512];
  char scene_path[1024]; ///< "": built in, or a text
  const char* sets[JW_SCENE_MAX_SETS];
  uint32_t set_count;
  JwTakeDef take;
  unsigned keep;
  uint32_t field_count;
  JwSweepField fields[JW_SWEEP_FIELDS];
  JwScene* scene; ///< Without what varies; never built again
  JwTakeInfo info;
  uint32_t contact_count;
  JwSweepScale scales[JW_SCALE_COUNT];
  uint32_t result_count;
  JwSweepResult results[JW_SWEEP_MAX_RESULTS];
  uint64_t row_size;
};

/// Note an error at a place of the text; always JW_STATUS_BAD_SCENE.
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
JwStatus
jw_sweep_fail(JwSweep* sweep, JwPlace place, const char* format, ...);

// read.c
JW_MUST_USE JwStatus jw_sweep_read(JwSweep* sweep);

// layout.c: the tables of a row, from the scene without what varies.
JW_MUST_USE JwStatus jw_sweep_layout(JwSweep* sweep);

/// Read the scene with the values of a point; `values` NULL: without what varies.
JW_MUST_USE JwStatus jw_sweep_load(const JwSweep* sweep, const double* values, JwScene** scene);

/// The contacts of a scene that was built, at most `most`; returns how many.
uint32_t jw_sweep_contacts(const JwScene* scene, JwScenePart* parts, uint32_t most);

/// A point of [0, 1) in one direction of a Sobol sequence.
double jw_sobol(uint32_t dimension, uint64_t index);

#endif // JAWARI_SWEEP_PLAN_H
