#!/bin/sh
# SPDX-License-Identifier: MIT
# Every equation that the source cites stands in docs/physics.md, numbered at the end of an indented line.
# Argument: the root of the source tree.  Output: TAP.
set -eu
cd "$1"
# "(1.3)", "(2.3b)", and lists like "(1.3, 1.5, 1.7)"; not what a function is called with.
cited=$(grep -rhoE '(^|[^A-Za-z_])\([1-9]\.[0-9]+[a-z]?(, [1-9]\.[0-9]+[a-z]?)*\)' src include | grep -oE '[1-9]\.[0-9]+[a-z]?' | sort -uV)
numbered=$(grep -E '^ +[^ ]' docs/physics.md | grep -oE '\([1-9]\.[0-9]+[a-z]?\)$' | tr -d '()' | sort -V)
count=0
for number in $cited; do
  count=$((count + 1))
  if printf '%s\n' "$numbered" | grep -qx "$number"; then
    echo "ok $count - ($number) is in docs/physics.md"
  else
    echo "not ok $count - ($number) is in docs/physics.md"
    grep -rnF "$number" src include | sed 's/^/# /'
  fi
done
# And every erratum of the table that the tests run.
errata=$(grep -oE '^ +\{"[^"]+",' papers/willemsen2019/errata.c | sed 's/^ *{"//; s/",$//')
missing=$(printf '%s\n' "$errata" | while read -r where; do grep -qF "| $where |" docs/physics.md || echo "$where"; done)
count=$((count + 1))
[ -n "$errata" ] && [ -z "$missing" ] && echo "ok $count - every erratum is in docs/physics.md" ||
  echo "not ok $count - every erratum is in docs/physics.md: $missing"
count=$((count + 1))
twice=$(printf '%s\n' "$numbered" | uniq -d)
[ -z "$twice" ] && echo "ok $count - no number stands for two equations" ||
  echo "not ok $count - no number stands for two equations: $twice"
count=$((count + 1))
[ "$count" -gt 15 ] && echo "ok $count - citations were found" || echo "not ok $count - citations were found"
echo "1..$count"
