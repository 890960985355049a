// SPDX-License-Identifier: MIT
// instrument.h: inside of an instrument.
#ifndef JAWARI_INSTRUMENT_H
#define JAWARI_INSTRUMENT_H

#include "decimate.h"
#include "player.h"

#define JW_INSTRUMENT_PIECE 64 ///< Most frames that are run in one go

/// One target that controllers move.
typedef struct {
  JwPlayerControl control; ///< The first that moves it
  JwInstrumentControl info;
  double now; ///< Of a voice: as it was set last
} JwInstrumentItem;

struct JwInstrument {
  JwScene* scene;
  bool own_scene;
  JwWorld* world;
  JwPlayer* player; ///< NULL: it plays its score, and that has no notes
  bool scored;      ///< It plays its score
  JwPlayer* fresh;  ///< The player as it was before the first note
  JwDecimator* decimator;
  double rate;
  uint32_t oversample, channels;
  bool choose;                         ///< The gain is chosen by how loud it is
  double gain;                         ///< Put on blocks
  bool ready;                          ///< It can run
  double lowest, highest;              ///< Pitches of its voices (Hz); JW_UNSET without any
  bool chromatic;                      ///< Every key between them sounds
  uint64_t frames;                     ///< Run since the start
  double* memory;                      ///< Of the two below
  double* block[JW_SCENE_MAX_PICKUPS]; ///< At the world's rate, by channel
  double* made;                        ///< Filtered down, interleaved
  JwInstrumentItem controls[JW_PLAYER_CONTROLS];
  uint32_t control_count;
  char error[JW_ERROR_SIZE];
};

/// Run the world by at most a piece, `count` of its frames; `*made` gets how many frames that are
/// heard lie in `made`.
JW_REALTIME JwStatus jw_instrument_advance(JwInstrument* instrument, uint32_t count,
                                           uint32_t* made);

// instrument_level.c: choose the gain by trying it.
JwStatus jw_instrument_try(JwInstrument* instrument);

// instrument_controls.c: find what can be moved.
void jw_instrument_find_controls(JwInstrument* instrument);

#endif // JAWARI_INSTRUMENT_H
