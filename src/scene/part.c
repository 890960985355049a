// SPDX-License-Identifier: MIT
// Parts of a scene and their names; objects, initial states and pickups.

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

bool jw_kind_is_object(JwKind kind) {
  return kind >= JW_KIND_MASS && kind <= JW_KIND_BARRIER;
}
bool jw_kind_is_contact(JwKind kind) {
  return kind >= JW_KIND_COLLISION && kind <= JW_KIND_BOW;
}

/// The counter of a part's sort, its limit and what the sort is called.
static uint32_t* counter(JwScene* scene, JwKind kind, uint32_t* limit, const char** sort) {
  if (jw_kind_is_object(kind)) {
    *limit = (uint32_t)scene->limits.objects;
    *sort = "objects";
    return &scene->object_count;
  }
  if (jw_kind_is_contact(kind)) {
    *limit = (uint32_t)scene->limits.contacts;
    *sort = "contacts";
    return &scene->contact_count;
  }
  *limit = (uint32_t)(kind == JW_KIND_PICKUP ? scene->limits.pickups : scene->limits.events);
  *sort = kind == JW_KIND_PICKUP ? "pickups" : "events";
  return kind == JW_KIND_PICKUP ? &scene->pickup_count : &scene->event_count;
}

/// The line of a place.  Parts come nearly in the order of the file: counting goes on from there.
static uint32_t line_of(JwScene* scene, JwPlace place) {
  JwSource* const source = &scene->sources[place.source];
  if (place.offset < source->seen) {
    source->seen = 0;
    source->lines = 0;
  }
  for (; source->seen < place.offset; ++source->seen) {
    source->lines += source->text[source->seen] == '\n';
  }
  return source->lines + 1;
}

JwItem* jw_add_item(JwLoader* loader, JwForm form, const JwJson* node) {
  JwScene* const scene = loader->scene;
  uint32_t limit = 0;
  const char* sort = "";
  uint32_t* const count = counter(scene, jw_form_kind(form), &limit, &sort);
  if (*count >= limit) {
    jw_scene_error(scene, jw_head(node), "more than %u %s", limit, sort);
    return NULL;
  }
  JwItem* const item = (JwItem*)jw_pool_take(&scene->pool, sizeof *item);
  if (!item) {
    return NULL;
  }
  ++*count;
  item->kind = jw_form_kind(form);
  item->place = jw_head(node);
  item->line = line_of(scene, item->place);
  jw_params_default(item->kind, &item->def);
  *(scene->last ? &scene->last->next : &scene->first) = item;
  scene->last = item;
  ++scene->item_count;
  return item;
}

/// Inside an include that has a name, that name and a slash stand before each of its own.
static bool is_called(const JwScene* scene, const JwItem* item, const char* name) {
  const size_t length = scene->prefix ? strlen(scene->prefix) : 0;
  if (!item->name || length == 0) {
    return item->name && strcmp(item->name, name) == 0;
  }
  return strncmp(item->name, scene->prefix, length) == 0 && item->name[length] == '/'
         && strcmp(item->name + length + 1, name) == 0;
}

const char* jw_full_name(JwLoader* loader, const char* name) {
  const char* const prefix = loader->scene->prefix;
  if (!prefix) {
    return name;
  }
  const size_t length = strlen(prefix), size = length + strlen(name) + 2;
  char* const text = (char*)jw_pool_take(&loader->scene->pool, size);
  if (!text) {
    return name;
  }
  memcpy(text, prefix, length);
  text[length] = '/';
  memcpy(text + length + 1, name, size - length - 1);
  return text;
}

JwItem* jw_find_item(const JwScene* scene, const char* name) {
  for (JwItem* item = scene->first; item; item = item->next) {
    if (is_called(scene, item, name)) {
      return item;
    }
  }
  return NULL;
}

