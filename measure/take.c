// SPDX-License-Identifier: MIT
// A scene, computed into memory.  The samples are those that `jawari render` writes: the world runs
// in doubles at its own rate, is filtered down, scaled at the end and made float once.  Tested by
// python/test, which holds ten scenes to the hashes of the program.

#include "take.h"

#include "decimate.h"
#include "fade.h"
#include "play.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 256                      // Frames that are heard, in one go
#define FULL_SCALE 0.89125093813374556 // -1 dB
#define LONGEST 3600.0                 // s

struct JwTake {
  JwScene* scene;
  JwTakeDef def;
  JwTakeInfo info;
  JwWorld* world;
  JwPlayer* player; // Of a song
  uint32_t next;    // Event of it
  JwDecimator* decimator;
  double* block[JW_SCENE_MAX_PICKUPS]; // At the world's rate, one array a channel
  double* sound;                       // Before the gain, interleaved, with a block to spare
  bool ran;
  char error[JW_ERROR_SIZE];
};

JwTakeDef jw_take_default(void) {
  const JwTakeDef def = {
      .rate = JW_UNSET, .seconds = JW_UNSET, .gain = JW_UNSET, .ledger = true, .threads = 1};
  return def;
}

const char* jw_take_error(const JwTake* take) {
  return take ? take->error : "no memory";
}

JwTakeInfo jw_take_info(const JwTake* take) {
  return take->info;
}

JwWorld* jw_take_world(JwTake* take) {
  return take->world;
}

void jw_take_cancel(JwTake* take) {
  if (take && take->world) {
    jw_world_cancel(take->world);
  }
}

static JwStatus fail(JwTake* take, JwStatus status, const char* sentence) {
  snprintf(take->error, sizeof take->error, "%s", sentence);
  return status;
}

// ---------------------------------------------------------------- open

static bool has_pickups(const JwScene* scene) {
  bool has = false;
  for (uint32_t i = 0; i < jw_scene_parts(scene); ++i) {
    has = has || jw_scene_part(scene, i).kind == JW_KIND_PICKUP;
  }
  return has;
}

static uint32_t channels_of(const JwTake* take, uint32_t own) {
  switch (take->def.channels) {
  case JW_TAKE_MONO: return 1;
  case JW_TAKE_STEREO: return 2;
  case JW_TAKE_SCENE: return own ? own : 2;
  default: return 0;
  }
}

static JwWorldDef define(JwTake* take) {
  const JwSceneInfo info = jw_scene_info(take->scene);
  JwWorldDef world = jw_scene_world(take->scene);
  take->info.oversample = take->def.oversample ? take->def.oversample : info.oversample;
  take->info.rate = isnan(take->def.rate) ? world.sample_rate / info.oversample : take->def.rate;
  world.sample_rate = take->info.rate * take->info.oversample;
  world.ledger = take->def.ledger;
  world.threads = take->def.threads;
  world.unscaled = take->def.channels == JW_TAKE_NUMBERS;
  world.channels = has_pickups(take->scene) ? channels_of(take, world.channels) : 0;
  return world;
}

static JwStatus measure_time(JwTake* take) {
  const JwSong* const song = take->def.song;
  const double own = song ? song->duration + 3.0 : jw_scene_info(take->scene).duration;
  const double seconds = isnan(take->def.seconds) ? own : take->def.seconds;
  if (!(seconds > 0.0 && seconds <= LONGEST)) {
    snprintf(take->error, sizeof take->error, "the duration is %g s, must be above 0 to %g",
             seconds, LONGEST);
    return JW_STATUS_BAD_VALUE;
  }
  take->info.frames = (uint64_t)floor(seconds * take->info.rate + 0.5);
  return take->info.frames ? JW_STATUS_OK
                           : fail(take, JW_STATUS_BAD_VALUE, "the duration is less than one frame");
}

static JwStatus make_world(JwTake* take) {
  const JwWorldDef def = define(take);
  JwStatus status = measure_time(take);
  if (status) {
    return status;
  }
  status = jw_scene_build(take->scene, &def, &take->world);
  if (status) {
    const bool told = jw_scene_diagnostics(take->scene);
    return fail(take, status,
                told ? jw_scene_diagnostic(take->scene, 0).message : jw_status_text(status));
  }
  status = jw_world_prepare(take->world);
  if (status) {
    return fail(take, status, jw_world_error(take->world));
  }
  const JwPlayerDef player = {take->scene, take->world, NULL};
  return take->def.song || jw_scene_notes(take->scene)
             ? jw_player_create(&player, &take->player, take->error)
             : JW_STATUS_OK;
}

static JwStatus take_memory(JwTake* take) {
  const uint32_t channels = take->info.channels, most = BLOCK * take->info.oversample;
  take->decimator = jw_decimator_create(take->info.oversample, channels, most);
  take->sound = (double*)malloc((size_t)(take->info.frames + BLOCK + 1) * (channels ? channels : 1)
                                * sizeof(double));
  bool good = take->decimator && take->sound;
  for (uint32_t c = 0; c < channels; ++c) {
    take->block[c] = (double*)malloc(most * sizeof(double));
    good = good && take->block[c];
  }
  return good ? JW_STATUS_OK : fail(take, JW_STATUS_NO_MEMORY, "no memory");
}

