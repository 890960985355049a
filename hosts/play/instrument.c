// SPDX-License-Identifier: MIT
// From a scene's name or text to something that runs: read, define, build, prepare, play.

#include "instrument.h"

#include <jawari/builtin.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

JwInstrumentDef jw_instrument_default(void) {
  const JwWorldDef world = jw_world_default();
  const JwInstrumentDef def = {.rate = JW_UNSET,
                               .gain = JW_UNSET,
                               .trial = true,
                               .threads = world.threads,
                               .max_points = world.max_points,
                               .max_contacts = world.max_contacts,
                               .max_bytes = world.max_bytes,
                               .max_operations = world.max_operations};
  return def;
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static JwStatus
fail(JwInstrument* instrument, JwStatus status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(instrument->error, sizeof instrument->error, format, arguments);
  va_end(arguments);
  return status;
}

// ---------------------------------------------------------------- read

// The first error of the scene with its place; without one, the status.
static JwStatus fail_scene(JwInstrument* instrument, JwStatus status) {
  if (!jw_scene_diagnostics(instrument->scene)) {
    return fail(instrument, status, "%s", jw_status_text(status));
  }
  const JwDiagnostic first = jw_scene_diagnostic(instrument->scene, 0);
  return fail(instrument, status, "%.100s:%u:%u: %.350s", first.file ? first.file : "scene",
              first.line, first.column, first.message);
}

static bool is_file(const char* name) {
  FILE* const file = fopen(name, "rb");
  if (file) {
    fclose(file);
  }
  return file != NULL;
}

static JwStatus read_scene(JwInstrument* instrument, const JwInstrumentDef* def) {
  JwSceneOptions options = def->options ? *def->options : jw_scene_options();
  if (def->text && !options.read) {
    options.read = jw_builtin_read;
  }
  if (def->text) {
    return jw_scene_parse(def->text, def->size, &options, &instrument->scene);
  }
  // A file comes before a built-in scene of its name
  return jw_builtin_find(def->name) && !is_file(def->name)
             ? jw_builtin_load(def->name, &options, &instrument->scene)
             : jw_scene_load(def->name, &options, &instrument->scene);
}

static JwStatus take_scene(JwInstrument* instrument, const JwInstrumentDef* def) {
  if ((def->name != NULL) + (def->text != NULL) + (def->scene != NULL) != 1) {
    return fail(instrument, JW_STATUS_BAD_VALUE,
                "an instrument wants one of a name, a text and a scene");
  }
  if (def->scene) {
    instrument->scene = def->scene;
    return JW_STATUS_OK;
  }
  instrument->own_scene = true;
  const JwStatus status = read_scene(instrument, def);
  if (status) {
    return fail_scene(instrument, status);
  }
  if (!def->score) {
    jw_scene_mute(instrument->scene);
  }
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- build

static bool has_pickups(const JwScene* scene) {
  for (uint32_t i = 0; i < jw_scene_parts(scene); ++i) {
    if (jw_scene_part(scene, i).kind == JW_KIND_PICKUP) {
      return true;
    }
  }
  return false;
}

static uint32_t channels_of(const JwScene* scene, JwChannels wanted, uint32_t own) {
  if (!has_pickups(scene) || wanted == JW_CHANNELS_PICKUPS) {
    return 0;
  }
  if (wanted == JW_CHANNELS_SCENE) {
    return own ? own : 2;
  }
  return wanted == JW_CHANNELS_MONO ? 1 : 2;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static JwWorldDef define(JwInstrument* instrument, const JwInstrumentDef* def) {
  const JwSceneInfo info = jw_scene_info(instrument->scene);
  JwWorldDef world = jw_scene_world(instrument->scene);
  instrument->oversample = def->oversample ? def->oversample : info.oversample;
  instrument->rate = isnan(def->rate) ? world.sample_rate / info.oversample : def->rate;
  instrument->choose = isnan(def->gain) && info.auto_gain;
  instrument->gain = isnan(def->gain) ? 1.0 : def->gain;
  world.sample_rate = instrument->rate * instrument->oversample;
  world.channels = channels_of(instrument->scene, def->channels, world.channels);
  world.ledger = def->ledger;
  world.threads = def->threads;
  world.max_points = least(world.max_points, def->max_points);
  world.max_contacts = least(world.max_contacts, def->max_contacts);
  world.max_bytes = least(world.max_bytes, def->max_bytes);
  world.max_operations = fmin(world.max_operations, def->max_operations);
  return world;
}

static JwStatus build(JwInstrument* instrument, const JwInstrumentDef* def) {
  if (def->oversample > 64) {
    return fail(instrument, JW_STATUS_BAD_VALUE, "oversample is %u, must be from 1 to 64",
                def->oversample);
  }
  const JwWorldDef world = define(instrument, def);
  if (!isfinite(instrument->gain)) {
    return fail(instrument, JW_STATUS_BAD_VALUE, "the gain is not finite");
  }
  JwStatus status = jw_scene_build(instrument->scene, &world, &instrument->world);
  if (status) {
    return fail_scene(instrument, status);
  }
  status = def->extend ? def->extend(def->user, instrument->scene, instrument->world) : status;
  status = status ? status : jw_world_prepare(instrument->world);
  if (status) {
    return fail(instrument, status, "%s", jw_world_error(instrument->world));
  }
  instrument->channels = jw_world_channels(instrument->world);
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- play

static JwStatus make_player(JwInstrument* instrument, const JwInstrumentDef* def) {
  const JwPlayerDef player = {instrument->scene, instrument->world, def->tuning};
  const JwStatus status = jw_player_create(&player, &instrument->player, instrument->error);
  if (status) {
    return status;
  }
  instrument->player->most = def->voices;
  instrument->fresh = (JwPlayer*)malloc(sizeof *instrument->fresh);
  if (!instrument->fresh) {
    return fail(instrument, JW_STATUS_NO_MEMORY, "no memory");
  }
  *instrument->fresh = *instrument->player;
  jw_instrument_find_controls(instrument);
  return JW_STATUS_OK;
}

static JwStatus take_memory(JwInstrument* instrument) {
  const size_t piece = (size_t)JW_INSTRUMENT_PIECE * instrument->oversample,
               made = JW_INSTRUMENT_PIECE + 1;
  const uint32_t channels = instrument->channels;
  instrument->decimator = jw_decimator_create(instrument->oversample, channels, (uint32_t)piece);
  instrument->memory = (double*)calloc((piece + made) * (channels + 1), sizeof(double));
  if (!instrument->decimator || !instrument->memory) {
    return fail(instrument, JW_STATUS_NO_MEMORY, "no memory");
  }
  for (uint32_t c = 0; c < channels; ++c) {
    instrument->block[c] = instrument->memory + c * piece;
  }
  instrument->made = instrument->memory + channels * piece;
  return JW_STATUS_OK;
}

// Once: hosts ask for the info in every block.
static void find_range(JwInstrument* instrument) {
  const JwPlayer* const player = instrument->player;
  instrument->lowest = instrument->highest = JW_UNSET;
  for (uint32_t i = 0; player && i < player->voice_count; ++i) {
    const JwVoice* const voice = &player->voices[i];
    instrument->lowest = fmin(instrument->lowest, voice->frequency); // NaN counts for nothing
    instrument->highest = fmax(instrument->highest, jw_voice_highest(voice));
  }
  const JwTuning equal = jw_tuning_equal();
  uint32_t keys = 0, missing = 0;
  for (int key = 0; key < 128; ++key) {
    const double f = equal.frequency[key];
    if (f > 0.98 * instrument->lowest && f < 1.02 * instrument->highest) {
      ++keys;
      missing += !jw_player_reaches(player, f, NULL);
    }
  }
  instrument->chromatic = keys > 1 && missing == 0;
}

static JwStatus make(JwInstrument* instrument, const JwInstrumentDef* def) {
  JwStatus status = take_scene(instrument, def);
  status = status ? status : build(instrument, def);
  instrument->scored = def->score;
  if (!status && (!def->score || jw_scene_notes(instrument->scene))) {
    status = make_player(instrument, def);
  }
  status = status ? status : take_memory(instrument);
  if (!status && def->trial && instrument->choose) {
    status = jw_instrument_try(instrument);
  }
  if (!status) {
    find_range(instrument);
  }
  instrument->ready = !status;
  return status;
}

JwStatus jw_instrument_create(const JwInstrumentDef* def, JwInstrument** instrument) {
  if (instrument) {
    *instrument = NULL;
  }
  if (!def || !instrument) {
    return JW_STATUS_BAD_VALUE;
  }
  *instrument = (JwInstrument*)calloc(1, sizeof **instrument);
  return *instrument ? make(*instrument, def) : JW_STATUS_NO_MEMORY;
}

void jw_instrument_destroy(JwInstrument* instrument) {
  if (!instrument) {
    return;
  }
  jw_player_destroy(instrument->player);
  free(instrument->fresh);
  jw_decimator_destroy(instrument->decimator);
  free(instrument->memory);
  jw_world_destroy(instrument->world);
  if (instrument->own_scene) {
    jw_scene_destroy(instrument->scene);
  }
  free(instrument);
}

// ---------------------------------------------------------------- look

const char* jw_instrument_error(const JwInstrument* instrument) {
  return instrument ? instrument->error : "no instrument";
}

JwScene* jw_instrument_scene(const JwInstrument* instrument) {
  return instrument ? instrument->scene : NULL;
}

JwWorld* jw_instrument_world(const JwInstrument* instrument) {
  return instrument ? instrument->world : NULL;
}

JwInstrumentInfo jw_instrument_info(const JwInstrument* instrument) {
  JwInstrumentInfo info = {.title = "", .gain = 1.0, .lowest = JW_UNSET, .highest = JW_UNSET};
  if (!instrument || !instrument->ready) {
    return info;
  }
  const JwSceneInfo scene = jw_scene_info(instrument->scene);
  info.title = scene.title;
  info.duration = scene.duration;
  info.rate = instrument->rate;
  info.oversample = instrument->oversample;
  info.channels = instrument->channels;
  info.latency = instrument->oversample > 1 ? JW_DECIMATE_REACH : 0;
  info.gain = instrument->gain;
  info.controls = instrument->control_count;
  if (instrument->player && !instrument->scored) {
    info.voices = instrument->player->voice_count;
    info.mono = instrument->player->mono;
    info.mpe = instrument->player->mpe;
    info.lowest = instrument->lowest;
    info.highest = instrument->highest;
    info.chromatic = instrument->chromatic;
  }
  return info;
}

JwPlayerFigures jw_instrument_figures(const JwInstrument* instrument) {
  const JwPlayerFigures none = {0};
  return instrument && instrument->player ? jw_player_figures(instrument->player) : none;
}

size_t jw_instrument_describe(const JwInstrument* instrument, char* text, size_t size) {
  if (instrument && instrument->player) {
    return jw_player_describe(instrument->player, text, size);
  }
  if (text && size) {
    text[0] = 0;
  }
  return 0;
}
