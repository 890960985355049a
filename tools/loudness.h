// SPDX-License-Identifier: MIT
// loudness.h: how loud a sound is to people, by ITU-R BS.1770-4.
#ifndef JAWARI_TOOL_LOUDNESS_H
#define JAWARI_TOOL_LOUDNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct JwLoudness JwLoudness;

/// NULL without memory.
JwLoudness* jw_loudness_create(double rate, uint32_t channels);
void jw_loudness_destroy(JwLoudness* loudness);

/// Take frames, interleaved.  False without memory.
bool jw_loudness_take(JwLoudness* loudness, const double* frames, uint32_t count);

/// Of all that was taken, times a gain, in LUFS; -infinity for silence and for less than 0.4 s.
double jw_loudness_of(const JwLoudness* loudness, double gain);

#endif // JAWARI_TOOL_LOUDNESS_H
