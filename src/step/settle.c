// SPDX-License-Identifier: MIT
// Forces that work against each other, settled once more where they pushed.
//
// Two stiff contacts on one place hold each other: each alone would move it by q f in one sample, a
// metre, and what is left of both is a micrometre.  Solved and pushed in sixteen digits, the place
// ends up eps q f from where the laws think it is; each law does the work f times that, and since
// every law rounds for itself the works do not cancel: residuals of 1e-6 in a second.
//
//   symbol  meaning                                            unit
//   m       how far the gap has closed, read from the objects  m
//   r       the same as the law was solved for                 m
//
// So what the pushes missed is solved for with the same laws, and pushed as a small force of its
// own,
//
//   dr = (m - r) - B df,   df = a dr                                                   (2.6)
//
// whose rounding is eps q df.  The laws end the step with r + dr = m - B df: m is one number for
// all contacts of a place, so that their works cancel as their forces do.  Where contacts lie close
// to one another df may be a hundredth of f, and the next a hundredth of that: up to four rounds.
//
// The work that rounding does is eps q f df, with the whole force f and the last push df: eps q f^2
// at first.  Alone, a contact pushes with q f^2 <= 4 max(r*^2/q, psi^2) by (2.9), of what there is
// of motion and load: wanted where one pushes with more.  An exciter that presses its port against
// a contact is a push like the others; its part of r* is no motion, and one contact is enough.
//
// A mode is pushed by all contacts of its object.  One after another, each rounds by eps q, or is
// lost in it: places that touch lightly push with less than a unit in the last place of q, always
// the same way, and no push slows what the laws slow.  So the pushes on a mode are summed first.
//
// Tested by test_island.c and test/random.

#include "step/step.h"

#include <math.h>

// (2.9): of the larger of motion and load, at most this is pushed with alone.
#define FIGHT 2.0
#define MOST_ROUNDS 4

// What an exciter pushed is part of r*, but no motion: the contact takes it back within the step.
static double motion_of(const JwComponent* component, const JwPoint* point) {
  double r = point->step.r_free;
  for (uint32_t i = 0; i < component->press_count; ++i) {
    const JwPressing* const press = &component->presses[i];
    r -= press->force
         * (jw_side_compliance(&point->side[0], press->side)
            - jw_side_compliance(&point->side[1], press->side));
  }
  return fmax(fabs(r), fabs(point->step.r));
}

static double load_of(const JwStep* step) {
  return step->state->psi * step->state->psi + step->state->cubic * step->state->cubic;
}

// Seldom does a point push more than it moves or holds by itself: then nothing more need be asked.
static bool might_fight(const JwComponent* component, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    const JwPoint* const point = component->solve.points[i];
    const JwStep* const step = &point->step;
    const double f = fabs(step->f);
    if (step->q * f > FIGHT * motion_of(component, point)
        && step->q * f * f > FIGHT * FIGHT * load_of(step)) {
      return true;
    }
  }
  return false;
}

// Of all of them the energies |f q df|, of the last push, against r*^2/q, r^2/q and psi^2: so
// places of any mass and groups compare.
static bool fights(const JwComponent* component, uint32_t n) {
  const JwSolve* const solve = &component->solve;
  double alone = 0.0, together = 0.0;
  for (uint32_t i = 0; i < n; ++i) {
    const JwStep* const step = &solve->points[i]->step;
    if (step->q > 0.0) {
      const double motion = motion_of(component, solve->points[i]);
      alone = fmax(alone, step->q * fabs(solve->pushes[i] * step->f));
      together = fmax(together, fmax(motion * motion / step->q, load_of(step)));
    }
  }
  return alone > FIGHT * FIGHT * together;
}

static void collect(const JwSide* side, double force) {
  JwObject* const object = side->object;
  if (object && object->dense) {
    jw_axpy(side->weights.count, side->spread, force, object->bank.pushes);
    object->bank.pushed = true;
  } else {
    jw_side_push(side, force);
  }
}

static void push_collected(JwObject* object) {
  if (!object || !object->bank.pushed) {
    return;
  }
  const uint32_t n = object->dofs;
  double* const next = object->level[JW_NEXT];
  for (uint32_t i = 0; i < n; ++i) {
    next[i] += object->bank.pushes[i];
    if (object->carries_step) {
      next[n + i] += object->bank.pushes[i];
    }
    object->bank.pushes[i] = 0.0;
  }
  object->bank.pushed = false;
}

JW_REALTIME void jw_island_push(JwPoint* const* points, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (points[i]->closed) {
      collect(&points[i]->side[0], -points[i]->step.f);
      collect(&points[i]->side[1], points[i]->step.f);
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    push_collected(points[i]->side[0].object);
    push_collected(points[i]->side[1].object);
  }
}

// One round of (2.6); leaves what it pushed with.
static void settle(JwComponent* component, const JwIsland* island, uint32_t n) {
  const JwSolve* const solve = &component->solve;
  jw_island_gather(component, island, n);
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &solve->points[i]->step;
    solve->forces[i] = step->f;
    solve->motions[i] = step->r;
    solve->free[i] = (step->shift + jw_point_motion(solve->points[i])) - step->r;
    step->c = 0.0; // Of the law only the slope is left
  }
  jw_island_eliminate(component, n, n);
  for (uint32_t i = 0; i < n; ++i) {
    solve->pushes[i] = solve->points[i]->step.f;
  }
  jw_island_push(solve->points, n);
  for (uint32_t i = 0; i < n; ++i) {
    solve->points[i]->step.f += solve->forces[i];
    solve->points[i]->step.r += solve->motions[i];
  }
}

JW_REALTIME void jw_island_settle(JwComponent* component, const JwIsland* island, uint32_t n) {
  if (island->iterates || !might_fight(component, n)) {
    return;
  }
  const JwSolve* const solve = &component->solve;
  for (uint32_t i = 0; i < n; ++i) {
    solve->pushes[i] = solve->points[i]->step.f;
  }
  for (int round = 0; round < MOST_ROUNDS && fights(component, n); ++round) {
    settle(component, island, n);
  }
}
