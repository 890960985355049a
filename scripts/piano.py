#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write scenes/piano.json: the grand piano from its tables.

    scripts/piano.py                  the scene, on standard output
    scripts/piano.py --keys 40 44     a part of the keyboard, for trying things out
    scripts/piano.py --table          what each key is to do: pitch, B, decay of its partials

What is known of pianos is in the tables below, by key (1 is A0, 40 is C4, 88 is C8), with straight lines between the entries,
of logarithms where the name says so.  What follows from it is worked out here: where a string must be tuned to, so that it
sounds its note once a bridge holds it and a board gives way; and how strongly each key's place on the bridge moves the board,
so that the note fades as it should.  Both come from one equation, the strings of a key on their board in the scheme's own time
step (docs/physics.md, sections 1 and 2): with z the pole of a partial,

    1 + K (z + 2 + 1/z)/4 (sum w^2 y/(z - (1 + e - b) + e/z) + n sum W^2 Y/(z - (1 + E - B) + E/z)) = 0

w, e, b, y are the weights at the pin and the coefficients of a string's modes, W, E, B, Y those of the board, n is how many
strings the key has, K the stiffness of the pin.
"""

import argparse
import cmath
import math
import sys

RATE = 44100.0
PIN = 0.98  # Where a string lies on the bridge
STIFF = 2e6  # The pin, N/m
HIGHEST, TOP = 15600.0, 20500.0  # Modes up to here, Hz; of the top octave

STRETCH = [(1, -20.0), (13, -9.0), (25, -4.0), (37, -1.0), (49, 0.0), (61, 9.5), (64, 13.5), (76, 22.0), (88, 33.0)]
LOG_B = [(1, 2.40e-4), (13, 1.06e-4), (25, 8.9e-5), (37, 2.16e-4), (49, 6.4e-4), (61, 1.8e-3), (73, 5.7e-3), (88, 2.35e-2)]
LOG_LENGTH = [(1, 2.0), (16, 1.9), (28, 1.1), (40, 0.62), (52, 0.33), (64, 0.175), (76, 0.095), (88, 0.052)]
TENSION = [(1, 1200.0), (16, 750.0), (28, 700.0), (40, 670.0), (64, 680.0), (88, 750.0)]
# Decay of the prompt sound of the lower partials, 1/s
LOG_DECAY = [(1, 0.36), (16, 0.75), (28, 1.75), (33, 0.7), (37, 0.3), (40, 1.12), (52, 0.8), (64, 2.4), (76, 3.3), (88, 6.0)]
LOG_HAMMER = [(1, 5.5e-3), (16, 4.9e-3), (40, 2.97e-3), (76, 2.2e-3), (88, 1.9e-3)]  # kg a string
LOG_FELT = [(1, 2e8), (16, 4e8), (40, 4.5e9), (76, 1e12), (88, 4e12)]
EXPONENT = [(1, 2.2), (16, 2.3), (40, 2.5), (76, 3.0), (88, 3.1)]
STRIKE = [(1, 0.12), (52, 0.12), (76, 0.09), (88, 0.07)]
FELT_LOSS = 0.1  # Of the felt's force, for each m/s that it is pressed in
S0, S1 = 0.17, 2.5e-4
BOARD_MODES = 72
STEP = 1.2  # From scale to scale
LAST_DAMPER = 68
DAMPING = 2.0  # Of a damper, in units of the string's impedance


def line(table, key, logarithm=False):
    for (a, x), (b, y) in zip(table, table[1:]):
        if key <= b:
            t = (key - a) / (b - a)
            return math.exp(math.log(x) * (1 - t) + math.log(y) * t) if logarithm else x * (1 - t) + y * t
    return table[-1][1]


def strings_of(key):
    return 1 if key <= 10 else 2 if key <= 28 else 3


def pitch(key):
    return 440.0 * 2 ** ((key - 49) / 12 + line(STRETCH, key) / 1200)


def coefficients(w0, s, mass, k):
    """e, b, y of a mode with exact poles (1.4)."""
    e = math.exp(-2 * s * k)
    w = math.sqrt(w0 * w0 - s * s)
    b = 1 + e - 2 * math.exp(-s * k) * math.cos(w * k)
    return e, b, k * k / (4 * mass) * (2 * (1 + e) - b)


def board():
    """Frequencies, loss factors, masses, and two wave numbers of the board's modes."""
    shapes = sorted(((m * m + 2.2 * n * n, m, n) for m in range(1, 40) for n in range(1, 30)))[:BOARD_MODES]
    modes = []
    f = 58.0
    for i, (_, m, n) in enumerate(shapes):
        spacing = 24.0 if f < 600 else 0.048 * f
        mobility = 8.5e-4 / (1 + (f / 800.0) ** 1.6)  # Mean, s/kg
        loss = 0.11
        # An irregular board: a tenth of the spacing to either side
        modes.append((f + 0.1 * spacing * math.sin(7.3 * i), loss, 1 / (4 * spacing * mobility), m, n))
        f += spacing
    return modes


