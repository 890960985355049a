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

// ---------------------------------------------------------------- forces

static double raised_cosine(double phase) { return 0.5 * (1.0 - jw_cos(2.0 * JW_PI * phase)); }

// Force of an exciter at a frame.
static double force_at(const JwForce* force, const JwForceState* state, uint64_t frame)
{
  if (frame < state->start) {
    return 0.0;
  }
  const double age = (double)(frame - state->start), frames = force->frames;
  if (age >= frames) {
    return 0.0;
  }
  switch (force->def.shape) {
  case JW_FORCE_PULSE: return state->amplitude * raised_cosine(age / frames);
  case JW_FORCE_PLUCK: return state->amplitude * raised_cosine(0.5 * age / frames);
  case JW_FORCE_STEADY: return state->amplitude;
  case JW_FORCE_SIGNAL:
    return state->amplitude * (double)force->signal[(size_t)age];
  }
  return 0.0;
}

double jw_force_at_frame(const JwWorld* world, uint32_t index, uint64_t frame)
{
  return force_at(jw_force_at(world, index), &world->force_states[index], frame);
}

static void push_forces(const JwWorld* world, const JwComponent* component, uint64_t frame)
{
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const JwForce* const force = jw_force_at(world, component->forces[i]);
    JwForceState* const state = &world->force_states[component->forces[i]];
    state->force = force_at(force, state, frame);
    if (state->force != 0.0) {
      jw_side_push(&force->side, state->force, force->side.object->next);
    }
  }
}

double jw_object_weight(const JwObject* object)
{
  return object->ops->kind == JW_KIND_MASS ? -object->def.mass.mass * object->def.mass.gravity : 0.0;
}

static void advance_objects(const JwWorld* world, const JwComponent* component, uint64_t frame)
{
  const unsigned at = (unsigned)(frame % 3);
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = jw_object_at(world, component->objects[i]);
    object->now = object->buffer[at];
    object->next = object->buffer[at == 2 ? 0 : at + 1];
    object->prev = object->buffer[at == 0 ? 2 : at - 1];
    object->ops->advance(object, object->next, object->now, object->prev);
    if (object->ops->kind == JW_KIND_MASS) {
      object->next[0] += object->y[0] * jw_object_weight(object);
    }
  }
}

// ---------------------------------------------------------------- contacts

// Of the numbers that a port reads, all but the free next one were read in the step before.
static void read_past(JwPoint* point)
{
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &point->side[s];
    if (side->object) {
      point->u[s] = jw_side_read(side, side->object->now);
      point->past[s] = jw_side_read(side, side->object->prev);
    }
  }
}

// A side without an object stays at zero.
static inline double gap_of(const JwPoint* point, const double u[2]) { return (u[0] - u[1]) + point->rest; }

// How far a side moves over the step, as jw_side_move() has it.
static inline double free_move(const JwPoint* point, int s)
{
  const JwSide* const side = &point->side[s];
  if (!side->object) {
    return 0.0;
  }
  return side->object->dense ? jw_side_read(side, side->object->next) - point->past[s]
                             : jw_side_move(side, side->object->next, side->object->prev);
}

static inline void read_point(JwPoint* point, bool known)
{
  if (!known || !point->known) {
    read_past(point);
  }
  JwStep* const step = &point->step;
  step->shift = step->state->shift;
  step->state->shift = 0.0;
  step->eta = gap_of(point, point->u);
  step->eta_prev = gap_of(point, point->past) - step->shift;
  step->r_free = free_move(point, 0) - free_move(point, 1) + step->shift;
}

// After all of an island have pushed: what its ports read now is what the next step starts from.
static inline void turn_point(JwPoint* point)
{
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &point->side[s];
    if (side->object) {
      point->past[s] = point->u[s];
      point->u[s] = jw_side_read(side, side->object->next);
    }
  }
  point->step.eta_next = gap_of(point, point->u);
  point->known = true;
}

