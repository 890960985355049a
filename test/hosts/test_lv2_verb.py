#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`jawari lv2` as people run it: what it writes, what it refuses, and that nothing is left half-written.

usage: test_lv2_verb.py JAWARI LIBRARY      prints TAP
"""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

JAWARI, LIBRARY = map(os.path.abspath, sys.argv[1:3])
OWN = """{ "jawari": 1, "title": "Own \\"quoted\\" \\\\ title", "duration": 0.3, "include": ["parts/string.json"],
  "score": [ { "at": 0.1, "pluck": "string@0.2", "amplitude": 3, "duration": 0.003, "name": "pick" } ],
  "pickups": [ { "at": "string@0.95", "gain": "auto", "name": "ear-one" } ],
  "play": { "controls": [ { "from": "volume", "to": "ear-one.gain", "range": [0.25, 2] } ] } }
"""
PART = """{ "jawari": 1, "objects": { "string": { "kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel",
  "frequency": "A2", "decay": [100, 1, 2000, 0.5] } } }
"""


def run(folder, *args, before=None):
    done = subprocess.run([JAWARI, "lv2", *args, "--library", LIBRARY], capture_output=True, cwd=folder, timeout=300,
                          preexec_fn=before)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def fresh():
    folder = tempfile.TemporaryDirectory()
    os.mkdir(os.path.join(folder.name, "parts"))
    for name, text in ("own.json", OWN), ("parts/string.json", PART):
        with open(os.path.join(folder.name, name), "w") as file:
            file.write(text)
    return folder


def read(*path):
    with open(os.path.join(*path)) as file:
        return file.read()


def a_bundle_has_all_that_hosts_and_people_read():
    with fresh() as folder:
        status, out, err = run(folder, "own.json", "-o", "own.lv2", "--preset", "Half as loud: ear-one.gain = 0.5")
        assert status == 0, err
        assert "urn:jawari:own" in out and "1 controls" in out, out
        assert sorted(os.listdir(folder + "/own.lv2")) == ["jawari.so", "manifest.ttl", "own.json", "own.svg", "own.ttl", "parts"]
        assert read(folder, "own.lv2/own.json") == OWN and read(folder, "own.lv2/parts/string.json") == PART
        assert read(folder, "own.lv2/own.svg").startswith("<svg")
        manifest, about = read(folder, "own.lv2/manifest.ttl"), read(folder, "own.lv2/own.ttl")
        assert "lv2:binary <jawari.so>" in manifest and "<urn:jawari:own#preset-Half_20as_20loud>" in manifest
        port = re.search(r'lv2:symbol "ear_one_gain" ;\s+lv2:name "ear-one.gain" ;\s+lv2:minimum (\S+) ;\s+'
                         r'lv2:maximum (\S+) ;\s+lv2:default (\S+)', about)
        assert port and [float(x) for x in port.groups()] == [0.25, 2, 1], about
        assert 'lv2:symbol "ear_one_gain" ; pset:value 0.5' in about
        assert json.dumps(json.loads(OWN)["title"]) in about


def a_bundle_is_replaced_and_nothing_else_is():
    with fresh() as folder:
        assert run(folder, "own.json", "--no-picture")[0] == 0
        os.remove(folder + "/own.lv2/jawari.so")
        assert run(folder, "own.json", "--no-picture", "-q")[:2] == (0, "")
        assert os.path.exists(folder + "/own.lv2/jawari.so") and not os.path.exists(folder + "/own.lv2/own.svg")
        os.mkdir(folder + "/mine.lv2")
        with open(folder + "/mine.lv2/letter", "w") as file:
            file.write("dear")
        status, _, err = run(folder, "own.json", "-o", "mine.lv2")
        assert status == 1 and "without manifest.ttl" in err, err
        assert read(folder, "mine.lv2/letter") == "dear"
        assert sorted(os.listdir(folder)) == ["mine.lv2", "own.json", "own.lv2", "parts"]


def what_is_wrong_is_said_and_nothing_is_left():
    with fresh() as folder:
        with open(folder + "/bad.json", "w") as file:
            file.write('{ "jawari": 1, "objects": { "m": { "kind": "mas" } } }')
        with open(folder + "/tromba.json", "w") as file:
            file.write(OWN)
        before = sorted(os.listdir(folder))
        for args, status, says in (
                ([], 2, "wants one scene"),
                (["own.json", "-o", "own"], 2, 'ends in .lv2'),
                (["own.json", "--preset", "x"], 2, "NAME: control=value"),
                (["own.json", "--preset", "x: ear=1"], 2, 'no control "ear"'),
                (["own.json", "--preset", "x: ear-one.gain=3"], 2, "must be from 0.25 to 2"),
                (["own.json", "--preset", "x: ear-one.gain=loud"], 2, "wants a number"),
                (["own.json", "--preset", "x: ear-one.gain"], 2, "wanted control=value"),
                (["own.json", "gong", "--preset", "x: ear-one.gain=1", "-o", "x.lv2"], 2, "which scene"),
                (["own.json", "gong", "--preset", "bell/x: ear-one.gain=1", "-o", "x.lv2"], 2, 'no scene "bell"'),
                (["own.json", "own.json"], 2, "both be the plug-in"),
                (["own.json", "gong", "--name", "x"], 2, "of one scene"),
                (["own.json", "--name", "a b"], 2, "cannot name a plug-in"),
                (["tromba.json"], 2, "of its own with --name"),
                (["bouncing-ball"], 3, "nothing to play"),
                (["bad.json"], 3, "did you mean"),
                (["none.json"], 1, "none.json"),
                (["own.json", "-o", "nowhere/own.lv2"], 1, "No such file"),
        ):
            got, out, err = run(folder, *args)
            assert got == status and says in err and not out, (args, got, err)
            assert sorted(os.listdir(folder)) == before, (args, os.listdir(folder))
        done = subprocess.run([JAWARI, "lv2", "own.json", "--library", "none.so"], capture_output=True, cwd=folder)
        assert done.returncode == 1 and b"none.so" in done.stderr and b"--library" in done.stderr, done.stderr
        done = subprocess.run([JAWARI, "lv2", "own.json", "--library", "own.json"], capture_output=True, cwd=folder)
        assert done.returncode == 1 and b"cannot load the library" in done.stderr, done.stderr
        assert sorted(os.listdir(folder)) == before


def a_disk_that_is_full_leaves_nothing():
    with fresh() as folder:
        before = sorted(os.listdir(folder))
        status, _, err = run(folder, "own.json", before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
        assert status == 1 and "cannot write" in err, (status, err)
        assert sorted(os.listdir(folder)) == before, os.listdir(folder)


def a_signal_leaves_nothing():
    with fresh() as folder:
        before = sorted(os.listdir(folder))
        running = subprocess.Popen([JAWARI, "lv2", "gong", "tromba-sympathetic", "tromba-marina", "-o", "x.lv2", "--library", LIBRARY],
                                   cwd=folder, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while sorted(os.listdir(folder)) == before and time.monotonic() < deadline:
            time.sleep(0.001)
        running.send_signal(signal.SIGINT)
        assert running.wait(120) == 130
        assert sorted(os.listdir(folder)) == before, os.listdir(folder)


CLAIMS = [value for value in list(globals().values()) if callable(value) and getattr(value, "__module__", "") == "__main__"
          and value.__name__ not in ("run", "fresh", "read")]
print("1..%d" % len(CLAIMS))
failed = 0
for number, claim in enumerate(CLAIMS, 1):
    try:
        claim()
        print("ok %d - %s" % (number, claim.__name__))
    except Exception as error:  # Whatever goes wrong is this claim's failure
        failed = 1
        print("not ok %d - %s\n# %s: %s" % (number, claim.__name__, type(error).__name__, str(error).replace("\n", "\n# ")))
sys.exit(failed)
