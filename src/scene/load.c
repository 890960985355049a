// SPDX-License-Identifier: MIT
// A scene's text, section by section, with what it includes.

#include "scene/names.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define FORMAT_VERSION 1
#define MOST_NESTED 4
#define FADE 0.02

// ---------------------------------------------------------------- small sections

static void check_version(JwLoader* loader, const JwJson* root) {
  const JwJson* const version = jw_json_member(root, "jawari");
  if (version && (version->type != JW_JSON_NUMBER || version->number != FORMAT_VERSION)) {
    jw_loader_error(loader, version->place,
                    "\"jawari\" is the version of the format and must be %d", FORMAT_VERSION);
  }
}

static const char* text_member(JwLoader* loader, const JwJson* root, const char* key) {
  const JwJson* const value = jw_member(loader, root, key);
  const char* const text = value ? jw_read_text(loader, key, value) : NULL;
  return text ? text : "";
}

static void load_credits(JwLoader* loader, const JwJson* root) {
  JwScene* const scene = loader->scene;
  const JwJson* const value = jw_json_member(root, "sources");
  if (!value) {
    return;
  }
  if (value->type != JW_JSON_ARRAY) {
    jw_loader_error(loader, value->place, "\"sources\" must be a list of texts");
    return;
  }
  scene->credits =
      (const char**)jw_pool_array(&scene->pool, (uint64_t)value->count + 1, sizeof *scene->credits);
  for (const JwJson* child = value->first; child && scene->credits; child = child->next) {
    const char* const text = jw_read_text(loader, "sources", child);
    if (text) {
      scene->credits[scene->info.source_count++] = text;
    }
  }
}

static void load_oversample(JwLoader* loader, const JwJson* root) {
  static const JwParam param = {.key = "oversample",
                                .unit = "",
                                .type = JW_TYPE_COUNT,
                                .offset = offsetof(JwSceneInfo, oversample),
                                .count = 1,
                                .minimum = 1,
                                .maximum = 64};
  const JwJson* const value = jw_member(loader, root, "oversample");
  if (value) {
    jw_read_param(loader, &param, value, &loader->scene->info);
  }
}

static void load_duration(JwLoader* loader, const JwJson* root) {
  const double range[2] = {1e-3, loader->scene->limits.duration};
  JwSceneInfo* const info = &loader->scene->info;
  const JwJson* const value = jw_member(loader, root, "duration");
  info->duration = loader->scene->end + JW_SCENE_TAIL;
  if (value) {
    jw_read_number(loader, "duration", value, range, &info->duration);
  }
  const double fades[2] = {0.0, info->duration};
  const JwJson* const fade = jw_member(loader, root, "fade");
  info->fade = info->duration < FADE ? info->duration : FADE;
  if (fade) {
    jw_read_number(loader, "fade", fade, fades, &info->fade);
  }
}

/// What an include leaves to the scene that includes it.
static void load_head(JwLoader* loader, const JwJson* root) {
  JwScene* const scene = loader->scene;
  scene->info.title = text_member(loader, root, "title");
  scene->info.group = text_member(loader, root, "group");
  scene->info.description = text_member(loader, root, "description");
  load_credits(loader, root);
  load_oversample(loader, root);
  const JwJson* const world = jw_json_member(root, "world");
  scene->world_place = world ? world->place : (JwPlace){0, 0, 1};
  if (world) {
    jw_read_form(loader, JW_FORM_WORLD, world, &scene->world, NULL);
  }
}

// ---------------------------------------------------------------- parameters

static void check_with(JwLoader* loader, const JwJson* with, const JwJson* parameters) {
  for (const JwJson* member = with->first; member; member = member->next) {
    if (parameters && parameters->type == JW_JSON_OBJECT
        && jw_json_member(parameters, member->key)) {
      continue;
    }
    JwNearest nearest = {member->key, NULL, UINT32_MAX};
    for (const JwJson* known = parameters ? parameters->first : NULL; known; known = known->next) {
      jw_nearest_try(&nearest, known->key ? known->key : "");
    }
    jw_loader_error(loader, member->key_place,
                    "the scene included has no parameter \"%.32s\"%s%s%s", member->key,
                    nearest.found ? "; did you mean \"" : "", nearest.found ? nearest.found : "",
                    nearest.found ? "\"?" : "");
  }
}

static bool good_name(const char* name) {
  const size_t length = strlen(name);
  return length > 0 && length < 64
         && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
                == length;
}

