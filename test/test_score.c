// SPDX-License-Identifier: MIT
// Notes in a scene's score: the words mean what a musician takes them to mean, and are played as
// the same notes from a keyboard are.

#include "test.h"

#include <jawari/builtin.h>
#include <jawari/play.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define RATE 22050.0
#define SECONDS 2.0
#define FRAMES 44100 // Of SECONDS

// Three light strings that come to a pitch by tension: E2, A2 and D3, up to an octave and a half each.
#define HEAD                                                                                       \
  "{ \"jawari\": 1, \"world\": { \"sample_rate\": 22050, \"channels\": 1 }, \"duration\": 2,\n"
#define STRINGS                                                                                                     \
  " \"objects\": { \"s$i\": { \"kind\": \"string\", \"length\": 0.65, \"radius\": 2e-4, \"material\": \"steel\",\n" \
  "   \"frequency\": \"$n\", \"bend\": 6, \"decay\": [100, 6, 2000, 3],\n"                                          \
  "   \"repeat\": { \"i\": 3, \"n\": [\"E2\", \"A2\", \"D3\"] } } },\n"                                             \
  " \"pickups\": [ { \"at\": \"s$i@0.83\", \"repeat\": { \"i\": 3 } } ],\n"                                         \
  " \"play\": { \"voices\": [ { \"blow\": \"p$i\", \"repeat\": { \"i\": 3 } } ] },\n"
#define PLUCKS                                                                                     \
  "{ \"name\": \"p$i\", \"pluck\": \"s$i@0.2\", \"amplitude\": 1, \"duration\": 0.003, \"repeat\": { \"i\": 3 } }"
#define SCENE(EXTRA, NOTES) HEAD EXTRA STRINGS " \"score\": [ " PLUCKS NOTES " ] }"

static JwStatus create(const char* text, bool score, JwInstrument** instrument) {
  JwInstrumentDef def = jw_instrument_default();
  def.text = text;
  def.size = strlen(text);
  def.gain = 1.0;
  def.score = score;
  def.trial = false;
  return jw_instrument_create(&def, instrument);
}

/// What a scene sounds like, from its score or from a song; to be freed.
static double* sound(const char* text, const JwSong* song) {
  JwInstrument* instrument = NULL;
  if (create(text, song == NULL, &instrument)) {
    fail_msg("%s", jw_instrument_error(instrument));
  }
  double* const out = (double*)calloc(FRAMES, sizeof(double));
  const JwRendering rendering = {(double* const[]){out}, FRAMES, song};
  assert_int_equal(jw_instrument_render(instrument, &rendering, NULL), JW_STATUS_OK);
  jw_instrument_destroy(instrument);
  return out;
}

