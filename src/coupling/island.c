// SPDX-License-Identifier: MIT
// Solve one island of contacts for its forces.
//
// An island is a set of contacts joined by what they touch: a force in one moves the gap of another
// within the same sample.
//
//   symbol  here    meaning                                                unit
//   r       r       eta+ - eta-, how far a gap closes over the step        m
//   r*      free    the same, were no contact to push                      m
//   B       matrix  B[i][j], how far force j opens gap i in one sample     m/N
//   a, c    law     f = a r + c                                            N/m, N
//
//   r = r* - B f,  f = a r + c                                                       (2.4)
//
// Contacts are taken in turn.  The one at hand sees (r*_j, q_j = B_jj) with all earlier ones in
// place, chooses its law from them, and is eliminated from the rest:
//
//   p = 1 + a_j q_j,   r* <- r* - B_j (a_j r*_j + c_j)/p,   B <- B - B_j B_j' a_j/p      (2.5)
//
// which subtracts nearly equal numbers where j is stiff and i lies close to it; beyond a q = 16 by
// minors, which are exactly zero for contacts of one place:
//
//   B_il <- B_il/p + (a/p)(B_il q - B_ij B_jl),  r*_i <- r*_i/p + (a/p)(r*_i q - B_ij r*_j) - B_ij c/p        (2.8)
//
// B stays a Gram matrix, so q_j >= 0 and p >= 1: no pivoting, no breakdown, however stiff.  Going
// back, f_j = (a_j (r*_j - sum_later B_jl f_l) + c_j)/p_j.  Laws that are known beforehand go
// first, so that collisions choose last and see everything else: then `bounded` is exact for one
// collision an island. With several, one that chose early may be carried past zero by one that
// chose after it,
//
//   psi + g r/2 < 0,  or not 0 on leaving contact                                       (2.7)
//
// Those are put last and choose once more with all others in place, twice at most; one that would
// pull even then lets go for the step (g = 0), and its energy waits.  So a step takes one solve, or
// up to four.
//
// Alone, with (1 + a q) f = a r* + g psi and g <= 2 sqrt(a), a contact pushes with
//
//   q |f| <= |r*| + sqrt(q) |psi|                                                     (2.9)
//
// whatever its stiffness.
//
// A port that a hand moves (apply.c) shifts its contact's r*, and the hand does the work f
// shift/2.  Where stiff contacts hold its place nothing yields: f is a shift, the work a shift^2/2
// in every frame, and energy grows without end.  A hand that would have to do more work than (2.9)
// allows gives way: the ports of the island move without their shifts, what the contacts hold
// stays, and all is solved again.
//
// A contact above the Nyquist frequency may turn eta around in every frame, with f.  A port that
// moves by a part of a grid interval a frame can meet that in step and pump it, with a tenth of its
// energy a frame.  So where a hand would do work on such a contact it waits: in the next frame f
// has the other sign, and the same shift takes energy away.
//
// Elimination instead of a Cholesky factor: the same count of operations, and each law can look at
// its own Schur complement on the way.  Tested by test_island.c.

#include "world.h"

#include <math.h>

// Copy the compliances of the active points into the matrix, row by row.
JW_REALTIME void jw_island_gather(JwComponent* component, const JwIsland* island, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t a = component->active[i];
    const JwPoint* const point = island->points[a];
    component->free[i] = point->step.r_free;
    for (uint32_t j = 0; j <= i; ++j) {
      const uint32_t b = component->active[j];
      component->matrix[(size_t)j * n + i] = component->matrix[(size_t)i * n + j] =
          island->compliance ? island->compliance[(size_t)a * island->count + b]
                             : jw_point_compliance(point, island->points[b]);
    }
  }
}

#define STIFF 16.0 // a q: beyond, (2.8)

static inline double left(double b, double minor, double gain, double part) {
  return b * part + gain * minor;
}

