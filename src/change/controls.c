// SPDX-License-Identifier: MIT
// Numbers that change while the world runs: curves given beforehand, and commands from another
// thread.
//
// A controlled number is a straight line from one frame to another, or a curve: a function of the
// frame alone, so that block sizes do not matter and a snapshot holds it whole.  Commands pass
// through a ring with one producer and one consumer, and are taken at block starts.

#include "change/change.h"
#include "object/kinds.h"
#include "step/step.h"

#include <math.h>

// ---------------------------------------------------------------- time

static double curve_value(const JwCurve* curve, double time) {
  const JwBreakpoint* const p = curve->points;
  if (time <= p[0].time) {
    return p[0].value;
  }
  uint32_t low = 0,
           high = curve->count - 1; // Bisection: the number of steps is bounded by the count
  if (time >= p[high].time) {
    return p[high].value;
  }
  while (high - low > 1) {
    const uint32_t mid = (low + high) / 2;
    *(p[mid].time <= time ? &low : &high) = mid;
  }
  return p[low].value
         + (p[high].value - p[low].value) * ((time - p[low].time) / (p[high].time - p[low].time));
}

static const JwObject* slot_string(const JwWorld* world, uint32_t slot) {
  return jw_object_at(world, slot / JW_CONTROL_COUNT);
}

static double as_scale(const JwWorld* world, uint32_t slot, JwControl scale, double value) {
  return scale == slot % JW_CONTROL_COUNT
             ? value
             : jw_string_tension_as(slot_string(world, slot), scale, value);
}

// Where the line of a slot is, in its scale.
static double line_value(const JwWorld* world, uint32_t slot, uint64_t frame) {
  const JwRamp* const ramp = &world->ramps[slot];
  if (ramp->by_curve) {
    return curve_value(world->curve_of[slot], (double)frame * world->k);
  }
  if (frame - ramp->start >= ramp->length) {
    return ramp->to;
  }
  return ramp->from
         + (ramp->to - ramp->from) * ((double)(frame - ramp->start) / (double)ramp->length);
}

// The controlled number itself.
static double slot_value(const JwWorld* world, uint32_t slot, uint64_t frame) {
  const JwControl scale = (JwControl)world->ramps[slot].scale;
  const double value = line_value(world, slot, frame);
  return scale == slot % JW_CONTROL_COUNT
             ? value
             : jw_string_tension_of(slot_string(world, slot), scale, value);
}

static bool slot_done(const JwWorld* world, uint32_t slot, uint64_t frame) {
  const JwRamp* const ramp = &world->ramps[slot];
  if (ramp->by_curve) {
    const JwCurve* const curve = world->curve_of[slot];
    return (double)frame * world->k >= curve->points[curve->count - 1].time;
  }
  return frame - ramp->start >= ramp->length;
}

// In the order of slots, whenever they started: two controls of one contact do not commute to the
// bit, and a restored world must apply them as the first one did.
static void start_moving(JwWorld* world, uint32_t slot) {
  if (world->is_moving[slot] || world->slot_component[slot] == JW_NONE) {
    return;
  }
  JwComponent* const component = &world->components[world->slot_component[slot]];
  uint32_t i = component->moving_count++;
  for (; i > 0 && component->moving[i - 1] > slot; --i) {
    component->moving[i] = component->moving[i - 1];
  }
  component->moving[i] = slot;
  world->is_moving[slot] = true;
}

JW_REALTIME void jw_change_step(JwWorld* world, JwComponent* component) {
  const uint64_t frame = component->state->frame;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < component->moving_count; ++i) {
    const uint32_t slot = component->moving[i];
    jw_control_apply(world, slot, slot_value(world, slot, frame));
    component->state->awake = true;
    if (slot_done(world, slot, frame)) {
      world->is_moving[slot] = false;
    } else {
      component->moving[kept++] = slot;
    }
  }
  component->moving_count = kept;
  if (frame == component->state->next_throw) {
    component->state->next_throw = UINT64_MAX;
    for (uint32_t i = 0; i < world->throws.count; ++i) {
      const JwThrow* const item = JW_AT(world->throws, JwThrow, i);
      JwObject* const mass = jw_object_at(world, item->mass);
      if (&world->components[mass->component] != component) {
        continue;
      }
      if (item->frame == frame) {
        jw_mass_throw(world, mass, item->position, item->velocity);
      } else if (item->frame > frame && item->frame < component->state->next_throw) {
        component->state->next_throw = item->frame;
      }
    }
    component->state->awake = true;
  }
}

