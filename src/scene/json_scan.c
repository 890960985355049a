// SPDX-License-Identifier: MIT
// Characters, white space, comments, numbers.

#include "scene/json_scan.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool jw_scan_fail(JwScan* scan, size_t offset, size_t length, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(scan->error->message, sizeof scan->error->message, format, arguments);
  va_end(arguments);
  scan->error->place.source = scan->source;
  scan->error->place.offset = (uint32_t)offset;
  scan->error->place.length = (uint32_t)length;
  return false;
}

int jw_scan_peek(const JwScan* scan) {
  return scan->at < scan->size ? (unsigned char)scan->text[scan->at] : -1;
}

uint32_t jw_scan_utf8(const char* text, size_t size, size_t at) {
  const unsigned char* const s = (const unsigned char*)text + at;
  const size_t left = size - at;
  const unsigned first = s[0];
  if (first < 0x80) {
    return 1;
  }
  // Lowest and highest second byte leave out overlong forms, surrogates and beyond U+10FFFF.
  const uint32_t length = first >= 0xC2 && first <= 0xDF   ? 2
                          : (first & 0xF0) == 0xE0         ? 3
                          : first >= 0xF0 && first <= 0xF4 ? 4
                                                           : 0;
  if (length == 0 || left < length) {
    return 0;
  }
  const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (s[1] < low || s[1] > high) {
    return 0;
  }
  for (uint32_t i = 2; i < length; ++i) {
    if ((s[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return length;
}

const char* jw_scan_show(const JwScan* scan, char buffer[16]) {
  const int c = jw_scan_peek(scan);
  const uint32_t length = c < 0 ? 0 : jw_scan_utf8(scan->text, scan->size, scan->at);
  if (c < 0) {
    snprintf(buffer, 16, "end of file");
  } else if (c < 0x20 || c == 0x7F || length == 0) {
    snprintf(buffer, 16, "byte 0x%02X", (unsigned)c);
  } else {
    snprintf(buffer, 16, "'%.*s'", (int)length, scan->text + scan->at);
  }
  return buffer;
}

/// After "/*": to the end of the comment.
static bool skip_block(JwScan* scan, size_t start) {
  while (scan->at < scan->size) {
    if (scan->text[scan->at] == '*' && scan->at + 1 < scan->size
        && scan->text[scan->at + 1] == '/') {
      scan->at += 2;
      return true;
    }
    const uint32_t length = jw_scan_utf8(scan->text, scan->size, scan->at);
    if (length == 0) {
      return jw_scan_fail(scan, scan->at, 1, "this is not UTF-8");
    }
    scan->at += length;
  }
  return jw_scan_fail(scan, start, 2, "this comment is never closed: \"*/\" is missing");
}

static bool skip_line(JwScan* scan) {
  while (scan->at < scan->size && scan->text[scan->at] != '\n') {
    const uint32_t length = jw_scan_utf8(scan->text, scan->size, scan->at);
    if (length == 0) {
      return jw_scan_fail(scan, scan->at, 1, "this is not UTF-8");
    }
    scan->at += length;
  }
  return true;
}

static bool skip_comment(JwScan* scan) {
  const size_t start = scan->at;
  const char second = scan->at + 1 < scan->size ? scan->text[scan->at + 1] : ' ';
  if (second != '/' && second != '*') {
    return jw_scan_fail(scan, start, 1, "a comment starts with \"//\" or \"/*\"");
  }
  scan->at += 2;
  return second == '/' ? skip_line(scan) : skip_block(scan, start);
}

bool jw_scan_space(JwScan* scan) {
  for (;;) {
    const int c = jw_scan_peek(scan);
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++scan->at;
    } else if (c != '/') {
      return true;
    } else if (!skip_comment(scan)) {
      return false;
    }
  }
}

// ---------------------------------------------------------------- numbers

static bool is_digit(int c) {
  return c >= '0' && c <= '9';
}

/// The digits of a number without its point, and what the point takes off the exponent.
typedef struct {
  JwDigits digits;
  long fraction; ///< Digits after the point
  bool zero;     ///< Every digit is 0
} Digits;

/// Copy digits; at least one must be there.
static bool take_digits(JwScan* scan, Digits* out, const char* where) {
  char shown[16];
  if (!is_digit(jw_scan_peek(scan))) {
    return jw_scan_fail(scan, scan->at, scan->at < scan->size, "expected a digit %s, found %s",
                        where, jw_scan_show(scan, shown));
  }
  for (; is_digit(jw_scan_peek(scan)); ++scan->at) {
    if (out->digits.count >= JW_JSON_MAX_NUMBER) {
      return jw_scan_fail(scan, scan->at, 1, "a number may have at most %u digits",
                          JW_JSON_MAX_NUMBER);
    }
    out->zero = out->zero && scan->text[scan->at] == '0';
    out->digits.text[out->digits.count++] = scan->text[scan->at];
  }
  return true;
}

/// e, sign, digits; more than five digits of exponent say no more than five do.
static bool take_exponent(JwScan* scan, long* exponent) {
  char shown[16];
  ++scan->at;
  const bool negative = jw_scan_peek(scan) == '-';
  if (negative || jw_scan_peek(scan) == '+') {
    ++scan->at;
  }
  if (!is_digit(jw_scan_peek(scan))) {
    return jw_scan_fail(scan, scan->at, scan->at < scan->size,
                        "expected a digit of the exponent, found %s", jw_scan_show(scan, shown));
  }
  for (*exponent = 0; is_digit(jw_scan_peek(scan)); ++scan->at) {
    if (*exponent < 100000) {
      *exponent = 10 * *exponent + (scan->text[scan->at] - '0');
    }
  }
  *exponent = negative ? -*exponent : *exponent;
  return true;
}

static bool take_parts(JwScan* scan, Digits* digits, long* exponent) {
  const size_t start = scan->at;
  if (!take_digits(scan, digits, "after the sign")) {
    return false;
  }
  if (scan->text[start] == '0' && scan->at > start + 1) {
    return jw_scan_fail(scan, start, scan->at - start, "a number may not start with a needless 0");
  }
  if (jw_scan_peek(scan) == '.') {
    const size_t before = digits->digits.count;
    ++scan->at;
    if (!take_digits(scan, digits, "after the point")) {
      return false;
    }
    digits->fraction = (long)(digits->digits.count - before);
  }
  const int c = jw_scan_peek(scan);
  return (c != 'e' && c != 'E') || take_exponent(scan, exponent);
}

bool jw_scan_number(JwScan* scan, double* value) {
  const size_t start = scan->at;
  const bool negative = jw_scan_peek(scan) == '-';
  scan->at += negative;
  Digits digits = {.fraction = 0, .zero = true};
  long exponent = 0;
  if (!take_parts(scan, &digits, &exponent)) {
    return false;
  }
  const double magnitude = jw_digits_value(&digits.digits, exponent - digits.fraction);
  if (!isfinite(magnitude)) {
    return jw_scan_fail(scan, start, scan->at - start,
                        "this number is too large: the most is 1.79e308");
  }
  if (magnitude == 0.0 && !digits.zero) {
    return jw_scan_fail(scan, start, scan->at - start, "this number is too small to differ from 0");
  }
  *value = negative ? -magnitude : magnitude;
  return true;
}
