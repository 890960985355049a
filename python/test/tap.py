# SPDX-License-Identifier: MIT
"""Run unittest cases and print TAP, so that every claim is counted; a missing part skips them all, with its reason."""
import os
import struct
import subprocess
import sys
import tempfile
import traceback
import unittest


def need(*modules):
    """Skip the whole program where a module is missing."""
    for name in modules:
        try:
            __import__(name)
        except ImportError:
            print("1..0 # SKIP the Python module %s is not installed" % name)
            sys.exit(0)


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.lines = []

    def say(self, good, test, note=""):
        words = test.id().rpartition(".")[2].replace("test_", "", 1).replace("_", " ")
        print("%s %d - %s%s" % ("ok" if good else "not ok", self.testsRun, words, note), flush=True)

    def addSuccess(self, test):
        self.say(True, test)

    def addSkip(self, test, reason):
        self.say(True, test, " # SKIP " + reason)

    def addError(self, test, err):
        self.say(False, test)
        print("".join("# " + line + "\n" for line in "".join(traceback.format_exception(*err)).splitlines()), end="", flush=True)
        self.failures.append(test)

    addFailure = addError


def main(*cases):
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases)
    print("1..%d" % suite.countTestCases())
    result = Result()
    suite.run(result)
    sys.exit(bool(result.failures))


def program(jawari, scene, *options):
    """The samples that the program writes, as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.wav")
        subprocess.run([jawari, "render", scene, "-o", path, "-q"] + list(options), check=True, stderr=subprocess.DEVNULL)
        with open(path, "rb") as file:
            data = file.read()
    at = 12
    while data[at:at + 4] != b"data":
        at += 8 + struct.unpack("<I", data[at + 4:at + 8])[0]
    return data[at + 8:at + 8 + struct.unpack("<I", data[at + 4:at + 8])[0]]
