#!/usr/bin/env python3
"""Change one thing at a time in the numeric files and see whether the tests notice.

  scripts/mutate.py --sample 300                300 mutants, the same ones every time
  scripts/mutate.py --sample 300 --report       what is known of them, without running any
  scripts/mutate.py --file src/law/bow.c        every mutant of one file
  scripts/mutate.py --list                      how many there are

A mutant flips a sign, swaps * and /, changes a constant or turns a comparison around.  It is killed when the
library no longer compiles, or when a test of `make test` fails or does not end: first the hashes of the built-in
scenes over 0.1 s (any changed bit of any scene), then test after test, the quick ones first.  The work is done in a
copy of the tree, in --folder, and every result is kept there: a run that is interrupted goes on where it was.
A mutant is known by its file, its line and its change, so that results outlive changes elsewhere.
The last line says how many were killed.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys

FOLDERS = ["src/law", "src/coupling", "src/object", "src/kernel", "src/numeric"]
FILES = ["src/energy.c", "src/contact.c", "src/port.c", "src/group.c", "src/watch.c", "src/step.c", "src/apply.c",
         "src/rest.c", "src/control.c", "src/figures.c", "src/start.c", "src/scene/curve.c"]
# In this order, until one fails.
TESTS = ["kernel", "elementary", "power", "shapes", "modes", "rest", "island", "group", "control", "force", "objects",
         "snapshot", "look", "life", "params", "errors", "memory", "threads", "collision", "watch", "scene", "random-found",
         "bow", "scenes_bad", "systems", "properties", "random-nominal", "random-wide", "study-contacts", "golden",
         "scenes", "papers", "tromba", "play", "realtime"]
QUICK = ["kernel", "elementary", "power", "shapes", "modes", "rest", "island", "group", "control", "force", "objects",
         "snapshot", "life", "collision", "golden"]
LIMIT = 60  # Seconds a test may take, times ten; a hang is a kill

CHANGES = [
    (r"(?<=[\w\])]) \+ (?=[\w(])", " - "),
    (r"(?<=[\w\])]) - (?=[\w(])", " + "),
    (r"(?<=[\w\])]) \* (?=[\w(])(?!const)", " / "),
    (r"(?<=[\w\])]) / (?=[\w(])", " * "),
    (r" \+= ", " -= "),
    (r" -= ", " += "),
    (r" < (?=[\w(-])", " >= "),
    (r" > (?=[\w(-])", " <= "),
    (r"(?<![\w.])0\.5(?![\w.])", "0.25"),
    (r"(?<![\w.])2\.0(?![\w.])", "3.0"),
    (r"(?<![\w.])4\.0(?![\w.])", "2.0"),
    (r"(?<![\w.])1\.0(?![\w.])", "1.01"),
]


def sources(root):
    found = [f for f in FILES if os.path.exists(os.path.join(root, f))]
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(root, folder))):
            if name.endswith(".c") or name.endswith("_body.h"):
                found.append(os.path.join(folder, name))
    return found


def code_part(line):
    """The line without its comment; nothing for preprocessor lines, texts, loops over indices."""
    if re.match(r"\s*(//|#|\*|for \()", line) or '"' in line:
        return ""
    return line.split("//")[0]


def mutants(root, only):
    for name in [only] if only else sources(root):
        with open(os.path.join(root, name)) as file:
            lines = file.readlines()
        seen = collections.Counter()
        for number, line in enumerate(lines):
            code = code_part(line)
            for pattern, change in CHANGES:
                for match in re.finditer(pattern, code):
                    if "* const" in code[match.start():match.start() + 10]:
                        continue
                    text = code[:match.start()] + change + line[match.end():]
                    key = f"{name}: {line.strip()} -> {text.strip()}"
                    seen[key] += 1
                    yield {"file": name, "line": number, "text": text, "key": f"{key} #{seen[key]}"}


def order(mutant):
    return hashlib.sha1(mutant["key"].encode()).hexdigest()


def run(command, limit=None, **more):
    """Exit status; None if it did not end in time."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit, **more).returncode
    except subprocess.TimeoutExpired:
        return None


