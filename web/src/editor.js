// SPDX-License-Identifier: MIT
// The scene as text: CodeMirror, with the parser's own errors under the words.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory, undo } from '@codemirror/commands';
import { HighlightStyle, bracketMatching, ensureSyntaxTree, foldEffect, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { json5 } from 'codemirror-json5';
import { make } from './dom.js';
import { completeFrom, tellAt } from './schema.js';

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--k1)' },
  { tag: tags.string, color: 'var(--accent)' },
  { tag: tags.number, color: 'var(--number)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
]);

const MOST_FOLDED = 100000; // Letters: what is longer is shown as it is, at once

// Where a place of the parser is: lines and columns from 1.  Columns count characters, of which some are two letters here.
function place(doc, line, column, length) {
  if (line < 1 || line > doc.lines) return { from: 0, to: Math.min(1, doc.length) };
  const found = doc.line(line), limit = (offset) => Math.min(found.from + offset, found.to);
  if (!/[\ud800-\udbff]/.test(found.text)) return { from: limit(column - 1), to: limit(column - 1 + length) };
  const letters = [...found.text], offset = (count) => letters.slice(0, count).join('').length;
  return { from: limit(offset(column - 1)), to: limit(offset(column - 1 + length)) };
}

export class Editor {
  constructor(parent, { onchange, onreload }) {
    this.schema = new Compartment();
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(),
          json5(), syntaxHighlighting(colours), this.schema.of([]), EditorView.contentAttributes.of({ 'aria-label': 'Scene' }),
          keymap.of([{ key: 'Mod-Enter', run: () => (onreload(), true) }, ...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap]),
          EditorView.updateListener.of((update) => { if (update.docChanged) onchange(); }),
        ],
      }),
    });
  }

  useSchema(schema) {
    const hover = hoverTooltip((view, position) => {
      const told = tellAt(schema, view.state, position);
      return told && { pos: told.from, end: told.to, create: () => ({ dom: make('div', {}, make('b', {}, told.key), ...told.lines.map((line) => make('div', {}, line))) }) };
    });
    this.view.dispatch({ effects: this.schema.reconfigure([autocompletion({ override: [completeFrom(schema)] }), hover]) });
  }

  get text() { return this.view.state.doc.toString(); }
  set text(text) {
    const { length } = this.view.state.doc;
    // Back to the scene before, but not to nothing
    const annotations = [Transaction.addToHistory.of(length > 0), isolateHistory.of('full')];
    this.view.dispatch({ changes: { from: 0, to: length, insert: text }, selection: { anchor: 0 }, annotations });
    // Not by scrollIntoView, which moves the page as well, on a phone away from the instrument
    this.view.scrollDOM.scrollTop = 0;
    this.foldNumbers();
  }

  // Long lists of numbers hide what there is to change.
  foldNumbers() {
    const { state } = this.view, effects = [];
    if (state.doc.length > MOST_FOLDED) return;
    ensureSyntaxTree(state, state.doc.length, 100)?.iterate({
      enter: ({ name, from, to, node }) => {
        if (name !== 'Array' || node.getChild('Object') || state.doc.lineAt(to).number - state.doc.lineAt(from).number < 12) return true;
        effects.push(foldEffect.of({ from: from + 1, to: to - 1 }));
        return false;
      },
    });
    if (effects.length) this.view.dispatch({ effects });
  }

  undo() {
    undo(this.view);
    this.view.focus();
  }

  /** Mark what the parser says; what lies in an included file stands at the top. */
  mark(diagnostics) {
    const { doc } = this.view.state;
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.map((one) => ({
      ...place(doc, one.line, one.column, one.length), severity: one.warning ? 'warning' : 'error', message: one.message,
    }))));
  }

  show(line, column) {
    const { from } = place(this.view.state.doc, line, column, 1);
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    this.view.focus();
  }
}
