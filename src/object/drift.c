// SPDX-License-Identifier: MIT
// Grids that nothing holds: where their zero lies.
//
// What drifts away has lost x/(u - p) of the digits of its steps at a distance x.  A free string or
// plate can rise as it is, a plate without tension also turn: about its middle, or about the one
// edge that holds it.  None of that bends it, so
//
//   z = p0 + p1 i + p2 j                                                              (1.12)
//
// at grid point (i, j) can be taken off u and its past, and be kept as the place of the object, and
// nothing of its motion changes.
//
// Of a string p0 is the place of its first point, once no other is farther than |p0|/2 from it:
// then u - p0 is exact (Sterbenz). Of a plate p are the least squares fit of u, in multiples of
// 2^-30 of the largest |u|: so z is exact, and u - z rounds as one step does.  It is worth while
// once u is 2^11 steps long, as with modes (bank.c), and less than half of it is left.
//
// Looked for with rest (rest.c), tested by test_rest.c.

#include "object/kinds.h"

#include <math.h>

#define FAR 2048.0

static bool all_free(const JwObject* object) {
  if (object->ops->kind == JW_KIND_STRING) {
    return !object->dense && object->def.string.ends[0] == JW_END_FREE
           && object->def.string.ends[1] == JW_END_FREE;
  }
  const JwEnd* const edges = object->def.plate.edges;
  return edges[0] == JW_END_FREE && edges[1] == JW_END_FREE && edges[2] == JW_END_FREE
         && edges[3] == JW_END_FREE;
}

// The edge about which it can turn, or -1.
static int only_hinge(const JwObject* object) {
  const JwPlateDef* const def = &object->def.plate;
  int hinge = -1, held = 0;
  for (int i = 0; object->ops->kind == JW_KIND_PLATE && def->tension == 0.0 && i < 4; ++i) {
    held += def->edges[i] != JW_END_FREE;
    hinge = def->edges[i] == JW_END_SUPPORTED ? i : hinge;
  }
  return held == 1 ? hinge : -1;
}

JW_REALTIME bool jw_object_drifts(const JwObject* object) {
  const JwKind kind = object->ops->kind;
  return (kind == JW_KIND_STRING || kind == JW_KIND_PLATE)
         && (all_free(object) || only_hinge(object) >= 0);
}

static void grid_point(const JwObject* object, uint32_t dof, double at[2]) {
  const JwGridPlate* const grid = &object->grid.plate;
  const bool plate = object->ops->kind == JW_KIND_PLATE;
  at[0] = plate ? dof % grid->kernel.nx + grid->first[0] : dof + object->grid.string.first;
  at[1] = plate ? dof / grid->kernel.nx + grid->first[1] : 0.0;
}

static double intervals_of(const JwObject* object, int axis) {
  return object->ops->kind == JW_KIND_PLATE ? object->grid.plate.intervals[axis]
         : axis                             ? 0.0
                                            : object->grid.string.intervals;
}

double jw_object_zero(const JwObject* object, uint32_t dof) {
  double at[2];
  grid_point(object, dof, at);
  return object->position[0] + object->position[1] * at[0] + object->position[2] * at[1];
}

JW_REALTIME double jw_port_zero(const JwObject* object, const double at[2]) {
  const double* const p = object->position;
  return !p ? 0.0 : jw_object_drifts(object) ? p[0] + p[1] * at[0] + p[2] * at[1] : p[0];
}

JW_REALTIME void jw_port_at(const JwObject* object, const JwPort* port, double at[2]) {
  at[0] = at[1] = 0.0;
  for (int axis = 0; object->ops->kind == JW_KIND_PLATE && axis < 2; ++axis) {
    uint32_t point[4];
    double weight[4];
    const uint32_t n = jw_axis_weights(axis ? port->y : port->x, object->grid.plate.intervals[axis],
                                       port->reading, point, weight);
    for (uint32_t i = 0; i < n; ++i) {
      at[axis] += weight[i] * point[i];
    }
  }
}

// About its hinge: the distance from there is intervals - i where that is the far edge.
static void fit_turn(const JwObject* object, const double* u, int hinge, double p[3]) {
  const int axis = hinge / 2;
  const double end = hinge % 2 ? intervals_of(object, axis) : 0.0;
  double product = 0.0, square = 0.0;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double at[2];
    grid_point(object, i, at);
    const double lever = at[axis] - end;
    product += lever * u[jw_object_offset(object, i)];
    square += lever * lever;
  }
  p[1 + axis] = product / square;
  p[0] = -end * p[1 + axis];
}

