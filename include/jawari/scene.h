// SPDX-License-Identifier: MIT
// jawari/scene.h: from a text file to a world.
//
//   JwScene* scene = NULL;
//   if (jw_scene_load("tromba.json", NULL, &scene)) { ... jw_diagnostic_format() each ... }
//   JwWorldDef def = jw_scene_world(scene);   // what the scene wants; edit it
//   JwWorld* world = NULL;
//   if (jw_scene_build(scene, &def, &world)) { ... diagnostics again ... }
//   jw_world_prepare(world);                  // the scene is no longer needed
//   jw_world_run(world, channels, 64);
//
// A scene with errors is still returned, for the sake of its diagnostics: all errors of the file at
// once.  The format is described in docs/scene-format.md.
#ifndef JAWARI_SCENE_H
#define JAWARI_SCENE_H

#include <jawari/jawari.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JwScene JwScene;

// Limits against unreasonable files, as jw_scene_options() has them; JwSceneLimits sets others.
// Grid points, contact points, memory and work are limited by the world's definition, and computed
// before anything is taken.
#define JW_SCENE_MAX_OBJECTS 1024
#define JW_SCENE_MAX_CONTACTS 4096
#define JW_SCENE_MAX_EVENTS 4096 ///< In the score, and initial states
#define JW_SCENE_MAX_PICKUPS 64
#define JW_SCENE_MAX_CURVE_POINTS 65536 ///< In all curves together
#define JW_SCENE_MAX_TURNS 16384        ///< Of all repeats together
#define JW_SCENE_MAX_DURATION 3600.0    ///< s
#define JW_SCENE_MAX_INCLUDES 16        ///< Files in all
#define JW_SCENE_MAX_BYTES 67108864     ///< Memory while it is read
#define JW_SCENE_MAX_SETS 64            ///< Values set from outside
#define JW_SCENE_MAX_ERRORS 100         ///< Diagnostics kept

/// What a reader of scenes that nobody vouches for may set lower, or higher for its own.
typedef struct {
  uint64_t bytes;   ///< Of one text
  uint64_t depth;   ///< Lists and objects inside each other
  uint64_t values;  ///< In one text
  uint64_t members; ///< Keys in one object
  uint64_t memory;  ///< Bytes taken while it is read
  uint64_t objects, contacts;
  uint64_t events;       ///< In the score, and initial states
  uint64_t pickups;      ///< At most JW_SCENE_MAX_PICKUPS
  uint64_t curve_points; ///< Of all curves together
  uint64_t turns;        ///< Of all repeats together
  uint64_t includes;     ///< At most JW_SCENE_MAX_INCLUDES; 0: none
  double duration;       ///< s
  double operations;     ///< A sample: `max_operations` of jw_scene_world()
} JwSceneLimits;

/// Reads what a scene includes.  With `text` NULL: sets `*size` only; otherwise writes `*size`
/// bytes. `path` is relative, without "..", and so far unchecked for links.
typedef JwStatus (*JwSceneReader)(void* user, const char* path, char* text, size_t* size);

typedef struct {
  const char* file;   ///< Name of the scene in diagnostics
  JwSceneReader read; ///< NULL: a scene that includes another is refused
  void* user;         ///< For `read`
  JwAllocator allocator;
  JwSceneLimits limits;
  const char* const*
      sets; ///< Values in place of the scene's own, "name=value": see docs/scene-format.md
  uint32_t set_count;
} JwSceneOptions;

JW_API JwSceneOptions jw_scene_options(void);

/// Read a scene from memory.  `*scene` is NULL only without memory.  `options` NULL: the defaults.
JW_API JW_MUST_USE JwStatus jw_scene_parse(const char* text, size_t size,
                                           const JwSceneOptions* options, JwScene** scene);

/// Read a scene from a file; it may include files of its own folder and below, and no others.
/// `options` NULL: the defaults; its `file`, `read` and `user` are not used.  JW_STATUS_IO for a
/// file that cannot be read, with a diagnostic that says why.
JW_API JW_MUST_USE JwStatus jw_scene_load(const char* path, const JwSceneOptions* options,
                                          JwScene** scene);

/// Read a scene from memory, and what it includes from a folder and below.
JW_API JW_MUST_USE JwStatus jw_scene_parse_in(const char* folder, const char* text, size_t size,
                                              const JwSceneOptions* options, JwScene** scene);

JW_API void jw_scene_destroy(JwScene* scene);

// ---------------------------------------------------------------- diagnostics

