// SPDX-License-Identifier: MIT
// Partials of a sound that has a pitch, and how far they are stretched.
//
//   symbol  meaning                                                  unit
//   f_k     frequency of partial k                                   Hz
//   B       inharmonicity                                            1
//   d       distance of two frequencies of the transform             Hz
//
// The longest power of two up to 65536 samples from the loudest place on is transformed under a Hann
// window.  Partial k is looked for where the partials before it lead to; its frequency is the top of
// the parabola through the logarithms of three magnitudes, off by at most 0.02 d for a steady sine
// (the known bias of this window), and by d times noise over peak for what else is there:
//
//   u(f_k) = d (0.02 + noise/peak)                                                         (1)
//
// B and f_1 follow from the line (f_k/k)^2 = a + b k^2, each point with weight 1/u^2: B = b/a.  Where
// the points scatter more than (1) says, its uncertainty grows with them.  Tested by test_features.c.

#include "fft.h"
#include "sound.h"

#include <math.h>
#include <stdlib.h>

#define LARGEST 65536u
#define FAINTEST 1e-5 // Of the largest magnitude: -100 dB

typedef struct {
  const double* magnitude;
  uint32_t count;
  double spacing, largest;
} Spectrum;

static uint64_t loudest(const JwMono* sound, uint32_t block) {
  uint64_t best = 0;
  double most = -1.0;
  for (uint64_t start = 0; start + block <= sound->frames; start += block) {
    double energy = 0.0;
    for (uint32_t i = 0; i < block; ++i) {
      energy += sound->mono[start + i] * sound->mono[start + i];
    }
    if (energy > most) {
      most = energy;
      best = start;
    }
  }
  return best;
}

static double between(const Spectrum* s, uint32_t i) {
  const double a = log(s->magnitude[i - 1]), b = log(s->magnitude[i]), c = log(s->magnitude[i + 1]);
  const double bend = a - 2.0 * b + c;
  return bend < 0.0 ? 0.5 * (a - c) / bend : 0.0;
}

// What lies around a peak, beyond its own width: the mean of the magnitudes 5 to 12 places away.
static double noise_around(const Spectrum* s, uint32_t i) {
  double sum = 0.0;
  uint32_t used = 0;
  for (uint32_t away = 5; away <= 12; ++away) {
    if (i >= away + 1 && i + away < s->count) {
      sum += fmin(s->magnitude[i - away], s->magnitude[i + away]);
      ++used;
    }
  }
  return used ? sum / used : 0.0;
}

// The largest peak within `reach` of a frequency; false where there is none that stands out.
static bool find_peak(const Spectrum* s, double frequency, double reach, JwMeasured* found,
                      JwMeasured* level) {
  const double low = (frequency - reach) / s->spacing, high = (frequency + reach) / s->spacing;
  uint32_t best = 0;
  if (low < 2.0 || high > s->count - 2.0) {
    return false;
  }
  for (uint32_t i = (uint32_t)ceil(low); i <= (uint32_t)high; ++i) {
    const double m = s->magnitude[i];
    if (m >= s->magnitude[i - 1] && m > s->magnitude[i + 1] && (!best || m > s->magnitude[best])) {
      best = i;
    }
  }
  if (!best || s->magnitude[best] < FAINTEST * s->largest) {
    return false;
  }
  const double noise = noise_around(s, best) / s->magnitude[best];
  if (noise > 0.25) {
    return false;
  }
  found->value = (best + between(s, best)) * s->spacing;
  found->uncertainty = s->spacing * (0.02 + noise);
  // A sine between two frequencies reads up to 1.42 dB low under a Hann window
  level->value = 20.0 * log10(s->magnitude[best])
                 + 1.42 * fabs(2.0 * between(s, best)) * fabs(2.0 * between(s, best));
  level->uncertainty = 0.1 + 8.7 * noise;
  return true;
}

// a + b k^2 through (f_k/k)^2.
static void fit(JwFeatures* f) {
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, wyy = 0;
  uint32_t used = 0;
  for (uint32_t i = 0; i < JW_FEATURE_PARTIALS; ++i) {
    const double k = i + 1.0, frequency = f->partials[i].value;
    if (isnan(frequency)) {
      continue;
    }
    const double y = frequency * frequency / (k * k), x = k * k;
    const double u = 2.0 * frequency * f->partials[i].uncertainty / (k * k), weight = 1.0 / (u * u);
    w += weight, wx += weight * x, wy += weight * y;
    wxx += weight * x * x, wxy += weight * x * y, wyy += weight * y * y;
    ++used;
  }
  const double d = w * wxx - wx * wx;
  if (used < 4 || !(d > 0.0)) {
    return;
  }
  const double b = (w * wxy - wx * wy) / d, a = (wy - b * wx) / w;
  const double left = wyy - a * wy - b * wxy; // Sum of squares in units of the uncertainties
  const double scatter = fmax(1.0, left / (used - 2.0));
  f->inharmonicity.value = b / a;
  f->inharmonicity.uncertainty = sqrt(scatter * w / d) / a;
}

static void follow(const Spectrum* s, JwFeatures* f) {
  const double f0 = f->f0.value;
  double step = f0, before = 0.0;
  for (uint32_t i = 0; i < JW_FEATURE_PARTIALS; ++i) {
    const double wanted = before + step;
    if (find_peak(s, wanted, fmin(0.2 * f0, 0.2 * step), &f->partials[i], &f->levels[i])) {
      step = fmax(0.9 * f0, fmin(1.3 * f0, f->partials[i].value - before));
      before = f->partials[i].value;
    } else {
      before = wanted;
    }
  }
}

bool jw_measure_partials(const JwMono* sound, JwFeatures* features) {
  uint32_t size = 1024;
  while (2 * (uint64_t)size <= sound->frames && size < LARGEST) {
    size *= 2;
  }
  if (isnan(features->f0.value) || size > sound->frames) {
    return true;
  }
  JwFft fft;
  double* const magnitude = (double*)malloc((size / 2 + 1) * sizeof(double));
  if (!magnitude || !jw_fft_open(&fft, size)) {
    free(magnitude);
    return false;
  }
  const uint64_t peak = loudest(sound, 1024), last = sound->frames - size;
  jw_fft_magnitudes(&fft, sound->mono + (peak < last ? peak : last), magnitude);
  Spectrum spectrum = {magnitude, size / 2 + 1, sound->rate / size, 0.0};
  for (uint32_t i = 2; i < spectrum.count; ++i) {
    spectrum.largest = fmax(spectrum.largest, magnitude[i]);
  }
  follow(&spectrum, features);
  fit(features);
  jw_fft_close(&fft);
  free(magnitude);
  return true;
}
