// SPDX-License-Identifier: MIT
// Random scenes, as many as asked for.
//
//   random_scenes --scenes 1000 --regime wide           run seeds 1 to 1000 in two processes
//   random_scenes --regime wide --seed 77               one seed, and what came of it
//   random_scenes --regime wide --seed 77 --write FILE  its scene
//   random_scenes --file FILE...                        replay scenes
//
// A scene that fails is shrunk to a small one (shrink.c) and written to the folder given by --keep.
// Workers run apart, so that a crash or hang costs one scene: the parent notes it and goes on.

#include "check.h"
#include "generate.h"
#include "shrink.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS 2
#define MOST_SHOWN 20 // Failures that are shrunk and written

/// What a worker shares with the parent.
typedef struct {
  volatile uint64_t seed; // At work on this one
  uint64_t counts[OUTCOME_COUNT];
  uint64_t frames, asked, cut, closed, bytes, failures,
      open;                               // cut: scenes that made less sound than asked
  double worst, nearest, energy, refusal; // Residual; residual over bound; J; processor time
  uint64_t worst_seed, nearest_seed, energy_seed, refusal_seed;
  uint32_t largest_island;
} Tally;

typedef struct {
  Regime regime;
  uint64_t scenes, first;
  const char *keep, *write;
  bool one;
  CheckOptions check;
} Options;

static void watch_time(void) {
  const struct itimerval limit = {{0, 0}, {HANG_SECONDS, 0}};
  setitimer(ITIMER_PROF, &limit, NULL);
}

// ---------------------------------------------------------------- one scene, apart

Verdict check_apart(const char* text, size_t size, const CheckOptions* options) {
  Verdict* const shared = (Verdict*)mmap(NULL, sizeof(Verdict), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    perror("mmap");
    exit(2);
  }
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    watch_time();
    *shared = check_scene(text, size, options);
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Verdict verdict = *shared;
  munmap(shared, sizeof(Verdict));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const bool hang = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    verdict.outcome = hang ? OUTCOME_HANG : OUTCOME_CRASH;
    snprintf(verdict.message, sizeof verdict.message, "wait status 0x%x", (unsigned)status);
  }
  return verdict;
}

static void keep_scene(Tree* tree, const Options* options, uint64_t seed, const Verdict* verdict) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s-%llu.json", options->keep, regime_names[options->regime],
           (unsigned long long)seed);
  size_t size;
  const char* const text = tree_write(tree, &size);
  FILE* const file = fopen(path, "w");
  if (!file || fwrite(text, 1, size, file) != size || fclose(file)) {
    perror(path);
    return;
  }
  fprintf(stderr, "  shrunk to %zu bytes: %s (%s: %s)\n", size, path,
          outcome_names[verdict->outcome], verdict->message);
}

static void report_failure(const Options* options, uint64_t seed, const Verdict* verdict) {
  fprintf(stderr, "seed %llu (%s): %s: %s\n", (unsigned long long)seed,
          regime_names[options->regime], outcome_names[verdict->outcome], verdict->message);
  if (options->keep) {
    Tree* const tree = tree_new();
    generate(tree, options->regime, seed);
    const Verdict small = shrink(tree, verdict, &options->check);
    keep_scene(tree, options, seed, &small);
    tree_free(tree);
  }
}

// Scenes that somebody could mean must not stop.  Hostile ones promise less: no crash, no hang, no
// bad sample, refusals with place and reason; open ledgers are counted.
static Verdict judge(const Options* options, Verdict verdict) {
  if (verdict.outcome == OUTCOME_LEDGER && options->regime == REGIME_HOSTILE) {
    verdict.outcome = OUTCOME_RAN;
    verdict.open = true;
  }
  if (verdict.outcome == OUTCOME_STOPPED && options->regime != REGIME_HOSTILE) {
    verdict.outcome = OUTCOME_SAMPLE;
  }
  return verdict;
}

// ---------------------------------------------------------------- many

