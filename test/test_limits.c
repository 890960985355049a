// SPDX-License-Identifier: MIT
// Limits: sizes that do not fit are refused on every machine, before anything is taken; so is too
// much work, and what takes long can be cancelled.  Run as 32 bit too (scripts/elsewhere.sh i686),
// where a size_t is soon full.

#include "base/arena.h"
#include "base/list.h"
#include "scene/pool.h"
#include "orchestra.h"

#include <jawari/scene.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---------------------------------------------------------------- sums and products

static void sizes_stay_at_the_most_where_they_would_wrap(void** state) {
  (void)state;
  assert_true(jw_size_sum(3, 4) == 7 && jw_size_product(3, 4) == 12
              && jw_size_product(0, UINT64_MAX) == 0);
  assert_true(jw_size_product(UINT64_MAX, 0) == 0 && jw_size_product(1, UINT64_MAX) == UINT64_MAX);
  assert_true(jw_size_sum(UINT64_MAX, 1) == UINT64_MAX
              && jw_size_sum(UINT64_MAX - 1, 1) == UINT64_MAX);
  assert_true(jw_size_product(UINT64_C(1) << 32, UINT64_C(1) << 32) == UINT64_MAX);
  assert_true(jw_size_product((UINT64_C(1) << 33) + 1, UINT64_C(1) << 31) == UINT64_MAX);
  size_t bytes;
  assert_true(jw_size_of(5, 8, &bytes) && bytes == 40);
  assert_true(!jw_size_of(UINT64_C(1) << 61, 8, &bytes) && !jw_size_of(SIZE_MAX, 2, &bytes));
}

static void an_arena_counts_beyond_the_machine(void** state) {
  (void)state;
  JwArena arena = {NULL, 0};
  assert_null(JW_TAKE(&arena, UINT64_C(23172) * 23172, double));
  assert_true(arena.used == (UINT64_C(23172) * 23172 * 8 + 63) / 64 * 64); // Above 2^32
  assert_null(JW_TAKE(&arena, UINT64_MAX / 8, double));
  assert_null(JW_TAKE(&arena, 1, double));
  assert_true(arena.used >= UINT64_MAX - 64); // And stays there
}

static void an_array_that_no_memory_holds_is_not_taken(void** state) {
  (void)state;
  JwPool pool = jw_pool(jw_allocator_default());
  assert_null(jw_pool_array(&pool, (uint64_t)SIZE_MAX / 8 + 2, 8)); // 8 bytes, were it to wrap
  assert_true(pool.failed && pool.over);
  jw_pool_release(&pool);
  const JwAllocator allocator = jw_allocator_default();
  const double source = 1.0;
  assert_null(jw_copy(&allocator, &source, (uint64_t)SIZE_MAX / 8 + 2, 8));
  JwList list = {.items = NULL, .count = UINT32_C(1) << 31, .capacity = UINT32_C(1) << 31};
  assert_null(jw_list_add(&list, &allocator, 1));
  assert_true(list.count == UINT32_C(1) << 31 && list.items == NULL);
}

// ---------------------------------------------------------------- worlds

// A string whose grid of so many intervals is stable at 44100 Hz: waves of 1 m/s on 1 m.
#define STRING                                                                                     \
  "{\"kind\":\"string\",\"length\":1,\"mass_per_length\":1,\"tension\":1,\"young\":0,\"points\":%u}"

static JwStatus prepare_within(const char* text, double max_operations, char error[JW_ERROR_SIZE]) {
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  JwStatus status = jw_scene_parse(text, strlen(text), &options, &scene);
  assert_non_null(scene);
  JwWorldDef def = jw_scene_world(scene);
  def.max_operations = max_operations;
  error[0] = '\0';
  status = status ? status : jw_scene_build(scene, &def, &world);
  if (status) {
    snprintf(error, JW_ERROR_SIZE, "%s", jw_scene_diagnostic(scene, 0).message);
  } else {
    status = jw_world_prepare(world);
    snprintf(error, JW_ERROR_SIZE, "%s", jw_world_error(world));
  }
  jw_world_destroy(world);
  jw_scene_destroy(scene);
  return status;
}

static JwStatus prepare_text(const char* text, char error[JW_ERROR_SIZE]) {
  return prepare_within(text, 1e18, error);
}

