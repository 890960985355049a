// SPDX-License-Identifier: MIT
// The score: what is done, and when.  Times inside an event's curves count from its "at".

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A bow that is not told how to come and go comes and goes within this time (s): no bow does at
/// once.
#define BOW_RAMP 0.01
/// A change by "set" that is not told how long to take takes this long (s).
#define SET_RAMP 0.01

static void note_end(JwScene* scene, double time) {
  scene->end = time > scene->end ? time : scene->end;
}

static bool read_time(JwLoader* loader, const JwJson* node, const char* key, double* time) {
  const double times[2] = {0.0, loader->scene->limits.duration};
  const JwJson* const value = jw_member(loader, node, key);
  return !value || jw_read_number(loader, key, value, times, time);
}

// ---------------------------------------------------------------- bow

/// The force is 0 outside [at, until].  Where the curve itself does not start or end there at 0, it
/// rises and falls in straight lines of BOW_RAMP.
static void shape_bow(JwLoader* loader, JwItem* item, double at, double until) {
  const JwCurveNote note = {.place = item->place};
  JwCurve* const curve = jw_need_curve(loader, item, JW_CONTROL_FORCE);
  if (!curve
      || (curve->count == 0
          && !jw_curve_append(loader, curve, (JwBreakpoint){0.0, item->def.bow.force}, note))) {
    return;
  }
  const double length = until - at;
  const double ramp = length < 4.0 * BOW_RAMP ? length / 4.0 : BOW_RAMP;
  const bool soft_start = jw_curve_value(curve, at, NULL) == 0.0;
  const bool soft_end = jw_curve_value(curve, until, NULL) == 0.0;
  const double first = soft_start ? at : at + ramp;
  const double last = soft_end ? until : until - ramp;
  JwCurve shaped = {.place = curve->place};
  bool good = jw_curve_append(loader, &shaped, (JwBreakpoint){at, 0.0}, note);
  if (!soft_start) {
    const JwBreakpoint point = {first, jw_curve_value(curve, first, NULL)};
    good = good && jw_curve_append(loader, &shaped, point, note);
  }
  for (uint32_t i = 0; i < curve->count; ++i) {
    if (curve->points[i].time > first && curve->points[i].time < last) {
      good = good && jw_curve_append(loader, &shaped, curve->points[i], curve->notes[i]);
    }
  }
  if (isfinite(until) && !soft_end) {
    const JwBreakpoint point = {last, jw_curve_value(curve, last, NULL)};
    good = good && jw_curve_append(loader, &shaped, point, note);
  }
  if (isfinite(until)) {
    good = good && jw_curve_append(loader, &shaped, (JwBreakpoint){until, 0.0}, note);
  }
  if (!good) {
    return;
  }
  curve->points = shaped.points;
  curve->notes = shaped.notes;
  curve->count = shaped.count;
  curve->capacity = shaped.capacity;
  curve->given = true;
  item->def.bow.force = 0.0;
}

static void load_bow(JwLoader* loader, const JwJson* node, JwItem* item, double at) {
  double until = INFINITY;
  if (!read_time(loader, node, "until", &until)) {
    return;
  }
  if (until <= at) {
    jw_loader_error(loader, jw_head(node),
                    "\"until\" is %.15g, must be after \"at\", which is %.15g", until, at);
    return;
  }
  shape_bow(loader, item, at, until);
  note_end(loader->scene, isfinite(until) ? until : at);
}

// ---------------------------------------------------------------- forces

