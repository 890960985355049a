// SPDX-License-Identifier: MIT
// MIDI messages: which voice sounds which note, and what controllers move.
//
// Mono (bowed instruments): the last key pressed sounds; when it is let go the one before it sounds
// again without a new stroke.  Poly: every key takes the voice whose open pitch is nearest, silent
// voices first. Bend, pressure and controllers act on the notes of their own channel; that is also
// what MPE asks for, which besides adds the bend of channel 1 to all others and gives those a range
// of 48 semitones.

#include "octaves.h"
#include "player.h"

#include <math.h>
#include <string.h>

enum {
  SUSTAIN = 64,
  ALL_SOUND_OFF = 120,
  RESET = 121,
  ALL_NOTES_OFF = 123,
  RPN_LOW = 100,
  RPN_HIGH = 101,
  DATA = 6
};

// ---------------------------------------------------------------- controls

static double value_of(const JwPlayerControl* control, double amount) {
  const double shaped = control->square ? amount * amount : amount;
  return control->range[0] + (control->range[1] - control->range[0]) * shaped;
}

// A control of the voice itself: "voice.force", "voice.speed", "voice.x".
static void move_voice(JwPlayer* player, JwVoice* voice, const JwPlayerControl* control,
                       double value) {
  if (voice->kind != JW_VOICE_BOW) {
    return;
  }
  JwTarget target = control->target;
  target.contact = voice->bow;
  switch (target.control) {
  case JW_CONTROL_FORCE: jw_voice_press(player, voice, value, control->over); break;
  case JW_CONTROL_X: jw_voice_place(player, voice, value, control->over); break;
  case JW_CONTROL_SPEED:
    voice->speed = value;
    jw_voice_draw(player, voice, control->over);
    jw_voice_press(player, voice, voice->force, control->over);
    break;
  default: jw_player_set(player, target, value, control->over); break;
  }
}

static void move(JwPlayer* player, int source, int channel, double amount) {
  for (uint32_t i = 0; i < player->control_count; ++i) {
    const JwPlayerControl* const control = &player->controls[i];
    if (control->source != source) {
      continue;
    }
    const double value = value_of(control, amount);
    if (!control->voice) {
      jw_player_set(player, control->target, value, control->over);
      continue;
    }
    for (uint32_t v = 0; v < player->voice_count; ++v) {
      JwVoice* const voice = &player->voices[v];
      if (voice->note < 0 || voice->channel == channel || (player->mpe && channel == 0)) {
        move_voice(player, voice, control, value);
      }
    }
  }
}

void jw_player_move(JwPlayer* player, const JwPlayerControl* control, double value) {
  for (uint32_t v = 0; v < player->voice_count; ++v) {
    move_voice(player, &player->voices[v], control, value);
  }
}

// ---------------------------------------------------------------- notes

#define QUARTER_TONE (1.0 / 24.0) // Of an octave

static double distance(const JwVoice* voice, double frequency) {
  if (isnan(voice->frequency)) {
    return 0.0;
  }
  const double ratio = frequency / voice->frequency;
  switch (voice->pitch) {
  case JW_PLAY_TENSION: // Within reach downwards and up to the bend: no distance to speak of
    return ratio * ratio <= voice->bend * (1.0 + 1e-9) ? 1e-3 * fabs(jw_octaves_of(ratio))
                                                       : fabs(jw_octaves_of(ratio));
  case JW_PLAY_HARMONICS:
    return fabs(jw_octaves_of(ratio / fmin(voice->most, fmax(1.0, floor(ratio + 0.5)))));
  case JW_PLAY_FINGER:
    if (ratio > voice->reach) {
      return jw_octaves_of(ratio / voice->reach);
    }
    // A finger does not lower: just below the open string it is the open string
    return ratio >= 0.985 ? 1e-3 * fabs(jw_octaves_of(ratio)) : -jw_octaves_of(ratio);
  default: return fabs(jw_octaves_of(ratio));
  }
}

bool jw_voice_is_called(const JwVoice* voice, const char* name) {
  const size_t length = strlen(name);
  return strcmp(voice->name, name) == 0 || strcmp(voice->object, name) == 0
         || (strncmp(voice->name, name, length) == 0 && voice->name[length] == '/');
}

static bool may_sound(const JwVoice* voice, const char* on) {
  return !on || jw_voice_is_called(voice, on);
}

// Without any pitch among the voices, keys go round from middle C up.
static JwVoice* go_round(JwPlayer* player, const JwHeld* note) {
  const double key = floor(69.0 + 12.0 * jw_octaves_of(note->frequency / 440.0) + 0.5);
  uint32_t count = 0;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    count += may_sound(&player->voices[i], note->on);
  }
  uint32_t turn = count ? (uint32_t)(key + 10.0 * 12.0 * count - 60.0) % count : 0;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (may_sound(&player->voices[i], note->on) && turn-- == 0) {
      return &player->voices[i];
    }
  }
  return NULL;
}

