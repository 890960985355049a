// A scene's "play" section.
//
//   "play": {
//     "mode": "mono", "mpe": false,
//     "voices": [ { "bow": "bow", "pitch": "harmonics", ... }, { "blow": "pluck1" }, { "throw": "hammer" } ],
//     "controls": [ { "from": "mod", "to": "rattle.gap", "range": [0, 1e-5], "over": 0.05 } ]
//   }
//
// A key that is not known is an error, with its line, as everywhere in scenes.

#include "player.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  JwPlayer* player;
  const JwScene* scene;
  char* error;
} Reader;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool fail(Reader* r, const JwNode* node, const char* format, ...)
{
  char what[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(r->error, JW_ERROR_SIZE, "\"play\", its line %u: %s", node->line, what);
  return false;
}

static bool known(Reader* r, const JwNode* object, const char* const* keys)
{
  for (const JwNode* child = object->first; child; child = child->next) {
    uint32_t i = 0;
    while (keys[i] && strcmp(keys[i], child->key) != 0) {
      ++i;
    }
    if (!keys[i]) {
      return fail(r, child, "there is no key \"%s\" here", child->key);
    }
  }
  return true;
}

// ---------------------------------------------------------------- values; those not given stay

static bool number(Reader* r, const JwNode* object, const char* key, double range[2], double* value)
{
  const JwNode* const node = jw_node_member(object, key);
  if (!node) {
    return true;
  }
  if (node->type != JW_NODE_NUMBER || !(node->number >= range[0] && node->number <= range[1])) {
    return fail(r, node, "\"%s\" must be a number, %g to %g", key, range[0], range[1]);
  }
  *value = node->number;
  return true;
}

static bool pair(Reader* r, const JwNode* object, const char* key, double values[2])
{
  const JwNode* const node = jw_node_member(object, key);
  if (!node) {
    return true;
  }
  const JwNode* const a = node->type == JW_NODE_LIST ? node->first : NULL;
  const JwNode* const b = a ? a->next : NULL;
  if (!b || b->next || a->type != JW_NODE_NUMBER || b->type != JW_NODE_NUMBER) {
    return fail(r, node, "\"%s\" must be two numbers", key);
  }
  values[0] = a->number;
  values[1] = b->number;
  return true;
}

static bool flag(Reader* r, const JwNode* object, const char* key, bool* value)
{
  const JwNode* const node = jw_node_member(object, key);
  if (node && node->type != JW_NODE_FLAG) {
    return fail(r, node, "\"%s\" must be true or false", key);
  }
  *value = node ? node->number != 0.0 : *value;
  return true;
}

// One of a list of words; `*value` is its number.
static bool word(Reader* r, const JwNode* object, const char* key, const char* const* words, int* value)
{
  const JwNode* const node = jw_node_member(object, key);
  if (!node) {
    return true;
  }
  for (int i = 0; words[i]; ++i) {
    if (strcmp(words[i], node->text) == 0) {
      *value = i;
      return true;
    }
  }
  return fail(r, node, "\"%s\" cannot be \"%s\"", key, node->text);
}

static bool part(Reader* r, const JwNode* object, const char* key, JwScenePart* found)
{
  const JwNode* const node = jw_node_member(object, key);
  *found = (JwScenePart){.kind = JW_KIND_COUNT};
  if (!node) {
    return true;
  }
  *found = jw_scene_find(r->scene, node->text);
  return found->kind != JW_KIND_COUNT || fail(r, node, "there is nothing called \"%s\"", node->text);
}

// ---------------------------------------------------------------- voices

static bool sounder(Reader* r, const JwNode* node, JwVoice* voice)
{
  static const struct {
    const char* key;
    JwKind kind;
  } keys[] = {{"bow", JW_KIND_BOW}, {"blow", JW_KIND_FORCE}, {"throw", JW_KIND_MASS}};
  for (int i = 0; i < 3; ++i) {
    JwScenePart found;
    if (!part(r, node, keys[i].key, &found)) {
      return false;
    }
    if (found.kind == JW_KIND_COUNT) {
      continue;
    }
    if (found.kind != keys[i].kind) {
      return fail(r, node, "\"%s\" is a %s, and cannot be a %s", found.name, jw_kind_name(found.kind), keys[i].key);
    }
    found.from = isnan(found.from) ? 0.0 : found.from; // Not thrown by the score: the section may say from where
    return jw_voice_of(r->player, &found, voice) || fail(r, node, "\"%s\" touches nothing that sounds", found.name);
  }
  return fail(r, node, "a voice needs \"bow\", \"blow\" or \"throw\"");
}

// Which side of the touch is the string, and which the finger.
static bool finger(Reader* r, const JwNode* node, JwVoice* voice)
{
  JwScenePart touch;
  if (!part(r, node, "touch", &touch)) {
    return false;
  }
  const bool wanted = voice->pitch == JW_PITCH_HARMONICS || voice->pitch == JW_PITCH_FINGER;
  if (touch.kind == JW_KIND_COUNT) {
    return !wanted || fail(r, node, "this pitch needs \"touch\": the contact between finger and string");
  }
  const JwContactInfo info = jw_world_contact_info(r->player->world, touch.contact);
  for (int side = 0; side < 2 && touch.contact.index; ++side) {
    if (info.port[side].object.index == voice->string.index) {
      voice->touch = touch.contact;
      voice->touch_x = side ? JW_CONTROL_X2 : JW_CONTROL_X;
      voice->finger = info.port[1 - side].object;
    }
  }
  double positions[2] = {voice->up, voice->down};
  if (!voice->finger.index || jw_world_object_info(r->player->world, voice->finger).kind != JW_KIND_MASS) {
    return fail(r, node, "\"touch\" must be a contact between the voice's string and a mass");
  }
  if (!pair(r, node, "finger", positions)) {
    return false;
  }
  voice->up = positions[0];
  voice->down = positions[1];
  return true;
}

static bool voice_of(Reader* r, const JwNode* node, JwVoice* voice)
{
  static const char* const keys[] = {"bow", "blow", "throw", "pitch", "frequency", "strength", "speed", "from", "attack",
                                     "release", "alternate", "touch", "finger", "sounding", "bow_share", "harmonics",
                                     "lighter", NULL};
  static const char* const pitches[] = {"fixed", "tension", "harmonics", "finger", NULL};
  if (node->type != JW_NODE_OBJECT) {
    return fail(r, node, "a voice must be an object");
  }
  if (!known(r, node, keys) || !sounder(r, node, voice)) {
    return false;
  }
  int pitch = (int)voice->pitch;
  double most = 16.0;
  voice->sounding = 1.0;
  const bool good = word(r, node, "pitch", pitches, &pitch)
                    && number(r, node, "frequency", (double[]){1.0, 2e4}, &voice->frequency)
                    && pair(r, node, "strength", voice->strength)
                    && number(r, node, "speed", (double[]){-10.0, 10.0}, &voice->speed)
                    && number(r, node, "from", (double[]){-10.0, 10.0}, &voice->from)
                    && number(r, node, "attack", (double[]){0.0, 10.0}, &voice->attack)
                    && number(r, node, "release", (double[]){0.0, 10.0}, &voice->release)
                    && flag(r, node, "alternate", &voice->alternate)
                    && number(r, node, "sounding", (double[]){0.01, 1.0}, &voice->sounding)
                    && number(r, node, "bow_share", (double[]){0.0, 0.99}, &voice->bow_share)
                    && number(r, node, "lighter", (double[]){0.0, 2.0}, &voice->lighter)
                    && number(r, node, "harmonics", (double[]){1.0, 64.0}, &most);
  voice->pitch = (JwPitchKind)pitch;
  voice->most = (int)most;
  if (good && voice->pitch == JW_PITCH_TENSION && voice->bend <= 1.0) {
    return fail(r, node, "\"tension\" needs a string by finite differences with \"bend\" above 1");
  }
  return good && finger(r, node, voice);
}

static bool voices(Reader* r, const JwNode* list)
{
  for (const JwNode* node = list->first; node; node = node->next) {
    if (r->player->voice_count == JW_PLAYER_VOICES) {
      return fail(r, node, "more than %d voices", JW_PLAYER_VOICES);
    }
    if (!voice_of(r, node, &r->player->voices[r->player->voice_count])) {
      return false;
    }
    ++r->player->voice_count;
  }
  return true;
}

// ---------------------------------------------------------------- controls

static bool control_of(Reader* r, const JwNode* node, JwPlayerControl* control)
{
  static const char* const keys[] = {"from", "to", "range", "curve", "over", NULL};
  static const char* const curves[] = {"linear", "square", NULL};
  if (node->type != JW_NODE_OBJECT || !known(r, node, keys)) {
    return node->type == JW_NODE_OBJECT ? false : fail(r, node, "a control must be an object");
  }
  const JwNode* const from = jw_node_member(node, "from");
  const JwNode* const to = jw_node_member(node, "to");
  if (!from || !to || !jw_node_member(node, "range")) {
    return fail(r, node, "a control needs \"from\", \"to\" and \"range\"");
  }
  control->source = jw_source_number(from->text);
  if (control->source < 0) {
    return fail(r, from, "nothing comes from \"%s\": velocity, pressure, bend, note, mod, breath, volume, pan, expression, "
                "slide, or cc0 to cc127", from->text);
  }
  if (!jw_target_of(r->scene, to->text, &control->target)) {
    return fail(r, to, "\"%s\" is not a name and a key that can change", to->text);
  }
  snprintf(control->name, sizeof control->name, "%s", to->text);
  control->voice = strncmp(to->text, "voice.", 6) == 0;
  control->over = 0.01;
  int curve = 0;
  if (!pair(r, node, "range", control->range) || !word(r, node, "curve", curves, &curve)
      || !number(r, node, "over", (double[]){0.0, 10.0}, &control->over)) {
    return false;
  }
  control->square = curve == 1;
  for (int i = 0; i < 2 && !control->voice; ++i) {
    if (!jw_world_allows(r->player->world, control->target, control->range[i])) {
      return fail(r, to, "\"%s\" cannot be %g", to->text, control->range[i]);
    }
  }
  return true;
}

static bool controls(Reader* r, const JwNode* list)
{
  for (const JwNode* node = list->first; node; node = node->next) {
    if (r->player->control_count == JW_PLAYER_CONTROLS) {
      return fail(r, node, "more than %d controls", JW_PLAYER_CONTROLS);
    }
    if (!control_of(r, node, &r->player->controls[r->player->control_count])) {
      return false;
    }
    ++r->player->control_count;
  }
  return true;
}

// ---------------------------------------------------------------- all

static bool all(Reader* r, const JwNode* root)
{
  static const char* const keys[] = {"mode", "mpe", "voices", "controls", NULL};
  static const char* const modes[] = {"poly", "mono", NULL};
  const JwNode* const voice_list = jw_node_member(root, "voices");
  const JwNode* const control_list = jw_node_member(root, "controls");
  if (!known(r, root, keys)) {
    return false;
  }
  if ((voice_list && voice_list->type != JW_NODE_LIST) || (control_list && control_list->type != JW_NODE_LIST)) {
    return fail(r, root, "\"voices\" and \"controls\" must be lists");
  }
  if (voice_list ? !voices(r, voice_list) : jw_player_defaults(r->player, r->scene, r->error) != JW_STATUS_OK) {
    return false;
  }
  if (control_list) {
    r->player->control_count = 0;
    if (!controls(r, control_list)) {
      return false;
    }
  }
  bool bowed = r->player->voice_count > 0;
  for (uint32_t i = 0; i < r->player->voice_count; ++i) {
    bowed = bowed && r->player->voices[i].kind == JW_VOICE_BOW;
  }
  int mode = bowed;
  if (!word(r, root, "mode", modes, &mode) || !flag(r, root, "mpe", &r->player->mpe)) {
    return false;
  }
  r->player->mono = mode == 1;
  return r->player->voice_count > 0 || fail(r, root, "there are no voices");
}

JwStatus jw_player_section(JwPlayer* player, const JwScene* scene, char error[JW_ERROR_SIZE])
{
  const JwSceneInfo info = jw_scene_info(scene);
  JwNode* const root = jw_node_parse(info.play, info.play_size, error);
  if (!root) {
    return JW_STATUS_BAD_SCENE;
  }
  Reader r = {player, scene, error};
  const bool good = all(&r, root);
  jw_node_release(root);
  return good ? JW_STATUS_OK : JW_STATUS_BAD_SCENE;
}
