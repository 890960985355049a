// SPDX-License-Identifier: MIT
// A plate or membrane by finite differences, each edge supported, clamped or free.
//
//   rH dtt v = - bending + T dL v - 2 rH s0 dt. v + 2 rH s1 dt- dL v + J F           (1.6)
//
//   symbol            meaning                                              unit
//   hx, hy, k         grid spacings, time step                             m, s
//   y                 k^2 / (rH hx hy (1 + s0 k)), admittance of a point   m/N
//   beta_x, beta_y    y Dx hy/hx^3, y Dy hx/hy^3                           1
//   beta_1, beta_k    y D1/(hx hy), y Dk/(hx hy): Poisson, twist           1
//   tau_x, tau_y      y T hy/hx, y T hx/hy                                 1
//   sigma_x, sigma_y  y 2 rH s1 hy/(k hx), ...                             1
//   e                 (1 - s0 k)/(1 + s0 k)                                1
//   ground            y times a spring that rounding leaves at each point  1
//
// The potential, with unit spacings, second differences vxx, vyy at points and the twist vxy in
// cells:
//
//   y V = 1/2 sum w (beta_x vxx^2 + beta_y vyy^2 + 2 beta_1 vxx vyy) + 1/2 sum 4 beta_k vxy^2
//         + 1/2 sum (tau_x wy (dx v)^2 + tau_y wx (dy v)^2)                          (1.7)
//
// with w = wx wy, half at the first and last point of an axis.  An isotropic plate has D1 = nu D
// and Dk = (1 - nu) D/2; inside, its gradient is D times the squared Laplacian.  The step uses the
// exact gradient of (1.7) divided by the mass w of each point, so that the operator is symmetric
// for any mix of edges.  Inside this is the 13-point stencil of the kernel; points within two of a
// free edge get a sparse correction, the rim.
//
// Coefficients are multiples of 2^-50 so that their sums are exact (see string_grid.c).
// H >= 0 while 1 + e >= 8 (beta_x + beta_y + 2 beta_1 + 4 beta_k) + 2 (tau_x + tau_y)
// + 4 (sigma_x + sigma_y).
//
// Tested by test_objects.c.

#include "object/plate_grid.h"

#include "base/hint.h"
#include "numeric/elementary.h"
#include "object/kinds.h"
#include "object/plate.h"

#include <math.h>
#include <stdio.h>

#define FEWEST_INTERVALS 3
#define MOST_POINTS 1e8 // The rim's entries are counted in 32 bits

// Least stable spacing along x and y, of one whose stiffness is `room` times its own; wood has a
// longer
// one along its grain.
static void least_spacing(const JwPlatePhysics* physics, double k, double room, double least[2]) {
  const double ratio = physics->dy > 0.0 ? sqrt(sqrt(physics->dx / physics->dy)) : 1.0; // hx / hy
  const double r2 = ratio * ratio;
  const double bending = 2.0 * physics->dx + 2.0 * (physics->d1 + 2.0 * physics->dk) * r2;
  const double p =
      (1.0 + r2) * (room * physics->tension / physics->mass * k * k + 4.0 * physics->loss[1] * k);
  const double q = 4.0 * room * bending / physics->mass * k * k;
  least[0] = sqrt(0.5 * (p + sqrt(p * p + 4.0 * q)));
  least[1] = least[0] / ratio;
}

static double room_of(const JwPlateDef* def) {
  return def->nonlinear ? JW_STRETCH_ROOM : 1.0;
}

static bool find_coefficients(JwObject* object, const JwPlatePhysics* physics,
                              const uint32_t intervals[2]) {
  JwGridPlate* const grid = &object->grid.plate;
  const double k = object->k;
  const double hx = object->def.plate.size[0] / intervals[0],
               hy = object->def.plate.size[1] / intervals[1];
  grid->e = jw_quantize((1.0 - physics->loss[0] * k) / (1.0 + physics->loss[0] * k));
  grid->y = 0.5 * (1.0 + grid->e) * k * k / (physics->mass * hx * hy);
  grid->beta_x = jw_quantize(grid->y * physics->dx * hy / (hx * hx * hx));
  grid->beta_y = jw_quantize(grid->y * physics->dy * hx / (hy * hy * hy));
  grid->beta_1 = jw_quantize(grid->y * physics->d1 / (hx * hy));
  // What matters is beta_1 + 2 beta_k: rounded as one, it is beta_x where the spacings are equal.
  grid->beta_k =
      0.5 * (jw_quantize(grid->y * (physics->d1 + 2.0 * physics->dk) / (hx * hy)) - grid->beta_1);
  grid->tau_x = jw_quantize(grid->y * physics->tension * hy / hx);
  grid->tau_y = jw_quantize(grid->y * physics->tension * hx / hy);
  const double loss = grid->y * 2.0 * physics->mass * physics->loss[1] / k;
  grid->sigma_x = jw_quantize(loss * hy / hx);
  grid->sigma_y = jw_quantize(loss * hx / hy);
  grid->intervals[0] = intervals[0];
  grid->intervals[1] = intervals[1];
  object->info.spacing[0] = hx;
  object->info.spacing[1] = hy;
  const double bending = grid->beta_x + grid->beta_y + 2.0 * grid->beta_1 + 4.0 * grid->beta_k;
  return 1.0 + grid->e
         >= room_of(&object->def.plate) * (8.0 * bending + 2.0 * (grid->tau_x + grid->tau_y))
                + 4.0 * (grid->sigma_x + grid->sigma_y);
}

