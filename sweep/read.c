// SPDX-License-Identifier: MIT
// A sweep's text: what varies, what is kept.  The first error ends the reading, with its place.

#include "plan.h"

#include "sha256.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const by_names[] = {"grid", "list", "random", "latin", "sobol", NULL};
static const char* const keep_names[] = {"sound", "statistics", "contacts", "features", NULL};
static const char* const channel_names[] = {"scene", "mono", "stereo", "pickups", "numbers", NULL};

// ---------------------------------------------------------------- errors

// The line of the text that a place is in.
static void find_line(const JwSweep* sweep, size_t offset, JwDiagnostic* d) {
  const char* const text = sweep->def.text;
  size_t from = offset, to = offset;
  while (from > 0 && text[from - 1] != '\n') {
    --from;
  }
  while (to < sweep->def.size && text[to] != '\n') {
    ++to;
  }
  d->text = text + from;
  d->text_size = to - from;
}

JwStatus jw_sweep_fail(JwSweep* sweep, JwPlace place, const char* format, ...) {
  char message[JW_ERROR_SIZE];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  const size_t offset = place.offset < sweep->def.size ? place.offset : sweep->def.size;
  JwDiagnostic d = {.file = sweep->def.file, .message = message};
  jw_json_position(sweep->def.text, sweep->def.size, offset, &d.line, &d.column);
  find_line(sweep, offset, &d);
  const size_t room = (size_t)(d.text + d.text_size - (sweep->def.text + offset));
  d.length = place.length < room ? place.length : (uint32_t)room;
  d.length += d.length == 0;
  const size_t size = jw_diagnostic_format(&d, NULL, 0) + 1;
  sweep->error = (char*)jw_pool_take(&sweep->pool, size);
  if (!sweep->error) {
    return JW_STATUS_NO_MEMORY;
  }
  jw_diagnostic_format(&d, sweep->error, size);
  return JW_STATUS_BAD_SCENE;
}

static JwStatus wrong_type(JwSweep* sweep, const JwJson* value, const char* wanted) {
  return jw_sweep_fail(sweep, value->place, "this is %s, must be %s",
                       jw_json_type_name(value->type), wanted);
}