// Most contacts at a place are open most of the time: then one reading tells, and nothing else is done.
static bool stays_open(JwPoint* point, bool known)
{
  const JwPointState* const state = point->step.state;
  if (!point->quick || point->group || point->closed || state->psi != 0.0 || state->closure != 0) {
    return false;
  }
  if (!known || !point->known) {
    for (int s = 0; s < 2; ++s) {
      const JwSide* const side = &point->side[s];
      point->u[s] = side->object ? jw_side_read(side, side->object->now) : 0.0;
    }
  }
  if (gap_of(point, point->u) > JW_TINY) {
    return false;
  }
  point->known = false;
  point->step.state->shift = 0.0;
  return true;
}

static bool read_gap(JwPoint* point, const JwComponent* component, uint64_t frame)
{
  if (point->group) {
    jw_group_read(point, frame);
  } else {
    read_point(point, component->known);
  }
  return point->ops->active(&point->step);
}

// A point that was read: what it does before the solve, if it may push, and instead of it, if not.
static inline void begin_point(JwPoint* point)
{
  JwStep* const step = &point->step;
  if (!point->closed) {
    step->r = step->r_free;
    step->f = step->g = 0.0;
  } else if (point->ops->kind == JW_KIND_COLLISION) {
    jw_root_keep(step, step->eta);
  }
}

static inline void end_point(JwPoint* point)
{
  if (!point->group) {
    turn_point(point);
  }
  if (point->ops->kind == JW_KIND_COLLISION) {
    jw_figures_step(point, point->closed);
  } else {
    note_other(&point->step, point->closed);
  }
}

/// An island of which not all points are passed over in this step.
typedef struct {
  JwIsland* island;
  JwPoint* lone; // The only point that is not; NULL: there are several
} Busy;

// Gather the points that may push.  In an iterated island one that pushes may close any other: all take
// part, or none.
static void gather_active(JwComponent* component, JwIsland* island, bool any)
{
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
}

// Read the gaps of an island.  Returns whether anything is left to do.
static bool read_island(JwComponent* component, Busy* busy, uint64_t frame)
{
  JwIsland* const island = busy->island;
  const bool passes = island->count == 1 || !island->iterates;
  bool any = false;
  uint32_t left = 0;
  for (uint32_t i = 0; i < island->count; ++i) {
    JwPoint* const point = island->points[i];
    point->idle = passes && stays_open(point, component->known);
    if (!point->idle) {
      point->closed = read_gap(point, component, frame);
      any = any || point->closed;
      busy->lone = point;
      ++left;
    }
  }
  if (left == 1) {
    begin_point(busy->lone);
  } else if (left > 1) {
    busy->lone = NULL;
    gather_active(component, island, any);
  }
  return left > 0;
}

static void solve_island(JwComponent* component, const Busy* busy)
{
  if (busy->lone) {
    if (busy->lone->closed) {
      jw_island_solve_one(busy->lone);
    }
  } else if (busy->island->active) {
    component->active = component->actives + busy->island->first;
    jw_island_solve(component, busy->island, busy->island->active);
  }
}

static inline void push_point(const JwPoint* point)
{
  if (point->closed) {
    jw_point_push(point, point->step.f);
  }
}

static void push_island(JwComponent* component, const Busy* busy)
{
  if (busy->lone) {
    push_point(busy->lone);
    if (busy->lone->closed) {
      busy->lone->ops->finish(&busy->lone->step);
    }
    return;
  }
  JwIsland* const island = busy->island;
  component->active = component->actives + island->first;
  for (uint32_t i = 0; i < island->count; ++i) {
    push_point(island->points[i]);
  }
  jw_island_settle(component, island, island->active);
  for (uint32_t i = 0; i < island->active; ++i) {
    JwPoint* const point = island->points[component->active[i]];
    point->ops->finish(&point->step);
  }
}

static void end_island(const Busy* busy)
{
  if (busy->lone) {
    end_point(busy->lone);
    return;
  }
  for (uint32_t i = 0; i < busy->island->count; ++i) {
    if (!busy->island->points[i]->idle) {
      end_point(busy->island->points[i]);
    }
  }
}

// Islands move no point in common, so that their order changes no bit.  A contact's step is a chain of divisions and
// powers, each of which waits for the one before: a few islands at a time, stage by stage, have
// the core work at several chains at once.
#define TOGETHER 8

