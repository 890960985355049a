// SPDX-License-Identifier: MIT
// Numbers have a point, whatever the locale of the program that reads them.  Run by locale.sh in
// one with a comma; without it, in the one that there is.

#include "base/number.h"
#include "play.h"
#include "test.h"

#include <jawari/builtin.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void a_printed_number_has_the_locales_point(void** state) {
  (void)state;
  char text[16];
  snprintf(text, sizeof text, "%g", 0.5);
  print_message("# 0.5 is printed as %s\n", text);
  assert_string_equal(localeconv()->decimal_point, text[1] == ',' ? "," : ".");
}

static void numbers_are_read_and_written_with_a_point(void** state) {
  (void)state;
  static const struct {
    const char* text;
    size_t length;
    double value;
  } cases[] = {
      {"701.955", 7, 701.955},
      {"-0.25e-3x", 8, -0.25e-3},
      {"+12", 3, 12.0},
      {"100.", 4, 100.0},
      {".5", 2, 0.5},
      {"1,5", 1, 1.0},
      {"3e", 1, 3.0},
      {"3e+", 1, 3.0},
      {"0", 1, 0.0},
      {"1e-400", 6, 0.0},
      {"", 0, 7.0},
      {"-", 0, 7.0},
      {".", 0, 7.0},
      {"inf", 0, 7.0},
      {"1e400", 0, 7.0},
      {"0.1e99999999999999999999", 0, 7.0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    double value = 7.0;
    assert_int_equal(jw_number_read(cases[i].text, &value), cases[i].length);
    assert_true(value == cases[i].value);
  }
  assert_int_equal(jw_number_read(NULL, NULL), 0);
  assert_int_equal(jw_number_read("2.5", NULL), 3);
  static const struct {
    double value;
    const char* text;
  } written[] = {
      {0.5, "0.5"}, {-1234.0, "-1234"}, {1e-9, "1e-09"}, {-2.5e300, "-2.5e+300"}, {0.1, "0.1"}};
  for (size_t i = 0; i < sizeof written / sizeof written[0]; ++i) {
    char text[32];
    assert_int_equal(jw_number_write(written[i].value, text, sizeof text), strlen(written[i].text));
    assert_string_equal(text, written[i].text);
  }
}

static void a_scale_is_read_to_the_cent(void** state) {
  (void)state;
  char error[JW_ERROR_SIZE] = "";
  JwTuning tuning;
  assert_int_equal(
      jw_tuning_parse("a fifth\n1\n701.955\n", "0\n0\n127\n60\n60\n261.5\n0\n", &tuning, error),
      JW_STATUS_OK);
  assert_true(fabs(tuning.frequency[60] - 261.5) < 1e-9);
  assert_true(fabs(tuning.frequency[61] / tuning.frequency[60] - 1.5)
              < 1e-6); // 701 cents would be 0.0008 off
}

static void notes_and_places_in_texts_have_points(void** state) {
  (void)state;
  assert_true(fabs(jw_note_frequency("A4+50.5") - 440.0 * exp2(50.5 / 1200.0)) < 1e-9);
  static const char text[] =
      "{\"jawari\": 1, \"parameters\": {\"x\": 0.25}, \"objects\": {\"s\": {\"kind\": \"string\", \"length\": 0.5, \"frequency\": 200}},"
      "\"pickups\": [{\"name\": \"p\", \"at\": \"s@$x\"}]}";
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), NULL, &scene), JW_STATUS_OK);
  assert_int_equal(jw_scene_build(scene, NULL, &world), JW_STATUS_OK);
  assert_true(jw_world_pickup_info(world, jw_scene_find(scene, "p").pickup).port.x == 0.25);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
}

static void every_scene_with_a_play_section_can_be_played(void** state) {
  (void)state;
  uint32_t count = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  for (uint32_t i = 0; i < count; ++i) {
    JwScene* scene = NULL;
    JwWorld* world = NULL;
    JwPlayer* player = NULL;
    char error[JW_ERROR_SIZE] = "";
    assert_int_equal(jw_builtin_load(scenes[i].name, NULL, &scene), JW_STATUS_OK);
    if (!jw_scene_play(scene).given) {
      jw_scene_destroy(scene);
      continue;
    }
    jw_scene_mute(scene);
    assert_int_equal(jw_scene_build(scene, NULL, &world), JW_STATUS_OK);
    assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
    const JwPlayerDef def = {scene, world, NULL};
    if (jw_player_create(&def, &player, error)) {
      fail_msg("%s: %s", scenes[i].name, error);
    }
    jw_player_destroy(player);
    jw_world_destroy(world);
    jw_scene_destroy(scene);
  }
}

int main(void) {
  if (!setlocale(LC_ALL, "")) {
    fprintf(stderr, "there is no such locale\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_printed_number_has_the_locales_point),
      cmocka_unit_test(numbers_are_read_and_written_with_a_point),
      cmocka_unit_test(a_scale_is_read_to_the_cent),
      cmocka_unit_test(notes_and_places_in_texts_have_points),
      cmocka_unit_test(every_scene_with_a_play_section_can_be_played),
  };
  return cmocka_run_group_tests_name("locale", tests, NULL, NULL);
}
