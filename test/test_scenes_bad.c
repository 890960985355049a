// SPDX-License-Identifier: MIT
// Every scene of test/scenes_bad is refused, and every one of test/scenes_doubtful is warned of,
// with exactly the words of the .txt beside it.  Each file is a test of its own.  argv[1] is the
// folder.

#include "test.h"

#include <jawari/scene.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 512

static char names[MOST][128];

static void read_all(const char* path, char* text, size_t size) {
  FILE* const file = fopen(path, "rb");
  assert_non_null(file); // A scene without its expected message is a failure
  const size_t count = fread(text, 1, size - 1, file);
  fclose(file);
  text[count] = '\0';
}

static void is_refused_with_these_words(void** state) {
  const char* const name = (const char*)*state;
  static char expected[65536], found[65536], path[160];
  snprintf(path, sizeof path, "%s.txt", name);
  read_all(path, expected, sizeof expected);
  snprintf(path, sizeof path, "%s.json", name);
  JwScene* scene = NULL;
  JwStatus status = jw_scene_load(path, NULL, &scene);
  assert_non_null(scene);
  if (!status) { // Well written, but the engine refuses it
    const JwWorldDef def = jw_scene_world(scene);
    JwWorld* world = NULL;
    status = jw_scene_build(scene, &def, &world);
    assert_null(world);
  }
  assert_int_equal(status, JW_STATUS_BAD_SCENE);
  size_t used = 0;
  for (uint32_t i = 0; i < jw_scene_diagnostics(scene); ++i) {
    const JwDiagnostic diagnostic = jw_scene_diagnostic(scene, i);
    used += jw_diagnostic_format(&diagnostic, found + used, sizeof found - used);
    assert_true(used < sizeof found);
  }
  jw_scene_destroy(scene);
  assert_true(used > 0);
  assert_string_equal(found, expected);
}

static void is_doubted_with_these_words(void** state) {
  const char* const name = (const char*)*state;
  static char expected[65536], found[65536], path[160];
  snprintf(path, sizeof path, "%s.txt", name);
  read_all(path, expected, sizeof expected);
  snprintf(path, sizeof path, "%s.json", name);
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_load(path, NULL, &scene), JW_STATUS_OK);
  const JwWorldDef def = jw_scene_world(scene);
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  size_t used = 0;
  for (int again = 0; again < 2; ++again) { // A second look finds the same, not more
    jw_scene_warn(scene, world);
    used = 0;
    for (uint32_t i = 0; i < jw_scene_warnings(scene); ++i) {
      const JwDiagnostic diagnostic = jw_scene_warning(scene, i);
      assert_true(diagnostic.warning);
      used += jw_diagnostic_format(&diagnostic, found + used, sizeof found - used);
      assert_true(used < sizeof found);
    }
  }
  jw_world_destroy(world);
  jw_scene_destroy(scene);
  assert_true(used > 0);
  assert_string_equal(found, expected);
}

static int by_name(const void* a, const void* b) {
  return strcmp((const char*)a, (const char*)b);
}

int main(int count, char** arguments) {
  if (count != 2 || chdir(arguments[1]) != 0) {
    fprintf(stderr, "usage: test_scenes_bad FOLDER\n");
    return 2;
  }
  size_t found = 0;
  DIR* const folder = opendir(".");
  for (const struct dirent* entry = readdir(folder); entry && found < MOST;
       entry = readdir(folder)) {
    const char* const dot = strrchr(entry->d_name, '.');
    if (dot && strcmp(dot, ".json") == 0) {
      snprintf(names[found++], sizeof names[0], "%.*s", (int)(dot - entry->d_name), entry->d_name);
    }
  }
  closedir(folder);
  const bool bad = strstr(arguments[1], "scenes_bad") != NULL;
  if (found < (bad ? 60 : 8)) {
    fprintf(stderr, "only %zu scenes\n", found);
    return 1;
  }
  qsort(names, found, sizeof names[0], by_name);
  static struct CMUnitTest tests[MOST];
  for (size_t i = 0; i < found; ++i) {
    tests[i] = (struct CMUnitTest){names[i],
                                   bad ? is_refused_with_these_words : is_doubted_with_these_words,
                                   NULL, NULL, names[i]};
  }
  return _cmocka_run_group_tests("scenes_bad", tests, found, NULL, NULL);
}