static JwVoice* choose(JwPlayer* player, const JwHeld* note) {
  JwVoice* best = NULL;
  double best_score = HUGE_VAL;
  bool pitched = false;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    JwVoice* const voice = &player->voices[i];
    if (!may_sound(voice, note->on)) {
      continue;
    }
    pitched = pitched || !isnan(voice->frequency);
    // Poly: a sounding voice is taken only if it is nearer by a semitone; the oldest of equals.
    const double busy = voice->note >= 0 && !player->mono_group[voice->group] ? 1.0 / 12.0 : 0.0;
    const double score =
        distance(voice, note->frequency) + busy + 1e-9 * (double)(voice->used % 1000000);
    if (score < best_score) {
      best_score = score;
      best = voice;
    }
  }
  return pitched ? best : go_round(player, note);
}

JwVoice* jw_player_sounding(JwPlayer* player, uint32_t note, int channel) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (player->voices[i].note == (int)note && player->voices[i].channel == channel) {
      return &player->voices[i];
    }
  }
  return NULL;
}

// Where no more may sound at once, the oldest note gives way.
static void give_way(JwPlayer* player) {
  JwVoice* oldest = NULL;
  uint32_t sounding_now = 0;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    JwVoice* const voice = &player->voices[i];
    sounding_now += voice->note >= 0;
    if (voice->note >= 0 && (!oldest || voice->used < oldest->used)) {
      oldest = voice;
    }
  }
  if (player->most && sounding_now >= player->most) {
    jw_voice_stop(player, oldest);
  }
}

// The voice that sounds a note already: a key that is pressed again, or the same pitch in a score.
static JwVoice* sounds_already(JwPlayer* player, const JwHeld* held) {
  for (uint32_t i = 0; i < player->voice_count && held->note >= 128; ++i) {
    JwVoice* const voice = &player->voices[i];
    if (voice->note >= 0 && may_sound(voice, held->on) && !isnan(voice->frequency)
        && fabs(voice->wanted - held->frequency) < 1e-3 * held->frequency) {
      return voice;
    }
  }
  return jw_player_sounding(player, held->note, held->channel);
}

static void start(JwPlayer* player, JwHeld* held) {
  JwVoice* again = sounds_already(player, held);
  again = again && player->mono_group[again->group] ? NULL : again;
  if (!player->mono && !again) {
    give_way(player);
  }
  JwVoice* const voice = again ? again : choose(player, held);
  if (!voice) {
    return;
  }
  held->group = voice->group;
  const bool mono = player->mono_group[voice->group];
  const bool legato = mono && voice->note >= 0;
  for (uint32_t i = 0; mono && i < player->voice_count; ++i) {
    JwVoice* const other = &player->voices[i];
    if (other->note >= 0 && other != voice && other->group == voice->group) {
      jw_voice_stop(player, other);
    }
  }
  if (voice->note >= 0 && !again && !legato) {
    jw_voice_stop(player, voice);
  }
  jw_voice_start(player, voice, held, legato);
  const double key =
      held->note < 128 ? (double)held->note : 69.0 + 12.0 * jw_octaves_of(held->frequency / 440.0);
  move(player, JW_PLAY_NOTE, held->channel, key / 127.0);
  move(player, JW_PLAY_VELOCITY, held->channel, (1.0 + 126.0 * held->strength) / 127.0);
}

static void forget(JwPlayer* player, uint32_t index) {
  memmove(&player->held[index], &player->held[index + 1],
          (player->held_count - index - 1) * sizeof *player->held);
  --player->held_count;
}

// A key pressed again without having been let go, or held by the pedal, counts once; of more keys
// than can be held the oldest is forgotten.
static void make_room(JwPlayer* player, uint8_t channel, uint32_t note) {
  for (uint32_t i = 0; i < player->held_count; ++i) {
    if (player->held[i].note == note && player->held[i].channel == channel) {
      forget(player, i);
      return;
    }
  }
  if (player->held_count == JW_PLAYER_HELD) {
    const JwHeld oldest = player->held[0];
    JwVoice* const voice =
        player->mono ? NULL : jw_player_sounding(player, oldest.note, oldest.channel);
    forget(player, 0);
    if (voice) {
      jw_voice_stop(player, voice);
    }
  }
}

bool jw_player_reaches(const JwPlayer* player, double frequency, const char* on) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    const JwVoice* const voice = &player->voices[i];
    if (may_sound(voice, on) && distance(voice, frequency) <= QUARTER_TONE) {
      return true;
    }
  }
  return false;
}

void jw_player_press(JwPlayer* player, const JwHeld* note) {
  make_room(player, note->channel, note->note);
  JwHeld* const held = &player->held[player->held_count++];
  *held = *note;
  held->down = true;
  ++player->figures.notes;
  start(player, held);
}

