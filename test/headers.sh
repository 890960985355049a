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

# Every public function meets nothing in test_null.c.
for function in $(grep -hoE '^JW_API[^(]*\bjw_[a-z_0-9]+\(' "$root"/include/jawari/*.h | grep -oE 'jw_[a-z_0-9]+\(' | tr -d '(' | sort -u); do
  grep -q "\b$function(" "$root/test/test_null.c" || echo "$function is not called by test_null.c"
done >"$scratch/log"
[ ! -s "$scratch/log" ]
report $? "every public function is called by test_null.c"

# And the manual says from which thread it may be called.
for function in $(grep -hoE '^JW_API[^(]*\bjw_world_[a-z_0-9]+\(' "$root/include/jawari/jawari.h" | grep -oE 'jw_[a-z_0-9]+\(' | tr -d '('); do
  case $function in jw_world_add_*) continue ;; esac
  grep -q "\`$function\`" "$root/docs/threads.md" || echo "$function is not in docs/threads.md"
done >"$scratch/log"
[ ! -s "$scratch/log" ]
report $? "docs/threads.md has every call on a world"
echo "1..$count"
exit $failed
