// SPDX-License-Identifier: MIT
// The player: MIDI files, tunings, and what a note does to a world.

#include "test.h"

#include "octaves.h"
#include "perform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- MIDI files

// Division 96, two tracks: tempo 0.25 s a quarter from the start; a note at half a quarter on
// channel 2.
static const uint8_t two_tracks[] = {
    'M',  'T', 'h',  'd',  0, 0,   0,   6,   0,   1,    0,    2,    0,    96,
    'M',  'T', 'r',  'k',  0, 0,   0,   11,  0,   0xff, 0x51, 3,    0x03, 0xd0,
    0x90, 96,  0xff, 0x2f, 0, 'M', 'T', 'r', 'k', 0,    0,    0,    15,   48,
    0x91, 60,  90,   0x81, 0, 62,  91,  0,   60,  0,    0,    0xff, 0x2f, 0};

static void tempo_and_running_status_give_seconds(void** state) {
  (void)state;
  JwSong song;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_song_parse(two_tracks, sizeof two_tracks, &song, error), JW_STATUS_OK);
  assert_int_equal(song.count, 3);
  // 48 and 128 ticks of 0.25/96 s; products of a few exact numbers
  assert_true(fabs(song.events[0].time - 0.125) < 1e-15);
  assert_true(fabs(song.events[1].time - (48 + 128) * 0.25 / 96) < 1e-15);
  assert_int_equal(song.events[0].data[0], 0x91);
  assert_int_equal(song.events[1].data[1], 62);
  assert_int_equal(song.events[2].data[2], 0);
  assert_true(fabs(song.duration - song.events[1].time) < 1e-15);
  jw_song_release(&song);
}

static void a_broken_file_is_refused_with_its_byte(void** state) {
  (void)state;
  JwSong song;
  char error[JW_ERROR_SIZE] = "";
  for (size_t size = 0; size < sizeof two_tracks; ++size) {
    // A file cut between chunks is a shorter file; anywhere else it is broken.
    const JwStatus status = jw_song_parse(two_tracks, size, &song, error);
    if (size >= 33 && size < 41) {
      assert_int_equal(status, JW_STATUS_OK);
    } else if (size >= 14 && size < 22) {
      assert_int_equal(status, JW_STATUS_OK);
    } else {
      assert_int_equal(status, JW_STATUS_BAD_VALUE);
      assert_non_null(strstr(error, "byte "));
    }
    jw_song_release(&song);
  }
}

#define HEAD(format, division) 'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, format, 0, 1, division
#define TRACK(length) 'M', 'T', 'r', 'k', 0, 0, 0, length
#define OVER 0, 0xff, 0x2f, 0