// Eliminate point j from those behind it.
static void eliminate(JwComponent* component, const JwStep* step, uint32_t n, uint32_t j) {
  double *const matrix = component->matrix, *const free = component->free;
  const double* const row = matrix + (size_t)j * n;
  const double q = row[j], pivot = 1.0 + step->a * q, part = 1.0 / pivot, gain = step->a / pivot;
  const double force = (step->a * free[j] + step->c) / pivot, held = step->c / pivot;
  const bool stiff = step->a * q > STIFF;
  component->work[j] = pivot;
  for (uint32_t i = j + 1; i < n; ++i) {
    if (row[i] == 0.0) {
      continue;
    }
    double* const other = matrix + (size_t)i * n;
    if (stiff) {
      free[i] = left(free[i], free[i] * q - row[i] * free[j], gain, part) - row[i] * held;
      for (uint32_t l = i; l < n; ++l) {
        other[l] = left(other[l], other[l] * q - row[i] * row[l], gain, part);
      }
    } else {
      free[i] -= row[i] * force;
      const double scaled = row[i] * gain;
      for (uint32_t l = i; l < n; ++l) {
        other[l] -= scaled * row[l];
      }
    }
  }
}

// One pass of (2.5) and back.  Of the first `chosen` points a and c stand; the others' laws choose
// on the way.
JW_REALTIME void jw_island_eliminate(JwComponent* component, JwPoint** points, uint32_t n,
                                     uint32_t chosen) {
  double* const matrix = component->matrix;
  double* const free = component->free;
  for (uint32_t j = 0; j < n; ++j) {
    JwStep* const step = &points[j]->step;
    const double* const row = matrix + (size_t)j * n;
    if (j >= chosen) {
      points[j]->ops->choose(step, free[j], row[j]);
    }
    eliminate(component, step, n, j);
  }
  for (uint32_t j = n; j-- > 0;) {
    JwStep* const step = &points[j]->step;
    const double* const row = matrix + (size_t)j * n;
    double seen = free[j];
    for (uint32_t l = j + 1; l < n; ++l) {
      seen -= row[l] * points[l]->step.f;
    }
    step->f = (step->a * seen + step->c) / component->work[j];
    step->r = (seen - row[j] * step->c) / component->work[j];
  }
}

// Laws known beforehand first, collisions last; otherwise in their own order.
static uint32_t sort_active(JwComponent* component, const JwIsland* island, uint32_t n) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t slot = component->active[i];
    if (island->points[slot]->ops->kind != JW_KIND_COLLISION) {
      for (uint32_t j = i; j > known; --j) {
        component->active[j] = component->active[j - 1];
      }
      component->active[known++] = slot;
    }
  }
  return known;
}

static bool refine_all(JwPoint** points, uint32_t n) {
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) {
    any = points[i]->ops->refine(&points[i]->step) || any;
  }
  return any;
}

static void solve_one(JwPoint* point) {
  JwStep* const step = &point->step;
  const double pivot = 1.0 + step->a * step->q;
  step->f = (step->a * step->r_free + step->c) / pivot;
  step->r = (step->r_free - step->q * step->c) / pivot;
}

// One point by itself, its law not yet chosen.
JW_REALTIME void jw_point_solve(JwPoint* point) {
  point->step.alone = true;
  point->ops->choose(&point->step, point->step.r_free, point->step.q);
  solve_one(point);
}

JW_REALTIME JW_HOT void jw_island_solve_one(const JwIsland* island, JwPoint* point) {
  JwStep* const step = &point->step;
  if (island->iterates) {
    jw_point_iterate(point, step->r_free, step->q);
    return;
  }
  if (step->law->kind == JW_KIND_BOW && step->law->method == JW_BOW_REFINED) {
    step->alone = true;
    step->r = step->r_free; // It asks the first solve for nothing but its free velocity
    step->f = 0.0;
  } else {
    jw_point_solve(point);
  }
  if (point->ops->refine(step)) {
    solve_one(point);
  }
}

