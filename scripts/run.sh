#!/bin/sh
# The main job on built-in data.
set -eu
"$1"
