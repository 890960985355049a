// SPDX-License-Identifier: MIT
// The LV2 library as a host uses it: the samples are those of an instrument, whatever the blocks.
//   test_lv2 LIBRARY

#include "kit.h"
#include "ports.h"
#include "words.h"

#include <jawari/builtin.h>

#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/state/state.h>

#include <dlfcn.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RATE 48000.0
#define FRAMES 36000u
#define MOST_CONTROLS 16

// ---------------------------------------------------------------- a host

static const char* library_path;
static char folder[] = "/tmp/test_lv2.XXXXXX";
static char logged[4096];

static int log_list(LV2_Log_Handle handle, LV2_URID type, const char* format, va_list list) {
  (void)handle;
  assert_int_equal(type, words_map(NULL, LV2_LOG__Error));
  return vsnprintf(logged, sizeof logged, format, list);
}

static int log_line(LV2_Log_Handle handle, LV2_URID type, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int size = log_list(handle, type, format, list);
  va_end(list);
  return size;
}

static LV2_URID_Map mapper = {NULL, words_map};
static LV2_Log_Log logger = {NULL, log_line, log_list};
static const LV2_Feature map_feature = {LV2_URID__map, &mapper},
                         log_feature = {LV2_LOG__log, &logger};
static const LV2_Feature* const features[] = {&map_feature, &log_feature, NULL};

typedef struct {
  void* loaded;
  const LV2_Lib_Descriptor* about;
} Library;

static Library open_library(void) {
  Library library = {dlopen(library_path, RTLD_NOW | RTLD_LOCAL), NULL};
  assert_non_null(library.loaded);
  union {
    void* from;
    LV2_Lib_Descriptor_Function to;
  } entry = {dlsym(library.loaded, "lv2_lib_descriptor")};
  assert_non_null(entry.from);
  library.about = entry.to(folder, features);
  assert_non_null(library.about);
  return library;
}

static void close_library(Library* library) {
  library->about->cleanup(library->about->handle);
  dlclose(library->loaded);
}

static const LV2_Descriptor* find(const Library* library, const char* uri) {
  for (uint32_t i = 0;; ++i) {
    const LV2_Descriptor* const about = library->about->get_plugin(library->about->handle, i);
    if (!about || strcmp(about->URI, uri) == 0) {
      return about;
    }
  }
}

// An instance with its ports.
typedef struct {
  const LV2_Descriptor* about;
  LV2_Handle handle;
  float latency, controls[MOST_CONTROLS];
  Words events;
} Instance;

static Instance* make(const Library* library, const char* uri, double rate) {
  Instance* const instance = (Instance*)calloc(1, sizeof *instance);
  instance->about = find(library, uri);
  assert_non_null(instance->about);
  instance->handle = instance->about->instantiate(instance->about, rate, folder, features);
  if (!instance->handle) {
    print_message("# %s\n", logged);
  }
  assert_non_null(instance->handle);
  instance->about->connect_port(instance->handle, JW_LV2_EVENTS, &instance->events);
  instance->about->connect_port(instance->handle, JW_LV2_LATENCY, &instance->latency);
  for (uint32_t i = 0; i < MOST_CONTROLS; ++i) {
    instance->controls[i] = NAN; // Not taken: it stays where it starts
    instance->about->connect_port(instance->handle, JW_LV2_CONTROLS + i, &instance->controls[i]);
  }
  instance->about->activate(instance->handle);
  return instance;
}

static void destroy(Instance* instance) {
  instance->about->cleanup(instance->handle);
  free(instance);
}

static void add_event(Instance* instance, uint32_t frame, const JwPlayerEvent* from) {
  words_add(&instance->events, frame, from->data, from->size);
}

static void no_events(Instance* instance) {
  words_clear(&instance->events);
}

static void run(Instance* instance, float* left, float* right, uint32_t count) {
  instance->about->connect_port(instance->handle, JW_LV2_LEFT, left);
  instance->about->connect_port(instance->handle, JW_LV2_RIGHT, right);
  instance->about->run(instance->handle, count);
}

