// SPDX-License-Identifier: MIT
// Banks of modes that are tied to one thing: the strings of a piano on its soundboard.
//
// All of them are one island, since every force on the hub moves every bank.  But a pin is linear,
// and its slope does not change: that part of the island is eliminated once, and a sample needs one
// product with a matrix of places on the hub.
//
//   symbol  here        meaning                                                     unit
//   r, r*   r, free     how far a pin moves over the step; were nothing to push     m
//   a, c    a, g psi    f = a r + c, the law of a pin (2.1)                         N/m, N
//   b       q           compliance of a bank at its pin                             m/N
//   C       compliance  of the hub, between its places                              m/N
//   E       stiff       sum of a/(1 + a b) over the pins of a place                 N/m
//   z       sums        sum of (a r* + c)/(1 + a b) over the pins of a place        N
//   h       yields      how far the pins move the hub in one sample                 m
//
// With r = r* - b f - h and h = C F, F the sum of f over the pins of a place,
//
//   f = (a (r* - h) + c)/(1 + a b),   h = C' z,   C' = C (1 + E C)^-1                 (2.12)
//
// C' comes from C by (2.5), place after place, whenever a law has changed.  A drag, a linear damper
// on a bank, is eliminated before its pin: with f_d = y (r_d* - x f), y its force for each metre and
// x the compliance between the two, the pin has b - x y x and r* - x y r_d*.
//
// What opens and closes is solved anew (island.c), with drags and pins in place: point i, which a
// pin's force moves by x_i,
//
//   r*_i - x_i f,   B_ij - x_i M x_j,   M = a/(1 + a b) - a/(1 + a b) C' a/(1 + a b)   (2.13)
//
// and its force changes z by -x_i a/(1 + a b) f_i.  Of most points nothing need be read.  A bank's
// energy bounds how far it can be at a place, and a push of f moves that bound by less than a
// constant times |f|, which is added up.  While bound and gap do not meet, the point is open.
//
// Pushes on a bank are added by the next pass over its modes (kernel/tied.h), or when the stage
// leaves; both round alike, so it does not matter when.  Tested by test_hub.c.

#include "step/hub.h"

#include "ledger/ledger.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define LEAST_PINS 8u   // Below, the island is solved as any other
#define MOST_STIFF 1e6  // a b: beyond, (2.5) by minors keeps more digits
#define LOOK_FRAMES 256 // How often banks that are awake are looked at

static uint32_t padded(uint32_t n) {
  return (n + 3) / 4 * 4;
}

// ---------------------------------------------------------------- room

static bool may_tie(const JwObject* object) {
  return object && object->dense && !object->carries_step && !object->ops->lumped
         && !(object->stretch > 0.0);
}

static bool may_pin(const JwWorld* world, const JwContact* contact) {
  const JwObject* const a = jw_port_object(world, contact->port[0]);
  const JwObject* const b = jw_port_object(world, contact->port[1]);
  return !contact->along && jw_law_ops(contact->kind)->linear && may_tie(a) && may_tie(b) && a != b;
}

static uint32_t pins_of(const JwWorld* world, uint32_t component, const JwObject* object) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    count += contact->component == component && may_pin(world, contact)
             && (jw_port_object(world, contact->port[0]) == object
                 || jw_port_object(world, contact->port[1]) == object);
  }
  return count;
}

// The object with most pins, if they are many.
static JwObject* find_hub(const JwWorld* world, uint32_t component, uint32_t* pins) {
  JwObject* hub = NULL;
  *pins = LEAST_PINS - 1;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    JwObject* const object = jw_object_at(world, i);
    if (object->component == component && may_tie(object)) {
      const uint32_t count = pins_of(world, component, object);
      hub = count > *pins ? object : hub;
      *pins = count > *pins ? count : *pins;
    }
  }
  return hub;
}

// A linear damper between a bank and the ground.
static bool may_drag(const JwWorld* world, const JwContact* contact) {
  const JwObject* const a = jw_port_object(world, contact->port[0]);
  const JwObject* const b = jw_port_object(world, contact->port[1]);
  const JwLawOps* const ops = jw_law_ops(contact->kind);
  double g = 1.0, rate;
  return !contact->along && ops->linear && ops->linear(&contact->law, &g, &rate) && g == 0.0
         && ((may_tie(a) && (!b || b->dofs == 0)) || (may_tie(b) && (!a || a->dofs == 0)));
}

