// SPDX-License-Identifier: MIT
// Products of small matrices, and sums of four fields, with WIDTH lanes side by side.  Included
// after lanes_body.h.
//
// A lane is a column of the result.  Every element is summed by itself, in the order of the inner
// index, so that the bits depend neither on the width nor on how the result is cut into blocks.

#define MOST_ROWS 4

/// `rows` rows of `vectors` registers of the result; both are known where this is inlined.
INLINE void product_block(int rows, int vectors, const JwProduct* p, const double* a,
                          const double* b, double* c) {
  Lanes sum[MOST_ROWS][2] = {{{0.0}}};
  for (uint32_t k = 0; k < p->inner; ++k) {
    for (int v = 0; v < vectors; ++v) {
      const Lanes right = *(const Lanes*)(b + (size_t)k * p->columns + v * WIDTH);
      for (int r = 0; r < rows; ++r) {
        sum[r][v] += all(a[(size_t)r * p->stride + k]) * right;
      }
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      *(Lanes*)(c + (size_t)r * p->columns + v * WIDTH) = sum[r][v];
    }
  }
}

INLINE void product_rows(int rows, const JwProduct* p, const double* a, const double* b,
                         double* c) {
  uint32_t j = 0;
  for (; j + 2 * WIDTH <= p->columns; j += 2 * WIDTH) {
    product_block(rows, 2, p, a, b + j, c + j);
  }
  for (; j < p->columns; j += WIDTH) {
    product_block(rows, 1, p, a, b + j, c + j);
  }
}

static JW_REALTIME void multiply(const JwProduct* size, const double* a, const double* b,
                                 double* c) {
  const JwProduct p = *size;
  uint32_t i = 0;
  for (; i + MOST_ROWS <= p.rows; i += MOST_ROWS) {
    product_rows(MOST_ROWS, &p, a + (size_t)i * p.stride, b, c + (size_t)i * p.columns);
  }
  for (; i < p.rows; ++i) {
    product_rows(1, &p, a + (size_t)i * p.stride, b, c + (size_t)i * p.columns);
  }
}

static JW_REALTIME void mirror(uint32_t n, double* field) {
  double *const a = field, *const b = a + n, *const c = b + n, *const d = c + n;
  for (uint32_t i = 0; i < n; i += WIDTH) {
    Lanes* const at[4] = {(Lanes*)(a + i), (Lanes*)(b + i), (Lanes*)(c + i), (Lanes*)(d + i)};
    const Lanes near_sum = *at[0] + *at[1], near_rest = *at[0] - *at[1], far_sum = *at[2] + *at[3],
                far_rest = *at[2] - *at[3];
    *at[0] = near_sum + far_sum;
    *at[1] = near_rest + far_rest;
    *at[2] = near_sum - far_sum;
    *at[3] = near_rest - far_rest;
  }
}
