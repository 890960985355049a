// SPDX-License-Identifier: MIT
// How a sound fades, by octave, and how bright it is, over time.
//
// The sound is looked at through Hann windows of some 46 ms, every quarter of one.
//
//   T60       a line through the level (dB) of an octave, from 5 to 35 dB below its largest, or to the
//             end: T60 = -60/slope.  It needs 10 dB and eight windows; where the sound does not fade
//             there is none.  Its uncertainty is that of the slope, times two, since four windows in
//             a row share their samples
//   centroid  sum f m^2 / sum m^2, mean of the windows of a twentieth of the sound that are within
//             80 dB of the loudest; its uncertainty is their spread over the root of a quarter of
//             their number
//
// Tested by test_features.c, against decays that are known.

#include "fft.h"
#include "sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 0.046 // s
#define QUIET 1e-8   // Of the loudest window: -80 dB
#define LEAST 8      // Windows

typedef struct {
  double band[JW_FEATURE_BANDS];
  double energy, centroid;
} Look;

double jw_feature_band(uint32_t band) {
  return 125.0 * (double)(1u << band);
}

static Look look_at(const double* magnitude, uint32_t size, double spacing) {
  Look look;
  memset(&look, 0, sizeof look);
  double moment = 0.0;
  for (uint32_t i = 1; i <= size / 2; ++i) {
    const double f = i * spacing, power = magnitude[i] * magnitude[i];
    look.energy += power;
    moment += f * power;
    const double octave = log2(f / 125.0) + 0.5;
    if (octave >= 0.0 && octave < JW_FEATURE_BANDS) {
      look.band[(uint32_t)octave] += power;
    }
  }
  look.centroid = look.energy > 0.0 ? moment / look.energy : NAN;
  return look;
}

// From the largest on: the windows 5 to 35 dB below it.
static void find_stretch(const Look* looks, uint32_t count, uint32_t band, uint32_t range[2]) {
  uint32_t top = 0;
  for (uint32_t i = 1; i < count; ++i) {
    top = looks[i].band[band] > looks[top].band[band] ? i : top;
  }
  const double most = looks[top].band[band];
  range[0] = top;
  while (range[0] < count && looks[range[0]].band[band] > most * 0.31622776601683794) {
    ++range[0];
  }
  range[1] = range[0];
  while (range[1] < count && looks[range[1]].band[band] > most * 3.1622776601683794e-4) {
    ++range[1];
  }
}

static JwMeasured fade(const Look* looks, uint32_t count, uint32_t band, double hop) {
  JwMeasured none = {NAN, NAN};
  uint32_t range[2];
  find_stretch(looks, count, band, range);
  const uint32_t n = range[1] - range[0];
  if (n < LEAST) {
    return none;
  }
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const double level = 10.0 * log10(looks[range[0] + i].band[band]), t = i * hop;
    x += t, y += level, xx += t * t, xy += t * level, yy += level * level;
  }
  const double sxx = xx - x * x / n, sxy = xy - x * y / n, syy = yy - y * y / n;
  const double slope = sxy / sxx, left = fmax(0.0, syy - slope * sxy);
  if (!(slope * (n - 1) * hop < -10.0)) {
    return none;
  }
  const double error = 2.0 * sqrt(left / (n - 2.0) / sxx);
  const JwMeasured made = {-60.0 / slope, 60.0 / (slope * slope) * error};
  return made;
}

static void average(const Look* looks, uint32_t count, JwFeatures* f) {
  double loudest = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    loudest = fmax(loudest, looks[i].energy);
  }
  for (uint32_t s = 0; s < JW_FEATURE_STRETCHES; ++s) {
    const uint32_t from = (uint32_t)((uint64_t)count * s / JW_FEATURE_STRETCHES),
                   to = (uint32_t)((uint64_t)count * (s + 1) / JW_FEATURE_STRETCHES);
    double sum = 0.0, squares = 0.0;
    uint32_t used = 0;
    for (uint32_t i = from; i < to; ++i) {
      if (looks[i].energy > QUIET * loudest) {
        sum += looks[i].centroid;
        squares += looks[i].centroid * looks[i].centroid;
        ++used;
      }
    }
    if (used) {
      const double mean = sum / used, spread = fmax(0.0, squares / used - mean * mean);
      f->centroid[s].value = mean;
      f->centroid[s].uncertainty = used > 1 ? sqrt(spread / fmax(1.0, 0.25 * used)) : NAN;
    }
  }
}

bool jw_measure_decay(const JwMono* sound, JwFeatures* features) {
  uint32_t size = 64;
  while (2.0 * size <= WINDOW * sound->rate * 1.4142135623730951) {
    size *= 2;
  }
  const uint32_t hop = size / 4;
  const uint32_t count = sound->frames < size ? 0 : (uint32_t)((sound->frames - size) / hop) + 1;
  if (count == 0) {
    return true;
  }
  JwFft fft;
  Look* const looks = (Look*)malloc(count * sizeof *looks);
  double* const magnitude = (double*)malloc((size / 2 + 1) * sizeof(double));
  if (!looks || !magnitude || !jw_fft_open(&fft, size)) {
    free(looks);
    free(magnitude);
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) {
    jw_fft_magnitudes(&fft, sound->mono + (uint64_t)i * hop, magnitude);
    looks[i] = look_at(magnitude, size, sound->rate / size);
  }
  for (uint32_t band = 0; band < JW_FEATURE_BANDS; ++band) {
    features->t60[band] = fade(looks, count, band, hop / sound->rate);
  }
  average(looks, count, features);
  jw_fft_close(&fft);
  free(looks);
  free(magnitude);
  return true;
}
