// SPDX-License-Identifier: MIT
// play.h: from MIDI to a world.
//
//   jw_scene_mute(scene);                        // the player plays, not the score
//   ... build and prepare the world ...
//   JwPlayer* player = NULL;
//   jw_player_create(&(JwPlayerDef){scene, world, NULL}, &player, error);
//   jw_player_run(player, &block);               // real-time safe; splits the block at events
//   jw_player_destroy(player);
//
// A player has voices, what a note sounds, and controls, what a controller moves.  Both come from
// the scene's "play" section, or, without one, from what is in the scene.  docs/playing.md
// describes both.
#ifndef JAWARI_PLAY_H
#define JAWARI_PLAY_H

#include "tuning.h"

#include <jawari/scene.h>

typedef struct JwPlayer JwPlayer;

typedef struct {
  const JwScene* scene;   ///< Muted, built; only needed while the player is created
  JwWorld* world;         ///< Prepared
  const JwTuning* tuning; ///< NULL: twelve equal steps
} JwPlayerDef;

/// On failure `error` gets one sentence.
JW_MUST_USE JwStatus jw_player_create(const JwPlayerDef* def, JwPlayer** player,
                                      char error[JW_ERROR_SIZE]);
void jw_player_destroy(JwPlayer* player);

/// A MIDI message at a frame of the block.
typedef struct {
  uint32_t frame;
  uint8_t data[3];
  uint8_t size;
} JwPlayerEvent;

/// What to run: `count` frames into `out`, or into `out_double` where that is given, with events
/// that do not go back in time.  Events at or after `count` come right after the last frame.
typedef struct {
  float* const* out;
  double* const* out_double;
  uint32_t count;
  const JwPlayerEvent* events;
  uint32_t event_count;
} JwPlayerBlock;

JW_REALTIME JwStatus jw_player_run(JwPlayer* player, const JwPlayerBlock* block);

/// What it counted so far.
typedef struct {
  uint64_t notes;       ///< Started
  uint64_t unplayed;    ///< Notes that the tuning leaves out or no voice can sound
  uint64_t astray;      ///< Notes that the nearest voice misses by more than a quarter tone
  uint8_t first_astray; ///< The first of them
  uint64_t dropped;     ///< Changes that did not fit into the world's queue
  uint64_t refused;     ///< Changes that the world refused
} JwPlayerFigures;

JW_REALTIME JwPlayerFigures jw_player_figures(const JwPlayer* player);

/// Write what plays what, a line each, as `jawari play --list-controls` shows it.  Returns the
/// bytes that it wants, without the closing zero, like snprintf.
size_t jw_player_describe(const JwPlayer* player, char* text, size_t size);

#endif // JAWARI_PLAY_H
