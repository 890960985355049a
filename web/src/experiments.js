// SPDX-License-Identifier: MIT
// Figures of the papers, to be turned by hand: what the engine computes at a rate, by a rule, and the
// exact solution beside it.
import { $, make, palette, surface, written } from './dom.js';
import { bounce, impact, oscillator } from './exact.js';

const RULES = ['auto', 'bounded', 'refined', 'plain', 'released', 'newton'];
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

const EXPERIMENTS = [{
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
}];

// ---------------------------------------------------------------- plot

function axes(result) {
  const all = [...result.exact.flat(), ...result.dots], xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
  const pad = (low, high) => [low - 0.06 * (high - low || 1), high + 0.06 * (high - low || 1)];
  return { x: pad(Math.min(...xs), Math.max(...xs)), y: pad(Math.min(...ys), Math.max(...ys)) };
}

function ticks([low, high]) {
  const rough = (high - low) / 5, size = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find((one) => one * size >= rough) * size;
  return Array.from({ length: 12 }, (_, i) => (Math.ceil(low / step) + i) * step).filter((value) => value <= high).map((value) => (Math.abs(value) < step / 1e6 ? 0 : value));
}

function plot(canvas, result) {
  const { context, width, height } = surface(canvas), colour = palette(), range = axes(result);
  const left = 62, bottom = 34, x = (value) => left + (width - left - 10) * (value - range.x[0]) / (range.x[1] - range.x[0]);
  const y = (value) => height - bottom - (height - bottom - 10) * (value - range.y[0]) / (range.y[1] - range.y[0]);
  context.clearRect(0, 0, width, height);
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.lineWidth = 1;
  for (const [axis, place] of [['x', x], ['y', y]]) {
    for (const value of ticks(range[axis])) {
      context.strokeStyle = colour.line;
      context.beginPath();
      if (axis === 'x') context.moveTo(place(value), 10), context.lineTo(place(value), height - bottom);
      else context.moveTo(left, place(value)), context.lineTo(width - 10, place(value));
      context.stroke();
      context.fillStyle = colour.soft;
      context.textAlign = axis === 'x' ? 'center' : 'right';
      context.fillText(written(value, result[axis]), axis === 'x' ? place(value) : left - 7, axis === 'x' ? height - bottom + 16 : place(value) + 4);
    }
  }
  if (result.wall !== null && range.y[1] > 0) {
    context.fillStyle = colour['wood-dark'];
    context.globalAlpha = 0.25;
    context.fillRect(left, 10, width - left - 10, Math.max(0, y(result.wall) - 10));
    context.globalAlpha = 1;
  }
  context.fillStyle = colour.light;
  const size = result.dots.length > 400 ? 1.3 : 2.8;
  for (const [a, b] of result.dots) {
    context.beginPath();
    context.arc(x(a), y(b), size, 0, 7);
    context.fill();
  }
  context.strokeStyle = colour.k1;
  context.lineWidth = 1.5;
  for (const line of result.exact) {
    context.beginPath();
    for (const [a, b] of line) context.lineTo(x(a), y(b));
    context.stroke();
  }
  canvas.setAttribute('aria-label', result.table.map((row) => row.join(': ')).join('; '));
}

// ---------------------------------------------------------------- the dialog

function input(slider, change) {
  const value = make('output', { className: 'figure' });
  const range = make('input', { type: 'range', min: 0, max: 1, step: 0.002 });
  const { from, to, start, log } = slider;
  range.value = log ? Math.log(start / from) / Math.log(to / from) : (start - from) / (to - from);
  const read = () => {
    const share = Number(range.value), exact = log ? from * (to / from) ** share : from + (to - from) * share;
    return slider.unit === 'Hz' ? Math.round(exact) : Number(exact.toPrecision(3));
  };
  const show = () => { value.textContent = slider.unit === 'Hz' ? written(read(), 'Hz') : `${read() >= 1e4 ? read().toExponential(1) : read()} ${slider.unit}`; };
  range.oninput = () => (show(), change());
  show();
  return { element: make('label', {}, make('span', {}, slider.name), value, range), read };
}

function build(experiment, trace) {
  const canvas = make('canvas', {}), table = make('table', {}), inputs = {};
  canvas.setAttribute('role', 'img');
  const rule = make('select', {}, ...RULES.map((name) => make('option', { value: name }, name)));
  let running = false, again = false;
  const update = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    const values = Object.fromEntries(Object.entries(inputs).map(([key, { read }]) => [key, read()]));
    try {
      const result = await experiment.run({ ...values, rule: rule.value }, trace);
      if (![...result.exact.flat(), ...result.dots].flat().every(Number.isFinite)) throw new Error('there is no exact solution for these values');
      if (canvas.isConnected) plot(canvas, result);
      table.replaceChildren(...result.table.map((row) => make('tr', {}, ...row.map((cell) => make('td', {}, cell)))));
    } catch (error) {
      table.replaceChildren(make('tr', {}, make('td', {}, error.message)));
    }
    running = false;
    if (again) {
      again = false;
      update();
    }
  };
  for (const [key, slider] of Object.entries(experiment.sliders)) inputs[key] = input(slider, update);
  rule.onchange = update;
  const side = make('div', {}, ...Object.values(inputs).map(({ element }) => element), make('label', {}, make('span', {}, 'Rule'), rule), table);
  const legend = make('p', { className: 'legend' }, make('span', {}, make('i', { className: 'k1' }), 'exact'), make('span', {}, make('i', { className: 'k3' }), 'engine, sample by sample'));
  return { element: make('div', { className: 'experiment' }, make('div', {}, make('p', {}, experiment.about), canvas, legend), side), update };
}

/** `ask` runs a scene in the worker and gives its numbers. */
export function fillExperiments(ask) {
  const trace = async (text, frames) => {
    const answer = await ask({ type: 'trace', text, frames }, 5);
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  };
  const show = (index) => {
    const made = build(EXPERIMENTS[index], trace);
    [...$('experiment-tabs').children].forEach((tab, i) => tab.setAttribute('aria-pressed', i === index));
    $('experiment').replaceChildren(made.element);
    made.update();
  };
  $('experiment-tabs').replaceChildren(...EXPERIMENTS.map((experiment, index) => {
    const tab = make('button', { type: 'button' }, experiment.title);
    tab.onclick = () => show(index);
    return tab;
  }));
  $('open-experiments').onclick = () => {
    $('experiments').showModal();
    show(0);
  };
}
