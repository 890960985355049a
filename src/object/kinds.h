// SPDX-License-Identifier: MIT
// The kinds of objects, and what only some of them have.
#ifndef JAWARI_KINDS_H
#define JAWARI_KINDS_H

#include "object/object.h"

extern const JwObjectOps jw_mass_ops;
extern const JwObjectOps jw_string_grid_ops;
extern const JwObjectOps jw_string_modes_ops;
extern const JwObjectOps jw_plate_grid_ops;
extern const JwObjectOps jw_plate_modes_ops;
extern const JwObjectOps jw_modal_ops;
extern const JwObjectOps jw_barrier_ops;

/// Mass per length, bending stiffness, tension and losses of a string, from whatever is given.
typedef struct {
  double mass, bending, tension, loss[2];
} JwStringPhysics;

JwStatus jw_string_physics(const JwStringDef* def, JwStringPhysics* physics, char* error);

/// Frequency of mode p (1, 2, ...) of a supported string, Hz.
double jw_string_frequency(const JwStringPhysics* physics, double length, uint32_t p);

/// The lowest frequency at the physics' tension, Hz (string_pitch.c).
double jw_string_pitch(const JwStringDef* def, const JwStringPhysics* physics);

/// How high it sounds on its grid, whose coefficients for another tension may be there, Hz
/// (string_tune.c).
double jw_string_grid_pitch(const JwStringDef* def, const JwStringPhysics* physics,
                            const JwGridString* grid, double k);

/// How high a plate sounds, Hz, whatever its edges (plate_pitch.c).  Before its start: its buffers
/// are used, and left at zero.
double jw_plate_pitch(JwObject* object);

/// Held nowhere, or only by one hinge about which it can turn: a grid of 2 or 4 edges.
JW_REALTIME bool jw_edges_float(const JwEnd* edges, int count, double tension);

/// How it stiffens: kappa of (8.1), or EA - T of (8.3).
JwStatus jw_string_stretch(JwObject* object, const JwStringPhysics* physics, char* error);

/// 2^(cents/1200).
double jw_cents_ratio(double cents);

/// Note a grid string's pitch at every tension that its bend allows.
void jw_string_pitch_plan(JwObject* object, const JwStringPhysics* physics);

/// The tension at which a grid string's JW_CONTROL_TENSION, FREQUENCY or CENTS has a value; NaN if
/// none.
JW_REALTIME double jw_string_tension_of(const JwObject* object, JwControl scale, double value);

/// A grid string's tension as its JW_CONTROL_TENSION, FREQUENCY or CENTS.
JW_REALTIME double jw_string_tension_as(const JwObject* object, JwControl scale, double tension);

#endif // JAWARI_KINDS_H
