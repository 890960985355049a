// SPDX-License-Identifier: MIT
// A contact along a string with one psi for the whole contact area.
//
//   symbol   meaning                                                    unit
//   eta_i    penetration at place i                                     m
//   g_i      d psi / d eta_i = phi'(eta_i) / sqrt(2 sum_j phi(eta_j))   sqrt(N/m)
//   psi      one number for all places: psi^2/2 is the energy           sqrt(J)
//   gamma    factor on all g_i, chosen so that psi never falls below 0  1
//
//   f_i = gamma g_i (psi+ + psi)/2,   psi+ = psi + gamma (sum_i g_i r_i)/2             (3.5)
//
// The forces are one number F along the vector g: the contact is a single point whose weights are
// sum_i g_i w_i, worked out anew in every sample.  So however many places touch, the island has one
// row for them, a rank-one system, and gamma is chosen as g is for a point: at most 1 in contact,
// the release after it.  The release keeps the last g, which is why g is part of the snapshot.
//
// It costs a product of the string's shapes with its modes in every sample; for a grid that is
// nothing. Tested by test_group.c.

#include "step/step.h"

#include <math.h>

void jw_group_layout(JwWorld* world, JwContact* contact, JwArena* arena, JwArena* state) {
  const uint32_t places = contact->place_count;
  const JwObject* const string =
      jw_object_at(world, contact->port[contact->place_side].object.index - 1);
  JwGroup group = {0};
  group.count = places;
  group.height = JW_TAKE(arena, places, double);
  group.eta = JW_TAKE(arena, places, double);
  group.offset = JW_TAKE(arena, string->dense ? 0 : places, uint32_t);
  group.shape = JW_TAKE(arena, string->dense ? (uint64_t)places * string->dofs : 0, double);
  group.g = JW_TAKE(state, places, double);
  JwGroup* const item = JW_TAKE(arena, 1, JwGroup);
  JwSide sides[2] = {{0}};
  JwSide* const side = &sides[contact->place_side];
  const uint32_t capacity = string->dense ? string->dofs : places;
  side->object = jw_object_at(world, contact->port[contact->place_side].object.index - 1);
  side->weights.capacity = capacity;
  side->weights.offset = JW_TAKE(arena, string->dense ? 0 : capacity, uint32_t);
  side->weights.weight = JW_TAKE(arena, capacity, double);
  side->spread = JW_TAKE(arena, capacity, double);
  JwPointState* const point_state = JW_TAKE(state, 1, JwPointState);
  if (arena->base) {
    JwPoint* const point = &world->points[contact->first_point];
    *item = group;
    point->group = item;
    point->dense = &jw_group_dense;
    point->side[0] = sides[0];
    point->side[1] = sides[1];
    point->step.state = point_state;
  }
}

// Weights that follow from g, and the point's own compliance.
static void weigh(JwPoint* point, int s) {
  const JwGroup* const group = point->group;
  JwSide* const side = &point->side[s];
  const JwObject* const string = side->object;
  double* const w = side->weights.weight;
  double q = 0.0;
  if (string->dense) {
    for (uint32_t p = 0; p < string->dofs; ++p) {
      w[p] = 0.0;
    }
    for (uint32_t i = 0; i < group->count; ++i) {
      if (group->g[i] != 0.0) {
        jw_axpy(string->dofs, group->shape + (size_t)i * string->dofs, group->g[i], w);
      }
    }
  }
  for (uint32_t i = 0; i < side->weights.count; ++i) {
    w[i] = string->dense ? w[i] : group->g[i];
    side->spread[i] = w[i] * string->y[string->dense ? i : group->offset[i]];
    q += side->spread[i] * w[i];
  }
  point->step.q = q;
}

static double place_eta(const JwPoint* point, int s, uint32_t i, const double* u) {
  const JwGroup* const group = point->group;
  const JwObject* const string = point->side[s].object;
  const double x = string->dense ? jw_dot(string->dofs, group->shape + (size_t)i * string->dofs, u)
                                 : u[group->offset[i]];
  return (s ? -1.0 : 1.0) * x + group->height[i] + point->offset;
}

// Penetrations at all places from a state; returns the deepest.
static double read_places(JwPoint* point, int s, const double* u) {
  JwGroup* const group = point->group;
  double deepest = -HUGE_VAL;
  for (uint32_t i = 0; i < group->count; ++i) {
    group->eta[i] = place_eta(point, s, i, u);
    deepest = fmax(deepest, group->eta[i]);
  }
  return deepest;
}

static double potential(const JwPoint* point) {
  double sum = 0.0;
  for (uint32_t i = 0; i < point->group->count; ++i) {
    sum += jw_potential(&point->step, fmax(point->group->eta[i], 0.0));
  }
  return sum;
}

static int string_side(const JwPoint* point) {
  return point->side[0].object ? 0 : 1;
}

static JW_REALTIME double deepest_eta(const JwPoint* point) {
  const int s = string_side(point);
  double deepest = -HUGE_VAL;
  for (uint32_t i = 0; i < point->group->count; ++i) {
    deepest = fmax(deepest, place_eta(point, s, i, point->side[s].object->level[JW_NOW]));
  }
  return deepest;
}

