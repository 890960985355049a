// SPDX-License-Identifier: MIT
// Values given from outside, in place of what a scene says: "rattle.stiffness=1e7".
//
//   name  =  first { "." key | "[" number "]" }
//
// The first is a parameter, an object, a contact, event, initial state or pickup by its name, or a
// key of the scene itself (duration, world, score[0] ...).  Values are put into the tree before
// anything is read from it, so that whoever reads it later checks them as its own; errors stand at
// the text that was given.

#include "scene/names.h"
#include "scene/scene.h"

#include <string.h>

#define LISTS 4

static const char* const lists[LISTS] = {"contacts", "score", "pickups", "initial"};

/// One set: its source, and how far its name is read.
typedef struct {
  JwLoader* loader;
  uint32_t source;
  const char* name;
} Reader;

static JwPlace place_of(const Reader* reader) {
  const JwPlace place = {reader->source, 0,
                         (uint32_t)reader->loader->scene->sources[reader->source].size};
  return place;
}

// ---------------------------------------------------------------- the tree

static JwJson* member(const JwJson* object, const char* key, size_t length) {
  JwJson* child = object && object->type == JW_JSON_OBJECT ? object->first : NULL;
  while (child && !(child->key_size == length && memcmp(child->key, key, length) == 0)) {
    child = child->next;
  }
  return child;
}

static JwJson* add_member(const Reader* reader, JwJson* object, const char* key, size_t length,
                          JwJsonType type) {
  JwPool* const pool = &reader->loader->scene->pool;
  JwJson* const made = (JwJson*)jw_pool_take(pool, sizeof *made);
  const char* const name = jw_pool_text(pool, key, length);
  if (!made || !name) {
    return NULL;
  }
  *made = (JwJson){.type = type,
                   .place = place_of(reader),
                   .key = name,
                   .key_size = (uint32_t)length,
                   .key_place = place_of(reader),
                   .parent = object};
  *(object->last ? &object->last->next : &object->first) = made;
  object->last = made;
  ++object->count;
  return made;
}

static JwJson* child_at(const JwJson* list, uint32_t index) {
  JwJson* child = list->type == JW_JSON_ARRAY ? list->first : NULL;
  while (child && index--) {
    child = child->next;
  }
  return child;
}

// The part of a list whose "name" is this.
static JwJson* named(const JwJson* root, const char* name, size_t length) {
  for (int i = 0; i < LISTS; ++i) {
    const JwJson* const list = member(root, lists[i], strlen(lists[i]));
    for (JwJson* part = list && list->type == JW_JSON_ARRAY ? list->first : NULL; part;
         part = part->next) {
      const JwJson* const own = member(part, "name", 4);
      if (own && own->type == JW_JSON_TEXT && own->size == length
          && memcmp(own->text, name, length) == 0) {
        return part;
      }
    }
  }
  return NULL;
}

// What the first word of a name stands for; NULL: nothing in this text.
static JwJson* first_of(Reader* reader, JwJson* root) {
  static const char* const own[] = {"duration", "fade", "oversample", "world"};
  const char* const word = reader->name;
  const size_t length = strcspn(word, ".[");
  reader->name += length;
  JwJson* found =
      reader->loader->nested == 0 ? member(member(root, "parameters", 10), word, length) : NULL;
  found = found ? found : member(member(root, "objects", 7), word, length);
  found = found ? found : named(root, word, length);
  if (found || reader->loader->nested) {
    return found;
  }
  found = member(root, word, length);
  for (size_t i = 0; i < sizeof own / sizeof own[0] && !found; ++i) {
    if (strlen(own[i]) == length && memcmp(own[i], word, length) == 0) {
      found = add_member(reader, root, word, length, i == 3 ? JW_JSON_OBJECT : JW_JSON_NULL);
    }
  }
  return found;
}

// One step further; NULL when there is no such thing.  A key that is not there yet is made: who
// reads the part knows whether it has it.
static JwJson* next_of(Reader* reader, JwJson* value) {
  if (*reader->name == '.') {
    const char* const key = reader->name + 1;
    const size_t length = strcspn(key, ".[");
    reader->name = key + length;
    JwJson* const found = member(value, key, length);
    const bool made =
        !found && value->type == JW_JSON_OBJECT && length > 0 && *reader->name == '\0';
    return made ? add_member(reader, value, key, length, JW_JSON_NULL) : found;
  }
  uint32_t index = 0;
  const char* digit = reader->name + 1;
  for (; *digit >= '0' && *digit <= '9' && index < 1000000; ++digit) {
    index = 10 * index + (uint32_t)(*digit - '0');
  }
  if (digit == reader->name + 1 || *digit != ']') {
    return NULL;
  }
  reader->name = digit + 1;
  return child_at(value, index);
}

