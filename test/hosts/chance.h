// SPDX-License-Identifier: MIT
// chance.h: hosts that play by chance: numbers and messages, what came out, what it took, and an offence to be seen.
#ifndef JAWARI_TEST_HOSTS_CHANCE_H
#define JAWARI_TEST_HOSTS_CHANCE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/// A number below `most`.
static inline uint32_t chance_below(uint32_t* seed, uint32_t most) {
  *seed = *seed * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)*seed * most) >> 32);
}

/// A message of any kind on any channel.
static inline void chance_message(uint32_t* seed, uint8_t data[3]) {
  static const uint8_t kinds[] = {0x80, 0x90, 0x90, 0xa0, 0xb0, 0xd0, 0xe0};
  data[0] = (uint8_t)(kinds[chance_below(seed, sizeof kinds)] | chance_below(seed, 16));
  data[1] = (uint8_t)chance_below(seed, 128);
  data[2] = (uint8_t)chance_below(seed, 128);
}

/// The loudest of what came so far and of these; -1 from the first on that is not finite.
static inline float chance_peak(float peak, const float* samples, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    peak = isfinite(samples[i]) && peak >= 0.0f ? fmaxf(peak, fabsf(samples[i])) : -1.0f;
  }
  return peak;
}

/// What a guard must notice.
static inline void chance_plant(void) {
  void* volatile kept = malloc(1);
  free(kept);
}

/// Seconds of CPU that this thread has used.
static inline double chance_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif // JAWARI_TEST_HOSTS_CHANCE_H