uint32_t jw_hub_pins(const JwWorld* world, uint32_t component) {
  uint32_t pins = 0, drags = 0;
  if (!jw_tied_lanes() || !find_hub(world, component, &pins)) {
    return 0;
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    const JwContact* const contact = jw_contact_at(world, i);
    drags += contact->component == component && may_drag(world, contact);
  }
  return pins + (drags < pins ? drags : pins); // One each at most
}

static uint64_t constants_of(const JwWorld* world, uint32_t component) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < world->objects.count; ++i) {
    const JwObject* const object = jw_object_at(world, i);
    count +=
        object->component == component && may_tie(object) ? 5 * (uint64_t)padded(object->dofs) : 0;
  }
  return count;
}

static void layout_leaves(JwHub* hub, uint32_t n, JwArena* arena) {
  JwPins* const by = &hub->by;
  JwDrags* const drags = &hub->drags;
  double** const all[] = {&by->a,       &by->g,        &by->psi,      &by->rate,    &by->q,
                          &by->part,    &by->given,    &by->hub,      &by->free,    &by->sum,
                          &by->f,       &by->r,        &by->keep,     &by->scale,   &by->bound,
                          &by->limit,   &by->sign,     &by->reach,    &by->most,    &by->acted,
                          &drags->rate, &drags->yield, &drags->q,     &drags->free, &drags->to_pin,
                          &drags->f,    &hub->lost,    &drags->given, &drags->most, &drags->acted};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    *all[i] = JW_TAKE(arena, n, double);
  }
  for (int p = 0; p < 2; ++p) {
    hub->ties[p].push = JW_TAKE(arena, n, double);
    hub->ties[p].moved = JW_TAKE(arena, n, double);
  }
  hub->place = JW_TAKE(arena, n, uint32_t);
}

JwHub* jw_hub_layout(const JwWorld* world, uint32_t component, uint64_t points, JwArena* arena) {
  uint32_t pins = 0;
  const JwTiedLanes* const lanes = jw_tied_lanes();
  JwObject* const object = lanes ? find_hub(world, component, &pins) : NULL;
  if (!object) {
    return NULL;
  }
  JwHub h = {.object = object, .lanes = lanes, .most = pins, .width = padded(object->dofs)};
  JwHub* const hub = JW_TAKE(arena, 1, JwHub);
  h.stride = padded(pins);
  h.alike = JW_TAKE(arena, pins, JwAlike);
  h.leaves = JW_TAKE(arena, pins, JwLeaf);
  h.others = JW_TAKE(arena, points, JwOther);
  layout_leaves(&h, padded(pins), arena);
  h.constants = JW_TAKE(arena, constants_of(world, component), double);
  h.rows = JW_TAKE(arena, (uint64_t)pins * h.width, double);
  h.spreads = JW_TAKE(arena, (uint64_t)pins * h.width, double);
  h.compliance = JW_TAKE(arena, (uint64_t)pins * h.stride, double);
  h.inner = JW_TAKE(arena, (uint64_t)pins * h.stride, double);
  double** const by_place[] = {&h.whole, &h.moved, &h.sums, &h.yields, &h.forces, &h.stiff};
  for (size_t i = 0; i < sizeof by_place / sizeof by_place[0]; ++i) {
    *by_place[i] = JW_TAKE(arena, h.stride, double);
  }
  h.padded = JW_TAKE(arena, h.width, double);
  h.first_leaf = JW_TAKE(arena, pins + 1, uint32_t);
  if (arena->base) {
    *hub = h;
  }
  return hub;
}

// ---------------------------------------------------------------- who is tied

static bool is_linear(const JwPoint* point) {
  double g, rate;
  return point->ops->linear && !point->dense && point->ops->linear(point->step.law, &g, &rate);
}

// The bank's side of a pin, or -1.
static int pinned_side(const JwHub* hub, const JwPoint* point) {
  const JwObject *const a = point->side[0].object, *const b = point->side[1].object;
  if (!is_linear(point) || !may_tie(a) || !may_tie(b) || (a == hub->object) == (b == hub->object)) {
    return -1;
  }
  return a == hub->object ? 1 : 0;
}

static uint32_t leaf_of(const JwHub* hub, const JwObject* object) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    if (hub->leaves[i].tie->object == object) {
      return i;
    }
  }
  return JW_NONE;
}

static bool same_place(const JwSide* a, const JwSide* b) {
  return memcmp(a->weights.weight, b->weights.weight, a->weights.count * sizeof(double)) == 0;
}

