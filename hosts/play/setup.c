// SPDX-License-Identifier: MIT
// A player for a scene that does not say how it is played.
//
// Every bow is a voice, every blow (pluck, strike, push) on something that sounds, and every mass
// that the score throws at something that sounds.  Where bows are, the others are left out and the
// player is mono.  A voice's pitch is its string's fundamental; a string by finite differences with
// `bend` above 1 is tuned by its tension.  Two blows on one string are one voice. Strength: from a
// tenth to the whole of what the score has; bows from a fifth, below which they whistle.

#include "player.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool moves(const JwWorld* world, JwObjectId id) {
  const JwKind kind = jw_world_object_info(world, id).kind;
  return id.index && (kind == JW_KIND_STRING || kind == JW_KIND_PLATE || kind == JW_KIND_MODAL);
}

static void take_string(const JwPlayer* player, JwVoice* voice, JwObjectId object) {
  const JwObjectInfo info = jw_world_object_info(player->world, object);
  voice->frequency =
      info.kind == JW_KIND_STRING && info.tension > 0.0 ? info.fundamental : (double)NAN;
  voice->tension = info.tension;
  voice->fundamental = info.fundamental;
  voice->string = object;
  snprintf(voice->object, sizeof voice->object, "%s", info.name ? info.name : "");
  if (!voice->name[0] && info.name) {
    snprintf(voice->name, sizeof voice->name, "%s",
             info.name); // What has no name is called after what it sounds
  }
  voice->bend = 1.0;
  // The world says how far the pitch may go: what it would refuse is out of reach.
  const JwTarget target = {.control = JW_CONTROL_FREQUENCY, .object = object};
  double range[2];
  if (info.kind == JW_KIND_STRING && !jw_world_control_range(player->world, target, range)
      && range[1] > 1.0005 * info.fundamental) {
    const double ratio = range[1] / info.fundamental;
    voice->bend = ratio * ratio;
  }
  voice->pitch = voice->bend > 1.0 ? JW_PLAY_TENSION : JW_PLAY_FIXED;
}

// What a thrown mass hits.
static bool take_hit(const JwPlayer* player, JwVoice* voice) {
  const uint32_t contacts = jw_world_info(player->world).contacts;
  for (uint32_t i = 1; i <= contacts; ++i) {
    const JwContactInfo info = jw_world_contact_info(player->world, (JwContactId){i});
    for (int side = 0; side < 2; ++side) {
      if (info.kind == JW_KIND_COLLISION && info.port[side].object.index == voice->mass.index
          && moves(player->world, info.port[1 - side].object)) {
        take_string(player, voice, info.port[1 - side].object);
        return true;
      }
    }
  }
  return false;
}

bool jw_voice_of(const JwPlayer* player, const JwScenePart* part, JwVoice* voice) {
  memset(voice, 0, sizeof *voice);
  voice->note = -1;
  voice->mode = -1;
  voice->reach = 4.0;
  voice->swell[0] = voice->swell[1] = voice->share = 1.0;
  voice->frequency = NAN;
  voice->attack = 0.02;
  voice->release = 0.05;
  snprintf(voice->name, sizeof voice->name, "%s", part->name ? part->name : "");
  if (part->kind == JW_KIND_BOW) {
    const JwContactInfo info = jw_world_contact_info(player->world, part->contact);
    const double most = part->strength > 0.0 ? part->strength : 0.2;
    voice->kind = JW_VOICE_BOW;
    voice->bow = part->contact;
    voice->strength[0] = 0.2 * most;
    voice->strength[1] = 1.5 * most;
    voice->speed = 0.2;
    voice->x = info.port[0].x;
    take_string(player, voice, info.port[0].object);
    return true;
  }
  if (part->kind == JW_KIND_FORCE) {
    const JwForceDef def = jw_world_exciter_info(player->world, part->exciter);
    voice->kind = JW_VOICE_BLOW;
    voice->blow = part->exciter;
    voice->strength[0] = 0.1 * part->strength;
    voice->strength[1] = part->strength;
    take_string(player, voice, def.port.object);
    return moves(player->world, def.port.object);
  }
  voice->kind = JW_VOICE_THROW;
  voice->mass = part->object;
  // What the score lets fall is thrown down a little
  voice->strength[1] = part->strength != 0.0 ? part->strength : -1.0;
  voice->strength[0] = part->strength != 0.0 ? 0.1 * part->strength : 0.0;
  voice->from = part->from;
  return !isnan(part->from) && take_hit(player, voice);
}

