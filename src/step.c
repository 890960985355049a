// SPDX-License-Identifier: MIT
// One component, one sample.
//
//   1  controls move
//   2  objects advance as if nothing touched
//   3  forces push
//   4  contact points read their gaps; those that may push are gathered by island
//   5  islands are solved, contacts push, laws remember
//   6  the ledger is kept, if it is on
//   7  every JW_REST_FRAMES: is anything at rest? (rest.c)

#include "figures.h"
#include "world.h"

#include <math.h>
#include <string.h>

/// Which of the three buffers hold u and its neighbours in time, by frame.
typedef struct {
  size_t now, next, prev;
} Turn;

static const Turn turns[3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};

static void advance_objects(const JwWorld* world, const JwComponent* component, Turn t) {
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = jw_object_at(world, component->objects[i]);
    object->now = object->buffer[t.now];
    object->next = object->buffer[t.next];
    object->prev = object->buffer[t.prev];
    object->ops->advance(object, object->next, object->now, object->prev);
  }
}

// ---------------------------------------------------------------- contacts

// Ports are read by turns: u now and before stay from the step before, but for the first step and
// after anything else has moved.  Where both ends of a point are single, all of it is a few numbers
// and no choice.

static inline double single_gap(const JwPoint* point, size_t buffer) {
  const JwSide *const a = &point->side[0], *const b = &point->side[1];
  return (a->weight * *a->at[buffer] - b->weight * *b->at[buffer]) + point->rest;
}

static inline double single_move(const JwSide* side, Turn t) {
  return side->carries ? side->at[t.next][1] + side->at[t.now][1]
                       : side->weight * (*side->at[t.next] - *side->at[t.prev]);
}

// Of a side that is not single, what it read before is kept in past.
static inline double read_side(JwPoint* point, int s, size_t buffer) {
  const JwSide* const side = &point->side[s];
  if (side->single) {
    return side->weight * *side->at[buffer];
  }
  const double u = jw_side_read(side, side->object->buffer[buffer]);
  point->past[s] = point->u[s];
  point->u[s] = u;
  return u;
}

static JW_APART double read_both(JwPoint* point, size_t buffer) {
  const double a = read_side(point, 0, buffer), b = read_side(point, 1, buffer);
  return (a - b) + point->rest;
}

static inline double gap_at(JwPoint* point, size_t buffer) {
  return JW_OFTEN(point->single) ? single_gap(point, buffer) : read_both(point, buffer);
}

// How far a side moves over the step, as jw_side_move() has it; on modes one reading is enough.
static inline double side_move(const JwPoint* point, int s, Turn t) {
  const JwSide* const side = &point->side[s];
  const JwObject* const object = side->object;
  if (side->single) {
    return single_move(side, t);
  }
  return object->dense && !side->carries
             ? jw_side_read(side, object->buffer[t.next]) - point->past[s]
             : jw_side_move(side, object->buffer[t.next], object->buffer[t.now],
                            object->buffer[t.prev]);
}

static double move_both(const JwPoint* point, Turn t) {
  return side_move(point, 0, t) - side_move(point, 1, t);
}

// What every reading begins with.
static inline double take_shift(JwPoint* point, bool known, Turn t) {
  JwStep* const step = &point->step;
  if (JW_RARELY(!known)) {
    step->eta = gap_at(point, t.prev);
    step->eta_next = gap_at(point, t.now);
  }
  const double shift = step->state->shift;
  step->shift = shift;
  step->state->shift = 0.0;
  step->eta_prev = step->eta - shift;
  step->eta = step->eta_next;
  return shift;
}

// Several weights a side, or a group.
static JW_APART void read_wide(JwPoint* point, bool known, Turn t) {
  if (point->group) {
    jw_group_read(point);
    return;
  }
  const double shift = take_shift(point, known && point->known, t);
  point->step.r_free = move_both(point, t) + shift;
}

static inline void read_point(JwPoint* point, bool known, Turn t) {
  if (JW_RARELY(!point->single)) {
    read_wide(point, known, t);
    return;
  }
  const double shift = take_shift(point, known && point->known, t);
  point->step.r_free = single_move(&point->side[0], t) - single_move(&point->side[1], t) + shift;
}

