// SPDX-License-Identifier: MIT
// lv2.h: what `jawari lv2` is made of.
#ifndef JAWARI_TOOL_LV2_H
#define JAWARI_TOOL_LV2_H

#include "plug.h"

#define JW_LV2_MOST_SCENES 64
#define JW_LV2_MOST_PRESETS 64

typedef struct {
  uint32_t scene; ///< Of the bundle
  JwPreset of;
} JwLv2Preset;

/// A scene on its way into a bundle.
typedef struct {
  const char* from; ///< As it was named
  char name[64];    ///< Of its files and its plug-in
  char title[128];
  JwFace face;
  char* pack;
} JwLv2Scene;

typedef struct {
  bool pictures; ///< Each scene has one
  uint32_t scene_count, preset_count;
  JwLv2Scene scenes[JW_LV2_MOST_SCENES];
  JwLv2Preset presets[JW_LV2_MOST_PRESETS];
} JwLv2Bundle;

// lv2_text.c: the bundle's words; to be freed, NULL without memory.
char* jw_lv2_manifest(const JwLv2Bundle* bundle, const char* library);
char* jw_lv2_plugin(const JwLv2Bundle* bundle, uint32_t scene);

/// lv2_preset.c: "[SCENE/]NAME: control=value, ..." into the bundle.  Prints what is wrong.
bool jw_lv2_add_preset(JwLv2Bundle* bundle, const char* text);

/// lv2_try.c: load what was written, make an instance of every scene and play a note.  Prints what
/// is wrong.
bool jw_lv2_try(const JwLv2Bundle* bundle, const char* folder, const char* library);

#endif // JAWARI_TOOL_LV2_H
