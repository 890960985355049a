#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Change one thing at a time outside of the numeric files, and see whether the tests notice.

  scripts/mutate_rest.py --area scene --sample 20 --seed 1     20 mutants of src/scene, drawn with this seed
  scripts/mutate_rest.py --area all --sample 20 --seed 1       of each area: scene, play, tools, plot

A mutant leaves out a statement, turns a condition around, swaps && and || or a pair of operators, turns true into false or
changes a constant.  Each area has its own tests, the quick ones first; a mutant is killed by the first claim that fails, twice,
or by a test that takes ten times as long as it should.  What does not compile, or to the same program, is not counted, and another
is drawn for it.  The numeric files have scripts/mutate.py.  The work is done in a copy of the tree, in --folder; one folder
serves one run at a time.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

from mutate import code_part

# Folders, and the tests that know the area; words after a name choose among its claims.
AREAS = {
    "scene": (["src/scene"], ["null", "errors", "scene", "scenes_bad", "scenes_doubtful", "json", "play", "score", "songs", "outputs", "limits", "locale",
                              "corpus-json", "corpus-scene", "docs", "scenes", "command"]),
    "play": (["hosts/play"], ["null", "scarce", "play", "instrument", "score", "songs", "decimate", "outputs", "corpus-midi", "corpus-tuning", "locale",
                              "lv2", "clap", "command song note play", "live"]),
    "tools": (["tools"], ["sha256", "loudness", "pitch-heard", "h5", "look", "outputs", "told", "command-scarce", "gallery", "jobs", "view", "sweep", "dataset", "docs",
                          "lv2-verb", "command", "live"]),
    "plot": (["plot"], ["plot", "figures", "outputs", "pictures", "command picture plot"]),
}
# What is only given back is missed by leak checkers alone (make sanitize, make valgrind), and va_end by nobody.
LEFT_OUT = re.compile(r"\bfree\(|_release\(|_destroy\(|->release\(|fclose\(|va_start|va_end|\bassert\(")
NUMBER = r"(?<![\w.\"'])(?<!e-)(?:[2-9]|[1-9]\d+)(?![\w.\"'])"
# Room for more than is needed is noticed by nobody.
ROOM = re.compile(r"(?:\b(?:char|double|float|int|long|u?int\d+_t|size_t|Jw[A-Z]\w*)\*? \w+|\((?:const )?(?:double|float|int))\[$|\b[cm]alloc\($")
REAL = r"(?<![\w.])\d+\.\d+(?:e-?\d+)?(?![\w.])"
CHANGES = [
    (r" && ", lambda m: " || "),
    (r" \|\| ", lambda m: " && "),
    (r" == ", lambda m: " != "),
    (r" != ", lambda m: " == "),
    (r" < (?=[\w(-])", lambda m: " >= "),
    (r" > (?=[\w(-])", lambda m: " <= "),
    (r" <= ", lambda m: " > "),
    (r" >= ", lambda m: " < "),
    (r"(?<=[\w\])]) \+ (?=[\w(])", lambda m: " - "),
    (r"(?<=[\w\])]) - (?=[\w(])", lambda m: " + "),
    (r"(?<=[\w\])]) \* (?=[\w(])(?!const)", lambda m: " / "),
    (r"(?<=[ (])!(?=[\w(])", lambda m: ""),
    (r"\breturn true;", lambda m: "return false;"),
    (r"\breturn false;", lambda m: "return true;"),
    (NUMBER, lambda m: str(int(m.group()) + 1)),
    (REAL, lambda m: repr(2.0 * float(m.group()) + (float(m.group()) == 0.0))),
    (r"^(\s+)(?!return|const|static|break|continue|case|default|typedef|goto|else|do\b)[a-z_*][\w>.\[\]*-]*"
     r"(?: [-+*/|&]?= |\(|\+\+|--).*;\s*$", lambda m: m.group(1) + ";\n"),
]


def mutants_of(root, name):
    with open(os.path.join(root, name)) as file:
        lines = file.readlines()
    seen = collections.Counter()
    inside = False  # A function: tables outside have tests of their own text
    for number, line in enumerate(lines):
        code = code_part(line) if inside and not LEFT_OUT.search(line) else ""
        inside = line.endswith(") {\n") if not inside else not line.startswith("}")
        for pattern, change in CHANGES:
            for match in re.finditer(pattern, code):
                if pattern == NUMBER and ROOM.search(code[:match.start()]):
                    continue
                text = code[:match.start()] + change(match) + line[match.end():]
                key = f"{name}:{line.strip()}->{text.strip()}"
                seen[key] += 1  # Equal lines are drawn one by one, not together
                yield {"file": name, "line": number, "text": text, "key": f"{key} #{seen[key]}"}


def mutants(root, folders, seed):
    found = []
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith(".c"):
                found += mutants_of(root, os.path.join(folder, name))
    return sorted(found, key=lambda m: hashlib.sha1(f"{seed} {m['key']}".encode()).hexdigest())