static void note_on(JwPlayer* player, uint8_t channel, uint8_t note, uint8_t velocity) {
  if (isnan(player->tuning.frequency[note]) || player->voice_count == 0) {
    ++player->figures.unplayed;
    return;
  }
  if (!jw_player_reaches(player, player->tuning.frequency[note], NULL)) {
    player->figures.first_astray = player->figures.astray++ ? player->figures.first_astray : note;
  }
  const JwHeld held = {.note = note,
                       .channel = channel,
                       .frequency = player->tuning.frequency[note],
                       .strength = (velocity - 1) / 126.0};
  jw_player_press(player, &held);
}

static void stop(JwPlayer* player, uint32_t index) {
  const JwHeld gone = player->held[index];
  forget(player, index);
  JwVoice* const voice = jw_player_sounding(player, gone.note, gone.channel);
  if (!voice) {
    return;
  }
  for (uint32_t i = player->held_count; i-- > 0 && player->mono_group[voice->group];) {
    if (player->held[i].group == voice->group) {
      start(player, &player->held[i]);
      return;
    }
  }
  jw_voice_stop(player, voice);
}

void jw_player_release(JwPlayer* player, uint8_t channel, uint32_t note) {
  for (uint32_t i = 0; i < player->held_count; ++i) {
    JwHeld* const held = &player->held[i];
    if (held->note == note && held->channel == channel && held->down) {
      held->down = false;
      if (player->channels[channel].cc[SUSTAIN] < 64) {
        stop(player, i);
      }
      return;
    }
  }
}

// Let go of the notes of a channel: those held by the pedal alone, or all.
static void let_go(JwPlayer* player, uint8_t channel, bool all) {
  for (uint32_t i = player->held_count; i-- > 0;) {
    if (i < player->held_count && player->held[i].channel == channel
        && (all || !player->held[i].down)) {
      stop(player, i);
    }
  }
}

// ---------------------------------------------------------------- messages

// The pedal lifts the dampers of all strings, also of those that nobody plays.
static void damp_all(JwPlayer* player, bool down) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (player->voices[i].note < 0) {
      jw_voice_damp(player, &player->voices[i], down);
    }
  }
}

static void controller(JwPlayer* player, uint8_t channel, uint8_t number, uint8_t value) {
  JwPlayerChannel* const state = &player->channels[channel];
  const uint8_t before = state->cc[number];
  state->cc[number] = value;
  switch (number) {
  case RPN_LOW: state->rpn[0] = value; break;
  case RPN_HIGH: state->rpn[1] = value; break;
  case DATA:
    if (state->rpn[0] == 0 && state->rpn[1] == 0 && value <= 96) {
      state->bend_range = value;
    } else if (state->rpn[0] == 6 && state->rpn[1] == 0
               && channel == 0) { // MPE: so many member channels
      player->mpe = value > 0;
      for (int i = 1; i < JW_PLAYER_CHANNELS; ++i) {
        player->channels[i].bend_range = value > 0 ? 48.0 : 2.0;
      }
    }
    break;
  case SUSTAIN:
    if (value < 64) {
      let_go(player, channel, false);
    }
    if ((value < 64) != (before < 64)) {
      damp_all(player, value < 64);
    }
    break;
  case ALL_SOUND_OFF:
  case ALL_NOTES_OFF: let_go(player, channel, true); break;
  case RESET: state->bend = 0.0; break;
  default: break;
  }
  move(player, number, channel, value / 127.0);
}

static void bend(JwPlayer* player, uint8_t channel, int value) {
  // 8192 is the middle; both ends reach exactly -1 and 1
  player->channels[channel].bend = value < 8192 ? (value - 8192) / 8192.0 : (value - 8192) / 8191.0;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    JwVoice* const voice = &player->voices[i];
    if (voice->note >= 0 && (voice->channel == channel || (player->mpe && channel == 0))) {
      jw_voice_tune(player, voice, 0.005);
    }
  }
  move(player, JW_PLAY_BEND, channel, value / 16383.0);
}

void jw_player_message(JwPlayer* player, const uint8_t* data, uint32_t size) {
  const uint8_t channel = data[0] & 0x0f;
  if (size < 2 || data[1] > 127 || (size > 2 && data[2] > 127)) {
    return;
  }
  switch (size > 2 ? data[0] & 0xf0 : (data[0] & 0xf0) | 1) {
  case 0x80: jw_player_release(player, channel, data[1]); break;
  case 0x90:
    if (data[2]) {
      note_on(player, channel, data[1], data[2]);
    } else {
      jw_player_release(player, channel, data[1]);
    }
    break;
  case 0xa0: // Polyphonic pressure counts for the note's channel
  case 0xd1:
    player->channels[channel].pressure = data[size - 1];
    move(player, JW_PLAY_PRESSURE, channel, data[size - 1] / 127.0);
    break;
  case 0xb0: controller(player, channel, data[1], data[2]); break;
  case 0xe0: bend(player, channel, data[1] | data[2] << 7); break;
  default: break;
  }
}
