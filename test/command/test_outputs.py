#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the command prints and writes, held to the hashes of test/outputs.txt: any changed word or number is noticed.

usage: test_outputs.py JAWARI SOURCE-FOLDER          prints TAP
       test_outputs.py JAWARI SOURCE-FOLDER write    writes the hashes anew, after a change that is meant
       test_outputs.py JAWARI SOURCE-FOLDER show NAME    prints what a command gives, as it is hashed

Whether it is right is for the other tests to say; this one says that it is what it was.  What may differ without being wrong is
left out: versions, the time that it took, memory, rounding (the ledger's residual; other energies count with nine digits), the
bytes of FLAC, Ogg and HDF5 around the numbers.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

JAWARI, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
HASHES = os.path.join(SOURCE, "test/outputs.txt")
try:
    import h5py
except ImportError:
    h5py = None

# ---------------------------------------------------------------- scenes

STRING = {"kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A3", "loss": [0.5, 1e-3], "points": 40}
STOP = {"string": STRING, "stop": {"kind": "barrier", "position": -2e-4}}
RATTLE = [{"law": "collision", "below": "stop", "above": "string@0.4", "stiffness": 1e7, "name": "rattle"}]
PULLED = [{"on": "string@0.2", "amplitude": 2e-3}]
NEAR = [{"at": "string@0.9", "gain": "auto", "name": "near", "pan": -0.5}, {"contact": "rattle", "quantity": "force", "gain": 0.1, "pan": 0.8},
        {"at": "string@0.3", "quantity": "displacement", "gain": 50}]


def string(**keys):
    return {name: value for name, value in dict(STRING, **keys).items() if value is not None}


def scene(objects, **keys):
    made = {"jawari": 1, "duration": 0.12, "objects": objects, "pickups": [{"at": next(iter(objects)) + "@0.9"}]}
    made.update(keys)
    return {name: value for name, value in made.items() if value is not None}


SCENES = {
    "stop": scene(STOP, title="A string & its <stop>", contacts=RATTLE, initial=PULLED, pickups=NEAR),
    "fixed": scene(STOP, contacts=RATTLE, initial=PULLED, pickups=[{"at": "string@0.9", "gain": 0.2}]),
    "body": scene({"plate": {"kind": "plate", "size": [0.3, 0.2], "thickness": 2e-3, "material": "spruce", "points": [9, 6], "loss": [5, 1e-2]},
                   "modes": string(method="modes", points=None, modes=12), "foot": {"kind": "mass", "mass": 2e-3, "frequency": 300, "loss": 2}},
                  contacts=[{"law": "connection", "between": ["plate@0.4,0.6", "modes@0.95"], "stiffness": 1e5},
                            {"law": "spring", "name": "felt", "between": ["foot", "plate@0.7,0.3"], "linear": 1e4, "damping": 0.2}],
                  score=[{"at": 0.01, "pluck": "modes@0.2", "amplitude": 1}, {"at": 0.05, "strike": "plate@0.2,0.2", "amplitude": 3}],
                  pickups=[{"at": "plate@0.8,0.8", "name": "body"}, {"at": "foot", "quantity": "displacement"}]),
    "bowed": scene({"s": string(decay=[220, 2, 3000, 0.3], loss=None, bend=1.5)}, duration=0.9,
                   score=[{"bow": "s@0.12", "name": "bow", "force": [[0, 0.1], [0.3, 0.4]], "speed": 0.15}, {"at": 0.5, "set": "s.cents", "to": 80}]),
    "thrown": scene({"ball": {"kind": "mass", "mass": 0.01, "position": 2e-3, "velocity": -1}, "floor": {"kind": "barrier"}}, duration=0.05,
                    contacts=[{"law": "collision", "below": "floor", "above": "ball", "stiffness": 1e6, "exponent": 1.5}],
                    pickups=[{"at": "ball", "quantity": "displacement"}]),
    "mute": scene(STOP, contacts=RATTLE, initial=PULLED, pickups=None),
    "whole": {"jawari": 1, "include": [{"file": "part.json", "with": {"thick": 2e-4}}], "duration": 0.05, "pickups": [{"at": "a@0.9"}], "score": [{"pluck": "a@0.3"}]},
    "part": {"jawari": 1, "parameters": {"thick": 3e-4}, "objects": {"a": string(radius="$thick")}},
    "late": scene(STOP, score=[{"at": 9, "pluck": "string@0.3"}, {"pluck": "string@0"}]),
    "wrong": scene({"a": {"kind": "strng"}, "b": string(length=-1), "c": string(frequency="H9")}, pickups=[{"at": "z@2"}], colour=3),
    "deep": scene({"m": {"kind": "mass", "mass": 1e-3, "frequency": 100, "displacement": 1e-3}}, pickups=[{"at": "m"}],
                  duration=0.02, world={"sample_rate": 8000}),
    # Strings of many pitches and ends, for what `info` says and `render` hears
    "high": scene({"s": string(frequency="E6", length=0.3, points=None)}, duration=0.3, initial=[{"on": "s@0.3", "amplitude": 1e-3}], pickups=[{"at": "s@0.9"}]),
    "low": scene({"s": string(frequency="A1", length=0.9, points=60)}, duration=0.5, initial=[{"on": "s@0.2", "amplitude": 2e-3}],
                 pickups=[{"at": "s@0.8", "quantity": "displacement"}]),
    "plates": scene({"p": {"kind": "plate", "size": [0.3, 0.2], "thickness": 2e-3, "material": "steel", "points": [9, 6], "loss": [3, 1e-2], "edges": "clamped"},
                     "q": {"kind": "plate", "size": [0.2, 0.2], "thickness": 1e-3, "material": "glass", "points": [7, 7], "edges": "free", "loss": [3, 1e-2]}},
                    duration=0.1, score=[{"strike": "p@0.3,0.4", "amplitude": 2}, {"at": 0.02, "strike": "q@0.1,0.2", "amplitude": 1}],
                    pickups=[{"at": "p@0.7,0.6", "pan": 0.3}, {"at": "q@0.5,0.5", "quantity": "displacement", "gain": "auto"}]),
    "many": scene({"s%d" % i: string(frequency=110 * (i + 2) / 2, points=20) for i in range(6)}, duration=0.1, fade=0.02, humanise={"seed": 3, "time": 0.01},
                  contacts=[{"law": "connection", "name": "c%d" % i, "between": ["s%d@0.9" % i, "s%d@0.8" % (i + 1)], "stiffness": 1e4} for i in range(5)],
                  score=[{"at": 0.01 * i, "pluck": "s%d@0.3" % i} for i in range(6)], pickups=[{"at": "s%d@0.7" % i, "name": "ear%d" % i} for i in range(6)]),
    "noted": scene({"s": string(bend=2.5), "t": string(frequency="E4", bend=2.5)}, duration=0.9, tempo=240,
                   score=[{"pluck": "s@0.3", "name": "a"}, {"pluck": "t@0.3", "name": "b"}, {"note": "A3", "at": 0.02, "vibrato": [7, 60]},
                          {"beat": 1, "note": ["B3+14", "G4"], "beats": 0.5, "dynamic": "pp"}, {"at": 0.4, "note": 230.5, "glide": [[0, -100], [0.1, 30], [0.2, 0]], "on": "a"},
                          {"at": 0.45, "note": "F4", "trill": [200, 16], "duration": 0.3, "dynamic": "f"}],
                   pickups=[{"at": "s@0.9"}, {"at": "t@0.8"}]),
    "led": scene({"s": string(bend=2.5, decay=[220, 2, 3000, 0.3], loss=None)}, duration=1.2, tempo=120,
                 score=[{"bow": "s@0.12", "name": "bow", "force": 0.2, "speed": 0.15}, {"beat": 0.1, "note": "A3", "beats": 1, "dynamic": [[0, "p"], [0.4, "ff"]], "vibrato": [6, 30]},
                        {"beat": 1.2, "note": "C4", "beats": 0.8, "glide": [[0, -300], [0.1, 0]], "dynamic": "mf"}]),
    "loud": scene({"s": string()}, initial=[{"on": "s@0.2", "amplitude": 0.4}], pickups=[{"at": "s@0.9", "gain": 1}]),
    "far": scene({"m": {"kind": "mass", "mass": 1e-3, "velocity": 3}}, pickups=[{"at": "m", "quantity": "displacement"}], duration=0.05),
    "warm": scene({"a": {"kind": "mass", "mass": 0.01}, "b": {"kind": "mass", "mass": 0.02, "position": 1e-3}}, duration=0.02,
                  contacts=[{"law": "spring", "between": ["a", "b"], "linear": 1e5}], pickups=[{"at": "a"}]),
    "grid": {"sweep": 1, "scene": "fixed.json", "seconds": 0.02, "vary": {"rattle.stiffness": [1e5, 1e7], "string.radius": {"from": 2e-4, "to": 4e-4, "count": 3}},
             "keep": ["sound", "statistics", "contacts", "features"], "fields": {"string": {"places": 3, "every": 0.01}}},
    "sobol": {"sweep": 1, "scene": "thrown.json", "by": "sobol", "points": 5, "seed": 3, "vary": {"ball.mass": {"from": 0.001, "to": 0.1, "log": True}},
              "keep": ["statistics"]},
}
# Every option of render, one at a time, and values at and beyond their ends.
RENDERED = ["-r 8000", "-r 7999", "-r 1e6", "-r 2e6", "-d 0.001", "-d 0", "-d 3600.1", "-d -1", "--oversample 8", "--oversample 0", "--oversample 65", "--oversample 1.5",
            "--rule bounded", "--rule newton", "--rule refined", "--rule auto", "--rule plain", "--rule none", "--gain auto", "--gain 0", "--gain -2", "--gain loud",
            "--loudness -30", "--loudness 1", "--bits 8", "--bits float", "--channels one", "--channels pickups", "--channels stereo", "-o b --format wav",
            "--format mp3", "--every 0", "--every 1e9", "--every 50 --energy e.csv", "--energy e.txt", "--energy -", "--field string", "--field string=f.csv --field stop=g.csv",
            "--field string=f.csv --field string=g.csv", "--field =f.csv", "--midi none.mid", "--midi song.mid --map five.scl", "--scale five.scl", "--midi fixed.json",
            "--midi song.mid --scale song.mid", "--stats s.wav", "--plot p.png", "--plot p.pdf", "--set string.radius", "--set string.radius=thin", "--set strin.radius=1",
            "--set string.radius=2e-4", "--set stop.position=-1e-3 --set stop.position=-1e-4", "--folder .", "--no-ledger --energy e.csv", "--strict -q", "more.json", "--output",
            "--durat 1", "--quiet=1", "-qd0.01", "-qd", "-x", "--", "-o fixed.json", "-o a.csv --energy a.csv", "-o a.wav --stats a.wav", "-o nowhere/a.wav", "-o a", "-o .wav"]
SONG = (b"MThd\0\0\0\6\0\0\0\1\0\x60MTrk\0\0\0\x1c" b"\0\x90\x39\x5a\x30\x80\x39\x40\0\x90\x3e\x40\x30\x80\x3e\x40\0\x90\x6e\x40\x08\x80\x6e\x40\0\xff\x2f\0")
SCALE = "! five\nFive equal\n 5\n!\n 240.0\n 480.0\n 720.\n 960.0\n 2/1\n"

# ---------------------------------------------------------------- commands: what they are called, words, files that they write

STATS = ["--stats", "s.json"]
MORE = ["--energy", "e.csv", "--field", "string=f.csv"]
COMMANDS = {
    "render": ("render stop.json -o a.wav --stats s.json --energy e.csv --field string=f.csv --plot p.svg", "a.wav s.json e.csv f.csv p.svg"),
    "render by name": ("render stop.json", "stop.wav"),
    "render in 16 bits": ("render stop.json -o a.wav --bits 16 --channels mono --stats -", "a.wav"),
    "render in 24 bits": ("render stop.json -o a.wav --bits 24 -r 22050 --strict", "a.wav"),
    "render each pickup": ("render stop.json -o a.w64 --channels pickups --gain 0.5", "a.w64"),
    "render a table": ("render stop.json -o a.csv --rule newton -d 0.03", "a.csv"),
    "render finer": ("render stop.json -o a.csv --oversample 4 -d 0.02 --every 8 --energy e.csv --field string=f.csv", "a.csv e.csv f.csv"),
    "render finer, a sound": ("render stop.json -o a.wav --oversample 2 -d 0.05 --no-ledger", "a.wav"),
    "render above full scale": ("render stop.json -o a.wav --gain 30 -q", "a.wav"),
    "render loudly": ("render bowed.json -o a.wav --loudness -16 --stats s.json", "a.wav s.json"),
    "render loudly what is short": ("render stop.json -o a.wav --loudness -16", ""),
    "render a bow": ("render bowed.json -o a.csv --plot p.svg -q -d 0.4", "a.csv p.svg"),
    "render into HDF5": ("render body.json -o a.h5 --field plate --field modes --energy e.h5", "a.h5 e.h5"),
    "render a field of its own": ("render body.json -o a.csv --field plate=f.h5 --field foot=g.csv --every 100", "a.csv f.h5 g.csv"),
    "render a field that is none": ("render stop.json -o a.csv --field strng=f.csv", ""),
    "render modes": ("render body.json -o a.wav --field modes=f.csv --energy e.csv --every 200 --stats s.json", "a.wav f.csv e.csv s.json"),
    "render into a pipe": ("render fixed.json -o - --stats s.json", "s.json"),
    "render into a pipe, 16 bits": ("render fixed.json -o - --bits 16 --channels mono -q", ""),
    "render into a pipe, 24 bits": ("render fixed.json -o - --bits 24 -q --gain 0.01", ""),
    "render into a pipe, too loud": ("render fixed.json -o - --bits 24 -q --gain 1e3", ""),
    "render into a pipe, gain to be found": ("render stop.json -o - -q", ""),
    "render a table into a pipe": ("render thrown.json -o - --format csv -q", ""),
    "render a field without ending": ("render thrown.json -o a.csv --field ball=f -q", ""),
    "render a song": ("render bowed.json --midi song.mid -o a.wav -d 0.6", "a.wav"),
    "render a song, tuned": ("render bowed.json --midi song.mid --scale five.scl -o a.csv -d 0.6 --energy e.csv --every 500", "a.csv e.csv"),
    "render without pickups": ("render mute.json --energy e.csv --field string=f.csv --every 500", "e.csv f.csv"),
    "render without pickups, a picture": ("render mute.json --plot p.svg", "p.svg"),
    "render without pickups, figures": ("render mute.json --stats s.json", "s.json"),
    "render without pickups, a field": ("render mute.json --field string=f.csv --every 900", "f.csv"),
    "render without pickups, energy": ("render mute.json --energy e.csv --every 900", "e.csv"),
    "render without pickups, nothing else": ("render mute.json", ""),
    "render without pickups, a sound": ("render mute.json -o a.wav", ""),
    "render what includes": ("render whole.json -o a.csv --set a.length=0.6 -d 0.01", "a.csv"),
    "render with other numbers": ("render stop.json -o a.csv -d 0.01 --set string.radius=2e-4 --set initial[0].amplitude=1e-3", "a.csv"),
    "render every rule": ("render thrown.json -o a.csv --rule plain --energy e.csv", "a.csv e.csv"),
    "render in words that need quotes": (["render", "thrown.json", "-o", "it's a.csv", "-q"], ["it's a.csv"]),
    "render strictly": ("render late.json -o a.wav --strict", ""),
    "render what has errors": ("render wrong.json -o a.wav", ""),
    "plot": ("plot stop.json -o p.svg", "p.svg"),
    "plot by name, modes": ("plot body.json --string modes --panels waveform,shape,energy", "body.svg"),
    "plot a spectrogram": ("plot bowed.json -o p.svg --panels spectrogram,waveform -d 0.5 -r 22050", "p.svg"),
    "plot masses": ("plot thrown.json -o - -q", ""),
    "plot panels that are none": ("plot stop.json -o p.svg --panels wave", ""),
    "plot a string that is none": ("plot stop.json -o p.svg --string stop", ""),
    "plot something short": ("plot deep.json -o p.svg", "p.svg"),
    "converge": ("converge deep.json -o p.svg --doublings 2", "p.svg"),
    "converge, rules": ("converge thrown.json --rules bounded,newton -r 22050 --doublings 2 -d 0.01 -o p.svg", "p.svg"),
    "converge, its own rule last": ("converge thrown.json --rules newton,plain,own -r 22050 --doublings 1 -d 0.01", ""),
    "converge, a rule twice": ("converge thrown.json --rules newton,newton", ""),
    "converge, a rule that is none": ("converge thrown.json --rules newton,fast", ""),
    "converge, too little": ("converge thrown.json --doublings 0", ""),
    "info": ("info stop.json", ""),
    "info of a body": ("info body.json --rate 96000 --oversample 2", ""),
    "info of a bow": ("info bowed.json", ""),
    "info of masses": ("info thrown.json", ""),
    "info of what is mute": ("info mute.json", ""),
    "check": ("check stop.json body.json late.json wrong.json none.json", ""),
    "check strictly": ("check stop.json late.json --strict", ""),
    "check nothing": ("check", ""),
    "scenes": ("scenes --show bouncing-ball", ""),
    "scenes that are none": ("scenes --show bouncing-bal", ""),
    "what plays what": ("play bowed.json --list-controls", ""),
    "what plays what, nothing": ("play mute.json --list-controls", ""),
    "help of a verb": ("schema --help", ""),
    "help of another": ("help check", ""),
    "a paper": ("paper run willemsen2019-mass-barrier --out o", "o/willemsen2019-mass-barrier.svg"),
    "a paper that is none": ("paper run willemsen --out o", ""),
    "the manual page": ("--man", ""),
    "completions of bash": ("--completion bash", ""),
    "completions of zsh": ("--completion zsh", ""),
    "papers that are listed": ("paper list", ""),
    "completions of another": ("--completion fish", ""),
    "render a rule that pulls": ("render thrown.json -o a.h5 --rule plain --set contacts[0].loss=1e7", "a.h5"),
    "render a rule that lets go": ("render thrown.json -o a.h5 --rule released --stats s.json", "a.h5 s.json"),
    "render fields of plates": ("render plates.json -o a.h5 --field q=f.h5 --field p=g.csv -d 0.03 --every 400", "a.h5 f.h5 g.csv"),
    "render energies of many": ("render many.json -o a.h5 --energy e.h5 -d 0.03", "a.h5 e.h5"),
    "hear what is high": ("render high.json -o a.csv -q --every 1000 --energy e.csv", "e.csv"),
    "sweep": ("sweep grid.json -o a.h5", "a.h5"),
    "sweep, one worker": ("sweep sobol.json -j 1 -q", "sobol.h5"),
    "sweep, a shard": ("sweep grid.json -o a.h5 --shard 2/4", "a.2-of-4.h5"),
    "sweep, what it would do": ("sweep grid.json --dry-run", ""),
    "sweep, other points": ("sweep sobol.json --dry-run", ""),
    "sweep, no sweep": ("sweep fixed.json -o a.h5", ""),
    "plot, every panel of a body": ("plot body.json -o p.svg --panels waveform,spectrogram,energy,shape -d 0.2", "p.svg"),
    "plot, a short string": ("plot fixed.json -o p.svg --panels shape,contacts -d 0.004", "p.svg"),
    "plot, a very short string": ("plot fixed.json -o p.svg -d 0.0005", "p.svg"),
    "plot, many": ("plot many.json -o p.svg", "p.svg"),
    "plot, its contacts": ("plot stop.json -o p.svg --panels contacts,energy -d 0.05", "p.svg"),
    "plot, another string": ("plot many.json -o p.svg --string s3 --panels shape", "p.svg"),
    "plot, without a string": ("plot plates.json -o p.svg", "p.svg"),
    "plot, silence": ("plot late.json -o p.svg -d 0.01", ""),
    "plot, into nowhere": ("plot stop.json -o nowhere/p.svg", ""),
    "plot, as another picture": ("plot stop.json -o p.png", ""),
    "plot, oversampled": ("plot thrown.json -o p.svg --oversample 3 -r 22050", "p.svg"),
    "converge, a string": ("converge fixed.json --doublings 2 -d 0.01 -o p.svg", "p.svg"),
    "converge, a body": ("converge body.json --doublings 2 -d 0.01 -r 22050 --rules own,bounded", ""),
    "converge, without pickups": ("converge mute.json --doublings 2", ""),
    "converge, too much": ("converge deep.json --doublings 20", ""),
    "converge, into a table": ("converge deep.json -o p.csv", ""),
    "scenes, a group": ("scenes --group nothing", ""),
    "scenes, too much": ("scenes more", ""),
    "schema, too much": ("schema more", ""),
    "a paper, nothing": ("paper", ""),
    "a paper, too much": ("paper run a b c", ""),
    "a paper into a file": ("paper run willemsen2019-mass-barrier --out stop.json", ""),
    "play, no scene": ("play --list-controls", ""),
    "play, a map alone": ("play bowed.json --map five.scl --list-controls", ""),
    "play, tuned": ("play bowed.json --scale five.scl --list-controls", ""),
    "play, a scale that is none": ("play bowed.json --scale stop.json --list-controls", ""),
    "play, one that has errors": ("play wrong.json --list-controls", ""),
    "no verb": ("-q", ""),
    "help of nothing": ("help nothing", ""),
}
COMMANDS.update({"%s of %s" % (verb, name): ("%s %s.json%s" % (verb, name, more), "") for verb, more in (("info", ""), ("check", ""), ("play", " --list-controls"))
                 for name in ("high", "low", "plates", "many", "noted", "led", "loud", "far", "warm", "late", "body")})
COMMANDS.update({"render %s" % name: ("render %s.json -o a.csv --stats s.json --energy e.csv --every 300 --plot p.svg" % name, "a.csv s.json e.csv p.svg")
                 for name in ("high", "low", "plates", "many", "noted", "led", "loud", "far", "warm", "late")})
COMMANDS.update({"render with %s" % words: ("render fixed.json %s-d 0.02 %s" % ("" if "-o " in words else "-o a.wav ", words), "a.wav f.csv g.csv e.csv") for words in RENDERED})

# ---------------------------------------------------------------- what is compared


def plain(text):
    """A text without what may differ."""
    text = re.sub(r"jawari \d+\.\d+\.\d+( \(libsndfile-[^)]*\))?", "jawari VERSION", text)
    text = re.sub(r'("(?:version|seconds|realtime_factor|energy_residual)": )[^,\n]*', r"\1...", text)
    text = re.sub(r"(the ledger closes to )\S+", r"\1...", text)
    text = re.sub(r"\d+ workers?, .*", "...", text)
    return re.sub(r"(?m)^(  (?:speed|ledger residual|memory|operations) +).*$", r"\1...", text)


def chunks_of(data, at, end):
    while at + 8 <= end:
        kind, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        assert at + 8 + size <= end, "chunk %r is cut off" % kind
        yield kind, data[at + 8:at + 8 + size]
        at += 8 + size + size % 2
    assert at == end, "%d bytes are left over" % (end - at)


def plain_wav(data):
    """The chunks of a WAV file; "broken" where its head contradicts it."""
    try:
        return chunks_of_wav(data)
    except (AssertionError, KeyError, struct.error) as error:
        return b"broken: %s" % str(error).encode()


def chunks_of_wav(data):
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE" and struct.unpack("<I", data[4:8])[0] == len(data) - 8, "RIFF"
    parts, chunks = [], dict(chunks_of(data, 12, len(data)))
    tag, channels, rate, second, frame, bits = struct.unpack("<HHIIHH", chunks[b"fmt "][:16])
    assert frame == channels * bits // 8 and second == rate * frame and len(chunks[b"data"]) % frame == 0, "fmt"
    assert tag == (3 if bits == 32 else 1) or tag == 0xfffe, "tag %d" % tag
    if b"fact" in chunks:
        assert struct.unpack("<I", chunks[b"fact"])[0] * (1 if tag == 3 or bits < 32 else channels) == len(chunks[b"data"]) // frame, "fact"
    for kind, body in chunks.items():
        if kind == b"LIST":
            assert body[:4] == b"INFO", "LIST"
            body = b"\n".join(k + b" " + plain(t.rstrip(b"\0").decode()).encode() for k, t in chunks_of(body, 4, len(body)))
        parts.append(kind + b" " + body)
    return b"\n".join(parts)


def plain_w64(data):
    at, parts = 40, []
    while at + 24 <= len(data):
        size = struct.unpack("<Q", data[at + 16:at + 24])[0]
        if data[at:at + 4] in (b"fmt ", b"data"):
            parts.append(data[at:at + 4] + data[at + 24:at + size])
        at += (size + 7) // 8 * 8
    assert len(parts) == 2
    return b"\n".join(parts)


def plain_table(text):
    """Tables of energy lose their rounding; all others keep every digit."""
    lines = plain(text).splitlines()
    head = [i for i, line in enumerate(lines) if line.startswith("time ")]
    columns = lines[head[0]].split(",") if head else []
    if "residual" in columns:
        left_out = columns.index("residual")
        for i in range(head[0] + 1, len(lines)):
            lines[i] = ",".join("..." if c == left_out else "%.9g" % float(x) for c, x in enumerate(lines[i].split(",")))
    return "\n".join(lines)


def plain_h5(path):
    """Every group, table and attribute."""
    parts = []

    def attributes(item):
        for name in sorted(item.attrs):
            value = item.attrs[name]
            if not name.startswith(("DIMENSION_LIST", "REFERENCE_LIST")):
                parts.append("  %s = %s" % (name, plain(value.decode() if isinstance(value, bytes) else str(value))))

    def visit(name, item):
        parts.append(name)
        attributes(item)
        if isinstance(item, h5py.Dataset) and "residual" not in name:
            parts.append("  %s %s" % (item.shape, item.dtype))
            if item.dtype.kind == "f":
                digits = "%.9g" if "energy" in name or item.name.startswith("/contact") else "%.17g"
                parts.append("\n".join(digits % x for x in item[()].ravel()))
            elif item.dtype.kind in "iu":
                parts.append(str(item[()]))

    with h5py.File(path, "r") as file:
        attributes(file)
        file.visititems(visit)
    return "\n".join(parts)


def plain_file(path):
    if path.endswith(".h5"):
        return plain_h5(path).encode()
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".wav"):
        return plain_wav(data)
    if path.endswith(".w64"):
        return plain_w64(data)
    text = data.decode()
    return (plain_table(text) if path.endswith(".csv") else plain(text)).encode()


