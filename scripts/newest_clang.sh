#!/bin/sh
# SPDX-License-Identifier: MIT
# The newest clang of this machine that is version $1 at least; fails when there is none.
for name in $(seq 40 -1 "$1" | sed 's/^/clang-/') clang; do
  version=$("$name" -dumpversion 2>/dev/null) || continue
  [ "${version%%.*}" -ge "$1" ] && echo "$name" && exit 0
done
exit 1
