#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Change one thing at a time in the numeric files and see whether the tests notice.

  scripts/mutate.py --sample 300                300 mutants, the same ones every time
  scripts/mutate.py --sample 300 --skip 600     the 300 after the first 600, which tests were written for
  scripts/mutate.py --sample 300 --report       what is known of them, without running any
  scripts/mutate.py --file src/law/bow.c        every mutant of one file
  scripts/mutate.py --file src/step/hub,src/ledger/ --sample 60    of the files whose paths begin so
  scripts/mutate.py --list                      how many there are in each file

A mutant flips a sign, swaps * and /, drops a factor, changes a constant or turns a comparison around.  A sample
takes the same share of every file; what does not compile, or to the same program, is
not counted.  A mutant is killed when a test of
`make test` fails or takes ten times as long as it should: the hashes of the built-in scenes over 0.1 s (any
changed bit of any scene) and the tests, until one fails, in the order of what each is likely to find for its
seconds, by what it has found in the same folder.  A mutant costs the compilation of one file and one link.

The work is done in a copy of the tree, in --folder, and every result is kept there: a run that is interrupted goes
on where it was.  A mutant is known by its file, its line's text and its change, so that results outlive changes
elsewhere.  Rounds are cheaper than one go: --quick leaves out the tests that take over a second, and a run
without it then takes up those that stand.  What a mutant has met is kept with it, so that --standing shows those
that stand only the tests that are new or changed; --again shows them every test.  The last line says how many
were killed.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import time

FOLDERS = ["src/law", "src/model", "src/object", "src/kernel", "src/numeric", "src/step", "src/ledger", "src/listen", "src/change"]
FILES = ["src/prepare/begin.c", "src/prepare/islands.c", "src/prepare/places.c", "src/prepare/start.c", "src/scene/curve.c"]
# Tests that say little of the numbers in src/, or need more than the build: not shown to mutants, which can only
# make more survive.
NOT_SHOWN = {"equations", "headers", "install", "wasm", "plot", "lab", "decimate", "live", "docs", "json", "base",
             "command", "h5", "example-embed", "scene-format-is-described", "corpus-json", "corpus-midi",
             "corpus-tuning", "realtime", "same-bytes", "builds", "scarce", "lint", "rooms", "told", "command-scarce", "sha256",
             "view", "jobs", "gallery", "dataset", "pictures", "hardened"}
QUICK = 1.0  # Seconds of CPU: tests above are left out by --quick
LONGEST = 600.0  # Seconds of CPU for any test
# Tests that know a part of the tree best: shown first to its mutants.
FIRST = [("src/kernel/", "kernel"), ("src/kernel/touch", "along"), ("src/numeric/power", "power"),
         ("src/numeric/elementary", "elementary"), ("src/object/string_shapes", "shapes"), ("src/object/", "objects"),
         ("src/law/", "force"), ("src/law/bow", "bow"), ("src/step/", "island"),
         ("src/step/group", "group"), ("src/step/stretch", "stretch"), ("src/step/hub", "hub"), ("src/kernel/tied", "hub"),
         ("src/object/plate_modes", "plate_modes"), ("src/kernel/strain", "kernel"), ("src/step/along", "along"), ("src/change/", "control"),
         ("src/ledger/rest", "rest"), ("src/ledger/ledger", "life"), ("src/scene/", "scene")]
LIBRARY = "src/libjawari.so.0.1.0"
HASHES = "hashes"  # Of the built-in scenes, among the tests
ROUNDS = ["hashes", "quick", "all"]

