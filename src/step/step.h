// SPDX-License-Identifier: MIT
// One component, one sample: the stages of its plan, and how they are disturbed.
//
//   change    controls and throws                     change/
//   advance   objects, as if nothing touched          step.c
//   forces    exciters push                           forces.c
//   places    contacts at a place, by island          places.c, island.c
//   hub       banks of modes that are tied to one thing    hub.c
//   along     contacts along a string, as a whole     along.c, along_lanes.c
//   ledger    what was lost and supplied is booked    ledger/
//   turn      JW_NEXT becomes JW_NOW                  step.c
//   rest      what has died away is let lie           ledger/rest.c, every JW_REST_FRAMES
#ifndef JAWARI_STEP_H
#define JAWARI_STEP_H

#include "model/world.h"

// ---------------------------------------------------------------- stages

/// A stage of a component's plan.  Between `leave` and the next step the model is whole: queries,
/// snapshots and changes see nothing else.
typedef struct JwStage {
  const char* name;
  /// Take from the model what it keeps; false: it has nothing to do, and is left out of the plan.
  /// Asked from the last stage to the first, so that special ones take their contacts before the
  /// general one.  NULL: always, and it keeps nothing.
  bool (*enter)(JwWorld* world, JwComponent* component) JW_REALTIME;
  void (*step)(JwWorld* world, JwComponent* component) JW_REALTIME;
  /// Give back to the model what it kept; it may be called twice.  NULL: nothing.
  void (*leave)(JwWorld* world, JwComponent* component) JW_REALTIME;
} JwStage;

extern const JwStage jw_forces_stage, jw_places_stage, jw_hub_stage, jw_along_stage,
    jw_ledger_stage;

/// What has been changed from outside of a step.
typedef enum {
  JW_CHANGED_LAW = 1,  ///< A number of a law or of an object
  JW_MOVED_STATE = 2,  ///< Where objects are
  JW_MOVED_OFFSET = 4, ///< A gap, a barrier, the zero of an object
  JW_MOVED_PORT = 8    ///< The weights of a side: islands are found anew
} JwDisturbance;

/// Called before anything but a step changes a component: its stages leave, and enter again with
/// the next step.  Only by the thread that runs the component, or while none does.
JW_REALTIME void jw_disturb(JwWorld* world, JwComponent* component, JwDisturbance what);

/// Let all stages leave, to be looked at.
JW_REALTIME void jw_component_leave(JwWorld* world, JwComponent* component);

// ---------------------------------------------------------------- one sample

JW_REALTIME void jw_component_step(JwWorld* world, JwComponent* component);

/// Let time go on by some frames: each object's levels follow from the frame.
JW_REALTIME void jw_component_turn(JwComponent* component, uint32_t frames);

/// How often rest is looked for: rarely enough to cost nothing, often enough to save.
#define JW_REST_FRAMES 256

// ---------------------------------------------------------------- forces.c

/// Look whether any force may push in the next `count` frames; before their steps.
JW_REALTIME void jw_forces_chunk(const JwWorld* world, JwComponent* component, uint32_t count);
/// Does an exciter or a bow push now?
JW_REALTIME bool jw_component_pushed(const JwWorld* world, const JwComponent* component);
/// Or has anything in it weight?
JW_REALTIME bool jw_component_driven(const JwWorld* world, const JwComponent* component);
/// Does nothing happen in a component for the next `count` frames?
JW_REALTIME bool jw_component_sleeps(const JwWorld* world, const JwComponent* component,
                                     uint32_t count);

// ---------------------------------------------------------------- contacts

/// places.c: the step of the points of an island that were read before: read, choose, solve, push,
/// remember.
JW_REALTIME void jw_island_step(JwComponent* component, const JwIsland* island);

/// The parts of it for one point: read it, unless it stays open, and say whether it may push; after
/// all have pushed, read what the next step starts from.
JW_REALTIME bool jw_point_look(JwPoint* point);
JW_REALTIME void jw_point_turn(JwPoint* point);

/// hub_room.c: how many linear contacts tie banks to one thing or damp them, 0 if few; room for
/// them, or NULL.  hub_touch.c: jw_island_gather() for their other points.
uint32_t jw_hub_pins(const JwWorld* world, uint32_t component);
JwHub* jw_hub_layout(const JwWorld* world, uint32_t component, uint64_t points, JwArena* arena);
JW_REALTIME void jw_hub_gather(JwComponent* component, const JwIsland* island, uint32_t n);

/// island.c: solve for the forces of the first `n` points of component->solve, two or more.
JW_REALTIME void jw_island_solve(JwComponent* component, const JwIsland* island, uint32_t n);
JW_REALTIME void jw_island_gather(JwComponent* component, const JwIsland* island, uint32_t n);
/// Do hands that move ports do too much work?  Then they wait, and all is to be solved again.
JW_REALTIME bool jw_hands_give_way(const JwSolve* solve, uint32_t n);
/// One pass of elimination; of the first `chosen` points the laws have been chosen.
JW_REALTIME void jw_island_eliminate(JwComponent* component, uint32_t n, uint32_t chosen);

/// newton.c: the iterative reference.  Sweeps over an island, then solves by tangents, at most.
#define JW_SWEEPS 20
#define JW_MOST_TANGENTS 100
JW_REALTIME void jw_island_iterate(JwComponent* component, const JwIsland* island, uint32_t n);
JW_REALTIME void jw_point_iterate(JwPoint* point);

/// settle.c: push with those that are closed; then, before any law remembers, with the first `n`
/// points of component->solve once more where their forces work against each other.
JW_REALTIME void jw_island_push(JwPoint* const* points, uint32_t count);
JW_REALTIME void jw_island_settle(JwComponent* component, const JwIsland* island, uint32_t n);

/// group.c: a contact with one psi for all of its places.
void jw_group_layout(JwWorld* world, JwContact* contact, JwArena* arena, JwArena* state);
extern const JwLawOps jw_group_ops;
extern const JwDenseOps jw_group_dense;
/// stretch.c: an object that stiffens as it moves.  How often psi is compared with what the motion
/// asks for:
#define JW_LOOK_FRAMES 64
void jw_stretch_layout(JwWorld* world, JwObject* object, JwArena* arena, JwArena* state);
extern const JwDenseOps jw_mean_stretch_ops, jw_local_stretch_ops;

/// along_lanes.c: one step of a contact's points at `hits` and of those at hand; give them back.
JW_REALTIME void jw_along_touch(JwWorld* world, JwContact* contact, const uint32_t* hits,
                                uint32_t count);
JW_REALTIME void jw_along_leave(JwWorld* world, JwContact* contact);
/// along.c: say at `offset` of the string whether the next step must look at a point.
JW_REALTIME void jw_along_bar(const JwContact* contact, uint32_t offset, const JwPoint* point);
bool jw_along_possible(const JwContact* contact);

#endif // JAWARI_STEP_H
