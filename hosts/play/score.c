// SPDX-License-Identifier: MIT
// The notes of a scene's own score, played by its player: the same voices and the same pitches as
// keys have, at the exact frame of the world.
//
// A note presses and lets go like a key of its own.  What moves within a note, vibrato, glide and
// the swell of a bow, is sent on in straight lines of TICK seconds.  All is known before: nothing is
// allocated while it runs.

#include "octaves.h"
#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK 0.005
#define USUAL 0.63 // mf

typedef struct {
  JwSceneNote note;
  double frequency;
  uint64_t start, end; // Frames of the world
  bool moves;          // Something changes while it sounds
} Entry;

struct JwScore {
  Entry* entries;   // By start
  uint32_t* by_end; // Their numbers, by end
  JwBreakpoint* points;
  char* names; // What they are played on
  uint32_t count, begun, ended;
  double rate;
  uint64_t tick; // Frames of one
};

// ---------------------------------------------------------------- shapes in time

static double value_at(const JwBreakpoint* points, uint32_t count, double time, double usual) {
  if (count == 0) {
    return usual;
  }
  uint32_t i = 0;
  while (i + 1 < count && time > points[i + 1].time) {
    ++i;
  }
  if (i + 1 == count || time <= points[i].time) {
    return points[i].value;
  }
  const double part = (time - points[i].time) / (points[i + 1].time - points[i].time);
  return points[i].value + part * (points[i + 1].value - points[i].value);
}

// sin(2 pi turns) by its series on a quarter turn, error below 6e-8: the same bits everywhere.
static double swing(double turns) {
  double t = turns - floor(turns + 0.5);
  t = t > 0.25 ? 0.5 - t : t < -0.25 ? -0.5 - t : t;
  const double x = 6.283185307179586477 * t, y = x * x;
  return x
         * (1.0
            + y
                  * (-1.0 / 6.0
                     + y
                           * (1.0 / 120.0
                              + y
                                    * (-1.0 / 5040.0
                                       + y * (1.0 / 362880.0 - y * (1.0 / 39916800.0))))));
}

static double cents_at(const JwSceneNote* note, double time) {
  const double glide = value_at(note->glide, note->glide_count, time, 0.0);
  if (isnan(note->vibrato[0])) {
    return glide;
  }
  const double turns = note->vibrato[0] * time;
  return glide + note->vibrato[1] * fmin(1.0, turns) * swing(turns);
}

static double strength_at(const JwSceneNote* note, double time) {
  const double strength = value_at(note->dynamic, note->dynamic_count, time, USUAL) + note->raise;
  return fmin(1.0, fmax(0.0, strength));
}

// ---------------------------------------------------------------- what can be had

static bool bends(const JwVoice* voice) {
  return voice->pitch == JW_PLAY_TENSION || voice->pitch == JW_PLAY_FINGER || voice->bend > 1.0;
}

static void name_of(double frequency, char name[16]) {
  static const char* const names[12] = {"C",  "C#", "D",  "D#", "E",  "F",
                                        "F#", "G",  "G#", "A",  "A#", "B"};
  const int key = (int)floor(69.0 + 12.0 * jw_octaves_of(frequency / 440.0) + 0.5);
  snprintf(name, 16, "%s%d", names[(key + 120) % 12], (key + 120) / 12 - 11);
}

// Which voices may sound it, how far they reach, and whether they bend.
static JwStatus check(const JwPlayer* player, const Entry* entry, char error[JW_ERROR_SIZE]) {
  const JwSceneNote* const note = &entry->note;
  double low = HUGE_VAL, high = 0.0;
  bool any = false, pliable = false;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    const JwVoice* const voice = &player->voices[i];
    if (note->on && !jw_voice_is_called(voice, note->on)) {
      continue;
    }
    any = true;
    pliable = pliable || bends(voice);
    low = fmin(low, voice->frequency); // NaN, where there is no pitch, counts for nothing
    high = fmax(high, jw_voice_highest(voice));
  }
  char name[16], lowest[16] = "", top[16] = "";
  name_of(entry->frequency, name);
  if (!any) {
    snprintf(error, JW_ERROR_SIZE, "%.100s:%u:%u: nothing that notes can play is called \"%.64s\"",
             note->file, note->line, note->column, note->on);
    return JW_STATUS_BAD_SCENE;
  }
  if (!jw_player_reaches(player, entry->frequency, note->on)) {
    name_of(low, lowest);
    name_of(high, top);
    snprintf(error, JW_ERROR_SIZE,
             "%.100s:%u:%u: %s (%.2f Hz) cannot be had: no voice comes within a quarter tone of "
             "it; they go from %s to %s",
             note->file, note->line, note->column, name, entry->frequency, lowest, top);
    return JW_STATUS_BAD_SCENE;
  }
  if (!pliable && (note->glide_count || !isnan(note->vibrato[0]))) {
    snprintf(error, JW_ERROR_SIZE,
             "%.100s:%u:%u: this note cannot glide or swing: the pitch of its voice is fixed",
             note->file, note->line, note->column);
    return JW_STATUS_BAD_SCENE;
  }
  return JW_STATUS_OK;
}

