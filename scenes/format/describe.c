// SPDX-License-Identifier: MIT
// Describe the scene format from its tables.
//
//   describe schema          the JSON Schema that editors read
//   describe manual FILE     FILE with the tables between <!-- keys: NAME --> and <!-- end --> anew
//
// Nothing about a key stands here: it is in src/define/params.c or src/scene/forms.c.

#include "scene/forms.h"
#include "scene/json.h"

#include <jawari/scene.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char* const form_names[JW_FORM_COUNT] = {
    [JW_FORM_SCENE] = "scene",
    [JW_FORM_WORLD] = "world",
    [JW_FORM_MASS] = "mass",
    [JW_FORM_STRING] = "string",
    [JW_FORM_PLATE] = "plate",
    [JW_FORM_MODAL] = "modal",
    [JW_FORM_BARRIER] = "barrier",
    [JW_FORM_COLLISION] = "collision",
    [JW_FORM_CONNECTION] = "connection",
    [JW_FORM_SPRING] = "spring",
    [JW_FORM_FRICTION] = "friction",
    [JW_FORM_BOW] = "bow",
    [JW_FORM_INITIAL] = "initial",
    [JW_FORM_BOWING] = "bow-event",
    [JW_FORM_PLUCK] = "pluck",
    [JW_FORM_STRIKE] = "strike",
    [JW_FORM_PUSH] = "push",
    [JW_FORM_THROW] = "throw",
    [JW_FORM_SET] = "set",
    [JW_FORM_NOTE] = "note",
    [JW_FORM_FRET] = "fret",
    [JW_FORM_PICKUP] = "pickup",
    [JW_FORM_PORT] = "port",
    [JW_FORM_INCLUDE] = "include",
    [JW_FORM_RANGE] = "range",
    [JW_FORM_PLAY] = "play",
    [JW_FORM_VOICE] = "voice",
    [JW_FORM_CONTROL] = "control",
    [JW_FORM_HUMANISE] = "humanise",
};

// ---------------------------------------------------------------- schema

/// A text in quotes, escaped.
static void put_text(const char* text) {
  putchar('"');
  for (; *text; ++text) {
    if (*text == '"' || *text == '\\') {
      putchar('\\');
    }
    putchar(*text);
  }
  putchar('"');
}

#define PARAMETER "{\"type\": \"string\", \"pattern\": \"^[$=]\"}"

static void put_choices(const char* const* choices) {
  printf("{\"enum\": [");
  for (uint32_t i = 0; choices[i]; ++i) {
    printf("%s\"%s\"", i ? ", " : "", choices[i]);
  }
  printf("]}");
}

/// One element of a parameter.
static void put_element(const JwParam* param) {
  const bool whole =
      param->type == JW_TYPE_COUNT || param->type == JW_TYPE_COUNTS || param->type == JW_TYPE_LARGE;
  if (param->choices) {
    put_choices(param->choices);
  } else if (param->type == JW_TYPE_FLAG) {
    printf("{\"type\": \"boolean\"}");
  } else {
    printf("{\"type\": \"%s\", \"minimum\": %.15g, \"maximum\": %.15g}",
           whole ? "integer" : "number", param->minimum, param->maximum);
  }
}

static void put_param(const JwParam* param, JwKind kind) {
  printf("\"description\": ");
  put_text(param->help);
  printf(", \"anyOf\": [");
  if (param->count > 1) {
    printf("{\"type\": \"array\", \"minItems\": %u, \"maxItems\": %u, \"items\": {\"anyOf\": [",
           param->count, param->count);
    put_element(param);
    printf(", " PARAMETER "]}}");
  }
  if (param->count == 1 || param->choices) {
    printf("%s", param->count > 1 ? ", " : "");
    put_element(param);
  }
  printf(", " PARAMETER);
  if (strcmp(param->unit, "Hz") == 0) {
    printf(", {\"type\": \"string\", \"pattern\": \"^[A-G]\"}");
  }
  if (jw_form_control(kind, param->key) != JW_CONTROL_COUNT) {
    printf(", {\"$ref\": \"#/definitions/curve\"}");
  }
  if (jw_form_control(kind, param->key) == JW_CONTROL_GAIN) {
    printf(", {\"const\": \"auto\"}");
  }
  printf("]");
}

