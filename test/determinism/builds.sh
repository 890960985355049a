#!/bin/sh
# The same samples from every build: gcc and clang, -O0 to -O3, and every width of the kernels that
# this machine runs.  Usage: builds.sh FOLDER, where the builds go.  Fails on the first difference.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$1
mkdir -p "$work"
reference=""
for cc in gcc clang; do
  if ! command -v $cc >/dev/null; then
    echo "$cc is not installed: not compared"
    continue
  fi
  for level in 0 1 2 3; do
    build=$work/$cc-O$level
    [ -f "$build/build.ninja" ] || CC=$cc /usr/bin/meson setup "$build" "$root" -Doptimization=$level \
      >"$work/setup.log" 2>&1 || { cat "$work/setup.log"; exit 1; }
    ninja -C "$build" --quiet test/golden
    for width in scalar base avx2; do
      out=$work/$cc-O$level-$width.txt
      JAWARI_SIMD=$width "$build/test/golden" print >"$out"
      [ -n "$reference" ] || reference=$out
      if ! cmp -s "$reference" "$out"; then
        echo "$cc -O$level $width differs from $(basename "$reference" .txt):"
        diff "$reference" "$out" | head -n 6
        exit 1
      fi
      echo "$cc -O$level $width: the same"
    done
  done
done
[ -n "$reference" ] && echo "determinism: $(wc -l <"$reference") scenes, all builds the same"
