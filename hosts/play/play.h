// SPDX-License-Identifier: MIT
// play.h: a player on a world of one's own; what has none uses <jawari/play.h>.
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
#ifndef JAWARI_HOSTS_PLAY_H
#define JAWARI_HOSTS_PLAY_H

#include <jawari/play.h>

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

JW_REALTIME JwStatus jw_player_run(JwPlayer* player, const JwPlayerBlock* block);

JW_REALTIME JwPlayerFigures jw_player_figures(const JwPlayer* player);

/// As jw_instrument_describe().
size_t jw_player_describe(const JwPlayer* player, char* text, size_t size);

#endif // JAWARI_HOSTS_PLAY_H
