// SPDX-License-Identifier: MIT
// From JSON values to the fields of definitions, by the parameter tables.

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void wrong_type(JwLoader* loader, const char* name, const char* wanted,
                       const JwJson* value) {
  jw_loader_error(loader, value->place, "\"%s\" must be %s, found %s", name, wanted,
                  jw_json_type_name(value->type));
}

static bool in_range(JwLoader* loader, const char* name, const JwJson* value,
                     const double range[2]) {
  if (value->number >= range[0] && value->number <= range[1]) {
    return true;
  }
  jw_loader_error(loader, value->place, "\"%s\" is %.15g, must be from %.15g to %.15g", name,
                  value->number, range[0], range[1]);
  return false;
}

bool jw_read_number(JwLoader* loader, const char* name, const JwJson* value, const double range[2],
                    double* out) {
  if (value->type != JW_JSON_NUMBER) {
    wrong_type(loader, name, "a number", value);
    return false;
  }
  *out = value->number;
  return in_range(loader, name, value, range);
}

const char* jw_read_text(JwLoader* loader, const char* name, const JwJson* value) {
  if (value->type != JW_JSON_TEXT) {
    wrong_type(loader, name, "a text", value);
    return NULL;
  }
  return value->text;
}

double* jw_read_numbers(JwLoader* loader, const char* name, const JwJson* value, uint32_t* count) {
  static const double any[2] = {-1e12, 1e12};
  if (value->type != JW_JSON_ARRAY || value->count == 0) {
    wrong_type(loader, name, "a list of numbers", value);
    return NULL;
  }
  double* const numbers =
      (double*)jw_pool_array(&loader->scene->pool, value->count, sizeof *numbers);
  bool good = numbers != NULL;
  *count = 0;
  for (const JwJson* child = value->first; child && numbers; child = child->next) {
    const JwJson* const element = jw_value(loader, child);
    good = element && jw_read_number(loader, name, element, any, &numbers[(*count)++]) && good;
  }
  return good ? numbers : NULL;
}

// ---------------------------------------------------------------- one element of a field

bool jw_read_quantity(JwLoader* loader, const JwParam* param, const JwJson* value, double* out) {
  const double range[2] = {param->minimum, param->maximum};
  const bool hertz = strcmp(param->unit, "Hz") == 0;
  if (value->type == JW_JSON_TEXT && hertz) {
    JwJson note = *value;
    note.number = jw_note_frequency(value->text);
    if (isnan(note.number)) {
      jw_loader_error(loader, value->place,
                      "\"%.32s\" is no note: write for instance \"E2\", \"C#3\" or \"Bb1+15\"",
                      value->text);
      return false;
    }
    *out = note.number;
    return in_range(loader, param->key, &note, range);
  }
  if (value->type != JW_JSON_NUMBER && hertz) {
    wrong_type(loader, param->key, "a number or a note", value);
    return false;
  }
  return jw_read_number(loader, param->key, value, range, out);
}

static bool read_count(JwLoader* loader, const JwParam* param, const JwJson* value, double* out) {
  if (!jw_read_quantity(loader, param, value, out)) {
    return false;
  }
  if (*out != floor(*out)) {
    jw_loader_error(loader, value->place, "\"%s\" is %.15g, must be a whole number", param->key,
                    *out);
    return false;
  }
  return true;
}

static bool read_choice(JwLoader* loader, const JwParam* param, const JwJson* value, int* out) {
  const char* const text = jw_read_text(loader, param->key, value);
  if (!text) {
    return false;
  }
  JwNearest nearest = {text, NULL, UINT32_MAX};
  char known[JW_ERROR_SIZE / 2] = "";
  for (int i = 0; param->choices[i]; ++i) {
    if (strcmp(param->choices[i], text) == 0) {
      *out = i;
      return true;
    }
    jw_nearest_try(&nearest, param->choices[i]);
    strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, param->choices[i], sizeof known - strlen(known) - 1);
  }
  if (nearest.found) {
    jw_loader_error(loader, value->place, "\"%s\" cannot be \"%.32s\"; did you mean \"%s\"?",
                    param->key, text, nearest.found);
  } else {
    jw_loader_error(loader, value->place, "\"%s\" cannot be \"%.32s\"; it can be: %s", param->key,
                    text, known);
  }
  return false;
}

static bool read_flag(JwLoader* loader, const JwParam* param, const JwJson* value, bool* out) {
  if (value->type != JW_JSON_TRUE && value->type != JW_JSON_FALSE) {
    wrong_type(loader, param->key, "true or false", value);
    return false;
  }
  *out = value->type == JW_JSON_TRUE;
  return true;
}

static bool read_element(JwLoader* loader, const JwParam* param, const JwJson* value, void* def,
                         uint32_t i) {
  void* const field = (char*)def + param->offset;
  double number = 0.0;
  switch (param->type) {
  case JW_TYPE_NUMBER:
  case JW_TYPE_NUMBERS: return jw_read_quantity(loader, param, value, (double*)field + i);
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS:
    if (!read_count(loader, param, value, &number)) {
      return false;
    }
    ((uint32_t*)field)[i] = (uint32_t)number;
    return true;
  case JW_TYPE_LARGE:
    if (!read_count(loader, param, value, &number)) {
      return false;
    }
    *(uint64_t*)field = (uint64_t)number;
    return true;
  case JW_TYPE_FLAG: return read_flag(loader, param, value, (bool*)field);
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: return read_choice(loader, param, value, (int*)field + i);
  }
  return false;
}

