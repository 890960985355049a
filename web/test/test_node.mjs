// SPDX-License-Identifier: MIT
// The package in node, against the native program: node test_node.mjs JAWARI PACKAGE-FOLDER
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Report, must } from './browser.mjs';
import { EVENTS, PLAYED, TEN, hash, interleave, isSilent, midiFile, native, samplesOf } from './native.mjs';
import { ball, bounce, flatString, impact, lossyImpact, oscillator, pair } from '../src/exact.js';
import { pack, unpack } from '../src/share.js';

const [program, folder] = process.argv.slice(2);
const { HANDS, LIMITS, Scene, SceneError, check, load, render, scenes, schema, wav } = await import(pathToFileURL(`${folder}/index.js`));
const report = new Report();
const module = await load();

await report.claim('the module asks for nothing', () => {
  must(WebAssembly.Module.imports(module).length === 0, 'it has imports');
});

await report.claim('the worklet in the package is one file, which imports nothing', async () => {
  must(!/^import /m.test(await readFile(`${folder}/worklet.js`, 'utf8')), 'an import');
});

for (const [what, names, seconds, options] of [['ten scenes', TEN, 0.3, {}], ['ten scenes with a MIDI file', PLAYED, 0.4, { midi: midiFile() }],
  ['ten scenes with a list of messages', PLAYED, 0.4, { midi: EVENTS }]]) {
  await report.claim(`${what} have the samples of the native program`, async () => {
    let heard = 0;
    for (const name of names) {
      const made = await render(name, seconds, options);
      const there = native(program, name, seconds, options.midi && { midi: midiFile() });
      must(hash(interleave(made.channels)) === hash(there), `${name} differs`);
      heard += !isSilent(there);
    }
    must(heard === 10, `only ${heard} of them sound`);
  });
}

await report.claim('a scene includes built-in scenes and given ones, and no others', async () => {
  must(hash(interleave((await render('tromba-loud', 0.2)).channels)) === hash(native(program, 'tromba-loud', 0.2)), 'tromba-loud differs');
  const user = { jawari: 1, include: { file: 'ball.json' }, pickups: [{ at: 'mass' }] };
  const ball = JSON.stringify({ jawari: 1, objects: { mass: { kind: 'mass', mass: 1e-3, frequency: 200, velocity: 1 } } });
  const missing = await render(user, 0.1).catch((thrown) => thrown);
  must(missing instanceof SceneError && /ball/.test(missing.message), `it gave ${missing}`);
  const { channels } = await render(user, 0.1, { files: { ball } });
  must(channels[0].some((sample) => sample !== 0), 'it is silent');
});

await report.claim('the library is what the program has', async () => {
  const listed = execFileSync(program, ['scenes', '--names'], { encoding: 'utf8' }).trim().split('\n');
  must((await scenes()).map((scene) => scene.name).sort().join() === listed.sort().join(), 'other names');
  must((await schema()).$schema !== undefined, 'no schema');
});

await report.claim('what its README shows for node runs', async () => {
  const shown = [...(await readFile(`${folder}/README.md`, 'utf8')).matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code).filter((code) => !code.includes('button'));
  must(shown.length === 2, `${shown.length} examples`);
  const place = await mkdtemp(join(tmpdir(), 'jawari-readme-'));
  try {
    await mkdir(join(place, 'node_modules'));
    await symlink(resolve(folder), join(place, 'node_modules', 'jawari'));
    for (const [index, code] of shown.entries()) {
      await writeFile(join(place, `${index}.mjs`), code);
      execFileSync(process.execPath, [`${index}.mjs`], { cwd: place, stdio: 'pipe' });
    }
    must((await readFile(join(place, 'guitar.wav'))).length > 7e5, 'no guitar.wav of two seconds');
  } finally {
    await rm(place, { recursive: true });
  }
});

await report.claim('a WAV file has the samples', async () => {
  const made = await render('piano-c4', 0.1);
  must(hash(samplesOf(Buffer.from(wav(made)))) === hash(interleave(made.channels)), 'they differ');
});