// What is wrong is said with the byte where it was noticed: that after the last one read.
static void every_fault_of_a_file_has_its_sentence(void** state) {
  (void)state;
  static const struct {
    uint8_t data[40];
    size_t size;
    const char* says; // NULL: read
  } files[] = {
      {{'M', 'T', 'h', 'x'}, 30, "byte 0: not a standard MIDI file"},
      {{HEAD(0, 0), 96}, 13, "byte 0: not a standard MIDI file"},
      {{HEAD(0, 0), 96}, 14, NULL},
      {{'M', 'T', 'h', 'd', 0, 0, 0, 5, 0, 0, 0, 1, 0, 96},
       14,
       "byte 0: a header of the wrong length"},
      {{'M', 'T', 'h', 'd', 0, 0, 0, 7, 0, 0, 0, 1, 0, 96},
       14,
       "byte 0: a header of the wrong length"},
      {{'M', 'T', 'h', 'd', 0, 0, 0, 7, 0, 0, 0, 1, 0, 96, 9}, 15, NULL},
      {{HEAD(1, 0), 96}, 14, NULL},
      {{HEAD(2, 0), 96}, 14, "byte 0: only formats 0 and 1 are read"},
      {{HEAD(0, 0), 0}, 14, "byte 0: a division that stands for no time"},
      {{HEAD(0, 0xe8), 40}, 14, NULL}, // 24, 25, 29, 30 frames a second
      {{HEAD(0, 0xe7), 40}, 14, NULL},
      {{HEAD(0, 0xe3), 40}, 14, NULL},
      {{HEAD(0, 0xe2), 40}, 14, NULL},
      {{HEAD(0, 0xe6), 40}, 14, "byte 0: a division that stands for no time"},
      {{HEAD(0, 0xe8), 0}, 14, "byte 0: a division that stands for no time"},
      {{HEAD(0, 0), 96, TRACK(4), OVER}, 26, NULL},
      {{HEAD(0, 0), 96, TRACK(5), OVER}, 26, "byte 22: a chunk reaches beyond the file"},
      {{HEAD(0, 0), 96, TRACK(0)}, 22, "byte 22: a track without its end"},
      {{HEAD(0, 0), 96, TRACK(3), 0, 0x90, 60}, 25, "byte 25: the track ends inside an event"},
      {{HEAD(0, 0), 96, TRACK(8), 0, 0x90, 60, 0x80, OVER}, 30, "byte 26: a data byte above 127"},
      {{HEAD(0, 0), 96, TRACK(8), 0, 0x90, 60, 0x7f, OVER}, 30, NULL},
      {{HEAD(0, 0), 96, TRACK(7), 0, 0xc0, 60, OVER}, 29, NULL}, // Two bytes a program
      {{HEAD(0, 0), 96, TRACK(7), 0, 0xd0, 60, OVER}, 29, NULL},
      {{HEAD(0, 0), 96, TRACK(7), 0, 0xd0, 0x80, OVER}, 29, "byte 25: a data byte above 127"},
      {{HEAD(0, 0), 96, TRACK(6), 0, 60, OVER}, 28, "byte 24: data without a status before it"},
      {{HEAD(0, 0), 96, TRACK(8), 0xff, 0xff, 0xff, 0xff, OVER},
       30,
       "byte 26: a number of more than four bytes"},
      {{HEAD(0, 0), 96, TRACK(7), 0xff, 0xff, 0xff, 0x7f, 0xff, 0x2f, 0}, 29, NULL},
      {{HEAD(0, 0), 96, TRACK(6), 0, 0xf1, OVER},
       28,
       "byte 24: a message that has no place in a file"},
      {{HEAD(0, 0), 96, TRACK(9), 0, 0xf0, 2, 1, 2, OVER}, 31, NULL},
      {{HEAD(0, 0), 96, TRACK(5), 0, 0xf0, 3, 1, 2},
       27,
       "byte 25: a system message reaches beyond its track"},
      {{HEAD(0, 0), 96, TRACK(5), 0, 0xff, 1, 2, 0},
       27,
       "byte 26: a meta event reaches beyond its track"},
      {{HEAD(0, 0), 96, TRACK(10), 0, 0xff, 0x51, 2, 1, 2, OVER},
       32,
       "byte 26: a tempo that is not three bytes"},
      // A meta event or a system message ends what is running
      {{HEAD(0, 0), 96, TRACK(14), 0, 0x90, 60, 1, 0, 0xff, 1, 0, 0, 61, OVER},
       36,
       "byte 32: data without a status before it"},
      {{HEAD(0, 0), 96, TRACK(13), 0, 0x90, 60, 1, 0, 0xf7, 0, 0, 61, OVER},
       35,
       "byte 31: data without a status before it"},
  };
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    JwSong song;
    char error[JW_ERROR_SIZE] = "";
    const JwStatus status = jw_song_parse(files[i].data, files[i].size, &song, error);
    if (status != (files[i].says ? JW_STATUS_BAD_VALUE : JW_STATUS_OK)
        || strcmp(error, files[i].says ? files[i].says : "") != 0) {
      fail_msg("file %zu: status %d, \"%s\"", i, (int)status, error);
    }
    jw_song_release(&song);
  }
}

// At 25 frames of 40 ticks a second a tick is a millisecond, whatever tempo is said; at 29 a thousandth longer.
static void films_have_their_own_time(void** state) {
  (void)state;
  static const struct {
    uint8_t frames;
    double tick;
  } rows[] = {{0xe8, 1.0 / 960.0}, {0xe7, 1e-3}, {0xe3, 1001.0 / 1200000.0}, {0xe2, 1.0 / 1200.0}};
  for (int i = 0; i < 4; ++i) {
    const uint8_t data[] = {HEAD(0, rows[i].frames),
                            40,
                            TRACK(16),
                            10,
                            0xff,
                            0x51,
                            3,
                            1,
                            2,
                            3,
                            50,
                            0x90,
                            60,
                            70,
                            40,
                            0xff,
                            0x2f,
                            0,
                            0};
    JwSong song;
    char error[JW_ERROR_SIZE] = "";
    assert_int_equal(jw_song_parse(data, sizeof data, &song, error), JW_STATUS_OK);
    assert_int_equal(song.count, 1);
    assert_true(fabs(song.events[0].time - 60.0 * rows[i].tick) < 1e-15);
    assert_true(fabs(song.duration - 100.0 * rows[i].tick) < 1e-15);
    jw_song_release(&song);
  }
}