static JwStatus choose_intervals(JwObject* object, const JwPlatePhysics* physics, char* error) {
  const JwPlateDef* const def = &object->def.plate;
  double least[2], most[2];
  least_spacing(physics, object->k, room_of(def), least);
  uint32_t intervals[2];
  for (int axis = 0; axis < 2; ++axis) {
    most[axis] = def->size[axis] / least[axis] * (1.0 + 1e-13);
    if (!(most[axis] < 1e6)) {
      snprintf(error, JW_ERROR_SIZE, "it would need %g grid points along side %d", most[axis],
               axis + 1);
      return JW_STATUS_TOO_LARGE;
    }
    intervals[axis] = def->points[axis] ? def->points[axis] : (uint32_t)most[axis];
    if (intervals[axis] < FEWEST_INTERVALS) {
      snprintf(error, JW_ERROR_SIZE,
               "it has %u grid intervals along side %d at this sample rate, must be at least %d",
               intervals[axis], axis + 1, FEWEST_INTERVALS);
      return JW_STATUS_UNSTABLE;
    }
  }
  const bool given = def->points[0] || def->points[1];
  bool stable = find_coefficients(object, physics, intervals);
  if (!stable && !given) {
    --intervals[intervals[1] > intervals[0]];
    stable = find_coefficients(object, physics, intervals);
  }
  if (!stable) {
    snprintf(error, JW_ERROR_SIZE,
             "points are %u and %u, must be at most about %u and %u at this sample rate",
             intervals[0], intervals[1], (uint32_t)most[0], (uint32_t)most[1]);
    return JW_STATUS_UNSTABLE;
  }
  object->info.margin =
      fmin(object->info.spacing[0] / least[0], object->info.spacing[1] / least[1]);
  return JW_STATUS_OK;
}

static JwStatus plan(JwObject* object, char* error) {
  const JwPlateDef* const def = &object->def.plate;
  JwPlatePhysics physics;
  JwStatus status = jw_plate_physics(def, &physics, error);
  status = status ? status : choose_intervals(object, &physics, error);
  status = status ? status : jw_plate_stretch(object, error);
  if (status) {
    return status;
  }
  JwGridPlate* const grid = &object->grid.plate;
  for (int axis = 0; axis < 2; ++axis) {
    const bool low = def->edges[2 * axis] == JW_END_FREE,
               high = def->edges[2 * axis + 1] == JW_END_FREE;
    const uint32_t n = grid->intervals[axis] - 1 + low + high;
    grid->first[axis] = low ? 0 : 1;
    *(axis ? &grid->kernel.ny : &grid->kernel.nx) = n;
    object->info.grid[axis] = grid->intervals[axis];
  }
  if ((double)grid->kernel.nx * grid->kernel.ny > MOST_POINTS) {
    snprintf(error, JW_ERROR_SIZE, "it would need %u by %u grid points, must be at most %g",
             grid->kernel.nx, grid->kernel.ny, MOST_POINTS);
    return JW_STATUS_TOO_LARGE;
  }
  object->dofs = grid->kernel.nx * grid->kernel.ny;
  object->size = object->points = jw_plate_size(grid->kernel.nx, grid->kernel.ny);
  object->port_weights = 16;
  object->info.points = object->dofs;
  object->info.tension = physics.tension;
  object->info.mass = physics.mass * def->size[0] * def->size[1];
  object->info.fundamental = jw_plate_frequency(def, &physics, 1, 1);
  object->info.loss[0] = physics.loss[0];
  object->info.loss[1] = physics.loss[1];
  jw_plate_rim_count(object);
  return JW_STATUS_OK;
}

