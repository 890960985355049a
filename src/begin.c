// SPDX-License-Identifier: MIT
// How contacts begin: half a step back from a start or a throw.
//
// A start says where things are and how fast they move at frame n.  The scheme wants u at n - 1 and
// every load psi at n - 1/2.  What objects do by themselves is in their own start (start.c,
// mass.c); here is what contacts add.
//
//   symbol   meaning                                                 unit
//   eta, v   penetration and its rate at n, before any push          m, m/s
//   B        how far a force opens gaps in one sample                m/N
//   psi0     the load that the potential asks for at eta             sqrt(J)
//   f        force over the half step                                N
//
// Guessing u- = u - k v and reading psi from it would find a thing that leaves a surface inside it
// a step ago, and load the contact with the energy of a penetration that never was.  So the half
// step is solved by the scheme itself, backwards in time: with a = g^2/4, c = g psi0 of a step that
// neither loses nor is bounded,
//
//   r = -k v - (B/4) f,   f = a r + c,   psi- = psi0 + g r/2,   u- gets y w f/2       (3.7)
//
// Then the energy of u and u- with psi- is that of u, v and psi0 whatever the stiffness, and the
// start is of second order where the contact is resolved.  An open contact has g = 0 and no load.
// A contact above the Nyquist frequency, a q > 1, and a collision that the half step would carry
// past psi = 0, keep psi0 and push nothing: which is exact in energy too, and all that can be said
// of a motion that is over within a sample.
//
// The derivation is in docs/physics.md, section 3; tested by test_start.c.

#include "world.h"

#include <string.h>

#define MOST_TRIES 3
#define ABOVE_NYQUIST 1.0 // a q

// A place a step ago, moved by a force; what carries its step carries that from there to now.
static void push_past(const JwSide* side, double force, uint64_t frame) {
  JwObject* const object = side->object;
  const JwWeights* const w = &side->weights;
  double *const now = jw_now(object, frame), *const prev = jw_prev(object, frame);
  for (uint32_t i = 0; i < w->count; ++i) {
    const uint32_t at = object->dense ? i : w->offset[i];
    prev[at] += side->spread[i] * force;
    if (side->carries) {
      now[object->dofs + at] -= side->spread[i] * force;
    }
  }
}

static void push_both(const JwPoint* point, const JwObject* only, double force, uint64_t frame) {
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &point->side[s];
    if (side->object && (!only || side->object == only)) {
      push_past(side, s ? force : -force, frame);
    }
  }
}

// Of all that a point touches, or of one object alone.
static double compliance(const JwPoint* a, const JwPoint* b, const JwObject* only) {
  double sum = 0.0;
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      const JwSide* const side = &a->side[s];
      if (side->object && (!only || side->object == only)) {
        sum += (s == t ? 1.0 : -1.0) * jw_side_compliance(side, &b->side[t]);
      }
    }
  }
  return sum;
}

static void solve(JwComponent* component, JwPoint** points, uint32_t n, const JwObject* only) {
  for (uint32_t i = 0; i < n; ++i) {
    component->free[i] = points[i]->step.r_free;
    for (uint32_t j = 0; j <= i; ++j) {
      component->matrix[(size_t)j * n + i] = component->matrix[(size_t)i * n + j] =
          0.25 * compliance(points[i], points[j], only);
    }
  }
  jw_island_eliminate(component, points, n, n);
}

// Does any collision pass zero?  It takes no part then.
static bool drop_passed(JwPoint** points, uint32_t n, bool all) {
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &points[i]->step;
    if (step->g != 0.0 && points[i]->ops->one_sided
        && (all || step->state->psi + 0.5 * step->g * step->r < 0.0)) {
      step->a = step->c = step->g = 0.0;
      any = true;
    }
  }
  return any;
}

// What a loss adds: its rate times r over the whole step, limited so that it cannot turn the motion
// around.
static double lossy_force(const JwPoint* point) {
  JwStep step = point->step;
  step.r = -2.0 * step.r_free;
  if (step.r == 0.0) {
    return 0.0;
  }
  const double rate = 2.0 * point->ops->lost(&step) / (step.r * step.r);
  return rate * step.r / (1.0 + rate * step.q);
}

