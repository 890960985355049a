// SPDX-License-Identifier: MIT
// What the page and the package carry beside the module: built-in scenes, in the order of
// scenes/meson.build, and the schema of their format.
import { readFile } from 'node:fs/promises';

const folder = new URL('../../scenes/', import.meta.url);
const textOf = (name) => readFile(new URL(name, folder), 'utf8');

// As scenes/embed.c finds it: on a line of its own.
const said = (text, key) => new RegExp(`^ *"${key}": "([^"]*)"`, 'm').exec(text)?.[1];

async function scene(name) {
  const text = await textOf(`${name}.json`), title = said(text, 'title');
  if (!title) throw new Error(`scenes/${name}.json has no line with its "title"`);
  return { name, group: said(text, 'group') ?? 'instruments', title, text };
}

export async function library() {
  const [, names] = /^scene_names = \[([^\]]*)\]/m.exec(await textOf('meson.build'));
  const scenes = await Promise.all([...names.matchAll(/'([\w-]+)'/g)].map(([, name]) => scene(name)));
  return { schema: JSON.parse(await textOf('jawari.schema.json')), scenes };
}
