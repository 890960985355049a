// SPDX-License-Identifier: MIT
// Ports: read and push through the same weights, so that coupling neither makes nor takes energy.

#include "world.h"

#include <math.h>

void jw_side_layout(JwSide* side, JwArena* arena) {
  if (side->object) {
    jw_weights_layout(&side->weights, side->object, arena);
    side->spread = JW_TAKE(arena, side->object->port_weights, double);
  }
}

JW_REALTIME void jw_side_weigh(JwSide* side, const JwPort* port) {
  const JwObject* const object = side->object;
  side->single = true;
  side->carries = object && object->carries_step;
  side->weight = side->push = 0.0;
  for (int b = 0; b < 3; ++b) {
    side->at[b] = &side->nowhere;
  }
  if (!object) {
    return;
  }
  jw_port_at(object, port, side->grid);
  JwWeights* const w = &side->weights;
  object->ops->weigh(object, port, w);
  for (uint32_t i = 0; i < w->count; ++i) {
    side->spread[i] = w->weight[i] * object->y[object->dense ? i : w->offset[i]];
  }
  side->single = w->count == 1 && !object->dense;
  if (side->single) {
    side->weight = w->weight[0];
    side->push = side->spread[0];
    for (int b = 0; b < 3; ++b) {
      side->at[b] = object->buffer[b] + w->offset[0];
    }
  }
}

JW_REALTIME double jw_side_compliance(const JwSide* a, const JwSide* b) {
  if (!a->object || a->object != b->object) {
    return 0.0;
  }
  if (a->object->dense) {
    return jw_dot(a->weights.count, a->spread, b->weights.weight);
  }
  double sum = 0.0;
  if (a->run && b->run) { // Thousands of places: only what both have
    const uint32_t ends[2] = {a->run + a->weights.count, b->run + b->weights.count};
    for (uint32_t x = a->run > b->run ? a->run : b->run; x < ends[0] && x < ends[1]; ++x) {
      sum += a->spread[x - a->run] * b->weights.weight[x - b->run];
    }
    return sum;
  }
  for (uint32_t i = 0; i < a->weights.count; ++i) {
    for (uint32_t j = 0; j < b->weights.count; ++j) {
      if (a->weights.offset[i] == b->weights.offset[j]) {
        sum += a->spread[i] * b->weights.weight[j];
      }
    }
  }
  return sum;
}

static bool fraction(double x) {
  return x >= 0.0 && x <= 1.0;
}

JwStatus jw_port_check(JwWorld* world, const JwPort* port, const char* what) {
  if (port->object.index == 0 || port->object.index > world->objects.count) {
    return jw_world_fail(world, JW_STATUS_BAD_REFERENCE, "%s: object %u does not exist", what,
                         port->object.index);
  }
  const JwObject* const object = jw_object_at(world, port->object.index - 1);
  const JwKind kind = object->ops->kind;
  if ((int)port->reading < 0 || port->reading > JW_READ_CUBIC) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: reading is %d, must be from 0 to 2", what,
                         (int)port->reading);
  }
  if (kind == JW_KIND_STRING && !fraction(port->x)) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE, "%s: x on '%s' is %g, must be from 0 to 1",
                         what, object->name, port->x);
  }
  if (kind == JW_KIND_PLATE && !(fraction(port->x) && fraction(port->y))) {
    return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                         "%s: place on '%s' is %g, %g, must be from 0 to 1", what, object->name,
                         port->x, port->y);
  }
  if (kind == JW_KIND_MODAL) {
    const uint32_t rows = object->def.modal.shape_count;
    if (!(port->x >= 0.0 && port->x < rows && port->x == floor(port->x))) {
      return jw_world_fail(world, JW_STATUS_BAD_VALUE,
                           "%s: x on '%s' is %g, must be a shape from 0 to %u", what, object->name,
                           port->x, rows - 1);
    }
  }
  return JW_STATUS_OK;
}
