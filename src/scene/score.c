// The score: what is done, and when.  Times inside an event's curves count from its "at".

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A bow that is not told how to come and go comes and goes within this time (s): no bow does at
/// once.
#define BOW_RAMP 0.01
/// A change by "set" that is not told how long to take takes this long (s).
#define SET_RAMP 0.01

static const double times[2] = {0.0, JW_SCENE_MAX_DURATION};

static void note_end(JwScene* scene, double time)
{
  scene->end = time > scene->end ? time : scene->end;
}

static bool read_time(JwLoader* loader, const JwJson* node, const char* key, double* time)
{
  const JwJson* const value = jw_member(loader, node, key);
  return !value || jw_read_number(loader, key, value, times, time);
}

// ---------------------------------------------------------------- bow

static JwCurve* find_curve(const JwItem* item, JwControl control)
{
  JwCurve* curve = item->curves;
  while (curve && curve->control != control) {
    curve = curve->next;
  }
  return curve;
}

/// A curve of an item, made of one value if there is none yet.
static JwCurve* need_curve(JwLoader* loader, JwItem* item, JwControl control, double value)
{
  JwCurve* curve = find_curve(item, control);
  if (curve) {
    return curve;
  }
  curve = (JwCurve*)jw_pool_take(&loader->scene->pool, sizeof *curve);
  JwBreakpoint* const point = jw_take_points(loader, 1, item->place);
  if (!curve || !point) {
    return NULL;
  }
  *point = (JwBreakpoint){0.0, value};
  *curve = (JwCurve){control, point, 1, 1, item->place, item->curves};
  item->curves = curve;
  return curve;
}

/// The force is 0 outside [at, until].  Where the curve itself does not start or end there at 0, it
/// rises and falls in straight lines of BOW_RAMP.
static void shape_bow(JwLoader* loader, JwItem* item, double at, double until)
{
  JwCurve* const curve = need_curve(loader, item, JW_CONTROL_FORCE, item->def.bow.force);
  JwBreakpoint* const points = curve ? jw_take_points(loader, curve->count + 5, item->place) : NULL;
  if (!points) {
    return;
  }
  const double length = until - at;
  const double ramp = length < 4.0 * BOW_RAMP ? length / 4.0 : BOW_RAMP;
  const bool soft_start = jw_curve_value(curve->points, curve->count, at) == 0.0;
  const bool soft_end = jw_curve_value(curve->points, curve->count, until) == 0.0;
  const double first = soft_start ? at : at + ramp;
  const double last = soft_end ? until : until - ramp;
  uint32_t count = 0;
  points[count++] = (JwBreakpoint){at, 0.0};
  if (!soft_start) {
    points[count++] = (JwBreakpoint){first, jw_curve_value(curve->points, curve->count, first)};
  }
  for (uint32_t i = 0; i < curve->count; ++i) {
    if (curve->points[i].time > first && curve->points[i].time < last) {
      points[count++] = curve->points[i];
    }
  }
  if (isfinite(until)) {
    if (!soft_end) {
      points[count++] = (JwBreakpoint){last, jw_curve_value(curve->points, curve->count, last)};
    }
    points[count++] = (JwBreakpoint){until, 0.0};
  }
  curve->capacity += 5;
  curve->points = points;
  curve->count = count;
  item->def.bow.force = 0.0;
}

