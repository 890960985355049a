#!/bin/sh
# SPDX-License-Identifier: MIT
# Build the WebAssembly module in the folder $1.
set -eu
folder=$1
cd "$(dirname "$0")/.."
mkdir -p "$folder"
if ! { [ -f "$folder/build.ninja" ] || /usr/bin/meson setup "$folder" --cross-file cross/wasm32-wasi.ini -Doptimization=2 -Dtests=disabled; } >"$folder/wasm.log" 2>&1 ||
  ! ninja -C "$folder" web/wasm/jawari_web.wasm >"$folder/wasm.log" 2>&1; then
  tail -n 30 "$folder/wasm.log" >&2
  exit 1
fi
