// SPDX-License-Identifier: MIT
// What drives a component: forces of exciters, weight, bows.

#include "step/step.h"

#include <math.h>

static double raised_cosine(double phase) {
  return 0.5 * (1.0 - jw_cos(2.0 * JW_PI * phase));
}

// A frame stands for the time from half a step before it to half a step after.  Smooth shapes are
// taken at the frame; where a force jumps, the frame gets the part of its time that lies on either
// side, so that the impulse is that of the force asked for and the error is of second order,
// wherever between two frames the jump lies.

static double covered(double from, double to) {
  return to <= from ? 0.0 : fmin(to - from, 1.0);
}

// Force of an exciter at a frame.
static double force_at(const JwForce* force, const JwForceState* state, uint64_t frame) {
  const double age = (double)frame - state->start, frames = force->frames;
  if (age <= -0.5 || age >= frames + 0.5) {
    return 0.0;
  }
  switch (force->def.shape) {
  case JW_FORCE_PULSE:
    return age < 0.0 || age > frames ? 0.0 : state->amplitude * raised_cosine(age / frames);
  case JW_FORCE_PLUCK: {
    const double rise = raised_cosine(0.5 * fmin(fmax(age, 0.0), frames) / frames);
    return state->amplitude * rise * covered(age - 0.5, frames);
  }
  case JW_FORCE_STEADY:
    return state->amplitude * covered(fmax(age - 0.5, 0.0), fmin(age + 0.5, frames));
  case JW_FORCE_SIGNAL:
    return age < 0.0 || age >= frames ? 0.0 : state->amplitude * (double)force->signal[(size_t)age];
  }
  return 0.0;
}

static JW_REALTIME bool enter(JwWorld* world, JwComponent* component) {
  (void)world;
  component->press_count = 0;
  return component->force_count > 0;
}

static JW_REALTIME void step(JwWorld* world, JwComponent* component) {
  component->press_count = 0;
  for (uint32_t i = 0; component->forced && i < component->force_count; ++i) {
    const JwForce* const force = jw_force_at(world, component->forces[i]);
    JwForceState* const state = &world->force_states[component->forces[i]];
    state->force = force_at(force, state, component->state->frame);
    if (state->force != 0.0) {
      if (!force->side.object->tied) { // Those are advanced later (hub.c), and pushed there
        jw_side_push(&force->side, state->force);
      }
      component->presses[component->press_count++] = (JwPressing){&force->side, state->force};
    }
  }
}

const JwStage jw_forces_stage = {"forces", enter, step, NULL};

static bool bow_drives(const JwComponent* component) {
  for (uint32_t i = 0; i < component->point_count; ++i) {
    const JwPoint* const point = component->points[i];
    const JwLawParams* const law = point->step.law;
    if (point->ops->drives && law->force > 0.0 && law->speed != 0.0) {
      return true;
    }
  }
  return false;
}

JW_REALTIME bool jw_component_pushed(const JwWorld* world, const JwComponent* component) {
  const uint64_t frame = component->state->frame;
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const uint32_t index = component->forces[i];
    if (force_at(jw_force_at(world, index), &world->force_states[index], frame) != 0.0) {
      return true;
    }
  }
  return bow_drives(component);
}

JW_REALTIME bool jw_component_driven(const JwWorld* world, const JwComponent* component) {
  for (uint32_t i = 0; i < component->object_count; ++i) {
    if (jw_object_weight(component->objects[i]) != 0.0) {
      return true;
    }
  }
  return jw_component_pushed(world, component);
}

// Will a force be over, or not yet begun, for the frames to come?
static bool is_silent(const JwWorld* world, uint32_t index, uint64_t frame, uint32_t count) {
  const JwForce* const force = jw_force_at(world, index);
  const JwForceState* const state = &world->force_states[index];
  const double age = (double)frame - state->start;
  return state->amplitude == 0.0 || age + (double)count <= 0.5 || age >= force->frames + 0.5;
}

JW_REALTIME bool jw_component_sleeps(const JwWorld* world, const JwComponent* component,
                                     uint32_t count) {
  const uint64_t frame = component->state->frame;
  if (component->state->awake || component->moving_count
      || component->state->next_throw < frame + count) {
    return false;
  }
  for (uint32_t i = 0; i < component->force_count; ++i) {
    if (!is_silent(world, component->forces[i], frame, count)) {
      return false;
    }
  }
  return !jw_component_pushed(world, component);
}

JW_REALTIME void jw_forces_chunk(const JwWorld* world, JwComponent* component, uint32_t count) {
  component->forced = component->moving_count > 0; // Then a force may be moved as well
  for (uint32_t i = 0; i < component->force_count; ++i) {
    const uint32_t index = component->forces[i];
    component->forced =
        component->forced || !is_silent(world, index, component->state->frame, count);
    world->force_states[index].force = component->forced ? world->force_states[index].force : 0.0;
  }
}