// ---------------------------------------------------------------- tunings

// y carries the rounding of (x - n) ln 2, at most 0.35 x 2.2e-16, and the sum that of its last
// operation, half of 2.2e-16, and of the one before it, times 0.35: 2.3e-16 in all.  The series of
// the logarithm is at most 0.35 and multiplied by 2.9, each with a few roundings: 0.5 x 4 x
// 1.1e-16, and half of 2.2e-16 of the sum with e.
static void octaves_are_right_to_the_last_bits(void** state) {
  (void)state;
  uint64_t random = 1;
  double worst[2] = {0.0, 0.0};
  for (int i = 0; i < 100000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const double x = ((double)(random >> 11) * 0x1p-53 - 0.5) * 40.0;
    const long double up = exp2l((long double)x);
    worst[0] = fmax(worst[0], fabs((double)((jw_octaves_up(x) - up) / up)));
    const double ratio = jw_octaves_up(x);
    worst[1] = fmax(worst[1], fabs((double)(jw_octaves_of(ratio) - log2l((long double)ratio)))
                                  / fmax(fabs(x), 1.0));
  }
  print_message("# worst: %.1e up, %.1e back\n", worst[0], worst[1]);
  assert_true(worst[0] < 5e-16 && worst[1] < 5e-16);
  for (int n = -10; n <= 10; ++n) {
    assert_true(jw_octaves_up(n) == ldexp(1.0, n) && jw_octaves_of(ldexp(1.0, n)) == n);
  }
}

static void equal_steps_give_440_hz(void** state) {
  (void)state;
  const JwTuning tuning = jw_tuning_equal();
  assert_true(tuning.frequency[69] == 440.0 && tuning.frequency[81] == 880.0);
}

static void a_scala_scale_and_map_give_their_frequencies(void** state) {
  (void)state;
  JwTuning tuning;
  char error[JW_ERROR_SIZE] = "";
  const char* const just = "! a comment\njust\n 3\n 5/4\n 701.955\n 2\n";
  assert_int_equal(jw_tuning_parse(just, NULL, &tuning, error), JW_STATUS_OK);
  const double c = 440.0 * pow(2.0, -0.75);
  assert_true(fabs(tuning.frequency[61] / c - 1.25) < 1e-12);
  assert_true(fabs(tuning.frequency[62] / c - pow(2.0, 701.955 / 1200.0)) < 1e-12);
  assert_true(fabs(tuning.frequency[63] / c - 2.0) < 1e-12);
  assert_true(fabs(tuning.frequency[57] / c - 0.5) < 1e-12);
  // Map of four keys an octave with one left out; key 69 is degree 2 of the scale and 300 Hz
  const char* const map = "4\n0\n127\n67\n69\n300.0\n3\n0\n1\n2\nx\n";
  assert_int_equal(jw_tuning_parse(just, map, &tuning, error), JW_STATUS_OK);
  assert_true(fabs(tuning.frequency[69] - 300.0) < 1e-9);
  assert_true(isnan(tuning.frequency[70]));
  assert_true(fabs(tuning.frequency[73] - 600.0) < 1e-9);
}

static void a_broken_scale_is_refused_with_its_line(void** state) {
  (void)state;
  JwTuning tuning;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_tuning_parse("name\n2\n3/2\nhalf\n", NULL, &tuning, error),
                   JW_STATUS_BAD_VALUE);
  assert_string_equal(
      error, "scale, line 4: wanted a pitch: cents with a dot, or a ratio, found \"half\"");
  assert_int_equal(jw_tuning_parse("name\n1\n119999.0\n", NULL, &tuning, error),
                   JW_STATUS_OK); // Just below 100 octaves
  assert_int_equal(jw_tuning_parse("name\n1\n120000.0\n", NULL, &tuning, error),
                   JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_tuning_parse("name\n1\n-120000.0\n", NULL, &tuning, error),
                   JW_STATUS_BAD_VALUE);
  assert_int_equal(jw_tuning_parse("name\n1\n2\n", "0\n0\n127\n60\n200\n", &tuning, error),
                   JW_STATUS_BAD_VALUE);
  assert_string_equal(error, "map, line 5: wanted the reference key, 0 to 127, found \"200\"");
}

