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

#include "prepare/prepare.h"
#include "step/step.h"

#include <string.h>

#define MOST_TRIES 3
#define ABOVE_NYQUIST 1.0 // a q

// A place a step ago, moved by a force; what carries its step carries that from there to now.
static void push_past(const JwSide* side, double force) {
  const JwObject* const object = side->object;
  const JwWeights* const w = &side->weights;
  double *const now = object->level[JW_NOW], *const prev = object->level[JW_PREV];
  for (uint32_t i = 0; i < w->count; ++i) {
    const uint32_t at = jw_side_at(side, i);
    prev[at] += side->spread[i] * force;
    if (side->carries) {
      now[object->dofs + at] -= side->spread[i] * force;
    }
  }
}

static void push_both(const JwPoint* point, const JwObject* only, double force) {
  for (int s = 0; s < 2; ++s) {
    const JwSide* const side = &point->side[s];
    if (side->object && (!only || side->object == only)) {
      push_past(side, s ? force : -force);
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

static void solve(JwComponent* component, uint32_t n, const JwObject* only) {
  const JwSolve* const solve = &component->solve;
  for (uint32_t i = 0; i < n; ++i) {
    solve->free[i] = solve->points[i]->step.r_free;
    for (uint32_t j = 0; j <= i; ++j) {
      solve->matrix[(size_t)j * n + i] = solve->matrix[(size_t)i * n + j] =
          0.25 * compliance(solve->points[i], solve->points[j], only);
    }
  }
  jw_island_eliminate(component, n, n);
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
static void begin_iterated(JwPoint* point) {
  JwStep* const step = &point->step;
  step->eta_prev = jw_point_gap(point, JW_PREV);
  if (point->ops->one_sided && step->eta <= 0.0 && step->eta_prev > 0.0) {
    step->state->shift = step->eta_prev;
    step->eta_prev = 0.0;
  }
  step->state->psi = jw_load(point->ops, step);
}

// Place, rate and load of a point at the frame; `move` is how far it moves over the step, were
// nothing to push.
static void ready(JwPoint* point, double move) {
  JwStep* const step = &point->step;
  step->state->shift = 0.0;
  if (!point->dense) {
    step->eta = step->eta_prev = jw_point_gap(point, JW_NOW);
  }
  step->r_free = -0.5 * move;
  step->f = step->r = step->g = 0.0;
  point->ops->begin(step);
  if (step->a * step->q > ABOVE_NYQUIST) {
    step->a = step->c = step->g = 0.0;
  }
}

// Of the first n points of component->solve.
static void begin(JwComponent* component, uint32_t n, const JwObject* only) {
  JwPoint** const points = component->solve.points;
  for (int i = 0; i <= MOST_TRIES; ++i) {
    solve(component, n, only);
    if (!drop_passed(points, n, i == MOST_TRIES - 1)) {
      break;
    }
  }
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &points[i]->step;
    if (step->a != 0.0 || step->c != 0.0) {
      points[i]->ops->finish(step);
    }
    push_both(points[i], only, 0.5 * (step->f + lossy_force(points[i])));
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (points[i]->step.law->iterates && points[i]->ops->force && !points[i]->dense) {
      begin_iterated(points[i]);
    }
  }
}

static double free_motion(JwPoint* point) {
  jw_side_reread(&point->side[0]);
  jw_side_reread(&point->side[1]);
  return jw_point_motion(point);
}

void jw_component_begin(JwWorld* world, JwComponent* component) {
  (void)world;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    JwObject* const object = component->objects[i];
    object->ops->advance(object, object->level[JW_NEXT], object->level[JW_NOW],
                         object->level[JW_PREV]);
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    ready(point, point->dense ? point->dense->start(point) : free_motion(point));
  }
  for (uint32_t i = 0; i < component->island_count; ++i) {
    const JwIsland* const island = &component->islands[i];
    for (uint32_t j = 0; j < island->count; ++j) {
      component->solve.points[j] = island->points[j];
    }
    begin(component, island->count, NULL);
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    if (point->dense && point->dense->begun) {
      point->dense->begun(point);
    }
  }
  for (uint32_t i = 0; i < component->object_count; ++i) {
    const JwObject* const object = component->objects[i];
    memset(object->level[JW_NEXT], 0, object->size * sizeof(double));
  }
}

// The mass alone is pushed: what else it touches has a past of its own.
JW_REALTIME void jw_throw_begin(JwWorld* world, JwComponent* component, const JwObject* mass,
                                double velocity) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = component->points[i];
    if (!jw_point_touches(point, mass)) {
      continue;
    }
    double step[2]; // Over one sample
    for (int s = 0; s < 2; ++s) {
      step[s] = point->side[s].object == mass ? world->k * velocity : jw_side_step(&point->side[s]);
    }
    ready(point, 2.0 * (step[0] - step[1]));
    component->solve.points[n++] = point;
  }
  begin(component, n, mass);
}
