// SPDX-License-Identifier: MIT
// Instruments: what a host gets from <jawari/play.h>, and nothing else.

#include "test.h"

#include <jawari/builtin.h>
#include <jawari/play.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES 6000

// Two strings, one bowed, with a pedal of a finger's weight; fades within a tenth of a second.
static const char* const small =
    "{ \"jawari\": 1, \"title\": \"Small\", \"fade\": 0, \"world\": { \"sample_rate\": 22050 },\n"
    "  \"objects\": {\n"
    "    \"s\": { \"kind\": \"string\", \"length\": 0.6, \"radius\": 3e-4, \"material\": \"nylon\",\n"
    "           \"frequency\": \"A3\", \"bend\": 2, \"loss\": [60, 1e-3], \"points\": 16 },\n"
    "    \"t\": { \"kind\": \"string\", \"length\": 0.5, \"radius\": 3e-4, \"material\": \"nylon\",\n"
    "           \"frequency\": \"E4\", \"bend\": 2, \"loss\": [60, 1e-3], \"points\": 16 } },\n"
    "  \"score\": [ { \"bow\": \"s@0.12\", \"name\": \"one\", \"force\": 0.2, \"speed\": 0.15, \"until\": 0.1 },\n"
    "             { \"bow\": \"t@0.12\", \"name\": \"two\", \"force\": 0.2, \"speed\": 0.15, \"until\": 0.1 } ],\n"
    "  \"pickups\": [ { \"at\": \"s@0.9\", \"name\": \"ear\", \"pan\": -0.5, \"gain\": \"auto\" },\n"
    "               { \"at\": \"t@0.9\", \"pan\": 0.5 } ],\n"
    "  \"play\": { \"mode\": \"poly\", \"voices\": [ { \"bow\": \"one\" }, { \"bow\": \"two\" } ],\n"
    "    \"controls\": [ { \"from\": \"mod\", \"to\": \"ear.gain\", \"range\": [3, 0.5] },\n"
    "                  { \"from\": \"breath\", \"to\": \"ear.gain\", \"range\": [0, 1] },\n"
    "                  { \"from\": \"pressure\", \"to\": \"voice.force\", \"range\": [0.1, 0.4] } ] } }\n";

static JwInstrumentDef small_def(void) {
  JwInstrumentDef def = jw_instrument_default();
  def.text = small;
  def.size = strlen(small);
  def.gain = 1.0;
  return def;
}

static JwInstrument* make(const JwInstrumentDef* def) {
  JwInstrument* instrument = NULL;
  const JwStatus status = jw_instrument_create(def, &instrument);
  if (status) {
    print_message("# %s\n", jw_instrument_error(instrument));
  }
  assert_int_equal(status, JW_STATUS_OK);
  return instrument;
}

static const JwPlayerEvent song[] = {{0, {0x90, 57, 90}, 3},     {700, {0xe0, 0, 80}, 3},
                                     {1000, {0x90, 64, 100}, 3}, {1001, {0xb0, 1, 30}, 3},
                                     {2500, {0xd0, 100, 0}, 2},  {3000, {0x80, 57, 0}, 3},
                                     {4111, {0x80, 64, 0}, 3}};
#define EVENTS (uint32_t)(sizeof song / sizeof *song)

// The song in blocks of `size` frames.
static void play(JwInstrument* instrument, uint32_t size, float* left, float* right) {
  uint32_t next = 0;
  for (uint32_t at = 0; at < FRAMES; at += size) {
    const uint32_t count = FRAMES - at < size ? FRAMES - at : size;
    JwPlayerEvent events[EVENTS];
    uint32_t due = 0;
    for (; next < EVENTS && song[next].frame < at + count; ++next) {
      events[due] = song[next];
      events[due++].frame -= at;
    }
    float* const out[2] = {left + at, right + at};
    const JwPlayerBlock block = {out, NULL, count, events, due};
    assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  }
}

static double peak_of(const float* samples, uint32_t count) {
  double peak = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    peak = fmax(peak, fabs((double)samples[i]));
  }
  return peak;
}

// ---------------------------------------------------------------- samples

static float left[4][FRAMES], right[4][FRAMES];

