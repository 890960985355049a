// SPDX-License-Identifier: MIT
// feature.h: what a sound is like, in numbers, each with its uncertainty.
#ifndef JAWARI_FEATURE_H
#define JAWARI_FEATURE_H

#include <jawari/base.h>

#define JW_FEATURE_PARTIALS 16
#define JW_FEATURE_BANDS 7      ///< Octaves around 125 Hz to 8 kHz
#define JW_FEATURE_STRETCHES 20 ///< Of equal length, of the whole sound

/// A number and how far it may be off (one standard deviation, or a bound where there is no
/// statistics); NaN where the sound has none.
typedef struct {
  double value, uncertainty;
} JwMeasured;

typedef struct {
  JwMeasured f0;                             ///< Pitch (Hz)
  JwMeasured inharmonicity;                  ///< B of f_k = k f_1 sqrt(1 + B k^2)
  JwMeasured partials[JW_FEATURE_PARTIALS];  ///< Hz
  JwMeasured levels[JW_FEATURE_PARTIALS];    ///< dB, against an amplitude of 1
  JwMeasured t60[JW_FEATURE_BANDS];          ///< Time to fade by 60 dB, by octave (s)
  JwMeasured centroid[JW_FEATURE_STRETCHES]; ///< Spectral centroid over time (Hz)
  JwMeasured loudness;                       ///< LUFS, ITU-R BS.1770-4
} JwFeatures;

/// The middle of a band (Hz).
JW_API double jw_feature_band(uint32_t band);

/// Measure `frames` frames of `channels` samples, interleaved.  JW_STATUS_NO_MEMORY, or
/// JW_STATUS_BAD_VALUE for a rate or a sample that is not finite.
JW_API JW_MUST_USE JwStatus jw_features_measure(const float* samples, uint64_t frames,
                                                uint32_t channels, double rate,
                                                JwFeatures* features);

#endif // JAWARI_FEATURE_H
