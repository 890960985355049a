// SPDX-License-Identifier: MIT
// What a sound is like: pitch, partials, fading, brightness, loudness.
//
// Loudness is measured twice, the second time without the first 50 ms, so that its blocks lie half a
// step later: by how much the two differ is its uncertainty.

#include "feature.h"

#include "loudness.h"
#include "pitch.h"
#include "sound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 1024

static void clear(JwFeatures* features) {
  double* const numbers = (double*)features;
  for (size_t i = 0; i < sizeof *features / sizeof(double); ++i) {
    numbers[i] = NAN;
  }
}

static bool make_mono(JwMono* sound, const float* samples, uint32_t channels, bool* finite) {
  sound->mono = (double*)malloc((sound->frames + 1) * sizeof(double));
  if (!sound->mono) {
    return false;
  }
  *finite = true;
  for (uint64_t i = 0; i < sound->frames; ++i) {
    double sum = 0.0;
    for (uint32_t c = 0; c < channels; ++c) {
      sum += (double)samples[i * channels + c];
    }
    sound->mono[i] = channels ? sum / channels : 0.0;
    *finite = *finite && isfinite(sum);
  }
  return true;
}

static bool measure_pitch(const JwMono* sound, JwFeatures* features) {
  JwPitch* const pitch = jw_pitch_create(sound->rate, 1);
  bool good = pitch != NULL;
  for (uint64_t i = 0; i < sound->frames && good; i += BLOCK) {
    const uint64_t left = sound->frames - i;
    good = jw_pitch_take(pitch, sound->mono + i, left < BLOCK ? (uint32_t)left : BLOCK);
  }
  if (good) {
    features->f0.value = jw_pitch_of(pitch);
    features->f0.uncertainty = jw_pitch_spread(pitch);
  }
  jw_pitch_destroy(pitch);
  return good;
}

// From frame `from` on.
static bool loudness_from(const float* samples, uint64_t frames, uint32_t channels, double rate,
                          uint64_t from, double* lufs) {
  JwLoudness* const loudness = jw_loudness_create(rate, channels);
  double block[64];
  const uint32_t most = channels ? 64 / channels : 64;
  bool good = loudness != NULL && most > 0;
  for (uint64_t i = from; i < frames && good;) {
    const uint32_t count = frames - i < most ? (uint32_t)(frames - i) : most;
    for (uint32_t j = 0; j < count * channels; ++j) {
      block[j] = (double)samples[i * channels + j];
    }
    good = jw_loudness_take(loudness, block, count);
    i += count;
  }
  const double found = good ? jw_loudness_of(loudness, 1.0) : NAN;
  *lufs = isfinite(found) ? found : NAN;
  jw_loudness_destroy(loudness);
  return good;
}

static bool measure_loudness(const float* samples, const JwMono* sound, uint32_t channels,
                             JwFeatures* features) {
  double again = NAN;
  const uint64_t later = (uint64_t)(0.05 * sound->rate);
  const bool good =
      loudness_from(samples, sound->frames, channels, sound->rate, 0, &features->loudness.value)
      && loudness_from(samples, sound->frames, channels, sound->rate, later, &again);
  features->loudness.uncertainty = fabs(again - features->loudness.value);
  return good;
}

JwStatus jw_features_measure(const float* samples, uint64_t frames, uint32_t channels, double rate,
                             JwFeatures* features) {
  JwMono sound = {NULL, frames, rate};
  bool finite = false;
  clear(features);
  if (!(rate >= 1000.0 && rate <= 1e8) || channels > 64) {
    return JW_STATUS_BAD_VALUE;
  }
  bool good = make_mono(&sound, samples, channels, &finite);
  if (good && finite && channels) {
    good = measure_pitch(&sound, features) && jw_measure_partials(&sound, features)
           && jw_measure_decay(&sound, features)
           && measure_loudness(samples, &sound, channels, features);
  }
  free(sound.mono);
  if (!good) {
    return JW_STATUS_NO_MEMORY;
  }
  return finite ? JW_STATUS_OK : JW_STATUS_BAD_VALUE;
}
