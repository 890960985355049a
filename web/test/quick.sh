#!/bin/sh
# SPDX-License-Identifier: MIT
# The quick tests of the web part, as TAP: quick.sh JAWARI FOLDER.  The package in node against the native program;
# and, where the page was built by `make web` and there is a Chromium, the page.
set -eu
program=$(readlink -f "$1")
folder=$2
cd "$(dirname "$0")/../.."

skip() {
  echo "1..0 # SKIP $1"
  exit 0
}
have() { command -v "$1" >/dev/null 2>&1; }

packages="clang lld llvm wasi-libc libclang-rt-14-dev-wasm32 nodejs"
{ have clang && have wasm-ld && have llvm-ar && have node; } || skip "needs $packages"
mkdir -p "$folder"
echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -x c - -o "$folder/empty" 2>/dev/null || skip "needs $packages"
node -e 'process.exit(typeof WebAssembly === "object" && Number(process.versions.node.split(".")[0]) >= 18 ? 0 : 1)' || skip "needs node 18 or newer"
web/wasm.sh "$folder"
node web/scripts/package.mjs "$folder/web/wasm/jawari_web.wasm" "$folder/package"
exec node web/test/test_node.mjs "$program" "$folder/package"