static void load_force(JwLoader* loader, JwForm form, const JwJson* node, JwItem* item) {
  JwForceDef* const def = &item->def.force;
  def->start = loader->time;
  if (form != JW_FORM_PUSH) {
    def->shape = form == JW_FORM_PLUCK ? JW_FORCE_PLUCK : JW_FORCE_PULSE;
  }
  const JwJson* const signal = form == JW_FORM_PUSH ? jw_member(loader, node, "signal") : NULL;
  if ((signal != NULL) != (def->shape == JW_FORCE_SIGNAL)) {
    jw_loader_error(loader, jw_head(node),
                    "the shape \"signal\" and the key \"signal\" go together");
    return;
  }
  uint32_t count = 0;
  const double* const numbers = signal ? jw_read_numbers(loader, "signal", signal, &count) : NULL;
  float* const samples =
      numbers ? (float*)jw_pool_array(&loader->scene->pool, count, sizeof *samples) : NULL;
  for (uint32_t i = 0; samples && i < count; ++i) {
    samples[i] = (float)numbers[i];
  }
  def->signal = samples;
  def->signal_count = samples ? count : 0;
  note_end(loader->scene, def->start + def->duration);
}

// ---------------------------------------------------------------- throw

static double start_of(const JwMassDef* mass) {
  return mass->position + mass->displacement;
}

static void load_throw(JwLoader* loader, const JwJson* node, double at) {
  static const double range[2] = {-1e6, 1e6};
  JwScene* const scene = loader->scene;
  const JwJson* const name = jw_member(loader, node, "throw");
  const JwJson* const velocity = jw_member(loader, node, "velocity");
  const JwJson* const position = jw_member(loader, node, "position");
  const char* const text = name ? jw_read_text(loader, "throw", name) : NULL;
  const JwItem* const mass = text ? jw_find_item(scene, text) : NULL;
  JwThrow* const thrown = (JwThrow*)jw_pool_take(&scene->pool, sizeof *thrown);
  if (!text || !velocity || !thrown) {
    return;
  }
  if (!mass || mass->kind != JW_KIND_MASS) {
    if (mass) {
      jw_loader_error(loader, name->place, "only a mass can be thrown: \"%s\" is a %s", text,
                      jw_kind_name(mass->kind));
    } else {
      jw_unknown_item(loader, name->place, text, jw_kind_is_object);
    }
    return;
  }
  *thrown = (JwThrow){mass, at, start_of(&mass->def.mass), 0.0, jw_head(node), scene->throws};
  if (!jw_read_number(loader, "velocity", velocity, range, &thrown->velocity)
      || (position && !jw_read_number(loader, "position", position, range, &thrown->position))) {
    return;
  }
  scene->throws = thrown;
  note_end(scene, at);
}

// ---------------------------------------------------------------- set

/// Places of ports: numbers that are no parameters and yet can move.
static const struct {
  const char* key;
  JwControl control;
  uint32_t port;
  bool across;
} places[] = {
    {"x", JW_CONTROL_X, 0, false},
    {"y", JW_CONTROL_Y, 0, true},
    {"x2", JW_CONTROL_X2, 1, false},
    {"y2", JW_CONTROL_Y2, 1, true},
};

/// The number that "name.key" stands for, its limits, and what it is at first.
typedef struct {
  JwItem* item;
  JwControl control;
  JwParam param;
  double before;
} Number;

static bool find_place(const char* key, Number* number) {
  const JwItem* const item = number->item;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
    const JwScenePort* const port = &item->ports[places[i].port];
    if (strcmp(places[i].key, key) == 0 && port->object) {
      number->control = places[i].control;
      number->param = (JwParam){.key = places[i].key, .unit = "", .minimum = 0.0, .maximum = 1.0};
      number->before = places[i].across ? port->port.y : port->port.x;
      return true;
    }
  }
  return false;
}

static bool find_param(const char* key, Number* number, JwNearest* nearest) {
  uint32_t count = 0;
  const JwItem* const item = number->item;
  const JwParam* const params = jw_params(item->kind, &count);
  for (uint32_t i = 0; i < count; ++i) {
    number->control = jw_form_control(item->kind, params[i].key);
    if (number->control == JW_CONTROL_COUNT) {
      continue;
    }
    if (strcmp(params[i].key, key) == 0) {
      number->param = params[i];
      number->before = *(const double*)(const void*)((const char*)&item->def + params[i].offset);
      return true;
    }
    jw_nearest_try(nearest, params[i].key);
  }
  return false;
}

