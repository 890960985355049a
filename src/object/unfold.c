// SPDX-License-Identifier: MIT
// A grid in its natural order, for the ledger: kernels keep it in an order of their own.
//
// Copies cost little beside the sums that follow, and let those run over plain rows.

#include "object/object.h"

void jw_plain_layout(JwObject* object, const uint32_t intervals[2], JwArena* arena) {
  JwPlain* const plain = &object->plain;
  const uint64_t nx = intervals[0] + 3u,
                 ny = intervals[1] + 3u; // Points and one more to either side
  plain->stride = (uint32_t)nx;
  plain->offset = JW_TAKE(arena, object->dofs, uint32_t);
  for (int i = 0; i < 3; ++i) {
    plain->field[i] = JW_TAKE(arena, nx * ny, double);
  }
  for (int i = 0; i < 6; ++i) {
    plain->row[i] = JW_TAKE(arena, nx, double);
  }
  plain->change = JW_TAKE(arena, object->size, double);
  plain->weight = JW_TAKE(arena, object->size, double);
  plain->half[0] = JW_TAKE(arena, nx, double);
  plain->half[1] = JW_TAKE(arena, ny, double);
}

void jw_plain_setup(JwObject* object, const uint32_t intervals[2]) {
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const uint32_t offset = jw_object_offset(object, i);
    object->plain.offset[i] = offset;
    object->plain.weight[offset] = 0.25 / object->y[offset];
  }
  for (int axis = 0; axis < 2; ++axis) {
    for (uint32_t i = 0; i <= intervals[axis]; ++i) {
      object->plain.half[axis][i] = i == 0 || i == intervals[axis] ? 0.5 : 1.0;
    }
  }
}

JW_REALTIME double* jw_plain_read(const JwObject* object, int which, const double* a,
                                  const double* b) {
  const bool plate = object->ops->kind == JW_KIND_PLATE;
  const uint32_t nx = plate ? object->grid.plate.kernel.nx : object->grid.string.count;
  const uint32_t first_x = plate ? object->grid.plate.first[0] : object->grid.string.first;
  const uint32_t first_y = plate ? object->grid.plate.first[1] : 0;
  const JwPlain* const plain = &object->plain;
  double* const origin = plain->field[which] + plain->stride + 1;
  const uint32_t* offset = plain->offset;
  for (uint32_t row = 0; row * nx < object->dofs; ++row, offset += nx) {
    double* const out = origin + (size_t)(row + first_y) * plain->stride + first_x;
    for (uint32_t i = 0; i < nx; ++i) {
      out[i] = b ? a[offset[i]] - b[offset[i]] : a[offset[i]];
    }
  }
  return origin;
}
