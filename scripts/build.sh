#!/bin/sh
# SPDX-License-Identifier: MIT
# Build in the folder $1 the targets that follow, or all, quietly; say how long it took if it took any time.
set -eu
folder=$1
shift
start=$(date +%s)
ninja -C "$folder" --quiet "$@"
seconds=$(($(date +%s) - start))
if [ "$seconds" -gt 0 ]; then
  echo "built in $seconds s"
fi
