// SPDX-License-Identifier: MIT
// jawari for pages and for node: render() and createNode().
import { HANDS, LIMITS, Scene, SceneError, includes } from './core.js';
import { JawariNode } from './live.js';
import { wav } from './wav.js';

export { HANDS, JawariNode, LIMITS, Scene, SceneError, wav };

// ---------------------------------------------------------------- the module

let loading = null;

async function bytes(url) {
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  // Written out, since bundlers look for such a URL
  const url = source === undefined ? new URL('./jawari.wasm', import.meta.url) : new URL(source, import.meta.url);
  return WebAssembly.compile(await bytes(url));
}

/** Get the WebAssembly module once: from beside this file, or from where `source` says. */
export function load(source) {
  if (!loading || source !== undefined) {
    loading = compile(source);
    loading.catch(() => { loading = null; });
  }
  return loading;
}

// ---------------------------------------------------------------- what is built in

let reading = null;

// Beside this file, and not inside the module: who has a scene of their own does not need it.
function library() {
  reading ??= bytes(new URL('./scenes.json', import.meta.url)).then((found) => JSON.parse(new TextDecoder().decode(found)));
  reading.catch(() => { reading = null; });
  return reading;
}

/** Built-in scenes: name, group, title, text. */
export async function scenes() {
  return (await library()).scenes;
}

/** The JSON Schema of scenes. */
export async function schema() {
  return (await library()).schema;
}

// The files that a scene may include: those given, and what is built in.
async function withFiles(text, options) {
  const builtin = includes(text) ? Object.fromEntries((await scenes()).map((scene) => [scene.name, scene.text])) : {};
  return { ...options, files: { ...builtin, ...options.files } };
}

// A scene may be given as a text, as what JSON.parse gives, or as the name of a built-in one.
async function textOf(scene) {
  if (typeof scene === 'object' && scene !== null) return JSON.stringify(scene);
  if (typeof scene !== 'string') throw new TypeError('a scene is a text, an object or the name of a built-in scene');
  if (!/^[\w-]+$/.test(scene)) return scene;
  const found = (await scenes()).find((one) => one.name === scene);
  if (!found) throw new TypeError(`there is no built-in scene "${scene}"`);
  return found.text;
}

// ---------------------------------------------------------------- a whole sound

/** Every error and warning of a scene with its place; an empty list: it is good. */
export async function check(scene, options = {}) {
  const module = await load();
  try {
    const text = await textOf(scene);
    const opened = new Scene(module, text, await withFiles(text, { score: true, warn: true, ...options }));
    opened.close();
    return opened.description.diagnostics;
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return error.diagnostics.length ? error.diagnostics
      : [{ message: error.message, file: '', line: 1, column: 1, length: 1, warning: false }];
  }
}

/** The samples of `jawari render SCENE`, or with `midi` those of `jawari render SCENE --midi`. */
export async function render(scene, seconds, options = {}) {
  const [module, text] = await Promise.all([load(), textOf(scene)]);
  const opened = new Scene(module, text, await withFiles(text, { score: !options.midi, ...options, trial: false }));
  try {
    const { rate } = opened.description;
    if (options.midi) opened.song(options.midi);
    const duration = seconds ?? (options.midi ? opened.songDuration + 3 : opened.description.duration);
    const frames = Math.floor(duration * rate + 0.5);
    if (!(frames >= 1 && frames < 2 ** 31)) throw new RangeError(`${duration} s at ${rate} Hz cannot be rendered`);
    return { sampleRate: rate, frames, ...opened.render(frames) };
  } finally {
    opened.close();
  }
}

// ---------------------------------------------------------------- live

const added = new WeakMap();

/** A node that plays a scene, live from MIDI, or its own score with `score: true`. */
export async function createNode(context, scene, options = {}) {
  const { worklet = new URL('./worklet.js', import.meta.url), ...rest } = options;
  const [module, text] = await Promise.all([load(), textOf(scene)]);
  if (!added.has(context)) added.set(context, context.audioWorklet.addModule(worklet));
  await added.get(context);
  // Tried out here, where it may take its time: the gain is known before the first block
  const opening = await withFiles(text, { rate: context.sampleRate, hands: !rest.score, ...rest });
  const tried = new Scene(module, text, { trial: true, ...opening });
  const { description } = tried;
  tried.close();
  return new JawariNode(context, description, {
    numberOfInputs: 0, numberOfOutputs: 1, outputChannelCount: [Math.max(1, description.channels)],
    processorOptions: { module, text, options: { ...opening, gain: description.gain, trial: false } },
  });
}