def place(key):
    t = (key - 1) / 87
    return 0.11 + 0.76 * t, 0.3 + 0.33 * t - 0.16 * math.sin(math.pi * t)


def shape(x, y, m, n):
    return 2 * math.sin(m * math.pi * x) * math.sin(n * math.pi * y)


class Key:
    def __init__(self, key, modes):
        self.key = key
        self.count = strings_of(key)
        self.length = line(LOG_LENGTH, key, True) / PIN
        self.tension = line(TENSION, key)
        self.B = line(LOG_B, key, True)
        self.strike = line(STRIKE, key) * PIN
        self.first = pitch(key)
        self.mass = self.tension / (2 * self.length * PIN * self.first) ** 2
        p = 1
        while p * PIN * self.first * math.sqrt(1 + self.B * PIN * PIN * p * p) < (HIGHEST if key < 77 else TOP):
            p += 1
        self.modes = p - 1
        self.damping = DAMPING * math.sqrt(self.tension * self.mass)
        self.stiffen()
        self.bending = self.stiff * self.tension * (self.length * PIN / math.pi) ** 2
        self.row = [shape(*place(key), m, n) for (_, _, _, m, n) in modes]
        self.tune(modes)

    def stiffen(self):
        """A pin that few modes resolve takes some of the stiffness away: find what gives B between two partials."""
        low, high = (1, 2) if self.modes < 6 else (1, 3) if self.modes < 12 else (2, 6) if self.modes < 40 else (4, 12)
        self.stiff = self.B
        for _ in range(10):
            own = self.parts(PIN * self.first, 1 / RATE)
            ratio = (cmath.phase(self.start(own, high, 1 / RATE)) * low / (cmath.phase(self.start(own, low, 1 / RATE)) * high)) ** 2
            self.stiff *= min(1.15, max(0.85, self.B * (high * high - ratio * low * low) / (ratio - 1)))

    def parts(self, frequency, k):
        """The string's own terms of the equation, with its first mode at `frequency`."""
        stiff = self.stiff * PIN * PIN
        found = []
        for i in range(1, self.modes + 1):
            w0 = 2 * math.pi * frequency * i * math.sqrt((1 + stiff * i * i) / (1 + stiff))
            s = S0 + S1 * (i * math.pi / self.length) ** 2
            if w0 * k < math.pi:
                e, b, y = coefficients(w0, s, self.mass * self.length / 2, k)
                found.append((math.sin(i * math.pi * PIN) ** 2 * y, 1 + e - b, e))
        return found

    def pole(self, own, scale, z):
        """The pole near z, by Newton's method, with the key's place on the board scaled."""
        terms = own + ([(scale * scale * a, c, e) for a, c, e in self.board] if scale else [])
        for _ in range(12):
            spring = STIFF * (z + 2 + 1 / z) / 4
            value = 1 / spring
            slope = -STIFF * (1 - 1 / (z * z)) / 4 / (spring * spring)
            for a, c, e in terms:
                inverse = 1 / (z - c + e / z)
                value += a * inverse
                slope -= a * (1 - e / (z * z)) * inverse * inverse
            change = value / slope
            z -= change
            if abs(change) < 1e-15:
                break
        return z

    def start(self, own, p, k):
        """The pole of partial p on a board that does not move."""
        f = self.first * p * math.sqrt((1 + self.B * p * p) / (1 + self.B))
        return self.pole(own, 0.0, cmath.exp(complex(-S0 * k, 2 * math.pi * f * k)))

    def partials(self):
        """Those that carry the sound: up to about 1 kHz, six at most."""
        return [p for p in range(1, 7) if p == 1 or p * self.first < 1200]

    def tune(self, modes):
        """Follow the poles from a board that stands still to one that moves enough."""
        k = 1 / RATE
        self.board = []
        for (f, loss, mass, _, _), w in zip(modes, self.row):
            e, b, y = coefficients(2 * math.pi * f, math.pi * f * loss, mass, k)
            self.board.append((self.count * w * w * y, 1 + e - b, e))
        wanted, frequency = line(LOG_DECAY, self.key, True), PIN * self.first
        own = self.parts(frequency, k)
        zs = [self.start(own, p, k) for p in self.partials()]
        scale, before = 0.08, 0.0
        while scale < 4.0:
            zs = [self.pole(own, scale, z) for z in zs]
            mean = sum(-math.log(abs(z)) / k for z in zs) / len(zs)
            if mean >= wanted:
                share = (wanted - before) / (mean - before) if before else 1.0
                scale *= STEP ** (share - 1.0)
                break
            scale, before = scale * STEP, mean
        self.scale = scale
        self.row = [scale * w for w in self.row]
        z = zs[0]
        for _ in range(6):
            z = self.pole(self.parts(frequency, k), scale, z)
            frequency *= 2 * math.pi * self.first * k / cmath.phase(z)
        self.frequency = frequency

    def table(self):
        k = 1 / RATE
        own = self.parts(self.frequency, k)
        found = []
        for p in (1, 2, 3, 4, 6, 8, 12, 16):
            if p <= self.modes // 2 + 1:
                z, scale = self.start(own, p, k), 0.08
                while scale < self.scale:
                    z = self.pole(own, scale, z)
                    scale *= STEP
                z = self.pole(own, self.scale, z)
                found.append((cmath.phase(z) / (2 * math.pi * k), -math.log(abs(z)) / k))
        return found


