// SPDX-License-Identifier: MIT
// One scene in one instance of the WebAssembly module.  Used by pages, workers, worklets and node
// alike, so nothing is taken from the surroundings: an AudioWorklet has not even a TextDecoder.

/** What a scene may take, unless the caller says otherwise: it may come from a stranger. */
export const LIMITS = { text: 1 << 20, bytes: 64 << 20, points: 1e6, operations: 1e8 };

/** What `move` can move, in the order of JwControl. */
export const CONTROLS = ['force', 'speed', 'x', 'y', 'x2', 'y2', 'gap', 'stiffness', 'loss', 'tension',
  'frequency', 'cents', 'position', 'gain', 'pan'];
const KINDS = ['object', 'contact', 'exciter', 'pickup'];

/** What `hands` puts on strings and plates: forces to pluck and strike with, bows, fingers; to be added up. */
export const HANDS = { pluck: 1, bow: 2, press: 4 };

/** Numbers of a contact in a row: closed, force, displacements of both ports, closures, x of both ports. */
export const CONTACT_NUMBERS = 7;

export const MOST_FRAMES = 2048; // Of one run

// ---------------------------------------------------------------- text

/** The bytes of a text in UTF-8; half a surrogate becomes U+FFFD, as TextEncoder does it. */
export function encode(text) {
  const bytes = [];
  for (const letter of text) {
    let code = letter.codePointAt(0);
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | code >> 6, 0x80 | code & 63);
    else if (code < 0x10000) bytes.push(0xe0 | code >> 12, 0x80 | code >> 6 & 63, 0x80 | code & 63);
    else bytes.push(0xf0 | code >> 18, 0x80 | code >> 12 & 63, 0x80 | code >> 6 & 63, 0x80 | code & 63);
  }
  return Uint8Array.from(bytes);
}

/** The text of bytes that this module wrote, which are UTF-8 up to a cut in the middle of a letter. */
export function decode(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i];
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = size === 1 ? first : first & 0xff >> size + 1;
    for (let k = 1; k < size; k++) code = code << 6 | (bytes[i + k] ?? 0) & 63;
    text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    i += size;
  }
  return text;
}

// ---------------------------------------------------------------- the module

/** An instance and its memory. */
export class Core {
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.exports._initialize();
  }

  get version() { return this.textAt(this.exports.jawari_version()); }

  /** Let scenes include a text by a name. */
  give(name, text) {
    const bytes = encode(text);
    if (!this.exports.jawari_give(this.put(encode(name)), this.put(bytes), bytes.length)) throw new RangeError('too many files');
  }

  textAt(pointer) {
    if (!pointer) return '';
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
  }

  /** Bytes in the module's memory, ended by a zero; they are the caller's to release. */
  put(bytes) {
    const pointer = this.exports.jawari_take(bytes.length + 1);
    if (!pointer) throw new RangeError(`no memory for ${bytes.length} bytes`);
    const memory = new Uint8Array(this.exports.memory.buffer);
    memory.set(bytes, pointer);
    memory[pointer + bytes.length] = 0;
    return pointer;
  }
}

// ---------------------------------------------------------------- a scene

/** May a scene want the texts of others?  Most do not, and are opened without them. */
export const includes = (text) => text.includes('"include"') || text.includes("'include'") || /\binclude\s*:/.test(text);

/** A scene that could not be opened: its sentences with their places are in `diagnostics`. */
export class SceneError extends Error {
  constructor(description) {
    super(description.error || 'the scene cannot be used');
    this.name = 'SceneError';
    this.status = description.status;
    this.diagnostics = description.diagnostics;
  }
}

function numbers(options) {
  const limits = { ...LIMITS, ...options.limits };
  return Float64Array.of(options.score ? 1 : 0, options.rate ?? NaN, options.oversample ?? 0, options.gain ?? NaN,
    options.trial ? 1 : 0, options.ledger ? 1 : 0, Number(options.hands ?? 0), options.warn ? 1 : 0,
    limits.text, limits.bytes, limits.points, limits.operations);
}

function lines(set) {
  return Object.entries(set ?? {}).map(([name, value]) => {
    const line = `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`;
    if (line.includes('\n')) throw new TypeError(`set: "${name}" has a line break`);
    return line;
  }).join('\n');
}

const pack = (bytes) => bytes[0] | (bytes[1] ?? 0) << 8 | (bytes[2] ?? 0) << 16;

