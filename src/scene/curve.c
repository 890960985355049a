// Breakpoint curves: [[time, value], ...], straight lines between the points.

#include "scene/scene.h"

#include <string.h>

bool jw_is_curve(const JwJson* value)
{
  return value->type == JW_JSON_ARRAY && value->first && value->first->type == JW_JSON_ARRAY;
}

JwBreakpoint* jw_take_points(JwLoader* loader, uint32_t count, JwPlace place)
{
  JwScene* const scene = loader->scene;
  if (count > JW_SCENE_MAX_CURVE_POINTS - scene->curve_points) {
    jw_loader_error(loader, place, "the curves have more than %d points in all",
                    JW_SCENE_MAX_CURVE_POINTS);
    return NULL;
  }
  scene->curve_points += count;
  return (JwBreakpoint*)jw_pool_take(&scene->pool, count * sizeof(JwBreakpoint));
}

/// One [time, value]; times rise.
static bool read_point(JwLoader* loader, const char* name, const JwJson* node,
                       const double range[2], JwBreakpoint* point)
{
  static const double times[2] = {0.0, 1e6};
  const JwJson* const pair = jw_value(loader, node);
  if (!pair) {
    return false;
  }
  if (pair->type != JW_JSON_ARRAY || pair->count != 2) {
    jw_loader_error(loader, pair->place, "a point of the curve \"%s\" must be [time, value]", name);
    return false;
  }
  const JwJson* const time = jw_value(loader, pair->first);
  const JwJson* const value = jw_value(loader, pair->last);
  return time && value && jw_read_number(loader, "time", time, times, &point->time) &&
         jw_read_number(loader, name, value, range, &point->value);
}

JwCurve* jw_read_curve(JwLoader* loader, const char* name, const JwJson* value,
                       const double range[2], JwItem* item)
{
  JwCurve* const curve = (JwCurve*)jw_pool_take(&loader->scene->pool, sizeof *curve);
  JwBreakpoint* const points = jw_take_points(loader, value->count, value->place);
  if (!curve || !points) {
    return NULL;
  }
  uint32_t count = 0;
  bool good = true;
  for (const JwJson* node = value->first; node; node = node->next, ++count) {
    if (!read_point(loader, name, node, range, &points[count])) {
      good = false;
    } else if (good && count > 0 && points[count].time <= points[count - 1].time) {
      jw_loader_error(loader, node->place,
                      "the points of \"%s\" must stand in order: %.15g follows %.15g", name,
                      points[count].time, points[count - 1].time);
      good = false;
    }
  }
  if (!good) {
    return NULL;
  }
  for (uint32_t i = 0; i < count; ++i) {
    points[i].time += loader->time;
  }
  *curve = (JwCurve){JW_CONTROL_COUNT, points, count, count, jw_head(value), item->curves};
  item->curves = curve;
  return curve;
}

bool jw_curve_append(JwLoader* loader, JwCurve* curve, JwBreakpoint point)
{
  if (curve->count == curve->capacity) {
    JwBreakpoint* const points = jw_take_points(loader, 2 * curve->capacity, curve->place);
    if (!points) {
      return false;
    }
    memcpy(points, curve->points, curve->count * sizeof *points);
    curve->points = points;
    curve->capacity *= 2;
  }
  curve->points[curve->count++] = point;
  return true;
}

double jw_curve_value(const JwBreakpoint* points, uint32_t count, double time)
{
  if (time <= points[0].time) {
    return points[0].value;
  }
  for (uint32_t i = 1; i < count; ++i) {
    if (time <= points[i].time) {
      const double part = (time - points[i - 1].time) / (points[i].time - points[i - 1].time);
      return points[i - 1].value + part * (points[i].value - points[i - 1].value);
    }
  }
  return points[count - 1].value;
}
