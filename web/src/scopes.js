// SPDX-License-Identifier: MIT
// What is seen of the sound and of the energy, over the last seconds.
import { $, palette, still, surface } from './dom.js';

const TOP = 12000; // Hz

export class SoundScope {
  constructor() {
    this.bins = null;
    this.peak = -100;
  }

  draw(analyser, rate) {
    if (this.bins?.length !== analyser.frequencyBinCount) {
      this.bins = new Uint8Array(analyser.frequencyBinCount);
      this.wave = new Float32Array(analyser.fftSize);
    }
    analyser.getFloatTimeDomainData(this.wave);
    const level = 20 * Math.log10(Math.max(1e-5, this.wave.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)));
    this.peak = Math.max(level, this.peak - 0.6);
    $('level').textContent = this.peak > -95 ? `${this.peak.toFixed(0)} dB` : '';
    this.drawMeter();
    if (!still()) this.drawSpectrum(analyser, rate);
  }

  drawMeter() {
    const { context, width, height } = surface($('meter')), colour = palette();
    context.fillStyle = colour.line;
    context.fillRect(0, 0, width, height);
    context.fillStyle = this.peak > -1 ? colour.light : colour.k1;
    context.fillRect(0, 0, width * Math.min(1, Math.max(0, (this.peak + 60) / 60)), height);
  }

  // A column a frame; what was drawn moves to the left.
  drawSpectrum(analyser, rate) {
    const canvas = $('spectrum'), { context, width, height } = surface(canvas), colour = palette();
    analyser.getByteFrequencyData(this.bins);
    if (this.filled !== canvas.width) {
      context.fillStyle = colour.card;
      context.fillRect(0, 0, width, height);
      this.filled = canvas.width;
    }
    context.drawImage(canvas, canvas.width / width, 0, canvas.width - canvas.width / width, canvas.height, 0, 0, width - 1, height);
    const top = Math.min(this.bins.length, Math.round(TOP * 2 / rate * this.bins.length));
    context.fillStyle = colour.card;
    context.fillRect(width - 1, 0, 1, height);
    context.fillStyle = colour.accent;
    for (let y = 0; y < height; y++) {
      // Low pitches get more of the height: the square of it
      const share = (1 - y / height) ** 2, value = this.bins[Math.min(top - 1, Math.floor(share * top))] / 255;
      if (value > 0.02) {
        context.globalAlpha = value;
        context.fillRect(width - 1, y, 1, 1);
      }
    }
    context.globalAlpha = 1;
  }
}

export class EnergyScope {
  constructor() {
    this.rows = [];
  }

  clear() { this.rows = []; }

  /** kinetic, potential, contact, stored, lost, supplied, residual, worst residual. */
  take(numbers) {
    this.rows.push(numbers);
    if (this.rows.length > 400) this.rows.shift();
    this.worst = numbers[7];
  }

  // Above, what is stored, part upon part; below, what went in and what was lost since the left edge.
  draw() {
    const { context, width, height } = surface($('energy')), colour = palette(), { rows } = this;
    context.clearRect(0, 0, width, height);
    if (!rows.length) return;
    const x = (index) => width * (index + 400 - rows.length) / 399, split = 0.66 * height;
    const area = (from, to, y, name) => {
      context.beginPath();
      rows.forEach((row, i) => context.lineTo(x(i), y(to(row))));
      for (let i = rows.length - 1; i >= 0; i--) context.lineTo(x(i), y(from(rows[i])));
      context.fillStyle = colour[name];
      context.fill();
    };
    const most = rows.reduce((all, row) => Math.max(all, row[3]), 1e-15), stored = (value) => split - 3 - (split - 8) * value / most;
    area(() => 0, (row) => row[2], stored, 'k3');
    area((row) => row[2], (row) => row[2] + row[1], stored, 'k2');
    area((row) => row[2] + row[1], (row) => row[2] + row[1] + row[0], stored, 'k1');
    const [first] = rows, lost = (row) => row[4] - first[4], supplied = (row) => row[5] - first[5];
    const all = rows.reduce((sum, row) => Math.max(sum, lost(row), supplied(row)), 1e-15), flow = (value) => height - 2 - (height - split - 6) * value / all;
    area(() => 0, lost, flow, 'k4');
    context.beginPath();
    rows.forEach((row, i) => context.lineTo(x(i), flow(supplied(row))));
    context.strokeStyle = colour.k5;
    context.lineWidth = 1.5;
    context.stroke();
    context.fillStyle = colour.line;
    context.fillRect(0, split, width, 1);
    $('residual').textContent = `residual ${this.worst ? this.worst.toExponential(0) : 0}`;
  }
}
