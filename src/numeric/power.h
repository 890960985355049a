// numeric/power.h: x^p and e^x from + - * / and integer operations only, the same bits everywhere.
//
// libm's pow and exp differ between C libraries, and between CPUs under one of them.  The laws need
// eta^((alpha - 1)/2), the bow needs e^(-a v^2): these two are used in the sample loop instead.
#ifndef JAWARI_NUMERIC_POWER_H
#define JAWARI_NUMERIC_POWER_H

/// x^p for finite x > 0 and |p| <= 8; relative error below 3e-15 (test_power.c).  Results below
/// 2^-1021 are 0, those within 1e-12 of 2^1024 and above are infinity.  A subnormal or zero x counts
/// as about 2^-1023; a negative x or a NaN is the caller's mistake and gives a meaningless number.
double jw_power(double x, double p);

/// e^x for any x that is not NaN; relative error below 4e-16.  0 below 2^-1021, infinity above the
/// largest double.
double jw_exp(double x);

#endif // JAWARI_NUMERIC_POWER_H
