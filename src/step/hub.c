// SPDX-License-Identifier: MIT
// Banks of modes that are tied to one thing: the strings of a piano on its soundboard.
//
// All of them are one island, since every force on the hub moves every bank.  But a pin is linear,
// and its slope does not change: that part of the island is eliminated once, and a sample needs one
// product with a matrix of places on the hub.
//
//   symbol  here        meaning                                                     unit
//   r, r*   r, free     how far a pin moves over the step; were nothing to push     m
//   a, c    a, g psi    f = a r + c, the law of a pin (2.1)                         N/m, N
//   b       q           compliance of a bank at its pin                             m/N
//   C       compliance  of the hub, between its places                              m/N
//   E       stiff       sum of a/(1 + a b) over the pins of a place                 N/m
//   z       sums        sum of (a r* + c)/(1 + a b) over the pins of a place        N
//   h       yields      how far the pins move the hub in one sample                 m
//
// With r = r* - b f - h and h = C F, F the sum of f over the pins of a place,
//
//   f = (a (r* - h) + c)/(1 + a b),   h = C' z,   C' = C (1 + E C)^-1                 (2.12)
//
// C' comes from C by (2.5), place after place, whenever a law has changed.  A drag, a linear damper
// on a bank, is eliminated before its pin: with f_d = y (r_d* - x f), y its force for each metre
// and
// x the compliance between the two, the pin has b - x y x and r* - x y r_d*.
//
// What opens and closes is solved anew (island.c), with drags and pins in place: point i, which a
// pin's force moves by x_i,
//
//   r*_i - x_i f,   B_ij - x_i M x_j,   M = a/(1 + a b) - a/(1 + a b) C' a/(1 + a b)   (2.13)
//
// and its force changes z by -x_i a/(1 + a b) f_i.  Of most points nothing need be read.  A bank's
// energy bounds how far it can be at a place, and a push of f moves that bound by less than a
// constant times |f|, which is added up.  While bound and gap do not meet, the point is open.
//
// Pushes on a bank are added by the next pass over its modes (kernel/tied.h), or when the stage
// leaves; both round alike, so it does not matter when.  Tested by test_hub.c.

#include "step/hub.h"

#include "ledger/ledger.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- a sample begins

// After the stage has been entered the sides have been read anew; after it has left, laws may be
// others.
static void refresh(JwComponent* component, JwHub* hub) {
  if (jw_hub_is_stale(hub)) {
    (void)jw_hub_factor(hub);
  }
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    hub->by.psi[i] = leaf->sign * leaf->pin->step.state->psi;
    if (hub->fresh) {
      jw_hub_look(hub, i);
    }
  }
  if (hub->fresh) {
    jw_hub_look_again(hub, component->state->frame);
  }
  hub->fresh = hub->left = false;
}

static void spread_out(const JwHub* hub, const double* by_place) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    hub->by.hub[i] = by_place[hub->place[i]];
  }
}

static void add_up(const JwHub* hub, const double* by_leaf, double* by_place) {
  for (uint32_t p = 0, i = 0; p < hub->places; ++p) {
    double sum = 0.0;
    for (; i < hub->first_leaf[p + 1]; ++i) {
      sum += by_leaf[i];
    }
    by_place[p] = sum;
  }
}

static void read_drags(JwHub* hub) {
  const JwDrags* const drags = &hub->drags;
  for (uint32_t i = 0; i < hub->count; ++i) {
    if (jw_hub_is_dragged(hub, i)) {
      drags->free[i] = hub->ties[1].moved[i];
      hub->by.given[i] = drags->to_pin[i] * drags->yield[i] * drags->free[i];
    }
  }
}

// r* of the pins, and z.
static void read_pins(JwHub* hub, const JwTiedLanes* lanes) {
  const JwObject* const object = hub->object;
  for (uint32_t m = 0; m < object->dofs; ++m) {
    hub->padded[m] = object->level[JW_NEXT][m] - object->level[JW_PREV][m];
  }
  lanes->rows(hub->places, hub->width, hub->rows, hub->padded, hub->moved);
  if (hub->drawn) {
    read_drags(hub);
  }
  spread_out(hub, hub->moved);
  lanes->read(hub->count, &hub->by, &hub->ties[0]);
  add_up(hub, hub->by.sum, hub->sums);
  lanes->rows(hub->places, hub->stride, hub->inner, hub->sums, hub->yields);
}

// ---------------------------------------------------------------- exciters

static uint32_t pressed_leaf(const JwHub* hub, const JwPressing* press) {
  for (uint32_t i = 0; press->side->object->tied && i < hub->count; ++i) {
    if (hub->leaves[i].tie->object == press->side->object) {
      return i;
    }
  }
  return JW_NONE;
}