static inline void push_single(const JwSide* side, double force, size_t buffer) {
  if (side->object) {
    *side->at[buffer] += side->push * force;
    if (side->carries) {
      side->at[buffer][1] += side->push * force;
    }
  }
}

static JW_APART void push_many(const JwPoint* point) {
  jw_point_push(point, point->step.f);
}

static inline void push_point(const JwPoint* point, size_t buffer) {
  const double force = point->step.f;
  if (JW_OFTEN(point->single)) {
    push_single(&point->side[0], -force, buffer);
    push_single(&point->side[1], force, buffer);
  } else {
    push_many(point);
  }
}

// Most contacts at a place are open most of the time: then one reading tells, and nothing else is
// done.
static inline bool stays_open(JwPoint* point, bool known, Turn t) {
  const JwPointState* const state = point->step.state;
  if (!point->quick || point->closed || state->psi != 0.0 || state->closure != 0) {
    return false;
  }
  if (JW_RARELY((known && point->known ? point->step.eta_next : gap_at(point, t.now)) > JW_TINY)) {
    return false;
  }
  point->known = false;
  point->step.state->shift = 0.0;
  return true;
}

// A point that was read: what it does before the solve, if it may push, and instead of it, if not.
static inline void begin_point(JwPoint* point) {
  JwStep* const step = &point->step;
  if (!point->closed) {
    step->r = step->r_free;
    step->f = step->g = 0.0;
  } else if (point->ops->kind == JW_KIND_COLLISION) {
    jw_root_keep(step, step->eta);
  }
}

// After all of its island have pushed: what is read now is what the next step starts from.
static inline void end_point(JwPoint* point, Turn t) {
  if (JW_OFTEN(!point->group)) {
    point->step.eta_next = gap_at(point, t.next);
    point->known = true;
  }
  if (point->ops->kind == JW_KIND_COLLISION) {
    jw_figures_step(point, point->closed);
  } else {
    note_other(&point->step, point->closed);
  }
}

// The only point of its island that is not passed over.
static inline void solve_lone(const JwIsland* island, JwPoint* point) {
  point->closed = point->ops->lone && point->ops->lone(&point->step);
  if (point->closed) {
    return;
  }
  point->closed = point->ops->active(&point->step);
  begin_point(point);
  if (JW_OFTEN(point->closed)) {
    jw_island_solve_one(island, point);
    point->ops->finish(&point->step);
  }
}

// Gather the points that may push and solve for their forces.  In an iterated island one that
// pushes may close any other: all take part, or none.
static JW_APART void solve_several(JwComponent* component, JwIsland* island) {
  bool any = false;
  for (uint32_t i = 0; i < island->count; ++i) {
    JwPoint* const point = island->points[i];
    point->closed = !point->idle && point->ops->active(&point->step);
    any = any || point->closed;
  }
  island->active = 0;
  component->active = component->actives + island->first;
  for (uint32_t i = 0; i < island->count; ++i) {
    JwPoint* const point = island->points[i];
    point->closed = point->closed || (any && island->iterates);
    if (!point->idle) {
      begin_point(point);
    }
    if (point->closed) {
      component->active[island->active++] = i;
    }
  }
  if (island->active) {
    jw_island_solve(component, island, island->active);
  }
}

static JW_APART void push_several(JwComponent* component, JwIsland* island, Turn t) {
  component->active = component->actives + island->first;
  jw_island_push(island->points, island->count);
  jw_island_settle(component, island, island->active);
  for (uint32_t i = 0; i < island->active; ++i) {
    JwPoint* const point = island->points[component->active[i]];
    point->ops->finish(&point->step);
  }
  for (uint32_t i = 0; i < island->count; ++i) {
    if (!island->points[i]->idle) {
      end_point(island->points[i], t);
    }
  }
}

/// An island of which not all points are passed over in this step.
typedef struct {
  JwIsland* island;
  JwPoint* lone; // The only point that is not; NULL: there are several
} Busy;

