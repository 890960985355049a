// SPDX-License-Identifier: MIT
// The same samples everywhere: one hash a built-in scene, compared with the file that is kept; and
// for some scenes one more, "NAME+midi", of a few bars played on it as `jawari render --midi` and
// `jawari play` do.
//
//   golden check FILE    compare, as TAP: plain, in random blocks, with tiny numbers flushed to zero, from a
//                        snapshot taken on the way, with two threads
//   golden brief FILE    compare, plain and the first 0.1 s only, where an emulator runs it
//   golden write FILE    write the file anew, when a change of sound is meant
//   golden print [S]     hashes of the first 0.1 s, or S seconds, for comparing builds with each other
//
// JAWARI_SIMD=scalar|base|avx2 chooses the width of the kernels.
//
// A line of the file: name, hash of the first 0.1 s, hash of the first 0.5 s, of the float output,
// all channels a frame.  Hashes are FNV-1a of 64 bits over the bytes, least significant first.

#include "kernel/kernel.h"
#include "play.h"

#include <jawari/builtin.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define MOST_CHANNELS 64

typedef enum { PLAIN, BLOCKS, FLUSHED, SNAPSHOT, THREADS, VARIANTS } Variant;
static const char* const variant_name[VARIANTS] = {"plain", "in random blocks", "flushed to zero",
                                                   "from a snapshot", "with two threads"};

static uint64_t mix(uint64_t hash, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  for (int i = 0; i < 4; ++i, bits >>= 8) {
    hash = (hash ^ (bits & 255u)) * 0x100000001b3u;
  }
  return hash;
}

// Flush tiny results and operands to zero, or not; false where this machine has no such mode.
static bool flush_mode(bool on) {
#if defined(__SSE2__)
  _mm_setcsr(on ? _mm_getcsr() | 0x8040u : _mm_getcsr() & ~0x8040u);
  return true;
#elif defined(__aarch64__)
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  fpcr = on ? fpcr | (1u << 24) : fpcr & ~(uint64_t)(1u << 24);
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
  return true;
#else
  (void)on;
  return false;
#endif
}

// ---------------------------------------------------------------- items

// By harmonics, by tension, by nearest string, by a thrown hammer.
static const char* const played[] = {"tromba", "sitar", "guitar", "piano-c4"};
enum { PLAYED = sizeof played / sizeof *played };

// What is rendered: a scene, or a scene that is played.
typedef struct {
  const JwBuiltinScene* scene;
  bool midi;
  char name[128];
} Item;

static Item item_of(uint32_t index, uint32_t scenes) {
  uint32_t count;
  Item item = {.midi = index >= scenes};
  item.scene =
      item.midi ? jw_builtin_find(played[index - scenes]) : &jw_builtin_scenes(&count)[index];
  snprintf(item.name, sizeof item.name, "%s%s", item.scene->name, item.midi ? "+midi" : "");
  return item;
}

// Notes, pressure, controllers and bends, by frame: enough to reach every power and interval of the
// player.
static const JwPlayerEvent song[] = {
    {0, {0x90, 52, 100}, 3},    {900, {0xd0, 70, 0}, 2},    {1900, {0xe0, 17, 90}, 3},
    {2500, {0x90, 67, 90}, 3},  {3100, {0xb0, 1, 64}, 3},   {3500, {0x80, 52, 0}, 3},
    {4100, {0xe0, 3, 20}, 3},   {6000, {0x90, 71, 60}, 3},  {9000, {0xb0, 11, 100}, 3},
    {11111, {0x80, 71, 0}, 3},  {12000, {0xe0, 0, 64}, 3},  {12345, {0x90, 60, 127}, 3},
    {15000, {0xb0, 74, 30}, 3}, {18000, {0x90, 76, 80}, 3}, {20000, {0x80, 76, 0}, 3},
};

typedef struct {
  JwWorld* world;
  JwPlayer* player; ///< NULL: the scene's own score, without notes
  bool midi;        ///< The player plays the song
} Stage;

