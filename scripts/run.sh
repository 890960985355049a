#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job on built-in data: render the tromba marina into a sound, a picture and a table.
#   scripts/run.sh JAWARI OUT-FOLDER
set -eu
jawari=$1
out=$2
start=$(date +%s)
mkdir -p "$out"
# Without libsndfile there is no sound, but numbers.
sound=$out/tromba-marina.wav
if ! "$jawari" --version | grep -q '^sound files: yes'; then
  sound=$out/tromba-marina.csv
fi
"$jawari" render tromba-marina -o "$sound" --plot "$out/tromba-marina.svg" --stats "$out/tromba-marina.json"
end=$(date +%s)
echo
echo "Rendered in $((end - start)) s.  Listen to $sound, look at $out/tromba-marina.svg."
echo "Then change the instrument and render it again:"
echo "  $jawari scenes --show tromba-marina > $out/mine.json"
echo "  $jawari render $out/mine.json -o $out/mine.wav"
