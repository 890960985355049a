#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job on built-in data: a short programme, an instrument each, and a page to hear and see it on.
#   scripts/run.sh JAWARI OUT-FOLDER
set -eu
jawari=$1
out=$2
scripts/gallery.py "$jawari" "$out" guitar cello marimba piano hurdy-gurdy tromba sitar shamisen snare tam-tam
echo "Then change an instrument and render it again:"
echo "  $jawari scenes --show guitar > $out/mine.json"
echo "  $jawari render $out/mine.json -o $out/mine.wav"
