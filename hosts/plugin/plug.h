// SPDX-License-Identifier: MIT
// plug.h: an instrument as plug-in formats want it; what LV2 and CLAP share.
//
//   JwPlugDef def = {.file = "my.json", .rate = 48000.0};
//   JwPlug* plug = NULL;
//   if (jw_plug_open(&def, &plug, error)) { ... }     // takes all memory
//   jw_plug_set(plug, 0, 2e-5);                       // real-time safe, as is
//   jw_plug_run(plug, &block);
//   jw_plug_close(plug);
//
// A plug adds four things to an instrument: a *face*, the controls with names that a host can keep;
// a *pack*, the scene with all that it includes as one text, which travels with a session; *sleep*,
// no work while nothing is heard; and controls that were moved in blocks are smoothed.
#ifndef JAWARI_PLUG_H
#define JAWARI_PLUG_H

#include <jawari/play.h>

/// A sample is silent below half a step of 24 bits; so many seconds of silence, and it sleeps.
#define JW_PLUG_SILENCE 5.9604644775390625e-8f
#define JW_PLUG_PATIENCE 1.0
/// A control that was moved takes so many seconds to arrive.
#define JW_PLUG_OVER 0.02

// ---------------------------------------------------------------- face.c

/// A control as a host knows it.
typedef struct {
  char symbol[64]; ///< A word of C; no two are the same
  char name[96];   ///< "rattle.gap", and where several have it, "pickup.gain 2"
  char unit[16];   ///< "" without one
  double minimum, maximum, initial;
  uint32_t index; ///< In the instrument; UINT32_MAX: it has none of this name
} JwFaceControl;

/// The controls that can move at all.
typedef struct {
  uint32_t count;
  JwFaceControl controls[JW_PLAY_MAX_CONTROLS];
} JwFace;

void jw_face_of(const JwInstrument* instrument, JwFace* face);

/// Which of the instrument's controls are those of a face that was made of another: by name.
void jw_face_find(JwFace* face, const JwInstrument* instrument);

// ---------------------------------------------------------------- pack.c

/// A scene and what it includes as one text, ended by a zero; to be freed.  NULL without memory.
char* jw_pack_write(const JwScene* scene);

/// One text of a pack; the scene's own comes first.
typedef struct {
  const char *name, *text; ///< Not ended by zeros
  size_t name_size, text_size;
} JwPackFile;

/// The first file of a pack, then the next ones: `*rest` starts as the pack and is moved on.  False
/// at the end, or, with a sentence in `error`, where it is no pack.
bool jw_pack_next(const char** rest, JwPackFile* file, char error[JW_ERROR_SIZE]);

/// A JwSceneReader of a pack, and of the built-in scenes; `user` is the pack.
JwStatus jw_pack_read(void* user, const char* path, char* text, size_t* size);

// ---------------------------------------------------------------- preset.c

#define JW_PRESET_NAME 64

/// Values of controls under a name.
typedef struct {
  char scene[JW_PRESET_NAME], name[JW_PRESET_NAME]; ///< "" where no scene is named
  uint32_t count;
  uint32_t controls[JW_PLAY_MAX_CONTROLS]; ///< Of a face
  double values[JW_PLAY_MAX_CONTROLS];
} JwPreset;

/// What "[SCENE/]NAME: control=value, ..." is called; returns the part with the values, or NULL with
/// a sentence in `error`.
const char* jw_preset_name(const char* text, JwPreset* preset, char error[JW_ERROR_SIZE]);

/// The values, for the controls of a face; false with a sentence where one is not right.
bool jw_preset_values(const char* text, const JwFace* face, JwPreset* preset,
                      char error[JW_ERROR_SIZE]);

// ---------------------------------------------------------------- plug.c

typedef struct JwPlug JwPlug;

typedef struct {
  // One of the three says which scene
  const char* file;    ///< A path
  const char* builtin; ///< A built-in scene
  const char* pack;    ///< As jw_plug_pack() gave it
  double rate;
  bool trial; ///< Choose the level beforehand, where the scene says "auto"
} JwPlugDef;

/// On failure `error` gets one sentence and `*plug` is NULL.
JW_MUST_USE JwStatus jw_plug_open(const JwPlugDef* def, JwPlug** plug, char error[JW_ERROR_SIZE]);
void jw_plug_close(JwPlug* plug);

const JwFace* jw_plug_face(const JwPlug* plug);
JwInstrumentInfo jw_plug_info(const JwPlug* plug);

/// The scene that sounds; belongs to the plug.
const char* jw_plug_pack(const JwPlug* plug);

/// Play another scene behind the same face.  What fails leaves everything as it was.
JW_MUST_USE JwStatus jw_plug_restore(JwPlug* plug, const char* pack, char error[JW_ERROR_SIZE]);

/// Back to the start; the next values that are set jump into place.
void jw_plug_start(JwPlug* plug);

/// Move a control of the face; beyond its range it stays at the end, as plug-in formats want it,
/// and what is no number is not taken.  Nothing happens where it is already.
JW_REALTIME void jw_plug_set(JwPlug* plug, uint32_t control, double value);

/// Two channels, as jw_instrument_run().
JW_REALTIME JwStatus jw_plug_run(JwPlug* plug, const JwPlayerBlock* block);

/// Nothing is heard, and nothing will be until something comes in.
JW_REALTIME bool jw_plug_sleeps(const JwPlug* plug);

#endif // JAWARI_PLUG_H