await report.claim('what is wrong in a scene is said with its place', async () => {
  const line = '  "objects": { "ä": { "kind": "sting" } } }';
  const [first] = await check(`{ "jawari": 1,\n${line}`);
  must(first.line === 2 && first.column === line.indexOf('"sting"') + 1 && first.length === 7 && /string/.test(first.message), JSON.stringify(first));
  must((await check('tromba')).filter((one) => !one.warning).length === 0, 'tromba has errors');
});

await report.claim('what is beyond the limits is refused before memory is taken', async () => {
  const plate = { jawari: 1, objects: { p: { kind: 'plate', size: [20, 20], thickness: 1e-3 } }, pickups: [{ at: 'p@0.5,0.5' }] };
  const before = process.memoryUsage().rss;
  const error = await render(plate, 0.1).catch((thrown) => thrown);
  must(error instanceof SceneError, `it gave ${error}`);
  must(/more than|at most/.test(error.message), error.message);
  must(process.memoryUsage().rss - before < LIMITS.bytes, 'memory was taken');
  const long = await render(`{"jawari":1}${' '.repeat(LIMITS.text)}`, 0.1).catch((thrown) => thrown);
  must(long instanceof SceneError && /letters/.test(long.message), `it gave ${long}`);
  return error.message;
});

await report.claim('bad calls are told so', async () => {
  for (const [call, words] of [[() => render('no-such-scene', 1), /no built-in scene/], [() => render(7, 1), /a scene is/], [() => render('guitar', -1), /cannot be rendered/],
    [() => render('guitar', 1, { midi: [[1, [0x90, 60, 1]], [0, [0x80, 60, 1]]] }), /event 1/], [() => render('guitar', 1, { midi: Uint8Array.of(1, 2, 3) }), /midi/]]) {
    const error = await call().catch((thrown) => thrown);
    must(error instanceof Error && words.test(error.message), `it gave ${error}`);
  }
});

// ---------------------------------------------------------------- hands

const RATE_OF_HANDS = 48000;

async function inHand(name, hands) {
  const { text } = (await scenes()).find((scene) => scene.name === name);
  const scene = new Scene(module, text, { hands, ledger: true, rate: RATE_OF_HANDS, gain: 1, limits: { operations: 1e9 } });
  const hand = scene.description.hands.find((one) => scene.description.objects[one.object - 1].kind === 'string');
  const run = (seconds) => {
    const out = new Float32Array(Math.round(seconds * RATE_OF_HANDS / 480) * 480);
    for (let at = 0; at < out.length; at += 480) {
      must(scene.run(480), 'the state stopped being finite');
      out.set(scene.channel(0, 480), at);
    }
    return out;
  };
  return { scene, hand, run, string: scene.description.objects[hand.object - 1], residual: () => scene.look().at(-1) };
}

// The lag near a frequency at which a sound is most like itself, as a frequency; and how alike.
function pitchNear(sound, frequency) {
  let best = -1, at = 0;
  for (let lag = Math.floor(RATE_OF_HANDS / frequency / 1.12); lag <= RATE_OF_HANDS / frequency * 1.12; lag++) {
    let both = 0, a = 0, b = 0;
    for (let i = 0; i + lag < sound.length; i++) both += sound[i] * sound[i + lag], a += sound[i] ** 2, b += sound[i + lag] ** 2;
    if (both / Math.sqrt(a * b) > best) best = both / Math.sqrt(a * b), at = lag;
  }
  return [RATE_OF_HANDS / at, best];
}

const loudness = (sound) => Math.sqrt(sound.reduce((sum, value) => sum + value * value, 0) / sound.length);