static void every_fault_of_a_tuning_has_its_sentence(void** state) {
  (void)state;
  static const struct {
    const char *scale, *map;
    const char* says; // NULL: read
  } rows[] = {
      {"", NULL, "scale, line 0: wanted a description, found \"\""},
      {"name\n", NULL, "scale, line 1: wanted the number of pitches, 1 to 1024, found \"\""},
      {"name\n0\n", NULL, "scale, line 2: wanted the number of pitches, 1 to 1024, found \"0\""},
      {"name\n1025\n", NULL,
       "scale, line 2: wanted the number of pitches, 1 to 1024, found \"1025\""},
      {"name\n1x\n2/1\n", NULL,
       "scale, line 2: wanted the number of pitches, 1 to 1024, found \"1x\""},
      {"name\n1 note\n2/1 an octave\n", NULL, NULL},
      {"name\r\n1\r\n2/1\r\n", NULL, NULL},
      {"! first\nname\n1\n!\n\t 2 / 1\n", NULL, NULL},
      {"name\n1\n0/1\n", NULL,
       "scale, line 3: wanted a pitch: cents with a dot, or a ratio, found \"0/1\""},
      {"name\n1\n1/0\n", NULL,
       "scale, line 3: wanted a pitch: cents with a dot, or a ratio, found \"1/0\""},
      {"name\n1\n3/\n", NULL,
       "scale, line 3: wanted a pitch: cents with a dot, or a ratio, found \"3/\""},
      {"name\n1\n/3\n", NULL,
       "scale, line 3: wanted a pitch: cents with a dot, or a ratio, found \"/3\""},
      {"name\n2\n3/2\n", NULL,
       "scale, line 3: wanted a pitch: cents with a dot, or a ratio, found \"\""},
      {"name\n1\n2/1\n", "1025\n",
       "map, line 1: wanted the size of the map, 0 to 1024, found \"1025\""},
      {"name\n1\n2/1\n", "0\n128\n", "map, line 2: wanted the first key, 0 to 127, found \"128\""},
      {"name\n1\n2/1\n", "0\n0\n-1\n", "map, line 3: wanted the last key, 0 to 127, found \"-1\""},
      {"name\n1\n2/1\n", "0\n0\n127\nc\n",
       "map, line 4: wanted the middle key, 0 to 127, found \"c\""},
      {"name\n1\n2/1\n", "0\n0\n127\n60\n69\n0.0\n",
       "map, line 6: wanted the reference frequency in Hz, found \"0.0\""},
      {"name\n1\n2/1\n", "0\n0\n127\n60\n69\n1e6\n",
       "map, line 6: wanted the reference frequency in Hz, found \"1e6\""},
      {"name\n1\n2/1\n", "0\n0\n127\n60\n69\n440\n-1\n",
       "map, line 7: wanted the degree of the octave, found \"-1\""},
      {"name\n1\n2/1\n", "0\n0\n127\n60\n69\n440\n1\n", NULL},
      {"name\n1\n2/1\n", "1\n0\n127\n60\n69\n440\n1\n10001\n",
       "map, line 8: wanted a degree of the scale, or x, found \"10001\""},
      {"name\n1\n2/1\n", "1\n0\n127\n60\n69\n440\n1\n10\n", NULL},
      {"name\n1\n2/1\n", "2\n0\n127\n60\n69\n440\n1\n0\nX\n",
       "map: the reference key 69 is left out"},
      {"name\n1\n2/1\n", "2\n0\n127\n60\n69\n440\n1\n0\n", "map: the reference key 69 is left out"},
      {"name\n1\n2/1\n", "2\n0\n127\n60\n68\n440\n1\n0\nx\n", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    JwTuning tuning;
    char error[JW_ERROR_SIZE] = "";
    const JwStatus status = jw_tuning_parse(rows[i].scale, rows[i].map, &tuning, error);
    if (status != (rows[i].says ? JW_STATUS_BAD_VALUE : JW_STATUS_OK)
        || strcmp(error, rows[i].says ? rows[i].says : "") != 0) {
      fail_msg("row %zu: status %d, \"%s\"", i, (int)status, error);
    }
  }
}

// Keys below the middle one go down the scale; a repetition that is no octave; keys outside of the map are silent.
static void a_map_goes_both_ways_from_its_middle(void** state) {
  (void)state;
  JwTuning tuning;
  char error[JW_ERROR_SIZE] = "";
  const char* const scale = "thirds\n2\n5/4\n3/2\n"; // Repeats at the fifth
  assert_int_equal(jw_tuning_parse(scale, "0\n58\n63\n60\n60\n100\n0\n", &tuning, error),
                   JW_STATUS_OK);
  const double up[] = {100.0 / 1.5, 125.0 / 1.5, 100.0, 125.0, 150.0, 187.5};
  for (int i = 0; i < 6; ++i) {
    assert_true(fabs(tuning.frequency[58 + i] / up[i] - 1.0) < 1e-13);
  }
  assert_true(isnan(tuning.frequency[57]) && isnan(tuning.frequency[64]));
  // Three keys for two degrees, the octave of the map being degree 1: a third
  assert_int_equal(jw_tuning_parse(scale, "3\n0\n127\n60\n61\n100\n1\n0\n1\nx\n", &tuning, error),
                   JW_STATUS_OK);
  assert_true(fabs(tuning.frequency[60] - 80.0) < 1e-11
              && fabs(tuning.frequency[63] - 100.0) < 1e-11);
  assert_true(fabs(tuning.frequency[57] - 64.0) < 1e-11 && isnan(tuning.frequency[59])
              && isnan(tuning.frequency[62]));
}

// ---------------------------------------------------------------- scenes

typedef struct {
  JwScene* scene;
  JwWorld* world;
  JwPlayer* player;
  char error[JW_ERROR_SIZE];
} Stage;

static const char* const bowed =
    "{ \"jawari\": 1, \"world\": { \"channels\": 1 }, \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 0.32, \"radius\": 3e-4, "
    "\"density\": 2547, \"young\": 0, \"frequency\": 220, \"bend\": 5, \"decay\": [220, 2, 3000, 0.2] } },"
    "\"contacts\": [ { \"law\": \"bow\", \"name\": \"bow\", \"on\": \"s@0.12\", \"force\": 0.1 } ],"
    "\"pickups\": [ { \"name\": \"ear\", \"at\": \"s@0.05\" } ] %s }";

static const char* const plucked =
    "{ \"jawari\": 1, \"world\": { \"channels\": 1 }, \"objects\": { \"s$i\": { \"kind\": \"string\", \"length\": 0.6, \"radius\": 2e-4, "
    "\"frequency\": \"$n\", \"decay\": [100, 3, 3000, 0.5], \"repeat\": { \"i\": 3, \"n\": [\"C3\", \"E3\", \"G3\"] } } },"
    "\"score\": [ { \"at\": 0, \"name\": \"p$i\", \"pluck\": \"s$i@0.2\", \"amplitude\": 1, \"repeat\": { \"i\": 3 } } ],"
    "\"pickups\": [ { \"at\": \"s$i@0.1\", \"repeat\": { \"i\": 3 } } ] }";

static JwStatus set(Stage* stage, const char* text, const char* play) {
  memset(stage, 0, sizeof *stage);
  char buffer[4000];
  snprintf(buffer, sizeof buffer, text, play); // NOLINT: the texts above
  const JwSceneOptions options = jw_scene_options();
  assert_int_equal(jw_scene_parse(buffer, strlen(buffer), &options, &stage->scene), JW_STATUS_OK);
  jw_scene_mute(stage->scene);
  JwWorldDef def = jw_scene_world(stage->scene);
  def.ledger = true;
  assert_int_equal(jw_scene_build(stage->scene, &def, &stage->world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(stage->world), JW_STATUS_OK);
  const JwPlayerDef player = {stage->scene, stage->world, NULL};
  return jw_player_create(&player, &stage->player, stage->error);
}

static void clear(Stage* stage) {
  jw_player_destroy(stage->player);
  jw_world_destroy(stage->world);
  jw_scene_destroy(stage->scene);
}

static void run(Stage* stage, float* out, uint32_t count, const JwPlayerEvent* events,
                uint32_t event_count) {
  float* const channels[1] = {out};
  const JwPlayerBlock block = {channels, NULL, count, events, event_count};
  assert_int_equal(jw_player_run(stage->player, &block), JW_STATUS_OK);
}

static double loudness(const float* samples, uint32_t count) {
  double sum = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    sum += (double)samples[i] * samples[i];
  }
  return sqrt(sum / count);
}

// Frequency by the best lag of the autocorrelation near the one wanted, between samples by a
// parabola.
static double pitch_of(const float* x, uint32_t count, double rate, double wanted) {
  double value[3] = {0}, best = -1.0, lag_best = 0.0;
  for (uint32_t lag = (uint32_t)(rate / wanted * 0.8); lag < rate / wanted * 1.25; ++lag) {
    value[0] = value[1];
    value[1] = value[2];
    value[2] = 0.0;
    for (uint32_t n = 0; n + lag < count; ++n) {
      value[2] += (double)x[n] * x[n + lag];
    }
    if (value[1] > best && value[1] > value[0] && value[1] > value[2]) {
      best = value[1];
      lag_best = lag - 1 + 0.5 * (value[0] - value[2]) / (value[0] - 2.0 * value[1] + value[2]);
    }
  }
  return rate / lag_best;
}

static float out[3 * 44100];

static void a_bowed_note_speaks_and_ends(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, bowed, ""), JW_STATUS_OK);
  run(&stage, out, 4410, NULL, 0);
  assert_true(loudness(out, 4410) == 0.0); // Muted: nothing sounds by itself
  const JwPlayerEvent on = {100, {0x90, 60, 80}, 3}, off = {0, {0x80, 60, 0}, 3};
  run(&stage, out, 44100, &on, 1);
  assert_true(loudness(out, 100) == 0.0); // The note starts at its frame
  assert_true(loudness(out + 30000, 14100) > 1e-3);
  // Middle C by tension.  Friction moves the pitch by a few cents; a wrong tuning would be 100.
  const double cents = 1200.0 * log2(pitch_of(out + 30000, 14100, 44100.0, 261.6256) / 261.6256);
  print_message("# %.1f cents from middle C\n", cents);
  assert_true(fabs(cents) < 25.0);
  const double before = loudness(out + 30000, 14100);
  run(&stage, out, 88200, &off, 1);
  // T60 2 s at 220 Hz: 60 dB down after two seconds, at least 40 here
  assert_true(loudness(out + 83790, 4410) < 0.01 * before);
  assert_true(jw_world_energy(stage.world).worst_residual < 1e-9);
  const JwPlayerFigures figures = jw_player_figures(stage.player);
  assert_int_equal(figures.notes, 1);
  assert_int_equal(figures.refused + figures.dropped + figures.unplayed, 0);
  clear(&stage);
}

