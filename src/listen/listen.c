// SPDX-License-Identifier: MIT
// Pickups: displacement, velocity or force, one row a pickup and side.  Rows are added up when all
// components are done, so that the order of the sum does not depend on who was first.

#include "listen/listen.h"

static double contact_force(const JwWorld* world, const JwContact* contact) {
  double sum = 0.0;
  for (uint32_t i = 0; i < contact->point_count; ++i) {
    sum += world->points[contact->first_point + i].step.state->force;
  }
  return sum;
}

// k times the velocity.  On modes one reading is enough: the other is that of the frame before.
static double last_step(const JwComponent* component, JwSide* side) {
  if (!side->object->dense || side->carries) {
    return jw_side_step(side);
  }
  const double past = component->disturbed ? jw_side_read(side, JW_PREV) : side->now;
  side->now = jw_side_read(side, JW_NOW);
  return side->now - past;
}

// Of a velocity, k times that.
static inline double hear(const JwWorld* world, const JwComponent* component, JwPickup* pickup) {
  switch (pickup->def.quantity) {
  case JW_QUANTITY_FORCE:
    return contact_force(world, jw_contact_at(world, pickup->def.contact.index - 1));
  case JW_QUANTITY_DISPLACEMENT:
    return jw_side_read(&pickup->side, JW_NOW) + jw_object_zero(pickup->side.object);
  case JW_QUANTITY_VELOCITY:
  case JW_QUANTITY_PRESSURE: return last_step(component, &pickup->side);
  }
  return 0.0;
}

static bool is_motion(const JwPickup* pickup) {
  return pickup->def.quantity == JW_QUANTITY_VELOCITY || pickup->air;
}

static double* row_of(const JwWorld* world, uint32_t pickup) {
  return world->heard + (size_t)2 * JW_CHUNK * pickup;
}

JW_REALTIME void jw_listen(const JwWorld* world, JwComponent* component, uint32_t i) {
  const bool awake = component->state->awake;
  for (uint32_t p = 0; p < component->pickup_count; ++p) {
    JwPickup* const pickup = jw_pickup_at(world, component->pickups[p]);
    // What sleeps has no velocity, but it is still somewhere, and its contacts may be loaded.
    const bool sounds = awake || !is_motion(pickup);
    row_of(world, component->pickups[p])[i] =
        JW_OFTEN(sounds) ? hear(world, component, pickup) : 0.0;
  }
}

JW_REALTIME void jw_listen_asleep(const JwWorld* world, JwComponent* component, uint32_t count) {
  component->silent = true;
  jw_listen(world, component, 0);
  for (uint32_t p = 0; p < component->pickup_count; ++p) {
    double* const row = row_of(world, component->pickups[p]);
    const JwAir* const air = jw_pickup_at(world, component->pickups[p])->air;
    component->silent = component->silent && row[0] == 0.0 && !(air && air->left);
    for (uint32_t i = 1; i < count; ++i) {
      row[i] = row[0];
    }
  }
  if (!component->silent) {
    jw_listen_scale(world, component, 0, count);
  }
}

// What a pickup's reading is multiplied by, on the left (or alone) and on the right.
static double gain_of(const JwWorld* world, uint32_t pickup, bool right) {
  const double* const gains = world->gains + 4 * (size_t)pickup;
  if (world->def.unscaled) {
    return 1.0;
  }
  if (right) {
    return gains[3];
  }
  return world->def.channels == 2 ? gains[2] : gains[0];
}

JW_REALTIME void jw_listen_scale(const JwWorld* world, const JwComponent* component, uint32_t from,
                                 uint32_t to) {
  for (uint32_t p = 0; p < component->pickup_count; ++p) {
    const uint32_t pickup = component->pickups[p];
    double* restrict const left = row_of(world, pickup);
    double* restrict const right = left + JW_CHUNK;
    const bool stereo = world->def.channels == 2;
    const double unit = is_motion(jw_pickup_at(world, pickup)) ? world->k : 1.0;
    const double gain = gain_of(world, pickup, false), other = gain_of(world, pickup, true);
    for (uint32_t i = from; i < to; ++i) {
      left[i] /= unit;
    }
    if (jw_pickup_at(world, pickup)->air) {
      jw_air_carry(world, jw_pickup_at(world, pickup), left + from, to - from);
    }
    for (uint32_t i = from; i < to && stereo; ++i) {
      right[i] = other * left[i];
    }
    for (uint32_t i = from; i < to; ++i) {
      left[i] *= gain;
    }
  }
}

JW_REALTIME void jw_listen_mix(const JwWorld* world, const JwComponent* component, uint32_t count) {
  const uint32_t channels = world->def.channels;
  for (uint32_t p = 0; p < component->pickup_count && !component->silent; ++p) {
    const uint32_t pickup = component->pickups[p];
    for (uint32_t side = 0; side < (channels == 2 ? 2 : 1); ++side) {
      const double* restrict const row = row_of(world, pickup) + (size_t)JW_CHUNK * side;
      double* restrict const out = world->mixed + (size_t)JW_CHUNK * (channels ? side : pickup);
      for (uint32_t i = 0; i < count; ++i) {
        out[i] += row[i];
      }
    }
  }
}

JW_REALTIME void jw_gains_pan(double gains[4]) {
  gains[2] = gains[0] * sqrt(0.5 * (1.0 - gains[1]));
  gains[3] = gains[0] * sqrt(0.5 * (1.0 + gains[1]));
}
