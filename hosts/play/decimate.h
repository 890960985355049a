// SPDX-License-Identifier: MIT
// decimate.h: from the rate the world runs at to the rate that is heard.
#ifndef JAWARI_DECIMATE_H
#define JAWARI_DECIMATE_H

#include <stdbool.h>
#include <stdint.h>

/// Frames of output on either side of a frame that have a part in it.
#define JW_DECIMATE_REACH 40

typedef struct {
  uint32_t factor, channels;
  uint32_t half; ///< Taps to either side of the middle: JW_DECIMATE_REACH * factor; 0 for factor 1
  uint32_t capacity; ///< Frames that the memory holds
  uint32_t held;     ///< Frames in it
  bool begun;        ///< What lies before the start is filled in
  double* taps;      ///< half + 1: the filter is symmetric
  double* memory;    ///< By channel
} JwDecimator;

/// NULL without memory.  `most` frames can be pushed at once.
JwDecimator* jw_decimator_create(uint32_t factor, uint32_t channels, uint32_t most);
void jw_decimator_destroy(JwDecimator* decimator);

/// Frames to be pushed for `frames` of output.
uint64_t jw_decimator_needs(const JwDecimator* decimator, uint64_t frames);

/// Take `count` frames, one array a channel; write the frames that are complete, interleaved, and
/// return how many: at most count / factor + 1.
uint32_t jw_decimator_push(JwDecimator* decimator, double* const* in, uint32_t count, double* out);

/// Back to before the start.
void jw_decimator_reset(JwDecimator* decimator);

/// Nothing but zeros is in it.
bool jw_decimator_is_silent(const JwDecimator* decimator);

/// Gain of the filter at a frequency given as a fraction of the output rate; for tests.
double jw_decimator_gain(const JwDecimator* decimator, double frequency);

#endif // JAWARI_DECIMATE_H
