// SPDX-License-Identifier: MIT
// A component in flight: its objects, what is read of them and what pushes them (flight.c has the
// reason).
#ifndef JAWARI_FLIGHT_PARTS_H
#define JAWARI_FLIGHT_PARTS_H

#include "flight/flight.h"
#include "world.h"

#define JW_FLIGHT_ROWS (JW_CHUNK + 1) // Of a path: one a frame, and that before the first
_Static_assert(JW_FLIGHT_FRAMES == JW_CHUNK, "a flight may last a chunk");

typedef struct {
  const JwSide* side;
  const double* sums;
  double* path;
} JwFlightReading;

typedef struct {
  JwPoint* point;
  double* path[2];
} JwFlightGap;

typedef struct {
  JwPickup* pickup;
  uint32_t index;
  const double* path;
  const double* steps; // Of a mass; NULL: none
} JwFlightEar;

typedef struct {
  uint32_t index;
  JwFlightBank* bank; // NULL: a mass
  double* values;
} JwFlightDrive;

struct JwFlight {
  const JwFlightOps* ops;
  JwFlightBank* banks;
  JwFlightMass* masses;
  JwFlightReading* readings;
  JwFlightGap* gaps;
  JwFlightEar* ears;
  JwFlightDrive* drives;
  double *paths, *sums, *nothing;
  JwPress press; // Its step is NULL where there is no such contact
  double* force;
  const double** pointers;
  double** targets;
  uint32_t bank_count, mass_count, reading_count, gap_count, ear_count, drive_count;
  uint32_t span; // Frames to try next
  bool pushed;   // There are forces of frames past
};

#endif // JAWARI_FLIGHT_PARTS_H
