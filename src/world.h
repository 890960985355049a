// SPDX-License-Identifier: MIT
// The inside of a world.
//
// A world is cut into components: sets of objects joined by contacts.  Components share nothing
// that moves, so each is advanced by itself, for a whole block at a time, in any order or side by
// side. A component's contact points fall into islands: points that a force in one moves another
// within the same sample.
//
//   world.c     create, destroy               define_*.c add objects, contacts, the rest
//   prepare.c   components, set up            layout.c   memory and cost
//   start.c     the initial state             begin.c    loads of contacts at a start or throw
//   rest.c      coming to rest
//   step.c      one component, one sample     control.c  curves, ramps, commands
//   force.c     what drives a component
//   energy.c    the ledger                    figures.c  what contacts did
//   snapshot.c  state in and out              look.c     information
//   watch.c     contacts along a string       touch.c    those of their points that touch
#ifndef JAWARI_WORLD_H
#define JAWARI_WORLD_H

#include "base/hint.h"
#include "base/list.h"
#include "base/pool.h"
#include "kernel/touch.h"
#include "law/law.h"
#include "numeric/elementary.h"
#include "object/object.h"

#include <math.h>
#include <stdatomic.h>

// ---------------------------------------------------------------- contacts

/// One end of a contact point, read and pushed through the same weights.  Most are single: at one
/// grid point, on a mass, or nowhere.
typedef struct {
  JwObject* object;     // Of the world; a barrier or NULL has no weights
  double* at[3];        // Of a single one, where it lies in each buffer of its object
  double weight, push;  // Its only weight and spread
  double nowhere;       // Or it lies here, at zero
  bool single, carries; // A mass carries its step
  uint32_t
      run; // Of a group on a grid: the grid point of its first weight, the others follow; else 0
  JwWeights weights; // From here on nothing that a sample of a single one needs
  double* spread;    // weight times admittance
  double grid[2];    // On a plate: where, in grid points
} JwSide;

/// The places of a contact with one psi (group.c).
typedef struct {
  uint32_t count;
  double* height;   // Of the barrier
  double* eta;      // Scratch
  uint32_t* offset; // On a grid
  double* shape;    // On modes: count rows
  double* g;        // In the snapshot
} JwGroup;

/// One contact point.  What most samples ask for comes first.
typedef struct {
  JwStep step;
  const JwLawOps* ops;
  double rest;
  JwSide side[2]; // eta = u(side 0) - u(side 1) + rest
  JwGroup* group; // NULL for a point proper
  bool closed;
  bool single; // Both sides are, and it is no group
  bool known;  // u and past are those of the step before
  bool idle;   // Open, and passed over in this step
  bool
      quick; // Whether it may push shows in eta and psi alone, and nobody asks for the rest (watch.c)
  uint32_t contact, island, active_slot;
  double profile;       // Height of a barrier here: part of rest
  double u[2], past[2]; // What the sides read now and before, while the component knows them
  double position[2];   // Along the string, for points of a contact along it
} JwPoint;

/// A contact as defined.
typedef struct {
  char* name;
  JwKind kind;
  JwLawParams law;
  JwPort port[2];
  double gap;
  bool along, grouped;
  uint32_t place_count; // Of a grouped contact, whose point_count is 1
  int place_side;       // The string's
  uint32_t first_point, point_count;
  uint32_t component;
  // Watched as a whole (watch.c), in the layout of the string
  JwObject* string;
  double sign;
  double* bar;
  uint32_t* at;        // Point
  bool beyond;         // Is any point beyond its bar?
  bool heard;          // A pickup hears its force
  JwTouching touching; // touch.c
} JwContact;

/// Contact points that are solved together.
typedef struct {
  JwPoint** points; // In component->order
  uint32_t first, count;
  double* compliance; // count x count, or NULL: worked out as needed
  uint32_t active;    // Points that may push in this step
  bool iterates;
  bool watched; // Solved by watch.c
} JwIsland;

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
  double force; // Now
} JwForceState;

