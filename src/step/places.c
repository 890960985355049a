// SPDX-License-Identifier: MIT
// Contacts at a place: the one step of a contact, island by island.
//
//   read      gap and motion of the free step
//   active    may it push?
//   choose, solve   island.c
//   push      both sides
//   finish    the law remembers its psi
//   turn      read what the next step starts from, note figures
//
// Points along a string take the same step in lanes where they can (kernel/touch_body.h).

#include "ledger/ledger.h"
#include "step/step.h"

// Most contacts at a place are open most of the time: where the law's rule asks for eta and psi
// alone, nothing is done but to read the gap for the next step.
static inline bool stays_open(const JwPoint* point) {
  const JwPointState* const state = point->step.state;
  return point->step.law->waits && !point->closed && state->psi == 0.0 && state->closure == 0
         && !(point->step.eta_next > JW_TINY);
}

static inline void read_point(JwPoint* point) {
  if (JW_RARELY(point->dense)) {
    point->dense->read(point);
    return;
  }
  JwStep* const step = &point->step;
  const double shift = step->state->shift;
  step->shift = shift;
  step->state->shift = 0.0;
  step->eta_prev = step->eta - shift;
  step->eta = step->eta_next;
  step->r_free = jw_point_motion(point) + shift;
}

static inline double turn_gap(JwPoint* point) {
  const double a = jw_side_turn(&point->side[0]), b = jw_side_turn(&point->side[1]);
  return (a - b) + point->offset;
}

static inline void pass_over(JwPoint* point) {
  point->step.state->shift = 0.0;
  point->step.eta = point->step.eta_next;
  point->step.eta_next = turn_gap(point);
}

// After all of its island have pushed.
static inline void turn_point(JwPoint* point) {
  if (JW_OFTEN(!point->dense)) {
    point->step.eta_next = turn_gap(point);
  }
  jw_figures_step(point);
}

JW_REALTIME bool jw_point_look(JwPoint* point) {
  point->passed = stays_open(point);
  if (point->passed) {
    return false;
  }
  read_point(point);
  point->closed = point->ops->active(&point->step);
  if (!point->closed) {
    point->step.r = point->step.r_free;
    point->step.f = point->step.g = 0.0;
  }
  return point->closed;
}

JW_REALTIME void jw_point_turn(JwPoint* point) {
  if (point->passed) {
    pass_over(point);
  } else {
    turn_point(point);
  }
}

// In an iterated island one that pushes may close any other: all take part, or none.
static void close_all(const JwIsland* island) {
  bool any = false;
  for (uint32_t i = 0; i < island->count; ++i) {
    any = any || island->points[i]->closed;
  }
  for (uint32_t i = 0; i < island->count; ++i) {
    island->points[i]->closed = any;
  }
}

// Read the points of an island; returns how many are not passed over.
static inline uint32_t read_island(const JwIsland* island) {
  uint32_t busy = 0;
  for (uint32_t i = 0; i < island->count; ++i) {
    JwPoint* const point = island->points[i];
    point->passed = !island->iterates && stays_open(point);
    if (!point->passed) {
      read_point(point);
      point->closed = point->ops->active(&point->step);
      ++busy;
    }
  }
  if (JW_RARELY(island->iterates)) {
    close_all(island);
  }
  return busy;
}

// Gather those that may push; returns how many.
static inline uint32_t gather(JwComponent* component, const JwIsland* island) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < island->count; ++i) {
    JwPoint* const point = island->points[i];
    if (point->closed) {
      component->solve.points[n++] = point;
    } else {
      point->step.r = point->step.r_free;
      point->step.f = point->step.g = 0.0;
    }
  }
  return n;
}

static inline void solve_once(const JwIsland* island, JwPoint* point) {
  JwStep* const step = &point->step;
  step->alone = true;
  if (JW_RARELY(island->iterates)) {
    jw_point_iterate(point);
    return;
  }
  if (point->ops->alone && point->ops->alone(step)) {
    return;
  }
  point->ops->choose(step, step->r_free, step->q);
  jw_step_solve(step);
  if (point->ops->refine(step)) {
    jw_step_solve(step);
  }
}

static inline void solve_alone(const JwComponent* component, const JwIsland* island,
                               JwPoint* point) {
  solve_once(island, point);
  if (JW_RARELY(point->step.shift != 0.0) && !island->iterates
      && jw_hands_give_way(&component->solve, 1)) {
    solve_once(island, point);
  }
}

JW_REALTIME JW_HOT void jw_island_step(JwComponent* component, const JwIsland* island) {
  if (!read_island(island)) {
    for (uint32_t i = 0; i < island->count; ++i) {
      pass_over(island->points[i]);
    }
    return;
  }
  JwPoint** const solved = component->solve.points;
  const uint32_t n = gather(component, island);
  if (n) {
    if (JW_OFTEN(n == 1)) {
      solve_alone(component, island, solved[0]);
      jw_point_push(solved[0], solved[0]->step.f);
    } else {
      jw_island_solve(component, island, n);
      jw_island_push(island->points, island->count);
    }
    if (JW_RARELY(n > 1 || component->press_count)) {
      jw_island_settle(component, island, n);
    }
    for (uint32_t i = 0; i < n; ++i) {
      solved[i]->ops->finish(&solved[i]->step);
    }
  }
  for (uint32_t i = 0; i < island->count; ++i) {
    jw_point_turn(island->points[i]);
  }
}

// ---------------------------------------------------------------- the stage

static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  (void)world;
  component->plain_count = 0;
  for (uint32_t i = 0; i < component->island_count; ++i) {
    if (!component->islands[i].along && !component->islands[i].hub) {
      component->plain[component->plain_count++] = i;
    }
  }
  return component->plain_count > 0;
}

static JW_REALTIME void step(JwWorld* world, JwComponent* component) {
  (void)world;
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    jw_island_step(component, &component->islands[component->plain[i]]);
  }
}

const JwStage jw_places_stage = {"places", enter, step, NULL};
