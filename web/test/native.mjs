// SPDX-License-Identifier: MIT
// The native program, as the truth about samples; and songs for both.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// None of them is oversampled: a live node would answer 40 frames later than a rendering.
export const TEN = ['tromba', 'piano-c4', 'mass-barrier', 'bouncing-ball', 'two-strings', 'marbles', 'snare', 'marimba', 'piano', 'glide'];

/** Those that notes can play. */
export const PLAYED = ['tromba', 'piano-c4', 'hurdy-gurdy', 'tromba-small', 'marbles', 'snare', 'marimba', 'piano', 'gong', 'two-strings'];

/** The bytes of the samples in a WAV file. */
export function samplesOf(file) {
  let at = 12;
  while (file.toString('latin1', at, at + 4) !== 'data') at += 8 + file.readUInt32LE(at + 4) + file.readUInt32LE(at + 4) % 2;
  return file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
}

/** What `jawari render` writes, as bytes of floats. */
export function native(program, scene, seconds, { midi, options = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'jawari-web-'));
  try {
    const more = [...options];
    if (midi) {
      writeFileSync(join(folder, 'song.mid'), midi);
      more.push('--midi', join(folder, 'song.mid'));
    }
    execFileSync(program, ['render', scene, '-q', '--no-ledger', '-d', String(seconds), '-o', join(folder, 'out.wav'), ...more], { stdio: 'pipe' });
    return samplesOf(readFileSync(join(folder, 'out.wav')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Samples one after the other, as a WAV file has them. */
export function interleave(channels) {
  const all = new Float32Array(channels.length * channels[0].length);
  channels.forEach((channel, c) => channel.forEach((sample, n) => { all[n * channels.length + c] = sample; }));
  return new Uint8Array(all.buffer);
}

export const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
export const isSilent = (bytes) => bytes.every((byte) => byte === 0);

const TICK = 1 / 960; // s: 480 a quarter of half a second
// Notes, a bend, a controller, pressure: [ticks, bytes].
export const TUNE = [[0, [0x90, 48, 100]], [31, [0xb0, 1, 90]], [57, [0xe0, 0, 80]], [90, [0xd0, 70]], [121, [0x80, 48, 0]], [122, [0x90, 55, 80]], [200, [0x90, 60, 120]], [250, [0x80, 60, 0]]];
export const EVENTS = TUNE.map(([ticks, bytes]) => [ticks * TICK, bytes]);

/** The tune as a MIDI file. */
export function midiFile() {
  const delta = (ticks) => (ticks > 127 ? [128 | ticks >> 7, ticks & 127] : [ticks]);
  let last = 0;
  const track = TUNE.flatMap(([ticks, bytes]) => {
    const since = ticks - last;
    last = ticks;
    return [...delta(since), ...bytes];
  });
  track.push(0, 0xff, 0x2f, 0);
  const size = (count) => [count >> 24 & 255, count >> 16 & 255, count >> 8 & 255, count & 255];
  return Uint8Array.from([...Buffer.from('MThd'), ...size(6), 0, 0, 0, 1, 480 >> 8, 480 & 255, ...Buffer.from('MTrk'), ...size(track.length), ...track]);
}
