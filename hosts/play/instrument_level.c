// SPDX-License-Identifier: MIT
// How loud is an instrument?  Keys from low to high, half a second each, or the first two seconds
// of its score; then back to the start.  The loudest sample is brought to -6 dB.

#include "instrument.h"

#include <math.h>
#include <stdio.h>

// So many seconds; the loudest sample so far is kept.
static JwStatus listen(JwInstrument* instrument, double seconds, double* peak) {
  const uint64_t frames = (uint64_t)(seconds * instrument->rate);
  for (uint64_t done = 0; done < frames; done += JW_INSTRUMENT_PIECE) {
    uint32_t made = 0;
    const JwStatus status =
        jw_instrument_advance(instrument, JW_INSTRUMENT_PIECE * instrument->oversample, &made);
    if (status) {
      snprintf(instrument->error, sizeof instrument->error, "the state stops being finite");
      return status;
    }
    for (uint32_t i = 0; i < made * instrument->channels; ++i) {
      *peak = fmax(*peak, fabs(instrument->made[i]));
    }
  }
  return JW_STATUS_OK;
}

static JwStatus try_keys(JwInstrument* instrument, double* peak) {
  JwStatus status = JW_STATUS_OK;
  for (uint8_t key = 36; key <= 72 && !status; key = (uint8_t)(key + 12)) {
    const uint8_t on[3] = {0x90, key, 100}, off[3] = {0x80, key, 0};
    jw_player_message(instrument->player, on, 3);
    status = listen(instrument, 0.5, peak);
    jw_player_message(instrument->player, off, 3);
  }
  return status;
}

JwStatus jw_instrument_try(JwInstrument* instrument) {
  double peak = 0.0;
  const double score = fmin(2.0, jw_scene_info(instrument->scene).duration);
  const JwStatus status =
      !instrument->scored ? try_keys(instrument, &peak) : listen(instrument, score, &peak);
  instrument->gain = peak > 0.0 ? 0.5 / peak : 1.0;
  jw_instrument_reset(instrument);
  return status;
}
