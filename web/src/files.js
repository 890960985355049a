// SPDX-License-Identifier: MIT
// Where the module, the worklet and the worker are: beside the page, or inside it when the page is
// one file.  Of a page from file:// only data: URLs may run in a worklet.
import { inside, scenes, wasm, worklet, worker } from 'virtual:files';

const asUrl = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

export const workletUrl = () => (inside ? asUrl(worklet) : new URL(worklet, document.baseURI).href);
export const workerUrl = () => (inside ? asUrl(worker) : new URL(worker, document.baseURI).href);

function unfolded(letters) {
  const packed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
}
const answer = (what) => (inside ? unfolded(what) : fetch(what));

let loading = null, reading = null;
/** The WebAssembly module, once. */
export function loadModule() {
  loading ??= Promise.resolve(answer(wasm)).then((found) => found.arrayBuffer()).then((found) => WebAssembly.compile(found));
  return loading;
}

/** Built-in scenes and the schema of their format, once. */
export function loadLibrary() {
  reading ??= Promise.resolve(answer(scenes)).then((found) => found.json());
  return reading;
}

/** The texts of built-in scenes by their names: what a scene may include. */
export const loadFiles = async () => Object.fromEntries((await loadLibrary()).scenes.map(({ name, text }) => [name, text]));

// The page as it was before anything was put into it, to be handed on as one file.
// Spaces after the end of the body would come into it, one more with every copy.
const untouched = inside ? `<!doctype html>\n${document.documentElement.outerHTML.replace(/\s*<\/body>\s*<\/html>$/, '\n</body>\n</html>')}\n` : null;

/** This page as one file that opens with a scene. */
export async function singleFile(scene) {
  const page = untouched ?? await (await fetch('jawari.html')).text();
  const given = JSON.stringify(scene).replace(/</g, '\\u003c');
  const place = /(<script type="application\/json" id="given-scene">)[^<]*(<\/script>)/;
  if (!place.test(page)) throw new Error('the page has no place for a scene');
  return page.replace(place, (whole, before, after) => before + given + after);
}