static bool there_already(const JwPlayer* player, const JwVoice* voice) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (player->voices[i].string.index == voice->string.index) {
      return true;
    }
  }
  return false;
}

static void add_control(JwPlayer* player, const JwPlayerControl* control) {
  if (player->control_count < JW_PLAYER_CONTROLS) {
    player->controls[player->control_count++] = *control;
  }
}

// Bowed: pressure presses, expression moves the bow, wheel and slide place it.
static void bow_controls(JwPlayer* player) {
  const JwVoice* const voice = &player->voices[0];
  static const int places[] = {1, 74};
  JwPlayerControl control = {
      .source = JW_PLAY_PRESSURE, .name = "voice.force", .voice = true, .over = 0.02};
  control.target.control = JW_CONTROL_FORCE;
  control.range[0] = voice->strength[0];
  control.range[1] = 2.0 * voice->strength[1];
  add_control(player, &control);
  control.source = 11;
  snprintf(control.name, sizeof control.name, "voice.speed");
  control.target.control = JW_CONTROL_SPEED;
  control.range[0] = 0.09;
  control.range[1] = 1.5 * voice->speed;
  add_control(player, &control);
  for (int i = 0; i < 2; ++i) {
    control.source = places[i];
    snprintf(control.name, sizeof control.name, "voice.x");
    control.target.control = JW_CONTROL_X;
    control.range[0] = voice->x;
    control.range[1] = voice->x < 0.5 ? 0.3 * voice->x : 1.0 - 0.3 * (1.0 - voice->x);
    add_control(player, &control);
  }
}

// The first collision's gap, and every pickup's gain, by the usual controllers.
static void common_controls(JwPlayer* player) {
  const JwWorldInfo info = jw_world_info(player->world);
  JwPlayerControl volume = {.source = 7, .over = 0.02};
  volume.target.control = JW_CONTROL_GAIN;
  for (uint32_t i = 1; i <= info.pickups; ++i) {
    const JwPickupDef pickup = jw_world_pickup_info(player->world, (JwPickupId){i});
    volume.target.pickup.index = i;
    snprintf(volume.name, sizeof volume.name, "%.50s.gain",
             pickup.name[0] ? pickup.name : "pickup");
    volume.range[1] =
        1.27 * pickup.gain; // 100, as most keyboards send at the start, is the scene's own
    add_control(player, &volume);
  }
}

static void add_voices(JwPlayer* player, const JwScene* scene, JwKind kind) {
  for (uint32_t i = 0; i < jw_scene_parts(scene) && player->voice_count < JW_PLAYER_VOICES; ++i) {
    const JwScenePart part = jw_scene_part(scene, i);
    JwVoice* const voice = &player->voices[player->voice_count];
    if (part.kind == kind && jw_voice_of(player, &part, voice)
        && (kind == JW_KIND_MASS || kind == JW_KIND_BOW || isnan(voice->frequency)
            || !there_already(player, voice))) {
      ++player->voice_count;
    }
  }
}

JwStatus jw_player_defaults(JwPlayer* player, const JwScene* scene, char error[JW_ERROR_SIZE]) {
  add_voices(player, scene, JW_KIND_BOW);
  if (player->voice_count) {
    player->mono = player->mono_group[0] = true;
    bow_controls(player);
  } else {
    add_voices(player, scene, JW_KIND_FORCE);
    add_voices(player, scene, JW_KIND_MASS);
  }
  common_controls(player);
  if (player->voice_count == 0) {
    snprintf(
        error, JW_ERROR_SIZE,
        "there is nothing to play: no bow, no blow and no thrown mass on anything that sounds");
    return JW_STATUS_BAD_SCENE;
  }
  return JW_STATUS_OK;
}
