// SPDX-License-Identifier: MIT
// What a hand does to the scene, in newtons and metres: plucks, strikes, throws, a bow, a finger.

const PLUCK = 0.004;     // Of the length: how far a string is pulled aside
const STRIKE = 40;       // N on a plate of a kilogram, where the scene has no blow of its own
const BOW = { force: 0.4, speed: 0.2 }; // N, m/s

export class Hands {
  /** `node` gives the node that plays now, or nothing. */
  constructor(node) {
    this.node = node;
  }

  open(description) {
    this.description = description;
    this.down = null; // As the scene has it
    this.objects = new Map(description.objects.map((object) => [object.id, object]));
  }

  // The strongest blow that the scene's own score has on an object; NaN without one.
  own(object) {
    const strengths = this.description.parts.filter((part) => part.exciter && part.strength > 0
      && this.description.exciters[part.exciter - 1].port.object === object).map((part) => part.strength);
    return strengths.length ? Math.max(...strengths) : NaN;
  }

  pluck(id, x, strength) {
    const string = this.objects.get(id), place = Math.min(0.98, Math.max(0.02, x));
    const pulled = PLUCK * (string.length || 1) * (string.tension || 100) / ((string.length || 1) * place * (1 - place));
    this.node()?.pluck(id, place, 0.5, strength * Math.min(pulled, 3 * (this.own(id) || Infinity)));
  }

  strike(id, x, y, strength) {
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

  voiceOf(bow) { return this.description.own_voices.find((voice) => voice.contact === bow); }

  /** `speed` and `force` as shares of what the instrument is played with.  A string speaks within a range of
   *  speeds: the slowest hand gives half of the usual one, the fastest the whole. */
  bowTo(bow, { x, speed, force }) {
    const voice = this.voiceOf(bow), part = this.description.parts.find((one) => one.contact === bow);
    const strongest = voice?.strongest ?? (part?.strength || BOW.force), usual = voice?.speed ?? BOW.speed;
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

  touchOf(mass) {
    const touches = this.description.own_voices.map((voice) => voice.touch).filter(Boolean).map((id) => this.description.contacts[id - 1]);
    return touches.find((contact) => mass === undefined || contact.ports.some((port) => port.object === mass));
  }

  isFinger(mass) { return Boolean(this.touchOf(mass)); }

  finger(mass, x, down) {
    const touch = this.touchOf(mass), voice = this.description.own_voices.find((one) => one.touch === touch?.id);
    if (!touch) return;
    const string = touch.ports.findIndex((port) => this.objects.get(port.object)?.kind === 'string');
    const finger = touch.ports[1 - string].object;
    if (x !== undefined) this.node()?.move('contact', touch.id, string === 0 ? 'x' : 'x2', x, 0.03);
    if (down !== this.down) this.node()?.move('object', finger, 'position', down ? voice.pressed : voice.lifted, 0.03);
    this.down = down;
  }

  toggleFinger(mass) {
    const touch = this.touchOf(mass);
    if (touch) this.finger(mass, undefined, !this.isClosed(touch.id));
  }
}
