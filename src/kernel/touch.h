// SPDX-License-Identifier: MIT
// Contact points of a string that touch something rigid, four side by side.
//
// A point is taken in when it closes and stays until it is open and empty (step/along_lanes.c).
// Meanwhile all
// that changes from sample to sample, its figures included, is here, by lanes, and what the string
// did to it is known without looking: only its free next value is fetched, and the pushed one put
// back.
#ifndef JAWARI_KERNEL_TOUCH_H
#define JAWARI_KERNEL_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

/// One lane a point.  The names are those of JwPointState and JwStep (law/law.h).
typedef struct {
  double u[4], prev[4];   // Of the string, at n and n - 1
  double rest[4];         // eta = sign u + rest
  double eta[4], root[4]; // Penetration at n and its power (alpha - 1)/2
  double psi[4], f[4];
  int64_t closure[4];
  uint32_t at[4];    // Where on the string
  uint32_t point[4]; // Of the world
  int64_t active[4]; // Where closure is 0: might it push in the last step?
} JwFour;

/// Largest values, by lane; over all points of a contact.
typedef struct {
  double push[4], pull[4], penetration[4], largest_psi[4], largest_wanted[4], misfit[4], parked[4];
  double lost[4];                    // A sum, of the energy that loss took (J)
  int64_t longest_closure[4];        // Of those that are over
  uint64_t closures, closed_samples; // Sums
} JwRecords;

/// The points of one contact: `count` lanes, from the first.  Lanes of the last four that are not
/// in use are open and empty, and their rest is -1e300: they change no record.
typedef struct {
  double sign, q, spread;   // spread: what a newton adds to next (m/N)
  double power;             // (alpha - 1)/2
  double theory, stiffness; // g_th = theory root, phi = stiffness (root eta)^2
  double loss;              // What it adds to a: loss (root^2 eta)
  uint32_t count, known;    // Those from `known` on have no root yet
  JwFour* four;
  JwRecords* records;
  bool busy; // Something has been noted since the last pause
} JwTouching;

#endif // JAWARI_KERNEL_TOUCH_H
