#!/bin/sh
# SPDX-License-Identifier: MIT
# The pictures of the documents, made anew from the scenes and experiments that they show.
#   scripts/pictures.sh JAWARI FOLDER          writes them into FOLDER, docs/pictures
#   scripts/pictures.sh JAWARI FOLDER check    compares, and names those that are stale
set -eu
jawari=$(realpath "$1")
folder=$(realpath "$2")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cd "$made"
"$jawari" plot tromba-marina -o tromba-marina.svg --panels waveform,spectrogram,shape -q
"$jawari" plot tromba-piece -o tromba-piece.svg -q
"$jawari" paper run bow-rattle --out . >/dev/null
"$jawari" paper run bow-schelleng --out . >/dev/null
"$jawari" paper run willemsen2019-fig2 --out . >/dev/null
mv willemsen2019-fig2.svg tromba-system.svg
status=0
for picture in *.svg; do
  if [ "${3:-}" != check ]; then
    cp "$picture" "$folder/$picture"
  elif ! cmp -s "$picture" "$folder/$picture"; then
    echo "docs/pictures/$picture is not what jawari draws now: run \`make pictures\`, look at it, and commit it"
    status=1
  fi
done
for picture in "$folder"/*.svg; do
  [ -e "$(basename "$picture")" ] || { echo "docs/pictures/$(basename "$picture") is made by nothing: see scripts/pictures.sh"; status=1; }
done
exit $status
