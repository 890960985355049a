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
//   B_il <- B_il/p + (a/p)(B_il q - B_ij B_jl),  r*_i <- r*_i/p + (a/p)(r*_i q - B_ij r*_j) - B_ij
//   c/p        (2.8)
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

#include "step/step.h"

#include <math.h>

// Copy the compliances of the points that may push into the matrix, row by row.
JW_REALTIME void jw_island_gather(JwComponent* component, const JwIsland* island, uint32_t n) {
  const JwSolve* const solve = &component->solve;
  if (JW_RARELY(island->hub)) {
    jw_hub_gather(component, island, n);
    return;
  }
  for (uint32_t i = 0; i < n; ++i) {
    const JwPoint* const a = solve->points[i];
    solve->free[i] = a->step.r_free;
    for (uint32_t j = 0; j <= i; ++j) {
      const JwPoint* const b = solve->points[j];
      solve->matrix[(size_t)j * n + i] = solve->matrix[(size_t)i * n + j] =
          island->compliance ? island->compliance[(size_t)a->place * island->count + b->place]
                             : jw_point_compliance(a, b);
    }
  }
}

#define STIFF 16.0 // a q: beyond, (2.8)

static inline double left(double b, double minor, double gain, double part) {
  return b * part + gain * minor;
}

// Eliminate point j, which is stiff, from those behind it: (2.8).
static void eliminate_stiff(const JwSolve* solve, const JwStep* step, uint32_t n, uint32_t j) {
  double* const free = solve->free;
  const double* const row = solve->matrix + (size_t)j * n;
  const double q = row[j], pivot = solve->pivot[j];
  const double part = 1.0 / pivot, gain = step->a / pivot, held = step->c / pivot;
  for (uint32_t i = j + 1; i < n; ++i) {
    if (row[i] == 0.0) {
      continue;
    }
    double* const other = solve->matrix + (size_t)i * n;
    free[i] = left(free[i], free[i] * q - row[i] * free[j], gain, part) - row[i] * held;
    for (uint32_t l = i; l < n; ++l) {
      other[l] = left(other[l], other[l] * q - row[i] * row[l], gain, part);
    }
  }
}

// Any other: (2.5).
static void eliminate_soft(const JwSolve* solve, const JwStep* step, uint32_t n, uint32_t j) {
  const double* const row = solve->matrix + (size_t)j * n;
  const double pivot = solve->pivot[j], gain = step->a / pivot,
               force = (step->a * solve->free[j] + step->c) / pivot;
  for (uint32_t i = j + 1; i < n; ++i) {
    if (row[i] == 0.0) {
      continue;
    }
    double* const other = solve->matrix + (size_t)i * n;
    const double scaled = row[i] * gain;
    solve->free[i] -= row[i] * force;
    for (uint32_t l = i; l < n; ++l) {
      other[l] -= scaled * row[l];
    }
  }
}

// One pass of (2.5) and back.
JW_REALTIME void jw_island_eliminate(JwComponent* component, uint32_t n, uint32_t chosen) {
  const JwSolve* const solve = &component->solve;
  for (uint32_t j = 0; j < n; ++j) {
    JwPoint* const point = solve->points[j];
    if (j >= chosen) {
      point->ops->choose(&point->step, solve->free[j], solve->matrix[(size_t)j * n + j]);
    }
    const double aq = point->step.a * solve->matrix[(size_t)j * n + j];
    solve->pivot[j] = 1.0 + aq;
    if (j + 1 < n) {
      (aq > STIFF ? eliminate_stiff : eliminate_soft)(solve, &point->step, n, j);
    }
  }
  for (uint32_t j = n; j-- > 0;) {
    JwStep* const step = &solve->points[j]->step;
    const double* const row = solve->matrix + (size_t)j * n;
    double seen = solve->free[j];
    for (uint32_t l = j + 1; l < n; ++l) {
      seen -= row[l] * solve->points[l]->step.f;
    }
    step->f = (step->a * seen + step->c) / solve->pivot[j];
    step->r = (seen - row[j] * step->c) / solve->pivot[j];
  }
}

// Laws known beforehand first, one-sided ones last; otherwise in their own order.
static void sort_points(const JwSolve* solve, uint32_t n) {
  uint32_t known = 0;
  for (uint32_t i = 0; i < n; ++i) {
    JwPoint* const point = solve->points[i];
    if (!point->ops->one_sided) {
      for (uint32_t j = i; j > known; --j) {
        solve->points[j] = solve->points[j - 1];
      }
      solve->points[known++] = point;
    }
  }
}

