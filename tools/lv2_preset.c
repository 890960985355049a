// SPDX-License-Identifier: MIT
// Presets of the command line: "NAME: control=value, control=value".

#include "lv2.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void trim(const char** from, size_t* size) {
  while (*size && (**from == ' ')) {
    ++*from, --*size;
  }
  while (*size && (*from)[*size - 1] == ' ') {
    --*size;
  }
}

static bool is_named(const char* text, size_t size, const char* name) {
  return strlen(name) == size && memcmp(text, name, size) == 0;
}

// The scene before the slash; a bundle of one needs none.
static bool find_scene(const JwLv2Bundle* bundle, const char** text, uint32_t* scene) {
  const char* const colon = strchr(*text, ':');
  const char* const slash = strchr(*text, '/');
  if (!slash || slash > colon) {
    *scene = 0;
    return bundle->scene_count == 1
           || jw_tool_misuse("--preset \"%s\": which scene? Write SCENE/NAME: ...", *text);
  }
  for (*scene = 0; *scene < bundle->scene_count; ++*scene) {
    if (is_named(*text, (size_t)(slash - *text), bundle->scenes[*scene].name)) {
      *text = slash + 1;
      return true;
    }
  }
  return jw_tool_misuse("--preset \"%s\": the bundle has no scene \"%.*s\"", *text,
                        (int)(slash - *text), *text);
}

static bool find_control(const JwFace* face, const char* text, size_t size, uint32_t* index) {
  for (*index = 0; *index < face->count; ++*index) {
    if (is_named(text, size, face->controls[*index].name)
        || is_named(text, size, face->controls[*index].symbol)) {
      return true;
    }
  }
  return jw_tool_misuse("--preset: there is no control \"%.*s\"; `jawari play SCENE "
                        "--list-controls` shows them",
                        (int)size, text);
}

static bool read_value(const char* text, size_t size, const JwFaceControl* control, double* value) {
  char number[64], *end = NULL;
  snprintf(number, sizeof number, "%.*s", (int)(size < 63 ? size : 63), text);
  *value = strtod(number, &end);
  if (end == number || *end || !isfinite(*value)) {
    return jw_tool_misuse("--preset: %s wants a number, not \"%s\"", control->name, number);
  }
  // A value is written as a float; the ends of the range are floats too
  if ((float)*value < (float)control->minimum || (float)*value > (float)control->maximum) {
    return jw_tool_misuse("--preset: %s is %g, must be from %g to %g %s", control->name, *value,
                          control->minimum, control->maximum, control->unit);
  }
  return true;
}

static bool add_value(const JwFace* face, JwLv2Preset* preset, const char* text, size_t size) {
  const char* const equals = (const char*)memchr(text, '=', size);
  if (!equals) {
    return jw_tool_misuse("--preset: wanted control=value, not \"%.*s\"", (int)size, text);
  }
  const char* value = equals + 1;
  size_t name_size = (size_t)(equals - text), value_size = size - name_size - 1;
  trim(&text, &name_size);
  trim(&value, &value_size);
  const uint32_t at = preset->count;
  if (at == JW_PLAY_MAX_CONTROLS) {
    return jw_tool_misuse("--preset \"%s\" has more than %d values", preset->name,
                          JW_PLAY_MAX_CONTROLS);
  }
  if (!find_control(face, text, name_size, &preset->controls[at])
      || !read_value(value, value_size, &face->controls[preset->controls[at]],
                     &preset->values[at])) {
    return false;
  }
  ++preset->count;
  return true;
}

static bool read_name(JwLv2Preset* preset, const char** text) {
  const char* const colon = strchr(*text, ':');
  const char* name = *text;
  size_t size = (size_t)(colon - name);
  trim(&name, &size);
  if (size == 0 || size >= sizeof preset->name) {
    return jw_tool_misuse("--preset \"%s\": its name has %zu bytes, must have 1 to %zu", name, size,
                          sizeof preset->name - 1);
  }
  snprintf(preset->name, sizeof preset->name, "%.*s", (int)size, name);
  *text = colon + 1;
  return true;
}

bool jw_lv2_add_preset(JwLv2Bundle* bundle, const char* text) {
  if (bundle->preset_count == JW_LV2_MOST_PRESETS) {
    return jw_tool_misuse("a bundle has at most %d presets", JW_LV2_MOST_PRESETS);
  }
  JwLv2Preset* const preset = &bundle->presets[bundle->preset_count];
  memset(preset, 0, sizeof *preset);
  if (!strchr(text, ':')) {
    return jw_tool_misuse("--preset wants NAME: control=value, ..., not \"%s\"", text);
  }
  if (!find_scene(bundle, &text, &preset->scene) || !read_name(preset, &text)) {
    return false;
  }
  const JwFace* const face = &bundle->scenes[preset->scene].face;
  for (const char* at = text; at;) {
    const char* const comma = strchr(at, ',');
    const size_t size = comma ? (size_t)(comma - at) : strlen(at);
    if (!add_value(face, preset, at, size)) {
      return false;
    }
    at = comma ? comma + 1 : NULL;
  }
  ++bundle->preset_count;
  return true;
}
