#!/bin/sh
# SPDX-License-Identifier: MIT
# Make sure that the packages needed to build are there.  With root or password-less sudo they are
# installed; otherwise the exact command to type is printed and the script fails.
#
# `setup.sh test` also installs what only the tests use, where it can; they skip what is missing.
#
# `setup.sh lint` and `setup.sh docs` install what those targets use.
#
# `setup.sh python` installs what the Python package needs and, where it can, what its tests and wheel use.
#
# `setup.sh hosts` installs, where it can, what plug-ins and other hosts are built with and tested in.
# `setup.sh web` installs what builds the page and, where it can, the browser that its tests use.
#
# `setup.sh cluster` installs, where it can, the cluster that sweeps are tested on.
#
# A package is taken as present when the file or pkg-config module that stands for it is found.
set -eu

needed=""
need() { # need PACKAGE TEST-COMMAND...
  package=$1
  shift
  "$@" >/dev/null 2>&1 || needed="$needed $package"
}
module() { command -v pkg-config && pkg-config --exists "$1"; }

need build-essential cc --version
need meson test -x /usr/bin/meson
need ninja-build command -v ninja
need pkg-config command -v pkg-config
need libcmocka-dev module cmocka
need libsndfile1-dev module sndfile
need libhdf5-dev module hdf5
need libjack-jackd2-dev module jack
need jackd2 command -v jackd

wanted=""
want() { # want PACKAGE TEST-COMMAND...: for the tests, which skip what needs it
  package=$1
  shift
  "$@" >/dev/null 2>&1 || wanted="$wanted $package"
}
narrow() { echo 'int main(void) { return 0; }' | gcc -m32 -fsanitize=address,undefined -x c - -o /dev/null; }
webbed() { echo 'int main(void) { return 0; }' | clang --target=wasm32-wasi -x c - -o /dev/null; }
if [ "${1:-}" = test ]; then
  want valgrind command -v valgrind
  want gcc-multilib narrow
  want locales test -f /usr/share/i18n/locales/de_DE
  want python3-h5py /usr/bin/python3 -c 'import h5py'
  want python3-xarray /usr/bin/python3 -c 'import xarray'
  want python3-h5netcdf /usr/bin/python3 -c 'import h5netcdf'
fi
if [ "${1:-}" = lint ]; then
  want clang-format command -v clang-format
  want clang-tidy command -v clang-tidy
fi
if [ "${1:-}" = docs ]; then
  need doxygen command -v doxygen
fi
if [ "${1:-}" = python ]; then
  need python3-cffi /usr/bin/python3 -c 'import cffi'
  need python3-numpy /usr/bin/python3 -c 'import numpy'
  want python3-build /usr/bin/python3 -I -c 'import build' # -I: not the folder build/
  want python3-setuptools /usr/bin/python3 -c 'import setuptools'
  want python3-wheel /usr/bin/python3 -c 'import wheel'
  want python3-venv /usr/bin/python3 -c 'import ensurepip'
  want python3-xarray /usr/bin/python3 -c 'import xarray'
  want python3-h5netcdf /usr/bin/python3 -c 'import h5netcdf'
  want python3-h5py /usr/bin/python3 -c 'import h5py'
  want python3-pandas /usr/bin/python3 -c 'import pandas'
  want python3-distributed /usr/bin/python3 -c 'import distributed'
  want python3-matplotlib /usr/bin/python3 -c 'import matplotlib'
  want jupyter-nbconvert command -v jupyter-nbconvert
  want python3-ipykernel /usr/bin/python3 -c 'import ipykernel'
fi
if [ "${1:-}" = cluster ]; then
  want slurm-wlm command -v slurmctld
  want munge command -v munged
fi
if [ "${1:-}" = hosts ]; then
  want lv2-dev module lv2
  want lilv-utils command -v lv2bench
  want sordi command -v lv2_validate
  want jalv command -v jalv
  want dpf-source test -f /usr/share/dpf/distrho/src/clap/entry.h
  want puredata-dev test -f /usr/include/pd/m_pd.h
  want puredata-core command -v pd
  want libcsound64-dev test -f /usr/include/csound/csdl.h
  want csound command -v csound
  want octave command -v octave-cli
  want octave-dev command -v mkoctfile
  want ardour command -v ardour7-lua
  want locales test -f /usr/share/i18n/locales/de_DE
  want debhelper command -v dh
  want fakeroot command -v fakeroot
  want lintian command -v lintian
  want mingw-w64 command -v x86_64-w64-mingw32-gcc
  want wine64 test -x /usr/lib/wine/wine64
  want wine command -v wine
fi
if [ "${1:-}" = web ]; then
  need clang command -v clang
  need lld command -v wasm-ld
  need llvm command -v llvm-ar
  need wasi-libc webbed
  need libclang-rt-14-dev-wasm32 webbed
  need nodejs command -v node
  need npm command -v npm
  want chromium command -v chromium
fi

[ -z "$needed$wanted" ] && exit 0

install="apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends$needed"
if [ "$(id -u)" -eq 0 ]; then
  root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  root="sudo"
elif [ -z "$needed" ]; then
  exit 0
else
  echo "These packages are needed; please install them, then run make again:" >&2
  echo "  sudo apt-get update && sudo $install" >&2
  exit 1
fi
echo "installing:$needed$wanted" >&2
start=$(date +%s)
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { $root apt-get update && $root $install$wanted; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  rm -f "$log"
  echo "The packages could not be installed; the lines above say why." >&2
  [ -z "$needed" ]
  exit
fi
rm -f "$log"
echo "installed in $(($(date +%s) - start)) s" >&2
