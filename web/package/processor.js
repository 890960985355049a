// SPDX-License-Identifier: MIT
// The AudioWorklet: a scene, block after block, within a budget.
import { Scene, SceneError } from './core.js';

const LIVE_STEP = 64; // Frames from look to look; a block has 128
const SLOW_STEP = 8;
const SLOW_ROWS = 640; // What a slow motion shows: 0.1 s
const FADE = 0.01;     // s, out of a scene and into the next
const POKE = 0.25;     // s that it runs after a touch, until it may be found at rest
const TOO_SLOW = 0.95; // Of the time there is, over a window
const WINDOW = 0.5;    // s

// The clock of a worklet, where it has none but the wall's: rough, but fair on average.
const now = globalThis.performance ? () => performance.now() / 1000 : () => Date.now() / 1000;

class JawariProcessor extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.module = processorOptions.module;
    this.events = [];
    this.watching = 'off';
    this.gain = 1;
    this.target = 1;
    this.pending = null;
    this.quiet = Infinity; // The frame from which on it may rest
    this.forget();
    this.open(processorOptions.text, processorOptions.options);
    for (const [seconds, bytes] of processorOptions.options.song ?? []) this.schedule(seconds, bytes);
    this.port.onmessage = ({ data }) => this.receive(data);
  }

  forget() {
    this.spent = 0;
    this.blocks = 0;
    this.worst = 0;
    this.since = currentTime;
  }

  report(type, more) { this.port.postMessage({ type, time: currentTime, ...more }); }

  open(text, options) {
    this.scene = null;
    this.stopped = false;
    this.budget = options.budget === true;
    try {
      this.scene = new Scene(this.module, text, options);
      this.report('open', { description: this.scene.description });
      this.makeLook();
    } catch (error) {
      this.report('failed', { message: error.message, diagnostics: error instanceof SceneError ? error.diagnostics : [] });
    }
    this.quiet = currentFrame + POKE * sampleRate;
    this.forget();
  }

  // ---------------------------------------------------------------- messages

  receive(data) {
    this.quiet = currentFrame + POKE * sampleRate;
    if (data.type === 'end') {
      this.ended = true;
    } else if (data.type === 'open') {
      this.pending = data;
      this.target = 0;
    } else if (data.type === 'watch') {
      this.watching = data.mode;
      this.makeLook();
    } else if (data.type === 'midi') {
      this.schedule(data.time, data.bytes);
    } else if (this.scene) {
      this.touch(data);
    }
  }

  // In the order of time, and of coming.
  schedule(time, bytes) {
    let at = this.events.length;
    while (at > 0 && this.events[at - 1].time > time) at--;
    this.events.splice(at, 0, { time, bytes });
  }

  touch(data) {
    const { scene } = this;
    let good = true;
    if (data.type === 'set') good = scene.set(data.index, data.value, data.seconds);
    if (data.type === 'move') good = scene.move(data.kind, data.id, data.control, data.value, data.seconds);
    if (data.type === 'throw') good = scene.throw(data.object, data.position, data.velocity);
    if (data.type === 'reset') scene.reset();
    if (data.type === 'pluck') {
      scene.move('exciter', data.exciter, 'x', data.x, 0);
      scene.move('exciter', data.exciter, 'y', data.y, 0); // A string has none, and refuses
      good = scene.trigger(data.exciter, data.amplitude);
    }
    if (!good) this.report('refused', { request: data });
  }

  // Messages that are due in the frames from `first` on, at their frames; those of the past come at once.
  deliver(first, frames) {
    let next = 0;
    for (; next < this.events.length; next++) {
      const { time, bytes } = this.events[next];
      const frame = Math.floor(time * sampleRate + 0.5) - first;
      if (frame >= frames) break;
      if (!this.scene.message(Math.max(0, frame), bytes)) this.report('refused', { request: this.events[next] });
    }
    if (next) {
      this.events.splice(0, next);
      this.quiet = currentFrame + POKE * sampleRate;
    }
  }

  // ---------------------------------------------------------------- what is drawn

  makeLook() {
    const size = this.scene ? this.scene.description.row : 0;
    this.low = new Float32Array(size).fill(Infinity);
    this.high = new Float32Array(size).fill(-Infinity);
    this.rows = this.watching === 'slow' ? new Float32Array(SLOW_ROWS * size) : null;
    this.row = 0;
    this.shown = currentTime;
  }

  look() {
    const row = this.scene.look();
    if (this.rows) {
      this.rows.set(row, this.row % SLOW_ROWS * row.length);
      this.row += 1;
      if (this.row === SLOW_ROWS) this.sendSlow();
      return;
    }
    for (let i = 0; i < row.length; i++) {
      if (row[i] < this.low[i]) this.low[i] = row[i];
      if (row[i] > this.high[i]) this.high[i] = row[i];
    }
    if (currentTime - this.shown > 0.016) this.sendLook(row.slice());
  }

  sendLook(row) {
    this.report('look', { row, low: this.low.slice(), high: this.high.slice() });
    this.low.fill(Infinity);
    this.high.fill(-Infinity);
    this.shown = currentTime;
  }

  sendSlow() {
    this.port.postMessage({ type: 'slow', time: currentTime, rows: this.rows, size: this.scene.description.row,
      seconds: SLOW_ROWS * SLOW_STEP / sampleRate }, [this.rows.buffer]);
    this.rows = new Float32Array(SLOW_ROWS * this.scene.description.row);
    this.row = 0;
  }

  // ---------------------------------------------------------------- blocks

  runAll(out, frames) {
    const { scene } = this;
    const step = this.watching === 'off' ? frames : this.watching === 'slow' ? SLOW_STEP : LIVE_STEP;
    let good = true;
    for (let at = 0; at < frames && good; at += step) {
      const count = Math.min(step, frames - at);
      this.deliver(currentFrame + at, count);
      good = scene.run(count);
      for (let c = 0; c < out.length && c < scene.channels; c++) out[c].set(scene.channel(c, count), at);
      if (this.watching !== 'off') this.look();
    }
    return good;
  }

  fade(out, frames) {
    if (this.gain === 1 && this.target === 1) return;
    const step = 1 / (FADE * sampleRate);
    for (let n = 0; n < frames; n++) {
      this.gain = this.target > this.gain ? Math.min(this.target, this.gain + step) : Math.max(this.target, this.gain - step);
      for (const channel of out) channel[n] *= this.gain;
    }
  }

  stop(type, more) {
    this.stopped = true;
    this.report(type, more);
  }

  measure(begin, frames) {
    const took = now() - begin;
    this.spent += took;
    this.worst = Math.max(this.worst, took * sampleRate / frames);
    this.blocks += 1;
    if (currentTime - this.since < WINDOW) return;
    const load = this.spent * sampleRate / (this.blocks * frames);
    this.report('load', { load, worst: this.worst, rests: false });
    if (load > TOO_SLOW && this.budget) this.stop('slow-machine', { load });
    this.forget();
  }

  // The old scene has faded out: the next takes its place, and fades in.
  exchange() {
    const { text, options } = this.pending;
    this.pending = null;
    this.events = [];
    this.open(text, options);
    this.gain = 0;
    this.target = 1;
  }

  process(inputs, outputs) {
    if (this.ended) return false;
    const out = outputs[0], frames = out[0].length;
    if (this.pending && (this.gain === 0 || this.resting || this.stopped || !this.scene)) this.exchange();
    if (!this.scene || this.stopped) return true;
    this.resting = currentFrame > this.quiet && !this.events.length && this.scene.rests;
    if (this.resting) {
      this.rest();
      return true;
    }
    const begin = now();
    if (!this.runAll(out, frames)) this.stop('not-finite', {});
    this.fade(out, frames);
    this.measure(begin, frames);
    return true;
  }

  rest() {
    if (currentTime - this.since < WINDOW) return;
    this.report('load', { load: 0, worst: 0, rests: true });
    this.forget();
  }
}

registerProcessor('jawari', JawariProcessor);
