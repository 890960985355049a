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

bool jw_watch_possible(const JwWorld* world, const JwContact* contact)
{
  const JwRule rule = contact->law.rule;
  return contact->along && contact->kind == JW_KIND_COLLISION && !world->def.ledger
         && (rule == JW_RULE_BOUNDED || rule == JW_RULE_PLAIN || rule == JW_RULE_RELEASED);
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

void jw_watch_step(JwWorld* world, JwComponent* component, uint64_t frame)
{
  for (uint32_t i = 0; i < component->watched_count; ++i) {
    const JwContact* const contact = jw_contact_at(world, component->watched[i]);
    const JwObject* const string = contact->string;
    const double* const u = jw_now(string, frame);
    const uint32_t hits = string->grid.string.kernel.lanes->over(string->size, contact->sign, u, contact->bar,
                                                                 component->hits);
    for (uint32_t j = 0; j < hits; ++j) {
      const uint32_t offset = component->hits[j];
      JwPoint* const point = &world->points[contact->at[offset]];
      jw_island_step(world, component, &component->islands[point->island], frame);
      contact->bar[offset] = bar_of(point);
    }
  }
}
