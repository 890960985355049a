#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions a sample of every built-in scene, by callgrind: the same on every run and every load, so that a
# change that costs more shows in review.  Two durations are counted and subtracted: setting up drops out.
#
#   bench/instructions.sh BUILD            print the counts and compare them with bench/instructions.txt
#   bench/instructions.sh BUILD --record   write them there
#
# Exit status 1 when a scene takes over 3 % more than recorded, or is not recorded.
set -eu
build=$1
here=$(dirname "$0")
rate=44100
short=0.05
long=0.10
if ! command -v valgrind >/dev/null 2>&1; then
  echo "valgrind is needed: apt-get install valgrind" >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

count() { # count SCENE SECONDS
  valgrind --tool=callgrind --callgrind-out-file="$folder/out" \
    "$build/jawari" render "$1" -r $rate -d "$2" --no-ledger -q -o "$folder/sound.wav" 2>&1 |
    sed -n 's/.*Collected : *//p'
}

"$build/jawari" scenes | awk 'NF { print $1 }' | while read -r scene; do
  a=$(count "$scene" $short)
  b=$(count "$scene" $long)
  awk -v s="$scene" -v a="$a" -v b="$b" -v n="$rate" -v t="$long" -v u="$short" \
    'BEGIN { if (a == "" || b == "") exit 1; printf "%s %.0f\n", s, (b - a) / (n * (t - u)) }' ||
    { echo "$scene: could not be counted" >&2; echo failed >>"$folder/failed"; }
done >"$folder/counts"
[ -e "$folder/failed" ] && exit 1

if [ "${2:-}" = "--record" ]; then
  cp "$folder/counts" "$here/instructions.txt"
  cat "$here/instructions.txt"
  exit 0
fi
awk 'NR == FNR { old[$1] = $2; next }
  !($1 in old) { printf "%-26s %8d            not recorded\n", $1, $2; bad = 1; next }
  { change = 100 * ($2 / old[$1] - 1)
    printf "%-26s %8d  %+6.1f %%%s\n", $1, $2, change, (change > 3 ? "  MORE" : "")
    bad = bad || change > 3 }
  END { exit bad }' "$here/instructions.txt" "$folder/counts"
