// SPDX-License-Identifier: MIT
// Memory that is given back all at once.  Everything a scene needs comes from one pool, so that no
// error path can leak.
#ifndef JAWARI_SCENE_POOL_H
#define JAWARI_SCENE_POOL_H

#include <jawari/base.h>

typedef struct JwPoolBlock JwPoolBlock;

typedef struct {
  JwAllocator allocator;
  JwPoolBlock* blocks; ///< Newest first
  size_t left;         ///< Bytes free in the newest
  size_t taken, limit; ///< Bytes of all blocks, and the most they may be
  bool failed;         ///< Something could not be given, once
  bool over;           ///< Because of the limit
} JwPool;

JwPool jw_pool(JwAllocator allocator);

/// Zeroed memory aligned to 16 bytes, or NULL; then `failed` stays set.
void* jw_pool_take(JwPool* pool, size_t size);

/// The same for `count` elements of `size` bytes.
void* jw_pool_array(JwPool* pool, uint64_t count, size_t size);

/// A copy of `size` bytes with a zero behind them, or NULL.
char* jw_pool_text(JwPool* pool, const char* text, size_t size);

void jw_pool_release(JwPool* pool);

#endif // JAWARI_SCENE_POOL_H
