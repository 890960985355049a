// SPDX-License-Identifier: MIT
// octaves.h: from intervals to ratios and back, the same bits everywhere.
#ifndef JAWARI_OCTAVES_H
#define JAWARI_OCTAVES_H

/// 2^octaves, for |octaves| <= 1000; relative error below 5e-16.  Whole octaves are exact.
double jw_octaves_up(double octaves);

/// How many octaves a ratio is, for finite ratio > 0; error below 5e-16 of the larger of it and 1.
double jw_octaves_of(double ratio);

#endif // JAWARI_OCTAVES_H
