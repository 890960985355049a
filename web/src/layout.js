// SPDX-License-Identifier: MIT
// Where the parts of a scene stand on the stage.  Strings lie in lanes, from left to right as x does;
// plates lie below them in perspective; masses stand where they touch; modal objects are bars, bridges
// or, not drawn, bodies.  Motion is drawn larger than it is: each lane and plate has a scale that follows it.

const isOn = (contact, id) => contact.ports.findIndex((port) => port.object === id);

export class Layout {
  constructor(description, width, height) {
    this.description = description;
    this.width = width;
    this.height = height;
    this.byId = new Map(description.objects.map((object) => [object.id, object]));
    this.lanes = new Map();
    this.plates = new Map();
    this.masses = new Map();
    this.bridges = new Map();
    this.bars = new Map();
    this.lying = this.findLying();
    this.struck = this.findStruck();
    this.share();
    this.placeStrings();
    this.placePlates();
    this.placeLying();
    this.placeBridges();
    this.placeBars();
    this.placeMasses();
  }

  ofKind(kind) { return this.description.objects.filter((object) => object.kind === kind); }
  contactsOf(id) { return this.description.contacts.filter((contact) => isOn(contact, id) >= 0); }

  /** The other port of a contact, seen from an object. */
  across(contact, id) { return contact.ports[1 - isOn(contact, id)]; }
  here(contact, id) { return contact.ports[isOn(contact, id)]; }

  // Strings that touch a plate in several places lie on it, as the wires of a drum: those places, by string.
  findLying() {
    const places = (string) => this.contactsOf(string.id).filter((contact) => contact.kind === 'collision' && this.byId.get(this.across(contact, string.id).object)?.kind === 'plate')
      .map((contact) => ({ here: this.here(contact, string.id), there: this.across(contact, string.id) }));
    return new Map(this.ofKind('string').map((string) => [string, places(string)]).filter(([, found]) => found.length > 1));
  }

  meets(object, kind) { return this.contactsOf(object.id).find((contact) => this.byId.get(this.across(contact, object.id)?.object)?.kind === kind); }

  // A modal object that a mass strikes and no string touches is a bar.
  findStruck() { return this.ofKind('modal').filter((object) => this.meets(object, 'mass') && !this.meets(object, 'string')); }

  // How much of the height strings and plates get; above them are bars, if there are any.
  share() {
    const strings = this.ofKind('string').length - this.lying.size, plates = this.ofKind('plate').length;
    const above = this.struck.length ? 0.18 : 0, top = (0.1 + above) * this.height, room = (0.8 - above) * this.height;
    const part = strings && plates ? Math.min(0.62, 0.34 + 0.07 * strings) : strings ? 1 : 0;
    this.stringBox = { top, height: room * part };
    this.plateBox = { top: top + room * part, height: room * (1 - part) };
    this.margin = Math.max(26, 0.06 * this.width);
  }

  placeStrings() {
    const strings = this.ofKind('string').filter((string) => !this.lying.has(string));
    const longest = Math.max(...strings.map((string) => string.length || 1));
    const step = this.stringBox.height / Math.max(1, strings.length);
    const span = this.width - 2 * this.margin;
    strings.forEach((string, index) => {
      const shareOf = Math.max(0.4, (string.length || longest) / longest);
      const density = string.length ? string.mass / string.length : 1e-3;
      this.lanes.set(string.id, {
        object: string, y: this.stringBox.top + step * (index + 0.5), left: this.margin, right: this.margin + span * shareOf,
        reach: Math.min(0.42 * step, 70), scale: 0, thick: Math.min(5, 1.3 + 26 * Math.sqrt(density)),
      });
    });
  }

  placePlates() {
    const plates = this.ofKind('plate');
    const step = (this.width - 2 * this.margin) / Math.max(1, plates.length);
    plates.forEach((plate, index) => {
      const ratio = Math.min(4, Math.max(0.3, plate.width / plate.length)) || 1;
      const wide = Math.min(0.86 * step, this.plateBox.height * 1.9 / Math.min(1, ratio)), deep = Math.min(0.62 * this.plateBox.height, wide * ratio * 0.55);
      this.plates.set(plate.id, {
        object: plate, left: this.margin + step * (index + 0.5) - wide / 2 - 0.12 * deep, bottom: this.plateBox.top + 0.56 * this.plateBox.height + deep / 2,
        wide, deep, lean: 0.5 * deep, reach: Math.min(46, 0.2 * this.plateBox.height), scale: 0,
      });
    });
  }

