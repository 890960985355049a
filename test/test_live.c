// The JACK client, against a server on the dummy driver that the test starts itself.

#define _GNU_SOURCE

#include "test.h"

#include "builtin.h"
#include "live.h"
#include "realtime/guard.h"

#include <jack/jack.h>
#include <jack/midiport.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pid_t server;
static char server_name[64];
static const char* why_not = NULL; ///< Why there is no server

static void nap(double seconds)
{
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&time, NULL);
}

static void quiet(const char* message) { (void)message; }

static void start_server(const char* rate, const char* block)
{
  snprintf(server_name, sizeof server_name, "jawari-test-%d", (int)getpid());
  setenv("JACK_DEFAULT_SERVER", server_name, 1);
  setenv("JACK_NO_AUDIO_RESERVATION", "1", 1);
  jack_set_error_function(quiet);
  jack_set_info_function(quiet);
  server = fork();
  if (server == 0) {
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
      _exit(126);
    }
    execlp("jackd", "jackd", "-n", server_name, "-S", "-r", "-d", "dummy", "-r", rate, "-p", block, (char*)NULL);
    _exit(127);
  }
  for (int i = 0; i < 100; ++i) {
    int status;
    if (waitpid(server, &status, WNOHANG) == server) {
      server = 0;
      why_not = WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "jackd is not installed" : "jackd ends at once here";
      return;
    }
    jack_client_t* const probe = jack_client_open("probe", JackNoStartServer, NULL);
    if (probe) {
      jack_client_close(probe);
      return;
    }
    nap(0.1);
  }
  why_not = "jackd does not answer within 10 s";
}

static void stop_server(void)
{
  if (server > 0) {
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    server = 0;
  }
}

#define NEED_SERVER()                                  \
  do {                                                 \
    if (why_not) {                                     \
      print_message("# SKIP no server: %s\n", why_not); \
      skip();                                          \
    }                                                  \
  } while (0)

// ---------------------------------------------------------------- a scene

static const char* const text =
  "{ \"jawari\": 1, \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 0.5, \"radius\": 3e-4, \"density\": 2547, "
  "\"young\": 1e10, \"frequency\": 110, \"bend\": 8, \"decay\": [220, 2, 3000, 0.2] }, \"wall\": { \"kind\": \"barrier\", "
  "\"position\": -1e-4 } }, \"contacts\": [ { \"law\": \"bow\", \"name\": \"bow\", \"on\": \"s@0.12\", \"force\": 0.1 },"
  "{ \"law\": \"collision\", \"name\": \"buzz\", \"below\": \"wall\", \"above\": \"s@0.9\", \"stiffness\": 1e7, \"exponent\": 1.3 } ],"
  "\"pickups\": [ { \"name\": \"ear\", \"at\": \"s@0.05\" } ] }";

static JwScene* muted(void)
{
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), &options, &scene), JW_STATUS_OK);
  jw_scene_mute(scene);
  return scene;
}

// What the client heard and made, by frame.
#define MOST_FRAMES (1 << 20)
#define MOST_EVENTS 65536

typedef struct {
  float left[MOST_FRAMES];
  uint32_t frames;
  JwPlayerEvent events[MOST_EVENTS]; ///< By frame from the start
  uint32_t event_count;
  bool full; ///< Nothing is added any more
  _Atomic int offences;
  const char* first;
} Record;

static void before(void* user)
{
  (void)user;
  guard_enter(false);
}

static void after(void* user, const JwPlayerBlock* block)
{
  Record* const r = (Record*)user;
  const int offences = guard_leave();
  if (offences && !r->offences) {
    r->first = guard_offence();
  }
  atomic_fetch_add(&r->offences, offences);
  r->full = r->full || r->frames + block->count > MOST_FRAMES || r->event_count + block->event_count > MOST_EVENTS;
  if (r->full) {
    return;
  }
  for (uint32_t i = 0; i < block->event_count; ++i) {
    r->events[r->event_count] = block->events[i];
    r->events[r->event_count++].frame += r->frames;
  }
  memcpy(r->left + r->frames, block->out[0], block->count * sizeof(float));
  r->frames += block->count;
}

// ---------------------------------------------------------------- a keyboard: random notes, dense

typedef struct {
  jack_client_t* client;
  jack_port_t* out;
  uint64_t random;
  _Atomic uint32_t sent;
} Keyboard;

static uint32_t next(Keyboard* k)
{
  k->random = k->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(k->random >> 33);
}

static int press(jack_nframes_t frames, void* user)
{
  Keyboard* const k = (Keyboard*)user;
  void* const buffer = jack_port_get_buffer(k->out, frames);
  jack_midi_clear_buffer(buffer);
  const uint8_t statuses[6] = {0x90, 0x80, 0xb0, 0xd0, 0xe0, 0x90};
  const jack_nframes_t at = next(k) % frames;
  const uint8_t message[3] = {statuses[next(k) % 6], (uint8_t)(next(k) % 128), (uint8_t)(next(k) % 128)};
  const bool is_short = message[0] == 0xd0;
  if ((message[0] & 0xf0) != 0xb0 || message[1] < 120) {
    atomic_fetch_add(&k->sent, jack_midi_event_write(buffer, at, message, is_short ? 2 : 3) == 0);
  }
  return 0;
}