static JwStatus check_keys(JwSweep* sweep, const JwJson* object, const char* const* known) {
  for (const JwJson* m = object->first; m; m = m->next) {
    char list[256] = "";
    bool found = false;
    for (uint32_t i = 0; known[i]; ++i) {
      found = found || strcmp(known[i], m->key) == 0;
      snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", known[i]);
    }
    if (!found) {
      return jw_sweep_fail(sweep, m->key_place, "there is no key \"%s\" here; there are %s", m->key,
                           list);
    }
  }
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- values

typedef struct {
  const char* key;
  double least, most;
  bool whole;
} Range;

// A number of an object; `*value` keeps what it has where there is none.
static JwStatus read_number(JwSweep* sweep, const JwJson* object, Range range, double* value) {
  const JwJson* const given = jw_json_member(object, range.key);
  if (!given) {
    return JW_STATUS_OK;
  }
  if (given->type != JW_JSON_NUMBER) {
    return wrong_type(sweep, given, "a number");
  }
  if (!(given->number >= range.least && given->number <= range.most)
      || (range.whole && given->number != floor(given->number))) {
    return jw_sweep_fail(sweep, given->place, "\"%s\" is %g, must be %s%g to %g", range.key,
                         given->number, range.whole ? "whole, " : "", range.least, range.most);
  }
  *value = given->number;
  return JW_STATUS_OK;
}

static JwStatus read_choice(JwSweep* sweep, const JwJson* given, const char* const* names,
                            uint32_t* choice) {
  if (given->type != JW_JSON_TEXT) {
    return wrong_type(sweep, given, "a text");
  }
  char list[128] = "";
  for (uint32_t i = 0; names[i]; ++i) {
    if (strcmp(names[i], given->text) == 0) {
      *choice = i;
      return JW_STATUS_OK;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  }
  return jw_sweep_fail(sweep, given->place, "there is no \"%s\" here; there are %s", given->text,
                       list);
}

// ---------------------------------------------------------------- axes

static JwStatus read_list(JwSweep* sweep, const JwJson* list, JwSweepAxis* axis) {
  axis->values = (double*)jw_pool_array(&sweep->pool, list->count + 1, sizeof(double));
  if (!axis->values) {
    return JW_STATUS_NO_MEMORY;
  }
  for (const JwJson* item = list->first; item; item = item->next) {
    if (item->type != JW_JSON_NUMBER) {
      return wrong_type(sweep, item, "a number");
    }
    axis->values[axis->count++] = item->number;
  }
  return axis->count ? JW_STATUS_OK : jw_sweep_fail(sweep, list->place, "the list is empty");
}

static JwStatus read_range(JwSweep* sweep, const JwJson* object, JwSweepAxis* axis) {
  static const char* const keys[] = {"from", "to", "count", "log", NULL};
  const JwJson* const log = jw_json_member(object, "log");
  double count = 0.0;
  axis->from = axis->to = NAN;
  JwStatus status = check_keys(sweep, object, keys);
  status = status ? status
                  : read_number(sweep, object, (Range){"from", -1e300, 1e300, false}, &axis->from);
  status =
      status ? status : read_number(sweep, object, (Range){"to", -1e300, 1e300, false}, &axis->to);
  status = status ? status : read_number(sweep, object, (Range){"count", 1, 1e8, true}, &count);
  axis->count = (uint32_t)count;
  if (!status && log && log->type != JW_JSON_TRUE && log->type != JW_JSON_FALSE) {
    status = wrong_type(sweep, log, "true or false");
  }
  axis->log = log && log->type == JW_JSON_TRUE;
  if (!status && (isnan(axis->from) || isnan(axis->to))) {
    status = jw_sweep_fail(sweep, object->place, "a range needs \"from\" and \"to\"");
  }
  if (!status && axis->log && !(axis->from > 0.0 && axis->to > 0.0)) {
    status = jw_sweep_fail(sweep, object->place,
                           "a range with \"log\" goes from %g to %g, must be above 0", axis->from,
                           axis->to);
  }
  return status;
}

static JwStatus check_count(JwSweep* sweep, const JwSweepAxis* axis) {
  const bool steps = sweep->by == JW_BY_GRID || sweep->by == JW_BY_LIST;
  if (steps && axis->count == 0) {
    return jw_sweep_fail(sweep, axis->place, "with \"by\": \"%s\" a range needs a \"count\"",
                         by_names[sweep->by]);
  }
  if (!steps && !axis->values && axis->count) {
    return jw_sweep_fail(sweep, axis->place,
                         "with \"by\": \"%s\" a range has no \"count\"; the sweep has \"points\"",
                         by_names[sweep->by]);
  }
  if (sweep->by == JW_BY_LIST && axis->count != sweep->axes[0].count) {
    return jw_sweep_fail(sweep, axis->place, "this has %u values, and \"%s\" has %u", axis->count,
                         sweep->axes[0].name, sweep->axes[0].count);
  }
  return JW_STATUS_OK;
}

static JwStatus read_axis(JwSweep* sweep, const JwJson* given) {
  if (sweep->axis_count == JW_SWEEP_MAX_AXES) {
    return jw_sweep_fail(sweep, given->key_place, "more than %d values vary", JW_SWEEP_MAX_AXES);
  }
  if (given->key_size == 0 || given->key_size >= JW_SWEEP_NAME || strpbrk(given->key, "/=")) {
    return jw_sweep_fail(sweep, given->key_place, "\"%s\" is no name of a value", given->key);
  }
  JwSweepAxis* const axis = &sweep->axes[sweep->axis_count++];
  snprintf(axis->name, sizeof axis->name, "%s", given->key);
  axis->place = given->place;
  JwStatus status = JW_STATUS_OK;
  if (given->type == JW_JSON_ARRAY) {
    status = read_list(sweep, given, axis);
  } else if (given->type == JW_JSON_OBJECT) {
    status = read_range(sweep, given, axis);
  } else {
    status = wrong_type(sweep, given, "a list of numbers, or \"from\" and \"to\"");
  }
  return status ? status : check_count(sweep, axis);
}

// One a scene, so that what varies in one says nothing about another.
static uint64_t seed_of(uint64_t seed, const char* name) {
  char text[JW_SWEEP_NAME + 32], hex[65];
  snprintf(text, sizeof text, "%llu %s", (unsigned long long)seed, name);
  jw_sha256(text, strlen(text), hex);
  hex[13] = '\0'; // 52 bits
  return strtoull(hex, NULL, 16);
}

// Instruments take turns, so each has its share of the sounds.
static JwStatus share_points(JwSweep* sweep) {
  double size = 0.0;
  const JwStatus status =
      read_number(sweep, sweep->root, (Range){"size", 1, JW_SWEEP_MAX_POINTS, true}, &size);
  if (status || size == 0.0) {
    return status ? status
                  : jw_sweep_fail(sweep, sweep->root->place, "a data set needs a \"size\"");
  }
  sweep->sounds = (uint64_t)size;
  sweep->points = (sweep->sounds + sweep->instruments - 1) / sweep->instruments;
  sweep->seed = seed_of(sweep->seed, sweep->own->key);
  return JW_STATUS_OK;
}

static JwStatus count_points(JwSweep* sweep, const JwJson* vary) {
  double points = sweep->by == JW_BY_LIST ? sweep->axes[0].count : 1.0;
  for (uint32_t i = 0; i < sweep->axis_count && sweep->by == JW_BY_GRID; ++i) {
    points *= sweep->axes[i].count;
  }
  if (sweep->by == JW_BY_GRID || sweep->by == JW_BY_LIST) {
    const JwJson* const given = jw_json_member(sweep->root, "points");
    if (given) {
      return jw_sweep_fail(sweep, given->key_place,
                           "with \"by\": \"%s\" the lists say how many points",
                           by_names[sweep->by]);
    }
  } else {
    points = 0.0;
    const JwStatus status =
        read_number(sweep, sweep->root, (Range){"points", 1, JW_SWEEP_MAX_POINTS, true}, &points);
    if (status || points == 0.0) {
      return status ? status
                    : jw_sweep_fail(sweep, sweep->root->place, "\"by\": \"%s\" needs \"points\"",
                                    by_names[sweep->by]);
    }
  }
  if (points > JW_SWEEP_MAX_POINTS) {
    return jw_sweep_fail(sweep, vary->place, "these are %g points, must be at most %g", points,
                         JW_SWEEP_MAX_POINTS);
  }
  sweep->points = (uint64_t)points;
  return JW_STATUS_OK;
}

static JwStatus read_vary(JwSweep* sweep) {
  const JwJson* const vary = jw_json_member(sweep->own, "vary");
  const JwJson* const by = jw_json_member(sweep->root, "by");
  uint32_t choice = sweep->instruments ? JW_BY_RANDOM : JW_BY_GRID;
  double seed = 0.0;
  if (!vary || vary->type != JW_JSON_OBJECT || vary->count == 0) {
    return vary ? jw_sweep_fail(sweep, vary->place,
                                "\"vary\" names what varies: { \"name\": [1, 2] }")
                : jw_sweep_fail(sweep, sweep->own->place, "%s needs \"vary\"",
                                sweep->instruments ? "an instrument" : "a sweep");
  }
  JwStatus status = by ? read_choice(sweep, by, by_names, &choice) : JW_STATUS_OK;
  sweep->by = (JwSweepBy)choice;
  if (!status && sweep->instruments && choice < JW_BY_RANDOM) {
    status = jw_sweep_fail(sweep, by->place,
                           "the points of a data set are drawn: random, latin or sobol");
  }
  status =
      status ? status : read_number(sweep, sweep->root, (Range){"seed", 0, 0x1p53, true}, &seed);
  sweep->seed = (uint64_t)seed;
  for (const JwJson* m = vary->first; m && !status; m = m->next) {
    status = read_axis(sweep, m);
  }
  if (status) {
    return status;
  }
  return sweep->instruments ? share_points(sweep) : count_points(sweep, vary);
}

// ---------------------------------------------------------------- scene

static JwStatus add_set(JwSweep* sweep, const JwJson* m) {
  if (m->type != JW_JSON_NUMBER && m->type != JW_JSON_TEXT) {
    return wrong_type(sweep, m, "a number or a text");
  }
  if (sweep->set_count + sweep->axis_count >= JW_SCENE_MAX_SETS) {
    return jw_sweep_fail(sweep, m->key_place, "more than %d values are set", JW_SCENE_MAX_SETS);
  }
  const uint32_t length = m->place.length;
  char* const text = (char*)jw_pool_take(&sweep->pool, m->key_size + length + 2u);
  if (!text) {
    return JW_STATUS_NO_MEMORY;
  }
  snprintf(text, m->key_size + length + 2u, "%s=%.*s", m->key, (int)length,
           sweep->def.text + m->place.offset);
  sweep->sets[sweep->set_count++] = text;
  return JW_STATUS_OK;
}

static JwStatus read_sets(JwSweep* sweep, const JwJson* object) {
  const JwJson* const set = jw_json_member(object, "set");
  if (set && set->type != JW_JSON_OBJECT) {
    return wrong_type(sweep, set, "names and their values");
  }
  JwStatus status = JW_STATUS_OK;
  for (const JwJson* m = set ? set->first : NULL; m && !status; m = m->next) {
    status = add_set(sweep, m);
  }
  return status;
}

// A file beside the sweep comes before a built-in scene of its name.
static JwStatus read_scene(JwSweep* sweep) {
  const JwJson* const scene = jw_json_member(sweep->own, "scene");
  const char* const name = scene ? scene->text : sweep->own->key; // An instrument may be its scene
  if (sweep->def.scene) {
    snprintf(sweep->scene_name, sizeof sweep->scene_name, "%s", "scene");
    return JW_STATUS_OK;
  }
  if (scene && scene->type != JW_JSON_TEXT) {
    return wrong_type(sweep, scene, "a text");
  }
  if (!name) {
    return jw_sweep_fail(sweep, sweep->root->place, "a sweep needs a \"scene\"");
  }
  if (!*name || strlen(name) >= sizeof sweep->scene_name) {
    return jw_sweep_fail(sweep, scene ? scene->place : sweep->own->key_place,
                         "this names no scene");
  }
  snprintf(sweep->scene_name, sizeof sweep->scene_name, "%s", name);
  if (sweep->def.folder) {
    const bool whole = name[0] == '/';
    snprintf(sweep->scene_path, sizeof sweep->scene_path, "%s%s%s", whole ? "" : sweep->def.folder,
             whole ? "" : "/", name);
  }
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- what is kept

static JwStatus read_take(JwSweep* sweep) {
  const JwJson* const channels = jw_json_member(sweep->root, "channels");
  double oversample = 0.0;
  uint32_t choice = 0;
  sweep->take = jw_take_default();
  JwStatus status =
      read_number(sweep, sweep->root, (Range){"seconds", 1e-6, 3600, false}, &sweep->take.seconds);
  status = status ? status
                  : read_number(sweep, sweep->root, (Range){"rate", 1000, 1e8, false},
                                &sweep->take.rate);
  status = status ? status
                  : read_number(sweep, sweep->root, (Range){"gain", -1e12, 1e12, false},
                                &sweep->take.gain);
  status = status
               ? status
               : read_number(sweep, sweep->root, (Range){"oversample", 1, 64, true}, &oversample);
  status = status || !channels ? status : read_choice(sweep, channels, channel_names, &choice);
  sweep->take.oversample = (uint32_t)oversample;
  sweep->take.channels = (JwTakeChannels)choice;
  return status;
}

static JwStatus read_keep(JwSweep* sweep) {
  const JwJson* const keep = jw_json_member(sweep->root, "keep");
  if (sweep->instruments) {
    sweep->keep = JW_KEEP_SOUND;
    sweep->take.ledger = false;
    return JW_STATUS_OK;
  }
  if (!keep) {
    sweep->keep = JW_KEEP_STATISTICS | JW_KEEP_CONTACTS | JW_KEEP_FEATURES;
    return JW_STATUS_OK;
  }
  if (keep->type != JW_JSON_ARRAY) {
    return wrong_type(sweep, keep, "a list");
  }
  JwStatus status = JW_STATUS_OK;
  for (const JwJson* item = keep->first; item && !status; item = item->next) {
    uint32_t choice = 0;
    status = read_choice(sweep, item, keep_names, &choice);
    sweep->keep |= 1u << choice;
  }
  sweep->take.ledger = sweep->keep & JW_KEEP_STATISTICS;
  return status;
}

// A number, or one for each side of a plate.
static JwStatus read_sides(JwSweep* sweep, const JwJson* given, uint32_t sides[2]) {
  const JwJson* const list = given && given->type == JW_JSON_ARRAY ? given : NULL;
  if (list && list->count != 2) {
    return jw_sweep_fail(sweep, list->place, "\"places\" has %u numbers, must be 2: along x and y",
                         list->count);
  }
  for (uint32_t i = 0; i < 2 && given; ++i) {
    const JwJson* const item = !list ? given : i ? list->last : list->first;
    if (item->type != JW_JSON_NUMBER) {
      return wrong_type(sweep, item, "a number");
    }
    if (!(item->number >= 1.0 && item->number <= 4096.0) || item->number != floor(item->number)) {
      return jw_sweep_fail(sweep, item->place, "\"places\" is %g, must be whole, 1 to 4096",
                           item->number);
    }
    sides[i] = (uint32_t)item->number;
  }
  return JW_STATUS_OK;
}

static JwStatus read_field(JwSweep* sweep, const JwJson* m) {
  static const char* const keys[] = {"places", "every", NULL};
  double every = 0.01;
  if (sweep->field_count == JW_SWEEP_FIELDS || m->key_size >= sizeof sweep->fields[0].object) {
    return jw_sweep_fail(sweep, m->key_place,
                         "more than %d fields, or a name of more than 63 letters", JW_SWEEP_FIELDS);
  }
  if (m->type != JW_JSON_OBJECT) {
    return wrong_type(sweep, m, "an object with \"places\" and \"every\"");
  }
  JwSweepField* const field = &sweep->fields[sweep->field_count++];
  JwStatus status = check_keys(sweep, m, keys);
  field->sides[0] = field->sides[1] = 32;
  status = status ? status : read_sides(sweep, jw_json_member(m, "places"), field->sides);
  status = status ? status : read_number(sweep, m, (Range){"every", 1e-6, 3600, false}, &every);
  snprintf(field->object, sizeof field->object, "%s", m->key);
  field->every = every;
  field->place = m->key_place;
  return status;
}

static JwStatus read_fields(JwSweep* sweep) {
  const JwJson* const fields = jw_json_member(sweep->root, "fields");
  if (fields && fields->type != JW_JSON_OBJECT) {
    return wrong_type(sweep, fields, "names of objects, each with \"places\" and \"every\"");
  }
  JwStatus status = JW_STATUS_OK;
  for (const JwJson* m = fields ? fields->first : NULL; m && !status; m = m->next) {
    status = read_field(sweep, m);
  }
  return status;
}

// ---------------------------------------------------------------- heads

static JwStatus read_version(JwSweep* sweep, const char* key, const char* const* keys) {
  double version = 0.0;
  JwStatus status = check_keys(sweep, sweep->root, keys);
  status = status ? status : read_number(sweep, sweep->root, (Range){key, 1, 1, true}, &version);
  return status || version == 1.0
             ? status
             : jw_sweep_fail(sweep, sweep->root->place, "a %s begins with \"%s\": 1",
                             strcmp(key, "sweep") == 0 ? key : "data set", key);
}

static JwStatus read_sweep(JwSweep* sweep) {
  static const char* const keys[] = {
      "sweep", "title",  "scene",   "set",  "by",   "vary",       "points",   "seed",
      "keep",  "fields", "seconds", "rate", "gain", "oversample", "channels", NULL};
  sweep->own = sweep->root;
  return read_version(sweep, "sweep", keys);
}

// One instrument of a data set, which is a sweep of its own; the rest of the text is that of all.
static JwStatus read_instrument(JwSweep* sweep) {
  static const char* const keys[] = {"dataset",    "title",    "instruments", "set",  "by",
                                     "size",       "seed",     "seconds",     "rate", "gain",
                                     "oversample", "channels", NULL};
  static const char* const own_keys[] = {"scene", "set", "vary", NULL};
  const JwStatus status = read_version(sweep, "dataset", keys);
  const JwJson* const all = jw_json_member(sweep->root, "instruments");
  if (status) {
    return status;
  }
  if (!all || all->type != JW_JSON_OBJECT || all->count == 0) {
    return jw_sweep_fail(sweep, all ? all->place : sweep->root->place,
                         "a data set needs \"instruments\": { \"guitar\": { \"vary\": ... } }");
  }
  sweep->own = all->first;
  for (uint32_t i = 1; i < sweep->def.instrument && sweep->own->next; ++i) {
    sweep->own = sweep->own->next;
  }
  sweep->instruments = all->count;
  if (sweep->own->type != JW_JSON_OBJECT) {
    return wrong_type(sweep, sweep->own, "an object with \"vary\"");
  }
  if (sweep->own->key_size == 0 || sweep->own->key_size >= JW_SWEEP_NAME) {
    return jw_sweep_fail(sweep, sweep->own->key_place, "the name has 1 to %d letters",
                         JW_SWEEP_NAME - 1);
  }
  return check_keys(sweep, sweep->own, own_keys);
}

JwStatus jw_sweep_read(JwSweep* sweep) {
  const JwJsonInput input = {sweep->def.text, sweep->def.size, 0, NULL};
  JwJsonError error;
  JwStatus status = jw_json_parse(&sweep->pool, &input, &sweep->root, &error);
  if (status) {
    return status == JW_STATUS_NO_MEMORY ? status
                                         : jw_sweep_fail(sweep, error.place, "%s", error.message);
  }
  if (sweep->root->type != JW_JSON_OBJECT) {
    return wrong_type(sweep, sweep->root, "an object");
  }
  status = sweep->def.instrument ? read_instrument(sweep) : read_sweep(sweep);
  status = status ? status : read_scene(sweep);
  status = status ? status : read_vary(sweep);
  status = status ? status : read_sets(sweep, sweep->root);
  if (!status && sweep->own != sweep->root) {
    status = read_sets(sweep, sweep->own);
  }
  status = status ? status : read_take(sweep);
  status = status ? status : read_keep(sweep);
  return status ? status : read_fields(sweep);
}