static uint32_t place_of(JwHub* hub, const JwSide* seat) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    if (same_place(hub->leaves[i].seat, seat)) {
      return hub->leaves[i].place;
    }
  }
  return hub->places++;
}

// k^2/4m of a bank with exact poles, all of whose modes have the same mass; else 0.
static double scale_of(const JwObject* object) {
  const JwBank* const bank = &object->bank;
  const double scale = object->y[0] / ((2.0 + (bank->e[0] + bank->e[0])) - bank->b[0]);
  for (uint32_t i = 0; i < object->dofs; ++i) {
    const double y = scale * ((2.0 + (bank->e[i] + bank->e[i])) - bank->b[i]);
    if (!(fabs(y - object->y[i]) <= 1e-12 * y)) {
      return 0.0;
    }
  }
  return scale;
}

static bool add_pin(JwHub* hub, JwPoint* point) {
  const int side = pinned_side(hub, point);
  const JwObject* const object = point->side[side].object;
  if (hub->count == hub->most || leaf_of(hub, object) != JW_NONE || !(scale_of(object) > 0.0)) {
    return false; // A bank with two pins, or one that the kernel does not know
  }
  JwLeaf leaf = {.pin = point, .tie = &point->side[side], .seat = &point->side[1 - side]};
  leaf.sign = side == 0 ? 1.0 : -1.0;
  leaf.place = place_of(hub, leaf.seat);
  hub->leaves[hub->count++] = leaf;
  return true;
}

// Anything else may touch one bank, and on its other side something that has one number or none.
static bool add_other(JwHub* hub, JwPoint* point) {
  uint32_t leaf[2];
  for (int s = 0; s < 2; ++s) {
    const JwObject* const object = point->side[s].object;
    leaf[s] = object ? leaf_of(hub, object) : JW_NONE;
    if (point->dense || (object && leaf[s] == JW_NONE && !point->side[s].single)) {
      return false;
    }
  }
  const int side = leaf[0] != JW_NONE ? 0 : 1;
  if (leaf[side] == JW_NONE || leaf[1 - side] != JW_NONE) {
    return false;
  }
  JwLeaf* const at = &hub->leaves[leaf[side]];
  double g = 1.0, rate;
  if (!at->drag && !point->side[1 - side].object && point->ops->linear
      && point->ops->linear(point->step.law, &g, &rate) && g == 0.0) {
    at->drag = point;
    at->hold = &point->side[side];
    at->drag_sign = side == 0 ? 1.0 : -1.0;
    return true;
  }
  hub->others[hub->other_count++] = (JwOther){.point = point, .leaf = leaf[side], .side = side};
  return true;
}

static bool is_touched(const JwWorld* world, const JwComponent* component, const JwHub* hub) {
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const JwObject* const object = jw_force_at(world, component->forces[i])->side.object;
    if (leaf_of(hub, object) != JW_NONE) {
      return true;
    }
  }
  for (uint32_t i = 0; i < component->pickup_count; ++i) {
    const JwObject* const object = jw_pickup_at(world, component->pickups[i])->side.object;
    if (object && leaf_of(hub, object) != JW_NONE) {
      return true;
    }
  }
  return false;
}

// By leaf, and by place, so that sums run in one direction.
static void sort_leaves(JwHub* hub) {
  for (uint32_t i = 1; i < hub->count; ++i) {
    const JwLeaf leaf = hub->leaves[i];
    uint32_t j = i;
    for (; j > 0 && hub->leaves[j - 1].place > leaf.place; --j) {
      hub->leaves[j] = hub->leaves[j - 1];
    }
    hub->leaves[j] = leaf;
  }
}

static void sort_others(JwHub* hub) {
  uint32_t first = 0;
  for (uint32_t leaf = 0; leaf < hub->count; ++leaf) {
    hub->leaves[leaf].first = first;
    for (uint32_t i = first; i < hub->other_count; ++i) {
      if (hub->others[i].leaf == leaf) {
        const JwOther other = hub->others[i];
        hub->others[i] = hub->others[first];
        hub->others[first++] = other;
      }
    }
    hub->leaves[leaf].last = first;
  }
}

static bool collect(const JwWorld* world, JwComponent* component, JwHub* hub, JwIsland* island) {
  hub->count = hub->places = hub->other_count = 0;
  for (uint32_t i = 0; i < island->count; ++i) {
    if (pinned_side(hub, island->points[i]) >= 0 && !add_pin(hub, island->points[i])) {
      return false;
    }
  }
  if (hub->count < LEAST_PINS || is_touched(world, component, hub)) {
    return false;
  }
  sort_leaves(hub);
  for (uint32_t i = 0; i < island->count; ++i) {
    if (pinned_side(hub, island->points[i]) < 0 && !add_other(hub, island->points[i])) {
      return false;
    }
  }
  sort_others(hub);
  return true;
}