/// A list of as many elements as the field has; one choice may stand for all.
static bool read_list(JwLoader* loader, const JwParam* param, const JwJson* value, void* def) {
  bool good = true;
  if (param->type == JW_TYPE_CHOICES && value->type == JW_JSON_TEXT) {
    for (uint32_t i = 0; i < param->count && good; ++i) {
      good = read_element(loader, param, value, def, i);
    }
    return good;
  }
  if (value->type != JW_JSON_ARRAY || value->count != param->count) {
    jw_loader_error(loader, value->place, "\"%s\" must be a list of %u values%s%s", param->key,
                    param->count, value->type == JW_JSON_ARRAY ? "" : ", found ",
                    value->type == JW_JSON_ARRAY ? "" : jw_json_type_name(value->type));
    return false;
  }
  uint32_t i = 0;
  for (const JwJson* child = value->first; child; child = child->next, ++i) {
    const JwJson* const element = jw_value(loader, child);
    good = element && read_element(loader, param, element, def, i) && good;
  }
  return good;
}

bool jw_read_param(JwLoader* loader, const JwParam* param, const JwJson* value, void* def) {
  return param->count > 1 ? read_list(loader, param, value, def)
                          : read_element(loader, param, value, def, 0);
}

// ---------------------------------------------------------------- a whole form

/// Note an unknown key; returns the one that was probably meant, or NULL.
static const char* unknown_key(JwLoader* loader, JwForm form, const JwJson* member) {
  JwNearest nearest = {member->key, NULL, UINT32_MAX};
  uint32_t count = 0;
  const JwFormKey* const keys = jw_form_keys(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if (keys[i].forms >> form & 1u) {
      jw_nearest_try(&nearest, keys[i].key);
    }
  }
  const JwParam* const params = jw_form_params(form, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (jw_form_has(form, &params[i])) {
      jw_nearest_try(&nearest, params[i].key);
    }
  }
  if (nearest.found) {
    jw_loader_error(loader, member->key_place, "%s has no key \"%.32s\"; did you mean \"%s\"?",
                    jw_form_name(form), member->key, nearest.found);
  } else {
    jw_loader_error(loader, member->key_place, "%s has no key \"%.32s\"", jw_form_name(form),
                    member->key);
  }
  return nearest.found;
}

/// Whether a key is there, or was meant by the key that is unknown.
static bool given(const JwJson* node, const char* key, const char* meant) {
  return jw_json_member(node, key) || (meant && strcmp(meant, key) == 0);
}

static void check_required(JwLoader* loader, JwForm form, const JwJson* node, const char* meant) {
  uint32_t count = 0;
  const JwFormKey* const keys = jw_form_keys(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if ((keys[i].forms >> form & 1u) && keys[i].required && !given(node, keys[i].key, meant)) {
      jw_loader_error(loader, jw_head(node), "%s needs the key \"%s\"", jw_form_name(form),
                      keys[i].key);
    }
  }
  const JwParam* const params = jw_form_params(form, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (params[i].required && jw_form_has(form, &params[i]) && !given(node, params[i].key, meant)) {
      jw_loader_error(loader, jw_head(node), "%s needs the key \"%s\"", jw_form_name(form),
                      params[i].key);
    }
  }
}

/// "position, gap": the keys of a kind that can follow a curve.
static void list_curves(JwKind kind, char* list, size_t size) {
  uint32_t count = 0;
  const JwParam* const params = jw_params(kind, &count);
  list[0] = '\0';
  for (uint32_t i = 0; i < count; ++i) {
    if (jw_form_control(kind, params[i].key) != JW_CONTROL_COUNT) {
      const size_t used = strlen(list);
      snprintf(list + used, size - used, "%s%s", used ? ", " : "", params[i].key);
    }
  }
}

/// A number that may be given as a curve: the field gets its first value.
static void read_curve(JwLoader* loader, const JwParam* param, const JwJson* value, void* def,
                       JwItem* item) {
  const JwControl control = item ? jw_form_control(item->kind, param->key) : JW_CONTROL_COUNT;
  if (control == JW_CONTROL_COUNT) {
    char known[JW_ERROR_SIZE / 2] = "";
    if (item) {
      list_curves(item->kind, known, sizeof known);
    }
    jw_loader_error(loader, value->place, "\"%s\" cannot follow a curve%s%s%s%s", param->key,
                    known[0] ? "; of a " : "", known[0] ? jw_kind_name(item->kind) : "",
                    known[0] ? " these can: " : "", known);
    return;
  }
  JwCurve* const curve = jw_read_curve(loader, param, value, item);
  if (curve) {
    curve->control = control;
    *(double*)(void*)((char*)def + param->offset) = curve->points[0].value;
  }
}

void jw_read_form(JwLoader* loader, JwForm form, const JwJson* node, void* def, JwItem* item) {
  if (node->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, node->place, "%s must be an object, found %s", jw_form_name(form),
                    jw_json_type_name(node->type));
    return;
  }
  const char* meant = NULL;
  for (const JwJson* member = node->first; member; member = member->next) {
    const JwParam* const param = jw_form_param(form, member->key);
    if (jw_form_key(form, member->key)) {
      continue;
    }
    if (!param) {
      meant = unknown_key(loader, form, member);
      continue;
    }
    const JwJson* const value = jw_value(loader, member);
    if (value && param->type == JW_TYPE_NUMBER && jw_is_curve(value)) {
      read_curve(loader, param, value, def, item);
    } else if (value && !(item && item->auto_gain && strcmp(param->key, "gain") == 0)) {
      jw_read_param(loader, param, value, def);
    }
  }
  check_required(loader, form, node, meant);
}
