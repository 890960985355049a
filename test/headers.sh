#!/bin/sh
# Each public header compiles alone, as C and as C++, without a warning; nothing in include/ reaches into
# src/.
#   headers.sh SOURCE-ROOT CC [CXX]
set -u
root=$1 cc=$2 cxx=${3:-}
. "$root/test/report.sh"

for header in "$root"/include/jawari/*.h; do
  name=$(basename "$header")
  for language in c cpp; do
    echo "#include <jawari/$name>" >"$scratch/alone.$language"
  done
  "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$root/include" -fsyntax-only "$scratch/alone.c" 2>"$scratch/log"
  report $? "$name compiles alone as C"
  if [ -n "$cxx" ]; then
    "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$root/include" -fsyntax-only "$scratch/alone.cpp" 2>"$scratch/log"
    report $? "$name compiles alone as C++"
  else
    count=$((count + 1))
    echo "ok $count - $name compiles alone as C++ # SKIP no C++ compiler"
  fi
done
echo "1..$count"
exit $failed