static void blocks_of_any_size_give_the_same_samples(void** state) {
  (void)state;
  static const uint32_t sizes[] = {FRAMES, 1, 64, 333};
  for (uint32_t oversample = 1; oversample <= 3; oversample += 2) {
    for (int i = 0; i < 4; ++i) {
      JwInstrumentDef def = small_def();
      def.oversample = oversample;
      JwInstrument* const instrument = make(&def);
      play(instrument, sizes[i], left[i], right[i]);
      assert_memory_equal(left[0], left[i], sizeof left[0]);
      assert_memory_equal(right[0], right[i], sizeof right[0]);
      assert_int_equal(jw_instrument_figures(instrument).notes, 2);
      assert_int_equal(jw_instrument_figures(instrument).dropped, 0);
      jw_instrument_destroy(instrument);
    }
    assert_true(peak_of(left[0], FRAMES) > 1e-3);
  }
}

static void after_a_reset_it_plays_the_same_again(void** state) {
  (void)state;
  JwInstrumentDef def = small_def();
  def.oversample = 2;
  JwInstrument* const instrument = make(&def);
  play(instrument, 100, left[0], right[0]);
  jw_instrument_reset(instrument);
  assert_int_equal(jw_instrument_figures(instrument).notes, 0);
  play(instrument, 100, left[1], right[1]);
  assert_memory_equal(left[0], left[1], sizeof left[0]);
  jw_instrument_destroy(instrument);
}

static JwSong as_song(JwSongEvent events[EVENTS], double rate) {
  for (uint32_t i = 0; i < EVENTS; ++i) {
    events[i] = (JwSongEvent){song[i].frame / rate, {0}, song[i].size};
    memcpy(events[i].data, song[i].data, 3);
  }
  return (JwSong){events, EVENTS, FRAMES / rate};
}

// Live comes later by the filter's reach, and is otherwise what is rendered at once.
static void live_is_what_is_rendered_later_by_the_latency(void** state) {
  (void)state;
  static double whole[2][FRAMES];
  for (uint32_t oversample = 1; oversample <= 4; oversample += 3) {
    JwInstrumentDef def = small_def();
    def.oversample = oversample;
    JwInstrument* const instrument = make(&def);
    const uint32_t latency = jw_instrument_info(instrument).latency;
    assert_int_equal(latency, oversample > 1 ? 40 : 0);
    play(instrument, 128, left[0], right[0]);
    JwSongEvent events[EVENTS];
    const JwSong notes = as_song(events, 22050.0);
    double gain = 0.0;
    const JwRendering rendering = {(double* [2]){whole[0], whole[1]}, FRAMES, &notes};
    assert_int_equal(jw_instrument_render(instrument, &rendering, &gain), JW_STATUS_OK);
    assert_true(gain == 1.0);
    for (uint32_t n = 0; n < FRAMES; ++n) {
      assert_true((double)left[0][n] == (n < latency ? 0.0 : whole[0][n - latency]));
    }
    jw_instrument_destroy(instrument);
  }
}

