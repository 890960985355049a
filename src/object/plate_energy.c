// SPDX-License-Identifier: MIT
// Stored energy of a grid plate: the sums of (1.7), row by row.
//
// A row of terms is written first, then summed with its weights by jw_dot: both run in lanes.

#include "numeric/elementary.h"
#include "object/plate_grid.h"

// Second differences along x of a row of n + 1 points.
static void second_x(const JwEnd* ends, uint32_t n, const double* v, double* out) {
  for (uint32_t i = 1; i < n; ++i) {
    out[i] = v[i - 1] - 2.0 * v[i] + v[i + 1];
  }
  out[0] = ends[0] == JW_END_CLAMPED ? 2.0 * v[1] : 0.0;
  out[n] = ends[1] == JW_END_CLAMPED ? 2.0 * v[n - 1] : 0.0;
}

// Second differences along y of the points of row j.
static void second_y(const JwObject* object, uint32_t j, const double* v, double* out) {
  const JwGridPlate* const g = &object->grid.plate;
  const JwEnd* const ends = object->def.plate.edges + 2;
  const uint32_t n = g->intervals[0], last = g->intervals[1];
  const double* const low = v - object->plain.stride;
  const double* const high = v + object->plain.stride;
  const bool edge = j == 0 || j == last;
  const double centre = edge ? 0.0 : -2.0;
  double below = 1.0, above = 1.0;
  if (edge) { // No curvature, or where it is clamped that of its mirror image
    below = j == last && ends[1] == JW_END_CLAMPED ? 2.0 : 0.0;
    above = j == 0 && ends[0] == JW_END_CLAMPED ? 2.0 : 0.0;
  }
  for (uint32_t i = 0; i <= n; ++i) {
    out[i] = below * low[i] + centre * v[i] + above * high[i];
  }
}

// Bending of the points of row j, between fields u and p.
static double bending_row(const JwObject* object, uint32_t j, const double* u, const double* p) {
  const JwGridPlate* const g = &object->grid.plate;
  const uint32_t n = g->intervals[0];
  double* const* const row = object->plain.row;
  double* restrict ux = row[0], * restrict px = row[1], * restrict uy = row[2], * restrict py = row[3], * restrict term = row[4];
  second_x(object->def.plate.edges, n, u, ux);
  second_x(object->def.plate.edges, n, p, px);
  second_y(object, j, u, uy);
  second_y(object, j, p, py);
  for (uint32_t i = 0; i <= n; ++i) {
    term[i] = g->beta_x * (ux[i] * px[i]) + g->beta_y * (uy[i] * py[i])
              + g->beta_1 * (ux[i] * py[i] + uy[i] * px[i]);
  }
  return object->plain.half[1][j] * jw_dot(n + 1, object->plain.half[0], term);
}

// cx (d_x u)(d_x p) along row j, half at the edges, and cy (d_y u)(d_y p) from it to the next.
static double slopes_row(const JwObject* object, uint32_t j, const double* u, const double* p,
                         const double c[2]) {
  const JwGridPlate* const g = &object->grid.plate;
  if (c[0] == 0.0 && c[1] == 0.0) {
    return 0.0;
  }
  const uint32_t n = g->intervals[0], s = object->plain.stride;
  double* restrict term = object->plain.row[4];
  double* restrict ones = object->plain.row[5];
  for (uint32_t i = 0; i < n; ++i) {
    term[i] = (u[i + 1] - u[i]) * (p[i + 1] - p[i]);
    ones[i] = c[0] * object->plain.half[1][j];
  }
  double sum = jw_dot(n, ones, term);
  if (j < g->intervals[1]) {
    for (uint32_t i = 0; i <= n; ++i) {
      term[i] = c[1] * ((u[i + s] - u[i]) * (p[i + s] - p[i]));
    }
    sum += jw_dot(n + 1, object->plain.half[0], term);
  }
  return sum;
}

// 4 beta_k times the products of the twists of the cells above row j.
static double twist_row(const JwObject* object, const double* u, const double* p) {
  const JwGridPlate* const g = &object->grid.plate;
  const uint32_t n = g->intervals[0], s = object->plain.stride;
  double* restrict term = object->plain.row[4];
  double* restrict weight = object->plain.row[5];
  for (uint32_t i = 0; i < n; ++i) {
    const double tu = (u[i + s + 1] - u[i + s]) - (u[i + 1] - u[i]);
    const double tp = (p[i + s + 1] - p[i + s]) - (p[i + 1] - p[i]);
    term[i] = tu * tp;
    weight[i] = 4.0 * g->beta_k;
  }
  return jw_dot(n, weight, term);
}

// Sum of products of the points of row j, by their masses.
static double products_row(const JwObject* object, uint32_t j, const double* u, const double* p) {
  double* restrict term = object->plain.row[4];
  const uint32_t n = object->grid.plate.intervals[0];
  for (uint32_t i = 0; i <= n; ++i) {
    term[i] = u[i] * p[i];
  }
  return object->plain.half[1][j] * jw_dot(n + 1, object->plain.half[0], term);
}

JW_REALTIME JwStored jw_plate_energy(const JwObject* object, const double* u, const double* prev) {
  const JwGridPlate* const g = &object->grid.plate;
  const double tau[2] = {g->tau_x, g->tau_y}, sigma[2] = {g->sigma_x, g->sigma_y};
  const double* a = jw_plain_read(object, 0, u, NULL);
  const double* b = jw_plain_read(object, 1, prev, NULL);
  const double* v = jw_plain_read(object, 2, u, prev);
  JwSum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  const size_t stride = object->plain.stride;
  for (uint32_t j = 0; j <= g->intervals[1]; ++j, a += stride, b += stride, v += stride) {
    jw_sum_add(&kinetic, 0.25 * (1.0 + g->e) * products_row(object, j, v, v));
    jw_sum_add(&kinetic, -0.25 * slopes_row(object, j, v, v, sigma));
    jw_sum_add(&potential, 0.5 * bending_row(object, j, a, b));
    jw_sum_add(&potential, 0.5 * slopes_row(object, j, a, b, tau));
    jw_sum_add(&potential, j < g->intervals[1] ? 0.5 * twist_row(object, a, b) : 0.0);
    jw_sum_add(&potential,
               g->ground != 0.0 ? 0.5 * g->ground * products_row(object, j, a, b) : 0.0);
  }
  const JwStored stored = {jw_sum_value(&kinetic) / g->y, jw_sum_value(&potential) / g->y};
  return stored;
}
