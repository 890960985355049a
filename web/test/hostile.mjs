// SPDX-License-Identifier: MIT
// Scenes that nobody should play: too large, too deep, too long, not JSON, beyond every range.

const scene = (parts) => JSON.stringify({ jawari: 1, pickups: [{ at: 'a' }], ...parts });
const one = (object, more = {}) => scene({ objects: { a: object }, ...more });
const string = { kind: 'string', length: 0.6, radius: 3e-4, frequency: 110 };
const mass = { kind: 'mass', mass: 1e-3, frequency: 100 };
const many = (count, make) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, make(i)]));

function tooLarge() {
  const found = [];
  for (const length of [1e3, 1e4, 1e5, 1e300, 4294967296]) found.push([`a string of ${length} m`, one({ ...string, length, frequency: 1e-3 })]);
  for (const points of [2e6, 4294967295, 4294967296, 1e18]) found.push([`a string of ${points} points`, one({ ...string, points })]);
  for (const size of [20, 100, 1000, 9999, 65536]) found.push([`a plate of ${size} m`, one({ kind: 'plate', size: [size, size], thickness: 1e-3 })]);
  for (const points of [[65536, 65536], [100000, 100000], [46341, 46341], [1e9, 2]]) found.push([`a plate of ${points} points`, one({ kind: 'plate', points })]);
  for (const modes of [200000, 4294967295]) found.push([`${modes} modes`, one({ ...string, method: 'modes', modes })]);
  for (const rate of [1e8, 1e9, 1e300, 0, -1]) found.push([`a rate of ${rate}, with a plate`, one({ kind: 'plate', size: [8, 8], thickness: 1e-4 }, { world: { sample_rate: rate }, oversample: 64 })]);
  for (const count of [2000, 9000]) found.push([`${count} objects`, scene({ objects: many(count, () => mass), pickups: [{ at: 'o0' }] })]);
  for (const oversample of [65, 1e6, 4294967297]) found.push([`${oversample} times the rate`, one(mass, { oversample })]);
  for (const duration of [1e6, 1e308, -1]) found.push([`${duration} s`, one(mass, { duration })]);
  return found;
}

function repeated() {
  const found = [];
  for (const count of [20000, 1e6, 1e9, 4294967296]) found.push([`a repeat of ${count}`, scene({ objects: { 'm$i': { ...mass, repeat: { i: { from: 0, to: 1, count } } } }, pickups: [{ at: 'm0' }] })]);
  const range = { from: 0, to: 1, count: 1000 };
  found.push(['a repeat of repeats', scene({ objects: { 'm$a-$b-$c': { ...mass, repeat: [{ a: range }, { b: range }, { c: range }] } } })]);
  for (const count of [5000, 20000]) found.push([`${count} contacts`, scene({ objects: { a: mass, b: mass }, contacts: Array.from({ length: count }, () => ({ law: 'spring', between: ['a', 'b'], linear: 1 })) })]);
  for (const count of [5000, 20000]) found.push([`${count} events`, one(mass, { score: Array.from({ length: count }, (_, i) => ({ at: i, throw: 'a', velocity: 1 })) })]);
  found.push(['a curve of 70000 points', one({ ...mass, position: Array.from({ length: 70000 }, (_, i) => [i, 0]) })]);
  found.push(['100 pickups', one(mass, { pickups: Array.from({ length: 100 }, () => ({ at: 'a' })) })]);
  return found;
}

function broken() {
  const found = [];
  for (const depth of [100, 1000, 100000, 400000]) found.push([`${depth} lists inside each other`, '['.repeat(depth)], [`${depth} objects inside each other`, '{"a":'.repeat(depth)]);
  for (const text of ['', ' ', '{', '}', '[]', 'null', '1', '"x"', '\u0000', '{"jawari":1', '{"jawari":2}', '{"jawari":1,"jawari":1}', '\ufeff{', '{"jawari":1}}', '/*', '//', '{"a":"\ud800"}', '<script>owned=1</script>', '{"jawari":1,"objects":{"<img src=x onerror=owned=1>":{"kind":"<b>"}}}']) {
    found.push([`the text ${JSON.stringify(text)}`, text]);
  }
  for (const number of ['1e999', '-1e999', 'NaN', 'Infinity', '0x10', '01', '1.', '.5.', '--1', '1e', '9'.repeat(400)]) found.push([`the number ${number.slice(0, 20)}`, `{"jawari":1,"objects":{"a":{"kind":"mass","mass":${number}}}}`]);
  for (const size of [1 << 20, 1 << 21, 1 << 23]) found.push([`a text of ${size} bytes`, `{"jawari":1,"title":"${'x'.repeat(size)}"}`]);
  found.push(['a hundred thousand keys', `{${Array.from({ length: 60000 }, (_, i) => `"k${i}":0`).join(',')}}`]);
  return found;
}

function wrong() {
  const found = [];
  for (const file of ['../../etc/passwd', '/etc/passwd', 'http://localhost/x.json', 'tromba.json\u0000', 'no-such-scene.json']) found.push([`it includes ${JSON.stringify(file)}`, JSON.stringify({ jawari: 1, include: { x: { file } } })]);
  for (const [key, value] of [['mass', -1], ['mass', 0], ['mass', 1e300], ['frequency', 1e9], ['position', 1e9], ['velocity', 1e9], ['loss', -1], ['gravity', 1e9]]) found.push([`a mass with ${key} ${value}`, one({ ...mass, [key]: value })]);
  for (const [key, value] of [['stiffness', 1e300], ['stiffness', -1], ['exponent', 100], ['exponent', 0.1], ['loss', -1], ['gap', 1e300], ['rule', 'none']]) {
    found.push([`a contact with ${key} ${value}`, scene({ objects: { a: mass, b: mass }, contacts: [{ law: 'collision', below: 'a', above: 'b', stiffness: 1e6, [key]: value }] })]);
  }
  for (const at of ['b', 'a@2', 'a@-1', 'a@0.5,0.5', 'a@', '@', '', 'a'.repeat(1e5)]) found.push([`a pickup at ${at.slice(0, 20)}`, one(string, { pickups: [{ at }] })]);
  found.push(['a parameter that is itself', one({ ...mass, mass: '$x' }, { parameters: { x: '$x' } })]);
  found.push(['a string too stiff for its rate', one({ ...string, points: 9000 })]);
  return found;
}

/** Names and texts. */
export const hostileScenes = () => [...tooLarge(), ...repeated(), ...broken(), ...wrong()];
