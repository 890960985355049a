// SPDX-License-Identifier: MIT
// sound.h: inside of the features: a sound in one channel.
#ifndef JAWARI_MEASURE_SOUND_H
#define JAWARI_MEASURE_SOUND_H

#include "feature.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  double* mono; ///< Mean of the channels
  uint64_t frames;
  double rate;
} JwMono;

// partials.c: pitch is in features->f0.  False without memory.
bool jw_measure_partials(const JwMono* sound, JwFeatures* features);

// decay.c: T60 by band, and the centroid, from one look at the sound over time.
bool jw_measure_decay(const JwMono* sound, JwFeatures* features);

#endif // JAWARI_MEASURE_SOUND_H
