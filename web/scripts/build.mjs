// SPDX-License-Identifier: MIT
// Build the page twice: as files for a server, and as one file: node web/scripts/build.mjs WASM DIST
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { library } from './library.mjs';
import { joined } from './package.mjs';
import { tour } from './tour.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [wasmPath, dist] = process.argv.slice(2).map((path) => resolve(path));

const wasm = await readFile(wasmPath);
const scenes = JSON.stringify(await library());
const worklet = await joined('processor.js');
const worker = await joined('checker.js', new URL('../src/', import.meta.url));

const COMMON = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; font-src 'none';";

// What the page is told about its other files.
function files(inside) {
  const folded = (what) => gzipSync(what, { level: 9 }).toString('base64');
  const values = inside ? { inside, wasm: folded(wasm), scenes: folded(scenes), worklet, worker }
    : { inside, wasm: 'jawari.wasm', scenes: 'scenes.json', worklet: 'worklet.js', worker: 'worker.js' };
  const modules = {
    'virtual:files': async () => Object.entries(values).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join('\n'),
    'virtual:tour': async () => `export default ${JSON.stringify(await tour())};`,
  };
  return {
    name: 'jawari-files',
    resolveId: (id) => (id in modules ? `\0${id}` : null),
    load: (id) => modules[id.slice(1)]?.(),
  };
}

async function bundle(inside, outDir) {
  await build({
    root, base: './', logLevel: 'warn', configFile: false, plugins: [files(inside)],
    build: { outDir, emptyOutDir: true, target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 },
  });
}

// One file: styles and script inside of it, the script known by its hash.
async function joinPage(folder) {
  let html = await readFile(`${folder}/index.html`, 'utf8');
  const script = /<script type="module"[^>]* src="\.\/([^"]+)"><\/script>/.exec(html), style = /<link rel="stylesheet"[^>]* href="\.\/([^"]+)">/.exec(html);
  const code = (await readFile(`${folder}/${script[1]}`, 'utf8')).replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
  const css = await readFile(`${folder}/${style[1]}`, 'utf8');
  const hash = createHash('sha256').update(code).digest('base64');
  html = html.replace(script[0], '').replace(style[0], () => `<style>${css}</style>`);
  html = html.replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
  return html.replace('%CSP%', `${COMMON} script-src 'sha256-${hash}' 'wasm-unsafe-eval' data:; worker-src data:; connect-src data:`);
}

await rm(dist, { recursive: true, force: true });
await bundle(true, `${dist}/one`);
const one = await joinPage(`${dist}/one`);
await bundle(false, dist);
const page = await readFile(`${dist}/index.html`, 'utf8');
await writeFile(`${dist}/index.html`, page.replace('%CSP%', `${COMMON} script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'`));
await writeFile(`${dist}/jawari.html`, one);
await writeFile(`${dist}/worklet.js`, worklet);
await writeFile(`${dist}/worker.js`, worker);
await writeFile(`${dist}/scenes.json`, scenes);
await mkdir(dist, { recursive: true });
await cp(wasmPath, `${dist}/jawari.wasm`);
