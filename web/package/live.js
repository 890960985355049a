// SPDX-License-Identifier: MIT
// The node's side of the AudioWorklet: everything is a message.

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

  /** Open the text of another scene in place of this one; the sound fades out and in. */
  open(text, options = {}) { this.send({ type: 'open', text, options }); }

  /** Nothing more is computed. */
  end() {
    this.disconnect();
    this.send({ type: 'end' });
  }

  /** What is reported for drawing: 'off', 'live', or 'slow' with a state every 8 frames. */
  watch(mode) { this.send({ type: 'watch', mode }); }
}
