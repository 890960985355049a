#!/bin/sh
# SPDX-License-Identifier: MIT
# The bundle of built-in instruments under LV2's own tools: valid, found with presets, and what each costs.
#   lv2_tools.sh SOURCE-ROOT BUNDLE
set -u
. "$1/test/report.sh"
bundle=$2
for tool in lv2_validate lv2info lv2bench; do
  command -v $tool >/dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
mkdir "$scratch/lv2"
ln -s "$(realpath "$bundle")" "$scratch/lv2/jawari.lv2"
for part in /usr/lib/lv2/*.lv2; do # The specifications, and no other plug-ins
  ls "$part"/*.so >/dev/null 2>&1 || ln -s "$part" "$scratch/lv2/"
done
export LV2_PATH="$scratch/lv2"

lv2_validate "$bundle"/*.ttl >"$scratch/log" 2>&1
status=$?
grep -q 'Found 0 errors' "$scratch/log" && [ "$status" -eq 0 ]
report $? "lv2_validate finds no error"

sed 's/a lv2:InstrumentPlugin/a lv2:NoSuchPlugin/; s/lv2:index 4/lv2:index "four"/' "$bundle/tromba.ttl" >"$scratch/bad.ttl"
! lv2_validate "$scratch/bad.ttl" "$bundle/manifest.ttl" >"$scratch/log" 2>&1
report $? "and finds one that was planted"

lv2info urn:jawari:tromba >"$scratch/log" 2>&1 && grep -q 'Has latency: *yes' "$scratch/log" && grep -q 'rattle.gap' "$scratch/log" &&
  grep -q 'Close rattle' "$scratch/log"
report $? "lv2info shows latency, controls and presets"

lv2bench >"$scratch/log" 2>&1
plugins=$(ls "$bundle"/*.json | wc -l)
[ "$(grep -c ' urn:jawari:' "$scratch/log")" -eq "$plugins" ]
report $? "lv2bench runs all $plugins"
grep ' urn:jawari:' "$scratch/log" | sed 's/^/# lv2bench, s: /'
echo "1..$count"
exit $failed
