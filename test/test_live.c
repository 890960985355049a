// SPDX-License-Identifier: MIT
// The JACK client, against a server on the dummy driver that the test starts itself.
//
//   test_live JAWARI GUARD    every claim; JAWARI is the program, GUARD the checker that is loaded before it
//   test_live soak SECONDS    the tromba at block 64 under random MIDI at full density: `make soak-live`

#define _GNU_SOURCE

#include "realtime/guard.h"
#include "realtime/server.h"

#include "live.h"
#include "play.h"

#include <jawari/builtin.h>

#include <fcntl.h>
#include <math.h>

static Server server;
static double soak_seconds = 2.0;
static const char* program;
static const char* checker;

// ---------------------------------------------------------------- a scene

static const char* const text =
    "{ \"jawari\": 1, \"objects\": { \"s\": { \"kind\": \"string\", \"length\": 0.5, \"radius\": 3e-4, \"density\": 2547, "
    "\"young\": 1e10, \"frequency\": 110, \"bend\": 8, \"decay\": [220, 2, 3000, 0.2] }, \"wall\": { \"kind\": \"barrier\", "
    "\"position\": -1e-4 } }, \"contacts\": [ { \"law\": \"bow\", \"name\": \"bow\", \"on\": \"s@0.12\", \"force\": 0.1 },"
    "{ \"law\": \"collision\", \"name\": \"buzz\", \"below\": \"wall\", \"above\": \"s@0.9\", \"stiffness\": 1e7, \"exponent\": 1.3 } ],"
    "\"pickups\": [ { \"name\": \"ear\", \"at\": \"s@0.05\" } ] }";

static JwScene* muted(void) {
  const JwSceneOptions options = jw_scene_options();
  JwScene* scene = NULL;
  assert_int_equal(jw_scene_parse(text, strlen(text), &options, &scene), JW_STATUS_OK);
  jw_scene_mute(scene);
  return scene;
}

// ---------------------------------------------------------------- what the client heard and made

#define MOST_FRAMES (1 << 20)
#define MOST_EVENTS 65536

typedef struct {
  float left[MOST_FRAMES];
  uint32_t frames;
  JwPlayerEvent events[MOST_EVENTS]; ///< By frame from the start
  uint32_t event_count;
  bool full; ///< Nothing is added any more
  _Atomic int offences;
  _Atomic uint64_t not_finite; ///< Samples
  const char* first;
} Record;

static Record record;

static void before(void* user) {
  (void)user;
  guard_enter(false);
}

static void count_offences(Record* r) {
  const int offences = guard_leave();
  if (offences && !r->offences) {
    r->first = guard_offence();
  }
  atomic_fetch_add(&r->offences, offences);
}

static void after(void* user, const JwPlayerBlock* block) {
  Record* const r = (Record*)user;
  count_offences(r);
  r->full = r->full || r->frames + block->count > MOST_FRAMES
            || r->event_count + block->event_count > MOST_EVENTS;
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

static void after_soaking(void* user, const JwPlayerBlock* block) {
  Record* const r = (Record*)user;
  count_offences(r);
  for (uint32_t n = 0; n < block->count; ++n) {
    atomic_fetch_add(&r->not_finite, !isfinite(block->out[0][n]) || !isfinite(block->out[1][n]));
  }
}

static void no_offence(void) {
  if (record.offences) {
    print_message("# first offence: %s\n", record.first);
  }
  assert_int_equal(record.offences, 0);
}

static void all_was_played(const JwLiveFigures* figures) {
  assert_false(figures->failed || figures->gone);
  assert_true(figures->residual < 1e-9);
  assert_int_equal(figures->player.refused + figures->player.dropped + figures->lost_events, 0);
}

// The same events at the same frames, without JACK, in one go.
static void samples_are_the_offline_ones(JwScene* scene, double rate) {
  static float left[MOST_FRAMES], right[MOST_FRAMES];
  char error[JW_ERROR_SIZE] = "";
  JwWorldDef def = jw_scene_world(scene);
  def.sample_rate = rate;
  def.channels = 2;
  def.ledger = true;
  JwWorld* world = NULL;
  JwPlayer* player = NULL;
  assert_int_equal(jw_scene_build(scene, &def, &world), JW_STATUS_OK);
  assert_int_equal(jw_world_prepare(world), JW_STATUS_OK);
  const JwPlayerDef player_def = {scene, world, NULL};
  assert_int_equal(jw_player_create(&player_def, &player, error), JW_STATUS_OK);
  float* const out[2] = {left, right};
  const JwPlayerBlock block = {out, NULL, record.frames, record.events, record.event_count};
  assert_int_equal(jw_player_run(player, &block), JW_STATUS_OK);
  assert_memory_equal(left, record.left, record.frames * sizeof(float));
  jw_player_destroy(player);
  jw_world_destroy(world);
}

// ---------------------------------------------------------------- claims

// Freewheeling: as fast as it goes, no deadline, so that a busy machine changes nothing.  Blocks of
// every size that `sizes` lists, changed on the way.
static void play_at_random(JwScene* scene, const uint32_t* sizes, uint32_t size_count,
                           uint32_t frames) {
  memset(&record, 0, sizeof record);
  const JwLiveDef def = {scene, "live", NULL, 1.0, true, false, {before, after, &record}};
  JwLive* live = NULL;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_OK);
  Keyboard keyboard;
  open_keyboard(&keyboard, "live:midi");
  for (uint32_t i = 0; i < size_count; ++i) {
    assert_int_equal(jack_set_buffer_size(keyboard.client, sizes[i]), 0);
    assert_int_equal(jack_set_freewheel(keyboard.client, 1), 0);
    const uint32_t until = frames * (i + 1) / size_count;
    for (int tries = 0; tries < 1200 && !record.full && record.frames < until; ++tries) {
      nap(0.05);
    }
    assert_int_equal(jw_live_figures(live).block, sizes[i]);
    assert_true(record.full || record.frames >= until);
    jack_set_freewheel(keyboard.client, 0);
  }
  jack_client_close(keyboard.client);
  const JwLiveFigures figures = jw_live_figures(live);
  jw_live_close(live);
  print_message("# %.0f Hz: %u frames, %u messages, %llu notes, worst residual %.1e\n",
                figures.rate, record.frames, record.event_count,
                (unsigned long long)figures.player.notes, figures.residual);
  assert_true(figures.player.notes > record.event_count / 4); // A third of the messages
  no_offence();
  all_was_played(&figures);
}

