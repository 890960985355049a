#!/bin/sh
# SPDX-License-Identifier: MIT
# Write the JSON Schema and the tables of the manual anew, or with "check" say whether they are stale.
#   scenes/format/refresh.sh DESCRIBE-PROGRAM SOURCE-FOLDER [check]
set -eu
describe=$1
root=$2
mode=${3:-write}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
"$describe" schema >"$new/schema"
"$describe" manual "$root/docs/scene-format.md" >"$new/manual"
status=0
put() { # put NEW FILE
  if [ "$mode" = write ]; then
    cp "$1" "$2"
  elif ! diff -u "$2" "$1"; then
    echo "$2 is stale: run 'ninja -C build refresh-scene-format'" >&2
    status=1
  fi
}
put "$new/schema" "$root/scenes/jawari.schema.json"
put "$new/manual" "$root/docs/scene-format.md"
exit $status
