#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The page of `make run` and `make gallery`: whole, without network, and true to the files beside it.

  test_gallery.py JAWARI SOURCE
"""
import base64
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

JAWARI, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SCENES = ["bouncing-ball", "marbles", "two-strings"]
results = []


class Tags(html.parser.HTMLParser):
    """Every tag with its attributes, and whether each that opens also closes."""

    VOID = {"meta", "link", "img", "br"}

    def __init__(self):
        super().__init__()
        self.tags, self.open, self.balanced = [], [], True

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        self.balanced = self.balanced and bool(self.open) and self.open.pop() == tag

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def check(claim, good):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} {claim}")


def main():
    print("1..9")
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(SOURCE, "scripts", "gallery.py")
        done = subprocess.run([sys.executable, script, JAWARI, folder] + SCENES, capture_output=True, text=True, check=False)
        check("three scenes are rendered, with a line each", done.returncode == 0 and len(re.findall(r"\d/3 ", done.stdout)) == 3)
        with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
            text = file.read()
        page = Tags()
        page.feed(text)
        check("every tag is closed", page.balanced and not page.open)
        check("nothing comes from a network", not re.search(r"(?:src|href)=\"(?:https?:)?//", text) and "import(" not in text)
        sounds = subprocess.run([JAWARI, "--version"], capture_output=True, text=True, check=True).stdout
        wanted = 3 if "sound files: yes" in sounds else 0
        used = [a["src"] for a in page.all("audio") + page.all("img")]
        check("each scene has a player and a picture", len(page.all("audio")) == wanted and len(page.all("img")) == 3)
        check("and they lie beside it", all(os.path.getsize(os.path.join(folder, name)) > 1000 for name in used))
        moved = page.all("canvas")
        sizes = [len(base64.b64decode(c["data-motion"])) % (int(c["data-wide"]) * int(c["data-high"])) for c in moved]
        check("string and plate are seen to move, the ball has neither", len(moved) == 2 and sizes == [0, 0])
        with open(os.path.join(folder, "marbles.json"), encoding="utf-8") as file:
            figures = json.load(file)
        words = f"The energy ledger closes to {figures['energy_residual']:.0e}"
        check("the ledger is told in words", words in text and f"Contacts closed {figures['closures']:,} times" in text)
        check("nothing is left behind", not [name for name in os.listdir(folder) if name.startswith(".") or name.endswith(".new")])
        bad = subprocess.run([sys.executable, script, JAWARI, folder, "nothing"], capture_output=True, text=True, check=False)
        check("a scene that is not there is an error that names it", bad.returncode == 1 and "nothing" in bad.stderr)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
