// What a scene says about itself.

#include "scene/scene.h"

#include <string.h>

JwSceneInfo jw_scene_info(const JwScene* scene) { return scene->info; }

const char* jw_scene_source(const JwScene* scene, uint32_t index)
{
  return index < scene->info.source_count ? scene->credits[index] : "";
}

JwWorldDef jw_scene_world(const JwScene* scene)
{
  JwWorldDef def = scene->world;
  def.sample_rate *= scene->info.oversample;
  return def;
}

void jw_scene_set_rule(JwScene* scene, JwRule rule)
{
  for (JwItem* item = scene->first; item; item = item->next) {
    if (item->kind == JW_KIND_COLLISION) {
      item->def.collision.rule = rule;
    } else if (item->kind == JW_KIND_CONNECTION) {
      item->def.connection.rule = rule;
    }
  }
}

// ---------------------------------------------------------------- parts

uint32_t jw_scene_parts(const JwScene* scene) { return scene->item_count; }

static JwScenePart part_of(const JwItem* item)
{
  const JwScenePart part = {item->kind,   item->name,    item->line,    item->auto_gain,
                            item->object, item->contact, item->exciter, item->pickup};
  return part;
}

JwScenePart jw_scene_part(const JwScene* scene, uint32_t index)
{
  const JwItem* item = scene->first;
  while (item && index--) {
    item = item->next;
  }
  return item ? part_of(item) : (JwScenePart){.kind = JW_KIND_COUNT};
}

JwScenePart jw_scene_find(const JwScene* scene, const char* name)
{
  const JwItem* const item = jw_find_item(scene, name);
  return item ? part_of(item) : (JwScenePart){.kind = JW_KIND_COUNT};
}
