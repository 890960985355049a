// SPDX-License-Identifier: MIT
// Seconds of the processor for a second of sound, the least of many short runs.
#ifndef JAWARI_PEERS_LEAST_H
#define JAWARI_PEERS_LEAST_H

#include <cstdio>
#include <ctime>

static double least_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// `run(frames)` computes so many frames at 44.1 kHz.
template <class Run> static void print_least(const char* name, Run run) {
  const int frames = 2240;
  double best = 1e9;
  for (int i = 0; i < 200; ++i) {
    const double start = least_seconds();
    run(frames);
    const double took = least_seconds() - start;
    best = took < best ? took : best;
  }
  std::printf("%s %g\n", name, best * 44100 / frames);
}

#endif
