// SPDX-License-Identifier: MIT
// Where the module, the worklet and the worker are: beside the page, or inside it when the page is
// one file.  Of a page from file:// only data: URLs may run in a worklet.
import { inside, wasm, worklet, worker } from 'virtual:files';

const asUrl = (text) => `data:text/javascript,${encodeURIComponent(text)}`;

export const workletUrl = () => (inside ? asUrl(worklet) : new URL(worklet, document.baseURI).href);
export const workerUrl = () => (inside ? asUrl(worker) : new URL(worker, document.baseURI).href);

async function bytes() {
  if (!inside) return (await fetch(wasm)).arrayBuffer();
  const packed = Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

let loading = null;
/** The WebAssembly module, once. */
export function loadModule() {
  loading ??= bytes().then((found) => WebAssembly.compile(found));
  return loading;
}

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
