// SPDX-License-Identifier: MIT
// Sides of several weights, and how sides are laid on their objects.

#include "model/contact.h"

void jw_side_layout(JwSide* side, JwArena* arena) {
  if (side->object) {
    jw_weights_layout(&side->weights, side->object, arena);
    side->spread = JW_TAKE(arena, side->object->port_weights, double);
  }
}

JW_REALTIME void jw_side_weigh(JwSide* side, const JwPort* port) {
  const JwObject* const object = side->object;
  if (!object) {
    return;
  }
  JwWeights* const w = &side->weights;
  object->ops->weigh(object, port, w);
  for (uint32_t i = 0; i < w->count; ++i) {
    side->spread[i] = w->weight[i] * object->y[object->dense ? i : w->offset[i]];
  }
  side->carries = object->carries_step;
  side->single = w->count == 1 && !object->dense;
  if (side->single) {
    side->weight = w->weight[0];
    side->push = side->spread[0];
    side->at = w->offset[0];
  }
}

JW_REALTIME double jw_side_read_many(const JwSide* side, JwLevel level) {
  const JwWeights* const w = &side->weights;
  const double* const u = side->object->level[level];
  if (side->object->dense || side->whole) {
    return jw_dot(w->count, w->weight, u);
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < w->count; ++i) {
    sum += w->weight[i] * u[w->offset[i]];
  }
  return sum;
}

// Differences first: they are small, and keep their digits.  What a side on modes has read once it
// need not read again.
JW_REALTIME double jw_side_motion_many(const JwSide* side) {
  const JwWeights* const w = &side->weights;
  double* const* const level = side->object->level;
  if (side->carries) {
    return jw_dot(w->count, w->weight, level[JW_NEXT] + w->count)
           + jw_dot(w->count, w->weight, level[JW_NOW] + w->count);
  }
  if (side->whole) {
    return jw_dot_change(w->count, w->weight, level[JW_NEXT], level[JW_PREV]);
  }
  if (side->object->dense) {
    return jw_side_read_many(side, JW_NEXT) - side->past;
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < w->count; ++i) {
    sum += w->weight[i] * (level[JW_NEXT][w->offset[i]] - level[JW_PREV][w->offset[i]]);
  }
  return sum;
}

JW_REALTIME double jw_side_step(const JwSide* side) {
  if (!side->object) {
    return 0.0;
  }
  const JwWeights* const w = &side->weights;
  const double *const u = side->object->level[JW_NOW], *const prev = side->object->level[JW_PREV];
  if (side->carries) {
    return side->single ? u[side->at + 1] : jw_dot(w->count, w->weight, u + w->count);
  }
  if (side->object->dense) {
    return jw_dot(w->count, w->weight, u) - jw_dot(w->count, w->weight, prev);
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < w->count; ++i) {
    sum += w->weight[i] * (u[w->offset[i]] - prev[w->offset[i]]);
  }
  return sum;
}

JW_REALTIME void jw_side_push_many(const JwSide* side, double force) {
  const JwWeights* const w = &side->weights;
  double* const next = side->object->level[JW_NEXT];
  if (side->object->dense || side->whole) {
    jw_axpy(w->count, side->spread, force, next);
    if (side->carries) {
      jw_axpy(w->count, side->spread, force, next + w->count);
    }
    return;
  }
  for (uint32_t i = 0; i < w->count; ++i) {
    next[w->offset[i]] += side->spread[i] * force;
  }
}

// Two groups on a grid have thousands of places: only those that both have count.
static double compliance_of_groups(const JwSide* a, const JwSide* b) {
  const uint32_t first = a->first > b->first ? a->first : b->first;
  const uint32_t end_a = a->first + a->weights.count, end_b = b->first + b->weights.count;
  double sum = 0.0;
  for (uint32_t x = first; x < end_a && x < end_b; ++x) {
    sum += a->spread[x - a->first] * b->weights.weight[x - b->first];
  }
  return sum;
}

static double compliance_with_whole(const JwSide* whole, const JwSide* few) {
  double sum = 0.0;
  for (uint32_t i = 0; i < few->weights.count; ++i) {
    sum += whole->spread[few->weights.offset[i]] * few->weights.weight[i];
  }
  return sum;
}

JW_REALTIME double jw_side_compliance(const JwSide* a, const JwSide* b) {
  if (!a->object || a->object != b->object) {
    return 0.0;
  }
  if (a->object->dense || (a->whole && b->whole)) {
    return jw_dot(a->weights.count, a->spread, b->weights.weight);
  }
  if (a->whole || b->whole) {
    return compliance_with_whole(a->whole ? a : b, a->whole ? b : a);
  }
  if (a->first && b->first) {
    return compliance_of_groups(a, b);
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < a->weights.count; ++i) {
    for (uint32_t j = 0; j < b->weights.count; ++j) {
      if (a->weights.offset[i] == b->weights.offset[j]) {
        sum += a->spread[i] * b->weights.weight[j];
      }
    }
  }
  return sum;
}

JW_REALTIME double jw_point_compliance(const JwPoint* a, const JwPoint* b) {
  return (jw_side_compliance(&a->side[0], &b->side[0])
          + jw_side_compliance(&a->side[1], &b->side[1]))
         - (jw_side_compliance(&a->side[0], &b->side[1])
            + jw_side_compliance(&a->side[1], &b->side[0]));
}
