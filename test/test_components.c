// SPDX-License-Identifier: MIT
// Components share nothing: whatever moves in one, threads give the same samples.
//
// Random scenes of several components run with 1, 2 and 4 threads while every number that a host
// may move is moving.  A component that reaches into another which a second thread is running gives
// another sum from run to run; under the thread sanitizer (make tsan) it is reported even where no
// sample differs.

#include "worlds.h"

#include "random/generate.h"
#include "change/change.h"

#include <jawari/scene.h>

#include <stdlib.h>

// The thread sanitizer takes twenty times as long.
#if defined(__SANITIZE_THREAD__)
#define SCENES 6
#else
#define SCENES 30
#endif
enum { BLOCKS = 6, BLOCK = 100, MOST_SEEDS = 20 * SCENES, MOST_POINTS = 100 };

static JwWorld* build(const char* text, size_t size, uint32_t threads, bool ledger) {
  JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  if (jw_scene_parse(text, size, &options, &scene) == JW_STATUS_OK) {
    JwWorldDef def = jw_scene_world(scene);
    def.threads = threads;
    def.ledger = ledger;
    if (jw_scene_build(scene, &def, &world) == JW_STATUS_OK
        && jw_world_prepare(world) != JW_STATUS_OK) {
      jw_world_destroy(world);
      world = NULL;
    }
  }
  jw_scene_destroy(scene);
  return world;
}

// Every control that the world allows starts towards another value, some at once and some slowly.
static uint32_t move_everything(JwWorld* world, Dice* dice) {
  uint32_t moved = 0;
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    const JwTarget target = jw_slot_target(world, slot);
    if (jw_slot_index(world, target) == JW_NONE) {
      continue;
    }
    const double now = jw_control_get(world, slot);
    const double value = now * dice_uniform(dice, 0.9, 1.1) + dice_uniform(dice, -1e-4, 1e-4);
    moved +=
        jw_world_set(world, target, value, dice_chance(dice, 0.5) ? 0.0 : 0.004) == JW_STATUS_OK;
  }
  return moved;
}

static uint64_t mix(uint64_t sum, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (sum ^ bits) * 0x100000001B3u;
}

// A sum over all samples, and over what every contact remembers.  Nothing is moved with seed 0.
static uint64_t play_with(const char* text, size_t size, uint32_t threads, bool ledger,
                          uint64_t seed, uint32_t* moved) {
  JwWorld* const world = build(text, size, threads, ledger);
  assert_non_null(world);
  Dice dice = {seed};
  static double out[JW_SCENE_MAX_PICKUPS][BLOCK];
  double* channels[JW_SCENE_MAX_PICKUPS];
  for (uint32_t c = 0; c < JW_SCENE_MAX_PICKUPS; ++c) {
    channels[c] = out[c];
  }
  uint64_t sum = 0xCBF29CE484222325u;
  for (uint32_t b = 0; b < BLOCKS; ++b) {
    *moved += seed ? move_everything(world, &dice) : 0;
    const JwStatus status = jw_world_run_double(world, channels, BLOCK);
    sum = mix(sum, (double)status);
    for (uint32_t c = 0; c < jw_world_channels(world); ++c) {
      for (uint32_t i = 0; i < BLOCK; ++i) {
        sum = mix(sum, out[c][i]);
      }
    }
  }
  for (uint32_t i = 0; i < world->point_count; ++i) {
    sum = mix(sum, world->points[i].step.state->psi);
  }
  jw_world_destroy(world);
  return sum;
}

static uint64_t play(const char* text, size_t size, uint32_t threads, uint64_t seed,
                     uint32_t* moved) {
  return play_with(text, size, threads, false, seed, moved);
}

static uint32_t components_of(const char* text, size_t size) {
  JwWorld* const world = build(text, size, 1, false);
  // Large islands take their time, and threads have nothing to do with it.
  const uint32_t count = world && world->point_count <= MOST_POINTS ? world->component_count : 0;
  jw_world_destroy(world);
  return count;
}

