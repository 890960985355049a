#!/bin/sh
# SPDX-License-Identifier: MIT
# The same samples from every build: gcc and clang, -O0 to -O3, and every width of the kernels that this machine
# runs, against those of the program GOLDEN.  Prints TAP.
#   builds.sh FOLDER GOLDEN [brief]
# FOLDER is where the builds go.  brief: gcc -O0, which keeps in memory what others keep in registers, and clang -O3.
#
# The first 0.1 s of every scene; of -O0, where the plain loops of the plate take minutes, the first 10 ms.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$1
golden=$2
builds="gcc-2 gcc-3 gcc-1 gcc-0 clang-2 clang-3 clang-1 clang-0" widths="scalar base avx2"
[ "${3:-}" != brief ] || builds="gcc-0 clang-3" widths="base avx2"
mkdir -p "$work"
"$golden" print 0.1 >"$work/0.1.txt"
"$golden" print 0.01 >"$work/0.01.txt"
echo "# $(wc -l <"$work/0.1.txt") scenes"
number=0 failed=0

build() { # build COMPILER LEVEL FOLDER
  [ -f "$3/build.ninja" ] || CC=$1 /usr/bin/meson setup "$3" "$root" -Doptimization="$2" >"$work/log" 2>&1 || return 1
  ninja -C "$3" test/golden >"$work/log" 2>&1
}

claim() { # claim NAME COMMAND...
  name=$1
  number=$((number + 1))
  shift
  if "$@"; then
    echo "ok $number - $name"
  else
    head -n 20 "$work/log" | sed 's/^/# /'
    echo "not ok $number - $name"
    failed=1
  fi
}

same() { # same GOLDEN WIDTH SECONDS
  JAWARI_SIMD=$2 "$1" print "$3" >"$work/other.txt" 2>"$work/log" && [ -s "$work/other.txt" ] &&
    diff "$work/$3.txt" "$work/other.txt" >"$work/log"
}

for each in $builds; do
  cc=${each%-*} level=${each#*-}
  if ! command -v "$cc" >/dev/null; then
    number=$((number + 1))
    echo "ok $number - $cc -O$level # SKIP $cc is not installed"
    continue
  fi
  claim "$cc -O$level builds" build "$cc" "$level" "$work/$cc-O$level"
  seconds=$([ "$level" -eq 0 ] && echo 0.01 || echo 0.1)
  for width in $widths; do
    claim "$cc -O$level $width: the same for $seconds s" same "$work/$cc-O$level/test/golden" "$width" "$seconds"
  done
done
echo "1..$number"
exit $failed
