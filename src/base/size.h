// SPDX-License-Identifier: MIT
// Sizes that cannot wrap: 64 bits on every machine, and what does not fit stays at the most.
//
// Counts come from scenes, and a size_t of 32 bits is soon full: a size that wraps passes every
// limit, and what is then laid out in it writes out of bounds.
#ifndef JAWARI_SIZE_H
#define JAWARI_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint64_t jw_size_sum(uint64_t a, uint64_t b) {
  return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static inline uint64_t jw_size_product(uint64_t a, uint64_t b) {
  return b == 0 || a <= UINT64_MAX / b ? a * b : UINT64_MAX;
}

/// Bytes of `count` elements of `size` bytes; false if no memory can have so many.
static inline bool jw_size_of(uint64_t count, size_t size, size_t* bytes) {
  const uint64_t product = jw_size_product(count, size);
  *bytes = (size_t)product;
  return product <= SIZE_MAX / 2;
}

#endif // JAWARI_SIZE_H
