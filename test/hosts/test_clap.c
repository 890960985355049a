// SPDX-License-Identifier: MIT
// The CLAP library in a small host that makes a validator's checks.
//   test_clap LIBRARY

// realpath belongs to POSIX with its extensions.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700

#include "abi.h"
#include "test.h"

#include <jawari/builtin.h>
#include <jawari/play.h>

#include <dlfcn.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FRAMES 30000u

static const char* library_path;
static char folder[] = "/tmp/test_clap.XXXXXX", copy[128];
static char logged[1024];
static int restarts;

// ---------------------------------------------------------------- a host

static void host_log(const clap_host_t* host, int32_t severity, const char* message) {
  (void)host;
  assert_int_equal(severity, CLAP_LOG_ERROR);
  snprintf(logged, sizeof logged, "%s", message);
}
static const void* host_extension(const clap_host_t* host, const char* id) {
  (void)host;
  static const clap_host_log_t log = {host_log};
  return strcmp(id, CLAP_EXT_LOG) == 0 ? &log : NULL;
}
static void host_restart(const clap_host_t* host) {
  (void)host;
  ++restarts;
}
static void host_ignore(const clap_host_t* host) {
  (void)host;
}
static const clap_host_t host = {CLAP_VERSION_INIT, NULL,         "test",      "",         "", "",
                                 host_extension,    host_restart, host_ignore, host_ignore};

static void* loaded;
static const clap_plugin_entry_t* entry;
static const clap_plugin_factory_t* factory;

static int open_library(void** state) {
  (void)state;
  loaded = dlopen(copy, RTLD_NOW | RTLD_LOCAL);
  assert_non_null(loaded);
  entry = (const clap_plugin_entry_t*)dlsym(loaded, "clap_entry");
  assert_non_null(entry);
  assert_true(entry->init(copy));
  factory = (const clap_plugin_factory_t*)entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
  assert_non_null(factory);
  return 0;
}

static int close_library(void** state) {
  (void)state;
  entry->deinit();
  return dlclose(loaded);
}

static const clap_plugin_t* make(const char* id) {
  const clap_plugin_t* const plugin = factory->create_plugin(factory, &host, id);
  assert_non_null(plugin);
  assert_true(plugin->init(plugin));
  return plugin;
}

static void start(const clap_plugin_t* plugin, double rate) {
  assert_true(plugin->activate(plugin, rate, 1, 8192));
  assert_true(plugin->start_processing(plugin));
}

static void stop(const clap_plugin_t* plugin) {
  plugin->stop_processing(plugin);
  plugin->deactivate(plugin);
}

// What comes in, and what goes out.
typedef union {
  clap_event_header_t header;
  clap_event_note_t note;
  clap_event_note_expression_t expression;
  clap_event_param_value_t value;
  clap_event_param_mod_t mod;
  clap_event_midi_t midi;
} Event;

typedef struct {
  Event events[1024];
  uint32_t count;
} Events;

static Events in, out;

static uint32_t in_size(const clap_input_events_t* list) {
  return ((const Events*)list->ctx)->count;
}
static const clap_event_header_t* in_get(const clap_input_events_t* list, uint32_t index) {
  return &((const Events*)list->ctx)->events[index].header;
}
static bool out_push(const clap_output_events_t* list, const clap_event_header_t* event) {
  Events* const events = (Events*)list->ctx;
  assert_true(events->count < 1024 && event->size <= sizeof(Event));
  memcpy(&events->events[events->count++], event, event->size);
  return true;
}

static Event* add(uint16_t type, uint32_t time, uint32_t size) {
  Event* const event = &in.events[in.count++];
  memset(event, 0, sizeof *event);
  event->header.size = size;
  event->header.time = time;
  event->header.space_id = CLAP_CORE_EVENT_SPACE_ID;
  event->header.type = type;
  return event;
}
static void add_note(uint16_t type, uint32_t time, int16_t key, int32_t id, double velocity) {
  Event* const event = add(type, time, sizeof(clap_event_note_t));
  event->note.key = key;
  event->note.note_id = id;
  event->note.velocity = velocity;
}
static void add_midi(uint32_t time, const uint8_t* data) {
  Event* const event = add(CLAP_EVENT_MIDI, time, sizeof(clap_event_midi_t));
  memcpy(event->midi.data, data, 3);
}

