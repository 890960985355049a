#!/bin/sh
# SPDX-License-Identifier: MIT
# Instructions a sample of one string over a rail in different states, by callgrind, with build folder $1: at rest,
# swinging free, rattling, pressed on the rail everywhere, and so faint that every number is near the smallest.
# The number cannot be constant, for what is open or at rest is left out; but pressed everywhere is the most, and
# nothing about the size of the numbers counts.  Fails when a state takes more than the pressed one.
set -eu
build=$1
rate=44100
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

scene() { # scene STATE POSITION AMPLITUDE
  cat >"$folder/$1.json" <<END
{ "jawari": 1,
  "objects": {
    "string": { "kind": "string", "length": 0.65, "radius": 3e-4, "material": "steel", "frequency": 110, "loss": [0, 0] },
    "rail": { "kind": "barrier", "position": $2 } },
  "contacts": [ { "law": "collision", "between": ["rail", "string"], "along": true, "stiffness": 1e8, "exponent": 1.5 } ],
  "initial": [ { "on": "string@0.5", "shape": "sine", "width": 1, "amplitude": $3 } ],
  "pickups": [ { "at": "string@0.3" } ] }
END
}

count() { # count STATE SECONDS
  valgrind --tool=callgrind --callgrind-out-file="$folder/out" \
    "$build/jawari" render "$folder/$1.json" -r $rate -d "$2" --no-ledger -q --gain 1 -o "$folder/sound.wav" 2>&1 |
    sed -n 's/.*Collected : *//p'
}

scene rest -1 0
scene free -1 1e-3
scene rattling -1e-4 1e-3
scene pressed 1e-3 1e-4
scene faint -1 1e-300
scene faint-pressed 1e-300 1e-301
for state in rest free faint rattling faint-pressed pressed; do
  a=$(count $state 0.1)
  b=$(count $state 0.2)
  awk -v s=$state -v a="$a" -v b="$b" -v n=$rate 'BEGIN { if (a == "" || b == "") exit 1; printf "%-14s %6.0f instructions a sample\n", s, (b - a) / (0.1 * n) }'
done | tee "$folder/table"
awk '{ count[$1] = $2 } END { for (s in count) if (count[s] > 1.02 * count["pressed"]) { print s " takes more than pressed"; bad = 1 } exit bad || NR != 6 }' "$folder/table"
