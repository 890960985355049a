// SPDX-License-Identifier: MIT
// Names that a scene may use, and what to suggest for those it may not.
#ifndef JAWARI_SCENE_NAMES_H
#define JAWARI_SCENE_NAMES_H

#include <jawari/scene.h>

/// The material of this name, or NULL.
const JwMaterial* jw_material_find(const char* name);

/// Letters put in, left out, changed or swapped to make `b` of `a`; UINT32_MAX for long names.
uint32_t jw_name_distance(const char* a, const char* b);

/// Search for the candidate nearest to `wanted`: {wanted, NULL, UINT32_MAX}, then try each.
typedef struct {
  const char* wanted;
  const char* found; ///< NULL while none is near enough
  uint32_t distance;
} JwNearest;

void jw_nearest_try(JwNearest* nearest, const char* candidate);

#endif // JAWARI_SCENE_NAMES_H
