// SPDX-License-Identifier: MIT
// What plates are made of, whether by finite differences or by modes.

#include "object/plate.h"

#include "numeric/elementary.h"

#include <math.h>
#include <stdio.h>

static JwStatus find_losses(const JwPlateDef* def, JwPlatePhysics* physics, char* error) {
  physics->loss[0] = def->loss[0];
  physics->loss[1] = def->loss[1];
  if (isnan(def->decay[0]) && isnan(def->decay[1]) && isnan(def->decay[2])
      && isnan(def->decay[3])) {
    return JW_STATUS_OK;
  }
  const double mean = sqrt(physics->dx * physics->dy);
  return jw_losses_from_decay(def->decay, jw_stiff_wave_number_squared,
                              physics->tension / physics->mass, mean / physics->mass, physics->loss,
                              error);
}

JwStatus jw_plate_physics(const JwPlateDef* def, JwPlatePhysics* physics, char* error) {
  const double cube = def->thickness * def->thickness * def->thickness / 12.0;
  const double nu = def->poisson;
  physics->mass = isnan(def->mass_per_area) ? def->density * def->thickness : def->mass_per_area;
  physics->tension = def->tension;
  if (!isnan(def->bending)) {
    physics->dx = physics->dy = def->bending;
    physics->d1 = nu * def->bending;
    physics->dk = 0.5 * (1.0 - nu) * def->bending;
  } else {
    const double ex = def->young, ey = isnan(def->young_across) ? ex : def->young_across;
    const double nu_y = ex > 0.0 ? nu * ey / ex : nu;
    if (!(nu * nu_y < 1.0)) {
      snprintf(error, JW_ERROR_SIZE, "poisson is %g, must be below %g for these moduli", nu,
               sqrt(ex / ey));
      return JW_STATUS_BAD_VALUE;
    }
    const double shear =
        isnan(def->shear) ? sqrt(ex * ey) / (2.0 * (1.0 + sqrt(nu * nu_y))) : def->shear;
    physics->dx = ex * cube / (1.0 - nu * nu_y);
    physics->dy = ey * cube / (1.0 - nu * nu_y);
    physics->d1 = nu_y * physics->dx;
    physics->dk = shear * cube;
  }
  if (!((physics->dx > 0.0 && physics->dy > 0.0) || physics->tension > 0.0)) {
    snprintf(error, JW_ERROR_SIZE,
             "tension and bending stiffness are both 0: nothing would hold it together");
    return JW_STATUS_BAD_VALUE;
  }
  return find_losses(def, physics, error);
}

double jw_plate_frequency(const JwPlateDef* def, const JwPlatePhysics* physics, uint32_t m,
                          uint32_t n) {
  const double kx = m * JW_PI / def->size[0], ky = n * JW_PI / def->size[1], gx = kx * kx,
               gy = ky * ky;
  const double bending = physics->dx * gx * gx + physics->dy * gy * gy
                         + 2.0 * (physics->d1 + 2.0 * physics->dk) * gx * gy;
  return sqrt((bending + physics->tension * (gx + gy)) / physics->mass) / (2.0 * JW_PI);
}

static bool all_edges(const JwPlateDef* def, bool supported) {
  for (int i = 0; i < 4; ++i) {
    if (supported ? def->edges[i] != JW_END_SUPPORTED : def->edges[i] == JW_END_FREE) {
      return false;
    }
  }
  return true;
}

bool jw_plate_supported(const JwPlateDef* def) {
  return all_edges(def, true);
}

// By the mean stretch the edges do not give way in the plane, so that the stretch of both sides is
// S/2A everywhere; by that of every place they do, and are only held in line.
JwStatus jw_plate_stretch(JwObject* object, char* error) {
  const JwPlateDef* const def = &object->def.plate;
  object->stretch = 0.0;
  object->local = def->nonlinear == JW_NONLINEAR_LOCAL;
  if (def->nonlinear == JW_NONLINEAR_NONE) {
    return JW_STATUS_OK;
  }
  if (!all_edges(def, false)) {
    snprintf(error, JW_ERROR_SIZE, "nonlinear must be none where an edge is free");
    return JW_STATUS_BAD_VALUE;
  }
  if (object->local && def->method != JW_METHOD_MODES) {
    snprintf(error, JW_ERROR_SIZE, "nonlinear is local, which needs method modes");
    return JW_STATUS_BAD_VALUE;
  }
  if (!isnan(def->bending) || !isnan(def->young_across) || !(def->young > 0.0)) {
    snprintf(error, JW_ERROR_SIZE,
             "nonlinear is not none, which needs young and thickness, alike along both sides");
    return JW_STATUS_BAD_VALUE;
  }
  const double stretching = def->young * def->thickness, area = def->size[0] * def->size[1];
  object->stretch = object->local
                        ? 2.0 * stretching / area
                        : sqrt(stretching / (1.0 - def->poisson * def->poisson) / (4.0 * area));
  return JW_STATUS_OK;
}
