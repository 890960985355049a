#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pure Data, Csound and Octave give the samples of `jawari render`, headless, also where numbers have a comma.

usage: test_small.py JAWARI SOURCE-ROOT pd|csound|octave MODULE      prints TAP
"""
import array
import os
import shutil
import struct
import subprocess
import sys
import tempfile

JAWARI, SOURCE, HOST, MODULE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3], os.path.abspath(sys.argv[4])
PROGRAM = {"pd": "pd", "csound": "csound", "octave": "octave-cli"}[HOST]
RATE, FRAMES = 48000, 48000
# Two strings that are bowed, at a level of their own.
SCENE = """{ "jawari": 1, "world": { "sample_rate": 48000 }, "duration": 1.5,
  "objects": {
    "s": { "kind": "string", "length": 0.6, "radius": 3e-4, "material": "nylon", "frequency": "A3", "bend": 2,
           "loss": [60, 1e-3], "points": 16 },
    "t": { "kind": "string", "length": 0.5, "radius": 3e-4, "material": "nylon", "frequency": "E4", "bend": 2,
           "loss": [60, 1e-3], "points": 16 } },
  "score": [ { "bow": "s@0.12", "name": "one", "force": 0.2, "speed": 0.15, "until": 0.4 },
             { "bow": "t@0.12", "name": "two", "force": 0.2, "speed": 0.15, "until": 0.4 } ],
  "pickups": [ { "at": "s@0.9", "pan": -0.5, "gain": 0.25 }, { "at": "t@0.9", "pan": 0.5, "gain": 0.25 } ],
  "play": { "mode": "poly", "voices": [ { "bow": "one" }, { "bow": "two" } ] } }
"""
# Frames are whole blocks of 64, where Pd and Csound take messages: milliseconds are multiples of four.
SONG = [(0, 0x90, 57, 90), (100, 0x90, 64, 100), (200, 0xe0, 0, 80), (300, 0xb0, 1, 30), (500, 0x80, 57, 0), (700, 0x80, 64, 0)]


def midi_file():
    """Format 0; one tick is one frame."""
    track, last = b"\x00\xff\x51\x03" + (500000).to_bytes(3, "big"), 0
    for ms, *message in SONG:
        frame = ms * RATE // 1000
        delta, parts = frame - last, []
        last = frame
        while True:
            parts.insert(0, (delta & 127) | (128 if parts else 0))
            delta >>= 7
            if not delta:
                break
        track += bytes(parts) + bytes(message)
    track += b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, RATE // 2) + b"MTrk" + struct.pack(">I", len(track)) + track


def read_wav(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 12
    while at + 8 <= len(data):
        kind, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        if kind == b"fmt ":
            tag, channels, rate, _, _, bits = struct.unpack("<HHIIHH", data[at + 8:at + 24])
            assert (channels, rate, bits) == (2, RATE, 32), (tag, channels, rate, bits)
        if kind == b"data":
            samples = array.array("f")
            samples.frombytes(data[at + 8:at + 8 + min(size, len(data) - at - 8) // 8 * 8])
            return samples
        at += 8 + size + size % 2
    raise AssertionError("no data in " + path)


def settings(folder):
    """A locale with a comma, where there is one."""
    made = dict(os.environ, HOME=folder)
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder + "/de_DE.UTF-8"], capture_output=True)
    if os.path.isdir(folder + "/de_DE.UTF-8"):
        made.update(LOCPATH=folder, LC_ALL="de_DE.UTF-8")
    else:
        print("# without a comma locale: the package locales is missing")
    return made


def run(folder, *args):
    done = subprocess.run(args, cwd=folder, env=settings(folder), capture_output=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def run_pd(folder, scene):
    lines = ["#N canvas 0 0 400 400 12;", "#X obj 0 0 loadbang;", "#X obj 0 200 jawari~ %s;" % scene,
             "#X obj 0 300 writesf~ 2;", "#X msg 0 100 \\; pd dsp 1;", "#X msg 0 250 open -bytes 4 out.wav \\, start;",
             "#X obj 200 0 del 1100;", "#X msg 200 50 stop;", "#X obj 300 0 del 1200;", "#X msg 300 50 \\; pd quit;"]
    wires = [(0, 0, 4, 0), (0, 0, 3, 0), (1, 0, 2, 0), (1, 1, 2, 1), (4, 0, 2, 0), (0, 0, 5, 0), (5, 0, 6, 0), (6, 0, 2, 0),
             (0, 0, 7, 0), (7, 0, 8, 0)]
    for ms, *message in SONG:
        at = len(lines) - 1
        lines += ["#X obj 0 0 del %d;" % ms, "#X msg 0 0 midi %d %d %d;" % tuple(message)]
        wires += [(0, 0, at, 0), (at, 0, at + 1, 0), (at + 1, 0, 1, 0)]
    # Recording begins before sound does
    wires.sort(key=lambda wire: (wire[0], wire[2] == 3))
    with open(folder + "/patch.pd", "w") as file:
        file.write("\n".join(lines + ["#X connect %d %d %d %d;" % wire for wire in wires]) + "\n")
    shutil.copy(MODULE, folder + "/jawari~.pd_linux")
    return run(folder, "pd", "-nogui", "-batch", "-noprefs", "-r", str(RATE), "patch.pd")


def run_csound(folder, scene):
    cycles = "".join("if kcycle == %d then\n kstatus = %d\n kchannel = %d\n kone = %d\n ktwo = %d\nendif\n" %
                     (ms * RATE // 64000, status & 0xf0, (status & 15) + 1, one, two) for ms, status, one, two in SONG)
    with open(folder + "/test.csd", "w") as file:
        file.write("""<CsoundSynthesizer>
