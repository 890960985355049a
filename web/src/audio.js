// SPDX-License-Identifier: MIT
// The sound: a context, a node that plays the scene, a volume, an analyser.
import { JawariNode } from '../package/live.js';
import { loadModule, workletUrl } from './files.js';

export class Audio {
  constructor(onreport) {
    this.onreport = onreport;
    this.context = null;
    this.node = null;
    this.level = 0.8;
    this.watching = 'live';
  }

  get on() { return this.context?.state === 'running'; }

  async start(rate) {
    if (this.context && this.context.sampleRate !== rate) await this.stop();
    if (!this.context) {
      this.context = new AudioContext({ sampleRate: rate, latencyHint: 'interactive' });
      this.volume = new GainNode(this.context, { gain: this.level });
      this.analyser = new AnalyserNode(this.context, { fftSize: 2048, smoothingTimeConstant: 0.2, minDecibels: -100, maxDecibels: -15 });
      this.volume.connect(this.analyser).connect(this.context.destination);
      // Asked for within the click that wants it, since some browsers forget the click while they wait
      const resumed = this.context.resume();
      await this.context.audioWorklet.addModule(workletUrl());
      await resumed;
    }
    await this.context.resume();
  }

  async stop() {
    this.node = null;
    await this.context?.close();
    this.context = null;
  }

  /** Play a scene that the worker has found to be good, with the gain that it has found. */
  async open(text, options, description) {
    const channels = Math.max(1, description.channels);
    if (this.node && this.channels === channels) {
      this.node.description = description;
      this.node.send({ type: 'open', text, options });
      return;
    }
    this.drop();
    this.channels = channels;
    this.node = new JawariNode(this.context, description, {
      numberOfInputs: 0, numberOfOutputs: 1, outputChannelCount: [channels],
      processorOptions: { module: await loadModule(), text, options },
    });
    this.node.onreport = this.onreport;
    this.node.connect(this.volume);
    this.node.watch(this.watching);
  }

  /** No scene at all. */
  drop() {
    this.node?.end();
    this.node = null;
  }

  watch(mode) {
    this.watching = mode;
    this.node?.watch(mode);
  }

  setVolume(value) {
    this.level = value;
    this.volume?.gain.setTargetAtTime(value, this.context.currentTime, 0.02);
  }

  /** A sound that was computed beforehand. */
  playBuffer({ channels, rate }) {
    const buffer = new AudioBuffer({ numberOfChannels: channels.length, length: channels[0].length, sampleRate: rate });
    channels.forEach((samples, index) => buffer.copyToChannel(samples, index));
    const source = new AudioBufferSourceNode(this.context, { buffer });
    source.connect(this.volume);
    source.start();
    return source;
  }
}