// From 23,171 points on a matrix of them has 2^32 bytes.
static void coupled_points_whose_matrix_wraps_32_bits_are_refused(void** state) {
  (void)state;
  static const unsigned points[] = {23171, 23172, 23173, 32769, 40001};
  for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
    char text[1024], error[JW_ERROR_SIZE];
    snprintf(
        text, sizeof text,
        "{\"jawari\":1,\"objects\":{\"a\":" STRING ",\"b\":" STRING
        "},\"contacts\":[{\"law\":\"collision\","
        "\"below\":\"a\",\"above\":\"b\",\"along\":true,\"stiffness\":1e5}],\"pickups\":[{\"at\":\"a@0.5\"}]}",
        points[i] + 1, points[i] - 1);
    assert_int_equal(prepare_text(text, error), JW_STATUS_BAD_SCENE);
    assert_non_null(strstr(error, "bytes of memory, must be at most"));
  }
}

// 4096 contacts along a string of 2^20 + 1 points have 2^32 + 4096 contact points.
static void contact_points_that_wrap_32_bits_are_refused(void** state) {
  (void)state;
  static const char text[] =
      "{\"jawari\":1,\"world\":{\"sample_rate\":1048579},\"objects\":{\"s\":{\"kind\":\"string\",\"length\":1,"
      "\"mass_per_length\":1,\"tension\":1,\"young\":0},\"b\":{\"kind\":\"barrier\",\"position\":-1}},"
      "\"contacts\":[{\"repeat\":{\"i\":4096},\"law\":\"collision\",\"below\":\"b\",\"above\":\"s\",\"along\":true,"
      "\"stiffness\":1e5}],\"pickups\":[{\"at\":\"s@0.5\"}]}";
  char error[JW_ERROR_SIZE];
  assert_int_equal(prepare_text(text, error), JW_STATUS_BAD_SCENE);
  assert_non_null(strstr(error, "contact points, must be at most 65536"));
  unsigned long long found = 0;
  assert_int_equal(sscanf(error, "the world would have %llu", &found), 1);
  assert_true(found > UINT32_MAX);
}

// ---------------------------------------------------------------- scenes

// 16384 modes and 32769 shapes are 2^32 + 2^17 bytes.
static void shapes_that_wrap_32_bits_are_refused(void** state) {
  (void)state;
  enum { MODES = 16384, SHAPES = 32769 };
  char* const text = (char*)malloc((size_t)8 * (2 * MODES + SHAPES));
  char* at = text;
  at += sprintf(at, "{\"jawari\":1,\"parameters\":{\"m\":[100,1,1],\"r\":[1");
  for (int i = 1; i < MODES; ++i) {
    at += sprintf(at, ",1");
  }
  at += sprintf(at, "]},\"objects\":{\"o\":{\"kind\":\"modal\",\"modes\":[\"$m\"");
  for (int i = 1; i < MODES; ++i) {
    at += sprintf(at, ",\"$m\"");
  }
  at += sprintf(at, "],\"shapes\":[\"$r\"");
  for (int i = 1; i < SHAPES; ++i) {
    at += sprintf(at, ",\"$r\"");
  }
  sprintf(at, "]}}}");
  char error[JW_ERROR_SIZE];
  assert_int_equal(prepare_text(text, error), JW_STATUS_BAD_SCENE);
  assert_non_null(strstr(error, "bytes of memory"));
  free(text);
}

// ---------------------------------------------------------------- limits of the reader, at run time

// 2 objects, 2 events, 2 pickups, 3 points of curves, 2 turns, 1 include; 7 keys at most, 5 levels.
static const char small_scene[] =
    "{\"jawari\":1,\"duration\":5,\"include\":\"more\",\"objects\":{\"m\":{\"kind\":\"mass\",\"mass\":1},\"b\":{\"kind\":\"barrier\"}},"
    "\"contacts\":[{\"law\":\"collision\",\"name\":\"c\",\"below\":\"b\",\"above\":\"m\",\"stiffness\":1e5,"
    "\"gap\":[[0,0],[1,0],[2,0]]}],\"score\":[{\"repeat\":{\"i\":2},\"throw\":\"m\",\"velocity\":1}],"
    "\"pickups\":[{\"at\":\"m\"},{\"contact\":\"c\"}]}";

static JwStatus read_more(void* user, const char* path, char* text, size_t* size) {
  (void)user;
  static const char more[] = "{\"jawari\":1}";
  assert_string_equal(path, "more");
  *size = sizeof more - 1;
  if (text) {
    memcpy(text, more, *size);
  }
  return JW_STATUS_OK;
}

