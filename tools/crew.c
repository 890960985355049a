// SPDX-License-Identifier: MIT
// Workers, each with one piece after the other.

#include "crew.h"

#include "job.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_WORKERS 1024u
#define PERIOD 0.2 // s

typedef struct {
  const JwCrewDef* def;
  pthread_mutex_t lock; // All below, and `has` and `keep`
  uint64_t next;
  uint64_t before, done; // Pieces of earlier runs, and all that are there
  double started, told;
  bool stopped, broken;
} Crew;

static void tell(Crew* crew) {
  const JwCrewDef* const def = crew->def;
  const double now = jw_job_clock() - crew->started;
  if (def->quiet || !isatty(fileno(stderr)) || now < crew->told + PERIOD) {
    return;
  }
  crew->told = now;
  const double mine = (double)(crew->done - crew->before);
  const double left = mine > 0.0 ? now / mine * (double)(def->count - crew->done) : 0.0;
  fprintf(stderr, "\r%3.0f %%  %llu of %llu %s, %llu failed, %d:%02d:%02d left \033[K",
          100.0 * (double)crew->done / (double)def->count, (unsigned long long)crew->done,
          (unsigned long long)def->count, def->what, (unsigned long long)*def->failed,
          (int)(left / 3600.0), (int)(left / 60.0) % 60, (int)left % 60);
  fflush(stderr);
}

// The next piece that is not there, or false.
static bool take(Crew* crew, uint64_t* piece) {
  pthread_mutex_lock(&crew->lock);
  while (crew->next < crew->def->count && crew->def->has(crew->def->user, crew->next)) {
    ++crew->next;
  }
  crew->stopped = crew->stopped || jw_stop_wanted();
  const bool found = crew->next < crew->def->count && !crew->stopped && !crew->broken;
  *piece = crew->next;
  crew->next += found;
  pthread_mutex_unlock(&crew->lock);
  return found;
}

static void give(Crew* crew, JwStatus status, uint64_t piece, const void* room) {
  pthread_mutex_lock(&crew->lock);
  if (status == JW_STATUS_CANCELLED) {
    crew->stopped = true;
  } else if (!crew->broken) {
    crew->broken = status ? !jw_tool_fail("%s", jw_status_text(status))
                          : !crew->def->keep(crew->def->user, piece, room);
    crew->done += !crew->broken;
    tell(crew);
  }
  pthread_mutex_unlock(&crew->lock);
}

static void* work(void* user) {
  Crew* const crew = (Crew*)user;
  void* const room = malloc(crew->def->room);
  uint64_t piece = 0;
  if (!room) {
    give(crew, JW_STATUS_NO_MEMORY, 0, NULL);
  }
  while (room && take(crew, &piece)) {
    give(crew, crew->def->make(crew->def->user, piece, room), piece, room);
  }
  free(room);
  return NULL;
}

static uint32_t count_workers(const Crew* crew) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const uint64_t left = crew->def->count - crew->done;
  uint64_t count = crew->def->workers ? crew->def->workers : cores > 0 ? (uint64_t)cores : 1;
  count = count < left ? count : left;
  return count < MOST_WORKERS ? (uint32_t)count : MOST_WORKERS;
}

// This thread is one of the workers.
static void work_all(Crew* crew) {
  pthread_t threads[MOST_WORKERS];
  const uint32_t count = count_workers(crew);
  uint32_t made = 0;
  while (made + 1 < count && pthread_create(&threads[made], NULL, work, crew) == 0) {
    ++made;
  }
  work(crew);
  for (uint32_t i = 0; i < made; ++i) {
    pthread_join(threads[i], NULL);
  }
}

JwCrewEnd jw_crew_run(const JwCrewDef* def, uint64_t* made) {
  Crew crew = {.def = def, .started = jw_job_clock()};
  for (uint64_t i = 0; i < def->count; ++i) {
    crew.before += def->has(def->user, i);
  }
  crew.done = crew.before;
  pthread_mutex_init(&crew.lock, NULL);
  work_all(&crew);
  pthread_mutex_destroy(&crew.lock);
  if (!def->quiet && isatty(fileno(stderr))) {
    fputs("\r\033[K", stderr);
  }
  *made = crew.done;
  return crew.broken ? JW_CREW_BROKEN : crew.stopped ? JW_CREW_STOPPED : JW_CREW_DONE;
}

// ---------------------------------------------------------------- parts of the work

bool jw_shard_read(const char* text, uint32_t* shard, uint32_t* shards) {
  char end = 0;
  return (strspn(text, "0123456789/") == strlen(text)
          && sscanf(text, "%6u/%6u%c", shard, shards, &end) == 2 && *shard >= 1 && *shard <= *shards
          && *shards <= JW_SHARDS_MOST)
         || jw_tool_misuse("--shard %s: must be I/N, with I from 1 to N, and N at most %u", text,
                           JW_SHARDS_MOST);
}

uint64_t jw_shard_first(uint64_t pieces, uint32_t shard, uint32_t shards) {
  return pieces / shards * (shard - 1) + pieces % shards * (shard - 1) / shards;
}
