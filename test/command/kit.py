# SPDX-License-Identifier: MIT
"""What the tests of `jawari sweep` and `jawari dataset` have in common: a scene, the command in a folder, files, TAP."""
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import traceback

JAWARI = os.path.abspath(sys.argv[1])
PATIENCE = 600  # s: ends what hangs
SCENE = """{
  "jawari": 1, "title": "A plucked string over a stop", "duration": 0.25,
  "objects": {
    "string": { "kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": "A3", "loss": [0.5, 1e-3] },
    "stop": { "kind": "barrier", "position": -2e-4 }
  },
  "contacts": [ { "law": "collision", "below": "stop", "above": "string@0.4", "stiffness": 1e7, "name": "rattle" } ],
  "initial": [ { "on": "string@0.2", "amplitude": 2e-3 } ],
  "pickups": [ { "at": "string@0.9", "gain": "auto", "name": "near" } ]
}
"""


class Skip(Exception):
    pass


def jawari(folder, *args, limit=None):
    """(status, stdout, stderr); `limit` is how large a file may get."""
    before = (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None
    done = subprocess.run([JAWARI, *args], capture_output=True, cwd=folder, timeout=PATIENCE, preexec_fn=before)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def put(folder, name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text if isinstance(text, str) else json.dumps(text, indent=2))


def get(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def samples(data):
    """The bytes of the samples of a WAV file."""
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + struct.unpack("<I", data[at + 4:at + 8])[0]
    return data[at + 8:at + 8 + struct.unpack("<I", data[at + 4:at + 8])[0]]


def run_claims(names):
    """Each function of these that begins with test_, in an empty folder, as a claim of TAP; the exit status."""
    claims = [(name[5:].replace("_", " "), claim) for name, claim in names.items() if name.startswith("test_")]
    print("1..%d" % len(claims))
    failed = 0
    for number, (words, claim) in enumerate(claims, 1):
        note = ""
        with tempfile.TemporaryDirectory() as folder:
            try:
                claim(folder)
                word = "ok"
            except Skip as reason:
                word, note = "ok", " # SKIP %s" % reason
            except Exception:
                word, failed = "not ok", failed + 1
                print("".join("# %s\n" % line for line in traceback.format_exc().splitlines()), end="")
        print("%s %d - %s%s" % (word, number, words, note), flush=True)
    return 1 if failed else 0
