// SPDX-License-Identifier: MIT
// The steps of the tour, from the tutorial of the manual: titles, words, scenes.
import { readFile } from 'node:fs/promises';

// What there is to do in the page, step by step.
const TRY = [
  'Click the mass to throw it. Then write `0.001` for the `loss` and press Reload: it rings ten times as long.',
  'Press Listen, and Slow motion while it bounces: the light goes on where ball and floor push each other. Then write `1e8` for the loss: it hardly comes back.',
  'Click the string near its end, then in its middle, where half of its overtones are missing. Choose Press, click the string, and pluck what is left of it.',
  'Click the string gently or pull it far, by dragging across it. Then write `-1e-4` for the stop’s `position` and press Reload: it buzzes for longer.',
  'Drag across the string near its left end, up and down, slowly and fast; or hold a key.',
  'Click the string, then the plate itself. Write `0.5` for `0.95` in the contact: from its middle, the string gives the body other partials.',
  'Drag across the string to bow it. The scene `tromba` in the gallery has the same instrument with two real feet, and sliders for its gap and its bow.',
];

// What speaks of the command has no place in a page.
const speaksOfTheCommand = (text) => /jawari |`--|\.(csv|svg|h5)|`info`|closing table|spectrogram|panel|compute finer|these commands/i.test(text);
const sentences = (text) => text.split(/(?<=[.:!?]) (?=[A-Z`])/);

// A paragraph that begins with the command goes on about it.
function forThePage(text) {
  const said = sentences(text);
  return speaksOfTheCommand(said[0]) ? '' : said.filter((one) => !speaksOfTheCommand(one)).join(' ');
}

function step(section) {
  const [head, ...rest] = section.split('\n'), body = rest.join('\n');
  const scene = /```json \S+\n([\s\S]*?)```/.exec(body);
  if (!scene) return null;
  const words = body.replace(/```[\s\S]*?```/g, '').split(/\n\s*\n/).map((text) => text.replace(/\s+/g, ' ').replace(/\*\*/g, '').trim());
  return { title: head.replace(/^\d+\. /, ''), text: words.map(forThePage).filter(Boolean), scene: scene[1] };
}

export async function tour() {
  const text = await readFile(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
  const steps = text.split(/^## (?=\d)/m).slice(1).map((section) => step(section.split(/^## /m)[0])).filter(Boolean);
  if (steps.length !== 7) throw new Error(`docs/tutorial.md has ${steps.length} steps, not 7`);
  return steps.map((one, index) => ({ ...one, attempt: TRY[index] }));
}
