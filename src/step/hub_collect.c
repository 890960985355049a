// SPDX-License-Identifier: MIT
// Who is tied (hub.c): pins, drags and whatever else touches the banks of an island, sorted by bank
// and
// by place on the hub.  An island that holds anything else is solved as any other.

#include "step/hub.h"

#include "step/step.h"

#include <math.h>
#include <string.h>

static bool is_linear(const JwPoint* point) {
  double g, rate;
  return point->ops->linear && !point->dense && point->ops->linear(point->step.law, &g, &rate);
}

// The bank's side of a pin, or -1.
static int pinned_side(const JwHub* hub, const JwPoint* point) {
  const JwObject *const a = point->side[0].object, *const b = point->side[1].object;
  if (!is_linear(point) || !jw_hub_may_tie(a) || !jw_hub_may_tie(b)
      || (a == hub->object) == (b == hub->object)) {
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

static uint32_t place_of(JwHub* hub, const JwSide* seat) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    if (jw_hub_same_place(hub->leaves[i].seat, seat)) {
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
  const double scale = scale_of(object);
  if (hub->count == hub->most || leaf_of(hub, object) != JW_NONE || !(scale > 0.0)) {
    return false; // A bank with two pins, or one that the kernel does not know
  }
  JwLeaf leaf = {.pin = point, .tie = &point->side[side], .seat = &point->side[1 - side]};
  leaf.sign = side == 0 ? 1.0 : -1.0;
  leaf.scale = scale;
  leaf.place = place_of(hub, leaf.seat);
  hub->leaves[hub->count++] = leaf;
  return true;
}

static bool is_driven(const JwWorld* world, const JwComponent* component, const JwObject* object) {
  bool driven = false;
  for (uint32_t i = 0; object && i < component->force_count; ++i) {
    driven = driven || jw_force_at(world, component->forces[i])->side.object == object;
  }
  return driven;
}

// Anything else may touch one bank, and on its other side something that has one number or none.
static bool add_other(const JwWorld* world, const JwComponent* component, JwHub* hub,
                      JwPoint* point) {
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
  const bool driven = is_driven(world, component, point->side[1 - side].object);
  hub->others[hub->other_count++] =
      (JwOther){.point = point, .leaf = leaf[side], .side = side, .driven = driven};
  return true;
}

static bool is_heard(const JwWorld* world, const JwComponent* component, const JwHub* hub) {
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

bool jw_hub_collect(const JwWorld* world, JwComponent* component, JwHub* hub, JwIsland* island) {
  hub->count = hub->places = hub->other_count = 0;
  for (uint32_t i = 0; i < island->count; ++i) {
    if (pinned_side(hub, island->points[i]) >= 0 && !add_pin(hub, island->points[i])) {
      return false;
    }
  }
  if (hub->count < JW_LEAST_PINS || is_heard(world, component, hub)) {
    return false;
  }
  sort_leaves(hub);
  for (uint32_t i = 0; i < island->count; ++i) {
    if (pinned_side(hub, island->points[i]) < 0
        && !add_other(world, component, hub, island->points[i])) {
      return false;
    }
  }
  sort_others(hub);
  return true;
}

JwIsland* jw_hub_find_island(const JwComponent* component) {
  for (uint32_t i = 0; i < component->island_count; ++i) {
    JwIsland* const island = &component->islands[i];
    for (uint32_t p = 0; p < island->count && island->count >= JW_LEAST_PINS; ++p) {
      if (pinned_side(component->hub, island->points[p]) >= 0) {
        return island;
      }
    }
  }
  return NULL;
}
