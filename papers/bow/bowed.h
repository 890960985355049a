// SPDX-License-Identifier: MIT
// bowed.h: a string under a bow, alone, and what its motion is.
#ifndef JAWARI_BOWED_H
#define JAWARI_BOWED_H

#include <jawari/jawari.h>

/// A string to be bowed, with the numbers of a real one.
typedef struct {
  const char* name;
  double length, radius, density, tension, young;
  double decay[4]; ///< f1, T60 at f1, f2, T60 at f2
} JwBowedString;

typedef enum {
  JW_BOWED_VIOLIN_A4,
  JW_BOWED_CELLO_G2,
  JW_BOWED_TROMBA,
  JW_BOWED_STRINGS
} JwBowedName;

extern const JwBowedString jw_bowed_strings[JW_BOWED_STRINGS];

/// One bow stroke.
typedef struct {
  const JwBowedString* string;
  double sample_rate;
  double beta;  ///< Place of the bow, as a fraction of the length
  double force; ///< N
  double speed; ///< m/s
  JwBowMethod method;
  bool moving; ///< Start in Helmholtz motion, to see whether the bow can keep it up; else from rest
  uint32_t settle; ///< Periods before it is looked at
  uint32_t look;   ///< Periods that are looked at
} JwBowedDef;

JwBowedDef jw_bowed_default(JwBowedName string);

/// What the string did while it was looked at.
typedef struct {
  double expected; ///< Fundamental of the string by theory, with stiffness (Hz)
  double pitch;    ///< Hz; 0 where there is no steady tone near the expected one
  double slips;    ///< Slips in each period of that tone, on average
  double sticking; ///< Fraction of the time in which the string moves with the bow
  double steady;   ///< How well a period repeats the one before: 1 is perfectly
  double residual; ///< Worst of the ledger
} JwBowedMotion;

/// Bow it.  JW_STATUS_NO_MEMORY, or what the world said.
JW_MUST_USE JwStatus jw_bowed_run(const JwBowedDef* def, JwBowedMotion* motion);

/// One slip a period, at the string's own pitch.
bool jw_bowed_speaks(const JwBowedMotion* motion);

double jw_bowed_cents(double frequency, double reference);

#endif // JAWARI_BOWED_H
