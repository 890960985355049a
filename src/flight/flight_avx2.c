// SPDX-License-Identifier: MIT
// Four lanes in one register of 256 bits, without fused operations: the same bits as ever.

#if defined(__x86_64__) && defined(__GNUC__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define WIDTH 4
#include "flight/flight_body.h"
#include "flight/press_body.h"

const JwFlightOps jw_flight_avx2 = {fly, fly_driven, fly_mass, add, closes, velocity, press};

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else
typedef int jw_no_avx2;
#endif
