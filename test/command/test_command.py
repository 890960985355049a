#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command, run as people run it: every verb, what it writes, and how it fails.

usage: test_command.py JAWARI SOURCE-FOLDER [WORD...]      prints TAP; of the claims that have one of the words
"""
import ctypes
import json
import math
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

JAWARI, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
HAS_SOUND = b"sound files: yes" in subprocess.run([JAWARI, "--version"], capture_output=True).stdout
HAS_H5 = b"HDF5 files: yes" in subprocess.run([JAWARI, "--version"], capture_output=True).stdout

SMALL = """{
  "jawari": 1, "title": "A plucked string over a stop", "duration": 0.25,
  "objects": {
    "string": { "kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A3", "loss": [0.5, 1e-3] },
    "stop": { "kind": "barrier", "position": -2e-4 }
  },
  "contacts": [ { "law": "collision", "below": "stop", "above": "string@0.4", "stiffness": 1e7, "name": "rattle" } ],
  "initial": [ { "on": "string@0.2", "amplitude": 2e-3 } ],
  "pickups": [ { "at": "string@0.9", "gain": "auto", "name": "near" }, { "contact": "rattle", "quantity": "force" } ]
}
"""
PATIENCE = 900  # s: ends what hangs; sanitizers on a loaded machine are slow, not wrong
BAD = '{\n  "jawari": 1,\n  "objects": { "m": { "kind": "mas", "mass": 1 } },\n  "pickup": []\n}\n'


class Skip(Exception):
    pass


def run(*args, stdin=None, env=None, folder=None, limit=None):
    """Run the command in an empty folder; (status, stdout, stderr)."""
    settings = dict(os.environ, TMPDIR=folder or ".", **(env or {}))
    before = (lambda: __import__("resource").setrlimit(__import__("resource").RLIMIT_FSIZE, (limit, limit))) if limit else None
    done = subprocess.run([JAWARI, *args], input=stdin, capture_output=True, cwd=folder, env=settings, timeout=PATIENCE,
                          preexec_fn=before)
    return done.returncode, done.stdout, done.stderr.decode()


def put(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


def get(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def names(folder):
    return sorted(os.listdir(folder))


def read_wav(data):
    """(channels, rate, [samples]) of a 32-bit float WAV file, by hand."""
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE", data[:12]
    at, channels, rate, samples = 12, 0, 0, None
    while at + 8 <= len(data):
        kind, size = data[at:at + 4], struct.unpack("<I", data[at + 4:at + 8])[0]
        body = data[at + 8:at + 8 + size]
        if kind == b"fmt ":
            tag, channels, rate = struct.unpack("<HHI", body[:8])
            assert tag == 3, tag
        if kind == b"data":
            assert len(body) == size, "the data chunk is cut off"
            samples = struct.unpack("<%df" % (size // 4), body)
        assert kind != b"PEAK", "the PEAK chunk carries the time of day"
        at += 8 + size + size % 2
    return channels, rate, samples


def read_csv(data):
    lines = [line for line in data.decode().splitlines() if not line.startswith("#")]
    return lines[0].split(","), [[float(x) for x in line.split(",")] for line in lines[1:]]


def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


# ---------------------------------------------------------------- the command as a whole

def test_without_arguments_it_helps_and_fails(folder):
    status, out, err = run(folder=folder)
    assert status == 2 and out == b"" and "usage: jawari VERB" in err


def test_version_and_help_succeed(folder):
    status, out, _ = run("--version", folder=folder)
    assert status == 0 and re.fullmatch(rb"jawari \d+\.\d+\.\d+", out.splitlines()[0])
    status, out, err = run("--help", folder=folder)
    assert status == 0 and err == "" and b"render" in out and b"Exit status" in out


def test_every_verb_helps_with_examples(folder):
    for verb in ("render", "plot", "info", "check", "scenes"):
        status, out, err = run(verb, "--help", folder=folder)
        assert status == 0 and err == "" and b"examples:\n  jawari " + verb.encode() in out, verb
        assert run("help", verb, folder=folder)[1] == out
        assert max(len(line) for line in out.splitlines()) <= 100
    listed = re.findall(rb"^  ([a-z]+)  ", run("--help", folder=folder)[1], re.M)
    assert len(listed) >= 6
    for verb in listed:
        status, out, _ = run(verb.decode(), "--help", folder=folder)
        assert status == 0 and b"usage: jawari " + verb in out, verb
        assert run("help", verb.decode(), folder=folder)[0] == 0


def test_an_unknown_verb_gets_the_nearest_one(folder):
    status, _, err = run("rendr", folder=folder)
    assert (status, err) == (2, 'jawari: there is no verb "rendr"; did you mean "render"?\n')
    status, _, err = run("sing", folder=folder)
    assert (status, err) == (2, 'jawari: there is no verb "sing"; `jawari --help` names them\n')
    assert run("help", "rendr", folder=folder)[0] == 2


def test_an_unknown_option_gets_the_nearest_one(folder):
    status, _, err = run("render", "x.json", "--durtion=3", folder=folder)
    assert (status, err) == (2, 'jawari: render has no option "--durtion"; did you mean "--duration"?\n')
    status, _, err = run("info", "x.json", "--qwertyuiop", folder=folder)
    assert status == 2 and "`jawari info --help` names them" in err


def test_wrong_values_are_named_with_their_limits(folder):
    put(folder, "small.json", SMALL)
    wrong = {
        ("--rate", "fast"): '--rate wants a number, not "fast"',
        ("--rate", "nan"): '--rate wants a number, not "nan"',
        ("--rate", "0x1000"): '--rate wants a number, not "0x1000"',
        ("--rate", "1e999"): '--rate wants a number, not "1e999"',
        ("--rate", "10"): "--rate is 10, must be 1000 to 1e+08",
        ("--duration", "-1"): "--duration is -1, must be 1e-06 to 3600",
        ("--duration", "1e5"): "--duration is 1e5, must be 1e-06 to 3600",
        ("--oversample", "1.5"): "--oversample wants a whole number, not 1.5",
        ("--oversample", "0"): "--oversample is 0, must be 1 to 64",
        ("--every", "0"): "--every is 0, must be 1 to 1e+06",
        ("--rule", "plane"): '--rule cannot be "plane"; it is one of bounded, plain, released, refined, newton',
        ("--format", "mp3"): '--format cannot be "mp3"; it is one of wav, flac, ogg, w64, csv, h5',
        ("--gain", "loud"): '--gain wants a number or auto, not "loud"',
        ("--rate",): "--rate wants a value: --rate HZ",
        ("--rate=",): "--rate is given an empty value",
        ("--quiet=yes",): "--quiet takes no value",
        ("--output", "x.mp3"): "x.mp3: the ending says how to write, and must be .wav, .flac, .ogg, .w64, .csv or .h5",
        ("--output", "noending"): "noending: the ending says how to write",
        ("--field", "nobody=f.csv"): '--field: the scene has no object "nobody"',
        ("--field", "stop=f.csv"): '--field: "stop" is a barrier and has nothing that moves',
        ("--field", "string=f.txt"): "--field string=f.txt: the file must end in .h5 or .csv",
        ("--no-ledger", "--energy", "e.csv"): "--energy needs the ledger",
        ("--stats", "-", "--energy", "-"): 'only one output can be "-"',
        ("--energy", "e.csv", "--field", "string=e.csv"): "two outputs are called e.csv",
        ("--energy", "e.txt"): "e.txt: the ending says how to write, and of --energy must be .csv .h5",
        ("--stats", "s.wav"): "s.wav: the ending says how to write, and of --stats must be .json",
        ("--plot", "p.png"): "p.png: the ending says how to write, and of a picture must be .svg",
        ("--gain", "2", "--loudness", "-20"): "--gain and --loudness both say how loud",
        ("--loudness", "1"): "--loudness is 1, must be -70 to 0",
        ("--bits", "20"): '--bits cannot be "20"; it is one of 16, 24, float',
        ("--channels", "5"): '--channels cannot be "5"; it is one of mono, stereo, pickups',
        ("--stats", "small.json"): "small.json is read by this command; it would be overwritten",
    }
    for words, message in wrong.items():
        output = () if "--output" in words or not HAS_SOUND else ("-o", "x.wav")
        output = output if HAS_SOUND or "--output" in words else ("-o", "x.csv")
        status, out, err = run("render", "small.json", *output, *words, folder=folder)
        assert status == 2 and out == b"" and err.startswith("jawari: " + message), (words, status, err)
        assert err.count("\n") == 1, err
        assert names(folder) == ["small.json"], (words, names(folder))


def test_paper_says_what_is_missing_and_makes_nothing(folder):
    put(folder, "file", "x")
    for words, status, message in (
        (["paper"], 2, "list or run?"),
        (["paper", "walk"], 2, "list or run, not walk"),
        (["paper", "list", "x"], 2, "list takes nothing else: x"),
        (["paper", "run", "--out", "new"], 2, "which experiment? `jawari paper list` names them"),
        (["paper", "run", "papetti2009-fig1"], 2, "where to? give --out DIR"),
        (["paper", "run", "papetti2009-fig1", "--out"], 2, "--out needs the name of a folder"),
        (["paper", "run", "a", "b", "--out", "new"], 2, "one experiment at a time, or all: b"),
        (["paper", "run", "papetti2009-fig1", "--foo"], 2, "there is no option --foo"),
        (["paper", "run", "nothing", "--out", "new"], 2,
         'there is no experiment "nothing"; `jawari paper list` names them'),
        (["paper", "run", "papetti2009-fig1", "--out", "file"], 1, "file is not a folder"),
        (["paper", "run", "all", "--out", "no/such"], 1, "cannot make folder no/such: No such file or directory"),
    ):
        got, out, err = run(*words, folder=folder)
        assert (got, out) == (status, b"") and err.startswith("jawari paper: " + message + "\n"), (words, got, err)
        assert names(folder) == ["file"], (words, names(folder))


def test_scenes_are_counted(folder):
    assert run("render", folder=folder)[0] == 2
    assert run("render", "a", "b", folder=folder)[2] == 'jawari: render takes one scene, and "b" is one more\n'
    assert run("check", folder=folder)[0] == 2
    assert run("info", folder=folder)[0] == 2
    assert run("plot", folder=folder)[0] == 2
    assert run("scenes", "x", folder=folder)[0] == 2


def test_a_missing_scene_gets_the_nearest_name(folder):
    for verb in ("render", "info", "check", "plot"):
        status, _, err = run(verb, "tromba-marin", *(["-o", "x.csv"] if verb == "render" else []), folder=folder)
        assert status == 1 and 'did you mean "tromba-marina"?' in err, (verb, status, err)
    status, _, err = run("info", "nothing.json", folder=folder)
    assert (status, err) == (1, 'jawari: there is no file and no built-in scene "nothing.json"; `jawari scenes` names them\n')
    os.mkdir(os.path.join(folder, "dir"))
    assert run("info", "dir", folder=folder)[2] == "jawari: dir is a folder, not a scene\n"


# ---------------------------------------------------------------- scenes, check, info

def test_scenes_lists_names_and_texts(folder):
    status, out, _ = run("scenes", folder=folder)
    listed = [line.split()[0] for line in out.decode().splitlines() if line.startswith("  ")]
    assert status == 0 and "tromba-marina" in listed
    papers = run("scenes", "--names", "--group", "papers", folder=folder)[1].decode().split()
    assert "tromba-marina" in papers and "guitar" not in papers
    line = next(line for line in out.decode().splitlines() if line.startswith("  guitar "))
    assert "E2 to C6" in line and " 9 s" in line
    assert run("scenes", "--names", folder=folder)[1].decode().split() == listed
    on_disk = [f[:-5] for f in os.listdir(os.path.join(SOURCE, "scenes")) if f.endswith(".json") and "schema" not in f]
    assert set(listed) <= set(on_disk)
    text = run("scenes", "--show", "tromba-marina", folder=folder)[1]
    assert text == get(os.path.join(SOURCE, "scenes"), "tromba-marina.json")
    assert run("scenes", "--show", "nothing", folder=folder)[0] == 1


def test_check_shows_every_error_like_a_compiler(folder):
    put(folder, "bad.json", BAD)
    put(folder, "good.json", SMALL)
    status, out, err = run("check", "bad.json", "good.json", folder=folder)
    assert status == 3 and out == b"good.json: good\n"
    places = re.findall(r"^bad\.json:(\d+):(\d+): error: ", err, re.M)
    assert ("3", "31") in places and ("4", "3") in places, err
    assert len(re.findall(r"^ *\^", err, re.M)) == len(places) >= 2, err
    assert "\033" not in err


DEAF = SMALL.replace('"string@0.9"', '"string@1"')


def test_warnings_are_counted_and_strict_makes_them_errors(folder):
    put(folder, "deaf.json", DEAF)
    put(folder, "small.json", SMALL)
    status, out, err = run("check", "deaf.json", "small.json", folder=folder)
    assert status == 0 and out == b"deaf.json: good, with warnings\nsmall.json: good\n", (status, out)
    assert "deaf.json:9:24: warning: nothing is heard here" in err and err.endswith("jawari: 1 warning\n"), err
    for verb, *more in (["check"], ["info"], ["render", "-o", "x.wav", "-q"], ["plot", "-o", "x.svg", "-q"]):
        status, _, err = run(verb, "deaf.json", *more, folder=folder)
        assert status == 0 and err.count("warning: nothing is heard") == 1, (verb, status, err)
        for name in ("x.wav", "x.svg"):
            if os.path.exists(os.path.join(folder, name)):
                os.remove(os.path.join(folder, name))
        status, _, err = run(verb, "--strict", "deaf.json", *more, folder=folder)
        assert status == 3 and "1 warning, which --strict makes errors" in err, (verb, status, err)
        assert not {"x.wav", "x.svg"} & set(os.listdir(folder)), verb
        status, _, err = run(verb, "--strict", "small.json", *more, folder=folder)
        assert status == 0 and not err, (verb, status, err)


def test_the_built_in_scenes_are_good_without_a_warning(folder):
    names = run("scenes", "--names")[1].decode().split()
    assert len(names) > 30
    status, out, err = run("check", "--strict", *names, folder=folder)
    assert status == 0 and not err and out.count(b": good\n") == len(names), err


def test_motion_larger_than_the_string_is_warned_of_once_and_strict_writes_nothing(folder):
    put(folder, "loud.json", SMALL.replace('"amplitude": 2e-3', '"quantity": "velocity", "shape": "sine", "amplitude": 3000'))
    status, _, err = run("render", "loud.json", "-o", "x.wav", "-q", folder=folder)
    assert status == 0 and err.count("more than its length of 0.65 m") == 1 and '"string" is bent by' in err, err
    os.remove(os.path.join(folder, "x.wav"))
    status, _, err = run("render", "--strict", "loud.json", "-o", "x.wav", "-q", folder=folder)
    assert status == 3 and "x.wav" not in os.listdir(folder), (status, err)


def test_what_stiffens_beyond_its_steps_is_warned_of_and_a_blow_in_passing_is_not(folder):
    # A sheet of half a millimetre pulled by forty times that, at 8 kHz
    put(folder, "sheet.json", '''{ "jawari": 1, "duration": 0.2, "world": { "sample_rate": 8000 },
        "objects": { "sheet": { "kind": "plate", "size": [0.4, 0.3], "thickness": 5e-4, "method": "modes", "modes": 40, "nonlinear": "local" } },
        "initial": [ { "on": "sheet@0.3,0.4", "shape": "hump", "width": 0.4, "amplitude": 0.02 } ],
        "pickups": [ { "at": "sheet@0.6,0.7", "gain": "auto" } ] }''')
    status, _, err = run("render", "sheet.json", "-o", "x.wav", "-q", folder=folder)
    assert status == 0 and '"sheet" stiffens more than its steps can follow' in err, err
    status, _, err = run("render", "slap-bass", "-o", "x.wav", "-q", "-d", "1", folder=folder)
    assert status == 0 and "stiffens" not in err, err


def midi_of(*notes):
    """A MIDI file: each note for a quarter."""
    track = b"".join(bytes([0, 0x90, n, 100, 96, 0x80, n, 0]) for n in notes) + b"\0\xff\x2f\0"
    return b"MThd\0\0\0\6\0\0\0\1\0\x60MTrk" + struct.pack(">I", len(track)) + track


def test_notes_that_no_string_can_play_are_warned_of(folder):
    put(folder, "small.json", SMALL.replace('"initial": [ { "on": "string@0.2", "amplitude": 2e-3 } ]', '"score": [ { "pluck": "string@0.2" } ]'))
    with open(os.path.join(folder, "song.mid"), "wb") as file:
        file.write(midi_of(57, 69, 70, 57))
    status, _, err = run("render", "small.json", "--midi", "song.mid", "-d", "0.1", "-q", "-o", "x.wav", folder=folder)
    assert status == 0 and "warning" not in err, err  # Only A3 comes within a tenth of a second
    status, _, err = run("render", "small.json", "--midi", "song.mid", "-q", "-o", "x.wav", folder=folder)
    assert status == 0 and "song.mid: 2 notes lie more than a quarter tone" in err and "first note 69" in err, err
    status, _, err = run("render", "small.json", "--midi", "song.mid", "-q", "-o", "y.wav", "--strict", folder=folder)
    assert status == 3 and "y.wav" not in os.listdir(folder), (status, err)


def test_check_reads_standard_input(folder):
    status, out, _ = run("check", "-", stdin=SMALL.encode(), folder=folder)
    assert (status, out) == (0, b"-: good\n")
    status, _, err = run("check", "-", stdin=BAD.encode(), folder=folder)
    assert status == 3 and err.startswith("<stdin>:3:31: error: ")


def test_check_survives_nonsense(folder):
    for text in (b"", b"\0" * 1000, b"{" * 100000, os.urandom(5000), b'{"jawari": 1e400}', b"[" + b"1," * 2000000 + b"1]"):
        status, _, err = run("check", "-", stdin=text, folder=folder)
        assert status == 3 and ": error: " in err, (text[:20], status, err)


def test_info_shows_pitch_grid_and_cost(folder):
    put(folder, "small.json", SMALL)
    status, out, err = run("info", "small.json", folder=folder)
    text = out.decode()
    assert status == 0 and err == ""
    assert re.search(r"^  string +string +\d+ .*220\.00 Hz +A3 \+0", text, re.M), text
    assert re.search(r"^  rattle +collision +1 point +stop, string@0\.4$", text, re.M), text
    points = int(re.search(r"grid points +(\d+)", text).group(1))
    higher = int(re.search(r"grid points +(\d+)", run("info", "small.json", "-r", "96000", folder=folder)[1].decode()).group(1))
    assert higher > points


# ---------------------------------------------------------------- values from outside

SETTABLE = """{
  "jawari": 1, "duration": 0.02, "parameters": { "hard": 1e6, "place": 0.2 },
  "objects": { "s": { "kind": "string", "length": 0.65, "frequency": "A3", "points": 20, "loss": [0.5, 1e-3] },
               "stop": { "kind": "barrier", "position": -2e-4 } },
  "contacts": [ { "law": "collision", "below": "stop", "above": "s@0.4", "stiffness": "$hard", "name": "rattle" } ],
  "initial": [ { "on": { "on": "s", "x": "$place" }, "amplitude": 2e-3 } ],
  "score": [ { "push": "s@0.3", "amplitude": [[0, 1], [0.01, 2]] } ],
  "pickups": [ { "at": "s@0.9", "name": "near", "quantity": "displacement" } ]
}
"""


def test_set_gives_what_editing_would(folder):
    put(folder, "scene.json", SETTABLE)
    for sets, before, after in (
        (["hard=1e7"], '"hard": 1e6', '"hard": 1e7'),
        (["place=0.45", "hard=3e5"], '"hard": 1e6, "place": 0.2', '"hard": 3e5, "place": 0.45'),
        (["s.frequency=E4"], '"A3"', '"E4"'),
        (["s.loss[1]=0.01"], "1e-3", "0.01"),
        (["s.loss=[2, 0.01]"], "[0.5, 1e-3]", "[2, 0.01]"),
        (["rattle.stiffness=5e5"], '"$hard"', "5e5"),
        (["rattle.exponent=1.3"], '"name": "rattle"', '"name": "rattle", "exponent": 1.3'),
        (["contacts[0].stiffness=5e5"], '"$hard"', "5e5"),
        (["initial[0].amplitude=1e-3"], "2e-3", "1e-3"),
        (["score[0].amplitude[1][1]=5"], "[0.01, 2]", "[0.01, 5]"),
        (["near.quantity=velocity"], '"displacement"', '"velocity"'),
        (["world.sample_rate=48000"], '"duration"', '"world": { "sample_rate": 48000 }, "duration"'),
        (["duration=0.01"], "0.02", "0.01"),
    ):
        assert SETTABLE.count(before) == 1, before
        put(folder, "edited.json", SETTABLE.replace(before, after))
        words = [word for text in sets for word in ("--set", text)]
        status, _, err = run("render", "scene.json", "-q", "-o", "x.csv", *words, folder=folder)
        assert (status, err) == (0, ""), (sets, err)
        assert run("render", "edited.json", "-q", "-o", "y.csv", folder=folder)[0] == 0
        assert run("render", "scene.json", "-q", "-o", "z.csv", folder=folder)[0] == 0
        x, y, z = (read_csv(get(folder, name)) for name in ("x.csv", "y.csv", "z.csv"))
        assert x == y and x != z, sets
    for verb in ("info", "check", "converge"):
        assert run(verb, "scene.json", "--set", "s.frequency=E4", folder=folder)[0] == 0, verb


def test_set_says_what_is_wrong(folder):
    put(folder, "scene.json", SETTABLE)
    for text, message in (
        ("ratle.stiffness=1", 'there is nothing called "ratle.stiffness" to be set; did you mean "rattle"?'),
        ("s.lenght=1", 'a string has no key "lenght"; did you mean "length"?'),
        ("s.length=-1", "length"), ("s.length=long", '"length" must be a number, found a text'),
        ("s.loss[2]=1", 'there is nothing called "s.loss[2]" to be set'), ("s.decay[1]=1", 'there is nothing called "s.decay[1]" to be set'),
        ("contacts[3].stiffness=1", 'there is nothing called "contacts[3].stiffness" to be set'),
        ("nothing=1", 'there is nothing called "nothing" to be set'), ("play.voices=1", 'there is nothing called "play.voices" to be set'),
        ("s.length", "a value must follow, as in s.length=1"), ("s.length=", "a value must follow"),
        ("s[1]=1", 'there is nothing called "s[1]" to be set'), ("s.=1", 'there is nothing called "s." to be set'),
        (".=1", "there is nothing called"), ("s.loss[x]=1", "there is nothing called"),
    ):
        status, _, err = run("check", "scene.json", "--set", text, folder=folder)
        assert status == 3 and err.startswith("--set %s:1:1: error: " % text.partition("=")[0]) and message in err, (text, err)
        assert err.count("error:") == 1, err


def test_set_reaches_into_what_is_included(folder):
    put(folder, "part.json", SMALL)
    put(folder, "whole.json", '{ "jawari": 1, "include": "part.json", "duration": 0.02 }')
    assert run("render", "whole.json", "-q", "-o", "x.csv", "--set", "rattle.stiffness=1e6", folder=folder)[0] == 0
    put(folder, "part.json", SMALL.replace("1e7", "1e6"))
    assert run("render", "whole.json", "-q", "-o", "y.csv", folder=folder)[0] == 0
    assert read_csv(get(folder, "x.csv")) == read_csv(get(folder, "y.csv"))


def test_a_scene_from_standard_input_includes_from_the_folder_named(folder):
    os.mkdir(os.path.join(folder, "parts"))
    put(os.path.join(folder, "parts"), "part.json", SMALL)
    put(folder, "part.json", SMALL)
    scene = b'{ "jawari": 1, "include": "part.json", "duration": 0.02 }'
    status, _, err = run("render", "-", "-q", "-o", "x.csv", stdin=scene, folder=folder)
    assert status == 3 and "include" in err
    assert run("render", "-", "-q", "-o", "x.csv", "--folder", "parts", stdin=scene, folder=folder)[0] == 0
    assert run("check", "-", "--folder", "parts", stdin=scene.replace(b"part.json", b"../part.json"), folder=folder)[0] == 3
    os.symlink("../part.json", os.path.join(folder, "parts", "link.json"))
    assert run("check", "-", "--folder", "parts", stdin=scene.replace(b"part.json", b"link.json"), folder=folder)[0] == 3
    status, _, err = run("render", "-", "-o", "x.csv", "--stats", "parts/part.json", "--folder", "parts", stdin=scene, folder=folder)
    assert status == 2 and "is read by this command" in err


def test_letters_may_stand_together_and_with_their_value(folder):
    put(folder, "small.json", SMALL)
    for words in (["-qd0.1"], ["-q", "-d0.1"], ["-qd", "0.1"], ["-d=0.1", "-q"], ["-qd=0.1"]):
        status, out, err = run("render", "small.json", "-ox.csv", *words, folder=folder)
        assert (status, out, err) == (0, b"", ""), (words, err)
        assert len(read_csv(get(folder, "x.csv"))[1]) == 4410
    for words, message in ((["-qz"], 'render has no option "-z"'), (["-zq"], 'render has no option "-zq"'), (["-q=1"], "--quiet takes no value"),
                           (["-qd"], "--duration wants a value: --duration S"), (["--dur", "1"], 'did you mean "--duration"?'),
                           (["--over", "1"], 'did you mean "--oversample"?')):
        status, _, err = run("render", "small.json", "-oy.csv", *words, folder=folder)
        assert status == 2 and message in err, (words, err)


def test_schema_is_that_of_the_scenes(folder):
    status, out, _ = run("schema", folder=folder)
    assert status == 0 and out == get(os.path.join(SOURCE, "scenes"), "jawari.schema.json") and "definitions" in json.loads(out)
    assert run("schema", "x", folder=folder)[0] == 2


# ---------------------------------------------------------------- what render writes

def test_stats_have_the_promised_keys(folder):
    put(folder, "small.json", SMALL)
    status, out, err = run("render", "small.json", "-o", "x.csv", "--stats", "-", folder=folder)
    stats = json.loads(out)
    assert status == 0
    for key in ("energy_residual", "max_pull", "parked_energy", "max_misfit", "closures", "grid_points", "islands",
                "largest_island", "realtime_factor", "peak"):
        assert isinstance(stats[key], (int, float)), key
    assert stats["energy_residual"] < 1e-9 and stats["closures"] > 0 and stats["islands"] == 1
    assert stats["realtime_factor"] > 0 and stats["duration"] == 0.25 and stats["stopped"] is False
    assert "ledger residual" in err, "the table must not be mixed into the data"


def test_csv_has_time_names_units_and_all_digits(folder):
    put(folder, "small.json", SMALL)
    assert run("render", "small.json", "-o", "x.csv", folder=folder)[0] == 0
    head, rows = read_csv(get(folder, "x.csv"))
    assert head == ["time (s)", "near (m/s)", "pickup2 (N)"]
    assert len(rows) == round(0.25 * 44100)
    assert all(row[0] == i / 44100 for i, row in enumerate(rows))
    assert max(row[2] for row in rows) > 0, "the stop is never hit"


def test_tables_are_in_si_whatever_the_gain(folder):
    for ending in ["csv"] + ["h5"] * HAS_H5:
        for name, gain in (("one", '1'), ("loud", '-100'), ("curve", '[[0, 3], [0.01, 7]]')):
            put(folder, name + ".json", SMALL.replace('"auto"', gain).replace('"quantity": "force"', '"quantity": "force", "gain": 9'))
            assert run("render", name + ".json", "-o", name + "." + ending, "-d", "0.05", folder=folder)[0] == 0
    one, loud, curve = (read_csv(get(folder, name + ".csv")) for name in ("one", "loud", "curve"))
    assert one == loud == curve and one[0][1] == "near (m/s)"
    assert max(abs(row[1]) for row in one[1]) > 0.1


def test_wav_is_the_table_times_the_gain(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    assert run("render", "small.json", "-o", "x.csv", folder=folder)[0] == 0
    assert run("render", "small.json", "-o", "x.wav", "--channels", "pickups", "--stats", "s.json", "--set", "fade=0", folder=folder)[0] == 0
    channels, rate, samples = read_wav(get(folder, "x.wav"))
    stats = json.loads(get(folder, "s.json"))
    _, rows = read_csv(get(folder, "x.csv"))
    assert (channels, rate, len(samples)) == (2, 44100, 2 * len(rows))
    # Velocities of a table are the mean of two neighbours in a sound, forces are the same numbers; a float32 is within 2^-24.
    for i, row in enumerate(rows[1:], 1):
        velocity = 0.5 * (samples[2 * i - 2] + samples[2 * i])
        assert abs(velocity - stats["gain"] * row[1]) <= 2 ** -23 * max(map(abs, samples)), (i, velocity)
        assert samples[2 * i + 1] == float32(stats["gain"] * row[2])
    # "gain": "auto" asks for -1 dB; float32 rounds by at most 2^-24 of it.
    assert abs(max(map(abs, samples)) - 10 ** (-1 / 20)) < 1e-7


def test_a_sound_fades_out_and_a_table_does_not(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)

    def samples(fade, *words):
        given = ["--set", "fade=%g" % fade] if fade is not None else []
        done = run("render", "small.json", "-o", "x.wav", "--gain", "1", "--channels", "mono", *given, *words, folder=folder)
        assert done[0] == 0, done
        return read_wav(get(folder, "x.wav"))[2]

    whole = samples(0)
    assert max(map(abs, whole[-441:])) > 1e-3  # There is something to fade
    for fade, shown in ((None, 0.02), (0.1, 0.1), (0.25, 0.25)):
        faded, length = samples(fade), shown * 44100
        for i, (a, b) in enumerate(zip(whole, faded)):
            t = min((len(whole) - i) / length, 1.0)
            # Half a unit in the last place for each of the two numbers.
            assert abs(b - a * t * t * (3 - 2 * t)) <= 2 ** -23 * abs(a), (fade, i, a, b)
        assert max(map(abs, faded[-3:])) < 1e-4 * max(map(abs, whole))
    # A part of the sound ends with the fade too, and a fade that is longer than it takes all of it.
    short = samples(0.1, "-d", "0.05")
    assert len(short) == 2205 and short[0] == whole[0] and abs(short[1102] / whole[1102] - 0.5) < 1e-3
    tables = []
    for fade in ("0", "0.1"):
        assert run("render", "small.json", "-o", "x.csv", "--set", "fade=" + fade, folder=folder)[0] == 0
        tables.append(read_csv(get(folder, "x.csv")))
    assert tables[0] == tables[1]


def test_gain_can_be_given(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    run("render", "small.json", "-o", "one.wav", "--gain", "1", folder=folder)
    run("render", "small.json", "-o", "two.wav", "--gain", "2", folder=folder)
    one, two = read_wav(get(folder, "one.wav"))[2], read_wav(get(folder, "two.wav"))[2]
    assert max(one) > 0 and all(b == 2 * a for a, b in zip(one, two))  # Doubling is exact


def sound_of(path):
    """(info, samples) by libsndfile."""
    library, file, info = open_sound(path)
    data = (ctypes.c_double * (info.channels * info.frames))()
    assert library.sf_readf_double(file, data, info.frames) == info.frames
    library.sf_close(file)
    return info, list(data)


def test_bits_are_those_asked_for(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    whole = {}
    for name, bits, subtype in (("f.wav", "float", 6), ("a.wav", "16", 2), ("b.wav", "24", 3), ("a.flac", "16", 2), ("b.flac", "24", 3),
                                ("a.w64", "16", 2), ("b.w64", "24", 3)):
        assert run("render", "small.json", "-q", "-o", name, "--bits", bits, folder=folder)[0] == 0
        info, whole[name] = sound_of(os.path.join(folder, name))
        assert info.format & 0xFFFF == subtype and info.channels == 2 and info.frames == 11025, name
    for name, step in (("a.wav", 2 ** -15), ("b.wav", 2 ** -23)):  # Rounded to the nearest, and full scale is 1 - step
        assert max(abs(a - b) for a, b in zip(whole[name], whole["f.wav"])) <= 1.5 * step, name
        assert whole[name] == whole[name.replace("wav", "flac")] == whole[name.replace("wav", "w64")]
    assert run("render", "small.json", "-o", "x.ogg", "--bits", "16", folder=folder)[0] == 1
    status, _, err = run("render", "small.json", "-o", "x.wav", "--bits", "16", "--gain", "1000", folder=folder)
    assert status == 1 and "holds nothing above 1; use --gain auto, or --bits float" in err
    assert "x.ogg" not in names(folder) and "x.wav" not in names(folder)


def test_a_sound_is_stereo_unless_asked_otherwise(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    three = SMALL.replace('"pickups": [', '"pickups": [ { "at": "string@0.3", "pan": -1 },')
    put(folder, "three.json", three)
    put(folder, "mono.json", three.replace('"duration"', '"world": { "channels": 1 }, "duration"'))
    for words, count in ((["three.json"], 2), (["three.json", "--channels", "mono"], 1), (["three.json", "--channels", "pickups"], 3),
                         (["mono.json"], 1), (["mono.json", "--channels", "stereo"], 2)):
        assert run("render", *words, "-q", "-o", "x.wav", folder=folder)[0] == 0
        assert sound_of(os.path.join(folder, "x.wav"))[0].channels == count, words


def test_loudness_is_shown_and_reached(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    status, out, _ = run("render", "small.json", "-d", "2", "-o", "x.wav", "--stats", "s.json", folder=folder)
    stats = json.loads(get(folder, "s.json"))
    assert status == 0 and b"loudness %.1f LUFS" % stats["loudness"] in out and -60 < stats["loudness"] < 0
    assert run("render", "small.json", "-d", "2", "-q", "-o", "x.wav", "--loudness", "-30", "--stats", "s.json", folder=folder)[0] == 0
    assert abs(json.loads(get(folder, "s.json"))["loudness"] + 30) < 0.01
    status, _, err = run("render", "small.json", "-d", "0.1", "-o", "y.wav", "--loudness", "-30", folder=folder)
    assert status == 1 and "--loudness needs 0.4 s of sound" in err and "y.wav" not in names(folder)


def test_above_full_scale_there_is_a_warning(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    status, _, err = run("render", "small.json", "-q", "-o", "x.wav", "--gain", "1", "--channels", "pickups", folder=folder)
    assert status == 0 and "warning: x.wav: the sound peaks at" in err and "above full scale" in err
    status, _, err = run("render", "small.json", "-q", "-o", "x.wav", folder=folder)
    assert status == 0 and err == ""


def test_what_goes_into_a_pipe_comes_as_it_is_computed(folder):
    put(folder, "small.json", SMALL)
    for ending in ["csv"] + ["wav"] * HAS_SOUND:
        words = [JAWARI, "render", "small.json", "-q", "-d", "3000", "-o", "-", "--format", ending, "--gain", "0.01"]
        process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=folder))
        start = process.stdout.read(500000)
        assert len(start) == 500000 and process.poll() is None and names(folder) == ["small.json"], ending
        process.stdout.close()
        process.stderr.read()
        assert process.wait(timeout=PATIENCE) == 1
    for bits in ["16", "24", "float"] * HAS_SOUND:
        words = ["render", "small.json", "-q", "--gain", "0.01", "--bits", bits, "-o"]
        assert run(*words, "kept.wav", folder=folder)[0] == 0
        status, out, err = run(*words, "-", folder=folder)
        assert (status, err) == (0, "")
        with open(os.path.join(folder, "piped.wav"), "wb") as file:
            file.write(out)
        kept, piped = sound_of(os.path.join(folder, "kept.wav")), sound_of(os.path.join(folder, "piped.wav"))
        assert kept[1] == piped[1] and kept[0].format == piped[0].format and kept[0].frames == piped[0].frames, bits


def test_too_loud_for_flac_is_refused(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    status, _, err = run("render", "small.json", "-o", "x.flac", "--gain", "1000", folder=folder)
    assert status == 1 and "holds nothing above 1; use --gain auto, or .wav" in err
    assert names(folder) == ["small.json"]


class SoundInfo(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64), ("rate", ctypes.c_int), ("channels", ctypes.c_int),
                ("format", ctypes.c_int), ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


def open_sound(path):
    """A sound file as libsndfile has it: (library, file, info)."""
    try:
        library = ctypes.CDLL("libsndfile.so.1")
    except OSError as error:
        raise Skip(str(error))
    library.sf_open.restype = ctypes.c_void_p
    library.sf_readf_double.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    library.sf_readf_double.restype = ctypes.c_int64
    library.sf_close.argtypes = [ctypes.c_void_p]
    info = SoundInfo()
    file = library.sf_open(path.encode(), 0x10, ctypes.byref(info))
    assert file, path
    return library, file, info


def sound_frames(path):
    library, file, info = open_sound(path)
    library.sf_close(file)
    return info.frames


def test_sound_files_read_back_by_libsndfile(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    sounds = {}
    for ending in ("wav", "w64", "flac", "ogg"):
        assert run("render", "small.json", "-o", "x." + ending, folder=folder)[0] == 0
        library, file, info = open_sound(os.path.join(folder, "x." + ending))
        assert info.channels == 2 and info.rate == 44100, ending
        assert info.frames == 11025, (ending, info.frames)
        data = (ctypes.c_double * (2 * 11025))()
        assert library.sf_readf_double(file, data, 11025) == 11025
        library.sf_close(file)
        sounds[ending] = list(data)
    assert sounds["w64"] == sounds["wav"]
    # 24 bits without dither: rounding, at most one step of 2^-23.
    assert max(abs(a - b) for a, b in zip(sounds["flac"], sounds["wav"])) <= 2 ** -23
    # Vorbis keeps what is heard, not samples: the energy within 1 dB.
    energy = {k: sum(x * x for x in sounds[k]) for k in ("ogg", "wav")}
    assert abs(10 * math.log10(energy["ogg"] / energy["wav"])) < 1


def test_the_same_scene_gives_the_same_bytes(folder):
    put(folder, "small.json", SMALL)
    for ending in ["csv"] + ["wav", "flac", "w64"] * HAS_SOUND + ["h5"] * HAS_H5:
        extra = ("--field", "string", "--energy", "x.h5") if ending == "h5" else ("--field", "string=f.csv", "--energy", "e.csv")
        found = []
        for _ in range(2):
            assert run("render", "small.json", "-o", "x." + ending, "--plot", "x.svg", *extra, folder=folder)[0] == 0
            found.append([get(folder, name) for name in names(folder)])
            if ending == "wav":
                time.sleep(1.1)  # The PEAK chunk would carry the second
        assert found[0] == found[1], ending


def test_minus_is_standard_output(folder):
    put(folder, "small.json", SMALL)
    for ending in ["csv"] + ["wav"] * HAS_SOUND + ["h5"] * HAS_H5:
        assert run("render", "small.json", "-o", "x." + ending, "-q", folder=folder)[0] == 0
        status, out, err = run("render", "-", "-o", "-", "--format", ending, stdin=SMALL.encode(), folder=folder)
        assert status == 0
        kept = get(folder, "x." + ending)  # Which keeps another command and another name of the scene
        if ending == "csv":
            assert read_csv(out) == read_csv(kept)
        elif ending == "wav":
            assert read_wav(out) == read_wav(kept)
        else:
            assert out[:8] == kept[:8] and len(out) > 1000
        assert "ledger residual" in err
    status, out, err = run("render", "small.json", "-o", "y.csv", "--energy", "-", "-q", folder=folder)
    assert status == 0 and b"\ntime (s),kinetic (J)" in out and err == ""


def test_the_ledger_table_closes(folder):
    put(folder, "small.json", SMALL)
    assert run("render", "small.json", "-o", "x.csv", "--energy", "e.csv", "--every", "7", folder=folder)[0] == 0
    head, rows = read_csv(get(folder, "e.csv"))
    assert head == ["time (s)", "kinetic (J)", "potential (J)", "stretch (J)", "contact (J)", "stored (J)", "lost (J)", "supplied (J)",
                    "residual", "string (J)", "rattle (J)"]
    assert len(rows) == 11025 // 7 and rows[0][0] == 0.5 / 44100 and rows[1][0] == 7.5 / 44100
    # The parts are what is stored; stored + lost - supplied stays: a thousand roundings of 1e-16.
    first = rows[1][5] + rows[1][6] - rows[1][7]
    for row in rows[1:]:
        _, kinetic, potential, stretch, contact, stored, lost, supplied, _, string, rattle = row
        assert abs(kinetic + potential + contact - stored) <= 1e-12 * first and stretch == 0
        assert abs(string - kinetic - potential) <= 1e-12 * first and abs(rattle - contact) <= 1e-12 * first
        assert abs(stored + lost - supplied - first) <= 1e-9 * first
    assert max(row[4] for row in rows) > 0, "no row saw the contact closed"


def test_without_the_ledger_the_sound_is_the_same(folder):
    put(folder, "small.json", SMALL)
    run("render", "small.json", "-o", "a.csv", folder=folder)
    status, _, _ = run("render", "small.json", "-o", "b.csv", "--no-ledger", "--stats", "s.json", folder=folder)
    assert status == 0 and read_csv(get(folder, "a.csv")) == read_csv(get(folder, "b.csv"))
    assert json.loads(get(folder, "s.json"))["energy_residual"] is None


def test_fields_show_the_pickup(folder):
    put(folder, "small.json", SMALL.replace('"contact": "rattle", "quantity": "force"', '"at": "string@0.5", "quantity": "displacement"'))
    assert run("render", "small.json", "-o", "x.csv", "--field", "string=f.csv", "--every", "1", "-d", "0.02", folder=folder)[0] == 0
    _, sound = read_csv(get(folder, "x.csv"))
    _, field = read_csv(get(folder, "f.csv"))
    points = len(field[0]) - 1
    middle = (points + 1) / 2
    for i in range(len(sound)):
        assert sound[i][0] == field[i][0]
        low = int(middle)
        share = middle - low
        value = (1 - share) * field[i][low] + share * field[i][min(low + 1, points)]
        assert abs(value - sound[i][2]) <= 1e-15 + 1e-9 * abs(value), (i, value, sound[i][2])


SWING = """{ "jawari": 1, "duration": 0.02,
  "objects": { "m": { "kind": "mass", "mass": 0.01, "frequency": 220, "displacement": 1e-3, "velocity": 0.5, "scheme": "exact" } },
  "pickups": [ { "at": "m", "quantity": "displacement" }, { "at": "m" } ] }
