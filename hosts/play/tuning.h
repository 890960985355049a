// SPDX-License-Identifier: MIT
// tuning.h: which frequency a key has.
#ifndef JAWARI_TUNING_H
#define JAWARI_TUNING_H

#include <jawari/base.h>

/// Hz of each of the 128 keys; NaN where the map leaves a key out.
typedef struct {
  double frequency[128];
} JwTuning;

/// Twelve equal steps an octave, A4 = 440 Hz.
JwTuning jw_tuning_equal(void);

#define JW_TUNING_MAX_STEPS 1024u ///< Most pitches in a scale, most keys in a map

/// Read a Scala scale (.scl) and, if `map` is not NULL, a keyboard map (.kbm).  Without a map,
/// degree 0 is middle C at 261.6256 Hz.  On failure `error` gets one sentence with the line.
JW_MUST_USE JwStatus jw_tuning_parse(const char* scale, const char* map, JwTuning* tuning,
                                     char error[JW_ERROR_SIZE]);

/// The same from files; `map_path` may be NULL.
JW_MUST_USE JwStatus jw_tuning_load(const char* scale_path, const char* map_path, JwTuning* tuning,
                                    char error[JW_ERROR_SIZE]);

#endif // JAWARI_TUNING_H
