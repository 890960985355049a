// SPDX-License-Identifier: MIT
// ticks.h: where an axis is marked, and what is written there.
#ifndef JAWARI_PLOT_TICKS_H
#define JAWARI_PLOT_TICKS_H

#include "plot.h"

#define JW_TICKS_MAX 64

typedef struct {
  double value;   ///< In the data's unit
  char label[48]; ///< Empty on a minor tick
} JwTick;

typedef struct {
  JwTick tick[JW_TICKS_MAX];
  size_t count;
  char title[160]; ///< The axis's label with its unit, prefix and power of ten
} JwTicks;

/// Ticks of an axis with a settled range, min < max, about `wanted` of them: steps of 1, 2 or 5
/// times a power of ten, none outside of the range, labels all different.
JwTicks jw_ticks_choose(const JwPlotAxis* axis, int wanted);

#endif // JAWARI_PLOT_TICKS_H
