// SPDX-License-Identifier: MIT
// text.h: a text that grows, and JSON in it.
#ifndef JAWARI_WEB_TEXT_H
#define JAWARI_WEB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char* bytes; ///< Ended by a zero; NULL: nothing yet, or no memory
  size_t size, room;
  bool full; ///< Memory ran out: what is there is not whole
} WebText;

void web_text_release(WebText* text);

/// As it is.
void web_put(WebText* text, const char* bytes);

/// A comma where the last byte opens no list or object and is no colon.
void web_put_comma(WebText* text);

/// In quotes; quotes, backslashes and what is below a space are escaped.
void web_put_string(WebText* text, const char* string);

/// "key": with a comma before it where one is needed.
void web_put_key(WebText* text, const char* key);

/// What is not finite is null.
void web_put_number(WebText* text, double value);

void web_put_key_string(WebText* text, const char* key, const char* value);
void web_put_key_number(WebText* text, const char* key, double value);
void web_put_key_flag(WebText* text, const char* key, bool value);

#endif // JAWARI_WEB_TEXT_H
