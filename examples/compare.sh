#!/bin/sh
# SPDX-License-Identifier: MIT
# Run an example and compare what it prints: compare.sh PROGRAM EXPECTED-FILE
"$1" | diff -u "$2" -
