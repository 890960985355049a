#!/bin/sh
# SPDX-License-Identifier: MIT
# The reference of the public headers, as pages in folder $1.  What is not documented, or wrongly, is an error.
set -eu
cd "$(dirname "$0")/.."
out=$1
mkdir -p "$out"
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build | head -n 1)
doxygen - <<EOF
PROJECT_NAME = jawari
PROJECT_NUMBER = $version
PROJECT_BRIEF = "Things that vibrate and collide, and sound"
INPUT = include/jawari README.md CONTRIBUTING.md CHANGELOG.md docs
USE_MDFILE_AS_MAINPAGE = README.md
OUTPUT_DIRECTORY = $out
HTML_OUTPUT = .
GENERATE_LATEX = NO
HAVE_DOT = NO
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = JW_API= JW_REALTIME= JW_MUST_USE=
QUIET = YES
WARN_IF_DOC_ERROR = YES
WARN_IF_UNDOCUMENTED = NO
EOF
echo "$out/index.html"
