// SPDX-License-Identifier: MIT
// Inside of the grid plate: its rim near free edges and its energy.
#ifndef JAWARI_PLATE_GRID_H
#define JAWARI_PLATE_GRID_H

#include "object/object.h"

/// Mass of point (x, y) relative to an interior one: 1, 1/2 at a free edge, 1/4 at a free corner.
double jw_plate_mass(const JwObject* object, uint32_t x, uint32_t y);

/// Count the rows and entries of the rim, or fill them.
void jw_plate_rim_count(JwObject* object);
void jw_plate_rim_fill(JwObject* object);

JW_REALTIME JwStored jw_plate_energy(const JwObject* object, const double* u, const double* prev);

#endif // JAWARI_PLATE_GRID_H
