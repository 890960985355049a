// SPDX-License-Identifier: MIT
// Worlds for tests: building blocks that stop the test with the world's own sentence.
#ifndef JAWARI_TEST_WORLDS_H
#define JAWARI_TEST_WORLDS_H

#include "test.h"

#include <jawari/jawari.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Stop unless a call succeeded.
#define MUST(WORLD, CALL)                                                                          \
  do {                                                                                             \
    const JwStatus must_status = (CALL);                                                           \
    if (must_status) {                                                                             \
      fail_msg("%s: %s", jw_status_name(must_status), jw_world_error(WORLD));                      \
    }                                                                                              \
  } while (0)

/// The next of a fixed sequence, uniform in [0, 1).
static inline double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

static inline double between(uint64_t* seed, double low, double high) {
  return low + (high - low) * uniform(seed);
}
static inline double log_between(uint64_t* seed, double low, double high) {
  return low * pow(high / low, uniform(seed));
}

static inline JwWorld* new_world(double rate, bool ledger) {
  JwWorldDef def = jw_world_default();
  def.sample_rate = rate;
  def.ledger = ledger;
  JwWorld* world = NULL;
  assert_int_equal(jw_world_create(&def, &world), JW_STATUS_OK);
  return world;
}

static inline JwObjectId add_mass(JwWorld* world, double mass, double position, double velocity) {
  JwMassDef def = jw_mass_default();
  def.mass = mass;
  def.position = position;
  def.velocity = velocity;
  JwObjectId id = {0};
  MUST(world, jw_world_add_mass(world, &def, &id));
  return id;
}

static inline JwObjectId add_barrier(JwWorld* world, double position) {
  JwBarrierDef def = jw_barrier_default();
  def.position = position;
  JwObjectId id = {0};
  MUST(world, jw_world_add_barrier(world, &def, &id));
  return id;
}

static inline JwContactId add_collision(JwWorld* world, JwPort below, JwPort above, JwRule rule,
                                        double stiffness) {
  JwCollisionDef def = jw_collision_default();
  def.below = below;
  def.above = above;
  def.rule = rule;
  def.stiffness = stiffness;
  JwContactId id = {0};
  MUST(world, jw_world_add_collision(world, &def, &id));
  return id;
}

static inline JwPickupId add_pickup(JwWorld* world, JwPort port, JwQuantity quantity) {
  JwPickupDef def = jw_pickup_default();
  def.port = port;
  def.quantity = quantity;
  JwPickupId id = {0};
  MUST(world, jw_world_add_pickup(world, &def, &id));
  return id;
}

/// A violin-like string: 0.33 m, 440 Hz, with both losses.
static inline JwStringDef short_string(void) {
  JwStringDef def = jw_string_default();
  def.length = 0.33;
  def.frequency = 440.0;
  def.radius = 3e-4;
  def.loss[0] = 1.0;
  def.loss[1] = 1e-4;
  return def;
}

static inline JwObjectId add_string(JwWorld* world, const JwStringDef* def) {
  JwObjectId id = {0};
  MUST(world, jw_world_add_string(world, def, &id));
  return id;
}

#define MOST_CHANNELS 16

/// Run `count` frames, output into rows of `stride` samples starting at `at`; NULL: thrown away.
static inline void run_into(JwWorld* world, double* rows, size_t stride, size_t at,
                            uint32_t count) {
  static double waste[MOST_CHANNELS][4096];
  double* out[MOST_CHANNELS];
  const uint32_t channels = jw_world_channels(world);
  assert_true(channels <= MOST_CHANNELS && (rows || count <= 4096));
  for (uint32_t c = 0; c < channels; ++c) {
    out[c] = rows ? rows + c * stride + at : waste[c];
  }
  MUST(world, jw_world_run_double(world, out, count));
}

static inline void run_frames(JwWorld* world, uint32_t count) {
  for (uint32_t done = 0; done < count;) {
    const uint32_t part = count - done < 4096 ? count - done : 4096;
    run_into(world, NULL, 0, 0, part);
    done += part;
  }
}

#endif // JAWARI_TEST_WORLDS_H
