// SPDX-License-Identifier: MIT
// Elements, made of nodes and texts: nothing that a scene says is ever read as markup.
export const $ = (id) => document.getElementById(id);

export function make(tag, properties = {}, ...inside) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
}

/** A canvas at the density of the screen: its context, width and height in CSS pixels. */
export function surface(canvas) {
  const density = Math.min(2, devicePixelRatio || 1), width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
  }
  const context = canvas.getContext('2d');
  context.setTransform(density, 0, 0, density, 0, 0);
  return { context, width, height };
}

let colours = null;
/** The colours of the style sheet, light or dark. */
export function palette() {
  if (!colours) {
    const style = getComputedStyle(document.documentElement);
    colours = Object.fromEntries(['paper', 'card', 'ink', 'soft', 'line', 'accent', 'string', 'string-dark', 'light', 'wood', 'wood-dark', 'metal', 'metal-dark', 'shade', 'k1', 'k2', 'k3', 'k4', 'k5']
      .map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }
  return colours;
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { colours = null; });

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A number with a unit as people read it: 12 µm. */
export function written(value, unit) {
  const prefixes = { m: 1, N: 1, 'm/s': 1, J: 1, Hz: 1 };
  const size = Math.abs(value);
  if (!(unit in prefixes) || size === 0 || (size >= 0.1 && size < 1000)) return `${Number(value.toPrecision(3))} ${unit}`.trim();
  const power = Math.max(-4, Math.min(3, Math.floor(Math.log10(size) / 3)));
  return `${Number((value / 1000 ** power).toPrecision(3))} ${['p', 'n', 'µ', 'm', '', 'k', 'M', 'G'][power + 4]}${unit}`;
}
