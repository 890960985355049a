#!/bin/sh
# SPDX-License-Identifier: MIT
# Write the JSON Schema, the tables of the manual and the brackets of jawari/defs.h anew, or with "check" say whether they
# are stale.
#   scenes/format/refresh.sh DESCRIBE-PROGRAM FIELDS-PROGRAM SOURCE-FOLDER [check]
set -eu
describe=$1
fields=$2
root=$3
mode=${4:-write}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
"$describe" schema >"$new/schema"
"$describe" manual "$root/docs/scene-format.md" >"$new/manual"
"$root/scenes/format/fields.py" "$fields" "$root/include/jawari/defs.h" >"$new/defs"
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
put "$new/defs" "$root/include/jawari/defs.h"
exit $status