static clap_process_status run(const clap_plugin_t* plugin, float* left, float* right,
                               uint32_t count) {
  float* data[2] = {left, right};
  clap_audio_buffer_t buffer = {data, NULL, 2, 0, 0};
  const clap_input_events_t inputs = {&in, in_size, in_get};
  const clap_output_events_t outputs = {&out, out_push};
  clap_process_t process = {.frames_count = count,
                            .audio_outputs = &buffer,
                            .audio_outputs_count = 1,
                            .in_events = &inputs,
                            .out_events = &outputs};
  out.count = 0;
  const clap_process_status status = plugin->process(plugin, &process);
  in.count = 0;
  return status;
}

static const JwPlayerEvent song[] = {{0, {0x90, 57, 90}, 3},     {700, {0xe0, 0, 80}, 3},
                                     {1000, {0x90, 64, 100}, 3}, {1001, {0xb0, 1, 30}, 3},
                                     {2500, {0xd0, 100, 0}, 2},  {3000, {0x80, 57, 0}, 3},
                                     {4111, {0x80, 64, 0}, 3},   {20001, {0x90, 69, 127}, 3}};
#define EVENTS (uint32_t)(sizeof song / sizeof *song)

// As MIDI in blocks; `size` 0: of random sizes.
static void play(const clap_plugin_t* plugin, uint32_t size, float* left, float* right) {
  uint32_t next = 0, seed = 7;
  for (uint32_t at = 0; at < FRAMES;) {
    seed = seed * 1664525u + 1013904223u;
    uint32_t count = size ? size : 1 + (seed >> 16) % 900;
    count = count < FRAMES - at ? count : FRAMES - at;
    for (; next < EVENTS && song[next].frame < at + count; ++next) {
      add_midi(song[next].frame - at, song[next].data);
    }
    assert_int_not_equal(run(plugin, left + at, right + at, count), CLAP_PROCESS_ERROR);
    at += count;
  }
}

static JwInstrument* reference(const char* name, double rate) {
  JwInstrumentDef def = jw_instrument_default();
  JwInstrument* instrument = NULL;
  def.name = name, def.rate = rate, def.channels = JW_CHANNELS_STEREO;
  assert_int_equal(jw_instrument_create(&def, &instrument), JW_STATUS_OK);
  return instrument;
}

static void play_reference(const char* name, double rate, float* left, float* right) {
  JwInstrument* const instrument = reference(name, rate);
  float* const to[2] = {left, right};
  const JwPlayerBlock block = {to, NULL, FRAMES, song, EVENTS};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  jw_instrument_destroy(instrument);
}

static float peak_of(const float* samples, uint32_t count) {
  float peak = 0.0f;
  for (uint32_t i = 0; i < count; ++i) {
    peak = fmaxf(peak, fabsf(samples[i]));
  }
  return peak;
}

static float a[2][FRAMES], b[2][FRAMES];

// ---------------------------------------------------------------- the library

static void what_it_has_can_be_made_and_nothing_else(void** state) {
  (void)state;
  const uint32_t count = factory->get_plugin_count(factory);
  assert_true(count >= 12);
  assert_null(factory->get_plugin_descriptor(factory, count));
  assert_null(factory->create_plugin(factory, &host, "jawari.none"));
  assert_null(factory->create_plugin(factory, &host, ""));
  assert_null(factory->create_plugin(factory, &host, "jawari.tromba-small "));
  assert_null(entry->get_factory("clap.other"));
  clap_host_t old = host;
  old.clap_version.major = 0;
  assert_null(factory->create_plugin(factory, &old, "jawari.tromba-small"));
  for (uint32_t i = 0; i < count; ++i) {
    const clap_plugin_descriptor_t* const about = factory->get_plugin_descriptor(factory, i);
    assert_true(about->id[0] && about->name[0] && about->vendor[0]);
    assert_string_equal(about->version, jw_version());
    assert_string_equal(about->features[0], CLAP_PLUGIN_FEATURE_INSTRUMENT);
    const clap_plugin_t* const plugin = factory->create_plugin(factory, &host, about->id);
    assert_non_null(plugin);
    assert_ptr_equal(plugin->desc, about);
    plugin->destroy(plugin); // Without init, as hosts do that only scan
    for (uint32_t k = 0; k < i; ++k) {
      assert_string_not_equal(about->id, factory->get_plugin_descriptor(factory, k)->id);
    }
  }
}

