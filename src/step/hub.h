// SPDX-License-Identifier: MIT
// What the stage hub.c keeps of banks of modes that are tied to one thing.
#ifndef JAWARI_HUB_H
#define JAWARI_HUB_H

#include "kernel/tied.h"
#include "model/world.h"

#include <string.h>

/// A bank that is tied to the hub by its pin.
typedef struct {
  JwPoint* pin;
  JwPoint* drag;          // A linear damper between it and the ground; NULL: none
  JwSide *tie, *seat;     // Of the pin: on the bank, and on the hub
  JwSide* hold;           // Of the drag, on the bank
  double sign, drag_sign; // Of the bank in the pin's eta, and in the drag's
  double scale;           // k^2/4m of its modes
  uint32_t place;         // On the hub
  uint32_t alike;         // Which of the groups that are advanced together
  uint32_t first, last;   // Its other points
  bool awake;             // One of them may be near: it is pushed at once, and they are read
  bool listened;          // A pickup asks for the force of its pin or drag
} JwLeaf;

/// Any other contact of a bank: what opens and closes.
typedef struct {
  JwPoint* point;
  uint32_t leaf;
  int side;               // The bank's
  double to_pin, to_drag; // How far its force moves them in one sample (m/N)
  double cross;           // The same of the pin, with the drag in place
  bool driven;            // An exciter is on what touches the bank
} JwOther;

/// Drags, by leaf; in the sense of eta = bank.
typedef struct {
  double *rate, *yield;     // Its force for each metre by itself, and on the bank
  double *q, *to_pin;       // Compliances
  double *free, *f, *given; // How far it would move; its force; how far others move it
  double *most, *acted;     // Its largest force; in how many samples there was one
} JwDrags;

struct JwHub {
  JwObject* object; // NULL: nothing is tied
  JwIsland* island;
  const JwTiedLanes* lanes;
  uint32_t most, count; // Leaves: room, and as they are
  uint32_t places, width, stride, other_count, alike_count;
  JwAlike* alike;
  JwLeaf* leaves;
  JwOther* others;
  JwPins by; // In the sense of eta = bank - hub
  JwTies ties[2];
  JwDrags drags;
  uint32_t* place; // By leaf
  double* constants;
  // By place on the hub
  double *rows, *spreads;             // places x width
  double *compliance, *inner, *whole; // places x stride: C, C' (2.12); a row
  double* moved;                      // How far it would move
  double *sums, *yields, *forces, *stiff;
  double* padded; // What the hub's modes move by, with zeros behind
  double* lost;   // By leaf: what its modes lost in the sample before
  uint32_t* first_leaf;
  bool fresh;    // The stage has been entered: nothing of the state is known
  bool left;     // It has left: laws may have changed
  bool owes;     // What the modes lost in the sample before has not been booked
  bool busy;     // Some leaf is awake
  bool drawn;    // Some drag acts
  bool listened; // So is some leaf
  bool near;     // Some bound is beyond its limit
};

#define JW_LEAST_PINS 8u       // Below, the island is solved as any other
#define JW_HUB_LOOK_FRAMES 256 // How often banks that are awake are looked at

static inline uint32_t jw_hub_padded(uint32_t n) {
  return (n + 3) / 4 * 4;
}

static inline bool jw_hub_is_dragged(const JwHub* hub, uint32_t leaf) {
  return hub->drags.yield[leaf] > 0.0;
}

static inline bool jw_hub_same_place(const JwSide* a, const JwSide* b) {
  return memcmp(a->weights.weight, b->weights.weight, a->weights.count * sizeof(double)) == 0;
}

/// The roles of every object's buffers (step.c).  While a bank is tied nobody else turns its
/// levels.
static inline JwRoles jw_hub_roles(uint64_t frame) {
  const size_t now = frame % 3, prev = now ? now - 1 : 2;
  return (JwRoles){prev, now, 3 - now - prev};
}

static inline void jw_hub_set_levels(JwObject* object, JwRoles roles) {
  object->level[JW_PREV] = object->buffer[roles.prev];
  object->level[JW_NOW] = object->buffer[roles.now];
  object->level[JW_NEXT] = object->buffer[roles.next];
}

// ---------------------------------------------------------------- hub_room.c

bool jw_hub_may_tie(const JwObject* object);

// ---------------------------------------------------------------- hub_collect.c

/// The island that pins join; NULL: none.
JwIsland* jw_hub_find_island(const JwComponent* component);
/// Sort its points; false: it holds something that this stage does not take.
bool jw_hub_collect(const JwWorld* world, JwComponent* component, JwHub* hub, JwIsland* island);

// ---------------------------------------------------------------- hub_pack.c

void jw_hub_pack(JwHub* hub);
/// (2.12); false: the laws are not linear any more, or too stiff for it.
JW_REALTIME bool jw_hub_factor(JwHub* hub);
/// Has a law changed since?
bool jw_hub_is_stale(const JwHub* hub);

// ---------------------------------------------------------------- hub_near.c

/// Push a bank by its side, as the pass of kernel/tied.h does it, to the bit.
void jw_hub_add_push(const JwSide* side, double push, double* u);
/// Add the pushes that wait.
void jw_hub_settle(JwHub* hub, size_t now);
/// Decide whether a bank of which no push waits is awake; and about all of which it is time to.
void jw_hub_look(JwHub* hub, uint32_t leaf);
void jw_hub_look_again(JwHub* hub, uint64_t frame);
/// Let the points of a bank be read from now on, since an exciter pushes it.
void jw_hub_wake(JwHub* hub, uint32_t leaf, JwRoles roles);

// ---------------------------------------------------------------- hub_touch.c

void jw_hub_solve_others(JwComponent* component, JwHub* hub);
/// After the pins have pushed.
void jw_hub_finish_others(const JwWorld* world, JwComponent* component, JwHub* hub);

#endif // JAWARI_HUB_H