void jw_unknown_item(JwLoader* loader, JwPlace place, const char* name, bool (*wanted)(JwKind)) {
  JwNearest nearest = {name, NULL, UINT32_MAX};
  const char* const sort = wanted == jw_kind_is_object    ? "object"
                           : wanted == jw_kind_is_contact ? "contact"
                                                          : "part";
  for (const JwItem* item = loader->scene->first; item; item = item->next) {
    if (item->name && (!wanted || wanted(item->kind))) {
      jw_nearest_try(&nearest, item->name);
    }
  }
  if (nearest.found) {
    jw_loader_error(loader, place, "no %s is called \"%.64s\"; did you mean \"%s\"?", sort, name,
                    nearest.found);
  } else {
    jw_loader_error(loader, place, "no %s is called \"%.64s\"", sort, name);
  }
}

void jw_name_item(JwLoader* loader, JwItem* item, const char* name, JwPlace place) {
  const size_t length = strlen(name);
  if (length == 0 || length > 63 || strpbrk(name, "@,.$ \t\n\"")) {
    jw_loader_error(loader, place,
                    "\"%.64s\" is no name: 1 to 63 letters without blanks and @ , . $", name);
    return;
  }
  const JwItem* const other = jw_find_item(loader->scene, name);
  if (other) {
    const JwSource* const source = &loader->scene->sources[other->place.source];
    jw_loader_error(loader, place, "the name \"%s\" is taken by line %u of %s", name, other->line,
                    source->file);
    return;
  }
  item->name = jw_full_name(loader, name);
  if (strlen(item->name) > 63) {
    jw_loader_error(loader, place, "\"%.100s\" is longer than 63 letters", item->name);
  }
}

void jw_name_member(JwLoader* loader, JwItem* item, const JwJson* node) {
  const JwJson* const value = jw_member(loader, node, "name");
  const char* const name = value ? jw_read_text(loader, "name", value) : NULL;
  if (name) {
    jw_name_item(loader, item, name, value->place);
  }
}

// ---------------------------------------------------------------- objects

/// Density, Young's modulus and Poisson's ratio of a material, where the object does not say its
/// own.
static void read_material(JwLoader* loader, JwForm form, const JwJson* node, void* def) {
  const JwJson* const value = jw_member(loader, node, "material");
  const char* const name = value ? jw_read_text(loader, "material", value) : NULL;
  if (!name) {
    return;
  }
  const JwMaterial* const material = jw_material_find(name);
  if (!material) {
    uint32_t count = 0;
    const JwMaterial* const all = jw_materials(&count);
    JwNearest nearest = {name, NULL, UINT32_MAX};
    for (uint32_t i = 0; i < count; ++i) {
      jw_nearest_try(&nearest, all[i].name);
    }
    if (nearest.found) {
      jw_loader_error(loader, value->place, "no material is called \"%.32s\"; did you mean \"%s\"?",
                      name, nearest.found);
    } else {
      jw_loader_error(loader, value->place, "no material is called \"%.32s\"", name);
    }
    return;
  }
  const struct {
    const char* key;
    double number;
  } values[] = {
      {"density", material->density}, {"young", material->young}, {"poisson", material->poisson}};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
    const JwParam* const param = jw_form_param(form, values[i].key);
    if (param && !jw_json_member(node, values[i].key)) {
      *(double*)(void*)((char*)def + param->offset) = values[i].number;
    }
  }
}

/// One [frequency, decay, mass].
static bool read_mode(JwLoader* loader, const JwJson* node, JwMode* mode) {
  static const JwParam params[3] = {
      {"frequency", "Hz", "", JW_TYPE_NUMBER, offsetof(JwMode, frequency), 1, 0, 1e6, 0, false,
       NULL},
      {"decay", "1/s", "", JW_TYPE_NUMBER, offsetof(JwMode, decay), 1, 0, 1e9, 0, false, NULL},
      {"mass", "kg", "", JW_TYPE_NUMBER, offsetof(JwMode, mass), 1, 1e-12, 1e9, 0, false, NULL}};
  const JwJson* const triple = jw_value(loader, node);
  if (!triple || triple->type != JW_JSON_ARRAY || triple->count != 3) {
    jw_loader_error(loader, node->place, "a mode must be [frequency, decay, mass]");
    return false;
  }
  bool good = true;
  const JwJson* child = triple->first;
  for (int i = 0; i < 3; ++i, child = child->next) {
    const JwJson* const value = jw_value(loader, child);
    good = value && jw_read_param(loader, &params[i], value, mode) && good;
  }
  return good;
}