static void pitch_bend_bends_by_its_range(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, bowed, ""), JW_STATUS_OK);
  const JwPlayerEvent events[] = {{0, {0x90, 60, 80}, 3}, {0, {0xe0, 127, 127}, 3}};
  run(&stage, out, 44100, events, 2);
  const double wanted = 261.6256 * pow(2.0, 2.0 / 12.0);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 30000, 14100, 44100.0, wanted) / wanted)) < 25.0);
  clear(&stage);
}

static void mono_goes_back_to_the_key_still_held(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, bowed, ""), JW_STATUS_OK);
  const JwPlayerEvent events[] = {
      {0, {0x90, 60, 80}, 3}, {22050, {0x90, 67, 80}, 3}, {66150, {0x80, 67, 0}, 3}};
  run(&stage, out, 110250, events, 3);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 55000, 11000, 44100.0, 392.0) / 392.0)) < 25.0);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 99000, 11000, 44100.0, 261.6256) / 261.6256))
              < 25.0);
  clear(&stage);
}

static void keys_pressed_again_and_again_still_sound(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, bowed, ""), JW_STATUS_OK);
  // More presses than a player can hold, none let go: on 16 channels, each key twice
  for (int i = 0; i < 1000; ++i) {
    const JwPlayerEvent on = {0, {(uint8_t)(0x90 | i / 2 % 16), (uint8_t)(48 + i / 2 % 37), 80}, 3};
    run(&stage, out, 1, &on, 1);
  }
  const JwPlayerEvent on = {0, {0x90, 60, 80}, 3}, off = {0, {0x80, 60, 0}, 3};
  run(&stage, out, 44100, &on, 1);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 30000, 14100, 44100.0, 261.6256) / 261.6256))
              < 25.0);
  assert_int_equal(jw_player_figures(stage.player).notes, 1001);
  assert_int_equal(jw_player_figures(stage.player).unplayed, 0);
  // Let go once, it is gone, however often it was pressed: the one before it sounds again
  run(&stage, out, 44100, &off, 1);
  const double last = 440.0 * pow(2.0, (48 + 499 % 37 - 69) / 12.0);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 30000, 14100, 44100.0, last) / last)) < 25.0);
  clear(&stage);
}