static double peak(const double* x, double from, double to) {
  double most = 0.0;
  for (int i = (int)(from * RATE); i < (int)(to * RATE); ++i) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

/// Strength of a frequency between two times, with a Hann window.
static double strength(const double* x, double from, double to, double frequency) {
  const int start = (int)(from * RATE), count = (int)((to - from) * RATE);
  double re = 0.0, im = 0.0;
  for (int i = 0; i < count; ++i) {
    const double window = 1.0 - cos(2.0 * PI * (i + 0.5) / count);
    re += window * x[start + i] * cos(2.0 * PI * frequency * i / RATE);
    im += window * x[start + i] * sin(2.0 * PI * frequency * i / RATE);
  }
  return re * re + im * im;
}

/// Cents from `near`, within 250, of the strongest frequency.
static double pitch(const double* x, double from, double to, double near) {
  double best = 0.0, found = 0.0;
  for (int cents = -250; cents <= 250; ++cents) {
    const double s = strength(x, from, to, near * pow(2.0, cents / 1200.0));
    if (s > best) {
      best = s;
      found = cents;
    }
  }
  return found;
}

static void assert_same(double* a, double* b) {
  assert_true(peak(a, 0.0, SECONDS) > 1e-3); // Something sounds
  assert_memory_equal(a, b, FRAMES * sizeof(double));
  free(a);
  free(b);
}

// ---------------------------------------------------------------- claims

// A window of half a second tells 4 Hz apart; a lone peak is found to a tenth of that at most,
// 0.4 Hz: 4 cents of 165 Hz.
static void notes_sound_at_their_pitch(void** state) {
  (void)state;
  double* const x = sound(SCENE("", ", { \"at\": 0, \"note\": \"E3\", \"duration\": 0.6 },"
                                    "{ \"at\": 0.7, \"note\": \"G#3+20\", \"duration\": 0.5 },"
                                    "{ \"at\": 1.3, \"note\": 250, \"duration\": 0.5 }"),
                          NULL);
  assert_true(fabs(pitch(x, 0.05, 0.65, jw_note_frequency("E3"))) <= 4.0);
  assert_true(fabs(pitch(x, 0.75, 1.25, jw_note_frequency("G#3+20"))) <= 4.0);
  assert_true(fabs(pitch(x, 1.35, 1.95, 250.0)) <= 4.0);
  free(x);
}

static void a_score_is_played_as_the_same_keys_are(void** state) {
  (void)state;
  // Velocity v is the dynamic (v - 1)/126
  JwSongEvent events[] = {{0.1, {0x90, 52, 127}, 3}, {0.1, {0x90, 59, 64}, 3},
                          {0.6, {0x80, 52, 0}, 3},   {0.6, {0x80, 59, 0}, 3},
                          {0.8, {0x90, 45, 1}, 3},   {1.5, {0x80, 45, 0}, 3}};
  const JwSong song = {events, 6, 1.5};
  const char* const text =
      SCENE("", ", { \"at\": 0.1, \"note\": \"E3\", \"duration\": 0.5, \"dynamic\": \"fff\" },"
                "{ \"at\": 0.1, \"note\": \"B3\", \"duration\": 0.5, \"dynamic\": 0.5 },"
                "{ \"at\": 0.8, \"note\": \"A2\", \"duration\": 0.7, \"dynamic\": 0 }");
  assert_same(sound(text, NULL), sound(text, &song));
}

static void beats_are_seconds_at_a_tempo(void** state) {
  (void)state;
  // 120 a minute for two beats, then 60: beat 3 is at 2 s
  assert_same(sound(SCENE("\"tempo\": [[0, 120], [2, 60]],",
                          ", { \"beat\": 0, \"note\": \"E3\", \"beats\": 1 },"
                          "{ \"beat\": 1, \"note\": \"B3\", \"beats\": 1.5 }"),
                    NULL),
              sound(SCENE("", ", { \"at\": 0, \"note\": \"E3\", \"duration\": 0.5 },"
                              "{ \"at\": 0.5, \"note\": \"B3\", \"duration\": 1 }"),
                    NULL));
}

static void a_chord_is_its_notes(void** state) {
  (void)state;
  assert_same(sound(SCENE("", ", { \"note\": [\"E3\", \"B3\", \"D4\"], \"duration\": 1 }"), NULL),
              sound(SCENE("", ", { \"note\": \"E3\", \"duration\": 1 },"
                              "{ \"note\": \"B3\", \"duration\": 1 },"
                              "{ \"note\": \"D4\", \"duration\": 1 }"),
                    NULL));
}

static void a_repeat_repeats_notes(void** state) {
  (void)state;
  assert_same(sound(SCENE("", ", { \"at\": \"$t\", \"note\": \"$n\", \"duration\": 0.3,"
                              "    \"repeat\": { \"t\": [0, 0.4], \"n\": [\"E3\", \"G3\"] } }"),
                    NULL),
              sound(SCENE("", ", { \"at\": 0, \"note\": \"E3\", \"duration\": 0.3 },"
                              "{ \"at\": 0.4, \"note\": \"G3\", \"duration\": 0.3 }"),
                    NULL));
}

static void a_fret_is_a_semitone(void** state) {
  (void)state;
  double* const x = sound(SCENE("", ", { \"fret\": 7, \"on\": \"s1\", \"duration\": 1 }"), NULL);
  assert_true(fabs(pitch(x, 0.1, 1.0, jw_note_frequency("B2"))) <= 4.0);
  free(x);
}

// Before, at the middle and after a slide from a whole tone below; a tenth of a second tells 20 Hz
// apart, a lone peak to 2 Hz: 18 cents of 196 Hz.
static void a_glide_slides_in_cents(void** state) {
  (void)state;
  double* const x = sound(SCENE("", ", { \"note\": \"G3\", \"duration\": 1.8,"
                                    "    \"glide\": [[0, -200], [0.6, -200], [1.2, 0]] }"),
                          NULL);
  assert_true(fabs(pitch(x, 0.1, 0.6, jw_note_frequency("F3"))) <= 8.0);
  assert_true(fabs(pitch(x, 0.85, 0.95, jw_note_frequency("F#3"))) <= 18.0);
  assert_true(fabs(pitch(x, 1.25, 1.9, jw_note_frequency("G3"))) <= 8.0);
  free(x);
}

// At 2 Hz the pitch is highest after 1/8 s and lowest after 3/8 of each turn.
static void vibrato_swings_as_far_and_as_fast_as_it_says(void** state) {
  (void)state;
  double* const x =
      sound(SCENE("", ", { \"note\": \"D4\", \"duration\": 1.9, \"vibrato\": [2, 100] }"), NULL);
  const double d = jw_note_frequency("D4");
  const double up = pitch(x, 0.575, 0.675, d), down = pitch(x, 0.825, 0.925, d);
  // Over 0.1 s about the turn the pitch stays within 10 % of 100 cents below its end
  assert_true(up > 75.0 && up < 110.0);
  assert_true(down < -75.0 && down > -110.0);
  free(x);
}

static void a_trill_goes_to_and_fro(void** state) {
  (void)state;
  double* const x = sound(
      SCENE("", ", { \"note\": \"D4\", \"duration\": 2, \"trill\": [200, 2], \"on\": \"p3\" }"),
      NULL);
  const double d = jw_note_frequency("D4"), e = jw_note_frequency("E4");
  assert_true(fabs(pitch(x, 0.1, 0.48, d)) <= 8.0);
  assert_true(fabs(pitch(x, 0.6, 0.98, e)) <= 8.0);
  assert_true(fabs(pitch(x, 1.1, 1.48, d)) <= 8.0);
  free(x);
}

static void louder_words_are_louder(void** state) {
  (void)state;
  double before = 0.0;
  static const char* const words[] = {"ppp", "pp", "p", "mp", "mf", "f", "ff", "fff"};
  for (int i = 0; i < 8; ++i) {
    char text[2000];
    snprintf(text, sizeof text, SCENE("", ", { \"note\": \"D3\", \"dynamic\": \"%s\" }"), words[i]);
    double* const x = sound(text, NULL);
    assert_true(peak(x, 0.0, 0.5) > 1.05 * before);
    before = peak(x, 0.0, 0.5);
    free(x);
  }
}

static void a_hand_is_uneven_and_the_same_each_time(void** state) {
  (void)state;
#define UNEVEN(SEED)                                                                               \
  SCENE("\"humanise\": { \"seed\": " #SEED ", \"time\": 0.05, \"dynamic\": 0.2, \"cents\": 5 },",  \
        ", { \"at\": 0.5, \"note\": \"E3\" }, { \"at\": 1, \"note\": \"B3\" }")
  double* const one = sound(UNEVEN(1), NULL);
  double* const two = sound(UNEVEN(2), NULL);
  assert_memory_not_equal(one, two, FRAMES * sizeof(double));
  free(two);
  assert_true(peak(one, 0.0, 0.449) == 0.0 && peak(one, 0.551, 0.6) > 0.0); // Within 0.05 s
  assert_same(one, sound(UNEVEN(1), NULL));
}

// ---------------------------------------------------------------- several instruments

static const char* part_text = NULL;

static JwStatus read_part(void* user, const char* path, char* text, size_t* size) {
  (void)user;
  (void)path;
  if (text) {
    memcpy(text, part_text, *size);
  }
  *size = strlen(part_text);
  return JW_STATUS_OK;
}

static void one_scene_taken_in_twice_is_two_instruments(void** state) {
  (void)state;
  part_text = SCENE("\"parameters\": { \"unused\": 0 },", "");
  const char* const text = HEAD
      "\"include\": [ { \"file\": \"s.json\", \"as\": \"left\" }, { \"file\": \"s.json\", \"as\": \"right\" } ],\n"
      "\"score\": [ { \"at\": 0, \"note\": \"E3\", \"on\": \"left\" },"
      "             { \"at\": 1, \"note\": \"B3\", \"on\": \"right/p3\" } ] }";
  JwSceneOptions options = jw_scene_options();
  options.read = read_part;
  JwInstrumentDef def = jw_instrument_default();
  def.text = text;
  def.size = strlen(text);
  def.options = &options;
  def.score = true;
  def.gain = 1.0;
  JwInstrument* instrument = NULL;
  if (jw_instrument_create(&def, &instrument)) {
    fail_msg("%s", jw_instrument_error(instrument));
  }
  const JwScene* const scene = jw_instrument_scene(instrument);
  assert_int_equal(jw_scene_find(scene, "left/s1").kind, JW_KIND_STRING);
  assert_int_equal(jw_scene_find(scene, "right/s3").kind, JW_KIND_STRING);
  double* const out = (double*)calloc(FRAMES, sizeof(double));
  const JwRendering rendering = {(double* const[]){out}, FRAMES, NULL};
  assert_int_equal(jw_instrument_render(instrument, &rendering, NULL), JW_STATUS_OK);
  jw_instrument_destroy(instrument);
  assert_true(fabs(pitch(out, 0.1, 0.9, jw_note_frequency("E3"))) <= 4.0);
  assert_true(fabs(pitch(out, 1.1, 1.9, jw_note_frequency("B3"))) <= 4.0);
  free(out);
}

// ---------------------------------------------------------------- what cannot be had

// The same text with its numbers worked out by hand, to the sample.  2^(7/12) is 1.4983...: a
// formula that is right to the last digit but one gives the same pitch to 1e-12 cents, and the
// tuning of a string to another last bit would show.
static void a_formula_is_the_number_that_it_comes_to(void** state) {
  (void)state;
  double* const a = sound(SCENE("\"parameters\": { \"k\": 3 },",
                                ", { \"at\": \"= ($k - 1)^2/16 + abs(-sqrt(0.0625))\", "
                                "\"note\": \"D3\", \"duration\": \"=-cos(pi)*0.5\" }"),
                          NULL);
  double* const b =
      sound(SCENE("", ", { \"at\": 0.5, \"note\": \"D3\", \"duration\": 0.5 }"), NULL);
  assert_true(peak(b, 0.6, 0.9) > 0.0);
  assert_same(a, b);
}

// A swing of 100 cents, twice a second, as a formula: at its height a quarter of a period later.
static void a_wave_is_the_curve_of_its_formula(void** state) {
  (void)state;
  double* const x = sound(SCENE("", ", { \"note\": \"D4\", \"duration\": 1.9, \"glide\": "
                                    "{ \"wave\": \"-100*cos(2*pi*t)\", \"until\": 2 } }"),
                          NULL);
  const double d4 = 293.665;
  assert_true(fabs(pitch(x, 0.4, 0.6, d4) - 100.0) < 12.0);
  assert_true(fabs(pitch(x, 0.9, 1.1, d4) + 100.0) < 12.0);
  assert_true(fabs(pitch(x, 0.2, 0.3, d4)) < 35.0);
  free(x);
}

static void what_cannot_be_had_is_said_with_its_place(void** state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } cases[] = {
      {SCENE("", ",\n{ \"note\": \"E6\" }"),
       "scene:8:1: E6 (1318.51 Hz) cannot be had: no voice comes within a quarter tone of it; they "
       "go from E2 to F#4"},
      {SCENE("", ",\n{ \"note\": \"E3\", \"on\": \"s7\" }"),
       "scene:8:1: nothing that notes can play is called \"s7\""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    JwInstrument* instrument = NULL;
    assert_int_equal(create(cases[i].text, true, &instrument), JW_STATUS_BAD_SCENE);
    assert_string_equal(jw_instrument_error(instrument), cases[i].words);
    jw_instrument_destroy(instrument);
  }
}

static void keys_leave_the_score_out(void** state) {
  (void)state;
  double* const x = sound(SCENE("", ", { \"note\": \"E3\" }"), &(JwSong){NULL, 0, 0.0});
  assert_true(peak(x, 0.0, SECONDS) == 0.0);
  free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(notes_sound_at_their_pitch),
      cmocka_unit_test(a_score_is_played_as_the_same_keys_are),
      cmocka_unit_test(beats_are_seconds_at_a_tempo),
      cmocka_unit_test(a_chord_is_its_notes),
      cmocka_unit_test(a_repeat_repeats_notes),
      cmocka_unit_test(a_fret_is_a_semitone),
      cmocka_unit_test(a_glide_slides_in_cents),
      cmocka_unit_test(vibrato_swings_as_far_and_as_fast_as_it_says),
      cmocka_unit_test(a_formula_is_the_number_that_it_comes_to),
      cmocka_unit_test(a_wave_is_the_curve_of_its_formula),
      cmocka_unit_test(a_trill_goes_to_and_fro),
      cmocka_unit_test(louder_words_are_louder),
      cmocka_unit_test(a_hand_is_uneven_and_the_same_each_time),
      cmocka_unit_test(one_scene_taken_in_twice_is_two_instruments),
      cmocka_unit_test(what_cannot_be_had_is_said_with_its_place),
      cmocka_unit_test(keys_leave_the_score_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
