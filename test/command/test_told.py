#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the command says and writes, against what is worked out here: its words, its figures, and what it does where few come by.

usage: test_told.py JAWARI SOURCE-FOLDER      prints TAP
"""
import json
import math
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import threading
import time

from kit import JAWARI, PATIENCE, SCENE, Skip, get, jawari, put, run_claims

BUILT = subprocess.run([JAWARI, "--version"], capture_output=True, text=True).stdout
HAS_SOUND, HAS_H5 = "sound files: yes" in BUILT, "HDF5 files: yes" in BUILT
MASS = {"jawari": 1, "duration": 0.01, "objects": {"m": {"kind": "mass", "mass": 0.01, "frequency": 220, "displacement": 1e-3}}, "pickups": [{"at": "m", "quantity": "displacement"}]}
MUTE = {name: value for name, value in MASS.items() if name != "pickups"}


def table(data):
    """The head and the rows of a CSV file."""
    lines = [line for line in data.decode().splitlines() if not line.startswith("#")]
    return lines[0].split(","), [[float(x) for x in line.split(",")] for line in lines[1:]]


def on_terminal(folder, words, enough):
    """What a terminal shows of standard error; stopped as soon as that has `enough`."""
    main, side = pty.openpty()
    process = subprocess.Popen([JAWARI, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=side)
    os.close(side)
    shown = b""
    try:
        while part := os.read(main, 65536):
            shown += part
            if enough(shown.decode()):
                process.send_signal(signal.SIGINT)
    except OSError:  # Its end
        pass
    os.close(main)
    assert process.wait(PATIENCE) == 130, shown
    return shown.decode()


def plain(text):
    """The words of a text, in a row."""
    return " ".join(text.split())


# ---------------------------------------------------------------- help, manual, completions

def verbs():
    return re.findall(r"^  ([a-z]+\d?) ", jawari(".", "--help")[1].split("jawari VERB --help")[0], re.M)


def test_the_help_of_every_verb_fits_a_narrow_terminal_and_says_what_the_manual_says(_):
    manual = jawari(".", "--man")[1]
    sections = dict(re.findall(r"^\.SS jawari (\S+) [^\n]*\n(.*?)(?=^\.S[SH] )", manual, re.M | re.S))
    assert len(verbs()) == 13 and set(sections) == set(verbs())
    for verb in verbs():
        out = jawari(".", verb, "--help")[1]
        assert verb == "paper" or max(map(len, re.split("\nexamples:\n", out)[0].splitlines()[3:])) <= 78, verb
        if verb == "paper":
            continue
        # Of the manual without its signs; it names an option in bold and its value in italics
        text = sections[verb].replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")
        head, _, examples = text.partition(".PP\nExamples:\n")
        options = re.findall(r"^\.TP\n\.B ([^\n]*)\n([^\n]*)\n", head, re.M)
        about = plain(re.split(r"^\.TP\n", head, 1, re.M)[0].replace(".PP\n", ""))
        body = out.split("\n\n", 2)[2]
        shown_about, _, rest = body.partition("\noptions:\n") if options else body.partition("\nexamples:\n")
        assert plain(shown_about) == about, (verb, plain(shown_about), about)
        shown_options = plain(rest.partition("\nexamples:\n")[0]) if options else ""
        assert shown_options == plain(" ".join(re.sub(r"\\fI(.*)\\fR", r"\1", name) + " " + help for name, help in options)), (verb, shown_options)
        shown_examples = plain(body.partition("\nexamples:\n")[2])
        assert shown_examples == plain(" ".join(" ".join(pair) for pair in re.findall(r"^\.TP\n\.B ([^\n]*)\n([^\n]*)\n", examples, re.M))), (verb, shown_examples)


def options_of(verb):
    """(name, letter, value) of each, from its help."""
    found = re.findall(r"^  (?:(-\w), )?(--[a-z-]+)(?: ([A-Z./=]+))?(?:  |$)", jawari(".", verb, "--help")[1], re.M)
    return [(name, letter, value) for letter, name, value in found]


def test_bash_completes_every_option_of_every_verb(folder):
    put(folder, "c.bash", jawari(folder, "--completion", "bash")[1])
    script = "compopt() { echo \"compopt $*\"; }\n. ./c.bash\nask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _jawari; echo \"${COMPREPLY[*]}\"; }\n"
    asked, wanted = "PATH=%s:$PATH\n" % os.path.dirname(JAWARI) + script, []
    for verb in verbs():
        options = options_of(verb) if verb != "paper" else []
        asked += "ask jawari %s --\n" % verb
        wanted.append(" ".join([name for name, _, _ in options] + ["--help"]))
        for name, letter, value in options:
            for word in [name] + [letter] * bool(letter):
                if "FILE" in value:
                    asked += "ask jawari %s %s x\n" % (verb, word)
                    wanted += ["compopt -o default", ""]
    for words, reply in (("jawari render --rule re", "released refined"), ("jawari render --bits ''", "16 24 float"), ("jawari scenes --group p", "papers"),
                         ("jawari scenes --show guit", "guitar"), ("jawari render --channels ''", "mono stereo pickups"), ("jawari sch", "schema"), ("jawari --v", "--version")):
        asked += "ask %s\n" % words
        wanted.append(reply)
    done = subprocess.run(["bash", "-c", asked], cwd=folder, capture_output=True, text=True, env=dict(os.environ, PATH=os.path.dirname(JAWARI) + ":" + os.environ["PATH"]))
    lines = done.stdout.splitlines()
    assert lines == wanted, [(a, b) for a, b in zip(lines, wanted) if a != b] or (len(lines), len(wanted), done.stderr)


def test_zsh_is_told_every_option_with_its_help(folder):
    text = jawari(folder, "--completion", "zsh")[1]
    parts = dict(re.findall(r"^    (\w+)\)\n(.*?) ;;$", text, re.M | re.S))
    assert set(parts) == set(verbs())
    for verb in verbs():
        about = re.search(r"^  %s +(.*)$" % verb, jawari(folder, "--help")[1], re.M)[1]
        assert "    '%s:%s'" % (verb, about.replace(":", "\\:").replace("'", "'\\''")) in text, verb
        takes_scene = verb in ("render", "play", "plot", "info", "check", "lv2", "converge")
        assert parts[verb].endswith("'*:scene:_jawari_scenes'" if takes_scene else "'*:file:_files'"), verb
        said = plain(jawari(folder, verb, "--help")[1])
        for name, _, value in options_of(verb) if verb != "paper" else []:
            row = re.search(r"'(\*?)%s\[((?:\\.|'\\''|[^]])*)\](?::([^:]*):([^']*))?'" % name, parts[verb])
            assert row, (verb, name)
            help = re.sub(r"\\([][:\\])", r"\1", row[2].replace("'\\''", "'"))
            assert plain(help) in said and (row[3] or "") == value and bool(row[1]) == ("may be given again" in help or name == "--preset"), (verb, name, help)
            assert (row[4] == "_files") == (value == "FILE"), (verb, name, row[4])


def test_short_words_do_what_long_ones_do(folder):
    for short, long in ((["-h"], ["--help"]), (["help"], ["--help"]), (["-V"], ["--version"]), (["info", "-h"], ["info", "--help"]), (["help", "paper"], ["paper", "--help"])):
        assert jawari(folder, *short) == jawari(folder, *long) and jawari(folder, *short)[0] == 0, short


# ---------------------------------------------------------------- figures

def test_the_work_of_a_scene_is_added_up_right_and_listed_the_same(folder):
    listed = jawari(folder, "scenes")[1]
    assert [len(group.splitlines()) > 5 for group in listed.split("\n\n")] == [True] * 3
    for name in ("bouncing-ball", "gong", "two-strings", "tromba-small"):
        out = jawari(folder, "info", name)[1]
        title = re.match(r"%s: (.*)" % name, out)[1]
        seconds, rate, times = re.search(r"^  (\S+) s at (\S+) Hz(?:, computed at (\d+) times that)?$", out, re.M).groups()
        sample, second, whole = map(float, re.search(r"operations +(\S+) a sample, (\S+) million a second of sound, (\S+) billion in all", out).groups())
        rate = float(rate) * int(times or 1)
        # Four and three digits of each
        assert abs(second / (sample * rate / 1e6) - 1) < 6e-3 and abs(whole / (sample * rate * float(seconds) / 1e9) - 1) < 6e-3, out
        row = re.search(r"^  %s +(\S+) s  (\S.{9,10}?) +(\d+)  (.*)$" % name, listed, re.M)
        assert row and row[4] == title and float(row[1]) == float(seconds) and abs(int(row[3]) - second) <= 0.5 + 5e-3 * second, (row, second)


def test_notes_are_named_as_on_a_piano(folder):
    names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    pitches = [5, 7.9, 8.0, 8.3, 27.5, 82.4, 261.62, 439, 440, 452.8, 453.1, 4186, 11000, 26000, 28000]
    put(folder, "many.json", {"jawari": 1, "world": {"sample_rate": 192000}, "objects": {"m%d" % i: {"kind": "mass", "mass": 1e-3, "frequency": f} for i, f in enumerate(pitches)}})
    out = jawari(folder, "info", "many.json")[1]
    for i, frequency in enumerate(pitches):
        said = re.search(r"^  m%d .* ([\d.]+) Hz +(.*?) +0.001 kg$" % i, out, re.M)
        sounds = float(said[1])  # Which leapfrog raises
        assert abs(sounds / frequency - 1) < 0.05, (frequency, said[0])
        key = 69 + 12 * math.log2(sounds / 440)
        nearest = math.floor(key + 0.5)
        words = said[2].split()
        if not 0 <= nearest <= 140:
            assert not words, said[0]
        else:  # Half a cent, and what the two digits of the frequency leave open: 1731 cents times its part
            assert words[0] == "%s%d" % (names[nearest % 12], nearest // 12 - 1), said[0]
            assert abs(int(words[1]) - 100 * (key - nearest)) <= 0.5 + 1731 * 0.005 / sounds, said[0]


def test_progress_says_how_much_is_done_and_left(folder):
    put(folder, "m.json", SCENE)
    line = r"\r *(\d+) %  ([\d.]+) of ([\d.]+) s, ([\d.]+) x real time, (\d+):(\d\d) left \033\[K"
    start = time.monotonic()
    shown = on_terminal(folder, ["render", "m.json", "-o", "x.csv", "-d", "1000", "--oversample", "4"], lambda text: len(re.findall(line, text)) >= 4)
    told = re.findall(line, shown)
    assert len(told) >= 4 and shown.endswith("\r\033[K"), shown
    for percent, done, whole, factor, minutes, seconds in told:
        done, whole, factor = float(done), float(whole), float(factor)
        assert whole == 1000 and abs(int(percent) - 100 * done / whole) < 0.51, told
        left = (whole - done) / factor  # It is rounded down; the factor has two digits after the point, the seconds one
        off = (0.005 * left + 0.05) / factor
        assert -1 - 1.01 * off <= 60 * int(minutes) + int(seconds) - left <= 1.01 * off, (told, left)
    times = [float(done) for _, done, *_ in told]
    assert times == sorted(times) and len(set(times)) > 1
    assert len(told) <= 1 + 5 * (time.monotonic() - start), "it is told five times a second"


def test_a_dry_run_of_a_data_set_adds_up_what_it_would_make(folder):
    put(folder, "small.json", SCENE)
    put(folder, "d.json", {"dataset": 1, "size": 9, "seconds": 0.05, "channels": "stereo", "instruments": {
        "small": {"scene": "small.json", "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8}, "string.radius": [2e-4, 3e-4]}}, "piano-c4": {"vary": {"felt.stiffness": [1e9]}}}})
    out = jawari(folder, "dataset", "d.json", "--dry-run")[1].splitlines()
    assert out[:5] == ["small: 5 sounds of 0.05 s, 2 channels, 44100 Hz", "  varies  rattle.stiffness         N/m^a", "  varies  string.radius            m",
                       "piano-c4: 4 sounds of 0.05 s, 2 channels, 44100 Hz", "  varies  felt.stiffness           N/m^a"], out
    assert out[5].startswith("9 sounds, %.3g h, %.3g MB, data set " % (9 * 0.05 / 3600, 9 * 2205 * 2 * 4 / 1e6)) and len(out) == 6, out[5]
    put(folder, "s.json", {"sweep": 1, "scene": "small.json", "seconds": 0.05, "channels": "stereo", "keep": ["sound"], "vary": {"string.radius": [2e-4, 3e-4, 4e-4]}})
    out = jawari(folder, "sweep", "s.json", "--dry-run")[1].splitlines()
    # A row has 272 bytes besides
    assert out[0] == "3 points of small.json" and out[-1] == "%.3g MB before compression" % (3 * (272 + 2205 * 2 * 4) / 1e6), out
    assert plain(out[2]) == "kept sound 1 4410 a point", out


def test_a_sound_too_large_for_its_file_is_refused_before_it_is_made(folder):
    put(folder, "m.json", dict(MASS, pickups=[{"at": "m"}] * 64))
    put(folder, "d.json", {"dataset": 1, "size": 1, "seconds": 3600, "rate": 5000, "channels": "pickups", "instruments": {"m": {"scene": "m.json", "vary": {"m.mass": [1e-3]}}}})
    status, out, error = jawari(folder, "dataset", "d.json", "--dry-run")
    assert status == 1 and out == "" and error == "jawari: m: the sound has 4.61e+09 bytes, and a WAV file at most 4.29e9\n", error


def test_a_stream_says_its_length_as_far_as_its_head_can(folder):
    """2^32 - 1 where there is more: players then read to the end."""
    if not HAS_SOUND:
        raise Skip("built without libsndfile")
    for title in ("four", "fives"):  # Texts of a chunk end with a zero, and chunks are even
        put(folder, "m.json", dict(MASS, title=title))
        for rate, seconds, channels in ((44100, 0.01, 2), (44100, 3600, 1), (1e7, 3600, 2)):
            words = ["render", "m.json", "-q", "-o", "-", "--gain", "1", "-r", "%g" % rate, "-d", "%g" % seconds, "--channels", ("mono", "stereo")[channels - 1]]
            process = subprocess.Popen([JAWARI, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            head = process.stdout.read(2000)
            process.stdout.close()
            process.stderr.read()
            process.wait(PATIENCE)
            chunks, at = {}, 12
            while b"data" not in chunks:
                kind, size = head[at:at + 4], struct.unpack("<I", head[at + 4:at + 8])[0]
                chunks[kind] = size if kind == b"data" else head[at + 8:at + 8 + size]
                at += 8 + size + size % 2
            frames = round(rate * seconds)
            data = 4 * frames * channels
            assert chunks[b"data"] == min(data, 2 ** 32 - 1) and struct.unpack("<I", chunks[b"fact"])[0] == min(frames, 2 ** 32 - 1), chunks
            start = at - 8 - size - size % 2  # Of the chunk of samples
            assert struct.unpack("<I", head[4:8])[0] == min(data + start, 2 ** 32 - 1), (head[4:8], start)
            texts, place = chunks[b"LIST"], 4
            found = {}
            while place < len(texts):
                length = struct.unpack("<I", texts[place + 4:place + 8])[0]
                found[texts[place:place + 4]] = texts[place + 8:place + 8 + length]
                place += 8 + length + length % 2
            assert place == len(texts) and found[b"INAM"] == title.encode() + b"\0" and found[b"ISFT"].startswith(b"jawari "), found


def test_a_sound_needs_a_whole_rate_and_a_table_does_not(folder):
    put(folder, "m.json", MASS)
    for words in (["-o", "a.wav"], ["-o", "-", "--gain", "1"]) if HAS_SOUND else ():
        status, out, error = jawari(folder, "render", "m.json", "-r", "44100.5", "-q", *words)
        assert status == 1 and out == "" and "a sound file needs a whole sample rate, not 44100.5 Hz" in error, error
    assert jawari(folder, "render", "m.json", "-r", "44100.5", "-q", "-o", "a.csv")[0] == 0 and table(get(folder, "a.csv"))[1][1][0] == 1 / 44100.5


def test_a_plate_by_modes_is_written_as_pickups_hear_it(folder):
    plate = {"kind": "plate", "size": [0.4, 0.3], "thickness": 2e-3, "material": "steel", "edges": "supported", "method": "modes", "modes": 12}
    put(folder, "p.json", {"jawari": 1, "duration": 0.005, "objects": {"p": plate}, "score": [{"strike": "p@0.3,0.4", "amplitude": 10, "duration": 0.001}],
                           "pickups": [{"at": "p@0.5,0.5", "quantity": "displacement"}]})
    status, _, error = jawari(folder, "render", "p.json", "-o", "x.csv", "--field", "p=f.csv", "--every", "20", "-q")
    assert status == 0, error
    head, rows = table(get(folder, "f.csv"))
    places = [tuple(map(float, re.match(r"u at x=(\S+) y=(\S+) \(m\)", name).groups())) for name in head[1:]]
    across = sorted({x for x, _ in places})
    along = sorted({y for _, y in places})
    assert len(places) == len(across) * len(along) > 4 and [place for place in places] == [(x, y) for y in along for x in across], "x runs fastest"
    for values, side in ((across, 0.4), (along, 0.3)):
        assert all(abs(x - side * (i + 1) / (len(values) + 1)) < 1e-9 for i, x in enumerate(values)), values
    picked = [0, len(across) - 1, len(places) // 2, len(places) - 1]
    pickups = [{"at": {"on": "p", "x": (i % len(across) + 1) / (len(across) + 1), "y": (i // len(across) + 1) / (len(along) + 1)}, "quantity": "displacement"} for i in picked]
    scene = json.loads(get(folder, "p.json"))
    put(folder, "q.json", dict(scene, pickups=pickups))
    status, _, error = jawari(folder, "render", "q.json", "-o", "y.csv", "-q")
    assert status == 0, error
    heard = {row[0]: row[1:] for row in table(get(folder, "y.csv"))[1]}
    most = max(abs(x) for row in rows for x in row[1:])
    for row in rows:
        for k, i in enumerate(picked):
            assert abs(heard[row[0]][k] - row[1 + i]) < 1e-9 * most, (row[0], i)
    assert len(rows) == 12 and most > 0
    if HAS_H5:
        try:
            import h5py
        except ImportError:
            return
        assert jawari(folder, "render", "p.json", "-o", "x.h5", "--field", "p", "--every", "20", "-q")[0] == 0
        with h5py.File(os.path.join(folder, "x.h5")) as file:
            group = file["fields/p"]
            assert group["displacement"].shape == (12, len(along), len(across))
            assert [x for row in group["displacement"][7] for x in row] == rows[7][1:] and list(group["x"]) != list(group["y"])
            assert all(abs(a - b) < 1e-9 for a, b in zip(list(group["x"]) + list(group["y"]), across + along))


def test_an_object_by_its_modes_is_written_mode_by_mode(folder):
    if not HAS_H5:
        raise Skip("built without HDF5")
    try:
        import h5py
    except ImportError as missing:
        raise Skip(str(missing))
    put(folder, "b.json", {"jawari": 1, "duration": 0.01, "objects": {"b": {"kind": "modal", "modes": [[200, 5, 0.1], [550, 9, 0.1], [900, 9, 0.2]], "shapes": [[1, 1, -1]]},
                                                                     "m": {"kind": "mass", "mass": 0.01, "frequency": 100, "displacement": 1e-3}},
                           "score": [{"push": "b@0", "amplitude": 1, "duration": 0.002}], "pickups": [{"at": "b@0"}]})
    status, _, error = jawari(folder, "render", "b.json", "-o", "x.h5", "--field", "b", "--field", "m", "--every", "9", "-q")
    assert status == 0, error
    assert jawari(folder, "render", "b.json", "-o", "x.csv", "--field", "b=b.csv", "--field", "m=m.csv", "--every", "9", "-q")[0] == 0
    with h5py.File(os.path.join(folder, "x.h5")) as file:
        for name, modes in (("b", 3), ("m", 1)):
            head, rows = table(get(folder, name + ".csv"))
            field = file["fields/" + name]
            shown = field["displacement"][...].reshape(len(rows), modes)
            assert head == ["time (s)"] + ["u%d (m)" % (i + 1) for i in range(modes)] and [list(row) for row in shown] == [row[1:] for row in rows]
            assert max(abs(row[modes]) for row in rows) > 0 and list(field["time"]) == [row[0] for row in rows]
        assert file["fields/b/displacement"].shape == (50, 3) and file["fields/b/displacement"].dims[1][0].name == "/fields/b/mode"
        assert list(file["fields/b/mode"]) == [1, 2, 3] and file["fields/b/mode"].attrs["units"] == "1" and file["fields/b/displacement"].attrs["kind"] == "modal"
        assert file["fields/b/displacement"].attrs["long_name"] == "displacement of modes" and file["fields/m/displacement"].attrs["long_name"] == "displacement"
        assert file["fields/m/displacement"].shape == (50,) and "mode" not in file["fields/m"]


def test_a_pickup_cannot_be_called_as_the_times_are(folder):
    if not HAS_H5:
        raise Skip("built without HDF5")
    put(folder, "m.json", dict(MASS, pickups=[{"at": "m", "name": "time"}]))
    status, _, error = jawari(folder, "render", "m.json", "-o", "x.h5", "-q")
    assert status == 1 and 'a pickup called "time" would stand beside the times' in error and os.listdir(folder) == ["m.json"], error


def test_what_a_rate_does_not_allow_is_a_mistake_in_the_scene(folder):
    put(folder, "s.json", {"jawari": 1, "duration": 0.01, "objects": {"s": {"kind": "string", "length": 0.65, "frequency": 220, "points": 60}}, "pickups": [{"at": "s@0.5"}]})
    for words in (["render", "s.json", "-o", "x.csv"], ["info", "s.json"], ["converge", "s.json"], ["plot", "s.json"]):
        assert jawari(folder, *words, *(["-q"] if words[0] in ("render", "plot") else []))[0] == 0, words
        status, out, error = jawari(folder, *words, "-r", "8000")
        assert status == 3 and out == "" and error.startswith("s.json:5:5: error: "), (words, status, error)
        assert "points" in error and error.count("error:") == 1, error
    status, out, error = jawari(folder, "check", "s.json", "--set", "world.sample_rate=8000")
    assert status == 3 and out == "" and "points" in error, (status, error)


def test_a_study_draws_eight_pickups_and_says_of_how_many(folder):
    put(folder, "ten.json", {"jawari": 1, "duration": 0.005, "objects": {"m%d" % i: {"kind": "mass", "mass": 0.01, "frequency": 100 + 10 * i, "displacement": 1e-3} for i in range(10)},
                             "pickups": [{"at": "m%d" % i} for i in range(10)]})
    assert jawari(folder, "converge", "ten.json", "--doublings", "2", "-o", "c.svg")[0] == 0
    drawn = get(folder, "c.svg").decode()
    assert "8 of 10 pickups" in drawn and [("velocity of pickup%d<" % (i + 1)) in drawn for i in range(10)] == [True] * 8 + [False] * 2
    put(folder, "still.json", {"jawari": 1, "duration": 0.005, "objects": {"m": {"kind": "mass", "mass": 0.01, "frequency": 100}}, "pickups": [{"at": "m"}]})
    status, out, error = jawari(folder, "converge", "still.json", "--doublings", "2", "-o", "s.svg")
    assert status == 1 and error == "jawari: still.json: there is no error to draw\n" and not os.path.exists(os.path.join(folder, "s.svg")), error
    assert [line.split()[3:6] for line in out.splitlines()[3:]] == [["-"] * 3] * 3, out


def test_keys_that_a_tuning_leaves_out_are_warned_of(folder):
    put(folder, "p.json", {"jawari": 1, "duration": 0.1, "objects": {"s": {"kind": "string", "length": 0.65, "radius": 3e-4, "material": "nylon", "frequency": "A3", "bend": 3, "loss": [5, 1e-3]}},
                           "score": [{"pluck": "s@0.2"}], "pickups": [{"at": "s@0.9"}]})
    put(folder, "a.scl", "one\n1\n2/1\n")
    put(folder, "a.kbm", "3\n0\n127\n60\n60\n261.6\n1\n0\nx\nx\n")  # Of three keys one has a degree
    track = b"".join(bytes([0, 0x90, n, 100, 10, 0x80, n, 0]) for n in (60, 61, 62, 62)) + b"\0\xff\x2f\0"
    with open(os.path.join(folder, "song.mid"), "wb") as file:
        file.write(b"MThd\0\0\0\6\0\0\0\1\0\x60MTrk" + struct.pack(">I", len(track)) + track)
    status, _, error = jawari(folder, "render", "p.json", "--midi", "song.mid", "--scale", "a.scl", "--map", "a.kbm", "-d", "0.5", "-q", "-o", "x.csv")
    assert status == 0 and "song.mid: 3 notes have no key in this tuning" in error, error


# ---------------------------------------------------------------- files

def test_a_disk_that_fills_leaves_nothing_of_any_file(folder):
    put(folder, "m.json", MUTE)
    outputs = [["--energy", "e.csv"], ["--field", "m=f.csv"], ["--plot", "p.svg"], ["--stats", "s.json"]] + [["--energy", "e.h5"], ["--field", "m=f.h5"]] * HAS_H5
    for option, value in outputs:
        name = value.rpartition("=")[2]
        words = ["render", "m.json", "-q", "-d", "0.2", "--every", "7", option, value]
        status, _, error = jawari(folder, *words)
        assert status == 0, error
        size = os.path.getsize(os.path.join(folder, name))
        os.remove(os.path.join(folder, name))
        # Figures have the time that it took, in as many digits as that has
        for limit in (1, size // 3, size // 2) + (() if option == "--stats" else (size - 100, size - 1)):
            status, _, error = jawari(folder, *words, limit=limit)
            assert status == 1 and error.count("jawari: cannot write ") == 1 and error.endswith("jawari: 1 warning\n"), (option, name, limit, status, error)
            assert os.listdir(folder) == ["m.json"], (option, name, limit, os.listdir(folder))
    put(folder, "c.json", MASS)
    assert jawari(folder, "converge", "c.json", "-o", "c.svg", "--doublings", "2")[0] == 0
    size = os.path.getsize(os.path.join(folder, "c.svg"))
    os.remove(os.path.join(folder, "c.svg"))
    for limit in (1, size - 1):
        status, _, error = jawari(folder, "converge", "c.json", "-o", "c.svg", "--doublings", "2", limit=limit)
        assert status == 1 and error == "jawari: cannot write c.svg: File too large\n" and "c.svg" not in os.listdir(folder), error


def test_scenes_and_tables_pass_through_named_pipes(folder):
    put(folder, "m.json", MASS)
    put(folder, "part.json", MASS)
    os.mkfifo(os.path.join(folder, "in"))
    os.mkfifo(os.path.join(folder, "out"))
    assert jawari(folder, "render", "m.json", "-o", "x.csv", "-q")[0] == 0
    wanted = table(get(folder, "x.csv"))

    def feed(text):
        with open(os.path.join(folder, "in"), "w") as pipe:
            pipe.write(text)

    for text, more in ((json.dumps(MASS), []), ('{ "jawari": 1, "include": "part.json", "duration": 0.01, "pickups": [] }', ["--folder", "."])):
        writer = threading.Thread(target=feed, args=(text,))
        writer.start()
        status, _, error = jawari(folder, "render", "in", "-o", "y.csv", "-q", *more)
        writer.join()
        assert status == 0 and table(get(folder, "y.csv")) == wanted, error
    for words, check in ((["-o", "out", "--format", "csv"], lambda data: table(data) == wanted), (["-o", "y.csv", "--stats", "out"], lambda data: json.loads(data)["duration"] == 441 / 44100)):
        got = []
        reader = threading.Thread(target=lambda: got.append(get(folder, "out")))
        reader.start()
        status, _, error = jawari(folder, "render", "m.json", "-q", *words)
        reader.join()
        assert status == 0 and check(got[0]), (words, error)


def test_a_file_comes_before_a_built_in_scene_and_a_folder_does_not(folder):
    os.mkdir(os.path.join(folder, "gong"))
    assert jawari(folder, "check", "gong")[:2] == (0, "gong: good\n")
    put(folder, "two-strings", MASS)
    assert "  m " in jawari(folder, "info", "two-strings")[1] and "  m " not in jawari(folder, "info", "gong")[1]
    os.mkdir(os.path.join(folder, "dir"))
    assert jawari(folder, "check", "dir") == (1, "", "jawari: dir is a folder, not a scene\n")


def test_words_that_are_too_many_or_too_long_are_refused(folder):
    put(folder, "m.json", MASS)
    many = ["--set", "m.mass=0.01"]
    assert jawari(folder, "check", "m.json", *many * 64)[0] == 0
    assert jawari(folder, "check", "m.json", *many * 65) == (2, "", "jawari: --set is given more than 64 times\n")
    long, name = "d/" * 2100 + "x.csv", "x" * 300 + ".csv"
    for path, message in ((long, "the path has more than 4095 bytes"), (name, "File name too long"), ("d/" * 2042 + "x.csv", "")):
        status, _, error = jawari(folder, "render", "m.json", "-q", "-o", path)
        assert status == 1 and "cannot write" in error and message in error, (path[-20:], error)
    assert jawari(folder, "plot", "-") == (2, "", "jawari: a scene from standard input has no name; say where to with -o\n")
    assert jawari(folder, "render", "-") == (2, "", "jawari: a scene from standard input has no name; say where to with -o\n")
    for words, message in ((["dataset", "d.json", "-o", "no/where"], "cannot make the folder no/where: No such file"), (["dataset", "d.json", "--check", "none.jsonl"], "cannot read none.jsonl: No such file"),
                           (["dataset", "d.json", "--item", "0", "-o", "no/x.wav"], "cannot write no/x.wav: No such file")):
        put(folder, "d.json", {"dataset": 1, "size": 1, "seconds": 0.01, "instruments": {"piano-c4": {"vary": {"felt.stiffness": [1e9]}}}})
        status, out, error = jawari(folder, *words)
        assert status == 1 and out == "" and message in error, (words, error)


# ---------------------------------------------------------------- stopping

def long_run(folder, *words):
    """A command that has begun to write."""
    before = set(os.listdir(folder))
    process = subprocess.Popen([JAWARI, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while set(os.listdir(folder)) == before and time.monotonic() < end:
        time.sleep(0.01)
    return process


def test_a_hangup_is_a_wish_to_stop_like_any_other(folder):
    put(folder, "m.json", SCENE)
    for number in (signal.SIGHUP, signal.SIGTERM):
        process = long_run(folder, "render", "m.json", "-d", "3600", "-o", "x.csv")
        time.sleep(0.2)
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 130 and sorted(os.listdir(folder)) == ["m.json", "x.csv"], (number, os.listdir(folder))
        assert len(table(get(folder, "x.csv"))[1]) % 256 == 0, "whole blocks"
        os.remove(os.path.join(folder, "x.csv"))


def test_who_asks_twice_is_not_kept_waiting_and_finds_nothing(folder):
    # One block of this takes seconds
    put(folder, "slow.json", {"jawari": 1, "duration": 10, "oversample": 64, "objects": {"p": {"kind": "plate", "size": [2, 2], "thickness": 1e-3, "material": "steel"}}, "pickups": [{"at": "p@0.5,0.5"}],
                              "score": [{"strike": "p@0.3,0.3"}]})
    process = long_run(folder, "render", "slow.json", "-o", "x.csv", "--plot", "p.svg", "--energy", "e.csv", "-q")
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    assert process.poll() is None, "it is too quick to be asked twice"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGINT and os.listdir(folder) == ["slow.json"], (process.returncode, os.listdir(folder))


def test_a_data_set_that_is_stopped_says_how_to_go_on(folder):
    put(folder, "small.json", SCENE)
    put(folder, "d.json", {"dataset": 1, "size": 4000, "seconds": 1, "instruments": {"small": {"scene": "small.json", "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8}}}}})
    for more, said in (([], r"jawari: stopped after \d+ of 4000 sounds; --resume goes on\n"), (["--resume", "-q"], ""), (["--list"], r"jawari: stopped after \d+ of 4000 sounds\n")):
        process = subprocess.Popen([JAWARI, "dataset", "d.json", *more], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130 and out == "" and re.fullmatch(said, error), (more, process.returncode, out, error)
    assert not [name for name in os.listdir(os.path.join(folder, "d")) if not re.fullmatch(r"about\.json|\d{6}\.wav", name)]


def test_two_runs_do_not_write_one_sweep(folder):
    if not HAS_H5:
        raise Skip("built without HDF5")
    put(folder, "small.json", SCENE)
    put(folder, "s.json", {"sweep": 1, "scene": "small.json", "seconds": 20, "keep": ["statistics"], "vary": {"rattle.stiffness": {"from": 1e5, "to": 1e8, "count": 500}}})
    first = long_run(folder, "sweep", "s.json", "-j", "1")
    time.sleep(0.2)
    for more in ([], ["--resume"]):
        status, _, error = jawari(folder, "sweep", "s.json", *more)
        assert status == 1 and error == "jawari: s.h5.rows is being written by another run\n", error
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=PATIENCE)
    assert first.returncode == 130


sys.exit(run_claims(globals()))
