#!/bin/bash
# The same work in other tools, as ratios to jawari on this machine.  Installs what is missing (root).
# Seconds are those of the processor, so that other work on the machine counts little.
#   bench/peers/run.sh BUILD
set -eu
build=$1
here=$(dirname "$0")
python=/usr/bin/python3
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
missing=""
need octave-cli octave
need csound csound
$python -c 'import numpy' 2>/dev/null || missing="$missing python3-numpy"
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086 # a list of packages
  apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $missing >/dev/null
fi

ours=$("$build/jawari" bench --json --quick | awk -F'[:,]' '/fig8_seconds/ { print $2 }')
line() { # line NAME SECONDS
  awk -v n="$1" -v s="$2" -v o="$ours" 'BEGIN { printf "%-44s %10.4f s for a second   %8.1f x\n", n, s, s / o }'
}
TIMEFORMAT=%U
seconds() { # seconds COMMAND...: of the processor, for ten seconds of sound
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 / 10 }'
}
echo "string over a bent barrier, 521 points, 220.5 kHz"
line "jawari" "$ours"
line "numpy, non-iterative" "$($python "$here/fig8.py" noniterative 0.05)"
line "numpy, Newton 20" "$($python "$here/fig8.py" newton 0.01)"
line "Octave, non-iterative" "$(octave-cli -q "$here/fig8.m" noniterative 0.05)"
line "Octave, Newton 20" "$(octave-cli -q "$here/fig8.m" newton 0.01)"

echo
echo "a struck string with preparations, 44.1 kHz (the models differ: an order of magnitude, no more)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
ours=$(seconds "$build/jawari" render prepared-piano -d 10 --no-ledger -q -o "$folder/sound.wav")
line "jawari, scene prepared-piano" "$ours"
line "Csound prepiano" "$(seconds csound "$here/prepiano.csd")"
