// SPDX-License-Identifier: MIT

/** A scene: its text, what JSON.parse gives of it, or the name of a built-in one. */
export type SceneSource = string | object;

export interface Limits {
  /** Letters of a scene. */
  text: number;
  /** Bytes of memory. */
  bytes: number;
  /** Grid points and modes. */
  points: number;
  /** Additions and multiplications a sample, at most. */
  operations: number;
}

/** What a scene may take unless `limits` says otherwise. */
export const LIMITS: Limits;

/** What `hands` puts on strings and plates. */
export const HANDS: { readonly pluck: 1; readonly bow: 2; readonly press: 4 };

export interface OpenOptions {
  /** Play the scene's own score instead of waiting for notes. */
  score?: boolean;
  /** Hz; the scene's own if not given. */
  rate?: number;
  /** Compute at so many times the rate; the scene's own if not given. */
  oversample?: number;
  /** Factor on the sound; chosen if not given. */
  gain?: number;
  /** Keep the energy ledger. */
  ledger?: boolean;
  /** Put a force on each string and plate, for `pluck`: `true` or HANDS.pluck. With HANDS.bow each string that has no bow gets one,
   *  with HANDS.press a finger above it; none of them does anything until it is moved. Numbers are added up. */
  hands?: boolean | number;
  /** Look for what is allowed but probably not meant. */
  warn?: boolean;
  /** Values in place of the scene's own: `{ 'string.frequency': 110 }`. */
  set?: Record<string, unknown>;
  /** Texts that the scene may include, by their names; built-in scenes are added to them, except for `new Scene`. */
  files?: Record<string, string>;
  limits?: Partial<Limits>;
}

/** A MIDI message of 1 to 3 bytes and when it comes, in seconds. */
export type MidiEvent = [seconds: number, bytes: ArrayLike<number>];

export interface RenderOptions extends OpenOptions {
  /** A MIDI file, or a list of messages in the order of time, played instead of the score. */
  midi?: Uint8Array | MidiEvent[];
}

export interface Rendering {
  sampleRate: number;
  frames: number;
  channels: Float32Array[];
  /** What was put on the samples. */
  gain: number;
}

export interface Diagnostic {
  message: string;
  file: string;
  /** From 1; columns and lengths count characters. */
  line: number;
  column: number;
  length: number;
  warning: boolean;
}

export interface Control {
  name: string;
  unit: string;
  /** The controller that moves it: "mod", "cc16". */
  source: string;
  minimum: number;
  maximum: number;
  initial: number;
}

export interface Port { object: number; x: number; y: number }

/** What a scene came out as. */
export interface Description {
  status: string;
  error: string;
  diagnostics: Diagnostic[];
  title: string;
  description: string;
  sources: string[];
  rate: number;
  oversample: number;
  channels: number;
  /** Frames from an event to its sound. */
  latency: number;
  gain: number;
  duration: number;
  fade: number;
  /** What a note can sound; 0: it plays its score. */
  voices: number;
  mono: boolean;
  mpe: boolean;
  cost: { points: number; contacts: number; bytes: number; operations: number };
  /** `at`, `across`, `down`: where its displacements stand in a row of `look`, and how many. */
  objects: { id: number; name: string; kind: string; points: number; length: number; width: number; mass: number;
    fundamental: number | null; tension: number; at: number; across: number; down: number }[];
  /** After `places`, seven numbers each in a row: closed, force, displacement of both ports, closures, x of both ports. */
  contacts: { id: number; name: string; kind: string; points: number; ports: [Port, Port] }[];
  exciters: { id: number; name: string; amplitude: number; duration: number; port: Port }[];
  pickups: { id: number; name: string; pan: number; port: Port }[];
  /** What hands have on an object; 0 where there is none. A finger is put down by `move('object', finger, 'position', pressed)`. */
  hands: { object: number; exciter: number; bow: number; finger: number; touch: number; lifted: number; pressed: number }[];
  controls: Control[];
  /** Displacements in a row; then contacts; then kinetic, potential, contact, stored, lost and supplied energy, residual, worst residual. */
  places: number;
  row: number;
}