// Chords, bends, pressure and controllers; an MPE zone is opened on the way.
static const JwPlayerEvent song[] = {
    {0, {0x90, 57, 90}, 3},    {700, {0xe0, 0, 80}, 3},     {1000, {0x90, 64, 100}, 3},
    {1001, {0xb0, 1, 30}, 3},  {2500, {0xd0, 100, 0}, 2},   {3000, {0x80, 57, 0}, 3},
    {4111, {0x80, 64, 0}, 3},  {5000, {0xb0, 101, 0}, 3},   {5000, {0xb0, 100, 6}, 3},
    {5000, {0xb0, 6, 15}, 3},  {9000, {0x91, 60, 70}, 3},   {9000, {0x92, 64, 70}, 3},
    {9600, {0xe1, 0, 70}, 3},  {9700, {0xe2, 0, 60}, 3},    {10007, {0x81, 60, 0}, 3},
    {20000, {0x82, 64, 0}, 3}, {20001, {0x91, 69, 127}, 3}, {30000, {0x81, 69, 64}, 3}};
#define EVENTS (uint32_t)(sizeof song / sizeof *song)

// The song in blocks; `size` 0: of random sizes from 1 to 700.
static void play(Instance* instance, uint32_t size, float* left, float* right) {
  uint32_t next = 0, seed = 1;
  for (uint32_t at = 0; at < FRAMES;) {
    const uint32_t count = kit_block(size, 700, FRAMES - at, &seed);
    no_events(instance);
    for (; next < EVENTS && song[next].frame < at + count; ++next) {
      add_event(instance, song[next].frame - at, &song[next]);
    }
    run(instance, left + at, right + at, count);
    at += count;
  }
}

// The same by the kit, in one block.
static void play_reference(const char* name, double rate, float* left, float* right) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s.json", folder, name);
  kit_play(path, rate, song, EVENTS, (float* const[2]){left, right}, FRAMES);
}

static float a[2][FRAMES], b[2][FRAMES];

// ---------------------------------------------------------------- claims

static void every_scene_file_of_the_bundle_is_a_plug_in(void** state) {
  (void)state;
  Library library = open_library();
  uint32_t count = 0;
  while (library.about->get_plugin(library.about->handle, count)) {
    ++count;
  }
  assert_int_equal(count, 5);
  assert_non_null(find(&library, "urn:jawari:tromba-small"));
  assert_non_null(find(&library, "urn:jawari:over"));
  assert_null(find(&library, "urn:jawari:manifest"));
  assert_null(find(&library, "urn:jawari:tromba-smal"));
  close_library(&library);
}

static void the_samples_are_the_instruments_whatever_the_blocks(void** state) {
  (void)state;
  static const struct {
    const char* name;
    double rate;
    uint32_t size;
  } cases[] = {{"tromba-small", 48000.0, 64}, {"tromba-small", 44100.0, 0},
               {"two-strings", 96000.0, 1},   {"two-strings", 22050.0, 8192},
               {"over", 48000.0, 0},          {"over", 48000.0, 1024}};
  Library library = open_library();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char uri[64];
    snprintf(uri, sizeof uri, "urn:jawari:%s", cases[i].name);
    Instance* const instance = make(&library, uri, cases[i].rate);
    play(instance, cases[i].size, a[0], a[1]);
    play_reference(cases[i].name, cases[i].rate, b[0], b[1]);
    assert_true(kit_peak(b[0], FRAMES) > 0.1f);
    assert_memory_equal(a, b, sizeof a);
    // And again after a start, with other blocks
    instance->about->activate(instance->handle);
    play(instance, 333, a[0], a[1]);
    assert_memory_equal(a, b, sizeof a);
    destroy(instance);
  }
  close_library(&library);
}

static void the_latency_is_that_of_the_filter(void** state) {
  (void)state;
  Library library = open_library();
  Instance* const plain = make(&library, "urn:jawari:two-strings", RATE);
  Instance* const over = make(&library, "urn:jawari:over", RATE);
  no_events(plain), no_events(over);
  run(plain, a[0], a[1], 16);
  run(over, a[0], a[1], 16);
  assert_true(plain->latency == 0.0f);
  assert_true(over->latency == 40.0f);
  destroy(plain), destroy(over);
  close_library(&library);
}

