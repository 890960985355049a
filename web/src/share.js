// SPDX-License-Identifier: MIT
// A scene in a link: deflated, in the letters of a URL, after the #, which is sent to no server.
export const MOST = 1 << 20; // Bytes of a scene that a link may unfold to

const toLetters = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

function fromLetters(letters) {
  return Uint8Array.from(atob(letters.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
}

async function gather(stream, most) {
  const parts = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`the link unfolds to more than ${most} bytes`);
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/** The fragment of a scene's text. */
export async function pack(text) {
  const bytes = await gather(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  let letters = '';
  for (let at = 0; at < bytes.length; at += 3 << 12) letters += toLetters(bytes.subarray(at, at + (3 << 12)));
  return `#s=${letters}`;
}

/** What a fragment says: a text, the name of a built-in scene, or nothing. */
export async function unpack(fragment) {
  const named = /^#scene=([\w-]{1,64})$/.exec(fragment);
  if (named) return { name: named[1] };
  const packed = /^#s=([\w-]+)$/.exec(fragment);
  if (!packed) return {};
  const stream = new Blob([fromLetters(packed[1])]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return { text: new TextDecoder('utf-8', { fatal: true }).decode(await gather(stream, MOST)) };
}
