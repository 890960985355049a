// SPDX-License-Identifier: MIT
// Keep of a line what a pixel can show.
//
// A second of sound is 44100 points on 600 pixels.  Of all points that fall into one half-pixel
// column only four can be seen: where the line enters, its lowest, its highest, and where it
// leaves.  Keeping these draws the same picture with at most eight points a pixel; no peak is lost
// (test_plot.c).

#include "thin.h"

#include <math.h>

bool jw_thin_rises(const JwPoint* points, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    if (points[i].x < points[i - 1].x) {
      return false;
    }
  }
  return true;
}

// Write first, extremes and last of points[from, to), without repeats, to `out`.
static size_t keep_column(const JwPoint* points, size_t from, size_t to, JwPoint* out) {
  size_t low = from, high = from;
  for (size_t i = from + 1; i < to; ++i) {
    low = points[i].y < points[low].y ? i : low;
    high = points[i].y > points[high].y ? i : high;
  }
  const size_t order[4] = {from, low < high ? low : high, low < high ? high : low, to - 1};
  JwPoint kept[4];
  size_t count = 0;
  for (size_t i = 0; i < 4; ++i) {
    if (i == 0 || order[i] != order[i - 1]) {
      kept[count++] = points[order[i]];
    }
  }
  for (size_t i = 0; i < count; ++i) {
    out[i] = kept[i];
  }
  return count;
}

size_t jw_thin_columns(JwPoint* points, size_t count) {
  size_t kept = 0;
  for (size_t from = 0; from < count;) {
    size_t to = from + 1;
    while (to < count && floor(2.0 * points[to].x) == floor(2.0 * points[from].x)) {
      ++to;
    }
    kept += keep_column(points, from, to, points + kept);
    from = to;
  }
  return kept;
}

size_t jw_thin_path(JwPoint* points, size_t count, double reach) {
  size_t kept = count > 0;
  for (size_t i = 1; i < count; ++i) {
    const JwPoint last = points[kept - 1];
    if (i + 1 == count || hypot(points[i].x - last.x, points[i].y - last.y) >= reach) {
      points[kept++] = points[i];
    }
  }
  return kept;
}