// Read the gaps of an island.  Returns whether anything is left to do.
static inline bool read_island(JwComponent* component, Busy* busy, Turn t) {
  JwIsland* const island = busy->island;
  const bool known = component->known, passes = !island->iterates;
  uint32_t left = 0;
  for (uint32_t i = 0; i < island->count; ++i) {
    JwPoint* const point = island->points[i];
    point->idle = passes && stays_open(point, known, t);
    if (!point->idle) {
      read_point(point, known, t);
      busy->lone = left++ ? NULL : point;
    }
  }
  return left > 0;
}

// Islands move no point in common, so that their order changes no bit.  A contact's step is a chain
// of divisions and powers, each of which waits for the one before: a few islands at a time, stage
// by stage, have the core work at several chains at once.
#define TOGETHER 8

static inline void finish_islands(JwComponent* component, const Busy* busy, uint32_t count,
                                  Turn t) {
  for (uint32_t i = 0; i < count; ++i) {
    JwPoint* const lone = busy[i].lone;
    if (JW_OFTEN(lone)) {
      solve_lone(busy[i].island, lone);
    } else {
      solve_several(component, busy[i].island);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    JwPoint* const lone = busy[i].lone;
    if (JW_RARELY(!lone)) {
      push_several(component, busy[i].island, t);
      continue;
    }
    if (JW_OFTEN(lone->closed)) {
      push_point(lone, t.next);
    }
    end_point(lone, t);
  }
}

static void solve_islands(JwComponent* component, Turn t) {
  Busy busy[TOGETHER];
  uint32_t count = 0;
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    busy[count].island = &component->islands[component->plain[i]];
    count += read_island(component, &busy[count], t);
    if (JW_RARELY(count == TOGETHER)) {
      finish_islands(component, busy, count, t);
      count = 0;
    }
  }
  if (count) {
    finish_islands(component, busy, count, t);
  }
}

// Where an exciter presses or a hand moves something, one point is settled and given way to as
// several are, and none is passed over.
static void solve_whole(JwComponent* component, JwIsland* island, Turn t) {
  for (uint32_t i = 0; i < island->count; ++i) {
    island->points[i]->idle = false;
    read_point(island->points[i], component->known, t);
  }
  solve_several(component, island);
  push_several(component, island, t);
}

static JW_APART void solve_handled(JwComponent* component, Turn t) {
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    solve_whole(component, &component->islands[component->plain[i]], t);
  }
}

// Does a hand move any port or gap?  Most controls that move are something else.
static JW_APART bool is_shifted(const JwComponent* component) {
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    const JwIsland* const island = &component->islands[component->plain[i]];
    for (uint32_t j = 0; j < island->count; ++j) {
      if (island->points[j]->step.state->shift != 0.0) {
        return true;
      }
    }
  }
  return false;
}

static inline void solve_all(JwComponent* component, Turn t) {
  if (JW_RARELY(component->press_count || (component->moving_count && is_shifted(component)))) {
    solve_handled(component, t);
    return;
  }
  solve_islands(component, t);
}

JW_REALTIME JW_HOT void jw_component_step(JwWorld* world, JwComponent* component) {
  JwComponentState* const state = component->state;
  const uint64_t frame = state->frame;
  if (JW_RARELY(component->moving_count || frame == state->next_throw)) {
    jw_watch_pause(world, component);
    jw_controls_step(world, component, frame);
    component->known = component->heard = false;
  }
  if (JW_RARELY(!state->awake) && !jw_component_pushed(world, component)) {
    ++state->frame;
    component->known = component->heard = false;
    return;
  }
  state->awake = true;
  if (JW_RARELY(component->reread)) {
    jw_graph_build(world, component);
    component->reread = false;
  }
  const Turn turn = turns[frame % 3];
  advance_objects(world, component, turn);
  component->press_count = 0;
  if (JW_RARELY(component->forced)) {
    jw_component_push(world, component, frame);
  }
  if (JW_RARELY(component->stale)) {
    jw_watch_build(world, component);
  }
  solve_all(component, turn);
  if (component->watched_count) {
    jw_watch_step(world, component);
  }
  component->known = true;
  if (JW_RARELY(world->def.ledger)) {
    jw_ledger_step(world, component, frame);
  }
  ++state->frame;
  if (JW_RARELY(state->frame % JW_REST_FRAMES == 0)) {
    jw_watch_pause(world, component);
    jw_component_rest(world, component);
    component->known = component->heard = false;
  }
}
