// SPDX-License-Identifier: MIT
// perform.h: a song, or the notes of a scene's own score, played on it: what `jawari render` does.
//
//   jw_performance_open(&def, &performance, error);   // reads the files
//   jw_scene_mute(scene); ... build, prepare ...
//   jw_performance_start(performance, &player_def, error);
//   jw_performance_run(performance, out, 256);
#ifndef JAWARI_PERFORM_H
#define JAWARI_PERFORM_H

#include "play.h"

typedef struct JwPerformance JwPerformance;

/// Paths; scale and map may be NULL, and so may the song, where the score has notes.
typedef struct {
  const char* song;
  const char* scale;
  const char* map;
} JwPerformanceDef;

JW_MUST_USE JwStatus jw_performance_open(const JwPerformanceDef* def, JwPerformance** performance,
                                         char error[JW_ERROR_SIZE]);
void jw_performance_close(JwPerformance* performance);

/// Of the song, in seconds.
double jw_performance_duration(const JwPerformance* performance);

/// Make the player; `def->tuning` is not looked at.
JW_MUST_USE JwStatus jw_performance_start(JwPerformance* performance, const JwPlayerDef* def,
                                          char error[JW_ERROR_SIZE]);

/// Run the world from where it is, every event of the song at its own frame.
JwStatus jw_performance_run(JwPerformance* performance, double* const* out, uint32_t count);

/// The lowest and the highest pitch that its voices reach (Hz); NaN: they have none.
void jw_performance_reach(const JwPerformance* performance, double range[2]);

JwPlayerFigures jw_performance_figures(const JwPerformance* performance);

#endif // JAWARI_PERFORM_H
