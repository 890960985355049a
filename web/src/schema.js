// SPDX-License-Identifier: MIT
// What the schema says about a place in a scene: for completion and for hovering.
import { syntaxTree } from '@codemirror/language';

const plain = (text) => text.replace(/^["']|["']$/g, '');

// The objects and lists around a position, from the outside: keys and indexes, with the keys beside them.
export function pathAt(state, position) {
  const steps = [];
  for (let node = syntaxTree(state).resolveInner(position, -1); node; node = node.parent) {
    if (node.name === 'Property') {
      const name = node.getChild('PropertyName');
      if (name) steps.unshift({ key: plain(state.sliceDoc(name.from, name.to)), node, name });
    } else if (node.name === 'Object') steps.unshift({ object: node, beside: besides(state, node) });
    else if (node.name === 'Array') steps.unshift({ list: node });
  }
  return steps;
}

function besides(state, object) {
  const found = {};
  for (const property of object.getChildren('Property')) {
    const name = property.getChild('PropertyName');
    if (name) found[plain(state.sliceDoc(name.from, name.to))] = plain(state.sliceDoc(name.nextSibling?.from ?? name.to, property.to).replace(/^\s*:\s*/, ''));
  }
  return found;
}

export class Schema {
  constructor(schema) {
    this.schema = schema;
  }

  // References followed, alternatives laid out side by side.
  unfold(node) {
    if (!node || typeof node !== 'object') return [];
    if (node.$ref) return this.unfold(node.$ref.split('/').slice(1).reduce((inner, key) => inner?.[key], this.schema));
    return [node, ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((one) => this.unfold(one))];
  }

  // Of several kinds of object, those that what stands there already leaves possible.
  fitting(nodes, beside) {
    const objects = nodes.filter((node) => node.properties);
    const fits = objects.filter((node) => Object.entries(beside).every(([key, value]) => {
      const wanted = node.properties[key];
      return wanted && (wanted.const === undefined || typeof wanted.const !== 'string' || wanted.const === value);
    }));
    const told = objects.filter((node) => ['kind', 'law'].every((key) => !(key in beside) || node.properties[key]?.const === beside[key]));
    const others = nodes.filter((node) => !node.properties);
    return [...(fits.length ? fits : told.length ? told : objects), ...others];
  }

  /** The nodes of the schema for a path. */
  at(path) {
    let nodes = this.unfold({ $ref: this.schema.$ref });
    for (const step of path) {
      if (step.object) nodes = this.fitting(nodes, step.beside);
      else if (step.list) nodes = nodes.flatMap((node) => this.unfold(node.items));
      else nodes = nodes.flatMap((node) => this.unfold(node.properties?.[step.key] ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : null)));
    }
    return nodes;
  }

  describe(nodes) {
    const said = nodes.find((node) => node.description)?.description ?? '';
    const number = nodes.find((node) => node.minimum !== undefined || node.maximum !== undefined);
    const range = number ? `${number.minimum} to ${number.maximum}` : '';
    const choices = this.choices(nodes).join(', ');
    return [said, range, choices].filter(Boolean);
  }

  choices(nodes) { return [...new Set(nodes.flatMap((node) => node.enum ?? (typeof node.const === 'string' ? [node.const] : [])))]; }
}

/** Completion: keys of an object, or the words that a value may be. */
export function completeFrom(schema) {
  return (context) => {
    const word = context.matchBefore(/["']?[\w$-]*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const path = pathAt(context.state, context.pos), last = path[path.length - 1];
    const before = context.state.sliceDoc(context.state.doc.lineAt(context.pos).from, word.from);
    const inValue = last?.key !== undefined && /:\s*$/.test(before);
    if (inValue) {
      const options = schema.choices(schema.at(path)).map((choice) => ({ label: `"${choice}"`, type: 'enum' }));
      return options.length ? { from: word.from, to: closing(context), options } : null;
    }
    const inside = last?.object ? path : path.slice(0, path.findLastIndex((step) => step.object) + 1);
    const { beside = {} } = inside[inside.length - 1] ?? {};
    const found = new Map();
    for (const node of schema.at(inside)) {
      for (const [key, value] of Object.entries(node.properties ?? {})) {
        if (!(key in beside) || key === last?.key) found.set(key, schema.describe(schema.unfold(value)).join(' · '));
      }
    }
    const options = [...found].map(([key, info]) => ({ label: `"${key}"`, apply: `"${key}": `, type: 'property', info }));
    return options.length ? { from: word.from, to: closing(context), options } : null;
  };
}

// A quote that the editor has closed already is part of what is replaced.
function closing(context) {
  return /["']/.test(context.state.sliceDoc(context.pos, context.pos + 1)) ? context.pos + 1 : context.pos;
}

/** What is told about the key or value under the pointer. */
export function tellAt(schema, state, position) {
  const path = pathAt(state, position), last = path.findLastIndex((step) => step.key !== undefined);
  if (last < 0 || path.slice(last + 1).some((step) => step.object)) return null;
  const step = path[last], lines = schema.describe(schema.at(path.slice(0, last + 1)));
  return lines.length ? { from: step.name.from, to: step.name.to, key: step.key, lines } : null;
}