/// One error of a scene.
typedef struct {
  const char* file;
  uint32_t line, column; ///< From 1; columns count characters
  uint32_t length;       ///< Characters, at least 1, all on that line
  const char* message;   ///< One sentence, with the nearest known name where there is one
  const char* text;      ///< The line; not ended by a zero
  size_t text_size;
  bool warning; ///< Not wrong, but probably not meant
} JwDiagnostic;

JW_API uint32_t jw_scene_diagnostics(const JwScene* scene);
/// Beyond the last: one without words.
JW_API JwDiagnostic jw_scene_diagnostic(const JwScene* scene, uint32_t index);

/// Look for what is allowed but probably not meant: what cannot be heard and why, what starts with
/// more energy than anybody gave it, a bow that cannot make its string speak.  `world` was built of
/// the scene, is prepared and has not run.
JW_API void jw_scene_warn(JwScene* scene, JwWorld* world);

/// What jw_scene_warn() has found, in the order of the file; no more than JW_SCENE_MAX_ERRORS.
JW_API uint32_t jw_scene_warnings(const JwScene* scene);
JW_API JwDiagnostic jw_scene_warning(const JwScene* scene, uint32_t index);

/// Write a diagnostic as compilers do: file:line:column: error (or warning): message, the line, and
/// a caret below. Returns the bytes it wants, without the closing zero, like snprintf.
JW_API size_t jw_diagnostic_format(const JwDiagnostic* diagnostic, char* buffer, size_t size);

// ---------------------------------------------------------------- what it says

typedef struct {
  const char* title; ///< "" when not given
  const char* group; ///< What it is listed under; "" when not given
  const char* description;
  uint32_t source_count; ///< See jw_scene_source()
  double duration;       ///< s
  double fade;           ///< s; the host fades the end of the sound, lest a cut clicks
  uint32_t oversample;   ///< The world runs at this many times the rate that is heard
  bool auto_gain;        ///< Some pickup wants its gain chosen: scale the sound to a good level
} JwSceneInfo;

JW_API JwSceneInfo jw_scene_info(const JwScene* scene);

/// Where its numbers come from.
JW_API const char* jw_scene_source(const JwScene* scene, uint32_t index);

/// A text that was read: of the scene itself, or of one that it includes.
typedef struct {
  const char* name;
  const char* text; ///< Ended by a zero
  size_t size;
} JwSceneFile;

/// The scene's own comes first.  Beyond the count: an empty text.
JW_API uint32_t jw_scene_files(const JwScene* scene);
JW_API JwSceneFile jw_scene_file(const JwScene* scene, uint32_t index);

/// The world as the scene wants it; sample_rate includes the oversampling.
JW_API JwWorldDef jw_scene_world(const JwScene* scene);

/// Solve every collision and connection by this rule instead of its own.
JW_API void jw_scene_set_rule(JwScene* scene, JwRule rule);

/// Leave the playing to a player: bows start without force, blows without amplitude, nothing is
/// thrown and nothing rings at the start.  What they would have had is kept as the parts'
/// `strength`.
JW_API void jw_scene_mute(JwScene* scene);

// ---------------------------------------------------------------- build

/// Create a world with everything in it, not yet prepared.  `def` NULL: as the scene wants it.
/// What the engine refuses becomes diagnostics, all at once; then `*world` is NULL.  A scene may be
/// built more than once.
JW_API JW_MUST_USE JwStatus jw_scene_build(JwScene* scene, const JwWorldDef* def, JwWorld** world);

/// One part of a scene, with its id after build.
typedef struct {
  JwKind kind;
  const char* name;  ///< NULL when it has none
  uint32_t line;     ///< Where it is defined
  bool auto_gain;    ///< Of a pickup
  JwObjectId object; ///< After build one of the four is not null; none for initial states
  JwContactId contact;
  JwExciterId exciter;
  JwPickupId pickup;
  double
      strength; ///< Of a muted scene: largest bow force, blow or velocity of a throw in its score
  double from;  ///< Of a muted scene: where that throw started; NaN: never thrown
} JwScenePart;

JW_API uint32_t jw_scene_parts(const JwScene* scene);
JW_API JwScenePart jw_scene_part(const JwScene* scene, uint32_t index);

/// The part with this name; kind is JW_KIND_COUNT if there is none.
JW_API JwScenePart jw_scene_find(const JwScene* scene, const char* name);

// ---------------------------------------------------------------- how it is played

#define JW_PLAY_MAX_VOICES 128
#define JW_PLAY_MAX_DAMPERS 3
#define JW_PLAY_MAX_CONTROLS 128