class Bench:
    """A copy of the tree, built, and what its tests say unchanged."""

    def __init__(self, root, folder, wanted):
        self.tree, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.copy(root)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            setup = ["/usr/bin/meson", "setup", self.build, self.tree, "-Dbuildtype=release", "-Doptimization=1"]
            subprocess.run(setup, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["ninja", "-C", self.build, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        names = subprocess.run(["/usr/bin/meson", "test", "-C", self.build, "--list"], check=True, capture_output=True, text=True)
        known = {line.split(" / ")[-1].strip() for line in names.stdout.splitlines()}
        self.tests = [name for name in wanted if name in known]
        self.hashes = self.print_hashes()
        self.trusted = set()  # Tests seen to pass without any mutant
        if not self.hashes:
            sys.exit("mutate: golden fails without any mutant")

    def copy(self, root):
        """Only what differs, so that little is built anew."""
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

    def print_hashes(self):
        try:
            done = subprocess.run([os.path.join(self.build, "test/golden"), "print"], capture_output=True, timeout=10 * LIMIT)
            return done.stdout if done.returncode == 0 else b""
        except subprocess.TimeoutExpired:
            return b""

    def fails(self, name):
        command = ["/usr/bin/meson", "test", "-C", self.build, "--no-rebuild", "-t", "10", name]
        return run(command, 10 * LIMIT) != 0

    def judge(self):
        """The name of the test that kills what is in the tree now, or None."""
        if run(["ninja", "-C", self.build, "--quiet", "test/golden"]) != 0:
            return "compiler"
        if self.print_hashes() != self.hashes:
            return "golden"
        if self.tests and run(["ninja", "-C", self.build, "--quiet"]) != 0:
            return "compiler"
        return next((name for name in self.tests if self.fails(name)), None)

    def try_one(self, mutant):
        path = os.path.join(self.tree, mutant["file"])
        with open(path) as file:
            original = file.readlines()
        changed = list(original)
        changed[mutant["line"]] = mutant["text"]
        try:
            with open(path, "w") as file:
                file.writelines(changed)
            killer = self.judge()
        finally:
            with open(path, "w") as file:
                file.writelines(original)
        self.check_alone(killer)
        return killer

    def check_alone(self, name):
        """A test that kills must pass without the mutant: looked at the first time it does."""
        if name in self.tests and name not in self.trusted:
            subprocess.run(["ninja", "-C", self.build, "--quiet"], check=True, stdout=subprocess.DEVNULL)
            if self.fails(name):
                sys.exit(f"mutate: {name} fails without any mutant")
            self.trusted.add(name)


def read_results(path):
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                entry = json.loads(line)
                results[entry["key"]] = entry["killed_by"]
    return results


def report(chosen, results):
    known = [m for m in chosen if m["key"] in results]
    survivors = [m for m in known if results[m["key"]] is None]
    by_test = collections.Counter(results[m["key"]] for m in known)
    for name, count in by_test.most_common():
        print(f"{name or 'nobody'}: {count}")
    for mutant in survivors:
        print(f"SURVIVED {mutant['file']}:{mutant['line'] + 1}: {mutant['text'].strip()}")
    share = 100.0 * (len(known) - len(survivors)) / max(len(known), 1)
    print(f"mutate: {len(known) - len(survivors)} of {len(known)} killed ({share:.1f} %), {len(survivors)} survived, "
          f"{len(chosen) - len(known)} not tried")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0, help="this many mutants; 0: all")
    parser.add_argument("--file", help="mutants of this file only")
    parser.add_argument("--list", action="store_true", help="count the mutants and stop")
    parser.add_argument("--report", action="store_true", help="print what is known and stop")
    parser.add_argument("--hashes", action="store_true", help="only the hashes of the scenes: a first round")
    parser.add_argument("--quick", action="store_true", help="only the quick tests: then more survive than would")
    parser.add_argument("--again", action="store_true", help="try survivors again, after tests were added")
    parser.add_argument("--folder", default="build-mutate", help="where the copy, its build and the results are")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    chosen = sorted(mutants(root, options.file), key=order)
    if options.list:
        print(f"{len(chosen)} mutants in {len({m['file'] for m in chosen})} files")
        return 0
    chosen = chosen[:options.sample] if options.sample else chosen
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "results.jsonl")
    results = read_results(path)
    left = [m for m in chosen if m["key"] not in results or (options.again and results[m["key"]] is None)]
    if left and not options.report:
        bench = Bench(root, folder, [] if options.hashes else QUICK if options.quick else TESTS)
        for mutant in left:
            results[mutant["key"]] = killer = bench.try_one(mutant)
            print(f"{killer or 'SURVIVED'}: {mutant['file']}:{mutant['line'] + 1}: {mutant['text'].strip()}", flush=True)
            with open(path, "a") as file:
                file.write(json.dumps({"key": mutant["key"], "killed_by": killer}) + "\n")
    report(chosen, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
