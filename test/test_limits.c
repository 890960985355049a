// Limits: sizes that do not fit are refused on every machine, before anything is taken.  Run as 32 bit too
// (scripts/elsewhere.sh i686), where a size_t is soon full.

#include "base/arena.h"
#include "base/list.h"
#include "scene/pool.h"
#include "test.h"

#include <jawari/scene.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- sums and products

static void sizes_stay_at_the_most_where_they_would_wrap(void** state)
{
  (void)state;
  assert_true(jw_size_sum(3, 4) == 7 && jw_size_product(3, 4) == 12 && jw_size_product(0, UINT64_MAX) == 0);
  assert_true(jw_size_product(UINT64_MAX, 0) == 0 && jw_size_product(1, UINT64_MAX) == UINT64_MAX);
  assert_true(jw_size_sum(UINT64_MAX, 1) == UINT64_MAX && jw_size_sum(UINT64_MAX - 1, 1) == UINT64_MAX);
  assert_true(jw_size_product(UINT64_C(1) << 32, UINT64_C(1) << 32) == UINT64_MAX);
  assert_true(jw_size_product((UINT64_C(1) << 33) + 1, UINT64_C(1) << 31) == UINT64_MAX);
  size_t bytes;
  assert_true(jw_size_of(5, 8, &bytes) && bytes == 40);
  assert_true(!jw_size_of(UINT64_C(1) << 61, 8, &bytes) && !jw_size_of(SIZE_MAX, 2, &bytes));
}

static void an_arena_counts_beyond_the_machine(void** state)
{
  (void)state;
  JwArena arena = {NULL, 0};
  assert_null(JW_TAKE(&arena, UINT64_C(23172) * 23172, double));
  assert_true(arena.used == (UINT64_C(23172) * 23172 * 8 + 63) / 64 * 64); // Above 2^32
  assert_null(JW_TAKE(&arena, UINT64_MAX / 8, double));
  assert_null(JW_TAKE(&arena, 1, double));
  assert_true(arena.used >= UINT64_MAX - 64); // And stays there
}

static void an_array_that_no_memory_holds_is_not_taken(void** state)
{
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
#define STRING "{\"kind\":\"string\",\"length\":1,\"mass_per_length\":1,\"tension\":1,\"young\":0,\"points\":%u}"

static JwStatus prepare_text(const char* text, char error[JW_ERROR_SIZE])
{
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  JwStatus status = jw_scene_parse(text, strlen(text), &options, &scene);
  assert_non_null(scene);
  const JwWorldDef def = jw_scene_world(scene);
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

// From 23,171 points on a matrix of them has 2^32 bytes.
static void coupled_points_whose_matrix_wraps_32_bits_are_refused(void** state)
{
  (void)state;
  static const unsigned points[] = {23171, 23172, 23173, 32769, 40001};
  for (size_t i = 0; i < sizeof points / sizeof points[0]; ++i) {
    char text[1024], error[JW_ERROR_SIZE];
    snprintf(text, sizeof text,
             "{\"jawari\":1,\"objects\":{\"a\":" STRING ",\"b\":" STRING "},\"contacts\":[{\"law\":\"collision\","
             "\"below\":\"a\",\"above\":\"b\",\"along\":true,\"stiffness\":1e5}],\"pickups\":[{\"at\":\"a@0.5\"}]}",
             points[i] + 1, points[i] - 1);
    assert_int_equal(prepare_text(text, error), JW_STATUS_BAD_SCENE);
    assert_non_null(strstr(error, "bytes of memory, must be at most"));
  }
}

// 4096 contacts along a string of 2^20 + 1 points have 2^32 + 4096 contact points.
static void contact_points_that_wrap_32_bits_are_refused(void** state)
{
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
static void shapes_that_wrap_32_bits_are_refused(void** state)
{
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

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(sizes_stay_at_the_most_where_they_would_wrap),
    cmocka_unit_test(an_arena_counts_beyond_the_machine),
    cmocka_unit_test(an_array_that_no_memory_holds_is_not_taken),
    cmocka_unit_test(coupled_points_whose_matrix_wraps_32_bits_are_refused),
    cmocka_unit_test(contact_points_that_wrap_32_bits_are_refused),
    cmocka_unit_test(shapes_that_wrap_32_bits_are_refused),
  };
  return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
