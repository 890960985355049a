#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian packages of the committed tree, into $1; then lintian, where it is installed.
# The version is that of meson.build; the rest is in packaging/debian.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
for tool in dpkg-buildpackage dh fakeroot; do
  command -v $tool >/dev/null || { echo "$tool is missing: scripts/setup.sh hosts installs it" >&2; exit 1; }
done
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/jawari-$version
mkdir "$source"
git archive HEAD | tar -x -C "$source"
cp -r "$source/packaging/debian" "$source/debian"
# The day of the commit, so that the same tree gives the same packages.
cat >"$source/debian/changelog" <<END
jawari ($version) unstable; urgency=medium

  * See CHANGELOG.md.

 -- $(sed -n 's/^Maintainer: //p' "$source/debian/control")  $(git log -1 --format=%cD)
END
if ! (cd "$source" && dpkg-buildpackage -us -uc -b -d -j2) >"$work/log" 2>&1; then
  tail -n 40 "$work/log" >&2
  exit 1
fi
cp "$work"/*.deb "$out"
ls "$out"/*_"$version"_*.deb
if command -v lintian >/dev/null; then
  # The changelog closes no report of Debian's, because there is none.
  lintian --fail-on error --suppress-tags initial-upload-closes-no-bugs "$work"/*.changes
else
  echo "lintian is not installed; the packages were not looked at" >&2
fi
