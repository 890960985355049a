// SPDX-License-Identifier: MIT
// A song, played on a scene.

#include "perform.h"

#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64 // Events handed to the player at once

struct JwPerformance {
  JwSong song;
  JwTuning tuning;
  JwPlayer* player;
  JwWorld* world;
  double rate;
  uint32_t next; ///< First event not yet played
};

JwStatus jw_performance_open(const JwPerformanceDef* def, JwPerformance** performance,
                             char error[JW_ERROR_SIZE]) {
  JwPerformance* const p = *performance = (JwPerformance*)calloc(1, sizeof *p);
  if (!p) {
    snprintf(error, JW_ERROR_SIZE, "no memory");
    return JW_STATUS_NO_MEMORY;
  }
  p->tuning = jw_tuning_equal();
  JwStatus status = def->song ? jw_song_load(def->song, &p->song, error) : JW_STATUS_OK;
  if (!status && def->scale) {
    status = jw_tuning_load(def->scale, def->map, &p->tuning, error);
  }
  if (status) {
    jw_performance_close(p);
    *performance = NULL;
  }
  return status;
}

void jw_performance_close(JwPerformance* performance) {
  if (performance) {
    jw_song_release(&performance->song);
    jw_player_destroy(performance->player);
    free(performance);
  }
}

double jw_performance_duration(const JwPerformance* performance) {
  return performance->song.duration;
}

JwStatus jw_performance_start(JwPerformance* performance, const JwPlayerDef* def,
                              char error[JW_ERROR_SIZE]) {
  const JwPlayerDef own = {def->scene, def->world, &performance->tuning};
  performance->world = def->world;
  performance->rate = jw_world_info(def->world).sample_rate;
  performance->next = 0;
  return jw_player_create(&own, &performance->player, error);
}

JwStatus jw_performance_run(JwPerformance* performance, double* const* out, uint32_t count) {
  JwStatus status = JW_STATUS_OK;
  for (uint32_t done = 0; done < count;) {
    const uint64_t start = jw_world_frame(performance->world);
    JwPlayerEvent events[MOST];
    double* channels[JW_SCENE_MAX_PICKUPS] = {0};
    for (uint32_t c = 0; c < jw_world_channels(performance->world); ++c) {
      channels[c] = out[c] + done;
    }
    JwPlayerBlock block = {NULL, channels, count - done, events, 0};
    for (; performance->next < performance->song.count; ++performance->next) {
      const JwSongEvent* const event = &performance->song.events[performance->next];
      const double frame = floor(event->time * performance->rate + 0.5) - (double)start;
      if (frame >= block.count) {
        break;
      }
      const uint32_t at = frame > 0.0 ? (uint32_t)frame : 0;
      if (block.event_count == MOST) { // The rest comes with the next round, from this frame on
        block.count = at > 0 ? at : 1;
        break;
      }
      const JwPlayerEvent message = {
          at, {event->data[0], event->data[1], event->data[2]}, event->size};
      events[block.event_count++] = message;
    }
    const JwStatus part = jw_player_run(performance->player, &block);
    status = status ? status : part;
    done += block.count;
  }
  return status;
}

void jw_performance_reach(const JwPerformance* performance, double range[2]) {
  range[0] = range[1] = NAN;
  for (uint32_t i = 0; i < performance->player->voice_count; ++i) {
    const JwVoice* const voice = &performance->player->voices[i];
    range[0] = fmin(range[0], voice->frequency); // NaN counts for nothing
    range[1] = fmax(range[1], jw_voice_highest(voice));
  }
}

JwPlayerFigures jw_performance_figures(const JwPerformance* performance) {
  return jw_player_figures(performance->player);
}