/// Bind each parameter, to the value `with` gives it or to its own.
static void load_parameters(JwLoader* loader, const JwJson* root, const JwJson* with) {
  const JwJson* const parameters = jw_json_member(root, "parameters");
  if (with) {
    check_with(loader, with, parameters);
  }
  if (!parameters) {
    return;
  }
  if (parameters->type != JW_JSON_OBJECT) {
    jw_loader_error(loader, parameters->place, "\"parameters\" must be an object, found %s",
                    jw_json_type_name(parameters->type));
    return;
  }
  for (const JwJson* member = parameters->first; member; member = member->next) {
    if (!good_name(member->key)) {
      jw_loader_error(loader, member->key_place,
                      "\"%.64s\" is no name for a parameter: 1 to 63 of a-z A-Z 0-9 _",
                      member->key);
      continue;
    }
    const JwJson* const given = with ? jw_json_member(with, member->key) : NULL;
    const JwJson* const value = given ? given : jw_value(loader, member);
    if (value) {
      jw_bind(loader, member->key, value, false);
    }
  }
}

// ---------------------------------------------------------------- include

/// Relative, downwards only, in one spelling.
static bool inside_folder(const char* path) {
  if (*path == '\0' || *path == '/' || strpbrk(path, "\\:") || strlen(path) > 200) {
    return false;
  }
  for (const char* part = path; part; part = strchr(part, '/')) {
    part += *part == '/';
    if (*part == '\0' || *part == '/' || *part == '.') {
      return false; // Empty, hidden, "." and ".."
    }
  }
  return true;
}

static bool already_open(const JwScene* scene, const char* path) {
  for (uint32_t i = 0; i < scene->source_count && !scene->prefix; ++i) {
    if (strcmp(scene->sources[i].file, path) == 0) {
      return true;
    }
  }
  return false;
}

/// Read the file of an include as a new source; false after noting an error.
static bool read_include(JwLoader* loader, const char* path, JwPlace place) {
  JwScene* const scene = loader->scene;
  const JwSceneOptions* const options = loader->options;
  if (!inside_folder(path)) {
    jw_loader_error(
        loader, place,
        "\"%.64s\" leaves the scene's folder: only files in it and below can be included", path);
  } else if (!options->read) {
    jw_loader_error(loader, place, "this scene has no folder to include \"%.64s\" from", path);
  } else if (already_open(scene, path)) {
    jw_loader_error(loader, place, "\"%.64s\" is included twice", path);
  } else if (loader->nested >= MOST_NESTED || scene->source_count > scene->limits.includes) {
    jw_loader_error(loader, place, "at most %u files can be included, %d inside each other",
                    (unsigned)scene->limits.includes, MOST_NESTED);
  } else {
    size_t size = 0;
    JwStatus status = options->read(options->user, path, NULL, &size);
    if (!status && size > scene->limits.bytes) {
      jw_loader_error(loader, place, "\"%.64s\" has %zu bytes: the most is %zu", path, size,
                      (size_t)scene->limits.bytes);
      return false;
    }
    char* const text = status ? NULL : (char*)jw_pool_take(&scene->pool, size + 1);
    status = text ? options->read(options->user, path, text, &size) : status;
    if (status || !text) {
      jw_loader_error(loader, place, "\"%.64s\" cannot be read", path);
      return false;
    }
    scene->sources[scene->source_count++] = (JwSource){path, text, size, 0, 0};
    return true;
  }
  return false;
}

static const JwJson* resolve_members(JwLoader* loader, const JwJson* object) {
  JwJson* const copy = (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *copy);
  if (!copy) {
    return NULL;
  }
  *copy = *object;
  copy->first = copy->last = NULL;
  for (const JwJson* member = object->first; member; member = member->next) {
    const JwJson* const value = jw_value(loader, member);
    JwJson* const own = value ? (JwJson*)jw_pool_take(&loader->scene->pool, sizeof *own) : NULL;
    if (!own) {
      continue;
    }
    *own = *value;
    own->next = NULL;
    *(copy->last ? &copy->last->next : &copy->first) = own;
    copy->last = own;
  }
  return copy;
}

/// The name that an include gives to what it takes in; false after noting an error.
static bool read_as(JwLoader* loader, const JwJson* include, const char** prefix) {
  const JwJson* const as = jw_member(loader, include, "as");
  const char* const name = as ? jw_read_text(loader, "as", as) : NULL;
  if (!as) {
    return true;
  }
  if (!name || !good_name(name)) {
    jw_loader_error(loader, as->place, "\"as\" must be a name: 1 to 63 of a-z A-Z 0-9 _");
    return false;
  }
  *prefix = jw_full_name(loader, name);
  return true;
}

