// SPDX-License-Identifier: MIT
// The discrete Fourier transform by radix 2, with its turns computed once.  Tested by test_features.c.

#include "fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static uint32_t reversed(uint32_t i, uint32_t size) {
  uint32_t out = 0;
  for (uint32_t bit = 1; bit < size; bit <<= 1) {
    out = out << 1 | (i & bit ? 1u : 0u);
  }
  return out;
}

bool jw_fft_open(JwFft* fft, uint32_t size) {
  memset(fft, 0, sizeof *fft);
  fft->size = size;
  fft->window = (double*)malloc(size * sizeof(double));
  fft->turns = (double*)malloc(size * sizeof(double));
  fft->places = (uint32_t*)malloc(size * sizeof(uint32_t));
  fft->re = (double*)malloc(size * sizeof(double));
  fft->im = (double*)malloc(size * sizeof(double));
  if (!fft->window || !fft->turns || !fft->places || !fft->re || !fft->im) {
    jw_fft_close(fft);
    return false;
  }
  for (uint32_t i = 0; i < size; ++i) {
    fft->window[i] = 0.5 - 0.5 * cos(2.0 * PI * i / size);
    fft->places[i] = reversed(i, size);
  }
  for (uint32_t k = 0; k < size / 2; ++k) {
    fft->turns[2 * k] = cos(2.0 * PI * k / size);
    fft->turns[2 * k + 1] = -sin(2.0 * PI * k / size);
  }
  return true;
}

void jw_fft_close(JwFft* fft) {
  free(fft->window);
  free(fft->turns);
  free(fft->places);
  free(fft->re);
  free(fft->im);
  memset(fft, 0, sizeof *fft);
}

// One stage: butterflies between the halves of every group of `group`.
static void stage(JwFft* fft, uint32_t group) {
  const uint32_t half = group / 2, step = fft->size / group;
  for (uint32_t start = 0; start < fft->size; start += group) {
    double *const ra = fft->re + start, *const ia = fft->im + start;
    for (uint32_t k = 0; k < half; ++k) {
      const double c = fft->turns[2 * (size_t)k * step], s = fft->turns[2 * (size_t)k * step + 1];
      const double x = c * ra[k + half] - s * ia[k + half];
      const double y = c * ia[k + half] + s * ra[k + half];
      ra[k + half] = ra[k] - x;
      ia[k + half] = ia[k] - y;
      ra[k] += x;
      ia[k] += y;
    }
  }
}

void jw_fft_magnitudes(JwFft* fft, const double* samples, double* magnitudes) {
  for (uint32_t i = 0; i < fft->size; ++i) {
    fft->re[fft->places[i]] = fft->window[i] * samples[i];
  }
  memset(fft->im, 0, fft->size * sizeof(double));
  for (uint32_t group = 2; group <= fft->size; group <<= 1) {
    stage(fft, group);
  }
  for (uint32_t k = 0; k <= fft->size / 2; ++k) {
    magnitudes[k] = 4.0 / fft->size * sqrt(fft->re[k] * fft->re[k] + fft->im[k] * fft->im[k]);
  }
}
