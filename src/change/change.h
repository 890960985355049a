// SPDX-License-Identifier: MIT
// What comes from outside while a world runs: controls, curves, throws and triggers.
//
// Every control of every thing is a slot: objects first, then contacts, exciters, pickups.
//
//   slots.c      which controls there are, and their ranges
//   controls.c   curves and ramps in time, the queue of commands
//   apply.c      what a controlled number does to the model
#ifndef JAWARI_CHANGE_H
#define JAWARI_CHANGE_H

#include "model/world.h"

// ---------------------------------------------------------------- slots.c

/// JW_NONE where the target has no such control.
uint32_t jw_slot_index(const JwWorld* world, JwTarget target);
JW_REALTIME JwTarget jw_slot_target(const JwWorld* world, uint32_t slot);
JW_REALTIME bool jw_slot_valid(const JwWorld* world, JwTarget target, double value);

// ---------------------------------------------------------------- controls.c

void jw_controls_start(JwWorld* world);
/// Apply what moves in this frame: controls, then throws that are due.
JW_REALTIME void jw_change_step(JwWorld* world, JwComponent* component);
/// Take the commands that wait in the queue.
JW_REALTIME void jw_controls_block(JwWorld* world);
/// Put every controlled number back after the state has been replaced.
JW_REALTIME void jw_controls_restore(JwWorld* world);

// ---------------------------------------------------------------- apply.c

double jw_control_get(const JwWorld* world, uint32_t slot);
JW_REALTIME void jw_control_apply(JwWorld* world, uint32_t slot, double value);
JW_REALTIME void jw_mass_throw(JwWorld* world, JwObject* mass, double position, double velocity);

#endif // JAWARI_CHANGE_H
