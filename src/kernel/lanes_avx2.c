// SPDX-License-Identifier: MIT
// Four lanes in one register of 256 bits.  Fused operations only where asked for by name, and then
// for a sign alone: the same bits as ever.

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h> // Before the pragma: its functions have targets of their own

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif

#define WIDTH 4
#include "kernel/lanes_body.h"
#include "kernel/points_body.h"
#include "kernel/product_body.h"
#include "kernel/row_body.h"
#include "kernel/strain_body.h"
#include "kernel/touch_body.h"

const JwLanes jw_lanes_avx2 = {"avx2", string,   plate,  over,  touch,   products, power,
                               strain, multiply, mirror, weigh, foresee, curvature};

#if defined(__clang__)
#pragma clang attribute pop
#endif

#else
typedef int jw_no_avx2;
#endif
