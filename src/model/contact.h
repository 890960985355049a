// SPDX-License-Identifier: MIT
// Contacts, the points that they are made of, and the islands of points that are solved together.
#ifndef JAWARI_CONTACT_H
#define JAWARI_CONTACT_H

#include "kernel/touch.h"
#include "law/law.h"
#include "model/side.h"

/// The places of a contact with one psi for all of them (step/group.c).
typedef struct {
  uint32_t count;
  double* height;   // Of the barrier (m)
  double* eta;      // Scratch
  uint32_t* offset; // On a grid
  double* shape;    // On modes: count rows
  double* g;        // In the snapshot
} JwGroup;

/// What an object keeps that stiffens (step/stretch.c).
typedef struct {
  const JwLanes* lanes;
  const struct JwComponent* component;
  double* inertia;                 // By every place: 1/y, 0 where nothing is (N/m)
  double *slope, *motion, *middle; // Scratch: grad V, r, and a state between two
} JwStretch;

typedef struct JwPoint JwPoint;

/// What is done differently for a point whose weights follow from the state, anew in every sample:
/// many places with one psi (step/group.c), an object that stretches (step/stretch.c).
typedef struct {
  void (*read)(JwPoint* point) JW_REALTIME;  // Weights, q, eta and r_free of the step
  double (*start)(JwPoint* point);           // The same at the start; returns the free motion
  bool (*again)(JwPoint* point) JW_REALTIME; // After a first solve gave all forces of the island:
                                             // better weights for a second; NULL: none
  void (*begun)(JwPoint* point); // After the start is made: what its load is then; NULL: as it is
  void (*note)(JwPoint* point) JW_REALTIME;        // Figures of the step; NULL: none
  double (*eta)(const JwPoint* point) JW_REALTIME; // Its deepest penetration (m); NULL: none
} JwDenseOps;

/// One contact point.  What most samples ask for comes first.
struct JwPoint {
  JwStep step;
  const JwLawOps* ops;
  double offset; // eta = u(side 0) - u(side 1) + offset (m)
  JwSide side[2];
  const JwDenseOps* dense; // NULL for a point proper
  JwGroup* group;
  JwStretch* stretch;
  bool closed;              // It may push in this step, or could in the last
  bool passed;              // It is open, and passed over in this step
  uint32_t place;           // In its island
  uint32_t in_hub;          // Among what opens and closes on things that are tied (step/hub.c)
  uint32_t contact, island; // JW_NONE: no contact, but an object that stretches
  double profile;           // Height of a barrier here, a part of the offset (m)
  double position[2];       // Along the string, for points of a contact along it
};

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
  bool listened;       // A pickup asks for its force
  uint32_t pressed_by; // Of friction: the contact that presses, from 1; 0: none
  // Of one along a string over something rigid (step/along.c), in the layout of the string
  JwObject* string;
  double sign; // eta = sign u + offset
  double* bar;
  uint32_t* at;        // Point
  bool beyond;         // The string's own loop found a point beyond its bar
  JwTouching touching; // step/along_lanes.c
} JwContact;

/// Contact points of which a force in one moves another within the same sample.
typedef struct {
  JwPoint** points;
  uint32_t count;
  double* compliance; // count x count (m/N), or NULL: worked out as needed
  bool iterates;
  bool along; // Its only point is advanced with its contact (step/along.c)
  bool hub;   // It joins banks that are tied to one thing (step/hub.c)
} JwIsland;

/// Penetration at a time level, read from the objects (m).
static inline double jw_point_gap(const JwPoint* point, JwLevel level) {
  return (jw_side_read(&point->side[0], level) - jw_side_read(&point->side[1], level))
         + point->offset;
}

/// How far the gap closes over the step, read from the objects (m).
static inline double jw_point_motion(const JwPoint* point) {
  return jw_side_motion(&point->side[0]) - jw_side_motion(&point->side[1]);
}

/// Push both sides apart.
static inline void jw_point_push(const JwPoint* point, double force) {
  jw_side_push(&point->side[0], -force);
  jw_side_push(&point->side[1], force);
}

static inline bool jw_point_touches(const JwPoint* point, const JwObject* object) {
  return point->side[0].object == object || point->side[1].object == object;
}

/// Read eta and eta_next of the step that is over anew, after something else has moved the objects.
static inline void jw_point_reread(JwPoint* point) {
  JwSide *const a = &point->side[0], *const b = &point->side[1];
  jw_side_reread(a);
  jw_side_reread(b);
  point->step.eta = (a->past - b->past) + point->offset;
  point->step.eta_next = (a->now - b->now) + point->offset;
}

/// How far a force at one point opens the gap of another in one sample (m/N).
JW_REALTIME double jw_point_compliance(const JwPoint* a, const JwPoint* b);

#endif // JAWARI_CONTACT_H
