// SPDX-License-Identifier: MIT
// Integrated loudness by ITU-R BS.1770-4.
//
//   1  each channel passes two filters, together the K-weighting: a shelf for the head, a high pass for low notes
//   2  z_j, the mean square of block j: 0.4 s, a new one every 0.1 s; channels added up
//   3  l_j = -0.691 + 10 log10 z_j; blocks above -70 count, and of these again those above their mean less 10
//   4  the loudness is that of the mean z of the blocks that are left
//
// The standard gives the filters at 48 kHz; at other rates they are the same analogue filters by
// the bilinear transform: the shelf of 1681.97 Hz, Q 0.70718, 3.99984 dB, the high pass of 38.1355
// Hz, Q 0.50033.

#include "loudness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define BLOCK 4 // Tenths of a second

typedef struct {
  double b[3], a[2];
} Filter;

struct JwLoudness {
  uint32_t channels, hop, held; // Frames in a tenth of a second, and so far of this one
  Filter filters[2];
  double (*past)[2][2]; // By channel and filter
  double sum;           // Of squares in this tenth
  double* tenths;       // Mean squares
  size_t count, capacity;
};

static Filter shelf(double rate) {
  const double k = tan(PI * 1681.974450955533 / rate), q = 0.7071752369554196;
  const double high = pow(10.0, 3.999843853973347 / 20.0), band = pow(high, 0.4996667741545416);
  const double a0 = 1.0 + k / q + k * k;
  const Filter filter = {{(high + band * k / q + k * k) / a0, 2.0 * (k * k - high) / a0,
                          (high - band * k / q + k * k) / a0},
                         {2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0}};
  return filter;
}

static Filter high_pass(double rate) {
  const double k = tan(PI * 38.13547087602444 / rate), q = 0.5003270373238773,
               a0 = 1.0 + k / q + k * k;
  const Filter filter = {{1.0, -2.0, 1.0}, {2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0}};
  return filter;
}

JwLoudness* jw_loudness_create(double rate, uint32_t channels) {
  JwLoudness* const l = (JwLoudness*)calloc(1, sizeof *l);
  if (!l) {
    return NULL;
  }
  l->channels = channels;
  l->hop = (uint32_t)floor(0.1 * rate + 0.5);
  l->filters[0] = shelf(rate);
  l->filters[1] = high_pass(rate);
  l->past = calloc(channels + 1, sizeof *l->past);
  if (!l->past) {
    free(l);
    return NULL;
  }
  return l;
}

void jw_loudness_destroy(JwLoudness* l) {
  if (l) {
    free(l->past);
    free(l->tenths);
    free(l);
  }
}

// Direct form II, transposed.
static double pass(const Filter* f, double past[2], double x) {
  const double y = f->b[0] * x + past[0];
  past[0] = f->b[1] * x - f->a[0] * y + past[1];
  past[1] = f->b[2] * x - f->a[1] * y;
  return y;
}

static bool end_tenth(JwLoudness* l) {
  if (l->count == l->capacity) {
    const size_t capacity = l->capacity ? 2 * l->capacity : 64;
    double* const more = (double*)realloc(l->tenths, capacity * sizeof(double));
    if (!more) {
      return false;
    }
    l->tenths = more;
    l->capacity = capacity;
  }
  l->tenths[l->count++] = l->sum / l->hop;
  l->sum = 0.0;
  l->held = 0;
  return true;
}

bool jw_loudness_take(JwLoudness* l, const double* frames, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t c = 0; c < l->channels; ++c) {
      const double head = pass(&l->filters[0], l->past[c][0], *frames++);
      const double y = pass(&l->filters[1], l->past[c][1], head);
      l->sum += y * y;
    }
    if (++l->held == l->hop && !end_tenth(l)) {
      return false;
    }
  }
  return true;
}

static double level(double z) {
  return -0.691 + 10.0 * log10(z);
}

// Mean of the blocks above a gate, in LUFS; -infinity when there are none.
static double gated(const JwLoudness* l, double gain, double gate) {
  double sum = 0.0;
  size_t used = 0;
  for (size_t j = 0; j + BLOCK <= l->count; ++j) {
    double z = 0.0;
    for (size_t i = 0; i < BLOCK; ++i) {
      z += gain * gain * l->tenths[j + i] / BLOCK;
    }
    if (level(z) > gate) {
      sum += z;
      ++used;
    }
  }
  return used ? level(sum / (double)used) : -HUGE_VAL;
}

double jw_loudness_of(const JwLoudness* l, double gain) {
  return gated(l, gain, fmax(-70.0, gated(l, gain, -70.0) - 10.0));
}
