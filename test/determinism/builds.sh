#!/bin/sh
# The same samples from every build: gcc and clang, -O0 to -O3, and every width of the kernels that
# this machine runs.  Usage: builds.sh FOLDER, where the builds go.  Fails on the first difference.
#
# The first 0.1 s of every scene; of -O0, where the plain loops of the plate take minutes, the first 10 ms.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$1
mkdir -p "$work"
compared=0
for cc in gcc clang; do
  if ! command -v $cc >/dev/null; then
    echo "$cc is not installed: not compared"
    continue
  fi
  for level in 2 3 1 0; do
    build=$work/$cc-O$level
    [ -f "$build/build.ninja" ] || CC=$cc /usr/bin/meson setup "$build" "$root" -Doptimization=$level \
      >"$work/setup.log" 2>&1 || { cat "$work/setup.log"; exit 1; }
    ninja -C "$build" --quiet test/golden
    if [ "$compared" -eq 0 ]; then # The first build is what all are compared with
      first="$cc -O$level"
      "$build/test/golden" print 0.1 >"$work/0.1.txt"
      "$build/test/golden" print 0.01 >"$work/0.01.txt"
      lines=$(wc -l <"$work/0.1.txt")
      [ "$lines" -gt 0 ] && [ "$(wc -l <"$work/0.01.txt")" -eq "$lines" ]
    fi
    seconds=$([ $level -eq 0 ] && echo 0.01 || echo 0.1)
    for width in scalar base avx2; do
      out=$work/$cc-O$level-$width.txt
      JAWARI_SIMD=$width "$build/test/golden" print $seconds >"$out"
      if ! cmp -s "$work/$seconds.txt" "$out"; then
        echo "$cc -O$level $width differs from $first:"
        diff "$work/$seconds.txt" "$out" | head -n 6
        exit 1
      fi
      echo "$cc -O$level $width: the same for $seconds s"
      compared=$((compared + 1))
    done
  done
done
[ "$compared" -gt 0 ] && echo "determinism: $lines scenes, $compared builds and widths the same"