// Anywhere: the slopes are along axes that do not know each other.
static void fit_all(const JwObject* object, const double* u, double p[3]) {
  const bool turns =
      (object->ops->kind == JW_KIND_PLATE ? object->def.plate.tension : object->tension_now) == 0.0;
  const double middle[2] = {0.5 * intervals_of(object, 0), 0.5 * intervals_of(object, 1)};
  double mean = 0.0, product[2] = {0.0, 0.0}, square[2] = {0.0, 0.0};
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double x = u[jw_object_offset(object, i)];
    double at[2];
    grid_point(object, i, at);
    mean += x / object->dofs;
    for (int axis = 0; turns && axis < 2; ++axis) {
      product[axis] += (at[axis] - middle[axis]) * x;
      square[axis] += (at[axis] - middle[axis]) * (at[axis] - middle[axis]);
    }
  }
  p[0] = mean;
  for (int axis = 0; axis < 2 && square[axis] > 0.0; ++axis) {
    p[1 + axis] = product[axis] / square[axis];
    p[0] -= p[1 + axis] * middle[axis];
  }
}

static double largest(const JwObject* object, const double* u, const double p[3]) {
  double most = 0.0;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double at[2];
    grid_point(object, i, at);
    most = fmax(most, fabs(u[jw_object_offset(object, i)] - (p[0] + p[1] * at[0] + p[2] * at[1])));
  }
  return most;
}

static double longest_step(const JwObject* object, const double* u, const double* prev) {
  double most = 0.0;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t at = jw_object_offset(object, i);
    most = fmax(most, fabs(u[at] - prev[at]));
  }
  return most;
}

static bool fit_string(const JwObject* object, const double* u, const double* prev, double p[3]) {
  p[0] = u[jw_object_offset(object, 0)];
  return largest(object, u, p) < 0.5 * fabs(p[0]) && largest(object, prev, p) < 0.5 * fabs(p[0]);
}

static bool fit_plate(const JwObject* object, const double* u, const double* prev, double p[3]) {
  const double far = largest(object, u, p), step = far > 0.0 ? ldexp(1.0, ilogb(far) - 30) : 0.0;
  const int hinge = only_hinge(object);
  if (!(far > 1e-30 && far < 1e30 && far > FAR * longest_step(object, u, prev))) {
    return false;
  }
  hinge >= 0 ? fit_turn(object, u, hinge, p) : fit_all(object, u, p);
  for (int i = 0; i < 3; ++i) {
    p[i] = step * rint(p[i] / step);
  }
  if (hinge >= 0) {
    p[0] = hinge % 2 ? -p[1 + hinge / 2] * object->grid.plate.intervals[hinge / 2] : 0.0;
  }
  return largest(object, u, p) < 0.5 * far;
}

// A string without tension that one hinge holds; plates as above.
static int turning_edge(const JwObject* object) {
  const JwEnd* const ends = object->def.string.ends;
  if (object->ops->kind == JW_KIND_PLATE) {
    return only_hinge(object);
  }
  return ends[0] == JW_END_SUPPORTED ? 0 : ends[1] == JW_END_SUPPORTED ? 1 : -1;
}

JW_REALTIME void jw_object_straighten(const JwObject* object, double* u) {
  double p[3] = {0.0, 0.0, 0.0};
  const int edge = turning_edge(object);
  edge >= 0 ? fit_turn(object, u, edge, p) : fit_all(object, u, p);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double at[2];
    grid_point(object, i, at);
    u[jw_object_offset(object, i)] = p[0] + p[1] * at[0] + p[2] * at[1];
  }
}

JW_REALTIME bool jw_object_follow(JwObject* object, double* u, double* prev) {
  double p[3] = {0.0, 0.0, 0.0};
  if (object->ops->kind == JW_KIND_STRING ? !fit_string(object, u, prev, p)
                                          : !fit_plate(object, u, prev, p)) {
    return false;
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    double at[2];
    grid_point(object, i, at);
    const uint32_t offset = jw_object_offset(object, i);
    const double z = p[0] + p[1] * at[0] + p[2] * at[1];
    u[offset] -= z;
    prev[offset] -= z;
  }
  for (int i = 0; i < 3; ++i) {
    object->position[i] += p[i];
  }
  return true;
}
