// SPDX-License-Identifier: MIT
// The stage: what is seen of the scene, and the hands that reach into it.
import { CONTACT_NUMBERS } from '../package/core.js';
import { still, surface } from './dom.js';
import { Layout } from './layout.js';
import { paint } from './paint.js';

const SLOW = 40;   // Slow motion: so many times slower

export class Stage {
  constructor(canvas, hands) {
    this.canvas = canvas;
    this.hands = hands;
    this.mode = 'live';
    this.tool = 'pluck'; // What a hand does to a string
    this.pointers = new Map();
    this.cursor = null;
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, (event) => this.up(event));
    canvas.addEventListener('keydown', (event) => this.key(event, true));
    canvas.addEventListener('keyup', (event) => this.key(event, false));
    canvas.addEventListener('blur', () => { this.cursor = null; });
    const frame = (time) => {
      this.draw(time / 1000);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /** Show another scene. */
  open(description) {
    this.description = description;
    this.layout = null;
    this.slow = null;
    this.view = {
      row: new Float32Array(description.row), low: null, high: null,
      glow: description.contacts.map(() => 0),
      bows: new Map(description.contacts.filter((contact) => contact.kind === 'bow')
        .map((contact) => [contact.id, { x: contact.ports[0].x, force: 0, speed: 0, shift: 0, added: description.hands.some((hand) => hand.bow === contact.id) }])),
    };
    this.closures = description.contacts.map(() => 0);
    this.choice = 0;
    this.place = 0.2;
  }

  // ---------------------------------------------------------------- what is seen

  take(report) {
    if (!this.description || report.row.length !== this.description.row || this.mode !== 'live') return;
    Object.assign(this.view, { row: report.row, low: report.low, high: report.high });
    this.layout?.follow(report.low, report.high);
    this.follow(report.row);
    this.light(report.row, report.high);
  }

  light(row, high) {
    this.description.contacts.forEach((contact, index) => {
      const at = this.description.places + CONTACT_NUMBERS * index, closures = row[at + 4];
      const closed = high ? high[at] > 0 : row[at] > 0;
      if (closed || closures > this.closures[index]) this.view.glow[index] = 1;
      this.closures[index] = closures;
    });
  }

  // Fingers and bows are drawn where they are now, whoever has moved them.
  follow(row) {
    const place = (contact, side) => row[this.description.places + CONTACT_NUMBERS * (contact.id - 1) + 5 + side];
    for (const part of this.layout?.masses.values() ?? []) {
      if (part.contact && part.port) part.port.x = place(part.contact, part.contact.ports.indexOf(part.port));
    }
    for (const [id, bow] of this.view.bows) bow.x = place({ id }, 0);
  }

  takeSlow(report) {
    if (report.size !== this.description?.row) return;
    const slow = { ...report, count: report.rows.length / report.size };
    if (this.slow && this.mode === 'freeze') return;
    if (this.slow && this.position < 1) this.nextSlow = slow;
    else this.startSlow(slow);
  }

  startSlow(slow) {
    this.slow = slow;
    this.nextSlow = null;
    this.position = 0;
    if (this.layout) {
      for (let i = 0; i < slow.count; i += 4) {
        const row = slow.rows.subarray(i * slow.size, (i + 1) * slow.size);
        this.layout.follow(row, row);
      }
    }
  }

  setMode(mode) {
    this.mode = mode;
    if (mode === 'live') this.slow = null;
  }

  scrub(position) {
    this.position = position;
  }

  stepSlow(seconds) {
    if (!this.slow) return;
    if (this.mode === 'slow' && !still()) this.position += seconds / (this.slow.seconds * SLOW);
    if (this.position >= 1) {
      if (this.nextSlow) this.startSlow(this.nextSlow);
      else this.position = 0;
    }
    const index = Math.min(this.slow.count - 1, Math.floor(this.position * this.slow.count));
    const row = this.slow.rows.subarray(index * this.slow.size, (index + 1) * this.slow.size);
    Object.assign(this.view, { row, low: null, high: null });
    this.follow(row);
    this.view.glow.forEach((glow, i) => { this.view.glow[i] = row[this.description.places + CONTACT_NUMBERS * i] > 0 ? 1 : 0; });
    this.onslow?.(this.position);
  }

  draw(time) {
    const seconds = Math.min(0.1, time - (this.last ?? time));
    this.last = time;
    if (!this.description || !this.canvas.clientWidth) return;
    const { context, width, height } = surface(this.canvas);
    if (!this.layout || this.layout.width !== width || this.layout.height !== height) this.layout = new Layout(this.description, width, height);
    if (this.mode === 'live') this.view.glow = this.view.glow.map((glow) => glow * Math.exp(-seconds / 0.12));
    else this.stepSlow(seconds);
    this.moveBows(seconds);
    this.view.cursor = this.cursor ? this.cursorPoint() : null;
    // With less motion only what hands and controls do is drawn, and lights
    const { row, low, high } = this.view;
    if (still() && this.mode === 'live') Object.assign(this.view, { row: this.averaged(row, low, high), low, high });
    paint(context, this.layout, this.view);
    Object.assign(this.view, { row, low, high });
  }

  // Where motion is not wanted: strings rest in the middle of their blur.
  averaged(row, low, high) {
    if (!low) return row;
    const middle = row.slice();
    for (let i = 0; i < this.description.places; i++) middle[i] = 0.5 * (low[i] + high[i]);
    return middle;
  }

  moveBows(seconds) {
    for (const [id, bow] of this.view.bows) {
      const at = this.description.places + CONTACT_NUMBERS * (id - 1), pushed = this.view.high ? Math.max(Math.abs(this.view.high[at + 1]), Math.abs(this.view.low[at + 1])) : 0;
      const hand = [...this.pointers.values()].find((pointer) => pointer.bow === id);
      bow.force = hand ? 1 : pushed > 1e-4 ? 1 : 0;
      if (hand) bow.shift = Math.max(-50, Math.min(50, hand.travel));
      else if (bow.force && !still()) bow.shift = 45 * Math.sin(2.2 * (bow.phase = (bow.phase ?? 0) + seconds));
      else bow.shift *= 0.97;
    }
  }

  // ---------------------------------------------------------------- hands

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  // What is under the hand: the light of a contact whose gap can be moved, a mass, a string, a plate.
  find({ x, y }) {
    const { layout, view } = this;
    for (const contact of this.description.contacts) {
      const control = this.hands.gapOf(contact), point = control >= 0 && layout.contactPoint(contact, view.row);
      if (point && Math.hypot(point.x - x, point.y - y) < 14) return { gap: control, contact };
    }
    for (const [id, part] of layout.masses) {
      const point = layout.massPoint(part, view.row);
      if (Math.hypot(point.x - x, point.y - y) < part.radius + 10) return { mass: id, part };
    }
    for (const { contact, object, ...bar } of layout.bars.values()) {
      const mass = layout.across(contact, object.id).object;
      if (Math.abs(x - bar.x) < bar.wide / 2 && Math.abs(y - bar.y) < bar.long / 2) return { mass, part: layout.masses.get(mass) };
    }
    let best = null;
    for (const [id, lane] of layout.lanes) {
      const distance = Math.abs(lane.y - y), reach = lane.lies ? 5 : Math.max(16, this.tool === 'bow' ? 90 : lane.reach);
      if (x > lane.left - 8 && x < lane.right + 8 && distance < reach && (!best || distance < best.distance)) {
        best = { string: id, lane, distance, x: Math.min(0.995, Math.max(0.005, (x - lane.left) / (lane.right - lane.left))) };
      }
    }
    return best ?? this.findPlate(x, y);
  }

  findPlate(x, y) {
    for (const [id, plate] of this.layout.plates) {
      const down = (plate.bottom - y) / plate.deep, across = (x - plate.left - down * plate.lean) / plate.wide;
      if (down > 0 && down < 1 && across > 0 && across < 1) return { plate: id, x: across, y: down };
    }
    return null;
  }

  down(event) {
    if (!this.layout) return;
    const point = this.at(event), found = this.find(point);
    this.canvas.setPointerCapture(event.pointerId);
    const pointer = { ...point, start: point, time: event.timeStamp, travel: 0, found, speed: 0 };
    this.pointers.set(event.pointerId, pointer);
    if (!found) return;
    if (found.gap !== undefined) pointer.from = this.hands.control(found.gap);
    else if (found.mass) this.grab(pointer, found);
    else if (found.plate) this.hands.strike(found.plate, found.x, found.y, this.pressure(event, 0.6));
    else this.touchString(pointer, found, event);
  }

  // A bow sounds when it moves; a finger stays where it was put.
  touchString(pointer, found, event) {
    const bow = this.tool === 'bow' && this.hands.bowOn(found.string), touch = this.tool === 'press' && this.hands.touchOn(found.string);
    if (touch) {
      Object.assign(pointer, { mass: touch.finger, finger: true, put: true });
      this.slide(pointer);
      return;
    }
    if (!bow) {
      this.hands.pluck(found.string, found.x, this.pressure(event, 1));
      return;
    }
    pointer.bow = bow.id;
    pointer.place = found.x;
  }

  pressure(event, plain) { return event.pointerType === 'pen' && event.pressure ? event.pressure : plain; }

  grab(pointer, found) {
    pointer.mass = found.mass;
    pointer.finger = this.hands.isFinger(found.mass);
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer || !pointer.found && !pointer.bow) return;
    const point = this.at(event), seconds = Math.max(0.004, (event.timeStamp - pointer.time) / 1000);
    const before = { x: pointer.x, y: pointer.y };
    pointer.travel += before.y - point.y;
    pointer.speed += ((before.y - point.y) / seconds - pointer.speed) * Math.min(1, seconds / 0.03);
    Object.assign(pointer, { ...point, time: event.timeStamp });
    // Upwards the gap closes, over 120 pixels
    if (pointer.from !== undefined) this.hands.control(pointer.found.gap, pointer.from + (pointer.y - pointer.start.y) / 120);
    else if (pointer.bow) this.stroke(pointer, event);
    else if (pointer.finger) this.slide(pointer);
    else this.strum(before, point, event);
  }

