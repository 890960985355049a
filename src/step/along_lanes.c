// SPDX-License-Identifier: MIT
// Points of a contact along a string that touch (along.c), from sample to sample.
//
// Those of the rule `bounded` are taken into fours of lanes (kernel/touch.h) when they close and
// given back when they are open and empty, or when the stage leaves.  In between their points are
// out of date, but for the force where a pickup hears it.  All others, and where there are no
// lanes, take the step that serves any contact (places.c).  Either way the bits are the same.
// Tested by test_along.c.

#include "kernel/lanes.h"
#include "ledger/ledger.h"
#include "step/figures.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

static bool in_lanes(const JwContact* contact) {
  return contact->law.rule == JW_RULE_BOUNDED && contact->string->grid.string.kernel.lanes->touch;
}

// ---------------------------------------------------------------- in fours

// A string's points between its ends are alike: any of them gives the numbers of all.
static void begin(JwTouching* t, const JwContact* contact, const JwPoint* any) {
  const JwLawParams* const law = &contact->law;
  const double scale = any->step.scale;
  t->sign = contact->sign;
  t->q = any->step.q;
  t->spread = any->side[contact->sign < 0.0].spread[0];
  t->power = law->half_power;
  t->theory = sqrt(0.5 * scale * law->stiffness * (law->exponent + 1.0));
  t->stiffness = scale * law->stiffness / (law->exponent + 1.0);
  t->loss = scale * law->loss / (2.0 * law->k);
}

#define UNUSED -1e300 // The rest of a lane that is not in use

static void clear(JwFour* four, uint32_t i) {
  four->u[i] = four->prev[i] = four->root[i] = four->psi[i] = four->f[i] = 0.0;
  four->rest[i] = four->eta[i] = UNUSED;
  four->closure[i] = four->active[i] = 0;
  four->at[i] = four->point[i] = 0;
}

static void take(JwContact* contact, uint32_t offset, const JwPoint* point) {
  JwTouching* const t = &contact->touching;
  const JwPointState* const state = point->step.state;
  const uint32_t i = t->count % 4;
  JwFour* const four = &t->four[t->count++ / 4];
  for (uint32_t j = i; i == 0 && j < 4; ++j) {
    clear(four, j);
  }
  four->u[i] = contact->string->level[JW_NOW][offset];
  four->prev[i] = contact->string->level[JW_PREV][offset];
  four->rest[i] = point->offset;
  four->eta[i] = contact->sign * four->u[i] + point->offset;
  four->psi[i] = state->psi;
  four->closure[i] = state->closure;
  four->at[i] = offset;
  four->point[i] = contact->at[offset];
  contact->bar[offset] = contact->sign * HUGE_VAL;
}

static void give(JwWorld* world, JwContact* contact, uint32_t index) {
  const JwFour* const four = &contact->touching.four[index / 4];
  const uint32_t i = index % 4;
  JwPoint* const point = &world->points[four->point[i]];
  JwPointState* const state = point->step.state;
  point->closed = four->closure[i] != 0 || four->active[i] != 0;
  state->eta = four->eta[i];
  state->force = four->f[i];
  state->psi = four->psi[i];
  state->closure = four->closure[i];
  jw_along_bar(contact, four->at[i], point);
}

// Give back those that are open and empty; the last one takes the place.
static void sort_out(JwWorld* world, JwContact* contact) {
  JwTouching* const t = &contact->touching;
  for (uint32_t i = t->count; i-- > 0;) {
    JwFour* const to = &t->four[i / 4];
    const uint32_t lane = i % 4;
    if (to->active[lane] != 0 || to->psi[lane] != 0.0 || to->closure[lane] != 0) {
      continue;
    }
    give(world, contact, i);
    const uint32_t last = --t->count;
    JwFour* const from = &t->four[last / 4];
#define MOVE(name) to->name[lane] = from->name[last % 4]
    MOVE(u), MOVE(prev), MOVE(rest), MOVE(eta), MOVE(root), MOVE(psi), MOVE(f);
    MOVE(closure), MOVE(active), MOVE(at), MOVE(point);
#undef MOVE
    clear(from, last % 4);
  }
}

static void give_records(JwWorld* world, JwContact* contact, JwPointState* figures) {
  JwRecords* const records = contact->touching.records;
  for (int i = 0; i < 4; ++i) {
    jw_ledger_lose(world, &world->components[contact->component], records->lost[i]);
  }
  for (int i = 0; i < 4; ++i) {
#define RAISE(name) figures->name = larger(records->name[i], figures->name)
    RAISE(push), RAISE(pull), RAISE(penetration), RAISE(largest_psi), RAISE(largest_wanted);
    RAISE(misfit), RAISE(parked);
#undef RAISE
    const uint64_t longest = (uint64_t)records->longest_closure[i];
    figures->longest_closure =
        longest > figures->longest_closure ? longest : figures->longest_closure;
  }
  figures->closures += records->closures;
  figures->closed_samples += records->closed_samples;
  memset(records, 0, sizeof *records);
}

JW_REALTIME void jw_along_leave(JwWorld* world, JwContact* contact) {
  JwTouching* const t = &contact->touching;
  if (!t->busy) {
    return;
  }
  JwPointState* const figures = world->points[contact->first_point].step.state;
  for (t->busy = false; t->count > 0;) {
    const JwFour* const four = &t->four[--t->count / 4];
    const uint64_t closure = (uint64_t)four->closure[t->count % 4];
    figures->longest_closure =
        closure > figures->longest_closure ? closure : figures->longest_closure;
    give(world, contact, t->count);
  }
  give_records(world, contact, figures);
}

static void step_fours(JwWorld* world, JwContact* contact, const uint32_t* hits, uint32_t count) {
  JwTouching* const t = &contact->touching;
  if (t->count == 0 && count) {
    t->busy = true;
    begin(t, contact, &world->points[contact->at[hits[0]]]);
  }
  t->known = t->count;
  for (uint32_t i = 0; i < count; ++i) {
    take(contact, hits[i], &world->points[contact->at[hits[i]]]);
  }
  if (t->count
      && contact->string->grid.string.kernel.lanes->touch(t, contact->string->level[JW_NEXT])) {
    sort_out(world, contact);
  }
  for (uint32_t i = 0; contact->listened && i < t->count; ++i) {
    world->points[t->four[i / 4].point[i % 4]].step.state->force = t->four[i / 4].f[i % 4];
  }
}

// ---------------------------------------------------------------- one by one

static void step_point(JwWorld* world, JwContact* contact, uint32_t offset, JwPoint* point) {
  JwComponent* const component = &world->components[contact->component];
  const JwIsland* const island = &component->islands[point->island];
  jw_point_reread(point); // It was not looked at while it was open
  jw_island_step(component, island);
  jw_ledger_island(world, component, island);
  jw_along_bar(contact, offset, point);
}

JW_REALTIME void jw_along_touch(JwWorld* world, JwContact* contact, const uint32_t* hits,
                                uint32_t count) {
  if (in_lanes(contact)) {
    step_fours(world, contact, hits, count);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    step_point(world, contact, hits[i], &world->points[contact->at[hits[i]]]);
  }
}