// ---------------------------------------------------------------- constants

static bool alike(const JwLeaf* a, const JwLeaf* b) {
  const JwObject *const x = a->tie->object, *const y = b->tie->object;
  const size_t bytes = x->dofs * sizeof(double);
  return x->dofs == y->dofs && memcmp(x->bank.e, y->bank.e, bytes) == 0
         && same_place(a->tie, b->tie) && !a->drag == !b->drag
         && (!a->drag || same_place(a->hold, b->hold));
}

// Modes by fours: into row `row` of `rows` of each block.
static void pack_row(double* to, uint32_t rows, uint32_t row, const double* from, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    to[4 * ((size_t)rows * (i / 4) + row) + i % 4] = from[i];
  }
}

static void pack_alike(JwHub* hub, uint32_t first, uint32_t count, double** room) {
  const JwLeaf* const leaf = &hub->leaves[first];
  const uint32_t n = leaf->tie->object->dofs, blocks = padded(n) / 4;
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
    hub->by.scale[first + i] = scale_of(object);
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

static void pack(JwHub* hub) {
  double* room = hub->constants;
  hub->stride = padded(hub->places);
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

static bool is_dragged(const JwHub* hub, uint32_t i) {
  return hub->drags.yield[i] > 0.0;
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
  if (is_dragged(hub, i)) {
    hub->alike[leaf->alike].places = 2;
    hub->drawn = true;
  }
  by->part[i] = 1.0 / (1.0 + by->a[i] * by->q[i]);
  hub->stiff[leaf->place] += by->a[i] * by->part[i];
  return linear && by->a[i] * by->q[i] < MOST_STIFF;
}

// (2.12): C' by (2.5), place after place.
static JW_REALTIME bool factor(JwHub* hub) {
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
static bool is_stale(const JwHub* hub) {
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

// ---------------------------------------------------------------- pushes that wait

// As the pass of kernel/tied.h does it, to the bit.
static void add_push(const JwSide* side, double push, double* u) {
  const JwBank* const bank = &side->object->bank;
  const double* const w = side->weights.weight;
  for (uint32_t m = 0; m < side->weights.count && push != 0.0; ++m) {
    u[m] += (w[m] * (((bank->e[m] + bank->e[m]) + 2.0) - bank->b[m])) * push;
  }
}

static void set_levels(JwObject* object, JwRoles roles) {
  object->level[JW_PREV] = object->buffer[roles.prev];
  object->level[JW_NOW] = object->buffer[roles.now];
  object->level[JW_NEXT] = object->buffer[roles.next];
}

// Those of every object (step.c).  While a bank is tied nobody else turns its levels.
static JwRoles roles_in(uint64_t frame) {
  const size_t now = frame % 3, prev = now ? now - 1 : 2;
  return (JwRoles){prev, now, 3 - now - prev};
}

// Add the pushes that wait, of one bank.
static void catch_up(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  for (int p = 0; p < 2; ++p) {
    const JwSide* const side = p ? leaf->hold : leaf->tie;
    if (side) {
      add_push(side, hub->ties[p].push[i], side->object->level[JW_NOW]);
      hub->ties[p].push[i] = 0.0;
    }
  }
}

// The same of all banks.
static void settle(JwHub* hub, size_t now) {
  for (uint32_t i = 0; i < hub->alike_count; ++i) {
    hub->lanes->settle(&hub->alike[i], now, hub->ties);
  }
  for (int p = 0; p < 2; ++p) {
    memset(hub->ties[p].push, 0, hub->count * sizeof(double));
  }
}

// ---------------------------------------------------------------- what is near

// How far a bank can come at a side, by the energies of its modes: of u on the ellipse
// kinetic (u - p)^2 + potential (u + p)^2 = H the largest is sqrt(H (1/kinetic + 1/potential))/2.
static double bound_of(const JwObject* object, const JwSide* side) {
  const double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV];
  double sum = 0.0;
  for (uint32_t m = 0; m < object->dofs; ++m) {
    const double kinetic = object->bank.kinetic[m], potential = object->bank.potential[m],
                 v = u[m] - prev[m], twice = u[m] + prev[m];
    sum +=
        0.5 * fabs(side->weights.weight[m])
        * sqrt((kinetic * v * v + potential * twice * twice) * (1.0 / kinetic + 1.0 / potential));
  }
  return sum;
}

// The gap that a point keeps, were its bank at zero, for as long as nothing disturbs the component;
// below 0: none that is sure.
static double sure_gap(const JwOther* other) {
  const JwPoint* const point = other->point;
  const JwPointState* const state = point->step.state;
  const JwSide* const side = &point->side[1 - other->side];
  const double sign = other->side == 0 ? -1.0 : 1.0;
  if (!point->ops->one_sided || !point->step.law->waits || point->closed || state->psi != 0.0
      || state->closure != 0 || state->shift != 0.0) {
    return -1.0;
  }
  if (!side->object) {
    return -point->offset;
  }
  // A free mass that goes away from it, or lies still: only contacts like this one push it
  const JwObject* const mass = side->object;
  const double* const u = mass->level[JW_NOW];
  const bool alone = mass->ops->lumped && mass->bank.b[0] == 0.0 && jw_object_weight(mass) == 0.0;
  if (!alone || !mass->carries_step || sign * u[side->at + 1] > 0.0) {
    return -1.0;
  }
  return -(sign * side->weight * u[side->at] + point->offset);
}

static bool pushed_one_way(const JwHub* hub, const JwObject* object, int side) {
  for (uint32_t i = 0; i < hub->other_count; ++i) {
    const JwOther* const other = &hub->others[i];
    if (object && jw_point_touches(other->point, object)
        && (other->side != side || !other->point->ops->one_sided)) {
      return false;
    }
  }
  return true;
}

// May the points of a bank be left alone for a while?
static bool may_sleep(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  double bound = 0.0, limit = HUGE_VAL;
  for (uint32_t o = leaf->first; o < leaf->last; ++o) {
    const JwOther* const other = &hub->others[o];
    const double gap = sure_gap(other);
    if (!(gap > 0.0)
        || !pushed_one_way(hub, other->point->side[1 - other->side].object, other->side)) {
      return false;
    }
    limit = fmin(limit, gap);
    bound = fmax(bound, bound_of(leaf->tie->object, &other->point->side[other->side]));
  }
  hub->by.bound[i] = bound;
  hub->by.limit[i] = limit;
  return bound < 0.5 * limit;
}

// Decide about a bank of which no push waits.
static void look(JwHub* hub, uint32_t i) {
  JwLeaf* const leaf = &hub->leaves[i];
  const bool was = leaf->awake;
  leaf->awake = leaf->first < leaf->last && !may_sleep(hub, i);
  hub->by.limit[i] = leaf->awake || leaf->first == leaf->last ? HUGE_VAL : hub->by.limit[i];
  hub->by.keep[i] = leaf->awake ? 0.0 : -1.0;
  for (uint32_t o = leaf->first; leaf->awake && !was && o < leaf->last; ++o) {
    jw_point_reread(hub->others[o].point);
  }
}

static void look_again(JwHub* hub, uint64_t frame) {
  const JwRoles roles = roles_in(frame);
  const bool all = frame % LOOK_FRAMES == 0;
  hub->busy = hub->near = false;
  for (uint32_t i = 0; i < hub->count; ++i) {
    JwLeaf* const leaf = &hub->leaves[i];
    if ((leaf->awake && all) || hub->by.bound[i] > hub->by.limit[i]) {
      set_levels(leaf->tie->object, roles);
      catch_up(hub, i);
      look(hub, i);
    }
    hub->busy = hub->busy || leaf->awake;
  }
}

// ---------------------------------------------------------------- a sample begins

// After the stage has been entered the sides have been read anew; after it has left, laws may be
// others.
static void refresh(JwComponent* component, JwHub* hub) {
  if (is_stale(hub)) {
    (void)factor(hub);
  }
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    hub->by.psi[i] = leaf->sign * leaf->pin->step.state->psi;
    if (hub->fresh) {
      look(hub, i);
    }
  }
  if (hub->fresh) {
    look_again(hub, component->state->frame);
  }
  hub->fresh = hub->left = false;
}

static void spread_out(const JwHub* hub, const double* by_place) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    hub->by.hub[i] = by_place[hub->place[i]];
  }
}

