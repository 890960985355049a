#!/bin/sh
# SPDX-License-Identifier: MIT
# Which room of src/ includes which: docs/architecture.md, "what it must not know".
# Argument: the root of the source tree.  Output: TAP.
set -eu
cd "$1/src"
count=0
room() { # room NAME ALLOWED...: it includes these rooms and itself, and no others
  name=$1
  shift
  count=$((count + 1))
  wrong=
  for other in $(cat "$name"/*.[ch] | sed -n 's|^ *# *include "\([a-z]*\)/.*|\1|p' | sort -u); do
    case " $name $* " in *" $other "*) ;; *) wrong="$wrong $other" ;; esac
  done
  if [ -z "$wrong" ]; then echo "ok $count - $name knows what it may"; else echo "not ok $count - $name includes$wrong"; fi
}
room base
room numeric base
room kernel base numeric
room law base numeric
room object base numeric kernel
room model base numeric kernel law object
room listen model
room ledger model step
room define model object change prepare listen
room prepare model object define step change ledger listen
room step model kernel law prepare change ledger listen
room change model object prepare step ledger listen
room look base model define prepare step change
room scene base numeric
# What nobody may know, and that every folder is a room of the list.
count=$((count + 1))
if grep -rlE '#include "(look|scene)/' . --include='*.[ch]' | grep -vE '^\./(look|scene)/' | grep -q .; then
  echo "not ok $count - nobody knows look and scene"
else
  echo "ok $count - nobody knows look and scene"
fi
count=$((count + 1))
rooms=$(for folder in */; do echo "${folder%/}"; done | tr '\n' ' ')
if [ "$rooms" = "base change define kernel law ledger listen look model numeric object prepare scene step " ]; then
  echo "ok $count - every folder is a room"
else
  echo "not ok $count - every folder is a room: $rooms"
fi
echo "1..$count"
