#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernels and the samples on another machine, held to the same bits: as TAP.
#   scripts/elsewhere.sh wasm|arm|i686|windows FOLDER [check|brief]
# wasm: clang and wasi-libc, run by node.  arm: gcc for aarch64, run by qemu.  i686: gcc for 32 bit with its sanitizers,
# where sizes are checked as well.  windows: mingw-w64, run by wine, and the program's tables beside the native one's.  FOLDER is where it is built.  `check` renders every scene in every way that test golden
# does, `brief` the first 0.1 s only.
# Where the compiler is missing everything is skipped, and the packages are named.
set -eu
kind=$1
build=$2
golden=${3:-brief}
cd "$(dirname "$0")/.."
build=$(mkdir -p "$build" && cd "$build" && pwd) # wine wants whole paths
golden_file=test/golden.txt

skip() {
  echo "1..0 # SKIP $1"
  exit 0
}
have() { command -v "$1" >/dev/null 2>&1; }

case $kind in
wasm)
  cross=cross/wasm32-wasi.ini
  packages="clang lld llvm wasi-libc libclang-rt-14-dev-wasm32 nodejs"
  run="node --no-warnings scripts/wasi.mjs"
  { have clang && have wasm-ld && have llvm-ar && have node; } || skip "needs $packages"
  mkdir -p "$build"
  echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -x c - -o "$build/empty" 2>/dev/null || skip "needs $packages"
  $run "$build/empty" 2>/dev/null || skip "this node does not run WASI programs"
  ;;
arm)
  cross=cross/aarch64-linux-gnu.ini
  packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
  run=qemu-aarch64
  { have aarch64-linux-gnu-gcc && have qemu-aarch64; } || skip "needs $packages"
  ;;
i686)
  cross=cross/i686-linux-gnu.ini
  packages="gcc-multilib"
  run=
  mkdir -p "$build"
  # errno.h: Debian's gcc for ARM takes gcc-multilib away, and leaves a compiler without its headers
  printf '#include <errno.h>\nint main(void) { return errno; }' | gcc -m32 -fsanitize=address,undefined -x c - -o "$build/empty" 2>/dev/null || skip "needs $packages"
  "$build/empty" 2>/dev/null || skip "this machine does not run 32-bit programs"
  narrow="limits memory errors snapshot json scene scenes_bad"
  corpora="json scene snapshot midi tuning"
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  ;;
windows)
  cross=cross/mingw.txt
  packages="mingw-w64 wine wine64"
  run=wine
  end=.exe
  more="tools/jawari.exe"
  # CLAP is on where its headers are, as in the native build
  [ ! -f build/hosts/clap/jawari.clap ] || more="$more hosts/clap/jawari.clap test/portable/portable_clap.exe"
  export WINEDEBUG=-all WINEPREFIX="$build/wine"
  { have x86_64-w64-mingw32-gcc && have wine; } || skip "needs $packages"
  ;;
*)
  echo "usage: scripts/elsewhere.sh wasm|arm|i686|windows FOLDER [check|brief]" >&2
  exit 2
  ;;
esac

narrow=${narrow:-} corpora=${corpora:-} end=${end:-} more=${more:-}
mkdir -p "$build"
log=$build/elsewhere.log
folder=$build/test/portable
programs="kernel power elementary golden speed $narrow$(for c in $corpora; do echo " replay_$c"; done)"
build_all() {
  [ -f "$build/build.ninja" ] || /usr/bin/meson setup "$build" --cross-file $cross -Dtests=disabled || return 1
  # shellcheck disable=SC2046 # a list of programs
  ninja -C "$build" $more $(for p in $programs; do echo test/portable/portable_"$p$end"; done)
}
set -- $narrow $corpora
case $more in *clap*) plugins=1 ;; *) plugins=0 ;; esac
echo "1..$((5 + $# + plugins))"
if ! build_all >"$log" 2>&1; then
  tail -n 20 "$log" | sed 's/^/# /'
  echo "not ok 1 - $kind: builds"
  exit 1
fi
echo "ok 1 - $kind: builds"
number=1
failed=0
claim() { # claim NAME COMMAND...
  name=$1
  shift
  number=$((number + 1))
  if "$@" >"$log" 2>&1; then
    echo "ok $number - $kind: $name"
  else
    grep -v '^ok' "$log" | head -n 20 | sed 's/^/# /'
    echo "not ok $number - $kind: $name"
    failed=1
  fi
}
claim "every kernel width has the bits of the definition" $run "$folder/portable_kernel$end"
claim "powers and exponentials are within their bounds, and the known bits" $run "$folder/portable_power$end"
# Where long double functions are no better than double ones there is nothing to compare with.
[ "$kind" = windows ] || claim "sines and sums are within their bounds" $run "$folder/portable_elementary$end"
claim "every built-in scene has the same samples ($golden)" $run "$folder/portable_golden$end" "$golden" $golden_file
for name in $narrow; do
  claim "test $name" $run "$folder/portable_$name" $([ "$name" != scenes_bad ] || echo test/scenes_bad)
done
for name in $corpora; do
  claim "corpus $name" $run "$folder/portable_replay_$name" $(find "fuzz/corpus/$name" -type f)
done
same_table() { # The program itself writes the bytes of the native one, where there is one
  [ -x build/jawari ] || { echo "build/jawari is not built"; return 1; }
  build/jawari render tanpura -d 0.2 -q -o "$build/native.csv" || return 1
  $run "$build/tools/jawari.exe" render tanpura -d 0.2 -q -o "$build/windows.csv" || return 1
  grep -v '^#' "$build/native.csv" | tr -d '\r' | sha256sum >"$build/a"
  grep -v '^#' "$build/windows.csv" | tr -d '\r' | sha256sum >"$build/b"
  cmp "$build/a" "$build/b"
}
same_plugins() { # The CLAP library, loaded and played
  ninja -C build --quiet test/portable/portable_clap hosts/clap/jawari.clap || return 1
  build/test/portable/portable_clap build/hosts/clap/jawari.clap >"$build/a" || return 1
  $run "$folder/portable_clap$end" "$build/hosts/clap/jawari.clap" | tr -d '\r' >"$build/b" || return 1
  cat "$build/b"
  cmp "$build/a" "$build/b"
}
[ -z "$more" ] || claim "the program writes the samples of the native one" same_table
case $more in
*clap*) claim "the CLAP library plays the samples of the native one" same_plugins ;;
esac
exit $failed
