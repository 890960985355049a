// SPDX-License-Identifier: MIT
// A scene in JSON: what went wrong and where, what it came out as, its parts, its controls.

#include "web.h"

#include <math.h>

// ---------------------------------------------------------------- what went wrong

static void put_diagnostic(WebText* text, const JwDiagnostic* diagnostic) {
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_string(text, "message", diagnostic->message);
  web_put_key_string(text, "file", diagnostic->file);
  web_put_key_number(text, "line", diagnostic->line);
  web_put_key_number(text, "column", diagnostic->column);
  web_put_key_number(text, "length", diagnostic->length);
  web_put_key_flag(text, "warning", diagnostic->warning);
  web_put(text, "}");
}

static void put_diagnostics(WebText* text, const JwScene* scene) {
  web_put_key(text, "diagnostics");
  web_put(text, "[");
  for (uint32_t i = 0; scene && i < jw_scene_diagnostics(scene); ++i) {
    const JwDiagnostic diagnostic = jw_scene_diagnostic(scene, i);
    put_diagnostic(text, &diagnostic);
  }
  for (uint32_t i = 0; scene && i < jw_scene_warnings(scene); ++i) {
    const JwDiagnostic diagnostic = jw_scene_warning(scene, i);
    put_diagnostic(text, &diagnostic);
  }
  web_put(text, "]");
}

// ---------------------------------------------------------------- what it came out as

static void put_info(WebText* text, const WebScene* scene) {
  const JwInstrumentInfo info = jw_instrument_info(scene->instrument);
  const JwSceneInfo said = jw_scene_info(jw_instrument_scene(scene->instrument));
  web_put_key_string(text, "title", said.title);
  web_put_key_string(text, "description", said.description);
  web_put_key_number(text, "rate", info.rate);
  web_put_key_number(text, "oversample", info.oversample);
  web_put_key_number(text, "channels", info.channels);
  web_put_key_number(text, "latency", info.latency);
  web_put_key_number(text, "gain", info.gain);
  web_put_key_number(text, "duration", info.duration);
  web_put_key_number(text, "fade", said.fade);
  web_put_key_number(text, "voices", info.voices);
  web_put_key_flag(text, "mono", info.mono);
  web_put_key_flag(text, "mpe", info.mpe);
  web_put_key(text, "sources");
  web_put(text, "[");
  for (uint32_t i = 0; i < said.source_count; ++i) {
    web_put_comma(text);
    web_put_string(text, jw_scene_source(jw_instrument_scene(scene->instrument), i));
  }
  web_put(text, "]");
}

static void put_cost(WebText* text, JwWorld* world) {
  JwCost cost = {0};
  if (jw_world_cost(world, &cost)) {
    return;
  }
  web_put_key(text, "cost");
  web_put(text, "{");
  web_put_key_number(text, "points", (double)cost.points);
  web_put_key_number(text, "contacts", (double)cost.contacts);
  web_put_key_number(text, "bytes", (double)cost.bytes);
  web_put_key_number(text, "operations", cost.operations);
  web_put(text, "}");
}

// ---------------------------------------------------------------- parts

static void put_port(WebText* text, JwPort port) {
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_number(text, "object", port.object.index);
  web_put_key_number(text, "x", port.x);
  web_put_key_number(text, "y", port.y);
  web_put(text, "}");
}

static void put_object(WebText* text, const WebScene* scene, uint32_t index) {
  const JwObjectInfo info =
      jw_world_object_info(jw_instrument_world(scene->instrument), (JwObjectId){index + 1});
  const WebView* const view = &scene->views[index];
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_number(text, "id", index + 1);
  web_put_key_string(text, "name", info.name);
  web_put_key_string(text, "kind", jw_kind_name(info.kind));
  web_put_key_number(text, "points", info.points);
  web_put_key_number(text, "length", info.spacing[0] * info.grid[0]);
  web_put_key_number(text, "width", info.spacing[1] * info.grid[1]);
  web_put_key_number(text, "mass", info.mass);
  web_put_key_number(text, "fundamental", info.fundamental);
  web_put_key_number(text, "tension", info.tension);
  web_put_key_number(text, "at", view->at);
  web_put_key_number(text, "across", view->count[0]);
  web_put_key_number(text, "down", view->count[1]);
  web_put(text, "}");
}

static void put_contact(WebText* text, const WebScene* scene, uint32_t index) {
  const JwContactInfo info =
      jw_world_contact_info(jw_instrument_world(scene->instrument), (JwContactId){index + 1});
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_number(text, "id", index + 1);
  web_put_key_string(text, "name", info.name);
  web_put_key_string(text, "kind", jw_kind_name(info.kind));
  web_put_key_number(text, "points", info.points);
  web_put_key(text, "ports");
  web_put(text, "[");
  put_port(text, info.port[0]);
  put_port(text, info.port[1]);
  web_put(text, "]}");
}

static void put_exciter(WebText* text, const WebScene* scene, uint32_t index) {
  const JwForceDef def =
      jw_world_exciter_info(jw_instrument_world(scene->instrument), (JwExciterId){index + 1});
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_number(text, "id", index + 1);
  web_put_key_string(text, "name", def.name);
  web_put_key_number(text, "amplitude", def.amplitude);
  web_put_key_number(text, "duration", def.duration);
  web_put_key(text, "port");
  put_port(text, def.port);
  web_put(text, "}");
}

