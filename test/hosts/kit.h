// SPDX-License-Identifier: MIT
// kit.h: what the tests of plug-ins have in common: a folder of scenes, and the instrument whose samples a plug-in must give.
#ifndef JAWARI_TEST_HOSTS_KIT_H
#define JAWARI_TEST_HOSTS_KIT_H

#include "chance.h"
#include "test.h"

#include <jawari/play.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Write a text into a folder.
static inline void kit_put(const char* folder, const char* name, const char* text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* const file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

static inline void kit_remove(const char* folder, const char* const* names, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
}

/// A scene, by its name or path, as the instrument kit has it.
static inline JwInstrument* kit_instrument(const char* name, double rate) {
  JwInstrumentDef def = jw_instrument_default();
  JwInstrument* instrument = NULL;
  def.name = name, def.rate = rate, def.channels = JW_CHANNELS_STEREO;
  assert_int_equal(jw_instrument_create(&def, &instrument), JW_STATUS_OK);
  return instrument;
}

/// Events in one block: what a plug-in must give, however its blocks are.
static inline void kit_run(JwInstrument* instrument, const JwPlayerEvent* events, uint32_t count,
                           float* const out[2], uint32_t frames) {
  const JwPlayerBlock block = {out, NULL, frames, events, count};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
}

static inline void kit_play(const char* name, double rate, const JwPlayerEvent* events,
                            uint32_t count, float* const out[2], uint32_t frames) {
  JwInstrument* const instrument = kit_instrument(name, rate);
  kit_run(instrument, events, count, out, frames);
  jw_instrument_destroy(instrument);
}

static inline float kit_peak(const float* samples, uint32_t count) {
  return chance_peak(0.0f, samples, count);
}

/// The size of the next block: as wanted, or where that is 0, by chance from 1 to `most`; no more than are left.
static inline uint32_t kit_block(uint32_t wanted, uint32_t most, uint32_t left, uint32_t* seed) {
  const uint32_t count = wanted ? wanted : 1 + chance_below(seed, most);
  return count < left ? count : left;
}

#endif // JAWARI_TEST_HOSTS_KIT_H
