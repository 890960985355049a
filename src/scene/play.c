// SPDX-License-Identifier: MIT
// How a scene is played: its "play" section.
//
//   "play": {
//     "mode": "mono", "mpe": false,
//     "voices": [ { "bow": "bow", "pitch": "harmonics", ... }, { "blow": "pluck1" }, { "throw":
//     "hammer" } ],
//     "controls": [ { "from": "mod", "to": "rattle.gap", "range": [0, 1e-5], "over": 0.05 } ]
//   }
//
// It is read like everything else, so that every loader finds its errors.  What a control can move,
// and how far, the engine knows: that is looked at when a world is built.

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- sources

static const struct {
  const char* name;
  int source;
} sources[] = {
    {"velocity", JW_PLAY_VELOCITY},
    {"pressure", JW_PLAY_PRESSURE},
    {"bend", JW_PLAY_BEND},
    {"note", JW_PLAY_NOTE},
    {"mod", 1},
    {"breath", 2},
    {"volume", 7},
    {"pan", 10},
    {"expression", 11},
    {"slide", 74},
};

#define SOURCES (sizeof sources / sizeof sources[0])

static int source_number(const char* name) {
  for (size_t i = 0; i < SOURCES; ++i) {
    if (strcmp(sources[i].name, name) == 0) {
      return sources[i].source;
    }
  }
  char* end = NULL;
  const bool numbered = strncmp(name, "cc", 2) == 0 && name[2] >= '0' && name[2] <= '9';
  const long number = numbered ? strtol(name + 2, &end, 10) : -1;
  return number >= 0 && number < 128 && *end == '\0' ? (int)number : -1;
}

const char* jw_play_source_name(int source, char buffer[16]) {
  for (size_t i = 0; i < SOURCES; ++i) {
    if (sources[i].source == source) {
      return sources[i].name;
    }
  }
  if (buffer) {
    snprintf(buffer, 16, "cc%d", source);
  }
  return buffer ? buffer : "cc";
}

// ---------------------------------------------------------------- what there is to play

static bool sounds(const JwItem* object) {
  return object
         && (object->kind == JW_KIND_STRING || object->kind == JW_KIND_PLATE
             || object->kind == JW_KIND_MODAL);
}

/// What a voice makes sound: what its bow or blow is on, or what its mass hits; NULL: nothing.
static const JwItem* sounded(const JwScene* scene, const JwItem* sounder) {
  if (sounder->kind != JW_KIND_MASS) {
    return sounds(sounder->ports[0].object) ? sounder->ports[0].object : NULL;
  }
  for (const JwItem* item = scene->first; item; item = item->next) {
    for (int side = 0; side < 2 && item->kind == JW_KIND_COLLISION; ++side) {
      if (item->ports[side].object == sounder && sounds(item->ports[1 - side].object)) {
        return item->ports[1 - side].object;
      }
    }
  }
  return NULL;
}

/// The part under a key, which must be of this kind; false after noting an error.
static bool find_named(JwLoader* loader, const JwJson* value, const char* key, JwKind kind,
                       const JwItem** found) {
  const char* const name = value ? jw_read_text(loader, key, value) : NULL;
  if (!name) {
    return false;
  }
  *found = jw_find_item(loader->scene, name);
  if (!*found) {
    jw_unknown_item(loader, value->place, name, NULL);
  } else if (kind != JW_KIND_COUNT && (*found)->kind != kind) {
    jw_loader_error(loader, value->place, "\"%s\" is a %s, and cannot be a \"%s\"", name,
                    jw_kind_name((*found)->kind), key);
    return false;
  }
  return *found != NULL;
}

static bool find_part(JwLoader* loader, const JwJson* node, const char* key, JwKind kind,
                      const JwItem** found) {
  return !jw_json_member(node, key)
         || find_named(loader, jw_member(loader, node, key), key, kind, found);
}

// ---------------------------------------------------------------- voices

