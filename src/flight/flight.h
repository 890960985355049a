// SPDX-License-Identifier: MIT
// Banks in free flight: what the lanes need to know (flight.c has the reason and the rest).
#ifndef JAWARI_FLIGHT_H
#define JAWARI_FLIGHT_H

#include "law/law.h"

#include <stdbool.h>
#include <stdint.h>

/// Most frames in one go.
#define JW_FLIGHT_FRAMES 64

/// A bank of modes.  Every array is aligned and padded with zeros to rows of four.
typedef struct {
  uint32_t rows;
  const double *e, *b; // As in bank.c
  double* buffer[3];
  // What ports read: sum w u by lanes, one row of four a frame
  uint32_t reading_count;
  const double** weight;
  double** sums;
  // Forces: next += spread F, frame by frame
  uint32_t drive_count;
  const double** spread;
  const double** force;
  double* saved; // Two states
} JwFlightBank;

/// A mass.
typedef struct {
  double e, b, push;    // As in bank.c; what weight adds in a frame (m)
  double* buffer[3];    // Displacement, step
  double *path, *steps; // The same, frame by frame, the first before the first step
  double saved[4];
} JwFlightMass;

/// A contact alone in its component, of a bank or a mass with a mass or something rigid.
typedef struct {
  JwStep* step;
  double rest;
  const JwFlightBank* bank; // NULL: none
  int side;                 // Its
  const double *weight, *spread;
  const JwFlightMass* mass[2];
  double mass_spread[2];
  double *path[2], *force; // Frame by frame
} JwPress;

typedef struct {
  /// Advance a bank and a mass by `count` frames from `frame` as if nothing touched; or a bank that
  /// forces push, or a mass, alone.  Sums and paths have count + 1 rows, the first of the state at
  /// `frame`.
  void (*both)(const JwFlightBank* bank, const JwFlightMass* mass, uint64_t frame,
               uint32_t count) JW_REALTIME;
  void (*bank)(const JwFlightBank* bank, uint64_t frame, uint32_t count) JW_REALTIME;
  void (*mass)(const JwFlightMass* mass, uint64_t frame, uint32_t count) JW_REALTIME;
  /// path[i] = (sums[4 i] + sums[4 i + 1]) + (sums[4 i + 2] + sums[4 i + 3]): the order of jw_dot()
  void (*add)(uint32_t count, const double* sums, double* path) JW_REALTIME;
  /// First i with (a[i] - b[i]) + rest > JW_TINY, or count.
  uint32_t (*closes)(uint32_t count, const double* a, const double* b, double rest) JW_REALTIME;
  /// row[i] = gain (path[i + 1] - path[i]) / k
  void (*velocity)(uint32_t count, const double* path, double k, double gain,
                   double* row) JW_REALTIME;
  /// Advance a contact of the rule `bounded` while it pushes, by at most `count` frames from
  /// `frame`; returns how many.  Paths and forces, and the sums of other ports, have as many rows
  /// and one before.
  uint32_t (*press)(const JwPress* press, uint64_t frame, uint32_t count) JW_REALTIME;
} JwFlightOps;

#if defined(__GNUC__)
extern const JwFlightOps jw_flight_base;
#if defined(__x86_64__)
extern const JwFlightOps jw_flight_avx2;
#endif
#endif

#endif // JAWARI_FLIGHT_H
