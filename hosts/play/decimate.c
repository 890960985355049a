// SPDX-License-Identifier: MIT
// From the rate the world runs at to the rate that is heard: keep one frame of N after a filter.
//
//   symbol  meaning                                                         unit
//   N       factor                                                          1
//   fs      output rate                                                     Hz
//   M       taps to either side of the middle, 40 N                         1
//   h_i     taps, i = -M .. M                                               1
//
//   y_j = sum_i h_i x_(jN + i),    h_i = sinc(i/N) I0(b sqrt(1 - (i/M)^2)) / C            (1)
//
// A windowed sinc: linear phase, so that attacks are not smeared to one side, and no delay, because
// the world simply runs M frames further than it is heard.  The Kaiser window with b = 11.16 holds
// 110 dB; its transition is (110 - 7.95)/(14.36 * 2 M) cycles a frame, that is +- 0.044 fs around
// fs/2.  What lies above fs/2 therefore folds back, if at all, into the top 0.044 fs (20.1 to 22.05
// kHz at 44.1 kHz), and what lies below 0.455 fs passes within 4e-6.  C makes the gain 1 at 0 Hz.
//
// Before the start the input is taken as turned around its first value, x_-i = 2 x_0 - x_i: row 0
// is x_0, and a signal that is somewhere else than 0 when it starts (a plucked string) does not
// ring there as a step would.
//
// Taps are the same bits everywhere: sinc by the series of the sine, I0 by its own, + - * / sqrt
// only. Tested by test_decimate.c.

#include "decimate.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define BETA 11.16

// sin(pi p/q) for 0 <= p <= q: folded to a quarter turn, then Taylor; the tenth term is below
// 1e-15.
static double sine_of_fraction(uint32_t p, uint32_t q) {
  const uint32_t folded = 2 * p > q ? q - p : p;
  const double x = PI * (double)folded / (double)q;
  double term = x, sum = x;
  for (int n = 1; n < 12; ++n) {
    term *= -x * x / ((double)(2 * n) * (double)(2 * n + 1));
    sum += term;
  }
  return sum;
}

// sin(pi i/N) / (pi i/N): exactly 0 at every N-th tap but the middle.
static double sinc(uint32_t i, uint32_t factor) {
  if (i == 0) {
    return 1.0;
  }
  const double sine = sine_of_fraction(i % factor, factor);
  const bool negative = i / factor % 2 == 1;
  return (negative ? -sine : sine) / (PI * (double)i / (double)factor);
}

// Modified Bessel function of order 0: sum of ((x/2)^k / k!)^2.
static double bessel(double x) {
  double term = 1.0, sum = 1.0;
  for (int k = 1; k < 60; ++k) {
    term *= (0.5 * x / k) * (0.5 * x / k);
    sum += term;
  }
  return sum;
}

static void design(JwDecimator* d) {
  double total = 0.0;
  for (uint32_t i = 0; i <= d->half; ++i) {
    const double r = (double)i / (double)d->half;
    d->taps[i] = sinc(i, d->factor) * bessel(BETA * sqrt(1.0 - r * r));
    total += i ? 2.0 * d->taps[i] : d->taps[i];
  }
  for (uint32_t i = 0; i <= d->half; ++i) {
    d->taps[i] /= total;
  }
}

JwDecimator* jw_decimator_create(uint32_t factor, uint32_t channels, uint32_t most) {
  JwDecimator* const d = (JwDecimator*)calloc(1, sizeof *d);
  if (!d) {
    return NULL;
  }
  d->factor = factor;
  d->channels = channels;
  d->half = factor > 1 ? JW_DECIMATE_REACH * factor : 0;
  d->capacity = 2 * d->half + factor + most;
  d->held = d->half; // Before the start
  d->taps = (double*)calloc(d->half + 1, sizeof(double));
  d->memory = (double*)calloc((size_t)d->capacity * (channels ? channels : 1), sizeof(double));
  if (!d->taps || !d->memory) {
    jw_decimator_destroy(d);
    return NULL;
  }
  if (d->half) {
    design(d);
  } else {
    d->taps[0] = 1.0;
  }
  return d;
}

void jw_decimator_destroy(JwDecimator* d) {
  if (d) {
    free(d->taps);
    free(d->memory);
    free(d);
  }
}

uint64_t jw_decimator_needs(const JwDecimator* d, uint64_t frames) {
  return frames ? (frames - 1) * d->factor + d->half + 1 : 0;
}

// Equation (1), smallest taps first.
static double filtered(const JwDecimator* d, const double* middle) {
  double sum = 0.0;
  for (uint32_t i = d->half; i > 0; --i) {
    sum += d->taps[i] * (middle[-(ptrdiff_t)i] + middle[i]);
  }
  return sum + d->taps[0] * middle[0];
}

static void fill_past(JwDecimator* d, double* line) {
  for (uint32_t i = 1; i <= d->half; ++i) {
    line[d->half - i] = 2.0 * line[d->half] - line[d->half + i];
  }
}

uint32_t jw_decimator_push(JwDecimator* d, double* const* in, uint32_t count, double* out) {
  const uint32_t span = 2 * d->half + 1;
  const uint32_t total = d->held + count;
  const uint32_t frames = total >= span ? (total - span) / d->factor + 1 : 0;
  const uint32_t used = frames * d->factor;
  for (uint32_t c = 0; c < d->channels; ++c) {
    double* const line = d->memory + (size_t)c * d->capacity;
    memcpy(line + d->held, in[c], count * sizeof(double));
    if (frames && !d->begun) {
      fill_past(d, line);
    }
    for (uint32_t j = 0; j < frames; ++j) {
      out[(size_t)j * d->channels + c] = filtered(d, line + d->half + (size_t)j * d->factor);
    }
    memmove(line, line + used, (total - used) * sizeof(double));
  }
  d->begun = d->begun || frames;
  d->held = total - used;
  return frames;
}

void jw_decimator_reset(JwDecimator* d) {
  d->held = d->half;
  d->begun = false;
  memset(d->memory, 0, (size_t)d->capacity * d->channels * sizeof(double));
}

bool jw_decimator_is_silent(const JwDecimator* d) {
  for (uint32_t c = 0; c < d->channels; ++c) {
    for (uint32_t i = 0; i < d->held; ++i) {
      if (d->memory[(size_t)c * d->capacity + i] != 0.0) {
        return false;
      }
    }
  }
  return true;
}

double jw_decimator_gain(const JwDecimator* d, double frequency) {
  double sum = d->taps[0];
  for (uint32_t i = 1; i <= d->half; ++i) {
    sum += 2.0 * d->taps[i] * cos(2.0 * PI * frequency * (double)i / d->factor);
  }
  return sum;
}
