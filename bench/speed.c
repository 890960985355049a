// SPDX-License-Identifier: MIT
// How fast scenes run where `jawari bench` does not: speed SCENE...  A scene is a built-in one or a
// file. One line a scene: its name, and how many times as fast as it sounds.  Of each block the
// least of a few runs counts.

#include <jawari/builtin.h>
#include <jawari/jawari.h>

#include <stdio.h>
#include <time.h>

#define BLOCK 64
#define BLOCKS 200
#define RUNS 15

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static JwWorld* build(const char* name) {
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  const JwBuiltinScene* const builtin = jw_builtin_find(name);
  if (!(builtin ? jw_builtin_load(builtin->name, NULL, &scene)
                : jw_scene_load(name, NULL, &scene))) {
    JwWorldDef def = jw_scene_world(scene);
    def.ledger = false;
    def.threads = 1;
    if (jw_scene_build(scene, &def, &world) || jw_world_prepare(world)
        || jw_world_channels(world) > 64) {
      jw_world_destroy(world);
      world = NULL;
    }
  }
  jw_scene_destroy(scene);
  return world;
}

// Seconds of computing for a second of sound, or below 0 when the scene does not run.
static double cost(JwWorld* world) {
  static float rows[64][BLOCK];
  float* out[64];
  for (int i = 0; i < 64; ++i) {
    out[i] = rows[i];
  }
  static double best[BLOCKS];
  double sum = 0.0;
  for (int run = 0; run < RUNS; ++run) {
    jw_world_reset(world);
    for (int i = 0; i < BLOCKS; ++i) {
      const double start = now();
      if (jw_world_run(world, out, BLOCK)) {
        return -1.0;
      }
      const double took = now() - start;
      best[i] = run == 0 || took < best[i] ? took : best[i];
    }
  }
  for (int i = 0; i < BLOCKS; ++i) {
    sum += best[i];
  }
  return sum * jw_world_info(world).sample_rate / (BLOCK * BLOCKS);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    JwWorld* const world = build(argv[i]);
    const double seconds = world ? cost(world) : -1.0;
    jw_world_destroy(world);
    if (seconds < 0.0) {
      fprintf(stderr, "speed: %s cannot be run\n", argv[i]);
      return 1;
    }
    printf("%s %.3g\n", argv[i], 1.0 / seconds);
  }
  return 0;
}
