#!/usr/bin/env python3
"""Change one thing at a time in the numeric files and see whether the tests notice.

  scripts/mutate.py --sample 60 --seed 1        sixty mutants, chosen at random
  scripts/mutate.py --file src/law/bow.c        every mutant of one file
  scripts/mutate.py --list                      how many there are

A mutant flips a sign, swaps * and /, changes a constant or turns a comparison around.  It is killed
when the library no longer compiles, or when a test fails: the quick ones first, then the rest.  The
work is done in a copy of the tree; the last line says how many were killed.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ["src/law", "src/coupling", "src/object", "src/kernel", "src/numeric"]
FILES = ["src/energy.c", "src/contact.c", "src/port.c", "src/group.c", "src/watch.c", "src/step.c", "src/apply.c", "src/rest.c"]
QUICK = ["kernel", "power", "elementary", "island", "group", "watch", "rest", "shapes", "control", "modes", "objects"]
SLOW = ["systems", "properties", "collision", "bow", "life", "snapshot", "params", "scene", "random-found", "random-wide",
        "golden", "scenes", "papers", "study-contacts", "errors", "memory"]

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
        for number, line in enumerate(lines):
            code = code_part(line)
            for pattern, change in CHANGES:
                for match in re.finditer(pattern, code):
                    if "* const" in code[match.start():match.start() + 10] or "*" in change and "//" in code:
                        continue
                    yield name, number, code[:match.start()] + change + line[match.end():]


def tests_of(build):
    names = subprocess.run(["/usr/bin/meson", "test", "-C", build, "--list"], capture_output=True, text=True).stdout.split("\n")
    return {line.split(" / ")[-1].strip() for line in names if line.strip()}


def fails(build, names, limit):
    """Does one of these tests fail?  A test that hangs fails."""
    command = ["/usr/bin/meson", "test", "-C", build, "--no-rebuild", "--maxfail", "1", "-t", str(limit)] + names
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0


def build_tests(build):
    return subprocess.run(["ninja", "-C", build, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def try_one(tree, build, mutant, stages):
    name, number, text = mutant
    path = os.path.join(tree, name)
    with open(path) as file:
        original = file.readlines()
    changed = list(original)
    changed[number] = text
    with open(path, "w") as file:
        file.writelines(changed)
    try:
        if not build_tests(build):
            return "does not build"
        for stage in stages:
            if fails(build, stage, 4):
                return "killed"
        return None
    finally:
        with open(path, "w") as file:
            file.writelines(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0, help="this many mutants, chosen at random; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", help="mutants of this file only")
    parser.add_argument("--list", action="store_true", help="count the mutants and stop")
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    chosen = list(mutants(root, options.file))
    if options.list:
        print(f"{len(chosen)} mutants in {len({m[0] for m in chosen})} files")
        return 0
    if options.sample:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    folder = tempfile.mkdtemp(prefix="jawari-mutate-")
    tree, build = os.path.join(folder, "tree"), os.path.join(folder, "build")
    killed, survivors = 0, []
    try:
        files = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
        for name in files.split("\0")[:-1]:
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            shutil.copy(os.path.join(root, name), os.path.join(tree, name))
        subprocess.run(["/usr/bin/meson", "setup", build, tree, "-Dbuildtype=release"], check=True, stdout=subprocess.DEVNULL)
        known = tests_of(build) if build_tests(build) else set()
        stages = [[n for n in QUICK if n in known], [n for n in SLOW if n in known]]
        if not all(stages) or any(fails(build, stage, 8) for stage in stages):
            print("the tests fail without any mutant", file=sys.stderr)
            return 2
        for mutant in chosen:
            result = try_one(tree, build, mutant, stages)
            killed += result is not None
            print(f"{result or 'SURVIVED'}: {mutant[0]}:{mutant[1] + 1}: {mutant[2].strip()}", flush=True)
            if result is None:
                survivors.append(mutant)
    finally:
        shutil.rmtree(folder)
    print(f"mutate: {killed} of {len(chosen)} killed, {len(survivors)} survived")
    return 0


if __name__ == "__main__":
    sys.exit(main())
