// A bump allocator that works twice: first to measure, then to hand out.
//
// Laying out a world runs the same code both times, so that the size asked for beforehand is the size
// used.  Every piece is aligned to 64 bytes.
#ifndef JAWARI_ARENA_H
#define JAWARI_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  unsigned char* base; // NULL while measuring
  size_t used;
} JwArena;

#define JW_ARENA_ALIGNMENT 64

/// NULL while measuring; otherwise `count` zeroed elements of `size` bytes.
static inline void* jw_arena_take(JwArena* arena, size_t count, size_t size)
{
  unsigned char* const piece = arena->base ? arena->base + arena->used : NULL;
  const size_t bytes = count * size;
  arena->used += (bytes + JW_ARENA_ALIGNMENT - 1) / JW_ARENA_ALIGNMENT * JW_ARENA_ALIGNMENT;
  return piece;
}

#define JW_TAKE(ARENA, COUNT, TYPE) ((TYPE*)jw_arena_take((ARENA), (size_t)(COUNT), sizeof(TYPE)))

#endif // JAWARI_ARENA_H