"""


def swing(t):
    """Displacement and velocity of the scene above, exactly."""
    w = 2 * math.pi * 220
    return (1e-3 * math.cos(w * t) + 0.5 / w * math.sin(w * t), 0.5 * math.cos(w * t) - 1e-3 * w * math.sin(w * t))


def test_every_row_is_at_the_time_that_it_states(folder):
    put(folder, "swing.json", SWING)
    w = 2 * math.pi * 220
    most = math.hypot(0.5, 1e-3 * w)  # m/s
    for rate, oversample in ((44100, 1), (88200, 1), (176400, 1), (44100, 2), (44100, 3), (44100, 8), (44100, 64)):
        assert run("render", "swing.json", "-o", "x.csv", "-r", str(rate), "--oversample", str(oversample), "--energy", "e.csv",
                   "--field", "m=f.csv", "--every", "1", folder=folder)[0] == 0
        pickups, field, energy = (read_csv(get(folder, name))[1] for name in ("x.csv", "f.csv", "e.csv"))
        k = 1 / (rate * oversample)
        # Poles are exact and the sampled displacement is the motion itself, to the start's k^3 w^3/6; the centred velocity is
        # sin(wk)/wk of it; the filter ripples by 1e-5 and bends what starts with curvature by (220 Hz/22050 Hz)^2.
        filtered = 1e-5 + (220 / 22050) ** 2 if oversample > 1 else 0.0
        for n, (t, u, v) in enumerate(pickups):
            assert t == n / rate
            assert abs(u - swing(t)[0]) <= (1e-9 + (w * k) ** 2 / 6 + filtered) * most / w, (rate, oversample, n, u, swing(t)[0])
            assert abs(v - swing(t)[1]) <= (1e-9 + (w * k) ** 2 / 6 + filtered) * most, (rate, oversample, n, v, swing(t)[1])
        for n, (t, u) in enumerate(field):
            assert t == n / rate and abs(u - swing(t)[0]) <= (1e-9 + (w * k) ** 2 / 6) * most / w
        # A shift by half a step is w k/2 of all: 16 times the bound of second order at 44.1 kHz.
        for n, row in enumerate(energy):
            assert abs(row[0] - (n / rate + k / 2)) <= 1e-15
            assert abs(row[1] - 0.005 * swing(row[0])[1] ** 2) <= 0.005 * most ** 2 * (w * k) ** 2
        assert len(energy) == len(pickups) and energy[0][1:3] != energy[1][1:3]


def test_events_begin_where_they_are_asked(folder):
    # A free mass of 1 kg after a force: x = I (t - c), with the impulse I and the time c of its middle, which is
    # start + d/2 of a pulse and of a steady force.  A pluck rises as sin^2 and is let go: I = A d/2 and its
    # middle lies at d (1/2 + 2/pi^2).
    middles = {"pulse": (0.5, 0.5), "steady": (1.0, 0.5), "pluck": (0.5, 0.5 + 2 / math.pi ** 2)}
    for shape, (impulse, middle) in middles.items():
        for start in (0.001, 0.00137, 0.0021234567):
            put(folder, "push.json", """{ "jawari": 1, "duration": 0.0125, "objects": { "m": { "kind": "mass", "mass": 1 } },
              "score": [ { "at": %r, "push": "m", "shape": "%s", "amplitude": 3, "duration": 0.00217 } ],
              "pickups": [ { "at": "m", "quantity": "displacement" } ] }""" % (start, shape))
            for rate in (16000, 44100, 48000, 96000):
                assert run("render", "push.json", "-o", "x.csv", "-r", str(rate), folder=folder)[0] == 0
                t, u = read_csv(get(folder, "x.csv"))[1][-1]
                expected = 3 * 0.00217 * impulse * (t - start - middle * 0.00217)
                # The trapezium rule errs by (k/d)^2/12 times the difference of slopes, pi^2/2 at most: below (k/d)^2/2.
                assert abs(u - expected) <= 0.5 / (rate * 0.00217) ** 2 * expected, (shape, start, rate, u / expected - 1)


def test_a_throw_is_at_the_first_frame_at_or_after_its_time(folder):
    put(folder, "throw.json", """{ "jawari": 1, "duration": 0.01, "objects": { "m": { "kind": "mass", "mass": 1 } },
      "score": [ { "at": 0.00137, "throw": "m", "velocity": 2 } ], "pickups": [ { "at": "m", "quantity": "displacement" } ] }""")
    for rate in (16000, 44100, 48000):
        assert run("render", "throw.json", "-o", "x.csv", "-r", str(rate), folder=folder)[0] == 0
        t, u = read_csv(get(folder, "x.csv"))[1][-1]
        assert abs(u - 2 * (t - math.ceil(0.00137 * rate) / rate)) < 1e-12


def test_oversampling_keeps_length_and_pitch(folder):
    put(folder, "small.json", SMALL.replace("-2e-4", "-1"))  # The stop out of reach: a plain A3
    pitches = []
    for n in ("1", "4"):
        assert run("render", "small.json", "-o", "x.csv", "--oversample", n, folder=folder)[0] == 0
        _, rows = read_csv(get(folder, "x.csv"))
        assert len(rows) == 11025
        # The strength at the fundamental against a quarter tone away.
        strength = lambda f: abs(sum(r[1] * complex(math.cos(w := 2 * math.pi * f * r[0]), -math.sin(w)) for r in rows))
        assert strength(220) > 3 * strength(220 * 2 ** (1 / 4))
        pitches.append(strength(220))
    assert 0.5 < pitches[0] / pitches[1] < 2


def test_rate_duration_and_rule_take_effect(folder):
    put(folder, "small.json", SMALL)
    run("render", "small.json", "-o", "x.csv", "--rate", "48000", "--duration", "0.1", folder=folder)
    _, rows = read_csv(get(folder, "x.csv"))
    assert len(rows) == 4800 and rows[1][0] == 1 / 48000
    sounds = set()
    for rule in ("bounded", "plain", "released", "refined", "newton"):
        status, _, err = run("render", "small.json", "-o", "x.csv", "--rule", rule, folder=folder)
        assert status == 0, err
        sounds.add(str(read_csv(get(folder, "x.csv"))))
    assert len(sounds) > 2, "the rules all sound alike"


def test_what_this_build_cannot_write_is_said(folder):
    if HAS_SOUND and HAS_H5:
        raise Skip("this build can write everything")
    put(folder, "small.json", SMALL)
    for ending, library in [("wav", "libsndfile"), ("flac", "libsndfile")] * (not HAS_SOUND) + [("h5", "HDF5")] * (not HAS_H5):
        status, _, err = run("render", "small.json", "-o", "x." + ending, folder=folder)
        assert status == 1 and "this build of jawari is without %s and cannot write .%s" % (library, ending) in err
    assert names(folder) == ["small.json"]


def test_the_output_is_named_after_the_scene(folder):
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    put(folder, "small.json", SMALL)
    assert run("render", "small.json", "-d", "0.01", folder=folder)[0] == 0
    assert run("plot", "small.json", "-d", "0.01", folder=folder)[0] == 0
    assert names(folder) == ["small.json", "small.svg", "small.wav"]
    assert run("render", "-", stdin=SMALL.encode(), folder=folder)[0] == 2


def test_a_scene_without_pickups_cannot_be_heard(folder):
    put(folder, "mute.json", '{ "jawari": 1, "objects": { "m": { "kind": "mass", "mass": 1, "frequency": 100, "displacement": 1 } } }')
    status, _, err = run("render", "mute.json", "-o", "x.csv", folder=folder)
    assert status == 3 and "no pickups" in err
    assert run("plot", "mute.json", "-d", "0.1", folder=folder)[0] == 0
    assert names(folder) == ["mute.json", "mute.svg"]
    assert run("render", "mute.json", "-o", "x.wav", "--energy", "e.csv", folder=folder)[0] == 3
    assert names(folder) == ["mute.json", "mute.svg"]


def test_a_scene_without_pickups_still_gives_energy_and_fields(folder):
    put(folder, "mute.json", '{ "jawari": 1, "objects": { "m": { "kind": "mass", "mass": 1, "frequency": 100, "displacement": 1 } } }')
    status, out, _ = run("render", "mute.json", "-d", "0.01", "--energy", "e.csv", "--field", "m=f.csv", "--every", "1", folder=folder)
    assert status == 0 and names(folder) == ["e.csv", "f.csv", "mute.json"] and b".wav" not in out
    assert len(read_csv(get(folder, "e.csv"))[1]) == 441 and read_csv(get(folder, "f.csv"))[1][0] == [0.0, 1.0]
    if HAS_H5:
        assert run("render", "mute.json", "-d", "0.01", "-o", "x.h5", "--field", "m", folder=folder)[0] == 0
        assert run("render", "mute.json", "-d", "0.01", "-o", "x.h5", "--energy", "x.h5", folder=folder)[0] == 0
        assert run("render", "mute.json", "-d", "0.01", "-o", "y.h5", folder=folder)[0] == 3


# ---------------------------------------------------------------- files that describe themselves

ENSEMBLE = """{ "jawari": 1, "title": "String, bar and plate", "duration": 0.02, "objects": {
    "s": { "kind": "string", "length": 0.65, "frequency": 200, "points": 12 },
    "q": { "kind": "string", "length": 0.5, "frequency": 200, "method": "modes", "modes": 9 },
    "p": { "kind": "plate", "size": [0.4, 0.3], "thickness": 0.003, "points": [8, 6], "edges": ["free", "supported", "supported", "free"] },
    "b": { "kind": "mass", "mass": 0.01, "frequency": 100, "displacement": 1e-3 } },
  "contacts": [ { "law": "spring", "name": "foot", "between": ["p@0.3,0.4", "s@0.5"], "linear": 1e4 },
                { "law": "collision", "below": "b", "above": "s@0.3", "stiffness": 1e6 } ],
  "initial": [ { "on": "s@0.3", "amplitude": 2e-3 }, { "on": "q@0.5", "shape": "sine" }, { "on": "p@0.5,0.5", "shape": "sine" } ],
  "pickups": [ { "name": "v", "at": "s@0.2" }, { "name": "d", "at": "p@0.5,0.5", "quantity": "displacement" } ] }
