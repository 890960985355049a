// SPDX-License-Identifier: MIT
// Errors of a scene: noted while it is read and built, shown as compilers do.

#include "scene/json_scan.h"
#include "scene/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

JwPlace jw_head(const JwJson* node) {
  JwPlace place = node->key ? node->key_place : node->place;
  if (!node->key && (node->type == JW_JSON_OBJECT || node->type == JW_JSON_ARRAY)) {
    place.length = 1;
  }
  return place;
}

/// A repeat makes the same error many times: once is enough.
static bool known(const JwError* list, uint32_t count, JwPlace place, const char* message,
                  size_t bare) {
  for (uint32_t i = 0; i < count; ++i) {
    const JwError* const error = &list[i];
    if (error->place.source == place.source && error->place.offset == place.offset
        && error->bare == bare && memcmp(error->message, message, bare) == 0) {
      return true;
    }
  }
  return false;
}

static bool later(JwPlace a, JwPlace b) {
  return a.source > b.source || (a.source == b.source && a.offset > b.offset);
}

/// Whether the character of `length` bytes at `at` may reach a terminal: no half one, no control.
static bool is_visible(const char* text, size_t at, uint32_t length) {
  const unsigned char c = (unsigned char)text[at];
  const bool high_control = c == 0xC2 && length == 2 && (unsigned char)text[at + 1] < 0xA0;
  return length > 0 && c >= 0x20 && c != 0x7F && !high_control;
}

/// A message may quote the file: nothing invisible may come with it.
static void make_visible(char* message) {
  const size_t size = strlen(message);
  for (size_t i = 0; i < size;) {
    const uint32_t length = jw_scan_utf8(message, size, i);
    if (!is_visible(message, i, length)) {
      memset(message + i, '?', length ? length : 1);
    }
    i += length ? length : 1;
  }
}

/// Errors stand in the order of the file.
static void add_to(JwScene* scene, JwError* list, uint32_t* count, JwPlace place, char* message,
                   size_t bare) {
  make_visible(message);
  if (*count == JW_SCENE_MAX_ERRORS || known(list, *count, place, message, bare)) {
    return;
  }
  const JwError error = {place, jw_pool_text(&scene->pool, message, strlen(message)), bare};
  if (!error.message) {
    return;
  }
  uint32_t i = (*count)++;
  for (; i > 0 && later(list[i - 1].place, place); --i) {
    list[i] = list[i - 1];
  }
  list[i] = error;
}

static void add_error(JwScene* scene, JwPlace place, char* message, size_t bare) {
  add_to(scene, scene->errors, &scene->error_count, place, message, bare);
}

