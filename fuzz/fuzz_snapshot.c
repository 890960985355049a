// SPDX-License-Identifier: MIT
// Any bytes as a snapshot: refused with the state untouched, or taken and run.
//
// Plain bytes never get past the magic and the sum, so the first byte chooses: bytes as they are, a
// true snapshot with some bytes replaced, or such a one with its sum made right again.  Nothing may
// crash, hang or read outside; what is refused leaves the world as it was, to the bit of the frames
// that follow; a forged one that is taken may sound like anything, but in numbers.

#include <jawari/jawari.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 64

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void must(bool claim) {
  if (!claim) {
    abort();
  }
}

// A string over a point barrier, a mass that strikes it, a bow.
static JwWorld* make_world(void) {
  const JwWorldDef def = jw_world_default();
  JwWorld* world = NULL;
  must(jw_world_create(&def, &world) == JW_STATUS_OK);
  JwStringDef string = jw_string_default();
  string.length = 0.3;
  string.frequency = 800.0;
  JwMassDef mass = jw_mass_default();
  mass.mass = 1e-3;
  mass.velocity = 1.0;
  JwBarrierDef barrier = jw_barrier_default();
  JwObjectId a, b, c;
  must(jw_world_add_string(world, &string, &a) == JW_STATUS_OK);
  must(jw_world_add_mass(world, &mass, &b) == JW_STATUS_OK);
  must(jw_world_add_barrier(world, &barrier, &c) == JW_STATUS_OK);
  JwCollisionDef hit = jw_collision_default();
  hit.below = jw_port(b, 0.0);
  hit.above = jw_port(a, 0.4);
  hit.stiffness = 1e7;
  JwContactId id;
  must(!jw_world_add_collision(world, &hit, &id));
  hit.below = jw_port(c, 0.0);
  hit.above = jw_port(a, 0.0);
  hit.along = true;
  must(!jw_world_add_collision(world, &hit, &id));
  JwBowDef bow = jw_bow_default();
  bow.port = jw_port(a, 0.1);
  must(!jw_world_add_bow(world, &bow, &id));
  JwPickupDef pickup = jw_pickup_default();
  pickup.port = jw_port(a, 0.8);
  JwPickupId ear;
  must(!jw_world_add_pickup(world, &pickup, &ear) && !jw_world_prepare(world));
  return world;
}

static JwStatus run(JwWorld* world, double samples[FRAMES]) {
  double* out[1] = {samples};
  const JwStatus status = jw_world_run_double(world, out, FRAMES);
  for (int i = 0; i < FRAMES; ++i) {
    must(isfinite(samples[i])); // Silence is promised, whatever the status
  }
  return status;
}

// Replace bytes: pairs of position (two bytes) and value.
static void damage(uint8_t* snapshot, size_t size, const uint8_t* data, size_t count) {
  for (size_t i = 0; i + 2 < count; i += 3) {
    const size_t at = ((size_t)data[i] << 8 | data[i + 1]) % size;
    snapshot[at] = data[i + 2];
  }
}

// The sum of snapshot.c over what stands behind the header of 32 bytes, whose last eight it is.
static void forge(uint8_t* snapshot, size_t size) {
  uint64_t sum = 0, word;
  size_t at = 32;
  for (; at + 8 <= size; at += 8) {
    memcpy(&word, snapshot + at, 8);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 32;
  }
  for (; at < size; ++at) {
    sum = (sum ^ snapshot[at]) * 0x100000001b3u;
  }
  memcpy(snapshot + 24, &sum, 8);
}

// One world serves every input: each starts from the same snapshot of it.
typedef struct {
  JwWorld* world;
  size_t size;
  uint8_t *good, *bad;
} Bench;

static Bench make_bench(void) {
  Bench bench = {.world = make_world()};
  double samples[FRAMES];
  must(run(bench.world, samples) == JW_STATUS_OK);
  bench.size = jw_world_snapshot_size(bench.world);
  bench.good = (uint8_t*)malloc(bench.size);
  bench.bad = (uint8_t*)malloc(bench.size);
  must(bench.good && bench.bad
       && jw_world_snapshot(bench.world, bench.good, bench.size) == JW_STATUS_OK);
  memcpy(bench.bad, bench.good, bench.size);
  forge(bench.bad, bench.size);
  must(memcmp(bench.bad, bench.good, bench.size) == 0); // The sum is that of snapshot.c
  return bench;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Bench bench;
  if (!bench.world) {
    bench = make_bench();
  }
  if (size < 1) {
    return 0;
  }
  JwWorld* const world = bench.world;
  double before[FRAMES], after[FRAMES];
  must(jw_world_restore(world, bench.good, bench.size) == JW_STATUS_OK);
  if (data[0] & 1) {
    memcpy(bench.bad, bench.good, bench.size);
    damage(bench.bad, bench.size, data + 1, size - 1);
    if (data[0] & 2) {
      forge(bench.bad, bench.size);
      if (jw_world_restore(world, bench.bad, bench.size) == JW_STATUS_OK) {
        run(world, before);
        return 0;
      }
    }
    const JwStatus status = jw_world_restore(world, bench.bad, bench.size);
    must(status == JW_STATUS_BAD_SNAPSHOT || memcmp(bench.bad, bench.good, bench.size) == 0);
  } else {
    const JwStatus status = jw_world_restore(world, data + 1, size - 1);
    must(status == JW_STATUS_BAD_SNAPSHOT
         || (size - 1 == bench.size && memcmp(data + 1, bench.good, bench.size) == 0));
  }
  must(run(world, before) == JW_STATUS_OK);
  // A refused snapshot has changed nothing: the same frames again from the true one.
  must(jw_world_restore(world, bench.good, bench.size) == JW_STATUS_OK
       && run(world, after) == JW_STATUS_OK);
  must(memcmp(before, after, sizeof before) == 0);
  return 0;
}
