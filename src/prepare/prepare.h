// SPDX-License-Identifier: MIT
// From definitions to a world that runs.
//
//   prepare.c   components, memory, set up      layout.c   where everything lies in memory
//   cost.c      what it will take               places.c   contacts and their points
//   islands.c   points that move each other     start.c    the initial state
//   begin.c     loads of contacts at a start or a throw
#ifndef JAWARI_PREPARE_H
#define JAWARI_PREPARE_H

#include "model/world.h"

/// Has prepare been cancelled?
static inline bool jw_prepare_stopped(const JwWorld* world) {
  return world->preparing && atomic_load_explicit(&world->cancelled, memory_order_relaxed);
}

/// Number points and components, and assign everything to its component; returns how many contact
/// points there are, which may be more than can be numbered.
uint64_t jw_world_assign(JwWorld* world);

/// layout.c: hand out memory, or measure it.
void jw_world_layout(JwWorld* world, JwArena* arena, JwArena* state);

/// What a component needs room for, and what its steps cost.
typedef struct {
  uint64_t objects, cells, points, forces, pickups, slots;
  uint64_t places, runs;  // Contacts at a place; contacts along strings
  uint64_t coupled;       // Points along strings that move each other for good
  bool chained;           // Some contact links all points along its strings
  bool iterates;          // Some contact is solved by the iterative reference
  bool moves;             // A curve moves a port: islands are found anew in every sample
  double weights, widest; // Of all ports together, and most of one
} JwTally;

JwTally jw_component_tally(const JwWorld* world, uint32_t component);
/// Operations a sample, where not everything is closed at once.
double jw_world_usual_operations(const JwWorld* world);
/// Most points that an island can come to have when ports move.
uint64_t jw_island_capacity(const JwTally* tally);

// ---------------------------------------------------------------- places.c

/// How many points a contact has; notes the places of a grouped one.
uint32_t jw_contact_points(const JwWorld* world, JwContact* contact);
void jw_contact_layout(JwWorld* world, JwContact* contact, JwArena* arena, JwArena* state);
void jw_contact_setup(JwWorld* world, JwContact* contact);
/// Work out where the sides of its points lie, after a port has moved.
JW_REALTIME void jw_contact_place(JwWorld* world, JwContact* contact);
/// Work out the offsets of its points, after its gap or the zero of what it touches has moved.
JW_REALTIME void jw_contact_offset(JwWorld* world, const JwContact* contact);

// ---------------------------------------------------------------- islands.c, start.c, begin.c

JW_REALTIME void jw_islands_build(JwWorld* world, JwComponent* component);

void jw_world_start(JwWorld* world);

/// Loads and pasts of all contacts at the start, half a step back from it.
void jw_component_begin(JwWorld* world, JwComponent* component);
/// The same for the contacts of a mass that has been thrown.
JW_REALTIME void jw_throw_begin(JwWorld* world, JwComponent* component, const JwObject* mass,
                                double velocity);

#endif // JAWARI_PREPARE_H