static void read_modes(JwLoader* loader, const JwJson* node, JwModalDef* def) {
  const JwJson* const value = jw_member(loader, node, "modes");
  if (!value) {
    return;
  }
  if (value->type != JW_JSON_ARRAY || value->count == 0) {
    jw_loader_error(loader, value->place, "\"modes\" must be a list of [frequency, decay, mass]");
    return;
  }
  JwMode* const modes = (JwMode*)jw_pool_array(&loader->scene->pool, value->count, sizeof *modes);
  for (const JwJson* child = value->first; child && modes; child = child->next) {
    read_mode(loader, child, &modes[def->mode_count++]);
  }
  def->modes = modes;
}

/// One row a place, one weight a mode.
static void read_shapes(JwLoader* loader, const JwJson* node, JwModalDef* def) {
  const JwJson* const value = jw_member(loader, node, "shapes");
  if (!value || def->mode_count == 0) {
    return;
  }
  if (value->type != JW_JSON_ARRAY || value->count == 0) {
    jw_loader_error(loader, value->place, "\"shapes\" must be a list of lists of weights");
    return;
  }
  double* const shapes = (double*)jw_pool_array(
      &loader->scene->pool, (uint64_t)value->count * def->mode_count, sizeof *shapes);
  for (const JwJson* child = value->first; child && shapes;
       child = child->next, ++def->shape_count) {
    uint32_t count = 0;
    const JwJson* const row = jw_value(loader, child);
    const double* const weights = row ? jw_read_numbers(loader, "shapes", row, &count) : NULL;
    if (weights && count != def->mode_count) {
      jw_loader_error(loader, row->place, "this shape has %u weights, but there are %u modes",
                      count, def->mode_count);
    } else if (weights) {
      memcpy(shapes + (size_t)def->shape_count * def->mode_count, weights, count * sizeof *weights);
    }
  }
  def->shapes = shapes;
}

static void read_profile(JwLoader* loader, const JwJson* node, JwBarrierDef* def) {
  const JwJson* const polynomial = jw_member(loader, node, "polynomial");
  const JwJson* const table = jw_member(loader, node, "table");
  if (polynomial) {
    def->polynomial = jw_read_numbers(loader, "polynomial", polynomial, &def->polynomial_count);
  }
  if (!table) {
    return;
  }
  static const JwParam heights = {.key = "table", .unit = "", .minimum = -1e6, .maximum = 1e6};
  JwItem scratch = {.curves = NULL};
  const JwCurve* const curve =
      jw_is_curve(table) ? jw_read_curve(loader, &heights, table, &scratch) : NULL;
  if (!jw_is_curve(table)) {
    jw_loader_error(loader, table->place, "\"table\" must be a list of [x, height]");
  } else if (curve) {
    def->table = &curve->points[0].time;
    def->table_count = curve->count;
  }
}

/// What "kind" or "law" says; JW_KIND_COUNT after noting an error.
static JwKind read_kind(JwLoader* loader, const JwJson* node) {
  const JwJson* const value = jw_member(loader, node, "kind");
  const char* const text = value ? jw_read_text(loader, "kind", value) : NULL;
  if (!value && !jw_json_member(node, "kind")) {
    jw_loader_error(loader, jw_head(node), "an object needs the key \"kind\"");
  }
  if (!text) {
    return JW_KIND_COUNT;
  }
  JwNearest nearest = {text, NULL, UINT32_MAX};
  for (int kind = JW_KIND_MASS; kind <= JW_KIND_BARRIER; ++kind) {
    if (strcmp(jw_kind_name((JwKind)kind), text) == 0) {
      return (JwKind)kind;
    }
    jw_nearest_try(&nearest, jw_kind_name((JwKind)kind));
  }
  if (nearest.found) {
    jw_loader_error(loader, value->place, "no object is a \"%.32s\"; did you mean \"%s\"?", text,
                    nearest.found);
  } else {
    jw_loader_error(loader, value->place,
                    "no object is a \"%.32s\"; it can be: mass, string, plate, modal, barrier",
                    text);
  }
  return JW_KIND_COUNT;
}

