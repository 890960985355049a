// SPDX-License-Identifier: MIT
// A snapshot: keep the state of a scene, play on, go back, and hear the same samples to the bit.
#include <jawari/builtin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 4410
#define CHANNELS 8

static void must(JwStatus status, const JwWorld* world) {
  if (status) {
    fprintf(stderr, "%s: %s\n", jw_status_name(status), jw_world_error(world));
    exit(1);
  }
}

static JwWorld* open_scene(const char* name) {
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  if (jw_builtin_load(name, NULL, &scene) || jw_scene_build(scene, NULL, &world)) {
    const JwDiagnostic first = jw_scene_diagnostic(scene, 0);
    char text[512];
    jw_diagnostic_format(&first, text, sizeof text);
    fprintf(stderr, "%s", text);
    exit(1);
  }
  must(jw_world_prepare(world), world);
  jw_scene_destroy(scene); // The world needs it no longer
  return world;
}

static void play(JwWorld* world, float heard[CHANNELS][FRAMES]) {
  float* channels[CHANNELS];
  for (uint32_t c = 0; c < CHANNELS; ++c) {
    channels[c] = heard[c];
  }
  must(jw_world_run(world, channels, FRAMES), world);
}

int main(void) {
  static float first[CHANNELS][FRAMES], again[CHANNELS][FRAMES];
  JwWorld* const world = open_scene("guitar");
  play(world, first); // A tenth of a second, whatever it does

  const size_t size = jw_world_snapshot_size(world);
  void* const memory = malloc(size);
  if (!memory) {
    return 1;
  }
  must(jw_world_snapshot(world, memory, size), world);
  play(world, first);
  must(jw_world_restore(world, memory, size), world);
  play(world, again);
  printf("from the snapshot: %s\n", memcmp(first, again, sizeof first) ? "other" : "the same bits");

  JwWorld* const other = open_scene("bouncing-ball");
  const JwStatus status = jw_world_restore(other, memory, size);
  printf("into another world: %s\n", jw_status_name(status));
  free(memory);
  jw_world_destroy(world);
  jw_world_destroy(other);
}
