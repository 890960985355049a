// SPDX-License-Identifier: MIT
// sweep.h: one scene at many points: what varies, what is kept, and one row a point.
//
//   JwSweepDef def = {.text = text, .size = size, .file = "my-sweep.json", .folder = "."};
//   JwSweep* sweep = NULL;
//   if (jw_sweep_open(&def, &sweep)) { ... jw_sweep_error(sweep) ... }
//   void* row = malloc(jw_sweep_row_size(sweep));
//   jw_sweep_compute(sweep, 17, NULL, row);   // from any thread, in any order
//   jw_sweep_close(sweep);
//
// Point i and its row depend on the texts and on i alone.  The format is that of docs/sweeps.md.
#ifndef JAWARI_SWEEP_H
#define JAWARI_SWEEP_H

#include <jawari/scene.h>

#define JW_SWEEP_MAX_AXES 32
#define JW_SWEEP_MAX_POINTS 100000000.0
#define JW_SWEEP_MAX_RESULTS 96
#define JW_SWEEP_RANK 3     ///< Scales of a result, beside the points
#define JW_SWEEP_REASON 256 ///< Bytes of a reason, with its end

typedef struct JwSweep JwSweep;

typedef struct {
  const char* text; ///< JSON
  size_t size;
  const char* file;    ///< Its name in messages
  const char* folder;  ///< What the scene's name is looked for in; NULL: built-in scenes only
  const char* scene;   ///< Text of a scene, instead of the one that is named; NULL: none
  uint32_t instrument; ///< The text is a data set, and this is one of it, from 1; 0: a sweep
} JwSweepDef;

/// A sweep that failed is still returned, for the sake of its error; NULL only without memory.
JW_API JW_MUST_USE JwStatus jw_sweep_open(const JwSweepDef* def, JwSweep** sweep);
JW_API void jw_sweep_close(JwSweep* sweep);

/// What is wrong, as compilers show it: file:line:column: error: message, the line, a caret.
JW_API const char* jw_sweep_error(const JwSweep* sweep);

/// A text by which the whole sweep is known, of 64 hexadecimal digits: of its own text, the texts of
/// the scene and the version of the library.
JW_API const char* jw_sweep_hash(const JwSweep* sweep);

/// The scene without what varies.
JW_API JwScene* jw_sweep_scene(const JwSweep* sweep);
JW_API const char* jw_sweep_scene_name(const JwSweep* sweep);
JW_API double jw_sweep_rate(const JwSweep* sweep); ///< That is heard (Hz)
JW_API uint32_t jw_sweep_oversample(const JwSweep* sweep);

// ---------------------------------------------------------------- points

JW_API uint64_t jw_sweep_points(const JwSweep* sweep);
JW_API uint32_t jw_sweep_axes(const JwSweep* sweep);
JW_API const char* jw_sweep_axis_name(const JwSweep* sweep, uint32_t axis);
JW_API const char* jw_sweep_axis_unit(const JwSweep* sweep, uint32_t axis);

/// The values of all axes at one point.
JW_API void jw_sweep_values(const JwSweep* sweep, uint64_t point, double* values);

// ---------------------------------------------------------------- rows

/// What the numbers of a result are counted by, beside the points.
typedef struct {
  char name[64];
  char unit[16];
  char help[96];
  uint32_t count;
  double* values; ///< NULL: it has names
  char (*names)[64];
} JwSweepScale;

/// One table of numbers, `width` a point.
typedef struct {
  char name[96];
  char unit[16];
  char help[128];
  const JwSweepScale* scales[JW_SWEEP_RANK]; ///< NULL ends them
  uint64_t width;
  uint64_t offset; ///< In a row (bytes)
  bool single;     ///< float instead of double
} JwSweepResult;

JW_API uint32_t jw_sweep_results(const JwSweep* sweep);
JW_API const JwSweepResult* jw_sweep_result(const JwSweep* sweep, uint32_t index);

/// What a row begins with; results follow at their offsets.
typedef struct {
  uint64_t point;
  uint64_t status;              ///< JwStatus; not 0: every number is NaN
  char reason[JW_SWEEP_REASON]; ///< Why; "" where nothing failed
} JwSweepRow;

JW_API uint64_t jw_sweep_row_size(const JwSweep* sweep);

/// Asked now and then while a point is computed: should it end?
typedef bool (*JwSweepStop)(void);

/// Compute one point.  JW_STATUS_CANCELLED: `stop` has ended it, and `row` has nothing.  A point that
/// cannot be computed is a row with its reason, and JW_STATUS_OK.
JW_API JW_MUST_USE JwStatus jw_sweep_compute(const JwSweep* sweep, uint64_t point, JwSweepStop stop,
                                             void* row);

#endif // JAWARI_SWEEP_H
