// SPDX-License-Identifier: MIT
// live.h: a player as a JACK client: stereo out, MIDI in.
#ifndef JAWARI_LIVE_H
#define JAWARI_LIVE_H

#include <jawari/play.h>

#define JW_LIVE_LAMPS 16

typedef struct JwLive JwLive;

/// Called in the process thread before and after each block; for tests.
typedef struct {
  void (*before)(void* user);
  void (*after)(void* user, const JwPlayerBlock* block);
  void* user;
} JwLiveWatch;

typedef struct {
  JwScene* scene;         ///< Muted
  const char* name;       ///< Of the client
  const JwTuning* tuning; ///< NULL: equal steps
  double
      gain; ///< NaN: such that a note of velocity 100 peaks at -6 dB where the scene says "auto", else 1
  bool ledger;
  bool connect; ///< To the hardware's ports, where there are some
  JwLiveWatch watch;
} JwLiveDef;

/// JW_STATUS_IO: there is no server.  Otherwise as jw_scene_build, jw_world_prepare and
/// jw_player_create.
JW_MUST_USE JwStatus jw_live_open(const JwLiveDef* def, JwLive** live, char error[JW_ERROR_SIZE]);
void jw_live_close(JwLive* live);

/// What happened; may be asked at any time from any thread.
typedef struct {
  double rate;
  uint32_t block;
  double peak;             ///< Since asked last; 1 is full scale
  double load, worst_load; ///< Share of the block's time: mean since asked last, largest so far
  double
      processor; ///< Processor time of the process thread, as a share of the sound's; NaN: not known
  uint64_t blocks, xruns, late; ///< `late`: blocks that took longer than they last
  uint64_t lost_events;         ///< MIDI messages beyond what fits into a block
  double residual;              ///< Of the ledger, worst so far
  uint32_t contacts;            ///< Contacts with a lamp
  bool lamps[JW_LIVE_LAMPS];    ///< Closed since asked last
  bool gone;                    ///< The server went away
  bool failed;                  ///< The state stopped being finite: silence
  JwPlayerFigures player;
} JwLiveFigures;

JwLiveFigures jw_live_figures(JwLive* live);

#endif // JAWARI_LIVE_H
