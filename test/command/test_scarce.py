#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command where memory ends at its first, second, ... request: it fails and says so each time, what it leaves is whole, and
with enough memory it does what it is asked for.

usage: test_scarce.py JAWARI-SCARCE      prints TAP; the program is linked with scarce.c
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

JAWARI = os.path.abspath(sys.argv[1])
SCENE = {"jawari": 1, "duration": 0.01, "objects": {"s": {"kind": "string", "length": 0.65, "frequency": "A3", "points": 20},
                                                     "stop": {"kind": "barrier", "position": -2e-4}},
         "contacts": [{"law": "collision", "below": "stop", "above": "s@0.4", "stiffness": 1e7, "name": "rattle"}],
         "score": [{"pluck": "s@0.2"}], "pickups": [{"at": "s@0.9", "gain": "auto", "name": "near"}]}
VARY = {"rattle.stiffness": [1e5, 1e7]}
INPUTS = {"small.json": SCENE, "whole.json": {"jawari": 1, "include": "small.json"},
          "grid.json": {"sweep": 1, "scene": "small.json", "seconds": 0.005, "vary": VARY, "keep": ["sound", "statistics"], "fields": {"s": {"places": 3, "every": 0.005}}},
          "data.json": {"dataset": 1, "size": 3, "seconds": 0.005, "instruments": {"small": {"scene": "small.json", "vary": VARY}}}}
COMMANDS = ["render whole.json -o a.wav --energy e.csv --field s=f.csv --stats s.json", "render small.json -o a.h5 --energy a.h5 --field s", "render small.json",
            "render small.json -o a.csv --field s=f.h5 --energy e.h5", "render small.json -o - --gain 1 -q", "plot small.json --panels waveform,contacts -d 0.002",
            "converge small.json --doublings 2 -o c.svg --rules bounded,newton -d 0.002", "converge small.json --doublings 2 --rules own -d 0.002", "info small.json",
            "check small.json", "play small.json --list-controls", "sweep grid.json -j 1", "sweep grid.json --join 2", "sweep grid.json --slurm 3 --dry-run",
            "dataset data.json -j 1", "dataset data.json --list", "dataset data.json --item 1"]
UNFINISHED = ".rows"  # Points of a sweep, for a run that goes on


def run(words, end=None):
    """(status, what it says, {file: content}) in a folder of its own."""
    env = {name: value for name, value in os.environ.items() if name != "JAWARI_SCARCE"}
    with tempfile.TemporaryDirectory() as folder:
        for name, content in INPUTS.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(content if isinstance(content, str) else json.dumps(content))
        done = subprocess.run([JAWARI, *words.split()], cwd=folder, env=dict(env, TMPDIR=folder, **({"JAWARI_SCARCE": str(end)} if end else {})), capture_output=True)
        made = {}
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                if os.path.relpath(path, folder) not in INPUTS:
                    with open(path, "rb") as file:
                        made[os.path.relpath(path, folder)] = file.read()
        return done.returncode, done.stderr.decode(), made


def look(words):
    """How many requests there are; what is wrong is raised."""
    status, said, whole = run(words)
    assert status == 0, said
    for end in range(1, 1000):
        status, said, made = run(words, end)
        if status == 0:
            assert made.keys() == whole.keys(), (end, sorted(made))
            return end - 1
        assert status == 1 and "memory" in said.splitlines()[-1], "request %d: status %d, %r" % (end, status, said[-300:])
        for name, content in made.items():
            assert name.endswith(UNFINISHED) or name == "s.json" or content == whole.get(name), "request %d leaves %s" % (end, name)
    raise AssertionError("memory never suffices")


def main():
    print("1..%d" % len(COMMANDS))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, (words, asked) in enumerate([(words, pool.submit(look, words)) for words in COMMANDS], 1):
            try:
                note = "# %d requests\n" % asked.result()
                good = True
            except AssertionError as error:
                note, good, failed = "# %s\n" % str(error).replace("\n", "\n# "), False, 1
            print("%s%s %d - %s" % (note, "ok" if good else "not ok", number, words), flush=True)
    return failed


sys.exit(main())
