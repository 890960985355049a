// SPDX-License-Identifier: MIT
// What a grid loses in a step, read in the order in which its kernel keeps it.
//
//   symbol       here     meaning
//   v            change   u+ - u-, zero where there is no point
//   A            A        sum of v^2 over all points
//   P_x, P_y     P        sum of v times v of the neighbour along x, along y
//   Q(E), S(E)            along a free edge E: sum of v^2, and of squared differences
//
// Losses weigh v^2 with the mass of its point and squared differences with the width of their strip
// (1.3).  Inside, every point has two neighbours along an axis, a held edge being one at zero, so
// that the squared differences along it are 2 A - 2 P.  A free edge has none beyond it, half the
// mass, and strips of half the width:
//
//   |v|^2     = A - 1/2 sum Q(E) + 1/4 sum v^2 of free corners                         (1.16)
//   |d_x v|^2 = 2 A - 2 P_x - sum Q(E: across x) - 1/2 sum S(E: along x)
//
// One pass over the grid, which costs a third of the step itself.  Tested by the ledger of every
// scene, and against sums point by point by test_objects.c.

#include "kernel/lanes.h"
#include "object/object.h"

/// A grid as it lies in memory: points (x, y) of nx by ny, a string being one row.
typedef struct {
  const JwObject* object;
  const JwLanes* lanes;
  uint32_t n[2];
  const JwEnd* ends; // Low and high of x, then of y
  double sigma[2];
  uint32_t stride;             // From line to line; 0: a single line that is folded along itself
  uint32_t first, last, width; // Registers of the first and of the last line, and of each
  int along;                   // The axis that lines run along
} Grid;

static Grid string_of(const JwObject* object) {
  const JwGridString* const s = &object->grid.string;
  return (Grid){object,
                s->kernel.lanes,
                {s->count, 1},
                object->def.string.ends,
                {s->sigma, 0.0},
                0,
                0,
                s->line / JW_LANES - 1,
                1,
                0};
}

static Grid plate_of(const JwObject* object) {
  const JwGridPlate* const p = &object->grid.plate;
  const JwFold fold = p->kernel.fold;
  const uint32_t line = fold.length + 1;
  return (Grid){object,
                p->kernel.lanes,
                {p->kernel.nx, p->kernel.ny},
                object->def.plate.edges,
                {p->sigma_x, p->sigma_y},
                JW_LANES * line,
                1,
                (fold.lines - 1) * line + 1,
                fold.length,
                (int)fold.axis};
}

static bool is_free(const Grid* g, int axis, int end) {
  return g->n[axis] > 1 && g->ends[2 * axis + end] == JW_END_FREE;
}

static double at(const Grid* g, uint32_t x, uint32_t y) {
  return g->object->plain.change[g->object->plain.offset[y * g->n[0] + x]];
}

/// Point i of the edge at `end` of an axis.
static double on_edge(const Grid* g, int axis, int end, uint32_t i) {
  const uint32_t far = end ? g->n[axis] - 1 : 0;
  return axis ? at(g, i, far) : at(g, far, i);
}

/// The last line of each lane meets the first line of the next.
static double seam(const Grid* g) {
  const double* const first = g->object->plain.change + JW_LANES * g->first;
  const double* const last = g->object->plain.change + JW_LANES * g->last;
  double a = 0.0, b = 0.0, c = 0.0;
  for (uint32_t i = 0; i < JW_LANES * g->width; i += JW_LANES) {
    a += last[i] * first[i + 1];
    b += last[i + 1] * first[i + 2];
    c += last[i + 2] * first[i + 3];
  }
  return (a + b) + c;
}

/// What a free edge takes from |v|^2 and from the differences across it and along it.
static void take_edge(const Grid* g, int axis, int end, double* square, double slopes[2]) {
  const uint32_t n = g->n[1 - axis];
  double q = 0.0, p = 0.0, corners = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    const double v = on_edge(g, axis, end, i);
    q += v * v;
    p += i ? v * on_edge(g, axis, end, i - 1) : 0.0;
  }
  for (int corner = 0; corner < 2; ++corner) {
    const double v = on_edge(g, axis, end, corner ? n - 1 : 0);
    corners += is_free(g, 1 - axis, corner) ? v * v : 0.0;
  }
  *square -= 0.5 * q - 0.125 * corners; // Each corner is seen from two edges
  slopes[axis] -= q;
  slopes[1 - axis] -= 0.5 * (2.0 * q - 2.0 * p - corners);
}

static double lost_by(const Grid* g, uint32_t size, const double* next, const double* prev,
                      double e) {
  double sums[3];
  g->lanes->products(size, g->stride, next, prev, g->object->plain.change, sums);
  const int seamed = g->stride ? 1 - g->along : 0;
  double square = sums[0], p[2] = {sums[1], sums[2]};
  if (g->along) {
    p[0] = sums[2], p[1] = sums[1];
  }
  p[seamed] += seam(g);
  double slopes[2] = {2.0 * square - 2.0 * p[0], 2.0 * square - 2.0 * p[1]};
  for (int axis = 0; axis < 2; ++axis) {
    for (int end = 0; end < 2; ++end) {
      if (is_free(g, axis, end)) {
        take_edge(g, axis, end, &square, slopes);
      }
    }
  }
  return (1.0 - e) * square + g->sigma[0] * slopes[0] + g->sigma[1] * slopes[1];
}

JW_REALTIME double jw_grid_dissipate(const JwObject* object, const double* next, const double* u,
                                     const double* prev) {
  (void)u;
  const bool plate = object->ops->kind == JW_KIND_PLATE;
  const Grid g = plate ? plate_of(object) : string_of(object);
  const double e = plate ? object->grid.plate.e : object->grid.string.e,
               y = plate ? object->grid.plate.y : object->grid.string.y;
  if (e == 1.0 && g.sigma[0] == 0.0 && g.sigma[1] == 0.0) {
    return 0.0;
  }
  const uint32_t size = object->size / jw_object_directions(object); // Each direction by itself
  double lost = 0.0;
  for (uint32_t from = 0; from < object->size; from += size) {
    lost += lost_by(&g, size, next + from, prev + from, e);
  }
  return lost / (4.0 * y);
}
