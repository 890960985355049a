#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Put unit, range and default of every field into the comments of jawari/defs.h, from the parameter tables.

usage: fields.py FIELDS-PROGRAM DEFS.H     prints the header with the brackets anew

A field of a table stands on a line of its own below its comment, which ends in the brackets: "/// Damping R [kg/s; 0 to 1e9;
default 0]".  The words are kept; what is in the brackets is written here.  A field that is missing in either is an error.
"""
import re
import subprocess
import sys

MOST = 100  # Columns
BRACKETS = re.compile(r" ?\[[^\[\]]*(?:default|needed)[^\[\]]*\]$")


def tables(program):
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    rows = (line.split("\t") for line in printed.splitlines())
    return {(struct, field): text for struct, field, text in rows}


def structs(lines):
    """Where each struct has its fields: name, first line, line after the last."""
    first = None
    for number, line in enumerate(lines):
        if line == "typedef struct {":
            first = number + 1
        elif line.startswith("} Jw") and first is not None:
            yield line[2:].rstrip(";"), first, number
            first = None


def comment_of(words, brackets):
    """Comment lines: the brackets behind the words where there is room, else on a line of their own."""
    if words and len(words[-1]) + len(brackets) + 3 <= MOST:
        return words[:-1] + ["%s [%s]" % (words[-1], brackets)]
    return words + ["  /// [%s]" % brackets]


def main():
    known = tables(sys.argv[1])
    with open(sys.argv[2]) as file:
        lines = file.read().split("\n")
    found, made, done = set(), [], 0
    for struct, first, last in structs(lines):
        made += lines[done:first]
        words = []
        for line in lines[first:last]:
            field = re.match(r"  [\w ]+?\*? (\w+)(?:\[\d+\])?;", line)
            key = (struct, field and field.group(1))
            if line.startswith("  ///"):
                line = BRACKETS.sub("", line)
                words += [] if line.strip() == "///" else [line]
                continue
            if key in known:
                found.add(key)
                words = comment_of(words, known[key])
            made += words + [line]
            words = []
        done = last
    made += lines[done:]
    missing = sorted(set(known) - found)
    if missing:
        sys.exit("fields.py: no line of its own for " + ", ".join("%s.%s" % key for key in missing))
    print("\n".join(made), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