static void load_bow(JwLoader* loader, const JwJson* node, JwItem* item, double at)
{
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

static void load_force(JwLoader* loader, JwForm form, const JwJson* node, JwItem* item)
{
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
    numbers ? (float*)jw_pool_take(&loader->scene->pool, count * sizeof *samples) : NULL;
  for (uint32_t i = 0; samples && i < count; ++i) {
    samples[i] = (float)numbers[i];
  }
  def->signal = samples;
  def->signal_count = samples ? count : 0;
  note_end(loader->scene, def->start + def->duration);
}

// ---------------------------------------------------------------- throw

static double start_of(const JwMassDef* mass) { return mass->position + mass->displacement; }

static void load_throw(JwLoader* loader, const JwJson* node, double at)
{
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
  if (!jw_read_number(loader, "velocity", velocity, range, &thrown->velocity) ||
      (position && !jw_read_number(loader, "position", position, range, &thrown->position))) {
    return;
  }
  scene->throws = thrown;
  note_end(scene, at);
}

// ---------------------------------------------------------------- set

/// "name.key": the part and its parameter.
static JwItem* find_target(JwLoader* loader, const JwJson* set, const JwParam** param)
{
  char name[64];
  const char* const text = jw_read_text(loader, "set", set);
  const char* const dot = text ? strrchr(text, '.') : NULL;
  if (text && !dot) {
    jw_loader_error(loader, set->place,
                    "\"set\" must be \"name.key\", for instance \"bridge.position\"");
  }
  if (!dot) {
    return NULL;
  }
  snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
  JwItem* const item = jw_find_item(loader->scene, name);
  if (!item) {
    jw_unknown_item(loader, set->place, name, NULL);
    return NULL;
  }
  uint32_t count = 0;
  const JwParam* const params = jw_params(item->kind, &count);
  JwNearest nearest = {dot + 1, NULL, UINT32_MAX};
  for (uint32_t i = 0; i < count; ++i) {
    if (jw_form_control(item->kind, params[i].key) == JW_CONTROL_COUNT) {
      continue;
    }
    if (strcmp(params[i].key, dot + 1) == 0) {
      *param = &params[i];
      return item;
    }
    jw_nearest_try(&nearest, params[i].key);
  }
  jw_loader_error(loader, set->place, "\"%.32s\" of a %s cannot be changed while it sounds%s%s%s",
                  dot + 1, jw_kind_name(item->kind), nearest.found ? "; did you mean \"" : "",
                  nearest.found ? nearest.found : "", nearest.found ? "\"?" : "");
  return NULL;
}

static void load_set(JwLoader* loader, const JwJson* node, double at)
{
  const JwParam* param = NULL;
  const JwJson* const set = jw_member(loader, node, "set");
  const JwJson* const to = jw_member(loader, node, "to");
  JwItem* const item = set ? find_target(loader, set, &param) : NULL;
  double over = SET_RAMP, value = 0.0;
  if (!item || !to || !read_time(loader, node, "over", &over)) {
    return;
  }
  const double range[2] = {param->minimum, param->maximum};
  if (!jw_read_number(loader, param->key, to, range, &value)) {
    return;
  }
  const double before = *(const double*)(const void*)((const char*)&item->def + param->offset);
  JwCurve* const curve = need_curve(loader, item, jw_form_control(item->kind, param->key), before);
  if (!curve) {
    return;
  }
  const JwBreakpoint last = curve->points[curve->count - 1];
  if (at < last.time || (at == last.time && curve->count > 1)) {
    jw_loader_error(loader, set->place,
                    "%s changes until %.15g s already; this is to start at %.15g s", set->text,
                    last.time, at);
    return;
  }
  const JwBreakpoint start = {at, last.value};
  const JwBreakpoint end = {at + (over > 1e-6 ? over : 1e-6), value};
  if ((at <= last.time || jw_curve_append(loader, curve, start)) &&
      jw_curve_append(loader, curve, end)) {
    note_end(loader->scene, at + over);
  }
}

// ---------------------------------------------------------------- events

/// What an event does: the verb that it has as a key.
static JwForm read_verb(JwLoader* loader, const JwJson* node)
{
  JwForm found = JW_FORM_COUNT;
  for (int form = JW_FORM_BOWING; form <= JW_FORM_SET; ++form) {
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
    jw_loader_error(loader, jw_head(node),
                    "an event needs one of the keys bow, pluck, strike, push, throw, set");
  }
  return found;
}

static void load_verb(JwLoader* loader, JwForm form, const JwJson* node, double at)
{
  if (jw_form_kind(form) == JW_KIND_COUNT) {
    if (loader->scene->event_count++ >= JW_SCENE_MAX_EVENTS) {
      jw_scene_error(loader->scene, jw_head(node), "more than %d events", JW_SCENE_MAX_EVENTS);
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

void jw_load_event(JwLoader* loader, const JwJson* node)
{
  if (node->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, node->place, "an event must be an object, found %s",
                    jw_json_type_name(node->type));
    return;
  }
  double at = 0.0;
  const JwForm form = read_verb(loader, node);
  if (form != JW_FORM_COUNT && read_time(loader, node, "at", &at)) {
    loader->time = at;
    load_verb(loader, form, node, at);
    loader->time = 0.0;
  }
}
