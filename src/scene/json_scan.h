// SPDX-License-Identifier: MIT
// The tokens of JSON: what json.c needs to know about characters, texts and numbers.
#ifndef JAWARI_SCENE_JSON_SCAN_H
#define JAWARI_SCENE_JSON_SCAN_H

#include "scene/json.h"

/// A text being read from left to right.
typedef struct {
  const char* text;
  size_t size;
  size_t at;
  uint32_t source;
  JwPool* pool;
  JwJsonError* error;
} JwScan;

/// Note an error at `length` bytes from `offset`; always returns false.
bool jw_scan_fail(JwScan* scan, size_t offset, size_t length, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// The next byte, or -1 at the end.
int jw_scan_peek(const JwScan* scan);

/// Pass over white space and comments.
bool jw_scan_space(JwScan* scan);

/// Read a text that starts here; `*out` is a copy without escapes.
bool jw_scan_text(JwScan* scan, const char** out, uint32_t* out_size);

/// Read a number that starts here.
bool jw_scan_number(JwScan* scan, double* value);

/// Bytes of the UTF-8 character at `at`, 1 to 4, or 0 if it is not one.
uint32_t jw_scan_utf8(const char* text, size_t size, size_t at);

/// A short readable form of the character here, for messages: 'x', byte 0x07, end of file.
const char* jw_scan_show(const JwScan* scan, char buffer[16]);

#endif // JAWARI_SCENE_JSON_SCAN_H