static void more_events_than_fit_are_all_played(void** state) {
  (void)state;
  Library library = open_library();
  static JwPlayerEvent many[1000];
  Instance* const instance = make(&library, "urn:jawari:two-strings", RATE);
  no_events(instance);
  for (uint32_t i = 0; i < 1000; ++i) {
    const JwPlayerEvent event = {
        i < 400 ? 7 : i, {i % 2 ? 0x80 : 0x90, (uint8_t)(50 + i / 2 % 20), 100}, 3};
    many[i] = event;
    add_event(instance, event.frame, &event);
  }
  run(instance, a[0], a[1], 2000);
  JwInstrument* const instrument = kit_instrument("two-strings", RATE);
  kit_run(instrument, many, 1000, (float* const[2]){b[0], b[1]}, 2000);
  assert_int_equal(jw_instrument_figures(instrument).notes, 500);
  assert_memory_equal(a[0], b[0], 2000 * sizeof(float));
  jw_instrument_destroy(instrument);
  destroy(instance);
  close_library(&library);
}

// A step of one block to the next would be a jump of the sound by the step's share; in 20 ms it
// moves by a thousandth a sample.
static void a_control_moves_smoothly_and_its_start_is_the_scenes_own(void** state) {
  (void)state;
  Library library = open_library();
  Instance* const instance = make(&library, "urn:jawari:tromba-small", RATE);
  JwInstrument* const instrument = kit_instrument("tromba-small", RATE);
  const uint32_t gain = jw_instrument_info(instrument).controls - 1;
  for (uint32_t i = 0; i <= gain; ++i) {
    instance->controls[i] = (float)jw_instrument_control(instrument, i).initial;
  }
  assert_string_equal(jw_instrument_control(instrument, gain).name, "ear.gain");
  const JwPlayerEvent on = {0, {0x90, 40, 100}, 3};
  for (uint32_t n = 0; n < FRAMES; n += 1000) {
    const bool moves = n == 20000;
    no_events(instance);
    if (n == 0) {
      add_event(instance, 0, &on);
    }
    if (moves) {
      instance->controls[gain] = 0.25f;
      assert_int_equal(jw_instrument_set(instrument, gain, 0.25, 0.02), JW_STATUS_OK);
    }
    run(instance, a[0] + n, a[1] + n, 1000);
    kit_run(instrument, &on, n == 0, (float* const[2]){b[0] + n, b[1] + n}, 1000);
  }
  assert_memory_equal(a, b, sizeof a);
  const float before = kit_peak(a[0] + 10000, 10000), after = kit_peak(a[0] + 24000, 10000);
  assert_true(before > 0.01f && after < 0.5f * before && after > 0.0f);
  jw_instrument_destroy(instrument);
  destroy(instance);
  close_library(&library);
}

