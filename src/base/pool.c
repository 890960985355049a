// A few threads that share the parts of a job.
//
// The ticket holds the number of the job, how many parts it has, and the next part to be done, in one word,
// so that what is drawn always belongs together.  Whoever draws a part below the count does it; when
// `done` reaches the count the job is over.  A thread that comes late finds no part left, or one of the next
// job: both are fine, so nobody waits for anybody but for parts.
//
// Threads without work look at the ticket SPINS times, then sleep.  One that is about to sleep counts
// itself in `sleeping` first and looks once more; a job is first published, then the sleeping are woken: so
// either it sees the job or it is woken.
//
// Tested by test_threads.c.

#include "base/pool.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define MOST_THREADS 64
#define SPINS 20000 // Some 100 microseconds: longer than between two chunks of a rendering

struct JwPool {
  pthread_t thread[MOST_THREADS];
  uint32_t threads;
  void (*part)(void* data, uint32_t i);
  void* data;
  _Atomic uint64_t ticket;
  _Atomic uint32_t done, sleeping;
  _Atomic bool quit;
  sem_t wake;
};

uint32_t jw_pool_size(void) { return (uint32_t)sizeof(JwPool); }

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// A ticket: 16 bits of the job, 24 of the count, 24 of the next part.
#define FIELD 24
#define FIELD_MASK ((UINT64_C(1) << FIELD) - 1)

static bool has_part(uint64_t ticket) { return (ticket & FIELD_MASK) < (ticket >> FIELD & FIELD_MASK); }

/// Draw one part and do it; false when none is left.  Drawing beyond the last part happens, once a thread
/// and job at most, since each looks first.
static bool work(JwPool* pool)
{
  if (!has_part(atomic_load(&pool->ticket))) {
    return false;
  }
  const uint64_t ticket = atomic_fetch_add(&pool->ticket, 1);
  if (!has_part(ticket)) {
    return false;
  }
  pool->part(pool->data, (uint32_t)(ticket & FIELD_MASK));
  atomic_fetch_add(&pool->done, 1);
  return true;
}

static void* serve(void* data)
{
  JwPool* const pool = (JwPool*)data;
  while (!atomic_load(&pool->quit)) {
    uint32_t idle = 0;
    while (idle < SPINS) {
      idle = work(pool) ? 0 : idle + 1;
      relax();
    }
    atomic_fetch_add(&pool->sleeping, 1);
    if (!work(pool) && !atomic_load(&pool->quit)) {
      sem_wait(&pool->wake);
    }
  }
  return NULL;
}

void jw_pool_start(JwPool* pool, uint32_t threads)
{
  pool->threads = 0;
  if (sem_init(&pool->wake, 0, 0)) {
    return;
  }
  for (uint32_t i = 0; i + 1 < threads && i < MOST_THREADS; ++i) {
    if (pthread_create(&pool->thread[pool->threads], NULL, serve, pool)) {
      return;
    }
    ++pool->threads;
  }
}

static void wake_all(JwPool* pool)
{
  for (uint32_t n = atomic_exchange(&pool->sleeping, 0); n > 0; --n) {
    sem_post(&pool->wake);
  }
}

void jw_pool_stop(JwPool* pool)
{
  atomic_store(&pool->quit, true);
  for (uint32_t i = 0; i < pool->threads; ++i) {
    sem_post(&pool->wake);
  }
  for (uint32_t i = 0; i < pool->threads; ++i) {
    pthread_join(pool->thread[i], NULL);
  }
  sem_destroy(&pool->wake);
}

void jw_pool_run(JwPool* pool, void (*part)(void* data, uint32_t i), void* data, uint32_t count)
{
  pool->part = part;
  pool->data = data;
  atomic_store(&pool->done, 0);
  const uint64_t job = (atomic_load(&pool->ticket) >> 2 * FIELD) + 1;
  atomic_store(&pool->ticket, job << 2 * FIELD | (uint64_t)count << FIELD);
  wake_all(pool);
  while (work(pool)) {
  }
  while (atomic_load(&pool->done) < count) {
    relax();
  }
}
