// SPDX-License-Identifier: MIT
// The steps of the tour, from the tutorial of the manual: titles, words, scenes.
import { readFile } from 'node:fs/promises';

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
  return steps;
}
