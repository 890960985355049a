// SPDX-License-Identifier: MIT
// The CLAP library in a small host that makes a validator's checks.
//   test_clap LIBRARY

// realpath belongs to POSIX with its extensions.
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700

#include "abi.h"
#include "kit.h"

#include <jawari/builtin.h>

#include <dlfcn.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
static uint32_t rescans;
static void host_rescan(const clap_host_t* host, clap_param_rescan_flags flags) {
  (void)host;
  assert_int_equal(flags, CLAP_PARAM_RESCAN_VALUES);
  ++rescans;
}
static char preset_key[128], preset_error[JW_ERROR_SIZE];
static void host_preset_error(const clap_host_t* host, uint32_t kind, const char* location,
                              const char* key, int32_t os_error, const char* message) {
  (void)host, (void)kind, (void)location, (void)key, (void)os_error;
  snprintf(preset_error, sizeof preset_error, "%s", message);
}
static void host_preset_loaded(const clap_host_t* host, uint32_t kind, const char* location,
                               const char* key) {
  (void)host;
  assert_true((kind == CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN) == (location == NULL));
  snprintf(preset_key, sizeof preset_key, "%s", key);
}
static const void* host_extension(const clap_host_t* host, const char* id) {
  (void)host;
  static const clap_host_log_t log = {host_log};
  static const clap_host_params_t params = {.rescan = host_rescan};
  static const clap_host_preset_load_t presets = {host_preset_error, host_preset_loaded};
  return strcmp(id, CLAP_EXT_LOG) == 0           ? (const void*)&log
         : strcmp(id, CLAP_EXT_PARAMS) == 0      ? (const void*)&params
         : strcmp(id, CLAP_EXT_PRESET_LOAD) == 0 ? (const void*)&presets
                                                 : NULL;
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
    const uint32_t count = kit_block(size, 900, FRAMES - at, &seed);
    for (; next < EVENTS && song[next].frame < at + count; ++next) {
      add_midi(song[next].frame - at, song[next].data);
    }
    assert_int_not_equal(run(plugin, left + at, right + at, count), CLAP_PROCESS_ERROR);
    at += count;
  }
}