static void open_keyboard(Keyboard* k, const char* to)
{
  memset(k, 0, sizeof *k);
  k->random = 7;
  k->client = jack_client_open("keyboard", JackNoStartServer, NULL);
  assert_non_null(k->client);
  k->out = jack_port_register(k->client, "out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
  jack_set_process_callback(k->client, press, k);
  assert_int_equal(jack_activate(k->client), 0);
  assert_int_equal(jack_connect(k->client, jack_port_name(k->out), to), 0);
}

// ---------------------------------------------------------------- claims

static Record record;

// Freewheeling: as fast as it goes, no deadline, so that a busy machine changes nothing.
static void callback_is_real_time_safe_and_its_samples_are_the_offline_ones(void** state)
{
  (void)state;
  NEED_SERVER();
  JwScene* const scene = muted();
  const JwLiveDef def = {scene, "live", NULL, 1.0, true, false, {before, after, &record}};
  JwLive* live = NULL;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_OK);
  Keyboard keyboard;
  open_keyboard(&keyboard, "live:midi");
  assert_int_equal(jack_set_freewheel(keyboard.client, 1), 0);
  for (int i = 0; i < 600 && (record.frames < 300000 || keyboard.sent < 500); ++i) {
    nap(0.05);
  }
  jack_set_freewheel(keyboard.client, 0);
  jack_client_close(keyboard.client);
  const JwLiveFigures figures = jw_live_figures(live);
  jw_live_close(live);
  print_message("# %u frames, %u messages, %llu notes, worst residual %.1e\n", record.frames, record.event_count,
                (unsigned long long)figures.player.notes, figures.residual);
  assert_true(record.frames >= 300000);
  assert_true(record.event_count >= 500 && figures.player.notes > 100);
  if (record.offences) {
    print_message("# first offence: %s\n", record.first);
  }
  assert_int_equal(record.offences, 0);
  assert_false(figures.failed || figures.gone);
  assert_true(figures.residual < 1e-9);
  assert_int_equal(figures.player.refused + figures.player.dropped + figures.lost_events, 0);

  // The same events at the same frames, without JACK, in one go.
  JwWorldDef world_def = jw_scene_world(scene);
  world_def.sample_rate = 48000.0;
  world_def.channels = 2;
  world_def.ledger = true;
  JwWorld* world = NULL;
  JwPlayer* player = NULL;
  assert_int_equal(jw_scene_build(scene, &world_def, &world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  const JwPlayerDef player_def = {scene, world, NULL};
  assert_int_equal(jw_player_create(&player_def, &player, error), JW_STATUS_OK);
  static float left[MOST_FRAMES], right[MOST_FRAMES];
  float* const out[2] = {left, right};
  const JwPlayerBlock block = {out, NULL, record.frames, record.events, record.event_count};
  assert_int_equal(jw_player_run(player, &block), JW_STATUS_OK);
  assert_memory_equal(left, record.left, record.frames * sizeof(float));
  jw_player_destroy(player);
  jw_world_destroy(world);
  jw_scene_destroy(scene);
}

// Real time, as a report: a shared machine may be late, and that is no fault of the program.  JAWARI_SOAK in
// the environment says for how many seconds; without it, two.
static void the_tromba_plays_in_real_time_and_says_how_hard_that_is(void** state)
{
  (void)state;
  NEED_SERVER();
  JwScene* scene = NULL;
  assert_int_equal(jw_builtin_parse(jw_builtin_find("tromba"), &scene), JW_STATUS_OK);
  jw_scene_mute(scene);
  const JwLiveDef def = {scene, "live", NULL, 1.0, true, true, {NULL, NULL, NULL}};
  JwLive* live = NULL;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_OK);
  Keyboard keyboard;
  open_keyboard(&keyboard, "live:midi");
  nap(getenv("JAWARI_SOAK") ? atof(getenv("JAWARI_SOAK")) : 2.0);
  const JwLiveFigures figures = jw_live_figures(live);
  jack_client_close(keyboard.client);
  jw_live_close(live);
  jw_scene_destroy(scene);
  print_message("# block %u at %.0f Hz, ledger on: load %.1f %%, worst %.1f %%, late blocks %llu of %llu, xruns %llu, %llu "
                "notes, residual %.1e\n", figures.block, figures.rate, 100.0 * figures.load, 100.0 * figures.worst_load,
                (unsigned long long)figures.late, (unsigned long long)figures.blocks, (unsigned long long)figures.xruns,
                (unsigned long long)figures.player.notes, figures.residual);
  assert_true(figures.blocks > 0 && figures.load > 0.0 && figures.player.notes > 0);
  assert_false(figures.failed);
  assert_true(figures.residual < 1e-9);
  assert_int_equal(figures.player.refused + figures.player.dropped + figures.lost_events, 0);
}

static void a_server_that_goes_away_is_noticed(void** state)
{
  (void)state;
  NEED_SERVER();
  JwScene* const scene = muted();
  const JwLiveDef def = {scene, "live", NULL, 1.0, false, false, {NULL, NULL, NULL}};
  JwLive* live = NULL;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_OK);
  assert_false(jw_live_figures(live).gone);
  stop_server();
  for (int i = 0; i < 100 && !jw_live_figures(live).gone; ++i) {
    nap(0.1);
  }
  assert_true(jw_live_figures(live).gone);
  jw_live_close(live);
  // Without a server: a status, no client
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_IO);
  assert_string_equal(error, "no JACK server is running");
  assert_null(live);
  jw_scene_destroy(scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callback_is_real_time_safe_and_its_samples_are_the_offline_ones),
      cmocka_unit_test(the_tromba_plays_in_real_time_and_says_how_hard_that_is),
      cmocka_unit_test(a_server_that_goes_away_is_noticed),
  };
  start_server("48000", "64");
  const int failed = cmocka_run_group_tests_name("live", tests, NULL, NULL);
  stop_server();
  return failed;
}