// Before the banks move: they are awake while exciters push them.
static void wake_pressed(const JwComponent* component, JwHub* hub, JwRoles roles) {
  for (uint32_t i = 0; i < component->press_count; ++i) {
    const uint32_t leaf = pressed_leaf(hub, &component->presses[i]);
    if (leaf != JW_NONE) {
      jw_hub_wake(hub, leaf, roles);
    }
  }
}

// After: the push moves the pin and the drag as well, which have been read by then.
static void press(const JwComponent* component, JwHub* hub) {
  for (uint32_t i = 0; i < component->press_count; ++i) {
    const JwPressing* const pressing = &component->presses[i];
    const uint32_t leaf = pressed_leaf(hub, pressing);
    for (int p = 0; leaf != JW_NONE && p < 2; ++p) {
      const JwSide* const at = p ? hub->leaves[leaf].hold : hub->leaves[leaf].tie;
      hub->ties[p].moved[leaf] +=
          at ? pressing->force * jw_side_compliance(at, pressing->side) : 0.0;
    }
    if (leaf != JW_NONE) {
      jw_side_push(pressing->side, pressing->force);
    }
  }
}

// ---------------------------------------------------------------- pins

static void solve_drags(JwHub* hub, double* push) {
  const JwDrags* const drags = &hub->drags;
  const JwPins* const by = &hub->by;
  for (uint32_t i = 0; i < hub->count; ++i) {
    const double f =
        drags->yield[i] * ((drags->free[i] - drags->to_pin[i] * by->f[i]) - drags->given[i]);
    drags->f[i] = f;
    drags->given[i] = 0.0;
    drags->most[i] = fmax(drags->most[i], hub->leaves[i].drag_sign * f);
    drags->acted[i] += f != 0.0 ? 1.0 : 0.0;
    push[i] = by->scale[i] * f * by->keep[i];
    by->bound[i] += by->reach[i] * fabs(f);
  }
}

// Banks that are awake are pushed at once.
static void push_now(JwHub* hub, uint32_t i) {
  const JwLeaf* const leaf = &hub->leaves[i];
  double* const next = leaf->tie->object->level[JW_NEXT];
  jw_hub_add_push(leaf->tie, -hub->by.scale[i] * hub->by.f[i], next);
  if (jw_hub_is_dragged(hub, i)) {
    jw_hub_add_push(leaf->hold, -hub->by.scale[i] * hub->drags.f[i], next);
  }
}

// Forces of the pins and drags, what they remember, and what the hub gets.
static void solve_pins(JwHub* hub, const JwTiedLanes* lanes) {
  spread_out(hub, hub->yields);
  hub->near = lanes->solve(hub->count, &hub->by, hub->ties[0].push);
  if (hub->drawn) {
    solve_drags(hub, hub->ties[1].push);
  }
  add_up(hub, hub->by.f, hub->forces);
  for (uint32_t i = 0; hub->busy && i < hub->count; ++i) {
    if (hub->leaves[i].awake) {
      push_now(hub, i);
    }
  }
  memset(hub->padded, 0, hub->width * sizeof(double));
  lanes->columns(hub->places, hub->width, hub->spreads, hub->forces, hub->padded);
  for (uint32_t m = 0; m < hub->object->dofs; ++m) {
    hub->object->level[JW_NEXT][m] += hub->padded[m];
  }
}

// For pickups that listen to forces.
static void tell(const JwHub* hub) {
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    if (leaf->listened) {
      leaf->pin->step.state->force = leaf->sign * hub->by.f[i];
    }
    if (leaf->listened && leaf->drag) {
      leaf->drag->step.state->force =
          leaf->drag_sign * (jw_hub_is_dragged(hub, i) ? hub->drags.f[i] : 0.0);
    }
  }
}

// ---------------------------------------------------------------- the ledger

// What the modes lost in the sample before, which their pass has summed.
static void book_modes(JwComponent* component, const JwHub* hub) {
  double lost = 0.0;
  for (uint32_t i = 0; i < hub->count; ++i) {
    lost += hub->lost[i];
  }
  jw_sum_add(&component->state->lost, lost);
}

// The same where no pass follows.
static void book_last(JwComponent* component, JwHub* hub) {
  for (uint32_t i = 0; hub->owes && i < hub->count; ++i) {
    const JwObject* const object = hub->leaves[i].tie->object;
    jw_sum_add(&component->state->lost,
               object->ops->dissipate(object, object->level[JW_NOW], object->level[JW_PREV],
                                      object->level[JW_NEXT]));
  }
  hub->owes = false;
}

// Of pins and drags: rate r^2/2 of each.
static void book_ties(JwComponent* component, const JwHub* hub) {
  const JwPins* const by = &hub->by;
  const JwDrags* const drags = &hub->drags;
  double lost = 0.0;
  for (uint32_t i = 0; i < hub->count; ++i) {
    lost += by->rate[i] * (by->r[i] * by->r[i]);
    if (jw_hub_is_dragged(hub, i)) {
      lost += drags->f[i] * drags->f[i] / drags->rate[i];
    }
  }
  jw_sum_add(&component->state->lost, 0.5 * lost);
}