static void a_plucked_note_takes_the_nearest_string(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, plucked, ""), JW_STATUS_OK);
  static const int keys[3] = {47, 52, 57}; // B2, E3, A3: nearest are C3, E3, G3
  static const double pitches[3] = {130.8128, 164.8138, 195.9977};
  for (int i = 0; i < 3; ++i) {
    jw_world_reset(stage.world);
    const JwPlayerEvent events[] = {{0, {0x90, (uint8_t)keys[i], 100}, 3},
                                    {20000, {0x80, (uint8_t)keys[i], 0}, 3}};
    run(&stage, out, 22050, events, 2);
    // The stiffness of these strings sharpens them by under a cent; the parabola errs by a few
    assert_true(fabs(1200.0 * log2(pitch_of(out + 4000, 18000, 44100.0, pitches[i]) / pitches[i]))
                < 10.0);
  }
  clear(&stage);
}

static void blocks_of_any_size_give_the_same_samples(void** state) {
  (void)state;
  static float other[22050];
  Stage stage;
  const JwPlayerEvent events[] = {
      {1000, {0x90, 60, 80}, 3}, {9000, {0xd0, 100, 0}, 2}, {15000, {0x80, 60, 0}, 3}};
  assert_int_equal(set(&stage, bowed, ""), JW_STATUS_OK);
  run(&stage, out, 22050, events, 3);
  clear(&stage);
  assert_int_equal(set(&stage, bowed, ""), JW_STATUS_OK);
  for (uint32_t at = 0, next = 0; at < 22050;) {
    const uint32_t count = at + 37 < 22050 ? 37 : 22050 - at;
    JwPlayerEvent event = {0};
    const bool here = next < 3 && events[next].frame < at + count;
    if (here) {
      event = events[next++];
      event.frame -= at;
    }
    run(&stage, other + at, count, &event, here);
    at += count;
  }
  assert_memory_equal(out, other, sizeof other);
  clear(&stage);
}

