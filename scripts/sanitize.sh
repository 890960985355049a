#!/bin/sh
# SPDX-License-Identifier: MIT
# Build into folder $1 with the sanitizers $2 and run the tests named after them, or all.  Named tests build what
# they need and no more.  Any report fails: leaks, overflows, races.  At -O1: gcc takes minutes over sanitized
# unrolled kernels at -O2.
set -eu
build=$1
kind=$2
shift 2
if [ ! -f "$build/build.ninja" ]; then
  log=$(mktemp)
  how=-Db_sanitize=$kind
  if [ "$kind" = realtime ]; then # Clang's alone, and not known to older Mesons
    CC=$(scripts/newest_clang.sh 20) || { echo "sanitizer realtime: needs clang 20 or newer" >&2; exit 1; }
    export CC
    how="-Dc_args=-fsanitize=realtime -Dc_link_args=-fsanitize=realtime"
  fi
  # shellcheck disable=SC2086 # one option or two
  /usr/bin/meson setup "$build" $how -Db_lundef=false -Ddebug=true -Doptimization=1 \
    -Db_ndebug=false \
    >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
  rm -f "$log"
fi
[ "$#" -gt 0 ] || ninja -C "$build" --quiet
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export TSAN_OPTIONS=halt_on_error=1
exec /usr/bin/meson test -C "$build" --print-errorlogs --timeout-multiplier 10 "$@"
