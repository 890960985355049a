// SPDX-License-Identifier: MIT
// Tables of the forms: see forms.h.

#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define LENGTH(TABLE) (sizeof(TABLE) / sizeof(TABLE)[0])

// ---------------------------------------------------------------- forms that are no definition of
// the engine

static const char* const modes[] = {"poly", "mono", NULL};
static const char* const pitches[] = {"fixed", "tension", "harmonics", "finger", NULL};
static const char* const curves[] = {"linear", "square", NULL};

#define OWN(T, F, TYPE, COUNT, UNIT, LOW, HIGH, INITIAL, REQUIRED, CHOICES, HELP)                  \
  { #F, UNIT, HELP, TYPE, offsetof(T, F), COUNT, LOW, HIGH, INITIAL, REQUIRED, CHOICES }
#define NUMBER(T, F, UNIT, LOW, HIGH, INITIAL, HELP)                                               \
  OWN(T, F, JW_TYPE_NUMBER, 1, UNIT, LOW, HIGH, INITIAL, false, NULL, HELP)
#define PAIR(T, F, UNIT, LOW, HIGH, REQUIRED, HELP)                                                \
  OWN(T, F, JW_TYPE_NUMBERS, 2, UNIT, LOW, HIGH, NAN, REQUIRED, NULL, HELP)
#define FLAG(T, F, HELP) OWN(T, F, JW_TYPE_FLAG, 1, "", 0, 1, 0, false, NULL, HELP)
#define CHOICE(T, F, NAMES, INITIAL, HELP)                                                         \
  OWN(T, F, JW_TYPE_CHOICE, 1, "", 0, 0, INITIAL, false, NAMES, HELP)

static const JwParam play_params[] = {
    CHOICE(JwPlay, mode, modes, NAN,
           "One note at a time, legato, or many; mono if all voices are bows"),
    FLAG(
        JwPlay, mpe,
        "Channels 2 to 16 carry a note each, with a bend of 48 semitones; channel 1's bend adds to all"),
};

static const JwParam voice_params[] = {
    CHOICE(JwPlayVoice, pitch, pitches, NAN, "How it comes to the pitch of a note"),
    NUMBER(JwPlayVoice, frequency, "Hz", 1, 2e4, NAN, "Of the open string, if not its fundamental"),
    PAIR(JwPlayVoice, strength, "N or m/s", -1e6, 1e6, false,
         "At velocity 1 and 127: bow force, blow, or velocity of the throw"),
    NUMBER(JwPlayVoice, speed, "m/s", -10, 10, NAN, "Of the bow"),
    PAIR(JwPlayVoice, swell, "", 0, 10, false,
         "Of the bow's speed at velocity 1 and 127; its force goes with it"),
    NUMBER(JwPlayVoice, from, "m", -10, 10, NAN, "Where a mass is thrown from"),
    NUMBER(JwPlayVoice, attack, "s", 0, 10, 0.02,
           "How long the bow takes to come; three times that to come to its speed"),
    NUMBER(JwPlayVoice, release, "s", 0, 10, 0.05, "How long it takes to go"),
    FLAG(JwPlayVoice, alternate, "The bow turns with every new stroke"),
    PAIR(JwPlayVoice, finger, "m", -1e6, 1e6, false, "The finger's position lifted and put down"),
    NUMBER(JwPlayVoice, sounding, "", 0.01, 1, 1,
           "The part of the string that sounds, from x = 0, as a fraction"),
    NUMBER(JwPlayVoice, bow_share, "", 0, 0.99, 0,
           "Harmonics: the bow's place as a share of the part before the finger; 0: it stays"),
    OWN(JwPlayVoice, harmonics, JW_TYPE_COUNT, 1, "", 1, 64, 16, false, NULL,
        "Harmonics: the highest"),
    NUMBER(JwPlayVoice, lighter, "", 0, 2, 0,
           "Harmonics: the bow's force falls as n to the minus this"),
    NUMBER(JwPlayVoice, reach, "semitones", 0, 48, 24,
           "By a finger: how far above the open string it goes"),
    NUMBER(JwPlayVoice, behind, "", 0, 0.05, 0,
           "By a finger: how far behind the place of the note it presses, of the part that sounds"),
    PAIR(JwPlayVoice, damping, "", 0, 1e20, false,
         "The damper's loss while a note is held, and after it"),
};

static const JwParam control_params[] = {
    PAIR(JwPlayControl, range, "", -1e20, 1e20, true, "The values at 0 and 127"),
    CHOICE(JwPlayControl, curve, curves, 0, "Evenly, or finer at the low end"),
    NUMBER(JwPlayControl, over, "s", 0, 10, 0.01, "How long a change takes"),
};

static const JwParam note_params[] = {
    NUMBER(JwNoteDef, duration, "s", 1e-3, 3600, 0.5, "How long it is held"),
    PAIR(JwNoteDef, vibrato, "Hz, cents", 0, 1200, false,
         "How fast and how far the pitch swings; it comes within its first swing"),
    PAIR(JwNoteDef, trill, "cents, 1/s", -2400, 2400, false,
         "Interval and notes a second: this note and that one in turn"),
};

static const JwParam humanise_params[] = {
    OWN(JwHumanise, seed, JW_TYPE_COUNT, 1, "", 0, 4294967295.0, 1, false, NULL,
        "The same seed, the same performance"),
    NUMBER(JwHumanise, time, "s", 0, 1, 0.01, "Notes come earlier or later by up to this"),
    NUMBER(JwHumanise, dynamic, "", 0, 1, 0.05, "Louder or softer by up to this"),
    NUMBER(JwHumanise, cents, "cents", 0, 100, 0, "Sharper or flatter by up to this"),
};

// ---------------------------------------------------------------- all forms

typedef struct {
  const char* name;
  JwKind kind;
  const char* verb;
  const JwParam* params; // Its own
  uint32_t count;
} Form;

static const Form forms[JW_FORM_COUNT] = {
    [JW_FORM_SCENE] = {"a scene", JW_KIND_COUNT, NULL, NULL, 0},
    [JW_FORM_WORLD] = {"a world", JW_KIND_WORLD, NULL, NULL, 0},
    [JW_FORM_MASS] = {"a mass", JW_KIND_MASS, NULL, NULL, 0},
    [JW_FORM_STRING] = {"a string", JW_KIND_STRING, NULL, NULL, 0},
    [JW_FORM_PLATE] = {"a plate", JW_KIND_PLATE, NULL, NULL, 0},
    [JW_FORM_MODAL] = {"a modal object", JW_KIND_MODAL, NULL, NULL, 0},
    [JW_FORM_BARRIER] = {"a barrier", JW_KIND_BARRIER, NULL, NULL, 0},
    [JW_FORM_COLLISION] = {"a collision", JW_KIND_COLLISION, NULL, NULL, 0},
    [JW_FORM_CONNECTION] = {"a connection", JW_KIND_CONNECTION, NULL, NULL, 0},
    [JW_FORM_SPRING] = {"a spring", JW_KIND_SPRING, NULL, NULL, 0},
    [JW_FORM_FRICTION] = {"friction", JW_KIND_FRICTION, NULL, NULL, 0},
    [JW_FORM_BOW] = {"a bow", JW_KIND_BOW, NULL, NULL, 0},
    [JW_FORM_INITIAL] = {"an initial state", JW_KIND_INITIAL, NULL, NULL, 0},
    [JW_FORM_BOWING] = {"a bow event", JW_KIND_BOW, "bow", NULL, 0},
    [JW_FORM_PLUCK] = {"a pluck", JW_KIND_FORCE, "pluck", NULL, 0},
    [JW_FORM_STRIKE] = {"a strike", JW_KIND_FORCE, "strike", NULL, 0},
    [JW_FORM_PUSH] = {"a push", JW_KIND_FORCE, "push", NULL, 0},
    [JW_FORM_THROW] = {"a throw", JW_KIND_COUNT, "throw", NULL, 0},
    [JW_FORM_SET] = {"a set event", JW_KIND_COUNT, "set", NULL, 0},
    [JW_FORM_NOTE] = {"a note", JW_KIND_COUNT, "note", note_params, (uint32_t)LENGTH(note_params)},
    [JW_FORM_FRET] = {"a fretted note", JW_KIND_COUNT, "fret", note_params,
                      (uint32_t)LENGTH(note_params)},
    [JW_FORM_PICKUP] = {"a pickup", JW_KIND_PICKUP, NULL, NULL, 0},
    [JW_FORM_PORT] = {"a port", JW_KIND_COUNT, NULL, NULL, 0},
    [JW_FORM_INCLUDE] = {"an include", JW_KIND_COUNT, NULL, NULL, 0},
    [JW_FORM_RANGE] = {"a range", JW_KIND_COUNT, NULL, NULL, 0},
    [JW_FORM_PLAY] = {"a play section", JW_KIND_COUNT, NULL, play_params,
                      (uint32_t)LENGTH(play_params)},
    [JW_FORM_VOICE] = {"a voice", JW_KIND_COUNT, NULL, voice_params,
                       (uint32_t)LENGTH(voice_params)},
    [JW_FORM_CONTROL] = {"a control", JW_KIND_COUNT, NULL, control_params,
                         (uint32_t)LENGTH(control_params)},
    [JW_FORM_HUMANISE] = {"a humanise section", JW_KIND_COUNT, NULL, humanise_params,
                          (uint32_t)LENGTH(humanise_params)},
};

#define F(NAME) (1u << JW_FORM_##NAME)
#define OBJECTS (F(MASS) | F(STRING) | F(PLATE) | F(MODAL) | F(BARRIER))
#define PAIRS (F(COLLISION) | F(CONNECTION) | F(SPRING) | F(FRICTION))
#define CONTACTS (PAIRS | F(BOW))
#define FORCES (F(PLUCK) | F(STRIKE) | F(PUSH))
#define EVENTS (F(BOWING) | FORCES | F(THROW) | F(SET))
#define NOTES (F(NOTE) | F(FRET))

static const JwFormKey keys[] = {
    {F(SCENE), "jawari", JW_HOLDS_COUNT, true, "Version of the format: 1"},
    {F(SCENE), "$schema", JW_HOLDS_TEXT, false,
     "For editors: where jawari.schema.json lies; not read"},
    {F(SCENE), "title", JW_HOLDS_TEXT, false, "One line"},
    {F(SCENE), "group", JW_HOLDS_TEXT, false,
     "What it is listed under; built-in scenes: papers, experiments, and without it instruments"},
    {F(SCENE), "description", JW_HOLDS_TEXT, false, "What it is and what to listen for"},
    {F(SCENE), "sources", JW_HOLDS_LIST, false, "Where the numbers come from: texts"},
    {F(SCENE), "duration", JW_HOLDS_NUMBER, false,
     "Seconds; without it, two seconds more than the end of the last event"},
    {F(SCENE), "fade", JW_HOLDS_NUMBER, false,
     "Seconds over which the sound fades out at its end; 0.02 if not given"},
    {F(SCENE), "oversample", JW_HOLDS_COUNT, false,
     "The world runs at this many times the sample rate, 1 to 64"},
    {F(SCENE), "world", JW_HOLDS_OBJECT, false, "Sample rate and the like"},
    {F(SCENE), "parameters", JW_HOLDS_OBJECT, false, "Values to be used as \"$name\""},
    {F(SCENE), "include", JW_HOLDS_ANY, false,
     "Another scene whose parts are taken in, or a list of them"},
    {F(SCENE), "objects", JW_HOLDS_OBJECT, false,
     "What vibrates, and what stands in its way, by name"},
    {F(SCENE), "contacts", JW_HOLDS_LIST, false, "What touches what, and by which law"},
    {F(SCENE), "initial", JW_HOLDS_LIST, false,
     "Plucked shapes and struck velocities at the start"},
    {F(SCENE), "score", JW_HOLDS_LIST, false, "What is done, and when"},
    {F(SCENE), "tempo", JW_HOLDS_ANY, false,
     "Beats a minute, or [[beat, beats a minute], ...]: each holds from its beat on"},
    {F(SCENE), "humanise", JW_HOLDS_OBJECT, false, "Notes as a hand plays them: never quite even"},
    {F(SCENE), "pickups", JW_HOLDS_LIST, false, "What is heard"},
    {F(SCENE), "play", JW_HOLDS_OBJECT, false, "How keys and controllers play it"},

    {OBJECTS, "kind", JW_HOLDS_TEXT, true, "What it is"},
    {F(STRING) | F(PLATE), "material", JW_HOLDS_TEXT, false,
     "Gives density, young and poisson, unless they stand beside it"},
    {F(MODAL), "modes", JW_HOLDS_LIST, true,
     "One [frequency (Hz), decay (1/s), modal mass (kg)] a mode; the frequency may be a note"},
    {F(MODAL), "shapes", JW_HOLDS_LIST, true,
     "One list of weights, one a mode, for each place; a port's x counts them from 0"},
    {F(BARRIER), "polynomial", JW_HOLDS_LIST, false,
     "Height c0 + c1 x + c2 x^2 ..., x in metres along the string"},
    {F(BARRIER), "table", JW_HOLDS_LIST, false,
     "Height as [x (m), height (m)] points, straight between them"},

    {CONTACTS, "law", JW_HOLDS_TEXT, true, "What it is"},
    {CONTACTS | F(PICKUP) | EVENTS, "name", JW_HOLDS_TEXT, false, "To refer to it"},
    {PAIRS, "between", JW_HOLDS_LIST, false,
     "The first port and the second; of a collision, the lower one first"},
    {F(COLLISION), "below", JW_HOLDS_PORT, false, "The lower port, instead of between"},
    {F(COLLISION), "above", JW_HOLDS_PORT, false, "The upper port, instead of between"},
    {F(FRICTION), "pressed_by", JW_HOLDS_TEXT, false,
     "The name of a contact that stands before: its push presses"},
    {F(BOW) | F(INITIAL), "on", JW_HOLDS_PORT, true, "The port"},

    {EVENTS | NOTES, "at", JW_HOLDS_NUMBER, false, "When (s); 0 if not given"},
    {EVENTS | NOTES, "beat", JW_HOLDS_NUMBER, false, "When, in beats of the tempo, instead of at"},
    {F(BOWING), "bow", JW_HOLDS_PORT, true, "The port that is bowed"},
    {F(BOWING), "until", JW_HOLDS_NUMBER, false,
     "When the bow leaves the string (s); without it, never"},
    {F(PLUCK), "pluck", JW_HOLDS_PORT, true, "The port that is pulled, then let go"},
    {F(STRIKE), "strike", JW_HOLDS_PORT, true, "The port that is struck by a pulse"},
    {F(PUSH), "push", JW_HOLDS_PORT, true, "The port that is pushed"},
    {F(PUSH), "signal", JW_HOLDS_LIST, false,
     "Samples of a force, at the world's rate, for the shape signal"},
    {F(THROW), "throw", JW_HOLDS_TEXT, true, "The mass that is thrown"},
    {F(THROW), "velocity", JW_HOLDS_NUMBER, true, "Its velocity (m/s), upward positive"},
    {F(THROW), "position", JW_HOLDS_NUMBER, false,
     "Where it is thrown from (m); without it, where it started"},
    {F(SET), "set", JW_HOLDS_TEXT, true,
     "What is changed: \"name.key\", see the numbers that move"},
    {F(SET), "to", JW_HOLDS_NUMBER, true, "The new value; a note where a frequency is wanted"},
    {F(SET), "over", JW_HOLDS_NUMBER, false, "How long the change takes (s); 0.01 if not given"},

    {F(NOTE), "note", JW_HOLDS_ANY, true, "\"E3\", a frequency (Hz), or a list of them: a chord"},
    {F(FRET), "fret", JW_HOLDS_NUMBER, true,
     "Semitones above the open string; 0 is the string itself"},
    {NOTES, "on", JW_HOLDS_TEXT, false,
     "What sounds it: a string, bow, blow or mass by name, or an instrument that is included \"as\"; without it, the voice that is nearest"},
    {NOTES, "beats", JW_HOLDS_NUMBER, false, "How long it is held, in beats, instead of duration"},
    {NOTES, "dynamic", JW_HOLDS_ANY, false,
     "ppp, pp, p, mp, mf, f, ff, fff, or 0 to 1; or a curve, which bows follow; mf if not given"},
    {NOTES, "glide", JW_HOLDS_ANY, false,
     "Cents above the note, as a curve: [[0, -200], [0.3, 0]] slides up to it"},

    {F(PICKUP), "at", JW_HOLDS_PORT, false, "The port that is listened to"},
    {F(PICKUP), "contact", JW_HOLDS_TEXT, false, "Or the name of the contact whose force is heard"},

    {F(PORT), "on", JW_HOLDS_TEXT, true, "The object's name"},
    {F(PORT), "x", JW_HOLDS_NUMBER, false,
     "Place as a fraction of the length or first side; on a modal object the shape's number; or a "
     "curve"},
    {F(PORT), "y", JW_HOLDS_NUMBER, false,
     "On a plate: as a fraction of the second side; or a curve"},
    {F(PORT), "degrees", JW_HOLDS_NUMBER, false,
     "On a string of two directions, which way it reads and pushes: 0 up, 90 across"},
    {F(PORT), "reading", JW_HOLDS_TEXT, false,
     "Between grid points: nearest, linear or cubic; linear if not given"},

    {F(INCLUDE), "file", JW_HOLDS_TEXT, true, "A scene in the same folder or below"},
    {F(INCLUDE), "with", JW_HOLDS_OBJECT, false, "Values for its parameters"},
    {F(INCLUDE), "as", JW_HOLDS_TEXT, false,
     "Its parts are called this, a slash and their name: the same scene may be taken in twice"},

    {F(INCLUDE), "notes", JW_HOLDS_ANY, false,
     "false: its own notes are left out, and it waits for those of this scene"},

    {F(RANGE), "from", JW_HOLDS_NUMBER, true, "First number"},
    {F(RANGE), "to", JW_HOLDS_NUMBER, true, "Last number"},
    {F(RANGE), "count", JW_HOLDS_COUNT, true, "How many, evenly spaced"},

    {F(PLAY), "voices", JW_HOLDS_LIST, false, "What notes sound; without it, what is in the scene"},
    {F(PLAY), "controls", JW_HOLDS_LIST, false, "What controllers move; without it, the usual"},
    {F(VOICE), "bow", JW_HOLDS_TEXT, false, "The name of a bow; or"},
    {F(VOICE), "blow", JW_HOLDS_TEXT, false, "of a pluck, strike or push of the score; or"},
    {F(VOICE), "throw", JW_HOLDS_TEXT, false, "of a mass"},
    {F(VOICE), "touch", JW_HOLDS_TEXT, false,
     "The contact between a finger, which is a mass on a spring, and the string"},
    {F(VOICE), "damper", JW_HOLDS_ANY, false,
     "A contact of the string whose loss damps it when its note is let go; or a list, one of each string that is struck"},
    {F(CONTROL), "from", JW_HOLDS_TEXT, true,
     "velocity, pressure, bend, note, mod, breath, volume, pan, expression, slide, or cc0 to cc127"},
    {F(CONTROL), "to", JW_HOLDS_TEXT, true,
     "\"name.key\", see the numbers that move; or voice.force, voice.speed, voice.x of the bow of the voice that the channel plays"},

    {OBJECTS | CONTACTS | EVENTS | NOTES | F(PICKUP) | F(INITIAL) | F(VOICE) | F(CONTROL), "repeat",
     JW_HOLDS_ANY, false,
     "Make one for each value of the lists given; a list of repeats makes all combinations"},
};

/// Parameters that are no keys of a form, because another key sets them or the program does.
static const struct {
  uint32_t forms;
  const char* key;
} hidden[] = {
    {FORCES, "start"},        {F(PLUCK) | F(STRIKE), "shape"},
    {F(INITIAL), "x"},        {F(INITIAL), "y"},
    {F(WORLD), "ledger"},     {F(WORLD), "unscaled"},
    {F(WORLD), "threads"},    {F(WORLD), "queue"},
    {F(WORLD), "max_points"}, {F(WORLD), "max_contacts"},
    {F(WORLD), "max_bytes"},  {F(WORLD), "max_operations"},
};

static const struct {
  JwKind kind;
  const char* key;
  JwControl control;
} controls[] = {
    {JW_KIND_BOW, "force", JW_CONTROL_FORCE},
    {JW_KIND_BOW, "speed", JW_CONTROL_SPEED},
    {JW_KIND_FRICTION, "force", JW_CONTROL_FORCE},
    {JW_KIND_FORCE, "amplitude", JW_CONTROL_FORCE},
    {JW_KIND_COLLISION, "gap", JW_CONTROL_GAP},
    {JW_KIND_COLLISION, "stiffness", JW_CONTROL_STIFFNESS},
    {JW_KIND_COLLISION, "loss", JW_CONTROL_LOSS},
    {JW_KIND_CONNECTION, "gap", JW_CONTROL_GAP},
    {JW_KIND_CONNECTION, "stiffness", JW_CONTROL_STIFFNESS},
    {JW_KIND_CONNECTION, "loss", JW_CONTROL_LOSS},
    {JW_KIND_SPRING, "gap", JW_CONTROL_GAP},
    {JW_KIND_SPRING, "linear", JW_CONTROL_STIFFNESS},
    {JW_KIND_SPRING, "damping", JW_CONTROL_LOSS},
    {JW_KIND_STRING, "tension", JW_CONTROL_TENSION},
    {JW_KIND_STRING, "frequency", JW_CONTROL_FREQUENCY},
    {JW_KIND_STRING, "cents", JW_CONTROL_CENTS},
    {JW_KIND_MASS, "position", JW_CONTROL_POSITION},
    {JW_KIND_BARRIER, "position", JW_CONTROL_POSITION},
    {JW_KIND_PICKUP, "gain", JW_CONTROL_GAIN},
    {JW_KIND_PICKUP, "pan", JW_CONTROL_PAN},
};

const JwFormKey* jw_form_keys(uint32_t* count) {
  *count = (uint32_t)LENGTH(keys);
  return keys;
}

const char* jw_form_name(JwForm form) {
  return forms[form].name;
}
JwKind jw_form_kind(JwForm form) {
  return forms[form].kind;
}
const char* jw_form_verb(JwForm form) {
  return forms[form].verb;
}

JwForm jw_form_of_kind(JwKind kind) {
  for (int form = JW_FORM_MASS; form <= JW_FORM_BOW; ++form) {
    if (forms[form].kind == kind) {
      return (JwForm)form;
    }
  }
  return JW_FORM_COUNT;
}

const JwFormKey* jw_form_key(JwForm form, const char* key) {
  for (size_t i = 0; i < LENGTH(keys); ++i) {
    if ((keys[i].forms >> form & 1u) && strcmp(keys[i].key, key) == 0) {
      return &keys[i];
    }
  }
  return NULL;
}

bool jw_form_has(JwForm form, const JwParam* param) {
  for (size_t i = 0; i < LENGTH(hidden); ++i) {
    if ((hidden[i].forms >> form & 1u) && strcmp(hidden[i].key, param->key) == 0) {
      return false;
    }
  }
  return true;
}

const JwParam* jw_form_params(JwForm form, uint32_t* count) {
  *count = forms[form].count;
  return forms[form].kind == JW_KIND_COUNT ? forms[form].params
                                           : jw_params(forms[form].kind, count);
}

void jw_form_default(JwForm form, void* def) {
  for (uint32_t i = 0; i < forms[form].count; ++i) {
    const JwParam* const param = &forms[form].params[i];
    void* const field = (char*)def + param->offset;
    for (uint32_t j = 0; j < param->count; ++j) {
      switch (param->type) {
      case JW_TYPE_COUNT: ((uint32_t*)field)[j] = (uint32_t)param->initial; break;
      case JW_TYPE_FLAG: ((bool*)field)[j] = param->initial != 0.0; break;
      case JW_TYPE_CHOICE:
        ((int*)field)[j] = isnan(param->initial) ? -1 : (int)param->initial;
        break;
      default: ((double*)field)[j] = param->initial; break;
      }
    }
  }
}

const JwParam* jw_form_param(JwForm form, const char* key) {
  uint32_t count = 0;
  const JwParam* const params = jw_form_params(form, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (strcmp(params[i].key, key) == 0 && jw_form_has(form, &params[i])) {
      return &params[i];
    }
  }
  return NULL;
}

JwControl jw_form_control(JwKind kind, const char* key) {
  for (size_t i = 0; i < LENGTH(controls); ++i) {
    if (controls[i].kind == kind && strcmp(controls[i].key, key) == 0) {
      return controls[i].control;
    }
  }
  return JW_CONTROL_COUNT;
}
