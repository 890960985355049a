#!/bin/sh
# SPDX-License-Identifier: MIT
# Configure the build folder $1 once, quietly; the summary of what is on and off is always shown.
set -eu
log=$(mktemp)
# Where changes are judged a warning is an error.
if ! /usr/bin/meson setup "$1" ${CI:+--werror} >"$log" 2>&1; then
  cat "$log" >&2
  rm -f "$log"
  exit 1
fi
sed -n '/^  Parts/,/^$/p' "$log" >&2
rm -f "$log"