// ---------------------------------------------------------------- the section

static void a_controller_moves_what_the_section_says(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(
      set(&stage, bowed,
          ", \"play\": { \"controls\": [ { \"from\": \"cc20\", \"to\": \"ear.gain\", \"range\": [0, 2], \"over\": 0 } ] }"),
      JW_STATUS_OK);
  const JwPlayerEvent events[] = {{0, {0x90, 60, 80}, 3}, {30000, {0xb0, 20, 0}, 3}};
  run(&stage, out, 44100, events, 2);
  assert_true(loudness(out + 20000, 10000) > 0.0);
  assert_true(loudness(out + 30001, 14000) == 0.0);
  clear(&stage);
}

// MPE: a bend of channel 3 is of 48 semitones at its end and moves channel 3's note alone; channel
// 1's adds 2.
static void mpe_bends_a_note_by_its_own_channel(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, bowed, ", \"play\": { \"mpe\": true }"), JW_STATUS_OK);
  // 8192 + 8191 x 5/48 is five semitones up; channel 2 has no note
  const int five = 8192 + 8191 * 5 / 48;
  const JwPlayerEvent events[] = {{0, {0x92, 60, 80}, 3},
                                  {0, {0xe1, 127, 127}, 3},
                                  {0, {0xe2, (uint8_t)(five & 127), (uint8_t)(five >> 7)}, 3},
                                  {44100, {0xe0, 127, 127}, 3}};
  run(&stage, out, 88200, events, 4);
  const double own = 261.6256 * pow(2.0, 5.0 / 12.0), both = 261.6256 * pow(2.0, 7.0 / 12.0);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 30000, 14000, 44100.0, own) / own)) < 25.0);
  assert_true(fabs(1200.0 * log2(pitch_of(out + 74100, 14000, 44100.0, both) / both)) < 25.0);
  clear(&stage);
}

