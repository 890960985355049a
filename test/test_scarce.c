// SPDX-License-Identifier: MIT
// What plays a scene, where memory ends at the first, the second, ... of all requests: it is refused with
// a sentence every time, nothing is left behind (make sanitize), and with enough memory it plays.
//
// The linker hands every malloc, calloc and realloc of the library to the functions here.

#include "test.h"

#include <jawari/play.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* memory, size_t size);

static long left = -1; // Requests that are granted; -1: all

static bool granted(void) {
  left -= left > 0;
  return left != 0;
}

void* __wrap_malloc(size_t size) {
  return granted() ? __real_malloc(size) : NULL;
}

void* __wrap_calloc(size_t count, size_t size) {
  return granted() ? __real_calloc(count, size) : NULL;
}

void* __wrap_realloc(void* memory, size_t size) {
  return granted() ? __real_realloc(memory, size) : NULL;
}

// ---------------------------------------------------------------- what is asked for

static const char scene[] =
    "{ \"jawari\": 1, \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 0.6, \"radius\": 3e-4,"
    " \"frequency\": \"A3\", \"bend\": 2, \"loss\": [1, 1e-3] } },"
    " \"score\": [ { \"pluck\": \"s@0.3\", \"name\": \"a\" }, { \"note\": \"A3\", \"on\": \"a\", \"glide\": [[0, -100], [0.1, 0]] } ],"
    " \"pickups\": [ { \"at\": \"s@0.9\", \"gain\": \"auto\" } ], \"play\": { \"controls\": [ { \"from\": \"mod\", \"to\": \"a.x\", \"range\": [0.1, 0.5] } ] } }";
static const uint8_t midi[] = {'M', 'T', 'h', 'd', 0, 0, 0, 6, 0,    0,  0,  1, 0,    96,   'M',
                               'T', 'r', 'k', 0,   0, 0, 8, 0, 0x90, 60, 90, 0, 0xff, 0x2f, 0};
static const char scale[] = "two\n2\n3/2\n2/1\n", map[] = "1\n0\n127\n60\n60\n261\n1\n0\n";

typedef JwStatus Request(char error[JW_ERROR_SIZE]);

static JwStatus ask_for_a_song(char error[JW_ERROR_SIZE]) {
  JwSong song;
  const JwStatus status = jw_song_parse(midi, sizeof midi, &song, error);
  assert_true((status == JW_STATUS_OK) == (song.count == 1));
  jw_song_release(&song);
  return status;
}

static JwStatus ask_for_a_tuning(char error[JW_ERROR_SIZE]) {
  JwTuning tuning;
  return jw_tuning_parse(scale, map, &tuning, error);
}

static JwStatus ask_for_an_instrument(char error[JW_ERROR_SIZE]) {
  JwInstrumentDef def = jw_instrument_default();
  def.text = scene;
  def.size = sizeof scene - 1;
  def.score = true;
  def.oversample = 2;
  JwInstrument* instrument = NULL;
  const JwStatus status = jw_instrument_create(&def, &instrument);
  if (status) {
    // Where not even the instrument could be had, there is nobody who could say why
    snprintf(error, JW_ERROR_SIZE, "%s",
             instrument ? jw_instrument_error(instrument) : "no memory");
  } else {
    float block[64], *channels[2] = {block, block};
    const JwPlayerBlock played = {channels, NULL, 64, NULL, 0};
    assert_int_equal(jw_instrument_run(instrument, &played), JW_STATUS_OK);
  }
  jw_instrument_destroy(instrument);
  return status;
}

// ---------------------------------------------------------------- all of it, with less and less

static void refused_until_there_is_enough(Request* request, long least) {
  for (long n = 1;; ++n) {
    char error[JW_ERROR_SIZE] = "";
    left = n;
    const JwStatus status = request(error);
    const bool enough = left > 0;
    left = -1;
    if (enough) {
      assert_string_equal(error, "");
      assert_int_equal(status, JW_STATUS_OK);
      assert_true(n > least); // So many requests at least were refused in turn
      print_message("# %ld requests\n", n - 1);
      return;
    }
    if (status != JW_STATUS_NO_MEMORY || !strstr(error, "memory")) {
      fail_msg("request %ld refused: status %d, \"%s\"", n, (int)status, error);
    }
  }
}

static void a_song_without_memory_is_refused(void** state) {
  (void)state;
  refused_until_there_is_enough(ask_for_a_song, 2);
}

static void a_tuning_without_memory_is_refused(void** state) {
  (void)state;
  refused_until_there_is_enough(ask_for_a_tuning, 2);
}

static void an_instrument_without_memory_is_refused(void** state) {
  (void)state;
  refused_until_there_is_enough(ask_for_an_instrument, 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_song_without_memory_is_refused),
      cmocka_unit_test(a_tuning_without_memory_is_refused),
      cmocka_unit_test(an_instrument_without_memory_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
