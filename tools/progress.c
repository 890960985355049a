// SPDX-License-Identifier: MIT
// How far a rendering is, on a terminal: a line that is written over.

#include "job.h"

#include <unistd.h>

#define PERIOD 0.2 // s

static bool wanted(const JwJob* job) {
  return !job->options->quiet && isatty(fileno(stderr));
}

void jw_progress_show(const JwJob* job, double now) {
  static double next = PERIOD;
  if (now < next || !wanted(job)) {
    return;
  }
  next = now + PERIOD;
  const double sounded = (double)job->done / job->rate, whole = (double)job->frames / job->rate;
  const double factor = sounded / now;
  const double left = factor > 0.0 ? (whole - sounded) / factor : 0.0;
  fprintf(stderr, "\r%3.0f %%  %.1f of %.1f s, %.2f x real time, %d:%02d left \033[K",
          100.0 * sounded / whole, sounded, whole, factor, (int)(left / 60.0), (int)left % 60);
  fflush(stderr);
}

void jw_progress_clear(const JwJob* job) {
  if (wanted(job)) {
    fputs("\r\033[K", stderr);
  }
}