static void callback_is_real_time_safe_and_its_samples_are_the_offline_ones(void** state) {
  (void)state;
  NEED_SERVER(&server);
  JwScene* const scene = muted();
  play_at_random(scene, (const uint32_t[]){64}, 1, 300000);
  samples_are_the_offline_ones(scene, 48000.0);
  jw_scene_destroy(scene);
}

static void every_block_size_and_rate_gives_the_samples_of_that_rate(void** state) {
  (void)state;
  NEED_SERVER(&server);
  static const char* const rates[] = {"44100", "88200", "96000", "176400", "192000", "48000"};
  static const uint32_t sizes[] = {32, 64, 128, 256, 512, 1024};
  for (int i = 0; i < 6; ++i) { // The last is the rate of the other claims
    stop_server(&server);
    start_server(&server, rates[i], "64");
    NEED_SERVER(&server);
    JwScene* const scene = muted();
    play_at_random(scene, sizes, 6, 90000);
    samples_are_the_offline_ones(scene, atof(rates[i]));
    jw_scene_destroy(scene);
  }
}

// Real time, as a report: a shared machine may be late, and that is no fault of the program.
static void the_tromba_plays_in_real_time_and_says_how_hard_that_is(void** state) {
  (void)state;
  NEED_SERVER(&server);
  memset(&record, 0, sizeof record);
  JwScene* scene = NULL;
  assert_int_equal(jw_builtin_load("tromba", NULL, &scene), JW_STATUS_OK);
  jw_scene_mute(scene);
  const JwLiveDef def = {scene, "live", NULL, 1.0, true, true, {before, after_soaking, &record}};
  JwLive* live = NULL;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_OK);
  Keyboard keyboard;
  open_keyboard(&keyboard, "live:midi");
  nap(soak_seconds);
  const JwLiveFigures figures = jw_live_figures(live);
  jack_client_close(keyboard.client);
  jw_live_close(live);
  jw_scene_destroy(scene);
  print_message(
      "# block %u at %.0f Hz, ledger on, %u messages in %.0f s: load %.1f %% (of a core %.1f %%), worst %.1f "
      "%%, late blocks %llu of %llu, xruns %llu, %llu notes, residual %.1e\n",
      figures.block, figures.rate, (unsigned)keyboard.sent, soak_seconds, 100.0 * figures.load,
      100.0 * figures.processor, 100.0 * figures.worst_load, (unsigned long long)figures.late,
      (unsigned long long)figures.blocks, (unsigned long long)figures.xruns,
      (unsigned long long)figures.player.notes, figures.residual);
  assert_true(figures.blocks > 0 && figures.load > 0.0 && figures.player.notes > 0);
  assert_int_equal(record.not_finite, 0);
  no_offence();
  all_was_played(&figures);
}