/** A scene that cannot be used; `diagnostics` say why and where. */
export class SceneError extends Error {
  status: string;
  diagnostics: Diagnostic[];
}

/** Get the WebAssembly module: from beside this file, or from a URL, bytes or a module. Called by the others. */
export function load(source?: string | URL | BufferSource | WebAssembly.Module): Promise<WebAssembly.Module>;

/** The scenes that are built in; `group` is 'instruments', 'experiments' or 'papers'. */
export function scenes(): Promise<{ name: string; group: string; title: string; text: string }[]>;

/** The JSON Schema of scenes. */
export function schema(): Promise<object>;

/** Every error and warning of a scene with its place; an empty list: it is good. */
export function check(scene: SceneSource, options?: OpenOptions): Promise<Diagnostic[]>;

/** The samples of `jawari render`, to the bit; without `seconds`, as long as the scene, or the song and 3 s. */
export function render(scene: SceneSource, seconds?: number, options?: RenderOptions): Promise<Rendering>;

/** A WAV file of 32-bit floats. */
export function wav(rendering: { channels: Float32Array[]; sampleRate: number }): Uint8Array;

/** A scene in this thread, run block by block. */
export class Scene {
  constructor(module: WebAssembly.Module, text: string, options?: OpenOptions & { trial?: boolean });
  readonly description: Description;
  readonly channels: number;
  /** Nothing moves: what follows is silence until something comes in. */
  readonly rests: boolean;
  /** At most 2048 frames; false if the state stopped being finite. */
  run(frames: number): boolean;
  /** A view of the last run; copy it before the next call. */
  channel(index: number, frames: number): Float32Array;
  message(frame: number, bytes: ArrayLike<number>): boolean;
  reset(): void;
  look(): Float32Array;
  /** Displacement of a place (m), in double precision. */
  probe(object: number, x?: number, y?: number): number;
  set(index: number, value: number, seconds?: number): boolean;
  get(index: number): number;
  move(kind: 'object' | 'contact' | 'exciter' | 'pickup', id: number, control: string, value: number, seconds?: number): boolean;
  where(kind: 'object' | 'contact' | 'exciter' | 'pickup', id: number, control: string): number;
  trigger(exciter: number, amplitude: number): boolean;
  throw(mass: number, position: number, velocity: number): boolean;
  song(midi: Uint8Array | MidiEvent[]): void;
  readonly songDuration: number;
  render(frames: number): { channels: Float32Array[]; gain: number };
  close(): void;
}

export interface NodeOptions extends OpenOptions {
  /** Where worklet.js is, if not beside this file. */
  worklet?: string | URL;
  /** Messages at times of the context that are known beforehand. */
  song?: MidiEvent[];
  /** Stop, and report it, when blocks take longer than they last. */
  budget?: boolean;
}

/** A scene in an audio graph. Times are those of its context; 0: at once. */
export class JawariNode extends AudioWorkletNode {
  description: Description;
  onreport: ((report: { type: string; time: number; [more: string]: unknown }) => void) | null;
  midi(bytes: ArrayLike<number>, time?: number): void;
  noteOn(key: number, velocity?: number, time?: number): void;
  noteOff(key: number, time?: number): void;
  /** Move a control by its name or its place in `description.controls`. */
  set(control: string | number, value: number, seconds?: number): void;
  move(kind: 'object' | 'contact' | 'exciter' | 'pickup', id: number, control: string, value: number, seconds?: number): void;
  /** Pluck a string or strike a plate: `x` and `y` are fractions, `amplitude` is in newtons. */
  pluck(object: number, x: number, y: number, amplitude: number): void;
  throw(object: number, position: number, velocity: number): void;
  open(text: string, options?: OpenOptions): void;
  /** Disconnect it, and compute nothing more. */
  end(): void;
  watch(mode: 'off' | 'live' | 'slow'): void;
}

export function createNode(context: BaseAudioContext, scene: SceneSource, options?: NodeOptions): Promise<JawariNode>;
