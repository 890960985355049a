// SPDX-License-Identifier: MIT
// study.h: the choice of g, beyond the papers.
#ifndef JAWARI_STUDY_H
#define JAWARI_STUDY_H

#include "../oscillator.h"
#include "../recording.h"

extern const JwPaper jw_study;

#define JW_STUDY_RATE 44100.0

/// A free mass thrown at a barrier: what is left of it after the rebound.
typedef struct {
  double speed; ///< Over what it should be
  double delay; ///< Of the rebound against the exact one, in samples, positive when late
  double pull;  ///< Largest attracting force (N)
  double residual;
} JwStudyRebound;

/// The throw: everything but mass, speed and rate follows from the length of the contact.
typedef struct {
  double mass, velocity, exponent, stiffness, rate;
} JwStudyThrow;

/// Throw it so that it meets the barrier `phase` of a sample after a sample.
bool jw_study_throw(JwPaperRun* run, const JwStudyThrow* throw_, JwRule rule, double phase,
                    JwStudyRebound* rebound);

/// Length of the contact of a free mass, exact (s), and the stiffness for which it is that long.
double jw_study_contact_time(const JwStudyThrow* throw_);
double jw_study_stiffness(const JwStudyThrow* throw_, double seconds);

/// What plain leaves in an open contact: the engine against the scheme written out.
bool jw_study_parking(JwPaperRun* run);

bool jw_study_choice(JwPaperRun* run);
bool jw_study_oscillator(JwPaperRun* run);
bool jw_study_cost(JwPaperRun* run);
bool jw_study_flat_barrier(JwPaperRun* run);
bool jw_study_hammer(JwPaperRun* run);

#endif // JAWARI_STUDY_H
