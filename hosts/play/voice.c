// SPDX-License-Identifier: MIT
// Voices: sounding a note by bow, blow or throw, and coming to its pitch.
//
//   symbol  meaning                                                   unit
//   f       wanted frequency, with pitch bend                         Hz
//   f0, T0  of the open string                                        Hz, N
//   n       harmonic: the whole number nearest to f/f0
//
// By tension the string is told its frequency, and the engine finds the tension, stiffness and all.
// What lies outside of the string's reach is left at the open string, never pulled half way.

#include "octaves.h"
#include "player.h"

#include <math.h>

void jw_player_set(JwPlayer* player, JwTarget target, double value, double seconds) {
  const JwStatus status = jw_world_set(player->world, target, value, seconds);
  player->figures.dropped += status == JW_STATUS_FULL;
  player->figures.refused += status != JW_STATUS_OK && status != JW_STATUS_FULL;
}

static JwTarget of_contact(JwContactId contact, JwControl control) {
  const JwTarget target = {.control = control, .contact = contact};
  return target;
}

static JwTarget of_object(JwObjectId object, JwControl control) {
  const JwTarget target = {.control = control, .object = object};
  return target;
}

// ---------------------------------------------------------------- pitch

static double bent(const JwPlayer* player, const JwVoice* voice) {
  const JwPlayerChannel* const own = &player->channels[voice->channel];
  double semitones = own->bend * own->bend_range;
  if (player->mpe && voice->channel != 0) {
    semitones += player->channels[0].bend * player->channels[0].bend_range;
  }
  return jw_octaves_up((semitones + voice->cents / 100.0) / 12.0);
}

static void set_tension(JwPlayer* player, const JwVoice* voice, double ratio, double seconds) {
  if (ratio * ratio <= voice->bend * (1.0 + 1e-9)) {
    jw_player_set(player, of_object(voice->string, JW_CONTROL_FREQUENCY),
                  voice->fundamental * ratio, seconds);
  }
}

static double harmonic_of(const JwVoice* voice) {
  const double n = floor(voice->wanted / voice->frequency + 0.5);
  return n < 1.0 ? 1.0 : n > voice->most ? voice->most : n;
}

// Put the finger on the first node of the harmonic nearest to f, and the bow before it.
static void set_harmonic(JwPlayer* player, const JwVoice* voice, double seconds) {
  const double n = harmonic_of(voice);
  if (n > 1.0) {
    jw_player_set(player, of_contact(voice->touch, voice->touch_x), voice->sounding / n, 0.0);
  }
  jw_player_set(player, of_object(voice->finger, JW_CONTROL_POSITION),
                n > 1.0 ? voice->down : voice->up, seconds);
  if (voice->bow_share > 0.0) {
    jw_player_set(player, of_contact(voice->bow, JW_CONTROL_X),
                  voice->bow_share * voice->sounding / n, seconds);
  }
}

// Press the string down where the part from x = 0 has the wanted pitch, or behind the fret there.
static void set_finger(JwPlayer* player, const JwVoice* voice, double ratio, double seconds) {
  if (ratio > 1.0 + 1e-6) {
    const double x = voice->sounding * (1.0 + voice->behind) / ratio;
    jw_player_set(player, of_contact(voice->touch, voice->touch_x), fmin(x, 1.0), seconds);
  }
  jw_player_set(player, of_object(voice->finger, JW_CONTROL_POSITION),
                ratio > 1.0 + 1e-6 ? voice->down : voice->up, seconds);
}

double jw_voice_highest(const JwVoice* voice) {
  switch (voice->pitch) {
  case JW_PLAY_TENSION: return voice->frequency * sqrt(voice->bend);
  case JW_PLAY_HARMONICS: return voice->frequency * voice->most;
  case JW_PLAY_FINGER: return voice->frequency * voice->reach;
  default: return voice->frequency;
  }
}

void jw_voice_tune(JwPlayer* player, JwVoice* voice, double seconds) {
  if (voice->note < 0 || isnan(voice->frequency)) {
    return;
  }
  const double bend = bent(player, voice);
  switch (voice->pitch) {
  case JW_PLAY_FIXED: break;
  case JW_PLAY_TENSION:
    set_tension(player, voice, voice->wanted * bend / voice->frequency, seconds);
    break;
  case JW_PLAY_HARMONICS:
    set_harmonic(player, voice, seconds);
    if (voice->bend > 1.0) {
      set_tension(player, voice, bend, seconds);
    }
    break;
  case JW_PLAY_FINGER:
    set_finger(player, voice, voice->wanted * bend / voice->frequency, seconds);
    break;
  }
}

// ---------------------------------------------------------------- sound