static bool read_sounder(JwLoader* loader, const JwJson* node, JwVoiceItem* voice) {
  static const struct {
    const char* key;
    JwKind kind;
  } keys[] = {{"bow", JW_KIND_BOW}, {"blow", JW_KIND_FORCE}, {"throw", JW_KIND_MASS}};
  int given = 0;
  bool good = true;
  for (int i = 0; i < 3; ++i) {
    given += jw_json_member(node, keys[i].key) != NULL;
    good = find_part(loader, node, keys[i].key, keys[i].kind, &voice->sounder) && good;
  }
  if (given != 1) {
    jw_loader_error(loader, jw_head(node), "a voice needs one of \"bow\", \"blow\" and \"throw\"");
    return false;
  }
  if (good && !sounded(loader->scene, voice->sounder)) {
    jw_loader_error(loader, jw_head(node), "\"%s\" touches nothing that sounds",
                    voice->sounder->name);
    return false;
  }
  return good;
}

static void check_pitch(JwLoader* loader, const JwJson* node, const JwVoiceItem* voice) {
  const JwItem* const string = sounded(loader->scene, voice->sounder);
  const int pitch = voice->def.pitch;
  const bool bends = string->kind == JW_KIND_STRING && string->def.string.method == JW_METHOD_GRID
                     && string->def.string.bend > 1.0;
  if (pitch == JW_PLAY_TENSION && !bends) {
    jw_loader_error(loader, jw_head(node),
                    "\"tension\" needs a string by finite differences with \"bend\" above 1");
  }
  if ((pitch == JW_PLAY_HARMONICS || pitch == JW_PLAY_FINGER) && !jw_json_member(node, "touch")) {
    jw_loader_error(loader, jw_head(node),
                    "this pitch needs \"touch\": the contact between finger and string");
  }
  const JwItem* const touch = voice->touch;
  for (int side = 0; touch && side < 2; ++side) {
    if (touch->ports[side].object == string && touch->ports[1 - side].object
        && touch->ports[1 - side].object->kind == JW_KIND_MASS) {
      return;
    }
  }
  if (touch) {
    jw_loader_error(loader, jw_json_member(node, "touch")->place,
                    "\"touch\" must be a contact between the voice's string and a mass");
  }
}

// Of a mass that is thrown: any string that it strikes.
static bool is_struck(const JwScene* scene, const JwItem* sounder, const JwItem* string) {
  for (const JwItem* item = scene->first; item; item = item->next) {
    for (int side = 0; side < 2 && item->kind == JW_KIND_COLLISION; ++side) {
      if (item->ports[side].object == sounder && item->ports[1 - side].object == string) {
        return true;
      }
    }
  }
  return string == sounded(scene, sounder);
}

static void read_damper(JwLoader* loader, const JwJson* value, JwVoiceItem* voice, uint32_t at) {
  const JwItem* damper = NULL;
  if (!find_named(loader, value, "damper", JW_KIND_COUNT, &damper)) {
    return;
  }
  if (!jw_kind_is_contact(damper->kind) || damper->kind == JW_KIND_BOW
      || (!is_struck(loader->scene, voice->sounder, damper->ports[0].object)
          && !is_struck(loader->scene, voice->sounder, damper->ports[1].object))) {
    jw_loader_error(loader, value->place, "\"damper\" must be a contact of the voice's string");
  }
  voice->damper[at] = damper;
}

// One name, or a list of them.
static void read_dampers(JwLoader* loader, const JwJson* node, JwVoiceItem* voice) {
  const JwJson* const value =
      jw_json_member(node, "damper") ? jw_member(loader, node, "damper") : NULL;
  if ((value != NULL) != !isnan(voice->def.damping[0])) {
    jw_loader_error(loader, jw_head(node), "\"damper\" and \"damping\" go together");
  }
  if (value && value->type != JW_JSON_ARRAY) {
    read_damper(loader, value, voice, 0);
  }
  uint32_t count = 0;
  for (const JwJson* one = value && value->type == JW_JSON_ARRAY ? value->first : NULL; one;
       one = one->next) {
    if (count == JW_PLAY_MAX_DAMPERS) {
      jw_loader_error(loader, one->place, "more than %d dampers", JW_PLAY_MAX_DAMPERS);
      return;
    }
    read_damper(loader, jw_value(loader, one), voice, count++);
  }
}

