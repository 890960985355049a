// SPDX-License-Identifier: MIT
// spectrum.h: levels of a short piece of sound.
#ifndef JAWARI_TOOL_SPECTRUM_H
#define JAWARI_TOOL_SPECTRUM_H

#include <stdint.h>

#define JW_SPECTRUM_SIZE 4096 ///< Samples; a power of two

/// Magnitudes of the first JW_SPECTRUM_SIZE/2 + 1 frequencies of JW_SPECTRUM_SIZE samples under a
/// Hann window; a sine of amplitude 1 on one of the frequencies gives 1 there.
void jw_spectrum(const double* samples, double* magnitudes);

#endif // JAWARI_TOOL_SPECTRUM_H