  placeLying() {
    for (const [string, places] of this.lying) {
      const [first, last] = [places[0], places[places.length - 1]], plate = this.plates.get(first.there.object);
      const along = (last.there.x - first.there.x) / (last.here.x - first.here.x) || 1;
      const place = (x) => plate.left + plate.wide * (first.there.x + along * (x - first.here.x)) + plate.lean * first.there.y;
      this.lanes.set(string.id, { object: string, lies: true, left: place(0), right: place(1), y: plate.bottom - plate.deep * first.there.y, reach: 7, scale: 0, thick: 1.6 });
    }
  }

  // A modal object that a string pulls is a bridge.
  placeBridges() {
    for (const object of this.ofKind('modal')) {
      const pulled = this.contactsOf(object.id).find((contact) => this.byId.get(this.across(contact, object.id)?.object)?.kind === 'string');
      if (pulled && this.contactsOf(object.id).length > 1) {
        const port = this.across(pulled, object.id), lane = this.lanes.get(port.object);
        this.bridges.set(object.id, { object, lane, x: lane.left + port.x * (lane.right - lane.left), tall: Math.min(0.24 * this.height, 84) });
      }
    }
  }

  // Bars are seen from above: side by side, the lower the longer.
  placeBars() {
    const bars = this.struck, alone = !this.lanes.size && !this.plates.size, step = (this.width - 2 * this.margin) / Math.max(1, bars.length);
    const lowest = Math.min(...bars.map((bar) => bar.fundamental || Infinity));
    bars.forEach((object, index) => this.bars.set(object.id, {
      object, contact: this.meets(object, 'mass'), swing: (alone ? 0.18 : 0.05) * this.height, x: this.margin + step * (index + 0.5), y: (alone ? 0.44 : 0.13) * this.height,
      wide: Math.min(0.86 * step, 0.12 * this.width), long: (alone ? 0.56 : 0.17) * this.height * Math.sqrt(lowest / object.fundamental || 1),
    }));
  }

  // At the contact by which they touch something that has a place; otherwise side by side.
  placeMasses() {
    const alone = [];
    for (const mass of this.ofKind('mass')) {
      const contact = this.contactsOf(mass.id).find((one) => [this.lanes, this.plates, this.bars].some((parts) => parts.has(this.across(one, mass.id).object)));
      if (!contact) {
        alone.push(mass);
        continue;
      }
      const port = this.across(contact, mass.id);
      const bar = this.bars.get(port.object), radius = Math.min(this.radius(mass), 0.4 * (bar?.wide ?? Infinity));
      this.masses.set(mass.id, { object: mass, contact, port, above: isOn(contact, mass.id) === 1, radius, reach: bar?.swing, scale: 0 });
    }
    alone.forEach((mass, index) => this.masses.set(mass.id, {
      object: mass, x: this.width * (index + 1) / (alone.length + 1), y: this.lanes.size ? 0.16 * this.height : 0.55 * this.height,
      radius: 1.5 * this.radius(mass), reach: this.lanes.size ? 24 : 0.3 * this.height, scale: 0,
    }));
  }

  radius(mass) { return Math.min(20, Math.max(7, 9 + 2.2 * Math.log10(Math.max(1e-6, mass.mass) / 1e-3))); }

  // ---------------------------------------------------------------- from numbers to places

  stringPoint(lane, row, x) {
    const { at, across } = lane.object, place = Math.min(1, Math.max(0, x)) * (across - 1), low = Math.min(across - 2, Math.floor(place));
    const u = row ? row[at + low] + (place - low) * (row[at + low + 1] - row[at + low]) : 0;
    return { x: lane.left + x * (lane.right - lane.left), y: lane.y - u * lane.scale };
  }

  platePoint(plate, row, x, y) {
    const { at, across, down } = plate.object;
    const i = Math.round(x * (across - 1)), j = Math.round(y * (down - 1)), u = row ? row[at + j * across + i] : 0;
    return { x: plate.left + x * plate.wide + y * plate.lean, y: plate.bottom - y * plate.deep - u * plate.scale };
  }