static void add_up(const JwHub* hub, const double* by_leaf, double* by_place) {
  for (uint32_t p = 0, i = 0; p < hub->places; ++p) {
    double sum = 0.0;
    for (; i < hub->first_leaf[p + 1]; ++i) {
      sum += by_leaf[i];
    }
    by_place[p] = sum;
  }
}

static void read_drags(JwHub* hub) {
  const JwDrags* const drags = &hub->drags;
  for (uint32_t i = 0; i < hub->count; ++i) {
    if (is_dragged(hub, i)) {
      drags->free[i] = hub->ties[1].moved[i];
      hub->by.given[i] = drags->to_pin[i] * drags->yield[i] * drags->free[i];
    }
  }
}

// r* of the pins, and z.
static void read_pins(JwHub* hub, const JwTiedLanes* lanes) {
  const JwObject* const object = hub->object;
  for (uint32_t m = 0; m < object->dofs; ++m) {
    hub->padded[m] = object->level[JW_NEXT][m] - object->level[JW_PREV][m];
  }
  lanes->rows(hub->places, hub->width, hub->rows, hub->padded, hub->moved);
  if (hub->drawn) {
    read_drags(hub);
  }
  spread_out(hub, hub->moved);
  lanes->read(hub->count, &hub->by, &hub->ties[0]);
  add_up(hub, hub->by.sum, hub->sums);
  lanes->rows(hub->places, hub->stride, hub->inner, hub->sums, hub->yields);
}

