// SPDX-License-Identifier: MIT
// text.h: a growing text and what XML and numbers need.
#ifndef JAWARI_PLOT_TEXT_H
#define JAWARI_PLOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/// Zero it to start.  After a failed allocation `failed` stays set and additions do nothing.
typedef struct {
  char* data; ///< Ends in '\0'; NULL while empty
  size_t length, capacity;
  bool failed;
} JwText;

#if defined(__GNUC__)
#define JW_TEXT_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define JW_TEXT_FORMAT
#endif

void jw_text_add(JwText* text, const char* format, ...) JW_TEXT_FORMAT;
void jw_text_bytes(JwText* text, const char* bytes, size_t count);

/// Add with & < > " escaped.
void jw_text_escaped(JwText* text, const char* string);

/// Add escaped, with `_{in}` set as an index and `^{1.5}` as an exponent, for SVG text.
void jw_text_marked(JwText* text, const char* string);

/// Add a coordinate, to a tenth of a pixel, the same under any locale.
void jw_text_coordinate(JwText* text, double value);

void jw_text_release(JwText* text);

/// UTF-8 without the control characters that XML forbids.
bool jw_text_is_xml(const char* string);

/// Width in the fonts used here, as an estimate (px).
double jw_text_width(const char* string, double size);

/// Write all of it to a file: whole, or not at all.
bool jw_text_save(const JwText* text, const char* path);

#endif // JAWARI_PLOT_TEXT_H
