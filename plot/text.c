// SPDX-License-Identifier: MIT
// A growing text: escaping, coordinates, and a file that is whole or absent.

#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(JwText* text, size_t more) {
  if (text->failed || more > (size_t)1 << 40) {
    text->failed = true;
    return false;
  }
  const size_t needed = text->length + more + 1;
  if (needed <= text->capacity) {
    return true;
  }
  const size_t capacity = needed > 2 * text->capacity ? needed + 256 : 2 * text->capacity;
  char* const data = (char*)realloc(text->data, capacity);
  if (!data) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void jw_text_bytes(JwText* text, const char* bytes, size_t count) {
  if (reserve(text, count)) {
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
  }
}

void jw_text_add(JwText* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int count = vsnprintf(NULL, 0, format, arguments);
  if (count >= 0 && reserve(text, (size_t)count)) {
    vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
    text->length += (size_t)count;
  }
  va_end(again);
  va_end(arguments);
}

static void add_escaped(JwText* text, char c) {
  switch (c) {
  case '&': jw_text_bytes(text, "&amp;", 5); break;
  case '<': jw_text_bytes(text, "&lt;", 4); break;
  case '>': jw_text_bytes(text, "&gt;", 4); break;
  case '"': jw_text_bytes(text, "&quot;", 6); break;
  default: jw_text_bytes(text, &c, 1);
  }
}

void jw_text_escaped(JwText* text, const char* string) {
  for (; *string; ++string) {
    add_escaped(text, *string);
  }
}

// Length of an index or exponent that starts here, with its braces, or 0.
static size_t marked_length(const char* string) {
  const char* const end = strchr(string, '}');
  return (*string == '_' || *string == '^') && string[1] == '{' && end ? (size_t)(end - string) + 1
                                                                       : 0;
}

// What comes after an index is lifted back by as much as that was lowered, with a space of no width
// to carry the lift.
void jw_text_marked(JwText* text, const char* string) {
  while (*string) {
    const size_t length = marked_length(string);
    if (!length) {
      add_escaped(text, *string++);
      continue;
    }
    const int down = *string == '_' ? 3 : -4;
    jw_text_add(text, "<tspan dy=\"%d\" font-size=\"78%%\">", down);
    for (size_t i = 2; i + 1 < length; ++i) {
      add_escaped(text, string[i]);
    }
    string += length;
    jw_text_add(text, "</tspan><tspan dy=\"%d\">\u200b</tspan>", -down);
  }
}

void jw_text_coordinate(JwText* text, double value) {
  const long long tenths = llround(value * 10.0);
  const long long size = tenths < 0 ? -tenths : tenths;
  jw_text_add(text, size % 10 ? "%s%lld.%lld" : "%s%lld", tenths < 0 ? "-" : "", size / 10,
              size % 10);
}

void jw_text_release(JwText* text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

// Bytes of the sequence that starts here, or 0 if it is not UTF-8.
static size_t sequence_length(const unsigned char* s) {
  const size_t length = s[0] < 0x80                   ? 1
                        : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                        : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                        : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                      : 0;
  for (size_t i = 1; i < length; ++i) {
    if ((s[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return length;
}

bool jw_text_is_xml(const char* string) {
  const unsigned char* s = (const unsigned char*)string;
  while (*s) {
    const size_t length = sequence_length(s);
    if (length == 0 || (*s < 0x20 && *s != '\n' && *s != '\t')) {
      return false;
    }
    s += length;
  }
  return true;
}

// Of the letter that starts here, in ems.
static double letter_width(const unsigned char* s) {
  if (strncmp((const char*)s, "\u2212", 3) == 0) {
    return 0.84; // Minus: wider than any digit
  }
  const bool markup = ((*s == '_' || *s == '^') && s[1] == '{') || *s == '{' || *s == '}';
  return markup                              ? 0.0
         : strchr("ijl.,:;'|!It()[]fr", *s)  ? 0.33
         : *s < 0x80 && strchr("mwMW%@", *s) ? 0.87
                                             : 0.6;
}

// Six tenths of an em a letter is what sans-serif text comes to at its widest (DejaVu); capitals
// are wider, narrow letters narrower.
double jw_text_width(const char* string, double size) {
  double em = 0.0;
  for (const unsigned char* s = (const unsigned char*)string; *s; ++s) {
    em += (*s & 0xC0) != 0x80 ? letter_width(s) : 0.0;
  }
  return em * size;
}

bool jw_text_save(const JwText* text, const char* path) {
  if (text->failed) {
    return false;
  }
  const size_t length = strlen(path);
  char* const part = (char*)malloc(length + 6);
  if (!part) {
    return false;
  }
  memcpy(part, path, length);
  memcpy(part + length, ".part", 6);
  FILE* const file = fopen(part, "wb");
  bool good = file && fwrite(text->data ? text->data : "", 1, text->length, file) == text->length;
  good = (!file || fclose(file) == 0) && good;
  good = good && rename(part, path) == 0;
  if (file && !good) {
    remove(part);
  }
  free(part);
  return good;
}