// ---------------------------------------------------------------- what opens and closes

static double pin_force(const JwHub* hub, uint32_t i) {
  const JwPins* const by = &hub->by;
  return by->part[i]
         * (by->a[i] * (by->free[i] - hub->yields[hub->place[i]]) + by->g[i] * by->psi[i]);
}

// (2.13)
JW_REALTIME void jw_hub_gather(JwComponent* component, const JwIsland* island, uint32_t n) {
  const JwHub* const hub = component->hub;
  const JwPins* const by = &hub->by;
  const JwSolve* const solve = &component->solve;
  for (uint32_t i = 0; i < n; ++i) {
    const JwPoint* const a = solve->points[i];
    const JwOther* const one = &hub->others[a->in_hub];
    const uint32_t s = one->leaf;
    const double gain = by->a[s] * by->part[s];
    solve->free[i] = a->step.r_free - one->to_drag * (hub->drags.yield[s] * hub->drags.free[s])
                     - one->cross * pin_force(hub, s);
    for (uint32_t j = 0; j <= i; ++j) {
      const JwPoint* const b = solve->points[j];
      const JwOther* const two = &hub->others[b->in_hub];
      const uint32_t t = two->leaf;
      double value = island->compliance
                         ? island->compliance[(size_t)a->place * island->count + b->place]
                         : jw_point_compliance(a, b);
      if (s == t) {
        value -= one->to_drag * hub->drags.yield[s] * two->to_drag + one->cross * gain * two->cross;
      }
      const double between = hub->inner[(size_t)hub->place[s] * hub->stride + hub->place[t]];
      value += one->cross * gain * between * (by->a[t] * by->part[t]) * two->cross;
      solve->matrix[(size_t)j * n + i] = solve->matrix[(size_t)i * n + j] = value;
    }
  }
}

static uint32_t read_others(JwComponent* component, JwHub* hub) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    for (uint32_t o = leaf->first; leaf->awake && o < leaf->last; ++o) {
      JwPoint* const point = hub->others[o].point;
      point->in_hub = o;
      if (jw_point_look(point)) {
        component->solve.points[n++] = point;
      }
    }
  }
  return n;
}

// What they push with moves the pins.
static void give_to_pins(const JwComponent* component, JwHub* hub, uint32_t n) {
  const JwPins* const by = &hub->by;
  for (uint32_t i = 0; i < n; ++i) {
    const JwPoint* const point = component->solve.points[i];
    const JwOther* const other = &hub->others[point->in_hub];
    const uint32_t s = other->leaf, p = hub->place[s];
    by->free[s] -= other->cross * point->step.f;
    hub->drags.given[s] += is_dragged(hub, s) ? other->to_drag * point->step.f : 0.0;
    const double change = -by->a[s] * by->part[s] * other->cross * point->step.f;
    hub->sums[p] += change;
    jw_axpy(hub->stride, hub->inner + (size_t)p * hub->stride, change, hub->yields);
  }
}

static void solve_others(JwComponent* component, JwHub* hub) {
  const uint32_t n = read_others(component, hub);
  if (n) {
    jw_island_solve(component, hub->island, n);
    give_to_pins(component, hub, n);
  }
}

