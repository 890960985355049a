// SPDX-License-Identifier: MIT
// The structure of JSON: values, arrays, objects.
//
// One loop with the open array or object as its state; a value knows its parent, so nothing here
// recurses and no depth of nesting can use up the stack.

#include "scene/json.h"

#include "scene/json_scan.h"

#include <string.h>

typedef struct {
  JwScan scan;
  JwSceneLimits limits;
  JwJson* root;
  JwJson* open; ///< The innermost array or object not yet closed
  uint32_t depth;
  uint32_t values;
  const char* key; ///< Read, and waiting for its value
  uint32_t key_size;
  JwPlace key_place;
} Parser;

static JwPlace place_of(const Parser* p, size_t from, size_t to) {
  const JwPlace place = {p->scan.source, (uint32_t)from, (uint32_t)(to - from)};
  return place;
}

/// Expected something else here.
static bool unexpected(Parser* p, const char* expected) {
  char shown[16];
  return jw_scan_fail(&p->scan, p->scan.at, p->scan.at < p->scan.size, "expected %s, found %s",
                      expected, jw_scan_show(&p->scan, shown));
}

static JwJson* add_value(Parser* p, JwJsonType type) {
  if (++p->values > p->limits.values) {
    jw_scan_fail(&p->scan, p->scan.at, 1, "more than %u values", (unsigned)p->limits.values);
    return NULL;
  }
  JwJson* const value = (JwJson*)jw_pool_take(p->scan.pool, sizeof *value);
  if (!value) {
    return NULL;
  }
  value->type = type;
  value->parent = p->open;
  value->key = p->key;
  value->key_size = p->key_size;
  value->key_place = p->key_place;
  p->key = NULL;
  p->key_size = 0;
  if (p->open) {
    *(p->open->last ? &p->open->last->next : &p->open->first) = value;
    p->open->last = value;
    ++p->open->count;
  } else {
    p->root = value;
  }
  return value;
}

// ---------------------------------------------------------------- keys that stand twice

/// FNV-1a.
static uint32_t hash(const char* text, uint32_t size) {
  uint32_t h = 2166136261u;
  for (uint32_t i = 0; i < size; ++i) {
    h = (h ^ (unsigned char)text[i]) * 16777619u;
  }
  return h;
}

static bool same_key(const JwJson* a, const JwJson* b) {
  return a->key_size == b->key_size && memcmp(a->key, b->key, a->key_size) == 0;
}

/// Each key of an object that is being closed stands once; linear in the number of keys.
static bool keys_differ(Parser* p, const JwJson* object) {
  uint32_t slots = 8;
  while (slots < 2 * object->count) {
    slots *= 2;
  }
  const JwJson** const table = (const JwJson**)jw_pool_array(p->scan.pool, slots, sizeof *table);
  if (!table) {
    return false;
  }
  for (const JwJson* member = object->first; member; member = member->next) {
    uint32_t slot = hash(member->key, member->key_size) & (slots - 1);
    for (; table[slot]; slot = (slot + 1) & (slots - 1)) {
      if (same_key(table[slot], member)) {
        return jw_scan_fail(&p->scan, member->key_place.offset, member->key_place.length,
                            "the key \"%.64s\" stands twice in this object", member->key);
      }
    }
    table[slot] = member;
  }
  return true;
}

// ---------------------------------------------------------------- values

static bool take_word(Parser* p) {
  static const struct {
    const char* word;
    size_t length;
    JwJsonType type;
  } words[] = {{"null", 4, JW_JSON_NULL}, {"false", 5, JW_JSON_FALSE}, {"true", 4, JW_JSON_TRUE}};
  const size_t left = p->scan.size - p->scan.at;
  for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
    if (left >= words[i].length
        && memcmp(p->scan.text + p->scan.at, words[i].word, words[i].length) == 0) {
      JwJson* const value = add_value(p, words[i].type);
      if (!value) {
        return false;
      }
      value->place = place_of(p, p->scan.at, p->scan.at + words[i].length);
      p->scan.at += words[i].length;
      return true;
    }
  }
  return unexpected(p, "a value");
}

static bool take_leaf(Parser* p, int c) {
  const size_t start = p->scan.at;
  JwJson* const value = add_value(p, c == '"' ? JW_JSON_TEXT : JW_JSON_NUMBER);
  if (!value) {
    return false;
  }
  const bool good = c == '"' ? jw_scan_text(&p->scan, &value->text, &value->size)
                             : jw_scan_number(&p->scan, &value->number);
  value->place = place_of(p, start, p->scan.at);
  return good;
}

static bool open_container(Parser* p, JwJsonType type) {
  if (++p->depth > p->limits.depth) {
    return jw_scan_fail(&p->scan, p->scan.at, 1, "nested deeper than %u",
                        (unsigned)p->limits.depth);
  }
  JwJson* const value = add_value(p, type);
  if (!value) {
    return false;
  }
  value->place = place_of(p, p->scan.at, p->scan.at + 1);
  p->open = value;
  ++p->scan.at;
  return true;
}

