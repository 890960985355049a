#!/bin/sh
# SPDX-License-Identifier: MIT
# A file as a C header: schema_text.sh FILE
set -eu
echo '// Made from jawari.schema.json.'
echo 'static const unsigned char jw_schema_text[] = {'
od -An -v -tu1 "$1" | sed 's/\([0-9][0-9]*\)/\1,/g'
echo '};'