// After the pins: push, and let the laws remember.
static void finish_others(const JwWorld* world, JwComponent* component, JwHub* hub) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    for (uint32_t o = leaf->first; leaf->awake && o < leaf->last; ++o) {
      JwPoint* const point = hub->others[o].point;
      if (point->closed) {
        jw_point_push(point, point->step.f);
      }
    }
  }
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    for (uint32_t o = leaf->first; leaf->awake && o < leaf->last; ++o) {
      JwPoint* const point = hub->others[o].point;
      if (point->closed) {
        point->ops->finish(&point->step);
      }
      jw_point_turn(point);
      jw_ledger_point(world, component, point);
    }
  }
}

// ---------------------------------------------------------------- pins

static void solve_drags(JwHub* hub, double* push) {
  const JwDrags* const drags = &hub->drags;
  const JwPins* const by = &hub->by;
  for (uint32_t i = 0; i < hub->count; ++i) {
    const double f =
        drags->yield[i] * ((drags->free[i] - drags->to_pin[i] * by->f[i]) - drags->given[i]);
    drags->f[i] = f;
    drags->given[i] = 0.0;
    drags->most[i] = fmax(drags->most[i], hub->leaves[i].drag_sign * f);
    drags->acted[i] += f != 0.0 ? 1.0 : 0.0;
    push[i] = by->scale[i] * f * by->keep[i];
    by->bound[i] += by->reach[i] * fabs(f);
  }
}

// Banks that are awake are pushed at once.
static void push_now(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  double* const next = leaf->tie->object->level[JW_NEXT];
  add_push(leaf->tie, -hub->by.scale[i] * hub->by.f[i], next);
  if (is_dragged(hub, i)) {
    add_push(leaf->hold, -hub->by.scale[i] * hub->drags.f[i], next);
  }
}

// Forces of the pins and drags, what they remember, and what the hub gets.
static void solve_pins(JwHub* hub, const JwTiedLanes* lanes) {
  spread_out(hub, hub->yields);
  hub->near = lanes->solve(hub->count, &hub->by, hub->ties[0].push);
  if (hub->drawn) {
    solve_drags(hub, hub->ties[1].push);
  }
  add_up(hub, hub->by.f, hub->forces);
  for (uint32_t i = 0; hub->busy && i < hub->count; ++i) {
    if (hub->leaves[i].awake) {
      push_now(hub, i);
    }
  }
  memset(hub->padded, 0, hub->width * sizeof(double));
  lanes->columns(hub->places, hub->width, hub->spreads, hub->forces, hub->padded);
  for (uint32_t m = 0; m < hub->object->dofs; ++m) {
    hub->object->level[JW_NEXT][m] += hub->padded[m];
  }
}

// For pickups that listen to forces.
static void tell(const JwHub* hub) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    if (leaf->listened) {
      leaf->pin->step.f = leaf->sign * hub->by.f[i];
    }
    if (leaf->listened && leaf->drag) {
      leaf->drag->step.f = leaf->drag_sign * (is_dragged(hub, i) ? hub->drags.f[i] : 0.0);
    }
  }
}

// ---------------------------------------------------------------- the ledger

// What the modes lost in the sample before, which their pass has summed.
static void book_modes(JwComponent* component, const JwHub* hub) {
  double lost = 0.0;
  for (uint32_t i = 0; i < hub->count; ++i) {
    lost += hub->lost[i];
  }
  jw_sum_add(&component->state->lost, lost);
}

// The same where no pass follows.
static void book_last(JwComponent* component, JwHub* hub) {
  for (uint32_t i = 0; hub->owes && i < hub->count; ++i) {
    const JwObject* const object = hub->leaves[i].tie->object;
    jw_sum_add(&component->state->lost,
               object->ops->dissipate(object, object->level[JW_NOW], object->level[JW_PREV],
                                      object->level[JW_NEXT]));
  }
  hub->owes = false;
}

// Of pins and drags: rate r^2/2 of each.
static void book_ties(JwComponent* component, const JwHub* hub) {
  const JwPins* const by = &hub->by;
  const JwDrags* const drags = &hub->drags;
  double lost = 0.0;
  for (uint32_t i = 0; i < hub->count; ++i) {
    lost += by->rate[i] * (by->r[i] * by->r[i]);
    if (is_dragged(hub, i)) {
      lost += drags->f[i] * drags->f[i] / drags->rate[i];
    }
  }
  jw_sum_add(&component->state->lost, 0.5 * lost);
}

// ---------------------------------------------------------------- the stage

