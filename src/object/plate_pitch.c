// SPDX-License-Identifier: MIT
// How high a plate sounds: the lowest frequency of its own step, whatever its edges.
//
// With u as its past too, a step is u - A u, A the stiffness over the mass: so A can be applied by
// the kernel that plays.  Lanczos' recurrence, in the inner product <x, y> = sum x y/Y in which A
// is symmetric (Y the admittances),
//
//   A v_j = b_j v_(j-1) + a_j v_j + b_(j+1) v_(j+1)                                      (1.15)
//
// gives a tridiagonal matrix whose lowest eigenvalue falls to that of A from above.  Motions that
// nothing holds are taken out of every v.  Rounding brings copies of eigenvalues that have been
// found, and none that is lower.  It takes some sqrt(largest/lowest) turns, a few hundred for most
// plates; where MOST_TURNS are not enough, or the work is more than MOST_WORK, the supported
// plate's formula stands, as for plates without bending at free edges.
//
// Tested by test_tuning.c.

#include "numeric/elementary.h"
#include "object/kinds.h"
#include "object/plate_grid.h"

#include <math.h>
#include <string.h>

#define MOST_TURNS 4096
#define LOOK_EVERY 64
#define CLOSE 1e-9    // Of lambda: a millionth of a cent
#define MOST_WORK 5e7 // Points times turns: a quarter of a second

typedef struct {
  JwObject* object;
  uint32_t rigid; // Shift, tilt along x, tilt along y: how many from the first on; or one tilt
  int hinge;      // Edge about which it turns, or -1
  double a[MOST_TURNS], b[MOST_TURNS + 1];
} Lanczos;

static double inner(const JwObject* object, const double* x, const double* y) {
  const double* const weight = object->plain.weight; // 1/4Y, and 0 where there is no point
  double sum = 0.0;
  for (uint32_t i = 0; i < object->size; ++i) {
    sum += weight[i] * (x[i] * y[i]);
  }
  return sum;
}

// Rigid motion r at a degree of freedom: about the middle, or about a hinge.
static double rigid_at(const Lanczos* l, uint32_t r, uint32_t dof) {
  double x, y;
  l->object->ops->locate(l->object, dof, &x, &y);
  switch (l->hinge) {
  case 0: return x;
  case 1: return 1.0 - x;
  case 2: return y;
  case 3: return 1.0 - y;
  default: {
    const double shapes[3] = {1.0, x - 0.5, y - 0.5};
    return shapes[r];
  }
  }
}

static void take_rigid_out(const Lanczos* l, double* u) {
  const JwObject* const object = l->object;
  for (uint32_t r = 0; r < l->rigid; ++r) {
    double along = 0.0, size = 0.0;
    for (uint32_t i = 0; i < object->dofs; ++i) {
      const uint32_t at = jw_object_offset(object, i);
      const double value = rigid_at(l, r, i);
      along += value * u[at] / object->y[at];
      size += value * value / object->y[at];
    }
    for (uint32_t i = 0; i < object->dofs; ++i) {
      u[jw_object_offset(object, i)] -= along / size * rigid_at(l, r, i);
    }
  }
}

// How many eigenvalues of the tridiagonal matrix of n rows lie below x (Sturm).
static uint32_t below(const Lanczos* l, uint32_t n, double x) {
  uint32_t count = 0;
  double d = 1.0;
  for (uint32_t i = 0; i < n; ++i) {
    d = l->a[i] - x - (i ? l->b[i] * l->b[i] / d : 0.0);
    d = d == 0.0 ? -1e-300 : d;
    count += d < 0.0;
  }
  return count;
}

static double lowest_of(const Lanczos* l, uint32_t n) {
  double low = 0.0, high = 4.0;
  for (int i = 0; i < 60 && high - low > 1e-13 * high; ++i) {
    const double mid = 0.5 * (low + high);
    *(below(l, n, mid) ? &high : &low) = mid;
  }
  return 0.5 * (low + high);
}

// next <- A v - b v-, made orthogonal to v; v and v- as they come from the last turn.
static void turn(Lanczos* l, uint32_t j, double* next, const double* v, const double* past) {
  JwObject* const object = l->object;
  const double b = j ? l->b[j] : 0.0;
  object->ops->advance(object, next, v, v);
  for (uint32_t i = 0; i < object->size; ++i) {
    next[i] = (v[i] - next[i]) - b * past[i];
  }
  l->a[j] = inner(object, next, v);
  for (uint32_t i = 0; i < object->size; ++i) {
    next[i] -= l->a[j] * v[i];
  }
  take_rigid_out(l, next);
  l->b[j + 1] = sqrt(inner(object, next, next));
}

static void scale(const JwObject* object, double* u, double by) {
  for (uint32_t i = 0; i < object->size; ++i) {
    u[i] *= by;
  }
}

// Lambda, or NaN.  The three buffers of the object serve as v-, v and next.
static double lowest(Lanczos* l) {
  JwObject* const object = l->object;
  double *past = object->buffer[0], *v = object->buffer[1], *next = object->buffer[2];
  for (uint32_t i = 0; i < object->dofs; ++i) { // Neither even nor odd along any side
    double x, y;
    object->ops->locate(object, i, &x, &y);
    v[jw_object_offset(object, i)] = (1.0 + 0.7 * x) * (1.0 + 0.4 * y) + 0.3 * x * x;
  }
  take_rigid_out(l, v);
  scale(object, v, 1.0 / sqrt(inner(object, v, v)));
  double last = 0.0;
  for (uint32_t j = 0; j < MOST_TURNS && (double)j * object->size < MOST_WORK; ++j) {
    turn(l, j, next, v, past);
    const bool ended = !(l->b[j + 1] > 1e-14);
    if (ended || (j + 1) % LOOK_EVERY == 0) {
      const double lambda = lowest_of(l, j + 1);
      if (ended || fabs(lambda - last) < CLOSE * lambda) {
        return lambda;
      }
      last = lambda;
    }
    scale(object, next, 1.0 / l->b[j + 1]);
    double* const oldest = past;
    past = v, v = next, next = oldest;
  }
  return NAN;
}

static void find_rigid(Lanczos* l, const JwPlateDef* def, double tension) {
  int hinges = 0, held = 0;
  l->rigid = 0, l->hinge = -1;
  for (int i = 0; i < 4; ++i) {
    hinges += def->edges[i] == JW_END_SUPPORTED;
    held += def->edges[i] != JW_END_FREE;
  }
  if (held == 0) {
    l->rigid = tension > 0.0 ? 1 : 3;
  } else if (held == 1 && hinges == 1 && tension == 0.0) {
    l->rigid = 1;
    for (int i = 0; i < 4; ++i) {
      l->hinge = def->edges[i] == JW_END_SUPPORTED ? i : l->hinge;
    }
  }
}

double jw_plate_pitch(JwObject* object) {
  Lanczos l;
  l.object = object;
  find_rigid(&l, &object->def.plate, object->info.tension);
  const double lambda = lowest(&l), e = object->grid.plate.e, root = sqrt(e);
  for (int i = 0; i < 3; ++i) {
    memset(object->buffer[i], 0, object->size * sizeof(double));
  }
  const double square = (lambda - (1.0 - root) * (1.0 - root)) / (4.0 * root);
  return square > 0.0 ? jw_arc_sine(sqrt(fmin(square, 1.0))) / (JW_PI * object->k)
                      : object->info.fundamental;
}