// A scene's own score, without an instrument.
static void a_score_has_the_samples_of_its_world(void** state) {
  (void)state;
  static double whole[2][FRAMES], plain[2][FRAMES];
  JwScene* scene = NULL;
  JwWorld* world = NULL;
  assert_int_equal(jw_scene_parse(small, strlen(small), NULL, &scene), JW_STATUS_OK);
  JwWorldDef world_def = jw_scene_world(scene);
  world_def.channels = 2;
  assert_int_equal(jw_scene_build(scene, &world_def, &world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  double* const out[2] = {plain[0], plain[1]};
  assert_int_equal(jw_world_run_double(world, out, FRAMES), JW_STATUS_OK);

  JwInstrumentDef def = small_def();
  def.score = true;
  def.gain = JW_UNSET;
  JwInstrument* const instrument = make(&def);
  double gain = 0.0, peak = 0.0;
  const JwRendering rendering = {(double* [2]){whole[0], whole[1]}, FRAMES, NULL};
  assert_int_equal(jw_instrument_render(instrument, &rendering, &gain), JW_STATUS_OK);
  for (uint32_t n = 0; n < FRAMES; ++n) {
    assert_true(whole[0][n] == (double)(float)(gain * plain[0][n]));
    assert_true(whole[1][n] == (double)(float)(gain * plain[1][n]));
    peak = fmax(peak, fmax(fabs(whole[0][n]), fabs(whole[1][n])));
  }
  assert_true(fabs(peak - pow(10.0, -0.05)) < 1e-6); // -1 dB, rounded to float
  assert_int_equal(jw_instrument_info(instrument).voices, 0);
  jw_instrument_destroy(instrument);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
}

// The last fifth falls as t^2 (3 - 2 t): a half of it in its middle.
// Keys that are pressed meanwhile are not for it.
static void a_scene_that_plays_its_score_takes_no_keys(void** state) {
  (void)state;
  static const char text[] =
      "{ \"jawari\": 1, \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 0.6, \"radius\": 3e-4,"
      " \"frequency\": \"A3\", \"bend\": 2, \"loss\": [1, 1e-3] } }, \"score\": [ { \"pluck\": \"s@0.3\", \"name\": \"a\" },"
      " { \"note\": \"A3\" } ], \"pickups\": [ { \"at\": \"s@0.9\" } ] }";
  static float sound[2][2][2000];
  const JwPlayerEvent key = {500, {0x90, 60, 100}, 3};
  for (uint32_t k = 0; k < 2; ++k) {
    JwInstrumentDef def = jw_instrument_default();
    JwInstrument* instrument = NULL;
    def.text = text, def.size = sizeof text - 1, def.score = true,
    def.channels = JW_CHANNELS_STEREO;
    assert_int_equal(jw_instrument_create(&def, &instrument), JW_STATUS_OK);
    float* const out[2] = {sound[k][0], sound[k][1]};
    const JwPlayerBlock block = {out, NULL, 2000, &key, k};
    assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
    jw_instrument_destroy(instrument);
  }
  assert_true(sound[0][0][1999] != 0.0f);
  assert_memory_equal(sound[0], sound[1], sizeof sound[0]);
}

static void a_rendering_fades_as_its_scene_says(void** state) {
  (void)state;
  static double plain[2][FRAMES], faded[2][FRAMES];
  const char* const sets[] = {"fade=0.054421768707483"}; // 1200 frames
  JwSceneOptions options = jw_scene_options();
  options.read = jw_builtin_read;
  options.sets = sets;
  JwInstrumentDef def = small_def();
  def.score = true;
  def.options = &options;
  for (uint32_t i = 0; i < 2; ++i) {
    options.set_count = i;
    JwInstrument* const instrument = make(&def);
    double(*const out)[FRAMES] = i ? faded : plain;
    const JwRendering rendering = {(double* [2]){out[0], out[1]}, FRAMES, NULL};
    assert_int_equal(jw_instrument_render(instrument, &rendering, NULL), JW_STATUS_OK);
    jw_instrument_destroy(instrument);
  }
  assert_memory_equal(plain[0], faded[0], 4800 * sizeof(double));
  assert_true(plain[0][5400] != 0.0 && faded[0][FRAMES - 1] != 0.0);
  // Both were rounded to floats
  assert_true(fabs(faded[0][5400] / plain[0][5400] - 0.5) < 1e-6);
  assert_true(fabs(faded[0][FRAMES - 1] / plain[0][FRAMES - 1]) < 3.0 / 1200.0 / 1200.0 * 1.01);
}

// ---------------------------------------------------------------- what a host adds

static JwStatus add_hand(void* user, JwScene* scene, JwWorld* world) {
  JwForceDef hand = jw_force_default();
  hand.port = jw_port(jw_scene_find(scene, "s").object, 0.3);
  hand.amplitude = 0.0;
  return jw_world_add_force(world, &hand, (JwExciterId*)user);
}

static JwStatus add_nothing_good(void* user, JwScene* scene, JwWorld* world) {
  (void)user;
  (void)scene;
  JwForceDef hand = jw_force_default();
  return jw_world_add_force(world, &hand, NULL); // On nothing
}

static void a_host_may_add_a_hand(void** state) {
  (void)state;
  JwExciterId hand = {0};
  JwInstrumentDef def = small_def();
  JwInstrument* const alone = make(&def);
  play(alone, 100, left[0], right[0]);
  jw_instrument_destroy(alone);

  def.extend = add_hand;
  def.user = &hand;
  JwInstrument* const instrument = make(&def);
  assert_int_equal(jw_instrument_info(instrument).voices, 2);
  play(instrument, 100, left[1], right[1]);
  assert_memory_equal(left[0], left[1], sizeof left[0]); // A hand that does nothing changes nothing
  jw_instrument_reset(instrument);
  assert_int_equal(jw_world_trigger(jw_instrument_world(instrument), hand, 1.0), JW_STATUS_OK);
  const JwPlayerBlock block = {(float* [2]){left[1], right[1]}, NULL, FRAMES, NULL, 0};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  assert_true(peak_of(left[1], FRAMES) > 1e-3);
  jw_instrument_destroy(instrument);
}

static void what_a_host_adds_wrongly_is_said(void** state) {
  (void)state;
  JwInstrumentDef def = small_def();
  def.extend = add_nothing_good;
  JwInstrument* instrument = NULL;
  assert_int_not_equal(jw_instrument_create(&def, &instrument), JW_STATUS_OK);
  assert_true(strlen(jw_instrument_error(instrument)) > 10);
  jw_instrument_destroy(instrument);
}

// ---------------------------------------------------------------- level

static void a_trial_brings_notes_to_a_good_level(void** state) {
  (void)state;
  JwInstrumentDef def = jw_instrument_default();
  def.name = "guitar";
  JwInstrument* const instrument = make(&def);
  static float sound[2][22050];
  const JwPlayerEvent on = {0, {0x90, 60, 100}, 3};
  const JwPlayerBlock block = {(float* [2]){sound[0], sound[1]}, NULL, 22050, &on, 1};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  const double peak = fmax(peak_of(sound[0], 22050), peak_of(sound[1], 22050));
  print_message("# peak %.3f, gain %.3g\n", peak, jw_instrument_info(instrument).gain);
  // The loudest of the trial has 0.5: this key was one of them, on strings that were not still
  assert_true(peak > 0.1 && peak < 1.0);
  jw_instrument_destroy(instrument);
}

static void it_rests_when_all_is_still(void** state) {
  (void)state;
  for (uint32_t oversample = 1; oversample <= 2; ++oversample) {
    JwInstrumentDef def = small_def();
    def.oversample = oversample;
    JwInstrument* const instrument = make(&def);
    const JwPlayerBlock first = {NULL, NULL, 2000, NULL, 0};
    assert_int_equal(jw_instrument_run(instrument, &first), JW_STATUS_OK);
    assert_true(jw_instrument_rests(instrument)); // Never played
    play(instrument, 64, left[0], right[0]);
    assert_false(jw_instrument_rests(instrument));
    const JwPlayerBlock block = {(float* [2]){left[0], right[0]}, NULL, FRAMES, NULL, 0};
    int blocks = 0;
    for (; blocks < 40 && !jw_instrument_rests(instrument); ++blocks) {
      assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
    }
    assert_true(blocks < 40); // 60 1/s: to the floor within a few seconds
    assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
    assert_true(peak_of(left[0], FRAMES) == 0.0 && peak_of(right[0], FRAMES) == 0.0);
    const JwPlayerEvent on = {0, {0x90, 57, 90}, 3};
    const JwPlayerBlock again = {(float* [2]){left[0], right[0]}, NULL, FRAMES, &on, 1};
    assert_int_equal(jw_instrument_run(instrument, &again), JW_STATUS_OK);
    assert_false(jw_instrument_rests(instrument));
    assert_true(peak_of(left[0], FRAMES) > 0.0);
    jw_instrument_destroy(instrument);
  }
}

// ---------------------------------------------------------------- controls, voices, tunings

static void controls_have_names_units_and_ranges(void** state) {
  (void)state;
  const JwInstrumentDef def = small_def();
  JwInstrument* const instrument = make(&def);
  assert_int_equal(jw_instrument_info(instrument).controls, 2); // One target twice
  const JwInstrumentControl gain = jw_instrument_control(instrument, 0),
                            force = jw_instrument_control(instrument, 1);
  assert_string_equal(gain.name, "ear.gain");
  assert_string_equal(gain.source, "mod");
  assert_string_equal(gain.unit, "");
  assert_true(gain.minimum == 0.5 && gain.maximum == 3.0 && gain.initial == 1.0);
  assert_string_equal(force.name, "voice.force");
  assert_string_equal(force.unit, "N");
  assert_true(force.minimum == 0.1 && force.maximum == 0.4);

  double value = 0.0;
  assert_int_equal(jw_instrument_set(instrument, 0, 2.5, 0.0), JW_STATUS_OK);
  play(instrument, FRAMES, left[0], right[0]); // Its cc1 at 1001 moves it: 3 - 2.5 x 30/127
  assert_int_equal(jw_instrument_get(instrument, 0, &value), JW_STATUS_OK);
  assert_true(fabs(value - (3.0 - 2.5 * 30.0 / 127.0)) < 1e-12);
  assert_int_equal(jw_instrument_set(instrument, 0, 3.5, 0.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_instrument_set(instrument, 0, (double)NAN, 0.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_instrument_set(instrument, 0, 1.0, -1.0), JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_instrument_set(instrument, 2, 1.0, 0.0), JW_STATUS_BAD_REFERENCE);
  assert_int_equal(jw_instrument_set(instrument, 1, 0.3, 0.0), JW_STATUS_OK);
  assert_int_equal(jw_instrument_get(instrument, 1, &value), JW_STATUS_OK);
  assert_true(value == 0.3);
  jw_instrument_destroy(instrument);
}

static double bow_force(JwInstrument* instrument, const char* name) {
  const JwTarget target = {.control = JW_CONTROL_FORCE,
                           .contact = jw_scene_find(jw_instrument_scene(instrument), name).contact};
  double value = -1.0;
  assert_int_equal(jw_world_get(jw_instrument_world(instrument), target, &value), JW_STATUS_OK);
  return value;
}

// With one voice allowed the first bow leaves its string when the second note comes.
static void no_more_voices_sound_than_are_allowed(void** state) {
  (void)state;
  for (uint32_t most = 0; most <= 1; ++most) {
    JwInstrumentDef def = small_def();
    def.voices = most;
    JwInstrument* const instrument = make(&def);
    const JwPlayerEvent events[2] = {{0, {0x90, 57, 90}, 3}, {3000, {0x90, 64, 90}, 3}};
    const JwPlayerBlock block = {(float* [2]){left[0], right[0]}, NULL, FRAMES, events, 2};
    assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
    assert_true((bow_force(instrument, "one") > 0.0) == (most == 0));
    assert_true(bow_force(instrument, "two") > 0.0);
    jw_instrument_destroy(instrument);
  }
}

static void a_tuning_may_leave_keys_out(void** state) {
  (void)state;
  const JwInstrumentDef def = small_def();
  JwInstrument* const instrument = make(&def);
  JwTuning tuning = jw_tuning_equal();
  tuning.frequency[57] = (double)NAN;
  jw_instrument_tune(instrument, &tuning);
  play(instrument, FRAMES, left[0], right[0]);
  assert_int_equal(jw_instrument_figures(instrument).unplayed, 1);
  jw_instrument_tune(instrument, NULL);
  jw_instrument_reset(instrument);
  play(instrument, FRAMES, left[0], right[0]);
  assert_int_equal(jw_instrument_figures(instrument).unplayed, 0);
  jw_instrument_destroy(instrument);
}

// Moved to both ends and back, nothing that can be moved breaks anything.
static void every_control_of_every_built_in_scene_can_be_moved(void** state) {
  (void)state;
  uint32_t count = 0, moved = 0;
  const JwBuiltinScene* const scenes = jw_builtin_scenes(&count);
  for (uint32_t i = 0; i < count; ++i) {
    JwInstrumentDef def = jw_instrument_default();
    def.name = scenes[i].name;
    def.trial = false;
    JwInstrument* instrument = NULL;
    if (jw_instrument_create(&def, &instrument)) { // Of experiments, some have nothing to play
      assert_non_null(strstr(jw_instrument_error(instrument), "nothing to play"));
    }
    const JwInstrumentInfo info = jw_instrument_info(instrument);
    for (uint32_t c = 0; c < info.controls; ++c) {
      const JwInstrumentControl control = jw_instrument_control(instrument, c);
      assert_true(control.minimum <= control.initial && control.initial <= control.maximum);
      const double values[] = {control.minimum, control.maximum, control.initial};
      for (int v = 0; v < 3; ++v, ++moved) {
        const JwPlayerEvent on = {0, {0x90, 57, 100}, 3};
        const JwPlayerBlock block = {NULL, NULL, 64, &on, 1};
        assert_int_equal(jw_instrument_set(instrument, c, values[v], 0.001), JW_STATUS_OK);
        assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
      }
    }
    jw_instrument_destroy(instrument);
  }
  print_message("# %u moves\n", moved);
  assert_true(moved > 100);
}

// ---------------------------------------------------------------- errors

static void refused(const JwInstrumentDef* def, JwStatus status, const char* words) {
  JwInstrument* instrument = NULL;
  assert_int_equal(jw_instrument_create(def, &instrument), status);
  assert_non_null(instrument);
  if (!strstr(jw_instrument_error(instrument), words)) {
    fail_msg("\"%s\" has not \"%s\"", jw_instrument_error(instrument), words);
  }
  const JwPlayerBlock block = {NULL, NULL, 64, NULL, 0};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_BAD_ORDER);
  jw_instrument_reset(instrument);
  assert_int_equal(jw_instrument_info(instrument).channels, 0);
  jw_instrument_destroy(instrument);
}

static void what_is_wrong_is_said_with_its_place(void** state) {
  (void)state;
  JwInstrumentDef def = jw_instrument_default();
  refused(&def, JW_STATUS_BAD_VALUE, "one of a name, a text and a scene");
  def.name = "trombas";
  refused(&def, JW_STATUS_IO, "trombas");
  def.text = "{}";
  def.size = 2;
  refused(&def, JW_STATUS_BAD_VALUE, "one of a name, a text and a scene");
  def.name = NULL;
  def.text = "{ \"jawari\": 1,\n  \"objekts\": {} }";
  def.size = strlen(def.text);
  refused(&def, JW_STATUS_BAD_SCENE, "2:3");
  def = small_def();
  def.rate = 10.0;
  refused(&def, JW_STATUS_BAD_SCENE, "sample_rate");
  def = small_def();
  def.oversample = 65;
  refused(&def, JW_STATUS_BAD_VALUE, "oversample is 65");
  def = small_def();
  def.max_points = 10;
  refused(&def, JW_STATUS_BAD_SCENE, "at most 10");
  def = small_def();
  def.text = "{ \"jawari\": 1, \"objects\": { \"m\": { \"kind\": \"mass\", \"mass\": 1 } } }";
  def.size = strlen(def.text);
  refused(&def, JW_STATUS_BAD_SCENE, "nothing to play");
}

static void a_text_may_include_a_built_in_scene(void** state) {
  (void)state;
  JwInstrumentDef def = jw_instrument_default();
  def.text = "{ \"jawari\": 1, \"include\": \"tromba-small.json\" }";
  def.size = strlen(def.text);
  def.trial = false;
  JwInstrument* const instrument = make(&def);
  assert_int_equal(jw_instrument_info(instrument).channels, 2);
  jw_instrument_destroy(instrument);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_of_any_size_give_the_same_samples),
      cmocka_unit_test(after_a_reset_it_plays_the_same_again),
      cmocka_unit_test(live_is_what_is_rendered_later_by_the_latency),
      cmocka_unit_test(a_score_has_the_samples_of_its_world),
      cmocka_unit_test(a_scene_that_plays_its_score_takes_no_keys),
      cmocka_unit_test(a_rendering_fades_as_its_scene_says),
      cmocka_unit_test(a_host_may_add_a_hand),
      cmocka_unit_test(what_a_host_adds_wrongly_is_said),
      cmocka_unit_test(a_trial_brings_notes_to_a_good_level),
      cmocka_unit_test(it_rests_when_all_is_still),
      cmocka_unit_test(controls_have_names_units_and_ranges),
      cmocka_unit_test(no_more_voices_sound_than_are_allowed),
      cmocka_unit_test(a_tuning_may_leave_keys_out),
      cmocka_unit_test(every_control_of_every_built_in_scene_can_be_moved),
      cmocka_unit_test(what_is_wrong_is_said_with_its_place),
      cmocka_unit_test(a_text_may_include_a_built_in_scene),
  };
  return cmocka_run_group_tests_name("instrument", tests, NULL, NULL);
}