// Each kind of source moves its own pickup's gain from 0 to 1, and nothing else does.
static void every_source_moves_its_control(void** state) {
  (void)state;
  static const struct {
    const char* from;
    JwPlayerEvent event;
  } sources[] = {
      {"pressure", {0, {0xd0, 127, 0}, 2}},    {"pressure", {0, {0xa0, 60, 127}, 3}},
      {"mod", {0, {0xb0, 1, 127}, 3}},         {"breath", {0, {0xb0, 2, 127}, 3}},
      {"expression", {0, {0xb0, 11, 127}, 3}}, {"slide", {0, {0xb0, 74, 127}, 3}},
      {"cc99", {0, {0xb0, 99, 127}, 3}},       {"bend", {0, {0xe0, 127, 127}, 3}},
      {"velocity", {0, {0x90, 60, 127}, 3}},   {"note", {0, {0x90, 127, 80}, 3}},
  };
  for (size_t i = 0; i < sizeof sources / sizeof *sources; ++i) {
    char section[200];
    snprintf(
        section, sizeof section,
        ", \"play\": { \"controls\": [ { \"from\": \"%s\", \"to\": \"ear.gain\", \"range\": [0, 1], "
        "\"over\": 0 }, { \"from\": \"cc3\", \"to\": \"ear.gain\", \"range\": [0, 1], \"over\": 0 } ] }",
        sources[i].from);
    Stage stage;
    assert_int_equal(set(&stage, bowed, section), JW_STATUS_OK);
    const JwPlayerEvent before[] = {{0, {0x90, 60, 80}, 3}, {22050, {0xb0, 3, 0}, 3}};
    run(&stage, out, 30000, before, 2);
    assert_true(loudness(out + 22051, 7949) == 0.0);
    run(&stage, out, 8000, &sources[i].event, 1);
    assert_true(loudness(out + 4000, 4000) > 0.0);
    clear(&stage);
  }
}

static void any_message_is_survived(void** state) {
  (void)state;
  Stage stage;
  assert_int_equal(set(&stage, bowed, ", \"play\": { \"mpe\": true }"), JW_STATUS_OK);
  uint64_t random = 12345;
  for (int i = 0; i < 3000; ++i) {
    JwPlayerEvent events[4];
    for (int e = 0; e < 4; ++e) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      events[e] = (JwPlayerEvent){
          (uint32_t)e * 2,
          {(uint8_t)(random >> 40), (uint8_t)(random >> 48 & 127), (uint8_t)(random >> 56 & 127)},
          (uint8_t)(1 + (random >> 33) % 3)};
    }
    run(&stage, out, 8, events, 4);
  }
  assert_true(isfinite(loudness(out, 8)));
  assert_true(jw_world_energy(stage.world).worst_residual < 1e-9);
  assert_true(jw_player_figures(stage.player).notes > 100);
  clear(&stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tempo_and_running_status_give_seconds),
      cmocka_unit_test(a_broken_file_is_refused_with_its_byte),
      cmocka_unit_test(every_fault_of_a_file_has_its_sentence),
      cmocka_unit_test(films_have_their_own_time),
      cmocka_unit_test(every_fault_of_a_tuning_has_its_sentence),
      cmocka_unit_test(a_map_goes_both_ways_from_its_middle),
      cmocka_unit_test(octaves_are_right_to_the_last_bits),
      cmocka_unit_test(equal_steps_give_440_hz),
      cmocka_unit_test(a_scala_scale_and_map_give_their_frequencies),
      cmocka_unit_test(a_broken_scale_is_refused_with_its_line),
      cmocka_unit_test(a_bowed_note_speaks_and_ends),
      cmocka_unit_test(pitch_bend_bends_by_its_range),
      cmocka_unit_test(mono_goes_back_to_the_key_still_held),
      cmocka_unit_test(keys_pressed_again_and_again_still_sound),
      cmocka_unit_test(a_plucked_note_takes_the_nearest_string),
      cmocka_unit_test(blocks_of_any_size_give_the_same_samples),
      cmocka_unit_test(a_controller_moves_what_the_section_says),
      cmocka_unit_test(mpe_bends_a_note_by_its_own_channel),
      cmocka_unit_test(every_source_moves_its_control),
      cmocka_unit_test(any_message_is_survived),
  };
  return cmocka_run_group_tests_name("play", tests, NULL, NULL);
}
