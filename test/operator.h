// SPDX-License-Identifier: MIT
// An object's step as a matrix, and its eigenvalues: what stability and frequencies rest on.
//
// Without loss one step is next = 2 u - prev - A u.  A = Y S with Y the admittances (diagonal) and
// S symmetric; sqrt(Y) S sqrt(Y) has A's eigenvalues 4 sin^2(w k / 2), found by Jacobi's rotations.
#ifndef JAWARI_TEST_OPERATOR_H
#define JAWARI_TEST_OPERATOR_H

#include "worlds.h"

#include "ledger/ledger.h"

typedef struct {
  uint32_t n;
  double* a;        // n x n, symmetric
  double asymmetry; // Largest |a_ij - a_ji| before, over the largest |a_ij|
  double* value;    // Eigenvalues, ascending after operator_solve
} Operator;

/// The columns of A by advancing unit vectors.
static inline Operator operator_of(JwObject* object) {
  const uint32_t n = object->dofs;
  Operator op = {n, calloc((size_t)n * n, sizeof(double)), 0.0, calloc(n, sizeof(double))};
  const JwAllocator a = jw_allocator_default(); // Aligned as the kernels want it
  double* const u = (double*)a.allocate(a.user, object->size * sizeof(double));
  double* const prev = (double*)a.allocate(a.user, object->size * sizeof(double));
  double* const next = (double*)a.allocate(a.user, object->size * sizeof(double));
  for (uint32_t j = 0; j < n; ++j) {
    const uint32_t at = jw_object_offset(object, j);
    u[at] = 1.0;
    object->ops->advance(object, next, u, prev);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t to = jw_object_offset(object, i);
      const double entry = (i == j ? 2.0 : 0.0) - next[to];
      op.a[(size_t)i * n + j] = entry * sqrt(object->y[at] / object->y[to]);
    }
    u[at] = 0.0;
  }
  double largest = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t j = 0; j < n; ++j) {
      largest = fmax(largest, fabs(op.a[(size_t)i * n + j]));
      op.asymmetry = fmax(op.asymmetry, fabs(op.a[(size_t)i * n + j] - op.a[(size_t)j * n + i]));
    }
  }
  op.asymmetry /= largest;
  a.release(a.user, u);
  a.release(a.user, prev);
  a.release(a.user, next);
  return op;
}

static inline void operator_rotate(Operator* op, uint32_t p, uint32_t q) {
  const uint32_t n = op->n;
  double* const a = op->a;
  const double apq = a[(size_t)p * n + q];
  if (apq == 0.0) {
    return;
  }
  const double theta = (a[(size_t)q * n + q] - a[(size_t)p * n + p]) / (2.0 * apq);
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  for (uint32_t i = 0; i < n; ++i) {
    const double x = a[(size_t)i * n + p], y = a[(size_t)i * n + q];
    a[(size_t)i * n + p] = c * x - s * y;
    a[(size_t)i * n + q] = s * x + c * y;
  }
  for (uint32_t i = 0; i < n; ++i) {
    const double x = a[(size_t)p * n + i], y = a[(size_t)q * n + i];
    a[(size_t)p * n + i] = c * x - s * y;
    a[(size_t)q * n + i] = s * x + c * y;
  }
}

static inline int operator_compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static inline void operator_solve(Operator* op) {
  const uint32_t n = op->n;
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0.0;
    for (uint32_t p = 0; p < n; ++p) {
      for (uint32_t q = p + 1; q < n; ++q) {
        off = fmax(off, fabs(op->a[(size_t)p * n + q]));
        operator_rotate(op, p, q);
      }
    }
    if (off < 1e-15) {
      break;
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    op->value[i] = op->a[(size_t)i * n + i];
  }
  qsort(op->value, n, sizeof(double), operator_compare);
}

static inline void operator_free(Operator* op) {
  free(op->a);
  free(op->value);
}

/// The angular frequency of eigenvalue i.
static inline double operator_frequency(const Operator* op, uint32_t i, double k) {
  return 2.0 / k * asin(0.5 * sqrt(op->value[i]));
}

static inline JwObject* object_of(JwWorld* world, JwObjectId id) {
  return jw_object_at(world, id.index - 1);
}

#endif // JAWARI_TEST_OPERATOR_H