def some_verbs(text):
    """Of the manual page and the completions what two verbs have; the others grow."""
    if text.startswith(".TH"):
        sections = re.split(r"(?m)^(?=\.S[SH] )", text)
        return "".join(part for part in sections if not part.startswith(".SS") or re.match(r"\.SS jawari (check|plot|scenes)", part))
    lines = [line for line in text.split("\n") if "--set" not in line]
    return "\n".join(lines[:5] + [line for line in lines[5:] if re.search(r"^ *'?(plot|check|scenes|schema)[:)]", line)] + lines[-4:])


def plain_stdout(data):
    if data.startswith((b".TH", b"# bash", b"#compdef")):
        return some_verbs(plain(data.decode())).encode()
    if data[:4] == b"RIFF":
        return plain_wav(data)
    return plain_table(data.decode()).encode()


def words_of(given):
    return given.split() if isinstance(given, str) else given


def look(folder, name):
    """What a command gives: part -> bytes, or None where this machine cannot look."""
    own = os.path.join(folder, re.sub(r"\W+", "-", name))
    os.mkdir(own)
    for made, content in SCENES.items():
        with open(os.path.join(own, made + ".json"), "w") as file:
            json.dump(content, file, indent=1)
    with open(os.path.join(own, "song.mid"), "wb") as file:
        file.write(SONG)
    with open(os.path.join(own, "five.scl"), "w") as file:
        file.write(SCALE)
    before = set(os.listdir(own))
    words, files = map(words_of, COMMANDS[name])
    done = subprocess.run([JAWARI, *words], cwd=own, capture_output=True, stdin=subprocess.DEVNULL)
    parts = {"status": b"%d" % done.returncode, "stdout": plain_stdout(done.stdout), "stderr": plain(done.stderr.decode()).encode(),
             "files": "\n".join(sorted(set(os.listdir(own)) - before)).encode()}
    for file in files:
        path = os.path.join(own, file)
        missing = file.endswith(".h5") and h5py is None
        parts[file] = None if missing else plain_file(path) if os.path.exists(path) else b"missing"
        if (parts[file] or b"").startswith(b"broken"):
            raise ValueError("%s, %s: %s" % (name, file, parts[file].decode()))
    return parts


