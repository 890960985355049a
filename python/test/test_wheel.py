#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The wheel, installed in a fresh environment, gives the samples of the program.

usage: test_wheel.py JAWARI BUILD-FOLDER SOURCE-FOLDER      prints TAP
"""
import glob
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest

import tap

tap.need("cffi", "numpy", "build", "setuptools", "wheel", "ensurepip")
JAWARI, BUILD, SOURCE = (os.path.abspath(word) for word in sys.argv[1:4])
TEN = ["appendix-d", "bouncing-ball", "guitar", "marbles", "piano-c4", "shamisen", "sitar", "snare", "tanpura", "two-strings"]
CODE = """
import hashlib, sys, jawari
assert jawari.__path__[0].startswith(sys.prefix), jawari.__path__
for name in sys.argv[1:]:
    print(hashlib.sha256(jawari.render(name, seconds=0.3).samples.tobytes()).hexdigest())
"""


class Wheel(unittest.TestCase):
    def test_ten_scenes_of_a_fresh_environment_have_the_hashes_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.path.join(SOURCE, "scripts/wheel.sh"), BUILD, folder], check=True, cwd=SOURCE, stdout=subprocess.DEVNULL)
            wheel = glob.glob(os.path.join(folder, "jawari-*.whl"))
            self.assertEqual(len(wheel), 1)
            place = os.path.join(folder, "venv")
            # numpy and cffi are the system's: there is no network.
            subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", place], check=True)
            python = os.path.join(place, "bin/python")
            clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "LD_LIBRARY_PATH")}
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel[0]], check=True, env=clean)
            done = subprocess.run([python, "-c", CODE, *TEN], check=True, capture_output=True, text=True, cwd=folder, env=clean)
            self.assertEqual(done.stdout.split(), [hashlib.sha256(tap.program(JAWARI, name, "-d", "0.3")).hexdigest() for name in TEN])


tap.main(Wheel)