def number(x, digits=5):
    text = f"{x:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        text = f"{mantissa}e{int(exponent)}"
    return text


def numbers(values, digits=5):
    return "[" + ", ".join(number(v, digits) for v in values) + "]"


# By how much (Hz) the second and third string of a key are apart from the first, less below 300 Hz: what a tuner leaves
DETUNE = [0.0, 0.19, -0.13]


def scene(keys, modes, head):
    out = ["{", '  "jawari": 1,'] + head + ['  "objects": {']
    for s, letter in enumerate("abc"):
        some = [k for k in keys if k.count > s]
        if not some:
            continue
        out.append(f'    "string${{i}}{letter}": {{ "kind": "string", "method": "modes", "modes": "$n", "length": "$l", "mass_per_length": "$m", "bending": "$b", '
                   f'"frequency": "$f", "loss": [{number(S0)}, {number(S1)}],')
        out.append(f'      "repeat": {{ "i": {[k.key for k in some]}, "n": {[k.modes for k in some]},')
        out.append(f'        "l": {numbers([k.length for k in some])},')
        out.append(f'        "m": {numbers([k.mass for k in some])},')
        out.append(f'        "b": {numbers([k.bending for k in some])},')
        out.append(f'        "f": {numbers([k.frequency + PIN * DETUNE[s] * min(1.0, k.first / 300) for k in some], 8)} }} }},')
    out.append(f'    "hammer$i": {{ "kind": "mass", "mass": "$m", "position": -0.01, "repeat": {{ "i": {[k.key for k in keys]}, '
               f'"m": {numbers([k.count * line(LOG_HAMMER, k.key, True) for k in keys], 4)} }} }},')
    out.append('    "board": { "kind": "modal", "modes": [')
    out.append("      " + ", ".join(f"[{number(f, 6)}, {number(math.pi * f * loss, 4)}, {number(m, 4)}]" for (f, loss, m, _, _) in modes) + "],")
    out.append('      "shapes": [')
    ears = [[shape(x, y, m, n) for (_, _, _, m, n) in modes] for x, y in ((0.31, 0.42), (0.72, 0.61))]
    rows = [k.row for k in keys] + ears
    out += ["        " + numbers(r, 3) + ("," if i + 1 < len(rows) else "") for i, r in enumerate(rows)]
    out += ["      ] },", '    "frame": { "kind": "barrier" }', "  },", '  "contacts": [']
    index = {k.key: i for i, k in enumerate(keys)}
    lines = []
    for s, letter in enumerate("abc"):
        some = [k for k in keys if k.count > s]
        if not some:
            continue
        ids = [k.key for k in some]
        lines.append(f'    {{ "law": "spring", "name": "pin${{i}}{letter}", "between": ["board@$r", "string${{i}}{letter}@{PIN}"], "linear": {number(STIFF)}, '
                     f'"repeat": {{ "i": {ids}, "r": {[index[k.key] for k in some]} }} }}')
        felt = [line(LOG_FELT, k.key, True) for k in some]
        lines.append(f'    {{ "law": "collision", "name": "felt${{i}}{letter}", "below": "hammer$i", "above": "string${{i}}{letter}@$x", "stiffness": "$k", "exponent": "$a", "loss": "$l",\n'
                     f'      "repeat": {{ "i": {ids}, "x": {numbers([k.strike for k in some])},\n'
                     f'        "k": {numbers(felt, 4)},\n'
                     f'        "a": {numbers([line(EXPONENT, k.key) for k in some], 4)},\n'
                     f'        "l": {numbers([FELT_LOSS * f for f in felt], 4)} }} }}')
        damped = [k for k in some if k.key <= LAST_DAMPER]
        if damped:
            lines.append(f'    {{ "law": "spring", "name": "damper${{i}}{letter}", "between": ["frame", "string${{i}}{letter}@$x"], "damping": "$d", '
                         f'"repeat": {{ "i": {[k.key for k in damped]}, "x": {numbers([k.strike for k in damped])},\n'
                         f'        "d": {numbers([k.damping for k in damped], 3)} }} }}')
    out.append(",\n".join(lines))
    out.append("  ],")
    return out