await report.claim('a string without a bow can be bowed, and sounds as long as it is', async () => {
  for (const name of ['guitar', 'slap-bass', 'shamisen', 'glide', 'tanpura']) {
    const { scene, hand, run, string, residual } = await inHand(name, HANDS.pluck + HANDS.bow);
    must(hand.bow > 0 && !hand.finger, `${name}: ${JSON.stringify(hand)}`);
    const impedance = Math.sqrt(string.tension * string.mass / (string.length || 1));
    run(0.2);
    for (const [control, value] of [['speed', 0.2], ['force', 0.33 * impedance]]) must(scene.move('contact', hand.bow, control, value, 0.04), `${name} refuses ${control}`);
    run(0.8);
    const early = run(0.3);
    run(1);
    const late = run(0.3), [heard, alike] = pitchNear(late.subarray(0, 6000), string.fundamental);
    must(loudness(late) > 0.5 * loudness(early) && loudness(late) > 1e-3, `${name} fades: ${loudness(early)} to ${loudness(late)}`);
    must(Math.abs(heard / string.fundamental - 1) < 0.05 && alike > 0.9, `${name}: ${heard} Hz (${alike}) instead of ${string.fundamental}`);
    must(residual() < 1e-11, `${name}: the ledger is open by ${residual()}`);
  }
});

await report.claim('a finger on a string shortens it', async () => {
  for (const name of ['slap-bass', 'shamisen', 'glide', 'piano-c4']) {
    const { scene, hand, run, string, residual } = await inHand(name, HANDS.pluck + HANDS.press);
    must(hand.finger > 0 && hand.touch > 0 && !hand.bow, `${name}: ${JSON.stringify(hand)}`);
    must(scene.move('contact', hand.touch, 'x', 0.4) && scene.move('object', hand.finger, 'position', hand.pressed, 0.03), `${name} refuses`);
    run(0.4);
    const shown = scene.look()[scene.description.places + 7 * (hand.touch - 1) + 5];
    must(Math.abs(shown - 0.4) < 1e-6, `${name}: the finger is shown at ${shown}`);
    scene.move('exciter', hand.exciter, 'x', 0.8);
    scene.trigger(hand.exciter, 0.5);
    run(0.1);
    // What is left is 0.6 of the length; the finger yields, stretches the string a little, and stands on either side of its place
    const wanted = string.fundamental / 0.6, [heard, alike] = pitchNear(run(0.2).subarray(0, 6000), wanted);
    must(Math.abs(heard / wanted - 1) < 0.06 && alike > 0.9, `${name}: ${heard} Hz (${alike}) instead of ${wanted}`);
    must(residual() < 1e-11, `${name}: the ledger is open by ${residual()}`);
  }
});

await report.claim('hands that do nothing are not heard', async () => {
  for (const name of ['slap-bass', 'tromba', 'two-strings']) {
    const sounds = [];
    for (const hands of [HANDS.pluck, HANDS.pluck + HANDS.bow + HANDS.press]) {
      const { scene, hand, run } = await inHand(name, hands);
      scene.trigger(hand.exciter, 1);
      sounds.push(run(0.3));
    }
    const apart = Math.max(...sounds[0].map((value, i) => Math.abs(value - sounds[1][i]))), peak = Math.max(...sounds[0].map(Math.abs));
    must(peak > 0 && apart <= 1e-6 * peak, `${name}: ${apart} of ${peak}`);
  }
});

await report.claim('forces on all strings of a piano cost next to nothing and change no bit', async () => {
  const { text } = (await scenes()).find((scene) => scene.name === 'piano');
  const [without, hands] = [false, true].map((wanted) => {
    const scene = new Scene(module, text, { hands: wanted, gain: 1 });
    scene.song(EVENTS);
    const begin = process.cpuUsage(), { channels } = scene.render(4410);
    return { sound: hash(interleave(channels)), cost: process.cpuUsage(begin).user, count: scene.description.hands.length };
  });
  must(hands.count === 226, `${hands.count} hands`);
  must(without.sound === hands.sound, 'it sounds otherwise');
  // The general way, which forces on strings once led to, took a hundred times as long
  must(hands.cost < 5 * without.cost, `${hands.cost} us instead of ${without.cost}`);
});

