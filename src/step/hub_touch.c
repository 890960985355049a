// SPDX-License-Identifier: MIT
// What opens and closes on banks that are tied (hub.c): solved anew in every sample by island.c,
// with
// drags and pins in place (2.13).

#include "step/hub.h"

#include "ledger/ledger.h"
#include "step/step.h"

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
    hub->drags.given[s] += jw_hub_is_dragged(hub, s) ? other->to_drag * point->step.f : 0.0;
    const double change = -by->a[s] * by->part[s] * other->cross * point->step.f;
    hub->sums[p] += change;
    jw_axpy(hub->stride, hub->inner + (size_t)p * hub->stride, change, hub->yields);
  }
}

void jw_hub_solve_others(JwComponent* component, JwHub* hub) {
  const uint32_t n = read_others(component, hub);
  if (n) {
    jw_island_solve(component, hub->island, n);
    give_to_pins(component, hub, n);
  }
}

// After the pins: push, and let the laws remember.
void jw_hub_finish_others(const JwWorld* world, JwComponent* component, JwHub* hub) {
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