static void clear(Stage* stage) {
  jw_player_destroy(stage->player);
  jw_world_destroy(stage->world);
  *stage = (Stage){0};
}

static bool build(const Item* item, uint32_t threads, Stage* stage) {
  JwScene* scene = NULL;
  *stage = (Stage){.midi = item->midi};
  bool good = !jw_builtin_load(item->scene->name, NULL, &scene);
  if (good) {
    char error[JW_ERROR_SIZE];
    JwWorldDef def = jw_scene_world(scene);
    def.threads = threads ? threads : def.threads;
    if (item->midi) {
      jw_scene_mute(scene);
    }
    good =
        !jw_scene_build(scene, &def, &stage->world) && !jw_world_prepare(stage->world)
        && jw_world_channels(stage->world) <= MOST_CHANNELS
        && ((!item->midi && !jw_scene_notes(scene))
            || !jw_player_create(&(JwPlayerDef){scene, stage->world, NULL}, &stage->player, error));
  }
  if (!good) {
    clear(stage);
  }
  jw_scene_destroy(scene);
  return good;
}

// `count` frames from frame `at` on.
static bool run(const Stage* stage, float* const* out, uint64_t at, uint32_t count) {
  if (!stage->player) {
    return !jw_world_run(stage->world, out, count);
  }
  JwPlayerEvent events[sizeof song / sizeof *song];
  JwPlayerBlock block = {out, NULL, count, events, 0};
  for (size_t i = 0; stage->midi && i < sizeof song / sizeof *song; ++i) {
    if (song[i].frame >= at && song[i].frame < at + count) {
      events[block.event_count] = song[i];
      events[block.event_count++].frame -= (uint32_t)at;
    }
  }
  return !jw_player_run(stage->player, &block);
}

// ---------------------------------------------------------------- hashes

// Save, run on, and come back.
static bool detour(JwWorld* world, float* const* out) {
  const size_t size = jw_world_snapshot_size(world);
  void* const memory = malloc(size);
  const bool good = memory && !jw_world_snapshot(world, memory, size)
                    && !jw_world_run(world, out, 50) && !jw_world_restore(world, memory, size);
  free(memory);
  return good;
}

// The hash after `seconds`, and on the way after 0.1 s; false when the scene cannot be run.
static bool render(const Item* item, Variant variant, double seconds, uint64_t hash[2]) {
  static float rows[MOST_CHANNELS][64];
  float* out[MOST_CHANNELS];
  for (int c = 0; c < MOST_CHANNELS; ++c) {
    out[c] = rows[c];
  }
  Stage stage;
  if (!build(item, variant == THREADS ? 2 : 0, &stage)) {
    return false;
  }
  JwWorld* const world = stage.world;
  const double rate = jw_world_info(world).sample_rate;
  const uint32_t channels = jw_world_channels(world);
  const uint64_t frames = (uint64_t)(seconds * rate), first = (uint64_t)(0.1 * rate);
  uint64_t seed = 1, sum = 0xcbf29ce484222325u, next_detour = 37;
  bool good = true;
  for (uint64_t at = 0; good && at < frames;) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint32_t block = variant == BLOCKS ? 1 + (uint32_t)(seed >> 59) * 2 : 64;
    const uint64_t stop = at < first ? first : frames;
    block = stop - at < block ? (uint32_t)(stop - at) : block;
    if (variant == SNAPSHOT && at >= next_detour) {
      good = detour(world, out);
      next_detour = at + (seed >> 55);
    }
    good = good && run(&stage, out, at, block);
    for (uint32_t i = 0; i < block; ++i) {
      for (uint32_t c = 0; c < channels; ++c) {
        sum = mix(sum, rows[c][i]);
      }
    }
    at += block;
    hash[at > first] = sum;
  }
  clear(&stage);
  return good;
}

// ---------------------------------------------------------------- the file