void jw_controls_start(JwWorld* world) {
  for (uint32_t i = 0; i < world->component_count; ++i) {
    world->components[i].moving_count = 0;
    world->components[i].state->next_throw = UINT64_MAX;
  }
  for (uint32_t i = 0; i < world->throws.count; ++i) {
    const JwThrow* const item = JW_AT(world->throws, JwThrow, i);
    JwComponentState* const state =
        world->components[jw_object_at(world, item->mass)->component].state;
    state->next_throw = item->frame < state->next_throw ? item->frame : state->next_throw;
  }
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    JwRamp* const ramp = &world->ramps[slot];
    world->is_moving[slot] = false;
    ramp->by_curve = world->curve_of[slot] != NULL;
    ramp->scale = (uint8_t)(ramp->by_curve ? (uint32_t)world->curve_of[slot]->target.control
                                           : slot % JW_CONTROL_COUNT);
    ramp->from = ramp->to =
        ramp->by_curve ? curve_value(world->curve_of[slot], 0.0) : jw_control_get(world, slot);
    ramp->start = ramp->length = 0;
    if (ramp->by_curve) {
      jw_control_apply(world, slot, slot_value(world, slot, 0));
      start_moving(world, slot);
    }
  }
}

JW_REALTIME void jw_controls_restore(JwWorld* world) {
  for (uint32_t i = 0; i < world->component_count; ++i) {
    world->components[i].moving_count = 0;
  }
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    world->is_moving[slot] = false;
    if (world->slot_component[slot] == JW_NONE) {
      continue;
    }
    // What was applied last was the value of the frame before; the next step applies this frame's.
    const uint64_t frame = *world->frame;
    jw_control_apply(world, slot, slot_value(world, slot, frame ? frame - 1 : 0));
    if (frame == 0 || !slot_done(world, slot, frame - 1)) {
      start_moving(world, slot);
    }
  }
}

JW_REALTIME JwStatus jw_world_get(const JwWorld* world, JwTarget target, double* value) {
  if (!world || !value) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!world->prepared) {
    return JW_STATUS_BAD_ORDER;
  }
  const uint32_t slot = jw_slot_index(world, target);
  if (slot == JW_NONE) {
    return JW_STATUS_BAD_REFERENCE;
  }
  *value = as_scale(world, slot, target.control, slot_value(world, slot, *world->frame));
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- commands

static JwStatus send(JwWorld* world, JwCommand command) {
  JwQueue* const queue = &world->queue;
  const uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
  if (tail - atomic_load_explicit(&queue->head, memory_order_acquire) >= queue->size) {
    return JW_STATUS_FULL;
  }
  queue->items[tail & (queue->size - 1)] = command;
  atomic_store_explicit(&queue->tail, tail + 1, memory_order_release);
  return JW_STATUS_OK;
}

JW_REALTIME JwStatus jw_world_set(JwWorld* world, JwTarget target, double value, double seconds) {
  if (!world || !world->prepared) {
    return world ? JW_STATUS_BAD_ORDER : JW_STATUS_BAD_VALUE;
  }
  const uint32_t slot = jw_slot_index(world, target);
  if (slot == JW_NONE || world->slot_component[slot] == JW_NONE) {
    return JW_STATUS_BAD_REFERENCE;
  }
  if (!jw_slot_valid(world, target, value) || !(seconds >= 0.0 && seconds <= 1e6)) {
    return JW_STATUS_BAD_VALUE;
  }
  const JwCommand command = {JW_COMMAND_SET, slot, target.control, value, seconds};
  return send(world, command);
}