FACTOR = r"[A-Za-z_]\w*(?:\[\w+\]|->\w+|\.\w+)*"
CHANGES = [
    (r"(?<=[\w\])]) \+ (?=[\w(])", " - "),
    (r"(?<=[\w\])]) - (?=[\w(])", " + "),
    (r"(?<=[\w\])]) \* (?=[\w(])(?!const)", " / "),
    (r"(?<=[\w\])]) / (?=[\w(])", " * "),
    (r"(?<=[ (])" + FACTOR + r" \* (?=[\w(])(?!const)", ""),
    (r"(?<=[\w\])]) \* " + FACTOR + r"(?=[;,)])", ""),
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
    """The line without its comment; nothing for preprocessor lines, texts, loops over indices, sizes of memory (too
    much of which nobody notices)."""
    if re.match(r"\s*(//|#|\*|for \()", line) or '"' in line or "JW_TAKE(" in line:
        return ""
    return line.split("//")[0]


def mutants_of(root, name):
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


def mutants(root, only):
    """In an order whose beginnings hold the same share of every file; within a file the order is that of a hash."""
    found = []
    for name in sources(root):
        if only and not name.startswith(tuple(only.split(","))):
            continue
        here = sorted(mutants_of(root, name), key=lambda m: hashlib.sha1(m["key"].encode()).hexdigest())
        for rank, mutant in enumerate(here):
            mutant["share"] = (rank + 0.5) / len(here)
        found += here
    return sorted(found, key=lambda m: m["share"])


def run(command, limit, **more):
    """Exit status, output and seconds of CPU.  The status is not 0 when these pass `limit`, however loaded the
    machine is; what neither works nor ends is ended after a while."""
    start = os.times()
    seconds = int(limit) + 1
    shell = ["sh", "-c", f'ulimit -t {seconds}; "$@"', "sh", *command]
    try:
        done = subprocess.run(shell, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60 + 20 * seconds, **more)
        end = os.times()
        return done.returncode, done.stdout, end[2] + end[3] - start[2] - start[3]
    except subprocess.TimeoutExpired:
        return 1, b"", seconds


class Bench:
    """A copy of the tree, built, and what its tests say unchanged.

    There the programs are linked with the shared library, which shows its inside: they stay as they are while a
    mutant is compiled and linked into it."""

    def __init__(self, root, folder, level, options):
        self.folder, self.jobs = folder, options.jobs
        self.only = options.only.split(",") if options.only else None
        self.tree, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.copy(root)
        self.trusted = set()  # Tests seen to pass without any mutant
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            setup = ["/usr/bin/meson", "setup", self.build, self.tree, "-Dbuildtype=release", "-Doptimization=1"]
            subprocess.run(setup, check=True, stdout=subprocess.DEVNULL)
        self.ninja("build.ninja")  # Anew, where a meson.build has changed
        listed = subprocess.run(["/usr/bin/meson", "introspect", self.build, "--tests"], check=True, capture_output=True)
        self.tests = {test["name"]: test for test in json.loads(listed.stdout) if test["name"] not in NOT_SHOWN}
        paths = {os.path.relpath(self.place(part), self.build) for test in self.tests.values() for part in test["cmd"] if "/" in part}
        known = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], check=True, capture_output=True, text=True).stdout
        if not self.ninja(*sorted(paths & {line.rsplit(": ", 1)[0] for line in known.splitlines()})):  # Others are folders
            sys.exit("mutate: the tree does not build")
        self.original, self.hashes = self.library(), self.print_hashes()
        if not self.hashes:
            sys.exit("mutate: golden fails without any mutant")
        self.seconds = self.time_tests(level)
        self.digests = {name: self.digest(test) for name, test in self.tests.items()}
        self.digests[HASHES] = hashlib.sha1(self.hashes).hexdigest()[:12]
        self.found = collections.Counter()  # Mutants killed, by folder and test

    def altered(self, name, content):
        """What the copy has otherwise: the library shared, and all of it to be seen."""
        if name == "src/meson.build":
            return content.replace(b"libjawari.get_static_lib()", b"libjawari.get_shared_lib()")
        if name == "meson.build":
            return content.replace(b"'-fvisibility=hidden'", b"'-fno-semantic-interposition'")
        return content

    def copy(self, root):
        """Only what differs, so that little is built anew."""
        files = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
        for name in files.split("\0")[:-1]:
            source, target = os.path.join(root, name), os.path.join(self.tree, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(source, "rb") as file:
                content = self.altered(name, file.read())
            if not os.path.exists(target) or open(target, "rb").read() != content:
                with open(target, "wb") as file:
                    file.write(content)
                os.chmod(target, os.stat(source).st_mode)

    def place(self, part):
        """Of a program or file in a test's command, which may be given from the build folder."""
        return os.path.join(self.build, part)

    def ninja(self, *targets):
        return subprocess.run(["ninja", "-C", self.build, "--quiet", "-j2", *targets], stdout=subprocess.DEVNULL).returncode == 0

    def library(self):
        with open(os.path.join(self.build, LIBRARY), "rb") as file:
            return hashlib.sha1(file.read()).digest()

    def print_hashes(self):
        status, output, _ = run([os.path.join(self.build, "test/golden"), "print"], 30)
        return output if status == 0 else b""

    def digest(self, test):
        """Of what a test is: its programs and their arguments.  They are linked with the library, so that no mutant
        changes it; nor does another state of the sources (--again)."""
        text = hashlib.sha1()
        for part in test["cmd"]:
            text.update(part.encode())
            if os.path.isfile(self.place(part)):
                with open(self.place(part), "rb") as file:
                    text.update(file.read())
        return text.hexdigest()[:12]

    def time_tests(self, level):
        """Seconds of CPU each test takes, those that the round may show; from an earlier state of the tree, if known."""
        path = os.path.join(self.folder, "seconds.json")
        seconds = {}
        if os.path.exists(path):
            with open(path) as file:
                seconds = json.load(file)
        shown = self.tests if level != "hashes" else [name for _, name in FIRST if name in self.tests]
        for name in shown:
            if seconds.get(name, LONGEST if level == "all" else 0.0) in (0.0, LONGEST):
                passed, seconds[name] = self.passes(name, LONGEST if level == "all" else QUICK)
                if not passed and (level == "all" or seconds[name] < QUICK):
                    sys.exit(f"mutate: {name} fails without any mutant")
                seconds[name] = max(seconds[name], 0.001) if passed else LONGEST
                with open(path, "w") as file:
                    json.dump(seconds, file)
        return seconds

    def check_alone(self, name):
        """A test that kills must pass without the mutant: looked at the first time it does."""
        if name in self.tests and name not in self.trusted:
            if not self.ninja(LIBRARY) or not self.passes(name, LONGEST)[0]:
                sys.exit(f"mutate: {name} fails without any mutant")
            self.trusted.add(name)

    def passes(self, name, limit):
        """Whether a test passes, and how long it took."""
        test = self.tests[name]
        env = dict(os.environ, **test["env"])
        status, output, seconds = run(test["cmd"], limit, env=env, cwd=test["workdir"] or self.build)
        return status == 0 and not re.search(rb"^(not ok|Bail out)", output, re.MULTILINE), seconds

    def order(self, file, level, met):
        """The tests to show to a mutant of `file`, those first that are likely to kill it soon."""
        first = {name for start, name in FIRST if file.startswith(start)}
        names = self.only or [HASHES, *self.tests]
        names = [name for name in names if met.get(name) != self.digests[name] and (
            self.only or level == "all" or name in first or name == HASHES or level == "quick" and self.seconds[name] < QUICK)]
        folder = os.path.dirname(file)

        def gain(name):
            likely = 0.3 + self.found[folder, name] + (3.0 if name in first or name == HASHES else 0.0)
            return likely / (self.seconds.get(name, 0.5) + 0.05)

        return sorted(names, key=gain, reverse=True)

    def judge(self, level, file, met):
        """The name of the test that kills what is in the tree now, changed in `file`, or None; notes in `met` what it
        has met."""
        if not self.ninja(LIBRARY):
            return "compiler"
        if self.library() == self.original:
            return "nothing"
        names = self.order(file, level, met)
        killer = self.first_to_fail(names)
        met.update({name: self.digests[name] for name in names})
        return killer

    def survives(self, name):
        if name == HASHES:
            return self.print_hashes() == self.hashes
        return self.passes(name, 10 * self.seconds[name] + 5)[0]

    def first_to_fail(self, names):
        killers, left, lock = [], list(names), threading.Lock()

        def work():
            while left and not killers:
                with lock:
                    name = left.pop(0) if left else None
                if name and not self.survives(name):
                    killers.append(name)

        threads = [threading.Thread(target=work) for _ in range(self.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return killers[0] if killers else None

    def try_one(self, mutant, level, met):
        path = os.path.join(self.tree, mutant["file"])
        with open(path) as file:
            original = file.readlines()
        changed = list(original)
        changed[mutant["line"]] = mutant["text"]
        try:
            with open(path, "w") as file:
                file.writelines(changed)
            killer = self.judge(level, mutant["file"], met)
        finally:
            with open(path, "w") as file:
                file.writelines(original)
        self.check_alone(killer)
        self.found[os.path.dirname(mutant["file"]), killer] += 1
        return killer


def read_results(path):
    results = {}
    if os.path.exists(path):
        with open(path) as file:
            for line in file:
                entry = json.loads(line)
                results[entry["key"]] = entry
    return results


def is_open(entry, level, options):
    """Whether a mutant has to be shown tests: a new one, or one that stands after a lesser round or is asked for."""
    if entry is None:
        return not options.standing
    asked = options.standing or options.again or options.only
    return entry["killed_by"] is None and (asked or ROUNDS.index(entry["round"]) < ROUNDS.index(level))


def report(chosen, results):
    tried = [m for m in chosen if m["key"] in results]
    known = [m for m in tried if results[m["key"]]["killed_by"] not in ("compiler", "nothing")]
    survivors = [m for m in known if results[m["key"]]["killed_by"] is None]
    by_test = collections.Counter(results[m["key"]]["killed_by"] for m in known)
    for name, count in by_test.most_common():
        print(f"{name or 'nobody'}: {count}")
    for m in sorted(survivors, key=lambda m: (m["file"], m["line"])):
        print(f"SURVIVED {results[m['key']]['round']} {m['file']}:{m['line'] + 1}: {m['text'].strip()}")
    share = 100.0 * (len(known) - len(survivors)) / max(len(known), 1)
    print(f"mutate: {len(known) - len(survivors)} of {len(known)} killed ({share:.1f} %), {len(survivors)} survived, "
          f"{len(tried) - len(known)} no program or the same, {len(chosen) - len(tried)} not tried")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0, help="this many mutants; 0: all")
    parser.add_argument("--skip", type=int, default=0, help="leave out this many before the sample")
    parser.add_argument("--file", help="mutants of the files whose paths begin with this only, or with one of several: PATH,PATH")
    parser.add_argument("--list", action="store_true", help="count the mutants and stop")
    parser.add_argument("--report", action="store_true", help="print what is known and stop")
    parser.add_argument("--hashes", action="store_true", help="only the hashes of the scenes and the tests named first")
    parser.add_argument("--quick", action="store_true", help="only the quick tests: then more survive than would")
    parser.add_argument("--only", help="only these tests, without the hashes: name,name")
    parser.add_argument("--standing", action="store_true", help="only mutants that stand, none that was not tried")
    parser.add_argument("--again", action="store_true", help="show survivors every test again")
    parser.add_argument("--jobs", type=int, default=1, help="tests at a time")
    parser.add_argument("--folder", default="build-mutate", help="where the copy, its build and the results are")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    chosen = mutants(root, options.file)
    if options.list:
        for name, count in collections.Counter(m["file"] for m in chosen).items():
            print(f"{name}: {count}")
        print(f"{len(chosen)} mutants in {len({m['file'] for m in chosen})} files")
        return 0
    chosen = chosen[options.skip:][:options.sample or None]
    folder = os.path.abspath(options.folder)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "results.jsonl")
    results = read_results(path)
    level = "hashes" if options.hashes else "quick" if options.quick or options.only else "all"
    left = [m for m in chosen if is_open(results.get(m["key"]), level, options)]
    left.sort(key=lambda m: (m["file"], m["line"]))  # A file that was changed is compiled again to restore it
    if left and not options.report:
        bench = Bench(root, folder, level, options)
        for entry in results.values():
            bench.found[os.path.dirname(entry["key"].split(":")[0]), entry["killed_by"]] += 1
        for mutant in left:
            before = results.get(mutant["key"], {})
            met = {} if options.again else dict(before.get("met", {}))
            if not bench.order(mutant["file"], level, met):
                continue
            killer = bench.try_one(mutant, level, met)
            known = before.get("round", "hashes")  # A few tests alone are no round
            reached = known if options.only else max(known, level, key=ROUNDS.index)
            results[mutant["key"]] = entry = {"key": mutant["key"], "killed_by": killer, "round": reached}
            if not killer:
                entry["met"] = met
            print(f"{killer or 'SURVIVED'}: {mutant['file']}:{mutant['line'] + 1}: {mutant['text'].strip()}", flush=True)
            with open(path, "a") as file:
                file.write(json.dumps(entry) + "\n")
    report(chosen, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
