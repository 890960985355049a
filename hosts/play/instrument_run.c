// SPDX-License-Identifier: MIT
// An instrument in blocks: events at their frames, the world at its own rate, the filter, the gain.
//
// The filter looks JW_DECIMATE_REACH frames ahead.  Live there is no ahead: blocks come later by as
// much, and are silent until then.  After k frames of run the filter has given k - 40, whatever the
// blocks, so that a block is made of what was given and, before the first, of silence.

#include "fade.h"
#include "instrument.h"

#include <math.h>
#include <string.h>

JwStatus jw_instrument_advance(JwInstrument* instrument, uint32_t count, uint32_t* made) {
  const JwStatus status = instrument->player
                              ? jw_player_advance(instrument->player, instrument->block, count)
                              : jw_world_run_double(instrument->world, instrument->block, count);
  *made = jw_decimator_push(instrument->decimator, instrument->block, count, instrument->made);
  return status;
}

static void message(JwInstrument* instrument, const uint8_t* data, uint32_t size) {
  if (instrument->player && !instrument->scored && size > 0) {
    jw_player_message(instrument->player, data, size);
  }
}

// ---------------------------------------------------------------- blocks

static void write(const JwInstrument* instrument, const JwPlayerBlock* block, uint32_t at,
                  double value, uint32_t channel) {
  if (block->out_double) {
    if (block->out_double[channel]) {
      block->out_double[channel][at] = instrument->gain * value;
    }
  } else if (block->out && block->out[channel]) {
    block->out[channel][at] = (float)(instrument->gain * value);
  }
}

static JwStatus run_piece(JwInstrument* instrument, const JwPlayerBlock* block, uint32_t at,
                          uint32_t count) {
  uint32_t made = 0;
  const JwStatus status = jw_instrument_advance(instrument, count * instrument->oversample, &made);
  for (uint32_t c = 0; c < instrument->channels; ++c) {
    for (uint32_t n = 0; n < count - made; ++n) {
      write(instrument, block, at + n, 0.0, c);
    }
    for (uint32_t n = 0; n < made; ++n) {
      write(instrument, block, at + count - made + n,
            instrument->made[(size_t)n * instrument->channels + c], c);
    }
  }
  instrument->frames += count;
  return status;
}

JwStatus jw_instrument_run(JwInstrument* instrument, const JwPlayerBlock* block) {
  if (!instrument || !block) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!instrument->ready) {
    return JW_STATUS_BAD_ORDER;
  }
  const uint32_t events = block->events ? block->event_count : 0;
  JwStatus status = JW_STATUS_OK;
  uint32_t next = 0;
  for (uint32_t at = 0; at < block->count;) {
    for (; next < events && block->events[next].frame <= at; ++next) {
      message(instrument, block->events[next].data, block->events[next].size);
    }
    const uint32_t to = next < events && block->events[next].frame < block->count
                            ? block->events[next].frame
                            : block->count;
    const uint32_t count = to - at < JW_INSTRUMENT_PIECE ? to - at : JW_INSTRUMENT_PIECE;
    const JwStatus part = run_piece(instrument, block, at, count);
    status = status ? status : part;
    at += count;
  }
  for (; next < events; ++next) {
    message(instrument, block->events[next].data, block->events[next].size);
  }
  return status;
}

// ---------------------------------------------------------------- rest, start, tuning

bool jw_instrument_rests(const JwInstrument* instrument) {
  if (!instrument || !instrument->ready) {
    return true;
  }
  const bool playing = !instrument->scored
                           ? instrument->player->held_count > 0
                           : (double)instrument->frames
                                 < jw_scene_info(instrument->scene).duration * instrument->rate;
  return !playing && jw_world_info(instrument->world).awake == 0
         && (instrument->oversample == 1 || jw_decimator_is_silent(instrument->decimator));
}

void jw_instrument_reset(JwInstrument* instrument) {
  if (!instrument || !instrument->decimator) {
    return;
  }
  jw_world_reset(instrument->world);
  jw_decimator_reset(instrument->decimator);
  instrument->frames = 0;
  if (instrument->player) {
    const JwTuning tuning = instrument->player->tuning;
    *instrument->player = *instrument->fresh;
    instrument->player->tuning = tuning;
    jw_score_reset(instrument->player->score);
  }
  for (uint32_t i = 0; i < instrument->control_count; ++i) {
    instrument->controls[i].now = instrument->controls[i].info.initial;
  }
}

void jw_instrument_tune(JwInstrument* instrument, const JwTuning* tuning) {
  if (instrument && instrument->player) {
    instrument->player->tuning = tuning ? *tuning : jw_tuning_equal();
  }
}

// ---------------------------------------------------------------- a whole sound

// World frames until the next event, at most a piece and `left`; events that are due are played.
static uint32_t next_stretch(JwInstrument* instrument, const JwSong* song, uint32_t* next,
                             uint64_t left) {
  const double rate = instrument->rate * instrument->oversample;
  const double now = (double)jw_world_frame(instrument->world);
  uint64_t count = (uint64_t)JW_INSTRUMENT_PIECE * instrument->oversample;
  for (; song && *next < song->count; ++*next) {
    const JwSongEvent* const event = &song->events[*next];
    const double wait = floor(event->time * rate + 0.5) - now;
    if (wait >= 1.0) {
      count = wait < (double)count ? (uint64_t)wait : count;
      break;
    }
    message(instrument, event->data, event->size);
  }
  return (uint32_t)(left < count ? left : count);
}

static JwStatus run_all(JwInstrument* instrument, const JwRendering* rendering, double* peak) {
  const uint64_t total = jw_decimator_needs(instrument->decimator, rendering->frames);
  const double fade = jw_scene_info(instrument->scene).fade * instrument->rate;
  uint64_t done = 0;
  uint32_t next = 0;
  for (uint64_t frame = 0; frame < total;) {
    const uint32_t count = next_stretch(instrument, rendering->song, &next, total - frame);
    uint32_t made = 0;
    const JwStatus status = jw_instrument_advance(instrument, count, &made);
    if (status) {
      return status;
    }
    for (uint32_t n = 0; n < made && done < rendering->frames; ++n, ++done) {
      const double factor = jw_fade(fade, rendering->frames, done);
      for (uint32_t c = 0; c < instrument->channels; ++c) {
        const double value = instrument->made[(size_t)n * instrument->channels + c] * factor;
        rendering->out[c][done] = value;
        *peak = fmax(*peak, fabs(value));
      }
    }
    frame += count;
  }
  return JW_STATUS_OK;
}

double jw_level_gain(double peak) {
  return peak > 0.0 ? 0.89125093813374556 / peak : 1.0;
}

JwStatus jw_instrument_render(JwInstrument* instrument, const JwRendering* rendering,
                              double* gain) {
  if (!instrument || !rendering || !rendering->out) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!instrument->ready) {
    return JW_STATUS_BAD_ORDER;
  }
  double peak = 0.0;
  jw_instrument_reset(instrument);
  const JwStatus status = run_all(instrument, rendering, &peak);
  const double factor = instrument->choose ? jw_level_gain(peak) : instrument->gain;
  for (uint32_t c = 0; !status && c < instrument->channels; ++c) {
    for (uint64_t n = 0; n < rendering->frames; ++n) {
      rendering->out[c][n] = (double)(float)(factor * rendering->out[c][n]);
    }
  }
  if (gain) {
    *gain = factor;
  }
  return status;
}