HEAD = """  "title": "Grand piano: 88 keys, 226 strings, one soundboard",
  "description": "Chromatic from A0 to C8: one string a key in the bass, two, then three; felt hammers, dampers up to E6, and a pedal (cc64) that lifts them all. All strings lie on one soundboard, and what a piano does comes by itself: the strings of a key draw energy from each other, so that a note falls fast and then slowly; strings that nobody plays answer while the pedal is down. Louder is brighter, since felt hardens; octaves are stretched, since wires are stiff. Heard at two places of the board.",
  "sources": ["Inharmonicity, stretch and times of decay: the values that test_instruments holds it to (scripts/piano.py, tables)",
              "Strings and hammers at C2, C4, C7: Chaigne and Askenfelt, J. Acoust. Soc. Am. 95 (1994); straight lines of logarithms between them",
              "Soundboard: mean mobility of 8.5e-4 s/kg below 800 Hz, falling above, loss factor 0.11, modes 24 Hz apart: usual sizes; each key's place is scaled so that it decays as measured",
              "Made by scripts/piano.py"],
  "duration": 14,
  "world": { "channels": 2 },
  "tempo": 72,
  "humanise": { "seed": 11, "time": 0.008, "dynamic": 0.04 },""".split("\n")

SCORE = """  "score": [
    { "beat": "$t", "note": "$n", "beats": "$d", "dynamic": "mp",
      "repeat": { "t": [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5], "d": [4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5], "n": ["C2", "G2", "E3", "C4", "G4", "C5", "E5", "G5"] } },
    { "beat": "$t", "note": "$n", "beats": "$d", "dynamic": "mf",
      "repeat": { "t": [4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5], "d": [4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5], "n": ["A1", "E2", "C3", "A3", "E4", "A4", "C5", "E5"] } },
    { "beat": "$t", "note": "$n", "beats": 0.2, "dynamic": "p",
      "repeat": { "t": [8, 8.25, 8.5, 8.75, 9, 9.25, 9.5, 9.75], "n": ["C6", "E6", "G6", "C7", "E7", "G7", "C8", "G7"] } },
    { "beat": 8, "note": ["F1", "C3", "A3"], "beats": 2, "dynamic": "mf" },
    { "beat": 10, "note": ["A0", "A1", "G2", "C4", "E4", "C5"], "beats": 6, "dynamic": "ff" }
  ],""".split("\n")