/// The "play" section (docs/playing.md).
typedef struct {
  bool given;                    ///< There is one
  bool own_voices, own_controls; ///< With these lists
  int mode;                      ///< 0 poly, 1 mono; -1: not said
  bool mpe;
  uint32_t voices, controls; ///< How many
} JwPlay;

/// How a voice comes to the pitch of a note.
typedef enum {
  JW_PLAY_FIXED,     ///< Not at all: it has the pitch it has
  JW_PLAY_TENSION,   ///< By the string's tension, within its `bend`
  JW_PLAY_HARMONICS, ///< By a finger on a node: the nearest harmonic
  JW_PLAY_FINGER     ///< By a finger that shortens the string
} JwPlayPitch;

/// What sounds a note.  Numbers that are not given are NaN.
typedef struct {
  JwScenePart part;   ///< A bow, a force or a mass
  int mode;           ///< Of its section: 0 poly, 1 mono; -1: not said
  JwScenePart touch;  ///< The contact of a finger; kind JW_KIND_COUNT: none
  int pitch;          ///< JwPlayPitch; -1: not said
  double frequency;   ///< Of the open string
  double strength[2]; ///< At velocity 1 and 127
  double speed, from;
  double attack, release;
  bool alternate;
  double finger[2]; ///< Lifted, and put down
  double sounding, bow_share, lighter;
  uint32_t harmonics;
  double swell[2]; ///< Bow: shares of `speed` at velocity 1 and 127; NaN: 1
  double reach;    ///< By a finger: semitones above the open string
  double
      behind; ///< By a finger: how far behind the note's place it presses, of the part that sounds
  JwScenePart
      damper[JW_PLAY_MAX_DAMPERS]; ///< Contacts whose loss damps it; kind JW_KIND_COUNT: none
  double damping[2];               ///< Of them: lifted, and on the string
} JwPlayVoice;

/// Where a change comes from: 0 to 127 are controllers.
typedef enum {
  JW_PLAY_VELOCITY = 128,
  JW_PLAY_PRESSURE,
  JW_PLAY_BEND,
  JW_PLAY_NOTE,
  JW_PLAY_SOURCES
} JwPlaySource;

/// What a controller moves.
typedef struct {
  int source;       ///< JwPlaySource
  const char* name; ///< "rattle.gap"
  bool voice; ///< Of the voice that the message's channel plays: the target has a control and no id
  JwTarget target; ///< After build
  double range[2]; ///< At 0 and 127
  int curve;       ///< 0 linear, 1 square
  double over;     ///< s
} JwPlayControl;

JW_API JwPlay jw_scene_play(const JwScene* scene);
JW_API JwPlayVoice jw_scene_play_voice(const JwScene* scene, uint32_t index);
JW_API JwPlayControl jw_scene_play_control(const JwScene* scene, uint32_t index);

/// "mod", "velocity", "cc16": what a source is called in scenes.
JW_API const char* jw_play_source_name(int source, char buffer[16]);

/// A note of the score, as it is to sound: chords and trills are single notes here, and beats are
/// seconds.  A world does not sound them by itself: a player does (jawari/play.h).
typedef struct {
  double at, duration;         ///< s
  double frequency;            ///< Hz; NaN: by its fret
  double fret;                 ///< Semitones above the open string; NaN: by its frequency
  const JwBreakpoint* dynamic; ///< 0 to 1, times from `start` before `at`; NULL: mf
  uint32_t dynamic_count;
  double raise;              ///< To be added to the dynamic: a hand is never quite even
  const JwBreakpoint* glide; ///< Cents, likewise; NULL: none
  uint32_t glide_count;
  double start;      ///< How long the note that this is a part of sounds already (s): a trill
  double vibrato[2]; ///< Hz, cents; NaN: none
  const char* on;    ///< The voice, or the instrument, that sounds it; NULL: any
  const char* file;
  uint32_t line, column;
} JwSceneNote;

/// In the order of their times; none once the scene is muted.
JW_API uint32_t jw_scene_notes(const JwScene* scene);
JW_API JwSceneNote jw_scene_note(const JwScene* scene, uint32_t index);

// ---------------------------------------------------------------- names

/// What a material is made of, as far as scenes need it.
typedef struct {
  const char* name;
  double density; ///< kg/m3
  double young;   ///< Pa; along the grain for wood
  double poisson;
} JwMaterial;

/// The table of materials.
JW_API const JwMaterial* jw_materials(uint32_t* count);

/// The frequency of a note: "A4" is 440 Hz, "C#3", "Bb1", "E2+15" with cents.  NaN if it is none.
JW_API double jw_note_frequency(const char* name);

#ifdef __cplusplus
}
#endif

#endif // JAWARI_SCENE_H
