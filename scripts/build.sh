#!/bin/sh
# Build the folder $1, quietly, and say how long it took if it took any time.
set -eu
start=$(date +%s)
ninja -C "$1" --quiet
seconds=$(($(date +%s) - start))
if [ "$seconds" -gt 0 ]; then
  echo "built in $seconds s"
fi
