#!/bin/sh
# SPDX-License-Identifier: MIT
# Measure the house: how much there is to know in src/.  With a build folder as argument, also how many calls, functions and files
# one bowed sample of the tromba marina takes (valgrind's callgrind; the build must have symbols).
set -eu
cd "$(dirname "$0")/.."
sources() { git ls-files "$@" | grep -E '\.[ch]$'; }
code() { sed -e 's://.*::' | grep -cE '[^[:space:]]' || true; }
row() { printf '%-58s %8s\n' "$1" "$2"; }

row "lines of code in src/, without comments and blank lines" "$(sources src | xargs cat | code)"
row "the same without src/scene/" "$(sources src | grep -v '^src/scene/' | xargs cat | code)"
row "files in src/" "$(sources src | wc -l)"
row "longest file (lines)" "$(sources src | xargs wc -l | grep -v total | sort -n | tail -n 1 | awk '{ print $1 }')"
row "prototypes in the largest header of src/" "$(for f in $(sources src | grep '\.h$'); do grep -cE '^[A-Za-z].*\(.*\);$' "$f" || true; done | sort -n | tail -n 1)"
row "kinds asked for by name outside of object/, law/, scene/" \
  "$(sources src | grep -vE '^src/(object|law|scene|define/params)' | xargs grep -hE '[!=]= JW_KIND_|case JW_KIND_' | wc -l)"
row "nested conditional expressions, lines" "$(sources src | xargs cat | grep -cE '\?.*:.*\?.*:' || true)"
row "lines beyond 100 columns in src, include, tools, hosts, plot" "$(sources src include tools hosts plot | xargs cat | awk 'length > 100' | wc -l)"
row "bodies of the rule bounded" "$(sources src | xargs grep -lE "^static inline Lanes bounded_g\\(" | wc -l)"
[ $# -ge 1 ] || exit 0
command -v valgrind >/dev/null || { echo "valgrind is not installed: no calls counted" >&2; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
frames() { # frames SECONDS: calls and functions of src/ in a rendering of that length
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$1/jawari" render tromba-marina -d "$2" --no-ledger -q -o "$work/x.wav" 2>/dev/null
  awk -F'[= ]' '/^calls=/ { sum += $2 } END { print sum + 0 }' "$work/out"
}
long=$(frames "$1" 0.06) short=$(frames "$1" 0.05)
row "calls a sample of tromba-marina, bowed" "$(((long - short) / 441))"
