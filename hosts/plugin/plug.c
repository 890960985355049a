// SPDX-License-Identifier: MIT
// An instrument behind a face: opened, moved, run, put to sleep.
//
// Sleep does not depend on how a host cuts time into blocks: silence is counted in frames, a piece
// ends where the patience does, and what comes in wakes it at its own frame.  And it sleeps from the
// start: how long a host runs before it plays has no part in the sound, also where something in the
// scene is not yet at rest.

#include "plug.h"

#include <jawari/builtin.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Frames after which whatever came in has woken what it wakes.
#define TAKEN 1024u

struct JwPlug {
  JwInstrument* instrument;
  char* pack;
  JwFace face;
  double rate;
  bool trial;
  float last[JW_PLAY_MAX_CONTROLS]; ///< Where the host has put each control
  bool waits;                       ///< Nothing has stirred it since the start
  bool started;                     ///< Something was run since the start
  uint32_t patience, silent;        ///< Frames: of silence that make it sleep, and so far
};

// ---------------------------------------------------------------- open

static JwStatus open_pack(const char* pack, JwInstrumentDef* def, JwSceneOptions* options,
                          char error[JW_ERROR_SIZE]) {
  const char* rest = pack;
  JwPackFile file;
  if (!jw_pack_next(&rest, &file, error)) {
    if (!error[0]) {
      snprintf(error, JW_ERROR_SIZE, "the saved scene is empty");
    }
    return JW_STATUS_BAD_VALUE;
  }
  union {
    const char* from;
    void* to;
  } user = {pack};
  options->read = jw_pack_read;
  options->user = user.to;
  def->text = file.text;
  def->size = file.text_size;
  return JW_STATUS_OK;
}

static JwStatus open_builtin(const char* name, JwInstrumentDef* def, char error[JW_ERROR_SIZE]) {
  const JwBuiltinScene* const scene = jw_builtin_find(name);
  if (!scene) {
    snprintf(error, JW_ERROR_SIZE, "there is no built-in scene \"%.100s\"", name);
    return JW_STATUS_IO;
  }
  def->text = scene->text;
  def->size = scene->size;
  return JW_STATUS_OK;
}

static JwStatus make(const JwPlugDef* from, JwInstrument** instrument, char error[JW_ERROR_SIZE]) {
  JwSceneOptions options = jw_scene_options();
  JwInstrumentDef def = jw_instrument_default();
  def.options = &options;
  def.name = from->file;
  def.rate = from->rate;
  def.trial = from->trial;
  def.channels = JW_CHANNELS_STEREO;
  options.file = from->builtin ? from->builtin : "scene";
  JwStatus status = from->pack      ? open_pack(from->pack, &def, &options, error)
                    : from->builtin ? open_builtin(from->builtin, &def, error)
                                    : JW_STATUS_OK;
  if (status) {
    return status;
  }
  status = jw_instrument_create(&def, instrument);
  if (!status && jw_instrument_info(*instrument).channels != 2) {
    snprintf(error, JW_ERROR_SIZE, "the scene has no pickup, and cannot be heard");
    status = JW_STATUS_BAD_VALUE;
  } else if (status) {
    snprintf(error, JW_ERROR_SIZE, "%s",
             *instrument ? jw_instrument_error(*instrument) : "no memory");
  }
  if (status) {
    jw_instrument_destroy(*instrument);
    *instrument = NULL;
  }
  return status;
}

// Put another instrument and its pack in place; both belong to the plug from then on.
static JwStatus take(JwPlug* plug, JwInstrument* instrument, char error[JW_ERROR_SIZE]) {
  char* const pack = jw_pack_write(jw_instrument_scene(instrument));
  if (!pack) {
    jw_instrument_destroy(instrument);
    snprintf(error, JW_ERROR_SIZE, "no memory");
    return JW_STATUS_NO_MEMORY;
  }
  jw_instrument_destroy(plug->instrument);
  free(plug->pack);
  plug->instrument = instrument;
  plug->pack = pack;
  jw_face_find(&plug->face, instrument);
  jw_plug_start(plug);
  return JW_STATUS_OK;
}

JwStatus jw_plug_open(const JwPlugDef* def, JwPlug** plug, char error[JW_ERROR_SIZE]) {
  JwInstrument* instrument = NULL;
  *plug = NULL;
  JwStatus status = make(def, &instrument, error);
  if (status) {
    return status;
  }
  *plug = (JwPlug*)calloc(1, sizeof **plug);
  if (!*plug) {
    jw_instrument_destroy(instrument);
    snprintf(error, JW_ERROR_SIZE, "no memory");
    return JW_STATUS_NO_MEMORY;
  }
  (*plug)->rate = def->rate;
  (*plug)->trial = def->trial;
  (*plug)->patience = (uint32_t)(JW_PLUG_PATIENCE * def->rate);
  jw_face_of(instrument, &(*plug)->face);
  status = take(*plug, instrument, error);
  if (status) {
    jw_plug_close(*plug);
    *plug = NULL;
  }
  return status;
}

void jw_plug_close(JwPlug* plug) {
  if (plug) {
    jw_instrument_destroy(plug->instrument);
    free(plug->pack);
    free(plug);
  }
}

