// SPDX-License-Identifier: MIT
// The worker that opens scenes before the audio thread sees them, and renders.  Whoever started it
// ends it when it takes too long.
import { CONTACT_NUMBERS, Scene, SceneError, includes } from '../package/core.js';

let module = null, files = {};

const open = (text, options) => new Scene(module, text, { ...options, files: includes(text) ? files : {} });

function failure(error) {
  const diagnostics = error instanceof SceneError ? error.diagnostics : [];
  return { ok: false, status: error.status ?? 'failed', error: error.message, diagnostics };
}

// How much of the time there is it takes, with notes: the least of some stretches, since the machine does other things too.
function loadOf(scene, rate) {
  for (const key of [48, 60]) scene.message(0, [0x90, key, 100]);
  let least = Infinity;
  for (let stretch = 0; stretch < 5; stretch++) {
    const begin = performance.now();
    let frames = 0;
    while (frames < rate / 40 || performance.now() - begin < 5) {
      scene.run(512);
      frames += 512;
    }
    least = Math.min(least, (performance.now() - begin) / 1000 * rate / frames);
  }
  return least;
}

const tasks = {
  start({ module: given, files: known }) {
    files = known;
    module = given instanceof WebAssembly.Module ? given : new WebAssembly.Module(given);
    return { ok: true };
  },

  /** Is it a scene, within the limits, and what does it come out as? */
  check({ text, options }) {
    const given = { ...options, warn: true, trial: false };
    try {
      return { ok: true, scored: Boolean(options.score), description: open(text, given).description };
    } catch (error) {
      // A good scene that notes cannot play has a score at least
      if (options.score || !(error instanceof SceneError) || error.diagnostics.length) throw error;
      return { ok: true, scored: true, description: open(text, { ...given, score: true }).description };
    }
  },

  /** How heavy it is; and how loud, unless it is too heavy to be played live: trying that would take its time. */
  weigh({ text, options, heavy }) {
    const scene = open(text, { ...options, trial: false });
    const load = loadOf(scene, scene.description.rate);
    if (load > heavy) return { ok: true, gain: 1, load };
    scene.close();
    return { ok: true, gain: open(text, { ...options, trial: true }).description.gain, load };
  },

  /** Where moved things are in a scene, as its text has them. */
  where({ text, options, moves }) {
    const scene = open(text, { ...options, trial: false });
    return { ok: true, values: moves.map(({ kind, id, control }) => scene.where(kind, id, control)) };
  },

  render({ text, seconds, options }) {
    const scene = open(text, { score: true, ...options });
    const { rate, duration } = scene.description;
    return { ok: true, rate, ...scene.render(Math.floor((seconds ?? duration) * rate + 0.5)) };
  },

  /** Numbers of an experiment: after each frame the displacements of places (number of the object, from 0, and x), and the energies. */
  trace({ text, frames, places: wanted = [[0, 0]] }) {
    const scene = open(text, { score: true, gain: 1, ledger: true });
    const { objects, places, contacts, rate } = scene.description, energy = places + CONTACT_NUMBERS * contacts.length;
    const tracks = wanted.map(() => new Float64Array(frames + 1)), residual = new Float64Array(frames + 1);
    const parts = [0, 1, 2].map(() => new Float64Array(frames + 1)); // Kinetic, potential, contact
    for (let n = 0; n <= frames; n++) {
      if (n) scene.run(1);
      wanted.forEach(([index, x], i) => { tracks[i][n] = scene.probe(objects[index].id, x); });
      const row = scene.look();
      residual[n] = n ? row[energy + 6] : 0;
      parts.forEach((part, i) => { part[n] = row[energy + i]; });
    }
    return { ok: true, u: tracks[0], tracks, parts, residual, rate };
  },
};

onmessage = ({ data }) => {
  postMessage({ id: data.id, began: true });
  try {
    postMessage({ id: data.id, ...tasks[data.type](data) });
  } catch (error) {
    postMessage({ id: data.id, ...failure(error) });
  }
};
