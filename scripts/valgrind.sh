#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of build folder $1 under valgrind's memcheck: no bad read, no use of what was never set, no leak.  Those
# named after it, or all that are quick.
set -eu
build=$1
shift
[ "$#" -gt 0 ] || set -- base params life island rest errors control memory snapshot group scene scenes_bad json force
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
failed=0
for name in "$@"; do
  args=""
  start=$(date +%s)
  [ "$name" = scenes_bad ] && args=test/scenes_bad
  if valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible \
      "$build/test/test_$name" $args >"$build/valgrind-$name.log" 2>&1; then
    echo "$name: clean, $(($(date +%s) - start)) s"
  else
    echo "$name: FAILED, see $build/valgrind-$name.log"
    failed=1
  fi
done
exit $failed