static void random_scenes_are_the_same_with_any_number_of_threads(void** state) {
  (void)state;
  Tree* const tree = tree_new();
  uint32_t found = 0, moved = 0;
  for (uint64_t seed = 1; seed <= MOST_SEEDS && found < SCENES; ++seed) {
    generate(tree, REGIME_WIDE, 770000 + seed);
    size_t size;
    const char* const text = tree_write(tree, &size);
    if (components_of(text, size) < 2) {
      continue;
    }
    ++found;
    const uint64_t one = play(text, size, 1, seed, &moved);
    for (uint32_t threads = 2; threads <= 4; threads *= 2) {
      const uint64_t many = play(text, size, threads, seed, &moved);
      if (many != one) {
        fail_msg("seed %u: %u threads give other samples than one", (unsigned)(770000 + seed),
                 threads);
      }
    }
  }
  tree_free(tree);
  assert_int_equal(found, SCENES);
  assert_true(moved > 50 * SCENES); // Much was moving
}

// Whatever fast way a component takes without its ledger, it gives the samples of the way with it.
// As they are, since most fast ways are left while anything moves, and with everything moving.
static void the_ledger_changes_no_sample(void** state) {
  (void)state;
  Tree* const tree = tree_new();
  uint32_t found = 0, moved = 0;
  for (uint64_t seed = 1; seed <= 10 * SCENES && found < 4 * SCENES; ++seed) {
    generate(tree, REGIME_WIDE, 880000 + seed);
    size_t size;
    const char* const text = tree_write(tree, &size);
    if (components_of(text, size) < 1) {
      continue;
    }
    ++found;
    for (uint64_t hand = 0; hand < 2; ++hand) {
      if (play_with(text, size, 1, false, hand * seed, &moved)
          != play_with(text, size, 1, true, hand * seed, &moved)) {
        fail_msg("seed %u: the ledger changes the samples", (unsigned)(880000 + seed));
      }
    }
  }
  tree_free(tree);
  assert_true(found >= 2 * SCENES);
}

// A mass that is moved, and strings along barriers that share nothing with it.
static const char apart[] =
    "{\"jawari\": 1, \"duration\": 1, \"objects\": {\"m\": {\"kind\": \"mass\", \"mass\": 0.01, \"frequency\": 50},"
    " \"bed\": {\"kind\": \"barrier\", \"position\": -1e-3}, \"under\": {\"kind\": \"barrier\", \"position\": -1e-4},"
    " \"a\": {\"kind\": \"string\", \"length\": 1, \"frequency\": 80}, \"b\": {\"kind\": \"string\", \"length\": 1, \"frequency\": 97},"
    " \"c\": {\"kind\": \"string\", \"length\": 1, \"frequency\": 114}, \"d\": {\"kind\": \"string\", \"length\": 1, \"frequency\": 131}},"
    " \"contacts\": [{\"law\": \"collision\", \"below\": \"bed\", \"above\": \"m\", \"stiffness\": 1e6},"
    " {\"law\": \"collision\", \"below\": \"under\", \"above\": \"a\", \"along\": true, \"stiffness\": 1e8},"
    " {\"law\": \"collision\", \"below\": \"under\", \"above\": \"b\", \"along\": true, \"stiffness\": 1e8},"
    " {\"law\": \"collision\", \"below\": \"under\", \"above\": \"c\", \"along\": true, \"stiffness\": 1e8},"
    " {\"law\": \"collision\", \"below\": \"under\", \"above\": \"d\", \"along\": true, \"stiffness\": 1e8}],"
    " \"initial\": [{\"on\": \"a@0.3\", \"amplitude\": 3e-3}, {\"on\": \"b@0.3\", \"amplitude\": 3e-3},"
    " {\"on\": \"c@0.3\", \"amplitude\": 3e-3}, {\"on\": \"d@0.3\", \"amplitude\": 3e-3}],"
    " \"pickups\": [{\"at\": \"a@0.4\"}, {\"at\": \"b@0.4\"}, {\"at\": \"c@0.4\"}, {\"at\": \"d@0.4\"}, {\"at\": \"m\"}]}";

static void a_mass_that_is_moved_leaves_other_components_alone(void** state) {
  (void)state;
  uint32_t moved = 0;
  const uint64_t one = play(apart, sizeof apart - 1, 1, 1, &moved);
  for (uint32_t i = 0; i < 12; ++i) {
    assert_true(play(apart, sizeof apart - 1, 2 + i % 3, 1, &moved) == one);
  }
  assert_true(moved > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_that_is_moved_leaves_other_components_alone),
      cmocka_unit_test(the_ledger_changes_no_sample),
      cmocka_unit_test(random_scenes_are_the_same_with_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
