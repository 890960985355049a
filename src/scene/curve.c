// SPDX-License-Identifier: MIT
// Breakpoint curves: [[time, value], ...], straight lines between the points.

#include "scene/scene.h"

#include <string.h>

bool jw_is_curve(const JwJson* value) {
  return value->type == JW_JSON_ARRAY && value->first && value->first->type == JW_JSON_ARRAY;
}

/// Room for so many points, within the limit; those that are there are kept.
static bool reserve(JwLoader* loader, JwCurve* curve, uint32_t capacity) {
  JwScene* const scene = loader->scene;
  const uint32_t more = capacity - curve->capacity;
  if (more > scene->limits.curve_points - scene->curve_points) {
    jw_loader_error(loader, curve->place, "the curves have more than %u points in all",
                    (unsigned)scene->limits.curve_points);
    return false;
  }
  JwBreakpoint* const points = (JwBreakpoint*)jw_pool_array(&scene->pool, capacity, sizeof *points);
  JwCurveNote* const notes = (JwCurveNote*)jw_pool_array(&scene->pool, capacity, sizeof *notes);
  if (!points || !notes) {
    return false;
  }
  if (curve->count) {
    memcpy(points, curve->points, curve->count * sizeof *points);
    memcpy(notes, curve->notes, curve->count * sizeof *notes);
  }
  scene->curve_points += more;
  curve->points = points;
  curve->notes = notes;
  curve->capacity = capacity;
  return true;
}

bool jw_curve_append(JwLoader* loader, JwCurve* curve, JwBreakpoint point, JwCurveNote note) {
  if (curve->count == curve->capacity
      && !reserve(loader, curve,
                  curve->capacity + (curve->capacity > 4 ? curve->capacity / 2 : 2))) {
    return false;
  }
  curve->points[curve->count] = point;
  curve->notes[curve->count++] = note;
  return true;
}

JwCurve* jw_need_curve(JwLoader* loader, JwItem* item, JwControl control) {
  JwCurve* curve = item->curves;
  while (curve && curve->control != control) {
    curve = curve->next;
  }
  if (!curve && (curve = (JwCurve*)jw_pool_take(&loader->scene->pool, sizeof *curve))) {
    *curve = (JwCurve){.control = control, .place = item->place, .next = item->curves};
    item->curves = curve;
  }
  return curve;
}

/// One [time, value].
static bool read_point(JwLoader* loader, const JwParam* param, const JwJson* node,
                       JwBreakpoint* point, JwPlace* place) {
  static const double times[2] = {0.0, 1e6};
  const JwJson* const pair = jw_value(loader, node);
  if (!pair) {
    return false;
  }
  if (pair->type != JW_JSON_ARRAY || pair->count != 2) {
    jw_loader_error(loader, pair->place, "a point of the curve \"%s\" must be [time, value]",
                    param->key);
    return false;
  }
  const JwJson* const time = jw_value(loader, pair->first);
  const JwJson* const value = jw_value(loader, pair->last);
  if (!time || !value || !jw_read_number(loader, "time", time, times, &point->time)
      || !jw_read_quantity(loader, param, value, &point->value)) {
    return false;
  }
  *place = value->place;
  return true;
}

/// All points of a curve; their times rise.
static bool read_points(JwLoader* loader, const JwParam* param, const JwJson* value,
                        JwCurve* curve) {
  bool good = true;
  double before = 0.0;
  for (const JwJson* node = value->first; node; node = node->next) {
    JwBreakpoint point;
    JwCurveNote note = {.held = 0.0};
    if (!read_point(loader, param, node, &point, &note.place)) {
      good = false;
    } else if (good && curve->count > 0 && point.time <= before) {
      jw_loader_error(loader, node->place,
                      "the points of \"%s\" must stand in order: %.15g follows %.15g", param->key,
                      point.time, before);
      good = false;
    }
    if (good) {
      before = point.time;
      point.time += loader->time;
      good = jw_curve_append(loader, curve, point, note);
    }
  }
  return good;
}

JwCurve* jw_read_curve(JwLoader* loader, const JwParam* param, const JwJson* value, JwItem* item) {
  JwCurve* const curve = (JwCurve*)jw_pool_take(&loader->scene->pool, sizeof *curve);
  if (!curve) {
    return NULL;
  }
  *curve = (JwCurve){.control = JW_CONTROL_COUNT, .given = true, .place = value->place};
  if (!reserve(loader, curve, value->count) || !read_points(loader, param, value, curve)) {
    return NULL;
  }
  curve->place = jw_head(value);
  curve->next = item->curves;
  item->curves = curve;
  return curve;
}

double jw_curve_value(const JwCurve* curve, double time, double* held) {
  const JwBreakpoint* const points = curve->points;
  uint32_t i = 0;
  while (i + 1 < curve->count && time > points[i + 1].time) {
    ++i;
  }
  const uint32_t next = i + 1 < curve->count ? i + 1 : i;
  const double wide = points[next].time - points[i].time, along = time - points[i].time;
  const double part = wide > 0.0 && along > 0.0 ? along / wide : 0.0;
  if (held) {
    *held = curve->notes[i].held + part * (curve->notes[next].held - curve->notes[i].held);
  }
  return points[i].value + part * (points[next].value - points[i].value);
}
