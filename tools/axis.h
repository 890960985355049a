// SPDX-License-Identifier: MIT
// axis.h: everything that a table holds, at the times of one axis.
#ifndef JAWARI_TOOL_AXIS_H
#define JAWARI_TOOL_AXIS_H

#include <jawari/jawari.h>

/// One pickup's place on the axis.
typedef struct {
  JwQuantity quantity;
  double before; ///< What the world gave one frame earlier
} JwAxis;

/// From the world's first state, before it has run: one for each of its pickups.  False after
/// printing why.
bool jw_axis_start(JwAxis* axes, uint32_t count, JwWorld* world);

/// Bring `count` frames that the world gave to the axis, in place, one array a pickup.
void jw_axis_place(JwAxis* axes, uint32_t pickups, double* const* block, uint32_t count);

#endif // JAWARI_TOOL_AXIS_H
