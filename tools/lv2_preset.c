// SPDX-License-Identifier: MIT
// Presets of the command line, for the scene that they name.

#include "lv2.h"
#include "tool.h"

#include <string.h>

// The scene before the slash; a bundle of one needs none.
static bool find_scene(const JwLv2Bundle* bundle, JwLv2Preset* preset, const char* text) {
  const char* const wanted = preset->of.scene;
  if (!wanted[0]) {
    preset->scene = 0;
    return bundle->scene_count == 1
           || jw_tool_misuse("--preset \"%s\": which scene? Write SCENE/NAME: ...", text);
  }
  for (preset->scene = 0; preset->scene < bundle->scene_count; ++preset->scene) {
    if (strcmp(bundle->scenes[preset->scene].name, wanted) == 0) {
      return true;
    }
  }
  return jw_tool_misuse("--preset \"%s\": the bundle has no scene \"%s\"", text, wanted);
}

bool jw_lv2_add_preset(JwLv2Bundle* bundle, const char* text) {
  if (bundle->preset_count == JW_LV2_MOST_PRESETS) {
    return jw_tool_misuse("a bundle has at most %d presets", JW_LV2_MOST_PRESETS);
  }
  JwLv2Preset* const preset = &bundle->presets[bundle->preset_count];
  char error[JW_ERROR_SIZE];
  const char* const values = jw_preset_name(text, &preset->of, error);
  if (values && !find_scene(bundle, preset, text)) {
    return false;
  }
  const JwFace* const face = &bundle->scenes[preset->scene].face;
  if (!values || !jw_preset_values(values, face, &preset->of, error)) {
    return jw_tool_misuse("--preset: %s", error);
  }
  ++bundle->preset_count;
  return true;
}
