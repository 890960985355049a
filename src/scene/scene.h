// SPDX-License-Identifier: MIT
// A scene in memory: its texts, its parts in the order of the file, its errors.
#ifndef JAWARI_SCENE_SCENE_H
#define JAWARI_SCENE_SCENE_H

#include "scene/forms.h"
#include "scene/json.h"

#include <jawari/scene.h>

typedef struct JwItem JwItem;
typedef struct JwCurve JwCurve;
typedef struct JwThrow JwThrow;

/// One text: the scene itself, or one that it includes.
typedef struct {
  const char* file;
  const char* text;
  size_t size;
  size_t seen;    ///< Bytes whose lines are counted
  uint32_t lines; ///< Ends of lines in them
} JwSource;

/// What a point of a curve has besides its time and value.
typedef struct {
  JwPlace place; ///< Where its value is written
  double held; ///< This share of what the number is at first, which only the world knows, is added
} JwCurveNote;

/// A control that follows a curve from the start.
struct JwCurve {
  JwControl control;
  JwBreakpoint* points;
  JwCurveNote* notes;  ///< One a point
  JwBreakpoint* built; ///< As the world has got them
  uint32_t count, capacity;
  bool given; ///< As a curve, not by events alone
  JwPlace place;
  JwCurve* next;
};

/// A change of a number by the score.
typedef struct JwSet JwSet;
struct JwSet {
  JwItem* item;
  JwControl control;
  const char* text; ///< "name.key"
  double before;    ///< The number as defined; NaN: only the world knows it
  double at, over, to;
  JwPlace place, value_place;
  uint32_t order;
  JwSet* next;
};

/// A port as written.
typedef struct {
  const JwItem* object; ///< NULL: not given, or not found
  JwPort port;          ///< Without its id
  bool placed;          ///< x was given
  JwPlace place;
} JwScenePort;

/// Any definition.
typedef union {
  JwMassDef mass;
  JwStringDef string;
  JwPlateDef plate;
  JwModalDef modal;
  JwBarrierDef barrier;
  JwCollisionDef collision;
  JwConnectionDef connection;
  JwSpringDef spring;
  JwFrictionDef friction;
  JwBowDef bow;
  JwForceDef force;
  JwInitialDef initial;
  JwPickupDef pickup;
} JwAnyDef;

/// One part of the scene.
struct JwItem {
  JwKind kind;
  const char* name; ///< NULL: none
  JwPlace place;
  uint32_t line;
  JwAnyDef def;
  JwScenePort ports[2];
  const JwItem* heard; ///< The contact of a pickup, or what presses a friction
  JwCurve* curves;
  bool auto_gain;
  JwObjectId object; // After build
  JwContactId contact;
  JwExciterId exciter;
  JwPickupId pickup;
  double strength, from; // See JwScenePart; once the score is muted
  bool left_to_player;   // Muted already
  bool moved;            // Something sets it in motion, as far as is known
  JwItem* next;
};

/// A mass thrown by the score.
struct JwThrow {
  const JwItem* mass;
  double at, position, velocity;
  JwPlace place;
  JwThrow* next;
};

typedef struct {
  JwPlace place;
  const char* message;
  size_t bare; ///< Bytes of the message without the values of a repeat
} JwError;

/// A voice and a control of the "play" section, with what they are of.
typedef struct {
  JwPlayVoice def;
  const JwItem *sounder, *touch;
  const JwItem* damper[JW_PLAY_MAX_DAMPERS];
} JwVoiceItem;

/// What the keys of a note are read into, and those of "humanise".
typedef struct {
  double duration;
  double vibrato[2], trill[2];
} JwNoteDef;

typedef struct {
  uint32_t seed;
  double time, dynamic, cents;
} JwHumanise;

/// [time, value] from the start of a note; without points, as usual.
typedef struct {
  const JwBreakpoint* points;
  uint32_t count;
} JwNoteShape;

/// One note of the score: see JwSceneNote.
typedef struct JwNoteItem JwNoteItem;
struct JwNoteItem {
  double at, length, frequency, fret, start, raise;
  double vibrato[2];
  JwNoteShape dynamic, glide;
  const char* on;
  JwPlace place;
  uint32_t order;
  JwNoteItem* next;
};

/// Beats a minute from a beat on.
typedef struct {
  const JwBreakpoint* steps;
  uint32_t count; ///< 0: no tempo
} JwTempo;

typedef struct {
  JwPlayControl def;
  JwItem* item; ///< NULL: of a voice
  JwPlace to, range;
} JwControlItem;

