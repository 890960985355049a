// SPDX-License-Identifier: MIT
// The instrument as it is drawn: wood, strings with their blur, plates as nets, lights where things touch.
import { palette } from './dom.js';

// The grain of the wood: the same on every drawing.
function* grain(seed, count) {
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (state * 1664525 + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

function board(context, layout, colour) {
  const lanes = [...layout.lanes.values()].filter((lane) => !lane.lies);
  if (!lanes.length) return;
  const alone = lanes.length === 1, left = layout.margin - 22, right = Math.max(...lanes.map((lane) => lane.right)) + 24;
  const top = lanes[0].y, bottom = lanes[lanes.length - 1].y, deep = layout.bridges.size ? [...layout.bridges.values()][0].tall : 34;
  const head = alone ? 24 : 26, wide = layout.plates.size ? 0.42 * layout.stringBox.height : Math.max(deep + 22, 0.3 * layout.height), tail = alone ? wide : 26;
  context.beginPath();
  context.moveTo(left, top - head + 6);
  context.quadraticCurveTo(left, top - head, left + 8, top - head);
  context.lineTo(right - 12, top - tail * (alone ? 0.72 : 1));
  context.quadraticCurveTo(right, top - tail * (alone ? 0.72 : 1), right, top - tail * 0.5);
  context.lineTo(right, bottom + tail * 0.6);
  context.quadraticCurveTo(right, bottom + tail, right - 14, bottom + tail);
  context.lineTo(left + 8, bottom + head);
  context.quadraticCurveTo(left, bottom + head, left, bottom + head - 6);
  context.closePath();
  const wood = context.createLinearGradient(0, top - tail, 0, bottom + tail);
  wood.addColorStop(0, colour.wood);
  wood.addColorStop(1, colour['wood-dark']);
  context.save();
  context.shadowColor = colour.shade;
  context.shadowBlur = 22;
  context.shadowOffsetY = 9;
  context.fillStyle = wood;
  context.fill();
  context.restore();
  context.save();
  context.clip();
  context.strokeStyle = colour['wood-dark'];
  context.globalAlpha = 0.35;
  const shifts = [...grain(7, 26)];
  shifts.forEach((shift, i) => {
    const y = top - tail + (bottom - top + 2 * tail) * (i + shift) / shifts.length;
    context.lineWidth = 0.5 + shift;
    context.beginPath();
    context.moveTo(left, top + (y - top) * 0.55);
    context.bezierCurveTo(left + (right - left) * 0.3, y + 6 * shift, left + (right - left) * 0.6, y - 5 * shift, right, y);
    context.stroke();
  });
  context.restore();
}

function ends(context, lane, colour) {
  context.fillStyle = colour.ink;
  for (const x of [lane.left, lane.right]) {
    context.globalAlpha = 0.75;
    context.beginPath();
    context.roundRect(x - 2.5, lane.y - 9, 5, 18, 2);
    context.fill();
  }
  context.globalAlpha = 1;
}

function trace(context, lane, values, begin) {
  const { at, across } = lane.object;
  for (let i = 0; i < across; i++) {
    const x = lane.left + (lane.right - lane.left) * i / (across - 1), y = lane.y - values[at + i] * lane.scale;
    if (i === 0 && begin) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
}

function traceBack(context, lane, values) {
  const { at, across } = lane.object;
  for (let i = across - 1; i >= 0; i--) {
    context.lineTo(lane.left + (lane.right - lane.left) * i / (across - 1), lane.y - values[at + i] * lane.scale);
  }
}

function string(context, lane, view, colour) {
  if (view.low) {
    context.beginPath();
    trace(context, lane, view.high, true);
    traceBack(context, lane, view.low);
    context.closePath();
    context.globalAlpha = 0.42;
    context.fillStyle = colour.string;
    context.fill();
    context.globalAlpha = 1;
  }
  context.lineJoin = 'round';
  for (const [style, width, shift] of [[colour.shade, lane.thick + 1, 4], [colour['string-dark'], lane.thick + 1.4, 0], [colour.string, lane.thick - 0.4, 0]]) {
    context.save();
    context.translate(0, shift);
    context.beginPath();
    trace(context, lane, view.row, true);
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke();
    context.restore();
  }
}

function plate(context, layout, part, view, colour) {
  const { across, down } = part.object, point = (i, j) => layout.platePoint(part, view.row, i / (across - 1), j / (down - 1));
  const corners = [[0, 0], [across - 1, 0], [across - 1, down - 1], [0, down - 1]].map(([i, j]) => layout.platePoint(part, null, i / (across - 1), j / (down - 1)));
  context.save();
  context.shadowColor = colour.shade;
  context.shadowBlur = 20;
  context.shadowOffsetY = 10;
  context.beginPath();
  corners.forEach(({ x, y }, index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  const shine = context.createLinearGradient(corners[0].x, corners[0].y, corners[2].x, corners[2].y);
  shine.addColorStop(0, colour.metal);
  shine.addColorStop(1, colour['metal-dark']);
  context.fillStyle = shine;
  context.fill();
  context.restore();
  context.strokeStyle = colour.ink;
  const lines = (count, most) => Math.max(1, Math.ceil(count / most));
  for (let j = 0; j < down; j += lines(down, 20)) {
    context.globalAlpha = 0.16 + 0.3 * (1 - j / down);
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 0; i < across; i++) {
      const { x, y } = point(i, j);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.stroke();
  }
  context.globalAlpha = 0.16;
  for (let i = 0; i < across; i += lines(across, 20)) {
    context.beginPath();
    for (let j = 0; j < down; j++) {
      const { x, y } = point(i, j);
      if (j) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

function mass(context, layout, part, view, colour) {
  const { x, y } = layout.massPoint(part, view.row), r = part.radius;
  const finger = /finger|hand|thumb/.test(part.object.name);
  const ball = context.createRadialGradient(x - r / 3, y - r / 3, r / 6, x, y, finger ? 2 * r : r);
  for (const [stop, name] of [[0, finger ? '#ffe3cf' : '#f4f1ec'], [0.45, finger ? '#e0a883' : '#9b9287'], [1, finger ? '#9c6042' : '#3c3631']]) ball.addColorStop(stop, name);
  context.save();
  context.shadowColor = colour.shade;
  context.shadowBlur = 10;
  context.shadowOffsetY = 4;
  context.fillStyle = ball;
  context.beginPath();
  if (finger) context.roundRect(x - r * 0.8, y - 3.2 * r, 1.6 * r, 4.2 * r, 0.8 * r);
  else context.arc(x, y, r, 0, 7);
  context.fill();
  context.restore();
}

function bar(context, part, glow, colour) {
  const { x, y, wide, long } = part;
  context.save();
  context.shadowColor = colour.shade;
  context.shadowBlur = 8;
  context.shadowOffsetY = 4;
  const wood = context.createLinearGradient(x - wide / 2, 0, x + wide / 2, 0);
  wood.addColorStop(0, colour.wood);
  wood.addColorStop(1, colour['wood-dark']);
  context.fillStyle = wood;
  context.beginPath();
  context.roundRect(x - wide / 2, y - long / 2, wide, long, 3);
  context.fill();
  context.shadowColor = 'transparent';
  context.globalAlpha = 0.5 * glow;
  context.fillStyle = colour.light;
  context.fill();
  context.restore();
}

function floor(context, layout, view, colour) {
  const barriers = layout.ofKind('barrier');
  const alone = [...layout.masses.values()].filter((part) => !part.port);
  if (!barriers.length || !alone.length || layout.lanes.size) return;
  const part = alone[0], y = part.y - (view.row ? view.row[barriers[0].at] : 0) * part.scale;
  const touching = layout.contactsOf(barriers[0].id).find((contact) => contact.ports.some((port) => port.object === part.object.id));
  const above = touching && touching.ports[1].object === barriers[0].id;
  context.fillStyle = colour['wood-dark'];
  context.beginPath();
  context.roundRect(layout.margin, above ? y - 14 - part.radius : y + part.radius, layout.width - 2 * layout.margin, 14, 5);
  context.fill();
}

// A barrier that several strings meet at one place is a fret: a wire across the board.
function frets(context, layout, colour) {
  const wires = new Map();
  for (const contact of layout.description.contacts) {
    const rigid = contact.ports.find((port) => layout.byId.get(port.object)?.kind === 'barrier'), lane = rigid && layout.lanes.get(layout.across(contact, rigid.object).object);
    if (!lane || contact.points > 1) continue;
    const x = Math.round(layout.stringPoint(lane, null, layout.across(contact, rigid.object).x).x);
    wires.set(x, [...(wires.get(x) ?? []), lane.y]);
  }
  for (const [x, ys] of wires) {
    if (ys.length < 2) continue;
    const top = Math.min(...ys) - 14, tall = Math.max(...ys) - top + 14;
    context.fillStyle = colour.shade;
    context.fillRect(x, top + 2, 3.5, tall);
    context.fillStyle = colour.metal;
    context.fillRect(x - 1.5, top, 3, tall);
  }
  return new Set([...wires].filter(([, ys]) => ys.length > 1).map(([x]) => x));
}

// Barriers under strings: where the contact is, as a stop or bed.
function beds(context, layout, view, colour) {
  const wires = frets(context, layout, colour);
  for (const barrier of layout.ofKind('barrier')) {
    for (const contact of layout.contactsOf(barrier.id)) {
      const port = layout.across(contact, barrier.id), lane = layout.lanes.get(port.object);
      if (lane) bed(context, layout, { contact, barrier, lane, port, wires }, view, colour);
    }
  }
}

function bed(context, layout, { contact, barrier, lane, port, wires }, view, colour) {
  const below = contact.ports[0].object === barrier.id ? 1 : -1, { x, y } = layout.stringPoint(lane, null, port.x);
  if (contact.points < 2 && wires.has(Math.round(x))) return;
  const shift = Math.max(4, Math.min(lane.reach, Math.abs((view.row ? view.row[barrier.at] : 0) * lane.scale)));
  context.fillStyle = colour['wood-dark'];
  context.globalAlpha = 0.9;
  context.beginPath();
  if (contact.points > 1) context.roundRect(lane.left, below > 0 ? y + shift : y - shift - 6, lane.right - lane.left, 6, 3);
  else context.roundRect(x - 3, below > 0 ? y + shift : y - shift - 12, 6, 12, 2);
  context.fill();
  context.globalAlpha = 1;
}

function bridge(context, layout, part, view, colour) {
  const top = layout.stringPoint(part.lane, view.row, (part.x - part.lane.left) / (part.lane.right - part.lane.left));
  const foot = part.lane.y + part.tall, lean = layout.lean?.get(part.object.id) ?? 0;
  context.save();
  context.shadowColor = colour.shade;
  context.shadowBlur = 9;
  context.shadowOffsetY = 3;
  context.fillStyle = colour.wood;
  context.strokeStyle = colour['wood-dark'];
  context.lineWidth = 1.2;
  context.beginPath();
  context.moveTo(top.x - 6, top.y + 2);
  context.lineTo(top.x + 6, top.y + 2);
  context.bezierCurveTo(top.x + 12, foot - part.tall * 0.5, part.x + 30, foot - 24, part.x + 29, foot - lean);
  context.lineTo(part.x + 13, foot - lean);
  context.bezierCurveTo(part.x + 10, foot - 22, part.x - 10, foot - 22, part.x - 13, foot);
  context.lineTo(part.x - 29, foot);
  context.bezierCurveTo(part.x - 30, foot - 24, top.x - 12, foot - part.tall * 0.5, top.x - 6, top.y + 2);
  context.closePath();
  context.fill();
  context.shadowColor = 'transparent';
  context.stroke();
  context.restore();
}

function bow(context, layout, contact, view, colour, motion) {
  const lane = layout.lanes.get(contact.ports[0].object);
  if (!lane) return;
  const at = layout.stringPoint(lane, view.row, motion.x ?? contact.ports[0].x), lifted = motion.force <= 0;
  if (lifted && motion.added && Math.abs(motion.shift) < 1) return; // A bow of the page's is seen while it is used
  context.save();
  context.translate(at.x, at.y - (lifted ? 6 : 0));
  context.rotate(-1.27);
  const size = Math.min(1, layout.height / 360);
  context.scale(size, size);
  context.translate(motion.shift, 0);
  context.globalAlpha = lifted ? 0.55 : 1;
  context.shadowColor = colour.shade;
  context.shadowBlur = 8;
  context.shadowOffsetY = 4;
  context.strokeStyle = colour.card;
  context.lineWidth = 3;
  context.beginPath();
  context.moveTo(-100, 0);
  context.lineTo(104, 0);
  context.stroke();
  context.strokeStyle = '#6b3a1d';
  context.lineWidth = 4;
  context.lineCap = 'round';
  context.beginPath();
  context.moveTo(-124, -12);
  context.quadraticCurveTo(0, -6, 108, -13);
  context.quadraticCurveTo(112, -6, 104, 0);
  context.stroke();
  context.fillStyle = '#2a1a10';
  context.beginPath();
  context.roundRect(-110, -12, 18, 13, 3);
  context.fill();
  context.restore();
}

function light(context, point, glow, colour, size) {
  context.save();
  if (glow > 0.02) {
    const halo = context.createRadialGradient(point.x, point.y, 1, point.x, point.y, 6 * size);
    halo.addColorStop(0, colour.light);
    halo.addColorStop(1, 'transparent');
    context.globalAlpha = glow;
    context.fillStyle = halo;
    context.beginPath();
    context.arc(point.x, point.y, 6 * size, 0, 7);
    context.fill();
  }
  context.globalAlpha = 0.45 + 0.55 * glow;
  context.fillStyle = glow > 0.3 ? colour.light : colour.card;
  context.strokeStyle = colour.light;
  context.lineWidth = 0.35 * size;
  context.beginPath();
  context.arc(point.x, point.y, size, 0, 7);
  context.fill();
  context.stroke();
  context.restore();
}

/** Draw a view: the row of numbers now, and the least and largest since the last. */
export function paint(context, layout, view) {
  const colour = palette();
  context.clearRect(0, 0, layout.width, layout.height);
  board(context, layout, colour);
  floor(context, layout, view, colour);
  for (const part of layout.plates.values()) plate(context, layout, part, view, colour);
  beds(context, layout, view, colour);
  for (const part of layout.bars.values()) bar(context, part, view.glow[part.contact.id - 1], colour);
  for (const part of layout.bridges.values()) bridge(context, layout, part, view, colour);
  for (const lane of layout.lanes.values()) {
    if (!lane.lies) ends(context, lane, colour);
    string(context, lane, view, colour);
  }
  for (const part of layout.masses.values()) mass(context, layout, part, view, colour);
  for (const contact of layout.description.contacts) {
    if (contact.kind === 'bow') bow(context, layout, contact, view, colour, view.bows.get(contact.id));
    else if (contact.kind !== 'spring' && !contact.ports.some((port) => layout.bars.has(port.object))) {
      const point = layout.contactPoint(contact, view.row);
      if (point) light(context, point, view.glow[contact.id - 1], colour, layout.description.contacts.length > 20 ? 2.1 : 3.6);
    }
  }
  if (view.cursor) {
    context.strokeStyle = colour.accent;
    context.setLineDash([4, 4]);
    context.beginPath();
    context.arc(view.cursor.x, view.cursor.y, 13, 0, 7);
    context.stroke();
    context.setLineDash([]);
  }
}
