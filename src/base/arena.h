// SPDX-License-Identifier: MIT
// A bump allocator that works twice: first to measure, then to hand out.
//
// Laying out a world runs the same code both times, so that the size asked for beforehand is the
// size used.  Every piece is aligned to 64 bytes.
#ifndef JAWARI_ARENA_H
#define JAWARI_ARENA_H

#include "base/size.h"

typedef struct {
  unsigned char* base; // NULL while measuring
  uint64_t used;       // UINT64_MAX: more than can be counted
} JwArena;

#define JW_ARENA_ALIGNMENT 64

/// NULL while measuring; otherwise `count` zeroed elements of `size` bytes.
static inline void* jw_arena_take(JwArena* arena, uint64_t count, size_t size) {
  unsigned char* const piece = arena->base ? arena->base + (size_t)arena->used : NULL;
  const uint64_t pieces =
      jw_size_sum(jw_size_product(count, size), JW_ARENA_ALIGNMENT - 1) / JW_ARENA_ALIGNMENT;
  arena->used = jw_size_sum(arena->used, jw_size_product(pieces, JW_ARENA_ALIGNMENT));
  return piece;
}

#define JW_TAKE(ARENA, COUNT, TYPE) ((TYPE*)jw_arena_take((ARENA), (uint64_t)(COUNT), sizeof(TYPE)))

#endif // JAWARI_ARENA_H
