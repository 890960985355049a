// x^p and e^x of one value, to be inlined where a chain of them is what takes the time.
#ifndef JAWARI_POWER_SCALAR_H
#define JAWARI_POWER_SCALAR_H

typedef double Real;
typedef unsigned long long Bits;

static inline Bits below(Real a, Real b) { return a < b ? ~(Bits)0 : 0; }

#define POWER_SCALAR
#include "numeric/power_body.h"

#endif // JAWARI_POWER_SCALAR_H