// The iterated law has no load but what its two places ask for.  Where it is open now it was open
// before.
static void begin_iterated(JwPoint* point, uint64_t frame) {
  JwStep* const step = &point->step;
  step->eta_prev = jw_point_eta(point, frame, true);
  if (point->ops->one_sided && step->eta <= 0.0 && step->eta_prev > 0.0) {
    step->state->shift = step->eta_prev;
    step->eta_prev = 0.0;
  }
  step->state->psi = jw_point_psi(point);
}

// Place, rate and load of a point at the frame; `move` is how far it moves over the step, were
// nothing to push.
static void ready(JwPoint* point, double move, uint64_t frame) {
  JwStep* const step = &point->step;
  step->state->shift = 0.0;
  if (!point->group) {
    step->eta = step->eta_prev = jw_point_eta(point, frame, false);
  }
  step->r_free = -0.5 * move;
  step->f = step->r = step->g = 0.0;
  point->ops->begin(step);
  if (step->a * step->q > ABOVE_NYQUIST) {
    step->a = step->c = step->g = 0.0;
  }
}

static void begin(JwComponent* component, JwPoint** points, uint32_t n, const JwObject* only) {
  const uint64_t frame = component->state->frame;
  for (int i = 0; i <= MOST_TRIES; ++i) {
    solve(component, points, n, only);
    if (!drop_passed(points, n, i == MOST_TRIES - 1)) {
      break;
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &points[i]->step;
    if (step->a != 0.0 || step->c != 0.0) {
      points[i]->ops->finish(step);
    }
    push_both(points[i], only, 0.5 * (step->f + lossy_force(points[i])), frame);
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (jw_law_iterates(points[i]->step.law) && points[i]->ops->force && !points[i]->group) {
      begin_iterated(points[i], frame);
    }
  }
}

static JwPoint** scratch(const JwComponent* component) {
  return (JwPoint**)(void*)(component->work + component->capacity);
}

static double free_move(const JwPoint* point) {
  double move = 0.0;
  for (int s = 0; s < 2; ++s) {
    const JwObject* const object = point->side[s].object;
    if (object) {
      move +=
          (s ? -1.0 : 1.0) * jw_side_move(&point->side[s], object->next, object->now, object->prev);
    }
  }
  return move;
}

void jw_component_begin(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = jw_object_at(world, component->objects[i]);
    object->now = object->buffer[0], object->next = object->buffer[1],
    object->prev = object->buffer[2];
    object->ops->advance(object, object->next, object->now, object->prev);
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = &world->points[component->points[i]];
    ready(point, point->group ? jw_group_start(point) : free_move(point), 0);
  }
  for (uint32_t i = 0; i < component->island_count; ++i) {
    const JwIsland* const island = &component->islands[i];
    JwPoint** const points = scratch(component);
    uint32_t n = 0;
    for (uint32_t j = 0; j < island->count; ++j) {
      points[n++] = island->points[j];
    }
    begin(component, points, n, NULL);
  }
  for (uint32_t i = 0; i < component->object_count; ++i) {
    const JwObject* const object = jw_object_at(world, component->objects[i]);
    memset(object->next, 0, object->size * sizeof(double));
  }
}

// The mass alone is pushed: what else it touches has a past of its own.
JW_REALTIME void jw_throw_begin(JwWorld* world, JwComponent* component, const JwObject* mass,
                                double velocity) {
  const uint64_t frame = component->state->frame;
  JwPoint** const points = scratch(component);
  uint32_t n = 0;
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = &world->points[component->points[i]];
    double step = 0.0; // Over one sample
    bool touches = false;
    for (int s = 0; s < 2; ++s) {
      const JwSide* const side = &point->side[s];
      const double sign = s ? -1.0 : 1.0;
      if (side->object == mass) {
        touches = true;
        step += sign * world->k * velocity;
      } else if (side->object) {
        step +=
            sign * jw_side_step(side, jw_now(side->object, frame), jw_prev(side->object, frame));
      }
    }
    if (touches) {
      ready(point, 2.0 * step, frame);
      points[n++] = point;
    }
  }
  begin(component, points, n, mass);
}
