// SPDX-License-Identifier: MIT
// pitch.h: how high a sound is, where it has a pitch.
#ifndef JAWARI_TOOL_PITCH_H
#define JAWARI_TOOL_PITCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct JwPitch JwPitch;

JwPitch* jw_pitch_create(double rate, uint32_t channels);
void jw_pitch_destroy(JwPitch* pitch);

/// Frames of all channels, one after the other; false without memory.
bool jw_pitch_take(JwPitch* pitch, const double* frames, uint32_t count);

/// Hz; NaN where the sound has none, or too many, or is too short.
double jw_pitch_of(const JwPitch* pitch);

/// How far the windows lie from it, in the mean, each with the weight of its energy (Hz); NaN without
/// a pitch.
double jw_pitch_spread(const JwPitch* pitch);

#endif // JAWARI_TOOL_PITCH_H
