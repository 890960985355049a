// SPDX-License-Identifier: MIT

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
