// SPDX-License-Identifier: MIT
// The kernels with fused operations, for comparison only.
#ifndef JAWARI_BENCH_FUSED_H
#define JAWARI_BENCH_FUSED_H

#include "kernel/lanes.h"

/// NULL where this machine has none.
const JwLanes* jw_lanes_fused(void);

#endif // JAWARI_BENCH_FUSED_H
