// SPDX-License-Identifier: MIT
// Banks of modes that are tied to one thing by a linear contact each (step/hub.c): one pass over
// memory a sample, and the products with dense matrices that join them.
//
// A pass does four things for a mode, since what limits it is reading: the push of the last sample
// is added, which was found after the pass before; what that sample lost is summed, if somebody
// keeps a ledger; the mode is advanced (1.4); and how far its ports move is summed.
//
//   u = u* + w (2 + 2e - b) f,   sum of l (u - n)^2,   d = u - p,   v = e d - b u,
//   n = u + v,   sum of w (d + v)
//
// u* is the state as the pass before has written it and f the force that was found afterwards,
// times
// k^2/4m: a bank with exact poles has y = (k^2/4m)(2 (1 + e) - b).  Before it is written, n is the
// state of two samples ago, and l what a mode loses by (1.5).  With a second place, its w and f as
// well, after the first.  Sums run as those of jw_dot(), on every width.
//
// The strings of one key have the same losses and lie on the same places: up to three banks with
// the
// same e and w are advanced together, which is a third less to read.
#ifndef JAWARI_KERNEL_TIED_H
#define JAWARI_KERNEL_TIED_H

#include "kernel/kernel.h"

#include <stddef.h>

#define JW_MOST_ALIKE 3u

/// Banks that are alike.  Buffers and constants go on to a multiple of four modes, with zeros.
typedef struct {
  uint32_t blocks;      // Of four modes
  uint32_t first;       // Bank
  uint32_t count;       // Banks
  uint32_t places;      // 1, or 2: something else holds them as well
  const double* alike;  // By block: e and w of four modes
  const double* own;    // By block: b of each bank
  const double* lost;   // By block: l of each bank
  const double* second; // By block: w of the second place
  double* buffer[JW_MOST_ALIKE][3];
} JwAlike;

/// The roles of buffers in this sample.
typedef struct {
  size_t prev, now, next;
} JwRoles;

/// By bank, of one place: the push that has not been added to the newest state, times k^2/4m, and
/// how
/// far the place would move, next - prev.  Arrays go on to a multiple of four.
typedef struct {
  double *push, *moved;
} JwTies;

/// By pin (step/hub.c); arrays go on to a multiple of four.
typedef struct {
  double *a, *g, *psi;  // Of its law: f = a r + g psi
  double* rate;         // a - g^2/4: what it loses is rate r^2/2
  double *q, *part;     // Compliance of the bank, and 1/(1 + a q)
  double* given;        // How far others move the pin
  double* hub;          // How far the hub would move, then how far it does
  double *free, *sum;   // How far the pin would move; part (a free + g psi)
  double *f, *r;        // Its force, how far it moves
  double *keep, *scale; // 0: pushed at once, -1: the next pass does it; k^2/4m
  double *bound, *limit, *reach;
  double* sign;         // Of the bank in the pin's eta
  double *most, *acted; // The largest force in that sense; in how many samples there was one
} JwPins;

typedef struct {
  // `lost`, by bank: what the sample before lost; NULL: nobody asks
  void (*advance)(const JwAlike* alike, uint32_t count, JwRoles roles, const JwTies ties[2],
                  double* lost) JW_REALTIME;
  // Add the pushes on one group to its buffer `now`
  void (*settle)(const JwAlike* alike, size_t now, const JwTies ties[2]) JW_REALTIME;
  // free and sum, from what was read and hub
  void (*read)(uint32_t count, const JwPins* pins, const JwTies* ties) JW_REALTIME;
  // f, r, psi, bound, most, acted and the push to come; returns whether any bound is beyond its
  // limit
  bool (*solve)(uint32_t count, const JwPins* pins, double* push) JW_REALTIME;
  // y[i] = sum of a[i * stride + j] x[j], rows by rows; stride: a multiple of four
  void (*rows)(uint32_t count, uint32_t stride, const double* a, const double* x,
               double* y) JW_REALTIME;
  // x[j] += sum of a[i * stride + j] y[i]
  void (*columns)(uint32_t count, uint32_t stride, const double* a, const double* y,
                  double* x) JW_REALTIME;
} JwTiedLanes;

/// Those of the lanes that are chosen; NULL: this compiler has none.
const JwTiedLanes* jw_tied_lanes(void);

#endif // JAWARI_KERNEL_TIED_H