struct JwScene {
  JwPool pool;
  JwSource sources[JW_SCENE_MAX_INCLUDES + 1
                   + JW_SCENE_MAX_SETS]; ///< The last ones: values given from outside
  uint32_t source_count;
  JwError errors[JW_SCENE_MAX_ERRORS];
  uint32_t error_count;
  JwError warnings[JW_SCENE_MAX_ERRORS];
  uint32_t warning_count;
  bool muted;        ///< A player plays it
  bool well_written; ///< No errors but those that building finds
  JwSceneLimits limits;
  JwPlay play;
  JwVoiceItem* voices;
  JwControlItem* controls;
  JwSceneInfo info;
  const char** credits; ///< "sources"
  JwWorldDef world;
  JwPlace world_place;
  JwItem* first;
  JwItem* last;
  uint32_t item_count;
  uint32_t object_count, contact_count, event_count, pickup_count, curve_points, turns;
  JwThrow* throws;        ///< Newest first
  JwSet* sets;            ///< Newest first
  double end;             ///< Of the last event
  JwNoteItem* first_note; ///< Newest first
  JwNoteItem** notes;     ///< By time
  uint32_t note_count;
  const char* prefix; ///< While an include "as" is read: its name; NULL: none
};

/// A value bound to a name; the innermost stands first.
typedef struct JwBinding JwBinding;
struct JwBinding {
  const char* name;
  const JwJson* value;
  const JwBinding* outer;
  bool repeated;
};

/// A sound goes on for this long after the last event (s), when the scene does not say.
#define JW_SCENE_TAIL 2.0

/// A scene being read.
typedef struct {
  JwScene* scene;
  const JwSceneOptions* options;
  const JwBinding* bindings;
  double time;     ///< Added to the times of curves: the start of the event
  uint32_t nested; ///< Includes inside each other
  JwTempo tempo;   ///< Of the text that is read
  bool no_notes;   ///< Its notes are left out
  bool set_used[JW_SCENE_MAX_SETS];
} JwLoader;

// set.c: values from outside: take their texts, put them into a tree, and see that each was used.
void jw_take_sets(JwLoader* loader);
void jw_apply_sets(JwLoader* loader, JwJson* root);
void jw_check_sets(JwLoader* loader);

/// A scene that could not be read, for the sake of its diagnostic; JW_STATUS_IO, or
/// JW_STATUS_NO_MEMORY and none (create.c).
JwStatus jw_scene_unread(const JwSceneOptions* options, const char* why, JwScene** scene);

// ---------------------------------------------------------------- errors (diagnose.c)

