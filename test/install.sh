#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed is what a user needs: examples build against it by pkg-config alone, as C and as C++, shared and
# static, and say what they say in the tree.
#   install.sh SOURCE-ROOT BUILD-ROOT CC [CXX]
set -u
root=$1 build=$2 cc=$3 cxx=${4:-}
. "$root/test/report.sh"

if ! command -v pkg-config >/dev/null; then
  echo "1..0 # SKIP pkg-config is not installed"
  exit 0
fi
DESTDIR=$scratch/root /usr/bin/meson install -C "$build" --no-rebuild >"$scratch/log" 2>&1
report $? "it installs under another root"
lib=$(dirname "$(find "$scratch/root" -name libjawari.so)")
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$scratch/root" LD_LIBRARY_PATH="$lib"
shared=$(pkg-config --cflags --libs jawari 2>"$scratch/log")
report $? "pkg-config knows jawari"
private=$(pkg-config --static --libs-only-l --libs-only-other jawari | sed 's/-ljawari//')

try() { # try CLAIM COMPILER ARGUMENTS
  claim=$1
  shift
  { "$@" -o "$scratch/program" && "$scratch/program" | cmp - "$root/examples/embed.out"; } >"$scratch/log" 2>&1
  report $? "$claim"
}

warn="-Wall -Wextra -Wpedantic -Werror"
try "the example against the shared library, as C" "$cc" -std=c11 $warn "$root/examples/embed.c" $shared -lm
try "the example against the static library, as C" "$cc" -std=c11 $warn $(pkg-config --cflags jawari) \
  "$root/examples/embed.c" "$lib/libjawari.a" $private
if [ -n "$cxx" ]; then
  cat >"$scratch/user.cpp" <<'EOF'
#include <jawari/jawari.h>
#include <jawari/play.h>
int main()
{
  JwWorldDef def = jw_world_default();
  JwWorld* world = nullptr;
  if (jw_world_create(&def, &world)) {
    return 1;
  }
  JwMassDef mass = jw_mass_default();
  mass.mass = 0.01;
  JwObjectId id;
  const bool good = !jw_world_add_mass(world, &mass, &id) && !jw_world_prepare(world) && jw_world_info(world).points == 1;
  jw_world_destroy(world);
  JwInstrumentDef instrument_def = jw_instrument_default();
  instrument_def.name = "tromba-small";
  JwInstrument* instrument = nullptr;
  float left[64], right[64];
  float* const out[2] = {left, right};
  const JwPlayerEvent on = {0, {0x90, 60, 100}, 3};
  const JwPlayerBlock block = {out, nullptr, 64, &on, 1};
  const bool plays = !jw_instrument_create(&instrument_def, &instrument) && !jw_instrument_run(instrument, &block) &&
                     jw_instrument_figures(instrument).notes == 1;
  jw_instrument_destroy(instrument);
  return good && plays ? 0 : 1;
}
EOF
  { "$cxx" -std=c++11 $warn "$scratch/user.cpp" $shared -o "$scratch/program" && "$scratch/program"; } >"$scratch/log" 2>&1
  report $? "a program in C++ against the shared library"
else
  count=$((count + 1))
  echo "ok $count - a program in C++ against the shared library # SKIP no C++ compiler"
fi
nm -D --defined-only "$lib/libjawari.so" 2>/dev/null | awk '{print $3}' | grep -v '^jw_' >"$scratch/log"
test ! -s "$scratch/log"
report $? "the shared library exports nothing but jw_ names"

here=$scratch/root$(dirname "$(dirname "$(find "$scratch/root" -path '*/bin/jawari' | sed "s|^$scratch/root||")")")
for file in share/jawari/scenes/jawari.schema.json share/jawari/scenes/tromba.json share/doc/jawari/physics.md \
  share/doc/jawari/threads.md share/doc/jawari/README.md share/doc/jawari/examples/embed.c include/jawari/builtin.h include/jawari/play.h; do
  test -s "$here/$file" || echo "$file is missing"
done >"$scratch/log"
test ! -s "$scratch/log"
report $? "scenes, schema, documents and examples are there"

# CMake.
if command -v cmake >/dev/null; then
  mkdir "$scratch/user"
  cp "$root/examples/embed.c" "$scratch/user"
  cat >"$scratch/user/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.10)
project(user C)
find_package(jawari 0.1 REQUIRED)
add_executable(shared embed.c)
target_link_libraries(shared jawari::jawari m)
add_executable(static embed.c)
target_link_libraries(static jawari::static)
EOF
  cmake -S "$scratch/user" -B "$scratch/made" -DCMAKE_PREFIX_PATH="$here" -DCMAKE_C_COMPILER="$cc" >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/made" >>"$scratch/log" 2>&1
  report $? "CMake finds it"
  for kind in shared static; do
    "$scratch/made/$kind" 2>&1 | cmp - "$root/examples/embed.out" >"$scratch/log" 2>&1
    report $? "the example by CMake, $kind"
  done
  sed -i 's/jawari 0.1/jawari 7.0/' "$scratch/user/CMakeLists.txt"
  ! cmake -S "$scratch/user" -B "$scratch/other" -DCMAKE_PREFIX_PATH="$here" >"$scratch/log" 2>&1 &&
    grep -q 'version: 0.1.0' "$scratch/log"
  report $? "a version that it has not is not found"
else
  count=$((count + 1))
  echo "ok $count - CMake finds it # SKIP cmake is not installed"
fi

# A part of another Meson project.
mkdir -p "$scratch/outer/subprojects"
ln -s "$root" "$scratch/outer/subprojects/jawari"
cp "$root/examples/embed.c" "$scratch/outer"
cat >"$scratch/outer/meson.build" <<'EOF'
project('outer', 'c', default_options: ['optimization=0'])
executable('outer', 'embed.c', dependencies: dependency('jawari', fallback: 'jawari'))
EOF
{ PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=/nowhere /usr/bin/meson setup "$scratch/outer/build" "$scratch/outer" &&
  ninja -C "$scratch/outer/build" outer && "$scratch/outer/build/outer" | cmp - "$root/examples/embed.out"; } >"$scratch/log" 2>&1
report $? "the example in a project that has it as a subproject"

# By make, where the user says; in a folder of its own, because the prefix is kept there.
{ /usr/bin/meson setup "$scratch/fresh" "$root" -Doptimization=0 -Dtests=disabled -Dhdf5=disabled &&
  make -C "$root" install BUILD="$scratch/fresh" PREFIX=/opt/jawari DESTDIR="$scratch/dest"; } >"$scratch/log" 2>&1 &&
  "$scratch/dest/opt/jawari/bin/jawari" --version >>"$scratch/log" 2>&1 &&
  grep -q '^prefix=/opt/jawari$' "$(find "$scratch/dest" -name jawari.pc)"
report $? "make install PREFIX=... DESTDIR=... puts it there"
echo "1..$count"
exit $failed
