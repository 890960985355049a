// SPDX-License-Identifier: MIT
// The calls of the WebAssembly module.  A page makes an instance, opens one scene in it, and drops
// the instance with its memory when it is done; so nothing here is shared.

#include "web.h"

#include <jawari/builtin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

// ---------------------------------------------------------------- memory

void* EXPORT(jawari_take)(size_t size);
void* jawari_take(size_t size) {
  return malloc(size);
}

void EXPORT(jawari_release)(void* memory);
void jawari_release(void* memory) {
  free(memory);
}

const char* EXPORT(jawari_version)(void);
const char* jawari_version(void) {
  return jw_version();
}

const char* EXPORT(jawari_status)(int status);
const char* jawari_status(int status) {
  return jw_status_text((JwStatus)status);
}

// ---------------------------------------------------------------- built-in scenes

// Those that the page has given: scenes are sent apart from the module, and few include others.
static JwBuiltinScene given[WEB_FILES];
static uint32_t given_count;

const JwBuiltinScene* jw_builtin_scenes(uint32_t* count) {
  if (count) {
    *count = given_count;
  }
  return given;
}

/// Name and text stay where they are for as long as the instance lives.  0 where no more fit.
int EXPORT(jawari_give)(const char* name, const char* text, size_t size);
int jawari_give(const char* name, const char* text, size_t size) {
  if (given_count == WEB_FILES) {
    return 0;
  }
  given[given_count++] = (JwBuiltinScene){.name = name, .text = text, .size = size};
  return 1;
}

// ---------------------------------------------------------------- open

// The order of the numbers that a page gives.
enum {
  OPTION_SCORE,
  OPTION_RATE,
  OPTION_OVERSAMPLE,
  OPTION_GAIN,
  OPTION_TRIAL,
  OPTION_LEDGER,
  OPTION_HANDS,
  OPTION_WARN,
  OPTION_MAX_TEXT,
  OPTION_MAX_BYTES,
  OPTION_MAX_POINTS,
  OPTION_MAX_OPERATIONS,
  OPTION_COUNT
};

#define MAX_SETS 64

// A hand rests on the object at a fifth of its length, and does nothing until it is let go.
static JwForceDef hand_on(JwObjectId object, JwKind kind) {
  JwForceDef def = jw_force_default();
  def.port = jw_port(object, 0.2);
  def.port.y = 0.5;
  def.shape = kind == JW_KIND_STRING ? JW_FORCE_PLUCK : JW_FORCE_PULSE;
  def.duration = kind == JW_KIND_STRING ? 3e-3 : 1e-3;
  def.amplitude = 0.0;
  return def;
}

static bool is_bowed(const JwScene* scene, const JwWorld* world, JwObjectId string) {
  bool bowed = false;
  for (uint32_t i = 0; i < jw_scene_parts(scene); ++i) {
    const JwContactId contact = jw_scene_part(scene, i).contact;
    const JwContactInfo info = jw_world_contact_info(world, contact);
    bowed = bowed || (info.kind == JW_KIND_BOW && info.port[0].object.index == string.index);
  }
  return bowed;
}

// A bow that does not press.
static JwStatus add_bow(JwWorld* world, WebHand* hand) {
  JwBowDef def = jw_bow_default();
  def.port = jw_port(hand->object, 0.12);
  def.force = 0.0;
  return jw_world_add_bow(world, &def, &hand->bow);
}

// A finger as the guitar has it, twice as heavy: there is no fret below it that would hold the string.
static JwStatus add_finger(JwWorld* world, WebHand* hand) {
  JwMassDef mass = jw_mass_default();
  JwCollisionDef touch = jw_collision_default();
  hand->lifted = 1e-2;
  hand->pressed = -4e-3;
  mass.name = "finger";
  mass.mass = 1e-2;
  mass.frequency = 100.0;
  mass.loss = 6.0;
  mass.position = hand->lifted;
  const JwStatus status = jw_world_add_mass(world, &mass, &hand->finger);
  touch.below = jw_port(hand->object, 0.5);
  touch.above = jw_port(hand->finger, 0.0);
  touch.stiffness = 1e7;
  touch.loss = 1e6;
  return status ? status : jw_world_add_collision(world, &touch, &hand->touch);
}

