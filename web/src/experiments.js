// SPDX-License-Identifier: MIT
// The dialog of experiments: sliders, a plot, a table.
import { $, make, palette, surface, written } from './dom.js';
import { FIGURES, RULES } from './figures.js';

const LEGEND = [['k1', 'exact'], ['k3', 'engine, sample by sample']];

// ---------------------------------------------------------------- plot

// Both axes by their logarithms, where a figure wants that.
function folded(result) {
  if (!result.log) return result;
  const fold = (points) => points.map(([x, y]) => [Math.log10(x), Math.log10(y)]);
  return { ...result, exact: result.exact.map(fold), dots: fold(result.dots), lines: result.lines?.map(([colour, points]) => [colour, fold(points)]) };
}

function axes(result) {
  const all = [...result.exact.flat(), ...result.dots, ...(result.lines ?? []).flatMap(([, points]) => points)], xs = all.map(([x]) => x), ys = all.map(([, y]) => y);
  const pad = (low, high) => [low - 0.06 * (high - low || 1), high + 0.06 * (high - low || 1)];
  return { x: pad(Math.min(...xs), Math.max(...xs)), y: pad(Math.min(...ys), Math.max(...ys)) };
}

function ticks([low, high]) {
  const rough = (high - low) / 5, size = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find((one) => one * size >= rough) * size;
  return Array.from({ length: 12 }, (_, i) => (Math.ceil(low / step) + i) * step).filter((value) => value <= high).map((value) => (Math.abs(value) < step / 1e6 ? 0 : value));
}

function trace(context, points, x, y) {
  context.beginPath();
  for (const [a, b] of points) context.lineTo(x(a), y(b));
  context.stroke();
}

function plot(canvas, given) {
  const result = folded(given), label = (value, unit) => (result.log ? `${written(10 ** value, unit)}` : written(value, unit));
  const { context, width, height } = surface(canvas), colour = palette(), range = axes(result);
  const left = 62, bottom = 34, x = (value) => left + (width - left - 10) * (value - range.x[0]) / (range.x[1] - range.x[0]);
  const y = (value) => height - bottom - (height - bottom - 10) * (value - range.y[0]) / (range.y[1] - range.y[0]);
  context.clearRect(0, 0, width, height);
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.lineWidth = 1;
  for (const [axis, place] of [['x', x], ['y', y]]) {
    for (const value of ticks(range[axis]).filter((one) => !result.log || Number.isInteger(2 * one))) {
      context.strokeStyle = colour.line;
      context.beginPath();
      if (axis === 'x') context.moveTo(place(value), 10), context.lineTo(place(value), height - bottom);
      else context.moveTo(left, place(value)), context.lineTo(width - 10, place(value));
      context.stroke();
      context.fillStyle = colour.soft;
      context.textAlign = axis === 'x' ? 'center' : 'right';
      context.fillText(label(value, result[axis]), axis === 'x' ? place(value) : left - 7, axis === 'x' ? height - bottom + 16 : place(value) + 4);
    }
  }
  if (result.wall !== null && range.y[1] > 0) {
    context.fillStyle = colour['wood-dark'];
    context.globalAlpha = 0.25;
    context.fillRect(left, 10, width - left - 10, Math.max(0, y(result.wall) - 10));
    context.globalAlpha = 1;
  }
  context.lineWidth = 1;
  for (const [name, points] of result.lines ?? []) {
    context.strokeStyle = colour[name];
    trace(context, points, x, y);
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
  for (const line of result.exact) trace(context, line, x, y);
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
  const legend = make('p', { className: 'legend' }, ...(experiment.legend ?? LEGEND).map(([colour, words]) => make('span', {}, make('i', { className: colour }), words)));
  return { element: make('div', { className: 'experiment' }, make('div', {}, make('p', {}, experiment.about), canvas, legend), side), update };
}

/** `ask` runs a scene in the worker and gives its numbers. */
export function fillExperiments(ask) {
  const trace = async (text, frames, places) => {
    const answer = await ask({ type: 'trace', text, frames, places }, 5);
    if (!answer.ok) throw new Error(answer.error);
    return answer;
  };
  const show = (index) => {
    const made = build(FIGURES[index], trace);
    [...$('experiment-tabs').children].forEach((tab, i) => tab.setAttribute('aria-pressed', i === index));
    $('experiment').replaceChildren(made.element);
    made.update();
  };
  $('experiment-tabs').replaceChildren(...FIGURES.map((experiment, index) => {
    const tab = make('button', { type: 'button' }, experiment.title);
    tab.onclick = () => show(index);
    return tab;
  }));
  $('open-experiments').onclick = () => {
    $('experiments').showModal();
    show(0);
  };
}