static void count(Tally* tally, const Verdict* verdict, uint64_t seed) {
  ++tally->counts[verdict->outcome];
  tally->failures += outcome_fails(verdict->outcome);
  tally->frames += verdict->frames;
  tally->asked += verdict->asked;
  tally->cut += verdict->outcome == OUTCOME_RAN && verdict->frames < verdict->asked;
  tally->closed += verdict->closures > 0;
  tally->open += verdict->outcome == OUTCOME_RAN && verdict->open;
  tally->bytes = verdict->bytes > tally->bytes ? verdict->bytes : tally->bytes;
  tally->largest_island = verdict->largest_island > tally->largest_island ? verdict->largest_island
                                                                          : tally->largest_island;
  const bool ran = verdict->outcome == OUTCOME_RAN;
  if (ran && verdict->worst > tally->worst) {
    tally->worst = verdict->worst;
    tally->worst_seed = seed;
  }
  if (ran && verdict->bound > 0.0 && verdict->worst / verdict->bound > tally->nearest) {
    tally->nearest = verdict->worst / verdict->bound;
    tally->nearest_seed = seed;
  }
  if (ran && verdict->energy > tally->energy) {
    tally->energy = verdict->energy;
    tally->energy_seed = seed;
  }
  if (verdict->refusal > tally->refusal) {
    tally->refusal = verdict->refusal;
    tally->refusal_seed = seed;
  }
}

static Verdict check_seed(Tree* tree, const Options* options, uint64_t seed) {
  generate(tree, options->regime, seed);
  size_t size;
  const char* const text = tree_write(tree, &size);
  const Verdict verdict = check_scene(text, size, &options->check);
  return judge(options, verdict);
}

// Once a second, on a terminal, by the worker that has the first seed.  Workers keep about the same
// pace.
static void show_progress(const Options* options, uint64_t seed, uint64_t from) {
  static time_t start, shown;
  const time_t now = time(NULL);
  start = start ? start : now;
  const uint64_t done = seed - options->first;
  if (done % WORKERS != 0 || seed == from || now == shown || !isatty(STDERR_FILENO)) {
    return;
  }
  shown = now;
  const double left =
      (double)(now - start) * (double)(options->scenes - done) / (double)(seed - from);
  fprintf(stderr, "\r%3.0f %%  seed %llu, %.0f min left \033[K",
          100.0 * (double)done / (double)options->scenes, (unsigned long long)seed, left / 60.0);
}

static void clear_progress(void) {
  if (isatty(STDERR_FILENO)) {
    fputs("\r\033[K", stderr);
  }
}

static void work(Tally* tally, const Options* options, uint64_t from, uint64_t to) {
  Tree* const tree = tree_new();
  const pid_t parent = getppid();
  for (uint64_t seed = from; seed < to && getppid() == parent;
       seed += WORKERS) { // Nobody works for the dead
    tally->seed = seed;
    watch_time();
    show_progress(options, seed, from);
    const Verdict verdict = check_seed(tree, options, seed);
    count(tally, &verdict, seed);
    if (outcome_fails(verdict.outcome) && tally->failures <= MOST_SHOWN) {
      report_failure(options, seed, &verdict);
    }
  }
  tree_free(tree);
}

static pid_t start_worker(Tally* tally, const Options* options, uint64_t from) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    work(tally, options, from, options->first + options->scenes);
    _exit(0);
  }
  return child;
}

// A worker that died: note its seed, go on behind it.
static pid_t follow(Tally* tally, const Options* options, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return 0;
  }
  Verdict verdict = {.outcome = OUTCOME_CRASH};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
    verdict.outcome = OUTCOME_HANG;
  }
  snprintf(verdict.message, sizeof verdict.message, "wait status 0x%x", (unsigned)status);
  const uint64_t seed = tally->seed;
  count(tally, &verdict, seed);
  if (tally->failures <= MOST_SHOWN) {
    report_failure(options, seed, &verdict);
  }
  return start_worker(tally, options, seed + WORKERS);
}

static void run_all(Tally* tallies, const Options* options) {
  pid_t workers[WORKERS];
  int left = WORKERS;
  for (int i = 0; i < WORKERS; ++i) {
    workers[i] = start_worker(&tallies[i], options, options->first + (uint64_t)i);
  }
  while (left > 0) {
    int status = 0;
    const pid_t ended = wait(&status);
    for (int i = 0; i < WORKERS; ++i) {
      if (workers[i] == ended) {
        workers[i] = follow(&tallies[i], options, status);
        left -= workers[i] == 0;
      }
    }
  }
  clear_progress();
}

