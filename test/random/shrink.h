// SPDX-License-Identifier: MIT
// Make a failing scene small.
#ifndef JAWARI_TEST_RANDOM_SHRINK_H
#define JAWARI_TEST_RANDOM_SHRINK_H

#include "check.h"
#include "tree.h"

/// Leave out whatever can be left out while the scene still fails in the same way.
Verdict shrink(Tree* tree, const Verdict* whole, const CheckOptions* options);

/// In a process of its own, so that a crash or a hang is an outcome like any other (soak.c).
Verdict check_apart(const char* text, size_t size, const CheckOptions* options);

#endif // JAWARI_TEST_RANDOM_SHRINK_H