static void scanning_takes_less_than_a_tenth_of_a_second(void** state) {
  (void)state;
  struct timespec from, to;
  entry->deinit();
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
  assert_true(entry->init(copy));
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
  const double spent =
      (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
  print_message("# %.4f s\n", spent);
  assert_true(spent < 0.1);
}

static void a_scene_beside_the_library_is_a_plug_in_and_a_hostile_one_says_why(void** state) {
  (void)state;
  const clap_plugin_t* const own = make("jawari.own");
  assert_string_equal(own->desc->name, "A scene of one's own");
  own->destroy(own);
  logged[0] = 0;
  const clap_plugin_t* const bad = factory->create_plugin(factory, &host, "jawari.hostile");
  assert_non_null(bad);
  assert_false(bad->init(bad));
  print_message("# %s\n", logged);
  assert_non_null(strstr(logged, "jawari.hostile: "));
  assert_non_null(strstr(logged, "hostile.json:1:2"));
  bad->destroy(bad);
}

// ---------------------------------------------------------------- sound

static void the_samples_are_the_instruments_whatever_rate_and_blocks(void** state) {
  (void)state;
  static const double rates[] = {22050.0, 44100.0, 48000.0, 96000.0};
  static const uint32_t sizes[] = {0, 1, 64, 8192};
  const clap_plugin_t* const plugin = make("jawari.tromba-small");
  for (int i = 0; i < 4; ++i) {
    start(plugin, rates[i]);
    play(plugin, sizes[i], a[0], a[1]);
    play_reference("tromba-small", rates[i], b[0], b[1]);
    assert_true(peak_of(a[0], FRAMES) > 0.05f);
    assert_memory_equal(a, b, sizeof a);
    plugin->reset(plugin);
    play(plugin, 500, a[0], a[1]);
    assert_memory_equal(a, b, sizeof a);
    stop(plugin);
  }
  plugin->destroy(plugin);
}

static void notes_of_claps_own_are_notes(void** state) {
  (void)state;
  const clap_plugin_t* const plugin = make("jawari.two-strings");
  JwInstrument* const instrument = reference("two-strings", 48000.0);
  const JwPlayerEvent events[] = {{100, {0x90, 50, 127}, 3}, {5000, {0x80, 50, 0}, 3}};
  float* const to[2] = {b[0], b[1]};
  const JwPlayerBlock block = {to, NULL, 8000, events, 2};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  start(plugin, 48000.0);
  add_note(CLAP_EVENT_NOTE_ON, 100, 50, 7, 1.0);
  add_note(CLAP_EVENT_NOTE_OFF, 4000, 51, 8, 0.0); // Another note
  add_note(CLAP_EVENT_NOTE_OFF, 5000, -1, 7, 0.0);
  run(plugin, a[0], a[1], 8000);
  assert_memory_equal(a[0], b[0], 8000 * sizeof(float));
  assert_true(peak_of(a[0] + 100, 7900) > 0.01f);
  assert_int_equal(out.count, 1);
  assert_int_equal(out.events[0].header.type, CLAP_EVENT_NOTE_END);
  assert_int_equal(out.events[0].header.time, 5000);
  assert_int_equal(out.events[0].note.note_id, 7);
  stop(plugin);
  plugin->destroy(plugin);
  jw_instrument_destroy(instrument);
}

// The same by MPE: the bend of a member channel, 48 semitones wide.
static void an_expression_moves_its_own_note(void** state) {
  (void)state;
  const clap_plugin_t* const plugin = make("jawari.own");
  char path[160];
  snprintf(path, sizeof path, "%s/jawari/own.json", folder);
  JwInstrument* const instrument = reference(path, 48000.0);
  const JwPlayerEvent events[] = {{0, {0xb0, 101, 0}, 3},   {0, {0xb0, 100, 6}, 3},
                                  {0, {0xb0, 6, 15}, 3},    {0, {0x91, 57, 100}, 3},
                                  {0, {0x92, 64, 100}, 3},  {3000, {0xe2, 85, 69}, 3},
                                  {6000, {0xd1, 127, 0}, 2}};
  float* const to[2] = {b[0], b[1]};
  const JwPlayerBlock block = {to, NULL, FRAMES, events, 7};
  assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  start(plugin, 48000.0);
  add_note(CLAP_EVENT_NOTE_ON, 0, 57, 1, 100.0 / 127.0);
  add_note(CLAP_EVENT_NOTE_ON, 0, 64, 2, 100.0 / 127.0);
  Event* event = add(CLAP_EVENT_NOTE_EXPRESSION, 3000, sizeof(clap_event_note_expression_t));
  event->expression.expression_id = CLAP_NOTE_EXPRESSION_TUNING;
  event->expression.note_id = 2, event->expression.key = -1, event->expression.channel = -1;
  event->expression.value = (85 + 69 * 128 - 8192) / 8191.0 * 48.0;
  event = add(CLAP_EVENT_NOTE_EXPRESSION, 6000, sizeof(clap_event_note_expression_t));
  event->expression.expression_id = CLAP_NOTE_EXPRESSION_PRESSURE;
  event->expression.note_id = 1, event->expression.key = 57;
  event->expression.value = 1.0;
  run(plugin, a[0], a[1], FRAMES);
  assert_memory_equal(a, b, sizeof a);
  stop(plugin);
  plugin->destroy(plugin);
  jw_instrument_destroy(instrument);
}

// ---------------------------------------------------------------- parameters

static const clap_plugin_params_t* params_of(const clap_plugin_t* plugin) {
  return (const clap_plugin_params_t*)plugin->get_extension(plugin, CLAP_EXT_PARAMS);
}

static void parameters_are_the_controls_and_move_at_their_frame(void** state) {
  (void)state;
  const clap_plugin_t* const plugin = make("jawari.tromba-small");
  const clap_plugin_params_t* const params = params_of(plugin);
  JwInstrument* const instrument = reference("tromba-small", 48000.0);
  clap_param_info_t info;
  const uint32_t count = params->count(plugin);
  assert_int_equal(count, jw_instrument_info(instrument).controls);
  assert_false(params->get_info(plugin, count, &info));
  for (uint32_t i = 0; i < count; ++i) {
    const JwInstrumentControl control = jw_instrument_control(instrument, i);
    double value = 0.0, read = 0.0;
    char text[64];
    assert_true(params->get_info(plugin, i, &info));
    assert_string_equal(info.name, control.name);
    assert_true(info.min_value == control.minimum && info.max_value == control.maximum);
    assert_true(params->get_value(plugin, info.id, &value) && value == control.initial);
    assert_true(params->value_to_text(plugin, info.id, value, text, sizeof text));
    assert_true(params->text_to_value(plugin, info.id, text, &read));
    assert_true(fabs(read - value) <= 1e-8 * fabs(value)); // Nine digits
    assert_false(params->text_to_value(plugin, info.id, "loud", &read));
    assert_false(params->get_value(plugin, info.id + 12345, &value));
  }
  // The last is the gain: by value and modulation to a half, at frame 10000
  assert_string_equal(info.name, "ear.gain");
  static const uint8_t on[3] = {0x90, 40, 100};
  start(plugin, 48000.0);
  add_midi(0, on);
  Event* event = add(CLAP_EVENT_PARAM_VALUE, 10000, sizeof(clap_event_param_value_t));
  event->value.param_id = info.id;
  event->value.value = 0.75;
  event = add(CLAP_EVENT_PARAM_MOD, 12000, sizeof(clap_event_param_mod_t));
  event->mod.param_id = info.id;
  event->mod.amount = -0.25;
  run(plugin, a[0], a[1], FRAMES);
  const JwPlayerEvent note = {0, {0x90, 40, 100}, 3};
  for (uint32_t at = 0, to = 10000; at < FRAMES; at = to, to = to == 10000 ? 12000 : FRAMES) {
    float* const part[2] = {b[0] + at, b[1] + at};
    const JwPlayerBlock block = {part, NULL, to - at, &note, at == 0};
    if (at) {
      assert_int_equal(jw_instrument_set(instrument, count - 1, at == 10000 ? 0.75 : 0.5, 0.02),
                       JW_STATUS_OK);
    }
    assert_int_equal(jw_instrument_run(instrument, &block), JW_STATUS_OK);
  }
  assert_memory_equal(a, b, sizeof a);
  stop(plugin);
  plugin->destroy(plugin);
  jw_instrument_destroy(instrument);
}

static void figures_are_true(void** state) {
  (void)state;
  const clap_plugin_t* const plugin = make("jawari.own");
  const clap_plugin_latency_t* const latency =
      (const clap_plugin_latency_t*)plugin->get_extension(plugin, CLAP_EXT_LATENCY);
  const clap_plugin_tail_t* const tail =
      (const clap_plugin_tail_t*)plugin->get_extension(plugin, CLAP_EXT_TAIL);
  const clap_plugin_voice_info_t* const voices =
      (const clap_plugin_voice_info_t*)plugin->get_extension(plugin, CLAP_EXT_VOICE_INFO);
  const clap_plugin_audio_ports_t* const audio =
      (const clap_plugin_audio_ports_t*)plugin->get_extension(plugin, CLAP_EXT_AUDIO_PORTS);
  const clap_plugin_note_ports_t* const notes =
      (const clap_plugin_note_ports_t*)plugin->get_extension(plugin, CLAP_EXT_NOTE_PORTS);
  clap_voice_info_t info;
  clap_audio_port_info_t port;
  clap_note_port_info_t keys;
  assert_null(plugin->get_extension(plugin, "clap.none"));
  assert_true(voices->get(plugin, &info));
  assert_int_equal(info.voice_count, 2);
  assert_int_equal(audio->count(plugin, true), 0);
  assert_true(audio->get(plugin, 0, false, &port) && port.channel_count == 2);
  assert_false(audio->get(plugin, 1, false, &port));
  assert_true(notes->get(plugin, 0, true, &keys)
              && keys.preferred_dialect & keys.supported_dialects);
  start(plugin, 48000.0);
  assert_int_equal(latency->get(plugin), 40); // It oversamples
  add_note(CLAP_EVENT_NOTE_ON, 0, 57, 1, 1.0);
  add_note(CLAP_EVENT_NOTE_OFF, 500, 57, 1, 1.0);
  assert_int_equal(run(plugin, a[0], a[1], 1000), CLAP_PROCESS_CONTINUE);
  assert_true(tail->get(plugin) >= INT32_MAX);
  clap_process_status status = CLAP_PROCESS_CONTINUE;
  for (int i = 0; i < 2000 && status != CLAP_PROCESS_SLEEP; ++i) {
    status = run(plugin, a[0], a[1], 1000);
  }
  assert_int_equal(status, CLAP_PROCESS_SLEEP);
  assert_int_equal(tail->get(plugin), 0);
  stop(plugin);
  plugin->destroy(plugin);
}

// ---------------------------------------------------------------- state

static char kept[65536];
static size_t kept_size, kept_at, at_once;

static int64_t write_some(const clap_ostream_t* stream, const void* data, uint64_t size) {
  (void)stream;
  const size_t count = size < at_once ? (size_t)size : at_once;
  assert_true(kept_size + count <= sizeof kept);
  memcpy(kept + kept_size, data, count);
  kept_size += count;
  return (int64_t)count;
}
static int64_t read_some(const clap_istream_t* stream, void* data, uint64_t size) {
  (void)stream;
  size_t count = size < at_once ? (size_t)size : at_once;
  count = count < kept_size - kept_at ? count : kept_size - kept_at;
  memcpy(data, kept + kept_at, count);
  kept_at += count;
  return (int64_t)count;
}
static const clap_ostream_t writer = {NULL, write_some};
static const clap_istream_t reader = {NULL, read_some};

static const clap_plugin_state_t* state_of(const clap_plugin_t* plugin) {
  return (const clap_plugin_state_t*)plugin->get_extension(plugin, CLAP_EXT_STATE);
}
static bool load(const clap_plugin_t* plugin) {
  kept_at = 0;
  return state_of(plugin)->load(plugin, &reader);
}

static void a_state_comes_back_in_pieces_of_any_size(void** state) {
  (void)state;
  for (at_once = 1; at_once < 100000; at_once *= 17) {
    const clap_plugin_t* const from = make("jawari.tromba-small");
    const clap_plugin_t* const to = make("jawari.tromba-small");
    clap_param_info_t info;
    assert_true(params_of(from)->get_info(from, 0, &info));
    Event* const event = add(CLAP_EVENT_PARAM_VALUE, 0, sizeof(clap_event_param_value_t));
    event->value.param_id = info.id;
    event->value.value = 0.123456789012345678;
    const clap_input_events_t inputs = {&in, in_size, in_get};
    const clap_output_events_t outputs = {&out, out_push};
    params_of(from)->flush(from, &inputs, &outputs);
    in.count = 0, kept_size = 0;
    assert_true(state_of(from)->save(from, &writer));
    assert_true(load(to));
    double value = 0.0;
    assert_true(params_of(to)->get_value(to, info.id, &value));
    assert_true(value == 0.123456789012345678);
    start(from, 48000.0), start(to, 48000.0);
    play(from, 500, a[0], a[1]);
    play(to, 700, b[0], b[1]);
    assert_memory_equal(a, b, sizeof a);
    stop(from), stop(to);
    from->destroy(from), to->destroy(to);
  }
}

static void a_session_brings_its_scene_with_it(void** state) {
  (void)state;
  at_once = 1000;
  const clap_plugin_t* const from = make("jawari.tromba-small");
  const clap_plugin_t* const to = make("jawari.two-strings");
  kept_size = 0;
  assert_true(state_of(from)->save(from, &writer));
  restarts = 0;
  start(to, 48000.0);
  assert_true(load(to));
  assert_int_equal(restarts, 1); // It sounds from the next start
  stop(to);
  start(to, 48000.0);
  play(to, 0, a[0], a[1]);
  play_reference("tromba-small", 48000.0, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  stop(to);
  from->destroy(from), to->destroy(to);
}

static void a_bad_state_is_refused_and_changes_nothing(void** state) {
  (void)state;
  static const char* const bad[] = {
      "",
      "x",
      "jawari-clap 1\n",
      "jawari-clap 1\n\n",
      "jawari-clap 1\nvoice_force\n\n",
      "jawari-clap 1\nvoice_force 7ff8000000000000\n\njawari-pack 1\n",
      "jawari-clap 1\n\njawari-pack 1\n2 x\n{}\n",
      "jawari-clap 1\nno end"};
  at_once = 5;
  const clap_plugin_t* const plugin = make("jawari.tromba-small");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    logged[0] = 0;
    kept_size = strlen(bad[i]);
    memcpy(kept, bad[i], kept_size);
    assert_false(load(plugin));
    print_message("# %s\n", logged);
    assert_true(logged[0]);
  }
  // A whole one with each byte changed, one after another: refused or taken, and never a crash
  kept_size = 0, at_once = 100000;
  assert_true(state_of(plugin)->save(plugin, &writer));
  const size_t size = kept_size;
  for (size_t i = 0; i < size; i += 1 + size / 300) {
    const char was = kept[i];
    kept[i] = (char)(was ^ 5);
    (void)load(plugin);
    kept[i] = was;
    kept_size = i;
    (void)load(plugin);
    kept_size = size;
  }
  assert_true(load(plugin));
  start(plugin, 48000.0);
  play(plugin, 500, a[0], a[1]);
  play_reference("tromba-small", 48000.0, b[0], b[1]);
  assert_memory_equal(a, b, sizeof a);
  stop(plugin);
  plugin->destroy(plugin);
}

static void the_locale_makes_no_difference(void** state) {
  (void)state;
  char text[16];
  assert_non_null(setlocale(LC_ALL, ""));
  snprintf(text, sizeof text, "%g", 0.5);
  print_message("# 0.5 is printed as %s\n", text);
  a_state_comes_back_in_pieces_of_any_size(NULL);
  a_session_brings_its_scene_with_it(NULL);
  parameters_are_the_controls_and_move_at_their_frame(NULL);
  setlocale(LC_ALL, "C");
}

// ---------------------------------------------------------------- the folder

static void put(const char* name, const char* text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* const file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
}

static int set_up(void** state) {
  (void)state;
  char path[160];
  assert_non_null(mkdtemp(folder));
  snprintf(copy, sizeof copy, "%s/jawari.clap", folder);
  char* const real = realpath(library_path, NULL);
  assert_int_equal(symlink(real, copy), 0);
  free(real);
  snprintf(path, sizeof path, "%s/jawari", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  put("jawari/hostile.json", "{");
  put("jawari/own.json",
      "{ \"jawari\": 1, \"title\": \"A scene of one's own\", \"oversample\": 2, \"world\": { \"sample_rate\": 44100 },\n"
      "  \"objects\": {\n"
      "    \"s\": { \"kind\": \"string\", \"length\": 0.6, \"radius\": 3e-4, \"material\": \"nylon\",\n"
      "           \"frequency\": \"A3\", \"bend\": 2, \"loss\": [60, 1e-3], \"points\": 16 },\n"
      "    \"t\": { \"kind\": \"string\", \"length\": 0.5, \"radius\": 3e-4, \"material\": \"nylon\",\n"
      "           \"frequency\": \"E4\", \"bend\": 2, \"loss\": [60, 1e-3], \"points\": 16 } },\n"
      "  \"score\": [ { \"bow\": \"s@0.12\", \"name\": \"one\", \"force\": 0.2, \"speed\": 0.15, \"until\": 0.1 },\n"
      "             { \"bow\": \"t@0.12\", \"name\": \"two\", \"force\": 0.2, \"speed\": 0.15, \"until\": 0.1 } ],\n"
      "  \"pickups\": [ { \"at\": \"s@0.9\", \"pan\": -0.5, \"gain\": \"auto\" }, { \"at\": \"t@0.9\", \"pan\": 0.5 } ],\n"
      "  \"play\": { \"mode\": \"poly\", \"voices\": [ { \"bow\": \"one\" }, { \"bow\": \"two\" } ],\n"
      "    \"controls\": [ { \"from\": \"pressure\", \"to\": \"voice.force\", \"range\": [0.1, 0.4] } ] } }\n");
  return open_library(state);
}

static int tear_down(void** state) {
  close_library(state);
  char path[160];
  static const char* const names[] = {"jawari.clap", "jawari/hostile.json", "jawari/own.json"};
  for (size_t i = 0; i < 3; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/jawari", folder);
  rmdir(path);
  return rmdir(folder);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    return 2;
  }
  library_path = argv[1];
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(what_it_has_can_be_made_and_nothing_else),
      cmocka_unit_test(scanning_takes_less_than_a_tenth_of_a_second),
      cmocka_unit_test(a_scene_beside_the_library_is_a_plug_in_and_a_hostile_one_says_why),
      cmocka_unit_test(the_samples_are_the_instruments_whatever_rate_and_blocks),
      cmocka_unit_test(notes_of_claps_own_are_notes),
      cmocka_unit_test(an_expression_moves_its_own_note),
      cmocka_unit_test(parameters_are_the_controls_and_move_at_their_frame),
      cmocka_unit_test(figures_are_true),
      cmocka_unit_test(a_state_comes_back_in_pieces_of_any_size),
      cmocka_unit_test(a_session_brings_its_scene_with_it),
      cmocka_unit_test(a_bad_state_is_refused_and_changes_nothing),
      cmocka_unit_test(the_locale_makes_no_difference),
  };
  return cmocka_run_group_tests(claims, set_up, tear_down);
}
