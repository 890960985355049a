#!/bin/sh
# Run every test of the build folder $1 and close with one line: N passed, N failed.
set -u
build=$1
start=$(date +%s)
# A loaded machine is slow, not wrong: the time limits are there to end what hangs.
/usr/bin/meson test -C "$build" --print-errorlogs --timeout-multiplier 8
status=$?
end=$(date +%s)
awk -v status="$status" -v seconds="$((end - start))" '
  { total += gsub(/<testcase/, "&") }
  { failed += gsub(/<failure|<error/, "&") }
  { skipped += gsub(/<skipped/, "&") }
  END {
    if (status && !failed) failed = 1
    printf "tests took %d s\n", seconds
    printf "%d passed, %d failed", total - failed - skipped, failed
    if (skipped) printf ", %d skipped", skipped
    printf "\n"
  }' "$build/meson-logs/testlog.junit.xml"
exit $status