static void put_pickup(WebText* text, const WebScene* scene, uint32_t index) {
  const JwPickupDef def =
      jw_world_pickup_info(jw_instrument_world(scene->instrument), (JwPickupId){index + 1});
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_number(text, "id", index + 1);
  web_put_key_string(text, "name", def.name);
  web_put_key_number(text, "pan", def.pan);
  web_put_key(text, "port");
  put_port(text, def.port);
  web_put(text, "}");
}

static void put_hand(WebText* text, const WebScene* scene, uint32_t index) {
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_number(text, "object", scene->hands[index].object.index);
  web_put_key_number(text, "exciter", scene->hands[index].exciter.index);
  web_put_key_number(text, "bow", scene->hands[index].bow.index);
  web_put_key_number(text, "finger", scene->hands[index].finger.index);
  web_put_key_number(text, "touch", scene->hands[index].touch.index);
  web_put_key_number(text, "lifted", scene->hands[index].lifted);
  web_put_key_number(text, "pressed", scene->hands[index].pressed);
  web_put(text, "}");
}

// Where a part of the scene is written, and how strongly its score plays it.
static void put_part(WebText* text, const WebScene* scene, uint32_t index) {
  const JwScenePart part = jw_scene_part(jw_instrument_scene(scene->instrument), index);
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_string(text, "kind", jw_kind_name(part.kind));
  web_put_key_string(text, "name", part.name);
  web_put_key_number(text, "line", part.line);
  web_put_key_number(text, "object", part.object.index);
  web_put_key_number(text, "contact", part.contact.index);
  web_put_key_number(text, "exciter", part.exciter.index);
  web_put_key_number(text, "pickup", part.pickup.index);
  web_put_key_number(text, "strength", part.strength);
  web_put_key_number(text, "from", part.from);
  web_put(text, "}");
}

static void put_voice(WebText* text, const WebScene* scene, uint32_t index) {
  const JwPlayVoice voice = jw_scene_play_voice(jw_instrument_scene(scene->instrument), index);
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_string(text, "part", voice.part.name);
  web_put_key_number(text, "contact", voice.part.contact.index);
  web_put_key_number(text, "touch", voice.touch.contact.index);
  web_put_key_number(text, "strongest", voice.strength[1]);
  web_put_key_number(text, "speed", voice.speed);
  web_put_key_number(text, "lifted", voice.finger[0]);
  web_put_key_number(text, "pressed", voice.finger[1]);
  web_put_key_number(text, "sounding", voice.sounding);
  web_put(text, "}");
}

static void put_control(WebText* text, const WebScene* scene, uint32_t index) {
  const JwInstrumentControl control = jw_instrument_control(scene->instrument, index);
  web_put_comma(text);
  web_put(text, "{");
  web_put_key_string(text, "name", control.name);
  web_put_key_string(text, "unit", control.unit);
  web_put_key_string(text, "source", control.source);
  web_put_key_number(text, "minimum", control.minimum);
  web_put_key_number(text, "maximum", control.maximum);
  web_put_key_number(text, "initial", control.initial);
  web_put(text, "}");
}

static void put_list(WebText* text, const char* key, const WebScene* scene, uint32_t count,
                     void (*put)(WebText*, const WebScene*, uint32_t)) {
  web_put_key(text, key);
  web_put(text, "[");
  for (uint32_t i = 0; i < count; ++i) {
    put(text, scene, i);
  }
  web_put(text, "]");
}

static void put_parts(WebText* text, const WebScene* scene) {
  const JwWorldInfo info = jw_world_info(jw_instrument_world(scene->instrument));
  const JwScene* const said = jw_instrument_scene(scene->instrument);
  put_list(text, "objects", scene, info.objects, put_object);
  put_list(text, "contacts", scene, info.contacts, put_contact);
  put_list(text, "exciters", scene, info.exciters, put_exciter);
  put_list(text, "pickups", scene, info.pickups, put_pickup);
  put_list(text, "hands", scene, scene->hand_count, put_hand);
  put_list(text, "parts", scene, jw_scene_parts(said), put_part);
  put_list(text, "own_voices", scene, jw_scene_play(said).voices, put_voice);
  put_list(text, "controls", scene, jw_instrument_info(scene->instrument).controls, put_control);
  web_put_key_number(text, "places", scene->place_count);
  web_put_key_number(text, "row", scene->row_size);
}

void web_describe(WebScene* scene) {
  WebText* const text = &scene->description;
  web_text_release(text);
  web_put(text, "{");
  web_put_key_string(text, "status", jw_status_name(scene->status));
  web_put_key_string(text, "error", scene->status ? jw_instrument_error(scene->instrument) : "");
  put_diagnostics(text, jw_instrument_scene(scene->instrument));
  if (!scene->status) {
    put_info(text, scene);
    put_cost(text, jw_instrument_world(scene->instrument));
    put_parts(text, scene);
  }
  web_put(text, "}");
}