// A fret counts from the open string that it is on.
static double frequency_of(const JwPlayer* player, const JwSceneNote* note) {
  for (uint32_t i = 0; i < player->voice_count && isnan(note->frequency); ++i) {
    if (jw_voice_is_called(&player->voices[i], note->on)) {
      return player->voices[i].frequency * jw_octaves_up(note->fret / 12.0);
    }
  }
  return note->frequency;
}

// ---------------------------------------------------------------- create

static int by_end(const void* left, const void* right) {
  const Entry *const a = *(Entry*const*)left, *const b = *(Entry*const*)right;
  return a->end != b->end ? (a->end < b->end ? -1 : 1) : a < b ? -1 : a > b;
}

static bool sort_ends(JwScore* score) {
  Entry** const list = (Entry**)malloc(score->count * sizeof *list);
  if (!list) {
    return false;
  }
  for (uint32_t i = 0; i < score->count; ++i) {
    list[i] = &score->entries[i];
  }
  qsort((void*)list, score->count, sizeof *list, by_end);
  for (uint32_t i = 0; i < score->count; ++i) {
    score->by_end[i] = (uint32_t)(list[i] - score->entries);
  }
  free((void*)list);
  return true;
}

// Its own copies: the scene may go.
static bool take_memory(JwScore* score, const JwScene* scene) {
  size_t points = 0, letters = 0;
  for (uint32_t i = 0; i < score->count; ++i) {
    const JwSceneNote note = jw_scene_note(scene, i);
    points += note.dynamic_count + note.glide_count;
    letters += note.on ? strlen(note.on) + 1 : 0;
  }
  score->entries = (Entry*)calloc(score->count, sizeof *score->entries);
  score->by_end = (uint32_t*)calloc(score->count, sizeof *score->by_end);
  score->points = (JwBreakpoint*)calloc(points + 1, sizeof *score->points);
  score->names = (char*)calloc(letters + 1, 1);
  return score->entries && score->by_end && score->points && score->names;
}

static const JwBreakpoint* copy(JwBreakpoint** to, const JwBreakpoint* from, uint32_t count) {
  JwBreakpoint* const own = *to;
  if (count) {
    memcpy(own, from, count * sizeof *own);
  }
  *to += count;
  return own;
}

static void take_notes(JwScore* score, const JwScene* scene, const JwPlayer* player) {
  JwBreakpoint* points = score->points;
  char* names = score->names;
  for (uint32_t i = 0; i < score->count; ++i) {
    Entry* const entry = &score->entries[i];
    JwSceneNote* const note = &entry->note;
    *note = jw_scene_note(scene, i);
    entry->moves = note->dynamic_count > 1 || note->glide_count || !isnan(note->vibrato[0]);
    note->dynamic = copy(&points, note->dynamic, note->dynamic_count);
    note->glide = copy(&points, note->glide, note->glide_count);
    if (note->on) {
      strcpy(names, note->on);
      note->on = names;
      names += strlen(names) + 1;
    }
    entry->frequency = frequency_of(player, note);
    entry->start = (uint64_t)floor(note->at * score->rate + 0.5);
    entry->end = (uint64_t)floor((note->at + note->duration) * score->rate + 0.5);
  }
}

static JwStatus no_memory(char error[JW_ERROR_SIZE]) {
  snprintf(error, JW_ERROR_SIZE, "no memory");
  return JW_STATUS_NO_MEMORY;
}