static void instances_do_not_disturb_each_other(void** state) {
  (void)state;
  Library library = open_library();
  Instance* const one = make(&library, "urn:jawari:two-strings", RATE);
  Instance* const other = make(&library, "urn:jawari:tromba-small", 44100.0);
  static float unheard[2][FRAMES];
  for (uint32_t at = 0, next = 0; at < FRAMES; at += 600) {
    no_events(one), no_events(other);
    for (; next < EVENTS && song[next].frame < at + 600; ++next) {
      add_event(one, song[next].frame - at, &song[next]);
      add_event(other, song[next].frame - at, &song[next]);
    }
    run(one, a[0] + at, a[1] + at, 600);
    run(other, unheard[0] + at, unheard[1] + at, 600);
  }
  play_reference("two-strings", RATE, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  play_reference("tromba-small", 44100.0, b[0], b[1]);
  assert_memory_equal(unheard, b, sizeof b);
  destroy(one), destroy(other);
  close_library(&library);
}

// Ardour runs plug-ins before it rolls, and lets go of everything first.  The gong's chain is not at rest.
static void what_a_host_does_before_the_first_note_is_not_heard(void** state) {
  (void)state;
  static const JwPlayerEvent panic[] = {{0, {0xb0, 123, 0}, 3}, {0, {0xb0, 120, 0}, 3},
                                        {0, {0xb0, 64, 0}, 3},  {0, {0xb0, 121, 0}, 3},
                                        {0, {0xe0, 0, 64}, 3},  {0, {0x80, 60, 64}, 3}};
  Library library = open_library();
  Instance* const instance = make(&library, "urn:jawari:gong", RATE);
  for (uint32_t i = 0; i < 20; ++i) {
    no_events(instance);
    for (uint32_t k = 0; i % 5 == 0 && k < 6; ++k) {
      add_event(instance, 3, &panic[k]);
    }
    run(instance, a[0], a[1], 1000);
    assert_true(kit_peak(a[0], 1000) == 0.0f && kit_peak(a[1], 1000) == 0.0f);
  }
  play(instance, 512, a[0], a[1]);
  play_reference("gong", RATE, b[0], b[1]);
  assert_true(kit_peak(b[0], FRAMES) > 0.1f);
  assert_memory_equal(a, b, sizeof a);
  destroy(instance);
  close_library(&library);
}

// Once it has come to rest nothing may be computed: a minute in blocks of 64 within a thousandth of its time.
static void silence_costs_less_than_a_thousandth_of_a_core(void** state) {
  (void)state;
  Library library = open_library();
  static const char* const uris[] = {"urn:jawari:two-strings", "urn:jawari:gong"};
  for (size_t k = 0; k < 2; ++k) {
    Instance* const instance = make(&library, uris[k], RATE);
    const JwPlayerEvent on = {0, {0x90, 60, 100}, 3}, off = {1, {0x80, 60, 0}, 3};
    no_events(instance);
    add_event(instance, 0, &on), add_event(instance, 1, &off);
    run(instance, a[0], a[1], 4800);
    assert_true(kit_peak(a[0], 4800) > 0.01f);
    no_events(instance);
    uint32_t seconds = 0;
    for (float peak = 1.0f; peak > 0.0f; ++seconds) {
      assert_true(seconds < 60);
      peak = 0.0f;
      for (uint32_t i = 0; i < 750; ++i) {
        run(instance, a[0], a[1], 64);
        peak = fmaxf(peak, kit_peak(a[0], 64));
      }
    }
    // What is silent as a float, below 1e-37, still has energy for some seconds, down to 1e-36 J
    for (uint32_t i = 0; i < 15 * 750; ++i) {
      run(instance, a[0], a[1], 64);
    }
    const double from = chance_cpu();
    for (uint32_t i = 0; i < 45000; ++i) {
      run(instance, a[0], a[1], 64);
    }
    const double spent = chance_cpu() - from;
    print_message("# %s: %.4f %% of a core, %u s after a note\n", uris[k], 100.0 * spent / 60.0,
                  seconds);
    assert_true(spent < 0.06);
    add_event(instance, 0, &on), add_event(instance, 1, &off);
    run(instance, a[0], a[1], 4800);
    assert_true(kit_peak(a[0], 4800) > 0.01f);
    destroy(instance);
  }
  close_library(&library);
}

// ---------------------------------------------------------------- state

static char kept[65536];
static size_t kept_size;

static LV2_State_Status store(LV2_State_Handle handle, uint32_t key, const void* value, size_t size,
                              uint32_t type, uint32_t flags) {
  (void)handle;
  assert_int_equal(key, words_map(NULL, "urn:jawari:state#scene"));
  assert_int_equal(type, words_map(NULL, LV2_ATOM__String));
  assert_int_equal(flags, LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
  assert_true(size <= sizeof kept);
  memcpy(kept, value, size);
  kept_size = size;
  return LV2_STATE_SUCCESS;
}

static const void* retrieve(LV2_State_Handle handle, uint32_t key, size_t* size, uint32_t* type,
                            uint32_t* flags) {
  (void)handle;
  *size = kept_size;
  *type = words_map(NULL, LV2_ATOM__String);
  *flags = LV2_STATE_IS_POD;
  return key == words_map(NULL, "urn:jawari:state#scene") && kept_size ? kept : NULL;
}

static const LV2_State_Interface* state_of(const Instance* instance) {
  return (const LV2_State_Interface*)instance->about->extension_data(LV2_STATE__interface);
}

static void a_session_brings_its_scene_with_it(void** state) {
  (void)state;
  Library library = open_library();
  Instance* const from = make(&library, "urn:jawari:tromba-small", RATE);
  Instance* const to = make(&library, "urn:jawari:two-strings", RATE);
  assert_null(from->about->extension_data("urn:other"));
  assert_int_equal(state_of(from)->save(from->handle, store, NULL, 0, features), LV2_STATE_SUCCESS);
  assert_non_null(strstr(kept, jw_builtin_find("tromba-small")->text));
  assert_int_equal(state_of(to)->restore(to->handle, retrieve, NULL, 0, features),
                   LV2_STATE_SUCCESS);
  play(to, 512, a[0], a[1]);
  play_reference("tromba-small", RATE, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  destroy(from), destroy(to);
  close_library(&library);
}

static void what_a_scene_includes_travels_too(void** state) {
  (void)state;
  Library library = open_library();
  Instance* const from = make(&library, "urn:jawari:over", RATE);
  Instance* const to = make(&library, "urn:jawari:two-strings", RATE);
  assert_int_equal(state_of(from)->save(from->handle, store, NULL, 0, features), LV2_STATE_SUCCESS);
  char path[256];
  snprintf(path, sizeof path, "%s/part.txt", folder);
  assert_int_equal(unlink(path), 0); // As on another machine
  const LV2_State_Status status = state_of(to)->restore(to->handle, retrieve, NULL, 0, features);
  kit_put(
      folder, "part.txt",
      "{ \"jawari\": 1, \"objects\": { \"m\": { \"kind\": \"mass\", \"mass\": 1e-3, \"frequency\": 300 } } }");
  assert_int_equal(status, LV2_STATE_SUCCESS);
  play(to, 512, a[0], a[1]);
  play_reference("over", RATE, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  destroy(from), destroy(to);
  close_library(&library);
}

static void a_bad_state_is_refused_and_changes_nothing(void** state) {
  (void)state;
  static const char* const bad[] = {"",
                                    "nonsense",
                                    "jawari-pack 1\n",
                                    "jawari-pack 1\n99 x\n{}\n",
                                    "jawari-pack 1\n3 x\n{}\n",
                                    "jawari-pack 1\n1 \n{\n",
                                    "jawari-pack 1\n15 x.json\n{ \"jawari\": 1 }\n",
                                    "jawari-pack 1\n999999999999 x\n{}\n"};
  Library library = open_library();
  Instance* const instance = make(&library, "urn:jawari:two-strings", RATE);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    logged[0] = 0;
    kept_size = strlen(bad[i]) + 1;
    memcpy(kept, bad[i], kept_size);
    assert_int_not_equal(state_of(instance)->restore(instance->handle, retrieve, NULL, 0, features),
                         LV2_STATE_SUCCESS);
    print_message("# %s", logged);
    assert_non_null(strstr(logged, "scene"));
  }
  kept_size = 3; // Not ended
  memcpy(kept, "abc", 3);
  assert_int_equal(state_of(instance)->restore(instance->handle, retrieve, NULL, 0, features),
                   LV2_STATE_ERR_BAD_TYPE);
  kept_size = 0; // None: a preset
  assert_int_equal(state_of(instance)->restore(instance->handle, retrieve, NULL, 0, features),
                   LV2_STATE_SUCCESS);
  play(instance, 512, a[0], a[1]);
  play_reference("two-strings", RATE, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  destroy(instance);
  close_library(&library);
}

static void a_hostile_scene_is_refused_in_the_hosts_log(void** state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"{", "hostile.json:1:2"},
      {"{ \"jawari\": 1, \"objects\": { \"m\": { \"kind\": \"mas\", \"mass\": 1 } } }", "mass"},
      {"{ \"jawari\": 1, \"objects\": { \"p\": { \"kind\": \"plate\", \"size\": [1e3, 1e3], \"thickness\": 1e-6, "
       "\"material\": \"steel\" } } }",
       "hostile.json:1:"},
      {"{ \"jawari\": 1, \"include\": [\"/etc/passwd\"] }", "include"},
      {"{ \"jawari\": 1, \"include\": [\"hostile.json\"] }", "include"},
      {"{ \"jawari\": 1, \"objects\": { \"m\": { \"kind\": \"mass\", \"mass\": 1 } } }",
       "nothing to play"},
  };
  Library library = open_library();
  const LV2_Descriptor* const about = find(&library, "urn:jawari:hostile");
  assert_non_null(about);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    logged[0] = 0;
    kit_put(folder, "hostile.json", cases[i].text);
    assert_null(about->instantiate(about, RATE, folder, features));
    print_message("# %s", logged);
    assert_non_null(strstr(logged, "urn:jawari:hostile"));
    assert_non_null(strstr(logged, cases[i].says));
  }
  static const LV2_Feature* const none[] = {NULL};
  assert_null(about->instantiate(about, RATE, folder, none));
  close_library(&library);
}

static void the_locale_makes_no_difference(void** state) {
  (void)state;
  char text[16];
  assert_non_null(setlocale(LC_ALL, ""));
  snprintf(text, sizeof text, "%g", 0.5);
  print_message("# 0.5 is printed as %s\n", text);
  Library library = open_library();
  Instance* const instance = make(&library, "urn:jawari:tromba-small", RATE);
  play(instance, 512, a[0], a[1]);
  assert_int_equal(state_of(instance)->save(instance->handle, store, NULL, 0, features),
                   LV2_STATE_SUCCESS);
  setlocale(LC_ALL, "C");
  play_reference("tromba-small", RATE, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  setlocale(LC_ALL, "");
  Instance* const other = make(&library, "urn:jawari:two-strings", RATE);
  assert_int_equal(state_of(other)->restore(other->handle, retrieve, NULL, 0, features),
                   LV2_STATE_SUCCESS);
  play(other, 512, a[0], a[1]);
  assert_memory_equal(a, b, sizeof a);
  setlocale(LC_ALL, "C");
  destroy(instance), destroy(other);
  close_library(&library);
}

static int set_up(void** state) {
  (void)state;
  assert_non_null(mkdtemp(folder));
  kit_put(folder, "tromba-small.json", jw_builtin_find("tromba-small")->text);
  kit_put(folder, "two-strings.json", jw_builtin_find("two-strings")->text);
  kit_put(folder, "gong.json", jw_builtin_find("gong")->text);
  kit_put(folder, "hostile.json", "{");
  kit_put(folder, "manifest.ttl", "");
  kit_put(
      folder, "part.txt",
      "{ \"jawari\": 1, \"objects\": { \"m\": { \"kind\": \"mass\", \"mass\": 1e-3, \"frequency\": 300 } } }");
  kit_put(
      folder, "over.json",
      "{ \"jawari\": 1, \"include\": [\"part.txt\"], \"oversample\": 2,\n"
      "  \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 0.6, \"radius\": 3e-4, \"material\": \"nylon\",\n"
      "    \"frequency\": \"A3\", \"bend\": 2, \"loss\": [6, 1e-3], \"points\": 16 } },\n"
      "  \"contacts\": [ { \"law\": \"spring\", \"between\": [\"m\", \"s@0.9\"], \"linear\": 100 } ],\n"
      "  \"score\": [ { \"at\": 0, \"pluck\": \"s@0.2\", \"amplitude\": 3, \"duration\": 0.003 } ],\n"
      "  \"pickups\": [ { \"at\": \"s@0.9\", \"gain\": \"auto\" } ] }");
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  static const char* const names[] = {"tromba-small.json", "two-strings.json", "gong.json",
                                      "hostile.json",      "manifest.ttl",     "part.txt",
                                      "over.json"};
  kit_remove(folder, names, sizeof names / sizeof *names);
  return rmdir(folder);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  library_path = argv[1];
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(every_scene_file_of_the_bundle_is_a_plug_in),
      cmocka_unit_test(the_samples_are_the_instruments_whatever_the_blocks),
      cmocka_unit_test(the_latency_is_that_of_the_filter),
      cmocka_unit_test(more_events_than_fit_are_all_played),
      cmocka_unit_test(a_control_moves_smoothly_and_its_start_is_the_scenes_own),
      cmocka_unit_test(instances_do_not_disturb_each_other),
      cmocka_unit_test(what_a_host_does_before_the_first_note_is_not_heard),
      cmocka_unit_test(silence_costs_less_than_a_thousandth_of_a_core),
      cmocka_unit_test(a_session_brings_its_scene_with_it),
      cmocka_unit_test(what_a_scene_includes_travels_too),
      cmocka_unit_test(a_bad_state_is_refused_and_changes_nothing),
      cmocka_unit_test(a_hostile_scene_is_refused_in_the_hosts_log),
      cmocka_unit_test(the_locale_makes_no_difference),
  };
  return cmocka_run_group_tests(claims, set_up, tear_down);
}
