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
    jw_player_set(player, target, voice->up_bow ? -value : value, control->over);
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
    return ratio * ratio <= voice->bend ? 1e-3 * fabs(jw_octaves_of(ratio))
                                        : fabs(jw_octaves_of(ratio));
  case JW_PLAY_HARMONICS:
    return fabs(jw_octaves_of(ratio / fmin(voice->most, fmax(1.0, floor(ratio + 0.5)))));
  case JW_PLAY_FINGER: return ratio >= 1.0 ? 1e-3 * jw_octaves_of(ratio) : -jw_octaves_of(ratio);
  default: return fabs(jw_octaves_of(ratio));
  }
}

// Without any pitch among the voices, keys go round from middle C up.
static JwVoice* choose(JwPlayer* player, int note) {
  const double frequency = player->tuning.frequency[note];
  JwVoice* best = NULL;
  double best_score = HUGE_VAL;
  bool pitched = false;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    JwVoice* const voice = &player->voices[i];
    pitched = pitched || !isnan(voice->frequency);
    // Poly: a sounding voice is taken only if it is nearer by a semitone; the oldest of equals.
    const double busy = voice->note >= 0 && !player->mono ? 1.0 / 12.0 : 0.0;
    const double score = distance(voice, frequency) + busy + 1e-9 * (double)(voice->used % 1000000);
    if (score < best_score) {
      best_score = score;
      best = voice;
    }
  }
  return pitched ? best : &player->voices[(uint32_t)(note + 8 * 12 - 60) % player->voice_count];
}

static JwVoice* sounding(JwPlayer* player, int note, int channel) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (player->voices[i].note == note && player->voices[i].channel == channel) {
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

static void start(JwPlayer* player, const JwHeld* held) {
  JwVoice* const again = player->mono ? NULL : sounding(player, held->note, held->channel);
  if (!player->mono && !again) {
    give_way(player);
  }
  JwVoice* const voice = again ? again : choose(player, held->note);
  const bool legato = player->mono && voice->note >= 0;
  for (uint32_t i = 0; player->mono && i < player->voice_count; ++i) {
    if (player->voices[i].note >= 0 && &player->voices[i] != voice) {
      jw_voice_stop(player, &player->voices[i]);
    }
  }
  if (voice->note >= 0 && !again && !legato) {
    jw_voice_stop(player, voice);
  }
  jw_voice_start(player, voice, held, legato);
  move(player, JW_PLAY_NOTE, held->channel, held->note / 127.0);
  move(player, JW_PLAY_VELOCITY, held->channel, held->velocity / 127.0);
}

static void forget(JwPlayer* player, uint32_t index) {
  memmove(&player->held[index], &player->held[index + 1],
          (player->held_count - index - 1) * sizeof *player->held);
  --player->held_count;
}

// A key pressed again without having been let go, or held by the pedal, counts once; of more keys
// than can be held the oldest is forgotten.
static void make_room(JwPlayer* player, uint8_t channel, uint8_t note) {
  for (uint32_t i = 0; i < player->held_count; ++i) {
    if (player->held[i].note == note && player->held[i].channel == channel) {
      forget(player, i);
      return;
    }
  }
  if (player->held_count == JW_PLAYER_HELD) {
    const JwHeld oldest = player->held[0];
    JwVoice* const voice = player->mono ? NULL : sounding(player, oldest.note, oldest.channel);
    forget(player, 0);
    if (voice) {
      jw_voice_stop(player, voice);
    }
  }
}

// Whether some voice comes within a quarter tone of a note.
static bool can_sound(const JwPlayer* player, uint8_t note) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (distance(&player->voices[i], player->tuning.frequency[note]) <= QUARTER_TONE) {
      return true;
    }
  }
  return false;
}

static void note_on(JwPlayer* player, uint8_t channel, uint8_t note, uint8_t velocity) {
  if (isnan(player->tuning.frequency[note]) || player->voice_count == 0) {
    ++player->figures.unplayed;
    return;
  }
  if (!can_sound(player, note)) {
    player->figures.first_astray = player->figures.astray++ ? player->figures.first_astray : note;
  }
  make_room(player, channel, note);
  const JwHeld held = {note, channel, velocity, true};
  player->held[player->held_count++] = held;
  ++player->figures.notes;
  start(player, &held);
}

static void stop(JwPlayer* player, uint32_t index) {
  const JwHeld gone = player->held[index];
  forget(player, index);
  JwVoice* const voice = sounding(player, gone.note, gone.channel);
  if (!voice) {
    return;
  }
  if (player->mono && player->held_count) {
    start(player, &player->held[player->held_count - 1]);
  } else {
    jw_voice_stop(player, voice);
  }
}

static void note_off(JwPlayer* player, uint8_t channel, uint8_t note) {
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

static void controller(JwPlayer* player, uint8_t channel, uint8_t number, uint8_t value) {
  JwPlayerChannel* const state = &player->channels[channel];
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
  case 0x80: note_off(player, channel, data[1]); break;
  case 0x90:
    if (data[2]) {
      note_on(player, channel, data[1], data[2]);
    } else {
      note_off(player, channel, data[1]);
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