  // Speed and place from the hand; pressure from a pen, or from how far the hand is from the string.
  stroke(pointer, event) {
    const { lane } = pointer.found, x = Math.min(0.99, Math.max(0.01, (pointer.x - lane.left) / (lane.right - lane.left)));
    const far = Math.min(1, Math.abs(pointer.y - lane.y) / 120);
    this.hands.bowTo(pointer.bow, { x, speed: pointer.speed / 600, force: this.pressure(event, 0.3 + 0.7 * far) });
    clearTimeout(pointer.timer);
    pointer.timer = setTimeout(() => this.hands.liftBow(pointer.bow), 120);
  }

  // Strings sound when the hand crosses them.
  strum(before, point, event) {
    for (const [id, lane] of this.layout.lanes) {
      if ((before.y - lane.y) * (point.y - lane.y) < 0 && point.x > lane.left && point.x < lane.right && this.tool === 'pluck') {
        this.hands.pluck(id, (point.x - lane.left) / (lane.right - lane.left), this.pressure(event, 0.8) * (point.y > before.y ? 1 : -1));
      }
    }
  }

  // A finger moves along its string, and comes down below the middle of its way.
  slide(pointer) {
    const part = this.layout.masses.get(pointer.mass), lane = this.layout.lanes.get(part.port.object);
    const x = Math.min(0.98, Math.max(0.02, (pointer.x - lane.left) / (lane.right - lane.left)));
    part.port.x = x;
    this.hands.finger(pointer.mass, x, pointer.y > lane.y - 1.6 * part.radius);
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer) return;
    clearTimeout(pointer.timer);
    if (pointer.bow) this.hands.liftBow(pointer.bow);
    // A mass is thrown the way that the hand went; with a plain click, up
    if (pointer.mass && !pointer.finger) this.hands.throw(pointer.mass, Math.abs(pointer.travel) < 4 ? 0.6 : Math.max(-1, Math.min(1, pointer.travel / 80)));
    if (pointer.finger && !pointer.put && Math.hypot(pointer.x - pointer.start.x, pointer.y - pointer.start.y) < 4) this.hands.toggleFinger(pointer.mass);
  }

  // ---------------------------------------------------------------- keys

  choices() { return [...this.layout.lanes.keys(), ...this.layout.plates.keys(), ...this.layout.masses.keys()]; }

  cursorPoint() {
    const id = this.choices()[this.choice % Math.max(1, this.choices().length)];
    return id && this.layout.portPoint({ object: id, x: this.place, y: 0.5 }, this.view.row);
  }

  key(event, down) {
    const moves = { ArrowLeft: -0.02, ArrowRight: 0.02 }, steps = { ArrowUp: -1, ArrowDown: 1 };
    if (!this.layout || (event.ctrlKey || event.metaKey || event.altKey)) return;
    const choices = this.choices(), id = choices[this.choice % Math.max(1, choices.length)];
    if (![...Object.keys(moves), ...Object.keys(steps), ' ', 'Enter', '.'].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.cursor = true;
    if (event.key === 'Enter') this.keyBow(id, down, event.repeat);
    if (!down) return;
    if (event.key in moves) this.place = Math.min(0.98, Math.max(0.02, this.place + moves[event.key]));
    if (event.key in steps) this.choice = (this.choice + steps[event.key] + choices.length) % Math.max(1, choices.length);
    if (event.key === ' ' && !event.repeat) this.hit(id);
    if (event.key === '.') this.keyFinger(id);
  }

  hit(id) {
    if (this.layout.lanes.has(id)) this.hands.pluck(id, this.place, 0.6);
    else if (this.layout.plates.has(id)) this.hands.strike(id, this.place, 0.5, 0.6);
    else this.hands.throw(id, 0.6);
  }

  keyFinger(id) {
    const touch = this.hands.touchOn(id) ?? this.hands.touchOf(), part = this.layout.masses.get(touch?.finger);
    if (!touch) return;
    if (this.tool === 'press' && part) part.port.x = this.place;
    this.hands.toggleFinger(touch.finger, this.tool === 'press' ? this.place : undefined);
  }

  keyBow(id, down, repeat) {
    const bow = this.hands.bowOn(id);
    if (!bow || repeat) return;
    if (down) this.hands.bowTo(bow.id, { x: this.place, speed: 1, force: 0.6 });
    else this.hands.liftBow(bow.id);
  }
}