// Harmonics want a lighter bow the higher they are.
static double lightness(const JwVoice* voice) {
  const bool lighter =
      voice->pitch == JW_PLAY_HARMONICS && voice->lighter > 0.0 && voice->note >= 0;
  return lighter ? jw_octaves_up(-voice->lighter * jw_octaves_of(harmonic_of(voice))) : 1.0;
}

// The largest force with which a string speaks goes with the bow's speed (Schelleng), so a slower
// bow bears less.
void jw_voice_press(JwPlayer* player, JwVoice* voice, double force, double seconds) {
  voice->force = force;
  if (voice->note >= 0) {
    const double pace =
        voice->share * (voice->pace != 0.0 ? fabs(voice->speed / voice->pace) : 1.0);
    jw_player_set(player, of_contact(voice->bow, JW_CONTROL_FORCE), force * lightness(voice) * pace,
                  seconds);
  }
}

void jw_voice_place(JwPlayer* player, JwVoice* voice, double x, double seconds) {
  const bool share = voice->pitch == JW_PLAY_HARMONICS && voice->bow_share > 0.0;
  if (!share) {
    jw_player_set(player, of_contact(voice->bow, JW_CONTROL_X), x, seconds);
    return;
  }
  voice->bow_share = x;
  if (voice->note >= 0) {
    jw_player_set(player, of_contact(voice->bow, JW_CONTROL_X),
                  x * voice->sounding / harmonic_of(voice), seconds);
  }
}

void jw_voice_draw(JwPlayer* player, const JwVoice* voice, double seconds) {
  const double speed = voice->share * voice->speed;
  jw_player_set(player, of_contact(voice->bow, JW_CONTROL_SPEED), voice->up_bow ? -speed : speed,
                seconds);
}

void jw_voice_swell(JwPlayer* player, JwVoice* voice, double strength, double seconds) {
  voice->share = voice->swell[0] + (voice->swell[1] - voice->swell[0]) * strength;
  jw_voice_draw(player, voice, seconds);
  jw_voice_press(player, voice, jw_voice_strength(voice, strength), seconds);
}

// A new stroke starts at rest and takes three times as long to its speed as to its force: a bow
// that arrives at full speed slides over the string without catching it.
static void stroke(JwPlayer* player, JwVoice* voice, double strength, bool legato) {
  voice->share = voice->swell[0] + (voice->swell[1] - voice->swell[0]) * strength;
  const JwTarget speed = of_contact(voice->bow, JW_CONTROL_SPEED);
  if (!legato) {
    voice->up_bow = voice->alternate ? !voice->up_bow : voice->up_bow;
    jw_player_set(player, speed, 0.0, 0.0);
  }
  jw_voice_draw(player, voice, legato ? 0.01 : 3.0 * voice->attack);
  jw_voice_press(player, voice, jw_voice_strength(voice, strength), voice->attack);
}

void jw_voice_damp(JwPlayer* player, const JwVoice* voice, bool down) {
  const double over = voice->release < 0.01 ? voice->release : 0.01;
  for (int i = 0; i < JW_PLAY_MAX_DAMPERS && voice->damper[i].index; ++i) {
    jw_player_set(player, of_contact(voice->damper[i], JW_CONTROL_LOSS), voice->damping[down],
                  over);
  }
}

double jw_voice_strength(const JwVoice* voice, double strength) {
  return voice->strength[0] + (voice->strength[1] - voice->strength[0]) * strength;
}

void jw_voice_start(JwPlayer* player, JwVoice* voice, const JwHeld* note, bool legato) {
  voice->note = (int)note->note;
  voice->channel = note->channel;
  voice->wanted = note->frequency;
  voice->cents = 0.0;
  const double strength = jw_voice_strength(voice, note->strength);
  voice->used = ++player->clock;
  jw_voice_tune(player, voice, legato ? 0.03 : 0.005);
  jw_voice_damp(player, voice, false);
  JwStatus status = JW_STATUS_OK;
  switch (voice->kind) {
  case JW_VOICE_BOW: stroke(player, voice, note->strength, legato); break;
  case JW_VOICE_BLOW: status = jw_world_trigger(player->world, voice->blow, strength); break;
  case JW_VOICE_THROW:
    status = jw_world_throw(player->world, voice->mass, voice->from, strength);
    break;
  }
  player->figures.dropped += status == JW_STATUS_FULL;
  player->figures.refused += status != JW_STATUS_OK && status != JW_STATUS_FULL;
}

void jw_voice_stop(JwPlayer* player, JwVoice* voice) {
  if (voice->kind == JW_VOICE_BOW) {
    jw_player_set(player, of_contact(voice->bow, JW_CONTROL_FORCE), 0.0, voice->release);
  }
  jw_voice_damp(player, voice, true);
  voice->note = -1;
}
