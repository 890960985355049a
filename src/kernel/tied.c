// SPDX-License-Identifier: MIT
// The loops of tied.h with what every machine of this architecture has, and which are taken.

#include "kernel/lanes.h"
#include "kernel/tied.h"

#if defined(__GNUC__)

#include "kernel/tied_body.h"

static const JwTiedLanes tied_base = {advance, settle, read, solve, rows, columns};

const JwTiedLanes* jw_tied_lanes(void) {
#if defined(JW_HAS_AVX2)
  extern const JwTiedLanes jw_tied_avx2;
  if (jw_lanes_best() == &jw_lanes_avx2) {
    return &jw_tied_avx2;
  }
#endif
  return &tied_base;
}

#else

const JwTiedLanes* jw_tied_lanes(void) {
  return NULL;
}

#endif
