// SPDX-License-Identifier: MIT
// Levels of a short piece of sound: a Hann window and a radix-2 transform.  For pictures only.

#include "spectrum.h"

#include <math.h>

#define PI 3.14159265358979323846
#define N JW_SPECTRUM_SIZE

static uint32_t reversed(uint32_t i) {
  uint32_t out = 0;
  for (uint32_t bit = 1; bit < N; bit <<= 1) {
    out = out << 1 | (i & bit ? 1u : 0u);
  }
  return out;
}

// One stage: butterflies between halves of every group of `size`.
static void stage(double* re, double* im, uint32_t size) {
  for (uint32_t k = 0; k < size / 2; ++k) {
    const double c = cos(2.0 * PI * k / size), s = -sin(2.0 * PI * k / size);
    for (uint32_t a = k; a < N; a += size) {
      const uint32_t b = a + size / 2;
      const double x = c * re[b] - s * im[b], y = c * im[b] + s * re[b];
      re[b] = re[a] - x;
      im[b] = im[a] - y;
      re[a] += x;
      im[a] += y;
    }
  }
}

void jw_spectrum(const double* samples, double* magnitudes) {
  double re[N], im[N];
  for (uint32_t i = 0; i < N; ++i) {
    const double window = 0.5 - 0.5 * cos(2.0 * PI * i / N);
    re[reversed(i)] = window * samples[i];
    im[i] = 0.0;
  }
  for (uint32_t size = 2; size <= N; size <<= 1) {
    stage(re, im, size);
  }
  for (uint32_t k = 0; k <= N / 2; ++k) {
    magnitudes[k] = 4.0 / N * sqrt(re[k] * re[k] + im[k] * im[k]);
  }
}
