#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the WebAssembly module in the folder $1, and with it web/dist: the page as files, the page as one file
# (jawari.html), and the npm package as a folder and as a file for npm.
set -eu
folder=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
log=$folder/web.log
quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }; }
web/wasm.sh "$folder"
module=$folder/web/wasm/jawari_web.wasm
[ web/node_modules/.installed -nt web/package.json ] ||
  (cd web && quietly npm install --no-audit --no-fund --no-package-lock && touch node_modules/.installed)
node web/scripts/build.mjs "$module" web/dist
node web/scripts/package.mjs "$module" web/dist/package
(cd web/dist && quietly npm pack ./package)
kilobytes() { cat "$@" | gzip -9 | wc -c | awk '{ printf "%d kB gzip", ($1 + 500) / 1000 }'; }
echo "web/dist/index.html      the page, for any server: $(kilobytes web/dist/index.html web/dist/assets/* web/dist/jawari.wasm web/dist/scenes.json web/dist/worklet.js web/dist/worker.js)"
echo "web/dist/jawari.html     the same as one file: $(kilobytes web/dist/jawari.html)"
echo "web/dist/jawari-*.tgz    the npm package: $(du -k web/dist/jawari-*.tgz | cut -f1) kB"
