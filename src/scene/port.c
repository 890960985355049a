// SPDX-License-Identifier: MIT
// Ports: "string@0.868", "body@0.8,0.75", "string@0.2,90" (degrees of one that moves in two
// directions), or {"on": "string", "x": 0.868, "reading": "cubic"}.

#include "scene/json_scan.h"
#include "scene/names.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static const double fractions[2] = {0.0, 1.0}, turn[2] = {-180.0, 180.0};

/// Which x an object's ports can have.
static void x_range(const JwItem* object, double range[2]) {
  range[0] = 0.0;
  range[1] = object->kind == JW_KIND_MODAL && object->def.modal.shape_count
                 ? object->def.modal.shape_count - 1.0
                 : 1.0;
}

static const JwItem* find_object(JwLoader* loader, const char* name, JwPlace place) {
  const JwItem* const item = jw_find_item(loader->scene, name);
  if (item && jw_kind_is_object(item->kind)) {
    return item;
  }
  jw_unknown_item(loader, place, name, jw_kind_is_object);
  return NULL;
}

/// Whether the coordinates given are those that the object has.
static void check_place(JwLoader* loader, const JwScenePort* port, bool has_y, bool whole) {
  const JwItem* const object = port->object;
  const bool point = object->kind == JW_KIND_MASS;
  const bool line = object->kind == JW_KIND_STRING;
  const bool plane = object->kind == JW_KIND_PLATE;
  if (point && port->placed) {
    jw_loader_error(loader, port->place, "the mass \"%s\" is a point: leave out the place",
                    object->name);
  } else if (plane && !whole && (!port->placed || !has_y)) {
    jw_loader_error(loader, port->place, "the plate \"%s\" needs two places: write \"%s@0.4,0.6\"",
                    object->name, object->name);
  } else if (line && !whole && !port->placed) {
    jw_loader_error(loader, port->place, "the string \"%s\" needs a place: write \"%s@0.4\"",
                    object->name, object->name);
  } else if (!plane && has_y) {
    jw_loader_error(loader, port->place, "\"%s\" is no plate: one place is enough", object->name);
  } else if (object->kind == JW_KIND_MODAL && port->port.x != (double)(uint32_t)port->port.x) {
    jw_loader_error(loader, port->place, "a place on \"%s\" is the number of a shape, not %.15g",
                    object->name, port->port.x);
  }
}

/// A number inside a port's text.
static bool text_number(JwLoader* loader, JwScan* scan, JwPlace place, const double range[2],
                        double* out) {
  const size_t start = scan->at;
  const int c = jw_scan_peek(scan);
  if (c != '-' && (c < '0' || c > '9')) {
    char shown[16];
    jw_loader_error(loader, place, "\"%.64s\": expected a number, found %s", scan->text,
                    c < 0 ? "the end" : jw_scan_show(scan, shown));
    return false;
  }
  if (!jw_scan_number(scan, out)) {
    jw_loader_error(loader, place, "\"%.64s\": %s", scan->text, scan->error->message);
    return false;
  }
  if (*out < range[0] || *out > range[1]) {
    jw_loader_error(loader, place, "\"%.64s\": %.*s is no place on it, must be from %.15g to %.15g",
                    scan->text, (int)(scan->at - start), scan->text + start, range[0], range[1]);
    return false;
  }
  return true;
}

static bool has_degrees(const JwItem* object) {
  return object->kind == JW_KIND_STRING && object->def.string.directions > 1;
}

/// What follows the '@': x, x,y or x,degrees.
static bool read_places(JwLoader* loader, const char* text, size_t from, JwScenePort* port,
                        bool* has_y) {
  double range[2];
  JwJsonError error;
  JwScan scan = {text, strlen(text), from, 0, &loader->scene->pool, &error};
  x_range(port->object, range);
  port->placed = true;
  if (!text_number(loader, &scan, port->place, range, &port->port.x)) {
    return false;
  }
  if (jw_scan_peek(&scan) == ',') {
    ++scan.at;
    const bool degrees = has_degrees(port->object);
    *has_y = !degrees;
    if (!text_number(loader, &scan, port->place, degrees ? turn : fractions,
                     degrees ? &port->port.degrees : &port->port.y)) {
      return false;
    }
  }
  if (scan.at != scan.size) {
    jw_loader_error(loader, port->place, "\"%.64s\": expected the end, found '%c'", text,
                    text[scan.at]);
    return false;
  }
  return true;
}