/// What the lists and objects of a scene hold.
static void put_section(const char* key) {
  static const struct {
    const char* key;
    int first, last;
  } sections[] = {{"objects", JW_FORM_MASS, JW_FORM_BARRIER},
                  {"contacts", JW_FORM_COLLISION, JW_FORM_BOW},
                  {"initial", JW_FORM_INITIAL, JW_FORM_INITIAL},
                  {"score", JW_FORM_BOWING, JW_FORM_FRET},
                  {"pickups", JW_FORM_PICKUP, JW_FORM_PICKUP},
                  {"world", JW_FORM_WORLD, JW_FORM_WORLD},
                  {"play", JW_FORM_PLAY, JW_FORM_PLAY},
                  {"voices", JW_FORM_VOICE, JW_FORM_VOICE},
                  {"controls", JW_FORM_CONTROL, JW_FORM_CONTROL},
                  {"humanise", JW_FORM_HUMANISE, JW_FORM_HUMANISE}};
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
    if (strcmp(key, sections[i].key) != 0) {
      continue;
    }
    if (strcmp(key, "world") == 0 || strcmp(key, "play") == 0 || strcmp(key, "humanise") == 0) {
      printf(", \"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", key);
      return;
    }
    printf(", \"%s\": {\"anyOf\": [", i ? "items" : "additionalProperties");
    for (int form = sections[i].first; form <= sections[i].last; ++form) {
      printf("%s{\"$ref\": \"#/definitions/%s\"}", form > sections[i].first ? ", " : "",
             form_names[form]);
    }
    printf("]}");
  }
}

static void put_key(const JwFormKey* key, JwForm form) {
  static const char* const types[] = {[JW_HOLDS_TEXT] = "\"string\"",
                                      [JW_HOLDS_NUMBER] = "[\"number\", \"string\", \"array\"]",
                                      [JW_HOLDS_COUNT] = "[\"integer\", \"string\"]",
                                      [JW_HOLDS_LIST] = "[\"array\", \"string\"]",
                                      [JW_HOLDS_OBJECT] = "\"object\"",
                                      [JW_HOLDS_ANY] = "[\"string\", \"array\", \"object\"]"};
  printf("\"description\": ");
  put_text(key->help);
  if (strcmp(key->key, "jawari") == 0) {
    printf(", \"const\": 1");
  } else if (strcmp(key->key, "kind") == 0 || strcmp(key->key, "law") == 0) {
    printf(", \"const\": \"%s\"", jw_kind_name(jw_form_kind(form)));
  } else if (strcmp(key->key, "material") == 0) {
    printf(", \"anyOf\": [" PARAMETER ", {\"enum\": [");
    uint32_t count = 0;
    const JwMaterial* const materials = jw_materials(&count);
    for (uint32_t i = 0; i < count; ++i) {
      printf("%s\"%s\"", i ? ", " : "", materials[i].name);
    }
    printf("]}]");
  } else if (key->holds == JW_HOLDS_PORT) {
    printf(", \"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/definitions/port\"}]");
  } else {
    printf(", \"type\": %s", types[key->holds]);
  }
  if (form == JW_FORM_SCENE || form == JW_FORM_PLAY) {
    put_section(key->key);
  }
}

static void put_required(JwForm form) {
  uint32_t count = 0, shown = 0;
  const JwFormKey* const keys = jw_form_keys(&count);
  printf("\"required\": [");
  for (uint32_t i = 0; i < count; ++i) {
    if ((keys[i].forms >> form & 1u) && keys[i].required) {
      printf("%s\"%s\"", shown++ ? ", " : "", keys[i].key);
    }
  }
  const JwParam* const params = jw_form_params(form, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (params[i].required && jw_form_has(form, &params[i])) {
      printf("%s\"%s\"", shown++ ? ", " : "", params[i].key);
    }
  }
  printf("]");
}

static void put_form(JwForm form) {
  uint32_t count = 0, shown = 0;
  printf("\"type\": \"object\", \"additionalProperties\": false,\n      \"properties\": {");
  const JwFormKey* const keys = jw_form_keys(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if (keys[i].forms >> form & 1u) {
      printf("%s\n        \"%s\": {", shown++ ? "," : "", keys[i].key);
      put_key(&keys[i], form);
      printf("}");
    }
  }
  const JwKind kind = jw_form_kind(form);
  const JwParam* const params = jw_form_params(form, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (jw_form_has(form, &params[i])) {
      printf("%s\n        \"%s\": {", shown++ ? "," : "", params[i].key);
      put_param(&params[i], kind);
      printf("}");
    }
  }
  printf("\n      },\n      ");
  put_required(form);
}

