// SPDX-License-Identifier: MIT
// What pickups hear, and how it is mixed into channels.
#ifndef JAWARI_LISTEN_H
#define JAWARI_LISTEN_H

#include "model/world.h"

#define JW_SPEED_OF_SOUND 343.2 // At 20 C, m/s
#define JW_AIR_DENSITY 1.204    // kg/m3

/// Hear the state that a component has come to, as frame `i` of the chunk.
JW_REALTIME void jw_listen(const JwWorld* world, JwComponent* component, uint32_t i);
/// Hear what sleeps: the same in all `count` frames.
JW_REALTIME void jw_listen_asleep(const JwWorld* world, JwComponent* component, uint32_t count);
/// Turn what was heard in frames `from` to `to` of the chunk into its unit, with gain and pan.
JW_REALTIME void jw_listen_scale(const JwWorld* world, const JwComponent* component, uint32_t from,
                                 uint32_t to);
/// Add it to the channels, in the order of components.
JW_REALTIME void jw_listen_mix(const JwWorld* world, const JwComponent* component, uint32_t count);
/// From velocities of a place to the pressure at a pickup's ear, and how many frames it keeps.
JW_REALTIME void jw_air_carry(const JwWorld* world, const JwPickup* pickup, double* row,
                              uint32_t count);
uint64_t jw_air_frames(const JwWorld* world, const JwPickup* pickup);
/// Add what the walls of the room answer to the channels.
JW_REALTIME void jw_room_run(const JwWorld* world, JwRoom* room, uint32_t count);
/// Whether source and listener stand in the room of a definition, apart; if not, why.
bool jw_room_check(const JwWorldDef* def, char error[JW_ERROR_SIZE]);
/// Find its images.
void jw_room_lay(const JwWorldDef* def, JwRoom* room);
/// Left and right (2, 3) from gain and pan (0, 1).  Constant power: left^2 + right^2 = gain^2, both
/// at 1/sqrt(2) in the middle.
JW_REALTIME void jw_gains_pan(double gains[4]);

#endif // JAWARI_LISTEN_H
