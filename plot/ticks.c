// SPDX-License-Identifier: MIT
// Where an axis is marked, and what is written there.
//
//   min, max   the axis's range, settled                    data unit
//   step       1, 2 or 5 times 10^p                         data unit
//   factor     power of 1000 taken out of the labels        1
//
// A linear axis takes the smallest step that gives no more than the wanted number of ticks.  Labels
// are the values over `factor`, chosen so that the largest has one to three digits before the
// point; the factor goes into the unit as a prefix (ms, kHz) or, where a prefix makes no sense, as
// a power of ten.  A logarithmic axis marks the powers of ten, and 2 and 5 between them when there
// are few; over three decades at most its unit takes a prefix too (50, 100, 200 kHz).
//
// Proof by test: test_plot.c.

#include "ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double nice_step(double span, int wanted) {
  const double least = span / wanted;
  const double power = pow(10.0, floor(log10(least)));
  for (int i = 0; i < 3; ++i) {
    static const double mantissa[3] = {1.0, 2.0, 5.0};
    if (mantissa[i] * power >= least * (1.0 - 1e-9)) {
      return mantissa[i] * power;
    }
  }
  return 10.0 * power;
}

static double ticks_within(const JwPlotAxis* axis, double step) {
  return floor(axis->max / step + 1e-9) - ceil(axis->min / step - 1e-9) + 1.0;
}

// One tick alone gives no scale: then more are taken than wanted.
static double step_of_two(const JwPlotAxis* axis, int wanted) {
  double step = nice_step(axis->max - axis->min, wanted);
  while (ticks_within(axis, step) < 2.0) {
    step = nice_step(axis->max - axis->min, ++wanted);
  }
  return step;
}

// The point, whatever the locale; a true minus sign.
static void write_number(char* label, size_t size, double value, int decimals) {
  char digits[40];
  snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
  char* const comma = strchr(digits, ',');
  if (comma) {
    *comma = '.';
  }
  const bool zero = strspn(digits, "0.") == strlen(digits);
  snprintf(label, size, "%s%s", value < 0.0 && !zero ? "\u2212" : "", digits);
}

static void write_power(char* label, size_t size, int exponent) {
  static const char* const digit[10] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                        "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char decimal[16];
  snprintf(decimal, sizeof decimal, "%d", exponent);
  size_t used = (size_t)snprintf(label, size, "10");
  for (const char* c = decimal; *c && used < size; ++c) {
    used +=
        (size_t)snprintf(label + used, size - used, "%s", *c == '-' ? "\u207b" : digit[*c - '0']);
  }
}

// Only a unit that starts with a plain symbol takes a prefix: km/s, but not kkg, nor km2.
static bool takes_prefix(const char* unit) {
  static const char* const symbols[] = {"s", "m", "N", "J", "W", "Hz", "Pa", "V", "B"};
  const size_t length = strcspn(unit, "/ \u00b7");
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
    if (length == strlen(symbols[i]) && strncmp(unit, symbols[i], length) == 0) {
      return true;
    }
  }
  return false;
}

static const char* prefix_of(int exponent) {
  static const char* const prefixes[] = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T"};
  return exponent >= -12 && exponent <= 12 ? prefixes[exponent / 3 + 4] : NULL;
}

// Power of 1000, as its exponent of ten, to take out of labels up to `largest`.
static int label_exponent(double largest, const char* unit) {
  if (largest >= 0.1 && largest < (unit && takes_prefix(unit) ? 1e3 : 1e4)) {
    return 0;
  }
  return 3 * (int)floor(log10(largest) / 3.0 + 1e-9);
}

static void write_title(JwTicks* ticks, const JwPlotAxis* axis, int exponent) {
  const char* const label = axis->label ? axis->label : "";
  const char* const unit = axis->unit ? axis->unit : "";
  const char* const prefix = prefix_of(exponent);
  char power[40] = "";
  if (exponent != 0 && !(prefix && takes_prefix(unit))) {
    write_power(power, sizeof power, exponent);
  }
  const bool prefixed = exponent != 0 && !power[0];
  if (!*unit && !power[0]) {
    snprintf(ticks->title, sizeof ticks->title, "%s", label);
  } else {
    snprintf(ticks->title, sizeof ticks->title, "%s%s(%s%s%s%s)", label, *label ? " " : "", power,
             power[0] && *unit ? " " : "", prefixed ? prefix : "", unit);
  }
}

