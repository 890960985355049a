#!/bin/sh
# SPDX-License-Identifier: MIT
# What can be said of the tree without running it, as TAP: format, licence lines, scripts that parse; with a build folder as
# argument also clang-tidy over the library and the programs (some 30 s).  Tools that are missing are skipped with a line.
set -u
cd "$(dirname "$0")/.."
build=${1:-}
files() { git ls-files "$@" 2>/dev/null || find . -path ./build -prune -o -name "$1" -print; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0 failed=0
say() { # say STATUS NAME LOG
  count=$((count + 1))
  if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else
    echo "not ok $count - $2"
    sed 's/^/# /' "$3" | head -n 40
    failed=1
  fi
}
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }

if command -v clang-format >/dev/null; then
  files '*.c' '*.h' | xargs clang-format --dry-run -Werror >"$work/format" 2>&1
  say $? "C is formatted as .clang-format says" "$work/format"
else
  skip "C is formatted as .clang-format says" "clang-format is not installed"
fi

files '*.c' '*.h' '*.cpp' '*.py' '*.sh' '*.mjs' '*.js' '*.ts' | xargs grep -L 'SPDX-License-Identifier: MIT' >"$work/licence" 2>/dev/null
[ ! -s "$work/licence" ]
say $? "each source file names its licence" "$work/licence"

: >"$work/scripts"
for script in $(files '*.sh'); do
  case $(head -n 1 "$script") in *bash) shell=bash ;; *) shell=sh ;; esac
  $shell -n "$script" 2>>"$work/scripts" || echo "$script" >>"$work/scripts"
done
[ ! -s "$work/scripts" ]
say $? "scripts parse" "$work/scripts"

if [ -z "$build" ]; then :; elif command -v clang-tidy >/dev/null; then
  files 'src/*.c' 'tools/*.c' 'plot/*.c' 'hosts/play/*.c' 'measure/*.c' | xargs -P 2 -n 6 clang-tidy -p "$build" --quiet >"$work/tidy" 2>/dev/null
  status=$?
  grep -E 'error:|warning:' "$work/tidy" >"$work/found"
  [ $status -eq 0 ]
  say $? "clang-tidy finds nothing in the library and the programs" "$work/found"
else
  skip "clang-tidy finds nothing in the library and the programs" "clang-tidy is not installed"
fi
echo "1..$count"
exit $failed