static void schema(void) {
  printf(
      "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
      "  \"title\": \"A jawari scene\",\n  \"$ref\": \"#/definitions/scene\",\n  \"definitions\": {\n"
      "    \"curve\": {\"anyOf\": [{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
      "\"minItems\": 2, \"maxItems\": 2}}, {\"type\": \"object\", \"required\": [\"wave\", \"until\"]}]}");
  for (int form = 0; form < JW_FORM_COUNT; ++form) {
    printf(",\n    \"%s\": {\n      ", form_names[form]);
    put_form((JwForm)form);
    printf("\n    }");
  }
  printf("\n  }\n}\n");
}

// ---------------------------------------------------------------- manual

static void put_default(const JwParam* param) {
  if (param->required) {
    printf("**needed**");
  } else if (isnan(param->initial)) {
    printf("-");
  } else if (param->choices) {
    printf("%s", param->choices[(int)param->initial]);
  } else if (param->type == JW_TYPE_FLAG) {
    printf("%s", param->initial != 0.0 ? "true" : "false");
  } else {
    printf("%.15g", param->initial);
  }
}

static void put_range(const JwParam* param) {
  if (param->choices) {
    for (uint32_t i = 0; param->choices[i]; ++i) {
      printf("%s%s", i ? ", " : "", param->choices[i]);
    }
  } else if (param->type == JW_TYPE_FLAG) {
    printf("true, false");
  } else {
    printf("%.15g to %.15g", param->minimum, param->maximum);
  }
}

static void params_rows(JwForm form) {
  uint32_t count = 0;
  const JwKind kind = jw_form_kind(form);
  const JwParam* const params = jw_form_params(form, &count);
  for (uint32_t i = 0; i < count; ++i) {
    if (!jw_form_has(form, &params[i])) {
      continue;
    }
    printf("| `%s` | %s | ", params[i].key, params[i].unit);
    put_default(&params[i]);
    printf(" | ");
    if (params[i].count > 1) {
      printf("%u of ", params[i].count);
    }
    put_range(&params[i]);
    const bool curve = jw_form_control(kind, params[i].key) != JW_CONTROL_COUNT;
    printf(" | %s%s |\n", params[i].help, curve ? " (or a curve)" : "");
  }
}

static void keys_table(JwForm form) {
  static const char* const holds[] = {[JW_HOLDS_TEXT] = "text",
                                      [JW_HOLDS_NUMBER] = "number",
                                      [JW_HOLDS_COUNT] = "whole number",
                                      [JW_HOLDS_LIST] = "list",
                                      [JW_HOLDS_OBJECT] = "object",
                                      [JW_HOLDS_PORT] = "port",
                                      [JW_HOLDS_ANY] = "text, object or list"};
  uint32_t count = 0;
  printf("| key | unit | default | range | meaning |\n| --- | --- | --- | --- | --- |\n");
  const JwFormKey* const keys = jw_form_keys(&count);
  for (uint32_t i = 0; i < count; ++i) {
    if (keys[i].forms >> form & 1u) {
      printf("| `%s` | | %s | %s | %s |\n", keys[i].key, keys[i].required ? "**needed**" : "-",
             holds[keys[i].holds], keys[i].help);
    }
  }
  params_rows(form);
}

static void materials_table(void) {
  uint32_t count = 0;
  const JwMaterial* const materials = jw_materials(&count);
  printf("| name | density (kg/m3) | young (Pa) | poisson |\n| --- | --- | --- | --- |\n");
  for (uint32_t i = 0; i < count; ++i) {
    printf("| %s | %g | %g | %g |\n", materials[i].name, materials[i].density, materials[i].young,
           materials[i].poisson);
  }
}

