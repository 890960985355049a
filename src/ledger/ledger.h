// SPDX-License-Identifier: MIT
// Where the energy is and went, what contacts did, and what has come to rest.
#ifndef JAWARI_LEDGER_H
#define JAWARI_LEDGER_H

#include "model/world.h"

// ---------------------------------------------------------------- ledger.c

void jw_ledger_start(JwComponent* component);
/// Every 1024 frames: how far is it open?
JW_REALTIME void jw_ledger_look(JwWorld* world, JwComponent* component);
/// What a contact holds (J).
JW_REALTIME double jw_contact_energy(const JwWorld* world, const JwContact* contact);
/// Kinetic, potential and contact energy between JW_PREV and JW_NOW; returns their sum (J).
double jw_component_energy(const JwComponent* component, double parts[4]);
/// What its contacts, and objects as they stretch, hold (J).
JW_REALTIME double jw_component_contact_energy(const JwComponent* component);
/// What one contact or one object holds: measured before and after a change from outside, which
/// touches nothing else, and the difference supplied.  0 without the ledger.
JW_REALTIME double jw_ledger_contact(const JwWorld* world, const JwContact* contact);
JW_REALTIME double jw_ledger_object(const JwWorld* world, const JwObject* object);
JW_REALTIME void jw_ledger_lose(const JwWorld* world, JwComponent* component, double energy);
JW_REALTIME void jw_ledger_supply(const JwWorld* world, JwComponent* component, double energy);
/// What a point lost and brought in the step, if it is closed; and all points of an island.
JW_REALTIME void jw_ledger_point(const JwWorld* world, JwComponent* component,
                                 const JwPoint* point);
JW_REALTIME void jw_ledger_island(const JwWorld* world, JwComponent* component,
                                  const JwIsland* island);

// ---------------------------------------------------------------- figures.c, rest.c

/// Note what a point did in the step that is over.
JW_REALTIME void jw_figures_step(JwPoint* point);

/// Look whether anything has come to rest, and let it lie.
JW_REALTIME void jw_component_rest(JwWorld* world, JwComponent* component);

#endif // JAWARI_LEDGER_H
