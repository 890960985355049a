// SPDX-License-Identifier: MIT
// What can be moved: the targets of the player's controls, each once, with unit, range and start.

#include "instrument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of the key in the parameter table of the part that is moved; places have none.
static const char* unit_of(const JwInstrument* instrument, const JwPlayerControl* control) {
  const char* const dot = strrchr(control->name, '.');
  char part[sizeof control->name];
  snprintf(part, sizeof part, "%.*s", dot ? (int)(dot - control->name) : 0, control->name);
  const JwKind kind = control->voice ? JW_KIND_BOW : jw_scene_find(instrument->scene, part).kind;
  uint32_t count = 0;
  const JwParam* const params = jw_params(kind, &count);
  for (uint32_t i = 0; dot && i < count; ++i) {
    if (strcmp(params[i].key, dot + 1) == 0) {
      return params[i].unit;
    }
  }
  return "";
}

// Where a control starts: a bow as with velocity 64, everything else as it is.
static double start_of(const JwInstrument* instrument, const JwPlayerControl* control) {
  double value = control->range[0];
  if (!control->voice) {
    return jw_world_get(instrument->world, control->target, &value) ? control->range[0] : value;
  }
  const JwVoice* const voice = &instrument->player->voices[0];
  switch (control->target.control) {
  case JW_CONTROL_FORCE: return 0.5 * (voice->strength[0] + voice->strength[1]);
  case JW_CONTROL_SPEED: return voice->speed;
  case JW_CONTROL_X:
    return voice->pitch == JW_PLAY_HARMONICS && voice->bow_share > 0.0 ? voice->bow_share
                                                                       : voice->x;
  default: return value;
  }
}

static bool is_there(const JwInstrument* instrument, const JwPlayerControl* control) {
  for (uint32_t i = 0; i < instrument->control_count; ++i) {
    const JwPlayerControl* const other = &instrument->controls[i].control;
    if (other->voice == control->voice && other->target.control == control->target.control
        && other->target.object.index == control->target.object.index
        && other->target.contact.index == control->target.contact.index
        && other->target.exciter.index == control->target.exciter.index
        && other->target.pickup.index == control->target.pickup.index) {
      return true;
    }
  }
  return false;
}

void jw_instrument_find_controls(JwInstrument* instrument) {
  for (uint32_t i = 0; i < instrument->player->control_count; ++i) {
    const JwPlayerControl* const control = &instrument->player->controls[i];
    if (is_there(instrument, control)) {
      continue;
    }
    JwInstrumentItem* const item = &instrument->controls[instrument->control_count++];
    const double start = start_of(instrument, control);
    item->control = *control;
    item->now = start;
    item->info.name = item->control.name;
    item->info.unit = unit_of(instrument, control);
    item->info.initial = start;
    item->info.minimum = fmin(start, fmin(control->range[0], control->range[1]));
    item->info.maximum = fmax(start, fmax(control->range[0], control->range[1]));
    char number[16];
    snprintf(item->info.source, sizeof item->info.source, "%s",
             jw_play_source_name(control->source, number));
  }
}

JwInstrumentControl jw_instrument_control(const JwInstrument* instrument, uint32_t index) {
  const JwInstrumentControl none = {.name = "", .unit = ""};
  return instrument && index < instrument->control_count ? instrument->controls[index].info : none;
}

JwStatus jw_instrument_set(JwInstrument* instrument, uint32_t index, double value, double seconds) {
  if (!instrument || index >= instrument->control_count) {
    return JW_STATUS_BAD_REFERENCE;
  }
  JwInstrumentItem* const item = &instrument->controls[index];
  if (!(value >= item->info.minimum && value <= item->info.maximum && seconds >= 0.0
        && isfinite(seconds))) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!item->control.voice) {
    return jw_world_set(instrument->world, item->control.target, value, seconds);
  }
  item->now = value;
  JwPlayerControl control = item->control;
  control.over = seconds;
  const uint64_t dropped = instrument->player->figures.dropped;
  jw_player_move(instrument->player, &control, value);
  return instrument->player->figures.dropped == dropped ? JW_STATUS_OK : JW_STATUS_FULL;
}

JwStatus jw_instrument_get(const JwInstrument* instrument, uint32_t index, double* value) {
  if (!instrument || !value) {
    return JW_STATUS_BAD_VALUE;
  }
  if (index >= instrument->control_count) {
    return JW_STATUS_BAD_REFERENCE;
  }
  const JwInstrumentItem* const item = &instrument->controls[index];
  if (!item->control.voice) {
    return jw_world_get(instrument->world, item->control.target, value);
  }
  *value = item->now;
  return JW_STATUS_OK;
}
