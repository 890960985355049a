// SPDX-License-Identifier: MIT
// Run one scene and say what came of it.
#ifndef JAWARI_TEST_RANDOM_CHECK_H
#define JAWARI_TEST_RANDOM_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  OUTCOME_RAN,     ///< To the end, all samples good, ledger closed
  OUTCOME_REFUSED, ///< With place and reason
  OUTCOME_STOPPED, ///< The state left the range of numbers, and run said so: silence from there on
  // Failures
  OUTCOME_SAMPLE, ///< A sample that is not finite, or subnormal
  OUTCOME_LEDGER, ///< Energy from nowhere
  OUTCOME_PUMPED, ///< More energy than allowed
  OUTCOME_MUTE,   ///< Refused without place or reason
  OUTCOME_SLOW,   ///< Refused after more than 100 ms
  OUTCOME_LARGE,  ///< Refused after taking more than 64 MiB
  OUTCOME_CRASH,
  OUTCOME_HANG,
  OUTCOME_COUNT
} Outcome;

extern const char* const outcome_names[OUTCOME_COUNT];

typedef struct {
  double seconds;    ///< Sound to make
  double operations; ///< Most additions and multiplications; a large scene makes less sound
  bool timed;        ///< Refusals must come within 100 ms of processor time
  double joules;     ///< Most energy that anything may store, lose or be given; 0: any
} CheckOptions;

typedef struct {
  Outcome outcome;
  char message[1024]; ///< Of a refusal or a failure
  double worst;       ///< Largest residual of the ledger
  double bound;       ///< What rounding may do to it
  double energy;      ///< Most that a component stored, lost or was given, J
  double refusal;     ///< Processor time of a refusal, s
  uint64_t bytes;     ///< Most memory taken at once
  uint64_t frames, closures;
  uint64_t asked; ///< Frames that the seconds asked for; fewer run where a scene is too large
  uint32_t largest_island;
  bool open; ///< The ledger is, where that is no failure
} Verdict;

Verdict check_scene(const char* text, size_t size, const CheckOptions* options);

static inline bool outcome_fails(Outcome outcome) {
  return outcome > OUTCOME_STOPPED;
}

#endif // JAWARI_TEST_RANDOM_CHECK_H
