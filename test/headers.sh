#!/bin/sh
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C and as C++, without a warning; nothing in include/ reaches into
# src/.
#   headers.sh SOURCE-ROOT VERSION CC [CXX]
set -u
root=$1 version=$2 cc=$3 cxx=${4:-}
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

# One version, wherever it stands.
number=$(printf '#include <jawari/base.h>\nJW_VERSION_MAJOR.JW_VERSION_MINOR.JW_VERSION_PATCH JW_VERSION\n' |
  "$cc" -E -P -I"$root/include" - | tail -n 1 | tr -d ' ()')
echo "$number" >"$scratch/log"
IFS=. read -r major minor patch <<end
$version
end
[ "$number" = "$version$major*1000000+$minor*1000+$patch" ]
report $? "the headers have the version of the build, $version"
grep version "$root/CITATION.cff" >"$scratch/log"
grep -qx "version: $version" "$root/CITATION.cff"
report $? "so does CITATION.cff"

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