static void load_voice(JwLoader* loader, const JwJson* node) {
  JwScene* const scene = loader->scene;
  if (scene->play.voices == JW_PLAY_MAX_VOICES) {
    jw_loader_error(loader, jw_head(node), "more than %d voices", JW_PLAY_MAX_VOICES);
    return;
  }
  JwVoiceItem* const voice = &scene->voices[scene->play.voices];
  *voice = (JwVoiceItem){.sounder = NULL};
  jw_form_default(JW_FORM_VOICE, &voice->def);
  jw_read_form(loader, JW_FORM_VOICE, node, &voice->def, NULL);
  if (node->type != JW_JSON_OBJECT || !read_sounder(loader, node, voice)
      || !find_part(loader, node, "touch", JW_KIND_COUNT, &voice->touch)) {
    return;
  }
  check_pitch(loader, node, voice);
  read_dampers(loader, node, voice);
  voice->def.mode = scene->play.mode;
  ++scene->play.voices;
}

// ---------------------------------------------------------------- controls

/// "voice.force", "voice.speed", "voice.x": of the voice that the message's channel plays.
static bool of_voice(const char* text, JwControl* control) {
  static const struct {
    const char* text;
    JwControl control;
  } own[] = {{"voice.force", JW_CONTROL_FORCE},
             {"voice.speed", JW_CONTROL_SPEED},
             {"voice.x", JW_CONTROL_X}};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(own[i].text, text) == 0) {
      *control = own[i].control;
      return true;
    }
  }
  return false;
}

static bool read_from(JwLoader* loader, const JwJson* node, int* source) {
  const JwJson* const value = jw_member(loader, node, "from");
  const char* const text = value ? jw_read_text(loader, "from", value) : NULL;
  if (!text) {
    return false;
  }
  *source = source_number(text);
  if (*source < 0) {
    jw_loader_error(
        loader, value->place,
        "nothing comes from \"%.32s\": velocity, pressure, bend, note, mod, breath, volume, pan, expression, slide, "
        "or cc0 to cc127",
        text);
  }
  return *source >= 0;
}

static bool read_to(JwLoader* loader, const JwJson* node, JwControlItem* control) {
  const JwJson* const value = jw_member(loader, node, "to");
  const char* const text = value ? jw_read_text(loader, "to", value) : NULL;
  if (!text) {
    return false;
  }
  control->def.name = text;
  control->to = value->place;
  control->def.voice = of_voice(text, &control->def.target.control);
  return control->def.voice
         || jw_find_control(loader, "to", value, &control->item, &control->def.target.control);
}

static void load_control(JwLoader* loader, const JwJson* node) {
  JwScene* const scene = loader->scene;
  if (scene->play.controls == JW_PLAY_MAX_CONTROLS) {
    jw_loader_error(loader, jw_head(node), "more than %d controls", JW_PLAY_MAX_CONTROLS);
    return;
  }
  JwControlItem* const control = &scene->controls[scene->play.controls];
  *control = (JwControlItem){.item = NULL};
  jw_form_default(JW_FORM_CONTROL, &control->def);
  jw_read_form(loader, JW_FORM_CONTROL, node, &control->def, NULL);
  const JwJson* const range = node->type == JW_JSON_OBJECT ? jw_json_member(node, "range") : NULL;
  if (!range || !read_from(loader, node, &control->def.source) || !read_to(loader, node, control)) {
    return;
  }
  control->range = range->place;
  ++scene->play.controls;
}

// ---------------------------------------------------------------- the section

/// Each of a list; false if it is not there.
static bool load_list(JwLoader* loader, const JwJson* play, const char* key,
                      void (*one)(JwLoader*, const JwJson*)) {
  const JwJson* const list = jw_json_member(play, key);
  if (list && list->type != JW_JSON_ARRAY) {
    jw_loader_error(loader, list->place, "\"%s\" must be a list, found %s", key,
                    jw_json_type_name(list->type));
  }
  for (const JwJson* child = list ? list->first : NULL; child && !loader->scene->pool.failed;
       child = child->next) {
    jw_each(loader, child, one);
  }
  return list != NULL;
}