// A pin or drag is closed while it has a force.
static void note_tie(JwPoint* point, double force, double most, double* acted) {
  JwPointState *const state = point->step.state, *const figures = point->step.figures;
  const uint64_t samples = (uint64_t)*acted;
  *acted = 0.0;
  state->force = force;
  figures->push = fmax(figures->push, most);
  figures->closures += state->closure == 0 && samples > 0;
  figures->closed_samples += samples;
  state->closure = samples ? state->closure + samples : 0;
  figures->longest_closure =
      state->closure > figures->longest_closure ? state->closure : figures->longest_closure;
  point->closed = false; // Its eta is read where it is asked for
}

static JW_REALTIME void leave(JwWorld* world, JwComponent* component) {
  (void)world;
  JwHub* const hub = component->hub;
  if (hub->left || hub->fresh) {
    return;
  }
  const JwRoles roles = roles_in(component->state->frame);
  settle(hub, roles.now);
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    set_levels(leaf->tie->object, roles);
    leaf->pin->step.state->psi = leaf->sign * hub->by.psi[i];
    note_tie(leaf->pin, leaf->sign * hub->by.f[i], hub->by.most[i], &hub->by.acted[i]);
    if (leaf->drag) {
      const double f = is_dragged(hub, i) ? leaf->drag_sign * hub->drags.f[i] : 0.0;
      note_tie(leaf->drag, f, hub->drags.most[i], &hub->drags.acted[i]);
    }
  }
  book_last(component, hub);
  hub->left = true;
}

static void find_listened(const JwWorld* world, JwHub* hub) {
  hub->listened = false;
  for (uint32_t i = 0; i < hub->count; ++i) {
    JwLeaf* const leaf = &hub->leaves[i];
    leaf->listened = jw_contact_at(world, leaf->pin->contact)->listened
                     || (leaf->drag && jw_contact_at(world, leaf->drag->contact)->listened);
    hub->listened = hub->listened || leaf->listened;
  }
}

static JwIsland* find_island(const JwComponent* component) {
  for (uint32_t i = 0; i < component->island_count; ++i) {
    JwIsland* const island = &component->islands[i];
    for (uint32_t p = 0; p < island->count && island->count >= LEAST_PINS; ++p) {
      if (pinned_side(component->hub, island->points[p]) >= 0) {
        return island;
      }
    }
  }
  return NULL;
}

static void mark_objects(const JwComponent* component, bool tied) {
  const JwHub* const hub = component->hub;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    component->objects[i]->tied = false;
  }
  for (uint32_t i = 0; tied && i < hub->count; ++i) {
    hub->leaves[i].tie->object->tied = true;
  }
}

static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  JwHub* const hub = component->hub;
  if (!hub) {
    return false;
  }
  if (hub->island) {
    leave(world, component);
  }
  if (!hub->island || !hub->island->hub) { // Islands have been found anew
    JwIsland* const island = find_island(component);
    hub->island = NULL;
    bool taken = island && !island->along && collect(world, component, hub, island);
    if (taken) {
      pack(hub);
      find_listened(world, hub);
      taken = factor(hub);
    }
    mark_objects(component, taken);
    if (!taken) {
      return false;
    }
    island->hub = true;
    hub->island = island;
  }
  hub->fresh = true;
  hub->left = false;
  return true;
}

static JW_REALTIME JW_HOT void step(JwWorld* world, JwComponent* component) {
  JwHub* const hub = component->hub;
  const JwTiedLanes* const lanes = hub->lanes;
  const uint64_t frame = component->state->frame;
  const JwRoles roles = roles_in(frame);
  if (JW_RARELY(hub->fresh || hub->left)) {
    refresh(component, hub);
  }
  if (JW_RARELY(hub->near || (hub->busy && frame % LOOK_FRAMES == 0))) {
    look_again(hub, frame);
  }
  for (uint32_t i = 0; hub->busy && i < hub->count; ++i) {
    if (hub->leaves[i].awake) {
      set_levels(hub->leaves[i].tie->object, roles);
    }
  }
  lanes->advance(hub->alike, hub->alike_count, roles, hub->ties, hub->owes ? hub->lost : NULL);
  if (hub->owes) {
    book_modes(component, hub);
  }
  hub->owes = world->def.ledger;
  read_pins(hub, lanes);
  if (hub->busy) {
    solve_others(component, hub);
  }
  solve_pins(hub, lanes);
  if (hub->busy) {
    finish_others(world, component, hub);
  }
  if (world->def.ledger) {
    book_ties(component, hub);
  }
  if (JW_RARELY(hub->listened)) {
    tell(hub);
  }
}

const JwStage jw_hub_stage = {"hub", enter, step, leave};
