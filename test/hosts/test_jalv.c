// SPDX-License-Identifier: MIT
// Instruments in jalv, under a JACK server that the test starts: random MIDI at full density, while the real-time guard watches
// every run() of the plug-in (preload_lv2.c).
//   test_jalv GUARD BUNDLE SECONDS     GUARD is loaded before jalv; SECONDS of sound for each instrument

#define _GNU_SOURCE

#include "../realtime/server.h"

#include <fcntl.h>
#include <math.h>

#define RATE 48000.0
#define BLOCK 64

static Server server;
static const char *guard, *bundle;
static double seconds;
static char folder[] = "/tmp/test_jalv.XXXXXX", report_path[64];

// ---------------------------------------------------------------- jalv

typedef struct {
  pid_t process;
  int keys; ///< Its standard input, which must stay open
} Jalv;

// Its error output goes to a file; where jalv is not installed it ends with 127.
static Jalv start_jalv(const char* uri, const char* plant) {
  int ends[2];
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  const Jalv jalv = {fork(), ends[1]};
  if (jalv.process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int report = open(report_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int null = open("/dev/null", O_WRONLY);
    if (dup2(ends[0], 0) < 0 || dup2(null, 1) < 0 || dup2(report, 2) < 0
        || setenv("LV2_PATH", folder, 1) || (plant && setenv("GUARD_PLANT", plant, 1))
        || setenv("LD_PRELOAD", guard, 1)) {
      _exit(126);
    }
    execlp("jalv", "jalv", "-x", "-n", "checked", uri, (char*)NULL);
    _exit(127);
  }
  close(ends[0]);
  return jalv;
}

// The name of jalv's port of a kind, as soon as there is one.
static bool find_port(jack_client_t* client, const char* type, unsigned long flags,
                      char name[128]) {
  const char** const ports = jack_get_ports(client, "^checked:", type, flags);
  const bool found = ports && ports[0];
  snprintf(name, 128, "%s", found ? ports[0] : "");
  jack_free(ports);
  return found;
}

static bool wait_for_port(const char* type, unsigned long flags, char name[128]) {
  jack_client_t* const probe = jack_client_open("probe", JackNoStartServer, NULL);
  assert_non_null(probe);
  bool found = false;
  for (int i = 0; i < 600 && !found; ++i) {
    found = find_port(probe, type, flags, name);
    nap(found ? 0.0 : 0.1);
  }
  jack_client_close(probe);
  return found;
}

static int stop_jalv(const Jalv* jalv) {
  int status = 0;
  close(jalv->keys);
  kill(jalv->process, SIGINT);
  for (int i = 0; i < 100; ++i) {
    if (waitpid(jalv->process, &status, WNOHANG) == jalv->process) {
      return status;
    }
    nap(0.1);
  }
  kill(jalv->process, SIGKILL);
  waitpid(jalv->process, &status, 0);
  return status;
}

static void read_report(char* report, size_t size) {
  FILE* const file = fopen(report_path, "r");
  assert_non_null(file);
  report[fread(report, 1, size - 1, file)] = 0;
  fclose(file);
}

// ---------------------------------------------------------------- what is heard

typedef struct {
  jack_client_t* client;
  jack_port_t* in;
  _Atomic float peak; ///< Not a number once a sample was none
  _Atomic uint64_t frames;
} Ear;

static int hear(jack_nframes_t frames, void* user) {
  Ear* const ear = (Ear*)user;
  const float* const samples = (const float*)jack_port_get_buffer(ear->in, frames);
  float peak = ear->peak;
  for (uint32_t i = 0; i < frames; ++i) {
    peak = isfinite(samples[i]) ? (fabsf(samples[i]) > peak ? fabsf(samples[i]) : peak) : NAN;
  }
  ear->peak = peak;
  ear->frames += frames;
  return 0;
}

static void open_ear(Ear* ear, const char* from) {
  memset(ear, 0, sizeof *ear);
  ear->client = jack_client_open("ear", JackNoStartServer, NULL);
  assert_non_null(ear->client);
  ear->in = jack_port_register(ear->client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
  jack_set_process_callback(ear->client, hear, ear);
  assert_int_equal(jack_activate(ear->client), 0);
  assert_int_equal(jack_connect(ear->client, from, jack_port_name(ear->in)), 0);
}

// ---------------------------------------------------------------- claims

static void need_jalv(void) {
  NEED_SERVER(&server);
  if (system("command -v jalv >/dev/null 2>&1")) {
    print_message("# SKIP jalv is not installed\n");
    skip();
  }
}

// In the server's own time, as a musician has it.
static void plays_without_waiting(const char* uri) {
  need_jalv();
  char keys[128], speaker[128], report[8000];
  const Jalv jalv = start_jalv(uri, NULL);
  if (!wait_for_port(JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, keys)
      || !wait_for_port(JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, speaker)) {
    stop_jalv(&jalv);
    read_report(report, sizeof report);
    fail_msg("jalv opens no ports: %s", report);
  }
  Ear ear;
  Keyboard keyboard;
  open_ear(&ear, speaker);
  open_keyboard(&keyboard, keys);
  const uint64_t wanted = (uint64_t)(seconds * RATE);
  for (int i = 0; i < 40 * (int)ceil(seconds) && ear.frames < wanted; ++i) {
    nap(0.1);
  }
  const uint64_t frames = ear.frames;
  const uint32_t sent = keyboard.sent;
  const float peak = ear.peak;
  jack_client_close(keyboard.client);
  jack_client_close(ear.client);
  const int status = stop_jalv(&jalv);
  read_report(report, sizeof report);
  const char* const line = strstr(report, "guard: ");
  print_message("# %u messages, %.0f s, peak %.3f; %s", sent, (double)frames / RATE, (double)peak,
                line ? line : report);
  assert_true(WIFEXITED(status));
  assert_true(frames >= wanted && sent > 1000.0 * seconds && peak > 1e-3f);
  unsigned long calls = 0;
  assert_non_null(line);
  assert_int_equal(sscanf(line, "guard: %lu calls, no offence", &calls), 1);
  assert_true((double)calls >= seconds * RATE / BLOCK);
}

static void a_tromba_in_jalv_waits_for_nothing(void** state) {
  (void)state;
  plays_without_waiting("urn:jawari:tromba");
}

static void a_guitar_in_jalv_waits_for_nothing(void** state) {
  (void)state;
  plays_without_waiting("urn:jawari:guitar");
}

static void a_marimba_in_jalv_waits_for_nothing(void** state) {
  (void)state;
  plays_without_waiting("urn:jawari:marimba");
}

static void an_allocation_that_was_planted_is_seen(void** state) {
  (void)state;
  need_jalv();
  char report[8000];
  int status = 0;
  const Jalv jalv = start_jalv("urn:jawari:tromba-small", "malloc");
  for (int i = 0; i < 600 && waitpid(jalv.process, &status, WNOHANG) == 0; ++i) {
    nap(0.1);
  }
  close(jalv.keys);
  read_report(report, sizeof report);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  assert_non_null(strstr(report, "not real-time safe: malloc"));
}

// ---------------------------------------------------------------- the folder

static int set_up(void** state) {
  (void)state;
  char command[512];
  assert_non_null(mkdtemp(folder));
  snprintf(report_path, sizeof report_path, "%s.txt", folder);
  // The bundle, and LV2's own specifications
  snprintf(command, sizeof command,
           "ln -s \"$(realpath '%s')\" %s/jawari.lv2; for part in /usr/lib/lv2/*.lv2; do "
           "ls \"$part\"/*.so >/dev/null 2>&1 || ln -s \"$part\" %s/; done",
           bundle, folder, folder);
  assert_int_equal(system(command), 0);
  start_server(&server, "48000", "64");
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  char command[160];
  stop_server(&server);
  snprintf(command, sizeof command, "rm -rf %s %s", folder, report_path);
  return system(command);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: test_jalv GUARD BUNDLE SECONDS\n");
    return 2;
  }
  char* const real = realpath(argv[1], NULL);
  guard = real ? real : argv[1];
  bundle = argv[2];
  seconds = strtod(argv[3], NULL);
  const struct CMUnitTest claims[] = {
      cmocka_unit_test(a_tromba_in_jalv_waits_for_nothing),
      cmocka_unit_test(a_guitar_in_jalv_waits_for_nothing),
      cmocka_unit_test(a_marimba_in_jalv_waits_for_nothing),
      cmocka_unit_test(an_allocation_that_was_planted_is_seen),
  };
  const int failed = cmocka_run_group_tests(claims, set_up, tear_down);
  free(real);
  return failed;
}