static JwStatus parse_within(const JwSceneLimits* limits, char error[JW_ERROR_SIZE]) {
  JwSceneOptions options = jw_scene_options();
  options.read = read_more;
  options.limits = *limits;
  JwScene* scene = NULL;
  const JwStatus status = jw_scene_parse(small_scene, strlen(small_scene), &options, &scene);
  assert_non_null(scene);
  snprintf(error, JW_ERROR_SIZE, "%s",
           jw_scene_diagnostics(scene) ? jw_scene_diagnostic(scene, 0).message : "");
  if (!status) {
    assert_true(jw_scene_world(scene).max_operations == limits->operations);
  }
  jw_scene_destroy(scene);
  return status;
}

static void every_limit_of_the_reader_can_be_set(void** state) {
  (void)state;
  static const struct {
    size_t offset;
    uint64_t needs;
    const char* message;
  } cases[] = {
      {offsetof(JwSceneLimits, bytes), sizeof small_scene - 1, "bytes are too many: the most is"},
      {offsetof(JwSceneLimits, depth), 5, "nested deeper than 4"},
      {offsetof(JwSceneLimits, values), 38, "more than 37 values"},
      {offsetof(JwSceneLimits, members), 7, "more than 6 keys in one object"},
      {offsetof(JwSceneLimits, objects), 2, "more than 1 objects"},
      {offsetof(JwSceneLimits, events), 2, "more than 1 events"},
      {offsetof(JwSceneLimits, pickups), 2, "more than 1 pickups"},
      {offsetof(JwSceneLimits, curve_points), 3, "more than 2 points in all"},
      {offsetof(JwSceneLimits, turns), 2, "more than 1 turns"},
      {offsetof(JwSceneLimits, includes), 1, "at most 0 files can be included"},
  };
  char error[JW_ERROR_SIZE];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    JwSceneLimits limits = jw_scene_options().limits;
    uint64_t* const limit = (uint64_t*)(void*)((char*)&limits + cases[i].offset);
    *limit = cases[i].needs;
    if (parse_within(&limits, error)) {
      fail_msg("%s: %s", cases[i].message, error);
    }
    --*limit;
    assert_int_equal(parse_within(&limits, error), JW_STATUS_BAD_SCENE);
    if (!strstr(error, cases[i].message)) {
      fail_msg("%s: %s", cases[i].message, error);
    }
  }
  JwSceneLimits limits = jw_scene_options().limits;
  limits.duration = 4.0;
  assert_int_equal(parse_within(&limits, error), JW_STATUS_BAD_SCENE);
  assert_string_equal(error, "\"duration\" is 5, must be from 0.001 to 4");
  limits = jw_scene_options().limits;
  limits.operations = 10.0;
  assert_int_equal(parse_within(&limits, error), JW_STATUS_OK);
}

static void memory_while_reading_is_limited(void** state) {
  (void)state;
  static char text[2 * 10000 + 2]; // A list of 10,000 numbers: a megabyte of values
  memset(text, ',', sizeof text - 1);
  text[0] = '[', text[sizeof text - 2] = ']';
  for (size_t i = 1; i < sizeof text - 2; i += 2) {
    text[i] = '0';
  }
  text[sizeof text - 3] = '0';
  JwSceneOptions options = jw_scene_options();
  options.limits.memory = 100000;
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), &options, &scene), JW_STATUS_BAD_SCENE);
  assert_string_equal(jw_scene_diagnostic(scene, 0).message,
                      "reading this scene takes more than 100000 bytes of memory");
  jw_scene_destroy(scene);
}

static void a_limit_out_of_its_range_is_an_error(void** state) {
  (void)state;
  char error[JW_ERROR_SIZE];
  JwSceneLimits limits = jw_scene_options().limits;
  limits.bytes = 0;
  assert_int_equal(parse_within(&limits, error), JW_STATUS_BAD_SCENE);
  assert_string_equal(error, "the limit \"bytes\" is 0, must be from 1 to 1000000000");
  limits = jw_scene_options().limits;
  limits.pickups = JW_SCENE_MAX_PICKUPS + 1;
  assert_int_equal(parse_within(&limits, error), JW_STATUS_BAD_SCENE);
  assert_string_equal(error, "the limit \"pickups\" is 65, must be from 1 to 64");
  limits = jw_scene_options().limits;
  limits.duration = NAN;
  assert_int_equal(parse_within(&limits, error), JW_STATUS_BAD_SCENE);
  assert_string_equal(error, "the limit \"duration\" is nan, must be from 0.001 to 1e+06");
}