static int write_file(const char* path, double seconds) {
  FILE* const file = path ? fopen(path, "w") : stdout;
  uint32_t count;
  (void)jw_builtin_scenes(&count);
  bool good = file != NULL;
  for (uint32_t i = 0; good && i < count + PLAYED; ++i) {
    uint64_t hash[2];
    hash[1] = 0;
    const Item item = item_of(i, count);
    good = render(&item, PLAIN, seconds, hash)
           && fprintf(file, "%s %016" PRIx64 " %016" PRIx64 "\n", item.name, hash[0], hash[1]) > 0;
    if (!good) {
      fprintf(stderr, "golden: %s cannot be run\n", item.name);
    }
  }
  if (file && path && fclose(file)) {
    good = false;
  }
  return good ? 0 : 1;
}

static bool kept_hash(const char* path, const char* name, uint64_t hash[2]) {
  FILE* const file = fopen(path, "r");
  char line[256], found[128];
  bool good = false;
  while (file && !good && fgets(line, sizeof line, file)) {
    good = sscanf(line, "%127s %" SCNx64 " %" SCNx64, found, &hash[0], &hash[1]) == 3
           && strcmp(found, name) == 0;
  }
  if (file) {
    fclose(file);
  }
  return good;
}

// A snapshot is of the world; the player's own state would have to come along.
static bool wanted(const Item* item, int variant) {
  return !item->midi || variant != SNAPSHOT;
}

static bool check_item(const char* path, const Item* item, bool brief, int* number) {
  bool all = true;
  uint64_t kept[2], hash[2];
  const bool known = kept_hash(path, item->name, kept);
  for (int v = 0; v < (brief ? 1 : VARIANTS); ++v) {
    if (!wanted(item, v)) {
      continue;
    }
    const bool flushed = v == FLUSHED && flush_mode(true);
    if (v == FLUSHED && !flushed) {
      printf("ok %d - %s, flushed to zero # SKIP this machine has no such mode\n", ++*number,
             item->name);
      continue;
    }
    const bool whole = v == PLAIN && !brief,
               ran = render(item, (Variant)v, whole ? 0.5 : 0.1, hash);
    flush_mode(false);
    const bool same = known && ran && hash[0] == kept[0] && (!whole || hash[1] == kept[1]);
    printf("%s %d - %s, %s\n", same ? "ok" : "not ok", ++*number, item->name, variant_name[v]);
    if (!same) {
      printf("# %s: if a change of sound is meant, run make golden and say so in the changelog\n",
             !known ? "no hash is kept"
             : ran  ? "other samples"
                    : "it cannot be run");
    }
    all = all && same;
  }
  return all;
}

static int check_file(const char* path, bool brief) {
  uint32_t count;
  (void)jw_builtin_scenes(&count);
  bool all = count > 0;
  int number = 0;
  printf("1..%u\n", brief ? count + PLAYED : count * VARIANTS + PLAYED * (VARIANTS - 1));
  for (uint32_t i = 0; i < count + PLAYED; ++i) {
    const Item item = item_of(i, count);
    all = check_item(path, &item, brief, &number) && all;
  }
  return all ? 0 : 1;
}

int main(int argc, char** argv) {
  jw_lanes_choose(getenv("JAWARI_SIMD"));
  if ((argc == 2 || argc == 3) && strcmp(argv[1], "print") == 0) {
    return write_file(NULL, argc == 3 ? strtod(argv[2], NULL) : 0.1);
  }
  if (argc == 3 && strcmp(argv[1], "write") == 0) {
    return write_file(argv[2], 0.5);
  }
  if (argc == 3 && strcmp(argv[1], "check") == 0) {
    return check_file(argv[2], false);
  }
  if (argc == 3 && strcmp(argv[1], "brief") == 0) {
    return check_file(argv[2], true);
  }
  fprintf(stderr, "usage: golden check FILE | brief FILE | write FILE | print [SECONDS]\n");
  return 2;
}