static JwStatus add_hand(const WebScene* web, JwScene* scene, JwWorld* world, WebHand* hand,
                         JwKind kind) {
  const JwForceDef def = hand_on(hand->object, kind);
  JwStatus status = jw_world_add_force(world, &def, &hand->exciter);
  if (!status && kind == JW_KIND_STRING && web->reach & WEB_BOWS
      && !is_bowed(scene, world, hand->object)) {
    status = add_bow(world, hand);
  }
  if (!status && kind == JW_KIND_STRING && web->reach & WEB_FINGERS) {
    status = add_finger(world, hand);
  }
  return status;
}

static JwStatus add_hands(void* user, JwScene* scene, JwWorld* world) {
  WebScene* const web = (WebScene*)user;
  JwStatus status = JW_STATUS_OK;
  for (uint32_t i = 0; i < jw_scene_parts(scene) && web->hand_count < WEB_HANDS && !status; ++i) {
    const JwScenePart part = jw_scene_part(scene, i);
    if (part.kind == JW_KIND_STRING || part.kind == JW_KIND_PLATE) {
      WebHand* const hand = &web->hands[web->hand_count++];
      hand->object = part.object;
      status = add_hand(web, scene, world, hand, part.kind);
    }
  }
  return status;
}

static uint64_t count_of(double number) {
  return number > 0.0 && number < 1e15 ? (uint64_t)number : 0;
}

static JwSceneOptions scene_options(const double* options, const char* const* sets,
                                    uint32_t set_count) {
  JwSceneOptions reading = jw_scene_options();
  reading.read = jw_builtin_read;
  reading.sets = sets;
  reading.set_count = set_count;
  reading.limits.bytes = count_of(options[OPTION_MAX_TEXT]);
  if (reading.limits.memory > count_of(options[OPTION_MAX_BYTES])) {
    reading.limits.memory = count_of(options[OPTION_MAX_BYTES]);
  }
  reading.limits.operations = options[OPTION_MAX_OPERATIONS];
  return reading;
}

static JwInstrumentDef instrument_def(const double* options, WebScene* scene) {
  JwInstrumentDef def = jw_instrument_default();
  def.score = options[OPTION_SCORE] != 0.0;
  def.rate = options[OPTION_RATE];
  def.oversample = (uint32_t)count_of(options[OPTION_OVERSAMPLE]);
  def.gain = options[OPTION_GAIN];
  def.trial = options[OPTION_TRIAL] != 0.0;
  def.ledger = options[OPTION_LEDGER] != 0.0;
  def.max_bytes = count_of(options[OPTION_MAX_BYTES]);
  def.max_points = count_of(options[OPTION_MAX_POINTS]);
  def.max_operations = options[OPTION_MAX_OPERATIONS];
  scene->reach = (uint32_t)count_of(options[OPTION_HANDS]);
  if (scene->reach) {
    def.extend = add_hands;
    def.user = scene;
  }
  return def;
}

// Lines of "name=value"; they are cut in place.
static uint32_t split(char* lines, const char* sets[MAX_SETS]) {
  uint32_t count = 0;
  for (char* line = lines; line && *line && count < MAX_SETS;) {
    char* const end = strchr(line, '\n');
    if (end) {
      *end = 0;
    }
    sets[count++] = line;
    line = end ? end + 1 : NULL;
  }
  return count;
}

static JwStatus take_memory(WebScene* scene) {
  const uint32_t channels = jw_instrument_info(scene->instrument).channels;
  scene->sound = (float*)calloc((size_t)WEB_BLOCK * (channels + 1), sizeof(float));
  for (uint32_t c = 0; scene->sound && c < channels; ++c) {
    scene->out[c] = scene->sound + (size_t)WEB_BLOCK * c;
  }
  return scene->sound ? web_view_create(scene) : JW_STATUS_NO_MEMORY;
}

/// Read, build and prepare a scene; one that failed has a description that says why.  NULL only
/// without memory.
WebScene* EXPORT(jawari_open)(const char* text, size_t size, char* lines, const double* options);
WebScene* jawari_open(const char* text, size_t size, char* lines, const double* options) {
  WebScene* const scene = (WebScene*)calloc(1, sizeof *scene);
  if (!scene) {
    return NULL;
  }
  const char* sets[MAX_SETS];
  const uint32_t set_count = split(lines, sets);
  const JwSceneOptions reading = scene_options(options, sets, set_count);
  JwInstrumentDef def = instrument_def(options, scene);
  def.text = text;
  def.size = size;
  def.options = &reading;
  scene->status = jw_instrument_create(&def, &scene->instrument);
  if (!scene->status && options[OPTION_WARN] != 0.0) {
    jw_scene_warn(jw_instrument_scene(scene->instrument), jw_instrument_world(scene->instrument));
  }
  scene->status = scene->status ? scene->status : take_memory(scene);
  web_describe(scene);
  return scene;
}

