// SPDX-License-Identifier: MIT
// Values of controls under a name: "[SCENE/]NAME: control=value, control=value".

#include "plug.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
refuse(char error[JW_ERROR_SIZE], const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, JW_ERROR_SIZE, format, arguments);
  va_end(arguments);
  return false;
}

static void trim(const char** from, size_t* size) {
  while (*size && **from == ' ') {
    ++*from, --*size;
  }
  while (*size && (*from)[*size - 1] == ' ') {
    --*size;
  }
}

static bool copy(const char* from, size_t size, char to[JW_PRESET_NAME]) {
  trim(&from, &size);
  snprintf(to, JW_PRESET_NAME, "%.*s", (int)(size < JW_PRESET_NAME ? size : JW_PRESET_NAME), from);
  return size > 0 && size < JW_PRESET_NAME;
}

const char* jw_preset_name(const char* text, JwPreset* preset, char error[JW_ERROR_SIZE]) {
  const char* const colon = strchr(text, ':');
  memset(preset, 0, sizeof *preset);
  if (!colon) {
    refuse(error, "wants NAME: control=value, ..., not \"%.100s\"", text);
    return NULL;
  }
  const char* const slash = (const char*)memchr(text, '/', (size_t)(colon - text));
  const char* const name = slash ? slash + 1 : text;
  if ((slash && !copy(text, (size_t)(slash - text), preset->scene))
      || !copy(name, (size_t)(colon - name), preset->name)) {
    refuse(error, "a name in \"%.*s\" has not 1 to %d bytes", (int)(colon - text), text,
           JW_PRESET_NAME - 1);
    return NULL;
  }
  return colon + 1;
}

static bool is_named(const char* text, size_t size, const char* name) {
  return strlen(name) == size && memcmp(text, name, size) == 0;
}

static bool find(const JwFace* face, const char* text, size_t size, uint32_t* index) {
  for (*index = 0; *index < face->count; ++*index) {
    if (is_named(text, size, face->controls[*index].name)
        || is_named(text, size, face->controls[*index].symbol)) {
      return true;
    }
  }
  return false;
}

static bool read_value(const char* text, size_t size, const JwFaceControl* control, double* value,
                       char error[JW_ERROR_SIZE]) {
  char number[64];
  snprintf(number, sizeof number, "%.*s", (int)(size < 63 ? size : 63), text);
  const size_t read = jw_number_read(number, value);
  if (!read || number[read]) {
    return refuse(error, "%s wants a number, not \"%s\"", control->name, number);
  }
  // Hosts pass floats; the ends of the range are floats too
  if ((float)*value < (float)control->minimum || (float)*value > (float)control->maximum) {
    return refuse(error, "%s is %g, must be from %g to %g %s", control->name, *value,
                  control->minimum, control->maximum, control->unit);
  }
  return true;
}

static bool add_value(const JwFace* face, JwPreset* preset, const char* text, size_t size,
                      char error[JW_ERROR_SIZE]) {
  const char* const equals = (const char*)memchr(text, '=', size);
  if (!equals) {
    return refuse(error, "wanted control=value, not \"%.*s\"", (int)(size < 100 ? size : 100),
                  text);
  }
  const char* value = equals + 1;
  size_t name_size = (size_t)(equals - text), value_size = size - name_size - 1;
  trim(&text, &name_size);
  trim(&value, &value_size);
  if (preset->count == JW_PLAY_MAX_CONTROLS) {
    return refuse(error, "\"%s\" has more than %d values", preset->name, JW_PLAY_MAX_CONTROLS);
  }
  uint32_t* const control = &preset->controls[preset->count];
  if (!find(face, text, name_size, control)) {
    return refuse(error,
                  "there is no control \"%.*s\"; `jawari play SCENE --list-controls` shows them",
                  (int)(name_size < 100 ? name_size : 100), text);
  }
  if (!read_value(value, value_size, &face->controls[*control], &preset->values[preset->count],
                  error)) {
    return false;
  }
  ++preset->count;
  return true;
}

bool jw_preset_values(const char* text, const JwFace* face, JwPreset* preset,
                      char error[JW_ERROR_SIZE]) {
  for (const char* at = text; at;) {
    const char* const comma = strchr(at, ',');
    const size_t size = comma ? (size_t)(comma - at) : strlen(at);
    if (!add_value(face, preset, at, size, error)) {
      return false;
    }
    at = comma ? comma + 1 : NULL;
  }
  return true;
}
