// SPDX-License-Identifier: MIT
// Figures of the papers, to be turned by hand: each asks the engine for numbers, and puts the exact
// solution beside them.
import { written } from './dom.js';
import { ball, bounce, flatString, impact, lossyImpact, oscillator, pair } from './exact.js';

export const RULES = ['auto', 'bounded', 'refined', 'plain', 'released', 'newton'];
const RATE = { name: 'Sample rate', unit: 'Hz', from: 11025, to: 352800, start: 44100, log: true };
const EXPONENT = { name: 'Exponent', unit: '', from: 1, to: 3, start: 1.5 };

// One mass that flies up against a wall at height 0.
function wallScene({ rate, rule, K, alpha, loss = 0 }, mass) {
  return JSON.stringify({
    jawari: 1, world: { sample_rate: rate }, duration: 1,
    objects: { mass: { kind: 'mass', ...mass }, wall: { kind: 'barrier', position: 0 } },
    contacts: [{ law: 'collision', name: 'impact', below: 'mass', above: 'wall', stiffness: K, exponent: alpha, loss, rule }],
    pickups: [{ at: 'mass' }],
  });
}

const percent = (value) => (Math.abs(value) < 1e-4 ? value.toExponential(1) : `${(100 * value).toPrecision(2)} %`);

export const FIGURES = [{
  title: 'One bounce',
  about: 'A free mass meets a wall (Willemsen 2019, section 2). The line is exact, the dots are samples. Energy is right whatever you choose; what a coarse rate or a hard wall costs is when the mass comes back.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e9, start: 2e7, log: true }, alpha: EXPONENT, rate: RATE },
  async run({ K, alpha, rate, rule }, ask) {
    const m = 0.01, v0 = 1, exact = bounce({ m, v0, K, alpha });
    const lead = Math.max(3 / rate, 0.25 * exact.duration), seconds = 2 * lead + exact.duration;
    const frames = Math.min(4000, Math.ceil(seconds * rate) + 4);
    const { u } = await ask(wallScene({ rate, rule, K, alpha }, { mass: m, position: -v0 * lead, velocity: v0 }), frames);
    const times = Array.from(u, (_, n) => n / rate - lead);
    const last = u.length - 1, back = -(u[last] - u[last - 1]) * rate;
    // From the straight way back: when would it have left?
    const left = times[last] + u[last] / back;
    return {
      exact: [Array.from({ length: 301 }, (_, i) => { const t = -lead + seconds * i / 300; return [t, exact.at(t)]; })],
      dots: times.map((t, n) => [t, u[n]]).filter(([t]) => t <= lead + exact.duration), x: 's', y: 'm', wall: 0,
      table: [['contact lasts, exactly', written(exact.duration, 's')], ['samples of contact', (exact.duration * rate).toFixed(1)],
        ['depth, engine / exact − 1', percent(Math.max(...u) / exact.deepest - 1)], ['speed after / before − 1', percent(back / v0 - 1)],
        ['comes back later by', `${((left - exact.duration) * rate).toFixed(3)} samples`]],
    };
  },
}, {
  title: 'An impact with loss',
  about: 'Hunt and Crossley’s loss in the phase plane, as in Papetti, Avanzini and Rocchesso 2009, figure 1: depth to the right, velocity upwards. The loop’s area is the energy that is lost; its closed form is the line.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e9, start: 1e6, log: true }, alpha: EXPONENT,
    mu: { name: 'Loss over stiffness', unit: 's/m', from: 0.02, to: 5, start: 0.5, log: true }, rate: { ...RATE, start: 176400 } },
  async run({ K, alpha, mu, rate, rule }, ask) {
    const m = 0.01, v0 = 1, exact = impact({ m, v0, K, alpha, mu });
    const lead = 4 / rate, frames = Math.min(8000, Math.ceil((bounce({ m, v0, K, alpha }).duration * (2 + 2 * mu) + 3 * lead) * rate));
    const { u } = await ask(wallScene({ rate, rule, K, alpha, loss: K * mu }, { mass: m, position: -v0 * lead, velocity: v0 }), frames);
    const dots = [];
    for (let n = 1; n < u.length; n++) if ((u[n] + u[n - 1]) / 2 > 0) dots.push([(u[n] + u[n - 1]) / 2, (u[n] - u[n - 1]) * rate]);
    const exit = (u[u.length - 1] - u[u.length - 2]) * rate;
    return {
      exact: [Array.from({ length: 401 }, (_, i) => { const v = exact.exit + (v0 - exact.exit) * (0.5 - 0.5 * Math.cos(Math.PI * i / 400)); return [exact.depth(v), v]; })],
      dots, x: 'm', y: 'm/s', wall: null,
      table: [['velocity after, exactly', written(exact.exit, 'm/s')], ['engine', written(exit, 'm/s')], ['engine / exact − 1', percent(exit / exact.exit - 1)],
        ['depth, engine / exact − 1', percent(Math.max(...u) / exact.deepest - 1)], ['energy lost', percent(1 - (exact.exit / v0) ** 2)]],
    };
  },
}, {
  title: 'An oscillator and a barrier',
  about: 'A mass on a spring strikes a barrier again and again, as in Ducceschi and Bilbao 2019, figures 1 to 3. The line is solved from event to event. A soft barrier agrees at any rate; a hard one drifts away, until the rate resolves its contacts.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e11, start: 1e7, log: true }, alpha: { ...EXPONENT, start: 1.3 }, rate: RATE },
  async run({ K, alpha, rate, rule }, ask) {
    const m = 0.01, frequency = 100, omega = 2 * Math.PI * frequency, rest = -1e-3, u0 = -3e-3, seconds = 0.06;
    const frames = Math.ceil(seconds * rate);
    const { u, residual } = await ask(wallScene({ rate, rule, K, alpha }, { mass: m, frequency, position: rest, displacement: u0 - rest }), frames);
    const exact = oscillator({ m, omega, rest, u0, K, alpha }, frames / rate, 1200);
    const every = Math.max(1, Math.floor(frames / 1500));
    const apart = Math.max(...Array.from(u, (value, n) => Math.abs(value - exact[Math.round(1200 * n / frames)])).slice(-Math.floor(frames / 10)));
    return {
      exact: [Array.from(exact, (value, i) => [frames / rate * i / 1200, value])], dots: Array.from(u, (value, n) => [n / rate, value]).filter((_, n) => n % every === 0), x: 's', y: 'm', wall: 0,
      table: [['apart at the end, of the swing', percent(apart / 4e-3)], ['energy residual', Math.max(...residual.map(Math.abs)).toExponential(1)]],
    };
  },
}, {
  title: 'The same over time',
  about: 'Papetti, Avanzini and Rocchesso 2009, figures 2 and 4 to 6: how deep the hammer is at each time. With a hard wall, at the rate of sound, the whole impact is a few samples long: their table of errors is what you read here.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e10, start: 1e7, log: true }, alpha: EXPONENT,
    mu: { name: 'Loss over stiffness', unit: 's/m', from: 0.01, to: 5, start: 0.1, log: true }, rate: RATE },
  async run({ K, alpha, mu, rate, rule }, ask) {
    const m = 0.01, v0 = 1, exact = lossyImpact({ m, v0, K, alpha, mu }), lead = 3 / rate, seconds = 2 * lead + 1.3 * exact.duration;
    const frames = Math.min(8000, Math.ceil(seconds * rate) + 6);
    const { u } = await ask(wallScene({ rate, rule, K, alpha, loss: K * mu }, { mass: m, position: -v0 * lead, velocity: v0 }), frames);
    const last = u.length - 1, exit = (u[last] - u[last - 1]) * rate, left = last / rate - lead - u[last] / exit;
    return {
      exact: [Array.from({ length: 401 }, (_, i) => { const t = -lead + seconds * i / 400; return [t, exact.at(t)]; })],
      dots: Array.from(u, (value, n) => [n / rate - lead, value]).filter(([t]) => t <= seconds - lead), x: 's', y: 'm', wall: 0,
      table: [['contact lasts, exactly', written(exact.duration, 's')], ['samples of contact', (exact.duration * rate).toFixed(1)],
        ['depth, engine / exact − 1', percent(Math.max(...u) / exact.deepest - 1)], ['velocity after / exact − 1', percent(exit / exact.exit - 1)],
        ['leaves later by', `${((left - exact.duration) * rate).toFixed(3)} samples`]],
    };
  },
}, {
  title: 'A bouncing ball',
  about: 'Papetti, Avanzini and Rocchesso 2009, figure 8: a ball falls, loses a part of its speed at each impact, and comes back lower and sooner. Errors of single impacts add up in the times at which it lands.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e9, start: 1e7, log: true }, alpha: EXPONENT,
    mu: { name: 'Loss over stiffness', unit: 's/m', from: 0.05, to: 2, start: 0.4, log: true }, rate: { ...RATE, to: 176400 } },
  async run({ K, alpha, mu, rate, rule }, ask) {
    const m = 0.01, g = 9.81, height = 0.01, seconds = 0.4, count = 1600, frames = Math.ceil(seconds * rate);
    const exact = ball({ m, g, height, K, alpha, mu }, seconds, count);
    const { u, residual } = await ask(JSON.stringify({
      jawari: 1, world: { sample_rate: rate }, duration: 1,
      objects: { ball: { kind: 'mass', mass: m, position: height, gravity: g }, floor: { kind: 'barrier', position: 0 } },
      contacts: [{ law: 'collision', name: 'impact', below: 'floor', above: 'ball', stiffness: K, exponent: alpha, loss: K * mu, rule }], pickups: [{ at: 'ball' }],
    }), frames);
    const every = Math.max(1, Math.floor(frames / 1500)), lands = (list, step) => landings(list).map((at) => at * step);
    const mine = lands(u, 1 / rate), theirs = lands(exact, seconds / count), both = Math.min(mine.length, theirs.length, 5);
    return {
      exact: [Array.from(exact, (value, i) => [seconds * i / count, value])], dots: Array.from(u, (value, n) => [n / rate, value]).filter((_, n) => n % every === 0), x: 's', y: 'm', wall: null,
      table: [['impacts, engine / exact', `${mine.length} / ${theirs.length}`], [`impact ${both} comes later by`, both ? written(mine[both - 1] - theirs[both - 1], 's') : ''],
        ['energy residual', Math.max(...residual.map(Math.abs)).toExponential(1)]],
    };
  },
}, {
  title: 'How long a contact lasts',
  about: 'Papetti, Avanzini and Rocchesso 2009, equation (9), without loss: the time grows as v^((1 − a)/(1 + a)). A linear wall is the same at every speed, and a round one (1.5) is met shorter the faster it is hit.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e9, start: 1e6, log: true }, alpha: EXPONENT, rate: RATE },
  async run({ K, alpha, rate, rule }, ask) {
    const m = 0.01, speeds = Array.from({ length: 9 }, (_, i) => 10 ** (-1 + i / 4)), times = speeds.map((v0) => bounce({ m, v0, K, alpha }).duration), dots = [];
    for (const [i, v0] of speeds.entries()) {
      const duration = times[i], lead = 3 / rate, frames = Math.min(8000, Math.ceil((2 * lead + duration) * rate) + 4);
      const { u } = await ask(wallScene({ rate, rule, K, alpha }, { mass: m, position: -v0 * lead, velocity: v0 }), frames), last = u.length - 1;
      dots.push([v0, last / rate - lead - u[last] / ((u[last] - u[last - 1]) * rate)]);
    }
    const good = dots.filter(([, time]) => time > 0);
    return {
      exact: [speeds.map((v0, i) => [v0, times[i]])], dots: good, x: 'm/s', y: 's', wall: null, log: true,
      table: [['exponent of the law', ((1 - alpha) / (1 + alpha)).toFixed(3)], ['slope of the engine', ((Math.log(dots[8][1] / dots[0][1])) / Math.log(100)).toFixed(3)],
        ['samples of contact', `${(times[8] * rate).toFixed(1)} to ${(times[0] * rate).toFixed(1)}`], ['largest error', percent(Math.max(...dots.map(([, time], i) => Math.abs(time / times[i] - 1))))]],
    };
  },
}, {
  title: 'Two masses on springs',
  about: 'Willemsen 2019, section 4 and appendix B: a heavy mass swings slowly into a light one. Both lines are solved with a step that each contact resolves; energy goes to and fro and is kept.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e9, start: 1e6, log: true }, alpha: { ...EXPONENT, start: 1.5 },
    ratio: { name: 'Heavy over light', unit: '', from: 1, to: 100, start: 10, log: true }, rate: RATE },
  async run({ K, alpha, ratio, rate, rule }, ask) {
    const masses = [0.005, 0.005 * ratio], frequencies = [100, 40], rest = [0.002, 0], v0 = 1, seconds = 0.05, count = 1200, frames = Math.ceil(seconds * rate);
    const exact = pair({ masses, omegas: frequencies.map((f) => 2 * Math.PI * f), rest, velocity: v0, K, alpha }, seconds, count);
    const { tracks, residual } = await ask(JSON.stringify({
      jawari: 1, world: { sample_rate: rate }, duration: 1,
      objects: { light: { kind: 'mass', mass: masses[0], frequency: frequencies[0], position: rest[0] }, heavy: { kind: 'mass', mass: masses[1], frequency: frequencies[1], velocity: v0 } },
      contacts: [{ law: 'collision', name: 'strike', below: 'heavy', above: 'light', stiffness: K, exponent: alpha, rule }], pickups: [{ at: 'light' }],
    }), frames, [[0, 0], [1, 0]]);
    const every = Math.max(1, Math.floor(frames / 900)), swing = Math.max(...exact[0].map(Math.abs));
    const apart = Math.max(...Array.from(tracks[0].slice(-Math.floor(frames / 10)), (value, i) => Math.abs(value - exact[0][Math.round(count * (frames - Math.floor(frames / 10) + 1 + i) / frames)])));
    return {
      exact: exact.map((track) => Array.from(track, (value, i) => [frames / rate * i / count, value])),
      dots: tracks.flatMap((track) => Array.from(track, (value, n) => [n / rate, value]).filter((_, n) => n % every === 0)), x: 's', y: 'm', wall: null,
      table: [['light, apart at the end', percent(apart / swing)], ['energy residual', Math.max(...residual.map(Math.abs)).toExponential(1)]],
    };
  },
}, {
  title: 'A string over a flat barrier',
  about: 'An ideal string, plucked in its middle, falls on a flat rigid barrier that it meets everywhere at once, as in the study of Bamberger and Schatzman 1983; it is the hardest case of Ducceschi and Bilbao 2019, figure 8. The barrier of the engine is stiff, not rigid: make it harder, and raise the rate until that is resolved.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a a metre', from: 1e5, to: 1e11, start: 1e9, log: true }, rate: { ...RATE, from: 22050, to: 176400 } },
  async run({ K, rate, rule }, ask) {
    const string = { length: 0.5, speed: Math.sqrt(250 / 0.005), height: 2e-3, gap: 1e-3 }, period = string.length / string.speed * (1 + string.gap / string.height);
    const x = 0.9, seconds = 5 * period, frames = Math.ceil(seconds * rate), at = (t) => flatString(string, x, t);
    const { u, residual } = await ask(JSON.stringify({
      jawari: 1, world: { sample_rate: rate }, duration: 1,
      objects: { string: { kind: 'string', length: string.length, mass_per_length: 0.005, tension: 250, young: 0, radius: 5e-4 }, board: { kind: 'barrier', position: -string.gap } },
      contacts: [{ law: 'collision', name: 'slap', below: 'board', above: 'string@0.5', along: true, stiffness: K, exponent: 1.01, rule }],
      initial: [{ on: 'string@0.5', shape: 'triangle', amplitude: string.height }], pickups: [{ at: `string@${x}` }],
    }), frames, [[0, x]]);
    const error = Math.sqrt(u.reduce((sum, value, n) => sum + (value - at(n / rate)) ** 2, 0) / u.reduce((sum, _, n) => sum + at(n / rate) ** 2, 0));
    return {
      exact: [Array.from({ length: 1201 }, (_, i) => [seconds * i / 1200, at(seconds * i / 1200)])], dots: Array.from(u, (value, n) => [n / rate, value]), x: 's', y: 'm', wall: null,
      table: [['period, exactly', written(period, 's')], ['error over all samples', percent(error)], ['energy residual', Math.max(...residual.map(Math.abs)).toExponential(1)]],
    };
  },
}, {
  title: 'Energies of a string and a point',
  about: 'Ducceschi and Bilbao 2019, figures 4 to 6: a string without loss meets a point below its middle. What it has at the start it keeps: the sum of the areas is the line, whatever rule, rate and stiffness do to the shape.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e11, start: 1e7, log: true }, alpha: { ...EXPONENT, start: 1.3 }, rate: { ...RATE, to: 176400 } },
  legend: [['k1', 'exact: kept'], ['k3', 'sum'], ['k2', 'kinetic'], ['k4', 'potential'], ['k5', 'contact']],
  async run({ K, alpha, rate, rule }, ask) {
    const seconds = 0.02, frames = Math.ceil(seconds * rate);
    const { parts, residual } = await ask(JSON.stringify({
      jawari: 1, world: { sample_rate: rate }, duration: 1,
      objects: { string: { kind: 'string', length: 0.7, radius: 3.5e-4, material: 'steel', tension: 120 }, point: { kind: 'barrier', position: -5e-4 } },
      contacts: [{ law: 'collision', name: 'rattle', below: 'point', above: 'string@0.5', stiffness: K, exponent: alpha, rule }],
      initial: [{ on: 'string@0.35', shape: 'triangle', amplitude: 2e-3 }], pickups: [{ at: 'string@0.9' }],
    }), frames);
    const line = (values) => Array.from(values, (value, n) => [n / rate, value]).slice(1), sum = parts[0].map((value, n) => value + parts[1][n] + parts[2][n]);
    const every = Math.max(1, Math.floor(frames / 300));
    return {
      exact: [[[0, sum[1]], [seconds, sum[1]]]], dots: line(sum).filter((_, n) => n % every === 0), lines: [['k2', line(parts[0])], ['k4', line(parts[1])], ['k5', line(parts[2])]],
      x: 's', y: 'J', wall: null,
      table: [['energy', written(sum[1], 'J')], ['largest in the contact', percent(Math.max(...parts[2]) / sum[1])], ['energy residual', Math.max(...residual.map(Math.abs)).toExponential(1)]],
    };
  },
}, {
  title: 'Error against rate',
  about: 'The convergence of Ducceschi and Bilbao 2019 and of the study of rules, on one bounce: by how much the mass comes back at a wrong time, in parts of the contact. The line falls by four when the rate doubles: second order. Dots are the rule that is chosen, thin lines the others; refined falls faster, and in contacts of a few samples ends its steps on the exact bounce.',
  sliders: { K: { name: 'Stiffness', unit: 'N/m^a', from: 1e4, to: 1e9, start: 1e6, log: true }, alpha: EXPONENT },
  legend: [['k1', 'second order'], ['k3', 'the chosen rule'], ['k4', 'the others']],
  async run({ K, alpha, rule }, ask) {
    const m = 0.01, v0 = 1, { duration } = bounce({ m, v0, K, alpha }), samples = Array.from({ length: 7 }, (_, i) => 4 * 2 ** i);
    const errors = async (name) => {
      const points = [];
      for (const count of samples) {
        const rate = Math.min(1e8, Math.max(1000, Math.round(count / duration))), lead = 3.3 / rate;
        const { u } = await ask(wallScene({ rate, rule: name, K, alpha }, { mass: m, position: -v0 * lead, velocity: v0 }), Math.ceil((2 * lead + duration) * rate) + 4);
        const last = u.length - 1, left = last / rate - lead - u[last] / ((u[last] - u[last - 1]) * rate);
        points.push([rate, Math.max(1e-12, Math.abs(left / duration - 1))]);
      }
      return points;
    };
    const dots = await errors(rule), others = [], same = rule === 'auto' ? 'refined' : rule; // Between a mass and a wall
    let first = dots[0];
    for (const name of RULES.filter((one) => one !== same && one !== 'auto')) {
      const line = await errors(name);
      others.push(['k4', line]);
      if (name === 'bounded') [first] = line;
    }
    const order = Math.log2(dots[3][1] / dots[6][1]) / Math.log2(dots[6][0] / dots[3][0]);
    return {
      exact: [[first, [dots[6][0], first[1] * (first[0] / dots[6][0]) ** 2]]], dots, lines: others, x: 'Hz', y: '', wall: null, log: true,
      table: [['samples of contact', `${samples[0]} to ${samples[6]}`], ['order of the chosen rule', order.toFixed(2)], ['its error at the finest', percent(dots[6][1])]],
    };
  },
}];

// Where a height falls through nothing, between two samples.
function landings(u) {
  const found = [];
  for (let n = 1; n < u.length; n++) if (u[n - 1] > 0 && u[n] <= 0) found.push(n - 1 + u[n - 1] / (u[n - 1] - u[n]));
  return found;
}
