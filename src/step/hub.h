// SPDX-License-Identifier: MIT
// What the stage hub.c keeps of banks of modes that are tied to one thing.
#ifndef JAWARI_HUB_H
#define JAWARI_HUB_H

#include "kernel/tied.h"
#include "model/world.h"

/// A bank that is tied to the hub by its pin.
typedef struct {
  JwPoint* pin;
  JwPoint* drag;          // A linear damper between it and the ground; NULL: none
  JwSide *tie, *seat;     // Of the pin: on the bank, and on the hub
  JwSide* hold;           // Of the drag, on the bank
  double sign, drag_sign; // Of the bank in the pin's eta, and in the drag's
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

#endif // JAWARI_HUB_H