JW_REALTIME bool jw_world_allows(const JwWorld* world, JwTarget target, double value) {
  return world && world->prepared && jw_slot_index(world, target) != JW_NONE
         && jw_slot_valid(world, target, value);
}

JW_REALTIME JwStatus jw_world_throw(JwWorld* world, JwObjectId mass, double position,
                                    double velocity) {
  if (!world || !world->prepared) {
    return world ? JW_STATUS_BAD_ORDER : JW_STATUS_BAD_VALUE;
  }
  if (mass.index == 0 || mass.index > world->objects.count
      || !jw_object_can_be_thrown(jw_object_at(world, mass.index - 1))) {
    return JW_STATUS_BAD_REFERENCE;
  }
  if (!(fabs(position) <= 1e6 && fabs(velocity) <= 1e6)) {
    return JW_STATUS_BAD_VALUE;
  }
  const JwCommand command = {JW_COMMAND_THROW, mass.index - 1, JW_CONTROL_COUNT, position,
                             velocity};
  return send(world, command);
}

JW_REALTIME JwStatus jw_world_trigger(JwWorld* world, JwExciterId exciter, double amplitude) {
  if (!world || !world->prepared) {
    return world ? JW_STATUS_BAD_ORDER : JW_STATUS_BAD_VALUE;
  }
  if (exciter.index == 0 || exciter.index > world->forces.count) {
    return JW_STATUS_BAD_REFERENCE;
  }
  if (!(fabs(amplitude) <= 1e6)) {
    return JW_STATUS_BAD_VALUE;
  }
  const JwCommand command = {JW_COMMAND_TRIGGER, exciter.index - 1, JW_CONTROL_COUNT, amplitude,
                             0.0};
  return send(world, command);
}

static void take_set(JwWorld* world, const JwCommand* command, uint64_t frame) {
  JwRamp* const ramp = &world->ramps[command->slot];
  const bool same = ramp->scale == command->scale;
  ramp->from = same ? line_value(world, command->slot, frame)
                    : as_scale(world, command->slot, command->scale,
                               slot_value(world, command->slot, frame));
  ramp->scale = (uint8_t)command->scale;
  ramp->to = command->a;
  ramp->start = frame;
  ramp->length = (uint64_t)(command->b / world->k + 0.5);
  ramp->by_curve = false;
  start_moving(world, command->slot);
}

static void take_throw(JwWorld* world, const JwCommand* command) {
  JwObject* const mass = jw_object_at(world, command->slot);
  JwComponent* const component = &world->components[mass->component];
  jw_mass_throw(world, mass, command->a, command->b);
  component->state->awake = true;
}

// The amplitude is a control too: a ramp sent later starts from here.
static void take_trigger(JwWorld* world, const JwCommand* command, uint64_t frame) {
  JwForceState* const state = &world->force_states[command->slot];
  const JwTarget target = {JW_CONTROL_FORCE, {0}, {0}, {command->slot + 1}, {0}};
  JwRamp* const ramp = &world->ramps[jw_slot_index(world, target)];
  state->amplitude = ramp->from = ramp->to = command->a;
  ramp->start = frame;
  state->start = (double)frame;
  ramp->length = 0;
  ramp->by_curve = false;
}

JW_REALTIME void jw_controls_block(JwWorld* world) {
  JwQueue* const queue = &world->queue;
  const uint64_t frame = *world->frame;
  const uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
  for (; head != tail; ++head) {
    const JwCommand* const command = &queue->items[head & (queue->size - 1)];
    switch (command->kind) {
    case JW_COMMAND_SET: take_set(world, command, frame); break;
    case JW_COMMAND_THROW: take_throw(world, command); break;
    case JW_COMMAND_TRIGGER: take_trigger(world, command, frame); break;
    }
  }
  atomic_store_explicit(&queue->head, head, memory_order_release);
}