void EXPORT(jawari_close)(WebScene* scene);
void jawari_close(WebScene* scene) {
  if (scene) {
    jw_instrument_destroy(scene->instrument);
    web_text_release(&scene->description);
    web_view_release(scene);
    free(scene->sound);
    free(scene->song.events);
    free(scene->rendered);
    free(scene);
  }
}

const char* EXPORT(jawari_describe)(const WebScene* scene);
const char* jawari_describe(const WebScene* scene) {
  return scene->description.full ? NULL : scene->description.bytes;
}

// ---------------------------------------------------------------- run

/// A MIDI message at a frame of the next block.  0 where no more fit.
int EXPORT(jawari_event)(WebScene* scene, uint32_t frame, uint32_t message, uint32_t size);
int jawari_event(WebScene* scene, uint32_t frame, uint32_t message, uint32_t size) {
  if (scene->event_count == WEB_EVENTS || size == 0 || size > 3) {
    return 0;
  }
  const JwPlayerEvent event = {
      frame, {(uint8_t)message, (uint8_t)(message >> 8), (uint8_t)(message >> 16)}, (uint8_t)size};
  scene->events[scene->event_count++] = event;
  return 1;
}

/// Run `count` frames, at most WEB_BLOCK, into the channels.
int EXPORT(jawari_run)(WebScene* scene, uint32_t count);
int jawari_run(WebScene* scene, uint32_t count) {
  if (count > WEB_BLOCK) {
    return JW_STATUS_TOO_LARGE;
  }
  const JwPlayerBlock block = {scene->out, NULL, count, scene->events, scene->event_count};
  scene->event_count = 0;
  return (int)jw_instrument_run(scene->instrument, &block);
}

const float* EXPORT(jawari_channel)(const WebScene* scene, uint32_t index);
const float* jawari_channel(const WebScene* scene, uint32_t index) {
  return index < JW_SCENE_MAX_PICKUPS ? scene->out[index] : NULL;
}

int EXPORT(jawari_rests)(const WebScene* scene);
int jawari_rests(const WebScene* scene) {
  return jw_instrument_rests(scene->instrument);
}

void EXPORT(jawari_reset)(WebScene* scene);
void jawari_reset(WebScene* scene) {
  jw_instrument_reset(scene->instrument);
}

const float* EXPORT(jawari_look)(WebScene* scene);
const float* jawari_look(WebScene* scene) {
  web_look(scene);
  return scene->row;
}

/// Displacement of a place with all its digits; NaN where there is none.
double EXPORT(jawari_probe)(WebScene* scene, uint32_t object, double x, double y);
double jawari_probe(WebScene* scene, uint32_t object, double x, double y) {
  JwPort port = jw_port((JwObjectId){object}, x);
  port.y = y;
  double displacement = NAN;
  const JwStatus status =
      jw_world_probe(jw_instrument_world(scene->instrument), port, &displacement, NULL);
  return status ? (double)NAN : displacement;
}

// ---------------------------------------------------------------- move

int EXPORT(jawari_set)(WebScene* scene, uint32_t index, double value, double seconds);
int jawari_set(WebScene* scene, uint32_t index, double value, double seconds) {
  return (int)jw_instrument_set(scene->instrument, index, value, seconds);
}

double EXPORT(jawari_get)(const WebScene* scene, uint32_t index);
double jawari_get(const WebScene* scene, uint32_t index) {
  double value = NAN;
  const JwStatus status = jw_instrument_get(scene->instrument, index, &value);
  return status ? (double)NAN : value;
}

// `kind` 0 to 3: an object, a contact, an exciter, a pickup.
static JwTarget target_of(uint32_t kind, uint32_t id, uint32_t control) {
  JwTarget target = {.control = (JwControl)control};
  target.object.index = kind == 0 ? id : 0;
  target.contact.index = kind == 1 ? id : 0;
  target.exciter.index = kind == 2 ? id : 0;
  target.pickup.index = kind == 3 ? id : 0;
  return target;
}

