// SPDX-License-Identifier: MIT
// One component, one sample: its stages in turn (step.h has their list).

#include "step/step.h"

#include "change/change.h"
#include "ledger/ledger.h"
#include "prepare/prepare.h"

// ---------------------------------------------------------------- objects

static JW_REALTIME void advance(JwWorld* world, JwComponent* component) {
  (void)world;
  for (uint32_t i = 0; i < component->lone_count; ++i) {
    JwObject* const object = component->lone[i];
    object->ops->advance(object, object->level[JW_NEXT], object->level[JW_NOW],
                         object->level[JW_PREV]);
  }
}

// Those that are tied have been taken by then: special stages enter first.
static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  (void)world;
  component->lone_count = 0;
  for (uint32_t i = 0; i < component->object_count; ++i) {
    if (!component->objects[i]->tied) {
      component->lone[component->lone_count++] = component->objects[i];
    }
  }
  return true;
}

static const JwStage advance_stage = {"advance", enter, advance, NULL};

static void turn(JwComponent* component, uint32_t frames, JwObject* const* objects,
                 uint32_t count) {
  component->state->frame += frames;
  const size_t now = component->state->frame % 3, prev = now ? now - 1 : 2, next = 3 - now - prev;
  for (uint32_t i = 0; i < count; ++i) {
    JwObject* const object = objects[i];
    object->level[JW_PREV] = object->buffer[prev];
    object->level[JW_NOW] = object->buffer[now];
    object->level[JW_NEXT] = object->buffer[next];
  }
}

JW_REALTIME void jw_component_turn(JwComponent* component, uint32_t frames) {
  turn(component, frames, component->objects, component->object_count);
}

// ---------------------------------------------------------------- the plan

static const JwStage* const stages[] = {&advance_stage, &jw_forces_stage, &jw_places_stage,
                                        &jw_hub_stage,  &jw_along_stage,  &jw_ledger_stage};
#define STAGES (sizeof stages / sizeof stages[0])
_Static_assert(STAGES <= JW_MOST_STAGES, "a plan has room for all stages");

JW_REALTIME void jw_component_leave(JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->stage_count; ++i) {
    if (component->stages[i]->leave) {
      component->stages[i]->leave(world, component);
    }
  }
}

JW_REALTIME void jw_disturb(JwWorld* world, JwComponent* component, JwDisturbance what) {
  jw_component_leave(world, component);
  if (what != JW_CHANGED_LAW) { // Stages read laws where they are, once they have left
    component->disturbed |= (uint32_t)what;
  }
}

// What sides keep of what they read.
static void reread(const JwWorld* world, JwComponent* component) {
  for (uint32_t i = 0; i < component->point_count; ++i) {
    if (!component->points[i]->dense) {
      jw_point_reread(component->points[i]);
    }
  }
  for (uint32_t i = 0; i < component->pickup_count; ++i) {
    jw_side_reread(&jw_pickup_at(world, component->pickups[i])->side);
  }
}

static JW_APART void enter_stages(JwWorld* world, JwComponent* component) {
  if (component->disturbed & JW_MOVED_PORT) {
    jw_islands_build(world, component);
  }
  component->disturbed = 0;
  bool takes_part[STAGES];
  for (size_t i = STAGES; i-- > 0;) {
    takes_part[i] = !stages[i]->enter || stages[i]->enter(world, component);
  }
  component->stage_count = 0;
  for (size_t i = 0; i < STAGES; ++i) {
    if (takes_part[i]) {
      component->stages[component->stage_count++] = stages[i];
    }
  }
  reread(world, component);
}

// ---------------------------------------------------------------- one sample

JW_REALTIME JW_HOT void jw_component_step(JwWorld* world, JwComponent* component) {
  JwComponentState* const state = component->state;
  if (JW_RARELY(component->moving_count || state->frame == state->next_throw)) {
    jw_change_step(world, component);
  }
  if (JW_RARELY(!state->awake) && !jw_component_pushed(world, component)) {
    jw_component_turn(component, 1);
    return;
  }
  state->awake = true;
  if (JW_RARELY(component->disturbed)) {
    enter_stages(world, component);
  }
  for (uint32_t i = 0; i < component->stage_count; ++i) {
    component->stages[i]->step(world, component);
  }
  turn(component, 1, component->lone, component->lone_count);
  if (JW_RARELY(state->frame % JW_REST_FRAMES == 0)) {
    jw_ledger_look(world, component);
    jw_component_rest(world, component);
  }
}
