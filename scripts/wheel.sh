#!/bin/sh
# SPDX-License-Identifier: MIT
# Pack the Python package of the build folder $1 into a wheel in the folder $2, without network.
set -eu
build=$1
out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/jawari"
for file in "$build"/python/jawari/*; do
  case $file in
  *.py | *.pyi | *.h | *.so | *.typed) cp "$file" "$work/jawari/" ;;
  esac
done
strip --strip-unneeded "$work"/jawari/*.so
cp python/pyproject.toml python/setup.py "$work/"
cp docs/python.md "$work/README.md"
version=$("$build/jawari" --version | sed -n 's/^jawari //p')
log=$work/log
if ! (cd "$work" && JAWARI_VERSION=$version PATH=/usr/bin:/bin SOURCE_DATE_EPOCH=315532800 \
  /usr/bin/python3 -m build --wheel --no-isolation --outdir dist .) >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "The wheel could not be built; it needs python3-build, python3-setuptools and python3-wheel." >&2
  exit 1
fi
rm -f "$out"/jawari-*.whl
cp "$work"/dist/*.whl "$out/"
ls "$out"/jawari-*.whl
