// SPDX-License-Identifier: MIT
// The kernels once more, with multiplications and additions fused wherever the compiler can: what
// it costs to do without.  The engine never uses this one, since its last bits are those of
// machines that fuse.

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

#include "fused.h"

static const JwLanes fused = {
    .name = "fused", .string = string, .plate = plate, .over = over, .power = power};

#if defined(__clang__)
#pragma clang attribute pop
#endif

const JwLanes* jw_lanes_fused(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &fused : NULL;
}

#else

#include "fused.h"

#include <stddef.h>

const JwLanes* jw_lanes_fused(void) {
  return NULL;
}

#endif
