// SPDX-License-Identifier: MIT
// Running: blocks of any size, components one after the other in chunks, output by pickup.

#include "change/change.h"
#include "listen/listen.h"
#include "step/step.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Outputs below this are written as zero, so that nothing depends on how tiny numbers are flushed.
#define SILENCE 1e-37

uint32_t jw_world_channels(const JwWorld* world) {
  if (!world) {
    return 0;
  }
  return world->def.channels ? world->def.channels : world->pickups.count;
}

JW_REALTIME uint64_t jw_world_frame(const JwWorld* world) {
  return world && world->prepared ? *world->frame : 0;
}

static JW_HOT void run_component(JwWorld* world, JwComponent* component, uint32_t count) {
  if (jw_component_sleeps(world, component, count)) {
    jw_listen_asleep(world, component, count);
    jw_component_turn(component, count);
    return;
  }
  component->silent = false;
  jw_forces_chunk(world, component, count);
  uint32_t given = 0;
  for (uint32_t i = 0; i < count; ++i) {
    jw_component_step(world, component);
    jw_listen(world, component, i);
    if (component->moving_count) { // Gains as well, perhaps
      jw_listen_scale(world, component, given, i + 1);
      given = i + 1;
    }
  }
  jw_listen_scale(world, component, given, count);
  jw_component_leave(world, component);
}

typedef struct {
  JwWorld* world;
  uint32_t count;
} Part;

static JW_REALTIME void run_part(void* data, uint32_t i) {
  const Part* const part = (const Part*)data;
  run_component(part->world, &part->world->components[i], part->count);
}

// Run up to JW_CHUNK frames into the chunk; false when anything stopped being finite.
static bool run_chunk(JwWorld* world, uint32_t count) {
  const uint32_t channels = jw_world_channels(world);
  memset(world->mixed, 0, (size_t)JW_CHUNK * channels * sizeof(double));
  bool finite = true;
  Part part = {world, count};
  if (world->threads && world->component_count > 1 && world->component_count < 1u << 23) {
    jw_pool_run(world->threads, run_part, &part, world->component_count);
  } else {
    for (uint32_t i = 0; i < world->component_count; ++i) {
      run_part(&part, i);
    }
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    jw_listen_mix(world, &world->components[i], count);
    finite = finite && !world->components[i].state->failed;
  }
  if (world->room) {
    jw_room_run(world, world->room, count);
  }
  *world->frame += count;
  for (uint32_t c = 0; c < channels; ++c) {
    finite =
        jw_silence(count, world->mixed + (size_t)JW_CHUNK * c, SILENCE, (double)FLT_MAX) && finite;
  }
  if (!finite && world->component_count) {
    world->components[0].state->failed = true;
  }
  return finite;
}

static bool failed(const JwWorld* world) {
  for (uint32_t i = 0; i < world->component_count; ++i) {
    if (world->components[i].state->failed) {
      return true;
    }
  }
  return false;
}

typedef struct {
  float* const* single;
  double* const* full;
} Output;

static void write_out(const JwWorld* world, Output out, uint32_t at, uint32_t count, bool silent) {
  const uint32_t channels = jw_world_channels(world);
  for (uint32_t c = 0; c < channels; ++c) {
    const double* restrict const from = world->mixed + (size_t)JW_CHUNK * c;
    if (out.single && out.single[c]) {
      float* restrict const to = out.single[c] + at;
      for (uint32_t i = 0; i < count; ++i) {
        to[i] = silent ? 0.0f : (float)from[i];
      }
    } else if (out.full && out.full[c]) {
      double* restrict const to = out.full[c] + at;
      for (uint32_t i = 0; i < count; ++i) {
        to[i] = silent ? 0.0 : from[i];
      }
    }
  }
}

// Only copied: formatting a sentence may take memory.
#define BEFORE_PREPARE "run before prepare"
#define CANCELLED "run was cancelled"

JW_REALTIME void jw_world_cancel(JwWorld* world) {
  if (world) {
    atomic_store_explicit(&world->cancelled, true, memory_order_relaxed);
  }
}

static JwStatus run(JwWorld* world, Output out, uint32_t count) {
  if (!world->prepared) {
    memcpy(world->error, BEFORE_PREPARE, sizeof BEFORE_PREPARE);
    return JW_STATUS_BAD_ORDER;
  }
  if (count == 0) {
    return failed(world) ? JW_STATUS_NOT_FINITE
                         : JW_STATUS_OK; // No block: commands wait for the next
  }
  jw_controls_block(world);
  bool finite = !failed(world);
  bool cancelled = false;
  for (uint32_t at = 0, part; at < count; at += part) {
    part = count - at < world->chunk_frames ? count - at : world->chunk_frames;
    cancelled =
        cancelled || atomic_exchange_explicit(&world->cancelled, false, memory_order_relaxed);
    finite = finite && (cancelled || run_chunk(world, part));
    write_out(world, out, at, part, !finite || cancelled);
  }
  if (cancelled) {
    memcpy(world->error, CANCELLED, sizeof CANCELLED);
  }
  if (!finite) {
    return JW_STATUS_NOT_FINITE;
  }
  return cancelled ? JW_STATUS_CANCELLED : JW_STATUS_OK;
}

// Two threads that run one world would tear it apart: the second is sent away.
static JwStatus run_alone(JwWorld* world, Output out, uint32_t count) {
  if (!world) {
    return JW_STATUS_BAD_VALUE;
  }
  if (atomic_exchange_explicit(&world->running, true, memory_order_acquire)) {
    return JW_STATUS_BAD_ORDER;
  }
  const JwStatus status = run(world, out, count);
  atomic_store_explicit(&world->running, false, memory_order_release);
  return status;
}

JW_REALTIME JwStatus jw_world_run(JwWorld* world, float* const* out, uint32_t count) {
  const Output output = {out, NULL};
  return run_alone(world, output, count);
}

JW_REALTIME JwStatus jw_world_run_double(JwWorld* world, double* const* out, uint32_t count) {
  const Output output = {NULL, out};
  return run_alone(world, output, count);
}
