#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turn C headers into what cffi reads: preprocessed, without system headers and inline functions.

usage: cdef.py CC INCLUDE-FOLDER[:FOLDER...] OUTPUT HEADER...

The headers themselves are the only place where the interface is written down.
"""
import os
import re
import subprocess
import sys
import tempfile

SYSTEM = ["stdbool.h", "stddef.h", "stdint.h", "math.h", "stdio.h"]  # cffi knows their types by itself


def main():
    compiler, folders, output, headers = sys.argv[1], sys.argv[2].split(":"), sys.argv[3], sys.argv[4:]
    with tempfile.TemporaryDirectory() as empty:
        for name in SYSTEM:
            open(os.path.join(empty, name), "w").close()
        text = "".join('#include "%s"\n' % header for header in headers)
        command = [compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-U__clang__", "-I", empty]
        for folder in folders:
            command += ["-I", folder]
        made = subprocess.run(command + ["-x", "c", "-"], input=text, capture_output=True, text=True)
    if made.returncode:
        sys.exit(made.stderr)
    text = re.sub(r"static inline[^{]*\{.*?^\}", "", made.stdout, flags=re.S | re.M)
    with open(output, "w") as file:
        file.write(text)


main()
