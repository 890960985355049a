#!/bin/sh
# SPDX-License-Identifier: MIT
# Build into folder $1 with counters, run the tests, and report which lines and branches of src/ they reach.
set -eu
build=$1
command -v gcovr >/dev/null || { echo "gcovr is not installed" >&2; exit 1; }
if [ ! -f "$build/build.ninja" ]; then
  log=$(mktemp)
  /usr/bin/meson setup "$build" -Db_coverage=true -Dbuildtype=debugoptimized -Doptimization=1 \
    >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; exit 1; }
  rm -f "$log"
fi
ninja -C "$build" --quiet
/usr/bin/meson test -C "$build" --timeout-multiplier 5 >"$build/tests.log" 2>&1 || { tail -n 20 "$build/tests.log"; exit 1; }
# Bodies that are compiled at several widths stop this gcovr: "left.lineno == right.lineno".
gcovr -r . --object-directory "$build" --filter src/ --exclude 'src/.*_body\.h' --exclude-throw-branches --sort-uncovered -s
