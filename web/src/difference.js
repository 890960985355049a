// SPDX-License-Identifier: MIT
// Does a changed scene differ in what can be moved while it sounds, and in nothing else?  Then it is
// moved there, and nothing clicks.  Anything in doubt is built anew.
import JSON5 from 'json5';

// Keys of objects and contacts, and the controls that they are.  A bow's force and speed are the player's.
const MOVABLE = { gap: 'gap', stiffness: 'stiffness', linear: 'stiffness', loss: 'loss', position: 'position' };

function parse(text) {
  try {
    return JSON5.parse(text);
  } catch {
    return null;
  }
}

function differences(a, b, path, found) {
  if (a === b) return;
  const both = a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b);
  if (!both) {
    found.push(path);
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) differences(a[key], b[key], [...path, key], found);
}

// Where "$name" is used, by path; null where it is used in a way that is not plain.
function uses(value, name, path = []) {
  if (typeof value === 'string') return value === `$${name}` ? [path] : value.includes(`$${name}`) ? [null] : [];
  if (!value || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => uses(inner, name, [...path, key]));
}

function partOf(scene, path) {
  const [list, index, key] = path ?? [];
  if (path?.length !== 3 || !MOVABLE[key] || (list !== 'objects' && list !== 'contacts')) return null;
  const part = scene[list]?.[index];
  const name = list === 'objects' ? index : part?.name;
  const plain = part && !('repeat' in part) && ('law' in part ? part.law !== 'bow' && (key !== 'loss' || part.law === 'collision') : key === 'position');
  return name && plain ? { kind: list === 'objects' ? 'object' : 'contact', name, control: MOVABLE[key], key } : null;
}

/** What has to be moved to come from one text to the other; null: it has to be built anew. */
export function movesBetween(before, after) {
  const old = parse(before), scene = parse(after);
  if (!old || !scene || scene.include || old.include) return null;
  const paths = [];
  differences(old, scene, [], paths);
  const places = paths.flatMap((path) => (path[0] === 'parameters' && path.length === 2
    && typeof scene.parameters?.[path[1]] === 'number' && typeof old.parameters?.[path[1]] === 'number' ? uses(scene, path[1]) : [path]));
  const parts = places.map((path) => partOf(scene, path));
  return parts.every(Boolean) ? parts : null;
}
