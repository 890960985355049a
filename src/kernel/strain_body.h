// SPDX-License-Identifier: MIT
// The local stretch of a string with WIDTH lanes side by side.  Included after points_body.h.
//
//   symbol  meaning                                        unit
//   s       slope of an interval, (u' - u)/h               1
//   w       sqrt(1 + s^2), how much longer it is           1
//   e       w - 1, as s^2/(1 + w): small ones keep digits  1
//   t       s (1 - 1/w), the slope of e^2/2 by s           1
//
// One root and one quotient an interval: with d = 1/(w (1 + w)) e is s^2 w d, and t is s s^2 d.  In
// two directions s^2 is the sum of both squares, and each has a t of its own slope.

/// What the slopes of an interval are multiplied by to give t, given s^2; adds e^2.
INLINE Lanes pull_of(Lanes x, Lanes* energy) {
  const Lanes w = square_root(1.0 + x), d = 1.0 / (w * (1.0 + w)), e = x * (w * d);
  *energy += e * e;
  return x * d;
}

/// A number for each direction.
typedef struct {
  Lanes of[2];
} Both;

INLINE Both points_at(uint32_t directions, const double* u, size_t line, int lane, int row) {
  return (Both){{load(u + lane, row), directions == 2 ? load(u + line + lane, row) : all(0.0)}};
}

/// t of the interval between two points, by direction; adds e^2.
INLINE Both pull_between(uint32_t directions, double per_spacing, Both from, Both to,
                         Lanes* energy) {
  const Lanes s = per_spacing * (to.of[0] - from.of[0]);
  if (directions == 1) {
    return (Both){{s * pull_of(s * s, energy), all(0.0)}};
  }
  const Lanes across = per_spacing * (to.of[1] - from.of[1]),
              pull = pull_of(s * s + across * across, energy);
  return (Both){{s * pull, across * pull}};
}

INLINE void store_pull(uint32_t directions, double* out, size_t line, int row, double scale,
                       Both before, Both behind) {
  for (uint32_t d = 0; out && d < directions; ++d) {
    store(out + d * line, row, scale * (before.of[d] - behind.of[d]));
  }
}

/// Lines of four rows and more; out = scale (t before - t behind), unless it is NULL; returns the
/// sum of e^2 over the intervals.
INLINE double strain_in(uint32_t directions, const JwStrain* strain, const double* u, double* out) {
  _Alignas(32) double sums[4], ends[4];
  const double per_spacing = strain->per_spacing, scale = strain->scale;
  const int end = (int)jw_lane_rows(strain->n) - 1;
  const size_t line = 4 * ((size_t)end + 1);
  for (int part = 0; part < PARTS; ++part) {
    const int lane = WIDTH * part;
    double* const to = out ? out + lane : NULL;
    Lanes sum = all(0.0), last = all(0.0);
    const Both edge = {
        {before(u + 4 * end, part), directions == 2 ? before(u + line + 4 * end, part) : all(0.0)}};
    Both point = points_at(directions, u, line, lane, 0);
    Both t = pull_between(directions, per_spacing, edge, point, &sum);
    for (int r = 0; r < end; ++r) {
      const Both next = points_at(directions, u, line, lane, r + 1),
                 behind = pull_between(directions, per_spacing, point, next, &sum);
      store_pull(directions, to, line, r, scale, t, behind);
      t = behind;
      point = next;
    }
    const Both far = {{after(u, part), directions == 2 ? after(u + line, part) : all(0.0)}};
    store_pull(directions, to, line, end, scale, t,
               pull_between(directions, per_spacing, point, far, &last));
    store(sums + lane, 0, sum);
    store(ends + lane, 0, last);
  }
  // Of the intervals behind the last row that of the last lane alone has not been counted
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ends[3];
}

static JW_REALTIME double strain(const JwStrain* strain, const double* u, double* out) {
  return strain->directions == 2 ? strain_in(2, strain, u, out) : strain_in(1, strain, u, out);
}
