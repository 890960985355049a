// SPDX-License-Identifier: MIT
// The player: created from a scene, run in blocks that are split at events.

#include "player.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start_state(JwPlayer* player) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    player->voices[i].pace = player->voices[i].speed;
  }
  for (int i = 0; i < JW_PLAYER_CHANNELS; ++i) {
    player->channels[i].bend_range = player->mpe && i > 0 ? 48.0 : 2.0;
    player->channels[i].rpn[0] = player->channels[i].rpn[1] = 127; // None chosen
  }
}

JwStatus jw_player_create(const JwPlayerDef* def, JwPlayer** player, char error[JW_ERROR_SIZE]) {
  *player = (JwPlayer*)calloc(1, sizeof **player);
  if (!*player) {
    snprintf(error, JW_ERROR_SIZE, "no memory");
    return JW_STATUS_NO_MEMORY;
  }
  (*player)->world = def->world;
  (*player)->tuning = def->tuning ? *def->tuning : jw_tuning_equal();
  (*player)->channel_count = jw_world_channels(def->world);
  const JwStatus status = jw_scene_play(def->scene).given
                              ? jw_player_section(*player, def->scene, error)
                              : jw_player_defaults(*player, def->scene, error);
  if (status) {
    jw_player_destroy(*player);
    *player = NULL;
    return status;
  }
  start_state(*player);
  const JwStatus scored = jw_score_create(def->scene, *player, error);
  if (scored) {
    jw_player_destroy(*player);
    *player = NULL;
  }
  return scored;
}

void jw_player_destroy(JwPlayer* player) {
  if (player) {
    jw_score_destroy(player->score);
    free(player);
  }
}

JwPlayerFigures jw_player_figures(const JwPlayer* player) {
  return player->figures;
}

// ---------------------------------------------------------------- run

// From frame to frame of a block, up to the next note of the scene's own score.
static JwStatus run_stretch(JwPlayer* player, const JwPlayerBlock* block, uint32_t from,
                            uint32_t to) {
  float* out[JW_SCENE_MAX_PICKUPS];
  double* out_double[JW_SCENE_MAX_PICKUPS];
  for (uint32_t c = 0; c < player->channel_count; ++c) {
    if (block->out_double) {
      out_double[c] = block->out_double[c] + from;
    } else {
      out[c] = block->out[c] + from;
    }
  }
  return block->out_double ? jw_world_run_double(player->world, out_double, to - from)
                           : jw_world_run(player->world, out, to - from);
}

static JwStatus run_part(JwPlayer* player, const JwPlayerBlock* block, uint32_t from, uint32_t to) {
  JwStatus status = JW_STATUS_OK;
  while (from < to) {
    const uint64_t next = jw_score_play(player);
    const uint32_t end = next < to - from ? from + (uint32_t)next : to;
    const JwStatus part = run_stretch(player, block, from, end);
    status = status ? status : part;
    from = end;
  }
  return status;
}

JwStatus jw_player_advance(JwPlayer* player, double* const* out, uint32_t count) {
  const JwPlayerBlock block = {NULL, out, count, NULL, 0};
  return run_part(player, &block, 0, count);
}

JwStatus jw_player_run(JwPlayer* player, const JwPlayerBlock* block) {
  uint32_t at = 0;
  JwStatus status = JW_STATUS_OK;
  for (uint32_t i = 0; i < block->event_count; ++i) {
    const JwPlayerEvent* const event = &block->events[i];
    const uint32_t to = event->frame < block->count ? event->frame : block->count;
    if (to > at) {
      const JwStatus part = run_part(player, block, at, to);
      status = status ? status : part;
      at = to;
    }
    jw_player_message(player, event->data, event->size);
  }
  if (at < block->count) {
    const JwStatus part = run_part(player, block, at, block->count);
    status = status ? status : part;
  }
  return status;
}

// ---------------------------------------------------------------- describe

typedef struct {
  char* text;
  size_t size, used;
} Page;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
line(Page* page, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const bool room = page->used < page->size;
  const int n = vsnprintf(room ? page->text + page->used : NULL, room ? page->size - page->used : 0,
                          format, arguments);
  va_end(arguments);
  page->used += n > 0 ? (size_t)n : 0;
}

static void describe_voice(Page* page, const JwVoice* voice) {
  static const char* const kinds[] = {"bow", "blow", "throw"};
  static const char* const units[] = {"N", "N", "m/s"};
  static const char* const pitches[] = {"as it is", "by tension",
                                        "harmonics by a finger on the node", "by a finger"};
  line(page, "  %-16s %-5s  velocity 1 to 127: %g to %g %s", voice->name, kinds[voice->kind],
       voice->strength[0], voice->strength[1], units[voice->kind]);
  if (isnan(voice->frequency)) {
    line(page, "; no pitch\n");
  } else if (voice->pitch == JW_PLAY_TENSION) {
    line(page, "; %.2f Hz, up to %.2f Hz %s\n", voice->frequency,
         voice->frequency * sqrt(voice->bend), pitches[voice->pitch]);
  } else {
    line(page, "; %.2f Hz, %s\n", voice->frequency, pitches[voice->pitch]);
  }
}

size_t jw_player_describe(const JwPlayer* player, char* text, size_t size) {
  Page page = {text, size, 0};
  line(&page, "%s%s\nvoices\n", player->mono ? "mono, legato" : "poly", player->mpe ? ", MPE" : "");
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    describe_voice(&page, &player->voices[i]);
  }
  line(&page, "controls\n");
  for (uint32_t i = 0; i < player->control_count; ++i) {
    const JwPlayerControl* const control = &player->controls[i];
    char buffer[16];
    line(&page, "  %-16s %-24s %g to %g%s\n", jw_play_source_name(control->source, buffer),
         control->name, control->range[0], control->range[1],
         control->square ? ", finer at the low end" : "");
  }
  line(&page, "  %-16s %-24s %s\n", "bend", "pitch",
       "2 semitones each way, or as the keyboard says (RPN 0)");
  line(&page, "  %-16s %-24s\n", "cc64", "holds notes");
  return page.used;
}
