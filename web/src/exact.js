// SPDX-License-Identifier: MIT
// Exact solutions, to stand beside what the engine computes.
//
//   m  mass, v0  velocity at the first contact, K, alpha  f = K x^alpha, mu  loss over stiffness

// The integral of ds / sqrt(1 - s^(a+1)) from 0 to s.  With s = 1 - q^2 nothing is singular:
// 1 - (1 - q^2)^(a+1) is (a+1) q^2 for small q.
function quarter(s, alpha) {
  const integrand = (q) => (q < 1e-6 ? 2 / Math.sqrt(alpha + 1) : 2 * q / Math.sqrt(1 - Math.max(0, 1 - q * q) ** (alpha + 1)));
  const from = Math.sqrt(Math.max(0, 1 - s)), steps = 400, h = (1 - from) / steps;
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += (integrand(from + h * i) + 4 * integrand(from + h * (i + 0.5)) + integrand(from + h * (i + 1))) * h / 6;
  return sum;
}

/** A bounce without loss: deepest x, how long it lasts, and x at times from its start. */
export function bounce({ m, v0, K, alpha }) {
  const deepest = ((alpha + 1) * m * v0 * v0 / (2 * K)) ** (1 / (alpha + 1));
  const half = deepest / v0 * quarter(1, alpha);
  // s over t, as a table to be read between
  const table = Array.from({ length: 201 }, (_, i) => 1 - (1 - i / 200) ** 2).map((s) => [deepest / v0 * quarter(s, alpha), s * deepest]);
  const at = (time) => {
    if (time <= 0) return v0 * time;
    if (time >= 2 * half) return -v0 * (time - 2 * half);
    const t = time < half ? time : 2 * half - time;
    let i = 1;
    while (i < 200 && table[i][0] < t) i++;
    const [t0, x0] = table[i - 1], [t1, x1] = table[i];
    return x0 + (x1 - x0) * (t - t0) / (t1 - t0);
  };
  return { deepest, duration: 2 * half, at };
}

// v - ln(1 + v), for v = mu times a velocity.
const lost = (v) => v - Math.log1p(v);

/** An impact with Hunt and Crossley's loss: m x'' = -K x^alpha (1 + mu x'). */
export function impact({ m, v0, K, alpha, mu }) {
  const whole = lost(mu * v0);
  // The other root of v - ln(1 + v) = whole lies between -1 and 0
  let low = -1 + 1e-15, high = 0;
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (lost(middle) > whole) low = middle;
    else high = middle;
  }
  const exit = low / mu;
  const depth = (v) => ((alpha + 1) * m / K * Math.max(0, whole - lost(mu * v)) / mu ** 2) ** (1 / (alpha + 1));
  return { exit, deepest: depth(0), depth };
}

/** A mass on a spring below a barrier at 0: free arcs in closed form, Runge and Kutta's method in each contact. */
export function oscillator({ m, omega, rest, u0, K, alpha }, duration, count) {
  const out = new Float64Array(count + 1);
  const acceleration = (u) => -omega * omega * (u - rest) - (u > 0 ? K / m * u ** alpha : 0);
  let u = u0, v = 0, time = 0;
  const fine = Math.min(1 / omega, Math.sqrt(m / K)) / 200;
  for (let n = 0; n <= count; n++) {
    const target = duration * n / count;
    while (time < target) {
      const h = Math.min(target - time, u > -1e-4 * Math.abs(u0) ? fine : timeToWall(u - rest, v, omega, rest, target - time));
      if (u > 0 || u + v * h > 0) [u, v] = rungeKutta(u, v, h, acceleration);
      else {
        const a = u - rest, b = v / omega, c = Math.cos(omega * h), s = Math.sin(omega * h);
        u = rest + a * c + b * s;
        v = omega * (b * c - a * s);
      }
      time += h;
    }
    out[n] = u;
  }
  return out;
}

// How far a free arc may go: not beyond the wall.
function timeToWall(a, v, omega, rest, most) {
  const size = Math.hypot(a, v / omega);
  if (size < Math.abs(rest)) return most;
  const phase = Math.atan2(v / omega, a), meets = Math.acos(Math.min(1, -rest / size));
  let wait = (phase - meets) / omega;
  while (wait <= 1e-9 / omega) wait += 2 * Math.PI / omega;
  return Math.min(most, Math.max(wait * (1 - 1e-9), 1e-6 / omega));
}

function rungeKutta(u, v, h, f) {
  const a1 = f(u), a2 = f(u + h / 2 * v), a3 = f(u + h / 2 * (v + h / 2 * a1)), a4 = f(u + h * (v + h / 2 * a2));
  return [u + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)];
}