JwStatus jw_score_create(const JwScene* scene, JwPlayer* player, char error[JW_ERROR_SIZE]) {
  const uint32_t count = jw_scene_notes(scene);
  if (count == 0) {
    return JW_STATUS_OK;
  }
  JwScore* const score = player->score = (JwScore*)calloc(1, sizeof *score);
  if (!score) {
    return no_memory(error);
  }
  score->count = count;
  score->rate = jw_world_info(player->world).sample_rate;
  score->tick = (uint64_t)floor(TICK * score->rate + 0.5);
  if (!take_memory(score, scene)) {
    return no_memory(error);
  }
  take_notes(score, scene, player);
  for (uint32_t i = 0; i < count; ++i) {
    const JwStatus status = check(player, &score->entries[i], error);
    if (status) {
      return status;
    }
  }
  return sort_ends(score) ? JW_STATUS_OK : no_memory(error);
}

void jw_score_destroy(JwScore* score) {
  if (score) {
    free(score->entries);
    free(score->by_end);
    free(score->points);
    free(score->names);
    free(score);
  }
}

void jw_score_reset(JwScore* score) {
  if (score) {
    score->begun = score->ended = 0;
  }
}

// ---------------------------------------------------------------- play

static void begin(JwPlayer* player, uint32_t index) {
  const Entry* const entry = &player->score->entries[index];
  const JwSceneNote* const note = &entry->note;
  const JwHeld held = {.note = 128 + index,
                       .channel = JW_PLAYER_SCORE,
                       .frequency = entry->frequency,
                       .strength = strength_at(note, note->start),
                       .on = note->on};
  jw_player_press(player, &held);
}

// Pitch and bow of a note that sounds, where they are to be at the end of the tick.
static void move(JwPlayer* player, uint32_t index) {
  const JwScore* const score = player->score;
  const JwSceneNote* const note = &score->entries[index].note;
  JwVoice* const voice = jw_player_sounding(player, 128 + index, JW_PLAYER_SCORE);
  if (!voice) {
    return; // Another note has taken its voice
  }
  const double now = (double)jw_world_frame(player->world) / score->rate;
  const double time = now - note->at + note->start + TICK;
  if (note->glide_count || !isnan(note->vibrato[0])) {
    voice->cents = cents_at(note, time);
    jw_voice_tune(player, voice, TICK);
  }
  if (note->dynamic_count > 1 && voice->kind == JW_VOICE_BOW && time > 2.0 * voice->attack) {
    jw_voice_swell(player, voice, strength_at(note, time), TICK);
  }
}

static bool sounds(const Entry* entry, uint64_t frame) {
  return entry->start <= frame && frame < entry->end;
}

// Ticks count from the start of each note; frames until the next of any, or UINT64_MAX.
static uint64_t move_all(JwPlayer* player, uint64_t frame) {
  const JwScore* const score = player->score;
  uint64_t next = UINT64_MAX;
  for (uint32_t v = 0; v < player->voice_count; ++v) {
    const JwVoice* const voice = &player->voices[v];
    const uint32_t index = voice->channel == JW_PLAYER_SCORE ? (uint32_t)voice->note - 128 : 0;
    if (voice->note < 128 || voice->channel != JW_PLAYER_SCORE || !score->entries[index].moves
        || !sounds(&score->entries[index], frame)) {
      continue;
    }
    const uint64_t past = (frame - score->entries[index].start) % score->tick;
    if (past == 0) {
      move(player, index);
    }
    next = score->tick - past < next ? score->tick - past : next;
  }
  return next;
}

uint64_t jw_score_play(JwPlayer* player) {
  JwScore* const score = player->score;
  if (!score) {
    return UINT64_MAX;
  }
  const uint64_t frame = jw_world_frame(player->world);
  for (; score->ended < score->count && score->entries[score->by_end[score->ended]].end <= frame;
       ++score->ended) {
    jw_player_release(player, JW_PLAYER_SCORE, 128 + score->by_end[score->ended]);
  }
  for (; score->begun < score->count && score->entries[score->begun].start <= frame;
       ++score->begun) {
    begin(player, score->begun);
  }
  uint64_t next = move_all(player, frame);
  const uint64_t starts =
      score->begun < score->count ? score->entries[score->begun].start - frame : UINT64_MAX;
  const uint64_t ends = score->ended < score->count
                            ? score->entries[score->by_end[score->ended]].end - frame
                            : UINT64_MAX;
  next = starts < next ? starts : next;
  return ends < next ? ends : next;
}
