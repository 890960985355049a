// SPDX-License-Identifier: MIT
// Texts: escapes, surrogate pairs, UTF-8.

#include "scene/json_scan.h"

#include <string.h>

/// Value of a hexadecimal digit, or -1.
static int hex(int c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// Four hexadecimal digits from `at`, or -1.
static long four_digits(const JwScan* scan, size_t at) {
  long value = 0;
  for (size_t i = at; i < at + 4; ++i) {
    const int digit = i < scan->size ? hex((unsigned char)scan->text[i]) : -1;
    if (digit < 0) {
      return -1;
    }
    value = 16 * value + digit;
  }
  return value;
}

static size_t put_utf8(char* out, unsigned long c) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  size_t length = c < 0x800 ? 2 : 3;
  length += c >= 0x10000;
  static const unsigned char lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t i = length - 1; i > 0; --i, c >>= 6) {
    out[i] = (char)(0x80 | (c & 0x3F));
  }
  out[0] = (char)(lead[length] | c);
  return length;
}

/// At the u of \u: the character, or -1 with the error noted.
static long take_unicode(JwScan* scan) {
  const size_t start = scan->at - 1;
  const long first = four_digits(scan, scan->at + 1);
  if (first < 0) {
    jw_scan_fail(scan, start, 2, "\\u wants four hexadecimal digits");
    return -1;
  }
  if (first == 0) {
    jw_scan_fail(scan, start, 6, "\\u0000 is not allowed in a text");
    return -1;
  }
  scan->at += 5;
  if (first < 0xD800 || first > 0xDFFF) {
    return first;
  }
  const bool paired = first < 0xDC00 && scan->at + 1 < scan->size && scan->text[scan->at] == '\\'
                      && scan->text[scan->at + 1] == 'u';
  const long second = paired ? four_digits(scan, scan->at + 2) : -1;
  if (second < 0xDC00 || second > 0xDFFF) {
    jw_scan_fail(scan, start, 6,
                 "half a surrogate pair: \\uD800-\\uDBFF needs \\uDC00-\\uDFFF behind it");
    return -1;
  }
  scan->at += 6;
  return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
}

/// At a backslash: write what it stands for.
static bool take_escape(JwScan* scan, char* out, size_t* count) {
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  ++scan->at;
  const int c = jw_scan_peek(scan);
  if (c == 'u') {
    const long unicode = take_unicode(scan);
    *count += unicode > 0 ? put_utf8(out + *count, (unsigned long)unicode) : 0;
    return unicode > 0;
  }
  const char* const found = c > 0 ? strchr(from, c) : NULL;
  if (!found) {
    char shown[16];
    return jw_scan_fail(scan, scan->at - 1, 1, "a backslash before %s means nothing",
                        jw_scan_show(scan, shown));
  }
  out[(*count)++] = to[found - from];
  ++scan->at;
  return true;
}

/// Where the closing quote stands, or the end; escapes are passed over.
static size_t find_end(const JwScan* scan) {
  size_t at = scan->at + 1;
  while (at < scan->size && scan->text[at] != '"' && scan->text[at] != '\n') {
    at += scan->text[at] == '\\' ? 2 : 1;
  }
  return at < scan->size ? at : scan->size;
}

bool jw_scan_text(JwScan* scan, const char** out, uint32_t* out_size) {
  const size_t start = scan->at;
  char shown[16];
  // An escape never grows: \u and four digits make at most three bytes, a pair of them four.
  char* const copy = (char*)jw_pool_take(scan->pool, find_end(scan) - start + 1);
  if (!copy) {
    return false;
  }
  size_t count = 0;
  ++scan->at;
  while (jw_scan_peek(scan) != '"') {
    const int c = jw_scan_peek(scan);
    const uint32_t length = c < 0 ? 0 : jw_scan_utf8(scan->text, scan->size, scan->at);
    if (c < 0 || c == '\n') {
      return jw_scan_fail(scan, start, 1, "this text is never closed: '\"' is missing");
    }
    if (c < 0x20) {
      return jw_scan_fail(scan, scan->at, 1, "%s is not allowed in a text: write an escape",
                          jw_scan_show(scan, shown));
    }
    if (length == 0) {
      return jw_scan_fail(scan, scan->at, 1, "this is not UTF-8");
    }
    if (c == '\\') {
      if (!take_escape(scan, copy, &count)) {
        return false;
      }
      continue;
    }
    memcpy(copy + count, scan->text + scan->at, length);
    count += length;
    scan->at += length;
  }
  ++scan->at;
  *out = copy;
  *out_size = (uint32_t)count;
  return true;
}
