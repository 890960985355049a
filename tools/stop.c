// SPDX-License-Identifier: MIT
// Ctrl-C, and other signals that a rendering must survive or end well on.

#include "job.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_wanted;

// Once: stop after this block and finish the files.  Twice: leave at once, with no files.
static void on_stop(int signal) {
  if (stop_wanted) {
    jw_out_abandon();
    _exit(128 + signal);
  }
  stop_wanted = 1;
}

// A signal that is ignored already stays so (nohup, background jobs of scripts).
static void stop_on(int signal) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler =
      on_stop; // Not to be restarted: who waits for the other end of a pipe must learn of it
  if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(signal, &action, NULL);
  }
}

// A closed pipe and a file that grows too large are errors like any other.
void jw_stop_catch(void) {
  stop_on(SIGINT);
  stop_on(SIGTERM);
  stop_on(SIGHUP);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

bool jw_stop_wanted(void) {
  return stop_wanted != 0;
}
