// SPDX-License-Identifier: MIT
// From a scene's "play" section, which the scene's reader has checked, to voices and controls.

#include "player.h"

#include <math.h>
#include <stdio.h>

static double given(double value, double otherwise) {
  return isnan(value) ? otherwise : value;
}

// Which side of the touch is the string, and which the finger.
static void take_finger(const JwPlayer* player, const JwPlayVoice* def, JwVoice* voice) {
  const JwContactInfo info = jw_world_contact_info(player->world, def->touch.contact);
  for (int side = 0; side < 2 && def->touch.contact.index; ++side) {
    if (info.port[side].object.index == voice->string.index) {
      voice->touch = def->touch.contact;
      voice->touch_x = side ? JW_CONTROL_X2 : JW_CONTROL_X;
      voice->finger = info.port[1 - side].object;
    }
  }
  voice->up = given(def->finger[0], 0.0);
  voice->down = given(def->finger[1], 0.0);
}

static bool take_voice(JwPlayer* player, JwPlayVoice def) {
  JwVoice* const voice = &player->voices[player->voice_count];
  def.part.from =
      given(def.part.from, 0.0); // Not thrown by the score: the section may say from where
  if (!jw_voice_of(player, &def.part, voice)) {
    return false;
  }
  voice->pitch = def.pitch < 0 ? voice->pitch : (JwPlayPitch)def.pitch;
  voice->frequency = given(def.frequency, voice->frequency);
  voice->strength[0] = given(def.strength[0], voice->strength[0]);
  voice->strength[1] = given(def.strength[1], voice->strength[1]);
  voice->speed = given(def.speed, voice->speed);
  voice->from = given(def.from, voice->from);
  voice->attack = def.attack;
  voice->release = def.release;
  voice->alternate = def.alternate;
  voice->sounding = def.sounding;
  voice->bow_share = def.bow_share;
  voice->lighter = def.lighter;
  voice->most = (int)def.harmonics;
  take_finger(player, &def, voice);
  ++player->voice_count;
  return true;
}

static void take_control(JwPlayer* player, const JwPlayControl* def) {
  JwPlayerControl* const control = &player->controls[player->control_count++];
  *control = (JwPlayerControl){.source = def->source,
                               .voice = def->voice,
                               .target = def->target,
                               .range = {def->range[0], def->range[1]},
                               .square = def->curve == 1,
                               .over = def->over};
  snprintf(control->name, sizeof control->name, "%s", def->name);
}

static bool all_bowed(const JwPlayer* player) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    if (player->voices[i].kind != JW_VOICE_BOW) {
      return false;
    }
  }
  return true;
}

JwStatus jw_player_section(JwPlayer* player, const JwScene* scene, char error[JW_ERROR_SIZE]) {
  const JwPlay play = jw_scene_play(scene);
  const JwStatus status = play.own_voices ? JW_STATUS_OK : jw_player_defaults(player, scene, error);
  for (uint32_t i = 0; i < play.voices; ++i) {
    const JwPlayVoice voice = jw_scene_play_voice(scene, i);
    if (!take_voice(player, voice)) {
      snprintf(error, JW_ERROR_SIZE, "\"%s\" touches nothing that sounds", voice.part.name);
      return JW_STATUS_BAD_SCENE;
    }
  }
  player->control_count = play.own_controls ? 0 : player->control_count;
  for (uint32_t i = 0; i < play.controls; ++i) {
    const JwPlayControl control = jw_scene_play_control(scene, i);
    take_control(player, &control);
  }
  player->mono = play.mode < 0 ? all_bowed(player) : play.mode == 1;
  player->mpe = play.mpe;
  return status;
}
