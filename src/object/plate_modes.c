// A small supported plate advanced by the modes of its own grid.
//
// With all edges supported the step of plate_grid.c has discrete sines for modes, whatever its coefficients:
//
//   phi_mn(x, y) = 2/sqrt(Nx Ny) sin(m pi x/Nx) sin(n pi y/Ny),   s_x = 4 sin^2(m pi/2Nx),  s_y alike
//   q+ = q + e_mn (q - q-) - b_mn q
//   e_mn = e - sigma_x s_x - sigma_y s_y                                              (1.13)
//   b_mn = beta_x s_x^2 + beta_y s_y^2 + 2 (beta_1 + 2 beta_k) s_x s_y + tau_x s_x + tau_y s_y + ground
//
// They are as many as points, so nothing is left out: the same scheme in other coordinates, five operations a point instead of
// thirteen.  All that ports do is then sums over all modes, and what those cost is kept low by handles: directions psi, at
// right angles to each other, that the weights of all ports are made of.  To the contacts a handle is a degree of freedom with
// the admittance of a grid point: they push it and read it as they would a point.  The modes hear of it in the next step, in the
// loop that advances them (kernel.h).
//
// Worth it while all of it stays in the first-level cache and ports have two handles at most.  When a port slides, the plate goes on
// by its grid (handles.c).  Energy and losses are those of a bank, (1.5) and (1.11).
//
// Tested by test_handles.c.

#include "object/plate_modes.h"

#include "numeric/elementary.h"

#include <math.h>

#define MOST_OWN 400

// Of a port's weights: what is left of them beside the handles that are there already is nothing, or at least so much.
#define NOTHING 1e-12
#define ENOUGH 1e-3

void jw_own_plan(JwObject* object)
{
  const JwEnd* const edges = object->def.plate.edges;
  bool supported = true;
  for (int i = 0; i < 4; ++i) {
    supported = supported && edges[i] == JW_END_SUPPORTED;
  }
  if (supported && object->dofs <= MOST_OWN) {
    object->grid.plate.own.n = (object->dofs + 3) / 4 * 4;
    object->modes_at = object->size;
    object->size += object->grid.plate.own.n + JW_HANDLE_ROOM;
  }
}

void jw_own_layout(JwObject* object, JwArena* arena)
{
  JwHandledKernel* const own = &object->grid.plate.own;
  object->bank.e = own->e = JW_TAKE(arena, own->n, double);
  object->bank.b = own->b = JW_TAKE(arena, own->n, double);
  object->bank.kinetic = JW_TAKE(arena, own->n, double);
  object->bank.potential = JW_TAKE(arena, own->n, double);
  object->bank.lost = JW_TAKE(arena, own->n, double);
  for (uint32_t j = 0; j < JW_MOST_HANDLES; ++j) {
    own->psi[j] = JW_TAKE(arena, own->n, double);
  }
  for (int i = 0; i < 3; ++i) {
    object->grid.plate.work[i] = JW_TAKE(arena, own->n, double);
  }
  for (int axis = 0; axis < 2; ++axis) {
    object->grid.plate.sines[axis] = JW_TAKE(arena, own->n ? 2 * object->grid.plate.intervals[axis] : 0, double);
  }
}

// sqrt(2/N) sin(pi x m/N), the same for x and m.
static double sine(const JwGridPlate* grid, int axis, uint32_t x, uint32_t m)
{
  return grid->sines[axis][x * m % (2 * grid->intervals[axis])];
}

static double squared_number(uint32_t m, uint32_t intervals)
{
  const double half = jw_sin(0.5 * JW_PI * m / intervals);
  return 4.0 * half * half;
}

