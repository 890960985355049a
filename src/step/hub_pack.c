// SPDX-License-Identifier: MIT
// What stays the same for as long as nobody disturbs a component with a hub (hub.c): constants in
// the
// order in which a pass reads them, and C' of (2.12).

#include "step/hub.h"

#include "step/step.h"

#include <math.h>
#include <string.h>

#define MOST_STIFF 1e6 // a b: beyond, (2.5) by minors keeps more digits

static bool alike(const JwLeaf* a, const JwLeaf* b) {
  const JwObject *const x = a->tie->object, *const y = b->tie->object;
  const size_t bytes = x->dofs * sizeof(double);
  return x->dofs == y->dofs && memcmp(x->bank.e, y->bank.e, bytes) == 0
         && jw_hub_same_place(a->tie, b->tie) && !a->drag == !b->drag
         && (!a->drag || jw_hub_same_place(a->hold, b->hold));
}

// Modes by fours: into row `row` of `rows` of each block.
static void pack_row(double* to, uint32_t rows, uint32_t row, const double* from, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    to[4 * ((size_t)rows * (i / 4) + row) + i % 4] = from[i];
  }
}

static void pack_alike(JwHub* hub, uint32_t first, uint32_t count, double** room) {
  const JwLeaf* const leaf = &hub->leaves[first];
  const uint32_t n = leaf->tie->object->dofs, blocks = jw_hub_padded(n) / 4;
  double *const shared = *room, *const own = shared + 8 * (size_t)blocks,
                *const lost = own + 4 * (size_t)count * blocks,
                *const second = lost + 4 * (size_t)count * blocks;
  const size_t size = (12 + 8 * count) * (size_t)blocks;
  memset(shared, 0, size * sizeof(double));
  *room += size;
  pack_row(shared, 2, 0, leaf->tie->object->bank.e, n);
  pack_row(shared, 2, 1, leaf->tie->weights.weight, n);
  if (leaf->drag) {
    pack_row(second, 1, 0, leaf->hold->weights.weight, n);
  }
  JwAlike group = {.blocks = blocks, .first = first, .count = count, .places = 1};
  group.alike = shared;
  group.own = own;
  group.lost = lost;
  group.second = second;
  for (uint32_t i = 0; i < count; ++i) {
    JwObject* const object = hub->leaves[first + i].tie->object;
    pack_row(own, count, i, object->bank.b, n);
    pack_row(lost, count, i, object->bank.lost, n);
    memcpy(group.buffer[i], object->buffer, sizeof group.buffer[i]);
    hub->leaves[first + i].alike = hub->alike_count;
    hub->place[first + i] = leaf->place;
    hub->by.scale[first + i] = hub->leaves[first + i].scale;
    hub->by.reach[first + i] = 0.0;
    hub->by.sign[first + i] = hub->leaves[first + i].sign;
    hub->by.most[first + i] = hub->by.acted[first + i] = 0.0;
    hub->drags.most[first + i] = hub->drags.acted[first + i] = 0.0;
  }
  hub->alike[hub->alike_count++] = group;
}

// How far a push of one newton at the pin, or at the place itself, may move a bank there: the bound
// of reach() for the worst moment.
static double reach_of(const JwObject* object, const JwSide* at, const JwSide* pushed) {
  double sum = 0.0;
  for (uint32_t m = 0; m < object->dofs; ++m) {
    const double kinetic = object->bank.kinetic[m], potential = object->bank.potential[m];
    sum += 0.5 * fabs(at->weights.weight[m] * pushed->spread[m])
           * sqrt((kinetic + potential) * (1.0 / kinetic + 1.0 / potential));
  }
  return sum;
}

static void pack_other(JwHub* hub, JwOther* other) {
  const JwLeaf* const leaf = &hub->leaves[other->leaf];
  const JwSide* const side = &other->point->side[other->side];
  const double sign = other->side == 0 ? 1.0 : -1.0;
  other->to_pin = sign * jw_side_compliance(side, leaf->tie);
  other->to_drag = leaf->drag ? sign * jw_side_compliance(side, leaf->hold) : 0.0;
  const double by_pin = reach_of(leaf->tie->object, side, leaf->tie);
  const double by_drag = leaf->drag ? reach_of(leaf->tie->object, side, leaf->hold) : 0.0;
  double* const reach = &hub->by.reach[other->leaf];
  *reach = fmax(*reach, fmax(by_pin, by_drag));
}

