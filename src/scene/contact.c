// SPDX-License-Identifier: MIT
// Contacts: two ports and a law.

#include "scene/names.h"
#include "scene/scene.h"

#include <string.h>

static JwForm read_law(JwLoader* loader, const JwJson* node) {
  const JwJson* const value = jw_member(loader, node, "law");
  const char* const text = value ? jw_read_text(loader, "law", value) : NULL;
  if (!jw_json_member(node, "law")) {
    jw_loader_error(loader, jw_head(node), "a contact needs the key \"law\"");
  }
  if (!text) {
    return JW_FORM_COUNT;
  }
  JwNearest nearest = {text, NULL, UINT32_MAX};
  for (int kind = JW_KIND_COLLISION; kind <= JW_KIND_BOW; ++kind) {
    if (strcmp(jw_kind_name((JwKind)kind), text) == 0) {
      return jw_form_of_kind((JwKind)kind);
    }
    jw_nearest_try(&nearest, jw_kind_name((JwKind)kind));
  }
  if (nearest.found) {
    jw_loader_error(loader, value->place, "no law is called \"%.32s\"; did you mean \"%s\"?", text,
                    nearest.found);
  } else {
    jw_loader_error(
        loader, value->place,
        "no law is called \"%.32s\"; it can be: collision, connection, spring, friction, bow",
        text);
  }
  return JW_FORM_COUNT;
}

static void read_between(JwLoader* loader, const JwJson* between, JwItem* item, bool whole) {
  if (between->type != JW_JSON_ARRAY || between->count != 2) {
    jw_loader_error(loader, between->place, "\"between\" must be a list of two ports");
    return;
  }
  const JwJson* const first = jw_value(loader, between->first);
  const JwJson* const second = jw_value(loader, between->last);
  if (first) {
    jw_read_port(loader, first, item, 0, whole);
  }
  if (second) {
    jw_read_port(loader, second, item, 1, whole);
  }
}

/// "between" two ports, or one "below" and one "above".
static void read_pair(JwLoader* loader, const JwJson* node, JwItem* item) {
  const bool whole = item->kind == JW_KIND_COLLISION && item->def.collision.along;
  const bool collision = item->kind == JW_KIND_COLLISION;
  const bool has_between = jw_json_member(node, "between") != NULL;
  const JwJson* const below = collision ? jw_json_member(node, "below") : NULL;
  const JwJson* const above = collision ? jw_json_member(node, "above") : NULL;
  if (has_between ? below || above : collision && !(below && above)) {
    jw_loader_error(loader, item->place,
                    "a collision needs either \"between\", or both \"below\" and \"above\"");
    return;
  }
  if (!has_between && !collision) {
    jw_loader_error(loader, item->place, "%s needs the key \"between\"",
                    jw_form_name(jw_form_of_kind(item->kind)));
    return;
  }
  const JwJson* const between = jw_member(loader, node, "between");
  const JwJson* const lower = below ? jw_value(loader, below) : NULL;
  const JwJson* const upper = above ? jw_value(loader, above) : NULL;
  if (between) {
    read_between(loader, between, item, whole);
  }
  if (lower) {
    jw_read_port(loader, lower, item, 0, whole);
  }
  if (upper) {
    jw_read_port(loader, upper, item, 1, whole);
  }
}

static void read_pressed_by(JwLoader* loader, const JwJson* node, JwItem* item) {
  const JwJson* const value = jw_member(loader, node, "pressed_by");
  const char* const name = value ? jw_read_text(loader, "pressed_by", value) : NULL;
  if (!name) {
    return;
  }
  item->heard = jw_find_item(loader->scene, name);
  if (!item->heard || !jw_kind_is_contact(item->heard->kind)) {
    item->heard = NULL;
    jw_unknown_item(loader, value->place, name, jw_kind_is_contact);
  }
}

void jw_load_contact(JwLoader* loader, const JwJson* node) {
  if (node->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, node->place, "a contact must be an object, found %s",
                    jw_json_type_name(node->type));
    return;
  }
  const JwForm form = read_law(loader, node);
  JwItem* const item = form == JW_FORM_COUNT ? NULL : jw_add_item(loader, form, node);
  if (!item) {
    return;
  }
  jw_name_member(loader, item, node);
  jw_read_form(loader, form, node, &item->def, item);
  if (form != JW_FORM_BOW) {
    read_pair(loader, node, item);
    if (form == JW_FORM_FRICTION) {
      read_pressed_by(loader, node, item);
    }
    return;
  }
  const JwJson* const on = jw_member(loader, node, "on");
  if (on) {
    jw_read_port(loader, on, item, 0, false);
  }
}