void jw_own_setup(JwObject* object)
{
  JwGridPlate* const grid = &object->grid.plate;
  JwBank* const bank = &object->bank;
  for (int axis = 0; axis < 2; ++axis) {
    const uint32_t n = grid->intervals[axis];
    for (uint32_t i = 0; i < n; ++i) {
      grid->sines[axis][i] = sqrt(2.0 / n) * jw_sin(JW_PI * (i <= n / 2 ? i : n - i) / n);
      grid->sines[axis][n + i] = -grid->sines[axis][i];
    }
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double sx = squared_number(i % grid->kernel.nx + 1, grid->intervals[0]);
    const double sy = squared_number(i / grid->kernel.nx + 1, grid->intervals[1]);
    const double e = grid->e - (grid->sigma_x * sx + grid->sigma_y * sy);
    const double b = grid->beta_x * sx * sx + grid->beta_y * sy * sy + 2.0 * (grid->beta_1 + 2.0 * grid->beta_k) * sx * sy
                     + (grid->tau_x * sx + grid->tau_y * sy) + grid->ground;
    bank->e[i] = e;
    bank->b[i] = b;
    bank->kinetic[i] = (2.0 * e - (b - 2.0)) / (8.0 * grid->y);
    bank->potential[i] = b / (8.0 * grid->y);
    bank->lost[i] = (1.0 - e) / (4.0 * grid->y);
  }
  for (uint32_t j = 0; j < JW_MOST_HANDLES; ++j) {
    object->y[object->modes_at + grid->own.n + j] = grid->y;
  }
  grid->own.lanes = grid->kernel.lanes;
}

// ---------------------------------------------------------------- from grid to modes and back

// sum over x of sine(x, m) from[x stride], x and m from 1 on.
static double along(const JwGridPlate* grid, int axis, uint32_t m, const double* from, uint32_t stride)
{
  const uint32_t n = grid->intervals[axis];
  double sum = 0.0;
  for (uint32_t x = 1, at = m; x < n; ++x) {
    sum += grid->sines[axis][at] * from[(size_t)(x - 1) * stride];
    at += m;
    at -= at < 2 * n ? 0 : 2 * n;
  }
  return sum;
}

// Their matrix is its own inverse.  Both in natural order, a row of points or modes after the other.
static void transform(const JwObject* object, const double* from, double* to)
{
  const JwGridPlate* const grid = &object->grid.plate;
  const uint32_t nx = grid->kernel.nx, ny = grid->kernel.ny;
  double* const rows = grid->work[0];
  for (uint32_t i = 0; i < nx * ny; ++i) {
    rows[i] = along(grid, 0, i % nx + 1, from + i / nx * nx, 1);
  }
  for (uint32_t i = 0; i < nx * ny; ++i) {
    to[i] = along(grid, 1, i / nx + 1, rows + i % nx, nx);
  }
}

// A mode with what its handles were pushed by since.
static double mode_at(const JwHandledKernel* own, const double* q, uint32_t i)
{
  double value = q[i];
  for (uint32_t j = 0; j < own->handles; ++j) {
    value += own->psi[j][i] * (q[own->n + j] - q[own->n + JW_HANDLE_NOTED + j]);
  }
  return value;
}

JW_REALTIME void jw_own_update(const JwObject* object, double* u)
{
  const JwHandledKernel* const own = &object->grid.plate.own;
  double *const q = u + object->modes_at, *const read = q + own->n, *const noted = read + JW_HANDLE_NOTED;
  for (uint32_t j = 0; j < own->handles; ++j) {
    jw_axpy(own->n, own->psi[j], read[j] - noted[j], q);
    noted[j] = read[j];
  }
}

void jw_own_from_grid(const JwObject* object, double* u)
{
  const JwHandledKernel* const own = &object->grid.plate.own;
  double *const q = u + object->modes_at, *const read = q + own->n, *const points = object->grid.plate.work[1];
  bool rests = true; // As most begin
  for (uint32_t i = 0; i < object->dofs; ++i) {
    points[i] = u[object->plain.offset[i]];
    rests = rests && points[i] == 0.0;
  }
  if (rests) { // So do its modes: every start begins with zeros
    return;
  }
  transform(object, points, q);
  for (uint32_t j = 0; j < own->handles; ++j) {
    read[j] = read[JW_HANDLE_NOTED + j] = jw_dot(own->n, own->psi[j], q);
  }
}

const double* jw_own_points(const JwObject* object, const double* u)
{
  const JwGridPlate* const grid = &object->grid.plate;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    grid->work[2][i] = mode_at(&grid->own, u + object->modes_at, i);
  }
  transform(object, grid->work[2], grid->work[1]);
  return grid->work[1];
}

JW_REALTIME void jw_own_to_grid(const JwObject* object, double* u)
{
  const double* const points = jw_own_points(object, u);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    u[object->plain.offset[i]] = points[i];
  }
}

// ---------------------------------------------------------------- handles