void jw_hub_pack(JwHub* hub) {
  double* room = hub->constants;
  hub->stride = jw_hub_padded(hub->places);
  memset(hub->rows, 0, (size_t)hub->places * hub->width * sizeof(double));
  memset(hub->spreads, 0, (size_t)hub->places * hub->width * sizeof(double));
  memset(hub->compliance, 0, (size_t)hub->places * hub->stride * sizeof(double));
  hub->alike_count = 0;
  for (uint32_t i = 0, n; i < hub->count; i += n) {
    for (n = 1;
         n < JW_MOST_ALIKE && i + n < hub->count && hub->leaves[i].place == hub->leaves[i + n].place
         && alike(&hub->leaves[i], &hub->leaves[i + n]);
         ++n) {
    }
    pack_alike(hub, i, n, &room);
  }
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    const size_t row = (size_t)leaf->place * hub->width;
    memcpy(hub->rows + row, leaf->seat->weights.weight, hub->object->dofs * sizeof(double));
    memcpy(hub->spreads + row, leaf->seat->spread, hub->object->dofs * sizeof(double));
    if (i == 0 || hub->leaves[i - 1].place != leaf->place) {
      hub->first_leaf[leaf->place] = i;
    }
  }
  hub->first_leaf[hub->places] = hub->count;
  for (uint32_t i = 0; i < hub->other_count; ++i) {
    pack_other(hub, &hub->others[i]);
  }
  for (uint32_t i = 0; i < hub->places; ++i) {
    for (uint32_t j = 0; j <= i; ++j) {
      const JwSide *const a = hub->leaves[hub->first_leaf[i]].seat,
                          *const b = hub->leaves[hub->first_leaf[j]].seat;
      hub->compliance[(size_t)i * hub->stride + j] = hub->compliance[(size_t)j * hub->stride + i] =
          jw_side_compliance(a, b);
    }
  }
}

// Slopes of drags and pins; returns whether they can stay.
static bool factor_leaf(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  const JwPins* const by = &hub->by;
  const JwDrags* const drags = &hub->drags;
  double none = 0.0;
  bool linear = leaf->pin->ops->linear(leaf->pin->step.law, &by->g[i], &by->rate[i]);
  by->a[i] = 0.25 * by->g[i] * by->g[i] + by->rate[i];
  by->q[i] = jw_side_compliance(leaf->tie, leaf->tie);
  drags->rate[i] = drags->yield[i] = drags->to_pin[i] = drags->free[i] = by->given[i] = 0.0;
  if (leaf->drag) {
    linear = leaf->drag->ops->linear(leaf->drag->step.law, &none, &drags->rate[i]) && linear
             && none == 0.0;
    drags->q[i] = jw_side_compliance(leaf->hold, leaf->hold);
    drags->to_pin[i] = jw_side_compliance(leaf->tie, leaf->hold);
    drags->yield[i] = drags->rate[i] / (1.0 + drags->rate[i] * drags->q[i]);
    by->q[i] -= drags->to_pin[i] * drags->yield[i] * drags->to_pin[i];
  }
  if (jw_hub_is_dragged(hub, i)) {
    hub->alike[leaf->alike].places = 2;
    hub->drawn = true;
  }
  by->part[i] = 1.0 / (1.0 + by->a[i] * by->q[i]);
  hub->stiff[leaf->place] += by->a[i] * by->part[i];
  return linear && by->a[i] * by->q[i] < MOST_STIFF;
}

// (2.12): C' by (2.5), place after place.
JW_REALTIME bool jw_hub_factor(JwHub* hub) {
  const uint32_t n = hub->places, stride = hub->stride;
  bool stays = true;
  memset(hub->stiff, 0, n * sizeof(double));
  hub->drawn = false;
  for (uint32_t i = 0; i < hub->alike_count; ++i) {
    hub->alike[i].places = 1;
  }
  for (uint32_t i = 0; i < hub->count; ++i) {
    stays = factor_leaf(hub, i) && stays;
  }
  for (uint32_t i = 0; i < hub->other_count; ++i) {
    JwOther* const other = &hub->others[i];
    other->cross =
        other->to_pin
        - other->to_drag * hub->drags.yield[other->leaf] * hub->drags.to_pin[other->leaf];
  }
  memcpy(hub->inner, hub->compliance, (size_t)n * stride * sizeof(double));
  for (uint32_t j = 0; j < n; ++j) {
    memcpy(hub->whole, hub->inner + (size_t)j * stride, stride * sizeof(double));
    const double gain = hub->stiff[j] / (1.0 + hub->stiff[j] * hub->whole[j]);
    for (uint32_t i = 0; i < n; ++i) {
      jw_axpy(stride, hub->whole, -gain * hub->whole[i], hub->inner + (size_t)i * stride);
    }
  }
  return stays;
}

// Has a law changed since?
bool jw_hub_is_stale(const JwHub* hub) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    double g, rate, drag = 0.0, none;
    (void)leaf->pin->ops->linear(leaf->pin->step.law, &g, &rate);
    if (leaf->drag) {
      (void)leaf->drag->ops->linear(leaf->drag->step.law, &none, &drag);
      drag = drag / (1.0 + drag * hub->drags.q[i]);
    }
    if (0.25 * g * g + rate != hub->by.a[i] || drag != hub->drags.yield[i]) {
      return true;
    }
  }
  return false;
}
