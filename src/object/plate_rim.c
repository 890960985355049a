// SPDX-License-Identifier: MIT
// The rim: what points within two of a free edge need beyond the 13-point stencil.
//
// The stiffness between points (i, j) and (a, b) follows from the potential (1.7) through products
// of one-dimensional pieces, with c(p, i) the weight of point i in the second difference at p and G
// the matrix of squared first differences:
//
//   K = beta_x w(j) [j=b] sum_p w(p) c(p,i) c(p,a)  + the same along y
//     + beta_1 ( w(a) w(j) c(a,i) c(j,b) + w(i) w(b) c(i,a) c(b,j) )
//     + 4 beta_k G(i,a) G(j,b) + tau_x w(j) [j=b] G(i,a) + tau_y w(i) [i=a] G(j,b)     (1.8)
//
// A rim row is the true row, divided by the point's mass, less what the kernel already does.
// Tested by test_objects.c: free plates conserve energy and keep rigid motions.

#include "object/plate_grid.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  int last;          // Intervals
  const JwEnd* ends; // Low, high
} Axis;

static Axis axis_of(const JwObject* object, int axis) {
  const Axis result = {(int)object->grid.plate.intervals[axis], object->def.plate.edges + 2 * axis};
  return result;
}

static double weight(Axis axis, int p) {
  return p == 0 || p == axis.last ? 0.5 : 1.0;
}

// c(p, i)
static double curvature(Axis axis, int p, int i) {
  if (p == 0) {
    return axis.ends[0] == JW_END_CLAMPED && i == 1 ? 2.0 : 0.0;
  }
  if (p == axis.last) {
    return axis.ends[1] == JW_END_CLAMPED && i == axis.last - 1 ? 2.0 : 0.0;
  }
  if (p == i) {
    return -2.0;
  }
  return abs(p - i) == 1 ? 1.0 : 0.0;
}

static double curvature_product(Axis axis, int i, int a) {
  double sum = 0.0;
  for (int p = i - 1; p <= i + 1; ++p) {
    if (p >= 0 && p <= axis.last) {
      sum += weight(axis, p) * curvature(axis, p, i) * curvature(axis, p, a);
    }
  }
  return sum;
}

// G(i, a)
static double slope_product(Axis axis, int i, int a) {
  if (i == a) {
    return i == 0 || i == axis.last ? 1.0 : 2.0;
  }
  return abs(i - a) == 1 ? -1.0 : 0.0;
}

static double stiffness(const JwObject* object, int i, int j, int a, int b) {
  const JwGridPlate* const g = &object->grid.plate;
  const Axis x = axis_of(object, 0), y = axis_of(object, 1);
  double sum = 4.0 * g->beta_k * slope_product(x, i, a) * slope_product(y, j, b)
               + g->beta_1
                     * (weight(x, a) * weight(y, j) * curvature(x, a, i) * curvature(y, j, b)
                        + weight(x, i) * weight(y, b) * curvature(x, i, a) * curvature(y, b, j));
  if (j == b) {
    sum +=
        weight(y, j) * (g->beta_x * curvature_product(x, i, a) + g->tau_x * slope_product(x, i, a));
  }
  if (i == a) {
    sum +=
        weight(x, i) * (g->beta_y * curvature_product(y, j, b) + g->tau_y * slope_product(y, j, b));
  }
  return sum;
}

static double loss_matrix(const JwObject* object, int i, int j, int a, int b) {
  const JwGridPlate* const g = &object->grid.plate;
  const Axis x = axis_of(object, 0), y = axis_of(object, 1);
  return (j == b ? weight(y, j) * g->sigma_x * slope_product(x, i, a) : 0.0)
         + (i == a ? weight(x, i) * g->sigma_y * slope_product(y, j, b) : 0.0);
}

// What the kernel does with neighbour (di, dj) of u.
static double kernel_weight(const JwObject* object, uint32_t x, uint32_t y, int di, int dj) {
  const JwPlateKernel* const kernel = &object->grid.plate.kernel;
  const int ax = abs(di), ay = abs(dj);
  if (ax == 0 && ay == 0) {
    return kernel->c0[y] + (x == 0 ? kernel->left : 0.0)
           + (x == kernel->nx - 1 ? kernel->right : 0.0);
  }
  if (ay == 0) {
    return ax == 1 ? kernel->cx1 : kernel->cx2;
  }
  if (ax == 0) {
    return ay == 1 ? kernel->cy1 : kernel->cy2;
  }
  return ax == 1 && ay == 1 ? kernel->cd : 0.0;
}