static Tally add_up(const Tally* tallies) {
  Tally sum = tallies[0];
  for (int w = 1; w < WORKERS; ++w) {
    const Tally* const t = &tallies[w];
    for (int i = 0; i < OUTCOME_COUNT; ++i) {
      sum.counts[i] += t->counts[i];
    }
    sum.frames += t->frames;
    sum.asked += t->asked;
    sum.cut += t->cut;
    sum.closed += t->closed;
    sum.open += t->open;
    sum.failures += t->failures;
    sum.bytes = t->bytes > sum.bytes ? t->bytes : sum.bytes;
    sum.largest_island =
        t->largest_island > sum.largest_island ? t->largest_island : sum.largest_island;
    if (t->worst > sum.worst) {
      sum.worst = t->worst;
      sum.worst_seed = t->worst_seed;
    }
    if (t->nearest > sum.nearest) {
      sum.nearest = t->nearest;
      sum.nearest_seed = t->nearest_seed;
    }
    if (t->energy > sum.energy) {
      sum.energy = t->energy;
      sum.energy_seed = t->energy_seed;
    }
    if (t->refusal > sum.refusal) {
      sum.refusal = t->refusal;
      sum.refusal_seed = t->refusal_seed;
    }
  }
  return sum;
}

static void print_table(const Tally* sum, const Options* options) {
  printf("%-28s %s, seeds %llu to %llu, %g s each\n", "regime", regime_names[options->regime],
         (unsigned long long)options->first,
         (unsigned long long)(options->first + options->scenes - 1), options->check.seconds);
  for (int i = 0; i < OUTCOME_COUNT; ++i) {
    printf("%-28s %llu\n", outcome_names[i], (unsigned long long)sum->counts[i]);
  }
  printf("%-28s %llu\n", "scenes where contacts closed", (unsigned long long)sum->closed);
  printf("%-28s %llu\n", "open ledgers, no failures", (unsigned long long)sum->open);
  printf("%-28s %u\n", "largest island", sum->largest_island);
  printf("%-28s %llu of %llu asked\n", "frames", (unsigned long long)sum->frames,
         (unsigned long long)sum->asked);
  printf("%-28s %llu, for more than %.3g operations each\n", "scenes cut short",
         (unsigned long long)sum->cut, options->check.operations);
  printf("%-28s %.3g (seed %llu)\n", "largest residual", sum->worst,
         (unsigned long long)sum->worst_seed);
  printf("%-28s %.3g of it (seed %llu)\n", "nearest to its bound", sum->nearest,
         (unsigned long long)sum->nearest_seed);
  printf("%-28s %.3g J (seed %llu)\n", "most energy", sum->energy,
         (unsigned long long)sum->energy_seed);
  printf("%-28s %.3g s (seed %llu)\n", "slowest refusal", sum->refusal,
         (unsigned long long)sum->refusal_seed);
  printf("%-28s %.3g MiB\n", "most memory", (double)sum->bytes / 1048576.0);
}

static int soak(const Options* options) {
  Tally* const tallies = (Tally*)mmap(NULL, WORKERS * sizeof(Tally), PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tallies == MAP_FAILED) {
    perror("mmap");
    return 2;
  }
  run_all(tallies, options);
  const Tally sum = add_up(tallies);
  uint64_t done = 0;
  for (int i = 0; i < OUTCOME_COUNT; ++i) {
    done += sum.counts[i];
  }
  print_table(&sum, options);
  // A soak in which nothing ran or nothing touched has shown nothing.
  const bool hollow = options->scenes >= 100 && (sum.counts[OUTCOME_RAN] == 0 || sum.closed == 0);
  printf("soak: %llu scenes, %llu failures\n", (unsigned long long)done,
         (unsigned long long)sum.failures);
  if (hollow || done != options->scenes) {
    fprintf(stderr, "soak: %s\n",
            hollow ? "no scene ran with a closed contact" : "scenes are missing");
    return 1;
  }
  return sum.failures ? 1 : 0;
}

// ---------------------------------------------------------------- one

