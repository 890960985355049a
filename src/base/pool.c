// SPDX-License-Identifier: MIT
// A few threads that share the parts of a job.
//
// Each thread has a share of the parts, the same in every job of as many, so that what a part works
// on stays in that thread's cache and neighbours are seldom worked on side by side.  Who has done
// its own share helps with the others'.
//
// A ticket holds the number of the job, the end of a share, and the next part of it to be done, in
// one word, so that what is drawn always belongs together.  Whoever draws a part below the end does
// it; when `done` reaches the count the job is over.  A thread that comes late finds no part left,
// or one of the next job: both are fine, so nobody waits for anybody but for parts.
//
// Threads without work look at the tickets SPINS times, then sleep.  One that is about to sleep
// counts itself in `sleeping` first and looks once more; a job is first published, then the
// sleeping are woken: so either it sees the job or it is woken.
//
// Tested by test_threads.c.

#include "base/pool.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define MOST_THREADS 64
#define SPINS 20000 // Some 100 microseconds: longer than between two chunks of a rendering
#define LINE 128    // Bytes that caches fetch together

typedef struct {
  _Atomic uint64_t ticket;
  char alone[LINE - sizeof(uint64_t)];
} Share;

typedef struct {
  JwPool* pool;
  uint32_t share;
  pthread_t thread;
} Worker;

struct JwPool {
  Share shares[MOST_THREADS + 1]; // The first is the caller's
  _Atomic uint32_t done;
  char apart[LINE];
  _Atomic uint32_t sleeping;
  _Atomic bool quit;
  sem_t wake;
  JwPart part;
  void* data;
  Worker workers[MOST_THREADS];
  _Atomic uint32_t threads; // That have been started
};

uint32_t jw_pool_size(void) {
  return (uint32_t)sizeof(JwPool);
}

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// A ticket: 16 bits of the job, 24 of the end, 24 of the next part.
#define FIELD 24
#define FIELD_MASK ((UINT64_C(1) << FIELD) - 1)

static bool has_part(uint64_t ticket) {
  return (ticket & FIELD_MASK) < (ticket >> FIELD & FIELD_MASK);
}

/// Draw one part of a share and do it; false when none is left.  Drawing beyond the last part
/// happens, once a thread and job at most, since each looks first.
static bool work_on(JwPool* pool, Share* share) {
  if (!has_part(atomic_load(&share->ticket))) {
    return false;
  }
  const uint64_t ticket = atomic_fetch_add(&share->ticket, 1);
  if (!has_part(ticket)) {
    return false;
  }
  pool->part(pool->data, (uint32_t)(ticket & FIELD_MASK));
  atomic_fetch_add(&pool->done, 1);
  return true;
}

/// One part of the own share, or of the next that has one.
static bool work(JwPool* pool, uint32_t own) {
  const uint32_t count = pool->threads + 1;
  for (uint32_t i = 0; i < count; ++i) {
    if (work_on(pool, &pool->shares[(own + i) % count])) {
      return true;
    }
  }
  return false;
}

static void* serve(void* data) {
  const Worker* const worker = (const Worker*)data;
  JwPool* const pool = worker->pool;
  while (!atomic_load(&pool->quit)) {
    uint32_t idle = 0;
    while (idle < SPINS) {
      idle = work(pool, worker->share) ? 0 : idle + 1;
      relax();
    }
    atomic_fetch_add(&pool->sleeping, 1);
    if (!work(pool, worker->share) && !atomic_load(&pool->quit)) {
      sem_wait(&pool->wake);
    }
  }
  return NULL;
}

void jw_pool_start(JwPool* pool, uint32_t threads) {
  pool->threads = 0;
  if (sem_init(&pool->wake, 0, 0)) {
    return;
  }
  for (uint32_t i = 0; i + 1 < threads && i < MOST_THREADS; ++i) {
    Worker* const worker = &pool->workers[i];
    worker->pool = pool;
    worker->share = i + 1;
    if (pthread_create(&worker->thread, NULL, serve, worker)) {
      return;
    }
    ++pool->threads;
  }
}

// The one system call of a run: with several threads, after a pause.
#if defined(__clang__) && __clang_major__ >= 20
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
#endif
static JW_REALTIME void wake_all(JwPool* pool) {
  for (uint32_t n = atomic_exchange(&pool->sleeping, 0); n > 0; --n) {
    sem_post(&pool->wake);
  }
}
#if defined(__clang__) && __clang_major__ >= 20
#pragma clang diagnostic pop
#endif

void jw_pool_stop(JwPool* pool) {
  atomic_store(&pool->quit, true);
  for (uint32_t i = 0; i < pool->threads; ++i) {
    sem_post(&pool->wake);
  }
  for (uint32_t i = 0; i < pool->threads; ++i) {
    pthread_join(pool->workers[i].thread, NULL);
  }
  sem_destroy(&pool->wake);
}

JW_REALTIME void jw_pool_run(JwPool* pool, JwPart part, void* data, uint32_t count) {
  const uint32_t shares = pool->threads + 1;
  const uint64_t job = (atomic_load(&pool->shares[0].ticket) >> 2 * FIELD) + 1;
  pool->part = part;
  pool->data = data;
  atomic_store(&pool->done, 0);
  for (uint32_t i = 0; i < shares; ++i) {
    const uint64_t first = (uint64_t)count * i / shares, end = (uint64_t)count * (i + 1) / shares;
    atomic_store(&pool->shares[i].ticket, job << 2 * FIELD | end << FIELD | first);
  }
  wake_all(pool);
  while (work(pool, 0)) {
  }
  while (atomic_load(&pool->done) < count) {
    relax();
  }
}