// How a port reads the modes.
static void shape_of(const JwObject* object, const JwPort* port, double* shape)
{
  const JwGridPlate* const grid = &object->grid.plate;
  const double at[2] = {port->x, port->y};
  const uint32_t modes[2] = {grid->kernel.nx, grid->kernel.ny};
  double* const read[2] = {grid->work[1], grid->work[1] + modes[0]};
  for (int axis = 0; axis < 2; ++axis) {
    uint32_t point[4];
    double weight[4];
    const uint32_t count = jw_axis_weights(at[axis], grid->intervals[axis], port->reading, point, weight);
    for (uint32_t m = 0; m < modes[axis]; ++m) {
      read[axis][m] = 0.0;
      for (uint32_t i = 0; i < count; ++i) {
        read[axis][m] += weight[i] * sine(grid, axis, point[i], m + 1);
      }
    }
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    shape[i] = read[0][i % modes[0]] * read[1][i / modes[0]];
  }
}

JW_REALTIME bool jw_own_add_handle(JwObject* object, const JwPort* port)
{
  JwHandledKernel* const own = &object->grid.plate.own;
  double* const rest = object->grid.plate.work[0];
  shape_of(object, port, rest);
  const double whole = sqrt(jw_dot(object->dofs, rest, rest));
  for (uint32_t j = 0; j < own->handles; ++j) {
    jw_axpy(object->dofs, own->psi[j], -jw_dot(object->dofs, own->psi[j], rest), rest);
  }
  const double left = sqrt(jw_dot(object->dofs, rest, rest));
  if (left <= NOTHING * whole) {
    return true;
  }
  if (left < ENOUGH * whole || own->handles == JW_MOST_HANDLES) {
    return false;
  }
  for (uint32_t i = 0; i < object->dofs; ++i) {
    own->psi[own->handles][i] = rest[i] / left;
  }
  ++own->handles;
  return true;
}

JW_REALTIME void jw_own_weigh(const JwObject* object, const JwPort* port, JwWeights* weights)
{
  const JwHandledKernel* const own = &object->grid.plate.own;
  double* const shape = object->grid.plate.work[0];
  shape_of(object, port, shape);
  const double whole = sqrt(jw_dot(object->dofs, shape, shape));
  weights->count = 0;
  for (uint32_t j = 0; j < own->handles; ++j) {
    const double part = jw_dot(object->dofs, own->psi[j], shape);
    if (fabs(part) > NOTHING * whole) {
      weights->offset[weights->count] = object->modes_at + own->n + j;
      weights->weight[weights->count++] = part;
    }
  }
}

double jw_own_read(const JwObject* object, const JwPort* port, const double* u)
{
  const JwGridPlate* const grid = &object->grid.plate;
  shape_of(object, port, grid->work[0]);
  double sum = 0.0;
  for (uint32_t i = 0; i < object->dofs; ++i) {
    sum += grid->work[0][i] * mode_at(&grid->own, u + object->modes_at, i);
  }
  return sum;
}

// ---------------------------------------------------------------- energy

JW_REALTIME JwStored jw_own_energy(const JwObject* object, const double* u, const double* prev)
{
  const JwHandledKernel* const own = &object->grid.plate.own;
  JwSum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double q = mode_at(own, u + object->modes_at, i), p = mode_at(own, prev + object->modes_at, i);
    jw_sum_add(&kinetic, object->bank.kinetic[i] * (q - p) * (q - p));
    jw_sum_add(&potential, object->bank.potential[i] * (q + p) * (q + p));
  }
  const JwStored stored = {jw_sum_value(&kinetic), jw_sum_value(&potential)};
  return stored;
}

// In every frame, so in loops that run in lanes.  What prev was pushed by its modes have heard.
JW_REALTIME double jw_own_dissipate(const JwObject* object, const double* next, const double* prev)
{
  const JwHandledKernel* const own = &object->grid.plate.own;
  const double *restrict const q = next + object->modes_at, *restrict const p = prev + object->modes_at;
  double* restrict const moved = object->grid.plate.work[0];
  for (uint32_t i = 0; i < own->n; ++i) {
    moved[i] = q[i] - p[i];
  }
  for (uint32_t j = 0; j < own->handles; ++j) {
    jw_axpy(own->n, own->psi[j], q[own->n + j] - q[own->n + JW_HANDLE_NOTED + j], moved);
  }
  for (uint32_t i = 0; i < own->n; ++i) {
    moved[i] *= moved[i];
  }
  return jw_dot(own->n, object->bank.lost, moved);
}
