// SPDX-License-Identifier: MIT
// The pitch of a sound, where it has one.
//
//   1  the channels are summed, and averaged in pairs, fours ... down to about 11 kHz
//   2  windows of 0.25 s, every 0.125 s: the similarity of the window with itself, t later,
//
//        n(t) = 2 sum x(i) x(i + t) / sum (x(i)^2 + x(i + t)^2)                               (1)
//
//      is 1 for a period t.  The first peak of 0.9 of the highest is the period: later ones are its multiples
//   3  the period is measured at its last multiple in the window, which has as many times the digits
//   4  the pitch is the median of the windows, each with the weight of its energy, if most of the energy lies in windows that have a
//      period (n of 0.9 at least) within half a semitone of it
//
// Pure and harmonic tones are found within five cents; stretched partials raise it, as they do to
// the ear.  (1) is McLeod and Wyvill's, 2005.  Tested by test_pitch_heard.c.

#include "pitch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 0.25 // s
#define LOWEST 25.0 // Hz
#define HIGHEST 4000.0
#define CLEAR 0.9  // Similarity of a window that has a pitch
#define NEARLY 0.9 // Of the highest peak
#define SEMITONE 1.0594630943592953

typedef struct {
  double frequency, energy; // Frequency 0: none
} Seen;

struct JwPitch {
  double rate;
  uint32_t channels, fold, folded, size, filled, lags;
  double sum;
  double *window, *similar;
  Seen* seen;
  uint32_t seen_count, seen_room;
};

JwPitch* jw_pitch_create(double rate, uint32_t channels) {
  JwPitch* const p = (JwPitch*)calloc(1, sizeof *p);
  if (!p) {
    return NULL;
  }
  p->channels = channels;
  for (p->fold = 1; rate / (2.0 * p->fold) >= 11025.0; p->fold *= 2) {
  }
  p->rate = rate / p->fold;
  p->size = (uint32_t)(WINDOW * p->rate);
  p->lags = p->size / 2;
  p->window = (double*)malloc(p->size * sizeof(double));
  p->similar = (double*)malloc((p->lags + 1) * sizeof(double));
  if (!p->window || !p->similar) {
    jw_pitch_destroy(p);
    return NULL;
  }
  return p;
}

void jw_pitch_destroy(JwPitch* p) {
  if (p) {
    free(p->window);
    free(p->similar);
    free(p->seen);
    free(p);
  }
}

// (1)
static void compare(JwPitch* p) {
  const double* const x = p->window;
  const uint32_t n = p->size;
  double squares = 0.0; // What both windows hold: a sample fewer at each end for every t
  for (uint32_t i = 0; i < n; ++i) {
    squares += 2.0 * x[i] * x[i];
  }
  for (uint32_t t = 0; t <= p->lags; ++t) {
    double sums[4] = {0.0}; // Additions that need not wait for each other
    for (uint32_t i = 0; i + t + 3 < n; i += 4) {
      for (uint32_t j = 0; j < 4; ++j) {
        sums[j] += x[i + j] * x[i + j + t];
      }
    }
    p->similar[t] =
        squares > 0.0 ? 2.0 * ((sums[0] + sums[1]) + (sums[2] + sums[3])) / squares : 0.0;
    squares -= x[t] * x[t] + x[n - 1 - t] * x[n - 1 - t];
  }
}

static bool is_peak(const double* n, uint32_t t) {
  return n[t] > n[t - 1] && n[t] >= n[t + 1];
}

// The top of the parabola through a peak and its neighbours.
static double top(const double* n, uint32_t t) {
  const double bend = n[t - 1] - 2.0 * n[t] + n[t + 1];
  return t + (bend < 0.0 ? 0.5 * (n[t - 1] - n[t + 1]) / bend : 0.0);
}

static double height(const double* n, uint32_t t) {
  return n[t] - 0.25 * (n[t - 1] - n[t + 1]) * (top(n, t) - t);
}

// The period in samples, or 0.
static double period_of(const JwPitch* p) {
  const double* const n = p->similar;
  const uint32_t least = (uint32_t)fmax(2.0, p->rate / HIGHEST),
                 most = (uint32_t)fmin(p->rate / LOWEST, p->lags - 1.0);
  uint32_t start = 1;
  while (start < most && n[start] > 0.0) { // Past the peak at 0
    ++start;
  }
  double highest = 0.0;
  for (uint32_t t = start > least ? start : least; t < most; ++t) {
    highest = is_peak(n, t) ? fmax(highest, height(n, t)) : highest;
  }
  for (uint32_t t = start > least ? start : least; t < most && highest >= CLEAR; ++t) {
    if (is_peak(n, t) && height(n, t) >= NEARLY * highest) {
      return top(n, t);
    }
  }
  return 0.0;
}

