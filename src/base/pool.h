// SPDX-License-Identifier: MIT
// base/pool.h: a few threads that share the parts of a job.
#ifndef JAWARI_POOL_H
#define JAWARI_POOL_H

#include <jawari/base.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct JwPool JwPool;

/// Bytes that a pool takes.
uint32_t jw_pool_size(void);

/// Start `threads` - 1 threads in memory of jw_pool_size() zeroed bytes.  Where the system gives
/// fewer, or none, the others do the work.
void jw_pool_start(JwPool* pool, uint32_t threads);
void jw_pool_stop(JwPool* pool);

typedef void (*JwPart)(void* data, uint32_t i) JW_REALTIME;

/// Do parts 0 to count - 1, count below 2^24 - 64, each once, in any order, side by side; returns
/// when all are done.  Parts may not share anything that changes.  No lock and no system call,
/// unless the threads have gone to sleep since the last job and must be woken.
JW_REALTIME void jw_pool_run(JwPool* pool, JwPart part, void* data, uint32_t count);

#endif // JAWARI_POOL_H
