// Contacts along a string over something rigid, looked at all at once.
//
// Most points of such a contact are open in most samples.  Each is an island of its own, so whether it
// may push depends on its own penetration and psi alone, and one sweep over the string finds those that
// may: sign u + bar > JW_TINY, with
//
//   bar    rest       where a point is open and empty
//          +infinity  where the next step must look whatever u is: closed now, or psi left over
//          -infinity  where there is no point
//
// in the layout of the string.  Only points so found are read and solved, by the same functions as any
// other, in the order of the sweep: the motion is the same to the bit as without this file.
//
// The ledger reads every point in every sample, so with it nothing is watched.  Tested by
// test_watch.c.

#include "kernel/lanes.h"
#include "world.h"

#include <math.h>

static bool quick(const JwWorld* world, const JwContact* contact)
{
  const JwRule rule = contact->law.rule;
  return contact->kind == JW_KIND_COLLISION && !world->def.ledger
         && (rule == JW_RULE_BOUNDED || rule == JW_RULE_PLAIN || rule == JW_RULE_RELEASED);
}

bool jw_watch_possible(const JwWorld* world, const JwContact* contact)
{
  return contact->along && quick(world, contact);
}

/// The side that is a grid string when the other does not move, or -1.
static int watched_side(const JwPoint* point)
{
  const int side = point->side[0].object ? 0 : 1;
  const JwSide* const moving = &point->side[side];
  const bool alone = moving->object && !moving->object->dense && !point->side[1 - side].object;
  return alone && moving->weights.count == 1 && moving->weights.weight[0] == 1.0 ? side : -1;
}

static double bar_of(const JwPoint* point)
{
  const JwPointState* const state = point->step.state;
  return point->closed || state->psi != 0.0 || state->closure != 0 ? HUGE_VAL : point->rest;
}

static void watch_contact(JwWorld* world, JwComponent* component, JwContact* contact)
{
  contact->string = NULL;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    const uint32_t index = contact->first_point + i;
    const JwPoint* const point = &world->points[index];
    const int side = watched_side(point);
    if (side < 0 || component->islands[point->island].count != 1) {
      continue;
    }
    if (!contact->string) {
      contact->string = point->side[side].object;
      contact->sign = side ? -1.0 : 1.0;
      for (uint32_t j = 0; j < contact->string->size; ++j) {
        contact->bar[j] = -HUGE_VAL;
      }
    }
    const uint32_t offset = point->side[side].weights.offset[0];
    contact->bar[offset] = bar_of(point);
    contact->at[offset] = index;
    component->islands[point->island].watched = true;
  }
  if (contact->string) {
    component->watched[component->watched_count++] = (uint32_t)(contact - jw_contact_at(world, 0));
  }
}

void jw_watch_build(JwWorld* world, JwComponent* component)
{
  component->watched_count = component->plain_count = 0;
  component->stale = false;
  for (uint32_t i = 0; i < component->island_count; ++i) {
    component->islands[i].watched = false;
  }
  for (uint32_t i = 0; i < component->point_count; ++i) {
    JwPoint* const point = &world->points[component->points[i]];
    point->quick = quick(world, jw_contact_at(world, point->contact));
  }
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    JwContact* const contact = jw_contact_at(world, i);
    if (&world->components[contact->component] == component && contact->bar) {
      watch_contact(world, component, contact);
    }
  }
  for (uint32_t i = 0; i < component->island_count; ++i) {
    if (!component->islands[i].watched) {
      component->plain[component->plain_count++] = i;
    }
  }
}

// ---------------------------------------------------------------- one step
// The points found are taken in groups, stage by stage, so that their powers are worked out side by side
// and the chains of the others overlap.

#define GROUP 32

typedef struct {
  JwPoint* point[GROUP];
  uint32_t offset[GROUP], count;
  double root[GROUP];
} Group;

/// x^half_power lane by lane with the bits of jw_positive_power, for x > JW_TINY; other x give anything.
static void roots(const JwObject* string, const JwLawParams* law, Group* group)
{
  const double p = law->half_power;
  if (p == 0.0 || p == 0.5 || p == 1.0) {
    for (uint32_t i = 0; i < group->count; ++i) {
      group->root[i] = jw_positive_power(group->root[i], p);
    }
  } else {
    string->grid.string.kernel.lanes->power(group->count, group->root, p, group->root);
  }
}

static void read_group(const JwContact* contact, Group* group, uint64_t frame)
{
  const double* const u = jw_now(contact->string, frame);
  const double* const prev = jw_prev(contact->string, frame);
  const double* const next = jw_next(contact->string, frame);
  for (uint32_t i = 0; i < group->count; ++i) {
    JwPoint* const point = group->point[i];
    const uint32_t at = group->offset[i];
    point->step.eta = contact->sign * u[at] + point->rest;
    point->step.eta_prev = contact->sign * prev[at] + point->rest;
    point->step.r_free = contact->sign * (next[at] - prev[at]);
    group->root[i] = point->step.eta > JW_TINY ? point->step.eta : 1.0;
  }
}

static void solve_group(const JwContact* contact, Group* group, uint64_t frame)
{
  double* const next = jw_next(contact->string, frame);
  const int side = contact->sign < 0.0;
  for (uint32_t i = 0; i < group->count; ++i) {
    JwPoint* const point = group->point[i];
    JwStep* const step = &point->step;
    step->root = step->eta > JW_TINY ? group->root[i] : 0.0;
    step->root_of = step->eta;
    point->closed = point->ops->active(step);
    if (point->closed) {
      jw_point_solve(point);
      next[group->offset[i]] -= contact->sign * (point->side[side].spread[0] * step->f);
      point->ops->finish(step);
    } else {
      step->r = step->r_free;
      step->f = step->g = 0.0;
    }
    const double later = step->eta_prev + step->r;
    group->root[i] = later > JW_TINY ? later : 1.0;
  }
}

static void step_group(JwContact* contact, Group* group, uint64_t frame)
{
  read_group(contact, group, frame);
  roots(contact->string, &contact->law, group);
  solve_group(contact, group, frame);
  roots(contact->string, &contact->law, group);
  for (uint32_t i = 0; i < group->count; ++i) {
    JwPoint* const point = group->point[i];
    const bool later = point->step.eta_prev + point->step.r > JW_TINY;
    jw_figures_note(point, point->closed, later ? group->root[i] : 0.0);
    contact->bar[group->offset[i]] = bar_of(point);
  }
}

void jw_watch_step(JwWorld* world, JwComponent* component, uint64_t frame)
{
  for (uint32_t i = 0; i < component->watched_count; ++i) {
    JwContact* const contact = jw_contact_at(world, component->watched[i]);
    const JwObject* const string = contact->string;
    const uint32_t hits = string->grid.string.kernel.lanes->over(string->size, contact->sign, jw_now(string, frame),
                                                                 contact->bar, component->hits);
    for (uint32_t j = 0; j < hits;) {
      Group group;
      for (group.count = 0; group.count < GROUP && j < hits; ++group.count, ++j) {
        group.offset[group.count] = component->hits[j];
        group.point[group.count] = &world->points[contact->at[component->hits[j]]];
      }
      step_group(contact, &group, frame);
    }
  }
}