// ---------------------------------------------------------------- the stage

// A pin or drag is closed while it has a force.
static void note_tie(JwPoint* point, double force, double most, double* acted) {
  JwPointState *const state = point->step.state, *const figures = point->step.figures;
  const uint64_t samples = (uint64_t)*acted;
  *acted = 0.0;
  state->force = force;
  figures->push = fmax(figures->push, most);
  figures->closures += state->closure == 0 && samples > 0;
  figures->closed_samples += samples;
  state->closure = samples ? state->closure + samples : 0;
  figures->longest_closure =
      state->closure > figures->longest_closure ? state->closure : figures->longest_closure;
  point->closed = false; // Its eta is read where it is asked for
}

static JW_REALTIME void leave(JwWorld* world, JwComponent* component) {
  (void)world;
  JwHub* const hub = component->hub;
  if (hub->left || hub->fresh) {
    return;
  }
  const JwRoles roles = jw_hub_roles(component->state->frame);
  jw_hub_settle(hub, roles.now);
  for (uint32_t i = 0; i < hub->count; ++i) {
    const JwLeaf* const leaf = &hub->leaves[i];
    jw_hub_set_levels(leaf->tie->object, roles);
    leaf->pin->step.state->psi = leaf->sign * hub->by.psi[i];
    note_tie(leaf->pin, leaf->sign * hub->by.f[i], hub->by.most[i], &hub->by.acted[i]);
    if (leaf->drag) {
      const double f = jw_hub_is_dragged(hub, i) ? leaf->drag_sign * hub->drags.f[i] : 0.0;
      note_tie(leaf->drag, f, hub->drags.most[i], &hub->drags.acted[i]);
    }
  }
  book_last(component, hub);
  hub->left = true;
}

static void find_listened(const JwWorld* world, JwHub* hub) {
  hub->listened = false;
  for (uint32_t i = 0; i < hub->count; ++i) {
    JwLeaf* const leaf = &hub->leaves[i];
    leaf->listened = jw_contact_at(world, leaf->pin->contact)->listened
                     || (leaf->drag && jw_contact_at(world, leaf->drag->contact)->listened);
    hub->listened = hub->listened || leaf->listened;
  }
}

static void mark_objects(const JwComponent* component, bool tied) {
  const JwHub* const hub = component->hub;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    component->objects[i]->tied = false;
  }
  for (uint32_t i = 0; tied && i < hub->count; ++i) {
    hub->leaves[i].tie->object->tied = true;
  }
}

static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  JwHub* const hub = component->hub;
  if (!hub) {
    return false;
  }
  if (hub->island) {
    leave(world, component);
  }
  if (!hub->island || !hub->island->hub) { // Islands have been found anew
    JwIsland* const island = jw_hub_find_island(component);
    hub->island = NULL;
    bool taken = island && !island->along && jw_hub_collect(world, component, hub, island);
    if (taken) {
      jw_hub_pack(hub);
      find_listened(world, hub);
      taken = jw_hub_factor(hub);
    }
    mark_objects(component, taken);
    if (!taken) {
      return false;
    }
    island->hub = true;
    hub->island = island;
  }
  hub->fresh = true;
  hub->left = false;
  return true;
}

static JW_REALTIME JW_HOT void step(JwWorld* world, JwComponent* component) {
  JwHub* const hub = component->hub;
  const JwTiedLanes* const lanes = hub->lanes;
  const uint64_t frame = component->state->frame;
  const JwRoles roles = jw_hub_roles(frame);
  if (JW_RARELY(hub->fresh || hub->left)) {
    refresh(component, hub);
  }
  if (JW_RARELY(hub->near || (hub->busy && frame % JW_HUB_LOOK_FRAMES == 0))) {
    jw_hub_look_again(hub, frame);
  }
  wake_pressed(component, hub, roles);
  for (uint32_t i = 0; hub->busy && i < hub->count; ++i) {
    if (hub->leaves[i].awake) {
      jw_hub_set_levels(hub->leaves[i].tie->object, roles);
    }
  }
  lanes->advance(hub->alike, hub->alike_count, roles, hub->ties, hub->owes ? hub->lost : NULL);
  if (hub->owes) {
    book_modes(component, hub);
  }
  hub->owes = world->def.ledger;
  press(component, hub);
  read_pins(hub, lanes);
  if (hub->busy) {
    jw_hub_solve_others(component, hub);
  }
  solve_pins(hub, lanes);
  if (hub->busy) {
    jw_hub_finish_others(world, component, hub);
  }
  if (world->def.ledger) {
    book_ties(component, hub);
  }
  if (JW_RARELY(hub->listened)) {
    tell(hub);
  }
}

const JwStage jw_hub_stage = {"hub", enter, step, leave};
