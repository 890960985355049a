// SPDX-License-Identifier: MIT
// Lanes in pairs, with the vectors that every machine of this architecture has: SSE2, NEON,
// WebAssembly's.

#if defined(__GNUC__)

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define WIDTH 2
#include "kernel/lanes_body.h"
#include "kernel/points_body.h"
#include "kernel/product_body.h"
#include "kernel/row_body.h"
#include "kernel/strain_body.h"
#include "kernel/touch_body.h"

const JwLanes jw_lanes_base = {"base", string,   plate,  over,  touch,   products, power,
                               strain, multiply, mirror, weigh, foresee, curvature};

#else
typedef int jw_no_vectors;
#endif
