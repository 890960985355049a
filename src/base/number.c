// SPDX-License-Identifier: MIT
// Decimal numbers, see number.h.

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// strtod rounds correctly, and never sees a point: 12.5e3 is handed to it as 125e2.
double jw_digits_value(JwDigits* digits, long exponent) {
  snprintf(digits->text + digits->count, sizeof digits->text - digits->count, "e%ld", exponent);
  return strtod(digits->text, NULL);
}

static const char* take_digits(const char* at, JwDigits* digits) {
  for (; *at >= '0' && *at <= '9' && digits->count < JW_DIGITS; ++at) {
    digits->text[digits->count++] = *at;
  }
  return at;
}

// After the digits, if there is one; more than five digits say no more than five do.
static const char* take_exponent(const char* at, long* exponent) {
  const char* digit = at + 1 + (at[0] && (at[1] == '-' || at[1] == '+'));
  if ((*at != 'e' && *at != 'E') || *digit < '0' || *digit > '9') {
    return at;
  }
  const long sign = at[1] == '-' ? -1 : 1;
  long value = 0;
  for (; *digit >= '0' && *digit <= '9'; ++digit) {
    value = value < 100000 ? 10 * value + (*digit - '0') : value;
  }
  *exponent += sign * value;
  return digit;
}

size_t jw_number_read(const char* text, double* value) {
  if (!text) {
    return 0;
  }
  JwDigits digits = {.count = 0};
  long exponent = 0;
  const char* at = take_digits(text + (*text == '-' || *text == '+'), &digits);
  if (*at == '.') {
    const size_t before = digits.count;
    at = take_digits(at + 1, &digits);
    exponent = -(long)(digits.count - before);
  }
  if (digits.count == 0 || digits.count == JW_DIGITS) {
    return 0;
  }
  at = take_exponent(at, &exponent);
  const double magnitude = jw_digits_value(&digits, exponent);
  if (!isfinite(magnitude)) {
    return 0;
  }
  if (value) {
    *value = *text == '-' ? -magnitude : magnitude;
  }
  return (size_t)(at - text);
}

size_t jw_number_write(double number, char* text, size_t size) {
  const int length = snprintf(text, size, "%.15g", number);
  const size_t written = length > 0 && (size_t)length < size ? (size_t)length : 0;
  const size_t before = strspn(text, "+-0123456789");
  const size_t point = strcspn(text + before, "0123456789");
  if (!isfinite(number) || before == written || text[before] == 'e' || written == 0) {
    return written; // Nothing to mend
  }
  text[before] = '.'; // In some locales it has more than one byte
  memmove(text + before + 1, text + before + point, written - before - point + 1);
  return written - point + 1;
}
