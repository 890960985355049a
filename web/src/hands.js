// SPDX-License-Identifier: MIT
// What a hand does to the scene, in newtons and metres: plucks, strikes, throws, a bow, a finger.
import { HANDS } from '../package/core.js';

const PLUCK = 0.004;     // Of the length: how far a string is pulled aside
const STRIKE = 40;       // N on a plate of a kilogram, where the scene has no blow of its own
const BOW = { force: 0.4, speed: 0.2 }; // N, m/s
// What a string takes grows with its impedance and the speed, and towards the bridge (Schelleng 1973): the tromba is played with
// at most 0.33 Z v/beta.
const FIRM = 0.33;

export class Hands {
  /** `node` gives the node that plays now, or nothing. */
  constructor(node) {
    this.node = node;
  }

  open(description) {
    this.description = description;
    this.down = new Map(); // Fingers that were moved; the others are as the scene has them
    this.objects = new Map(description.objects.map((object) => [object.id, object]));
    this.touches = this.findTouches(description);
  }

  /** What the page has to put on the strings so that each can be plucked, bowed or pressed. */
  reachFor(tool) {
    const strings = this.description.objects.filter((object) => object.kind === 'string').map((object) => object.id);
    if (tool === 'bow' && strings.some((id) => !this.bowOn(id))) return HANDS.pluck + HANDS.bow;
    if (tool === 'press' && strings.some((id) => !this.touchOn(id))) return HANDS.pluck + HANDS.press;
    return HANDS.pluck;
  }

  // The strongest blow that the scene's own score has on an object; NaN without one.
  own(object) {
    const strengths = this.description.parts.filter((part) => part.exciter && part.strength > 0
      && this.description.exciters[part.exciter - 1].port.object === object).map((part) => part.strength);
    return strengths.length ? Math.max(...strengths) : NaN;
  }

  // A scene may have more strings and plates than the page has hands for.
  has(id) { return this.description.hands.some((hand) => hand.object === id); }

  pluck(id, x, strength) {
    if (!this.has(id)) return;
    const string = this.objects.get(id), place = Math.min(0.98, Math.max(0.02, x));
    const pulled = PLUCK * (string.length || 1) * (string.tension || 100) / ((string.length || 1) * place * (1 - place));
    this.node()?.pluck(id, place, 0.5, strength * Math.min(pulled, 3 * (this.own(id) || Infinity)));
  }

  strike(id, x, y, strength) {
    if (!this.has(id)) return;
    const plate = this.objects.get(id);
    this.node()?.pluck(id, x, y, strength * (1.5 * this.own(id) || STRIKE * Math.sqrt(Math.min(1, plate.mass))));
  }

  // From where it was thrown in the score, or from where it is.
  throw(id, strength) {
    const part = this.description.parts.find((one) => one.object === id);
    const own = part?.strength || 1;
    const from = Number.isFinite(part?.from) ? part.from : this.lastSeen?.(id) ?? 0;
    const towards = this.isAbove(id) ? -1 : 1;
    this.node()?.throw(id, from, towards * strength * own);
  }

  // A mass above what it meets falls down on it.
  isAbove(id) {
    const contact = this.description.contacts.find((one) => one.ports.some((port) => port.object === id));
    return contact?.ports[1].object === id;
  }

  // ---------------------------------------------------------------- bow

  bowOn(string) {
    return this.description.contacts.find((contact) => contact.kind === 'bow' && contact.ports[0].object === string);
  }

  // Of a bow that the scene does not play, by its string.
  firmness(bow, x) {
    const string = this.objects.get(this.description.contacts[bow - 1].ports[0].object);
    const impedance = Math.sqrt(string.tension * string.mass / (string.length || 1));
    return FIRM * impedance * BOW.speed / Math.min(0.3, Math.max(0.05, Math.min(x, 1 - x))) || BOW.force;
  }

  voiceOf(bow) { return this.description.own_voices.find((voice) => voice.contact === bow); }

  /** `speed` and `force` as shares of what the instrument is played with.  A string speaks within a range of
   *  speeds: the slowest hand gives half of the usual one, the fastest the whole. */
  bowTo(bow, { x, speed, force }) {
    const voice = this.voiceOf(bow), part = this.description.parts.find((one) => one.contact === bow);
    const strongest = voice?.strongest ?? (part?.strength || this.firmness(bow, x)), usual = voice?.speed ?? BOW.speed;
    const node = this.node();
    node?.move('contact', bow, 'x', x, 0.03);
    node?.move('contact', bow, 'speed', Math.sign(speed) * usual * (0.5 + 0.5 * Math.min(1, Math.abs(speed))), 0.03);
    node?.move('contact', bow, 'force', strongest * force, 0.04);
  }

  liftBow(bow) {
    this.node()?.move('contact', bow, 'force', 0, 0.12);
  }

  // ---------------------------------------------------------------- gap

  /** The control that moves the gap of a contact; -1 without one. */
  gapOf(contact) { return contact.name ? this.description.controls.findIndex((control) => control.name === `${contact.name}.gap`) : -1; }

  // ---------------------------------------------------------------- finger

  // Fingers of the scene's own voices, then those that the page has put above strings.
  findTouches({ own_voices: voices, contacts, hands }) {
    const own = voices.filter((voice) => voice.touch).map((voice) => {
      const { ports } = contacts[voice.touch - 1], side = ports.findIndex((port) => this.objects.get(port.object)?.kind === 'string');
      return { id: voice.touch, string: ports[side]?.object, finger: ports[1 - side]?.object, place: side === 0 ? 'x' : 'x2', lifted: voice.lifted, pressed: voice.pressed };
    });
    const added = hands.filter((hand) => hand.finger).map(({ touch, object, finger, lifted, pressed }) => ({ id: touch, string: object, finger, place: 'x', lifted, pressed }));
    return [...own, ...added];
  }

  touchOf(mass) { return this.touches.find((touch) => mass === undefined || touch.finger === mass); }
  touchOn(string) { return this.touches.find((touch) => touch.string === string); }
  isFinger(mass) { return Boolean(this.touchOf(mass)); }

  finger(mass, x, down) {
    const touch = this.touchOf(mass);
    if (!touch) return;
    if (x !== undefined) this.node()?.move('contact', touch.id, touch.place, x, 0.03);
    if (down !== this.down.get(touch.finger)) this.node()?.move('object', touch.finger, 'position', down ? touch.pressed : touch.lifted, 0.03);
    this.down.set(touch.finger, down);
  }

  toggleFinger(mass, x) {
    const touch = this.touchOf(mass);
    if (touch) this.finger(touch.finger, x, !this.isClosed(touch.id));
  }
}