typedef struct {
  char* name;
  JwPickupDef def;
  JwSide side;
  double u; // Last read on modes, while the component has it heard
  uint32_t component;
} JwPickup;

/// A controlled number: a straight line in time, or a curve.  Part of the snapshot.
typedef struct {
  double from, to;
  uint64_t start;  // Frame
  uint64_t length; // Frames; 0: at once
  bool by_curve;   // Until set from outside
  uint8_t
      scale; // The JwControl that the line is straight in: a string's tension, frequency or cents
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

// ---------------------------------------------------------------- components

/// An exciter that pushes in this step.
typedef struct {
  const JwSide* side;
  double force;
} JwPressing;

/// Part of the snapshot.
typedef struct {
  uint64_t frame;
  JwSum lost, supplied;
  double first, peak, worst;
  uint64_t next_throw; // Frames; UINT64_MAX: none left
  bool awake, failed;
} JwComponentState;

typedef struct {
  uint32_t *objects, *points, *forces, *pickups;
  uint32_t object_count, point_count, force_count, pickup_count;
  uint32_t* moving; // Slots that change with time now
  uint32_t moving_count, slot_count;
  JwIsland* islands;
  uint32_t island_count, largest_island;
  uint32_t* plain; // Islands that are not watched
  uint32_t plain_count;
  uint32_t *watched, *hits; // Contacts; offsets found
  uint32_t watched_count;
  bool stale;       // What is watched must be worked out anew
  JwPoint** order;  // Points by island
  uint32_t* parent; // Scratch of the graph: by point
  uint32_t* owner;  // Scratch of the graph: last point seen at a degree of freedom
  double* pool;     // Compliances of islands
  size_t pool_size;
  uint32_t capacity; // Most points that an island can come to have
  uint32_t* actives; // Points that may push, by island
  uint32_t* active;  // Of these, those of the island at hand
  double *matrix, *free, *work, *pushed;
  bool silent;         // Nothing is heard of it in this chunk
  bool forced;         // A force may push in this chunk
  JwPressing* presses; // Those that do in this step
  uint32_t press_count;
  bool reread;             // A port has moved: rebuild islands before the next solve
  bool known,
      heard; // Points and pickups hold what they last read, and nobody else has moved anything
  JwComponentState* state;
} JwComponent;

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
  double k;
  char error[JW_ERROR_SIZE];
  JwList objects, contacts, forces, initials, pickups, curves, throws;
  bool prepared, preparing;
  _Atomic bool running;   // In some thread
  _Atomic bool cancelled; // Until the call that it ends has seen it
  uint32_t
      chunk_frames; // At most JW_CHUNK; few where a sample takes long, lest a cancelled run goes on for long
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
  double* chunk; // Scratch: JW_CHUNK frames of every channel
  double* heard; // Scratch: JW_CHUNK frames of every pickup, left and right
  JwPool* pool;  // NULL: one thread
  // State, in one piece for the snapshot
  unsigned char* state;
  size_t state_size;
  uint64_t shape; // A sum over all definitions
  uint64_t* frame;
  JwRamp* ramps; // By slot
  JwForceState* force_states;
  double* gains; // By pickup: gain, pan, left, right
};

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

/// A time in frames: a whole number where it is one but for the rounding of the quotient.
static inline double jw_frames_of(const JwWorld* world, double time) {
  const double frames = time / world->k, whole = floor(frames + 0.5);
  return fabs(frames - whole) < 1e-6 ? whole : frames;
}

/// What a pickup's reading is multiplied by, on the left (or alone) and on the right.
static inline double jw_pickup_gain(const JwWorld* world, uint32_t pickup, bool right) {
  const double* const gains = world->gains + 4 * (size_t)pickup;
  const size_t side = right ? 3 : world->def.channels == 2 ? 2 : 0;
  return world->def.unscaled ? 1.0 : gains[side];
}

/// Frames that a component runs before the next one's turn.
#define JW_CHUNK 64

/// How often rest is looked for: rarely enough to cost nothing, often enough to save.
#define JW_REST_FRAMES 256

