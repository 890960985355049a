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

// How long a bounce without loss lasts.
const bounceTime = ({ m, v0, K, alpha }) => 2 * ((alpha + 1) * m * v0 * v0 / (2 * K)) ** (1 / (alpha + 1)) / v0 * quarter(1, alpha);

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
  const arrives = omega * Math.sqrt((u0 - rest) ** 2 - rest ** 2); // NaN: it does not
  const fine = Math.min(1 / omega / 200, (bounceTime({ m, v0: arrives, K, alpha }) || Infinity) / 600);
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

/** The same impact over time, by Runge and Kutta's method with four hundred steps and more: depth, exit velocity, duration. */
export function lossyImpact({ m, v0, K, alpha, mu }) {
  const whole = bounce({ m, v0, K, alpha }).duration, h = whole / 2000, table = [[0, 0]];
  const f = (x, v) => (x > 0 ? -K / m * x ** alpha * (1 + mu * v) : 0);
  let x = 0, v = v0, t = 0, deepest = 0;
  while (t < 40 * whole) {
    const [x1, v1] = step(x, v, h, f);
    if (x1 <= 0 && v1 < 0) { // It leaves within this step
      const share = x / (x - x1);
      table.push([t + share * h, 0]);
      return { at: between(table, v0, v + share * (v1 - v)), deepest, duration: t + share * h, exit: v + share * (v1 - v) };
    }
    [x, v] = [x1, v1];
    t += h;
    deepest = Math.max(deepest, x);
    table.push([t, x]);
  }
  return { at: () => NaN, deepest, duration: NaN, exit: NaN };
}

// Straight ways before and after, and a table in between.
function between(table, before, after) {
  const [end] = table[table.length - 1];
  return (time) => {
    if (time <= 0) return before * time;
    if (time >= end) return after * (time - end);
    let low = 0, high = table.length - 1;
    while (high - low > 1) {
      const middle = low + high >> 1;
      if (table[middle][0] <= time) low = middle;
      else high = middle;
    }
    return table[low][1] + (table[high][1] - table[low][1]) * (time - table[low][0]) / (table[high][0] - table[low][0]);
  };
}

/** A ball that falls on a floor at 0: parabolas in closed form, each impact by Runge and Kutta's method. */
export function ball({ m, g, height, K, alpha, mu }, duration, count) {
  const out = new Float64Array(count + 1), f = (u, v) => -g + (u < 0 ? K / m * (-u) ** alpha * Math.max(0, 1 - mu * v) : 0);
  const fine = bounceTime({ m, v0: Math.sqrt(2 * g * height), K, alpha }) / 600; // Later impacts are slower, and last longer
  let u = height, v = 0, time = 0;
  for (let n = 0; n <= count; n++) {
    const target = duration * n / count;
    while (time < target) {
      const fall = u > 0 ? (v + Math.sqrt(v * v + 2 * g * u)) / g : 0, h = Math.min(target - time, u > 0 && fall > fine ? fall : Math.min(fine, 1e-5));
      if (u > 0 && fall > fine) [u, v] = [Math.max(0, u + v * h - g * h * h / 2), v - g * h];
      else [u, v] = step(u, v, h, f);
      time += h;
    }
    out[n] = u;
  }
  return out;
}

/** Two masses on springs, the second below the first: both in steps that a contact is resolved by while they are near. */
export function pair({ masses, omegas, rest, velocity, K, alpha }, duration, count) {
  const out = [new Float64Array(count + 1), new Float64Array(count + 1)];
  const reduced = masses[0] * masses[1] / (masses[0] + masses[1]), slow = 1 / Math.max(...omegas) / 400, fine = Math.min(slow, Math.sqrt(reduced / K) / 60);
  const accelerations = ([a, b]) => {
    const force = b > a ? K * (b - a) ** alpha : 0;
    return [omegas[0] ** 2 * (rest[0] - a) + force / masses[0], omegas[1] ** 2 * (rest[1] - b) - force / masses[1]];
  };
  let u = [...rest], v = [0, velocity], time = 0;
  for (let n = 0; n <= count; n++) {
    const target = duration * n / count;
    while (time < target) {
      const near = u[0] - u[1] < 3 * slow * (Math.abs(v[0]) + Math.abs(v[1])), h = Math.min(target - time, near ? fine : slow);
      const add = (a, b, by) => a.map((value, i) => value + by * b[i]);
      const a1 = accelerations(u), a2 = accelerations(add(u, v, h / 2)), a3 = accelerations(add(add(u, v, h / 2), a1, h * h / 4)), a4 = accelerations(add(add(u, v, h), a2, h * h / 2));
      u = u.map((value, i) => value + h * v[i] + h * h / 6 * (a1[i] + a2[i] + a3[i]));
      v = v.map((value, i) => value + h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]));
      time += h;
    }
    out[0][n] = u[0];
    out[1][n] = u[1];
  }
  return out;
}

/** An ideal string plucked in its middle over a flat rigid barrier (docs/papers.md): a trapezium that falls, and the same backwards. */
export function flatString({ length, speed, height, gap }, x, t) {
  const cross = length / speed, period = cross * (1 + gap / height);
  const late = t % period, tau = late > period / 2 ? period - late : late;
  const top = height * (1 - 2 * tau / cross), side = height * 2 * Math.min(x, 1 - x);
  return tau < cross / 2 ? Math.min(side, top) : Math.max(-side, top);
}

// One step of Runge and Kutta's method for u'' = f(u, u').
function step(u, v, h, f) {
  const a1 = f(u, v), a2 = f(u + h / 2 * v, v + h / 2 * a1), a3 = f(u + h / 2 * (v + h / 2 * a1), v + h / 2 * a2), a4 = f(u + h * (v + h / 2 * a2), v + h * a3);
  return [u + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)];
}

function rungeKutta(u, v, h, f) {
  const a1 = f(u), a2 = f(u + h / 2 * v), a3 = f(u + h / 2 * (v + h / 2 * a1)), a4 = f(u + h * (v + h / 2 * a2));
  return [u + h * v + h * h / 6 * (a1 + a2 + a3), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)];
}