static void layout(JwObject* object, JwArena* arena) {
  JwGridPlate* const grid = &object->grid.plate;
  grid->c0 = JW_TAKE(arena, grid->kernel.ny, double);
  grid->kernel.scratch = JW_TAKE(arena, jw_plate_scratch(grid->kernel.nx, grid->kernel.ny), double);
  grid->rim = JW_TAKE(arena, grid->rim_rows, JwRimRow);
  grid->rim_offset = JW_TAKE(arena, grid->rim_entries, uint32_t);
  grid->rim_weight = JW_TAKE(arena, grid->rim_entries, double);
  jw_plain_layout(object, grid->intervals, arena);
}

// What a held edge adds to the centre coefficient of its nearest point.
static double edge_centre(JwEnd end, double beta) {
  switch (end) {
  case JW_END_SUPPORTED: return beta;
  case JW_END_CLAMPED: return -beta;
  default: return 0.0;
  }
}

// The factored kernel has the ratio times the x coefficients along y, and so slightly other numbers
// than those rounded one by one: the ledger must have the same, or it opens by their difference
// over beta.
static void take_factored(JwGridPlate* grid) {
  const JwPlateKernel* const kernel = &grid->kernel;
  const double r = kernel->ratio;
  if (r == 0.0) {
    return; // Not factored
  }
  grid->beta_x = -kernel->cx2;
  grid->beta_y = r * r * grid->beta_x;
  grid->beta_k = 0.5 * (r * grid->beta_x - grid->beta_1);
  grid->sigma_x = -kernel->dx;
  grid->sigma_y = r * grid->sigma_x;
  grid->tau_x = (kernel->cx1 - grid->sigma_x) - 4.0 * (1.0 + r) * grid->beta_x;
  grid->tau_y = r * grid->tau_x;
  grid->e = 2.0 * (1.0 + r) * grid->sigma_x - kernel->d0;
  grid->ground = kernel->miss;
}

static void setup(JwObject* object) {
  JwGridPlate* const grid = &object->grid.plate;
  JwPlateKernel* const kernel = &grid->kernel;
  const JwEnd* const edges = object->def.plate.edges;
  const double cross = grid->beta_1 + 2.0 * grid->beta_k;
  kernel->cx2 = -grid->beta_x;
  kernel->cy2 = -grid->beta_y;
  kernel->cd = -2.0 * cross;
  kernel->cx1 = 4.0 * grid->beta_x + 4.0 * cross + grid->tau_x + grid->sigma_x;
  kernel->cy1 = 4.0 * grid->beta_y + 4.0 * cross + grid->tau_y + grid->sigma_y;
  kernel->dx = -grid->sigma_x;
  kernel->dy = -grid->sigma_y;
  kernel->d0 = 2.0 * (grid->sigma_x + grid->sigma_y) - grid->e;
  const double centre = 1.0 + grid->e - 6.0 * (grid->beta_x + grid->beta_y) - 8.0 * cross
                        - 2.0 * (grid->tau_x + grid->tau_y) - 2.0 * (grid->sigma_x + grid->sigma_y);
  for (uint32_t j = 0; j < kernel->ny; ++j) {
    grid->c0[j] = centre;
  }
  grid->c0[0] += edge_centre(edges[2], grid->beta_y);
  grid->c0[kernel->ny - 1] += edge_centre(edges[3], grid->beta_y);
  kernel->left = edge_centre(edges[0], grid->beta_x);
  kernel->right = edge_centre(edges[1], grid->beta_x);
  kernel->c0 = grid->c0;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    object->y[jw_object_offset(object, i)] =
        grid->y / jw_plate_mass(object, i % kernel->nx, i / kernel->nx);
  }
  jw_plate_rim_fill(object);
  jw_plain_setup(object, grid->intervals);
  kernel->lanes = jw_lanes_best();
  kernel->ratio = (object->info.spacing[0] * object->info.spacing[0])
                  / (object->info.spacing[1] * object->info.spacing[1]);
  object->lightest = 1.0 / (16.0 * grid->y);
  bool exact =
      false; // Free edges have a rim, clamped ones their own centres, made for the given coefficients
  for (int i = 0; i < 4; ++i) {
    exact = exact || edges[i] != JW_END_SUPPORTED;
  }
  jw_plate_prepare(kernel, exact);
  take_factored(grid);
}