static bool refine_all(const JwSolve* solve, uint32_t n) {
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) {
    JwPoint* const point = solve->points[i];
    any = point->ops->refine(&point->step) || any;
    any = (point->dense && point->dense->again && point->dense->again(point)) || any;
  }
  return any;
}

// ---------------------------------------------------------------- several collisions

#define MOST_TURNS 2
#define NEAR_ZERO 1e-3 // Of psi: a millionth of its energy may wait

static bool never_negative(const JwPoint* point) {
  const JwRule rule = point->step.law->rule;
  return point->ops->one_sided && (rule == JW_RULE_BOUNDED || rule == JW_RULE_REFINED);
}

// (2.7)
static bool carried_past_zero(const JwPoint* point) {
  const JwStep* const step = &point->step;
  const double psi = step->state->psi, next = psi + 0.5 * step->g * step->r;
  return never_negative(point)
         && (next < -NEAR_ZERO * psi
             || (step->eta <= JW_TINY && step->g > 0.0 && next > NEAR_ZERO * psi));
}

// Put those that were carried past zero last; returns how many may stand.
static uint32_t put_last(const JwSolve* solve, uint32_t n) {
  uint32_t standing = 0;
  for (uint32_t i = 0; i < n; ++i) {
    JwPoint* const point = solve->points[i];
    if (carried_past_zero(point)) {
      continue;
    }
    for (uint32_t j = i; j > standing; --j) {
      solve->points[j] = solve->points[j - 1];
    }
    solve->points[standing++] = point;
  }
  return standing;
}

// Does any pull?  Those get no g in this step.
static bool let_go(const JwSolve* solve, uint32_t n) {
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &solve->points[i]->step;
    const double psi = step->state->psi;
    if (never_negative(solve->points[i]) && psi + 0.5 * step->g * step->r < -psi) {
      step->g = step->c = 0.0;
      step->a = step->rate;
      any = true;
    }
  }
  return any;
}

// Of the first `chosen` points the laws stand.
static void solve_once(JwComponent* component, const JwIsland* island, uint32_t n,
                       uint32_t chosen) {
  jw_island_gather(component, island, n);
  jw_island_eliminate(component, n, chosen);
}

static void choose_again(JwComponent* component, const JwIsland* island, uint32_t n) {
  for (int turn = 0; turn < MOST_TURNS; ++turn) {
    const uint32_t standing = put_last(&component->solve, n);
    if (standing == n) {
      return;
    }
    solve_once(component, island, n, standing);
  }
  if (let_go(&component->solve, n)) {
    solve_once(component, island, n, n);
  }
}

static void solve_several(JwComponent* component, const JwIsland* island, uint32_t n) {
  solve_once(component, island, n, 0);
  choose_again(component, island, n);
  if (refine_all(&component->solve, n)) {
    solve_once(component, island, n, n);
    if (let_go(&component->solve, n)) {
      solve_once(component, island, n, n);
    }
  }
}

// ---------------------------------------------------------------- hands

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
JW_REALTIME bool jw_hands_give_way(const JwSolve* solve, uint32_t n) {
  bool any = false, all = false;
  for (uint32_t i = 0; i < n; ++i) {
    const JwStep* const step = &solve->points[i]->step;
    all = all || (step->shift != 0.0 && overpowers(step));
  }
  for (uint32_t i = 0; i < n; ++i) {
    JwStep* const step = &solve->points[i]->step;
    if (step->shift != 0.0 && (all || pumps(solve->points[i]))) {
      step->state->shift = all ? 0.0 : step->shift;
      step->r_free -= step->shift;
      step->eta_prev += step->shift;
      step->shift = 0.0;
      any = true;
    }
  }
  return any;
}

// ---------------------------------------------------------------- whole islands

JW_REALTIME JW_HOT void jw_island_solve(JwComponent* component, const JwIsland* island,
                                        uint32_t n) {
  const JwSolve* const solve = &component->solve;
  sort_points(solve, n);
  for (uint32_t i = 0; i < n; ++i) {
    solve->points[i]->step.alone = false;
  }
  if (island->iterates) {
    jw_island_gather(component, island, n);
    jw_island_iterate(component, island, n);
    return;
  }
  solve_several(component, island, n);
  if (jw_hands_give_way(solve, n)) {
    solve_several(component, island, n);
  }
}
