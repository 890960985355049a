// SPDX-License-Identifier: MIT
// Decimal numbers, whatever the program's locale: strtod and printf know the decimal point of the
// locale, and scenes, scales and texts made from numbers have a point.
#ifndef JAWARI_NUMBER_H
#define JAWARI_NUMBER_H

#include <jawari/base.h>

/// Digits of a number, without its point.
#define JW_DIGITS 256

typedef struct {
  char text[JW_DIGITS + 32]; // Room for an exponent behind them
  size_t count;
} JwDigits;

/// digits times 10^exponent, correctly rounded; infinite beyond the largest.
double jw_digits_value(JwDigits* digits, long exponent);

/// A number with up to 15 digits and a point; returns its letters.
size_t jw_number_write(double number, char* text, size_t size);

#endif // JAWARI_NUMBER_H
