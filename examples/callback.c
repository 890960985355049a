// SPDX-License-Identifier: MIT
// An audio callback: what a sound card's library calls for every block, here called by a loop.  It
// takes no memory, no lock and makes no system call; figures leave it through atomic numbers.
#include <jawari/builtin.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128

typedef struct {
  JwWorld* world;
  float left[BLOCK], right[BLOCK];
  atomic_int failed;   // A JwStatus, for the other thread to put into words
  atomic_uint clipped; // Samples beyond full scale
} Player;

// Interleaved stereo, as most libraries want it.  After a failure there is silence.
static void process(void* user, float* out, unsigned frames) {
  Player* const player = (Player*)user;
  float* const channels[] = {player->left, player->right};
  const JwStatus status = jw_world_run(player->world, channels, frames);
  if (status) {
    atomic_store(&player->failed, (int)status);
  }
  for (unsigned i = 0; i < frames; ++i) {
    out[2 * i] = player->left[i];
    out[2 * i + 1] = player->right[i];
    if (out[2 * i] > 1.0f || out[2 * i] < -1.0f) {
      atomic_fetch_add(&player->clipped, 1);
    }
  }
}

int main(void) {
  JwScene* scene = NULL;
  static Player player;
  if (jw_builtin_load("tanpura", NULL, &scene)) {
    return 1;
  }
  JwWorldDef def = jw_scene_world(scene);
  def.sample_rate = 48000.0; // The sound card's
  def.channels = 2;          // Each pickup by its pan
  def.ledger = false;
  if (jw_scene_build(scene, &def, &player.world) || jw_world_prepare(player.world)) {
    fprintf(stderr, "%s\n", jw_world_error(player.world));
    return 1;
  }
  jw_scene_destroy(scene);

  static float out[2 * BLOCK];
  double peak = 0.0;
  for (int block = 0; block < 48000 / BLOCK; ++block) { // A second
    process(&player, out, BLOCK);
    for (int i = 0; i < 2 * BLOCK; ++i) {
      peak = out[i] > peak ? out[i] : peak;
    }
  }
  printf("%d blocks of %d frames, %s, %u samples clipped, status: %s\n",
         (int)(jw_world_frame(player.world) / BLOCK), BLOCK, peak > 0.0 ? "heard" : "silent",
         atomic_load(&player.clipped), jw_status_name((JwStatus)atomic_load(&player.failed)));
  jw_world_destroy(player.world);
}