static double kernel_past(const JwPlateKernel* kernel, int di, int dj) {
  if (di == 0 && dj == 0) {
    return kernel->d0;
  }
  if (dj == 0 && abs(di) == 1) {
    return kernel->dx;
  }
  return di == 0 && abs(dj) == 1 ? kernel->dy : 0.0;
}

double jw_plate_mass(const JwObject* object, uint32_t x, uint32_t y) {
  const JwGridPlate* const grid = &object->grid.plate;
  return weight(axis_of(object, 0), (int)(x + grid->first[0]))
         * weight(axis_of(object, 1), (int)(y + grid->first[1]));
}

static bool near_free(const JwObject* object, uint32_t x, uint32_t y) {
  const JwEnd* const edges = object->def.plate.edges;
  const JwPlateKernel* const kernel = &object->grid.plate.kernel;
  return (edges[0] == JW_END_FREE && x < 2) || (edges[1] == JW_END_FREE && x + 2 >= kernel->nx)
         || (edges[2] == JW_END_FREE && y < 2) || (edges[3] == JW_END_FREE && y + 2 >= kernel->ny);
}

static bool inside(const JwPlateKernel* kernel, int x, int y) {
  return x >= 0 && y >= 0 && x < (int)kernel->nx && y < (int)kernel->ny;
}

// One row: entries for u, then for the past.
static void fill_row(JwObject* object, JwRimRow* row, uint32_t x, uint32_t y) {
  JwGridPlate* const grid = &object->grid.plate;
  const JwPlateKernel* const kernel = &grid->kernel;
  const double mass = jw_plate_mass(object, x, y);
  const int i = (int)(x + grid->first[0]), j = (int)(y + grid->first[1]);
  uint32_t entry = row->start;
  for (int past = 0; past < 2; ++past) {
    for (int dj = -2; dj <= 2; ++dj) {
      for (int di = -2; di <= 2; ++di) {
        const int a = (int)x + di, b = (int)y + dj;
        if (!inside(kernel, a, b)) {
          continue;
        }
        const double loss = loss_matrix(object, i, j, i + di, j + dj) / mass;
        const double centre = di == 0 && dj == 0 ? 1.0 : 0.0;
        const double whole =
            past ? loss - centre * grid->e
                 : centre * (1.0 + grid->e) - stiffness(object, i, j, i + di, j + dj) / mass - loss;
        const double extra =
            whole - (past ? kernel_past(kernel, di, dj) : kernel_weight(object, x, y, di, dj));
        if (extra != 0.0) {
          grid->rim_offset[entry] =
              jw_plate_offset(kernel->nx, kernel->ny, (uint32_t)a, (uint32_t)b);
          grid->rim_weight[entry++] = extra;
        }
      }
    }
    *(past ? &row->p_count : &row->u_count) = entry - row->start - (past ? row->u_count : 0);
  }
}

#define MOST_ENTRIES 18 // 13 neighbours of u, 5 of the past

void jw_plate_rim_count(JwObject* object) {
  JwGridPlate* const grid = &object->grid.plate;
  const JwEnd* const edges = object->def.plate.edges;
  const uint32_t nx = grid->kernel.nx, ny = grid->kernel.ny;
  const uint32_t columns = 2 * ((edges[0] == JW_END_FREE) + (edges[1] == JW_END_FREE));
  const uint32_t rows = 2 * ((edges[2] == JW_END_FREE) + (edges[3] == JW_END_FREE));
  const uint32_t inner_x = nx > columns ? nx - columns : 0, inner_y = ny > rows ? ny - rows : 0;
  grid->rim_rows = nx * ny - inner_x * inner_y;
  grid->rim_entries = grid->rim_rows * MOST_ENTRIES;
}

void jw_plate_rim_fill(JwObject* object) {
  JwGridPlate* const grid = &object->grid.plate;
  uint32_t rows = 0;
  for (uint32_t y = 0; y < grid->kernel.ny; ++y) {
    for (uint32_t x = 0; x < grid->kernel.nx; ++x) {
      if (near_free(object, x, y)) {
        JwRimRow* const row = &grid->rim[rows];
        row->at = jw_plate_offset(grid->kernel.nx, grid->kernel.ny, x, y);
        row->start = rows++ * MOST_ENTRIES;
        fill_row(object, row, x, y);
      }
    }
  }
}
