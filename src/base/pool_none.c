// SPDX-License-Identifier: MIT
// The pool where there are no threads, as in WebAssembly: the caller does every part itself, in
// order.

#include "base/pool.h"

struct JwPool {
  uint32_t none;
};

uint32_t jw_pool_size(void) {
  return (uint32_t)sizeof(JwPool);
}

void jw_pool_start(JwPool* pool, uint32_t threads) {
  (void)threads;
  pool->none = 0;
}

void jw_pool_stop(JwPool* pool) {
  (void)pool;
}

JW_REALTIME void jw_pool_run(JwPool* pool, JwPart part, void* data, uint32_t count) {
  (void)pool;
  for (uint32_t i = 0; i < count; ++i) {
    part(data, i);
  }
}
