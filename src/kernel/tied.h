// SPDX-License-Identifier: MIT
// Banks of modes that are tied to one thing by a linear contact each (step/hub.c): one pass over
// memory a sample, and the products with dense matrices that join them.
//
// A pass does three things for a mode, since what limits it is reading: the pushes of the last two
// samples are added where they were left out, the mode is advanced (1.4), and what its ports read
// is summed.
//
//   s = w (2 + 2e - b),  u = u* + s f,  p = p* + s f-,  n = u + (e (u - p) - b u),  sums of w u and w n
//
// u* and p* are the states as the passes before have written them, f and f- the forces that were
// found afterwards, times k^2/4m: a bank with exact poles has y = (k^2/4m)(2 (1 + e) - b).  With a
// second place, its w, f and f- as well, after the first.  Sums are those of jw_dot(), to the bit,
// on every width.
//
// The strings of one key have the same losses and lie on the same places: up to three banks with the
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
  const double* second; // By block: w of the second place
  double* buffer[JW_MOST_ALIKE][3];
} JwAlike;

/// The roles of buffers in this sample; next may take the place of prev.
typedef struct {
  size_t prev, now, next;
} JwRoles;

/// By bank, of one place: pushes that have not been added to the three buffers, times k^2/4m, and
/// what was read of next and now.  Arrays go on to a multiple of four.
typedef struct {
  double *push[3], *next, *now;
} JwTies;

/// By pin (step/hub.c); arrays go on to a multiple of four.
typedef struct {
  double *a, *g, *psi;  // Of its law: f = a r + g psi
  double *q, *part;     // Compliance of the bank, and 1/(1 + a q)
  double *past, *given; // What was read of prev; how far others move the pin
  double* hub;          // How far the hub would move, then how far it does
  double *free, *sum;   // How far the pin would move; part (a free + g psi)
  double *f, *r;        // Its force, how far it moves
  double *keep, *scale; // 0: pushed at once, -1: the next pass does it; k^2/4m
  double *bound, *limit, *reach, *most;
} JwPins;

typedef struct {
  void (*advance)(const JwAlike* alike, uint32_t count, JwRoles roles,
                  const JwTies ties[2]) JW_REALTIME;
  // Add the pushes of one buffer of one group
  void (*settle)(const JwAlike* alike, size_t level, const JwTies ties[2]) JW_REALTIME;
  // free and sum, and past of the next sample, from what was read and hub
  void (*read)(uint32_t count, const JwPins* pins, const JwTies* ties) JW_REALTIME;
  // f, r, psi, bound, most and the push to come; returns whether any bound is beyond its limit
  bool (*solve)(uint32_t count, const JwPins* pins, double* push) JW_REALTIME;
  // y[i] = sum of a[i * stride + j] x[j], rows by rows; stride: a multiple of four
  void (*rows)(uint32_t count, uint32_t stride, const double* a, const double* x,
               double* y) JW_REALTIME;
  // The same of two x
  void (*rows_of_two)(uint32_t count, uint32_t stride, const double* a, const double* const x[2],
                      double* const y[2]) JW_REALTIME;
  // x[j] += sum of a[i * stride + j] y[i]
  void (*columns)(uint32_t count, uint32_t stride, const double* a, const double* y,
                  double* x) JW_REALTIME;
} JwTiedLanes;

/// Those of the lanes that are chosen; NULL: this compiler has none.
const JwTiedLanes* jw_tied_lanes(void);

#endif // JAWARI_KERNEL_TIED_H
