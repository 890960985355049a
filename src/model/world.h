// SPDX-License-Identifier: MIT
// What a world is: objects, contacts, exciters, pickups and curves as they were added, and the
// components that prepare makes of them.
#ifndef JAWARI_WORLD_H
#define JAWARI_WORLD_H

#include "base/hint.h"
#include "base/list.h"
#include "base/pool.h"
#include "model/component.h"

#include <math.h>
#include <stdatomic.h>

// ---------------------------------------------------------------- exciters, pickups, curves

typedef struct {
  char* name;
  JwForceDef def;
  float* signal;
  double frames; // How long it lasts
  JwSide side;
  uint32_t component;
} JwForce;

/// Part of the snapshot.
typedef struct {
  double amplitude;
  double start; // In frames; between two where the time asked for is
  double force; // Now (N)
} JwForceState;

/// What a pickup in the air remembers.  Part of the snapshot.
typedef struct {
  double velocity, pressure; // Of the frame before
  uint32_t at, left;         // Place in its way; frames until that is empty
} JwAir;

typedef struct {
  char* name;
  JwPickupDef def;
  JwSide side;
  uint32_t component;
  JwAir* air;      // NULL but for a pressure
  double* way;     // What is on its way to the ear, in a ring
  uint32_t frames; // Of the ring: one more than it is late
} JwPickup;

/// A little room (listen/room.c).
#define JW_MOST_TAPS 62 // 6 + 18 + 38 images by one, two and three walls
#define JW_MOST_WALLS 3

typedef struct {
  double gain;
  uint32_t frames, walls; // Later; one less than it met
} JwTap;

typedef struct {
  JwTap taps[JW_MOST_TAPS];
  uint32_t count;
} JwEar;

/// Part of the snapshot.
typedef struct {
  double before[JW_MOST_WALLS], behind[JW_MOST_WALLS]; // Each wall, the frame before
  uint32_t at, left;                                   // Place in the lines; frames until empty
} JwRoomState;

typedef struct {
  JwEar ears[2];
  uint32_t size, longest; // Of a line, a power of two; the longest way
  JwRoomState* state;
  double* lines; // One by the walls met
} JwRoom;

/// A controlled number: a straight line in time, or a curve.  Part of the snapshot.
typedef struct {
  double from, to;
  uint64_t start;  // Frame
  uint64_t length; // Frames; 0: at once
  bool by_curve;   // Until set from outside
  uint8_t scale;   // The JwControl that the line is straight in: tension, frequency or cents
} JwRamp;

/// A curve as given.
typedef struct {
  JwTarget target;
  JwBreakpoint* points;
  uint32_t count;
} JwCurve;

typedef struct {
  uint32_t mass; // Object index
  uint64_t frame;
  double position, velocity;
} JwThrow;

// ---------------------------------------------------------------- commands

typedef enum { JW_COMMAND_SET, JW_COMMAND_THROW, JW_COMMAND_TRIGGER } JwCommandKind;

typedef struct {
  JwCommandKind kind;
  uint32_t slot; // Slot, object or exciter
  JwControl scale;
  double a, b;
} JwCommand;

/// Single producer, single consumer.
typedef struct {
  JwCommand* items;
  uint32_t size; // Power of two
  _Atomic uint32_t head, tail;
} JwQueue;

// ---------------------------------------------------------------- the world

struct JwWorld {
  JwWorldDef def;
  double k; // Time step (s)
  char error[JW_ERROR_SIZE];
  JwList objects, contacts, forces, initials, pickups, curves, throws;
  uint64_t identity; // A sum over all definitions (define/identity.c)
  bool prepared, preparing;
  _Atomic bool running;   // In some thread
  _Atomic bool cancelled; // Until the call that it ends has seen it
  uint32_t
      chunk_frames; // At most JW_CHUNK; few where a sample takes long, so that cancelling does not
  void* memory;
  size_t bytes;
  // After prepare
  JwPoint* points;
  uint32_t point_count;
  JwComponent* components;
  uint32_t component_count;
  JwQueue queue;
  JwCurve** curve_of; // By slot
  uint32_t* slot_component;
  bool* is_moving;        // By slot
  double* initial_values; // By slot
  uint32_t slot_count;
  double* mixed;   // Scratch: JW_CHUNK frames of every channel
  double* heard;   // Scratch: JW_CHUNK frames of every pickup, left and right
  JwPool* threads; // NULL: one thread
  // State, in one piece for the snapshot
  unsigned char* state;
  size_t state_size;
  uint64_t* frame;
  JwRamp* ramps; // By slot
  JwForceState* force_states;
  double* gains; // By pickup: gain, pan, left, right
  JwRoom* room;  // NULL: none
};

/// Frames that a component runs before the next one's turn.
#define JW_CHUNK 64

static inline JwObject* jw_object_at(const JwWorld* world, uint32_t i) {
  return JW_AT(world->objects, JwObject, i);
}
static inline JwContact* jw_contact_at(const JwWorld* world, uint32_t i) {
  return JW_AT(world->contacts, JwContact, i);
}
static inline JwForce* jw_force_at(const JwWorld* world, uint32_t i) {
  return JW_AT(world->forces, JwForce, i);
}
static inline JwPickup* jw_pickup_at(const JwWorld* world, uint32_t i) {
  return JW_AT(world->pickups, JwPickup, i);
}
/// NULL where the port names no object.
static inline JwObject* jw_port_object(const JwWorld* world, JwPort port) {
  return port.object.index ? jw_object_at(world, port.object.index - 1) : NULL;
}

/// A time in frames: a whole number where it is one but for the rounding of the quotient.
static inline double jw_frames_of(const JwWorld* world, double time) {
  const double frames = time / world->k, whole = floor(frames + 0.5);
  return fabs(frames - whole) < 1e-6 ? whole : frames;
}

#endif // JAWARI_WORLD_H