def hashes_of_all():
    """Of each command as it comes: its name, and the hash of each part; None where this machine cannot look."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, parts in zip(COMMANDS, pool.map(lambda name: look(folder, name), COMMANDS)):
            yield name, {"%s: %s" % (name, part): data and hashlib.sha256(data).hexdigest()[:24] if data != b"" else "nothing" for part, data in parts.items()}


def write():
    hashes = {part: text for _, parts in hashes_of_all() for part, text in parts.items()}
    if None in hashes.values():
        sys.exit("test_outputs.py: python3-h5py is needed to write the hashes")
    with open(HASHES, "w") as file:
        file.write("".join("%s  %s\n" % (text, name) for name, text in hashes.items()))
    return 0


def main():
    if sys.argv[3:4] == ["show"]:
        with tempfile.TemporaryDirectory() as folder:
            for part, data in look(folder, sys.argv[4]).items():
                print("---- %s\n%s" % (part, (data or b"").decode(errors="replace")))
        return 0
    if sys.argv[3:] == ["write"]:
        return write()
    with open(HASHES) as file:
        known = {name: text for text, name in (line.rstrip("\n").split("  ", 1) for line in file)}
    print("1..%d" % (len(COMMANDS) + 1))
    bad, seen = 0, set()
    for number, (name, hashes) in enumerate(hashes_of_all(), 1):
        seen |= set(hashes)
        wrong = [part for part, text in hashes.items() if text and text != known.get(part)]
        bad += bool(wrong)
        if wrong:
            print("# changed: %s; after a change that is meant, `make golden`" % ", ".join(part[len(name) + 2:] for part in wrong))
        skip = " # SKIP python3-h5py is not installed" if not wrong and None in hashes.values() else ""
        print("%s %d %s%s" % ("not ok" if wrong else "ok", number, name, skip), flush=True)
    listed = set(known) == seen
    print("%s %d every output is listed, and nothing else" % ("ok" if listed else "not ok", len(COMMANDS) + 1))
    return 1 if bad or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
