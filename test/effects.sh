#!/bin/sh
# SPDX-License-Identifier: MIT
# What is marked JW_REALTIME calls nothing that may wait, as far as a compiler can see: every file of the core under
# clang's -Wfunction-effects.
#   effects.sh SOURCE-ROOT FILE...
set -u
root=$1
shift
clang=$("$root/scripts/newest_clang.sh" 20) || {
  echo "1..0 # SKIP needs clang 20 or newer"
  exit 0
}
. "$root/test/report.sh"
look() { "$clang" -std=c11 -D_GNU_SOURCE -I"$root/include" -I"$root/src" -fsyntax-only -Werror=function-effects "$@"; }

cat >"$scratch/waits.c" <<'END'
#include <jawari/jawari.h>
#include <stdlib.h>
static void* take(void) { return malloc(8); }
JW_REALTIME void planted(void) { free(take()); }
END
look "$scratch/waits.c" >"$scratch/log" 2>&1
[ $? -ne 0 ] && grep -q "must not call non-'nonblocking' function 'take'" "$scratch/log"
report $? "a planted call of malloc is seen"
for file in "$@"; do
  look "$file" >"$scratch/log" 2>&1
  report $? "${file#"$root"/src/} waits for nothing where it runs"
done
echo "1..$count"
exit $failed
