#!/bin/sh
# SPDX-License-Identifier: MIT
# Run every test of the build folder $1.  With `rounds` as $2: those of the core again instead, under the sanitizers in builds beside
# it, as 32 bit, and some under valgrind.  Closes with one line: N passed, N failed.  What a machine has not is skipped, and says so.
set -u
build=$1
start=$(date +%s)
total=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Add the cases of a report of Meson's to the sums.  A run that failed without a case that did is a failure too.
add() { # add STATUS REPORT
  set -- "$1" $(awk '{ t += gsub(/<testcase/, "&"); f += gsub(/<failure|<error/, "&"); s += gsub(/<skipped/, "&") }
    END { print t + 0, f + 0, s + 0 }' "$2" 2>/dev/null || echo 0 0 0)
  [ "$1" -eq 0 ] || [ "$3" -gt 0 ] || set -- "$1" "$2" 1 "$4"
  total=$((total + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
  counted="$(($2 - $3 - $4)) passed, $3 failed"
}

skip() { # skip WHAT REASON
  total=$((total + 1)) skipped=$((skipped + 1))
  echo "$1: skipped, $2"
}

again() { # again SANITIZERS FOLDER TEST...
  kind=$1 folder=$2 since=$(date +%s)
  shift 2
  compiler=${CC:-cc}
  [ "$kind" != realtime ] || compiler=$(scripts/newest_clang.sh 20) || { skip "sanitizer realtime" "needs clang 20 or newer"; return; }
  if ! echo 'int main(void) { return 0; }' | $compiler -fsanitize="$kind" -x c - -o "$work/try" 2>/dev/null || ! "$work/try"; then
    skip "sanitizers $kind" "the compiler has none that run here"
    return
  fi
  rm -f "$folder/meson-logs/testlog.junit.xml"
  scripts/sanitize.sh "$folder" "$kind" "$@" >"$work/log" 2>&1
  status=$?
  add $status "$folder/meson-logs/testlog.junit.xml"
  [ $status -eq 0 ] || tail -n 60 "$work/log"
  echo "sanitizers $kind: $counted in $(($(date +%s) - since)) s"
}

run_tests() {
  # A loaded machine is slow, not wrong: the time limits are there to end what hangs.
  rm -f "$build/meson-logs/testlog.junit.xml"
  /usr/bin/meson test -C "$build" --print-errorlogs --timeout-multiplier 8
  add $? "$build/meson-logs/testlog.junit.xml"
}

run_rounds() {
  again address,undefined "$build-sanitize" base params limits null identity locale life island rest errors control queue memory snapshot group force \
    json scene scenes_bad corpus-json corpus-scene corpus-snapshot corpus-midi corpus-tuning random-found random-hostile stretch directions friction lv2 clap
  again thread "$build-tsan" queue threads components
  again realtime "$build-rtsan" sanitizer queue control snapshot rest golden random-nominal

  # 32 bit, where sizes are soon full.
  since=$(date +%s)
  scripts/elsewhere.sh i686 "$build-i686" brief >"$work/log" 2>&1
  status=$?
  passed=$(grep -c '^ok' "$work/log") lost=$(grep -c '^not ok' "$work/log")
  [ "$status" -eq 0 ] || [ "$lost" -gt 0 ] || lost=1
  if grep -q '^1..0 # SKIP' "$work/log"; then
    skip "32 bit" "$(sed -n 's/^1..0 # SKIP //p' "$work/log")"
  else
    total=$((total + passed + lost)) failed=$((failed + lost))
    [ "$lost" -eq 0 ] || cat "$work/log"
    echo "32 bit: $passed passed, $lost failed in $(($(date +%s) - since)) s"
  fi

  if command -v valgrind >/dev/null; then
    for name in errors memory snapshot rest scene scenes_bad; do
      total=$((total + 1))
      scripts/valgrind.sh "$build" "$name" >"$work/log" 2>&1 || failed=$((failed + 1))
      sed 's/^/valgrind: /' "$work/log"
    done
  else
    skip valgrind "it is not installed"
  fi
}

if [ "${2:-}" = rounds ]; then run_rounds; else run_tests; fi
echo "tests took $(($(date +%s) - start)) s"
echo "$((total - failed - skipped)) passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
