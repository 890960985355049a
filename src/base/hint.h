// SPDX-License-Identifier: MIT
// Hints to the compiler: what every sample of a small scene runs through is some 2000 instructions,
// each once or a few times, and how they lie counts as much as how many they are.
#ifndef JAWARI_HINT_H
#define JAWARI_HINT_H

/// Which way a branch mostly goes; what is better called than inlined; what belongs together in
/// memory, so that functions that run by turns do not drive each other out of the cache of decoded
/// instructions.
#if defined(__GNUC__)
#define JW_OFTEN(x) __builtin_expect(!!(x), 1)
#define JW_RARELY(x) __builtin_expect(!!(x), 0)
#define JW_APART __attribute__((noinline))
#define JW_HOT __attribute__((hot, aligned(64)))
#else
#define JW_OFTEN(x) (x)
#define JW_RARELY(x) (x)
#define JW_APART
#define JW_HOT
#endif

#endif // JAWARI_HINT_H
