#!/bin/sh
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
#include <jawari/scene.h>
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
  return good ? 0 : 1;
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
echo "1..$count"
exit $failed