void jw_load_object(JwLoader* loader, const JwJson* node) {
  const char* const name = jw_expand(loader, node->key, node->key_place);
  if (!name) {
    return;
  }
  if (node->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, node->place, "\"%.64s\" must be an object, found %s", name,
                    jw_json_type_name(node->type));
    return;
  }
  const JwKind kind = read_kind(loader, node);
  const JwForm form = kind == JW_KIND_COUNT ? JW_FORM_COUNT : jw_form_of_kind(kind);
  JwItem* const item = form == JW_FORM_COUNT ? NULL : jw_add_item(loader, form, node);
  if (!item) {
    return;
  }
  jw_name_item(loader, item, name, node->key_place);
  read_material(loader, form, node, &item->def);
  jw_read_form(loader, form, node, &item->def, item);
  if (kind == JW_KIND_MODAL) {
    read_modes(loader, node, &item->def.modal);
    read_shapes(loader, node, &item->def.modal);
  } else if (kind == JW_KIND_BARRIER) {
    read_profile(loader, node, &item->def.barrier);
  }
}

// ---------------------------------------------------------------- initial states, pickups

void jw_load_initial(JwLoader* loader, const JwJson* node) {
  JwItem* const item = jw_add_item(loader, JW_FORM_INITIAL, node);
  if (!item) {
    return;
  }
  jw_read_form(loader, JW_FORM_INITIAL, node, &item->def, item);
  const JwJson* const on = node->type == JW_JSON_OBJECT ? jw_member(loader, node, "on") : NULL;
  if (on) {
    jw_read_port(loader, on, item, 0, item->def.initial.shape == JW_SHAPE_SINE);
    item->def.initial.x = item->ports[0].placed ? item->ports[0].port.x : item->def.initial.x;
    item->def.initial.y = item->ports[0].placed ? item->ports[0].port.y : item->def.initial.y;
    if (item->ports[0].port.degrees != 0.0) {
      item->def.initial.degrees = item->ports[0].port.degrees;
    }
  }
}

static void read_heard(JwLoader* loader, const JwJson* node, JwItem* item) {
  const JwJson* const at = jw_member(loader, node, "at");
  const JwJson* const contact = jw_member(loader, node, "contact");
  if (!jw_json_member(node, "at") == !jw_json_member(node, "contact")) {
    jw_loader_error(loader, item->place,
                    "a pickup needs either \"at\", a port, or \"contact\", a name");
    return;
  }
  if (at) {
    jw_read_port(loader, at, item, 0, false);
    if (item->def.pickup.quantity == JW_QUANTITY_FORCE) {
      jw_loader_error(
          loader, at->place,
          "the force is that of a contact: name it under \"contact\" instead of \"at\"");
    }
  }
  const char* const name = contact ? jw_read_text(loader, "contact", contact) : NULL;
  if (!name) {
    return;
  }
  item->heard = jw_find_item(loader->scene, name);
  if (!item->heard || !jw_kind_is_contact(item->heard->kind)) {
    jw_unknown_item(loader, contact->place, name, jw_kind_is_contact);
  }
  if (!jw_json_member(node, "quantity")) {
    item->def.pickup.quantity = JW_QUANTITY_FORCE;
  } else if (item->def.pickup.quantity != JW_QUANTITY_FORCE) {
    jw_loader_error(loader, contact->place, "of a contact only the \"force\" can be heard");
  }
}

void jw_load_pickup(JwLoader* loader, const JwJson* node) {
  JwItem* const item = jw_add_item(loader, JW_FORM_PICKUP, node);
  if (!item) {
    return;
  }
  if (node->type == JW_JSON_OBJECT) {
    const JwJson* const gain = jw_member(loader, node, "gain");
    item->auto_gain = gain && gain->type == JW_JSON_TEXT && strcmp(gain->text, "auto") == 0;
    loader->scene->info.auto_gain = loader->scene->info.auto_gain || item->auto_gain;
  }
  jw_read_form(loader, JW_FORM_PICKUP, node, &item->def, item);
  if (node->type == JW_JSON_OBJECT) {
    jw_name_member(loader, item, node);
    read_heard(loader, node, item);
  }
}
