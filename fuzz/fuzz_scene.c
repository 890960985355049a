// SPDX-License-Identifier: MIT
// Any bytes as a scene: read it, show its errors, build it under small limits, run a little.
//
// Nothing may crash, leak or read outside (the sanitizers watch); what is refused has a message;
// what is accepted runs, and gives finite samples or says that it does not.

#include <jawari/scene.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 64

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void show_all(const JwScene* scene) {
  char text[2048];
  for (uint32_t i = 0; i < jw_scene_diagnostics(scene); ++i) {
    const JwDiagnostic diagnostic = jw_scene_diagnostic(scene, i);
    if (!diagnostic.message[0] || jw_diagnostic_format(&diagnostic, text, sizeof text) == 0) {
      abort();
    }
  }
}

static void run(JwWorld* world) {
  static double memory[JW_SCENE_MAX_PICKUPS][FRAMES];
  double* out[JW_SCENE_MAX_PICKUPS];
  for (uint32_t c = 0; c < JW_SCENE_MAX_PICKUPS; ++c) {
    out[c] = memory[c];
  }
  const JwStatus status = jw_world_run_double(world, out, FRAMES);
  for (uint32_t c = 0; c < jw_world_channels(world); ++c) {
    for (uint32_t i = 0; i < FRAMES; ++i) {
      if (!isfinite(memory[c][i])) {
        abort(); // Silence is promised, whatever the status
      }
    }
  }
  (void)status;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  JwStatus status = jw_scene_parse((const char*)data, size, &options, &scene);
  if (!scene || (status == JW_STATUS_OK) != (jw_scene_diagnostics(scene) == 0)) {
    abort();
  }
  JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  def.max_points = 20000;
  def.max_contacts = 200;
  def.max_bytes = 1 << 24;
  status = status ? status : jw_scene_build(scene, &def, &world);
  show_all(scene);
  if (world) {
    if (jw_world_prepare(world) == JW_STATUS_OK) {
      run(world);
    }
    jw_world_destroy(world);
  }
  jw_scene_destroy(scene);
  return 0;
}