static void add(JwTicks* ticks, double value, const char* label) {
  if (ticks->count < JW_TICKS_MAX) {
    JwTick* const tick = &ticks->tick[ticks->count++];
    tick->value = value;
    snprintf(tick->label, sizeof tick->label, "%s", label);
  }
}

static void choose_linear(JwTicks* ticks, const JwPlotAxis* axis, int wanted) {
  const double step = step_of_two(axis, wanted);
  const int exponent = label_exponent(fmax(fabs(axis->min), fabs(axis->max)), axis->unit);
  const double factor = pow(10.0, exponent);
  const int decimals = (int)fmax(0.0, -floor(log10(step / factor) + 1e-9));
  const double first = ceil(axis->min / step - 1e-9);
  for (double i = first; i * step <= axis->max + 1e-9 * step; i += 1.0) {
    char label[48];
    write_number(label, sizeof label, i * step / factor, decimals);
    add(ticks, fmin(fmax(i * step, axis->min), axis->max), label);
  }
  write_title(ticks, axis, exponent);
}

// Exponent of the prefix of a short logarithmic axis, from the middle of its range.
static int log_exponent(const JwPlotAxis* axis) {
  const double middle = 0.5 * (log10(axis->min) + log10(axis->max));
  const bool few = log10(axis->max) - log10(axis->min) <= 3.0;
  const int exponent = middle >= -1.0 && middle < 3.0 ? 0 : 3 * (int)floor(middle / 3.0);
  return few && axis->unit && takes_prefix(axis->unit) && prefix_of(exponent) ? exponent : 0;
}

static void add_log(JwTicks* ticks, const JwPlotAxis* axis, double value, int exponent) {
  if (value < axis->min * (1.0 - 1e-9) || value > axis->max * (1.0 + 1e-9)) {
    return;
  }
  char label[48];
  const int prefix = log_exponent(axis);
  if (prefix) {
    const int decimals = exponent < prefix ? prefix - exponent : 0;
    write_number(label, sizeof label, value / pow(10.0, prefix), decimals);
    add(ticks, value, label);
    return;
  }
  const bool plain = axis->min >= 0.99e-3 && axis->max <= 1.01e5;
  if (plain && exponent >= 3) {
    snprintf(label, sizeof label, "%.0fk", value / 1e3);
  } else if (plain) {
    write_number(label, sizeof label, value, exponent < 0 ? -exponent : 0);
  } else if (fabs(value / pow(10.0, exponent) - 1.0) < 1e-9) {
    write_power(label, sizeof label, exponent);
  } else {
    char power[40];
    write_power(power, sizeof power, exponent);
    snprintf(label, sizeof label, "%.0f\u00b7%.38s", value / pow(10.0, exponent), power);
  }
  add(ticks, value, label);
}

static void choose_log(JwTicks* ticks, const JwPlotAxis* axis, int wanted) {
  const int low = (int)floor(log10(axis->min) + 1e-9);
  const int high = (int)ceil(log10(axis->max) - 1e-9);
  const double decades = log10(axis->max) - log10(axis->min);
  const int stride = decades > wanted ? (int)ceil(decades / wanted) : 1;
  const bool between = decades * 3.0 <= wanted + 2.0 || decades < 1.5;
  for (int e = low - (low % stride + stride) % stride; e <= high; e += stride) {
    add_log(ticks, axis, pow(10.0, e), e);
    if (between) {
      add_log(ticks, axis, 2.0 * pow(10.0, e), e);
      add_log(ticks, axis, 5.0 * pow(10.0, e), e);
    }
  }
  write_title(ticks, axis, log_exponent(axis));
}

JwTicks jw_ticks_choose(const JwPlotAxis* axis, int wanted) {
  JwTicks ticks = {.count = 0};
  wanted = wanted < 2 ? 2 : wanted > 20 ? 20 : wanted;
  if (axis->name_count) {
    for (size_t i = 0; i < axis->name_count; ++i) {
      add(&ticks, (double)i, axis->names[i]);
    }
    write_title(&ticks, axis, 0);
  } else if (axis->log) {
    choose_log(&ticks, axis, wanted);
    if (ticks.count < 2) { // Less than a factor of two: as on a linear axis
      ticks.count = 0;
      choose_linear(&ticks, axis, wanted);
    }
  } else {
    choose_linear(&ticks, axis, wanted);
  }
  return ticks;
}
