// SPDX-License-Identifier: MIT
// What is allowed but probably not meant: one function a subject.
#ifndef JAWARI_SCENE_WARN_H
#define JAWARI_SCENE_WARN_H

#include "scene/scene.h"

/// The curve that a control of an item follows, or NULL.
const JwCurve* jw_curve_of(const JwItem* item, JwControl control);

/// What cannot be heard, and why (silence.c).
void jw_warn_of_silence(JwScene* scene, const JwWorld* world);

#endif // JAWARI_SCENE_WARN_H
