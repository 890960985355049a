#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents: every command in them is run, every scene in them is good, every output is what comes out.

usage: test_docs.py JAWARI SOURCE-FOLDER      prints TAP

Blocks are told apart by what stands after their opening fence:
  json NAME   a scene, saved as NAME for the commands that follow
  sh          commands, run in one folder a document; they must succeed
  output      what the commands just above print
  c FILE      must be the text of FILE
  console     not run
"""
import os
import re
import subprocess
import sys
import tempfile

JAWARI, SOURCE = os.path.abspath(sys.argv[1]), sys.argv[2]
DOCUMENTS = ["README.md", "docs/tutorial.md", "docs/cookbook.md", "docs/files-and-times.md", "docs/sweeps.md"]


def blocks(document):
    """(line, kind, text) of every fenced block."""
    found, start, kind, lines = [], 0, None, []
    with open(os.path.join(SOURCE, document)) as file:
        for number, line in enumerate(file, 1):
            if line.startswith("```"):
                if kind is None:
                    start, kind, lines = number, line[3:].strip(), []
                else:
                    found.append((start, kind, "".join(lines)))
                    kind = None
            elif kind is not None:
                lines.append(line)
    return found


def try_block(kind, text, folder, last):
    """None, or what is wrong; and what was printed."""
    name = kind.partition(" ")[2]
    if kind.startswith("json ") and name:
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
        return None, ""
    if kind == "sh":
        path = os.path.dirname(JAWARI) + ":" + os.environ["PATH"]
        done = subprocess.run(["sh", "-eu", "-c", text], cwd=folder, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, PATH=path))
        return (None if done.returncode == 0 else "status %d: %s" % (done.returncode, done.stderr)), done.stdout
    if kind == "output":
        return (None if last == text else "what comes out is\n" + last), ""
    if kind.startswith("c "):
        with open(os.path.join(SOURCE, name)) as file:
            return (None if file.read() == text else "it is not the text of " + name), ""
    return None, ""


def links(document):
    """Files that a document links to, as paths from the source folder; pictures and sounds too."""
    with open(os.path.join(SOURCE, document)) as file:
        text = re.sub(r"```.*?```", "", file.read(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target):
            yield os.path.normpath(os.path.join(os.path.dirname(document), target.partition("#")[0]))


def pages():
    names = sorted(os.listdir(os.path.join(SOURCE, "docs")))
    return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] + ["docs/" + name for name in names if name.endswith(".md")]


def broken_links():
    return ["%s: there is no %s" % (page, target) for page in pages() for target in links(page)
            if not os.path.exists(os.path.join(SOURCE, target))]


def lost_pages():
    reached, waiting = set(), ["README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += [target for target in links(page) if target.endswith(".md") and os.path.exists(os.path.join(SOURCE, target))]
    return ["nothing leads to " + page for page in pages() if page not in reached]


def main():
    failed = number = 0
    has_sound = b"sound files: yes" in subprocess.run([JAWARI, "--version"], capture_output=True).stdout
    if not has_sound:
        print("1..0 # SKIP built without libsndfile, and the documents write sounds")
        return 0
    for document in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            last = ""
            for line, kind, text in blocks(document):
                if not re.match(r"(sh|output)$|(json|c) .", kind):
                    continue
                number += 1
                wrong, printed = try_block(kind, text, folder, last)
                last = printed if kind == "sh" else last
                if wrong:
                    failed += 1
                    print("\n".join("# " + part for part in wrong.splitlines()))
                print("%s %d %s line %d: %s" % ("not ok" if wrong else "ok", number, document, line, kind), flush=True)
    for claim, check in (("every link leads somewhere", broken_links), ("every page can be reached from the README", lost_pages)):
        number += 1
        wrong = check()
        failed += bool(wrong)
        for line in wrong:
            print("# " + line)
        print("%s %d %s" % ("not ok" if wrong else "ok", number, claim), flush=True)
    print("1..%d" % number)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
