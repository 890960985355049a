#!/bin/sh
# SPDX-License-Identifier: MIT
# What the linker and the compiler were asked for is in the program and in the library.
#   hardened.sh PROGRAM LIBRARY FORTIFIED
set -u
program=$1 library=$2 fortified=$3
. "$(dirname "$0")/report.sh"
command -v readelf >/dev/null || { echo "1..0 # SKIP readelf is not installed"; exit 0; }

has() { # has CLAIM PATTERN READELF-OPTION FILE
  readelf -W "$3" "$4" >"$scratch/all" 2>&1
  grep -E "$2" "$scratch/all" >/dev/null
  status=$?
  head -n 20 "$scratch/all" >"$scratch/log"
  report $status "$1"
}
has "the program is position-independent" 'FLAGS_1.*PIE' -d "$program"
for file in "$program" "$library"; do
  name=$(basename "$file")
  has "$name: relocations are read-only" 'GNU_RELRO' -l "$file"
  has "$name: all of them, from the start" 'FLAGS.*NOW' -d "$file"
  has "$name: no stack is executable" 'GNU_STACK.* RW ' -l "$file"
  has "$name: stacks are guarded" '__stack_chk_fail' -s "$file"
  if [ "$fortified" = yes ]; then
    has "$name: calls of libc are fortified" '__(v?s?n?printf|memcpy|memmove|strcpy|fread)_chk' -s "$file"
  fi
done
readelf -W --dyn-syms "$library" | grep -E ' (secure_)?getenv(@|$)' >"$scratch/log"
[ ! -s "$scratch/log" ]
report $? "the library reads no environment"
echo "1..$count"
exit $failed