/// Has prepare been cancelled?
static inline bool jw_prepare_stopped(const JwWorld* world) {
  return world->preparing && atomic_load_explicit(&world->cancelled, memory_order_relaxed);
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
JwStatus
jw_world_fail(JwWorld* world, JwStatus status, const char* format, ...);
/// Of a call without a world: a bad value.
JwStatus jw_no_world(void);

/// Which of the three buffers is u at a frame, and its neighbours in time.
static inline double* jw_now(const JwObject* object, uint64_t frame) {
  return object->buffer[frame % 3];
}
static inline double* jw_next(const JwObject* object, uint64_t frame) {
  return object->buffer[(frame + 1) % 3];
}
static inline double* jw_prev(const JwObject* object, uint64_t frame) {
  return object->buffer[(frame + 2) % 3];
}

// port.c
void jw_side_layout(JwSide* side, JwArena* arena);
JW_REALTIME void jw_side_weigh(JwSide* side, const JwPort* port);

static inline double jw_side_read(const JwSide* side, const double* u) {
  const JwWeights* const w = &side->weights;
  if (side->object->dense) {
    return jw_dot(w->count, w->weight, u);
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < w->count; ++i) {
    sum += w->weight[i] * u[w->offset[i]];
  }
  return sum;
}

/// The step that a side which carries it has come to a state with.
static inline double jw_side_carried(const JwSide* side, const double* u) {
  const JwWeights* const w = &side->weights;
  return side->object->dense ? jw_dot(w->count, w->weight, u + w->count) : u[1];
}

/// How far a side has moved from one state to the next.  Differences first: they are small, and
/// keep their digits.
static inline double jw_side_step(const JwSide* side, const double* next, const double* prev) {
  const JwWeights* const w = &side->weights;
  if (side->carries) {
    return jw_side_carried(side, next);
  }
  if (side->object->dense) {
    return jw_dot(w->count, w->weight, next) - jw_dot(w->count, w->weight, prev);
  }
  double sum = 0.0;
  for (uint32_t i = 0; i < w->count; ++i) {
    sum += w->weight[i] * (next[w->offset[i]] - prev[w->offset[i]]);
  }
  return sum;
}

/// How far it moves over a whole step, from prev past u to next.
static inline double jw_side_move(const JwSide* side, const double* next, const double* u,
                                  const double* prev) {
  return side->carries ? jw_side_carried(side, next) + jw_side_carried(side, u)
                       : jw_side_step(side, next, prev);
}

static inline void jw_side_push(const JwSide* side, double force, double* next) {
  const JwWeights* const w = &side->weights;
  if (side->object->dense) {
    jw_axpy(w->count, side->spread, force, next);
    if (side->carries) {
      jw_axpy(w->count, side->spread, force, next + w->count);
    }
    return;
  }
  for (uint32_t i = 0; i < w->count; ++i) {
    next[w->offset[i]] += side->spread[i] * force;
  }
  if (side->carries) {
    next[1] += side->spread[0] * force;
  }
}

static inline void jw_point_push(const JwPoint* point, double force) {
  for (int s = 0; s < 2; ++s) {
    if (point->side[s].object) {
      jw_side_push(&point->side[s], s ? force : -force, point->side[s].object->next);
    }
  }
}

/// How far a force on one side moves the other in one sample; 0 on different objects.
JW_REALTIME double jw_side_compliance(const JwSide* a, const JwSide* b);
JwStatus jw_port_check(JwWorld* world, const JwPort* port, const char* what);

// contact.c
JW_REALTIME double jw_point_eta(const JwPoint* point, uint64_t frame, bool past);
/// psi as the potential asks for, from eta and eta_prev of the step.
JW_REALTIME double jw_point_psi(const JwPoint* point);
/// The same for the cubic part of a spring; 0 for all others.
JW_REALTIME double jw_point_cubic(const JwPoint* point);
JW_REALTIME void jw_contact_place(JwWorld* world, JwContact* contact);
/// How many points a contact has; notes the places of a grouped one.
uint32_t jw_contact_points(const JwWorld* world, JwContact* contact);
void jw_contact_layout(JwWorld* world, JwContact* contact, JwArena* arena, JwArena* state);
void jw_contact_setup(JwWorld* world, JwContact* contact);
JW_REALTIME void jw_contact_rest(JwWorld* world, JwContact* contact);
/// The zero of an object has been moved: its contacts, and no others, since another thread may run
/// those of another component.
JW_REALTIME void jw_object_moved(JwWorld* world, const JwObject* object);

// begin.c
/// Loads and pasts of all contacts at the start, half a step back from it.
void jw_component_begin(JwWorld* world, JwComponent* component);
/// The same for the contacts of a mass that has been thrown.
JW_REALTIME void jw_throw_begin(JwWorld* world, JwComponent* component, const JwObject* mass,
                                double velocity);

// group.c
void jw_group_layout(JwWorld* world, JwContact* contact, JwArena* arena, JwArena* state);
JW_REALTIME void jw_group_read(JwPoint* point);
/// The deepest penetration of its places.
JW_REALTIME double jw_group_eta(const JwPoint* point, uint64_t frame);
/// The load that its places ask for at the start; returns how far it moves over the free step.
double jw_group_start(JwPoint* point);
JW_REALTIME void jw_group_figures(JwPoint* point);
extern const JwLawOps jw_group_ops;

// coupling/graph.c, coupling/island.c, coupling/reference.c
JW_REALTIME void jw_graph_build(JwWorld* world, JwComponent* component);
JW_REALTIME double jw_point_compliance(const JwPoint* a, const JwPoint* b);
JW_REALTIME void jw_island_solve(JwComponent* component, JwIsland* island, uint32_t active);
/// The only point of an island that may push in this step.
JW_REALTIME void jw_island_solve_one(const JwIsland* island, JwPoint* point);
/// Push with those that are closed.
JW_REALTIME void jw_island_push(JwPoint* const* points, uint32_t count);
/// After all have pushed, before any law remembers.
JW_REALTIME void jw_island_settle(JwComponent* component, const JwIsland* island, uint32_t active);
/// Choose and solve, once.
JW_REALTIME void jw_point_solve(JwPoint* point);
JW_REALTIME void jw_island_gather(JwComponent* component, const JwIsland* island, uint32_t active);
JW_REALTIME void jw_island_eliminate(JwComponent* component, JwPoint** points, uint32_t count,
                                     uint32_t chosen);
/// Of an iterated island: sweeps over its points, then solves of all by tangents, at most.
#define JW_SWEEPS 20
#define JW_MOST_TANGENTS 100
JW_REALTIME void jw_island_iterate(JwComponent* component, const JwIsland* island, uint32_t active);
JW_REALTIME void jw_point_iterate(JwPoint* point, double r_free, double q);

// watch.c
bool jw_watch_possible(const JwContact* contact);
JW_REALTIME void jw_watch_build(JwWorld* world, JwComponent* component);
JW_REALTIME void jw_watch_step(JwWorld* world, JwComponent* component);
/// Say at `offset` of the string whether the next step must look at a point.
JW_REALTIME void jw_watch_point(const JwContact* contact, uint32_t offset, const JwPoint* point);
/// Bring the points of all that is watched up to date, before anything else looks at them or moves
/// them.
JW_REALTIME void jw_watch_pause(JwWorld* world, JwComponent* component);

// touch.c
JW_REALTIME void jw_touch_step(JwWorld* world, JwContact* contact, const uint32_t* hits,
                               uint32_t count);
JW_REALTIME void jw_touch_end(JwWorld* world, JwContact* contact);

// control.c
//
// Every control of every thing is a slot: objects first, then contacts, exciters, pickups.
uint32_t jw_slot_index(const JwWorld* world, JwTarget target);
JW_REALTIME bool jw_slot_valid(const JwWorld* world, JwTarget target, double value);
void jw_controls_start(JwWorld* world);
JW_REALTIME void jw_controls_step(JwWorld* world, JwComponent* component, uint64_t frame);
JW_REALTIME void jw_controls_block(JwWorld* world);
/// Put every controlled number back after the state has been replaced.
JW_REALTIME void jw_controls_restore(JwWorld* world);

// apply.c
double jw_control_get(const JwWorld* world, uint32_t slot);
JW_REALTIME void jw_control_apply(JwWorld* world, uint32_t slot, double value, uint64_t frame);
/// Left and right (2, 3) from gain and pan (0, 1).  Constant power: left^2 + right^2 = gain^2, both
/// at 1/sqrt(2) in the middle.
void jw_gains_pan(double gains[4]);
JW_REALTIME void jw_mass_throw(JwWorld* world, JwObject* mass, double position, double velocity);
JW_REALTIME JwTarget jw_slot_target(const JwWorld* world, uint32_t slot);

// step.c
JW_REALTIME void jw_component_step(JwWorld* world, JwComponent* component);
/// Look whether any force may push in the next `count` frames; before their steps.
JW_REALTIME void jw_component_forces(const JwWorld* world, JwComponent* component, uint32_t count);
/// Push with the forces of this frame.
JW_REALTIME void jw_component_push(const JwWorld* world, JwComponent* component, uint64_t frame);
JW_REALTIME bool jw_component_pushed(const JwWorld* world, const JwComponent* component);
/// Or has anything in it weight?
JW_REALTIME bool jw_component_driven(const JwWorld* world, const JwComponent* component);
/// What an exciter pushes with at a frame, and whether that is nothing for `count` frames to come.
JW_REALTIME double jw_force_at_frame(const JwWorld* world, uint32_t index, uint64_t frame);
JW_REALTIME bool jw_force_silent(const JwWorld* world, uint32_t index, uint64_t frame,
                                 uint32_t count);
/// Does nothing happen in a component for the next `count` frames?
JW_REALTIME bool jw_component_sleeps(const JwWorld* world, const JwComponent* component,
                                     uint32_t count);

// rest.c
/// Look whether anything has come to rest, and let it lie.
JW_REALTIME void jw_component_rest(JwWorld* world, JwComponent* component);

// energy.c
void jw_ledger_start(JwWorld* world, JwComponent* component);
JW_REALTIME void jw_ledger_step(JwWorld* world, JwComponent* component, uint64_t frame);
/// Kinetic, potential, contact energy between the states of a frame and the one before it.
double jw_component_energy(const JwWorld* world, const JwComponent* component, uint64_t frame,
                           double parts[3]);
JW_REALTIME double jw_component_contact_energy(const JwWorld* world, const JwComponent* component);
/// What one contact or one object holds: measured before and after a change from outside, which
/// touches nothing else, and the difference supplied.  0 without the ledger.
JW_REALTIME double jw_ledger_contact(const JwWorld* world, const JwContact* contact);
JW_REALTIME double jw_ledger_object(const JwWorld* world, const JwObject* object, uint64_t frame);
JW_REALTIME void jw_ledger_lose(const JwWorld* world, uint32_t component, double energy);
JW_REALTIME void jw_ledger_supply(const JwWorld* world, uint32_t component, double energy);

// figures.c
JW_REALTIME void jw_figures_step(JwPoint* point, bool active);

// identity.c
/// FNV-1a, eight bytes at a time.
JW_REALTIME uint64_t jw_mix(uint64_t hash, const void* data, size_t size);
/// Let `count` elements of `size` bytes be part of what the world is; NULL: their number alone.
void jw_identify(JwWorld* world, const void* data, uint64_t count, size_t size);
/// A definition's fields, by its table; a port.
void jw_identify_def(JwWorld* world, JwKind kind, const void* def);
void jw_identify_port(JwWorld* world, JwPort port);

// prepare.c
JW_REALTIME JwObject* jw_port_object(const JwWorld* world, JwPort port);
/// Number points and components, and assign everything to its component; returns how many contact
/// points there are, which may be more than can be numbered.
uint64_t jw_world_assign(JwWorld* world);

// layout.c
void jw_world_layout(JwWorld* world, JwArena* arena, JwArena* state);

// start.c
void jw_world_start(JwWorld* world);

#endif // JAWARI_WORLD_H
