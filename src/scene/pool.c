// SPDX-License-Identifier: MIT
// Blocks in a list, newest first; a request larger than a block gets one of its own.

#include "scene/pool.h"

#include "base/size.h"

#include <string.h>

#define BLOCK_BYTES ((size_t)16384)
#define ALIGNMENT ((size_t)16)

struct JwPoolBlock {
  JwPoolBlock* older;
  size_t size; ///< Bytes behind this header
};

#define HEADER ((sizeof(JwPoolBlock) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

JwPool jw_pool(JwAllocator allocator) {
  const JwPool pool = {allocator, NULL, 0, 0, SIZE_MAX, false, false};
  return pool;
}

static bool add_block(JwPool* pool, size_t size) {
  const size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;
  if (bytes > pool->limit - pool->taken) {
    pool->failed = pool->over = true;
    return false;
  }
  JwPoolBlock* const block =
      (JwPoolBlock*)pool->allocator.allocate(pool->allocator.user, HEADER + bytes);
  if (!block) {
    pool->failed = true;
    return false;
  }
  block->older = pool->blocks;
  block->size = bytes;
  pool->blocks = block;
  pool->left = bytes;
  pool->taken += bytes;
  return true;
}

void* jw_pool_take(JwPool* pool, size_t size) {
  if (size > SIZE_MAX / 2) {
    pool->failed = pool->over = true;
    return NULL;
  }
  const size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if ((!pool->blocks || pool->left < rounded) && !add_block(pool, rounded)) {
    return NULL;
  }
  JwPoolBlock* const block = pool->blocks;
  char* const memory = (char*)block + HEADER + (block->size - pool->left);
  pool->left -= rounded;
  return memory;
}

void* jw_pool_array(JwPool* pool, uint64_t count, size_t size) {
  size_t bytes;
  if (!jw_size_of(count, size, &bytes)) {
    pool->failed = pool->over = true;
    return NULL;
  }
  return jw_pool_take(pool, bytes);
}

char* jw_pool_text(JwPool* pool, const char* text, size_t size) {
  char* const copy = (char*)jw_pool_take(pool, size + 1);
  if (copy && size) {
    memcpy(copy, text, size);
  }
  return copy;
}

void jw_pool_release(JwPool* pool) {
  for (JwPoolBlock* block = pool->blocks; block;) {
    JwPoolBlock* const older = block->older;
    pool->allocator.release(pool->allocator.user, block);
    block = older;
  }
  pool->blocks = NULL;
  pool->left = 0;
}
