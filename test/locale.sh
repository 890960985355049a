#!/bin/sh
# SPDX-License-Identifier: MIT
# Run PROGRAM in a locale with a decimal comma, made here.
#   locale.sh PROGRAM [ARGUMENT...]
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
skip() {
  echo "1..0 # SKIP $1"
  exit 0
}
command -v localedef >/dev/null || skip "localedef is not installed"
localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1
[ -d "$folder/de_DE.UTF-8" ] || skip "there is no definition of de_DE: the package locales is missing"
LOCPATH=$folder LC_ALL=de_DE.UTF-8 "$@" >"$folder/out" 2>"$folder/err"
status=$?
[ "$status" -ne 77 ] || skip "this C library takes no locales from LOCPATH"
cat "$folder/out"
cat "$folder/err" >&2 # What is said there is no TAP
grep -q 'printed as 0,5' "$folder/out" "$folder/err" || { echo "Bail out! The locale has no comma"; exit 1; }
exit $status
