// SPDX-License-Identifier: MIT
// One end of a contact, an exciter or a pickup: where it lies on an object.
//
// A side reads its object and pushes it through the same weights w, so that coupling neither makes
// nor takes energy: it reads sum w u, and a force F adds y w F to the next state, y being the
// admittance of each degree of freedom (m/N).
//
// There is one way to read a side, one to ask how far it moves, and one to push it.  All three name
// time levels as objects do: JW_PREV, JW_NOW, JW_NEXT.
#ifndef JAWARI_SIDE_H
#define JAWARI_SIDE_H

#include "base/hint.h"
#include "object/object.h"

typedef struct {
  JwObject* object;    // NULL where nothing can move: a barrier, or the ground
  bool single;         // It lies at one degree of freedom of a grid, or on a mass
  bool whole;          // It has a weight for every number, anew in every step
  bool carries;        // Its object carries its step as a number of its own (object.h)
  uint32_t at;         // Where a single one lies in a buffer
  double weight, push; // The weight and the spread of a single one
  double now, past;    // What a side on modes read of JW_NOW and JW_PREV: a sum over all modes
  JwWeights weights;
  double* spread; // Weight times admittance (m/N)
  uint32_t first; // Where a group lies on a grid: the grid point of its first weight; else 0
} JwSide;

void jw_side_layout(JwSide* side, JwArena* arena);
/// Work out weights and spread for a port.
JW_REALTIME void jw_side_weigh(JwSide* side, const JwPort* port);
/// How far a force on one side moves the other in one sample (m/N); 0 on different objects.
JW_REALTIME double jw_side_compliance(const JwSide* a, const JwSide* b);
/// How far it has come in the last sample, from JW_PREV to JW_NOW (m).
JW_REALTIME double jw_side_step(const JwSide* side);

// The functions below, of several weights a side.
JW_REALTIME double jw_side_read_many(const JwSide* side, JwLevel level);
JW_REALTIME double jw_side_motion_many(const JwSide* side);
JW_REALTIME void jw_side_push_many(const JwSide* side, double force);

/// Where its weight i lies in a buffer.
static inline uint32_t jw_side_at(const JwSide* side, uint32_t i) {
  return side->object->dense || side->whole ? i : side->weights.offset[i];
}

/// The displacement under a side, from the zero of its object (m).
static inline double jw_side_read(const JwSide* side, JwLevel level) {
  if (!side->object) {
    return 0.0;
  }
  return JW_OFTEN(side->single) ? side->weight * side->object->level[level][side->at]
                                : jw_side_read_many(side, level);
}

/// How far it moves over the step, from JW_PREV past JW_NOW to JW_NEXT (m).  A side on modes must
/// have been read (jw_side_turn() or jw_side_reread()).
static inline double jw_side_motion(const JwSide* side) {
  if (!side->object) {
    return 0.0;
  }
  if (JW_RARELY(!side->single)) {
    return jw_side_motion_many(side);
  }
  double* const* const level = side->object->level;
  const uint32_t i = side->at;
  return side->carries ? level[JW_NEXT][i + 1] + level[JW_NOW][i + 1]
                       : side->weight * (level[JW_NEXT][i] - level[JW_PREV][i]);
}

/// Push JW_NEXT with a force (N).
static inline void jw_side_push(const JwSide* side, double force) {
  if (!side->object) {
    return;
  }
  if (JW_RARELY(!side->single)) {
    jw_side_push_many(side, force);
    return;
  }
  double* const next = side->object->level[JW_NEXT];
  next[side->at] += side->push * force;
  if (side->carries) {
    next[side->at + 1] += side->push * force;
  }
}

/// Read JW_NEXT, which becomes the JW_NOW of the next step.
static inline double jw_side_turn(JwSide* side) {
  const double u = jw_side_read(side, JW_NEXT);
  side->past = side->now;
  side->now = u;
  return u;
}

/// Read JW_PREV and JW_NOW anew, after something else than a step has moved them.
static inline void jw_side_reread(JwSide* side) {
  side->past = jw_side_read(side, JW_PREV);
  side->now = jw_side_read(side, JW_NOW);
}

#endif // JAWARI_SIDE_H
