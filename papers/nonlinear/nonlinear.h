// SPDX-License-Identifier: MIT
// nonlinear.h: strings and plates that stretch, written out beside the engine.
#ifndef JAWARI_PAPER_NONLINEAR_H
#define JAWARI_PAPER_NONLINEAR_H

#include "paper.h"

extern const JwPaper jw_nonlinear_paper;

bool jw_nonlinear_strings(JwPaperRun* run);
bool jw_nonlinear_plates(JwPaperRun* run);

/// A string of a few modes, supported, without loss: nothing of the engine.
enum { JW_WIRE_MODES = 12 };

typedef struct {
  double length, mass, tension, bending, stretching; ///< m, kg/m, N, N m2, N
  bool local; ///< By the stretch of every place; else the mean
} JwWire;

/// Energy of its stretch (J) and, unless NULL, its slope by every mode (N).
double jw_wire_strain(const JwWire* wire, const double* q, double* slope);
/// One step of Runge and Kutta.
void jw_wire_exact_step(const JwWire* wire, double k, double* q, double* v);

/// How g is found from the slope of the stretch, and how modes are advanced.
typedef enum {
  JW_DRIFT_PLAIN,     ///< g = grad V/sqrt(2 V)
  JW_DRIFT_SIGN,      ///< The same, made smaller where the free motion would carry psi below zero
  JW_DRIFT_BOUNDED,   ///< The same, made smaller so that psi ends at zero, as a collision's
  JW_DRIFT_REGULATED, ///< Plus what lets psi fall back to sqrt(2 V) at a rate of 1000/s
  JW_DRIFT_TWO,       ///< Turned so that psi lands on sqrt(2 V) of a first solve
  JW_DRIFT_FORCE,     ///< The same from the g that makes the force grad V: the engine's (8.4)
  JW_DRIFT_RULES
} JwDrift;

extern const char* const jw_drift_names[JW_DRIFT_RULES];

typedef struct {
  double displacement, force; ///< Relative to Runge and Kutta's, in the mean square
  double drift;               ///< Largest |psi - sqrt(2 V)| over sqrt(2 E)
  double energy;              ///< Largest change of the energy over its first value
} JwWireErrors;

/// A pluck of `amplitude` at 0.28 of the length, for `seconds`.
JwWireErrors jw_wire_run(const JwWire* wire, JwDrift drift, bool exact, double rate, double seconds,
                         double amplitude);

#endif // JAWARI_PAPER_NONLINEAR_H
