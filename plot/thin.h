// SPDX-License-Identifier: MIT
// thin.h: keep of a line what a pixel can show.
#ifndef JAWARI_PLOT_THIN_H
#define JAWARI_PLOT_THIN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  double x, y; ///< px
} JwPoint;

/// For x that never falls: the first, lowest, highest and last point of every half pixel, in the
/// order they came.  Works in place; returns how many are left.
size_t jw_thin_columns(JwPoint* points, size_t count);

/// For any path: drop points less than `reach` from the last one kept; the ends stay.  In place.
size_t jw_thin_path(JwPoint* points, size_t count, double reach);

bool jw_thin_rises(const JwPoint* points, size_t count);

#endif // JAWARI_PLOT_THIN_H
