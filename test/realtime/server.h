// SPDX-License-Identifier: MIT
// A JACK server on the dummy driver, started by the test itself, and a keyboard that plays at
// random.
#ifndef JAWARI_TEST_SERVER_H
#define JAWARI_TEST_SERVER_H

#include "../test.h"

#include <jack/jack.h>
#include <jack/midiport.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline void nap(double seconds) {
  const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&time, NULL);
}

// ---------------------------------------------------------------- server

typedef struct {
  pid_t process;
  char name[64];
  const char* why_not; ///< Why there is none; NULL: there is one
} Server;

static inline void quiet(const char* message) {
  (void)message;
}

static inline void run_jackd(const Server* server, const char* rate, const char* block) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // Whatever becomes of the test, no server stays behind
  if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
    _exit(126);
  }
  execlp("jackd", "jackd", "-n", server->name, "-S", "-r", "-d", "dummy", "-r", rate, "-p", block,
         (char*)NULL);
  _exit(127);
}

/// Start one and wait until it answers; `why_not` says when it does not.
static inline void start_server(Server* server, const char* rate, const char* block) {
  memset(server, 0, sizeof *server);
  snprintf(server->name, sizeof server->name, "jawari-test-%d", (int)getpid());
  setenv("JACK_DEFAULT_SERVER", server->name, 1);
  setenv("JACK_NO_AUDIO_RESERVATION", "1", 1);
  jack_set_error_function(quiet);
  jack_set_info_function(quiet);
  server->process = fork();
  if (server->process == 0) {
    run_jackd(server, rate, block);
  }
  for (int i = 0; i < 300; ++i) {
    int status;
    if (waitpid(server->process, &status, WNOHANG) == server->process) {
      server->process = 0;
      server->why_not = WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "jackd is not installed"
                                                                        : "jackd ends at once here";
      return;
    }
    jack_client_t* const probe = jack_client_open("probe", JackNoStartServer, NULL);
    if (probe) {
      jack_client_close(probe);
      return;
    }
    nap(0.1);
  }
  server->why_not = "jackd does not answer within 30 s";
}

static inline void stop_server(Server* server) {
  if (server->process > 0) {
    kill(server->process, SIGTERM);
    bool ended = false;
    for (int i = 0; i < 100 && !ended; ++i) {
      ended = waitpid(server->process, NULL, WNOHANG) == server->process;
      nap(ended ? 0.0 : 0.1);
    }
    if (!ended) {
      kill(server->process, SIGKILL);
      waitpid(server->process, NULL, 0);
    }
    server->process = 0;
  }
}

#define NEED_SERVER(SERVER)                                                                        \
  do {                                                                                             \
    if ((SERVER)->why_not) {                                                                       \
      print_message("# SKIP no server: %s\n", (SERVER)->why_not);                                  \
      skip();                                                                                      \
    }                                                                                              \
  } while (0)

// ---------------------------------------------------------------- keyboard

/// As many messages as a MIDI cable carries: 31250 bits a second, ten bits a byte, three bytes a
/// message.
#define FULL_DENSITY (31250.0 / 30.0)

typedef struct {
  jack_client_t* client;
  jack_port_t* out;
  double rate, due; ///< Messages that should have been sent by now
  uint64_t random;
  _Atomic uint32_t sent;
} Keyboard;

static inline uint32_t next_random(Keyboard* k) {
  k->random = k->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(k->random >> 33);
}

// A note on (a third of all), note off, controller, pressure or bend; controllers that end all
// notes left out.
static inline void send_one(Keyboard* k, void* buffer, jack_nframes_t at) {
  const uint8_t statuses[6] = {0x90, 0x80, 0xb0, 0xd0, 0xe0, 0x90};
  const uint8_t message[3] = {statuses[next_random(k) % 6], (uint8_t)(next_random(k) % 120),
                              (uint8_t)(next_random(k) % 128)};
  atomic_fetch_add(&k->sent,
                   jack_midi_event_write(buffer, at, message, message[0] == 0xd0 ? 2 : 3) == 0);
}

static inline int press(jack_nframes_t frames, void* user) {
  Keyboard* const k = (Keyboard*)user;
  void* const buffer = jack_port_get_buffer(k->out, frames);
  jack_midi_clear_buffer(buffer);
  k->due += FULL_DENSITY * frames / k->rate;
  const uint32_t count = (uint32_t)k->due;
  k->due -= count;
  for (uint32_t i = 0; i < count;
       ++i) { // In order: one somewhere in each of `count` parts of the block
    send_one(
        k, buffer,
        (jack_nframes_t)(((double)i + (double)(next_random(k) % 1000) / 1000.0) * frames / count));
  }
  return 0;
}

static inline void open_keyboard(Keyboard* k, const char* to) {
  memset(k, 0, sizeof *k);
  k->random = 7;
  k->client = jack_client_open("keyboard", JackNoStartServer, NULL);
  assert_non_null(k->client);
  k->rate = jack_get_sample_rate(k->client);
  k->out = jack_port_register(k->client, "out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
  jack_set_process_callback(k->client, press, k);
  assert_int_equal(jack_activate(k->client), 0);
  assert_int_equal(jack_connect(k->client, jack_port_name(k->out), to), 0);
}

#endif // JAWARI_TEST_SERVER_H
