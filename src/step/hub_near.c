// SPDX-License-Identifier: MIT
// Which banks of a hub (hub.c) are awake: near to something that may touch them.  A bank's energy
// bounds how far it can be at a place, and a push of f moves that bound by less than a constant
// times
// |f|.  While bound and gap do not meet, the points of the bank need not be read, and its pushes
//       may
// wait for the next pass over its modes.

#include "step/hub.h"

#include "step/step.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- pushes that wait

// As the pass of kernel/tied.h does it, to the bit.
void jw_hub_add_push(const JwSide* side, double push, double* u) {
  const JwBank* const bank = &side->object->bank;
  const double* const w = side->weights.weight;
  for (uint32_t m = 0; m < side->weights.count && push != 0.0; ++m) {
    u[m] += (w[m] * (((bank->e[m] + bank->e[m]) + 2.0) - bank->b[m])) * push;
  }
}

// Add the pushes that wait, of one bank.
static void catch_up(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  for (int p = 0; p < 2; ++p) {
    const JwSide* const side = p ? leaf->hold : leaf->tie;
    if (side) {
      jw_hub_add_push(side, hub->ties[p].push[i], side->object->level[JW_NOW]);
      hub->ties[p].push[i] = 0.0;
    }
  }
}

// The same of all banks.
void jw_hub_settle(JwHub* hub, size_t now) {
  for (uint32_t i = 0; i < hub->alike_count; ++i) {
    hub->lanes->settle(&hub->alike[i], now, hub->ties);
  }
  for (int p = 0; p < 2; ++p) {
    memset(hub->ties[p].push, 0, hub->count * sizeof(double));
  }
}

// ---------------------------------------------------------------- what is near

// How far a bank can come at a side, by the energies of its modes: of u on the ellipse
// kinetic (u - p)^2 + potential (u + p)^2 = H the largest is sqrt(H (1/kinetic + 1/potential))/2.
static double bound_of(const JwObject* object, const JwSide* side) {
  const double *const u = object->level[JW_NOW], *const prev = object->level[JW_PREV];
  double sum = 0.0;
  for (uint32_t m = 0; m < object->dofs; ++m) {
    const double kinetic = object->bank.kinetic[m], potential = object->bank.potential[m],
                 v = u[m] - prev[m], twice = u[m] + prev[m];
    sum +=
        0.5 * fabs(side->weights.weight[m])
        * sqrt((kinetic * v * v + potential * twice * twice) * (1.0 / kinetic + 1.0 / potential));
  }
  return sum;
}

// The gap that a point keeps, were its bank at zero, for as long as nothing disturbs the component;
// below 0: none that is sure.
static double sure_gap(const JwOther* other) {
  const JwPoint* const point = other->point;
  const JwPointState* const state = point->step.state;
  const JwSide* const side = &point->side[1 - other->side];
  const double sign = other->side == 0 ? -1.0 : 1.0;
  if (other->driven || !point->ops->one_sided || !point->step.law->waits || point->closed
      || state->psi != 0.0 || state->closure != 0 || state->shift != 0.0) {
    return -1.0;
  }
  if (!side->object) {
    return -point->offset;
  }
  // A free mass that goes away from it, or lies still: only contacts like this one push it
  const JwObject* const mass = side->object;
  const double* const u = mass->level[JW_NOW];
  const bool alone = mass->ops->lumped && mass->bank.b[0] == 0.0 && jw_object_weight(mass) == 0.0;
  if (!alone || !mass->carries_step || sign * u[side->at + 1] > 0.0) {
    return -1.0;
  }
  return -(sign * side->weight * u[side->at] + point->offset);
}

static bool pushed_one_way(const JwHub* hub, const JwObject* object, int side) {
  for (uint32_t i = 0; i < hub->other_count; ++i) {
    const JwOther* const other = &hub->others[i];
    if (object && jw_point_touches(other->point, object)
        && (other->side != side || !other->point->ops->one_sided)) {
      return false;
    }
  }
  return true;
}

// May the points of a bank be left alone for a while?
static bool may_sleep(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  double bound = 0.0, limit = HUGE_VAL;
  for (uint32_t o = leaf->first; o < leaf->last; ++o) {
    const JwOther* const other = &hub->others[o];
    const double gap = sure_gap(other);
    if (!(gap > 0.0)
        || !pushed_one_way(hub, other->point->side[1 - other->side].object, other->side)) {
      return false;
    }
    limit = fmin(limit, gap);
    bound = fmax(bound, bound_of(leaf->tie->object, &other->point->side[other->side]));
  }
  hub->by.bound[i] = bound;
  hub->by.limit[i] = limit;
  return bound < 0.5 * limit;
}

static void set_awake(JwHub* hub, uint32_t i, bool awake) {
  JwLeaf* const leaf = &hub->leaves[i];
  const bool was = leaf->awake;
  leaf->awake = awake;
  hub->by.limit[i] = awake || leaf->first == leaf->last ? HUGE_VAL : hub->by.limit[i];
  hub->by.keep[i] = awake ? 0.0 : -1.0;
  for (uint32_t o = leaf->first; awake && !was && o < leaf->last; ++o) {
    jw_point_reread(hub->others[o].point);
  }
}

// Decide about a bank of which no push waits.
void jw_hub_look(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  set_awake(hub, i, leaf->first < leaf->last && !may_sleep(hub, i));
}

void jw_hub_wake(JwHub* hub, uint32_t i, JwRoles roles) {
  if (!hub->leaves[i].awake) {
    jw_hub_set_levels(hub->leaves[i].tie->object, roles);
    catch_up(hub, i);
    set_awake(hub, i, true);
    hub->busy = true;
  }
}

void jw_hub_look_again(JwHub* hub, uint64_t frame) {
  const JwRoles roles = jw_hub_roles(frame);
  const bool all = frame % JW_HUB_LOOK_FRAMES == 0;
  hub->busy = hub->near = false;
  for (uint32_t i = 0; i < hub->count; ++i) {
    JwLeaf* const leaf = &hub->leaves[i];
    if ((leaf->awake && all) || hub->by.bound[i] > hub->by.limit[i]) {
      jw_hub_set_levels(leaf->tie->object, roles);
      catch_up(hub, i);
      jw_hub_look(hub, i);
    }
    hub->busy = hub->busy || leaf->awake;
  }
}
