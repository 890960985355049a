// Stored and lost energy of a grid plate: the sums of (1.7), read point by point.

#include "numeric/elementary.h"
#include "object/plate_grid.h"

// A field on all points, held ones included as zeros: a, or a - b.
typedef struct {
  const JwObject* object;
  const double* a;
  const double* b;
} Field;

static double at(const Field* field, uint32_t i, uint32_t j)
{
  const JwGridPlate* const grid = &field->object->grid.plate;
  const uint32_t x = i - grid->first[0], y = j - grid->first[1];
  if (x >= grid->kernel.nx || y >= grid->kernel.ny) {
    return 0.0;
  }
  const uint32_t offset = jw_plate_offset(grid->kernel.nx, x, y);
  return field->b ? field->a[offset] - field->b[offset] : field->a[offset];
}

// Second difference along an axis from three values, by the kind of the edge where there is one.
static double second(const JwEnd* ends, uint32_t p, uint32_t last, double low, double mid, double high)
{
  if (p == 0) {
    return ends[0] == JW_END_CLAMPED ? 2.0 * high : 0.0;
  }
  if (p == last) {
    return ends[1] == JW_END_CLAMPED ? 2.0 * low : 0.0;
  }
  return low - 2.0 * mid + high;
}

static double vxx(const Field* f, uint32_t i, uint32_t j)
{
  return second(f->object->def.plate.edges, i, f->object->grid.plate.intervals[0], at(f, i - 1, j), at(f, i, j), at(f, i + 1, j));
}

static double vyy(const Field* f, uint32_t i, uint32_t j)
{
  return second(f->object->def.plate.edges + 2, j, f->object->grid.plate.intervals[1], at(f, i, j - 1), at(f, i, j), at(f, i, j + 1));
}

static double dx(const Field* f, uint32_t i, uint32_t j) { return at(f, i + 1, j) - at(f, i, j); }
static double dy(const Field* f, uint32_t i, uint32_t j) { return at(f, i, j + 1) - at(f, i, j); }

static double half_at_ends(uint32_t p, uint32_t last) { return p == 0 || p == last ? 0.5 : 1.0; }

// Bending, twist and tension at one point and the cell beyond it, between two fields.
static double potential_at(const JwGridPlate* g, const Field* u, const Field* p, uint32_t i, uint32_t j)
{
  const double wx = half_at_ends(i, g->intervals[0]), wy = half_at_ends(j, g->intervals[1]);
  const double ux = vxx(u, i, j), uy = vyy(u, i, j), px = vxx(p, i, j), py = vyy(p, i, j);
  double sum = wx * wy * (g->beta_x * ux * px + g->beta_y * uy * py + g->beta_1 * (ux * py + uy * px));
  const bool right = i < g->intervals[0], up = j < g->intervals[1];
  if (right && up) {
    const double ut = dx(u, i, j + 1) - dx(u, i, j), pt = dx(p, i, j + 1) - dx(p, i, j);
    sum += 4.0 * g->beta_k * ut * pt;
  }
  sum += right ? wy * g->tau_x * dx(u, i, j) * dx(p, i, j) : 0.0;
  sum += up ? wx * g->tau_y * dy(u, i, j) * dy(p, i, j) : 0.0;
  return 0.5 * sum;
}

// sum of sigma (differences)^2 at one point
static double slopes_at(const JwGridPlate* g, const Field* f, uint32_t i, uint32_t j)
{
  const double x = i < g->intervals[0] ? dx(f, i, j) : 0.0, y = j < g->intervals[1] ? dy(f, i, j) : 0.0;
  return half_at_ends(j, g->intervals[1]) * g->sigma_x * x * x + half_at_ends(i, g->intervals[0]) * g->sigma_y * y * y;
}

JwStored jw_plate_energy(const JwObject* object, const double* u, const double* prev)
{
  const JwGridPlate* const g = &object->grid.plate;
  const Field now = {object, u, NULL}, past = {object, prev, NULL}, change = {object, u, prev};
  JwSum kinetic = {0.0, 0.0}, potential = {0.0, 0.0};
  for (uint32_t j = 0; j <= g->intervals[1]; ++j) {
    for (uint32_t i = 0; i <= g->intervals[0]; ++i) {
      const double w = half_at_ends(i, g->intervals[0]) * half_at_ends(j, g->intervals[1]);
      const double v = at(&change, i, j);
      jw_sum_add(&kinetic, w * (1.0 + g->e) / 4.0 * v * v - 0.25 * slopes_at(g, &change, i, j));
      jw_sum_add(&potential, potential_at(g, &now, &past, i, j));
    }
  }
  const JwStored stored = {jw_sum_value(&kinetic) / g->y, jw_sum_value(&potential) / g->y};
  return stored;
}

double jw_plate_dissipate(const JwObject* object, const double* next, const double* u, const double* prev)
{
  (void)u;
  const JwGridPlate* const g = &object->grid.plate;
  const Field change = {object, next, prev};
  JwSum lost = {0.0, 0.0};
  for (uint32_t j = 0; j <= g->intervals[1]; ++j) {
    for (uint32_t i = 0; i <= g->intervals[0]; ++i) {
      const double w = half_at_ends(i, g->intervals[0]) * half_at_ends(j, g->intervals[1]);
      const double v = at(&change, i, j);
      jw_sum_add(&lost, w * (1.0 - g->e) / 4.0 * v * v + 0.25 * slopes_at(g, &change, i, j));
    }
  }
  return jw_sum_value(&lost) / g->y;
}
