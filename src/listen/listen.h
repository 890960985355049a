// SPDX-License-Identifier: MIT
// What pickups hear, and how it is mixed into channels.
#ifndef JAWARI_LISTEN_H
#define JAWARI_LISTEN_H

#include "model/world.h"

/// Hear the state that a component has come to, as frame `i` of the chunk.
JW_REALTIME void jw_listen(const JwWorld* world, JwComponent* component, uint32_t i);
/// Hear what sleeps: the same in all `count` frames.
JW_REALTIME void jw_listen_asleep(const JwWorld* world, JwComponent* component, uint32_t count);
/// Turn what was heard in frames `from` to `to` of the chunk into its unit, with gain and pan.
JW_REALTIME void jw_listen_scale(const JwWorld* world, const JwComponent* component, uint32_t from,
                                 uint32_t to);
/// Add it to the channels, in the order of components.
JW_REALTIME void jw_listen_mix(const JwWorld* world, const JwComponent* component, uint32_t count);
/// Left and right (2, 3) from gain and pan (0, 1).  Constant power: left^2 + right^2 = gain^2, both
/// at 1/sqrt(2) in the middle.
JW_REALTIME void jw_gains_pan(double gains[4]);

#endif // JAWARI_LISTEN_H
