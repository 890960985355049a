// SPDX-License-Identifier: MIT
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void web_text_release(WebText* text) {
  free(text->bytes);
  *text = (WebText){0};
}

static bool make_room(WebText* text, size_t more) {
  if (text->size + more + 1 <= text->room) {
    return true;
  }
  const size_t room = 2 * (text->size + more) + 256;
  char* const bytes = (char*)realloc(text->bytes, room);
  text->full = text->full || !bytes;
  if (bytes) {
    text->bytes = bytes;
    text->room = room;
  }
  return bytes != NULL;
}

static void put_bytes(WebText* text, const char* bytes, size_t size) {
  if (make_room(text, size)) {
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
  }
}

void web_put(WebText* text, const char* bytes) {
  put_bytes(text, bytes, strlen(bytes));
}

void web_put_comma(WebText* text) {
  if (text->size && !strchr("[{:", text->bytes[text->size - 1])) {
    put_bytes(text, ",", 1);
  }
}

static void put_letter(WebText* text, char letter) {
  char escaped[8];
  if (letter == '"' || letter == '\\') {
    snprintf(escaped, sizeof escaped, "\\%c", letter);
  } else if ((unsigned char)letter < 0x20) {
    snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)letter);
  } else {
    escaped[0] = letter;
    escaped[1] = 0;
  }
  web_put(text, escaped);
}

void web_put_string(WebText* text, const char* string) {
  put_bytes(text, "\"", 1);
  for (const char* at = string ? string : ""; *at; ++at) {
    put_letter(text, *at);
  }
  put_bytes(text, "\"", 1);
}

void web_put_key(WebText* text, const char* key) {
  web_put_comma(text);
  web_put_string(text, key);
  put_bytes(text, ":", 1);
}

void web_put_number(WebText* text, double value) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.17g", value);
  web_put(text, isfinite(value) ? digits : "null");
}

void web_put_key_string(WebText* text, const char* key, const char* value) {
  web_put_key(text, key);
  web_put_string(text, value);
}

void web_put_key_number(WebText* text, const char* key, double value) {
  web_put_key(text, key);
  web_put_number(text, value);
}

void web_put_key_flag(WebText* text, const char* key, bool value) {
  web_put_key(text, key);
  web_put(text, value ? "true" : "false");
}
