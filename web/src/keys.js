// SPDX-License-Identifier: MIT
// Keys on the screen, keys of the computer, MIDI: all of them become MIDI messages.
import { $, make } from './dom.js';

const BLACK = [1, 3, 6, 8, 10];
const NAMES = ['C', 'C#', 'D', 'D#', 'E', 'F', 'F#', 'G', 'G#', 'A', 'A#', 'B'];
const ROW = 'KeyA KeyW KeyS KeyE KeyD KeyF KeyT KeyG KeyY KeyH KeyU KeyJ KeyK KeyO KeyL KeyP Semicolon'.split(' ');
const LETTERS = 'AWSEDFTGYHUJKOLP;';
const LETTERED = matchMedia('(hover: hover)'); // A phone has no keys that the letters would be on

export class Keys {
  constructor(send) {
    this.send = send;
    this.base = 48;
    this.held = new Map();
    this.velocity = 90;
    this.build();
    addEventListener('keydown', (event) => this.typed(event, true));
    addEventListener('keyup', (event) => this.typed(event, false));
    addEventListener('blur', () => this.releaseAll());
    addEventListener('resize', () => this.build());
    $('octave-down').onclick = () => this.shift('KeyZ');
    $('octave-up').onclick = () => this.shift('KeyX');
  }

  build() {
    const octaves = innerWidth < 720 ? 1 : 2;
    if (this.octaves === octaves && this.built === this.base) return;
    this.octaves = octaves;
    this.built = this.base;
    const count = 12 * octaves + 1, box = $('keys');
    box.replaceChildren();
    let white = 0;
    const whites = 7 * octaves + 1;
    for (let i = 0; i < count; i++) {
      const black = BLACK.includes(i % 12), key = this.base + i;
      const element = make('button', { type: 'button', className: `key ${black ? 'black' : 'white'}`, tabIndex: i ? -1 : 0 }, LETTERED.matches ? LETTERS[i] ?? '' : '');
      element.dataset.key = key;
      element.setAttribute('aria-label', `${NAMES[i % 12]}${Math.floor(key / 12) - 1}`);
      if (black) {
        element.style.left = `${100 * (white - 0.3) / whites}%`;
        element.style.width = `${60 / whites}%`;
      } else white += 1;
      box.append(element);
    }
    const name = (key) => `${NAMES[key % 12]}${Math.floor(key / 12) - 1}`, last = octaves > 1 ? ';' : 'K';
    const letters = `Letters A to ${last} play, Z and X move by an octave, C and V play softer and louder.`;
    $('keys-help').textContent = `${name(this.base)} to ${name(this.base + count - 1)}. ${LETTERED.matches ? letters : 'The lower a key is touched, the louder.'}`;
    if (navigator.requestMIDIAccess && !$('midi-help').textContent) $('midi-help').textContent = 'A MIDI keyboard, also with MPE, plays once the sound is on.';
    box.onpointerdown = (event) => this.press(event);
    box.onpointermove = (event) => this.glide(event);
    box.onkeydown = (event) => this.walk(event);
    for (const name of ['onpointerup', 'onpointercancel']) box[name] = (event) => this.up(`pointer${event.pointerId}`);
  }

  keyAt(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest?.('.key')?.dataset.key;
  }

  press(event) {
    const key = this.keyAt(event);
    if (!key) return;
    event.preventDefault();
    event.target.releasePointerCapture?.(event.pointerId);
    const low = (event.clientY - $('keys').getBoundingClientRect().top) / $('keys').clientHeight;
    this.down(`pointer${event.pointerId}`, Number(key), Math.round(40 + 80 * Math.min(1, Math.max(0, low))));
  }

  glide(event) {
    const id = `pointer${event.pointerId}`, key = this.keyAt(event);
    if (this.held.has(id) && key && Number(key) !== this.held.get(id)) {
      this.up(id);
      this.down(id, Number(key));
    }
  }

  // From key to key by arrows; space and enter play, as long as they are held.
  walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const key = Number(event.target.dataset.key);
    if (step) $('keys').querySelector(`[data-key="${key + step}"]`)?.focus();
    if ((event.key === ' ' || event.key === 'Enter') && !event.repeat) {
      event.preventDefault();
      this.down('focus', key);
      event.target.addEventListener('keyup', () => this.up('focus'), { once: true });
    }
  }

  typed(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('.cm-editor, select, dialog')) return;
    const index = ROW.indexOf(event.code);
    if (index >= 0) {
      if (down && !event.repeat) this.down(event.code, this.base + index);
      if (!down) this.up(event.code);
    } else if (down && !event.repeat) this.shift(event.code);
  }

  shift(code) {
    const octave = { KeyZ: -12, KeyX: 12 }[code], louder = { KeyC: -20, KeyV: 20 }[code];
    if (octave) {
      this.releaseAll();
      this.base = Math.min(84, Math.max(24, this.base + octave));
      this.build();
    }
    if (louder) this.velocity = Math.min(127, Math.max(10, this.velocity + louder));
  }

  mark(key, on) {
    $('keys').querySelector(`[data-key="${key}"]`)?.classList.toggle('down', on);
  }

  down(id, key, velocity = this.velocity) {
    if (this.held.has(id)) return;
    this.held.set(id, key);
    this.mark(key, true);
    this.send([0x90, key, velocity]);
  }

  up(id) {
    const key = this.held.get(id);
    if (key === undefined) return;
    this.held.delete(id);
    this.mark(key, false);
    this.send([0x80, key, 0]);
  }

  releaseAll() {
    for (const id of [...this.held.keys()]) this.up(id);
  }
}

/** Every MIDI input that there is, or comes; a page that may not is told why. */
export async function listenToMidi(send, tell) {
  if (!navigator.requestMIDIAccess) return;
  try {
    const access = await navigator.requestMIDIAccess();
    const attach = () => {
      for (const input of access.inputs.values()) {
        input.onmidimessage = ({ data }) => {
          if (data.length <= 3 && data[0] < 0xf0) send([...data]);
        };
      }
    };
    access.onstatechange = attach;
    attach();
  } catch (error) {
    tell(`No MIDI keyboard: ${error.message}`);
  }
}