await report.claim('controls, hands and looks work block by block', async () => {
  const { text } = (await scenes()).find((scene) => scene.name === 'tromba');
  const scene = new Scene(module, text, { hands: true, ledger: true, rate: 48000, gain: 1 });
  const gap = scene.description.controls.findIndex((control) => control.name === 'rattle.gap');
  must(scene.set(gap, 0) && !scene.set(gap, 1), 'the gap is moved within its range and not beyond');
  const string = scene.description.objects.find((object) => object.name === 'string');
  must(scene.trigger(scene.description.hands[0].exciter, 1), 'the hand is refused');
  for (let i = 0; i < 20; i++) must(scene.run(256), 'not finite');
  must(Math.abs(scene.get(gap)) < 1e-12, `the gap is at ${scene.get(gap)}`);
  const row = scene.look(), shape = row.slice(string.at, string.at + string.across);
  must(row.length === scene.description.row && Math.max(...shape.map(Math.abs)) > 1e-5, 'the string is still');
  must(shape[0] === 0 && shape[shape.length - 1] === 0, 'its ends are not');
  const residual = row[row.length - 1];
  must(residual > 0 && residual < 1e-9, `the ledger is open: ${residual}`);
});

await report.claim('a link carries a scene', async () => {
  const text = `{ "jawari": 1 } // ä ∑ ${'x'.repeat(50000)}`;
  must((await unpack(await pack(text))).text === text, 'it came back otherwise');
  must((await unpack('#scene=tromba')).name === 'tromba', 'a name');
  const bomb = await pack(' '.repeat(3 << 20));
  must(/more than/.test((await unpack(bomb).catch((error) => error)).message), `a bomb of ${bomb.length} letters unfolds`);
});

await report.claim('exact solutions agree with what is known of them', () => {
  // A linear wall: half a period of m and K
  const linear = bounce({ m: 0.01, v0: 1, K: 1e6, alpha: 1 });
  must(Math.abs(linear.duration / (Math.PI * Math.sqrt(0.01 / 1e6)) - 1) < 1e-9, 'its time');
  must(Math.abs(linear.deepest / Math.sqrt(0.01 / 1e6) - 1) < 1e-12, 'its depth');
  // Hertz: 2.9432 x/v
  const hertz = bounce({ m: 0.01, v0: 1, K: 1e6, alpha: 1.5 });
  must(Math.abs(hertz.duration / hertz.deepest - 2.9432) < 1e-3, `Hertz: ${hertz.duration / hertz.deepest}`);
  // It is a sine for a linear wall, and a number everywhere for any
  const others = [1, 1.3, 1.5, 2.2, 3].map((alpha) => bounce({ m: 0.01, v0: 1, K: 1e6, alpha }));
  for (let i = 1; i < 100; i++) {
    const t = linear.duration * i / 100;
    must(Math.abs(linear.at(t) / (linear.deepest * Math.sin(Math.PI * i / 100)) - 1) < 2e-4, `x at ${i} %: ${linear.at(t)}`);
    for (const other of others) must(Number.isFinite(other.at(t)), `x at ${i} %`);
  }
  // With little loss v_out = -v0 (1 - 2/3 mu v0); with much, -1/mu
  must(Math.abs(impact({ m: 1, v0: 1, K: 1, alpha: 1, mu: 1e-3 }).exit + 1 - 2e-3 / 3) < 1e-6, 'little loss');
  must(Math.abs(impact({ m: 1, v0: 1, K: 1, alpha: 1, mu: 50 }).exit * 50 + 1) < 1e-3, 'much loss');
  // A wall that is far away is not met: a cosine
  const free = oscillator({ m: 1, omega: 10, rest: -1, u0: -1.5, K: 1e6, alpha: 1.5 }, 1, 10);
  must(Math.abs(free[10] - (-1 - 0.5 * Math.cos(10))) < 1e-9, 'free');
  // A linear wall at the middle of the swing: half a period free, half a period stiffer
  const K = 3 * 100, half = Math.PI / 10 + Math.PI / Math.sqrt(100 + K), met = oscillator({ m: 1, omega: 10, rest: -1e-12, u0: -1, K, alpha: 1 }, half, 4);
  must(Math.abs(met[4] + 1) < 1e-4, `after a period it is at ${met[4]}`);
});