JwStatus jw_plug_restore(JwPlug* plug, const char* pack, char error[JW_ERROR_SIZE]) {
  if (strcmp(pack, plug->pack) == 0) {
    return JW_STATUS_OK;
  }
  const JwPlugDef def = {.pack = pack, .rate = plug->rate, .trial = plug->trial};
  JwInstrument* instrument = NULL;
  const JwStatus status = make(&def, &instrument, error);
  return status ? status : take(plug, instrument, error);
}

const JwFace* jw_plug_face(const JwPlug* plug) {
  return &plug->face;
}

JwInstrumentInfo jw_plug_info(const JwPlug* plug) {
  return jw_instrument_info(plug->instrument);
}

const char* jw_plug_pack(const JwPlug* plug) {
  return plug->pack;
}

// ---------------------------------------------------------------- run

void jw_plug_start(JwPlug* plug) {
  jw_instrument_reset(plug->instrument);
  plug->waits = true;
  plug->started = false;
  plug->silent = 0;
  for (uint32_t i = 0; i < plug->face.count; ++i) {
    plug->last[i] = (float)plug->face.controls[i].initial;
  }
}

void jw_plug_set(JwPlug* plug, uint32_t control, double value) {
  const JwFaceControl* const at = &plug->face.controls[control];
  if (isnan(value) || (float)value == plug->last[control]) {
    return;
  }
  if (at->index == UINT32_MAX) {
    plug->last[control] = (float)value; // The scene that was restored has none of this name
    return;
  }
  const JwInstrumentControl now = jw_instrument_control(plug->instrument, at->index);
  // Where the host puts it back to is where it started, to the last bit
  const double wanted = (float)value == (float)at->initial ? at->initial : value;
  const double within = fmin(fmax(wanted, now.minimum), now.maximum);
  if (jw_instrument_set(plug->instrument, at->index, within, plug->started ? JW_PLUG_OVER : 0.0)
      == JW_STATUS_OK) {
    plug->last[control] = (float)value;
    plug->silent = 0;
  }
}

bool jw_plug_sleeps(const JwPlug* plug) {
  return plug->waits || plug->silent >= plug->patience
         || (plug->silent >= TAKEN && jw_instrument_rests(plug->instrument));
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Frames since the last that is heard.
static void count_silence(JwPlug* plug, float* const* out, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    const bool heard = fabsf(out[0][n]) >= JW_PLUG_SILENCE || fabsf(out[1][n]) >= JW_PLUG_SILENCE;
    plug->silent = heard ? 0 : plug->silent + 1;
  }
}

// Without events; asleep, nothing is computed.
static JwStatus run_piece(JwPlug* plug, const JwPlayerBlock* block, uint32_t from, uint32_t count) {
  float* const out[2] = {block->out[0] + from, block->out[1] + from};
  if (jw_plug_sleeps(plug)) {
    memset(out[0], 0, count * sizeof(float));
    memset(out[1], 0, count * sizeof(float));
    return JW_STATUS_OK;
  }
  const JwPlayerBlock piece = {out, NULL, count, NULL, 0};
  const JwStatus status = jw_instrument_run(plug->instrument, &piece);
  count_silence(plug, out, count);
  plug->started = true;
  return status;
}

// Hosts let go of everything before they begin: that stirs nothing.
static bool stirs(const JwPlayerEvent* event) {
  const uint8_t *const data = event->data, kind = data[0] & 0xf0;
  const bool lets_go = kind == 0x80 || (kind == 0x90 && data[2] == 0)
                       || (kind == 0xb0 && (data[1] >= 120 || (data[1] == 64 && data[2] == 0)))
                       || (kind == 0xe0 && data[1] == 0 && data[2] == 64);
  return event->size > 1 && !lets_go;
}

// All events up to a frame; returns the index of the one behind them.
static uint32_t deliver(JwPlug* plug, const JwPlayerBlock* block, uint32_t next, uint32_t frame) {
  const uint32_t first = next;
  for (; next < block->event_count && block->events[next].frame <= frame; ++next) {
    plug->waits = plug->waits && !stirs(&block->events[next]);
  }
  if (next > first) {
    const JwPlayerBlock none = {NULL, NULL, 0, block->events + first, next - first};
    plug->silent = 0;
    // A run of no frames takes the events and cannot fail
    (void)jw_instrument_run(plug->instrument, &none);
  }
  return next;
}

JwStatus jw_plug_run(JwPlug* plug, const JwPlayerBlock* block) {
  JwStatus status = JW_STATUS_OK;
  uint32_t next = 0;
  for (uint32_t at = 0; at < block->count;) {
    next = deliver(plug, block, next, at);
    uint32_t to = block->count;
    if (next < block->event_count) {
      to = least(to, block->events[next].frame);
    }
    if (plug->silent < plug->patience) {
      to = least(to, at + plug->patience - plug->silent);
    }
    const JwStatus part = run_piece(plug, block, at, to - at);
    status = status ? status : part;
    at = to;
  }
  deliver(plug, block, next, UINT32_MAX);
  return status;
}