static void a_server_that_goes_away_is_noticed(void** state) {
  (void)state;
  NEED_SERVER(&server);
  JwScene* const scene = muted();
  const JwLiveDef def = {scene, "live", NULL, 1.0, false, false, {NULL, NULL, NULL}};
  JwLive* live = NULL;
  char error[JW_ERROR_SIZE] = "";
  assert_int_equal(jw_live_open(&def, &live, error), JW_STATUS_OK);
  assert_false(jw_live_figures(live).gone);
  stop_server(&server);
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

// ---------------------------------------------------------------- the program itself

#define REPORT "live-guard.txt" // In the folder that the test runs in

// `jawari play tromba` with the checker loaded before it; its report goes to a file.
static pid_t start_checked(const char* plant) {
  const pid_t child = fork();
  if (child == 0) {
    const int report = open(REPORT, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int null = open("/dev/null", O_WRONLY);
    if (dup2(report, 2) < 0 || dup2(null, 1) < 0 || (plant && setenv("GUARD_PLANT", plant, 1))
        || setenv("LD_PRELOAD", checker, 1)) {
      _exit(126);
    }
    execl(program, program, "play", "tromba", "--apart", "--quiet", "--name", "checked",
          (char*)NULL);
    _exit(127);
  }
  return child;
}

static bool there_is(const char* port) {
  jack_client_t* const probe = jack_client_open("probe", JackNoStartServer, NULL);
  const bool found = probe && jack_port_by_name(probe, port);
  if (probe) {
    jack_client_close(probe);
  }
  return found;
}

// Freewheeling under a keyboard at full density, until so many messages were sent or the program
// ends.
static int play_checked(uint32_t messages) {
  int status = 0;
  const pid_t child = start_checked(NULL);
  for (int i = 0; i < 600 && !there_is("checked:midi"); ++i) {
    nap(0.1);
  }
  Keyboard keyboard;
  open_keyboard(&keyboard, "checked:midi");
  assert_int_equal(jack_set_freewheel(keyboard.client, 1), 0);
  pid_t ended = 0;
  for (int i = 0; i < 1200 && keyboard.sent < messages && !ended; ++i) {
    nap(0.05);
    ended = waitpid(child, &status, WNOHANG);
  }
  assert_int_equal(jack_set_freewheel(keyboard.client, 0), 0);
  jack_client_close(keyboard.client);
  if (!ended) {
    assert_true(keyboard.sent >= messages);
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
  }
  return status;
}

// It ends by itself in its hundredth block: nothing is connected to it, which may be gone by then.
static int play_planted(const char* plant) {
  int status = 0;
  const pid_t child = start_checked(plant);
  for (int i = 0; i < 600; ++i) {
    if (waitpid(child, &status, WNOHANG)) {
      return status;
    }
    nap(0.1);
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return status;
}

static void read_report(char* report, size_t size) {
  FILE* const file = fopen(REPORT, "r");
  assert_non_null(file);
  report[fread(report, 1, size - 1, file)] = 0;
  fclose(file);
  remove(REPORT);
}

static void the_program_plays_without_waiting_for_anything(void** state) {
  (void)state;
  NEED_SERVER(&server);
  char report[4000];
  const int status = play_checked(3000);
  read_report(report, sizeof report);
  print_message("# %s", report);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  unsigned long callbacks = 0;
  assert_int_equal(sscanf(report, "guard: %lu callbacks, no offence", &callbacks), 1);
  assert_true(callbacks > 2000); // 3000 messages take 2.88 s: 2160 blocks
}

static void the_checker_ends_a_program_that_allocates(void** state) {
  (void)state;
  NEED_SERVER(&server);
  char report[4000];
  const int status = play_planted("malloc");
  read_report(report, sizeof report);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  assert_non_null(strstr(report, "not real-time safe: malloc"));
}

// ---------------------------------------------------------------- main

static int soak(double seconds) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tromba_plays_in_real_time_and_says_how_hard_that_is)};
  soak_seconds = seconds;
  return cmocka_run_group_tests_name("soak", tests, NULL, NULL);
}

static int all(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callback_is_real_time_safe_and_its_samples_are_the_offline_ones),
      cmocka_unit_test(the_program_plays_without_waiting_for_anything),
      cmocka_unit_test(the_checker_ends_a_program_that_allocates),
      cmocka_unit_test(the_tromba_plays_in_real_time_and_says_how_hard_that_is),
      cmocka_unit_test(every_block_size_and_rate_gives_the_samples_of_that_rate),
      cmocka_unit_test(a_server_that_goes_away_is_noticed),
  };
  return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: test_live JAWARI GUARD | soak SECONDS\n");
    return 2;
  }
  program = argv[1];
  checker = argv[2];
  start_server(&server, "48000", "64");
  const int failed = strcmp(argv[1], "soak") == 0 ? soak(atof(argv[2])) : all();
  stop_server(&server);
  return failed;
}
