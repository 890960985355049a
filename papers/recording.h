// SPDX-License-Identifier: MIT
// recording.h: runs of the engine, kept sample by sample, for the papers.
#ifndef JAWARI_PAPER_RECORDING_H
#define JAWARI_PAPER_RECORDING_H

#include "paper.h"

#include <jawari/jawari.h>

/// The five rules for g, in the order in which they are shown.
enum {
  JW_PAPER_PLAIN,
  JW_PAPER_RELEASED,
  JW_PAPER_BOUNDED,
  JW_PAPER_REFINED,
  JW_PAPER_NEWTON,
  JW_PAPER_RULES
};
extern const JwRule jw_paper_rules[JW_PAPER_RULES];
extern const char* const jw_paper_rule_names[JW_PAPER_RULES];

/// What was heard and where the energy was.  Sample n is the state at n/rate; sample 0 the start.
/// The energies of sample n lie half a sample before it.
typedef struct {
  double rate;
  size_t count, done; ///< Samples, and how many of them are there
  double *t, *u;      ///< Time, first pickup
  double *kinetic, *potential, *contact, *total;
  double* pool; ///< Owns all of them
} JwRecording;

/// Room for `count` samples of a prepared world with its ledger on.  `first`: the pickup at the
/// start.
bool jw_recording_open(JwPaperRun* run, JwWorld* world, double first, size_t count,
                       JwRecording* recording);

/// Run on until sample `last` is there.  On failure the recording is released.
bool jw_recording_run(JwPaperRun* run, JwWorld* world, JwRecording* recording, size_t last);
void jw_recording_release(JwRecording* recording);

/// Largest |a - b| of `count` values.
double jw_paper_distance(const double* a, const double* b, size_t count);

/// |a - b| / |b| in the Euclidean norm; b holds every `stride`-th value of the same time axis.
double jw_paper_relative(const double* a, const double* b, size_t stride, size_t count);

/// Order of convergence: slope of log(error) over log(1/rate), least squares.
double jw_paper_order(const double* rates, const double* errors, size_t count);

/// DIR/stem.wav of the velocity of this displacement, to half of full scale, under `name`.
bool jw_paper_velocity_sound(JwPaperRun* run, const char* stem, const JwPaperColumn* displacement,
                             double rate);

/// A line through columns.
JwPlotSeries jw_paper_line(const double* x, const double* y, size_t count, const char* label);

/// The look of rule r in every figure.
JwPlotSeries jw_paper_rule_line(size_t rule, const double* x, const double* y, size_t count);

#endif // JAWARI_PAPER_RECORDING_H
