// SPDX-License-Identifier: MIT
// A scene from memory, within limits.

#include "scene/scene.h"

#include <string.h>

/// What each limit is unless the caller says otherwise, and the most that it can be: places are
/// counted in 32 bits, and hosts keep pickups and included texts in arrays.
typedef struct {
  const char* name;
  size_t offset; ///< In JwSceneLimits
  uint64_t usual, least, most;
} Limit;

#define LIMIT(F, USUAL, LEAST, MOST)                                                               \
  { #F, offsetof(JwSceneLimits, F), USUAL, LEAST, MOST }

static const Limit limits[] = {
    LIMIT(bytes, JW_JSON_MAX_BYTES, 1, 1000000000),
    LIMIT(depth, JW_JSON_MAX_DEPTH, 1, 1000000),
    LIMIT(values, JW_JSON_MAX_VALUES, 1, 100000000),
    LIMIT(members, JW_JSON_MAX_MEMBERS, 1, 1000000),
    LIMIT(memory, JW_SCENE_MAX_BYTES, 16384, 1000000000000),
    LIMIT(objects, JW_SCENE_MAX_OBJECTS, 1, 1000000),
    LIMIT(contacts, JW_SCENE_MAX_CONTACTS, 1, 1000000),
    LIMIT(events, JW_SCENE_MAX_EVENTS, 1, 1000000),
    LIMIT(pickups, JW_SCENE_MAX_PICKUPS, 1, JW_SCENE_MAX_PICKUPS),
    LIMIT(curve_points, JW_SCENE_MAX_CURVE_POINTS, 1, 10000000),
    LIMIT(turns, JW_SCENE_MAX_TURNS, 1, 10000000),
    LIMIT(includes, JW_SCENE_MAX_INCLUDES, 0, JW_SCENE_MAX_INCLUDES),
};

static uint64_t* field(JwSceneLimits* of, const Limit* limit) {
  return (uint64_t*)(void*)((char*)of + limit->offset);
}

JwSceneOptions jw_scene_options(void) {
  JwSceneOptions options = {.file = "scene", .allocator = jw_allocator_default()};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    *field(&options.limits, &limits[i]) = limits[i].usual;
  }
  options.limits.duration = JW_SCENE_MAX_DURATION;
  options.limits.operations = jw_world_default().max_operations;
  return options;
}

/// A limit out of its range is an error of the scene, which is then not read.
static bool limits_are_good(JwScene* scene) {
  static const JwPlace start = {0, 0, 0};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    const uint64_t value = *field(&scene->limits, &limits[i]);
    if (value < limits[i].least || value > limits[i].most) {
      jw_scene_error(scene, start, "the limit \"%s\" is %llu, must be from %llu to %llu",
                     limits[i].name, (unsigned long long)value, (unsigned long long)limits[i].least,
                     (unsigned long long)limits[i].most);
    }
  }
  const struct {
    const char* name;
    double value, least, most;
  } numbers[] = {{"duration", scene->limits.duration, 1e-3, 1e6},
                 {"operations", scene->limits.operations, 1.0, 1e18}};
  for (size_t i = 0; i < 2; ++i) {
    if (!(numbers[i].value >= numbers[i].least && numbers[i].value <= numbers[i].most)) {
      jw_scene_error(scene, start, "the limit \"%s\" is %g, must be from %g to %g", numbers[i].name,
                     numbers[i].value, numbers[i].least, numbers[i].most);
    }
  }
  return scene->error_count == 0;
}

/// An empty scene; NULL without memory.
static JwScene* new_scene(const JwSceneOptions* options) {
  if (!options->allocator.allocate || !options->allocator.release) {
    return NULL;
  }
  JwPool pool = jw_pool(options->allocator);
  JwScene* const scene = (JwScene*)jw_pool_take(&pool, sizeof *scene);
  if (!scene) {
    return NULL;
  }
  scene->pool = pool;
  scene->limits = options->limits;
  scene->world = jw_world_default();
  scene->world.allocator = options->allocator;
  scene->world.max_operations = options->limits.operations;
  scene->play.mode = -1;
  scene->info = (JwSceneInfo){
      .title = "", .group = "", .description = "", .duration = JW_SCENE_TAIL, .oversample = 1};
  return scene;
}

/// Its own text as its first source; false without memory.  One that is too large is refused by its
/// size alone.
static bool take_text(JwScene* scene, const char* name, const char* text, size_t size) {
  const size_t kept = size > scene->limits.bytes ? 0 : size;
  const char* const copy = jw_pool_text(&scene->pool, text, kept);
  const char* const file = jw_pool_text(&scene->pool, name ? name : "", name ? strlen(name) : 0);
  if (copy && file) {
    scene->sources[0] = (JwSource){file, copy, kept, 0, 0};
    scene->source_count = 1;
  }
  return copy && file;
}

/// What the pool could not give: too much asked for is an error of the scene.
static JwStatus finish(JwScene** scene) {
  JwScene* const s = *scene;
  if (s->pool.over) {
    s->pool.limit = SIZE_MAX; // For the sentence
    s->pool.failed = s->pool.over = false;
    jw_scene_error(s, (JwPlace){0, 0, 1}, "reading this scene takes more than %llu bytes of memory",
                   (unsigned long long)s->limits.memory);
  }
  if (s->pool.failed) {
    jw_scene_destroy(s);
    *scene = NULL;
    return JW_STATUS_NO_MEMORY;
  }
  s->well_written = s->error_count == 0;
  return s->well_written ? JW_STATUS_OK : JW_STATUS_BAD_SCENE;
}

JwStatus jw_scene_parse(const char* text, size_t size, const JwSceneOptions* options,
                        JwScene** scene) {
  const JwSceneOptions usual = jw_scene_options();
  options = options ? options : &usual;
  if (!scene) {
    return JW_STATUS_BAD_VALUE;
  }
  *scene = new_scene(options);
  if (!*scene) {
    return JW_STATUS_NO_MEMORY;
  }
  JwScene* const s = *scene;
  if (take_text(s, options->file, text ? text : "", text ? size : 0) && limits_are_good(s)) {
    s->pool.limit = s->limits.memory < SIZE_MAX ? (size_t)s->limits.memory : SIZE_MAX;
    JwLoader loader = {.scene = s, .options = options};
    if (size > s->limits.bytes) {
      jw_scene_error(s, (JwPlace){0, 0, 0}, "%zu bytes are too many: the most is %zu", size,
                     (size_t)s->limits.bytes);
    } else {
      jw_take_sets(&loader);
      jw_load_text(&loader, 0, NULL);
      jw_check_sets(&loader);
    }
  }
  return finish(scene);
}

JwStatus jw_scene_unread(const JwSceneOptions* options, const char* why, JwScene** scene) {
  *scene = new_scene(options);
  if (!*scene) {
    return JW_STATUS_NO_MEMORY;
  }
  if (take_text(*scene, options->file, "", 0)) {
    jw_scene_error(*scene, (JwPlace){0, 0, 0}, "cannot be read: %s", why);
  }
  const JwStatus status = finish(scene);
  return status == JW_STATUS_BAD_SCENE ? JW_STATUS_IO : status;
}

void jw_scene_destroy(JwScene* scene) {
  if (scene) {
    JwPool pool = scene->pool; // The scene itself lies in it
    jw_pool_release(&pool);
  }
}
