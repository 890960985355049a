#!/bin/sh
# SPDX-License-Identifier: MIT
# Archives of the committed tree, into $2: the source, and what build folder $1 installs, with checksums.
# The same commit and compiler give the same bytes: names are in order, and the time is that of the commit.
set -eu
build=$1
out=$(mkdir -p "$2" && cd "$2" && pwd)
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build | head -n 1)
if [ -n "$(git status --porcelain)" ]; then
  echo "there are changes that are not committed; a release is of a commit" >&2
  exit 1
fi
time=$(git log -1 --format=%ct)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pack() { # pack FOLDER ARCHIVE
  tar --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner -C "$work" -c "$1" | xz -9 >"$work/$2"
}

git archive --prefix="jawari-$version/" HEAD | xz -9 >"$work/jawari-$version.tar.xz"
machine=$(uname -s | tr 'A-Z' 'a-z')-$(uname -m)
DESTDIR=$work/root /usr/bin/meson install -C "$build" --no-rebuild --strip >"$work/log" || { cat "$work/log" >&2; exit 1; }
prefix=$(/usr/bin/meson introspect --buildoptions "$build" | /usr/bin/python3 -c '
import json, sys
print(next(option["value"] for option in json.load(sys.stdin) if option["name"] == "prefix"))')
mv "$work/root$prefix" "$work/jawari-$version-$machine"
pack "jawari-$version-$machine" "jawari-$version-$machine.tar.xz"
(cd "$work" && sha256sum "jawari-$version.tar.xz" "jawari-$version-$machine.tar.xz" >"jawari-$version.sha256")
mv "$work"/jawari-"$version".tar.xz "$work"/jawari-"$version"-"$machine".tar.xz "$work"/jawari-"$version".sha256 "$out"
cd "$out" && sha256sum -c "jawari-$version.sha256"
