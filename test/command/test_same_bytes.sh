#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten seconds of the tromba marina: the same bytes twice, and from gcc and clang.  Prints TAP.
#   test_same_bytes.sh JAWARI SOURCE-FOLDER
set -u
jawari=$(realpath "$1")
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo 1..2

render() { # render PROGRAM FILE: by the same command, which the file keeps
  (cd "$folder" && "$1" render tromba-marina -o "sound.$ending" --duration 10 --no-ledger --quiet && mv "sound.$ending" "$2")
}

same() { # same NUMBER CLAIM FILE FILE
  if cmp "$3" "$4" >&2; then
    echo "ok $1 $2"
  else
    echo "not ok $1 $2"
  fi
}

ending=wav
"$jawari" --version | grep -q '^sound files: yes' || ending=csv
render "$jawari" "$folder/a.$ending" && render "$jawari" "$folder/b.$ending"
same 1 "tromba-marina renders to the same bytes twice" "$folder/a.$ending" "$folder/b.$ending"

# The other compiler, in a folder of its own.
claim="gcc and clang builds render the same bytes"
other=clang
"$jawari" --version | grep -q 'compiler: clang' && other=gcc
if ! command -v $other >/dev/null 2>&1; then
  echo "ok 2 $claim # SKIP $other is not installed"
  exit 0
fi
# Only the program is built, without what it does not need to render.
parts=
[ "$ending" = csv ] && parts=-Dsndfile=disabled
if ! { CC=$other /usr/bin/meson setup "$folder/build" "$source" -Dtests=disabled -Dhdf5=disabled $parts &&
       ninja -C "$folder/build" tools/jawari; } >"$folder/log" 2>&1; then
  tail -n 30 "$folder/log" | sed 's/^/# /'
  echo "not ok 2 $claim"
  exit 1
fi
render "$folder/build/tools/jawari" "$folder/c.$ending"
same 2 "$claim" "$folder/a.$ending" "$folder/c.$ending"
