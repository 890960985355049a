// SPDX-License-Identifier: MIT
// The whole state in one piece, in and out.
//
// All that changes while running lies in one stretch of memory; a snapshot is a header and a copy
// of it.  What follows from controlled numbers (weights of moved ports, islands, a string's
// tension) is worked out anew.  The header has the library's version and a sum over the world's
// definitions (identity.c), so that another world's snapshot is refused, and one over the bytes, so
// that a damaged one is.  A sum can be made to fit: whatever leads to a place in memory, or chooses
// a path, is looked at before it is taken.

#include "change/change.h"
#include "define/define.h"
#include "prepare/prepare.h"
#include "step/step.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct {
  char magic[4];
  uint32_t version; // Of the library: another may keep its state otherwise
  uint64_t identity;
  uint64_t size;
  uint64_t sum;
} Header;

static const char magic[4] = {'j', 'w', 's', '2'};

size_t jw_world_snapshot_size(const JwWorld* world) {
  return world && world->prepared ? sizeof(Header) + world->state_size : 0;
}

JW_REALTIME JwStatus jw_world_snapshot(const JwWorld* world, void* memory, size_t size) {
  if (!world || !memory) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!world->prepared) {
    return JW_STATUS_BAD_ORDER;
  }
  if (size < jw_world_snapshot_size(world)) {
    return JW_STATUS_TOO_LARGE;
  }
  Header header = {{0},
                   JW_VERSION,
                   world->identity,
                   world->state_size,
                   jw_mix(0, world->state, world->state_size)};
  memcpy(header.magic, magic, sizeof magic);
  memcpy(memory, &header, sizeof header);
  memcpy((unsigned char*)memory + sizeof header, world->state, world->state_size);
  return JW_STATUS_OK;
}

// ---------------------------------------------------------------- what can be believed

// Bytes that may stand anywhere in memory, as the thing of this world that they will become.
static void copy_of(void* copy, size_t size, const unsigned char* state, size_t offset) {
  memcpy(copy, state + offset, size);
}
#define OFFSET(WORLD, PLACE) ((size_t)((const unsigned char*)(PLACE) - (WORLD)->state))

static bool believe_slot(const JwWorld* world, uint32_t slot, const unsigned char* state) {
  const size_t offset = OFFSET(world, &world->ramps[slot]);
  const unsigned char by_curve = state[offset + offsetof(JwRamp, by_curve)];
  if (by_curve > 1 || (by_curve && !world->curve_of[slot])) {
    return false;
  }
  double ends[2]; // A flag out of range must not be copied as one
  copy_of(&ends[0], sizeof(double), state, offset + offsetof(JwRamp, from));
  copy_of(&ends[1], sizeof(double), state, offset + offsetof(JwRamp, to));
  JwTarget target = jw_slot_target(world, slot);
  const bool tension = target.control == JW_CONTROL_TENSION;
  target.control = (JwControl)state[offset + offsetof(JwRamp, scale)];
  if (jw_slot_index(world, target) != slot) {
    return false;
  }
  const bool place = tension || target.control == JW_CONTROL_X || target.control == JW_CONTROL_Y
                     || target.control == JW_CONTROL_X2 || target.control == JW_CONTROL_Y2;
  for (int i = 0; i < 2; ++i) {
    if (place ? !jw_slot_valid(world, target, ends[i]) : !isfinite(ends[i])) {
      return false;
    }
  }
  return true;
}

static bool believe_component(const JwWorld* world, const JwComponent* component,
                              const unsigned char* state) {
  const size_t offset = OFFSET(world, component->state);
  uint64_t frame, world_frame;
  copy_of(&frame, sizeof frame, state, offset + offsetof(JwComponentState, frame));
  copy_of(&world_frame, sizeof world_frame, state, OFFSET(world, world->frame));
  return frame == world_frame && state[offset + offsetof(JwComponentState, awake)] <= 1
         && state[offset + offsetof(JwComponentState, failed)] <= 1;
}

static bool believe(const JwWorld* world, const unsigned char* state) {
  for (uint32_t slot = 0; slot < world->slot_count; ++slot) {
    if (world->slot_component[slot] != JW_NONE && !believe_slot(world, slot, state)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < world->component_count; ++i) {
    if (!believe_component(world, &world->components[i], state)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < world->point_count; ++i) {
    int refine;
    copy_of(&refine, sizeof refine, state,
            OFFSET(world, world->points[i].step.state) + offsetof(JwPointState, refine));
    if (refine < JW_REFINE_NOT || refine > JW_REFINE_ORBIT) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------- in

static void take_state(JwWorld* world, const unsigned char* state) {
  memcpy(world->state, state, world->state_size);
  for (uint32_t i = 0; i < world->component_count; ++i) {
    jw_component_turn(&world->components[i], 0);
  }
}

JW_REALTIME JwStatus jw_world_restore(JwWorld* world, const void* memory, size_t size) {
  if (!world || !memory) {
    return JW_STATUS_BAD_VALUE;
  }
  if (!world->prepared) {
    return JW_STATUS_BAD_ORDER;
  }
  Header header;
  if (size < sizeof header) {
    return JW_STATUS_BAD_SNAPSHOT;
  }
  memcpy(&header, memory, sizeof header);
  const unsigned char* const state = (const unsigned char*)memory + sizeof header;
  if (memcmp(header.magic, magic, sizeof magic) != 0 || header.version != JW_VERSION
      || header.size != world->state_size || size - sizeof header < header.size
      || header.identity != world->identity || header.sum != jw_mix(0, state, (size_t)header.size)
      || !believe(world, state)) {
    return JW_STATUS_BAD_SNAPSHOT;
  }
  // Controls first: they move the model to where it was, and disturb the state on the way.
  for (uint32_t i = 0; i < world->component_count; ++i) {
    jw_disturb(world, &world->components[i], JW_MOVED_PORT);
  }
  take_state(world, state);
  jw_controls_restore(world);
  take_state(world, state);
  for (uint32_t i = 0; i < world->contacts.count; ++i) {
    jw_contact_offset(world, jw_contact_at(world, i));
  }
  return JW_STATUS_OK;
}
