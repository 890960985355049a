// SPDX-License-Identifier: MIT
// Put the npm package together: node web/scripts/package.mjs WASM FOLDER
// The worklet is one file, because a bundler sees no imports inside of worklets.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { library } from './library.mjs';

const source = new URL('../package/', import.meta.url);

/** A module and core.js, which it imports, as one text. */
export async function joined(name, folder = source) {
  const [core, module] = await Promise.all(['./core.js', name].map((file) => readFile(new URL(file, file === name ? folder : source), 'utf8')));
  const without = module.replace(/^import .* from '.*core\.js';\n/m, '');
  if (without === module) throw new Error(`${name} does not import core.js`);
  return core.replace(/^export /gm, '') + without;
}

export async function makePackage(wasm, folder) {
  await mkdir(folder, { recursive: true });
  const copies = ['index.js', 'index.d.ts', 'core.js', 'live.js', 'wav.js', 'package.json', 'README.md'].map((name) => [new URL(name, source), name]);
  copies.push([wasm, 'jawari.wasm'], [new URL('../../LICENSE', source), 'LICENSE']);
  for (const [from, name] of copies) await copyFile(from, `${folder}/${name}`);
  await writeFile(`${folder}/worklet.js`, await joined('processor.js'));
  await writeFile(`${folder}/scenes.json`, JSON.stringify(await library()));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [wasm, folder] = process.argv.slice(2);
  await makePackage(wasm, folder);
}
