// SPDX-License-Identifier: MIT
// fft.h: the discrete Fourier transform of any power of two.
#ifndef JAWARI_FFT_H
#define JAWARI_FFT_H

#include <stdbool.h>
#include <stdint.h>

/// Tables and scratch of one size; belongs to one thread.
typedef struct {
  uint32_t size;
  double* window;   ///< Hann
  double* turns;    ///< cos and -sin of 2 pi k/size, in pairs, for half a turn
  uint32_t* places; ///< Bits of the index reversed
  double* re;
  double* im;
} JwFft;

/// False without memory; `size` is a power of two.
bool jw_fft_open(JwFft* fft, uint32_t size);
void jw_fft_close(JwFft* fft);

/// Magnitudes of the first size/2 + 1 frequencies of `size` samples under a Hann window; a sine of
/// amplitude 1 on one of the frequencies gives 1 there.
void jw_fft_magnitudes(JwFft* fft, const double* samples, double* magnitudes);

#endif // JAWARI_FFT_H