static bool find_number(JwLoader* loader, const char* word, const JwJson* set, Number* number) {
  char name[64];
  const char* const text = jw_read_text(loader, word, set);
  const char* const dot = text ? strrchr(text, '.') : NULL;
  if (text && !dot) {
    jw_loader_error(loader, set->place,
                    "\"%s\" must be \"name.key\", for instance \"bridge.position\"", word);
  }
  if (!dot) {
    return false;
  }
  snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
  number->item = jw_find_item(loader->scene, name);
  if (!number->item) {
    jw_unknown_item(loader, set->place, name, NULL);
    return false;
  }
  JwNearest nearest = {dot + 1, NULL, UINT32_MAX};
  if (find_param(dot + 1, number, &nearest) || find_place(dot + 1, number)) {
    return true;
  }
  jw_loader_error(loader, set->place, "\"%.32s\" of a %s cannot be changed while it sounds%s%s%s",
                  dot + 1, jw_kind_name(number->item->kind),
                  nearest.found ? "; did you mean \"" : "", nearest.found ? nearest.found : "",
                  nearest.found ? "\"?" : "");
  return false;
}

bool jw_find_control(JwLoader* loader, const char* key, const JwJson* value, JwItem** item,
                     JwControl* control) {
  Number number = {0};
  const bool found = find_number(loader, key, value, &number);
  *item = number.item;
  *control = number.control;
  return found;
}

static void load_set(JwLoader* loader, const JwJson* node, double at) {
  Number number = {0};
  JwScene* const scene = loader->scene;
  const JwJson* const set = jw_member(loader, node, "set");
  const JwJson* const to = jw_member(loader, node, "to");
  double over = SET_RAMP, value = 0.0;
  if (!set || !find_number(loader, "set", set, &number) || !to
      || !read_time(loader, node, "over", &over)
      || !jw_read_quantity(loader, &number.param, to, &value)) {
    return;
  }
  JwSet* const entry = (JwSet*)jw_pool_take(&scene->pool, sizeof *entry);
  if (!entry) {
    return;
  }
  *entry = (JwSet){number.item, number.control,
                   set->text,   number.before,
                   at,          over > 1e-6 ? over : 1e-6,
                   value,       set->place,
                   to->place,   scene->event_count,
                   scene->sets};
  scene->sets = entry;
  note_end(scene, at + over);
}

/// Changes of one number stand together, in the order of their times.
static int compare_sets(const void* left, const void* right) {
  const JwSet *const a = *(JwSet*const*)left, *const b = *(JwSet*const*)right;
  if (a->item != b->item) {
    return (uintptr_t)a->item < (uintptr_t)b->item ? -1 : 1;
  }
  if (a->control != b->control) {
    return a->control < b->control ? -1 : 1;
  }
  if (a->at != b->at) {
    return a->at < b->at ? -1 : 1;
  }
  return a->order < b->order ? -1 : 1;
}

/// Add a change to the curve of its number.  One that still goes on is taken over where it is.
static void add_set(JwLoader* loader, const JwSet* set, const JwSet* before) {
  const bool unknown = isnan(set->before);
  const JwCurveNote start = {set->place, unknown ? 1.0 : 0.0}, end = {set->value_place, 0.0};
  JwCurve* const curve = jw_need_curve(loader, set->item, set->control);
  if (!curve
      || (curve->count == 0
          && !jw_curve_append(loader, curve, (JwBreakpoint){0.0, unknown ? 0.0 : set->before},
                              start))) {
    return;
  }
  const double last = curve->points[curve->count - 1].time;
  if (!before && curve->given && set->at < last) {
    jw_loader_error(loader, set->place,
                    "%s follows a curve until %.15g s; this is to start at %.15g s", set->text,
                    last, set->at);
    return;
  }
  if (before && before->at == set->at) {
    jw_loader_error(loader, set->place, "%s is set to %.15g and to %.15g at %.15g s", set->text,
                    before->to, set->to, set->at);
    return;
  }
  JwCurveNote here = {set->place, 0.0};
  const JwBreakpoint from = {set->at, jw_curve_value(curve, set->at, &here.held)};
  curve->count -= set->at < last;
  if (set->at == last || jw_curve_append(loader, curve, from, here)) {
    jw_curve_append(loader, curve, (JwBreakpoint){set->at + set->over, set->to}, end);
  }
}