await report.claim('what is solved step by step agrees with what has a closed form', () => {
  for (const alpha of [1, 1.5, 3]) {
    for (const mu of [1e-3, 0.3, 4]) {
      const stepped = lossyImpact({ m: 0.01, v0: 1.2, K: 1e6, alpha, mu }), closed = impact({ m: 0.01, v0: 1.2, K: 1e6, alpha, mu });
      must(Math.abs(stepped.exit / closed.exit - 1) < 2e-3 && Math.abs(stepped.deepest / closed.deepest - 1) < 1e-5, `${alpha}, ${mu}: ${stepped.exit} and ${closed.exit}`);
      must(Math.abs(stepped.at(0.4 * stepped.duration)) > 0 && stepped.at(-1e-3) < 0, 'x over time');
    }
  }
  // Without loss a ball comes back as high as it was, a fall, a contact and a rise later
  const v0 = Math.sqrt(2 * 9.81 * 0.01), back = 2 * v0 / 9.81 + bounce({ m: 0.01, v0, K: 1e9, alpha: 1.5 }).duration;
  const [start, middle, end] = ball({ m: 0.01, g: 9.81, height: 0.01, K: 1e9, alpha: 1.5, mu: 0 }, back, 2);
  must(start === 0.01 && middle < 0 && Math.abs(end - 0.01) < 1e-7, `${start}, ${middle}, ${end}`);
  // Equal masses on hardly any springs exchange their velocities
  const K = 1e7, lasts = bounce({ m: 0.005, v0: 1, K, alpha: 1.5 }).duration, seconds = 1e-3 + lasts + 1e-3;
  const [first, second] = pair({ masses: [0.01, 0.01], omegas: [0.01, 0.01], rest: [1e-3, 0], velocity: 1, K, alpha: 1.5 }, seconds, 1000);
  const speed = (track) => (track[1000] - track[999]) / (seconds / 1000);
  must(Math.abs(speed(first) - 1) < 1e-4 && Math.abs(speed(second)) < 1e-4, `${speed(first)} and ${speed(second)}`);
  must(Math.abs(first[1000] - (1e-3 + 0.5 * lasts + 1e-3)) < 1e-6, 'where it is: half the contact behind, as symmetry wants');
  // A string over a barrier: a triangle, flat on the barrier for a moment, a triangle
  const string = { length: 0.5, speed: 100, height: 2e-3, gap: 1e-3 }, period = 0.005 * 1.5;
  must(flatString(string, 0.5, 0) === 2e-3 && Math.abs(flatString(string, 0.25, period) - 1e-3) < 1e-12 && Math.abs(flatString(string, 0.5, period / 2) + 1e-3) < 1e-12, 'its shape');
});

// ---------------------------------------------------------------- the worklet, driven by hand

const RATE = 48000, FRAMES = 128;
let Processor = null, clock = 0;
Object.assign(globalThis, { sampleRate: RATE, currentFrame: 0, currentTime: 0, registerProcessor: (name, made) => { Processor = made; } });
globalThis.AudioWorkletProcessor = class { constructor() { this.port = { sent: [], postMessage: (message) => this.port.sent.push(message) }; } };
Object.defineProperty(globalThis, 'performance', { value: { now: () => clock }, configurable: true });
await import(pathToFileURL(`${folder}/worklet.js`));

const builtin = await scenes();
const textOf = (name) => builtin.find((scene) => scene.name === name).text;

function start(name, options) {
  Object.assign(globalThis, { currentFrame: 0, currentTime: 0 });
  return new Processor({ processorOptions: { module, text: textOf(name), options: { rate: RATE, gain: 20, hands: true, ...options } } });
}

