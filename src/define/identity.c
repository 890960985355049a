// SPDX-License-Identifier: MIT
// What a world is, in one number: a sum over every definition in the order in which it came.
//
// A snapshot fits the world that it was taken of and no other.  The fields of definitions are read
// from the parameter tables, so that a new one counts from its first day; what has no table (ports,
// arrays, curves, throws) is given by name. Names of things do not count, nor does what a world may
// do without sounding different: its threads, its queue, its limits.

#include "define/define.h"

#include <string.h>

JW_REALTIME uint64_t jw_mix(uint64_t hash, const void* data, size_t size) {
  const unsigned char* bytes = (const unsigned char*)data;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  }
  for (; size > 0; --size, ++bytes) {
    hash = (hash ^ *bytes) * 0x100000001b3u;
  }
  return hash;
}

static size_t field_size(JwType type) {
  switch (type) {
  case JW_TYPE_COUNT:
  case JW_TYPE_COUNTS: return sizeof(uint32_t);
  case JW_TYPE_FLAG: return sizeof(bool);
  case JW_TYPE_CHOICE:
  case JW_TYPE_CHOICES: return sizeof(int);
  case JW_TYPE_LARGE: return sizeof(uint64_t);
  default: return sizeof(double);
  }
}

static bool counts(JwKind kind, const char* key) {
  return kind != JW_KIND_WORLD
         || (strcmp(key, "threads") != 0 && strcmp(key, "queue") != 0
             && strncmp(key, "max_", 4) != 0);
}

void jw_identify(JwWorld* world, const void* data, uint64_t count, size_t size) {
  world->identity = jw_mix(world->identity, &count, sizeof count);
  if (data) {
    world->identity = jw_mix(world->identity, data, (size_t)count * size);
  }
}

void jw_identify_def(JwWorld* world, JwKind kind, const void* def) {
  uint32_t count;
  const JwParam* const params = jw_params(kind, &count);
  const uint32_t number = (uint32_t)kind;
  jw_identify(world, &number, 1, sizeof number);
  for (uint32_t i = 0; i < count; ++i) {
    if (counts(kind, params[i].key)) {
      jw_identify(world, (const char*)def + params[i].offset, params[i].count,
                  field_size(params[i].type));
    }
  }
}

void jw_identify_port(JwWorld* world, JwPort port) {
  const uint32_t numbers[2] = {port.object.index, (uint32_t)port.reading};
  const double place[3] = {port.x, port.y, port.degrees};
  jw_identify(world, numbers, 2, sizeof numbers[0]);
  jw_identify(world, place, 3, sizeof place[0]);
}
