// SPDX-License-Identifier: MIT
// A slider for each control of the scene; one set by hand, one set from MIDI shows where it is.
import { $, make, written } from './dom.js';

function slider(control, index, move) {
  const value = make('output', { className: 'figure' }, written(control.initial, control.unit));
  const input = make('input', { type: 'range', min: 0, max: 1, step: 0.001 });
  const span = control.maximum - control.minimum;
  input.value = span ? (control.initial - control.minimum) / span : 0;
  input.setAttribute('aria-label', control.name);
  const show = () => {
    const now = control.minimum + span * Number(input.value);
    value.textContent = written(now, control.unit);
    input.setAttribute('aria-valuetext', value.textContent);
    return now;
  };
  show();
  input.oninput = () => move(index, show());
  const label = make('label', { className: 'control', title: control.source ? `${control.name}, from ${control.source}` : control.name }, make('span', {}, control.name), value, input);
  return label;
}

export function fillControls(description, move) {
  const made = description.controls.map((control, index) => slider(control, index, move));
  $('controls').replaceChildren(...(made.length ? made : [make('p', { className: 'small' }, 'This scene has nothing to move from outside.')]));
}

export function fillContacts(description) {
  const rows = description.contacts.map((contact) => make('li', {}, make('i', { className: 'lamp' }), make('span', {}, contact.name || contact.kind), make('output', { className: 'figure' })));
  $('contacts').replaceChildren(...(rows.length ? rows : [make('li', { className: 'small' }, 'Nothing touches anything here.')]));
}

export function showContacts(description, row, glow) {
  [...$('contacts').children].forEach((element, index) => {
    const at = description.places + 5 * index, output = element.querySelector('output');
    if (!output) return;
    element.firstChild.classList.toggle('on', glow[index] > 0.3);
    const bow = description.contacts[index].kind === 'bow', { kind } = description.contacts[index];
    output.textContent = kind === 'collision' || kind === 'connection' ? `${Math.round(row[at + 4])} ×` : bow ? written(Math.abs(row[at + 1]), 'N') : '';
  });
}
