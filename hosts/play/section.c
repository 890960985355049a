// SPDX-License-Identifier: MIT
// From a scene's "play" section, which the scene's reader has checked, to voices and controls.

#include "octaves.h"
#include "player.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
  voice->reach = jw_octaves_up(def.reach / 12.0);
  voice->behind = def.behind;
  voice->swell[0] = given(def.swell[0], 1.0);
  voice->swell[1] = given(def.swell[1], 1.0);
  voice->mode = def.mode;
  for (int i = 0; i < JW_PLAY_MAX_DAMPERS; ++i) {
    voice->damper[i] = def.damper[i].contact;
  }
  voice->damping[0] = def.damping[0];
  voice->damping[1] = def.damping[1];
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

// "cello/bow" belongs to the instrument "cello"; what has no slash to the scene itself.
static bool one_instrument(const JwVoice* a, const JwVoice* b) {
  const char *const end = strrchr(a->name, '/'), *const other = strrchr(b->name, '/');
  const size_t length = end ? (size_t)(end - a->name) : 0;
  return (end == NULL) == (other == NULL)
         && (!end || ((size_t)(other - b->name) == length && !strncmp(a->name, b->name, length)));
}

static void find_groups(JwPlayer* player) {
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    JwVoice* const voice = &player->voices[i];
    uint32_t first = 0;
    while (first < i && !one_instrument(&player->voices[first], voice)) {
      ++first;
    }
    const bool mono = voice->mode < 0 ? voice->kind == JW_VOICE_BOW : voice->mode == 1;
    voice->group = first;
    player->mono_group[first] = mono && (first == i || player->mono_group[first]);
  }
  player->mono = player->voice_count > 0;
  for (uint32_t i = 0; i < player->voice_count; ++i) {
    player->mono = player->mono && player->mono_group[player->voices[i].group];
  }
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
  for (uint32_t i = 0; i < player->voice_count && !play.own_voices; ++i) {
    player->voices[i].mode = play.mode < 0 ? player->mono : play.mode;
  }
  find_groups(player);
  player->mpe = play.mpe;
  return status;
}