// Two points: (2.5) written out, the same operations in the same order.
static void eliminate_two(JwPoint** points, const double b[3], bool choose) {
  JwStep *const one = &points[0]->step, *const two = &points[1]->step;
  if (choose) {
    points[0]->ops->choose(one, one->r_free, b[0]);
  }
  const double pivot = 1.0 + one->a * b[0];
  const double force = (one->a * one->r_free + one->c) / pivot, gain = one->a / pivot;
  double free = two->r_free, q = b[2];
  if (b[1] != 0.0 && one->a * b[0] > STIFF) {
    const double part = 1.0 / pivot;
    free = left(free, free * b[0] - b[1] * one->r_free, gain, part) - b[1] * (one->c / pivot);
    q = left(q, q * b[0] - b[1] * b[1], gain, part);
  } else if (b[1] != 0.0) {
    free -= b[1] * force;
    q -= b[1] * gain * b[1];
  }
  if (choose) {
    points[1]->ops->choose(two, free, q);
  }
  const double second = 1.0 + two->a * q;
  two->f = (two->a * free + two->c) / second;
  two->r = (free - q * two->c) / second;
  const double seen = one->r_free - b[1] * two->f;
  one->f = (one->a * seen + one->c) / pivot;
  one->r = (seen - b[0] * one->c) / pivot;
}

// ---------------------------------------------------------------- several collisions

#define MOST_TURNS 2
#define NEAR_ZERO 1e-3 // Of psi: a millionth of its energy may wait

static bool never_negative(const JwPoint* point) {
  const JwRule rule = point->step.law->rule;
  return point->ops->kind == JW_KIND_COLLISION
         && (rule == JW_RULE_BOUNDED || rule == JW_RULE_REFINED);
}

// (2.7)
static bool carried_past_zero(const JwPoint* point) {
  const JwStep* const step = &point->step;
  const double psi = step->state->psi, next = psi + 0.5 * step->g * step->r;
  return never_negative(point)
         && (next < -NEAR_ZERO * psi
             || (step->eta <= JW_TINY && step->g > 0.0 && next > NEAR_ZERO * psi));
}

static void move_up(JwComponent* component, JwPoint** points, uint32_t from, uint32_t to) {
  JwPoint* const point = points[from];
  const uint32_t slot = component->active[from];
  for (uint32_t j = from; j > to; --j) {
    points[j] = points[j - 1];
    component->active[j] = component->active[j - 1];
  }
  points[to] = point;
  component->active[to] = slot;
}

// Returns how many may stand; the others come after them.
static uint32_t put_last(JwComponent* component, JwPoint** points, uint32_t n) {
  uint32_t standing = 0;
  for (uint32_t i = 0; i < n; ++i) {
    if (!carried_past_zero(points[i])) {
      move_up(component, points, i, standing++);
    }
  }
  return standing;
}

// Does any pull?  Those get no g in this step.
static bool let_go(JwPoint** points, uint32_t n) {
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &points[i]->step;
    const double psi = step->state->psi;
    if (never_negative(points[i]) && psi + 0.5 * step->g * step->r < -psi) {
      step->g = step->c = 0.0;
      step->a = step->rate;
      any = true;
    }
  }
  return any;
}

static void solve_as_chosen(JwComponent* component, const JwIsland* island, JwPoint** points,
                            uint32_t n) {
  jw_island_gather(component, island, n);
  jw_island_eliminate(component, points, n, n);
}

static void choose_again(JwComponent* component, const JwIsland* island, JwPoint** points,
                         uint32_t n) {
  for (int turn = 0; turn < MOST_TURNS; ++turn) {
    const uint32_t standing = put_last(component, points, n);
    if (standing == n) {
      return;
    }
    jw_island_gather(component, island, n);
    jw_island_eliminate(component, points, n, standing);
  }
  if (let_go(points, n)) {
    solve_as_chosen(component, island, points, n);
  }
}