// Measured at its multiples, each found from the one before.
static double sharpened(const JwPitch* p, double period) {
  for (uint32_t m = 2; (m + 0.5) * period < p->lags; ++m) {
    const uint32_t from = (uint32_t)((m - 0.3) * period), to = (uint32_t)((m + 0.3) * period);
    uint32_t best = 0;
    for (uint32_t t = from; t <= to; ++t) {
      best = is_peak(p->similar, t) && (!best || p->similar[t] > p->similar[best]) ? t : best;
    }
    if (!best || p->similar[best] < CLEAR) {
      break;
    }
    period = top(p->similar, best) / m;
  }
  return period;
}

static bool look(JwPitch* p) {
  if (p->seen_count == p->seen_room) {
    const uint32_t room = p->seen_room ? 2 * p->seen_room : 64;
    Seen* const seen = (Seen*)realloc(p->seen, room * sizeof *seen);
    if (!seen) {
      return false;
    }
    p->seen = seen;
    p->seen_room = room;
  }
  double mean = 0.0, energy = 0.0;
  for (uint32_t i = 0; i < p->size; ++i) {
    mean += p->window[i] / p->size;
  }
  for (uint32_t i = 0; i < p->size; ++i) {
    energy += (p->window[i] - mean) * (p->window[i] - mean);
  }
  double period = 0.0;
  if (energy > 0.0 && isfinite(energy)) {
    compare(p);
    period = period_of(p);
    period = period > 0.0 ? sharpened(p, period) : 0.0;
  }
  p->seen[p->seen_count++] = (Seen){period > 0.0 ? p->rate / period : 0.0, energy};
  return true;
}

bool jw_pitch_take(JwPitch* p, const double* frames, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t c = 0; c < p->channels; ++c) {
      p->sum += frames[(size_t)i * p->channels + c];
    }
    if (++p->folded < p->fold) {
      continue;
    }
    p->window[p->filled++] = p->sum;
    p->sum = 0.0;
    p->folded = 0;
    if (p->filled == p->size) {
      if (!look(p)) {
        return false;
      }
      const uint32_t half = p->size / 2;
      memmove(p->window, p->window + p->size - half, half * sizeof(double));
      p->filled = half;
    }
  }
  return true;
}

static int by_frequency(const void* a, const void* b) {
  const double x = ((const Seen*)a)->frequency, y = ((const Seen*)b)->frequency;
  return (x > y) - (x < y);
}

double jw_pitch_of(const JwPitch* p) {
  double all = 0.0, pitched = 0.0, near = 0.0, sum = 0.0, median = 0.0;
  for (uint32_t i = 0; i < p->seen_count; ++i) {
    all += p->seen[i].energy;
    pitched += p->seen[i].frequency > 0.0 ? p->seen[i].energy : 0.0;
  }
  if (!(all > 0.0) || !(pitched > 0.5 * all)) {
    return NAN;
  }
  qsort(p->seen, p->seen_count, sizeof(Seen), by_frequency);
  for (uint32_t i = 0; i < p->seen_count && sum < 0.5 * pitched; ++i) {
    sum += p->seen[i].frequency > 0.0 ? p->seen[i].energy : 0.0;
    median = p->seen[i].frequency;
  }
  for (uint32_t i = 0; i < p->seen_count; ++i) {
    const double ratio = p->seen[i].frequency / median;
    near += ratio > 1.0 / sqrt(SEMITONE) && ratio < sqrt(SEMITONE) ? p->seen[i].energy : 0.0;
  }
  return near > 0.5 * all ? median : NAN;
}

double jw_pitch_spread(const JwPitch* p) {
  const double pitch = jw_pitch_of(p);
  double away = 0.0, energy = 0.0;
  for (uint32_t i = 0; i < p->seen_count; ++i) {
    const double frequency = p->seen[i].frequency;
    if (fabs(frequency - pitch) < pitch * (sqrt(SEMITONE) - 1.0)) {
      away += fabs(frequency - pitch) * p->seen[i].energy;
      energy += p->seen[i].energy;
    }
  }
  return energy > 0.0 ? away / energy : NAN;
}