/// Move what is no control of the instrument.
int EXPORT(jawari_move)(WebScene* scene, uint32_t kind, uint32_t id, uint32_t control, double value,
                        double seconds);
int jawari_move(WebScene* scene, uint32_t kind, uint32_t id, uint32_t control, double value,
                double seconds) {
  return (int)jw_world_set(jw_instrument_world(scene->instrument), target_of(kind, id, control),
                           value, seconds);
}

double EXPORT(jawari_where)(const WebScene* scene, uint32_t kind, uint32_t id, uint32_t control);
double jawari_where(const WebScene* scene, uint32_t kind, uint32_t id, uint32_t control) {
  double value = NAN;
  const JwStatus status =
      jw_world_get(jw_instrument_world(scene->instrument), target_of(kind, id, control), &value);
  return status ? (double)NAN : value;
}

int EXPORT(jawari_trigger)(WebScene* scene, uint32_t exciter, double amplitude);
int jawari_trigger(WebScene* scene, uint32_t exciter, double amplitude) {
  return (int)jw_world_trigger(jw_instrument_world(scene->instrument), (JwExciterId){exciter},
                               amplitude);
}

int EXPORT(jawari_throw)(WebScene* scene, uint32_t mass, double position, double velocity);
int jawari_throw(WebScene* scene, uint32_t mass, double position, double velocity) {
  return (int)jw_world_throw(jw_instrument_world(scene->instrument), (JwObjectId){mass}, position,
                             velocity);
}

// ---------------------------------------------------------------- a whole sound

/// Take a MIDI file as the song; NULL, or why it is none.
const char* EXPORT(jawari_song)(WebScene* scene, const uint8_t* data, size_t size);
const char* jawari_song(WebScene* scene, const uint8_t* data, size_t size) {
  static char error[JW_ERROR_SIZE];
  jw_song_release(&scene->song);
  return jw_song_parse(data, size, &scene->song, error) ? error : NULL;
}

/// Add a message to the song, in the order of time; 0 without memory.
int EXPORT(jawari_song_event)(WebScene* scene, double time, uint32_t message, uint32_t size);
int jawari_song_event(WebScene* scene, double time, uint32_t message, uint32_t size) {
  JwSong* const song = &scene->song;
  if (song->count >= scene->song_room) {
    const uint32_t room = 2 * song->count + 64;
    JwSongEvent* const events =
        (JwSongEvent*)realloc(song->events, (size_t)room * sizeof *song->events);
    if (!events) {
      return 0;
    }
    song->events = events;
    scene->song_room = room;
  }
  song->events[song->count++] = (JwSongEvent){
      time, {(uint8_t)message, (uint8_t)(message >> 8), (uint8_t)(message >> 16)}, (uint8_t)size};
  song->duration = fmax(song->duration, time);
  return 1;
}

double EXPORT(jawari_song_duration)(const WebScene* scene);
double jawari_song_duration(const WebScene* scene) {
  return scene->song.duration;
}

/// The samples of `jawari render`: `frames` of each channel, one channel after the other; NULL
/// without memory or if the state stops being finite.
const double* EXPORT(jawari_render)(WebScene* scene, uint32_t frames, double* gain);
const double* jawari_render(WebScene* scene, uint32_t frames, double* gain) {
  const uint32_t channels = jw_instrument_info(scene->instrument).channels;
  free(scene->rendered);
  scene->rendered = NULL;
  if (channels == 0 || frames > (UINT32_MAX / 2) / sizeof(double) / channels) {
    return NULL;
  }
  scene->rendered = (double*)calloc((size_t)frames * channels, sizeof(double));
  double* out[JW_SCENE_MAX_PICKUPS] = {0};
  for (uint32_t c = 0; scene->rendered && c < channels; ++c) {
    out[c] = scene->rendered + (size_t)frames * c;
  }
  const JwRendering rendering = {out, frames, scene->song.count ? &scene->song : NULL};
  const bool good = scene->rendered && !jw_instrument_render(scene->instrument, &rendering, gain);
  return good ? scene->rendered : NULL;
}

_Static_assert(OPTION_COUNT == 12, "core.js gives as many");
