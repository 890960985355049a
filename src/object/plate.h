// SPDX-License-Identifier: MIT
// What plates on a grid and by modes share (plate.c).
#ifndef JAWARI_PLATE_H
#define JAWARI_PLATE_H

#include "object/object.h"

/// Mass per area, bending stiffnesses along x and y, of Poisson's coupling and of the twist,
/// tension
/// and losses, from whatever is given.
typedef struct {
  double mass, dx, dy, d1, dk, tension, loss[2];
} JwPlatePhysics;

JwStatus jw_plate_physics(const JwPlateDef* def, JwPlatePhysics* physics, char* error);

/// Frequency of mode (m, n) of a supported plate, Hz.
double jw_plate_frequency(const JwPlateDef* def, const JwPlatePhysics* physics, uint32_t m,
                          uint32_t n);

/// Are all edges supported?
bool jw_plate_supported(const JwPlateDef* def);

/// How it stiffens: kappa of (8.1), or 2 E H/A of (8.6).
JwStatus jw_plate_stretch(JwObject* object, char* error);

#endif // JAWARI_PLATE_H