static void play_reference(const char* name, double rate, float* left, float* right) {
  kit_play(name, rate, song, EVENTS, (float* const[2]){left, right}, FRAMES);
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
  entry->deinit();
  const double from = chance_cpu();
  assert_true(entry->init(copy));
  const double spent = chance_cpu() - from;
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
    assert_true(kit_peak(a[0], FRAMES) > 0.05f);
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
  JwInstrument* const instrument = kit_instrument("two-strings", 48000.0);
  const JwPlayerEvent events[] = {{100, {0x90, 50, 127}, 3}, {5000, {0x80, 50, 0}, 3}};
  kit_run(instrument, events, 2, (float* const[2]){b[0], b[1]}, 8000);
  start(plugin, 48000.0);
  add_note(CLAP_EVENT_NOTE_ON, 100, 50, 7, 1.0);
  add_note(CLAP_EVENT_NOTE_OFF, 4000, 51, 8, 0.0); // Another note
  add_note(CLAP_EVENT_NOTE_OFF, 5000, -1, 7, 0.0);
  run(plugin, a[0], a[1], 8000);
  assert_memory_equal(a[0], b[0], 8000 * sizeof(float));
  assert_true(kit_peak(a[0] + 100, 7900) > 0.01f);
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
  JwInstrument* const instrument = kit_instrument(path, 48000.0);
  const JwPlayerEvent events[] = {{0, {0xb0, 101, 0}, 3},   {0, {0xb0, 100, 6}, 3},
                                  {0, {0xb0, 6, 15}, 3},    {0, {0x91, 57, 100}, 3},
                                  {0, {0x92, 64, 100}, 3},  {3000, {0xe2, 85, 69}, 3},
                                  {6000, {0xd1, 127, 0}, 2}};
  kit_run(instrument, events, 7, (float* const[2]){b[0], b[1]}, FRAMES);
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
  JwInstrument* const instrument = kit_instrument("tromba-small", 48000.0);
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
    if (at) {
      assert_int_equal(jw_instrument_set(instrument, count - 1, at == 10000 ? 0.75 : 0.5, 0.02),
                       JW_STATUS_OK);
    }
    kit_run(instrument, &note, at == 0, (float* const[2]){b[0] + at, b[1] + at}, to - at);
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

// ---------------------------------------------------------------- presets

static struct {
  uint32_t locations, filetypes, presets, errors, most;
  char folder[160], names[8][64], keys[8][128], ids[8][96], error[JW_ERROR_SIZE];
} found;

static bool take_filetype(const clap_preset_discovery_indexer_t* indexer,
                          const clap_preset_discovery_filetype_t* type) {
  (void)indexer;
  assert_string_equal(type->file_extension, "preset");
  ++found.filetypes;
  return true;
}
static bool take_location(const clap_preset_discovery_indexer_t* indexer,
                          const clap_preset_discovery_location_t* location) {
  (void)indexer;
  const bool inside = location->kind == CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN;
  assert_true(inside == (location->location == NULL) && location->name[0]);
  assert_int_equal(location->flags, inside ? CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT
                                           : CLAP_PRESET_DISCOVERY_IS_USER_CONTENT);
  snprintf(found.folder, sizeof found.folder, "%s", inside ? found.folder : location->location);
  ++found.locations;
  return true;
}
static const clap_preset_discovery_indexer_t indexer = {.clap_version = CLAP_VERSION_INIT,
                                                        .name = "test",
                                                        .declare_filetype = take_filetype,
                                                        .declare_location = take_location};

static void take_error(const clap_preset_discovery_metadata_receiver_t* receiver, int32_t os_error,
                       const char* message) {
  (void)receiver, (void)os_error;
  ++found.errors;
  snprintf(found.error, sizeof found.error, "%s", message);
}
static bool take_preset(const clap_preset_discovery_metadata_receiver_t* receiver, const char* name,
                        const char* key) {
  (void)receiver;
  if (found.presets == found.most) {
    return false;
  }
  snprintf(found.names[found.presets], sizeof found.names[0], "%s", name);
  snprintf(found.keys[found.presets], sizeof found.keys[0], "%s", key);
  ++found.presets;
  return true;
}
static void take_id(const clap_preset_discovery_metadata_receiver_t* receiver,
                    const clap_universal_plugin_id_t* id) {
  (void)receiver;
  assert_string_equal(id->abi, "clap");
  snprintf(found.ids[found.presets - 1], sizeof found.ids[0], "%s", id->id);
}
static void take_feature(const clap_preset_discovery_metadata_receiver_t* receiver,
                         const char* feature) {
  (void)receiver;
  assert_string_equal(feature, CLAP_PLUGIN_FEATURE_INSTRUMENT);
}
static const clap_preset_discovery_metadata_receiver_t receiver = {.on_error = take_error,
                                                                   .begin_preset = take_preset,
                                                                   .add_plugin_id = take_id,
                                                                   .add_feature = take_feature};

static const clap_preset_discovery_provider_t* provider_of(const char* factory_id) {
  const clap_preset_discovery_factory_t* const presets =
      (const clap_preset_discovery_factory_t*)entry->get_factory(factory_id);
  assert_non_null(presets);
  assert_int_equal(presets->count(presets), 1);
  assert_null(presets->get_descriptor(presets, 1));
  assert_null(presets->create(presets, &indexer, "jawari.other"));
  const char* const id = presets->get_descriptor(presets, 0)->id;
  const clap_preset_discovery_provider_t* const provider = presets->create(presets, &indexer, id);
  assert_non_null(provider);
  assert_string_equal(provider->desc->id, id);
  memset(&found, 0, sizeof found);
  found.most = 8;
  assert_true(provider->init(provider));
  assert_null(provider->get_extension(provider, "clap.none"));
  return provider;
}

static void presets_are_found_inside_and_beside_the_library(void** state) {
  (void)state;
  char path[256];
  const clap_preset_discovery_provider_t* provider =
      provider_of(CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT);
  provider->destroy(provider);
  provider = provider_of(CLAP_PRESET_DISCOVERY_FACTORY_ID);
  assert_int_equal(found.locations, 2);
  assert_int_equal(found.filetypes, 1);
  snprintf(path, sizeof path, "%s/jawari", folder);
  assert_string_equal(found.folder, path);
  assert_true(
      provider->get_metadata(provider, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, NULL, &receiver));
  assert_int_equal(found.presets, 6);
  assert_int_equal(found.errors, 0);
  for (uint32_t i = 0; i < found.presets; ++i) {
    char key[256]; // Each is of a plug-in that there is, and can be loaded
    snprintf(key, sizeof key, "%s/%s", found.ids[i] + strlen("jawari."), found.names[i]);
    assert_string_equal(key, found.keys[i]);
    const clap_plugin_t* const plugin = make(found.ids[i]);
    const clap_plugin_preset_load_t* const presets =
        (const clap_plugin_preset_load_t*)plugin->get_extension(plugin, CLAP_EXT_PRESET_LOAD);
    assert_true(presets->from_location(plugin, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, NULL, key));
    plugin->destroy(plugin);
  }
  found.presets = 0, found.most = 2; // The host wants no more
  assert_true(
      provider->get_metadata(provider, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, NULL, &receiver));
  assert_int_equal(found.presets, 2);
  found.presets = 0, found.most = 8;
  snprintf(path, sizeof path, "%s/jawari/own.preset", folder);
  assert_true(
      provider->get_metadata(provider, CLAP_PRESET_DISCOVERY_LOCATION_FILE, path, &receiver));
  assert_int_equal(found.presets, 4);
  assert_string_equal(found.keys[0], "own/Hard");
  assert_string_equal(found.ids[0], "jawari.own");
  assert_int_equal(found.errors, 2); // A line without a scene, and one that is none
  assert_false(provider->get_metadata(provider, CLAP_PRESET_DISCOVERY_LOCATION_FILE, "none.preset",
                                      &receiver));
  assert_string_equal(found.error, "none.preset: cannot be opened");
  provider->destroy(provider);
}

static double value_of(const clap_plugin_t* plugin, uint32_t index) {
  clap_param_info_t info;
  double value = NAN;
  assert_true(params_of(plugin)->get_info(plugin, index, &info));
  assert_true(params_of(plugin)->get_value(plugin, info.id, &value));
  return value;
}

static void a_preset_moves_the_controls_and_only_its_own_instrument_takes_it(void** state) {
  (void)state;
  const clap_plugin_t* const plugin = make("jawari.own");
  const clap_plugin_preset_load_t* const presets =
      (const clap_plugin_preset_load_t*)plugin->get_extension(plugin, CLAP_EXT_PRESET_LOAD);
  assert_ptr_equal(presets, plugin->get_extension(plugin, CLAP_EXT_PRESET_LOAD_COMPAT));
  char path[256];
  snprintf(path, sizeof path, "%s/jawari/own.preset", folder);
  const double initial = value_of(plugin, 0);
  rescans = 0;
  assert_true(
      presets->from_location(plugin, CLAP_PRESET_DISCOVERY_LOCATION_FILE, path, "own/Hard"));
  assert_int_equal(rescans, 1);
  assert_string_equal(preset_key, "own/Hard");
  assert_true(value_of(plugin, 0) == 0.375 && initial != 0.375);
  start(plugin, 48000.0);
  play(plugin, 500, a[0], a[1]);
  snprintf(path, sizeof path, "%s/jawari/own.json", folder);
  JwInstrument* const instrument = kit_instrument(path, 48000.0);
  assert_int_equal(jw_instrument_set(instrument, 0, 0.375, 0.0), JW_STATUS_OK);
  kit_run(instrument, song, EVENTS, (float* const[2]){b[0], b[1]}, FRAMES);
  assert_memory_equal(a, b, sizeof a);
  jw_instrument_destroy(instrument);
  stop(plugin);
  snprintf(path, sizeof path, "%s/jawari/own.preset", folder);
  // The last of these says nothing of the first control, which goes back to its start
  static const struct {
    const char *key, *says;
  } refused[] = {
      {"own/Soft", "there is no preset \"own/Soft\""},
      {"tromba/Close rattle", "the preset \"tromba/Close rattle\" is of another instrument"},
      {"ow/Hard", "the preset \"ow/Hard\" is of another instrument"},
      {NULL, "the preset \"\" is of another instrument"},
      {"own/Beyond", "voice.force is 9, must be from 0"},
      {"own/Unknown",
       "there is no control \"voice.farce\"; `jawari play SCENE --list-controls` shows them"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    assert_false(
        presets->from_location(plugin, CLAP_PRESET_DISCOVERY_LOCATION_FILE, path, refused[i].key));
    assert_non_null(strstr(preset_error, refused[i].says));
    assert_true(value_of(plugin, 0) == 0.375);
  }
  assert_int_equal(rescans, 1);
  assert_true(
      presets->from_location(plugin, CLAP_PRESET_DISCOVERY_LOCATION_FILE, path, "own/Plain"));
  assert_true(value_of(plugin, 0) == 0.25);
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
  a_preset_moves_the_controls_and_only_its_own_instrument_takes_it(NULL);
  setlocale(LC_ALL, "C");
}

// ---------------------------------------------------------------- the folder

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
  kit_put(folder, "jawari/hostile.json", "{");
  kit_put(
      folder, "jawari/own.preset",
      "# Presets of the scene beside them\n\nown/Hard: voice.force=0.375\nown/Plain: voice_force = 0.25\r\n"
      "Nameless: voice.force=0.2\nnonsense\nown/Beyond: voice.force=9\nown/Unknown: voice.farce=0.2\n");
  kit_put(
      folder, "jawari/own.json",
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
  static const char* const names[] = {"jawari.clap", "jawari/hostile.json", "jawari/own.json",
                                      "jawari/own.preset"};
  kit_remove(folder, names, sizeof names / sizeof *names);
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
      cmocka_unit_test(presets_are_found_inside_and_beside_the_library),
      cmocka_unit_test(a_preset_moves_the_controls_and_only_its_own_instrument_takes_it),
      cmocka_unit_test(the_locale_makes_no_difference),
  };
  return cmocka_run_group_tests(claims, set_up, tear_down);
}