// ---------------------------------------------------------------- whole islands

// The two of an island of two, a collision last; neither iterates, and the compliances are at
// hand.  Returns whether that is all: the first of two collisions may have to choose again.
static bool solve_two(const JwIsland* island) {
  JwPoint* points[2] = {island->points[0], island->points[1]};
  double b[3] = {island->compliance[0], island->compliance[1], island->compliance[3]};
  if (points[0]->ops->kind == JW_KIND_COLLISION && points[1]->ops->kind != JW_KIND_COLLISION) {
    JwPoint* const later = points[0];
    points[0] = points[1], points[1] = later;
    b[0] = island->compliance[3], b[2] = island->compliance[0];
  }
  points[0]->step.alone = points[1]->step.alone = false;
  eliminate_two(points, b, true);
  if (carried_past_zero(points[0])) {
    return false;
  }
  if (refine_all(points, 2)) {
    eliminate_two(points, b, false);
    return !let_go(points, 2);
  }
  return true;
}

static void solve(JwComponent* component, JwIsland* island, JwPoint** points, uint32_t n) {
  jw_island_gather(component, island, n);
  jw_island_eliminate(component, points, n, 0);
  choose_again(component, island, points, n);
  if (refine_all(points, n)) {
    solve_as_chosen(component, island, points, n);
    if (let_go(points, n)) {
      solve_as_chosen(component, island, points, n);
    }
  }
}

// Does a hand that moves a port do more work than (2.9) allows?
static bool overpowers(const JwStep* step) {
  const double psi = step->state->psi, cubic = step->state->cubic,
               load = step->q * (psi * psi + cubic * cubic);
  const double most = fmax(fmax(step->r_free * step->r_free, step->shift * step->shift), load);
  return fabs(step->f * step->shift) * step->q > 2.0 * most;
}

// Does it push a contact that turns around in every frame the way it goes?  One without a load has
// only just closed; that of a group is not of one place.
static bool pumps(const JwPoint* point) {
  const JwStep* const step = &point->step;
  return step->a * step->q > 1.0 && step->state->psi != 0.0
         && step->eta * (step->eta_prev + step->shift) < 0.0 && step->f * step->shift > 0.0
         && !point->group;
}

// Then the hands of the island give way, or the one that pumps waits for the next frame.
static bool give_way(JwPoint** points, uint32_t n) {
  bool any = false, all = false;
  for (uint32_t i = 0; i < n; ++i) {
    all = all || (points[i]->step.shift != 0.0 && overpowers(&points[i]->step));
  }
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &points[i]->step;
    if (step->shift != 0.0 && (all || pumps(points[i]))) {
      step->state->shift = all ? 0.0 : step->shift;
      step->r_free -= step->shift;
      step->eta_prev += step->shift;
      step->shift = 0.0;
      any = true;
    }
  }
  return any;
}

JW_REALTIME void jw_island_solve(JwComponent* component, JwIsland* island, uint32_t n) {
  JwPoint** const points = (JwPoint**)(void*)(component->work + component->capacity);
  if (n == 1) {
    JwPoint* const point = island->points[component->active[0]];
    jw_island_solve_one(island, point);
    if (!island->iterates && give_way(&island->points[component->active[0]], 1)) {
      jw_island_solve_one(island, point);
    }
    return;
  }
  if (n == 2 && island->count == 2 && island->compliance && !island->iterates && solve_two(island)
      && !give_way(island->points, n)) {
    return;
  }
  sort_active(component, island, n);
  for (uint32_t i = 0; i < n; ++i) {
    points[i] = island->points[component->active[i]];
    points[i]->step.alone = false;
  }
  if (island->iterates) {
    jw_island_gather(component, island, n);
    jw_island_iterate(component, island, n);
    return;
  }
  solve(component, island, points, n);
  if (give_way(points, n)) {
    solve(component, island, points, n);
  }
}