static JW_APART void advance_free(const JwGridPlate* grid, double* next, const double* u,
                                  const double* prev) {
  jw_plate_advance(&grid->kernel, next, u, prev);
  for (uint32_t i = 0; i < grid->rim_rows; ++i) {
    const JwRimRow* const row = &grid->rim[i];
    const uint32_t* const offset = grid->rim_offset + row->start;
    const double* const weight = grid->rim_weight + row->start;
    double sum = 0.0;
    for (uint32_t j = 0; j < row->u_count; ++j) {
      sum += weight[j] * u[offset[j]];
    }
    for (uint32_t j = row->u_count; j < row->u_count + row->p_count; ++j) {
      sum += weight[j] * prev[offset[j]];
    }
    next[row->at] += sum;
  }
}

static JW_REALTIME JW_HOT void advance(const JwObject* object, double* next, const double* u,
                                       const double* prev) {
  const JwGridPlate* const grid = &object->grid.plate;
  if (JW_RARELY(grid->rim_rows)) {
    advance_free(grid, next, u, prev);
    return;
  }
  jw_plate_advance(&grid->kernel, next, u, prev);
}

static JW_REALTIME void weigh(const JwObject* object, const JwPort* port, JwWeights* weights) {
  const JwGridPlate* const grid = &object->grid.plate;
  uint32_t px[4], py[4];
  double wx[4], wy[4];
  const uint32_t nx = jw_axis_weights(port->x, grid->intervals[0], port->reading, px, wx);
  const uint32_t ny = jw_axis_weights(port->y, grid->intervals[1], port->reading, py, wy);
  weights->count = 0;
  for (uint32_t j = 0; j < ny; ++j) {
    for (uint32_t i = 0; i < nx; ++i) {
      const uint32_t x = px[i] - grid->first[0],
                     y = py[j] - grid->first[1]; // Wrap beyond held edges
      const double weight = wx[i] * wy[j];
      if (x < grid->kernel.nx && y < grid->kernel.ny && weight != 0.0) {
        weights->offset[weights->count] = jw_plate_offset(grid->kernel.nx, grid->kernel.ny, x, y);
        weights->weight[weights->count++] = weight;
      }
    }
  }
}

static void locate(const JwObject* object, uint32_t dof, double* x, double* y) {
  const JwGridPlate* const grid = &object->grid.plate;
  *x = (double)(dof % grid->kernel.nx + grid->first[0]) / grid->intervals[0];
  *y = (double)(dof / grid->kernel.nx + grid->first[1]) / grid->intervals[1];
}

static JW_REALTIME uint32_t offset(const JwObject* object, uint32_t dof) {
  const uint32_t nx = object->grid.plate.kernel.nx, ny = object->grid.plate.kernel.ny;
  return jw_plate_offset(nx, ny, dof % nx, dof / nx);
}

static JW_REALTIME bool floats(const JwObject* object) {
  return jw_edges_float(object->def.plate.edges, 4, object->def.plate.tension);
}

// S = sum (dx u)^2 hy/hx + sum (dy u)^2 hx/hy.                                         (8.1)
static JW_REALTIME double stretch(const JwObject* object, double scale, const double* u,
                                  double* ku) {
  const JwGridPlate* const grid = &object->grid.plate;
  const JwPlain* const plain = &object->plain;
  const double *const origin = jw_plain_read(object, 0, u, NULL), *const h = object->info.spacing;
  const double across = scale * h[1] / h[0], along = scale * h[0] / h[1];
  const uint32_t nx = grid->kernel.nx, stride = plain->stride;
  const uint32_t* offset = plain->offset;
  double sum = 0.0;
  for (uint32_t y = 0; y < grid->kernel.ny; ++y, offset += nx) {
    const double* const row = origin + (size_t)(y + grid->first[1]) * stride + grid->first[0];
    const double *const below = row - stride, *const above = row + stride;
    double* const product = plain->row[0];
    for (uint32_t x = 0; x < nx; ++x) {
      const double twice = row[x] + row[x], left = (row - 1)[x], right = (row + 1)[x];
      const double value =
          across * (twice - (left + right)) + along * (twice - (below[x] + above[x]));
      ku[offset[x]] = value;
      product[x] = value;
    }
    sum += jw_dot(nx, product, row);
  }
  return sum;
}

const JwObjectOps jw_plate_grid_ops = {
    .kind = JW_KIND_PLATE,
    .places = JW_PLACES_PLANE,
    .operations = 26.0,
    .plan = plan,
    .layout = layout,
    .setup = setup,
    .advance = advance,
    .weigh = weigh,
    .locate = locate,
    .energy = jw_plate_energy,
    .dissipate = jw_grid_dissipate,
    .offset = offset,
    .floats = floats,
    .stretch = stretch,
    .pitch = jw_plate_pitch,
};
