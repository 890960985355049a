// SPDX-License-Identifier: MIT
// fade.h: the end of a sound fades out over the scene's `fade`, lest the cut clicks.
#ifndef JAWARI_PLAY_FADE_H
#define JAWARI_PLAY_FADE_H

#include <jawari/scene.h>

#include <math.h>

/// The factor of frame `index` of a sound of `frames`: t^2 (3 - 2 t), where t falls from 1 to 0 over
/// the last `length` frames; it has no corner, and is the same on every machine.
static inline double jw_fade(double length, uint64_t frames, uint64_t index) {
  const double all = (double)frames, left = (double)(frames - index);
  const double t = left / fmin(length, all);
  return t < 1.0 ? t * t * (3.0 - 2.0 * t) : 1.0;
}

#endif // JAWARI_PLAY_FADE_H