  massPoint(mass, row) {
    const u = row ? row[mass.object.at] : 0;
    if (!mass.port) return { x: mass.x, y: mass.y - Math.max(-1, Math.min(1, u * mass.scale / mass.reach)) * mass.reach };
    const lane = this.lanes.get(mass.port.object), side = mass.above ? -1 : 1;
    if (lane) {
      const base = this.stringPoint(lane, row, mass.port.x);
      const shift = Math.max(-lane.reach, Math.min(lane.reach, u * lane.scale));
      return { x: base.x, y: Math.max(3.4 * mass.radius, lane.y - shift + side * (mass.radius + lane.thick / 2)) };
    }
    const bar = this.bars.get(mass.port.object);
    if (bar) return { x: bar.x, y: bar.y + Math.min(bar.swing, Math.abs(u) * mass.scale) };
    const plate = this.plates.get(mass.port.object), base = this.platePoint(plate, null, mass.port.x, mass.port.y);
    return { x: base.x, y: base.y + side * mass.radius - Math.max(-0.2 * this.height, Math.min(0.5 * this.height, u * plate.scale * 0.5)) };
  }

  /** Where a port is drawn; null where it has no place of its own. */
  portPoint(port, row) {
    const lane = this.lanes.get(port.object), plate = this.plates.get(port.object), mass = this.masses.get(port.object), bar = this.bars.get(port.object);
    if (bar) return { x: bar.x, y: bar.y };
    if (lane) return this.stringPoint(lane, row, port.x);
    if (plate) return this.platePoint(plate, row, port.x, port.y);
    return mass ? this.massPoint(mass, row) : null;
  }

  /** Where a contact lights. */
  contactPoint(contact, row) {
    const bridge = contact.ports.map((port) => this.bridges.get(port.object)).find(Boolean);
    if (bridge) return this.footPoint(bridge, contact, row);
    const points = contact.ports.filter((port) => port.object).map((port) => this.portPoint(port, row)).filter(Boolean);
    if (!points.length) return null;
    const [only] = contact.ports.map((port) => this.masses.get(port.object)).filter(Boolean);
    if (points.length === 1 && only) return { x: points[0].x, y: points[0].y + (contact.ports[1].object === only.object.id ? 1 : -1) * only.radius };
    // Between a mass and what it touches; otherwise on the string or plate itself
    if (points.length < 2 || Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) > 50) {
      return contact.ports.filter((port) => this.lanes.has(port.object)).map((port) => this.portPoint(port, row))[0] ?? points[0];
    }
    return { x: (points[0].x + points[1].x) / 2, y: (points[0].y + points[1].y) / 2 };
  }

  /** The feet of a bridge stand to both sides of its middle, in the order of their shapes. */
  footPoint(bridge, contact, row) {
    const other = this.across(contact, bridge.object.id), lane = this.lanes.get(other.object);
    if (lane) return this.stringPoint(lane, row, other.x);
    const feet = this.contactsOf(bridge.object.id).filter((one) => !this.lanes.has(this.across(one, bridge.object.id).object));
    const index = feet.indexOf(contact), side = feet.length < 2 ? 0 : 2 * index / (feet.length - 1) - 1;
    return { x: bridge.x + 21 * side, y: bridge.lane.y + bridge.tall, side };
  }

  /** Let scales follow the motion: up at once, down slowly, so that nothing leaves its lane. */
  follow(low, high) {
    const reachOf = (object) => {
      let most = 0;
      for (let i = object.at; i < object.at + object.across * object.down; i++) most = Math.max(most, Math.abs(low[i]), Math.abs(high[i]));
      return Number.isFinite(most) ? most : 0;
    };
    for (const part of [...this.lanes.values(), ...this.plates.values(), ...[...this.masses.values()].filter((mass) => !mass.port || this.bars.has(mass.port.object))]) {
      const most = Math.max(reachOf(part.object), 1e-9), wanted = part.reach / most;
      if (!part.scale || wanted < part.scale) part.scale = wanted;
      else part.scale = Math.min(wanted, part.scale * 1.01, part.reach / (part.object.kind === 'mass' ? 1e-4 : 2e-5));
    }
  }
}
