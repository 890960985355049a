// SPDX-License-Identifier: MIT
// Tables of numeric/power_body.h.
#ifndef JAWARI_POWER_TABLE_H
#define JAWARI_POWER_TABLE_H

#define JW_POWER_ROWS 128

/// 1/c and log2(c) of the numbers c near 1 whose significand ends after seven bits: from 181/256, c
/// = 1 is row 75.
extern const double jw_power_near[JW_POWER_ROWS][2];

/// 2^(i/128).
extern const double jw_power_roots[JW_POWER_ROWS];

#endif // JAWARI_POWER_TABLE_H