def first_failure(command, limit, env, folder):
    """What a test says first that is not good, or None; it is ended there, and when it has used `limit` seconds of CPU or waits for
    many more."""
    shell = ["sh", "-c", f'ulimit -t {int(limit) + 1}; exec "$@"', "sh", *command]
    test = subprocess.Popen(shell, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env, cwd=folder, start_new_session=True)
    end = threading.Timer(60.0 + 4.0 * limit, os.killpg, (test.pid, signal.SIGKILL))
    end.start()
    try:
        for line in test.stdout:
            if line.startswith((b"not ok", b"Bail out")):
                os.killpg(test.pid, signal.SIGKILL)
                return line.decode(errors="replace").strip()
        return None if test.wait() == 0 else f"status {test.returncode}"
    finally:
        end.cancel()
        test.stdout.close()
        test.wait()


class Bench:
    """A copy of the tree, built; the programs that an area's tests need, and how long those take."""

    def __init__(self, root, folder, names):
        self.tree, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.copy(root)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            setup = ["/usr/bin/meson", "setup", self.build, self.tree, "-Dbuildtype=release"]
            subprocess.run(setup, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", self.build, "--quiet", "build.ninja"], check=True, stdout=subprocess.DEVNULL)  # A meson.build may have changed
        listed = subprocess.run(["/usr/bin/meson", "introspect", self.build, "--tests"], check=True, capture_output=True)
        known = {test["name"]: test for test in json.loads(listed.stdout)}
        self.tests = {}
        for name, *words in map(str.split, names):
            if name in known:  # Some parts may be off
                self.tests[name] = dict(known[name], cmd=known[name]["cmd"] + words)
        paths = {os.path.relpath(os.path.join(self.build, part), self.build) for test in self.tests.values() for part in test["cmd"]
                 if "/" in part}
        self.targets = sorted(path for path in paths if not path.startswith(".."))
        if not self.make():
            sys.exit("mutate: the tree does not build")
        self.original = self.digest()
        self.seconds = {}
        for name in self.tests:
            passed, self.seconds[name] = self.passes(name, 900.0)
            if not passed and not self.passes(name, 900.0)[0]:  # A loaded machine can fail a test once
                sys.exit(f"mutate: {name} fails without any mutant")

    def copy(self, root):
        files = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
        for name in files.split("\0")[:-1]:
            source, target = os.path.join(root, name), os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(source, "rb") as file:
                content = file.read()
            if not os.path.exists(target) or open(target, "rb").read() != content:
                with open(target, "wb") as file:
                    file.write(content)
                os.chmod(target, os.stat(source).st_mode)

    def make(self):
        return subprocess.run(["ninja", "-C", self.build, "--quiet", "-j2", *self.targets], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def digest(self):
        text = hashlib.sha1()
        for target in self.targets:
            with open(os.path.join(self.build, target), "rb") as file:
                text.update(file.read())
        return text.digest()

    def passes(self, name, limit):
        test = self.tests[name]
        env = dict(os.environ, **test["env"])
        start = time.time()
        good = first_failure(test["cmd"], limit, env, test["workdir"] or self.build) is None
        return good, time.time() - start

    def judge(self):
        """The test that kills what is in the tree now; "compiler", "nothing", or None."""
        if not self.make():
            return "compiler"
        if self.digest() == self.original:
            return "nothing"
        for name in sorted(self.tests, key=self.seconds.get):
            limit = 10.0 * self.seconds[name] + 5.0
            if not self.passes(name, limit)[0] and not self.passes(name, limit)[0]:
                return name
        return None

    def try_one(self, mutant):
        path = os.path.join(self.tree, mutant["file"])
        with open(path) as file:
            original = file.readlines()
        changed = list(original)
        changed[mutant["line"]] = mutant["text"]
        try:
            with open(path, "w") as file:
                file.writelines(changed)
            return self.judge()
        finally:
            with open(path, "w") as file:
                file.writelines(original)


def measure(root, area, options):
    folders, names = AREAS[area]
    drawn = mutants(root, folders, options.seed)
    without = options.without.split(",")
    bench = Bench(root, os.path.abspath(options.folder), [name for name in names if name.split()[0] not in without])
    killed = tried = 0
    for mutant in drawn:
        if tried == options.sample:
            break
        killer = bench.try_one(mutant)
        if killer in ("compiler", "nothing"):
            continue
        tried += 1
        killed += killer is not None
        print(f"{killer or 'SURVIVED'}: {mutant['file']}:{mutant['line'] + 1}: {mutant['text'].strip()}", flush=True)
    print(f"mutate: {area}: {killed} of {tried} killed ({100.0 * killed / max(tried, 1):.0f} %)", flush=True)
    return killed >= 0.85 * tried


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--area", choices=[*AREAS, "all"], default="all")
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--without", default="", help="tests that are not shown: more may survive, never fewer")
    parser.add_argument("--folder", default="build-mutate-rest")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell's background ignores it, and so would the tests
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    areas = list(AREAS) if options.area == "all" else [options.area]
    return 0 if all([measure(root, area, options) for area in areas]) else 1


if __name__ == "__main__":
    sys.exit(main())