static bool take_value(Parser* p) {
  const int c = jw_scan_peek(&p->scan);
  if (c == '{' || c == '[') {
    return open_container(p, c == '{' ? JW_JSON_OBJECT : JW_JSON_ARRAY);
  }
  if (c == '"' || c == '-' || (c >= '0' && c <= '9')) {
    return take_leaf(p, c);
  }
  return take_word(p);
}

/// "key" : before a member's value.
static bool take_key(Parser* p) {
  const size_t start = p->scan.at;
  if (jw_scan_peek(&p->scan) != '"') {
    return unexpected(p, p->open->count ? "a key in quotes" : "a key in quotes or '}'");
  }
  if (p->open->count >= p->limits.members) {
    return jw_scan_fail(&p->scan, start, 1, "more than %u keys in one object",
                        (unsigned)p->limits.members);
  }
  if (!jw_scan_text(&p->scan, &p->key, &p->key_size)) {
    return false;
  }
  p->key_place = place_of(p, start, p->scan.at);
  if (!jw_scan_space(&p->scan)) {
    return false;
  }
  if (jw_scan_peek(&p->scan) != ':') {
    return unexpected(p, "':' after the key");
  }
  ++p->scan.at;
  return jw_scan_space(&p->scan);
}

static bool close_container(Parser* p) {
  if (p->open->type == JW_JSON_OBJECT && !keys_differ(p, p->open)) {
    return false;
  }
  ++p->scan.at;
  p->open->place = place_of(p, p->open->place.offset, p->scan.at);
  p->open = p->open->parent;
  --p->depth;
  return true;
}

/// One step inside the open array or object: its end, or one more child.
static bool take_child(Parser* p) {
  const bool object = p->open->type == JW_JSON_OBJECT;
  const int end = object ? '}' : ']';
  if (jw_scan_peek(&p->scan) == end) {
    return close_container(p);
  }
  if (p->open->count) {
    const size_t comma = p->scan.at;
    if (jw_scan_peek(&p->scan) != ',') {
      return unexpected(p, object ? "',' or '}'" : "',' or ']'");
    }
    ++p->scan.at;
    if (!jw_scan_space(&p->scan)) {
      return false;
    }
    if (jw_scan_peek(&p->scan) == end) {
      return jw_scan_fail(&p->scan, comma, 1, "no comma may stand before '%c'", end);
    }
  }
  return (!object || take_key(p)) && take_value(p);
}

static bool take_all(Parser* p) {
  if (!jw_scan_space(&p->scan) || !take_value(p)) {
    return false;
  }
  while (p->open) {
    if (!jw_scan_space(&p->scan) || !take_child(p)) {
      return false;
    }
  }
  if (!jw_scan_space(&p->scan)) {
    return false;
  }
  if (p->scan.at < p->scan.size) {
    return unexpected(p, "the end of the file");
  }
  return true;
}

JwStatus jw_json_parse(JwPool* pool, const JwJsonInput* input, JwJson** root, JwJsonError* error) {
  Parser p = {.scan = {input->text, input->size, 0, input->source, pool, error}};
  *root = NULL;
  memset(error, 0, sizeof *error);
  p.limits = input->limits ? *input->limits : jw_scene_options().limits;
  if (input->size > p.limits.bytes) {
    jw_scan_fail(&p.scan, 0, 0, "%zu bytes are too many: the most is %zu", input->size,
                 (size_t)p.limits.bytes);
    return JW_STATUS_TOO_LARGE;
  }
  if (input->size >= 3 && memcmp(input->text, "\xEF\xBB\xBF", 3) == 0) {
    p.scan.at = 3;
  }
  if (!take_all(&p)) {
    return pool->failed ? JW_STATUS_NO_MEMORY : JW_STATUS_BAD_SCENE;
  }
  *root = p.root;
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- reading

const JwJson* jw_json_member(const JwJson* object, const char* key) {
  const size_t size = strlen(key);
  for (const JwJson* member = object->first; member; member = member->next) {
    if (member->key && member->key_size == size && memcmp(member->key, key, size) == 0) {
      return member;
    }
  }
  return NULL;
}

void jw_json_position(const char* text, size_t size, size_t offset, uint32_t* line,
                      uint32_t* column) {
  *line = 1;
  *column = 1;
  for (size_t i = 0; i < offset && i < size; ++i) {
    const unsigned char c = (unsigned char)text[i];
    if (c == '\n') {
      ++*line;
      *column = 1;
    } else if ((c & 0xC0) != 0x80) { // A character counts where it starts
      ++*column;
    }
  }
}

const char* jw_json_type_name(JwJsonType type) {
  static const char* const names[] = {
      [JW_JSON_NULL] = "null",       [JW_JSON_FALSE] = "false", [JW_JSON_TRUE] = "true",
      [JW_JSON_NUMBER] = "a number", [JW_JSON_TEXT] = "a text", [JW_JSON_ARRAY] = "a list",
      [JW_JSON_OBJECT] = "an object"};
  return names[type];
}