/// Note an error.  Once a place and sentence; no more than JW_SCENE_MAX_ERRORS.
void jw_scene_error(JwScene* scene, JwPlace place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Note a warning, likewise.
void jw_scene_suspect(JwScene* scene, JwPlace place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// The same while reading: inside a repeat the sentence ends with the values it has there.
void jw_loader_error(JwLoader* loader, JwPlace place, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Where a value starts: its key if it has one, otherwise its first character.
JwPlace jw_head(const JwJson* node);

// ---------------------------------------------------------------- names and repeats (scope.c)

/// The number that a text with '=' stands for, and the curve that an object with a "wave" does;
/// NULL after noting what is wrong (formula.c).
const JwJson* jw_formula_number(JwLoader* loader, const JwJson* node);
const JwJson* jw_formula_curve(JwLoader* loader, const JwJson* node);

/// What a value stands for: "$name" is replaced.  NULL after noting an error.
const JwJson* jw_value(JwLoader* loader, const JwJson* node);

/// The member of an object and what it stands for; NULL if it is not there or an error was noted.
const JwJson* jw_member(JwLoader* loader, const JwJson* object, const char* key);

/// A text with every $name in it replaced; NULL after noting an error.
const char* jw_expand(JwLoader* loader, const char* text, JwPlace place);

/// Bind a name for what follows; false without memory.
bool jw_bind(JwLoader* loader, const char* name, const JwJson* value, bool repeated);

/// Call `one` for a node, or for each turn of its "repeat".
void jw_each(JwLoader* loader, const JwJson* node, void (*one)(JwLoader*, const JwJson*));

// ---------------------------------------------------------------- values (read.c, curve.c, port.c)

/// Check a node's keys against its form and read its parameters into `def`; curves go to `item`,
/// which may be NULL.
void jw_read_form(JwLoader* loader, JwForm form, const JwJson* node, void* def, JwItem* item);

/// Read one parameter.
bool jw_read_param(JwLoader* loader, const JwParam* param, const JwJson* value, void* def);

/// A number within limits, or an error; `name` is the key.
bool jw_read_number(JwLoader* loader, const char* name, const JwJson* value, const double range[2],
                    double* out);

/// A number within the parameter's limits, or a note where a frequency is wanted.
bool jw_read_quantity(JwLoader* loader, const JwParam* param, const JwJson* value, double* out);

/// A text, or an error.
const char* jw_read_text(JwLoader* loader, const char* name, const JwJson* value);

/// A list of numbers; `*count` gets its length.
double* jw_read_numbers(JwLoader* loader, const char* name, const JwJson* value, uint32_t* count);

/// Whether a value has the form of a curve: a list of lists.
bool jw_is_curve(const JwJson* value);

/// Read [[time, value], ...] into a new curve of `item`; the values must be what `param` may be.
JwCurve* jw_read_curve(JwLoader* loader, const JwParam* param, const JwJson* value, JwItem* item);

/// A curve of an item; a new one, without points, if there is none yet.
JwCurve* jw_need_curve(JwLoader* loader, JwItem* item, JwControl control);

/// Add a point at the end of a curve, after its last.
bool jw_curve_append(JwLoader* loader, JwCurve* curve, JwBreakpoint point, JwCurveNote note);

/// The value of a curve at a time; `*held`, unless NULL, gets the share of the first value in it.
double jw_curve_value(const JwCurve* curve, double time, double* held);

/// A port; `which` is 0 or 1.  `whole`: it stands for the whole object and needs no place.
void jw_read_port(JwLoader* loader, const JwJson* value, JwItem* item, uint32_t which, bool whole);

// ---------------------------------------------------------------- parts (part.c, contact.c,
// score.c)

/// A new part; NULL without memory or beyond the limit.
JwItem* jw_add_item(JwLoader* loader, JwForm form, const JwJson* node);

/// The part of this name, or NULL.
JwItem* jw_find_item(const JwScene* scene, const char* name);

/// A name with that of the include it stands in before it.
const char* jw_full_name(JwLoader* loader, const char* name);

/// Give a part its name, which must be new and well formed.
void jw_name_item(JwLoader* loader, JwItem* item, const char* name, JwPlace place);

/// Give a part the name under its key "name", if there.
void jw_name_member(JwLoader* loader, JwItem* item, const JwJson* node);

/// Note that a name stands for nothing, with the nearest that does; `wanted` says what was looked
/// for.
void jw_unknown_item(JwLoader* loader, JwPlace place, const char* name, bool (*wanted)(JwKind));

bool jw_kind_is_object(JwKind kind);
bool jw_kind_is_contact(JwKind kind);

/// A whole text, of the scene or of one that it includes; `with` gives its parameters, and may be
/// NULL.
void jw_load_text(JwLoader* loader, uint32_t source, const JwJson* with);

void jw_load_object(JwLoader* loader, const JwJson* node);
void jw_load_contact(JwLoader* loader, const JwJson* node);
void jw_load_initial(JwLoader* loader, const JwJson* node);
void jw_load_event(JwLoader* loader, const JwJson* node);

/// When an event is, by "at" or "beat"; false after noting an error (note.c).
bool jw_read_moment(JwLoader* loader, const JwJson* node, double* at);
void jw_load_tempo(JwLoader* loader, const JwJson* root);
void jw_load_note(JwLoader* loader, JwForm form, const JwJson* node, double at);
/// Put the notes in order, as the hand plays them.
void jw_finish_notes(JwLoader* loader, const JwJson* root);
/// Leave what notes are played on to the player: see jw_scene_mute() (info.c).
void jw_mute_voices(JwScene* scene);
/// File, line and column of a place (diagnose.c).
JwDiagnostic jw_place_of(const JwScene* scene, JwPlace place);

/// Make curves of all changes that the score has asked for, in the order of their times.
void jw_finish_score(JwLoader* loader);
void jw_load_pickup(JwLoader* loader, const JwJson* node);
/// The "play" section, when all names are known (play.c).
void jw_load_play(JwLoader* loader, const JwJson* root);

/// The part and the control that "name.key" stands for; false after noting an error under this key
/// (score.c).
bool jw_find_control(JwLoader* loader, const char* key, const JwJson* value, JwItem** item,
                     JwControl* control);

/// Look whether the controls of the "play" section can move what they are to move, as far as they
/// are to (play.c).
void jw_check_play(JwScene* scene, const JwWorld* world);

/// As users see it (info.c).
JwScenePart jw_part_of(const JwItem* item);

#endif // JAWARI_SCENE_SCENE_H
