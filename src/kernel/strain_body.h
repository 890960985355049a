// SPDX-License-Identifier: MIT
// The local stretch of a string with WIDTH lanes side by side.  Included after points_body.h.
//
//   symbol  meaning                                        unit
//   s       slope of an interval, (u' - u)/h               1
//   w       sqrt(1 + s^2), how much longer it is           1
//   e       w - 1, as s^2/(1 + w): small ones keep digits  1
//   t       s (1 - 1/w), the slope of e^2/2 by s           1
//
// One root and one quotient an interval: with d = 1/(w (1 + w)) e is s^2 w d, and t is s s^2 d.

/// t of an interval; adds e^2.
INLINE Lanes pull_of(Lanes s, Lanes* energy) {
  const Lanes x = s * s, w = square_root(1.0 + x), d = 1.0 / (w * (1.0 + w)), e = x * (w * d);
  *energy += e * e;
  return s * (x * d);
}

/// Lines of four rows and more; out = scale (t before - t behind), unless it is NULL; returns the
/// sum of e^2 over the intervals.
static JW_REALTIME double strain(uint32_t n, double per_spacing, double scale, const double* u,
                                 double* out) {
  _Alignas(32) double sums[4], behind[4];
  for (int part = 0; part < PARTS; ++part) {
    const int lane = WIDTH * part, end = (int)jw_lane_rows(n) - 1;
    const double* const line = u + lane;
    Lanes sum = all(0.0), last = all(0.0);
    Lanes t = pull_of(per_spacing * (load(line, 0) - before(u + 4 * end, part)), &sum);
    for (int r = 0; r < end; ++r) {
      const Lanes next = pull_of(per_spacing * (load(line, r + 1) - load(line, r)), &sum);
      if (out) {
        store(out + lane, r, scale * (t - next));
      }
      t = next;
    }
    const Lanes next = pull_of(per_spacing * (after(u, part) - load(line, end)), &last);
    if (out) {
      store(out + lane, end, scale * (t - next));
    }
    store(sums + lane, 0, sum);
    store(behind + lane, 0, last);
  }
  // Of the intervals behind the last row that of the last lane alone has not been counted
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + behind[3];
}
