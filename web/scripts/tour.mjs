// SPDX-License-Identifier: MIT
// The steps of the tour, from the tutorial of the manual: titles, words, scenes.
import { readFile } from 'node:fs/promises';

// What speaks of the command has no place in a page.
const speaksOfTheCommand = (text) => /jawari |`--|\.(csv|svg|h5)|`info`|closing table|spectrogram\.|panel/.test(text);

function step(section) {
  const [head, ...rest] = section.split('\n'), body = rest.join('\n');
  const scene = /```json \S+\n([\s\S]*?)```/.exec(body);
  if (!scene) return null;
  const words = body.replace(/```[\s\S]*?```/g, '').split(/\n\s*\n/).map((text) => text.replace(/\s+/g, ' ').replace(/\*\*/g, '').trim());
  return { title: head.replace(/^\d+\. /, ''), text: words.filter((text) => text && !speaksOfTheCommand(text)), scene: scene[1] };
}

export async function tour() {
  const text = await readFile(new URL('../../docs/tutorial.md', import.meta.url), 'utf8');
  const steps = text.split(/^## (?=\d)/m).slice(1).map((section) => step(section.split(/^## /m)[0])).filter(Boolean);
  if (steps.length !== 7) throw new Error(`docs/tutorial.md has ${steps.length} steps, not 7`);
  return steps;
}