// Some seconds; each look at the clock takes as long as `cost` says, so that a block takes that share of its time.
function drive(processor, seconds, cost = 0) {
  const sound = [];
  globalThis.performance.now = () => { clock += cost * 1000 * FRAMES / RATE; return clock; };
  for (let i = 0; i < seconds * RATE / FRAMES; i++) {
    const out = [[new Float32Array(FRAMES), new Float32Array(FRAMES)]];
    processor.process([], out);
    sound.push(...out[0][0]);
    globalThis.currentFrame += FRAMES;
    globalThis.currentTime = globalThis.currentFrame / RATE;
  }
  return sound;
}

const loudest = (sound) => sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
const sentOf = (processor, type) => processor.port.sent.filter((message) => message.type === type);

await report.claim('a block that takes longer than it lasts ends the sound, and says so', () => {
  const processor = start('guitar', { budget: true });
  processor.port.onmessage({ data: { type: 'midi', bytes: [0x90, 52, 110], time: 0 } });
  must(loudest(drive(processor, 1, 0.3)) > 1e-3 && !sentOf(processor, 'slow-machine').length, 'it stops though there is time');
  drive(processor, 1, 1.2);
  const [said] = sentOf(processor, 'slow-machine');
  must(said && Math.abs(said.load - 1.2) < 0.3, `it said ${JSON.stringify(said)}`);
  must(loudest(drive(processor, 0.5, 1.2)) === 0, 'it goes on');
});

await report.claim('a scene that takes the place of another fades in where the other faded out', () => {
  const processor = start('guitar', {});
  processor.port.onmessage({ data: { type: 'midi', bytes: [0x90, 52, 110], time: 0 } });
  const before = drive(processor, 0.5);
  processor.port.onmessage({ data: { type: 'open', text: textOf('piano-c4'), options: { rate: RATE, gain: 1, score: true } } });
  const after = drive(processor, 0.5), both = [...before.slice(-10), ...after];
  must(sentOf(processor, 'open').length === 2, 'it was not opened');
  // A sample of the last scene at full level is 480 samples away from silence
  const silent = both.findIndex((sample, n) => n > 10 && Math.abs(sample) < loudest(before) / 480 && Math.abs(both[n + 1]) < loudest(before) / 480);
  must(silent > 0 && silent < 0.02 * RATE + FRAMES, `silence after ${silent} samples`);
  const steepest = (sound) => sound.reduce((most, sample, n) => (n ? Math.max(most, Math.abs(sample - sound[n - 1])) : 0), 0);
  // The fade adds at most a 480th of the level to what the sound itself does
  must(steepest(both.slice(0, silent + 1)) <= steepest(before) + loudest(before) / 480, 'it clicks');
  must(loudest(after.slice(-RATE / 4)) > 1e-4, 'the next scene is silent');
});

await report.claim('at rest nothing is computed, and a touch wakes it', () => {
  const processor = start('piano-c4', {});
  drive(processor, 1);
  must(processor.resting, 'it does not rest');
  const [hand] = processor.scene.description.hands;
  processor.port.onmessage({ data: { type: 'pluck', exciter: hand.exciter, x: 0.2, y: 0.5, amplitude: 1 } });
  must(loudest(drive(processor, 0.2)) > 0 && !processor.resting, 'it sleeps on');
  processor.port.onmessage({ data: { type: 'end' } });
  must(processor.process([], [[new Float32Array(FRAMES)]]) === false, 'it does not end');
});

await report.claim('what is watched has the same samples, and its messages their frames', () => {
  const play = (mode) => {
    const processor = start('guitar', { song: EVENTS });
    processor.port.onmessage({ data: { type: 'watch', mode } });
    return drive(processor, 0.4);
  };
  const plain = play('off');
  for (const mode of ['live', 'slow']) must(play(mode).every((sample, n) => sample === plain[n]), `${mode} differs`);
  must(loudest(plain) > 1e-3, 'all are silent');
});

report.end();
