// SPDX-License-Identifier: MIT
// lab.h: the impact laboratory.
//
// A mass hits a wall.  What the equations say exactly, and what integrators make of it.  Nothing
// here is shared with the engine, so that the two can disagree.
//
//   m a = m g - f(x, v),   f = k x^al (1 + mu v) for x > 0, else 0                            (1)
//
//   symbol  here       meaning                                            unit
//   m       mass       of what hits                                       kg
//   k       stiffness  of the contact                                     N/m^al
//   al      exponent   of the power law, at least 1                       1
//   mu      loss       lambda/k of the Hunt-Crossley force                s/m
//   g       gravity    0 but for the bouncing ball                        m/s2
//   x, v    x, v       compression and its velocity, positive inwards     m, m/s
//
// After S. Papetti, F. Avanzini and D. Rocchesso (2009); equation numbers with P are theirs.
// Proof by test: test_lab.c.
#ifndef JAWARI_LAB_H
#define JAWARI_LAB_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  double mass, stiffness, exponent, loss, gravity;
} JwLabImpact;

// ---------------------------------------------------------------- exact results, without gravity

/// Force at compression x and velocity v.
double jw_lab_force(const JwLabImpact* impact, double x, double v);

/// Kinetic and elastic energy together.
double jw_lab_energy(const JwLabImpact* impact, double x, double v);

/// Compression at velocity v after an impact at v_in (P3); v between the exit velocity and v_in.
double jw_lab_compression(const JwLabImpact* impact, double v_in, double v);

/// Largest compression (P4).
double jw_lab_largest_compression(const JwLabImpact* impact, double v_in);

/// Exit velocity (P6), through the Lambert function; good to a few units in the last place.
double jw_lab_exit_velocity(const JwLabImpact* impact, double v_in);

/// Exit velocity by the paper's expansion (P7, P8).
double jw_lab_exit_velocity_expanded(const JwLabImpact* impact, double v_in);

/// Contact time (P9), to a relative error of 1e-12.
double jw_lab_contact_time(const JwLabImpact* impact, double v_in);

// ---------------------------------------------------------------- what they rest on

/// Lambert's W0 on [-1/e, inf): w exp(w) = z, w >= -1.  NAN below -1/e.
double jw_lab_lambert_w0(double z);

/// log(1 + z) - z without cancellation, z > -1.
double jw_lab_log1p_minus(double z);

/// An integrand on an interval, given the distances to both ends, which are exact near them.
typedef double (*JwLabIntegrand)(void* user, double from_left, double from_right);

/// Integral over an interval of this length, ends may be singular.  `*error`: the last change.
double jw_lab_integrate(JwLabIntegrand integrand, void* user, double length, double* error);

// ---------------------------------------------------------------- integrators

typedef enum { JW_LAB_AM1, JW_LAB_VERLET, JW_LAB_HEUN, JW_LAB_RK4, JW_LAB_METHODS } JwLabMethod;

/// Position, velocity, and the force that the next step starts from.
typedef struct {
  double x, v, f;
} JwLabState;

const char* jw_lab_method_name(JwLabMethod method);

/// How to run: from x = 0, v = v_in.
typedef struct {
  JwLabImpact impact;
  double v_in;
  double sample_rate;
  double tolerance; ///< AM1: Newton's iteration ends when f+ is wrong by less than this part of it
  JwLabMethod method;
  bool corrected; ///< Clip the compression, force the exit velocity (section 4.2 of the paper)
} JwLabRunDef;

/// 44.1 kHz and the tolerance that gives the published digits.
JwLabRunDef jw_lab_run_default(void);

/// One sample, without corrections.
void jw_lab_step(const JwLabRunDef* def, JwLabState* state);

/// Samples of a run; the arrays are the caller's.
typedef struct {
  JwLabState* states;
  size_t capacity, count; ///< The last state is the first with x <= 0
} JwLabTrace;

/// Run to the first sample with x <= 0.  False if the trace is too short for that.
bool jw_lab_run(const JwLabRunDef* def, JwLabTrace* trace);

/// The same under gravity, from rest at the wall with v_in inwards, `count` samples, over all
/// rebounds.  With `corrected`, each rebound leaves with the exit velocity of its own impact.
void jw_lab_bounce(const JwLabRunDef* def, JwLabState* states, size_t count);

#endif // JAWARI_LAB_H