// ---------------------------------------------------------------- work

// Two strings on unequal grids: their points are one island.
static void coupled_strings(char* text, size_t size, unsigned points) {
  snprintf(
      text, size,
      "{\"jawari\":1,\"objects\":{\"a\":" STRING ",\"b\":" STRING
      "},\"contacts\":[{\"law\":\"collision\",\"gap\":-1e-4,"
      "\"below\":\"a\",\"above\":\"b\",\"along\":true,\"stiffness\":1e5}],\"pickups\":[{\"at\":\"a@0.5\"}]}",
      points + 1, points - 1);
}

static void more_work_a_sample_than_allowed_is_refused(void** state) {
  (void)state;
  char text[1024], error[JW_ERROR_SIZE];
  coupled_strings(text, sizeof text, 2000);
  assert_int_equal(prepare_within(text, jw_world_default().max_operations, error),
                   JW_STATUS_BAD_SCENE);
  assert_string_equal(error,
                      "the world would take 4.27e+10 operations a sample, must be at most 2e+09");
  coupled_strings(text, sizeof text, 100);
  assert_int_equal(prepare_within(text, jw_world_default().max_operations, error), JW_STATUS_OK);
  assert_int_equal(prepare_within(text, 1e6, error), JW_STATUS_BAD_SCENE);
}

// Every point of a bell of 10,000 modes is read and pushed through as many numbers; with a port
// that moves along a curve all of them are compared in every sample.
static void the_work_of_wide_ports_counts(void** state) {
  (void)state;
  enum { MODES = 10000, CONTACTS = 20 };
  static JwMode modes[MODES];
  static double shapes[MODES];
  JwWorld* const world = new_world(44100.0, false);
  for (int i = 0; i < MODES; ++i) {
    modes[i] = (JwMode){1.0 + i, 1.0, 1.0};
    shapes[i] = 1.0;
  }
  JwModalDef bell = jw_modal_default();
  bell.modes = modes, bell.mode_count = MODES, bell.shapes = shapes, bell.shape_count = 1;
  JwObjectId id;
  MUST(world, jw_world_add_modal(world, &bell, &id));
  JwCost cost;
  MUST(world, jw_world_cost(world, &cost));
  const double alone = cost.operations;
  for (int i = 0; i < CONTACTS; ++i) {
    JwCollisionDef def = jw_collision_default();
    def.below = jw_port(id, 0.0), def.above = jw_port(add_mass(world, 1.0, 1.0, 0.0), 0.0),
    def.stiffness = 1e5;
    MUST(world, jw_world_add_collision(world, &def, &(JwContactId){0}));
  }
  MUST(world, jw_world_cost(world, &cost));
  assert_true(cost.operations - alone
              > 4.0 * MODES * CONTACTS); // Reading and pushing, an addition and a product each
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- cancel

static void a_cancelled_run_is_silent_and_can_be_run_on(void** state) {
  (void)state;
  enum { FRAMES = 500 };
  static float first[ORCHESTRA_CHANNELS][FRAMES], again[ORCHESTRA_CHANNELS][FRAMES];
  float *out[ORCHESTRA_CHANNELS], *anew[ORCHESTRA_CHANNELS];
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    out[c] = first[c], anew[c] = again[c];
  }
  JwWorld* const plain = orchestra_make(false).world;
  JwWorld* const world = orchestra_make(false).world;
  assert_true(jw_world_channels(world) == ORCHESTRA_CHANNELS);
  MUST(plain, jw_world_run(plain, out, FRAMES));
  memset(again, 1, sizeof again);
  jw_world_cancel(world);
  assert_int_equal(jw_world_run(world, anew, FRAMES), JW_STATUS_CANCELLED);
  assert_string_equal(jw_world_error(world), "run was cancelled");
  assert_true(jw_world_frame(world) == 0);
  for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
    for (int i = 0; i < FRAMES; ++i) {
      assert_true(again[c][i] == 0.0f);
    }
  }
  MUST(world, jw_world_run(world, anew, FRAMES));
  assert_memory_equal(first, again, sizeof first);
  jw_world_destroy(world);
  jw_world_destroy(plain);
}