static void read_text_port(JwLoader* loader, const char* text, JwScenePort* port, bool whole) {
  char name[64];
  bool has_y = false;
  const char* const at = strchr(text, '@');
  const size_t length = at ? (size_t)(at - text) : strlen(text);
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  port->object = find_object(loader, name, port->place);
  if (port->object && (!at || read_places(loader, text, length + 1, port, &has_y))) {
    check_place(loader, port, has_y, whole);
  }
}

/// x or y of an object port: a number, or a curve for a port that moves.
static bool read_axis(JwLoader* loader, const JwJson* node, const char* axis, JwControl control,
                      const double range[2], JwItem* item, double* out) {
  const JwJson* const value = jw_member(loader, node, axis);
  if (!value) {
    return false;
  }
  if (!jw_is_curve(value)) {
    return jw_read_number(loader, axis, value, range, out);
  }
  const JwParam place = {.key = axis, .unit = "", .minimum = range[0], .maximum = range[1]};
  JwCurve* const curve = jw_read_curve(loader, &place, value, item);
  if (!curve) {
    return false;
  }
  curve->control = control;
  *out = curve->points[0].value;
  return true;
}

static void read_reading(JwLoader* loader, const JwJson* node, JwPort* port) {
  static const char* const names[] = {"nearest", "linear", "cubic", NULL};
  static const JwParam param = {
      "reading", "", "", JW_TYPE_CHOICE, offsetof(JwPort, reading), 1, 0, 0, 1, false, names};
  const JwJson* const value = jw_member(loader, node, "reading");
  if (value) {
    jw_read_param(loader, &param, value, port);
  }
}

static void read_degrees(JwLoader* loader, const JwJson* node, JwScenePort* port) {
  const JwJson* const value = jw_member(loader, node, "degrees");
  if (!value || !jw_read_number(loader, "degrees", value, turn, &port->port.degrees)) {
    return;
  }
  if (!has_degrees(port->object)) {
    jw_loader_error(loader, value->place,
                    "\"%s\" has no degrees: only a string of 2 directions has", port->object->name);
  }
}

static void read_object_port(JwLoader* loader, const JwJson* node, JwItem* item, uint32_t which,
                             bool whole) {
  JwScenePort* const port = &item->ports[which];
  jw_read_form(loader, JW_FORM_PORT, node, NULL, NULL);
  const JwJson* const on = jw_member(loader, node, "on");
  const char* const name = on ? jw_read_text(loader, "on", on) : NULL;
  port->object = name ? find_object(loader, name, on->place) : NULL;
  if (!port->object) {
    return;
  }
  double range[2];
  x_range(port->object, range);
  port->placed = jw_json_member(node, "x") != NULL;
  const bool has_y = jw_json_member(node, "y") != NULL;
  const JwControl across = which ? JW_CONTROL_X2 : JW_CONTROL_X,
                  along = which ? JW_CONTROL_Y2 : JW_CONTROL_Y;
  const bool good_x =
      !port->placed || read_axis(loader, node, "x", across, range, item, &port->port.x);
  const bool good_y = !has_y || read_axis(loader, node, "y", along, fractions, item, &port->port.y);
  read_degrees(loader, node, port);
  read_reading(loader, node, &port->port);
  if (good_x && good_y) {
    check_place(loader, port, has_y, whole);
  }
}

void jw_read_port(JwLoader* loader, const JwJson* value, JwItem* item, uint32_t which, bool whole) {
  JwScenePort* const port = &item->ports[which];
  port->port.reading = JW_READ_LINEAR;
  port->place = value->place;
  if (value->type == JW_JSON_TEXT) {
    read_text_port(loader, value->text, port, whole);
  } else if (value->type == JW_JSON_OBJECT) {
    port->place.length = 1;
    read_object_port(loader, value, item, which, whole);
  } else {
    jw_loader_error(loader, value->place,
                    "a port must be a text like \"string@0.4\" or an object, found %s",
                    jw_json_type_name(value->type));
  }
}