static void finish_islands(JwComponent* component, const Busy* busy, uint32_t count)
{
  for (uint32_t i = 0; i < count; ++i) {
    solve_island(component, &busy[i]);
  }
  for (uint32_t i = 0; i < count; ++i) {
    push_island(component, &busy[i]);
  }
  for (uint32_t i = 0; i < count; ++i) {
    end_island(&busy[i]);
  }
}

static void solve_islands(JwComponent* component, uint64_t frame)
{
  Busy busy[TOGETHER];
  uint32_t count = 0;
  for (uint32_t i = 0; i < component->plain_count; ++i) {
    busy[count].island = &component->islands[component->plain[i]];
    count += read_island(component, &busy[count], frame);
    if (count == TOGETHER || i + 1 == component->plain_count) {
      finish_islands(component, busy, count);
      count = 0;
    }
  }
}

// ---------------------------------------------------------------- rest

static bool bow_drives(const JwWorld* world, const JwComponent* component)
{
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwLawParams* const law = world->points[component->points[i]].step.law;
    if (law->kind == JW_KIND_BOW && law->force > 0.0 && law->speed != 0.0) {
      return true;
    }
  }
  return false;
}

bool jw_component_driven(const JwWorld* world, const JwComponent* component)
{
  const uint64_t frame = component->state->frame;
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const uint32_t index = component->forces[i];
    if (force_at(jw_force_at(world, index), &world->force_states[index], frame) != 0.0) {
      return true;
    }
  }
  for (uint32_t i = 0; i < component->object_count; ++i) {
    if (jw_object_weight(jw_object_at(world, component->objects[i])) != 0.0) {
      return true;
    }
  }
  return bow_drives(world, component);
}

// Will a force be over, or not yet begun, for the frames to come?
bool jw_force_silent(const JwWorld* world, uint32_t index, uint64_t frame, uint32_t count)
{
  const JwForce* const force = jw_force_at(world, index);
  const JwForceState* const state = &world->force_states[index];
  if (state->amplitude == 0.0 || frame + count <= state->start) {
    return true;
  }
  return frame >= state->start && (double)(frame - state->start) >= force->frames;
}

bool jw_component_sleeps(const JwWorld* world, const JwComponent* component, uint32_t count)
{
  const uint64_t frame = component->state->frame;
  if (component->state->awake || component->moving_count || component->state->next_throw < frame + count) {
    return false;
  }
  for (uint32_t i = 0; i < component->force_count; ++i) {
    if (!jw_force_silent(world, component->forces[i], frame, count)) {
      return false;
    }
  }
  return !jw_component_driven(world, component);
}

void jw_component_forces(const JwWorld* world, JwComponent* component, uint32_t count)
{
  component->forced = component->moving_count > 0; // Then a force may be moved as well
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const uint32_t index = component->forces[i];
    component->forced = component->forced || !jw_force_silent(world, index, component->state->frame, count);
    world->force_states[index].force = component->forced ? world->force_states[index].force : 0.0;
  }
}

void jw_component_step(JwWorld* world, JwComponent* component)
{
  JwComponentState* const state = component->state;
  const uint64_t frame = state->frame;
  if (component->moving_count || frame == state->next_throw) {
    jw_watch_pause(world, component);
    jw_controls_step(world, component, frame);
    component->known = component->heard = false;
  }
  if (!state->awake && !jw_component_driven(world, component)) {
    ++state->frame;
    component->known = component->heard = false;
    return;
  }
  state->awake = true;
  if (component->reread) {
    jw_graph_build(world, component);
    component->reread = false;
  }
  advance_objects(world, component, frame);
  if (component->forced) {
    push_forces(world, component, frame);
  }
  if (component->stale) {
    jw_watch_build(world, component);
  }
  solve_islands(component, frame);
  jw_watch_step(world, component);
  component->known = true;
  if (world->def.ledger) {
    jw_ledger_step(world, component, frame);
  }
  ++state->frame;
  if (state->frame % JW_REST_FRAMES == 0) {
    jw_watch_pause(world, component);
    jw_component_rest(world, component);
    component->known = component->heard = false;
  }
}