def voices(keys):
    lines = []
    for names, some in ((["a"], [k for k in keys if k.count == 1]), (["a", "b"], [k for k in keys if k.count == 2]),
                        (["a", "b", "c"], [k for k in keys if k.count == 3 and k.key <= LAST_DAMPER]), ([], [k for k in keys if k.key > LAST_DAMPER])):
        if some:
            damper = ", ".join(f'"damper${{i}}{n}"' for n in names)
            held = f'"damper": [{damper}], "damping": [0, "$d"], "release": 0, ' if names else ""
            damping = f', "d": {numbers([k.damping for k in some], 3)}' if names else ""
            lines.append(f'      {{ "throw": "hammer$i", "pitch": "fixed", "from": -1e-3, "strength": [0.3, 4.5], "frequency": "$f", {held}\n'
                         f'        "repeat": {{ "i": {[k.key for k in some]}, "f": {numbers([440 * 2 ** ((k.key - 49) / 12) for k in some], 6)}{damping} }} }}')
    return ['  "play": {', '    "mode": "poly",', '    "voices": ['] + ",\n".join(lines).split("\n") + ["    ]", "  },"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", nargs="*", type=int)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--try", dest="tried", type=float, help="strike all keys with this velocity, m/s, without dampers")
    args = parser.parse_args()
    modes = board()
    keys = [Key(k, modes) for k in (args.keys or range(1, 89))]
    if args.table:
        for k in keys:
            print(k.key, k.count, k.modes, f"{k.first:.2f} scale {k.scale:.2f}", " ".join(f"{f / k.first:.3f}:{d:.2f}" for f, d in k.table()))
        print(sum(k.modes * k.count for k in keys))
        return
    out = scene(keys, modes, HEAD)
    if args.tried:
        out = [text.replace('"damping": "$d"', '"damping": 0').replace('"d": ', '"unused": ') for text in out]
        out.append('  "score": [' + ", ".join(f'{{ "at": 0.01, "throw": "hammer{k.key}", "velocity": {args.tried}, "position": -1e-3 }}' for k in keys) + "],")
    else:
        out += SCORE + voices(keys)
    gain = "1" if args.tried else '"auto"'
    out += ['  "pickups": [', f'    {{ "name": "left", "at": "board@{len(keys)}", "pan": -0.7, "gain": {gain} }},',
            f'    {{ "name": "right", "at": "board@{len(keys) + 1}", "pan": 0.7, "gain": {gain} }}', "  ]", "}"]
    print("\n".join(out))


main()
