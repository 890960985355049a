// SPDX-License-Identifier: MIT
// A slider for each control of the scene; one set by hand, one set from MIDI shows where it is.
import { CONTACT_NUMBERS } from '../package/core.js';
import { $, make, written } from './dom.js';

const MOST_SHOWN = 12; // A drum has a gap for each place of its wires

// Things without a name of their own are numbered.
function names(controls) {
  const seen = new Map();
  return controls.map(({ name }) => {
    const alike = controls.filter((one) => one.name === name).length, number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return alike > 1 ? `${name} ${number}` : name;
  });
}

function slider(control, name, index, move) {
  const value = make('output', { className: 'figure' }, written(control.initial, control.unit));
  const input = make('input', { type: 'range', min: 0, max: 1, step: 0.001 });
  const span = control.maximum - control.minimum;
  input.value = span ? (control.initial - control.minimum) / span : 0;
  input.setAttribute('aria-label', name);
  const show = () => {
    const now = control.minimum + span * Number(input.value);
    value.textContent = written(now, control.unit);
    input.setAttribute('aria-valuetext', value.textContent);
    return now;
  };
  show();
  input.oninput = () => move(index, show());
  const label = make('label', { className: 'control', title: control.source ? `${name}, from ${control.source}` : name }, make('span', {}, name), value, input);
  return label;
}

export function fillControls(description, move) {
  const called = names(description.controls);
  const made = description.controls.map((control, index) => slider(control, called[index], index, move));
  const shown = made.slice(0, MOST_SHOWN), more = made.slice(MOST_SHOWN);
  const rest = more.length ? [make('details', {}, make('summary', {}, `${more.length} more`), make('div', { className: 'controls' }, ...more))] : [];
  $('controls').replaceChildren(...(made.length ? [...shown, ...rest] : [make('p', { className: 'small' }, 'This scene has nothing to move from outside.')]));
}

/** Where a slider is, from 0 to 1; with a share, where it is moved to. */
export function control(index, share) {
  const input = $('controls').querySelectorAll('input')[index];
  if (share !== undefined) {
    input.value = share;
    input.dispatchEvent(new Event('input'));
  }
  return Number(input.value);
}

// Those that close and open, and how hard bows pull.
const closes = ({ kind }) => kind === 'collision' || kind === 'connection';

export function fillContacts(description) {
  const added = new Set(description.hands.flatMap((hand) => [hand.bow, hand.touch]));
  const rows = description.contacts.map((contact) => make('li', { hidden: added.has(contact.id) }, make('i', { className: closes(contact) ? 'lamp' : 'lamp none' }),
    make('span', {}, contact.name || contact.kind), make('output', { className: 'figure' })));
  $('contacts').replaceChildren(...(rows.length ? rows : [make('li', { className: 'small' }, 'Nothing touches anything here.')]));
}

/** `row` is what is now; `low` and `high` were the least and the largest since the last. */
export function showContacts(description, { row, low, high }, glow) {
  [...$('contacts').children].forEach((element, index) => {
    const at = description.places + CONTACT_NUMBERS * index, output = element.querySelector('output'), contact = description.contacts[index];
    if (!output) return;
    element.firstChild.classList.toggle('on', closes(contact) && glow[index] > 0.3);
    const force = Math.max(Math.abs(low[at + 1]), Math.abs(high[at + 1]));
    output.textContent = closes(contact) ? `${Math.round(row[at + 4])} ×` : force > 1e-6 ? written(force, 'N') : '';
  });
}
