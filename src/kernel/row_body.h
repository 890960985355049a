// SPDX-License-Identifier: MIT
// The row of an object that stiffens (step/stretch.c), and a string's mean stretch, with WIDTH
// lanes
// side by side.  Included after points_body.h.
//
// Sums are four partial ones of every fourth term, (s0 + s1) + (s2 + s3), as jw_dot() adds them.

INLINE double sum_of(const double s[4]) {
  return (s[0] + s[1]) + (s[2] + s[3]);
}

INLINE void weigh_in(bool turned, uint32_t n, double gain, double turn, const JwRow* row,
                     double sums[2]) {
  _Alignas(32) double q[4], r[4];
  const JwRow a = *row;
  for (int lane = 0; lane < 4; lane += WIDTH) {
    Lanes sum_q = all(0.0), sum_r = all(0.0);
    for (int i = 0; i < (int)(n + 3) / 4; ++i) {
      const Lanes kept = gain * load(a.slope + lane, i),
                  g = turned ? kept + turn * (load(a.inertia + lane, i) * load(a.motion + lane, i))
                             : kept,
                  spread = g * load(a.y + lane, i);
      store(a.g + lane, i, g);
      store(a.spread + lane, i, spread);
      sum_q += g * spread;
      sum_r += g * (load(a.next + lane, i) - load(a.prev + lane, i));
    }
    store(q + lane, 0, sum_q);
    store(r + lane, 0, sum_r);
  }
  sums[0] = sum_of(q);
  sums[1] = sum_of(r);
}

static JW_REALTIME void weigh(uint32_t n, double gain, double turn, const JwRow* row,
                              double sums[2]) {
  if (turn != 0.0) {
    weigh_in(true, n, gain, turn, row, sums);
  } else {
    weigh_in(false, n, gain, turn, row, sums);
  }
}

static JW_REALTIME void foresee(uint32_t n, double f, const JwRow* row, double sums[2]) {
  _Alignas(32) double along[4], size[4];
  const JwRow a = *row;
  for (int lane = 0; lane < 4; lane += WIDTH) {
    Lanes sum_along = all(0.0), sum_size = all(0.0);
    for (int i = 0; i < (int)(n + 3) / 4; ++i) {
      const Lanes u = load(a.next + lane, i) - load(a.spread + lane, i) * f,
                  r = u - load(a.prev + lane, i);
      store(a.middle + lane, i, 0.5 * (u + load(a.now + lane, i)));
      store(a.motion + lane, i, r);
      sum_along += load(a.slope + lane, i) * r;
      sum_size += load(a.inertia + lane, i) * (r * r);
    }
    store(along + lane, 0, sum_along);
    store(size + lane, 0, sum_size);
  }
  sums[0] = sum_of(along);
  sums[1] = sum_of(size);
}

INLINE Lanes bent(double scale, Lanes left, Lanes u, Lanes right) {
  return scale * ((u - left) + (u - right));
}

/// out = scale (2 u - its neighbours); returns u.out.
static JW_REALTIME double curvature(uint32_t n, double scale, const double* u, double* out) {
  _Alignas(32) double sums[4];
  const int end = (int)jw_lane_rows(n) - 1;
  for (int part = 0; part < PARTS; ++part) {
    const double* const line = u + WIDTH * part;
    double* const to = out + WIDTH * part;
    Lanes sum = all(0.0), left = before(u + 4 * end, part), here = load(line, 0);
    for (int r = 0; r <= end; ++r) {
      const Lanes right = r < end ? load(line, r + 1) : after(u, part),
                  k = bent(scale, left, here, right);
      store(to, r, k);
      sum += here * k;
      left = here;
      here = right;
    }
    store(sums + WIDTH * part, 0, sum);
  }
  return sum_of(sums);
}