// ---------------------------------------------------------------- values

// As JSON, or else as a text without its quotes.
static const JwJson* parse(const Reader* reader) {
  JwScene* const scene = reader->loader->scene;
  const JwSource* const source = &scene->sources[reader->source];
  const JwJsonInput input = {source->text, source->size, reader->source, &scene->limits};
  JwJson* value = NULL;
  JwJsonError error;
  if (jw_json_parse(&scene->pool, &input, &value, &error) == JW_STATUS_OK) {
    return value;
  }
  value = (JwJson*)jw_pool_take(&scene->pool, sizeof *value);
  if (value) {
    *value = (JwJson){.type = JW_JSON_TEXT,
                      .place = place_of(reader),
                      .text = source->text,
                      .size = (uint32_t)source->size};
  }
  return value;
}

static void replace(JwJson* target, const JwJson* value) {
  JwJson made = *value;
  made.next = target->next;
  made.parent = target->parent;
  made.key = target->key;
  made.key_size = target->key_size;
  made.key_place = target->key_place;
  *target = made;
  for (JwJson* child = target->first; child; child = child->next) {
    child->parent = target;
  }
}

// ---------------------------------------------------------------- all of them

void jw_take_sets(JwLoader* loader) {
  JwScene* const scene = loader->scene;
  const uint32_t count = loader->options->set_count;
  if (count > JW_SCENE_MAX_SETS) {
    jw_scene_error(scene, (JwPlace){0, 0, 0}, "%u values are set from outside, and %d are the most",
                   count, JW_SCENE_MAX_SETS);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const char* const text = loader->options->sets[i];
    const size_t length = strcspn(text, "=");
    const char* const value = text[length] ? text + length + 1 : "";
    char* const file = (char*)jw_pool_take(&scene->pool, length + 8);
    const char* const copy = jw_pool_text(&scene->pool, value, strlen(value));
    if (!file || !copy) {
      return;
    }
    memcpy(file, "--set ", 6);
    memcpy(file + 6, text, length);
    file[length + 6] = '\0';
    scene->sources[JW_SCENE_MAX_INCLUDES + 1 + i] = (JwSource){file, copy, strlen(value), 0, 0};
    if (!text[length] || !*value) {
      jw_scene_error(scene, (JwPlace){JW_SCENE_MAX_INCLUDES + 1 + i, 0, 0},
                     "a value must follow, as in %.60s=1", file + 6);
    }
  }
}

void jw_apply_sets(JwLoader* loader, JwJson* root) {
  JwScene* const scene = loader->scene;
  for (uint32_t i = 0; i < loader->options->set_count && i < JW_SCENE_MAX_SETS; ++i) {
    const uint32_t source = JW_SCENE_MAX_INCLUDES + 1 + i;
    if (!scene->sources[source].file || scene->sources[source].size == 0) {
      continue;
    }
    Reader reader = {loader, source, scene->sources[source].file + 6};
    JwJson* target = first_of(&reader, root);
    while (target && *reader.name) {
      target = next_of(&reader, target);
    }
    const JwJson* const value = target ? parse(&reader) : NULL;
    if (value) {
      replace(target, value);
      loader->set_used[i] = true;
    }
  }
}

static void try_names(JwNearest* nearest, const JwScene* scene) {
  for (const JwItem* item = scene->first; item; item = item->next) {
    jw_nearest_try(nearest, item->name ? item->name : "");
  }
}

void jw_check_sets(JwLoader* loader) {
  JwScene* const scene = loader->scene;
  for (uint32_t i = 0; i < loader->options->set_count && i < JW_SCENE_MAX_SETS; ++i) {
    const JwSource* const source = &scene->sources[JW_SCENE_MAX_INCLUDES + 1 + i];
    if (loader->set_used[i] || !source->file || source->size == 0) {
      continue;
    }
    char word[64];
    const size_t length = strcspn(source->file + 6, ".[");
    memcpy(word, source->file + 6, length < 63 ? length : 63);
    word[length < 63 ? length : 63] = '\0';
    JwNearest nearest = {word, NULL, UINT32_MAX};
    try_names(&nearest, scene);
    const bool other = nearest.found && strcmp(nearest.found, word) != 0;
    jw_scene_error(scene, (JwPlace){JW_SCENE_MAX_INCLUDES + 1 + i, 0, (uint32_t)source->size},
                   "there is nothing called \"%.60s\" to be set%s%s%s", source->file + 6,
                   other ? "; did you mean \"" : "", other ? nearest.found : "",
                   other ? "\"?" : "");
  }
}
