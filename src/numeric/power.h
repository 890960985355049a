// SPDX-License-Identifier: MIT
// numeric/power.h: x^p and e^x from + - * and integer operations only, the same bits everywhere.
//
// libm's pow and exp differ between C libraries, and between CPUs under one of them.  The laws need
// eta^((alpha - 1)/2), the bow needs e^(-a v^2): these two are used in the sample loop instead.
#ifndef JAWARI_NUMERIC_POWER_H
#define JAWARI_NUMERIC_POWER_H

#include <jawari/base.h>

/// x^p for finite x > 0 and -1 <= p <= 9; relative error below 1e-15 up to p = 6 (test_power.c).
/// Results below 2^-1021 are 0, those from 2^1023 infinity, give or take |p|/2 percent.  A
/// subnormal or zero x counts as about 2^-1023; a negative x or a NaN is the caller's mistake and
/// gives a meaningless number.
JW_REALTIME double jw_power(double x, double p);

/// e^x for any x that is not NaN; relative error below 4e-16.  0 below 2^-1021, infinity from
/// 2^1023.
JW_REALTIME double jw_exp(double x);

#endif // JAWARI_NUMERIC_POWER_H
