// SPDX-License-Identifier: MIT
// jawari for pages and for node: render() and createNode().
import { Core, LIMITS, Scene, SceneError } from './core.js';

export { LIMITS, Scene, SceneError };

// ---------------------------------------------------------------- the module

let loading = null;

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const url = new URL(source ?? './jawari.wasm', import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Get the WebAssembly module once: from beside this file, or from where `source` says. */
export function load(source) {
  if (!loading || source !== undefined) {
    loading = compile(source);
    loading.catch(() => { loading = null; });
  }
  return loading;
}

/** Built-in scenes: name, title, text. */
export async function scenes() {
  return new Core(await load()).scenes();
}

/** The JSON Schema of scenes. */
export async function schema() {
  return JSON.parse(new Core(await load()).schema);
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
    const opened = new Scene(module, await textOf(scene), { score: true, warn: true, ...options });
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
  const module = await load();
  const opened = new Scene(module, await textOf(scene), { score: !options.midi, ...options, trial: false });
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

/** A WAV file of 32-bit floats. */
export function wav({ channels, sampleRate }) {
  const frames = channels[0]?.length ?? 0, bytes = frames * channels.length * 4;
  const view = new DataView(new ArrayBuffer(58 + bytes));
  const word = (at, text) => [...text].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  word(0, 'RIFF'), view.setUint32(4, 50 + bytes, true), word(8, 'WAVEfmt ');
  view.setUint32(16, 18, true), view.setUint16(20, 3, true), view.setUint16(22, channels.length, true);
  view.setUint32(24, sampleRate, true), view.setUint32(28, sampleRate * channels.length * 4, true);
  view.setUint16(32, channels.length * 4, true), view.setUint16(34, 32, true);
  word(38, 'fact'), view.setUint32(42, 4, true), view.setUint32(46, frames, true);
  word(50, 'data'), view.setUint32(54, bytes, true);
  for (let n = 0; n < frames; n++) {
    for (let c = 0; c < channels.length; c++) view.setFloat32(58 + 4 * (n * channels.length + c), channels[c][n], true);
  }
  return new Uint8Array(view.buffer);
}

// ---------------------------------------------------------------- live

const AudioNodeBase = globalThis.AudioWorkletNode ?? class {};

/** A scene in an audio graph.  Times are those of its context; without one, at once. */
export class JawariNode extends AudioNodeBase {
  constructor(context, description, options) {
    super(context, 'jawari', options);
    this.description = description;
    /** Called with what there is to draw, with loads and with what went wrong. */
    this.onreport = null;
    this.onprocessorerror = () => this.onreport?.({ type: 'failed', message: 'the processor stopped' });
    this.port.onmessage = ({ data }) => {
      if (data.type === 'open') this.description = data.description;
      this.onreport?.(data);
    };
  }

  send(message) { this.port.postMessage(message); }
  /** A MIDI message of 1 to 3 bytes. */
  midi(bytes, time = 0) { this.send({ type: 'midi', bytes: [...bytes], time }); }
  noteOn(key, velocity = 100, time = 0) { this.midi([0x90, key, velocity], time); }
  noteOff(key, time = 0) { this.midi([0x80, key, 0], time); }

  /** Move a control by its name or place in `description.controls`, over so many seconds. */
  set(control, value, seconds = 0.02) {
    const index = typeof control === 'number' ? control : this.description.controls.findIndex((one) => one.name === control);
    if (!this.description.controls[index]) throw new TypeError(`there is no control "${control}"`);
    this.send({ type: 'set', index, value, seconds });
  }

  /** Move what is no control: `move('contact', 3, 'gap', 1e-5)`. */
  move(kind, id, control, value, seconds = 0.02) { this.send({ type: 'move', kind, id, control, value, seconds }); }

  /** Pluck a string, or strike a plate, where and how strongly (N). */
  pluck(object, x, y, amplitude) {
    const hand = this.description.hands.find((one) => one.object === object);
    if (!hand) throw new TypeError(`object ${object} cannot be plucked`);
    this.send({ type: 'pluck', exciter: hand.exciter, x, y, amplitude });
  }

  /** Throw a mass: from where (m), how fast (m/s). */
  throw(object, position, velocity) { this.send({ type: 'throw', object, position, velocity }); }

  /** Open another scene in place of this one; the sound fades out and in. */
  async open(scene, options = {}) { this.send({ type: 'open', text: await textOf(scene), options }); }

  /** What is reported for drawing: 'off', 'live', or 'slow' with a state every 8 frames. */
  watch(mode) { this.send({ type: 'watch', mode }); }
}

const added = new WeakMap();

/** A node that plays a scene, live from MIDI, or its own score with `score: true`. */
export async function createNode(context, scene, options = {}) {
  const { worklet = new URL('./worklet.js', import.meta.url), ...rest } = options;
  const [module, text] = await Promise.all([load(), textOf(scene)]);
  if (!added.has(context)) added.set(context, context.audioWorklet.addModule(worklet));
  await added.get(context);
  // Tried out here, where it may take its time: the gain is known before the first block
  const opening = { rate: context.sampleRate, hands: !rest.score, ...rest };
  const tried = new Scene(module, text, { trial: true, ...opening });
  const { description } = tried;
  tried.close();
  return new JawariNode(context, description, {
    numberOfInputs: 0, numberOfOutputs: 1, outputChannelCount: [Math.max(1, description.channels)],
    processorOptions: { module, text, options: { ...opening, gain: description.gain, trial: false } },
  });
}
