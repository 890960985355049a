// SPDX-License-Identifier: MIT
// Pickups that listen in the air: the pressure of a sphere that breathes as fast as their place
// moves, at a distance.
//
//   symbol   meaning                                         unit
//   v        velocity of the place, outward                  m/s
//   a, r     radius of the sphere, distance from its middle  m
//   c, rho   speed of sound and density of air at 20 C       m/s, kg/m3
//
// A sphere pushes air aside where it is large against a wave, and only moves it to and fro where it
// is small (P. Morse and K. Ingard, Theoretical Acoustics, section 7.1):
//
//   p = rho c (a/r) s/(s + c/a) v, r/c later                                            (9.1)
//
// A high-pass by its size, so that what bobs below 20 Hz is hardly heard.  With w = k c/a, and
// s = (2/k)(1 - z^-1)/(1 + z^-1), a frame is
//
//   p(n) = ((1 - w/2) p(n-1) + rho c (a/r) (v(n) - v(n-1))) / (1 + w/2)                 (9.2)
//
// which has the gain of (9.1) at 0 and at Nyquist's frequency, and its corner within 1 % as long as
// it lies below a twentieth of the rate.  The way through the air is a whole number of frames:
// places are heard up to 4 mm from where they are, at 44.1 kHz.  Tested by test_air.c.

#include "listen/listen.h"

#define SILENT 1e-200 // Far below what is heard; what decays must end, or it becomes denormal

uint64_t jw_air_frames(const JwWorld* world, const JwPickup* pickup) {
  return (uint64_t)(pickup->def.distance / (JW_SPEED_OF_SOUND * world->k) + 0.5) + 1;
}

JW_REALTIME void jw_air_carry(const JwWorld* world, const JwPickup* pickup, double* row,
                              uint32_t count) {
  const double half = 0.5 * world->k * JW_SPEED_OF_SOUND / pickup->def.size;
  const double gain =
      JW_AIR_DENSITY * JW_SPEED_OF_SOUND * pickup->def.size / (pickup->def.distance * (1.0 + half));
  const double keep = (1.0 - half) / (1.0 + half);
  JwAir air = *pickup->air;
  for (uint32_t i = 0; i < count; ++i) {
    const double pressure = keep * air.pressure + gain * (row[i] - air.velocity);
    air.velocity = row[i];
    air.pressure = fabs(pressure) < SILENT ? 0.0 : pressure;
    air.left =
        air.pressure != 0.0 || air.velocity != 0.0 ? pickup->frames : air.left - (air.left > 0);
    pickup->way[air.at] = air.pressure;
    air.at = air.at + 1 == pickup->frames ? 0 : air.at + 1;
    row[i] = pickup->way[air.at];
  }
  *pickup->air = air;
}