static JW_REALTIME void read(JwPoint* point) {
  JwStep* const step = &point->step;
  const int s = string_side(point);
  JwSide* const side = &point->side[s];
  step->eta_prev = step->eta = read_places(point, s, side->object->level[JW_NOW]);
  const double wanted = step->eta > JW_TINY ? sqrt(2.0 * potential(point)) : 0.0;
  if (wanted > JW_TINY) {
    for (uint32_t i = 0; i < point->group->count; ++i) {
      point->group->g[i] = jw_potential_slope(step, point->group->eta[i]) / wanted;
    }
  }
  const double by = step->state->shift; // Of the wall: all places alike
  step->state->shift = step->shift = step->r_free = 0.0;
  if (step->eta > JW_TINY || step->state->psi != 0.0) {
    weigh(point, s);
    for (uint32_t i = 0; i < point->group->count; ++i) {
      step->shift += point->group->g[i] * by;
    }
    jw_side_reread(side); // Its weights are new
    const double moved = jw_side_motion(side);
    step->r_free = (s ? -moved : moved) + step->shift;
  }
}

static double start(JwPoint* point) {
  JwStep* const step = &point->step;
  step->state->psi = step->state->shift = 0.0;
  read(point);
  step->state->psi = step->eta > JW_TINY ? sqrt(2.0 * potential(point)) : 0.0;
  return step->r_free;
}

// ---------------------------------------------------------------- the law of a group

// The load itself is in its places: jw_group_start().
static JW_REALTIME void begin(JwStep* step) {
  step->g = step->eta > JW_TINY ? 1.0 : 0.0;
  step->a = 0.25 * step->g;
  step->c = step->g * step->state->psi;
}

static JW_REALTIME bool active(const JwStep* step) {
  return step->eta > JW_TINY || (step->state->psi != 0.0 && step->law->rule != JW_RULE_PLAIN);
}

static JW_REALTIME void choose(JwStep* step, double r_free, double q) {
  const JwSeen seen = {step->eta, step->eta, r_free, q, step->state->psi, 1.0};
  const bool closed = step->eta > JW_TINY;
  double gamma = closed ? 1.0 : 0.0;
  if (step->law->rule == JW_RULE_BOUNDED) {
    gamma = jw_g_bounded(&seen, 1.0);
  } else if (step->law->rule == JW_RULE_RELEASED && closed) {
    gamma = seen.psi >= 0.0 ? 1.0 : -1.0;
  } else if (step->law->rule == JW_RULE_RELEASED && r_free != 0.0) {
    gamma = -2.0 * seen.psi / r_free;
  }
  step->g = gamma;
  step->a = 0.25 * gamma * gamma;
  step->c = gamma * seen.psi;
}

static JW_REALTIME void finish(JwStep* step) {
  JwPointState* const state = step->state;
  state->psi = step->law->rule == JW_RULE_BOUNDED ? jw_psi_next(step, state->psi)
                                                  : state->psi + 0.5 * step->g * step->r;
}

const JwLawOps jw_group_ops = {
    .kind = JW_KIND_COLLISION,
    .sides = 2,
    .one_sided = true,
    .begin = begin,
    .active = active,
    .choose = choose,
    .refine = jw_never,
    .finish = finish,
    .stored = jw_stored_by_psi,
    .lost = jw_no_energy,
    .supplied = jw_supplied_by_shift,
    .control = jw_power_law_control,
};

// ---------------------------------------------------------------- figures

static JW_REALTIME void note(JwPoint* point) {
  const JwStep* const step = &point->step;
  JwPointState* const state = step->state;
  const bool closed = step->eta > JW_TINY;
  double force = 0.0, pull = 0.0;
  for (uint32_t i = 0; i < point->group->count; ++i) {
    force += point->group->g[i] * step->f;
    pull = fmax(pull, -point->group->g[i] * step->f);
  }
  state->force = force;
  state->closures += closed && state->closure == 0;
  state->closure = closed ? state->closure + 1 : 0;
  state->closed_samples += closed;
  state->longest_closure =
      state->closure > state->longest_closure ? state->closure : state->longest_closure;
  state->push = fmax(state->push, force);
  state->pull = fmax(state->pull, pull);
  state->penetration = fmax(state->penetration, step->eta);
  state->largest_psi = fmax(state->largest_psi, fabs(state->psi));
  if (!closed) {
    state->parked = fmax(state->parked, 0.5 * state->psi * state->psi);
  } else { // The middle of the step before: psi against the potential now, half a sample late
    const double wanted = sqrt(2.0 * potential(point));
    state->largest_wanted = fmax(state->largest_wanted, wanted);
    state->misfit = fmax(state->misfit, fabs(fabs(state->psi - 0.5 * step->g * step->r) - wanted));
  }
}

const JwDenseOps jw_group_dense = {.read = read, .start = start, .note = note, .eta = deepest_eta};
