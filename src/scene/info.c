// SPDX-License-Identifier: MIT
// What a scene says about itself.

#include "scene/scene.h"

#include <math.h>

#include <string.h>

JwSceneInfo jw_scene_info(const JwScene* scene) {
  return scene ? scene->info : (JwSceneInfo){.title = "", .description = "", .oversample = 1};
}

const char* jw_scene_source(const JwScene* scene, uint32_t index) {
  return scene && index < scene->info.source_count ? scene->credits[index] : "";
}

uint32_t jw_scene_files(const JwScene* scene) {
  return scene ? scene->source_count : 0;
}

JwSceneFile jw_scene_file(const JwScene* scene, uint32_t index) {
  const JwSceneFile none = {"", "", 0};
  const JwSource* const source = index < jw_scene_files(scene) ? &scene->sources[index] : NULL;
  return source ? (JwSceneFile){source->file, source->text, source->size} : none;
}

JwWorldDef jw_scene_world(const JwScene* scene) {
  if (!scene) {
    return jw_world_default();
  }
  JwWorldDef def = scene->world;
  def.sample_rate *= scene->info.oversample;
  return def;
}

void jw_scene_set_rule(JwScene* scene, JwRule rule) {
  for (JwItem* item = scene ? scene->first : NULL; item; item = item->next) {
    if (item->kind == JW_KIND_COLLISION) {
      item->def.collision.rule = rule;
    } else if (item->kind == JW_KIND_CONNECTION) {
      item->def.connection.rule = rule;
    }
  }
}

static void mute_bow(JwItem* item) {
  if (item->left_to_player) {
    return;
  }
  item->strength = item->def.bow.force;
  for (JwCurve** link = &item->curves; *link;) {
    JwCurve* const curve = *link;
    if (curve->control != JW_CONTROL_FORCE) {
      link = &curve->next;
      continue;
    }
    for (uint32_t i = 0; i < curve->count; ++i) {
      item->strength = fmax(item->strength, curve->points[i].value);
    }
    *link = curve->next;
  }
  item->def.bow.force = 0.0;
}

static void mute_force(JwItem* item) {
  if (!item->left_to_player) {
    item->strength = item->def.force.amplitude;
    item->def.force.amplitude = 0.0;
  }
}

static void mute_throws(const JwScene* scene, JwItem* item) {
  if (item->left_to_player) {
    return;
  }
  item->from = NAN;
  for (const JwThrow* thrown = scene->throws; thrown; thrown = thrown->next) {
    if (thrown->mass == item
        && (isnan(item->from) || fabs(thrown->velocity) > fabs(item->strength))) {
      item->strength = thrown->velocity;
      item->from = thrown->position;
    }
  }
}

void jw_scene_mute(JwScene* scene) {
  if (!scene) {
    return;
  }
  for (JwItem* item = scene->first; item; item = item->next) {
    if (item->kind == JW_KIND_BOW) {
      mute_bow(item);
    } else if (item->kind == JW_KIND_FORCE) {
      mute_force(item);
    } else if (item->kind == JW_KIND_INITIAL) {
      item->def.initial.amplitude = 0.0;
    } else if (item->kind == JW_KIND_MASS) {
      mute_throws(scene, item);
    }
  }
  scene->throws = NULL;
  scene->muted = true;
}

static void forget_throws(JwScene* scene, const JwItem* mass) {
  for (JwThrow** link = &scene->throws; *link;) {
    JwThrow* const thrown = *link;
    if (thrown->mass == mass) {
      *link = thrown->next;
    } else {
      link = &thrown->next;
    }
  }
}

static void leave_to_player(JwScene* scene, JwItem* item) {
  if (item->kind == JW_KIND_BOW) {
    mute_bow(item);
  } else if (item->kind == JW_KIND_FORCE) {
    mute_force(item);
  } else if (item->kind == JW_KIND_MASS) {
    mute_throws(scene, item);
    forget_throws(scene, item);
  }
  item->left_to_player = true;
}

static bool is_voice(const JwScene* scene, const JwItem* item) {
  for (uint32_t i = 0; i < scene->play.voices; ++i) {
    if (scene->voices[i].sounder == item) {
      return true;
    }
  }
  return !scene->play.own_voices
         && (item->kind == JW_KIND_BOW || item->kind == JW_KIND_FORCE
             || item->kind == JW_KIND_MASS);
}

void jw_mute_voices(JwScene* scene) {
  for (JwItem* item = scene->first; item && scene->note_count; item = item->next) {
    if (is_voice(scene, item)) {
      leave_to_player(scene, item);
    }
  }
}

// ---------------------------------------------------------------- parts

uint32_t jw_scene_parts(const JwScene* scene) {
  return scene ? scene->item_count : 0;
}

JwScenePart jw_part_of(const JwItem* item) {
  const JwScenePart part = {item->kind,     item->name,    item->line,    item->auto_gain,
                            item->object,   item->contact, item->exciter, item->pickup,
                            item->strength, item->from};
  return part;
}

JwScenePart jw_scene_part(const JwScene* scene, uint32_t index) {
  const JwItem* item = scene ? scene->first : NULL;
  while (item && index--) {
    item = item->next;
  }
  return item ? jw_part_of(item) : (JwScenePart){.kind = JW_KIND_COUNT};
}

JwScenePart jw_scene_find(const JwScene* scene, const char* name) {
  const JwItem* const item = scene && name ? jw_find_item(scene, name) : NULL;
  return item ? jw_part_of(item) : (JwScenePart){.kind = JW_KIND_COUNT};
}
