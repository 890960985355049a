// SPDX-License-Identifier: MIT
// Running: blocks of any size, components one after the other in chunks, output by pickup.

#include "world.h"

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

static double contact_force(const JwWorld* world, const JwContact* contact) {
  double sum = 0.0;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    sum += world->points[contact->first_point + i].step.state->force;
  }
  return sum;
}

// On modes one reading a frame: the other is the one before.
static double move_of(JwPickup* pickup, size_t now, bool heard) {
  const JwSide* const side = &pickup->side;
  const size_t before = now ? now - 1 : 2;
  if (JW_OFTEN(side->single)) {
    const double* const u = side->at[now];
    return side->carries ? u[1] : 0.0 + side->weight * (*u - *side->at[before]);
  }
  const double *const u = side->object->buffer[now], *const prev = side->object->buffer[before];
  if (!side->object->dense || side->carries) {
    return jw_side_step(side, u, prev);
  }
  const double past = heard ? pickup->u : jw_side_read(side, prev);
  pickup->u = jw_side_read(side, u);
  return pickup->u - past;
}

// What a pickup hears of the state in buffer `now`; of a velocity, k times that.
static inline double hear(const JwWorld* world, JwPickup* pickup, size_t now, bool heard) {
  const JwSide* const side = &pickup->side;
  switch (pickup->def.quantity) {
  case JW_QUANTITY_FORCE:
    return contact_force(world, jw_contact_at(world, pickup->def.contact.index - 1));
  case JW_QUANTITY_DISPLACEMENT: {
    return jw_side_read(side, side->object->buffer[now]) + jw_port_zero(side->object, side->grid);
  }
  case JW_QUANTITY_VELOCITY: return move_of(pickup, now, heard);
  }
  return 0.0;
}

// One row a pickup and side, added up when all components are done, so that the order of the sum
// does not depend on who was first.
static void hear_all(const JwWorld* world, JwComponent* component, uint32_t i) {
  const size_t now = component->state->frame % 3;
  const bool awake = component->state->awake;
  for (uint32_t p = 0; p < component->pickup_count; ++p) {
    JwPickup* const pickup = jw_pickup_at(world, component->pickups[p]);
    // What sleeps has no velocity, but it is still somewhere, and its contacts may be loaded.
    const bool sounds = awake || pickup->def.quantity != JW_QUANTITY_VELOCITY;
    world->heard[(size_t)2 * JW_CHUNK * component->pickups[p] + i] =
        JW_OFTEN(sounds) ? hear(world, pickup, now, component->heard) : 0.0;
  }
  component->heard = awake;
}

// From what was heard in frames `from` to `to` of the chunk to what is given.
static void give(const JwWorld* world, const JwComponent* component, uint32_t from, uint32_t to) {
  for (uint32_t p = 0; p < component->pickup_count; ++p) {
    const uint32_t pickup = component->pickups[p];
    double* restrict const left = world->heard + (size_t)2 * JW_CHUNK * pickup;
    double* restrict const right = left + JW_CHUNK;
    const bool stereo = world->def.channels == 2;
    const double unit =
        jw_pickup_at(world, pickup)->def.quantity == JW_QUANTITY_VELOCITY ? world->k : 1.0;
    const double gain = jw_pickup_gain(world, pickup, false),
                 other = jw_pickup_gain(world, pickup, true);
    for (uint32_t i = from; i < to; ++i) {
      left[i] /= unit;
    }
    for (uint32_t i = from; i < to && stereo; ++i) {
      right[i] = other * left[i];
    }
    for (uint32_t i = from; i < to; ++i) {
      left[i] *= gain;
    }
  }
}

static void mix(const JwWorld* world, const JwComponent* component, uint32_t count) {
  const uint32_t channels = world->def.channels;
  for (uint32_t p = 0; p < component->pickup_count && !component->silent; ++p) {
    const uint32_t pickup = component->pickups[p];
    for (uint32_t side = 0; side < (channels == 2 ? 2 : 1); ++side) {
      const double* restrict const row = world->heard + (2 * (size_t)pickup + side) * JW_CHUNK;
      double* restrict const out = world->chunk + (size_t)JW_CHUNK * (channels ? side : pickup);
      for (uint32_t i = 0; i < count; ++i) {
        out[i] += row[i];
      }
    }
  }
}

// What is heard of a sleeper, its places and loads, is the same in every frame: heard once.
static void sleep_through(const JwWorld* world, JwComponent* component, uint32_t count) {
  component->silent = true;
  hear_all(world, component, 0);
  for (uint32_t p = 0; p < component->pickup_count; ++p) {
    double* const row = world->heard + (size_t)2 * JW_CHUNK * component->pickups[p];
    component->silent = component->silent && row[0] == 0.0;
    for (uint32_t i = 1; i < count; ++i) {
      row[i] = row[0];
    }
  }
  if (!component->silent) {
    give(world, component, 0, count);
  }
  component->state->frame += count;
}

static JW_HOT void run_component(JwWorld* world, JwComponent* component, uint32_t count) {
  if (jw_component_sleeps(world, component, count)) {
    sleep_through(world, component, count);
    return;
  }
  component->silent = false;
  component->known = component->heard = false; // Between chunks anything may have been moved
  jw_component_forces(world, component, count);
  uint32_t given = 0;
  for (uint32_t i = 0; i < count; ++i) {
    jw_component_step(world, component);
    hear_all(world, component, i);
    if (component->moving_count) { // Gains as well, perhaps
      give(world, component, given, i + 1);
      given = i + 1;
    }
  }
  give(world, component, given, count);
  jw_watch_pause(world, component);
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
  memset(world->chunk, 0, (size_t)JW_CHUNK * channels * sizeof(double));
  bool finite = true;
  Part part = {world, count};
  if (world->pool && world->component_count > 1 && world->component_count < 1u << 23) {
    jw_pool_run(world->pool, run_part, &part, world->component_count);
  } else {
    for (uint32_t i = 0; i < world->component_count; ++i) {
      run_part(&part, i);
    }
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    mix(world, &world->components[i], count);
    finite = finite && !world->components[i].state->failed;
  }
  *world->frame += count;
  for (uint32_t c = 0; c < channels; ++c) {
    finite =
        jw_silence(count, world->chunk + (size_t)JW_CHUNK * c, SILENCE, (double)FLT_MAX) && finite;
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
    const double* restrict const from = world->chunk + (size_t)JW_CHUNK * c;
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
  return !finite ? JW_STATUS_NOT_FINITE : cancelled ? JW_STATUS_CANCELLED : JW_STATUS_OK;
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