static void print_verdict(const char* what, const Verdict* v) {
  printf("%s: %s%s%s\n", what, outcome_names[v->outcome], v->message[0] ? ": " : "", v->message);
  printf(
      "  frames %llu, closures %llu, largest island %u, residual %.3g, bound %.3g, energy %.3g J, memory %.3g MiB, refusal %.3g s\n",
      (unsigned long long)v->frames, (unsigned long long)v->closures, v->largest_island, v->worst,
      v->bound, v->energy, (double)v->bytes / 1048576.0, v->refusal);
}

static int one_seed(const Options* options) {
  Tree* const tree = tree_new();
  generate(tree, options->regime, options->first);
  size_t size;
  const char* const text = tree_write(tree, &size);
  int result = 0;
  if (options->write) {
    FILE* const file = fopen(options->write, "w");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file)) {
      perror(options->write);
      result = 1;
    }
  } else {
    const Verdict verdict = judge(options, check_apart(text, size, &options->check));
    char name[64];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)options->first);
    print_verdict(name, &verdict);
    result = outcome_fails(verdict.outcome);
    if (result) {
      report_failure(options, options->first, &verdict);
    }
  }
  tree_free(tree);
  return result;
}

static int replay(const char* path, const CheckOptions* options) {
  FILE* const file = fopen(path, "rb");
  static char text[1 << 21];
  const size_t size = file ? fread(text, 1, sizeof text, file) : 0;
  if (!file || fclose(file)) {
    perror(path);
    return 1;
  }
  const Verdict verdict = check_apart(text, size, options);
  print_verdict(path, &verdict);
  return outcome_fails(verdict.outcome) || verdict.outcome == OUTCOME_STOPPED;
}

static void usage(void) {
  fprintf(
      stderr,
      "usage: random_scenes [--regime nominal|wide|hostile|nonlinear] [--scenes N] [--first N] [--seconds S]\n"
      "                     [--seed N [--write FILE]] [--keep FOLDER] [--timed] [--joules J] | --file FILE...\n");
  exit(2);
}

static Regime read_regime(const char* name) {
  for (int i = 0; i < REGIME_COUNT; ++i) {
    if (strcmp(name, regime_names[i]) == 0) {
      return (Regime)i;
    }
  }
  fprintf(stderr, "unknown regime %s\n", name);
  exit(2);
}

static double read_number(const char* text) {
  char* end;
  const double value = strtod(text, &end);
  if (*end || end == text || !(value > 0.0)) {
    fprintf(stderr, "%s is not a positive number\n", text);
    exit(2);
  }
  return value;
}

int main(int argc, char** argv) {
  Options options = {
      .regime = REGIME_WIDE, .scenes = 1000, .first = 1, .check = {0.05, 9e7, false, 0.0}};
  for (int i = 1; i < argc; ++i) {
    const char* const name = argv[i];
    if (strcmp(name, "--timed") == 0) {
      options.check.timed = true;
      continue;
    }
    if (strcmp(name, "--file") == 0) {
      int failed = 0;
      for (++i; i < argc; ++i) {
        failed |= replay(argv[i], &options.check);
      }
      return failed;
    }
    if (++i >= argc) {
      usage();
    }
    const char* const value = argv[i];
    if (strcmp(name, "--regime") == 0) {
      options.regime = read_regime(value);
    } else if (strcmp(name, "--scenes") == 0) {
      options.scenes = (uint64_t)read_number(value);
    } else if (strcmp(name, "--first") == 0) {
      options.first = (uint64_t)read_number(value);
    } else if (strcmp(name, "--seed") == 0) {
      options.first = (uint64_t)read_number(value);
      options.one = true;
    } else if (strcmp(name, "--seconds") == 0) {
      options.check.seconds = read_number(value);
      options.check.operations = 1.8e9 * options.check.seconds;
    } else if (strcmp(name, "--joules") == 0) {
      options.check.joules = read_number(value);
    } else if (strcmp(name, "--keep") == 0) {
      options.keep = value;
    } else if (strcmp(name, "--write") == 0) {
      options.write = value;
    } else {
      usage();
    }
  }
  return options.one ? one_seed(&options) : soak(&options);
}