typedef struct {
  JwWorld* world;
  long delay; // ns
  _Atomic bool go;
} Canceller;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void* cancel_later(void* data) {
  Canceller* const canceller = (Canceller*)data;
  while (!atomic_load(&canceller->go)) {
  }
  const double start = now();
  while (now() - start < 1e-9 * (double)canceller->delay) {
  }
  jw_world_cancel(canceller->world);
  return NULL;
}

static JwWorld* build_text(const char* text) {
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), &options, &scene), JW_STATUS_OK);
  const JwWorldDef def = jw_scene_world(scene);
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_OK);
  jw_scene_destroy(scene);
  return world;
}

// An hour of a world at its limit of work would take days.
static void a_run_from_another_thread_is_cancelled_soon(void** state) {
  (void)state;
  char text[1024];
  coupled_strings(text, sizeof text, 700);
  Canceller canceller = {build_text(text), 20000000, true};
  MUST(canceller.world, jw_world_prepare(canceller.world));
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, cancel_later, &canceller), 0);
  const double start = now();
  assert_int_equal(jw_world_run(canceller.world, NULL, 3600 * 44100), JW_STATUS_CANCELLED);
  assert_true(now() - start < 20.0); // One sample under sanitizers on a loaded machine, and some
  pthread_join(thread, NULL);
  assert_true(jw_world_frame(canceller.world) < 3600 * 44100);
  jw_world_destroy(canceller.world);
}

// Wherever prepare is cancelled, it can be called again and gives the same world.
static void a_cancelled_prepare_leaves_the_world_as_it_was(void** state) {
  (void)state;
  static Recording wanted, found;
  Orchestra plain = orchestra_make(false);
  orchestra_play(&plain, &wanted, 400, 64, 1);
  Orchestra tried = orchestra_define(new_world(44100.0, false));
  jw_world_cancel(tried.world);
  assert_int_equal(jw_world_prepare(tried.world), JW_STATUS_CANCELLED);
  assert_string_equal(jw_world_error(tried.world), "prepare was cancelled");
  jw_world_destroy(tried.world);
  int cancelled = 0;
  for (int turn = 0; turn < 200; ++turn) { // Later and later, from its start to beyond its end
    tried = orchestra_define(new_world(44100.0, false));
    Canceller canceller = {tried.world, 200 * turn, false};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, &canceller), 0);
    atomic_store(&canceller.go, true);
    const JwStatus status = jw_world_prepare(tried.world);
    pthread_join(thread, NULL);
    if (status) {
      assert_int_equal(status, JW_STATUS_CANCELLED);
      MUST(tried.world, jw_world_prepare(tried.world));
    } else { // It came late and waits for the next call
      assert_int_equal(jw_world_run(tried.world, NULL, 1), JW_STATUS_CANCELLED);
    }
    cancelled += status == JW_STATUS_CANCELLED;
    orchestra_play(&tried, &found, 400, 64, 1);
    for (int c = 0; c < ORCHESTRA_CHANNELS; ++c) {
      assert_memory_equal(wanted.sample[c], found.sample[c], 400 * sizeof(double));
    }
    jw_world_destroy(tried.world);
  }
  print_message("# cancelled %d times of 200 before it was done\n", cancelled);
  jw_world_destroy(plain.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_stay_at_the_most_where_they_would_wrap),
      cmocka_unit_test(an_arena_counts_beyond_the_machine),
      cmocka_unit_test(an_array_that_no_memory_holds_is_not_taken),
      cmocka_unit_test(coupled_points_whose_matrix_wraps_32_bits_are_refused),
      cmocka_unit_test(contact_points_that_wrap_32_bits_are_refused),
      cmocka_unit_test(shapes_that_wrap_32_bits_are_refused),
      cmocka_unit_test(every_limit_of_the_reader_can_be_set),
      cmocka_unit_test(memory_while_reading_is_limited),
      cmocka_unit_test(a_limit_out_of_its_range_is_an_error),
      cmocka_unit_test(more_work_a_sample_than_allowed_is_refused),
      cmocka_unit_test(the_work_of_wide_ports_counts),
      cmocka_unit_test(a_cancelled_run_is_silent_and_can_be_run_on),
      cmocka_unit_test(a_run_from_another_thread_is_cancelled_soon),
      cmocka_unit_test(a_cancelled_prepare_leaves_the_world_as_it_was),
  };
  return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
