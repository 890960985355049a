// SPDX-License-Identifier: MIT
// Lanes in pairs, with the vectors that every machine of this architecture has.

#if defined(__GNUC__)

#define WIDTH 2
#include "flight/flight_body.h"
#include "flight/press_body.h"

const JwFlightOps jw_flight_base = {fly, fly_driven, fly_mass, add, closes, velocity, press};

#else
typedef int jw_no_vectors;
#endif
