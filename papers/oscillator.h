// SPDX-License-Identifier: MIT
// oscillator.h: a mass on a spring that hits a barrier: by the engine, and event by event.
#ifndef JAWARI_PAPER_OSCILLATOR_H
#define JAWARI_PAPER_OSCILLATOR_H

#include "recording.h"

/// M u'' = -M w0^2 u - K [u - b]^alpha
typedef struct {
  double mass, stiffness, exponent;
  double frequency; ///< w0/2 pi (Hz); 0: a free mass
  double barrier;   ///< b
  double displacement, velocity;
  JwScheme scheme;
} JwOscillator;

/// What the contact did, and how exactly the energy was kept.
typedef struct {
  JwContactFigures contact;
  double residual;
} JwOscillatorReport;

/// By the engine.  `report` may be NULL.
bool jw_oscillator_run(JwPaperRun* run, const JwOscillator* oscillator, JwRule rule, double rate,
                       size_t count, JwRecording* recording, JwOscillatorReport* report);

/// The same motion, exact but for about 1e-9: u[n] at n/rate.
void jw_oscillator_exact(const JwOscillator* oscillator, double rate, size_t count, double* u);

#endif // JAWARI_PAPER_OSCILLATOR_H