/// Whether an include keeps its notes; false after noting an error.
static bool read_notes(JwLoader* loader, const JwJson* include, bool* left_out) {
  const JwJson* const notes = jw_member(loader, include, "notes");
  if (notes && notes->type != JW_JSON_TRUE && notes->type != JW_JSON_FALSE) {
    jw_loader_error(loader, notes->place, "\"notes\" must be true or false, found %s",
                    jw_json_type_name(notes->type));
    return false;
  }
  *left_out = *left_out || (notes && notes->type == JW_JSON_FALSE);
  return true;
}

static void load_include(JwLoader* loader, const JwJson* node) {
  const JwJson* file = jw_value(loader, node);
  const JwJson* with = NULL;
  const char* const outer_prefix = loader->scene->prefix;
  const char* prefix = outer_prefix;
  const bool outer_notes = loader->no_notes;
  bool no_notes = outer_notes;
  if (file && file->type == JW_JSON_OBJECT) {
    jw_read_form(loader, JW_FORM_INCLUDE, file, NULL, NULL);
    with = jw_json_member(file, "with");
    if (with && with->type != JW_JSON_OBJECT) {
      jw_loader_error(loader, with->place, "\"with\" must be an object, found %s",
                      jw_json_type_name(with->type));
      return;
    }
    if (!read_as(loader, file, &prefix) || !read_notes(loader, file, &no_notes)) {
      return;
    }
    file = jw_member(loader, file, "file");
  }
  const char* const path = file ? jw_read_text(loader, "include", file) : NULL;
  loader->scene->prefix = prefix;
  if (!path || !read_include(loader, path, file->place)) {
    loader->scene->prefix = outer_prefix;
    return;
  }
  const JwBinding* const outer = loader->bindings;
  const JwJson* const values = with ? resolve_members(loader, with) : NULL;
  loader->no_notes = no_notes;
  loader->bindings = NULL; // A scene sees its own parameters only
  ++loader->nested;
  jw_load_text(loader, loader->scene->source_count - 1, values);
  --loader->nested;
  loader->bindings = outer;
  loader->scene->prefix = outer_prefix;
  loader->no_notes = outer_notes;
}

static void load_includes(JwLoader* loader, const JwJson* root) {
  const JwJson* const include = jw_json_member(root, "include");
  if (!include) {
    return;
  }
  if (include->type != JW_JSON_ARRAY) {
    load_include(loader, include);
    return;
  }
  for (const JwJson* child = include->first; child; child = child->next) {
    load_include(loader, child);
  }
}

// ---------------------------------------------------------------- parts

static void load_list(JwLoader* loader, const JwJson* root, const char* key,
                      void (*one)(JwLoader*, const JwJson*)) {
  const JwJson* const list = jw_json_member(root, key);
  if (!list) {
    return;
  }
  const bool by_name = strcmp(key, "objects") == 0;
  if (list->type != (by_name ? JW_JSON_OBJECT : JW_JSON_ARRAY)) {
    jw_loader_error(loader, list->place, "\"%s\" must be %s, found %s", key,
                    by_name ? "an object" : "a list", jw_json_type_name(list->type));
    return;
  }
  for (const JwJson* child = list->first; child && !loader->scene->pool.failed;
       child = child->next) {
    jw_each(loader, child, one);
  }
}

static void load_root(JwLoader* loader, const JwJson* root, const JwJson* with) {
  jw_read_form(loader, JW_FORM_SCENE, root, NULL, NULL);
  if (root->type != JW_JSON_OBJECT) {
    return;
  }
  check_version(loader, root);
  load_parameters(loader, root, with);
  if (loader->nested == 0) {
    load_head(loader, root);
  }
  load_includes(loader, root);
  jw_load_tempo(loader, root);
  load_list(loader, root, "objects", jw_load_object);
  load_list(loader, root, "contacts", jw_load_contact);
  load_list(loader, root, "initial", jw_load_initial);
  load_list(loader, root, "score", jw_load_event);
  load_list(loader, root, "pickups", jw_load_pickup);
  jw_load_play(loader, root);
  if (loader->nested == 0) {
    jw_finish_score(loader);
    jw_finish_notes(loader, root);
    jw_mute_voices(loader->scene);
    load_duration(loader, root);
  }
}

void jw_load_text(JwLoader* loader, uint32_t source, const JwJson* with) {
  JwScene* const scene = loader->scene;
  const JwJsonInput input = {scene->sources[source].text, scene->sources[source].size, source,
                             &scene->limits};
  JwJson* root = NULL;
  JwJsonError error;
  const JwStatus status = jw_json_parse(&scene->pool, &input, &root, &error);
  if (status && status != JW_STATUS_NO_MEMORY) { // That has no place, and is told at the end
    jw_scene_error(scene, error.place, "%s", error.message);
  } else if (!status) {
    jw_apply_sets(loader, root);
    load_root(loader, root, with);
  }
}
