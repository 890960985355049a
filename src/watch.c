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

#include "figures.h"
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
  bool closed[GROUP];
  double eta[GROUP], past[GROUP], free[GROUP], psi[GROUP]; // Before the step
  double root[GROUP], g[GROUP], r[GROUP], f[GROUP];
  double later[GROUP], later_root[GROUP]; // eta after the step
} Group;

/// root = x^half_power with the bits of jw_positive_power.
static void roots(const JwContact* contact, uint32_t count, const double* x, double* root)
{
  const double p = contact->law.half_power;
  if (p == 0.0 || p == 0.5 || p == 1.0) {
    for (uint32_t i = 0; i < count; ++i) {
      root[i] = jw_positive_power(x[i], p);
    }
    return;
  }
  double safe[GROUP];
  safe[0] = 1.0;
  for (uint32_t i = 0; i < count; ++i) {
    safe[i] = x[i] > JW_TINY ? x[i] : 1.0;
  }
  contact->string->grid.string.kernel.lanes->power(count, safe, p, root);
  for (uint32_t i = 0; i < count; ++i) {
    root[i] = x[i] > JW_TINY ? root[i] : 0.0;
  }
}

static void read_group(const JwContact* contact, Group* group)
{
  const double *const u = contact->string->now, *const prev = contact->string->prev, *const next = contact->string->next;
  for (uint32_t i = 0; i < group->count; ++i) {
    const JwPoint* const point = group->point[i];
    const uint32_t at = group->offset[i];
    group->eta[i] = contact->sign * u[at] + point->rest;
    group->past[i] = contact->sign * prev[at] + point->rest;
    group->free[i] = contact->sign * (next[at] - prev[at]);
    group->psi[i] = point->step.state->psi;
    group->closed[i] = group->eta[i] > JW_TINY || (group->psi[i] != 0.0 && contact->law.rule != JW_RULE_PLAIN);
  }
}

// Most were closed in the step before, which ended with the power that this one begins with.
static void now_roots(const JwContact* contact, Group* t)
{
  double x[GROUP], found[GROUP];
  uint32_t missing[GROUP], count = 0;
  for (uint32_t i = 0; i < t->count; ++i) {
    const JwStep* const step = &t->point[i]->step;
    t->root[i] = step->root;
    missing[count] = i;
    x[count] = t->eta[i];
    count += step->root_of != t->eta[i];
  }
  if (count) {
    roots(contact, count, x, found);
  }
  for (uint32_t i = 0; i < count; ++i) {
    t->root[missing[i]] = found[i];
  }
}

// The rule `bounded` without loss, (3.2) and (2.4), written out for many points: the operations of
// jw_g_bounded(), jw_point_solve() and jw_psi_next() in the same order, and choices instead of branches.
static void solve_bounded(const JwContact* contact, Group* t)
{
  const JwStep* const any = &t->point[0]->step; // A string's points between its ends are alike
  const double theory = sqrt(0.5 * any->scale * contact->law.stiffness * (contact->law.exponent + 1.0)), q = any->q;
  for (uint32_t i = 0; i < t->count; ++i) {
    const double psi = t->psi[i], z = -0.5 * t->free[i], load = q * psi * psi;
    const double root = sqrt(z * z + load);
    const double top = z > 0.0 ? psi : root - z, bottom = z > 0.0 ? z + root : q * psi;
    const double ratio = 2.0 * top / bottom;
    const double release = z > 0.0 || bottom > 0.0 ? ratio : HUGE_VAL;
    const double steady = theory * t->root[i];
    const double bounded = steady < release ? steady : release;
    const double let_go = psi > 0.0 && (z >= 0.0 || load > 1e-6 * z * z) ? release : 0.0;
    const double g = t->eta[i] > JW_TINY ? bounded : let_go;
    const double a = 0.25 * g * g, c = g * psi, pivot = 1.0 + a * q;
    t->f[i] = (a * t->free[i] + c) / pivot;
    t->r[i] = (t->free[i] - q * c) / pivot;
    const double next = fabs(psi + 0.5 * g * t->r[i]);
    t->g[i] = g;
    t->psi[i] = next < 1e-9 * psi ? 0.0 : next;
  }
}

// Any other rule, point by point.
static void solve_others(Group* t)
{
  for (uint32_t i = 0; i < t->count; ++i) {
    JwPoint* const point = t->point[i];
    JwStep* const step = &point->step;
    step->eta = t->eta[i], step->eta_prev = t->past[i], step->r_free = t->free[i];
    step->root = t->root[i], step->root_of = t->eta[i];
    if (t->closed[i]) {
      jw_point_solve(point);
      point->ops->finish(step);
    } else {
      step->r = step->r_free;
      step->f = step->g = 0.0;
    }
    t->g[i] = step->g, t->r[i] = step->r, t->f[i] = step->f, t->psi[i] = step->state->psi;
  }
}

// Push, and see where that leads.
static void push_group(const JwContact* contact, Group* t)
{
  double* const next = contact->string->next;
  const int side = contact->sign < 0.0;
  for (uint32_t i = 0; i < t->count; ++i) {
    const JwPoint* const point = t->point[i];
    double* const u = &next[t->offset[i]];
    *u -= contact->sign * (point->side[side].spread[0] * t->f[i]);
    t->later[i] = contact->sign * *u + point->rest;
  }
  roots(contact, t->count, t->later, t->later_root);
}

static void step_group(JwContact* contact, Group* t)
{
  read_group(contact, t);
  now_roots(contact, t);
  if (contact->law.rule == JW_RULE_BOUNDED && contact->law.loss == 0.0) {
    solve_bounded(contact, t);
  } else {
    solve_others(t);
  }
  push_group(contact, t);
  // The psi that the potential asks for after the step, with the bits of jw_potential().
  const double scale = t->point[0]->step.scale * contact->law.stiffness / (contact->law.exponent + 1.0);
  double wanted[GROUP];
  for (uint32_t i = 0; i < t->count; ++i) {
    const double y = t->later_root[i] * t->later[i], x = t->root[i] * t->eta[i];
    wanted[i] = sqrt(scale * (y * y) + scale * (x * x));
  }
  for (uint32_t i = 0; i < t->count; ++i) {
    JwPoint* const point = t->point[i];
    JwStep* const step = &point->step;
    point->closed = t->closed[i];
    step->eta = t->eta[i], step->eta_next = t->later[i], step->f = t->f[i];
    step->root_of = t->later[i], step->root = t->later_root[i];
    step->state->psi = t->psi[i];
    note_collision(step, point->closed, wanted[i]);
    contact->bar[t->offset[i]] = bar_of(point);
  }
}

void jw_watch_step(JwWorld* world, JwComponent* component)
{
  for (uint32_t i = 0; i < component->watched_count; ++i) {
    JwContact* const contact = jw_contact_at(world, component->watched[i]);
    const JwObject* const string = contact->string;
    const uint32_t hits = string->grid.string.kernel.lanes->over(string->size, contact->sign, string->now,
                                                                 contact->bar, component->hits);
    for (uint32_t j = 0; j < hits;) {
      Group group;
      for (group.count = 0; group.count < GROUP && j < hits; ++group.count, ++j) {
        group.offset[group.count] = component->hits[j];
        group.point[group.count] = &world->points[contact->at[component->hits[j]]];
      }
      step_group(contact, &group);
    }
  }
}