"""


def import_module(name):
    try:
        return __import__(name)
    except ImportError as error:
        raise Skip(str(error))


def render_ensemble(folder):
    put(folder, "all.json", ENSEMBLE)
    words = ["render", "all.json", "-q", "-o", "all.h5", "--energy", "all.h5", "--rule", "refined", "--every", "8"]
    for name in "sqpb":
        words += ["--field", name]
    assert run(*words, folder=folder)[0] == 0
    return words


def test_hdf5_describes_itself_to_h5py(folder):
    if not HAS_H5:
        raise Skip("built without HDF5")
    h5py, numpy = import_module("h5py"), import_module("numpy")
    words = render_ensemble(folder)
    with h5py.File(os.path.join(folder, "all.h5")) as f:
        assert f.attrs["command"] == "jawari " + " ".join(words) and f.attrs["rule"] == "refined"
        assert f.attrs["scene_text"] == ENSEMBLE and f.attrs["title"] == "String, bar and plate" and f.attrs["includes"] == ""
        assert f.attrs["scene_hash"] == "sha256:" + __import__("hashlib").sha256(ENSEMBLE.encode()).hexdigest()
        assert (f.attrs["sample_rate"], f.attrs["oversample"]) == (44100, 1)
        assert f.attrs["software"] == run("--version", folder=folder)[1].decode().splitlines()[0]
        tables = []
        f.visititems(lambda name, item: tables.append(item) if isinstance(item, h5py.Dataset) else None)
        assert len(tables) > 30
        for table in tables:
            assert table.attrs["units"] and table.attrs["long_name"], table.name
            if not h5py.h5ds.is_scale(table.id):
                assert [dim[0].shape[0] for dim in table.dims] == list(table.shape), table.name
        d = f["fields/p/displacement"]
        assert d.dims[0][0].name == "/fields/p/time" and d.dims[1][0].name == "/fields/p/y" and d.dims[2][0].name == "/fields/p/x"
        # The plate starts as a half wave along each side, the string by modes as one, at the places that are stated.
        x, y = f["fields/p/x"][:], f["fields/p/y"][:]
        assert len(x) == 8 and len(y) == 6 and x[0] == 0 and abs(y[-1] - 0.3) < 1e-12
        shape = 1e-3 * numpy.outer(numpy.sin(numpy.pi * y / 0.3), numpy.sin(numpy.pi * x / 0.4))
        assert abs(d[0] - shape).max() < 1e-15
        q = f["fields/q"]
        assert q["displacement"].shape[1] == 9 and abs(q["displacement"][0] - 1e-3 * numpy.sin(numpy.pi * q["x"][:] / 0.5)).max() < 1e-12
        assert f["fields/b/displacement"].shape == f["fields/b/time"].shape
        e = f["energy"]
        assert list(e["object_number"].attrs["names"]) == ["s", "q", "p", "b"]
        assert list(e["contact_number"].attrs["names"]) == ["foot", "contact2"] and list(e["contact_number"]) == [1, 2]
        most = e["stored"][:].max()
        assert abs(e["objects"][:].sum(1) - e["kinetic"][:] - e["potential"][:]).max() < 1e-12 * most
        assert abs(e["contacts"][:].sum(1) - e["contact"][:]).max() < 1e-12 * most and e["contacts"][:].max(0).min() > 0
        assert list(f["contacts/contact"].attrs["names"]) == ["foot", "contact2"] and f["contacts/closures"][1] > 0
        assert f["contacts/push"][1] > 0 and 0 < f["contacts/longest"][1] <= f["contacts/closed"][1] < 0.02


def test_hdf5_opens_in_xarray(folder):
    if not HAS_H5:
        raise Skip("built without HDF5")
    xarray = import_module("xarray")
    import_module("h5netcdf")
    render_ensemble(folder)
    path = os.path.join(folder, "all.h5")
    with xarray.open_dataset(path, group="fields/p", engine="h5netcdf") as d:
        assert d.displacement.dims == ("time", "y", "x") and d.displacement.attrs["units"] == "m" and d.time.dtype == float
        assert float(d.displacement.sel(time=0, x=0.2, y=0.15, method="nearest")) > 9e-4
    with xarray.open_dataset(path, group="energy", engine="h5netcdf") as d:
        assert float(d.objects.sel(object_number=1).max()) > 0 and list(d.object_number.attrs["names"])[0] == "s" and abs(float(d.time[0]) - 0.5 / 44100) < 1e-15
    with xarray.open_dataset(path, group="pickups", engine="h5netcdf") as d:
        assert set(d.data_vars) == {"v", "d"} and d.v.dims == ("time",)


def test_hdf5_opens_in_octave(folder):
    if not HAS_H5:
        raise Skip("built without HDF5")
    if subprocess.run(["sh", "-c", "command -v octave-cli"], capture_output=True).returncode:
        raise Skip("octave is not installed")
    render_ensemble(folder)
    script = 'a = load("all.h5"); printf("%d ", size(a.fields.p.displacement), size(a.pickups.v)); printf("%.17g", a.energy.time(1));'
    done = subprocess.run(["octave-cli", "--no-gui", "--quiet", "--eval", script], cwd=folder, capture_output=True, text=True)
    # It counts dimensions from the last.
    assert done.stdout == "8 6 111 1 882 %.17g" % (0.5 / 44100), (done.stdout, done.stderr)


def test_tables_are_read_as_the_manual_says(folder):
    numpy, pandas = import_module("numpy"), import_module("pandas")
    put(folder, "small.json", SMALL)
    assert run("render", "small.json", "-q", "-o", "x.csv", "--energy", "e.csv", "--field", "string=f.csv", folder=folder)[0] == 0
    for name, first in (("x.csv", 0.0), ("e.csv", 0.5 / 44100), ("f.csv", 0.0)):
        path = os.path.join(folder, name)
        frame, lines = pandas.read_csv(path, comment="#", float_precision="round_trip"), numpy.loadtxt(path, delimiter=",", skiprows=12)
        assert frame.shape == lines.shape and frame.columns[0] == "time (s)" and lines[0, 0] == first
        assert (frame.to_numpy() == lines).all()


def test_every_file_says_where_it_comes_from(folder):
    put(folder, "small.json", '{ "jawari": 1, "title": "It\'s \\"two\\"", "include": "part.json", "duration": 0.01 }')
    put(folder, "part.json", SMALL)
    hashes = ["sha256:" + __import__("hashlib").sha256(get(folder, name)).hexdigest() for name in ("small.json", "part.json")]
    command = "jawari render small.json -q -o 'a b.wav' --oversample 2 --energy e.csv --plot p.svg --stats s.json"
    words = [word.strip("'") for word in command.replace("a b", "a_b").split()[1:]]
    assert run(*[word.replace("a_b", "a b") for word in words], folder=folder)[0] == 0
    wanted = {"software": run("--version", folder=folder)[1].decode().splitlines()[0], "command": command, "scene": "small.json",
              "title": "It's \"two\"", "scene_hash": hashes[0], "includes": "part.json " + hashes[1], "sample_rate": "44100",
              "oversample": "2", "rule": "own"}
    table = get(folder, "e.csv").decode().splitlines()
    assert all(line.startswith("# ") for line in table[:11]) and table[11].startswith("time (s)")
    for key, value in wanted.items():
        assert "# %s: %s" % (key, value) in table[:11], key
    assert json.loads(table[10][len("# scene_text: "):]) == get(folder, "small.json").decode()
    stats = json.loads(get(folder, "s.json"))
    for key, value in wanted.items():
        assert str(stats[key]) == value, key
    drawn = __import__("xml.dom.minidom").dom.minidom.parseString(get(folder, "p.svg")).getElementsByTagName("metadata")[0].firstChild.data
    assert all("%s: %s\n" % item in drawn for item in wanted.items())
    if HAS_SOUND:
        for ending in ("wav", "flac", "ogg"):
            assert run("render", "small.json", "-q", "-o", "x." + ending, "--gain", "0.01", folder=folder)[0] == 0
            library, file, _ = open_sound(os.path.join(folder, "x." + ending))
            library.sf_get_string.restype, library.sf_get_string.argtypes = ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int]
            title, software, comment = (library.sf_get_string(file, which) for which in (1, 3, 5))
            library.sf_close(file)
            assert title.decode() == wanted["title"] and software.decode().startswith(wanted["software"]), (ending, title, software)
            assert "scene_hash: " + hashes[0] in comment.decode() and '"include": "part.json"' in comment.decode()
            assert "sample n of a velocity at (n + 0.5)/rate" in comment.decode()


# ---------------------------------------------------------------- converge

def study(out):
    """{(pickup, rule, rate): [error, worst, order]} of the table."""
    rows = [line.split() for line in out.decode().splitlines()[3:]]
    return {(r[0], r[1], float(r[2])): [float(x) if x != "-" else None for x in r[3:6]] for r in rows}


def test_converge_finds_the_order_of_a_mass_on_a_spring(folder):
    put(folder, "swing.json", SWING.replace("exact", "leapfrog"))
    status, out, err = run("converge", "swing.json", folder=folder)
    table = study(out)
    assert status == 0 and err == "" and len(table) == 2 * 5, out
    for pickup in ("pickup1", "pickup2"):
        for rate in (88200, 176400, 352800):
            # Leapfrog and centred velocity are of second order; the next term is (w k)^2 = 1e-3 of it.
            assert abs(table[pickup, "own", rate][2] - 2) < 0.01, (pickup, rate, table)
        assert table[pickup, "own", 44100][2] is None and table[pickup, "own", 705600][0] == 0
        assert table[pickup, "own", 44100][0] > 15 * table[pickup, "own", 176400][0]


def test_converge_sees_what_is_late(folder):
    # A throw between two frames of every rate begins at the next one: of first order, and worst at the lowest rate.
    put(folder, "late.json", """{ "jawari": 1, "duration": 0.01, "objects": { "m": { "kind": "mass", "mass": 1 } },
      "score": [ { "at": 0.0010000001, "throw": "m", "velocity": 2 } ], "pickups": [ { "at": "m", "quantity": "displacement" } ] }""")
    status, out, _ = run("converge", "late.json", "--rate", "10000", folder=folder)
    table = study(out)
    assert status == 0 and all(abs(table["pickup1", "own", rate][2] - 1) < 0.02 for rate in (20000, 40000, 80000)), out


def test_the_errors_of_converge_are_those_of_the_tables(folder):
    put(folder, "small.json", SMALL.replace('"length"', '"points": 40, "length"'))
    status, out, err = run("converge", "small.json", "-d", "0.02", "--doublings", "2", "-o", "c.svg", folder=folder)
    table = study(out)
    rules = ["own", "bounded", "plain", "released", "refined", "newton"]
    assert status == 0 and sorted(table) == sorted((p, r, 44100.0 * f) for p in ("near", "pickup2") for r in rules for f in (1, 2, 4))
    sounds = {}
    for name, rule, rate in (("reference", "newton", 176400), ("coarse", "refined", 44100)):
        assert run("render", "small.json", "-d", "0.02", "-o", "x.csv", "--rule", rule, "-r", str(rate), folder=folder)[0] == 0
        sounds[name] = [row[1] for row in read_csv(get(folder, "x.csv"))[1]][::rate // 44100]
    pairs = list(zip(sounds["coarse"], sounds["reference"]))
    error = math.sqrt(sum((a - b) ** 2 for a, b in pairs) / sum(b * b for _, b in pairs))
    worst = max(abs(a - b) for a, b in pairs) / max(map(abs, sounds["reference"]))
    assert len(pairs) == 882 and error > 0  # Printed with three digits
    assert abs(table["near", "refined", 44100][0] / error - 1) < 5e-3 and abs(table["near", "refined", 44100][1] / worst - 1) < 5e-3
    picture = get(folder, "c.svg").decode()
    __import__("xml.dom.minidom").dom.minidom.parseString(picture)
    assert all(rule in picture for rule in rules) and "velocity of near" in picture and "force of pickup2" in picture
    assert run("converge", "small.json", "-d", "0.002", "-o", "-", folder=folder)[1].startswith(b"<")


def test_converge_says_what_is_wrong(folder):
    put(folder, "small.json", SMALL)
    put(folder, "mute.json", '{ "jawari": 1, "objects": { "m": { "kind": "mass", "mass": 1, "frequency": 100, "displacement": 1 } } }')
    for words, status, message in (
        ([], 2, "converge wants a scene"),
        (["small.json", "more.json"], 2, 'converge takes one scene, and "more.json" is one more'),
        (["small.json", "--rules", "bounded,best"], 2, '--rules: there is no "best"; there are own, bounded'),
        (["small.json", "--rules", "newton,newton"], 2, "--rules: newton is given twice"),
        (["small.json", "--doublings", "1"], 2, "--doublings is 1, must be 2 to 9"),
        (["small.json", "-d", "1e-6"], 2, "small.json: the duration is less than one frame"),
        (["mute.json"], 1, "mute.json: the scene has no pickups"),
        (["small.json", "-d", "0.001", "-o", "nowhere/c.svg"], 1, "cannot write nowhere/c.svg"),
    ):
        got, _, err = run("converge", *words, folder=folder)
        assert got == status and err.startswith("jawari: " + message), (words, got, err)
    assert names(folder) == ["mute.json", "small.json"]


# ---------------------------------------------------------------- pictures

def test_pictures_have_the_panels_asked_for(folder):
    put(folder, "small.json", SMALL)
    titles = {"waveform": "Waveform of near", "spectrogram": "Spectrogram of near", "energy": "Energy; the ledger closes",
              "shape": "Shape of string", "contacts": "Contacts: when"}
    status, out, _ = run("plot", "small.json", "-o", "-", folder=folder)
    __import__("xml.dom.minidom").dom.minidom.parseString(out)
    assert status == 0 and all(title.encode() in out for title in titles.values())
    for name, title in titles.items():
        status, out, _ = run("plot", "small.json", "-o", "-", "--panels", name, folder=folder)
        assert status == 0 and [t for t in titles.values() if t.encode() in out] == [title]
    assert "there is no \"wave\"" in run("plot", "small.json", "--panels", "energy,wave", folder=folder)[2]
    assert "no string \"bell\"" in run("plot", "small.json", "--string", "bell", folder=folder)[2]
    assert names(folder) == ["small.json"]


# ---------------------------------------------------------------- failing, and stopping

def test_a_bad_scene_writes_nothing(folder):
    put(folder, "bad.json", BAD)
    status, _, err = run("render", "bad.json", "-o", "x.csv", "--energy", "e.csv", "--plot", "p.svg", "--stats", "s.json", folder=folder)
    assert status == 3 and "bad.json:3:31: error: " in err
    assert names(folder) == ["bad.json"]


def test_an_unwritable_place_is_an_error(folder):
    put(folder, "small.json", SMALL)
    for option in ("-o", "--energy", "--stats", "--plot", "--field"):
        path = {"--field": "string=nowhere/x.csv", "--stats": "nowhere/x.json", "--plot": "nowhere/x.svg"}.get(option, "nowhere/x.csv")
        first = () if option == "-o" else ("-o", "y.csv")
        status, _, err = run("render", "small.json", *first, option, path, folder=folder)
        assert status == 1 and "cannot write" in err and "No such file or directory" in err, (option, err)
    os.mkdir(os.path.join(folder, "dir.csv"))
    status, _, err = run("render", "small.json", "-o", "dir.csv", folder=folder)
    assert status == 1 and "it is a folder" in err


def test_a_full_disk_leaves_nothing_new_and_keeps_what_was_there(folder):
    put(folder, "small.json", SMALL)
    put(folder, "old.csv", "kept\n")
    for ending in ["csv"] + ["wav", "flac", "w64", "ogg"] * HAS_SOUND + ["h5"] * HAS_H5:
        put(folder, "old." + ending, "kept\n")
        status, _, err = run("render", "small.json", "-o", "old." + ending, folder=folder, limit=4096)
        assert status == 1 and "cannot write old." + ending in err, (ending, status, err)
        assert get(folder, "old." + ending) == b"kept\n"
        os.remove(os.path.join(folder, "old." + ending))
        assert names(folder) == ["small.json"], (ending, names(folder))
    for option, name in (("--energy", "e.csv"), ("--field", "string=f.csv"), ("--plot", "p.svg")):
        status, _, err = run("render", "small.json", "-o", "x.csv", "-d", "0.001", "--every", "1", option, name, folder=folder, limit=3000)
        assert status == 1 and "cannot write" in err, (option, err)


def formats():
    return ["csv"] + ["wav", "flac", "w64", "ogg"] * HAS_SOUND + ["h5"] * HAS_H5


def test_a_disk_that_fills_at_any_point_leaves_nothing(folder):
    put(folder, "small.json", SMALL)
    for ending in formats():
        name = "x." + ending
        assert run("render", "small.json", "-o", name, "-d", "0.05", "--gain", "0.01", folder=folder)[0] == 0
        size = os.path.getsize(os.path.join(folder, name))
        os.remove(os.path.join(folder, name))
        for limit in sorted({1, 40, size // 3, size // 2, size - 100, size - 1}):
            status, _, err = run("render", "small.json", "-o", name, "-d", "0.05", "--gain", "0.01", folder=folder, limit=limit)
            assert status == 1 and "cannot write " + name in err, (ending, limit, size, status, err)
            assert names(folder) == ["small.json"], (ending, limit, names(folder))


def test_a_read_only_folder_is_an_error_in_every_format(folder):
    put(folder, "small.json", SMALL)
    os.mkdir(os.path.join(folder, "shut"), 0o555)

    def nobody():  # Root may write anywhere
        if os.geteuid() == 0:
            os.setuid(65534)

    os.chmod(folder, 0o755)
    for ending in formats():
        words = ["render", "small.json", "-o", "shut/x." + ending, "-d", "0.01"]
        try:
            done = subprocess.run([JAWARI, *words], cwd=folder, capture_output=True, preexec_fn=nobody, timeout=PATIENCE)
        except (PermissionError, subprocess.SubprocessError):
            raise Skip("another user may not come here")
        assert done.returncode == 1 and b"cannot write shut/x." in done.stderr and b"Permission denied" in done.stderr, done.stderr
        assert os.listdir(os.path.join(folder, "shut")) == []


def test_a_full_device_is_an_error(folder):
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    put(folder, "small.json", SMALL)
    status, _, err = run("render", "small.json", "-o", "/dev/full", "--format", "csv", folder=folder)
    assert status == 1 and "cannot write /dev/full: No space left" in err, err
    for words in (["render", "small.json", "-o", "-", "--format", "csv"], ["scenes"], ["--man"], ["info", "small.json"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([JAWARI, *words], stdout=full, stderr=subprocess.PIPE, cwd=folder, env=dict(os.environ, TMPDIR=folder))
        assert done.returncode == 1 and done.stderr, words
    assert names(folder) == ["small.json"]


def test_a_closed_pipe_is_an_error(folder):
    put(folder, "small.json", SMALL)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([JAWARI, "render", "small.json", "-o", "-", "--format", "csv"], stdout=writing, stderr=subprocess.PIPE,
                          cwd=folder, env=dict(os.environ, TMPDIR=folder))
    os.close(writing)
    assert done.returncode == 1 and b"Broken pipe" in done.stderr
    assert names(folder) == ["small.json"]


def test_nothing_that_is_read_is_overwritten(folder):
    put(folder, "part.json", SMALL)
    put(folder, "whole.json", '{ "jawari": 1, "include": "part.json", "duration": 0.05 }')
    song = midi_file(b"\x00\x90\x3c\x40\x60\x80\x3c\x40\x00\xff\x2f\x00")
    for name in ("song.mid", "tune.json"):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(song)
    os.mkdir(os.path.join(folder, "sub"))
    os.symlink("../whole.json", os.path.join(folder, "sub", "link.json"))
    os.link(os.path.join(folder, "part.json"), os.path.join(folder, "twin.json"))
    os.symlink("whole.json", os.path.join(folder, "w.csv"))
    os.symlink("part.json", os.path.join(folder, "p.svg"))
    before = {name: get(folder, name) for name in ("part.json", "whole.json", "song.mid", "tune.json")}
    for words in (["--stats", "whole.json"], ["--stats", "./whole.json"], ["--stats", os.path.join(folder, "whole.json")],
                  ["--stats", "sub/../whole.json"], ["--stats", "sub/link.json"], ["--stats", "part.json"], ["--stats", "twin.json"],
                  ["--energy", "w.csv"], ["--plot", "p.svg"]):
        status, _, err = run("render", "whole.json", "-o", "x.csv", *words, folder=folder)
        assert status == 2 and "is read by this command" in err and "it would be overwritten" in err, (words, status, err)
    status, _, err = run("render", "whole.json", "-o", "x.csv", "--midi", "tune.json", "--stats", "./tune.json", folder=folder)
    assert status == 2 and "is read by this command" in err, err
    with open(os.path.join(folder, "part.json")) as file:
        done = subprocess.run([JAWARI, "render", "-", "-o", "x.csv", "--stats", "part.json"], stdin=file, cwd=folder, capture_output=True)
    assert done.returncode == 2 and b"part.json is read by this command as standard input" in done.stderr, done.stderr
    status, _, err = run("render", "whole.json", "-o", "x.csv", "--energy", "./x.csv", folder=folder)
    assert status == 2 and "x.csv and ./x.csv are one file" in err, err
    status, _, err = run("converge", "whole.json", "-o", "p.svg", folder=folder)
    assert status == 2 and "is read by this command" in err
    assert {name: get(folder, name) for name in before} == before and "x.csv" not in names(folder)


def midi_file(track, division=96):
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, division) + b"MTrk" + struct.pack(">I", len(track)) + track


def test_a_song_without_end_is_refused(folder):
    # A note of 2^28 ticks at 16.8 s each.
    with open(os.path.join(folder, "long.mid"), "wb") as file:
        file.write(midi_file(b"\x00\xff\x51\x03\xff\xff\xff\x00\x90\x3c\x40\xff\xff\xff\x7f\x80\x3c\x40\x00\xff\x2f\x00", 1))
    status, _, err = run("render", "guitar", "--midi", "long.mid", "-o", "x.csv", folder=folder)
    assert status == 1 and re.search(r"long\.mid lasts [\d.e+]+ s, and 3600 s are the most; --duration takes a part", err), err
    assert run("render", "guitar", "--midi", "long.mid", "-d", "0.1", "-q", "-o", "x.csv", folder=folder)[0] == 0
    assert names(folder) == ["long.mid", "x.csv"]


def test_a_closed_standard_output_is_an_error(folder):
    put(folder, "small.json", SMALL)
    for words in ("render small.json -q -o - --format csv", "render small.json -q -o -", "render small.json -o x.csv", "scenes", "info small.json"):
        if "-o - " in words + " " and "csv" not in words and not HAS_SOUND:
            continue
        done = subprocess.run(["sh", "-c", '"$0" %s >&-' % words, JAWARI], cwd=folder, capture_output=True, env=dict(os.environ, TMPDIR=folder))
        said = b"could not be written" in done.stderr or b"cannot write standard output" in done.stderr
        assert done.returncode == 1 and said, (words, done)
    done = subprocess.run(["sh", "-c", '"$0" render - -q -o y.csv <&-', JAWARI], cwd=folder, capture_output=True)
    assert done.returncode == 1 and b"cannot read -" in done.stderr, done
    # The file is whole, and not what went to a stream that was closed.
    assert get(folder, "x.csv").startswith(b"# software") and names(folder) == ["small.json", "x.csv"]


def test_one_signal_ends_who_waits_at_a_pipe(folder):
    put(folder, "small.json", SMALL)
    os.mkfifo(os.path.join(folder, "fifo"))
    for words in (["render", "fifo", "-o", "x.csv"], ["render", "small.json", "-o", "fifo", "--format", "csv"],
                  ["render", "small.json", "-o", "x.csv", "--stats", "fifo"], ["render", "-", "-o", "x.csv"], ["converge", "fifo"]):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = subprocess.Popen([JAWARI, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=dict(os.environ, TMPDIR=folder))
            time.sleep(0.5)
            assert process.poll() is None, (words, process.communicate())
            process.send_signal(number)
            start = time.monotonic()
            process.stdout.read()
            assert process.wait(timeout=PATIENCE) == 130 and time.monotonic() - start < 3, (words, process.returncode)
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()
            # What was whole before the signal may be there
            assert not [name for name in names(folder) if name.startswith(".") or name.startswith("jawari.")], words


def test_links_are_followed_and_modes_kept(folder):
    put(folder, "small.json", SMALL)
    put(folder, "target.csv", "old\n")
    os.chmod(os.path.join(folder, "target.csv"), 0o640)
    os.symlink("target.csv", os.path.join(folder, "link.csv"))
    assert run("render", "small.json", "-o", "link.csv", "-d", "0.01", folder=folder)[0] == 0
    assert os.path.islink(os.path.join(folder, "link.csv"))
    assert get(folder, "target.csv").startswith(b"# software: jawari ")
    assert os.stat(os.path.join(folder, "target.csv")).st_mode & 0o777 == 0o640


def start_long(folder, *words):
    put(folder, "small.json", SMALL)
    process = subprocess.Popen([JAWARI, "render", "small.json", "-d", "3600", "--stats", "s.json", *words], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=folder))
    for _ in range(600):  # Until it has begun to write
        if any(name.startswith(".x") for name in names(folder)):
            break
        time.sleep(0.05)
    time.sleep(0.5)
    return process


def test_ctrl_c_leaves_a_valid_shorter_file(folder):
    process = start_long(folder, "-o", "x.wav" if HAS_SOUND else "x.csv", "--plot", "x.svg")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, (process.returncode, err)
    stats = json.loads(get(folder, "s.json"))
    assert stats["stopped"] is True and 0 < stats["duration"] < 3600 and b"(stopped)" in out
    frames = round(stats["duration"] * 44100)
    if HAS_SOUND:
        assert len(read_wav(get(folder, "x.wav"))[2]) == 2 * frames
    else:
        assert len(read_csv(get(folder, "x.csv"))[1]) == frames
    __import__("xml.dom.minidom").dom.minidom.parseString(get(folder, "x.svg"))
    assert not [name for name in names(folder) if name.startswith(".")]


def test_ctrl_c_leaves_something_whole_in_every_format(folder):
    for ending in formats():
        name = "x." + ending
        process = start_long(folder, "-o", name, "--no-ledger", "--gain", "0.01")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130, (ending, process.returncode, err)
        frames = round(json.loads(get(folder, "s.json"))["duration"] * 44100)
        assert 0 < frames < 3600 * 44100
        if ending == "csv":
            assert len(read_csv(get(folder, name))[1]) == frames
        elif ending != "h5":
            assert sound_frames(os.path.join(folder, name)) == frames, ending
        else:
            assert get(folder, name).startswith(b"\x89HDF")
        assert names(folder) == ["s.json", "small.json", name]
        os.remove(os.path.join(folder, name))


def test_ignored_signals_stay_ignored(folder):
    put(folder, "small.json", SMALL)
    process = subprocess.Popen([JAWARI, "render", "small.json", "-d", "2", "-o", "x.csv"], cwd=folder, stdout=subprocess.DEVNULL,
                               preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    time.sleep(0.1)
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=PATIENCE) == 0
    assert len(read_csv(get(folder, "x.csv"))[1]) == 2 * 44100


def on_terminal(folder, *words, env=None):
    try:
        main, side = pty.openpty()
    except OSError as error:
        raise Skip("no terminal to be had here: %s" % error)
    process = subprocess.Popen([JAWARI, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=side,
                               env=dict({k: v for k, v in os.environ.items() if k != "NO_COLOR"}, TERM="xterm", **(env or {})))
    os.close(side)
    text = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    process.wait(timeout=PATIENCE)
    os.close(main)
    return text


def test_terminals_get_colours_and_progress_unless_unwanted(folder):
    put(folder, "bad.json", BAD)
    put(folder, "small.json", SMALL)
    assert b"\033[1;31merror:" in on_terminal(folder, "check", "bad.json")
    assert b"\033[" not in on_terminal(folder, "check", "bad.json", env={"NO_COLOR": "1"})
    shown = on_terminal(folder, "render", "small.json", "-o", "x.csv", "-d", "8")
    assert re.search(rb"\d+ %  [\d.]+ of 8\.0 s, [\d.]+ x real time, \d+:\d\d left", shown), shown
    assert on_terminal(folder, "render", "small.json", "-o", "x.csv", "-q") == b""


# ---------------------------------------------------------------- manual and completions

def test_man_page_is_good_roff_and_names_every_option(folder):
    out = run("--man", folder=folder)[1]
    for verb in ("render", "plot", "info", "check", "scenes"):
        for option in re.findall(rb"(--[a-z-]+)", run(verb, "--help", folder=folder)[1].split(b"examples:")[0].split(b"options:")[-1]):
            assert option.replace(b"-", b"\\-") in out, option
    if subprocess.run(["sh", "-c", "command -v groff"], capture_output=True).returncode:
        raise Skip("groff is not installed, so its warnings cannot be seen")
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=out, capture_output=True)
    assert done.returncode == 0 and done.stderr == b"", done.stderr


def test_bash_completes_verbs_options_values_and_scenes(folder):
    put(folder, "c.bash", run("--completion", "bash", folder=folder)[1].decode())
    script = """PATH=%s:$PATH; compopt() { :; }; . ./c.bash
complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _jawari; echo "${COMPREPLY[*]}"; }
complete_line jawari re; complete_line jawari render --dur; complete_line jawari render --rule pl; complete_line jawari info tromba-m
""" % os.path.dirname(JAWARI)
    done = subprocess.run(["bash", "-c", script], capture_output=True, cwd=folder)
    lines = done.stdout.decode().splitlines()
    assert lines[:3] == ["render", "--duration", "plain"] and "tromba-marina" in lines[3].split(), (lines, done.stderr)


def test_zsh_completion_is_good_zsh(folder):
    out = run("--completion", "zsh", folder=folder)[1]
    assert out.startswith(b"#compdef jawari\n") and b"--oversample[" in out
    assert run("--completion", "fish", folder=folder)[0] == 2
    if subprocess.run(["sh", "-c", "command -v zsh"], capture_output=True).returncode:
        raise Skip("zsh is not installed, so its syntax cannot be checked")
    done = subprocess.run(["zsh", "-n", "/dev/stdin"], input=out, capture_output=True)
    assert done.returncode == 0 and done.stderr == b"", done.stderr


# ---------------------------------------------------------------- bench

BENCH_KEYS = """string_cycles_per_point plate_cycles_per_point fig8_ratio tromba_large_ratio tromba_small_ratio
tromba_small_realtime tromba_played_load piano_held_load impact_free_ns impact_pressed_ns threads_ratio threads_roof rest_percent pow_ns
pow_error ledger_cost_ratio""".split()


def test_bench_has_the_promised_keys_and_draws(folder):
    # Sanitizers and emulators are slow, so that only signs are held, never a speed
    status, out, err = run("bench", "--json", "--quick", "--svg", ".", folder=folder)
    assert status == 0 and err == "", err
    figures = json.loads(out)
    for key in BENCH_KEYS:
        assert key in figures, key
        assert math.isfinite(figures[key]) and figures[key] > 0, (key, figures[key])
    assert figures["pow_error"] < 1e-14
    picture = get(folder, "scaling.svg").decode()
    for panel in ("grid", "strings", "contacts", "threads", "block"):
        assert panel in picture, panel
    assert names(folder) == ["scaling.svg"]


def test_bench_prints_what_it_has_measured(folder):
    status, out, err = run("bench", "--quick", folder=folder)
    assert status == 0 and err == "", err
    lines = out.decode().splitlines()
    head = re.fullmatch(r"one cycle (\S+) ns; registers of four doubles a cycle: add (\S+), multiply (\S+), fused (\S+), load (\S+), store (\S+)", lines[0])
    assert head and lines[1] == "", lines[0]
    kernels = [re.fullmatch(r"(\S.{39}) +([\d.]+) cycles a point(?:   +(\d+) % of roof \(([\d.]+)\))?", line) for line in lines]
    kernels = [match for match in kernels if match]
    assert len(kernels) in (5, 7) and sum("naive" in m[1] or "plain C" in m[1] for m in kernels) == 2, out
    for match in kernels:  # How near the roof is the share that the roof has of the time
        if match[3]:
            share = 100 * float(match[4]) / float(match[2])
            assert abs(share - int(match[3])) < 1 + share * (0.005 / float(match[2]) + 0.005 / float(match[4])), match[0]
    assert sum(bool(match[3]) for match in kernels) == (3 if float(head[2]) > 0 else 0)
    scenes = [re.fullmatch(r"(\S.{39}) +([\d.]+) ns a sample    *([\d.]+) x real time(?:    *([\d.]+) x plain C \(([\d.]+) ns\))?", line) for line in lines]
    scenes = [match for match in scenes if match]
    assert len(scenes) == 10 and sum(bool(match[4]) for match in scenes) == 4, out
    for number, match in enumerate(scenes):
        ns, rate = float(match[2]), {0: 220500, 5: 48000}.get(number, 44100)
        real = 1e9 / rate / ns
        assert abs(real - float(match[3])) < 0.051 + real * 0.051 / ns, (match[0], real)
        if match[4]:
            ratio = float(match[5]) / ns
            assert abs(ratio - float(match[4])) < 0.051 + ratio * (0.051 / ns + 0.051 / float(match[5])), match[0]
    played, small, ledger = (float(scenes[n][2]) for n in (5, 3, 4))
    text = out.decode()
    share = float(re.search(r"tromba marina as played, share of a core +([\d.]+) %", text)[1])
    assert abs(share - 100 * played * 48000e-9) < 0.06 + share * 0.051 / played
    threads, roof = map(float, re.search(r"two threads against one, 88 strings +([\d.]+) x   \(strings that share nothing ([\d.]+) x\)", text).groups())
    assert abs(threads - float(scenes[8][2]) / float(scenes[9][2])) < 0.01 + 0.1 / float(scenes[9][2]) and 0.3 < roof < 3
    assert abs(float(re.search(r"ledger on against off +([\d.]+) x", text)[1]) - ledger / small) < 0.01 + 0.1 * ledger / small / small
    assert 0 < float(re.search(r"a scene at rest against it sounding +([\d.]+) %", text)[1]) < 100
    error = re.search(r" ([\d.]+) ns a value, relative error at most (\S+)", text)
    assert float(error[1]) > 0 and 0 < float(error[2]) < 1e-14
    assert re.search(r" ns a sample +[\d.]+ x jawari", text)
    assert names(folder) == []


def test_bench_says_what_is_wrong(folder):
    assert run("bench", "more", folder=folder)[0] == 2
    status, _, err = run("bench", "--json", "--quick", "--svg", "nowhere", folder=folder)
    assert status == 1 and "nowhere/scaling.svg" in err, (status, err)


# ---------------------------------------------------------------- run them

def main():
    tests = [(name[5:].replace("_", " "), call) for name, call in list(globals().items()) if name.startswith("test_")]
    words = sys.argv[3:]
    tests = [test for test in tests if not words or any(word in test[0] for word in words)]
    print("1..%d" % len(tests))
    failed = 0
    for number, (claim, call) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                call(folder)
                print("ok %d %s" % (number, claim), flush=True)
            except Skip as reason:
                print("ok %d %s # SKIP %s" % (number, claim, reason), flush=True)
            except Exception as error:  # An assertion, or anything that went wrong on the way
                failed += 1
                place = __import__("traceback").extract_tb(error.__traceback__)[-1]
                for line in ("%s: %s" % (type(error).__name__, error)).splitlines()[:40]:
                    print("# " + line)
                print("# line %d: %s" % (place.lineno, place.line))
                print("not ok %d %s" % (number, claim), flush=True)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
