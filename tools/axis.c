// SPDX-License-Identifier: MIT
// Everything that a table holds, at the times of one axis: row n is at n k.
//
// Frame n of a world is the step from u(n) to u(n+1), and what its pickups hear of it is centred
// where the scheme has it:
//
//   quantity       the world's frame n        at           row n of a table, at n k
//   displacement   u(n+1)                     (n + 1) k    u(n): the frame before, and u(0) first
//   velocity       (u(n+1) - u(n)) / k        (n + 1/2) k  (u(n+1) - u(n-1)) / 2k: the mean of two frames
//   pressure       as a velocity
//   force          f(n)                       n k          f(n)
//
// The mean of two velocities is the centred difference of second order: exact where both are of one
// motion, the mean of before and after where a throw lies between them.  A sound keeps the
// difference of two neighbours, because the mean takes 3 dB at a quarter of the rate and everything
// at half of it.

#include "axis.h"
#include "tool.h"

bool jw_axis_start(JwAxis* axes, uint32_t count, JwWorld* world) {
  for (uint32_t i = 0; i < count; ++i) {
    const JwPickupDef pickup = jw_world_pickup_info(world, (JwPickupId){i + 1});
    double displacement = 0.0, velocity = 0.0;
    if (pickup.quantity != JW_QUANTITY_FORCE
        && jw_world_probe(world, pickup.port, &displacement, &velocity)) {
      return jw_tool_fail("%s", jw_world_error(world));
    }
    axes[i].quantity = pickup.quantity;
    axes[i].before = pickup.quantity == JW_QUANTITY_VELOCITY       ? velocity
                     : pickup.quantity == JW_QUANTITY_DISPLACEMENT ? displacement
                                                                   : 0.0;
  }
  return true;
}

void jw_axis_place(JwAxis* axes, uint32_t pickups, double* const* block, uint32_t count) {
  for (uint32_t i = 0; i < pickups; ++i) {
    JwAxis* const axis = &axes[i];
    for (uint32_t n = 0; n < count && axis->quantity != JW_QUANTITY_FORCE; ++n) {
      const double now = block[i][n];
      block[i][n] =
          axis->quantity == JW_QUANTITY_DISPLACEMENT ? axis->before : 0.5 * (axis->before + now);
      axis->before = now;
    }
  }
}