/// A scene's own section stands in place of those of the scenes that it includes; without one,
/// theirs add up.
static bool start_section(JwLoader* loader) {
  JwScene* const scene = loader->scene;
  if (loader->nested == 0 || !scene->play.given) {
    jw_form_default(JW_FORM_PLAY, &scene->play);
    scene->play.voices = scene->play.controls = 0;
    scene->play.own_voices = scene->play.own_controls = false;
  }
  scene->play.given = true;
  if (!scene->voices) {
    scene->voices =
        (JwVoiceItem*)jw_pool_array(&scene->pool, JW_PLAY_MAX_VOICES, sizeof *scene->voices);
    scene->controls =
        (JwControlItem*)jw_pool_array(&scene->pool, JW_PLAY_MAX_CONTROLS, sizeof *scene->controls);
  }
  return scene->voices && scene->controls;
}

void jw_load_play(JwLoader* loader, const JwJson* root) {
  JwScene* const scene = loader->scene;
  const JwJson* const play = jw_json_member(root, "play");
  if (!play) {
    return;
  }
  if (play->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, play->place, "\"play\" must be an object, found %s",
                    jw_json_type_name(play->type));
    return;
  }
  if (!start_section(loader)) {
    return;
  }
  jw_read_form(loader, JW_FORM_PLAY, play, &scene->play, NULL);
  scene->play.own_voices = load_list(loader, play, "voices", load_voice) || scene->play.own_voices;
  scene->play.own_controls =
      load_list(loader, play, "controls", load_control) || scene->play.own_controls;
  const JwJson* const voices = jw_json_member(play, "voices");
  if (voices && voices->type == JW_JSON_ARRAY && voices->count == 0) {
    jw_loader_error(loader, jw_head(voices), "there are no voices");
  }
}

// ---------------------------------------------------------------- with a world

static JwTarget target_of(const JwControlItem* control) {
  JwTarget target = {.control = control->def.target.control};
  if (control->item) {
    target.object = control->item->object;
    target.contact = control->item->contact;
    target.exciter = control->item->exciter;
    target.pickup = control->item->pickup;
  }
  return target;
}

void jw_check_play(JwScene* scene, const JwWorld* world) {
  for (uint32_t i = 0; i < scene->play.controls; ++i) {
    const JwControlItem* const control = &scene->controls[i];
    double range[2];
    if (control->def.voice) {
      continue;
    }
    if (jw_world_control_range(world, target_of(control), range)) {
      jw_scene_error(scene, control->to, "\"%s\" cannot be moved here", control->def.name);
      continue;
    }
    for (int end = 0; end < 2; ++end) {
      const double value = control->def.range[end];
      if (!(value >= range[0] && value <= range[1] * (1.0 + 1e-12))) {
        jw_scene_error(scene, control->range, "\"%s\" cannot be %.15g, must be from %.15g to %.15g",
                       control->def.name, value, range[0], range[1]);
      }
    }
  }
}

JwPlay jw_scene_play(const JwScene* scene) {
  return scene ? scene->play : (JwPlay){.mode = -1};
}

JwPlayVoice jw_scene_play_voice(const JwScene* scene, uint32_t index) {
  JwPlayVoice voice = {.part = {.kind = JW_KIND_COUNT}, .touch = {.kind = JW_KIND_COUNT}};
  const JwScenePart none = voice.touch;
  if (scene && index < scene->play.voices) {
    const JwVoiceItem* const item = &scene->voices[index];
    voice = item->def;
    voice.part = jw_part_of(item->sounder);
    voice.touch = item->touch ? jw_part_of(item->touch) : none;
  }
  for (uint32_t i = 0; i < JW_PLAY_MAX_DAMPERS; ++i) {
    const JwItem* const damper =
        scene && index < scene->play.voices ? scene->voices[index].damper[i] : NULL;
    voice.damper[i] = damper ? jw_part_of(damper) : none;
  }
  return voice;
}

JwPlayControl jw_scene_play_control(const JwScene* scene, uint32_t index) {
  JwPlayControl control = {.name = ""};
  if (scene && index < scene->play.controls) {
    control = scene->controls[index].def;
    control.target = target_of(&scene->controls[index]);
  }
  return control;
}
