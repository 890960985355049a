// SPDX-License-Identifier: MIT
// A component: objects joined by contacts, and everything that moves, pushes or hears them.
//
// Components share nothing that moves.  Each is advanced by itself, for a whole chunk of frames at
// a time, in any order or side by side.  Whatever comes from outside tells the component that it
// disturbs, and no other (jw_disturb() in step/step.h).
#ifndef JAWARI_COMPONENT_H
#define JAWARI_COMPONENT_H

#include "model/contact.h"
#include "numeric/elementary.h"

struct JwStage;
typedef struct JwHub JwHub;

/// An exciter that pushes in this step.
typedef struct {
  const JwSide* side;
  double force;
} JwPressing;

/// Part of the snapshot.
typedef struct {
  uint64_t frame;
  JwSum lost, supplied; // J
  double first, peak, worst;
  uint64_t next_throw; // Frame; UINT64_MAX: none left
  bool awake, failed;
} JwComponentState;

/// Room to find islands in (prepare/islands.c).
typedef struct {
  uint32_t* parent; // By point
  uint32_t* owner;  // By degree of freedom: the last point seen there
  JwPoint** order;  // Points by island
  double* pool;     // Compliances of islands
  size_t pool_size;
} JwGraph;

/// Room to solve one island in (step/island.c): the points that may push, and one number for each.
typedef struct {
  uint32_t capacity; // Most points that an island can come to have
  JwPoint** points;
  double* matrix; // Of compliances (m/N)
  double* free;   // r*, how far gaps would close (m)
  double* pivot;
  double *pushes, *forces, *motions; // step/settle.c
} JwSolve;

#define JW_MOST_STAGES 8

typedef struct JwComponent {
  // What it is made of
  JwObject** objects;
  JwPoint** points;
  uint32_t *forces, *pickups; // Of the world
  uint32_t object_count, point_count, force_count, pickup_count;
  uint32_t* moving; // Slots of controls that change with time now, ascending
  uint32_t moving_count;
  JwIsland* islands;
  uint32_t island_count, largest_island;
  // How it is advanced
  const struct JwStage* stages[JW_MOST_STAGES];
  uint32_t stage_count;
  uint32_t disturbed; // JwDisturbance: what has changed since the stages were chosen
  JwObject** lone;    // Objects that advance by themselves (step/step.c)
  uint32_t lone_count;
  uint32_t* plain;        // Islands whose points are advanced one by one (step/places.c)
  uint32_t *along, *hits; // Contacts that are advanced as a whole; offsets found (step/along.c)
  uint32_t plain_count, along_count;
  bool forced;         // A force may push in this chunk
  bool silent;         // Nothing was heard of it in this chunk
  JwPressing* presses; // Forces that push in this step
  uint32_t press_count;
  JwGraph graph;
  JwSolve solve;
  JwHub* hub; // NULL: no thing has many banks tied to it (step/hub.c)
  JwComponentState* state;
} JwComponent;

#endif // JAWARI_COMPONENT_H
