#!/bin/sh
# SPDX-License-Identifier: MIT
# Look at a folder made by `jawari paper run all --out DIR` with a real browser (Chromium):
# pictures of every figure in light and dark into DIR-look, and every word the page puts on the
# browser's console.  Exit status 1 if there was one.
set -eu
dir=${1:?usage: scripts/look.sh DIR}
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo "look.sh: no Chromium found" >&2; exit 2; }
dir=$(cd "$dir" && pwd)
out=$dir-look
mkdir -p "$out"
open() { timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars "$@" 2>"$out/log"; }

for figure in "$dir"/*.svg; do
  size=$(sed -n '1s/.*width="\([0-9]*\)" height="\([0-9]*\)".*/\1,\2/p' "$figure")
  for look in 0:dark 1:light; do
    open --blink-settings=preferredColorScheme="${look%:*}" --window-size="$size" \
      --screenshot="$out/$(basename "$figure" .svg)-${look#*:}.png" "file://$figure"
  done
done
echo "look.sh: $(ls "$out"/*.png | wc -l) pictures in $out"

open --enable-logging=stderr --dump-dom "file://$dir/index.html" >"$out/page.html"
if grep CONSOLE "$out/log"; then
  exit 1
fi
echo "look.sh: $(grep -c '<section' "$out/page.html") experiments on the page, nothing on the console"