void jw_finish_score(JwLoader* loader) {
  JwScene* const scene = loader->scene;
  uint32_t count = 0;
  for (const JwSet* set = scene->sets; set; set = set->next) {
    ++count;
  }
  JwSet** const list = count ? (JwSet**)jw_pool_array(&scene->pool, count, sizeof(JwSet*)) : NULL;
  if (!list) {
    return;
  }
  count = 0;
  for (JwSet* set = scene->sets; set; set = set->next) {
    list[count++] = set;
  }
  qsort(list, count, sizeof *list, compare_sets);
  for (uint32_t i = 0; i < count; ++i) {
    const bool same =
        i > 0 && list[i - 1]->item == list[i]->item && list[i - 1]->control == list[i]->control;
    add_set(loader, list[i], same ? list[i - 1] : NULL);
  }
}

// ---------------------------------------------------------------- events

/// What an event does: the verb that it has as a key.
static JwForm read_verb(JwLoader* loader, const JwJson* node) {
  JwForm found = JW_FORM_COUNT;
  for (int form = JW_FORM_BOWING; form <= JW_FORM_FRET; ++form) {
    if (!jw_json_member(node, jw_form_verb((JwForm)form))) {
      continue;
    }
    if (found != JW_FORM_COUNT) {
      jw_loader_error(loader, jw_head(node), "an event does one thing: either \"%s\" or \"%s\"",
                      jw_form_verb(found), jw_form_verb((JwForm)form));
      return JW_FORM_COUNT;
    }
    found = (JwForm)form;
  }
  if (found == JW_FORM_COUNT) {
    jw_loader_error(
        loader, jw_head(node),
        "an event needs one of the keys bow, pluck, strike, push, throw, set, note, fret");
  }
  return found;
}

static void load_verb(JwLoader* loader, JwForm form, const JwJson* node, double at) {
  if (form == JW_FORM_NOTE || form == JW_FORM_FRET) {
    jw_load_note(loader, form, node, at);
    return;
  }
  if (jw_form_kind(form) == JW_KIND_COUNT) {
    if (loader->scene->event_count++ >= loader->scene->limits.events) {
      jw_scene_error(loader->scene, jw_head(node), "more than %u events",
                     (unsigned)loader->scene->limits.events);
      return;
    }
    jw_read_form(loader, form, node, NULL, NULL);
    (form == JW_FORM_THROW ? load_throw : load_set)(loader, node, at);
    return;
  }
  JwItem* const item = jw_add_item(loader, form, node);
  if (!item) {
    return;
  }
  jw_name_member(loader, item, node);
  jw_read_form(loader, form, node, &item->def, item);
  const JwJson* const port = jw_member(loader, node, jw_form_verb(form));
  if (port) {
    jw_read_port(loader, port, item, 0, false);
  }
  if (form == JW_FORM_BOWING) {
    load_bow(loader, node, item, at);
  } else {
    load_force(loader, form, node, item);
  }
}

void jw_load_event(JwLoader* loader, const JwJson* node) {
  if (node->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, node->place, "an event must be an object, found %s",
                    jw_json_type_name(node->type));
    return;
  }
  double at = 0.0;
  const JwForm form = read_verb(loader, node);
  if (form != JW_FORM_COUNT && jw_read_moment(loader, node, &at)) {
    loader->time = at;
    load_verb(loader, form, node, at);
    loader->time = 0.0;
  }
}
