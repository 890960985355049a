#!/bin/sh
# SPDX-License-Identifier: MIT
# How fast scenes run in WebAssembly beside the native program: scripts/speed.sh BUILD WASM-BUILD
set -eu
here=$(dirname "$0")
program=test/portable/portable_speed
[ -f "$2/$program" ] || exit 0
native=$(mktemp)
trap 'rm -f "$native"' EXIT INT TERM
set -- "$1/$program" "$2/$program" tromba-marina tromba string-barrier guitar snare piano-c4
there=$1 wasm=$2
shift 2
"$there" "$@" >"$native"
echo "x real time                native     wasm"
node --no-warnings "$here/wasi.mjs" "$wasm" "$@" | while read -r name fast; do
  awk -v n="$name" -v w="$fast" '$1 == n { printf "%-24s %8.1f %8.1f   %4.1f x as long\n", n, $2, w, $2 / w }' "$native"
done
