// SPDX-License-Identifier: MIT
// job.h: one rendering, from a scene's name to its files; what `render` and `plot` share.
#ifndef JAWARI_TOOL_JOB_H
#define JAWARI_TOOL_JOB_H

#include "axis.h"
#include "decimate.h"
#include "loudness.h"
#include "pitch.h"
#include "perform.h"
#include "sink.h"
#include "tool.h"

/// As given on the command line.
typedef struct {
  const char* scene;
  JwSceneWish wish;
  double rate, duration; ///< NaN: as the scene has it
  uint32_t oversample;   ///< 0: as the scene has it
  uint32_t every;        ///< Frames from row to row of energy and fields
  const char* rule;      ///< NULL: as the scene has it
  const char* gain;      ///< NULL: as the scene has it
  double loudness;       ///< LUFS; NaN: by the gain
  const char* bits;      ///< "16", "24", "float"; NULL: as the format has it
  const char* channels;  ///< "mono", "stereo", "pickups"; NULL: as the scene has it, or stereo
  const char* output;    ///< NULL: no sound
  bool implied; ///< The output is not asked for by name: left out where there is nothing to hear
  const char* format;
  const char* energy;
  const char* stats;
  const char* plot;
  const char* panels;
  const char* string; ///< Whose shape is drawn
  JwToolList fields;
  const char* midi;  ///< A song played instead of the scene's own score
  const char* scale; ///< Its tuning
  const char* map;
  bool no_ledger;
  bool strict; ///< Warnings are errors
  bool quiet;
} JwJobOptions;

JwJobOptions jw_job_options(void);

typedef struct JwFieldFile JwFieldFile;
typedef struct JwLedgerFile JwLedgerFile;
typedef struct JwPicture JwPicture;

/// Objects that move, or contacts, by name.
typedef struct {
  uint32_t count;
  uint32_t* index; ///< Of the id
  const char** names;
  char* memory;
} JwParts;

typedef struct {
  const JwJobOptions* options;
  const JwFormat* format; ///< Of the output; NULL without one
  JwScene* scene;
  JwWorld* world;
  JwPerformance* performance; ///< NULL: the scene plays its own score
  double rate;                ///< That is heard
  uint32_t oversample;
  double duration; ///< s
  double gain;     ///< Put on the sound
  bool auto_gain;
  uint64_t frames, done; ///< Of output: wanted, written
  uint32_t channel_count;
  bool mixes;  ///< To mono or stereo, instead of one channel a pickup
  bool sounds; ///< As the world gives it, with gains; otherwise numbers on the axis of axis.h
  JwChannel channels[JW_SCENE_MAX_PICKUPS];
  JwAxis axes[JW_SCENE_MAX_PICKUPS];
  double peak;          ///< Before the gain
  JwLoudness* loudness; ///< Of a sound, before the gain
  JwPitch* pitch;       ///< Of a sound
  double started;       ///< By the clock, before the scene was read
  double computing;     ///< Spent in the world
  bool stopped;         ///< By Ctrl-C
  JwDecimator* decimator;
  double* block[JW_SCENE_MAX_PICKUPS]; ///< One array a channel, at the world's rate
  double* mixed;                       ///< Interleaved, at the output's rate
  bool has_sink;
  JwSink sink;
  JwOrigin origin;
  JwParts objects, contacts;
  JwLedgerFile* energy;
  JwFieldFile* fields[JW_TOOL_LIST_MOST];
  uint32_t field_count;
  JwPicture* picture;
  bool told_large; ///< That something has moved farther than it is long
} JwJob;

/// Do it all, and print what came of it.  Returns the exit status.
int jw_job_run(const JwJobOptions* options);

/// "dir/tromba.json" with ".wav" becomes "tromba.wav"; to be freed.
char* jw_tool_default_output(const char* scene, const char* ending);

/// Seconds since some moment, never going back.
double jw_job_clock(void);

// job_world.c: build and prepare the world, name its channels; returns the exit status.
int jw_job_build(JwJob* job);
/// Build and prepare a scene's world; on failure prints why and returns the exit status.
int jw_tool_world(const char* name, JwScene* scene, const JwWorldDef* def, JwWorld** world);
/// Names of the rules, ended by NULL; solve every contact of a scene by one of them.
const char* const* jw_tool_rules(void);
bool jw_tool_rule(JwScene* scene, const char* rule);
/// What a pickup is called and reads.
void jw_channel_name(JwChannel* channel, const JwWorld* world, uint32_t index);

bool jw_job_name_parts(JwJob* job);
void jw_job_free_parts(JwJob* job);

// outputs.c
bool jw_outputs_differ(const JwJobOptions* options);
bool jw_outputs_spare_inputs(const JwJob* job);
bool jw_outputs_use_stdout(const JwJobOptions* options);
/// Does an HDF5 output hold energy or fields?  Is anything written beside the output?
bool jw_outputs_hold_more(const JwJobOptions* options);
bool jw_outputs_write_more(const JwJobOptions* options);

// progress.c
void jw_progress_show(const JwJob* job, double now);
void jw_progress_clear(const JwJob* job);

// ledger.c: --energy
bool jw_ledger_open(JwJob* job);
bool jw_ledger_row(JwJob* job);
bool jw_ledger_close(JwJob* job, bool keep);

// field.c: --field
bool jw_fields_open(JwJob* job);
bool jw_fields_row(JwJob* job);
bool jw_fields_close(JwJob* job, bool keep);

// picture.c: --plot
bool jw_picture_open(JwJob* job);
/// Frames of the world until there is something to see.
uint64_t jw_picture_next(const JwJob* job);
/// After every block: `mixed` holds `count` new frames of output.
bool jw_picture_look(JwJob* job, uint32_t count);
bool jw_picture_close(JwJob* job, bool keep);

// report.c
typedef struct {
  JwWorldInfo world;
  JwEnergy energy;
  uint64_t closures;
  double pull, parked, misfit; ///< Worst of all contacts; misfit also of what stiffens
  double peak;                 ///< After the gain
  double loudness;             ///< LUFS after the gain; -infinity: silent, too short, or no sound
  double pitch;                ///< Hz; NaN: the sound has none
  double realtime_factor;      ///< Seconds of sound in a second
} JwReport;

JwReport jw_report_of(const JwJob* job);
void jw_report_table(const JwJob* job, FILE* file);
bool jw_report_stats(const JwJob* job);

/// Warn once when an object has bent by more than its own length: the equations hold for small
/// motion (suspect.c).
void jw_job_watch_large(JwJob* job);

/// Warn of what only the whole run shows: notes that no voice could sound (suspect.c).
void jw_job_warn_at_end(const JwJob* job);

#endif // JAWARI_TOOL_JOB_H