JwStatus jw_take_open(JwScene* scene, const JwTakeDef* def, JwTake** made) {
  JwTake* const take = (JwTake*)calloc(1, sizeof *take);
  *made = take;
  if (!take) {
    return JW_STATUS_NO_MEMORY;
  }
  take->scene = scene;
  take->def = def ? *def : jw_take_default();
  if (take->def.song) {
    jw_scene_mute(scene);
  }
  const JwStatus status = make_world(take);
  if (status) {
    return status;
  }
  take->info.channels = jw_world_channels(take->world);
  return take_memory(take);
}

void jw_take_close(JwTake* take) {
  if (take) {
    jw_player_destroy(take->player);
    jw_decimator_destroy(take->decimator);
    jw_world_destroy(take->world);
    for (uint32_t c = 0; c < take->info.channels; ++c) {
      free(take->block[c]);
    }
    free(take->sound);
    free(take);
  }
}

// ---------------------------------------------------------------- run

static void look(JwTake* take, uint64_t frame) {
  const JwTakeWatch* const watch = &take->def.watch;
  const uint64_t period = (uint64_t)watch->every * take->info.oversample;
  if (period && frame % period == 0 && frame < take->info.frames * take->info.oversample) {
    watch->look(watch->user, take->world);
  }
}

// The frame of the world at which the next message of the song comes.
static double next_event(const JwTake* take) {
  const JwSong* const song = take->def.song;
  if (!song || take->next == song->count) {
    return INFINITY;
  }
  return floor(song->events[take->next].time * take->info.rate * take->info.oversample + 0.5);
}

// Messages that are due come before the first frame of the block.
static JwStatus advance(JwTake* take, uint64_t frame, uint32_t count) {
  if (!take->player) {
    return jw_world_run_double(take->world, take->block, count);
  }
  JwStatus status = JW_STATUS_OK;
  while (!status && next_event(take) <= (double)frame) {
    const JwSongEvent* const event = &take->def.song->events[take->next++];
    const JwPlayerEvent message = {
        0, {event->data[0], event->data[1], event->data[2]}, event->size};
    const JwPlayerBlock none = {NULL, take->block, 0, &message, 1};
    status = jw_player_run(take->player, &none);
  }
  const JwPlayerBlock block = {NULL, take->block, count, NULL, 0};
  return status ? status : jw_player_run(take->player, &block);
}

// Frames of the world to the block's end, to the next look, or to the next message.
static uint32_t next_stretch(const JwTake* take, uint64_t frame, uint64_t total) {
  const uint64_t period = (uint64_t)take->def.watch.every * take->info.oversample;
  uint64_t count = (uint64_t)BLOCK * take->info.oversample;
  if (period && period - frame % period < count) {
    count = period - frame % period;
  }
  const double event = next_event(take) - (double)frame;
  if (event > 0.0 && event < (double)count) {
    count = (uint64_t)event;
  }
  return (uint32_t)(total - frame < count ? total - frame : count);
}

static void fade_out(JwTake* take) {
  const double length = jw_scene_info(take->scene).fade * take->info.rate;
  for (uint64_t i = 0; i < take->info.frames && take->def.channels != JW_TAKE_NUMBERS; ++i) {
    const double factor = jw_fade(length, take->info.frames, i);
    for (uint32_t c = 0; c < take->info.channels; ++c) {
      take->sound[i * take->info.channels + c] *= factor;
    }
  }
}

static void scale(JwTake* take, float* samples) {
  const size_t count = (size_t)take->info.frames * take->info.channels;
  const bool automatic = isnan(take->def.gain) && jw_scene_info(take->scene).auto_gain
                         && take->def.channels != JW_TAKE_NUMBERS;
  for (size_t i = 0; i < count; ++i) {
    take->info.peak = fmax(take->info.peak, fabs(take->sound[i]));
  }
  take->info.gain = isnan(take->def.gain) ? 1.0 : take->def.gain;
  if (automatic && take->info.peak > 0.0) {
    take->info.gain = FULL_SCALE / take->info.peak;
  }
  for (size_t i = 0; i < count; ++i) {
    samples[i] = (float)(take->info.gain * take->sound[i]);
  }
}

static JwStatus run_world(JwTake* take) {
  const uint64_t total = jw_decimator_needs(take->decimator, take->info.frames);
  uint64_t done = 0;
  for (uint64_t frame = 0; frame < total;) {
    look(take, frame);
    const uint32_t count = next_stretch(take, frame, total);
    const JwStatus status = advance(take, frame, count);
    if (status) {
      snprintf(take->error, sizeof take->error, "%s before %.6f s", jw_status_name(status),
               (double)(frame + count) / (take->info.rate * take->info.oversample));
      return status;
    }
    frame += count;
    done += jw_decimator_push(take->decimator, take->block, count,
                              take->sound + done * take->info.channels);
    done = done < take->info.frames ? done : take->info.frames;
  }
  return JW_STATUS_OK;
}

JwStatus jw_take_run(JwTake* take, float* samples) {
  if (take->ran || !take->sound) {
    return fail(take, JW_STATUS_BAD_ORDER, "a take is run once");
  }
  take->ran = true;
  const JwStatus status = run_world(take);
  if (status == JW_STATUS_OK) {
    fade_out(take);
    scale(take, samples);
  }
  return status;
}
