// SPDX-License-Identifier: MIT
// The loops of tied.h in registers of 256 bits.

#if defined(__x86_64__) && defined(__GNUC__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "kernel/tied_body.h"

extern const JwTiedLanes jw_tied_avx2;
const JwTiedLanes jw_tied_avx2 = {advance, settle, read, solve, rows, columns};

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else
typedef int jw_no_tied_avx2;
#endif
