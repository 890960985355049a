#!/bin/bash
# SPDX-License-Identifier: MIT
# The same work in other tools, as ratios to jawari on this machine.  Installs what is missing (root).
# Seconds are those of the processor, so that other work on the machine counts little.
#   bench/peers/run.sh BUILD
#
# Octave and numpy run the very scheme of jawari.  Faust's grid is the same string, without contacts.  The rest is
# comparable in what is heard, not in what is computed: Csound's prepiano has another model of string and preparations, and
# the voices of the Synthesis Toolkit are waveguides, a few operations a sample whatever the string.
set -eu
build=$1
here=$(dirname "$0")
python=/usr/bin/python3
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
missing=""
need octave-cli octave
need csound csound
need faust faust
need g++ g++
[ -e /usr/include/stk/Stk.h ] || missing="$missing libstk-dev"
$python -c 'import numpy' 2>/dev/null || missing="$missing python3-numpy"
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086 # a list of packages
  apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing >/dev/null
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM

line() { # line NAME SECONDS: beside $ours
  awk -v n="$1" -v s="$2" -v o="$ours" 'BEGIN { printf "%-46s %10.5f s for a second   %8.2f x\n", n, s, s / o }'
}
TIMEFORMAT=%U
seconds() { # seconds COMMAND...: of the processor, for ten seconds of sound
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 / 10 }'
}
ninja -C "$build" --quiet test/portable/portable_speed
speed() { "$build/test/portable/portable_speed" "$1" | awk '{ print 1 / $2 }'; }

echo "string over a bent barrier, 521 points, 220.5 kHz: the same scheme"
ours=$("$build/jawari" bench --json --quick | awk -F'[:,]' '/fig8_seconds/ { print $2 }')
line "jawari" "$ours"
line "numpy, non-iterative" "$($python "$here/fig8.py" noniterative 0.05)"
line "numpy, Newton 20" "$($python "$here/fig8.py" newton 0.01)"
line "Octave, non-iterative" "$(octave-cli -q "$here/fig8.m" noniterative 0.05)"
line "Octave, Newton 20" "$(octave-cli -q "$here/fig8.m" newton 0.01)"

echo
echo "a stiff string of 100 points with losses, 44.1 kHz: the same scheme"
faust -double -a "$here/grid.cpp" "$here/string.dsp" -o "$folder/string.cpp"
g++ -O3 -I"$here" -DNAME='"string"' "$folder/string.cpp" -o "$folder/string"
ours=$(speed "$here/string.json")
line "jawari" "$ours"
line "Faust, fds.lib, doubles, g++ -O3" "$("$folder/string" | awk '{ print $2 }')"

echo
echo "waveguides of the Synthesis Toolkit beside grids (other methods, without stiffness or contacts)"
g++ -O2 -I"$here" -I/usr/include/stk "$here/voices.cpp" -lstk -o "$folder/voices"
"$folder/voices" >"$folder/voices.txt"
voice() { awk -v n="$1" '$1 == n { print $2 }' "$folder/voices.txt"; }
ours=$(speed "$here/bowed.json")
line "jawari, bowed stiff string of 100 points" "$ours"
line "STK Bowed" "$(voice bowed)"
ours=$(speed "$here/string.json")
line "jawari, struck stiff string of 100 points" "$ours"
line "STK Plucked" "$(voice plucked)"
ours=$(speed "$here/membrane.json")
line "jawari, membrane of 11 x 11 points" "$ours"
line "STK Mesh2D, 12 x 12" "$(voice mesh)"

echo
echo "a struck string with preparations, 44.1 kHz (the models differ: an order of magnitude, no more)"
ours=$(seconds "$build/jawari" render prepared-piano -d 10 --no-ledger -q -o "$folder/sound.wav")
line "jawari, scene prepared-piano" "$ours"
line "Csound prepiano" "$(seconds csound "$here/prepiano.csd")"
