#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The notebooks are run from top to bottom: an assertion that fails is a failure of theirs.

usage: test_notebooks.py FOLDER      prints TAP
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

import tap

tap.need("cffi", "numpy", "matplotlib", "ipykernel")
if not shutil.which("jupyter-nbconvert"):
    print("1..0 # SKIP jupyter-nbconvert is not installed")
    sys.exit(0)
books = sorted(glob.glob(os.path.join(sys.argv[1], "*.ipynb")))
assert len(books) == 3, books
print("1..%d" % len(books))
failed = 0
for number, path in enumerate(books, 1):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["/usr/bin/python3", shutil.which("jupyter-nbconvert"), "--to", "html", "--execute", "--output-dir", folder, path],
                              capture_output=True, text=True, env=dict(os.environ, HOME=folder, PYTHONDONTWRITEBYTECODE="1"))
        good = done.returncode == 0 and os.listdir(folder)
    if not good:
        failed += 1
        print("".join("# %s\n" % line for line in done.stderr.splitlines()[-30:]), end="")
    print("%s %d - %s runs, and its claims hold" % ("ok" if good else "not ok", number, os.path.basename(path)), flush=True)
sys.exit(bool(failed))