void jw_scene_suspect(JwScene* scene, JwPlace place, const char* format, ...) {
  char message[JW_ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  add_to(scene, scene->warnings, &scene->warning_count, place, message, strlen(message));
}

void jw_scene_error(JwScene* scene, JwPlace place, const char* format, ...) {
  char message[JW_ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  add_error(scene, place, message, strlen(message));
}

/// " (with i = 2, note = E2)"
static void add_bindings(const JwLoader* loader, char* message, size_t size) {
  const char* before = " (with ";
  size_t used = strlen(message);
  bool any = false;
  for (const JwBinding* b = loader->bindings; b && b->repeated && used < size; b = b->outer) {
    int written = 0;
    if (b->value->type == JW_JSON_NUMBER) {
      written =
          snprintf(message + used, size - used, "%s%s = %.15g", before, b->name, b->value->number);
    } else if (b->value->type == JW_JSON_TEXT) {
      written = snprintf(message + used, size - used, "%s%s = %s", before, b->name, b->value->text);
    }
    used += (size_t)written;
    any = any || written > 0;
    before = any ? ", " : before;
  }
  if (any && used < size) {
    snprintf(message + used, size - used, ")");
  }
}

void jw_loader_error(JwLoader* loader, JwPlace place, const char* format, ...) {
  char message[JW_ERROR_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  const size_t bare = strlen(message);
  add_bindings(loader, message, sizeof message);
  add_error(loader->scene, place, message, bare);
}

// ---------------------------------------------------------------- showing them

uint32_t jw_scene_diagnostics(const JwScene* scene) {
  return scene ? scene->error_count : 0;
}
uint32_t jw_scene_warnings(const JwScene* scene) {
  return scene ? scene->warning_count : 0;
}

/// Characters between two bytes of a text.
static uint32_t characters(const char* text, size_t from, size_t to) {
  uint32_t count = 0;
  for (size_t i = from; i < to; ++i) {
    count += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  return count;
}

static JwDiagnostic diagnostic_of(const JwScene* scene, const JwError* error) {
  const JwSource* const source = &scene->sources[error->place.source];
  JwDiagnostic diagnostic = {.file = source->file, .message = error->message};
  jw_json_position(source->text, source->size, error->place.offset, &diagnostic.line,
                   &diagnostic.column);
  size_t start = error->place.offset, end = error->place.offset;
  while (start > 0 && source->text[start - 1] != '\n') {
    --start;
  }
  while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r') {
    ++end;
  }
  const size_t stop = error->place.offset + error->place.length;
  const uint32_t length = characters(source->text, error->place.offset, stop < end ? stop : end);
  diagnostic.length = length ? length : 1;
  diagnostic.text = source->text + start;
  diagnostic.text_size = end - start;
  return diagnostic;
}

JwDiagnostic jw_place_of(const JwScene* scene, JwPlace place) {
  const JwError error = {place, "", 0};
  return diagnostic_of(scene, &error);
}

/// Beyond the last.
static const JwDiagnostic none = {
    .file = "", .line = 1, .column = 1, .length = 1, .message = "", .text = ""};

JwDiagnostic jw_scene_diagnostic(const JwScene* scene, uint32_t index) {
  return index < jw_scene_diagnostics(scene) ? diagnostic_of(scene, &scene->errors[index]) : none;
}

JwDiagnostic jw_scene_warning(const JwScene* scene, uint32_t index) {
  JwDiagnostic diagnostic =
      index < jw_scene_warnings(scene) ? diagnostic_of(scene, &scene->warnings[index]) : none;
  diagnostic.warning = true;
  return diagnostic;
}

/// Most of a line that is shown: a scene on one line must not fill the screen.
#define LONGEST_LINE 160

/// The line, and a caret below.  Bytes that are no character are shown as '?'.
static void format_line(const JwDiagnostic* d, char* line, size_t size) {
  char shown[LONGEST_LINE * 4 + 4], below[LONGEST_LINE * 2 + 4];
  size_t used = 0, under = 0, at = 0;
  const uint32_t first = d->column > 120 ? d->column - 60 : 1;
  for (uint32_t column = 1; at < d->text_size && column < first + LONGEST_LINE; ++column) {
    const uint32_t length = jw_scan_utf8(d->text, d->text_size, at);
    const unsigned char c = (unsigned char)d->text[at];
    if (column >= first) {
      const bool plain = c == '\t' || is_visible(d->text, at, length);
      memcpy(shown + used, plain ? d->text + at : "?", plain ? length : 1);
      used += plain ? length : 1;
      if (column < d->column) {
        below[under++] = c == '\t' ? '\t' : ' ';
      } else if (column < d->column + d->length) {
        below[under++] = column == d->column ? '^' : '~';
      }
    }
    at += length ? length : 1;
  }
  if (under == 0 || (below[under - 1] != '~' && below[under - 1] != '^')) {
    below[under++] = '^'; // At the end of the line
  }
  snprintf(line, size, "  %.*s\n  %.*s\n", (int)used, shown, (int)under, below);
}

size_t jw_diagnostic_format(const JwDiagnostic* diagnostic, char* buffer, size_t size) {
  char line[LONGEST_LINE * 6 + 32];
  if (!diagnostic || !diagnostic->file || !diagnostic->message) {
    return 0;
  }
  format_line(diagnostic, line, sizeof line);
  const int wanted = snprintf(buffer, size, "%s:%u:%u: %s: %s\n%s", diagnostic->file,
                              diagnostic->line, diagnostic->column,
                              diagnostic->warning ? "warning" : "error", diagnostic->message, line);
  return wanted > 0 ? (size_t)wanted : 0;
}