/// Numbers that may be a curve, be set by the score, and be moved by a player.
static void controls_table(void) {
  printf("| of a | key | unit | range |\n| --- | --- | --- | --- |\n");
  for (int kind = JW_KIND_MASS; kind < JW_KIND_COUNT; ++kind) {
    uint32_t count = 0;
    const JwParam* const params = jw_params((JwKind)kind, &count);
    for (uint32_t i = 0; i < count; ++i) {
      const JwControl control = jw_form_control((JwKind)kind, params[i].key);
      if (control == JW_CONTROL_COUNT) {
        continue;
      }
      printf("| %s | `%s` | %s | ",
             kind == JW_KIND_FORCE ? "pluck, strike, push" : jw_kind_name((JwKind)kind),
             params[i].key, params[i].unit);
      put_range(&params[i]);
      const bool pitch = kind == JW_KIND_STRING;
      printf("%s |\n", pitch ? "; within `bend`, by finite differences" : "");
    }
  }
  printf(
      "| bow, pluck, strike, push, pickup, contact | `x`, `y` | | 0 to 1; on strings and plates |\n");
  printf("| contact | `x2`, `y2` | | 0 to 1; of its second port |\n");
}

static void limits_table(void) {
  const JwWorldDef world = jw_world_default();
  printf("| what | most |\n| --- | --- |\n");
  printf("| bytes of a file | %zu |\n", JW_JSON_MAX_BYTES);
  printf("| lists and objects inside each other | %u |\n", JW_JSON_MAX_DEPTH);
  printf("| values in a file | %u |\n", JW_JSON_MAX_VALUES);
  printf("| keys in an object | %u |\n", JW_JSON_MAX_MEMBERS);
  printf("| digits of a number | %u |\n", JW_JSON_MAX_NUMBER);
  printf("| files included | %d |\n", JW_SCENE_MAX_INCLUDES);
  printf("| turns of all repeats | %d |\n", JW_SCENE_MAX_TURNS);
  printf("| objects | %d |\n", JW_SCENE_MAX_OBJECTS);
  printf("| contacts | %d |\n", JW_SCENE_MAX_CONTACTS);
  printf("| events and initial states | %d |\n", JW_SCENE_MAX_EVENTS);
  printf("| pickups | %d |\n", JW_SCENE_MAX_PICKUPS);
  printf("| points of all curves | %d |\n", JW_SCENE_MAX_CURVE_POINTS);
  printf("| bytes of memory while reading | %d |\n", JW_SCENE_MAX_BYTES);
  printf("| duration (s) | %g |\n", JW_SCENE_MAX_DURATION);
  printf("| grid points and modes | %llu |\n", (unsigned long long)world.max_points);
  printf("| contact points | %llu |\n", (unsigned long long)world.max_contacts);
  printf("| bytes of memory for running | %llu |\n", (unsigned long long)world.max_bytes);
  printf("| operations a sample | %g |\n", world.max_operations);
  printf("| errors shown | %d |\n", JW_SCENE_MAX_ERRORS);
}

/// What belongs between the marks of this name; false if nothing is called so.
static bool put_table(const char* name) {
  if (strcmp(name, "materials") == 0) {
    materials_table();
    return true;
  }
  if (strcmp(name, "controls") == 0) {
    controls_table();
    return true;
  }
  if (strcmp(name, "limits") == 0) {
    limits_table();
    return true;
  }
  for (int form = 0; form < JW_FORM_COUNT; ++form) {
    if (strcmp(form_names[form], name) == 0) {
      keys_table((JwForm)form);
      return true;
    }
  }
  return false;
}

static int manual(const char* path) {
  FILE* const file = fopen(path, "r");
  if (!file) {
    perror(path);
    return 1;
  }
  char line[2000], name[32];
  bool inside = false;
  int failed = 0;
  while (fgets(line, sizeof line, file)) {
    if (strcmp(line, "<!-- end -->\n") == 0) {
      inside = false;
    }
    if (!inside) {
      fputs(line, stdout);
    }
    if (sscanf(line, "<!-- keys: %31s -->", name) == 1) {
      inside = true;
      if (!put_table(name)) {
        fprintf(stderr, "%s: no table is called \"%s\"\n", path, name);
        failed = 1;
      }
    }
  }
  fclose(file);
  if (inside) {
    fprintf(stderr, "%s: \"<!-- end -->\" is missing\n", path);
  }
  return failed || inside;
}

int main(int count, char** arguments) {
  if (count == 2 && strcmp(arguments[1], "schema") == 0) {
    schema();
    return 0;
  }
  if (count == 3 && strcmp(arguments[1], "manual") == 0) {
    return manual(arguments[2]);
  }
  fprintf(stderr, "usage: describe schema | describe manual FILE\n");
  return 2;
}