<CsInstruments>
sr = %d
ksmps = 64
nchnls = 2
0dbfs = 1
instr 1
kcycle init 0
kstatus = 0
kchannel = 1
kone = 0
ktwo = 0
%skcycle += 1
aleft, aright jawari "%s", kstatus, kchannel, kone, ktwo
outs aleft, aright
endin
</CsInstruments>
<CsScore>
i 1 0 1.1
</CsScore>
</CsoundSynthesizer>
""" % (RATE, cycles, scene))
    return run(folder, "csound", "--opcode-lib=" + MODULE, "-o", "out.wav", "-W", "-f", "test.csd")


def run_octave(folder, scene):
    rows = "; ".join("%d/1000 %d %d %d" % event for event in SONG)
    return run(folder, "octave-cli", "--no-init-file", "--eval",
               "addpath('%s', '%s'); [y, fs] = jawari_render('%s', 'midi', [%s], 'rate', %d, 'channels', 'stereo');"
               "f = fopen('out.raw', 'w'); fwrite(f, single(y'), 'single'); fclose(f); printf('fs %%d\\n', fs);"
               "[s, r] = jawari_render('%s'); f = fopen('score.raw', 'w'); fwrite(f, single(s'), 'single'); fclose(f);"
               % (os.path.dirname(MODULE), os.path.join(SOURCE, "hosts/octave"), scene, rows, RATE, scene))


RUN = {"pd": run_pd, "csound": run_csound, "octave": run_octave}[HOST]


def render(folder, *args):
    subprocess.run([JAWARI, "render", "own.json", "-q", "-r", str(RATE), "-o", "want.wav", *args], cwd=folder, check=True)
    return read_wav(folder + "/want.wav")


def raw(path):
    samples = array.array("f")
    with open(path, "rb") as file:
        samples.frombytes(file.read())
    return samples


def worst(got, want, frames):
    assert len(got) >= 2 * frames and len(want) >= 2 * frames, (len(got), len(want))
    assert max(abs(x) for x in want[:2 * frames]) > 0.01, "nothing sounds"
    return max(abs(x - y) for x, y in zip(got[:2 * frames], want[:2 * frames]))


def the_samples_are_those_of_render():
    with tempfile.TemporaryDirectory() as folder:
        for name, text in ("own.json", SCENE.encode()), ("song.mid", midi_file()):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        status, said = RUN(folder, "own.json")
        assert status == 0, said
        want = render(folder, "--midi", "song.mid")
        got = raw(folder + "/out.raw") if HOST == "octave" else read_wav(folder + "/out.wav")
        # One is rounded to float where the other is: no difference at all
        assert worst(got, want, FRAMES) == 0.0, worst(got, want, FRAMES)
        if HOST == "octave":
            assert "fs %d" % RATE in said, said
            got, want = raw(folder + "/score.raw"), render(folder)
            assert len(got) == len(want) and worst(got, want, len(want) // 2) == 0.0


def a_bad_scene_is_refused_with_its_place():
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/own.json", "w") as file:
            file.write('{ "jawari": 1, "objects": { "m": { "kind": "mas", "mass": 1 } } }')
        status, said = RUN(folder, "own.json")
        assert "own.json:1:" in said and 'did you mean "mass"' in said, said
        assert HOST == "pd" or status != 0, status # Pd goes on without the object


def a_scene_that_is_not_there_is_named():
    with tempfile.TemporaryDirectory() as folder:
        status, said = RUN(folder, "none.json")
        assert "none.json:1:1: cannot be read" in said, said


if not shutil.which(PROGRAM):
    print("1..0 # SKIP %s is not installed" % PROGRAM)
    sys.exit(0)
CLAIMS = [the_samples_are_those_of_render, a_bad_scene_is_refused_with_its_place, a_scene_that_is_not_there_is_named]
print("1..%d" % len(CLAIMS))
failed = 0
for number, claim in enumerate(CLAIMS, 1):
    try:
        claim()
        print("ok %d - %s: %s" % (number, HOST, claim.__name__))
    except Exception as error:  # Whatever goes wrong is this claim's failure
        failed = 1
        print("not ok %d - %s: %s\n# %s: %s" % (number, HOST, claim.__name__, type(error).__name__, str(error).replace("\n", "\n# ")))
sys.exit(failed)
