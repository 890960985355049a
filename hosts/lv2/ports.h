// SPDX-License-Identifier: MIT
// ports.h: what the plug-in and the bundle that describes it agree on.
#ifndef JAWARI_LV2_PORTS_H
#define JAWARI_LV2_PORTS_H

/// What stands before a scene's name in the name of its plug-in.
#define JW_LV2_PREFIX "urn:jawari:"

/// The ports; controls follow.
enum { JW_LV2_EVENTS, JW_LV2_LEFT, JW_LV2_RIGHT, JW_LV2_LATENCY, JW_LV2_CONTROLS };

#endif // JAWARI_LV2_PORTS_H