/** A scene that runs.  `text` is a scene; what it wants is refused where it is beyond the limits. */
export class Scene {
  constructor(module, text, options = {}) {
    this.core = new Core(module);
    const { exports } = this.core;
    const limit = options.limits?.text ?? LIMITS.text;
    // Before a copy is made of it
    if (text.length > limit) throw new SceneError(tooLong(text.length, limit));
    for (const [name, file] of Object.entries(options.files ?? {})) this.core.give(name, file);
    const bytes = encode(text), given = numbers(options);
    const pointers = [this.core.put(bytes), this.core.put(encode(lines(options.set))),
      this.core.put(new Uint8Array(given.buffer))];
    this.handle = exports.jawari_open(pointers[0], bytes.length, pointers[1], pointers[2]);
    for (const pointer of pointers) exports.jawari_release(pointer);
    if (!this.handle) throw new RangeError('no memory for the scene');
    this.description = JSON.parse(this.core.textAt(exports.jawari_describe(this.handle)));
    if (this.description.status !== 'ok') throw new SceneError(this.description);
  }

  get channels() { return this.description.channels; }
  get rests() { return this.core.exports.jawari_rests(this.handle) !== 0; }

  /** The samples of the last run; a view that the next call may make stale. */
  channel(index, frames) {
    const pointer = this.core.exports.jawari_channel(this.handle, index);
    return new Float32Array(this.core.exports.memory.buffer, pointer, frames);
  }

  /** Run at most MOST_FRAMES frames; false if the state stopped being finite, and then all is silent. */
  run(frames) { return this.core.exports.jawari_run(this.handle, frames) === 0; }

  /** A MIDI message at a frame of the next run; false where no more fit. */
  message(frame, bytes) { return this.core.exports.jawari_event(this.handle, frame, pack(bytes), bytes.length) !== 0; }

  reset() { this.core.exports.jawari_reset(this.handle); }

  /** What is to be drawn now: places of objects, contacts, energy; a view as `channel` gives one. */
  look() {
    const pointer = this.core.exports.jawari_look(this.handle);
    return new Float32Array(this.core.exports.memory.buffer, pointer, this.description.row);
  }

  /** Displacement of a place on an object (m), with all its digits. */
  probe(object, x = 0, y = 0) { return this.core.exports.jawari_probe(this.handle, object, x, y); }

  /** Move a control of the instrument, by its place in the list; false where it is refused. */
  set(index, value, seconds = 0) { return this.core.exports.jawari_set(this.handle, index, value, seconds) === 0; }
  get(index) { return this.core.exports.jawari_get(this.handle, index); }

  /** Move anything: `move('contact', 3, 'gap', 1e-5, 0.02)`; false where it is refused. */
  move(kind, id, control, value, seconds = 0) {
    return this.core.exports.jawari_move(this.handle, KINDS.indexOf(kind), id, CONTROLS.indexOf(control), value, seconds) === 0;
  }

  where(kind, id, control) {
    return this.core.exports.jawari_where(this.handle, KINDS.indexOf(kind), id, CONTROLS.indexOf(control));
  }

  /** Let a force go, and throw a mass. */
  trigger(exciter, amplitude) { return this.core.exports.jawari_trigger(this.handle, exciter, amplitude) === 0; }
  throw(mass, position, velocity) { return this.core.exports.jawari_throw(this.handle, mass, position, velocity) === 0; }

  /** The song that `render` plays: the bytes of a MIDI file, or a list of [seconds, bytes]. */
  song(midi) {
    const { exports } = this.core;
    if (midi instanceof Uint8Array) {
      const pointer = this.core.put(midi);
      const error = exports.jawari_song(this.handle, pointer, midi.length);
      exports.jawari_release(pointer);
      if (error) throw new TypeError(`midi: ${this.core.textAt(error)}`);
      return;
    }
    let last = 0;
    midi.forEach(([seconds, bytes], index) => {
      if (!(seconds >= last && bytes.length >= 1 && bytes.length <= 3)) {
        throw new TypeError(`midi: event ${index} must have 1 to 3 bytes, and a time not before ${last} s`);
      }
      last = seconds;
      if (!exports.jawari_song_event(this.handle, seconds, pack(bytes), bytes.length)) throw new RangeError('midi: no memory');
    });
  }

  get songDuration() { return this.core.exports.jawari_song_duration(this.handle); }

  /** A whole sound, with the samples of the program: one Float32Array a channel, and the gain on them. */
  render(frames) {
    const { exports } = this.core;
    const gain = this.core.put(new Uint8Array(8));
    const pointer = exports.jawari_render(this.handle, frames, gain);
    if (!pointer) throw new RangeError(`${frames} frames cannot be rendered: no memory, or a state that is not finite`);
    const channels = [];
    for (let c = 0; c < this.channels; c++) {
      channels.push(Float32Array.from(new Float64Array(exports.memory.buffer, pointer + 8 * frames * c, frames)));
    }
    const factor = new DataView(exports.memory.buffer).getFloat64(gain, true);
    exports.jawari_release(gain);
    return { channels, gain: factor };
  }

  close() {
    this.core.exports.jawari_close(this.handle);
    this.handle = 0;
  }
}

function tooLong(size, limit) {
  const message = `the scene has ${size} letters, more than the ${limit} that are allowed`;
  return { status: 'too large', error: message, diagnostics: [{ message, file: '', line: 1, column: 1, length: 1, warning: false }] };
}
